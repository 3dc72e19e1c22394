/* SPDX-License-Identifier: Apache-2.0 */
/* The caches of the memory model on small streams of requests: lines, sets, sectors, stores, atomics,
 * evictions; and pointer walks of one lane that were recorded on an H200 (tests/hw/memory/walks.def). */
#include "model_launch.h"

#include "model/sample/model_sample_shift.h"

#include <math.h>

enum {
    LOAD,
    STORE,
    RED,
    BYPASS,
    BYTE,
    CONSTANT,
    STREAMED,
    KEPT,
    POLICY,
    MOVE,
    HALF,
    NUMBER,
    FIRST,
    TWICE,
    LOST,
    ONCE,
    SIZE,
    RANGE,
    WITHIN,
    SOME,
    CONVERT,
    CONVERTED,
    UNSIZED,
    ANYWHERE,
    LOAD_FIRST,
    LOAD_LAST,
    LOAD_STREAM,
    INSTRS,
    MOST = 1 << 16
};
static const char *const TEXTS[INSTRS] = {
    [LOAD] = "ld.global.ca.f32 %f1, [%rd5];",
    [STORE] = "st.global.f32 [%rd5], %f1;",
    [RED] = "red.global.add.f32 [%rd5], %f1;",
    [BYPASS] = "ld.global.lu.f32 %f1, [%rd5];",
    [BYTE] = "st.global.u8 [%rd5], %r1;",
    [CONSTANT] = "ld.const.f32 %f1, [table];",
    [STREAMED] = "ld.global.cg.L2::evict_first.f32 %f1, [%rd5];",
    [KEPT] = "ld.global.cg.L2::evict_last.f32 %f1, [%rd5];",
    [POLICY] =
        "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd1, 0d3FE0000000000000;", /* 0.5
                                                                                                     */
    [MOVE] = "mov.b64 %rd2, %rd1;",
    [HALF] = "ld.global.cg.L2::cache_hint.f32 %f1, [%rd5], %rd2;",
    [NUMBER] = "mov.u64 %rd3, 1364590687093260288;", /* 0x12f0 << 48: evict_first */
    [FIRST] = "ld.global.cg.L2::cache_hint.f32 %f1, [%rd5], %rd3;",
    [TWICE] = "mov.b64 %rd4, %rd1;",
    [LOST] = "ld.global.cg.L2::cache_hint.f32 %f1, [%rd5], %rd4;",
    [ONCE] = "mov.b64 %rd4, %rd1;",
    [SIZE] = "mov.u32 %r6, 8388608;",
    [RANGE] = "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %rd7, [%rd5], 4194304, %r6;",
    [WITHIN] = "ld.global.cg.L2::cache_hint.f32 %f1, [%rd5], %rd7;",
    [SOME] = "mov.u64 %rd8, 1472677078150152192;", /* 0x1470 << 48: 8 of 16, evict_last */
    [CONVERT] = "createpolicy.cvt.L2.b64 %rd9, %rd8;",
    [CONVERTED] = "ld.global.cg.L2::cache_hint.f32 %f1, [%rd5], %rd9;",
    [UNSIZED] = "createpolicy.range.L2::evict_last.b64 %rd10, [%rd5], %r5, 8388608;",
    [ANYWHERE] = "ld.global.cg.L2::cache_hint.f32 %f1, [%rd5], %rd10;",
    [LOAD_FIRST] = "ld.global.L1::evict_first.f32 %f1, [%rd5];",
    [LOAD_LAST] = "ld.global.L1::evict_last.f32 %f1, [%rd5];",
    [LOAD_STREAM] = "ld.global.cs.f32 %f1, [%rd5];",
};
static struct event_instr instrs[INSTRS];

static void read_instrs(struct event_code *code)
{
    struct str body = {0};
    for (uint32_t i = 0; i < INSTRS; i++)
        str_printf(&body, "%s\n", TEXTS[i]);
    event_code_open(code, str_text(&body));
    assert_int_equal(code->kernel.instr_count, INSTRS);
    for (uint32_t i = 0; i < INSTRS; i++) {
        instrs[i] = code->instrs[i];
        instrs[i].slots = (struct event_slots){0};
    }
    str_release(&body);
}

static const uint8_t kinds[INSTRS] = {
    [STORE] = EVENT_KIND_STORE, [RED] = EVENT_KIND_RED, [BYTE] = EVENT_KIND_STORE};
_Static_assert(EVENT_KIND_LOAD == 0, "all others load");
static const struct event_kernel kernel = {.name = "walk", .instr_count = INSTRS, .instrs = instrs};
static const struct event_launch launch = {.kernel = &kernel};

/* One warp's requests, each of one line, replayed in rounds of MOST. */
struct script {
    struct model_memory *memory;
    struct arch_gpu gpu;
    uint32_t count, sm;
    struct event_request requests[MOST];
    uint64_t lines[MOST];
    const struct event_memory *result;
};

static void play(struct script *s, bool ended)
{
    struct event_stream stream = {.block = s->sm,
                                  .sm = s->sm,
                                  .request_count = s->count,
                                  .requests = s->requests,
                                  .lines = s->lines,
                                  .ended = ended};
    struct event_round round = {.count = 1, .streams = &stream};
    model_memory_round(s->memory, &round, &(struct model_costs){0});
    s->count = 0;
}

static void ask(struct script *s, uint32_t instr, uint64_t line, uint32_t mask)
{
    if (s->count == MOST) play(s, false);
    s->requests[s->count] =
        (struct event_request){.instr = instr,
                               .lines = 1,
                               .kind = kinds[instr],
                               .space = instr == CONSTANT ? ISA_SPACE_CONST : ISA_SPACE_GLOBAL};
    s->lines[s->count++] = line << EVENT_LINE_SECTORS | mask;
    if (instr == BYTE) s->lines[s->count - 1] |= (uint64_t)mask << EVENT_LINE_PARTIAL;
}

static void ask_lines(struct script *s, uint32_t instr, uint64_t first, uint32_t count, uint32_t mask)
{
    for (uint32_t i = 0; i < count; i++)
        ask(s, instr, first + i, mask);
}

static uint32_t fetch_bytes;
static struct event_policy policy;
static struct event_range host_memory;

static void begin(struct script *s, uint32_t l1_bytes, bool cold)
{
    struct event_residency residency = model_residency(&s->gpu, 1, l1_bytes);
    s->count = s->sm = 0;
    struct event_launch own = launch;
    own.l2_fetch_bytes = fetch_bytes;
    own.policy = policy;
    own.far = &host_memory;
    own.far_count = host_memory.end != 0;
    model_memory_launch_begin(s->memory, &own, &residency, 0, cold);
}

