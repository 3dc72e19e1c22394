/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the virtual clock: interpolation between measured times, idle time that later work fills,
 * a copy engine for each direction, kernels that overlap while their shares of the device fit. Copies of
 * the H200 are compared with recorded ones (tests/hw/h200/copies-1.csv) by the product's file; the rules
 * are tested with a frozen GPU. */
#include "frozen_machine.h"

#include "clock/clock.h"

#include "event/event_operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct arch_time times_of(const char *name)
{
    struct arch_gpu gpu;
    assert_int_equal(arch_gpu_load(name, &gpu, NULL), SW_OK);
    return clock_parameters(&gpu);
}

static void lines_through_measured_times(void **state)
{
    (void)state;
    struct arch_curve curve = {.count = 3, .at = {{100, 1000}, {200, 1500}, {400, 1600}}};
    assert_int_equal(clock_curve(&curve, 100), 1000);
    assert_int_equal(clock_curve(&curve, 150), 1250);
    assert_int_equal(clock_curve(&curve, 200), 1500);
    assert_int_equal(clock_curve(&curve, 600), 1700); /* straight on */
    assert_int_equal(clock_curve(&curve, 0), 500);
}

static void copies_of_the_h200(void **state)
{
    (void)state;
    static const struct {
        uint8_t kind, from, to;
        uint64_t bytes, rows, event_ns, host_ns; /* host_ns: between the events but not the copy's */
    } CASES[] = {
        {EVENT_WORK_COPY, EVENT_MEMORY_PINNED, EVENT_MEMORY_DEVICE, 1572864, 1, 34048, 1200},
        {EVENT_WORK_COPY, EVENT_MEMORY_PINNED, EVENT_MEMORY_DEVICE, 402653184, 1, 7270560, 1200},
        {EVENT_WORK_COPY, EVENT_MEMORY_DEVICE, EVENT_MEMORY_PINNED, 49152, 1, 3744, 1200},
        {EVENT_WORK_COPY, EVENT_MEMORY_DEVICE, EVENT_MEMORY_REGISTERED, 12582912, 1, 229728, 1200},
        {EVENT_WORK_COPY, EVENT_MEMORY_PAGEABLE, EVENT_MEMORY_DEVICE, 6291456, 1, 426400, 4000},
        {EVENT_WORK_COPY, EVENT_MEMORY_DEVICE, EVENT_MEMORY_PAGEABLE, 3145728, 1, 243520, 4000},
        {EVENT_WORK_COPY, EVENT_MEMORY_DEVICE, EVENT_MEMORY_DEVICE, 6291456, 1, 8000, 1200},
        {EVENT_WORK_COPY, EVENT_MEMORY_PINNED, EVENT_MEMORY_DEVICE, 65536, 1024, 6496, 1200},
        {EVENT_WORK_COPY, EVENT_MEMORY_DEVICE, EVENT_MEMORY_DEVICE, 4194304, 1024, 11584, 1200},
        {EVENT_WORK_COPY, EVENT_MEMORY_REGISTERED, EVENT_MEMORY_DEVICE, 24576, 1, 5216, 1200},
        {EVENT_WORK_FILL, EVENT_MEMORY_NONE, EVENT_MEMORY_DEVICE, 201326592, 1, 49280, 770},
    };
    struct arch_time time = times_of("h200");
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct event_work work = {.kind = CASES[i].kind,
                                  .from = CASES[i].from,
                                  .to = CASES[i].to,
                                  .bytes = CASES[i].bytes,
                                  .rows = CASES[i].rows};
        double ratio = (double)(clock_copy_ns(&time, &work) + CASES[i].host_ns) / (double)CASES[i].event_ns;
        if (ratio < 0.9 || ratio > 1.1) fail_msg("case %zu: %g of what was recorded", i, ratio);
    }
}

static void other_gpus_follow_pcie(void **state)
{
    (void)state;
    struct arch_time time = times_of("t4");
    struct event_work work = {
        .from = EVENT_MEMORY_PINNED, .to = EVENT_MEMORY_DEVICE, .bytes = 1 << 30, .rows = 1};
    double seconds = (double)clock_copy_ns(&time, &work) * 1e-9; /* 16 lanes of 8 GT/s: 15.75 GB/s at most */
    assert_true((1 << 30) / seconds > 13e9 && (1 << 30) / seconds < 15e9);
    assert_true(clock_copy_ns(&time, &(struct event_work){.kind = EVENT_WORK_FILL, .bytes = 1 << 30}) >
                (1 << 30) / 320); /* ns at 320 GB/s, which is its DRAM's */
}

