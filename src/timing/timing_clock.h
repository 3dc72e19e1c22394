/* SPDX-License-Identifier: Apache-2.0 */
/* timing: the virtual clock. What copies and calls take (timing_copy.c), who has which part of a device when
 * (timing_queue.c), and both together as the driver asks (timing_clock.c). */
#ifndef TIMING_TIMING_CLOCK_H
#define TIMING_TIMING_CLOCK_H

#include "arch/arch.h"
#include "event/event_clock.h"

/* ---- timing_copy.c */
/* Of a GPU's [time], with every curve given: those that its file lacks follow from PCIe and DRAM. */
struct arch_time timing_parameters(const struct arch_gpu *gpu);
uint64_t
timing_link_rate(const struct arch_gpu *gpu); /* of PCIe a way, bytes a microsecond, heads included */
uint64_t timing_curve(const struct arch_curve *curve, uint64_t bytes); /* ns */
/* A copy, fill, migration or prefetch with nothing beside it. */
uint64_t timing_copy_ns(const struct arch_time *time, const struct event_work *work);
uint64_t timing_call_ns(const struct arch_time *time, enum event_call call, uint64_t bytes);

/* ---- timing_queue.c: a resource, and when which share of it is taken */
enum { TIMING_WHOLE = 1000000 }; /* definition: shares count in millionths */
struct timing_span {
    uint64_t start_ns, end_ns;
    uint32_t share;
    int32_t priority;
    bool owed;         /* no work, but as much as was put off */
    uint64_t ready_ns; /* when it might have begun */
    uint64_t lead_ns,
        wave_ns; /* from the start to its first blocks; how long each holds its CTA slot; 0: all of it */
};
struct timing_queue {
    VEC(struct timing_span) spans; /* by start */
};
/* The first time from ready_ns on at which `share` is free for so long. */
uint64_t timing_queue_fit(const struct timing_queue *queue, uint64_t ready_ns, uint64_t duration_ns,
                          uint32_t share);
void timing_queue_take(struct timing_queue *queue, uint64_t start_ns, uint64_t end_ns, uint32_t share);
/* The same of a kernel (span: without start and end): of those that wait for CTA slots it goes
 * before what has less priority, and before what came to wait later; it gets the CTA slots of what runs as
 * blocks of that end. */
uint64_t timing_queue_fit_kernel(struct timing_queue *queue, const struct timing_span *kernel,
                                 uint64_t duration_ns);
/* span: with its times. What had the CTA slots keeps its times; as much is taken behind it instead. */
void timing_queue_take_kernel(struct timing_queue *queue, const struct timing_span *kernel);
/* How long of [start_ns, end_ns) something is taken. */
uint64_t timing_queue_busy(const struct timing_queue *queue, uint64_t start_ns, uint64_t end_ns);
void timing_queue_release(struct timing_queue *queue);

/* ---- timing_clock.c */
struct event_clock *timing_clock_new(void);
void timing_clock_free(struct event_clock *clock);
#endif
