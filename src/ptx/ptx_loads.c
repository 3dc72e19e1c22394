/* SPDX-License-Identifier: Apache-2.0 */
/* Through which of its parameters a kernel reads memory, and through which it accesses any.
 *
 * Method: which words of the parameter buffer a register's value may follow from, over all its definitions at
 * once, until nothing changes; the base of each address that is accessed then says through which. Only what
 * has 64 bits becomes an address, or two halves that are moved together: an index of 32 bits does not.
 * Limits: pointers that come from memory follow from nothing, but what a thread stores where its own
 * variables are, or passes to a function, counts as accessed; for reads, any parameter does where calls are
 * left. */
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

struct follower {
    const struct ptx_function *function;
    uint64_t *regs; /* words, by register */
};

/* Of the kernel itself, not of a call in it. */
static bool loads_is_own(const struct follower *f, const struct ptx_var *var)
{
    return var->space == PTX_SPACE_PARAM && var->index < f->function->param_count &&
           f->function->params[var->index] == var;
}

static uint64_t of_operand(const struct follower *f, const struct ptx_operand *operand)
{
    const struct ptx_var *var = operand->var;
    uint64_t words = operand->kind == ISA_OPD_MEM && operand->reg != PTX_NO_REG ? f->regs[operand->reg] : 0;
    return var && loads_is_own(f, var) ? words | words_of(var, 0, var->bytes) : words;
}

/* Of all registers that an instruction reads; wide: of those that may hold an address. */
static uint64_t of_uses(const struct follower *f, const struct ptx_instr *instr, bool wide)
{
    enum { ADDRESS_BITS = 64 };
    uint32_t uses[PTX_INSTR_REGS];
    uint64_t words = 0;
    unsigned count = ptx_instr_uses(instr, uses, PTX_INSTR_REGS);
    for (unsigned i = 0; i < count && i < PTX_INSTR_REGS; i++)
        if (!wide || isa_type_bits(f->function->regs[uses[i]].type) >= ADDRESS_BITS)
            words |= f->regs[uses[i]];
    return words;
}

static bool is_parameter(const struct ptx_instr *instr)
{
    return instr->op == ISA_OP_LD && ptx_instr_space(instr) == PTX_SPACE_PARAM;
}

/* What an instruction's results follow from. */
static uint64_t sources(const struct follower *f, const struct ptx_instr *instr, const struct ptx_work *work)
{
    if (is_parameter(instr)) {
        const struct ptx_operand *from = &instr->operands[1];
        uint64_t bytes = (uint64_t)isa_type_bits(ptx_instr_type(instr, 0)) / 8 * ptx_vector_count(instr);
        if (!from->var) return of_operand(f, from);
        return loads_is_own(f, from->var) ? words_of(from->var, from->offset, bytes) : 0;
    }
    if (work->is_read) return 0;
    uint64_t words = of_uses(f, instr, instr->op != ISA_OP_MOV);
    for (unsigned i = 0; i < instr->operand_count; i++)
        words |= of_operand(f, &instr->operands[i]);
    return words;
}

static bool follow_once(struct follower *f)
{
    uint32_t defs[PTX_INSTR_REGS];
    bool changed = false;
    for (uint32_t i = 0; i < f->function->instr_count; i++) {
        const struct ptx_instr *instr = &f->function->instrs[i];
        struct ptx_work work;
        ptx_classify(instr, &work);
        uint64_t words = sources(f, instr, &work);
        unsigned count = ptx_instr_defs(instr, defs, PTX_INSTR_REGS);
        for (unsigned d = 0; d < count && d < PTX_INSTR_REGS; d++) {
            changed |= (words & ~f->regs[defs[d]]) != 0;
            f->regs[defs[d]] |= words;
        }
    }
    return changed;
}

static struct follower loads_follow(const struct ptx_function *function)
{
    struct follower f = {function, sw_xcalloc(function->reg_count + 1ull, sizeof *f.regs)};
    while (follow_once(&f)) {
    }
    return f;
}

static uint64_t of_addresses(const struct follower *f, const struct ptx_instr *instr)
{
    uint64_t words = 0;
    for (unsigned o = 0; o < instr->operand_count && !is_parameter(instr); o++)
        if (instr->operands[o].kind == ISA_OPD_MEM) words |= of_operand(f, &instr->operands[o]);
    return words;
}

uint64_t ptx_params_loaded(const struct ptx_function *function)
{
    uint64_t loaded = 0;
    struct follower f = loads_follow(function);
    for (uint32_t i = 0; i < function->instr_count; i++) {
        struct ptx_work work;
        ptx_classify(&function->instrs[i], &work);
        if (function->instrs[i].op == ISA_OP_CALL) loaded = UINT64_MAX;
        if (work.is_read) loaded |= of_addresses(&f, &function->instrs[i]);
    }
    free(f.regs);
    return loaded;
}

/* Goes where it may come back as an address: a thread's own variables, or a function. */
static bool is_kept(const struct ptx_instr *instr)
{
    enum ptx_space space = ptx_instr_space(instr);
    if (instr->op == ISA_OP_CALL) return true;
    return instr->op == ISA_OP_ST &&
           (space == PTX_SPACE_LOCAL || space == PTX_SPACE_GENERIC || space == PTX_SPACE_PARAM);
}

uint64_t ptx_params_accessed(const struct ptx_function *function)
{
    uint64_t accessed = 0;
    struct follower f = loads_follow(function);
    for (uint32_t i = 0; i < function->instr_count; i++) {
        struct ptx_work work;
        ptx_classify(&function->instrs[i], &work);
        if (work.is_read || work.is_write) accessed |= of_addresses(&f, &function->instrs[i]);
        if (is_kept(&function->instrs[i])) accessed |= of_uses(&f, &function->instrs[i], false);
    }
    free(f.regs);
    return accessed;
}
