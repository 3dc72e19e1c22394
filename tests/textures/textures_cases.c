/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of reading: filters, addressing, formats, integers as coordinates, layers, cubes. */
#include "textures.h"

#include <stdio.h>
#include <string.h>

#define F32 CU_AD_FORMAT_FLOAT
#define F16 CU_AD_FORMAT_HALF
#define U8  CU_AD_FORMAT_UNSIGNED_INT8

#define READ(geometry, type, places)                                                                         \
    "tex." geometry ".v4." type ".f32 {%q0, %q1, %q2, %q3}, [%d1, " places "];"
#define READS(type)                                                                                          \
    {READ("1d", type, "{%f0}"), READ("2d", type, "{%f0, %f1}"), READ("3d", type, "{%f0, %f1, %f2, %f2}")}
static const char *const read_f32[] = READS("f32"), *const read_u32[] = READS("u32"),
                         *const read_s32[] = READS("s32");

static const struct {
    const char *name;
    CUarray_format format;
} formats[] = {{"u8", U8},
               {"s8", CU_AD_FORMAT_SIGNED_INT8},
               {"u16", CU_AD_FORMAT_UNSIGNED_INT16},
               {"s16", CU_AD_FORMAT_SIGNED_INT16},
               {"f16", F16},
               {"f32", F32},
               {"u32", CU_AD_FORMAT_UNSIGNED_INT32},
               {"s32", CU_AD_FORMAT_SIGNED_INT32}};
static const struct {
    const char *name;
    CUaddress_mode mode;
} modes[] = {{"wrap", CU_TR_ADDRESS_MODE_WRAP},
             {"clamp", CU_TR_ADDRESS_MODE_CLAMP},
             {"mirror", CU_TR_ADDRESS_MODE_MIRROR},
             {"border", CU_TR_ADDRESS_MODE_BORDER}};
static const char *const fills[] = {"unit", "wide", "bits", "ramp", "level", "weights"};

static struct texture_case dimension_case(unsigned dimensions, CUarray_format format, unsigned channels,
                                          const char *body)
{
    return texture_case("", body, format, channels, dimensions == 3 ? 12 : 64,
                        dimensions > 1 ? dimensions == 3 ? 10 : 20 : 0, dimensions > 2 ? 7 : 0, 0);
}

/* Every format, 1 to 4 channels, 1 to 3 dimensions, linearly filtered; floats of several kinds. */
void group_filter(void)
{
    for (unsigned f = 0; f < 6; f++)
        for (unsigned channels = 1; channels <= 4; channels *= 2)
            for (unsigned d = 1; d <= 3; d++)
                for (unsigned fill = FILL_UNIT; fill <= FILL_WEIGHTS; fill++) {
                    if (fill == FILL_RAMP || fill == FILL_LEVEL) continue;
                    if ((f < 4 || channels > 1) && fill != FILL_UNIT) continue;
                    struct texture_case c = dimension_case(d, formats[f].format, channels, read_f32[d - 1]);
                    texture_modes(&c, CU_TR_ADDRESS_MODE_CLAMP, true, 0);
                    c.texels = (enum texel_fill)fill;
                    snprintf(c.name, sizeof c.name, "filter %s x%u %ud %s", formats[f].name, channels, d,
                             fills[fill]);
                    texture_run(&c);
                }
    for (unsigned mode = 0; mode < 4; mode++)
        for (unsigned f = 0; f < 6; f++) {
            struct texture_case c = dimension_case(2, formats[f].format, 4, read_f32[1]);
            texture_modes(&c, modes[mode].mode, true, CU_TRSF_NORMALIZED_COORDINATES);
            c.places = PLACE_NORMALIZED;
            snprintf(c.name, sizeof c.name, "filter %s %s normalized", formats[f].name, modes[mode].name);
            texture_run(&c);
        }
}

static void address_case(unsigned width, unsigned mode, bool linear, bool normalized, enum place_fill places)
{
    struct texture_case c = texture_case("", read_f32[0], F32, 1, width, 0, 0, 0);
    texture_modes(&c, modes[mode].mode, linear, normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0);
    c.texels = FILL_RAMP;
    c.places = places;
    c.threads = places == PLACE_FINE ? 4096 : 1024;
    snprintf(c.name, sizeof c.name, "address 1d %u %s%s%s%s", width, modes[mode].name,
             linear ? " linear" : "", normalized ? " normalized" : "", places == PLACE_FINE ? " fine" : "");
    texture_run(&c);
}

