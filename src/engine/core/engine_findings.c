/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: keep what a launch does wrong until it is over, so that the tool hears the same at any number of
 * host threads. Method: each host thread keeps the first finding of each key, and counts the others; those of
 * all host threads are joined, the lowest block and thread being first. Limits: of blocks that wait for each
 * other (engine_grid.c), what a block does may depend on others, and so may the findings. */
#include "engine_findings.h"

#include "engine_formula.h"
#include "engine_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct key { /* without padding: compared as bytes */
    const struct event_kernel *kernel;
    const void *other; /* its kernel, or the place of its call */
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
    place->launched = worker->job->launch->launched;
    place->thread[0] = thread % ctx->block[0];
    place->thread[1] = thread / ctx->block[0] % ctx->block[1];
    place->thread[2] = thread / ctx->block[0] / ctx->block[1];
    memcpy(place->block, ctx->ctaid, sizeof place->block);
}

/* ---- findings with which the launch goes on */

static struct key key_of(const struct event_finding *f, uint32_t rule)
{
    const void *other = !f->has_other     ? NULL
                        : f->other.kernel ? (const void *)f->other.kernel
                                          : f->other.where;
    return (struct key){.kernel = f->place.kernel,
                        .other = other,
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

void engine_finding_describe(const struct engine *engine, uint64_t address, struct event_finding *finding)
{
    struct vmem_block near;
    if (engine->config.describe)
        engine->config.describe(address, finding);
    else if (vmem_nearest(engine->config.vmem, address, &near))
        finding->base = near.base, finding->size = near.bytes;
}

/* ---- findings that end the launch */

void engine_finding_add(struct jit_ctx *ctx, const struct event_finding *finding, uint64_t address,
                        uint32_t lane, uint32_t line)
{
    struct engine_worker *worker = ctx->host;
    struct engine_findings *all = &worker->findings;
    struct event_finding *diagnosis = worker->job->diagnosis;
    if (diagnosis && diagnosis->kind == EVENT_FINDING_COUNT) {
        *diagnosis = *finding;
        diagnosis->address = address;
        engine_place_set(ctx, lane, line, &diagnosis->place);
    }
    if (diagnosis || !worker->engine->config.finding || all->count == SW_COUNT_OF(all->at)) return;
    struct event_finding *kept = &all->at[all->count];
    *kept = *finding;
    snprintf(all->messages[all->count++], sizeof all->messages[0], "%s",
             finding->message ? finding->message : "");
    kept->address = address;
    engine_place_set(ctx, lane, line, &kept->place);
    if (kept->space == ISA_SPACE_GLOBAL && !kept->size)
        engine_finding_describe(worker->engine, address, kept);
}

/* ---- blocks that ended by findings */

static uint64_t last_ended_locked(const struct engine_ended *ended)
{
    return ended->full ? ended->list.at[ended->list.count - 1]->block : UINT64_MAX;
}

/* Behind enough findings, nothing is kept. */
static void cut_ended_locked(struct engine_ended *ended)
{
    uint64_t findings = 0;
    size_t kept = 0;
    while (kept < ended->list.count && findings < ENGINE_ENDED_MOST)
        findings += ended->list.at[kept++]->findings.count;
    ended->full = findings >= ENGINE_ENDED_MOST;
    while (ended->list.count > kept)
        free(ended->list.at[--ended->list.count]);
}

static void add_ended_locked(struct engine_ended *ended, const struct engine_worker *worker, uint64_t block)
{
    struct engine_ended_block *one = sw_xmalloc(sizeof *one);
    *one = (struct engine_ended_block){block, worker->error, worker->findings};
    size_t at = ended->list.count;
    *vec_push(&ended->list) = one;
    for (; at > 0 && ended->list.at[at - 1]->block > block; at--)
        ended->list.at[at] = ended->list.at[at - 1];
    ended->list.at[at] = one;
    cut_ended_locked(ended);
}

bool engine_job_goes_on(struct engine_job *job, struct engine_worker *worker, uint64_t block)
{
    if (!worker->findings.count || job->variant->info.spins || job->sample || job->launch->cooperative)
        return false;
    pthread_mutex_lock(&job->lock);
    if (block < last_ended_locked(&job->ended)) add_ended_locked(&job->ended, worker, block);
    pthread_mutex_unlock(&job->lock);
    worker->findings.count = 0;
    return true;
}

uint64_t engine_ended_last(struct engine_job *job)
{
    pthread_mutex_lock(&job->lock);
    uint64_t last = last_ended_locked(&job->ended);
    pthread_mutex_unlock(&job->lock);
    return last;
}

/* Another block may have failed in another way: of those above it nothing is told. */
static void join_failed(struct engine_job *job)
{
    struct engine_ended *ended = &job->ended;
    while (ended->list.count && ended->list.at[ended->list.count - 1]->block > job->failed_block) {
        free(ended->list.at[--ended->list.count]);
        ended->full = false;
    }
    if (ended->list.count) job->error = ended->list.at[0]->error;
}

/* Did it fail in a block that would have run whoever came first? */
static bool failed_surely(const struct engine_job *job)
{
    return job->failed_block < last_ended_locked(&job->ended);
}

void engine_finding_end(struct jit_ctx *ctx, const struct event_finding *finding)
{
    struct engine_worker *worker = ctx->host;
    struct engine_findings *all = &worker->findings;
    if (!worker->engine->config.finding || all->count == SW_COUNT_OF(all->at)) return;
    all->messages[all->count][0] = 0;
    all->at[all->count++] = *finding;
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

static void tell_one(const struct engine_job *job, struct event_finding *finding,
                     struct engine_formulas *formulas)
{
    engine_formula_set(formulas, job, finding);
    job->engine->config.finding(finding);
}

static void tell_kept(struct engine_job *job, struct engine_formulas *formulas)
{
    struct engine_kept *kept = &job->kept;
    uint64_t ended = last_ended_locked(&job->ended),
             last = job->failed_block < ended ? job->failed_block : ended;
    bool cut = last != UINT64_MAX;
    if (!kept->list.count) return;
    qsort(kept->list.at, kept->list.count, sizeof *kept->list.at, compare_kept);
    for (size_t i = 0; i < kept->list.count; i++) {
        struct engine_kept_finding *f = kept->list.at[i];
        if (cut && f->block > last) continue;
        if (cut) f->finding.count = f->in_block;
        tell_one(job, &f->finding, formulas);
    }
    if (kept->lost)
        sw_log("a launch of '%.100s' has more findings than are kept: %" PRIu64 " are left out",
               job->launch->kernel->info.name, kept->lost);
}

static void tell_block(const struct engine_job *job, struct engine_findings *findings,
                       const struct sw_error *error, struct engine_formulas *formulas)
{
    for (uint32_t i = 0; i < findings->count; i++) {
        if (findings->messages[i][0]) findings->at[i].message = findings->messages[i];
        if (findings->at[i].kind == EVENT_FINDING_BARRIER) findings->at[i].message = error->message;
        tell_one(job, &findings->at[i], formulas);
    }
}

/* Anything that was no finding ended the launch. */
static void tell_failed(struct engine_job *job, const struct sw_error *error,
                        struct engine_formulas *formulas)
{
    struct event_finding other = {
        .kind = EVENT_FINDING_FAULT,
        .place = {.kernel = &job->launch->kernel->info, .launched = job->launch->launched},
        .message = error->message};
    if (job->findings.count)
        tell_block(job, &job->findings, error, formulas);
    else
        job->engine->config.finding(&other);
}

void engine_findings_tell(struct engine_job *job)
{
    struct sw_error failed = job->error;
    struct engine_formulas formulas = {0};
    if (!job->engine->config.finding) return;
    join_failed(job);
    tell_kept(job, &formulas);
    for (size_t i = 0; i < job->ended.list.count; i++)
        tell_block(job, &job->ended.list.at[i]->findings, &job->ended.list.at[i]->error, &formulas);
    if (failed.status != SW_OK && failed_surely(job)) tell_failed(job, &failed, &formulas);
    engine_formulas_release(&formulas);
    for (size_t i = 0; i < job->ended.list.count; i++)
        free(job->ended.list.at[i]);
    vec_release(&job->ended.list);
    kept_release(&job->kept);
}