static const struct event_memory *end(struct script *s)
{
    play(s, true);
    return s->result = model_memory_launch_end(s->memory, &launch);
}

static struct script *open_gpu(const char *name)
{
    struct script *s = calloc(1, sizeof *s);
    struct sw_error error = {0};
    assert_non_null(s);
    assert_int_equal(arch_gpu_load(name, &s->gpu, &error), SW_OK);
    s->memory = model_memory_of(&s->gpu);
    return s;
}

/* A launch on an H200 has begun, with cold caches. */
static struct script *open_cold(void)
{
    struct script *s = open_gpu(TEST90);
    begin(s, 224 << 10, true);
    return s;
}

static void close_gpu(struct script *s)
{
    model_memory_delete(s->memory);
    free(s);
}

static void sectors_fill_alone(void **state)
{
    (void)state;
    struct script *s = open_cold();
    ask(s, LOAD, 1000, 1); /* DRAM delivers two sectors, L1 takes one */
    ask(s, LOAD, 1000, 1);
    ask(s, LOAD, 1000, 2);
    ask(s, LOAD, 1000, 12);
    const struct event_memory *r = end(s);
    assert_int_equal(r->total.l1_sectors, 5);
    assert_int_equal(r->total.l1_hits, 1);
    assert_int_equal(r->total.l2_reads, 4);
    assert_int_equal(r->total.l2_read_hits, 1);
    assert_int_equal(r->total.dram_reads, 4);
    assert_int_equal(r->instrs[LOAD][EVENT_ACCESS_GLOBAL].l1_hits, 1);
    close_gpu(s);
}

static void stores_stay_in_l1_and_l2(void **state)
{
    (void)state;
    struct script *s = open_cold();
    ask(s, STORE, 77, 15);
    ask(s, LOAD, 77, 15);
    const struct event_memory *r = end(s);
    assert_int_equal(r->total.l1_hits, 4);
    assert_int_equal(r->total.l2_reads, 0);
    assert_int_equal(r->total.l2_writes, 4);
    assert_int_equal(r->total.dram_reads, 0);
    assert_int_equal(r->total.dram_writes, 0);
    assert_int_equal(r->l2_writebacks, 4);
    close_gpu(s);
}

/* Recorded on an H200: stores of whole lines never evict lines that were loaded (softmax_rows); stores of
 * words do (lines.txt, stored 1900 1000). */
static void whole_lines_of_stores_push_out_stores(void **state)
{
    (void)state;
    enum { READ = 896, STORED = 4000 }; /* lines: half of 224 KiB, and more than all */
    struct script *s = open_cold();
    ask_lines(s, LOAD, 0x8000000, READ, 15);
    ask_lines(s, STORE, 0x9000000, STORED, 15);
    ask_lines(s, LOAD, 0x8000000, READ, 15);
    assert_in_range(end(s)->total.l1_hits, READ * 4 * 0.99, READ * 4); /* sets may have none but those */
    begin(s, 224 << 10, true);
    ask_lines(s, LOAD, 0x8000000, READ, 1);
    ask_lines(s, STORE, 0x9000000, STORED, 1);
    ask_lines(s, LOAD, 0x8000000, READ, 1);
    assert_int_equal(end(s)->total.l1_hits, 0);
    close_gpu(s);
}

static void host_memory_is_in_l1_alone(void **state)
{
    (void)state;
    struct script *s = open_gpu(TEST90);
    host_memory = (struct event_range){100 << EVENT_LINE_SHIFT, 110 << EVENT_LINE_SHIFT, false};
    begin(s, 224 << 10, true);
    ask(s, LOAD, 100, 15);
    ask(s, LOAD, 100, 15); /* L1 has it */
    ask(s, BYPASS, 109, 3);
    ask(s, BYPASS, 109, 3); /* L2 has not */
    ask(s, LOAD, 99, 15);   /* the device's */
    ask(s, LOAD, 110, 15);
    ask(s, STORE, 105, 1);
    ask(s, STORE, 111, 15);
    ask(s, RED, 107, 1);
    struct event_memory_sums sums = end(s)->total;
    host_memory.end = 0;
    assert_int_equal(sums.host_reads, 4 + 2 + 2 + 1);
    assert_int_equal(sums.host_read_requests, 4);
    assert_int_equal(sums.host_writes, 2);
    assert_int_equal(sums.host_write_requests, 2);
    assert_int_equal(sums.dram_reads, 8);
    assert_int_equal(sums.l2_reads, 16);
    assert_int_equal(sums.l2_writes, 5);
    assert_int_equal(s->result->l2_writebacks, 4);
    close_gpu(s);
}

static void other_devices_memory_is_in_l1_alone(void **state)
{
    (void)state;
    struct script *s = open_gpu(TEST90);
    host_memory = (struct event_range){100 << EVENT_LINE_SHIFT, 110 << EVENT_LINE_SHIFT, true};
    begin(s, 224 << 10, true);
    ask(s, LOAD, 100, 15);
    ask(s, LOAD, 100, 15); /* L1 has it */
    ask(s, BYPASS, 109, 3);
    ask(s, BYPASS, 109, 3); /* L2 has not */
    ask(s, STORE, 105, 1);
    ask(s, RED, 107, 1);
    struct event_memory_sums sums = end(s)->total;
    host_memory = (struct event_range){0};
    assert_int_equal(sums.peer_reads, 4 + 2 + 2 + 1);
    assert_int_equal(sums.peer_read_requests, 4);
    assert_int_equal(sums.peer_writes, 2);
    assert_int_equal(sums.peer_write_requests, 2);
    assert_int_equal(sums.host_reads + sums.host_writes + sums.dram_reads, 0);
    close_gpu(s);
}

static void atomics_drop_the_line_of_l1(void **state)
{
    (void)state;
    struct script *s = open_cold();
    ask(s, LOAD, 5, 15);
    ask(s, RED, 5, 1);
    ask(s, LOAD, 5, 15);
    const struct event_memory *r = end(s);
    assert_int_equal(r->total.l1_hits, 3);
    assert_int_equal(r->total.l2_atomics, 1);
    assert_int_equal(r->total.l2_atomic_hits, 1);
    assert_int_equal(r->total.dram_reads, 4);
    close_gpu(s);
}

static void operators_bypass_l1(void **state)
{
    (void)state;
    struct script *s = open_cold();
    ask(s, BYPASS, 5, 15);
    ask(s, BYPASS, 5, 15);
    const struct event_memory *r = end(s);
    assert_int_equal(r->total.l1_hits, 0);
    assert_int_equal(r->total.l2_reads, 8);
    close_gpu(s);
}

