/* SPDX-License-Identifier: Apache-2.0 */
/* Misaligned addresses (PTX ISA 6.4.1): an access whose address is not a multiple of its size ends the
 * launch, as hardware does it, vectors by their whole size. Tested only where jit_core_align.c cannot tell.
 *
 *   address is   the test
 *   scalar       its low bits
 *   affine       those of lane 0, where the stride is a multiple of the size
 *   anything     the low bits of all lanes that take part, or'ed
 *
 * Limits: ld, st, atom and red; not the copies, bulk and matrix instructions. */
#include "jit_memory_priv.h"

#include "jit/analysis/jit_repr.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

static LLVMValueRef align_nonzero(struct jit *jit, LLVMValueRef value, unsigned bits)
{
    return LLVMBuildICmp(jit->builder, LLVMIntNE, value, jit_const(jit, bits, 0), "");
}

/* Low bits of address + offset, which are those of the value itself: bases are aligned. */
static LLVMValueRef low_bits(struct jit *jit, const struct jit_address *address, LLVMValueRef value,
                             bool vector, unsigned bytes)
{
    unsigned bits = address->value.bits;
    LLVMValueRef offset = jit_const(jit, bits, (uint64_t)address->offset),
                 rest = jit_const(jit, bits, bytes - 1);
    if (vector) offset = jit_splat(jit, offset, bits);
    if (vector) rest = jit_splat(jit, rest, bits);
    if (address->offset) value = LLVMBuildAdd(jit->builder, value, offset, "");
    return LLVMBuildAnd(jit->builder, value, rest, "");
}

/* Is the address of a lane that takes part misaligned? */
static LLVMValueRef any_wrong(struct jit *jit, const struct jit_address *address,
                              const struct jit_lanes *lanes, unsigned bytes)
{
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, &address->value, parts);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef low = low_bits(jit, address, parts[p], true, bytes);
        parts[p] = LLVMBuildICmp(jit->builder, LLVMIntNE, low, LLVMConstNull(LLVMTypeOf(low)), "");
    }
    LLVMValueRef wrong = LLVMBuildAnd(jit->builder, jit_mask_join(jit, parts), lanes->mask, "");
    return align_nonzero(jit, wrong, 32);
}

static LLVMValueRef is_wrong(struct jit *jit, const struct jit_address *address,
                             const struct jit_lanes *lanes, unsigned bytes)
{
    const struct jit_value *value = &address->value;
    bool steps = value->repr == JIT_AFFINE && value->stride % (int64_t)bytes == 0;
    if (value->repr != JIT_SCALAR && !steps) return any_wrong(jit, address, lanes, bytes);
    LLVMValueRef wrong = align_nonzero(jit, low_bits(jit, address, value->scalar, false, bytes), value->bits);
    if (!lanes->may_be_empty) return wrong;
    return LLVMBuildAnd(jit->builder, wrong, align_nonzero(jit, lanes->mask, 32), "");
}

void jit_address_call(struct jit *jit, size_t helper, const struct jit_address *address,
                      const struct jit_lanes *lanes, unsigned what)
{
    LLVMValueRef at[JIT_MAX_PARTS];
    jit_address_lanes(jit, address, at);
    LLVMTypeRef types[] = {jit->ptr, jit->ptr, jit->i32, jit->i32, jit->i32};
    LLVMValueRef args[] = {jit->ctx, jit_spill_addresses(jit, at), lanes->mask, jit_const(jit, 32, what),
                           jit_const(jit, 32, jit->instr->line)};
    jit_helper_call(jit, helper, LLVMFunctionType(jit->empty, types, 5, 0), args, 5);
}

void jit_align_check(struct jit *jit, const struct ptx_operand *operand, const struct jit_address *address,
                     const struct jit_lanes *lanes, unsigned bytes)
{
    if (bytes < 2 || address->space == PTX_SPACE_PARAM || jit_is_aligned(jit, operand, bytes)) return;
    LLVMBasicBlockRef wrong = jit_new_block(jit, "misaligned"), fine = jit_new_block(jit, "");
    LLVMValueRef not = LLVMBuildNot(jit->builder, is_wrong(jit, address, lanes, bytes), "");
    jit_branch(jit, not, fine, wrong, true);
    jit_position(jit, wrong);
    jit_bounds_value(jit);
    jit_address_call(jit, offsetof(struct jit_helpers, misaligned), address, lanes, bytes);
    LLVMBuildUnreachable(jit->builder);
    jit_position(jit, fine);
}
