/* SPDX-License-Identifier: Apache-2.0 */
/* What ptxas eliminates from a kernel, or does once instead of every time.
 *
 * Models: addresses within local and constant memory, which have 32 bits; offsets that accesses take in;
 * tests of what does not change, before the loop; jumps to where the code can stand; first values of loops'
 * registers; parameters that are loaded together; loads of shared and constant memory that stand beside each
 * other; the steps and tests of loops that it unrolls, unless .pragma "nounroll" forbids it. Does not model:
 * loops of several blocks. Short branches that become guards: sass_merge.c. Sources: as
 * sass_fuse.c. */
#include "sass_priv.h"

bool sass_tests_for_zero(const struct event_instr *i)
{
    enum isa_mod compares = isa_mod_of(&i->isa, ISA_CAT_COMPARE);
    const struct event_operand *last = event_last_operand(i);
    bool equality = compares == ISA_MOD_EQ || compares == ISA_MOD_NE || compares == ISA_MOD_EQU ||
                    compares == ISA_MOD_NEU;
    return equality && last->kind == ISA_OPD_INT && last->bits == 0;
}

/* Offset in "[%r1+16]"; false: there is no address. */
static bool eliminate_offset_of(const struct event_instr *i, int64_t *out)
{
    for (uint32_t n = 0; n < i->operand_count; n++) {
        const struct event_operand *operand = &i->operands[n];
        if (operand->kind != ISA_OPD_MEM) continue;
        bool based = operand->reg != EVENT_NO_REG || operand->name;
        *out = based ? (int64_t)operand->bits : 0;
        return true;
    }
    return false;
}

static bool is_narrow_load(const struct event_instr *i)
{
    return i->cls == ISA_CLASS_LOAD && !event_has(i, ISA_MOD_VOLATILE) &&
           (i->space == ISA_SPACE_SHARED || i->space == ISA_SPACE_CONST) &&
           (i->bytes == 4 || i->bytes == 8) && !i->guarded && i->def_count == 1 && i->use_count == 1;
}

/* A power of two that divides what a register holds, as far as the instructions before it tell. Registers of
 * loops are taken for pointers that go in wide steps. */
static uint32_t alignment(const struct sass_fuser *f, uint32_t reg, int depth)
{
    enum { WIDEST = 16, DEPTH = 6 }; /* documented: bytes of an access; implementation */
    uint32_t writer = f->only_writer[reg], least = WIDEST;
    if (!writer || depth == DEPTH) return f->defs[reg] > 1 ? WIDEST : 1;
    const struct event_instr *i = &f->kernel->instrs[writer - 1];
    uint64_t constant = event_integer(event_last_operand(i));
    enum isa_op op = i->isa.op;
    if (op == ISA_OP_SHL) return constant < 4 ? 1u << constant : WIDEST;
    bool adds = op == ISA_OP_ADD;
    if (op == ISA_OP_MOV) return i->use_count ? alignment(f, i->regs[1], depth + 1) : WIDEST;
    if (op == ISA_OP_AND || op == ISA_OP_MUL || op == ISA_OP_MUL24)
        least = i->use_count == 1 && constant ? (uint32_t)(constant & (0 - constant)) : 1;
    else if (!adds)
        least = 1;
    if (adds && i->use_count == 1 && constant % WIDEST) least = (uint32_t)(constant & (0 - constant));
    for (uint32_t u = 0; adds && u < i->use_count; u++) {
        uint32_t one = alignment(f, i->regs[i->def_count + u], depth + 1);
        least = one < least ? one : least;
    }
    return least < WIDEST ? least : WIDEST;
}

/* Loads of shared memory that stand beside each other become one of up to 16 bytes, of constant memory of 8.
 */
void sass_merge_loads(struct sass_fuser *f, uint32_t first, uint32_t end)
{
    const struct event_instr *i = &f->kernel->instrs[first];
    const int64_t WIDEST = i->space == ISA_SPACE_CONST ? 8 : 16; /* inferred from machine code */
    int64_t from, offset;
    if (!f->merges && i->space == ISA_SPACE_SHARED) return;
    if (!is_narrow_load(i) || f->lower[first].merged || !eliminate_offset_of(i, &from) || from % WIDEST)
        return;
    if (alignment(f, i->regs[1], 0) < (uint32_t)WIDEST) return;
    uint32_t bytes = i->bytes;
    for (uint32_t at = first + 1; at < end; at++) {
        const struct event_instr *other = &f->kernel->instrs[at];
        if (other->cls == ISA_CLASS_BARRIER || (other->is_write && other->space != ISA_SPACE_GLOBAL)) break;
        if (!is_narrow_load(other) || other->space != i->space || other->regs[1] != i->regs[1] ||
            !eliminate_offset_of(other, &offset))
            continue;
        if (offset <= from || offset >= from + WIDEST || f->lower[at].merged) continue;
        f->lower[at].merged = SASS_MERGED;
        f->lower[at].other = 0;
        bytes += other->bytes;
    }
    if (bytes > i->bytes) f->lower[first].merged = (uint8_t)bytes;
}

