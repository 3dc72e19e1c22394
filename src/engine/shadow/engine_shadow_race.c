/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: tell race/ what a launch's threads do, and the tool what it finds.
 * Method: accesses, fences and barriers go to race/ as they are; named barriers and mbarriers are keys to
 * which lanes release and from which they acquire, groups of copies keys for which lanes wait. What a copy
 * does is done by a second warp, RACE_ASYNC, which begins where its lane is and which its lane does not wait
 * for until it says so. The barrier of a cooperative grid is a key, too: a thread that waits there may read
 * that others have arrived at the next barrier already, which it does not look at, and which orders nothing
 * that a program relies on. Limits: instructions are told apart by the low 16 bits of their PTX lines. */
#include "engine_shadow_priv.h"

#include "engine/core/engine_findings.h"

#include <string.h>

/* ---- keys */

enum key_kind { KEY_BARRIER = 1, KEY_COPY, KEY_BULK, KEY_MBARRIER, KEY_GRID };

/* Of the running block, one of a kind: unlike all others of this process. */
static uint64_t key_of(const struct engine_worker *worker, const struct engine_shadow_block *block,
                       enum key_kind kind, uint32_t warp, uint32_t number)
{
    uint64_t task = worker->job->shadow->task;
    return sw_hash_bytes(
        &(uint64_t[]){task, block->number, (uint64_t)kind << 40 | (uint64_t)warp << 32 | number},
        3 * sizeof(uint64_t), 0);
}

/* ---- copies */

static struct engine_shadow_lane_groups *groups_of(struct engine_shadow_block *block, bool bulk,
                                                   uint32_t warp)
{
    struct engine_shadow_lane_groups **groups = bulk ? &block->bulk : &block->copies;
    if (!*groups) *groups = sw_xcalloc(SW_WARP_LANES, sizeof **groups);
    return &(*groups)[warp];
}

/* Lanes whose group has the same number as that of the first of them. */
static lane_mask same_group(const struct engine_shadow_lane_groups *groups, lane_mask mask)
{
    lane_mask same = 0;
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    for (lane_mask left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (groups->committed[lane] == groups->committed[first]) same |= UINT32_C(1) << lane;
    }
    return same;
}

static void commit(struct engine_worker *worker, struct engine_shadow_block *block, bool bulk, uint32_t warp,
                   lane_mask mask)
{
    struct engine_shadow_lane_groups *groups = groups_of(block, bulk, warp);
    while (mask) {
        lane_mask same = same_group(groups, mask);
        uint32_t number = ++groups->committed[__builtin_ctz(same)];
        uint64_t key = key_of(worker, block, bulk ? KEY_BULK : KEY_COPY, warp, number);
        for (lane_mask left = same; left; left &= left - 1)
            groups->committed[__builtin_ctz(left)] = number;
        race_commit(block->race, warp, same, key);
        mask &= ~same;
    }
}

/* Lanes wait until at most `left_over` of their groups are under way. */
static void wait_groups(struct engine_worker *worker, struct engine_shadow_block *block, bool bulk,
                        uint32_t warp, lane_mask mask, uint64_t left_over)
{
    struct engine_shadow_lane_groups *groups = groups_of(block, bulk, warp);
    while (mask) {
        lane_mask same = same_group(groups, mask);
        uint32_t number = groups->committed[__builtin_ctz(same)];
        if (number > left_over)
            race_await(
                block->race, warp, same,
                key_of(worker, block, bulk ? KEY_BULK : KEY_COPY, warp, (uint32_t)(number - left_over)));
        mask &= ~same;
    }
}

static void wait_all(struct engine_worker *worker, struct engine_shadow_block *block, uint32_t warp,
                     lane_mask mask)
{
    commit(worker, block, false, warp, mask);
    wait_groups(worker, block, false, warp, mask, 0);
}

static void mbarrier(struct race *race, struct engine_shadow_block *block, uint32_t warp, lane_mask mask,
                     uint64_t value)
{
    uint64_t address = value & ((UINT64_C(1) << JIT_ORDER_PHASE_AT) - 1);
    uint32_t how = (uint32_t)(value >> JIT_ORDER_PHASE_AT);
    uint64_t key = sw_hash_bytes(&address, sizeof address, KEY_MBARRIER);
    switch (how & 3) {
    case JIT_PHASE_ARRIVE: race_release(block->race, warp, mask, key); break;
    case JIT_PHASE_BRING: race_release(block->race, RACE_ASYNC + warp, mask, key); break;
    case JIT_PHASE_AWAIT: race_acquire(block->race, warp, mask, key); break;
    default: break;
    }
    if (how & JIT_PHASE_OVER) race_complete(race, key);
}

