/* SPDX-License-Identifier: Apache-2.0 */
/* driver: routines of libraries as entries of queues (driver_routine.c). */
#ifndef DRIVER_ROUTINE_H
#define DRIVER_ROUTINE_H

#include "driver/core/driver_queue.h"
#include "event/event_routine.h"

event_routine_submit_fn driver_routine_submit;
/* When it is queued: its number among the launches of the process, and whether the tool wants it. */
void driver_routine_number(struct driver_work *work, bool of_graph);
void driver_routine_define(void); /* by driver_init.c */
#endif
