/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: integers, logic, comparison, selection and moves of one lane.
 * Method: operands come zero-extended to 64 bits; signed ones are extended where it matters. 128-bit products
 * use the compiler's type. Results are cut to their type when written. Limits: none known. */
#include "oracle_priv.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide_uint;
__extension__ typedef __int128 wide_int;

static enum isa_type type_of(const struct exec *exec)
{
    return ptx_instr_type(exec->instr, 0);
}

static bool is_signed(enum isa_type type)
{
    return isa_type_kind(type) == ISA_KIND_SINT;
}

static bool has(const struct exec *exec, enum isa_mod mod)
{
    return ptx_has(exec->instr, mod);
}

static uint64_t get(struct exec *exec, unsigned operand)
{
    return oracle_get(exec, operand, type_of(exec));
}

static int64_t get_signed(struct exec *exec, unsigned operand)
{
    return oracle_signed(get(exec, operand), isa_type_bits(type_of(exec)));
}

static void set(struct exec *exec, uint64_t value)
{
    oracle_set(exec, 0, type_of(exec), value);
}

/* ---- addition and its relatives
 * --------------------------------------------------------------------------------- */

static int64_t clamp_signed(wide_int value, unsigned bits)
{
    wide_int most = ((wide_int)1 << (bits - 1)) - 1, least = -most - 1;
    return (int64_t)(value > most ? most : value < least ? least : value);
}

static uint64_t add_halves(uint64_t a, uint64_t b)
{
    return ((a & 0xffff) + (b & 0xffff)) % 0x10000 | ((a >> 16) + (b >> 16)) % 0x10000 << 16;
}

static void do_add(struct exec *exec, bool subtract)
{
    enum isa_type type = type_of(exec);
    unsigned bits = isa_type_bits(type);
    uint64_t a = get(exec, 1), b = get(exec, 2);
    if (type == ISA_U16X2 || type == ISA_S16X2) {
        set(exec, add_halves(a, subtract ? add_halves(b ^ 0xffffffff, 0x10001) : b));
        return;
    }
    if (has(exec, ISA_MOD_SAT)) {
        wide_int sum =
            (wide_int)get_signed(exec, 1) + (subtract ? -(wide_int)get_signed(exec, 2) : get_signed(exec, 2));
        set(exec, (uint64_t)clamp_signed(sum, bits));
        return;
    }
    if (has(exec, ISA_MOD_CC)) {
        wide_uint sum = (wide_uint)a + (subtract ? oracle_mask(~b, bits) : b) + subtract;
        exec->lane->carry = (sum >> bits & 1) != subtract; /* sub.cc: borrow */
    }
    set(exec, subtract ? a - b : a + b);
}

static void do_add_with_carry(struct exec *exec, bool subtract)
{
    unsigned bits = isa_type_bits(type_of(exec));
    uint64_t a = get(exec, 1), b = get(exec, 2);
    bool carry = exec->lane->carry;
    wide_uint sum = subtract ? (wide_uint)a + oracle_mask(~b, bits) + !carry : (wide_uint)a + b + carry;
    if (has(exec, ISA_MOD_CC)) exec->lane->carry = (sum >> bits & 1) != subtract;
    set(exec, (uint64_t)sum);
}

/* ---- multiplication
 * --------------------------------------------------------------------------------------------- */

static wide_uint product(struct exec *exec)
{
    if (is_signed(type_of(exec))) return (wide_uint)((wide_int)get_signed(exec, 1) * get_signed(exec, 2));
    return (wide_uint)get(exec, 1) * get(exec, 2);
}

static void do_mul(struct exec *exec, bool add)
{
    enum isa_type type = type_of(exec);
    unsigned bits = isa_type_bits(type);
    wide_uint value = product(exec);
    if (has(exec, ISA_MOD_WIDE)) {
        enum isa_type wide = bits == 16 ? ISA_U32 : bits == 32 ? ISA_U64 : ISA_B128;
        if (wide == ISA_B128) oracle_unsupported(exec);
        if (is_signed(type)) wide = wide == ISA_U32 ? ISA_S32 : ISA_S64;
        uint64_t more = add ? oracle_get(exec, 3, wide) : 0;
        oracle_set(exec, 0, wide, (uint64_t)value + more);
        return;
    }
    if (has(exec, ISA_MOD_HI)) value >>= bits;
    uint64_t more = add ? get(exec, 3) : 0;
    if (add && has(exec, ISA_MOD_SAT)) {
        wide_int sum = (wide_int)oracle_signed((uint64_t)value, bits) + oracle_signed(more, bits);
        set(exec, (uint64_t)clamp_signed(sum, bits));
        return;
    }
    if (has(exec, ISA_MOD_CC)) {
        wide_uint sum = (wide_uint)oracle_mask((uint64_t)value, bits) + more;
        exec->lane->carry = sum >> bits & 1;
    }
    set(exec, (uint64_t)value + more);
}

