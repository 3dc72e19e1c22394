/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that repeat an earlier one are not played again, and every launch has the result that the model
 * alone gives it. */
#include "model_launch.h"
#include "session_repeat_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { LOAD, STORE, INSTRS, ROUNDS = 3, WARPS = 2, LINES = 40 };
static const struct event_instr KERNEL_INSTRS[INSTRS] = {
    {.cls = ISA_CLASS_LOAD, .op = "ld.global.f32", .text = "ld.global.f32 %f1, [%rd1];"},
    {.cls = ISA_CLASS_STORE, .op = "st.global.f32", .text = "st.global.f32 [%rd1], %f1;"}};

struct fixture {
    struct arch_gpu gpu;
    struct event_kernel kernel;
    struct event_launch launch;
    struct event_residency residency;
    struct model_memory *memory, *other; /* other: without session_repeat */
    struct session_repeat repeat;
    struct model_step steps[INSTRS];
    uint64_t counters[2];
};

static void set_up(struct fixture *f)
{
    *f = (struct fixture){.kernel = {.name = "k",
                                     .instr_count = INSTRS,
                                     .instrs = KERNEL_INSTRS,
                                     .slot_count = SW_COUNT_OF(f->counters),
                                     .id = 1}};
    assert_int_equal(arch_gpu_load(TEST90, &f->gpu, NULL), SW_OK);
    f->launch = (struct event_launch){
        .kernel = &f->kernel, .grid = {1, 1, 1}, .block = {64, 1, 1}, .gpu = TEST90, .counters = f->counters};
    f->residency = model_residency(&f->gpu, WARPS, 224 << 10);
    f->memory = model_memory_of(&f->gpu);
    f->other = model_memory_of(&f->gpu);
    model_steps_clear(f->steps, INSTRS);
}

static void tear_down(struct fixture *f)
{
    session_repeat_clear(&f->repeat);
    model_memory_delete(f->memory);
    model_memory_delete(f->other);
}

/* Two warps load LINES lines from `first` on, and store to one. */
static void make_warps(struct warp warps[WARPS], uint64_t first)
{
    for (uint32_t w = 0; w < WARPS; w++) {
        warps[w] = (struct warp){0};
        for (uint32_t i = 0; i < LINES; i++)
            warp_request(&warps[w], LOAD, EVENT_KIND_LOAD, first + w * LINES / 2 + i, 15);
        warp_request(&warps[w], STORE, EVENT_KIND_STORE, first + w, 1);
    }
}

static struct model_costs costs_of(const struct fixture *f)
{
    return (struct model_costs){.steps = f->steps,
                                .rates = {.line = 500, .sector = 250, .dram_sector = 100, .barrier = 20}};
}

static void play(struct fixture *f, const uint64_t firsts[ROUNDS], uint32_t rounds)
{
    struct model_costs costs = costs_of(f);
    for (uint32_t i = 0; i < rounds; i++) {
        struct warp warps[WARPS];
        make_warps(warps, firsts[i]);
        struct event_stream streams[WARPS] = {warp_stream(&warps[0], 0, 0), warp_stream(&warps[1], 0, 0)};
        streams[1].warp = 1;
        for (uint32_t w = 0; w < WARPS; w++)
            streams[w].ended = i + 1 == rounds;
        struct event_round round = {WARPS, streams};
        uint32_t shift = session_repeat_round(&f->repeat, &round, &costs);
        model_memory_detail_small(f->other, &round);
        assert_int_equal(shift, model_memory_round(f->other, &round, &costs));
        const struct event_progress *progress = model_memory_progress(f->other);
        assert_int_equal(f->repeat.progress.ahead, progress->ahead);
        assert_memory_equal(f->repeat.progress.cta_slots, progress->cta_slots,
                            f->residency.sm_count * sizeof *progress->cta_slots);
    }
}

static void begin(struct fixture *f, bool cold)
{
    session_repeat_begin(&f->repeat, f->memory, &f->launch, &f->residency, 0, true, cold);
    for (uint32_t i = 0; i < f->residency.sm_count; i++)
        assert_int_equal(f->repeat.progress.cta_slots[i], 0);
    model_memory_launch_begin(f->other, &f->launch, &f->residency, 0, cold);
}

static void end(struct fixture *f)
{
    const struct event_memory *a = session_repeat_end(&f->repeat, &f->launch);
    const struct event_memory *b = model_memory_launch_end(f->other, &f->launch);
    assert_true(b->cycles > 0);
    assert_int_equal(a->cycles, b->cycles);
    assert_int_equal(a->l2_writebacks, b->l2_writebacks);
    assert_memory_equal(&a->total, &b->total, sizeof a->total);
    assert_memory_equal(&a->waits, &b->waits, sizeof a->waits);
    assert_memory_equal(a->instrs, b->instrs, INSTRS * sizeof *a->instrs);
    assert_memory_equal(a->intervals, b->intervals, (INSTRS + 1) * sizeof *a->intervals);
}

static void launch(struct fixture *f, const uint64_t firsts[ROUNDS], uint32_t rounds)
{
    begin(f, true);
    play(f, firsts, rounds);
    end(f);
}

