/* SPDX-License-Identifier: Apache-2.0 */
/* What ptxas makes one machine instruction of, within a basic block.
 *
 * Models: a multiplication and the additions that use it; a shift and an addition, two logical operations or
 * two additions, of which the first has no other use; a logical operation and the test of its result, or its
 * conversion from a byte; sign extensions on the way to an address; loads of shared memory and of parameters
 * that stand beside each other; constants that instructions hold, and the copies of them that loops begin
 * with; what matrix instructions wait for each other with. Does not model: anything over the borders of
 * blocks. Sources: what ptxas 13.0 makes of tests/hw/timing/timing.ptx for 9.0, looked at kernel by kernel
 * where executed instructions (smsp__inst_executed of an H200) differed most. */
#include "sass_priv.h"

#include <stdlib.h>

static uint32_t writer_of(const struct sass_fuser *f, const struct event_instr *i, uint32_t use)
{
    return f->writer[i->regs[i->def_count + use]];
}

/* The instruction of this kind that wrote an operand, which nothing else uses. */
static uint32_t only_for(const struct sass_fuser *f, const struct event_instr *i, enum sass_kind kind)
{
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t writer = writer_of(f, i, u);
        if (writer && f->uses[i->regs[i->def_count + u]] == 1 && f->lower[writer - 1].kind == kind &&
            !f->fused[writer - 1])
            return writer;
    }
    return 0;
}

static void fuse_take(struct sass_fuser *f, uint32_t at, uint32_t with)
{
    sass_vanish(&f->lower[with - 1]);
    f->fused[at] = true;
}

/* mul.wide whose product several addresses begin with: one multiply-add for each of them. */
static bool fuse_wide(struct sass_fuser *f, uint32_t at, const struct event_instr *i)
{
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t reg = i->regs[i->def_count + u], here = writer_of(f, i, u), writer = f->only_writer[reg];
        if (!writer || f->lower[writer - 1].kind != SASS_WIDE || f->beyond_address[reg]) continue;
        if (here && !f->fused[writer - 1]) {
            sass_vanish(&f->lower[at]);
            f->fused[writer - 1] = true;
        } else {
            f->lower[at] = f->lower[writer - 1];
        }
        f->fused[at] = true;
        return true;
    }
    return false;
}

/* Sign extensions and shifts that only 64-bit additions read are part of each of them (LEA.HI.X.SX32). */
static void drop_extensions(struct sass_fuser *f, const struct event_instr *i)
{
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t writer = writer_of(f, i, u);
        if (!writer || f->beyond_address[i->regs[i->def_count + u]]) continue;
        enum sass_kind kind = f->lower[writer - 1].kind;
        if (kind == SASS_WIDEN || kind == SASS_SHIFT) sass_vanish(&f->lower[writer - 1]);
    }
}

static void fuse_addition(struct sass_fuser *f, uint32_t at, const struct event_instr *i)
{
    struct sass_lower *lower = &f->lower[at];
    uint32_t with;
    if (lower->kind == SASS_ADDRESS) drop_extensions(f, i);
    if (lower->kind == SASS_ADDRESS && fuse_wide(f, at, i)) return;
    if ((with = only_for(f, i, SASS_MULTIPLY)) || (with = only_for(f, i, SASS_WIDE))) {
        f->fused[with - 1] = true;
        sass_vanish(lower);
    } else if ((with = only_for(f, i, SASS_SCALE)) || (with = only_for(f, i, SASS_SHIFT))) {
        fuse_take(f, at, with);
        lower->kind = SASS_PLAIN; /* LEA: by the ALU alone */
    } else if (lower->kind == SASS_ADDEND && (with = only_for(f, i, SASS_ADDEND))) {
        fuse_take(f, at, with);
        lower->kind = SASS_PLAIN; /* IADD3 */
    }
}

/* "and.b32 %r2, %r1, 255", or 65535; "shr.u32 %r2, %r1, 16", or 24: a byte or half of a register, which
 * conversions name. */
