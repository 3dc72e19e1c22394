/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler: queues, and what is ready to run.
 *
 * A stream is a queue whose entries are numbered; `completed` is the number of the last one done. An entry
 * may depend on (stream, number) pairs; it is ready when it heads its queue and all of them are completed.
 * Every ordering rule of CUDA is such a pair: an event waited for is the pair at which it was recorded; an
 * entry of the legacy default stream depends on the last entry of every blocking stream of its context, and
 * theirs on the last of the legacy stream. A pair that is not completed is a link, listed at the stream it
 * waits for; the entry counts its links. So nothing here takes longer because other streams have work.
 *
 * Ready streams stand in one list a priority, which the threads of driver_worker.c empty. A thread that
 * waits for a stream does cheap ready work of that stream itself, which saves two thread switches on every
 * small copy, and one that queues a small product in an empty stream computes it. One lock guards it all; it
 * is held for some ten nanoseconds at a time. */
#include "driver_scheduler.h"

#include "driver_order.h"

#include "driver_work.h"

#include "driver/clock/driver_clock.h"
#include "driver/core/driver_activity.h"

#include <stdlib.h>

enum { LEVELS = 6, SPARE_MOST = 256 }; /* LEVELS: priorities 0 to -5 */
/* Entries a stream holds before a call waits for some to be done. Source: what a launch loop shows on GPUs
 * since Kepler, about 1,024 pending launches. */
enum { PENDING_MOST = 1024 };
/* Implementation: how long a call waits for its entry under a tool that looks for races. */
#define SETTLE_NS UINT64_C(2000000000)

struct driver_link {
    struct driver_link *next; /* in stream->links */
    struct driver_op *op;     /* waits until `seq` is completed */
    uint64_t seq;
};
struct driver_op {
    struct driver_op *next; /* in its stream, or in `spare` */
    struct driver_work work;
    struct driver_stream *stream;
    uint64_t seq;
    uint32_t links;                               /* not completed */
    struct driver_timeline_entry *timeline_entry; /* reference; NULL: no virtual clock */
};

#define lock driver_scheduler_lock
atomic_uint driver_scheduler_ready;
static struct driver_stream *first_active, *last_active; /* streams with entries: references, oldest first */
static struct {
    struct driver_stream *first, *last;
} ready[LEVELS]; /* [0]: the most urgent */
static struct driver_op *spare;
static unsigned spare_count, watchers; /* watchers: threads that wait for all work */

/* ---- lists of streams, under the lock */

static void activate_locked(struct driver_stream *stream)
{
    if (stream->active) return;
    driver_object_ref(&stream->object);
    stream->active = true;
    stream->next_active = NULL;
    stream->previous_active = last_active;
    *(last_active ? &last_active->next_active : &first_active) = stream;
    last_active = stream;
}

/* Take an empty stream out of the list; the caller drops the list's reference without the lock. */
static void deactivate_locked(struct driver_stream *stream)
{
    struct driver_stream *next = stream->next_active, *previous = stream->previous_active;
    *(next ? &next->previous_active : &last_active) = previous;
    *(previous ? &previous->next_active : &first_active) = next;
    stream->active = false;
    if (!first_active && watchers) driver_worker_wake_sleepers();
}

static bool is_ready_locked(const struct driver_stream *stream)
{
    return !stream->running && !stream->parked && stream->head && stream->head->links == 0;
}

static void list_locked(struct driver_stream *stream)
{
    if (stream->listed || !is_ready_locked(stream)) return;
    int priority = stream->priority > 0 ? 0 : stream->priority < 1 - LEVELS ? 1 - LEVELS : stream->priority;
    stream->level = LEVELS - 1 + priority;
    stream->listed = true;
    stream->next_ready = NULL;
    stream->previous_ready = ready[stream->level].last;
    *(stream->previous_ready ? &stream->previous_ready->next_ready : &ready[stream->level].first) = stream;
    ready[stream->level].last = stream;
    atomic_fetch_add_explicit(&driver_scheduler_ready, 1, memory_order_relaxed);
}

