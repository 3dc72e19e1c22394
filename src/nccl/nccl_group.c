/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: groups, and how calls come into streams. Method: a thread's calls are kept until its outermost
 * group ends; then those of a communicator become one entry of the stream of the first of them, before and
 * after which the other streams wait, as NCCL documents. A communicator's entries run in the order of the
 * calls, whichever streams they are in. Communicators of a group go in the order of their keys, the same in
 * all ranks. Ranks that join do so in threads of their own. Limits: a call outside of a group is a group. */
#include "nccl_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct call {
    struct ncclComm *comm;
    CUstream stream;
    struct nccl_task task;
    bool taken;
};
static _Thread_local struct {
    int depth;
    ncclResult_t failed; /* the first call that did */
    VEC(struct call) calls;
    VEC(struct nccl_job *) jobs;
} group;

/* ---- one entry */

/* Of one call at least, of a communicator. */
struct batch {
    struct ncclComm *comm;
    VEC(CUstream) streams;
    struct nccl_launch *launch;
};

static bool range(const void *args, uint32_t i, struct event_routine_range *out)
{
    enum { EACH = 3 }; /* nccl_task_range has so many */
    const struct nccl_launch *launch = args;
    if (i / EACH >= launch->count) return false;
    return nccl_task_range(&launch->tasks[i / EACH], launch->comm->rank, launch->comm->ranks, i % EACH, out);
}

/* `after` waits for what is in `before`. */
static CUresult order(CUstream before, CUstream after)
{
    CUevent event;
    CUresult result = cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
    if (result != CUDA_SUCCESS) return result;
    result = cuEventRecord(event, before);
    if (result == CUDA_SUCCESS) result = cuStreamWaitEvent(after, event, 0);
    cuEventDestroy(event);
    return result;
}

/* A call in another stream will wait for this one; the stream may be gone by then. */
static CUresult remember(struct ncclComm *comm, CUstream stream)
{
    CUresult result = CUDA_SUCCESS;
    if (!comm->event) result = cuEventCreate(&comm->event, CU_EVENT_DISABLE_TIMING);
    if (result == CUDA_SUCCESS) result = cuEventRecord(comm->event, stream);
    comm->has_last = result == CUDA_SUCCESS;
    comm->last_stream = stream;
    return result;
}

/* Calls of a capture are ordered by its graph alone. */
static bool is_captured(CUstream stream)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    return cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE;
}

/* All ranks make calls in this group. */
static bool is_whole(const struct ncclComm *comm)
{
    unsigned char seen[NCCL_RANKS_MOST] = {0};
    int count = 0;
    for (size_t i = 0; i < group.calls.count; i++) {
        const struct ncclComm *other = group.calls.at[i].comm;
        if (memcmp(&other->key, &comm->key, sizeof comm->key) != 0 || seen[other->rank]) continue;
        seen[other->rank] = 1;
        count++;
    }
    return count == comm->ranks;
}

static CUresult queue(struct batch *batch)
{
    struct ncclComm *comm = batch->comm;
    CUstream stream = batch->streams.at[0];
    char shape[120];
    struct event_routine_work work = {.start = nccl_start,
                                      .drop = nccl_drop,
                                      .range = range,
                                      .whole = is_whole(comm),
                                      .args = batch->launch,
                                      .arg_bytes = sizeof *batch->launch +
                                                   batch->launch->count * sizeof *batch->launch->tasks};
    nccl_describe(batch->launch, &work.what, shape, sizeof shape);
    bool captured = is_captured(stream);
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 1; i < batch->streams.count && result == CUDA_SUCCESS; i++)
        result = order(batch->streams.at[i], stream);
    if (!captured && comm->has_last && comm->last_stream != stream && result == CUDA_SUCCESS)
        result = cuStreamWaitEvent(stream, comm->event, 0);
    if (result == CUDA_SUCCESS) result = routine_submit("libnccl", stream, &work);
    for (size_t i = 1; i < batch->streams.count && result == CUDA_SUCCESS; i++)
        result = order(stream, batch->streams.at[i]);
    return captured || result != CUDA_SUCCESS ? result : remember(comm, stream);
}

static ncclResult_t submit(struct batch *batch)
{
    CUcontext popped;
    CUresult result = cuCtxPushCurrent(batch->comm->context);
    if (result == CUDA_SUCCESS) {
        result = queue(batch);
        cuCtxPopCurrent(&popped);
    }
    if (result == CUDA_SUCCESS) return ncclSuccess;
    return nccl_error(batch->comm, nccl_status(result), "CUDA error %d when a call was queued", (int)result);
}

/* ---- groups */

static void add_stream(struct batch *batch, CUstream stream)
{
    for (size_t i = 0; i < batch->streams.count; i++)
        if (batch->streams.at[i] == stream) return;
    *vec_push(&batch->streams) = stream;
}

