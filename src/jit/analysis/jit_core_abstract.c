/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on abstract values: what representation a result has, given those of its sources
 * (jit_core_repr.c says when that is asked). A warp starts at a multiple of 32 threads, so an affine value of
 * stride 1 whose lane 0 has a multiple of 32 has the same bits from bit 5 up in all lanes, and is on the same
 * side of any multiple of 32: `tid >> 5` and `tid < 64` are scalars, and what stands under such a condition
 * is run by whole warps. Where the block has shorter rows, the same holds within a row of W lanes and of
 * multiples of W: there `row * pitch`, whatever the pitch, is one number a row, `tid.y * 16 + tid.x` for W =
 * 16 affine again. Limits: integers of 32 and 64 bits; strides are compile-time constants. */
#include "jit_core_abstract_priv.h"

#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"

enum { MAX_STRIDE = 1 << 24 }; /* 32 lanes then wrap at most once */
enum { MAX_STEP = 1 << 30 };   /* of regular rows: assumed */

struct jit_abstract jit_abstract_const(uint64_t value, unsigned bits)
{
    if (bits < 64) value &= (1ull << bits) - 1;
    return (struct jit_abstract){.repr = JIT_SCALAR, .constant = true, .value = value, .max = value};
}

static struct jit_abstract abstract_affine(int64_t stride, int64_t wrap)
{
    if (stride == 0 && wrap == 0) return abstract_scalar;
    if (stride == 0 || stride > MAX_STRIDE || stride < -MAX_STRIDE) return abstract_vector;
    return (struct jit_abstract){.repr = JIT_AFFINE, .stride = stride, .wrap = wrap, .max = UINT64_MAX};
}

struct jit_abstract jit_abstract_rows(int64_t stride, int64_t wrap)
{
    if (stride > MAX_STRIDE || stride < -MAX_STRIDE) return abstract_vector;
    return (struct jit_abstract){.repr = JIT_ROWS, .stride = stride, .wrap = wrap, .max = UINT64_MAX};
}

