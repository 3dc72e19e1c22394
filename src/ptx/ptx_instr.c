/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about one instruction: its words, the registers it reads and writes, and what it may do. */
#include "ptx_priv.h"

#include <string.h>

bool ptx_has(const struct ptx_instr *instr, enum ptx_mod mod)
{
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (instr->mods[i] == mod) return true;
    return false;
}

/* The n-th state space word, counted from 0. */
static enum ptx_mod space_word(const struct ptx_instr *instr, unsigned n)
{
    for (unsigned i = 0; i < instr->mod_count; i++) {
        enum ptx_mod mod = (enum ptx_mod)instr->mods[i];
        if (ptx_category_on(instr->op, mod) == PTX_CAT_SPACE && n-- == 0) return mod;
    }
    return PTX_MOD_NONE;
}

enum ptx_mod ptx_mod_of(const struct ptx_instr *instr, enum ptx_mod_category category)
{
    if (category == PTX_CAT_SPACE2) return space_word(instr, 1);
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (ptx_category_on(instr->op, (enum ptx_mod)instr->mods[i]) == category)
            return (enum ptx_mod)instr->mods[i];
    return PTX_MOD_NONE;
}

static enum ptx_space space_of(enum ptx_mod mod)
{
    if (mod == PTX_MOD_GLOBAL) return PTX_SPACE_GLOBAL;
    if (mod == PTX_MOD_SHARED || mod == PTX_MOD_SHARED__CTA || mod == PTX_MOD_SHARED__CLUSTER)
        return PTX_SPACE_SHARED;
    if (mod == PTX_MOD_LOCAL) return PTX_SPACE_LOCAL;
    if (mod == PTX_MOD_CONST) return PTX_SPACE_CONST;
    if (mod == PTX_MOD_PARAM || mod == PTX_MOD_PARAM__ENTRY || mod == PTX_MOD_PARAM__FUNC)
        return PTX_SPACE_PARAM;
    return mod == PTX_MOD_TEX ? PTX_SPACE_TEX : PTX_SPACE_GENERIC;
}

enum ptx_space ptx_instr_space(const struct ptx_instr *instr)
{
    return space_of(space_word(instr, 0));
}

enum ptx_space ptx_instr_space2(const struct ptx_instr *instr)
{
    return space_of(space_word(instr, 1));
}

unsigned ptx_vector_count(const struct ptx_instr *instr)
{
    enum ptx_mod mod = ptx_mod_of(instr, PTX_CAT_VECTOR);
    return mod == PTX_MOD_V2 ? 2 : mod == PTX_MOD_V4 ? 4 : mod == PTX_MOD_V8 ? 8 : 1;
}

/* ---- registers ---- */

struct sink {
    uint32_t *regs;
    unsigned room, count;
};

static void put(struct sink *sink, uint32_t reg)
{
    if (reg == PTX_NO_REG) return;
    if (sink->count < sink->room) sink->regs[sink->count] = reg;
    sink->count++;
}

/* Every register in an operand; nesting was bounded by the parser. */
static void put_operand(struct sink *sink, const struct ptx_operand *operand)
{
    put(sink, operand->reg);
    put(sink, operand->reg2);
    for (uint32_t i = 0; i < operand->count; i++)
        put_operand(sink, &operand->elements[i]);
}

static bool writes_barrier_result(const struct ptx_instr *instr)
{
    return ptx_has(instr, PTX_MOD_RED); /* bar.red, barrier.red */
}

/* mbarrier: which forms return a state or a predicate */
static unsigned mbarrier_dests(const struct ptx_instr *instr)
{
    if (instr->operand_count == 0 || instr->operands[0].kind == PTX_OPD_MEM) return 0;
    return 1;
}

