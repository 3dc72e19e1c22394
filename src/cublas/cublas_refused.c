/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what NVIDIA's library exports and this one does not do: each such function says so once, by name,
 * and returns CUBLAS_STATUS_NOT_SUPPORTED. Method: bodies made from cublas_api.def. This file does not see
 * cublas_v2.h: a body that reads no parameter is right for any list of them under the C calling convention of
 * x86-64 and AArch64. Limits: functions that return something else than a status (those of 2007's interface)
 * return its number. */
void cublas_say(const char *function, const char *why); /* cublas_handle.c */

enum { NOT_SUPPORTED = 15 };

#pragma GCC visibility push(default)
#define DONE(name)
#define REFUSED(name)                                                                                        \
    int name(void);                                                                                          \
    int name(void)                                                                                           \
    {                                                                                                        \
        cublas_say(#name, "");                                                                               \
        return NOT_SUPPORTED;                                                                                \
    }
#include "cublas/cublas_api.def"
#undef REFUSED
#undef DONE
#pragma GCC visibility pop
