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

static struct jit_atomic_where where_of(struct jit *jit, const struct ptx_instr *instr,
                                        const struct jit_address *address)
{
    struct jit_atomic_where where = {.is_shared = address->space == PTX_SPACE_SHARED};
    if (where.is_shared || ptx_has(instr, ISA_MOD_GLOBAL) || ptx_has(instr, ISA_MOD_SHARED__CLUSTER))
        return where;
    LLVMValueRef bytes = jit_ctx_load(jit, offsetof(struct jit_ctx, shared_bytes), jit->i32);
    where.shared = LLVMBuildPtrToInt(jit->builder, jit->shared, jit->i64, "");
    where.shared_bytes = LLVMBuildZExt(jit->builder, bytes, jit->i64, "");
    return where;
}

enum sw_status jit_emit_atomic(struct jit *jit, const struct ptx_instr *instr)
{
    unsigned dest = instr->op == ISA_OP_ATOM ? 1 : 0, parts = jit->part.parts;
    unsigned elements = ptx_vector_count(instr), bits = isa_type_bits(ptx_instr_type(instr, 0));
    struct jit_address address = jit_address_of(jit, instr, &instr->operands[dest]);
    LLVMValueRef at[JIT_MAX_PARTS], src[8][2 * JIT_MAX_PARTS], active[JIT_MAX_PARTS];
    unsigned count = 0;
    for (unsigned e = 0; e < elements; e++)
        count = read_values(jit, instr, dest + 1, e, bits, src[e]);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    struct jit_access access = {.bits = bits, .bytes = bits / 8, .count = elements, .is_store = true};
    if (dest) read_dests(jit, &instr->operands[0], elements);
    jit_align_check(jit, &instr->operands[dest], &address, &lanes, access.bytes * elements);
    jit_permissions_check(jit, &instr->operands[dest], &address, &lanes, access.bytes * elements,
                          JIT_DENIED_WRITE);
    jit_bounds_check(jit, &instr->operands[dest], &address, &lanes, access.bytes * elements, true);
    jit_shadow_access(jit, &address, &lanes, access.bytes * elements, JIT_SHADOW_READ | JIT_SHADOW_WRITE,
                      NULL);
    jit_count_access(jit, instr, &address, &lanes, &access);
    jit_address_lanes(jit, &address, at);
    struct jit_atomic_where where = where_of(jit, instr, &address);
    for (unsigned p = 0; p < parts; p++)
        active[p] = lanes.full ? LLVMConstAllOnes(LLVMVectorType(jit->i1, jit->part.lanes)) : lanes.parts[p];
    for (unsigned e = 0; e < elements; e++) {
        LLVMValueRef dst[JIT_MAX_PARTS] = {NULL};
        if (e) move_addresses(jit, at, bits / 8);
        SW_TRY(jit_op_atomic(&jit->part, instr, at, src[e], count, active, &where, dst, jit->error));
        if (!dest || atomic_element(&instr->operands[0], e)->kind != ISA_OPD_REG) continue;
        struct jit_value out = jit_value_vector(jit, dst, bits);
        jit_dest_write(jit, atomic_element(&instr->operands[0], e)->reg, &out, jit_dest_signed(instr));
    }
    return SW_OK;
}
