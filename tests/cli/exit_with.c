/* SPDX-License-Identifier: Apache-2.0 */
/* Prints its arguments and exits with the first; "abort" dies by a signal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("%s\n", argv[i]);
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "abort") == 0) abort();
    return argc > 1 ? atoi(argv[1]) : 0;
}
