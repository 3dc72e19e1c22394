/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a kernel: single units by hand on an H200 (arch_pipes.def, gpus/h200.ini), what more work does,
 * and what is not predicted. How far times are right is tests/hw/timing's business. */
#include "timing/timing_kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MULTIPLIES = 1000, WARPS = 8, BLOCKS = 264 };
#define NONE      EVENT_NO_SLOT
#define NO_ACCESS {NONE, NONE, NONE, NONE}

/* MULTIPLIES multiply-adds that do not wait for each other, then the end. */
struct case_of_one_block {
    struct event_instr instrs[MULTIPLIES + 1];
    uint32_t regs[MULTIPLIES][2];
    uint64_t counters[2];
    struct event_block block;
    struct event_kernel kernel;
    struct event_memory memory;
    struct event_launch launch;
    struct arch_gpu gpu;
};

static void fill(struct case_of_one_block *c)
{
    static const struct event_slots SLOTS = {
        0, 1, 0, 1, NONE, NONE, {NO_ACCESS, NO_ACCESS, NO_ACCESS, NO_ACCESS, NO_ACCESS, NO_ACCESS}};
    memset(c, 0, sizeof *c);
    for (uint32_t i = 0; i < MULTIPLIES; i++) {
        c->regs[i][0] = i % 32, c->regs[i][1] = 32;
        c->instrs[i] = (struct event_instr){.cls = EVENT_ALU,
                                            .unit = EVENT_UNIT_FP32,
                                            .flop = EVENT_FLOP_FMA,
                                            .op = "fma.rn.f32",
                                            .text = "fma",
                                            .slots = SLOTS,
                                            .def_count = 1,
                                            .use_count = 1,
                                            .regs = c->regs[i]};
    }
    c->instrs[MULTIPLIES] =
        (struct event_instr){.cls = EVENT_EXIT, .op = "ret", .text = "ret", .slots = SLOTS};
    c->counters[0] = BLOCKS * WARPS, c->counters[1] = BLOCKS * WARPS * 32;
    c->block = (struct event_block){0, MULTIPLIES + 1, {EVENT_NO_BLOCK, EVENT_NO_BLOCK}};
    c->kernel = (struct event_kernel){.name = "k",
                                      .instr_count = MULTIPLIES + 1,
                                      .instrs = c->instrs,
                                      .slot_count = 2,
                                      .registers = 16,
                                      .block_count = 1,
                                      .reg_count = 33,
                                      .blocks = &c->block};
    c->memory.instr_count = MULTIPLIES + 1;
    static const struct event_memory_sums none[MULTIPLIES + 1][EVENT_MEMORY_SPACES];
    c->memory.instrs = none;
    c->launch = (struct event_launch){.kernel = &c->kernel,
                                      .grid = {BLOCKS, 1, 1},
                                      .block = {32 * WARPS, 1, 1},
                                      .gpu = "h200",
                                      .counters = c->counters,
                                      .memory = &c->memory};
    assert_int_equal(arch_gpu_load("h200", &c->gpu, NULL), SW_OK);
}

static struct event_time time_of(const struct case_of_one_block *c)
{
    struct event_time time;
    assert_true(timing_kernel(&c->gpu, &c->launch, &time));
    return time;
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
    double ns = (1 << 24) * 32.0 / (peak * (double)g->kernels.dram_permille / 1000) * 1e9;
    assert_int_equal(time.limit, EVENT_LIMIT_DRAM);
    assert_true(fabs(time.busy[EVENT_LIMIT_DRAM] * (double)time.duration_ns / ns - 1) < 1e-3);
    assert_true((double)time.duration_ns > ns && (double)time.duration_ns < 1.2 * ns);
    assert_string_equal(timing_limit_name((enum event_limit)time.limit), "DRAM");
}

/* EMOGI (Min et al., VLDB 2020), on PCIe 3.0 with 16 lanes: 12.2 GB/s in requests of 128 bytes, 4.7 in those
 * of 32; on an H200 (tests/hw/h200/copies-1.csv, read_mapped of 64 MiB) 51 GB/s in those of 128. */
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
    assert_false(timing_kernel(&c.gpu, &c.launch, &time));
    fill(&c);
    c.launch.counters = NULL;
    assert_false(timing_kernel(&c.gpu, &c.launch, &time));
    fill(&c);
    c.launch.dynamic_shared_bytes = 1 << 20; /* fits on no multiprocessor */
    assert_false(timing_kernel(&c.gpu, &c.launch, &time));
}

static void every_gpu_predicts(void **state)
{
    (void)state;
    static const char *const GPUS[] = {"h200", "h100", "a100",    "l40s", "rtx4090", "rtx3090", "t4",
                                       "v100", "p100", "gtx1080", "m40",  "k20x",    "m2090",   "fx570"};
    struct case_of_one_block c;
    uint64_t h200 = 0;
    for (size_t i = 0; i < SW_COUNT_OF(GPUS); i++) {
        fill(&c);
        assert_int_equal(arch_gpu_load(GPUS[i], &c.gpu, NULL), SW_OK);
        struct event_time time = time_of(&c);
        assert_int_equal(time.validated, strcmp(GPUS[i], "h200") == 0 || strcmp(GPUS[i], "h100") == 0);
        if (i == 0) h200 = time.duration_ns;
        if (strcmp(GPUS[i], "fx570") == 0)
            assert_true(time.duration_ns > 20 * h200); /* two multiprocessors of 8 lanes */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiply_adds_by_hand),      cmocka_unit_test(dram_by_hand),
        cmocka_unit_test(mapped_memory_as_published), cmocka_unit_test(more_work_takes_longer),
        cmocka_unit_test(what_is_not_predicted),      cmocka_unit_test(every_gpu_predicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
