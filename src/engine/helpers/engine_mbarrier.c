/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: find misuse of mbarriers (PTX ISA 9.7.13.15) for the tool (EVENT_PROBE_SYNC): objects that are
 * used before their init or after their inval, begun twice, outside of shared memory, or arrived at more
 * often than they expect. Method: emitted code says what each lane is about to do; a launch remembers which
 * addresses hold an object, and of which block, since blocks use the same memory one after the other.
 * Limits: what else is written to an object is not seen; waits for phases that never end are not found. */
#include "engine_helpers.h"
#include "engine_helpers_priv.h"

#include <string.h>

enum { ALIGN = 8, COUNT_MOST = (1 << JIT_MBARRIER_COUNT_BITS) - 1 };

enum mbarrier_rule {
    RULE_NOT_SHARED = ENGINE_RULE_MBARRIER,
    RULE_MISALIGNED,
    RULE_NO_OBJECT,
    RULE_TWICE,
    RULE_EXPECTS,
    RULE_ARRIVES
};

struct use {
    uint64_t address, operand;
    enum jit_mbarrier_use kind;
    uint32_t lane, line;
};

/* The block whose object was at the address last, from 1; negative: and has been invalidated. */
static int64_t *object_at(struct engine_job *job, uint64_t address)
{
    int64_t *state = map_get_u64(&job->mbarriers, address);
    if (state) return state;
    state = sw_xcalloc(1, sizeof *state);
    map_set_u64(&job->mbarriers, address, state);
    return state;
}

static void keep(struct jit_ctx *ctx, const struct use *use, enum mbarrier_rule rule, const char *text)
{
    struct event_finding finding = {
        .kind = EVENT_FINDING_BARRIER, .space = ISA_SPACE_SHARED, .address = use->address, .message = text};
    uint64_t at = use->address - (uint64_t)(uintptr_t)ctx->shared;
    if (at < ctx->shared_bytes)
        finding.address = at;
    else
        finding.space = ISA_SPACE_GENERIC;
    engine_place_set(ctx, use->lane, use->line, &finding.place);
    engine_finding_keep(ctx, &finding, rule);
}

static void look_at_init(struct jit_ctx *ctx, const struct use *use, bool is_object)
{
    if (is_object)
        keep(ctx, use, RULE_TWICE,
             "Invalid barrier: an mbarrier is initialized where one is in use; invalidate it first");
    if (use->operand == 0 || use->operand > COUNT_MOST)
        keep(ctx, use, RULE_EXPECTS,
             "Invalid arguments: an mbarrier's expected count must be between 1 and 1048575");
}

static void look_at_use(struct jit_ctx *ctx, const struct use *use, bool is_object, bool ended)
{
    uint64_t object;
    if (!is_object) {
        keep(ctx, use, RULE_NO_OBJECT,
             ended ? "Missing init: an mbarrier is used after it was invalidated"
                   : "Missing init: an mbarrier is used before it was initialized");
        return;
    }
    memcpy(&object, (const void *)(uintptr_t)use->address, sizeof object);
    if (use->kind == JIT_MBARRIER_ARRIVE && use->operand > (object & COUNT_MOST))
        keep(ctx, use, RULE_ARRIVES,
             "Invalid arguments: more threads arrive at an mbarrier than its phase still expects");
}

void engine_help_mbarrier_look(struct jit_ctx *ctx, uint64_t address, uint64_t operand, uint32_t what,
                               uint32_t line)
{
    struct engine_worker *worker = ctx->host;
    struct engine_job *job = worker->job;
    struct use use = {.address = address,
                      .operand = operand,
                      .kind = what & ((1u << JIT_MBARRIER_LANE_AT) - 1),
                      .lane = what >> JIT_MBARRIER_LANE_AT,
                      .line = line};
    int64_t block = (int64_t)engine_block_number(ctx) + 1;
    if (address % ALIGN)
        keep(ctx, &use, RULE_MISALIGNED, "Invalid barrier: an mbarrier is not 8-byte aligned");
    if (address - (uint64_t)(uintptr_t)ctx->shared >= ctx->shared_bytes) {
        keep(ctx, &use, RULE_NOT_SHARED, "Invalid barrier: an mbarrier is not in shared memory");
        return;
    }
    pthread_mutex_lock(&job->lock);
    int64_t *state = object_at(job, address), before = *state;
    if (use.kind == JIT_MBARRIER_INIT) *state = block;
    if (use.kind == JIT_MBARRIER_INVAL) *state = -block;
    pthread_mutex_unlock(&job->lock);
    if (use.kind == JIT_MBARRIER_INIT)
        look_at_init(ctx, &use, before == block);
    else
        look_at_use(ctx, &use, before == block, before == -block);
}

void engine_mbarriers_release(struct map *mbarriers)
{
    void *state;
    for (size_t i = 0; map_next(mbarriers, &i, &state);)
        free(state);
    map_release(mbarriers);
}
