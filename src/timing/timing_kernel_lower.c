/* SPDX-License-Identifier: Apache-2.0 */
/* From PTX instructions to what the machine executes.
 *
 * Models: the rows of timing_kernel_lower.def, and within a basic block what ptxas makes one instruction of:
 * a multiplication and the addition that alone uses it, a shift and such an addition, two logical operations
 * or two additions. Does not model: moves that ptxas needs, code that it removes, hoists, unrolls or shares
 * between blocks, loads that it merges elsewhere, the registers' banks. Sources: those of the table. */
#include "timing_kernel_priv.h"

#include <stdlib.h>
#include <string.h>

static const struct row {
    const char *pattern;
    struct timing_lower lower;
} ROWS[] = {
#define LOWER(pattern, fma, alu, xu, f64, half, other, latency, kind)                                        \
    {pattern, {fma, alu, xu, f64, half, other, latency, TIMING_##kind, 0}},
#include "timing/timing_kernel_lower.def"
#undef LOWER
};

/* The words of pattern stand in op in this order, the first one first. */
static bool fits(const char *pattern, const char *op)
{
    size_t first = strcspn(pattern, ".");
    if (strncmp(pattern, op, first) != 0 || (op[first] && op[first] != '.' && op[first] != ';')) return false;
    const char *want = pattern + first, *at = op + first;
    while (*want == '.') {
        size_t length = strcspn(want + 1, ".") + 1;
        while (*at && !(strncmp(at, want, length) == 0 && (!at[length] || at[length] == '.')))
            at += 1 + strcspn(at + 1, ".");
        if (!*at) return false;
        at += length;
        want += length;
    }
    return true;
}

static struct timing_lower default_of(const struct event_instr *i)
{
    if (i->cls == EVENT_ALU || i->cls == EVENT_WARP)
        return (struct timing_lower){.alu = 1, .latency = 5}; /* inferred: as integer additions */
    if (i->is_read || i->is_write || i->cls == EVENT_TEXTURE || i->cls == EVENT_MBARRIER)
        return (struct timing_lower){.other = 1, .kind = TIMING_MEMORY};
    return (struct timing_lower){.other = i->cls == EVENT_CONTROL ? 0 : 1};
}

static bool has_any(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(text, words[i])) return true;
    return false;
}

/* Special registers that are in no constant bank: read by an instruction of their own. */
static void lower_move(const struct event_instr *i, struct timing_lower *lower)
{
    static const char *const SPECIAL[] = {"%tid",  "%ctaid", "%laneid", "%warpid",
                                          "%smid", "%clock", "%global", "%lanemask"};
    enum { S2R_CYCLES = 25 }; /* inferred from empty and one-store kernels */
    if (!has_any(i->text, SPECIAL, SW_COUNT_OF(SPECIAL))) return;
    lower->other = 1;
    lower->latency = S2R_CYCLES;
    lower->kind = TIMING_PLAIN;
}

static struct timing_lower lower_of(const struct event_instr *i)
{
    for (size_t r = 0; r < SW_COUNT_OF(ROWS); r++)
        if (fits(ROWS[r].pattern, i->op)) {
            struct timing_lower lower = ROWS[r].lower;
            if (lower.kind == TIMING_MOVE) lower_move(i, &lower);
            return lower;
        }
    return default_of(i);
}

/* ---- what becomes one instruction */

struct fuser {
    const struct event_kernel *kernel;
    struct timing_lower *lower;
    uint32_t *uses;   /* of each register, in all of the kernel */
    uint32_t *writer; /* instruction + 1 that last wrote it in this block; 0: none */
    bool *fused;      /* has taken another in */
};

static void vanish(struct timing_lower *lower)
{
    *lower = (struct timing_lower){.kind = TIMING_FREE};
}

/* The instruction of this kind that wrote an operand, which nothing else uses. */
static uint32_t only_for(const struct fuser *f, const struct event_instr *i, enum timing_kind kind)
{
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t reg = i->regs[i->def_count + u], writer = f->writer[reg];
        if (writer && f->uses[reg] == 1 && f->lower[writer - 1].kind == kind && !f->fused[writer - 1])
            return writer;
    }
    return 0;
}

