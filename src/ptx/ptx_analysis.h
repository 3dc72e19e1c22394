/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow graph, dominators, loops and liveness of one (flattened) function. */
#ifndef PTX_ANALYSIS_H
#define PTX_ANALYSIS_H

#include "ptx/ptx_ir.h"

enum ptx_block_end { PTX_END_FALL, PTX_END_BRANCH, PTX_END_COND, PTX_END_TABLE /* brx.idx */, PTX_END_EXIT };

struct ptx_block {
    uint32_t first, last; /* instructions [first, last) */
    enum ptx_block_end end;
    uint32_t *succ,
        *pred; /* block numbers; COND: succ[0] taken, succ[1] fall through; equal targets were folded */
    uint32_t succ_count, pred_count;
    uint32_t idom,
        ipdom; /* block number, or PTX_NO_BLOCK; ipdom of a block that reaches several exits may be none */
    uint32_t loop_depth, loop_header; /* header of the innermost natural loop, or PTX_NO_BLOCK */
    bool in_cycle;                    /* lies on a cycle, reducible or not */
};
#define PTX_NO_BLOCK UINT32_MAX

/* Blocks are numbered in reverse post-order; block 0 is the entry; unreachable code has no block. A barrier
 * and a call that stays a call do not end a block; a guarded exit (@p ret) ends one as COND with succ[0] ==
 * the exit block. There is exactly one exit block, the last, empty one (PTX_END_EXIT), to which every
 * ret/exit goes; guarded or not. */
struct ptx_cfg {
    const struct ptx_function *function;
    struct ptx_block *blocks;
    uint32_t block_count, exit_block;
    uint32_t *block_of; /* by instruction; PTX_NO_BLOCK when unreachable */
    bool irreducible;
};
enum sw_status ptx_cfg_build(const struct ptx_function *function, struct arena *arena, struct ptx_cfg *out,
                             struct sw_error *error);

/* Bit r of live_in[block] : register r is live on entry. words = (reg_count + 63) / 64. A guarded write does
 * not kill. */
struct ptx_liveness {
    uint64_t **live_in, **live_out;
    uint32_t words;
};
void ptx_liveness_build(const struct ptx_cfg *cfg, struct arena *arena, struct ptx_liveness *out);
/* Most bytes of registers live at once in one lane, for ptx_register_estimate: in memory that does not grow
 * with blocks times registers. */
uint32_t ptx_live_bytes(const struct ptx_cfg *cfg);
/* Of a flattened kernel: bit i, it may read memory at an address that follows from the i-th 8 bytes of its
 * parameters; bit 63: from those and all after them. */
uint64_t ptx_params_loaded(const struct ptx_function *function);
/* The same of memory that it may read or write, textures and surfaces left out. */
uint64_t ptx_params_accessed(const struct ptx_function *function);
/* Registers of a thread as machine code might have them; maxnreg: the entry's, 0 where it has none. */
uint32_t ptx_register_estimate(uint32_t live_bytes, uint32_t maxnreg);
/* By register: may the lanes of a warp differ in it, whatever the shape of the block? The caller frees it. */
bool *ptx_varying_registers(const struct ptx_function *function);
/* Does one lane do this atomic for its warp, as ptxas compiles it? varies: of its function. */
bool ptx_one_lane_does(const struct ptx_instr *instr, const bool *varies);
static inline bool ptx_live(const uint64_t *set, uint32_t reg)
{
    return set[reg / 64] >> (reg % 64) & 1;
}
#endif
