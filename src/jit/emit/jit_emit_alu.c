/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise instructions and mov: chooses between one scalar operation (uniform and affine results: lane
 * 0's operands give lane 0's result, the stride is known), one a row, likewise, and one operation a part.
 * Limits: what an operation computes is jit_op_*.c's. */
#include "jit_emit_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_rows.h"
#include "jit/value/jit_values.h"

#include <string.h>

static struct jit_reg *dest_reg(struct jit *jit, const struct ptx_operand *operand)
{
    bool has = (operand->kind == ISA_OPD_REG || operand->kind == ISA_OPD_PAIR) && operand->reg != PTX_NO_REG;
    return has ? &jit->regs[operand->reg] : NULL;
}

/* Of so many lanes in a progression from `first` on, those below the result are exact; from there on a
 * widened 32-bit value has wrapped. */
static LLVMValueRef wrap_limit(struct jit *jit, LLVMValueRef first, int64_t stride, unsigned count,
                               bool is_signed)
{
    uint64_t reach = (uint64_t)(stride < 0 ? -stride : stride);
    uint64_t edge = is_signed ? stride > 0 ? INT32_MAX : 1ull << 31 : stride > 0 ? UINT32_MAX : 0;
    LLVMValueRef bound = jit_const(jit, 32, edge);
    LLVMValueRef headroom = stride > 0 ? LLVMBuildSub(jit->builder, bound, first, "")
                                       : LLVMBuildSub(jit->builder, first, bound, "");
    LLVMValueRef steps = LLVMBuildUDiv(jit->builder, headroom, jit_const(jit, 32, reach), "");
    LLVMValueRef enough = LLVMBuildICmp(jit->builder, LLVMIntUGE, steps, jit_const(jit, 32, count - 1), "");
    LLVMValueRef lanes = LLVMBuildAdd(jit->builder, steps, jit_const(jit, 32, 1), "");
    return LLVMBuildSelect(jit->builder, enough, jit_const(jit, 32, JIT_NO_WRAP), lanes, "");
}

/* row: of a result by rows, or -1 */
static LLVMValueRef result_limit(struct jit *jit, const struct ptx_instr *instr, const struct jit_value *src,
                                 unsigned count, int row)
{
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef limit = row < 0 ? src[i].limit : jit_row_limit(jit, &src[i], (unsigned)row);
        if (limit) return limit;
    }
    bool is_signed = isa_type_kind(ptx_instr_type(instr, instr->op == ISA_OP_CVT ? 1 : 0)) == ISA_KIND_SINT;
    for (unsigned i = 0; i < count; i++) {
        bool steps = (src[i].repr == JIT_AFFINE || src[i].repr == JIT_ROWS) && src[i].stride;
        if (!steps || src[i].bits != 32) continue;
        if (row < 0) return wrap_limit(jit, src[i].scalar, src[i].stride, SW_WARP_LANES, is_signed);
        LLVMValueRef first = jit_row_first(jit, &src[i], (unsigned)row);
        return wrap_limit(jit, first, src[i].stride, jit->row_lanes, is_signed);
    }
    return NULL;
}

static unsigned read_sources(struct jit *jit, const struct ptx_instr *instr, struct jit_value *src)
{
    unsigned count = 0;
    for (unsigned i = 1; i < instr->operand_count; i++, count++) {
        struct ptx_operand from = instr->operands[i];
        if (instr->op == ISA_OP_VMAD) from.negate = false; /* of the product, which the operation makes */
        src[count] = jit_operand(jit, &from, jit_source_bits(instr, count));
    }
    if (jit_reads_carry(instr)) src[count++] = jit_reg_read(jit, JIT_REG_CARRY(jit));
    return count;
}

