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
#include "timing_kernel_priv.h"

#include <stdlib.h>

static uint32_t writer_of(const struct timing_fuser *f, const struct event_instr *i, uint32_t use)
{
    return f->writer[i->regs[i->def_count + use]];
}

/* The instruction of this kind that wrote an operand, which nothing else uses. */
static uint32_t only_for(const struct timing_fuser *f, const struct event_instr *i, enum timing_kind kind)
{
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t writer = writer_of(f, i, u);
        if (writer && f->uses[i->regs[i->def_count + u]] == 1 && f->lower[writer - 1].kind == kind &&
            !f->fused[writer - 1])
            return writer;
    }
    return 0;
}

static void fuse_take(struct timing_fuser *f, uint32_t at, uint32_t with)
{
    timing_vanish(&f->lower[with - 1]);
    f->fused[at] = true;
}

/* mul.wide whose product several addresses begin with: one multiply-add for each of them. */
static bool fuse_wide(struct timing_fuser *f, uint32_t at, const struct event_instr *i)
{
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t reg = i->regs[i->def_count + u], here = writer_of(f, i, u), writer = f->only_writer[reg];
        if (!writer || f->lower[writer - 1].kind != TIMING_WIDE || f->beyond_address[reg]) continue;
        if (here && !f->fused[writer - 1]) {
            timing_vanish(&f->lower[at]);
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
static void drop_extensions(struct timing_fuser *f, const struct event_instr *i)
{
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t writer = writer_of(f, i, u);
        if (!writer || f->beyond_address[i->regs[i->def_count + u]]) continue;
        enum timing_kind kind = f->lower[writer - 1].kind;
        if (kind == TIMING_WIDEN || kind == TIMING_SHIFT) timing_vanish(&f->lower[writer - 1]);
    }
}

static void fuse_addition(struct timing_fuser *f, uint32_t at, const struct event_instr *i)
{
    struct timing_lower *lower = &f->lower[at];
    uint32_t with;
    if (lower->kind == TIMING_ADDRESS) drop_extensions(f, i);
    if (lower->kind == TIMING_ADDRESS && fuse_wide(f, at, i)) return;
    if ((with = only_for(f, i, TIMING_MULTIPLY)) || (with = only_for(f, i, TIMING_WIDE))) {
        f->fused[with - 1] = true;
        timing_vanish(lower);
    } else if ((with = only_for(f, i, TIMING_SCALE)) || (with = only_for(f, i, TIMING_SHIFT))) {
        fuse_take(f, at, with);
        if (lower->kind == TIMING_ADDEND) lower->kind = TIMING_PLAIN; /* LEA: by the ALU alone */
    } else if (lower->kind == TIMING_ADDEND && (with = only_for(f, i, TIMING_ADDEND))) {
        fuse_take(f, at, with);
        lower->kind = TIMING_PLAIN; /* IADD3 */
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

static void fuse_logic(struct timing_fuser *f, uint32_t at, const struct event_instr *i)
{
    struct timing_lower *lower = &f->lower[at];
    uint32_t with = only_for(f, i, TIMING_LOGIC);
    if (!with && lower->kind == TIMING_CONVERT) with = only_for(f, i, TIMING_SHIFT);
    if (!with) return;
    if (lower->kind == TIMING_LOGIC) {
        fuse_take(f, at, with);
    } else if (lower->kind == TIMING_TEST && timing_tests_for_zero(i)) {
        fuse_take(f, at, with);
    } else if (lower->kind == TIMING_CONVERT && takes_part(&f->kernel->instrs[with - 1])) {
        fuse_take(f, at, with); /* I2F.U8 or .U16.H1, which the unit of conversions does */
        *lower = (struct timing_lower){.xu = 1, .latency = TIMING_CONVERT_CYCLES, .kind = TIMING_PLAIN};
    }
}

/* Three different registers of 64 bits, one of them from the instruction before: the unit of doubles waits
 * for them (dfma_1). */
static void chain_operands(struct timing_fuser *f, uint32_t at, const struct event_instr *i)
{
    const double MORE = 0.3; /* inferred: dfma_1 */
    const uint32_t *use = &i->regs[i->def_count];
    struct timing_lower *l = &f->lower[at];
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
static void space_matrix(struct timing_fuser *f, uint32_t at, const struct event_instr *i, uint32_t *before)
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
static void fuse_division(struct timing_fuser *f, uint32_t at, const struct event_instr *i)
{
    if (i->use_count > 1 && writer_of(f, i, i->use_count - 1u)) return;
    bool is_signed = isa_has_type(&i->isa, ISA_S32), remains = i->isa.op == ISA_OP_REM;
    struct timing_lower *lower = &f->lower[at];
    lower->fma = 2;
    lower->alu = (remains ? 6 : 7) + (is_signed ? 6 : 0);
    lower->xu = 0;
}

static void fuse(struct timing_fuser *f, uint32_t at, uint32_t *matrix)
{
    const struct event_instr *i = &f->kernel->instrs[at];
    switch (f->lower[at].kind) {
    case TIMING_ADDEND:
    case TIMING_ADDRESS: fuse_addition(f, at, i); break;
    case TIMING_LOGIC:
    case TIMING_TEST:
    case TIMING_CONVERT: fuse_logic(f, at, i); break;
    case TIMING_DIVIDE: fuse_division(f, at, i); break;
    case TIMING_TENSOR: space_matrix(f, at, i, matrix); break;
    case TIMING_MULTIPLY:
    case TIMING_WIDE: f->fused[at] = i->isa.op == ISA_OP_MAD; break; /* has its addend */
    case TIMING_SELECT:
    case TIMING_WIDE_FMA:
    case TIMING_PLAIN: chain_operands(f, at, i); break;
    case TIMING_FREE:
    case TIMING_MOVE:
    case TIMING_SHIFT:
    case TIMING_SCALE:
    case TIMING_WIDEN:
    case TIMING_SHUFFLE:
    case TIMING_SLOW:
    case TIMING_BRANCH:
    case TIMING_BARRIER:
    case TIMING_FENCE:
    case TIMING_CONSTANT:
    case TIMING_PARAMETER:
    case TIMING_MEMORY: break;
    }
}

static void fuse_block(struct timing_fuser *f, const struct event_block *block)
{
    uint32_t matrix = 0;
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const struct event_instr *instr = &f->kernel->instrs[i];
        fuse(f, i, &matrix);
        for (uint32_t d = 0; d < instr->def_count; d++)
            f->writer[instr->regs[d]] = i + 1;
    }
    if (matrix) f->lower[matrix - 1].other += 1;
    timing_read_registers(f, block);
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        timing_merge_loads(f, i, block->first + block->count);
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        for (uint32_t d = 0; d < f->kernel->instrs[i].def_count; d++)
            f->writer[f->kernel->instrs[i].regs[d]] = 0;
}

static void count_uses(struct timing_fuser *f)
{
    for (uint32_t at = 0; at < f->kernel->instr_count; at++) {
        const struct event_instr *i = &f->kernel->instrs[at];
        for (uint32_t d = 0; d < i->def_count; d++)
            f->only_writer[i->regs[d]] = f->defs[i->regs[d]]++ ? 0 : at + 1;
        for (uint32_t u = 0; u < i->use_count; u++) {
            uint32_t reg = i->regs[i->def_count + u];
            f->uses[reg]++;
            if (!f->first_use[reg] && f->lower[at].kind != TIMING_FREE) f->first_use[reg] = i->block + 1;
            if (f->lower[at].kind != TIMING_ADDRESS) f->beyond_address[reg] = true;
            if (f->lower[at].kind != TIMING_MEMORY) f->beyond_access[reg] = true;
        }
        /* what is only renamed is first read where its other name is */
        if (f->lower[at].kind == TIMING_FREE && i->def_count && i->use_count)
            f->first_use[i->regs[i->def_count]] = i->block + 1;
    }
}

void timing_fuse_kernel(const struct event_kernel *kernel, struct timing_lower *lower, bool merges)
{
    size_t regs = kernel->reg_count + 1;
    struct timing_fuser f = {.kernel = kernel, .lower = lower, .merges = merges};
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
    timing_eliminate_before(&f);
    for (uint32_t b = 0; b < kernel->block_count; b++)
        fuse_block(&f, &kernel->blocks[b]);
    timing_eliminate_after(&f);
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
