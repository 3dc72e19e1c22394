/* SPDX-License-Identifier: Apache-2.0 */
/* The compile state of one kernel: blocks with thread frontiers, registers in one of four representations,
 * and what every module of jit/ shares. Modules, each using those above it:
 *
 *   op        what one instruction computes, on values
 *   core      this state; LLVM in small (jit_build.h); widths of operands; what is counted
 *   analysis  before anything is emitted: where variables stand, blocks, thread frontiers, waiting loops,
 *             forms and alignment of registers, barriers, frames
 *   value     registers, lanes, masks, operands, special registers, addresses
 *   probe     counters, access records
 *   emit      instructions
 *   control   ends of blocks, barriers, warps that stop, collectives; the loops around a warp's code
 *   compile   softwarp_jit_compile: checks, functions, passes and machine code */
#ifndef JIT_CORE_H
#define JIT_CORE_H

#include "jit/op/jit_ops.h"
#include <stddef.h>

/* ---- blocks: those of ptx_cfg, cut after barriers. Numbered in reverse post-order; the last is the exit. */

struct jit_block {
    uint32_t first, last; /* instructions [first, last); a BAR end has its barrier at last - 1 */
    enum jit_end {
        JIT_END_JUMP,
        JIT_END_COND,
        JIT_END_TABLE,
        JIT_END_EXIT,
        JIT_END_BARRIER,
        JIT_END_COLLECTIVE
    } end;
    uint32_t *succ; /* COND: taken, fall through */
    uint32_t succ_count;
    uint32_t source;   /* ptx_cfg block */
    uint64_t *live_in; /* registers that live across blocks: jit_lives */
    uint64_t *changed; /* region form: those that may differ from the frame at its end: jit_lives */
    uint64_t
        *frontier; /* blocks where lanes of the warp may wait while this one runs, by bit; never the exit */
    uint64_t *needed; /* registers whose old value those lanes need: jit_lives */
    bool divergent;   /* its end may split the warp */
    bool in_cycle;
    bool lossy;              /* lanes may be missing: exited, or never there */
    bool polls;              /* in a loop that waits for others; */
    bool spins;              /* its end closes one */
    bool yields;             /* and where a warp may stop: it spins, or makes requests (jit_core_yields.c) */
    bool cut;                /* ends before or after an instruction that ends no block of ptx_cfg */
    bool fence;              /* the warp's lanes come here together: none waits at a collective */
    uint64_t *parked_before; /* fence: collectives where lanes may wait when others come here, by bit */
    uint32_t wait_point;     /* BARRIER: the number of the wait point of a warp, from 1 */
    uint32_t mask_offset;    /* like `mask`, in the frame of a warp that suspends */
    LLVMBasicBlockRef entry;
    LLVMValueRef mask; /* slot of the lanes that wait to run it */
};

/* ---- values */

/* How a value is stored. SCALAR: one value for every lane that cares. AFFINE: lane l has
 *   scalar + l * stride - (l >= limit ? wrap : 0)   modulo 2^bits
 * where the limit is that of a 32-bit sum that was widened and wrapped between lanes (none: NULL).
 * ROWS: where a row (jit_core_row_lanes.c) has W = jit.row_lanes lanes and a warp R = jit.rows rows, lane l
 * has first[l / W] + l % W * stride - (l % W >= limit[l / W] ? wrap : 0)   modulo 2^bits (where rows are not
 * even, with lane 0's place in its row added to l) and a regular value has first[r] = scalar + r * step: step
 * 0 is the same in all rows. */
