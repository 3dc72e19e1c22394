/* SPDX-License-Identifier: Apache-2.0 */
/* Approximate functions have the bits of the H200: at every width against the lane-by-lane model of the
 * multi-function unit (tests/oracle/oracle_mufu.h), over edge cases and dense samples; and, at the widest,
 * against digests that the GPU gave (tests/hw/approx/h200). One part of 256 of all operands, spread over
 * them; OP_ALL=16 takes all parts, at 16 lanes (4, 8, 1: likewise), in half an hour. */
#include "op_harness.h"
#include "oracle_mufu.h"

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

OP_REF(rsqrt64, out[0] = oracle_rsqrt64(in[0]))

enum { F32_FUNCTIONS = 15, HALF_FUNCTIONS = 4, RECORDED = 26 };
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
    {"cos.approx.ftz.f32 d, a", cosine, NULL},
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
    {"rsqrt.approx.f64 d, a", rsqrt64, NULL},
    {"ex2.approx.f16x2 d, a", ex2_f16x2, NULL},
    {"tanh.approx.bf16x2 d, a", tanh_bf16x2, NULL},
};

static void test_functions(void **state)
{
    (void)state;
    op_run_cases(functions, SW_COUNT_OF(functions));
}

/* Sanitizers slow the model and the digests down, not the code that is tested: fewer samples, no digests. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static bool is_in(const char *text, const char *what)
{
    return strstr(text, what) != NULL;
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
        op_begin_flush();
        for (unsigned at = 0; at < OP_TUPLES; at += op_configs[c].lanes)
            code(s->run->in[0], s->run->out[0], at);
        op_end_flush();
        for (unsigned k = 0; k < OP_TUPLES; k++)
            if (s->run->out[0][k] != s->run->first[0][k])
                op_report(test, &op_configs[c], s->run, &s->run->first[0][k], k, "wrong");
    }
}

static void sweep_f32(struct sweep *s, unsigned function)
{
    const unsigned step = SANITIZED ? 131071 : 8191;
    for (uint64_t base = 0; base < UINT64_C(1) << 32; base += step * OP_TUPLES) {
        for (unsigned k = 0; k < OP_TUPLES; k++)
            s->run->in[0][k] = (uint32_t)(base + k * step + op_random() % step);
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

static void sweep_open(struct sweep *s, const struct ptx_module *module, unsigned count)
{
    *s = (struct sweep){.run = calloc(1, sizeof *s->run)};
    for (unsigned c = 0; c < SW_COUNT_OF(op_configs); c++)
        if (op_config_runs(&op_configs[c]))
            s->jits[c] = op_compile(&op_configs[c], module->functions[0], count, op_emit);
    op_failures = 0;
}

static void sweep_close(struct sweep *s)
{
    for (unsigned c = 0; c < SW_COUNT_OF(op_configs); c++)
        if (s->jits[c]) op_check_llvm(LLVMOrcDisposeLLJIT(s->jits[c]));
    free(s->run);
}

static void test_dense(void **state)
{
    (void)state;
    op_initialize();
    const unsigned count = F32_FUNCTIONS + HALF_FUNCTIONS;
    struct ptx_module *module = op_parse(functions, count);
    struct sweep s;
    sweep_open(&s, module, count);
    for (unsigned i = 0; i < count; i++) {
        if (op_flushes && (i >= F32_FUNCTIONS || !is_in(functions[i].text, ".ftz"))) continue;
        i < F32_FUNCTIONS ? sweep_f32(&s, i) : sweep_half(&s, i);
    }
    sweep_close(&s);
    ptx_module_free(module);
    assert_int_equal(op_failures, 0);
}

/* ---- digests of the GPU's results: operands and sums as in tests/hw/approx/record.cu */

enum { PARTS = 256, SAMPLE = 77 };

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t near_one(uint64_t a)
{
    return a & 1 ? (a & 0x87ffffff) | 0x38000000 : a & 0xffffffff;
}