static void do_madc(struct exec *exec)
{
    unsigned bits = isa_type_bits(type_of(exec));
    wide_uint value = product(exec);
    if (has(exec, ISA_MOD_HI)) value >>= bits;
    wide_uint sum = (wide_uint)oracle_mask((uint64_t)value, bits) + get(exec, 3) + exec->lane->carry;
    if (has(exec, ISA_MOD_CC)) exec->lane->carry = sum >> bits & 1;
    set(exec, (uint64_t)sum);
}

/* a's bits, each times b, added without carries; one half of it, and c added so */
static void do_clmad(struct exec *exec)
{
    uint64_t a = get(exec, 1), b = get(exec, 2);
    wide_uint sum = 0;
    for (unsigned i = 0; i < 64; i++)
        if (a >> i & 1) sum ^= (wide_uint)b << i;
    if (has(exec, ISA_MOD_HI)) sum >>= 64;
    set(exec, (uint64_t)sum ^ get(exec, 3));
}

static void do_mul24(struct exec *exec, bool add)
{
    bool sign = is_signed(type_of(exec));
    int64_t a = sign ? oracle_signed(get(exec, 1), 24) : (int64_t)oracle_mask(get(exec, 1), 24);
    int64_t b = sign ? oracle_signed(get(exec, 2), 24) : (int64_t)oracle_mask(get(exec, 2), 24);
    int64_t value = a * b;
    if (has(exec, ISA_MOD_HI)) value >>= 16;
    value = (int64_t)oracle_mask((uint64_t)value, 32);
    if (add && has(exec, ISA_MOD_SAT))
        value = clamp_signed((wide_int)oracle_signed((uint64_t)value, 32) + get_signed(exec, 3), 32);
    else if (add)
        value += (int64_t)get(exec, 3);
    set(exec, (uint64_t)value);
}

/* ---- division and the like
 * -------------------------------------------------------------------------------------- */

/* Unspecified for a zero divisor; hardware gives all ones, as quotient and as remainder. */
static void do_div(struct exec *exec, bool remainder)
{
    uint64_t a = get(exec, 1), b = get(exec, 2);
    if (b == 0) {
        set(exec, UINT64_MAX);
        return;
    }
    if (!is_signed(type_of(exec))) {
        set(exec, remainder ? a % b : a / b);
        return;
    }
    wide_int x = get_signed(exec, 1), y = get_signed(exec, 2);
    set(exec, (uint64_t)(remainder ? x % y : x / y));
}

static void do_minmax(struct exec *exec, bool max)
{
    enum isa_type type = type_of(exec);
    uint64_t a = get(exec, 1), b = get(exec, 2), result = 0;
    if (type == ISA_U16X2 || type == ISA_S16X2) {
        for (unsigned i = 0; i < 32; i += 16) {
            uint64_t x = oracle_mask(a >> i, 16), y = oracle_mask(b >> i, 16);
            bool less = type == ISA_S16X2 ? oracle_signed(x, 16) < oracle_signed(y, 16) : x < y;
            result |= (less != max ? x : y) << i;
        }
    } else {
        bool less = is_signed(type) ? get_signed(exec, 1) < get_signed(exec, 2) : a < b;
        result = less != max ? a : b;
    }
    if (has(exec, ISA_MOD_RELU) && type == ISA_S32 && oracle_signed(result, 32) < 0) result = 0;
    for (unsigned i = 0; has(exec, ISA_MOD_RELU) && type == ISA_S16X2 && i < 32; i += 16)
        if (result >> i & 0x8000) result &= ~(UINT64_C(0xffff) << i);
    set(exec, result);
}

