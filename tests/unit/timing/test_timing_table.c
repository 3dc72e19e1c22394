/* SPDX-License-Identifier: Apache-2.0 */
/* Chains of tests that ptxas makes a table of jumps of, and those that it leaves: counted by hand in what
 * ptxas 13.0 makes of the switch of reread_block (tests/hw/memory/memory.cu) for 9.0. */
#include "timing_kernel_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TESTS = 3, INSTRS = 2 * TESTS + 2, BLOCKS = TESTS + 2, VALUE = 9 };

/* Tests of register 9 for these constants, each a block with its jump; a jump for other values; the end. */
struct chain {
    char text[INSTRS][64];
    char ops[INSTRS][16];
    uint32_t regs[INSTRS][2];
    struct event_instr instrs[INSTRS];
    struct event_block blocks[BLOCKS];
};

static void add_test(struct chain *c, uint32_t b, const char *op, long constant)
{
    uint32_t at = 2 * b;
    snprintf(c->ops[at], sizeof c->ops[at], "%s", op);
    snprintf(c->text[at], sizeof c->text[at], "%s %%p%u, %%r9, %ld;", op, b, constant);
    snprintf(c->text[at + 1], sizeof c->text[at + 1], "@%%p%u bra $L%u;", b, b);
    c->regs[at][0] = c->regs[at + 1][0] = b;
    c->regs[at][1] = VALUE;
    c->instrs[at] = (struct event_instr){.cls = EVENT_ALU,
                                         .op = c->ops[at],
                                         .text = c->text[at],
                                         .block = b,
                                         .def_count = 1,
                                         .use_count = 1,
                                         .regs = c->regs[at]};
    c->instrs[at + 1] = (struct event_instr){.cls = EVENT_CONTROL,
                                             .op = "bra",
                                             .text = c->text[at + 1],
                                             .guarded = true,
                                             .block = b,
                                             .use_count = 1,
                                             .regs = c->regs[at + 1]};
    c->blocks[b] =
        (struct event_block){.first = at, .count = 2, .before = {b ? b - 1 : EVENT_NO_BLOCK, EVENT_NO_BLOCK}};
}

/* Instructions of the first block, and of all behind it but the last. */
static void lower_chain(const char *op, const long constants[TESTS], double *first, double *others)
{
    struct chain c = {0};
    for (uint32_t b = 0; b < TESTS; b++)
        add_test(&c, b, op, constants[b]);
    uint32_t jump = 2 * TESTS;
    c.instrs[jump] =
        (struct event_instr){.cls = EVENT_CONTROL, .op = "bra.uni", .text = "bra.uni $L9;", .block = TESTS};
    c.blocks[TESTS] = (struct event_block){.first = jump, .count = 1, .before = {TESTS - 1, EVENT_NO_BLOCK}};
    c.instrs[jump + 1] =
        (struct event_instr){.cls = EVENT_EXIT, .op = "ret", .text = "ret;", .block = TESTS + 1};
    c.blocks[TESTS + 1] = (struct event_block){.first = jump + 1, .count = 1, .before = {TESTS, TESTS - 1}};
    const struct event_kernel kernel = {.name = "chain",
                                        .instr_count = INSTRS,
                                        .instrs = c.instrs,
                                        .block_count = BLOCKS,
                                        .reg_count = VALUE + 1,
                                        .blocks = c.blocks};
    struct timing_lower lower[INSTRS];
    struct arch_gpu gpu;
    assert_int_equal(arch_gpu_load("h200", &gpu, NULL), SW_OK);
    timing_lower_kernel(&gpu, &kernel, lower);
    *first = timing_slots(&lower[0]) + timing_slots(&lower[1]) - 1; /* the stack pointer's load */
    *others = 0;
    for (uint32_t i = 2; i <= jump; i++)
        *others += timing_slots(&lower[i]);
}

static void tests_that_follow_each_other_become_one_jump(void **state)
{
    (void)state;
    double first, others;
    lower_chain("setp.eq.s32", (const long[]){0, 1, 2}, &first, &others);
    assert_true(first == 5); /* VIMNMX, IMAD.SHL, LDC, SHF, BRX */
    assert_true(others == 0);
    lower_chain("setp.eq.s32", (const long[]){6, 7, 8}, &first, &others);
    assert_true(first == 6); /* and VIADD */
    assert_true(others == 0);
}

static void other_tests_stay(void **state)
{
    (void)state;
    double first, others;
    lower_chain("setp.gt.s32", (const long[]){0, 1, 2}, &first, &others);
    assert_true(others > 0);
    lower_chain("setp.eq.s32", (const long[]){0, 64, 1000}, &first,
                &others); /* a table with gaps: not known */
    assert_true(others > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tests_that_follow_each_other_become_one_jump),
                                       cmocka_unit_test(other_tests_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
