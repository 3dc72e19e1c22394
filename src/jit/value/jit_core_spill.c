/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes' values in memory, for functions of the object and of the engine. */
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/value/jit_lanes.h"

static LLVMValueRef scratch(struct jit *jit, LLVMValueRef *slot, const char *name, unsigned words)
{
    if (*slot) return *slot;
    *slot = jit_slot(jit, LLVMArrayType2(jit->i64, words), name);
    LLVMSetAlignment(*slot, 64);
    return *slot;
}

void jit_spill_parts(struct jit *jit, LLVMValueRef to, LLVMValueRef *parts, unsigned bits)
{
    unsigned bytes = bits / 8 * jit->part.lanes;
    for (unsigned p = 0; p < jit->part.parts; p++)
        LLVMSetAlignment(LLVMBuildStore(jit->builder, parts[p], jit_offset(jit, to, (uint64_t)p * bytes)),
                         bytes > 64 ? 64 : bytes);
}

LLVMValueRef jit_scratch_address(struct jit *jit)
{
    return scratch(jit, &jit->scratch_address, "addresses", 32);
}

LLVMValueRef jit_spill_addresses(struct jit *jit, LLVMValueRef *addresses)
{
    LLVMValueRef to = jit_scratch_address(jit);
    jit_spill_parts(jit, to, addresses, 64);
    return to;
}

LLVMValueRef jit_scratch_values(struct jit *jit)
{
    return scratch(jit, &jit->scratch_value, "values", 64);
}

LLVMValueRef jit_spill_values(struct jit *jit, LLVMValueRef *parts, unsigned bits)
{
    LLVMValueRef to = jit_scratch_values(jit);
    jit_spill_parts(jit, to, parts, bits);
    return to;
}
