/* SPDX-License-Identifier: Apache-2.0 */
/* The predicted time of a kernel: single units, worked out by hand on a frozen GPU (arch_pipes.def,
 * test90.ini); the effect of more work; and kernels without a prediction. tests/hw/timing compares times
 * with an H200. */
#include "event_code.h"
#include "frozen_gpu.h"

#include "timing/timing_kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MULTIPLIES = 1000, WARPS = 8, BLOCKS = 264 };

/* MULTIPLIES independent multiply-adds, then the end of the kernel. */
struct case_of_one_block {
    struct event_instr instrs[MULTIPLIES + 1];
    uint32_t regs[MULTIPLIES][4];
    uint64_t counters[6]; /* of all instructions; of an atomic's accesses */
    struct event_block block;
    struct event_kernel kernel;
    struct event_memory memory;
    struct event_launch launch;
    struct arch_gpu gpu;
};

static void fill(struct case_of_one_block *c)
{
    memset(c, 0, sizeof *c);
    for (uint32_t i = 0; i < MULTIPLIES; i++) {
        c->regs[i][0] = i % 32, c->regs[i][1] = 32;
        c->instrs[i] = (struct event_instr){.cls = ISA_CLASS_ALU,
                                            .unit = ISA_UNIT_FP32,
                                            .flop = ISA_FLOP_FMA,
                                            .op = "fma.rn.f32",
                                            .text = "fma",
                                            .slots = EVENT_CODE_SLOTS,
                                            .def_count = 1,
                                            .use_count = 1,
                                            .regs = c->regs[i]};
    }
    c->instrs[MULTIPLIES] =
        (struct event_instr){.cls = ISA_CLASS_EXIT, .op = "ret", .text = "ret", .slots = EVENT_CODE_SLOTS};
    event_code_name(c->instrs, MULTIPLIES + 1);
    c->counters[0] = BLOCKS * WARPS, c->counters[1] = BLOCKS * WARPS * 32;
    c->block =
        (struct event_block){.first = 0, .count = MULTIPLIES + 1, .before = {EVENT_NO_BLOCK, EVENT_NO_BLOCK}};
    c->kernel = (struct event_kernel){.name = "k",
                                      .instr_count = MULTIPLIES + 1,
                                      .instrs = c->instrs,
                                      .slot_count = 2,
                                      .registers = 16,
                                      .block_count = 1,
                                      .reg_count = 40,
                                      .blocks = &c->block};
    c->memory.instr_count = MULTIPLIES + 1;
    static const struct event_memory_sums none[MULTIPLIES + 1][EVENT_MEMORY_SPACES];
    c->memory.instrs = none;
    c->launch = (struct event_launch){.kernel = &c->kernel,
                                      .grid = {BLOCKS, 1, 1},
                                      .block = {32 * WARPS, 1, 1},
                                      .gpu = TEST90,
                                      .counters = c->counters,
                                      .memory = &c->memory};
    assert_int_equal(arch_gpu_load(TEST90, &c->gpu, NULL), SW_OK);
}

static struct event_time time_of(const struct case_of_one_block *c)
{
    struct event_time time;
    assert_true(timing_kernel(&c->gpu, NULL, &c->launch, &time, NULL));
    return time;
}

/* Register bank conflicts keep the scheduler from issuing, but are no issued instructions. */
static void issue_slots_are_instructions(void **state)
{
    (void)state;
    struct case_of_one_block c;
    fill(&c);
    for (uint32_t i = 0; i < MULTIPLIES; i++) {
        for (uint32_t use = 0; use < 3; use++)
            c.regs[i][1 + use] = 33 + i % 2 * 3 + use;
        c.instrs[i].use_count = 3;
    }
    struct event_time time = time_of(&c);
    double cycles = 2.0 * WARPS * MULTIPLIES / 4 * 100 / (double)c.gpu.kernels.issue_percent;
    assert_true(fabs(time.busy[EVENT_LIMIT_ISSUE] * time.cycles / cycles - 1) < 0.01);
}

