/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions: what control and compile ask of them. */
#ifndef JIT_EMIT_H
#define JIT_EMIT_H

#include "jit/core/jit_core.h"

enum sw_status jit_emit_instr(struct jit *jit, const struct ptx_instr *instr);
unsigned jit_double_run(const struct jit *jit, uint32_t first, uint32_t end);
enum sw_status jit_emit_double_run(struct jit *jit, const struct ptx_instr *run, unsigned count);

/* ---- refusals; NULL: it is done */
const char *jit_call_refusal(const struct jit *jit, const struct ptx_instr *instr);
const char *jit_matrix_refusal(const struct ptx_instr *instr);
const char *jit_texture_refusal(const struct ptx_instr *instr);
const char *jit_mbarrier_refusal(const struct ptx_instr *instr);
const char *jit_copy_refusal(const struct ptx_instr *instr);

/* ---- write combining (jit_emit_combine.c), stack of alloca (jit_emit_stack.c) */
void jit_combine_begin(struct jit *jit);
void jit_combine_end(struct jit *jit);
void jit_stack_begin(struct jit *jit); /* a warp starts: nothing is on it */

/* ---- functions that stay functions (jit_emit_callee.c) */
LLVMValueRef jit_callee_declare(struct jit *jit, struct jit_callee *callee);
void jit_callee_take_areas(struct jit *jit, LLVMValueRef fn); /* of the function being compiled */

/* ---- lanes at barriers (jit_emit_agree.c) */
/* Lanes that name the same barrier and count, one group after the other. */
struct jit_agreeing {
    LLVMValueRef lanes, id, count;
    LLVMBasicBlockRef head, end; /* NULL: there is one group */
    LLVMValueRef left;
};
struct jit_agreeing jit_agreeing_begin(struct jit *jit, const struct ptx_operand *id,
                                       const struct ptx_operand *count, LLVMValueRef lanes);
void jit_agreeing_end(struct jit *jit, const struct jit_agreeing *some);
#endif
