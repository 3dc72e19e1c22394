/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that the values of a basic block take while it is scheduled.
 *
 * Models: ptxas finds an order in which as many registers are enough as leave a multiprocessor all of its
 * threads (32 on most GPUs), or as the kernel takes at any rate. Values that come from elsewhere, or go
 * there, take theirs all the time. Does not model: values that ptxas makes again instead of keeping them,
 * uniform registers.
 * Sources: of 198 kernels of tests/hw ptxas 13.0 gives 17 exactly 32 registers, and 4 more. */
#include "sass_schedule_priv.h"

#include <stdlib.h>

/* As it was declared; predicates have registers of their own. */
static uint8_t width_of(uint8_t type)
{
    enum { BITS = 32 }; /* definition: of a register */
    return type == ISA_PRED ? 0 : (uint8_t)((isa_type_bits((enum isa_type)type) + BITS - 1) / BITS);
}

/* 0 where no operand is this register. */
static uint8_t width_of_reg(const struct event_operand *operands, uint32_t count, uint32_t reg)
{
    uint8_t width = 0;
    for (uint32_t o = 0; o < count && !width; o++) {
        const struct event_operand *operand = &operands[o];
        width = operand->reg == reg    ? width_of(operand->type)
                : operand->reg2 == reg ? width_of(operand->type2)
                                       : width_of_reg(operand->elements, operand->count, reg);
    }
    return width;
}

/* In constant memory, or part of others. */
static bool takes_none(const struct sass_lower *l)
{
    return l->kind == SASS_PARAMETER || (l->kind == SASS_FREE && sass_slots(l) <= 0);
}

void sass_registers_init(struct sass_registers *r, const struct sass *code)
{
    const struct event_kernel *k = code->kernel;
    size_t count = k->reg_count + 1;
    *r = (struct sass_registers){.code = code,
                                 .uses = sw_xcalloc(count, sizeof *r->uses),
                                 .first_def = sw_xcalloc(count, sizeof *r->first_def),
                                 .last_def = sw_xcalloc(count, sizeof *r->last_def),
                                 .last_use = sw_xcalloc(count, sizeof *r->last_use),
                                 .width = sw_xcalloc(count, sizeof *r->width),
                                 .left = sw_xcalloc(count, sizeof *r->left),
                                 .written = sw_xcalloc(count, sizeof *r->written),
                                 .local = sw_xcalloc(count, sizeof *r->local)};
    for (uint32_t n = 0; n < k->instr_count; n++) {
        const struct event_instr *i = &k->instrs[n];
        for (uint32_t d = 0; d < i->def_count; d++) {
            uint32_t reg = i->regs[d];
            if (!r->first_def[reg]) r->first_def[reg] = n + 1;
            r->last_def[reg] = n + 1;
            r->width[reg] =
                takes_none(&code->lower[n]) ? 0 : width_of_reg(i->operands, i->operand_count, reg);
        }
        for (uint32_t u = 0; u < i->use_count; u++) {
            uint32_t reg = i->regs[i->def_count + u];
            r->uses[reg]++;
            r->last_use[reg] = n + 1;
        }
    }
}

void sass_registers_release(struct sass_registers *r)
{
    free(r->uses);
    free(r->first_def);
    free(r->last_def);
    free(r->last_use);
    free(r->width);
    free(r->left);
    free(r->written);
    free(r->local);
}

static bool is_local(const struct sass_registers *r, uint32_t reg, const struct event_block *block)
{
    bool once = r->first_def[reg] == r->last_def[reg];
    return once && r->first_def[reg] > block->first && r->uses[reg] == r->left[reg];
}

/* What values from elsewhere take while the block is executed. */
static uint32_t taken_by_others(const struct sass_registers *r, const struct event_block *block)
{
    uint32_t sum = 0, end = block->first + block->count;
    for (uint32_t reg = 0; reg < r->code->kernel->reg_count; reg++) {
        if (r->local[reg] || !r->width[reg]) continue;
        bool through = r->first_def[reg] && r->first_def[reg] <= block->first && r->last_use[reg] > end;
        if (through || r->left[reg] || r->written[reg]) sum += r->width[reg];
    }
    return sum;
}

/* Of a thread that leaves a multiprocessor all of its threads, or as many as the kernel takes. */
static uint32_t registers_of(const struct sass *m)
{
    const struct arch_cc *cc = arch_cc_find(m->gpu->cc_major, m->gpu->cc_minor);
    uint32_t all = cc ? cc->registers_per_sm / (SW_WARP_LANES * cc->warps_per_sm) : UINT32_MAX;
    return m->kernel->registers > all ? m->kernel->registers : all;
}

int32_t sass_registers_open(struct sass_registers *r, const struct event_block *block)
{
    const struct event_instr *instrs = r->code->kernel->instrs;
    uint32_t end = block->first + block->count;
    for (uint32_t n = block->first; n < end; n++)
        for (uint32_t u = 0; u < instrs[n].use_count; u++)
            r->left[instrs[n].regs[instrs[n].def_count + u]]++;
    for (uint32_t n = block->first; n < end; n++)
        for (uint32_t d = 0; d < instrs[n].def_count; d++) {
            uint32_t reg = instrs[n].regs[d];
            r->local[reg] = is_local(r, reg, block);
            r->written[reg] = true;
        }
    return (int32_t)registers_of(r->code) - (int32_t)taken_by_others(r, block);
}

void sass_registers_close(struct sass_registers *r, const struct event_block *block)
{
    const struct event_instr *i = &r->code->kernel->instrs[block->first];
    for (uint32_t k = 0; k < block->count; k++, i++)
        for (uint32_t reg = 0; reg < (uint32_t)i->def_count + i->use_count; reg++) {
            r->left[i->regs[reg]] = 0;
            r->local[i->regs[reg]] = r->written[i->regs[reg]] = false;
        }
}

int32_t sass_registers_more(const struct sass_registers *r, uint32_t number)
{
    enum { BYTES = 4 }; /* definition: of a register */
    const struct event_instr *i = &r->code->kernel->instrs[number];
    uint8_t merged = r->code->lower[number].merged;
    int32_t more = merged && merged != SASS_MERGED ? merged / BYTES : 0;
    for (uint32_t d = 0; d < i->def_count && !merged; d++)
        more += r->local[i->regs[d]] ? r->width[i->regs[d]] : 0;
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t reg = i->regs[i->def_count + u];
        more -= r->local[reg] && r->left[reg] == 1 ? r->width[reg] : 0;
    }
    return more;
}

void sass_registers_issue(struct sass_registers *r, uint32_t number)
{
    const struct event_instr *i = &r->code->kernel->instrs[number];
    for (uint32_t u = 0; u < i->use_count; u++)
        r->left[i->regs[i->def_count + u]]--;
}
