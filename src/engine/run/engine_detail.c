/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: detailed simulation: what warps ask of memory, in rounds of all resident blocks (event_request.h).
 * Method: as many blocks are resident as the device holds, the first of them dealt to multiprocessors as the
 * device does (engine_order.c), later ones to the CTA slots that become free: where the tool keeps time, to
 * those that are free first, and one that is far ahead of others waits for them. In a round each resident
 * block runs once on some host thread: to its end, or with code that stops (softwarp_step) until each of its
 * warps has ended, waits or has made its requests. What its warps did stays with its CTA slot, so that
 * nothing depends on who ran it; after the round one thread gives all of it to the tool. Of a sampled launch
 * (the tool may want it whole after the first round), blocks belong to multiprocessors by their number, and
 * only those of simulated ones run here (engine_sample.c runs the others in between). Where blocks may wait
 * for each other and none of the resident ones ends for long, more begin, twice as many each time, up to what
 * engine_grid.c would hold: a kernel's registers may be an estimate, and a program must not hang here that
 * does not under `run`. These are counted, but not given to the tool. Limits: with code that cannot stop, a
 * round holds whatever a block does. */
#include "engine_detail.h"

#include "engine/core/engine_fault.h"
#include "engine/record/engine_resident.h"
#include "engine/record/engine_stream.h"
#include "engine_context.h"
#include "engine_cta_slots.h"
#include "engine_grid.h"
#include "engine_order.h"
#include "engine_pool.h"
#include "engine_sample.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

struct free_cta_slot {
    uint64_t since; /* in the tool's unit */
    uint32_t number;
};
struct engine_detail {
    struct engine_tapes *tapes; /* one a hand */
    uint32_t hands;
    atomic_uint hands_taken; /* in this round */
    struct engine_cta_slots cta_slots;
    struct engine_resident *residents; /* by slot, then multiprocessor */
    struct engine_stream *streams;     /* of all warps, by resident */
    uint32_t count, warps, running;
    uint32_t device, open;      /* CTA slots: those of the device, those that blocks may take */
    uint32_t vain;              /* rounds without an end since */
    uint32_t *round;            /* the residents that run, in order */
    struct free_cta_slot *free; /* those that do not, by when they ended */
    uint32_t free_count;
    uint32_t *by_sm;   /* those of the device, by multiprocessor and slot */
    uint64_t next;     /* the lowest block that has not begun; */
    uint64_t *next_of; /* of a sampled launch, after the first ones, of each multiprocessor */
    bool begun;        /* the first round was given to the tool */
    uint32_t sm_count;
    struct event_stream *handed;
    uint32_t *no_work;  /* for code that asks, where the tool has no table */
    uint64_t fruitless; /* rounds since a block ended */
};

/* ---- one host thread's part */

static void detail_use_cta_slot(struct engine_worker *worker, struct engine_detail *detail, uint32_t number)
{
    struct engine_resident *resident = &detail->residents[number];
    engine_cta_slots_use(&detail->cta_slots, worker, number, resident->fresh, resident->used);
    if (resident->fresh) resident->nan_payloads = resident->phases.count = 0;
    worker->ctx.nan_payloads = resident->nan_payloads;
    worker->ctx.sm = resident->sm;
    worker->ctx.sm_slot = resident->slot;
    worker->resident = resident;
    resident->used = true;
    resident->fresh = false;
}

static void detail_run_resident(struct engine_worker *worker, struct engine_job *job, uint32_t number)
{
    const struct engine_image *image = &job->variant->image;
    detail_use_cta_slot(worker, job->detail, number);
    struct engine_resident *resident = worker->resident;
    if (engine_image_step(image)) {
        resident->live = engine_image_step(image)(&worker->ctx, resident->block) == 0;
        return;
    }
    engine_image_run(image)(&worker->ctx, resident->block, 1);
    resident->live = false;
    for (uint32_t w = 0; w < job->detail->warps; w++)
        resident->streams[w].ended = true;
}

