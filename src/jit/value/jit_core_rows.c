/* SPDX-License-Identifier: Apache-2.0 */
/* Values by the rows of the block (struct jit_value): what a scalar, an affine value or rows are in one row;
 * as vectors, as masks; and which lanes of a row take part.
 * Method: rows are scalars, so that addresses and conditions stay in scalar registers; a value that is the
 * same in several rows is the same LLVM value there, so that nothing is made twice.
 * Limits: a vector does not become rows here. */
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_rows.h"

/* ---- rows that are not even: what is the same for a warp's life is made where it begins */

/* Lane 0's place in its row, i32 */
static LLVMValueRef row_phase(struct jit *jit)
{
    if (jit->row_phase) return jit->row_phase;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    jit_position(jit, jit->warp_prologue);
    LLVMValueRef first = LLVMBuildShl(jit->builder, jit->warp, jit_const(jit, 32, 5), "");
    jit->row_phase = LLVMBuildURem(jit->builder, first, jit_const(jit, 32, jit->row_lanes), "");
    jit_position(jit, here);
    return jit->row_phase;
}

/* The lanes of a row as bits: W of them, the phase less for each row. */
static LLVMValueRef uneven_mask(struct jit *jit, unsigned row)
{
    if (jit->row_masks[row]) return jit->row_masks[row];
    uint64_t lanes = (UINT64_C(1) << jit->row_lanes) - 1;
    unsigned at = row * jit->row_lanes;
    LLVMValueRef phase = row_phase(jit);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    jit_position(jit, jit->warp_prologue);
    LLVMValueRef by = LLVMBuildZExt(jit->builder, phase, jit->i64, ""), bits;
    if (row == 0) {
        bits = LLVMBuildLShr(jit->builder, jit_const(jit, 64, lanes), by, "");
    } else { /* at most 63, since a row begins before the warp's end or is not there */
        LLVMValueRef up = LLVMBuildSub(jit->builder, jit_const(jit, 64, at), by, "");
        bits = LLVMBuildShl(jit->builder, jit_const(jit, 64, lanes), up, "");
    }
    jit->row_masks[row] = LLVMBuildTrunc(jit->builder, bits, jit->i32, "");
    jit_position(jit, here);
    return jit->row_masks[row];
}

/* A part's lanes' places in their rows, <n x i32> */
static LLVMValueRef uneven_places(struct jit *jit, unsigned part)
{
    if (jit->row_places[part]) return jit->row_places[part];
    LLVMValueRef phase = row_phase(jit);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    jit_position(jit, jit->warp_prologue);
    LLVMValueRef lane = jit_lane_consts(jit, 32, part, 0, 1),
                 width = jit_lane_consts(jit, 32, 0, jit->row_lanes, 0);
    lane = LLVMBuildAdd(jit->builder, lane, jit_splat(jit, phase, 32), "");
    jit->row_places[part] = LLVMBuildURem(jit->builder, lane, width, "");
    jit_position(jit, here);
    return jit->row_places[part];
}

LLVMValueRef jit_row_lane(struct jit *jit, unsigned row)
{
    LLVMValueRef at = jit_const(jit, 32, row * jit->row_lanes);
    return jit->even_rows ? at : LLVMBuildSub(jit->builder, at, row_phase(jit), "");
}

/* ---- one row of any value but a vector */

static LLVMValueRef less_wrap(struct jit *jit, const struct jit_value *value, LLVMValueRef first,
                              unsigned lane)
{
    LLVMValueRef past = LLVMBuildICmp(jit->builder, LLVMIntULE, value->limit, jit_const(jit, 32, lane), "");
    LLVMValueRef wrap = jit_const(jit, value->bits, (uint64_t)value->wrap);
    LLVMValueRef less = LLVMBuildSelect(jit->builder, past, wrap, LLVMConstNull(LLVMTypeOf(wrap)), "");
    return LLVMBuildSub(jit->builder, first, less, "");
}

static LLVMValueRef affine_row(struct jit *jit, const struct jit_value *value, unsigned row)
{
    if (value->limit) BUG("an affine value that wraps has no rows here");
    LLVMValueRef lane = jit_resize(jit, jit_row_lane(jit, row), 32, value->bits, true);
    LLVMValueRef stride = jit_const(jit, value->bits, (uint64_t)value->stride);
    return LLVMBuildAdd(jit->builder, value->scalar, LLVMBuildMul(jit->builder, lane, stride, ""), "");
}

LLVMValueRef jit_row_first(struct jit *jit, const struct jit_value *value, unsigned row)
{
    int64_t step = value->step;
    if (value->repr == JIT_ROWS && !value->regular) return value->part[row];
    if (value->repr == JIT_AFFINE && !jit->even_rows) return affine_row(jit, value, row);
    if (value->repr == JIT_AFFINE) step = value->stride * jit->row_lanes;
    if (value->repr == JIT_SCALAR || row == 0 || step == 0) return value->scalar;
    LLVMValueRef more = jit_const(jit, value->bits, (uint64_t)(step * row));
    LLVMValueRef first = LLVMBuildAdd(jit->builder, value->scalar, more, "");
    if (value->repr == JIT_AFFINE && value->limit) return less_wrap(jit, value, first, row * jit->row_lanes);
    return first;
}