/* ---- the barrier of the grid */

static uint64_t grid_key(const struct engine_job *job)
{
    return sw_hash_bytes(&job->shadow->task, sizeof job->shadow->task, KEY_GRID);
}

/* An access of the barrier's state (engine_grid.c): blocks arrive by atomics, one thread of each. */
static bool is_grid_barrier(const struct engine_job *job, const struct jit_shadow_site *site,
                            uint64_t address)
{
    enum { STATE_AT = 4 };
    return job->workspace && address == job->workspace + STATE_AT && !job->shadow->apart &&
           site->space != ISA_SPACE_SHARED;
}

static void grid_barrier(struct jit_ctx *ctx, struct engine_shadow_block *block,
                         const struct jit_shadow_site *site, lane_mask mask)
{
    struct engine_job *job = ((struct engine_worker *)ctx->host)->job;
    struct race *race = engine_shadow_races_of(ctx)->race;
    uint64_t key = grid_key(job);
    if (!(site->flags & JIT_SHADOW_WRITE)) {
        race_acquire(block->race, ctx->warp, mask, key);
        return;
    }
    race_release(block->race, ctx->warp, mask, key);
    job->shadow->arrived += (uint64_t)__builtin_popcount(mask);
    if (job->shadow->arrived < job->blocks) return;
    job->shadow->arrived = 0;
    race_complete(race, key);
}

void engine_shadow_grid_end(struct engine_job *job)
{
    struct race *race = job->engine->shadow->races.race;
    if (job->launch->cooperative && race && !job->shadow->apart) race_key_end(race, grid_key(job));
}

/* ---- what orders */

void engine_help_shadow_order(struct jit_ctx *ctx, uint32_t warp, lane_mask mask, uint32_t what,
                              uint64_t value)
{
    struct engine_worker *worker = ctx->host;
    worker->armed = 0;
    struct engine_shadow_block *block = engine_shadow_block(ctx);
    struct race *races = engine_shadow_races_of(ctx)->race;
    struct race_block *race = block->race;
    bool is_barrier = what == JIT_ORDER_BARRIER_ARRIVE || what == JIT_ORDER_BARRIER_COMPLETE ||
                      what == JIT_ORDER_BARRIER_PASS;
    if (what != JIT_ORDER_FENCE) engine_shadow_proxy_meet(block);
    uint64_t key = is_barrier ? key_of(worker, block, KEY_BARRIER, 0, (uint32_t)value) : 0;
    switch ((enum jit_order)what) {
    case JIT_ORDER_FENCE:
        block->fenced[warp] |= mask;
        if (value & JIT_ORDER_PROXY) engine_shadow_proxy_fence(block, warp, mask);
        race_fence(race, warp, mask, (enum race_scope)(value & ~(uint64_t)JIT_ORDER_PROXY));
        break;
    case JIT_ORDER_BLOCK: race_block_sync(race); break;
    case JIT_ORDER_BARRIER_ARRIVE:
        if (mask) race_release(race, warp, mask, key);
        break;
    case JIT_ORDER_BARRIER_COMPLETE: race_complete(races, key); break;
    case JIT_ORDER_CLUSTER_COMPLETE:
        if (mask) race_complete(races, key);
        break;
    case JIT_ORDER_BARRIER_PASS:
        if (mask) race_acquire(race, warp, mask, key);
        break;
    case JIT_ORDER_COPY_COMMIT: commit(worker, block, false, warp, mask); break;
    case JIT_ORDER_COPY_WAIT: wait_groups(worker, block, false, warp, mask, value); break;
    case JIT_ORDER_COPY_WAIT_ALL: wait_all(worker, block, warp, mask); break;
    case JIT_ORDER_COPY_ARRIVE:
        race_release(race, RACE_ASYNC + warp, mask, sw_hash_bytes(&value, sizeof value, KEY_MBARRIER));
        break;
    case JIT_ORDER_BULK_COMMIT: commit(worker, block, true, warp, mask); break;
    case JIT_ORDER_BULK_WAIT: wait_groups(worker, block, true, warp, mask, value); break;
    case JIT_ORDER_MBARRIER: mbarrier(races, block, warp, mask, value); break;
    case JIT_ORDER_COUNT: break;
    }
    worker->armed = 1;
}

