/* SPDX-License-Identifier: Apache-2.0 */
/* What is found in a control flow graph: dominators and post-dominators, cycles, natural loops,
 * irreducibility.
 *
 * Method: dominators by Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"), near linear on the
 * graphs that compilers make; cycles by Tarjan's strongly connected components; natural loops inside out, a
 * finished loop standing for its blocks. Every search has its own stack: a graph may be a million blocks
 * deep. A graph is irreducible when an edge goes backwards to a block that does not dominate its source.
 *
 * Limits: blocks that cannot reach the exit (endless loops) have no post-dominator. */
#include "ptx_priv.h"

#include <stdlib.h>
#include <string.h>

struct frame {
    uint32_t block, next;
};

/* ---- dominators ---- */

static uint32_t common(const uint32_t *dom, const uint32_t *rank, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (rank[a] > rank[b])
            a = dom[a];
        while (rank[b] > rank[a])
            b = dom[b];
    }
    return a;
}

/* order: blocks in reverse post-order of the direction, the root first; rank: place in it. */
static void dominate(const struct ptx_cfg *cfg, bool backwards, const uint32_t *order, const uint32_t *rank,
                     uint32_t count, uint32_t *dom)
{
    dom[order[0]] = order[0];
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < count; i++) {
            const struct ptx_block *block = &cfg->blocks[order[i]];
            const uint32_t *from = backwards ? block->succ : block->pred;
            uint32_t from_count = backwards ? block->succ_count : block->pred_count;
            uint32_t best = PTX_NO_BLOCK;
            for (uint32_t j = 0; j < from_count; j++) {
                if (dom[from[j]] == PTX_NO_BLOCK) continue;
                best = best == PTX_NO_BLOCK ? from[j] : common(dom, rank, best, from[j]);
            }
            changed |= dom[order[i]] != best;
            dom[order[i]] = best;
        }
    }
    dom[order[0]] = PTX_NO_BLOCK;
}

/* Reverse post-order of the reversed graph from the exit; returns how many blocks reach it. */
static uint32_t order_backwards(const struct ptx_cfg *cfg, uint32_t *order)
{
    uint32_t n = cfg->block_count, depth = 0, count = 0;
    bool *seen = sw_xcalloc(n, sizeof *seen);
    struct frame *stack = sw_xcalloc(n, sizeof *stack);
    stack[depth++] = (struct frame){cfg->exit_block, 0};
    seen[cfg->exit_block] = true;
    while (depth) {
        struct frame *top = &stack[depth - 1];
        const struct ptx_block *block = &cfg->blocks[top->block];
        if (top->next < block->pred_count) {
            uint32_t to = block->pred[top->next++];
            if (!seen[to]) {
                seen[to] = true;
                stack[depth++] = (struct frame){to, 0};
            }
        } else {
            order[count++] = top->block;
            depth--;
        }
    }
    free(seen);
    free(stack);
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t swap = order[i];
        order[i] = order[count - 1 - i];
        order[count - 1 - i] = swap;
    }
    return count;
}

static void find_dominators(struct ptx_cfg *cfg)
{
    uint32_t n = cfg->block_count;
    uint32_t *order = sw_xcalloc(n, sizeof *order), *dom = sw_xcalloc(n, sizeof *dom);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    memset(dom, 0xff, n * sizeof *dom);
    dominate(cfg, false, order, order, n,
             dom); /* numbers are the order; an exit that nothing reaches has none */
    for (uint32_t i = 0; i < n; i++)
        cfg->blocks[i].idom = dom[i];
    free(order);
    free(dom);
}

void ptx_postdominators_find(struct ptx_cfg *cfg)
{
    uint32_t n = cfg->block_count;
    uint32_t *order = sw_xcalloc(n, sizeof *order), *rank = sw_xcalloc(n, sizeof *rank);
    uint32_t *dom = sw_xcalloc(n, sizeof *dom);
    uint32_t count = order_backwards(cfg, order);
    memset(dom, 0xff, n * sizeof *dom);
    for (uint32_t i = 0; i < count; i++)
        rank[order[i]] = i;
    dominate(cfg, true, order, rank, count, dom);
    for (uint32_t i = 0; i < n; i++)
        cfg->blocks[i].ipdom = dom[i];
    free(order);
    free(rank);
    free(dom);
}

/* ---- cycles and loops ---- */

/* Tarjan's components with an explicit stack; a component of one block is a cycle only with an edge to
 * itself. */
struct tarjan {
    const struct ptx_cfg *cfg;
    uint32_t *index, *low, *stack, depth, next;
    bool *on_stack;
};

static void close_component(struct tarjan *t, struct ptx_cfg *cfg, uint32_t root)
{
    bool several = t->stack[t->depth - 1] != root;
    for (;;) {
        uint32_t b = t->stack[--t->depth];
        t->on_stack[b] = false;
        cfg->blocks[b].in_cycle = several;
        if (b == root) break;
    }
    for (uint32_t s = 0; s < cfg->blocks[root].succ_count; s++)
        if (cfg->blocks[root].succ[s] == root) cfg->blocks[root].in_cycle = true;
}

static void visit(struct tarjan *t, uint32_t b)
{
    t->index[b] = t->low[b] = ++t->next;
    t->stack[t->depth++] = b;
    t->on_stack[b] = true;
}

