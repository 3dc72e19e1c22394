/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: host threads for launches, and the memory each needs.
 * Method: the calling thread always works on its own launch; pool threads (one fewer than asked for) join the
 * oldest launch that still has blocks to give out; they are not woken for a launch that, by what its blocks
 * took last, is over sooner than they come. Contexts (struct engine_worker) are kept in a free list,
 * so that their memory is reused by whoever comes next. Limits: a pool thread stays with a launch until it
 * has no blocks left. */
#include "engine_pool.h"

#include "engine_alone.h"

#include "engine/core/engine_fault.h"
#include "engine/record/engine_tape.h"
#include "engine/shadow/engine_shadow.h"

#include <errno.h>

struct engine_pool {
    pthread_mutex_t lock;
    pthread_cond_t work, left; /* a job may need hands; someone left a job */
    struct engine_job *jobs;   /* oldest first */
    pthread_t *threads;
    uint32_t count;
    bool quit;
    struct engine_worker *idle; /* contexts, not threads */
};

enum { SIGNAL_STACK = 64 << 10 };

/* ---- contexts
 * --------------------------------------------------------------------------------------------------- */

static struct engine_worker *worker_take_locked(struct engine_pool *pool, struct engine *engine)
{
    struct engine_worker *worker = pool->idle;
    if (worker)
        pool->idle = worker->next;
    else
        worker = sw_xcalloc(1, sizeof *worker);
    worker->engine = engine;
    return worker;
}

static void worker_free(struct engine_worker *worker)
{
    engine_memory_release(&worker->shared);
    engine_memory_release(&worker->local);
    engine_memory_release(&worker->frames);
    engine_memory_release(&worker->counters);
    engine_memory_release(&worker->records);
    engine_memory_release(&worker->signal_stack);
    engine_tape_free(worker->scratch);
    free(worker);
}

static _Thread_local struct engine_memory own_stack; /* of a thread of ours: its signal stack */

static bool stack_set(struct engine_memory *memory, stack_t *before)
{
    if (!engine_memory_reserve(memory, SIGNAL_STACK)) return false;
    stack_t stack = {.ss_sp = memory->base, .ss_size = SIGNAL_STACK};
    return sigaltstack(&stack, before) == 0;
}

void engine_thread_own(void)
{
    if (!own_stack.base && !stack_set(&own_stack, NULL)) engine_memory_release(&own_stack);
}

static void thread_disown(void)
{
    stack_t none = {.ss_flags = SS_DISABLE};
    if (own_stack.base) sigaltstack(&none, NULL);
    engine_memory_release(&own_stack);
}

/* Run job->body with a signal stack in place; a thread of the program gets its own back afterwards. What the
 * blocks did wrong joins what the job knows. */
static void worker_run(struct engine_worker *worker, struct engine_job *job)
{
    stack_t before = {0};
    bool replaced = !own_stack.base && stack_set(&worker->signal_stack, &before);
    worker->job = job;
    engine_fault_install();
    engine_alone_enter(job->engine);
    job->body(worker, job);
    engine_shadow_leave(worker);
    engine_alone_leave(job->engine);
    worker->job = NULL;
    if (worker->kept.list.count) {
        pthread_mutex_lock(&job->lock);
        engine_kept_join(&job->kept, &worker->kept);
        pthread_mutex_unlock(&job->lock);
    }
    if (replaced) sigaltstack(&before, NULL);
}

/* ---- threads
 * ---------------------------------------------------------------------------------------------------- */

static bool job_wants_hands(struct engine_job *job)
{
    return job->hands < job->hands_max && !atomic_load(&job->stop) && atomic_load(&job->taken) < job->blocks;
}

static struct engine_job *job_find_locked(struct engine_pool *pool)
{
    for (struct engine_job *job = pool->jobs; job; job = job->next)
        if (job_wants_hands(job)) return job;
    return NULL;
}

static void job_work_locked(struct engine_pool *pool, struct engine_job *job)
{
    struct engine_worker *worker = worker_take_locked(pool, job->engine);
    job->hands++;
    pthread_mutex_unlock(&pool->lock);
    worker_run(worker, job);
    pthread_mutex_lock(&pool->lock);
    worker->next = pool->idle;
    pool->idle = worker;
    if (--job->hands == 0) pthread_cond_broadcast(&pool->left);
}

static void *pool_thread(void *argument)
{
    struct engine_pool *pool = argument;
    engine_thread_own();
    pthread_mutex_lock(&pool->lock);
    while (!pool->quit) {
        struct engine_job *job = job_find_locked(pool);
        if (job)
            job_work_locked(pool, job);
        else
            pthread_cond_wait(&pool->work, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    thread_disown();
    return NULL;
}

/* Signals of the program are delivered to its own threads, never to ours; faults are synchronous and still
 * arrive. */
static int thread_start(pthread_t *thread, struct engine_pool *pool)
{
    pthread_attr_t attr;
    sigset_t all, before;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, ENGINE_STACK_BYTES);
    sigfillset(&all);
    for (int i = 0; i < 4; i++)
        sigdelset(&all, (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL}[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int status = pthread_create(thread, &attr, pool_thread, pool);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return status;
}

enum sw_status engine_pool_new(uint32_t threads, struct engine_pool **out, struct sw_error *error)
{
    struct engine_pool *pool = sw_xcalloc(1, sizeof *pool);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->left, NULL);
    pool->threads = sw_xcalloc(threads ? threads : 1, sizeof *pool->threads);
    for (uint32_t i = 0; i < threads; i++, pool->count++)
        if (thread_start(&pool->threads[i], pool) != 0) {
            engine_pool_free(pool);
            return sw_fail(error, SW_OPERATING_SYSTEM,
                           "cannot start host thread %u; set SOFTWARP_THREADS lower", i + 2);
        }
    *out = pool;
    return SW_OK;
}

void engine_pool_free(struct engine_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->count; i++)
        pthread_join(pool->threads[i], NULL);
    while (pool->idle) {
        struct engine_worker *worker = pool->idle;
        pool->idle = worker->next;
        worker_free(worker);
    }
    free(pool->threads);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->work);
    pthread_cond_destroy(&pool->left);
    free(pool);
}

static void job_link_locked(struct engine_pool *pool, struct engine_job *job)
{
    struct engine_job **end = &pool->jobs;
    while (*end)
        end = &(*end)->next;
    job->next = NULL;
    *end = job;
    job->linked = true;
    pthread_cond_broadcast(&pool->work);
}

static void job_unlink_locked(struct engine_pool *pool, struct engine_job *job)
{
    struct engine_job **at = &pool->jobs;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
}

void engine_pool_share(struct engine_pool *pool, struct engine_job *job)
{
    job->alone = false;
    pthread_mutex_lock(&pool->lock);
    job_link_locked(pool, job);
    pthread_mutex_unlock(&pool->lock);
}

void engine_pool_run(struct engine_pool *pool, struct engine_job *job)
{
    bool shared = job->hands_max > 1 && pool->count; /* else nobody needs to see it */
    job->alone = shared && job->alone;
    pthread_mutex_lock(&pool->lock);
    if (shared && !job->alone) job_link_locked(pool, job);
    job_work_locked(pool, job);
    while (job->hands)
        pthread_cond_wait(&pool->left, &pool->lock);
    if (job->linked) job_unlink_locked(pool, job);
    pthread_mutex_unlock(&pool->lock);
}
