/* SPDX-License-Identifier: Apache-2.0 */
/* txq, suq, istypep and tld4 on texture and surface objects, against what the objects were made with (PTX ISA
 * 5.3 and 9.7.10; channel types and orders have OpenCL's numbers). Each kernel is made from the instruction.
 */
#include "driver_context.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 8, WORDS = 5 };
static CUdeviceptr out, places;

static int setup(void **state)
{
    driver_context_open(state);
    OK(cuMemAlloc(&out, 4 * LANES * WORDS));
    OK(cuMemAlloc(&places, 8 * LANES));
    return 0;
}

/* A kernel whose lane l has the object in %d1, l in %r1, a place in %f1 and %f2, and stores %r2 .. %r6. */
static CUresult module_of(const char *body, CUmodule *module)
{
    char text[2000];
    snprintf(text, sizeof text,
             ".version 8.0\n.target sm_70\n.address_size 64\n"
             ".visible .entry k(.param .u64 object, .param .u64 at, .param .u64 out)\n{\n"
             ".reg .b64 %%d<9>; .reg .b32 %%r<9>; .reg .f32 %%f<9>; .reg .pred %%p<4>;\n"
             "ld.param.u64 %%d1, [object]; ld.param.u64 %%d2, [at]; ld.param.u64 %%d3, [out];\n"
             "mov.u32 %%r1, %%tid.x; mul.wide.u32 %%d4, %%r1, 8; add.u64 %%d2, %%d2, %%d4;\n"
             "ld.global.v2.f32 {%%f1, %%f2}, [%%d2]; mul.wide.u32 %%d4, %%r1, 20; add.u64 %%d3, %%d3, %%d4;\n"
             "mov.u32 %%r2, 99; mov.u32 %%r3, 99; mov.u32 %%r4, 99; mov.u32 %%r5, 99; mov.u32 %%r6, 99;\n"
             "%s\n"
             "st.global.u32 [%%d3], %%r2; st.global.u32 [%%d3+4], %%r3; st.global.u32 [%%d3+8], %%r4;\n"
             "st.global.u32 [%%d3+12], %%r5; st.global.u32 [%%d3+16], %%r6; ret;\n}\n",
             body);
    return cuModuleLoadData(module, text);
}

static CUresult launch(const char *body, unsigned long long object, const float at[][2],
                       uint32_t words[][WORDS])
{
    static const float nowhere[LANES][2];
    CUmodule module;
    CUfunction function;
    void *params[] = {&object, &places, &out};
    CUresult result = module_of(body, &module);
    if (result != CUDA_SUCCESS) return result;
    OK(cuMemcpyHtoD(places, at ? at : nowhere, 8 * LANES));
    result = cuModuleGetFunction(&function, module, "k");
    if (result == CUDA_SUCCESS)
        result = cuLaunchKernel(function, 1, 1, 1, LANES, 1, 1, 0, NULL, params, NULL);
    if (result == CUDA_SUCCESS) OK(cuMemcpyDtoH(words, out, 4 * LANES * WORDS));
    OK(cuModuleUnload(module));
    return result;
}

/* One word of all lanes, which must be equal. */
static uint32_t ask(const char *instruction, unsigned long long object)
{
    uint32_t words[LANES][WORDS];
    OK(launch(instruction, object, NULL, words));
    for (int lane = 1; lane < LANES; lane++)
        assert_int_equal(words[lane][0], words[0][0]);
    return words[0][0];
}

static uint32_t query(const char *opcode, const char *what, unsigned long long object)
{
    char text[200];
    snprintf(text, sizeof text, "%s.%s.b32 %%r2, [%%d1];", opcode, what);
    return ask(text, object);
}

static CUarray array_of(size_t width, size_t height, size_t depth, unsigned flags, CUarray_format format,
                        unsigned channels)
{
    CUarray array;
    CUDA_ARRAY3D_DESCRIPTOR d = {width, height, depth, format, channels, flags};
    OK(cuArray3DCreate(&array, &d));
    return array;
}

