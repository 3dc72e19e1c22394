/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: one matrix multiplication of a warp, for mma, mma.sp and wmma.mma (PTX ISA 9.7.14).
 * Method: sums of floats as the tensor cores make them: products are exact; with the addend they are cut to a
 * common exponent, the largest among them, and a fixed number of bits below it; their sum, exact from there
 * on, is cut to f32 or rounded to f16. The table says how many products and bits; cc 9.0 was measured
 * (tests/matrix: equal on all that was recorded), the others follow the literature: Fasi, Higham, Mikaitis,
 * Pranesh, "Numerical behavior of NVIDIA tensor cores", PeerJ CS 7:e330 (2021); Khattak, Mikaitis, "Accurate
 * models of NVIDIA tensor cores", arXiv 2512.07004; Xie, Wang, Yang, Yang, "MMA-Sim", arXiv 2511.10909. On
 * cc 9.0 mma of e4m3 and e5m2 is two sums of f16, each of every other pair, and an addition. Limits: all
 * lanes take part. */
#include "engine_matrix_priv.h"

#include <string.h>

static const struct matrix_rules rules[] = {
    {.cc = 90, .fraction = 25, .half_k = 16, .tf32_k = 8, .eight_k = 0},
    {.cc = 80, .fraction = 24, .half_k = 8, .tf32_k = 4, .eight_k = 16, .eight_fraction = 13},
    {.cc = 75, .fraction = 24, .half_k = 8, .tf32_k = 4, .eight_k = 16, .eight_fraction = 13},
    {.cc = 0, .fraction = 23, .half_k = 4, .tf32_k = 4, .eight_k = 16, .eight_fraction = 13}};

static const struct matrix_rules *rules_of(uint32_t cc)
{
    const struct matrix_rules *found = rules;
    while (cc && found->cc > cc)
        found++;
    return found;
}

static size_t matrix_bytes_of(unsigned elements, enum jit_matrix_type type)
{
    return (size_t)elements * matrix_bits(type) / 8;
}

/* Registers stand in the order a, b, c, metadata. */
static struct matrix_form matrix_describe(const struct jit_matrix_op *op, const uint8_t *from)
{
    struct matrix_form form = {.k = op->k4 * 4u, .flags = op->flags, .selector = op->selector};
    form.a = (enum jit_matrix_type)(op->a_b & 15);
    form.b = (enum jit_matrix_type)(op->a_b >> 4);
    form.d = (enum jit_matrix_type)(op->d_c & 15);
    form.c = (enum jit_matrix_type)(op->d_c >> 4);
    form.sparse = op->flags & JIT_MATRIX_SPARSE;
    form.transposed = op->n == 32;
    form.xs = form.transposed ? op->n : op->m;
    form.ys = form.transposed ? op->m : op->n;
    form.x_blocks = form.xs / 8;
    const uint8_t *b = from + matrix_bytes_of(op->m * form.k / (form.sparse ? 2 : 1), form.a);
    form.x = form.transposed ? b : from;
    form.y = form.transposed ? from : b;
    form.c_from = b + matrix_bytes_of(form.k * op->n, form.b);
    form.metadata = (const uint32_t *)(const void *)(form.c_from + matrix_bytes_of(op->m * op->n, form.c));
    return form;
}

/* NEON has the vectors of SSE2. Of engine_matrix_vector_priv.h 32-byte vectors are the fastest on AVX-512
 * machines, too (Zen 5: 1160 cycles for m16n8k16, 1460 with 64 bytes), but for what has code of its own. */
static matrix_floats_fn *const floats_of[JIT_ISA_COUNT] = {[JIT_ISA_SSE2] = matrix_floats_sse2,
                                                           [JIT_ISA_AVX2] = matrix_floats_avx2,
                                                           [JIT_ISA_AVX512] = matrix_floats_avx512,
                                                           [JIT_ISA_NEON] = matrix_floats_sse2};
static matrix_integers_fn *const integers_of[JIT_ISA_COUNT] = {[JIT_ISA_SSE2] = matrix_integers_sse2,
                                                               [JIT_ISA_AVX2] = matrix_integers_avx2,
                                                               [JIT_ISA_AVX512] = matrix_integers_avx512,
                                                               [JIT_ISA_NEON] = matrix_integers_sse2};

static bool is_eight(enum jit_matrix_type type)
{
    return type == JIT_MATRIX_E4M3 || type == JIT_MATRIX_E5M2;
}

static void multiply_floats(const struct matrix_form *form, enum jit_isa isa, uint8_t *to)
{
    struct matrix_floats sums; /* not cleared: 40 KiB */
    const struct matrix_rules *rule = form->rules;
    bool eight = is_eight(form->a), tf32 = form->a == JIT_MATRIX_TF32, apart = eight && !rule->eight_k;
    sums.xs = form->xs;
    sums.ys = form->ys;
    sums.k = form->k;
    sums.sparse = form->sparse;
    sums.start_at_zero = apart;
    sums.fraction = eight && !apart ? rule->eight_fraction : rule->fraction;
    sums.step = (tf32 ? rule->tf32_k : eight ? rule->eight_k : rule->half_k) * (form->sparse ? 2u : 1u);
    if (tf32 && form->flags & JIT_MATRIX_WMMA) sums.step = 4; /* it is made of m16n8k4 */
    if (apart) sums.step = form->k / 2;
    if (sums.step > form->k) sums.step = form->k;
    sums.half = form->d == JIT_MATRIX_F16 && form->c == JIT_MATRIX_F16;
    sums.least_x = sums.least_y = form->a == JIT_MATRIX_BF16 || tf32 ? -126 : -14;
    sums.least_c = form->c == JIT_MATRIX_F16 && sums.half ? -14 : -126;
    floats_of[isa](form, &sums, to);
}

void engine_help_matrix(struct jit_ctx *ctx, uint64_t code, const void *from, void *to)
{
    struct jit_matrix_op op;
    memcpy(&op, &code, sizeof op);
    struct matrix_form form = matrix_describe(&op, from);
    form.rules = rules_of(ctx->compute_capability);
    switch ((unsigned)form.a) {
    case JIT_MATRIX_F64: matrix_multiply_doubles(&form, (enum jit_isa)op.isa, to); return;
    case JIT_MATRIX_F16:
        if (op.m == 8 && op.k4 == 1) {
            form.c_from =
                (const uint8_t *)from + 4 * sizeof(uint32_t) * 32; /* two registers of each factor */
            matrix_multiply_quads(&form, from, to);
            return;
        }
        break;
    case JIT_MATRIX_BF16:
    case JIT_MATRIX_TF32:
    case JIT_MATRIX_E4M3:
    case JIT_MATRIX_E5M2: break;
    default: matrix_multiply_integers(&form, integers_of[op.isa], to); return;
    }
    multiply_floats(&form, (enum jit_isa)op.isa, to);
}
_Static_assert(sizeof(struct jit_matrix_op) == 8, "passed as one word");