static void older_gpus_do_not_cache_globals(void **state)
{
    (void)state;
    struct script *s = open_gpu(TEST35);
    begin(s, 16 << 10, true);
    ask(s, LOAD, 5, 15);
    ask(s, LOAD, 5, 15);
    const struct event_memory *r = end(s);
    assert_int_equal(r->total.l1_hits, 0);
    assert_int_equal(r->total.l2_reads, 8);
    assert_int_equal(r->total.l2_read_hits, 4);
    close_gpu(s);
}

static void warm_l2_keeps_lines(void **state)
{
    (void)state;
    struct script *s = open_gpu(TEST90);
    for (int pass = 0; pass < 3; pass++) {
        begin(s, 224 << 10, pass == 2);
        ask(s, LOAD, 5, 15);
        const struct event_memory *r = end(s);
        assert_int_equal(r->total.l1_hits, 0); /* L1 never keeps */
        assert_int_equal(r->total.dram_reads, pass == 1 ? 0 : 4);
    }
    close_gpu(s);
}

/* L2 writes back dirty lines beyond its limit during the launch; the others are dirty at the end. */
static void dirty_lines_are_written_back(void **state)
{
    (void)state;
    enum { LINES = 1 << 19 }; /* 64 MiB */
    struct script *s = open_cold();
    ask_lines(s, STORE, 0, LINES, 15);
    const struct event_memory *r = end(s);
    assert_int_equal(r->total.l2_writes, 4 * LINES);
    assert_int_equal(r->l2_writebacks, 4 * LINES);
    assert_in_range(r->total.dram_writes, 1264872 * 0.95, 1264872 * 1.05); /* fill of 64 MiB on the H200 */
    close_gpu(s);
}

/* L2 reads the rest of a partially written sector from DRAM before it evicts the sector. */
static void sectors_written_in_part_are_filled(void **state)
{
    (void)state;
    enum { LINES = 1 << 18 };
    struct script *s = open_cold();
    for (uint32_t i = 0; i < LINES; i++)
        ask(s, BYTE, i, 1 | 4 | 8);
    const struct event_memory *r = end(s);
    assert_in_range(r->total.dram_reads, 3 * (LINES - 62000), 3 * (LINES - 59000));
    assert_int_equal(r->l2_writebacks, 3 * LINES);
    close_gpu(s);
}

/* Stores to all eight words of a sector make it complete; stores to seven do not. */
static void words_make_sectors_whole(void **state)
{
    (void)state;
    enum { LINES = 1 << 18, WORDS = 8, PARTIAL_MOST = 62000 };
    for (uint32_t words = WORDS - 1; words <= WORDS; words++) {
        struct script *s = open_cold();
        for (uint32_t i = 0; i < LINES * words; i++)
            ask(s, BYTE, i / words, 2);
        const struct event_memory *r = end(s);
        if (words == WORDS)
            assert_int_equal(r->total.dram_reads, 0);
        else
            assert_true(r->total.dram_reads >= LINES - PARTIAL_MOST);
        close_gpu(s);
    }
}

/* A launch with cold caches does not depend on the one before: neither on its lines nor on how many choices
 * among dirty lines it made. */
static void cold_launches_are_alike(void **state)
{
    (void)state;
    enum { LAUNCHES = 3, LINES = 700000 };
    struct script *s = open_gpu(TEST90);
    uint64_t writes[LAUNCHES];
    for (int i = 0; i < LAUNCHES; i++) {
        begin(s, 224 << 10, true);
        for (uint32_t line = 0; line < LINES; line++)
            ask(s, STORE, line, 1u << line % 4 | 1u);
        writes[i] = end(s)->l2_writebacks + (s->result->total.dram_writes << 32);
    }
    assert_true(s->result->total.dram_writes > 0);
    for (int i = 1; i < LAUNCHES; i++)
        assert_true(writes[i] == writes[0]);
    close_gpu(s);
}

/* The context's fetch granularity says how many sectors DRAM delivers together. */
static void fetches_are_as_wide_as_the_limit(void **state)
{
    (void)state;
    enum { LINES = 1000 };
    static const uint32_t limits[][2] = {{32, 1}, {0, 2}, {64, 2}, {128, 4}}; /* bytes, sectors */
    for (size_t i = 0; i < SW_COUNT_OF(limits); i++) {
        struct script *s = open_gpu(TEST90);
        fetch_bytes = limits[i][0];
        begin(s, 224 << 10, true);
        ask_lines(s, LOAD, LINES, LINES, 4);
        assert_int_equal(end(s)->total.dram_reads, LINES * limits[i][1]);
        fetch_bytes = 0;
        close_gpu(s);
    }
}

/* DRAM delivers constants once. They do not count as sectors of L1 or L2. */
static void constants_have_their_own_cache(void **state)
{
    (void)state;
    enum { LINES = 512, PASSES = 3, SECTORS = 4 };
    struct script *s = open_cold();
    for (uint32_t i = 0; i < LINES * PASSES; i++)
        ask(s, CONSTANT, i % LINES, 15);
    const struct event_memory *r = end(s);
    assert_int_equal(r->total.dram_reads, LINES * SECTORS);
    assert_int_equal(r->total.l1_sectors, 0);
    assert_int_equal(r->total.l2_reads, 0);
    assert_int_equal(r->constant_requests, LINES * PASSES * 2); /* pieces of 64 bytes */
    assert_int_equal(r->constant_hits, 0);
    assert_int_equal(r->constant_group_hits, LINES * PASSES * 2 - LINES / 2); /* filled by 256 bytes */
    assert_in_range(r->constant_l2_reads, LINES * SECTORS, LINES * SECTORS * 2);
    close_gpu(s);
}

/* A multiprocessor's constant cache keeps what fits. One line more than the ways of a set causes
 * evictions. */
static void constants_stay_where_they_fit(void **state)
{
    (void)state;
    enum { WAYS = 4, SET_LINES = 4 /* of 128 bytes, until the same set comes again */, PASSES = 10 };
    struct script *s = open_gpu(TEST90);
    for (uint32_t lines = WAYS; lines <= WAYS + 1; lines++) {
        begin(s, 224 << 10, true);
        for (uint32_t i = 0; i < lines * PASSES; i++) {
            ask(s, CONSTANT, i % lines * SET_LINES, 1);
            ask(s, BYPASS, i, 1); /* takes time, so that nothing is on its way any more */
            ask(s, RED, 1, 1);
        }
        const struct event_memory *r = end(s);
        assert_int_equal(r->constant_requests, lines * PASSES);
        assert_int_equal(r->constant_hits, lines == WAYS ? lines * (PASSES - 1) : 0);
        assert_int_equal(r->constant_requests - r->constant_hits - r->constant_group_hits, lines);
    }
    close_gpu(s);
}

