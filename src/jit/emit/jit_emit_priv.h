/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions by family, for jit_emit.c and each other. */
#ifndef JIT_EMIT_PRIV_H
#define JIT_EMIT_PRIV_H

#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"

enum sw_status jit_emit_elementwise(struct jit *jit, const struct ptx_instr *instr);
/* The first tier: as a call (jit_emit_shared.c); *done: false where it must be made in line. */
enum sw_status jit_emit_shared(struct jit *jit, const struct ptx_instr *instr, bool *done);
/* Integer div and rem of lanes near each other (jit_emit_divide.c); *done: false where it must be made
 * otherwise. */
enum sw_status jit_emit_divide(struct jit *jit, const struct ptx_instr *instr, const struct jit_value *src,
                               struct jit_value *out, bool *done);
enum sw_status jit_emit_mov(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_load(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_store(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_atomic(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_async(struct jit *jit, const struct ptx_instr *instr); /* st.async red.async */
enum sw_status jit_emit_call(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_matrix(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_texture(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_texture_query(struct jit *jit, const struct ptx_instr *instr); /* istypep too */
/* alloca, stacksave, stackrestore (jit_emit_stack.c) */
enum sw_status jit_emit_stack(struct jit *jit, const struct ptx_instr *instr);
/* jit_emit_members.c */
void jit_members_look(struct jit *jit, const struct ptx_instr *instr);
void jit_cluster_look(struct jit *jit, const struct ptx_instr *instr);
void jit_shuffle_look(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef *b, LLVMValueRef *c,
                      const struct jit_lanes *lanes);
enum sw_status jit_emit_mbarrier(struct jit *jit, const struct ptx_instr *instr);
void jit_mbarrier_complete(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef address,
                           LLVMValueRef bytes);
enum sw_status jit_emit_copy(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_bulk(struct jit *jit, const struct ptx_instr *instr);
const char *jit_bulk_refusal(const struct ptx_instr *instr);
enum sw_status jit_emit_cluster_query(struct jit *jit, const struct ptx_instr *instr); /* mapa, getctarank */
enum sw_status jit_emit_cvta(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_isspacep(struct jit *jit, const struct ptx_instr *instr);
void jit_suspend_arrive(struct jit *jit, const struct ptx_instr *instr);

void jit_callee_call(struct jit *jit, const struct ptx_function *function, LLVMValueRef mask,
                     const LLVMValueRef *areas);

/* Calls of CUDA's device runtime (jit_emit_device.c); args, results: the call's lists or NULL. */
const struct jit_device_name *jit_device_call_find(const struct ptx_instr *instr); /* NULL: it is none */
const char *jit_device_call_refusal(const struct jit *jit, const struct ptx_operand *args,
                                    const struct ptx_operand *results, const struct ptx_instr *instr);
void jit_device_call(struct jit *jit, const struct ptx_operand *args, const struct ptx_operand *results,
                     const struct ptx_instr *instr);
#endif
