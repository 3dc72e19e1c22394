/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics whose old value nobody reads become reductions, as ptxas makes them: hardware counts the two apart,
 * and a reduction of integers does not depend on the order in which threads run.
 *
 * Method: a register that no instruction of the flat function reads is dead everywhere, so no flow analysis
 * is needed. Limits: a result that is read on another path only stays an atomic. exch and cas have no
 * reduction form. */
#include "ptx_priv.h"

#include <stdlib.h>

static bool has_reduction_form(const struct ptx_instr *instr)
{
    static const enum isa_mod FORMS[] = {ISA_MOD_ADD, ISA_MOD_AND, ISA_MOD_OR,  ISA_MOD_XOR,
                                         ISA_MOD_INC, ISA_MOD_DEC, ISA_MOD_MIN, ISA_MOD_MAX};
    for (size_t i = 0; i < SW_COUNT_OF(FORMS); i++)
        if (ptx_has(instr, FORMS[i])) return true;
    return false;
}

static bool is_unread(const struct ptx_operand *result, const bool *read)
{
    if (result->kind == ISA_OPD_SINK) return true;
    return result->kind == ISA_OPD_REG && result->reg != PTX_NO_REG && !read[result->reg];
}

void ptx_reduce_atomics(struct ptx_function *function)
{
    bool *read = sw_xcalloc(function->reg_count + 1u, sizeof *read);
    for (uint32_t i = 0; i < function->instr_count; i++) {
        uint32_t uses[PTX_INSTR_REGS];
        unsigned count = ptx_instr_uses(&function->instrs[i], uses, PTX_INSTR_REGS);
        for (unsigned u = 0; u < count; u++)
            read[uses[u]] = true;
    }
    for (uint32_t i = 0; i < function->instr_count; i++) {
        struct ptx_instr *instr = &function->instrs[i];
        if (instr->op != ISA_OP_ATOM || !instr->operand_count || !has_reduction_form(instr) ||
            !is_unread(&instr->operands[0], read))
            continue;
        instr->op = ISA_OP_RED;
        instr->operands++;
        instr->operand_count--;
    }
    free(read);
}