static void do_sad(struct exec *exec)
{
    uint64_t a = get(exec, 1), b = get(exec, 2);
    bool less = is_signed(type_of(exec)) ? get_signed(exec, 1) < get_signed(exec, 2) : a < b;
    set(exec, get(exec, 3) + (less ? b - a : a - b));
}

/* ---- bits
 * ------------------------------------------------------------------------------------------------------- */

static int highest_bit(uint64_t value)
{
    return value ? 63 - __builtin_clzll(value) : -1;
}

static void do_bfind(struct exec *exec)
{
    enum isa_type type = type_of(exec);
    unsigned bits = isa_type_bits(type);
    uint64_t value = get(exec, 1);
    if (is_signed(type) && oracle_signed(value, bits) < 0) value = oracle_mask(~value, bits);
    int at = highest_bit(value);
    if (at >= 0 && has(exec, ISA_MOD_SHIFTAMT)) at = (int)bits - 1 - at;
    oracle_set(exec, 0, ISA_U32, (uint32_t)at);
}

static void do_brev(struct exec *exec)
{
    unsigned bits = isa_type_bits(type_of(exec));
    uint64_t value = get(exec, 1), result = 0;
    for (unsigned i = 0; i < bits; i++)
        result |= (value >> i & 1) << (bits - 1 - i);
    set(exec, result);
}

/* A position or length: a byte for 32 bits; hardware does not cut those of 64 bits. */
static unsigned place(struct exec *exec, unsigned operand)
{
    uint64_t value = oracle_get(exec, operand, ISA_U32);
    return isa_type_bits(type_of(exec)) == 32 ? value & 0xff : value > 1000 ? 1000 : (unsigned)value;
}

/* PTX 9.7.1.19: bit by bit, as the manual has it. */
static void do_bfe(struct exec *exec)
{
    enum isa_type type = type_of(exec);
    unsigned bits = isa_type_bits(type), msb = bits - 1;
    uint64_t value = get(exec, 1), result = 0;
    unsigned pos = place(exec, 2), len = place(exec, 3);
    unsigned sign_at = pos + len - 1 < msb ? pos + len - 1 : msb;
    uint64_t sign = is_signed(type) && len != 0 ? value >> sign_at & 1 : 0;
    for (unsigned i = 0; i <= msb; i++)
        result |= (i < len && pos + i <= msb ? value >> (pos + i) & 1 : sign) << i;
    set(exec, result);
}

static void do_bfi(struct exec *exec)
{
    unsigned bits = isa_type_bits(type_of(exec));
    uint64_t a = get(exec, 1), result = get(exec, 2);
    unsigned pos = place(exec, 3), len = place(exec, 4);
    for (unsigned i = 0; i < len && pos + i < bits; i++) {
        result &= ~(UINT64_C(1) << (pos + i));
        result |= (a >> i & 1) << (pos + i);
    }
    set(exec, result);
}

static void do_bmsk(struct exec *exec)
{
    uint64_t pos = get(exec, 1), len = get(exec, 2);
    if (has(exec, ISA_MOD_WRAP)) {
        pos &= 31;
        len &= 31;
    }
    uint64_t ones = len >= 32 ? UINT32_MAX : (UINT64_C(1) << len) - 1;
    set(exec, pos >= 32 ? 0 : ones << pos);
}

static void do_szext(struct exec *exec)
{
    uint64_t a = get(exec, 1), n = get(exec, 2);
    if (has(exec, ISA_MOD_WRAP)) n &= 31;
    if (n >= 32)
        set(exec, a);
    else if (n == 0)
        set(exec, 0);
    else
        set(exec,
            is_signed(type_of(exec)) ? (uint64_t)oracle_signed(a, (unsigned)n) : oracle_mask(a, (unsigned)n));
}

/* PTX 9.7.1.18: the n-th set bit from a base, upwards or downwards. */
static void do_fns(struct exec *exec)
{
    uint64_t mask = oracle_get(exec, 1, ISA_B32), base = oracle_get(exec, 2, ISA_B32);
    int64_t offset = oracle_signed(oracle_get(exec, 3, ISA_S32), 32), at = (int64_t)base, found = 0;
    uint64_t result = 0xffffffff;
    int step = offset < 0 ? -1 : 1;
    if (offset == 0) {
        result = base < 32 && mask >> base & 1 ? base : result;
    } else {
        for (; at >= 0 && at < 32; at += step) {
            found += mask >> at & 1;
            if (mask >> at & 1 && found == offset * step) {
                result = (uint64_t)at;
                break;
            }
        }
    }
    if (offset == INT32_MIN) result = 0; /* says hardware */
    oracle_set(exec, 0, ISA_B32, result);
}

