/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TIMING_KERNEL_PRIV_H
#define TIMING_KERNEL_PRIV_H

#include "timing/timing_kernel.h"

#include "model/model_time.h"

/* ---- timing_kernel_lower.c: what ptxas makes of an instruction */

enum timing_kind {
    TIMING_PLAIN,
    TIMING_FREE,     /* nothing is left of it */
    TIMING_MOVE,     /* nothing, unless it reads a special register */
    TIMING_MULTIPLY, /* by the multipliers of integers */
    TIMING_WIDE,     /* the same, with a result of 64 bits: half as fast */
    TIMING_ADDEND,   /* can be part of the multiplication before it */
    TIMING_ADDRESS,  /* 64-bit, the same */
    TIMING_LOGIC,    /* three operands make one instruction */
    TIMING_SHIFT,    /* can be part of the addition behind it */
    TIMING_SCALE,    /* the same, to the left, or a move: also by the multipliers */
    TIMING_WIDE_FMA, /* reads three values of 64 bits, for which registers take longer now and then */
    TIMING_SELECT,   /* its last operand is a predicate */
    TIMING_TEST,     /* can be part of the logical operation before it */
    TIMING_CONVERT,
    TIMING_WIDEN, /* can be part of a multiplication behind it */
    TIMING_SHUFFLE,
    TIMING_DIVIDE, /* of 32-bit integers */
    TIMING_SLOW,   /* has a branch to a slow path inside: nothing moves over it */
    TIMING_BRANCH,
    TIMING_BARRIER,
    TIMING_FENCE,
    TIMING_CONSTANT,
    TIMING_PARAMETER,
    TIMING_TENSOR,
    TIMING_MEMORY /* of any other space */
};
struct timing_lower {
    double fma, alu, xu, fp64, half, other; /* alu of an ADDEND: on either of the two pipes */
    double latency;
    enum timing_kind kind;
    uint8_t merged; /* loads of shared memory that are one: on the first how many bytes a lane gets, on the
                       others TIMING_MERGED */
    uint8_t unroll; /* iterations of its loop that ptxas makes one of, if it has so many; 0: none */
    bool control;   /* of such a loop, its step or its test */
    bool uniform;   /* of constant memory, at an address that a warp's lanes have in common by their code */
    float held;     /* cycles besides in which no warp issues, since registers are still read */
    float once_alu, once_fma, once_other; /* of an unrolled loop's instruction, were it not */
};
enum { TIMING_MERGED = 255, TIMING_UNROLL = 4 }; /* implementation; inferred from machine code (turns) */
static inline double timing_slots(const struct timing_lower *l) /* instructions, on average */
{
    return l->fma + l->alu + l->xu + l->fp64 + l->half + l->other;
}
/* Does it use the multipliers of integers, and how many times as long as a product of 32 bits? 0: no. */
static inline double timing_multiplies(const struct timing_lower *l)
{
    return l->kind == TIMING_WIDE ? 2 : l->kind == TIMING_MULTIPLY ? 1 : 0;
}
/* A selection has its predicate sooner than a guard or a vote; no instruction follows a branch at once, be it
 * taken or not. Inferred from machine code (tests/hw) and what it takes on an H200. */
enum {
    TIMING_CONVERT_CYCLES = 14,
    TIMING_SELECT_CYCLES = 8,
    TIMING_BRANCH_CYCLES = 4,
    TIMING_PORTS_PERCENT = 109
};
struct timing_model;
/* Of an atomic of shared memory that ptxas makes a loop of compare and swap: how often it goes round for
 * lanes of a warp that share an address, on average; 0: it is no loop. An iteration takes so many cycles: a
 * load, a sum, a swap (shared_atomic_float, launch 152 of tests/hw/timing: 1,280 sums at one address take
 * 77,000); a warp that no other holds up takes more until it goes on, since it looks whether its swap was the
 * first (shared_sums of tests/hw/memory/contention.def: a sum of a loop 150). Inferred from these. */
enum { TIMING_SPIN_CYCLES = 60, TIMING_SPIN_MORE = 50 };
double timing_spin_iterations(const struct timing_model *m, const struct event_instr *i);
/* Steps and tests of unrolled loops by how many iterations they have, as the counters say; none: many. */
void timing_unroll_loops(const struct timing_model *model);
/* lower: an element for each instruction of the kernel. */
void timing_lower_kernel(const struct arch_gpu *gpu, const struct event_kernel *kernel,
                         struct timing_lower *lower);

/* ---- timing_kernel_async.c: groups of cp.async, at [reg_count] and above beside the kernel's registers:
 * first the one that is still open, then those that were closed, the latest first, the last of them with all
 * before. first: of a WAIT, the number of the first group that it waits for; it waits for those behind, too.
 * Implementation: how many. */
