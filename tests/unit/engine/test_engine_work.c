/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: detailed simulation reports the work that each warp does between its requests, in all kinds
 * of code: with barriers, with loops that yield, in called functions. Method: small kernels with the real
 * compiler; a table of weights of basic blocks; sums worked out by hand. Skips where libsoftwarp-jit.so was
 * not built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine_fixture.h"

#include <string.h>
#include <unistd.h>

/* TURN is an instruction of the basic block that has a weight; other blocks have none. */
#define HEAD                                                                                                 \
    ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>;\n"                                                 \
    "ld.param.u64 %rd1, [in]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4;\n"      \
    "add.s64 %rd3, %rd1, %rd2; shr.u32 %r6, %r2, 5; mul.lo.u32 %r6, %r6, %r1; mov.u32 %r5, 0;\n"
#define TURN "xor.b32 %r5, %r5, 77;"
static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    /* warp w iterates w * n + 1 times, then stores */
    ".visible .entry once(.param .u64 in, .param .u32 n) {\n" HEAD "mov.u32 %r3, 0;\n"
    "LOOP: " TURN " add.u32 %r3, %r3, 1; setp.le.u32 %p1, %r3, %r6; @%p1 bra LOOP;\n"
    "st.global.u32 [%rd3], %r5; ret; }\n"
    /* the same, then a barrier, then again after the store */
    ".visible .entry meet(.param .u64 in, .param .u32 n) {\n" HEAD "mov.u32 %r3, 0;\n"
    "LOOP: " TURN " add.u32 %r3, %r3, 1; setp.le.u32 %p1, %r3, %r6; @%p1 bra LOOP;\n"
    "bar.sync 0; st.global.u32 [%rd3], %r5; mov.u32 %r3, 0;\n"
    "AGAIN: " TURN " add.u32 %r3, %r3, 1; setp.le.u32 %p1, %r3, %r6; @%p1 bra AGAIN;\n"
    "ret; }\n"
    /* 300 loads with as many rounds between two of them */
    ".visible .entry often(.param .u64 in, .param .u32 n) {\n" HEAD "mov.u32 %r7, 0;\n"
    "LOAD: ld.global.u32 %r4, [%rd3]; mov.u32 %r3, 0;\n"
    "LOOP: " TURN " add.u32 %r3, %r3, 1; setp.le.u32 %p1, %r3, %r6; @%p1 bra LOOP;\n"
    "add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 300; @%p2 bra LOAD; ret; }\n"
    /* lane l of a warp iterates l times: the warp iterates as often as its last lane */
    ".visible .entry lanes(.param .u64 in, .param .u32 n) {\n" HEAD "mov.u32 %r3, 0; and.b32 %r6, %r2, 31;\n"
    "LOOP: " TURN " add.u32 %r3, %r3, 1; setp.le.u32 %p1, %r3, %r6; @%p1 bra LOOP;\n"
    "st.global.u32 [%rd3], %r5; ret; }\n"
    /* as `often`, by a function that is called through a pointer */
    ".func (.param .b32 r) round(.param .b64 from, .param .b32 times) {\n"
    ".reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd3, [from]; ld.param.u32 %r6, [times]; ld.global.u32 %r5, [%rd3]; mov.u32 %r3, 0;\n"
    "LOOP: " TURN " add.u32 %r3, %r3, 1; setp.le.u32 %p1, %r3, %r6; @%p1 bra LOOP;\n"
    "st.param.b32 [r], %r5; ret; }\n"
    ".visible .entry called(.param .u64 in, .param .u32 n) {\n" HEAD
    ".param .b64 a; .param .b32 b; .param .b32 c; mov.u64 %rd4, round; mov.u32 %r7, 0;\n"
    "P: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _);\n"
    "CALL: st.param.b64 [a], %rd3; st.param.b32 [b], %r6; call (c), %rd4, (a, b), P;\n"
    "add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 300; @%p2 bra CALL; ret; }\n";

ENGINE_FIXTURE_TOOL(EVENT_PROBE_COUNT | EVENT_PROBE_ACCESS, 4);

enum { WARPS = 4 };
struct seen { /* by warp */
    uint64_t work[WARPS], notes[WARPS], requests[WARPS];
    uint64_t before[WARPS][2]; /* before the first and the second one */
    uint64_t now[WARPS];
};

static int open_world(void **state)
{
    static struct engine_fixture world;
    if (!engine_fixture_can_compile()) return *state = NULL, 0;
    struct engine_config config = {.threads = 2, .isa = -1, .tool = &tool};
    if (!engine_fixture_open(&world, config, text, 1 << 20)) return -1;
    *state = &world;
    return 0;
}

static int close_world(void **state)
{
    if (*state) engine_fixture_close(*state);
    return 0;
}

static void note_request(struct seen *seen, uint32_t w, const struct event_request *r)
{
    if (r->kind == EVENT_KIND_WORK) {
        seen->now[w] += r->instr;
        seen->work[w] += r->instr;
        seen->notes[w]++;
        assert_int_equal(r->lines, 0);
        return;
    }
    if (seen->requests[w] < 2) seen->before[w][seen->requests[w]] = seen->now[w];
    seen->requests[w]++;
    seen->now[w] = 0;
}

static uint32_t see(void *owner, const struct event_round *round)
{
    for (uint32_t i = 0; i < round->count; i++)
        for (uint32_t r = 0; r < round->streams[i].request_count; r++)
            note_request(owner, round->streams[i].warp, &round->streams[i].requests[r]);
    return 0;
}

