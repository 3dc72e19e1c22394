/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: kernels are compiled before they are launched, while the program does something else.
 * Method: one thread, which exists while there is something to do, takes modules in the order in which they
 * were loaded and has their kernels compiled in the order of the PTX. A launch of another kernel compiles it
 * at once; a launch of the kernel that is being compiled waits for the rest of it. At exit the kernel in
 * progress ends first (engine_tier.c). Limits: nothing happens with one CPU, since no core is idle, nor under
 * a tool with probes, which runs other code. A kernel that is launched with another block compiles at its
 * launch. */
#include "engine_ahead.h"

#include "engine_tier.h"

#include <stdlib.h>

struct ahead_job {
    struct ahead_job *next;
    struct engine_module *module;
    uint32_t device;
    engine_ahead_fn *compile;
};

static struct {
    pthread_mutex_t lock; /* of all */
    pthread_cond_t changed;
    struct ahead_job *jobs, **last; /* that wait */
    struct engine_module *now;      /* whose kernels are being compiled */
    bool stop;                      /* `now` is about to go */
    bool running;                   /* the thread */
    bool quit;
} ahead = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .last = &ahead.jobs};

/* ---- the thread */

static bool ahead_goes_on(void)
{
    pthread_mutex_lock(&ahead.lock);
    bool goes_on = !ahead.quit && !ahead.stop;
    pthread_mutex_unlock(&ahead.lock);
    return goes_on;
}

static void compile_kernels(const struct ahead_job *job)
{
    const struct ptx_module *ptx = job->module->ptx;
    for (uint32_t i = 0; i < ptx->function_count && ahead_goes_on(); i++)
        if (ptx->functions[i]->is_entry && ptx->functions[i]->has_body)
            job->compile(job->module, ptx->functions[i]->name, job->device);
}

static struct ahead_job *next_locked(void)
{
    struct ahead_job *job = ahead.jobs;
    if (!job) return NULL;
    ahead.jobs = job->next;
    if (!ahead.jobs) ahead.last = &ahead.jobs;
    return job;
}

static void *ahead_thread(void *argument)
{
    struct ahead_job *job;
    pthread_mutex_lock(&ahead.lock);
    while (!ahead.quit && (job = next_locked())) {
        ahead.now = job->module;
        ahead.stop = false;
        pthread_mutex_unlock(&ahead.lock);
        compile_kernels(job);
        free(job);
        pthread_mutex_lock(&ahead.lock);
        ahead.now = NULL;
        pthread_cond_broadcast(&ahead.changed);
    }
    ahead.running = false;
    pthread_mutex_unlock(&ahead.lock);
    return argument;
}

/* ---- how it begins and ends */

static void drop_jobs_locked(const struct engine_module *module) /* NULL: all */
{
    ahead.last = &ahead.jobs;
    while (*ahead.last) {
        struct ahead_job *job = *ahead.last;
        if (module && job->module != module) {
            ahead.last = &job->next;
            continue;
        }
        *ahead.last = job->next;
        free(job);
    }
}

/* engine_tier.c waits for the compilation in progress. */
static void ahead_exit(void)
{
    pthread_mutex_lock(&ahead.lock);
    ahead.quit = true;
    drop_jobs_locked(NULL);
    pthread_mutex_unlock(&ahead.lock);
}

static void fork_prepare(void)
{
    pthread_mutex_lock(&ahead.lock);
}

static void fork_parent(void)
{
    pthread_mutex_unlock(&ahead.lock);
}

/* The child does not have the thread. */
static void fork_child(void)
{
    drop_jobs_locked(NULL);
    ahead.now = NULL;
    ahead.running = false;
    pthread_mutex_unlock(&ahead.lock);
}

static void ahead_register(void)
{
    engine_tier_watch(); /* registered before: at exit it comes after */
    pthread_atfork(fork_prepare, fork_parent, fork_child);
    atexit(ahead_exit);
}

static void thread_wanted_locked(void)
{
    pthread_t thread;
    if (ahead.running) return;
    ahead.running = engine_tier_start_thread(ahead_thread, &thread) == 0;
    if (ahead.running)
        pthread_detach(thread);
    else
        drop_jobs_locked(NULL); /* no harm: kernels compile when they are launched */
}

void engine_ahead_add(struct engine_module *module, uint32_t device, engine_ahead_fn *compile)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct engine *engine = module->engine;
    if (engine->cpus < 2 || (engine->config.tool && engine->config.tool->probes)) return;
    pthread_once(&once, ahead_register);
    struct ahead_job *job = sw_xmalloc(sizeof *job);
    *job = (struct ahead_job){.module = module, .device = device, .compile = compile};
    pthread_mutex_lock(&ahead.lock);
    if (ahead.quit) {
        free(job);
    } else {
        *ahead.last = job;
        ahead.last = &job->next;
        thread_wanted_locked();
    }
    pthread_mutex_unlock(&ahead.lock);
}

void engine_ahead_forget(const struct engine_module *module)
{
    pthread_mutex_lock(&ahead.lock);
    drop_jobs_locked(module);
    if (ahead.now == module) ahead.stop = true;
    while (ahead.now == module)
        pthread_cond_wait(&ahead.changed, &ahead.lock);
    pthread_mutex_unlock(&ahead.lock);
}
