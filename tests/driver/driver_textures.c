/* SPDX-License-Identifier: Apache-2.0 */
/* Texture and surface objects against values worked out by hand (CUDA C++ Programming Guide, "Texture
 * Fetching"). */
#include "driver_context.h"

#include <string.h>

/* out[tid] = texel at (x[tid], y[tid]); first channel, or all of them summed */
#define HEAD                                                                                                 \
    ".reg .b64 %d<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .pred %p<2>;\n"                                 \
    "ld.param.u64 %d1, [object]; ld.param.u64 %d2, [x]; ld.param.u64 %d3, [y]; ld.param.u64 %d4, [out];\n"   \
    "mov.u32 %r1, %tid.x; mul.wide.u32 %d5, %r1, 4; add.u64 %d6, %d2, %d5; add.u64 %d7, %d3, %d5;\n"         \
    "add.u64 %d8, %d4, %d5;\n"
#define PARAMS "(.param .u64 object, .param .u64 x, .param .u64 y, .param .u64 out)\n{\n" HEAD
static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry tex_2d" PARAMS "ld.global.f32 %f1, [%d6]; ld.global.f32 %f2, [%d7];\n"
    "tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%d1, {%f1, %f2}]; st.global.f32 [%d8], %f3; ret;\n}\n"
    ".visible .entry tex_1d_fetch" PARAMS "ld.global.u32 %r2, [%d6];\n"
    "tex.1d.v4.s32.s32 {%r3, %r4, %r5, %r6}, [%d1, {%r2}]; st.global.u32 [%d8], %r3; ret;\n}\n"
    ".visible .entry tex_layer" PARAMS "ld.global.u32 %r2, [%d6]; ld.global.f32 %f1, [%d7];\n"
    "tex.a1d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%d1, {%r2, %f1}]; st.global.f32 [%d8], %f3; ret;\n}\n"
    ".visible .entry surf_move" PARAMS "ld.global.u32 %r2, [%d6]; ld.global.u32 %r3, [%d7];\n"
    "suld.b.2d.b32.zero {%r4}, [%d1, {%r2, %r3}]; add.u32 %r5, %r4, 1; setp.lt.s32 %p1, %r3, 2;\n"
    "@%p1 sust.b.2d.b32.clamp [%d1, {%r2, %r3}], {%r5}; st.global.u32 [%d8], %r4; ret;\n}\n";

enum { N = 8 };
static CUmodule module;
static CUdeviceptr x, y, out;

static int setup(void **state)
{
    driver_context_open(state);
    module = driver_module(ptx);
    OK(cuMemAlloc(&x, 4 * N));
    OK(cuMemAlloc(&y, 4 * N));
    OK(cuMemAlloc(&out, 4 * N));
    return 0;
}

static void run(const char *name, unsigned long long object, const void *xs, const void *ys, void *result)
{
    CUfunction function;
    void *params[] = {&object, &x, &y, &out};
    OK(cuModuleGetFunction(&function, module, name));
    OK(cuMemcpyHtoD(x, xs, 4 * N));
    OK(cuMemcpyHtoD(y, ys, 4 * N));
    OK(cuLaunchKernel(function, 1, 1, 1, N, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(result, out, 4 * N));
}

static CUarray array_of(size_t width, size_t height, size_t depth, unsigned flags, CUarray_format format,
                        const void *bytes, size_t row)
{
    CUarray array;
    CUDA_ARRAY3D_DESCRIPTOR d = {width, height, depth, format, 1, flags};
    OK(cuArray3DCreate(&array, &d));
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = bytes,
                          .srcPitch = row,
                          .srcHeight = height ? height : 1,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = array,
                          .WidthInBytes = row,
                          .Height = height ? height : 1,
                          .Depth = depth ? depth : 1};
    OK(cuMemcpy3D(&copy));
    return array;
}