static bool takes_part(const struct event_instr *i)
{
    uint64_t by = event_integer(event_last_operand(i));
    if (i->isa.op == ISA_OP_SHR) return isa_type_at(&i->isa, 0) == ISA_U32 && (by == 16 || by == 24);
    return i->isa.op == ISA_OP_AND && isa_type_at(&i->isa, 0) == ISA_B32 && (by == 255 || by == 65535);
}

static void fuse_logic(struct sass_fuser *f, uint32_t at, const struct event_instr *i)
{
    struct sass_lower *lower = &f->lower[at];
    uint32_t with = only_for(f, i, SASS_LOGIC);
    if (!with && lower->kind == SASS_CONVERT) with = only_for(f, i, SASS_SHIFT);
    if (!with) return;
    if (lower->kind == SASS_LOGIC) {
        fuse_take(f, at, with);
    } else if (lower->kind == SASS_TEST && sass_tests_for_zero(i)) {
        fuse_take(f, at, with);
    } else if (lower->kind == SASS_CONVERT && takes_part(&f->kernel->instrs[with - 1])) {
        fuse_take(f, at, with); /* I2F.U8 or .U16.H1, which the unit of conversions does */
        *lower = (struct sass_lower){.xu = 1, .latency = SASS_CONVERT_CYCLES, .kind = SASS_PLAIN};
    }
}

/* Three different registers of 64 bits, one of them from the instruction before: the unit of doubles waits
 * for them (dfma_1). */
static void chain_operands(struct sass_fuser *f, uint32_t at, const struct event_instr *i)
{
    const double MORE = 0.3; /* inferred: dfma_1 */
    const uint32_t *use = &i->regs[i->def_count];
    struct sass_lower *l = &f->lower[at];
    if (!at || i->isa.op != ISA_OP_FMA || i->use_count != 3 || i->def_count != 1 || l->fp64 <= 0) return;
    if (use[0] == use[1] || use[0] == use[2] || use[1] == use[2]) return;
    bool chained = false;
    for (uint32_t u = 0; u < 3; u++)
        chained |= f->writer[use[u]] == at;
    if (!chained) return;
    l->fp64 += MORE;
    l->other -= MORE;
}

/* A matrix instruction that adds to what the one before it gives is kept from it by a NOP. */
static void space_matrix(struct sass_fuser *f, uint32_t at, const struct event_instr *i, uint32_t *before)
{
    if (isa_has_type(&i->isa, ISA_F64) || i->isa.op == ISA_OP_WGMMA) return;
    for (uint32_t u = 0; u < i->use_count && *before; u++)
        if (writer_of(f, i, u) == *before) {
            f->lower[at].other += 1;
            break;
        }
    *before = at + 1;
}

/* A divisor that the block does not make: its reciprocal is there before the loop. */
static void fuse_division(struct sass_fuser *f, uint32_t at, const struct event_instr *i)
{
    if (i->use_count > 1 && writer_of(f, i, i->use_count - 1u)) return;
    bool is_signed = isa_has_type(&i->isa, ISA_S32), remains = i->isa.op == ISA_OP_REM;
    struct sass_lower *lower = &f->lower[at];
    lower->fma = 2;
    lower->alu = (remains ? 6 : 7) + (is_signed ? 6 : 0);
    lower->xu = 0;
}

