/* SPDX-License-Identifier: Apache-2.0 */
/* What tools count an instruction as: what its words say (isa_classify.c), and what its operands add. */
#include "ptx_priv.h"

/* cp.async takes the size as its third operand; bulk copies and the waits move no bytes of a lane's own */
static unsigned copy_bytes(const struct ptx_instr *instr)
{
    if (ptx_has(instr, ISA_MOD_BULK) || instr->operand_count < 3 || instr->operands[2].kind != ISA_OPD_INT)
        return 0;
    return instr->operands[2].bits <= 16 ? (unsigned)instr->operands[2].bits : 0;
}

bool ptx_atom_returns(const struct ptx_instr *instr)
{
    if (instr->op != ISA_OP_ATOM || instr->operand_count == 0) return false;
    return instr->operands[0].kind != ISA_OPD_SINK || ptx_has(instr, ISA_MOD_CAS) ||
           ptx_has(instr, ISA_MOD_EXCH);
}

void ptx_classify(const struct ptx_instr *instr, struct ptx_work *out)
{
    const struct isa_instr *isa = &instr->isa;
    enum isa_access access = isa_access_of(isa);
    *out = (struct ptx_work){
        .cls = isa_op_class(isa->op),
        .unit = isa_unit_of(isa),
        .space = isa_space_of(isa),
        .flop = isa_flop_of(isa),
        .bytes = (uint16_t)(isa->op == ISA_OP_CP ? copy_bytes(instr) : isa_bytes_of(isa)),
        .guarded = instr->guard != PTX_NO_REG,
        .returns = ptx_atom_returns(instr),
        .is_read = access == ISA_ACCESS_READ || access == ISA_ACCESS_BOTH,
        .is_write = access == ISA_ACCESS_WRITE || access == ISA_ACCESS_BOTH,
    };
}
