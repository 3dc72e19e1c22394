/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions (PTX ISA 9.7.9.21).
 * Method: integers to integers by the source's sign, clamped first under .sat.
 * Limits: see jit_select_convert for the forms that are done. */
#include "jit_op_priv.h"

/* .sat: into the destination's range, at the source's width. */
static jv clamp_integer(struct jit_part *p, jv a, enum ptx_type from, enum ptx_type to)
{
    unsigned wide = jv_width(a), bits = ptx_type_bits(to);
    bool is_signed = jit_is_signed(from);
    uint64_t most = jit_is_signed(to) ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
    if (is_signed && !jit_is_signed(to)) a = jv_max(p, a, jv_k(a, 0), true);
    if (bits < wide || (bits == wide && jit_is_signed(to) && !is_signed))
        a = jv_min(p, a, jv_k(a, most), is_signed && wide > bits);
    if (is_signed && jit_is_signed(to) && bits < wide) a = jv_max(p, a, jv_k(a, ~most), true);
    return a;
}

static void build_integer(struct jit_op *op)
{
    enum ptx_type from = ptx_instr_type(op->instr, 1);
    jv a = op->src[0];
    if (jit_has(op->instr, PTX_MOD_SAT)) a = clamp_integer(op->part, a, from, op->type);
    op->dst[0] = jv_fit(op->part, a, ptx_type_bits(op->type), jit_is_signed(from));
}

jit_build_fn jit_select_convert(const struct ptx_instr *instr)
{
    enum ptx_type to = ptx_instr_type(instr, 0), from = ptx_instr_type(instr, 1);
    if (!jit_is_float(to) && !jit_is_float(from)) return build_integer;
    return NULL;
}
