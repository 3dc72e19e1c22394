/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: keep what a launch does wrong until it is over, so that the tool hears the same at any number of
 * host threads. Method: each host thread keeps the first finding of each key, and counts the others; those of
 * all host threads are joined, the lowest block and thread being first. Limits: of blocks that wait for each
 * other (engine_grid.c), what a block does may depend on others, and so may the findings. */
#include "engine_findings.h"

#include "engine_job.h"

#include <inttypes.h>
#include <string.h>

struct key { /* without padding: compared as bytes */
    const struct event_kernel *kernel, *other;
    uint32_t kind, rule, space, line, other_line, access;
};
_Static_assert(sizeof(struct key) == 2 * sizeof(void *) + 6 * sizeof(uint32_t), "no padding");

struct engine_kept_finding {
    struct key key;
    struct event_finding finding;
    uint64_t block, thread; /* where the first one is */
    uint64_t in_block;      /* how many there are in that block */
};

void engine_place_set(const struct jit_ctx *ctx, uint32_t lane, uint32_t line, struct event_place *place)
{
    const struct engine_worker *worker = ctx->host;
    uint32_t thread = ctx->warp * SW_WARP_LANES + lane;
    place->kernel = &worker->job->launch->kernel->info;
    place->line = line;
    place->thread[0] = thread % ctx->block[0];
    place->thread[1] = thread / ctx->block[0] % ctx->block[1];
    place->thread[2] = thread / ctx->block[0] / ctx->block[1];
    memcpy(place->block, ctx->ctaid, sizeof place->block);
}

/* ---- findings with which the launch goes on */

static struct key key_of(const struct event_finding *f, uint32_t rule)
{
    return (struct key){.kernel = f->place.kernel,
                        .other = f->has_other ? f->other.kernel : NULL,
                        .kind = f->kind,
                        .rule = rule,
                        .space = f->space,
                        .line = f->place.line,
                        .other_line = f->has_other ? f->other.line : 0,
                        .access = (uint32_t)(f->place.writes | f->place.atomic << 1 | f->has_other << 2 |
                                             f->other.writes << 3 | f->other.atomic << 4)};
}

static void set_first(struct engine_kept *kept, struct engine_kept_finding *to,
                      const struct event_finding *finding, uint64_t thread)
{
    uint64_t count = to->finding.count;
    to->finding = *finding;
    to->finding.count = count;
    to->thread = thread;
    if (!finding->message) return;
    if (!kept->texts.chunk) arena_init(&kept->texts);
    to->finding.message = arena_strdup(&kept->texts, finding->message);
}

static struct engine_kept_finding *find_or_add(struct engine_kept *kept, const struct key *key)
{
    struct engine_kept_finding *found = map_get_n(&kept->by_key, (const char *)key, sizeof *key);
    if (found || kept->list.count == ENGINE_KEPT_MOST) return found;
    found = sw_xcalloc(1, sizeof *found);
    found->key = *key;
    found->block = UINT64_MAX;
    *vec_push(&kept->list) = found;
    map_set_n(&kept->by_key, (const char *)&found->key, sizeof found->key, found);
    return found;
}

/* `total` findings, of which `in_block` are in the first one's block. */
static void add_all(struct engine_kept *kept, const struct key *key, const struct engine_kept_finding *from,
                    uint64_t total)
{
    struct engine_kept_finding *to = find_or_add(kept, key);
    if (!to) {
        kept->lost += total;
        return;
    }
    bool lower = from->block < to->block, same = from->block == to->block;
    if (lower || (same && from->thread < to->thread)) set_first(kept, to, &from->finding, from->thread);
    if (lower) to->block = from->block, to->in_block = 0;
    if (lower || same) to->in_block += from->in_block;
    to->finding.count += total;
}

void engine_kept_add(struct engine_kept *kept, const struct event_finding *finding, uint32_t rule,
                     uint64_t block, uint64_t thread)
{
    struct key key = key_of(finding, rule);
    uint64_t count = finding->count ? finding->count : 1;
    struct engine_kept_finding one = {
        .finding = *finding, .block = block, .thread = thread, .in_block = count};
    add_all(kept, &key, &one, count);
}

