/* SPDX-License-Identifier: Apache-2.0 */
/* Operands as values, and the lanes an instruction is for (jit_core_operand.c). */
#ifndef JIT_LANES_H
#define JIT_LANES_H

#include "jit/core/jit_core.h"

struct jit_value jit_operand(struct jit *jit, const struct ptx_operand *operand, unsigned bits);
struct jit_lanes {       /* who takes part */
    LLVMValueRef mask;   /* i32 */
    LLVMValueRef *parts; /* <lanes x i1>; NULL when full */
    bool full, may_be_empty;
};
struct jit_lanes jit_lanes_of(struct jit *jit, const struct ptx_instr *instr);

/* ---- special registers (jit_emit_special.c) */
struct jit_value jit_emit_sreg(struct jit *jit, enum isa_sreg sreg);

/* ---- warps' clocks (jit_probe_clock.c) */
void jit_clock_begin(struct jit *jit);
void jit_clock_block(struct jit *jit, const struct jit_block *block);
/* A read of the warp's clock by this helper of struct jit_helpers. */
LLVMValueRef jit_clock_read(struct jit *jit, size_t helper);

/* ---- lanes' values in memory (jit_core_spill.c) */
LLVMValueRef jit_scratch_address(struct jit *jit); /* memory that may be read */
LLVMValueRef jit_scratch_values(struct jit *jit);  /* 64 words */
LLVMValueRef jit_spill_addresses(struct jit *jit, LLVMValueRef *addresses);
LLVMValueRef jit_spill_values(struct jit *jit, LLVMValueRef *parts, unsigned bits);
void jit_spill_parts(struct jit *jit, LLVMValueRef to, LLVMValueRef *parts, unsigned bits);
#endif
