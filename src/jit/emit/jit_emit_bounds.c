/* SPDX-License-Identifier: Apache-2.0 */
/* A look at the bounds of memory before each access of global or generic memory, where the tool asks for it
 * (EVENT_PROBE_BOUNDS).
 *
 * Each access remembers what it lay in last, an allocation mostly, and compares: a scalar or affine address
 * the first and the last lane's, any other each lane's. What does not lie there, or belongs to a lane that
 * takes no part, is a call of the helper `bounds`, which ends the launch or says what is valid instead. An
 * affine access spans no more than what it is compared with, so its ends are enough. Accesses that must lie
 * in one variable, or in shared or local memory, are jit_emit_window.c's. */
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"

#include <stddef.h>

/* i1: can an access begin at this address? */
static LLVMValueRef begins_inside(struct jit *jit, const struct jit_range *range, LLVMValueRef address)
{
    LLVMValueRef first = LLVMBuildLoad2(jit->builder, jit->i64, range->first, ""),
                 room = LLVMBuildLoad2(jit->builder, jit->i64, range->room, "");
    LLVMValueRef at = LLVMBuildSub(jit->builder, address, first, "");
    return LLVMBuildICmp(jit->builder, LLVMIntULE, at, room, "");
}

/* As words: LLVM 19 does not come to an end over some and's and or's of vectors of bits. */
LLVMValueRef jit_no_lane(struct jit *jit, LLVMValueRef *parts, const struct jit_lanes *lanes)
{
    LLVMValueRef some = LLVMBuildAnd(jit->builder, jit_mask_join(jit, parts), lanes->mask, "");
    return LLVMBuildICmp(jit->builder, LLVMIntEQ, some, jit_const(jit, 32, 0), "");
}

static LLVMValueRef are_lanes_inside(struct jit *jit, const struct jit_range *range,
                                     const struct jit_address *address, const struct jit_lanes *lanes)
{
    LLVMValueRef at[JIT_MAX_PARTS];
    LLVMValueRef first = jit_splat(jit, LLVMBuildLoad2(jit->builder, jit->i64, range->first, ""), 64),
                 room = jit_splat(jit, LLVMBuildLoad2(jit->builder, jit->i64, range->room, ""), 64);
    jit_address_lanes(jit, address, at);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef from = LLVMBuildSub(jit->builder, at[p], first, "");
        at[p] = LLVMBuildICmp(jit->builder, LLVMIntUGT, from, room, "");
    }
    return jit_no_lane(jit, at, lanes);
}

static LLVMValueRef begin_of(struct jit *jit, const struct jit_address *address)
{
    if (address->base)
        return LLVMBuildPtrToInt(jit->builder, jit_address_scalar(jit, address, 0), jit->i64, "");
    LLVMValueRef offset = jit_const(jit, 64, (uint64_t)address->offset);
    return LLVMBuildAdd(jit->builder, address->value.scalar, offset, "");
}

LLVMValueRef jit_range_has(struct jit *jit, const struct jit_range *range, const struct jit_address *address,
                           const struct jit_lanes *lanes)
{
    const struct jit_value *value = &address->value;
    if (jit_is_by_lane(value) || value->limit) return are_lanes_inside(jit, range, address, lanes);
    LLVMValueRef first = begin_of(jit, address);
    LLVMValueRef inside = begins_inside(jit, range, first);
    if (value->repr != JIT_AFFINE || !value->stride) return inside;
    uint64_t span = (uint64_t)((SW_WARP_LANES - 1) * value->stride);
    LLVMValueRef last = LLVMBuildAdd(jit->builder, first, jit_const(jit, 64, span), "");
    return LLVMBuildAnd(jit->builder, inside, begins_inside(jit, range, last), "");
}

struct jit_range jit_range_new(struct jit *jit)
{
    return (struct jit_range){jit_site_slot(jit, "first", UINT64_MAX), jit_site_slot(jit, "room", 0)};
}

