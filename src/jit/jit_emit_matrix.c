/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix instructions: operands of mma and wmma.mma, fragments to and from memory (wmma.load, wmma.store,
 * ldmatrix, stmatrix), movmatrix (PTX ISA 9.7.14). Method: a fragment is planes, one for each element of a
 * lane; which matrix element that is is known now, so each lane's address is the base and a constant row and
 * column times the stride. Limits: as jit_matrix_refusal says. The probes do not count their memory accesses:
 * what they become on a GPU is not known from PTX. */
#include "jit_core_priv.h"

#include "jit_op_priv.h"

enum { MAX_PLANES = 16 };

static const struct ptx_operand *register_of(const struct ptx_operand *operand, unsigned i)
{
    return operand->kind == PTX_OPD_VEC ? &operand->elements[i] : operand;
}

static unsigned register_count(const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPD_VEC ? operand->count : 1;
}

static void write_register(struct jit *jit, const struct ptx_operand *to, LLVMValueRef *parts, unsigned bits)
{
    struct jit_value out = jit_value_vector(jit, parts, bits);
    if (to->kind == PTX_OPD_REG) jit_dest_write(jit, to->reg, &out, false);
}

/* <lanes x i64> of f(lane) */
static LLVMValueRef lane_vector(struct jit *jit, unsigned part,
                                uint64_t (*f)(unsigned lane, const void *context), const void *context)
{
    LLVMValueRef all[32];
    for (unsigned l = 0; l < jit->part.lanes; l++)
        all[l] = jit_const(jit, 64, f(part * jit->part.lanes + l, context));
    return LLVMConstVector(all, jit->part.lanes);
}

/* ---- multiplication */

static enum sw_status emit_multiply(struct jit *jit, const struct ptx_instr *instr)
{
    unsigned parts = jit->part.parts, count = 0, bits = ptx_instr_type(instr, 0) == PTX_F64 ? 64 : 32;
    LLVMValueRef src[24 * JIT_MAX_PARTS], dst[MAX_PLANES * JIT_MAX_PARTS] = {NULL}, active[JIT_MAX_PARTS];
    for (unsigned i = 1; i < instr->operand_count; i++) {
        for (unsigned r = 0; r < register_count(&instr->operands[i]); r++, count++) {
            struct jit_value value = jit_operand(jit, register_of(&instr->operands[i], r), bits);
            jit_value_parts(jit, &value, &src[count * parts]);
        }
    }
    for (unsigned p = 0; p < parts; p++)
        active[p] = LLVMConstAllOnes(LLVMVectorType(jit->i1, jit->part.lanes));
    SW_TRY(jit_op_warp(&jit->part, instr, src, count, active, dst, jit->error));
    for (unsigned r = 0; r < register_count(&instr->operands[0]); r++)
        write_register(jit, register_of(&instr->operands[0], r), &dst[r * parts], bits);
    return SW_OK;
}

/* ---- fragments of wmma */

struct fragment {
    unsigned rows, columns, planes,
        packing; /* planes: with copies, when the registers hold more than the matrix */
    enum ptx_type type;
    bool by_column; /* in memory */
    unsigned plane; /* the one at hand */
};

static bool describe(const struct ptx_instr *instr, struct fragment *f)
{
    unsigned shape[3];
    const struct ptx_operand *regs = &instr->operands[ptx_has(instr, PTX_MOD_STORE) ? 1 : 0];
    if (!jit_matrix_shape(instr, shape)) return false;
    f->rows = ptx_has(instr, PTX_MOD_B) ? shape[2] : shape[0];
    f->columns = ptx_has(instr, PTX_MOD_A) ? shape[2] : shape[1];
    f->type = ptx_instr_type(instr, 0);
    f->packing = jit_matrix_packing(f->type);
    f->planes = register_count(regs) * f->packing;
    f->by_column = ptx_has(instr, PTX_MOD_COL);
    unsigned total = f->rows * f->columns;
    return f->planes <= MAX_PLANES && f->planes * 32 >= total && total % 32 == 0 &&
           ptx_type_bits(f->type) >= 8;
}

