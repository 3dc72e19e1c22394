/* SPDX-License-Identifier: Apache-2.0 */
/* What the approximate functions share: tests and products of f32 bits, and a branch around what is rare.
 * Limits: none known. */
#include "jit_op_approx_priv.h"
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

bool jit_flushes(const struct jit_op *op)
{
    return jit_has(op->instr, ISA_MOD_FTZ);
}

jv jv_source_bits(struct jit_op *op, unsigned i)
{
    return jv_bits(op->part, jv_float(op->part, op->src[i]));
}

jv jv_magnitude(struct jit_part *p, jv bits)
{
    return jv_and_k(p, bits, 0x7fffffff);
}

jv jv_sign(struct jit_part *p, jv bits)
{
    return jv_and_k(p, bits, 0x80000000);
}

jv jv_is_tiny(struct jit_part *p, jv bits) /* denormal or zero */
{
    return jv_cmp_k(p, LLVMIntULT, jv_magnitude(p, bits), JIT_F32_LEAST_NORMAL);
}

jv jv_is_nan(struct jit_part *p, jv bits)
{
    return jv_cmp_k(p, LLVMIntUGT, jv_magnitude(p, bits), JIT_F32_INF);
}

/* From here f32 values are bits, and products and sums of them one rounding to nearest. */
jv jv_times(struct jit_part *p, jv a, jv b)
{
    return jv_bits(p, jv_fmul(p, jv_float_exact(p, a), jv_float_exact(p, b)));
}

jv jv_times_k(struct jit_part *p, jv a, double k)
{
    jv x = jv_float_exact(p, a);
    return jv_bits(p, jv_fmul(p, x, jv_fk(x, k)));
}

jv jv_plus_k(struct jit_part *p, jv a, double k)
{
    jv x = jv_float_exact(p, a);
    return jv_bits(p, jv_fadd(p, x, jv_fk(x, k)));
}

jv jv_is_positive_normal(struct jit_part *p, jv x)
{
    return jv_cmp_k(p, LLVMIntULT, jv_add_k(p, x, -(uint64_t)JIT_F32_LEAST_NORMAL),
                    JIT_F32_INF - JIT_F32_LEAST_NORMAL);
}

jv jv_normalized(struct jit_part *p, jv x, bool flush)
{
    return flush ? x : jv_select(p, jv_is_tiny(p, x), jv_times_k(p, x, 0x1p24), x);
}

/* ---- the branch around what is rare */

static LLVMBasicBlockRef new_block(const struct jit_part *p)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(p->builder));
    return LLVMAppendBasicBlockInContext(p->context, function, "");
}

/* `yes` is taken nearly always. */
static void branch_likely(struct jit_part *p, jv condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(p->context);
    LLVMMetadataRef weights[] = {LLVMMDStringInContext2(p->context, "branch_weights", 14),
                                 LLVMValueAsMetadata(LLVMConstInt(i32, 4000, false)),
                                 LLVMValueAsMetadata(LLVMConstInt(i32, 1, false))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(p->context, weights, SW_COUNT_OF(weights));
    LLVMSetMetadata(LLVMBuildCondBr(p->builder, condition, yes, no),
                    LLVMGetMDKindIDInContext(p->context, "prof", 4), LLVMMetadataAsValue(p->context, node));
}

static jv every_lane(struct jit_part *p, jv condition)
{
    if (jv_lanes(condition) == 1) return condition;
    LLVMTypeRef mask = LLVMIntTypeInContext(p->context, jv_lanes(condition));
    jv bits = LLVMBuildBitCast(p->builder, condition, mask, "");
    return jv_cmp(p, LLVMIntEQ, bits, LLVMConstAllOnes(mask));
}

static jv merge(struct jit_part *p, jv a, LLVMBasicBlockRef from_a, jv b, LLVMBasicBlockRef from_b)
{
    jv phi = LLVMBuildPhi(p->builder, LLVMTypeOf(a), "");
    LLVMAddIncoming(phi, (jv[]){a, b}, (LLVMBasicBlockRef[]){from_a, from_b}, 2);
    return phi;
}

void jit_guard_open(struct jit_guard *g, struct jit_part *p, jv usual)
{
    *g = (struct jit_guard){.p = p, .usual = every_lane(p, usual), .before = LLVMGetInsertBlock(p->builder)};
    g->scaled = new_block(p), g->core = new_block(p), g->fix = new_block(p), g->after = new_block(p);
    branch_likely(p, g->usual, g->core, g->scaled);
    LLVMPositionBuilderAtEnd(p->builder, g->scaled);
}

jv jit_guard_core(struct jit_guard *g, jv x, jv scaled)
{
    LLVMBuildBr(g->p->builder, g->core);
    LLVMPositionBuilderAtEnd(g->p->builder, g->core);
    return merge(g->p, x, g->before, scaled, g->scaled);
}

void jit_guard_fix(struct jit_guard *g)
{
    branch_likely(g->p, g->usual, g->after, g->fix);
    LLVMPositionBuilderAtEnd(g->p->builder, g->fix);
}

jv jit_guard_close(struct jit_guard *g, jv result, jv fixed)
{
    LLVMBuildBr(g->p->builder, g->after);
    LLVMPositionBuilderAtEnd(g->p->builder, g->after);
    return merge(g->p, result, g->core, fixed, g->fix);
}

jv jv_root_fixed(struct jit_part *p, jv x, jv r, uint32_t zero, uint32_t infinity)
{
    jv negative = jv_cmp_k(p, LLVMIntUGT, x, JIT_F32_INF); /* and NaN */
    r = jv_select(p, jv_cmp_k(p, LLVMIntEQ, x, JIT_F32_INF), jv_k(x, infinity), r);
    r = jv_select(p, negative, jv_k(x, JIT_F32_NAN), r);
    return jv_select(p, jv_is_tiny(p, x), jv_or_k(p, jv_sign(p, x), zero), r);
}
