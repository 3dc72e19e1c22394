/* SPDX-License-Identifier: Apache-2.0 */
/* atom and red (PTX ISA 9.7.13): addresses and values for jit_op_atomic. A vector form is one operation an
 * element, each over all lanes: the ISA makes the elements atomic, not the vector. Limits: forms as
 * jit_op_atomic_supported says; a cache policy is not looked at. */
#include "jit_emit_priv.h"
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"
#include "jit/emit/jit_shadow.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

static const struct ptx_operand *atomic_element(const struct ptx_operand *operand, unsigned i)
{
    return operand->kind == ISA_OPD_VEC ? &operand->elements[i] : operand;
}

/* The value operands of element e, after the address; how many there are. */
static unsigned read_values(struct jit *jit, const struct ptx_instr *instr, unsigned first, unsigned e,
                            unsigned bits, LLVMValueRef *src)
{
    unsigned count = ptx_has(instr, ISA_MOD_CAS) ? 2 : 1;
    for (unsigned i = 0; i < count; i++) {
        struct jit_value value = jit_operand(jit, atomic_element(&instr->operands[first + i], e), bits);
        jit_value_parts(jit, &value, &src[i * jit->part.parts]);
    }
    return count;
}

static void move_addresses(struct jit *jit, LLVMValueRef *at, unsigned bytes)
{
    for (unsigned p = 0; p < jit->part.parts; p++)
        at[p] = LLVMBuildAdd(jit->builder, at[p], jit_lane_consts(jit, 64, p, bytes, 0), "");
}

/* What a guarded instruction keeps is read before any branch. */
static void read_dests(struct jit *jit, const struct ptx_operand *to, unsigned elements)
{
    for (unsigned e = 0; e < elements; e++)
        if (atomic_element(to, e)->kind == ISA_OPD_REG) jit_reg_read(jit, atomic_element(to, e)->reg);
}

/* Plain operations and locked ones are twice the code: kernels of many atomics have the latter alone. The
 * system's scope includes the host, whose threads are never known to be absent. */
static LLVMValueRef alone(struct jit *jit, const struct ptx_instr *instr)
{
    enum { ASK_MOST = 16 };
    if (ptx_has(instr, ISA_MOD_SYS) || jit->info.asks_alone == ASK_MOST) return NULL;
    jit->info.asks_alone++;
    LLVMValueRef word = jit_ctx_load(jit, offsetof(struct jit_ctx, alone), jit->i32);
    return LLVMBuildICmp(jit->builder, LLVMIntNE, word, jit_const(jit, 32, 0), "");
}

static struct jit_atomic_where where_of(struct jit *jit, const struct ptx_instr *instr,
                                        const struct jit_address *address)
{
    struct jit_atomic_where where = {.is_shared = address->space == PTX_SPACE_SHARED,
                                     .one_address = address->value.repr == JIT_SCALAR};
    if (where.is_shared) return where;
    if (ptx_has(instr, ISA_MOD_SHARED__CLUSTER)) return where;
    where.alone = alone(jit, instr);
    if (ptx_has(instr, ISA_MOD_GLOBAL)) return where;
    LLVMValueRef bytes = jit_ctx_load(jit, offsetof(struct jit_ctx, shared_bytes), jit->i32);
    where.shared = LLVMBuildPtrToInt(jit->builder, jit->shared, jit->i64, "");
    where.shared_bytes = LLVMBuildZExt(jit->builder, bytes, jit->i64, "");
    return where;
}

/* ---- lanes side by side: each has an address of its own, and vectors are loaded and stored */

struct site { /* one instruction; `at`: addresses of the element that is emitted */
    const struct ptx_instr *instr;
    const struct jit_address *address;
    const struct jit_lanes *lanes;
    const struct jit_atomic_where *where;
    unsigned bits, count;
    LLVMValueRef at[JIT_MAX_PARTS];
    bool returns;
};

static bool is_side_by_side(const struct site *site)
{
    const struct jit_value *value = &site->address->value;
    bool plain = site->where->is_shared || site->where->alone;
    return plain && !site->where->shared && site->bits <= 64 && value->repr == JIT_AFFINE &&
           value->stride == (int64_t)(site->bits / 8) && ptx_vector_count(site->instr) == 1;
}

/* i1, or NULL: always */
static LLVMValueRef side_by_side(struct jit *jit, const struct site *site)
{
    LLVMValueRef limit = site->address->value.limit, may = site->where->is_shared ? NULL : site->where->alone;
    if (!limit) return may;
    LLVMValueRef exact = LLVMBuildICmp(jit->builder, LLVMIntEQ, limit, jit_const(jit, 32, JIT_NO_WRAP), "");
    return may ? LLVMBuildAnd(jit->builder, may, exact, "") : exact;
}