/* The power of two, at most 32, that divides a number */
static unsigned low_bit(uint64_t value)
{
    return value % 32 ? 1u << __builtin_ctzll(value) : 32;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned jit_abstract_align(struct jit_abstract a)
{
    if (a.constant) return low_bit(a.value);
    return a.align ? a.align : 1;
}

int64_t jit_abstract_step(const struct jit *jit, struct jit_abstract a)
{
    return a.repr == JIT_AFFINE ? a.stride * jit->row_lanes : a.repr == JIT_ROWS ? a.step : 0;
}

/* What divides the first lane of every row */
static unsigned row_align(const struct jit *jit, struct jit_abstract a)
{
    unsigned align = jit_abstract_align(a);
    if (a.repr == JIT_AFFINE && !jit->even_rows) return 1; /* its rows begin before lane 0 */
    return jit_is_regular(a) ? least(align, low_bit((uint64_t)jit_abstract_step(jit, a))) : align;
}

/* Rows whose first lanes are `step` apart, in the simplest form. */
static struct jit_abstract abstract_regular(const struct jit *jit, int64_t stride, int64_t step, int64_t wrap)
{
    bool flat = jit->even_rows || stride == 0;
    if (wrap == 0 && step == stride * jit->row_lanes && flat) return abstract_affine(stride, 0);
    struct jit_abstract rows = jit_abstract_rows(stride, wrap);
    rows.regular = step <= MAX_STEP && step >= -MAX_STEP && (wrap == 0 || step == 0);
    rows.step = rows.regular ? step : 0;
    return rows;
}

static uint64_t bound(uint64_t max, unsigned bits)
{
    return bits < 64 && max >> bits ? UINT64_MAX : max;
}

static uint64_t max_add(uint64_t a, uint64_t b)
{
    return a == UINT64_MAX || b == UINT64_MAX || a + b < a ? UINT64_MAX : a + b;
}

static uint64_t max_mul(uint64_t a, uint64_t b)
{
    if (a == UINT64_MAX || b == UINT64_MAX) return UINT64_MAX;
    return a != 0 && b > (UINT64_MAX - 1) / a ? UINT64_MAX : a * b;
}

static bool either_is_rows(struct jit_abstract a, struct jit_abstract b)
{
    return a.repr == JIT_ROWS || b.repr == JIT_ROWS;
}

static struct jit_abstract add_rows(const struct jit *jit, struct jit_abstract a, struct jit_abstract b,
                                    int sign)
{
    int64_t stride = a.stride + sign * b.stride, wrap = a.wrap + sign * b.wrap;
    bool wraps = (a.repr == JIT_AFFINE && a.wrap) || (b.repr == JIT_AFFINE && b.wrap);
    if (wraps && !jit->even_rows) return abstract_vector;
    if (!jit_is_regular(a) || !jit_is_regular(b)) return jit_abstract_rows(stride, wrap);
    int64_t step = jit_abstract_step(jit, a) + sign * jit_abstract_step(jit, b);
    return abstract_regular(jit, stride, step, wrap);
}

static struct jit_abstract abstract_add(const struct jit *jit, struct jit_abstract a, struct jit_abstract b,
                                        unsigned bits, int sign)
{
    if (a.constant && b.constant)
        return jit_abstract_const(sign > 0 ? a.value + b.value : a.value - b.value, bits);
    if (a.repr == JIT_VECTOR || b.repr == JIT_VECTOR) return abstract_vector;
    if (a.wrap && b.wrap) return abstract_vector; /* two limits */
    struct jit_abstract sum = either_is_rows(a, b)
                                  ? add_rows(jit, a, b, sign)
                                  : abstract_affine(a.stride + sign * b.stride, a.wrap + sign * b.wrap);
    if (sum.repr == JIT_VECTOR) return sum;
    sum.max = sign > 0 ? bound(max_add(a.max, b.max), bits) : UINT64_MAX;
    bool whole = sum.repr != JIT_ROWS || sum.regular; /* lane 0 alone tells */
    if (sum.repr == JIT_ROWS && !jit->even_rows) whole = false;
    sum.align = whole ? least(jit_abstract_align(a), jit_abstract_align(b))
                      : least(row_align(jit, a), row_align(jit, b));
    return sum;
}

static struct jit_abstract mul_row_wise(const struct jit *jit, struct jit_abstract a, struct jit_abstract b,
                                        unsigned bits)
{
    if (!jit_is_row_wise(a) || !jit_is_row_wise(b)) return abstract_vector;
    struct jit_abstract product = jit_abstract_rows(0, 0);
    product.align = least(32, row_align(jit, a) * row_align(jit, b));
    product.max = bound(max_mul(a.max, b.max), bits);
    return product;
}

static struct jit_abstract abstract_mul(const struct jit *jit, struct jit_abstract a, struct jit_abstract b,
                                        unsigned bits)
{
    if (a.constant && b.constant) return jit_abstract_const(a.value * b.value, bits);
    if (a.repr == JIT_VECTOR || b.repr == JIT_VECTOR) return abstract_vector;
    if (a.repr == JIT_SCALAR && b.repr == JIT_SCALAR) {
        struct jit_abstract product = abstract_scalar;
        product.align = least(32, jit_abstract_align(a) * jit_abstract_align(b));
        product.max = bound(max_mul(a.max, b.max), bits);
        return product;
    }
    if (a.constant) {
        struct jit_abstract swap = a;
        a = b;
        b = swap;
    }
    int64_t factor = bits == 32 ? (int32_t)b.value : (int64_t)b.value;
    if (!b.constant || factor > MAX_STRIDE || factor < -MAX_STRIDE) return mul_row_wise(jit, a, b, bits);
    if (factor == 0) return jit_abstract_const(0, bits);
    struct jit_abstract product;
    if (a.repr == JIT_AFFINE)
        product = abstract_affine(a.stride * factor, a.wrap * factor);
    else if (a.regular)
        product = abstract_regular(jit, a.stride * factor, a.step * factor, a.wrap * factor);
    else
        product = jit_abstract_rows(a.stride * factor, a.wrap * factor);
    if (product.repr == JIT_VECTOR) return product;
    product.align = least(32, jit_abstract_align(a) * jit_abstract_align(b));
    if (product.repr == JIT_ROWS && !product.regular)
        product.align = least(32, row_align(jit, a) * row_align(jit, b));
    product.max = factor > 0 ? bound(max_mul(a.max, (uint64_t)factor), bits) : UINT64_MAX;
    return product;
}

/* Does a step from a value of at most max to another such never wrap, signed or not? */
static bool is_exact_step(uint64_t max, int64_t step)
{
    uint64_t reach = (uint64_t)(step < 0 ? -step : step);
    return max < (1ull << 31) && max + reach < (1ull << 31);
}

static struct jit_abstract make_irregular(const struct jit *jit, struct jit_abstract a)
{
    a.align = row_align(jit, a);
    a.regular = false;
    a.step = 0;
    return a;
}

/* How many lanes of it in a row have values one apart, from a multiple of that number on; 0: none */
static unsigned whole_lanes(const struct jit *jit, struct jit_abstract a)
{
    if (a.stride != 1 || a.wrap) return 0;
    if (a.repr == JIT_AFFINE) return jit_abstract_align(a) == 32 ? 32 : 0;
    unsigned lanes = 1;
    while (lanes < jit->row_lanes)
        lanes *= 2;
    return a.repr == JIT_ROWS && row_align(jit, a) >= lanes ? lanes : 0;
}

/* Rows are widened one by one; those that stay regular are all exact, or all the same. */
static struct jit_abstract widen_rows(const struct jit *jit, struct jit_abstract a)
{
    if (a.stride && !is_exact_step(a.max, a.stride) && !whole_lanes(jit, a))
        a.wrap = a.stride > 0 ? (int64_t)1 << 32 : -((int64_t)1 << 32);
    if (a.step && (a.wrap || !is_exact_step(a.max, a.step))) return make_irregular(jit, a);
    return a;
}

/* A 32-bit value made 64 bits wide. */
static struct jit_abstract abstract_widen(const struct jit *jit, struct jit_abstract a, bool is_signed)
{
    if (a.constant) return jit_abstract_const(is_signed ? (uint64_t)(int64_t)(int32_t)a.value : a.value, 64);
    if (is_signed && a.max >= 1ull << 31) a.max = UINT64_MAX;
    if (a.repr == JIT_ROWS) return widen_rows(jit, a);
    if (a.repr != JIT_AFFINE) return a;
    bool exact = is_exact_step(a.max, a.stride) || whole_lanes(jit, a);
    struct jit_abstract wide = a;
    wide.wrap = exact ? 0 : a.stride > 0 ? (int64_t)1 << 32 : -((int64_t)1 << 32);
    return wide;
}

static struct jit_abstract abstract_cvt(const struct jit *jit, const struct ptx_instr *instr,
                                        struct jit_abstract a, struct jit_abstract other)
{
    enum isa_type to = ptx_instr_type(instr, 0), from = ptx_instr_type(instr, 1);
    bool integers = isa_type_kind(to) != ISA_KIND_FLOAT && isa_type_kind(from) != ISA_KIND_FLOAT;
    if (a.repr == JIT_SCALAR && (!integers || !a.constant || ptx_has(instr, ISA_MOD_SAT)))
        return abstract_scalar;
    if (!integers || ptx_has(instr, ISA_MOD_SAT)) return other;
    unsigned to_bits = isa_type_bits(to), from_bits = isa_type_bits(from);
    if (from_bits == 32 && to_bits == 64) return abstract_widen(jit, a, isa_type_kind(from) == ISA_KIND_SINT);
    if (a.repr == JIT_SCALAR) return abstract_scalar;
    if (to_bits == from_bits && to_bits >= 32) return a;
    if (from_bits == 64 && to_bits == 32) {
        a.wrap = 0;
        a.max = bound(a.max, 32);
        return a;
    }
    return other;
}

static struct jit_abstract abstract_shift_left(const struct jit *jit, struct jit_abstract a,
                                               struct jit_abstract count, unsigned bits,
                                               struct jit_abstract other)
{
    if (!count.constant || count.value >= 24) return other;
    return abstract_mul(jit, a, jit_abstract_const(1ull << count.value, bits), bits);
}

/* What is the same in whole lanes of `a`, and in all of them where all rows of `a` are alike. */
static struct jit_abstract of_each_row(struct jit_abstract a)
{
    bool same = a.repr == JIT_AFFINE || (a.regular && a.step == 0);
    return same ? abstract_scalar : jit_abstract_rows(0, 0);
}

/* Whether `a` is one apart from lane to lane in a warp that has even rows, and lane 0's is a multiple of 32.
 */
static bool counts_rows(const struct jit *jit, struct jit_abstract a)
{
    return a.repr == JIT_AFFINE && jit->rows > 1 && jit->even_rows && whole_lanes(jit, a) == SW_WARP_LANES;
}

/* The high bits of it, but for fewer than a warp's lanes: each row's. */
static struct jit_abstract shift_rows(const struct jit *jit, struct jit_abstract a, unsigned count)
{
    struct jit_abstract out = jit_abstract_rows(0, 0);
    if (1u << count == jit->row_lanes) out = abstract_regular(jit, 0, 1, 0);
    if (out.regular) out.align = SW_WARP_LANES >> count;
    if (a.max != UINT64_MAX) out.max = a.max >> count;
    return out;
}

/* Those of its bits that a constant has: the low ones are the lane's place in its row, or are none. */
static struct jit_abstract mask_rows(const struct jit *jit, struct jit_abstract a, uint64_t bits)
{
    uint64_t low = bits % jit->row_lanes;
    if (low && low != jit->row_lanes - 1) return abstract_vector;
    struct jit_abstract out = jit_abstract_rows(low ? 1 : 0, 0);
    if (low && bits == low) out = abstract_regular(jit, 1, 0, 0);
    out.align = out.regular ? SW_WARP_LANES : jit->row_lanes;
    out.max = a.max < bits ? a.max : bits;
    return out;
}

static struct jit_abstract abstract_shift_right(const struct jit *jit, struct jit_abstract a,
                                                struct jit_abstract count, struct jit_abstract other)
{
    if (jit_is_row_wise(a) && jit_is_row_wise(count)) {
        if (a.max != UINT64_MAX && count.constant && count.value < 64) other.max = a.max >> count.value;
        return other;
    }
    unsigned lanes = whole_lanes(jit, a);
    if (!lanes || !count.constant) return abstract_vector;
    if (counts_rows(jit, a) && count.value < 5 && 1u << count.value >= jit->row_lanes)
        return shift_rows(jit, a, (unsigned)count.value);
    if (count.value < (unsigned)__builtin_ctz(lanes)) {
        struct jit_abstract out = abstract_vector;
        if (lanes == SW_WARP_LANES && a.repr == JIT_AFFINE && (jit->even_rows || jit->rows == 1)) {
            out.shift = (unsigned)count.value;
            if (a.max != UINT64_MAX) out.max = a.max >> count.value;
        }
        return out;
    }
    return of_each_row(a); /* lanes from a multiple of their number on have the same high bits */
}

/* Of `tid >> shift` the `low` lowest bits were made alike, as in `tid / 16 * 4 + 3`, which compilers write as
 * `tid >> 2 | 3`. counted: the bits above are all there, so that they count the rows. */
static struct jit_abstract without_low(const struct jit *jit, struct jit_abstract a, unsigned low,
                                       bool counted)
{
    unsigned lanes = a.shift + low < 5 ? 1u << (a.shift + low) : SW_WARP_LANES;
    if (lanes == SW_WARP_LANES) return abstract_scalar;
    if (lanes < jit->row_lanes || jit->rows == 1) return abstract_vector;
    return counted && lanes == jit->row_lanes ? abstract_regular(jit, 0, 1 << low, 0)
                                              : jit_abstract_rows(0, 0);
}

/* The low bits of what has no others */
static bool is_mask_of(struct jit_abstract a, struct jit_abstract b)
{
    return b.constant && (b.value & (b.value + 1)) == 0 && a.max <= b.value;
}

static struct jit_abstract abstract_and(const struct jit *jit, struct jit_abstract a, struct jit_abstract b,
                                        struct jit_abstract other)
{
    if (b.repr == JIT_VECTOR && a.constant) return abstract_and(jit, b, a, other);
    if (a.shift && b.constant && b.value) {
        uint64_t counts = SW_WARP_LANES - 1; /* of lanes: below them x has no bits */
        struct jit_abstract out = without_low(jit, a, (unsigned)__builtin_ctzll(b.value),
                                              (~b.value & counts >> a.shift & -(b.value & -b.value)) == 0);
        if (out.repr == JIT_VECTOR) return out;
        out.max = b.value;
        out.align = low_bit(b.value);
        return out;
    }
    if (a.repr == JIT_VECTOR || b.repr == JIT_VECTOR) return abstract_vector;
    if (jit_is_row_wise(a) && jit_is_row_wise(b)) {
        other.max = a.max < b.max ? a.max : b.max;
        unsigned aligns[] = {row_align(jit, a), row_align(jit, b)};
        other.align = aligns[aligns[1] > aligns[0]];
        return other;
    }
    if (a.repr == JIT_SCALAR) {
        struct jit_abstract swap = a;
        a = b;
        b = swap;
    }
    if (a.wrap == 0 && is_mask_of(a, b)) return a;
    unsigned lanes = whole_lanes(jit, a);
    if (!lanes || !b.constant) return abstract_vector;
    if (b.value % lanes == 0) return of_each_row(a);
    if (b.value % lanes != lanes - 1)
        return counts_rows(jit, a) ? mask_rows(jit, a, b.value) : abstract_vector;
    if (a.step) a = make_irregular(jit, a);
    a.max = b.value;
    return a;
}

/* A lane's number beside bits above it is a sum. */
static struct jit_abstract abstract_or(const struct jit *jit, struct jit_abstract a, struct jit_abstract b,
                                       unsigned bits, struct jit_abstract other)
{
    if (b.repr == JIT_VECTOR && a.constant) return abstract_or(jit, b, a, bits, other);
    if (a.shift && b.constant) {
        bool counted = (b.value & (b.value + 1)) == 0;
        struct jit_abstract out =
            without_low(jit, a, (unsigned)__builtin_ctzll(~b.value | 1ull << 63), counted);
        if (out.repr != JIT_VECTOR) out.max = bound(max_add(a.max, b.max), bits);
        return out;
    }
    if (jit_is_row_wise(a) && jit_is_row_wise(b)) return other;
    if (jit_is_row_wise(a)) return abstract_or(jit, b, a, bits, other);
    unsigned lanes = whole_lanes(jit, a);
    if (!lanes || a.max >= lanes || !jit_is_row_wise(b) || row_align(jit, b) < lanes) return abstract_vector;
    return abstract_add(jit, a, b, bits, 1);
}

enum { BELOW, UP_TO, EQUAL }; /* what a comparison's result changes at, whichever way round */

static int compare_kind(enum isa_mod mod, bool swapped)
{
    switch ((unsigned)mod) {
    case ISA_MOD_LT:
    case ISA_MOD_LO:
    case ISA_MOD_GE:
    case ISA_MOD_HS: return swapped ? UP_TO : BELOW;
    case ISA_MOD_LE:
    case ISA_MOD_LS:
    case ISA_MOD_GT:
    case ISA_MOD_HI: return swapped ? BELOW : UP_TO;
    default: return EQUAL;
    }
}

/* Is the comparison of so many whole lanes with one number the same in all of them? A multiple of their
 * number lies above all or none; so does what no lane reaches, as long as it has no sign. */
static bool compares_alike(const struct jit *jit, struct jit_abstract a, struct jit_abstract b, int kind,
                           unsigned bits, unsigned lanes)
{
    bool plain = b.constant && b.value >> (bits - 1) == 0 && a.max >> (bits - 1) == 0;
    if (plain && (b.value > a.max || (b.value == a.max && kind == UP_TO))) return true;
    if (kind == BELOW) return row_align(jit, b) >= lanes;
    return kind == UP_TO && b.constant && b.value % lanes == lanes - 1;
}

/* setp without a third predicate, or with one that is the same in a row's lanes. */
static struct jit_abstract abstract_compare(const struct jit *jit, const struct ptx_instr *instr,
                                            const struct jit_abstract *src, unsigned count,
                                            struct jit_abstract other)
{
    bool swapped = jit_is_row_wise(src[0]);
    struct jit_abstract a = src[swapped], b = src[!swapped];
    if (count > 2 && !jit_is_row_wise(src[2])) return abstract_vector;
    if (jit_is_row_wise(a) && jit_is_row_wise(b)) return other;
    unsigned lanes = whole_lanes(jit, a);
    if (!lanes || !jit_is_row_wise(b) || (a.repr == JIT_AFFINE && b.repr != JIT_SCALAR))
        return abstract_vector;
    int kind = compare_kind(ptx_mod_of(instr, ISA_CAT_COMPARE), swapped);
    if (!compares_alike(jit, a, b, kind, isa_type_bits(ptx_instr_type(instr, 0)), lanes))
        return abstract_vector;
    bool scalar = b.repr == JIT_SCALAR && (count < 3 || src[2].repr == JIT_SCALAR);
    return scalar ? of_each_row(a) : jit_abstract_rows(0, 0);
}

static struct jit_abstract abstract_select(struct jit_abstract a, struct jit_abstract b,
                                           struct jit_abstract condition, struct jit_abstract other)
{
    bool rows = a.repr == JIT_ROWS || b.repr == JIT_ROWS || condition.repr == JIT_ROWS;
    if (!jit_is_row_wise(condition) || a.repr == JIT_VECTOR || b.repr == JIT_VECTOR) return abstract_vector;
    if (jit_is_row_wise(a) && jit_is_row_wise(b)) return other;
    if (a.stride != b.stride || a.wrap || b.wrap || (!rows && a.repr != b.repr)) return abstract_vector;
    return rows ? jit_abstract_rows(a.stride, 0) : abstract_affine(a.stride, 0);
}

static bool abstract_is_integer(enum isa_type type)
{
    enum isa_type_kind cls = isa_type_kind(type);
    return (cls == ISA_KIND_BITS || cls == ISA_KIND_UINT || cls == ISA_KIND_SINT) &&
           (isa_type_bits(type) == 32 || isa_type_bits(type) == 64);
}

static struct jit_abstract abstract_wide_mul(const struct jit *jit, const struct ptx_instr *instr,
                                             const struct jit_abstract *src, struct jit_abstract other)
{
    bool is_signed = jit_dest_signed(instr);
    if (isa_type_bits(ptx_instr_type(instr, 0)) != 32) return other;
    return abstract_mul(jit, abstract_widen(jit, src[0], is_signed), abstract_widen(jit, src[1], is_signed),
                        64);
}

/* A run of arithmetic of f64 is made in two ways (jit_emit_double.c), of scalars and vectors. */
static bool has_f64(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->type_count; i++)
        if (ptx_instr_type(instr, i) == ISA_F64) return true;
    return false;
}