static void do_dot(struct exec *exec, bool two_way)
{
    enum isa_type at = ptx_instr_type(exec->instr, 0), bt = ptx_instr_type(exec->instr, 1);
    uint64_t a = oracle_get(exec, 1, ISA_B32), b = oracle_get(exec, 2, ISA_B32);
    int64_t sum = (int64_t)oracle_get(exec, 3, ISA_B32);
    unsigned count = two_way ? 2 : 4, width = two_way ? 16 : 8,
             skip = two_way && has(exec, ISA_MOD_HI) ? 2 : 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t x = oracle_mask(a >> (i * width), width), y = oracle_mask(b >> ((i + skip) * 8), 8);
        int64_t p = is_signed(at) ? oracle_signed(x, width) : (int64_t)x;
        int64_t q = is_signed(bt) ? oracle_signed(y, 8) : (int64_t)y;
        sum += p * q;
    }
    oracle_set(exec, 0, ISA_B32, (uint64_t)sum);
}

/* ---- shifts and logic
 * ------------------------------------------------------------------------------------------- */

static void do_shift(struct exec *exec, bool left)
{
    enum isa_type type = type_of(exec);
    unsigned bits = isa_type_bits(type);
    uint64_t a = get(exec, 1), n = oracle_get(exec, 2, ISA_U32);
    if (left) {
        set(exec, n >= bits ? 0 : a << n);
    } else if (is_signed(type)) {
        set(exec, (uint64_t)(get_signed(exec, 1) >> (n >= bits ? bits - 1 : n)));
    } else {
        set(exec, n >= bits ? 0 : a >> n);
    }
}

static void do_funnel(struct exec *exec)
{
    uint64_t low = oracle_get(exec, 1, ISA_B32), high = oracle_get(exec, 2, ISA_B32),
             n = oracle_get(exec, 3, ISA_U32);
    uint64_t both = high << 32 | low;
    n = has(exec, ISA_MOD_WRAP) ? n & 31 : n > 32 ? 32 : n;
    oracle_set(exec, 0, ISA_B32, has(exec, ISA_MOD_L) ? both << n >> 32 : both >> n);
}

static bool do_lop3(struct exec *exec)
{
    bool pair = exec->instr->operands[0].kind == ISA_OPD_PAIR;
    uint64_t a = oracle_get(exec, 1, ISA_B32), b = oracle_get(exec, 2, ISA_B32),
             c = oracle_get(exec, 3, ISA_B32);
    uint64_t table = oracle_get(exec, 4, ISA_B32), result = 0;
    for (unsigned i = 0; i < 32; i++)
        result |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
    if (pair || exec->instr->operand_count > 5) { /* lop3.or d|p, a, b, c, lut, q */
        bool q = oracle_read(exec, &exec->instr->operands[5], ISA_PRED).lo & 1, some = result != 0;
        const struct ptx_operand *to = &exec->instr->operands[0];
        oracle_write_reg(exec, to->reg, result);
        oracle_write_reg(exec, to->reg2, has(exec, ISA_MOD_AND) ? some && q : some || q);
        return true;
    }
    oracle_set(exec, 0, ISA_B32, result);
    return true;
}

static unsigned prmt_selector(const struct exec *exec, uint64_t control, unsigned i)
{
    static const uint8_t modes[6][4][4] = {
        {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}, /* f4e, listed from byte 3 to byte 0 */
        {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}, /* b4e */
        {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}, /* rc8 */
        {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}, /* ecl */
        {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}, /* ecr */
        {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}, /* rc16 */
    };
    static const enum isa_mod names[6] = {ISA_MOD_F4E, ISA_MOD_B4E, ISA_MOD_RC8,
                                          ISA_MOD_ECL, ISA_MOD_ECR, ISA_MOD_RC16};
    for (unsigned m = 0; m < 6; m++)
        if (has(exec, names[m])) return modes[m][control & 3][3 - i];
    return (unsigned)(control >> (4 * i) & 15);
}

