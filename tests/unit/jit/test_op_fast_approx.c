/* SPDX-License-Identifier: Apache-2.0 */
/* Approximate functions of f32 under SOFTWARP_APPROX=fast: within the PTX ISA's bounds of long double
 * references, special cases, the same bits at every width. With OP_ERRORS set, prints the largest error of
 * each (the table of docs/numerics.md). */
#include "op_harness.h"

#include <float.h>
#include <math.h>

static long double largest;
static float largest_at;

/* A relative error, or an absolute one. */
static bool within(long double got, long double want, long double bound, bool absolute, float x)
{
    if (want != want || isinf(want)) return want != want ? got != got : got == want;
    if (isinf(got)) return fabsl(want) > FLT_MAX;
    long double error = fabsl(got - want) / (absolute || want == 0 ? 1 : fabsl(want));
    if (error > largest) largest = error, largest_at = x;
    return error <= bound;
}

static long double flush(long double x)
{
    return fabsl(x) < 0x1p-126L ? copysignl(0, x) : x;
}

#define X ((long double)op_f32(in[0]))
#define G ((long double)op_f32(got[0]))
/* Denormal results have fewer bits: their error is absolute, half a step or a little more. */
#define CHECK(name, want, bound, absolute)                                                                   \
    static bool name(const uint64_t *in, const uint64_t *got)                                                \
    {                                                                                                        \
        if (op_f32(got[0]) != op_f32(got[0]) && got[0] != 0x7fffffff) return false;                          \
        long double w = want;                                                                                \
        if (fabsl(w) < 0x1p-125L && !(absolute)) return fabsl(G - w) <= 0x1p-149L;                           \
        return within(G, w, bound, absolute, op_f32(in[0]));                                                 \
    }
#define CHECK_FTZ(name, f, bound, absolute)                                                                  \
    static bool name(const uint64_t *in, const uint64_t *got)                                                \
    {                                                                                                        \
        if (op_f32(got[0]) != op_f32(got[0]) && got[0] != 0x7fffffff) return false;                          \
        long double x = flush(X), w = f;                                                                     \
        if (fabsl(w) < 0x1p-125L && !(absolute) && fabsl(w) > 0x1p-127L) return fabsl(G - w) <= 0x1p-126L;   \
        return within(G, flush(w), bound, absolute, op_f32(in[0]));                                          \
    }

/* lg2's bound is absolute between 1/2 and 2, elsewhere relative. */
static bool near_one(long double x)
{
    return x >= 0.5L && x <= 2;
}

CHECK(rcp, 1 / X, 0x1p-23L, false)
CHECK_FTZ(rcp_ftz, 1 / x, 0x1p-23L, false)
CHECK(root, sqrtl(X), 0x1p-23L, false)
CHECK_FTZ(root_ftz, sqrtl(x), 0x1p-23L, false)
CHECK(rsqrt, 1 / sqrtl(X), 0x1.13p-23L, false) /* 2^-22.9 */
CHECK_FTZ(rsqrt_ftz, 1 / sqrtl(x), 0x1.13p-23L, false)
CHECK(ex2, exp2l(X), 0x1p-22L, false)
CHECK_FTZ(ex2_ftz, exp2l(x), 0x1p-22L, false)
CHECK(lg2, log2l(X), 0x1p-22L, near_one(X))
CHECK_FTZ(lg2_ftz, log2l(x), 0x1p-22L, near_one(x))
CHECK(sine, fabsl(X) >= 0x1p22L && !isinf(X) ? 0 : sinl(X), 0x1p-20L / 1.43L, true) /* 2^-20.5 */
CHECK(cosine, fabsl(X) >= 0x1p22L && !isinf(X) ? 1 : cosl(X), 0x1p-20L / 1.43L, true)
CHECK_FTZ(sine_ftz, fabsl(x) >= 0x1p22L && !isinf(x) ? 0 : sinl(x), 0x1p-20L / 1.43L, true)
CHECK(hyperbolic, tanhl(X), 0x1p-11L, false)

