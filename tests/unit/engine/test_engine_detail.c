/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: rounds of detailed simulation: a loop that makes many requests stops after those of its
 * round; blocks take the CTA slots that become free; only the sample's lines are reported; barriers are
 * recorded where warps wait. Method: small kernels with the real compiler, and a tool that records what it
 * is told. Skips where libsoftwarp-jit.so was not built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine_fixture.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    /* thread t reads in[t], in[t + 32] ... n times */
    ".visible .entry walk(.param .u64 in, .param .u32 n) {\n"
    ".reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [in]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4;\n"
    "add.s64 %rd3, %rd1, %rd2; mov.u32 %r3, 0; mov.u32 %r5, 0;\n"
    "LOOP: ld.global.u32 %r4, [%rd3]; add.u32 %r5, %r5, %r4; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, "
    "%r1;\n"
    "@%p1 bra LOOP; st.global.u32 [%rd3], %r5; ret; }\n"
    /* a store, a barrier, a load */
    ".visible .entry meet(.param .u64 in, .param .u32 n) {\n"
    ".reg .b32 %r<9>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [in]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2;\n"
    "st.global.u32 [%rd3], %r2; bar.sync 0; ld.global.u32 %r4, [%rd3]; st.global.u32 [%rd3+4096], %r4; ret; "
    "}\n"
    /* all threads arrive at an mbarrier twice, and wait for the phase each time */
    ".visible .entry phases(.param .u64 in, .param .u32 n) {\n"
    ".shared .align 8 .b64 gap; .shared .align 8 .b64 object; .reg .pred %p<4>; .reg .b32 %r<9>; "
    ".reg .b64 %rd<5>;\n"
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra MEET;\n"
    "mbarrier.init.shared.b64 [object], %r2; mov.u64 %rd1, 0; st.shared.u64 [gap], %rd1;\n"
    "MEET: bar.sync 0; mov.u32 %r3, 0;\n"
    "LOOP: mbarrier.arrive.shared.b64 %rd2, [object];\n"
    "WAIT: mbarrier.test_wait.parity.shared.b64 %p2, [object], %r3; @!%p2 bra WAIT;\n"
    "add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 2; @%p3 bra LOOP; ret; }\n"
    /* thread t reads in[t], writes in[t * 40503 modulo 2^18] */
    ".visible .entry roam(.param .u64 in, .param .u32 n) {\n"
    ".reg .b32 %r<9>; .reg .b64 %rd<7>;\n"
    "ld.param.u64 %rd1, [in]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;\n"
    "mad.lo.u32 %r5, %r3, %r4, %r2; mul.wide.u32 %rd2, %r5, 4; add.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.u32 %r6, [%rd3]; bar.sync 0; mul.lo.u32 %r7, %r5, 40503; and.b32 %r7, %r7, 262143;\n"
    "mul.wide.u32 %rd4, %r7, 4; add.s64 %rd5, %rd1, %rd4; st.global.u32 [%rd5], %r6; ret; }\n"
    /* block b waits for block b + 1 */
    ".visible .entry later(.param .u64 in, .param .u32 n) {\n"
    ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>;\n"
    "ld.param.u64 %rd1, [in]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
    "mov.u32 %r2, %nctaid.x; sub.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r1, %r2; mov.u32 %r5, 1; @%p1 bra PUT;\n"
    "WAIT: ld.acquire.gpu.global.u32 %r4, [%rd3+4]; setp.eq.u32 %p2, %r4, 0; @%p2 bra WAIT;\n"
    "PUT: st.release.gpu.global.u32 [%rd3], %r5; ret; }\n"
    /* the same function inlined and called through a pointer: it reads from memory, and uses a local
     * array */
    ".func (.param .b32 r) sum(.param .b64 from, .param .b32 i) {\n"
    ".local .align 4 .b8 kept[16]; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [from]; ld.param.u32 %r1, [i]; mul.wide.u32 %rd2, %r1, 128; add.s64 %rd3, %rd1, "
    "%rd2;\n"
    "ld.global.u32 %r2, [%rd3]; ld.global.u32 %r3, [%rd3+4]; mov.u64 %rd4, kept; and.b32 %r6, %r1, 3; "
    "mul.wide.u32 %rd5, %r6, 4; add.s64 %rd6, %rd4, %rd5;\n"
    "st.local.u32 [%rd6], %r2; st.local.u32 [kept+4], %r3; ld.local.u32 %r4, [%rd6]; "
    "add.u32 %r5, %r4, %r3; red.global.add.u32 [%rd3+8], %r5; st.param.b32 [r], %r5; ret; }\n"
    ".visible .entry direct(.param .u64 in, .param .u32 n) {\n"
    ".reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<5>; .param .b64 a; .param .b32 b; .param .b32 c;\n"
    "ld.param.u64 %rd1, [in]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4;\n"
    "add.s64 %rd3, %rd1, %rd2; mov.u32 %r3, 0; mov.u32 %r5, 0;\n"
    "LOOP: st.param.b64 [a], %rd3; st.param.b32 [b], %r3; call (c), sum, (a, b); ld.param.b32 %r4, [c];\n"
    "add.u32 %r5, %r5, %r4; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1; @%p1 bra LOOP; "
    "st.global.u32 [%rd3], %r5; ret; }\n"
    ".visible .entry pointed(.param .u64 in, .param .u32 n) {\n"
    ".reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<6>; .param .b64 a; .param .b32 b; .param .b32 c;\n"
    "ld.param.u64 %rd1, [in]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4;\n"
    "add.s64 %rd3, %rd1, %rd2; mov.u32 %r3, 0; mov.u32 %r5, 0; mov.u64 %rd4, sum;\n"
    "P: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _);\n"
    "LOOP: st.param.b64 [a], %rd3; st.param.b32 [b], %r3; call (c), %rd4, (a, b), P; ld.param.b32 %r4, [c];\n"
    "add.u32 %r5, %r5, %r4; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1; @%p1 bra LOOP; "
    "st.global.u32 [%rd3], %r5; ret; }\n";