/* Where an affine value wraps between two lanes of the row, or JIT_NO_WRAP. */
static LLVMValueRef affine_limit(struct jit *jit, const struct jit_value *value, unsigned row)
{
    LLVMValueRef lane = jit_const(jit, 32, row * jit->row_lanes), none = jit_const(jit, 32, JIT_NO_WRAP);
    LLVMValueRef limit = LLVMBuildSub(jit->builder, value->limit, lane, "");
    LLVMValueRef within =
        LLVMBuildSub(jit->builder, limit, jit_const(jit, 32, 1), ""); /* 1 to W - 1, as unsigned numbers */
    LLVMValueRef inside =
        LLVMBuildICmp(jit->builder, LLVMIntULT, within, jit_const(jit, 32, jit->row_lanes - 1), "");
    return LLVMBuildSelect(jit->builder, inside, limit, none, "");
}

LLVMValueRef jit_row_limit(struct jit *jit, const struct jit_value *value, unsigned row)
{
    if (value->repr == JIT_ROWS) return value->regular ? value->limit : value->row_limit[row];
    return value->repr == JIT_AFFINE && value->limit ? affine_limit(jit, value, row) : NULL;
}

/* ---- masks */

LLVMValueRef jit_row_mask(struct jit *jit, LLVMValueRef mask, unsigned row)
{
    if (!jit->even_rows) return LLVMBuildAnd(jit->builder, mask, uneven_mask(jit, row), "");
    uint32_t lanes = jit->rows == 1 ? UINT32_MAX : ((1u << jit->row_lanes) - 1) << (row * jit->row_lanes);
    return LLVMBuildAnd(jit->builder, mask, jit_const(jit, 32, lanes), "");
}

LLVMValueRef jit_row_is_on(struct jit *jit, LLVMValueRef mask, unsigned row)
{
    return LLVMBuildICmp(jit->builder, LLVMIntNE, jit_row_mask(jit, mask, row), jit_const(jit, 32, 0), "");
}

LLVMValueRef jit_rows_mask(struct jit *jit, const struct jit_value *value)
{
    LLVMValueRef all = NULL;
    for (unsigned r = 0; r < jit->rows; r++) {
        LLVMValueRef wide = LLVMBuildSExt(jit->builder, jit_row_first(jit, value, r), jit->i32, "");
        wide = jit_row_mask(jit, wide, r);
        all = all ? LLVMBuildOr(jit->builder, all, wide, "") : wide;
    }
    return all;
}

/* ---- as vectors */

static LLVMValueRef spread_uneven(struct jit *jit, LLVMValueRef *rows, unsigned bits, unsigned part)
{
    LLVMValueRef out = jit_splat(jit, rows[0], bits), masks[JIT_MAX_PARTS];
    for (unsigned r = 1; r < jit->rows; r++) {
        if (rows[r] == rows[0]) continue;
        jit_mask_split(jit, uneven_mask(jit, r), masks);
        out = LLVMBuildSelect(jit->builder, masks[part], jit_splat(jit, rows[r], bits), out, "");
    }
    return out;
}

/* <n x type>: element i is that of row (first lane + i) / W. */
static LLVMValueRef spread(struct jit *jit, LLVMValueRef *rows, unsigned bits, unsigned part)
{
    unsigned lanes = jit->part.lanes, first = part * lanes / jit->row_lanes, count = lanes / jit->row_lanes;
    bool same = true;
    if (!jit->even_rows) return spread_uneven(jit, rows, bits, part);
    for (unsigned i = 1; i < count; i++)
        same &= rows[first + i] == rows[first];
    if (count <= 1 || same) return jit_splat(jit, rows[first], bits);
    LLVMTypeRef type = LLVMVectorType(jit_int(jit, bits), count);
    LLVMValueRef few = LLVMGetPoison(type), index[32];
    for (unsigned i = 0; i < count; i++)
        few = LLVMBuildInsertElement(jit->builder, few, rows[first + i], jit_const(jit, 32, i), "");
    for (unsigned l = 0; l < lanes; l++)
        index[l] = jit_const(jit, 32, l / jit->row_lanes);
    return LLVMBuildShuffleVector(jit->builder, few, LLVMGetPoison(type), LLVMConstVector(index, lanes), "");
}

