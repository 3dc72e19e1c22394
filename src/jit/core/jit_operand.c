/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of instructions as bits: widths, immediates, the carry flag.
 * Limits: floating-point immediates stand only where 32 or 64 bits are wanted, as in PTX. */
#include "jit/core/jit_operand.h"
#include "jit/op/jit_ops.h"

#include <string.h>

static unsigned type_bits(const struct ptx_instr *instr)
{
    enum isa_type type = ptx_instr_type(instr, 0);
    return type == ISA_TYPE_NONE ? 32 : isa_type_bits(type);
}

unsigned jit_source_bits(const struct ptx_instr *instr, unsigned i)
{
    unsigned bits = jit_op_source_bits(instr, i);
    return bits ? bits : type_bits(instr);
}

unsigned jit_dest_bits(const struct ptx_instr *instr)
{
    unsigned bits = jit_op_dest_bits(instr, 0);
    return bits ? bits : type_bits(instr);
}

bool jit_dest_signed(const struct ptx_instr *instr)
{
    return isa_type_kind(ptx_instr_type(instr, 0)) == ISA_KIND_SINT;
}

/* shfl: value, lane, clamp, members; vote: predicate, members; match: value, members; redux: value, members
 */
unsigned jit_warp_source_bits(const struct ptx_instr *instr, unsigned i)
{
    if (instr->op == ISA_OP_VOTE && i == 0) return 1;
    if (instr->op == ISA_OP_MATCH && i == 0) return type_bits(instr);
    return 32;
}

unsigned jit_warp_dest_bits(const struct ptx_instr *instr)
{
    return instr->op == ISA_OP_VOTE && ptx_instr_type(instr, 0) == ISA_PRED ? 1 : 32;
}

bool jit_writes_carry(const struct ptx_instr *instr)
{
    return ptx_has(instr, ISA_MOD_CC);
}

bool jit_reads_carry(const struct ptx_instr *instr)
{
    return instr->op == ISA_OP_ADDC || instr->op == ISA_OP_SUBC || instr->op == ISA_OP_MADC;
}

static uint64_t float_bits(const struct ptx_operand *operand, unsigned bits)
{
    double wide;
    float narrow;
    uint32_t word = (uint32_t)operand->bits;
    uint64_t value = operand->bits;
    if (operand->is_f32 && bits == 32) return word;
    memcpy(&narrow, &word, sizeof narrow);
    memcpy(&wide, &value, sizeof wide);
    if (bits == 32) {
        narrow = (float)wide;
        memcpy(&word, &narrow, sizeof word);
        return word;
    }
    wide = operand->is_f32 ? (double)narrow : wide;
    memcpy(&value, &wide, sizeof value);
    return value;
}

bool jit_is_value(const struct ptx_operand *operand)
{
    switch ((unsigned)operand->kind) {
    case ISA_OPD_REG:
    case ISA_OPD_SREG:
    case ISA_OPD_INT:
    case ISA_OPD_FLOAT:
    case ISA_OPD_VAR:
    case ISA_OPD_FUNC: return true;
    default: return false;
    }
}

uint64_t jit_immediate(const struct ptx_operand *operand, unsigned bits)
{
    uint64_t value = operand->kind == ISA_OPD_FLOAT ? float_bits(operand, bits) : operand->bits;
    return bits >= 64 ? value : value & ((1ull << bits) - 1);
}
