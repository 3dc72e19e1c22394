/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: communicators: how they are made, parted and given up. Method: a unique id is a random key; keys
 * of parts follow from their parent's, so that all their ranks know them without asking. To part, ranks tell
 * each other colors and keys in a clique that lives as long as that takes. Limits: of a configuration only
 * `blocking` changes anything. */
#include "nccl_priv.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static struct ncclComm *comm_new(CUcontext context, int ranks, int rank, const struct nccl_key *key,
                                 bool blocking)
{
    struct ncclComm *comm = sw_xcalloc(1, sizeof *comm);
    *comm = (struct ncclComm){
        .context = context, .rank = rank, .ranks = ranks, .key = *key, .blocking = blocking};
    CUcontext popped;
    if (cuCtxPushCurrent(context) == CUDA_SUCCESS) {
        cuCtxGetDevice(&comm->device);
        cuCtxPopCurrent(&popped);
    }
    comm->blob.device = comm->device;
    nccl_comm_add(comm);
    return comm;
}

static void comm_free(struct ncclComm *comm)
{
    if (comm->event) cuEventDestroy(comm->event);
    nccl_ops_release(&comm->ops);
    free(comm);
}

/* ---- joining */

static ncclResult_t finish(struct nccl_job *job, ncclResult_t result)
{
    struct ncclComm *comm = job->comm;
    atomic_store(&comm->state, result);
    if (result == ncclSuccess) {
        if (comm->blocking) *job->out = comm;
        return result;
    }
    if (comm->blocking && nccl_comm_remove(comm)) comm_free(comm);
    return result;
}

static ncclResult_t run_init(struct nccl_job *job)
{
    return finish(job, nccl_join(job->comm, NULL));
}

/* Which ranks of the parent have this one's color, in the order of their keys. */
static void take_place(struct ncclComm *comm, const struct nccl_blob *blobs, int ranks, int parent_rank)
{
    const struct nccl_blob *mine = &blobs[parent_rank];
    comm->ranks = comm->rank = 0;
    for (int r = 0; r < ranks; r++) {
        if (blobs[r].color != mine->color) continue;
        comm->ranks++;
        comm->rank += blobs[r].key < mine->key || (blobs[r].key == mine->key && r < parent_rank);
    }
}

static ncclResult_t run_split(struct nccl_job *job)
{
    struct ncclComm *comm = job->comm, *parent = job->parent;
    struct nccl_key all = comm->key;
    struct nccl_blob *blobs = sw_xcalloc((size_t)parent->ranks, sizeof *blobs);
    ncclResult_t result = nccl_join(comm, blobs);
    if (result == ncclSuccess) {
        int color = comm->blob.color;
        nccl_leave(comm);
        take_place(comm, blobs, parent->ranks, parent->rank);
        comm->key = nccl_key_child(&all, "color", 0, color);
        if (color == NCCL_SPLIT_NOCOLOR) {
            *job->out = NULL;
            if (nccl_comm_remove(comm)) comm_free(comm);
            free(blobs);
            return ncclSuccess;
        }
        result = nccl_join(comm, NULL);
    }
    free(blobs);
    return finish(job, result);
}

/* ---- configurations */

static ncclResult_t read_config(const ncclConfig_t *config, bool *blocking)
{
    static const unsigned MAGIC = 0xcafebeef; /* NCCL_CONFIG_INITIALIZER */
    if (!config) return ncclSuccess;
    if (config->magic != MAGIC)
        return nccl_error(NULL, ncclInvalidArgument, "the configuration was not initialized");
    bool set = config->blocking != NCCL_CONFIG_UNDEF_INT;
    if (set && config->blocking != 0 && config->blocking != 1)
        return nccl_error(NULL, ncclInvalidArgument, "configuration: blocking is %d", config->blocking);
    bool both = config->minCTAs != NCCL_CONFIG_UNDEF_INT && config->maxCTAs != NCCL_CONFIG_UNDEF_INT;
    if (both && config->minCTAs > config->maxCTAs)
        return nccl_error(NULL, ncclInvalidArgument, "configuration: minCTAs is above maxCTAs");
    if (set) *blocking = config->blocking;
    return ncclSuccess;
}

/* ---- making */

NCCL(GetUniqueId, ncclUniqueId *id)
{
    struct nccl_key key;
    if (!id) return ncclInvalidArgument;
    memset(id, 0, sizeof *id);
    if (getrandom(&key, sizeof key, 0) != (ssize_t)sizeof key)
        return nccl_error(NULL, ncclSystemError, "no random numbers");
    memcpy(id->internal, &key, sizeof key);
    return ncclSuccess;
}

