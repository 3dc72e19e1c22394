/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of texture references, surface references and samplers as variables, and the driver's answers about
 * arrays and levels. */
#include "textures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(const char *what, CUresult result)
{
    printf("%s: %s\n", what, texture_error(result));
    fflush(stdout);
}

/* A reference t of a module, bound to an array of 16 by 12. */
static CUresult bound(CUmodule module, const struct texture_case *c, CUtexref *t, CUarray *array)
{
    CUresult result = cuModuleGetTexRef(t, module, "t");
    if (result != CUDA_SUCCESS) return result;
    result = texture_array(c, array);
    if (result != CUDA_SUCCESS) return result;
    for (int d = 0; d < 2; d++)
        cuTexRefSetAddressMode(*t, d, c->sampler.addressMode[d]);
    cuTexRefSetFilterMode(*t, c->sampler.filterMode);
    cuTexRefSetFlags(*t, c->sampler.flags);
    return cuTexRefSetArray(*t, *array, CU_TRSA_OVERRIDE_FORMAT);
}

static void with_reference(const char *name, const char *globals, const char *body, bool linear,
                           unsigned flags, CUarray_format format)
{
    static uint32_t words[MOST_THREADS * OUT_WORDS];
    struct texture_case c = texture_case(name, body, format, 2, 16, 12, 0, CUDA_ARRAY3D_SURFACE_LDST);
    CUarray array = NULL;
    CUtexref t = NULL;
    CUresult result;
    const char *what = "module";
    texture_modes(&c, CU_TR_ADDRESS_MODE_WRAP, linear, flags);
    c.sampler.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
    c.places = flags & CU_TRSF_NORMALIZED_COORDINATES ? PLACE_NORMALIZED : PLACE_TEXELS;
    if (strstr(body, "s32 {")) c.places = PLACE_INTEGERS;
    CUmodule module = texture_module(globals, body, &result);
    if (result == CUDA_SUCCESS) {
        what = "reference";
        result = bound(module, &c, &t, &array);
    }
    if (result == CUDA_SUCCESS) {
        what = "launch";
        result = texture_launch(module, 0, &c, words);
    }
    if (result == CUDA_SUCCESS)
        texture_print(name, words, (size_t)c.threads * OUT_WORDS);
    else
        printf("%s: %s %s\n", name, what, texture_error(result));
    fflush(stdout);
    if (module) cuModuleUnload(module);
    if (array) cuArrayDestroy(array);
}

static const char read_t[] = "tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [t, {%f0, %f1}];";