enum { TIMING_GROUPS = 8 };
enum timing_async_kind { TIMING_ASYNC_NONE, TIMING_ASYNC_COPY, TIMING_ASYNC_COMMIT, TIMING_ASYNC_WAIT };
struct timing_async {
    enum timing_async_kind kind;
    uint32_t first;
};
/* What an instruction does at an mbarrier, as the replay has it (EVENT_KIND_ARRIVE, _BRING, _AWAIT). */
enum timing_phase { TIMING_PHASE_NONE, TIMING_PHASE_ARRIVE, TIMING_PHASE_WAIT };
enum timing_phase timing_phase_of(const struct event_instr *i);
bool timing_is_bulk(const struct event_instr *i); /* a copy for which its warp does not wait */
struct timing_async timing_async_of(const struct event_instr *instr);
/* How many values there are to keep of what registers and groups hold. */
static inline uint32_t timing_values(const struct event_kernel *kernel)
{
    return kernel->reg_count + TIMING_GROUPS;
}

/* ---- timing_kernel_fuse.c: what it makes one of; timing_kernel_eliminate.c: what it leaves out */
struct timing_fuser { /* what is known of a kernel while its instructions are made fewer */
    const struct event_kernel *kernel;
    struct timing_lower *lower;
    uint32_t *uses, *defs; /* of each register, in all of the kernel */
    uint32_t *writer;      /* instruction + 1 that last wrote it in this block; 0: none */
    uint32_t *first_use;   /* block + 1 in which it is first read */
    bool *fused;           /* has taken another in */
    uint32_t *only_writer; /* instruction + 1 that alone writes it in all of the kernel; 0: several do */
    bool *beyond_address;  /* register: something else than 64-bit additions reads it */
    bool *beyond_access;   /* register: something else than accesses reads it */
    bool merges;           /* loads of shared memory become one */
    bool *narrow;          /* register: an address within local or constant memory, which has 32 bits */
};

static inline void timing_vanish(struct timing_lower *lower)
{
    *lower = (struct timing_lower){.kind = TIMING_FREE};
}
/* merges: are loads of shared memory that stand beside each other one? */
void timing_fuse_kernel(const struct event_kernel *kernel, struct timing_lower *lower, bool merges);
bool timing_tests_for_zero(const struct event_instr *instr); /* a comparison with 0 for equality */
void timing_eliminate_before(struct timing_fuser *fuser);    /* before instructions become one */
void timing_eliminate_after(struct timing_fuser *fuser);     /* and behind it */
void timing_make_tables(struct timing_fuser *fuser);         /* timing_kernel_table.c */
void timing_merge_loads(struct timing_fuser *fuser, uint32_t first, uint32_t end);
/* timing_kernel_uniform.c: sets `uniform` */
void timing_find_uniform(const struct arch_gpu *gpu, const struct event_kernel *kernel,
                         struct timing_lower *lower);
/* timing_kernel_ports.c: sets `held` of a block's instructions. */
void timing_read_registers(struct timing_fuser *fuser, const struct event_block *block);

/* ---- timing_kernel_path.c: how long a warp alone takes */
struct timing_wait { /* cycles of a warp's path, by why it waits */
    double stalls[EVENT_STALL_COUNT];
};
struct timing_model {
    const struct arch_gpu *gpu;
    const struct arch_kernels *p;
    const struct arch_pipes *pipes;
    const struct event_launch *launch;
    const struct event_kernel *kernel;
    struct timing_lower *lower;
    double *latency; /* of each instruction, memory included */
    struct arch_occupancy occupancy;
    double blocks, threads, block_warps, warps; /* of the launch, of a block, of a block, of the launch */
    struct arena arena;
};
static inline double timing_half_rate(const struct timing_model *m) /* lanes of packed halves in a cycle */
{
    return m->pipes->f16 / 2.0 * (double)m->p->sm_half_percent / 100;
}
static inline uint64_t timing_clock_khz(const struct timing_model *m)
{
    return m->p->sm_clock_khz ? m->p->sm_clock_khz : m->gpu->clock_khz;
}
/* ---- timing_merge.c: the kernel with blocks that become one, until timing_merge_release; branches that go
 * with that. */
void timing_merge_blocks(const struct event_kernel *kernel, struct event_kernel *out);
void timing_merge_release(struct event_kernel *kernel);
void timing_merge_branches(const struct event_kernel *kernel, struct timing_lower *lower);
/* ---- timing_plan.c */
struct timing_plan {
    struct event_kernel kernel; /* with blocks that become one; its texts are the kernel's own */
    struct timing_lower *lower; /* [instr] without any launch's iterations of loops */
    double *delays;             /* [block] timing_intervals_delays, timing_intervals_pressure */
    uint32_t *work;             /* [instr] event_tool.detail_work */
    bool *waits;                /* [block] for a time, and does nothing else */
};
/* Fills the model's instructions; plan: of its kernel, or NULL. */
void timing_lower_by(const struct timing_plan *plan, struct timing_model *model);
uint64_t timing_count(const struct timing_model *model, uint32_t slot); /* 0 for EVENT_NO_SLOT */
/* Cycles of an average warp that never waits for another. each: of its waits, those at each instruction;
 * NULL: nobody asks. */
