/* SPDX-License-Identifier: Apache-2.0 */
/* Counters (jit_probe_count.c, jit_probe_access.c) and records of accesses (jit_probe_record.c). */
#ifndef JIT_PROBE_H
#define JIT_PROBE_H

#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"

void jit_count_begin(struct jit *jit);
void jit_count_callee_begin(const struct jit *kernel, struct jit *callee, uint32_t first_row);
void jit_count_callee_end(struct jit *kernel, const struct jit *callee);
void jit_count_open(struct jit *jit);  /* where a launch's part begins */
void jit_count_close(struct jit *jit); /* where it ends */
void jit_count_block(struct jit *jit, const struct jit_block *block);
void jit_count_again(struct jit *jit, const struct jit_block *block); /* it runs in two parts */
void jit_count_guard(struct jit *jit, const struct ptx_instr *instr);
bool jit_counts_slow(const struct jit *jit, const struct ptx_instr *instr);
void jit_count_slow(struct jit *jit, const struct ptx_instr *instr,
                    const struct jit_value *src); /* jit_probe_slow_path.c; src: operands */
void jit_count_split(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef did_split);
/* A branch that jit_counts_edges: its slots, and then on each edge. */
void jit_count_edges(struct jit *jit, const struct ptx_instr *instr);
void jit_count_taken(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef lanes, bool split);
void jit_count_access(struct jit *jit, const struct ptx_instr *instr, const struct jit_address *address,
                      const struct jit_lanes *lanes, const struct jit_access *access);
void jit_count_param(struct jit *jit, const struct ptx_instr *instr); /* one that all lanes read */
void jit_count_texture(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef counted);
void jit_count_copy(struct jit *jit, const struct ptx_instr *instr, const struct jit_address *to,
                    const struct jit_address *from, const struct jit_lanes *lanes,
                    const struct jit_lanes *sourced);
/* A bulk copy of one lane, whose slots jit_count_bulk_slots has made. */
void jit_count_bulk_slots(struct jit *jit, const struct ptx_instr *instr);
void jit_count_bulk(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef address, LLVMValueRef bytes);
/* args: those of the helper `fragment`; addresses: of the lanes */
void jit_count_fragment(struct jit *jit, const struct ptx_instr *instr, const struct jit_address *address,
                        LLVMValueRef *args);

/* ---- what warps ask of memory (jit_probe_record.c) */
void jit_record_open(struct jit *jit);  /* a function begins */
void jit_record_close(struct jit *jit); /* it returns */
void jit_record_call(struct jit *jit);  /* a function that stays one is about to run */
void jit_record_return(struct jit *jit);
void jit_record_round_begin(struct jit *jit, LLVMValueRef frame);
void jit_record_warp(struct jit *jit, bool save); /* its count of requests, to or from its frame */
LLVMValueRef jit_record_round_over(struct jit *jit);
/* The helpers called from here on note their accesses to global memory as this instruction's. */
void jit_record_helper_begin(struct jit *jit, const struct ptx_instr *instr, uint32_t kind);
void jit_record_helper_end(struct jit *jit);
void jit_record_barrier(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef mask);
/* Around the code that notes phases of mbarriers, unless jit_record_helper_begin stands around it. */
void jit_phase_helper_begin(struct jit *jit);
void jit_phase_helper_end(struct jit *jit);
/* how: enum jit_phase, i32 */
void jit_phase_note(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef address, LLVMValueRef how);
void jit_record_end(struct jit *jit); /* the warp has ended */
/* ---- accesses of any block to the address set (jit_probe_address_set.c); nothing without the probe */
void jit_address_set_sweep(struct jit *jit);      /* its warps begin, or go on after a barrier; */
void jit_address_set_warp(struct jit *jit);       /* one of them; */
void jit_address_set_warp_latch(struct jit *jit); /* and its part is over */
#endif
