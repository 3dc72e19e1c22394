/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of control: those of ptx_cfg cut after every barrier, with liveness at the cuts; and the thread
 * frontiers: for each block, where other lanes of the warp may wait while it runs.
 *
 * Method: blocks run in the priority of their numbers (reverse post-order): after each block the warp goes to
 * the first block that has lanes waiting. pend[b] is the least solution of "when b ends and the warp goes on
 * at n, lanes may wait at every other successor and every block of pend[b] that comes after n". See Diamos et
 * al., "SIMD re-convergence at thread frontiers", MICRO 2011; measured in the project's design notes: compile
 * time stays linear where a post-dominator stack took 21 s at 2,000 instructions.
 * Limits: bit matrices of blocks x blocks; 20,000 blocks take 50 MB. */
#include "jit_core_priv.h"

#include <string.h>

static bool is_meet(const struct jit *jit, uint32_t instr)
{
    return jit->meets && jit_bit(jit->meets, instr);
}

static uint32_t count_blocks(const struct jit *jit)
{
    uint32_t count = jit->cfg.block_count;
    for (uint32_t b = 0; b < jit->cfg.block_count; b++)
        for (uint32_t i = jit->cfg.blocks[b].first; i < jit->cfg.blocks[b].last; i++)
            count += ptx_instr_is_barrier(&jit->function->instrs[i]) + 2u * is_meet(jit, i);
    return count;
}

static enum jit_end end_of(const struct ptx_block *block)
{
    switch (block->end) {
    case PTX_END_FALL:
    case PTX_END_BRANCH: return JIT_END_JUMP;
    case PTX_END_COND: return JIT_END_COND;
    case PTX_END_TABLE: return JIT_END_TABLE;
    case PTX_END_EXIT: return JIT_END_EXIT;
    }
    BUG("unknown block end %d", (int)block->end);
}

/* A piece of ptx_cfg's block b that goes on with the next piece. */
static uint32_t add_piece(struct jit *jit, uint32_t b, uint32_t first, uint32_t last, enum jit_end end,
                          uint32_t number)
{
    struct jit_block *cut = &jit->blocks[number];
    *cut = (struct jit_block){
        .first = first, .last = last, .end = end, .source = b, .succ_count = 1, .cut = true};
    cut->succ = ARENA_ARRAY(&jit->arena, uint32_t, 1);
    cut->succ[0] = number + 1;
    cut->in_cycle = jit->cfg.blocks[b].in_cycle;
    return number + 1;
}

/* Cut block b after its barriers, before and after its meetings, into blocks from `next` on. */
static uint32_t cut_block(struct jit *jit, uint32_t b, uint32_t next)
{
    const struct ptx_block *source = &jit->cfg.blocks[b];
    uint32_t first = source->first;
    for (uint32_t i = source->first; i < source->last; i++) {
        if (is_meet(jit, i)) {
            next = add_piece(jit, b, first, i, JIT_END_JUMP, next);
            next = add_piece(jit, b, i, i + 1, JIT_END_MEET, next);
        } else if (ptx_instr_is_barrier(&jit->function->instrs[i])) {
            next = add_piece(jit, b, first, i + 1, JIT_END_BARRIER, next);
        } else {
            continue;
        }
        first = i + 1;
    }
    struct jit_block *rest = &jit->blocks[next];
    *rest = (struct jit_block){.first = first, .last = source->last, .end = end_of(source), .source = b};
    rest->in_cycle = source->in_cycle;
    return next + 1;
}

static void copy_bits(uint64_t *to, const uint64_t *from, uint32_t words)
{
    memcpy(to, from, words * sizeof *to);
}

/* Liveness before instruction `instr`, from that after it. */
static void step_live(const struct jit *jit, uint64_t *live, const struct ptx_instr *instr)
{
    uint32_t regs[PTX_INSTR_REGS];
    unsigned count = ptx_instr_defs(instr, regs, SW_COUNT_OF(regs));
    if (instr->guard == PTX_NO_REG)
        for (unsigned i = 0; i < count; i++)
            live[regs[i] / 64] &= ~(1ull << (regs[i] % 64));
    if (jit_writes_carry(instr) && instr->guard == PTX_NO_REG)
        live[JIT_REG_CARRY(jit) / 64] &= ~(1ull << (JIT_REG_CARRY(jit) % 64));
    if (jit_reads_carry(instr)) jit_bit_set(live, JIT_REG_CARRY(jit));
    count = ptx_instr_uses(instr, regs, SW_COUNT_OF(regs));
    for (unsigned i = 0; i < count; i++)
        jit_bit_set(live, regs[i]);
}

