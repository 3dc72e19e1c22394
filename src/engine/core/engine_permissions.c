/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: end a launch that accesses memory which its device may not reach: another device's without peer
 * access, or a mapping that says so (CUDA's error 700).
 * Method: vmem_permissions.c has a table a device of what is denied; code compiled for launches of a device
 * to which something is denied looks there and asks here when in doubt (jit_emit_permissions.c); helpers that
 * access memory themselves ask for each run of bytes. Limits: a launch that began before anything was denied
 * to its device is not looked at. */
#include "engine_permissions.h"

#include "engine_fault.h"
#include "engine_where.h"

#include <stdio.h>

_Static_assert((int)JIT_DENIED_SHIFT == (int)VMEM_PERMISSIONS_SHIFT &&
                   (int)JIT_DENIED_READ == (int)VMEM_READ &&
                   (int)JIT_DENIED_WRITE == ((int)VMEM_WRITE & ~(int)VMEM_READ),
               "emitted code reads vmem's tables");

bool engine_permissions_matter(const struct engine *engine, uint32_t device)
{
    struct vmem_permissions ignored;
    return engine->config.vmem && vmem_permissions_of(engine->config.vmem, device, &ignored);
}

void engine_permissions_fill(const struct engine_job *job, struct jit_ctx *ctx)
{
    struct vmem_permissions permissions = {0};
    struct vmem *vmem = job->engine->config.vmem;
    if (!job->variant->options.permissions) return;
    (void)vmem_permissions_of(vmem, job->launch->device, &permissions);
    if (!permissions.denied) vmem_permissions_open(vmem, &permissions);
    ctx->denied = permissions.denied;
    ctx->denied_base = permissions.base;
    ctx->denied_pieces = permissions.pieces;
    if (job->launch->host_looks) ctx->denied_outside = JIT_DENIED_READ | JIT_DENIED_WRITE;
}

static bool permissions_denied(const struct jit_ctx *ctx, uint64_t first, uint64_t bytes, uint32_t need)
{
    struct vmem_permissions permissions = {ctx->denied, ctx->denied_base, ctx->denied_pieces};
    return vmem_permissions_denied(&permissions, first, bytes) & need;
}

/* Whose it is, and what would allow it. */
static void permissions_describe(const struct engine_worker *worker, uint64_t address, char *text,
                                 size_t bytes)
{
    struct vmem_block block;
    uint32_t device = worker->job->launch->device;
    if (!vmem_find(worker->engine->config.vmem, address, &block))
        snprintf(text, bytes, "what was freed meanwhile");
    else if (block.right == VMEM_BY_MAPPING)
        snprintf(text, bytes, "a mapping of device %u's memory; call cuMemSetAccess to let device %u do so",
                 block.device, device);
    else if (block.right == VMEM_BY_POOL)
        snprintf(
            text, bytes,
            "a pool's memory of device %u; call cudaMemPoolSetAccess or cuMemPoolSetAccess for device %u",
            block.device, device);
    else if (block.right == VMEM_BY_GRAPH)
        snprintf(text, bytes,
                 "memory that a graph allocated on device %u; name device %u in accessDescs of the node, or "
                 "give it access to the pool before the allocation is captured",
                 block.device, device);
    else if (block.right == VMEM_BY_HEAP)
        snprintf(text, bytes,
                 "memory that a kernel of device %u allocated with malloc, which no other device can access; "
                 "use cudaMalloc",
                 block.device);
    else if (block.right == VMEM_BY_NOBODY)
        snprintf(text, bytes,
                 "a variable of a module on device %u, which no other device can access; copy it, or use "
                 "cudaMalloc",
                 block.device);
    else
        snprintf(text, bytes,
                 "memory of device %u; call cudaDeviceEnablePeerAccess(%u, 0) or cuCtxEnablePeerAccess on "
                 "device %u",
                 block.device, block.device, device);
}

static _Noreturn void permissions_fail(struct jit_ctx *ctx, uint64_t address, uint32_t need, uint32_t line,
                                       int lane)
{
    struct engine_worker *worker = ctx->host;
    char why[256], where[ENGINE_WHERE_BYTES];
    worker->armed = 0;
    permissions_describe(worker, address, why, sizeof why);
    engine_where(ctx, lane, line, where);
    sw_fail(&worker->error, SW_ILLEGAL_ADDRESS, "illegal address 0x%llx in block (%u,%u,%u), warp %u%s %s %s",
            (unsigned long long)address, ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], ctx->warp, where,
            need & JIT_DENIED_WRITE ? "writes" : "reads", why);
    engine_fault_unwind(worker);
}

/* An access lies in one piece: it is aligned. */
void engine_help_reach(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t need,
                       uint32_t line)
{
    for (lane_mask left = mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        uint64_t piece = (address[lane] - ctx->denied_base) >> JIT_DENIED_SHIFT;
        if (piece < ctx->denied_pieces && ctx->denied[piece] & need)
            permissions_fail(ctx, address[lane], need, line, lane);
        if (piece >= ctx->denied_pieces && ctx->denied_outside)
            engine_host_check(ctx, address[lane], need, line, lane);
    }
}

void engine_permissions_span(struct jit_ctx *ctx, uint64_t first, uint64_t bytes, uint32_t need)
{
    if (!ctx->denied || !bytes) return;
    if (permissions_denied(ctx, first, bytes, need)) permissions_fail(ctx, first, need, ctx->line, -1);
    if (!ctx->denied_outside) return;
    engine_host_check(ctx, first, need, ctx->line, -1);
    engine_host_check(ctx, first + bytes - 1, need, ctx->line, -1);
}
