/* SPDX-License-Identifier: Apache-2.0 */
/* Values in their forms: scalar, affine, by rows, one a lane. */
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_rows.h"
#include "jit/value/jit_values.h"

struct jit_value jit_value_scalar(LLVMValueRef scalar, unsigned bits)
{
    return (struct jit_value){.repr = JIT_SCALAR, .bits = bits, .scalar = scalar};
}

struct jit_value jit_value_vector(const struct jit *jit, LLVMValueRef *parts, unsigned bits)
{
    struct jit_value value = {.repr = JIT_VECTOR, .bits = bits};
    for (unsigned p = 0; p < jit->part.parts; p++)
        value.part[p] = parts[p];
    return value;
}

static LLVMValueRef affine_part(struct jit *jit, const struct jit_value *value, unsigned p)
{
    LLVMValueRef base = jit_splat(jit, value->scalar, value->bits);
    LLVMValueRef steps = jit_lane_consts(jit, value->bits, p, 0, value->stride);
    LLVMValueRef sum = LLVMBuildAdd(jit->builder, base, steps, "");
    if (!value->limit) return sum;
    LLVMValueRef lane = jit_lane_consts(jit, 32, p, 0, 1);
    LLVMValueRef limit = jit_splat(jit, value->limit, 32);
    LLVMValueRef past = LLVMBuildICmp(jit->builder, LLVMIntUGE, lane, limit, "");
    LLVMValueRef wrap = jit_lane_consts(jit, value->bits, p, (uint64_t)value->wrap, 0);
    LLVMValueRef less = LLVMBuildSelect(jit->builder, past, wrap, LLVMConstNull(LLVMTypeOf(wrap)), "");
    return LLVMBuildSub(jit->builder, sum, less, "");
}

void jit_value_parts(struct jit *jit, const struct jit_value *value, LLVMValueRef *parts)
{
    for (unsigned p = 0; p < jit->part.parts; p++) {
        switch (value->repr) {
        case JIT_SCALAR: parts[p] = p ? parts[0] : jit_splat(jit, value->scalar, value->bits); break;
        case JIT_AFFINE: parts[p] = affine_part(jit, value, p); break;
        case JIT_VECTOR: parts[p] = value->part[p]; break;
        case JIT_ROWS: jit_rows_parts(jit, value, parts); return;
        case JIT_UNSET: BUG("a value without a form");
        }
    }
}

/* A sum of rows may wrap where it is made wider, so those are widened one by one. */
static struct jit_value resize_rows(struct jit *jit, const struct jit_value *value, unsigned bits,
                                    bool is_signed)
{
    bool narrower = bits < value->bits;
    struct jit_value out = narrower ? *value : jit_value_rows(jit, value);
    for (unsigned i = 0; i < jit_value_pieces(jit, out.repr, out.regular); i++) {
        LLVMValueRef piece = jit_value_piece(&out, i);
        jit_value_set_piece(&out, i, jit_resize(jit, piece, value->bits, bits, is_signed));
        jit_value_set_limit(&out, i, NULL);
    }
    out.bits = bits;
    out.wrap = 0;
    return out;
}

struct jit_value jit_value_resize(struct jit *jit, const struct jit_value *value, unsigned bits,
                                  bool is_signed)
{
    struct jit_value out = *value;
    if (bits == value->bits) return out;
    out.bits = bits;
    if (value->repr == JIT_SCALAR || (value->repr == JIT_AFFINE && bits < value->bits)) {
        out.scalar = jit_resize(jit, value->scalar, value->bits, bits, is_signed);
        out.limit = NULL;
        out.wrap = 0; /* a multiple of 2^32, gone in 32 bits */
        return out;
    }
    if (value->repr == JIT_ROWS && (bits < value->bits || value->stride == 0))
        return resize_rows(jit, value, bits, is_signed);
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, value, parts);
    for (unsigned p = 0; p < jit->part.parts; p++)
        parts[p] = jit_resize(jit, parts[p], value->bits, bits, is_signed);
    return jit_value_vector(jit, parts, bits);
}

/* The element of the first lane in mask; any lane's when there is none. */
LLVMValueRef jit_value_first(struct jit *jit, LLVMValueRef *parts, LLVMValueRef mask)
{
    LLVMValueRef lane = jit_mask_first(jit, mask), found = NULL;
    LLVMValueRef inside = LLVMBuildAnd(jit->builder, lane, jit_const(jit, 32, jit->part.lanes - 1), "");
    for (unsigned p = jit->part.parts; p-- > 0;) {
        LLVMValueRef element = LLVMBuildExtractElement(jit->builder, parts[p], inside, "");
        LLVMValueRef end = jit_const(jit, 32, (p + 1) * jit->part.lanes);
        LLVMValueRef here = LLVMBuildICmp(jit->builder, LLVMIntULT, lane, end, "");
        found = found ? LLVMBuildSelect(jit->builder, here, element, found, "") : element;
    }
    return found;
}

/* A vector that is known to be equal in all active lanes: that of the first. */
LLVMValueRef jit_value_any(struct jit *jit, const struct jit_value *value)
{
    LLVMValueRef parts[JIT_MAX_PARTS];
    if (value->repr == JIT_SCALAR) return value->scalar;
    if (value->repr == JIT_AFFINE) BUG("an affine value is not the same in all lanes");
    jit_value_parts(jit, value, parts);
    return jit_value_first(jit, parts, jit_mask_active(jit));
}
