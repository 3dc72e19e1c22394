/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: launches whose blocks wait for each other: cooperative ones, and kernels with waiting loops.
 * Method: as many blocks as the GPU would hold at once are resident, each with shared, local and frame memory
 * of its own; when one ends, the lowest that has not begun takes its CTA slot. A host thread takes a resident
 * block, lets each of its warps run until it ended or yielded (softwarp_step), and puts it back. So all
 * resident blocks progress, with any number of host threads. Blocks that have begun go first, oldest first,
 * since most wait for lower ones; whenever all of them ran in vain, more begin, twice as many each
 * time. A tool's schedule changes the order in which they begin, where all are resident together.
 * Below compute capability 7.0 lanes of a warp do not progress independently (ctx.independent): a grid all of
 * whose blocks only gave way for long is reported as hanging. So is one that waits at the barrier of the grid
 * for blocks that have ended. Limits: the former also where it waits for the host; the latter not where a
 * block ended that had arrived and did not wait. */
#include "engine_grid.h"

#include "engine/core/engine_fault.h"
#include "engine/shadow/engine_shadow.h"
#include "engine_context.h"
#include "engine_cta_slots.h"
#include "engine_pool.h"
#include "engine_schedule.h"

#include <sched.h>
#include <string.h>

#define NO_SLOT UINT32_MAX
enum hang { HANG_NONE, HANG_LANES, HANG_BARRIER }; /* lanes of a warp, or blocks at the barrier of the grid */
/* Resumes without progress after which a grid hangs, in all and of each block: a second or more. */
static const uint64_t HANGS_AFTER = 1u << 19;
enum { EACH_AT_LEAST = 1000, LOOK_EVERY = 1 << 16 };

struct slot {
    uint64_t block, resumes; /* resumes: how often it ran since anyone made progress */
    bool used, live, fresh;
    uint32_t nan_payloads; /* of struct jit_ctx */
};

struct engine_grid {
    pthread_mutex_t lock;
    struct engine_cta_slots cta_slots; /* of all slots */
    struct slot *slots;
    uint32_t window;               /* slots */
    uint32_t *ring, *free;         /* slots that wait to be resumed, oldest first; slots without a block */
    uint32_t head, waiting, spare; /* of ring; in ring; in free */
    uint32_t running;
    uint64_t next;          /* the lowest block that has not begun */
    uint64_t since, begins; /* resumes in vain since the last look; blocks that may begin */
    uint64_t burst;         /* how many next time */
    uint64_t fruitless;     /* resumes since a block ended */
};

/* cooperative_groups finds its grid barrier through %envreg1 (high) and %envreg2 (low): a record of two
 * words, its size and the barrier's state, zero at first. */
enum sw_status engine_grid_workspace(const struct engine *engine, struct engine_job *job)
{
    enum { WORKSPACE_BYTES = 8 };
    struct vmem *vmem = engine->config.vmem;
    if (!job->launch->cooperative || !vmem) return SW_OK;
    SW_TRY(vmem_alloc(vmem, WORKSPACE_BYTES, VMEM_DEVICE, 0, 0, 0, &job->workspace));
    *(uint32_t *)(uintptr_t)job->workspace = WORKSPACE_BYTES;
    return SW_OK;
}

void engine_grid_workspace_release(const struct engine *engine, struct engine_job *job)
{
    if (job->workspace) (void)vmem_release(engine->config.vmem, job->workspace);
    job->workspace = 0;
}

/* ---- the barrier of the grid (cooperative_groups/details/sync.h): block 0 adds the top bit less the number
 * of other blocks, these add 1, so that the top bit changes when all have arrived */

static uint32_t barrier_arrived(const struct engine_job *job)
{
    const uint32_t top = UINT32_C(1) << 31, others = (uint32_t)job->blocks - 1;
    if (!job->workspace) return 0;
    uint32_t state = __atomic_load_n((const uint32_t *)(uintptr_t)job->workspace + 1, __ATOMIC_RELAXED);
    uint32_t sum = state & (top - 1);
    return sum >= top - others ? sum - (top - others) + 1 : sum;
}

static uint32_t live_count_locked(const struct engine_grid *grid)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < grid->window; i++)
        live += grid->slots[i].live;
    return live;
}

/* Do all blocks that have not ended wait there, and others have ended? */
static bool barrier_is_dead_locked(const struct engine_grid *grid, const struct engine_job *job)
{
    uint32_t live = live_count_locked(grid);
    return job->workspace && grid->next == job->blocks && live < job->blocks && live == barrier_arrived(job);
}

/* ---- which block is next?
 * ------------------------------------------------------------------------------------------ */

static uint32_t grid_begin_locked(struct engine_grid *grid, const struct engine_job *job)
{
    uint32_t number = grid->free[--grid->spare];
    struct slot *slot = &grid->slots[number];
    slot->block = grid->next++;
    if (job->blocks <= grid->window) slot->block = engine_schedule_block(job, slot->block);
    slot->resumes = 0;
    slot->live = slot->fresh = true;
    if (grid->begins) grid->begins--;
    return number;
}

