/* SPDX-License-Identifier: Apache-2.0 */
/* Runs groups of cases and prints, a line a case: its name, how many words, their digest and a few of them.
 * usage: textures list | textures GROUP [DUMPFILE]       DUMPFILE: all words, to find out how a GPU rounds */
#include "textures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CUdeviceptr in_memory, out_memory;
static FILE *dump;

const char *texture_error(CUresult result)
{
    const char *name = "?";
    cuGetErrorName(result, &name);
    return name;
}

static void check(CUresult result, const char *what)
{
    if (result == CUDA_SUCCESS) return;
    fprintf(stderr, "%s: %s\n", what, texture_error(result));
    exit(1);
}

uint32_t texture_hash(uint32_t seed, uint32_t i)
{
    uint32_t x = seed ^ i * 2654435761u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

static uint32_t seed_of(const char *name)
{
    uint32_t h = 2166136261u;
    for (; *name; name++)
        h = (h ^ (uint8_t)*name) * 16777619u;
    return h;
}

static uint64_t digest(const uint32_t *words, size_t count)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a over words */
    for (size_t i = 0; i < count; i++)
        h = (h ^ words[i]) * 0x100000001b3u;
    return h;
}

void texture_print(const char *name, const uint32_t *words, size_t count)
{
    printf("%s: %zu %016llx", name, count, (unsigned long long)digest(words, count));
    for (size_t i = 0; i < 6 && i < count; i++)
        printf(" %08x", words[count <= 6 ? i : (2 * i + 1) * count / 12]);
    printf("\n");
    if (!dump) return;
    fprintf(dump, "%s: %zu\n", name, count);
    fwrite(words, 4, count, dump);
}

unsigned format_bytes(CUarray_format format)
{
    if (format == CU_AD_FORMAT_UNSIGNED_INT8 || format == CU_AD_FORMAT_SIGNED_INT8) return 1;
    if (format == CU_AD_FORMAT_UNSIGNED_INT16 || format == CU_AD_FORMAT_SIGNED_INT16) return 2;
    return format == CU_AD_FORMAT_HALF ? 2 : 4;
}

/* ---- texels */

static float unit(uint32_t hash)
{
    return (float)(hash >> 8) * 0x1p-24f;
}

static uint16_t half_of(float value) /* of small integers and of 0 to 1, cut */
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 23 & 255) - 112;
    if (exponent <= 0) return 0;
    return (uint16_t)((bits >> 16 & 0x8000u) | (uint32_t)exponent << 10 | (bits >> 13 & 0x3ffu));
}

static float float_texel(const struct texture_case *c, uint32_t hash, unsigned level, uint32_t i)
{
    switch (c->texels) {
    case FILL_RAMP: return (float)(i + 1000 * level);
    case FILL_LEVEL: return (float)level;
    case FILL_WEIGHTS: return i % 3 == 1 ? 1.0f : 0.0f;
    case FILL_UNIT: return unit(hash);
    case FILL_WIDE:
    case FILL_BITS: break;
    }
    return ldexpf(unit(hash) - 0.5f, (int)(hash & 31) - 16);
}

