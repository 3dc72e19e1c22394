/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks, order, dominators, loops and liveness of handmade graphs. A graph is written as PTX whose block i
 * begins with label Li. */
#include "flat_ptx.h"

#include <stdio.h>
#include <stdlib.h>

#define HEAD                                                                                                 \
    ".version 9.0\n.target sm_80\n.address_size 64\n.entry k() {\n.reg .pred p, q; .reg .b32 %r<9>; .reg "   \
    ".b64 %d;\n"

struct graph {
    struct ptx_module *module;
    const struct ptx_function *function;
    struct arena arena;
    struct ptx_cfg cfg;
};

static void build(struct graph *g, const char *body)
{
    char *text;
    struct sw_error error = {0};
    assert_true(asprintf(&text, "%s%s\n}\n", HEAD, body) > 0);
    g->module = flat_ptx_parse(text);
    free(text);
    g->function = ptx_find_function(g->module, "k");
    arena_init(&g->arena);
    assert_int_equal(ptx_cfg_build(g->function, &g->arena, &g->cfg, &error), SW_OK);
}

static void drop(struct graph *g)
{
    arena_release(&g->arena);
    ptx_module_free(g->module);
}

static uint32_t at(const struct graph *g, const char *label)
{
    for (uint32_t i = 0; i < g->function->label_count; i++)
        if (strcmp(g->function->labels[i].name, label) == 0)
            return g->cfg.block_of[g->function->labels[i].target];
    fail_msg("no label %s", label);
    return 0;
}

static void diamond(void **state)
{
    (void)state;
    struct graph g;
    build(&g, "@p bra A; mov.u32 %r1, 1; bra J; A: mov.u32 %r1, 2; J: mov.u32 %r2, %r1; ret;");
    assert_int_equal(g.cfg.block_count, 5);
    uint32_t a = at(&g, "A"), j = at(&g, "J");
    assert_int_equal(g.cfg.blocks[0].end, PTX_END_COND);
    assert_int_equal(g.cfg.blocks[0].succ[0], a);
    assert_int_equal(g.cfg.blocks[0].ipdom, j);
    assert_int_equal(g.cfg.blocks[j].idom, 0);
    assert_int_equal(g.cfg.blocks[j].pred_count, 2);
    assert_int_equal(g.cfg.blocks[j].ipdom, g.cfg.exit_block);
    assert_false(g.cfg.irreducible);
    struct ptx_liveness live;
    ptx_liveness_build(&g.cfg, &g.arena, &live);
    uint32_t r1 = g.function->instrs[1].operands[0].reg, p = g.function->instrs[0].guard;
    assert_true(ptx_live(live.live_in[j], r1));
    assert_false(ptx_live(live.live_in[a], r1));
    assert_true(ptx_live(live.live_in[0], p));
    assert_false(ptx_live(live.live_out[0], p));
    assert_int_equal(ptx_live_bytes(&g.cfg), 4);
    drop(&g);
}

static void equal_targets_fold(void **state)
{
    (void)state;
    struct graph g;
    build(&g, "@p bra A; A: ret;");
    assert_int_equal(g.cfg.blocks[0].succ_count, 1);
    assert_int_equal(g.cfg.blocks[0].end, PTX_END_BRANCH);
    drop(&g);
}

/* The code behind a loop must come behind all of the loop, however the branches are written. */
static void loops_nest_and_stay_together(void **state)
{
    (void)state;
    struct graph g;
    build(&g, "H: @p bra X; I: @q bra I2; add.u32 %r1, %r1, 1; @p bra I; bra H; I2: @p bra H; X: ret;");
    uint32_t h = at(&g, "H"), i = at(&g, "I"), i2 = at(&g, "I2"), x = at(&g, "X");
    assert_int_equal(g.cfg.blocks[h].loop_depth, 1);
    assert_int_equal(g.cfg.blocks[i].loop_depth, 2);
    assert_int_equal(g.cfg.blocks[i].loop_header, i);
    assert_int_equal(g.cfg.blocks[i2].loop_header, h);
    assert_int_equal(g.cfg.blocks[x].loop_header, PTX_NO_BLOCK);
    assert_true(g.cfg.blocks[i2].in_cycle && !g.cfg.blocks[x].in_cycle);
    assert_true(x > i2 && i2 > i && x == g.cfg.exit_block - 1);
    assert_false(g.cfg.irreducible);
    drop(&g);
}

static void exit_code_inside_the_text_of_a_loop_moves_behind_it(void **state)
{
    (void)state;
    struct graph g;
    build(&g, "H: @p bra B; mov.u32 %r1, 1; ret; B: @q bra C; mov.u32 %r2, 2; ret; C: bra H;");
    uint32_t c = at(&g, "C");
    assert_true(g.cfg.block_of[1] > c);
    assert_true(g.cfg.block_of[4] > c);
    drop(&g);
}

