/* SPDX-License-Identifier: Apache-2.0 */
/* What a library of ours says of each call of a program LIBRARY_times.cu (struct event_routine), for
 * tests/unit/timing/test_timing_recorded.c: preloaded into it, where nothing is then computed.
 *
 *   cc -shared -fPIC -Isrc -o routines.so tests/hw/libraries/routines.c
 *   LD_PRELOAD=./routines.so softwarp run ./times | tests/hw/libraries/times.py routines TSV >
 * LIBRARY-routines.tsv
 *
 * MEASURE in the environment: what is known only when the operands are there, too, for which it computes. */
#define _GNU_SOURCE
#include "event/event_routine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long number;
typedef int get_fn(const char *, void **, int, unsigned long long, void *);
typedef int synchronize_fn(void);

static event_routine_submit_fn *real_submit;

static void *driver_function(const char *name)
{
    static void *driver;
    if (!driver) driver = dlopen("libcuda.so.1", RTLD_NOW);
    return driver ? dlsym(driver, name) : NULL;
}

static int submit(void *stream, const struct event_routine_work *work)
{
    struct event_routine r = work->what;
    synchronize_fn *synchronize = (synchronize_fn *)driver_function("cuCtxSynchronize");
    if (getenv("MEASURE") && work->measure && synchronize() == 0) work->measure(work->args, &r);
    printf("R %d %d %d %d %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu\n", r.kind, r.math, r.method,
           r.aligned_bytes, (number)r.m, (number)r.n, (number)r.k, (number)r.batch, (number)r.kernels,
           (number)r.gathered, (number)r.steps, (number)r.flops, (number)r.read_bytes, (number)r.wrote_bytes);
    return getenv("MEASURE") ? real_submit(stream, work) : 0;
}

int cuGetProcAddress_v2(const char *name, void **out, int version, unsigned long long flags, void *status);
int cuGetProcAddress_v2(const char *name, void **out, int version, unsigned long long flags, void *status)
{
    get_fn *real = (get_fn *)driver_function("cuGetProcAddress_v2");
    int result = real(name, out, version, flags, status);
    if (result == 0 && strcmp(name, EVENT_ROUTINE_SYMBOL) == 0) {
        event_routine_submit_fn *ours = submit;
        memcpy(&real_submit, out, sizeof real_submit);
        memcpy(out, &ours, sizeof ours);
    }
    return result;
}
