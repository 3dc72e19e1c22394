/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on abstract values: what representation a result has, given those of its sources
 * (jit_core_repr.c says when that is asked). A warp starts at a multiple of 32 threads, so an affine value of
 * stride 1 that is `aligned` there has the same bits from bit 5 up in all lanes, and is on the same side of
 * any multiple of 32: `tid >> 5` and `tid < 64` are scalars, and what stands under such a condition is run by
 * whole warps. Limits: integers of 32 and 64 bits; strides are compile-time constants. */
#include "jit_core_abstract_priv.h"

#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"

enum { MAX_STRIDE = 1 << 24 }; /* 32 lanes then wrap at most once */

struct jit_abstract jit_abstract_const(uint64_t value, unsigned bits)
{
    if (bits < 64) value &= (1ull << bits) - 1;
    return (struct jit_abstract){
        .repr = JIT_SCALAR, .constant = true, .value = value, .max = value, .aligned = value % 32 == 0};
}

static struct jit_abstract abstract_affine(int64_t stride, int64_t wrap)
{
    if (stride == 0 && wrap == 0) return abstract_scalar;
    if (stride == 0 || stride > MAX_STRIDE || stride < -MAX_STRIDE) return abstract_vector;
    return (struct jit_abstract){.repr = JIT_AFFINE, .stride = stride, .wrap = wrap, .max = UINT64_MAX};
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

static struct jit_abstract abstract_add(struct jit_abstract a, struct jit_abstract b, unsigned bits, int sign)
{
    if (a.constant && b.constant)
        return jit_abstract_const(sign > 0 ? a.value + b.value : a.value - b.value, bits);
    if (a.repr == JIT_VECTOR || b.repr == JIT_VECTOR) return abstract_vector;
    if (a.wrap && b.wrap) return abstract_vector; /* two limits */
    struct jit_abstract sum = abstract_affine(a.stride + sign * b.stride, a.wrap + sign * b.wrap);
    sum.max = sign > 0 ? bound(max_add(a.max, b.max), bits) : UINT64_MAX;
    sum.aligned = a.aligned && b.aligned && (sum.repr == JIT_SCALAR || sum.stride == 1);
    return sum;
}

static struct jit_abstract abstract_mul(struct jit_abstract a, struct jit_abstract b, unsigned bits)
{
    if (a.constant && b.constant) return jit_abstract_const(a.value * b.value, bits);
    if (a.repr == JIT_VECTOR || b.repr == JIT_VECTOR) return abstract_vector;
    if (a.repr == JIT_SCALAR && b.repr == JIT_SCALAR) {
        struct jit_abstract product = abstract_scalar;
        product.aligned = a.aligned || b.aligned;
        product.max = bound(max_mul(a.max, b.max), bits);
        return product;
    }
    if (a.constant) {
        struct jit_abstract swap = a;
        a = b;
        b = swap;
    }
    int64_t factor = bits == 32 ? (int32_t)b.value : (int64_t)b.value;
    if (!b.constant || factor > MAX_STRIDE || factor < -MAX_STRIDE) return abstract_vector;
    if (factor == 0) return jit_abstract_const(0, bits);
    struct jit_abstract product = abstract_affine(a.stride * factor, a.wrap * factor);
    product.max = factor > 0 ? bound(max_mul(a.max, (uint64_t)factor), bits) : UINT64_MAX;
    return product;
}

/* A 32-bit value made 64 bits wide. */
static struct jit_abstract abstract_widen(struct jit_abstract a, bool is_signed)
{
    if (a.constant) return jit_abstract_const(is_signed ? (uint64_t)(int64_t)(int32_t)a.value : a.value, 64);
    if (is_signed && a.max >= 1ull << 31) a.max = UINT64_MAX;
    if (a.repr != JIT_AFFINE) return a;
    uint64_t reach = (uint64_t)(a.stride < 0 ? -a.stride : a.stride);
    bool exact = (a.max < (1ull << 31) && a.max + reach < (1ull << 31)) || (a.aligned && a.stride == 1);
    struct jit_abstract wide = a;
    wide.wrap = exact ? 0 : a.stride > 0 ? (int64_t)1 << 32 : -((int64_t)1 << 32);
    return wide;
}

static struct jit_abstract abstract_cvt(const struct ptx_instr *instr, struct jit_abstract a)
{
    enum isa_type to = ptx_instr_type(instr, 0), from = ptx_instr_type(instr, 1);
    bool integers = isa_type_kind(to) != ISA_KIND_FLOAT && isa_type_kind(from) != ISA_KIND_FLOAT;
    if (a.repr == JIT_SCALAR && (!integers || !a.constant || ptx_has(instr, ISA_MOD_SAT)))
        return abstract_scalar;
    if (!integers || ptx_has(instr, ISA_MOD_SAT)) return abstract_vector;
    unsigned to_bits = isa_type_bits(to), from_bits = isa_type_bits(from);
    if (from_bits == 32 && to_bits == 64) return abstract_widen(a, isa_type_kind(from) == ISA_KIND_SINT);
    if (a.repr == JIT_SCALAR) return abstract_scalar;
    if (to_bits == from_bits && to_bits >= 32) return a;
    if (from_bits == 64 && to_bits == 32) {
        a.wrap = 0;
        a.max = bound(a.max, 32);
        return a;
    }
    return abstract_vector;
}

static struct jit_abstract abstract_shift_left(struct jit_abstract a, struct jit_abstract count,
                                               unsigned bits)
{
    if (!count.constant || count.value >= 24)
        return a.repr == JIT_SCALAR && count.repr == JIT_SCALAR ? abstract_scalar : abstract_vector;
    return abstract_mul(a, jit_abstract_const(1ull << count.value, bits), bits);
}

/* Lane l has base + l, with base a multiple of 32. */
static bool whole_warp(struct jit_abstract a)
{
    return a.repr == JIT_AFFINE && a.aligned && a.stride == 1 && a.wrap == 0;
}

static struct jit_abstract abstract_shift_right(struct jit_abstract a, struct jit_abstract count)
{
    if (a.repr == JIT_SCALAR && count.repr == JIT_SCALAR) {
        struct jit_abstract abstract = abstract_scalar;
        if (a.max != UINT64_MAX && count.constant && count.value < 64) abstract.max = a.max >> count.value;
        return abstract;
    }
    if (!whole_warp(a) || !count.constant || count.value < 5) return abstract_vector;
    return abstract_scalar; /* 32 lanes from a multiple of 32 on have the same high bits */
}

static struct jit_abstract abstract_and(struct jit_abstract a, struct jit_abstract b)
{
    if (a.repr == JIT_VECTOR || b.repr == JIT_VECTOR) return abstract_vector;
    if (a.repr == JIT_SCALAR && b.repr == JIT_SCALAR) {
        struct jit_abstract abstract = abstract_scalar;
        abstract.max = a.max < b.max ? a.max : b.max;
        abstract.aligned = a.aligned || b.aligned;
        return abstract;
    }
    if (a.repr == JIT_SCALAR) {
        struct jit_abstract swap = a;
        a = b;
        b = swap;
    }
    if (!a.aligned || a.wrap || !b.constant) return abstract_vector;
    if (b.value % 32 == 0) return abstract_scalar;
    if (b.value % 32 != 31) return abstract_vector;
    a.max = b.value;
    return a;
}

/* A lane's number beside bits above it is a sum. */
static struct jit_abstract abstract_or(struct jit_abstract a, struct jit_abstract b, unsigned bits)
{
    if (a.repr == JIT_SCALAR && b.repr == JIT_SCALAR) return abstract_scalar;
    if (a.repr == JIT_SCALAR) return abstract_or(b, a, bits);
    if (!whole_warp(a) || a.max > 31 || b.repr != JIT_SCALAR || !b.aligned) return abstract_vector;
    return abstract_add(a, b, bits, 1);
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
static bool compares_alike(struct jit_abstract a, struct jit_abstract b, int kind, unsigned bits)
{
    bool plain = b.constant && b.value >> (bits - 1) == 0 && a.max >> (bits - 1) == 0;
    if (plain && (b.value > a.max || (b.value == a.max && kind == UP_TO))) return true;
    if (kind == BELOW) return b.aligned;
    return kind == UP_TO && b.constant && b.value % 32 == 31;
}

/* setp without a third predicate, or with one that is a scalar. */
static struct jit_abstract abstract_compare(const struct ptx_instr *instr, const struct jit_abstract *src,
                                            unsigned count)
{
    bool swapped = src[0].repr == JIT_SCALAR;
    struct jit_abstract a = src[swapped], b = src[!swapped];
    if (count > 2 && src[2].repr != JIT_SCALAR) return abstract_vector;
    if (a.repr == JIT_SCALAR && b.repr == JIT_SCALAR) return abstract_scalar;
    if (!whole_warp(a) || b.repr != JIT_SCALAR) return abstract_vector;
    int kind = compare_kind(ptx_mod_of(instr, ISA_CAT_COMPARE), swapped);
    return compares_alike(a, b, kind, isa_type_bits(ptx_instr_type(instr, 0))) ? abstract_scalar
                                                                               : abstract_vector;
}

static struct jit_abstract abstract_select(struct jit_abstract a, struct jit_abstract b,
                                           struct jit_abstract condition)
{
    if (condition.repr != JIT_SCALAR || a.repr != b.repr || a.repr == JIT_VECTOR) return abstract_vector;
    if (a.repr == JIT_SCALAR) return abstract_scalar;
    if (a.stride != b.stride || a.wrap || b.wrap) return abstract_vector;
    return abstract_affine(a.stride, 0);
}

static bool abstract_is_integer(enum isa_type type)
{
    enum isa_type_kind cls = isa_type_kind(type);
    return (cls == ISA_KIND_BITS || cls == ISA_KIND_UINT || cls == ISA_KIND_SINT) &&
           (isa_type_bits(type) == 32 || isa_type_bits(type) == 64);
}

static struct jit_abstract abstract_wide_mul(const struct ptx_instr *instr, const struct jit_abstract *src)
{
    bool is_signed = jit_dest_signed(instr);
    if (isa_type_bits(ptx_instr_type(instr, 0)) != 32)
        return src[0].repr == JIT_SCALAR && src[1].repr == JIT_SCALAR ? abstract_scalar : abstract_vector;
    return abstract_mul(abstract_widen(src[0], is_signed), abstract_widen(src[1], is_signed), 64);
}

static bool all_scalar(const struct jit_abstract *src, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (src[i].repr != JIT_SCALAR) return false;
    return true;
}

/* Elementwise operations on sources of known abstract value. */
struct jit_abstract jit_abstract_alu(const struct ptx_instr *instr, const struct jit_abstract *src,
                                     unsigned count)
{
    struct jit_abstract other = all_scalar(src, count) ? abstract_scalar : abstract_vector;
    enum isa_type type = ptx_instr_type(instr, 0);
    if (instr->op == ISA_OP_CVT && count == 1) return abstract_cvt(instr, src[0]);
    if (!abstract_is_integer(type) || instr->type_count > 1 || ptx_has(instr, ISA_MOD_CC) ||
        ptx_has(instr, ISA_MOD_SAT))
        return other;
    unsigned bits = isa_type_bits(type);
    bool wide = ptx_has(instr, ISA_MOD_WIDE), hi = ptx_has(instr, ISA_MOD_HI);
    switch ((unsigned)instr->op) {
    case ISA_OP_ADD: return abstract_add(src[0], src[1], bits, 1);
    case ISA_OP_SUB: return abstract_add(src[0], src[1], bits, -1);
    case ISA_OP_NEG: return abstract_add(jit_abstract_const(0, bits), src[0], bits, -1);
    case ISA_OP_NOT: return abstract_add(jit_abstract_const(UINT64_MAX, bits), src[0], bits, -1);
    case ISA_OP_MUL:
        if (hi) return other;
        return wide ? abstract_wide_mul(instr, src) : abstract_mul(src[0], src[1], bits);
    case ISA_OP_MAD:
        if (hi) return other;
        if (wide) return abstract_add(abstract_wide_mul(instr, src), src[2], 64, 1);
        return abstract_add(abstract_mul(src[0], src[1], bits), src[2], bits, 1);
    case ISA_OP_SHL: return abstract_shift_left(src[0], src[1], bits);
    case ISA_OP_SHR: return abstract_shift_right(src[0], src[1]);
    case ISA_OP_AND: return abstract_and(src[0], src[1]);
    case ISA_OP_OR: return abstract_or(src[0], src[1], bits);
    case ISA_OP_SETP: return abstract_compare(instr, src, count);
    case ISA_OP_SELP: return abstract_select(src[0], src[1], src[2]);
    default: return other;
    }
}

struct jit_abstract jit_abstract_cvta(const struct jit *jit, const struct ptx_instr *instr,
                                      struct jit_abstract a)
{
    if (ptx_instr_space(instr) != PTX_SPACE_LOCAL) {
        a.constant = a.constant && ptx_instr_space(instr) == PTX_SPACE_GLOBAL;
        a.aligned = false;
        a.max = UINT64_MAX;
        return a;
    }
    struct jit_abstract lane = abstract_affine(jit->info.local_bytes, 0);
    a.constant = false;
    return abstract_add(a, lane, 64, ptx_has(instr, ISA_MOD_TO) ? -1 : 1);
}