static void two_entries_are_irreducible(void **state)
{
    (void)state;
    struct graph g;
    build(&g, "@p bra B; A: add.u32 %r1, %r1, 1; B: @q bra A; ret;");
    assert_true(g.cfg.irreducible);
    assert_true(g.cfg.blocks[at(&g, "A")].in_cycle && g.cfg.blocks[at(&g, "B")].in_cycle);
    assert_int_equal(g.cfg.blocks[at(&g, "A")].loop_header, PTX_NO_BLOCK);
    drop(&g);
}

static void endless_and_unreachable_code(void **state)
{
    (void)state;
    struct graph g;
    build(&g, "L: add.u32 %r1, %r1, 1; bra L; mov.u32 %r1, 2; ret;");
    assert_int_equal(g.cfg.block_count, 2);
    assert_int_equal(g.cfg.block_of[2], PTX_NO_BLOCK);
    assert_int_equal(g.cfg.blocks[0].ipdom, PTX_NO_BLOCK);
    assert_int_equal(g.cfg.blocks[1].idom, PTX_NO_BLOCK);
    drop(&g);
    build(&g, "");
    assert_int_equal(g.cfg.block_count, 1);
    assert_int_equal(g.cfg.exit_block, 0);
    drop(&g);
}

static void tables_branch_many_ways(void **state)
{
    (void)state;
    struct graph g;
    build(&g, "T: .branchtargets A, B, A, C; brx.idx %r1, T; A: ret; B: @!p exit; C: ret;");
    assert_int_equal(g.cfg.blocks[0].end, PTX_END_TABLE);
    assert_int_equal(g.cfg.blocks[0].succ_count, 3);
    assert_int_equal(g.cfg.blocks[at(&g, "B")].succ[0], g.cfg.exit_block);
    assert_int_equal(g.cfg.blocks[at(&g, "B")].succ[1], at(&g, "C"));
    drop(&g);
}

/* Dominance by removal: a dominates b when b is not reached without a. */
static bool reached_without(const struct ptx_cfg *cfg, uint32_t from, uint32_t to, uint32_t without,
                            bool back)
{
    bool *seen = calloc(cfg->block_count, 1);
    uint32_t *stack = calloc(cfg->block_count + 1, 4), depth = 0;
    if (from != without) stack[depth++] = from, seen[from] = true;
    while (depth) {
        const struct ptx_block *b = &cfg->blocks[stack[--depth]];
        for (uint32_t i = 0; i < (back ? b->pred_count : b->succ_count); i++) {
            uint32_t n = back ? b->pred[i] : b->succ[i];
            if (n != without && !seen[n]) seen[n] = true, stack[depth++] = n;
        }
    }
    bool result = seen[to];
    free(seen);
    free(stack);
    return result;
}

static void check_dominator(const struct ptx_cfg *cfg, uint32_t b, bool back)
{
    uint32_t root = back ? cfg->exit_block : 0, dom = back ? cfg->blocks[b].ipdom : cfg->blocks[b].idom;
    if (b == root || !reached_without(cfg, root, b, PTX_NO_BLOCK, back)) {
        assert_int_equal(dom, PTX_NO_BLOCK);
        return;
    }
    assert_false(reached_without(cfg, root, b, dom, back));
    for (uint32_t c = 0; c < cfg->block_count; c++) /* every other dominator dominates this one */
        if (c != b && c != dom && c != root && !reached_without(cfg, root, b, c, back))
            assert_false(reached_without(cfg, root, dom, c, back));
}

static void random_graphs_agree_with_definitions(void **state)
{
    (void)state;
    srand(7);
    int irreducible = 0;
    for (int round = 0; round < 200; round++) {
        struct str body = {0};
        int n = 2 + rand() % 12;
        for (int b = 0; b < n; b++) {
            str_printf(&body, "L%d: add.u32 %%r1, %%r1, 1; ", b);
            if (rand() % 4) str_printf(&body, "@p bra L%d; ", rand() % n);
            if (rand() % 3 == 0) str_printf(&body, rand() % 4 ? "bra L%d; " : "ret; // %d\n", rand() % n);
        }
        str_add(&body, "ret;");
        struct graph g;
        build(&g, str_text(&body));
        for (uint32_t b = 0; b < g.cfg.block_count; b++) {
            check_dominator(&g.cfg, b, false);
            check_dominator(&g.cfg, b, true);
            bool cycle = false;
            for (uint32_t s = 0; s < g.cfg.blocks[b].succ_count; s++)
                cycle |= reached_without(&g.cfg, g.cfg.blocks[b].succ[s], b, PTX_NO_BLOCK, false);
            assert_int_equal(cycle, g.cfg.blocks[b].in_cycle);
        }
        irreducible += g.cfg.irreducible;
        drop(&g);
        str_release(&body);
    }
    assert_true(irreducible > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diamond),
        cmocka_unit_test(equal_targets_fold),
        cmocka_unit_test(loops_nest_and_stay_together),
        cmocka_unit_test(exit_code_inside_the_text_of_a_loop_moves_behind_it),
        cmocka_unit_test(two_entries_are_irreducible),
        cmocka_unit_test(endless_and_unreachable_code),
        cmocka_unit_test(tables_branch_many_ways),
        cmocka_unit_test(random_graphs_agree_with_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