static ncclResult_t submit_comm(struct ncclComm *comm)
{
    struct batch batch = {.comm = comm};
    uint32_t count = 0;
    for (size_t i = 0; i < group.calls.count; i++)
        count += group.calls.at[i].comm == comm;
    batch.launch = sw_xcalloc(1, sizeof *batch.launch + count * sizeof *batch.launch->tasks);
    batch.launch->comm = comm;
    for (size_t i = 0; i < group.calls.count; i++) {
        struct call *call = &group.calls.at[i];
        if (call->comm != comm) continue;
        call->taken = true;
        add_stream(&batch, call->stream);
        batch.launch->tasks[batch.launch->count++] = call->task;
    }
    ncclResult_t result = submit(&batch);
    vec_release(&batch.streams);
    free(batch.launch);
    return result;
}

static bool goes_before(const struct ncclComm *a, const struct ncclComm *b)
{
    int order = memcmp(&a->key, &b->key, sizeof a->key);
    return order < 0 || (order == 0 && a->rank < b->rank);
}

static ncclResult_t submit_calls(void)
{
    ncclResult_t result = ncclSuccess;
    for (struct ncclComm *next; result == ncclSuccess;) {
        next = NULL;
        for (size_t i = 0; i < group.calls.count; i++) {
            const struct call *call = &group.calls.at[i];
            if (!call->taken && (!next || goes_before(call->comm, next))) next = call->comm;
        }
        if (!next) break;
        result = submit_comm(next);
    }
    return result;
}

static void *run_job(void *of)
{
    struct nccl_job *job = of;
    cuCtxSetCurrent(job->comm->context);
    bool blocking = job->comm->blocking;
    job->result = job->run(job);
    if (!blocking) free(job); /* nobody waits for it */
    return NULL;
}

static ncclResult_t run_jobs(void)
{
    ncclResult_t result = ncclSuccess;
    for (size_t i = 0; i < group.jobs.count; i++)
        if (!nccl_thread(&group.jobs.at[i]->thread, run_job, group.jobs.at[i])) BUG("no thread");
    for (size_t i = 0; i < group.jobs.count; i++) {
        struct nccl_job *job = group.jobs.at[i];
        pthread_join(job->thread, NULL);
        if (result == ncclSuccess) result = job->result;
        free(job);
    }
    return result;
}

ncclResult_t nccl_job_add(const struct nccl_job *given)
{
    struct nccl_job *job = sw_xmemdup(given, sizeof *given);
    bool blocking = job->comm->blocking;
    atomic_store(&job->comm->state, ncclInProgress);
    if (!blocking) { /* ncclCommGetAsyncError says when it is done */
        *job->out = job->comm;
        if (!nccl_thread(&job->thread, run_job, job)) BUG("no thread");
        pthread_detach(job->thread);
        return ncclInProgress;
    }
    if (group.depth) {
        *vec_push(&group.jobs) = job;
        return ncclSuccess;
    }
    ncclResult_t result = job->run(job);
    free(job);
    return result;
}

NCCL(GroupStart, void)
{
    group.depth++;
    return ncclSuccess;
}

static void forget(void)
{
    for (size_t i = 0; i < group.jobs.count; i++)
        free(group.jobs.at[i]);
    vec_clear(&group.jobs);
    vec_clear(&group.calls);
    group.failed = ncclSuccess;
}

static ncclResult_t end(void)
{
    ncclResult_t result = group.failed;
    if (result == ncclSuccess && group.jobs.count) {
        result = run_jobs();
        vec_clear(&group.jobs);
    }
    if (result == ncclSuccess) result = submit_calls();
    forget();
    return result;
}

NCCL(GroupEnd, void)
{
    if (group.depth == 0) return nccl_error(NULL, ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
    if (--group.depth) return ncclSuccess;
    return end();
}

NCCL(GroupSimulateEnd, ncclSimInfo_t *info)
{
    static const unsigned MAGIC = 0x74685283; /* NCCL_SIM_INFO_INITIALIZER */
    if (group.depth == 0) return nccl_error(NULL, ncclInvalidUsage, "ncclGroupSimulateEnd without a group");
    ncclResult_t result = group.failed;
    if (--group.depth == 0) forget();
    if (!info) return result;
    if (info->magic != MAGIC) return nccl_error(NULL, ncclInvalidArgument, "the info was not initialized");
    if (group.depth == 0) info->estimatedTime = NCCL_UNDEF_FLOAT; /* softwarp profile predicts times */
    return result;
}

ncclResult_t nccl_call(struct ncclComm *comm, CUstream stream, const struct nccl_task *task)
{
    *vec_push(&group.calls) = (struct call){.comm = comm, .stream = stream, .task = *task};
    return group.depth ? ncclSuccess : end();
}

ncclResult_t nccl_refused(ncclResult_t result)
{
    if (group.depth && group.failed == ncclSuccess) group.failed = result;
    return result;
}
