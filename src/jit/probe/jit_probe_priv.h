/* SPDX-License-Identifier: Apache-2.0 */
/* Inside jit_probe_*.c: slots of counters (jit_probe_slot.c), notes to the buffer, accesses counted later. */
#ifndef JIT_PROBE_PRIV_H
#define JIT_PROBE_PRIV_H

#include "jit/core/jit_build.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"

/* Where a counter stands: in memory, or until the end of softwarp_run in a slot, that is, a register. */
#define JIT_COUNT_KEY(slot) (1ull << 61 | (slot))
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
void jit_record_access(struct jit *jit, const struct ptx_instr *instr, const struct jit_address *address,
                       const struct jit_lanes *lanes, uint32_t bytes, uint32_t kind, uint32_t shared_kind,
                       uint32_t slots);
void jit_address_set_open(struct jit *jit); /* a block begins */
void jit_address_set_access(struct jit *jit, const struct jit_record_site *site,
                            const struct jit_address *address, LLVMValueRef mask);

/* ---- accesses that a rule counts later (jit_probe_trace.c) */
struct jit_rule {
    size_t helper;               /* of struct jit_helpers: its offset */
    uint32_t bytes, kind;        /* enum event_access_kind */
    uint32_t units, ideal, more; /* slots; more: or EVENT_NO_SLOT */
};
LLVMTypeRef jit_rule_type(struct jit *jit); /* of the helpers that count */
void jit_trace_begin(struct jit *jit);
void jit_trace_end(struct jit *jit);
void jit_trace_note(struct jit *jit, const struct jit_rule *rule, LLVMValueRef *addresses, LLVMValueRef mask);

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