static const uint64_t USUAL[ROUNDS] = {1000, 1020, 1000}, LATER[ROUNDS] = {1000, 1020, 3000},
                      EARLY[ROUNDS] = {2000, 1020, 1000};

static void a_repeated_launch_is_not_played(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f);
    for (int i = 0; i < 4; i++)
        launch(&f, USUAL, ROUNDS);
    assert_int_equal(f.repeat.played, ROUNDS);
    assert_int_equal(f.repeat.followed, 3 * ROUNDS);
    launch(&f, EARLY, ROUNDS); /* programs that exchange two arrays */
    launch(&f, USUAL, ROUNDS);
    launch(&f, EARLY, ROUNDS);
    assert_int_equal(f.repeat.played, 2 * ROUNDS);
    assert_int_equal(f.repeat.followed, 5 * ROUNDS);
    tear_down(&f);
}

/* Wherever the difference is, what was as before is played after all. */
static void a_launch_that_differs_is_played(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f);
    launch(&f, USUAL, ROUNDS);
    launch(&f, USUAL, ROUNDS);
    launch(&f, LATER, ROUNDS); /* another line in the last round */
    assert_int_equal(f.repeat.played, 2 * ROUNDS);
    launch(&f, USUAL, ROUNDS - 1); /* it ends sooner; as `ended` says already */
    assert_int_equal(f.repeat.played, 3 * ROUNDS - 1);
    f.counters[1]++;
    launch(&f, USUAL, ROUNDS);
    assert_int_equal(f.repeat.played, 4 * ROUNDS - 1);
    f.counters[1]--;
    f.steps[LOAD].before.path = 100; /* other costs */
    launch(&f, USUAL, ROUNDS);
    assert_int_equal(f.repeat.played, 5 * ROUNDS - 1);
    f.launch.grid[1] = 2;
    launch(&f, USUAL, ROUNDS);
    assert_int_equal(f.repeat.played, 6 * ROUNDS - 1);
    tear_down(&f);
}

static void accesses_to_the_address_set_count(void **state)
{
    struct fixture f;
    const struct event_set_access access[] = {{.line = 15, .when = 3}, {.line = 31, .when = 3}};
    (void)state;
    set_up(&f);
    for (uint64_t i = 0; i < 4; i++) {
        begin(&f, true);
        play(&f, USUAL, 1);
        session_repeat_set_accesses(&f.repeat, access, 1);
        session_repeat_set_accesses(&f.repeat, &access[i == 3], 1);
        end(&f);
        static const uint64_t played[] = {1, 1, 1, 2};
        assert_int_equal(f.repeat.played, played[i]);
    }
    tear_down(&f);
}

/* Warm caches, memory of the host, access-policy windows, kernels without an id. */
static void some_launches_are_not_kept(void **state)
{
    static const struct event_range FAR = {1 << 20, 1 << 21, false};
    (void)state;
    for (int what = 0; what < 4; what++) {
        struct fixture f;
        set_up(&f);
        if (what == 1) f.launch.far = &FAR, f.launch.far_count = 1;
        if (what == 2) f.launch.policy = (struct event_policy){.base = 1 << 10, .bytes = 1 << 10};
        if (what == 3) f.kernel.id = 0;
        for (int i = 0; i < 2; i++) {
            begin(&f, what != 0);
            play(&f, USUAL, ROUNDS);
            end(&f);
        }
        assert_int_equal(f.repeat.played, 2 * ROUNDS);
        assert_int_equal(f.repeat.bytes, 0);
        tear_down(&f);
    }
}

/* Launches of a kernel that never repeat are kept a few times only, and what is kept is bounded. */
static void what_does_not_repeat_is_not_kept(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f);
    for (uint64_t i = 0; i < REPEAT_VAIN_MOST + 2; i++)
        launch(&f, (const uint64_t[ROUNDS]){5000 + i, 1, 2}, ROUNDS);
    assert_int_equal(f.repeat.count, REPEAT_VAIN_MOST);
    for (uint32_t i = 0; i < 2 * REPEAT_LAUNCHES_MOST; i++) {
        f.kernel.id = 2 + i;
        launch(&f, USUAL, 1);
        launch(&f, USUAL, 1);
    }
    assert_int_equal(f.repeat.count, REPEAT_LAUNCHES_MOST);
    f.kernel.id--;
    launch(&f, LATER, ROUNDS); /* differs after the first round, but another repeated */
    assert_in_range(f.repeat.bytes, 1, REPEAT_BYTES_MOST);
    tear_down(&f);
}

/* A launch that fails leaves nothing that a later one could be taken for. */
static void a_failed_launch_is_not_kept(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f);
    begin(&f, true);
    play(&f, USUAL, 1);
    assert_null(session_repeat_end(&f.repeat, NULL));
    assert_int_equal(f.repeat.bytes, 0);
    launch(&f, USUAL, 1);
    assert_int_equal(f.repeat.played, 2);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_repeated_launch_is_not_played),
                                       cmocka_unit_test(a_launch_that_differs_is_played),
                                       cmocka_unit_test(accesses_to_the_address_set_count),
                                       cmocka_unit_test(some_launches_are_not_kept),
                                       cmocka_unit_test(what_does_not_repeat_is_not_kept),
                                       cmocka_unit_test(a_failed_launch_is_not_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
