/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the C library that fail on purpose: exhaust_inject.c. A program that is linked to it arms it by
 * inject_arm; any other program loads it by LD_PRELOAD, and INJECT_... in the environment arm it. */
#ifndef EXHAUST_INJECT_H
#define EXHAUST_INJECT_H

#include <stdbool.h>

enum inject_kind {                     /* or-ed */
                   INJECT_HEAP = 1,    /* malloc and its relatives: ENOMEM */
                   INJECT_MAPS = 2,    /* mmap: ENOMEM */
                   INJECT_THREADS = 4, /* pthread_create: EAGAIN */
                   INJECT_WRITES =
                       8, /* write, pwrite, ftruncate, fallocate: ENOSPC; not those inside of the C library */
                   INJECT_FILES = 16, /* open, memfd_create, mkstemp, pipe, socket: EMFILE */
                   INJECT_COMPILER =
                       32 /* instead of calls of Softwarp's, those of LLVM's and the C++ library's */
};

/* From now on call `at` (from 1) of these kinds fails, or, with `on`, all from it on. 0: none, only counted.
 */
void inject_arm(unsigned kinds, unsigned long at, bool on);
void inject_disarm(void);
unsigned long inject_seen(void); /* calls since it was armed */
#endif