/* One guard around all blocks. */
static void detail_run_residents(struct engine_worker *worker, void *argument)
{
    struct engine_job *job = argument;
    while (!atomic_load(&job->stop)) {
        uint64_t i = atomic_fetch_add(&job->taken, 1);
        if (i >= job->blocks) break;
        detail_run_resident(worker, job, job->detail->round[i]);
    }
}

static void detail_body(struct engine_worker *worker, struct engine_job *job)
{
    if (engine_worker_counters(worker, job) != SW_OK ||
        !engine_memory_reserve(&worker->records, ENGINE_RECORD_CAPACITY)) {
        sw_fail(&worker->error, SW_OUT_OF_MEMORY, "no host memory for counters");
        engine_job_failed(job, &worker->error, &worker->findings, 0);
        return;
    }
    engine_worker_context(worker, job);
    worker->ctx.records = worker->records.base;
    worker->ctx.is_detailed = 1;
    worker->ctx.work = job->launch->work ? job->launch->work : job->detail->no_work;
    engine_worker_stack(worker);
    worker->set_accesses = NULL;
    worker->tape = &job->detail->tapes->list[atomic_fetch_add(&job->detail->hands_taken, 1)];
    if (!engine_fault_guard(worker, detail_run_residents, job))
        engine_job_failed(job, &worker->error, &worker->findings, worker->resident->block);
    engine_worker_merge(worker, job);
    worker->resident = NULL;
    worker->tape = NULL;
}

/* ---- rounds */

/* The next block for a CTA slot; false: there is none. Of a sampled launch, multiprocessors that are not
 * simulated in detail take one for each of their CTA slots. */
static bool detail_take_block(struct engine_detail *detail, const struct engine_job *job, uint32_t cta_slot,
                              uint64_t blocks, uint64_t *block)
{
    uint32_t sm = detail->residents[cta_slot].sm;
    if (detail->next < detail->device) {
        *block = detail->next++;
        return true;
    }
    uint64_t *next = detail->next_of ? &detail->next_of[sm] : &detail->next;
    if (detail->next_of && !event_is_detailed(sm, detail->sm_count, job->sample_shift)) return false;
    if (*next >= blocks) return false;
    *block = *next;
    *next += detail->next_of ? detail->sm_count : 1;
    return true;
}

static uint64_t detail_progress_of(const struct engine_detail *detail, const struct engine_job *job,
                                   uint32_t cta_slot)
{
    const struct engine_launch *launch = job->launch;
    const struct engine_resident *resident = &detail->residents[cta_slot];
    if (!launch->progress || job->sample_shift || cta_slot >= detail->device) return 0;
    return launch->progress->cta_slots[resident->sm * launch->residency.blocks_per_sm + resident->slot];
}

