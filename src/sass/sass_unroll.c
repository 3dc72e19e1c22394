/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of an unrolled loop's steps and tests, by how many iterations it has.
 *
 * Models: loops of one block that ptxas unrolls (sass_eliminate.c finds them), on average over their entries.
 * Sources: machine code of tests/hw (ptxas 13.0, 9.0). */
#include "sass/sass.h"

/* Turns of a loop that is one block, on average; 0: nothing was counted. */
static double iterations_of(const struct sass *m, uint32_t number)
{
    const struct event_block *block = &m->kernel->blocks[number];
    double iterations = (double)sass_block_count(m, number), entries = 0;
    for (uint32_t i = 0; i < EVENT_BLOCK_BEFORE; i++)
        if (block->before[i] != EVENT_NO_BLOCK && block->before[i] != number)
            entries += (double)sass_block_count(m, block->before[i]);
    if (iterations <= 0 || entries <= 0) return 0; /* or all are within it */
    return entries < iterations ? iterations / entries : 1;
}

/* As ptxas makes it: four iterations at once while there are so many, then two, then one; with tests of which
 * of these there are. */
static void unroll_counted(const struct sass *m, const struct event_block *block, double iterations)
{
    enum { TESTS = 9 }; /* inferred from machine code: ISETP, PLOP3, BRA before each part */
    double fours = iterations > 0 ? (double)(uint64_t)(iterations / SASS_UNROLL) : 1;
    double left = iterations > 0 ? iterations - fours * SASS_UNROLL : 0,
           all = iterations > 0 ? iterations : SASS_UNROLL;
    double times = fours + (left >= 2 ? left - 1 : left);
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        struct sass_lower *l = &m->lower[i];
        double share = l->control ? times / all : 1;
        l->alu = l->once_alu * share;
        l->fma = l->once_fma * share;
        l->other = l->once_other * share;
        l->unroll = iterations > 0 && iterations < 2             ? 1
                    : iterations > 0 && iterations < SASS_UNROLL ? 2
                                                                 : SASS_UNROLL;
    }
    if (iterations > 0) m->lower[block->first].other += TESTS / iterations;
}

void sass_unroll_loops(const struct sass *m)
{
    for (uint32_t b = 0; b < m->kernel->block_count; b++) {
        const struct event_block *block = &m->kernel->blocks[b];
        if (block->count && m->lower[block->first].unroll) unroll_counted(m, block, iterations_of(m, b));
    }
}
