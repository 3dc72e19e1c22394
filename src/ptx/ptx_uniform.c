/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics that ptxas lets one lane do for its warp: it adds up the lanes' values first, where it can tell
 * that they have the address in common.
 *
 * Models: which registers the lanes of a warp have in common whatever the shape of the block: those made of
 * parameters, constants, the block's place, and what is loaded from such addresses; not of a thread's place,
 * of clocks, of lanes' exchanges or old values, nor what is written at several places where lanes may part.
 * Of these addresses: sums, minima, maxima and bits of 32-bit integers without their old value; sums with it;
 * sums of 64 bits where the lanes have the value in common, too.
 *
 * Does not model: what ptxas learns of loops and branches beyond this.
 *
 * Sources: machine code and counters of tests/hw/uniform_atomics.cu (ptxas 13.0 for 7.5, 8.0 and 9.0; an
 * H200). */
#include "ptx_priv.h"

#include <stdlib.h>

static bool reads_place(const struct ptx_operand *operand)
{
    if (operand->kind != ISA_OPD_SREG) return false;
    switch ((unsigned)isa_sreg_kind(operand->sreg)) {
    case ISA_READS_NTID:
    case ISA_READS_CTAID:
    case ISA_READS_NCTAID:
    case ISA_READS_NCLUSTER:
    case ISA_READS_NWARP:
    case ISA_READS_SHARED: return false;
    default: return true;
    }
}

static bool uses_varying(const struct ptx_instr *instr, const bool *varies)
{
    uint32_t uses[PTX_INSTR_REGS];
    unsigned count = ptx_instr_uses(instr, uses, PTX_INSTR_REGS);
    for (unsigned u = 0; u < count && u < PTX_INSTR_REGS; u++)
        if (varies[uses[u]]) return true;
    return false;
}

/* May a load bring lanes one value? Not a function's arguments and results. */
static bool may_be_common(const struct ptx_function *function, const struct ptx_instr *instr)
{
    const struct ptx_var *var = instr->operands[1].var;
    if (ptx_has(instr, ISA_MOD_VOLATILE)) return false;
    switch ((unsigned)ptx_instr_space(instr)) {
    case PTX_SPACE_CONST:
    case PTX_SPACE_SHARED:
    case PTX_SPACE_GLOBAL: return true;
    case PTX_SPACE_PARAM:
        return function->is_entry && var && var->index < function->param_count &&
               function->params[var->index] == var;
    default: return false;
    }
}

static bool makes_varying(const struct ptx_function *function, const struct ptx_instr *instr,
                          const bool *varies)
{
    enum isa_class cls = isa_op_class(instr->op);
    if (cls == ISA_CLASS_LOAD ? !may_be_common(function, instr) : cls != ISA_CLASS_ALU) return true;
    for (unsigned i = 0; i < instr->operand_count; i++)
        if (reads_place(&instr->operands[i])) return true;
    return uses_varying(instr, varies);
}

struct uniform {
    const struct ptx_function *function;
    bool *varies;     /* by register */
    uint32_t *writes; /* by register: how many instructions write it */
    bool parts;       /* lanes may part at a branch */
};

static bool uniform_mark(struct uniform *u, const struct ptx_instr *instr, bool varying)
{
    uint32_t defs[PTX_INSTR_REGS];
    bool more = false;
    unsigned count = ptx_instr_defs(instr, defs, PTX_INSTR_REGS);
    for (unsigned d = 0; d < count && d < PTX_INSTR_REGS; d++) {
        bool set = varying || (u->parts && u->writes[defs[d]] > 1);
        more |= set && !u->varies[defs[d]];
        u->varies[defs[d]] |= set;
    }
    return more;
}

static bool uniform_step(struct uniform *u)
{
    bool more = false;
    for (uint32_t i = 0; i < u->function->instr_count; i++) {
        const struct ptx_instr *instr = &u->function->instrs[i];
        bool leaves = ptx_instr_is_branch(instr) || ptx_instr_is_exit(instr);
        if (leaves && !u->parts && uses_varying(instr, u->varies)) more = u->parts = true;
        more |= uniform_mark(u, instr, makes_varying(u->function, instr, u->varies));
    }
    return more;
}

static void count_writes(struct uniform *u)
{
    uint32_t defs[PTX_INSTR_REGS];
    for (uint32_t i = 0; i < u->function->instr_count; i++) {
        unsigned count = ptx_instr_defs(&u->function->instrs[i], defs, PTX_INSTR_REGS);
        for (unsigned d = 0; d < count && d < PTX_INSTR_REGS; d++)
            u->writes[defs[d]]++;
    }
}

bool *ptx_varying_registers(const struct ptx_function *function)
{
    struct uniform u = {.function = function,
                        .varies = sw_xcalloc(function->reg_count + 1ull, sizeof *u.varies),
                        .writes = sw_xcalloc(function->reg_count + 1ull, sizeof *u.writes)};
    count_writes(&u);
    while (uniform_step(&u)) {
    }
    free(u.writes);
    return u.varies;
}

static bool is_common(const struct ptx_operand *operand, const bool *varies)
{
    bool has_reg = operand->kind == ISA_OPD_REG || operand->kind == ISA_OPD_MEM;
    return !reads_place(operand) && !(has_reg && operand->reg != PTX_NO_REG && varies[operand->reg]);
}

/* The 32-bit integer operations of REDUX, or a sum. */
static bool adds_up(const struct ptx_instr *instr, bool sums_alone)
{
    static const enum isa_mod OTHERS[] = {ISA_MOD_MIN, ISA_MOD_MAX, ISA_MOD_AND, ISA_MOD_OR, ISA_MOD_XOR};
    if (ptx_has(instr, ISA_MOD_ADD)) return true;
    for (unsigned i = 0; !sums_alone && i < SW_COUNT_OF(OTHERS); i++)
        if (ptx_has(instr, OTHERS[i])) return true;
    return false;
}

bool ptx_one_lane_does(const struct ptx_instr *instr, const bool *varies)
{
    bool atom = instr->op == ISA_OP_ATOM, returns = ptx_atom_returns(instr);
    enum ptx_space space = ptx_instr_space(instr);
    if (!atom && instr->op != ISA_OP_RED) return false;
    bool placed = space == PTX_SPACE_GLOBAL || space == PTX_SPACE_SHARED || space == PTX_SPACE_GENERIC;
    if (!placed) return false;
    enum isa_type type = ptx_instr_type(instr, 0);
    bool integer =
        type == ISA_U32 || type == ISA_S32 || type == ISA_B32 || type == ISA_U64 || type == ISA_S64;
    if (!integer || ptx_vector_count(instr) > 1) return false;
    const struct ptx_operand *address = &instr->operands[atom], *value = &instr->operands[atom + 1];
    if (!is_common(address, varies)) return false;
    bool wide = isa_type_bits(type) == 64;
    if (wide && !is_common(value, varies)) return false;
    return adds_up(instr, wide || returns);
}
