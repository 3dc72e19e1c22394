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

/* Of a launch: `where` is the places of its first callers, innermost first, with a line end between them.
 * Those of stubs may be among them, which compilers make in several parts: their names tell. */
const struct driver_caller *driver_caller_of_launch(void);

/* Of the program's own access by the instruction at pc, in the handler of its fault; api is "host code".
 * NULL: a call of ours makes it. */
const struct driver_caller *driver_caller_of_access(const void *pc);

/* Without a tool, memory remembers at least the address to which the runtime library's function returns that
 * made it. That finds the function by cuGetProcAddress as DRIVER_CALLED_FROM and tells it before it asks for
 * memory, or NULL where none was made; driver_caller_taken is that address, once. */
typedef void driver_called_from_fn(const void *address);
driver_called_from_fn driver_called_from;
#define DRIVER_CALLED_FROM "softwarpCalledFrom"
const void *driver_caller_taken(void);
/* "/folder/program+0x1a2b" of such an address; free it. */
char *driver_caller_place(const void *address);
#endif
