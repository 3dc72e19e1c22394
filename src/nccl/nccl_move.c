/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what each collective moves where. Method: an operand is one block, or one for each rank; blocks go
 * in chunks. A chunk of all ranks that give one is read whole before any rank's part of it is written, so
 * operands that NCCL allows to be in place may be. */
#include "nccl_priv.h"

#include <stdio.h>
#include <string.h>

bool nccl_is_reduction(enum nccl_function function)
{
    return function == NCCL_ALL_REDUCE || function == NCCL_REDUCE || function == NCCL_REDUCE_SCATTER;
}

static uint64_t block_bytes(const struct nccl_task *task)
{
    return task->count * nccl_type_bytes(task->type);
}

/* Of what is given: one for each rank. */
static bool has_blocks(enum nccl_function function)
{
    return function == NCCL_REDUCE_SCATTER || function == NCCL_ALL_TO_ALL || function == NCCL_SCATTER;
}

bool nccl_chunk_next(const struct nccl_task *task, int ranks, struct nccl_chunk *chunk)
{
    uint64_t bytes = block_bytes(task), end = chunk->offset + chunk->bytes;
    if (end >= bytes) {
        chunk->block++;
        end = 0;
    }
    if (chunk->block >= (has_blocks(task->function) ? ranks : 1)) return false;
    chunk->offset = end;
    chunk->bytes = bytes - end < NCCL_CHUNK_BYTES ? bytes - end : NCCL_CHUNK_BYTES;
    return true;
}

bool nccl_publishes(const struct nccl_task *task, int rank)
{
    bool one = task->function == NCCL_BROADCAST || task->function == NCCL_SCATTER;
    return !one || rank == task->root;
}

const unsigned char *nccl_chunk_source(const struct nccl_task *task, const struct nccl_chunk *chunk)
{
    return (const unsigned char *)task->send + (uint64_t)chunk->block * block_bytes(task) + chunk->offset;
}

static bool receives(const struct nccl_task *task, int rank, const struct nccl_chunk *chunk)
{
    switch ((int)task->function) {
    case NCCL_REDUCE:
    case NCCL_GATHER: return rank == task->root;
    case NCCL_REDUCE_SCATTER:
    case NCCL_ALL_TO_ALL:
    case NCCL_SCATTER: return rank == chunk->block;
    default: return true;
    }
}

static void copy(void *to, const void *from, uint64_t bytes)
{
    if (to != from) memmove(to, from, bytes);
}

void nccl_chunk_deliver(const struct nccl_task *any, struct nccl_posted *const *tasks, int ranks,
                        const struct nccl_chunk *chunk, const void *const *sources, const struct nccl_op *ops,
                        void *room)
{
    uint64_t bytes = block_bytes(any);
    bool reduced = false;
    for (int r = 0; r < ranks; r++) {
        if (!tasks[r] || !receives(any, r, chunk)) continue;
        unsigned char *to = (unsigned char *)tasks[r]->task.recv + chunk->offset;
        if (nccl_is_reduction(any->function)) {
            if (!reduced)
                nccl_reduce(any->type, ops, ranks, sources, room, chunk->bytes / nccl_type_bytes(any->type));
            reduced = true;
            memcpy(to, room, chunk->bytes);
        } else if (any->function == NCCL_BROADCAST || any->function == NCCL_SCATTER) {
            copy(to, sources[any->root], chunk->bytes);
        } else {
            for (int from = 0; from < ranks; from++)
                copy(to + (uint64_t)from * bytes, sources[from], chunk->bytes);
        }
    }
}

/* ---- what it reads and writes */

static uint64_t send_bytes(const struct nccl_task *task, int rank, int ranks)
{
    if (task->function == NCCL_RECV || !nccl_publishes(task, rank)) return 0;
    return block_bytes(task) * (has_blocks(task->function) ? (uint64_t)ranks : 1);
}

static uint64_t recv_bytes(const struct nccl_task *task, int rank, int ranks)
{
    switch ((int)task->function) {
    case NCCL_SEND: return 0;
    case NCCL_REDUCE: return rank == task->root ? block_bytes(task) : 0;
    case NCCL_GATHER: return rank == task->root ? block_bytes(task) * (uint64_t)ranks : 0;
    case NCCL_ALL_GATHER:
    case NCCL_ALL_TO_ALL: return block_bytes(task) * (uint64_t)ranks;
    default: return block_bytes(task);
    }
}

