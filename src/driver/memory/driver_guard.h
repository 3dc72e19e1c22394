/* SPDX-License-Identifier: Apache-2.0 */
/* driver: memory of the host, pinned and managed, that an entry of a queue accessed and of which the host
 * does not know yet that it may (driver_guard.c). For a tool that looks for races; nothing happens otherwise.
 */
#ifndef DRIVER_GUARD_H
#define DRIVER_GUARD_H

#include "driver_memory.h"

struct driver_guard {
    uint64_t stream, seq; /* the entry */
    dev_addr address;
    uint64_t bytes;
    bool writes; /* the entry does; otherwise the host may read */
};
/* The host's own thread accesses guarded memory; pc: the instruction. In a handler of SIGSEGV. */
typedef void driver_guard_fn(dev_addr address, bool writes, const void *pc);
/* Is this thread, which accesses guarded memory, the library's own business? */
typedef bool driver_guard_inside_fn(void);

void driver_guard_begin(driver_guard_fn *touched, driver_guard_inside_fn *inside); /* once */
/* Guards whole pages of host memory of ours within the range; parts of pages only where no other allocation
 * or part of this one lies there. */
void driver_guard_add(const struct driver_guard *guard);
/* The host knows that entries of a stream up to this one are done. */
void driver_guard_pass(uint64_t stream, uint64_t seq);
void driver_guard_drop(dev_addr base, uint64_t bytes); /* the memory goes */
/* The library accessed guarded memory itself, on some thread, and is done: guards hold again. */
void driver_guard_renew(void);
#endif
