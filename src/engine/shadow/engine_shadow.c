/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: shadow memory of a launch: which block runs, and what its accesses go to.
 * Method: emitted code tells each access before it is made (jit_emit_shadow.c). Blocks begin here when the
 * first of their warps tells something; those of a launch whose blocks run one after the other end when the
 * next one begins. Generic addresses are told apart by where they lie: shared and local memory of the block
 * are host memory as all else. Affine accesses stay affine as far as they can: addresses of lanes are made
 * where something must be told of single lanes.
 * Limits: one host thread at a time runs blocks, of all launches, unless only races in shared memory are
 * looked for; memory of functions that stay functions
 * (on the host's stack) is not looked at. */
#include "engine_shadow_priv.h"

#include <stdlib.h>
#include <string.h>

uint32_t engine_shadow_probes(const struct engine *engine)
{
    const struct event_tool *tool = engine->config.tool;
    uint32_t checks = tool ? tool->checks : 0;
    return (checks & EVENT_CHECK_INIT ? EVENT_PROBE_INIT : 0) |
           (checks & EVENT_CHECK_RACE_SHARED ? EVENT_PROBE_RACE_SHARED : 0) |
           (checks & EVENT_CHECK_RACE_GLOBAL ? EVENT_PROBE_RACE_GLOBAL : 0);
}

bool engine_shadow_wanted(const struct engine *engine)
{
    return engine_shadow_probes(engine) != 0;
}

bool engine_shadow_blocks_apart(const struct engine *engine, bool together)
{
    enum { SHARED = EVENT_PROBE_RACE_SHARED };
    return engine_shadow_probes(engine) == SHARED && !together;
}

/* Its launches stay tasks, without a name. */
static void kernel_gone(struct engine *engine, const struct event_kernel *kernel)
{
    struct engine_shadow *shadow = engine->shadow;
    void *value;
    pthread_mutex_lock(&shadow->order_lock);
    for (size_t i = 0; map_next(&shadow->tasks, &i, &value);) {
        struct engine_shadow_task *task = value;
        if (task->kernel == kernel) task->kernel = NULL;
    }
    pthread_mutex_unlock(&shadow->order_lock);
}

struct engine_shadow *engine_shadow_new(struct engine *engine)
{
    if (!engine_shadow_wanted(engine)) return NULL;
    struct engine_shadow *shadow = sw_xcalloc(1, sizeof *shadow);
    shadow->engine = engine;
    shadow->checks = engine->config.tool->checks;
    shadow->last_number = UINT64_MAX;
    engine_shadow_init_open(shadow);
    pthread_mutex_init(&shadow->lock, NULL);
    pthread_mutex_init(&shadow->order_lock, NULL);
    engine_shadow_races_init(&shadow->races, shadow);
    engine->kernel_gone = kernel_gone;
    return shadow;
}

static void free_values(struct map *map)
{
    void *value;
    for (size_t i = 0; map_next(map, &i, &value);)
        free(value);
    map_release(map);
}

void engine_shadow_free(struct engine_shadow *shadow)
{
    if (!shadow) return;
    engine_shadow_races_release(shadow);
    free_values(&shadow->pages);
    engine_shadow_tasks_release(shadow);
    engine_shadow_orders_release(shadow);
    pthread_mutex_destroy(&shadow->order_lock);
    pthread_mutex_destroy(&shadow->lock);
    free(shadow);
}

/* ---- launches */

static void task_note(struct engine_shadow *shadow, const struct engine_job *job)
{
    struct engine_shadow_task *task = sw_xcalloc(1, sizeof *task);
    task->kernel = &job->launch->kernel->info;
    task->launched = job->launch->launched;
    memcpy(task->grid, job->launch->grid, sizeof task->grid);
    memcpy(task->block, job->launch->block, sizeof task->block);
    pthread_mutex_lock(&shadow->order_lock);
    free(map_get_u64(&shadow->tasks, job->shadow->task));
    map_set_u64(&shadow->tasks, job->shadow->task, task);
    pthread_mutex_unlock(&shadow->order_lock);
}

/* The lock is held while blocks run, unless they are judged apart. */
void engine_shadow_launch_begin(struct engine_job *job, bool together)
{
    struct engine_shadow *shadow = job->engine->shadow;
    if (!shadow) return;
    pthread_mutex_lock(&shadow->lock);
    job->shadow = sw_xcalloc(1, sizeof *job->shadow);
    job->shadow->apart = engine_shadow_blocks_apart(job->engine, together);
    job->shadow->task =
        engine_shadow_task_begin(shadow, job->shadow->apart ? 0 : job->launch->task, job->shadow->apart);
    bool again = map_get_u64(&shadow->tasks, job->shadow->task) != NULL;
    if (again && shadow->races.race) /* an entry of a queue has several launches */
        race_task_again(shadow->races.race, job->shadow->task);
    task_note(shadow, job);
    if (job->shadow->apart) pthread_mutex_unlock(&shadow->lock);
}

void engine_shadow_launch_end(struct engine_job *job)
{
    struct engine_shadow *shadow = job->engine->shadow;
    if (!shadow) return;
    void *block;
    bool apart = job->shadow->apart;
    for (size_t i = 0; map_next(&job->shadow->blocks, &i, &block);)
        engine_shadow_block_free(&shadow->races, block);
    map_release(&job->shadow->blocks);
    engine_shadow_grid_end(job);
    if (shadow->races.race && !apart) race_task_end(shadow->races.race, job->shadow->task);
    free(job->shadow);
    job->shadow = NULL;
    if (!apart) pthread_mutex_unlock(&shadow->lock);
}

static bool holds_lock(const struct engine_worker *worker)
{
    return worker->engine->shadow && worker->job->shadow && !worker->job->shadow->apart;
}

void engine_shadow_pause(struct engine_worker *worker)
{
    if (holds_lock(worker)) pthread_mutex_unlock(&worker->engine->shadow->lock);
}

void engine_shadow_resume(struct engine_worker *worker)
{
    if (holds_lock(worker)) pthread_mutex_lock(&worker->engine->shadow->lock);
}

/* ---- accesses */

static void access_space(struct jit_ctx *ctx, struct engine_shadow_block *block,
                         const struct jit_shadow_site *site, const uint64_t *address, lane_mask mask)
{
    struct engine_shadow *shadow = engine_shadow_of(ctx);
    if (shadow->checks & EVENT_CHECK_INIT) engine_shadow_init_access(ctx, block, site, address, mask);
    if (engine_shadow_race_wants(shadow, site)) engine_shadow_race_access(ctx, block, site, address, mask);
}

static bool lies_between(uint64_t least, uint64_t most, const uint8_t *base, uint64_t bytes)
{
    uint64_t first = (uint64_t)(uintptr_t)base;
    return base && least < first + bytes && first <= most;
}

/* Does no address from the least to the most one lie in a space of the block? */
static bool is_global(const struct jit_ctx *ctx, uint64_t least, uint64_t most)
{
    const struct engine_worker *worker = ctx->host;
    return !lies_between(least, most, ctx->shared, ctx->shared_bytes) &&
           !lies_between(least, most, ctx->local, engine_local_bytes(ctx)) &&
           !lies_between(least, most, worker->stack, worker->stack_bytes);
}

static bool are_global(const struct jit_ctx *ctx, const uint64_t *address, lane_mask mask)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t l = 0; l < SW_WARP_LANES; l++) {
        uint64_t takes_part = -(uint64_t)(mask >> l & 1), low = address[l] | ~takes_part,
                 high = address[l] & takes_part;
        least = low < least ? low : least;
        most = high > most ? high : most;
    }
    return is_global(ctx, least, most);
}

