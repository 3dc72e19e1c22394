/* SPDX-License-Identifier: Apache-2.0 */
/* How much longer than its longest chain a basic block takes, since a warp issues one instruction at a time
 * and has few registers.
 *
 * Models: a list schedule, as ptxas makes one: whenever a slot is free, of the instructions whose operands
 * are there and whose pipes are free the one with the longest chain behind it (of equals the first). What
 * that takes more than the chain, the slots or the busiest pipe alone is the block's delay. The same once
 * more with the registers that values from elsewhere leave: loads and the chains that begin with them wait
 * until others have ended. ptxas finds an order about half way between the two.
 *
 * Does not model: values of the block before, slots of predicates' and scoreboards' waits, registers before
 * compute capability 7.0, of whose code nothing is known.
 *
 * Sources: the method is the usual one of static schedulers; machine code of tests/hw (ptxas 13.0, 9.0).
 * Half: machine code of nbody, nbody_tile and matmul_register, played for a warp alone, takes 361, 268 and
 * 522 cycles for an iteration of its loop; the two schedules 185 and 593, 172 and 379, 337 and 618. */
#include "sass_schedule_priv.h"

#include <stdlib.h>
#include <string.h>

/* assumed: fewer instructions never run out of registers; implementation: more are not scheduled */
enum { LEAST = 24, MOST_REGISTERS = 768, MOST = 4096 };

enum { ISSUE = SASS_PIPES, UNITS = SASS_PIPES + 1 };
#define NONE UINT32_MAX

struct schedule {
    const struct sass *code;
    struct sass_graph graph;
    struct sass_registers registers;
    double (*work)[UNITS]; /* [instr] cycles of each unit */
    double *ready;         /* [instr] when its operands are there */
    uint32_t *waits;       /* [instr] for so many others that have not issued */
    uint32_t *open;        /* those that wait for none, in no order */
    uint32_t open_count;
    double free[UNITS]; /* when each unit is */
    double now;
};

/* The port of memory instructions does not count: others fill the cycles between. */
static void set_work(struct schedule *s)
{
    for (uint32_t k = 0; k < s->graph.count; k++) {
        const struct sass_lower *lower = &s->code->lower[s->graph.first + k];
        memset(s->work[k], 0, sizeof s->work[k]);
        sass_add_pipes(s->code, lower, s->work[k]);
        s->work[k][SASS_PORT] = 0;
        s->work[k][ISSUE] = sass_slots(lower);
    }
}

/* From when on an instruction could issue. What becomes several finds its pipes free between others'. */
static double soonest(const struct schedule *s, uint32_t k)
{
    double at = s->ready[k];
    for (uint32_t u = 0; u < SASS_PIPES && s->work[k][ISSUE] <= 1; u++)
        if (s->work[k][u] > 0 && s->free[u] > at) at = s->free[u];
    return at;
}

/* Goes k before the other? */
static bool goes_before(const struct schedule *s, uint32_t k, uint32_t other)
{
    double height = s->graph.height[k], than = s->graph.height[other];
    return height > than || (height >= than && k < other);
}

static bool has_registers(const struct schedule *s, uint32_t k, int32_t available)
{
    if (available == INT32_MAX) return true;
    int32_t more = sass_registers_more(&s->registers, s->graph.first + k);
    return more <= 0 || more <= available;
}

/* Of those that have registers, the index of the one to issue next, for which `now` waits; NONE. */
static uint32_t choose(struct schedule *s, int32_t available)
{
    uint32_t best = NONE;
    double first = 0;
    for (uint32_t p = 0; p < s->open_count; p++) {
        double at = soonest(s, s->open[p]);
        if (at < s->now) at = s->now;
        bool before =
            best == NONE || at < first || (at <= first && goes_before(s, s->open[p], s->open[best]));
        if (!before || !has_registers(s, s->open[p], available)) continue;
        best = p;
        first = at;
    }
    if (best != NONE) s->now = first;
    return best;
}