/* live_in of every block, from its successors; the carry flag is a register like any other. */
static bool update_live(struct jit *jit, struct jit_block *block, uint64_t *live)
{
    memset(live, 0, jit->reg_words * sizeof *live);
    for (uint32_t s = 0; s < block->succ_count; s++)
        for (uint32_t w = 0; w < jit->reg_words; w++)
            live[w] |= jit->blocks[block->succ[s]].live_in[w];
    for (uint32_t i = block->last; i-- > block->first;)
        step_live(jit, live, &jit->function->instrs[i]);
    if (memcmp(live, block->live_in, jit->reg_words * sizeof *live) == 0) return false;
    copy_bits(block->live_in, live, jit->reg_words);
    return true;
}

static void build_live(struct jit *jit)
{
    uint64_t *live = ARENA_ARRAY(&jit->arena, uint64_t, jit->reg_words);
    for (uint32_t b = 0; b < jit->block_count; b++)
        jit->blocks[b].live_in = ARENA_ARRAY(&jit->arena, uint64_t, jit->reg_words);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = jit->block_count; b-- > 0;)
            changed |= update_live(jit, &jit->blocks[b], live);
    }
}

enum sw_status jit_blocks_build(struct jit *jit)
{
    jit->block_count = 0;
    SW_TRY(ptx_cfg_build(jit->function, &jit->arena, &jit->cfg, jit->error));
    jit->blocks = ARENA_ARRAY(&jit->arena, struct jit_block, count_blocks(jit));
    uint32_t *first_of = ARENA_ARRAY(&jit->arena, uint32_t, jit->cfg.block_count);
    for (uint32_t b = 0; b < jit->cfg.block_count; b++) {
        first_of[b] = jit->block_count;
        jit->block_count = cut_block(jit, b, jit->block_count);
        const struct ptx_block *source = &jit->cfg.blocks[b];
        struct jit_block *rest = &jit->blocks[jit->block_count - 1];
        rest->succ_count = source->succ_count;
        rest->succ = source->succ; /* numbers are translated below */
    }
    for (uint32_t b = 0; b < jit->block_count; b++) {
        struct jit_block *block = &jit->blocks[b];
        if (block->cut) continue;
        uint32_t *succ = ARENA_ARRAY(&jit->arena, uint32_t, block->succ_count + 1);
        for (uint32_t s = 0; s < block->succ_count; s++)
            succ[s] = first_of[block->succ[s]];
        block->succ = succ;
    }
    jit->reg_count = jit->function->reg_count + 1;
    jit->reg_words = (jit->reg_count + 63) / 64;
    jit->block_words = (jit->block_count + 63) / 64;
    build_live(jit);
    jit->resumes = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    jit->meet_blocks = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (uint32_t b = 0; b < jit->block_count; b++) {
        jit->blocks[b].pend = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
        jit->blocks[b].parked_before = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
        if (jit->blocks[b].end == JIT_END_MEET) jit_bit_set(jit->meet_blocks, b);
    }
    return SW_OK;
}

/* ---- thread frontiers */

static bool add_pend(struct jit *jit, uint32_t block, uint32_t word, uint64_t bits)
{
    uint64_t *pend = jit->blocks[block].pend;
    if (!(bits & ~pend[word])) return false;
    pend[word] |= bits;
    return true;
}

/* Does every way from block `from` lead through block `to`? */
static bool must_come(const struct jit *jit, uint32_t from, uint32_t to)
{
    uint32_t at = jit->blocks[from].source, end = jit->blocks[to].source;
    while (at != PTX_NO_BLOCK && at != end)
        at = jit->cfg.blocks[at].ipdom;
    return at == end;
}

/* Lanes may come to the fence n while others are at the meetings of `waiting`: those before it are given up
 * first, and meanwhile the lanes of n wait; n is none when one is behind it, or its lanes need not come. */
static bool meet_fence(struct jit *jit, const uint64_t *waiting, uint32_t n)
{
    bool changed = false;
    struct jit_block *block = &jit->blocks[n];
    for (uint32_t m = 0; m + 1 < jit->block_count; m++) {
        if (!jit_bit(waiting, m) || !jit_bit(jit->meet_blocks, m) || m == n) continue;
        if (m > n || !must_come(jit, m, n)) {
            block->fence = false;
            return true;
        }
        if (!jit_bit(block->parked_before, m)) changed = true;
        jit_bit_set(block->parked_before, m);
        changed |= add_pend(jit, m, n / 64, 1ull << (n % 64));
    }
    return changed;
}