/* Are R operations on scalars no more work than those on the machine's vectors? Addresses and conditions are
 * wanted as scalars anyhow. In loops floating-point values mostly meet vectors, and become some each time:
 * rays through spheres took 2.3 ms by rows and take 0.8, a bilinear resize, whose loop has none, 3.9 by
 * vectors and 3.0 by rows (Zen 4, blocks of 16x16). */
static bool rows_pay(const struct jit *jit, const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->type_count; i++)
        if (isa_type_kind(ptx_instr_type(instr, i)) == ISA_KIND_FLOAT ||
            isa_type_bits(ptx_instr_type(instr, i)) > 64)
            return !jit->block->in_cycle && jit->rows <= jit->part.parts && !has_f64(instr);
    return true;
}

/* Of any operation: a scalar of scalars; one a row where all sources are such. */
static struct jit_abstract abstract_any(const struct jit *jit, const struct ptx_instr *instr,
                                        const struct jit_abstract *src, unsigned count)
{
    bool scalar = true;
    for (unsigned i = 0; i < count; i++) {
        if (!jit_is_row_wise(src[i])) return abstract_vector;
        scalar &= src[i].repr == JIT_SCALAR;
    }
    if (scalar) return abstract_scalar;
    return ptx_has(instr, ISA_MOD_CC) || !rows_pay(jit, instr) ? abstract_vector : jit_abstract_rows(0, 0);
}

