/* SPDX-License-Identifier: Apache-2.0 */
/* The code of a kernel, and of a function that stays one (jit_emit_kernel.c). */
#ifndef JIT_CONTROL_H
#define JIT_CONTROL_H

#include "jit/core/jit_core.h"

enum sw_status jit_emit_kernel(struct jit *jit);
enum sw_status jit_emit_callee_body(struct jit *jit, LLVMValueRef fn);
void jit_flush_build(struct jit *jit); /* does MXCSR flush denormals? (jit_core_flush.c) */
#endif