/* A parameter of 32 bits with a sign, in a register of 64. */
static bool extends_sign(const struct event_instr *i)
{
    return isa_has_type(&i->isa, ISA_S32) && isa_type_bits((enum isa_type)event_operand_at(i, 0)->type) == 64;
}

/* Of two 4-byte parameters that lie in the same 8 bytes and are first read in the same block, one load. Those
 * that nobody reads are not loaded. */
static void merge_parameters(struct sass_fuser *f, uint32_t end)
{
    uint32_t before = 0; /* instruction + 1 of the parameter in the lower half */
    for (uint32_t at = 0; at < end; at++) {
        const struct event_instr *i = &f->kernel->instrs[at];
        if (f->lower[at].kind != SASS_PARAMETER || !i->def_count) continue;
        uint32_t use = f->first_use[i->regs[0]];
        if (!use) sass_vanish(&f->lower[at]);
        if (use && extends_sign(i)) f->lower[at].alu += 1;
        if (before && i->bytes == 4 && f->first_use[f->kernel->instrs[before - 1].regs[0]] == use) {
            sass_vanish(&f->lower[at]);
            before = 0;
        } else {
            before = i->bytes == 4 && !before ? at + 1 : 0;
        }
    }
}

/* A register that is written more than once (a loop's) gets its first value by an instruction. */
static void keep_copies(const struct sass_fuser *f, uint32_t at)
{
    const struct event_instr *i = &f->kernel->instrs[at];
    bool copies = i->def_count == 1 && f->defs[i->regs[0]] > 1 && i->use_count == 0;
    if (f->lower[at].kind == SASS_MOVE && copies)
        f->lower[at] = (struct sass_lower){.alu = 1, .latency = 4, .kind = SASS_SCALE};
}

/* An offset that only addresses of accesses take in is part of them: [%rd1+32]. */
static void drop_offsets(struct sass_fuser *f)
{
    for (uint32_t at = 0; at < f->kernel->instr_count; at++) {
        const struct event_instr *i = &f->kernel->instrs[at];
        if (f->lower[at].kind == SASS_ADDRESS && i->use_count == 1 && i->def_count == 1 &&
            f->only_writer[i->regs[0]] && f->only_writer[i->regs[1]] && !f->beyond_access[i->regs[0]])
            sass_vanish(&f->lower[at]);
    }
}

/* A test of what is there before the first block ends: once, not in every iteration of a loop. */
static void hoist_tests(struct sass_fuser *f)
{
    uint32_t end = f->kernel->block_count ? f->kernel->blocks[0].first + f->kernel->blocks[0].count : 0;
    for (uint32_t at = end; at < f->kernel->instr_count; at++) {
        const struct event_instr *i = &f->kernel->instrs[at];
        bool before = f->lower[at].kind == SASS_TEST;
        for (uint32_t u = 0; u < i->use_count && before; u++) {
            uint32_t writer = f->only_writer[i->regs[i->def_count + u]];
            before = writer && writer <= end && (i->use_count > 1 || f->uses[i->regs[i->def_count]] <= 2);
        }
        if (before) sass_vanish(&f->lower[at]);
    }
}

/* A jump to where nothing else comes from: the code stands there. */
static void drop_jumps(struct sass_fuser *f)
{
    for (uint32_t b = 0; b < f->kernel->block_count; b++) {
        const uint32_t *before = f->kernel->blocks[b].before;
        if (before[0] == EVENT_NO_BLOCK || before[1] != EVENT_NO_BLOCK) continue;
        const struct event_block *from = &f->kernel->blocks[before[0]];
        uint32_t last = from->first + from->count - 1;
        if (from->count && f->lower[last].kind == SASS_BRANCH && !f->kernel->instrs[last].guarded)
            sass_vanish(&f->lower[last]);
    }
}

static bool steps_itself(const struct event_instr *i)
{
    return i->def_count == 1 && i->use_count == 1 && i->regs[0] == i->regs[1] && i->isa.op == ISA_OP_ADD;
}

static bool compares_integers(const struct event_instr *i)
{
    return i->isa.op == ISA_OP_SETP && !isa_has_kind(&i->isa, ISA_KIND_FLOAT);
}

/* The register whose test decides whether a block goes on with itself, if nothing else in it does; 0: none.
 * Whatever it is compared with must not change in the loop. */
