/* SPDX-License-Identifier: Apache-2.0 */
/* The compile state of one kernel and the vocabulary of control: blocks with thread frontiers, registers in
 * one of three forms, masks, addresses.
 *
 *   jit_compile.c        the driver; jit_check.c refuses what cannot be done; jit_layout.c places variables
 *   jit_core_blocks.c    blocks, liveness; jit_core_pend.c thread frontiers; jit_core_spin.c waiting loops
 *   jit_core_forms.c     scalar, affine or vector: storage of registers; jit_core_shape.c, jit_core_nan.c
 *   jit_core_values.c    registers and operands; jit_core_mask.c lane masks; jit_core_build.c LLVM in small
 *   jit_core_frontier.c  edges and branches, with jit_core_schedule.c
 *   jit_emit_kernel.c    the loops around a warp's code; jit_emit_barrier.c regions between barriers;
 *                        jit_emit_suspend.c and jit_emit_round.c warps that stop anywhere;
 *                        jit_emit_meet.c lanes that meet
 *   jit_callee.c         functions that stay ones; jit_merge.c those that may stop
 *   jit_emit*.c          instructions; jit_probe_count.c counters; jit_target.c passes and machine code */
#ifndef JIT_CORE_PRIV_H
#define JIT_CORE_PRIV_H

#include "jit_ops_priv.h"

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
        JIT_END_MEET
    } end;
    uint32_t *succ; /* COND: taken, fall through */
    uint32_t succ_count;
    uint32_t source;   /* ptx_cfg block */
    uint64_t *live_in; /* registers that live across blocks: jit_lives */
    uint64_t *pend; /* blocks where lanes of the warp may wait while this one runs, by bit; never the exit */
    uint64_t *needed; /* registers whose old value those lanes need: jit_lives */
    bool divergent;   /* its end may split the warp */
    bool in_cycle;
    bool lossy;              /* lanes may be missing: exited, or never there */
    bool spins;              /* its end closes a loop that waits for others */
    bool gives_way;          /* and where a warp may stop: it spins, or makes requests (jit_probe_record.c) */
    bool cut;                /* ends before or after an instruction that ends no block of ptx_cfg */
    bool fence;              /* the warp's lanes come here together: none waits at a meeting */
    uint64_t *parked_before; /* fence: meetings where lanes may wait when others come here, by bit */
    uint32_t place;          /* BARRIER: the number of the place where a warp waits, from 1 */
    uint32_t mask_offset;    /* like `mask`, in the frame of a warp that suspends */
    LLVMBasicBlockRef entry;
    LLVMValueRef mask; /* slot of the lanes that wait to run it */
};

/* ---- values */

/* How a value is stored. SCALAR: one value for every lane that cares. AFFINE: lane l has
 *   scalar + l * stride - (l >= limit ? wrap : 0)   modulo 2^bits
 * where the limit is that of a 32-bit sum that was widened and wrapped between lanes (none: NULL). */
enum jit_form { JIT_UNSET, JIT_SCALAR, JIT_AFFINE, JIT_VECTOR };
struct jit_shape {
    enum jit_form form;
    bool constant;  /* SCALAR: always `value` */
    bool aligned;   /* AFFINE, stride 1: lane 0's value is a multiple of 32 */
    uint64_t value; /* constant */
    uint64_t max;   /* no lane's value exceeds it as an unsigned number; UINT64_MAX: not known */
    int64_t stride; /* AFFINE */
    int64_t wrap;   /* AFFINE of more than 32 bits; 0: exact */
};
struct jit_value {
    enum jit_form form;
    unsigned bits;
    LLVMValueRef scalar; /* SCALAR; AFFINE: lane 0's */
    int64_t stride, wrap;
    LLVMValueRef limit; /* i32; NULL when wrap is 0 */
    LLVMValueRef part[JIT_MAX_PARTS];
};
struct jit_reg {
    struct jit_shape shape;
    unsigned bits;
    bool forced;      /* VECTOR because lanes elsewhere need their old value */
    bool canonical;   /* floating-point results only: a NaN is the canonical one (jit_core_nan.c) */
    bool brings_nans; /* goes into arithmetic of f64, and need not be a result of such */
    bool crosses;     /* lives across blocks */
    LLVMValueRef slot[JIT_MAX_PARTS];  /* memory between blocks: [0] of a scalar; NULL: none yet */
    LLVMValueRef limit_slot;           /* i32 */
    uint32_t frame_offset, frame_step; /* in the warp's frame; bytes of one part */
    uint32_t epoch;                    /* jit.epoch of the block whose `value` it is */
    bool dirty;
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
    uint64_t *resumes; /* blocks where part of a suspended warp may go on, by bit */
    bool apart;        /* lanes may wait at a barrier while others of their warp run */
    uint32_t block_count, block_words, reg_words, reg_count; /* reg_count: with the carry flag */
    uint32_t *crossing, cross_words; /* by register: its bit in live_in and needed, or JIT_STAYS */
    struct jit_reg *regs;

