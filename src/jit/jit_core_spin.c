/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops wait for someone else: lanes, warps or blocks that must run meanwhile.
 *
 * Method: a loop waits when a branch that leaves it depends on a value that others may change: a volatile,
 * relaxed or acquire load, a plain load where the loop has a fence, an exchange, a compare-and-swap whose
 * comparand does not itself come from memory (a retry loop's does: it never waits), an atomic that adds
 * nothing, a test of an mbarrier. Dependence is followed through registers, in any order.
 * Limits: a loop is the range of block numbers from a back edge's target to its source, which holds the
 * natural loop and for irreducible graphs a little more. Waiting through memory (a flag copied to local
 * memory) is not seen. */
#include "jit_core_priv.h"

#include <string.h>

struct range {
    uint32_t first, last;
};

static bool is_zero_operand(const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPD_INT && operand->bits == 0;
}

static bool any_tainted(const uint64_t *taint, const struct ptx_instr *instr)
{
    uint32_t regs[PTX_INSTR_REGS];
    unsigned count = ptx_instr_uses(instr, regs, SW_COUNT_OF(regs));
    for (unsigned i = 0; i < count; i++)
        if (jit_bit(taint, regs[i])) return true;
    return false;
}

static bool atom_waits(const struct ptx_instr *instr, const uint64_t *taint)
{
    switch ((unsigned)ptx_mod_of(instr, PTX_CAT_SUB)) {
    case PTX_MOD_EXCH: return true;
    case PTX_MOD_CAS: {
        const struct ptx_operand *compare = &instr->operands[2];
        return !(compare->kind == PTX_OPD_REG && jit_bit(taint, compare->reg));
    }
    default: return instr->operand_count > 2 && is_zero_operand(&instr->operands[2]);
    }
}

/* Every value that memory gives inside the loop: comparands that depend on one belong to retry loops. */
static bool from_memory(const struct ptx_instr *instr)
{
    return instr->op == PTX_OP_ATOM || instr->op == PTX_OP_LD || instr->op == PTX_OP_LDU ||
           instr->op == PTX_OP_MBARRIER;
}

static bool is_source(const struct ptx_instr *instr, bool fenced, const uint64_t *memory)
{
    if (instr->op == PTX_OP_ATOM) return atom_waits(instr, memory);
    if (instr->op == PTX_OP_MBARRIER)
        return ptx_has(instr, PTX_MOD_TEST_WAIT) || ptx_has(instr, PTX_MOD_TRY_WAIT);
    if (instr->op != PTX_OP_LD) return false;
    enum ptx_space space = ptx_instr_space(instr);
    if (space == PTX_SPACE_PARAM || space == PTX_SPACE_CONST || space == PTX_SPACE_LOCAL) return false;
    switch ((unsigned)ptx_mod_of(instr, PTX_CAT_SEM)) {
    case PTX_MOD_VOLATILE:
    case PTX_MOD_RELAXED:
    case PTX_MOD_ACQUIRE:
    case PTX_MOD_MMIO: return true;
    default: return fenced;
    }
}

static void taint_defs(uint64_t *taint, const struct ptx_instr *instr, bool *changed)
{
    uint32_t regs[PTX_INSTR_REGS];
    unsigned count = ptx_instr_defs(instr, regs, SW_COUNT_OF(regs));
    for (unsigned i = 0; i < count; i++) {
        if (jit_bit(taint, regs[i])) continue;
        jit_bit_set(taint, regs[i]);
        *changed = true;
    }
}

typedef bool (*source_fn)(const struct ptx_instr *instr, bool fenced, const uint64_t *memory);

static bool memory_source(const struct ptx_instr *instr, bool fenced, const uint64_t *memory)
{
    (void)fenced;
    (void)memory;
    return from_memory(instr);
}

static void spread_taint(const struct jit *jit, struct range loop, uint64_t *taint, source_fn source,
                         bool fenced, const uint64_t *memory)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = loop.first; b <= loop.last; b++) {
            const struct jit_block *block = &jit->blocks[b];
            for (uint32_t i = block->first; i < block->last; i++) {
                const struct ptx_instr *instr = &jit->function->instrs[i];
                bool is = source(instr, fenced, memory);
                if (is || (!from_memory(instr) && any_tainted(taint, instr)))
                    taint_defs(taint, instr, &changed);
            }
        }
    }
}

static bool has_fence(const struct jit *jit, struct range loop)
{
    for (uint32_t b = loop.first; b <= loop.last; b++)
        for (uint32_t i = jit->blocks[b].first; i < jit->blocks[b].last; i++) {
            enum ptx_op op = jit->function->instrs[i].op;
            if (op == PTX_OP_MEMBAR || op == PTX_OP_FENCE) return true;
        }
    return false;
}

static bool leaves(const struct jit_block *block, struct range loop)
{
    for (uint32_t s = 0; s < block->succ_count; s++)
        if (block->succ[s] < loop.first || block->succ[s] > loop.last) return true;
    return false;
}

static bool loop_waits(struct jit *jit, struct range loop, uint64_t *memory, uint64_t *taint)
{
    memset(memory, 0, jit->reg_words * sizeof *memory);
    memset(taint, 0, jit->reg_words * sizeof *taint);
    spread_taint(jit, loop, memory, memory_source, false, NULL);
    spread_taint(jit, loop, taint, is_source, has_fence(jit, loop), memory);
    for (uint32_t b = loop.first; b <= loop.last; b++) {
        const struct jit_block *block = &jit->blocks[b];
        bool decides = block->end == JIT_END_COND || block->end == JIT_END_TABLE;
        if (decides && leaves(block, loop) && any_tainted(taint, &jit->function->instrs[block->last - 1]))
            return true;
    }
    return false;
}

void jit_spins_build(struct jit *jit)
{
    uint64_t *memory = ARENA_ARRAY(&jit->arena, uint64_t, jit->reg_words);
    uint64_t *taint = ARENA_ARRAY(&jit->arena, uint64_t, jit->reg_words);
    for (uint32_t b = 0; b < jit->block_count; b++)
        for (uint32_t s = 0; s < jit->blocks[b].succ_count; s++) {
            struct range loop = {.first = jit->blocks[b].succ[s], .last = b};
            if (loop.first > b || !loop_waits(jit, loop, memory, taint)) continue;
            jit->blocks[b].spins = true;
            jit->info.spins = 1;
        }
}