/* pend |= waiting & mask, in words from `from` to before `to`; mask NULL: all. Not zero when that adds some.
 */
static uint64_t merge(uint64_t *restrict pend, const uint64_t *restrict waiting,
                      const uint64_t *restrict mask, uint32_t from, uint32_t to)
{
    uint64_t fresh = 0;
    for (uint32_t w = from; w < to; w++) {
        uint64_t some = mask ? waiting[w] & mask[w] : waiting[w];
        fresh |= some & ~pend[w];
        pend[w] |= some;
    }
    return fresh;
}

/* Lanes wait at the blocks of `waiting`; the warp goes on at the first one n: all later ones are pending
 * there, and meetings wherever they are. Which n it is depends on the run: from `first` up to `last`, which
 * surely has lanes. */
static bool spread_from(struct jit *jit, const uint64_t *waiting, uint32_t first, uint32_t last)
{
    bool changed = false;
    for (uint32_t n = first; n <= last && n < jit->block_count - 1; n++) {
        if (!jit_bit(waiting, n)) continue;
        if (jit->has_meets && jit->blocks[n].fence) changed |= meet_fence(jit, waiting, n);
        bool meets = jit->has_meets && !jit->blocks[n].fence;
        uint32_t word = n / 64;
        uint64_t *pend = jit->blocks[n].pend, own = n % 64 == 63 ? 0 : ~0ull << (n % 64 + 1);
        if (meets) own |= jit->meet_blocks[word] & ~(1ull << (n % 64));
        uint64_t fresh = merge(pend, waiting, jit->meet_blocks, 0, meets ? word : 0);
        fresh |= waiting[word] & own & ~pend[word];
        pend[word] |= waiting[word] & own;
        fresh |= merge(pend, waiting, NULL, word + 1, jit->block_words);
        changed |= fresh != 0;
    }
    return changed;
}

static bool spread(struct jit *jit, const uint64_t *waiting, uint32_t last)
{
    return spread_from(jit, waiting, 0, last);
}

/* Lanes go on behind the meeting, or wait in it while later blocks run. */
static bool spread_meet(struct jit *jit, struct jit_block *block, uint64_t *waiting)
{
    uint32_t number = (uint32_t)(block - jit->blocks), next = block->succ[0];
    bool changed = false;
    copy_bits(waiting, block->pend, jit->block_words);
    jit_bit_set(waiting, next);
    changed |= spread(jit, waiting, next);
    for (uint32_t n = 0; n <= next; n++)
        if (jit_bit(waiting, n) && n != number)
            changed |= add_pend(jit, n, number / 64, 1ull << (number % 64));
    copy_bits(waiting, block->pend, jit->block_words);
    jit_bit_set(waiting, number);
    return spread_from(jit, waiting, number + 1, jit->block_count - 1) || changed;
}

static uint32_t max_succ(const struct jit_block *block)
{
    uint32_t max = 0;
    for (uint32_t s = 0; s < block->succ_count; s++)
        max = block->succ[s] > max ? block->succ[s] : max;
    return max;
}

/* Lanes that meet a barrier wait; those whose guard is false go on. */
static bool spread_barrier(struct jit *jit, struct jit_block *block, uint64_t *waiting)
{
    copy_bits(waiting, block->pend, jit->block_words);
    const struct ptx_instr *instr = &jit->function->instrs[block->last - 1];
    if (instr->guard != PTX_NO_REG && block->succ[0] != jit->block_count - 1)
        jit_bit_set(waiting, block->succ[0]);
    return spread(jit, waiting, jit->block_count - 1);
}

static bool spread_block(struct jit *jit, struct jit_block *block, uint64_t *waiting)
{
    bool changed = false;
    uint32_t exit_block = jit->block_count - 1;
    if (block->end == JIT_END_BARRIER && jit->suspends) return spread_barrier(jit, block, waiting);
    if (block->end == JIT_END_MEET && jit->has_meets) return spread_meet(jit, block, waiting);
    if (block->divergent) {
        copy_bits(waiting, block->pend, jit->block_words);
        for (uint32_t s = 0; s < block->succ_count; s++)
            if (block->succ[s] != exit_block) jit_bit_set(waiting, block->succ[s]);
        return spread(jit, waiting, max_succ(block));
    }
    for (uint32_t s = 0; s < block->succ_count; s++) {
        copy_bits(waiting, block->pend, jit->block_words);
        if (block->succ[s] != exit_block) jit_bit_set(waiting, block->succ[s]);
        changed |= spread(jit, waiting, block->succ[s]);
    }
    return changed;
}

