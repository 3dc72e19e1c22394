/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual clock of every device: when works begin and end, and what calls cost the host.
 *
 * Models: copy engines by direction, one or two as the GPU has them; one queue for what the device copies and
 * fills in its own memory; kernels that overlap while their shares of the multiprocessors and the number of
 * grids at once allow; how much of a launch's start is over when what it waits for ends; a copy over PCIe
 * while one goes the other way. A kernel of which no model gave the time takes what the same kernel took when
 * it was last predicted, else the time of the shortest kernel. Does not model: kernels and copies that slow
 * one another in DRAM; a copy that was scheduled first and is slowed by a later one the other way (the later
 * one bears it all, which gives the same end of both); the hardware's queues between streams; copies that
 * share a PCIe switch. Devices that wait for each other are told after peer_wait_ns. Sources:
 * tests/hw/h200/copies-1.csv (groups concurrent, both_ways, staged), overlap-1.csv. CUDA C++ Programming
 * Guide, table of compute capabilities: maximum number of resident grids.
 */
#include "clock/clock.h"

#include "event/event_operation.h"

#include <stdlib.h>

enum engine { ENGINE_H2D, ENGINE_D2H, ENGINE_INSIDE, ENGINES };

struct device {
    struct arch_time time;
    bool two_ways; /* copy engines */
    struct clock_queue engines[ENGINES], kernels;
};
struct clock {
    struct event_clock api;
    const struct arch_gpu *const *machine; /* the GPUs of all devices */
    uint32_t count;
    struct arena arena; /* keys */
    struct map devices; /* by ordinal + 1: struct device */
    struct map gpus;    /* by name: struct device, for calls */
    struct map kernels; /* by name: uint64_t, its last predicted time */
};

static struct device *device_new(const struct clock *clock, const char *name)
{
    const struct arch_gpu *gpu = arch_gpu_of(clock->machine, clock->count, name);
    if (!gpu) BUG("the clock was not told of GPU '%s'", name);
    struct device *device = sw_xcalloc(1, sizeof *device);
    device->time = clock_parameters(gpu);
    device->two_ways = gpu->copy_engines > 1;
    return device;
}

static struct device *clock_device_of(struct clock *clock, uint32_t ordinal, const char *gpu)
{
    struct device *device = map_get_u64(&clock->devices, ordinal + 1ull);
    if (device) return device;
    device = device_new(clock, gpu);
    map_set_u64(&clock->devices, ordinal + 1ull, device);
    return device;
}

static uint64_t call_ns(void *user, const char *gpu, enum event_call call, uint64_t bytes)
{
    struct clock *clock = user;
    struct device *device = map_get(&clock->gpus, gpu);
    if (!device) map_set(&clock->gpus, arena_strdup(&clock->arena, gpu), device = device_new(clock, gpu));
    return clock_call_ns(&device->time, call, bytes);
}

/* ---- copies */

static bool clock_is_host(uint8_t kind)
{
    return kind != EVENT_MEMORY_DEVICE && kind != EVENT_MEMORY_MANAGED;
}

static enum engine engine_of(const struct device *device, const struct event_work *work)
{
    bool fresh = work->kind == EVENT_WORK_MIGRATE && work->from == EVENT_MEMORY_NONE;
    if (work->kind == EVENT_WORK_FILL || fresh) return ENGINE_INSIDE;
    if (work->kind == EVENT_WORK_MIGRATE) return ENGINE_H2D;
    if (!clock_is_host(work->to)) {
        bool inside = !clock_is_host(work->from) && work->peer == work->device;
        bool out = !clock_is_host(work->from) && work->staged && device->two_ways;
        return inside ? ENGINE_INSIDE : out ? ENGINE_D2H : ENGINE_H2D;
    }
    return device->two_ways ? ENGINE_D2H : ENGINE_H2D;
}

/* What goes the other way slows it: longer by what it loses while both go. */
static uint64_t clock_slowed(const struct device *device, enum engine engine, uint64_t start,
                             uint64_t duration)
{
    if (engine == ENGINE_INSIDE || !device->two_ways || !device->time.both_ways_permille) return duration;
    uint64_t speed = device->time.both_ways_permille;
    const struct clock_queue *other = &device->engines[engine == ENGINE_H2D ? ENGINE_D2H : ENGINE_H2D];
    uint64_t both = clock_queue_busy(other, start, start + duration * 1000 / speed);
    uint64_t lost = both * (1000 - speed) / 1000;
    return duration + lost;
}

/* Devices tell each other what has ended: the one that copied last the stream's; through the host, also the
 * one that brings it there the one that fetches it. */
static uint64_t peer_waits(const struct event_work *work)
{
    if (work->kind != EVENT_WORK_COPY || work->peer == work->device) return 0;
    return (work->asker != (work->staged ? work->peer : work->device)) + (uint64_t)work->staged;
}

static void schedule_copy(struct device *device, const struct event_work *work, uint64_t ready_ns,
                          uint64_t *start_ns, uint64_t *end_ns)
{
    enum engine engine = engine_of(device, work);
    struct clock_queue *queue = &device->engines[engine];
    uint64_t alone = clock_copy_ns(&device->time, work), duration = alone, start = ready_ns;
    for (int i = 0; i < 2; i++) { /* how much it is slowed depends on where it fits, and the reverse */
        start = clock_queue_fit(queue, ready_ns, duration, CLOCK_WHOLE);
        duration = clock_slowed(device, engine, start, alone);
    }
    start = clock_queue_fit(queue, ready_ns, duration, CLOCK_WHOLE);
    clock_queue_take(queue, start, start + duration, CLOCK_WHOLE);
    *start_ns = start;
    *end_ns = start + duration + peer_waits(work) * device->time.peer_wait_ns;
}

