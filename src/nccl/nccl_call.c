/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the calls that ranks make together, checked. Method: each becomes a task (nccl_group.c). What is
 * refused in a group makes the group fail. Limits: pointers are looked at when the call begins, by the
 * driver. */
#include "nccl_priv.h"

#include <stdlib.h>

static ncclResult_t check(struct ncclComm *comm, struct nccl_task *task)
{
    if (!nccl_comm_lives(comm))
        return nccl_error(NULL, ncclInvalidArgument, "%s: no communicator", task->name);
    ncclResult_t state = atomic_load(&comm->state);
    if (!comm->clique || state == ncclInProgress)
        return nccl_error(comm, ncclInvalidArgument, "%s: the communicator is not ready", task->name);
    if (state != ncclSuccess) return nccl_error(comm, state, "%s: the communicator has failed", task->name);
    if (!nccl_type_bytes(task->type))
        return nccl_error(comm, ncclInvalidArgument, "%s: data type %d", task->name, (int)task->type);
    if (task->root < 0 || task->root >= comm->ranks)
        return nccl_error(comm, ncclInvalidArgument, "%s: rank %d of %d", task->name, task->root,
                          comm->ranks);
    return ncclSuccess;
}

static ncclResult_t call(struct ncclComm *comm, cudaStream_t stream, struct nccl_task task, ncclRedOp_t op)
{
    ncclResult_t result = check(comm, &task);
    if (result == ncclSuccess && nccl_is_reduction(task.function))
        result = nccl_op_get(comm, op, task.type, &task.op);
    if (result != ncclSuccess) return nccl_refused(result);
    bool pair = task.function == NCCL_SEND || task.function == NCCL_RECV;
    if (task.count == 0 && !pair) return ncclSuccess;
    return nccl_call(comm, (CUstream)stream, &task);
}

NCCL(AllReduce, const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
     ncclComm_t comm, cudaStream_t stream)
{
    struct nccl_task task = {NCCL_ALL_REDUCE, __func__, send, receive, count, type, .root = 0};
    return call(comm, stream, task, op);
}

NCCL(Reduce, const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op, int root,
     ncclComm_t comm, cudaStream_t stream)
{
    struct nccl_task task = {NCCL_REDUCE, __func__, send, receive, count, type, .root = root};
    return call(comm, stream, task, op);
}

NCCL(ReduceScatter, const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
     ncclComm_t comm, cudaStream_t stream)
{
    struct nccl_task task = {NCCL_REDUCE_SCATTER, __func__, send, receive, count, type, .root = 0};
    return call(comm, stream, task, op);
}

NCCL(Broadcast, const void *send, void *receive, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
     cudaStream_t stream)
{
    struct nccl_task task = {NCCL_BROADCAST, __func__, send, receive, count, type, .root = root};
    return call(comm, stream, task, ncclSum);
}

NCCL(Bcast, void *memory, size_t count, ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream)
{
    struct nccl_task task = {NCCL_BROADCAST, __func__, memory, memory, count, type, .root = root};
    return call(comm, stream, task, ncclSum);
}

NCCL(AllGather, const void *send, void *receive, size_t count, ncclDataType_t type, ncclComm_t comm,
     cudaStream_t stream)
{
    struct nccl_task task = {NCCL_ALL_GATHER, __func__, send, receive, count, type, .root = 0};
    return call(comm, stream, task, ncclSum);
}

NCCL(AlltoAll, const void *send, void *receive, size_t count, ncclDataType_t type, ncclComm_t comm,
     cudaStream_t stream)
{
    struct nccl_task task = {NCCL_ALL_TO_ALL, __func__, send, receive, count, type, .root = 0};
    return call(comm, stream, task, ncclSum);
}

NCCL(Gather, const void *send, void *receive, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
     cudaStream_t stream)
{
    struct nccl_task task = {NCCL_GATHER, __func__, send, receive, count, type, .root = root};
    return call(comm, stream, task, ncclSum);
}

NCCL(Scatter, const void *send, void *receive, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
     cudaStream_t stream)
{
    struct nccl_task task = {NCCL_SCATTER, __func__, send, receive, count, type, .root = root};
    return call(comm, stream, task, ncclSum);
}

NCCL(Send, const void *send, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
     cudaStream_t stream)
{
    struct nccl_task task = {NCCL_SEND, __func__, send, NULL, count, type, .root = peer};
    return call(comm, stream, task, ncclSum);
}

NCCL(Recv, void *receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream)
{
    struct nccl_task task = {NCCL_RECV, __func__, NULL, receive, count, type, .root = peer};
    return call(comm, stream, task, ncclSum);
}