/* rows: of the first row's first lane, or of lane 0 */
static enum sw_status scalar_op(struct jit *jit, const struct ptx_instr *instr, const struct jit_value *src,
                                unsigned count, bool rows, struct jit_value *out, unsigned *out_bits)
{
    LLVMValueRef in[JIT_MAX_SOURCES + 1], dst[2] = {NULL, NULL};
    for (unsigned i = 0; i < count; i++)
        in[i] = rows ? jit_row_first(jit, &src[i], 0) : src[i].scalar;
    SW_TRY(jit_op_elementwise(&jit->one, instr, in, count, dst, jit->error));
    for (unsigned k = 0; k < 2; k++)
        if (dst[k]) out[k] = jit_value_scalar(dst[k], out_bits[k]);
    return SW_OK;
}

static enum sw_status vector_op(struct jit *jit, const struct ptx_instr *instr, const struct jit_value *src,
                                unsigned count, struct jit_value *out, unsigned *out_bits)
{
    LLVMValueRef parts[JIT_MAX_SOURCES + 1][JIT_MAX_PARTS], in[JIT_MAX_SOURCES + 1];
    for (unsigned i = 0; i < count; i++)
        jit_value_parts(jit, &src[i], parts[i]);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef dst[2] = {NULL, NULL};
        for (unsigned i = 0; i < count; i++)
            in[i] = parts[i][p];
        SW_TRY(jit_op_elementwise(&jit->part, instr, in, count, dst, jit->error));
        for (unsigned k = 0; k < 2; k++) {
            if (!dst[k]) continue;
            out[k].repr = JIT_VECTOR;
            out[k].bits = out_bits[k];
            out[k].part[p] = dst[k];
        }
    }
    return SW_OK;
}

static enum sw_status lanes_op(struct jit *jit, const struct ptx_instr *instr, const struct jit_value *src,
                               unsigned count, struct jit_value *out, unsigned *out_bits)
{
    bool divided = false;
    SW_TRY(jit_emit_divide(jit, instr, src, &out[0], &divided));
    return divided ? SW_OK : vector_op(jit, instr, src, count, out, out_bits);
}

/* Are a row's sources those of the row before? Then so is its result. */
static bool is_same_row(LLVMValueRef *a, LLVMValueRef *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (a[i] != b[i]) return false;
    return true;
}

/* The first lanes of the rows; strides are known. */
static enum sw_status rows_op(struct jit *jit, const struct ptx_instr *instr, const struct jit_value *src,
                              unsigned count, const struct jit_abstract *abstract, struct jit_value *out,
                              unsigned *out_bits)
{
    LLVMValueRef in[2][JIT_MAX_SOURCES + 1], dst[2] = {NULL, NULL}, limit = NULL;
    for (unsigned r = 0; r < jit->rows; r++) {
        for (unsigned i = 0; i < count; i++)
            in[r % 2][i] = jit_row_first(jit, &src[i], r);
        bool same = r && is_same_row(in[0], in[1], count);
        if (!same) {
            dst[0] = dst[1] = NULL;
            LLVMValueRef copy[JIT_MAX_SOURCES + 1];
            memcpy(copy, in[r % 2], sizeof copy);
            SW_TRY(jit_op_elementwise(&jit->one, instr, copy, count, dst, jit->error));
        }
        if (abstract->wrap && !same) limit = result_limit(jit, instr, src, count, (int)r);
        for (unsigned k = 0; k < 2; k++) {
            if (!dst[k]) continue;
            out[k].repr = JIT_ROWS;
            out[k].bits = out_bits[k];
            jit_value_set_piece(&out[k], r, dst[k]);
        }
        out[0].row_limit[r] = limit;
    }
    out[0].stride = abstract->stride;
    out[0].wrap = abstract->wrap;
    return SW_OK;
}

static bool is_irregular(const struct jit_reg *reg)
{
    return reg && reg->abstract.repr == JIT_ROWS && !reg->abstract.regular;
}

static bool all_scalar(const struct jit_value *src, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (src[i].repr != JIT_SCALAR) return false;
    return true;
}

static bool any_vector(const struct jit_value *src, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (src[i].repr == JIT_VECTOR) return true;
    return false;
}

/* A source of which the result takes what whole rows have alike (jit_abstract.shift): each row's first lane,
 * or the warp's. */
