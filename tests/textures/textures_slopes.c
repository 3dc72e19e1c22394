/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of gradients along known directions, which show how the GPU computes a level from them; and of
 * borders in every format. */
#include "textures.h"

#include <math.h>
#include <stdio.h>

/* Each pattern walks through one or two ratios; lengths are about 5 texels, a level of about 2.3. */
void texture_slopes(unsigned pattern, unsigned thread, float s[6])
{
    float t = (float)(thread % 1024) / 1024.0f, u = (float)(thread / 1024) / 4.0f,
          angle = (float)(thread % 64) / 64.0f * 3.14159265f,
          second = (float)(thread / 64 % 64) / 64.0f * 3.14159265f;
    switch (pattern) {
    case 1: s[0] = 1.0f + (float)thread / 512.0f; break; /* one number: the logarithm */
    case 2: s[0] = 5, s[1] = 5 * t, s[2] = 5 * u; break; /* a vector of three components */
    case 3: s[0] = 5, s[4] = 5 * t; break;               /* at a right angle */
    case 4: s[0] = 5, s[3] = 5 * t; break;               /* along each other */
    case 5:                                              /* at any angle, equally long */
        s[0] = 5 * cosf(angle), s[1] = 5 * sinf(angle), s[3] = 5 * cosf(second), s[4] = 5 * sinf(second);
        break;
    case 6: /* at any angle, of any ratio, the first along x */
        s[0] = 5, s[3] = 5 * cosf(angle) * (float)(thread / 64) / 64.0f,
        s[4] = 5 * sinf(angle) * (float)(thread / 64) / 64.0f;
        break;
    case 7: /* at a right angle, turned, of any ratio */
        s[0] = 5 * cosf(angle), s[1] = 5 * sinf(angle), s[3] = -s[1] * (float)(thread / 64) / 64.0f,
        s[4] = s[0] * (float)(thread / 64) / 64.0f;
        break;
    case 8: /* along each other, turned, of any ratio */
        s[0] = 5 * cosf(angle), s[1] = 5 * sinf(angle), s[3] = s[0] * (float)(thread / 64) / 64.0f,
        s[4] = s[1] * (float)(thread / 64) / 64.0f;
        break;
    default: s[0] = 12, s[4] = 12 * t; break; /* anisotropy */
    }
}

#define GRAD(geometry, places, one, other)                                                                   \
    "tex.grad." geometry ".v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, " places "], " one ", " other ";"
void group_slopes(void)
{
    static const char two[] = GRAD("2d", "{%f0, %f1}", "{%f6, %f7}", "{%f9, %f10}"),
                      three[] = GRAD("3d", "{%f0, %f1, %f2, %f2}", "{%f6, %f7, %f8, %f8}",
                                     "{%f9, %f10, %f11, %f11}"),
                      cube[] = GRAD("cube", "{%f0, %f1, %f2, %f2}", "{%f6, %f7, %f8, %f8}",
                                    "{%f9, %f10, %f11, %f11}");
    static const unsigned anisotropies[] = {0, 1, 2, 4, 16};
    for (unsigned pattern = 1; pattern <= 9; pattern++)
        for (unsigned kind = 0; kind < (pattern == 9 ? 5 : 3); kind++) {
            bool volume = kind == 1 && pattern != 9, faces = kind == 2 && pattern != 9;
            struct texture_case c = texture_case("",
                                                 volume  ? three
                                                 : faces ? cube
                                                         : two,
                                                 CU_AD_FORMAT_FLOAT, 1, 64, 64,
                                                 volume  ? 64
                                                 : faces ? 6
                                                         : 0,
                                                 faces ? CUDA_ARRAY3D_CUBEMAP : 0);
            c.source = SOURCE_LEVELS;
            c.levels = 7;
            texture_modes(&c, CU_TR_ADDRESS_MODE_CLAMP, true, CU_TRSF_NORMALIZED_COORDINATES);
            c.sampler.mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR;
            if (pattern == 9) c.sampler.maxAnisotropy = anisotropies[kind];
            c.texels = FILL_LEVEL;
            c.places = faces ? PLACE_DIRECTIONS : PLACE_INSIDE;
            c.threads = 4096;
            c.pattern = pattern;
            snprintf(c.name, sizeof c.name, "slopes %u %s %u", pattern,
                     volume  ? "3d"
                     : faces ? "cube"
                             : "2d",
                     kind);
            texture_run(&c);
        }
}

void group_borders(void)
{
    static const CUarray_format formats[] = {CU_AD_FORMAT_UNSIGNED_INT8,  CU_AD_FORMAT_SIGNED_INT8,
                                             CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_SIGNED_INT16,
                                             CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT32,
                                             CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT};
    static const float colours[][4] = {{-0.25f, 0.3f, 0.001f, 3.7f},
                                       {1e-40f, -3.7f, 65536.0f, 1e10f},
                                       {0.0019607844f, 0.0058823531f, -0.5f, -1e10f}};
    for (unsigned f = 0; f < 8; f++)
        for (unsigned colour = 0; colour < 3; colour++)
            for (unsigned kind = 0; kind < 3; kind++) { /* as floats, filtered, as elements */
                struct texture_case c =
                    texture_case("",
                                 kind == 2 ? "tex.2d.v4.u32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, %f1}];"
                                           : "tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, %f1}];",
                                 formats[f], 4, 16, 16, 0, 0);
                texture_modes(&c, CU_TR_ADDRESS_MODE_BORDER, kind == 1,
                              kind == 2 ? CU_TRSF_READ_AS_INTEGER : 0);
                for (int i = 0; i < 4; i++)
                    c.sampler.borderColor[i] = colours[colour][i];
                c.threads = 128;
                snprintf(c.name, sizeof c.name, "borders %u colour %u %s", (unsigned)formats[f], colour,
                         kind == 0   ? "floats"
                         : kind == 1 ? "linear"
                                     : "elements");
                texture_run(&c);
            }
    struct texture_case srgb =
        texture_case("borders srgb", "tex.2d.v4.f32.f32 {%q0, %q1, %q2, %q3}, [%d1, {%f0, %f1}];",
                     CU_AD_FORMAT_UNSIGNED_INT8, 4, 16, 16, 0, 0);
    texture_modes(&srgb, CU_TR_ADDRESS_MODE_BORDER, true, CU_TRSF_SRGB);
    texture_run(&srgb);
    static const char *const offsets[] = {"{5}", "{-8}", "{-1}"};
    for (unsigned i = 0; i < 3; i++) {
        char body[200];
        snprintf(body, sizeof body, "tex.1d.v4.f32.f32 {%%q0, %%q1, %%q2, %%q3}, [%%d1, {%%f0}], %s;",
                 offsets[i]);
        struct texture_case c = texture_case("", body, CU_AD_FORMAT_FLOAT, 1, 64, 0, 0, 0);
        texture_modes(&c, CU_TR_ADDRESS_MODE_WRAP, true, CU_TRSF_NORMALIZED_COORDINATES);
        c.sampler.addressMode[1] = CU_TR_ADDRESS_MODE_BORDER;
        c.texels = FILL_RAMP;
        c.places = PLACE_NORMALIZED;
        snprintf(c.name, sizeof c.name, "borders offset %s", offsets[i]);
        texture_run(&c);
    }
}
