/* SPDX-License-Identifier: Apache-2.0 */
/* Register pressure: how much longer a basic block takes because registers are few.
 *
 * Models: ptxas brings a block into an order in which as many registers are enough as leave a multiprocessor
 * all of its threads (32 on most GPUs): loads and the chains that begin with them wait until others have
 * ended. The block is scheduled twice, cycle by cycle, of what is ready that with the longest chain behind it
 * first: with as many registers as it likes, and with those that values from elsewhere leave it. ptxas finds
 * an order about half way between the two. Between barriers and instructions with a branch inside nothing
 * moves.
 *
 * Does not model: values that ptxas makes again instead of keeping them, uniform registers, pipes.
 *
 * Sources: of 198 kernels of tests/hw ptxas 13.0 gives 17 exactly 32 registers, and 4 more. Half: machine
 * code of nbody, nbody_tile and matmul_register, played for a warp alone, takes 361, 268 and 522 cycles for
 * an iteration of its loop; the two schedules 185 and 593, 172 and 379, 337 and 618. */
#include "sass/sass.h"

#include <stdlib.h>

/* assumed: instructions of a block with fewer never crowd it; implementation: at most */
enum { LEAST = 24, MOST = 768, SUCCESSORS = 8 * MOST, NONE = -1 };

struct pressure {
    const struct sass *m;
    /* [register]: in the kernel; numbers of instructions + 1 */
    uint32_t *uses, *first_def, *last_def, *last_use;
    uint8_t *width;           /* [register]: of 32 bits */
    uint32_t first, count;    /* of the part of a block that is scheduled */
    uint32_t *left;           /* [register]: uses in the part that are still to come */
    int32_t *writer, *reader; /* [register]: in the part so far, the last; NONE */
    bool *local;              /* [register]: is written once, and lives in this part alone */
    /* by instruction of the part: what follows from it, a list; cycles behind it; when it can go */
    int32_t head[MOST], next[SUCCESSORS];
    uint16_t to[SUCCESSORS];
    double lag[SUCCESSORS], height[MOST], ready[MOST];
    int32_t before[MOST], waits[MOST]; /* for so many others; that are still to come */
    uint32_t edge_count, open_count;
    uint16_t open[MOST]; /* that wait for no other */
};

/* ---- registers */

/* As it was declared; predicates have registers of their own. */
static uint8_t width_of(uint8_t type)
{
    enum { BITS = 32 }; /* definition: of a register */
    return type == ISA_PRED ? 0 : (uint8_t)((isa_type_bits((enum isa_type)type) + BITS - 1) / BITS);
}

/* 0 where no operand is this register. */
static uint8_t width_of_reg(const struct event_operand *operands, uint32_t count, uint32_t reg)
{
    uint8_t width = 0;
    for (uint32_t o = 0; o < count && !width; o++) {
        const struct event_operand *operand = &operands[o];
        width = operand->reg == reg    ? width_of(operand->type)
                : operand->reg2 == reg ? width_of(operand->type2)
                                       : width_of_reg(operand->elements, operand->count, reg);
    }
    return width;
}

/* In constant memory, or part of others. */
static bool needs_none(const struct sass_lower *l)
{
    return l->kind == SASS_PARAMETER || (l->kind == SASS_FREE && sass_slots(l) <= 0);
}

static void see_registers(struct pressure *c)
{
    const struct event_kernel *k = c->m->kernel;
    for (uint32_t reg = 0; reg < k->reg_count; reg++)
        c->writer[reg] = c->reader[reg] = NONE;
    for (uint32_t n = 0; n < k->instr_count; n++) {
        const struct event_instr *i = &k->instrs[n];
        for (uint32_t d = 0; d < i->def_count; d++) {
            uint32_t reg = i->regs[d];
            if (!c->first_def[reg]) c->first_def[reg] = n + 1;
            c->last_def[reg] = n + 1;
            bool none = needs_none(&c->m->lower[n]);
            c->width[reg] = none ? 0 : width_of_reg(i->operands, i->operand_count, reg);
        }
        for (uint32_t u = 0; u < i->use_count; u++) {
            uint32_t reg = i->regs[i->def_count + u];
            c->uses[reg]++;
            c->last_use[reg] = n + 1;
        }
    }
}

