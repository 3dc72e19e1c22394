/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are not inlined: recursion to a different depth in each lane, function pointers that differ
 * between lanes; copies from global to shared memory. */
#include "jit_harness.h"

#define HEAD ".version 7.8\n.target sm_80\n.address_size 64\n"
#define OPEN                                                                                                 \
    ".visible .entry k(.param .u64 out)\n{\n"                                                                \
    ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<8>;\n"                                                \
    "ld.param.u64 %rd1, [out];\n"                                                                            \
    "mov.u32 %r1, %tid.x;\n"                                                                                 \
    "mul.wide.u32 %rd2, %r1, 4;\n"                                                                           \
    "add.s64 %rd3, %rd1, %rd2;\n"

static const char fib_text[] = HEAD ".func (.param .b32 result) fib(.param .b32 n)\n{\n"
                                    ".reg .pred %p<2>; .reg .b32 %r<9>;\n"
                                    "ld.param.u32 %r8, [n];\n"
                                    "setp.lt.s32 %p1, %r8, 2;\n"
                                    "@%p1 bra done;\n"
                                    "add.s32 %r4, %r8, -1;\n"
                                    "{ .param .b32 a; st.param.b32 [a], %r4; .param .b32 b;\n"
                                    "call.uni (b), fib, (a); ld.param.b32 %r5, [b]; }\n"
                                    "add.s32 %r6, %r8, -2;\n"
                                    "{ .param .b32 a; st.param.b32 [a], %r6; .param .b32 b;\n"
                                    "call.uni (b), fib, (a); ld.param.b32 %r7, [b]; }\n"
                                    "add.s32 %r8, %r7, %r5;\n"
                                    "done:\n"
                                    "st.param.b32 [result], %r8;\n"
                                    "ret;\n}\n" OPEN "and.b32 %r2, %r1, 7;\n"
                                    "{ .param .b32 a; st.param.b32 [a], %r2; .param .b32 b;\n"
                                    "call.uni (b), fib, (a); ld.param.b32 %r3, [b]; }\n"
                                    "st.global.u32 [%rd3], %r3;\n"
                                    "ret;\n}\n";

static const char pointer_text[] =
    HEAD ".func (.param .b32 result) twice(.param .b32 n)\n{\n"
         ".reg .b32 %r<3>;\n"
         "ld.param.u32 %r1, [n]; shl.b32 %r2, %r1, 1; st.param.b32 [result], %r2; ret;\n}\n"
         ".func (.param .b32 result) next(.param .b32 n)\n{\n"
         ".reg .b32 %r<3>;\n"
         "ld.param.u32 %r1, [n]; add.u32 %r2, %r1, 1; st.param.b32 [result], %r2; ret;\n}\n" OPEN
         "prototype: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
         "and.b32 %r2, %r1, 1;\n"
         "setp.eq.u32 %p1, %r2, 0;\n"
         "mov.u64 %rd4, twice;\n"
         "mov.u64 %rd5, next;\n"
         "selp.b64 %rd6, %rd4, %rd5, %p1;\n"
         "{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 b;\n"
         "call (b), %rd6, (a), prototype; ld.param.b32 %r3, [b]; }\n"
         "st.global.u32 [%rd3], %r3;\n"
         "ret;\n}\n";

/* Thread i copies the 16 bytes of threads 4i..4i+3 and clears the last four in odd threads. */
static const char copy_text[] = HEAD OPEN ".shared .align 16 .b8 tile[2048];\n"
                                          "st.global.u32 [%rd3], %r1;\n"
                                          "bar.sync 0;\n"
                                          "setp.lt.u32 %p1, %r1, 24;\n"
                                          "mul.wide.u32 %rd4, %r1, 16;\n"
                                          "add.s64 %rd5, %rd1, %rd4;\n"
                                          "shl.b32 %r2, %r1, 4;\n"
                                          "mov.u32 %r3, tile;\n"
                                          "add.u32 %r4, %r3, %r2;\n"
                                          "and.b32 %r5, %r1, 1;\n"
                                          "mul.lo.u32 %r6, %r5, 4;\n"
                                          "mov.u32 %r7, 16;\n"
                                          "sub.u32 %r7, %r7, %r6;\n"
                                          "@%p1 cp.async.cg.shared.global [%r4], [%rd5], 16, %r7;\n"
                                          "cp.async.commit_group;\n"
                                          "cp.async.wait_group 0;\n"
                                          "bar.sync 0;\n"
                                          "shl.b32 %r8, %r1, 2;\n"
                                          "add.u32 %r9, %r3, %r8;\n"
                                          "ld.shared.u32 %r10, [%r9];\n"
                                          "st.global.u32 [%rd3], %r10;\n"
                                          "ret;\n}\n";

static uint32_t fib_expect(uint32_t i)
{
    static const uint32_t table[] = {0, 1, 1, 2, 3, 5, 8, 13};
    return table[i & 7];
}

static uint32_t pointer_expect(uint32_t i)
{
    return i & 1 ? i + 1 : 2 * i;
}

static uint32_t copy_expect(uint32_t i)
{
    return i % 8 == 7 ? 0 : i;
}

static void run(const char *text, uint32_t (*expect)(uint32_t i))
{
    enum { THREADS = 96 };
    static uint32_t out[THREADS];
    for (int isa = 0; isa < JIT_ISA_COUNT; isa++) {
        if (!cpu_runs((enum jit_isa)isa)) continue;
        struct jit_request request = {.isa = (enum jit_isa)isa, .block = {THREADS, 1, 1}};
        struct jit_kernel kernel;
        jit_kernel_make(&kernel, text, "k", &request);
        uint32_t *params = out;
        struct jit_ctx ctx = {0};
        jit_kernel_run(&kernel, &ctx, (uint32_t[]){1, 1, 1}, (uint32_t[]){THREADS, 1, 1}, &params);
        for (uint32_t i = 0; i < THREADS; i++)
            if (out[i] != expect(i)) fail_msg("isa %d: out[%u] = %u, not %u", isa, i, out[i], expect(i));
        jit_kernel_free(&kernel);
    }
}

static void recursion(void **state)
{
    (void)state;
    run(fib_text, fib_expect);
}

static void pointers(void **state)
{
    (void)state;
    run(pointer_text, pointer_expect);
}

static void copies(void **state)
{
    (void)state;
    run(copy_text, copy_expect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(recursion), cmocka_unit_test(pointers),
                                       cmocka_unit_test(copies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