/* Each group of multiprocessors requests a sector from L2 once, however often its multiprocessors load it.
 * Recorded on an H200, constant_walk: (19973 - 1350) / 2000 requests a sector. */
static void constants_are_read_once_a_group(void **state)
{
    (void)state;
    enum { LINES = 500, SECTORS = 4, PASSES = 2, GROUPS = 8 };
    struct script *s = open_cold();
    for (uint32_t pass = 0; pass < PASSES; pass++)
        for (s->sm = 0; s->sm < (uint32_t)s->gpu.sm_count; s->sm++) {
            ask_lines(s, CONSTANT, 0, LINES, 15);
            play(s, pass + 1 == PASSES);
        }
    const struct event_memory *r = model_memory_launch_end(s->memory, &launch);
    assert_int_equal(r->constant_requests, (uint64_t)s->gpu.sm_count * PASSES * LINES * 2);
    assert_int_equal(r->constant_requests - r->constant_hits - r->constant_group_hits, GROUPS * LINES / 2);
    assert_int_equal(r->constant_l2_reads, (GROUPS + 1) * LINES * SECTORS);
    assert_int_equal(r->total.dram_reads, LINES * SECTORS);
    close_gpu(s);
}

/* ---- access policies */

enum { MIB_LINES = 1 << 13 };

/* Read one sector of each line of `mib` MiB, from MiB `first` on. */
static void read_mib(struct script *s, uint32_t instr, uint32_t first, uint32_t mib)
{
    for (uint32_t i = 0; i < mib * MIB_LINES; i++)
        ask(s, instr, (uint64_t)first * MIB_LINES + i, 1);
}

/* The hit rate of a second pass over `kept` MiB, after a pass over `other` MiB of other lines. */
static double found_again(const struct event_policy *with, uint32_t instr, uint32_t other_instr,
                          uint32_t kept, uint32_t other)
{
    struct script *s = open_gpu(TEST89); /* 72 MiB, of one part */
    policy = *with;
    begin(s, 100 << 10, true);
    read_mib(s, instr, 0, kept);
    read_mib(s, other_instr, 1024, other);
    play(s, false);
    read_mib(s, instr, 0, kept);
    const struct event_memory *r = end(s);
    double share = (double)r->total.l2_read_hits / (kept * MIB_LINES);
    policy = (struct event_policy){0};
    close_gpu(s);
    return share;
}

static void windows_make_lines_stay(void **state)
{
    (void)state;
    enum { KEPT_MIB = 16, OTHER_MIB = 80, SET_ASIDE = 25 << 20 };
    struct event_policy with = {.base = 0,
                                .bytes = (uint64_t)KEPT_MIB << 20,
                                .set_aside_bytes = SET_ASIDE,
                                .hit_ratio = 1,
                                .hit = EVENT_POLICY_PERSISTING,
                                .miss = EVENT_POLICY_STREAMING};
    struct event_policy none = {0};
    assert_true(found_again(&none, BYPASS, BYPASS, KEPT_MIB, OTHER_MIB) < 0.01);
    assert_true(found_again(&with, BYPASS, BYPASS, KEPT_MIB, OTHER_MIB) > 0.98);
    with.hit_ratio = 0.5f; /* half of the lines */
    assert_in_range(1000 * found_again(&with, BYPASS, BYPASS, KEPT_MIB, OTHER_MIB), 480, 520);
    with.hit_ratio = 1;
    with.set_aside_bytes = 0; /* nothing can persist */
    assert_true(found_again(&with, BYPASS, BYPASS, KEPT_MIB, OTHER_MIB) < 0.01);
    with.set_aside_bytes = SET_ASIDE;
    with.hit = EVENT_POLICY_NORMAL;
    assert_true(found_again(&with, BYPASS, BYPASS, KEPT_MIB, OTHER_MIB) < 0.01);
}

/* The guide's sliding window: a window that fits the set-aside persists. A larger one evicts its own lines,
 * unless hitRatio is the share that fits. */
static void windows_beyond_the_set_aside_thrash(void **state)
{
    (void)state;
    enum { SET_ASIDE_MIB = 30, OTHER_MIB = 120 };
    double before = 2;
    for (uint32_t mib = 10; mib <= 60; mib += 10) {
        struct event_policy with = {.bytes = (uint64_t)mib << 20,
                                    .set_aside_bytes = SET_ASIDE_MIB << 20,
                                    .hit_ratio = 1,
                                    .hit = EVENT_POLICY_PERSISTING,
                                    .miss = EVENT_POLICY_STREAMING};
        double all = found_again(&with, BYPASS, BYPASS, mib, OTHER_MIB);
        with.hit_ratio = mib >= SET_ASIDE_MIB ? 0.9f * SET_ASIDE_MIB / (float)mib : 1;
        double tuned = found_again(&with, BYPASS, BYPASS, mib, OTHER_MIB);
        print_message("window of %u MiB: %.3f found, tuned %.3f\n", mib, all, tuned);
        assert_true(mib > SET_ASIDE_MIB ? all < 0.4 : all > 0.7);
        assert_true(tuned > 0.8 * (double)with.hit_ratio && tuned <= before);
        before = tuned;
    }
}

static void instructions_have_priorities(void **state)
{
    (void)state;
    const struct event_policy with = {.set_aside_bytes = 25 << 20}, none = {0};
    assert_true(found_again(&with, KEPT, BYPASS, 16, 80) > 0.98);
    assert_true(found_again(&none, KEPT, BYPASS, 16, 80) < 0.01);
    assert_true(found_again(&none, BYPASS, STREAMED, 16, 80) > 0.98);
}

/* Policies of createpolicy and of constants; a register with two definitions gives no policy. */
static void instructions_have_policies(void **state)
{
    (void)state;
    const struct event_policy with = {.set_aside_bytes = 25 << 20}, none = {0};
    assert_in_range(1000 * found_again(&with, HALF, BYPASS, 16, 80), 480, 520);
    assert_true(found_again(&none, HALF, BYPASS, 16, 80) < 0.01);
    assert_true(found_again(&none, BYPASS, FIRST, 16, 80) > 0.98);
    assert_true(found_again(&with, LOST, BYPASS, 16, 80) < 0.01);
    assert_true(found_again(&none, BYPASS, LOST, 16, 80) < 0.01);
}

/* Ranges act by the share of their primary part, access properties by their sixteenths; unknown sizes give
 * no policy. */
static void ranges_and_properties_have_shares(void **state)
{
    (void)state;
    const struct event_policy with = {.set_aside_bytes = 25 << 20};
    assert_in_range(1000 * found_again(&with, WITHIN, BYPASS, 16, 80), 480, 520);
    assert_in_range(1000 * found_again(&with, CONVERTED, BYPASS, 16, 80), 480, 520);
    assert_true(found_again(&with, ANYWHERE, BYPASS, 16, 80) < 0.01);
}