/* Staging and launching do not depend on the GPU's speed; staging is slower over a slow PCIe link. */
static void what_the_host_does_is_the_same_for_every_gpu(void **state)
{
    (void)state;
    static const struct {
        const char *gpu;
        uint8_t kind, from, to;
        uint64_t bytes, least_ns, most_ns;
    } CASES[] = {
        {"v100", EVENT_WORK_COPY, EVENT_MEMORY_DEVICE, EVENT_MEMORY_PAGEABLE, 1024, 3000, 5000},
        {"v100", EVENT_WORK_COPY, EVENT_MEMORY_PAGEABLE, EVENT_MEMORY_DEVICE, 65536, 10000, 12000},
        {"v100", EVENT_WORK_COPY, EVENT_MEMORY_DEVICE, EVENT_MEMORY_PAGEABLE, 33554432, 2200000, 2500000},
        {"k20x", EVENT_WORK_COPY, EVENT_MEMORY_DEVICE, EVENT_MEMORY_PAGEABLE, 33554432, 4200000, 5500000},
        {"v100", EVENT_WORK_FILL, EVENT_MEMORY_NONE, EVENT_MEMORY_DEVICE, 1024, 1500, 2000},
        {"v100", EVENT_WORK_FILL, EVENT_MEMORY_NONE, EVENT_MEMORY_DEVICE, 65536, 4500, 5500},
    };
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct arch_time time = times_of(CASES[i].gpu);
        struct event_work work = {.kind = CASES[i].kind,
                                  .from = CASES[i].from,
                                  .to = CASES[i].to,
                                  .bytes = CASES[i].bytes,
                                  .rows = 1};
        uint64_t ns = clock_copy_ns(&time, &work);
        if (ns < CASES[i].least_ns || ns > CASES[i].most_ns)
            fail_msg("case %zu: %llu ns", i, (unsigned long long)ns);
    }
}

/* The odd-numbered sizes of tests/hw/h100/peer-1.csv and -2.csv (to_peer_enabled), minus the 1.2 us of
 * the host. */
static void copies_between_two_h100(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes, ns;
    } CASES[] = {{2048, 4224},    {98304, 4416},    {393216, 5248},
                 {1572864, 8208}, {6291456, 20128}, {100663296, 258512}};
    struct arch_time time = times_of("h100");
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct event_work work = {.from = EVENT_MEMORY_DEVICE,
                                  .to = EVENT_MEMORY_DEVICE,
                                  .peer = 1,
                                  .bytes = CASES[i].bytes,
                                  .rows = 1};
        assert_in_range(clock_copy_ns(&time, &work), CASES[i].ns * 9 / 10, CASES[i].ns * 11 / 10);
    }
}

/* A copy through the host uses the source device's engine, then the destination device's. */
static void devices_wait_for_each_other(void **state)
{
    (void)state;
    struct event_clock *clock = clock_new(frozen_machine(), FROZEN_MACHINE);
    struct arch_time time = times_of(TEST90);
    struct event_work work = {
        .gpu = TEST90, .from = EVENT_MEMORY_DEVICE, .to = EVENT_MEMORY_DEVICE, .bytes = 1 << 20, .rows = 1};
    static const struct {
        uint32_t device, peer, asker;
        bool staged;
        uint64_t waits;
    } CASES[] = {{0, 1, 0, false, 0}, {1, 0, 0, false, 1}, {1, 0, 0, true, 1}, {0, 1, 0, true, 2}};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct event_schedule at;
        work.device = CASES[i].device, work.peer = CASES[i].peer, work.asker = CASES[i].asker;
        work.staged = CASES[i].staged;
        clock->schedule(clock->user, &work, 1000000 * i, 0, &at);
        uint64_t waits = at.end_ns - at.start_ns - clock_copy_ns(&time, &work);
        assert_int_equal(waits, CASES[i].waits * time.peer_wait_ns);
    }
    clock_free(clock);
}

