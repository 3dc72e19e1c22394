/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that are like earlier ones are estimated: which ones, what from, and how far off that is. */
#include "session_estimate_priv.h"

#include "event/event_kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Of two loads; code that only counts has the same slots in another order. */
enum { WARPS, UNITS, OTHER_UNITS, SLOTS, INSTRS = 2, WORK = 1 << 20 };

struct fixture {
    struct session_estimate *estimate;
    struct event_instr instrs[INSTRS], counted_instrs[INSTRS];
    struct event_kernel kernel, counted;
    struct event_memory memory;
    struct event_memory_sums sums[INSTRS][EVENT_MEMORY_SPACES];
    struct event_stalls intervals[INSTRS + 1][EVENT_INTERVALS], stalls[INSTRS];
    struct event_time time;
    struct event_launch launch;
    struct repeat_key key;
    uint64_t simulated, estimated;
};

static struct event_instr instr_of(uint32_t warps, uint32_t units)
{
    struct event_instr instr = {.cls = ISA_CLASS_LOAD};
    memset(&instr.slots, 0xff, sizeof instr.slots); /* EVENT_NO_SLOT */
    instr.slots.on_warps = warps;
    instr.slots.access[EVENT_ACCESS_GLOBAL].units = units;
    return instr;
}

static void set_up(struct fixture *f)
{
    *f = (struct fixture){.instrs = {instr_of(WARPS, UNITS), instr_of(WARPS, OTHER_UNITS)},
                          .counted_instrs = {instr_of(UNITS, OTHER_UNITS), instr_of(UNITS, WARPS)}};
    f->kernel = (struct event_kernel){
        .name = "k", .instr_count = INSTRS, .instrs = f->instrs, .slot_count = SLOTS, .id = 1};
    f->counted = f->kernel;
    f->counted.instrs = f->counted_instrs;
    f->estimate = sw_xcalloc(1, sizeof *f->estimate);
    f->launch = (struct event_launch){.grid = {8, 1, 1}, .block = {64, 1, 1}};
}

static void tear_down(struct fixture *f)
{
    session_estimate_clear(f->estimate);
    free(f->estimate);
}

/* What the model says: half of the units miss L1 and all of these L2. */
static void model(struct fixture *f, uint64_t units, uint64_t other, uint64_t cycles)
{
    f->sums[0][0] =
        (struct event_memory_sums){.l1_sectors = units, .l1_hits = units / 2, .l2_reads = units / 2};
    f->sums[1][0] = (struct event_memory_sums){.l1_sectors = other, .l2_reads = other, .dram_reads = other};
    f->memory = (struct event_memory){.instr_count = INSTRS, .cycles = cycles};
    for (uint32_t i = 0; i < INSTRS; i++)
        event_memory_add(&f->memory.total, &f->sums[i][0]);
    f->memory.instrs = (const struct event_memory_sums(*)[EVENT_MEMORY_SPACES])f->sums;
    f->memory.intervals = (const struct event_stalls(*)[EVENT_INTERVALS])f->intervals;
    f->time = (struct event_time){.duration_ns = cycles};
    f->launch.time = &f->time;
    f->launch.stalls = f->stalls;
}

/* true: it was estimated; f->launch then has what that gave. */
static bool launch(struct fixture *f, uint64_t units, uint64_t other, uint64_t cycles)
{
    uint64_t counters[SLOTS] = {[WARPS] = WORK, [UNITS] = units, [OTHER_UNITS] = other};
    uint64_t counted[SLOTS] = {[UNITS] = WORK, [OTHER_UNITS] = units, [WARPS] = other};
    f->launch.kernel = &f->kernel;
    f->launch.memory = NULL;
    f->launch.time = NULL;
    f->launch.counters = NULL;
    if (session_estimate_begin(f->estimate, &f->key, &f->launch)) {
        f->launch.kernel = &f->counted;
        f->launch.counters = counted;
        session_estimate_make(f->estimate, &f->launch);
        assert_ptr_equal(f->launch.kernel, &f->kernel);
        assert_memory_equal(f->launch.counters, counters, sizeof counters);
        assert_true(f->launch.memory->estimated);
        f->estimated++;
        return true;
    }
    f->launch.counters = counters;
    model(f, units, other, cycles);
    session_estimate_learn(f->estimate, &f->launch, &f->memory);
    session_estimate_learn_time(f->estimate, &f->launch);
    f->simulated++;
    return false;
}

static void launches_that_repeat_have_the_same_result(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f);
    for (int i = 0; i < 1000; i++) {
        if (!launch(&f, 4000, 1000, 500)) continue;
        assert_memory_equal(&f.launch.memory->total, &f.memory.total, sizeof f.memory.total);
        assert_memory_equal(f.launch.memory->instrs, f.sums, sizeof f.sums);
        assert_int_equal(f.launch.memory->cycles, 500);
        assert_int_equal(f.launch.memory->confidence.cycles, 0);
        assert_int_equal(f.launch.time->duration_ns, 500);
    }
    assert_in_range(f.simulated, ESTIMATE_FIRST, 80);
    assert_int_equal(f.estimate->estimated, f.estimated);
    tear_down(&f);
}

