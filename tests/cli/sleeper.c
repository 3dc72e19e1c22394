/* SPDX-License-Identifier: Apache-2.0 */
/* Says that it is there, then waits for a signal; SIGTERM is answered with status 9. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void end(int number)
{
    (void)number;
    _exit(9);
}

int main(void)
{
    signal(SIGTERM, end);
    puts("waiting");
    fflush(stdout);
    for (int i = 0; i < 20; i++)
        sleep(1);
    return 0;
}
