/* SPDX-License-Identifier: Apache-2.0 */
/* Which loads of constant memory have an address that a warp's lanes have in common, as ptxas can tell.
 *
 * Models: values that are made of parameters, constants, what loops count and what such loads bring are the
 * same for all lanes; those made of a thread's or a block's place, of other loads, of lanes' exchanges or of
 * floats are not kept in uniform registers. Before compute capability 7.5, which has these registers, only
 * addresses without any register are such.
 *
 * Does not model: branches that part lanes, behind which ptxas uses no uniform registers; values that it
 * takes out of them for other reasons.
 *
 * Sources: machine code of tests/hw (ptxas 13.0, 9.0): constant_walk, constant_chain, nearest, constants_late
 * load by ULDC; constants_apart and constant_lanes, whose addresses are made of a thread's place, by LDC, and
 * so would one made of a block's. */
#include "sass_priv.h"

#include <stdlib.h>

/* The place of a thread, a block or a warp, or the time. */
static bool reads_position(const struct event_instr *i)
{
    static const bool POSITIONS[ISA_READS_COUNT] = {
        [ISA_READS_TID] = true,      [ISA_READS_CTAID] = true,   [ISA_READS_LANE] = true,
        [ISA_READS_WARP] = true,     [ISA_READS_SM] = true,      [ISA_READS_NSM] = true,
        [ISA_READS_GRID] = true,     [ISA_READS_CLOCK] = true,   [ISA_READS_TIMER] = true,
        [ISA_READS_LANEMASK] = true, [ISA_READS_CLUSTER] = true,
    };
    const struct event_operand *operand = event_last_operand(i);
    return operand->kind == ISA_OPD_SREG && POSITIONS[isa_sreg_kind((enum isa_sreg)operand->sreg)];
}

static bool has_varying_use(const struct event_instr *i, const bool *varies)
{
    for (uint32_t u = 0; u < i->use_count; u++)
        if (varies[i->regs[i->def_count + u]]) return true;
    return false;
}

static bool makes_varying(const struct event_instr *i, const bool *varies)
{
    if (has_varying_use(i, varies)) return true;
    if (i->cls == ISA_CLASS_LOAD) return i->space != ISA_SPACE_PARAM && i->space != ISA_SPACE_CONST;
    bool moves = i->isa.op == ISA_OP_MOV;
    return i->cls != ISA_CLASS_ALU || (!moves && isa_has_kind(&i->isa, ISA_KIND_FLOAT)) ||
           (moves && reads_position(i));
}

/* Marks what an instruction writes; whether any of it was not marked. */
static bool mark(const struct event_instr *i, bool *varies)
{
    bool more = false;
    if (!makes_varying(i, varies)) return false;
    for (uint32_t d = 0; d < i->def_count; d++) {
        more |= !varies[i->regs[d]];
        varies[i->regs[d]] = true;
    }
    return more;
}

void sass_find_uniform(const struct arch_gpu *gpu, const struct event_kernel *kernel,
                       struct sass_lower *lower)
{
    enum { TURING = 75, TEN = 10 }; /* documented: compute capability with uniform registers; definition */
    bool registers = gpu->cc_major * TEN + gpu->cc_minor >= TURING;
    bool *varies = sw_xcalloc(kernel->reg_count + 1ull, sizeof *varies), more = true;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < kernel->instr_count; i++)
            more |= mark(&kernel->instrs[i], varies);
    }
    for (uint32_t at = 0; at < kernel->instr_count; at++) {
        const struct event_instr *i = &kernel->instrs[at];
        bool loads = i->cls == ISA_CLASS_LOAD && i->space == ISA_SPACE_CONST;
        lower[at].uniform = loads && (registers ? !has_varying_use(i, varies) : i->use_count == 0);
    }
    free(varies);
}