static int compare_free(const void *left, const void *right)
{
    const struct free_cta_slot *a = left, *b = right;
    if (a->since != b->since) return a->since < b->since ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

/* Free CTA slots, by when they became free; returns how far those that take blocks now may be. */
static uint64_t detail_sort_free(struct engine_detail *detail, const struct engine_job *job)
{
    const struct engine_launch *launch = job->launch;
    uint64_t least = UINT64_MAX;
    bool sorted = true;
    detail->free_count = 0;
    for (uint32_t i = 0; i < detail->open; i++) {
        uint64_t since = detail_progress_of(detail, job, i);
        if (since < least) least = since;
        if (detail->residents[i].live) continue;
        uint32_t at = detail->free_count++;
        detail->free[at] = (struct free_cta_slot){since, i};
        sorted &= !at || detail->free[at - 1].since <= since;
    }
    if (!sorted) qsort(detail->free, detail->free_count, sizeof *detail->free, compare_free);
    return launch->progress && launch->residency.divisible ? least + launch->progress->ahead : UINT64_MAX;
}

/* Blocks take free CTA slots, those that were free first; returns how many are resident. */
static uint32_t detail_fill_cta_slots(struct engine_detail *detail, const struct engine_job *job,
                                      uint64_t blocks)
{
    uint64_t latest = detail_sort_free(detail, job);
    detail->running = 0;
    for (uint32_t i = 0; i < detail->free_count && detail->free[i].since <= latest; i++) {
        struct engine_resident *resident = &detail->residents[detail->free[i].number];
        if (detail_take_block(detail, job, detail->free[i].number, blocks, &resident->block))
            resident->live = resident->fresh = true;
    }
    for (uint32_t i = 0; i < detail->open; i++)
        if (detail->residents[i].live) detail->round[detail->running++] = i;
    return detail->running;
}

static void detail_hand_out_block(struct engine_detail *detail, const struct engine_resident *resident,
                                  struct event_round *round)
{
    for (uint32_t w = 0; w < detail->warps; w++) {
        struct engine_stream *stream = &resident->streams[w];
        if (!stream->tape && !stream->ended) continue;
        struct event_stream *out = &detail->handed[round->count++];
        *out = (struct event_stream){.block = resident->block,
                                     .warp = w,
                                     .sm = resident->sm,
                                     .slot = resident->slot,
                                     .ended = stream->ended};
        if (stream->tape) engine_stream_read(stream, &detail->tapes->joint, out);
        *stream = (struct engine_stream){0};
    }
}

/* What the warps of the round did, by multiprocessor, slot and warp. */
static uint32_t detail_hand_out(struct engine_detail *detail, const struct engine_launch *launch)
{
    struct event_round round = {.streams = detail->handed};
    engine_tape_joint(&detail->tapes->joint, detail->tapes->list, detail->hands);
    for (uint32_t i = 0; i < detail->device; i++)
        detail_hand_out_block(detail, &detail->residents[detail->by_sm[i]], &round);
    for (uint32_t i = detail->device * detail->warps; i < detail->open * detail->warps; i++)
        detail->streams[i] = (struct engine_stream){0};
    return round.count ? launch->detail(launch->owner, &round) : launch->sample_shift;
}

/* After the first round it is known how many multiprocessors are simulated in detail. */
static void detail_hand_out_first(struct engine_detail *detail, struct engine_job *job)
{
    struct sw_error error = {0};
    detail->begun = true;
    job->sample_shift = detail_hand_out(detail, job->launch);
    if (!job->sample_shift) {
        free(detail->next_of);
        detail->next_of = NULL;
    } else if (job->sample && engine_sample_begin(job->sample, job->sample_shift, &error) != SW_OK) {
        engine_job_failed(job, &error, NULL, 0);
    }
}

/* Lanes of a warp that wait for each other never make progress before compute capability 7.0. */
static bool detail_hangs(struct engine_detail *detail, const struct engine_job *job, uint32_t live)
{
    enum { HANGS_AFTER = 1 << 16 };
    detail->fruitless = live < detail->running ? 0 : detail->fruitless + 1;
    return job->hangs && detail->fruitless >= HANGS_AFTER;
}

static uint32_t detail_live_count(const struct engine_detail *detail)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < detail->running; i++)
        live += detail->residents[detail->round[i]].live;
    return live;
}

/* Blocks beyond those that the device holds, when these wait in vain. */
static void detail_open_more(struct engine_detail *detail, const struct engine_job *job, uint64_t blocks)
{
    enum { VAIN_ROUNDS = 256 }; /* of EVENT_ROUND_REQUESTS requests of each warp, or of one spin */
    detail->vain = detail_live_count(detail) < detail->running ? 0 : detail->vain + 1;
    if (detail->vain < VAIN_ROUNDS || detail->open == detail->count || detail->next >= blocks) return;
    if (detail->open == detail->device)
        sw_log("'%s': the %u resident blocks seem to wait for blocks that have not started; more blocks "
               "start, as on no GPU, and are counted but not modelled",
               job->launch->kernel->info.name, detail->device);
    detail->open = detail->open < detail->count / 2 ? 2 * detail->open : detail->count;
    detail->vain = 0;
}