static uint32_t texel_bits(const struct texture_case *c, unsigned level, uint32_t i, uint32_t seed)
{
    uint32_t hash = texture_hash(seed + level, i), bits;
    float value = float_texel(c, hash, level, i / c->array.NumChannels);
    bool numbered = c->texels >= FILL_RAMP;
    if (c->texels == FILL_BITS) return hash;
    if (c->array.Format == CU_AD_FORMAT_HALF)
        return c->texels == FILL_WIDE ? (hash & 0x7c00) == 0x7c00 ? hash & 0x83ff : hash : half_of(value);
    if (c->array.Format != CU_AD_FORMAT_FLOAT) return numbered ? (uint32_t)value : hash;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void texture_fill(const struct texture_case *c, unsigned level, uint8_t *bytes, size_t texels)
{
    unsigned size = format_bytes(c->array.Format);
    uint32_t seed = seed_of(c->name);
    for (size_t i = 0; i < texels * c->array.NumChannels; i++) {
        uint32_t bits = texel_bits(c, level, (uint32_t)i, seed);
        memcpy(bytes + i * size, &bits, size);
    }
}

static size_t part(size_t extent, unsigned level)
{
    return extent >> level ? extent >> level : 1;
}

/* Layers and faces stay as they are from level to level. */
static CUresult upload(const struct texture_case *c, CUarray array, unsigned level)
{
    bool layers = (c->array.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
    size_t width = part(c->array.Width, level), height = part(c->array.Height, level),
           depth = layers ? c->array.Depth : part(c->array.Depth, level),
           row = width * format_bytes(c->array.Format) * c->array.NumChannels;
    uint8_t *bytes = malloc(row * height * depth);
    if (!bytes) exit(1);
    texture_fill(c, level, bytes, width * height * depth);
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = bytes,
                          .srcPitch = row,
                          .srcHeight = height,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = array,
                          .WidthInBytes = row,
                          .Height = height,
                          .Depth = depth};
    CUresult result = cuMemcpy3D(&copy);
    free(bytes);
    return result;
}

CUresult texture_array(const struct texture_case *c, CUarray *array)
{
    CUresult result = cuArray3DCreate(array, &c->array);
    return result == CUDA_SUCCESS ? upload(c, *array, 0) : result;
}

static CUresult levels_of(const struct texture_case *c, CUmipmappedArray *levels)
{
    CUresult result = cuMipmappedArrayCreate(levels, &c->array, c->levels);
    for (unsigned i = 0; i < c->levels && result == CUDA_SUCCESS; i++) {
        CUarray array;
        result = cuMipmappedArrayGetLevel(&array, *levels, i);
        if (result == CUDA_SUCCESS) result = upload(c, array, i);
    }
    return result;
}

/* Rows of linear memory are 512 bytes apart. */
static CUresult memory_of(const struct texture_case *c, CUdeviceptr *memory)
{
    size_t rows = c->array.Height ? c->array.Height : 1,
           texel = format_bytes(c->array.Format) * c->array.NumChannels,
           pitch = c->source == SOURCE_PITCH ? 512 : c->array.Width * texel, bytes = rows * pitch;
    uint8_t *host = calloc(1, bytes);
    if (!host) exit(1);
    for (size_t y = 0; y < rows; y++)
        texture_fill(c, (unsigned)y, host + y * pitch, c->array.Width);
    CUresult result = cuMemAlloc(memory, bytes);
    if (result == CUDA_SUCCESS) result = cuMemcpyHtoD(*memory, host, bytes);
    free(host);
    return result;
}

/* ---- coordinates */

static float special(unsigned i, float extent)
{
    const float values[] = {
        0.0f,         -0.0f,        0.5f,         1.0f,     extent,        extent - 0.5f, extent + 0.5f,
        -0.5f,        -1.0f,        NAN,          INFINITY, -INFINITY,     1e9f,          -1e9f,
        1e20f,        -1e20f,       1e-40f,       -1e-40f,  0x1p-9f,       -0x1p-9f,      3 * 0x1p-10f,
        0.498046875f, 0.498046904f, 0.501953125f, 1e30f,    2147483648.0f, 16777216.0f,   65536.0f,
        -65536.0f,    0.99999994f,  1.00000012f,  2.5f};
    return values[i & 31];
}

/* Weights have 8 bits: coordinates just beside the rounding points, at texel k / 512. */
static float fine(uint32_t hash, float extent)
{
    float texels = (float)(hash >> 4 & 0xffff) / 65536.0f * extent,
          edge = floorf(texels * 512.0f) / 512.0f / extent;
    uint32_t bits;
    memcpy(&bits, &edge, sizeof bits);
    bits += (hash & 15) - 7;
    memcpy(&edge, &bits, sizeof edge);
    return edge;
}

static float coordinate(const struct texture_case *c, unsigned d, unsigned i, uint32_t hash)
{
    const size_t extents[3] = {c->array.Width, c->array.Height, c->array.Depth};
    float extent = extents[d] ? (float)extents[d] : 1.0f;
    switch (c->places) {
    case PLACE_TEXELS:
        return i < 32 ? special(i + 5 * d, extent) : (unit(hash) * 1.5f - 0.25f) * (extent + 2);
    case PLACE_NORMALIZED: return i < 32 ? special(i + 5 * d, 1.0f) : unit(hash) * 6.0f - 2.5f;
    case PLACE_FINE: return fine(hash, extent);
    case PLACE_INSIDE: return 0.1f + 0.8f * unit(hash);
    case PLACE_INTEGERS:
    case PLACE_DIRECTIONS: break;
    }
    return 2.0f * unit(hash) - 1.0f;
}

/* Directions: also along axes, edges and corners, zeros and what is no number. */
static void direction(uint32_t seed, unsigned i, float at[3])
{
    static const float some[] = {0.0f,     1.0f, -1.0f, 0.5f,     -0.5f, 0.9999f,
                                 -0.9999f, 2.0f, NAN,   INFINITY, -0.0f, 1e-40f};
    for (unsigned d = 0; d < 3; d++) {
        uint32_t hash = texture_hash(seed + 77, i * 3 + d);
        at[d] = i < 512 ? some[hash % (i < 384 ? 8 : 12)] : 2.0f * unit(hash) - 1.0f;
    }
    if (i >= 1024) { /* near an edge */
        unsigned d = i % 3;
        at[d] = at[(d + 1) % 3] * (1.0f + (unit(texture_hash(seed, i)) - 0.5f) * (i & 4 ? 0.25f : 0x1p-18f));
    }
}

void texture_coordinates(const struct texture_case *c, uint32_t *words)
{
    const size_t extents[3] = {c->array.Width, c->array.Height, c->array.Depth};
    uint32_t seed = seed_of(c->name);
    for (unsigned i = 0; i < c->threads; i++) {
        uint32_t *row = words + (size_t)i * IN_WORDS;
        float at[3], more[8];
        for (unsigned d = 0; d < 3; d++)
            at[d] = coordinate(c, d, i, texture_hash(seed + 1 + d, i));
        if (c->places == PLACE_DIRECTIONS) direction(seed, i, at);
        memcpy(row, at, sizeof at);
        for (unsigned d = 0; d < 3 && c->places == PLACE_INTEGERS; d++)
            row[d] = texture_hash(seed + 1 + d, i) % (uint32_t)(extents[d] + 8) - 4;
        for (unsigned d = 0; d < 3 && c->places == PLACE_INTEGERS && i < 4; d++)
            row[d] = (uint32_t[]){0, 0x7fffffff, 0x80000000, 0xffff0000}[i];
        row[3] = texture_hash(seed + 4, i) % (uint32_t)((c->array.Depth ? c->array.Depth : 1) + 6) - 3;
        float range = c->level_high - c->level_low;
        more[0] =
            i < 32 && range > 0 ? special(i, 1.0f) : c->level_low + range * unit(texture_hash(seed + 5, i));
        more[1] = unit(texture_hash(seed + 6, i));
        float slopes[6] = {0};
        if (c->pattern) texture_slopes(c->pattern, i, slopes);
        for (unsigned d = 0; d < 6; d++) {
            uint32_t hash = texture_hash(seed + 7 + d, i);
            float extent = extents[d % 3] ? (float)extents[d % 3] : 1.0f;
            more[2 + d] = ldexpf(2.0f * unit(hash) - 1.0f, (int)(hash % 8u) - 7) * c->slope / extent;
            if (i < 8 && (d ^ i) & 1) more[2 + d] = 0;
            if (c->pattern) more[2 + d] = slopes[d] / extent;
        }
        memcpy(row + 4, more, sizeof more);
    }
}

/* ---- kernels: in words at %d2 a lane: x, y, z (%f0-2 and %r0-2), layer (%r3), level (%f4 and %r4),
 * comparand (%f5), gradients (%f6-8 and %f9-11). Object: %d1. Results: %q0-3. Free: %p0-3, %r5-9, %f12-15,
 * %d6-9. */

static char *text_of(const char *globals, const char *body)
{
    static char text[8000];
    int at = snprintf(
        text, sizeof text,
        ".version 8.1\n.target sm_90%s\n.address_size 64\n%s\n"
        ".visible .entry k(.param .u64 object, .param .u64 in, .param .u64 out)\n{\n"
        ".reg .b64 %%d<10>; .reg .b32 %%r<10>; .reg .f32 %%f<16>; .reg .b32 %%q<4>; .reg .pred %%p<4>;\n"
        ".reg .b16 %%h<8>;\n"
        "ld.param.u64 %%d1, [object]; ld.param.u64 %%d2, [in]; ld.param.u64 %%d3, [out];\n"
        "mov.u32 %%r9, %%ctaid.x; mov.u32 %%r8, %%ntid.x; mov.u32 %%r7, %%tid.x;\n"
        "mad.lo.u32 %%r9, %%r9, %%r8, %%r7; mul.wide.u32 %%d4, %%r9, 48; add.u64 %%d2, %%d2, %%d4;\n"
        "mul.wide.u32 %%d4, %%r9, 16; add.u64 %%d3, %%d3, %%d4;\n",
        strncmp(globals, "independent", 11) == 0 ? ", texmode_independent" : "",
        strncmp(globals, "independent", 11) == 0 ? globals + 11 : globals);
    for (int i = 0; i < 12; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "ld.global.f32 %%f%d, [%%d2+%d];\n", i, 4 * i);
    for (int i = 0; i < 5; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "mov.b32 %%r%d, %%f%d;\n", i, i);
    for (int i = 0; i < 4; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "mov.b32 %%q%d, 57005;\n", i);
    at += snprintf(text + at, sizeof text - (size_t)at, "%s\n", body);
    for (int i = 0; i < 4; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "st.global.b32 [%%d3+%d], %%q%d;\n", 4 * i, i);
    snprintf(text + at, sizeof text - (size_t)at, "ret;\n}\n");
    return text;
}

CUmodule texture_module(const char *globals, const char *body, CUresult *result)
{
    CUmodule module = NULL;
    *result = cuModuleLoadData(&module, text_of(globals, body));
    return module;
}

static CUmodule module_of(const char *body, CUresult *result) /* the last one is kept */
{
    static char last[2000];
    static CUmodule module;
    *result = CUDA_SUCCESS;
    if (module && strcmp(body, last) == 0) return module;
    if (module) cuModuleUnload(module);
    module = texture_module("", body, result);
    snprintf(last, sizeof last, "%s", body);
    return module;
}

CUresult texture_launch(CUmodule module, unsigned long long object, const struct texture_case *c,
                        uint32_t *words)
{
    static uint32_t in[MOST_THREADS * IN_WORDS];
    CUfunction function;
    void *params[] = {&object, &in_memory, &out_memory};
    texture_coordinates(c, in);
    check(cuMemcpyHtoD(in_memory, in, (size_t)c->threads * IN_WORDS * 4), "coordinates");
    check(cuMemsetD32(out_memory, 0, (size_t)c->threads * OUT_WORDS), "results");
    CUresult result = cuModuleGetFunction(&function, module, "k");
    if (result == CUDA_SUCCESS)
        result = cuLaunchKernel(function, c->threads / 32, 1, 1, 32, 1, 1, 0, NULL, params, NULL);
    if (result == CUDA_SUCCESS) result = cuCtxSynchronize();
    if (result == CUDA_SUCCESS) result = cuMemcpyDtoH(words, out_memory, (size_t)c->threads * OUT_WORDS * 4);
    return result;
}

/* ---- a case */

struct texture_case texture_case(const char *name, const char *body, CUarray_format format, unsigned channels,
                                 size_t width, size_t height, size_t depth, unsigned flags)
{
    struct texture_case c = {
        .body = body, .array = {width, height, depth, format, channels, flags}, .threads = 512};
    snprintf(c.name, sizeof c.name, "%s", name);
    texture_modes(&c, CU_TR_ADDRESS_MODE_CLAMP, false, 0);
    c.sampler.maxMipmapLevelClamp = 100;
    return c;
}

void texture_modes(struct texture_case *c, CUaddress_mode mode, bool linear, unsigned flags)
{
    for (int i = 0; i < 3; i++)
        c->sampler.addressMode[i] = mode;
    c->sampler.filterMode = linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    c->sampler.flags = flags;
    for (int i = 0; i < 4; i++)
        c->sampler.borderColor[i] = 0.25f + 0.5f * (float)i;
}

struct made {
    CUarray array;
    CUmipmappedArray levels;
    CUdeviceptr memory;
    unsigned long long object;
};

static CUresult make_resource(const struct texture_case *c, struct made *m, CUDA_RESOURCE_DESC *r)
{
    CUresult result = CUDA_SUCCESS;
    unsigned texel = format_bytes(c->array.Format) * c->array.NumChannels;
    switch (c->source) {
    case SOURCE_ARRAY:
        result = texture_array(c, &m->array);
        r->res.array.hArray = m->array;
        break;
    case SOURCE_LEVELS:
        result = levels_of(c, &m->levels);
        r->resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
        r->res.mipmap.hMipmappedArray = m->levels;
        break;
    case SOURCE_LINEAR:
        result = memory_of(c, &m->memory);
        r->resType = CU_RESOURCE_TYPE_LINEAR;
        r->res.linear.devPtr = m->memory;
        r->res.linear.format = c->array.Format;
        r->res.linear.numChannels = c->array.NumChannels;
        r->res.linear.sizeInBytes = c->array.Width * texel;
        break;
    case SOURCE_PITCH:
        result = memory_of(c, &m->memory);
        r->resType = CU_RESOURCE_TYPE_PITCH2D;
        r->res.pitch2D.devPtr = m->memory;
        r->res.pitch2D.format = c->array.Format;
        r->res.pitch2D.numChannels = c->array.NumChannels;
        r->res.pitch2D.width = c->array.Width;
        r->res.pitch2D.height = c->array.Height;
        r->res.pitch2D.pitchInBytes = 512;
        break;
    }
    return result;
}

static CUresult make_object(const struct texture_case *c, struct made *m)
{
    CUDA_RESOURCE_DESC r;
    memset(&r, 0, sizeof r);
    r.resType = CU_RESOURCE_TYPE_ARRAY;
    CUresult result = make_resource(c, m, &r);
    if (result != CUDA_SUCCESS) return result;
    if (c->surface) return cuSurfObjectCreate(&m->object, &r);
    return cuTexObjectCreate(&m->object, &r, &c->sampler, c->view.format ? &c->view : NULL);
}

static void release(const struct texture_case *c, struct made *m)
{
    if (m->object && c->surface) cuSurfObjectDestroy(m->object);
    if (m->object && !c->surface) cuTexObjectDestroy(m->object);
    if (m->array) cuArrayDestroy(m->array);
    if (m->levels) cuMipmappedArrayDestroy(m->levels);
    if (m->memory) cuMemFree(m->memory);
}

/* What a surface holds, as words. */
static void print_array(const struct texture_case *c, CUarray array)
{
    static uint32_t words[1 << 16];
    size_t height = c->array.Height ? c->array.Height : 1, depth = c->array.Depth ? c->array.Depth : 1,
           row = c->array.Width * format_bytes(c->array.Format) * c->array.NumChannels;
    char name[220];
    memset(words, 0, sizeof words);
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                          .srcArray = array,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = words,
                          .dstPitch = row,
                          .dstHeight = height,
                          .WidthInBytes = row,
                          .Height = height,
                          .Depth = depth};
    check(cuMemcpy3D(&copy), c->name);
    snprintf(name, sizeof name, "%s then", c->name);
    texture_print(name, words, (row * height * depth + 3) / 4);
}

