/* SPDX-License-Identifier: Apache-2.0 */
/* From PTX instructions to what the machine executes, one by one.
 *
 * Models: the rows of sass_lower.def for the GPU's compute capability; what a move is, by its operand
 * (special registers, symbols, constants that no instruction holds); what every kernel begins with.
 * sass_fuse.c then makes one of several. Does not model: code that ptxas removes, hoists or shares between
 * blocks, the registers' banks. Sources: those of the table; what ptxas 13.0 makes of
 * tests/hw/timing/timing.ptx for 9.0. */
#include "sass_priv.h"

#include <string.h>

enum { ROW_WORDS = 2, ROW_TYPES = 2 }; /* definition: of a row of the table */
static const struct row {
    enum isa_op op;
    uint8_t first, last;       /* compute capabilities: major and minor as two digits */
    uint16_t words[ROW_WORDS]; /* enum isa_mod; ISA_MOD_NONE: no more */
    uint8_t types[ROW_TYPES];  /* enum isa_type; ISA_TYPE_NONE: no more */
    struct sass_lower lower;
} ROWS[] = {
#define ANY_WORDS       {0}
#define WORD(one)       {ISA_MOD_##one}
#define WORDS(one, two) {ISA_MOD_##one, ISA_MOD_##two}
#define ANY_TYPES       {0}
#define TYPE(one)       {ISA_##one}
#define TYPES(one, two) {ISA_##one, ISA_##two}
#define VALUES(fma, alu, xu, f64, half, other, latency, kind)                                                \
    {fma, alu, xu, f64, half, other, latency, SASS_##kind, 0, 0, false, false, 0, 0, 0, 0}
#define LOWER_ON(first, last, op, words, types, ...)                                                         \
    {ISA_OP_##op, first, last, words, types, VALUES(__VA_ARGS__)},
#define LOWER(op, words, types, ...) {ISA_OP_##op, 0, UINT8_MAX, words, types, VALUES(__VA_ARGS__)},
#define LOWER_OTHERS(op, ...)
#include "sass/sass_lower.def"
#undef LOWER_ON
#undef LOWER
#undef LOWER_OTHERS
};

/* An opcode without a row does not compile: see below. */
static const struct sass_lower OTHERS[ISA_OP_COUNT] = {
#define LOWER_ON(...)
#define LOWER(...)
#define LOWER_OTHERS(op, ...) [ISA_OP_##op] = VALUES(__VA_ARGS__),
#include "sass/sass_lower.def"
#undef LOWER_OTHERS
};
enum { /* each name once: two rows of an opcode do not compile either */
#define LOWER_OTHERS(op, ...) OTHER_##op,
#include "sass/sass_lower.def"
#undef LOWER_ON
#undef LOWER
#undef LOWER_OTHERS
       OTHER_COUNT
};
_Static_assert(OTHER_COUNT == ISA_OP_COUNT - 1, "sass_lower.def: an opcode of isa_ops.def has no row");

static bool lower_fits(const struct row *row, const struct arch_gpu *gpu, const struct isa_instr *instr)
{
    enum { DIGIT = 10 }; /* definition: of the table */
    int cc = gpu->cc_major * DIGIT + gpu->cc_minor;
    uint32_t t = 0;
    if (row->op != instr->op || cc < row->first || cc > row->last) return false;
    for (uint32_t w = 0; w < ROW_WORDS && row->words[w]; w++)
        if (!isa_has(instr, (enum isa_mod)row->words[w])) return false;
    for (uint32_t i = 0; i < instr->type_count && t < ROW_TYPES; i++)
        t += row->types[t] && instr->types[i] == row->types[t];
    return t == ROW_TYPES || !row->types[t];
}

static bool is_of(enum isa_sreg sreg, const uint8_t *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (isa_sreg_kind(sreg) == kinds[i]) return true;
    return false;
}

static void lower_special(enum isa_sreg sreg, struct sass_lower *lower)
{
    static const uint8_t IN_CONSTANT_BANK[] = {ISA_READS_NTID, ISA_READS_NCTAID};
    enum { S2R_CYCLES = 25 }; /* inferred from empty and one-store kernels */
    lower->other = 1;
    lower->latency = is_of(sreg, IN_CONSTANT_BANK, SW_COUNT_OF(IN_CONSTANT_BANK)) ? 0 : S2R_CYCLES;
    lower->kind = SASS_PLAIN;
}

/* Constants of 64 bits are in an instruction only if their lower half is 0 (0dXXXXXXXX00000000). */
static bool is_long_constant(const struct event_operand *operand)
{
    return operand->kind == ISA_OPD_FLOAT && !operand->is_f32 && (uint32_t)operand->bits != 0;
}

static void lower_move(const struct event_instr *i, struct sass_lower *lower)
{
    static const uint8_t SPECIAL[] = {ISA_READS_TID,  ISA_READS_CTAID, ISA_READS_LANE,  ISA_READS_WARP,
                                      ISA_READS_SM,   ISA_READS_CLOCK, ISA_READS_TIMER, ISA_READS_LANEMASK,
                                      ISA_READS_NTID, ISA_READS_NCTAID};
    const struct event_operand *operand = event_last_operand(i);
    if (operand->kind == ISA_OPD_SREG && is_of((enum isa_sreg)operand->sreg, SPECIAL, SW_COUNT_OF(SPECIAL)))
        lower_special((enum isa_sreg)operand->sreg, lower);
    else if (is_long_constant(operand))
        *lower = (struct sass_lower){.alu = 2, .latency = 4, .kind = SASS_SCALE};
}

/* Whether an operation with this half of a constant leaves an instruction: "and" with 0 or all ones does not.
 */
static bool half_remains(enum isa_op op, uint32_t half)
{
    if (op == ISA_OP_XOR || op == ISA_OP_ADD || op == ISA_OP_SUB) return half != 0;
    return half != 0 && half != UINT32_MAX;
}

static struct sass_lower halves(uint32_t count, double latency, enum sass_kind kind)
{
    if (!count) return (struct sass_lower){.kind = SASS_FREE};
    return (struct sass_lower){.alu = count, .latency = latency, .kind = kind};
}

/* A value of 64 bits is two registers: shifts by 32 and more rename them, and what leaves a half as it was,
 * or makes it a constant, is an instruction less. nvcc makes such pairs of casts from and to int ("shl 32,
 * add 2^32, shr 32"). Inferred from the architecture; ising of HeCBench: 124 instructions a warp on an H200.
 */
static bool lower_by_constant(const struct event_instr *i, struct sass_lower *lower)
{
    /* definition: bits; inferred: latencies as those of 32 bits */
    enum { HALF = 32, SHIFTED = 5, ADDED = 4 };
    const struct event_operand *operand = event_last_operand(i);
    enum isa_type type = isa_type_at(&i->isa, 0);
    bool wide = type == ISA_S64 || type == ISA_U64 || type == ISA_B64;
    if (!wide || !i->operand_count || operand->kind != ISA_OPD_INT) return false;
    uint64_t by = event_integer(operand);
    uint32_t low = (uint32_t)by, high = (uint32_t)(by >> HALF);
    switch ((int)i->isa.op) {
    case ISA_OP_SHL:
    case ISA_OP_SHR:
        if (by < HALF) return false;
        *lower = halves((by > HALF) + (type == ISA_S64), SHIFTED, SASS_PLAIN);
        return true;
    case ISA_OP_ADD:
    case ISA_OP_SUB:
        if (low) return false; /* its carry */
        *lower = halves(half_remains(i->isa.op, high), ADDED, SASS_PLAIN);
        return true;
    case ISA_OP_AND:
    case ISA_OP_OR:
    case ISA_OP_XOR:
        *lower = halves(half_remains(i->isa.op, low) + half_remains(i->isa.op, high), SHIFTED, SASS_LOGIC);
        return true;
    default: return false;
    }
}

static struct sass_lower lower_of(const struct arch_gpu *gpu, const struct event_instr *i)
{
    struct sass_lower lower = OTHERS[i->isa.op];
    if (lower_by_constant(i, &lower)) return lower;
    for (size_t r = 0; r < SW_COUNT_OF(ROWS); r++)
        if (lower_fits(&ROWS[r], gpu, &i->isa)) return ROWS[r].lower;
    if (lower.kind == SASS_MOVE) lower_move(i, &lower);
    return lower;
}

static bool is_symbol(const struct event_operand *operand)
{
    return operand->kind == ISA_OPD_VAR || operand->kind == ISA_OPD_FUNC;
}

static bool lower_is_same(const struct event_operand *a, const struct event_operand *b)
{
    if (a->kind != b->kind || a->bits != b->bits) return false;
    return a->kind == ISA_OPD_SREG ? a->sreg == b->sreg : is_symbol(a) && strcmp(a->name, b->name) == 0;
}

/* Has a move before this one read the same symbol or special register? ptxas keeps what it gave. */
static bool was_read(const struct event_kernel *kernel, uint32_t at)
{
    const struct event_operand *operand = event_last_operand(&kernel->instrs[at]);
    for (uint32_t i = 0; i < at; i++)
        if (kernel->instrs[i].isa.op == ISA_OP_MOV &&
            lower_is_same(event_last_operand(&kernel->instrs[i]), operand))
            return true;
    return false;
}

/* Every kernel loads its stack pointer, and one that accesses memory beyond shared and constant memory a
 * descriptor for it. Addresses of variables are made once, before all loops. */
static void lower_entry(const struct event_kernel *kernel, struct sass_lower *lower)
{
    enum { SHARED_BASE = 3 }; /* inferred from machine code: S2UR, UMOV, ULEA */
    double once = 1;
    bool beyond = false;
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        uint8_t space = kernel->instrs[i].space;
        beyond |= lower[i].kind == SASS_MEMORY && (space == ISA_SPACE_GLOBAL || space == ISA_SPACE_GENERIC);
        if (kernel->instrs[i].isa.op != ISA_OP_MOV) continue;
        bool symbol = is_symbol(event_last_operand(&kernel->instrs[i]));
        if (symbol && !was_read(kernel, i)) once += SHARED_BASE;
        if (!symbol && lower[i].other > 0 && was_read(kernel, i))
            lower[i] = (struct sass_lower){.kind = SASS_FREE};
    }
    if (kernel->instr_count) lower[0].other += once + beyond, lower[0].once_other += (float)(once + beyond);
}

void sass_lower_kernel(const struct arch_gpu *gpu, const struct event_kernel *kernel,
                       struct sass_lower *lower)
{
    enum { WIDE_LOADS = 3 }; /* inferred: an M2090's loads of shared memory stay those of words */
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        lower[i] = lower_of(gpu, &kernel->instrs[i]);
    sass_fuse_kernel(kernel, lower, gpu->cc_major >= WIDE_LOADS);
    lower_entry(kernel, lower);
    sass_find_uniform(gpu, kernel, lower);
}
