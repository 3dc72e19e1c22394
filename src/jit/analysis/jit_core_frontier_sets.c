/* SPDX-License-Identifier: Apache-2.0 */
/* Thread frontiers: for each block, where other lanes of the warp may wait while it runs.
 *
 * Method: blocks run in the priority of their numbers (reverse post-order): after each block the warp goes to
 * the first block that has lanes waiting. frontier[b] is the least solution of "when b ends and the warp goes
 * on at n, lanes may wait at every other successor and every block of frontier[b] that comes after n". See
 * Diamos et al., "SIMD re-convergence at thread frontiers", MICRO 2011; measured in the project's design
 * notes: compile time stays linear where a post-dominator stack took 21 s at 2,000 instructions. Limits: as
 * jit_core_blocks.c's. */
#include "jit/analysis/jit_barrier.h"
#include "jit/analysis/jit_blocks.h"
#include "jit/core/jit_core.h"

#include <string.h>

static void copy_bits(uint64_t *to, const uint64_t *from, uint32_t words)
{
    memcpy(to, from, words * sizeof *to);
}

static bool add_to_frontier(struct jit *jit, uint32_t block, uint32_t word, uint64_t bits)
{
    uint64_t *frontier = jit->blocks[block].frontier;
    if (!(bits & ~frontier[word])) return false;
    frontier[word] |= bits;
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

/* Lanes may come to the fence n while others are at the collectives of `waiting`: those before it are given
 * up first, and meanwhile the lanes of n wait; n is none when one is after it, or its lanes need not come.
 */
static bool collective_fence(struct jit *jit, const uint64_t *waiting, uint32_t n)
{
    bool changed = false;
    struct jit_block *block = &jit->blocks[n];
    for (uint32_t m = 0; m + 1 < jit->block_count; m++) {
        if (!jit_bit(waiting, m) || !jit_bit(jit->collective_blocks, m) || m == n) continue;
        if (m > n || !must_come(jit, m, n)) {
            block->fence = false;
            return true;
        }
        if (!jit_bit(block->parked_before, m)) changed = true;
        jit_bit_set(block->parked_before, m);
        changed |= add_to_frontier(jit, m, n / 64, 1ull << (n % 64));
    }
    return changed;
}

/* frontier |= waiting & mask, in words from `from` to before `to`; mask NULL: all. Not zero when that adds
 * some.
 */
static uint64_t frontier_merge(uint64_t *restrict frontier, const uint64_t *restrict waiting,
                               const uint64_t *restrict mask, uint32_t from, uint32_t to)
{
    uint64_t fresh = 0;
    for (uint32_t w = from; w < to; w++) {
        uint64_t some = mask ? waiting[w] & mask[w] : waiting[w];
        fresh |= some & ~frontier[w];
        frontier[w] |= some;
    }
    return fresh;
}

/* Do lanes that wait at block n go on with all others of their warp only? That is what stands after a
 * barrier unless lanes of a warp come apart there (jit.apart). */
static bool waits_for_all(const struct jit *jit, uint32_t n)
{
    return jit->suspends && !jit->apart && jit_bit(jit->after_barrier, n);
}

/* Lanes wait at the blocks of `waiting`; the warp goes on at the first one n: all later ones are pending
 * there, and collectives wherever they are. Which n it is depends on the run: from `first` up to `last`,
 * which surely has lanes. */
static bool spread_from(struct jit *jit, const uint64_t *waiting, uint32_t first, uint32_t last)
{
    bool changed = false;
    for (uint32_t n = first; n <= last && n < jit->block_count - 1; n++) {
        if (!jit_bit(waiting, n) || waits_for_all(jit, n)) continue;
        if (jit->has_collectives && jit->blocks[n].fence) changed |= collective_fence(jit, waiting, n);
        bool collectives = jit->has_collectives && !jit->blocks[n].fence;
        uint32_t word = n / 64;
        uint64_t *frontier = jit->blocks[n].frontier, own = n % 64 == 63 ? 0 : ~0ull << (n % 64 + 1);
        if (collectives) own |= jit->collective_blocks[word] & ~(1ull << (n % 64));
        uint64_t fresh = frontier_merge(frontier, waiting, jit->collective_blocks, 0, collectives ? word : 0);
        fresh |= waiting[word] & own & ~frontier[word];
        frontier[word] |= waiting[word] & own;
        fresh |= frontier_merge(frontier, waiting, NULL, word + 1, jit->block_words);
        changed |= fresh != 0;
    }
    return changed;
}

static bool spread(struct jit *jit, const uint64_t *waiting, uint32_t last)
{
    return spread_from(jit, waiting, 0, last);
}

/* Lanes go on after the collective, or wait in it while later blocks run. */
static bool spread_collective(struct jit *jit, struct jit_block *block, uint64_t *waiting)
{
    uint32_t number = (uint32_t)(block - jit->blocks), next = block->succ[0];
    bool changed = false;
    copy_bits(waiting, block->frontier, jit->block_words);
    jit_bit_set(waiting, next);
    changed |= spread(jit, waiting, next);
    for (uint32_t n = 0; n <= next; n++)
        if (jit_bit(waiting, n) && n != number)
            changed |= add_to_frontier(jit, n, number / 64, 1ull << (number % 64));
    copy_bits(waiting, block->frontier, jit->block_words);
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

/* Is it a barrier that needs all threads of the block, and do all lanes that wait elsewhere, at no other
 * barrier, come to it? Then those that are there first wait for them, and the warp goes on as one. */
static bool gathers(const struct jit *jit, const struct jit_block *block)
{
    uint32_t number = (uint32_t)(block - jit->blocks), next = block->succ[0];
    if (!jit_barrier_needs_all(jit, &jit->function->instrs[block->last - 1])) return false;
    for (uint32_t m = 0; m + 1 < jit->block_count; m++) {
        if (!jit_bit(block->frontier, m) || m == next) continue;
        bool passed = jit->blocks[m].source == block->source && m > number;
        if (jit_bit(jit->after_barrier, m) || passed || !must_come(jit, m, number)) return false;
    }
    return true;
}

/* Lanes wait after the barrier, as it were, until the others are there too. */
static bool spread_gathering(struct jit *jit, struct jit_block *block, uint64_t *waiting)
{
    uint32_t next = block->succ[0];
    jit_bit_set(waiting, next);
    bool changed = spread(jit, waiting, jit->block_count - 1);
    for (uint32_t n = 0; n + 1 < jit->block_count; n++)
        if (jit_bit(block->frontier, n) && !jit_bit(jit->after_barrier, n))
            changed |= add_to_frontier(jit, n, next / 64, 1ull << (next % 64));
    return changed;
}

/* Lanes that reach a barrier wait; those whose guard is false go on. */
static bool spread_barrier(struct jit *jit, struct jit_block *block, uint64_t *waiting)
{
    copy_bits(waiting, block->frontier, jit->block_words);
    const struct ptx_instr *instr = &jit->function->instrs[block->last - 1];
    if (!jit->apart && jit_any_bit(block->frontier, jit->block_words) && gathers(jit, block))
        return spread_gathering(jit, block, waiting);
    if (instr->guard != PTX_NO_REG && block->succ[0] != jit->block_count - 1)
        jit_bit_set(waiting, block->succ[0]);
    return spread(jit, waiting, jit->block_count - 1);
}

static bool spread_block(struct jit *jit, struct jit_block *block, uint64_t *waiting)
{
    bool changed = false;
    uint32_t exit_block = jit->block_count - 1;
    if (block->end == JIT_END_BARRIER && jit->suspends) return spread_barrier(jit, block, waiting);
    if (block->end == JIT_END_COLLECTIVE && jit->has_collectives)
        return spread_collective(jit, block, waiting);
    if (block->divergent) {
        copy_bits(waiting, block->frontier, jit->block_words);
        for (uint32_t s = 0; s < block->succ_count; s++)
            if (block->succ[s] != exit_block) jit_bit_set(waiting, block->succ[s]);
        return spread(jit, waiting, max_succ(block));
    }
    for (uint32_t s = 0; s < block->succ_count; s++) {
        copy_bits(waiting, block->frontier, jit->block_words);
        if (block->succ[s] != exit_block) jit_bit_set(waiting, block->succ[s]);
        changed |= spread(jit, waiting, block->succ[s]);
    }
    return changed;
}

/* ---- where a stopped warp goes on */

/* A warp may stop with lanes at any of these blocks and go on at any of them: each is pending in the others,
 * and none is a fence. */
static bool join_frontiers(struct jit *jit, uint64_t *set)
{
    bool changed = false;
    uint32_t count = 0, exit_block = jit->block_count - 1;
    set[exit_block / 64] &= ~(1ull << (exit_block % 64));
    for (uint32_t w = 0; w < jit->block_words; w++)
        count += (uint32_t)__builtin_popcountll(set[w]);
    for (uint32_t b = 0; b < exit_block && count > 1; b++) {
        if (!jit_bit(set, b) || waits_for_all(jit, b)) continue;
        changed |= jit->blocks[b].fence;
        jit->blocks[b].fence = false;
        for (uint32_t w = 0; w < jit->block_words; w++)
            changed |= add_to_frontier(jit, b, w, w == b / 64 ? set[w] & ~(1ull << (b % 64)) : set[w]);
    }
    for (uint32_t w = 0; w < jit->block_words; w++)
        jit->resumes[w] |= set[w];
    return changed;
}

/* Lanes that wait at a barrier while others of their warp run, stop or wait are in no frontier: they may come
 * back anywhere. Then all points where lanes wait when a warp stops belong together. */
static bool spread_apart(struct jit *jit, uint64_t *set)
{
    memset(set, 0, jit->block_words * sizeof *set);
    for (uint32_t b = 0; b + 1 < jit->block_count; b++) {
        const struct jit_block *block = &jit->blocks[b];
        if (block->end == JIT_END_BARRIER) jit_bit_set(set, block->succ[0]);
        for (uint32_t s = 0; s < block->succ_count && block->yields; s++)
            jit_bit_set(set, block->succ[s]);
        for (uint32_t w = 0; w < jit->block_words && block->yields; w++)
            set[w] |= block->frontier[w];
    }
    for (uint32_t w = 0; w < jit->block_words && jit->has_collectives; w++)
        set[w] |= jit->collective_blocks[w];
    return join_frontiers(jit, set);
}

/* The loop's back edge, or its end where that splits the warp: the lanes that go round, and who waits. */
static bool spread_spin(struct jit *jit, const struct jit_block *block, uint64_t *set)
{
    bool changed = false;
    for (uint32_t s = 0; s < block->succ_count; s++) {
        if (jit->blocks + block->succ[s] > block) continue;
        copy_bits(set, block->frontier, jit->block_words);
        for (uint32_t k = 0; k < block->succ_count; k++)
            if (k == s || block->divergent) jit_bit_set(set, block->succ[k]);
        changed |= join_frontiers(jit, set);
    }
    return changed;
}

static bool has_part_collectives(const struct jit *jit, const struct jit_block *block)
{
    if (block->end != JIT_END_BARRIER) return false;
    if (jit->function->instrs[block->last - 1].guard != PTX_NO_REG) return true;
    return jit_any_bit(block->frontier, jit->block_words) && !gathers(jit, block);
}

/* Where lanes may wait while the warp is suspended: after a barrier that part of it reached, after every one;
 * in loops that wait. Where whole warps reach all barriers, or their lanes gather there, whole warps reach
 * what stands after them. */
static bool spread_resumes(struct jit *jit, uint64_t *set)
{
    bool changed = false, was_apart = jit->apart;
    for (uint32_t b = 0; b + 1 < jit->block_count; b++)
        jit->apart = jit->apart || has_part_collectives(jit, &jit->blocks[b]);
    if (jit->apart) return spread_apart(jit, set) || !was_apart;
    for (uint32_t b = 0; b + 1 < jit->block_count; b++)
        if (jit->blocks[b].yields) changed |= spread_spin(jit, &jit->blocks[b], set);
    for (uint32_t w = 0; w < jit->block_words && jit->has_collectives; w++)
        jit->resumes[w] |= jit->collective_blocks[w];
    return changed;
}

/* With the frontiers known that collectives do not change: where all lanes come together. */
void jit_fences_build(struct jit *jit)
{
    for (uint32_t b = 0; b + 1 < jit->block_count; b++)
        jit->blocks[b].fence = !jit_any_bit(jit->blocks[b].frontier, jit->block_words);
}

void jit_frontiers_build(struct jit *jit)
{
    uint64_t *waiting = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b + 1 < jit->block_count; b++)
            changed |= spread_block(jit, &jit->blocks[b], waiting);
        if (jit->suspends) changed |= spread_resumes(jit, waiting);
    }
}

/* How many tests of masks the ends of all blocks would be: what a warp that splits everywhere costs. */
void jit_frontiers_count(struct jit *jit)
{
    jit->frontier_tests = 0;
    for (uint32_t b = 0; b + 1 < jit->block_count; b++)
        for (uint32_t w = 0; w < jit->block_words; w++)
            jit->frontier_tests += (uint32_t)__builtin_popcountll(jit->blocks[b].frontier[w]);
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
    if (!jit->full_warps || jit->apart) mark_lossy(jit, 0);
    for (uint32_t b = 0; b + 1 < jit->block_count; b++) {
        struct jit_block *block = &jit->blocks[b];
        bool exits = false;
        for (uint32_t s = 0; s < block->succ_count; s++)
            exits |= block->succ[s] == exit_block;
        if (!exits) continue;
        if (block->divergent)
            for (uint32_t s = 0; s < block->succ_count; s++)
                mark_lossy(jit, block->succ[s]);
        if (jit_any_bit(block->frontier, jit->block_words))
            for (uint32_t n = 0; n < exit_block; n++)
                if (jit_bit(block->frontier, n)) mark_lossy(jit, n);
    }
}
