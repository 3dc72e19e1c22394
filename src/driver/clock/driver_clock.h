/* SPDX-License-Identifier: Apache-2.0 */
/* driver: the virtual clock (driver_clock.c); nothing, and the real time, where the tool has none. */
#ifndef DRIVER_CLOCK_H
#define DRIVER_CLOCK_H

#include "driver/core/driver_queue.h"
#include "event/event_activity.h"
#include "event/event_clock.h"
#include "event/event_launch.h"
#include "event/event_operation.h"

bool driver_clock_is_virtual(void);
uint64_t driver_clock_ns(void); /* of the calling host thread; or the real time */
/* Some thread may know that what ended then is over, and have told the caller, whose time it is now at least.
 */
bool driver_clock_notice(uint64_t end_ns);
/* A call costs the calling thread time. context: NULL for the first device's. */
void driver_clock_call(const struct driver_context *context, enum event_call call, uint64_t bytes);
/* A new entry: asked for, what it comes after, and its place in its stream (under the scheduler's lock, which
 * orders them). NULL: no virtual clock. */
struct driver_timeline_entry *driver_clock_ask(const struct driver_stream *stream,
                                               const struct driver_work *work);
/* Entry `seq` of the stream begins at the same time. */
void driver_clock_with_locked(struct driver_timeline_entry *timeline_entry,
                              const struct driver_stream *stream, uint64_t seq);
void driver_clock_need_locked(struct driver_timeline_entry *timeline_entry,
                              const struct driver_stream *stream, uint64_t seq);
void driver_clock_add_locked(struct driver_timeline_entry *timeline_entry, struct driver_stream *stream,
                             uint64_t seq);
struct driver_timeline_entry *driver_clock_entry(const struct driver_stream *stream,
                                                 uint64_t seq); /* reference */
struct driver_timeline_entry *
driver_timeline_entry_get(struct driver_timeline_entry *timeline_entry); /* another */
void driver_timeline_entry_put(struct driver_timeline_entry *timeline_entry);
void driver_clock_forget_stream(struct driver_stream *stream);
/* The calling thread runs the entry: what it turns out to be becomes part of its timeline entry. _done drops
 * the entry's reference. */
void driver_clock_begin(struct driver_timeline_entry *timeline_entry);
void driver_clock_done(struct driver_timeline_entry *timeline_entry);
bool driver_clock_operation(const struct driver_stream *stream, const struct event_operation *operation);
/* activity: for who listens; NULL: nobody. Of its CTA slots on the device a launch takes that share, above 1
 * wave by wave; its own timers went on so far. early: it need not wait for the kernel before it in its
 * stream, if that one lets it. */
void driver_clock_launch(const struct driver_stream *stream, const struct event_launch *launch,
                         const struct event_activity_launch *activity, double share, uint64_t least_ns,
                         bool early, bool of_graph);
/* What a kernel launched: the next part of the running entry comes after those parts, and all until the next
 * call of this belong to the grid of part `parent`. NULL: ordinary parts again. */
struct driver_parts { /* from 1 */
    uint32_t count, at[6];
    bool all; /* there were more: all parts so far */
};
void driver_clock_child(uint32_t parent, const struct driver_parts *after);
/* The next part begins later by that. */
void driver_clock_delay(const struct driver_stream *stream, enum event_call call);
uint32_t driver_clock_parts(void); /* so many parts the running entry has */
struct driver_timeline_entry *
driver_clock_running(void); /* of the entry that this thread runs; no reference */
/* When that entry begins, as far as what it waits for says. */
uint64_t driver_clock_start(struct driver_timeline_entry *timeline_entry);
/* These take over the reference. The calling thread's time goes on to its end, and notices it. */
void driver_clock_wait(const struct driver_context *context, struct driver_timeline_entry *timeline_entry,
                       bool notices);
bool driver_clock_is_over(struct driver_timeline_entry *timeline_entry); /* for the calling thread */
uint64_t driver_clock_end(
    struct driver_timeline_entry *timeline_entry); /* UINT64_MAX: it still runs and may wait for the host */
void driver_clock_wait_stream(struct driver_stream *stream, uint64_t seq);
#endif