static void unlist_locked(struct driver_stream *stream)
{
    if (!stream->listed) return;
    struct driver_stream *next = stream->next_ready, *previous = stream->previous_ready;
    *(next ? &next->previous_ready : &ready[stream->level].last) = previous;
    *(previous ? &previous->next_ready : &ready[stream->level].first) = next;
    stream->listed = false;
    atomic_fetch_sub_explicit(&driver_scheduler_ready, 1, memory_order_relaxed);
}

/* ---- entries */

static struct driver_op *op_new_locked(void)
{
    struct driver_op *op = spare;
    if (!op) return sw_xcalloc(1, sizeof *op);
    spare = op->next;
    spare_count--;
    op->next = NULL;
    return op;
}

static void op_free_locked(struct driver_op *op)
{
    if (spare_count == SPARE_MOST) {
        free(op);
        return;
    }
    op->next = spare;
    spare = op;
    spare_count++;
}

static uint64_t completed(const struct driver_stream *stream)
{
    return atomic_load_explicit(&stream->completed, memory_order_acquire);
}

/* Entries of other streams that waited for what is completed now. */
static void follow_links_locked(struct driver_stream *stream)
{
    struct driver_link **at = &stream->links, *link;
    while ((link = *at)) {
        if (link->seq > completed(stream)) {
            at = &link->next;
            continue;
        }
        *at = link->next;
        link->op->links--;
        list_locked(link->op->stream);
        free(link);
    }
}

/* Returns whether a thread sleeps that waited for this. */
static bool finish_head_locked(struct driver_stream *stream)
{
    struct driver_op *op = stream->head;
    stream->running = false;
    stream->head = op->next;
    if (!stream->head) stream->tail = NULL;
    atomic_store_explicit(&stream->completed, op->seq, memory_order_release);
    if (stream->links) follow_links_locked(stream);
    list_locked(stream);
    bool wakes = op->seq >= stream->wanted;
    if (wakes) stream->wanted = UINT64_MAX;
    op_free_locked(op);
    return wakes;
}

static unsigned parked; /* streams */

/* The head began something; it may be done, or the context may have failed, by now. */
static void park_locked(struct driver_stream *stream)
{
    struct driver_wait *wait = stream->head->work.wait;
    stream->running = false;
    stream->parked = !wait->over && atomic_load(&stream->context->fault) == CUDA_SUCCESS;
    parked += stream->parked;
    list_locked(stream);
}

static void unpark_locked(struct driver_stream *stream)
{
    stream->parked = false;
    parked--;
    list_locked(stream);
}

/* What an entry did may have made contexts fail: what was begun in them is dropped. */
static void unpark_failed_locked(const struct driver_stream *ran)
{
    if (!parked || !ran->context || atomic_load(&ran->context->fault) == CUDA_SUCCESS) return;
    for (struct driver_stream *s = first_active; s; s = s->next_active)
        if (s->parked && atomic_load(&s->context->fault) != CUDA_SUCCESS) unpark_locked(s);
}

/* Run the head of a ready stream; the lock is held on entry and exit, not while it runs. looks: this thread
 * looks for more afterwards. */
static void run_head_locked(struct driver_stream *stream, bool looks)
{
    struct driver_op *op = stream->head;
    unlist_locked(stream);
    stream->running = true;
    unsigned called = driver_worker_call_locked(false);
    pthread_mutex_unlock(&lock);
    driver_worker_wake(called);
    driver_clock_begin(op->timeline_entry);
    driver_order_begin(&op->work, stream, op->seq);
    driver_work_run(&op->work, stream);
    driver_order_end(&op->work, stream, op->seq);
    if (op->work.wait) {
        driver_clock_begin(NULL);
        pthread_mutex_lock(&lock);
        park_locked(stream);
        return;
    }
    driver_clock_done(op->timeline_entry);
    driver_work_release(&op->work);
    pthread_mutex_lock(&lock);
    unpark_failed_locked(stream);
    bool wakes = finish_head_locked(stream), empty = !stream->head;
    called = driver_worker_call_locked(looks);
    if (empty) deactivate_locked(stream);
    if (!empty && !wakes && !called) return;
    pthread_mutex_unlock(&lock);
    if (wakes) driver_worker_wake_sleepers();
    driver_worker_wake(called);
    if (empty) driver_object_unref(&stream->object);
    pthread_mutex_lock(&lock);
}

