/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about one instruction: its words, the registers it reads and writes, and what it may do. */
#include "ptx_priv.h"

#include <string.h>

static enum ptx_space space_of(enum isa_mod mod)
{
    if (mod == ISA_MOD_GLOBAL) return PTX_SPACE_GLOBAL;
    if (mod == ISA_MOD_SHARED || mod == ISA_MOD_SHARED__CTA || mod == ISA_MOD_SHARED__CLUSTER)
        return PTX_SPACE_SHARED;
    if (mod == ISA_MOD_LOCAL) return PTX_SPACE_LOCAL;
    if (mod == ISA_MOD_CONST) return PTX_SPACE_CONST;
    if (mod == ISA_MOD_PARAM || mod == ISA_MOD_PARAM__ENTRY || mod == ISA_MOD_PARAM__FUNC)
        return PTX_SPACE_PARAM;
    return mod == ISA_MOD_TEX ? PTX_SPACE_TEX : PTX_SPACE_GENERIC;
}

enum ptx_space ptx_instr_space(const struct ptx_instr *instr)
{
    return space_of(isa_space_word(&instr->isa, 0));
}

enum ptx_space ptx_instr_space2(const struct ptx_instr *instr)
{
    return space_of(isa_space_word(&instr->isa, 1));
}

/* ---- registers ---- */

struct sink {
    uint32_t *regs;
    unsigned capacity, count;
};

static void instr_put(struct sink *sink, uint32_t reg)
{
    if (reg == PTX_NO_REG) return;
    if (sink->count < sink->capacity) sink->regs[sink->count] = reg;
    sink->count++;
}

/* Every register in an operand; nesting was bounded by the parser. */
static void put_operand(struct sink *sink, const struct ptx_operand *operand)
{
    instr_put(sink, operand->reg);
    instr_put(sink, operand->reg2);
    for (uint32_t i = 0; i < operand->count; i++)
        put_operand(sink, &operand->elements[i]);
}

static bool writes_barrier_result(const struct ptx_instr *instr)
{
    return ptx_has(instr, ISA_MOD_RED); /* bar.red, barrier.red */
}

/* mbarrier: which forms return a state or a predicate */
static unsigned mbarrier_dests(const struct ptx_instr *instr)
{
    if (instr->operand_count == 0 || instr->operands[0].kind == ISA_OPD_MEM) return 0;
    return 1;
}

unsigned ptx_instr_dest_count(const struct ptx_instr *instr)
{
    unsigned dests = isa_op_dests(instr->op);
    switch ((unsigned)instr->op) {
    case ISA_OP_CALL:
        dests = instr->operand_count > 0 && instr->operands[0].kind == ISA_OPD_LIST &&
                instr->operand_count > 1 && instr->operands[1].kind != ISA_OPD_LIST;
        break;
    case ISA_OP_BAR:
    case ISA_OP_BARRIER: dests = writes_barrier_result(instr); break;
    case ISA_OP_MBARRIER:
    case ISA_OP_CLUSTERLAUNCHCONTROL:
    case ISA_OP_TCGEN05: dests = mbarrier_dests(instr); break;
    case ISA_OP_WMMA: dests = !ptx_has(instr, ISA_MOD_STORE); break;
    case ISA_OP_WGMMA: dests = ptx_has(instr, ISA_MOD_MMA_ASYNC); break;
    case ISA_OP_MULTIMEM: dests = !ptx_has(instr, ISA_MOD_ST) && !ptx_has(instr, ISA_MOD_RED); break;
    default: break;
    }
    return dests <= instr->operand_count ? dests : instr->operand_count;
}

unsigned ptx_instr_defs(const struct ptx_instr *instr, uint32_t *regs, unsigned capacity)
{
    struct sink sink = {regs, capacity, 0};
    unsigned dests = ptx_instr_dest_count(instr);
    for (unsigned i = 0; i < dests; i++)
        if (instr->operands[i].kind != ISA_OPD_MEM) put_operand(&sink, &instr->operands[i]);
    return sink.count;
}

/* A destination that is also read: a component of a vector register or a byte of a video result is merged
 * into the rest, and wgmma accumulates. */
static bool reads_destination(const struct ptx_instr *instr, const struct ptx_operand *operand)
{
    return operand->kind == ISA_OPD_MEM || operand->half || operand->selector || instr->op == ISA_OP_WGMMA;
}

unsigned ptx_instr_uses(const struct ptx_instr *instr, uint32_t *regs, unsigned capacity)
{
    struct sink sink = {regs, capacity, 0};
    unsigned dests = ptx_instr_dest_count(instr);
    instr_put(&sink, instr->guard);
    for (unsigned i = 0; i < instr->operand_count; i++)
        if (i >= dests || reads_destination(instr, &instr->operands[i]))
            put_operand(&sink, &instr->operands[i]);
    return sink.count;
}

/* ---- what it does ---- */

bool ptx_instr_is_memory(const struct ptx_instr *instr)
{
    return isa_access_of(&instr->isa) != ISA_ACCESS_NONE;
}

bool ptx_instr_is_branch(const struct ptx_instr *instr)
{
    return instr->op == ISA_OP_BRA || instr->op == ISA_OP_BRX;
}

bool ptx_instr_is_exit(const struct ptx_instr *instr)
{
    return instr->op == ISA_OP_RET || instr->op == ISA_OP_EXIT || instr->op == ISA_OP_TRAP;
}

bool ptx_instr_is_barrier(const struct ptx_instr *instr)
{
    if (instr->op == ISA_OP_BAR) return !ptx_has(instr, ISA_MOD_WARP) && !ptx_has(instr, ISA_MOD_ARRIVE);
    if (instr->op != ISA_OP_BARRIER) return false;
    return !ptx_has(instr, ISA_MOD_ARRIVE);
}

bool ptx_operand_is_predicate(const struct ptx_function *function, const struct ptx_operand *operand)
{
    return operand->reg != PTX_NO_REG && function->regs[operand->reg].type == ISA_PRED;
}