static void defaults(void)
{
    CUresult result;
    CUtexref t;
    CUmodule module = texture_module(".global .texref t;", read_t, &result);
    say("reference defaults module", result);
    if (result == CUDA_SUCCESS) result = cuModuleGetTexRef(&t, module, "t");
    say("reference defaults get", result);
    if (result != CUDA_SUCCESS) return;
    CUaddress_mode mode;
    CUfilter_mode filter;
    CUarray_format format;
    CUarray array;
    CUdeviceptr memory;
    unsigned flags;
    int channels, anisotropy;
    float low, high, bias, border[4];
    for (int d = -1; d < 4; d++) {
        result = cuTexRefGetAddressMode(&mode, t, d);
        printf("reference defaults address mode %d: %s %d\n", d, texture_error(result),
               result == CUDA_SUCCESS ? (int)mode : -1);
    }
    result = cuTexRefGetFilterMode(&filter, t);
    printf("reference defaults filter: %s %d\n", texture_error(result), (int)filter);
    result = cuTexRefGetFlags(&flags, t);
    printf("reference defaults flags: %s %u\n", texture_error(result), flags);
    result = cuTexRefGetFormat(&format, &channels, t);
    printf("reference defaults format: %s %d %d\n", texture_error(result), (int)format, channels);
    result = cuTexRefGetArray(&array, t);
    printf("reference defaults array: %s\n", texture_error(result));
    result = cuTexRefGetAddress(&memory, t);
    printf("reference defaults address: %s\n", texture_error(result));
    result = cuTexRefGetMipmapFilterMode(&filter, t);
    printf("reference defaults level filter: %s %d\n", texture_error(result), (int)filter);
    result = cuTexRefGetMipmapLevelBias(&bias, t);
    printf("reference defaults bias: %s %g\n", texture_error(result), (double)bias);
    result = cuTexRefGetMipmapLevelClamp(&low, &high, t);
    printf("reference defaults clamp: %s %g %g\n", texture_error(result), (double)low, (double)high);
    result = cuTexRefGetMaxAnisotropy(&anisotropy, t);
    printf("reference defaults anisotropy: %s %d\n", texture_error(result), anisotropy);
    result = cuTexRefGetBorderColor(border, t);
    printf("reference defaults border: %s %g %g %g %g\n", texture_error(result), (double)border[0],
           (double)border[1], (double)border[2], (double)border[3]);
    say("reference defaults set mode 3", cuTexRefSetAddressMode(t, 3, CU_TR_ADDRESS_MODE_CLAMP));
    say("reference defaults set format of 3 channels", cuTexRefSetFormat(t, CU_AD_FORMAT_FLOAT, 3));
    say("reference defaults set flags 0x80", cuTexRefSetFlags(t, 0x80));
    say("reference defaults another name", cuModuleGetTexRef(&t, module, "u"));
    CUsurfref s;
    say("reference defaults as a surface", cuModuleGetSurfRef(&s, module, "t"));
    uint32_t words[32 * OUT_WORDS];
    struct texture_case c = texture_case("reference unbound", "", CU_AD_FORMAT_FLOAT, 1, 16, 12, 0, 0);
    c.threads = 32;
    say("reference unbound", texture_launch(module, 0, &c, words));
    cuModuleUnload(module);
    result = cuTexRefCreate(&t);
    say("reference create", result);
    if (result == CUDA_SUCCESS) say("reference destroy", cuTexRefDestroy(t));
}

/* Linear and pitched memory. */
static void memory_references(void)
{
    static uint32_t words[MOST_THREADS * OUT_WORDS], texels[4096];
    static const char *const bodies[] = {"tex.1d.v4.f32.s32 {%q0, %q1, %q2, %q3}, [t, {%r0}];", read_t};
    for (uint32_t i = 0; i < 4096; i++) {
        float value = (float)i;
        memcpy(&texels[i], &value, 4);
    }
    for (int pitched = 0; pitched < 2; pitched++) {
        CUresult result;
        CUtexref t;
        CUdeviceptr memory;
        size_t offset = 999;
        struct texture_case c = texture_case("reference memory", bodies[pitched], CU_AD_FORMAT_FLOAT, 1, 64,
                                             pitched ? 16 : 0, 0, 0);
        c.places = pitched ? PLACE_TEXELS : PLACE_INTEGERS;
        CUmodule module = texture_module(".global .texref t;", bodies[pitched], &result);
        if (result != CUDA_SUCCESS || cuMemAlloc(&memory, sizeof texels) != CUDA_SUCCESS) {
            say("reference memory", result);
            return;
        }
        cuMemcpyHtoD(memory, texels, sizeof texels);
        say("reference memory get", cuModuleGetTexRef(&t, module, "t"));
        cuTexRefSetFormat(t, CU_AD_FORMAT_FLOAT, 1);
        CUDA_ARRAY_DESCRIPTOR d = {50, 16, CU_AD_FORMAT_FLOAT, 1};
        if (pitched)
            say("reference memory pitched", cuTexRefSetAddress2D(t, &d, memory, 256));
        else
            say("reference memory linear", cuTexRefSetAddress(&offset, t, memory + 512, 400));
        printf("reference memory offset %d: %zu\n", pitched, offset);
        if (!pitched) {
            say("reference memory misplaced", cuTexRefSetAddress(&offset, t, memory + 516, 400));
            printf("reference memory offset misplaced: %zu\n", offset);
            say("reference memory misplaced, no offset", cuTexRefSetAddress(NULL, t, memory + 516, 400));
            say("reference memory linear again", cuTexRefSetAddress(&offset, t, memory + 512, 400));
        }
        result = texture_launch(module, 0, &c, words);
        say("reference memory launch", result);
        if (result == CUDA_SUCCESS)
            texture_print(pitched ? "reference memory pitched" : "reference memory linear", words,
                          (size_t)c.threads * OUT_WORDS);
        cuModuleUnload(module);
        cuMemFree(memory);
    }
}