/* Blocks that are not simulated in detail keep step with those that are. */
static void detail_run_others(struct engine_detail *detail, struct engine_job *job)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < detail->running; i++) {
        uint64_t block = detail->residents[detail->round[i]].block;
        if (block >= end) end = block + 1;
    }
    engine_sample_advance(job->sample, job, end);
}

static void detail_run_rounds(struct engine *engine, struct engine_job *job)
{
    struct engine_detail *detail = job->detail;
    uint64_t blocks = job->blocks;
    struct sw_error error = {0};
    while (!atomic_load(&job->stop) && detail_fill_cta_slots(detail, job, blocks)) {
        if (job->sample) detail_run_others(detail, job);
        if (atomic_load(&job->stop)) break;
        job->blocks = detail->running;
        atomic_store(&job->taken, 0);
        job->linked = false;
        atomic_store(&detail->hands_taken, 0);
        for (uint32_t t = 0; t < detail->hands; t++)
            engine_tape_begin(&detail->tapes->list[t]);
        engine_pool_run(engine->pool, job);
        if (!atomic_load(&job->stop) && detail->begun) detail_hand_out(detail, job->launch);
        if (!atomic_load(&job->stop) && !detail->begun) detail_hand_out_first(detail, job);
        detail_open_more(detail, job, blocks);
        if (detail_hangs(detail, job, detail_live_count(detail))) {
            engine_grid_hang(&error, job, detail->residents[detail->round[0]].block, detail->fruitless);
            engine_job_failed(job, &error, NULL, detail->residents[detail->round[0]].block);
        }
    }
    job->blocks = blocks;
    if (job->sample) engine_sample_advance(job->sample, job, blocks);
}

/* ---- residents */

static bool counts_sectors(const struct event_tool *tool)
{
    static const uint32_t kinds[] = {EVENT_KIND_LOAD, EVENT_KIND_STORE, EVENT_KIND_LOAD_L2};
    uint64_t addr[SW_WARP_LANES];
    bool all = true;
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2)
        for (size_t k = 0; k < SW_COUNT_OF(kinds); k++) {
            for (uint32_t lane = 0; lane < SW_WARP_LANES; lane++)
                addr[lane] = (uint64_t)lane * bytes;
            all &= (uint32_t)tool->count.global(&tool->rules, addr, UINT32_MAX, bytes, kinds[k]) == bytes;
        }
    return all;
}

static void detail_sort_by_sm(struct engine_detail *detail, uint32_t per_sm)
{
    size_t cta_slots = (size_t)detail->sm_count * per_sm, at = 0;
    uint32_t *of_cta_slot = sw_xcalloc(cta_slots, sizeof *of_cta_slot); /* 1 + the resident; 0: none */
    detail->by_sm = sw_xcalloc(detail->device, sizeof *detail->by_sm);
    for (uint32_t i = 0; i < detail->device; i++)
        of_cta_slot[(size_t)detail->residents[i].sm * per_sm + detail->residents[i].slot] = i + 1;
    for (size_t cta_slot = 0; cta_slot < cta_slots; cta_slot++)
        if (of_cta_slot[cta_slot]) detail->by_sm[at++] = of_cta_slot[cta_slot] - 1;
    free(of_cta_slot);
}

