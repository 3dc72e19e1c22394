/* SPDX-License-Identifier: Apache-2.0 */
/* What tools count an instruction as.
 *
 * Models: the classes of Nsight Compute's thread-level op_* metrics as far as PTX shows them: logic and
 * shifts are integer work, population counts and bit fields are bit work, every cvt is a conversion. Does not
 * model: what ptxas makes of it (a cvt that costs nothing, an fma made of mul and add). */
#include "isa_priv.h"

static enum isa_unit unit_of_type(enum isa_type type)
{
    switch (isa_type_kind(type)) {
    case ISA_KIND_FLOAT:
        if (type == ISA_F64) return ISA_UNIT_FP64;
        return type == ISA_F32 || type == ISA_F32X2 || type == ISA_TF32 ? ISA_UNIT_FP32 : ISA_UNIT_FP16;
    case ISA_KIND_BITS:
    case ISA_KIND_UINT:
    case ISA_KIND_SINT: return ISA_UNIT_INTEGER;
    case ISA_KIND_NONE:
    case ISA_KIND_PRED:
    case ISA_KIND_OPAQUE: break;
    }
    return ISA_UNIT_OTHER;
}

enum isa_unit isa_unit_of(const struct isa_instr *instr)
{
    uint8_t unit = isa_ops[instr->op].unit;
    if (unit != ISA_UNIT_TYPE) return (enum isa_unit)unit;
    return instr->type_count ? unit_of_type(isa_type_at(instr, instr->type_count - 1u)) : ISA_UNIT_OTHER;
}

enum isa_flop isa_flop_of(const struct isa_instr *instr)
{
    if (isa_type_kind(isa_type_at(instr, 0)) != ISA_KIND_FLOAT) return ISA_FLOP_NONE;
    switch ((unsigned)instr->op) {
    case ISA_OP_ADD:
    case ISA_OP_SUB: return ISA_FLOP_ADD;
    case ISA_OP_MUL: return ISA_FLOP_MUL;
    case ISA_OP_MAD:
    case ISA_OP_FMA: return ISA_FLOP_FMA;
    default: return ISA_FLOP_NONE;
    }
}

enum isa_access isa_access_of(const struct isa_instr *instr)
{
    uint8_t access = isa_ops[instr->op].access;
    if (access != ISA_ACCESS_WMMA) return (enum isa_access)access;
    if (isa_has(instr, ISA_MOD_MMA)) return ISA_ACCESS_NONE;
    return isa_has(instr, ISA_MOD_STORE)  ? ISA_ACCESS_WRITE
           : isa_has(instr, ISA_MOD_LOAD) ? ISA_ACCESS_READ
                                          : ISA_ACCESS_ADDRESS;
}

enum isa_space isa_space_of(const struct isa_instr *instr)
{
    if (isa_access_of(instr) == ISA_ACCESS_NONE) return ISA_SPACE_NONE;
    if (instr->op == ISA_OP_CP &&
        (isa_written_space(instr, 0) == ISA_SPACE_GLOBAL || isa_written_space(instr, 1) == ISA_SPACE_GLOBAL))
        return ISA_SPACE_GLOBAL;
    return isa_written_space(instr, 0);
}

/* .x1 .x2 .x4 of ldmatrix and stmatrix: 4 bytes of a lane each */
static unsigned matrix_bytes(const struct isa_instr *instr)
{
    return isa_has(instr, ISA_MOD_X4) ? 16 : isa_has(instr, ISA_MOD_X2) ? 8 : 4;
}

unsigned isa_bytes_of(const struct isa_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_LD:
    case ISA_OP_LDU:
    case ISA_OP_ST:
    case ISA_OP_ATOM:
    case ISA_OP_RED:
    case ISA_OP_MULTIMEM: return isa_vector_count(instr) * isa_type_bits(isa_type_at(instr, 0)) / 8;
    case ISA_OP_LDMATRIX:
    case ISA_OP_STMATRIX: return matrix_bytes(instr);
    case ISA_OP_MBARRIER: return 8;
    default: return 0;
    }
}