void engine_finding_keep(struct jit_ctx *ctx, const struct event_finding *finding, uint32_t rule)
{
    struct engine_worker *worker = ctx->host;
    const uint32_t *t = finding->place.thread, *d = ctx->block;
    if (!worker->engine->config.finding) return;
    engine_kept_add(&worker->kept, finding, rule, engine_block_number(ctx),
                    t[0] + d[0] * (t[1] + (uint64_t)d[1] * t[2]));
}

static void kept_release(struct engine_kept *kept)
{
    for (size_t i = 0; i < kept->list.count; i++)
        free(kept->list.at[i]);
    vec_release(&kept->list);
    map_release(&kept->by_key);
    if (kept->texts.chunk) arena_release(&kept->texts);
    *kept = (struct engine_kept){0};
}

void engine_kept_join(struct engine_kept *into, struct engine_kept *from)
{
    if (!from->list.count) return;
    for (size_t i = 0; i < from->list.count; i++)
        add_all(into, &from->list.at[i]->key, from->list.at[i], from->list.at[i]->finding.count);
    into->lost += from->lost;
    kept_release(from);
}

/* ---- findings that end the launch */

void engine_finding_add(struct jit_ctx *ctx, const struct event_finding *finding, uint64_t address,
                        uint32_t lane, uint32_t line)
{
    struct engine_worker *worker = ctx->host;
    struct engine_findings *all = &worker->findings;
    struct vmem_block near;
    if (!worker->engine->config.finding || all->count == SW_COUNT_OF(all->at)) return;
    struct event_finding *kept = &all->at[all->count++];
    *kept = *finding;
    kept->address = address;
    engine_place_set(ctx, lane, line, &kept->place);
    if (vmem_nearest(worker->engine->config.vmem, address, &near))
        kept->base = near.base, kept->size = near.bytes;
}

void engine_finding_end(struct jit_ctx *ctx, const struct event_finding *finding)
{
    struct engine_worker *worker = ctx->host;
    struct engine_findings *all = &worker->findings;
    if (worker->engine->config.finding && all->count < SW_COUNT_OF(all->at)) all->at[all->count++] = *finding;
}

/* ---- to the tool */

static int compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_kept(const void *left, const void *right)
{
    const struct engine_kept_finding *a = *(struct engine_kept_finding *const *)left,
                                     *b = *(struct engine_kept_finding *const *)right;
    if (a->block != b->block) return compare_u64(a->block, b->block);
    if (a->thread != b->thread) return compare_u64(a->thread, b->thread);
    if (a->key.line != b->key.line) return compare_u64(a->key.line, b->key.line);
    if (a->key.other_line != b->key.other_line) return compare_u64(a->key.other_line, b->key.other_line);
    if (a->key.kind != b->key.kind) return compare_u64(a->key.kind, b->key.kind);
    if (a->key.rule != b->key.rule) return compare_u64(a->key.rule, b->key.rule);
    if (a->key.space != b->key.space) return compare_u64(a->key.space, b->key.space);
    return compare_u64(a->key.access, b->key.access);
}

static void tell_kept(struct engine_job *job)
{
    struct engine_kept *kept = &job->kept;
    bool failed = job->error.status != SW_OK;
    if (!kept->list.count) return;
    qsort(kept->list.at, kept->list.count, sizeof *kept->list.at, compare_kept);
    for (size_t i = 0; i < kept->list.count; i++) {
        struct engine_kept_finding *f = kept->list.at[i];
        if (failed && f->block > job->failed_block) continue;
        if (failed) f->finding.count = f->in_block;
        job->engine->config.finding(&f->finding);
    }
    if (kept->lost)
        sw_log("a launch of '%.100s' has more findings than are kept: %" PRIu64 " are left out",
               job->launch->kernel->info.name, kept->lost);
}

static void tell_fatal(const struct engine_job *job)
{
    void (*tell)(const struct event_finding *finding) = job->engine->config.finding;
    for (uint32_t i = 0; i < job->findings.count; i++) {
        struct event_finding finding = job->findings.at[i];
        if (finding.kind == EVENT_FINDING_BARRIER) finding.message = job->error.message;
        tell(&finding);
    }
    struct event_finding other = {.kind = EVENT_FINDING_FAULT,
                                  .place.kernel = &job->launch->kernel->info,
                                  .message = job->error.message};
    if (!job->findings.count) tell(&other);
}

void engine_findings_tell(struct engine_job *job)
{
    if (!job->engine->config.finding) return;
    tell_kept(job);
    if (job->error.status != SW_OK) tell_fatal(job);
    kept_release(&job->kept);
}
