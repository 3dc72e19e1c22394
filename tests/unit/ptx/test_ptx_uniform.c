/* SPDX-License-Identifier: Apache-2.0 */
/* Uniform, affine, varying: one kernel a case; for each register named, what it must be. */
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct expect {
    const char *reg;
    enum ptx_vary vary;
    int64_t stride;
    bool may_wrap;
};

static const char *const declarations =
    ".reg .pred p, q; .reg .b32 r1, r2, r3, r4, r5, r6, r7, r8; .reg .b64 d1, d2, d3, d4; .reg .f32 f1;\n";

static uint32_t find(const struct ptx_function *f, const char *name)
{
    for (uint32_t i = 0; i < f->reg_count; i++)
        if (strcmp(f->regs[i].name, name) == 0) return i;
    fail_msg("no register %s", name);
    return 0;
}

static void check(struct ptx_launch_facts facts, const char *body, const struct expect *expect)
{
    char *text;
    struct sw_error error = {0};
    struct ptx_module *m = NULL;
    struct ptx_cfg cfg;
    struct ptx_uniformity u;
    struct arena arena;
    assert_true(asprintf(&text,
                         ".version 9.0\n.target sm_80\n.address_size 64\n.shared .b32 sh[64];\n"
                         ".entry k(.param .u64 a, .param .u32 n) {\n%s%s\n}\n",
                         declarations, body) > 0);
    if (ptx_parse(text, strlen(text), "t", &m, &error) != SW_OK)
        fail_msg("%u:%u %s", error.line, error.column, error.message);
    free(text);
    arena_init(&arena);
    const struct ptx_function *f = ptx_find_function(m, "k");
    assert_int_equal(ptx_cfg_build(f, &arena, &cfg, &error), SW_OK);
    ptx_uniformity_build(&cfg, &facts, &arena, &u);
    for (; expect->reg; expect++) {
        const struct ptx_shape *shape = &u.regs[find(f, expect->reg)];
        if (shape->vary != expect->vary ||
            (shape->vary == PTX_AFFINE &&
             (shape->stride != expect->stride || shape->may_wrap != expect->may_wrap)))
            fail_msg("%s is %d stride %lld wrap %d in: %s", expect->reg, shape->vary,
                     (long long)shape->stride, shape->may_wrap, body);
    }
    arena_release(&arena);
    ptx_module_free(m);
}

#define CHECK(x, y, z, body, ...)                                                                            \
    check((struct ptx_launch_facts){{x, y, z}}, body,                                                        \
          (const struct expect[]){__VA_ARGS__, {NULL, 0, 0, false}})
#define U(reg)        {#reg, PTX_UNIFORM, 0, false}
#define V(reg)        {#reg, PTX_VARYING, 0, false}
#define A(reg, s)     {#reg, PTX_AFFINE, s, false}
#define WRAPS(reg, s) {#reg, PTX_AFFINE, s, true}

static const char *const global_index =
    "mov.u32 r1, %ctaid.x; mov.u32 r2, %ntid.x; mov.u32 r3, %tid.x; mad.lo.s32 r4, r1, r2, r3; mul.wide.s32 "
    "d1, r4, 4;\n"
    "ld.param.u64 d2, [a]; cvta.to.global.u64 d3, d2; add.s64 d4, d3, d1; ld.global.f32 f1, [d4]; ret;";

static void the_usual_index_is_affine(void **state)
{
    (void)state;
    CHECK(256, 1, 1, global_index, U(r1), U(r2), A(r3, 1), A(r4, 1), A(d1, 4), U(d3), A(d4, 4), V(f1));
    CHECK(100, 1, 1, global_index, A(r3, 1), WRAPS(r4, 1), WRAPS(d4, 4)); /* 100 is no multiple of 32 */
    CHECK(64, 4, 1, global_index, A(r3, 1), A(d4, 4));
    CHECK(16, 16, 1, global_index, V(r3), V(d4));
    CHECK(0, 0, 0, global_index, V(r3), U(r2));
    CHECK(0, 1, 1, global_index, A(r3, 1), WRAPS(d4, 4));
}