static ncclResult_t init(ncclComm_t *out, int ranks, const ncclUniqueId *id, int rank,
                         const ncclConfig_t *config)
{
    struct nccl_key key;
    CUcontext context;
    bool blocking = true;
    if (!out) return nccl_refused(ncclInvalidArgument);
    if (ranks < 1 || ranks > NCCL_RANKS_MOST || rank < 0 || rank >= ranks)
        return nccl_refused(nccl_error(NULL, ncclInvalidArgument, "rank %d of %d", rank, ranks));
    ncclResult_t result = read_config(config, &blocking);
    if (result == ncclSuccess) result = nccl_status(routine_context(&context));
    if (result != ncclSuccess) return nccl_refused(result);
    memcpy(&key, id->internal, sizeof key);
    struct nccl_job job = {
        .run = run_init, .comm = comm_new(context, ranks, rank, &key, blocking), .out = out};
    return nccl_job_add(&job);
}

NCCL(CommInitRank, ncclComm_t *comm, int ranks, ncclUniqueId id, int rank)
{
    return init(comm, ranks, &id, rank, NULL);
}

NCCL(CommInitRankConfig, ncclComm_t *comm, int ranks, ncclUniqueId id, int rank, ncclConfig_t *config)
{
    return init(comm, ranks, &id, rank, config);
}

/* All ids are known to all ranks: the first is as good as all. */
NCCL(CommInitRankScalable, ncclComm_t *comm, int ranks, int rank, int id_count, ncclUniqueId *ids,
     ncclConfig_t *config)
{
    if (id_count < 1 || id_count > ranks || !ids)
        return nccl_refused(nccl_error(NULL, ncclInvalidArgument, "%d unique ids", id_count));
    return init(comm, ranks, ids, rank, config);
}

static ncclResult_t check_devices(int count, const int *devices)
{
    int there = 0;
    NCCL_TRY(nccl_status(cuInit(0)));
    NCCL_TRY(nccl_status(cuDeviceGetCount(&there)));
    for (int i = 0; i < count; i++) {
        int device = devices ? devices[i] : i;
        if (device < 0 || device >= there)
            return nccl_error(NULL, ncclInvalidArgument, "device %d of %d", device, there);
        for (int k = 0; k < i && devices; k++)
            if (devices[k] == device)
                return nccl_error(NULL, ncclInvalidUsage, "device %d is there twice", device);
    }
    return ncclSuccess;
}

NCCL(CommInitAll, ncclComm_t *out, int count, const int *devices)
{
    ncclUniqueId id;
    CUcontext before = NULL;
    if (!out || count < 1 || count > NCCL_RANKS_MOST)
        return nccl_error(NULL, ncclInvalidArgument, "%d devices", count);
    NCCL_TRY(check_devices(count, devices));
    NCCL_TRY(ncclGetUniqueId(&id));
    cuCtxGetCurrent(&before);
    ncclGroupStart();
    for (int i = 0; i < count; i++) {
        CUcontext context;
        CUresult result = cuDevicePrimaryCtxRetain(&context, devices ? devices[i] : i);
        if (result == CUDA_SUCCESS) result = cuCtxSetCurrent(context);
        if (result == CUDA_SUCCESS)
            (void)init(&out[i], count, &id, i, NULL); /* the group fails with it */
        else
            (void)nccl_refused(nccl_status(result));
    }
    ncclResult_t result = ncclGroupEnd();
    cuCtxSetCurrent(before);
    return result;
}

NCCL(CommSplit, ncclComm_t comm, int color, int key, ncclComm_t *part, ncclConfig_t *config)
{
    if (!nccl_comm_lives(comm) || !part || !comm->clique) return nccl_refused(ncclInvalidArgument);
    bool blocking = comm->blocking;
    ncclResult_t result = read_config(config, &blocking);
    if (result == ncclSuccess && color < 0 && color != NCCL_SPLIT_NOCOLOR)
        result = nccl_error(comm, ncclInvalidArgument, "color %d", color);
    if (result != ncclSuccess) return nccl_refused(result);
    struct nccl_key all = nccl_key_child(&comm->key, "split", comm->splits++, 0);
    struct ncclComm *made = comm_new(comm->context, comm->ranks, comm->rank, &all, blocking);
    made->blob.color = color;
    made->blob.key = key;
    return nccl_job_add(&(struct nccl_job){.run = run_split, .comm = made, .parent = comm, .out = part});
}

