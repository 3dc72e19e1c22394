/* SPDX-License-Identifier: Apache-2.0 */
/* Integer div and rem of an index by a number that is the same in all lanes: `i = id % n`, `j = id / n`.
 * Method: lanes of a warp rarely lie more than n apart from lane 0, whose quotient q and remainder r are one
 * scalar division. A lane that is d above lane 0, d < n, has q or, from d = n - r on, q + 1. A test precedes
 * that; otherwise lanes divide each for themselves (jit_op_divide.c).
 *
 *   dividend        test
 *   first + l * s   of scalars: 31 s < n and no lane wraps
 *   a vector that was computed and not loaded (jit_core_computed.c)
 *                   of all lanes: lane - lane 0 < n
 *
 * Signed numbers: where no lane's nor the divisor is negative.
 * Limits: 32 and 64 bits; not rows of lanes; not in the first tier. */
#include "jit_emit_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_rows.h"
#include "jit/value/jit_values.h"

struct division {
    const struct jit_value *dividend;
    LLVMValueRef first, divisor; /* lane 0's dividend */
    unsigned bits;
    bool is_signed, is_rem;
    LLVMValueRef above[JIT_MAX_PARTS]; /* each lane's dividend less lane 0's */
};

/* ---- which */

static bool is_computed(const struct jit *jit, const struct ptx_operand *operand)
{
    return operand->kind == ISA_OPD_REG && !operand->negate && !jit->regs[operand->reg].fetched;
}

static bool is_taken(const struct jit *jit, const struct ptx_instr *instr, const struct jit_value *src)
{
    if (instr->op != ISA_OP_DIV && instr->op != ISA_OP_REM) return false;
    enum isa_type type = ptx_instr_type(instr, 0);
    if (isa_type_kind(type) != ISA_KIND_UINT && isa_type_kind(type) != ISA_KIND_SINT) return false;
    if (isa_type_bits(type) < 32 || jit->request->quick || src[1].repr != JIT_SCALAR) return false;
    if (src[0].repr == JIT_AFFINE) return src[0].stride > 0 && src[0].stride <= UINT16_MAX;
    return src[0].repr == JIT_VECTOR && is_computed(jit, &instr->operands[1]) &&
           !LLVMIsAConstantInt(src[1].scalar);
}

/* ---- the test */

static void find_distances(struct jit *jit, struct division *d)
{
    LLVMValueRef parts[JIT_MAX_PARTS];
    bool steps = d->dividend->repr == JIT_AFFINE;
    if (!steps) jit_value_parts(jit, d->dividend, parts);
    LLVMValueRef zero = jit_const(jit, 32, 0);
    d->first = steps ? d->dividend->scalar : LLVMBuildExtractElement(jit->builder, parts[0], zero, "");
    for (unsigned p = 0; p < jit->part.parts; p++)
        d->above[p] = steps ? jit_lane_consts(jit, d->bits, p, 0, d->dividend->stride)
                            : LLVMBuildSub(jit->builder, parts[p], jit_splat(jit, d->first, d->bits), "");
}

static LLVMValueRef least(struct jit *jit, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, b};
    return jit_intrinsic(jit, "llvm.umin", &type, 1, args, 2);
}

/* i1: no lane is more than `most` above lane 0. */
static LLVMValueRef lanes_reach(struct jit *jit, const struct division *d, LLVMValueRef most)
{
    if (d->dividend->repr == JIT_AFFINE) {
        LLVMValueRef last = jit_const(jit, d->bits, (uint64_t)d->dividend->stride * (SW_WARP_LANES - 1));
        return LLVMBuildICmp(jit->builder, LLVMIntULE, last, most, "");
    }
    LLVMValueRef all = NULL, bound = jit_splat(jit, most, d->bits);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef one = LLVMBuildICmp(jit->builder, LLVMIntULE, d->above[p], bound, "");
        all = all ? LLVMBuildAnd(jit->builder, all, one, "") : one;
    }
    LLVMTypeRef each = jit_int(jit, jit->part.lanes);
    return LLVMBuildICmp(jit->builder, LLVMIntEQ, LLVMBuildBitCast(jit->builder, all, each, ""),
                         LLVMConstAllOnes(each), "");
}

