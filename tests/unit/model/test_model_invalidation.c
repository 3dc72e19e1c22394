/* SPDX-License-Identifier: Apache-2.0 */
/* Back-invalidation in an L2 of two partitions. When a multiprocessor of the home partition's side stores
 * to a line, the other partition fetches its copy again, and requests for the line wait. The expected values
 * are worked out by hand. */
#include "model_launch.h"

enum { LOAD, STORE, ATOMIC, INSTRS, FIRST = 1000, LATER = 5000, NEAR = 0, FAR = 1 };
static struct event_instr instrs[INSTRS] = {
    [LOAD] = {.cls = ISA_CLASS_LOAD, .op = "ld.global.cg.f32"},
    [STORE] = {.cls = ISA_CLASS_STORE, .op = "st.global.f32"},
    [ATOMIC] = {.cls = ISA_CLASS_ATOMIC, .op = "red.global.add.f32"},
};
static const struct event_kernel kernel = {.name = "k", .instr_count = INSTRS, .instrs = instrs};

struct scene {
    struct arch_gpu gpu;
    struct model_memory *memory;
    struct event_launch launch;
    struct model_step steps[INSTRS];
    struct model_costs costs;
    struct warp warps[2]; /* of the first multiprocessor and of the last one, which are of two sides */
    uint32_t near;        /* which of them is on the side of the line's home */
    uint64_t line;
    struct event_memory_sums sums; /* of the last launch */
};

/* The warp on the side of the line's home partition, or (far) the other one. */
static struct warp *warp_of(struct scene *s, uint32_t far)
{
    return &s->warps[s->near ^ far];
}

static void ask(struct warp *w, uint32_t instr, uint64_t line, uint32_t mask)
{
    static const uint8_t KINDS[INSTRS] = {EVENT_KIND_LOAD_L2, EVENT_KIND_STORE, EVENT_KIND_RED};
    warp_request(w, instr, KINDS[instr], line, mask);
}

static uint64_t cycles_of(struct scene *s)
{
    uint32_t sms = (uint32_t)s->gpu.sm_count;
    struct event_residency residency = model_residency(&s->gpu, 1, 128 << 10);
    struct event_stream streams[2];
    for (uint32_t w = 0; w < 2; w++)
        streams[w] = warp_stream(&s->warps[w], w, w * (sms - 1));
    const struct event_memory *memory =
        model_launch(s->memory, &s->launch, &residency, 0, streams, 2, &s->costs);
    memset(s->warps, 0, sizeof s->warps);
    s->sums = memory->total;
    return memory->cycles;
}

static int open_scene(void **state)
{
    struct scene *s = calloc(1, sizeof *s);
    if (!s || arch_gpu_load(TEST90, &s->gpu, NULL) != SW_OK) return -1;
    s->memory = model_memory_of(&s->gpu);
    s->launch.kernel = &kernel;
    s->costs.steps = s->steps;
    s->costs.work.path = 1 << MODEL_WORK_SHIFT;
    s->costs.rates.l2_sector = 8; /* of a slice, a cycle */
    model_steps_clear(s->steps, INSTRS);
    s->line = 4096;
    ask(&s->warps[0], LOAD, s->line, 1);
    cycles_of(s);
    s->near = s->sums.l2_fabric_reads ? 1 : 0;
    *state = s;
    return 0;
}

static int close_scene(void **state)
{
    struct scene *s = *state;
    model_memory_delete(s->memory);
    free(s);
    return 0;
}

/* The far partition has a copy of the line, a warp stores to the line, and the far side loads it again.
 * Returns the sectors that the far partition fetched. */
static uint64_t fetched(struct scene *s, uint32_t instr, uint32_t by, uint32_t mask)
{
    ask(warp_of(s, FAR), LOAD, s->line, 15);
    warp_works(warp_of(s, by), FIRST);
    ask(warp_of(s, by), instr, s->line, mask);
    warp_works(warp_of(s, FAR), LATER);
    ask(warp_of(s, FAR), LOAD, s->line, 15);
    cycles_of(s);
    return s->sums.l2_fabric_reads;
}

static void the_other_part_fetches_again_what_was_stored_to(void **state)
{
    struct scene *s = *state;
    assert_int_equal(fetched(s, STORE, FAR, 1), 4);
    assert_int_equal(fetched(s, STORE, NEAR, 1), 8); /* all of the line */
    assert_int_equal(fetched(s, ATOMIC, NEAR, 1), 8);
    assert_int_equal(fetched(s, LOAD, NEAR, 1), 4);
    warp_works(warp_of(s, FAR), FIRST);
    ask(warp_of(s, FAR), STORE, s->line, 15); /* as much goes to the home again */
    cycles_of(s);
    assert_int_equal(s->sums.l2_fabric_writes, 4);
}

