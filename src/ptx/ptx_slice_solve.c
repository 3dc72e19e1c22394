/* SPDX-License-Identifier: Apache-2.0 */
/* The one part of an address that is not known, from the address: the sums, products and extensions around it
 * are undone.
 *
 *   result = a * f + rest, f = odd * 2^s      a = (result - rest) / 2^s * odd^-1, modulo 2^(bits - s)
 *   result = extension of a                   a = its low bits, if the others are as they must be
 *
 * Limits: a part inside of products of two such parts, divisions, shifts to the right or bit operations does
 * not follow. */
#include "ptx_slice_priv.h"

struct equation { /* of the low `known` bits */
    uint64_t result;
    unsigned known;
};

/* a * factor = result; false: it is no such multiple. */
static bool undo_factor(uint64_t factor, struct equation *e)
{
    uint64_t inverse = 1;
    unsigned zeros = factor ? (unsigned)__builtin_ctzll(factor) : 64;
    if (zeros >= e->known || ptx_low_bits(e->result, zeros)) return false;
    uint64_t odd = factor >> zeros;
    for (int i = 0; i < 6; i++) /* Newton: doubles the bits that are right */
        inverse *= 2 - odd * inverse;
    e->known -= zeros;
    e->result = ptx_low_bits((e->result >> zeros) * inverse, e->known);
    return true;
}

/* Of the one term whose value is not known; false: there are several, or the result is no such multiple. */
static bool undo_sum(struct ptx_slices *s, const struct ptx_linear *sum, struct equation *e,
                     struct ptx_value **inner)
{
    const struct ptx_multiple *term = NULL;
    uint64_t rest = sum->constant, value;
    for (unsigned i = 0; i < sum->count; i++) {
        if (ptx_value_known(s, sum->terms[i].value, &value)) {
            rest += sum->terms[i].factor * value;
            continue;
        }
        if (term) return false;
        term = &sum->terms[i];
    }
    if (!term || sum->too_long) return false;
    e->result = ptx_low_bits(e->result - rest, e->known);
    if (!undo_factor(term->factor, e)) return false;
    *inner = ptx_value_plain(s, term->value);
    return true;
}

/* A product of which one factor is known. */
static bool undo_product(struct ptx_slices *s, const struct ptx_value *v, struct equation *e,
                         struct ptx_value **inner)
{
    uint64_t factor;
    int other = ptx_value_known(s, v->arg[0], &factor);
    if (!other && !ptx_value_known(s, v->arg[1], &factor)) return false;
    *inner = ptx_value_plain(s, v->arg[other]);
    return undo_factor(factor, e);
}

static bool undo_extension(const struct ptx_value *v, struct equation *e)
{
    unsigned bits = v->arg[0]->bits;
    if (e->known <= bits) return true;
    uint64_t low = ptx_low_bits(e->result, bits);
    uint64_t all = v->is_signed ? (uint64_t)ptx_signed(low, bits) : low;
    if (ptx_low_bits(all, e->known) != e->result) return false;
    e->result = low;
    e->known = bits;
    return true;
}

static bool undo(struct ptx_slices *s, struct ptx_value **at, struct equation *e)
{
    struct ptx_value *v = *at;
    struct ptx_linear sum;
    if (ptx_is_sum(v)) {
        ptx_linear_of(s, v, &sum);
        return undo_sum(s, &sum, e, at);
    }
    if (v->kind != PTX_VALUE_OP) return false;
    if (v->op == PTX_DO_MUL) return undo_product(s, v, e, at);
    if (v->op != PTX_DO_EXTEND && v->op != PTX_DO_TRUNCATE) return false;
    *at = ptx_value_plain(s, v->arg[0]);
    return v->op == PTX_DO_TRUNCATE || undo_extension(v, e);
}

bool ptx_value_solve(struct ptx_slices *s, struct ptx_value *v, uint64_t result, struct ptx_value *unknown,
                     uint64_t *out, unsigned *bits)
{
    struct equation e = {ptx_low_bits(result, v->bits), v->bits};
    for (v = ptx_value_plain(s, v); v != unknown;)
        if (!undo(s, &v, &e)) return false;
    *out = e.result;
    *bits = e.known;
    return true;
}