/* Lines persist from launch to launch until they are reset. */
static void resets_end_persistence(void **state)
{
    (void)state;
    enum { KEPT_MIB = 10, OTHER_MIB = 80 };
    for (uint32_t reset = 0; reset < 2; reset++) {
        struct script *s = open_gpu(TEST89);
        for (uint32_t launch_number = 0; launch_number < 3; launch_number++) {
            policy = (struct event_policy){.set_aside_bytes = 25 << 20, .resets = launch_number ? reset : 0};
            if (!launch_number)
                policy = (struct event_policy){.bytes = (uint64_t)KEPT_MIB << 20,
                                               .set_aside_bytes = 25 << 20,
                                               .hit_ratio = 1,
                                               .hit = EVENT_POLICY_PERSISTING};
            begin(s, 100 << 10, false);
            read_mib(s, BYPASS, launch_number == 1 ? 1024 : 0, launch_number == 1 ? OTHER_MIB : KEPT_MIB);
            end(s);
        }
        double found = (double)s->result->total.l2_read_hits / (KEPT_MIB * MIB_LINES);
        assert_true(reset ? found < 0.01 : found > 0.98);
        close_gpu(s);
    }
    policy = (struct event_policy){0};
}

/* Recorded on an H200 (meetings.csv): concurrent requests of multiprocessors of one group merge when they
 * are for exactly the same sectors of a line. */
static void same_requests_of_a_group_merge(void **state)
{
    (void)state;
    static const uint32_t cases[][4] = {
        /* multiprocessor and mask of the second; of the first; sectors of L2 */
        {1, 15, 15, 4}, {1, 3, 3, 2}, {1, 1, 1, 1},  {2, 1, 1, 1},
        {2, 3, 3, 2},   {1, 1, 2, 2}, {1, 3, 15, 6}, {131, 15, 15, 8}};
    struct script *s = open_gpu(TEST90);
    for (size_t i = 0; i < SW_COUNT_OF(cases); i++) {
        begin(s, 224 << 10, true);
        s->sm = 0;
        ask(s, LOAD, 0x8000000, cases[i][2]);
        play(s, false);
        s->sm = cases[i][0];
        ask(s, LOAD, 0x8000000, cases[i][1]);
        play(s, true);
        assert_int_equal(model_memory_launch_end(s->memory, &launch)->total.l2_reads, cases[i][3]);
    }
    close_gpu(s);
}

/* Lines 0 and 1 differ, also in a cache of one set, and with numbers of sets that are not powers of two. */
static void lines_0_and_1_are_two(void **state)
{
    (void)state;
    static const uint64_t sets[] = {1, 0, 3, 100};
    for (size_t i = 0; i < SW_COUNT_OF(sets); i++) {
        struct script *s = open_gpu(TEST90);
        model_memory_delete(s->memory);
        s->gpu.cache.l1_sets = sets[i];
        s->memory = model_memory_of(&s->gpu);
        begin(s, 16 << 10, true);
        ask_lines(s, LOAD, 0, 3, 15);
        assert_int_equal(end(s)->total.l1_hits, 0);
        close_gpu(s);
    }
}

/* As l1_priority of hints.def: 512 lines, then 1536 others, then the 512 again, in 224 KiB that cannot hold
 * both. On an H200, all of the 512 or about two fifths hit (launches 3, 5, 7 and 11). */
static void lines_go_by_priority(void **state)
{
    (void)state;
    enum { OWN = 512, OTHERS = 1536 };
    static const uint32_t cases[][4] = {{LOAD, LOAD_STREAM, OWN, OWN},
                                        {LOAD, LOAD_FIRST, OWN, OWN},
                                        {LOAD_LAST, LOAD, OWN, OWN},
                                        {LOAD, LOAD_LAST, 0, OWN / 2},
                                        {LOAD, LOAD, 0, OWN / 2}};
    struct script *s = open_gpu(TEST90);
    for (size_t i = 0; i < SW_COUNT_OF(cases); i++) {
        begin(s, 224 << 10, true);
        ask_lines(s, cases[i][0], 0x8000000, OWN, 1);
        ask_lines(s, cases[i][1], 0x8000000 + OWN, OTHERS, 1);
        ask_lines(s, LOAD, 0x8000000, OWN, 1);
        assert_in_range(end(s)->total.l1_hits, cases[i][2], cases[i][3]);
    }
    close_gpu(s);
}

/* One lane walks over n lines three times. Hits are within 6 % of the recorded ones for each n, and within
 * 2.5 % on average, of the requests of the second and third pass. */
static void walks_of_an_h200(void **state)
{
    (void)state;
    static const uint32_t recorded[][3] = {
        /* lines, hits of three passes, KiB of L1 */
        {200, 264, 28},    {220, 228, 28},    {240, 180, 28},    {256, 164, 28},    {1000, 2000, 224},
        {1600, 3200, 224}, {1700, 3400, 224}, {1750, 3304, 224}, {1800, 2712, 224}, {1850, 2382, 224},
        {1900, 1836, 224}, {1950, 1298, 224}, {2000, 684, 224},  {2048, 428, 224},  {2100, 316, 224},
        {2200, 148, 224},  {2400, 0, 224},    {3000, 0, 224}};
    double sum = 0;
    struct script *s = open_gpu(TEST90);
    for (size_t i = 0; i < SW_COUNT_OF(recorded); i++) {
        uint32_t n = recorded[i][0], hits = recorded[i][1];
        begin(s, recorded[i][2] << 10, true);
        for (uint32_t k = 0; k < 3 * n; k++)
            ask(s, LOAD, 0x8000000 + k % n, 1);
        const struct event_memory *r = end(s);
        print_message("%u lines: %u hits, model %u\n", n, hits, (unsigned)r->total.l1_hits);
        double off = fabs((double)r->total.l1_hits - hits) / (2.0 * n);
        assert_true(off < 0.06);
        sum += off;
    }
    assert_true(sum / SW_COUNT_OF(recorded) < 0.025);
    close_gpu(s);
}

/* Random lines, each once, then each again in reverse order. As many hit as on an H200 (lines.txt, chance
 * 1700), so the sets are the same. */
