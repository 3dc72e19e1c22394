/* SPDX-License-Identifier: Apache-2.0 */
/* Looks like a program with NVIDIA's static runtime: a fat binary section, and its own registration function.
 */
#include <stdio.h>

void *__cudaRegisterFatBinary(void *wrapper);
__attribute__((section(".nvFatBinSegment"), used)) static int wrapper[6] = {0x466243b1, 1};

void *__cudaRegisterFatBinary(void *image)
{
    return image;
}

int main(void)
{
    puts("must not run");
    return __cudaRegisterFatBinary(wrapper) == 0;
}