/* Lane l's place in its row, times stride, and its row, times step */
static LLVMValueRef places(struct jit *jit, unsigned bits, unsigned part, int64_t stride, int64_t step)
{
    LLVMValueRef element[32];
    if (!jit->even_rows) {
        LLVMValueRef x = jit_resize(jit, uneven_places(jit, part), 32, bits, false);
        return LLVMBuildMul(jit->builder, x, jit_lane_consts(jit, bits, 0, (uint64_t)stride, 0), "");
    }
    for (unsigned i = 0; i < jit->part.lanes; i++) {
        unsigned lane = part * jit->part.lanes + i;
        int64_t sum = stride * (lane % jit->row_lanes) + step * (lane / jit->row_lanes);
        element[i] = jit_const(jit, bits, (uint64_t)sum);
    }
    return LLVMConstVector(element, jit->part.lanes);
}

static LLVMValueRef wraps_part(struct jit *jit, const struct jit_value *value, LLVMValueRef *limits,
                               unsigned part)
{
    LLVMValueRef lane = places(jit, 32, part, 1, 0);
    LLVMValueRef past = LLVMBuildICmp(jit->builder, LLVMIntUGE, lane, spread(jit, limits, 32, part), "");
    LLVMValueRef wrap = jit_lane_consts(jit, value->bits, part, (uint64_t)value->wrap, 0);
    return LLVMBuildSelect(jit->builder, past, wrap, LLVMConstNull(LLVMTypeOf(wrap)), "");
}

static void predicate_parts(struct jit *jit, const struct jit_value *value, LLVMValueRef *parts)
{
    jit_mask_split(jit, jit_rows_mask(jit, value), parts);
}

void jit_rows_parts(struct jit *jit, const struct jit_value *value, LLVMValueRef *parts)
{
    LLVMValueRef rows[JIT_MAX_ROWS], limits[JIT_MAX_ROWS];
    if (value->bits == 1) {
        predicate_parts(jit, value, parts);
        return;
    }
    bool stepped = value->regular && !value->wrap && jit->even_rows;
    for (unsigned r = 0; r < jit->rows; r++) {
        rows[r] = stepped ? value->scalar : jit_row_first(jit, value, r);
        limits[r] = jit_row_limit(jit, value, r);
    }
    for (unsigned p = 0; p < jit->part.parts; p++) {
        parts[p] = spread(jit, rows, value->bits, p);
        LLVMValueRef more = places(jit, value->bits, p, value->stride, stepped ? value->step : 0);
        parts[p] = LLVMBuildAdd(jit->builder, parts[p], more, "");
        if (value->wrap)
            parts[p] = LLVMBuildSub(jit->builder, parts[p], wraps_part(jit, value, limits, p), "");
    }
}

/* ---- as rows */

struct jit_value jit_value_rows(struct jit *jit, const struct jit_value *value)
{
    if (value->repr == JIT_VECTOR) BUG("a vector has no rows");
    struct jit_value out = *value;
    out.repr = JIT_ROWS;
    out.regular = false;
    out.limit = NULL;
    for (unsigned r = 0; r < jit->rows; r++) {
        out.part[r] = jit_row_first(jit, value, r);
        out.row_limit[r] = jit_row_limit(jit, value, r);
    }
    out.scalar = out.part[0];
    return out;
}

/* ---- pieces: the LLVM values that a value consists of, beside its limits */

unsigned jit_value_pieces(const struct jit *jit, enum jit_repr repr, bool regular)
{
    if (repr == JIT_VECTOR) return jit->part.parts;
    return repr == JIT_ROWS && !regular ? jit->rows : 1;
}

LLVMValueRef jit_value_piece(const struct jit_value *value, unsigned i)
{
    bool several = value->repr == JIT_VECTOR || (value->repr == JIT_ROWS && !value->regular);
    return several ? value->part[i] : value->scalar;
}

void jit_value_set_piece(struct jit_value *value, unsigned i, LLVMValueRef piece)
{
    value->part[i] = piece;
    if (i == 0 && value->repr != JIT_VECTOR) value->scalar = piece;
}

LLVMValueRef jit_value_limit(const struct jit_value *value, unsigned i)
{
    return value->repr == JIT_ROWS && !value->regular ? value->row_limit[i] : value->limit;
}

void jit_value_set_limit(struct jit_value *value, unsigned i, LLVMValueRef limit)
{
    if (value->repr == JIT_ROWS && !value->regular)
        value->row_limit[i] = limit;
    else
        value->limit = limit;
}

LLVMValueRef jit_value_is_exact(struct jit *jit, const struct jit_value *value)
{
    LLVMValueRef all = NULL, last = NULL;
    for (unsigned i = 0; i < jit_value_pieces(jit, value->repr, value->regular) && value->wrap; i++) {
        LLVMValueRef limit = jit_value_limit(value, i);
        if (!limit || limit == last) continue;
        last = limit;
        LLVMValueRef exact =
            LLVMBuildICmp(jit->builder, LLVMIntEQ, limit, jit_const(jit, 32, JIT_NO_WRAP), "");
        all = all ? LLVMBuildAnd(jit->builder, all, exact, "") : exact;
    }
    return all;
}