static void sets_of_an_h200(void **state)
{
    (void)state;
    enum { COUNT = 1700, SEED = 777 };
    static const uint32_t recorded[][3] = {/* log2 of the lines that it may be, seed, lines that are held */
                                           {20, 0, 1463}, {20, 3, 1476}, {21, 0, 1486}, {22, 3, 1471},
                                           {23, 0, 1471}, {24, 0, 1494}, {25, 3, 1484}, {26, 0, 1463}};
    struct script *s = open_gpu(TEST90);
    for (size_t i = 0; i < SW_COUNT_OF(recorded); i++) {
        uint32_t x = SEED + recorded[i][1], lines[COUNT];
        for (uint32_t k = 0; k < COUNT; k++) { /* xorshift32, as in lines.c */
            x ^= x << 13, x ^= x >> 17, x ^= x << 5;
            lines[k] = (uint32_t)((uint64_t)x << recorded[i][0] >> 32);
        }
        begin(s, 224 << 10, true);
        for (uint32_t k = 0; k < COUNT; k++)
            ask(s, LOAD, 0x8000000 + lines[k], 1);
        for (uint32_t k = COUNT; k > 0; k--)
            ask(s, LOAD, 0x8000000 + lines[k - 1], 1);
        assert_int_equal(end(s)->total.l1_hits, recorded[i][2]);
    }
    close_gpu(s);
}

/* Lines far apart use all sets. */
static void strides_do_not_collide(void **state)
{
    (void)state;
    struct script *s = open_gpu(TEST90);
    for (uint32_t log = 1; log < 16; log++) {
        begin(s, 224 << 10, true);
        for (uint32_t k = 0; k < 4 * 64; k++)
            ask(s, LOAD, (uint64_t)(k % 64) << log, 1);
        assert_int_equal(end(s)->total.l1_hits, 3 * 64);
    }
    close_gpu(s);
}

/* ---- sampled launches: blocks of one warp, which reads LINES lines of its own, then LINES lines that all
 * blocks read */

enum { OWN, COMMON, SHARE_INSTRS, LINES = 64, WAVES = 6, SHIFT = 3 };

static struct event_residency divisible_residency(const struct script *s)
{
    struct event_residency residency = model_residency(&s->gpu, 1, 224 << 10);
    residency.divisible = true;
    return residency;
}

/* A load of one line, into the script. */
static void add_load(struct script *s, uint32_t instr, uint64_t line)
{
    s->requests[s->count] = (struct event_request){.instr = instr, .lines = 1, .space = ISA_SPACE_GLOBAL};
    s->lines[s->count++] = line << EVENT_LINE_SECTORS | 15;
}

/* Two loads, of which COMMON has counters of global memory; a kernel of them. */
struct share_kernel {
    struct event_instr loads[SHARE_INSTRS];
    struct event_kernel kernel;
};

static void share_kernel_init(struct share_kernel *share)
{
    *share = (struct share_kernel){.loads = {{.cls = ISA_CLASS_LOAD, .op = "ld.global.f32"},
                                             {.cls = ISA_CLASS_LOAD, .op = "ld.global.f32"}}};
    share->loads[COMMON].slots.access[EVENT_ACCESS_GLOBAL].units = 1;
    share->loads[OWN].slots.access[EVENT_ACCESS_LOCAL].units =
        share->loads[COMMON].slots.access[EVENT_ACCESS_LOCAL].units = EVENT_NO_SLOT;
    share->kernel =
        (struct event_kernel){.name = "share", .instr_count = SHARE_INSTRS, .instrs = share->loads};
}

/* Replay the script's requests as those of a block: in detail, or as accesses to the address set alone. */
static void make_requests(struct script *s, uint64_t block, uint32_t sms, bool detailed)
{
    uint32_t sm = (uint32_t)(block % sms);
    struct event_stream stream = {.block = block,
                                  .sm = sm,
                                  .request_count = s->count,
                                  .requests = s->requests,
                                  .lines = s->lines,
                                  .ended = true};
    struct event_round round = {.count = 1, .streams = &stream};
    if (detailed || block < sms) model_memory_round(s->memory, &round, &(struct model_costs){0});
    for (uint32_t i = 0; i < s->count && !detailed && block >= sms; i++) {
        struct event_set_access address_set = {s->lines[i], i, s->requests[i].instr, (uint16_t)sm,
                                               s->requests[i].kind};
        if (event_in_address_set(event_line_number(address_set.line) << EVENT_LINE_SHIFT))
            model_memory_set_accesses(s->memory, &address_set, 1);
    }
}

static void read_lines(struct script *s, uint64_t block)
{
    s->count = 0;
    for (uint64_t i = 0; i < 2 * LINES; i++) {
        uint64_t line = i < LINES ? 1 << 20 | (block * LINES + i) : i;
        add_load(s, i < LINES ? OWN : COMMON, line);
    }
}

static void samples_tell_shared_lines_from_others(void **state)
{
    (void)state;
    struct script *s = open_gpu(TEST90);
    uint32_t sms = (uint32_t)s->gpu.sm_count;
    uint64_t blocks = (uint64_t)WAVES * sms, counters[] = {blocks * LINES * 4, blocks * LINES * 4};
    struct share_kernel kernel_of_two;
    share_kernel_init(&kernel_of_two);
    struct event_launch sampled = {.kernel = &kernel_of_two.kernel,
                                   .grid = {(uint32_t)blocks, 1, 1},
                                   .block = {32, 1, 1},
                                   .counters = counters};
    struct event_residency residency = divisible_residency(s);
    model_memory_launch_begin(s->memory, &sampled, &residency, SHIFT, true);
    for (uint64_t b = 0; b < blocks; b++) {
        read_lines(s, b);
        make_requests(s, b, sms, event_is_detailed((uint32_t)(b % sms), sms, SHIFT));
    }
    const struct event_memory *m = model_memory_launch_end(s->memory, &sampled);
    const struct event_memory_sums *own = &m->instrs[OWN][EVENT_ACCESS_GLOBAL],
                                   *common = &m->instrs[COMMON][EVENT_ACCESS_GLOBAL];
    assert_int_equal(m->sample_shift, SHIFT);
    assert_int_equal(own->l1_sectors, counters[OWN]);
    assert_int_equal(common->l1_sectors, counters[COMMON]);
    assert_in_range(own->dram_reads, counters[OWN] * 98 / 100, counters[OWN]);
    assert_in_range(common->dram_reads, LINES * 4, LINES * 4 * 102 / 100);
    assert_in_range(common->l2_read_hits, common->l2_reads / 2, common->l2_reads);
    close_gpu(s);
}

/* Blocks of one warp read two lines; the second hits L1 where the multiprocessor's number is a multiple of
 * `uneven`. Returns the confidence interval of the hit rate. */
