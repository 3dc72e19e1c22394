/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks, thread frontiers, loops that wait, collectives. */
#ifndef JIT_BLOCKS_H
#define JIT_BLOCKS_H

#include "jit/core/jit_core.h"

enum sw_status jit_blocks_build(struct jit *jit);
void jit_frontiers_build(struct jit *jit); /* fills frontier from divergent; repeatable */
void jit_fences_build(struct jit *jit);
void jit_frontiers_count(struct jit *jit);
void jit_lossy_build(struct jit *jit);
void jit_spins_build(struct jit *jit);
void jit_rounds_build(struct jit *jit);

uint32_t jit_line_of_block(const struct jit *jit, const struct jit_block *block); /* of PTX, its first */

bool jit_is_collective(const struct ptx_instr *instr);
bool jit_collectives_find(struct jit *jit);

/* A branch that is counted where it is taken: in a loop, or where it cannot split the warp. */
bool jit_counts_edges(const struct jit *jit, const struct ptx_instr *instr);
bool jit_leaves_loop(const struct jit *jit, const struct jit_block *block);
#endif
