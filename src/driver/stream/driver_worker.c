/* SPDX-License-Identifier: Apache-2.0 */
/* Worker threads: they empty the queues of driver_scheduler.c.
 *
 * Workers are made when ready work finds none idle, at most 128 (as many grids as a GPU runs at once), and
 * stay; one that runs a kernel which waits for another stream or for the host holds up nobody else. One of
 * the idle ones looks for work for some microseconds before it sleeps, as threads that wait for work do: to
 * wake a thread costs more than a small kernel. A woken worker counts as coming until it looks, so that
 * nobody wakes a second one for the same work. */
#include "driver_scheduler.h"

#include "base/base_host.h"

#include <sched.h>
#include <signal.h>
#include <time.h>

/* Spinning: a round trip of an empty kernel takes 3 microseconds, waking a sleeping thread 5 to 50. */
enum { MAX_WORKERS = 128, SMALL_STACK = 8 << 20, SPIN_NS = 30000, LOOKS_A_YIELD = 4 };

pthread_mutex_t driver_scheduler_lock = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t work_ready = PTHREAD_COND_INITIALIZER, work_done = PTHREAD_COND_INITIALIZER;
static unsigned workers, asleep, coming; /* coming: called, have not looked yet */
static bool spinning;                    /* one worker */

/* ---- spinning */

static bool one_processor(void)
{
    static atomic_int count;
    if (atomic_load_explicit(&count, memory_order_relaxed) == 0) {
        cpu_set_t set;
        int found = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
        atomic_store_explicit(&count, found, memory_order_relaxed);
    }
    return atomic_load_explicit(&count, memory_order_relaxed) < 2;
}

/* A few looks, then whoever wants this processor may have it. false: it has been long enough. */
static bool spin_on(unsigned *looks, uint64_t end_ns)
{
    sw_host_pause();
    if (++*looks % LOOKS_A_YIELD != 0) return true;
    sched_yield();
    return driver_now_ns() < end_ns;
}

void driver_worker_spin(const atomic_ullong *counter, uint64_t value)
{
    if (one_processor()) return;
    uint64_t end_ns = driver_now_ns() + SPIN_NS;
    for (unsigned looks = 0; atomic_load_explicit(counter, memory_order_acquire) < value;)
        if (!spin_on(&looks, end_ns)) return;
}

/* A worker without work. */
static void spin_locked(void)
{
    spinning = true;
    pthread_mutex_unlock(&driver_scheduler_lock);
    uint64_t end_ns = driver_now_ns() + SPIN_NS;
    for (unsigned looks = 0; atomic_load_explicit(&driver_scheduler_ready, memory_order_relaxed) == 0;)
        if (!spin_on(&looks, end_ns)) break;
    pthread_mutex_lock(&driver_scheduler_lock);
    spinning = false;
}

/* ---- threads */

static void *worker_main(void *unused)
{
    (void)unused;
    engine_thread_own();
    pthread_mutex_lock(&driver_scheduler_lock);
    coming--;
    for (;;) {
        while (driver_scheduler_step_locked())
            continue;
        if (!spinning && !one_processor()) spin_locked();
        if (atomic_load(&driver_scheduler_ready)) continue;
        asleep++;
        pthread_cond_wait(&work_ready, &driver_scheduler_lock);
        if (coming)
            coming--;
        else
            asleep--; /* nobody called it */
    }
    return NULL;
}

/* Signals of the program are delivered to its own threads, never to ours; faults are synchronous and still
 * arrive. */
static int thread_start(size_t stack_bytes)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    sigfillset(&all);
    for (int i = 0; i < 4; i++)
        sigdelset(&all, (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL}[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&thread, &attributes, worker_main, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return failed;
}

static bool worker_new_locked(void)
{
    if (workers == MAX_WORKERS) return false;
    int failed = thread_start(ENGINE_STACK_BYTES);
    if (failed) failed = thread_start(SMALL_STACK); /* no address space for so large a stack */
    if (failed) return false;
    workers++;
    return true;
}

bool driver_worker_first(void)
{
    pthread_mutex_lock(&driver_scheduler_lock);
    bool made = workers > 0;
    if (!made && worker_new_locked()) {
        made = true;
        coming++;
    }
    pthread_mutex_unlock(&driver_scheduler_lock);
    return made;
}

unsigned driver_worker_call_locked(bool looks)
{
    unsigned count = 0;
    unsigned wanted = atomic_load_explicit(&driver_scheduler_ready, memory_order_relaxed);
    for (; wanted > coming + spinning + looks; coming++) {
        if (asleep) {
            asleep--;
            count++;
        } else if (!worker_new_locked()) {
            break;
        }
    }
    return count;
}

void driver_worker_wake(unsigned count)
{
    for (; count; count--)
        pthread_cond_signal(&work_ready);
}

/* ---- those who wait for work to be done */

void driver_worker_sleep_locked(uint64_t deadline_ns)
{
    struct timespec until = {.tv_sec = (time_t)(deadline_ns / 1000000000u),
                             .tv_nsec = (long)(deadline_ns % 1000000000u)};
    if (deadline_ns)
        pthread_cond_clockwait(&work_done, &driver_scheduler_lock, CLOCK_MONOTONIC, &until);
    else
        pthread_cond_wait(&work_done, &driver_scheduler_lock);
}

void driver_worker_wake_sleepers(void)
{
    pthread_cond_broadcast(&work_done);
}
