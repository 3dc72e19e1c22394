/* SPDX-License-Identifier: Apache-2.0 */
/* driver: a profiler in this process that listens (driver_activity.c); nothing where none does. */
#ifndef DRIVER_ACTIVITY_H
#define DRIVER_ACTIVITY_H

#include "event/event_activity.h"
#include "event/event_launch.h"
#include "event/event_nvtx.h"
#include "event/event_operation.h"

bool driver_activity_on(void);
/* The calling thread's outermost call; 0: in none, or nobody listens. */
uint32_t driver_activity_correlation(void);
void driver_activity_begin(struct event_activity_call *call);
void driver_activity_end(const struct event_activity_call *call);
void driver_activity_operation(const struct event_operation *operation);
void driver_activity_launch(const struct event_activity_launch *launch);
/* What both records have. */
void driver_activity_of(const struct event_launch *event, struct event_activity_launch *out);
const char *driver_activity_name(const char *kernel); /* the same text, as long as the process lives */
/* Ranges of NVTX that are open in the calling thread; NULL: none. */
const struct event_nvtx *driver_activity_nvtx(void);
void driver_activity_open_ranges(event_nvtx_open_fn *open);
/* Flags that are set while somebody listens, or the session's tool wants to know who called. */
void driver_activity_watch(bool *watched);
void driver_activity_refresh(void);          /* sets them as they should be */
void driver_activity_tool(bool wants_calls); /* once it is open, or there is none */
void driver_activity_listen(const struct event_activity_listener *listener);
/* For cuGetProcAddress; NULL: it is none of these names. */
const void *driver_activity_symbol(const char *name);
#endif
