/* SPDX-License-Identifier: Apache-2.0 */
/* Values by the rows of the block (jit_core_rows.c): jit.rows rows of jit.row_lanes lanes a warp. */
#ifndef JIT_ROWS_H
#define JIT_ROWS_H

#include "jit/core/jit_core.h"

/* Of any value but a vector: its row's first lane, and where it wraps in the row (NULL: wrap is 0) */
LLVMValueRef jit_row_first(struct jit *jit, const struct jit_value *value, unsigned row);
LLVMValueRef jit_row_limit(struct jit *jit, const struct jit_value *value, unsigned row);
struct jit_value jit_value_rows(struct jit *jit, const struct jit_value *value); /* not regular */
void jit_rows_parts(struct jit *jit, const struct jit_value *value, LLVMValueRef *parts);

/* i32: the lane that a row begins at; where rows are not even, the first begins before lane 0 */
LLVMValueRef jit_row_lane(struct jit *jit, unsigned row);

/* ---- masks: i32 */
LLVMValueRef jit_row_mask(struct jit *jit, LLVMValueRef mask, unsigned row);  /* of the row's lanes */
LLVMValueRef jit_row_is_on(struct jit *jit, LLVMValueRef mask, unsigned row); /* i1: any lane of it */
LLVMValueRef jit_rows_mask(struct jit *jit, const struct jit_value *value);   /* of a predicate */

/* ---- pieces: the LLVM values that a value consists of: parts, rows or one scalar; and its limits */
unsigned jit_value_pieces(const struct jit *jit, enum jit_repr repr, bool regular);
LLVMValueRef jit_value_piece(const struct jit_value *value, unsigned i);
void jit_value_set_piece(struct jit_value *value, unsigned i, LLVMValueRef piece);
LLVMValueRef jit_value_limit(const struct jit_value *value, unsigned i);
/* i1: no lane has wrapped; NULL: none can have */
LLVMValueRef jit_value_is_exact(struct jit *jit, const struct jit_value *value);
void jit_value_set_limit(struct jit_value *value, unsigned i, LLVMValueRef limit);
#endif
