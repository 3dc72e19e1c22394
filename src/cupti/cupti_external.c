/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: external correlation ids, by which a framework finds its operators in records. Method: a stack for
 * each kind and thread; what is on top when a call begins belongs to it. Limits: none of its own. */
#include "cupti_priv.h"

#include <stdlib.h>

static _Thread_local struct {
    uint64_t *ids;
    size_t count, capacity;
} stacks[CUPTI_EXTERNAL_CORRELATION_KIND_SIZE];

static bool is_kind(CUpti_ExternalCorrelationKind kind)
{
    return kind > CUPTI_EXTERNAL_CORRELATION_KIND_INVALID && kind < CUPTI_EXTERNAL_CORRELATION_KIND_SIZE;
}

CUPTI_EXPORT CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                                uint64_t id)
{
    enum { FIRST = 16 };
    if (!is_kind(kind)) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    if (stacks[kind].count == stacks[kind].capacity) {
        size_t capacity = stacks[kind].capacity ? 2 * stacks[kind].capacity : FIRST;
        uint64_t *more = realloc(stacks[kind].ids, capacity * sizeof *more);
        if (!more) return cupti_result(CUPTI_ERROR_OUT_OF_MEMORY);
        stacks[kind].ids = more;
        stacks[kind].capacity = capacity;
    }
    stacks[kind].ids[stacks[kind].count++] = id;
    return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                               uint64_t *last)
{
    if (!is_kind(kind)) return cupti_result(CUPTI_ERROR_INVALID_PARAMETER);
    if (stacks[kind].count == 0) return cupti_result(CUPTI_ERROR_QUEUE_EMPTY);
    uint64_t id = stacks[kind].ids[--stacks[kind].count];
    if (last) *last = id;
    if (stacks[kind].count == 0) {
        free(stacks[kind].ids); /* threads that balance them leave nothing behind */
        stacks[kind].ids = NULL;
        stacks[kind].capacity = 0;
    }
    return CUPTI_SUCCESS;
}

void cupti_external_record(uint32_t correlation)
{
    if (!cupti_kind_enabled(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION)) return;
    for (int kind = 1; kind < CUPTI_EXTERNAL_CORRELATION_KIND_SIZE; kind++) {
        if (stacks[kind].count == 0) continue;
        CUpti_ActivityExternalCorrelation record = {.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                                                    .externalKind = (CUpti_ExternalCorrelationKind)kind,
                                                    .externalId = stacks[kind].ids[stacks[kind].count - 1],
                                                    .correlationId = correlation};
        cupti_buffer_add(&record, sizeof record);
    }
}
