/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: watched launches: what warps ask of memory, in turns of all resident blocks (event.h).
 * Method: as many blocks are resident as the device holds, the first of them dealt to multiprocessors as the
 * device does (engine_order.c), later ones to the places that become free: where the tool keeps time, to
 * those that are free first, and one that is far ahead of others waits for them. In a turn each resident
 * block runs once on some host thread: to its end, or with code that stops (softwarp_step) until each of its
 * warps has ended, waits or has made its requests. What its warps did stays with its place, so that nothing
 * depends on who ran it; after the turn one thread hands all of it out. Of a sampled launch (the tool may
 * want it whole after the first turn), blocks belong to multiprocessors by their number, and only those of
 * watched ones run here (engine_sample.c runs the others in between). Where blocks may wait for each other
 * and none of the resident ones ends for long, more begin, twice as many each time, up to what engine_grid.c
 * would hold: a kernel's registers may be an estimate, and a program must not hang here that does not under
 * `run`. These are counted, but not handed out. Limits: with code that cannot stop, a turn holds whatever a
 * block does. */
#include "engine_watch_priv.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

struct free_place {
    uint64_t since; /* in the tool's unit */
    uint32_t number;
};
struct engine_watch {
    struct engine_tape *tapes; /* one a hand */
    struct engine_tape joint;
    uint32_t hands;
    atomic_uint hands_taken; /* in this turn */
    struct engine_places places;
    struct engine_resident *residents; /* by slot, then multiprocessor */
    struct engine_stream *streams;     /* of all warps, by resident */
    uint32_t count, warps, running;
    uint32_t device, open;   /* places: those of the device, those that blocks may take */
    uint32_t vain;           /* turns without an end since */
    uint32_t *turn;          /* the residents that run, in order */
    struct free_place *free; /* those that do not, by when they ended */
    uint32_t free_count;
    uint32_t *by_sm;   /* those of the device, by multiprocessor and slot */
    uint64_t next;     /* the lowest block that has not begun; */
    uint64_t *next_of; /* of a sampled launch, after the first ones, of each multiprocessor */
    bool begun;        /* the first turn was handed out */
    uint32_t sm_count;
    struct event_stream *handed;
    uint32_t *no_work;  /* for code that asks, where the tool has no table */
    uint64_t fruitless; /* turns since a block ended */
};

/* ---- one host thread's part */

static void use_place(struct engine_worker *worker, struct engine_watch *watch, uint32_t number)
{
    struct engine_resident *resident = &watch->residents[number];
    engine_places_use(&watch->places, worker, number, resident->fresh && resident->used);
    if (resident->fresh) resident->nan_payloads = resident->phases.count = 0;
    worker->ctx.nan_payloads = resident->nan_payloads;
    worker->ctx.sm = resident->sm;
    worker->ctx.sm_slot = resident->slot;
    worker->resident = resident;
    resident->used = true;
    resident->fresh = false;
}

static void run_resident(struct engine_worker *worker, struct engine_job *job, uint32_t number)
{
    const struct engine_image *image = &job->variant->image;
    use_place(worker, job->watch, number);
    struct engine_resident *resident = worker->resident;
    if (image->step) {
        resident->live = image->step(&worker->ctx, resident->block) == 0;
        return;
    }
    image->run(&worker->ctx, resident->block, 1);
    resident->live = false;
    for (uint32_t w = 0; w < job->watch->warps; w++)
        resident->streams[w].ended = true;
}

/* One guard around all blocks. */
static void run_residents(struct engine_worker *worker, void *argument)
{
    struct engine_job *job = argument;
    while (!atomic_load(&job->stop)) {
        uint64_t i = atomic_fetch_add(&job->taken, 1);
        if (i >= job->blocks) break;
        run_resident(worker, job, job->watch->turn[i]);
    }
}

void engine_watch_stack(struct engine_worker *worker)
{
    static _Thread_local void *base;
    static _Thread_local size_t bytes;
    pthread_attr_t attributes;
    if (!base && pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &base, &bytes) != 0) base = NULL;
        pthread_attr_destroy(&attributes);
    }
    worker->stack = base;
    worker->stack_bytes = base ? bytes : 0;
}