/* Loads of constants: all lanes load one word, then groups of four lanes share a word, then each lane
 * loads its own. */
static const char constants_text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry spread(.param .u64 in, .param .u32 n) {\n"
    ".reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [in]; mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 2; mov.u64 %rd2, %rd1;\n"
    "mul.wide.u32 %rd3, %r2, 4; add.s64 %rd4, %rd2, %rd3; mul.wide.u32 %rd5, %r1, 8; add.s64 %rd6, %rd2, "
    "%rd5;\n"
    "ld.const.u32 %r3, [%rd2]; ld.const.u32 %r4, [%rd4]; ld.const.u32 %r5, [%rd6];\n"
    "add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r5; st.global.u32 [%rd1], %r3; ret; }\n";

enum { UNITS = 4 };
ENGINE_FIXTURE_TOOL(EVENT_PROBE_COUNT | EVENT_PROBE_ACCESS, UNITS);

static void open_with(struct engine_fixture *world, const char *ptx)
{
    struct engine_config config = {.threads = 2, .isa = -1, .tool = &tool};
    assert_true(engine_fixture_open(world, config, ptx, 1 << 20));
}

static void world_open(struct engine_fixture *world)
{
    open_with(world, text);
}

struct seen {
    uint64_t turns, requests, lines, ended, barriers;
    uint32_t longest;
    uint64_t sm_of[16], slot_of[16]; /* by block */
    uint8_t kinds[8];                /* of block 0's warp 0, in order */
    uint32_t kind_count;
    uint64_t phase_lines[8];              /* of the same: what names phases */
    uint32_t addresses[8], address_count; /* of the same: of loads of constants, less 1 */
    uint32_t phase_line_count;
    uint64_t
        hash; /* of kinds, spaces and lines of global memory, in order; lines of local memory, in sectors */
    uint64_t local_sectors;
    uint64_t counted[128];
    uint32_t goes_on;               /* the sample shift after the first round: */
    bool whole;                     /* 0 */
    bool asks;                      /* others' accesses, too: */
    uint64_t accesses, others, sum; /* in the address set, by any, by others; of hashes */
    uint32_t latest;
    struct event_residency residency;
};

static void note_set_access(struct seen *seen, uint64_t line, uint32_t instr, uint32_t kind, uint32_t sm)
{
    const uint64_t all[] = {line, instr, kind, sm};
    if (!event_in_address_set(event_line_number(line) << EVENT_LINE_SHIFT)) return;
    seen->accesses++;
    seen->sum += sw_hash_bytes(all, sizeof all, 0);
}

static void see_address_set(void *owner, const struct event_set_access *accesses, size_t count)
{
    struct seen *seen = owner;
    for (size_t i = 0; i < count; i++) {
        const struct event_set_access *t = &accesses[i];
        note_set_access(seen, t->line, t->instr, t->kind, t->sm);
        seen->others++;
        if (t->when > seen->latest) seen->latest = t->when;
    }
}

/* Local variables of a function have other addresses when it is inlined. */
static void note_lines(struct seen *seen, const struct event_stream *s)
{
    const uint64_t *lines = s->lines;
    for (uint32_t r = 0; r < s->request_count; r++) {
        const struct event_request *q = &s->requests[r];
        const uint8_t what[] = {q->kind, q->space, (uint8_t)q->lines};
        seen->hash = sw_hash_bytes(what, sizeof what, seen->hash);
        if (s->block == 0 && s->warp == 0 && q->space == ISA_SPACE_CONST && seen->address_count < 8)
            seen->addresses[seen->address_count++] = (uint32_t)(lines[0] >> EVENT_LINE_WORDS);
        for (uint32_t l = 0; l < q->lines; l++) {
            bool first = s->block == 0 && s->warp == 0 && q->kind >= EVENT_KIND_ARRIVE;
            if (first && seen->phase_line_count < 8) seen->phase_lines[seen->phase_line_count++] = lines[l];
            if (q->space == ISA_SPACE_LOCAL)
                seen->local_sectors += (uint64_t)__builtin_popcountll(lines[l] & 15);
            else
                seen->hash = sw_hash_bytes(&lines[l], sizeof lines[l], seen->hash);
            if (q->space == ISA_SPACE_GLOBAL) note_set_access(seen, lines[l], q->instr, q->kind, s->sm);
        }
        lines += q->lines;
    }
}

static void note_stream(struct seen *seen, const struct event_stream *s)
{
    note_lines(seen, s);
    seen->requests += s->request_count;
    seen->ended += s->ended;
    if (s->request_count > seen->longest) seen->longest = s->request_count;
    if (s->block < 16) seen->sm_of[s->block] = s->sm, seen->slot_of[s->block] = s->slot;
    for (uint32_t r = 0; r < s->request_count; r++) {
        seen->lines += s->requests[r].lines;
        seen->barriers += s->requests[r].kind == EVENT_KIND_BARRIER;
        if (s->block == 0 && s->warp == 0 && seen->kind_count < 8)
            seen->kinds[seen->kind_count++] = s->requests[r].kind;
    }
}

static uint32_t see(void *owner, const struct event_round *round)
{
    struct seen *seen = owner;
    seen->turns++;
    for (uint32_t i = 0; i < round->count; i++)
        note_stream(seen, &round->streams[i]);
    return seen->goes_on;
}

static void detail(struct engine_fixture *world, const char *kernel, uint32_t blocks, uint32_t threads,
                   uint32_t n, uint32_t shift, struct seen *seen)
{
    struct {
        uint64_t in;
        uint32_t n;
    } params = {world->memory, n};
    struct sw_error error = {0};
    uint32_t slots;
    const struct event_kernel *described;
    struct engine_launch launch = {
        .grid = {blocks, 1, 1},
        .block = {threads, 1, 1},
        .params = &params,
        .count = true,
        .access = true,
        .ordered = true,
        .sample_shift = shift,
        .owner = seen,
        .detail = see,
        .set_accesses = seen->asks ? see_address_set : NULL,
        .residency = {.sm_count = 2, .blocks_per_sm = 2, .warps_per_block = threads / 32}};
    if (seen->residency.sm_count) launch.residency = seen->residency;
    *seen = (struct seen){.residency = launch.residency,
                          .asks = seen->asks,
                          .goes_on = seen->whole ? 0 : shift,
                          .whole = seen->whole};
    assert_int_equal(engine_kernel_get(world->module, kernel, &launch.kernel, &error), SW_OK);
    if (engine_launch_slots(world->engine, &launch, &slots, &described, &error) != SW_OK)
        fail_msg("%s", error.message);
    launch.counters = sw_xcalloc(slots + 1, sizeof *launch.counters);
    if (engine_launch(world->engine, &launch, &error) != SW_OK) fail_msg("%s", error.message);
    assert_in_range(slots, 1, SW_COUNT_OF(seen->counted));
    memcpy(seen->counted, launch.counters, slots * sizeof *launch.counters);
    free(launch.counters);
}

static void test_long_loops_stop(void **state)
{
    (void)state;
    enum { TIMES = 1000000, MOST_KIB = 16 << 10 };
    if (!engine_fixture_can_compile()) skip();
    struct engine_fixture world;
    struct seen seen = {0};
    struct rusage before, after;
    world_open(&world);
    detail(&world, "walk", 4, 32, 1000, 0, &seen); /* compiled, and all that grows once has grown */
    getrusage(RUSAGE_SELF, &before);
    detail(&world, "walk", 4, 32, TIMES, 0, &seen);
    getrusage(RUSAGE_SELF, &after);
    assert_int_equal(seen.requests, 4ull * (TIMES + 1));
    assert_int_equal(seen.lines, seen.requests);
    assert_int_equal(seen.ended, 4);
    assert_in_range(seen.longest, EVENT_ROUND_REQUESTS, EVENT_ROUND_REQUESTS + 2);
    assert_in_range(seen.turns, TIMES / EVENT_ROUND_REQUESTS, TIMES / EVENT_ROUND_REQUESTS + 2);
    assert_in_range(after.ru_maxrss - before.ru_maxrss, 0, MOST_KIB); /* 64 MB of requests and lines passed */
    engine_fixture_close(&world);
}

static void test_blocks_take_free_cta_slots(void **state)
{
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    struct engine_fixture world;
    struct seen seen = {0};
    world_open(&world);
    detail(&world, "meet", 9, 64, 0, 0, &seen);
    for (uint64_t b = 0; b < 9; b++) {
        assert_int_equal(seen.sm_of[b], b % 2);
        assert_int_equal(seen.slot_of[b], b / 2 % 2);
    }
    assert_int_equal(seen.turns, 3); /* 4, 4 and 1 of them */
    assert_int_equal(seen.ended, 18);
    assert_int_equal(seen.barriers, 18);
    assert_int_equal(seen.requests, 18 * 4);
    const uint8_t order[] = {EVENT_KIND_STORE, EVENT_KIND_BARRIER, EVENT_KIND_LOAD, EVENT_KIND_STORE};
    assert_int_equal(seen.kind_count, 4);
    assert_memory_equal(seen.kinds, order, sizeof order);
    engine_fixture_close(&world);
}

/* Records of constant loads contain the number of distinct addresses. */
static void test_constants_tell_their_addresses(void **state)
{
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    struct engine_fixture world;
    struct seen seen = {0};
    open_with(&world, constants_text);
    detail(&world, "spread", 1, 32, 0, 0, &seen);
    assert_int_equal(seen.address_count, 3);
    assert_int_equal(seen.addresses[0], 1 - 1);
    assert_int_equal(seen.addresses[1], UNITS - 1); /* as the tool counts them */
    assert_int_equal(seen.addresses[2], UNITS - 1);
    engine_fixture_close(&world);
}

/* Lanes that arrive together are one arrival. The record of a wait contains the phase and the arrivals
 * that completed it. */
static void test_phases_are_told(void **state)
{
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    struct engine_fixture world;
    struct seen seen = {0};
    world_open(&world);
    detail(&world, "phases", 5, 96, 0, 0, &seen);
    const uint8_t order[] = {EVENT_KIND_BARRIER, EVENT_KIND_ARRIVE, EVENT_KIND_AWAIT, EVENT_KIND_ARRIVE,
                             EVENT_KIND_AWAIT};
    assert_int_equal(seen.kind_count, SW_COUNT_OF(order));
    assert_memory_equal(seen.kinds, order, sizeof order);
    assert_int_equal(seen.requests, 5 * 3 * SW_COUNT_OF(order));
    assert_int_equal(seen.phase_lines[0], event_phase(1, 0)); /* 8 bytes into shared memory */
    assert_int_equal(seen.phase_lines[1], event_phase(1, 0));
    assert_int_equal(seen.phase_lines[2], 3 << EVENT_LINE_SECTORS);
    assert_int_equal(seen.phase_lines[3], event_phase(1, 1));
    assert_int_equal(seen.phase_lines[4], event_phase(1, 1));
    assert_int_equal(seen.phase_lines[5], 3 << EVENT_LINE_SECTORS);
    engine_fixture_close(&world);
}

/* Of 64 multiprocessors in 16 clusters, 4 clusters are simulated in detail, and all blocks that have a CTA
 * slot at first. */
static void test_samples_leave_blocks_out(void **state)
{
    enum { SMS = 64, FIRST = 2 * SMS, BLOCKS = 10 * SMS + 5, SHIFT = 2 };
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    struct engine_fixture world;
    const struct event_residency residency = {.sm_count = SMS, .blocks_per_sm = 2, .warps_per_block = 2};
    struct seen all = {.residency = residency}, some = {.residency = residency};
    uint64_t wanted = 0, sms = 0;
    world_open(&world);
    detail(&world, "meet", BLOCKS, 64, 0, 0, &all);
    detail(&world, "meet", BLOCKS, 64, 0, SHIFT, &some);
    for (uint32_t b = 0; b < BLOCKS; b++)
        wanted += b < FIRST || event_is_detailed(b % SMS, SMS, SHIFT);
    for (uint32_t sm = 0; sm < SMS; sm++)
        sms += event_is_detailed(sm, SMS, SHIFT);
    assert_int_equal(sms, SMS >> SHIFT);
    assert_int_equal(all.ended, BLOCKS * 2);
    assert_int_equal(some.ended, wanted * 2);
    assert_int_equal(some.requests, wanted * 8);
    assert_memory_equal(some.counted, all.counted, sizeof all.counted);
    engine_fixture_close(&world);
}

/* After the first round, the tool wants to see all. */
static void test_samples_may_become_whole(void **state)
{
    enum { SMS = 64, BLOCKS = 10 * SMS + 5, SHIFT = 2 };
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    struct engine_fixture world;
    const struct event_residency residency = {.sm_count = SMS, .blocks_per_sm = 2, .warps_per_block = 2};
    struct seen all = {.residency = residency}, whole = {.residency = residency, .whole = true};
    struct seen few = {.residency = residency, .whole = true, .asks = true};
    world_open(&world);
    detail(&world, "meet", BLOCKS, 64, 0, 0, &all);
    detail(&world, "meet", BLOCKS, 64, 0, SHIFT, &whole);
    assert_int_equal(whole.ended, BLOCKS * 2);
    assert_int_equal(whole.hash, all.hash);
    assert_memory_equal(whole.counted, all.counted, sizeof all.counted);
    detail(&world, "meet", SMS, 64, 0, SHIFT, &few); /* of which all begin at once */
    assert_int_equal(few.ended, SMS * 2);
    assert_int_equal(few.others, 0);
    engine_fixture_close(&world);
}

/* Blocks on multiprocessor 1 take three times as long as on 0, so it gets a third as many. */
struct uneven {
    struct event_progress progress;
    uint64_t times[2];
    uint32_t blocks[2];
};

static uint32_t note_uneven(void *owner, const struct event_round *round)
{
    struct uneven *uneven = owner;
    for (uint32_t i = 0; i < round->count; i++) {
        uint32_t sm = round->streams[i].sm;
        assert_true(round->streams[i].ended);
        uneven->times[sm] += sm ? 30 : 10;
        uneven->blocks[sm]++;
    }
    return 0;
}

static void detail_uneven(struct engine_fixture *world, bool divisible, struct uneven *uneven)
{
    struct {
        uint64_t in;
        uint32_t n;
    } params = {world->memory, 1};
    struct sw_error error = {0};
    uint32_t slots;
    const struct event_kernel *described;
    *uneven = (struct uneven){.progress = {.cta_slots = uneven->times, .ahead = 5}};
    struct engine_launch launch = {
        .grid = {40, 1, 1},
        .block = {32, 1, 1},
        .params = &params,
        .count = true,
        .access = true,
        .owner = uneven,
        .detail = note_uneven,
        .progress = &uneven->progress,
        .residency = {.sm_count = 2, .blocks_per_sm = 1, .warps_per_block = 1, .divisible = divisible}};
    assert_int_equal(engine_kernel_get(world->module, "walk", &launch.kernel, &error), SW_OK);
    assert_int_equal(engine_launch_slots(world->engine, &launch, &slots, &described, &error), SW_OK);
    launch.counters = sw_xcalloc(slots + 1, sizeof *launch.counters);
    assert_int_equal(engine_launch(world->engine, &launch, &error), SW_OK);
    free(launch.counters);
}

static void test_blocks_go_to_the_cta_slot_that_is_free_first(void **state)
{
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    struct engine_fixture world;
    struct uneven uneven;
    world_open(&world);
    detail_uneven(&world, true, &uneven);
    assert_int_equal(uneven.blocks[0], 30);
    assert_int_equal(uneven.blocks[1], 10);
    detail_uneven(&world, false, &uneven); /* one may wait for another: none is held back */
    assert_int_equal(uneven.blocks[0], 20);
    engine_fixture_close(&world);
}

/* A warp makes the same requests whether a function is inlined or called, and yields in both cases. */
static void test_functions_note_what_inlined_code_does(void **state)
{
    enum { TIMES = 1000, REQUESTS = 6 * TIMES + 1, LOCAL = 3 * TIMES };
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    struct engine_fixture world;
    struct seen direct = {0}, pointed = {0};
    world_open(&world);
    detail(&world, "direct", 1, 32, TIMES, 0, &direct);
    detail(&world, "pointed", 1, 32, TIMES, 0, &pointed);
    assert_int_equal(direct.requests, REQUESTS);
    assert_int_equal(pointed.requests, REQUESTS);
    assert_int_equal(direct.local_sectors, LOCAL * 4);
    assert_int_equal(pointed.local_sectors, LOCAL * 4);
    assert_int_equal(pointed.hash, direct.hash);
    assert_in_range(pointed.longest, EVENT_ROUND_REQUESTS, EVENT_ROUND_REQUESTS + 6);
    assert_int_equal(pointed.turns, direct.turns);
    engine_fixture_close(&world);
}

/* All blocks report their accesses to the address set, whether they are simulated in detail or not. */
static struct seen compare_set_accesses(const char *kernel, uint32_t blocks, uint32_t n)
{
    enum { SMS = 64, SHIFT = 2, THREADS = 256 };
    struct engine_fixture world;
    const struct event_residency residency = {.sm_count = SMS, .blocks_per_sm = 1, .warps_per_block = 8};
    struct seen all = {.residency = residency}, some = {.residency = residency, .asks = true}, silent = all;
    world_open(&world);
    detail(&world, kernel, blocks, THREADS, n, 0, &all);
    detail(&world, kernel, blocks, THREADS, n, SHIFT, &silent);
    detail(&world, kernel, blocks, THREADS, n, SHIFT, &some);
    assert_int_equal(some.accesses, all.accesses);
    assert_int_equal(some.sum, all.sum);
    assert_in_range(some.others, all.accesses / 2, all.accesses);
    assert_memory_equal(some.counted, silent.counted, sizeof some.counted);
    engine_fixture_close(&world);
    return some;
}

static void test_others_tell_what_they_touch(void **state)
{
    enum { BLOCKS = 1024, REQUESTS = 256 * BLOCKS, TIMES = 200 };
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    struct seen seen = compare_set_accesses("roam", BLOCKS, 0);
    assert_in_range(seen.accesses, REQUESTS / 64, REQUESTS * 3 / 64);
    assert_int_equal(seen.latest, 1);
    seen = compare_set_accesses("pointed", BLOCKS / 4, TIMES); /* a function that stays one */
    assert_in_range(seen.latest, TIMES / 2,
                    3 * TIMES); /* which granules are chosen depends on where memory is */
}

static void test_blocks_that_wait_for_later_ones_end(void **state)
{
    enum { BLOCKS = 40 }; /* with CTA slots for 4 */
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    struct engine_fixture world;
    struct seen seen = {0};
    world_open(&world);
    detail(&world, "later", BLOCKS, 32, 0, 0, &seen);
    for (uint32_t b = 0; b < BLOCKS; b++)
        assert_int_equal(((const uint32_t *)(uintptr_t)world.memory)[b], 1);
    assert_in_range(seen.ended, 4, BLOCKS); /* the others are not given to the tool */
    engine_fixture_close(&world);
}

int main(void)
{
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_constants_tell_their_addresses),
                                       cmocka_unit_test(test_phases_are_told),
                                       cmocka_unit_test(test_long_loops_stop),
                                       cmocka_unit_test(test_blocks_take_free_cta_slots),
                                       cmocka_unit_test(test_samples_leave_blocks_out),
                                       cmocka_unit_test(test_samples_may_become_whole),
                                       cmocka_unit_test(test_blocks_go_to_the_cta_slot_that_is_free_first),
                                       cmocka_unit_test(test_others_tell_what_they_touch),
                                       cmocka_unit_test(test_functions_note_what_inlined_code_does),
                                       cmocka_unit_test(test_blocks_that_wait_for_later_ones_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