static void do_prmt(struct exec *exec)
{
    uint64_t a = oracle_get(exec, 1, ISA_B32), b = oracle_get(exec, 2, ISA_B32),
             control = oracle_get(exec, 3, ISA_B32);
    uint64_t bytes = b << 32 | a, result = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned selector = prmt_selector(exec, control, i);
        uint64_t byte = bytes >> ((selector & 7) * 8) & 0xff;
        if (selector & 8) byte = byte & 0x80 ? 0xff : 0;
        result |= byte << (i * 8);
    }
    oracle_set(exec, 0, ISA_B32, result);
}

/* ---- comparison and selection
 * ----------------------------------------------------------------------------------- */

static bool ordered_result(enum isa_mod mod, int order)
{
    switch ((unsigned)mod) {
    case ISA_MOD_EQ: return order == 0;
    case ISA_MOD_NE: return order != 0 && order != 2;
    case ISA_MOD_LT:
    case ISA_MOD_LO: return order == -1;
    case ISA_MOD_LE:
    case ISA_MOD_LS: return order == -1 || order == 0;
    case ISA_MOD_GT:
    case ISA_MOD_HI: return order == 1;
    case ISA_MOD_GE:
    case ISA_MOD_HS: return order == 1 || order == 0;
    case ISA_MOD_EQU: return order == 0 || order == 2;
    case ISA_MOD_NEU: return order != 0;
    case ISA_MOD_LTU: return order == -1 || order == 2;
    case ISA_MOD_LEU: return order != 1;
    case ISA_MOD_GTU: return order == 1 || order == 2;
    case ISA_MOD_GEU: return order != -1;
    case ISA_MOD_NUM: return order != 2;
    default: return order == 2; /* nan */
    }
}

static bool compare_bits(struct exec *exec, enum isa_type type, uint64_t a, uint64_t b)
{
    enum isa_mod mod = ptx_mod_of(exec->instr, ISA_CAT_COMPARE);
    if (oracle_is_float(type))
        return ordered_result(mod, oracle_float_compare(a, b, type, has(exec, ISA_MOD_FTZ)));
    unsigned bits = isa_type_bits(type);
    bool less = is_signed(type) ? oracle_signed(a, bits) < oracle_signed(b, bits) : a < b;
    return ordered_result(mod, a == b ? 0 : less ? -1 : 1);
}

static bool combine(struct exec *exec, bool result, bool other)
{
    enum isa_mod mod = ptx_mod_of(exec->instr, ISA_CAT_BOOL);
    return mod == ISA_MOD_AND ? result && other : mod == ISA_MOD_OR ? result || other : result != other;
}

static void do_setp(struct exec *exec)
{
    enum isa_type type = type_of(exec), half = oracle_half_of(type);
    const struct ptx_operand *to = &exec->instr->operands[0];
    uint64_t a = get(exec, 1), b = get(exec, 2);
    bool combines = exec->instr->operand_count > 3, other = false;
    if (combines) other = oracle_read(exec, &exec->instr->operands[3], ISA_PRED).lo & 1;
    bool first = compare_bits(exec, half ? half : type, half ? a & 0xffff : a, half ? b & 0xffff : b),
         second = !first;
    if (half) second = compare_bits(exec, half, a >> 16, b >> 16);
    if (combines) {
        first = combine(exec, first, other);
        second = combine(exec, second, other);
    }
    if (to->kind != ISA_OPD_PAIR && to->kind != ISA_OPD_REG) return;
    oracle_write_reg(exec, to->reg, first);
    if (to->kind == ISA_OPD_PAIR) oracle_write_reg(exec, to->reg2, second);
}

/* set.cmp.dtype.stype: all ones, or 1.0 */
static void do_set(struct exec *exec)
{
    enum isa_type to = ptx_instr_type(exec->instr, 0), type = ptx_instr_type(exec->instr, 1);
    enum isa_type half = oracle_half_of(type);
    uint64_t a = oracle_get(exec, 1, type), b = oracle_get(exec, 2, type), result = 0;
    bool combines = exec->instr->operand_count > 3, other = false;
    if (combines) other = oracle_read(exec, &exec->instr->operands[3], ISA_PRED).lo & 1;
    unsigned parts = half ? 2 : 1;
    for (unsigned i = 0; i < parts; i++) {
        bool yes = compare_bits(exec, half ? half : type, half ? oracle_mask(a >> (16 * i), 16) : a,
                                half ? oracle_mask(b >> (16 * i), 16) : b);
        if (combines) yes = combine(exec, yes, other);
        enum isa_type part = oracle_half_of(to) ? oracle_half_of(to) : to;
        uint64_t one =
            oracle_is_float(part) ? oracle_from_double(1.0, part, ROUND_NEAREST, false) : UINT64_MAX;
        if (half && !oracle_is_float(part)) one = 0xffff;
        if (yes) result |= half ? one << (16 * i) : one;
    }
    oracle_set(exec, 0, to, result);
}