enum jit_repr { JIT_UNSET, JIT_SCALAR, JIT_AFFINE, JIT_ROWS, JIT_VECTOR };
enum { JIT_NO_WRAP = 64 }; /* as a limit: no lane wraps, since rows have at most 63 */
struct jit_abstract {
    enum jit_repr repr;
    bool constant;  /* SCALAR: always `value` */
    bool regular;   /* ROWS */
    unsigned align; /* lane 0's value, where rows are not regular each row's first, is a multiple of this
                       power of two, at most 32; 0: not known */
    uint64_t value; /* constant */
    uint64_t max;   /* no lane's value exceeds it as an unsigned number; UINT64_MAX: not known */
    int64_t stride; /* AFFINE, ROWS */
    int64_t wrap;   /* AFFINE, ROWS of more than 32 bits; 0: exact */
    int64_t step;   /* ROWS, regular; of 0 if wrap is not */
    unsigned shift; /* VECTOR: if not 0, lane l has (x + l) >> shift, where x is a multiple of 32 */
};
struct jit_value {
    enum jit_repr repr;
    unsigned bits;
    bool regular;        /* ROWS */
    LLVMValueRef scalar; /* SCALAR; AFFINE, ROWS: lane 0's */
    int64_t stride, wrap, step;
    LLVMValueRef limit;                   /* i32; NULL when wrap is 0, or ROWS is not regular */
    LLVMValueRef part[JIT_MAX_PARTS];     /* VECTOR; ROWS that is not regular: each row's first */
    LLVMValueRef row_limit[JIT_MAX_ROWS]; /* of such; NULL when wrap is 0 */
};
/* Not one progression of all lanes: told to others lane by lane. */
static inline bool jit_is_by_lane(const struct jit_value *value)
{
    return value->repr == JIT_VECTOR || value->repr == JIT_ROWS;
}
struct jit_reg {
    struct jit_abstract abstract;
    unsigned bits;
    bool forced;      /* VECTOR because lanes elsewhere need their old value */
    bool canonical;   /* floating-point results only: a NaN is the canonical one (jit_core_nan.c) */
    bool brings_nans; /* goes into arithmetic of f64, and need not be a result of such */
    bool crosses;     /* lives across blocks */
    bool fetched;     /* depends on what lanes loaded or exchanged (jit_core_computed.c) */
    LLVMValueRef slot[JIT_MAX_PARTS];      /* memory between blocks: [0] of a scalar; NULL: none yet */
    LLVMValueRef limit_slot[JIT_MAX_ROWS]; /* i32 */
    uint32_t frame_offset, frame_step;     /* in the warp's frame; bytes of one part */
    uint32_t epoch;                        /* jit.epoch of the block whose `value` it is */
    bool dirty;
    LLVMValueRef memory; /* where an instruction of this block put it; NULL: nowhere */
    bool in_slot;        /* memory: it is the slot */
    bool is_loaded;      /* memory: `value` is what is there */
    LLVMValueRef work;   /* memory for that which is not its slot; NULL: none yet */
    struct jit_value value;
};

/* A register number past the PTX ones: the carry flag CC.CF. */
#define JIT_REG_CARRY(jit) ((jit)->function->reg_count)

struct jit_callee { /* a function that stays one (jit_callee.c) */
    const struct ptx_function *source, *flat;
    uint32_t first_row; /* of its instructions, in the table of those that are counted */
    LLVMValueRef fn;
};
typedef VEC(struct jit_callee) jit_callee_list;

struct jit_site { /* where a variable stands */
    const struct ptx_var *var;
    uint64_t offset;
};

struct jit {
    const struct jit_request *request;
    const struct ptx_function *function;
    struct jit_info info;
    struct sw_error *error;
    struct arena arena;
    struct ptx_cfg cfg;
    struct ptx_liveness live;

    bool flushes;  /* MXCSR flushes denormals (jit_core_flush.c) */
    bool suspends; /* a warp may stop at any barrier and in loops that wait (jit_emit_suspend.c) */
    struct jit_block *blocks;
    uint64_t *reaches, *acts; /* by block, which it reaches; blocks that do something that others may see;
                                 NULL until asked for (jit_emit_misuse.c) */
    uint32_t *left_out;       /* by block: conditional barriers that lanes there are behind; likewise */
    uint64_t *resumes;        /* blocks where part of a suspended warp may go on, by bit */
    bool apart;               /* lanes may wait at a barrier while others of their warp run */
    uint32_t block_count, block_words, reg_words, reg_count; /* reg_count: with the carry flag */
    uint32_t access_count;                                   /* instructions that may access memory */
    uint32_t *crossing, cross_words; /* by register: its bit in live_in and needed, or JIT_STAYS */
    struct jit_reg *regs;