static bool grid_is_over_locked(const struct engine_grid *grid, struct engine_job *job)
{
    bool none = grid->next == job->blocks && grid->waiting + grid->running == 0;
    return none || atomic_load(&job->stop);
}

/* false: nothing is left. *slot NO_SLOT: others have all there is. */
static bool grid_next(struct engine_grid *grid, struct engine_job *job, uint32_t *slot)
{
    pthread_mutex_lock(&grid->lock);
    bool more = !grid_is_over_locked(grid, job), fresh = grid->next < job->blocks && grid->spare > 0;
    *slot = NO_SLOT;
    if (more && fresh && (grid->waiting == 0 || grid->begins > 0)) {
        *slot = grid_begin_locked(grid, job);
    } else if (more && grid->waiting > 0) {
        *slot = grid->ring[grid->head++ % grid->window];
        grid->waiting--;
    }
    grid->running += *slot != NO_SLOT;
    pthread_mutex_unlock(&grid->lock);
    if (more && *slot == NO_SLOT) sched_yield();
    return more;
}

static bool grid_hangs_locked(const struct engine_grid *grid)
{
    if (grid->fruitless < HANGS_AFTER || grid->fruitless % LOOK_EVERY != 0) return false;
    for (uint32_t i = 0; i < grid->window; i++)
        if (grid->slots[i].live && grid->slots[i].resumes < EACH_AT_LEAST) return false;
    return true;
}

static void grid_note_end_locked(struct engine_grid *grid, struct engine_job *job, uint32_t slot)
{
    grid->slots[slot].live = false;
    grid->free[grid->spare++] = slot;
    grid->fruitless = grid->since = grid->begins = 0;
    grid->burst = 1;
    for (uint32_t i = 0; i < grid->window && (job->hangs || job->workspace); i++)
        grid->slots[i].resumes = 0;
    if (grid_is_over_locked(grid, job)) atomic_store(&job->taken, job->blocks);
}

static void grid_note_vain_locked(struct engine_grid *grid, uint32_t slot)
{
    grid->ring[(grid->head + grid->waiting++) % grid->window] = slot;
    grid->slots[slot].resumes++;
    grid->fruitless++;
    if (++grid->since < grid->waiting) return;
    grid->since = 0;
    grid->begins += grid->burst;
    if (grid->burst < grid->window) grid->burst *= 2;
}

/* Returns why the grid hangs. */
static enum hang grid_back(struct engine_grid *grid, struct engine_job *job, uint32_t slot, bool ended)
{
    pthread_mutex_lock(&grid->lock);
    grid->running--;
    if (ended)
        grid_note_end_locked(grid, job, slot);
    else
        grid_note_vain_locked(grid, slot);
    enum hang hang = HANG_NONE;
    if (!ended && (job->hangs || job->workspace) && grid_hangs_locked(grid))
        hang = job->hangs ? HANG_LANES : barrier_is_dead_locked(grid, job) ? HANG_BARRIER : HANG_NONE;
    pthread_mutex_unlock(&grid->lock);
    return hang;
}

/* ---- one host thread's part
 * ------------------------------------------------------------------------------------- */

struct step {
    const struct engine_job *job;
    uint64_t block;
    bool ended;
};

static void grid_run_step(struct engine_worker *worker, void *argument)
{
    struct step *step = argument;
    step->ended = engine_image_step(&step->job->variant->image)(&worker->ctx, step->block) != 0;
}

void engine_grid_hang(struct sw_error *error, const struct engine_job *job, uint64_t block, uint64_t resumes)
{
    uint32_t compute = job->launch->compute;
    sw_fail(
        error, SW_LAUNCH_TIMEOUT,
        "no thread has made progress in %llu iterations, in block %llu among others: lanes of one warp that "
        "wait for each other deadlock on compute capability %u.%u, as on the device; from 7.0 on they do not",
        (unsigned long long)resumes, (unsigned long long)block, compute / 10, compute % 10);
}

/* The lowest block that waits, or (waits false) that has ended. */
static uint64_t lowest_block(const struct engine_grid *grid, const struct engine_job *job, bool waits)
{
    for (uint64_t block = 0; block < job->blocks; block++) {
        bool live = false;
        for (uint32_t i = 0; i < grid->window && !live; i++)
            live = grid->slots[i].live && grid->slots[i].block == block;
        if (live == waits) return block;
    }
    return 0;
}

static void place_of_block(const struct engine_worker *worker, uint64_t block, struct event_place *place)
{
    const uint32_t *grid = worker->job->launch->grid;
    engine_place_set(&worker->ctx, 0, 0, place);
    memset(place->thread, 0, sizeof place->thread);
    place->block[0] = (uint32_t)(block % grid[0]);
    place->block[1] = (uint32_t)(block / grid[0] % grid[1]);
    place->block[2] = (uint32_t)(block / grid[0] / grid[1]);
}