static void operands(struct op_run *run, const char *text, unsigned k, uint64_t i)
{
    run->in[0][k] = i;
    if (is_in(text, "rsqrt.approx.f64"))
        run->in[0][k] = mix(i);
    else if (is_in(text, "f64"))
        run->in[0][k] = i << 32 | (uint32_t)mix(i);
    else if (is_in(text, "div"))
        run->in[0][k] = near_one((uint32_t)mix(i)), run->in[1][k] = near_one(mix(i) >> 32);
}

static uint64_t operand_count(const char *text)
{
    if (is_in(text, "f16")) return 1u << 16;
    return is_in(text, "rsqrt.approx.f64") ? 1u << 28 : UINT64_C(1) << 32;
}

static uint32_t digest(struct sweep *s, unsigned config, unsigned function, unsigned part)
{
    const char *text = functions[function].text;
    void (*code)(const uint64_t *, uint64_t *, uint64_t);
    *(void **)&code = op_lookup(s->jits[config], function);
    uint64_t hash = 0, count = operand_count(text);
    for (uint64_t i = part; i < count;) {
        uint64_t first = i;
        unsigned filled = 0;
        for (; filled < OP_TUPLES && i < count; i += PARTS)
            operands(s->run, text, filled++, i);
        op_begin_flush();
        for (unsigned at = 0; at < filled; at += op_configs[config].lanes)
            code(s->run->in[0], s->run->out[0], at);
        op_end_flush();
        for (unsigned k = 0; k < filled; k++)
            hash += mix((first + (uint64_t)k * PARTS) * 0x100000001b3u ^ s->run->out[0][k]);
    }
    return (uint32_t)(hash ^ hash >> 32);
}

/* The digest of one part in the recording */
static uint32_t recorded(const char *file, const char *text, unsigned part)
{
    char want[64], *at;
    snprintf(want, sizeof want, "digest %.*s %u ", (int)strcspn(text, " "), text, part / 16 * 16);
    const char *line = strstr(file, want);
    if (!line) fail_msg("%s is not in the recording", text);
    uint32_t value = 0;
    line += strlen(want);
    for (unsigned i = 0; i <= part % 16; i++, line = at)
        value = (uint32_t)strtoul(line, &at, 16);
    return value;
}

static void check_digests(struct sweep *s, const char *file, unsigned config, unsigned function, bool all)
{
    for (unsigned part = all ? 0 : SAMPLE; part < (all ? PARTS : SAMPLE + 1); part++) {
        if (digest(s, config, function, part) == recorded(file, functions[function].text, part)) continue;
        op_failures++;
        fprintf(stderr, "%s [%u lanes]: part %u is not what the GPU gave\n", functions[function].text,
                op_configs[config].lanes, part);
    }
}

static unsigned widest_lanes(void)
{
    unsigned lanes = 0;
    for (unsigned c = 0; c < SW_COUNT_OF(op_configs); c++)
        if (op_config_runs(&op_configs[c]) && op_configs[c].lanes > lanes) lanes = op_configs[c].lanes;
    return lanes;
}

static void test_recorded(void **state)
{
    (void)state;
    static char file[1 << 17];
    if (SANITIZED) skip();
    FILE *stream = fopen(SW_SOURCE_DIR "/tests/hw/approx/h200/digests.txt", "r");
    assert_non_null(stream);
    file[fread(file, 1, sizeof file - 1, stream)] = 0;
    fclose(stream);
    op_initialize();
    struct ptx_module *module = op_parse(functions, RECORDED);
    struct sweep s;
    sweep_open(&s, module, RECORDED);
    const char *lanes = getenv("OP_ALL");
    for (unsigned c = SW_COUNT_OF(op_configs); c-- > 0;) {
        if (!s.jits[c] || (lanes ? (unsigned)atoi(lanes) : widest_lanes()) != op_configs[c].lanes) continue;
        for (unsigned i = 0; i < RECORDED; i++)
            if (!op_flushes || is_in(functions[i].text, ".ftz.f32"))
                check_digests(&s, file, c, i, lanes != NULL);
    }
    sweep_close(&s);
    ptx_module_free(module);
    assert_int_equal(op_failures, 0);
}

static int flush(void **state)
{
    (void)state;
    op_flushes = true;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions), cmocka_unit_test(test_dense), cmocka_unit_test(test_recorded),
        cmocka_unit_test_setup(test_dense, flush), cmocka_unit_test(test_recorded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
