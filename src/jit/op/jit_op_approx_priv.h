/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the approximate functions: jit_op_approx.c (rcp, div, sqrt, rsqrt), jit_op_transcend.c (ex2, lg2,
 * sin, cos, tanh), jit_op_seed.c (f64), jit_op_guard.c (what they share). Values are bits (i32, f64: i64)
 * throughout. */
#ifndef JIT_OP_APPROX_PRIV_H
#define JIT_OP_APPROX_PRIV_H

#include "jit_op_priv.h"

enum {
    JIT_F32_NAN = 0x7fffffff,
    JIT_F32_INF = 0x7f800000,
    JIT_F32_LEAST_NORMAL = 0x00800000,
    JIT_F32_ONE = 0x3f800000
};

bool jit_flushes(const struct jit_op *op); /* .ftz */
/* The operand, its NaN not made canonical: a NaN gives one NaN, whichever it is. */
jv jv_source_bits(struct jit_op *op, unsigned i);
jv jv_magnitude(struct jit_part *p, jv bits);
jv jv_sign(struct jit_part *p, jv bits);
jv jv_is_tiny(struct jit_part *p, jv bits); /* denormal or zero */
jv jv_is_nan(struct jit_part *p, jv bits);
jv jv_is_positive_normal(struct jit_part *p, jv bits);
/* One rounding to nearest; the NaN of x86 */
jv jv_times(struct jit_part *p, jv a, jv b);
jv jv_times_k(struct jit_part *p, jv a, double k);
jv jv_plus_k(struct jit_part *p, jv a, double k);
/* Denormals times 2^24 unless they count as zeros */
jv jv_normalized(struct jit_part *p, jv x, bool flush);

/* The root r, or its reciprocal, of x, right for all x; zero, infinity: what those give */
jv jv_root_fixed(struct jit_part *p, jv x, jv r, uint32_t zero, uint32_t infinity);

/* Operands that need neither scaling nor a special result are usual; what the others need is branched around:
 *     all lanes usual? -> core | scale: operand for the unit -> core: the unit; all usual? -> after | fix ->
 * after open (next: the operand for the unit where not all lanes are usual), core (the unit's operand; next:
 * the unit), fix (next: the result where not all are usual), close (the result). */
struct jit_guard {
    struct jit_part *p;
    jv usual;
    LLVMBasicBlockRef before, scaled, core, fix, after;
};
void jit_guard_open(struct jit_guard *g, struct jit_part *p, jv usual);
jv jit_guard_core(struct jit_guard *g, jv x, jv scaled);
void jit_guard_fix(struct jit_guard *g);
jv jit_guard_close(struct jit_guard *g, jv result, jv fixed);

void jit_build_fast_approx(struct jit_op *op); /* f32, jit_op_approx_fast.c */
void jit_build_ex2(struct jit_op *op);
void jit_build_lg2(struct jit_op *op);
void jit_build_sin(struct jit_op *op);
void jit_build_cos(struct jit_op *op);
void jit_build_tanh(struct jit_op *op);
void jit_build_seed(struct jit_op *op); /* rcp.approx.ftz.f64, rsqrt.approx.ftz.f64 */
void jit_build_rsqrt64(struct jit_op *op);
#endif
