/* SPDX-License-Identifier: Apache-2.0 */
/* What atom and red make of a value in memory (PTX ISA 9.7.13.5, 9.7.13.7), of one lane or of a vector.
 * Method: sums of halves through f32; sums of f32 and f64 with the bits of the hardware, which differ between
 * global and shared memory. Limits: forms as jit_op_atomic_supported says. */
#include "jit_op_atomic_priv.h"

static jv half_sum(struct jit_part *p, bool brain, jv a, jv b)
{
    jv sum = jv_fadd(p, jv_from_half(p, brain, a), jv_from_half(p, brain, b));
    return jv_to_half(p, JIT_RN, brain, sum);
}

/* add, min or max of one f16 or bf16 */
static jv half_changed(const struct atomic *a, jv old, jv b)
{
    bool brain = a->type == ISA_BF16 || a->type == ISA_BF16X2;
    if (a->what == ISA_MOD_ADD) return half_sum(a->part, brain, old, b);
    return jv_float_extreme(a->part, brain ? ISA_BF16 : ISA_F16, a->what == ISA_MOD_MIN, false, old, b);
}

/* A NaN keeps its bits: that of b, then that of memory. Shared memory goes through an addition, which makes
 * it quiet and prefers that of memory. */
static jv double_sum(const struct atomic *a, jv old, jv b)
{
    struct jit_part *p = a->part;
    jv x = jv_float_exact(p, old), y = jv_float_exact(p, b), sum = jv_result(p, jv_fadd(p, x, y));
    jv old_is_nan = jv_fcmp(p, LLVMRealUNO, x, x), b_is_nan = jv_fcmp(p, LLVMRealUNO, y, y);
    const uint64_t quiet = UINT64_C(1) << 51;
    jv kept = jv_select(p, b_is_nan, jv_or_k(p, b, quiet), sum);
    jv in_shared = jv_select(p, old_is_nan, jv_or_k(p, old, quiet), kept);
    if (a->where->is_shared) return in_shared;
    jv elsewhere = jv_select(p, b_is_nan, b, jv_select(p, old_is_nan, old, sum));
    return a->in_shared ? jv_select(p, a->in_shared, in_shared, elsewhere) : elsewhere;
}

/* Global memory flushes denormals, shared memory keeps them. */
static jv single_sum(const struct atomic *a, jv old, jv b)
{
    struct jit_part *p = a->part;
    jv x = jv_float_exact(p, old), y = jv_float_exact(p, b);
    if (!a->in_shared && !jit_has(a->instr, ISA_MOD_GLOBAL)) return jv_result(p, jv_fadd(p, x, y));
    jv flushed = jv_result(p, jv_flush(p, jv_fadd(p, jv_flush(p, x), jv_flush(p, y))));
    return a->in_shared ? jv_select(p, a->in_shared, jv_result(p, jv_fadd(p, x, y)), flushed) : flushed;
}

static jv float_changed(const struct atomic *a, jv old, jv b)
{
    struct jit_part *p = a->part;
    if (jit_half_of(a->type)) {
        jv low = half_changed(a, jv_trunc(p, old, 16), jv_trunc(p, b, 16));
        jv high =
            half_changed(a, jv_trunc(p, jv_lshr_k(p, old, 16), 16), jv_trunc(p, jv_lshr_k(p, b, 16), 16));
        return jv_or(p, jv_zext(p, low, 32), jv_shl_k(p, jv_zext(p, high, 32), 16));
    }
    if (a->bytes == 2) return half_changed(a, old, b);
    return a->type == ISA_F64 ? double_sum(a, old, b) : single_sum(a, old, b);
}

jv jit_atomic_changed(const struct atomic *a, jv old, jv b, jv c)
{
    struct jit_part *p = a->part;
    switch ((int)a->what) {
    case ISA_MOD_EXCH: return b;
    case ISA_MOD_CAS: return jv_select(p, jv_cmp(p, LLVMIntEQ, old, b), c, old);
    case ISA_MOD_INC: return jv_select(p, jv_cmp(p, LLVMIntUGE, old, b), jv_k(old, 0), jv_add_k(p, old, 1));
    case ISA_MOD_DEC: {
        jv wraps = jv_or(p, jv_cmp_k(p, LLVMIntEQ, old, 0), jv_cmp(p, LLVMIntUGT, old, b));
        return jv_select(p, wraps, b, jv_add_k(p, old, (uint64_t)-1));
    }
    default:
        if (jit_is_float(a->type)) return float_changed(a, old, b);
        return jv_reduce(p, a->what, jit_is_signed(a->type), old, b);
    }
}
