/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow graph, dominators, loops, liveness and uniformity of one (flattened) function. */
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
    uint32_t max_live_bytes; /* most bytes of registers live at once in one lane: the register estimate */
};
void ptx_liveness_build(const struct ptx_cfg *cfg, struct arena *arena, struct ptx_liveness *out);
/* max_live_bytes alone: in memory that does not grow with blocks times registers. */
uint32_t ptx_live_bytes(const struct ptx_cfg *cfg);
/* Of a flattened kernel: bit i, it may read memory at an address that follows from the i-th 8 bytes of its
 * parameters; bit 63: from those and all behind. */
uint64_t ptx_params_loaded(const struct ptx_function *function);
/* The same of memory that it may read or write, textures and surfaces left out. */
uint64_t ptx_params_accessed(const struct ptx_function *function);
/* Registers of a thread as machine code might have them; maxnreg: the entry's, 0 where it has none. */
uint32_t ptx_register_estimate(uint32_t live_bytes, uint32_t maxnreg);
static inline bool ptx_live(const uint64_t *set, uint32_t reg)
{
    return set[reg / 64] >> (reg % 64) & 1;
}

/* How a register's value varies over the 32 lanes of a warp, at every point where it is defined. */
enum ptx_vary { PTX_UNIFORM, PTX_AFFINE, PTX_VARYING };
struct ptx_shape {
    enum ptx_vary vary;
    int64_t stride; /* AFFINE: value(lane) = value(0) + stride * lane, exactly, in 64-bit arithmetic (no
                       32-bit wrap) */
    bool may_wrap;  /* AFFINE only modulo 2^32: the 32-bit computation may wrap between lanes, check at run
                       time */
};
struct ptx_launch_facts { /* what specialisation knows */
    uint32_t ntid[3];     /* 0: not known */
};
struct ptx_uniformity {
    struct ptx_shape
        *regs;       /* by register; a register that is not uniform at every definition is not UNIFORM */
    bool *divergent; /* by block: its ending branch may split a warp */
    bool *partial;   /* by block: may run with some of the warp's live lanes missing */
};
void ptx_uniformity_build(const struct ptx_cfg *cfg, const struct ptx_launch_facts *facts,
                          struct arena *arena, struct ptx_uniformity *out);
/* The shape of an address operand's value, or of any operand. */
struct ptx_shape ptx_operand_shape(const struct ptx_uniformity *uniformity, const struct ptx_operand *operand,
                                   const struct ptx_launch_facts *facts);
#endif