    uint64_t *collectives; /* instructions where part of a warp may wait for its rest, by bit; NULL: none */
    uint64_t *collective_blocks; /* their blocks, by bit */
    uint64_t *after_barrier;     /* blocks after a barrier, by bit */
    bool has_collectives;        /* they are looked at */
    struct jit_aligned *aligns;  /* by register (jit_core_align.c) */
    struct jit_origin *origins;  /* by register (jit_core_origin.c); NULL: nobody asks */
    LLVMValueRef schedule_start; /* slot: i32 (jit_core_schedule.c) */
    LLVMBasicBlockRef scheduler_from;
    LLVMValueRef collective; /* ptr: the warp's struct jit_collective_state; in its frame when it suspends */
    uint32_t collective_offset;
    LLVMValueRef waiting_in_frame; /* function: lanes that wait at any block; made when needed */

    jit_callee_list *callees; /* of the kernel */
    uint32_t *merged_from;    /* by row: where it stands in `function`; NULL: same */
    uint32_t row_count;       /* instructions that are counted: of request.entry, then of its callees */
    bool has_stack;           /* alloca is used: */
    uint32_t stack_at;        /* where its word is in a lane's local memory */
    bool is_callee;
    const uint8_t *register_uses; /* jit_emit_shadow.c; NULL: not looked at yet */
    const bool *varies;           /* by register (ptx_uniform.c); NULL: not looked at yet */
    VEC(struct jit_site) shared_sites;
    VEC(struct jit_site) local_sites;
    VEC(LLVMValueRef) noted;               /* scalars not yet looked at for NaNs (jit_core_nan_look.c) */
    VEC(uint32_t) dirty;                   /* registers written in the block being emitted */
    struct map cached;                     /* values of the launch: parameters, symbols, buffers */
    struct map ahead;                      /* by instruction: loaded with an earlier one (jit_emit_ahead.c) */
    uint32_t wait_point_count, head_bytes; /* of barriers; of a frame before its registers */
    uint32_t frontier_tests;               /* pending blocks, over all blocks */
    uint32_t bits_offset;                  /* in a frame: which blocks have lanes (jit_core_schedule.c); */
    uint32_t wait_bits_offset;             /* which wait points (jit_emit_points.c) */
    LLVMValueRef points;                   /* table of them; made when needed */
    LLVMBasicBlockRef scheduler, *gates;
    struct event_slots *slots; /* one an instruction; NULL: nothing is counted */

    /* what is known about the block of threads; 0: not known */
    uint32_t ntid[3], threads;
    bool full_warps; /* every warp has 32 threads */
    /* threads that differ in the fastest index alone, or lanes that the code puts side by side, in rows of W;
     * 32 and 1: there are no rows. Even: a warp has R whole rows. Otherwise it has lanes of at most R, the
     * first of which begins before it. */
    unsigned row_lanes, rows;
    bool even_rows, block_has_rows;

    struct jit_part part; /* the machine's cut: lanes x parts */
    struct jit_part one;  /* scalars */
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMValueRef fn;           /* softwarp_run */
    LLVMBasicBlockRef allocas; /* of fn: its slots, and nothing else but a jump */
    LLVMTypeRef i1, i8, i16, i32, i64, ptr, empty;
    unsigned kind_prof, kind_invariant; /* metadata kinds */
    LLVMValueRef likely, nothing;       /* branch weights 4000:1; an empty node */

