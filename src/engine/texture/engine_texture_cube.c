/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: cube maps: the face that a direction hits, and the texels across its edges.
 * Method: as compiled code and hardware share the work on an H200 (tests/textures): the direction is scaled
 * by the approximate reciprocal of its largest component (arch_mufu.h); of equal components z comes before y
 * before x. Faces: +x, -x, +y, -y, +z, -z. */
#include "engine_texture_priv.h"

#include "arch/arch_mufu.h"

#include <math.h>
#include <string.h>

static float texture_cube_load(const uint32_t *word)
{
    float value;
    memcpy(&value, word, sizeof value);
    return value;
}

/* rcp.approx.ftz.f32 of what is not negative */
static float reciprocal(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (!(value < INFINITY)) return value != value ? value : 0.0f;
    if (bits < 0x00800000u) return INFINITY;
    const struct arch_mufu_row *row = &arch_mufu_rcp[bits >> 16 & 127];
    uint64_t x = (uint64_t)(bits & 0xffff) << 1, square = 0;
    for (unsigned i = 0; i < 17; i++)
        if (x >> i & 1) square += x >> (18 - i);
    square >>= 1;
    int64_t sum = ((int64_t)row->c0 << ARCH_MUFU_RCP_SCALE) + row->c1 * (int64_t)x +
                  row->c2 * (int64_t)square + ARCH_MUFU_RCP_BIAS;
    return ldexpf((float)(sum >> 16), -24 - ((int)(bits >> 23) - 127));
}

static float texture_cube_size_of(float value) /* NaN is the least */
{
    return value == value ? fabsf(value) : -1.0f;
}

static float texture_cube_number(float value) /* NaN is 0; what denormals overflow to is 1 */
{
    return value != value ? 0.0f : value > 1 ? 1.0f : value < -1 ? -1.0f : value;
}

struct texture_face texture_cube_face(const uint32_t *direction)
{
    float x = texture_cube_load(direction), y = texture_cube_load(direction + 32),
          z = texture_cube_load(direction + 64);
    float scale = reciprocal(fmaxf(fmaxf(fabsf(x), fabsf(y)), fabsf(z)));
    x *= scale;
    y *= scale;
    z *= scale;
    float ax = texture_cube_size_of(x), ay = texture_cube_size_of(y), az = texture_cube_size_of(z);
    x = texture_cube_number(x);
    y = texture_cube_number(y);
    z = texture_cube_number(z);
    if (az >= ax && az >= ay)
        return z < 0 ? (struct texture_face){5, -x, -y} : (struct texture_face){4, x, -y};
    if (ay >= ax) return y < 0 ? (struct texture_face){3, x, -z} : (struct texture_face){2, x, z};
    return x < 0 ? (struct texture_face){1, z, -y} : (struct texture_face){0, -z, -y};
}

/* Of a texel centre in the face's plane, doubled so that it is whole: the direction in units of half texels.
 */
static void direction_of(uint32_t face, int64_t n, int64_t s, int64_t t, int64_t at[3])
{
    const int64_t map[6][3] = {{n, -t, -s}, {-n, -t, s}, {s, n, t}, {s, -n, -t}, {s, -t, n}, {-s, -t, -n}};
    memcpy(at, map[face], sizeof map[face]);
}

bool texture_cube_fold(uint32_t extent, uint32_t *face, int64_t *x, int64_t *y)
{
    int64_t n = extent, s = 2 * *x + 1 - n, t = 2 * *y + 1 - n, at[3];
    bool outside_x = *x < 0 || *x >= n, outside_y = *y < 0 || *y >= n;
    if (!outside_x && !outside_y) return true;
    if (outside_x && outside_y) return false;
    direction_of(*face, n, s, t, at);
    /* the component that left the face becomes the new face's axis; the old axis is half a texel within */
    unsigned old = *face / 2, axis = 0;
    for (unsigned d = 0; d < 3; d++)
        if (d != old && (at[d] > n || at[d] < -n)) axis = d;
    at[old] = at[old] > 0 ? n - 1 : 1 - n;
    *face = 2 * axis + (at[axis] < 0);
    const int64_t back[6][2] = {{-at[2], -at[1]}, {at[2], -at[1]}, {at[0], at[2]},
                                {at[0], -at[2]},  {at[0], -at[1]}, {-at[0], -at[1]}};
    *x = (back[*face][0] + n - 1) / 2;
    *y = (back[*face][1] + n - 1) / 2;
    return true;
}