static uint32_t confidence_of_hits(uint32_t uneven)
{
    enum { ROUNDS = 4 };
    struct script *s = open_gpu(TEST90);
    uint32_t sms = (uint32_t)s->gpu.sm_count, blocks = sms;
    uint64_t counters[] = {8ull * blocks};
    struct event_instr load = {.cls = ISA_CLASS_LOAD, .op = "ld.global.f32"};
    load.slots.access[EVENT_ACCESS_LOCAL].units = EVENT_NO_SLOT;
    struct event_kernel one = {.name = "one", .instr_count = 1, .instrs = &load};
    struct event_launch sampled = {
        .kernel = &one, .grid = {blocks, 1, 1}, .block = {32, 1, 1}, .counters = counters};
    struct event_residency residency = divisible_residency(s);
    struct event_stream *streams = calloc(sms, sizeof *streams);
    struct warp *warps = calloc(sms, sizeof *warps);
    assert_non_null(streams);
    assert_non_null(warps);
    for (uint32_t sm = 0; sm < sms; sm++) {
        warp_request(&warps[sm], 0, EVENT_KIND_LOAD, 1000 + 2 * sm, 15);
        warp_request(&warps[sm], 0, EVENT_KIND_LOAD, 1000 + 2 * sm + (sm / ROUNDS % uneven != 0), 15);
        streams[sm] = warp_stream(&warps[sm], sm, sm);
    }
    uint32_t confidence =
        model_launch(s->memory, &sampled, &residency, 1, streams, sms, &(struct model_costs){0})
            ->confidence.l1_rate;
    free(streams);
    free(warps);
    close_gpu(s);
    return confidence;
}

/* Equal multiprocessors give a narrow confidence interval, different ones a wide one: a sample of half of
 * 33 clusters, half of which hit, knows a rate of 25 % to about 10 points. */
static void samples_say_how_far_they_are_off(void **state)
{
    (void)state;
    assert_in_range(confidence_of_hits(1), 1, 100);
    assert_in_range(confidence_of_hits(2), 300, 2000);
}

/* Blocks write one half of each sector of their lines; blocks on other multiprocessors write the other half
 * a few waves later. shift: of the sample. Returns the sectors that DRAM reads and writes. */
static uint64_t halves(uint32_t shift)
{
    enum { HALF_LINES = 64, HALF_WAVES = 40, APART = 1000 /* blocks */, HALF_WORDS = 4 };
    struct script *s = open_gpu(TEST90);
    uint32_t sms = (uint32_t)s->gpu.sm_count;
    uint64_t blocks = (uint64_t)HALF_WAVES * sms, counters[] = {blocks * HALF_LINES * 4};
    struct event_launch stores = {
        .kernel = &kernel, .grid = {(uint32_t)blocks, 1, 1}, .block = {32, 1, 1}, .counters = counters};
    struct event_residency residency = divisible_residency(s);
    model_memory_launch_begin(s->memory, &stores, &residency, shift, true);
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t own = b / (2 * APART) * APART + b % APART; /* the block that shares its lines is APART on */
        s->count = 0;
        for (uint64_t i = 0; i < HALF_LINES; i++) {
            s->requests[s->count] = (struct event_request){
                .instr = STORE, .lines = 1, .kind = EVENT_KIND_STORE, .space = ISA_SPACE_GLOBAL};
            s->lines[s->count++] = 15ull << EVENT_LINE_PARTIAL |
                                   (uint64_t)(HALF_WORDS - 1) << EVENT_LINE_WORDS |
                                   (own * HALF_LINES + i) << EVENT_LINE_SECTORS | 15;
        }
        make_requests(s, b, sms, event_is_detailed((uint32_t)(b % sms), sms, shift));
    }
    const struct event_memory *m = model_memory_launch_end(s->memory, &stores);
    uint64_t sectors = m->total.dram_reads + m->total.dram_writes;
    close_gpu(s);
    return sectors;
}

/* The sampled blocks alone would leave most sectors partially written. */
static void samples_see_what_others_complete(void **state)
{
    (void)state;
    uint64_t all = halves(0), some = halves(SHIFT);
    assert_in_range(all, 100000, 1000000);
    assert_in_range(some, all * 97 / 100, all * 103 / 100);
}

/* The share of a region that a sampled launch reads from DRAM again, after it read more other lines than L2
 * holds; window: the region persists. */
static double read_again(bool window)
{
    enum { KEPT_BLOCKS = 640, OTHER_BLOCKS = 7680, EACH = 128 };
    struct script *s = open_gpu(TEST90);
    uint32_t sms = (uint32_t)s->gpu.sm_count, blocks = 2 * KEPT_BLOCKS + OTHER_BLOCKS;
    uint64_t counters[] = {(uint64_t)(KEPT_BLOCKS + OTHER_BLOCKS) * EACH * 4, KEPT_BLOCKS * EACH * 4};
    struct share_kernel kernel_of_two;
    share_kernel_init(&kernel_of_two);
    struct event_launch sampled = {
        .kernel = &kernel_of_two.kernel, .grid = {blocks, 1, 1}, .block = {32, 1, 1}, .counters = counters};
    struct event_residency residency = divisible_residency(s);
    if (window)
        sampled.policy = (struct event_policy){.bytes = KEPT_BLOCKS * EACH << EVENT_LINE_SHIFT,
                                               .set_aside_bytes = 25 << 20,
                                               .hit_ratio = 1,
                                               .hit = EVENT_POLICY_PERSISTING,
                                               .miss = EVENT_POLICY_STREAMING};
    model_memory_launch_begin(s->memory, &sampled, &residency, SHIFT, true);
    for (uint64_t b = 0; b < blocks; b++) {
        bool again = b >= KEPT_BLOCKS + OTHER_BLOCKS;
        uint64_t line = (again ? b - KEPT_BLOCKS - OTHER_BLOCKS : b) * EACH;
        for (s->count = 0; s->count < EACH;)
            add_load(s, again ? COMMON : OWN, line++);
        make_requests(s, b, sms, event_is_detailed((uint32_t)(b % sms), sms, SHIFT));
    }
    const struct event_memory *m = model_memory_launch_end(s->memory, &sampled);
    double share = (double)m->instrs[COMMON][EVENT_ACCESS_GLOBAL].dram_reads / (double)counters[COMMON];
    close_gpu(s);
    return share;
}

static void samples_follow_windows(void **state)
{
    (void)state;
    assert_in_range((int)(read_again(false) * 100), 90, 105);
    assert_in_range((int)(read_again(true) * 100), 0, 20);
}

