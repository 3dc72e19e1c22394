/* SPDX-License-Identifier: Apache-2.0 */
/* How many machine instructions a warp executes for PTX of one block: what ptxas 13.0 makes of the same lines
 * for compute capability 9.0 (tests/hw/timing/timing.ptx, counted by hand in its disassembly). All beginnings
 * are the load of the stack pointer, and of the descriptor of global memory where something accesses it. */
#include "timing/timing_kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 12, WARPS = 4, REGS = 16, OP = 64 };
struct line {
    const char *text;
    uint8_t cls, space, bytes, defs, uses;
    uint32_t regs[4];
};
static const struct {
    const char *name;
    double instructions;
    struct line lines[MOST];
} CASES[] = {
    {"empty: LDC, EXIT", 2, {{"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"a multiplication takes the addition in",
     2 + 1,
     {{"mul.lo.s32 %r1, %r2, %r3;", EVENT_ALU, 0, 0, 1, 2, {1, 2, 3}},
      {"add.s32 %r4, %r1, %r5;", EVENT_ALU, 0, 0, 1, 2, {4, 1, 5}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"a multiply-add takes no other",
     2 + 2,
     {{"mad.lo.s32 %r1, %r2, %r3, %r6;", EVENT_ALU, 0, 0, 1, 3, {1, 2, 3, 6}},
      {"add.s32 %r4, %r1, %r5;", EVENT_ALU, 0, 0, 1, 2, {4, 1, 5}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"LDSM: an operand of a matrix from shared memory",
     2 + 1,
     {{"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1}, [%r2], %r3;",
       EVENT_LOAD,
       EVENT_SPACE_SHARED,
       2,
       1,
       2,
       {1, 2, 3}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"LEA.HI: a shift to the right and an addition",
     2 + 1,
     {{"shr.u32 %r1, %r2, 5;", EVENT_ALU, 0, 0, 1, 1, {1, 2}},
      {"add.s32 %r4, %r1, %r5;", EVENT_ALU, 0, 0, 1, 2, {4, 1, 5}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"a shift and a logical operation are two",
     2 + 2,
     {{"shl.b32 %r1, %r2, 5;", EVENT_ALU, 0, 0, 1, 1, {1, 2}},
      {"xor.b32 %r4, %r1, %r5;", EVENT_ALU, 0, 0, 1, 2, {4, 1, 5}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"one product, two addresses: IMAD.WIDE twice",
     3 + 4,
     {{"mul.wide.s32 %rd1, %r2, 4;", EVENT_ALU, 0, 0, 1, 1, {1, 2}},
      {"add.s64 %rd3, %rd4, %rd1;", EVENT_ALU, 0, 0, 1, 2, {3, 4, 1}},
      {"add.s64 %rd5, %rd6, %rd1;", EVENT_ALU, 0, 0, 1, 2, {5, 6, 1}},
      {"st.global.u32 [%rd3], %r2;", EVENT_STORE, EVENT_SPACE_GLOBAL, 4, 0, 2, {3, 2}},
      {"st.global.u32 [%rd5], %r2;", EVENT_STORE, EVENT_SPACE_GLOBAL, 4, 0, 2, {5, 2}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"a test of bits is part of the operation that made them",
     2 + 1,
     {{"and.b32 %r1, %r2, %r3;", EVENT_ALU, 0, 0, 1, 2, {1, 2, 3}},
      {"setp.ne.s32 %p4, %r1, 0;", EVENT_ALU, 0, 0, 1, 1, {4, 1}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"I2F.U8",
     2 + 1,
     {{"and.b32 %r1, %r2, 255;", EVENT_ALU, 0, 0, 1, 1, {1, 2}},
      {"cvt.rn.f32.u32 %f4, %r1;", EVENT_ALU, 0, 0, 1, 1, {4, 1}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"I2F.U16 and I2F.U16.H1",
     2 + 2,
     {{"and.b32 %r1, %r2, 65535;", EVENT_ALU, 0, 0, 1, 1, {1, 2}},
      {"cvt.rn.f32.u32 %f4, %r1;", EVENT_ALU, 0, 0, 1, 1, {4, 1}},
      {"shr.u32 %r3, %r2, 16;", EVENT_ALU, 0, 0, 1, 1, {3, 2}},
      {"cvt.rn.f32.u32 %f5, %r3;", EVENT_ALU, 0, 0, 1, 1, {5, 3}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"no part of a register: a shift and a conversion",
     2 + 2,
     {{"shr.u32 %r3, %r2, 12;", EVENT_ALU, 0, 0, 1, 1, {3, 2}},
      {"cvt.rn.f32.u32 %f5, %r3;", EVENT_ALU, 0, 0, 1, 1, {5, 3}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"two parameters in 8 bytes; one that nobody reads",
     2 + 1 + 1,
     {{"ld.param.u32 %r1, [k_param_0];", EVENT_LOAD, EVENT_SPACE_PARAM, 4, 1, 0, {1}},
      {"ld.param.u32 %r2, [k_param_1];", EVENT_LOAD, EVENT_SPACE_PARAM, 4, 1, 0, {2}},
      {"ld.param.u64 %rd3, [k_param_2];", EVENT_LOAD, EVENT_SPACE_PARAM, 8, 1, 0, {3}},
      {"xor.b32 %r4, %r1, %r2;", EVENT_ALU, 0, 0, 1, 2, {4, 1, 2}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"a double's lower half is moved, unless it is 0",
     2 + 2 + 2,
     {{"mov.f64 %fd1, 0d3FF71547652B82FE;", EVENT_ALU, 0, 0, 1, 0, {1}},
      {"mov.f64 %fd2, 0dC338000000000000;", EVENT_ALU, 0, 0, 1, 0, {2}},
      {"fma.rn.f64 %fd3, %fd4, %fd1, %fd2;", EVENT_ALU, 0, 0, 1, 3, {3, 4, 1, 2}},
      {"mul.f64 %fd5, %fd3, %fd3;", EVENT_ALU, 0, 0, 1, 1, {5, 3}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"loads of shared memory at addresses of 16 bytes: one",
     2 + 1 + 1,
     {{"shl.b32 %r1, %r2, 4;", EVENT_ALU, 0, 0, 1, 1, {1, 2}},
      {"ld.shared.f32 %f3, [%r1];", EVENT_LOAD, EVENT_SPACE_SHARED, 4, 1, 1, {3, 1}},
      {"ld.shared.f32 %f4, [%r1+4];", EVENT_LOAD, EVENT_SPACE_SHARED, 4, 1, 1, {4, 1}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"volatile: each its own",
     2 + 1 + 2,
     {{"shl.b32 %r1, %r2, 4;", EVENT_ALU, 0, 0, 1, 1, {1, 2}},
      {"ld.volatile.shared.f32 %f3, [%r1];", EVENT_LOAD, EVENT_SPACE_SHARED, 4, 1, 1, {3, 1}},
      {"ld.volatile.shared.f32 %f4, [%r1+4];", EVENT_LOAD, EVENT_SPACE_SHARED, 4, 1, 1, {4, 1}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
    {"of 4 bytes: each its own",
     2 + 1 + 2,
     {{"shl.b32 %r1, %r2, 2;", EVENT_ALU, 0, 0, 1, 1, {1, 2}},
      {"ld.shared.f32 %f3, [%r1];", EVENT_LOAD, EVENT_SPACE_SHARED, 4, 1, 1, {3, 1}},
      {"ld.shared.f32 %f4, [%r1+4];", EVENT_LOAD, EVENT_SPACE_SHARED, 4, 1, 1, {4, 1}},
      {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}}},
};

static uint32_t make_instrs(const struct line *lines, struct event_instr *instrs, char (*ops)[OP])
{
    uint32_t count = 0;
    for (; count < MOST && lines[count].text; count++) {
        const struct line *l = &lines[count];
        size_t length = strcspn(l->text, " ;");
        memcpy(ops[count], l->text, length);
        ops[count][length] = 0;
        instrs[count] = (struct event_instr){.cls = l->cls,
                                             .space = l->space,
                                             .bytes = l->bytes,
                                             .is_read = l->cls == EVENT_LOAD,
                                             .is_write = l->cls == EVENT_STORE,
                                             .op = ops[count],
                                             .text = l->text,
                                             .def_count = l->defs,
                                             .use_count = l->uses,
                                             .regs = l->regs};
        memset(&instrs[count].slots, 0xff, sizeof instrs[count].slots);
        instrs[count].slots.warps = 0;
    }
    return count;
}

static double instructions_of(const struct line *lines, const char *name)
{
    static const struct event_memory_sums none[MOST][EVENT_MEMORY_SPACES];
    static const uint64_t counters[1] = {WARPS};
    struct event_instr instrs[MOST];
    char ops[MOST][OP];
    uint32_t count = make_instrs(lines, instrs, ops);
    struct event_block block = {.first = 0, .count = count, .before = {EVENT_NO_BLOCK, EVENT_NO_BLOCK}};
    struct event_kernel kernel = {.name = "k",
                                  .instr_count = count,
                                  .instrs = instrs,
                                  .slot_count = 1,
                                  .registers = 16,
                                  .block_count = 1,
                                  .reg_count = REGS,
                                  .blocks = &block};
    struct event_memory memory = {.instr_count = count, .instrs = none};
    struct event_launch launch = {.kernel = &kernel,
                                  .grid = {WARPS, 1, 1},
                                  .block = {32, 1, 1},
                                  .gpu = name,
                                  .counters = counters,
                                  .memory = &memory};
    struct arch_gpu gpu;
    struct event_time time;
    assert_int_equal(arch_gpu_load(name, &gpu, NULL), SW_OK);
    assert_true(timing_kernel(&gpu, NULL, &launch, &time, NULL));
    return time.instructions / WARPS;
}

static void instructions_as_ptxas_makes_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        double got = instructions_of(CASES[i].lines, "h200");
        if (fabs(got - CASES[i].instructions) > 1e-9)
            fail_msg("%s: %g instructions, not %g", CASES[i].name, got, CASES[i].instructions);
    }
}

/* Compute capability 2.x reads 16 bytes a lane no faster than words: each load is its own. */
static void loads_become_one_from_3_0_on(void **state)
{
    static const struct {
        const char *gpu;
        double loads;
    } GPUS[] = {{"fx570", 2}, {"m2090", 2}, {"k20x", 1}, {"v100", 1}};
    static const struct line LINES[MOST] = {
        {"shl.b32 %r1, %r2, 4;", EVENT_ALU, 0, 0, 1, 1, {1, 2}},
        {"ld.shared.f32 %f3, [%r1];", EVENT_LOAD, EVENT_SPACE_SHARED, 4, 1, 1, {3, 1}},
        {"ld.shared.f32 %f4, [%r1+4];", EVENT_LOAD, EVENT_SPACE_SHARED, 4, 1, 1, {4, 1}},
        {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}};
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(GPUS); i++)
        assert_float_equal(instructions_of(LINES, GPUS[i].gpu), 2 + 1 + GPUS[i].loads, 1e-9);
}

/* A loop of one block between two others, so many turns of it for each warp. */
static double instructions_of_loop(const struct line *lines, uint32_t turns, bool nounroll)
{
    enum { LOOP = 4 };
    static const struct event_memory_sums none[MOST][EVENT_MEMORY_SPACES];
    const uint64_t counters[2] = {WARPS, (uint64_t)WARPS * turns};
    struct event_instr instrs[MOST];
    char ops[MOST][OP];
    uint32_t count = make_instrs(lines, instrs, ops);
    struct event_block blocks[] = {{.count = 1, .before = {EVENT_NO_BLOCK, EVENT_NO_BLOCK}},
                                   {.first = 1, .count = LOOP, .before = {1, 0}, .nounroll = nounroll},
                                   {.first = 1 + LOOP, .count = 1, .before = {1, EVENT_NO_BLOCK}}};
    for (uint32_t i = 1; i <= LOOP; i++)
        instrs[i].slots.warps = 1, instrs[i].block = 1;
    instrs[LOOP].guarded = true;
    struct event_kernel kernel = {.name = "k",
                                  .instr_count = count,
                                  .instrs = instrs,
                                  .slot_count = 2,
                                  .registers = 16,
                                  .block_count = 3,
                                  .reg_count = REGS,
                                  .blocks = blocks};
    struct event_memory memory = {.instr_count = count, .instrs = none};
    struct event_launch launch = {.kernel = &kernel,
                                  .grid = {WARPS, 1, 1},
                                  .block = {32, 1, 1},
                                  .gpu = "h200",
                                  .counters = counters,
                                  .memory = &memory};
    struct arch_gpu gpu;
    struct event_time time;
    assert_int_equal(arch_gpu_load("h200", &gpu, NULL), SW_OK);
    assert_true(timing_kernel(&gpu, NULL, &launch, &time, NULL));
    return time.instructions / WARPS;
}

/* Four turns at once, then two, then one: a step, a test and a branch for each of these. */
static void loops_are_unrolled_by_four(void **state)
{
    enum { AROUND = 3, TESTS = 9, CONTROL = 3 };
    (void)state;
    static const struct {
        struct line body, step;
        uint32_t turns, parts; /* parts 0: it is not unrolled */
        bool nounroll;
    } LOOPS[] = {
        {{"add.f32 %f2, %f2, %f3;", EVENT_ALU, 0, 0, 1, 2, {2, 2, 3}},
         {"add.s32 %r1, %r1, 4;", EVENT_ALU, 0, 0, 1, 1, {1, 1}},
         16,
         4,
         false},
        {{"add.f32 %f2, %f2, %f3;", EVENT_ALU, 0, 0, 1, 2, {2, 2, 3}},
         {"add.s32 %r1, %r1, 4;", EVENT_ALU, 0, 0, 1, 1, {1, 1}},
         16,
         0,
         true},
        {{"add.f32 %f2, %f2, %f3;", EVENT_ALU, 0, 0, 1, 2, {2, 2, 3}},
         {"add.s32 %r1, %r1, 4;", EVENT_ALU, 0, 0, 1, 1, {1, 1}},
         7,
         3,
         false},
        {{"add.f32 %f2, %f2, %f3;", EVENT_ALU, 0, 0, 1, 2, {2, 2, 3}},
         {"add.s32 %r1, %r1, 1;", EVENT_ALU, 0, 0, 1, 1, {1, 1}}, /* a compiler unrolled it, or would not */
         16,
         0,
         false},
        {{"add.f32 %f2, %f2, %f3;", EVENT_ALU, 0, 0, 1, 2, {2, 2, 3}},
         {"add.s32 %r1, %r1, %r6;", EVENT_ALU, 0, 0, 1, 2, {1, 1, 6}}, /* who knows how far */
         16,
         0,
         false},
        {{"st.local.f32 [%r8], %f3;", EVENT_STORE, EVENT_SPACE_LOCAL, 4, 0, 2, {8, 3}},
         {"add.s32 %r1, %r1, 4;", EVENT_ALU, 0, 0, 1, 1, {1, 1}},
         16,
         0,
         false},
    };
    for (size_t i = 0; i < SW_COUNT_OF(LOOPS); i++) {
        struct line lines[MOST] = {{"mov.u32 %r1, 0;", EVENT_ALU, 0, 0, 1, 0, {1}},
                                   LOOPS[i].body,
                                   LOOPS[i].step,
                                   {"setp.lt.s32 %p4, %r1, %r5;", EVENT_ALU, 0, 0, 1, 2, {4, 1, 5}},
                                   {"bra $L;", EVENT_CONTROL, 0, 0, 0, 1, {4}},
                                   {"ret;", EVENT_EXIT, 0, 0, 0, 0, {0}}};
        double turns = LOOPS[i].turns, parts = LOOPS[i].parts;
        double want = AROUND + turns + (parts > 0 ? TESTS + CONTROL * parts : CONTROL * turns);
        double got = instructions_of_loop(lines, LOOPS[i].turns, LOOPS[i].nounroll);
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
