/* SPDX-License-Identifier: Apache-2.0 */
/* Loops at whose back edge a warp may stop: those that wait, and with ACCESS probes those that make requests
 * (jit_probe_record.c). */
#include "jit/analysis/jit_blocks.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_probes.h"

static bool makes_requests(const struct jit *jit, const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_LD:
    case ISA_OP_LDU:
    case ISA_OP_ST:
    case ISA_OP_ATOM:
    case ISA_OP_RED: {
        enum ptx_space space = ptx_instr_space(instr);
        return space != PTX_SPACE_SHARED && space != PTX_SPACE_PARAM;
    }
    case ISA_OP_CP: return instr->operand_count >= 3;
    case ISA_OP_TEX:
    case ISA_OP_TLD4:
    case ISA_OP_SULD:
    case ISA_OP_SUST:
    case ISA_OP_SURED: return true;
    case ISA_OP_CALL: return jit->callees->count;
    case ISA_OP_WMMA: return ptx_has(instr, ISA_MOD_LOAD) || ptx_has(instr, ISA_MOD_STORE);
    default: return false;
    }
}

static bool loop_makes_requests(const struct jit *jit, uint32_t first, uint32_t last)
{
    for (uint32_t b = first; b <= last; b++)
        for (uint32_t i = jit->blocks[b].first; i < jit->blocks[b].last; i++)
            if (makes_requests(jit, &jit->function->instrs[i])) return true;
    return false;
}

/* Blocks that close such a loop: the range of block numbers from a back edge's target to its source. */
void jit_rounds_build(struct jit *jit)
{
    for (uint32_t b = 0; b < jit->block_count; b++)
        jit->blocks[b].yields = jit->blocks[b].spins;
    for (uint32_t b = 0; b < jit->block_count && jit_records(jit) && !jit->is_callee; b++)
        for (uint32_t s = 0; s < jit->blocks[b].succ_count; s++)
            if (jit->blocks[b].succ[s] <= b && loop_makes_requests(jit, jit->blocks[b].succ[s], b))
                jit->blocks[b].yields = true;
}
