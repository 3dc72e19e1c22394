/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: find wrong accesses through textures and surfaces (EVENT_PROBE_BOUNDS): those of a surface that
 * are outside where that traps, and those through an object whose memory was freed. Method: before the lanes
 * of an instruction are looked up, each is looked at. Reads of textures outside of their range are defined by
 * the address mode, so they are never wrong. Limits: memory that was freed and allocated again is not told
 * apart.
 */
#include "engine_texture_priv.h"

#include "engine/core/engine_bounds.h"
#include "engine/core/engine_fault.h"

#include <stdio.h>

static bool accesses_memory(const struct jit_texture_op *op)
{
    return op->kind != JIT_TEXTURE_QUERY && op->kind != JIT_TEXTURE_TYPE;
}

static bool is_surface(const struct jit_texture_op *op)
{
    return op->kind == JIT_SURFACE_LOAD || op->kind == JIT_SURFACE_STORE || op->kind == JIT_SURFACE_REDUCE;
}

/* Memory in the reservation that no allocation has. */
static bool is_freed(const struct jit_ctx *ctx, const struct jit_texture *t)
{
    const struct engine_worker *worker = ctx->host;
    struct vmem *vmem = worker->engine->config.vmem;
    struct vmem_block block;
    uint64_t base = t->levels[0].base;
    return vmem_in_reservation(vmem, base) && !vmem_find(vmem, base, &block);
}

/* Is what the lane does wrong? Then the finding is complete but for the lane. */
static bool is_wrong(const struct jit_ctx *ctx, const struct jit_texture_op *op, const struct jit_texture *t,
                     const uint32_t *rows, struct event_finding *finding, char *what, size_t capacity)
{
    if (!t->level_count) return false; /* a reference that nothing is bound to */
    finding->space = ISA_SPACE_NONE;
    finding->message = what;
    if (is_surface(op) && op->outside == JIT_OUTSIDE_TRAP && surface_is_outside(op, t, rows, what, capacity))
        return true;
    if (!is_freed(ctx, t)) return false;
    finding->space = ISA_SPACE_GLOBAL;
    finding->address = t->levels[0].base;
    finding->message =
        is_surface(op) ? "memory of a surface that was freed" : "memory of a texture that was freed";
    return true;
}

void texture_check(struct jit_ctx *ctx, const struct jit_texture_op *op, lane_mask mask,
                   const uint64_t *object, const uint32_t *rows)
{
    struct engine_worker *worker = ctx->host;
    struct event_finding finding = {.kind = EVENT_FINDING_BOUNDS,
                                    .place = {.bytes = (uint32_t)op->bytes * op->count,
                                              .writes = is_surface(op) && op->kind != JIT_SURFACE_LOAD}};
    char what[96], first[96];
    uint32_t wrong = 0, lane = 0;
    if (!engine_bounds_on(ctx) || !accesses_memory(op)) return;
    for (lane_mask left = mask; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        const struct jit_texture *t = (const struct jit_texture *)(uintptr_t)object[i];
        if (!is_wrong(ctx, op, t, rows + i, &finding, what, sizeof what)) continue;
        worker->armed = 0;
        if (!wrong++) {
            lane = i;
            snprintf(first, sizeof first, "%s", finding.message);
        }
        engine_finding_add(ctx, &finding, finding.address, i, ctx->line);
    }
    if (!wrong) return;
    sw_fail(&worker->error, SW_ILLEGAL_ADDRESS,
            "PTX line %u of '%.100s' in block (%u,%u,%u), warp %u, lane %u accesses %s", ctx->line,
            worker->job->launch->kernel->info.name, ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], ctx->warp,
            lane, first);
    engine_fault_unwind(worker);
}
