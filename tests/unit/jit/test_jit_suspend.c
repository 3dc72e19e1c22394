/* SPDX-License-Identifier: Apache-2.0 */
/* Resumable kernels: named barriers, thread counts, arrive, reductions, barriers that only part of a
 * warp reaches, and lanes and warps that wait for each other through memory. */
#include "jit_harness.h"

#define HEAD                                                                                                 \
    ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"                 \
    ".reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %rd<8>;\n"                                                \
    ".shared .align 4 .b8 tile[4096];\n"                                                                     \
    "ld.param.u64 %rd1, [out];\n"                                                                            \
    "mov.u32 %r1, %tid.x;\n"                                                                                 \
    "mul.wide.u32 %rd2, %r1, 4;\n"                                                                           \
    "add.s64 %rd3, %rd1, %rd2;\n"                                                                            \
    "shl.b32 %r2, %r1, 2;\n"                                                                                 \
    "mov.u32 %r3, tile;\n"                                                                                   \
    "add.u32 %r4, %r3, %r2;\n"
#define TAIL "ret;\n}\n"

static uint32_t out[1024];

static void give_way(struct jit_ctx *ctx, uint32_t ns)
{
    (void)ns;
    if (++*(uint32_t *)ctx->host > 100000) fail_msg("the kernel does not end");
}

static void trap(struct jit_ctx *ctx, uint32_t status)
{
    (void)ctx;
    fail_msg("trap: %s", sw_status_text((enum sw_status)status));
}

static void run(const char *text, uint32_t threads, uint32_t blocks, uint32_t (*expect)(uint32_t i))
{
    for (int isa = 0; isa < JIT_ISA_COUNT; isa++) {
        if (!cpu_runs((enum jit_isa)isa)) continue;
        for (int form = 0; form < 3; form++) {
            struct jit_request request = {.isa = (enum jit_isa)isa, .block = {threads, 1, 1}};
            if (form == 1) memset(request.block, 0, sizeof request.block);
            request.plain_barriers = form == 2;
            struct jit_kernel kernel;
            jit_kernel_make(&kernel, text, "k", &request);
            memset(out, 0xee, sizeof out);
            uint32_t *params = out, yields = 0;
            const struct jit_helpers helpers = {.yield = give_way, .trap = trap};
            struct jit_ctx ctx = {.helpers = &helpers, .host = &yields, .lanes_independent = 1};
            jit_kernel_run(&kernel, &ctx, (uint32_t[]){blocks, 1, 1}, (uint32_t[]){threads, 1, 1}, &params);
            for (uint32_t i = 0; i < threads; i++)
                if (out[i] != expect(i))
                    fail_msg("isa %d, form %d: out[%u] = %u, not %u", isa, form, i, out[i], expect(i));
            jit_kernel_free(&kernel);
        }
    }
}

/* Each half of the block exchanges over its own barrier. */
static uint32_t named_expect(uint32_t i)
{
    uint32_t half = i / 64 * 64;
    return half + 63 - (i - half);
}
static void named(void **state)
{
    (void)state;
    run(HEAD "st.shared.u32 [%r4], %r1;\n"
             "shr.u32 %r5, %r1, 6;\n"
             "add.u32 %r5, %r5, 1;\n"
             "bar.sync %r5, 64;\n"
             "xor.b32 %r6, %r2, 252;\n"
             "add.u32 %r6, %r3, %r6;\n"
             "ld.shared.u32 %r7, [%r6];\n"
             "st.global.u32 [%rd3], %r7;\n" TAIL,
        128, 2, named_expect);
}

/* Warps 1.. arrive, warp 0 waits for them and reads what they wrote. */
static uint32_t arrive_expect(uint32_t i)
{
    return i < 32 ? 96 + i : 7;
}
static void arrive(void **state)
{
    (void)state;
    run(HEAD "setp.lt.u32 %p1, %r1, 32;\n"
             "@%p1 bra wait;\n"
             "st.shared.u32 [%r4], %r1;\n"
             "bar.arrive 3, 128;\n"
             "mov.u32 %r7, 7;\n"
             "bra.uni done;\n"
             "wait:\n"
             "bar.sync 3, 128;\n"
             "ld.shared.u32 %r7, [%r4+384];\n"
             "done:\n"
             "st.global.u32 [%rd3], %r7;\n" TAIL,
        128, 2, arrive_expect);
}

