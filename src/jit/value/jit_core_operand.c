/* SPDX-License-Identifier: Apache-2.0 */
/* Operands as values: registers, special registers, immediates, addresses; and which lanes an instruction is
 * for. */
#include "jit/analysis/jit_layout.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_rows.h"
#include "jit/value/jit_values.h"

struct jit_value jit_operand(struct jit *jit, const struct ptx_operand *operand, unsigned bits)
{
    struct jit_value value;
    switch (operand->kind) {
    case ISA_OPD_REG: return jit_reg_operand(jit, operand, bits);
    case ISA_OPD_SREG: value = jit_emit_sreg(jit, operand->sreg); break;
    case ISA_OPD_INT:
    case ISA_OPD_FLOAT: return jit_value_scalar(jit_const(jit, bits, jit_immediate(operand, bits)), bits);
    case ISA_OPD_VAR: value = jit_var_address(jit, operand->var, operand->offset); break;
    case ISA_OPD_FUNC:
        value = jit_value_scalar(jit_const(jit, 64, jit_function_token(jit, operand->function)), 64);
        break;
    case ISA_OPD_SINK: return jit_value_scalar(jit_const(jit, bits, 0), bits);
    case ISA_OPD_NONE:
    case ISA_OPD_PAIR:
    case ISA_OPD_LABEL:
    case ISA_OPD_MEM:
    case ISA_OPD_VEC:
    case ISA_OPD_LIST:
    case ISA_OPD_PROTO:
    default: BUG("operand kind %d of '%s' is no value", (int)operand->kind, isa_op_name(jit->instr->op));
    }
    return jit_value_resize(jit, &value, bits, false);
}

bool jit_mask_guard(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef *mask, LLVMValueRef *scalar)
{
    struct ptx_operand guard = {.kind = ISA_OPD_REG, .reg = instr->guard, .negate = instr->guard_negate};
    struct jit_value on = jit_operand(jit, &guard, 1);
    LLVMValueRef active = jit_mask_active(jit);
    *scalar = NULL;
    if (on.repr == JIT_SCALAR) {
        *scalar = on.scalar;
        *mask = LLVMBuildSelect(jit->builder, on.scalar, active, jit_const(jit, 32, 0), "");
        return false;
    }
    LLVMValueRef lanes = on.repr == JIT_ROWS ? jit_rows_mask(jit, &on) : jit_mask_join(jit, on.part);
    *mask = LLVMBuildAnd(jit->builder, active, lanes, "");
    return true;
}

struct jit_lanes jit_lanes_of(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_lanes lanes = {.full = jit_mask_is_full(jit)};
    if (instr->guard == PTX_NO_REG) {
        lanes.mask = jit_mask_active(jit);
        if (!lanes.full) lanes.parts = jit_mask_active_parts(jit);
        return lanes;
    }
    LLVMValueRef scalar;
    jit_mask_guard(jit, instr, &lanes.mask, &scalar);
    lanes.parts = ARENA_ARRAY(&jit->arena, LLVMValueRef, JIT_MAX_PARTS);
    jit_mask_split(jit, lanes.mask, lanes.parts);
    lanes.full = false;
    lanes.may_be_empty = true;
    return lanes;
}