static enum sw_status emit_vectors(struct jit *jit, const struct site *site, LLVMValueRef *src,
                                   LLVMValueRef *dst)
{
    struct jit_access access = {.bits = site->bits, .bytes = site->bits / 8, .count = 1};
    LLVMValueRef parts[1][JIT_MAX_PARTS] = {{NULL}}, changed[1][JIT_MAX_PARTS] = {{NULL}};
    struct jit_address address = *site->address;
    address.value.limit = NULL;
    address.value.wrap = 0;
    jit_access_vector(jit, &access, &address, site->lanes, parts);
    SW_TRY(jit_op_atomic_apart(&jit->part, site->instr, parts[0], src, site->count, site->where, changed[0],
                               jit->error));
    access.is_store = true;
    jit_access_vector(jit, &access, &address, site->lanes, changed);
    for (unsigned p = 0; p < jit->part.parts; p++)
        dst[p] = parts[0][p];
    return SW_OK;
}

static enum sw_status emit_lanes(struct jit *jit, struct site *site, LLVMValueRef *src, LLVMValueRef *dst)
{
    LLVMValueRef active[JIT_MAX_PARTS];
    for (unsigned p = 0; p < jit->part.parts; p++)
        active[p] = site->lanes->full ? LLVMConstAllOnes(LLVMVectorType(jit->i1, jit->part.lanes))
                                      : site->lanes->parts[p];
    return jit_op_atomic(&jit->part, site->instr, site->at, src, site->count, active, site->where,
                         site->returns ? dst : NULL, jit->error);
}

/*   here: may -> vectors | lanes -> after: dst = phi */
static enum sw_status emit_element(struct jit *jit, struct site *site, LLVMValueRef *src, LLVMValueRef *dst)
{
    if (!is_side_by_side(site)) return emit_lanes(jit, site, src, dst);
    LLVMValueRef may = side_by_side(jit, site), vector[JIT_MAX_PARTS], lane[JIT_MAX_PARTS];
    if (!may) return emit_vectors(jit, site, src, dst);
    LLVMBasicBlockRef yes = jit_new_block(jit, ""), no = jit_new_block(jit, ""),
                      after = jit_new_block(jit, "");
    jit_branch(jit, may, yes, no, false);
    jit_position(jit, yes);
    SW_TRY(emit_vectors(jit, site, src, vector));
    yes = LLVMGetInsertBlock(jit->builder);
    LLVMBuildBr(jit->builder, after);
    jit_position(jit, no);
    SW_TRY(emit_lanes(jit, site, src, lane));
    no = LLVMGetInsertBlock(jit->builder);
    LLVMBuildBr(jit->builder, after);
    jit_position(jit, after);
    for (unsigned p = 0; p < jit->part.parts && site->returns; p++) {
        dst[p] = LLVMBuildPhi(jit->builder, jit_vec(jit, site->bits), "");
        LLVMAddIncoming(dst[p], (LLVMValueRef[]){vector[p], lane[p]}, (LLVMBasicBlockRef[]){yes, no}, 2);
    }
    return SW_OK;
}

/* ---- instructions */

static void check_accesses(struct jit *jit, const struct ptx_instr *instr, const struct ptx_operand *operand,
                           const struct jit_address *address, const struct jit_lanes *lanes)
{
    unsigned elements = ptx_vector_count(instr), bits = isa_type_bits(ptx_instr_type(instr, 0));
    struct jit_access access = {.bits = bits, .bytes = bits / 8, .count = elements, .is_store = true};
    unsigned bytes = access.bytes * elements;
    jit_align_check(jit, operand, address, lanes, bytes);
    jit_permissions_check(jit, operand, address, lanes, bytes, JIT_DENIED_WRITE);
    jit_bounds_check(jit, operand, address, lanes, bytes, true);
    jit_shadow_access(jit, address, lanes, bytes, JIT_SHADOW_READ | JIT_SHADOW_WRITE, NULL);
    jit_count_access(jit, instr, address, lanes, &access);
}

enum sw_status jit_emit_atomic(struct jit *jit, const struct ptx_instr *instr)
{
    unsigned dest = instr->op == ISA_OP_ATOM ? 1 : 0, elements = ptx_vector_count(instr);
    unsigned bits = isa_type_bits(ptx_instr_type(instr, 0)), count = 0;
    struct jit_address address = jit_address_of(jit, instr, &instr->operands[dest]);
    LLVMValueRef src[8][2 * JIT_MAX_PARTS];
    for (unsigned e = 0; e < elements; e++)
        count = read_values(jit, instr, dest + 1, e, bits, src[e]);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    if (dest) read_dests(jit, &instr->operands[0], elements);
    check_accesses(jit, instr, &instr->operands[dest], &address, &lanes);
    struct jit_atomic_where where = where_of(jit, instr, &address);
    struct site site = {
        .instr = instr, .address = &address, .lanes = &lanes, .where = &where, .bits = bits, .count = count};
    jit_address_lanes(jit, &address, site.at);
    for (unsigned e = 0; e < elements; e++) {
        LLVMValueRef dst[JIT_MAX_PARTS] = {NULL};
        site.returns = dest && atomic_element(&instr->operands[0], e)->kind == ISA_OPD_REG;
        if (e) move_addresses(jit, site.at, bits / 8);
        SW_TRY(emit_element(jit, &site, src[e], dst));
        if (!site.returns) continue;
        struct jit_value out = jit_value_vector(jit, dst, bits);
        jit_dest_write(jit, atomic_element(&instr->operands[0], e)->reg, &out, jit_dest_signed(instr));
    }
    return SW_OK;
}
