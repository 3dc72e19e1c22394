/* SPDX-License-Identifier: Apache-2.0 */
/* How many machine instructions a warp executes for PTX of one block: what ptxas 13.0 makes of the same lines
 * for compute capability 9.0 (tests/hw/timing/timing.ptx, counted by hand in its disassembly). All beginnings
 * are the load of the stack pointer, and of the descriptor of global memory where something accesses it. */
#include "event_code.h"
#include "frozen_gpu.h"

#include "timing/timing_kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 16, WARPS = 4 };
static const struct {
    const char *name;
    double instructions;
    const char *body;
} CASES[] = {
    {"empty: LDC, EXIT", 2, "ret;"},
    {"a multiplication takes the addition in", 2 + 1,
     "mul.lo.s32 %r1, %r2, %r3; "
     "add.s32 %r4, %r1, %r5; "
     "ret;"},
    {"casts from int and back: the upper halves, one addition and a sign", 3 + 3,
     "shl.b64 %rd1, %rd2, 32; "
     "add.s64 %rd3, %rd1, 4294967296; "
     "shr.s64 %rd4, %rd3, 32; "
     "st.global.u64 [%rd5], %rd4; "
     "ret;"},
    {"and of the lower half, or of nothing", 3 + 2,
     "and.b64 %rd1, %rd2, 1; "
     "or.b64 %rd3, %rd1, 0; "
     "st.global.u64 [%rd5], %rd3; "
     "ret;"},
    {"a multiply-add takes no other", 2 + 2,
     "mad.lo.s32 %r1, %r2, %r3, %r6; "
     "add.s32 %r4, %r1, %r5; "
     "ret;"},
    {"LDSM: an operand of a matrix from shared memory", 2 + 1,
     "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1}, [%r2], %r3; "
     "ret;"},
    {"LEA.HI: a shift to the right and an addition", 2 + 1,
     "shr.u32 %r1, %r2, 5; "
     "add.s32 %r4, %r1, %r5; "
     "ret;"},
    {"a shift and a logical operation are two", 2 + 2,
     "shl.b32 %r1, %r2, 5; "
     "xor.b32 %r4, %r1, %r5; "
     "ret;"},
    {"one product, two addresses: IMAD.WIDE twice", 3 + 4,
     "mul.wide.s32 %rd1, %r2, 4; "
     "add.s64 %rd3, %rd4, %rd1; "
     "add.s64 %rd5, %rd6, %rd1; "
     "st.global.u32 [%rd3], %r2; "
     "st.global.u32 [%rd5], %r2; "
     "ret;"},
    {"a test of bits is part of the operation that made them", 2 + 1,
     "and.b32 %r1, %r2, %r3; "
     "setp.ne.s32 %p4, %r1, 0; "
     "ret;"},
    {"I2F.U8", 2 + 1,
     "and.b32 %r1, %r2, 255; "
     "cvt.rn.f32.u32 %f4, %r1; "
     "ret;"},
    {"I2F.U16 and I2F.U16.H1", 2 + 2,
     "and.b32 %r1, %r2, 65535; "
     "cvt.rn.f32.u32 %f4, %r1; "
     "shr.u32 %r3, %r2, 16; "
     "cvt.rn.f32.u32 %f5, %r3; "
     "ret;"},
    {"no part of a register: a shift and a conversion", 2 + 2,
     "shr.u32 %r3, %r2, 12; "
     "cvt.rn.f32.u32 %f5, %r3; "
     "ret;"},
    {"two parameters in 8 bytes; one that nobody reads", 2 + 1 + 1,
     "ld.param.u32 %r1, [k_param_0]; "
     "ld.param.u32 %r2, [k_param_1]; "
     "ld.param.u64 %rd3, [k_param_2]; "
     "xor.b32 %r4, %r1, %r2; "
     "ret;"},
    {"a double's lower half is moved, unless it is 0", 2 + 2 + 2,
     "mov.f64 %fd1, 0d3FF71547652B82FE; "
     "mov.f64 %fd2, 0dC338000000000000; "
     "fma.rn.f64 %fd3, %fd4, %fd1, %fd2; "
     "mul.f64 %fd5, %fd3, %fd3; "
     "ret;"},
    {"loads of shared memory at addresses of 16 bytes: one", 2 + 1 + 1,
     "shl.b32 %r1, %r2, 4; "
     "ld.shared.f32 %f3, [%r1]; "
     "ld.shared.f32 %f4, [%r1+4]; "
     "ret;"},
    {"volatile: each its own", 2 + 1 + 2,
     "shl.b32 %r1, %r2, 4; "
     "ld.volatile.shared.f32 %f3, [%r1]; "
     "ld.volatile.shared.f32 %f4, [%r1+4]; "
     "ret;"},
    {"of 4 bytes: each its own", 2 + 1 + 2,
     "shl.b32 %r1, %r2, 2; "
     "ld.shared.f32 %f3, [%r1]; "
     "ld.shared.f32 %f4, [%r1+4]; "
     "ret;"},
};