/* Where lanes may wait while the warp is suspended and others of it are not: after every barrier, if any is
 * met by part of a warp, and around loops that wait. */
static bool spread_resumes(struct jit *jit)
{
    bool parts = false, changed = false;
    for (uint32_t b = 0; b + 1 < jit->block_count; b++) {
        const struct jit_block *block = &jit->blocks[b];
        bool alone =
            block->end == JIT_END_BARRIER && (jit_any_bit(block->pend, jit->block_words) ||
                                              jit->function->instrs[block->last - 1].guard != PTX_NO_REG);
        parts = parts || alone || block->spins;
    }
    if (!parts) return false;
    for (uint32_t b = 0; b + 1 < jit->block_count; b++) {
        const struct jit_block *block = &jit->blocks[b];
        if (block->end == JIT_END_BARRIER) jit_bit_set(jit->resumes, block->succ[0]);
        for (uint32_t s = 0; s < block->succ_count && block->spins; s++)
            jit_bit_set(jit->resumes, block->succ[s]);
        for (uint32_t w = 0; w < jit->block_words && block->spins; w++)
            jit->resumes[w] |= block->pend[w];
    }
    for (uint32_t w = 0; w < jit->block_words && jit->has_meets; w++)
        jit->resumes[w] |= jit->meet_blocks[w];
    jit->resumes[(jit->block_count - 1) / 64] &= ~(1ull << ((jit->block_count - 1) % 64));
    for (uint32_t b = 0; b + 1 < jit->block_count; b++) {
        if (!jit_bit(jit->resumes, b)) continue;
        changed |= jit->blocks[b].fence;
        jit->blocks[b].fence = false;
        for (uint32_t n = 0; n + 1 < jit->block_count; n++) {
            if (n == b || !jit_bit(jit->resumes, n) || jit_bit(jit->blocks[b].pend, n)) continue;
            jit_bit_set(jit->blocks[b].pend, n);
            changed = true;
        }
    }
    return changed;
}

/* With the frontiers known that meetings do not change: where all lanes come together. */
void jit_fences_build(struct jit *jit)
{
    for (uint32_t b = 0; b + 1 < jit->block_count; b++)
        jit->blocks[b].fence = !jit_any_bit(jit->blocks[b].pend, jit->block_words);
}

void jit_frontiers_build(struct jit *jit)
{
    uint64_t *waiting = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b + 1 < jit->block_count; b++)
            changed |= spread_block(jit, &jit->blocks[b], waiting);
        if (jit->suspends) changed |= spread_resumes(jit);
    }
}

/* How many tests of masks the ends of all blocks would be: what a warp that splits everywhere costs. */
void jit_frontiers_count(struct jit *jit)
{
    jit->frontier_tests = 0;
    for (uint32_t b = 0; b + 1 < jit->block_count; b++)
        for (uint32_t w = 0; w < jit->block_words; w++)
            jit->frontier_tests += (uint32_t)__builtin_popcountll(jit->blocks[b].pend[w]);
}

static void mark_lossy(struct jit *jit, uint32_t from)
{
    VEC(uint32_t) work = {0};
    *vec_push(&work) = from;
    while (work.count) {
        struct jit_block *block = &jit->blocks[work.at[--work.count]];
        if (block->lossy) continue;
        block->lossy = true;
        for (uint32_t s = 0; s < block->succ_count; s++)
            *vec_push(&work) = block->succ[s];
    }
    vec_release(&work);
}

/* A block is lossy when it may run with fewer than 32 lanes although none of the warp's lanes is elsewhere:
 * some left by the exit before. (Blocks with pending lanes are partial anyway.) */
void jit_lossy_build(struct jit *jit)
{
    uint32_t exit_block = jit->block_count - 1;
    if (!jit->full_warps || jit_any_bit(jit->resumes, jit->block_words)) mark_lossy(jit, 0);
    for (uint32_t b = 0; b + 1 < jit->block_count; b++) {
        struct jit_block *block = &jit->blocks[b];
        bool exits = false;
        for (uint32_t s = 0; s < block->succ_count; s++)
            exits |= block->succ[s] == exit_block;
        if (!exits) continue;
        if (block->divergent)
            for (uint32_t s = 0; s < block->succ_count; s++)
                mark_lossy(jit, block->succ[s]);
        if (jit_any_bit(block->pend, jit->block_words))
            for (uint32_t n = 0; n < exit_block; n++)
                if (jit_bit(block->pend, n)) mark_lossy(jit, n);
    }
}
