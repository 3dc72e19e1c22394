/* SPDX-License-Identifier: Apache-2.0 */
/* What jit_compile.c puts together. */
#ifndef JIT_COMPILE_PRIV_H
#define JIT_COMPILE_PRIV_H

#include "jit/core/jit_core.h"

enum sw_status jit_check(struct jit *jit); /* jit_check.c */

/* ---- functions that stay functions (jit_callee.c); those that may stop become part of the kernel
 * (jit_merge.c) */
enum sw_status jit_callees_find(struct jit *jit);
enum sw_status jit_callees_emit(struct jit *kernel);
enum sw_status jit_merge(struct jit *jit);

/* ---- the first tier (jit_share.c, jit_constants.c) */
void jit_expressions_share(struct jit *jit);
void jit_constants_load(struct jit *jit);

/* ---- machine (jit_target.c): reads nothing of the request's PTX */
enum sw_status jit_target_emit(struct jit *jit, struct jit_object *out);

/* ---- when LLVM finds no memory (jit_exhausted.c): this thread opens it, until it asks for our version; it
 * calls it */
void jit_llvm_opens(void);
void jit_llvm_opened(void);
void jit_llvm_begin(void);
void jit_llvm_end(void);
#endif