static void surface_references(void)
{
    static uint32_t words[MOST_THREADS * OUT_WORDS];
    static const char body[] =
        "rem.s32 %r5, %r9, 12; shl.b32 %r5, %r5, 2; suld.b.2d.b32.zero {%q0}, [s, {%r5, %r1}];\n"
        "suq.width.b32 %q1, [s]; suq.height.b32 %q2, [s]; suq.channel_order.b32 %q3, [s];";
    struct texture_case c = texture_case("reference of a surface", body, CU_AD_FORMAT_FLOAT, 1, 12, 9, 0,
                                         CUDA_ARRAY3D_SURFACE_LDST);
    CUresult result;
    CUsurfref s;
    CUarray array, got;
    c.places = PLACE_INTEGERS;
    CUmodule module = texture_module(".global .surfref s;", body, &result);
    say("reference of a surface module", result);
    if (result != CUDA_SUCCESS) return;
    result = cuModuleGetSurfRef(&s, module, "s");
    say("reference of a surface get", result);
    if (result != CUDA_SUCCESS) return;
    say("reference of a surface, array before", cuSurfRefGetArray(&got, s));
    if (texture_array(&c, &array) != CUDA_SUCCESS) return;
    say("reference of a surface set with flags", cuSurfRefSetArray(s, array, 1));
    say("reference of a surface set", cuSurfRefSetArray(s, array, 0));
    result = cuSurfRefGetArray(&got, s);
    printf("reference of a surface, array: %s %d\n", texture_error(result), got == array);
    result = texture_launch(module, 0, &c, words);
    say("reference of a surface launch", result);
    if (result == CUDA_SUCCESS) texture_print(c.name, words, (size_t)c.threads * OUT_WORDS);
    cuModuleUnload(module);
    cuArrayDestroy(array);
}

void group_references(void)
{
    defaults();
    for (unsigned linear = 0; linear < 2; linear++)
        for (unsigned normalized = 0; normalized < 2; normalized++) {
            char name[100];
            snprintf(name, sizeof name, "reference of f32%s%s", linear ? " linear" : "",
                     normalized ? " normalized" : "");
            with_reference(name, ".global .texref t;", read_t, linear,
                           normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0, CU_AD_FORMAT_FLOAT);
        }
    with_reference("reference of u8", ".global .texref t;", read_t, true, 0, CU_AD_FORMAT_UNSIGNED_INT8);
    with_reference("reference of u8 elements", ".global .texref t;",
                   "tex.2d.v4.u32.f32 {%q0, %q1, %q2, %q3}, [t, {%f0, %f1}];", false, CU_TRSF_READ_AS_INTEGER,
                   CU_AD_FORMAT_UNSIGNED_INT8);
    with_reference("reference by integers", ".global .texref t;",
                   "tex.2d.v4.f32.s32 {%q0, %q1, %q2, %q3}, [t, {%r0, %r1}];", false, 0, CU_AD_FORMAT_FLOAT);
    with_reference("reference in .tex", ".tex .u32 t;", read_t, false, 0, CU_AD_FORMAT_FLOAT);
    with_reference("reference queried", ".global .texref t;",
                   "txq.width.b32 %q0, [t]; txq.height.b32 %q1, [t]; txq.addr_mode_1.b32 %q2, [t]; "
                   "txq.channel_order.b32 %q3, [t];",
                   false, 0, CU_AD_FORMAT_FLOAT);
    with_reference("reference queried more", ".global .texref t;",
                   "txq.channel_data_type.b32 %q0, [t]; txq.filter_mode.b32 %q1, [t]; txq.addr_mode_0.b32 "
                   "%q2, [t]; txq.normalized_coords.b32 %q3, [t];",
                   true, CU_TRSF_NORMALIZED_COORDINATES, CU_AD_FORMAT_FLOAT);
    with_reference("reference gathered", ".global .texref t;",
                   "tld4.g.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [t, {%f0, %f1}];", false, 0,
                   CU_AD_FORMAT_FLOAT);
    with_reference("reference's address as an object", ".global .texref t;",
                   "mov.u64 %d6, t; istypep.texref %p1, %d6; selp.u32 %q0, 1, 0, %p1; tex.2d.v4.f32.f32 "
                   "{%q0, %q1, %q2, %q3}, [%d6, {%f0, %f1}];",
                   false, 0, CU_AD_FORMAT_FLOAT);
    memory_references();
    surface_references();
}