static bool quotient(const uint64_t *in, const uint64_t *got, bool ftz, bool full)
{
    long double a = X, b = op_f32(in[1]);
    if (ftz) a = flush(a), b = flush(b);
    long double w = a / b;
    if (!full && fabsl(b) > 0x1p126L && !isinf(b)) w = isinf(a) ? NAN : a != a ? NAN : 0;
    if (ftz && fabsl(w) < 0x1p-125L && fabsl(w) > 0x1p-127L) return fabsl(G - w) <= 0x1p-126L;
    if (ftz) w = flush(w);
    if (fabsl(w) < 0x1p-125L) return fabsl(G - w) <= 0x1p-148L;
    return within(G, w, 0x1p-22L, false, op_f32(in[0]));
}
static bool div_approx(const uint64_t *in, const uint64_t *got)
{
    return quotient(in, got, false, false);
}
static bool div_approx_ftz(const uint64_t *in, const uint64_t *got)
{
    return quotient(in, got, true, false);
}
static bool div_full(const uint64_t *in, const uint64_t *got)
{
    return quotient(in, got, false, true);
}

static const struct op_case functions[] = {
    {"rcp.approx.f32 d, a", NULL, rcp},           {"rcp.approx.ftz.f32 d, a", NULL, rcp_ftz},
    {"sqrt.approx.f32 d, a", NULL, root},         {"sqrt.approx.ftz.f32 d, a", NULL, root_ftz},
    {"rsqrt.approx.f32 d, a", NULL, rsqrt},       {"rsqrt.approx.ftz.f32 d, a", NULL, rsqrt_ftz},
    {"ex2.approx.f32 d, a", NULL, ex2},           {"ex2.approx.ftz.f32 d, a", NULL, ex2_ftz},
    {"lg2.approx.f32 d, a", NULL, lg2},           {"lg2.approx.ftz.f32 d, a", NULL, lg2_ftz},
    {"sin.approx.f32 d, a", NULL, sine},          {"sin.approx.ftz.f32 d, a", NULL, sine_ftz},
    {"cos.approx.f32 d, a", NULL, cosine},        {"tanh.approx.f32 d, a", NULL, hyperbolic},
    {"div.approx.f32 d, a, b", NULL, div_approx}, {"div.approx.ftz.f32 d, a, b", NULL, div_approx_ftz},
    {"div.full.f32 d, a, b", NULL, div_full},
};

static void test_functions(void **state)
{
    (void)state;
    op_fast_approx = true;
    op_run_cases(functions, SW_COUNT_OF(functions));
}

/* ---- dense samples, at one width: the others have the same bits on the inputs above */

static void sweep(const struct op_case *test, LLVMOrcLLJITRef jit, unsigned i, unsigned lanes)
{
    void (*code)(const uint64_t *, uint64_t *, uint64_t);
    *(void **)&code = op_lookup(jit, i);
    struct op_run *run = calloc(1, sizeof *run);
    largest = 0;
    for (uint64_t base = 0; base < UINT64_C(1) << 32; base += UINT64_C(1) << 25) {
        for (unsigned k = 0; k < OP_TUPLES; k++)
            run->in[0][k] = base + k * 8191u + (op_random() & 4095);
        for (unsigned at = 0; at < OP_TUPLES; at += lanes)
            code(run->in[0], run->out[0], at);
        for (unsigned k = 0; k < OP_TUPLES; k++) {
            if (test->accept(&run->in[0][k], &run->out[0][k])) continue;
            op_failures++;
            if (op_failures < 9)
                fprintf(stderr, "%s: %a gives %a\n", test->text, op_f32(run->in[0][k]),
                        op_f32(run->out[0][k]));
        }
    }
    if (getenv("OP_ERRORS") && largest > 0)
        fprintf(stderr, "%-28s 2^%.2Lf at %a\n", test->text, log2l(largest), largest_at);
    free(run);
}

static void test_dense(void **state)
{
    (void)state;
    enum { UNARY = 14 };
    op_fast_approx = true;
    op_initialize();
    struct ptx_module *module = op_parse(functions, UNARY);
    unsigned c = SW_COUNT_OF(op_configs) - 1;
    while (!op_config_runs(&op_configs[c]) || op_configs[c].lanes == 1)
        c--;
    LLVMOrcLLJITRef jit = op_compile(&op_configs[c], module->functions[0], UNARY, op_emit);
    op_failures = 0;
    for (unsigned i = 0; i < UNARY; i++)
        sweep(&functions[i], jit, i, op_configs[c].lanes);
    op_check_llvm(LLVMOrcDisposeLLJIT(jit));
    ptx_module_free(module);
    assert_int_equal(op_failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions), cmocka_unit_test(test_dense)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