bool driver_scheduler_step_locked(void)
{
    for (int level = 0; level < LEVELS; level++)
        if (ready[level].first) {
            run_head_locked(ready[level].first, true);
            return true;
        }
    return false;
}

/* ---- ordering */

static bool is_cheap(const struct driver_op *op)
{
    return op->work.kind == DRIVER_WORK_NOTHING || op->work.kind == DRIVER_WORK_COPY ||
           op->work.kind == DRIVER_WORK_FILL || op->work.kind == DRIVER_WORK_RECORD ||
           driver_work_is_brief(&op->work) || driver_work_is_over(&op->work);
}

/* Entries that are queued now wait, perhaps through others, for what other queues begin. */
static bool is_together(const struct driver_stream *stream)
{
    return completed(stream) < stream->together;
}

static void follow_locked(struct driver_op *op, struct driver_stream *stream, uint64_t seq)
{
    if (completed(stream) >= seq) return;
    if (is_together(stream)) op->stream->together = op->seq;
    struct driver_link *link = sw_xmalloc(sizeof *link);
    *link = (struct driver_link){.next = stream->links, .op = op, .seq = seq};
    stream->links = link;
    op->links++;
}

/* By the program's order; both in reality and by the virtual clock. */
static void depend_locked(struct driver_op *op, struct driver_stream *stream, uint64_t seq)
{
    driver_clock_need_locked(op->timeline_entry, stream, seq);
    driver_order_after_locked(op->stream, op->seq, stream, seq);
    follow_locked(op, stream, seq);
}

static bool is_blocking(const struct driver_stream *stream)
{
    return !stream->legacy && !(stream->flags & CU_STREAM_NON_BLOCKING);
}

static void legacy_rule_locked(struct driver_op *op, struct driver_stream *stream)
{
    struct driver_context *context = stream->context;
    if (!context) return; /* a queue of ours */
    struct driver_stream *legacy = context->legacy;
    if (is_blocking(stream) && legacy) depend_locked(op, legacy, legacy->issued);
    if (!stream->legacy) return;
    driver_order_after_gone_locked(stream, op->seq);
    for (size_t i = 0; i < context->streams.count; i++) { /* done, maybe, but not yet by the clock */
        struct driver_stream *other = context->streams.at[i];
        if (!is_blocking(other)) continue;
        if (op->timeline_entry) driver_clock_need_locked(op->timeline_entry, other, other->issued);
        driver_order_after_locked(stream, op->seq, other, other->issued);
    }
    for (struct driver_stream *other = first_active; other; other = other->next_active)
        if (other->context == context && is_blocking(other)) follow_locked(op, other, other->issued);
}

/* What such a tool sees run one at a time. */
static bool is_serial(const struct driver_op *op)
{
    enum driver_work_kind kind = op->work.kind;
    if (!driver.tool) return false;
    if (kind == DRIVER_WORK_LAUNCH || kind == DRIVER_WORK_ROUTINE || kind == DRIVER_WORK_CHOICE ||
        kind == DRIVER_WORK_TAIL)
        return driver.tool->probes & EVENT_PROBE_COUNT || driver.tool->schedule.on;
    return driver.tool->schedule.on && (kind == DRIVER_WORK_COPY || kind == DRIVER_WORK_FILL);
}

/* Under a tool that counts, launches run one at a time in the order of their calls: what kernels of several
 * streams do to the same memory, and so every counter, is then the same in each run. Under one that compares
 * schedules so do copies and fills. Returns a reference that
 * is to be dropped without the lock. */
static struct driver_stream *serial_rule_locked(struct driver_op *op, struct driver_stream *stream)
{
    static struct driver_stream *last; /* of the launch before: a reference */
    static uint64_t last_seq;
    struct driver_stream *before = last;
    if (!is_serial(op) || driver_work_is_together(&op->work)) return NULL;
    if (before) follow_locked(op, before, last_seq);
    if (is_together(stream)) return NULL; /* what it waits for may come after others that would follow it */
    driver_object_ref(&stream->object);
    last = stream;
    last_seq = stream->issued + 1;
    return before;
}

