/* SPDX-License-Identifier: Apache-2.0 */
/* The control flow graph: cutting a function into basic blocks and putting them in order. What is then found
 * in the graph (dominators, loops, cycles) is in ptx_loops.c.
 *
 * Method: leaders are branch targets and what follows a branch or an exit. A depth-first search gives a first
 * order, from which loops are found; the final order is topological without back edges and leaves a loop only
 * when all of its blocks were placed. Warps run blocks in this order of priority, so lanes that leave a loop
 * early wait for the others before the code after it. */
#include "ptx_priv.h"

#include <stdlib.h>
#include <string.h>

/* Blocks before they are numbered: by position in the text; the exit block is number `count`. */
struct draft {
    const struct ptx_function *function;
    uint32_t *start; /* first instruction of each; start[count] == instr_count */
    uint32_t *at;    /* instruction -> block */
    uint32_t count;
};

static bool ends_block(const struct ptx_instr *instr)
{
    return ptx_instr_is_branch(instr) || ptx_instr_is_exit(instr);
}

static const struct ptx_table *branch_table(const struct ptx_instr *instr)
{
    if (instr->op != ISA_OP_BRX || instr->operand_count < 2) return NULL;
    const struct ptx_table *table = instr->operands[1].table;
    return table && table->kind == PTX_TABLE_BRANCHES ? table : NULL;
}

static enum sw_status cfg_wrong(const struct ptx_function *f, const struct ptx_instr *instr,
                                struct sw_error *error, const char *what)
{
    return sw_fail_at(error, SW_INVALID_PTX, f->module ? f->module->name : "", instr->line, instr->column,
                      "'%s' in '%s': %s", isa_op_name(instr->op), f->name, what);
}

enum { MOST_TABLE_EDGES = 1 << 22 }; /* of all branch tables: a few tables of millions used again and again */

static enum sw_status mark_targets(const struct ptx_function *f, bool *leader, struct sw_error *error)
{
    uint64_t edges = 0;
    for (uint32_t i = 0; i < f->instr_count; i++) {
        const struct ptx_instr *instr = &f->instrs[i];
        if (!ends_block(instr)) continue;
        leader[i + 1] = true;
        if (instr->op == ISA_OP_BRA) {
            if (instr->operand_count != 1 || instr->operands[0].kind != ISA_OPD_LABEL)
                return cfg_wrong(f, instr, error, "expected one label");
            leader[instr->operands[0].target] = true;
        } else if (instr->op == ISA_OP_BRX) {
            const struct ptx_table *table = branch_table(instr);
            if (!table || table->count == 0)
                return cfg_wrong(f, instr, error, "expected a list of .branchtargets");
            edges += table->count;
            if (edges > MOST_TABLE_EDGES)
                return cfg_wrong(f, instr, error, "too many branch targets in one function");
            for (uint32_t t = 0; t < table->count; t++)
                leader[table->targets[t]] = true;
        }
    }
    return SW_OK;
}

static void cfg_cut(struct draft *d, const bool *leader, struct arena *arena)
{
    uint32_t n = d->function->instr_count;
    d->at = ARENA_ARRAY(arena, uint32_t, n + 1u);
    d->start = ARENA_ARRAY(arena, uint32_t, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || leader[i]) d->start[d->count++] = i;
        d->at[i] = d->count - 1;
    }
    d->at[n] = d->count;
    d->start[d->count] = n;
}

static uint32_t add_once(uint32_t *list, uint32_t count, uint32_t value)
{
    for (uint32_t i = 0; i < count && i < 2; i++)
        if (list[i] == value) return count;
    list[count] = value;
    return count + 1;
}

/* Targets of a table without repetition, in first-seen order; seen holds the number of the block that last
 * saw it. */
static uint32_t table_successors(const struct draft *d, const struct ptx_table *table, uint32_t block,
                                 uint32_t *seen, uint32_t *out)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < table->count; t++) {
        uint32_t target = d->at[table->targets[t]];
        if (seen[target] == block + 1) continue;
        seen[target] = block + 1;
        out[count++] = target;
    }
    return count;
}

static enum ptx_block_end cfg_end_of(uint32_t succ_count, bool is_table)
{
    if (is_table) return PTX_END_TABLE;
    return succ_count == 2 ? PTX_END_COND : PTX_END_BRANCH;
}