static uint32_t reduce_expect(uint32_t i)
{
    (void)i;
    return 33 + 1000 + 10000;
}
static void reduce(void **state)
{
    (void)state;
    run(HEAD "setp.lt.u32 %p1, %r1, 33;\n"
             "bar.red.popc.u32 %r5, 0, %p1;\n"
             "setp.lt.u32 %p2, %r1, 95;\n"
             "bar.red.or.pred %p3, 0, %p1;\n"
             "bar.red.and.pred %p4, 0, %p2;\n"
             "bar.red.and.pred %p5, 0, !%p4;\n"
             "selp.u32 %r6, 1000, 0, %p3;\n"
             "selp.u32 %r7, 10000, 0, %p5;\n"
             "add.u32 %r5, %r5, %r6;\n"
             "add.u32 %r5, %r5, %r7;\n"
             "st.global.u32 [%rd3], %r5;\n" TAIL,
        96, 2, reduce_expect);
}

/* Odd and even lanes wait at the same barrier by two different instructions. */
static uint32_t parts_expect(uint32_t i)
{
    return i ^ 1;
}
static void parts(void **state)
{
    (void)state;
    run(HEAD "st.shared.u32 [%r4], 0;\n"
             "and.b32 %r5, %r1, 1;\n"
             "setp.eq.u32 %p1, %r5, 0;\n"
             "@%p1 bra even;\n"
             "st.shared.u32 [%r4], %r1;\n"
             "barrier.sync 0;\n"
             "ld.shared.u32 %r7, [%r4+-4];\n"
             "bra.uni done;\n"
             "even:\n"
             "st.shared.u32 [%r4], %r1;\n"
             "barrier.sync 0;\n"
             "ld.shared.u32 %r7, [%r4+4];\n"
             "done:\n"
             "st.global.u32 [%rd3], %r7;\n" TAIL,
        64, 2, parts_expect);
}

/* A barrier in a loop whose trip count differs between warps; exited lanes do not count any more. */
static uint32_t early_expect(uint32_t i)
{
    return i % 5;
}
static void early(void **state)
{
    (void)state;
    run(HEAD "mov.u32 %r5, 0;\n"
             "rem.u32 %r6, %r1, 5;\n"
             "loop:\n"
             "setp.ge.u32 %p1, %r5, %r6;\n"
             "@%p1 bra done;\n"
             "barrier.sync 0;\n"
             "add.u32 %r5, %r5, 1;\n"
             "bra.uni loop;\n"
             "done:\n"
             "st.global.u32 [%rd3], %r5;\n" TAIL,
        96, 2, early_expect);
}

/* Lane 31 of the last warp raises a flag that all others wait for; it comes last in priority. */
static uint32_t flag_expect(uint32_t i)
{
    (void)i;
    return 5;
}
static void flag(void **state)
{
    (void)state;
    run(HEAD "setp.ne.u32 %p1, %r1, 0;\n"
             "mov.u32 %r6, 0;\n"
             "@%p1 bra ready;\n"
             "st.volatile.shared.u32 [tile], %r6;\n"
             "ready:\n"
             "bar.sync 0;\n"
             "setp.eq.u32 %p2, %r1, 95;\n"
             "@%p2 bra raise;\n"
             "wait:\n"
             "ld.volatile.shared.u32 %r5, [tile];\n"
             "setp.eq.u32 %p3, %r5, 0;\n"
             "@%p3 bra wait;\n"
             "bra.uni done;\n"
             "raise:\n"
             "mov.u32 %r5, 5;\n"
             "st.volatile.shared.u32 [tile], %r5;\n"
             "done:\n"
             "st.global.u32 [%rd3], %r5;\n" TAIL,
        96, 2, flag_expect);
}

/* Each lane waits for the lane before it: a chain through a warp, and through warps. */
static uint32_t chain_expect(uint32_t i)
{
    return i + 1;
}
static void chain(void **state)
{
    (void)state;
    run(HEAD "mov.u32 %r6, 0;\n"
             "st.volatile.shared.u32 [%r4+4], %r6;\n"
             "mov.u32 %r7, 1;\n"
             "setp.ne.u32 %p1, %r1, 0;\n"
             "@%p1 bra ready;\n"
             "st.volatile.shared.u32 [tile], %r7;\n"
             "ready:\n"
             "bar.sync 0;\n"
             "wait:\n"
             "ld.volatile.shared.u32 %r5, [%r4];\n"
             "setp.eq.u32 %p3, %r5, 0;\n"
             "@%p3 bra wait;\n"
             "st.global.u32 [%rd3], %r5;\n"
             "add.u32 %r5, %r5, 1;\n"
             "st.volatile.shared.u32 [%r4+4], %r5;\n" TAIL,
        96, 2, chain_expect);
}