void engine_shadow_warp_sync(struct jit_ctx *ctx, lane_mask lanes)
{
    const struct engine_shadow *shadow = engine_shadow_of(ctx);
    if (!shadow || !(shadow->checks & EVENT_CHECK_RACE)) return;
    struct engine_shadow_block *block = engine_shadow_block(ctx);
    engine_shadow_proxy_meet(block);
    race_warp_sync(block->race, ctx->warp, lanes);
}

void engine_help_shadow_warp_sync(struct jit_ctx *ctx, const uint32_t *members, lane_mask mask)
{
    struct engine_worker *worker = ctx->host;
    worker->armed = 0;
    while (mask) {
        uint32_t first = (uint32_t)__builtin_ctz(mask);
        lane_mask same = 0;
        for (lane_mask left = mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            if (members[lane] == members[first]) same |= UINT32_C(1) << lane;
        }
        engine_shadow_warp_sync(ctx, same);
        mask &= ~same;
    }
    worker->armed = 1;
}

/* ---- accesses */

/* By PTX a volatile access is a relaxed one; by CUDA's C++ it may race. It counts as relaxed where it is used
 * as such: reads, and writes of a flag, which are the first after a fence, in a block that has written what
 * the flag may stand for (and, is_flag, what waiting loops read). */
static lane_mask tell_strengths(struct engine_shadow_races *races, struct engine_shadow_block *block,
                                const struct jit_shadow_site *site, uint32_t warp, lane_mask mask)
{
    lane_mask fenced = block->has_written ? block->fenced[warp] & mask : 0;
    bool writes = site->flags & JIT_SHADOW_WRITE, is_volatile = site->flags & JIT_SHADOW_VOLATILE;
    if (is_volatile)
        races->volatiles[site->line & 0xffff] |=
            (uint8_t)(SHADOW_VOLATILE | (site->flags & JIT_SHADOW_POLLS ? SHADOW_POLLED : 0));
    races->has_volatiles |= is_volatile;
    if (writes) block->fenced[warp] &= ~mask;
    block->has_written |= writes && !(site->flags & JIT_SHADOW_READ);
    return writes && is_volatile ? fenced : site->flags & JIT_SHADOW_STRONG ? mask : 0;
}

/* Weak accesses of the memory in which races are looked for, and strong ones, which order them. */
bool engine_shadow_race_wants(const struct engine_shadow *shadow, const struct jit_shadow_site *site)
{
    bool shared = site->space == ISA_SPACE_SHARED;
    if (!(site->flags & JIT_SHADOW_RACE) || site->space == ISA_SPACE_LOCAL) return false;
    return site->flags & (JIT_SHADOW_STRONG | JIT_SHADOW_VOLATILE) ||
           shadow->checks & (shared ? EVENT_CHECK_RACE_SHARED : EVENT_CHECK_RACE_GLOBAL);
}

static struct race_access race_access_of(const struct jit_shadow_site *site)
{
    return (struct race_access){.site = site->line & 0xffff,
                                .bytes = site->bytes,
                                .reads = site->flags & JIT_SHADOW_READ,
                                .writes = site->flags & JIT_SHADOW_WRITE,
                                .acquires = site->flags & JIT_SHADOW_ACQUIRE,
                                .releases = site->flags & JIT_SHADOW_RELEASE,
                                .same_value = site->flags & JIT_SHADOW_SAME,
                                .scope = (enum race_scope)site->scope};
}

static bool is_systems(const struct jit_ctx *ctx, uint64_t address)
{
    uint64_t end = (uint64_t)(uintptr_t)ctx->shared + ctx->shared_bytes;
    return end - 1 - address < ctx->reserved_shared_bytes;
}

/* Lanes that access the system's shared memory. */
static lane_mask systems_of(const struct jit_ctx *ctx, const uint64_t *addresses, lane_mask mask)
{
    lane_mask found = 0;
    for (; mask; mask &= mask - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(mask);
        if (is_systems(ctx, addresses[lane])) found |= UINT32_C(1) << lane;
    }
    return found;
}

