/* SPDX-License-Identifier: Apache-2.0 */
/* The write-combining queue of strided stores (jit_emit_combine.c) in memory, and the functions of the object
 * that work on it (jit_emit_combine_queue.c).
 *
 *   queue   count | lane 0's address of the first record | lowest, highest byte | lines asked for | records
 *   record  32 addresses | 32 values | warp */
#ifndef JIT_COMBINE_PRIV_H
#define JIT_COMBINE_PRIV_H

#include "jit/core/jit_core.h"

enum { COMBINE_RECORDS = 32 };
enum {
    COMBINE_COUNT = 0,
    COMBINE_FIRST = 8,
    COMBINE_LOW = 16,
    COMBINE_HIGH = 24,
    COMBINE_ASKED = 32,
    COMBINE_HEAD = 64
};
enum { COMBINE_VALUES = 32 * 8 }; /* of a record */

static inline uint64_t jit_combine_warp_offset(const struct jit *jit)
{
    return COMBINE_VALUES + 32ull * jit->combine_bits / 8;
}

static inline uint64_t jit_combine_record_bytes(const struct jit *jit)
{
    return jit_combine_warp_offset(jit) + 64;
}

void jit_combine_reset(struct jit *jit, LLVMBuilderRef builder, LLVMValueRef queue); /* to empty */
void jit_combine_call_flush(struct jit *jit);
void jit_combine_call_prefetch(struct jit *jit, LLVMValueRef record); /* the lines of all lanes */
#endif