static uint64_t major(unsigned lane, const void *context)
{
    const struct fragment *f = context;
    unsigned at = jit_fragment_element(f->plane, lane, f->rows * f->columns);
    return f->by_column ? at % f->columns : at / f->columns;
}

static uint64_t minor(unsigned lane, const void *context)
{
    const struct fragment *f = context;
    unsigned at = jit_fragment_element(f->plane, lane, f->rows * f->columns);
    return f->by_column ? at / f->columns : at % f->columns;
}

/* Bytes from one row (or column) to the next; without an operand the matrix is dense. */
static void stride_of(struct jit *jit, const struct ptx_instr *instr, const struct fragment *f,
                      LLVMValueRef *parts)
{
    unsigned bytes = ptx_type_bits(f->type) / 8;
    if (instr->operand_count < 3) {
        unsigned dense = f->by_column ? f->rows : f->columns;
        for (unsigned p = 0; p < jit->part.parts; p++)
            parts[p] = jit_lane_consts(jit, 64, p, (uint64_t)dense * bytes, 0);
        return;
    }
    struct jit_value stride = jit_operand(jit, &instr->operands[2], 32);
    jit_value_parts(jit, &stride, parts);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef wide = LLVMBuildZExt(jit->builder, parts[p], jit_vec(jit, 64), "");
        parts[p] = LLVMBuildMul(jit->builder, wide, jit_lane_consts(jit, 64, p, bytes, 0), "");
    }
}

/* Load or store one plane: base + major * stride + minor * bytes. */
static void move_plane(struct jit *jit, const struct fragment *f, LLVMValueRef *base, LLVMValueRef *stride,
                       LLVMValueRef mask, bool is_store, LLVMValueRef *values)
{
    struct jit_access access = {.bits = ptx_type_bits(f->type), .count = 1, .is_store = is_store};
    access.bytes = access.bits / 8;
    LLVMValueRef at[JIT_MAX_PARTS];
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef row = LLVMBuildMul(jit->builder, stride[p], lane_vector(jit, p, major, f), "");
        LLVMValueRef bytes = jit_lane_consts(jit, 64, p, access.bytes, 0);
        LLVMValueRef column = LLVMBuildMul(jit->builder, lane_vector(jit, p, minor, f), bytes, "");
        at[p] = LLVMBuildAdd(jit->builder, base[p], LLVMBuildAdd(jit->builder, row, column, ""), "");
    }
    jit_access_lanes(jit, &access, jit_spill_addresses(jit, at), 0, mask, values);
}

static void fragment_address(struct jit *jit, const struct ptx_instr *instr, unsigned operand,
                             LLVMValueRef *base)
{
    struct jit_address address = jit_address_of(jit, instr, &instr->operands[operand]);
    jit_address_lanes(jit, &address, base);
}

static enum sw_status emit_load_fragment(struct jit *jit, const struct ptx_instr *instr)
{
    struct fragment f;
    describe(instr, &f);
    LLVMValueRef base[JIT_MAX_PARTS], stride[JIT_MAX_PARTS], plane[MAX_PLANES][JIT_MAX_PARTS];
    unsigned own = f.rows * f.columns / 32, bits = ptx_type_bits(f.type), wide = bits < 32 ? 32 : bits;
    fragment_address(jit, instr, 1, base);
    stride_of(jit, instr, &f, stride);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    for (f.plane = 0; f.plane < own && f.plane < f.planes; f.plane++)
        move_plane(jit, &f, base, stride, lanes.mask, false, plane[f.plane]);
    for (unsigned r = 0; r < f.planes / f.packing; r++) {
        LLVMValueRef whole[JIT_MAX_PARTS];
        for (unsigned p = 0; p < jit->part.parts; p++) {
            whole[p] = NULL;
            for (unsigned i = 0; i < f.packing; i++) {
                LLVMValueRef one = jit_resize(jit, plane[(r * f.packing + i) % own][p], bits, wide, false);
                if (i)
                    one = LLVMBuildShl(jit->builder, one,
                                       jit_lane_consts(jit, wide, p, (uint64_t)i * bits, 0), "");
                whole[p] = i ? LLVMBuildOr(jit->builder, whole[p], one, "") : one;
            }
        }
        write_register(jit, register_of(&instr->operands[0], r), whole, wide);
    }
    return SW_OK;
}

