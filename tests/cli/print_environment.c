/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what the command line set up. Linked with DT_RPATH. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const char *const NAMES[] = {"SOFTWARP_DEVICE", "LD_LIBRARY_PATH", "LD_PRELOAD"};
    for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        const char *value = getenv(NAMES[i]);
        printf("%s=%s\n", NAMES[i], value ? value : "");
    }
    return getenv("SOFTWARP_SESSION") ? 0 : 1;
}