/* The rank among those that stay; -1: it does not. */
static int rank_without(const struct ncclComm *comm, const int *excluded, int count)
{
    int before = 0;
    for (int i = 0; i < count; i++) {
        if (excluded[i] == comm->rank) return -1;
        before += excluded[i] < comm->rank;
    }
    return comm->rank - before;
}

NCCL(CommShrink, ncclComm_t comm, int *excluded, int count, ncclComm_t *rest, ncclConfig_t *config, int flags)
{
    if (!nccl_comm_lives(comm) || !rest || !excluded || count < 1 || count >= comm->ranks)
        return nccl_refused(ncclInvalidArgument);
    bool blocking = comm->blocking;
    uint64_t who = 0;
    for (int i = 0; i < count; i++) {
        if (excluded[i] < 0 || excluded[i] >= comm->ranks) return nccl_refused(ncclInvalidArgument);
        who += sw_hash_bytes(&excluded[i], sizeof excluded[i], 3); /* whatever their order */
    }
    int rank = rank_without(comm, excluded, count);
    ncclResult_t result = rank < 0 ? ncclInvalidArgument : read_config(config, &blocking);
    if (result != ncclSuccess) return nccl_refused(result);
    if (flags & NCCL_SHRINK_ABORT) nccl_give_up(comm);
    struct nccl_key key = nccl_key_child(&comm->key, "shrink", comm->shrinks++, (int64_t)who);
    struct ncclComm *made = comm_new(comm->context, comm->ranks - count, rank, &key, blocking);
    return nccl_job_add(&(struct nccl_job){.run = run_init, .comm = made, .out = rest});
}

/* ---- giving up */

/* What was queued is done, or as good as that. */
static void wait_for_calls(struct ncclComm *comm)
{
    CUcontext popped;
    if (!comm->has_last || cuCtxPushCurrent(comm->context) != CUDA_SUCCESS) return;
    cuEventSynchronize(comm->event);
    cuCtxPopCurrent(&popped);
}

NCCL(CommFinalize, ncclComm_t comm)
{
    if (!comm) return ncclSuccess;
    if (!nccl_comm_lives(comm)) return ncclInvalidArgument;
    if (atomic_load(&comm->state) == ncclSuccess) wait_for_calls(comm);
    return ncclSuccess;
}

static ncclResult_t end(struct ncclComm *comm, bool aborts)
{
    if (!comm) return ncclSuccess;
    if (!nccl_comm_lives(comm)) return ncclInvalidArgument;
    if (aborts) atomic_store(&comm->aborted, true);
    for (int i = 0; atomic_load(&comm->state) == ncclInProgress && comm->blocking == false && i < 1000; i++)
        nccl_pause();
    if (aborts && comm->clique) nccl_give_up(comm);
    if (!aborts && atomic_load(&comm->state) == ncclSuccess) wait_for_calls(comm);
    if (!nccl_comm_remove(comm)) return ncclInvalidArgument;
    nccl_leave(comm);
    comm_free(comm);
    return ncclSuccess;
}

NCCL(CommDestroy, ncclComm_t comm)
{
    return end(comm, false);
}

NCCL(CommAbort, ncclComm_t comm)
{
    return end(comm, true);
}

NCCL(CommRevoke, ncclComm_t comm, int flags)
{
    if (!nccl_comm_lives(comm) || flags != NCCL_REVOKE_DEFAULT) return ncclInvalidArgument;
    atomic_store(&comm->aborted, true);
    if (comm->clique) nccl_give_up(comm);
    return ncclSuccess;
}

/* ---- questions */

NCCL(CommGetAsyncError, ncclComm_t comm, ncclResult_t *error)
{
    if (!nccl_comm_lives(comm) || !error) return ncclInvalidArgument;
    *error = atomic_load(&comm->state);
    return ncclSuccess;
}

#define QUESTION(name, member)                                                                               \
    NCCL(name, const ncclComm_t comm, int *out)                                                              \
    {                                                                                                        \
        if (!nccl_comm_lives(comm) || !out) return ncclInvalidArgument;                                      \
        *out = comm->member;                                                                                 \
        return ncclSuccess;                                                                                  \
    }
QUESTION(CommCount, ranks)
QUESTION(CommCuDevice, device)
QUESTION(CommUserRank, rank)