/* Lanes by the space that they access. */
static void access_generic(struct jit_ctx *ctx, struct engine_shadow_block *block,
                           const struct jit_shadow_site *site, const uint64_t *address, lane_mask mask)
{
    static const enum isa_space SPACES[] = {ISA_SPACE_GLOBAL, ISA_SPACE_SHARED, ISA_SPACE_LOCAL};
    lane_mask in[ISA_SPACE_COUNT] = {0};
    if (are_global(ctx, address, mask)) {
        struct jit_shadow_site there = *site;
        there.space = ISA_SPACE_GLOBAL;
        access_space(ctx, block, &there, address, mask);
        return;
    }
    for (lane_mask left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        in[engine_space_at(ctx, address[lane])] |= UINT32_C(1) << lane;
    }
    for (size_t i = 0; i < SW_COUNT_OF(SPACES); i++) {
        struct jit_shadow_site there = *site;
        there.space = (uint8_t)SPACES[i];
        if (in[SPACES[i]]) access_space(ctx, block, &there, address, in[SPACES[i]]);
    }
}

/* For code that remembers it: what is written around an access. */
static void tell_written(struct jit_ctx *ctx, struct engine_shadow_block *block,
                         const struct jit_shadow_site *site, uint64_t address)
{
    enum isa_space space = (enum isa_space)site->space;
    struct engine_shadow_range range = {0};
    if (site->flags & JIT_SHADOW_RACE) return; /* then each access is told */
    if (space != ISA_SPACE_GENERIC || engine_space_at(ctx, address) == ISA_SPACE_GLOBAL)
        range = engine_shadow_init_range(ctx, block, space, address);
    ctx->written_first = range.first;
    ctx->written_bytes = range.bytes;
}

