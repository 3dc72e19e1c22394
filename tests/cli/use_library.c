/* SPDX-License-Identifier: Apache-2.0 */
/* A program that uses fake_library.c, under whatever name it was linked with. */
#include <stdio.h>
#include <string.h>

int fake_asks(void);
int fake_loads(int from_heap);

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int result = strcmp(what, "asks") == 0    ? fake_asks()
                 : strcmp(what, "loads") == 0 ? fake_loads(0)
                 : strcmp(what, "heap") == 0  ? fake_loads(1)
                                              : 0;
    printf("result %d\n", result);
    return 0;
}
