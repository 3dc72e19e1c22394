/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of instructions that have no form in ptx_forms.def: barriers, mbarrier, fences. The roles are
 * those of ptx_verify.c. Sources: PTX ISA 9.1, 9.7.13 and 9.7.14. Limits: matrix instructions are checked by
 * ptx_matrix_describe, calls and copies when they are compiled. */
#include "ptx_priv.h"

static const char *barrier_roles(const struct ptx_instr *instr)
{
    bool popc = ptx_has(instr, ISA_MOD_POPC);
    if (ptx_has(instr, ISA_MOD_WARP)) return "u";
    if (ptx_has(instr, ISA_MOD_CLUSTER)) return "";
    if (ptx_has(instr, ISA_MOD_ARRIVE)) return "uu";
    if (!ptx_has(instr, ISA_MOD_RED)) return "u?u";
    if (instr->operand_count == 4) return popc ? "Duuq" : "puuq"; /* the number of threads */
    return popc ? "Duq" : "puq";
}

static const char *mbarrier_roles(const struct ptx_instr *instr)
{
    if (ptx_has(instr, ISA_MOD_PENDING_COUNT)) return "Ds";
    if (ptx_has(instr, ISA_MOD_INVAL)) return "m";
    if (ptx_has(instr, ISA_MOD_TEST_WAIT) || ptx_has(instr, ISA_MOD_TRY_WAIT))
        return ptx_has(instr, ISA_MOD_PARITY) ? "pmu?u" : "pms?u";
    if (!ptx_has(instr, ISA_MOD_ARRIVE) && !ptx_has(instr, ISA_MOD_ARRIVE_DROP)) return "mu";
    bool result = instr->operand_count && instr->operands[0].kind != ISA_OPD_MEM;
    return result ? "dm?u" : "m?u";
}

const char *ptx_roles_without_form(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_BAR:
    case ISA_OP_BARRIER: return barrier_roles(instr);
    case ISA_OP_MBARRIER: return mbarrier_roles(instr);
    case ISA_OP_FENCE:
        return instr->operand_count == 2 ? "mi" : ""; /* of a tensor map: its address and size */
    case ISA_OP_MEMBAR:
    case ISA_OP_GRIDDEPCONTROL: return "";
    case ISA_OP_SETMAXNREG: return "i";
    case ISA_OP_LDU: return "wm";
    case ISA_OP_MOVMATRIX: return "Du";
    default: return NULL;
    }
}
