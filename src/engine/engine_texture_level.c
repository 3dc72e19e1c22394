/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the level of detail of a read, in 256ths.
 * Method: as an H200 answers (tests/textures): a level that is asked for is cut to 8 bits of fraction towards
 * zero, the sampler's bias is added, then the sampler's clamps hold, the lower one last; reads that ask for
 * no level have 0 and no bias. Of gradients the longer axis of the ellipse is taken, with log2 cut alike.
 * Limits: levels of gradients are near the hardware's, not equal (docs/numerics.md); anisotropy is left out.
 */
#include "engine_texture_priv.h"

#include <math.h>
#include <string.h>

static float load(const uint32_t *rows, unsigned row)
{
    float value;
    memcpy(&value, &rows[row * 32], sizeof value);
    return value;
}

static int32_t fixed(double level)
{
    if (level != level) return 0;
    return (int32_t)(fmin(fmax(level, -4096), 4096) * 256);
}

/* The longer axis of the ellipse that two derivatives span, in texels. */
static double longest(const struct jit_texture_op *op, const struct jit_texture *t, const uint32_t *rows)
{
    const uint32_t extents[3] = {t->levels[0].width, t->levels[0].height, t->levels[0].depth};
    double a = 0, b = 0, c = 0;
    for (unsigned d = 0; d < op->dimensions; d++) {
        double extent = t->cube ? t->levels[0].width / 2.0 : t->normalized_coords ? extents[d] : 1;
        double x = (double)load(rows, JIT_ROW_ALONG_X + d) * extent,
               y = (double)load(rows, JIT_ROW_ALONG_Y + d) * extent;
        a += x * x;
        b += y * y;
        c += x * y;
    }
    return sqrt((a + b) / 2 + sqrt((a - b) * (a - b) / 4 + c * c));
}

int32_t texture_level(const struct jit_texture_op *op, const struct jit_texture *t, const uint32_t *rows)
{
    int32_t level = 0, last = ((int32_t)t->level_count - 1) * 256;
    if (op->level == JIT_LEVEL_GIVEN && op->flags & JIT_TEXTURE_INTEGER_COORDS) {
        int32_t whole = (int32_t)rows[JIT_ROW_LEVEL * 32];
        return (whole < 0 ? 0 : whole >= (int32_t)t->level_count ? (int32_t)t->level_count - 1 : whole) * 256;
    }
    if (op->level == JIT_LEVEL_GIVEN) level = fixed((double)load(rows, JIT_ROW_LEVEL)) + t->bias;
    if (op->level == JIT_LEVEL_GRADIENT) level = fixed(log2(longest(op, t, rows))) + t->bias;
    level = level > t->highest ? t->highest : level;
    level = level < t->lowest ? t->lowest : level;
    return level < 0 ? 0 : level > last ? last : level;
}
