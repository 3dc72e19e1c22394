/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions on addresses: cvta, isspacep, mapa and getctarank. */
#include "jit_emit_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_rows.h"
#include "jit/value/jit_values.h"

/* mapa d, address, rank and getctarank d, address: the one block of the cluster has rank 0. */
enum sw_status jit_emit_cluster_query(struct jit *jit, const struct ptx_instr *instr)
{
    unsigned bits = isa_type_bits(ptx_instr_type(instr, 0));
    struct jit_value value = jit_value_scalar(jit_const(jit, bits, 0), bits);
    if (instr->op == ISA_OP_MAPA) value = jit_operand(jit, &instr->operands[1], bits);
    jit_dest_write(jit, instr->operands[0].reg, &value, false);
    return SW_OK;
}

static struct jit_value add_base(struct jit *jit, const struct jit_value *value, LLVMValueRef base,
                                 bool subtract)
{
    struct jit_value out = *value;
    LLVMValueRef number = LLVMBuildPtrToInt(jit->builder, base, jit->i64, "");
    if (subtract) number = LLVMBuildNeg(jit->builder, number, "");
    if (value->repr == JIT_VECTOR) number = jit_splat(jit, number, 64);
    for (unsigned i = 0; i < jit_value_pieces(jit, value->repr, value->regular); i++)
        jit_value_set_piece(&out, i, LLVMBuildAdd(jit->builder, jit_value_piece(value, i), number, ""));
    return out;
}

static struct jit_value cvta_local(struct jit *jit, const struct jit_value *value, bool to)
{
    struct jit_value out = add_base(jit, value, jit->warp_local, to);
    int64_t step = to ? -(int64_t)jit->info.local_bytes : (int64_t)jit->info.local_bytes;
    if (out.repr == JIT_VECTOR || out.repr == JIT_ROWS) {
        LLVMValueRef parts[JIT_MAX_PARTS];
        jit_value_parts(jit, &out, parts);
        for (unsigned p = 0; p < jit->part.parts; p++)
            parts[p] = LLVMBuildAdd(jit->builder, parts[p], jit_lane_consts(jit, 64, p, 0, step), "");
        return jit_value_vector(jit, parts, 64);
    }
    out.stride = (out.repr == JIT_AFFINE ? out.stride : 0) + step;
    out.repr = out.stride || out.wrap ? JIT_AFFINE : JIT_SCALAR;
    return out;
}

enum sw_status jit_emit_cvta(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_value value = jit_operand(jit, &instr->operands[1], 64);
    bool to = ptx_has(instr, ISA_MOD_TO);
    bool is_var = instr->operands[1].kind == ISA_OPD_VAR;
    switch ((unsigned)ptx_instr_space(instr)) {
    case PTX_SPACE_SHARED: value = add_base(jit, &value, jit->shared, to); break;
    case PTX_SPACE_LOCAL: value = cvta_local(jit, &value, to); break;
    case PTX_SPACE_PARAM: /* the address of a parameter is a host address already */
        if (!is_var && !to) break;
        break;
    default: break;
    }
    jit_dest_write(jit, instr->operands[0].reg, &value, false);
    return SW_OK;
}

/* In one of the module's constant variables. */
static LLVMValueRef is_const(struct jit *jit, LLVMValueRef address, bool vector)
{
    const struct ptx_module *module = jit->function->module;
    LLVMValueRef any = LLVMConstNull(vector ? LLVMVectorType(jit->i1, jit->part.lanes) : jit->i1);
    for (uint32_t i = 0; i < module->var_count; i++) {
        const struct ptx_var *var = module->vars[i];
        if (var->space != PTX_SPACE_CONST || !var->bytes) continue;
        LLVMValueRef base = LLVMBuildIntToPtr(jit->builder, jit_symbol(jit, var->index), jit->ptr, "");
        any = LLVMBuildOr(jit->builder, any,
                          jit_in_range(jit, address, base, jit_const(jit, 64, var->bytes), vector), "");
    }
    return any;
}

static LLVMValueRef is_param(struct jit *jit, LLVMValueRef address, bool vector)
{
    return jit_in_range(jit, address, jit->params, jit_const(jit, 64, jit->function->param_bytes), vector);
}

static LLVMValueRef is_in_space(struct jit *jit, enum ptx_space space, LLVMValueRef address, bool vector)
{
    switch ((unsigned)space) {
    case PTX_SPACE_SHARED: return jit_is_shared(jit, address, vector);
    case PTX_SPACE_LOCAL: return jit_is_local(jit, address, vector);
    case PTX_SPACE_CONST: return is_const(jit, address, vector);
    case PTX_SPACE_PARAM: return is_param(jit, address, vector);
    default: break;
    }
    static const enum ptx_space others[] = {PTX_SPACE_SHARED, PTX_SPACE_LOCAL, PTX_SPACE_CONST,
                                            PTX_SPACE_PARAM};
    LLVMValueRef other = NULL;
    for (unsigned i = 0; i < SW_COUNT_OF(others); i++) {
        LLVMValueRef in = is_in_space(jit, others[i], address, vector);
        other = other ? LLVMBuildOr(jit->builder, other, in, "") : in;
    }
    return LLVMBuildNot(jit->builder, other, "");
}

enum sw_status jit_emit_isspacep(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_value value = jit_operand(jit, &instr->operands[1], 64), out;
    enum ptx_space space = ptx_instr_space(instr);
    if (value.repr == JIT_SCALAR) {
        out = jit_value_scalar(is_in_space(jit, space, value.scalar, false), 1);
    } else {
        LLVMValueRef parts[JIT_MAX_PARTS];
        jit_value_parts(jit, &value, parts);
        for (unsigned p = 0; p < jit->part.parts; p++)
            parts[p] = is_in_space(jit, space, parts[p], true);
        out = jit_value_vector(jit, parts, 1);
    }
    jit_dest_write(jit, instr->operands[0].reg, &out, false);
    return SW_OK;
}
