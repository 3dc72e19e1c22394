/* SPDX-License-Identifier: Apache-2.0 */
/* Which instruction of a basic block waits for which.
 *
 * Models: an instruction waits for its operands, and for those who read or wrote its registers before; loads
 * that are one instruction come with the first of them; nothing moves over what has a branch inside
 * (SASS_SLOW). Data of loads from memory is there at once: the
 * replay knows when it comes. Does not model: order of accesses to the same address and at barriers.
 * Sources: the method is the usual one of static schedulers; latencies: sass_lower.def. */
#include "sass_schedule_priv.h"

#include <stdlib.h>
#include <string.h>

static double graph_latency(const struct sass *m, uint32_t number)
{
    enum sass_kind kind = m->lower[number].kind;
    bool far = kind == SASS_MEMORY && m->kernel->instrs[number].space != ISA_SPACE_SHARED;
    return far || kind == SASS_CONSTANT ? 0 : m->latency[number];
}

static void add_edge(struct sass_graph *g, uint32_t from, uint32_t to, double cycles)
{
    if (from == to) return;
    struct sass_edge *e = &g->edges[g->edge_count];
    *e = (struct sass_edge){to, g->head[from], cycles};
    g->head[from] = g->edge_count++;
    g->before[to]++;
    double soonest = g->soonest[from] + cycles;
    if (soonest > g->soonest[to]) g->soonest[to] = soonest;
}

static void add_operands(struct sass_graph *g, uint32_t k)
{
    const struct event_instr *i = &g->code->kernel->instrs[g->first + k];
    bool selects = g->code->lower[g->first + k].kind == SASS_SELECT;
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t reg = i->regs[i->def_count + u], from = g->writer[reg];
        double soon = selects && u + 1 == i->use_count ? SASS_SELECT_CYCLES : 0;
        if (from) add_edge(g, from - 1, k, graph_latency(g->code, g->first + from - 1) - soon);
        g->reader[reg] = k + 1;
    }
    for (uint32_t d = 0; d < i->def_count; d++) {
        uint32_t reg = i->regs[d];
        if (g->reader[reg]) add_edge(g, g->reader[reg] - 1, k, 0);
        if (g->writer[reg]) add_edge(g, g->writer[reg] - 1, k, 0);
        g->writer[reg] = k + 1;
        g->reader[reg] = 0;
    }
}

/* Loads that are one come with the first of them. */
static void add_merged(struct sass_graph *g, uint32_t k)
{
    const struct event_instr *instrs = &g->code->kernel->instrs[g->first];
    const struct sass_lower *lower = &g->code->lower[g->first];
    if (lower[k].merged != SASS_MERGED) return;
    for (uint32_t first = k; first-- > 0;) {
        if (!lower[first].merged || lower[first].merged == SASS_MERGED) continue;
        if (instrs[first].regs[1] != instrs[k].regs[1]) continue;
        add_edge(g, first, k, 0);
        return;
    }
}

/* What nothing of the block moves over: the last such, + 1, and the first instruction behind it. */
struct wall {
    uint32_t last, at;
};

static void add_wall(struct sass_graph *g, struct wall *w, uint32_t k)
{
    if (w->last) add_edge(g, w->last - 1, k, graph_latency(g->code, g->first + w->last - 1));
    if (g->code->lower[g->first + k].kind != SASS_SLOW) return;
    for (uint32_t other = w->at; other < k; other++)
        add_edge(g, other, k, 0);
    *w = (struct wall){k + 1, k + 1};
}

static void set_heights(struct sass_graph *g)
{
    for (uint32_t k = g->count; k-- > 0;) {
        g->height[k] = 0;
        for (uint32_t e = g->head[k]; e != SASS_NO_EDGE; e = g->edges[e].next) {
            double height = g->edges[e].cycles + g->height[g->edges[e].to];
            if (height > g->height[k]) g->height[k] = height;
        }
    }
}

void sass_graph_make(struct sass_graph *g, const struct event_block *block)
{
    struct wall wall = {0};
    g->first = block->first;
    g->count = block->count;
    g->edge_count = 0;
    memset(g->before, 0, g->count * sizeof *g->before);
    memset(g->soonest, 0, g->count * sizeof *g->soonest);
    memset(g->head, 0xff, g->count * sizeof *g->head);
    for (uint32_t k = 0; k < g->count; k++) {
        add_operands(g, k);
        add_merged(g, k);
        add_wall(g, &wall, k);
    }
    set_heights(g);
    const struct event_instr *i = &g->code->kernel->instrs[g->first];
    for (uint32_t k = 0; k < g->count; k++, i++)
        for (uint32_t r = 0; r < (uint32_t)i->def_count + i->use_count; r++)
            g->writer[i->regs[r]] = g->reader[i->regs[r]] = 0;
}

/* At most, of a block: one for each operand, two for each result, one each for loads that are one, from and
 * to a wall. */
static size_t edges_of(const struct event_kernel *kernel, const struct event_block *block)
{
    enum { MORE = 3 }; /* definition: as above */
    size_t sum = 1;
    for (uint32_t n = block->first; n < block->first + block->count; n++)
        sum += kernel->instrs[n].use_count + 2 * (size_t)kernel->instrs[n].def_count + MORE;
    return sum;
}

void sass_graph_init(struct sass_graph *g, const struct sass *code)
{
    const struct event_kernel *kernel = code->kernel;
    size_t instrs = 1, edges = 1;
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        size_t of_block = edges_of(kernel, &kernel->blocks[b]);
        if (kernel->blocks[b].count > instrs) instrs = kernel->blocks[b].count;
        if (of_block > edges) edges = of_block;
    }
    *g = (struct sass_graph){.code = code,
                             .head = sw_xcalloc(instrs, sizeof *g->head),
                             .before = sw_xcalloc(instrs, sizeof *g->before),
                             .height = sw_xcalloc(instrs, sizeof *g->height),
                             .soonest = sw_xcalloc(instrs, sizeof *g->soonest),
                             .writer = sw_xcalloc(kernel->reg_count + 1, sizeof *g->writer),
                             .reader = sw_xcalloc(kernel->reg_count + 1, sizeof *g->reader),
                             .edges = sw_xcalloc(edges, sizeof *g->edges)};
}

void sass_graph_release(struct sass_graph *g)
{
    free(g->head);
    free(g->before);
    free(g->height);
    free(g->soonest);
    free(g->writer);
    free(g->reader);
    free(g->edges);
}
