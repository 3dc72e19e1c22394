/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: wmma.load, wmma.store, ldmatrix and stmatrix (PTX ISA 9.7.14), and the accesses that a GPU makes
 * of them. Method: fragments as engine_matrix_layout.c says; rows of a register are copied whole where they
 * stand together in memory. Accesses, as ptxas has them for sm_90 (tests/matrix): one a register, of 4 bytes
 * a lane; 16-bit factors stored the other way are loaded as they stand and transposed (movm), smaller ones
 * are loaded one by one; pairs of an accumulator that stand together are one access; from shared memory,
 * factors of 16 bits and less whose rows stand together come by ldmatrix, four tiles each. Limits: all lanes
 * take part; wmma reads the address and stride of the first lane. */
#include "engine_matrix_priv.h"

#include "engine/core/engine_bounds.h"
#include "engine/core/engine_permissions.h"
#include "engine/record/engine_note.h"
#include "engine/shadow/engine_shadow.h"

#include "engine_matrix_tile_priv.h"

#include <string.h>

struct fragment {
    struct matrix_form form; /* shape only */
    char letter;
    bool store, columns, of_x,
        together; /* of_x: rows of x; together: neighbours in a register are so in memory */
    unsigned bits, count;
    enum isa_space space; /* SHARED, or as addresses turn out */
    uint8_t *base;
    size_t stride; /* bytes from one row, or column, to the next */
    uint8_t *registers;
};

static struct fragment fragment_describe(const struct jit_fragment_op *op, lane_mask mask,
                                         const uint64_t *address, const uint32_t *stride, void *registers)
{
    unsigned first = mask ? (unsigned)__builtin_ctz(mask) : 0, k = op->k4 * 4u;
    struct fragment f = {.letter = (char)op->letter, .count = op->registers, .registers = registers};
    f.store = op->flags & JIT_FRAGMENT_STORE;
    f.columns = op->flags & JIT_FRAGMENT_COLUMNS;
    f.space = op->flags & JIT_FRAGMENT_SHARED ? ISA_SPACE_SHARED : ISA_SPACE_GENERIC;
    f.bits = matrix_bits((enum jit_matrix_type)op->type);
    f.base = (uint8_t *)(uintptr_t)address[first];
    bool transposed = op->n == 32, a = f.letter == 'a', b = f.letter == 'b';
    f.form = (struct matrix_form){.xs = transposed ? op->n : op->m, .ys = transposed ? op->m : op->n, .k = k};
    f.form.transposed = transposed;
    f.form.x_blocks = f.form.xs / 8;
    f.of_x = a != transposed;
    f.together = a ? !f.columns : b ? f.columns : f.columns == transposed;
    unsigned rows = b ? k : op->m, columns = a ? k : op->n;
    size_t step = op->flags & JIT_FRAGMENT_DENSE ? (f.columns ? rows : columns) : stride[first];
    f.stride = step * f.bits / 8;
    return f;
}

/* Where the element stands: outer: row of a, column of b; inner: k. Of accumulators x and y. */
static uint8_t *fragment_element(const struct fragment *f, unsigned outer, unsigned inner)
{
    size_t major = f->together ? outer : inner, minor = f->together ? inner : outer;
    return f->base + major * f->stride + minor * f->bits / 8;
}

static inline void fragment_move(bool store, uint8_t *memory, uint8_t *reg, size_t bytes)
{
    if (store)
        memcpy(memory, reg, bytes);
    else
        memcpy(reg, memory, bytes);
}

static unsigned inner_of(const struct fragment *f)
{
    return f->bits >= 32 ? 4 : 128 / f->bits;
}

static void position_of(const struct fragment *f, unsigned r, unsigned *outer, unsigned *inner)
{
    if (f->of_x)
        matrix_position_x(&f->form, r, inner_of(f), outer, inner);
    else
        matrix_position_y(&f->form, r, inner_of(f), outer, inner);
}

