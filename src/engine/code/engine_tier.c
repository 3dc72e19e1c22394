/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: a large kernel runs soon and, some time later, fast.
 * Method: its first tier is compiled while the launch waits (jit_request.quick). One thread, which exists
 * while there is something to do, makes the full tiers in the order of the requests. Both come from the same
 * analysis and emission, so they agree in jit_info, counters, and what the frames of suspended warps hold;
 * the variant's functions are exchanged between two calls, even within a launch. Only full tiers go to the
 * cache. At exit, the compilations in progress end first, of this thread and of the program's, so that a
 * program that is run again finds the code; jobs that wait are dropped. What compiles later does no harm,
 * since exit destroys nothing of LLVM (jit_keep.c). A module that is unloaded waits until its kernel is
 * emitted, a small part of compiling. Limits: a kernel that is smaller than the limits below compiles once.
 */
#include "engine_tier.h"

#include "engine_cache.h"
#include "engine_load.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* PTX instructions from which on there are two tiers. Measured: of llama.cpp's kernels of 250 to 399
 * instructions the full tier takes 0.17 s and the first 0.06 s (medians), of those of 400 to 699 0.43 s and
 * 0.13 s (docs/performance.md). Assumed: 0.1 s once is not worth a second compilation, which an early exit
 * drops, so that the next run compiles again. With one CPU the second compilation takes the kernel's own
 * time.
 */
enum { TIERS_FROM = 400, TIERS_FROM_ALONE = 1500 };

struct tier_job {
    struct tier_job *next;
    const struct engine_kernel *kernel;
    struct engine_variant *variant; /* NULL: it is gone */
    jit_compile_fn compile;
    struct jit_request request;
    struct cache_key key;
    uint32_t rows;
    bool emitted; /* nothing of the kernel is read any more */
};

static struct {
    pthread_mutex_t lock; /* of all, and of the images of variants that have a job */
    pthread_cond_t changed;
    struct tier_job *jobs, **last; /* that wait */
    struct tier_job *now;
    pthread_t thread;
    bool started, ended; /* a thread is to be joined; it has nothing left to do */
    bool quit;
    unsigned compiling; /* threads of the program that compile */
} tier = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .last = &tier.jobs};

static _Thread_local unsigned compiling_here; /* of tier.compiling; 2: by a signal handler's launch, too */

/* ---- the thread */

static void job_emitted(void *user)
{
    struct tier_job *job = user;
    pthread_mutex_lock(&tier.lock);
    job->emitted = true;
    pthread_cond_broadcast(&tier.changed);
    pthread_mutex_unlock(&tier.lock);
}

static enum sw_status job_take_locked(struct tier_job *job, const struct jit_object *object,
                                      struct sw_error *error)
{
    struct engine_variant *variant = job->variant;
    struct engine_image image;
    if (memcmp(&object->info, &variant->info, sizeof object->info) != 0)
        BUG("the tiers of kernel '%s' differ", variant->kernel->info.name);
    SW_TRY(engine_image_load(object->code, object->bytes, &image, error));
    variant->first.base = variant->image.base;
    variant->first.bytes = variant->image.bytes;
    variant->image.base = image.base;
    variant->image.bytes = image.bytes;
    atomic_store(&variant->image.step, atomic_load(&image.step));
    atomic_store(&variant->image.run, atomic_load(&image.run));
    return SW_OK;
}

static void job_run(struct tier_job *job)
{
    struct jit_object object = {0};
    struct sw_error error;
    enum sw_status status = job->compile(&job->request, &object, &error);
    if (status == SW_OK) engine_cache_write(&job->key, job->rows, &object);
    pthread_mutex_lock(&tier.lock);
    job->emitted = true;
    if (job->variant && status == SW_OK) status = job_take_locked(job, &object, &error);
    if (job->variant && status != SW_OK)
        sw_log("kernel '%s' stays slow, since its optimized code cannot be made: %s", job->kernel->info.name,
               error.message);
    pthread_mutex_unlock(&tier.lock);
    free(object.code);
    free(object.slots);
}

static struct tier_job *next_locked(void)
{
    struct tier_job *job = tier.jobs;
    if (!job) return NULL;
    tier.jobs = job->next;
    if (!tier.jobs) tier.last = &tier.jobs;
    return job;
}

static void *tier_thread(void *argument)
{
    struct tier_job *job;
    pthread_mutex_lock(&tier.lock);
    while ((job = next_locked())) {
        tier.now = job;
        pthread_mutex_unlock(&tier.lock);
        job_run(job);
        pthread_mutex_lock(&tier.lock);
        tier.now = NULL;
        free(job);
        pthread_cond_broadcast(&tier.changed);
    }
    tier.ended = true;
    pthread_mutex_unlock(&tier.lock);
    return argument;
}

/* ---- how it begins and ends */

static void drop_jobs_locked(void)
{
    struct tier_job *job;
    while ((job = next_locked()))
        free(job);
}

