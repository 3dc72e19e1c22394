/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: video instructions of one lane (PTX 9.7.17), scalar and SIMD.
 * Method: as the manual's pseudocode: parts are extended to 64 bits, the operation is exact, then saturation,
 * the second operation or the merge. Limits: none known. */
#include "oracle_priv.h"

#include <string.h>

static bool has(const struct exec *exec, enum isa_mod mod)
{
    return ptx_has(exec->instr, mod);
}

static bool is_set(const struct exec *exec)
{
    enum isa_op op = exec->instr->op;
    return op == ISA_OP_VSET || op == ISA_OP_VSET2 || op == ISA_OP_VSET4;
}

/* Is operand n (0: the destination) signed? vset has no type of its destination. */
static bool is_signed(const struct exec *exec, unsigned n)
{
    if (is_set(exec) && n == 0) return false;
    return isa_type_kind(ptx_instr_type(exec->instr, is_set(exec) ? n - 1 : n)) == ISA_KIND_SINT;
}

/* The whole register of an operand, whatever its selector. */
static uint64_t word(struct exec *exec, unsigned n)
{
    struct ptx_operand whole = exec->instr->operands[n];
    whole.half = 0;
    whole.selector = NULL;
    whole.negate = false;
    return oracle_mask(oracle_read(exec, &whole, ISA_U32).lo, 32);
}

static const char *selector(const struct exec *exec, unsigned n)
{
    const char *text = exec->instr->operands[n].selector;
    return text ? text : "";
}

static int64_t field(uint64_t word, unsigned at, unsigned bits, bool sign)
{
    uint64_t part = oracle_mask(word >> at, bits);
    return sign ? oracle_signed(part, bits) : (int64_t)part;
}

static int64_t clamp(int64_t value, unsigned bits, bool sign)
{
    int64_t most = sign ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1,
            least = sign ? -most - 1 : 0;
    return value > most ? most : value < least ? least : value;
}

static bool compare(const struct exec *exec, int64_t a, int64_t b)
{
    switch ((unsigned)ptx_mod_of(exec->instr, ISA_CAT_COMPARE)) {
    case ISA_MOD_EQ: return a == b;
    case ISA_MOD_NE: return a != b;
    case ISA_MOD_LT: return a < b;
    case ISA_MOD_LE: return a <= b;
    case ISA_MOD_GT: return a > b;
    default: return a >= b;
    }
}

/* ---- one value ---- */

struct part {
    unsigned at, bits;
};

/* .b0 to .b3, .h0, .h1 */
static struct part part_of(const char *selector)
{
    unsigned bits = selector[0] == 'b' ? 8 : selector[0] == 'h' ? 16 : 32;
    return (struct part){selector[0] ? bits * (unsigned)(selector[1] - '0') : 0, bits};
}

static int64_t source(struct exec *exec, unsigned n, bool sign)
{
    struct part part = part_of(selector(exec, n));
    return field(word(exec, n), part.at, part.bits, sign);
}

static int64_t operate(const struct exec *exec, int64_t a, int64_t b)
{
    switch ((unsigned)exec->instr->op) {
    case ISA_OP_VADD:
    case ISA_OP_VADD2:
    case ISA_OP_VADD4: return a + b;
    case ISA_OP_VSUB:
    case ISA_OP_VSUB2:
    case ISA_OP_VSUB4: return a - b;
    case ISA_OP_VABSDIFF:
    case ISA_OP_VABSDIFF2:
    case ISA_OP_VABSDIFF4: return a > b ? a - b : b - a;
    case ISA_OP_VMIN:
    case ISA_OP_VMIN2:
    case ISA_OP_VMIN4: return a < b ? a : b;
    case ISA_OP_VMAX:
    case ISA_OP_VMAX2:
    case ISA_OP_VMAX4: return a > b ? a : b;
    case ISA_OP_VAVRG2:
    case ISA_OP_VAVRG4: return (a + b + (a + b >= 0)) >> 1;
    case ISA_OP_VSHL: return a << b;
    case ISA_OP_VSHR: return a >> b;
    default: return compare(exec, a, b);
    }
}

static uint64_t second(struct exec *exec, int64_t value, const struct part *to)
{
    uint64_t c = word(exec, 3), mask = oracle_mask(UINT64_MAX, to->bits) << to->at;
    bool sign = isa_type_kind(ptx_instr_type(exec->instr, 0)) == ISA_KIND_SINT; /* of vset too */
    if (to->bits < 32) return (c & ~mask) | ((uint64_t)value << to->at & mask);
    int64_t b = field(c, 0, 32, sign);
    bool less =
        sign ? value < b : (uint64_t)value < (uint64_t)b; /* a negative value is large, on hardware too */
    if (has(exec, ISA_MOD_MIN)) return (uint64_t)(less ? value : b);
    if (has(exec, ISA_MOD_MAX)) return (uint64_t)(less ? b : value);
    return (uint64_t)(value + b);
}