static void offsets_may_wrap_unless_bounded(void **state)
{
    (void)state;
    CHECK(256, 1, 1, "mov.u32 r1, %tid.x; add.s32 r2, r1, 5; cvt.u64.u32 d1, r2; shl.b64 d2, d1, 3; ret;",
          A(r2, 1), A(d2, 8));
    CHECK(256, 1, 1,
          "mov.u32 r1, %tid.x; ld.param.u32 r3, [n]; add.s32 r2, r1, r3; mul.wide.s32 d1, r2, 8; ret;",
          WRAPS(r2, 1), WRAPS(d1, 8));
    CHECK(256, 1, 1,
          "mov.u32 r1, %tid.x; mov.u32 r2, %ctaid.x; shl.b32 r3, r2, 8; or.b32 r4, r3, r1; mul.wide.u32 d1, "
          "r4, 4; ret;",
          A(r4, 1), A(d1, 4));
    CHECK(256, 1, 1, "mov.u32 r1, %tid.x; neg.s32 r2, r1; sub.s32 r3, 255, r1; ret;", WRAPS(r2, -1),
          WRAPS(r3, -1));
}

static void lanes_of_one_block_can_be_masked(void **state)
{
    (void)state;
    CHECK(256, 1, 1,
          "mov.u32 r1, %tid.x; and.b32 r2, r1, 31; shr.u32 r3, r1, 5; and.b32 r4, r1, 7; shr.u32 r5, r1, 2;\n"
          "and.b32 r6, r1, -32; shr.s32 r7, r1, 31; ret;",
          A(r2, 1), U(r3), V(r4), V(r5), U(r6), U(r7));
}

static void rows_of_a_block(void **state)
{
    (void)state;
    const char *body =
        "mov.u32 r1, %tid.y; mov.u32 r2, %tid.x; mov.u32 r3, %ntid.x; mad.lo.s32 r4, r1, r3, r2; ret;";
    CHECK(32, 8, 1, body, U(r1), A(r4, 1));
    CHECK(16, 16, 1, body, V(r1), V(r4));
    CHECK(64, 1, 1, body, U(r1), A(r4, 1));
}

static void loads_depend_on_space_and_address(void **state)
{
    (void)state;
    CHECK(32, 1, 1,
          "ld.param.u64 d1, [a]; ld.global.u32 r1, [d1]; ld.local.u32 r2, [d1]; ld.shared.u32 r3, [sh+4];\n"
          "atom.global.add.u32 r4, [d1], 1; vote.sync.ballot.b32 r5, p, -1; shfl.sync.idx.b32 r6, r1, 0, 31, "
          "-1; ret;",
          U(r1), V(r2), U(r3), V(r4), U(r5), V(r6));
}

static void divergence_taints_what_survives_it(void **state)
{
    (void)state;
    const char *branch =
        "mov.u32 r1, %tid.x; setp.lt.u32 p, r1, 7; mov.u32 r2, 1; @p bra L; mov.u32 r2, 2; mov.u32 r4, 3;\n"
        "add.u32 r5, r4, 1; L: add.u32 r3, r2, 1; ret;";
    CHECK(32, 1, 1, branch, V(p), V(r2), V(r3), U(r4), U(r5));
    const char *uniform =
        "ld.param.u32 r1, [n]; setp.lt.u32 p, r1, 7; mov.u32 r2, 1; @p bra L; mov.u32 r2, r1; L: ret;";
    CHECK(32, 1, 1, uniform, U(p), U(r2));
    const char *guarded = "mov.u32 r1, %tid.x; setp.lt.u32 p, r1, 7; mov.u32 r2, 1; @p mov.u32 r2, 2; ret;";
    CHECK(32, 1, 1, guarded, V(r2));
}

static void leaving_the_kernel_early_taints_nothing(void **state)
{
    (void)state;
    const char *body =
        "mov.u32 r1, %tid.x; ld.param.u32 r2, [n]; setp.ge.s32 p, r1, r2; @p bra E; mov.u32 r3, 0;\n"
        "L: add.s32 r3, r3, 1; setp.lt.s32 q, r3, r2; @q bra L; E: ret;";
    CHECK(32, 1, 1, body, V(p), U(r3), U(q));
}

static void loops_that_lanes_leave_one_by_one(void **state)
{
    (void)state;
    const char *used =
        "mov.u32 r1, %tid.x; mov.u32 r2, 0; L: add.s32 r2, r2, 1; setp.lt.s32 p, r2, r1; @p bra L;\n"
        "st.shared.u32 [sh], r2; ret;";
    CHECK(32, 1, 1, used, V(p), V(r2));
    const char *dead =
        "mov.u32 r1, %tid.x; mov.u32 r2, 0; L: add.s32 r2, r2, 1; setp.lt.s32 p, r2, r1; @p bra L; ret;";
    CHECK(32, 1, 1, dead, V(p), U(r2));
}

