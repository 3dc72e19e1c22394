/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: cp.async.bulk and cp.reduce.async.bulk (PTX ISA 9.7.9.25.4) for one lane.
 * Method: done at once, on the thread that runs the block; the emitted code completes the transaction on an
 * mbarrier afterwards. Each element of a reduction is one atomic compare-and-swap, since other blocks may
 * reduce into the same memory; halves are added in f32, which rounds once more without harm (24 bits are more
 * than 2 * 11 + 1).
 * Limits: PTX asks for 16-byte alignment and sizes; anything else is the kernel's fault. */
#include "engine_helpers_priv.h"

#include "engine/core/engine_bounds.h"
#include "engine/core/engine_permissions.h"
#include "engine/record/engine_note.h"
#include "engine/shadow/engine_shadow.h"

#include <math.h>
#include <string.h>

enum { BULK_ALIGN = 16 };
__extension__ typedef _Float16 half;

static double half_to_double(uint64_t bits)
{
    uint16_t narrow = (uint16_t)bits;
    half value;
    memcpy(&value, &narrow, sizeof value);
    return (double)value;
}

static double bf16_to_double(uint64_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return (double)value;
}

static uint64_t half_from_float(float value)
{
    enum { CANONICAL = 0x7fff };
    if (isnan(value)) return CANONICAL;
    half narrow = (half)value;
    uint16_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

static uint64_t bf16_from_float(float value)
{
    enum { CANONICAL = 0x7fff };
    uint32_t bits;
    if (isnan(value)) return CANONICAL;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static double real_of(const struct jit_bulk_op *op, uint64_t bits)
{
    if (op->bytes == 2) return op->element == JIT_BULK_BF16 ? bf16_to_double(bits) : half_to_double(bits);
    float single;
    double real;
    if (op->bytes == 4) {
        uint32_t narrow = (uint32_t)bits;
        memcpy(&single, &narrow, sizeof single);
        return (double)single;
    }
    memcpy(&real, &bits, sizeof real);
    return real;
}

static uint64_t add_real(const struct jit_bulk_op *op, uint64_t a, uint64_t b)
{
    double x = real_of(op, a), y = real_of(op, b), sum = x + y;
    float single = (float)x + (float)y;
    uint32_t narrow;
    uint64_t bits;
    if (op->bytes == 2)
        return op->element == JIT_BULK_BF16 ? bf16_from_float(single) : half_from_float(single);
    if (op->bytes == 4) {
        memcpy(&narrow, &single, sizeof narrow);
        return isnan(single) ? 0x7fffffff : narrow;
    }
    if (isnan(y)) return b; /* as it is, like an atomic addition */
    if (isnan(x)) return a;
    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

/* Halves: a NaN loses, and -0 is below +0. */
static uint64_t pick_real(const struct jit_bulk_op *op, uint64_t a, uint64_t b)
{
    enum { CANONICAL = 0x7fff };
    double x = real_of(op, a), y = real_of(op, b);
    if (isnan(x) && isnan(y)) return CANONICAL;
    if (isnan(x) || isnan(y)) return isnan(x) ? b : a;
    bool a_less = x < y || (x == y && signbit(x) && !signbit(y));
    return a_less == (op->reduce == JIT_BULK_MIN) ? a : b;
}

static int64_t signed_of(const struct jit_bulk_op *op, uint64_t bits)
{
    return op->bytes == 4 ? (int32_t)bits : (int64_t)bits;
}

static uint64_t pick_integer(const struct jit_bulk_op *op, uint64_t a, uint64_t b)
{
    bool less = op->element == JIT_BULK_SIGNED ? signed_of(op, a) < signed_of(op, b) : a < b;
    return less == (op->reduce == JIT_BULK_MIN) ? a : b;
}

static uint64_t bulk_reduced(const struct jit_bulk_op *op, uint64_t old, uint64_t with)
{
    bool real = op->element == JIT_BULK_FLOAT || op->element == JIT_BULK_BF16;
    switch ((unsigned)op->reduce) {
    case JIT_BULK_ADD: return real ? add_real(op, old, with) : old + with;
    case JIT_BULK_MIN:
    case JIT_BULK_MAX: return real ? pick_real(op, old, with) : pick_integer(op, old, with);
    case JIT_BULK_INC: return old >= with ? 0 : old + 1;
    case JIT_BULK_DEC: return old == 0 || old > with ? with : old - 1;
    case JIT_BULK_AND: return old & with;
    case JIT_BULK_OR: return old | with;
    default: return old ^ with;
    }
}

#define REDUCE_AS(bits)                                                                                      \
    static void reduce_##bits(const struct jit_bulk_op *op, void *to, const void *from)                      \
    {                                                                                                        \
        uint##bits##_t with, *at = to, old = __atomic_load_n(at, __ATOMIC_RELAXED), fresh;                   \
        memcpy(&with, from, sizeof with);                                                                    \
        do                                                                                                   \
            fresh = (uint##bits##_t)bulk_reduced(op, old, with);                                             \
        while (!__atomic_compare_exchange_n(at, &old, fresh, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));     \
    }
REDUCE_AS(16)
REDUCE_AS(32)
REDUCE_AS(64)
#undef REDUCE_AS

static void note_misaligned(struct jit_ctx *ctx, uint64_t address, uint32_t bytes)
{
    struct event_finding finding = {.kind = EVENT_FINDING_MISALIGNED, .place.bytes = bytes};
    engine_bounds_place(ctx, ctx->lane, address, &finding);
    engine_finding_add(ctx, &finding, finding.address, ctx->lane, ctx->line);
}

void engine_help_bulk(struct jit_ctx *ctx, uint64_t code, uint64_t to, uint64_t from, uint32_t bytes)
{
    struct jit_bulk_op op;
    memcpy(&op, &code, sizeof op);
    if ((to | from | bytes) % BULK_ALIGN != 0) {
        struct engine_worker *worker = ctx->host;
        worker->armed = 0;
        if (engine_bounds_on(ctx)) note_misaligned(ctx, to % BULK_ALIGN ? to : from, bytes);
        sw_fail(
            &worker->error, SW_MISALIGNED_ADDRESS,
            "bulk copy of %u bytes from 0x%llx to 0x%llx in block (%u,%u,%u), warp %u: addresses and size "
            "must be multiples of 16",
            bytes, (unsigned long long)from, (unsigned long long)to, ctx->ctaid[0], ctx->ctaid[1],
            ctx->ctaid[2], ctx->warp);
        engine_fault_unwind(worker);
    }
    if (ctx->record_site) engine_note_span(ctx, ctx->record_site->kind == EVENT_KIND_LOAD ? from : to, bytes);
    engine_permissions_span(ctx, from, bytes, JIT_DENIED_READ);
    engine_permissions_span(ctx, to, bytes, JIT_DENIED_WRITE);
    engine_bounds_span(ctx, (enum isa_space)op.from_space, from, bytes, false);
    engine_bounds_span(ctx, (enum isa_space)op.to_space, to, bytes, true);
    uint32_t reduces = op.reduce == JIT_BULK_COPY ? 0 : JIT_SHADOW_READ | JIT_SHADOW_STRONG;
    engine_shadow_range(ctx, ctx->lane, from, bytes, JIT_SHADOW_READ | JIT_SHADOW_ASYNC | JIT_SHADOW_COPIED,
                        ctx->line);
    engine_shadow_range(ctx, ctx->lane, to, bytes, JIT_SHADOW_WRITE | JIT_SHADOW_ASYNC | reduces, ctx->line);
    uint8_t *target = (uint8_t *)(uintptr_t)to;
    const uint8_t *source = (const uint8_t *)(uintptr_t)from;
    if (op.reduce == JIT_BULK_COPY) {
        memmove(target, source, bytes);
        return;
    }
    for (uint32_t i = 0; i < bytes; i += op.bytes)
        (op.bytes == 2 ? reduce_16 : op.bytes == 4 ? reduce_32 : reduce_64)(&op, target + i, source + i);
}