static void multiply_adds_by_hand(void **state)
{
    (void)state;
    struct case_of_one_block c;
    fill(&c);
    struct event_time time = time_of(&c);
    /* 264 blocks on 132 multiprocessors: two each, of 8 warps; 128 lanes a cycle */
    double cycles = 2.0 * WARPS * MULTIPLIES * 32 / 128;
    assert_true(fabs(time.busy[EVENT_LIMIT_FMA] * time.cycles - cycles) < 1);
    assert_true(time.cycles > cycles && time.cycles < 2.2 * cycles); /* the way in and out is about 2 us */
    assert_true(time.limit == EVENT_LIMIT_FMA || time.limit == EVENT_LIMIT_ISSUE);
    assert_true(time.instructions >= (double)BLOCKS * WARPS * MULTIPLIES);
    assert_true(fabs(time.cycles / (double)time.clock_khz * 1e6 - (double)time.duration_ns) < 1);
    assert_true(time.sm_share > 0 && time.sm_share <= 1);
    struct event_time again = time_of(&c);
    assert_memory_equal(&time, &again, sizeof time);
}

/* Atomics of shared memory that are loops: lanes with the same address are serialised. */
static void sums_at_an_address_take_turns(void **state)
{
    enum { ATOMICS = 10, SPIN = 60, LANES = 8 };
    (void)state;
    double cycles[2];
    for (uint32_t often = 0; often < 2; often++) {
        struct case_of_one_block c;
        fill(&c);
        for (uint32_t i = 0; i < ATOMICS; i++) {
            struct event_instr *atomic = &c.instrs[i];
            atomic->cls = ISA_CLASS_ATOMIC;
            atomic->space = ISA_SPACE_SHARED;
            atomic->returns = atomic->is_read = atomic->is_write = true;
            atomic->op = atomic->text = "atom.shared.add.f32";
            event_code_name(atomic, 1);
            atomic->slots.access[EVENT_ACCESS_SHARED] = (struct event_access_slots){2, 3, 4, 5};
            c.regs[i][0] = c.regs[i][1] = 32; /* each adds to what the one before returned */
        }
        c.kernel.slot_count = 6;
        for (uint32_t slot = 2; slot < 6; slot++)
            c.counters[slot] = c.counters[0];
        if (often) c.counters[5] *= LANES;
        cycles[often] = time_of(&c).cycles;
    }
    double more = cycles[1] - cycles[0], turns = ATOMICS * SPIN * (LANES - 1);
    assert_true(more > turns / 3 && more < turns); /* multiply-adds go on meanwhile */
}