/* What values from elsewhere take while the part is executed. */
static uint32_t taken_by_others(const struct pressure *c)
{
    uint32_t sum = 0, end = c->first + c->count;
    for (uint32_t reg = 0; reg < c->m->kernel->reg_count; reg++) {
        if (c->local[reg] || !c->width[reg]) continue;
        bool through = c->first_def[reg] && c->first_def[reg] <= c->first && c->last_use[reg] > end;
        if (through || c->left[reg] || c->writer[reg] != NONE) sum += c->width[reg];
    }
    return sum;
}

/* ---- what waits for what */

static double intervals_pressure_latency_of(const struct pressure *c, int32_t k)
{
    uint32_t number = c->first + (uint32_t)k;
    enum sass_kind kind = c->m->lower[number].kind;
    bool far = kind == SASS_MEMORY && c->m->kernel->instrs[number].space != ISA_SPACE_SHARED;
    return far || kind == SASS_CONSTANT ? 0 : c->m->latency[number];
}

static void intervals_pressure_follow(struct pressure *c, int32_t from, uint32_t to, double lag)
{
    if (from == NONE || (uint32_t)from == to || c->edge_count == SUCCESSORS) return;
    uint32_t e = c->edge_count++;
    c->to[e] = (uint16_t)to;
    c->lag[e] = lag;
    c->next[e] = c->head[from];
    c->head[from] = (int32_t)e;
    c->before[to]++;
}

/* Loads that are one come with the first of them. */
static void follow_first(struct pressure *c, uint32_t k)
{
    const struct event_instr *instrs = &c->m->kernel->instrs[c->first];
    const struct sass_lower *lower = &c->m->lower[c->first];
    if (lower[k].merged != SASS_MERGED) return;
    for (uint32_t first = k; first-- > 0;) {
        if (!lower[first].merged || lower[first].merged == SASS_MERGED) continue;
        if (instrs[first].regs[1] != instrs[k].regs[1]) continue;
        intervals_pressure_follow(c, (int32_t)first, k, 0);
        return;
    }
}

static void see_instr(struct pressure *c, uint32_t k)
{
    const struct event_instr *i = &c->m->kernel->instrs[c->first + k];
    bool selects = c->m->lower[c->first + k].kind == SASS_SELECT;
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t reg = i->regs[i->def_count + u];
        int32_t from = c->writer[reg];
        double soon = selects && u + 1 == i->use_count ? SASS_SELECT_CYCLES : 0;
        if (from != NONE)
            intervals_pressure_follow(c, from, k, intervals_pressure_latency_of(c, from) - soon);
        c->reader[reg] = (int32_t)k;
        c->left[reg]++;
    }
    for (uint32_t d = 0; d < i->def_count; d++) {
        intervals_pressure_follow(c, c->reader[i->regs[d]], k, 0);
        intervals_pressure_follow(c, c->writer[i->regs[d]], k, 0);
        c->writer[i->regs[d]] = (int32_t)k;
        c->reader[i->regs[d]] = NONE;
    }
    follow_first(c, k);
}

static void set_height(struct pressure *c, uint32_t k)
{
    c->height[k] = 0;
    for (int32_t e = c->head[k]; e != NONE; e = c->next[e]) {
        double height = c->lag[e] + c->height[c->to[e]];
        if (height > c->height[k]) c->height[k] = height;
    }
}

