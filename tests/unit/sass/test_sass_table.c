/* SPDX-License-Identifier: Apache-2.0 */
/* Chains of comparisons that ptxas replaces by a jump table, and those that it keeps. The instructions
 * were counted by hand in the machine code that ptxas 13.0 makes of the switch of reread_block
 * (tests/hw/memory/memory.cu) for 9.0. */
#include "event_code.h"
#include "frozen_gpu.h"
#include "sass_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TESTS = 3, INSTRS = 2 * TESTS + 2 };

/* Tests of register 9 for these constants, each a block with its jump; a jump for other values; the end.
 * Instructions of the first block, and of all behind it but the last. */
static void lower_chain(const char *op, const long constants[TESTS], double *first, double *others)
{
    struct event_code code;
    struct str body = {0};
    for (uint32_t b = 0; b < TESTS; b++)
        str_printf(&body, "%s %%p%u, %%r9, %ld; @%%p%u bra $L9;\n", op, b, constants[b], b);
    str_add(&body, "bra.uni $L9; $L9: ret;");
    event_code_open(&code, str_text(&body));
    assert_int_equal(code.kernel.instr_count, INSTRS);
    struct sass_lower lower[INSTRS];
    struct arch_gpu gpu;
    assert_int_equal(arch_gpu_load(TEST90, &gpu, NULL), SW_OK);
    sass_lower_kernel(&gpu, &code.kernel, lower);
    *first = sass_slots(&lower[0]) + sass_slots(&lower[1]) - 1; /* the stack pointer's load */
    *others = 0;
    for (uint32_t i = 2; i <= 2 * TESTS; i++)
        *others += sass_slots(&lower[i]);
    event_code_close(&code);
    str_release(&body);
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
