/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops wait for someone else: lanes, warps or blocks that must run meanwhile.
 *
 * Method: a loop waits when a branch that leaves it depends on a value that others may change: a volatile,
 * relaxed or acquire load, a plain load where the loop has a fence or sleeps, an exchange, a compare-and-swap
 * whose comparand does not itself come from memory (a retry loop's does: it never waits), an atomic that adds
 * nothing, a test of an mbarrier. Dependence is followed through registers, in any
 * order, through local memory (unoptimised code keeps its variables there), through calls that may look at
 * memory, and where a branch inside the loop that depends on such a value decides what is written.
 * A loop, however many entries it has: the blocks on ways from its lowest block back to it that lead through
 * no lower one. Every cycle of the graph is in the loop of its lowest block, and has one of that loop's ways
 * back. (The numbers between both ends of a way back are neither: an inner loop may end after them.)
 * Limits: loops are looked at one by one, so nests of thousands take quadratic time. */
#include "jit/analysis/jit_blocks.h"
#include "jit/analysis/jit_layout.h"
#include "jit/core/jit_core.h"

#include <string.h>

struct loop {
    uint32_t first, count;
    uint32_t *blocks; /* ascending; [0] is `first` */
    uint64_t *has;    /* by bit */
};

static bool is_zero_operand(const struct ptx_operand *operand)
{
    return operand->kind == ISA_OPD_INT && operand->bits == 0;
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
    switch ((unsigned)ptx_mod_of(instr, ISA_CAT_SUB)) {
    case ISA_MOD_EXCH: return true;
    case ISA_MOD_CAS: {
        const struct ptx_operand *compare = &instr->operands[2];
        return !(compare->kind == ISA_OPD_REG && jit_bit(taint, compare->reg));
    }
    default: return instr->operand_count > 2 && is_zero_operand(&instr->operands[2]);
    }
}

/* Every value that memory gives inside the loop: comparands that depend on one belong to retry loops. */
static bool from_memory(const struct ptx_instr *instr)
{
    return instr->op == ISA_OP_ATOM || instr->op == ISA_OP_LD || instr->op == ISA_OP_LDU ||
           instr->op == ISA_OP_MBARRIER;
}

static bool is_source(const struct ptx_instr *instr, bool fenced, const uint64_t *memory)
{
    if (instr->op == ISA_OP_ATOM) return atom_waits(instr, memory);
    if (instr->op == ISA_OP_MBARRIER)
        return ptx_has(instr, ISA_MOD_TEST_WAIT) || ptx_has(instr, ISA_MOD_TRY_WAIT);
    if (instr->op != ISA_OP_LD) return false;
    enum ptx_space space = ptx_instr_space(instr);
    if (space == PTX_SPACE_PARAM || space == PTX_SPACE_CONST || space == PTX_SPACE_LOCAL) return false;
    switch ((unsigned)ptx_mod_of(instr, ISA_CAT_SEM)) {
    case ISA_MOD_VOLATILE:
    case ISA_MOD_RELAXED:
    case ISA_MOD_ACQUIRE:
    case ISA_MOD_MMIO: return true;
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

static bool is_local(enum ptx_space space)
{
    return space == PTX_SPACE_LOCAL || space == PTX_SPACE_GENERIC;
}

/* A value that came from a source, put where the loop may load it again. */
static bool keeps_in_memory(const struct ptx_instr *instr, const uint64_t *taint)
{
    return instr->op == ISA_OP_ST && is_local(ptx_instr_space(instr)) && any_tainted(taint, instr);
}

/* A function that stays one may have looked at memory; externs (printf, malloc) show nothing of it. */
static bool asks_function(const struct ptx_instr *instr)
{
    if (instr->op != ISA_OP_CALL) return false;
    for (unsigned i = 0; i < instr->operand_count; i++)
        if (instr->operands[i].kind == ISA_OPD_FUNC) return instr->operands[i].function->has_body;
    return true;
}

static bool loop_asks(const struct jit *jit, const struct loop *loop)
{
    for (uint32_t k = 0; k < loop->count; k++)
        for (uint32_t b = loop->blocks[k], i = jit->blocks[b].first; i < jit->blocks[b].last; i++)
            if (asks_function(&jit->function->instrs[i])) return true;
    return false;
}

static void spread_taint(const struct jit *jit, const struct loop *loop, uint64_t *taint, source_fn source,
                         bool fenced, const uint64_t *memory)
{
    bool kept = false, asked = memory && loop_asks(jit, loop);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < loop->count; k++) {
            const struct jit_block *block = &jit->blocks[loop->blocks[k]];
            for (uint32_t i = block->first; i < block->last; i++) {
                const struct ptx_instr *instr = &jit->function->instrs[i];
                enum ptx_space space = instr->op == ISA_OP_LD ? ptx_instr_space(instr) : PTX_SPACE_REG;
                bool is = source(instr, fenced, memory) || (kept && is_local(space)) ||
                          (asked && space == PTX_SPACE_PARAM && instr->operands[1].var &&
                           jit_is_call_var(jit, instr->operands[1].var));
                if (is || (!from_memory(instr) && any_tainted(taint, instr)))
                    taint_defs(taint, instr, &changed);
                if (kept || !memory || !keeps_in_memory(instr, taint)) continue;
                kept = changed = true;
            }
        }
    }
}

static bool goes_back(const struct jit_block *block, const struct loop *loop)
{
    for (uint32_t s = 0; s < block->succ_count; s++)
        if (block->succ[s] == loop->first) return true;
    return false;
}

static bool spin_dominates(const struct jit *jit, uint32_t b, uint32_t of)
{
    uint32_t at = jit->blocks[of].source;
    while (at != PTX_NO_BLOCK && at != jit->blocks[b].source)
        at = at == 0 ? PTX_NO_BLOCK : jit->cfg.blocks[at].idom;
    return at != PTX_NO_BLOCK;
}

/* Does every way round lead through block b? */
static bool always_runs(const struct jit *jit, const struct loop *loop, uint32_t b)
{
    for (uint32_t k = 0; k < loop->count; k++)
        if (goes_back(&jit->blocks[loop->blocks[k]], loop) && !spin_dominates(jit, b, loop->blocks[k]))
            return false;
    return true;
}

/* A branch inside the loop that depends on a source decides which blocks run: what those write depends on it
 * too. Returns whether anything is new. */
static bool taint_conditional(const struct jit *jit, const struct loop *loop, uint64_t *taint)
{
    bool decided = false, changed = false;
    for (uint32_t k = 0; k < loop->count && !decided; k++) {
        const struct jit_block *block = &jit->blocks[loop->blocks[k]];
        bool decides = block->end == JIT_END_COND || block->end == JIT_END_TABLE;
        decided = decides && any_tainted(taint, &jit->function->instrs[block->last - 1]);
    }
    for (uint32_t k = 0; k < loop->count && decided; k++) {
        uint32_t b = loop->blocks[k];
        if (always_runs(jit, loop, b)) continue;
        for (uint32_t i = jit->blocks[b].first; i < jit->blocks[b].last; i++)
            taint_defs(taint, &jit->function->instrs[i], &changed);
    }
    return changed;
}

static bool has_fence(const struct jit *jit, const struct loop *loop)
{
    for (uint32_t k = 0; k < loop->count; k++)
        for (uint32_t b = loop->blocks[k], i = jit->blocks[b].first; i < jit->blocks[b].last; i++) {
            enum isa_op op = jit->function->instrs[i].op;
            if (op == ISA_OP_MEMBAR || op == ISA_OP_FENCE || op == ISA_OP_NANOSLEEP) return true;
        }
    return false;
}

static bool leaves(const struct jit_block *block, const struct loop *loop)
{
    for (uint32_t s = 0; s < block->succ_count; s++)
        if (!jit_bit(loop->has, block->succ[s])) return true;
    return false;
}

static bool loop_waits(struct jit *jit, const struct loop *loop, uint64_t *memory, uint64_t *taint)
{
    memset(memory, 0, jit->reg_words * sizeof *memory);
    memset(taint, 0, jit->reg_words * sizeof *taint);
    spread_taint(jit, loop, memory, memory_source, false, NULL);
    spread_taint(jit, loop, taint, is_source, has_fence(jit, loop), memory);
    while (taint_conditional(jit, loop, taint))
        spread_taint(jit, loop, taint, is_source, has_fence(jit, loop), memory);
    for (uint32_t k = 0; k < loop->count; k++) {
        const struct jit_block *block = &jit->blocks[loop->blocks[k]];
        bool decides = block->end == JIT_END_COND || block->end == JIT_END_TABLE;
        if (decides && leaves(block, loop) && any_tainted(taint, &jit->function->instrs[block->last - 1]))
            return true;
    }
    return false;
}

/* ---- loops */

static uint64_t *find_heads(struct jit *jit)
{
    uint64_t *heads = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (uint32_t b = 0; b < jit->block_count; b++)
        for (uint32_t s = 0; s < jit->blocks[b].succ_count; s++)
            if (jit->blocks[b].succ[s] <= b) jit_bit_set(heads, jit->blocks[b].succ[s]);
    return heads;
}

/* Blocks that `first` reaches through none below it, into reached, and the highest of them. */
static uint32_t spin_reach(const struct jit *jit, uint32_t first, uint64_t *reached, uint32_t *work)
{
    uint32_t count = 0, last = first;
    memset(reached, 0, jit->block_words * sizeof *reached);
    jit_bit_set(reached, first);
    work[count++] = first;
    while (count) {
        const struct jit_block *block = &jit->blocks[work[--count]];
        for (uint32_t s = 0; s < block->succ_count; s++) {
            uint32_t to = block->succ[s];
            if (to < first || jit_bit(reached, to)) continue;
            jit_bit_set(reached, to);
            work[count++] = to;
            last = to > last ? to : last;
        }
    }
    return last;
}

static bool comes_to(const struct jit_block *block, const uint64_t *set)
{
    for (uint32_t s = 0; s < block->succ_count; s++)
        if (jit_bit(set, block->succ[s])) return true;
    return false;
}

/* The loop whose lowest block is `first`, if there is one; reached: scratch */
static bool find_loop(const struct jit *jit, uint32_t first, uint64_t *reached, struct loop *loop)
{
    uint32_t last = spin_reach(jit, first, reached, loop->blocks);
    memset(loop->has, 0, jit->block_words * sizeof *loop->has);
    jit_bit_set(loop->has, first);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = last; b > first; b--) {
            if (!jit_bit(reached, b) || jit_bit(loop->has, b) || !comes_to(&jit->blocks[b], loop->has))
                continue;
            jit_bit_set(loop->has, b);
            changed = true;
        }
    }
    loop->first = first;
    loop->count = 0;
    for (uint32_t b = first; b <= last; b++)
        if (jit_bit(loop->has, b)) loop->blocks[loop->count++] = b;
    return loop->count > 1 || goes_back(&jit->blocks[first], loop);
}

void jit_spins_build(struct jit *jit)
{
    uint64_t *memory = ARENA_ARRAY(&jit->arena, uint64_t, jit->reg_words);
    uint64_t *taint = ARENA_ARRAY(&jit->arena, uint64_t, jit->reg_words);
    uint64_t *heads = find_heads(jit), *reached = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    struct loop loop = {.blocks = ARENA_ARRAY(&jit->arena, uint32_t, jit->block_count),
                        .has = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words)};
    for (uint32_t first = 0; first < jit->block_count; first++) {
        if (!jit_bit(heads, first)) continue;
        if (!find_loop(jit, first, reached, &loop) || !loop_waits(jit, &loop, memory, taint)) continue;
        for (uint32_t k = 0; k < loop.count; k++) {
            jit->blocks[loop.blocks[k]].polls = true;
            jit->blocks[loop.blocks[k]].spins |= goes_back(&jit->blocks[loop.blocks[k]], &loop);
        }
        jit->info.spins = 1;
    }
}
