/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: atomics without the host's, ten times as fast, while one host thread runs all there is.
 * Method: threads count themselves when they begin with a launch. One that finds itself alone takes the lock
 * for a call of emitted code, and one that comes then waits for the end of the call, some blocks later. Only
 * calls that end whatever others do may be waited for: kernels without waiting loops. The thread that comes
 * adds itself and then looks at `taken`, the one that is there sets `taken` and then looks at the count, both
 * sequentially consistent, so that one of them sees the other. Limits: the host's own accesses of memory are
 * not among them (atomics of the system's scope stay the host's), nor copies, which nobody may expect to be
 * atomic. */
#include "engine_alone.h"

void engine_alone_init(struct engine *engine)
{
    pthread_mutex_init(&engine->alone.lock, NULL);
}

void engine_alone_release(struct engine *engine)
{
    pthread_mutex_destroy(&engine->alone.lock);
}

void engine_alone_enter(struct engine *engine)
{
    atomic_fetch_add(&engine->alone.running, 1);
    if (!atomic_load(&engine->alone.taken)) return;
    pthread_mutex_lock(&engine->alone.lock);
    pthread_mutex_unlock(&engine->alone.lock);
}

void engine_alone_leave(struct engine *engine)
{
    atomic_fetch_sub(&engine->alone.running, 1);
}

static void give_back(struct engine_alone *alone)
{
    atomic_store(&alone->taken, false);
    pthread_mutex_unlock(&alone->lock);
}

void engine_alone_begin(struct engine_worker *worker)
{
    struct engine_alone *alone = &worker->engine->alone;
    worker->ctx.alone = false;
    if (atomic_load_explicit(&alone->running, memory_order_relaxed) != 1) return;
    if (pthread_mutex_trylock(&alone->lock) != 0) return;
    atomic_store(&alone->taken, true);
    worker->ctx.alone = atomic_load(&alone->running) == 1;
    if (!worker->ctx.alone) give_back(alone);
}

void engine_alone_end(struct engine_worker *worker)
{
    if (!worker->ctx.alone) return;
    worker->ctx.alone = false;
    give_back(&worker->engine->alone);
}