static void fuse(struct fuser *f, uint32_t at)
{
    const struct event_instr *i = &f->kernel->instrs[at];
    struct timing_lower *lower = &f->lower[at];
    uint32_t with;
    if (lower->kind == TIMING_ADDEND || lower->kind == TIMING_ADDRESS) {
        if ((with = only_for(f, i, TIMING_MULTIPLY))) {
            f->fused[with - 1] = true;
            vanish(lower);
        } else if ((with = only_for(f, i, TIMING_SHIFT))) {
            vanish(&f->lower[with - 1]);
        } else if (lower->kind == TIMING_ADDEND && (with = only_for(f, i, TIMING_ADDEND))) {
            vanish(&f->lower[with - 1]);
            f->fused[at] = true;
        }
    } else if (lower->kind == TIMING_LOGIC && (with = only_for(f, i, TIMING_LOGIC))) {
        vanish(&f->lower[with - 1]);
        f->fused[at] = true;
    }
}

/* Offset in "[%r1+16]"; false: the address is not written so. */
static bool offset_of(const struct event_instr *i, long *out)
{
    const char *open = strchr(i->text, '['), *plus = open ? strpbrk(open, "+]") : NULL;
    if (!plus) return false;
    *out = *plus == '+' ? strtol(plus + 1, NULL, 10) : 0;
    return true;
}

static bool is_narrow_load(const struct event_instr *i)
{
    return i->cls == EVENT_LOAD && i->space == EVENT_SPACE_SHARED && (i->bytes == 4 || i->bytes == 8) &&
           !i->guarded && i->def_count == 1 && i->use_count == 1;
}

/* Loads of shared memory that stand beside each other become one of up to 16 bytes. */
static void merge_loads(struct fuser *f, uint32_t first, uint32_t end)
{
    enum { WIDEST = 16 };
    const struct event_instr *i = &f->kernel->instrs[first];
    long from, offset;
    if (!is_narrow_load(i) || f->lower[first].merged || !offset_of(i, &from) || from % WIDEST) return;
    uint32_t bytes = i->bytes;
    for (uint32_t at = first + 1; at < end; at++) {
        const struct event_instr *other = &f->kernel->instrs[at];
        if (other->cls == EVENT_BARRIER || (other->is_write && other->space != EVENT_SPACE_GLOBAL)) break;
        if (!is_narrow_load(other) || other->regs[1] != i->regs[1] || !offset_of(other, &offset)) continue;
        if (offset <= from || offset >= from + WIDEST || f->lower[at].merged) continue;
        f->lower[at].merged = TIMING_MERGED;
        f->lower[at].other = 0;
        bytes += other->bytes;
    }
    if (bytes > i->bytes) f->lower[first].merged = (uint8_t)bytes;
}

static void fuse_block(struct fuser *f, const struct event_block *block)
{
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const struct event_instr *instr = &f->kernel->instrs[i];
        fuse(f, i);
        for (uint32_t d = 0; d < instr->def_count; d++)
            f->writer[instr->regs[d]] = i + 1;
    }
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        merge_loads(f, i, block->first + block->count);
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        for (uint32_t d = 0; d < f->kernel->instrs[i].def_count; d++)
            f->writer[f->kernel->instrs[i].regs[d]] = 0;
}

void timing_lower_kernel(const struct event_kernel *kernel, struct timing_lower *lower)
{
    struct fuser f = {.kernel = kernel, .lower = lower};
    f.uses = sw_xcalloc(kernel->reg_count + 1, sizeof *f.uses);
    f.writer = sw_xcalloc(kernel->reg_count + 1, sizeof *f.writer);
    f.fused = sw_xcalloc(kernel->instr_count + 1, sizeof *f.fused);
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        const struct event_instr *instr = &kernel->instrs[i];
        lower[i] = lower_of(instr);
        for (uint32_t u = 0; u < instr->use_count; u++)
            f.uses[instr->regs[instr->def_count + u]]++;
    }
    for (uint32_t b = 0; b < kernel->block_count; b++)
        fuse_block(&f, &kernel->blocks[b]);
    free(f.uses);
    free(f.writer);
    free(f.fused);
}
