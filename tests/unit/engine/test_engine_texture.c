/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: vectorised texture reads give the same bits, requests and sectors as lane-by-lane reads, for
 * each instruction set of this machine. Method: random textures, instructions, coordinates and masks.
 * tests/textures compares the lane-by-lane code with an H200. */
#include "cpu_runs.h"
#include "engine_texture_warp_priv.h"

#include "engine/core/engine_job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum {
    LANES = SW_WARP_LANES,
    BYTES = 3 << 16,
    PATTERN = 1 << 13,
    ROUNDS = 20000,
    ROWS = JIT_TEXTURE_ROWS,
    MOST_EXTENT = 40
};

struct read {
    struct jit_texture textures[2];
    struct jit_texture_op op;
    uint64_t object[LANES];
    uint32_t rows[ROWS * LANES], mask;
};

static uint64_t state = 1;
static uint8_t texels[BYTES];
static struct engine engine;
static struct engine_worker worker;
static struct engine_variant variant;
static struct engine_job job = {.variant = &variant};
static uint64_t counters[64];

static uint32_t any(void) /* Marsaglia's xorshift64 */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 20);
}

static uint32_t below(uint32_t n)
{
    return any() % n;
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float unit(void)
{
    return (float)(any() >> 8) * 0x1p-24f;
}

/* ---- texels: near each other, far apart, or any bits */

static uint32_t float_texel(uint32_t kind)
{
    if (kind == 0) return float_bits(unit() - 0.5f);
    if (kind == 1) return (any() & 0x807fffffu) | (97 + below(40)) << 23;
    return below(4) ? any() & 0x807fffffu : any();
}

static uint32_t half_texel(uint32_t kind)
{
    if (kind == 2) return any() & 0xffffu;
    return (any() & 0x83ffu) | (kind == 0 ? 13 + below(3) : 1 + below(29)) << 10;
}

static void fill_texels(enum jit_texel texel)
{
    uint32_t kind = below(3);
    for (uint32_t i = 0; i < PATTERN / 4; i++) {
        uint32_t word = texel == JIT_TEXEL_F16   ? half_texel(kind) | half_texel(kind) << 16
                        : texel >= JIT_TEXEL_U32 ? float_texel(kind)
                                                 : any();
        memcpy(texels + i * 4ul, &word, sizeof word);
    }
    for (uint32_t at = PATTERN; at < BYTES; at += PATTERN)
        memcpy(texels + at, texels, PATTERN);
}

/* ---- textures and instructions */

static void make_level(struct jit_texture *t, uint32_t i, const struct jit_texture_op *op)
{
    struct jit_texture_level *level = &t->levels[i];
    uint32_t bytes = texture_texel_bytes(t) * t->channels;
    bool layered = (op->flags & JIT_TEXTURE_LAYERED) != 0;
    level->width = 1 + below(MOST_EXTENT);
    level->height = op->dimensions > 1 ? 1 + below(MOST_EXTENT) : 0;
    level->depth = op->dimensions > 2 || layered ? 1 + below(5) : 0;
    level->pitch = (level->width + below(8)) * bytes;
    level->slice = level->pitch * (level->height ? level->height : 1);
    level->base = (uint64_t)(uintptr_t)texels + below(64) * bytes;
}

static void make_texture(struct jit_texture *t, const struct jit_texture_op *op)
{
    static const uint8_t channels[] = {1, 2, 4};
    memset(t, 0, sizeof *t);
    t->texel = (uint8_t)below(8);
    t->channels = channels[below(3)];
    t->linear = below(3) != 0;
    t->level_linear = below(2);
    t->normalized_coords = below(2);
    t->read_normalized = t->texel < JIT_TEXEL_U32 && (t->linear || below(2));
    t->srgb = t->texel == JIT_TEXEL_U8 && t->read_normalized && below(4) == 0;
    t->rank = op->dimensions;
    t->plain = below(4) == 0;
    t->level_count = below(3) ? 1 : 2;
    t->highest = 256 * 15;
    t->lowest = below(4) ? 0 : (int32_t)below(300);
    for (unsigned i = 0; i < 3; i++)
        t->address[i] = (uint8_t)below(4);
    for (unsigned i = 0; i < 4; i++)
        t->border[i] = below(2) ? unit() : 0;
    for (uint32_t i = 0; i < t->level_count; i++)
        make_level(t, i, op);
}

static void make_op(struct jit_texture_op *op)
{
    memset(op, 0, sizeof *op);
    op->kind = JIT_TEXTURE_READ;
    op->dimensions = (uint8_t)(1 + below(3));
    op->count = op->bytes = 4;
    op->level = (uint8_t)below(3); /* none, base or given */
    op->offset = below(3) == 0;
    if (op->dimensions < 3 && below(3) == 0) op->flags |= JIT_TEXTURE_LAYERED;
    if (below(4) == 0) op->flags |= JIT_TEXTURE_INTEGER_COORDS;
    if (below(4) == 0) op->flags |= JIT_TEXTURE_INTEGER_RESULT;
    if (!(op->flags & JIT_TEXTURE_INTEGER_RESULT) && below(6) == 0) op->flags |= JIT_TEXTURE_HALF_RESULT;
}

/* ---- coordinates, in texels */

static float place(uint32_t kind, uint32_t extent, uint32_t lane)
{
    switch (kind) {
    case 0: return (float)lane + 0.5f;                  /* on centres, one beside the other */
    case 1: return (float)lane / 3;                     /* between them */
    case 2: return (float)below(extent * 512) / 256;    /* on the borders of roundings */
    case 3: return (unit() - 0.5f) * 6 * (float)extent; /* outside as well */
    default: return unit() * (float)extent;
    }
}

static uint32_t coordinate(const struct read *r, uint32_t kind, uint32_t extent, uint32_t lane)
{
    float at = place(kind, extent, lane);
    if (r->op.flags & JIT_TEXTURE_INTEGER_COORDS) return (uint32_t)(int32_t)at;
    if (kind == 5 && below(4) == 0) return any();
    return float_bits(r->textures[0].normalized_coords ? at / (float)extent : at);
}

static void make_rows(struct read *r)
{
    const struct jit_texture_level *level = &r->textures[0].levels[0];
    const uint32_t extents[3] = {level->width, level->height, level->depth};
    uint32_t layered = r->op.flags & JIT_TEXTURE_LAYERED ? 1 : 0;
    bool same = below(4) != 0;
    for (uint32_t d = 0; d < r->op.dimensions; d++) {
        uint32_t kind = below(6);
        for (uint32_t i = 0; i < LANES; i++)
            r->rows[(layered + d) * LANES + i] = coordinate(r, kind, extents[d], i);
    }
    for (uint32_t i = 0; i < LANES; i++) {
        if (layered) r->rows[i] = below(7) - 1;
        for (uint32_t d = 0; d < 3; d++)
            r->rows[(JIT_ROW_OFFSET + d) * LANES + i] =
                same && i ? r->rows[(JIT_ROW_OFFSET + d) * LANES] : any();
        uint32_t whole = below(3), bits = float_bits(below(2) ? (float)whole : (float)whole * 0.7f);
        if (r->op.flags & JIT_TEXTURE_INTEGER_COORDS) bits = whole;
        r->rows[JIT_ROW_LEVEL * LANES + i] = same && i ? r->rows[JIT_ROW_LEVEL * LANES] : bits;
    }
}

static void make_read(struct read *r)
{
    bool two = below(8) == 0;
    make_op(&r->op);
    make_texture(&r->textures[0], &r->op);
    r->textures[1] = r->textures[0];
    r->textures[1].levels[0].base += texture_texel_bytes(&r->textures[0]) * r->textures[0].channels;
    fill_texels((enum jit_texel)r->textures[0].texel);
    make_rows(r);
    r->mask = below(2) ? UINT32_MAX : any() & any();
    for (uint32_t i = 0; i < LANES; i++)
        r->object[i] = (uint64_t)(uintptr_t)&r->textures[two ? below(2) : 0];
}

/* ---- comparison */

static uint64_t by_warp(const struct read *r, uint64_t *counts, uint32_t values[4 * LANES])
{
    uint64_t code;
    memcpy(&code, &r->op, sizeof code);
    worker.ctx.counters = counts;
    return engine_help_texture(&worker.ctx, code, r->mask, r->object, r->rows, values);
}

static unsigned rows_of(const struct jit_texture_op *op)
{
    return op->flags & JIT_TEXTURE_HALF_RESULT ? 2 : 4;
}

static void expect_equal(const struct read *r, uint32_t round, const char *how, const uint32_t *got,
                         const uint32_t *want)
{
    for (unsigned c = 0; c < rows_of(&r->op); c++)
        for (uint32_t i = 0; i < LANES; i++)
            if (r->mask >> i & 1 && got[c * LANES + i] != want[c * LANES + i])
                fail_msg("round %u, %s, channel %u, lane %u: %08x, lane by lane %08x (texel %u, %u channels, "
                         "%ud, flags %u)",
                         round, how, c, i, got[c * LANES + i], want[c * LANES + i], r->textures[0].texel,
                         r->textures[0].channels, r->op.dimensions, r->op.flags);
}

static void expect_same_read(const struct read *r, uint32_t round)
{
    static uint32_t values[4 * LANES], want[4 * LANES];
    worker.ctx.counters = counters;
    uint64_t counts = texture_lanes(&worker.ctx, &r->op, r->mask, r->object, r->rows, want, 0, NULL);
    by_warp(r, NULL, values);
    expect_equal(r, round, "run", values, want);
    memset(values, 0, sizeof values);
    if (by_warp(r, counters, values) != counts) fail_msg("round %u: other requests or sectors", round);
    expect_equal(r, round, "counted", values, want);
}

/* The lanes that read the first texture which the vector code supports. */
static unsigned done_by_vectors(const struct read *r)
{
    static uint32_t values[4 * LANES];
    worker.ctx.counters = NULL;
    lane_mask done =
        r->mask ? texture_warp(&worker.ctx, &r->op, r->mask, true, &r->textures[0], r->rows, values, NULL)
                : 0;
    return (unsigned)__builtin_popcount(done);
}

static void compare(enum jit_isa isa)
{
    static struct read r;
    uint64_t active = 0, done = 0;
    if (!cpu_runs(isa)) skip();
    engine.isa = isa;
    worker.engine = &engine;
    worker.ctx.host = &worker;
    worker.job = &job;
    state = 1;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        make_read(&r);
        expect_same_read(&r, round);
        active += (unsigned)__builtin_popcount(r.mask);
        done += done_by_vectors(&r);
    }
    assert_true(done * 2 > active); /* or little was compared */
}

static void sse2(void **unused)
{
    (void)unused;
    compare(JIT_ISA_SSE2);
}

static void avx2(void **unused)
{
    (void)unused;
    compare(JIT_ISA_AVX2);
}

static void avx512(void **unused)
{
    (void)unused;
    compare(JIT_ISA_AVX512);
}

static void neon(void **unused)
{
    (void)unused;
    compare(JIT_ISA_NEON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sse2), cmocka_unit_test(neon), cmocka_unit_test(avx2),
                                       cmocka_unit_test(avx512)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