static void access_any(struct jit_ctx *ctx, struct engine_shadow_block *block,
                       const struct jit_shadow_site *site, const uint64_t *address, lane_mask mask)
{
    if (site->space == ISA_SPACE_GENERIC)
        access_generic(ctx, block, site, address, mask);
    else
        access_space(ctx, block, site, address, mask);
}

/* Its space, if it has one; NONE: that is told lane by lane. */
static enum isa_space space_of_affine(const struct jit_ctx *ctx, const struct jit_shadow_site *site,
                                      const struct engine_shadow_affine *at)
{
    if (site->space != ISA_SPACE_GENERIC) return (enum isa_space)site->space;
    uint64_t end = at->low + at->bytes - 1;
    if (end < at->low) return ISA_SPACE_NONE;
    if (is_global(ctx, at->low, end)) return ISA_SPACE_GLOBAL;
    enum isa_space space = engine_space_at(ctx, at->low);
    return space != ISA_SPACE_GLOBAL && engine_space_at(ctx, end) == space ? space : ISA_SPACE_NONE;
}

static void lanes_of(const struct engine_shadow_affine *at, uint64_t *addresses)
{
    for (uint32_t l = 0; l < SW_WARP_LANES; l++)
        addresses[l] = at->first + (uint64_t)(l * at->stride);
}

static void access_affine(struct jit_ctx *ctx, struct engine_shadow_block *block,
                          const struct jit_shadow_site *site, const struct engine_shadow_affine *at)
{
    struct engine_shadow *shadow = engine_shadow_of(ctx);
    struct jit_shadow_site there = *site;
    uint64_t addresses[SW_WARP_LANES];
    bool strong = site->flags & (JIT_SHADOW_STRONG | JIT_SHADOW_ASYNC);
    there.space = (uint8_t)space_of_affine(ctx, site, at);
    bool races = engine_shadow_race_wants(shadow, &there);
    if (there.space == ISA_SPACE_NONE || (races && strong)) {
        lanes_of(at, addresses);
        access_any(ctx, block, site, addresses, at->mask);
        return;
    }
    if (shadow->checks & EVENT_CHECK_INIT && !engine_shadow_init_affine(ctx, block, &there, at)) {
        lanes_of(at, addresses);
        engine_shadow_init_access(ctx, block, &there, addresses, at->mask);
    }
    if (races) engine_shadow_race_affine(ctx, block, &there, at);
}