/* Elements of a row that are apart in memory. */
static void gather_row(const struct fragment *f, unsigned outer, unsigned inner, uint8_t *to)
{
    const uint8_t *from = fragment_element(f, outer, inner);
    unsigned count = inner_of(f);
    switch (f->bits) {
    case 8:
        for (unsigned i = 0; i < count; i++, from += f->stride)
            to[i] = *from;
        break;
    case 32:
        for (unsigned i = 0; i < count; i++, from += f->stride)
            memcpy(to + (size_t)i * 4, from, 4);
        break;
    default:
        for (unsigned i = 0; i < count; i++, from += f->stride)
            memcpy(to + (size_t)i * 8, from, 8);
        break;
    }
}

/* 16-bit elements that are together along the other side. */
static void turned_register(const struct fragment *f, unsigned outer, unsigned inner, uint8_t *to)
{
    uint8_t tile[8][16];
    matrix_row8 rows[8];
    const uint8_t *from = fragment_element(f, outer, inner);
    for (unsigned i = 0; i < 8; i++, from += f->stride)
        memcpy(tile[i], from, sizeof tile[i]);
    matrix_transpose_tile(tile, rows);
    memcpy(to, rows, sizeof rows);
}

/* Eight rows of `bytes`, which is mostly 16: known, it is one instruction. */
static void whole_rows(const struct fragment *f, unsigned outer, unsigned inner, size_t bytes, uint8_t *to)
{
    const uint8_t *from = fragment_element(f, outer, inner);
    if (bytes == 16) {
        for (unsigned g = 0; g < 8; g++, from += f->stride)
            memcpy(to + (size_t)g * 16, from, 16);
        return;
    }
    for (unsigned g = 0; g < 8; g++, from += f->stride)
        memcpy(to + g * bytes, from, bytes);
}

static void move_factor(const struct fragment *f)
{
    unsigned outer, inner;
    size_t row = (size_t)inner_of(f) * f->bits / 8;
    for (unsigned r = 0; r < f->count; r++) {
        position_of(f, r, &outer, &inner);
        uint8_t *to = f->registers + r * 8 * row;
        if (!f->together && f->bits == 16) {
            turned_register(f, outer, inner, to);
            continue;
        }
        if (f->together) {
            whole_rows(f, outer, inner, row, to);
            continue;
        }
        for (unsigned g = 0; g < 8; g++, to += row)
            gather_row(f, outer + g, inner, to);
    }
}

/* Elements [0, 8) of row g of x are those of four lanes, in two registers (16 bits: two in each word). */
static inline void move_block(const struct fragment *f, unsigned x, unsigned y, uint8_t *regs, size_t bytes,
                              bool halves)
{
    size_t along_x = f->together ? f->stride : bytes, along_y = f->together ? bytes : f->stride;
    uint8_t *corner = fragment_element(f, x, y);
    for (unsigned g = 0; g < 8; g++, corner += along_x)
        for (unsigned i = 0; i < 8; i++) {
            size_t at = halves ? g * 8 + i : i % 2 * 32 + g * 4 + i / 2;
            fragment_move(f->store, corner + i * along_y, regs + at * bytes, bytes);
        }
}

static void move_accumulator(const struct fragment *f)
{
    for (unsigned p = 0; p < f->form.xs * f->form.ys / 64; p++) {
        unsigned x = p % f->form.x_blocks * 8, y = p / f->form.x_blocks * 8;
        uint8_t *regs = f->registers + (size_t)p * 8 * f->bits;
        if (f->bits == 16)
            move_block(f, x, y, regs, 2, true);
        else if (f->bits == 32)
            move_block(f, x, y, regs, 4, false);
        else
            move_block(f, x, y, regs, 8, false);
    }
}

/* ---- ldmatrix, stmatrix: lane 8 i + r has the address of row r of matrix i */

