/* SPDX-License-Identifier: Apache-2.0 */
/* atom and red (PTX ISA 9.7.13): addresses and values for jit_op_atomic. Limits: vector forms (.v2, .v4) as
 * jit_op_atomic_supported says. */
#include "jit_core_priv.h"

enum sw_status jit_emit_atomic(struct jit *jit, const struct ptx_instr *instr)
{
    unsigned dest = instr->op == PTX_OP_ATOM ? 1 : 0, parts = jit->part.parts, count = 0;
    struct jit_address address = jit_address_of(jit, instr, &instr->operands[dest]);
    unsigned bits = ptx_type_bits(ptx_instr_type(instr, 0));
    LLVMValueRef at[JIT_MAX_PARTS], src[JIT_MAX_SOURCES * JIT_MAX_PARTS], dst[JIT_MAX_PARTS] = {NULL};
    for (unsigned i = dest + 1; i < instr->operand_count; i++, count++) {
        struct jit_value value = jit_operand(jit, &instr->operands[i], bits);
        jit_value_parts(jit, &value, &src[count * parts]);
    }
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    struct jit_access access = {.bits = bits, .bytes = bits / 8, .count = 1, .is_store = true};
    if (dest && instr->operands[0].kind == PTX_OPD_REG) jit_reg_read(jit, instr->operands[0].reg);
    jit_count_access(jit, instr, &address, &lanes, &access);
    jit_address_lanes(jit, &address, at);
    LLVMValueRef active[JIT_MAX_PARTS];
    for (unsigned p = 0; p < parts; p++)
        active[p] = lanes.full ? LLVMConstAllOnes(LLVMVectorType(jit->i1, jit->part.lanes)) : lanes.parts[p];
    SW_TRY(jit_op_atomic(&jit->part, instr, at, src, count, active, address.space == PTX_SPACE_SHARED, dst,
                         jit->error));
    if (!dest || instr->operands[0].kind != PTX_OPD_REG) return SW_OK;
    struct jit_value out = jit_value_vector(jit, dst, bits);
    jit_dest_write(jit, instr->operands[0].reg, &out, jit_dest_signed(instr));
    return SW_OK;
}