/* Cycles of a launch in which the far side loads the line, the near side stores to it `stores` times, and
 * soon after the first store one of them loads this line or another one. */
static uint64_t cycles_behind(struct scene *s, bool copied, uint32_t stores, uint32_t loader, uint64_t line)
{
    enum { SOON = 10, AGAIN = 20, FAR_SOON = 80 }; /* multiprocessors are replayed in steps of 64 */
    ask(warp_of(s, FAR), LOAD, copied ? s->line : s->line + 512, 15);
    ask(warp_of(s, NEAR), LOAD, line, 15); /* no load waits for DRAM */
    warp_works(warp_of(s, FAR), LATER);
    warp_works(warp_of(s, NEAR), LATER);
    for (uint32_t i = 0; i < stores; i++) {
        ask(warp_of(s, NEAR), STORE, s->line, 1u << i);
        warp_works(warp_of(s, NEAR), AGAIN);
    }
    warp_works(warp_of(s, loader), loader == FAR ? FAR_SOON : SOON);
    ask(warp_of(s, loader), LOAD, line, 1);
    warp_works(warp_of(s, loader), 1);
    return cycles_of(s);
}

/* A load waits until the invalidation of the far copy is complete, if there is a copy. */
static void loads_wait_for_lines_that_are_given_back(void **state)
{
    struct scene *s = *state;
    uint64_t trip = s->gpu.cache.l2_far_cycles, free_one = cycles_behind(s, false, 1, NEAR, s->line);
    uint64_t held = cycles_behind(s, true, 1, NEAR, s->line);
    assert_in_range(held, free_one + trip / 2, free_one + trip);
    assert_int_equal(cycles_behind(s, true, 0, NEAR, s->line), cycles_behind(s, false, 0, NEAR, s->line));
    uint64_t other = cycles_behind(s, true, 1, NEAR, s->line + 1); /* of the same slice */
    assert_int_equal(other, cycles_behind(s, false, 1, NEAR, s->line + 1));
    uint64_t far = cycles_behind(s, true, 1, FAR, s->line);
    assert_in_range(far, free_one + trip + trip / 2, free_one + 2 * trip + trip / 2);
}

/* A later store waits, too, and blocks its slice for other requests. */
static void stores_that_wait_hold_their_slice(void **state)
{
    enum { INVALIDATION = 300 };
    struct scene *s = *state;
    uint64_t trip = s->gpu.cache.l2_far_cycles;
    uint64_t two = cycles_behind(s, true, 2, NEAR, s->line + 1);
    s->costs.rates.l2_waiting = 1000;
    uint64_t held = cycles_behind(s, true, 2, NEAR, s->line + 1);
    assert_in_range(held, two + trip / 2, two + trip);
    assert_int_equal(cycles_behind(s, false, 2, NEAR, s->line + 1), two);
    s->costs.rates.l2_waiting = 0;
    s->costs.rates.l2_invalidation =
        INVALIDATION * 1000 / (s->gpu.l2_bytes >> 19);   /* of one slice of 512 KiB each */
    held = cycles_behind(s, true, 2, NEAR, s->line + 1); /* only one store takes a copy back */
    assert_in_range(held, two + INVALIDATION - 80, two + INVALIDATION);
}

/* Invalidations of one launch do not delay the next launch. */
static void launches_begin_with_lines_that_are_free(void **state)
{
    struct scene *s = *state;
    uint64_t first = cycles_behind(s, false, 1, NEAR, s->line);
    cycles_behind(s, true, 1, NEAR, s->line);
    assert_int_equal(cycles_behind(s, false, 1, NEAR, s->line), first);
}

/* An L2 of one partition has no copies. */
static void one_part_has_no_copies(void **state)
{
    struct scene *s = *state;
    struct arch_gpu one = s->gpu;
    one.cache.l2_partitions = 1;
    model_memory_delete(s->memory);
    s->memory = model_memory_of(&one);
    s->costs.rates.l2_waiting = 1000;
    s->costs.rates.l2_invalidation = 1000;
    assert_int_equal(cycles_behind(s, true, 2, NEAR, s->line), cycles_behind(s, false, 2, NEAR, s->line));
    assert_int_equal(s->sums.l2_fabric_reads + s->sums.l2_fabric_writes, 0);
}

int main(void)
{
    event_code_name(instrs, INSTRS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_other_part_fetches_again_what_was_stored_to, open_scene,
                                        close_scene),
        cmocka_unit_test_setup_teardown(loads_wait_for_lines_that_are_given_back, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(stores_that_wait_hold_their_slice, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(launches_begin_with_lines_that_are_free, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(one_part_has_no_copies, open_scene, close_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