static enum sw_status emit_store_fragment(struct jit *jit, const struct ptx_instr *instr)
{
    struct fragment f;
    describe(instr, &f);
    LLVMValueRef base[JIT_MAX_PARTS], stride[JIT_MAX_PARTS];
    unsigned bits = ptx_type_bits(f.type), wide = bits < 32 ? 32 : bits, own = f.rows * f.columns / 32;
    fragment_address(jit, instr, 0, base);
    stride_of(jit, instr, &f, stride);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    for (f.plane = 0; f.plane < own; f.plane++) {
        LLVMValueRef values[JIT_MAX_PARTS];
        struct jit_value reg = jit_operand(jit, register_of(&instr->operands[1], f.plane / f.packing), wide);
        jit_value_parts(jit, &reg, values);
        for (unsigned p = 0; p < jit->part.parts && bits < wide; p++) {
            uint64_t shift = (uint64_t)(f.plane % f.packing) * bits;
            LLVMValueRef by = jit_lane_consts(jit, wide, p, shift, 0);
            values[p] = jit_resize(jit, LLVMBuildLShr(jit->builder, values[p], by, ""), wide, bits, false);
        }
        move_plane(jit, &f, base, stride, lanes.mask, true, values);
    }
    return SW_OK;
}

/* ---- ldmatrix, stmatrix: lane 8 i + r has the address of row r of the 8 by 8 matrix i; lane l holds
 * elements 2 (l % 4) and the next of row l / 4, transposed: of column l / 4 */

static unsigned matrix_count(const struct ptx_instr *instr)
{
    return ptx_has(instr, PTX_MOD_X4) ? 4 : ptx_has(instr, PTX_MOD_X2) ? 2 : 1;
}

static uint64_t pair_offset(unsigned lane, const void *context)
{
    (void)context;
    return lane % 4 * 4;
}

static uint64_t element_offset(unsigned lane, const void *context)
{
    (void)context;
    return lane / 4 * 2;
}

/* Addresses of what each lane moves of matrix i; half: of a transposed one, where the two are in different
 * rows. */
static void row_addresses(struct jit *jit, LLVMValueRef *rows, unsigned i, bool transposed, unsigned half,
                          LLVMValueRef *out)
{
    for (unsigned p = 0; p < jit->part.parts; p++) {
        unsigned place[32];
        for (unsigned l = 0; l < jit->part.lanes; l++) {
            unsigned lane = p * jit->part.lanes + l;
            place[l] = 8 * i + (transposed ? 2 * (lane % 4) + half : lane / 4);
        }
        LLVMValueRef row = jv_gather_places(&jit->part, rows, place);
        LLVMValueRef within = lane_vector(jit, p, transposed ? element_offset : pair_offset, NULL);
        out[p] = LLVMBuildAdd(jit->builder, row, within, "");
    }
}

static void move_matrix(struct jit *jit, LLVMValueRef *rows, unsigned i, bool transposed, bool is_store,
                        LLVMValueRef mask, LLVMValueRef *words)
{
    LLVMValueRef at[JIT_MAX_PARTS], half[2][JIT_MAX_PARTS];
    struct jit_access access = {.bits = transposed ? 16 : 32, .count = 1, .is_store = is_store};
    access.bytes = access.bits / 8;
    for (unsigned h = 0; h < (transposed ? 2u : 1u); h++) {
        LLVMValueRef *values = transposed ? half[h] : words;
        for (unsigned p = 0; transposed && is_store && p < jit->part.parts; p++)
            half[h][p] = jv_trunc(&jit->part, jv_lshr_k(&jit->part, words[p], 16 * h), 16);
        row_addresses(jit, rows, i, transposed, h, at);
        jit_access_lanes(jit, &access, jit_spill_addresses(jit, at), 0, mask, values);
    }
    for (unsigned p = 0; transposed && !is_store && p < jit->part.parts; p++) {
        LLVMValueRef low = jv_zext(&jit->part, half[0][p], 32), high = jv_zext(&jit->part, half[1][p], 32);
        words[p] = jv_or(&jit->part, low, jv_shl_k(&jit->part, high, 16));
    }
}

