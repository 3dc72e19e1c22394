/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of column stores (jit_emit_column.c) in memory, and the functions of the object that work on it
 * (jit_emit_column_queue.c).
 *
 *   queue   count | lane 0's address of the first record | lowest, highest byte | lines asked for | records
 *   record  32 addresses | 32 values | warp */
#ifndef JIT_COLUMN_PRIV_H
#define JIT_COLUMN_PRIV_H

#include "jit/core/jit_core.h"

enum { COLUMN_RECORDS = 32 };
enum {
    COLUMN_COUNT = 0,
    COLUMN_FIRST = 8,
    COLUMN_LOW = 16,
    COLUMN_HIGH = 24,
    COLUMN_ASKED = 32,
    COLUMN_HEAD = 64
};
enum { COLUMN_VALUES = 32 * 8 }; /* of a record */

static inline uint64_t jit_column_warp_offset(const struct jit *jit)
{
    return COLUMN_VALUES + 32ull * jit->column_bits / 8;
}

static inline uint64_t jit_column_record_bytes(const struct jit *jit)
{
    return jit_column_warp_offset(jit) + 64;
}

void jit_column_reset(struct jit *jit, LLVMBuilderRef builder, LLVMValueRef queue); /* to empty */
void jit_column_call_flush(struct jit *jit);
void jit_column_call_prefetch(struct jit *jit, LLVMValueRef record); /* the lines of all lanes */
#endif
