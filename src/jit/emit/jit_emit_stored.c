/* SPDX-License-Identifier: Apache-2.0 */
/* What a store would write, for helpers that find it wrong (jit_ctx.stored): it is put into memory where they
 * are called only, so that right stores cost nothing. Limits: stores of one value of up to 8 bytes. */
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

void jit_bounds_value(struct jit *jit)
{
    LLVMValueRef parts[JIT_MAX_PARTS];
    if (!jit->stored || !(jit->request->probes & EVENT_PROBE_BOUNDS)) return;
    struct jit_value value = *jit->stored;
    jit_value_parts(jit, &value, parts);
    LLVMBuildStore(jit->builder, jit_spill_values(jit, parts, value.bits),
                   jit_offset(jit, jit->ctx, offsetof(struct jit_ctx, stored)));
}