    /* values of the loops around the warp's code */
    LLVMBasicBlockRef launch_prologue, warp_prologue; /* dominate everything; the warp's code */
    LLVMBasicBlockRef warp_latch;                     /* the warp has ended, or waits */
    LLVMBasicBlockRef pair_latch; /* two warps have ended, or wait; NULL: none run together */
    LLVMBasicBlockRef stop;       /* a warp that suspends saves its registers here */
    LLVMValueRef ctx, params, shared, local, frames, symbols, counters, helpers;
    LLVMValueRef block_dim[3], grid_dim[3], thread_count, warp_count;
    LLVMValueRef ctaid[3], warp;
    LLVMValueRef group, group_x; /* i32: blocks side by side that run in turn, the first one's %ctaid.x; NULL:
                                    each runs alone */
    LLVMValueRef warp_local;     /* ptr: local memory of the warp's lane 0 */
    LLVMValueRef live_mask;      /* lanes that have a thread */
    LLVMValueRef frame;          /* ptr: of this warp */
    LLVMValueRef active;         /* slot: i32, lanes that run now */
    LLVMValueRef
        any_waits; /* slot: i32, a warp waits at this wait point; or one gave way in a waiting loop */
    LLVMValueRef mixed_waits;                    /* slot: i32, warps wait at several of them, or left one out
                                                    (jit_emit_misuse.c);                    NULL: nobody asks */
    LLVMValueRef spin_count;                     /* slot: i32, times round waiting loops */
    LLVMValueRef scratch_address, scratch_value; /* slots: 32 words; 64 */
    const struct jit_value *stored; /* by this instruction; NULL: not one value of a register's size */
    bool values_only;               /* no register's value is in memory within a block (jit_emit_pair.c) */
    unsigned gathers_in_line;       /* made so far */
    unsigned likely_accesses;       /* likewise, of those that a test of their addresses precedes */
    unsigned low_accesses;          /* likewise, of those of shared memory that may begin below it */
    LLVMValueRef trace;             /* slot: accesses that wait to be counted; NULL: none do */
    bool clocks;                    /* warps have clocks (jit_probe_clock.c) */
    bool counts_in_registers;       /* until the end of softwarp_run */
    LLVMValueRef records, record_end, request_count; /* ptr; slots: ptr, i32; NULL: nothing is noted */
    LLVMValueRef work,
        work_table; /* EVENT_PROBE_ACCESS: slot: i64, since the last record; of struct jit_ctx */
    LLVMValueRef request_base,
        request_top;         /* EVENT_PROBE_ADDRESS_SET: slots: of the sweep, of any warp so far */
    LLVMValueRef call_bytes; /* i32, of struct jit_ctx: in a function that stays one */
    uint32_t first_row;      /* of it in the kernel's table */
    uint32_t spare_slot;     /* 1 + a counter that nobody reads; 0: none yet */
    LLVMValueRef combining;  /* slot: stores that wait; NULL: none do (jit_emit_combine.c) */
    unsigned combine_bits, combine_sites; /* of their elements; how many instructions may wait so far */
    LLVMValueRef matrix_from, matrix_to;  /* slots: registers of fragments */
    struct jit_value tid[3];
    /* where rows are not even; NULL until asked for: lane 0's place in its row; lanes of a row, i32; a lane's
     * place in its row, vectors */
    LLVMValueRef row_phase, row_masks[JIT_MAX_ROWS], row_places[JIT_MAX_PARTS];

    /* the block being emitted */
    struct jit_block *block;
    uint32_t epoch;
    LLVMValueRef mask_now;                  /* i32 */
    LLVMValueRef mask_parts[JIT_MAX_PARTS]; /* <lanes x i1>, NULL until asked for */
    const struct ptx_instr *instr;
};

/* ---- bit sets */
static inline bool jit_bit(const uint64_t *set, uint32_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}
static inline void jit_bit_set(uint64_t *set, uint32_t i)
{
    set[i / 64] |= 1ull << (i % 64);
}
static inline bool jit_any_bit(const uint64_t *set, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (set[w]) return true;
    return false;
}

/* Most registers never live across blocks: sets of those that do have no bits for them. */
#define JIT_STAYS UINT32_MAX
static inline bool jit_lives(const struct jit *jit, const uint64_t *set, uint32_t reg)
{
    return jit->crossing[reg] != JIT_STAYS && jit_bit(set, jit->crossing[reg]);
}
#endif
