/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of sass_lower.def by form: which pipe takes an instruction, and for how many slots. */
#include "event_code.h"
#include "frozen_gpu.h"
#include "sass_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { SECOND = 1, INSTRS = 3 }; /* the first instruction carries what every kernel begins with */

static struct sass_lower lowered(const char *text)
{
    struct event_code code;
    struct str body = {0};
    struct sass_lower lower[INSTRS];
    struct arch_gpu gpu;
    str_printf(&body, "mov.u32 %%r1, %%r2; %s; ret;", text);
    event_code_open(&code, str_text(&body));
    assert_int_equal(code.kernel.instr_count, INSTRS);
    assert_int_equal(arch_gpu_load(TEST90, &gpu, NULL), SW_OK);
    sass_lower_kernel(&gpu, &code.kernel, lower);
    event_code_close(&code);
    str_release(&body);
    return lower[SECOND];
}

static void forms_take_their_pipes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double fma, alu, fp64, half;
    } CASES[] = {
        {"add.f32x2 %rd1, %rd2, %rd3", 2, 0, 0, 0},
        {"sub.rn.ftz.f32x2 %rd1, %rd2, %rd3", 2, 0, 0, 0},
        {"mul.rz.f32x2 %rd1, %rd2, %rd3", 2, 0, 0, 0},
        {"fma.rn.f32x2 %rd1, %rd2, %rd3, %rd4", 2, 0, 0, 0},
        {"add.u64 %rd1, %rd2, %rd3", 0, 2, 0, 0},
        {"add.f16x2 %r1, %r2, %r3", 0, 0, 0, 1},
        {"clmad.lo.u64 %rd1, %rd2, %rd3, %rd4", 0, 0, 1, 0},
    };
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct sass_lower lower = lowered(CASES[i].text);
        if (lower.fma != CASES[i].fma || lower.alu != CASES[i].alu || lower.fp64 != CASES[i].fp64 ||
            lower.half != CASES[i].half)
            fail_msg("%s: fma %g, alu %g, fp64 %g, half %g", CASES[i].text, lower.fma, lower.alu, lower.fp64,
                     lower.half);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forms_take_their_pipes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