static CUDA_RESOURCE_DESC resource_of(CUarray array)
{
    return (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
}

static CUtexObject texture(CUarray array, const CUDA_TEXTURE_DESC *sampling)
{
    CUtexObject object;
    CUDA_RESOURCE_DESC resource = resource_of(array);
    OK(cuTexObjectCreate(&object, &resource, sampling, NULL));
    return object;
}

static void volume(void **state)
{
    (void)state;
    CUDA_TEXTURE_DESC sampling = {
        .addressMode = {CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_MIRROR, CU_TR_ADDRESS_MODE_BORDER},
        .filterMode = CU_TR_FILTER_MODE_LINEAR,
        .flags = CU_TRSF_NORMALIZED_COORDINATES};
    CUarray array = array_of(7, 5, 3, 0, CU_AD_FORMAT_FLOAT, 4);
    CUtexObject t = texture(array, &sampling);
    static const struct {
        const char *what;
        uint32_t is;
    } rows[] = {{"width", 7},
                {"height", 5},
                {"depth", 3},
                {"channel_data_type", 0x10de},
                {"channel_order", 0x10b5},
                {"normalized_coords", 1},
                {"filter_mode", 1},
                {"addr_mode_0", 0},
                {"addr_mode_1", 1},
                {"addr_mode_2", 4},
                {"array_size", 0},
                {"num_mipmap_levels", 0},
                {"num_samples", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(query("txq", rows[i].what, t), rows[i].is);
    assert_int_equal(ask("mov.u32 %r7, 0; txq.level.width.b32 %r2, [%d1], %r7;", t), 7);
    assert_int_equal(ask("txq.level.height.b32 %r2, [%d1], 0;", t), 5);
    assert_int_equal(ask("txq.level.depth.b32 %r2, [%d1], 0;", t), 3);
    assert_int_equal(ask("setp.eq.u32 %p1, %r1, 99; @%p1 txq.width.b32 %r2, [%d1];", t), 99);
    OK(cuTexObjectDestroy(t));
    OK(cuArrayDestroy(array));
}

static void layers_and_channels(void **state)
{
    (void)state;
    CUDA_TEXTURE_DESC sampling = {.addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP}};
    CUarray array = array_of(6, 4, 9, CUDA_ARRAY3D_LAYERED, CU_AD_FORMAT_SIGNED_INT16, 2);
    CUtexObject t = texture(array, &sampling);
    assert_int_equal(query("txq", "array_size", t), 9);
    assert_int_equal(query("txq", "width", t), 6);
    assert_int_equal(query("txq", "height", t), 4);
    assert_int_equal(query("txq", "channel_order", t), 0x10b2);
    assert_int_equal(query("txq", "channel_data_type", t), 0x10d1); /* read as -1 .. 1 */
    assert_int_equal(query("txq", "normalized_coords", t), 0);
    assert_int_equal(query("txq", "filter_mode", t), 0);
    assert_int_equal(query("txq", "addr_mode_0", t), 3);
    OK(cuTexObjectDestroy(t));
    sampling.flags = CU_TRSF_READ_AS_INTEGER;
    t = texture(array, &sampling);
    assert_int_equal(query("txq", "channel_data_type", t), 0x10d8);
    OK(cuTexObjectDestroy(t));
    OK(cuArrayDestroy(array));
}

static void surface_queries(void **state)
{
    (void)state;
    CUsurfObject s;
    CUarray array = array_of(5, 3, 2, CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_LAYERED, CU_AD_FORMAT_HALF, 1);
    CUDA_RESOURCE_DESC resource = resource_of(array);
    OK(cuSurfObjectCreate(&s, &resource));
    assert_int_equal(query("suq", "width", s), 5);
    assert_int_equal(query("suq", "height", s), 3);
    assert_int_equal(query("suq", "array_size", s), 2);
    assert_int_equal(query("suq", "channel_data_type", s), 0x10dd);
    assert_int_equal(query("suq", "channel_order", s), 0x10b0);
    assert_int_equal(query("suq", "memory_layout", s), 0);
    OK(cuSurfObjectDestroy(s));
    OK(cuArrayDestroy(array));
    array = array_of(5, 3, 2, CUDA_ARRAY3D_SURFACE_LDST, CU_AD_FORMAT_UNSIGNED_INT8, 4);
    resource = resource_of(array);
    OK(cuSurfObjectCreate(&s, &resource));
    assert_int_equal(query("suq", "depth", s), 2);
    assert_int_equal(query("suq", "array_size", s), 0);
    assert_int_equal(query("suq", "channel_data_type", s), 0x10da);
    OK(cuSurfObjectDestroy(s));
    OK(cuArrayDestroy(array));
}

static void types(void **state)
{
    (void)state;
    static const char body[] = "istypep.texref %p1, %d1; istypep.samplerref %p2, %d1;\n"
                               "istypep.surfref %p3, %d1; selp.u32 %r2, 1, 0, %p1;\n"
                               "selp.u32 %r3, 1, 0, %p2; selp.u32 %r4, 1, 0, %p3;";
    /* lane 0 leaves before: what lane 0 would have says nothing */
    static const char few[] = "setp.eq.u32 %p1, %r1, 0; @%p1 ret; istypep.texref %p2, %d1;\n"
                              "@!%p2 bra no; mov.u32 %r2, 1; no:";
    CUDA_TEXTURE_DESC sampling = {.flags = 0};
    CUsurfObject s;
    uint32_t words[LANES][WORDS];
    CUarray array = array_of(5, 3, 0, CUDA_ARRAY3D_SURFACE_LDST, CU_AD_FORMAT_FLOAT, 1);
    CUDA_RESOURCE_DESC resource = resource_of(array);
    CUtexObject t = texture(array, &sampling);
    OK(cuSurfObjectCreate(&s, &resource));
    const unsigned long long asked[] = {t, s, 0, 1234567, out};
    for (int i = 0; i < 5; i++) {
        OK(launch(body, asked[i], NULL, words));
        assert_int_equal(words[3][0], 0); /* objects are no variables, says an H200 */
        assert_int_equal(words[3][1], 0);
        assert_int_equal(words[3][2], 0);
    }
    OK(cuMemsetD8(out, 0, 4 * LANES * WORDS));
    OK(launch(few, t, NULL, words));
    assert_int_equal(words[0][0], 0);
    assert_int_equal(words[7][0], 99);
    OK(cuTexObjectDestroy(t));
    OK(cuSurfObjectDestroy(s));
    OK(cuArrayDestroy(array));
}

/* Texel (x, y) of layer z: 100 z + 10 y + x in the first channel, 1000 times the channel more in others. */
static CUarray numbered(size_t layers, unsigned channels, bool floats)
{
    uint32_t texels[2 * 3 * 4 * 4], count = 0;
    size_t slices = layers ? layers : 1, row = 4 * 4 * channels;
    CUarray array = array_of(4, 3, layers, layers ? CUDA_ARRAY3D_LAYERED : CUDA_ARRAY3D_TEXTURE_GATHER,
                             floats ? CU_AD_FORMAT_FLOAT : CU_AD_FORMAT_SIGNED_INT32, channels);
    for (uint32_t z = 0; z < slices; z++)
        for (uint32_t i = 0; i < 4 * 3 * channels; i++) {
            uint32_t texel = i / channels, value = 100 * z + texel / 4 * 10 + texel % 4 + i % channels * 1000;
            float f = (float)value;
            texels[count] = value;
            if (floats) memcpy(&texels[count], &f, sizeof f);
            count++;
        }
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = texels,
                          .srcPitch = row,
                          .srcHeight = 3,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = array,
                          .WidthInBytes = row,
                          .Height = 3,
                          .Depth = slices};
    OK(cuMemcpy3D(&copy));
    return array;
}

static void expect_floats(const uint32_t *words, const float want[4])
{
    float got[4];
    memcpy(got, words, sizeof got);
    for (int i = 0; i < 4; i++)
        assert_true(got[i] == want[i]);
}

/* (1, 1) lies where the texels (0, 0) to (1, 1) meet */
static const float corners[LANES][2] = {{1, 1}, {2, 1}, {1.4f, 1.4f}, {2, 2},
                                        {0, 0}, {4, 3}, {1.6f, 1},    {9, 1}};

static void gather_floats(void **state)
{
    (void)state;
    CUDA_TEXTURE_DESC sampling = {.addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP}};
    uint32_t words[LANES][WORDS];
    CUarray array = numbered(0, 1, true);
    CUtexObject t = texture(array, &sampling);
    OK(launch("tld4.r.2d.v4.f32.f32 {%r2, %r3, %r4, %r5}|%p1, [%d1, {%f1, %f2}]; selp.u32 %r6, 7, 8, %p1;", t,
              corners, words));
    expect_floats(words[0], (const float[4]){10, 11, 1, 0});
    expect_floats(words[1], (const float[4]){11, 12, 2, 1});
    expect_floats(words[2], (const float[4]){10, 11, 1, 0});
    expect_floats(words[3], (const float[4]){21, 22, 12, 11});
    expect_floats(words[4], (const float[4]){0, 0, 0, 0});
    expect_floats(words[5], (const float[4]){23, 23, 23, 23});
    expect_floats(words[6], (const float[4]){11, 12, 2, 1});
    expect_floats(words[7], (const float[4]){13, 13, 3, 3});
    assert_int_equal(words[0][4], 7);
    /* only lanes 4 and on, with an offset of (1, -1) */
    OK(launch("setp.ge.u32 %p2, %r1, 4; @%p2 tld4.r.2d.v4.f32.f32 {%r2, %r3, %r4, %r5}, [%d1, {%f1, %f2}],\n"
              "{1, -1};",
              t, corners, words));
    assert_int_equal(words[0][0], 99);
    expect_floats(words[4], (const float[4]){0, 1, 1, 0});
    expect_floats(words[6], (const float[4]){2, 3, 3, 2});
    OK(cuTexObjectDestroy(t));
    sampling.addressMode[0] = sampling.addressMode[1] = CU_TR_ADDRESS_MODE_BORDER;
    sampling.borderColor[0] = 77;
    t = texture(array, &sampling);
    OK(launch("tld4.r.2d.v4.f32.f32 {%r2, _, %r4, %r5}, [%d1, {%f1, %f2}]; mov.b32 %r3, 0;", t, corners,
              words));
    expect_floats(words[4], (const float[4]){77, 0, 77, 77});
    expect_floats(words[5], (const float[4]){77, 0, 77, 23});
    OK(cuTexObjectDestroy(t));
    OK(cuArrayDestroy(array));
}

