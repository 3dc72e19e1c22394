/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of a whole warp in code that part of it may run: where its lanes wait for each other
 * (jit_emit_collective.c). */
#include "jit/analysis/jit_blocks.h"
#include "jit/core/jit_core.h"

bool jit_is_collective(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_SHFL:
    case ISA_OP_VOTE:
    case ISA_OP_MATCH:
    case ISA_OP_REDUX:
    case ISA_OP_ELECT: return instr->op == ISA_OP_ELECT || ptx_has(instr, ISA_MOD_SYNC);
    case ISA_OP_BAR: return ptx_has(instr, ISA_MOD_WARP);
    default: return false;
    }
}

/* Marks them; false: no more than before. */
bool jit_collectives_find(struct jit *jit)
{
    bool found = false;
    if (!jit->collectives)
        jit->collectives = ARENA_ARRAY(&jit->arena, uint64_t, jit->function->instr_count / 64 + 1);
    for (uint32_t b = 0; b + 1 < jit->block_count; b++) {
        const struct jit_block *block = &jit->blocks[b];
        if (!jit_any_bit(block->frontier, jit->block_words)) continue;
        for (uint32_t i = block->first; i < block->last; i++) {
            if (jit_bit(jit->collectives, i) || !jit_is_collective(&jit->function->instrs[i])) continue;
            jit_bit_set(jit->collectives, i);
            found = true;
        }
    }
    return found;
}