unsigned ptx_instr_dest_count(const struct ptx_instr *instr)
{
    unsigned dests = ptx_op_dests(instr->op);
    switch ((unsigned)instr->op) {
    case PTX_OP_CALL:
        dests = instr->operand_count > 0 && instr->operands[0].kind == PTX_OPD_LIST &&
                instr->operand_count > 1 && instr->operands[1].kind != PTX_OPD_LIST;
        break;
    case PTX_OP_BAR:
    case PTX_OP_BARRIER: dests = writes_barrier_result(instr); break;
    case PTX_OP_MBARRIER:
    case PTX_OP_CLUSTERLAUNCHCONTROL:
    case PTX_OP_TCGEN05: dests = mbarrier_dests(instr); break;
    case PTX_OP_WMMA: dests = !ptx_has(instr, PTX_MOD_STORE); break;
    case PTX_OP_WGMMA: dests = ptx_has(instr, PTX_MOD_MMA_ASYNC); break;
    case PTX_OP_MULTIMEM: dests = !ptx_has(instr, PTX_MOD_ST) && !ptx_has(instr, PTX_MOD_RED); break;
    default: break;
    }
    return dests <= instr->operand_count ? dests : instr->operand_count;
}

unsigned ptx_instr_defs(const struct ptx_instr *instr, uint32_t *regs, unsigned room)
{
    struct sink sink = {regs, room, 0};
    unsigned dests = ptx_instr_dest_count(instr);
    for (unsigned i = 0; i < dests; i++)
        if (instr->operands[i].kind != PTX_OPD_MEM) put_operand(&sink, &instr->operands[i]);
    return sink.count;
}

/* A destination that is also read: a component of a vector register or a byte of a video result is merged
 * into the rest, and wgmma accumulates. */
static bool reads_destination(const struct ptx_instr *instr, const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPD_MEM || operand->half || operand->selector || instr->op == PTX_OP_WGMMA;
}

unsigned ptx_instr_uses(const struct ptx_instr *instr, uint32_t *regs, unsigned room)
{
    struct sink sink = {regs, room, 0};
    unsigned dests = ptx_instr_dest_count(instr);
    put(&sink, instr->guard);
    for (unsigned i = 0; i < instr->operand_count; i++)
        if (i >= dests || reads_destination(instr, &instr->operands[i]))
            put_operand(&sink, &instr->operands[i]);
    return sink.count;
}

/* ---- what it does ---- */

bool ptx_instr_is_memory(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
    case PTX_OP_ST:
    case PTX_OP_ST_ASYNC:
    case PTX_OP_ST_BULK:
    case PTX_OP_ATOM:
    case PTX_OP_RED:
    case PTX_OP_CP:
    case PTX_OP_MULTIMEM:
    case PTX_OP_LDMATRIX:
    case PTX_OP_STMATRIX:
    case PTX_OP_MBARRIER:
    case PTX_OP_TEX:
    case PTX_OP_TLD4:
    case PTX_OP_SULD:
    case PTX_OP_SUST:
    case PTX_OP_SURED: return true;
    case PTX_OP_WMMA: return !ptx_has(instr, PTX_MOD_MMA);
    default: return false;
    }
}

bool ptx_instr_is_branch(const struct ptx_instr *instr)
{
    return instr->op == PTX_OP_BRA || instr->op == PTX_OP_BRX;
}

bool ptx_instr_is_exit(const struct ptx_instr *instr)
{
    return instr->op == PTX_OP_RET || instr->op == PTX_OP_EXIT || instr->op == PTX_OP_TRAP;
}

bool ptx_instr_is_barrier(const struct ptx_instr *instr)
{
    if (instr->op == PTX_OP_BAR) return !ptx_has(instr, PTX_MOD_WARP) && !ptx_has(instr, PTX_MOD_ARRIVE);
    if (instr->op != PTX_OP_BARRIER) return false;
    return !ptx_has(instr, PTX_MOD_ARRIVE);
}

bool ptx_operand_is_predicate(const struct ptx_function *function, const struct ptx_operand *operand)
{
    return operand->reg != PTX_NO_REG && function->regs[operand->reg].type == PTX_PRED;
}
