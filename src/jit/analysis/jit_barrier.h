/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers (jit_core_barrier.c) and the frames of warps that stop there (jit_core_frame.c). */
#ifndef JIT_BARRIER_H
#define JIT_BARRIER_H

#include "jit/core/jit_core.h"

/* What a barrier says: bar.sync a{, b}; bar.red d, a{, b}, p; bar.arrive a, b */
struct jit_barrier {
    const struct ptx_operand *id, *count, *predicate, *dest;
};
struct jit_barrier jit_barrier_read(const struct ptx_instr *instr);
const struct ptx_instr *jit_barrier_instr(const struct jit *jit, const struct jit_block *block);
uint32_t jit_barrier_wait_points(const struct jit *jit,
                                 const struct jit_block *block); /* in a frame: 1 or 16 */

/* The block whose barrier waits at this wait point of a warp. */
const struct jit_block *jit_barrier_of_point(const struct jit *jit, uint32_t wait_point);
bool jit_barrier_aligned(const struct ptx_instr *instr); /* all lanes of a warp must be there together */

bool jit_needs_suspension(const struct jit *jit);
bool jit_barrier_needs_all(const struct jit *jit, const struct ptx_instr *instr); /* threads of the block */
bool jit_is_cluster_barrier(const struct ptx_instr *instr);
/* ---- frames */
uint32_t jit_frame_registers(struct jit *jit, uint32_t at);
bool jit_registers_in_frame(const struct jit *jit);
void jit_changed_build(struct jit *jit); /* what must be saved at barriers of the region form */
void jit_suspend_layout(struct jit *jit);
uint64_t *jit_resume_set(struct jit *jit); /* blocks where a suspended warp may go on */
#endif
