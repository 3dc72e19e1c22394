/* SPDX-License-Identifier: Apache-2.0 */
/* Stream memory operations: words written, and waited for, in stream order; one at a time, in batches, and as
 * nodes of graphs. One operation is a batch of one.
 *
 * A wait polls and gives the processor away in between; it ends when its context fails. Barriers and flushes
 * of remote writes are memory fences of the host: all memory is one. */
#include "driver_copy.h"

#include "driver/memory/driver_memory.h"
#include "driver/stream/driver_stream.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERATIONS = 255 }; /* cuStreamBatchMemOp: "must be less than 256" */

/* ---- what an operation is */

static bool is_wide(const CUstreamBatchMemOpParams *op)
{
    return op->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 ||
           op->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
}

static bool is_wait(const CUstreamBatchMemOpParams *op)
{
    return op->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 || op->operation == CU_STREAM_MEM_OP_WAIT_VALUE_32;
}

static bool is_write(const CUstreamBatchMemOpParams *op)
{
    return op->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64 ||
           op->operation == CU_STREAM_MEM_OP_WRITE_VALUE_32;
}

static CUresult value_check(const CUstreamBatchMemOpParams *op)
{
    unsigned bytes = is_wide(op) ? 8 : 4, flags = op->waitValue.flags;
    switch ((int)op->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        if (flags & ~(CU_STREAM_WAIT_VALUE_NOR | (unsigned)CU_STREAM_WAIT_VALUE_FLUSH))
            return CUDA_ERROR_INVALID_VALUE;
        break;
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        if (flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) return CUDA_ERROR_INVALID_VALUE;
        break;
    case CU_STREAM_MEM_OP_BARRIER:
        return op->memoryBarrier.flags > CU_STREAM_MEMORY_BARRIER_TYPE_GPU ? CUDA_ERROR_INVALID_VALUE
                                                                           : CUDA_SUCCESS;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
        return op->flushRemoteWrites.flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    CUdeviceptr at = op->waitValue.address;
    bool allowed = driver_memory_valid(at, bytes) && driver_permissions_allow(at, bytes, VMEM_READ, false);
    return at % bytes == 0 && allowed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static struct driver_batch batch_copy(const struct driver_batch *batch)
{
    struct driver_batch copy = {sw_xcalloc(batch->count + 1, sizeof *copy.ops), batch->count};
    if (batch->count) memcpy(copy.ops, batch->ops, batch->count * sizeof *copy.ops);
    return copy;
}

CUresult driver_batch_make(const CUstreamBatchMemOpParams *ops, unsigned count, unsigned flags,
                           struct driver_batch *out)
{
    if (!ops || count == 0 || count > MOST_OPERATIONS || flags) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++)
        DRIVER_TRY(value_check(&ops[i]));
    *out = batch_copy(&(struct driver_batch){(CUstreamBatchMemOpParams *)ops, count});
    return CUDA_SUCCESS;
}

/* ---- what it does */

static bool reached(const CUstreamBatchMemOpParams *op)
{
    bool wide = is_wide(op);
    uintptr_t at = (uintptr_t)op->waitValue.address;
    uint64_t now = wide ? __atomic_load_n((uint64_t *)at, __ATOMIC_ACQUIRE)
                        : __atomic_load_n((uint32_t *)at, __ATOMIC_ACQUIRE);
    uint64_t want = wide ? op->waitValue.value64 : op->waitValue.value;
    switch (op->waitValue.flags & 3u) {
    case CU_STREAM_WAIT_VALUE_GEQ:
        return wide ? (int64_t)(now - want) >= 0 : (int32_t)(uint32_t)(now - want) >= 0;
    case CU_STREAM_WAIT_VALUE_EQ: return now == want;
    case CU_STREAM_WAIT_VALUE_AND: return (now & want) != 0;
    default: return wide ? ~(now | want) != 0 : ~(uint32_t)(now | want) != 0;
    }
}

/* Memory may have been given back since the operation was queued, and may be while it waits. */
static bool value_try(const CUstreamBatchMemOpParams *op, bool *done)
{
    uintptr_t at = (uintptr_t)op->writeValue.address;
    unsigned bytes = is_wide(op) ? 8 : 4;
    driver_memory_hold();
    bool live = is_write(op) ? driver_memory_writable(at, bytes) : driver_memory_valid(at, bytes);
    if (live && op->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64)
        __atomic_store_n((uint64_t *)at, op->writeValue.value64, __ATOMIC_RELEASE);
    else if (live && is_write(op))
        __atomic_store_n((uint32_t *)at, op->writeValue.value, __ATOMIC_RELEASE);
    *done = live && (is_write(op) || reached(op));
    driver_memory_let_go();
    return live;
}

static void value_operate(const CUstreamBatchMemOpParams *op, const struct driver_context *context)
{
    bool done = false;
    if (!is_write(op) && !is_wait(op)) {
        atomic_thread_fence(memory_order_seq_cst);
        return;
    }
    while (!done && atomic_load(&context->fault) == CUDA_SUCCESS) {
        if (!value_try(op, &done)) {
            /* For a write as an H100 answers where a mapping is only read. */
            driver_context_fail(is_write(op) ? CUDA_ERROR_LAUNCH_FAILED : CUDA_ERROR_ILLEGAL_ADDRESS);
            return;
        }
        if (!done) sched_yield();
    }
}

static void batch_run(struct driver_work *work, struct driver_stream *stream)
{
    for (unsigned i = 0; i < work->batch.count; i++)
        value_operate(&work->batch.ops[i], stream->context);
}

static void batch_release(struct driver_work *work)
{
    free(work->batch.ops);
}

static void batch_copy_work(struct driver_work *to, const struct driver_work *from)
{
    to->batch = batch_copy(&from->batch);
}

const struct driver_work_ops driver_batch_work = {
    .run = batch_run, .release = batch_release, .copy = batch_copy_work};

/* ---- on streams */

DRIVER_API cuStreamBatchMemOp_v2(CUstream handle, unsigned count, CUstreamBatchMemOpParams *ops,
                                 unsigned flags)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    struct driver_work work = {.kind = DRIVER_WORK_BATCH};
    CUresult result = driver_batch_make(ops, count, flags, &work.batch);
    if (result == CUDA_SUCCESS) result = driver_submit(stream, &work, false);
    driver_stream_put(stream);
    return result;
}

static CUresult one(CUstream stream, CUstreamBatchMemOpType operation, CUdeviceptr address, uint64_t value,
                    unsigned flags)
{
    CUstreamBatchMemOpParams op;
    memset(&op, 0, sizeof op);
    op.writeValue.operation = operation;
    op.writeValue.address = address;
    op.writeValue.flags = flags;
    if (is_wide(&op))
        op.writeValue.value64 = value;
    else
        op.writeValue.value = (cuuint32_t)value;
    return cuStreamBatchMemOp_v2(stream, 1, &op, 0);
}

DRIVER_API cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags)
{
    return one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags);
}

DRIVER_API cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags)
{
    return one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags);
}

DRIVER_API cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags)
{
    return one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags);
}

DRIVER_API cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags)
{
    return one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags);
}
