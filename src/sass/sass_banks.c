/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles in which a scheduler cannot issue since registers are still read.
 *
 * Models: a scheduler's part of the register file has two banks, each of which delivers one register of 32
 * bits to a warp in a cycle. Of three registers two lie in the same bank; ptxas places nearly all pairs in
 * both. A value of 64 bits lies in both. While a bank reads for one instruction, none issues that needs it.
 * What the instruction before reads, too, is still in the operands' reuse cache, unless this one waits for it
 * (other warps issue then). Does not model: which registers ptxas chooses, the order into which it brings
 * instructions, what other warps read in between, operands of instructions that became part of this one,
 * results on their way into the banks; packed halves, whose rate has it (sm_half_percent).
 *
 * Sources: two banks with one port each, the reuse cache: Huerta et al., "Analyzing Modern NVIDIA GPU Cores",
 * 2025; that registers of odd number lie in one of them, and that what is read holds others back: machine
 * code of tests/hw/timing played with that takes 1.74 cycles an instruction of fma_1 with four warps a
 * scheduler (an H200: 1.76), 1.23 of nbody (1.25), 1.33 of mixed_pipes (1.30), 1.06 of mandelbrot (1.06). */
#include "sass_priv.h"

/* measured: of pairs of registers, in the same bank, 174 of 2161 in loops of tests/hw */
#define TOGETHER 0.08

/* What the register file holds: no parameter, and no constant that the instruction has in itself. */
static bool is_register(const struct sass_fuser *f, uint32_t reg)
{
    uint32_t writer = f->only_writer[reg];
    if (!writer) return true;
    const struct sass_lower *l = &f->lower[writer - 1];
    if (l->kind == SASS_PARAMETER) return false;
    return l->kind != SASS_MOVE || sass_slots(l) > 0 || f->kernel->instrs[writer - 1].use_count;
}

static bool ports_reads(const struct event_instr *i, uint32_t reg)
{
    for (uint32_t u = 0; u < i->use_count; u++)
        if (i->regs[i->def_count + u] == reg) return true;
    return false;
}

static bool waits_for(const struct event_instr *i, const struct event_instr *before)
{
    for (uint32_t d = 0; d < before->def_count; d++)
        if (ports_reads(i, before->regs[d])) return true;
    return false;
}

static bool multiplies_and_adds(const struct event_instr *i)
{
    return i->isa.op == ISA_OP_FMA || i->isa.op == ISA_OP_MAD || i->isa.op == ISA_OP_MAD24 ||
           i->isa.op == ISA_OP_MADC;
}

/* Different registers that have to be read. before: what was executed before; NULL: nothing is at hand. */
static uint32_t registers_read(const struct sass_fuser *f, const struct event_instr *i,
                               const struct event_instr *before)
{
    const uint32_t *use = &i->regs[i->def_count];
    uint32_t count = 0, constants = multiplies_and_adds(i) && i->use_count < 3 ? 3u - i->use_count : 0;
    if (before && waits_for(i, before)) before = NULL;
    for (uint32_t u = 0; u < i->use_count; u++) {
        bool again = before && ports_reads(before, use[u]);
        for (uint32_t other = 0; other < u; other++)
            again |= use[other] == use[u];
        if (!is_register(f, use[u]))
            constants++;
        else if (!again)
            count++;
    }
    return constants > 1 ? count + 1 : count; /* an instruction has room for one */
}

/* Reads of the bank that has more of them. */
static double bank_reads(const struct sass_fuser *f, uint32_t at, const struct event_instr *before)
{
    const struct sass_lower *l = &f->lower[at];
    uint32_t count = registers_read(f, &f->kernel->instrs[at], before);
    if (l->fp64 > 0) return count;
    if (l->fma <= 0 && l->alu <= 0) return count ? 1 : 0;
    return count >= 3 ? 2 : count == 2 ? 1 + TOGETHER : count / 2.0;
}

void sass_bank_conflicts(struct sass_fuser *f, const struct event_block *block)
{
    const struct event_instr *before = NULL;
    double waiting = 0;
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        struct sass_lower *l = &f->lower[i];
        double slots = sass_slots(l);
        if (slots <= 0) continue;
        double more = bank_reads(f, i, before), available = more > 1 ? more : 1;
        double held = waiting + more > available ? waiting + more - available : 0;
        waiting += more - held - slots;
        if (waiting < 0) waiting = 0;
        l->held = (float)held;
        before = &f->kernel->instrs[i];
    }
}