static void access_begins(struct engine_shadow_races *races, struct jit_ctx *ctx,
                          struct engine_shadow_block *block, const struct jit_shadow_site *site)
{
    races->ctx = ctx;
    races->space = (enum isa_space)site->space;
    block->has_global |= site->space != ISA_SPACE_SHARED;
}

void engine_shadow_race_access(struct jit_ctx *ctx, struct engine_shadow_block *block,
                               const struct jit_shadow_site *site, const uint64_t *addresses, lane_mask mask)
{
    struct engine_worker *worker = ctx->host;
    struct engine_shadow_races *races = engine_shadow_races_of(ctx);
    struct race_access what = race_access_of(site);
    uint32_t warp = ctx->warp;
    if (mask && is_grid_barrier(worker->job, site, addresses[__builtin_ctz(mask)])) {
        grid_barrier(ctx, block, site, mask);
        return;
    }
    access_begins(races, ctx, block, site);
    engine_shadow_proxy_access(ctx, block, site, addresses, mask);
    if (site->space == ISA_SPACE_SHARED)
        engine_shadow_block_shares(block, (uint64_t)(uintptr_t)ctx->shared,
                                   (uint64_t)(uintptr_t)ctx->shared + ctx->shared_bytes);
    if (site->flags & JIT_SHADOW_ASYNC) warp += RACE_ASYNC;
    lane_mask strong = tell_strengths(races, block, site, ctx->warp, mask), weak = mask & ~strong;
    if (site->space == ISA_SPACE_SHARED) weak &= ~systems_of(ctx, addresses, weak);
    if (weak) race_access(block->race, warp, &what, addresses, weak);
    what.strong = true;
    if (strong) race_access(block->race, warp, &what, addresses, strong);
    if (!races->conflict_count) return;
    races->site = *site;
    races->mask = mask;
    memcpy(races->addresses, addresses, sizeof races->addresses);
}

void engine_shadow_race_affine(struct jit_ctx *ctx, struct engine_shadow_block *block,
                               const struct jit_shadow_site *site, const struct engine_shadow_affine *at)
{
    struct engine_shadow_races *races = engine_shadow_races_of(ctx);
    struct race_access what = race_access_of(site);
    access_begins(races, ctx, block, site);
    if (site->space == ISA_SPACE_SHARED) {
        uint64_t first = (uint64_t)(uintptr_t)ctx->shared, end = first + ctx->shared_bytes;
        uint64_t at_end = at->low + at->bytes;
        engine_shadow_block_shares(block, at->low < first ? first : at->low, at_end < end ? at_end : end);
    }
    tell_strengths(races, block, site, ctx->warp, at->mask);
    if (site->space == ISA_SPACE_SHARED && is_systems(ctx, at->low)) return;
    race_access_affine(block->race, ctx->warp, &what, at->first, at->stride, at->mask);
    if (!races->conflict_count && !block->proxy) return;
    races->site = *site;
    races->mask = at->mask;
    for (uint32_t l = 0; l < SW_WARP_LANES; l++)
        races->addresses[l] = at->first + (uint64_t)(l * at->stride);
    engine_shadow_proxy_access(ctx, block, site, races->addresses, at->mask);
}

/* ---- what is found */

/* The instruction whose line has these low bits and accesses memory. */
static uint32_t line_looked_up(const struct event_kernel *kernel, uint32_t site)
{
    uint32_t found = site;
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        const struct event_instr *instr = &kernel->instrs[i];
        if ((instr->ptx_line & 0xffff) != site) continue;
        found = instr->ptx_line;
        if (instr->is_read || instr->is_write) return found;
    }
    return found;
}

static uint32_t line_of(struct engine_shadow_races *races, const struct event_kernel *kernel, uint32_t site)
{
    struct engine_shadow_line *known = &races->lines[site % SHADOW_LINES];
    if (known->kernel != kernel->id + 1 || known->site != site)
        *known = (struct engine_shadow_line){kernel->id + 1, site, line_looked_up(kernel, site)};
    return known->line;
}