/* An mbarrier for all threads, used twice: by state, then by parity. */
static uint32_t mbarrier_expect(uint32_t i)
{
    return 2 * (95 - i) + 1;
}
static void mbarrier(void **state)
{
    (void)state;
    run(HEAD ".shared .align 8 .b64 object;\n"
             "setp.ne.u32 %p1, %r1, 0;\n"
             "@!%p1 mbarrier.init.shared.b64 [object], 96;\n"
             "bar.sync 0;\n"
             "st.shared.u32 [%r4], %r1;\n"
             "mbarrier.arrive.shared.b64 %rd4, [object];\n"
             "first:\n"
             "mbarrier.test_wait.shared.b64 %p2, [object], %rd4;\n"
             "@!%p2 bra first;\n"
             "sub.u32 %r5, 380, %r2;\n"
             "add.u32 %r5, %r3, %r5;\n"
             "ld.shared.u32 %r6, [%r5];\n"
             "mbarrier.arrive.shared.b64 _, [object];\n"
             "second:\n"
             "mbarrier.try_wait.parity.shared.b64 %p3, [object], 1;\n"
             "@!%p3 bra second;\n"
             "add.u32 %r7, %r1, 1;\n"
             "st.shared.u32 [%r4], %r7;\n"
             "bar.sync 0;\n"
             "ld.shared.u32 %r8, [%r5];\n"
             "add.u32 %r6, %r6, %r8;\n"
             "st.global.u32 [%rd3], %r6;\n" TAIL,
        96, 2, mbarrier_expect);
}

/* The size of code is linear in the size of a kernel, not quadratic, although lanes of a warp wait at
 * different barriers and at each barrier other lanes may wait at any other. */
static uint64_t bytes_of(unsigned steps)
{
    enum { STEP = 200 };
    size_t size = sizeof(HEAD TAIL) + 200 + (size_t)steps * STEP, at = 0;
    char *text = malloc(size);
    at += (size_t)snprintf(text, size, "%s", HEAD "mov.u32 %r5, 0;\n");
    for (unsigned i = 0; i < steps; i++)
        at += (size_t)snprintf(
            text + at, size - at,
            "setp.lt.u32 %%p1, %%r1, %u; @%%p1 bra A%u; add.u32 %%r5, %%r5, 1; bar.sync 0; bra B%u;\n"
            "A%u: add.u32 %%r5, %%r5, 2; bar.sync 0;\nB%u:\n",
            i * 7 % 64, i, i, i, i);
    snprintf(text + at, size - at, "%s", "st.global.u32 [%rd3], %r5;\n" TAIL);
    struct jit_request request = {.isa = (enum jit_isa)CPU_NARROWEST, .block = {64, 1, 1}};
    struct jit_kernel kernel;
    jit_kernel_make(&kernel, text, "k", &request);
    uint64_t bytes = kernel.object.bytes;
    uint32_t *params = out, yields = 0;
    const struct jit_helpers helpers = {.yield = give_way, .trap = trap};
    struct jit_ctx ctx = {.helpers = &helpers, .host = &yields};
    jit_kernel_run(&kernel, &ctx, (uint32_t[]){1, 1, 1}, (uint32_t[]){64, 1, 1}, &params);
    for (uint32_t t = 0; t < 64; t++) {
        uint32_t sum = 0;
        for (unsigned i = 0; i < steps; i++)
            sum += t < i * 7 % 64 ? 2 : 1;
        assert_int_equal(out[t], sum);
    }
    jit_kernel_free(&kernel);
    free(text);
    return bytes;
}
static void growth(void **state)
{
    (void)state;
    uint64_t small = bytes_of(60), large = bytes_of(180);
    if (large > 4 * small) fail_msg("%lu bytes of code, three times the kernel: %lu", small, large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named), cmocka_unit_test(arrive),   cmocka_unit_test(reduce),
        cmocka_unit_test(parts), cmocka_unit_test(early),    cmocka_unit_test(flag),
        cmocka_unit_test(chain), cmocka_unit_test(mbarrier), cmocka_unit_test(growth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