static void gaps_are_filled(void **state)
{
    (void)state;
    struct clock_queue queue = {0};
    clock_queue_take(&queue, 100, 200, CLOCK_WHOLE);
    clock_queue_take(&queue, 250, 300, CLOCK_WHOLE);
    assert_int_equal(clock_queue_fit(&queue, 0, 100, CLOCK_WHOLE), 0);
    assert_int_equal(clock_queue_fit(&queue, 0, 101, CLOCK_WHOLE), 300);
    assert_int_equal(clock_queue_fit(&queue, 20, 50, CLOCK_WHOLE), 20);
    assert_int_equal(clock_queue_fit(&queue, 60, 50, CLOCK_WHOLE), 200);
    assert_int_equal(clock_queue_busy(&queue, 150, 275), 75);
    clock_queue_release(&queue);
    clock_queue_take(&queue, 0, 100, 600000);
    assert_int_equal(clock_queue_fit(&queue, 10, 50, 400000), 10);
    clock_queue_take(&queue, 10, 60, 400000);
    assert_int_equal(clock_queue_fit(&queue, 10, 50, 1), 60);
    assert_int_equal(clock_queue_fit(&queue, 0, 10, 400000), 0);
    assert_int_equal(clock_queue_fit(&queue, 0, 10, 400001), 100);
    clock_queue_release(&queue);
}

struct span {
    uint64_t start, end;
};
static struct span schedule(struct event_clock *clock, const struct event_work *work, uint64_t after)
{
    struct event_schedule at;
    clock->schedule(clock->user, work, 0, after, &at);
    return (struct span){at.start_ns, at.end_ns};
}

static struct event_work copy_of(const char *gpu, bool in)
{
    return (struct event_work){.gpu = gpu,
                               .from = in ? EVENT_MEMORY_PINNED : EVENT_MEMORY_DEVICE,
                               .to = in ? EVENT_MEMORY_DEVICE : EVENT_MEMORY_PINNED,
                               .bytes = 1 << 20,
                               .rows = 1};
}

static void engines_by_direction(void **state)
{
    (void)state;
    struct event_clock *clock = clock_new(frozen_machine(), FROZEN_MACHINE);
    struct event_work in = copy_of(TEST90, true), out = copy_of(TEST90, false);
    struct span first = schedule(clock, &in, 0), second = schedule(clock, &in, 0),
                back = schedule(clock, &out, 0);
    assert_int_equal(second.start, first.end); /* one way: one after the other */
    assert_int_equal(back.start, first.start); /* both ways: together, and slower */
    struct arch_time time = times_of(TEST90);
    double slower = (double)(back.end - back.start) / (double)clock_copy_ns(&time, &out);
    assert_true(slower > 1.1 && slower < 1.2); /* both_ways: 1.14 */
    clock_free(clock);
    clock = clock_new(frozen_machine(), FROZEN_MACHINE);
    in.gpu = out.gpu = "fx570"; /* one copy engine */
    first = schedule(clock, &in, 0);
    back = schedule(clock, &out, 0);
    assert_int_equal(back.start, first.end);
    clock_free(clock);
}

static struct event_work kernel_of(const char *name, uint64_t ns, double share)
{
    return (struct event_work){.kind = EVENT_WORK_LAUNCH,
                               .gpu = TEST90,
                               .kernel = name,
                               .time = {.duration_ns = ns, .sm_share = share},
                               .predicted = ns != 0};
}

static void kernels_overlap_while_they_fit(void **state)
{
    (void)state;
    struct event_clock *clock = clock_new(frozen_machine(), FROZEN_MACHINE);
    struct event_work half = kernel_of("a", 50000, 0.5), more = kernel_of("b", 50000, 0.6);
    struct span one = schedule(clock, &half, 0), two = schedule(clock, &half, 0),
                three = schedule(clock, &more, 0);
    assert_int_equal(one.start, two.start);
    assert_int_equal(three.start, one.end);
    struct span after = schedule(clock, &half, one.end);
    assert_true(after.start > one.end); /* a gap, and then beside nothing that is too large */
    struct event_work unknown = kernel_of("a", 0, 0.1), never = kernel_of("c", 0, 0.1);
    struct span last = schedule(clock, &unknown, 0), least = schedule(clock, &never, 0);
    uint64_t started = times_of(TEST90).kernel_early_ns;      /* while they waited for places */
    assert_int_equal(last.end - last.start, 50000 - started); /* as when it was last predicted */
    assert_int_equal(least.end - least.start, times_of(TEST90).kernel_least_ns - started);
    clock_free(clock);
}