static void do_slct(struct exec *exec)
{
    enum isa_type type = ptx_instr_type(exec->instr, 1);
    uint64_t c = oracle_get(exec, 3, type);
    bool first = oracle_signed(c, 32) >= 0;
    if (oracle_is_float(type)) {
        int order = oracle_float_compare(c, 0, type, has(exec, ISA_MOD_FTZ));
        first = order == 0 || order == 1;
    }
    set(exec, get(exec, first ? 1 : 2));
}

static void do_selp(struct exec *exec)
{
    bool first = oracle_read(exec, &exec->instr->operands[3], ISA_PRED).lo & 1;
    oracle_write(exec, &exec->instr->operands[0], type_of(exec),
                 oracle_read(exec, &exec->instr->operands[first ? 1 : 2], type_of(exec)));
}

/* ---- moves and addresses
 * ---------------------------------------------------------------------------------------- */

static void do_mov(struct exec *exec)
{
    enum isa_type type = type_of(exec);
    struct value value = oracle_read(exec, &exec->instr->operands[1], type);
    if (type == ISA_PRED) value.lo &= 1;
    oracle_write(exec, &exec->instr->operands[0], type, value);
}

static uint64_t window(const struct exec *exec, enum ptx_space space)
{
    if (space == PTX_SPACE_SHARED) return (uint64_t)(uintptr_t)exec->block->shared;
    if (space == PTX_SPACE_LOCAL) return (uint64_t)(uintptr_t)exec->lane->local;
    return 0;
}

/* cvta.space: to generic; cvta.to.space: back */
static void do_cvta(struct exec *exec)
{
    oracle_watch_address(exec);
    uint64_t base = window(exec, ptx_instr_space(exec->instr));
    uint64_t a = oracle_read(exec, &exec->instr->operands[1], type_of(exec)).lo;
    set(exec, has(exec, ISA_MOD_TO) ? a - base : a + base);
}

static bool in_constants(const struct exec *exec, uint64_t a)
{
    const struct oracle_launch *launch = exec->oracle->launch;
    for (uint32_t i = 0; i < launch->module->var_count; i++) {
        const struct ptx_var *var = launch->module->vars[i];
        if (var->space == PTX_SPACE_CONST && a - launch->symbols[i] < var->bytes) return true;
    }
    return false;
}

static void do_isspacep(struct exec *exec)
{
    uint64_t a = oracle_read(exec, &exec->instr->operands[1], ISA_U64).lo;
    bool shared = a - window(exec, PTX_SPACE_SHARED) < exec->oracle->shared_bytes;
    bool local = a - window(exec, PTX_SPACE_LOCAL) < LOCAL_BYTES;
    bool param = a - (uint64_t)(uintptr_t)exec->oracle->launch->params < exec->oracle->entry->param_bytes;
    bool constant = in_constants(exec, a), yes;
    switch ((unsigned)ptx_instr_space(exec->instr)) {
    case PTX_SPACE_SHARED: yes = shared; break;
    case PTX_SPACE_LOCAL: yes = local; break;
    case PTX_SPACE_CONST: yes = constant; break;
    case PTX_SPACE_PARAM: yes = param; break;
    default: yes = !shared && !local && !constant && !param; break;
    }
    oracle_set(exec, 0, ISA_PRED, yes);
}

/* A policy means nothing here; compiled code has hardware's for a fraction of 1. */
static void do_policy(struct exec *exec)
{
    enum isa_mod first = ptx_mod_of(exec->instr, ISA_CAT_HINT);
    uint64_t kind = first == ISA_MOD_L2__EVICT_FIRST ? 0x12 : first == ISA_MOD_L2__EVICT_LAST ? 0x14 : 0x10;
    bool converts = has(exec, ISA_MOD_CVT);
    oracle_set(exec, 0, ISA_B64, converts ? oracle_get(exec, 1, ISA_B64) : (kind << 8 | 0xf0) << 48);
}

