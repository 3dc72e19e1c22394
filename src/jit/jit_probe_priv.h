/* SPDX-License-Identifier: Apache-2.0 */
/* Inside jit_probe_*.c: slots of counters, and additions to them (jit_probe_count.c). */
#ifndef JIT_PROBE_PRIV_H
#define JIT_PROBE_PRIV_H

#include "jit_core_priv.h"

enum { JIT_NO_INSTR = UINT32_MAX };
/* Row of an instruction in the table of those that are counted; JIT_NO_INSTR: it belongs to a call. */
uint32_t jit_instr_row(const struct jit *jit, const struct ptx_instr *instr);
/* jit_probe_clock.c: the warp runs a block */
void jit_clock_begin(struct jit *jit);
void jit_clock_block(struct jit *jit, const struct jit_block *block);
uint32_t jit_count_new_slot(struct jit *jit);
uint32_t jit_count_spare(struct jit *jit); /* one that nobody reads */
void jit_count_add(struct jit *jit, uint32_t slot, LLVMValueRef amount);
struct event_slots *jit_count_slots(struct jit *jit, const struct ptx_instr *instr);

/* jit_probe_work.c: only with ACCESS probes */
void jit_work_open(struct jit *jit);                                 /* a function begins */
void jit_work_block(struct jit *jit, const struct jit_block *block); /* the warp runs a block */
LLVMValueRef jit_work_take(struct jit *jit);                         /* i32, for a record */
LLVMValueRef jit_work_take_all(struct jit *jit);                     /* i64 */
LLVMValueRef jit_work_is_some(struct jit *jit);                      /* i1: there is some to take */
void jit_work_warp(struct jit *jit, bool save);                      /* to or from the warp's frame */
void jit_work_pass(struct jit *jit, bool back); /* to a function or its caller; from it */

/* Notes to the buffer (jit_probe_record.c). */
void jit_record_vector(struct jit *jit, const struct jit_record_site *site, LLVMValueRef *parts,
                       LLVMValueRef mask);
void jit_record_progression(struct jit *jit, const struct jit_record_site *site,
                            const struct jit_address *address, LLVMValueRef mask);

static inline LLVMValueRef jit_count_wide(struct jit *jit, LLVMValueRef narrow)
{
    return LLVMBuildZExt(jit->builder, narrow, jit->i64, "");
}

static inline LLVMValueRef jit_count_popcount(struct jit *jit, LLVMValueRef mask)
{
    return jit_intrinsic(jit, "llvm.ctpop", &jit->i32, 1, &mask, 1);
}

static inline LLVMValueRef jit_count_is_some(struct jit *jit, LLVMValueRef mask)
{
    return LLVMBuildICmp(jit->builder, LLVMIntNE, mask, jit_const(jit, 32, 0), "");
}

#endif