static void detail_make_residents(struct engine_detail *detail, const struct engine_job *job)
{
    enum { CALLS_AFTER = 1 << 30 }; /* lines: more than the kernel's own local variables take */
    const struct engine_launch *launch = job->launch;
    uint32_t per_sm = launch->residency.blocks_per_sm;
    detail->residents = sw_xcalloc(detail->count, sizeof *detail->residents);
    detail->streams = sw_xcalloc((size_t)detail->count * detail->warps, sizeof *detail->streams);
    detail->handed = sw_xcalloc((size_t)detail->count * detail->warps, sizeof *detail->handed);
    detail->round = sw_xcalloc(detail->count, sizeof *detail->round);
    detail->free = sw_xcalloc(detail->count, sizeof *detail->free);
    detail->hands = job->hands_max;
    detail->tapes = engine_tapes_new(atomic_exchange(&job->engine->spare_tapes, NULL), detail->hands);
    detail->no_work = sw_xcalloc(launch->kernel->info.instr_count + 1ull, sizeof *detail->no_work);
    uint64_t rows = job->variant->info.local_bytes / 4;
    bool sectors = counts_sectors(job->engine->config.tool);
    engine_order(&launch->residency, detail->residents, detail->count);
    detail_sort_by_sm(detail, per_sm);
    for (uint32_t i = 0; i < detail->count; i++) {
        struct engine_resident *resident = &detail->residents[i];
        resident->streams = detail->streams + (size_t)i * detail->warps;
        resident->rows_per_warp = rows;
        resident->first_row = (EVENT_LOCAL_WINDOW >> EVENT_LINE_SHIFT) +
                              ((uint64_t)resident->sm * per_sm + resident->slot) * detail->warps * rows;
        resident->first_call_row =
            (EVENT_LOCAL_WINDOW >> EVENT_LINE_SHIFT) + CALLS_AFTER +
            ((uint64_t)resident->sm * per_sm + resident->slot) * detail->warps * ENGINE_CALL_ROWS;
        resident->counts_sectors = sectors;
    }
}

/* The next launch writes where this one did: to grow tapes from nothing touches new pages all the way. */
static void detail_keep_tapes(struct engine *engine, struct engine_tapes *tapes)
{
    enum { TAPES_KEPT = 64 << 20 }; /* bytes */
    if (engine_tapes_bytes(tapes) <= TAPES_KEPT) tapes = atomic_exchange(&engine->spare_tapes, tapes);
    engine_tapes_free(tapes);
}

static void detail_release_residents(struct engine_detail *detail, struct engine *engine)
{
    detail_keep_tapes(engine, detail->tapes);
    for (uint32_t i = 0; i < detail->count && detail->residents; i++)
        free(detail->residents[i].phases.list);
    free(detail->residents);
    free(detail->streams);
    free(detail->handed);
    free(detail->round);
    free(detail->free);
    free(detail->by_sm);
    free(detail->no_work);
}

/* After the first blocks, each multiprocessor takes those of its number. */
static void detail_begin_sample(struct engine_detail *detail, const struct engine_launch *launch)
{
    if (!launch->sample_shift) return;
    detail->next_of = sw_xcalloc(detail->sm_count, sizeof *detail->next_of);
    for (uint32_t sm = 0; sm < detail->sm_count; sm++)
        detail->next_of[sm] = engine_first_blocks(launch) + sm;
}

void engine_detail_run(struct engine *engine, struct engine_job *job)
{
    struct engine_detail detail = {.warps = engine_job_warps(job),
                                   .sm_count = job->launch->residency.sm_count};
    uint64_t cta_slots = engine_first_blocks(job->launch);
    detail_begin_sample(&detail, job->launch);
    detail.count = detail.device = detail.open =
        (uint32_t)(cta_slots < job->blocks ? cta_slots : job->blocks);
    uint64_t most = job->variant->info.spins ? engine_resident_blocks(job->launch) : 0;
    if (most > detail.count) detail.count = (uint32_t)(most < job->blocks ? most : job->blocks);
    enum sw_status status = engine_cta_slots_init(&detail.cta_slots, job, detail.count);
    if (status == SW_OK) status = engine_grid_workspace(engine, job);
    if (status != SW_OK) {
        sw_fail(&job->error, status, "no host memory for %u blocks at once; launch fewer", detail.count);
    } else {
        detail_make_residents(&detail, job);
        job->detail = &detail;
        job->body = detail_body;
        detail_run_rounds(engine, job);
        detail_release_residents(&detail, engine);
    }
    engine_grid_workspace_release(engine, job);
    engine_cta_slots_release(&detail.cta_slots, engine);
    free(detail.next_of);
}