/* Less what the access needs; nothing where that is less. */
void jit_range_remember(struct jit *jit, const struct jit_range *range, size_t from, unsigned bytes)
{
    LLVMValueRef first = jit_ctx_load(jit, from, jit->i64),
                 all = jit_ctx_load(jit, from + sizeof(uint64_t), jit->i64),
                 least = jit_const(jit, 64, bytes);
    LLVMValueRef enough = LLVMBuildICmp(jit->builder, LLVMIntUGE, all, least, "");
    LLVMValueRef room = LLVMBuildSub(jit->builder, all, least, "");
    first = LLVMBuildSelect(jit->builder, enough, first, jit_const(jit, 64, UINT64_MAX), "");
    room = LLVMBuildSelect(jit->builder, enough, room, jit_const(jit, 64, 0), "");
    LLVMBuildStore(jit->builder, first, range->first);
    LLVMBuildStore(jit->builder, room, range->room);
}

static void call_some(struct jit *jit, const struct jit_address *address, const struct jit_lanes *lanes,
                      unsigned what, LLVMValueRef some)
{
    LLVMValueRef at[JIT_MAX_PARTS];
    jit_address_lanes(jit, address, at);
    LLVMTypeRef types[] = {jit->ptr, jit->ptr, jit->i32, jit->i32, jit->i32, jit->ptr};
    LLVMValueRef args[] = {jit->ctx,
                           jit_spill_addresses(jit, at),
                           lanes->mask,
                           jit_const(jit, 32, what),
                           jit_const(jit, 32, jit->instr->line),
                           some};
    jit_helper_call(jit, offsetof(struct jit_helpers, bounds_some), LLVMFunctionType(jit->empty, types, 6, 0),
                    args, 6);
}

/* some: how many of the bytes each lane accesses; NULL: all of them. */
static void check_any(struct jit *jit, const struct jit_address *address, const struct jit_lanes *lanes,
                      unsigned bytes, bool writes, LLVMValueRef *some)
{
    unsigned what = bytes | (writes ? JIT_BOUNDS_WRITE : 0);
    struct jit_range range = jit_range_new(jit);
    LLVMBasicBlockRef look = jit_new_block(jit, "bounds"), fine = jit_new_block(jit, "");
    jit_branch(jit, jit_range_has(jit, &range, address, lanes), fine, look, true);
    jit_position(jit, look);
    jit_bounds_value(jit);
    if (some)
        call_some(jit, address, lanes, what, jit_spill_values(jit, some, 32));
    else
        jit_address_call(jit, offsetof(struct jit_helpers, bounds), address, lanes, what);
    jit_range_remember(jit, &range, offsetof(struct jit_ctx, bounds_first), bytes);
    LLVMBuildBr(jit->builder, fine);
    jit_position(jit, fine);
}

void jit_bounds_check(struct jit *jit, const struct ptx_operand *operand, const struct jit_address *address,
                      const struct jit_lanes *lanes, unsigned bytes, bool writes)
{
    if (!(jit->request->probes & EVENT_PROBE_BOUNDS)) return;
    if (jit_window_check(jit, operand, address, lanes, bytes, writes)) return;
    if (address->base || address->space == PTX_SPACE_PARAM) return;
    check_any(jit, address, lanes, bytes, writes, NULL);
}

void jit_bounds_check_some(struct jit *jit, const struct jit_address *address, const struct jit_lanes *lanes,
                           unsigned bytes, LLVMValueRef *some)
{
    if (jit->request->probes & EVENT_PROBE_BOUNDS) check_any(jit, address, lanes, bytes, false, some);
}

void jit_bounds_check_copy(struct jit *jit, const struct ptx_operand *operand,
                           const struct jit_address *address, const struct jit_lanes *lanes, unsigned bytes,
                           bool writes)
{
    if (!(jit->request->probes & EVENT_PROBE_BOUNDS)) return;
    jit_align_check(jit, operand, address, lanes, bytes);
    jit_bounds_check(jit, operand, address, lanes, bytes, writes);
}