/* Elementwise operations on sources of known abstract value. */
struct jit_abstract jit_abstract_alu(const struct jit *jit, const struct ptx_instr *instr,
                                     const struct jit_abstract *src, unsigned count)
{
    struct jit_abstract other = abstract_any(jit, instr, src, count);
    enum isa_type type = ptx_instr_type(instr, 0);
    if (instr->op == ISA_OP_CVT && count == 1) return abstract_cvt(jit, instr, src[0], other);
    if (!abstract_is_integer(type) || instr->type_count > 1 || ptx_has(instr, ISA_MOD_CC) ||
        ptx_has(instr, ISA_MOD_SAT))
        return other;
    unsigned bits = isa_type_bits(type);
    bool wide = ptx_has(instr, ISA_MOD_WIDE), hi = ptx_has(instr, ISA_MOD_HI);
    switch ((unsigned)instr->op) {
    case ISA_OP_ADD: return abstract_add(jit, src[0], src[1], bits, 1);
    case ISA_OP_SUB: return abstract_add(jit, src[0], src[1], bits, -1);
    case ISA_OP_NEG: return abstract_add(jit, jit_abstract_const(0, bits), src[0], bits, -1);
    case ISA_OP_NOT: return abstract_add(jit, jit_abstract_const(UINT64_MAX, bits), src[0], bits, -1);
    case ISA_OP_MUL:
        if (hi) return other;
        return wide ? abstract_wide_mul(jit, instr, src, other) : abstract_mul(jit, src[0], src[1], bits);
    case ISA_OP_MAD:
        if (hi) return other;
        if (wide) return abstract_add(jit, abstract_wide_mul(jit, instr, src, other), src[2], 64, 1);
        return abstract_add(jit, abstract_mul(jit, src[0], src[1], bits), src[2], bits, 1);
    case ISA_OP_SHL: return abstract_shift_left(jit, src[0], src[1], bits, other);
    case ISA_OP_SHR: return abstract_shift_right(jit, src[0], src[1], other);
    case ISA_OP_AND: return abstract_and(jit, src[0], src[1], other);
    case ISA_OP_OR: return abstract_or(jit, src[0], src[1], bits, other);
    case ISA_OP_SETP: return abstract_compare(jit, instr, src, count, other);
    case ISA_OP_SELP: return abstract_select(src[0], src[1], src[2], other);
    default: return other;
    }
}

struct jit_abstract jit_abstract_cvta(const struct jit *jit, const struct ptx_instr *instr,
                                      struct jit_abstract a)
{
    if (ptx_instr_space(instr) != PTX_SPACE_LOCAL) {
        a.constant = a.constant && ptx_instr_space(instr) == PTX_SPACE_GLOBAL;
        a.align = 0;
        a.max = UINT64_MAX;
        return a;
    }
    if (a.repr == JIT_ROWS) return abstract_vector;
    struct jit_abstract lane = abstract_affine(jit->info.local_bytes, 0);
    a.constant = false;
    return abstract_add(jit, a, lane, 64, ptx_has(instr, ISA_MOD_TO) ? -1 : 1);
}