/* At the end of its queue, with all that it comes after. Returns a reference that is to be dropped without
 * the lock, or NULL. */
static struct driver_stream *append_locked(struct driver_op *op, struct driver_stream *stream,
                                           const struct driver_dependency *extra, uint32_t extra_count)
{
    uint64_t seq = op->seq = stream->issued + 1;
    op->stream = stream;
    driver_order_add_locked(stream, seq);
    for (uint32_t i = 0; i < extra_count; i++)
        depend_locked(op, extra[i].stream, extra[i].seq);
    legacy_rule_locked(op, stream);
    if (driver_work_is_together(&op->work)) stream->together = seq;
    struct driver_stream *before = serial_rule_locked(op, stream);
    stream->issued = seq;
    driver_clock_add_locked(op->timeline_entry, stream, seq);
    if (stream->tail)
        stream->tail->next = op;
    else
        stream->head = op;
    stream->tail = op;
    activate_locked(stream);
    return before;
}

/* The lock is held from here on. */
static struct driver_op *op_lock(const struct driver_stream *stream, const struct driver_work *work)
{
    struct driver_timeline_entry *timeline_entry = driver_clock_ask(stream, work);
    const struct driver_caller *caller = driver_order_caller(work);
    pthread_mutex_lock(&lock);
    struct driver_op *op = op_new_locked();
    op->work = *work;
    op->work.caller = caller;
    op->work.correlation = driver_activity_correlation();
    op->timeline_entry = timeline_entry;
    return op;
}

uint64_t driver_scheduler_add(struct driver_stream *stream, const struct driver_work *work,
                              const struct driver_dependency *extra, uint32_t extra_count, bool caller_waits)
{
    struct driver_op *op = op_lock(stream, work);
    unsigned called = 0;
    struct driver_stream *before = append_locked(op, stream, extra, extra_count);
    uint64_t seq = op->seq;
    if (!caller_waits || !is_cheap(op) || !is_ready_locked(stream)) { /* else its thread does it soon */
        list_locked(stream);
        called = driver_worker_call_locked(false);
    }
    pthread_mutex_unlock(&lock);
    driver_worker_wake(called);
    driver_object_unref(before ? &before->object : NULL);
    return seq;
}

uint64_t driver_scheduler_run(struct driver_stream *stream, const struct driver_work *work)
{
    struct driver_op *op = op_lock(stream, work);
    unsigned called = 0;
    struct driver_stream *before = append_locked(op, stream, NULL, 0);
    uint64_t seq = op->seq;
    if (stream->head == op && is_ready_locked(stream)) {
        run_head_locked(stream, false);
    } else {
        list_locked(stream);
        called = driver_worker_call_locked(false);
    }
    pthread_mutex_unlock(&lock);
    driver_worker_wake(called);
    driver_object_unref(before ? &before->object : NULL);
    return seq;
}

void driver_scheduler_attach(struct driver_stream *stream)
{
    struct driver_work nothing = {.kind = DRIVER_WORK_NOTHING};
    pthread_mutex_lock(&lock);
    stream->index = stream->context->streams.count;
    stream->wanted = UINT64_MAX;
    *vec_push(&stream->context->streams) = stream;
    struct driver_dependency after = stream->context->after;
    if (after.stream) driver_object_ref(&after.stream->object);
    pthread_mutex_unlock(&lock);
    if (!after.stream) return;
    driver_scheduler_add(stream, &nothing, &after, 1, false);
    driver_object_unref(&after.stream->object);
}

uint32_t driver_scheduler_streams(struct driver_context *context, const struct driver_dependency *sets_after,
                                  struct driver_stream ***out)
{
    uint32_t count = 0;
    pthread_mutex_lock(&lock);
    struct driver_dependency before = context->after;
    *out = sw_xcalloc(context->streams.count + 1, sizeof **out);
    for (size_t i = 0; i < context->streams.count; i++)
        if (driver_object_try_ref(&context->streams.at[i]->object)) (*out)[count++] = context->streams.at[i];
    bool sets = sets_after && !context->closed;
    if (sets) {
        context->after = *sets_after;
        if (sets_after->stream) driver_object_ref(&sets_after->stream->object);
    }
    pthread_mutex_unlock(&lock);
    if (sets && before.stream) driver_object_unref(&before.stream->object);
    return count;
}