void group_samplers(void)
{
    static const char both[] = "tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [t, s, {%f0, %f1}];";
    with_reference("sampler nearest clamped",
                   "independent.global .texref t;\n.global .samplerref s = {addr_mode_0 = clamp_to_edge, "
                   "addr_mode_1 = wrap, filter_mode = nearest};",
                   both, true, 0, CU_AD_FORMAT_FLOAT);
    with_reference("sampler linear mirror",
                   "independent.global .texref t;\n.global .samplerref s = {addr_mode_0 = mirror, "
                   "addr_mode_1 = clamp_to_border, filter_mode = linear};",
                   both, false, CU_TRSF_NORMALIZED_COORDINATES, CU_AD_FORMAT_FLOAT);
    with_reference("sampler forced",
                   "independent.global .texref t;\n.global .samplerref s = {force_unnormalized_coords = 1, "
                   "addr_mode_0 = clamp_ogl, filter_mode = linear};",
                   both, false, CU_TRSF_NORMALIZED_COORDINATES, CU_AD_FORMAT_FLOAT);
    with_reference("sampler bare", "independent.global .texref t;\n.global .samplerref s;", both, false, 0,
                   CU_AD_FORMAT_FLOAT);
    with_reference(
        "sampler gathered", "independent.global .texref t;\n.global .samplerref s = {addr_mode_0 = wrap};",
        "tld4.r.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [t, s, {%f0, %f1}];", false, 0, CU_AD_FORMAT_FLOAT);
    with_reference("sampler queried",
                   "independent.global .texref t;\n.global .samplerref s = {addr_mode_0 = wrap, filter_mode "
                   "= linear, force_unnormalized_coords = 1};",
                   "txq.filter_mode.b32 %q0, [s]; txq.addr_mode_0.b32 %q1, [s]; txq.addr_mode_2.b32 %q2, "
                   "[s]; txq.force_unnormalized_coords.b32 %q3, [s];",
                   false, 0, CU_AD_FORMAT_FLOAT);
    with_reference("sampler's texture initialised",
                   "independent.global .texref t = {normalized_coords = 1};\n.global .samplerref s = "
                   "{filter_mode = linear};",
                   both, false, 0, CU_AD_FORMAT_FLOAT);
}

static void require(const char *name, size_t w, size_t h, size_t d, CUarray_format format, unsigned channels,
                    unsigned flags, unsigned levels)
{
    CUDA_ARRAY3D_DESCRIPTOR descriptor = {w, h, d, format, channels, flags}, level;
    CUDA_ARRAY_MEMORY_REQUIREMENTS needs;
    memset(&needs, 0, sizeof needs);
    CUarray array = NULL;
    CUmipmappedArray mipmap = NULL;
    CUresult result =
        levels ? cuMipmappedArrayCreate(&mipmap, &descriptor, levels) : cuArray3DCreate(&array, &descriptor);
    printf("answers %s: %s\n", name, texture_error(result));
    if (result != CUDA_SUCCESS) return;
    result = levels ? cuMipmappedArrayGetMemoryRequirements(&needs, mipmap, 0)
                    : cuArrayGetMemoryRequirements(&needs, array, 0);
    printf("answers %s requirements: %s %zu %zu\n", name, texture_error(result), needs.size, needs.alignment);
    for (unsigned i = 0; i < levels + 2 && levels; i++) {
        memset(&level, 0, sizeof level);
        result = cuMipmappedArrayGetLevel(&array, mipmap, i);
        CUresult second = result == CUDA_SUCCESS ? cuArray3DGetDescriptor(&level, array) : result;
        printf("answers %s level %u: %s %s %zu %zu %zu %d %u 0x%x\n", name, i, texture_error(result),
               texture_error(second), level.Width, level.Height, level.Depth, (int)level.Format,
               level.NumChannels, level.Flags);
        if (result == CUDA_SUCCESS && i == 1) say("answers destroy of a level", cuArrayDestroy(array));
    }
    CUarray plane;
    if (!levels) say("answers plane", cuArrayGetPlane(&plane, array, 0));
    if (!levels) cuArrayDestroy(array);
    if (levels) say("answers destroy of levels", cuMipmappedArrayDestroy(mipmap));
}

