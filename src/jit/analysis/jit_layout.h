/* SPDX-License-Identifier: Apache-2.0 */
/* Where variables stand (jit_layout.c). */
#ifndef JIT_LAYOUT_H
#define JIT_LAYOUT_H

#include "jit/core/jit_core.h"

void jit_layout(struct jit *jit);
void jit_layout_callee(struct jit *jit, const struct jit *kernel);
uint64_t jit_shared_offset(const struct jit *jit, const struct ptx_var *var);
uint64_t jit_local_offset(const struct jit *jit, const struct ptx_var *var);
bool jit_is_call_var(const struct jit *jit,
                     const struct ptx_var *var); /* .param of a call, not of the entry */
bool jit_is_dynamic(const struct ptx_var *var);  /* an unsized array */
/* Bytes up to the end of the last variable: static shared ones; a lane's local ones. */
uint64_t jit_shared_end(const struct jit *jit);
uint64_t jit_local_end(const struct jit *jit);
uint64_t jit_function_token(const struct jit *jit, const struct ptx_function *function);

/* alloca's area: a word with the bytes taken, at jit.stack_at, and the area after it. */
enum { JIT_STACK_WORD = 16, JIT_STACK_ALIGN = 64 };
uint32_t jit_stack_bytes(const struct jit *jit);
#endif
