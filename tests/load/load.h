/* SPDX-License-Identifier: Apache-2.0 */
/* What the load tests share. They end with exit code 1 and a line on stderr at the first thing that is wrong.
 */
#ifndef LOAD_H
#define LOAD_H

#include "driver_program.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(condition, ...)                                                                                \
    do {                                                                                                     \
        if (condition) break;                                                                                \
        fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                                      \
        fprintf(stderr, __VA_ARGS__);                                                                        \
        fputc('\n', stderr);                                                                                 \
        _exit(1);                                                                                            \
    } while (0)

#ifdef __SANITIZE_THREAD__
enum { SLOW = 50 }; /* times fewer */
#else
enum { SLOW = 1 };
#endif

/* add: one thread adds 1 to *at. wait: until *at is not 0. empty. work: add, after so many rounds. */
static const char load_ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry add(.param .u64 at)\n{\n"
    "    .reg .b64 %d<2>; ld.param.u64 %d1, [at]; red.global.add.u32 [%d1], 1; ret;\n}\n"
    ".visible .entry wait(.param .u64 at)\n{\n"
    "    .reg .b64 %d<2>; .reg .b32 %r<2>; .reg .pred %p; ld.param.u64 %d1, [at];\n"
    "AGAIN:\n    ld.volatile.global.u32 %r1, [%d1]; setp.eq.u32 %p, %r1, 0; @%p bra AGAIN; ret;\n}\n"
    ".visible .entry empty()\n{\n    ret;\n}\n"
    ".visible .entry work(.param .u64 at, .param .u32 rounds)\n{\n"
    "    .reg .b64 %d<2>; .reg .b32 %r<3>; .reg .pred %p, %q; ld.param.u64 %d1, [at]; ld.param.u32 %r1, "
    "[rounds];\n"
    "    mov.u32 %r2, %ctaid.x;\n"
    "AGAIN:\n    mad.lo.u32 %r2, %r2, 1664525, 1013904223; sub.u32 %r1, %r1, 1; setp.ne.u32 %p, %r1, 0;\n"
    "    @%p bra AGAIN;\n    setp.eq.u32 %q, %r2, 3; @%q add.u64 %d1, %d1, 4;\n"
    "    red.global.add.u32 [%d1], 1; ret;\n}\n";

static inline double load_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Bytes of memory that this process has now. */
static inline long load_resident(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld %ld", &pages, &resident) == 2, "no /proc/self/statm");
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

static inline CUfunction load_function(CUmodule module, const char *name)
{
    CUfunction function;
    OK(cuModuleGetFunction(&function, module, name));
    return function;
}

/* The primary context of a device, current in this thread. */
static inline CUcontext load_context(int device)
{
    CUcontext context;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    return context;
}
#endif
