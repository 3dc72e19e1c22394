/* SPDX-License-Identifier: Apache-2.0 */
/* From PTX instructions to what the machine executes, one by one.
 *
 * Models: the rows of timing_kernel_lower.def; what a move is, by its operand (special registers, symbols,
 * constants that no instruction holds); what every kernel begins with. timing_kernel_fuse.c then makes one of
 * several. Does not model: code that ptxas removes, hoists or shares between blocks, the registers'
 * banks. Sources: those of the table; what ptxas 13.0 makes of tests/hw/timing/timing.ptx for 9.0. */
#include "timing_kernel_priv.h"

#include <ctype.h>
#include <string.h>

static const struct row {
    const char *pattern;
    struct timing_lower lower;
} ROWS[] = {
#define LOWER(pattern, fma, alu, xu, f64, half, other, latency, kind)                                        \
    {pattern, {fma, alu, xu, f64, half, other, latency, TIMING_##kind, 0, 0, false, false, 0, 0, 0, 0}},
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

/* What a move reads, by the text of its last operand. */
static const char *operand_of(const struct event_instr *i)
{
    const char *comma = strrchr(i->text, ',');
    return comma ? comma + 1 + strspn(comma + 1, " \t") : "";
}

static void lower_special(const char *operand, struct timing_lower *lower)
{
    static const char *const IN_CONSTANT_BANK[] = {"%ntid", "%nctaid"};
    enum { S2R_CYCLES = 25 }; /* inferred from empty and one-store kernels */
    lower->other = 1;
    lower->latency = has_any(operand, IN_CONSTANT_BANK, SW_COUNT_OF(IN_CONSTANT_BANK)) ? 0 : S2R_CYCLES;
    lower->kind = TIMING_PLAIN;
}

/* Constants of 64 bits are in an instruction only if their lower half is 0 (0dXXXXXXXX00000000). */
static bool is_long_constant(const char *operand)
{
    return strncmp(operand, "0d", 2) == 0 && strlen(operand) >= 18 &&
           strncmp(operand + 10, "00000000", 8) != 0;
}

static void lower_move(const struct event_instr *i, struct timing_lower *lower)
{
    static const char *const SPECIAL[] = {"%tid",   "%ctaid",  "%laneid",   "%warpid", "%smid",
                                          "%clock", "%global", "%lanemask", "%ntid",   "%nctaid"};
    const char *operand = operand_of(i);
    if (has_any(operand, SPECIAL, SW_COUNT_OF(SPECIAL)))
        lower_special(operand, lower);
    else if (is_long_constant(operand))
        *lower = (struct timing_lower){.alu = 2, .latency = 4, .kind = TIMING_SCALE};
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

static bool is_symbol(const char *operand)
{
    return *operand == '_' || isalpha((unsigned char)*operand);
}

/* Has a move before this one the same operand? ptxas keeps what it gave. */
static bool was_read(const struct event_kernel *kernel, uint32_t at)
{
    const char *operand = operand_of(&kernel->instrs[at]);
    for (uint32_t i = 0; i < at; i++)
        if (strncmp(kernel->instrs[i].op, "mov", 3) == 0 &&
            strcmp(operand_of(&kernel->instrs[i]), operand) == 0)
            return true;
    return false;
}

/* Every kernel loads its stack pointer, and one that accesses memory beyond shared and constant memory a
 * descriptor for it. Addresses of variables are made once, before all loops. */
static void lower_entry(const struct event_kernel *kernel, struct timing_lower *lower)
{
    enum { SHARED_BASE = 3 }; /* inferred from machine code: S2UR, UMOV, ULEA */
    double once = 1;
    bool beyond = false;
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        uint8_t space = kernel->instrs[i].space;
        beyond |=
            lower[i].kind == TIMING_MEMORY && (space == EVENT_SPACE_GLOBAL || space == EVENT_SPACE_GENERIC);
        if (strncmp(kernel->instrs[i].op, "mov", 3) != 0) continue;
        bool symbol = is_symbol(operand_of(&kernel->instrs[i]));
        if (symbol && !was_read(kernel, i)) once += SHARED_BASE;
        if (!symbol && lower[i].other > 0 && was_read(kernel, i))
            lower[i] = (struct timing_lower){.kind = TIMING_FREE};
    }
    if (kernel->instr_count) lower[0].other += once + beyond, lower[0].once_other += (float)(once + beyond);
}

void timing_lower_kernel(const struct arch_gpu *gpu, const struct event_kernel *kernel,
                         struct timing_lower *lower)
{
    enum { WIDE_LOADS = 3 }; /* inferred: an M2090's loads of shared memory stay those of words */
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        lower[i] = lower_of(&kernel->instrs[i]);
    timing_fuse_kernel(kernel, lower, gpu->cc_major >= WIDE_LOADS);
    lower_entry(kernel, lower);
    timing_find_uniform(gpu, kernel, lower);
}