/* A divisor of 0 less 1 is the largest number, but then the divisor is not above 0. */
static LLVMValueRef test(struct jit *jit, const struct division *d)
{
    uint64_t largest = UINT64_MAX >> (64 - d->bits) >> d->is_signed;
    LLVMValueRef zero = jit_const(jit, d->bits, 0), one = jit_const(jit, d->bits, 1);
    LLVMValueRef top = jit_const(jit, d->bits, largest);
    LLVMValueRef room = LLVMBuildSub(jit->builder, top, d->first, "");
    LLVMValueRef most = least(jit, LLVMBuildSub(jit->builder, d->divisor, one, ""), room);
    LLVMValueRef fits =
        LLVMBuildICmp(jit->builder, d->is_signed ? LLVMIntSGT : LLVMIntUGT, d->divisor, zero, "");
    fits = LLVMBuildAnd(jit->builder, fits, lanes_reach(jit, d, most), "");
    if (d->is_signed)
        fits =
            LLVMBuildAnd(jit->builder, fits, LLVMBuildICmp(jit->builder, LLVMIntSGE, d->first, zero, ""), "");
    LLVMValueRef exact = jit_value_is_exact(jit, d->dividend);
    return exact ? LLVMBuildAnd(jit->builder, fits, exact, "") : fits;
}

/* ---- the result */

static void divide_once(struct jit *jit, const struct division *d, LLVMValueRef *out)
{
    LLVMValueRef quotient = LLVMBuildUDiv(jit->builder, d->first, d->divisor, "");
    LLVMValueRef product = LLVMBuildMul(jit->builder, quotient, d->divisor, "");
    LLVMValueRef rest = LLVMBuildSub(jit->builder, d->first, product, "");
    LLVMValueRef step = LLVMBuildSub(jit->builder, d->divisor, rest, "");
    LLVMValueRef early = d->is_rem ? rest : quotient;
    LLVMValueRef late = d->is_rem ? LLVMBuildNeg(jit->builder, step, "")
                                  : LLVMBuildAdd(jit->builder, quotient, jit_const(jit, d->bits, 1), "");
    step = jit_splat(jit, step, d->bits);
    early = jit_splat(jit, early, d->bits);
    late = jit_splat(jit, late, d->bits);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef is_late = LLVMBuildICmp(jit->builder, LLVMIntUGE, d->above[p], step, "");
        out[p] = LLVMBuildSelect(jit->builder, is_late, late, early, "");
        if (d->is_rem) out[p] = LLVMBuildAdd(jit->builder, out[p], d->above[p], "");
    }
}

static enum sw_status divide_each(struct jit *jit, const struct ptx_instr *instr, const struct jit_value *src,
                                  LLVMValueRef *out)
{
    LLVMValueRef parts[2][JIT_MAX_PARTS];
    jit_value_parts(jit, &src[0], parts[0]);
    jit_value_parts(jit, &src[1], parts[1]);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef in[] = {parts[0][p], parts[1][p]}, dst[2] = {NULL, NULL};
        SW_TRY(jit_op_elementwise(&jit->part, instr, in, 2, dst, jit->error));
        out[p] = dst[0];
    }
    return SW_OK;
}

enum sw_status jit_emit_divide(struct jit *jit, const struct ptx_instr *instr, const struct jit_value *src,
                               struct jit_value *out, bool *done)
{
    *done = is_taken(jit, instr, src);
    if (!*done) return SW_OK;
    enum isa_type type = ptx_instr_type(instr, 0);
    struct division d = {.dividend = &src[0],
                         .divisor = src[1].scalar,
                         .bits = isa_type_bits(type),
                         .is_signed = isa_type_kind(type) == ISA_KIND_SINT,
                         .is_rem = instr->op == ISA_OP_REM};
    LLVMValueRef once[JIT_MAX_PARTS], each[JIT_MAX_PARTS];
    LLVMBasicBlockRef yes = jit_new_block(jit, ""), no = jit_new_block(jit, ""), end = jit_new_block(jit, "");
    find_distances(jit, &d);
    jit_branch(jit, test(jit, &d), yes, no, true);
    jit_position(jit, yes);
    divide_once(jit, &d, once);
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, no);
    SW_TRY(divide_each(jit, instr, src, each));
    LLVMBasicBlockRef from[] = {yes, LLVMGetInsertBlock(jit->builder)};
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
    *out = (struct jit_value){.repr = JIT_VECTOR, .bits = d.bits};
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef values[] = {once[p], each[p]};
        out->part[p] = LLVMBuildPhi(jit->builder, jit_vec(jit, d.bits), "");
        LLVMAddIncoming(out->part[p], values, from, 2);
    }
    return SW_OK;
}
