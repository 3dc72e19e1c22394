/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: loops on all threads. Method: threads that wait from the first long loop on, and parts that
 * whoever is free takes; the caller works, too. One loop at a time has them: another's caller then works
 * alone. Limits: threads stay until the process ends. */
#include "sparse/sparse.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MOST_THREADS = 1024, PARTS_EACH = 4 }; /* parts a thread, so that uneven ones even out */

static struct {
    pthread_mutex_t turn; /* one loop */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    uint32_t helpers, busy;
    uint64_t loop; /* number of the last one */
    sparse_part_fn *run;
    void *context;
    int64_t count, part;
    atomic_llong next;
} pool = {.turn = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .work = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};

static void take_parts(void)
{
    for (;;) {
        int64_t begin = atomic_fetch_add(&pool.next, pool.part), end = begin + pool.part;
        if (begin >= pool.count) return;
        pool.run(pool.context, begin, end < pool.count ? end : pool.count);
    }
}

static void *helper(void *unused)
{
    (void)unused;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.loop == seen)
            pthread_cond_wait(&pool.work, &pool.lock);
        seen = pool.loop;
        pthread_mutex_unlock(&pool.lock);
        take_parts();
        pthread_mutex_lock(&pool.lock);
        if (--pool.busy == 0) pthread_cond_signal(&pool.done);
    }
    return NULL;
}

static uint32_t threads_wanted(void)
{
    const char *text = getenv("SOFTWARP_THREADS");
    cpu_set_t set;
    uint32_t wanted = text ? (uint32_t)strtoul(text, NULL, 10) : 0;
    if (wanted == 0) wanted = sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
    return wanted > MOST_THREADS ? MOST_THREADS : wanted;
}

/* Signals of the program are not theirs; faults are. */
static void start_helpers(void)
{
    static const int FAULTS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    sigset_t all, before;
    pthread_attr_t detached;
    pthread_t thread;
    sigfillset(&all);
    for (size_t i = 0; i < SW_COUNT_OF(FAULTS); i++)
        sigdelset(&all, FAULTS[i]);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (uint32_t i = 1; i < threads_wanted(); i++)
        if (pthread_create(&thread, &detached, helper, NULL) == 0) pool.helpers++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&detached);
}

void sparse_parallel(int64_t count, int64_t grain, sparse_part_fn *run, void *context)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (count <= 0) return;
    if (count > grain) pthread_once(&once, start_helpers);
    if (count <= grain || pool.helpers == 0 || pthread_mutex_trylock(&pool.turn) != 0) {
        run(context, 0, count);
        return;
    }
    pthread_mutex_lock(&pool.lock);
    int64_t part = count / ((int64_t)(pool.helpers + 1) * PARTS_EACH) + 1;
    pool.run = run;
    pool.context = context;
    pool.count = count;
    pool.part = part > grain ? part : grain;
    atomic_store(&pool.next, 0);
    pool.busy = pool.helpers;
    pool.loop++;
    pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.lock);
    take_parts();
    pthread_mutex_lock(&pool.lock);
    while (pool.busy)
        pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
    pthread_mutex_unlock(&pool.turn);
}
