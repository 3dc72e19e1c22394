/* SPDX-License-Identifier: Apache-2.0 */
/* COUNT probes: additions to counter slots, compiled in.
 *
 * A block counts its warps and lanes once for all its instructions; a guarded instruction counts those whose
 * guard holds, a branch at the end of a loop on its edges; a branch that may split counts when it does; a
 * memory access counts units (sectors or lines, wavefronts) and ideal units (jit_probe_access.c). Limits: a
 * kernel that faults may leave some of its counts out. */
#include "jit_probe_priv.h"

#include "jit/analysis/jit_blocks.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_probes.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"

#include <string.h>

/* ---- blocks, guards, branches */

void jit_count_begin(struct jit *jit)
{
    if (!(jit->request->probes & EVENT_PROBE_COUNT)) return;
    size_t rows = jit->merged_from ? jit->function->instr_count : jit->row_count;
    jit->slots = sw_xmalloc((rows + 1) * sizeof *jit->slots);
    memset(jit->slots, 0xff, (rows + 1) * sizeof *jit->slots);
    jit_clock_begin(jit);
}

/* A function of the host counts in the kernel's table and slots. */
void jit_count_callee_begin(const struct jit *kernel, struct jit *callee, uint32_t first_row)
{
    if (!jit_counts(kernel)) return;
    callee->slots = kernel->slots + first_row;
    callee->first_row = first_row;
    callee->clocks = kernel->clocks;
    callee->info.slot_count = kernel->info.slot_count;
    callee->spare_slot = kernel->spare_slot;
}

void jit_count_callee_end(struct jit *kernel, const struct jit *callee)
{
    if (!jit_counts(kernel)) return;
    kernel->info.slot_count = callee->info.slot_count;
    kernel->spare_slot = callee->spare_slot;
}

/* Counters of small kernels are kept in registers: memory costs a vector add in cache twice its time. Each of
 * them is merged wherever control is, so large kernels would compile long. */
void jit_count_open(struct jit *jit)
{
    enum { BLOCKS_MOST = 24, INSTRS_MOST = 400 };
    if (!jit_counts(jit)) return;
    jit->counts_in_registers = jit->block_count <= BLOCKS_MOST && jit->function->instr_count <= INSTRS_MOST;
    jit_trace_begin(jit);
}

void jit_count_close(struct jit *jit)
{
    if (!jit_counts(jit)) return;
    jit_trace_end(jit);
    if (!jit->counts_in_registers) return;
    jit->counts_in_registers = false;
    for (uint32_t slot = 0; slot < jit->info.slot_count; slot++) {
        LLVMValueRef at = map_get_u64(&jit->cached, JIT_COUNT_KEY(slot));
        if (at) jit_count_add(jit, slot, LLVMBuildLoad2(jit->builder, jit->i64, at, ""));
    }
}

void jit_count_block(struct jit *jit, const struct jit_block *block)
{
    if (!jit_counts(jit) || block->first == block->last) return;
    uint32_t warps = jit_count_new_slot(jit), lanes = jit_count_new_slot(jit);
    for (uint32_t i = block->first; i < block->last; i++) {
        struct event_slots *slots = &jit->slots[i];
        slots->warps = slots->on_warps = warps;
        slots->lanes = slots->on_lanes = lanes;
    }
    jit_count_add(jit, warps, jit_const(jit, 64, 1));
    jit_count_add(jit, lanes, jit_count_wide(jit, jit_count_popcount(jit, jit_mask_active(jit))));
    jit_clock_block(jit, block);
    jit_work_block(jit, block);
}

/* The second part of a block's lanes, whose slots jit_count_block has made. */
void jit_count_again(struct jit *jit, const struct jit_block *block)
{
    if (!jit_counts(jit) || block->first == block->last) return;
    const struct event_slots *slots = &jit->slots[block->first];
    LLVMValueRef one = jit_const(jit, 64, 1);
    LLVMValueRef lanes = jit_count_wide(jit, jit_count_popcount(jit, jit_mask_active(jit)));
    jit_clock_block(jit, block);
    jit_work_block(jit, block);
    jit_count_add(jit, slots->warps, one);
    jit_count_add(jit, slots->lanes, lanes);
    if (slots->on_warps == slots->warps) return;
    jit_count_add(jit, slots->on_warps, one);
    jit_count_add(jit, slots->on_lanes, lanes);
}

void jit_count_guard(struct jit *jit, const struct ptx_instr *instr)
{
    if (!jit_counts(jit) || instr->guard == PTX_NO_REG || jit_counts_edges(jit, instr)) return;
    struct event_slots *slots = jit_count_slots(jit, instr);
    LLVMValueRef mask, scalar;
    jit_mask_guard(jit, instr, &mask, &scalar);
    slots->on_warps = jit_count_new_slot(jit);
    slots->on_lanes = jit_count_new_slot(jit);
    jit_count_add(jit, slots->on_warps, jit_count_wide(jit, jit_count_is_some(jit, mask)));
    jit_count_add(jit, slots->on_lanes, jit_count_wide(jit, jit_count_popcount(jit, mask)));
}

void jit_count_split(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef did_split)
{
    if (!jit_counts(jit)) return;
    struct event_slots *slots = jit_count_slots(jit, instr);
    slots->divergent = jit_count_new_slot(jit);
    jit_count_add(jit, slots->divergent, jit_count_wide(jit, did_split));
}

void jit_count_edges(struct jit *jit, const struct ptx_instr *instr)
{
    if (!jit_counts(jit)) return;
    struct event_slots *slots = jit_count_slots(jit, instr);
    slots->on_warps = jit_count_new_slot(jit);
    slots->on_lanes = jit_count_new_slot(jit);
    slots->divergent = jit_count_new_slot(jit);
}

void jit_count_taken(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef lanes, bool split)
{
    if (!jit_counts(jit)) return;
    const struct event_slots *slots = jit_count_slots(jit, instr);
    jit_count_add(jit, slots->on_warps, jit_const(jit, 64, 1));
    jit_count_add(jit, slots->on_lanes, jit_count_wide(jit, jit_count_popcount(jit, lanes)));
    if (split) jit_count_add(jit, slots->divergent, jit_const(jit, 64, 1));
}