/* ---- the opcodes
 * ------------------------------------------------------------------------------------------------ */

static bool alu_arithmetic(struct exec *exec)
{
    switch ((unsigned)exec->instr->op) {
    case ISA_OP_ADD: do_add(exec, false); return true;
    case ISA_OP_SUB: do_add(exec, true); return true;
    case ISA_OP_ADDC: do_add_with_carry(exec, false); return true;
    case ISA_OP_SUBC: do_add_with_carry(exec, true); return true;
    case ISA_OP_MUL: do_mul(exec, false); return true;
    case ISA_OP_MAD: do_mul(exec, true); return true;
    case ISA_OP_MADC: do_madc(exec); return true;
    case ISA_OP_CLMAD: do_clmad(exec); return true;
    case ISA_OP_MUL24: do_mul24(exec, false); return true;
    case ISA_OP_MAD24: do_mul24(exec, true); return true;
    case ISA_OP_DIV: do_div(exec, false); return true;
    case ISA_OP_REM: do_div(exec, true); return true;
    case ISA_OP_MIN: do_minmax(exec, false); return true;
    case ISA_OP_MAX: do_minmax(exec, true); return true;
    case ISA_OP_SAD: do_sad(exec); return true;
    case ISA_OP_ABS: set(exec, get_signed(exec, 1) < 0 ? -get(exec, 1) : get(exec, 1)); return true;
    case ISA_OP_NEG: set(exec, -get(exec, 1)); return true;
    case ISA_OP_DP4A: do_dot(exec, false); return true;
    case ISA_OP_DP2A: do_dot(exec, true); return true;
    default: return false;
    }
}

static bool alu_bits(struct exec *exec)
{
    unsigned bits = isa_type_bits(type_of(exec));
    switch ((unsigned)exec->instr->op) {
    case ISA_OP_POPC: oracle_set(exec, 0, ISA_U32, (uint64_t)__builtin_popcountll(get(exec, 1))); return true;
    case ISA_OP_CLZ:
        oracle_set(exec, 0, ISA_U32, bits - 1 - (unsigned)highest_bit(get(exec, 1)));
        return true;
    case ISA_OP_BFIND: do_bfind(exec); return true;
    case ISA_OP_BREV: do_brev(exec); return true;
    case ISA_OP_BFE: do_bfe(exec); return true;
    case ISA_OP_BFI: do_bfi(exec); return true;
    case ISA_OP_BMSK: do_bmsk(exec); return true;
    case ISA_OP_SZEXT: do_szext(exec); return true;
    case ISA_OP_FNS: do_fns(exec); return true;
    case ISA_OP_AND: set(exec, get(exec, 1) & get(exec, 2)); return true;
    case ISA_OP_OR: set(exec, get(exec, 1) | get(exec, 2)); return true;
    case ISA_OP_XOR: set(exec, get(exec, 1) ^ get(exec, 2)); return true;
    case ISA_OP_NOT: set(exec, ~get(exec, 1)); return true;
    case ISA_OP_CNOT: set(exec, get(exec, 1) == 0); return true;
    case ISA_OP_SHL: do_shift(exec, true); return true;
    case ISA_OP_SHR: do_shift(exec, false); return true;
    case ISA_OP_SHF: do_funnel(exec); return true;
    case ISA_OP_LOP3: return do_lop3(exec);
    case ISA_OP_PRMT: do_prmt(exec); return true;
    default: return false;
    }
}

bool oracle_alu(struct exec *exec)
{
    switch ((unsigned)exec->instr->op) {
    case ISA_OP_SETP: do_setp(exec); return true;
    case ISA_OP_SET: do_set(exec); return true;
    case ISA_OP_SELP: do_selp(exec); return true;
    case ISA_OP_SLCT: do_slct(exec); return true;
    case ISA_OP_MOV: do_mov(exec); return true;
    case ISA_OP_CVTA: do_cvta(exec); return true;
    case ISA_OP_ISSPACEP: do_isspacep(exec); return true;
    case ISA_OP_CREATEPOLICY: do_policy(exec); return true;
    default: return alu_arithmetic(exec) || alu_bits(exec);
    }
}