static CUtexObject texture(CUarray array, CUaddress_mode mode, CUfilter_mode filter, unsigned flags)
{
    CUtexObject object;
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    CUDA_TEXTURE_DESC sampling = {.addressMode = {mode, mode, mode}, .filterMode = filter, .flags = flags};
    sampling.borderColor[0] = 9;
    OK(cuTexObjectCreate(&object, &resource, &sampling, NULL));
    return object;
}

static void expect(const float *got, const float *want)
{
    for (int i = 0; i < N; i++)
        assert_true(got[i] > want[i] - 1e-6f && got[i] < want[i] + 1e-6f);
}

/* 4 x 2: 0 1 2 3 / 10 11 12 13 */
static void two_dimensions(void **state)
{
    (void)state;
    static const float texels[] = {0, 1, 2, 3, 10, 11, 12, 13};
    float got[N];
    CUarray array = array_of(4, 2, 0, 0, CU_AD_FORMAT_FLOAT, texels, 16);
    const float px[N] = {0, 0.99f, 3.5f, -1, 5, 2.5f, 1, 1}, py[N] = {0, 0, 1.5f, 0, 1, -3, 0.5f, 7};
    CUtexObject t = texture(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0);
    run("tex_2d", t, px, py, got);
    expect(got, (const float[N]){0, 0, 13, 0, 13, 2, 1, 11});
    OK(cuTexObjectDestroy(t));
    t = texture(array, CU_TR_ADDRESS_MODE_BORDER, CU_TR_FILTER_MODE_POINT, 0);
    run("tex_2d", t, px, py, got);
    expect(got, (const float[N]){0, 0, 13, 9, 9, 9, 1, 9});
    OK(cuTexObjectDestroy(t));
    /* linear: texel centres are at half integers */
    const float lx[N] = {0.5f, 1, 1.25f, 0, 4, 2, 1, 3.5f}, ly[N] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 1, 0, 2};
    t = texture(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_LINEAR, 0);
    run("tex_2d", t, lx, ly, got);
    expect(got, (const float[N]){0, 0.5f, 0.75f, 0, 3, 6.5f, 0.5f, 13});
    OK(cuTexObjectDestroy(t));
    /* normalised: 1 is the width; wrap and mirror */
    const float nx[N] = {0, 0.25f, 1, 1.25f, -0.125f, 1.125f, 2.125f, 0.99f}, ny[N] = {0};
    t = texture(array, CU_TR_ADDRESS_MODE_WRAP, CU_TR_FILTER_MODE_POINT, CU_TRSF_NORMALIZED_COORDINATES);
    run("tex_2d", t, nx, ny, got);
    expect(got, (const float[N]){0, 1, 0, 1, 3, 0, 0, 3});
    OK(cuTexObjectDestroy(t));
    t = texture(array, CU_TR_ADDRESS_MODE_MIRROR, CU_TR_FILTER_MODE_POINT, CU_TRSF_NORMALIZED_COORDINATES);
    run("tex_2d", t, nx, ny, got);
    expect(got, (const float[N]){0, 1, 3, 2, 0, 3, 0, 3});
    OK(cuTexObjectDestroy(t));
    FAILS(INVALID_VALUE, cuTexObjectDestroy(t));
    OK(cuArrayDestroy(array));
}

static void normalised_reads_and_layers(void **state)
{
    (void)state;
    static const uint8_t texels[] = {0, 51, 102, 255, 10, 20, 30, 40};
    float got[N];
    int layers[N] = {0, 0, 0, 0, 1, 1, 7, -1};
    const float px[N] = {0, 1, 2, 3, 0, 3, 1, 1};
    CUarray array = array_of(4, 0, 2, CUDA_ARRAY3D_LAYERED, CU_AD_FORMAT_UNSIGNED_INT8, texels, 4);
    CUtexObject t = texture(array, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0);
    run("tex_layer", t, layers, px, got);
    expect(got, (const float[N]){0, 0.2f, 0.4f, 1, 10 / 255.0f, 40 / 255.0f, 20 / 255.0f,
                                 20 / 255.0f}); /* -1 is unsigned: the last layer */
    OK(cuTexObjectDestroy(t));
    OK(cuArrayDestroy(array));
}

