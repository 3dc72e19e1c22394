/* SPDX-License-Identifier: Apache-2.0 */
/* The roofline of artificial launches, worked out by hand: peaks of an H200 at 1.5 GHz, operations by
 * type, and which ceiling limits the launch. */
#include "event_code.h"
#include "frozen_gpu.h"

#include "prof/prof.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define NONE     EVENT_NO_SLOT
#define NO_SLOTS {NONE, NONE, NONE, NONE}
#define NOWHERE  {NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS}
/* Slots: 0 warps, 1 lanes, of all instructions; 2-4 the load. */
#define DOES(unit_, flop_, op_)                                                                              \
    {                                                                                                        \
        .cls = ISA_CLASS_ALU, .unit = (unit_), .flop = (flop_), .op = (op_), .text = (op_), .slots = {       \
            0,                                                                                               \
            1,                                                                                               \
            0,                                                                                               \
            1,                                                                                               \
            NONE,                                                                                            \
            NONE,                                                                                            \
            NOWHERE                                                                                          \
        }                                                                                                    \
    }
static struct event_instr INSTRS[] = {
    {.cls = ISA_CLASS_LOAD,
     .unit = ISA_UNIT_MEMORY,
     .space = ISA_SPACE_GLOBAL,
     .bytes = 4,
     .is_read = true,
     .op = "ld.global.f32",
     .text = "ld",
     .slots = {0, 1, 0, 1, NONE, NONE, {{2, 3, 4, NONE}, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS}}},
    DOES(ISA_UNIT_FP32, ISA_FLOP_FMA, "fma.rn.f32"),
    DOES(ISA_UNIT_FP32, ISA_FLOP_ADD, "add.f32"),
    DOES(ISA_UNIT_FP64, ISA_FLOP_MUL, "mul.f64"),
    DOES(ISA_UNIT_FP16, ISA_FLOP_FMA, "fma.rn.f16x2"),
    DOES(ISA_UNIT_FP16, ISA_FLOP_FMA, "fma.rn.bf16"),
    DOES(ISA_UNIT_INTEGER, ISA_FLOP_NONE, "add.s32"),
    DOES(ISA_UNIT_OTHER, ISA_FLOP_NONE, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
    DOES(ISA_UNIT_OTHER, ISA_FLOP_NONE, "mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32"),
    DOES(ISA_UNIT_OTHER, ISA_FLOP_NONE, "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16"),
    DOES(ISA_UNIT_OTHER, ISA_FLOP_NONE, "wmma.load.a.sync.aligned.row.m16n16k16.f16"),
    DOES(ISA_UNIT_OTHER, ISA_FLOP_NONE, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"),
    DOES(ISA_UNIT_OTHER, ISA_FLOP_NONE, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"),
    DOES(ISA_UNIT_OTHER, ISA_FLOP_NONE, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"),
};
enum { WARPS = 10, SECTORS = 40 };
static const uint64_t COUNTERS[] = {WARPS, WARPS * 32, WARPS, SECTORS, SECTORS};
static const struct event_memory_sums INSTR_SUMS[SW_COUNT_OF(INSTRS)][EVENT_MEMORY_SPACES];

struct made { /* a launch of the first `instrs` instructions */
    struct event_kernel kernel;
    struct event_memory memory;
    struct event_time time;
    struct event_launch launch;
    struct arch_gpu gpu;
    struct prof_launch prof;
};

static void make(struct made *m, uint32_t instrs, const char *gpu, uint32_t cc_major)
{
    *m = (struct made){
        .kernel = {
            .name = "k", .instr_count = instrs, .instrs = INSTRS, .slot_count = SW_COUNT_OF(COUNTERS)}};
    m->memory = (struct event_memory){.instr_count = instrs, .instrs = INSTR_SUMS};
    m->memory.total.l2_reads = 30;
    m->memory.total.l2_writes = 10;
    m->memory.total.dram_reads = 15;
    m->memory.total.dram_writes = 5;
    m->time = (struct event_time){.duration_ns = 1000, .clock_khz = 1500000, .limit = EVENT_LIMIT_LATENCY};
    m->launch = (struct event_launch){.kernel = &m->kernel,
                                      .grid = {1, 1, 1},
                                      .block = {320, 1, 1},
                                      .gpu = TEST90,
                                      .counters = COUNTERS,
                                      .memory = &m->memory,
                                      .time = &m->time};
    assert_int_equal(arch_gpu_load(gpu, &m->gpu, NULL), SW_OK);
    m->gpu.kernels.l2_sector_millicycles = 8;
    prof_launch_init(&m->prof, &m->launch, "program", "k()", &m->gpu,
                     arch_cc_find(cc_major, cc_major == 7 ? 5 : 0));
}

static void is_near(double got, double want)
{
    if (fabs(got - want) > 1e-9 * fabs(want)) fail_msg("%.17g is not %.17g", got, want);
}

static void peaks_of_an_h200(void **state)
{
    (void)state;
    struct made m;
    struct prof_roofline r;
    static const double WANT[PROF_ROOF_COUNT] = {[PROF_ROOF_FP64] = 132 * 64 * 2 * 1.5e9,
                                                 [PROF_ROOF_FP32] = 132 * 128 * 2 * 1.5e9,
                                                 [PROF_ROOF_FP16] = 132 * 256 * 2 * 1.5e9,
                                                 [PROF_ROOF_TENSOR_FP64] = 132 * 128 * 2 * 1.5e9,
                                                 [PROF_ROOF_TENSOR_TF32] = 132 * 1024 * 2 * 1.5e9,
                                                 [PROF_ROOF_TENSOR_FP16] = 132 * 2048 * 2 * 1.5e9,
                                                 [PROF_ROOF_TENSOR_8] = 132 * 4096.0 * 2 * 1.5e9,
                                                 [PROF_ROOF_L1] = 132 * 128 * 1.5e9,
                                                 [PROF_ROOF_L2] = 32 / 0.008 * 1.5e9,
                                                 [PROF_ROOF_DRAM] = 2 * 3.201e9 * 6016 / 8};
    make(&m, 1, TEST90, 9);
    assert_true(prof_roofline(&m.prof, 1e-6, &r));
    for (int i = 0; i < PROF_ROOF_COUNT; i++)
        is_near(r.roofs[i].peak, WANT[i]);
}

static void peaks_of_a_t4(void **state)
{
    (void)state;
    struct made m;
    struct prof_roofline r;
    make(&m, 1, "t4", 7);
    assert_true(prof_roofline(&m.prof, 1e-6, &r));
    is_near(r.roofs[PROF_ROOF_FP32].peak, 40 * 64 * 2 * 1.5e9);
    is_near(r.roofs[PROF_ROOF_TENSOR_FP16].peak, 40 * 512 * 2 * 1.5e9);
    is_near(r.roofs[PROF_ROOF_TENSOR_8].peak, 40 * 1024 * 2 * 1.5e9);
    is_near(r.roofs[PROF_ROOF_L1].peak, 40 * 64 * 1.5e9);
    assert_true(r.roofs[PROF_ROOF_TENSOR_FP64].peak == 0 && r.roofs[PROF_ROOF_TENSOR_TF32].peak == 0);
}

static void work_by_type(void **state)
{
    (void)state;
    struct made m;
    struct prof_roofline r;
    make(&m, SW_COUNT_OF(INSTRS), TEST90, 9);
    assert_true(prof_roofline(&m.prof, 1e-6, &r));
    is_near(r.roofs[PROF_ROOF_FP32].work, WARPS * 32 * 3);
    is_near(r.roofs[PROF_ROOF_FP64].work, WARPS * 32);
    is_near(r.roofs[PROF_ROOF_FP16].work, WARPS * 32 * (4 + 2));
    /* mma; half of the sparse shape; a quarter of wgmma's for each of its warps; loads of fragments: none */
    is_near(r.roofs[PROF_ROOF_TENSOR_FP16].work,
            WARPS * 2.0 * (16 * 8 * 16 + 16 * 8 * 32 / 2 + 64 * 128 * 16 / 4));
    is_near(r.roofs[PROF_ROOF_TENSOR_TF32].work, WARPS * 2 * 16 * 8 * 8);
    is_near(r.roofs[PROF_ROOF_TENSOR_FP64].work, WARPS * 2 * 8 * 8 * 4);
    is_near(r.roofs[PROF_ROOF_TENSOR_8].work, WARPS * 2 * 16 * 8 * 32);
    is_near(r.roofs[PROF_ROOF_L1].work, 32 * SECTORS);
    is_near(r.roofs[PROF_ROOF_L2].work, 32 * 40);
    is_near(r.roofs[PROF_ROOF_DRAM].work, 32 * 20);
}

/* One load and one fma a warp: 640 FLOP, 1280 bytes of L1, 640 of DRAM. */
static void the_nearest_roof_binds(void **state)
{
    (void)state;
    struct made m;
    struct prof_roofline r;
    make(&m, 2, TEST90, 9);
    assert_true(prof_roofline(&m.prof, 2e-6, &r));
    is_near(prof_roofline_intensity(&r, PROF_ROOF_L1), 0.5);
    is_near(prof_roofline_intensity(&r, PROF_ROOF_DRAM), 1);
    is_near(prof_roofline_at_most(&r, PROF_ROOF_DRAM), r.roofs[PROF_ROOF_DRAM].peak);
    is_near(prof_roofline_at_most(&r, PROF_ROOF_FP32), r.roofs[PROF_ROOF_FP32].peak);
    is_near(r.flop / r.seconds, 640 / 2e-6);
    assert_int_equal(r.binds, PROF_ROOF_L2); /* 1280 B at 6.0 TB/s is longer than 640 at 4.8 */
    assert_int_equal(r.compute, PROF_ROOF_FP32);
    m.memory.total.dram_reads = 1000;
    assert_true(prof_roofline(&m.prof, 2e-6, &r));
    assert_int_equal(r.binds, PROF_ROOF_DRAM);
    m.memory.total.dram_reads = m.memory.total.l2_reads = m.memory.total.l2_writes = 0;
    m.prof.sums.flop[PROF_ROOF_FP64] = 10000; /* more than FP32's and than L1's bytes */
    assert_true(prof_roofline(&m.prof, 2e-6, &r));
    assert_int_equal(r.binds, PROF_ROOF_FP64);
    assert_int_equal(r.compute, PROF_ROOF_FP64);
}

static void without_flop_or_time(void **state)
{
    (void)state;
    struct made m;
    struct prof_roofline r;
    make(&m, 1, TEST90, 9);
    assert_true(prof_roofline(&m.prof, 1e-6, &r));
    assert_true(r.flop == 0);
    assert_int_equal(r.compute, PROF_ROOF_FP32);
    assert_true(prof_roofline_at_most(&r, PROF_ROOF_FP32) == 0 &&
                prof_roofline_intensity(&r, PROF_ROOF_L1) == 0);
    assert_false(prof_roofline(&m.prof, 0, &r));
    m.launch.time = NULL;
    assert_false(prof_roofline(&m.prof, 1e-6, &r));
}

static void efficiencies_of_nvprof(void **state)
{
    (void)state;
    struct made m;
    struct report_value values[512];
    make(&m, 2, TEST90, 9);
    assert_true(prof_metric_count() <= SW_COUNT_OF(values));
    prof_metric_values(&m.prof, values);
    is_near(values[prof_metric_find("flop_sp_efficiency")].real, 100 * 640 / 1e-6 / (132 * 128 * 2 * 1.5e9));
    is_near(values[prof_metric_find("flop_dp_efficiency")].real, 0);
}

int main(void)
{
    event_code_name(INSTRS, SW_COUNT_OF(INSTRS));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_of_an_h200),     cmocka_unit_test(peaks_of_a_t4),
        cmocka_unit_test(work_by_type),         cmocka_unit_test(the_nearest_roof_binds),
        cmocka_unit_test(without_flop_or_time), cmocka_unit_test(efficiencies_of_nvprof),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
