/* SPDX-License-Identifier: Apache-2.0 */
/* In place of suite_pocl.c where there are no OpenCL headers: PoCL's column is empty. */
#include "suite.h"

#include <stdio.h>

bool suite_pocl_open(struct suite_contender *contender, const char *folder)
{
    (void)contender;
    (void)folder;
    fprintf(
        stderr,
        "no OpenCL headers: install pocl-opencl-icd, ocl-icd-opencl-dev and opencl-headers to compare with "
        "PoCL\n");
    return false;
}
