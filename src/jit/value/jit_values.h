/* SPDX-License-Identifier: Apache-2.0 */
/* Values and registers: jit_core_lanes.c, jit_core_values.c; their NaNs: jit_core_nan.c, jit_core_nan_look.c.
 */
#ifndef JIT_VALUES_H
#define JIT_VALUES_H

#include "jit/core/jit_core.h"

struct jit_value jit_value_scalar(LLVMValueRef scalar, unsigned bits);
struct jit_value jit_value_vector(const struct jit *jit, LLVMValueRef *parts, unsigned bits);
LLVMValueRef jit_value_first(struct jit *jit, LLVMValueRef *parts, LLVMValueRef mask);
LLVMValueRef jit_value_any(struct jit *jit, const struct jit_value *value); /* equal in all active lanes */
void jit_value_parts(struct jit *jit, const struct jit_value *value,
                     LLVMValueRef *parts); /* any representation */
struct jit_value jit_value_resize(struct jit *jit, const struct jit_value *value, unsigned bits,
                                  bool is_signed);

/* ---- registers */
struct jit_value jit_reg_read(struct jit *jit, uint32_t reg);
void jit_reg_write(struct jit *jit, uint32_t reg,
                   const struct jit_value *value); /* of the register's width */
struct jit_value jit_reg_operand(struct jit *jit, const struct ptx_operand *operand, unsigned bits);
void jit_dest_write(struct jit *jit, uint32_t reg, const struct jit_value *value, bool is_signed);
LLVMValueRef jit_reg_slot(struct jit *jit, struct jit_reg *reg, unsigned p);
LLVMValueRef jit_limit_slot(struct jit *jit, struct jit_reg *reg, unsigned p);
/* What it is kept in: pieces of a type, and an i32 for each limit; in a frame `frame_step` bytes apart. */
LLVMTypeRef jit_reg_type(const struct jit *jit, const struct jit_reg *reg);
unsigned jit_reg_pieces(const struct jit *jit, const struct jit_reg *reg);
unsigned jit_reg_limits(const struct jit *jit, const struct jit_reg *reg);
struct jit_value jit_reg_value(const struct jit_reg *reg); /* its form, without pieces */
/* Values in memory (first tier): 32 elements side by side, as a slot has them. */
bool jit_reg_may_be_memory(const struct jit *jit, uint32_t reg);
LLVMValueRef jit_reg_memory(struct jit *jit, uint32_t reg); /* where its value is; NULL: it is not there */
LLVMValueRef jit_reg_new_memory(struct jit *jit, uint32_t reg); /* for its next value, which comes now */
struct jit_value jit_reg_load(struct jit *jit, const struct jit_reg *reg, LLVMValueRef memory);
void jit_reg_store(struct jit *jit, const struct jit_reg *reg, const struct jit_value *value,
                   LLVMValueRef memory);
void jit_regs_flush(struct jit *jit); /* to memory, at the end of a block */
void jit_regs_reset(struct jit *jit); /* zeros: a warp begins */

/* ---- NaNs */
void jit_nans_build(struct jit *jit);
LLVMValueRef jit_nan_store(struct jit *jit, const struct jit_reg *reg, LLVMValueRef value);
LLVMValueRef jit_nan_load(struct jit *jit, const struct jit_reg *reg, LLVMValueRef value);
bool jit_is_double_arithmetic(const struct ptx_instr *instr); /* whose NaNs have payloads */
void jit_nan_note(struct jit *jit, const struct jit_value *value);
void jit_nans_look(struct jit *jit);
#endif
