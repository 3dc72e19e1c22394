/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: find accesses of memory that no live allocation has, to the byte (EVENT_PROBE_BOUNDS). Method:
 * emitted code remembers at each access what was valid there last (jit_emit_bounds.c), and asks here about
 * anything else; each lane is looked at by itself, each that is wrong is kept, and the launch ends as CUDA's
 * error 700. The tool is told what the lowest block did that was wrong, so that it hears the same at any
 * number of threads. Addresses outside of device memory are valid as in any launch (engine_host.c). Limits:
 * the launch ends at its first wrong warp access. */
#include "engine_bounds.h"

#include "engine_fault.h"
#include "engine_permissions.h"

/* What is valid around an address, into ctx; false: nothing. */
static bool find_bounds(struct jit_ctx *ctx, uint64_t address)
{
    struct engine_worker *worker = ctx->host;
    struct vmem_block block;
    ctx->bounds_first = address;
    if (!vmem_in_reservation(worker->engine->config.vmem, address))
        return engine_host_bounds(worker, address, &ctx->bounds_first, &ctx->bounds_bytes);
    if (!vmem_find(worker->engine->config.vmem, address, &block)) return false;
    ctx->bounds_first = block.base;
    ctx->bounds_bytes = block.bytes;
    return true;
}

static bool is_valid(struct jit_ctx *ctx, uint64_t address, uint32_t bytes)
{
    uint64_t at = address - ctx->bounds_first;
    if (at < ctx->bounds_bytes && bytes <= ctx->bounds_bytes - at) return true;
    if (!find_bounds(ctx, address)) {
        ctx->bounds_bytes = 0;
        return false;
    }
    at = address - ctx->bounds_first;
    return bytes <= ctx->bounds_bytes - at;
}

void engine_help_bounds(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t what,
                        uint32_t line)
{
    struct engine_worker *worker = ctx->host;
    struct event_finding finding = {
        .kind = EVENT_FINDING_BOUNDS,
        .space = ISA_SPACE_GLOBAL,
        .place = {.bytes = what & (JIT_BOUNDS_WRITE - 1), .writes = what & JIT_BOUNDS_WRITE}};
    lane_mask wrong = 0;
    ctx->bounds_bytes = 0; /* memory comes and goes between two of these calls */
    for (lane_mask left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (!is_valid(ctx, address[lane], finding.place.bytes)) wrong |= UINT32_C(1) << lane;
    }
    if (!wrong) return;
    worker->armed = 0;
    for (lane_mask left = wrong; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        engine_finding_add(ctx, &finding, address[lane], lane, line);
    }
    uint32_t lane = (uint32_t)__builtin_ctz(wrong);
    sw_fail(
        &worker->error, SW_ILLEGAL_ADDRESS,
        "illegal address 0x%llx in block (%u,%u,%u), warp %u, lane %u: PTX line %u of '%.100s' %s %u bytes "
        "that no allocation has",
        (unsigned long long)address[lane], ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], ctx->warp, lane, line,
        worker->job->launch->kernel->info.name, finding.place.writes ? "writes" : "reads",
        finding.place.bytes);
    engine_fault_unwind(worker);
}
