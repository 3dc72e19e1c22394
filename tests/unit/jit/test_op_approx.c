/* SPDX-License-Identifier: Apache-2.0 */
/* Approximate functions have the bits of the H200 at every width: against the lane-by-lane model of the
 * multi-function unit (tests/oracle/oracle_mufu.h), which was compared with the GPU over all operands. f16
 * and bf16: every operand. f32: edge cases, and dense samples; with OP_ALL set, all 2^32 operands of every
 * function at every width (an hour). */
#include "op_harness.h"
#include "oracle_mufu.h"

#include <math.h>

#define UNARY(name, f) OP_REF(name, out[0] = f((uint32_t)in[0]))
UNARY(rcp, oracle_rcp)
UNARY(rcp_ftz, mufu_rcp)
UNARY(root, oracle_sqrt)
UNARY(root_ftz, mufu_sqrt)
UNARY(rsqrt, oracle_rsqrt)
UNARY(rsqrt_ftz, mufu_rsqrt)
UNARY(ex2, oracle_ex2)
UNARY(ex2_ftz, mufu_ex2)
UNARY(lg2, oracle_lg2)
UNARY(lg2_ftz, mufu_lg2)
UNARY(sine, oracle_sin)
UNARY(cosine, oracle_cos)
UNARY(hyperbolic, mufu_tanh)
OP_REF(div_approx, out[0] = oracle_div((uint32_t)in[0], (uint32_t)in[1], false, false))
OP_REF(div_approx_ftz, out[0] = oracle_div((uint32_t)in[0], (uint32_t)in[1], false, true))
OP_REF(div_full, out[0] = oracle_div((uint32_t)in[0], (uint32_t)in[1], true, false))
OP_REF(div_full_ftz, out[0] = oracle_div((uint32_t)in[0], (uint32_t)in[1], true, true))
OP_REF(rcp_seed, out[0] = (uint64_t)mufu_rcp64h((uint32_t)(in[0] >> 32)) << 32)
OP_REF(rsqrt_seed, out[0] = (uint64_t)mufu_rsqrt64h((uint32_t)(in[0] >> 32)) << 32)
OP_REF(ex2_f16, out[0] = oracle_half((uint32_t)in[0] & 0xffff, false, false))
OP_REF(ex2_f16x2, out[0] = oracle_half((uint32_t)in[0] & 0xffff, false, false) |
                           oracle_half((uint32_t)in[0] >> 16, false, false) << 16)
OP_REF(ex2_bf16, out[0] = oracle_half((uint32_t)in[0] & 0xffff, true, false))
OP_REF(tanh_f16, out[0] = oracle_half((uint32_t)in[0] & 0xffff, false, true))
OP_REF(tanh_bf16, out[0] = oracle_half((uint32_t)in[0] & 0xffff, true, true))
OP_REF(tanh_bf16x2, out[0] = oracle_half((uint32_t)in[0] & 0xffff, true, true) |
                             oracle_half((uint32_t)in[0] >> 16, true, true) << 16)

/* From PTX's specification, not from the unit */
static bool rsqrt64(const uint64_t *in, const uint64_t *got)
{
    double x = op_f64(in[0]), g = op_f64(got[0]);
    if (x != x) return got[0] == (in[0] | UINT64_C(1) << 51);
    if (x == 0) return isinf(g) && signbit(g) == signbit(x);
    if (x < 0) return got[0] == 0xfff8000000000000;
    long double want = 1 / sqrtl(x);
    return isinf(x) ? got[0] == 0 : fabsl(g - want) <= 0x1.8p-53L * want;
}