static void see_part(struct pressure *c, uint32_t first, uint32_t end)
{
    const struct event_instr *instrs = c->m->kernel->instrs;
    c->first = first;
    c->count = end - first;
    c->edge_count = 0;
    for (uint32_t k = 0; k < c->count; k++)
        c->head[k] = NONE, c->before[k] = 0;
    for (uint32_t k = 0; k < c->count; k++)
        see_instr(c, k);
    for (uint32_t n = first; n < end; n++)
        for (uint32_t d = 0; d < instrs[n].def_count; d++) {
            uint32_t reg = instrs[n].regs[d];
            bool once = c->first_def[reg] == c->last_def[reg];
            c->local[reg] = once && c->first_def[reg] > first && c->uses[reg] == c->left[reg];
        }
    for (uint32_t k = c->count; k-- > 0;)
        set_height(c, k);
}

static void forget_part(struct pressure *c)
{
    const struct event_instr *i = &c->m->kernel->instrs[c->first];
    for (uint32_t k = 0; k < c->count; k++, i++)
        for (uint32_t r = 0; r < (uint32_t)i->def_count + i->use_count; r++) {
            uint32_t reg = i->regs[r];
            c->writer[reg] = c->reader[reg] = NONE;
            c->left[reg] = 0;
            c->local[reg] = false;
        }
}

/* ---- a schedule */

/* Registers that instruction k takes more than it leaves. */
static int32_t more_of(const struct pressure *c, uint32_t k)
{
    enum { BYTES = 4 }; /* definition: of a register */
    const struct event_instr *i = &c->m->kernel->instrs[c->first + k];
    uint8_t merged = c->m->lower[c->first + k].merged;
    int32_t more = merged && merged != SASS_MERGED ? merged / BYTES : 0;
    for (uint32_t d = 0; d < i->def_count && !merged; d++)
        more += c->local[i->regs[d]] ? c->width[i->regs[d]] : 0;
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t reg = i->regs[i->def_count + u];
        more -= c->local[reg] && c->left[reg] == 1 ? c->width[reg] : 0;
    }
    return more;
}

static void issue(struct pressure *c, uint32_t index, double at)
{
    uint32_t k = c->open[index];
    const struct event_instr *i = &c->m->kernel->instrs[c->first + k];
    c->open[index] = c->open[--c->open_count];
    for (uint32_t u = 0; u < i->use_count; u++)
        c->left[i->regs[i->def_count + u]]--;
    for (int32_t e = c->head[k]; e != NONE; e = c->next[e]) {
        uint32_t to = c->to[e];
        if (at + c->lag[e] > c->ready[to]) c->ready[to] = at + c->lag[e];
        if (!--c->waits[to]) c->open[c->open_count++] = (uint16_t)to;
    }
}

/* Of those that are ready at `now`, the index of the one to issue; NONE: none has the registers. */
static int32_t intervals_pressure_choose(const struct pressure *c, double now, int32_t available)
{
    int32_t best = NONE;
    for (uint32_t p = 0; p < c->open_count; p++) {
        uint32_t k = c->open[p], other = best == NONE ? k : c->open[best];
        if (c->ready[k] > now || c->height[k] < c->height[other]) continue;
        if (best != NONE && c->height[k] <= c->height[other] && k > other) continue;
        int32_t more = more_of(c, k);
        if (more <= 0 || more <= available) best = (int32_t)p;
    }
    return best;
}

/* When the next of them becomes ready; `now` if all are. */
static double next_ready(const struct pressure *c, double now)
{
    double next = now;
    for (uint32_t p = 0; p < c->open_count; p++) {
        double ready = c->ready[c->open[p]];
        if (ready > now && (next <= now || ready < next)) next = ready;
    }
    return next;
}

