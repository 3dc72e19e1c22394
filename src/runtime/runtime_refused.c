/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what NVIDIA's runtime library exports and this one does not do: each such function says so once,
 * by name, and returns cudaErrorNotSupported. Method: bodies made from runtime_api.def. This file does not
 * see cuda_runtime_api.h: a body that reads no parameter is right for any list of them under the C calling
 * convention of x86-64 and AArch64. Limits: functions that return something else than an error code are none
 * of these. */
int rt_refuse(const char *name, int *said); /* runtime_error.c */

#pragma GCC visibility push(default)
#define DONE(name)
#define REFUSED(name)                                                                                        \
    int name(void);                                                                                          \
    int name(void)                                                                                           \
    {                                                                                                        \
        static int said;                                                                                     \
        return rt_refuse(#name, &said);                                                                      \
    }
#include "runtime/runtime_api.def"
#undef REFUSED
#undef DONE
#pragma GCC visibility pop