/* The first stays, if the thread is about to begin it. */
static void drop_jobs_at_exit_locked(void)
{
    struct tier_job *first = tier.started && !tier.ended && !tier.now ? next_locked() : NULL;
    drop_jobs_locked();
    if (!first) return;
    first->next = NULL;
    tier.jobs = first;
    tier.last = &first->next;
}

static void tier_exit(void)
{
    pthread_mutex_lock(&tier.lock);
    tier.quit = true;
    drop_jobs_at_exit_locked();
    bool started = tier.started;
    tier.started = false;
    while (tier.compiling > compiling_here)
        pthread_cond_wait(&tier.changed, &tier.lock);
    pthread_mutex_unlock(&tier.lock);
    if (started) pthread_join(tier.thread, NULL);
}

static void fork_prepare(void)
{
    pthread_mutex_lock(&tier.lock);
}

static void fork_parent(void)
{
    pthread_mutex_unlock(&tier.lock);
}

/* The child has this thread alone. */
static void fork_child(void)
{
    drop_jobs_locked();
    tier.now = NULL;
    tier.started = false;
    tier.compiling = compiling_here;
    pthread_mutex_unlock(&tier.lock);
}

static void tier_register(void)
{
    pthread_atfork(fork_prepare, fork_parent, fork_child);
    atexit(tier_exit);
}

/* Signals are for the program's own threads. */
int engine_tier_start_thread(void *(*run)(void *), pthread_t *out)
{
    enum { STACK_BYTES = 32 << 20 }; /* LLVM's recursion has no limit of its own: assumed, four times usual */
    sigset_t all, before;
    pthread_attr_t attributes;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(out, &attributes, run, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return failed;
}

static void thread_wanted_locked(void)
{
    if (tier.started && !tier.ended) return;
    if (tier.started) pthread_join(tier.thread, NULL); /* it holds no lock any more */
    tier.ended = false;
    tier.started = engine_tier_start_thread(tier_thread, &tier.thread) == 0;
    if (tier.started) return;
    drop_jobs_locked();
    sw_log("large kernels stay slow: no thread can be started that would optimize them");
}

/* ---- for engine_code.c */

bool engine_tier_begins_quick(const struct engine_kernel *kernel)
{
    const struct engine *engine = kernel->module->engine;
    if (engine->tiers != ENGINE_TIERS_BY_SIZE) return engine->tiers != ENGINE_TIERS_FULL;
    return kernel->function->instr_count >= (engine->cpus > 1 ? TIERS_FROM : TIERS_FROM_ALONE);
}

void engine_tier_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, tier_register);
}

/* A thread that is cancelled meanwhile would never be done. */
enum sw_status engine_tier_compile(const struct engine *engine, const struct jit_request *request,
                                   struct jit_object *out, struct sw_error *error)
{
    int cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_mutex_lock(&tier.lock);
    tier.compiling++;
    compiling_here++;
    pthread_mutex_unlock(&tier.lock);
    enum sw_status status = engine->compile(request, out, error);
    pthread_mutex_lock(&tier.lock);
    compiling_here--;
    tier.compiling--;
    pthread_cond_broadcast(&tier.changed);
    pthread_mutex_unlock(&tier.lock);
    pthread_setcancelstate(cancel, NULL);
    return status;
}

void engine_tier_improve(struct engine_variant *variant, const struct jit_request *request,
                         const struct cache_key *key, uint32_t rows)
{
    const struct engine *engine = variant->kernel->module->engine;
    if (engine->tiers == ENGINE_TIERS_FIRST) return;
    struct tier_job *job = sw_xmalloc(sizeof *job);
    *job = (struct tier_job){.kernel = variant->kernel,
                             .variant = variant,
                             .compile = engine->compile,
                             .request = *request,
                             .key = *key,
                             .rows = rows};
    job->request.quick = false;
    job->request.emitted = job_emitted;
    job->request.user = job;
    pthread_mutex_lock(&tier.lock);
    if (tier.quit) {
        free(job);
    } else {
        *tier.last = job;
        tier.last = &job->next;
        thread_wanted_locked();
    }
    pthread_mutex_unlock(&tier.lock);
}

void engine_tier_forget(const struct engine_kernel *kernel)
{
    pthread_mutex_lock(&tier.lock);
    tier.last = &tier.jobs;
    while (*tier.last) {
        struct tier_job *job = *tier.last;
        if (job->kernel != kernel) {
            tier.last = &job->next;
            continue;
        }
        *tier.last = job->next;
        free(job);
    }
    struct tier_job *now = tier.now;
    if (now && now->kernel == kernel) {
        now->variant = NULL;
        while (tier.now == now && !now->emitted)
            pthread_cond_wait(&tier.changed, &tier.lock);
        if (tier.now == now) now->kernel = NULL;
    }
    pthread_mutex_unlock(&tier.lock);
}
