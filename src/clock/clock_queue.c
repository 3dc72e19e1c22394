/* SPDX-License-Identifier: Apache-2.0 */
/* A resource of a device (a copy engine, the multiprocessors), and when which share of it is taken.
 *
 * Models: list scheduling with gap filling: work takes the first time at which its share is free for as long
 * as it lasts, whatever was scheduled before it. Kernels go before those of less priority, and before those
 * that came to wait later, though these were scheduled first: of a kernel that runs they get the CTA slots
 * when its blocks end, wave by wave. Does not model: work that is slowed down or delayed by work scheduled
 * later: its times were told, so what comes behind it is put off instead, by as much, until the device is
 * idle. Sources: tests/hw/h200/ overlap-1.csv, group priority; CUDA Programming Guide, "Overlapping
 * Behavior": what streams may do at once; order within a stream is the driver's. Spans that ended longest ago
 * are forgotten beyond MOST_SPANS, so that programs may go on for ever: as if nothing could begin before them
 * any more. */
#include "clock/clock.h"

#include <string.h>

enum { MOST_SPANS = 512 }; /* implementation: as above */

/* The most that is taken at any time in [start, end): it rises only where spans begin. */
static uint32_t most_taken(const struct clock_queue *queue, uint64_t start, uint64_t end, uint32_t enough)
{
    uint32_t most = 0;
    for (size_t i = 0; i <= queue->spans.count && most <= enough; i++) {
        uint64_t at = i < queue->spans.count ? queue->spans.at[i].start_ns : start;
        uint32_t sum = 0;
        if (at < start || (at >= end && at != start)) continue;
        for (size_t k = 0; k < queue->spans.count && queue->spans.at[k].start_ns <= at; k++)
            if (queue->spans.at[k].end_ns > at) sum += queue->spans.at[k].share;
        if (sum > most) most = sum;
    }
    return most;
}

uint64_t clock_queue_fit(const struct clock_queue *queue, uint64_t ready_ns, uint64_t duration_ns,
                         uint32_t share)
{
    uint32_t available = CLOCK_WHOLE - (share < CLOCK_WHOLE ? share : CLOCK_WHOLE);
    uint64_t at = ready_ns;
    while (most_taken(queue, at, at + duration_ns, available) > available) {
        uint64_t next = UINT64_MAX; /* room can only come where a span ends */
        for (size_t i = 0; i < queue->spans.count; i++)
            if (queue->spans.at[i].end_ns > at && queue->spans.at[i].end_ns < next)
                next = queue->spans.at[i].end_ns;
        at = next;
    }
    return at;
}

static void forget_oldest(struct clock_queue *queue)
{
    size_t oldest = 0;
    for (size_t i = 1; i < queue->spans.count; i++)
        if (queue->spans.at[i].end_ns < queue->spans.at[oldest].end_ns) oldest = i;
    queue->spans.count--;
    memmove(&queue->spans.at[oldest], &queue->spans.at[oldest + 1],
            (queue->spans.count - oldest) * sizeof *queue->spans.at);
}

static void queue_take(struct clock_queue *queue, const struct clock_span *span)
{
    if (span->end_ns <= span->start_ns || span->share == 0) return;
    if (queue->spans.count == MOST_SPANS) forget_oldest(queue);
    vec_push(&queue->spans);
    size_t i = queue->spans.count - 1;
    for (; i > 0 && queue->spans.at[i - 1].start_ns > span->start_ns; i--)
        queue->spans.at[i] = queue->spans.at[i - 1];
    queue->spans.at[i] = *span;
}

void clock_queue_take(struct clock_queue *queue, uint64_t start_ns, uint64_t end_ns, uint32_t share)
{
    queue_take(queue, &(struct clock_span){.start_ns = start_ns, .end_ns = end_ns, .share = share});
}

/* ---- kernels */

/* Until when what is there holds its CTA slots, though the kernel waits. */
static uint64_t held_until(const struct clock_span *span, const struct clock_span *kernel)
{
    bool later = span->priority == kernel->priority && span->ready_ns > kernel->ready_ns;
    if (span->priority >= kernel->priority && !later) return span->end_ns;
    if (span->start_ns >= kernel->ready_ns) return span->start_ns;
    uint64_t wave = span->wave_ns ? span->wave_ns : span->end_ns - span->start_ns;
    uint64_t begin = span->start_ns + span->lead_ns,
             waves = kernel->ready_ns > begin ? (kernel->ready_ns - begin + wave - 1) / wave : 1,
             until = begin + waves * wave;
    return until < span->end_ns ? until : span->end_ns;
}

/* When all work of the queue has ended, no work is deferred any more. */
static void queue_drop_deferred(struct clock_queue *queue, uint64_t ready_ns)
{
    size_t left = 0;
    for (size_t i = 0; i < queue->spans.count; i++)
        if (!queue->spans.at[i].deferred && queue->spans.at[i].end_ns > ready_ns) return;
    for (size_t i = 0; i < queue->spans.count; i++)
        if (!queue->spans.at[i].deferred) queue->spans.at[left++] = queue->spans.at[i];
    queue->spans.count = left;
}

uint64_t clock_queue_fit_kernel(struct clock_queue *queue, const struct clock_span *kernel,
                                uint64_t duration_ns)
{
    struct clock_span left[MOST_SPANS];
    queue_drop_deferred(queue, kernel->ready_ns);
    struct clock_queue held = {.spans = {.at = left}};
    for (size_t i = 0; i < queue->spans.count; i++) {
        struct clock_span span = queue->spans.at[i];
        span.end_ns = held_until(&span, kernel);
        if (span.end_ns > span.start_ns) left[held.spans.count++] = span;
    }
    return clock_queue_fit(&held, kernel->ready_ns, duration_ns, kernel->share);
}

void clock_queue_take_kernel(struct clock_queue *queue, const struct clock_span *kernel)
{
    uint64_t start = kernel->start_ns, end = kernel->end_ns;
    uint32_t taken = most_taken(queue, start, end, UINT32_MAX / 2) + kernel->share;
    struct clock_span deferred = {.priority = kernel->priority, .deferred = true};
    for (size_t i = 0; i < queue->spans.count && taken > CLOCK_WHOLE; i++) {
        const struct clock_span *span = &queue->spans.at[i];
        if (span->start_ns >= end || span->end_ns <= start || held_until(span, kernel) == span->end_ns)
            continue;
        if (span->end_ns > deferred.start_ns) deferred.start_ns = span->end_ns;
        if (span->priority < deferred.priority) deferred.priority = span->priority;
        deferred.wave_ns = span->wave_ns;
    }
    queue_take(queue, kernel);
    if (!deferred.start_ns) return;
    deferred.share = taken - CLOCK_WHOLE < kernel->share ? taken - CLOCK_WHOLE : kernel->share;
    deferred.start_ns = clock_queue_fit(queue, deferred.start_ns, end - start, deferred.share);
    deferred.end_ns = deferred.start_ns + end - start;
    queue_take(queue, &deferred);
}

uint64_t clock_queue_busy(const struct clock_queue *queue, uint64_t start_ns, uint64_t end_ns)
{
    uint64_t busy = 0, from = start_ns;
    for (size_t i = 0; i < queue->spans.count; i++) {
        uint64_t begin = queue->spans.at[i].start_ns, end = queue->spans.at[i].end_ns;
        begin = begin > from ? begin : from;
        end = end < end_ns ? end : end_ns;
        if (end <= begin) continue;
        busy += end - begin;
        from = end;
    }
    return busy;
}

void clock_queue_release(struct clock_queue *queue)
{
    vec_release(&queue->spans);
}
