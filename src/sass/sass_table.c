/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of jumps.
 *
 * Models: several tests of one 32-bit value for constants that follow each other, each with a jump, and a
 * jump behind them for all other values: ptxas keeps one indexed jump, whichever of them holds: the value
 * less the first constant, its minimum with their number, four times that, a load from a table in constant
 * memory, its extension to 64 bits, the jump. It does so in loops, too, where it takes single tests out. Does
 * not model: chains of other comparisons, of other types, constants with gaps between them. Sources: what
 * ptxas 13.0 makes of the switches in tests/hw/memory/memory.ptx for 9.0 (two tests and a jump are a table, a
 * test for equality and one for its opposite are none). */
#include "sass_priv.h"

enum {
    LEAST_TESTS = 2, /* inferred from machine code: the switches, as above */
    STEPS = 3,       /* inferred: minimum, shift, extension */
    STEP_CYCLES = 5, /* of each; measured: as integer additions (sass_lower.def) */
    LOAD_CYCLES = 30 /* measured: arch_cache.def, constant_cycles */
};

struct test { /* at the end of a block: setp.eq and the jump that it guards */
    uint32_t value;
    int64_t constant;
};

/* setp.eq of 32-bit integers, and nothing else. */
static bool tests_equality(const struct isa_instr *instr)
{
    enum isa_type type = isa_type_at(instr, 0);
    return instr->op == ISA_OP_SETP && instr->mod_count == 1 && instr->mods[0] == ISA_MOD_EQ &&
           (type == ISA_S32 || type == ISA_U32);
}

static bool test_of(const struct event_kernel *k, uint32_t b, struct test *out)
{
    const struct event_block *block = &k->blocks[b];
    if (block->count < 2) return false;
    const struct event_instr *jump = &k->instrs[block->first + block->count - 1], *compare = jump - 1;
    const struct event_operand *constant = event_last_operand(compare);
    if (!tests_equality(&compare->isa) || constant->kind != ISA_OPD_INT || compare->def_count != 1 ||
        compare->use_count != 1)
        return false;
    if (jump->isa.op != ISA_OP_BRA || !jump->guarded || !jump->use_count ||
        jump->regs[jump->def_count] != compare->regs[0] || jump->guard_negate)
        return false;
    *out = (struct test){compare->regs[1], (int64_t)constant->bits};
    return true;
}

static bool comes_from(const struct event_block *block, uint32_t b)
{
    return block->before[0] == b || block->before[1] == b;
}

static bool is_jump(const struct event_kernel *k, uint32_t b)
{
    const struct event_block *block = &k->blocks[b];
    const struct event_instr *jump = &k->instrs[block->first];
    return block->count == 1 && jump->isa.op == ISA_OP_BRA && !jump->guarded;
}

/* Blocks from b on that test one value for constants that follow each other and end in a jump for all others.
 */
static uint32_t chain_length(const struct event_kernel *k, uint32_t b)
{
    struct test first, next;
    uint32_t length = 1;
    if (!test_of(k, b, &first)) return 0;
    while (b + length < k->block_count && k->blocks[b + length].count == 2 &&
           comes_from(&k->blocks[b + length], b + length - 1) && test_of(k, b + length, &next) &&
           next.value == first.value && next.constant == first.constant + (int64_t)length)
        length++;
    bool ends = b + length < k->block_count && is_jump(k, b + length) &&
                comes_from(&k->blocks[b + length], b + length - 1);
    return ends && length >= LEAST_TESTS ? length : 0;
}

static void make_table(struct sass_fuser *f, uint32_t b, uint32_t length)
{
    const struct event_block *block = &f->kernel->blocks[b];
    struct test first;
    test_of(f->kernel, b, &first);
    int steps = STEPS + (first.constant != 0);
    struct sass_lower *compare = &f->lower[block->first + block->count - 2];
    *compare = (struct sass_lower){.alu = steps, .other = 1, .latency = steps * STEP_CYCLES + LOAD_CYCLES};
    for (uint32_t next = b + 1; next <= b + length; next++)
        for (uint32_t i = 0; i < f->kernel->blocks[next].count; i++)
            sass_vanish(&f->lower[f->kernel->blocks[next].first + i]);
}

void sass_make_tables(struct sass_fuser *f)
{
    for (uint32_t b = 0; b < f->kernel->block_count; b++) {
        uint32_t length = chain_length(f->kernel, b);
        if (length) make_table(f, b, length);
        b += length;
    }
}
