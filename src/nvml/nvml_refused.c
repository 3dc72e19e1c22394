/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of NVML that are not supported: each says so once, by name, and returns NVML_ERROR_NOT_SUPPORTED.
 * Made from nvml_api.def. This file does not see nvml.h: a body that reads no parameter is right for any list
 * of them under the C calling convention of x86-64 and AArch64. */
int nvml_refuse(const char *name, int *said); /* nvml_system.c */

#pragma GCC visibility push(default)
#define DONE(name)
#define REFUSED(name)                                                                                        \
    int name(void);                                                                                          \
    int name(void)                                                                                           \
    {                                                                                                        \
        static int said;                                                                                     \
        return nvml_refuse(#name, &said);                                                                    \
    }
#include "nvml_api.def"
#undef REFUSED
#undef DONE
#pragma GCC visibility pop
