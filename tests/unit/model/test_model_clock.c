/* SPDX-License-Identifier: Apache-2.0 */
/* How long the requests of a launch take: warps wait for data or for each other, and units are busy. The
 * expected times are worked out by hand. */
#include "model_launch.h"

enum { LOAD, USE, RED, BARRIER, CONSTANT, INSTRS, WARPS = 8, MOST = WARP_REQUESTS };
static struct event_instr instrs[INSTRS] = {
    [LOAD] = {.cls = ISA_CLASS_LOAD, .op = "ld.global.f32"},
    [USE] = {.cls = ISA_CLASS_LOAD, .op = "ld.global.f32"},
    [RED] = {.cls = ISA_CLASS_ATOMIC, .op = "red.global.add.f32"},
    [BARRIER] = {.cls = ISA_CLASS_BARRIER, .op = "bar.sync"},
    [CONSTANT] = {.cls = ISA_CLASS_LOAD, .op = "ld.const.f32"},
};
static const struct event_kernel kernel = {.name = "k", .instr_count = INSTRS, .instrs = instrs};

struct scene {
    struct arch_gpu gpu;
    struct model_memory *memory;
    struct event_launch launch;
    struct model_step steps[INSTRS];
    struct model_costs costs;
    struct warp warps[WARPS];
    struct event_waits waits;  /* of the launch that was last */
    uint64_t written, stored;  /* sectors of DRAM, by it; that L2 was asked to write */
    uint64_t constants, found; /* pieces of them that were asked for; that were at hand or on their way */
    struct event_stalls intervals[INSTRS + 1][EVENT_INTERVALS];
};

