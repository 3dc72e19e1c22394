/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TIMING_KERNEL_PRIV_H
#define TIMING_KERNEL_PRIV_H

#include "timing/timing_kernel.h"

#include "model/model_time.h"
#include "sass/sass.h"

/* Of an atomic of shared memory that ptxas makes a loop of compare and swap: how often it goes round for
 * lanes of a warp that share an address, on average; 0: it is no loop. An iteration takes so many cycles: a
 * load, a sum, a swap (shared_atomic_float, launch 152 of tests/hw/timing: 1,280 sums at one address take
 * 77,000); a warp that no other holds up takes more until it goes on, since it looks whether its swap was the
 * first (shared_sums of tests/hw/memory/contention.def: a sum of a loop 150). Inferred from these. */
enum { TIMING_SPIN_CYCLES = 60, TIMING_SPIN_MORE = 50 };
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

/* ---- timing_model.c: a kernel's machine code beside what was counted of a launch */
struct timing_model {
    struct sass sass;
    const struct event_launch *launch;
    struct arch_occupancy occupancy;
    double blocks, threads, block_warps, warps; /* of the launch, of a block, of a block, of the launch */
    struct arena arena;
};
static inline uint64_t timing_clock_khz(const struct timing_model *m)
{
    return m->sass.p->sm_clock_khz ? m->sass.p->sm_clock_khz : m->sass.gpu->clock_khz;
}
struct timing_plan {
    struct event_kernel kernel; /* with blocks that become one; its texts are the kernel's own */
    struct sass_lower *lower;   /* [instr] without any launch's iterations of loops */
    double *delays;             /* [block] sass_schedule_delays */
    uint32_t *work;             /* [instr] event_tool.detail_work */
    bool *waits;                /* [block] for a time, and does nothing else */
};
/* Fills the model's instructions; plan: of its kernel, or NULL. */
void timing_lower_by(const struct timing_plan *plan, struct timing_model *model);
double timing_spin_iterations(const struct timing_model *m, const struct event_instr *i);
/* Instructions of the machine code, that one of PTX makes, in all warps. */
double timing_instructions(const struct timing_model *model, uint32_t number);
/* Of those that end a block, who jump. */
double timing_taken_share(const struct timing_model *model, uint32_t block);
/* From a branch at block b's end to the next instruction. */
double timing_branch_cycles(const struct timing_model *model, uint32_t block);
/* Most often; EVENT_NO_BLOCK. */
uint32_t timing_block_before(const struct timing_model *model, uint32_t block);
double timing_split_share(const struct timing_model *model, uint32_t block);
/* Multiply-adds of a matrix instruction. */
double timing_matrix_work(const struct isa_instr *instr);

/* ---- timing_kernel_path.c: how long a warp alone takes */
struct timing_wait { /* cycles of a warp's path, by why it waits */
    double stalls[EVENT_STALL_COUNT];
};
/* Cycles of an average warp that never waits for another. each: of its waits, those at each instruction;
 * NULL: nobody asks. */
double timing_path(const struct timing_model *model, struct timing_wait *wait, struct timing_wait *each);
/* When each instruction issues, if the blocks ran in the order of the table; a last entry behind them. */
void timing_path_rows(const struct timing_model *model, double *rows);
/* Cycles of a pass of shared memory, of so many bytes: half a warp's words before compute capability 2.0; on
 * 3.x, words of 8 bytes. */
static inline double timing_pass_cycles(const struct timing_model *m)
{
    enum { HALF = 64, WHOLE = 128, WIDE = 256 }; /* documented: CUDA C Programming Guide, "Shared Memory" */
    double bytes = m->sass.gpu->cc_major < 2 ? HALF : m->sass.gpu->cc_major == 3 ? WIDE : WHOLE;
    return bytes / m->sass.pipes->shared;
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
void timing_memory_work(const struct timing_model *model, struct timing_work *work);
/* ---- timing_kernel_stalls.c */
/* Does the replay know waits for this reason? Others are parts of a warp's own path. */
bool timing_is_replayed(uint32_t stall);
/* The launch's stalls (t) by instruction. own: as timing_path has them; used up.
 * drain_left: of waits for stores, those that are still waits for stores. */
void timing_stalls(const struct timing_model *model, const struct event_time *t, double drain_left,
                   struct timing_wait *own, struct event_stalls *out);
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
