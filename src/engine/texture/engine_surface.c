/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: surfaces: loads, stores and reductions (PTX ISA 9.7.11).
 * Method: x counts bytes, of formatted accesses texels. Outside, ".zero" leaves an access out, ".clamp" moves
 * it to the nearest element, ".trap" ends the kernel. Limits: formatted stores and reductions take 32 bits a
 * channel. */
#include "engine_texture_priv.h"

#include <stdio.h>
#include <string.h>

static unsigned surface_texel_bytes(const struct jit_texture *t)
{
    return texture_texel_bytes(t) * t->channels;
}

/* Where an access begins: x in bytes, and how many it has. */
struct place {
    int64_t x, y, z, bytes;
    int64_t row, height, depth; /* of the surface: bytes, rows, slices */
};

static struct place surface_place(const struct jit_texture_op *op, const struct jit_texture *t,
                                  const uint32_t *rows)
{
    const struct jit_texture_level *level = &t->levels[0];
    bool layered = op->flags & JIT_TEXTURE_LAYERED, formatted = op->flags & JIT_TEXTURE_FORMATTED;
    struct place p = {.x = (int32_t)rows[layered * 32],
                      .z = layered ? (int32_t)rows[0] : 0,
                      .bytes = formatted ? surface_texel_bytes(t) : (int64_t)op->bytes * op->count,
                      .row = (int64_t)level->width * surface_texel_bytes(t),
                      .height = level->height ? level->height : 1,
                      .depth = level->depth ? level->depth : 1};
    if (formatted) p.x *= p.bytes;
    if (op->dimensions > 1) p.y = (int32_t)rows[(1 + layered) * 32];
    if (op->dimensions > 2) p.z = (int32_t)rows[2 * 32];
    return p;
}

static bool surface_holds(const struct place *p)
{
    return p->x >= 0 && p->x + p->bytes <= p->row && p->y >= 0 && p->y < p->height && p->z >= 0 &&
           p->z < p->depth;
}

bool surface_is_outside(const struct jit_texture_op *op, const struct jit_texture *t, const uint32_t *rows,
                        char *what, size_t capacity)
{
    struct place p = surface_place(op, t, rows);
    if (surface_holds(&p)) return false;
    snprintf(what, capacity,
             "byte %lld of row %lld, slice %lld; the surface has %lld bytes, %lld rows, %lld slices",
             (long long)p.x, (long long)p.y, (long long)p.z, (long long)p.row, (long long)p.height,
             (long long)p.depth);
    return true;
}

/* Where an access of so many bytes lands; NULL: outside, and to be left out. */
static uint8_t *surface_at(struct jit_ctx *ctx, const struct jit_texture_op *op, const struct jit_texture *t,
                           const uint32_t *rows, struct texture_seen *seen)
{
    const struct jit_texture_level *level = &t->levels[0];
    struct place p = surface_place(op, t, rows);
    bool inside = surface_holds(&p), layered = op->flags & JIT_TEXTURE_LAYERED;
    if (!inside && op->outside == JIT_OUTSIDE_ZERO) return NULL;
    if (!inside && op->outside == JIT_OUTSIDE_TRAP) ctx->helpers->trap(ctx, SW_ILLEGAL_ADDRESS);
    int64_t x = p.x < 0                 ? 0
                : p.x + p.bytes > p.row ? p.row - p.bytes
                                        : p.x,
            y = texture_coordinate_index(p.y, (uint32_t)p.height, JIT_ADDRESS_CLAMP),
            z = layered && p.z < 0 ? p.depth - 1
                                   : texture_coordinate_index(p.z, (uint32_t)p.depth,
                                                              JIT_ADDRESS_CLAMP); /* layers are unsigned */
    if (seen) texture_seen_texel(seen, t, level, x, y, z, (uint32_t)p.bytes);
    return (uint8_t *)(uintptr_t)(level->base + (uint64_t)z * level->slice + (uint64_t)y * level->pitch +
                                  (uint64_t)x);
}