double timing_path(const struct timing_model *model, struct timing_wait *wait, struct timing_wait *each);
/* When each instruction issues, if the blocks ran in the order of the table; a last entry behind them. */
void timing_path_rows(const struct timing_model *model, double *rows);
/* Cycles of a scheduler's pipes: floats, integers, special functions, 64-bit floats, integers'
 * multiplications; the port of memory instructions, at which a warp waits though nobody else is there. */
enum { TIMING_MULTIPLIER = 4, TIMING_PORT, TIMING_PIPES }; /* implementation: after the first four */
double timing_taken_share(const struct timing_model *model,
                          uint32_t block); /* of those that end it, who jump */
/* From a branch at block b's end to the next instruction. */
double timing_branch_cycles(const struct timing_model *model, uint32_t block);
static inline double timing_held(const struct timing_model *m, const struct timing_lower *l)
{
    return m->gpu->cc_major >= 8 ? l->held : 0; /* before, banks are others: not modelled */
}
void timing_add_pipes(const struct timing_model *model, const struct timing_lower *lower, double pipes[]);
uint64_t timing_block_count(const struct timing_model *model, uint32_t block);
uint32_t timing_block_before(const struct timing_model *model,
                             uint32_t block); /* most often; EVENT_NO_BLOCK */
double timing_split_share(const struct timing_model *model, uint32_t block);

/* timing_kernel_slow_path.c: what a warp executes on average besides the fast path */
struct timing_lower timing_slow_path(const struct timing_model *model, const struct event_instr *instr);

/* Cycles of a pass of shared memory, of so many bytes: half a warp's words before compute capability 2.0; on
 * 3.x, words of 8 bytes. */
static inline double timing_pass_cycles(const struct timing_model *m)
{
    enum { HALF = 64, WHOLE = 128, WIDE = 256 }; /* documented: CUDA C Programming Guide, "Shared Memory" */
    double bytes = m->gpu->cc_major < 2 ? HALF : m->gpu->cc_major == 3 ? WIDE : WHOLE;
    return bytes / m->pipes->shared;
}

/* ---- timing_kernel_memory.c: latencies of accesses, and the work of memory's units */
double timing_l2_latency(const struct timing_model *model); /* cycles, of either of its parts on average */
void timing_memory_latencies(struct timing_model *model);
struct timing_work { /* cycles that each unit is busy with all of the launch; of a multiprocessor's units: all
                        of them together */
    double busy[EVENT_LIMIT_COUNT];
    double instructions;
    double either;   /* integer additions and moves, which ptxas places on the pipe that is less busy */
    double multiply; /* of the multipliers, until they are added to the pipe of 32-bit floats */
};
/* ---- timing_kernel.c */
double timing_fma_cycles(const struct timing_model *model, double floats, double multiply);
/* Of the machine code, that one of PTX makes, in all warps. */
double timing_instructions(const struct timing_model *model, uint32_t number);
/* Does the replay know waits for this reason? Others are parts of a warp's own path. */
bool timing_is_replayed(uint32_t stall);
void timing_memory_work(const struct timing_model *model, struct timing_work *work);
/* timing_kernel_stalls.c: the launch's stalls (t) by instruction. own: as timing_path has them; used up.
 * drain_left: of waits for stores, those that are still waits for stores. */
void timing_stalls(const struct timing_model *model, const struct event_time *t, double drain_left,
                   struct timing_wait *own, struct event_stalls *out);
/* Multiply-adds of a matrix instruction. */
double timing_matrix_work(const struct isa_instr *instr);

/* ---- timing_host.c: mapped memory of the host. Fitted to read_mapped of copies-1.csv and read_peer of
 * peer-1.csv. */
enum { TIMING_HOST_LATENCY_NS = 1200, TIMING_PEER_LATENCY_NS = 700 };
/* How long PCIe is busy with a launch's requests. */
double timing_host_ns(const struct arch_gpu *gpu, const struct event_memory_sums *sums);
/* The same for what it reads and writes in other devices' memory. */
double timing_peer_ns(const struct arch_gpu *gpu, const struct event_memory_sums *sums);
/* What a way of these links takes, in thousandths of a cycle. */
struct model_link_rates timing_host_link(const struct arch_gpu *gpu, double cycles_per_ns);
struct model_link_rates timing_peer_link(const struct arch_gpu *gpu, double cycles_per_ns);
#endif
