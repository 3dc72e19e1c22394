/* SPDX-License-Identifier: Apache-2.0 */
/* model/cache: L2 and DRAM: their state, and what is asked of them. */
#ifndef MODEL_L2_H
#define MODEL_L2_H

#include "arch/arch.h"
#include "event/event_kernel.h"
#include "event/event_launch.h"
#include "event/event_memory.h"
#include "event/event_request.h"
#include "model/access/model_hint.h"
#include "model/cache/model_tags.h"

/* ---- which lines of L2 became something first: the oldest leave when there are too many ---- */
struct model_queue_entry {
    uint32_t key;
    uint32_t set : 23, partition : 1, way : 8;
};
struct model_queue {
    struct model_queue_entry *entries;
    uint32_t capacity, most, first, count;
};

/* ---- parameters, from the GPU's section [cache] ---- */
struct model_params {
    struct arch_cache gpu;
    uint64_t l2_bytes;
    uint32_t sm_count;
};

/* ---- access policies (model_policy.c) ---- */
struct model_policies {
    bool active; /* lines have other properties than the normal one, or may get them */
    struct event_policy now;
    uint32_t resets;
    uint8_t *kinds;           /* [partition][set][way]: enum event_policy_property; NULL: never needed */
    struct model_hint *hints; /* [instr]; NULL: there are none */
    struct model_hint hint;   /* of the instruction whose request is played */
    uint64_t persisting;      /* lines */
    bool passing;             /* the home is asked for what the other part keeps */
};

/* ---- L2 and DRAM ---- */
/* implementation: lines of a piece, as a power of two; pieces */
enum { MODEL_COPIED_SHIFT = 5, MODEL_COPIED = 1 << 17 };
enum { MODEL_PARTITIONS = 2, MODEL_CHANNELS = 128, MODEL_LOCATIONS = 32 }; /* implementation: at most */
/* ---- memory of the host and of other devices (model_host.c) ---- */
enum { MODEL_HOST_RANGES = 64 }; /* implementation: at most */
struct model_host_range {        /* lines */
    uint64_t first, more;
    bool peer;
};
struct model_host {
    uint32_t count;
    struct model_host_range ranges[MODEL_HOST_RANGES];
};
void model_host_begin(struct model_host *host, const struct event_launch *launch);
/* NULL: the line is of the device's own memory. */
static inline const struct model_host_range *model_host_has(const struct model_host *host, uint64_t line)
{
    for (uint32_t i = 0; i < host->count; i++)
        if (line - host->ranges[i].first <= host->ranges[i].more) return &host->ranges[i];
    return NULL;
}
void model_host_read(const struct model_host_range *range, uint32_t mask, struct event_memory_sums *sums);
void model_host_write(const struct model_host_range *range, uint32_t mask, struct event_memory_sums *sums);

enum { MODEL_MOVED = 8 }; /* implementation: at most */
struct model_moved {      /* sectors of a line, by its key, from DRAM and to it */
    uint32_t key;
    uint8_t read, written, fills; /* fills: runs of sectors that were written in part and are read */
};
struct model_l2 {
    const struct model_params *params;
    struct model_host host;
    struct model_tags part[MODEL_PARTITIONS];
    struct model_divisor channels, sets, thousand; /* sets: that are used, less when a launch is sampled; */
    uint32_t partitions, fetch_sectors, partial_most; /* and lines with sectors in part */
    uint32_t second_sms;   /* multiprocessors from this one on belong to the second partition */
    uint64_t sector_ticks; /* of DRAM: more then */
    bool timed;            /* who keeps time has DRAM's queues */
    /* Of a sampled launch: of what the next read lacks, how many pieces in 2^16 multiprocessors that are not
     * simulated in detail had brought by then; whether the last one's was among them. */
    uint16_t brought;
    bool was_brought;
    bool near, invalidated; /* the last request came from its line's home; the other part lost its copy */
    struct model_queue partial;
    model_time channel_free[MODEL_CHANNELS];
    uint64_t dram_writes, inserted, passed; /* sectors; lines; those of stores from the other part of L2 */
    uint64_t left;                          /* the line that was written back last, modulo 2^32 */
    uint64_t chosen;                        /* choices made */
    uint64_t copied[MODEL_COPIED / 64];     /* pieces of which the part that is not home may have some */
    struct model_policies policy;
    struct model_location { /* of lines that were asked for not long ago */
        uint64_t line;
        uint32_t home, set;
    } where[MODEL_LOCATIONS];
    struct model_moved moved[MODEL_MOVED]; /* by the last request, the rest by the last of them */
    uint32_t moved_count;
};
void model_policy_begin(struct model_l2 *l2, const struct event_launch *launch);
void model_policy_clear(struct model_l2 *l2); /* no line has a property */
void model_policy_release(struct model_l2 *l2);
size_t model_policy_bytes(const struct model_l2 *l2);
static inline void model_policy_instr(struct model_l2 *l2, uint32_t instr)
{
    if (l2->policy.hints) l2->policy.hint = l2->policy.hints[instr];
}
/* The line is asked for: it gets the property that this access gives it. fresh: it was not there */
void model_policy_access(struct model_l2 *l2, uint32_t partition, uint32_t set, struct model_tag_ref at,
                         uint64_t line, bool fresh);
struct model_tag_ref model_policy_victim(const struct model_l2 *l2, uint32_t partition, uint32_t number,
                                         uint64_t line);
void model_l2_init(struct model_l2 *l2, const struct model_params *params);
void model_l2_release(struct model_l2 *l2);
size_t model_l2_bytes(const struct model_l2 *l2);
/* fetch_bytes: of struct event_launch */
void model_l2_begin(struct model_l2 *l2, uint32_t fetch_bytes, bool cold);
/* Only such a share of it is used from now on, 0 to 1; another one than before empties it. */
void model_l2_resize(struct model_l2 *l2, double share);
/* The line is about to be asked for. */
void model_l2_prefetch(struct model_l2 *l2, uint32_t partition, uint64_t line);
/* A request of a partition's own multiprocessors at a time; returns cycles in ticks until data is there. */
model_time model_l2_read(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask,
                         model_time now, struct event_memory_sums *sums);
/* Of a store's sectors, those that are not written whole, and how many words of each. */
struct model_part {
    uint32_t sectors, words;
};
static inline struct model_part model_part(uint64_t line) /* as struct event_stream has it */
{
    enum { WORDS = 7 }; /* definition: bits of struct event_stream */
    return (struct model_part){(uint32_t)(line >> EVENT_LINE_PARTIAL),
                               (uint32_t)(line >> EVENT_LINE_WORDS & WORDS) + 1};
}
void model_l2_write(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask,
                    struct model_part part, struct event_memory_sums *sums);
/* What joins a store on its way is no write of its own, but fills its sectors. */
void model_l2_join(struct model_l2 *l2, uint64_t line, uint32_t mask, struct model_part part);
model_time model_l2_atomic(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask,
                           model_time now, struct event_memory_sums *sums);
uint64_t model_l2_dirty_sectors(const struct model_l2 *l2);
/* Sectors that a profiler's flush had left dirty and that this launch pushed out (a GPU counts them too). */
uint64_t model_l2_flush_leftover(const struct model_l2 *l2, uint64_t lines);
#endif