void texture_run(const struct texture_case *c)
{
    static uint32_t words[MOST_THREADS * OUT_WORDS];
    struct made m = {0};
    CUresult result;
    const char *what = "resource";
    result = make_object(c, &m);
    if (result == CUDA_SUCCESS) {
        what = "module";
        CUmodule module = module_of(c->body, &result);
        if (result == CUDA_SUCCESS) {
            what = "launch";
            result = texture_launch(module, m.object, c, words);
        }
    }
    if (result == CUDA_SUCCESS) texture_print(c->name, words, (size_t)c->threads * OUT_WORDS);
    if (result != CUDA_SUCCESS) printf("%s: %s %s\n", c->name, what, texture_error(result));
    if (result == CUDA_SUCCESS && c->surface) print_array(c, m.array);
    release(c, &m);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext context;
    if (argc < 2) return fprintf(stderr, "usage: textures list | textures GROUP [DUMPFILE]\n"), 2;
    if (argc > 2) dump = fopen(argv[2], "ab");
    if (argc > 2 && !dump) return perror(argv[2]), 1;
    bool list = strcmp(argv[1], "list") == 0;
    if (!list) {
        check(cuInit(0), "cuInit");
        check(cuDeviceGet(&device, 0), "cuDeviceGet");
        check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
        check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
        check(cuMemAlloc(&in_memory, MOST_THREADS * IN_WORDS * 4), "cuMemAlloc");
        check(cuMemAlloc(&out_memory, MOST_THREADS * OUT_WORDS * 4), "cuMemAlloc");
    }
    for (const struct group *g = groups; g->name; g++) {
        if (list) puts(g->name);
        if (strcmp(g->name, argv[1]) != 0) continue;
        printf("== %s\n", g->name);
        g->run();
    }
    if (dump) fclose(dump);
    return 0;
}