/* Elements of 8 to 64 bits; a value of 64 bits takes two rows. */
static void surface_move(const struct jit_texture_op *op, uint8_t *at, uint32_t *values, bool store)
{
    unsigned words = op->bytes == 8 ? 2 : 1, bytes = op->bytes / words;
    for (unsigned i = 0; i < op->count * words && i < 4; i++) {
        if (!store) values[i * 32] = 0;
        if (at && !store) memcpy(&values[i * 32], at + i * bytes, bytes);
        if (at && store) memcpy(at + i * bytes, &values[i * 32], bytes);
    }
}

static uint32_t surface_clamped(int64_t value, int64_t low, int64_t high)
{
    return (uint32_t)(value < low ? low : value > high ? high : value);
}

/* sust.p: a value becomes the format's; integers are clamped, halves cut. */
static uint32_t surface_formatted(const struct jit_texture *t, uint32_t value)
{
    float real;
    memcpy(&real, &value, sizeof real);
    switch (t->texel) {
    case JIT_TEXEL_U8: return surface_clamped(value, 0, 0xff);
    case JIT_TEXEL_U16: return surface_clamped(value, 0, 0xffff);
    case JIT_TEXEL_S8: return surface_clamped((int32_t)value, -0x80, 0x7f);
    case JIT_TEXEL_S16: return surface_clamped((int32_t)value, -0x8000, 0x7fff);
    case JIT_TEXEL_F16: return texture_half_cut(real);
    default: return value;
    }
}

static void surface_store_formatted(const struct jit_texture_op *op, const struct jit_texture *t, uint8_t *at,
                                    const uint32_t *values)
{
    unsigned bytes = texture_texel_bytes(t);
    for (unsigned c = 0; at && c < t->channels; c++) {
        uint32_t texel = c < op->count ? surface_formatted(t, values[c * 32]) : 0;
        memcpy(at + c * bytes, &texel, bytes);
    }
}

static uint64_t surface_reduced(const struct jit_texture_op *op, uint64_t old, uint64_t value, bool is_signed)
{
    bool less = is_signed ? (int64_t)value < (int64_t)old : value < old;
    switch ((enum jit_surface_reduce)op->reduce) {
    case JIT_SURFACE_ADD: return old + value;
    case JIT_SURFACE_MIN: return less ? value : old;
    case JIT_SURFACE_MAX: return less ? old : value;
    case JIT_SURFACE_AND: return old & value;
    case JIT_SURFACE_OR: return old | value;
    }
    return old;
}

static uint64_t surface_widened(uint64_t value, unsigned bytes, bool is_signed)
{
    return bytes == 4 && is_signed ? (uint64_t)(int64_t)(int32_t)value : value;
}

/* Other host threads may reduce the same element. */
static void surface_reduce(const struct jit_texture_op *op, const struct jit_texture *t, uint8_t *at,
                           const uint32_t *values)
{
    bool is_signed =
        op->flags & JIT_TEXTURE_FORMATTED ? t->texel == JIT_TEXEL_S32 : op->flags & JIT_TEXTURE_SIGNED;
    uint64_t operand = values[0] | (op->bytes == 8 ? (uint64_t)values[32] << 32 : 0);
    operand = surface_widened(operand, op->bytes, is_signed);
    if (!at) return;
    if (op->bytes == 4) {
        uint32_t *word = (uint32_t *)(void *)at, old = __atomic_load_n(word, __ATOMIC_RELAXED), wanted;
        do
            wanted = (uint32_t)surface_reduced(op, surface_widened(old, 4, is_signed), operand, is_signed);
        while (!__atomic_compare_exchange_n(word, &old, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        return;
    }
    uint64_t *word = (uint64_t *)(void *)at, old = __atomic_load_n(word, __ATOMIC_RELAXED), wanted;
    do
        wanted = surface_reduced(op, old, operand, is_signed);
    while (!__atomic_compare_exchange_n(word, &old, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

void surface_access(struct jit_ctx *ctx, const struct jit_texture_op *op, const struct jit_texture *t,
                    const uint32_t *rows, uint32_t *values, struct texture_seen *seen)
{
    uint8_t *at = t->level_count ? surface_at(ctx, op, t, rows, seen) : NULL;
    if (op->kind == JIT_SURFACE_REDUCE)
        surface_reduce(op, t, at, values);
    else if (op->flags & JIT_TEXTURE_FORMATTED)
        surface_store_formatted(op, t, at, values);
    else
        surface_move(op, at, values, op->kind == JIT_SURFACE_STORE);
}
