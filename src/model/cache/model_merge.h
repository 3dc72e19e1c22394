/* SPDX-License-Identifier: Apache-2.0 */
/* model/cache: whose reads merge before L2 (model_merge.c). */
#ifndef MODEL_MERGE_H
#define MODEL_MERGE_H

#include "model/cache/model_l2.h"

enum { MODEL_IN_FLIGHT = 1024, MODEL_FLIGHT_WAYS = 4 }; /* implementation: how many the tables hold */
struct model_flight {                                   /* a request of a group, that others can join */
    uint64_t line;
    uint8_t mask, count;
    uint32_t sms;                    /* who wait for it, modulo 32: fewer are of a group */
    model_time asked, window, comes; /* when it was made; for how long others can join; its data is there */
};
struct model_flights { /* of a group */
    _Alignas(MODEL_HOST_LINE) struct model_flight list[MODEL_IN_FLIGHT];
};
struct model_merging {
    struct model_flights *groups;
    uint32_t count;
};
uint32_t model_group_count(const struct model_params *params); /* of multiprocessors, at least one */
void model_merging_init(struct model_merging *merging, const struct model_params *params);
void model_merging_release(struct model_merging *merging);
void model_merging_clear(struct model_merging *merging);
size_t model_merging_bytes(const struct model_merging *merging);
/* Where a request that this one could join would be. */
struct model_flight *model_merge_find(struct model_flights *flights, uint64_t line);
void model_merge_prefetch(const struct model_flights *flights, uint64_t line);
/* It is that request, still at L2, and others join it: at most `most` are one for L2. */
bool model_merge_joins(struct model_flight *flight, uint32_t sm, uint64_t line, uint32_t mask, uint64_t most,
                       model_time now);
uint32_t model_merge_bit(uint32_t sm); /* of model_flight's sms */
#endif