static void sampler_answers(void)
{
    struct texture_case c = texture_case("answers", "", CU_AD_FORMAT_FLOAT, 1, 16, 16, 0, 0);
    CUarray array;
    CUtexObject t;
    CUDA_RESOURCE_VIEW_DESC view;
    if (texture_array(&c, &array) != CUDA_SUCCESS) return;
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    static const unsigned flags[] = {0, 1, 2, 4, 0x10, 0x20, 0x40, 0x80, 0x100};
    for (unsigned i = 0; i < 9; i++) {
        CUDA_TEXTURE_DESC d = {.flags = flags[i]};
        CUresult result = cuTexObjectCreate(&t, &r, &d, NULL);
        printf("answers flags 0x%x: %s\n", flags[i], texture_error(result));
        if (result == CUDA_SUCCESS) cuTexObjectDestroy(t);
    }
    CUDA_TEXTURE_DESC d = {.maxAnisotropy = 99, .mipmapLevelBias = 3, .addressMode = {0, 1, 2}}, back;
    memset(&view, 0x55, sizeof view);
    say("answers plain object", cuTexObjectCreate(&t, &r, &d, NULL));
    CUresult result = cuTexObjectGetResourceViewDesc(&view, t);
    printf("answers no view: %s %d %zu\n", texture_error(result), (int)view.format, view.width);
    result = cuTexObjectGetTextureDesc(&back, t);
    printf("answers sampler: %s %u %g %d %d\n", texture_error(result), back.maxAnisotropy,
           (double)back.mipmapLevelBias, (int)back.addressMode[1], (int)back.addressMode[2]);
    cuTexObjectDestroy(t);
    view = (CUDA_RESOURCE_VIEW_DESC){.format = CU_RES_VIEW_FORMAT_FLOAT_1X32, .width = 16, .height = 16};
    say("answers object with view", cuTexObjectCreate(&t, &r, &d, &view));
    memset(&view, 0x55, sizeof view);
    result = cuTexObjectGetResourceViewDesc(&view, t);
    printf("answers view: %s %d %zu %zu %zu %u %u %u %u\n", texture_error(result), (int)view.format,
           view.width, view.height, view.depth, view.firstMipmapLevel, view.lastMipmapLevel, view.firstLayer,
           view.lastLayer);
    cuTexObjectDestroy(t);
    d = (CUDA_TEXTURE_DESC){.filterMode = CU_TR_FILTER_MODE_LINEAR, .flags = CU_TRSF_READ_AS_INTEGER};
    say("answers linear integers of floats", cuTexObjectCreate(&t, &r, &d, NULL));
    d.addressMode[0] = (CUaddress_mode)9;
    say("answers address mode 9", cuTexObjectCreate(&t, &r, &d, NULL));
    CUsurfObject s;
    say("answers surface without the flag", cuSurfObjectCreate(&s, &r));
    cuArrayDestroy(array);
    struct texture_case u = texture_case("answers", "", CU_AD_FORMAT_UNSIGNED_INT8, 1, 16, 16, 0, 0);
    if (texture_array(&u, &array) != CUDA_SUCCESS) return;
    r.res.array.hArray = array;
    d = (CUDA_TEXTURE_DESC){.filterMode = CU_TR_FILTER_MODE_LINEAR, .flags = CU_TRSF_READ_AS_INTEGER};
    say("answers linear integers", cuTexObjectCreate(&t, &r, &d, NULL));
    cuArrayDestroy(array);
    CUdeviceptr memory;
    cuMemAlloc(&memory, 1 << 16);
    r = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_LINEAR,
                             .res.linear = {memory, CU_AD_FORMAT_FLOAT, 1, 400}};
    d = (CUDA_TEXTURE_DESC){.filterMode = CU_TR_FILTER_MODE_LINEAR};
    say("answers linear memory, linear filter", cuTexObjectCreate(&t, &r, &d, NULL));
    d = (CUDA_TEXTURE_DESC){.flags = CU_TRSF_NORMALIZED_COORDINATES};
    say("answers linear memory, normalized", cuTexObjectCreate(&t, &r, &d, NULL));
    r.res.linear.devPtr += 4;
    say("answers linear memory, misplaced", cuTexObjectCreate(&t, &r, &d, NULL));
    r = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_PITCH2D,
                             .res.pitch2D = {memory, CU_AD_FORMAT_FLOAT, 1, 16, 16, 100}};
    say("answers pitch of 100", cuTexObjectCreate(&t, &r, &d, NULL));
    r.res.pitch2D.pitchInBytes = 32;
    say("answers pitch of 32 for 64 bytes", cuTexObjectCreate(&t, &r, &d, NULL));
    r.res.pitch2D.pitchInBytes = 96;
    say("answers pitch of 96", cuTexObjectCreate(&t, &r, &d, NULL));
    cuMemFree(memory);
}

