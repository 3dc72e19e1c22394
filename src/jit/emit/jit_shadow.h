/* SPDX-License-Identifier: Apache-2.0 */
/* What emitted code tells the engine's shadow memory (jit_emit_shadow.c): accesses, and what orders them.
 * Nothing is emitted without the probes. */
#ifndef JIT_SHADOW_H
#define JIT_SHADOW_H

#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"

bool jit_shadows(const struct jit *jit);       /* accesses are told */
bool jit_shadows_order(const struct jit *jit); /* and what orders them */

/* An access of jit->instr, before it is made; flags: enum jit_shadow_flag beside those that its words say;
 * reads, or NULL: the operand that is written from memory. */
void jit_shadow_access(struct jit *jit, const struct jit_address *address, const struct jit_lanes *lanes,
                       unsigned bytes, unsigned flags, const struct ptx_operand *reads);
/* The same of a store, with what it writes. */
void jit_shadow_store(struct jit *jit, const struct jit_address *address, const struct jit_lanes *lanes,
                      const struct jit_access *access, const struct jit_value *values);
/* `mask` lanes of a warp (i32 each; warp NULL: this one) do what orders accesses; value: i64, or NULL. */
void jit_shadow_order(struct jit *jit, LLVMValueRef warp, LLVMValueRef mask, enum jit_order what,
                      LLVMValueRef value);
void jit_shadow_fence(struct jit *jit, const struct ptx_instr *instr);
void jit_shadow_warp_sync(struct jit *jit, const struct ptx_instr *instr); /* all lanes that come are here */
/* cp.async's groups and arrivals; those that are no copies. */
void jit_shadow_group(struct jit *jit, const struct ptx_instr *instr);
void jit_shadow_copies_arrive(struct jit *jit, const struct ptx_instr *instr);
#endif