static void numbers_to(uint64_t number, const uint32_t *extent, uint32_t *out)
{
    out[0] = (uint32_t)(number % extent[0]);
    out[1] = (uint32_t)(number / extent[0] % extent[1]);
    out[2] = (uint32_t)(number / extent[0] / extent[1]);
}

static struct event_place place_of(struct engine_shadow_races *races, const struct race_side *side)
{
    struct engine_shadow *shadow = races->shadow;
    struct event_place place = {.writes = side->writes,
                                .atomic = side->strong && !(side->site < SW_COUNT_OF(races->volatiles) &&
                                                            races->volatiles[side->site])};
    pthread_mutex_lock(&shadow->order_lock); /* kernels may go meanwhile, and other launches begin */
    const struct engine_shadow_task *task = map_get_u64(&shadow->tasks, side->task);
    if (!task && side->site && side->site <= shadow->calls.count) {
        const struct engine_shadow_call *call = &shadow->calls.at[side->site - 1];
        place.call = call->call, place.where = call->where;
    }
    if (task && task->kernel) {
        place.kernel = task->kernel;
        place.launched = task->launched;
        place.line = line_of(races, task->kernel, side->site);
        numbers_to(side->block, task->grid, place.block);
        numbers_to(side->thread, task->block, place.thread);
    }
    pthread_mutex_unlock(&shadow->order_lock);
    return place;
}

static lane_mask lanes_below(uint32_t count)
{
    return (lane_mask)((UINT64_C(1) << count) - 1);
}

void engine_shadow_race_found(void *user, const struct race_found *found)
{
    struct engine_shadow_races *races = user;
    uint32_t wanted =
        !races->ctx || races->space != ISA_SPACE_SHARED ? EVENT_CHECK_RACE_GLOBAL : EVENT_CHECK_RACE_SHARED;
    if (!(races->shadow->checks & wanted) || races->conflict_count == SHADOW_CONFLICTS) return;
    races->conflicts[races->conflict_count++] =
        (struct engine_shadow_conflict){.found = *found, .differs = lanes_below(found->lanes)};
}

/* Of a kernel's access, or (ctx NULL) of the host's. */
static void found_tell(struct engine_shadow_races *races, const struct race_found *found, bool proxy)
{
    struct jit_ctx *ctx = races->ctx;
    const struct engine *engine = races->shadow->engine;
    bool shared = ctx && found->address - (uint64_t)(uintptr_t)ctx->shared < ctx->shared_bytes;
    struct event_finding finding = {.kind = EVENT_FINDING_RACE,
                                    .space = shared ? ISA_SPACE_SHARED : ISA_SPACE_GLOBAL,
                                    .has_other = true,
                                    .between_proxies = proxy,
                                    .with_copy = found->now.async || found->before.async,
                                    .between_tasks = found->now.task != found->before.task,
                                    .place = place_of(races, &found->now),
                                    .other = place_of(races, &found->before),
                                    .address = found->address,
                                    .count = 1};
    if (ctx) finding.place.line = races->site.line;
    if (ctx) finding.place.bytes = races->site.bytes;
    if (shared)
        finding.address -= (uint64_t)(uintptr_t)ctx->shared;
    else
        engine_finding_describe(engine, found->address, &finding);
    if (ctx)
        engine_finding_keep(ctx, &finding, proxy);
    else
        engine->config.finding(&finding);
}

static void conflicts_tell(struct engine_shadow_races *races)
{
    for (uint32_t i = 0; i < races->conflict_count; i++) {
        const struct engine_shadow_conflict *conflict = &races->conflicts[i];
        for (lane_mask left = conflict->differs; left; left &= left - 1) {
            struct race_found one = race_found_lane(&conflict->found, (uint32_t)__builtin_ctz(left));
            found_tell(races, &one, conflict->proxy);
        }
    }
    races->conflict_count = 0;
}

/* The first: a copy that races does so at each word. */
void engine_shadow_races_tell(struct engine_shadow_races *races)
{
    if (races->conflict_count > 1) races->conflict_count = 1;
    races->conflicts[0].differs &= -races->conflicts[0].differs;
    conflicts_tell(races);
}

/* Volatile accesses of what a waiting loop reads: a word that is a message by itself needs no fence. */
static bool is_flag(const struct engine_shadow_races *races, const struct race_found *found)
{
    uint8_t now = races->volatiles[found->now.site], before = races->volatiles[found->before.site];
    return found->now.task == found->before.task && now && before && (now | before) & SHADOW_POLLED;
}

