/* SPDX-License-Identifier: Apache-2.0 */
/* Whole kernels with wmma.load, wmma.mma, wmma.store, ldmatrix, stmatrix and movmatrix at every instruction
 * set, against C. Small integers, so that sums are exact. */
#include "jit_harness.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define ENTRY(body)                                                                                          \
    HEAD ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)\n{\n"                \
         ".reg .b32 %r<64>; .reg .f32 %f<32>; .reg .f64 %fd<8>; .reg .b64 %rd<8>;\n"                         \
         ".shared .align 16 .b8 tile[1024];\n"                                                               \
         "ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [b]; ld.param.u64 %rd2, [c]; ld.param.u64 %rd3, "       \
         "[d];\n" body "ret;\n}\n"

/* a 16 x 16 in rows of 24, b 16 x 16 by columns of 20, c and d by rows of 16 */
static const char half_text[] = ENTRY(
    "mov.u32 %r0, 24; mov.u32 %r1, 20; mov.u32 %r2, 16;\n"
    "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r10,%r11,%r12,%r13,%r14,%r15,%r16,%r17}, [%rd0], "
    "%r0;\n"
    "wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {%r20,%r21,%r22,%r23,%r24,%r25,%r26,%r27}, [%rd1], "
    "%r1;\n"
    "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%rd2], %r2;\n"
    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f10,%f11,%f12,%f13,%f14,%f15,%f16,%f17},"
    " {%r10,%r11,%r12,%r13,%r14,%r15,%r16,%r17}, {%r20,%r21,%r22,%r23,%r24,%r25,%r26,%r27},"
    " {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};\n"
    "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd3], {%f10,%f11,%f12,%f13,%f14,%f15,%f16,%f17}, "
    "%r2;\n");

/* the same with bytes: a by rows of 24, b by columns of 20 */
static const char byte_text[] =
    ENTRY("mov.u32 %r0, 24; mov.u32 %r1, 20; mov.u32 %r2, 16;\n"
          "wmma.load.a.sync.aligned.row.m16n16k16.global.u8 {%r10,%r11}, [%rd0], %r0;\n"
          "wmma.load.b.sync.aligned.col.m16n16k16.global.u8 {%r20,%r21}, [%rd1], %r1;\n"
          "wmma.load.c.sync.aligned.row.m16n16k16.global.s32 {%r30,%r31,%r32,%r33,%r34,%r35,%r36,%r37}, "
          "[%rd2], %r2;\n"
          "wmma.mma.sync.aligned.row.col.m16n16k16.s32.u8.u8.s32 {%r40,%r41,%r42,%r43,%r44,%r45,%r46,%r47},"
          " {%r10,%r11}, {%r20,%r21}, {%r30,%r31,%r32,%r33,%r34,%r35,%r36,%r37};\n"
          "wmma.store.d.sync.aligned.row.m16n16k16.global.s32 [%rd3], "
          "{%r40,%r41,%r42,%r43,%r44,%r45,%r46,%r47}, %r2;\n");

/* 32 rows of 8 halves come in through shared memory: four matrices, loaded and loaded transposed, one
 * transposed by movmatrix, and stored back by stmatrix */
static const char move_text[] =
    ENTRY("mov.u32 %r0, %tid.x; mov.u32 %r1, tile; shl.b32 %r2, %r0, 4; add.u32 %r1, %r1, %r2;\n"
          "cvt.u64.u32 %rd4, %r2; add.u64 %rd5, %rd0, %rd4;\n"
          "ld.global.v4.u32 {%r10,%r11,%r12,%r13}, [%rd5];\n"
          "st.shared.v4.u32 [%r1], {%r10,%r11,%r12,%r13};\n"
          "bar.warp.sync -1;\n"
          "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20,%r21,%r22,%r23}, [%r1];\n"
          "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r24,%r25,%r26,%r27}, [%r1];\n"
          "movmatrix.sync.aligned.m8n8.trans.b16 %r28, %r20;\n"
          "bar.warp.sync -1;\n"
          "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r1], {%r24,%r25,%r26,%r28};\n"
          "bar.warp.sync -1;\n"
          "ld.shared.v4.u32 {%r30,%r31,%r32,%r33}, [%r1];\n"
          "add.u64 %rd6, %rd3, %rd4; st.global.v4.u32 [%rd6], {%r30,%r31,%r32,%r33};\n"
          "add.u64 %rd6, %rd2, %rd4; st.global.v4.u32 [%rd6], {%r20,%r21,%r22,%r23};\n");