/* Successors of draft block b, as draft numbers. */
static void cfg_connect(const struct draft *d, uint32_t b, uint32_t *seen, struct arena *arena,
                        struct ptx_block *out)
{
    const struct ptx_instr *last = &d->function->instrs[d->start[b + 1] - 1];
    const struct ptx_table *table = branch_table(last);
    bool guarded = last->guard != PTX_NO_REG;
    out->first = d->start[b];
    out->last = d->start[b + 1];
    out->succ = ARENA_ARRAY(arena, uint32_t, table ? table->count + 1u : 2u);
    if (table) {
        out->succ_count = table_successors(d, table, b, seen, out->succ);
        if (guarded && seen[b + 1] != b + 1) out->succ[out->succ_count++] = b + 1;
        out->end = cfg_end_of(out->succ_count, true);
        return;
    }
    if (!ends_block(last)) {
        out->succ[out->succ_count++] = b + 1;
        out->end = PTX_END_FALL;
        return;
    }
    uint32_t taken = last->op == ISA_OP_BRA ? d->at[last->operands[0].target] : d->count;
    out->succ_count = add_once(out->succ, 0, taken);
    if (guarded) out->succ_count = add_once(out->succ, out->succ_count, b + 1);
    out->end = cfg_end_of(out->succ_count, false);
}

/* ---- order ---- */

struct frame {
    uint32_t block, next;
};

/* Post-order of what the entry reaches, the exit block forced to come first; returns how many. order[b]:
 * number. */
static uint32_t post_order(const struct ptx_block *blocks, uint32_t exit, uint32_t *out)
{
    bool *seen = sw_xcalloc(exit + 1u, sizeof *seen);
    struct frame *stack = sw_xcalloc(exit + 1u, sizeof *stack);
    uint32_t depth = 0, count = 0;
    out[count++] = exit;
    seen[exit] = true;
    if (exit > 0) {
        stack[depth++] = (struct frame){0, 0};
        seen[0] = true;
    }
    while (depth) {
        struct frame *top = &stack[depth - 1];
        const struct ptx_block *block = &blocks[top->block];
        if (top->next < block->succ_count) {
            uint32_t to = block->succ[top->next++];
            if (!seen[to]) {
                seen[to] = true;
                stack[depth++] = (struct frame){to, 0};
            }
        } else {
            out[count++] = top->block;
            depth--;
        }
    }
    free(seen);
    free(stack);
    return count;
}

/* New number of each block -> a graph in that order; unreachable blocks have PTX_NO_BLOCK. */
static void renumber(const struct ptx_block *from, uint32_t from_count, const uint32_t *number,
                     uint32_t count, struct arena *arena, struct ptx_cfg *out)
{
    struct ptx_block *blocks = ARENA_ARRAY(arena, struct ptx_block, count);
    for (uint32_t i = 0; i < from_count; i++) {
        if (number[i] == PTX_NO_BLOCK) continue;
        struct ptx_block *block = &blocks[number[i]];
        *block = from[i];
        for (uint32_t s = 0; s < block->succ_count; s++)
            block->succ[s] = number[block->succ[s]];
        block->pred = NULL;
        block->pred_count = 0;
    }
    out->blocks = blocks;
    out->block_count = count;
    out->exit_block = count - 1;
}

static void add_predecessors(struct ptx_cfg *cfg, struct arena *arena)
{
    for (uint32_t b = 0; b < cfg->block_count; b++)
        for (uint32_t s = 0; s < cfg->blocks[b].succ_count; s++)
            cfg->blocks[cfg->blocks[b].succ[s]].pred_count++;
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        cfg->blocks[b].pred = ARENA_ARRAY(arena, uint32_t, cfg->blocks[b].pred_count);
        cfg->blocks[b].pred_count = 0;
    }
    for (uint32_t b = 0; b < cfg->block_count; b++)
        for (uint32_t s = 0; s < cfg->blocks[b].succ_count; s++) {
            struct ptx_block *to = &cfg->blocks[cfg->blocks[b].succ[s]];
            to->pred[to->pred_count++] = b;
        }
}

/* Kahn's order on the edges that go forward, with one stack of ready blocks for each loop; number[b]: place
 * of b. */
struct ready {
    uint32_t *top, *below; /* top[loop header, or block_count: no loop]; below[block] */
};