static void conflicts_drop_flags(struct engine_shadow_races *races)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < races->conflict_count; i++)
        if (!is_flag(races, &races->conflicts[i].found)) races->conflicts[kept++] = races->conflicts[i];
    races->conflict_count = kept;
}

uint32_t engine_shadow_race_told(struct engine_shadow_races *races, const struct jit_shadow_site *site)
{
    conflicts_drop_flags(races);
    if (!races->conflict_count) return 0;
    if (site->flags & JIT_SHADOW_VALUES) return 1;
    conflicts_tell(races);
    return 0;
}

/* The lane of the same instruction that the conflict is with, or SW_WARP_LANES: a write of the past. Of
 * several lanes that wrote one element, the conflict does not say which. */
static uint32_t lane_beside(const struct engine_shadow_races *races, const struct race_found *found)
{
    const struct race_side *now = &found->now, *before = &found->before;
    uint32_t lane = now->thread % SW_WARP_LANES, other = before->thread % SW_WARP_LANES;
    bool near = before->task == now->task && before->block == now->block && before->site == now->site &&
                before->thread / SW_WARP_LANES == now->thread / SW_WARP_LANES;
    if (!near) return SW_WARP_LANES;
    lane_mask among = before->among == RACE_AMONG_THREAD ? UINT32_C(1) << other : UINT32_MAX;
    for (among &= races->mask & ~(UINT32_C(1) << lane); among; among &= among - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(among);
        if (races->addresses[l] == races->addresses[lane]) return l;
    }
    return SW_WARP_LANES;
}

/* Does this conflict, of two writes, write one element's bytes twice, and the same? What the other lane of
 * the same instruction writes is among the values, what was written before is in memory. */
static bool writes_differ(const struct engine_shadow_races *races, const struct race_found *found,
                          const uint8_t *values, uint32_t element, uint32_t bytes)
{
    uint32_t lane = found->now.thread % SW_WARP_LANES, other = lane_beside(races, found);
    uint64_t at = races->addresses[lane] + (uint64_t)element * bytes;
    const void *old = other < SW_WARP_LANES ? values + (size_t)other * bytes : (const void *)(uintptr_t)at;
    return memcmp(values + (size_t)lane * bytes, old, bytes) != 0;
}

/* The lanes of a conflict whose writes differ in this element. */
static lane_mask lanes_differ(const struct engine_shadow_races *races, const struct race_found *found,
                              const uint8_t *values, uint32_t element, uint32_t bytes)
{
    lane_mask differ = 0;
    uint32_t first = found->now.thread % SW_WARP_LANES;
    bool all_at_once = found->lanes > 1 && found->stride == bytes;
    if (all_at_once && memcmp(values + (size_t)first * bytes, (const void *)(uintptr_t)found->address,
                              (size_t)found->lanes * bytes) == 0)
        return 0;
    for (uint32_t l = 0; l < found->lanes; l++) {
        struct race_found one = race_found_lane(found, l);
        if (writes_differ(races, &one, values, element, bytes)) differ |= UINT32_C(1) << l;
    }
    return differ;
}

/* Two writes of the same value are no error: they leave the same in any order. */
void engine_help_shadow_values(struct jit_ctx *ctx, const void *values, uint32_t element, uint32_t bytes,
                               uint32_t end)
{
    struct engine_worker *worker = ctx->host;
    struct engine_shadow_races *races = engine_shadow_races_of(ctx);
    uint32_t kept = 0;
    worker->armed = 0;
    for (uint32_t i = 0; i < races->conflict_count; i++) {
        struct engine_shadow_conflict *conflict = &races->conflicts[i];
        bool both = conflict->found.now.writes && conflict->found.before.writes;
        if (!element) conflict->differs = both ? 0 : lanes_below(conflict->found.lanes);
        if (both) conflict->differs |= lanes_differ(races, &conflict->found, values, element, bytes);
    }
    for (uint32_t i = 0; end && i < races->conflict_count; i++)
        if (races->conflicts[i].differs) races->conflicts[kept++] = races->conflicts[i];
    if (end) {
        races->conflict_count = kept;
        conflicts_tell(races);
    }
    worker->armed = 1;
}