static enum sw_status emit_matrices(struct jit *jit, const struct ptx_instr *instr)
{
    bool is_store = instr->op == PTX_OP_STMATRIX, transposed = ptx_has(instr, PTX_MOD_TRANS);
    const struct ptx_operand *regs = &instr->operands[is_store ? 1 : 0];
    LLVMValueRef rows[JIT_MAX_PARTS], words[4][JIT_MAX_PARTS];
    fragment_address(jit, instr, is_store ? 0 : 1, rows);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    for (unsigned i = 0; i < matrix_count(instr); i++) {
        if (is_store) {
            struct jit_value value = jit_operand(jit, register_of(regs, i), 32);
            jit_value_parts(jit, &value, words[i]);
        }
        move_matrix(jit, rows, i, transposed, is_store, lanes.mask, words[i]);
    }
    for (unsigned i = 0; i < matrix_count(instr) && !is_store; i++)
        write_register(jit, register_of(regs, i), words[i], 32);
    return SW_OK;
}

/* Element (r, c) of the result is (c, r) of the source. */
static enum sw_status emit_transpose(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_part *part = &jit->part;
    LLVMValueRef word[JIT_MAX_PARTS], halves[2 * JIT_MAX_PARTS], out[JIT_MAX_PARTS];
    struct jit_value value = jit_operand(jit, &instr->operands[1], 32);
    jit_value_parts(jit, &value, word);
    for (unsigned i = 0; i < 2 * part->parts; i++)
        halves[i] = jv_trunc(part, jv_lshr_k(part, word[i % part->parts], i / part->parts * 16), 16);
    for (unsigned p = 0; p < part->parts; p++) {
        LLVMValueRef one[2];
        for (unsigned h = 0; h < 2; h++) {
            unsigned place[32];
            for (unsigned l = 0; l < part->lanes; l++) {
                unsigned lane = p * part->lanes + l, row = 2 * (lane % 4) + h, column = lane / 4;
                place[l] = column % 2 * 32 + row * 4 + column / 2;
            }
            one[h] = jv_zext(part, jv_gather_places(part, halves, place), 32);
        }
        out[p] = jv_or(part, one[0], jv_shl_k(part, one[1], 16));
    }
    write_register(jit, &instr->operands[0], out, 32);
    return SW_OK;
}

/* ---- which */

const char *jit_matrix_refusal(const struct ptx_instr *instr)
{
    static const char *why =
        "this matrix form is not done: f16, bf16, tf32, f64 and 8-bit integers are, dense";
    struct fragment f;
    switch ((unsigned)instr->op) {
    case PTX_OP_WMMA:
        if (ptx_has(instr, PTX_MOD_MMA)) return jit_op_warp_supported(instr) ? NULL : why;
        return describe(instr, &f) ? NULL : why;
    case PTX_OP_LDMATRIX:
    case PTX_OP_STMATRIX: {
        bool plain = ptx_has(instr, PTX_MOD_M8N8) && ptx_instr_type(instr, 0) == PTX_B16;
        const struct ptx_operand *regs = &instr->operands[instr->op == PTX_OP_STMATRIX ? 1 : 0];
        return plain && register_count(regs) == matrix_count(instr) ? NULL : why;
    }
    case PTX_OP_MOVMATRIX: return NULL;
    default: return jit_op_warp_supported(instr) ? NULL : why;
    }
}

enum sw_status jit_emit_matrix(struct jit *jit, const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case PTX_OP_LDMATRIX:
    case PTX_OP_STMATRIX: return emit_matrices(jit, instr);
    case PTX_OP_MOVMATRIX: return emit_transpose(jit, instr);
    default: break;
    }
    if (ptx_has(instr, PTX_MOD_LOAD)) return emit_load_fragment(jit, instr);
    return ptx_has(instr, PTX_MOD_STORE) ? emit_store_fragment(jit, instr) : emit_multiply(jit, instr);
}