static double instructions_with(struct event_code *code, const char *name, const uint64_t *counters)
{
    static const struct event_memory_sums none[MOST][EVENT_MEMORY_SPACES];
    struct event_memory memory = {.instr_count = code->kernel.instr_count, .instrs = none};
    struct event_launch launch = {.kernel = &code->kernel,
                                  .grid = {WARPS, 1, 1},
                                  .block = {32, 1, 1},
                                  .gpu = name,
                                  .counters = counters,
                                  .memory = &memory};
    struct arch_gpu gpu;
    struct event_time time;
    assert_true(code->kernel.instr_count <= MOST);
    assert_int_equal(arch_gpu_load(name, &gpu, NULL), SW_OK);
    assert_true(timing_kernel(&gpu, NULL, &launch, &time, NULL));
    return time.instructions / WARPS;
}

static double instructions_of(const char *body, const char *name)
{
    static const uint64_t counters[1] = {WARPS};
    struct event_code code;
    event_code_open(&code, body);
    code.kernel.slot_count = 1;
    for (uint32_t i = 0; i < code.kernel.instr_count; i++)
        code.instrs[i].slots.warps = 0;
    double instructions = instructions_with(&code, name, counters);
    event_code_close(&code);
    return instructions;
}

static void instructions_as_ptxas_makes_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        double got = instructions_of(CASES[i].body, TEST90);
        if (fabs(got - CASES[i].instructions) > 1e-9)
            fail_msg("%s: %g instructions, not %g", CASES[i].name, got, CASES[i].instructions);
    }
}

/* Compute capability 2.x reads 16 bytes a lane no faster than words, so loads are not combined. */
static void loads_become_one_from_3_0_on(void **state)
{
    static const struct {
        const char *gpu;
        double loads;
    } GPUS[] = {{"fx570", 2}, {TEST20, 2}, {TEST35, 1}, {"v100", 1}};
    static const char BODY[] =
        "shl.b32 %r1, %r2, 4; ld.shared.f32 %f3, [%r1]; ld.shared.f32 %f4, [%r1+4]; ret;";
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(GPUS); i++)
        assert_float_equal(instructions_of(BODY, GPUS[i].gpu), 2 + 1 + GPUS[i].loads, 1e-9);
}

/* A loop of one block between two other blocks, and its iterations for each warp. */
static double instructions_of_loop(const char *body, const char *step, uint32_t turns, bool nounroll)
{
    const uint64_t counters[2] = {WARPS, (uint64_t)WARPS * turns};
    struct event_code code;
    struct str text = {0};
    str_printf(&text, "mov.u32 %%r1, 0; $L:%s %s %s setp.lt.s32 %%p4, %%r1, %%r5; @%%p4 bra $L; ret;",
               nounroll ? " .pragma \"nounroll\";" : "", body, step);
    event_code_open(&code, str_text(&text));
    assert_int_equal(code.instrs[code.kernel.instr_count - 1].block, 2);
    for (uint32_t i = 0; i < code.kernel.instr_count; i++)
        code.instrs[i].slots.warps = code.instrs[i].block == 1;
    code.kernel.slot_count = 2;
    double instructions = instructions_with(&code, TEST90, counters);
    event_code_close(&code);
    str_release(&text);
    return instructions;
}

/* Four iterations at once, then two, then one: a step, a test and a branch for each of these. */
static void loops_are_unrolled_by_four(void **state)
{
    enum { AROUND = 3, TESTS = 9, CONTROL = 3 };
    (void)state;
    static const struct {
        const char *body, *step;
        uint32_t turns, parts; /* parts 0: it is not unrolled */
        bool nounroll;
    } LOOPS[] = {
        {"add.f32 %f2, %f2, %f3;", "add.s32 %r1, %r1, 4;", 16, 4, false},
        {"add.f32 %f2, %f2, %f3;", "add.s32 %r1, %r1, 4;", 16, 0, true},
        {"add.f32 %f2, %f2, %f3;", "add.s32 %r1, %r1, 4;", 7, 3, false},
        /* the compiler had unrolled it, or does not unroll it */
        {"add.f32 %f2, %f2, %f3;", "add.s32 %r1, %r1, 1;", 16, 0, false},
        {"add.f32 %f2, %f2, %f3;", "add.s32 %r1, %r1, %r6;", 16, 0, false}, /* who knows how far */
        {"st.local.f32 [%r8], %f3;", "add.s32 %r1, %r1, 4;", 16, 0, false},
    };
    for (size_t i = 0; i < SW_COUNT_OF(LOOPS); i++) {
        double turns = LOOPS[i].turns, parts = LOOPS[i].parts;
        double want = AROUND + turns + (parts > 0 ? TESTS + CONTROL * parts : CONTROL * turns);
        double got = instructions_of_loop(LOOPS[i].body, LOOPS[i].step, LOOPS[i].turns, LOOPS[i].nounroll);
        if (fabs(got - want) > 1e-5) fail_msg("loop %zu: %g instructions, not %g", i, got, want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(instructions_as_ptxas_makes_them),
                                       cmocka_unit_test(loads_become_one_from_3_0_on),
                                       cmocka_unit_test(loops_are_unrolled_by_four)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