static void watch_body(struct engine_worker *worker, struct engine_job *job)
{
    if (engine_worker_counters(worker, job) != SW_OK ||
        !engine_memory_reserve(&worker->records, ENGINE_RECORD_ROOM)) {
        sw_fail(&worker->error, SW_OUT_OF_MEMORY, "no host memory for counters");
        engine_job_failed(job, &worker->error, 0);
        return;
    }
    engine_worker_context(worker, job);
    worker->ctx.records = worker->records.base;
    worker->ctx.is_watched = 1;
    worker->ctx.work = job->launch->work ? job->launch->work : job->watch->no_work;
    engine_watch_stack(worker);
    worker->touched = NULL;
    worker->tape = &job->watch->tapes[atomic_fetch_add(&job->watch->hands_taken, 1)];
    if (!engine_fault_guard(worker, run_residents, job))
        engine_job_failed(job, &worker->error, worker->resident->block);
    engine_worker_merge(worker, job);
    worker->resident = NULL;
    worker->tape = NULL;
}

/* ---- turns */

/* The next block for a place; false: there is none. Of a sampled launch, multiprocessors that are not watched
 * take one for each of their places. */
static bool take_block(struct engine_watch *watch, const struct engine_job *job, uint32_t place,
                       uint64_t blocks, uint64_t *block)
{
    uint32_t sm = watch->residents[place].sm;
    if (watch->next < watch->device) {
        *block = watch->next++;
        return true;
    }
    uint64_t *next = watch->next_of ? &watch->next_of[sm] : &watch->next;
    if (watch->next_of && !event_is_watched(sm, watch->sm_count, job->sample_shift)) return false;
    if (*next >= blocks) return false;
    *block = *next;
    *next += watch->next_of ? watch->sm_count : 1;
    return true;
}

static uint64_t progress_of(const struct engine_watch *watch, const struct engine_job *job, uint32_t place)
{
    const struct engine_launch *launch = job->launch;
    const struct engine_resident *resident = &watch->residents[place];
    if (!launch->progress || job->sample_shift || place >= watch->device) return 0;
    return launch->progress->places[resident->sm * launch->residency.blocks_per_sm + resident->slot];
}

static int compare_free(const void *left, const void *right)
{
    const struct free_place *a = left, *b = right;
    if (a->since != b->since) return a->since < b->since ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

/* Free places, by when they became free; returns how far those that take blocks now may be. */
static uint64_t sort_free(struct engine_watch *watch, const struct engine_job *job)
{
    const struct engine_launch *launch = job->launch;
    uint64_t least = UINT64_MAX;
    bool sorted = true;
    watch->free_count = 0;
    for (uint32_t i = 0; i < watch->open; i++) {
        uint64_t since = progress_of(watch, job, i);
        if (since < least) least = since;
        if (watch->residents[i].live) continue;
        uint32_t at = watch->free_count++;
        watch->free[at] = (struct free_place){since, i};
        sorted &= !at || watch->free[at - 1].since <= since;
    }
    if (!sorted) qsort(watch->free, watch->free_count, sizeof *watch->free, compare_free);
    return launch->progress && launch->residency.divisible ? least + launch->progress->ahead : UINT64_MAX;
}

/* Blocks take free places, those that were free first; returns how many are resident. */
static uint32_t fill_places(struct engine_watch *watch, const struct engine_job *job, uint64_t blocks)
{
    uint64_t latest = sort_free(watch, job);
    watch->running = 0;
    for (uint32_t i = 0; i < watch->free_count && watch->free[i].since <= latest; i++) {
        struct engine_resident *resident = &watch->residents[watch->free[i].number];
        if (take_block(watch, job, watch->free[i].number, blocks, &resident->block))
            resident->live = resident->fresh = true;
    }
    for (uint32_t i = 0; i < watch->open; i++)
        if (watch->residents[i].live) watch->turn[watch->running++] = i;
    return watch->running;
}

static void hand_out_block(struct engine_watch *watch, const struct engine_resident *resident,
                           struct event_turn *turn)
{
    for (uint32_t w = 0; w < watch->warps; w++) {
        struct engine_stream *stream = &resident->streams[w];
        if (!stream->tape && !stream->ended) continue;
        struct event_stream *out = &watch->handed[turn->count++];
        *out = (struct event_stream){.block = resident->block,
                                     .warp = w,
                                     .sm = resident->sm,
                                     .slot = resident->slot,
                                     .ended = stream->ended};
        if (stream->tape) engine_stream_read(stream, &watch->joint, out);
        *stream = (struct engine_stream){0};
    }
}

/* What the warps of the turn did, by multiprocessor, slot and warp. */
static uint32_t hand_out(struct engine_watch *watch, const struct engine_launch *launch)
{
    struct event_turn turn = {.streams = watch->handed};
    engine_tape_joint(&watch->joint, watch->tapes, watch->hands);
    for (uint32_t i = 0; i < watch->device; i++)
        hand_out_block(watch, &watch->residents[watch->by_sm[i]], &turn);
    for (uint32_t i = watch->device * watch->warps; i < watch->open * watch->warps; i++)
        watch->streams[i] = (struct engine_stream){0};
    return turn.count ? launch->watch(launch->owner, &turn) : launch->sample_shift;
}

/* After the first turn it is known how many multiprocessors are watched. */
static void hand_out_first(struct engine_watch *watch, struct engine_job *job)
{
    struct sw_error error = {0};
    watch->begun = true;
    job->sample_shift = hand_out(watch, job->launch);
    if (!job->sample_shift) {
        free(watch->next_of);
        watch->next_of = NULL;
    } else if (job->sample && engine_sample_begin(job->sample, job->sample_shift, &error) != SW_OK) {
        engine_job_failed(job, &error, 0);
    }
}

/* Lanes of a warp that wait for each other never make progress before compute capability 7.0. */
static bool hangs(struct engine_watch *watch, const struct engine_job *job, uint32_t live)
{
    enum { HANGS_AFTER = 1 << 16 };
    watch->fruitless = live < watch->running ? 0 : watch->fruitless + 1;
    return job->hangs && watch->fruitless >= HANGS_AFTER;
}

static uint32_t live_count(const struct engine_watch *watch)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < watch->running; i++)
        live += watch->residents[watch->turn[i]].live;
    return live;
}

