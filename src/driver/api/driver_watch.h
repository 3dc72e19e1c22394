/* SPDX-License-Identifier: Apache-2.0 */
/* driver: the exported functions (driver_watch.c). */
#ifndef DRIVER_WATCH_H
#define DRIVER_WATCH_H

#include <stdbool.h>

extern bool driver_watched; /* they call what they would jump to */
extern bool driver_framed;  /* ... because somebody wants to know who called */
/* In a function of driver_api.def: where it returns to in the program; through the exported one, which has a
 * frame pointer, if that calls it. */
#define DRIVER_WATCH_CALLER() (driver_framed ? __builtin_return_address(1) : __builtin_return_address(0))

/* From now on their frames stand on the stack, and their errors are told (driver_entry_failed), while the
 * session's tool or a profiler in this process wants that (driver_activity.h). */
void driver_watch_activity(void);
#endif