/* Bank conflicts by compute capability: a pass serves half a warp on 1.x, 256 bytes on 3.x. */
static void passes_of_shared_memory_by_generation(void **state)
{
    enum { PASSES = 4, REQUESTS = 2, UNITS = 3, LOADS = 10 };
    static const struct {
        const char *gpu;
        double cycles; /* of a pass */
    } CASES[] = {{"fx570", 2}, {TEST20, 2}, {TEST35, 1}, {"p100", 1}, {TEST90, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct case_of_one_block c;
        fill(&c);
        c.counters[REQUESTS] = (uint64_t)BLOCKS * WARPS, c.counters[UNITS] = c.counters[REQUESTS] * PASSES;
        c.kernel.slot_count = UNITS + 1;
        for (uint32_t l = 0; l < LOADS; l++) {
            struct event_instr *load = &c.instrs[l];
            load->cls = ISA_CLASS_LOAD, load->is_read = true, load->space = ISA_SPACE_SHARED, load->bytes = 4;
            load->op = load->text = "ld.shared.f32";
            event_code_name(load, 1);
            load->slots.access[EVENT_ACCESS_SHARED].requests = REQUESTS;
            load->slots.access[EVENT_ACCESS_SHARED].units = UNITS;
        }
        assert_int_equal(arch_gpu_load(CASES[i].gpu, &c.gpu, NULL), SW_OK);
        struct event_time time = time_of(&c);
        double sms = (double)c.gpu.sm_count, busiest = ceil(BLOCKS / sms);
        double cycles = busiest * WARPS * LOADS * PASSES * CASES[i].cycles;
        assert_float_equal(time.busy[EVENT_LIMIT_SHARED] * time.cycles / cycles, 1, 1e-3);
    }
}

static void dram_by_hand(void **state)
{
    (void)state;
    struct case_of_one_block c;
    fill(&c);
    c.memory.total.dram_reads = 1 << 24;
    struct event_time time = time_of(&c);
    const struct arch_gpu *g = &c.gpu;
    double peak =
        2.0 * (double)g->memory_clock_khz * 1000 * (double)g->memory_bus_bits / 8; /* bytes a second */
    double ns = (1 << 24) * 32.0 / (peak * (double)g->kernels.dram_stream_permille / 1000) * 1e9;
    assert_int_equal(time.limit, EVENT_LIMIT_DRAM);
    assert_true(fabs(time.busy[EVENT_LIMIT_DRAM] * (double)time.duration_ns / ns - 1) < 1e-3);
    assert_true((double)time.duration_ns > ns && (double)time.duration_ns < 1.2 * ns);
    assert_string_equal(timing_limit_name((enum event_limit)time.limit), "DRAM");
}

/* EMOGI (Min et al., VLDB 2020), on PCIe 3.0 with 16 lanes: 12.2 GB/s in requests of 128 bytes, 4.7 in those
 * of 32; on an H200 (tests/hw/h200/copies-1.csv, read_mapped of 64 MiB) 51 GB/s in those of 128. */
/* peer.cu, read_peer and write_peer of 64 MiB: 187 us. */
static void memory_of_another_h100(void **state)
{
    (void)state;
    struct case_of_one_block c;
    fill(&c);
    assert_int_equal(arch_gpu_load("h100", &c.gpu, NULL), SW_OK);
    c.memory.total.peer_reads = (64 << 20) / 32;
    c.memory.total.peer_read_requests = (64 << 20) / 128;
    struct event_time time = time_of(&c);
    assert_int_equal(time.limit, EVENT_LIMIT_PEER);
    assert_in_range(time.duration_ns, 168000, 206000);
    c.memory.total.peer_writes = (128 << 20) / 32; /* the other way, twice as much */
    c.memory.total.peer_write_requests = (128 << 20) / 128;
    assert_in_range(time_of(&c).duration_ns, 336000, 412000);
}

static void mapped_memory_as_published(void **state)
{
    (void)state;
    static const struct {
        const char *gpu;
        uint32_t sectors;
        double rate;
    } CASES[] = {{"v100", 4, 12.2}, {"v100", 1, 4.7}, {"h200", 4, 51}};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct case_of_one_block c;
        fill(&c);
        assert_int_equal(arch_gpu_load(CASES[i].gpu, &c.gpu, NULL), SW_OK);
        c.memory.total.host_reads = 1 << 24;
        c.memory.total.host_read_requests = (1 << 24) / CASES[i].sectors;
        struct event_time time = time_of(&c);
        double rate = (1 << 24) * 32.0 / (double)time.duration_ns;
        assert_int_equal(time.limit, EVENT_LIMIT_PCIE);
        if (rate < 0.85 * CASES[i].rate || rate > 1.2 * CASES[i].rate)
            fail_msg("%s, %u sectors: %g GB/s, not %g", CASES[i].gpu, CASES[i].sectors, rate, CASES[i].rate);
        c.memory.total.host_writes = 1 << 22; /* the other way */
        c.memory.total.host_write_requests = 1 << 20;
        assert_true(time_of(&c).duration_ns - time.duration_ns < time.duration_ns / 100);
    }
}

static void more_work_takes_longer(void **state)
{
    (void)state;
    struct case_of_one_block c;
    fill(&c);
    uint64_t before = time_of(&c).duration_ns;
    for (int i = 0; i < 5; i++) { /* twice the blocks, all that they do with them */
        c.launch.grid[0] *= 2;
        c.counters[0] *= 2, c.counters[1] *= 2;
        uint64_t after = time_of(&c).duration_ns;
        assert_true(after > before);
        before = after;
    }
    c.memory.total.l2_reads = 1ull << 40;
    assert_true(time_of(&c).duration_ns > 100 * before);
}

static void what_is_not_predicted(void **state)
{
    (void)state;
    struct case_of_one_block c;
    struct event_time time;
    fill(&c);
    c.launch.memory = NULL;
    assert_false(timing_kernel(&c.gpu, NULL, &c.launch, &time, NULL));
    fill(&c);
    c.launch.counters = NULL;
    assert_false(timing_kernel(&c.gpu, NULL, &c.launch, &time, NULL));
    fill(&c);
    c.launch.dynamic_shared_bytes = 1 << 20; /* fits on no multiprocessor */
    assert_false(timing_kernel(&c.gpu, NULL, &c.launch, &time, NULL));
}

