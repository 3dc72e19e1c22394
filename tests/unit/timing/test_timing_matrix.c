/* SPDX-License-Identifier: Apache-2.0 */
/* How long a matrix instruction occupies the tensor pipe, in multiply-adds of f16: from the rates of
 * NVIDIA's white papers (A100: the rate of 8-bit operations is twice that of 16-bit ones, and that of
 * sparse shapes twice that of dense ones). */
#include "event_code.h"
#include "timing_kernel_priv.h"

static double work_of(const char *name)
{
    struct isa_instr instr;
    if (!isa_read(name, &instr)) fail_msg("%s: not PTX", name);
    return timing_matrix_work(&instr);
}

static void shapes_say_how_much_is_multiplied(void **state)
{
    static const struct {
        const char *name;
        double work;
    } CASES[] = {
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16 * 8 * 16},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16", 16 * 16 * 16},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32", 16 * 16 * 16 / 2},
        {"wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", 64 * 128 * 16 / 4},
        {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 16 * 8 * 8 * 2},
        {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 8 * 8 * 4 * 16},
        {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", 16 * 8 * 32 / 2},
    };
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++)
        if (work_of(CASES[i].name) != CASES[i].work)
            fail_msg("%s: %g, not %g", CASES[i].name, work_of(CASES[i].name), CASES[i].work);
}

/* Half of the first factor's elements are zero and not stored. */
static void a_sparse_shape_takes_half(void **state)
{
    (void)state;
    assert_float_equal(work_of("mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32"), 16 * 8 * 32 / 2, 0);
    assert_float_equal(work_of("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32"),
                       16 * 8 * 64 / 4, 0);
    assert_float_equal(work_of("wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16"), 64 * 64 * 32 / 8, 0);
}

/* As the roofline counts them (prof_roofline.c). */
static void small_types_go_as_fast_as_bytes(void **state)
{
    (void)state;
    assert_float_equal(work_of("mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32"), 16 * 8 * 64 / 2, 0);
    assert_float_equal(work_of("mma.sync.aligned.m8n8k32.row.col.s32.u4.u4.s32"), 8 * 8 * 32 / 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_say_how_much_is_multiplied),
        cmocka_unit_test(a_sparse_shape_takes_half),
        cmocka_unit_test(small_types_go_as_fast_as_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