enum { F32_FUNCTIONS = 14, HALF_FUNCTIONS = 4 };
static const struct op_case functions[] = {
    {"rcp.approx.f32 d, a", rcp, NULL},
    {"rcp.approx.ftz.f32 d, a", rcp_ftz, NULL},
    {"sqrt.approx.f32 d, a", root, NULL},
    {"sqrt.approx.ftz.f32 d, a", root_ftz, NULL},
    {"rsqrt.approx.f32 d, a", rsqrt, NULL},
    {"rsqrt.approx.ftz.f32 d, a", rsqrt_ftz, NULL},
    {"ex2.approx.f32 d, a", ex2, NULL},
    {"ex2.approx.ftz.f32 d, a", ex2_ftz, NULL},
    {"lg2.approx.f32 d, a", lg2, NULL},
    {"lg2.approx.ftz.f32 d, a", lg2_ftz, NULL},
    {"sin.approx.f32 d, a", sine, NULL},
    {"sin.approx.ftz.f32 d, a", sine, NULL},
    {"cos.approx.f32 d, a", cosine, NULL},
    {"tanh.approx.f32 d, a", hyperbolic, NULL},
    {"ex2.approx.f16 d, a", ex2_f16, NULL},
    {"ex2.approx.ftz.bf16 d, a", ex2_bf16, NULL},
    {"tanh.approx.f16 d, a", tanh_f16, NULL},
    {"tanh.approx.bf16 d, a", tanh_bf16, NULL},
    {"div.approx.f32 d, a, b", div_approx, NULL},
    {"div.approx.ftz.f32 d, a, b", div_approx_ftz, NULL},
    {"div.full.f32 d, a, b", div_full, NULL},
    {"div.full.ftz.f32 d, a, b", div_full_ftz, NULL},
    {"rcp.approx.ftz.f64 d, a", rcp_seed, NULL},
    {"rsqrt.approx.ftz.f64 d, a", rsqrt_seed, NULL},
    {"rsqrt.approx.f64 d, a", NULL, rsqrt64},
    {"ex2.approx.f16x2 d, a", ex2_f16x2, NULL},
    {"tanh.approx.bf16x2 d, a", tanh_bf16x2, NULL},
};

static void test_functions(void **state)
{
    (void)state;
    op_run_cases(functions, SW_COUNT_OF(functions));
}

/* ---- samples of one function at every width */

struct sweep {
    LLVMOrcLLJITRef jits[SW_COUNT_OF(op_configs)];
    struct op_run *run;
};

/* The operands in run->in: every width, against the reference. */
static void check_operands(struct sweep *s, unsigned function)
{
    const struct op_case *test = &functions[function];
    for (unsigned k = 0; k < OP_TUPLES; k++)
        test->expect((uint64_t[OP_MAX_SOURCES]){s->run->in[0][k]}, &s->run->first[0][k]);
    for (unsigned c = 0; c < SW_COUNT_OF(op_configs); c++) {
        if (!s->jits[c]) continue;
        void (*code)(const uint64_t *, uint64_t *, uint64_t);
        *(void **)&code = op_lookup(s->jits[c], function);
        for (unsigned at = 0; at < OP_TUPLES; at += op_configs[c].lanes)
            code(s->run->in[0], s->run->out[0], at);
        for (unsigned k = 0; k < OP_TUPLES; k++)
            if (s->run->out[0][k] != s->run->first[0][k])
                op_report(test, &op_configs[c], s->run, &s->run->first[0][k], k, "wrong");
    }
}

static void sweep_f32(struct sweep *s, unsigned function)
{
    uint64_t step = getenv("OP_ALL") ? 1 : 8191;
    for (uint64_t base = 0; base < UINT64_C(1) << 32; base += step * OP_TUPLES) {
        for (unsigned k = 0; k < OP_TUPLES; k++)
            s->run->in[0][k] = (uint32_t)(base + k * step + (step > 1 ? op_random() % step : 0));
        check_operands(s, function);
    }
}

static void sweep_half(struct sweep *s, unsigned function)
{
    for (unsigned base = 0; base < 1u << 16; base += OP_TUPLES) {
        for (unsigned k = 0; k < OP_TUPLES; k++)
            s->run->in[0][k] = base + k;
        check_operands(s, function);
    }
}

static void test_dense(void **state)
{
    (void)state;
    op_initialize();
    const unsigned count = F32_FUNCTIONS + HALF_FUNCTIONS;
    struct ptx_module *module = op_parse(functions, count);
    struct sweep s = {.run = calloc(1, sizeof *s.run)};
    for (unsigned c = 0; c < SW_COUNT_OF(op_configs); c++)
        if (op_config_runs(&op_configs[c]))
            s.jits[c] = op_compile(&op_configs[c], module->functions[0], count, op_emit);
    op_failures = 0;
    for (unsigned i = 0; i < count; i++)
        i < F32_FUNCTIONS ? sweep_f32(&s, i) : sweep_half(&s, i);
    for (unsigned c = 0; c < SW_COUNT_OF(op_configs); c++)
        if (s.jits[c]) op_check_llvm(LLVMOrcDisposeLLJIT(s.jits[c]));
    free(s.run);
    ptx_module_free(module);
    assert_int_equal(op_failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions), cmocka_unit_test(test_dense)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