static void move_rows(const struct fragment *f, const uint64_t *address)
{
    for (unsigned i = 0; i < f->count; i++) {
        uint8_t *reg = f->registers + i * 128;
        matrix_row8 rows[8];
        memcpy(rows, reg, sizeof rows);
        if (f->store && f->columns) matrix_transpose_tile(reg, rows);
        for (unsigned r = 0; r < 8; r++)
            fragment_move(f->store, (uint8_t *)(uintptr_t)address[8 * i + r], (uint8_t *)&rows[r], 16);
        if (!f->store && f->columns)
            matrix_transpose_tile(rows, (matrix_row8 *)(void *)reg);
        else if (!f->store)
            memcpy(reg, rows, sizeof rows);
    }
}

/* Rows, or columns, as they stand in memory. */
static void check_rows(struct jit_ctx *ctx, const struct fragment *f)
{
    bool sum = f->letter == 'c';
    unsigned outer = sum || f->of_x ? f->form.xs : f->form.ys, inner = sum ? f->form.ys : f->form.k;
    unsigned count = f->together ? outer : inner, elements = f->together ? inner : outer;
    for (unsigned i = 0; i < count; i++) {
        uintptr_t row = (uintptr_t)f->base + i * f->stride;
        engine_permissions_span(ctx, row, elements * f->bits / 8,
                                f->store ? JIT_DENIED_WRITE : JIT_DENIED_READ);
        engine_bounds_span(ctx, f->space, row, elements * f->bits / 8, f->store);
        engine_shadow_range(ctx, ctx->lane, row, elements * f->bits / 8,
                            f->store ? JIT_SHADOW_WRITE : JIT_SHADOW_READ, ctx->line);
    }
}

/* ldmatrix, stmatrix: each lane's row of 16 bytes. */
static void tell_rows(struct jit_ctx *ctx, const struct fragment *f, const uint64_t *address)
{
    enum { ROW = 16 };
    for (uint32_t l = 0; l < 8 * f->count; l++)
        engine_shadow_range(ctx, l, address[l], ROW, f->store ? JIT_SHADOW_WRITE : JIT_SHADOW_READ,
                            ctx->line);
}

void engine_help_fragment(struct jit_ctx *ctx, uint64_t code, lane_mask mask, const uint64_t *address,
                          const uint32_t *stride, void *registers)
{
    struct jit_fragment_op op;
    if (!mask) return;
    memcpy(&op, &code, sizeof op);
    struct fragment f = fragment_describe(&op, mask, address, stride, registers);
    bool told = engine_shadow_on(ctx);
    if (told && f.letter == 'm') tell_rows(ctx, &f, address);
    if (f.letter != 'm' && (ctx->denied || engine_bounds_on(ctx) || told)) {
        ctx->lane = (uint32_t)__builtin_ctz(mask);
        check_rows(ctx, &f);
    }
    if (f.letter == 'm')
        move_rows(&f, address);
    else if (f.letter == 'c')
        move_accumulator(&f);
    else
        move_factor(&f);
}

/* ---- accesses */

struct count {
    struct jit_ctx *ctx;
    const struct event_tool *tool;
    const struct fragment *fragment;
    bool shared, noted; /* noted: some of its accesses were */
    uint64_t base;
    uint64_t *counted; /* requests, units, ideal units */
};

static void add_units(struct count *count, const uint64_t *offset, lane_mask mask, unsigned bytes)
{
    const struct event_tool *tool = count->tool;
    uint32_t kind = count->fragment->store ? EVENT_KIND_STORE : EVENT_KIND_LOAD;
    uint64_t packed = count->shared ? tool->count.shared(&tool->rules, offset, mask, bytes, kind)
                                    : tool->count.global(&tool->rules, offset, mask, bytes, kind);
    count->counted[1] += packed & UINT32_MAX;
    count->counted[2] += packed >> 32;
}

/* From shared memory, wide accesses of rows that lie apart are served 128 bytes at a time. */
static void fragment_add_access(struct count *count, const uint64_t *address, lane_mask mask, unsigned bytes,
                                bool request)
{
    uint64_t offset[32];
    unsigned lanes = count->shared && bytes >= 8 ? 128 / bytes : 32;
    for (unsigned l = 0; l < 32; l++)
        offset[l] = address[l] - count->base;
    count->counted[0] += request;
    if (!count->shared) engine_note_access(count->ctx, address, mask, bytes, count->noted);
    count->noted = true;
    for (unsigned from = 0; from < 32; from += lanes) {
        lane_mask part = mask & (lane_mask)(((UINT64_C(1) << lanes) - 1) << from);
        if (part) add_units(count, offset, part, bytes);
    }
}

