/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: matrix instructions (PTX ISA 9.7.14): mma, mma.sp, wmma, ldmatrix, stmatrix, movmatrix.
 * Method: registers go to memory, the engine multiplies or moves them (struct jit_helpers), and they come
 * back: two dozen vectors do not fit into machine registers anyway, a kernel with thousands of these
 * instructions stays small, and sums that round as tensor cores do are long code. Limits: as
 * jit_matrix_refusal says. */
#include "jit_emit_priv.h"
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/emit/jit_emit.h"
#include "jit/op/jit_op_matrix.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

#include <stddef.h>
#include <string.h>

enum { MAX_REGISTERS = 8 * 4 + 1 };

static const struct ptx_operand *register_of(const struct ptx_operand *operand, unsigned i)
{
    return operand->kind == ISA_OPD_VEC ? &operand->elements[i] : operand;
}

static unsigned register_count(const struct ptx_operand *operand)
{
    return operand->kind == ISA_OPD_VEC ? operand->count : 1;
}

static LLVMValueRef area(struct jit *jit, LLVMValueRef *slot, const char *name)
{
    if (*slot) return *slot;
    *slot = jit_slot(jit, LLVMArrayType2(jit->i64, 32ull * MAX_REGISTERS), name);
    LLVMSetAlignment(*slot, 64);
    return *slot;
}

static LLVMValueRef fragment_position(struct jit *jit, LLVMValueRef slot, unsigned at, unsigned p)
{
    return jit_offset(jit, slot, at + (uint64_t)p * jit->part.lanes * 4);
}

/* Registers [0, count) of an operand to `at` bytes after slot; returns where the next goes. */
static unsigned matrix_put(struct jit *jit, const struct ptx_operand *operand, unsigned count, unsigned bits,
                           LLVMValueRef slot, unsigned at)
{
    for (unsigned r = 0; r < count; r++, at += 32 * bits / 8) {
        LLVMValueRef parts[JIT_MAX_PARTS];
        struct jit_value value = jit_operand(jit, register_of(operand, r), bits);
        jit_value_parts(jit, &value, parts);
        for (unsigned p = 0; p < jit->part.parts; p++)
            LLVMSetAlignment(
                LLVMBuildStore(jit->builder, parts[p], fragment_position(jit, slot, at, p * bits / 32)), 16);
    }
    return at;
}

/* own: registers after which they repeat. */
static void fragment_get(struct jit *jit, const struct ptx_operand *operand, unsigned own, unsigned bits,
                         LLVMValueRef slot)
{
    for (unsigned r = 0; r < register_count(operand); r++) {
        const struct ptx_operand *to = register_of(operand, r);
        LLVMValueRef parts[JIT_MAX_PARTS];
        if (to->kind != ISA_OPD_REG) continue; /* _ */
        for (unsigned p = 0; p < jit->part.parts; p++) {
            LLVMValueRef from = fragment_position(jit, slot, r % own * 32 * bits / 8, p * bits / 32);
            parts[p] = LLVMBuildLoad2(jit->builder, jit_vec(jit, bits), from, "");
            LLVMSetAlignment(parts[p], 16);
        }
        struct jit_value value = jit_value_vector(jit, parts, bits);
        jit_dest_write(jit, to->reg, &value, false);
    }
}

static LLVMValueRef fragment_packed(struct jit *jit, const void *op)
{
    uint64_t code;
    memcpy(&code, op, sizeof code);
    return jit_const(jit, 64, code);
}

/* ---- multiplication */

static void emit_multiply(struct jit *jit, const struct ptx_instr *instr, const struct ptx_matrix *form)
{
    struct jit_matrix_op op = jit_matrix_op_of(instr, form);
    unsigned at = 0, bits = form->type[0] == ISA_F64 ? 64 : 32;
    op.isa = (uint8_t)jit->part.isa;
    LLVMValueRef from = area(jit, &jit->matrix_from, "factors"), to = area(jit, &jit->matrix_to, "product");
    for (unsigned i = 1; i < 4; i++)
        at = matrix_put(jit, &instr->operands[i], form->own[i], bits, from, at);
    if (op.flags & JIT_MATRIX_SPARSE) matrix_put(jit, &instr->operands[4], 1, 32, from, at);
    LLVMTypeRef types[] = {jit->ptr, jit->i64, jit->ptr, jit->ptr};
    LLVMValueRef args[] = {jit->ctx, fragment_packed(jit, &op), from, to};
    jit_helper_call(jit, offsetof(struct jit_helpers, matrix), LLVMFunctionType(jit->empty, types, 4, 0),
                    args, 4);
    fragment_get(jit, &instr->operands[0], form->own[0], bits, to);
}

/* ---- memory */

static void strides(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef *parts)
{
    if (instr->op != ISA_OP_WMMA || instr->operand_count < 3) {
        for (unsigned p = 0; p < jit->part.parts; p++)
            parts[p] = jit_lane_consts(jit, 32, p, 0, 0);
        return;
    }
    struct jit_value stride = jit_operand(jit, &instr->operands[2], 32);
    jit_value_parts(jit, &stride, parts);
}