static void gather_components(void **state)
{
    (void)state;
    CUDA_TEXTURE_DESC sampling = {.addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP}};
    uint32_t words[LANES][WORDS];
    CUarray array = numbered(0, 4, false);
    CUtexObject t = texture(array, &sampling);
    for (uint32_t c = 0; c < 4; c++) {
        char body[200];
        snprintf(body, sizeof body, "tld4.%c.2d.v4.%s.f32 {%%r2, %%r3, %%r4, %%r5}, [%%d1, {%%f1, %%f2}];",
                 "rgba"[c], c & 1 ? "s32" : "u32");
        OK(launch(body, t, corners, words));
        const uint32_t want[4] = {21 + 1000 * c, 22 + 1000 * c, 12 + 1000 * c, 11 + 1000 * c};
        assert_memory_equal(words[3], want, sizeof want);
    }
    OK(cuTexObjectDestroy(t));
    OK(cuArrayDestroy(array));
    array = numbered(2, 1, true);
    t = texture(array, &sampling);
    OK(launch("shr.u32 %r7, %r1, 1; tld4.r.a2d.v4.f32.f32 {%r2, %r3, %r4, %r5}, [%d1, {%r7, %f1, %f2, %f2}];",
              t, corners, words));
    expect_floats(words[1], (const float[4]){11, 12, 2, 1});
    expect_floats(words[3], (const float[4]){121, 122, 112, 111});
    expect_floats(words[7], (const float[4]){113, 113, 103, 103}); /* layer 3 is the last one there is */
    OK(cuTexObjectDestroy(t));
    OK(cuArrayDestroy(array));
}

