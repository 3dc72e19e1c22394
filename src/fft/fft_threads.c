/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: memory of threads, and transforms by several of them. Method: threads are started at the first
 * transform that is worth them, as many as SOFTWARP_THREADS says or the process may use, and wait for the
 * next; parts are handed out one after the other. Limits: one transform at a time is spread; another that
 * comes meanwhile is computed by its own thread, as is one that a part asks for. */
#include "fft_priv.h"

#include "base/base_reserve.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- memory */

struct memory {
    void *at[FFT_SCRATCHES];
    uint64_t bytes[FFT_SCRATCHES];
};
static pthread_key_t memory_key;
static pthread_once_t memory_once = PTHREAD_ONCE_INIT;

static void memory_free(void *user)
{
    struct memory *memory = user;
    for (int i = 0; i < FFT_SCRATCHES; i++)
        free(memory->at[i]);
    free(memory);
}

static void memory_init(void)
{
    if (pthread_key_create(&memory_key, memory_free)) abort();
}

void *fft_scratch_get(enum fft_scratch purpose, uint64_t bytes)
{
    pthread_once(&memory_once, memory_init);
    struct memory *memory = pthread_getspecific(memory_key);
    if (!memory) {
        memory = sw_xcalloc(1, sizeof *memory);
        pthread_setspecific(memory_key, memory);
    }
    if (memory->bytes[purpose] < bytes) {
        uint64_t rounded = (bytes + FFT_VECTOR_BYTES - 1) / FFT_VECTOR_BYTES * FFT_VECTOR_BYTES;
        free(memory->at[purpose]);
        memory->at[purpose] = aligned_alloc(FFT_VECTOR_BYTES, rounded);
        if (!memory->at[purpose]) sw_out_of_memory(rounded);
        memory->bytes[purpose] = rounded;
    }
    return memory->at[purpose];
}

/* ---- threads */

enum { THREADS_MOST = 256, PARTS = 4 }; /* parts: a thread that is late leaves the rest to others */
/* Operations of registers that a thread does in some 20 microseconds, several times what waking it takes. */
static const double COST_LEAST = 50e3;

static struct {
    pthread_mutex_t busy, lock;
    pthread_cond_t work, done;
    unsigned threads; /* started */
    uint64_t turn;    /* changes with each transform */
    fft_part_fn *body;
    void *user;
    int64_t count, part;
    _Atomic int64_t next;
    unsigned running; /* threads that have not ended their parts */
} pool = {.busy = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .work = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};
static _Thread_local bool in_part;

static unsigned threads_wanted(void)
{
    cpu_set_t set;
    const char *text = getenv("SOFTWARP_THREADS");
    int threads = text ? atoi(text) : 0;
    if (threads <= 0) threads = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return threads < THREADS_MOST ? (unsigned)threads : THREADS_MOST;
}

static void parts_run(void)
{
    in_part = true;
    for (int64_t first; (first = atomic_fetch_add(&pool.next, pool.part)) < pool.count;) {
        int64_t last = first + pool.part < pool.count ? first + pool.part : pool.count;
        pool.body(pool.user, first, last);
    }
    in_part = false;
}

static void *thread_run(void *user)
{
    uint64_t seen = 0;
    (void)user;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.turn == seen)
            pthread_cond_wait(&pool.work, &pool.lock);
        seen = pool.turn;
        pthread_mutex_unlock(&pool.lock);
        parts_run();
        pthread_mutex_lock(&pool.lock);
        if (--pool.running == 0) pthread_cond_signal(&pool.done);
    }
    return NULL;
}

static void threads_start(void)
{
    unsigned wanted = threads_wanted() - 1; /* the caller is one */
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    for (pthread_t thread; pool.threads < wanted; pool.threads++)
        if (pthread_create(&thread, &attributes, thread_run, NULL)) break;
    pthread_attr_destroy(&attributes);
}

static void spread(int64_t count, fft_part_fn *body, void *user)
{
    static bool started;
    if (!started) threads_start();
    started = true;
    if (pool.threads == 0) {
        body(user, 0, count);
        return;
    }
    pthread_mutex_lock(&pool.lock);
    int64_t parts = (int64_t)(pool.threads + 1) * PARTS;
    pool.body = body, pool.user = user, pool.count = count;
    pool.part = count > parts ? (count + parts - 1) / parts : 1;
    atomic_store(&pool.next, 0);
    pool.running = pool.threads;
    pool.turn++;
    pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.lock);
    parts_run();
    pthread_mutex_lock(&pool.lock);
    while (pool.running > 0)
        pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

void fft_parallel(int64_t count, double cost, fft_part_fn *body, void *user)
{
    if (in_part || count < 2 || cost < 2 * COST_LEAST || pthread_mutex_trylock(&pool.busy)) {
        body(user, 0, count);
        return;
    }
    spread(count, body, user);
    pthread_mutex_unlock(&pool.busy);
}