void group_address(void)
{
    static const unsigned widths[] = {1, 2, 3, 5, 7, 16, 17, 100, 640, 1000, 4096, 10000};
    for (unsigned mode = 0; mode < 4; mode++)
        for (unsigned linear = 0; linear < 2; linear++) {
            for (unsigned w = 0; w < sizeof widths / sizeof *widths; w++) {
                address_case(widths[w], mode, linear, true, PLACE_NORMALIZED);
                address_case(widths[w], mode, linear, true, PLACE_FINE);
                address_case(widths[w], mode, linear, false, PLACE_TEXELS);
            }
            for (unsigned normalized = 0; normalized < 2; normalized++)
                for (unsigned d = 2; d <= 3; d++) {
                    struct texture_case c = dimension_case(d, F32, 1, read_f32[d - 1]);
                    texture_modes(&c, modes[mode].mode, linear,
                                  normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0);
                    c.sampler.addressMode[1] = modes[(mode + 1 + linear) % 4].mode;
                    c.sampler.addressMode[2] = modes[(mode + 2) % 4].mode;
                    c.texels = FILL_RAMP;
                    c.places = normalized ? PLACE_NORMALIZED : PLACE_TEXELS;
                    c.threads = 1024;
                    snprintf(c.name, sizeof c.name, "address %ud %s and others%s%s", d, modes[mode].name,
                             linear ? " linear" : "", normalized ? " normalized" : "");
                    texture_run(&c);
                }
        }
}

/* Each format as its own elements and as fractions; of array, of linear and of pitched memory; sRGB. */
void group_formats(void)
{
    for (unsigned f = 0; f < 8; f++)
        for (unsigned channels = 1; channels <= 4; channels *= 2)
            for (unsigned element = 0; element < 3; element++) {
                bool floats = formats[f].format == F16 || formats[f].format == F32;
                if (floats && element) continue;
                struct texture_case c = dimension_case(2, formats[f].format, channels,
                                                       (element == 0   ? read_f32
                                                        : element == 1 ? read_u32
                                                                       : read_s32)[1]);
                texture_modes(&c, CU_TR_ADDRESS_MODE_BORDER, false, element ? CU_TRSF_READ_AS_INTEGER : 0);
                c.texels = FILL_BITS;
                snprintf(c.name, sizeof c.name, "format %s x%u as %s", formats[f].name, channels,
                         element == 0   ? "floats"
                         : element == 1 ? "u32"
                                        : "s32");
                texture_run(&c);
            }
    for (unsigned linear = 0; linear < 2; linear++)
        for (unsigned channels = 1; channels <= 4; channels *= 2) {
            struct texture_case c = dimension_case(2, U8, channels, read_f32[1]);
            texture_modes(&c, CU_TR_ADDRESS_MODE_CLAMP, linear, CU_TRSF_SRGB);
            c.threads = 2048;
            snprintf(c.name, sizeof c.name, "format srgb x%u%s", channels, linear ? " linear" : "");
            texture_run(&c);
        }
    for (unsigned linear = 0; linear < 2; linear++)
        for (unsigned mode = 0; mode < 4; mode++)
            for (unsigned normalized = 0; normalized < 2; normalized++) {
                struct texture_case c = dimension_case(2, F32, 2, read_f32[1]);
                c.source = SOURCE_PITCH;
                c.array.Width = 50;
                texture_modes(&c, modes[mode].mode, linear, normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0);
                c.places = normalized ? PLACE_NORMALIZED : PLACE_TEXELS;
                snprintf(c.name, sizeof c.name, "format pitched %s%s%s", modes[mode].name,
                         linear ? " linear" : "", normalized ? " normalized" : "");
                texture_run(&c);
            }
}

#define FETCH(geometry, type, places)                                                                        \
    "tex." geometry ".v4." type ".s32 {%q0, %q1, %q2, %q3}, [%d1, " places "];"
static const struct {
    const char *geometry, *body;
    size_t width, height, depth;
    unsigned flags;
} fetches[] = {{"1d", FETCH("1d", "f32", "{%r0}"), 64, 0, 0, 0},
               {"2d", FETCH("2d", "f32", "{%r0, %r1}"), 20, 9, 0, 0},
               {"3d", FETCH("3d", "f32", "{%r0, %r1, %r2, %r2}"), 12, 10, 7, 0},
               {"a1d", FETCH("a1d", "f32", "{%r3, %r0}"), 64, 0, 5, CUDA_ARRAY3D_LAYERED},
               {"a2d", FETCH("a2d", "f32", "{%r3, %r0, %r1, %r1}"), 20, 9, 5, CUDA_ARRAY3D_LAYERED}};

void group_integers(void)
{
    for (unsigned i = 0; i < 5; i++)
        for (unsigned mode = 0; mode < 4; mode++)
            for (unsigned linear = 0; linear < 2; linear++)
                for (unsigned flags = 0; flags < 2; flags++) {
                    struct texture_case c =
                        texture_case("", fetches[i].body, F32, 1, fetches[i].width, fetches[i].height,
                                     fetches[i].depth, fetches[i].flags);
                    texture_modes(&c, modes[mode].mode, linear, flags ? CU_TRSF_NORMALIZED_COORDINATES : 0);
                    c.texels = FILL_RAMP;
                    c.places = PLACE_INTEGERS;
                    snprintf(c.name, sizeof c.name, "integers %s %s%s%s", fetches[i].geometry,
                             modes[mode].name, linear ? " linear" : "", flags ? " normalized" : "");
                    texture_run(&c);
                }
    for (unsigned f = 0; f < 8; f++)
        for (unsigned element = 0; element < 2; element++)
            for (unsigned channels = 1; channels <= 4; channels *= 2) {
                struct texture_case c =
                    texture_case("", element ? FETCH("1d", "u32", "{%r0}") : FETCH("1d", "f32", "{%r0}"),
                                 formats[f].format, channels, 100, 0, 0, 0);
                c.source = SOURCE_LINEAR;
                texture_modes(&c, CU_TR_ADDRESS_MODE_CLAMP, false, element ? CU_TRSF_READ_AS_INTEGER : 0);
                c.places = PLACE_INTEGERS;
                c.texels = FILL_BITS;
                snprintf(c.name, sizeof c.name, "integers linear memory %s x%u%s", formats[f].name, channels,
                         element ? " element" : "");
                texture_run(&c);
            }
    struct texture_case c =
        texture_case("integers pitched", FETCH("2d", "f32", "{%r0, %r1}"), F32, 1, 20, 9, 0, 0);
    c.source = SOURCE_PITCH;
    c.places = PLACE_INTEGERS;
    texture_run(&c);
    c = texture_case("integers linear memory by floats", read_f32[0], F32, 1, 100, 0, 0, 0);
    c.source = SOURCE_LINEAR;
    texture_run(&c);
}