/* Give basic blocks that begin with TURN a weight. */
static uint32_t *table_of(const struct event_kernel *kernel, uint32_t weight)
{
    uint32_t *work = sw_xcalloc(kernel->instr_count + 1ull, sizeof *work), found = 0;
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        if (strstr(kernel->instrs[i].text, "77")) work[i] = weight, found++;
    assert_in_range(found, 1, 2);
    return work;
}

static struct seen detail(struct engine_fixture *world, const char *kernel, uint32_t n, uint32_t weight)
{
    struct {
        uint64_t in;
        uint32_t n;
    } params = {world->memory, n};
    struct sw_error error = {0};
    struct seen seen = {0};
    uint32_t slots;
    const struct event_kernel *described;
    struct engine_launch launch = {
        .grid = {1, 1, 1},
        .block = {WARPS * 32, 1, 1},
        .params = &params,
        .count = true,
        .access = true,
        .ordered = true,
        .owner = &seen,
        .detail = see,
        .residency = {.sm_count = 1, .blocks_per_sm = 1, .warps_per_block = WARPS}};
    assert_int_equal(engine_kernel_get(world->module, kernel, &launch.kernel, &error), SW_OK);
    if (engine_launch_slots(world->engine, &launch, &slots, &described, &error) != SW_OK)
        fail_msg("%s", error.message);
    uint32_t *work = weight ? table_of(described, weight) : NULL;
    launch.work = work;
    launch.counters = sw_xcalloc(slots + 1, sizeof *launch.counters);
    if (engine_launch(world->engine, &launch, &error) != SW_OK) fail_msg("%s", error.message);
    free(launch.counters);
    free(work);
    return seen;
}

static void warps_tell_their_own_work(void **state)
{
    enum { N = 50, WEIGHT = 7 };
    if (!*state) skip();
    struct seen seen = detail(*state, "once", N, WEIGHT);
    for (uint32_t w = 0; w < WARPS; w++) {
        assert_int_equal(seen.before[w][0], WEIGHT * (w * N + 1));
        assert_int_equal(seen.work[w], seen.before[w][0]);
        assert_int_equal(seen.notes[w], 1);
        assert_int_equal(seen.requests[w], 1);
    }
    seen = detail(*state, "lanes", N, WEIGHT);
    for (uint32_t w = 0; w < WARPS; w++)
        assert_int_equal(seen.work[w], WEIGHT * 32);
}

static void without_a_table_nothing_is_told(void **state)
{
    static const char *const KERNELS[] = {"once", "meet", "often", "called"};
    if (!*state) skip();
    for (size_t k = 0; k < SW_COUNT_OF(KERNELS); k++) {
        struct seen seen = detail(*state, KERNELS[k], 3, 0);
        for (uint32_t w = 0; w < WARPS; w++)
            assert_int_equal(seen.notes[w], 0);
    }
}

static void work_stands_before_barriers_and_ends(void **state)
{
    enum { N = 20, WEIGHT = 3 };
    if (!*state) skip();
    struct seen seen = detail(*state, "meet", N, WEIGHT);
    for (uint32_t w = 0; w < WARPS; w++) {
        uint64_t each = WEIGHT * (w * N + 1);
        assert_int_equal(seen.requests[w], 2); /* the barrier, the store */
        assert_int_equal(seen.before[w][0], each);
        assert_int_equal(seen.before[w][1], 0);
        assert_int_equal(seen.now[w], each); /* before its end */
    }
}

/* No work is lost between rounds, or across a call and return. */
static void loops_that_stop_go_on(void **state)
{
    static const char *const KERNELS[] = {"often", "called"};
    enum { N = 4, WEIGHT = 5, LOADS = 300 };
    if (!*state) skip();
    for (size_t k = 0; k < SW_COUNT_OF(KERNELS); k++) {
        struct seen seen = detail(*state, KERNELS[k], N, WEIGHT);
        for (uint32_t w = 0; w < WARPS; w++) {
            uint64_t each = WEIGHT * (w * N + 1);
            assert_int_equal(seen.requests[w], LOADS);
            assert_int_equal(seen.before[w][0], 0);
            assert_int_equal(seen.before[w][1], each);
            assert_int_equal(seen.work[w], LOADS * each);
            assert_int_equal(seen.notes[w], LOADS);
        }
    }
}

/* Work that exceeds the 32 bits of a request. */
static void much_work_is_not_lost(void **state)
{
    if (!*state) skip();
    struct seen seen = detail(*state, "meet", 10, UINT32_MAX);
    for (uint32_t w = 0; w < WARPS; w++)
        assert_int_equal(seen.work[w], 2 * (w * 10ull + 1) * UINT32_MAX);
    seen =
        detail(*state, "once", 10, UINT32_MAX); /* the store's record takes what it can, the end the rest */
    for (uint32_t w = 0; w < WARPS; w++)
        assert_int_equal(seen.work[w], (w * 10ull + 1) * UINT32_MAX);
}

int main(void)
{
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_tell_their_own_work), cmocka_unit_test(without_a_table_nothing_is_told),
        cmocka_unit_test(work_stands_before_barriers_and_ends), cmocka_unit_test(loops_that_stop_go_on),
        cmocka_unit_test(much_work_is_not_lost)};
    return cmocka_run_group_tests(tests, open_world, close_world);
}
