/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers depend on what lanes loaded or exchanged (struct jit_reg.fetched). An address that does
 * not, and is a vector all the same, was computed from the indices of threads: by a minimum at the border of
 * an image, by `2 * t - t % n`, or in a loop that not all lanes leave at once. Its lanes often stand side by
 * side, which jit_emit_memory.c tests; what was loaded as an index is not tested.
 * Method: data flow over all definitions of a register. Limits: memory that a kernel keeps such an address in
 * makes it a loaded one. */
#include "jit/analysis/jit_repr.h"
#include "jit/op/jit_ops.h"

static bool is_uniform(const struct jit *jit, const struct ptx_operand *address)
{
    if (address->kind != ISA_OPD_MEM) return false;
    bool constant = address->var || address->reg == PTX_NO_REG;
    return constant || jit->regs[address->reg].abstract.repr == JIT_SCALAR;
}

/* Whether results are functions of the registers that an instruction reads, or the same in all lanes. */
static bool computes(const struct jit *jit, const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_MOV:
    case ISA_OP_CVTA: return true;
    case ISA_OP_LD: return ptx_instr_space(instr) == PTX_SPACE_PARAM || is_uniform(jit, &instr->operands[1]);
    default: return jit_op_elementwise_supported(instr);
    }
}

static bool reads_fetched(const struct jit *jit, const struct ptx_instr *instr)
{
    uint32_t uses[PTX_INSTR_REGS];
    unsigned count = ptx_instr_uses(instr, uses, SW_COUNT_OF(uses));
    for (unsigned i = 0; i < count; i++)
        if (jit->regs[uses[i]].fetched) return true;
    return false;
}

/* Whether another register became one. */
static bool spread(struct jit *jit, const struct ptx_instr *instr)
{
    uint32_t defs[PTX_INSTR_REGS];
    unsigned count = ptx_instr_defs(instr, defs, SW_COUNT_OF(defs));
    if (count == 0 || (computes(jit, instr) && !reads_fetched(jit, instr))) return false;
    bool changed = false;
    for (unsigned i = 0; i < count; i++) {
        changed |= !jit->regs[defs[i]].fetched;
        jit->regs[defs[i]].fetched = true;
    }
    return changed;
}

void jit_fetched_build(struct jit *jit)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < jit->function->instr_count; i++)
            changed |= spread(jit, &jit->function->instrs[i]);
    }
}