/* Two back edges: lanes of one side run ahead into the next iteration while the others still need the
 * counter. */
static void continue_separates_iterations(void **state)
{
    (void)state;
    const char *body =
        "mov.u32 r1, %tid.x; mov.u32 r2, 0; H: add.s32 r2, r2, 1; setp.gt.s32 q, r2, 9; @q bra E;\n"
        "add.u32 r5, r1, r2; setp.lt.s32 p, r5, 20; @p bra H; st.shared.u32 [sh], r2; bra H; E: ret;";
    CHECK(32, 1, 1, body, V(p), V(r2));
}

/* ---- random kernels: what is said of registers is put to the test ----
 * Every lane of a warp runs a random graph alone; then the warp runs it as compiled code does: of the blocks
 * where lanes wait the one with the smallest number first, uniform registers stored once, affine ones as lane
 * 0's value and a stride. Each lane must see the same values at each st. */

enum { LANES = 8, REGS = 64, STEPS = 120 };

struct lane {
    uint32_t block, steps;
    uint64_t seen; /* hash of what it stored */
};

struct warp {
    const struct ptx_cfg *cfg;
    const struct ptx_uniformity *shapes; /* NULL: every register by lane */
    uint32_t regs[REGS][LANES];
    struct lane lanes[LANES];
};

static uint32_t read_reg(const struct warp *w, uint32_t reg, unsigned lane)
{
    if (!w->shapes || w->shapes->regs[reg].vary == PTX_VARYING) return w->regs[reg][lane];
    return w->regs[reg][0] + (uint32_t)w->shapes->regs[reg].stride * lane;
}

static void write_reg(struct warp *w, uint32_t reg, unsigned lane, uint32_t value)
{
    if (!w->shapes || w->shapes->regs[reg].vary == PTX_VARYING)
        w->regs[reg][lane] = value;
    else
        w->regs[reg][0] = value - (uint32_t)w->shapes->regs[reg].stride * lane;
}

static uint32_t operand_value(const struct warp *w, const struct ptx_operand *operand, unsigned lane)
{
    if (operand->kind == ISA_OPD_REG) return read_reg(w, operand->reg, lane);
    return operand->kind == ISA_OPD_SREG ? lane : (uint32_t)operand->bits;
}

/* One instruction for the lanes in mask: all read, then all write. */
static void step(struct warp *w, const struct ptx_instr *instr, unsigned mask)
{
    uint32_t value[LANES] = {0};
    for (unsigned l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        uint32_t a = operand_value(w, &instr->operands[1], l);
        if (instr->op == ISA_OP_ST) w->lanes[l].seen = w->lanes[l].seen * 31 + a + 1;
        if (instr->op == ISA_OP_MOV) value[l] = a;
        if (instr->op == ISA_OP_ADD) value[l] = a + operand_value(w, &instr->operands[2], l);
        if (instr->op == ISA_OP_SETP) value[l] = a < operand_value(w, &instr->operands[2], l);
    }
    for (unsigned l = 0; l < LANES; l++)
        if (mask >> l & 1 && instr->op != ISA_OP_ST) write_reg(w, instr->operands[0].reg, l, value[l]);
}

static void run_block(struct warp *w, uint32_t b, unsigned mask)
{
    const struct ptx_block *block = &w->cfg->blocks[b];
    const struct ptx_instr *last = &w->cfg->function->instrs[block->last - 1];
    for (uint32_t i = block->first; i < block->last; i++)
        if (!ptx_instr_is_branch(&w->cfg->function->instrs[i]) &&
            !ptx_instr_is_exit(&w->cfg->function->instrs[i]))
            step(w, &w->cfg->function->instrs[i], mask);
    for (unsigned l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        bool taken = block->succ_count < 2 || read_reg(w, last->guard, l) != last->guard_negate;
        w->lanes[l].block = ++w->lanes[l].steps > STEPS ? w->cfg->exit_block : block->succ[!taken];
    }
}

static void run_warp(struct warp *w, unsigned all)
{
    for (;;) {
        uint32_t next = w->cfg->exit_block;
        unsigned mask = 0;
        for (unsigned l = 0; l < LANES; l++)
            if (all >> l & 1 && w->lanes[l].block < next) next = w->lanes[l].block;
        if (next == w->cfg->exit_block) return;
        for (unsigned l = 0; l < LANES; l++)
            mask |= (unsigned)(all >> l & 1 && w->lanes[l].block == next) << l;
        run_block(w, next, mask);
    }
}

