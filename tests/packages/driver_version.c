/* SPDX-License-Identifier: Apache-2.0 */
/* Which libcuda.so.1 the loader found: prints the version that it says. */
#include <stdio.h>

int cuDriverGetVersion(int *version);

int main(void)
{
    int version = 0;
    int status = cuDriverGetVersion(&version);
    printf("%d\n", version);
    return status;
}
