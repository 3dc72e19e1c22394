/* SPDX-License-Identifier: Apache-2.0 */
/* COUNT probes of divisions, square roots and reciprocals that need the slow path: the passes of a warp
 * by its lanes' operands, compared with a reading of the routine (jit_probe_slow_path.c): one pass for
 * zeros, infinities and NaNs, two for a division whose quotient is not normal. */
#include "jit_harness.h"

#include <math.h>

enum { THREADS = 64 }; /* the second warp has operands of 1 */

static const char *text_of(const char *op)
{
    static char text[1024];
    snprintf(text, sizeof text,
             ".version 7.8\n.target sm_80\n.address_size 64\n"
             ".visible .entry shot(.param .u64 in)\n{\n"
             ".reg .f32 %%f<4>; .reg .b32 %%r<2>; .reg .b64 %%rd<4>; .reg .pred %%p;\n"
             "ld.param.u64 %%rd1, [in]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd2, %%r1, 8;\n"
             "add.s64 %%rd3, %%rd1, %%rd2; ld.global.f32 %%f1, [%%rd3]; ld.global.f32 %%f2, [%%rd3+4];\n"
             "%s\nst.global.f32 [%%rd3], %%f3;\nret;\n}\n",
             op);
    return text;
}

/* Lane 5 of the first warp has a and b, lane 9 has c and d, all others 1 and 1. */
static uint64_t passes(const char *op, enum jit_isa isa, const float odd[4])
{
    static float memory[1 << 12] __attribute__((aligned(256)));
    struct jit_request request = {.isa = isa,
                                  .block = {THREADS, 1, 1},
                                  .probes = EVENT_PROBE_COUNT,
                                  .rules = {.load_shift = 5, .store_shift = 5, .bank_bytes = 4}};
    struct jit_kernel kernel;
    jit_kernel_make(&kernel, text_of(op), "shot", &request);
    uint64_t *counters = calloc(kernel.object.info.slot_count, 8), found = UINT64_MAX;
    struct jit_helpers helpers = {0};
    struct jit_ctx ctx = {.counters = counters, .helpers = &helpers};
    float *params = memory;
    for (int i = 0; i < 2 * THREADS; i++)
        memory[i] = 1;
    memory[10] = odd[0], memory[11] = odd[1], memory[18] = odd[2], memory[19] = odd[3];
    jit_kernel_run(&kernel, &ctx, (uint32_t[]){1, 1, 1}, (uint32_t[]){THREADS, 1, 1}, &params);
    for (uint32_t i = 0; i < kernel.flat->instr_count; i++)
        if (kernel.object.slots[i].slow != EVENT_NO_SLOT) found = counters[kernel.object.slots[i].slow];
    free(counters);
    jit_kernel_free(&kernel);
    return found;
}

static const struct {
    const char *op;
    float odd[4];
    uint64_t passes; /* UINT64_MAX: nothing is counted */
} CASES[] = {
    {"div.rn.f32 %f3, %f1, %f2;", {1, 3, 7, 2}, 0},
    {"div.rn.f32 %f3, %f1, %f2;", {0, 3, 7, 2}, 1},
    {"div.rn.f32 %f3, %f1, %f2;", {INFINITY, 3, 7, 0}, 1},
    {"div.rn.f32 %f3, %f1, %f2;", {1e-30f, 1e20f, 7, 2}, 2},
    {"div.rn.f32 %f3, %f1, %f2;", {0x1p-120f, 1, 7, 2}, 2},
    {"div.rn.f32 %f3, %f1, %f2;", {0, 1, 1e-40f, 3}, 3},
    {"setp.lt.f32 %p, %f1, 0f3f800000; @%p div.rn.f32 %f3, %f1, %f2;", {0, 1, 1, 0}, 1},
    {"setp.gt.f32 %p, %f1, 0f3f800000; @%p div.rn.f32 %f3, %f1, %f2;", {0, 1, 5, 2}, 0},
    {"div.full.f32 %f3, %f1, %f2;", {0, 1, 1, 0}, UINT64_MAX},
    {"sqrt.rn.f32 %f3, %f1;", {4, 0, 9, 0}, 0},
    {"sqrt.rn.f32 %f3, %f1;", {0, 0, 9, 0}, 1},
    {"sqrt.rn.f32 %f3, %f1;", {-4, 0, 9, 0}, 1},
    {"rcp.rn.f32 %f3, %f1;", {4, 0, 9, 0}, 0},
    {"rcp.rn.f32 %f3, %f1;", {4, 0, 0x1p127f, 0}, 1},
    {"rcp.rn.f32 %f3, %f1;", {1e-40f, 0, 9, 0}, 1},
};

static void passes_by_operands(void **state)
{
    (void)state;
    for (size_t c = 0; c < SW_COUNT_OF(CASES); c++)
        for (int isa = 0; isa < JIT_ISA_COUNT; isa++) {
            if (!cpu_runs((enum jit_isa)isa)) continue;
            uint64_t got = passes(CASES[c].op, (enum jit_isa)isa, CASES[c].odd);
            if (got != CASES[c].passes)
                fail_msg("isa %d, %s of %g, %g and %g, %g: %lld passes, not %lld", isa, CASES[c].op,
                         (double)CASES[c].odd[0], (double)CASES[c].odd[1], (double)CASES[c].odd[2],
                         (double)CASES[c].odd[3], (long long)got, (long long)CASES[c].passes);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(passes_by_operands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
