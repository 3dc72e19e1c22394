/* SPDX-License-Identifier: Apache-2.0 */
/* sass: the machine instructions that ptxas makes of a kernel's PTX, as far as they decide how long it takes:
 * which and how many there are of each PTX instruction, which become one or are left out, which basic blocks
 * are merged, and how a block is scheduled. Functions of a kernel's tables and a GPU; where loops are
 * unrolled, also of how often blocks were executed. */
#ifndef SASS_SASS_H
#define SASS_SASS_H

#include "arch/arch.h"
#include "event/event_kernel.h"

enum sass_kind {
    SASS_PLAIN,
    SASS_FREE,     /* nothing is left of it */
    SASS_MOVE,     /* nothing, unless it reads a special register */
    SASS_MULTIPLY, /* by the multipliers of integers */
    SASS_WIDE,     /* the same, with a result of 64 bits: half as fast */
    SASS_ADDEND,   /* can be part of the multiplication before it */
    SASS_ADDRESS,  /* 64-bit, the same */
    SASS_LOGIC,    /* three operands make one instruction */
    SASS_SHIFT,    /* can be part of the addition behind it */
    SASS_SCALE,    /* the same, to the left, or a move: also by the multipliers */
    SASS_WIDE_FMA, /* reads three values of 64 bits, for which registers take longer now and then */
    SASS_SELECT,   /* its last operand is a predicate */
    SASS_TEST,     /* can be part of the logical operation before it */
    SASS_CONVERT,
    SASS_WIDEN, /* can be part of a multiplication behind it */
    SASS_SHUFFLE,
    SASS_DIVIDE, /* of 32-bit integers */
    SASS_SLOW,   /* has a branch to a slow path inside: nothing moves over it */
    SASS_BRANCH,
    SASS_BARRIER,
    SASS_FENCE,
    SASS_CONSTANT,
    SASS_PARAMETER,
    SASS_TENSOR,
    SASS_MEMORY /* of any other space */
};
struct sass_lower {
    double fma, alu, xu, fp64, half, other; /* alu of an ADDEND: on either of the two pipes */
    double latency;
    enum sass_kind kind;
    uint8_t merged; /* loads of shared memory that are one: on the first how many bytes a lane gets, on the
                       others SASS_MERGED */
    uint8_t unroll; /* iterations of its loop that ptxas makes one of, if it has so many; 0: none */
    bool control;   /* of such a loop, its step or its test */
    bool uniform;   /* of constant memory, at an address that a warp's lanes have in common by their code */
    float held;     /* cycles besides in which no warp issues, since registers are still read */
    float once_alu, once_fma, once_other; /* of an unrolled loop's instruction, were it not */
};
enum { SASS_MERGED = 255, SASS_UNROLL = 4 }; /* implementation; inferred from machine code (turns) */
static inline double sass_slots(const struct sass_lower *l) /* instructions, on average */
{
    return l->fma + l->alu + l->xu + l->fp64 + l->half + l->other;
}
/* Of its instructions of the ALU those that the multipliers can do as well: of a 64-bit addition the upper
 * half (IMAD.X). */
static inline double sass_either(const struct sass_lower *l)
{
    return l->kind == SASS_ADDEND || l->kind == SASS_SCALE ? l->alu
           : l->kind == SASS_ADDRESS                       ? l->alu / 2
                                                           : 0;
}
/* Does it use the multipliers of integers, and how many times as long as a product of 32 bits? 0: no. */
static inline double sass_multiplies(const struct sass_lower *l)
{
    return l->kind == SASS_WIDE ? 2 : l->kind == SASS_MULTIPLY ? 1 : 0;
}
/* A selection has its predicate sooner than a guard or a vote; no instruction follows a branch at once, be it
 * taken or not. Inferred from machine code (tests/hw) and what it takes on an H200. */
enum { SASS_CONVERT_CYCLES = 14, SASS_SELECT_CYCLES = 8, SASS_BRANCH_CYCLES = 4, SASS_PORTS_PERCENT = 109 };

/* A kernel's machine code on a GPU. */
struct sass {
    const struct arch_gpu *gpu;
    const struct arch_kernels *p;
    const struct arch_pipes *pipes;
    const struct event_kernel *kernel; /* with blocks that become one: sass_merge_blocks */
    struct sass_lower *lower;          /* [instr] */
    double *latency;                   /* [instr] cycles from its issue to its result, memory included */
    const uint64_t *counters;          /* of a launch, by slot; NULL: nothing was executed yet */
};

/* ---- how often code was executed; 0 where nothing was counted */
static inline uint64_t sass_count(const struct sass *m, uint32_t slot)
{
    return slot == EVENT_NO_SLOT || !m->counters ? 0 : m->counters[slot];
}
static inline uint64_t sass_block_count(const struct sass *m, uint32_t b) /* warps that executed block b */
{
    const struct event_block *block = &m->kernel->blocks[b];
    return block->count ? sass_count(m, m->kernel->instrs[block->first].slots.warps) : 0;
}

/* ---- sass_merge.c: the kernel with blocks that become one, until sass_merge_release; branches that go with
 * that. */
void sass_merge_blocks(const struct event_kernel *kernel, struct event_kernel *out);
void sass_merge_release(struct event_kernel *kernel);
void sass_merge_branches(const struct event_kernel *kernel, struct sass_lower *lower);

/* ---- sass_lower.c. lower: an element for each instruction of the kernel. */
void sass_lower_kernel(const struct arch_gpu *gpu, const struct event_kernel *kernel,
                       struct sass_lower *lower);

/* ---- sass_unroll.c: steps and tests of unrolled loops by how many iterations they have, as the counters
 * say; none: many. */
void sass_unroll_loops(const struct sass *code);

/* ---- sass_slow_path.c: what a warp executes on average besides the fast path */
struct sass_lower sass_slow_path(const struct sass *code, const struct event_instr *instr);

/* ---- sass_pipes.c */
/* Cycles of a scheduler's pipes: floats, integers, special functions, 64-bit floats, integers'
 * multiplications; the port of memory instructions, at which a warp waits though nobody else is there. */
enum { SASS_MULTIPLIER = 4, SASS_PORT, SASS_PIPES }; /* implementation: after the first four */
double sass_half_rate(const struct sass *code);      /* lanes of packed halves in a cycle */
/* Cycles of a scheduler's units for some instructions of a warp; held: as sass_lower has it. */
struct sass_units {
    double slots, held, pipes[SASS_PIPES];
};
/* Adds instruction `number`, with what a warp executes of its slow path. */
void sass_units_add(const struct sass *code, uint32_t number, struct sass_units *units);
double sass_units_cycles(const struct sass *code, const struct sass_units *units); /* of the busiest */
void sass_add_pipes(const struct sass *code, const struct sass_lower *lower, double pipes[SASS_PIPES]);
/* What the pipe of 32-bit floats takes, of which only a part multiplies integers (from 8.6 on half of it). */
double sass_fma_cycles(const struct sass *code, double floats, double multiply);

/* ---- sass_schedule.c: of each block, the cycles that a warp alone takes more than its longest chain, since
 * it issues one instruction at a time and has few registers. */
void sass_schedule_delays(const struct sass *code, double *delays);
#endif
