/* SPDX-License-Identifier: Apache-2.0 */
/* A program that embeds Softwarp: it scales a vector by a constant, reads what a GPU would have counted, and
 * looks at what a mistake says. Built against the installed header and library alone, so it is the test of
 * both. */
#include <softwarp/softwarp.h>

#include <stdio.h>
#include <string.h>

static const char ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".const .align 4 .f32 factor = 0f40000000;\n"
    ".visible .entry scale(.param .u64 data, .param .u32 n, .param .u32 stride) {\n"
    "  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .f32 %f<4>;\n"
    "  ld.param.u64 %rd1, [data]; ld.param.u32 %r5, [n]; ld.param.u32 %r6, [stride];\n"
    "  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1;\n"
    "  setp.ge.u32 %p1, %r4, %r5; @%p1 bra DONE;\n"
    "  mul.lo.u32 %r4, %r4, %r6; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;\n"
    "  ld.global.f32 %f1, [%rd3]; ld.const.f32 %f2, [factor]; mul.f32 %f3, %f1, %f2; st.global.f32 [%rd3], "
    "%f3;\n"
    "DONE: ret;\n}\n";

static int failures;

static void check(int holds, const char *what)
{
    if (holds) return;
    printf("FAIL: %s\n", what);
    failures++;
}

static int scale(struct softwarp_module *module, float *data, uint32_t n, uint32_t stride,
                 struct softwarp_counters *counters, struct softwarp_error *error)
{
    const void *arguments[] = {&data, &n, &stride};
    struct softwarp_launch launch = {
        .kernel = "scale", .grid = {(n + 127) / 128, 1, 1}, .block = {128, 1, 1}, .arguments = arguments};
    return softwarp_run(module, &launch, counters, error);
}

static void run_and_count(struct softwarp *gpu, struct softwarp_module *module)
{
    enum { N = 1000 };
    struct softwarp_error error = {0};
    struct softwarp_counters near, far;
    float *data = softwarp_alloc(gpu, sizeof *data * N * 8);
    for (int i = 0; i < N * 8; i++)
        data[i] = (float)i;
    check(scale(module, data, N, 1, &near, &error) == 0, error.message);
    check(scale(module, data, N, 8, &far, &error) == 0, error.message);
    check(data[1] == 2 && data[999] == 1998 && data[8] == 32 && data[7992] == 15984, "values");
    check(near.global_load.requests == 32 && near.global_load.units == 125, "neighbours share sectors");
    check(far.global_load.requests == 32 && far.global_load.units == 1000, "a stride of 8 does not");
    check(far.global_load.ideal_units == 125 && far.global_store.units == 1000, "ideal sectors");
    check(near.branches == 32 && near.divergent_branches == 1, "one warp diverges at the end");
    size_t bytes;
    float *factor = softwarp_symbol(module, "factor", &bytes);
    check(factor && bytes == 4 && *factor == 2, "symbol");
    *factor = 0.5f;
    check(scale(module, data, 1, 1, NULL, &error) == 0 && data[0] == 0, error.message);
    check(scale(module, data, 2, 1, NULL, &error) == 0 && data[1] == 1, "a constant may be changed");
    softwarp_free(gpu, data);
}

static void make_mistakes(struct softwarp *gpu, struct softwarp_module *module)
{
    struct softwarp_error error = {0};
    struct softwarp_module *other;
    float *small = softwarp_alloc(gpu, 16);
    check(scale(module, small, 128, 100, NULL, &error) == 700, "illegal address");
    check(strstr(error.message, "scale") && strstr(error.message, "allocation"), error.message);
    check(softwarp_load(gpu, "nonsense", 8, &other, &error) != 0, "not PTX");
    check(strstr(error.message, "ptx:1") != NULL, error.message);
    struct softwarp_launch launch = {.kernel = "absent", .grid = {1, 1, 1}, .block = {1, 1, 1}};
    check(softwarp_run(module, &launch, NULL, &error) == 500, "no such kernel");
    struct softwarp_options options = {.gpu = "abacus"};
    check(softwarp_open(&options, &gpu, &error) == 101 && strstr(error.message, "abacus"), error.message);
    check(softwarp_symbol(module, "absent", NULL) == NULL, "no such symbol");
    softwarp_free(gpu, small);
}

int main(void)
{
    struct softwarp *gpu;
    struct softwarp_module *module;
    struct softwarp_error error;
    if (softwarp_open(NULL, &gpu, &error) != 0 ||
        softwarp_load(gpu, ptx, sizeof ptx - 1, &module, &error) != 0) {
        printf("FAIL: %s\n", error.message);
        return 1;
    }
    run_and_count(gpu, module);
    make_mistakes(gpu, module);
    softwarp_unload(module);
    softwarp_close(gpu);
    printf("%d failed\n", failures);
    return failures != 0;
}