static void take_first_lanes(struct jit *jit, struct jit_value *value, bool rows)
{
    struct jit_value out = {.repr = rows ? JIT_ROWS : JIT_SCALAR, .bits = value->bits};
    for (unsigned r = 0; r < (rows ? jit->rows : 1); r++) {
        unsigned lane = r * jit->row_lanes;
        LLVMValueRef place = jit_const(jit, 32, lane % jit->part.lanes);
        LLVMValueRef one =
            LLVMBuildExtractElement(jit->builder, value->part[lane / jit->part.lanes], place, "");
        if (rows)
            jit_value_set_piece(&out, r, one);
        else
            out.scalar = one;
    }
    *value = out;
}

static void take_alike(struct jit *jit, const struct ptx_instr *instr, const struct jit_reg *reg,
                       struct jit_value *src, unsigned count)
{
    if (!reg || (reg->abstract.repr != JIT_SCALAR && reg->abstract.repr != JIT_ROWS)) return;
    for (unsigned i = 0; i < count; i++)
        if ((instr->op == ISA_OP_AND || instr->op == ISA_OP_OR) && src[i].repr == JIT_VECTOR)
            take_first_lanes(jit, &src[i], reg->abstract.repr == JIT_ROWS);
}

enum sw_status jit_emit_elementwise(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_value src[JIT_MAX_SOURCES + 1], out[2] = {{0}, {0}};
    bool done = false;
    if (jit->request->quick) SW_TRY(jit_emit_shared(jit, instr, &done));
    if (done) return SW_OK;
    unsigned count = read_sources(jit, instr, src);
    jit_count_slow(jit, instr, src);
    unsigned bits[2] = {jit_dest_bits(instr), 1};
    const struct ptx_operand *to = &instr->operands[0];
    struct jit_reg *reg = dest_reg(jit, to);
    bool pair = to->kind == ISA_OPD_PAIR && to->reg2 != PTX_NO_REG;
    bool rows = is_irregular(reg) || (pair && is_irregular(&jit->regs[to->reg2]));
    take_alike(jit, instr, reg, src, count);
    bool lane0 =
        reg && reg->abstract.repr != JIT_VECTOR && !jit_writes_carry(instr) && to->kind == ISA_OPD_REG;
    struct jit_abstract abstract = reg ? reg->abstract : (struct jit_abstract){0};
    if (rows && !jit_writes_carry(instr) && !any_vector(src, count))
        SW_TRY(rows_op(jit, instr, src, count, &abstract, out, bits));
    else if (all_scalar(src, count) || lane0)
        SW_TRY(scalar_op(jit, instr, src, count, abstract.repr == JIT_ROWS, out, bits));
    else
        SW_TRY(lanes_op(jit, instr, src, count, out, bits));
    bool steps = abstract.repr == JIT_AFFINE || (abstract.repr == JIT_ROWS && abstract.regular);
    if (steps && out[0].repr == JIT_SCALAR) {
        LLVMValueRef first = out[0].scalar;
        out[0] = jit_reg_value(reg);
        out[0].scalar = first;
        out[0].bits = bits[0];
        int row = abstract.repr == JIT_ROWS ? 0 : -1;
        if (out[0].wrap) out[0].limit = result_limit(jit, instr, src, count, row);
    }
    bool other_first = pair && to->reg == instr->guard; /* the guard is written last: each write reads it */
    if (other_first) jit_dest_write(jit, to->reg2, &out[1], false);
    if (reg) jit_dest_write(jit, to->reg, &out[0], jit_dest_signed(instr));
    if (pair && !other_first) jit_dest_write(jit, to->reg2, &out[1], false);
    if (jit_writes_carry(instr) && out[1].repr != JIT_UNSET)
        jit_dest_write(jit, JIT_REG_CARRY(jit), &out[1], false);
    return SW_OK;
}

/* ---- mov */