void group_answers(void)
{
    const CUarray_format f32 = CU_AD_FORMAT_FLOAT;
    require("1d", 100, 0, 0, f32, 1, 0, 0);
    require("2d", 100, 60, 0, f32, 1, 0, 0);
    require("2d u8", 1000, 60, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0, 0);
    require("3d", 30, 20, 10, f32, 4, 0, 0);
    require("a2d", 30, 20, 10, f32, 1, CUDA_ARRAY3D_LAYERED, 0);
    require("cube", 16, 16, 6, f32, 1, CUDA_ARRAY3D_CUBEMAP, 0);
    require("cube not square", 16, 8, 6, f32, 1, CUDA_ARRAY3D_CUBEMAP, 0);
    require("cube of 5 faces", 16, 16, 5, f32, 1, CUDA_ARRAY3D_CUBEMAP, 0);
    require("cube of 12 faces", 16, 16, 12, f32, 1, CUDA_ARRAY3D_CUBEMAP, 0);
    require("cubes of 13 faces", 16, 16, 13, f32, 1, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED, 0);
    require("deferred", 100, 60, 0, f32, 1, CUDA_ARRAY3D_DEFERRED_MAPPING, 0);
    require("sparse", 512, 512, 0, f32, 1, CUDA_ARRAY3D_SPARSE, 0);
    require("nv12", 64, 64, 0, CU_AD_FORMAT_NV12, 3, 0, 0);
    require("bc1", 64, 64, 0, CU_AD_FORMAT_BC1_UNORM, 4, 0, 0);
    require("unorm8x4", 64, 64, 0, CU_AD_FORMAT_UNORM_INT8X4, 4, 0, 0);
    require("3 channels", 64, 64, 0, f32, 3, 0, 0);
    require("depth without height", 64, 0, 4, f32, 1, 0, 0);
    require("flags 0x100", 64, 4, 0, f32, 1, 0x100, 0);
    require("levels 2d", 100, 60, 0, f32, 1, 0, 3);
    require("levels 3d", 20, 12, 9, f32, 1, 0, 4);
    require("levels a2d", 20, 12, 9, f32, 1, CUDA_ARRAY3D_LAYERED, 4);
    require("levels cube", 16, 16, 6, f32, 1, CUDA_ARRAY3D_CUBEMAP, 5);
    require("levels 1d", 20, 0, 0, f32, 1, 0, 4);
    require("too many levels", 20, 12, 0, f32, 1, 0, 9);
    require("levels nv12", 64, 64, 0, CU_AD_FORMAT_NV12, 3, 0, 2);
    sampler_answers();
}