static int open_scene(void **state)
{
    struct scene *s = calloc(1, sizeof *s);
    if (!s || arch_gpu_load(TEST90, &s->gpu, NULL) != SW_OK) return -1;
    s->memory = model_memory_of(&s->gpu);
    s->launch.kernel = &kernel;
    s->costs.steps = s->steps;
    model_steps_clear(s->steps, INSTRS);
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

static void ask(struct warp *w, uint32_t instr, uint64_t line, uint32_t mask)
{
    static const uint8_t KINDS[INSTRS] = {EVENT_KIND_LOAD, EVENT_KIND_LOAD, EVENT_KIND_RED,
                                          EVENT_KIND_BARRIER, EVENT_KIND_LOAD};
    struct event_request *request = warp_request(w, instr, KINDS[instr], line, mask);
    if (instr == CONSTANT) request->space = ISA_SPACE_CONST;
    if (instr == BARRIER) w->line_count -= request->lines, request->lines = 0;
}

/* Something happens at phase 0 of an mbarrier; a wait is for `count` arrivals or bytes. */
static void phase(struct warp *w, uint8_t kind, uint32_t object, uint32_t count)
{
    w->requests[w->count++] =
        (struct event_request){.instr = USE, .lines = count ? 2 : 1, .kind = kind, .space = ISA_SPACE_NONE};
    w->lines[w->line_count++] = event_phase(object, 0);
    if (count) w->lines[w->line_count++] = (uint64_t)count << EVENT_LINE_SECTORS;
}

/* Cycles of a launch of one block of `warps` warps. */
static uint64_t cycles_of(struct scene *s, uint32_t warps)
{
    struct event_residency residency = model_residency(&s->gpu, warps, 128 << 10);
    struct event_stream streams[WARPS];
    for (uint32_t w = 0; w < warps; w++) {
        streams[w] = warp_stream(&s->warps[w], 0, 0);
        streams[w].warp = w;
    }
    const struct event_memory *memory =
        model_launch(s->memory, &s->launch, &residency, 0, streams, warps, &s->costs);
    memset(s->warps, 0, sizeof s->warps);
    s->waits = memory->waits;
    s->written = memory->total.dram_writes;
    s->stored = memory->total.l2_writes;
    s->constants = memory->constant_requests;
    s->found = memory->constant_hits;
    memcpy(s->intervals, memory->intervals, sizeof s->intervals);
    return memory->cycles;
}

/* Two loads from DRAM run at the same time, unless the second one's address depends on the first one's
 * data. */
static void data_is_waited_for_where_it_is_used(void **state)
{
    struct scene *s = *state;
    ask(&s->warps[0], LOAD, 1000, 1);
    uint64_t one = cycles_of(s, 1);
    assert_true(one >= s->gpu.cache.l2_cycles + s->gpu.cache.dram_cycles);
    ask(&s->warps[0], LOAD, 1000, 1);
    ask(&s->warps[0], USE, 5000, 1);
    uint64_t free_ones = cycles_of(s, 1);
    assert_true(free_ones < one + s->gpu.cache.l2_far_cycles + 64);
    s->steps[USE].level = 1;
    s->steps[USE].before.chain = 10 * TICK;
    ask(&s->warps[0], LOAD, 1000, 1);
    ask(&s->warps[0], USE, 5000, 1);
    uint64_t chained = cycles_of(s, 1);
    assert_true(chained >= one + 10 + s->gpu.cache.l2_cycles + s->gpu.cache.dram_cycles);
}

/* The compiler unrolls a loop by two. The second iteration's load issues with the first's, unless a fence
 * stands between them. */
static void loads_of_unrolled_loops_pass_barriers_or_not(void **state)
{
    enum { TURNS = 2 };
    struct scene *s = *state;
    uint64_t cycles[2];
    for (uint32_t fences = 0; fences < 2; fences++) {
        s->steps[LOAD].iterations = s->steps[BARRIER].iterations = TURNS;
        s->steps[BARRIER].level = 1;
        s->steps[BARRIER].before.chain = TICK;
        s->steps[BARRIER].fences = fences;
        for (uint32_t round = 0; round < TURNS; round++) {
            ask(&s->warps[0], LOAD, 1000 + round * 4000, 1);
            ask(&s->warps[0], BARRIER, 0, 0);
        }
        cycles[fences] = cycles_of(s, 1);
    }
    uint64_t latency = s->gpu.cache.l2_cycles + s->gpu.cache.dram_cycles;
    assert_in_range(cycles[0], latency, latency * 3 / 2);
    assert_in_range(cycles[1], cycles[0] + latency / 2, cycles[0] + latency * 3 / 2);
}

/* A CTA slot is free when the last warp of its block has ended. */
static void cta_slots_tell_when_they_are_free(void **state)
{
    struct scene *s = *state;
    s->costs.work.path = 1 << MODEL_WORK_SHIFT;
    warp_works(&s->warps[0], 1000);
    warp_works(&s->warps[1], 10);
    uint64_t cycles = cycles_of(s, 2);
    const struct event_progress *progress = model_memory_progress(s->memory);
    assert_int_equal(progress->cta_slots[0] / TICK, cycles);
    assert_int_equal(progress->cta_slots[1], 0);
    assert_in_range(progress->ahead, 1000 * TICK, progress->cta_slots[0]);
}

/* The quads of a texture instruction issue their requests at the same time, in each iteration of a loop. */
static void requests_of_one_execution_do_not_wait(void **state)
{
    enum { QUADS = 8 };
    struct scene *s = *state;
    uint64_t cycles[2];
    s->steps[LOAD].after.fresh = 0;
    for (uint32_t more = 0; more < 2; more++) {
        for (uint32_t i = 0; i < 2 * QUADS; i++) {
            ask(&s->warps[0], LOAD, 1000 + 64 * i, 1);
            s->warps[0].requests[i].more = more && i % QUADS;
        }
        cycles[more] = cycles_of(s, 1);
    }
    uint64_t least = s->gpu.cache.l2_cycles + s->gpu.cache.dram_cycles;
    assert_true(cycles[0] >= 2 * QUADS * least * 7 / 8); /* some slices are nearer */
    assert_in_range(cycles[1], 2 * least, 4 * least);
}

/* Data of host memory arrives later than data of DRAM, except when it is in L1. */
static void memory_of_the_host_is_far(void **state)
{
    enum { FAR = 1800 };
    struct scene *s = *state;
    struct event_range range = {1000 << EVENT_LINE_SHIFT, 1001 << EVENT_LINE_SHIFT, false};
    s->costs.rates.host = FAR;
    s->costs.rates.peer = FAR / 2;
    ask(&s->warps[0], LOAD, 1000, 1);
    uint64_t device = cycles_of(s, 1);
    s->launch.far = &range;
    s->launch.far_count = 1;
    ask(&s->warps[0], LOAD, 1000, 1);
    uint64_t host = cycles_of(s, 1);
    assert_true(host + 2 * s->gpu.cache.l2_far_cycles >= device + FAR && host <= device + FAR);
    range.peer = true;
    ask(&s->warps[0], LOAD, 1000, 1);
    assert_int_equal(cycles_of(s, 1), host - FAR / 2);
    range.peer = false;
    s->steps[USE].level = 1;
    s->steps[USE].before.chain = 0;
    ask(&s->warps[0], LOAD, 1000, 1);
    ask(&s->warps[0], USE, 1000, 1);
    uint64_t again = cycles_of(s, 1);
    assert_true(again > host && again < host + FAR / 2);
}

/* A wait for a phase ends when all warps have arrived and all bytes that the phase expects have come. */
static void phases_are_waited_for(void **state)
{
    enum { WORK = 5000, OTHER = 3 };
    struct scene *s = *state;
    s->costs.work = (struct model_work){.path = 1 << MODEL_WORK_SHIFT};
    ask(&s->warps[0], LOAD, 1000, 1);
    uint64_t data = cycles_of(s, 2);
    warp_works(&s->warps[0], WORK);
    uint64_t work = cycles_of(s, 2);
    ask(&s->warps[0], LOAD, 1000, 1);
    phase(&s->warps[0], EVENT_KIND_ARRIVE, OTHER, 0); /* it does not wait for its data */
    phase(&s->warps[1], EVENT_KIND_AWAIT, OTHER, 1);
    warp_works(&s->warps[1], WORK);
    assert_in_range(cycles_of(s, 2), work, work + 50);
    ask(&s->warps[0], LOAD, 1000, 1);
    phase(&s->warps[0], EVENT_KIND_BRING, OTHER, 0);
    phase(&s->warps[1], EVENT_KIND_AWAIT, OTHER, 1);
    warp_works(&s->warps[1], WORK);
    assert_in_range(cycles_of(s, 2), work + data - 50, work + data + 50);
    assert_true(s->waits.cycles[EVENT_STALL_LONG_SCOREBOARD] > data / 2);
    warp_works(&s->warps[0], WORK); /* two arrive, the second late; two wait, one of them when all is over */
    phase(&s->warps[0], EVENT_KIND_ARRIVE, OTHER, 0);
    phase(&s->warps[1], EVENT_KIND_ARRIVE, OTHER, 0);
    phase(&s->warps[1], EVENT_KIND_AWAIT, OTHER, 2);
    warp_works(&s->warps[1], WORK);
    warp_works(&s->warps[2], 3 * WORK);
    phase(&s->warps[2], EVENT_KIND_AWAIT, OTHER, 2);
    uint64_t three = cycles_of(s, 3);
    assert_in_range(three, 3 * work - 100, 3 * work + 200);
    phase(&s->warps[0], EVENT_KIND_AWAIT, OTHER + 1,
          1); /* of another object; first in the order, last in time */
    warp_works(&s->warps[1], WORK);
    phase(&s->warps[1], EVENT_KIND_ARRIVE, OTHER + 1, 0);
    assert_in_range(cycles_of(s, 2), work, work + 50);
}

/* One direction of a link transfers one request after the other. Another link is not affected. */
static void links_are_shared(void **state)
{
    enum { SECTOR = 300, HEAD = 200 };
    struct scene *s = *state;
    struct event_range ranges[] = {{1000 << EVENT_LINE_SHIFT, 1008 << EVENT_LINE_SHIFT, false},
                                   {2000 << EVENT_LINE_SHIFT, 2008 << EVENT_LINE_SHIFT, true}};
    s->costs.rates.host_link = s->costs.rates.peer_link =
        (struct model_link_rates){.sector = SECTOR * 1000, .request = HEAD * 1000, .read = 600 * 1000};
    s->launch.far = ranges;
    s->launch.far_count = SW_COUNT_OF(ranges);
    ask(&s->warps[0], LOAD, 1000, 3);
    uint64_t one = cycles_of(s, 2);
    ask(&s->warps[0], LOAD, 1000, 3);
    ask(&s->warps[1], LOAD, 1004, 3);
    assert_in_range(cycles_of(s, 2), one + 2 * SECTOR + HEAD - 20, one + 2 * SECTOR + HEAD + 20);
    ask(&s->warps[0], LOAD, 1000, 3);
    ask(&s->warps[1], LOAD, 2000, 3);
    assert_in_range(cycles_of(s, 2), one, one + 20);
    ask(&s->warps[0], LOAD, 1000, 1); /* so many may be under way, however small */
    ask(&s->warps[1], LOAD, 1004, 1);
    uint64_t latency = one - 2 * SECTOR - HEAD;
    assert_in_range(cycles_of(s, 2), latency + 2 * 600 - 20, latency + 2 * 600 + 20);
}

/* A line that another warp has requested hits only after its data has arrived. */
static void pending_lines_are_waited_for(void **state)
{
    struct scene *s = *state;
    ask(&s->warps[0], LOAD, 1000, 1);
    uint64_t one = cycles_of(s, 2);
    s->steps[LOAD].after.path = 100 * TICK;
    s->steps[LOAD].after.fresh = 100 * TICK; /* the warp uses its data, for 100 cycles */
    ask(&s->warps[0], LOAD, 1000, 1);
    ask(&s->warps[1], LOAD, 1000, 1);
    uint64_t both = cycles_of(s, 2);
    assert_true(both >= one + 100 && both <= one + 110);
}

/* Each warp loads `count` pieces of constant memory, several times. Consecutive pieces, and consecutive
 * warps, are a given number of lines apart. Returns how many requests go to the group of multiprocessors or
 * to L2. */
static uint64_t constants_asked(struct scene *s, uint32_t warps, uint32_t step, uint32_t count,
                                uint32_t apart, uint32_t times)
{
    for (uint32_t w = 0; w < warps; w += step)
        for (uint32_t i = 0; i < count * times; i++)
            ask(&s->warps[w], CONSTANT, 1000 + w / step * apart + i % count, 1);
    cycles_of(s, warps);
    return s->constants - s->found;
}

/* A scheduler caches four pieces for uniform addresses; a multiprocessor caches 32 for addresses that
 * differ between lanes. */
static void schedulers_hold_few_constants(void **state)
{
    enum { TIMES = 6, APART = 64, SCHEDULERS = 4 };
    struct scene *s = *state;
    uint32_t held = (uint32_t)s->gpu.cache.constant_near_pieces;
    s->costs.rates.schedulers = SCHEDULERS;
    s->steps[CONSTANT].level = 1;
    s->steps[CONSTANT].before.chain = 0; /* each waits for the one before */
    assert_int_equal(constants_asked(s, 1, 1, held + 1, APART, TIMES), held + 1);
    s->steps[CONSTANT].uniform = true;
    assert_int_equal(constants_asked(s, 1, 1, held, APART, TIMES), held);
    assert_int_equal(constants_asked(s, 1, 1, held + 1, APART, TIMES), (held + 1) * TIMES);
    assert_int_equal(constants_asked(s, 2, 1, held, APART, TIMES), 2 * held); /* of two schedulers */
    assert_int_equal(constants_asked(s, SCHEDULERS + 1, SCHEDULERS, held, 0, TIMES), 2 * held); /* the same */
    uint64_t both = constants_asked(s, SCHEDULERS + 1, SCHEDULERS, held, APART, TIMES);
    assert_in_range(both, held * TIMES, 2 * held * TIMES); /* of one: they drive each other's out */
}

/* The time of a load of constants is linear in the number of distinct addresses of its lanes. */
static void addresses_of_constants_are_serialised(void **state)
{
    enum { REQUESTS = 40, ADDRESSES = 32, CENTI = 100 };
    struct scene *s = *state;
    uint64_t cycles[2], each = s->gpu.cache.constant_address_centicycles;
    for (uint64_t many = 0; many < 2; many++) {
        for (uint32_t i = 0; i < REQUESTS; i++) {
            ask(&s->warps[0], CONSTANT, 1000, 3);
            s->warps[0].lines[i] |= many * (ADDRESSES - 1) << EVENT_LINE_WORDS;
        }
        cycles[many] = cycles_of(s, 1);
    }
    uint64_t takes = REQUESTS * ADDRESSES * each / CENTI;
    assert_in_range(cycles[1], takes, takes + cycles[0]);
}

/* A warp issues nothing while it waits for a constant at an address that is known when it issues. */
static void constants_stall_the_warp(void **state)
{
    enum { PATH = 700 };
    struct scene *s = *state;
    uint64_t cycles[2];
    s->steps[CONSTANT].after.path = PATH * TICK; /* needs nothing of what was loaded */
    for (int uniform = 0; uniform < 2; uniform++) {
        s->steps[CONSTANT].uniform = uniform;
        ask(&s->warps[0], CONSTANT, 1000, 1);
        cycles[uniform] = cycles_of(s, 1);
    }
    uint64_t group = (uint64_t)(s->gpu.cache.constant_group_cycles + s->gpu.cache.l2_cycles);
    assert_true(cycles[0] < group + PATH);
    assert_true(cycles[1] >= group + PATH);
}

/* A group of multiprocessors delivers one piece after the other, here to many multiprocessors that each
 * load their own. */
static void groups_give_constants_in_order(void **state)
{
    struct scene *s = *state;
    uint64_t alone, together, each = (uint64_t)s->gpu.cache.constant_group_centicycles;
    ask(&s->warps[0], CONSTANT, 1000, 1);
    alone = cycles_of(s, WARPS);
    for (uint32_t w = 0; w < WARPS; w++)
        for (uint32_t i = 0; i < MOST; i++)
            ask(&s->warps[w], CONSTANT, 1000 + w * MOST + i, 1);
    together = cycles_of(s, WARPS);
    assert_in_range(together, WARPS * MOST * each / 100, alone + WARPS * MOST * each / 100 + 600);
}

static void paths_and_units_take_their_time(void **state)
{
    enum { PATH = 3000, WORK = 1000 };
    struct scene *s = *state;
    s->steps[LOAD].before.path = PATH * TICK;
    ask(&s->warps[0], LOAD, 1000, 1);
    uint64_t alone = cycles_of(s, 1);
    assert_true(alone >= PATH && alone < PATH + 1000);
    s->steps[LOAD].before.issue = WORK * 1000; /* of eight warps: more than one's path */
    for (uint32_t w = 0; w < WARPS; w++)
        ask(&s->warps[w], LOAD, 1000, 1);
    uint64_t all = cycles_of(s, WARPS);
    assert_true(all >= WARPS * WORK && all < WARPS * WORK + 1100);
}

/* Seven warps wait for the one that is late. */
static void barriers_hold_the_block(void **state)
{
    enum { LATE = 5000, AFTER = 700 };
    struct scene *s = *state;
    s->costs.rates.barrier = 30;
    s->steps[LOAD].before.path = LATE * TICK;
    s->steps[BARRIER].after.path = AFTER * TICK;
    ask(&s->warps[3], LOAD, 1000, 1);
    for (uint32_t w = 0; w < WARPS; w++)
        ask(&s->warps[w], BARRIER, 0, 0);
    uint64_t cycles = cycles_of(s, WARPS);
    assert_true(cycles >= LATE + 30 + AFTER && cycles < LATE + 30 + AFTER + 50);
}

/* The cost of a barrier is proportional to the number of warps, even when they all arrive at once. */
static void barriers_take_warps_one_by_one(void **state)
{
    enum { EACH = 2, LATENCY = 20, TIMES = MOST - 1 };
    struct scene *s = *state;
    s->costs.rates.barrier = LATENCY;
    s->costs.rates.arrive = EACH * 1000;
    for (uint32_t warps = 1; warps <= WARPS; warps *= 2) {
        ask(&s->warps[0], LOAD, 1000, 1); /* is there before the barriers end */
        for (uint32_t w = 0; w < warps; w++)
            for (uint32_t i = 0; i < TIMES; i++)
                ask(&s->warps[w], BARRIER, 0, 0);
        uint64_t cycles = cycles_of(s, warps), least = TIMES * (LATENCY + (uint64_t)warps * EACH);
        assert_true(cycles + 2 * EACH * WARPS > least && cycles < least + 10);
    }
}

/* A launch takes as long as its longest warp, whether that warp works before or after its request. */
static void the_longest_warp_counts(void **state)
{
    enum { EACH = 20000 };
    struct scene *s = *state;
    s->costs.work.path = 1 << MODEL_WORK_SHIFT;
    ask(&s->warps[0], LOAD, 1000, 1);
    uint64_t none = cycles_of(s, WARPS);
    for (uint32_t w = 0; w < WARPS; w++) {
        warp_works(&s->warps[w], w * EACH);
        ask(&s->warps[w], LOAD, 1000 * (w + 1), 1);
    }
    uint64_t before = cycles_of(s, WARPS), most = (WARPS - 1) * EACH;
    assert_true(before >= most && before < most + none + 50);
    for (uint32_t w = 0; w < WARPS; w++) {
        ask(&s->warps[w], LOAD, 1000 * (w + 1), 1);
        warp_works(&s->warps[w], (WARPS - w) * EACH);
    }
    uint64_t behind = cycles_of(s, WARPS);
    assert_true(behind >= most + EACH && behind < most + EACH + none + 50);
    s->costs.work.path *= 3; /* what the table said is corrected */
    warp_works(&s->warps[5], EACH);
    ask(&s->warps[0], LOAD, 1000, 1);
    uint64_t longer = cycles_of(s, WARPS);
    assert_true(longer >= 3 * EACH && longer < 3 * EACH + none + 50);
}

/* Eight warps that each need a unit all the time take eight times as long as one. A warp with more work
 * than the others has the unit alone at the end. */
static void work_shares_units(void **state)
{
    enum { EACH = 20000, MORE = 50000 };
    struct scene *s = *state;
    s->costs.work.path = 1 << MODEL_WORK_SHIFT;
    s->costs.work.math = (1000 << MODEL_WORK_SHIFT) / TICK;
    for (uint32_t w = 0; w < WARPS; w++) {
        warp_works(&s->warps[w], EACH);
        ask(&s->warps[w], LOAD, 1000, 1);
    }
    uint64_t even = cycles_of(s, WARPS);
    assert_true(even >= WARPS * EACH && even < WARPS * EACH + 1000);
    for (uint32_t w = 0; w < WARPS; w++) {
        warp_works(&s->warps[w], w ? EACH : EACH + MORE);
        ask(&s->warps[w], LOAD, 1000, 1);
    }
    uint64_t heavy = cycles_of(s, WARPS);
    assert_true(heavy >= WARPS * EACH + MORE && heavy < WARPS * EACH + MORE + 1000);
    s->costs.work.math /= WARPS; /* all have room beside each other */
    for (uint32_t w = 0; w < WARPS; w++) {
        warp_works(&s->warps[w], EACH);
        ask(&s->warps[w], LOAD, 1000, 1);
    }
    uint64_t beside = cycles_of(s, WARPS);
    assert_true(beside >= EACH && beside < EACH + EACH / 8);
}

/* A wait for a pipe is a math pipe throttle; while registers are read, the reason is "not selected". */
static void reading_registers_is_no_pipe(void **state)
{
    enum { EACH = 6000 };
    struct scene *s = *state;
    for (uint32_t pass = 0; pass < 2; pass++) {
        bool reads = pass == 1;
        s->costs.work =
            (struct model_work){.path = 1 << MODEL_WORK_SHIFT, .math = (1000 << MODEL_WORK_SHIFT) / TICK};
        if (reads) s->costs.work.banks = s->costs.work.math / 4;
        for (uint32_t w = 0; w < WARPS; w++)
            warp_works(&s->warps[w], EACH);
        cycles_of(s, WARPS);
        const uint64_t *waits = s->waits.cycles;
        uint64_t pipes = waits[EVENT_STALL_MATH_PIPE_THROTTLE], others = waits[EVENT_STALL_NOT_SELECTED];
        assert_true(reads ? others >= EACH : pipes >= EACH);
        assert_int_equal(reads ? pipes : others, 0);
    }
}

/* Four warps of a scheduler each issue in a fifth of its cycles. The scheduler has enough cycles for all,
 * but sometimes two warps are ready in the same cycle. A single warp never waits, and a scheduler that is
 * always busy does not become slower. */
static void warps_of_a_scheduler_compete(void **state)
{
    enum { CYCLES = 20000, PIECES = 40 };
    struct scene *s = *state;
    s->costs.rates.schedulers = 1;
    s->costs.work =
        (struct model_work){.path = 1 << MODEL_WORK_SHIFT, .issue = (1000ull << MODEL_WORK_SHIFT) / TICK / 5};
    warp_works(&s->warps[0], CYCLES);
    assert_int_equal(cycles_of(s, 1), CYCLES);
    for (uint32_t w = 0; w < 4; w++)
        for (uint32_t i = 0; i < PIECES; i++)
            warp_works(&s->warps[w], CYCLES / PIECES);
    uint64_t met = cycles_of(s, 4);
    assert_true(met > CYCLES * 11 / 10 && met < CYCLES * 15 / 10);
    for (uint32_t w = 0; w < WARPS; w++)
        for (uint32_t i = 0; i < PIECES; i++)
            warp_works(&s->warps[w], CYCLES / PIECES);
    uint64_t full = cycles_of(s, WARPS), least = CYCLES * WARPS / 5;
    assert_true(full >= least && full < least * 12 / 10);
}

/* Work that uses data begins when the data has arrived. */
static void work_waits_for_data(void **state)
{
    enum { EACH = 3000 };
    struct scene *s = *state;
    s->costs.work.path = 1 << MODEL_WORK_SHIFT;
    ask(&s->warps[0], LOAD, 1000, 1);
    uint64_t load = cycles_of(s, 1);
    ask(&s->warps[0], LOAD, 1000, 1);
    warp_works(&s->warps[0], EACH);
    uint64_t free_work = cycles_of(s, 1);
    assert_true(free_work >= EACH && free_work < EACH + 100);
    s->steps[LOAD].waits = true;
    ask(&s->warps[0], LOAD, 1000, 1);
    warp_works(&s->warps[0], EACH);
    uint64_t bound = cycles_of(s, 1);
    assert_true(bound >= load + EACH && bound < load + EACH + 10);
}

/* The sum of all stall cycles is the time that warps were resident; each cycle has one reason. */
static void waits_are_summed_by_cause(void **state)
{
    enum { LATE = 5000, USES = 100 };
    struct scene *s = *state;
    s->costs.rates.barrier = 30;
    s->steps[LOAD].before.path = LATE * TICK;
    s->steps[BARRIER].level = s->steps[USE].level = 1;
    s->steps[BARRIER].before.chain = USES * TICK;
    ask(&s->warps[0], LOAD, 1000, 1);
    s->steps[USE].after.fresh = 0; /* the warp ends with its data */
    for (uint32_t w = 0; w < WARPS; w++)
        ask(&s->warps[w], BARRIER, 0, 0), ask(&s->warps[w], USE, 1000, 1);
    uint64_t cycles = cycles_of(s, WARPS), data = s->waits.cycles[EVENT_STALL_LONG_SCOREBOARD],
             barrier = s->waits.cycles[EVENT_STALL_BARRIER];
    uint64_t once = s->gpu.cache.l2_cycles + s->gpu.cache.dram_cycles,
             hits = WARPS * (s->gpu.cache.l1_cycles + USES), far = s->gpu.cache.l2_far_cycles;
    assert_int_equal(s->waits.warps, WARPS);
    assert_true(s->waits.active + 2 >= cycles && s->waits.active <= cycles);
    assert_true(s->waits.resident > WARPS * (cycles - once) && s->waits.resident <= WARPS * (cycles + 1));
    assert_true(data >= once + hits && data < once + hits + WARPS * once);
    assert_true(barrier >= (WARPS - 1) * (LATE + once) && barrier < WARPS * (LATE + once + far + 200));
    assert_int_equal(s->waits.cycles[EVENT_STALL_NOT_SELECTED], 0);
    s->steps[RED].atomic = s->steps[RED].atomic_alone = LATE * 1000;
    for (uint32_t w = 0; w < WARPS; w++)
        ask(&s->warps[w], RED, 1000, 1);
    cycles_of(s, WARPS); /* one after the other */
    uint64_t drain = s->waits.cycles[EVENT_STALL_DRAIN], all = (WARPS + 1) * WARPS / 2 * LATE;
    assert_true(drain > all - LATE && drain < all + LATE);
}

/* Each stall cycle is attributed to the request before or after which the warp waits, or to the barrier;
 * the last entry has those of no request. Together they are the launch's. */
static void waits_have_instructions(void **state)
{
    enum { DATA = EVENT_STALL_LONG_SCOREBOARD, LATE = 5000, EACH = 1000 };
    struct scene *s = *state;
    s->steps[LOAD].after.fresh = 0;
    s->steps[LOAD].before.path = LATE * TICK;
    s->steps[BARRIER].block = 1;
    s->steps[RED].block = 2;
    s->costs.work = (struct model_work){.path = 1 << MODEL_WORK_SHIFT, .issue = 1000 << MODEL_WORK_SHIFT};
    ask(&s->warps[0], LOAD, 1000, 1);
    ask(&s->warps[0], BARRIER, 0, 0);
    ask(&s->warps[1], BARRIER, 0, 0);
    ask(&s->warps[0], RED, 5000, 1);
    ask(&s->warps[1], RED, 5000, 1);
    warp_works(&s->warps[0], EACH);
    cycles_of(s, 2);
    uint64_t once = s->gpu.cache.l2_cycles + s->gpu.cache.dram_cycles, sums[EVENT_STALL_COUNT] = {0};
    assert_true(s->intervals[LOAD][EVENT_INTERVAL_AFTER].cycles[DATA] >= once);
    assert_true(s->intervals[BARRIER][EVENT_INTERVAL_BEFORE].cycles[EVENT_STALL_BARRIER] >= LATE + once);
    assert_true(s->intervals[INSTRS][EVENT_INTERVAL_BEFORE].cycles[EVENT_STALL_NOT_SELECTED] >= EACH);
    for (uint32_t i = 0; i <= INSTRS; i++)
        for (uint32_t interval = 0; interval < EVENT_INTERVALS; interval++)
            for (uint32_t r = 0; r < EVENT_STALL_COUNT; r++)
                sums[r] += s->intervals[i][interval].cycles[r];
    for (uint32_t r = 0; r < EVENT_STALL_COUNT; r++)
        assert_true(sums[r] <= s->waits.cycles[r] && sums[r] + 2 * INSTRS > s->waits.cycles[r]);
    s->steps[RED].atomic = s->steps[RED].atomic_alone = LATE * 1000;
    ask(&s->warps[0], RED, 5000, 1);
    cycles_of(s, 1);
    assert_true(s->intervals[RED][EVENT_INTERVAL_AFTER].cycles[EVENT_STALL_DRAIN] >= LATE);
    assert_int_equal(s->intervals[LOAD][EVENT_INTERVAL_AFTER].cycles[DATA],
                     0); /* forgotten with the launch */
}

/* Give the GPU an L2 of one slice, in which few lines may be dirty and a share of lines may hold partially
 * written sectors. */
static void have_small_l2(struct scene *s, uint64_t partial_permille)
{
    struct arch_gpu small = s->gpu;
    small.l2_bytes = 64 << 10;
    small.cache.l2_partitions = 1;
    small.cache.l2_partial_permille = partial_permille;
    model_memory_delete(s->memory);
    s->memory = model_memory_of(&small);
}

/* From the 65th consecutive request on, atomics of a single line take longer in their slice. Atomics of
 * another line in between reset the count. */
static void atomics_of_one_line_alone_take_longer(void **state)
{
    enum { EACH = 100, ALONE = 300, MANY = 64, ALL = WARPS * MOST, LINE = 4096 };
    struct scene *s = *state;
    have_small_l2(s, 1000);
    s->steps[RED].atomic = EACH * 1000;
    s->steps[RED].atomic_alone = ALONE * 1000;
    for (uint32_t lines = 1; lines <= 2; lines++) {
        for (uint32_t i = 0; i < ALL; i++)
            ask(&s->warps[i % WARPS], RED, LINE + i / WARPS % lines, 1);
        uint64_t cycles = cycles_of(s, WARPS);
        uint64_t least = lines == 1 ? MANY * EACH + (ALL - MANY) * ALONE : ALL * EACH;
        assert_true(cycles >= least && cycles < least + 2000);
    }
}

/* Atomics of one line are serialised in its slice; those of distant lines are spread over slices. */
static void atomics_queue_in_slices(void **state)
{
    enum { EACH = 50 };
    struct scene *s = *state;
    s->steps[RED].atomic = s->steps[RED].atomic_alone = EACH * 1000;
    for (uint32_t w = 0; w < WARPS; w++)
        for (uint32_t i = 0; i < MOST; i++)
            ask(&s->warps[w], RED, 1000, 1);
    uint64_t same = cycles_of(s, WARPS);
    assert_true(same >= WARPS * MOST * EACH && same < WARPS * MOST * EACH + 2000);
    for (uint32_t w = 0; w < WARPS; w++)
        for (uint32_t i = 0; i < MOST; i++)
            ask(&s->warps[w], RED, 1000 + 4 * i, 1);
    uint64_t spread = cycles_of(s, WARPS);
    assert_true(spread < same / 4);
}

static void dram_has_a_rate(void **state)
{
    enum { SECTOR = 20 };
    struct scene *s = *state;
    s->costs.rates.dram_sector = SECTOR * 1000;
    for (uint32_t w = 0; w < WARPS; w++)
        for (uint32_t i = 0; i < MOST; i++)
            ask(&s->warps[w], LOAD, 1000 + w * MOST + i, 15);
    uint64_t cycles = cycles_of(s, WARPS), least = (uint64_t)WARPS * MOST * 4 * SECTOR;
    assert_true(cycles >= least && cycles < least + 2000);
}

/* Cycles of a launch of one warp on each multiprocessor. Each warp requests MOST lines of its own, or all
 * request the same lines; shift: of the sample. */
static uint64_t cycles_of_device(struct scene *s, uint32_t instr, bool own, uint32_t shift)
{
    uint32_t sms = (uint32_t)s->gpu.sm_count;
    struct event_residency residency = model_residency(&s->gpu, 1, 128 << 10);
    static const uint64_t NOT_COUNTED[1];
    struct event_launch wide = {
        .kernel = &kernel, .grid = {sms, 1, 1}, .block = {32, 1, 1}, .counters = NOT_COUNTED};
    struct event_stream *streams = calloc(sms, sizeof *streams);
    struct warp *warps = calloc(sms, sizeof *warps);
    assert_non_null(streams);
    assert_non_null(warps);
    for (uint32_t sm = 0; sm < sms; sm++) {
        for (uint32_t i = 0; i < MOST; i++)
            ask(&warps[sm], instr, own ? 1000 + sm * MOST + i : 1000, 15);
        streams[sm] = warp_stream(&warps[sm], sm, sm);
    }
    uint64_t cycles = model_launch(s->memory, &wide, &residency, shift, streams, sms, &s->costs)->cycles;
    free(streams);
    free(warps);
    return cycles;
}

/* In a sampled launch, requests wait in L2 as long as in the whole launch, both those of many
 * multiprocessors to one line and those of each to its own lines. */
static void samples_wait_as_all_do(void **state)
{
    enum { SHIFT = 3, SECTOR = 20, EACH = 4000 };
    struct scene *s = *state;
    s->costs.rates.l2_sector = SECTOR;
    uint64_t all = cycles_of_device(s, LOAD, true, 0), some = cycles_of_device(s, LOAD, true, SHIFT);
    assert_true(some > all * 17 / 20 && some < all * 23 / 20);
    s->steps[RED].atomic = s->steps[RED].atomic_alone = EACH;
    all = cycles_of_device(s, RED, false, 0), some = cycles_of_device(s, RED, false, SHIFT);
    assert_true(some > all * 17 / 20 && some < all * 23 / 20);
}

/* Each of several distant sectors opens a row of DRAM; of lines of the same row, only the first does. */
static void rows_of_dram_have_to_be_opened(void **state)
{
    enum { SECTOR = 10, ROW = 50, APART = 64 };
    struct scene *s = *state;
    s->costs.rates.dram_sector = SECTOR * 1000;
    s->costs.rates.dram_row = ROW * 1000;
    for (uint32_t apart = 1; apart <= APART; apart *= APART) {
        for (uint32_t w = 0; w < WARPS; w++)
            for (uint32_t i = 0; i < MOST; i++)
                ask(&s->warps[w], LOAD, 4096 + (w * MOST + i) * apart, 3);
        uint64_t cycles = cycles_of(s, WARPS), requests = (uint64_t)WARPS * MOST;
        uint64_t least = requests * 2 * SECTOR + (apart > 1 ? requests : requests / 8) * ROW;
        assert_true(cycles >= least && cycles < least + 2000);
    }
}

static uint64_t cycles_of_busy_warps(struct scene *s, uint32_t late)
{
    for (uint32_t w = 0; w < WARPS; w++) {
        if (late) warp_works(&s->warps[w], late);
        for (uint32_t i = 0; i < MOST / 2; i++)
            ask(&s->warps[w], i % 4 == 3 ? RED : LOAD, 4096 + (w * MOST + i % 8) * 64, 3);
    }
    return cycles_of(s, WARPS);
}

/* A request occupies L1 at least as long as its lanes need, however few its sectors. */
static void requests_take_l1_at_least_so_long(void **state)
{
    enum { ACCESS = 4, REQUESTS = WARPS * MOST, SLACK = 1000 };
    struct scene *s = *state;
    for (uint32_t access = 0; access <= ACCESS; access += ACCESS) {
        s->costs.rates.access = access * 1000;
        for (uint32_t w = 0; w < WARPS; w++)
            for (uint32_t i = 0; i < MOST; i++)
                ask(&s->warps[w], LOAD, 4096, 1);
        uint64_t least = (uint64_t)REQUESTS * (access ? access : 1);
        assert_in_range(cycles_of(s, WARPS), least, least + SLACK);
    }
}

/* A launch begins with idle units, even after a launch that was long enough to restart the reservation
 * tables. */
static void launches_begin_with_idle_units(void **state)
{
    enum { LATE = 1 << 24, TURNS = 6 };
    struct scene *s = *state;
    s->costs.rates.dram_sector = s->costs.rates.fill = s->costs.rates.store = 10000;
    s->costs.rates.dram_row = 50000;
    s->costs.rates.l2_sector = s->costs.rates.line = 500;
    s->costs.work.path = 1 << MODEL_WORK_SHIFT;
    s->costs.work.issue = 1 << MODEL_WORK_SHIFT;
    s->steps[LOAD].before.issue = 20000;
    uint64_t first = cycles_of_busy_warps(s, 0);
    struct event_waits waits = s->waits;
    assert_true(first > 1000);
    for (int i = 0; i < TURNS; i++) {
        assert_true(cycles_of_busy_warps(s, LATE) > LATE);
        assert_int_equal(cycles_of_busy_warps(s, 0), first);
        assert_memory_equal(&s->waits, &waits, sizeof waits);
    }
}

static void store(struct warp *w, uint64_t line, uint32_t mask)
{
    ask(w, RED, line, mask);
    w->requests[w->count - 1].kind = EVENT_KIND_STORE;
}

static void store_word(struct warp *w, uint64_t line, uint32_t mask)
{
    store(w, line, mask);
    w->lines[w->line_count - 1] |= (uint64_t)mask << EVENT_LINE_PARTIAL;
}

static uint64_t cycles_of_words(struct scene *s, uint32_t apart, uint32_t mask)
{
    for (uint32_t w = 0; w < WARPS; w++)
        for (uint32_t i = 0; i < MOST; i++)
            store_word(&s->warps[w], 4096 + (w * MOST + i) * apart, mask);
    return cycles_of(s, WARPS);
}

/* A partially written line is filled before L2 evicts it. A distant line needs a refill for each run of
 * its partially written sectors; lines within 8 KiB share one. */
static void refills_are_serialised(void **state)
{
    enum { TURN = 400, APART = 64, LINES = WARPS * MOST, ONE = 1, RUN = 6, TWO = 9 };
    struct scene *s = *state;
    have_small_l2(s, 1000);
    s->costs.rates.l2_refill = TURN * 1000;
    uint64_t near = cycles_of_words(s, 1, ONE), least = LINES / APART * TURN;
    assert_true(near >= least && near < least + 2000);
    uint64_t far = cycles_of_words(s, APART, ONE), left = s->written;
    assert_true(left > LINES / 4);
    assert_true(far >= left * TURN && far < left * TURN + 2000);
    far = cycles_of_words(s, APART, RUN);
    assert_true(far >= s->written / 2 * TURN && far < s->written / 2 * TURN + 2000);
    far = cycles_of_words(s, APART, TWO);
    assert_true(far >= s->written * TURN && far < s->written * TURN + 2000);
}

/* DRAM transfers 64 bytes for a sector, and each written line adds a fixed time, whether it was filled
 * before or was whole. */
static void lines_that_leave_take_dram(void **state)
{
    enum { SECTOR = 10, MORE = 30, APART = 64, LINES = WARPS * MOST };
    struct scene *s = *state;
    have_small_l2(s, 1000);
    s->costs.rates.dram_sector = SECTOR * 1000;
    s->costs.rates.dram_write = MORE * 1000;
    uint64_t cycles = cycles_of_words(s, APART, 1), left = s->written;
    uint64_t least = left * (4 * SECTOR + MORE);
    assert_true(left > LINES / 4);
    assert_true(cycles >= least && cycles < least + 2000);
    for (uint32_t w = 0; w < WARPS; w++)
        for (uint32_t i = 0; i < MOST; i++)
            ask(&s->warps[w], RED, 4096 + (w * MOST + i) * APART, 15);
    cycles = cycles_of(s, WARPS);
    left = s->written / 4;
    least = (LINES + left) * 4 * SECTOR + left * MORE;
    assert_true(left > LINES / 4);
    assert_true(cycles >= least && cycles < least + 2000);
}

/* L2 may hold one partially written line. Stores that alternate between two lines then fill the other line
 * each time, and wait in their slice because their own line is being filled. Stores that come later do not
 * wait. */
static void stores_wait_for_lines_that_are_filled(void **state)
{
    enum { HELD = 200, SECTORS = 4, SOON = 10, LATE = 5000 };
    struct scene *s = *state;
    have_small_l2(s, 0);
    s->costs.work.path = 1 << MODEL_WORK_SHIFT;
    s->costs.rates.l2_refill = 1;
    uint64_t cycles[2][2];
    for (uint32_t late = 0; late < 2; late++)
        for (uint32_t held = 0; held < 2; held++) {
            s->costs.rates.l2_filling = held * HELD * 1000;
            for (uint32_t i = 0; i < 2 * SECTORS; i++) {
                store_word(&s->warps[0], 4096 + i % 2 * 64, 1u << i / 2);
                warp_works(&s->warps[0], late ? LATE : SOON);
            }
            cycles[late][held] = cycles_of(s, 1);
        }
    uint64_t more = cycles[0][1] - cycles[0][0], most = (2 * SECTORS - 2) * HELD;
    assert_true(more <= most && more + 2 * SECTORS * SOON >= most);
    assert_int_equal(cycles[1][1], cycles[1][0]);
}

/* A store occupies L2 as long as any request, however few its sectors. A store that merges with another
 * occupies it for its sectors only. */
static void stores_are_requests(void **state)
{
    enum { SECTOR = 5, REQUEST = 20, LINES = WARPS * MOST };
    struct scene *s = *state;
    have_small_l2(s, 1000);
    s->costs.rates.l2_sector = SECTOR * 1000;
    s->costs.rates.l2_request = REQUEST * 1000;
    for (uint32_t w = 0; w < WARPS; w++)
        for (uint32_t i = 0; i < MOST; i++)
            store(&s->warps[w], w * MOST + i, 1);
    uint64_t alone = cycles_of(s, WARPS), least = LINES * REQUEST;
    assert_true(alone >= least && alone < least + 200);
    for (uint32_t w = 0; w < WARPS; w++)
        for (uint32_t i = 0; i < MOST; i++)
            store(&s->warps[w], (w * MOST + i) / 2, 1u << i % 2);
    uint64_t joined = cycles_of(s, WARPS);
    least = LINES / 2 * (REQUEST + SECTOR);
    assert_true(joined >= least && joined < least + 200);
}

/* While stores wait for L2, later stores merge with those to the most recent lines, up to a fixed number of
 * lines. */
static void stores_join_those_to_the_last_lines(void **state)
{
    enum { HELD = 1000 };
    struct scene *s = *state;
    uint32_t lines = (uint32_t)s->gpu.cache.store_merge_lines;
    have_small_l2(s, 1000);
    s->costs.rates.l2_request = HELD * 1000;
    assert_in_range(lines, 2, MOST / 2 - 2);
    for (uint32_t more = 0; more < 2; more++) {
        for (uint32_t i = 0; i < 2 * (lines + more); i++)
            store(&s->warps[0], i % (lines + more), 1);
        cycles_of(s, 1);
        assert_int_equal(s->stored, more ? 2 * (lines + 1) : lines);
    }
    for (uint32_t i = 0; i < MOST; i++) /* the first line is always among them */
        store(&s->warps[0], i % 2 ? i : 0, i % 4 == 2 ? 2 : 1);
    cycles_of(s, 1);
    assert_int_equal(s->stored, MOST / 2 + 2);
}

/* A store leaves L1 after store_merge_cycles when nothing delays it. Later stores to its line do not
 * merge with it, even those of the same instruction of its warp. */
static void stores_leave_soon(void **state)
{
    struct scene *s = *state;
    uint32_t cycles = (uint32_t)s->gpu.cache.store_merge_cycles;
    s->costs.work.path = 1 << MODEL_WORK_SHIFT;
    assert_in_range(cycles, 4, 100);
    for (uint32_t late = 0; late < 2; late++)
        for (uint32_t between = 0; between < 2; between++) {
            store(&s->warps[0], 1000, 1);
            if (between) store(&s->warps[0], 2000, 1);
            warp_works(&s->warps[0], late ? cycles + 1 : cycles - 1);
            store(&s->warps[0], 1000, 1);
            cycles_of(s, 1);
            assert_int_equal(s->stored, 1 + between + late);
        }
}

/* An instruction stores to a sector of each of so many lines. */
static void store_lines(struct warp *w, uint32_t instr, uint64_t first, uint32_t lines)
{
    w->requests[w->count++] = (struct event_request){
        .instr = instr, .lines = (uint16_t)lines, .kind = EVENT_KIND_STORE, .space = ISA_SPACE_GLOBAL};
    for (uint32_t i = 0; i < lines; i++)
        w->lines[w->line_count++] = (first + i) << EVENT_LINE_SECTORS | 1;
}

/* Sectors that L2 gets of two instructions of a warp that store to the same lines; `others` warps, each to as
 * many lines as are joined, come before. */
static uint64_t stored_by_two(struct scene *s, uint32_t lines, uint32_t others)
{
    uint32_t most = (uint32_t)s->gpu.cache.store_merge_lines;
    for (uint32_t w = 0; w < others; w++)
        store_lines(&s->warps[w], LOAD, 10000 + w * 100, most);
    store_lines(&s->warps[others], LOAD, 1000, lines);
    store_lines(&s->warps[others], USE, 1000, lines);
    cycles_of(s, others + 1);
    return s->stored - (uint64_t)others * most;
}

/* Stores of a basic block join those before them, however late, if all their lines fit; with stores of others
 * before them, if those of five warps do. A line of stores of less than a word counts twice. */
static void stores_of_a_block_join_if_they_fit(void **state)
{
    enum { LATE = 100, OTHERS = 4, TURNS = 5, HALF = 2 };
    struct scene *s = *state;
    uint32_t lines = (uint32_t)s->gpu.cache.store_merge_lines, few = lines / TURNS;
    s->steps[USE].before.path = LATE * TICK;
    assert_in_range(lines * OTHERS * 3 / 2, 129, 1000); /* cycles: the others are waiting */
    assert_int_equal(stored_by_two(s, lines, 0), lines);
    assert_int_equal(stored_by_two(s, lines + 1, 0), 2 * (lines + 1));
    assert_int_equal(stored_by_two(s, few, OTHERS), few);
    assert_int_equal(stored_by_two(s, few + 1, OTHERS), 2 * (few + 1));
    s->steps[USE].block = 1;
    assert_int_equal(stored_by_two(s, few, 0), 2 * few);
    s->steps[USE].block = 0;
    instrs[USE].bytes = HALF;
    assert_int_equal(stored_by_two(s, lines / 2, 0), lines / 2);
    assert_int_equal(stored_by_two(s, lines / 2 + 1, 0), 2 * (lines / 2 + 1));
    instrs[USE].bytes = 0;
}

/* Data of a pending line is delivered to the waiting warps one after the other. */
static void data_of_pending_lines_is_delivered_in_order(void **state)
{
    enum { EACH = 20 };
    struct scene *s = *state;
    uint64_t cycles[2];
    for (uint32_t iterations = 0; iterations < 2; iterations++) {
        s->costs.rates.found = iterations * EACH * 1000;
        for (uint32_t w = 0; w < WARPS; w++)
            ask(&s->warps[w], LOAD, 1000, 1);
        cycles[iterations] = cycles_of(s, WARPS);
    }
    assert_int_equal(cycles[1], cycles[0] + (WARPS - 1) * EACH);
}

/* Without costs the model reports no time; without requests it reports the time of the work. */
static void no_time_without_costs(void **state)
{
    enum { CYCLES = 7000 };
    struct scene *s = *state;
    s->costs.work.path = 1 << MODEL_WORK_SHIFT;
    warp_works(&s->warps[1], CYCLES);
    assert_int_equal(cycles_of(s, 2), CYCLES);
    s->costs.steps = NULL;
    warp_works(&s->warps[1], CYCLES);
    assert_int_equal(cycles_of(s, 2), 0);
    ask(&s->warps[0], LOAD, 1000, 1);
    assert_int_equal(cycles_of(s, 1), 0);
}

/* Each block has one warp, which reads its own line and then the line of a later block. shift: of the
 * sample. */
static uint64_t cycles_of_neighbours(struct scene *s, uint32_t shift)
{
    enum { PER_SM = 4, APART = 64, AWAY = 8 };
    uint32_t sms = (uint32_t)s->gpu.sm_count, count = sms * PER_SM;
    struct event_residency residency = model_residency(&s->gpu, 1, 128 << 10);
    residency.blocks_per_sm = PER_SM;
    struct event_stream *streams = calloc(count, sizeof *streams);
    struct warp *warps = calloc(count, sizeof *warps);
    uint64_t counters = 0;
    for (uint32_t i = 0; i < count; i++) { /* by multiprocessor */
        uint32_t block = i % PER_SM * sms + i / PER_SM;
        ask(&warps[i], LOAD, block * APART, 1);
        ask(&warps[i], USE, (block + AWAY) % count * APART, 1);
        streams[i] = warp_stream(&warps[i], block, i / PER_SM);
        streams[i].slot = i % PER_SM;
    }
    struct event_launch launch = {
        .kernel = &kernel, .grid = {count, 1, 1}, .block = {32, 1, 1}, .counters = &counters};
    const struct event_memory *memory =
        model_launch(s->memory, &launch, &residency, shift, streams, count, &s->costs);
    assert_int_equal(memory->sample_shift, shift);
    free(streams);
    free(warps);
    return memory->cycles;
}

/* Lines that blocks outside the sample read earlier hit in L2, as in the whole launch. */
static void samples_find_what_others_brought(void **state)
{
    struct scene *s = *state;
    s->steps[USE].level = 1;
    s->steps[USE].before.chain = 10 * TICK;
    uint64_t all = cycles_of_neighbours(s, 0), some = cycles_of_neighbours(s, 2);
    uint64_t near = s->gpu.cache.dram_cycles / 4;
    assert_in_range(some, all - near, all + near);
}

int main(void)
{
    event_code_name(instrs, INSTRS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(data_is_waited_for_where_it_is_used, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(cta_slots_tell_when_they_are_free, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(samples_find_what_others_brought, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(requests_of_one_execution_do_not_wait, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(memory_of_the_host_is_far, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(links_are_shared, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(phases_are_waited_for, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(pending_lines_are_waited_for, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(schedulers_hold_few_constants, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(addresses_of_constants_are_serialised, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(constants_stall_the_warp, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(groups_give_constants_in_order, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(paths_and_units_take_their_time, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(barriers_hold_the_block, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(barriers_take_warps_one_by_one, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(the_longest_warp_counts, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(work_shares_units, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(reading_registers_is_no_pipe, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(warps_of_a_scheduler_compete, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(work_waits_for_data, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(waits_are_summed_by_cause, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(waits_have_instructions, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(atomics_queue_in_slices, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(atomics_of_one_line_alone_take_longer, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(dram_has_a_rate, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(rows_of_dram_have_to_be_opened, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(loads_of_unrolled_loops_pass_barriers_or_not, open_scene,
                                        close_scene),
        cmocka_unit_test_setup_teardown(refills_are_serialised, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(lines_that_leave_take_dram, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(stores_wait_for_lines_that_are_filled, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(stores_are_requests, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(stores_join_those_to_the_last_lines, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(stores_leave_soon, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(stores_of_a_block_join_if_they_fit, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(data_of_pending_lines_is_delivered_in_order, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(samples_wait_as_all_do, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(requests_take_l1_at_least_so_long, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(launches_begin_with_idle_units, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(no_time_without_costs, open_scene, close_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