static LLVMValueRef pack_one(struct jit *jit, LLVMValueRef so_far, LLVMValueRef piece, unsigned piece_bits,
                             unsigned bits, unsigned at)
{
    LLVMValueRef wide = jit_resize(jit, piece, piece_bits, bits, false);
    if (at == 0) return wide;
    LLVMTypeRef type = LLVMTypeOf(wide);
    LLVMValueRef count = jit_const(jit, bits, (uint64_t)at * piece_bits);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        count = jit_lane_consts(jit, bits, 0, (uint64_t)at * piece_bits, 0);
    return LLVMBuildOr(jit->builder, so_far, LLVMBuildShl(jit->builder, wide, count, ""), "");
}

static void mov_pack(struct jit *jit, const struct ptx_instr *instr, unsigned bits)
{
    const struct ptx_operand *from = &instr->operands[1];
    unsigned piece = bits / from->count;
    struct jit_value element[8];
    bool scalar = true;
    for (unsigned i = 0; i < from->count; i++) {
        element[i] = jit_operand(jit, &from->elements[i], piece);
        scalar &= element[i].repr == JIT_SCALAR;
    }
    struct jit_value out = {.repr = scalar ? JIT_SCALAR : JIT_VECTOR, .bits = bits};
    for (unsigned i = 0; i < from->count; i++) {
        LLVMValueRef parts[JIT_MAX_PARTS];
        if (scalar) {
            out.scalar = pack_one(jit, out.scalar, element[i].scalar, piece, bits, i);
            continue;
        }
        jit_value_parts(jit, &element[i], parts);
        for (unsigned p = 0; p < jit->part.parts; p++)
            out.part[p] = pack_one(jit, out.part[p], parts[p], piece, bits, i);
    }
    jit_dest_write(jit, instr->operands[0].reg, &out, false);
}

static LLVMValueRef unpack_one(struct jit *jit, LLVMValueRef whole, unsigned bits, unsigned piece,
                               unsigned at)
{
    LLVMValueRef count = jit_const(jit, bits, (uint64_t)at * piece);
    if (LLVMGetTypeKind(LLVMTypeOf(whole)) == LLVMVectorTypeKind)
        count = jit_lane_consts(jit, bits, 0, (uint64_t)at * piece, 0);
    if (at) whole = LLVMBuildLShr(jit->builder, whole, count, "");
    return jit_resize(jit, whole, bits, piece, false);
}

static void mov_unpack(struct jit *jit, const struct ptx_instr *instr, unsigned bits)
{
    const struct ptx_operand *to = &instr->operands[0];
    unsigned piece = bits / to->count;
    struct jit_value whole = jit_operand(jit, &instr->operands[1], bits);
    LLVMValueRef parts[JIT_MAX_PARTS];
    if (whole.repr != JIT_SCALAR) jit_value_parts(jit, &whole, parts);
    for (unsigned i = 0; i < to->count; i++) {
        if (to->elements[i].kind != ISA_OPD_REG) continue;
        struct jit_value out = {.repr = whole.repr == JIT_SCALAR ? JIT_SCALAR : JIT_VECTOR, .bits = piece};
        if (out.repr == JIT_SCALAR) out.scalar = unpack_one(jit, whole.scalar, bits, piece, i);
        for (unsigned p = 0; p < jit->part.parts && out.repr == JIT_VECTOR; p++)
            out.part[p] = unpack_one(jit, parts[p], bits, piece, i);
        jit_dest_write(jit, to->elements[i].reg, &out, false);
    }
}

enum sw_status jit_emit_mov(struct jit *jit, const struct ptx_instr *instr)
{
    enum isa_type type = ptx_instr_type(instr, 0);
    unsigned bits = isa_type_bits(type);
    if (instr->operands[1].kind == ISA_OPD_VEC && instr->operands[0].kind == ISA_OPD_REG) {
        mov_pack(jit, instr, bits);
    } else if (instr->operands[0].kind == ISA_OPD_VEC && instr->operands[1].kind != ISA_OPD_VEC) {
        mov_unpack(jit, instr, bits);
    } else {
        struct jit_value value = jit_operand(jit, &instr->operands[1], bits);
        jit_dest_write(jit, instr->operands[0].reg, &value, false);
    }
    return SW_OK;
}