static void run(enum jit_isa isa, const char *text, void *a, void *b, void *c, void *d)
{
    struct jit_kernel kernel;
    struct jit_request request = {.isa = isa, .block = {32, 1, 1}};
    jit_kernel_make(&kernel, text, "k", &request);
    uint64_t params[4] = {(uint64_t)(uintptr_t)a, (uint64_t)(uintptr_t)b, (uint64_t)(uintptr_t)c,
                          (uint64_t)(uintptr_t)d};
    struct jit_ctx ctx = {0};
    uint32_t grid[3] = {1, 1, 1}, block[3] = {32, 1, 1};
    jit_kernel_run(&kernel, &ctx, grid, block, params);
    jit_kernel_free(&kernel);
}

__extension__ typedef _Float16 half;

static void test_half(void **state)
{
    (void)state;
    half a[16 * 24], b[16 * 20];
    float c[256], d[256];
    for (int i = 0; i < 16 * 24; i++)
        a[i] = (half)(i * 7 % 11 - 5);
    for (int i = 0; i < 16 * 20; i++)
        b[i] = (half)(i * 5 % 13 - 6);
    for (int i = 0; i < 256; i++)
        c[i] = (float)(i % 17);
    for (enum jit_isa isa = 0; isa < JIT_ISA_COUNT; isa++) {
        if (!jit_isa_runs(isa)) continue;
        memset(d, 0, sizeof d);
        run(isa, half_text, a, b, c, d);
        for (int row = 0; row < 16; row++)
            for (int column = 0; column < 16; column++) {
                float sum = c[row * 16 + column];
                for (int k = 0; k < 16; k++)
                    sum += (float)a[row * 24 + k] * (float)b[column * 20 + k];
                assert_true(d[row * 16 + column] == sum);
            }
    }
}

static void test_byte(void **state)
{
    (void)state;
    uint8_t a[16 * 24], b[16 * 20];
    int32_t c[256], d[256];
    for (int i = 0; i < 16 * 24; i++)
        a[i] = (uint8_t)(i * 77);
    for (int i = 0; i < 16 * 20; i++)
        b[i] = (uint8_t)(i * 55);
    for (int i = 0; i < 256; i++)
        c[i] = i * 1000 - 100000;
    for (enum jit_isa isa = 0; isa < JIT_ISA_COUNT; isa++) {
        if (!jit_isa_runs(isa)) continue;
        memset(d, 0, sizeof d);
        run(isa, byte_text, a, b, c, d);
        for (int row = 0; row < 16; row++)
            for (int column = 0; column < 16; column++) {
                int32_t sum = c[row * 16 + column];
                for (int k = 0; k < 16; k++)
                    sum += a[row * 24 + k] * b[column * 20 + k];
                assert_int_equal(d[row * 16 + column], sum);
            }
    }
}

static void test_move(void **state)
{
    (void)state;
    uint16_t a[4][8][8], loaded[32][8], stored[4][8][8];
    for (int i = 0; i < 256; i++)
        (&a[0][0][0])[i] = (uint16_t)(i * 3 + 1);
    for (enum jit_isa isa = 0; isa < JIT_ISA_COUNT; isa++) {
        if (!jit_isa_runs(isa)) continue;
        memset(stored, 0, sizeof stored);
        run(isa, move_text, a, NULL, loaded, stored);
        for (int l = 0; l < 32; l++)
            for (int i = 0; i < 8; i++) /* register i / 2: matrix i / 2 */
                assert_int_equal(loaded[l][i], a[i / 2][l / 4][2 * (l % 4) + i % 2]);
        for (int i = 0; i < 4; i++)
            for (int r = 0; r < 8; r++)
                for (int k = 0; k < 8; k++)
                    assert_int_equal(stored[i][r][k], a[i == 3 ? 0 : i][k][r]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_half), cmocka_unit_test(test_byte),
                                       cmocka_unit_test(test_move)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