static void barrier_report(struct engine_worker *worker, struct engine_job *job)
{
    const struct event_tool *tool = worker->engine->config.tool;
    struct event_finding finding = {.kind = EVENT_FINDING_BARRIER};
    pthread_mutex_lock(&job->grid->lock);
    uint64_t waits = lowest_block(job->grid, job, true), ended = lowest_block(job->grid, job, false);
    uint32_t live = live_count_locked(job->grid);
    pthread_mutex_unlock(&job->grid->lock);
    place_of_block(worker, waits, &finding.place);
    sw_fail(
        &worker->error, SW_LAUNCH_TIMEOUT,
        "deadlock: %u blocks of kernel '%.100s' wait for ever at the barrier of the grid, block %llu among "
        "them; %llu ended without it, block %llu among them; all blocks must reach it",
        live, job->launch->kernel->info.name, (unsigned long long)waits,
        (unsigned long long)(job->blocks - live), (unsigned long long)ended);
    if (tool && tool->probes & EVENT_PROBE_SYNC) engine_finding_end(&worker->ctx, &finding);
    engine_job_failed(job, &worker->error, &worker->findings, waits);
}

static void grid_report_hang(struct engine_worker *worker, struct engine_job *job, uint64_t block,
                             enum hang hang)
{
    if (hang == HANG_BARRIER) {
        barrier_report(worker, job);
        return;
    }
    engine_grid_hang(&worker->error, job, block, HANGS_AFTER);
    engine_job_failed(job, &worker->error, &worker->findings, block);
}

/* The slot's memory, as a block finds it that begins. */
static void grid_use_slot(struct engine_worker *worker, struct engine_grid *grid, uint32_t number)
{
    struct slot *slot = &grid->slots[number];
    engine_cta_slots_use(&grid->cta_slots, worker, number, slot->fresh, slot->used);
    if (slot->fresh) slot->nan_payloads = 0;
    worker->ctx.nan_payloads = slot->nan_payloads;
    slot->used = true;
    slot->fresh = false;
}

static void grid_body(struct engine_worker *worker, struct engine_job *job)
{
    struct engine_grid *grid = job->grid;
    if (engine_worker_counters(worker, job) != SW_OK) {
        sw_fail(&worker->error, SW_OUT_OF_MEMORY, "no host memory for counters");
        engine_job_failed(job, &worker->error, &worker->findings, 0);
        return;
    }
    engine_worker_context(worker, job);
    uint32_t slot;
    while (grid_next(grid, job, &slot)) {
        if (slot == NO_SLOT) continue;
        grid_use_slot(worker, grid, slot);
        struct step step = {job, grid->slots[slot].block, false};
        bool fine = engine_fault_guard(worker, grid_run_step, &step);
        grid->slots[slot].nan_payloads = worker->ctx.nan_payloads;
        if (!fine) engine_job_failed(job, &worker->error, &worker->findings, step.block);
        if (step.ended) engine_shadow_block_end(job, step.block);
        enum hang hang = grid_back(grid, job, slot, step.ended || !fine);
        if (hang != HANG_NONE) grid_report_hang(worker, job, step.block, hang);
    }
    engine_worker_merge(worker, job);
}

static void grid_slots(struct engine_grid *grid)
{
    grid->slots = sw_xcalloc(grid->window, sizeof *grid->slots);
    grid->ring = sw_xcalloc(grid->window, sizeof *grid->ring);
    grid->free = sw_xcalloc(grid->window, sizeof *grid->free);
    for (uint32_t i = 0; i < grid->window; i++)
        grid->free[i] = grid->window - 1 - i;
    grid->spare = grid->window;
}

void engine_grid_run(struct engine *engine, struct engine_job *job, uint64_t resident)
{
    struct engine_grid grid = {.window = (uint32_t)resident, .burst = 1};
    enum sw_status status = engine_cta_slots_init(&grid.cta_slots, job, grid.window);
    if (status == SW_OK) status = engine_grid_workspace(engine, job);
    if (status != SW_OK) {
        sw_fail(&job->error, status, "no host memory for %llu blocks at once; launch fewer",
                (unsigned long long)resident);
        engine_cta_slots_release(&grid.cta_slots, engine);
        return;
    }
    grid_slots(&grid);
    pthread_mutex_init(&grid.lock, NULL);
    job->grid = &grid;
    job->body = grid_body;
    engine_pool_run(engine->pool, job);
    pthread_mutex_destroy(&grid.lock);
    free(grid.slots);
    free(grid.ring);
    free(grid.free);
    engine_grid_workspace_release(engine, job);
    engine_cta_slots_release(&grid.cta_slots, engine);
}
