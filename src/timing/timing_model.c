/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel's machine code beside what was counted of a launch: how often blocks follow each other, how many
 * branches are taken or split warps, how many instructions are executed.
 *
 * Models: control flow by its averages: of blocks before another, the one from which most warps come. Does
 * not model: the order in which a warp takes blocks. Sources: the counters of the launch; of atomics of
 * shared memory that are loops, and of matrix instructions, those named beside them. */
#include "timing_kernel_priv.h"

#include "isa/isa_matrix.h"

#include <string.h>

void timing_lower_by(const struct timing_plan *plan, struct timing_model *m)
{
    if (plan)
        memcpy(m->sass.lower, plan->lower, m->sass.kernel->instr_count * sizeof *m->sass.lower);
    else
        sass_lower_kernel(m->sass.gpu, m->sass.kernel, m->sass.lower);
}

/* Multiply-adds of a matrix instruction, as those of halves: of other types by their rate. */
double timing_matrix_work(const struct isa_instr *instr)
{
    struct isa_product p;
    if (!isa_product_of(instr, &p)) return 0;
    double work = (double)p.multiply_adds;
    switch (p.factor) {
    case ISA_FACTOR_F64: return work * 16; /* NVIDIA H100 white paper: 67 TFLOPS beside 990 */
    case ISA_FACTOR_TF32: return work * 2;
    case ISA_FACTOR_BYTE: return work / 2;
    case ISA_FACTOR_HALF:
    case ISA_FACTOR_BIT: break;
    }
    return work;
}

double timing_spin_iterations(const struct timing_model *m, const struct event_instr *i)
{
    const struct event_access_slots *s = &i->slots.access[EVENT_ACCESS_SHARED];
    double iterations = i->cls == ISA_CLASS_ATOMIC ? (double)sass_count(&m->sass, s->more) : 0;
    double warps = (double)sass_count(&m->sass, i->slots.warps);
    return warps > 0 ? iterations / warps : 0;
}

/* Instructions of an atomic of shared memory that is a loop (load, compare and swap, until it was the first),
 * but for the swap that its row has: LDS, FADD, ISETP, BRA and the swap of each further iteration, BSSY and
 * BSYNC; for each warp. */
static double timing_spins(const struct timing_model *m, const struct event_instr *i)
{
    enum { ITERATION = 5, AROUND = 1 }; /* inferred from machine code: as above */
    double iterations = timing_spin_iterations(m, i);
    return iterations > 0 ? iterations * ITERATION + AROUND : 0;
}

double timing_instructions(const struct timing_model *m, uint32_t number)
{
    const struct event_instr *i = &m->sass.kernel->instrs[number];
    struct sass_lower slow = sass_slow_path(&m->sass, i);
    return (double)sass_count(&m->sass, i->slots.warps) *
           (timing_spins(m, i) + sass_slots(&m->sass.lower[number]) + sass_slots(&slow));
}

/* Of warps that execute block b, how many jump at its end: those that do not come to the block that stands
 * behind it. */
double timing_taken_share(const struct timing_model *m, uint32_t b)
{
    const struct event_block *block = &m->sass.kernel->blocks[b];
    if (!block->count || m->sass.lower[block->first + block->count - 1].kind != SASS_BRANCH) return 0;
    double here = (double)sass_block_count(&m->sass, b);
    double behind = b + 1 < m->sass.kernel->block_count ? (double)sass_block_count(&m->sass, b + 1) : 0;
    return here > 0 && behind < here ? 1 - behind / here : 0;
}

double timing_branch_cycles(const struct timing_model *m, uint32_t b)
{
    const struct event_block *block = &m->sass.kernel->blocks[b];
    if (!block->count || m->sass.lower[block->first + block->count - 1].kind != SASS_BRANCH) return 0;
    double taken = timing_taken_share(m, b);
    return taken * (double)m->sass.p->sm_branch_cycles + (1 - taken) * SASS_BRANCH_CYCLES;
}

/* How often block b was entered from the one before it, at most: what came into a loop from outside did not
 * come by its way back. */
static uint64_t entries(const struct timing_model *m, uint32_t b, uint32_t from)
{
    const uint32_t *before = m->sass.kernel->blocks[b].before;
    uint64_t count = sass_block_count(&m->sass, from);
    if (from != b) return count;
    for (uint32_t i = 0; i < EVENT_BLOCK_BEFORE; i++) {
        if (before[i] == EVENT_NO_BLOCK || before[i] == b) continue;
        uint64_t outside = sass_block_count(&m->sass, before[i]);
        count -= outside < count ? outside : count;
    }
    return count;
}

uint32_t timing_block_before(const struct timing_model *m, uint32_t b)
{
    const uint32_t *before = m->sass.kernel->blocks[b].before;
    uint32_t best = EVENT_NO_BLOCK;
    for (uint32_t i = 0; i < EVENT_BLOCK_BEFORE; i++)
        if (before[i] != EVENT_NO_BLOCK &&
            (best == EVENT_NO_BLOCK || entries(m, b, before[i]) > entries(m, b, best) ||
             (!m->sass.counters && before[i] > best))) /* nothing ran yet: loops go round */
            best = before[i];
    /* of a block that more are left out of: the one that stands before it and was executed */
    for (uint32_t p = b; p-- > 0 && (best == EVENT_NO_BLOCK || sass_block_count(&m->sass, best) == 0);)
        if (sass_block_count(&m->sass, p)) best = p;
    return best;
}

/* Does it end in a jump back? Lanes that leave a loop only wait for the others. */
static bool goes_back(const struct event_kernel *k, uint32_t b)
{
    for (uint32_t head = 0; head <= b; head++)
        for (uint32_t i = 0; i < EVENT_BLOCK_BEFORE; i++)
            if (k->blocks[head].before[i] == b) return true;
    return false;
}

/* Warps that the branch at a block's end split, of those that executed it. */
double timing_split_share(const struct timing_model *m, uint32_t b)
{
    const struct event_block *block = &m->sass.kernel->blocks[b];
    if (!block->count || goes_back(m->sass.kernel, b)) return 0;
    const struct event_slots *slots = &m->sass.kernel->instrs[block->first + block->count - 1].slots;
    uint64_t all = sass_count(&m->sass, slots->warps);
    return all ? (double)sass_count(&m->sass, slots->divergent) / (double)all : 0;
}
