/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: records in the program's buffers. Method: records are kept in a list of ours as they come, which
 * may be on any thread, under locks of the driver; a thread of the program's writes them into its buffers
 * when it flushes, and at the end of a call once there are KEPT_MOST bytes of them. So its two functions are
 * called where nothing is locked. Limits: cuptiActivityFlushPeriod is accepted, and has no thread of its own.
 */
#include "cupti_priv.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_MOST = 4 << 20 }; /* bytes; implementation: about 20,000 kernels */

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static struct str kept; /* records, one after the other */
static atomic_size_t kept_bytes, dropped;

static pthread_mutex_t write_lock = PTHREAD_MUTEX_INITIALIZER; /* the rest of this file */
static _Thread_local bool writing;                             /* by this thread */
static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static struct {
    uint8_t *at; /* NULL: none */
    size_t bytes, used, most, count;
} buffer;

void cupti_buffer_add(const void *record, uint32_t bytes)
{
    pthread_mutex_lock(&kept_lock);
    str_add_bytes(&kept, record, bytes);
    atomic_store(&kept_bytes, kept.length);
    pthread_mutex_unlock(&kept_lock);
}

static struct str take(void)
{
    pthread_mutex_lock(&kept_lock);
    struct str taken = kept;
    kept = (struct str){0};
    atomic_store(&kept_bytes, 0);
    pthread_mutex_unlock(&kept_lock);
    return taken;
}

static bool buffer_open(void)
{
    buffer.at = NULL;
    buffer.bytes = buffer.used = buffer.most = buffer.count = 0;
    cupti_inside = true;
    if (request) request(&buffer.at, &buffer.bytes, &buffer.most);
    cupti_inside = false;
    return buffer.at != NULL;
}

static void buffer_close(void)
{
    if (!buffer.at) return;
    uint8_t *at = buffer.at;
    buffer.at = NULL;
    cupti_inside = true;
    if (complete) complete(NULL, 0, at, buffer.bytes, buffer.used);
    cupti_inside = false;
}

static bool fits(uint32_t bytes)
{
    return buffer.at && buffer.bytes - buffer.used >= bytes && (!buffer.most || buffer.count < buffer.most);
}

static void write_record(const void *record, uint32_t bytes)
{
    if (!fits(bytes)) {
        buffer_close();
        if (!buffer_open() || !fits(bytes)) {
            atomic_fetch_add(&dropped, 1);
            return;
        }
    }
    memcpy(buffer.at + buffer.used, record, bytes);
    buffer.used += bytes;
    buffer.count++;
}

static uint32_t bytes_at(const void *record)
{
    CUpti_Activity head;
    memcpy(&head, record, sizeof head);
    return cupti_record_bytes(head.kind);
}

static void write_kept(bool flushes)
{
    if (writing) return; /* a flush in a callback of ours */
    pthread_mutex_lock(&write_lock);
    writing = true;
    struct str records = take();
    for (size_t at = 0; at < records.length;) {
        uint32_t bytes = bytes_at(str_text(&records) + at);
        write_record(str_text(&records) + at, bytes);
        at += bytes;
    }
    str_release(&records);
    if (flushes) buffer_close();
    writing = false;
    pthread_mutex_unlock(&write_lock);
}

void cupti_buffer_relieve(void)
{
    if (atomic_load_explicit(&kept_bytes, memory_order_relaxed) >= KEPT_MOST) write_kept(false);
}

CUPTI_EXPORT CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc requested,
                                                        CUpti_BuffersCallbackCompleteFunc completed)
{
    if (!requested || !completed) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    pthread_mutex_lock(&write_lock);
    request = requested;
    complete = completed;
    pthread_mutex_unlock(&write_lock);
    return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiActivityFlushAll(uint32_t flag)
{
    (void)flag; /* records are whole when they come: forced or not is the same */
    if (!request) return cupti_result(CUPTI_ERROR_INVALID_OPERATION);
    write_kept(true);
    return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiActivityFlush(CUcontext context, uint32_t stream, uint32_t flag)
{
    (void)context, (void)stream;
    return cuptiActivityFlushAll(flag);
}

CUPTI_EXPORT CUptiResult cuptiActivityFlushPeriod(uint32_t ms)
{
    (void)ms;
    return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *count)
{
    (void)context, (void)stream;
    if (!count) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    *count = atomic_exchange(&dropped, 0);
    return CUPTI_SUCCESS;
}

/* *record: the one before, or NULL for the first. */
CUPTI_EXPORT CUptiResult cuptiActivityGetNextRecord(uint8_t *from, size_t valid, CUpti_Activity **record)
{
    if (!from || !record) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    uint8_t *next = *record ? (uint8_t *)*record + bytes_at(*record) : from;
    if (next < from || next > from + valid) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    size_t left = valid - (size_t)(next - from);
    if (left < sizeof(CUpti_Activity)) return CUPTI_ERROR_MAX_LIMIT_REACHED; /* no failure: the end */
    if (bytes_at(next) == 0 || bytes_at(next) > left) return cupti_result(CUPTI_ERROR_INVALID_KIND);
    *record = (CUpti_Activity *)(void *)next;
    return CUPTI_SUCCESS;
}

/* ---- attributes, which size buffers that this library does not have: kept, and given back */

static struct {
    pthread_mutex_t lock;
    size_t values[CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE_DEVICE_GRAPHS + 1];
} attributes = {.lock = PTHREAD_MUTEX_INITIALIZER,
                .values = {[CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE] = 8 << 20,     /* documented default */
                           [CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT] = 250}}; /* likewise */

static CUptiResult attribute(CUpti_ActivityAttribute which, size_t *bytes, void *value, bool sets)
{
    size_t size = which == CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER ||
                          which == CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER ||
                          which == CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED
                      ? sizeof(uint8_t)
                      : sizeof(size_t);
    if (!bytes || !value || (unsigned)which >= SW_COUNT_OF(attributes.values))
        return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    if (*bytes < size) return cupti_result(CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT);
    pthread_mutex_lock(&attributes.lock);
    if (sets) {
        attributes.values[which] = 0;
        memcpy(&attributes.values[which], value, size);
    } else {
        memcpy(value, &attributes.values[which], size);
    }
    pthread_mutex_unlock(&attributes.lock);
    *bytes = size;
    return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiActivityGetAttribute(CUpti_ActivityAttribute which, size_t *bytes, void *value)
{
    return attribute(which, bytes, value, false);
}

CUPTI_EXPORT CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute which, size_t *bytes, void *value)
{
    return attribute(which, bytes, value, true);
}
