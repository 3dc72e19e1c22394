/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: to which loops .pragma "nounroll" applies: to the loop at whose head it stands, in a kernel
 * or in an inlined function, or to all loops of a function. Method: small kernels are described, not run.
 * */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine_fixture.h"

#define LOOP(label, pragma)                                                                                  \
    label ":\n" pragma "add.u32 %r1, %r1, 4; setp.lt.u32 %p1, %r1, %r2; @%p1 bra " label ";\n"
#define NOUNROLL ".pragma \"nounroll\";\n"
#define REGS     ".reg .pred %p<2>; .reg .b32 %r<3>;\n"
static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".func waits(.param .b32 n) {\n" REGS "ld.param.u32 %r2, [n]; mov.u32 %r1, 0;\n" LOOP("A", NOUNROLL)
        LOOP("B", "") "ret; }\n"
                      ".visible .entry one(.param .u32 n) {\n" REGS
                      "ld.param.u32 %r2, [n]; mov.u32 %r1, 0;\n" LOOP("C", "") LOOP(
                          "D", NOUNROLL) "ret; }\n"
                                         ".visible .entry inlined(.param .u32 n) {\n" REGS
                                         ".param .b32 a; ld.param.u32 %r2, [n];\n"
                                         "st.param.b32 [a], %r2; call waits, (a); mov.u32 %r1, 0;\n" LOOP(
                                             "E", "") "ret; }\n"
                                                      ".visible .entry all(.param .u32 n) {\n" NOUNROLL REGS
                                                      "ld.param.u32 %r2, [n]; mov.u32 %r1, 0;\n" LOOP("F", "")
                                                          LOOP("G", "") "ret; }\n";

ENGINE_FIXTURE_TOOL(EVENT_PROBE_COUNT, 1);

static bool is_loop(const struct event_kernel *kernel, uint32_t b)
{
    const struct event_block *block = &kernel->blocks[b];
    return block->before[0] == b || block->before[1] == b;
}

static void pragmas_are_of_loops(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        uint32_t loops;
        bool nounroll[3]; /* of each, in order */
    } CASES[] = {{"one", 2, {false, true}}, {"inlined", 3, {true, false, false}}, {"all", 2, {true, true}}};
    struct sw_error error = {0};
    struct engine_fixture world;
    struct engine_config config = {.threads = 1, .isa = -1, .tool = &tool};
    assert_true(engine_fixture_open(&world, config, text, 1));
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct engine_kernel *kernel;
        uint32_t loops = 0;
        assert_int_equal(engine_kernel_get(world.module, CASES[i].kernel, &kernel, &error), SW_OK);
        const struct event_kernel *info = engine_kernel_info(kernel);
        for (uint32_t b = 0; b < info->block_count; b++)
            if (is_loop(info, b)) {
                assert_in_range(loops, 0, CASES[i].loops - 1);
                assert_int_equal(info->blocks[b].nounroll, CASES[i].nounroll[loops++]);
            }
        assert_int_equal(loops, CASES[i].loops);
    }
    engine_fixture_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pragmas_are_of_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
