/* SPDX-License-Identifier: Apache-2.0 */
/* Basic blocks that ptxas makes one of.
 *
 * Models: where control skips a few instructions, a compiler guards each of them instead of jumping over
 * them: what stands before, between and behind becomes one block, in which loads go as early as their
 * addresses are there, and nothing is spent on a branch.
 *
 * Does not model: both sides of an if; blocks of more than MOST instructions, some of which are guarded, too;
 * that blocks which only compute are guarded as well (with their branches gone sinf_1 and logf_2 come out 18
 * and 12 % too fast, and not 4 and 2 % off). Where only what is skipped makes requests, blocks stay apart:
 * warps that skip it would not tell of the rest.
 *
 * Sources: machine code of tests/hw (ptxas 13.0, 9.0): such places of up to 7 instructions have no branch in
 * stencil_shared, reduce_block, softmax_rows, scan_block and bfs_step; the six loads of walk_renew, in a
 * loop, are jumped over. Not every kernel was looked at, and 7 is the largest that was seen. */
#include "sass_priv.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 7 }; /* inferred: as above */

static bool is_guardable(const struct event_instr *i)
{
    switch ((unsigned)i->isa.op) {
    case ISA_OP_DIV:
    case ISA_OP_REM:
    case ISA_OP_SQRT:
    case ISA_OP_RSQRT:
    case ISA_OP_RCP: return false; /* long */
    default: break;
    }
    return i->cls == ISA_CLASS_ALU || i->cls == ISA_CLASS_LOAD || i->cls == ISA_CLASS_STORE;
}

static bool asks(const struct event_kernel *kernel, uint32_t first, uint32_t count)
{
    bool any = false;
    for (uint32_t i = first; i < first + count; i++) {
        const struct event_instr *in = &kernel->instrs[i];
        bool memory =
            (in->is_read || in->is_write) && in->space != ISA_SPACE_SHARED && in->space != ISA_SPACE_PARAM;
        any |= memory || in->cls == ISA_CLASS_BARRIER || in->cls == ISA_CLASS_ATOMIC ||
               in->cls == ISA_CLASS_TEXTURE;
    }
    return any;
}

/* Block a ends with a jump over block a + 1, behind which nothing else joins. */
static bool is_skipped(const struct event_kernel *kernel, uint32_t first, uint32_t a)
{
    if (a + 2 >= kernel->block_count) return false;
    const struct event_block *before = &kernel->blocks[a], *within = &before[1], *behind = &before[2];
    if (!before->count || !within->count || within->count > MOST || !behind->count) return false;
    if (before->first + before->count != within->first || within->first + within->count != behind->first)
        return false;
    const struct event_instr *jump = &kernel->instrs[within->first - 1];
    if (jump->cls != ISA_CLASS_BRANCH || !jump->guarded) return false;
    if (within->before[0] != a || within->before[1] != EVENT_NO_BLOCK) return false;
    if (behind->more_before || behind->before[0] != a + 1 || behind->before[1] != a) return false;
    bool moves = false;
    for (uint32_t i = within->first; i < behind->first; i++) {
        if (!is_guardable(&kernel->instrs[i])) return false;
        moves |= kernel->instrs[i].cls != ISA_CLASS_ALU;
    }
    if (!moves) return false;
    return !asks(kernel, within->first, within->count) ||
           asks(kernel, kernel->blocks[first].first, within->first - kernel->blocks[first].first) ||
           asks(kernel, behind->first, behind->count);
}

/* Those of the kernel from `first` on that are one; returns how many. */
static uint32_t merge_take(const struct event_kernel *kernel, uint32_t first, struct event_block *out)
{
    uint32_t last = first;
    while (is_skipped(kernel, first, last))
        last += 2;
    const struct event_block *end = &kernel->blocks[last];
    *out = kernel->blocks[first];
    if (last > first) {
        out->count = end->first + end->count - out->first;
        out->nounroll = true; /* whether ptxas would is not known */
    }
    return last - first + 1;
}

void sass_merge_blocks(const struct event_kernel *kernel, struct event_kernel *out)
{
    *out = *kernel;
    uint32_t count = kernel->block_count, merged = 0;
    uint32_t *number = sw_xcalloc(count + 1ull, sizeof *number);
    struct event_block *blocks = sw_xcalloc(count + 1ull, sizeof *blocks);
    struct event_instr *instrs = sw_xcalloc(kernel->instr_count + 1ull, sizeof *instrs);
    for (uint32_t b = 0; b < count; merged++)
        for (uint32_t end = b + merge_take(kernel, b, &blocks[merged]); b < end; b++)
            number[b] = merged;
    for (uint32_t b = 0; b < merged; b++)
        for (uint32_t i = 0; i < EVENT_BLOCK_BEFORE; i++)
            if (blocks[b].before[i] != EVENT_NO_BLOCK) blocks[b].before[i] = number[blocks[b].before[i]];
    memcpy(instrs, kernel->instrs, kernel->instr_count * sizeof *instrs);
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        if (instrs[i].block != EVENT_NO_BLOCK) instrs[i].block = number[instrs[i].block];
    free(number);
    out->blocks = blocks;
    out->block_count = merged;
    out->instrs = instrs;
}

void sass_merge_release(struct event_kernel *kernel)
{
    free((void *)(uintptr_t)kernel->blocks);
    free((void *)(uintptr_t)kernel->instrs);
}

void sass_merge_branches(const struct event_kernel *kernel, struct sass_lower *lower)
{
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct event_block *block = &kernel->blocks[b];
        for (uint32_t i = block->first; i + 1 < block->first + block->count; i++)
            if (lower[i].kind == SASS_BRANCH) sass_vanish(&lower[i]);
    }
}
