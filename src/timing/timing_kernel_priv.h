/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TIMING_KERNEL_PRIV_H
#define TIMING_KERNEL_PRIV_H

#include "timing/timing_kernel.h"

/* ---- timing_kernel_lower.c: what ptxas makes of an instruction */

enum timing_kind {
    TIMING_PLAIN,
    TIMING_FREE,     /* nothing is left of it */
    TIMING_MOVE,     /* nothing, unless it reads a special register */
    TIMING_MULTIPLY, /* by the multipliers of integers */
    TIMING_ADDEND,   /* can be part of the multiplication before it */
    TIMING_ADDRESS,  /* 64-bit, the same */
    TIMING_LOGIC,    /* three operands make one instruction */
    TIMING_SHIFT,    /* can be part of the addition behind it */
    TIMING_CONVERT,
    TIMING_WIDEN, /* can be part of a multiplication behind it */
    TIMING_SHUFFLE,
    TIMING_SLOW, /* has a branch to a slow way inside: nothing moves over it */
    TIMING_BRANCH,
    TIMING_BARRIER,
    TIMING_FENCE,
    TIMING_CONSTANT,
    TIMING_TENSOR,
    TIMING_MEMORY /* of any other space */
};
struct timing_lower {
    double fma, alu, xu, fp64, half, other; /* alu of an ADDEND: on either of the two pipes */
    double latency;
    enum timing_kind kind;
    uint8_t merged; /* loads of shared memory that are one: on the first how many bytes a lane gets, on the
                       others TIMING_MERGED */
};
enum { TIMING_MERGED = 255 };
/* lower: an element for each instruction of the kernel. */
void timing_lower_kernel(const struct event_kernel *kernel, struct timing_lower *lower);

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
uint64_t timing_count(const struct timing_model *model, uint32_t slot); /* 0 for EVENT_NO_SLOT */
/* Cycles of an average warp that never waits for another. */
double timing_path(const struct timing_model *model, struct timing_wait *wait);

/* ---- timing_kernel_memory.c: latencies of accesses, and the work of memory's units */
void timing_memory_latencies(struct timing_model *model);
struct timing_work { /* cycles that each unit is busy with all of the launch; of a multiprocessor's units: all
                        of them together */
    double busy[EVENT_LIMIT_COUNT];
    double instructions;
    double either; /* integer additions, which ptxas places on the pipe that is less busy */
};
void timing_memory_work(const struct timing_model *model, struct timing_work *work);

/* ---- timing_host.c: mapped memory of the host */
enum { TIMING_HOST_LATENCY_NS = 1200 };
/* How long PCIe is busy with a launch's requests. */
double timing_host_ns(const struct arch_gpu *gpu, const struct event_memory_sums *sums);
#endif
