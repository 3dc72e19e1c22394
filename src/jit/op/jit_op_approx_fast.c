/* SPDX-License-Identifier: Apache-2.0 */
/* The approximate functions of f32 for SOFTWARP_APPROX=fast: rcp, sqrt, rsqrt, div, ex2, lg2, sin, cos, tanh
 * (PTX ISA 9.7.3), within the PTX ISA's bounds, two to six times as fast as the bits of the hardware's tables
 * (jit_op_approx.c, the default).
 * Method: IEEE division and square root where they are enough; otherwise range reduction and minimax
 * polynomials (Remez, relative error) in fma, coefficients rounded to f32. No rcpps, rsqrt14 and the like:
 * their bits differ between vendors and widths. docs/numerics.md has the errors measured. Limits: sin and cos
 * of |x| >= 2^22, where f32 no longer distinguishes angles usefully, are those of 0. */
#include "jit_op_approx_priv.h"
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

static jv approx_fast_source(struct jit_op *op, unsigned i)
{
    jv a = jv_float(op->part, op->src[i]);
    return jit_has(op->instr, ISA_MOD_FTZ) ? jv_flush(op->part, a) : a;
}

static void approx_fast_finish(struct jit_op *op, jv a)
{
    if (jit_has(op->instr, ISA_MOD_FTZ)) a = jv_flush(op->part, a);
    op->dst[0] = jv_result(op->part, a);
}

/* ---- by division and square root */

static void approx_fast_build_rcp(struct jit_op *op)
{
    jv a = approx_fast_source(op, 0);
    approx_fast_finish(op, jv_fdiv(op->part, jv_fk(a, 1), a));
}

static void build_sqrt(struct jit_op *op)
{
    approx_fast_finish(op, jv_call1(op->part, "llvm.sqrt", approx_fast_source(op, 0)));
}

/* Above 2^126 the hardware's reciprocal of b is a denormal that it flushes: a * 0. */
static void build_div(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv a = approx_fast_source(op, 0), b = approx_fast_source(op, 1), quotient = jv_fdiv(p, a, b);
    if (jit_has(op->instr, ISA_MOD_APPROX)) {
        jv sign = jv_and_k(p, jv_bits(p, b), 0x80000000);
        jv large = jv_fcmp(p, LLVMRealOGT, jv_fabs(p, b), jv_fk(b, 0x1p126));
        quotient = jv_select(p, large, jv_fmul(p, a, jv_float_exact(p, sign)), quotient);
    }
    approx_fast_finish(op, quotient);
}

/* ---- polynomials */

/* c[0] + c[1] x + ... */
static jv polynomial(struct jit_part *p, jv x, const float *c, unsigned count)
{
    jv sum = jv_fk(x, c[count - 1]);
    for (unsigned i = count - 1; i-- > 0;)
        sum = jv_fma(p, sum, x, jv_fk(x, c[i]));
    return sum;
}

/* ---- reciprocal square root */

/* x normal and positive. Halving the exponent in the integer gives r with e = 1 - x r^2 between -0.065 and
 * 0.071 (magic constant: the one whose range suits the polynomial best); then 1/sqrt(x) = r / sqrt(1 - e) =
 * r + r e P(e), P minimax in relative error. One step of degree 4 takes 7 multiplications, Newton's iteration
 * 10 for the same error; sqrtps and divps take three times as long. */
static jv normal_rsqrt(struct jit_part *p, jv x)
{
    static const float c[] = {0x1.ffff9ep-2f, 0x1.7ffceep-2f, 0x1.416498p-2f, 0x1.1cdc44p-2f};
    jv bits = jv_bits(p, x);
    jv r = jv_float_exact(p, jv_sub(p, jv_k(bits, 0x5f370000), jv_lshr_k(p, bits, 1)));
    jv e = jv_fma(p, jv_fneg(p, jv_fmul(p, x, r)), r, jv_fk(x, 1));
    return jv_fma(p, jv_fmul(p, r, e), polynomial(p, e, c, SW_COUNT_OF(c)), r);
}

static void build_rsqrt(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv x = jv_source_bits(op, 0);
    struct jit_guard g;
    jit_guard_open(&g, p, jv_is_positive_normal(p, x));
    jv in = jit_guard_core(&g, x, jv_normalized(p, x, jit_flushes(op)));
    jv r = jv_bits(p, normal_rsqrt(p, jv_float_exact(p, in)));
    jit_guard_fix(&g);
    jv fixed = jv_root_fixed(p, in, r, JIT_F32_INF, 0);
    if (!jit_flushes(op)) fixed = jv_select(p, jv_is_tiny(p, x), jv_times_k(p, fixed, 0x1p12), fixed);
    op->dst[0] = jit_guard_close(&g, r, fixed);
}