static void what_is_refused(void **state)
{
    (void)state;
    static const struct {
        CUresult result;
        const char *body;
    } rows[] = {
        {CUDA_ERROR_INVALID_PTX, "txq.level.filter_mode.b32 %r2, [%d1], 0;"},
        {CUDA_ERROR_INVALID_PTX, "txq.memory_layout.b32 %r2, [%d1];"},
        {CUDA_ERROR_INVALID_PTX, "txq.level.width.b32 %r2, [%d1];"},
        {CUDA_ERROR_INVALID_PTX, "suq.filter_mode.b32 %r2, [%d1];"},
        {CUDA_ERROR_INVALID_PTX, "istypep.texref %r2, %d1;"},
        {CUDA_ERROR_INVALID_PTX, "tld4.r.2d.v4.f32.f32 {%r2, %r3, %r4}, [%d1, {%f1, %f2}];"},
        {CUDA_ERROR_INVALID_PTX, "tld4.r.2d.v4.f32.f32 {%r2, %r3, %r4, %r5}|%r6, [%d1, {%f1, %f2}];"},
        {CUDA_ERROR_INVALID_PTX, "tld4.r.2d.v4.f32.f32 {%r2, %r3, %r4, %r5}, [%d1, {%f1, %f2, %f2, %f2}];"},
        {CUDA_ERROR_INVALID_PTX, "tld4.r.3d.v4.f32.f32 {%r2, %r3, %r4, %r5}, [%d1, {%f1, %f2, %f2, %f2}];"},
        {CUDA_ERROR_NOT_SUPPORTED, "txq.force_unnormalized_coords.b32 %r2, [%d1];"},
        {CUDA_ERROR_NOT_SUPPORTED,
         "tex.level.2d.v4.f32.f32 {%r2, %r3, %r4, %r5}, [%d1, {%f1, %f2}], here; here:"},
        {CUDA_ERROR_NOT_SUPPORTED,
         "tex.level.2d.v4.f32.f32 {%r2, %r3, %r4, %r5}, [%d1, {%f1, %f2}], {%f1, %f2};"},
        {CUDA_ERROR_NOT_SUPPORTED, "tex.2d.v4.f32.f32 {%r2, %r3, %r4, 5}, [%d1, {%f1, %f2}];"},
        {CUDA_ERROR_INVALID_PTX, "tex.2d.v4.f32 {%r2, %r3, %r4, %r5}, [%d1, {%f1, %f2}];"},
        {CUDA_ERROR_NOT_SUPPORTED,
         "tex.grad.2d.v4.f32.f32 {%r2, %r3, %r4, %r5}, [%d1, {%f1, %f2}], %f1, %f2;"},
        {CUDA_ERROR_NOT_SUPPORTED, "sured.b.add.2d.u32.trap [%d1, {%r2, %r3}], {%r4, %r5};"},
        {CUDA_ERROR_NOT_SUPPORTED, "suld.b.2d.v2.b32.trap {%r2}, [%d1, {%r2, %r3}];"},
        {CUDA_ERROR_NOT_SUPPORTED, "tex.2dms.v4.f32.s32 {%r2, %r3, %r4, %r5}, [%d1, {%r1, %r1, %r1, %r1}];"},
        {CUDA_ERROR_NOT_SUPPORTED, "tld4.r.2d.v4.f32.f32 {%r2, %r3, %r4, %r5}, [%d1, %d1, {%f1, %f2}];"},
        {CUDA_ERROR_NOT_SUPPORTED, "tld4.r.2d.v4.f32.f32 {%r2, %r3, %r4, %r5}, [%d1, {%f1, %f2}], %f3;"},
    };
    uint32_t words[LANES][WORDS];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(launch(rows[i].body, 0, NULL, words), rows[i].result);
}