static void large_launches_are_sampled(void **state)
{
    (void)state;
    struct event_residency residency = {.sm_count = 132, .blocks_per_sm = 8, .divisible = true};
    uint64_t most = MODEL_ALL_THREADS, detailed = MODEL_DETAILED_THREADS;
    assert_int_equal(model_sampling_shift(0, most / 256, most, &residency), 0);
    assert_int_equal(model_sampling_shift(0, most / 256 + 1, most + 256, &residency), 2);
    assert_int_equal(model_sampling_shift(0, detailed / 32, detailed * 8, &residency), 3);
    assert_int_equal(model_sampling_shift(0, most, most * 256, &residency), MODEL_MOST_SHIFT);
    enum { WANTED = 2 };
    assert_int_equal(model_sampling_shift(WANTED + 1, most / 256, most, &residency), WANTED);
    assert_int_equal(model_sampling_shift(1, most, most * 256, &residency), 0);
    assert_int_equal(model_sampling_shift(WANTED + 1, residency.sm_count - 1, most, &residency), 0);
    residency.divisible = false; /* blocks that wait for each other */
    assert_int_equal(model_sampling_shift(0, most, most * 256, &residency), 0);
    assert_int_equal(model_sampling_shift(WANTED + 1, most, most * 256, &residency), 0);
}

/* The sample shift of a launch after its first round, in which one warp made requests. */
static uint32_t shift_after(uint64_t blocks, uint32_t requests, bool ended)
{
    struct script *s = open_gpu(TEST90);
    struct event_residency residency = divisible_residency(s);
    uint64_t none = 0;
    struct event_launch large = {
        .kernel = &kernel, .grid = {(uint32_t)blocks, 1, 1}, .block = {32, 1, 1}, .counters = &none};
    struct event_stream stream = {.requests = s->requests, .lines = s->lines, .ended = ended};
    struct event_round round = {.count = 1, .streams = &stream};
    model_memory_launch_begin(s->memory, &large, &residency, SHIFT, true);
    for (; stream.request_count < requests; stream.request_count++) {
        add_load(s, LOAD, 1000);
    }
    model_memory_detail_small(s->memory, &round);
    uint32_t shift = model_memory_round(s->memory, &round, &(struct model_costs){0});
    model_memory_detail_small(s->memory, &round); /* too late */
    assert_int_equal(model_memory_round(s->memory, &round, &(struct model_costs){0}), shift);
    assert_int_equal(model_memory_launch_end(s->memory, &large)->sample_shift, shift);
    close_gpu(s);
    return shift;
}

static void small_launches_are_simulated_whole(void **state)
{
    enum { REQUESTS = 8, BLOCKS = MODEL_ALL_REQUESTS / (2 * REQUESTS) };
    (void)state;
    assert_int_equal(shift_after(BLOCKS, REQUESTS, true), 0);
    assert_int_equal(shift_after(BLOCKS + 1, REQUESTS, true), SHIFT);
    assert_int_equal(shift_after(BLOCKS, REQUESTS + 1, true), SHIFT);
    assert_int_equal(shift_after(BLOCKS, REQUESTS, false), SHIFT); /* nobody knows */
    assert_int_equal(shift_after(1 << 24, 0, true), 0);
}

/* The model's memory stays below the bound of model_memory.h, with as many warps as can be resident, before
 * and after many lines. */
static void memory_is_bounded(void **state)
{
    enum { TIMES = 40 };
    (void)state;
    const char **names;
    struct arena arena;
    arena_init(&arena);
    uint32_t count = arch_gpu_list(&arena, &names);
    assert_in_range(count, 10, 100);
    for (uint32_t i = 0; i < count; i++) {
        struct script *s = open_gpu(names[i]);
        struct event_residency residency = {.sm_count = (uint32_t)s->gpu.sm_count,
                                            .blocks_per_sm = 32,
                                            .warps_per_block = 2,
                                            .l1_bytes = (uint32_t)s->gpu.l1_bytes};
        struct event_launch sampled = {.kernel = &kernel, .grid = {1 << 20, 1, 1}, .block = {64, 1, 1}};
        model_memory_launch_begin(s->memory, &sampled, &residency, SHIFT, true);
        size_t bytes = model_memory_bytes(s->memory);
        assert_in_range(bytes, s->gpu.l2_bytes / 128 * 4, MODEL_MEMORY_MOST);
        while (!event_is_detailed(s->sm, residency.sm_count, SHIFT))
            s->sm++;
        for (uint64_t line = 0; i == 0 && line < (uint64_t)TIMES * MOST; line++)
            ask(s, line % 3 ? LOAD : STORE, line * 7, 15);
        assert_int_equal(model_memory_bytes(s->memory), bytes);
        close_gpu(s);
    }
    arena_release(&arena);
}

int main(void)
{
    struct event_code code;
    const struct CMUnitTest tests[] = {cmocka_unit_test(sectors_fill_alone),
                                       cmocka_unit_test(stores_stay_in_l1_and_l2),
                                       cmocka_unit_test(whole_lines_of_stores_push_out_stores),
                                       cmocka_unit_test(host_memory_is_in_l1_alone),
                                       cmocka_unit_test(other_devices_memory_is_in_l1_alone),
                                       cmocka_unit_test(atomics_drop_the_line_of_l1),
                                       cmocka_unit_test(operators_bypass_l1),
                                       cmocka_unit_test(older_gpus_do_not_cache_globals),
                                       cmocka_unit_test(warm_l2_keeps_lines),
                                       cmocka_unit_test(dirty_lines_are_written_back),
                                       cmocka_unit_test(cold_launches_are_alike),
                                       cmocka_unit_test(sectors_written_in_part_are_filled),
                                       cmocka_unit_test(words_make_sectors_whole),
                                       cmocka_unit_test(fetches_are_as_wide_as_the_limit),
                                       cmocka_unit_test(constants_have_their_own_cache),
                                       cmocka_unit_test(constants_stay_where_they_fit),
                                       cmocka_unit_test(windows_make_lines_stay),
                                       cmocka_unit_test(windows_beyond_the_set_aside_thrash),
                                       cmocka_unit_test(instructions_have_priorities),
                                       cmocka_unit_test(instructions_have_policies),
                                       cmocka_unit_test(ranges_and_properties_have_shares),
                                       cmocka_unit_test(resets_end_persistence),
                                       cmocka_unit_test(constants_are_read_once_a_group),
                                       cmocka_unit_test(same_requests_of_a_group_merge),
                                       cmocka_unit_test(lines_0_and_1_are_two),
                                       cmocka_unit_test(lines_go_by_priority),
                                       cmocka_unit_test(walks_of_an_h200),
                                       cmocka_unit_test(sets_of_an_h200),
                                       cmocka_unit_test(strides_do_not_collide),
                                       cmocka_unit_test(samples_tell_shared_lines_from_others),
                                       cmocka_unit_test(samples_say_how_far_they_are_off),
                                       cmocka_unit_test(samples_see_what_others_complete),
                                       cmocka_unit_test(samples_follow_windows),
                                       cmocka_unit_test(large_launches_are_sampled),
                                       cmocka_unit_test(small_launches_are_simulated_whole),
                                       cmocka_unit_test(memory_is_bounded)};
    read_instrs(&code);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    event_code_close(&code);
    return failed;
}