/* ldmatrix, stmatrix: lane 8 i + r has the address of row r of matrix i. */
static void check_rows(struct jit *jit, const struct ptx_instr *instr, const struct ptx_matrix *form,
                       const struct jit_address *address, struct jit_lanes lanes)
{
    enum { ROWS = 8, ROW_BYTES = 16 };
    unsigned count = form->own[0] * ROWS;
    LLVMValueRef parts[JIT_MAX_PARTS];
    if (!(jit->request->probes & EVENT_PROBE_BOUNDS)) return;
    if (count < SW_WARP_LANES) {
        uint64_t some = (UINT64_C(1) << count) - 1;
        LLVMValueRef mask = LLVMBuildAnd(jit->builder, lanes.mask, jit_const(jit, 32, some), "");
        jit_mask_split(jit, mask, parts);
        lanes = (struct jit_lanes){.mask = mask, .parts = parts, .may_be_empty = true};
    }
    jit_bounds_check_copy(jit, &instr->operands[form->store ? 0 : 1], address, &lanes, ROW_BYTES,
                          form->store);
}

static void emit_move(struct jit *jit, const struct ptx_instr *instr, const struct ptx_matrix *form)
{
    struct jit_fragment_op op = jit_fragment_op_of(instr, form);
    bool is_store = form->store;
    const struct ptx_operand *regs = &instr->operands[is_store ? 1 : 0];
    unsigned bits = form->type[0] == ISA_F64 ? 64 : 32;
    struct jit_address address = jit_address_of(jit, instr, &instr->operands[is_store ? 0 : 1]);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    if (form->letter == 'm') check_rows(jit, instr, form, &address, lanes);
    LLVMValueRef addresses[JIT_MAX_PARTS], stride[JIT_MAX_PARTS],
        slot = area(jit, &jit->matrix_to, "product");
    jit_address_lanes(jit, &address, addresses);
    strides(jit, instr, stride);
    LLVMTypeRef types[] = {jit->ptr, jit->i64, jit->i32, jit->ptr, jit->ptr, jit->ptr};
    LLVMValueRef args[] = {jit->ctx,
                           fragment_packed(jit, &op),
                           lanes.mask,
                           jit_spill_addresses(jit, addresses),
                           jit_spill_values(jit, stride, 32),
                           slot};
    jit_count_fragment(jit, instr, &address, args);
    if (is_store) matrix_put(jit, regs, form->own[0], bits, slot, 0);
    jit_permissions_line(jit);
    jit_helper_call(jit, offsetof(struct jit_helpers, fragment), LLVMFunctionType(jit->empty, types, 6, 0),
                    args, 6);
    if (!is_store) fragment_get(jit, regs, form->own[0], bits, slot);
}

/* ---- movmatrix: element (r, c) of the result is (c, r) of the source */

/* Lane l of the result is lane position[l] % lanes of vectors[position[l] / lanes]: one shuffle for each
 * vector that is read. */
static jv gather_lanes(struct jit_part *p, LLVMValueRef *vectors, const unsigned *position)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(p->context);
    LLVMValueRef index[32];
    bool done[32] = {false};
    jv result = NULL;
    for (unsigned first = 0; first < p->lanes; first++) {
        if (done[first]) continue;
        unsigned vector = position[first] / p->lanes;
        for (unsigned l = 0; l < p->lanes; l++) {
            bool here = position[l] / p->lanes == vector;
            unsigned from = p->lanes + position[l] % p->lanes;
            index[l] = LLVMConstInt(i32, here ? from : l, false);
            done[l] |= here;
        }
        jv base = result ? result : vectors[vector];
        result =
            LLVMBuildShuffleVector(p->builder, base, vectors[vector], LLVMConstVector(index, p->lanes), "");
    }
    return result;
}

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
            unsigned from[32];
            for (unsigned l = 0; l < part->lanes; l++) {
                unsigned lane = p * part->lanes + l, row = 2 * (lane % 4) + h, column = lane / 4;
                from[l] = column % 2 * 32 + row * 4 + column / 2;
            }
            one[h] = jv_zext(part, gather_lanes(part, halves, from), 32);
        }
        out[p] = jv_or(part, one[0], jv_shl_k(part, one[1], 16));
    }
    struct jit_value result = jit_value_vector(jit, out, 32);
    if (instr->operands[0].kind == ISA_OPD_REG) jit_dest_write(jit, instr->operands[0].reg, &result, false);
    return SW_OK;
}

/* ---- which */

const char *jit_matrix_refusal(const struct ptx_instr *instr)
{
    struct ptx_matrix form;
    return instr->op == ISA_OP_MOVMATRIX ? NULL : ptx_matrix_describe(instr, &form);
}

enum sw_status jit_emit_matrix(struct jit *jit, const struct ptx_instr *instr)
{
    struct ptx_matrix form;
    if (instr->op == ISA_OP_MOVMATRIX) return emit_transpose(jit, instr);
    ptx_matrix_describe(instr, &form);
    if (form.multiplies)
        emit_multiply(jit, instr, &form);
    else
        emit_move(jit, instr, &form);
    return SW_OK;
}
_Static_assert(sizeof(struct jit_fragment_op) == 8, "passed as one word");