    uint64_t *meets;       /* instructions where part of a warp may wait for its rest, by bit; NULL: none */
    uint64_t *meet_blocks; /* their blocks, by bit */
    uint64_t *behind;      /* blocks behind a barrier, by bit */
    bool has_meets;        /* they are looked at */
    struct jit_aligned *aligns;  /* by register (jit_core_align.c) */
    LLVMValueRef schedule_start; /* slot: i32 (jit_core_schedule.c) */
    LLVMBasicBlockRef scheduler_from;
    LLVMValueRef meeting; /* ptr: the warp's struct jit_meeting; in its frame when it suspends */
    uint32_t meeting_offset;
    LLVMValueRef waiting_in_frame; /* function: lanes that wait at any block; made when needed */

    jit_callee_list *callees; /* of the kernel */
    uint32_t *merged_from;    /* by row: where it stands in `function`; NULL: same */
    uint32_t row_count;       /* instructions that are counted: of request.entry, then of its callees */
    bool has_stack;           /* alloca is used: */
    uint32_t stack_at;        /* where its word is in a lane's local memory */
    bool is_callee;
    VEC(struct jit_site) shared_sites;
    VEC(struct jit_site) local_sites;
    VEC(LLVMValueRef) noted;          /* scalars not yet looked at for NaNs (jit_emit_double.c) */
    VEC(uint32_t) dirty;              /* registers written in the block being emitted */
    struct map cached;                /* values of the launch: parameters, symbols, buffers */
    uint32_t place_count, head_bytes; /* of barriers; of a frame before its registers */
    uint32_t frontier_tests;          /* pending blocks, over all blocks */
    uint32_t bits_offset;             /* in a frame: which blocks have lanes (jit_core_schedule.c) */
    LLVMBasicBlockRef scheduler, *gates;
    struct event_slots *slots; /* one an instruction; NULL: nothing is counted */