void group_layers(void)
{
    static const char *const bodies[] = {
        READ("a1d", "f32", "{%r3, %f0}"), READ("a2d", "f32", "{%r3, %f0, %f1, %f1}"),
        READ("a1d", "s32", "{%r3, %f0}"), READ("a2d", "u32", "{%r3, %f0, %f1, %f1}")};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned mode = 0; mode < 4; mode++)
            for (unsigned linear = 0; linear < (i < 2 ? 2 : 1); linear++) {
                struct texture_case c =
                    texture_case("", bodies[i], i < 2 ? F32 : CU_AD_FORMAT_SIGNED_INT16, i < 2 ? 1 : 2, 24,
                                 i & 1 ? 10 : 0, 5, CUDA_ARRAY3D_LAYERED);
                texture_modes(&c, modes[mode].mode, linear,
                              CU_TRSF_NORMALIZED_COORDINATES | (i < 2 ? 0 : CU_TRSF_READ_AS_INTEGER));
                c.texels = i < 2 ? FILL_RAMP : FILL_BITS;
                c.places = PLACE_NORMALIZED;
                snprintf(c.name, sizeof c.name, "layers a%ud %s %s%s", 1 + (i & 1), i < 2 ? "f32" : "s16",
                         modes[mode].name, linear ? " linear" : "");
                texture_run(&c);
            }
}

void group_cubes(void)
{
    static const char *const bodies[] = {READ("cube", "f32", "{%f0, %f1, %f2, %f2}"),
                                         READ("acube", "f32", "{%r3, %f0, %f1, %f2}")};
    static const unsigned sizes[] = {1, 2, 4, 16, 33};
    for (unsigned layers = 0; layers < 2; layers++)
        for (unsigned s = 0; s < 5; s++)
            for (unsigned kind = 0; kind < 6; kind++) { /* linear, seamless; two with other fills */
                unsigned flags = CUDA_ARRAY3D_CUBEMAP | (layers ? CUDA_ARRAY3D_LAYERED : 0);
                bool linear = kind & 1, seamless = kind & 2;
                struct texture_case c =
                    texture_case("", bodies[layers], F32, 1, sizes[s], sizes[s], layers ? 18 : 6, flags);
                texture_modes(&c, CU_TR_ADDRESS_MODE_CLAMP, linear,
                              CU_TRSF_NORMALIZED_COORDINATES | (seamless ? CU_TRSF_SEAMLESS_CUBEMAP : 0));
                c.texels = kind < 4 ? FILL_RAMP : FILL_UNIT;
                if (kind == 4)
                    texture_modes(&c, CU_TR_ADDRESS_MODE_WRAP, true, CU_TRSF_NORMALIZED_COORDINATES);
                if (kind == 5)
                    texture_modes(&c, CU_TR_ADDRESS_MODE_BORDER, true, CU_TRSF_NORMALIZED_COORDINATES);
                c.places = PLACE_DIRECTIONS;
                c.threads = 4096;
                snprintf(c.name, sizeof c.name, "cubes %s%u%s%s%s", layers ? "layers " : "", sizes[s],
                         linear || kind == 4 ? " linear" : "", seamless && kind < 4 ? " seamless" : "",
                         kind == 4   ? " wrap"
                         : kind == 5 ? " border"
                                     : "");
                texture_run(&c);
            }
    for (unsigned f = 0; f < 6; f++)
        for (unsigned seamless = 0; seamless < 2; seamless++) {
            struct texture_case c =
                texture_case("", bodies[0], formats[f].format, 4, 8, 8, 6, CUDA_ARRAY3D_CUBEMAP);
            texture_modes(&c, CU_TR_ADDRESS_MODE_CLAMP, true,
                          CU_TRSF_NORMALIZED_COORDINATES | (seamless ? CU_TRSF_SEAMLESS_CUBEMAP : 0));
            c.places = PLACE_DIRECTIONS;
            c.threads = 2048;
            snprintf(c.name, sizeof c.name, "cubes %s%s", formats[f].name, seamless ? " seamless" : "");
            texture_run(&c);
        }
}
