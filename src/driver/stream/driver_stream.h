/* SPDX-License-Identifier: Apache-2.0 */
/* driver: streams (driver_stream.c), and the scheduler, which runs what they hold (driver_scheduler.c). */
#ifndef DRIVER_STREAM_H
#define DRIVER_STREAM_H

#include "driver/core/driver_queue.h"

CUresult driver_stream_new(struct driver_context *context, unsigned flags, int priority,
                           struct driver_stream **out);
/* With a handle; the priority is brought into range. */
CUresult driver_stream_create(CUstream *out, struct driver_context *context, unsigned flags, int priority);
/* A stream that every context, or every thread in it, has. */
CUresult driver_stream_default_new(struct driver_context *context, bool legacy, struct driver_stream **out);
/* A queue of ours that the legacy stream does not wait for; in reports it goes by `ordinal`. */
struct driver_stream *driver_stream_aside(struct driver_context *context, int priority, unsigned ordinal);
/* A reference to the stream a handle means (0, legacy, per thread, or made), and the context that was
 * checked. */
CUresult driver_stream_get(CUstream handle, struct driver_stream **out);
void driver_stream_put(struct driver_stream *stream);
CUresult driver_stream_wait(struct driver_stream *stream); /* all work issued so far; sticky error */
CUresult driver_context_wait(struct driver_context *context);
extern _Thread_local int driver_per_thread; /* >0: the null stream means the per-thread one */

/* Is there a thread that runs what is queued? Makes the first; false: the host lets us have none. */
bool driver_worker_first(void);
/* Queue it; the work now belongs to the queue. Returns its number in the stream. */
uint64_t driver_scheduler_add(struct driver_stream *stream, const struct driver_work *work,
                              const struct driver_dependency *extra, uint32_t extra_count, bool caller_waits);
/* The same, and runs it, if nothing comes before it. */
uint64_t driver_scheduler_run(struct driver_stream *stream, const struct driver_work *work);
void driver_scheduler_wait(struct driver_stream *stream, uint64_t seq);
bool driver_scheduler_done(struct driver_stream *stream, uint64_t seq);
uint64_t driver_scheduler_issued(struct driver_stream *stream);
/* Under a tool that looks for races, so that entries run in the order of the calls where nothing keeps them
 * from it: returns when it is done, or after a while. The host does not know more by that. */
void driver_scheduler_settle(struct driver_stream *stream, uint64_t seq);
/* Wait while the stream holds as many entries as a GPU's queue would. No lock may be held. */
void driver_scheduler_has_space(struct driver_stream *stream);
void driver_scheduler_attach(struct driver_stream *stream); /* list it in its context */
/* References to the streams of a context and, with sets_after, what streams to come will start after. Returns
 * how many; *out: malloc'ed. */
uint32_t driver_scheduler_streams(struct driver_context *context, const struct driver_dependency *sets_after,
                                  struct driver_stream ***out);
void driver_scheduler_detach(struct driver_stream *stream);
/* A reference to the context's legacy stream; NULL: the context ended. */
struct driver_stream *driver_scheduler_legacy(struct driver_context *context);
/* The context ends: streams to come wait for nothing, and nothing can make them wait any more. */
void driver_scheduler_close_context(struct driver_context *context);
void driver_scheduler_wait_context(struct driver_context *context);
void driver_scheduler_wait_all(void);
bool driver_scheduler_wait_all_until(uint64_t deadline_ns); /* of driver_now_ns; false: work is left */

/* What an entry that runs began goes on without a thread: `run` of it is called again when driver_wait_over
 * was. Two references. */
struct driver_wait *driver_wait_new(struct driver_stream *stream);
void driver_wait_unref(struct driver_wait *wait);
void driver_wait_over(struct driver_wait *wait, int failure); /* and drops a reference */
/* What these entries do they do at the same time, after all that came before each. */
void driver_wait_join(struct driver_wait *const *waits, uint32_t count);

void driver_at_exit(void); /* (again) arrange for the tool's end; later registrations run first */

/* Queue work on a stream, or record it in the graph the stream is captured into. With wait: until it is done.
 */
CUresult driver_submit(struct driver_stream *stream, struct driver_work *work, bool wait);
#endif
