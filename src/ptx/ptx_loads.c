/* SPDX-License-Identifier: Apache-2.0 */
/* Through which of its parameters a kernel reads memory.
 *
 * Method: which words of the parameter buffer a register's value may follow from, over all its definitions at
 * once, until nothing changes; the base of each address that is read then says through which. Limits:
 * pointers that come from memory follow from nothing; where calls are left, any parameter may be read
 * through. */
#include "ptx_priv.h"

#include <stdlib.h>

enum { WORD = 8, LAST = 63 };

static uint64_t words_of(const struct ptx_var *var, int64_t offset, uint64_t bytes)
{
    uint64_t words = 0, first = var->offset + (uint64_t)offset;
    for (uint64_t at = first / WORD; at * WORD < first + bytes; at++)
        words |= UINT64_C(1) << (at < LAST ? at : LAST);
    return words;
}

static uint64_t of_operand(const struct ptx_operand *operand, const uint64_t *regs)
{
    const struct ptx_var *var = operand->var;
    uint64_t words = operand->kind == PTX_OPD_MEM && operand->reg != PTX_NO_REG ? regs[operand->reg] : 0;
    return var && var->space == PTX_SPACE_PARAM ? words | words_of(var, 0, var->bytes) : words;
}

static bool is_parameter(const struct ptx_instr *instr)
{
    return instr->op == PTX_OP_LD && ptx_instr_space(instr) == PTX_SPACE_PARAM;
}

/* What an instruction's results follow from. */
static uint64_t sources(const struct ptx_instr *instr, const struct ptx_work *work, const uint64_t *regs)
{
    uint32_t uses[PTX_INSTR_REGS];
    uint64_t words = 0;
    if (is_parameter(instr)) {
        const struct ptx_operand *from = &instr->operands[1];
        uint64_t bytes = (uint64_t)ptx_type_bits(ptx_instr_type(instr, 0)) / 8 * ptx_vector_count(instr);
        return from->var ? words_of(from->var, from->offset, bytes) : of_operand(from, regs);
    }
    if (work->is_read) return 0;
    unsigned count = ptx_instr_uses(instr, uses, PTX_INSTR_REGS);
    for (unsigned i = 0; i < count && i < PTX_INSTR_REGS; i++)
        words |= regs[uses[i]];
    for (unsigned i = 0; i < instr->operand_count; i++)
        words |= of_operand(&instr->operands[i], regs);
    return words;
}

static bool follow(const struct ptx_function *function, uint64_t *regs)
{
    uint32_t defs[PTX_INSTR_REGS];
    bool changed = false;
    for (uint32_t i = 0; i < function->instr_count; i++) {
        struct ptx_work work;
        ptx_classify(&function->instrs[i], &work);
        uint64_t words = sources(&function->instrs[i], &work, regs);
        unsigned count = ptx_instr_defs(&function->instrs[i], defs, PTX_INSTR_REGS);
        for (unsigned d = 0; d < count && d < PTX_INSTR_REGS; d++) {
            changed |= (words & ~regs[defs[d]]) != 0;
            regs[defs[d]] |= words;
        }
    }
    return changed;
}

uint64_t ptx_params_loaded(const struct ptx_function *function)
{
    uint64_t *regs = sw_xcalloc(function->reg_count + 1ull, sizeof *regs), loaded = 0;
    while (follow(function, regs)) {
    }
    for (uint32_t i = 0; i < function->instr_count; i++) {
        const struct ptx_instr *instr = &function->instrs[i];
        struct ptx_work work;
        ptx_classify(instr, &work);
        if (instr->op == PTX_OP_CALL) loaded = UINT64_MAX;
        for (unsigned o = 0; o < instr->operand_count && work.is_read && !is_parameter(instr); o++)
            if (instr->operands[o].kind == PTX_OPD_MEM) loaded |= of_operand(&instr->operands[o], regs);
    }
    free(regs);
    return loaded;
}