/* Blocks beyond those that the device holds, when these wait in vain. */
static void open_more(struct engine_watch *watch, const struct engine_job *job, uint64_t blocks)
{
    enum { VAIN_TURNS = 256 }; /* of EVENT_TURN_REQUESTS requests of each warp, or of one spin */
    watch->vain = live_count(watch) < watch->running ? 0 : watch->vain + 1;
    if (watch->vain < VAIN_TURNS || watch->open == watch->count || watch->next >= blocks) return;
    if (watch->open == watch->device)
        sw_log(
            "'%s': the %u blocks that the device would hold seem to wait for others; more begin, as no GPU "
            "would do, and are counted but not modelled",
            job->launch->kernel->info.name, watch->device);
    watch->open = watch->open < watch->count / 2 ? 2 * watch->open : watch->count;
    watch->vain = 0;
}

/* Blocks that are not watched keep step with those that are. */
static void run_others(struct engine_watch *watch, struct engine_job *job)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < watch->running; i++) {
        uint64_t block = watch->residents[watch->turn[i]].block;
        if (block >= end) end = block + 1;
    }
    engine_sample_advance(job->sample, job, end);
}

static void run_turns(struct engine *engine, struct engine_job *job)
{
    struct engine_watch *watch = job->watch;
    uint64_t blocks = job->blocks;
    struct sw_error error = {0};
    while (!atomic_load(&job->stop) && fill_places(watch, job, blocks)) {
        if (job->sample) run_others(watch, job);
        if (atomic_load(&job->stop)) break;
        job->blocks = watch->running;
        atomic_store(&job->taken, 0);
        job->linked = false;
        atomic_store(&watch->hands_taken, 0);
        for (uint32_t t = 0; t < watch->hands; t++)
            engine_tape_begin(&watch->tapes[t]);
        engine_pool_run(&engine->pool, job);
        if (!atomic_load(&job->stop) && watch->begun) hand_out(watch, job->launch);
        if (!atomic_load(&job->stop) && !watch->begun) hand_out_first(watch, job);
        open_more(watch, job, blocks);
        if (hangs(watch, job, live_count(watch))) {
            engine_grid_hang(&error, job, watch->residents[watch->turn[0]].block, watch->fruitless);
            engine_job_failed(job, &error, watch->residents[watch->turn[0]].block);
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

static void sort_by_sm(struct engine_watch *watch, uint32_t per_sm)
{
    size_t places = (size_t)watch->sm_count * per_sm, at = 0;
    uint32_t *of_place = sw_xcalloc(places, sizeof *of_place); /* 1 + the resident; 0: none */
    watch->by_sm = sw_xcalloc(watch->device, sizeof *watch->by_sm);
    for (uint32_t i = 0; i < watch->device; i++)
        of_place[(size_t)watch->residents[i].sm * per_sm + watch->residents[i].slot] = i + 1;
    for (size_t place = 0; place < places; place++)
        if (of_place[place]) watch->by_sm[at++] = of_place[place] - 1;
    free(of_place);
}

static void make_residents(struct engine_watch *watch, const struct engine_job *job)
{
    enum { CALLS_AFTER = 1 << 30 }; /* lines: more than the kernel's own local variables take */
    const struct engine_launch *launch = job->launch;
    uint32_t per_sm = launch->residency.blocks_per_sm;
    watch->residents = sw_xcalloc(watch->count, sizeof *watch->residents);
    watch->streams = sw_xcalloc((size_t)watch->count * watch->warps, sizeof *watch->streams);
    watch->handed = sw_xcalloc((size_t)watch->count * watch->warps, sizeof *watch->handed);
    watch->turn = sw_xcalloc(watch->count, sizeof *watch->turn);
    watch->free = sw_xcalloc(watch->count, sizeof *watch->free);
    watch->hands = job->hands_max;
    watch->tapes = sw_xcalloc(watch->hands, sizeof *watch->tapes);
    watch->no_work = sw_xcalloc(launch->kernel->info.instr_count + 1ull, sizeof *watch->no_work);
    uint64_t rows = job->variant->info.local_bytes / 4;
    bool sectors = counts_sectors(job->engine->config.tool);
    engine_order(&launch->residency, watch->residents, watch->count);
    sort_by_sm(watch, per_sm);
    for (uint32_t i = 0; i < watch->count; i++) {
        struct engine_resident *resident = &watch->residents[i];
        resident->streams = watch->streams + (size_t)i * watch->warps;
        resident->rows_per_warp = rows;
        resident->first_row = (EVENT_LOCAL_WINDOW >> EVENT_LINE_SHIFT) +
                              ((uint64_t)resident->sm * per_sm + resident->slot) * watch->warps * rows;
        resident->first_call_row =
            (EVENT_LOCAL_WINDOW >> EVENT_LINE_SHIFT) + CALLS_AFTER +
            ((uint64_t)resident->sm * per_sm + resident->slot) * watch->warps * ENGINE_CALL_ROWS;
        resident->counts_sectors = sectors;
    }
}

static void release_residents(struct engine_watch *watch)
{
    for (uint32_t t = 0; t < watch->hands; t++)
        engine_tape_release(&watch->tapes[t]);
    engine_tape_release(&watch->joint);
    for (uint32_t i = 0; i < watch->count && watch->residents; i++)
        free(watch->residents[i].phases.list);
    free(watch->tapes);
    free(watch->residents);
    free(watch->streams);
    free(watch->handed);
    free(watch->turn);
    free(watch->free);
    free(watch->by_sm);
    free(watch->no_work);
}

/* After the first blocks, each multiprocessor takes those of its number. */
static void begin_sample(struct engine_watch *watch, const struct engine_launch *launch)
{
    if (!launch->sample_shift) return;
    watch->next_of = sw_xcalloc(watch->sm_count, sizeof *watch->next_of);
    for (uint32_t sm = 0; sm < watch->sm_count; sm++)
        watch->next_of[sm] = engine_first_blocks(launch) + sm;
}

void engine_watch_run(struct engine *engine, struct engine_job *job)
{
    struct engine_watch watch = {.warps = engine_job_warps(job), .sm_count = job->launch->residency.sm_count};
    uint64_t places = engine_first_blocks(job->launch);
    begin_sample(&watch, job->launch);
    watch.count = watch.device = watch.open = (uint32_t)(places < job->blocks ? places : job->blocks);
    uint64_t most = job->variant->info.spins ? engine_resident_blocks(job->launch) : 0;
    if (most > watch.count) watch.count = (uint32_t)(most < job->blocks ? most : job->blocks);
    enum sw_status status = engine_places_init(&watch.places, job, watch.count);
    if (status == SW_OK) status = engine_grid_workspace(engine, job);
    if (status != SW_OK) {
        sw_fail(&job->error, status, "no host memory for %u blocks at once; launch fewer", watch.count);
    } else {
        make_residents(&watch, job);
        job->watch = &watch;
        job->body = watch_body;
        run_turns(engine, job);
        release_residents(&watch);
    }
    engine_grid_workspace_release(engine, job);
    engine_places_release(&watch.places);
    free(watch.next_of);
}