/* ---- exponentials and circular functions */

static jv to_int(struct jit_part *p, jv x)
{
    return LLVMBuildFPToSI(p->builder, x, jv_like(x, LLVMInt32TypeInContext(p->context)), "");
}

/* 2^n as a float; n within -126 and 127 */
static jv power(struct jit_part *p, jv n)
{
    return jv_float_exact(p, jv_shl_k(p, jv_add_k(p, n, 127), 23));
}

/* 2^x = 2^n 2^f, |f| <= 1/2; 2^n in two factors, so that a denormal result is rounded once. */
static jv ex2(struct jit_part *p, jv x)
{
    static const float c[] = {
        1, 0x1.62e43p-1f, 0x1.ebfbdap-3f, 0x1.c6aed4p-5f, 0x1.3b2dbcp-7f, 0x1.5f456ap-10f, 0x1.41d348p-13f};
    jv low = jv_fk(x, -160), high = jv_fk(x, 160);
    jv inside = jv_select(p, jv_fcmp(p, LLVMRealOGT, x, low), x, low); /* NaN too */
    inside = jv_select(p, jv_fcmp(p, LLVMRealOLT, inside, high), inside, high);
    jv whole = jv_integral(p, JIT_RN, inside), n = to_int(p, whole);
    jv value = polynomial(p, jv_fsub(p, inside, whole), c, SW_COUNT_OF(c));
    jv half = jv_ashr_k(p, n, 1);
    value = jv_fmul(p, jv_fmul(p, value, power(p, half)), power(p, jv_sub(p, n, half)));
    return jv_select(p, jv_fcmp(p, LLVMRealUNO, x, x), x, value);
}

/* x = 2^n (1 + f), 1 + f between sqrt(1/2) and sqrt(2): log2(x) = n + f P(f) */
static jv lg2(struct jit_part *p, jv x)
{
    static const float c[] = {0x1.715476p+0f, -0x1.71547p-1f,  0x1.ec7096p-2f, -0x1.715a76p-2f,
                              0x1.277e36p-2f, -0x1.eabc88p-3f, 0x1.a305bcp-3f, -0x1.874bf8p-3f,
                              0x1.7d48dep-3f, -0x1.c2592ep-4f};
    jv zero = jv_fk(x, 0), tiny = jv_fcmp(p, LLVMRealOLT, x, jv_fk(x, 0x1p-126));
    jv bits = jv_bits(p, jv_select(p, tiny, jv_fmul(p, x, jv_fk(x, 0x1p24)), x));
    jv shifted = jv_add_k(p, bits, 0x3f800000u - 0x3f3504f3u); /* sqrt(1/2) to 1 */
    jv n = jv_add_k(p, jv_ashr_k(p, shifted, 23), (uint64_t)-127);
    n = jv_select(p, tiny, jv_add_k(p, n, (uint64_t)-24), n);
    jv mantissa = jv_add_k(p, jv_and_k(p, shifted, 0x7fffff), 0x3f3504f3u);
    jv f = jv_fsub(p, jv_float_exact(p, mantissa), jv_fk(x, 1));
    jv whole = LLVMBuildSIToFP(p->builder, n, LLVMTypeOf(x), "");
    jv value = jv_fma(p, f, polynomial(p, f, c, SW_COUNT_OF(c)), whole);
    jv infinity = jv_float_exact(p, jv_int(p, x, 32, 0x7f800000)),
       nan = jv_float_exact(p, jv_int(p, x, 32, 0x7fffffff));
    value = jv_select(p, jv_fcmp(p, LLVMRealUEQ, x, infinity), x, value); /* infinity, NaN */
    value = jv_select(p, jv_fcmp(p, LLVMRealOEQ, x, zero), jv_fneg(p, infinity), value);
    return jv_select(p, jv_fcmp(p, LLVMRealOLT, x, zero), nan, value);
}

