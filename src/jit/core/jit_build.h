/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM in small (jit_core_build.c). */
#ifndef JIT_BUILD_H
#define JIT_BUILD_H

#include "jit/core/jit_core.h"

LLVMTypeRef jit_int(const struct jit *jit, unsigned bits);
LLVMTypeRef jit_vec(const struct jit *jit, unsigned bits);
LLVMValueRef jit_const(const struct jit *jit, unsigned bits, uint64_t value);
LLVMValueRef jit_reg_alloca(struct jit *jit, LLVMTypeRef type);             /* a slot of a register */
LLVMValueRef jit_mask_alloca(struct jit *jit);                              /* a slot of a block's lanes */
LLVMValueRef jit_slot(struct jit *jit, LLVMTypeRef type, const char *name); /* alloca in the prologue */
/* An i64 in the prologue that has this value when a launch's part begins. */
LLVMValueRef jit_launch_slot(struct jit *jit, const char *name, uint64_t value);
/* The same, one of many: of an access, which stores it. As values, 334 of them in a kernel of many branches
 * became 53,000 merges, six times the IR without: where that may happen, they stay in memory. */
LLVMValueRef jit_site_slot(struct jit *jit, const char *name, uint64_t value);
LLVMValueRef jit_ctx_load(struct jit *jit, size_t offset, LLVMTypeRef type);
LLVMValueRef jit_offset(struct jit *jit, LLVMValueRef base, uint64_t bytes); /* ptr + bytes */
LLVMValueRef jit_splat(struct jit *jit, LLVMValueRef scalar, unsigned bits);
LLVMValueRef jit_lane_consts(struct jit *jit, unsigned bits, unsigned part, uint64_t base, int64_t stride);
LLVMValueRef jit_intrinsic(struct jit *jit, const char *name, LLVMTypeRef *types, unsigned type_count,
                           LLVMValueRef *args, unsigned arg_count);
LLVMBasicBlockRef jit_new_block(struct jit *jit, const char *name);
void jit_position(struct jit *jit, LLVMBasicBlockRef block);
LLVMValueRef jit_branch(struct jit *jit, LLVMValueRef condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no,
                        bool likely);
LLVMValueRef jit_resize(struct jit *jit, LLVMValueRef value, unsigned from, unsigned to, bool is_signed);

/* A constant of the object, which code gets a pointer to. */
LLVMValueRef jit_object_constant(struct jit *jit, LLVMValueRef value, const char *name, unsigned align);

/* Call a helper, by its place in struct jit_helpers. */
LLVMValueRef jit_helper_call(struct jit *jit, size_t offset, LLVMTypeRef type, LLVMValueRef *args,
                             unsigned count);

/* Attributes of functions: one by its name; those that every function has. */
void jit_attribute(struct jit *jit, LLVMValueRef function, const char *name);
#define JIT_SHARED_PREFIX "softwarp_op_" /* of functions that compute an instruction (jit_emit_shared.c) */
void jit_target_attributes(struct jit *jit, LLVMValueRef function);
#endif
