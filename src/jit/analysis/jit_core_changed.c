/* SPDX-License-Identifier: Apache-2.0 */
/* What a warp must save at a barrier. Its frame keeps what it saved before, a place for each register, so
 * only registers that may have been written since the warp last went on (or since it began) differ from it.
 *
 * Forward, over the blocks: `changed` of a block is what may have been written where its end is reached.
 * Limits: region form. A register that is not live at a barrier is not saved there, but then it is written
 * before it is read again. */
#include "jit/analysis/jit_barrier.h"
#include "jit/analysis/jit_blocks.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"

#include <string.h>

static void add_register(const struct jit *jit, struct jit_block *block, uint32_t reg)
{
    if (jit->crossing[reg] != JIT_STAYS) jit_bit_set(block->changed, jit->crossing[reg]);
}

static void add_written(struct jit *jit, struct jit_block *block)
{
    uint32_t regs[PTX_INSTR_REGS];
    for (uint32_t i = block->first; i < block->last; i++) {
        const struct ptx_instr *instr = &jit->function->instrs[i];
        for (unsigned n = ptx_instr_defs(instr, regs, PTX_INSTR_REGS); n-- > 0;)
            add_register(jit, block, regs[n]);
        if (jit_writes_carry(instr)) add_register(jit, block, JIT_REG_CARRY(jit));
    }
}

static bool pass_on(struct jit *jit, const struct jit_block *block)
{
    bool more = false;
    if (block->end == JIT_END_BARRIER) return false; /* all that lives on is in the frame */
    for (uint32_t s = 0; s < block->succ_count; s++) {
        uint64_t *to = jit->blocks[block->succ[s]].changed;
        for (uint32_t w = 0; w < jit->cross_words; w++) {
            more |= (block->changed[w] & ~to[w]) != 0;
            to[w] |= block->changed[w];
        }
    }
    return more;
}

void jit_changed_build(struct jit *jit)
{
    for (uint32_t b = 0; b < jit->block_count; b++) {
        jit->blocks[b].changed = ARENA_ARRAY(&jit->arena, uint64_t, jit->cross_words);
        add_written(jit, &jit->blocks[b]);
    }
    memset(jit->blocks[0].changed, 0xff, jit->cross_words * sizeof(uint64_t));
    for (bool more = true; more;) {
        more = false;
        for (uint32_t b = 0; b < jit->block_count; b++)
            more |= pass_on(jit, &jit->blocks[b]);
    }
}
