/* SPDX-License-Identifier: Apache-2.0 */
/* driver: which function the program called, and where from (driver_caller.c). */
#ifndef DRIVER_CALLER_H
#define DRIVER_CALLER_H

struct driver_caller {
    const char *api;   /* "cudaMalloc"; "": not known */
    const char *where; /* "/folder/program+0x1a2b"; "": not known */
};
/* Of the call that this thread is in, with stub: through this function of the program, which the compiler
 * made for a kernel, and which is no caller that a person knows; NULL: none. Lives as long as the process.
 * NULL: a thread of ours. Walks the stack: microseconds, so for tools alone. */
const struct driver_caller *driver_caller_find(const void *stub);
#endif
