/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on shapes: what form a result has, given those of its sources (jit_core_forms.c says when that
 * is asked). A warp starts at a multiple of 32 threads, so an affine value of stride 1 that is `aligned`
 * there has the same bits from bit 5 up in all lanes, and is on the same side of any multiple of 32: `tid >>
 * 5` and `tid < 64` are scalars, and what stands under such a condition is run by whole warps. Limits:
 * integers of 32 and 64 bits; strides are compile-time constants. */
#include "jit_core_shape_priv.h"

#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"

enum { MAX_STRIDE = 1 << 24 }; /* 32 lanes then wrap at most once */

struct jit_shape jit_shape_const(uint64_t value, unsigned bits)
{
    if (bits < 64) value &= (1ull << bits) - 1;
    return (struct jit_shape){
        .form = JIT_SCALAR, .constant = true, .value = value, .max = value, .aligned = value % 32 == 0};
}

static struct jit_shape shape_affine(int64_t stride, int64_t wrap)
{
    if (stride == 0 && wrap == 0) return shape_scalar;
    if (stride == 0 || stride > MAX_STRIDE || stride < -MAX_STRIDE) return shape_vector;
    return (struct jit_shape){.form = JIT_AFFINE, .stride = stride, .wrap = wrap, .max = UINT64_MAX};
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

static struct jit_shape shape_add(struct jit_shape a, struct jit_shape b, unsigned bits, int sign)
{
    if (a.constant && b.constant)
        return jit_shape_const(sign > 0 ? a.value + b.value : a.value - b.value, bits);
    if (a.form == JIT_VECTOR || b.form == JIT_VECTOR) return shape_vector;
    if (a.wrap && b.wrap) return shape_vector; /* two limits */
    struct jit_shape sum = shape_affine(a.stride + sign * b.stride, a.wrap + sign * b.wrap);
    sum.max = sign > 0 ? bound(max_add(a.max, b.max), bits) : UINT64_MAX;
    sum.aligned = a.aligned && b.aligned && (sum.form == JIT_SCALAR || sum.stride == 1);
    return sum;
}

static struct jit_shape shape_mul(struct jit_shape a, struct jit_shape b, unsigned bits)
{
    if (a.constant && b.constant) return jit_shape_const(a.value * b.value, bits);
    if (a.form == JIT_VECTOR || b.form == JIT_VECTOR) return shape_vector;
    if (a.form == JIT_SCALAR && b.form == JIT_SCALAR) {
        struct jit_shape product = shape_scalar;
        product.aligned = a.aligned || b.aligned;
        product.max = bound(max_mul(a.max, b.max), bits);
        return product;
    }
    if (a.constant) {
        struct jit_shape swap = a;
        a = b;
        b = swap;
    }
    int64_t factor = bits == 32 ? (int32_t)b.value : (int64_t)b.value;
    if (!b.constant || factor > MAX_STRIDE || factor < -MAX_STRIDE) return shape_vector;
    if (factor == 0) return jit_shape_const(0, bits);
    struct jit_shape product = shape_affine(a.stride * factor, a.wrap * factor);
    product.max = factor > 0 ? bound(max_mul(a.max, (uint64_t)factor), bits) : UINT64_MAX;
    return product;
}

/* A 32-bit value made 64 bits wide. */
static struct jit_shape shape_widen(struct jit_shape a, bool is_signed)
{
    if (a.constant) return jit_shape_const(is_signed ? (uint64_t)(int64_t)(int32_t)a.value : a.value, 64);
    if (is_signed && a.max >= 1ull << 31) a.max = UINT64_MAX;
    if (a.form != JIT_AFFINE) return a;
    uint64_t reach = (uint64_t)(a.stride < 0 ? -a.stride : a.stride);
    bool exact = (a.max < (1ull << 31) && a.max + reach < (1ull << 31)) || (a.aligned && a.stride == 1);
    struct jit_shape wide = a;
    wide.wrap = exact ? 0 : a.stride > 0 ? (int64_t)1 << 32 : -((int64_t)1 << 32);
    return wide;
}

static struct jit_shape shape_cvt(const struct ptx_instr *instr, struct jit_shape a)
{
    enum isa_type to = ptx_instr_type(instr, 0), from = ptx_instr_type(instr, 1);
    bool integers = isa_type_kind(to) != ISA_KIND_FLOAT && isa_type_kind(from) != ISA_KIND_FLOAT;
    if (a.form == JIT_SCALAR && (!integers || !a.constant || ptx_has(instr, ISA_MOD_SAT)))
        return shape_scalar;
    if (!integers || ptx_has(instr, ISA_MOD_SAT)) return shape_vector;
    unsigned to_bits = isa_type_bits(to), from_bits = isa_type_bits(from);
    if (from_bits == 32 && to_bits == 64) return shape_widen(a, isa_type_kind(from) == ISA_KIND_SINT);
    if (a.form == JIT_SCALAR) return shape_scalar;
    if (to_bits == from_bits && to_bits >= 32) return a;
    if (from_bits == 64 && to_bits == 32) {
        a.wrap = 0;
        a.max = bound(a.max, 32);
        return a;
    }
    return shape_vector;
}

static struct jit_shape shape_shift_left(struct jit_shape a, struct jit_shape count, unsigned bits)
{
    if (!count.constant || count.value >= 24)
        return a.form == JIT_SCALAR && count.form == JIT_SCALAR ? shape_scalar : shape_vector;
    return shape_mul(a, jit_shape_const(1ull << count.value, bits), bits);
}

/* Lane l has base + l, with base a multiple of 32. */
static bool whole_warp(struct jit_shape a)
{
    return a.form == JIT_AFFINE && a.aligned && a.stride == 1 && a.wrap == 0;
}

static struct jit_shape shape_shift_right(struct jit_shape a, struct jit_shape count)
{
    if (a.form == JIT_SCALAR && count.form == JIT_SCALAR) {
        struct jit_shape shape = shape_scalar;
        if (a.max != UINT64_MAX && count.constant && count.value < 64) shape.max = a.max >> count.value;
        return shape;
    }
    if (!whole_warp(a) || !count.constant || count.value < 5) return shape_vector;
    return shape_scalar; /* 32 lanes from a multiple of 32 on have the same high bits */
}

static struct jit_shape shape_and(struct jit_shape a, struct jit_shape b)
{
    if (a.form == JIT_VECTOR || b.form == JIT_VECTOR) return shape_vector;
    if (a.form == JIT_SCALAR && b.form == JIT_SCALAR) {
        struct jit_shape shape = shape_scalar;
        shape.max = a.max < b.max ? a.max : b.max;
        shape.aligned = a.aligned || b.aligned;
        return shape;
    }
    if (a.form == JIT_SCALAR) {
        struct jit_shape swap = a;
        a = b;
        b = swap;
    }
    if (!a.aligned || a.wrap || !b.constant) return shape_vector;
    if (b.value % 32 == 0) return shape_scalar;
    if (b.value % 32 != 31) return shape_vector;
    a.max = b.value;
    return a;
}

/* A lane's number beside bits above it is a sum. */
static struct jit_shape shape_or(struct jit_shape a, struct jit_shape b, unsigned bits)
{
    if (a.form == JIT_SCALAR && b.form == JIT_SCALAR) return shape_scalar;
    if (a.form == JIT_SCALAR) return shape_or(b, a, bits);
    if (!whole_warp(a) || a.max > 31 || b.form != JIT_SCALAR || !b.aligned) return shape_vector;
    return shape_add(a, b, bits, 1);
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

/* Is the comparison of the 32 lanes from a multiple of 32 on with one number the same in all of them? A
 * multiple of 32 lies above all or none; so does what no lane reaches, as long as it has no sign. */
static bool compares_alike(struct jit_shape a, struct jit_shape b, int kind, unsigned bits)
{
    bool plain = b.constant && b.value >> (bits - 1) == 0 && a.max >> (bits - 1) == 0;
    if (plain && (b.value > a.max || (b.value == a.max && kind == UP_TO))) return true;
    if (kind == BELOW) return b.aligned;
    return kind == UP_TO && b.constant && b.value % 32 == 31;
}

/* setp without a third predicate, or with one that is a scalar. */
static struct jit_shape shape_compare(const struct ptx_instr *instr, const struct jit_shape *src,
                                      unsigned count)
{
    bool swapped = src[0].form == JIT_SCALAR;
    struct jit_shape a = src[swapped], b = src[!swapped];
    if (count > 2 && src[2].form != JIT_SCALAR) return shape_vector;
    if (a.form == JIT_SCALAR && b.form == JIT_SCALAR) return shape_scalar;
    if (!whole_warp(a) || b.form != JIT_SCALAR) return shape_vector;
    int kind = compare_kind(ptx_mod_of(instr, ISA_CAT_COMPARE), swapped);
    return compares_alike(a, b, kind, isa_type_bits(ptx_instr_type(instr, 0))) ? shape_scalar : shape_vector;
}

static struct jit_shape shape_select(struct jit_shape a, struct jit_shape b, struct jit_shape condition)
{
    if (condition.form != JIT_SCALAR || a.form != b.form || a.form == JIT_VECTOR) return shape_vector;
    if (a.form == JIT_SCALAR) return shape_scalar;
    if (a.stride != b.stride || a.wrap || b.wrap) return shape_vector;
    return shape_affine(a.stride, 0);
}

static bool is_integer(enum isa_type type)
{
    enum isa_type_kind cls = isa_type_kind(type);
    return (cls == ISA_KIND_BITS || cls == ISA_KIND_UINT || cls == ISA_KIND_SINT) &&
           (isa_type_bits(type) == 32 || isa_type_bits(type) == 64);
}

static struct jit_shape shape_wide_mul(const struct ptx_instr *instr, const struct jit_shape *src)
{
    bool is_signed = jit_dest_signed(instr);
    if (isa_type_bits(ptx_instr_type(instr, 0)) != 32)
        return src[0].form == JIT_SCALAR && src[1].form == JIT_SCALAR ? shape_scalar : shape_vector;
    return shape_mul(shape_widen(src[0], is_signed), shape_widen(src[1], is_signed), 64);
}

static bool all_scalar(const struct jit_shape *src, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (src[i].form != JIT_SCALAR) return false;
    return true;
}

/* Elementwise operations on sources of known shape. */
struct jit_shape jit_shape_alu(const struct ptx_instr *instr, const struct jit_shape *src, unsigned count)
{
    struct jit_shape other = all_scalar(src, count) ? shape_scalar : shape_vector;
    enum isa_type type = ptx_instr_type(instr, 0);
    if (instr->op == ISA_OP_CVT && count == 1) return shape_cvt(instr, src[0]);
    if (!is_integer(type) || instr->type_count > 1 || ptx_has(instr, ISA_MOD_CC) ||
        ptx_has(instr, ISA_MOD_SAT))
        return other;
    unsigned bits = isa_type_bits(type);
    bool wide = ptx_has(instr, ISA_MOD_WIDE), hi = ptx_has(instr, ISA_MOD_HI);
    switch ((unsigned)instr->op) {
    case ISA_OP_ADD: return shape_add(src[0], src[1], bits, 1);
    case ISA_OP_SUB: return shape_add(src[0], src[1], bits, -1);
    case ISA_OP_MUL:
        if (hi) return other;
        return wide ? shape_wide_mul(instr, src) : shape_mul(src[0], src[1], bits);
    case ISA_OP_MAD:
        if (hi) return other;
        if (wide) return shape_add(shape_wide_mul(instr, src), src[2], 64, 1);
        return shape_add(shape_mul(src[0], src[1], bits), src[2], bits, 1);
    case ISA_OP_SHL: return shape_shift_left(src[0], src[1], bits);
    case ISA_OP_SHR: return shape_shift_right(src[0], src[1]);
    case ISA_OP_AND: return shape_and(src[0], src[1]);
    case ISA_OP_OR: return shape_or(src[0], src[1], bits);
    case ISA_OP_SETP: return shape_compare(instr, src, count);
    case ISA_OP_SELP: return shape_select(src[0], src[1], src[2]);
    default: return other;
    }
}

struct jit_shape jit_shape_cvta(const struct jit *jit, const struct ptx_instr *instr, struct jit_shape a)
{
    if (ptx_instr_space(instr) != PTX_SPACE_LOCAL) {
        a.constant = a.constant && ptx_instr_space(instr) == PTX_SPACE_GLOBAL;
        a.aligned = false;
        a.max = UINT64_MAX;
        return a;
    }
    struct jit_shape lane = shape_affine(jit->info.local_bytes, 0);
    a.constant = false;
    return shape_add(a, lane, 64, ptx_has(instr, ISA_MOD_TO) ? -1 : 1);
}
