/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers hold only results of floating-point arithmetic, whose NaN is the canonical one. Operations
 * make a NaN canonical by a comparison and a select at their end, and drop both again where the value goes on
 * into arithmetic (jit_op_value.h: jv_result, jv_float). Between blocks such a register is stored as
 * arithmetic left it and made canonical where it is read, so that a loop of arithmetic does not pay
 * either: 12.3 ms to 6.3 ms for a Mandelbrot set.
 *
 * NaNs of f64 have payloads. There the same question tells which registers can bring in one that arithmetic
 * did not make: jit_emit_double.c.
 *
 * Method: optimistic: every f32 and f64 register, less those that some instruction writes with anything but
 * such a result, a constant that is no NaN, or another such register.
 * Limits: packed and 16-bit types are left alone. */
#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_values.h"

static bool is_plain_float(enum isa_type type)
{
    return type == ISA_F32 || type == ISA_F64;
}

static bool is_number(const struct jit *jit, const struct ptx_operand *operand, unsigned bits)
{
    if (operand->kind == ISA_OPD_REG) return jit->regs[operand->reg].canonical && !operand->negate;
    if (operand->kind != ISA_OPD_FLOAT && operand->kind != ISA_OPD_INT) return false;
    uint64_t value = jit_immediate(operand, bits);
    return bits == 32 ? (value & 0x7f800000u) != 0x7f800000u
                      : (value & 0x7ff0000000000000u) != 0x7ff0000000000000u;
}

static bool gives_canonical(const struct jit *jit, const struct ptx_instr *instr)
{
    enum isa_type type = ptx_instr_type(instr, 0);
    unsigned bits = isa_type_bits(type);
    switch ((unsigned)instr->op) {
    case ISA_OP_ADD:
    case ISA_OP_SUB:
    case ISA_OP_MUL:
    case ISA_OP_FMA:
    case ISA_OP_MAD:
    case ISA_OP_DIV:
    case ISA_OP_RCP:
    case ISA_OP_SQRT:
    case ISA_OP_RSQRT:
    case ISA_OP_EX2:
    case ISA_OP_LG2:
    case ISA_OP_SIN:
    case ISA_OP_COS:
    case ISA_OP_TANH:
    case ISA_OP_NEG:
    case ISA_OP_ABS: return is_plain_float(type);
    case ISA_OP_CVT: return is_plain_float(type) && isa_type_kind(ptx_instr_type(instr, 1)) != ISA_KIND_FLOAT;
    case ISA_OP_MOV: return (bits == 32 || bits == 64) && is_number(jit, &instr->operands[1], bits);
    case ISA_OP_SELP:
        return (bits == 32 || bits == 64) && is_number(jit, &instr->operands[1], bits) &&
               is_number(jit, &instr->operands[2], bits);
    default: return false;
    }
}

bool jit_is_double_arithmetic(const struct ptx_instr *instr)
{
    if (ptx_instr_type(instr, 0) != ISA_F64 || ptx_has(instr, ISA_MOD_APPROX)) return false;
    switch ((unsigned)instr->op) {
    case ISA_OP_ADD:
    case ISA_OP_SUB:
    case ISA_OP_MUL:
    case ISA_OP_FMA:
    case ISA_OP_MAD:
    case ISA_OP_DIV:
    case ISA_OP_RCP:
    case ISA_OP_SQRT:
    case ISA_OP_NEG:
    case ISA_OP_ABS: return true;
    default: return false;
    }
}

static bool are_numbers(const struct jit *jit, const struct ptx_instr *instr)
{
    for (unsigned i = 1; i < 3; i++)
        if (!is_number(jit, &instr->operands[i], 64)) return false;
    return true;
}

/* Is its f64 result's NaN, if any, one that arithmetic made? */
static bool makes_nan(const struct jit *jit, const struct ptx_instr *instr)
{
    if (instr->op == ISA_OP_MIN || instr->op == ISA_OP_MAX)
        return ptx_instr_type(instr, 0) == ISA_F64 && are_numbers(jit, instr);
    if (ptx_instr_type(instr, 0) == ISA_F64 && ptx_has(instr, ISA_MOD_APPROX)) return false;
    return gives_canonical(jit, instr);
}

static bool drop_defs(struct jit *jit, const struct ptx_instr *instr)
{
    uint32_t regs[64];
    bool changed = false;
    unsigned count = ptx_instr_defs(instr, regs, SW_COUNT_OF(regs));
    if (count == 0 || makes_nan(jit, instr)) return false;
    for (unsigned i = 0; i < count; i++) {
        changed |= jit->regs[regs[i]].canonical;
        jit->regs[regs[i]].canonical = false;
    }
    return changed;
}

/* Registers that go into arithmetic of f64 and hold more than its results */
static void find_brought_in(struct jit *jit)
{
    for (uint32_t i = 0; i < jit->function->instr_count; i++) {
        const struct ptx_instr *instr = &jit->function->instrs[i];
        if (!jit_is_double_arithmetic(instr)) continue;
        for (unsigned k = 1; k < instr->operand_count; k++) {
            const struct ptx_operand *from = &instr->operands[k];
            if (from->kind == ISA_OPD_REG && !jit->regs[from->reg].canonical)
                jit->regs[from->reg].brings_nans = true;
        }
    }
}

void jit_nans_build(struct jit *jit)
{
    for (uint32_t r = 0; r < jit->function->reg_count; r++)
        jit->regs[r].canonical = is_plain_float(jit->function->regs[r].type);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < jit->function->instr_count; i++)
            changed |= drop_defs(jit, &jit->function->instrs[i]);
    }
    find_brought_in(jit);
}

static struct jit_part *nan_part_of(struct jit *jit, LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind ? &jit->part : &jit->one;
}

/* To memory: as arithmetic left it. */
LLVMValueRef jit_nan_store(struct jit *jit, const struct jit_reg *reg, LLVMValueRef value)
{
    if (!reg->canonical || reg->bits == 64) return value;
    struct jit_part *part = nan_part_of(jit, value);
    return jv_bits(part, jv_float(part, value));
}

/* From memory: canonical again. */
LLVMValueRef jit_nan_load(struct jit *jit, const struct jit_reg *reg, LLVMValueRef value)
{
    if (!reg->canonical || reg->bits == 64) return value;
    struct jit_part *part = nan_part_of(jit, value);
    return jv_result(part, jv_float_exact(part, value));
}