bool nccl_task_range(const struct nccl_task *task, int rank, int ranks, uint32_t i,
                     struct event_routine_range *out)
{
    enum { SCALAR, OPERAND, RESULT, COUNT };
    uint64_t bytes = i == SCALAR    ? task->op.device ? nccl_type_bytes(task->type) : 0
                     : i == OPERAND ? send_bytes(task, rank, ranks)
                                    : recv_bytes(task, rank, ranks);
    const void *at = i == SCALAR ? task->op.device : i == OPERAND ? task->send : task->recv;
    *out = (struct event_routine_range){.address = (uintptr_t)at,
                                        .pitch = bytes,
                                        .width = bytes,
                                        .height = bytes ? 1 : 0,
                                        .writes = i == RESULT};
    return i < COUNT;
}

/* ---- in words */

static const char *type_name(ncclDataType_t type)
{
    static const char *const NAMES[] = {
        [ncclInt8] = "int8",       [ncclUint8] = "uint8",         [ncclInt32] = "int32",
        [ncclUint32] = "uint32",   [ncclInt64] = "int64",         [ncclUint64] = "uint64",
        [ncclFloat16] = "float16", [ncclFloat32] = "float32",     [ncclFloat64] = "float64",
        [ncclBfloat16] = "bf16",   [ncclFloat8e4m3] = "fp8 e4m3", [ncclFloat8e5m2] = "fp8 e5m2"};
    return NAMES[type];
}

static enum event_routine_pattern pattern_of(enum nccl_function function)
{
    switch ((int)function) {
    case NCCL_ALL_REDUCE: return EVENT_PATTERN_ALL_REDUCE;
    case NCCL_BROADCAST: return EVENT_PATTERN_BROADCAST;
    case NCCL_REDUCE: return EVENT_PATTERN_REDUCE;
    case NCCL_ALL_GATHER: return EVENT_PATTERN_ALL_GATHER;
    case NCCL_REDUCE_SCATTER: return EVENT_PATTERN_REDUCE_SCATTER;
    default: return EVENT_PATTERN_EXCHANGE;
    }
}

/* What event_routine.h takes for the bytes of a pattern; of an exchange: to and from other ranks. */
static void add_traffic(const struct nccl_task *task, int rank, int ranks, uint64_t *out, uint64_t *in)
{
    uint64_t block = block_bytes(task), others = (uint64_t)ranks - 1;
    bool root = rank == task->root;
    switch ((int)task->function) {
    case NCCL_ALL_GATHER:
    case NCCL_REDUCE_SCATTER: *out += block * (uint64_t)ranks; break;
    case NCCL_ALL_TO_ALL: *out += block * others, *in += block * others; break;
    case NCCL_GATHER: *(root ? in : out) += root ? block * others : block; break;
    case NCCL_SCATTER: *(root ? out : in) += root ? block * others : block; break;
    case NCCL_SEND: *out += root ? 0 : block; break;
    case NCCL_RECV: *in += root ? 0 : block; break;
    default: *out += block; break;
    }
}

void nccl_describe(const struct nccl_launch *launch, struct event_routine *what, char *shape, size_t bytes)
{
    int rank = launch->comm->rank, ranks = launch->comm->ranks;
    const struct nccl_task *first = launch->tasks;
    uint64_t out = 0, in = 0, elements = 0;
    bool same = true;
    *what = (struct event_routine){.kind = EVENT_ROUTINE_COLLECTIVE,
                                   .math = EVENT_MATH_F32,
                                   .m = (uint64_t)ranks,
                                   .k = pattern_of(first->function),
                                   .batch = 1};
    for (uint32_t i = 0; i < launch->count; i++) {
        const struct nccl_task *task = &launch->tasks[i];
        add_traffic(task, rank, ranks, &out, &in);
        what->read_bytes += send_bytes(task, rank, ranks);
        what->wrote_bytes += recv_bytes(task, rank, ranks);
        if (nccl_is_reduction(task->function)) what->flops += task->count * ((uint64_t)ranks - 1);
        elements += task->count;
        same &= task->name == first->name && task->type == first->type;
    }
    what->n = out > in ? out : in;
    what->name = same ? first->name : "ncclGroupEnd";
    if (same && launch->count == 1)
        snprintf(shape, bytes, "%llu %s, %d ranks", (unsigned long long)elements, type_name(first->type),
                 ranks);
    else if (same)
        snprintf(shape, bytes, "%u calls, %llu %s, %d ranks", launch->count, (unsigned long long)elements,
                 type_name(first->type), ranks);
    else
        snprintf(shape, bytes, "%u calls, %d ranks", launch->count, ranks);
    what->shape = shape;
}
