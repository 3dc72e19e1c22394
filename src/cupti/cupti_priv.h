/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of CUPTI share.
 *
 * The driver tells of calls and of work (event_activity.h): callbacks go to the subscriber
 * (cupti_callback.c), records of the kinds that are enabled are kept (cupti_record.c) until they are written
 * to the program's buffers (cupti_buffer.c), on its own threads. */
#ifndef CUPTI_PRIV_H
#define CUPTI_PRIV_H

#include "base/base.h"
#include "event/event_activity.h"
#include "event/event_operation.h"

#include <cupti.h>

#include <stdatomic.h>
#include <stdbool.h>

#define CUPTI_EXPORT __attribute__((visibility("default")))

/* cupti_driver.c: Softwarp's driver; NULL: it is another's, which is said once. */
const struct event_activity_driver *cupti_driver(void);
extern const struct event_activity_listener *cupti_listener; /* cupti_listen.c */
CUptiResult cupti_listen(void);                              /* from now on */
CUptiResult cupti_result(CUptiResult is); /* remembers failures for cuptiGetLastError; returns it */
extern _Thread_local bool
    cupti_inside; /* this thread is in a callback of the program's: its calls do not count */
uint64_t cupti_ns(uint64_t driver_ns); /* cupti_time.c: the driver's time as records have it */
bool cupti_current_context(CUcontext *context, uint32_t *id); /* false: there is none */

/* cupti_names.c: the number of a function by its exported name; 0: none. */
const char *cupti_plain(const char *function); /* as programs write it */
uint32_t cupti_number(enum event_activity_api api, const char *function);
const char *cupti_number_name(enum event_activity_api api, uint32_t number); /* NULL: none */
#define CUPTI_NUMBERS 1024                                                   /* more than both APIs have */

/* cupti_params.c: a call's parameters as a structure of C; false: not of this function. */
struct cupti_params {
    uint64_t bytes[16];
};
bool cupti_params_of(const struct event_activity_call *call, struct cupti_params *out);

/* cupti_callback.c */
void cupti_callback_begin(const struct event_activity_call *call, uint32_t number);
void cupti_callback_end(const struct event_activity_call *call, uint32_t number);

/* cupti_record.c: nothing for kinds that are not enabled. */
bool cupti_kind_enabled(CUpti_ActivityKind kind);
void cupti_record_call_begins(const struct event_activity_call *call, uint32_t number);
void cupti_record_call_ends(const struct event_activity_call *call, uint32_t number);
void cupti_record_operation(const struct event_operation *operation);
void cupti_record_launch(const struct event_activity_launch *launch);
uint32_t cupti_record_bytes(CUpti_ActivityKind kind); /* 0: there are no records of this kind */
uint32_t cupti_thread(void);                          /* the calling one, in records */

/* cupti_external.c: a record for each kind of id that the thread has pushed. */
void cupti_external_record(uint32_t correlation);

/* cupti_buffer.c */
void cupti_buffer_add(const void *record, uint32_t bytes);
void cupti_buffer_relieve(void); /* on a thread of the program's: writes them, if there are many */
#endif