static uint64_t duration_on(const char *gpu)
{
    struct case_of_one_block c;
    fill(&c);
    assert_int_equal(arch_gpu_load(gpu, &c.gpu, NULL), SW_OK);
    struct event_time time = time_of(&c);
    assert_int_equal(time.validated, strcmp(gpu, "h200") == 0 || strcmp(gpu, "h100") == 0);
    return time.duration_ns;
}

static void every_gpu_predicts(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    const char **names;
    uint32_t count = arch_gpu_list(&arena, &names);
    assert_in_range(count, 10, 100);
    for (uint32_t i = 0; i < count; i++)
        assert_true(duration_on(names[i]) > 0);
    assert_true(duration_on("fx570") > 20 * duration_on("h200")); /* two multiprocessors of 8 lanes */
    arena_release(&arena);
}

/* Two loads, an addition of what they bring, one that does not wait, and a store. */
enum { FIRST, SECOND, SUM, OTHER, STORE, EXIT, FEW };
struct case_of_waits {
    struct case_of_one_block base;
    struct event_instr instrs[FEW];
    struct event_stalls intervals[FEW + 1][EVENT_INTERVALS], stalls[FEW];
};

static void fill_waits(struct case_of_waits *c)
{
    static const struct {
        uint8_t cls, defs, uses, read, write;
        const char *op;
        uint32_t regs[3];
    } ROWS[FEW] = {{ISA_CLASS_LOAD, 1, 1, true, false, "ld.global.f32", {1, 0}},
                   {ISA_CLASS_LOAD, 1, 1, true, false, "ld.global.f32", {2, 0}},
                   {ISA_CLASS_ALU, 1, 2, false, false, "add.rn.f32", {3, 1, 2}},
                   {ISA_CLASS_ALU, 1, 2, false, false, "mul.rn.f32", {4, 5, 6}},
                   {ISA_CLASS_STORE, 0, 2, false, true, "st.global.f32", {0, 3}},
                   {ISA_CLASS_EXIT, 0, 0, false, false, "ret", {0}}};
    static const struct event_slots PLAIN = {
        0, 1, 0, 1, EVENT_NO_SLOT, EVENT_NO_SLOT, EVENT_CODE_NO_ACCESSES};
    fill(&c->base);
    memset(c->intervals, 0, sizeof c->intervals);
    for (uint32_t i = 0; i < FEW; i++) {
        bool memory = ROWS[i].read || ROWS[i].write;
        c->instrs[i] = (struct event_instr){.cls = ROWS[i].cls,
                                            .unit = memory ? ISA_UNIT_MEMORY : ISA_UNIT_FP32,
                                            .space = memory ? ISA_SPACE_GLOBAL : ISA_SPACE_NONE,
                                            .bytes = memory ? 4 : 0,
                                            .is_read = ROWS[i].read,
                                            .is_write = ROWS[i].write,
                                            .op = ROWS[i].op,
                                            .text = ROWS[i].op,
                                            .slots = PLAIN,
                                            .def_count = ROWS[i].defs,
                                            .use_count = ROWS[i].uses,
                                            .regs = ROWS[i].regs};
        if (memory) c->instrs[i].slots.access[EVENT_ACCESS_GLOBAL].requests = 0;
    }
    event_code_name(c->instrs, FEW);
    c->base.kernel.instrs = c->instrs;
    c->base.kernel.instr_count = FEW;
    c->base.block.count = FEW;
    c->base.memory.instr_count = FEW;
    c->base.memory.cycles = 10000;
    c->base.memory.intervals = (const struct event_stalls(*)[EVENT_INTERVALS])c->intervals;
    c->base.memory.waits = (struct event_waits){.warps = 100, .resident = 500000, .active = 60000};
}

static void wait_at(struct case_of_waits *c, uint32_t instr, uint32_t interval, enum event_stall why,
                    uint64_t cycles)
{
    c->intervals[instr][interval].cycles[why] += cycles;
    c->base.memory.waits.cycles[why] += cycles;
}

/* The share of a stall reason's cycles that is attributed to an instruction. */
static double share_at(const struct case_of_waits *c, uint32_t instr, enum event_stall why)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < FEW; i++)
        sum += c->stalls[i].cycles[why];
    return sum ? (double)c->stalls[instr].cycles[why] / (double)sum : 0;
}

