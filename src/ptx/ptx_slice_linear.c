/* SPDX-License-Identifier: Apache-2.0 */
/* Values as sums of multiples of other values: what is left of additions, subtractions, and products with
 * constants, modulo 2^bits. Method: `or` and `add` are the same where no bit is set in both operands, which
 * compilers use; it follows from constants and the ranges of indices. Limits: PTX_LINEAR_MOST values and
 * STEPS steps, beyond which nothing is said. */
#include "ptx_slice_priv.h"

enum { STEPS = 256 }; /* implementation: values are graphs, whose paths may be many more than their nodes */

static bool is_const(const struct ptx_value *v)
{
    return v->kind == PTX_VALUE_CONST;
}

/* Bits above these are 0; documented: CUDA C Programming Guide, "Compute Capabilities". */
static unsigned high_bits(const struct ptx_value *v)
{
    enum { TID_BITS = 10, LANE_BITS = 5 };
    if (is_const(v)) return v->constant ? 64u - (unsigned)__builtin_clzll(v->constant) : 0;
    if (v->kind == PTX_VALUE_SPECIAL && isa_sreg_kind(v->sreg) == ISA_READS_TID) return TID_BITS;
    if (v->kind == PTX_VALUE_SPECIAL && isa_sreg_kind(v->sreg) == ISA_READS_LANE) return LANE_BITS;
    if (v->kind != PTX_VALUE_OP) return v->bits;
    if (v->op == PTX_DO_AND && is_const(v->arg[1])) return high_bits(v->arg[1]);
    if (v->op == PTX_DO_EXTEND && !v->is_signed) return high_bits(v->arg[0]);
    if (v->op == PTX_DO_SHR && !v->is_signed && is_const(v->arg[1]) && v->arg[1]->constant < v->bits)
        return v->bits - (unsigned)v->arg[1]->constant;
    return v->bits;
}

static unsigned trailing_zeros(uint64_t constant)
{
    return constant ? (unsigned)__builtin_ctzll(constant) : 64;
}

/* Bits below these are 0. */
static unsigned low_bits(const struct ptx_value *v)
{
    if (is_const(v)) return trailing_zeros(v->constant);
    if (v->kind != PTX_VALUE_OP) return 0;
    if (v->op == PTX_DO_EXTEND) return low_bits(v->arg[0]);
    if (v->op == PTX_DO_SHL && is_const(v->arg[1])) return (unsigned)v->arg[1]->constant;
    if (v->op == PTX_DO_MUL && is_const(v->arg[1])) return trailing_zeros(v->arg[1]->constant);
    if (v->op == PTX_DO_AND && is_const(v->arg[1])) return trailing_zeros(v->arg[1]->constant);
    return 0;
}

static bool or_is_add(const struct ptx_value *v)
{
    return low_bits(v->arg[0]) >= high_bits(v->arg[1]) || low_bits(v->arg[1]) >= high_bits(v->arg[0]);
}

bool ptx_is_sum(const struct ptx_value *v)
{
    if (v->kind != PTX_VALUE_OP) return false;
    switch ((unsigned)v->op) {
    case PTX_DO_ADD:
    case PTX_DO_SUB:
    case PTX_DO_NEG: return true;
    case PTX_DO_MUL: return is_const(v->arg[0]) || is_const(v->arg[1]);
    case PTX_DO_SHL: return is_const(v->arg[1]) && v->arg[1]->constant < v->bits;
    case PTX_DO_OR: return or_is_add(v);
    default: return false;
    }
}

static void add_value(struct ptx_linear *sum, struct ptx_value *v, uint64_t factor)
{
    for (unsigned i = 0; i < sum->count; i++)
        if (sum->terms[i].value == v) {
            sum->terms[i].factor = ptx_low_bits(sum->terms[i].factor + factor, sum->bits);
            return;
        }
    if (sum->count == PTX_LINEAR_MOST)
        sum->too_long = true;
    else
        sum->terms[sum->count++] = (struct ptx_multiple){ptx_low_bits(factor, sum->bits), v};
}

/* An extension of a constant, as selections leave it behind. */
static bool extends_const(struct ptx_slices *s, struct ptx_value *v, uint64_t *out)
{
    if (!s || v->kind != PTX_VALUE_OP || (v->op != PTX_DO_EXTEND && v->op != PTX_DO_TRUNCATE)) return false;
    return is_const(ptx_value_plain(s, v->arg[0])) && ptx_value_known(s, v, out);
}

static void add(struct ptx_slices *s, struct ptx_linear *sum, struct ptx_value *v, uint64_t factor)
{
    uint64_t constant;
    v = s ? ptx_value_plain(s, v) : v;
    if (sum->too_long || ++sum->steps > STEPS) {
        sum->too_long = true;
        return;
    }
    if (is_const(v) || extends_const(s, v, &constant)) {
        constant = is_const(v) ? v->constant : constant;
        sum->constant = ptx_low_bits(sum->constant + factor * constant, sum->bits);
        return;
    }
    if (!ptx_is_sum(v)) {
        add_value(sum, v, factor);
        return;
    }
    bool first_const = is_const(v->arg[0]);
    switch ((unsigned)v->op) {
    case PTX_DO_NEG: add(s, sum, v->arg[0], -factor); return;
    case PTX_DO_SHL: add(s, sum, v->arg[0], factor << v->arg[1]->constant); return;
    case PTX_DO_MUL: add(s, sum, v->arg[!!first_const], factor * v->arg[!first_const]->constant); return;
    default: break;
    }
    add(s, sum, v->arg[0], factor);
    add(s, sum, v->arg[1], v->op == PTX_DO_SUB ? -factor : factor);
}

void ptx_linear_of(struct ptx_slices *slices, struct ptx_value *value, struct ptx_linear *out)
{
    *out = (struct ptx_linear){.bits = value->bits};
    add(slices, out, value, 1);
    unsigned kept = 0;
    for (unsigned i = 0; i < out->count; i++)
        if (out->terms[i].factor) out->terms[kept++] = out->terms[i];
    out->count = kept;
}