/* The loop whose stack a block waits in: that around it; a header belongs to the loop outside. */
static uint32_t home(const struct ptx_cfg *cfg, const uint32_t *outer, uint32_t b)
{
    uint32_t loop = cfg->blocks[b].loop_header;
    if (loop == b) loop = outer[b];
    return loop == PTX_NO_BLOCK ? cfg->block_count : loop;
}

static void push_ready(const struct ready *ready, uint32_t loop, uint32_t b)
{
    ready->below[b] = ready->top[loop];
    ready->top[loop] = b;
}

static void order_by_loops(const struct ptx_cfg *cfg, const uint32_t *outer, uint32_t *number)
{
    uint32_t n = cfg->block_count, position = 0, loop = n;
    uint32_t *waits = sw_xcalloc(n + 1u, 4);
    struct ready ready = {sw_xcalloc(n + 1u, 4), sw_xcalloc(n + 1u, 4)};
    memset(ready.top, 0xff, (n + 1u) * 4u);
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t s = 0; s < cfg->blocks[b].succ_count; s++)
            waits[cfg->blocks[b].succ[s]] += cfg->blocks[b].succ[s] > b;
    push_ready(&ready, n, 0);
    for (;;) {
        uint32_t b = ready.top[loop];
        if (b == PTX_NO_BLOCK) {
            if (loop == n) break;
            loop = outer[loop] == PTX_NO_BLOCK ? n : outer[loop];
            continue;
        }
        ready.top[loop] = ready.below[b];
        if (b != cfg->exit_block) number[b] = position++;
        if (cfg->blocks[b].loop_header == b) loop = b;
        for (uint32_t s = 0; s < cfg->blocks[b].succ_count; s++) {
            uint32_t to = cfg->blocks[b].succ[s];
            if (to > b && --waits[to] == 0) push_ready(&ready, home(cfg, outer, to), to);
        }
    }
    number[cfg->exit_block] = n - 1;
    if (position != n - 1) BUG("%u of %u blocks were ordered", position, n - 1);
    free(waits);
    free(ready.top);
    free(ready.below);
}

static void cfg_build(const struct draft *d, struct ptx_block *drafts, struct arena *arena,
                      struct ptx_cfg *out)
{
    uint32_t all = d->count + 1, *order = ARENA_ARRAY(arena, uint32_t, all);
    uint32_t *number = ARENA_ARRAY(arena, uint32_t, all), *second = ARENA_ARRAY(arena, uint32_t, all);
    uint32_t count = post_order(drafts, d->count, order);
    memset(number, 0xff, all * sizeof *number);
    for (uint32_t i = 0; i < count; i++)
        number[order[i]] = count - 1 - i;
    renumber(drafts, all, number, count, arena, out);
    add_predecessors(out, arena);
    ptx_loops_find(out, order); /* order: now the header of the loop around each header */
    order_by_loops(out, order, second);
    renumber(out->blocks, count, second, count, arena, out);
    add_predecessors(out, arena);
    ptx_loops_find(out, order);
    ptx_postdominators_find(out);
    uint32_t n = d->function->instr_count;
    out->block_of = ARENA_ARRAY(arena, uint32_t, n + 1u);
    for (uint32_t i = 0; i < n; i++)
        out->block_of[i] = number[d->at[i]] == PTX_NO_BLOCK ? PTX_NO_BLOCK : second[number[d->at[i]]];
}

enum sw_status ptx_cfg_build(const struct ptx_function *function, struct arena *arena, struct ptx_cfg *out,
                             struct sw_error *error)
{
    struct draft draft = {.function = function};
    *out = (struct ptx_cfg){.function = function};
    bool *leader = sw_xcalloc(function->instr_count + 2u, sizeof *leader);
    enum sw_status status = mark_targets(function, leader, error);
    if (status == SW_OK) cfg_cut(&draft, leader, arena);
    free(leader);
    if (status != SW_OK) return status;
    struct ptx_block *drafts = ARENA_ARRAY(arena, struct ptx_block, draft.count + 1u);
    uint32_t *seen = sw_xcalloc(draft.count + 1u, sizeof *seen);
    for (uint32_t b = 0; b < draft.count; b++)
        cfg_connect(&draft, b, seen, arena, &drafts[b]);
    free(seen);
    drafts[draft.count] = (struct ptx_block){
        .first = function->instr_count, .last = function->instr_count, .end = PTX_END_EXIT};
    cfg_build(&draft, drafts, arena, out);
    return SW_OK;
}