static void waits_stand_at_instructions(void **state)
{
    (void)state;
    struct case_of_waits c;
    struct event_time time;
    fill_waits(&c);
    wait_at(&c, STORE, EVENT_INTERVAL_BEFORE, EVENT_STALL_LONG_SCOREBOARD, 200000);
    wait_at(&c, STORE, EVENT_INTERVAL_BEFORE, EVENT_STALL_NOT_SELECTED, 30000);
    wait_at(&c, STORE, EVENT_INTERVAL_BEFORE, EVENT_STALL_MATH_PIPE_THROTTLE, 1000);
    wait_at(&c, STORE, EVENT_INTERVAL_AFTER, EVENT_STALL_DRAIN, 50000);
    assert_true(timing_kernel(&c.base.gpu, NULL, &c.base.launch, &time, c.stalls));
    assert_true(share_at(&c, SUM, EVENT_STALL_LONG_SCOREBOARD) > 0.9999);
    assert_true(share_at(&c, STORE, EVENT_STALL_DRAIN) > 0.9999);
    for (uint32_t i = SUM; i <= STORE; i++) {
        assert_true(fabs(share_at(&c, i, EVENT_STALL_NOT_SELECTED) - 1.0 / 3) < 1e-3);
        double math = i == STORE ? 0 : 0.5;
        assert_true(fabs(share_at(&c, i, EVENT_STALL_MATH_PIPE_THROTTLE) - math) < 1e-3);
    }
    for (uint32_t r = 0; r < EVENT_STALL_COUNT; r++) {
        double sum = 0, all = time.stalls[r] * time.instructions;
        for (uint32_t i = 0; i < FEW; i++)
            sum += (double)c.stalls[i].cycles[r];
        assert_true(fabs(sum - all) <= FEW);
    }
    /* Of queues of shared memory, by passes. */
    enum { PASSES = 7, REQUESTS_SLOT = 0, UNITS_SLOT = 2 };
    uint64_t counters[] = {BLOCKS * WARPS, BLOCKS * WARPS * 32, PASSES * BLOCKS * WARPS};
    fill_waits(&c);
    c.base.launch.counters = counters;
    c.base.kernel.slot_count = 3;
    for (uint32_t i = SUM; i <= OTHER; i++) {
        c.instrs[i].cls = ISA_CLASS_LOAD, c.instrs[i].op = "ld.shared.f32";
        c.instrs[i].unit = ISA_UNIT_MEMORY, c.instrs[i].space = ISA_SPACE_SHARED;
        c.instrs[i].is_read = true, c.instrs[i].bytes = 4;
        event_code_name(&c.instrs[i], 1);
        c.instrs[i].slots.access[EVENT_ACCESS_SHARED].requests = REQUESTS_SLOT;
        c.instrs[i].slots.access[EVENT_ACCESS_SHARED].units = i == SUM ? UNITS_SLOT : REQUESTS_SLOT;
    }
    wait_at(&c, STORE, EVENT_INTERVAL_BEFORE, EVENT_STALL_MIO_THROTTLE, 100000);
    assert_true(timing_kernel(&c.base.gpu, NULL, &c.base.launch, &time, c.stalls));
    assert_true(fabs(share_at(&c, SUM, EVENT_STALL_MIO_THROTTLE) - PASSES / (PASSES + 1.0)) < 1e-3);
    /* The store does not depend on the loads, so warps wait for the loads' data after all requests. */
    fill_waits(&c);
    static const uint32_t OTHERS[] = {0, 4};
    c.instrs[STORE].regs = OTHERS;
    wait_at(&c, STORE, EVENT_INTERVAL_AFTER, EVENT_STALL_LONG_SCOREBOARD, 200000);
    assert_true(timing_kernel(&c.base.gpu, NULL, &c.base.launch, &time, c.stalls));
    assert_true(share_at(&c, SUM, EVENT_STALL_LONG_SCOREBOARD) > 0.9999);
    assert_int_equal(c.stalls[STORE].cycles[EVENT_STALL_DRAIN], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(issue_slots_are_instructions),
        cmocka_unit_test(multiply_adds_by_hand),
        cmocka_unit_test(sums_at_an_address_take_turns),
        cmocka_unit_test(passes_of_shared_memory_by_generation),
        cmocka_unit_test(dram_by_hand),
        cmocka_unit_test(memory_of_another_h100),
        cmocka_unit_test(mapped_memory_as_published),
        cmocka_unit_test(more_work_takes_longer),
        cmocka_unit_test(what_is_not_predicted),
        cmocka_unit_test(every_gpu_predicts),
        cmocka_unit_test(waits_stand_at_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