static void fuse(struct sass_fuser *f, uint32_t at, uint32_t *matrix)
{
    const struct event_instr *i = &f->kernel->instrs[at];
    switch (f->lower[at].kind) {
    case SASS_ADDEND:
    case SASS_ADDRESS: fuse_addition(f, at, i); break;
    case SASS_LOGIC:
    case SASS_TEST:
    case SASS_CONVERT: fuse_logic(f, at, i); break;
    case SASS_DIVIDE: fuse_division(f, at, i); break;
    case SASS_TENSOR: space_matrix(f, at, i, matrix); break;
    case SASS_MULTIPLY:
    case SASS_WIDE: f->fused[at] = i->isa.op == ISA_OP_MAD; break; /* has its addend */
    case SASS_SELECT:
    case SASS_WIDE_FMA:
    case SASS_PLAIN: chain_operands(f, at, i); break;
    case SASS_FREE:
    case SASS_MOVE:
    case SASS_SHIFT:
    case SASS_SCALE:
    case SASS_WIDEN:
    case SASS_SHUFFLE:
    case SASS_SLOW:
    case SASS_BRANCH:
    case SASS_BARRIER:
    case SASS_FENCE:
    case SASS_CONSTANT:
    case SASS_PARAMETER:
    case SASS_MEMORY: break;
    }
}

static void fuse_block(struct sass_fuser *f, const struct event_block *block)
{
    uint32_t matrix = 0;
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const struct event_instr *instr = &f->kernel->instrs[i];
        fuse(f, i, &matrix);
        for (uint32_t d = 0; d < instr->def_count; d++)
            f->writer[instr->regs[d]] = i + 1;
    }
    if (matrix) f->lower[matrix - 1].other += 1;
    sass_bank_conflicts(f, block);
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        sass_merge_loads(f, i, block->first + block->count);
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        for (uint32_t d = 0; d < f->kernel->instrs[i].def_count; d++)
            f->writer[f->kernel->instrs[i].regs[d]] = 0;
}

static void count_uses(struct sass_fuser *f)
{
    for (uint32_t at = 0; at < f->kernel->instr_count; at++) {
        const struct event_instr *i = &f->kernel->instrs[at];
        for (uint32_t d = 0; d < i->def_count; d++)
            f->only_writer[i->regs[d]] = f->defs[i->regs[d]]++ ? 0 : at + 1;
        for (uint32_t u = 0; u < i->use_count; u++) {
            uint32_t reg = i->regs[i->def_count + u];
            f->uses[reg]++;
            if (!f->first_use[reg] && f->lower[at].kind != SASS_FREE) f->first_use[reg] = i->block + 1;
            if (f->lower[at].kind != SASS_ADDRESS) f->beyond_address[reg] = true;
            if (f->lower[at].kind != SASS_MEMORY) f->beyond_access[reg] = true;
        }
        /* what is only renamed is first read where its other name is */
        if (f->lower[at].kind == SASS_FREE && i->def_count && i->use_count)
            f->first_use[i->regs[i->def_count]] = i->block + 1;
    }
}

void sass_fuse_kernel(const struct event_kernel *kernel, struct sass_lower *lower, bool merges)
{
    size_t regs = kernel->reg_count + 1;
    struct sass_fuser f = {.kernel = kernel, .lower = lower, .merges = merges};
    f.uses = sw_xcalloc(regs, sizeof *f.uses);
    f.defs = sw_xcalloc(regs, sizeof *f.defs);
    f.writer = sw_xcalloc(regs, sizeof *f.writer);
    f.first_use = sw_xcalloc(regs, sizeof *f.first_use);
    f.only_writer = sw_xcalloc(regs, sizeof *f.only_writer);
    f.beyond_access = sw_xcalloc(regs, sizeof *f.beyond_access);
    f.narrow = sw_xcalloc(regs, sizeof *f.narrow);
    f.beyond_address = sw_xcalloc(regs, sizeof *f.beyond_address);
    f.fused = sw_xcalloc(kernel->instr_count + 1, sizeof *f.fused);
    count_uses(&f);
    sass_eliminate_before(&f);
    for (uint32_t b = 0; b < kernel->block_count; b++)
        fuse_block(&f, &kernel->blocks[b]);
    sass_eliminate_after(&f);
    free(f.uses);
    free(f.defs);
    free(f.writer);
    free(f.first_use);
    free(f.only_writer);
    free(f.beyond_access);
    free(f.narrow);
    free(f.beyond_address);
    free(f.fused);
}
