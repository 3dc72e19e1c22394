/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what a host thread keeps while it runs blocks: its counters, and where its stack lies. Method:
 * counters are a thread's own until it has no more blocks. Limits: none known. */
#include "engine_job.h"

#include <string.h>

enum sw_status engine_worker_counters(struct engine_worker *worker, const struct engine_job *job)
{
    size_t bytes = job->variant->info.slot_count * sizeof(uint64_t);
    if (!job->counters) return SW_OK;
    if (!engine_memory_reserve(&worker->counters, bytes)) return SW_OUT_OF_MEMORY;
    memset(worker->counters.base, 0, bytes);
    return SW_OK;
}

void engine_worker_merge(struct engine_worker *worker, struct engine_job *job)
{
    if (!job->counters) return;
    pthread_mutex_lock(&job->lock);
    for (uint32_t i = 0; i < job->variant->info.slot_count; i++)
        job->counters[i] += worker->ctx.counters[i];
    pthread_mutex_unlock(&job->lock);
}

void engine_worker_stack(struct engine_worker *worker)
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