/* Sizes fall slowly, as in an elimination: instruction by instruction, by its sectors. */
static void results_follow_the_counts(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f);
    for (uint64_t i = 0; i < 400; i++) {
        uint64_t units = 100000 - 100 * i, other = 20000 - 10 * i;
        if (!launch(&f, units, other, 500)) continue;
        const struct event_memory *m = f.launch.memory;
        assert_in_range(m->instrs[0][0].l1_sectors, units - 1, units + 1);
        assert_in_range(m->instrs[0][0].l1_hits, units / 2 - 1, units / 2 + 1);
        assert_in_range(m->instrs[1][0].dram_reads, other - 1, other + 1);
        assert_in_range(m->total.l2_reads, units / 2 + other - 3, units / 2 + other + 3);
        assert_null(f.launch.time); /* it follows from the counters, which are its own */
    }
    assert_in_range(f.simulated, ESTIMATE_FIRST, 100);
    tear_down(&f);
}

/* Two kinds of data by turns, which differ in nothing that is known before. */
static void the_like_are_taken(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f);
    for (int i = 0; i < 400; i++) {
        bool first = i % 2;
        if (!launch(&f, first ? 4000 : 8000, 1000, first ? 500 : 900)) continue;
        assert_int_equal(f.launch.memory->cycles, first ? 500 : 900);
    }
    assert_in_range(f.simulated, ESTIMATE_FIRST, 60);
    tear_down(&f);
}

static void what_cannot_be_foretold_is_simulated(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f);
    for (uint64_t i = 0; i < 200; i++)
        assert_false(launch(&f, 4000, 1000, i * 7919 % 2 ? 500 : 1000 + i));
    tear_down(&f);
}

/* Errors are measured now and then, are part of the confidence, and make launches be simulated again. */
static void errors_are_known(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f);
    uint64_t i = 0;
    for (; i < 200; i++)
        if (launch(&f, 4000, 1000, 500 + i % 5 * 5))
            assert_in_range(f.launch.memory->confidence.cycles, 0, 400);
    assert_in_range(f.launch.memory ? f.launch.memory->confidence.cycles : 100, 100, 400);
    assert_int_equal(f.launch.memory ? f.launch.memory->confidence.l2_sectors : 0, 0);
    uint64_t before = f.simulated;
    for (; i < 1200; i++) /* from now on they take as long as they like */
        launch(&f, 4000, 1000, 500 + i * 7919 % 1000);
    assert_true(f.simulated - before > 300);
    tear_down(&f);
}

/* Memory of the host, access-policy windows, kernels without an id, kernels that cost nothing yet; and what
 * the parameters point to, the grid and the kernel make launches different. */
static void some_launches_are_simulated(void **state)
{
    static const struct event_range FAR = {1 << 20, 1 << 21, false};
    (void)state;
    for (int what = 0; what < 6; what++) {
        struct fixture f;
        set_up(&f);
        if (what == 0) f.launch.far = &FAR, f.launch.far_count = 1;
        if (what == 1) f.launch.policy = (struct event_policy){.base = 1 << 10, .bytes = 1 << 10};
        if (what == 2) f.kernel.id = 0;
        for (uint64_t i = 0; i < 40; i++) {
            if (what == 3) f.launch.reach_bytes = i;
            if (what == 4) f.key.grid[0] = (uint32_t)i;
            if (what == 5) f.key.kernel = i;
            assert_false(launch(&f, 4000, 1000, 500));
        }
        tear_down(&f);
    }
}

/* Of many kinds and large kernels the oldest are forgotten. */
static void what_is_kept_is_bounded(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f);
    for (uint64_t i = 0; i < 3 * ESTIMATE_KINDS_MOST; i++) {
        f.key.kernel = i;
        launch(&f, 4000, 1000, 500);
        launch(&f, 8000, 1000, 500);
    }
    assert_int_equal(f.estimate->count, ESTIMATE_KINDS_MOST);
    assert_in_range(f.estimate->bytes, 1, ESTIMATE_BYTES_MOST);
    tear_down(&f);
    assert_true(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(launches_that_repeat_have_the_same_result),
                                       cmocka_unit_test(results_follow_the_counts),
                                       cmocka_unit_test(the_like_are_taken),
                                       cmocka_unit_test(what_cannot_be_foretold_is_simulated),
                                       cmocka_unit_test(errors_are_known),
                                       cmocka_unit_test(some_launches_are_simulated),
                                       cmocka_unit_test(what_is_kept_is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