static const struct event_instr *test_of(const struct sass_fuser *f, const struct event_block *block)
{
    const struct event_instr *instrs = &f->kernel->instrs[block->first], *test = NULL;
    const struct event_instr *branch = &instrs[block->count - 1];
    if (f->lower[block->first + block->count - 1].kind != SASS_BRANCH || branch->use_count != 1) return NULL;
    for (uint32_t i = 0; i + 1 < block->count; i++)
        if (instrs[i].def_count == 1 && instrs[i].regs[0] == branch->regs[branch->def_count])
            test = compares_integers(&instrs[i]) ? &instrs[i] : NULL;
    for (uint32_t i = 0; test && test->use_count > 1 && i < block->count; i++)
        for (uint32_t d = 0; d < instrs[i].def_count; d++)
            if (instrs[i].regs[d] == test->regs[test->def_count + 1]) return NULL;
    return test;
}

/* A block that ptxas does four times at once: a loop with a counter that goes on by a constant and with few
 * instructions, none of which writes to memory that others see, unless the compiler before it forbids that
 * (all of the loops of tests/hw/timing and tests/hw/memory, in their machine code: the largest that it
 * unrolls counts for 49 instructions here, matmul_tile16, the smallest of the others for 51, spmv_warp). */
static bool is_unrolled(const struct sass_fuser *f, const struct event_block *block, uint32_t number)
{
    enum { MOST = 50 }; /* inferred: as above */
    const struct event_instr *instrs = &f->kernel->instrs[block->first];
    if (block->nounroll || block->count < 3 || (block->before[0] != number && block->before[1] != number))
        return false;
    const struct event_instr *test = test_of(f, block);
    bool steps = false;
    double slots = 0;
    for (uint32_t i = 0; i < block->count && test; i++) {
        bool counter = steps_itself(&instrs[i]) && instrs[i].regs[0] == test->regs[test->def_count];
        int64_t step = (int64_t)event_integer(event_last_operand(&instrs[i]));
        steps |= counter && (step > 1 || step < -1);
        slots += sass_slots(&f->lower[block->first + i]);
        bool writes = instrs[i].is_write && instrs[i].space != ISA_SPACE_SHARED;
        if (writes || instrs[i].cls == ISA_CLASS_ATOMIC) return false;
    }
    return steps && slots <= MOST;
}

static void unroll(struct sass_fuser *f, const struct event_block *block)
{
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        struct sass_lower *l = &f->lower[i];
        l->unroll = SASS_UNROLL;
        l->control = steps_itself(&f->kernel->instrs[i]) || i + 2 >= block->first + block->count;
        l->once_alu = (float)l->alu;
        l->once_fma = (float)l->fma;
        l->once_other = (float)l->other;
    }
}

static bool is_narrow_use(const struct sass_fuser *f, const struct event_instr *i, uint32_t at)
{
    if (i->space == ISA_SPACE_LOCAL || i->space == ISA_SPACE_CONST) return i->is_read || i->is_write;
    enum sass_kind kind = f->lower[at].kind;
    bool wide = kind == SASS_ADDRESS || kind == SASS_FREE || kind == SASS_WIDE || kind == SASS_WIDEN ||
                isa_has_type(&i->isa, ISA_B64);
    return wide && i->def_count == 1 && f->narrow[i->regs[0]];
}

/* Addresses within local and constant memory are made of 32 bits: from the accesses back to what they need.
 */
static void find_narrow(struct sass_fuser *f)
{
    enum { ROUNDS = 3 }; /* implementation: an address of a loop needs two */
    for (uint32_t reg = 0; reg < f->kernel->reg_count; reg++)
        f->narrow[reg] = f->uses[reg] > 0;
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t at = f->kernel->instr_count; at-- > 0;) {
            const struct event_instr *i = &f->kernel->instrs[at];
            for (uint32_t u = 0; u < i->use_count && !is_narrow_use(f, i, at); u++)
                f->narrow[i->regs[i->def_count + u]] = false;
        }
    for (uint32_t at = 0; at < f->kernel->instr_count; at++) {
        const struct event_instr *i = &f->kernel->instrs[at];
        struct sass_lower *l = &f->lower[at];
        if (i->def_count != 1 || !f->narrow[i->regs[0]]) continue;
        if (l->kind == SASS_WIDEN) sass_vanish(l);
        if (l->alu == 2) l->alu = 1;
        if (l->kind == SASS_ADDRESS) l->kind = SASS_ADDEND;
        if (l->kind == SASS_WIDE) l->kind = SASS_SCALE, l->alu = 1, l->fma = 0;
    }
}

void sass_eliminate_before(struct sass_fuser *f)
{
    find_narrow(f);
    drop_offsets(f);
    hoist_tests(f);
    sass_make_tables(f);
    drop_jumps(f);
    for (uint32_t i = 0; i < f->kernel->instr_count; i++)
        keep_copies(f, i);
}

void sass_eliminate_after(struct sass_fuser *f)
{
    for (uint32_t b = 0; b < f->kernel->block_count; b++)
        if (is_unrolled(f, &f->kernel->blocks[b], b)) unroll(f, &f->kernel->blocks[b]);
    merge_parameters(f, f->kernel->instr_count);
}
