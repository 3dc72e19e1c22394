/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the device may not reach: another device's without peer access, mappings without
 * cuMemSetAccess, the host's own in launches that were given a pointer to it (engine_host.c). Where
 * jit_request.permissions says that there is some, a look at the table of what is denied (vmem_permissions.c)
 * stands before each access of global or generic memory:
 *
 *   address is                        looked at
 *   scalar                            its piece of the table
 *   affine, no longer than a piece    the pieces of the first and the last lane
 *   anything                          that of lane 0, when all lanes are in it
 *
 * If something is denied there, or lanes are apart, the helper `reach` looks at each lane that takes part,
 * and ends the launch or comes back: lanes that take no part cost a call, no more. Bytes of a lane lie in one
 * piece, since they are aligned. Module variables are the device's own, and not looked at. */
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/emit/jit_shadow.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"

#include <stddef.h>
#include <stdlib.h>

static LLVMValueRef of_launch(struct jit *jit, size_t offset, LLVMTypeRef type)
{
    uint64_t key = 1ull << 61 | offset;
    LLVMValueRef value = map_get_u64(&jit->cached, key);
    if (value) return value;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    jit_position(jit, jit->launch_prologue);
    value = jit_ctx_load(jit, offset, type);
    map_set_u64(&jit->cached, key, value);
    jit_position(jit, here);
    return value;
}

/* What is denied at an address: bits of enum jit_denied. */
static LLVMValueRef denied_at(struct jit *jit, LLVMValueRef address)
{
    LLVMValueRef table = of_launch(jit, offsetof(struct jit_ctx, denied), jit->ptr),
                 base = of_launch(jit, offsetof(struct jit_ctx, denied_base), jit->i64),
                 pieces = of_launch(jit, offsetof(struct jit_ctx, denied_pieces), jit->i64),
                 outside = of_launch(jit, offsetof(struct jit_ctx, denied_outside), jit->i32);
    LLVMValueRef piece = LLVMBuildSub(jit->builder, address, base, "");
    piece = LLVMBuildLShr(jit->builder, piece, jit_const(jit, 64, JIT_DENIED_SHIFT), "");
    LLVMValueRef inside = LLVMBuildICmp(jit->builder, LLVMIntULT, piece, pieces, "");
    piece = LLVMBuildSelect(jit->builder, inside, piece, pieces, "");
    LLVMValueRef at = LLVMBuildGEP2(jit->builder, jit->i8, table, &piece, 1, "");
    LLVMValueRef denied = LLVMBuildLoad2(jit->builder, jit->i8, at, "");
    outside = LLVMBuildTrunc(jit->builder, outside, jit->i8, "");
    return LLVMBuildSelect(jit->builder, inside, denied, outside, "");
}

/* Do lanes stand in other pieces than lane 0 at `first`? */
static LLVMValueRef are_apart(struct jit *jit, const struct jit_address *address, LLVMValueRef *first)
{
    LLVMValueRef at[JIT_MAX_PARTS], apart = NULL;
    jit_address_lanes(jit, address, at);
    *first = LLVMBuildExtractElement(jit->builder, at[0], jit_const(jit, 32, 0), "");
    LLVMValueRef same = jit_splat(jit, *first, 64);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef differ = LLVMBuildXor(jit->builder, at[p], same, "");
        apart = apart ? LLVMBuildOr(jit->builder, apart, differ, "") : differ;
    }
    LLVMTypeRef types[] = {LLVMTypeOf(apart)};
    apart = jit_intrinsic(jit, "llvm.vector.reduce.or", types, 1, &apart, 1);
    return LLVMBuildICmp(jit->builder, LLVMIntUGE, apart, jit_const(jit, 64, 1ull << JIT_DENIED_SHIFT), "");
}

static LLVMValueRef is_denied(struct jit *jit, LLVMValueRef what, enum jit_denied need)
{
    what = LLVMBuildAnd(jit->builder, what, jit_const(jit, 8, need), "");
    return LLVMBuildICmp(jit->builder, LLVMIntNE, what, jit_const(jit, 8, 0), "");
}

/* Must the helper look? */
static LLVMValueRef is_in_doubt(struct jit *jit, const struct jit_address *address, unsigned bytes,
                                enum jit_denied need)
{
    const struct jit_value *value = &address->value;
    int64_t stride = value->repr == JIT_AFFINE ? value->stride : 0, span = 31 * llabs(stride) + bytes;
    LLVMValueRef first, apart;
    if (jit_is_by_lane(value) || value->limit || span > 1 << JIT_DENIED_SHIFT) {
        apart = are_apart(jit, address, &first);
        return LLVMBuildOr(jit->builder, apart, is_denied(jit, denied_at(jit, first), need), "");
    }
    first = LLVMBuildAdd(jit->builder, value->scalar, jit_const(jit, 64, (uint64_t)address->offset), "");
    LLVMValueRef denied = denied_at(jit, first);
    if (stride) {
        LLVMValueRef last =
            LLVMBuildAdd(jit->builder, first, jit_const(jit, 64, (uint64_t)(31 * stride)), "");
        denied = LLVMBuildOr(jit->builder, denied, denied_at(jit, last), "");
    }
    return is_denied(jit, denied, need);
}

void jit_permissions_check(struct jit *jit, const struct ptx_operand *operand,
                           const struct jit_address *address, const struct jit_lanes *lanes, unsigned bytes,
                           enum jit_denied need)
{
    if (!jit->request->permissions || operand->var || address->base || address->space == PTX_SPACE_PARAM ||
        address->space == PTX_SPACE_CONST)
        return;
    LLVMBasicBlockRef look = jit_new_block(jit, "permissions"), fine = jit_new_block(jit, "");
    LLVMValueRef clear = LLVMBuildNot(jit->builder, is_in_doubt(jit, address, bytes, need), "");
    jit_branch(jit, clear, fine, look, true);
    jit_position(jit, look);
    jit_address_call(jit, offsetof(struct jit_helpers, reach), address, lanes, need);
    LLVMBuildBr(jit->builder, fine);
    jit_position(jit, fine);
}

/* Helpers that access memory themselves look there themselves, and say which line it was. */
void jit_permissions_line(struct jit *jit)
{
    bool looks = jit->request->permissions || jit->request->probes & EVENT_PROBE_BOUNDS;
    if (!looks && !jit_shadows(jit)) return;
    LLVMBuildStore(jit->builder, jit_const(jit, 32, jit->instr->line),
                   jit_offset(jit, jit->ctx, offsetof(struct jit_ctx, line)));
}