/* References are variables, and their address is an object too; samplers are refused. */
static void references(void **state)
{
    (void)state;
    static const char text[] =
        ".version 8.0\n.target sm_70\n.address_size 64\n.global .texref t; .global .surfref s;\n"
        ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %d<4>; .reg .pred %p<5>; .reg .b32 %r<5>;\n"
        "ld.param.u64 %d3, [out]; mov.u64 %d1, t; mov.u64 %d2, s; istypep.texref %p1, %d1;\n"
        "istypep.surfref %p2, %d2; istypep.texref %p3, %d2; selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, "
        "%p2;\n"
        "selp.u32 %r3, 1, 0, %p3; txq.width.b32 %r4, [%d1]; st.global.v4.u32 [%d3], {%r1, %r2, %r3, %r4}; "
        "ret;\n}\n";
    static const char sampler[] = ".version 8.0\n.target sm_70\n.address_size 64\n.global .samplerref s;\n"
                                  ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %d1; .reg .pred %p1;\n"
                                  "mov.u64 %d1, s; istypep.samplerref %p1, %d1; @%p1 trap; ret;\n}\n";
    CUmodule module;
    CUfunction function;
    CUtexref t;
    CUarray got, array = array_of(7, 5, 0, CUDA_ARRAY3D_SURFACE_LDST, CU_AD_FORMAT_FLOAT, 1);
    uint32_t words[4];
    void *params[] = {&out};
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&function, module, "k"));
    OK(cuModuleGetTexRef(&t, module, "t"));
    assert_int_equal(cuTexRefGetArray(&got, t), CUDA_ERROR_INVALID_VALUE);
    OK(cuTexRefSetArray(t, array, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuTexRefGetArray(&got, t));
    assert_ptr_equal(got, array);
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(words, out, sizeof words));
    assert_memory_equal(words, ((const uint32_t[]){1, 1, 0, 7}), sizeof words);
    OK(cuModuleUnload(module));
    OK(cuArrayDestroy(array));
    OK(cuModuleLoadData(&module, sampler));
    CUresult result = cuModuleGetFunction(&function, module, "k");
    if (result == CUDA_SUCCESS)
        result = cuLaunchKernel(function, 1, 1, 1, LANES, 1, 1, 0, NULL, params, NULL);
    assert_int_equal(result, CUDA_ERROR_NOT_SUPPORTED);
    OK(cuModuleUnload(module));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volume),          cmocka_unit_test(layers_and_channels),
        cmocka_unit_test(surface_queries), cmocka_unit_test(types),
        cmocka_unit_test(gather_floats),   cmocka_unit_test(gather_components),
        cmocka_unit_test(what_is_refused), cmocka_unit_test(references),
    };
    return cmocka_run_group_tests(tests, setup, driver_context_close);
}
