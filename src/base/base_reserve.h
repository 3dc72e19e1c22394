/* SPDX-License-Identifier: Apache-2.0 */
/* What happens when malloc has no memory for our own small data. A library that has begun a reserve finishes
 * the calls that are under way from it, and then refuses others until there is memory again
 * (sw_memory_is_short). Without a reserve, or where that does not suffice, the process ends with a line that
 * says so and the exit status of "out of memory" (base_status.def): no call of ours can go on halfway. */
#ifndef BASE_RESERVE_H
#define BASE_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

/* Only in a library that is linked with --wrap=free (cmake/Products.cmake), whose memory no other one frees.
 * begins: called, by any thread with any lock, when the reserve is used. */
void sw_reserve_begin(void (*begins)(void));

/* Was the reserve used since there was last memory? If so, looks whether there is memory again. */
bool sw_memory_is_short(void);
bool sw_memory_was_short(void); /* without a look */

/* For the malloc family of base_arena.h; NULL: nothing is left, or no reserve was begun. */
void *sw_reserve_take(size_t bytes);
/* Bytes of a block of the reserve; 0: it is of malloc's. */
size_t sw_reserve_bytes(const void *memory);

_Noreturn void sw_out_of_memory(size_t bytes); /* 0: it is not known how many */
#endif