struct driver_stream *driver_scheduler_legacy(struct driver_context *context)
{
    pthread_mutex_lock(&lock);
    struct driver_stream *legacy = context->legacy;
    if (legacy) driver_object_ref(&legacy->object);
    pthread_mutex_unlock(&lock);
    return legacy;
}

void driver_scheduler_close_context(struct driver_context *context)
{
    pthread_mutex_lock(&lock);
    struct driver_dependency after = context->after; /* its stream may hold the context */
    context->after = (struct driver_dependency){0};
    context->closed = true;
    pthread_mutex_unlock(&lock);
    if (after.stream) driver_object_unref(&after.stream->object);
}

void driver_scheduler_detach(struct driver_stream *stream)
{
    pthread_mutex_lock(&lock);
    struct driver_context *context = stream->context;
    if (context->legacy == stream) context->legacy = NULL; /* work that is being queued asks for it */
    if (!stream->detached) {
        driver_order_gone_locked(stream);
        struct driver_stream *moved = context->streams.at[--context->streams.count];
        context->streams.at[stream->index] = moved;
        moved->index = stream->index;
        stream->detached = true;
    }
    pthread_mutex_unlock(&lock);
}

/* ---- entries that go on later */

struct driver_wait *driver_wait_new(struct driver_stream *stream)
{
    struct driver_wait *wait = sw_xcalloc(1, sizeof *wait);
    atomic_init(&wait->refs, 2);
    driver_object_ref(&stream->object);
    wait->stream = stream;
    wait->seq = completed(stream) + 1;
    return wait;
}

void driver_wait_unref(struct driver_wait *wait)
{
    if (atomic_fetch_sub(&wait->refs, 1) != 1) return;
    driver_object_unref(&wait->stream->object);
    free(wait);
}

void driver_wait_over(struct driver_wait *wait, int failure)
{
    struct driver_stream *stream = wait->stream;
    pthread_mutex_lock(&lock);
    wait->over = true;
    wait->failure = failure;
    if (stream->parked && stream->head->work.wait == wait) unpark_locked(stream);
    unsigned called = driver_worker_call_locked(false);
    pthread_mutex_unlock(&lock);
    driver_worker_wake(called);
    driver_wait_unref(wait);
}

void driver_wait_join(struct driver_wait *const *waits, uint32_t count)
{
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++) {
            struct driver_op *op = waits[i]->stream->head;
            if (!op || op->seq != waits[i]->seq || i == k) continue;
            driver_clock_need_locked(op->timeline_entry, waits[k]->stream, waits[k]->seq - 1);
            driver_clock_with_locked(op->timeline_entry, waits[k]->stream, waits[k]->seq);
            driver_order_after_locked(op->stream, op->seq, waits[k]->stream, waits[k]->seq - 1);
        }
    pthread_mutex_unlock(&lock);
}

/* ---- waiting */

static void wait_locked(struct driver_stream *stream, uint64_t seq)
{
    bool spun = false;
    while (completed(stream) < seq) {
        if (is_ready_locked(stream) && is_cheap(stream->head)) {
            run_head_locked(stream, false);
        } else if (!spun) {
            spun = true;
            pthread_mutex_unlock(&lock);
            driver_worker_spin(&stream->completed, seq);
            pthread_mutex_lock(&lock);
        } else {
            if (seq < stream->wanted) stream->wanted = seq;
            driver_worker_sleep_locked(0);
        }
    }
}

void driver_scheduler_wait(struct driver_stream *stream, uint64_t seq)
{
    bool checks = driver.tool && driver.tool->checks;
    if (completed(stream) >= seq && !checks) return;
    pthread_mutex_lock(&lock);
    wait_locked(stream, seq);
    driver_order_wait_locked(stream, seq);
    pthread_mutex_unlock(&lock);
    if (checks) engine_memory_judge(driver.engine);
}