/* A kernel of eight waves runs and another one is queued after it. Then a kernel of one wave arrives,
 * with a higher priority or ready before the queued one. */
static void priorities_go_first(void **state)
{
    (void)state;
    enum { WAVE = 20000, WAVES = 8 };
    for (int priority = 0; priority < 2; priority++) {
        struct event_clock *clock = clock_new(frozen_machine(), FROZEN_MACHINE);
        uint64_t lead = times_of(TEST90).kernel_least_ns;
        struct event_work low = kernel_of("low", lead + WAVES * WAVE, 1),
                          one = kernel_of("one", lead + WAVE, 1);
        low.waves = WAVES;
        low.predecessor = one.predecessor = EVENT_PREDECESSOR_KERNEL;
        one.priority = priority;
        struct span first = schedule(clock, &low, 0), second = schedule(clock, &low, first.end);
        assert_int_equal(second.start, first.end);
        struct span span = schedule(clock, &one, first.start + 2 * WAVE);
        assert_int_equal(span.start, priority ? first.start + lead + 2 * WAVE : first.end);
        /* the preempted work runs later, while the device is busy */
        struct span third = schedule(clock, &low, second.end - 1);
        assert_in_range(third.start, second.end + WAVE - lead, second.end + WAVE + lead);
        struct span idle = schedule(clock, &low, third.end + WAVE);
        assert_in_range(idle.start, third.end + WAVE, third.end + WAVE + 2 * lead);
        clock_free(clock);
    }
}

/* Each wave of a kernel that waits for a time waits for it, unless a model predicted the kernel's
 * duration. */
static void waves_wait_one_after_the_other(void **state)
{
    (void)state;
    struct event_clock *clock = clock_new(frozen_machine(), FROZEN_MACHINE);
    struct event_work waits = kernel_of("w", 0, 1);
    waits.least_ns = 20000;
    waits.waves = 3;
    struct span span = schedule(clock, &waits, 0);
    assert_int_equal(span.end - span.start, 60000 + times_of(TEST90).kernel_least_ns);
    clock_free(clock);
}

static void as_many_grids_as_the_hardware_runs(void **state)
{
    (void)state;
    struct event_clock *clock = clock_new(frozen_machine(), FROZEN_MACHINE);
    struct event_work small = kernel_of("a", 100000, 1.0 / 132 / 32);
    struct span first = schedule(clock, &small, 0), span = first;
    for (int i = 1; i < 128; i++) {
        span = schedule(clock, &small, 0);
        assert_int_equal(span.start, first.start);
    }
    span = schedule(clock, &small, 0);
    assert_int_equal(span.start, first.end);
    clock_free(clock);
}

static void calls_cost_the_host(void **state)
{
    (void)state;
    struct arch_time time = times_of(TEST90);
    assert_int_equal(clock_call_ns(&time, EVENT_CALL_LAUNCH, 0), 3200);
    uint64_t pair =
        clock_call_ns(&time, EVENT_CALL_ALLOC, 64 << 20) + clock_call_ns(&time, EVENT_CALL_FREE, 64 << 20);
    assert_in_range(pair, 75000, 91000); /* malloc_free_67108864: 83.0 us */
    pair = clock_call_ns(&time, EVENT_CALL_HOST_ALLOC, 64 << 20) +
           clock_call_ns(&time, EVENT_CALL_HOST_FREE, 64 << 20);
    assert_in_range(pair, 26000000, 31500000); /* host_alloc_free_67108864: 28.7 ms */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_through_measured_times),
                                       cmocka_unit_test(copies_of_the_h200),
                                       cmocka_unit_test(other_gpus_follow_pcie),
                                       cmocka_unit_test(what_the_host_does_is_the_same_for_every_gpu),
                                       cmocka_unit_test(copies_between_two_h100),
                                       cmocka_unit_test(devices_wait_for_each_other),
                                       cmocka_unit_test(gaps_are_filled),
                                       cmocka_unit_test(engines_by_direction),
                                       cmocka_unit_test(kernels_overlap_while_they_fit),
                                       cmocka_unit_test(priorities_go_first),
                                       cmocka_unit_test(waves_wait_one_after_the_other),
                                       cmocka_unit_test(as_many_grids_as_the_hardware_runs),
                                       cmocka_unit_test(calls_cost_the_host)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
