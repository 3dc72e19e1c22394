/* SPDX-License-Identifier: Apache-2.0 */
/* timing: the virtual clock. What copies and calls take (clock_copy.c), who has which part of a device when
 * (clock_queue.c), and both together as the driver asks (clock.c). */
#ifndef CLOCK_CLOCK_H
#define CLOCK_CLOCK_H

#include "arch/arch.h"
#include "event/event_clock.h"

/* ---- clock_copy.c */
/* Of a GPU's [time], with every curve given: those that its file lacks follow from PCIe and DRAM. */
struct arch_time clock_parameters(const struct arch_gpu *gpu);
uint64_t clock_link_rate(const struct arch_gpu *gpu); /* of PCIe a way, bytes a microsecond, heads included */
uint64_t clock_curve(const struct arch_curve *curve, uint64_t bytes); /* ns */
/* A copy, fill, migration or prefetch with nothing beside it. */
uint64_t clock_copy_ns(const struct arch_time *time, const struct event_work *work);
uint64_t clock_call_ns(const struct arch_time *time, enum event_call call, uint64_t bytes);

/* ---- clock_queue.c: a resource, and when which share of it is taken */
enum { CLOCK_WHOLE = 1000000 }; /* definition: shares count in millionths */
struct clock_span {
    uint64_t start_ns, end_ns;
    uint32_t share;
    int32_t priority;
    bool deferred;     /* no work itself: as much time as other work was put off */
    uint64_t ready_ns; /* when it might have begun */
    uint64_t lead_ns,
        wave_ns; /* from the start to its first blocks; how long each holds its CTA slot; 0: all of it */
};
struct clock_queue {
    VEC(struct clock_span) spans; /* by start */
};
/* The first time from ready_ns on at which `share` is free for so long. */
uint64_t clock_queue_fit(const struct clock_queue *queue, uint64_t ready_ns, uint64_t duration_ns,
                         uint32_t share);
void clock_queue_take(struct clock_queue *queue, uint64_t start_ns, uint64_t end_ns, uint32_t share);
/* The same of a kernel (span: without start and end): of those that wait for CTA slots it goes
 * before what has less priority, and before what came to wait later; it gets the CTA slots of what runs as
 * blocks of that end. */
uint64_t clock_queue_fit_kernel(struct clock_queue *queue, const struct clock_span *kernel,
                                uint64_t duration_ns);
/* span: with its times. What had the CTA slots keeps its times; as much is taken behind it instead. */
void clock_queue_take_kernel(struct clock_queue *queue, const struct clock_span *kernel);
/* How long of [start_ns, end_ns) something is taken. */
uint64_t clock_queue_busy(const struct clock_queue *queue, uint64_t start_ns, uint64_t end_ns);
void clock_queue_release(struct clock_queue *queue);

/* ---- clock.c */
/* Of these GPUs, by which works and calls name them with their origins; not its own. */
struct event_clock *clock_new(const struct arch_gpu *const *gpus, uint32_t count);
void clock_free(struct event_clock *clock);
#endif
