/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of mipmap levels: explicit, from gradients, blended, biased and clamped. */
#include "textures.h"

#include <stdio.h>
#include <string.h>

#define AT(kind, geometry, places, more)                                                                     \
    "tex" kind "." geometry ".v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, " places "]" more ";"
#define SHAPE(name, places, w, h, d, flags, one, other)                                                      \
    {name,                                                                                                   \
     AT("", name, places, ""),                                                                               \
     AT(".base", name, places, ""),                                                                          \
     AT(".level", name, places, ", %f4"),                                                                    \
     AT(".grad", name, places, ", " one ", " other),                                                         \
     w,                                                                                                      \
     h,                                                                                                      \
     d,                                                                                                      \
     flags}
#define CUBE   CUDA_ARRAY3D_CUBEMAP
#define LAYERS CUDA_ARRAY3D_LAYERED
static const struct shape {
    const char *name, *plain, *base, *level, *gradient;
    size_t width, height, depth;
    unsigned flags;
} shapes[] = {
    SHAPE("1d", "{%f0}", 64, 0, 0, 0, "{%f6}", "{%f9}"),
    SHAPE("2d", "{%f0, %f1}", 64, 32, 0, 0, "{%f6, %f7}", "{%f9, %f10}"),
    SHAPE("3d", "{%f0, %f1, %f2, %f2}", 32, 16, 16, 0, "{%f6, %f7, %f8, %f8}", "{%f9, %f10, %f11, %f11}"),
    SHAPE("a1d", "{%r3, %f0}", 64, 0, 4, LAYERS, "{%f6}", "{%f9}"),
    SHAPE("a2d", "{%r3, %f0, %f1, %f1}", 64, 32, 4, LAYERS, "{%f6, %f7}", "{%f9, %f10}"),
    SHAPE("cube", "{%f0, %f1, %f2, %f2}", 32, 32, 6, CUBE, "{%f6, %f7, %f8, %f8}", "{%f9, %f10, %f11, %f11}"),
    SHAPE("acube", "{%r3, %f0, %f1, %f2}", 32, 32, 12, CUBE | LAYERS, "{%f6, %f7, %f8, %f8}",
          "{%f9, %f10, %f11, %f11}")};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct texture_case level_case(const struct shape *s, const char *body, bool linear, bool blended)
{
    struct texture_case c =
        texture_case("", body, CU_AD_FORMAT_FLOAT, 1, s->width, s->height, s->depth, s->flags);
    c.source = SOURCE_LEVELS;
    c.levels = 5;
    texture_modes(&c, CU_TR_ADDRESS_MODE_CLAMP, linear, CU_TRSF_NORMALIZED_COORDINATES);
    c.sampler.mipmapFilterMode = blended ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    c.places = s->flags & CUBE ? PLACE_DIRECTIONS : PLACE_NORMALIZED;
    c.level_low = -1;
    c.level_high = 6;
    c.slope = 64;
    c.threads = 2048;
    return c;
}

static const char *kind_of(bool linear, bool blended)
{
    return linear ? blended ? "linear blended" : "linear" : blended ? "point blended" : "point";
}