/* x = k pi/2 + r (pi/2 in three floats); the quadrant chooses between the polynomials of sine and cosine. */
static jv circular(struct jit_part *p, jv x, unsigned quarter)
{
    static const float s[] = {-0x1.555544p-3f, 0x1.1106fcp-7f, -0x1.992c04p-13f};
    static const float c[] = {0x1.55554ap-5f, -0x1.6c0c22p-10f, 0x1.99e33ap-16f};
    jv usable = jv_fcmp(p, LLVMRealOLT, jv_fabs(p, x), jv_fk(x, 0x1p22));
    jv angle = jv_select(p, usable, x, jv_fk(x, 0));
    jv magic = jv_fk(x, 0x1.8p23); /* one rounding, to the nearest integer */
    jv k = jv_fsub(p, jv_fma(p, angle, jv_fk(x, 0x1.45f306p-1), magic), magic);
    jv r = jv_fma(p, k, jv_fk(x, -0x1.921fb6p+0), angle);
    r = jv_fma(p, k, jv_fk(x, 0x1.777a5cp-25), r);
    r = jv_fma(p, k, jv_fk(x, 0x1.ee59dap-50), r);
    jv u = jv_fmul(p, r, r), one = jv_fk(x, 1);
    jv sine = jv_fma(p, jv_fmul(p, r, u), polynomial(p, u, s, SW_COUNT_OF(s)), r);
    jv cosine =
        jv_fma(p, jv_fmul(p, u, u), polynomial(p, u, c, SW_COUNT_OF(c)), jv_fma(p, u, jv_fk(x, -0.5), one));
    jv quadrant = jv_add_k(p, to_int(p, k), quarter);
    jv odd = jv_cmp_k(p, LLVMIntNE, jv_and_k(p, quadrant, 1), 0);
    jv sign = jv_shl_k(p, jv_and_k(p, quadrant, 2), 30);
    jv value = jv_xor(p, jv_bits(p, jv_select(p, odd, cosine, sine)), sign);
    jv finite = jv_fcmp(p, LLVMRealOLT, jv_fabs(p, x), jv_float_exact(p, jv_int(p, x, 32, 0x7f800000)));
    return jv_select(p, finite, jv_float_exact(p, value), jv_float_exact(p, jv_int(p, x, 32, 0x7fffffff)));
}

/* Small: x + x^3 P(x^2). Else 1 - 2 / (e^2x + 1). */
static jv hyperbolic_tangent(struct jit_part *p, jv x)
{
    static const float c[] = {-0x1.55553p-2f, 0x1.11068ep-3f, -0x1.b8265cp-5f, 0x1.518b12p-6f,
                              -0x1.72fc3ap-8f};
    jv size = jv_fabs(p, x), u = jv_fmul(p, x, x), one = jv_fk(x, 1), limit = jv_fk(x, 10);
    jv small = jv_fma(p, jv_fmul(p, size, u), polynomial(p, u, c, SW_COUNT_OF(c)), size);
    jv capped = jv_select(p, jv_fcmp(p, LLVMRealOLT, size, limit), size, limit);
    jv e = ex2(p, jv_fmul(p, capped, jv_fk(x, 0x1.715476p+1)));
    jv large = jv_fsub(p, one, jv_fdiv(p, jv_fk(x, 2), jv_fadd(p, e, one)));
    jv value = jv_select(p, jv_fcmp(p, LLVMRealOLT, size, jv_fk(x, 0.625)), small, large);
    jv sign = jv_and_k(p, jv_bits(p, x), 0x80000000);
    value = jv_float_exact(p, jv_or(p, jv_bits(p, value), sign));
    return jv_select(p, jv_fcmp(p, LLVMRealUNO, x, x), x, value);
}

static void build_ex2(struct jit_op *op)
{
    approx_fast_finish(op, ex2(op->part, approx_fast_source(op, 0)));
}

static void build_lg2(struct jit_op *op)
{
    approx_fast_finish(op, lg2(op->part, approx_fast_source(op, 0)));
}

static void build_sin(struct jit_op *op)
{
    approx_fast_finish(op, circular(op->part, approx_fast_source(op, 0), 0));
}

static void build_cos(struct jit_op *op)
{
    approx_fast_finish(op, circular(op->part, approx_fast_source(op, 0), 1));
}

static void build_tanh(struct jit_op *op)
{
    approx_fast_finish(op, hyperbolic_tangent(op->part, approx_fast_source(op, 0)));
}

void jit_build_fast_approx(struct jit_op *op)
{
    switch ((int)op->instr->op) {
    case ISA_OP_RCP: approx_fast_build_rcp(op); return;
    case ISA_OP_SQRT: build_sqrt(op); return;
    case ISA_OP_RSQRT: build_rsqrt(op); return;
    case ISA_OP_DIV: build_div(op); return;
    case ISA_OP_EX2: build_ex2(op); return;
    case ISA_OP_LG2: build_lg2(op); return;
    case ISA_OP_SIN: build_sin(op); return;
    case ISA_OP_COS: build_cos(op); return;
    case ISA_OP_TANH: build_tanh(op); return;
    default: BUG("no fast approximation of opcode %d", (int)op->instr->op);
    }
}