static uint64_t fragment_number(const uint8_t *at)
{
    return (uint64_t)(uintptr_t)at;
}

/* By ldmatrix: tiles of 8 rows of 16 bytes. */
static void count_tiles(struct count *count, const uint64_t *rows, unsigned tiles)
{
    for (unsigned i = 0; i < tiles; i++) {
        uint64_t address[32] = {0};
        memcpy(address, rows + 8 * i, 8 * sizeof *rows);
        fragment_add_access(count, address, 0xff, 16, i % 4 == 0);
    }
}

static void count_factor(struct count *count)
{
    const struct fragment *f = count->fragment;
    unsigned inner = inner_of(f), across = inner / 4, outer, first;
    bool whole = f->together || f->bits >= 16, tiles = count->shared && whole && f->bits <= 16;
    uint64_t rows[8 * 8], address[32];
    for (unsigned r = 0; r < f->count; r++) {
        position_of(f, r, &outer, &first);
        bool turned = !f->together && f->bits == 16;
        for (unsigned g = 0; g < 8; g++)
            rows[8 * r + g] = fragment_number(turned ? fragment_element(f, outer, first + g)
                                                     : fragment_element(f, outer + g, first));
        for (unsigned i = 0; !tiles && i < (whole ? 1 : across); i++) {
            for (unsigned l = 0; l < 32; l++)
                address[l] =
                    turned ? rows[8 * r + l / 4] + l % 4 * 4
                           : fragment_number(fragment_element(f, outer + l / 4, first + l % 4 * across + i));
            fragment_add_access(count, address, UINT32_MAX,
                                f->bits == 64 ? 8
                                : whole       ? 4
                                              : f->bits / 8,
                                true);
        }
    }
    if (tiles) count_tiles(count, rows, f->count);
}

static void count_accumulator(struct count *count)
{
    const struct fragment *f = count->fragment;
    bool halves = f->bits == 16, pairs = f->together && !halves;
    for (unsigned p = 0; p < f->form.xs * f->form.ys / 64; p++) {
        unsigned x = p % f->form.x_blocks * 8, y = p / f->form.x_blocks * 8;
        for (unsigned e = 0; e < (halves || pairs ? 1u : 2u); e++) {
            uint64_t address[32];
            for (unsigned l = 0; l < 32; l++)
                address[l] = halves && !f->together
                                 ? fragment_number(fragment_element(f, x + l % 4 * 2, y + l / 4))
                                 : fragment_number(fragment_element(f, x + l / 4, y + l % 4 * 2 + e));
            fragment_add_access(count, address, UINT32_MAX, f->bits / 8 * (halves || pairs ? 2 : 1), true);
        }
    }
}

void engine_help_count_fragment(struct jit_ctx *ctx, uint64_t code, lane_mask mask, const uint64_t *address,
                                const uint32_t *stride, uint32_t space, uint64_t *counted)
{
    struct jit_fragment_op op;
    if (!mask) return;
    const struct engine_worker *worker = ctx->host;
    uint64_t shared = fragment_number(ctx->shared), first = address[__builtin_ctz(mask)];
    bool inside = first - shared < ctx->shared_bytes;
    memcpy(&op, &code, sizeof op);
    struct fragment f = fragment_describe(&op, mask, address, stride, NULL);
    struct count count = {ctx,    worker->engine->config.tool, &f, space == EVENT_ACCESS_SHARED, false, 0,
                          counted};
    if (inside != count.shared) return;
    if (inside) count.base = shared;
    if (f.letter == 'm')
        count_tiles(&count, address, f.count);
    else if (f.letter == 'c')
        count_accumulator(&count);
    else
        count_factor(&count);
}