static void find_cycles(struct ptx_cfg *cfg)
{
    uint32_t n = cfg->block_count, depth = 0;
    struct tarjan t = {cfg, sw_xcalloc(n, 4), sw_xcalloc(n, 4), sw_xcalloc(n, 4), 0, 0, sw_xcalloc(n, 1)};
    struct frame *calls = sw_xcalloc(n, sizeof *calls);
    calls[depth++] = (struct frame){0, 0};
    visit(&t, 0);
    while (depth) {
        struct frame *top = &calls[depth - 1];
        const struct ptx_block *block = &cfg->blocks[top->block];
        if (top->next < block->succ_count) {
            uint32_t to = block->succ[top->next++];
            if (!t.index[to]) {
                visit(&t, to);
                calls[depth++] = (struct frame){to, 0};
            } else if (t.on_stack[to] && t.index[to] < t.low[top->block]) {
                t.low[top->block] = t.index[to];
            }
        } else {
            uint32_t done = top->block;
            depth--;
            if (t.low[done] == t.index[done]) close_component(&t, cfg, done);
            if (depth && t.low[done] < t.low[calls[depth - 1].block])
                t.low[calls[depth - 1].block] = t.low[done];
        }
    }
    free(t.index);
    free(t.low);
    free(t.stack);
    free(t.on_stack);
    free(calls);
}

/* Does a dominate b? By the interval of a's subtree in a walk of the dominator tree. */
struct tree {
    uint32_t *in, *out;
};

static void number_tree(const struct ptx_cfg *cfg, struct tree *tree)
{
    uint32_t n = cfg->block_count, time = 0, depth = 0;
    uint32_t *child = sw_xcalloc(n, 4), *sibling = sw_xcalloc(n, 4), *stack = sw_xcalloc(n, 4);
    memset(child, 0xff, n * 4u);
    for (uint32_t b = n; b-- > 1;) {
        uint32_t up = cfg->blocks[b].idom;
        if (up == PTX_NO_BLOCK) continue;
        sibling[b] = child[up];
        child[up] = b;
    }
    stack[depth++] = 0;
    tree->in[0] = ++time;
    while (depth) {
        uint32_t b = stack[depth - 1], c = child[b];
        if (c != PTX_NO_BLOCK) {
            child[b] = sibling[c];
            tree->in[c] = ++time;
            stack[depth++] = c;
        } else {
            tree->out[b] = ++time;
            depth--;
        }
    }
    free(child);
    free(sibling);
    free(stack);
}

static bool dominates(const struct tree *tree, uint32_t a, uint32_t b)
{
    return tree->in[a] && tree->in[b] && tree->in[a] <= tree->in[b] && tree->out[b] <= tree->out[a];
}

/* ---- natural loops ---- */

/* The outermost block found so far that stands for b: itself, or the header of the loops that hold it. */
static uint32_t stands_for(uint32_t *up, uint32_t b)
{
    while (up[b] != b) {
        up[b] = up[up[b]];
        b = up[b];
    }
    return b;
}

/* The natural loop of the back edges into `header`: climb from their sources. Loops inside were collected
 * before and are entered as a whole, so every block is climbed from once. */
static void collect_loop(struct ptx_cfg *cfg, const struct tree *tree, uint32_t header, uint32_t *up,
                         uint32_t *outer, uint32_t *work)
{
    uint32_t count = 0;
    const struct ptx_block *head = &cfg->blocks[header];
    for (uint32_t i = 0; i < head->pred_count; i++)
        if (dominates(tree, header, head->pred[i])) work[count++] = head->pred[i];
    if (count) cfg->blocks[header].loop_header = header;
    while (count) {
        uint32_t b = stands_for(up, work[--count]);
        if (b == header) continue;
        up[b] = header;
        if (cfg->blocks[b].loop_header == b)
            outer[b] = header;
        else
            cfg->blocks[b].loop_header = header;
        for (uint32_t i = 0; i < cfg->blocks[b].pred_count; i++)
            work[count++] = cfg->blocks[b].pred[i];
    }
}

static void find_loops(struct ptx_cfg *cfg, const struct tree *tree, uint32_t *outer)
{
    uint32_t n = cfg->block_count, edges = 0;
    for (uint32_t b = 0; b < n; b++) {
        cfg->blocks[b].loop_header = outer[b] = PTX_NO_BLOCK;
        edges += cfg->blocks[b].pred_count;
    }
    uint32_t *up = sw_xcalloc(n, 4), *work = sw_xcalloc(2u * edges + 1u, 4);
    for (uint32_t b = 0; b < n; b++)
        up[b] = b;
    for (uint32_t b = n; b-- > 0;)
        collect_loop(cfg, tree, b, up, outer, work);
    for (uint32_t b = 0; b < n; b++) { /* headers have smaller numbers than what they hold */
        uint32_t header = cfg->blocks[b].loop_header;
        if (header == b)
            cfg->blocks[b].loop_depth = 1 + (outer[b] == PTX_NO_BLOCK ? 0 : cfg->blocks[outer[b]].loop_depth);
        else
            cfg->blocks[b].loop_depth = header == PTX_NO_BLOCK ? 0 : cfg->blocks[header].loop_depth;
    }
    free(up);
    free(work);
}

static bool has_other_entry(const struct ptx_cfg *cfg, const struct tree *tree)
{
    for (uint32_t b = 0; b < cfg->block_count; b++)
        for (uint32_t s = 0; s < cfg->blocks[b].succ_count; s++) {
            uint32_t to = cfg->blocks[b].succ[s];
            if (to <= b && !dominates(tree, to, b)) return true;
        }
    return false;
}

void ptx_loops_find(struct ptx_cfg *cfg, uint32_t *outer)
{
    uint32_t n = cfg->block_count;
    struct tree tree = {sw_xcalloc(n, 4), sw_xcalloc(n, 4)};
    find_dominators(cfg);
    number_tree(cfg, &tree);
    find_cycles(cfg);
    find_loops(cfg, &tree, outer);
    cfg->irreducible = has_other_entry(cfg, &tree);
    free(tree.in);
    free(tree.out);
}
