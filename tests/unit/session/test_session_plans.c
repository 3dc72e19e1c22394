/* SPDX-License-Identifier: Apache-2.0 */
/* The tool analyses a kernel at its first launch and keeps a bounded number of analyses. */
#include "event_code.h"
#include "frozen_gpu.h"
#include "session_priv.h"

#include "arch/arch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct event_instr INSTRS[] = {
    {.cls = ISA_CLASS_ALU,
     .op = "fma.rn.f32",
     .text = "fma.rn.f32 %f1, %f1, %f2, %f2;",
     .slots = {0, 1, 0, 1, EVENT_NO_SLOT, EVENT_NO_SLOT, EVENT_CODE_NO_ACCESSES},
     .def_count = 1,
     .use_count = 2,
     .regs = (const uint32_t[]){0, 0, 1}}};
static const struct event_block BLOCKS[] = {{.count = 1, .before = {EVENT_NO_BLOCK, EVENT_NO_BLOCK}}};

struct fixture {
    struct arch_gpu gpu;
    struct event_kernel kernel;
    struct event_launch launch;
    struct session_plans plans;
};

static void set_up(struct fixture *f)
{
    event_code_name(INSTRS, SW_COUNT_OF(INSTRS));
    *f = (struct fixture){.kernel = {.name = "k",
                                     .instr_count = 1,
                                     .instrs = INSTRS,
                                     .slot_count = 2,
                                     .registers = 16,
                                     .block_count = 1,
                                     .reg_count = 2,
                                     .blocks = BLOCKS,
                                     .id = 1}};
    f->launch =
        (struct event_launch){.kernel = &f->kernel, .grid = {1, 1, 1}, .block = {32, 1, 1}, .gpu = TEST90};
    assert_int_equal(arch_gpu_load(TEST90, &f->gpu, NULL), SW_OK);
}

static const struct timing_plan *get(struct fixture *f)
{
    return session_plans_get(&f->plans, &f->gpu, &f->launch);
}

static void the_second_launch_makes_none(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f);
    const struct timing_plan *first = get(&f);
    assert_non_null(first);
    f.launch.grid[0] = 100; /* whatever its shape */
    assert_ptr_equal(get(&f), first);
    assert_int_equal(f.plans.made, 1);
    session_plans_clear(&f.plans);
}

static void another_kernel_device_or_count_of_registers_has_its_own(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f);
    get(&f);
    f.kernel.id = 2; /* another, at the same address */
    get(&f);
    assert_int_equal(f.plans.made, 2);
    f.launch.device = 1;
    get(&f);
    assert_int_equal(f.plans.made, 3);
    f.kernel.registers = 64; /* a cubin told */
    get(&f);
    assert_int_equal(f.plans.made, 4);
    assert_int_equal(f.plans.count, 4);
    session_plans_clear(&f.plans);
    assert_int_equal(f.plans.instrs, 0);
}

static void those_that_were_launched_last_are_kept(void **state)
{
    struct fixture f;
    (void)state;
    set_up(&f);
    for (uint64_t id = 1; id <= SESSION_PLANS_MOST; id++) {
        f.kernel.id = id;
        get(&f);
    }
    f.kernel.id = 1;
    get(&f);
    assert_int_equal(f.plans.made, SESSION_PLANS_MOST);
    f.kernel.id = SESSION_PLANS_MOST + 1; /* takes the place of the second */
    get(&f);
    assert_int_equal(f.plans.count, SESSION_PLANS_MOST);
    f.kernel.id = 1;
    get(&f);
    assert_int_equal(f.plans.made, SESSION_PLANS_MOST + 1);
    f.kernel.id = 2;
    get(&f);
    assert_int_equal(f.plans.made, SESSION_PLANS_MOST + 2);
    session_plans_clear(&f.plans);
}

static void their_instructions_are_bounded(void **state)
{
    static struct event_instr many[SESSION_PLAN_INSTRS_MOST];
    static struct event_block block = {.count = SESSION_PLAN_INSTRS_MOST,
                                       .before = {EVENT_NO_BLOCK, EVENT_NO_BLOCK}};
    struct fixture f;
    (void)state;
    set_up(&f);
    get(&f);
    for (uint32_t i = 0; i < SESSION_PLAN_INSTRS_MOST; i++)
        many[i] = INSTRS[0];
    f.kernel.id = 2;
    f.kernel.instrs = many;
    f.kernel.instr_count = SESSION_PLAN_INSTRS_MOST;
    f.kernel.blocks = &block;
    assert_non_null(get(&f));
    assert_int_equal(f.plans.count, 1);
    assert_int_equal(f.plans.instrs, SESSION_PLAN_INSTRS_MOST);
    session_plans_clear(&f.plans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_launch_makes_none),
        cmocka_unit_test(another_kernel_device_or_count_of_registers_has_its_own),
        cmocka_unit_test(those_that_were_launched_last_are_kept),
        cmocka_unit_test(their_instructions_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