static struct engine_shadow_affine affine_of(const struct jit_shadow_site *site, uint64_t first,
                                             int64_t stride, lane_mask mask)
{
    int64_t span = (SW_WARP_LANES - 1) * stride;
    return (struct engine_shadow_affine){.first = first,
                                         .stride = stride,
                                         .low = span < 0 ? first + (uint64_t)span : first,
                                         .bytes = (uint64_t)(span < 0 ? -span : span) + site->bytes,
                                         .mask = mask};
}

/* Whether addresses of all lanes are as far apart as the first two. */
static bool are_affine(const uint64_t *address, lane_mask mask)
{
    if (mask != UINT32_MAX) return false;
    uint64_t stride = address[1] - address[0], other = 0;
    for (uint32_t l = 1; l < SW_WARP_LANES; l++)
        other |= (address[l] - address[l - 1]) ^ stride;
    return !other;
}

uint32_t engine_help_shadow(struct jit_ctx *ctx, const struct jit_shadow_site *site, const uint64_t *address,
                            lane_mask mask)
{
    struct engine_worker *worker = ctx->host;
    if (!mask) return ctx->written_bytes = 0;
    worker->armed = 0;
    struct engine_shadow_block *block = engine_shadow_block(ctx);
    if (are_affine(address, mask)) {
        struct engine_shadow_affine at =
            affine_of(site, address[0], (int64_t)(address[1] - address[0]), mask);
        access_affine(ctx, block, site, &at);
    } else {
        access_any(ctx, block, site, address, mask);
    }
    tell_written(ctx, block, site, address[__builtin_ctz(mask)]);
    struct engine_shadow_races *races = engine_shadow_races_of(ctx);
    uint32_t asks = races->conflict_count ? engine_shadow_race_told(races, site) : 0;
    worker->armed = 1;
    return asks;
}

uint32_t engine_help_shadow_affine(struct jit_ctx *ctx, const struct jit_shadow_site *site, uint64_t first,
                                   int64_t stride, lane_mask mask)
{
    struct engine_worker *worker = ctx->host;
    if (!mask) return ctx->written_bytes = 0;
    worker->armed = 0;
    struct engine_shadow_block *block = engine_shadow_block(ctx);
    struct engine_shadow_affine at = affine_of(site, first, stride, mask);
    access_affine(ctx, block, site, &at);
    tell_written(ctx, block, site, first + (uint64_t)(__builtin_ctz(mask) * stride));
    struct engine_shadow_races *races = engine_shadow_races_of(ctx);
    uint32_t asks = races->conflict_count ? engine_shadow_race_told(races, site) : 0;
    worker->armed = 1;
    return asks;
}

bool engine_shadow_on(const struct jit_ctx *ctx)
{
    enum { PROBES = EVENT_PROBE_INIT | EVENT_PROBE_RACE_SHARED | EVENT_PROBE_RACE_GLOBAL };
    const struct engine_worker *worker = ctx->host;
    return worker->job->variant->options.probes & PROBES;
}

void engine_shadow_range(struct jit_ctx *ctx, uint32_t lane, uint64_t address, uint64_t bytes, uint32_t flags,
                         uint32_t line)
{
    enum { PIECE = 16 };
    if (!engine_shadow_on(ctx)) return;
    for (uint64_t done = 0; done < bytes; done += PIECE) {
        uint64_t left = bytes - done, at[SW_WARP_LANES];
        struct jit_shadow_site site = {.line = line,
                                       .used = UINT32_MAX,
                                       .flags = (uint16_t)(flags | JIT_SHADOW_RACE),
                                       .bytes = (uint16_t)(left < PIECE ? left : PIECE),
                                       .space = ISA_SPACE_GENERIC,
                                       .scope = JIT_SCOPE_GPU};
        at[lane] = address + done;
        engine_help_shadow(ctx, &site, at, UINT32_C(1) << lane);
    }
}