/* What sm_90 makes of it: u32 looks at 32 bits and the sign alone; a part of a signed with an unsigned
 * operand takes a negative value for a large one, and .h1 of it is 0; what is shifted left keeps 34 bits, the
 * highest of which is its sign. */
static int64_t saturate(struct exec *exec, int64_t value, const struct part *to, bool shifts)
{
    bool sign = is_signed(exec, 0), mixed = is_signed(exec, 1) && !is_signed(exec, 2);
    if (shifts) return clamp(oracle_signed(oracle_mask((uint64_t)value, 34), 34), to->bits, sign);
    if (to->bits == 32 && !sign) return value < 0 ? 0 : value;
    if (to->bits == 32 || !mixed) return clamp(value, to->bits, sign);
    if (to->bits == 16 && to->at == 16) return 0;
    int64_t most = (INT64_C(1) << (to->bits - sign)) - 1;
    return value < 0 || value > most ? most : value;
}

static void do_one(struct exec *exec)
{
    bool shifts = exec->instr->op == ISA_OP_VSHL || exec->instr->op == ISA_OP_VSHR;
    struct part to = part_of(selector(exec, 0));
    int64_t a = source(exec, 1, is_signed(exec, 1)), b = source(exec, 2, !shifts && is_signed(exec, 2));
    if (shifts) b = has(exec, ISA_MOD_WRAP) ? b & 31 : b > 32 ? 32 : b;
    int64_t value = operate(exec, a, b);
    if (has(exec, ISA_MOD_SAT)) value = saturate(exec, value, &to, shifts);
    uint64_t result = exec->instr->operand_count > 3 ? second(exec, value, &to) : (uint64_t)value;
    oracle_write_reg(exec, exec->instr->operands[0].reg, result);
}

/* Operand n of vmad: hardware takes a whole register as signed, whatever its type. */
static int64_t mad_source(struct exec *exec, unsigned n)
{
    return source(exec, n, !selector(exec, n)[0] || is_signed(exec, n));
}

/* (a * b + c (+ 1)) >> scale; minus signs complement, and add the 1 */
static void do_mad(struct exec *exec)
{
    const struct ptx_operand *operands = exec->instr->operands;
    bool flips = operands[1].negate != operands[2].negate, plus = has(exec, ISA_MOD_PO);
    bool sign = is_signed(exec, 1) || is_signed(exec, 2) || flips || operands[3].negate;
    int64_t value = mad_source(exec, 1) * mad_source(exec, 2);
    uint64_t c = word(exec, 3);
    if (!plus && flips)
        value = ~value, plus = true;
    else if (!plus && operands[3].negate)
        c = oracle_mask(~c, 32), plus = true;
    value += field(c, 0, 32, true) + plus;
    unsigned shift = has(exec, ISA_MOD_SHR7) ? 7 : has(exec, ISA_MOD_SHR15) ? 15 : 0;
    value = sign ? value >> shift : (int64_t)((uint64_t)value >> shift);
    if (has(exec, ISA_MOD_SAT)) value = clamp(value, 32, sign);
    oracle_write_reg(exec, operands[0].reg, (uint64_t)value);
}

/* ---- two halves or four bytes ---- */

static unsigned parts_of(const struct exec *exec)
{
    const char *name = isa_op_name(exec->instr->op);
    char last = name[strlen(name) - 1];
    return last == '2' ? 2 : last == '4' ? 4 : 1;
}

/* Part i of operand n: a selector names parts of the pair b:a, the most significant first. */
static int64_t simd_source(struct exec *exec, unsigned n, unsigned i)
{
    unsigned parts = parts_of(exec), bits = 32 / parts, which = (n - 1) * parts + i;
    const char *text = selector(exec, n);
    if (text[0]) which = (unsigned)(text[parts - i] - '0');
    return field(word(exec, 1 + which / parts), which % parts * bits, bits, is_signed(exec, n));
}

static void do_simd(struct exec *exec)
{
    unsigned parts = parts_of(exec), bits = 32 / parts;
    const char *mask = selector(exec, 0);
    uint64_t c = word(exec, 3), result = has(exec, ISA_MOD_ADD) ? c : 0;
    for (unsigned i = 0; i < parts; i++) {
        bool written = !mask[0] || strchr(mask + 1, (char)('0' + i));
        int64_t value = operate(exec, simd_source(exec, 1, i), simd_source(exec, 2, i));
        if (has(exec, ISA_MOD_SAT)) value = clamp(value, bits, is_signed(exec, 0));
        if (has(exec, ISA_MOD_ADD))
            result += written ? (uint64_t)value : 0;
        else
            result |= oracle_mask(written ? (uint64_t)value : c >> i * bits, bits) << i * bits;
    }
    oracle_write_reg(exec, exec->instr->operands[0].reg, result);
}

bool oracle_video(struct exec *exec)
{
    if (exec->instr->op < ISA_OP_VADD || exec->instr->op > ISA_OP_VSET4) return false;
    if (exec->instr->op == ISA_OP_VMAD)
        do_mad(exec);
    else if (parts_of(exec) == 1)
        do_one(exec);
    else
        do_simd(exec);
    return true;
}
