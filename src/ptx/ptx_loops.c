/* SPDX-License-Identifier: Apache-2.0 */
/* What is found in a control flow graph: dominators and post-dominators, cycles, natural loops,
 * irreducibility.
 *
 * Method: dominators by Lengauer and Tarjan ("A fast algorithm for finding dominators in a flowgraph"), the
 * simple version; the iterative one took 5 s on a megabyte of branches to one label; cycles by Tarjan's
 * strongly connected components; natural loops inside out, a finished loop standing for its blocks. Every
 * search has its own stack: a graph may be a million blocks deep. A graph is irreducible when an edge goes
 * backwards to a block that does not dominate its source.
 *
 * Limits: blocks that cannot reach the exit (endless loops) have no post-dominator. */
#include "ptx_priv.h"

#include <stdlib.h>
#include <string.h>

struct frame {
    uint32_t block, next;
};

/* ---- dominators ---- */

/* Lengauer and Tarjan's algorithm on depth-first numbers; forward from the entry, or backwards from the exit.
 */
struct dominance {
    const struct ptx_cfg *cfg;
    bool backwards;
    uint32_t count;                 /* blocks reached */
    uint32_t *number, *block;       /* depth-first number of a block (NO_BLOCK: not reached), and back */
    uint32_t *parent, *semi, *dom;  /* by number, as the rest */
    uint32_t *ancestor, *label;     /* the forest of what was processed; ancestor NO_BLOCK: a root */
    uint32_t *bucket, *next, *path; /* bucket[semidominator]: list through next; path: scratch */
};

static const uint32_t *edges(const struct dominance *d, uint32_t block, bool forwards, uint32_t *count)
{
    const struct ptx_block *b = &d->cfg->blocks[block];
    bool succ = forwards != d->backwards;
    *count = succ ? b->succ_count : b->pred_count;
    return succ ? b->succ : b->pred;
}

static void loops_reach(struct dominance *d, uint32_t block, uint32_t parent)
{
    d->number[block] = d->count;
    d->block[d->count] = block;
    d->parent[d->count++] = parent;
}

static void number_blocks(struct dominance *d, uint32_t root)
{
    uint32_t depth = 0, count;
    struct frame *stack = sw_xcalloc(d->cfg->block_count, sizeof *stack);
    loops_reach(d, root, 0);
    stack[depth++] = (struct frame){root, 0};
    while (depth) {
        struct frame *top = &stack[depth - 1];
        const uint32_t *to = edges(d, top->block, true, &count);
        if (top->next == count) {
            depth--;
            continue;
        }
        uint32_t b = to[top->next++];
        if (d->number[b] != PTX_NO_BLOCK) continue;
        loops_reach(d, b, d->number[top->block]);
        stack[depth++] = (struct frame){b, 0};
    }
    free(stack);
}

/* The vertex of least semidominator on the way from v to its root, excluded; the way is made short. */
static uint32_t evaluate(struct dominance *d, uint32_t v)
{
    uint32_t length = 0;
    if (d->ancestor[v] == PTX_NO_BLOCK) return d->label[v];
    for (uint32_t x = v; d->ancestor[d->ancestor[x]] != PTX_NO_BLOCK; x = d->ancestor[x])
        d->path[length++] = x;
    while (length) {
        uint32_t x = d->path[--length], up = d->ancestor[x];
        if (d->semi[d->label[up]] < d->semi[d->label[x]]) d->label[x] = d->label[up];
        d->ancestor[x] = d->ancestor[up];
    }
    return d->label[v];
}

static void find_semidominator(struct dominance *d, uint32_t w)
{
    uint32_t count;
    const uint32_t *from = edges(d, d->block[w], false, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = d->number[from[i]];
        if (v == PTX_NO_BLOCK) continue;
        uint32_t u = evaluate(d, v);
        if (d->semi[u] < d->semi[w]) d->semi[w] = d->semi[u];
    }
}

static void process(struct dominance *d)
{
    for (uint32_t w = d->count; w-- > 1;) {
        uint32_t parent = d->parent[w];
        find_semidominator(d, w);
        d->next[w] = d->bucket[d->semi[w]];
        d->bucket[d->semi[w]] = w;
        d->ancestor[w] = parent;
        for (uint32_t v = d->bucket[parent]; v != PTX_NO_BLOCK; v = d->next[v]) {
            uint32_t u = evaluate(d, v);
            d->dom[v] = d->semi[u] < d->semi[v] ? u : parent;
        }
        d->bucket[parent] = PTX_NO_BLOCK;
    }
    for (uint32_t w = 1; w < d->count; w++)
        if (d->dom[w] != d->semi[w]) d->dom[w] = d->dom[d->dom[w]];
}

/* The dominator of each block into out, PTX_NO_BLOCK for the root and what is not reached. */
static void dominate(const struct ptx_cfg *cfg, bool backwards, uint32_t *out)
{
    uint32_t n = cfg->block_count, *memory = sw_xmalloc((size_t)n * 10 * sizeof *memory);
    struct dominance d = {.cfg = cfg, .backwards = backwards};
    uint32_t **parts[] = {&d.number,   &d.block, &d.parent, &d.semi, &d.dom,
                          &d.ancestor, &d.label, &d.bucket, &d.next, &d.path};
    for (size_t i = 0; i < SW_COUNT_OF(parts); i++)
        *parts[i] = memory + i * n;
    memset(memory, 0xff, (size_t)n * 10 * sizeof *memory);
    for (uint32_t i = 0; i < n; i++)
        d.semi[i] = d.label[i] = i;
    number_blocks(&d, backwards ? cfg->exit_block : 0);
    process(&d);
    for (uint32_t b = 0; b < n; b++)
        out[b] = d.number[b] == PTX_NO_BLOCK || d.number[b] == 0 ? PTX_NO_BLOCK : d.block[d.dom[d.number[b]]];
    free(memory);
}

static void find_dominators(struct ptx_cfg *cfg)
{
    uint32_t *dom = sw_xcalloc(cfg->block_count, sizeof *dom);
    dominate(cfg, false, dom);
    for (uint32_t b = 0; b < cfg->block_count; b++)
        cfg->blocks[b].idom = dom[b];
    free(dom);
}

void ptx_postdominators_find(struct ptx_cfg *cfg)
{
    uint32_t *dom = sw_xcalloc(cfg->block_count, sizeof *dom);
    dominate(cfg, true, dom);
    for (uint32_t b = 0; b < cfg->block_count; b++)
        cfg->blocks[b].ipdom = dom[b];
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

static void loops_visit(struct tarjan *t, uint32_t b)
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
    loops_visit(&t, 0);
    while (depth) {
        struct frame *top = &calls[depth - 1];
        const struct ptx_block *block = &cfg->blocks[top->block];
        if (top->next < block->succ_count) {
            uint32_t to = block->succ[top->next++];
            if (!t.index[to]) {
                loops_visit(&t, to);
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

static bool loops_dominates(const struct tree *tree, uint32_t a, uint32_t b)
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
        if (loops_dominates(tree, header, head->pred[i])) work[count++] = head->pred[i];
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
            if (to <= b && !loops_dominates(tree, to, b)) return true;
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