/* Cycles of the part with so many registers. */
static double schedule(struct pressure *c, int32_t available)
{
    double now = 0;
    c->open_count = 0;
    for (uint32_t k = 0; k < c->count; k++) {
        c->waits[k] = c->before[k];
        c->ready[k] = 0;
        if (!c->waits[k]) c->open[c->open_count++] = (uint16_t)k;
    }
    while (c->open_count) {
        int32_t index = intervals_pressure_choose(c, now, available);
        double next = index == NONE ? next_ready(c, now) : now;
        if (next > now) {
            now = next;
            continue;
        }
        if (index == NONE)
            index = intervals_pressure_choose(c, now, INT32_MAX); /* there is no order with so few */
        uint32_t k = c->open[index];
        available -= more_of(c, k);
        issue(c, (uint32_t)index, now);
        now += sass_slots(&c->m->lower[c->first + k]);
    }
    const struct event_instr *i = &c->m->kernel->instrs[c->first];
    for (uint32_t k = 0; k < c->count; k++, i++)
        for (uint32_t u = 0; u < i->use_count; u++)
            c->left[i->regs[i->def_count + u]]++;
    return now;
}

/* Registers of a thread that leave a multiprocessor all of its threads, or as many as the kernel takes. */
static uint32_t registers_of(const struct sass *m)
{
    const struct arch_cc *cc = arch_cc_find(m->gpu->cc_major, m->gpu->cc_minor);
    uint32_t all = cc ? cc->registers_per_sm / (SW_WARP_LANES * cc->warps_per_sm) : UINT32_MAX;
    return m->kernel->registers > all ? m->kernel->registers : all;
}

static double part_delay(struct pressure *c, uint32_t first, uint32_t end)
{
    double more = 0;
    if (end - first < LEAST || end - first > MOST) return 0;
    see_part(c, first, end);
    uint32_t all = registers_of(c->m), others = taken_by_others(c);
    if (others < all) more = schedule(c, (int32_t)(all - others)) - schedule(c, INT32_MAX / 2);
    forget_part(c);
    return more > 0 ? more / 2 : 0;
}

static double block_delay(struct pressure *c, const struct event_block *block)
{
    uint32_t last = block->first + block->count;
    double sum = 0;
    for (uint32_t first = block->first, end; first < last; first = end) {
        for (end = first + 1; end < last; end++) {
            enum sass_kind before = c->m->lower[end - 1].kind;
            if (before == SASS_SLOW || before == SASS_BARRIER) break;
        }
        sum += part_delay(c, first, end);
    }
    return sum;
}

void sass_pressure_delays(const struct sass *m, double *delays)
{
    enum { VOLTA = 7 }; /* documented: compute capability */
    uint32_t regs = m->kernel->reg_count + 1;
    uint32_t longest = 0;
    if (m->gpu->cc_major < VOLTA) return; /* of whose code nothing is known */
    for (uint32_t b = 0; b < m->kernel->block_count; b++)
        if (m->kernel->blocks[b].count > longest) longest = m->kernel->blocks[b].count;
    if (longest < LEAST) return;
    struct pressure *c = sw_xmalloc(sizeof *c); /* much of it is never used */
    c->m = m;
    c->uses = sw_xcalloc(regs, sizeof *c->uses);
    c->first_def = sw_xcalloc(regs, sizeof *c->first_def);
    c->last_def = sw_xcalloc(regs, sizeof *c->last_def);
    c->last_use = sw_xcalloc(regs, sizeof *c->last_use);
    c->width = sw_xcalloc(regs, 1);
    c->left = sw_xcalloc(regs, sizeof *c->left);
    c->writer = sw_xcalloc(regs, sizeof *c->writer);
    c->reader = sw_xcalloc(regs, sizeof *c->reader);
    c->local = sw_xcalloc(regs, sizeof *c->local);
    see_registers(c);
    for (uint32_t b = 0; b < m->kernel->block_count; b++)
        delays[b] += block_delay(c, &m->kernel->blocks[b]);
    free(c->uses);
    free(c->first_def);
    free(c->last_def);
    free(c->last_use);
    free(c->width);
    free(c->left);
    free(c->writer);
    free(c->reader);
    free(c->local);
    free(c);
}