void driver_scheduler_settle(struct driver_stream *stream, uint64_t seq)
{
    if (!driver_order_looks()) return;
    uint64_t deadline_ns = driver_now_ns() + SETTLE_NS;
    pthread_mutex_lock(&lock);
    bool stuck = completed(stream) < stream->stuck || is_together(stream);
    while (!stuck && completed(stream) < seq) {
        if (is_ready_locked(stream) && is_cheap(stream->head)) {
            run_head_locked(stream, false);
            continue;
        }
        if (seq < stream->wanted) stream->wanted = seq;
        driver_worker_sleep_locked(deadline_ns);
        stuck = driver_now_ns() >= deadline_ns;
    }
    if (stuck && completed(stream) < seq) stream->stuck = seq;
    pthread_mutex_unlock(&lock);
}

void driver_scheduler_has_space(struct driver_stream *stream)
{
    uint64_t done = completed(stream); /* first, so that it is not more than was issued */
    uint64_t issued = driver_scheduler_issued(stream);
    if (issued - done >= PENDING_MOST) driver_scheduler_wait(stream, issued - PENDING_MOST / 2);
    if (issued >= PENDING_MOST && driver_clock_is_virtual())
        driver_clock_wait(stream->context, driver_clock_entry(stream, issued - PENDING_MOST + 1), false);
}

bool driver_scheduler_done(struct driver_stream *stream, uint64_t seq)
{
    bool done = completed(stream) >= seq;
    if (!done || !(driver.tool && driver.tool->checks)) return done;
    pthread_mutex_lock(&lock);
    driver_order_wait_locked(stream, seq);
    pthread_mutex_unlock(&lock);
    return true;
}

uint64_t driver_scheduler_issued(struct driver_stream *stream)
{
    return atomic_load_explicit(&stream->issued, memory_order_acquire);
}

/* For the end of the process: does nothing of the work itself. */
bool driver_scheduler_wait_all_until(uint64_t deadline_ns)
{
    pthread_mutex_lock(&lock);
    watchers++;
    while (first_active && driver_now_ns() < deadline_ns)
        driver_worker_sleep_locked(deadline_ns);
    watchers--;
    bool left = first_active != NULL;
    pthread_mutex_unlock(&lock);
    return !left;
}

struct dependencies {
    VEC(struct driver_dependency) list;
};

/* Streams without entries, too: by the virtual clock theirs may not be over. */
static void add_listed_locked(const struct driver_context *context, struct dependencies *out)
{
    for (size_t i = 0; i < context->streams.count; i++) {
        struct driver_stream *s = context->streams.at[i];
        if (!s->active && driver_object_try_ref(&s->object))
            *vec_push(&out->list) = (struct driver_dependency){s, s->issued};
    }
}

/* Wait for what was issued so far to streams of one context, or of all (NULL). */
static void wait_active(const struct driver_context *context, bool by_clock)
{
    struct dependencies outstanding = {0};
    pthread_mutex_lock(&lock);
    if (by_clock && context) add_listed_locked(context, &outstanding);
    for (struct driver_stream *s = first_active; s; s = s->next_active) {
        bool its = !context || s->context == context || (s->context && s->context->root == context);
        if (!its) continue; /* of a primary context, its green contexts' too */
        driver_object_ref(&s->object);
        *vec_push(&outstanding.list) = (struct driver_dependency){s, s->issued};
    }
    for (size_t i = 0; i < outstanding.list.count; i++)
        wait_locked(outstanding.list.at[i].stream, outstanding.list.at[i].seq);
    if (context) driver_order_wait_all_locked(context);
    pthread_mutex_unlock(&lock);
    if (context) engine_memory_judge(driver.engine);
    for (size_t i = 0; i < outstanding.list.count; i++) {
        if (by_clock) driver_clock_wait_stream(outstanding.list.at[i].stream, outstanding.list.at[i].seq);
        driver_object_unref(&outstanding.list.at[i].stream->object);
    }
    vec_release(&outstanding.list);
}

void driver_scheduler_wait_context(struct driver_context *context)
{
    wait_active(context, driver_clock_is_virtual());
}

void driver_scheduler_wait_all(void)
{
    wait_active(NULL, false);
}