void group_levels(void)
{
    for (unsigned i = 0; i < SHAPES; i++)
        for (unsigned kind = 0; kind < 8; kind++) {
            bool linear = kind & 1, blended = kind & 2;
            struct texture_case c = level_case(&shapes[i], shapes[i].level, linear, blended);
            c.texels = kind & 4 ? FILL_UNIT : FILL_LEVEL;
            snprintf(c.name, sizeof c.name, "levels %s %s%s", shapes[i].name, kind_of(linear, blended),
                     kind & 4 ? " unit" : "");
            texture_run(&c);
            c.body = kind & 4 ? shapes[i].base : shapes[i].plain;
            snprintf(c.name, sizeof c.name, "levels %s %s none asked%s", shapes[i].name,
                     kind_of(linear, blended), kind & 4 ? " base" : "");
            texture_run(&c);
        }
    static const float clamps[][3] = {{0.5f, 0, 100}, {-1.25f, 0, 100}, {0, 1, 3},       {0, 1.5f, 2.25f},
                                      {0, 0, 0},      {0, 3, 1},        {0.3f, 0.7f, 9}, {20, 0, 100},
                                      {-20, 0, 100},  {0, -2, 2},       {0.1f, 0, 0.3f}};
    for (unsigned i = 0; i < 11; i++)
        for (unsigned form = 0; form < 3; form++)
            for (unsigned blended = 0; blended < 2; blended++) {
                struct texture_case c = level_case(&shapes[1],
                                                   form == 0   ? shapes[1].level
                                                   : form == 1 ? shapes[1].gradient
                                                               : shapes[1].plain,
                                                   false, blended);
                c.texels = FILL_LEVEL;
                c.sampler.mipmapLevelBias = clamps[i][0];
                c.sampler.minMipmapLevelClamp = clamps[i][1];
                c.sampler.maxMipmapLevelClamp = clamps[i][2];
                snprintf(c.name, sizeof c.name, "levels %s bias %g clamp %g %g%s",
                         form == 0   ? "level"
                         : form == 1 ? "gradient"
                                     : "plain",
                         (double)clamps[i][0], (double)clamps[i][1], (double)clamps[i][2],
                         blended ? " blended" : "");
                texture_run(&c);
            }
    /* other sources than mipmaps, coordinates in texels, integers */
    for (unsigned i = 0; i < 2; i++) {
        struct texture_case c = level_case(&shapes[1], i ? shapes[1].gradient : shapes[1].level, true, true);
        c.source = SOURCE_ARRAY;
        snprintf(c.name, sizeof c.name, "levels of an array %s", i ? "gradient" : "level");
        texture_run(&c);
        c.source = SOURCE_LEVELS;
        c.sampler.flags = 0;
        c.places = PLACE_TEXELS;
        snprintf(c.name, sizeof c.name, "levels in texels %s", i ? "gradient" : "level");
        texture_run(&c);
    }
    static const char *const integers[] = {
        "tex.level.2d.v4.f32.s32 {%q0, %q1, %q2, %q3}, [%d1, {%r0, %r1}], %r4;",
        "tex.base.2d.v4.f32.s32 {%q0, %q1, %q2, %q3}, [%d1, {%r0, %r1}];",
        "tex.2d.v4.f32.s32 {%q0, %q1, %q2, %q3}, [%d1, {%r0, %r1}];",
        ("rem.u32 %r4, %r9, 8; sub.s32 %r4, %r4, 1; "
         "tex.level.2d.v4.f32.s32 {%q0, %q1, %q2, %q3}, [%d1, {%r0, %r1}], %r4;"),
    };
    for (unsigned i = 0; i < 4; i++) {
        struct texture_case c = level_case(&shapes[1], integers[i], false, false);
        c.texels = FILL_RAMP;
        c.places = PLACE_INTEGERS;
        c.array.Width = 16;
        c.array.Height = 16;
        snprintf(c.name, sizeof c.name, "levels by integers %u", i);
        texture_run(&c);
    }
    static const CUarray_format formats[] = {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_SIGNED_INT16,
                                             CU_AD_FORMAT_HALF};
    for (unsigned i = 0; i < 3; i++) {
        struct texture_case c = level_case(&shapes[1], shapes[1].level, true, true);
        c.array.Format = formats[i];
        c.array.NumChannels = 4;
        snprintf(c.name, sizeof c.name, "levels format %u", (unsigned)formats[i]);
        texture_run(&c);
    }
}

void group_gradients(void)
{
    for (unsigned i = 0; i < SHAPES; i++)
        for (unsigned kind = 0; kind < 4; kind++) {
            bool linear = kind & 1, unit = kind & 2;
            struct texture_case c = level_case(&shapes[i], shapes[i].gradient, linear, true);
            c.texels = unit ? FILL_UNIT : FILL_LEVEL;
            c.threads = 4096;
            snprintf(c.name, sizeof c.name, "gradients %s %s%s", shapes[i].name, linear ? "linear" : "point",
                     unit ? " unit" : "");
            texture_run(&c);
        }
    static const unsigned anisotropies[] = {1, 2, 3, 4, 8, 16};
    for (unsigned i = 0; i < 6; i++)
        for (unsigned fill = 0; fill < 2; fill++)
            for (unsigned blended = 0; blended < 2; blended++) {
                struct texture_case c = level_case(&shapes[1], shapes[1].gradient, true, blended);
                c.texels = fill ? FILL_UNIT : FILL_LEVEL;
                c.sampler.maxAnisotropy = anisotropies[i];
                c.threads = 4096;
                snprintf(c.name, sizeof c.name, "gradients anisotropy %u%s%s", anisotropies[i],
                         fill ? " unit" : "", blended ? " blended" : "");
                texture_run(&c);
            }
    static const size_t sizes[][2] = {{64, 64}, {16, 64}, {100, 60}, {33, 17}};
    for (unsigned i = 0; i < 4; i++) {
        struct texture_case c = level_case(&shapes[1], shapes[1].gradient, false, true);
        c.array.Width = sizes[i][0];
        c.array.Height = sizes[i][1];
        c.texels = FILL_LEVEL;
        c.threads = 4096;
        snprintf(c.name, sizeof c.name, "gradients %zux%zu", sizes[i][0], sizes[i][1]);
        texture_run(&c);
        c.body = shapes[1].level;
        c.texels = FILL_UNIT;
        c.sampler.filterMode = CU_TR_FILTER_MODE_LINEAR;
        snprintf(c.name, sizeof c.name, "gradients none %zux%zu", sizes[i][0], sizes[i][1]);
        texture_run(&c);
    }
}