static void issue(struct schedule *s, uint32_t index)
{
    uint32_t k = s->open[index];
    s->open[index] = s->open[--s->open_count];
    for (uint32_t e = s->graph.head[k]; e != SASS_NO_EDGE; e = s->graph.edges[e].next) {
        const struct sass_edge *edge = &s->graph.edges[e];
        if (s->now + edge->cycles > s->ready[edge->to]) s->ready[edge->to] = s->now + edge->cycles;
        if (!--s->waits[edge->to]) s->open[s->open_count++] = edge->to;
    }
    for (uint32_t u = 0; u < SASS_PIPES; u++)
        s->free[u] = (s->free[u] > s->now ? s->free[u] : s->now) + s->work[k][u];
    s->now += s->work[k][ISSUE];
}

/* Cycles of the block with so many registers; INT32_MAX: with as many as it likes. */
static double schedule(struct schedule *s, int32_t available)
{
    s->now = 0;
    s->open_count = 0;
    memset(s->free, 0, sizeof s->free);
    for (uint32_t k = 0; k < s->graph.count; k++) {
        s->ready[k] = 0;
        s->waits[k] = s->graph.before[k];
        if (!s->waits[k]) s->open[s->open_count++] = k;
    }
    while (s->open_count) {
        uint32_t index = choose(s, available);
        if (index == NONE) index = choose(s, INT32_MAX); /* there is no order with so few */
        uint32_t number = s->graph.first + s->open[index];
        if (available < INT32_MAX) {
            available -= sass_registers_more(&s->registers, number);
            sass_registers_issue(&s->registers, number);
        }
        issue(s, index);
    }
    return s->now;
}

/* What no schedule can be shorter than: the longest chain, the slots, the busiest pipe. */
static double least_cycles(const struct schedule *s)
{
    double sum[UNITS] = {0}, least = 0;
    for (uint32_t k = 0; k < s->graph.count; k++) {
        if (s->work[k][ISSUE] > 0 && s->graph.soonest[k] + 1 > least) least = s->graph.soonest[k] + 1;
        for (uint32_t u = 0; u < UNITS; u++)
            sum[u] += s->work[k][u];
    }
    for (uint32_t u = 0; u < UNITS; u++)
        if (sum[u] > least) least = sum[u];
    return least;
}

/* The cycles more that a block takes with the registers that it has; free: those with as many as it likes. */
static double registers_delay(struct schedule *s, const struct event_block *block, double free)
{
    enum { VOLTA = 7 }; /* documented: compute capability */
    if (s->code->gpu->cc_major < VOLTA || block->count < LEAST || block->count > MOST_REGISTERS) return 0;
    int32_t available = sass_registers_open(&s->registers, block);
    double more = available > 0 ? schedule(s, available) - free : 0;
    sass_registers_close(&s->registers, block);
    return more > 0 ? more / 2 : 0;
}

static double block_delay(struct schedule *s, const struct event_block *block)
{
    if (!block->count || block->count > MOST) return 0;
    sass_graph_make(&s->graph, block);
    set_work(s);
    double cycles = schedule(s, INT32_MAX), least = least_cycles(s);
    double delay = cycles > least ? cycles - least : 0;
    return delay + registers_delay(s, block, cycles);
}

void sass_schedule_delays(const struct sass *code, double *delays)
{
    struct schedule s = {.code = code};
    size_t longest = 1;
    for (uint32_t b = 0; b < code->kernel->block_count; b++)
        if (code->kernel->blocks[b].count > longest) longest = code->kernel->blocks[b].count;
    sass_graph_init(&s.graph, code);
    sass_registers_init(&s.registers, code);
    s.work = sw_xcalloc(longest, sizeof *s.work);
    s.ready = sw_xcalloc(longest, sizeof *s.ready);
    s.waits = sw_xcalloc(longest, sizeof *s.waits);
    s.open = sw_xcalloc(longest, sizeof *s.open);
    for (uint32_t b = 0; b < code->kernel->block_count; b++)
        delays[b] = block_delay(&s, &code->kernel->blocks[b]);
    sass_graph_release(&s.graph);
    sass_registers_release(&s.registers);
    free(s.work);
    free(s.ready);
    free(s.waits);
    free(s.open);
}