static void linear_memory(void **state)
{
    (void)state;
    static const int8_t texels[] = {-1, 2, -3, 4, 5, 6, 7, 8};
    CUdeviceptr memory;
    CUtexObject t;
    int got[N], where[N] = {0, 1, 2, 3, 7, 8, -1, 1000000}, none[N] = {0};
    const int want[N] = {-1, 2, -3, 4, 8, 0, 0, 0}; /* outside is 0 */
    OK(cuMemAlloc(&memory, sizeof texels));
    OK(cuMemcpyHtoD(memory, texels, sizeof texels));
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR};
    resource.res.linear.devPtr = memory;
    resource.res.linear.format = CU_AD_FORMAT_SIGNED_INT8;
    resource.res.linear.numChannels = 1;
    resource.res.linear.sizeInBytes = sizeof texels;
    CUDA_TEXTURE_DESC sampling = {.flags = CU_TRSF_READ_AS_INTEGER};
    OK(cuTexObjectCreate(&t, &resource, &sampling, NULL));
    run("tex_1d_fetch", t, where, none, got);
    assert_memory_equal(got, want, sizeof got);
    OK(cuTexObjectDestroy(t));
    resource.res.linear.sizeInBytes = 1 << 30; /* longer than the memory: as an H200 takes it */
    where[5] = -2, where[6] = 1 << 30, where[7] = INT32_MIN;
    OK(cuTexObjectCreate(&t, &resource, &sampling, NULL));
    run("tex_1d_fetch", t, where, none, got);
    assert_memory_equal(got, want, sizeof got);
    OK(cuTexObjectDestroy(t));
    resource.res.linear.sizeInBytes = 0;
    OK(cuTexObjectCreate(&t, &resource, &sampling, NULL));
    OK(cuTexObjectDestroy(t));
    resource.res.linear.devPtr = memory + 256;
    FAILS(INVALID_VALUE, cuTexObjectCreate(&t, &resource, &sampling, NULL));
    resource.res.linear.devPtr = 0;
    FAILS(INVALID_VALUE, cuTexObjectCreate(&t, &resource, &sampling, NULL));
    OK(cuMemFree(memory));
}

/* x is in bytes; outside, a .zero load returns 0 and a .clamp store writes to the edge */
static void surfaces(void **state)
{
    (void)state;
    static const int texels[] = {1, 2, 3, 4, 5, 6, 7, 8};
    CUsurfObject s;
    int got[N], after[8];
    const int px[N] = {0, 4, 12, 16, 0, 8, 4, 0}, py[N] = {0, 0, 0, 0, 1, 1, 2, 5};
    CUarray array = array_of(4, 2, 0, CUDA_ARRAY3D_SURFACE_LDST, CU_AD_FORMAT_SIGNED_INT32, texels, 16);
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    OK(cuSurfObjectCreate(&s, &resource));
    run("surf_move", s, px, py, got);
    assert_memory_equal(got, ((const int[N]){1, 2, 4, 0, 5, 7, 0, 0}), sizeof got);
    CUDA_MEMCPY2D back = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                          .srcArray = array,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = after,
                          .dstPitch = 16,
                          .WidthInBytes = 16,
                          .Height = 2};
    OK(cuMemcpy2D(&back));
    assert_int_equal(after[0], 2);
    assert_int_equal(after[1], 3);
    assert_int_equal(after[3], 1); /* lane 3 came last, clamped from x = 16 */
    assert_int_equal(after[4], 6);
    OK(cuSurfObjectDestroy(s));
    OK(cuArrayDestroy(array));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_dimensions),
        cmocka_unit_test(normalised_reads_and_layers),
        cmocka_unit_test(linear_memory),
        cmocka_unit_test(surfaces),
    };
    return cmocka_run_group_tests(tests, setup, driver_context_close);
}
