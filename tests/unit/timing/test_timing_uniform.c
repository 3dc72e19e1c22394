/* SPDX-License-Identifier: Apache-2.0 */
/* Which loads of constant memory ptxas gives an address in uniform registers: as it did in the kernels that
 * the cases name (tests/hw/memory, tests/hw/timing; ptxas 13.0 for 9.0). */
#include "timing_kernel_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 6, REGS = 8, OP = 32 };
struct line {
    const char *text;
    uint8_t cls, space, defs, uses;
    uint32_t regs[3];
};
#define LOAD_AT(reg)                                                                                         \
    {                                                                                                        \
        "ld.const.f32 %f1, [%rd1];", EVENT_LOAD, EVENT_SPACE_CONST, 1, 1,                                    \
        {                                                                                                    \
            7, reg                                                                                           \
        }                                                                                                    \
    }
static const struct {
    const char *name;
    bool uniform, before; /* before: also before compute capability 7.5 */
    struct line lines[MOST];
} CASES[] = {
    {"an address without registers",
     true,
     true,
     {{"ld.const.f32 %f1, [table+8];", EVENT_LOAD, EVENT_SPACE_CONST, 1, 0, {7}}}},
    {"a counter of a loop (constants_late)",
     true,
     false,
     {{"mov.u32 %r1, 0;", EVENT_ALU, 0, 1, 0, {1}},
      {"ld.param.u32 %r2, [k_param_4];", EVENT_LOAD, EVENT_SPACE_PARAM, 1, 0, {2}},
      {"mul.lo.s32 %r3, %r1, %r2;", EVENT_ALU, 0, 1, 2, {3, 1, 2}},
      LOAD_AT(3),
      {"add.s32 %r1, %r1, 1;", EVENT_ALU, 0, 1, 1, {1, 1}}}},
    {"what such a load brought",
     true,
     false,
     {{"ld.const.u32 %r1, [table];", EVENT_LOAD, EVENT_SPACE_CONST, 1, 0, {1}}, LOAD_AT(1)}},
    {"a thread's place (constants_apart, constant_lanes)",
     false,
     false,
     {{"mov.u32 %r1, %tid.x;", EVENT_ALU, 0, 1, 0, {1}},
      {"shr.u32 %r2, %r1, 5;", EVENT_ALU, 0, 1, 1, {2, 1}},
      LOAD_AT(2)}},
    {"a block's place", false, false, {{"mov.u32 %r1, %ctaid.x;", EVENT_ALU, 0, 1, 0, {1}}, LOAD_AT(1)}},
    {"a block's size", true, false, {{"mov.u32 %r1, %ntid.x;", EVENT_ALU, 0, 1, 0, {1}}, LOAD_AT(1)}},
    {"what a loop takes from behind",
     false,
     false,
     {{"mov.u32 %r1, 0;", EVENT_ALU, 0, 1, 0, {1}},
      LOAD_AT(2),
      {"add.s32 %r2, %r1, 4;", EVENT_ALU, 0, 1, 1, {2, 1}},
      {"ld.global.u32 %r1, [%rd4];", EVENT_LOAD, EVENT_SPACE_GLOBAL, 1, 1, {1, 4}}}},
    {"an exchange of lanes",
     false,
     false,
     {{"shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", EVENT_WARP, 0, 1, 1, {1, 2}}, LOAD_AT(1)}},
    {"a float",
     false,
     false,
     {{"add.f32 %f1, 0f3F800000, 0f3F800000;", EVENT_ALU, 0, 1, 0, {1}}, LOAD_AT(1)}},
};

static bool is_uniform(const struct line *lines, int major, int minor)
{
    struct event_instr instrs[MOST] = {0};
    struct timing_lower lower[MOST] = {0};
    char ops[MOST][OP] = {0};
    uint32_t count = 0, load = MOST;
    struct arch_gpu gpu = {.cc_major = major, .cc_minor = minor};
    for (; count < MOST && lines[count].text; count++) {
        const struct line *l = &lines[count];
        memcpy(ops[count], l->text, strcspn(l->text, " "));
        instrs[count] = (struct event_instr){.cls = l->cls,
                                             .space = l->space,
                                             .op = ops[count],
                                             .text = l->text,
                                             .def_count = l->defs,
                                             .use_count = l->uses,
                                             .regs = l->regs};
        if (l->space == EVENT_SPACE_CONST) load = count;      /* the last one */
        lower[count].uniform = l->space != EVENT_SPACE_CONST; /* is set for all */
    }
    const struct event_kernel kernel = {.instr_count = count, .instrs = instrs, .reg_count = REGS};
    timing_find_uniform(&gpu, &kernel, lower);
    for (uint32_t i = 0; i < count; i++)
        assert_true(lines[i].space == EVENT_SPACE_CONST || !lower[i].uniform);
    return lower[load].uniform;
}

static void addresses_are_uniform_by_their_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        if (is_uniform(CASES[i].lines, 9, 0) != CASES[i].uniform) fail_msg("9.0: %s", CASES[i].name);
        if (is_uniform(CASES[i].lines, 7, 5) != CASES[i].uniform) fail_msg("7.5: %s", CASES[i].name);
        if (is_uniform(CASES[i].lines, 7, 0) != CASES[i].before) fail_msg("7.0: %s", CASES[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(addresses_are_uniform_by_their_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