    /* what is known about the block of threads; 0: not known */
    uint32_t ntid[3], threads;
    bool full_warps; /* every warp has 32 threads */

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
    LLVMValueRef warp_local; /* ptr: local memory of the warp's lane 0 */
    LLVMValueRef live_mask;  /* lanes that have a thread */
    LLVMValueRef frame;      /* ptr: of this warp */
    LLVMValueRef active;     /* slot: i32, lanes that run now */
    LLVMValueRef any_waits;  /* slot: i32, some warp waits at a barrier; gave way in a waiting loop */
    LLVMValueRef spin_count; /* slot: i32, times round waiting loops */
    LLVMValueRef scratch_address, scratch_value; /* slots: 32 words; 64 */
    unsigned gathers_in_line;                    /* made so far */
    LLVMValueRef trace;                          /* slot: accesses that wait to be counted; NULL: none do */
    bool clocks;                                 /* warps have clocks (jit_probe_clock.c) */
    bool counts_in_registers;                    /* until the end of softwarp_run */
    LLVMValueRef records, record_end, request_count; /* ptr; slots: ptr, i32; NULL: nothing is noted */
    LLVMValueRef work,
        work_table; /* EVENT_PROBE_ACCESS: slot: i64, since the last record; of struct jit_ctx */
    LLVMValueRef request_base, request_top; /* EVENT_PROBE_TOUCH: slots: of the round, of any warp so far */
    LLVMValueRef call_bytes;                /* i32, of struct jit_ctx: in a function that stays one */
    uint32_t first_row;                     /* of it in the kernel's table */
    uint32_t spare_slot;                    /* 1 + a counter that nobody reads; 0: none yet */
    LLVMValueRef columns;                   /* slot: stores that wait; NULL: none do (jit_emit_column.c) */
    unsigned column_bits, column_joins;     /* of their elements; how many instructions may wait so far */
    LLVMValueRef matrix_from, matrix_to;    /* slots: registers of fragments */
    struct jit_value tid[3];

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

/* ---- analysis */
enum sw_status jit_check(struct jit *jit);
enum sw_status jit_refuse(struct jit *jit, const struct ptx_instr *instr, const char *why);
void jit_layout(struct jit *jit);
void jit_layout_callee(struct jit *jit, const struct jit *kernel);
uint64_t jit_shared_offset(const struct jit *jit, const struct ptx_var *var);
uint64_t jit_local_offset(const struct jit *jit, const struct ptx_var *var);
enum sw_status jit_blocks_build(struct jit *jit);
void jit_frontiers_build(struct jit *jit); /* fills pend from divergent; repeatable */
void jit_fences_build(struct jit *jit);
void jit_frontiers_count(struct jit *jit);
void jit_lossy_build(struct jit *jit);
void jit_spins_build(struct jit *jit);
void jit_forms_build(struct jit *jit);
void jit_nans_build(struct jit *jit);
void jit_flush_build(struct jit *jit);
void jit_flush_begin(struct jit *jit);
void jit_flush_end(struct jit *jit);
struct jit_shape jit_sreg_shape(const struct jit *jit, enum isa_sreg sreg);
bool jit_is_call_var(const struct jit *jit,
                     const struct ptx_var *var); /* .param of a call, not of the entry */

/* ---- alignment (jit_core_align.c, jit_emit_align.c) */
void jit_aligns_build(struct jit *jit);
bool jit_is_aligned(struct jit *jit, const struct ptx_operand *address, unsigned bytes);

/* ---- operand widths and immediates (jit_operand.c) */
unsigned jit_source_bits(const struct ptx_instr *instr, unsigned i); /* i: source number, from 0 */
unsigned jit_dest_bits(const struct ptx_instr *instr);
unsigned jit_warp_source_bits(const struct ptx_instr *instr, unsigned i);
unsigned jit_warp_dest_bits(const struct ptx_instr *instr);
bool jit_dest_signed(const struct ptx_instr *instr);  /* how a narrower result fills its register */
bool jit_is_value(const struct ptx_operand *operand); /* jit_operand takes it */
uint64_t jit_immediate(const struct ptx_operand *operand, unsigned bits);
bool jit_writes_carry(const struct ptx_instr *instr);
bool jit_reads_carry(const struct ptx_instr *instr);

/* ---- building blocks (jit_core_build.c) */
LLVMTypeRef jit_int(const struct jit *jit, unsigned bits);
LLVMTypeRef jit_vec(const struct jit *jit, unsigned bits);
LLVMValueRef jit_const(const struct jit *jit, unsigned bits, uint64_t value);
LLVMValueRef jit_reg_alloca(struct jit *jit, LLVMTypeRef type);             /* a slot of a register */
LLVMValueRef jit_mask_alloca(struct jit *jit);                              /* a slot of a block's lanes */
LLVMValueRef jit_slot(struct jit *jit, LLVMTypeRef type, const char *name); /* alloca in the prologue */
LLVMValueRef jit_ctx_load(struct jit *jit, size_t offset, LLVMTypeRef type);
LLVMValueRef jit_offset(struct jit *jit, LLVMValueRef base, uint64_t bytes); /* ptr + bytes */
LLVMValueRef jit_splat(struct jit *jit, LLVMValueRef scalar, unsigned bits);
LLVMValueRef jit_lane_consts(struct jit *jit, unsigned bits, unsigned part, uint64_t base, int64_t stride);
LLVMValueRef jit_intrinsic(struct jit *jit, const char *name, LLVMTypeRef *types, unsigned type_count,
                           LLVMValueRef *args, unsigned arg_count);
LLVMBasicBlockRef jit_new_block(struct jit *jit, const char *name);
void jit_position(struct jit *jit, LLVMBasicBlockRef block);
LLVMValueRef jit_branch(struct jit *jit, LLVMValueRef condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no,
                        bool likely);
LLVMValueRef jit_resize(struct jit *jit, LLVMValueRef value, unsigned from, unsigned to, bool is_signed);

/* ---- values (jit_core_values.c) */
struct jit_value jit_value_scalar(LLVMValueRef scalar, unsigned bits);
struct jit_value jit_value_vector(const struct jit *jit, LLVMValueRef *parts, unsigned bits);
LLVMValueRef jit_value_first(struct jit *jit, LLVMValueRef *parts, LLVMValueRef mask);
LLVMValueRef jit_value_any(struct jit *jit, const struct jit_value *value); /* equal in all active lanes */
void jit_value_parts(struct jit *jit, const struct jit_value *value, LLVMValueRef *parts); /* any form */
struct jit_value jit_value_resize(struct jit *jit, const struct jit_value *value, unsigned bits,
                                  bool is_signed);
struct jit_value jit_reg_read(struct jit *jit, uint32_t reg);
void jit_reg_write(struct jit *jit, uint32_t reg,
                   const struct jit_value *value); /* of the register's width */
struct jit_value jit_operand(struct jit *jit, const struct ptx_operand *operand, unsigned bits);
void jit_dest_write(struct jit *jit, uint32_t reg, const struct jit_value *value, bool is_signed);
LLVMValueRef jit_reg_slot(struct jit *jit, struct jit_reg *reg, unsigned p);
LLVMValueRef jit_limit_slot(struct jit *jit, struct jit_reg *reg);
LLVMValueRef jit_nan_store(struct jit *jit, const struct jit_reg *reg, LLVMValueRef value);
LLVMValueRef jit_nan_load(struct jit *jit, const struct jit_reg *reg, LLVMValueRef value);
void jit_regs_flush(struct jit *jit); /* to memory, at the end of a block */
void jit_regs_reset(struct jit *jit); /* zeros: a warp begins */

/* ---- masks (jit_core_mask.c). A mask is an i32. */
LLVMValueRef jit_mask_active(struct jit *jit);        /* of the block being emitted */
LLVMValueRef *jit_mask_active_parts(struct jit *jit); /* <lanes x i1> */
void jit_mask_split(struct jit *jit, LLVMValueRef mask, LLVMValueRef *parts);
LLVMValueRef jit_mask_join(struct jit *jit, LLVMValueRef *parts); /* <lanes x i1> to i32 */
bool jit_mask_is_full(const struct jit *jit);                     /* all 32 lanes, known now */
/* Active lanes whose guard holds. Returns false when the guard is a scalar: then *scalar is its i1. */
bool jit_mask_guard(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef *mask, LLVMValueRef *scalar);
LLVMValueRef jit_mask_first(struct jit *jit, LLVMValueRef mask); /* lane number */
LLVMValueRef jit_mask_last(struct jit *jit, LLVMValueRef mask);

/* ---- functions that stay functions (jit_callee.c) */
enum sw_status jit_callees_find(struct jit *jit);
enum sw_status jit_callees_emit(struct jit *kernel);
enum sw_status jit_merge(struct jit *jit); /* those that may stop become part of the kernel (jit_merge.c) */
LLVMTypeRef jit_callee_type(struct jit *jit, const struct ptx_function *function);
void jit_callee_call(struct jit *jit, const struct ptx_function *function, LLVMValueRef mask,
                     const LLVMValueRef *areas);
enum sw_status jit_emit_callee_body(struct jit *jit, LLVMValueRef fn);

/* ---- control */
void jit_emit_end(struct jit *jit, struct jit_block *block);
void jit_edge(struct jit *jit, struct jit_block *block, uint32_t target);
uint32_t jit_table_succ(const struct jit *jit, const struct jit_block *block, uint32_t target);
enum sw_status jit_emit_warp_code(struct jit *jit);
enum sw_status jit_emit_kernel(struct jit *jit);
void jit_start_warp(struct jit *jit);
void jit_go_elsewhere(struct jit *jit, struct jit_block *block, uint32_t target, LLVMValueRef lanes);
void jit_chain_from_first(struct jit *jit, const uint64_t *waiting);
void jit_chain_by_turn(struct jit *jit, const uint64_t *waiting, LLVMValueRef turn);
void jit_enter_waiting(struct jit *jit, uint32_t block); /* with the lanes that wait there */
void jit_schedule_note(struct jit *jit, LLVMValueRef frame, uint32_t block, LLVMValueRef lanes);
void jit_schedule_forget(struct jit *jit, uint32_t block);
void jit_schedule_if_any(struct jit *jit, const uint64_t *waiting, uint32_t from, uint32_t to);
void jit_schedule_from(struct jit *jit, uint32_t first);
void jit_schedule_by_turn(struct jit *jit, LLVMValueRef turn);

LLVMValueRef jit_waiting_at(struct jit *jit, uint32_t block);
void jit_wait_at(struct jit *jit, uint32_t block, LLVMValueRef lanes);
void jit_clear_waiting(struct jit *jit, uint32_t block);

/* ---- operations of a whole warp whose lanes come apart (jit_emit_meet.c) */
bool jit_is_meeting(const struct ptx_instr *instr);
bool jit_meets_find(struct jit *jit);
void jit_meets_begin_warp(struct jit *jit);
LLVMValueRef jit_meets_parked(struct jit *jit);
void jit_meets_unpark(struct jit *jit, LLVMValueRef lanes);
void jit_meets_at_end(struct jit *jit, LLVMBasicBlockRef waits_for_others);
enum sw_status jit_emit_meet_block(struct jit *jit, struct jit_block *block);
void jit_emit_fence_check(struct jit *jit, struct jit_block *block);
LLVMValueRef jit_suspend_waiting(struct jit *jit); /* lanes at barriers */

/* ---- barriers: regions (jit_emit_barrier.c) or suspension (jit_emit_suspend.c) */
uint32_t jit_frame_registers(struct jit *jit, uint32_t at);
void jit_frame_copy(struct jit *jit, bool save);
bool jit_registers_in_frame(const struct jit *jit);
uint64_t *jit_resume_set(struct jit *jit); /* blocks where a suspended warp may go on */
LLVMValueRef jit_frame_of(struct jit *jit, LLVMValueRef warp);
void jit_region_layout(struct jit *jit);
void jit_region_block_begin(struct jit *jit);
void jit_region_round_begin(struct jit *jit);
void jit_region_round_end(struct jit *jit, LLVMBasicBlockRef again, LLVMBasicBlockRef done);
enum sw_status jit_region_dispatch(struct jit *jit, LLVMBasicBlockRef start);
void jit_region_wait(struct jit *jit, const struct jit_block *block);
bool jit_pair_fits(struct jit *jit, struct jit_block *block); /* jit_emit_pair.c */
enum sw_status jit_pair_emit(struct jit *jit, uint32_t place, struct jit_block *block,
                             LLVMBasicBlockRef alone);
void jit_region_barrier(struct jit *jit, struct jit_block *block);
void jit_region_exit(struct jit *jit);
bool jit_needs_suspension(const struct jit *jit);
bool jit_barrier_needs_all(const struct jit *jit, const struct ptx_instr *instr); /* threads of the block */
bool jit_is_cluster_barrier(const struct ptx_instr *instr);
void jit_suspend_layout(struct jit *jit);
void jit_suspend_turn_begin(struct jit *jit);
void jit_suspend_round_begin(struct jit *jit);
void jit_suspend_round_end(struct jit *jit, LLVMBasicBlockRef again);
void jit_suspend_dispatch(struct jit *jit, LLVMBasicBlockRef start);
void jit_suspend_arrive(struct jit *jit, const struct ptx_instr *instr);
void jit_suspend_barrier(struct jit *jit, struct jit_block *block);
void jit_suspend_spin(struct jit *jit, const struct jit_block *block);
void jit_suspend_exit(struct jit *jit);
void jit_suspend_stop(struct jit *jit);
void jit_suspend_run(struct jit *jit, LLVMValueRef step);

/* ---- addresses (jit_emit_address.c) */
struct jit_address {
    enum ptx_space space;
    struct jit_value value; /* without a base: host addresses, 64 bits; with one: offsets, 32 bits */
    LLVMValueRef base;      /* ptr, or NULL */
    int64_t offset;
    bool constant; /* nothing writes there while the kernel runs */
};
struct jit_address jit_address_in(struct jit *jit, enum ptx_space space, const struct ptx_operand *operand);
struct jit_address jit_address_of(struct jit *jit, const struct ptx_instr *instr,
                                  const struct ptx_operand *operand);
LLVMValueRef jit_address_scalar(struct jit *jit, const struct jit_address *address, int64_t offset); /* ptr */
LLVMValueRef jit_address_part(struct jit *jit, const struct jit_address *address, LLVMValueRef *parts,
                              unsigned p, int64_t offset); /* <n x ptr> */
void jit_address_lanes(struct jit *jit, const struct jit_address *address,
                       LLVMValueRef *parts); /* <n x i64> */
struct jit_value jit_var_address(struct jit *jit, const struct ptx_var *var, int64_t offset);
LLVMValueRef jit_symbol(struct jit *jit, uint32_t index);
uint64_t jit_function_token(const struct jit *jit, const struct ptx_function *function);
LLVMValueRef jit_call_var(struct jit *jit, const struct ptx_var *var, uint64_t *stride);
LLVMValueRef jit_is_shared(struct jit *jit, LLVMValueRef address, bool vector);
LLVMValueRef jit_is_local(struct jit *jit, LLVMValueRef address, bool vector);

/* ---- memory */
struct jit_access {              /* what each lane moves */
    unsigned bits, bytes, count; /* of an element; elements */
    LLVMAtomicOrdering order;
    bool is_store;
};
struct jit_lanes {       /* who takes part */
    LLVMValueRef mask;   /* i32 */
    LLVMValueRef *parts; /* <lanes x i1>; NULL when full */
    bool full, may_be_empty;
};
void jit_access_vector(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                       const struct jit_lanes *lanes, LLVMValueRef (*parts)[JIT_MAX_PARTS]);
void jit_access_any(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                    const struct jit_lanes *lanes, LLVMValueRef (*parts)[JIT_MAX_PARTS]);
struct jit_lanes jit_lanes_of(struct jit *jit, const struct ptx_instr *instr);
/* Call a helper (its place in struct jit_helpers) of (ctx, addresses of the lanes, mask, what, PTX line). */
void jit_address_call(struct jit *jit, size_t helper, const struct jit_address *address,
                      const struct jit_lanes *lanes, unsigned what);
void jit_align_check(struct jit *jit, const struct ptx_operand *operand, const struct jit_address *address,
                     const struct jit_lanes *lanes, unsigned bytes);
/* Memory that the device may not reach (jit_emit_rights.c). */
void jit_rights_check(struct jit *jit, const struct ptx_operand *operand, const struct jit_address *address,
                      const struct jit_lanes *lanes, unsigned bytes, enum jit_denied need);
void jit_rights_line(struct jit *jit);
LLVMValueRef jit_scratch_address(struct jit *jit); /* memory that may be read */
LLVMValueRef jit_spill_addresses(struct jit *jit, LLVMValueRef *addresses);
LLVMValueRef jit_spill_values(struct jit *jit, LLVMValueRef *parts, unsigned bits);
void jit_access_lanes(struct jit *jit, const struct jit_access *access, LLVMValueRef addresses,
                      int64_t offset, LLVMValueRef mask, LLVMValueRef *parts);

bool jit_access_is_whole(const struct jit_access *access); /* the vector is one access */
void jit_access_whole(struct jit *jit, const struct jit_access *access, LLVMValueRef addresses,
                      LLVMValueRef mask, LLVMValueRef (*parts)[JIT_MAX_PARTS]);
void jit_whole_load(struct jit *jit, LLVMBuilderRef builder, const struct jit_access *access,
                    LLVMValueRef pointer, LLVMValueRef *elements);
void jit_whole_store(struct jit *jit, LLVMBuilderRef builder, const struct jit_access *access,
                     LLVMValueRef pointer, LLVMValueRef *elements);

/* ---- column stores (jit_emit_column.c) */
void jit_columns_begin(struct jit *jit);
void jit_columns_end(struct jit *jit);
void jit_columns_meet(struct jit *jit, const struct jit_access *access, const struct jit_address *address);
bool jit_columns_store(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                       const struct jit_lanes *lanes, LLVMValueRef (*values)[JIT_MAX_PARTS]);

/* ---- probes (jit_probe_count.c) */
void jit_count_begin(struct jit *jit);
/* A read of the warp's clock by this helper of struct jit_helpers (jit_probe_clock.c). */
LLVMValueRef jit_clock_read(struct jit *jit, size_t helper);
void jit_count_lend(const struct jit *kernel, struct jit *callee, uint32_t first_row);
void jit_count_return(struct jit *kernel, const struct jit *callee);
void jit_count_open(struct jit *jit);  /* where a launch's part begins */
void jit_count_close(struct jit *jit); /* where it ends */
bool jit_counts(const struct jit *jit);
void jit_count_block(struct jit *jit, const struct jit_block *block);
void jit_count_again(struct jit *jit, const struct jit_block *block); /* it runs in two parts */
void jit_count_guard(struct jit *jit, const struct ptx_instr *instr);
void jit_count_slow(struct jit *jit, const struct ptx_instr *instr,
                    const struct jit_value *src); /* jit_probe_slow.c; src: operands */
void jit_count_split(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef did_split);
/* A branch that is counted where it is taken (jit_core_frontier.c): its slots, and then on each edge. */
bool jit_counts_edges(const struct jit *jit, const struct ptx_instr *instr);
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
bool jit_records(const struct jit *jit);
bool jit_notes(const struct jit *jit); /* or touches */
void jit_turns_build(struct jit *jit);
void jit_record_open(struct jit *jit);  /* a function begins */
void jit_record_close(struct jit *jit); /* it returns */
void jit_record_call(struct jit *jit);  /* a function that stays one is about to run */
void jit_record_return(struct jit *jit);
void jit_record_turn_begin(struct jit *jit, LLVMValueRef frame);
void jit_record_warp(struct jit *jit, bool save); /* its count of requests, to or from its frame */
LLVMValueRef jit_record_turn_over(struct jit *jit);
void jit_record_access(struct jit *jit, const struct ptx_instr *instr, const struct jit_address *address,
                       const struct jit_lanes *lanes, uint32_t bytes, uint32_t kind, uint32_t shared_kind,
                       uint32_t slots);
/* The helpers called from here on note their accesses to global memory as this instruction's. */
void jit_record_lend(struct jit *jit, const struct ptx_instr *instr, uint32_t kind);
void jit_record_resume(struct jit *jit);
void jit_record_barrier(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef mask);
/* Around the code that notes phases of mbarriers, unless jit_record_lend stands around it. */
void jit_phase_lend(struct jit *jit);
void jit_phase_resume(struct jit *jit);
/* how: enum jit_phase, i32 */
void jit_phase_note(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef address, LLVMValueRef how);
void jit_record_end(struct jit *jit); /* the warp has ended */

/* ---- what any block touches in chosen places (jit_probe_touch.c). The rest does nothing without the probe.
 */
bool jit_touches(const struct jit *jit);
void jit_touch_open(struct jit *jit);       /* a block begins */
void jit_touch_round(struct jit *jit);      /* its warps begin, or go on behind a barrier; */
void jit_touch_warp(struct jit *jit);       /* one of them; */
void jit_touch_warp_latch(struct jit *jit); /* and its part is over */
void jit_touch_access(struct jit *jit, const struct jit_record_site *site, const struct jit_address *address,
                      LLVMValueRef mask);

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

/* ---- instructions */
enum sw_status jit_emit_instr(struct jit *jit, const struct ptx_instr *instr);
struct jit_value jit_emit_sreg(struct jit *jit, enum isa_sreg sreg);
enum sw_status jit_emit_elementwise(struct jit *jit, const struct ptx_instr *instr);
bool jit_is_double_arithmetic(const struct ptx_instr *instr); /* whose NaNs have payloads */
unsigned jit_double_run(const struct jit *jit, uint32_t first, uint32_t end);
enum sw_status jit_emit_double_run(struct jit *jit, const struct ptx_instr *run, unsigned count);
void jit_nan_note(struct jit *jit, const struct jit_value *value);
void jit_nans_look(struct jit *jit);
enum sw_status jit_emit_mov(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_load(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_store(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_atomic(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_async(struct jit *jit, const struct ptx_instr *instr); /* st.async red.async */
enum sw_status jit_emit_call(struct jit *jit, const struct ptx_instr *instr);
const char *jit_call_refusal(const struct jit *jit, const struct ptx_instr *instr); /* NULL: it is done */
enum sw_status jit_emit_matrix(struct jit *jit, const struct ptx_instr *instr);
const char *jit_matrix_refusal(const struct ptx_instr *instr); /* NULL: it is done */
enum sw_status jit_emit_texture(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_texture_query(struct jit *jit, const struct ptx_instr *instr); /* istypep too */
const char *jit_texture_refusal(const struct ptx_instr *instr);                        /* NULL: it is done */
/* alloca, stacksave, stackrestore (jit_emit_stack.c) */
enum sw_status jit_emit_stack(struct jit *jit, const struct ptx_instr *instr);
void jit_stack_place(struct jit *jit); /* at the end of the lane's local memory, if there is an alloca */
void jit_stack_begin(struct jit *jit); /* a warp starts: nothing is on it */
struct jit_lane_loop {                 /* over the lanes of a mask (jit_emit_call.c) */
    LLVMBasicBlockRef head, end;
    LLVMValueRef mask, lane; /* lane: i64 */
};
/* Calls of CUDA's device runtime (jit_emit_device.c); args, results: the call's lists or NULL. */
const struct jit_device_name *jit_device_call_find(const struct ptx_instr *instr); /* NULL: it is none */
const char *jit_device_call_refusal(const struct jit *jit, const struct ptx_operand *args,
                                    const struct ptx_operand *results, const struct ptx_instr *instr);
void jit_device_call(struct jit *jit, const struct ptx_operand *args, const struct ptx_operand *results,
                     const struct ptx_instr *instr);
struct jit_lane_loop jit_lane_loop_begin(struct jit *jit, LLVMValueRef mask);
void jit_lane_loop_end(struct jit *jit, const struct jit_lane_loop *loop);
enum sw_status jit_emit_mbarrier(struct jit *jit, const struct ptx_instr *instr);
const char *jit_mbarrier_refusal(const struct ptx_instr *instr);
void jit_mbarrier_complete(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef address,
                           LLVMValueRef bytes);
enum sw_status jit_emit_copy(struct jit *jit, const struct ptx_instr *instr);
const char *jit_copy_refusal(const struct ptx_instr *instr);
enum sw_status jit_emit_bulk(struct jit *jit, const struct ptx_instr *instr);
const char *jit_bulk_refusal(const struct ptx_instr *instr);
enum sw_status jit_emit_cluster_query(struct jit *jit, const struct ptx_instr *instr); /* mapa, getctarank */
enum sw_status jit_emit_cvta(struct jit *jit, const struct ptx_instr *instr);
enum sw_status jit_emit_isspacep(struct jit *jit, const struct ptx_instr *instr);
LLVMValueRef jit_helper_call(struct jit *jit, size_t offset, LLVMTypeRef type, LLVMValueRef *args,
                             unsigned count);

/* ---- machine (jit_target.c) */
enum sw_status jit_target_emit(struct jit *jit, struct jit_object *out);
void jit_target_attributes(struct jit *jit, LLVMValueRef function);
void jit_attribute(struct jit *jit, LLVMValueRef function, const char *name);
#endif