/* ---- kernels */

static uint64_t kernel_ns(struct clock *clock, const struct device *device, const struct event_work *work)
{
    uint64_t *last = map_get(&clock->kernels, work->kernel);
    if (!work->predicted) return last ? *last : device->time.kernel_least_ns;
    if (!last) {
        last = sw_xmalloc(sizeof *last);
        map_set(&clock->kernels, arena_strdup(&clock->arena, work->kernel), last);
    }
    return *last = work->time.duration_ns;
}

static uint32_t share_of(const struct device *device, const struct event_work *work)
{
    double share = work->time.sm_share * CLOCK_WHOLE;
    uint32_t least = (uint32_t)(CLOCK_WHOLE / (device->time.grids ? device->time.grids : 1));
    if (!(share > least)) return least;
    return share >= CLOCK_WHOLE ? CLOCK_WHOLE : (uint32_t)share;
}

/* How long a launch begins after what it follows. */
static uint64_t gap_of(const struct arch_time *time, const struct event_work *work)
{
    switch ((enum event_predecessor)work->predecessor) {
    case EVENT_PREDECESSOR_OTHER: return time->kernel_after_copy_ns;
    case EVENT_PREDECESSOR_PARENT: return time->cdp_launch_ns + work->nth * time->cdp_call_ns;
    case EVENT_PREDECESSOR_SIBLING: return time->cdp_next_ns;
    case EVENT_PREDECESSOR_KERNEL:
    case EVENT_PREDECESSOR_NODE:
    case EVENT_PREDECESSOR_EARLY: break;
    }
    return 0;
}

static uint64_t saved_of(const struct arch_time *time, const struct event_work *work)
{
    if (work->predecessor == EVENT_PREDECESSOR_NODE) return time->kernel_graph_ns;
    return work->predecessor == EVENT_PREDECESSOR_EARLY ? time->kernel_early_ns : 0;
}

static uint64_t clock_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* saved: of its time, what was over when it became ready; all of a launch's start is when it waits for CTA
 * slots. */
static void schedule_kernel(struct clock *clock, struct device *device, const struct event_work *work,
                            uint64_t ready_ns, uint64_t saved, struct event_schedule *out)
{
    struct clock_queue *queue = &device->kernels;
    uint64_t duration = kernel_ns(clock, device, work), waves = work->waves ? work->waves : 1,
             waited = work->least_ns * (work->predicted ? 1 : waves);
    uint64_t own = waited + device->time.kernel_least_ns;
    if (waited && duration < own) duration = own; /* what it waits for comes to what nothing takes */
    struct clock_span span = {.share = share_of(device, work),
                              .priority = work->priority,
                              .ready_ns = ready_ns,
                              .lead_ns = clock_least(duration, device->time.kernel_least_ns),
                              .wave_ns =
                                  (duration - clock_least(duration, device->time.kernel_least_ns)) / waves};
    out->start_ns = clock_queue_fit_kernel(queue, &span, duration);
    if (out->start_ns > ready_ns && !saved)
        saved = clock_least(device->time.kernel_early_ns, out->start_ns - ready_ns);
    duration -= clock_least(saved, duration - 1);
    out->end_ns = out->start_ns + duration;
    span.start_ns = out->start_ns;
    span.end_ns = out->end_ns;
    clock_queue_take_kernel(queue, &span);
}

static void schedule(void *user, const struct event_work *work, uint64_t asked_ns, uint64_t after_ns,
                     struct event_schedule *out)
{
    struct clock *clock = user;
    struct device *device = clock_device_of(clock, work->device, work->gpu);
    bool launches = work->kind == EVENT_WORK_LAUNCH;
    uint64_t submitted = asked_ns + device->time.submit_ns;
    uint64_t free = after_ns + (launches && after_ns ? gap_of(&device->time, work) : 0);
    if (!launches && work->asker != work->device && after_ns > submitted) free += device->time.peer_wait_ns;
    uint64_t saved = launches && free >= submitted ? saved_of(&device->time, work) : 0;
    uint64_t ready = submitted > free ? submitted : free;
    if (launches)
        schedule_kernel(clock, device, work, ready, saved, out);
    else
        schedule_copy(device, work, ready, &out->start_ns, &out->end_ns);
    out->cause = out->start_ns > ready ? EVENT_CAUSE_ENGINE
                 : free >= submitted   ? EVENT_CAUSE_BEFORE
                                       : EVENT_CAUSE_ASKED;
}

struct event_clock *clock_new(const struct arch_gpu *const *gpus, uint32_t count)
{
    struct clock *clock = sw_xcalloc(1, sizeof *clock);
    arena_init(&clock->arena);
    clock->machine = gpus;
    clock->count = count;
    clock->api = (struct event_clock){.user = clock, .call = call_ns, .schedule = schedule};
    return &clock->api;
}

static void free_devices(struct map *map)
{
    void *value;
    for (size_t i = 0; map_next(map, &i, &value);) {
        struct device *device = value;
        for (int e = 0; e < ENGINES; e++)
            clock_queue_release(&device->engines[e]);
        clock_queue_release(&device->kernels);
        free(device);
    }
    map_release(map);
}

void clock_free(struct event_clock *api)
{
    if (!api) return;
    struct clock *clock = api->user;
    void *value;
    free_devices(&clock->devices);
    free_devices(&clock->gpus);
    for (size_t i = 0; map_next(&clock->kernels, &i, &value);)
        free(value);
    map_release(&clock->kernels);
    arena_release(&clock->arena);
    free(clock);
}