static char *random_kernel(void)
{
    struct str s = {0};
    int n = 3 + rand() % 8;
    str_add(&s, ".version 9.0\n.target sm_80\n.address_size 64\n.shared .b32 sh;\n.entry k() {\n"
                ".reg .b32 %r<6>; .reg .pred %p<3>;\n");
    for (int i = 0; i < 6; i++)
        str_printf(&s, "mov.u32 %%r%d, %d;\n", i, i * 3);
    for (int i = 0; i < 3; i++)
        str_printf(&s, "setp.lt.u32 %%p%d, 1, %d;\n", i, i);
    for (int b = 0; b < n; b++) {
        str_printf(&s, "L%d:\n", b);
        for (int k = rand() % 4; k >= 0; k--) {
            int d = rand() % 6, x = rand() % 6, y = rand() % 6;
            switch (rand() % 6) {
            case 0: str_printf(&s, "mov.u32 %%r%d, %%tid.x;\n", d); break;
            case 1: str_printf(&s, "add.u32 %%r%d, %%r%d, %%r%d;\n", d, x, y); break;
            case 2: str_printf(&s, "mov.u32 %%r%d, %d;\n", d, y); break;
            case 3: str_printf(&s, "setp.lt.u32 %%p%d, %%r%d, %d;\n", d % 3, x, 1 + rand() % 12); break;
            default:
                str_printf(&s, "add.u32 %%r%d, %%r%d, %d;\nst.shared.u32 [sh], %%r%d;\n", d, d, y, x);
                break;
            }
        }
        if (rand() % 4) str_printf(&s, "@%s%%p%d bra L%d;\n", rand() % 2 ? "!" : "", rand() % 3, rand() % n);
        if (rand() % 4 == 0) str_printf(&s, "bra L%d;\n", rand() % n);
    }
    str_add(&s, "st.shared.u32 [sh], %r0;\nret;\n}\n");
    return str_steal(&s);
}

static void check_kernel(const char *text, uint32_t *uniform)
{
    struct sw_error error = {0};
    struct ptx_module *m = NULL;
    struct ptx_cfg cfg;
    struct ptx_uniformity u;
    struct arena arena;
    arena_init(&arena);
    if (ptx_parse(text, strlen(text), "t", &m, &error) != SW_OK)
        fail_msg("%u:%u %s", error.line, error.column, error.message);
    assert_int_equal(ptx_cfg_build(ptx_find_function(m, "k"), &arena, &cfg, &error), SW_OK);
    ptx_uniformity_build(&cfg, &(struct ptx_launch_facts){{32, 1, 1}}, &arena, &u);
    struct warp alone = {.cfg = &cfg}, together = {.cfg = &cfg, .shapes = &u};
    for (unsigned l = 0; l < LANES; l++)
        run_warp(&alone, 1u << l);
    run_warp(&together, (1u << LANES) - 1);
    for (unsigned l = 0; l < LANES; l++)
        if (alone.lanes[l].seen != together.lanes[l].seen)
            fail_msg("lane %u sees other values in:\n%s", l, text);
    for (uint32_t r = 0; r < cfg.function->reg_count; r++)
        *uniform += u.regs[r].vary != PTX_VARYING;
    arena_release(&arena);
    ptx_module_free(m);
}

static void random_kernels_do_not_notice(void **state)
{
    (void)state;
    uint32_t uniform = 0;
    srand(11);
    for (int round = 0; round < 3000; round++) {
        char *text = random_kernel();
        check_kernel(text, &uniform);
        free(text);
    }
    assert_true(uniform > 3000); /* the claims were not all empty */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_usual_index_is_affine),
        cmocka_unit_test(offsets_may_wrap_unless_bounded),
        cmocka_unit_test(lanes_of_one_block_can_be_masked),
        cmocka_unit_test(rows_of_a_block),
        cmocka_unit_test(loads_depend_on_space_and_address),
        cmocka_unit_test(divergence_taints_what_survives_it),
        cmocka_unit_test(leaving_the_kernel_early_taints_nothing),
        cmocka_unit_test(loops_that_lanes_leave_one_by_one),
        cmocka_unit_test(continue_separates_iterations),
        cmocka_unit_test(random_kernels_do_not_notice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
