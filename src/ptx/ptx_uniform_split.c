/* SPDX-License-Identifier: Apache-2.0 */
/* What a divergent branch does to the blocks and registers behind it, under the schedule that compiled code
 * follows: of the blocks where lanes of a warp wait, always the one with the smallest number runs next.
 *
 * So lanes are together again at the first post-dominator whose number is above that of every block on the
 * way to it: all others are done before it runs. Until then a block D on one side runs while lanes of the
 * other side wait at blocks numbered above D; D is partial, and a register that D writes is forced if it is
 * live at such a place.
 *
 * Limits: a branch table's sides are not told apart; beyond BUDGET block visits every block counts as partial
 * and every register is forced. */
#include "ptx_uniform_priv.h"

#include <stdlib.h>
#include <string.h>

enum { BUDGET = 20000000 };

struct ptx_uniform_split {
    const struct ptx_uniform *u;
    const struct ptx_cfg *cfg;
    bool *partial;
    struct arena arena;
    struct ptx_liveness live;
    uint8_t *side; /* by block: bit 0 and 1: reached from that successor; bit 2: seen while looking for the
                      meeting */
    VEC(uint32_t) region, stack;
    uint64_t *waits[2]; /* registers that lanes of a side need where they wait */
    uint64_t spent;
    bool gave_up;
};

struct ptx_uniform_split *ptx_uniform_split_new(const struct ptx_uniform *u, bool *partial)
{
    struct ptx_uniform_split *s = sw_xcalloc(1, sizeof *s);
    s->u = u;
    s->cfg = u->cfg;
    s->partial = partial;
    arena_init(&s->arena);
    ptx_liveness_build(u->cfg, &s->arena, &s->live);
    s->side = sw_xcalloc(u->cfg->block_count, 1);
    s->waits[0] = sw_xcalloc(s->live.words, 8);
    s->waits[1] = sw_xcalloc(s->live.words, 8);
    return s;
}

void ptx_uniform_split_free(struct ptx_uniform_split *s)
{
    arena_release(&s->arena);
    free(s->side);
    free(s->waits[0]);
    free(s->waits[1]);
    vec_release(&s->region);
    vec_release(&s->stack);
    free(s);
}

/* Everything reachable from `from` without passing `stop` gets `bit`; new blocks join the region. Returns the
 * largest number met. */
static uint32_t spread(struct ptx_uniform_split *s, uint32_t from, uint32_t stop, uint8_t bit)
{
    uint32_t largest = 0;
    if (from == stop || s->side[from] & bit) return 0;
    vec_clear(&s->stack);
    *vec_push(&s->stack) = from;
    while (s->stack.count) {
        uint32_t b = s->stack.at[--s->stack.count];
        if (b == stop || s->side[b] & bit) continue;
        if (!s->side[b]) *vec_push(&s->region) = b;
        s->side[b] |= bit;
        s->spent++;
        if (b > largest) largest = b;
        for (uint32_t i = 0; i < s->cfg->blocks[b].succ_count; i++)
            *vec_push(&s->stack) = s->cfg->blocks[b].succ[i];
    }
    return largest;
}

static void forget(struct ptx_uniform_split *s)
{
    for (size_t i = 0; i < s->region.count; i++)
        s->side[s->region.at[i]] = 0;
    vec_clear(&s->region);
}

/* Where all lanes of a branch are sure to be together again; PTX_NO_BLOCK: nowhere. */
static uint32_t meeting(struct ptx_uniform_split *s, uint32_t branch)
{
    const struct ptx_block *block = &s->cfg->blocks[branch];
    uint32_t place = block->ipdom, largest = 0;
    for (; place != PTX_NO_BLOCK; place = s->cfg->blocks[place].ipdom) {
        for (uint32_t i = 0; i < block->succ_count; i++) {
            uint32_t met = spread(s, block->succ[i], place, 4);
            if (met > largest) largest = met;
        }
        if (largest < place || s->spent > BUDGET) break;
        uint32_t next = s->cfg->blocks[place].ipdom;
        uint32_t met = spread(s, place, next, 4);
        if (met > largest) largest = met;
    }
    forget(s);
    return place;
}

static bool writes_needed(const struct ptx_uniform_split *s, const uint64_t *needed, uint32_t reg)
{
    return reg < s->u->function->reg_count && ptx_live(needed, reg);
}

/* Registers that block b writes although waiting lanes need them. */
static void force(struct ptx_uniform_split *s, uint32_t b, const uint64_t *needed)
{
    const struct ptx_block *block = &s->cfg->blocks[b];
    for (uint32_t i = block->first; i < block->last; i++) {
        uint32_t regs[PTX_INSTR_REGS];
        unsigned count = ptx_instr_defs(&s->u->function->instrs[i], regs, PTX_INSTR_REGS);
        for (unsigned r = 0; r < count; r++)
            if (writes_needed(s, needed, regs[r])) s->u->forced[regs[r]] = true;
    }
}

static bool only_exits(const struct ptx_uniform_split *s, uint32_t b)
{
    const struct ptx_block *block = &s->cfg->blocks[b];
    if (b == s->cfg->exit_block) return true;
    return block->last == block->first + 1 && ptx_instr_is_exit(&s->u->function->instrs[block->first]);
}

static void add_waits(struct ptx_uniform_split *s, unsigned side, uint32_t b)
{
    for (uint32_t w = 0; w < s->live.words; w++)
        s->waits[side][w] |= s->live.live_in[b][w];
    s->spent += s->live.words / 16;
}

static int downwards(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : -(x > y);
}

/* From the largest number down: what lanes of each side need at blocks above, and who of the other side
 * disturbs it. */
static void sweep(struct ptx_uniform_split *s, uint32_t place)
{
    bool waiting[2];
    qsort(s->region.at, s->region.count, sizeof *s->region.at, downwards);
    for (unsigned side = 0; side < 2; side++) {
        memset(s->waits[side], 0, s->live.words * sizeof(uint64_t));
        waiting[side] = place != PTX_NO_BLOCK && !only_exits(s, place);
        if (place != PTX_NO_BLOCK) add_waits(s, side, place);
    }
    for (size_t i = 0; i < s->region.count; i++) {
        uint32_t b = s->region.at[i];
        for (unsigned side = 0; side < 2; side++) {
            if (!(s->side[b] >> side & 1)) continue;
            s->partial[b] |= waiting[!side];
            if (waiting[!side]) force(s, b, s->waits[!side]);
        }
        for (unsigned side = 0; side < 2; side++)
            if (s->side[b] >> side & 1) {
                add_waits(s, side, b);
                waiting[side] |= !only_exits(s, b);
            }
    }
}

static void give_up(struct ptx_uniform_split *s)
{
    s->gave_up = true;
    memset(s->partial, true, s->cfg->block_count);
    memset(s->u->forced, true, s->u->function->reg_count);
}

void ptx_uniform_split_at(struct ptx_uniform_split *s, uint32_t branch)
{
    const struct ptx_block *block = &s->cfg->blocks[branch];
    if (s->gave_up) return;
    uint32_t place = meeting(s, branch);
    if (s->spent > BUDGET) {
        give_up(s);
    } else {
        for (uint32_t i = 0; i < block->succ_count; i++)
            spread(s, block->succ[i], place,
                   block->succ_count == 2 && block->end == PTX_END_COND ? (uint8_t)(1u << i) : 3);
        sweep(s, place);
    }
    forget(s);
}
