/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the memory model: tags, L1 with its store queue, L2 and DRAM, and the replay that drives them.
 * Times are cycles of a multiprocessor, in sixteenths. */
#ifndef MODEL_CACHE_PRIV_H
#define MODEL_CACHE_PRIV_H

#include "model/model_cache.h"

enum { MODEL_TICK = 16, MODEL_ALL_SECTORS = 15 };
typedef uint64_t model_time;

static inline uint64_t model_mix(uint64_t x) /* the finaliser of splitmix64 */
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}
static inline uint32_t model_sectors(uint32_t mask)
{
    return 0x4332322132212110u >> (mask & 15) * 4 & 7; /* bits in a number of four, in a nibble each */
}

/* ---- tags: a set-associative cache of lines of four sectors, of the least recently used one goes first ----
 */
struct model_tags {
    uint32_t sets, ways;
    uint32_t victims;       /* how many of the oldest lines it may be that goes */
    uint64_t count;         /* of lines thrown out */
    uint32_t *keys;         /* [sets][ways]; 0: empty */
    uint8_t *older, *newer; /* neighbours of a way in the order of last use */
    struct model_ends {
        uint8_t oldest, newest;
    } *ends;                          /* [sets] */
    uint8_t *valid, *dirty, *partial; /* sectors; partial: written in part, so that the rest is in DRAM */
    uint32_t *epochs, epoch;          /* a set whose epoch is not this one is empty, whatever it holds */
};
void model_tags_init(struct model_tags *tags, uint32_t sets, uint32_t ways, uint32_t victims);
void model_tags_release(struct model_tags *tags);
void model_tags_clear(struct model_tags *tags); /* at no cost: sets are emptied when they are used */
uint64_t model_tags_dirty_sectors(const struct model_tags *tags);
/* Place of the line in its set, or -1; a found line is the last one used. set: below sets. */
int64_t model_tags_find(struct model_tags *tags, uint64_t line, uint32_t set);
/* Place that a line that was just not found would take; what is there goes when it does. */
int64_t model_tags_victim(struct model_tags *tags, uint32_t set);
void model_tags_replace(struct model_tags *tags, uint32_t set, int64_t at, uint64_t line);

/* ---- which lines of L2 became something first: the oldest leave when there are too many ---- */
struct model_queue_entry {
    uint32_t partition, key;
    uint64_t at;
};
struct model_queue {
    struct model_queue_entry *entries;
    uint32_t room, most, first, count;
};

/* ---- parameters, from the GPU's section [cache] ---- */
struct model_params {
    struct arch_cache gpu;
    uint64_t l2_bytes;
    uint32_t sm_count;
};

/* ---- L2 and DRAM ---- */
enum { MODEL_PARTITIONS = 2, MODEL_CHANNELS = 128 };
struct model_l2 {
    const struct model_params *params;
    struct model_tags part[MODEL_PARTITIONS];
    uint32_t partitions, shift;
    struct model_queue dirty, partial;
    model_time channel_free[MODEL_CHANNELS];
    uint64_t dram_writes, inserted; /* sectors; lines */
};
void model_l2_init(struct model_l2 *l2, const struct model_params *params);
void model_l2_release(struct model_l2 *l2);
void model_l2_begin(struct model_l2 *l2, uint32_t sample_shift, bool cold);
/* A request of a partition's own multiprocessors at a time; returns cycles in ticks until data is there. */
model_time model_l2_read(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask,
                         model_time now, struct event_memory_sums *sums);
/* partial: of the mask, sectors that are not written whole. */
void model_l2_write(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask, uint32_t partial,
                    struct event_memory_sums *sums);
model_time model_l2_atomic(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask,
                           model_time now, struct event_memory_sums *sums);
uint64_t model_l2_dirty_sectors(const struct model_l2 *l2);
/* Sectors that a profiler's flush had left dirty and that this launch pushed out (a GPU counts them too). */
uint64_t model_l2_flush_leftover(const struct model_l2 *l2);

/* ---- L1 of a multiprocessor, its stores on their way, and the groups whose reads meet on the way to L2 ----
 */
enum { MODEL_STORES = 128, MODEL_IN_FLIGHT = 1024 };
struct model_store {
    uint64_t line;
    uint32_t mask, warp, sequence;
    model_time when;
};
struct model_writer { /* who stores: a warp, and how many stores it made before */
    uint32_t warp, sequence;
};
struct model_l1 {
    struct model_tags tags;
    model_time *comes; /* [line of tags] when the data that was last asked for is there */
    uint32_t group, partition;
    uint32_t store_next;
    struct model_store stores[MODEL_STORES];
};
struct model_flight { /* a line that is asked for: when each sector was, when it comes, by how many */
    uint64_t line;
    model_time asked[4], comes[4];
    uint8_t count[4];
};
struct model_group {
    struct model_flight flights[MODEL_IN_FLIGHT];
};
/* How instructions use L1, by what their cache operator says. */
enum model_policy { MODEL_CACHED, MODEL_BYPASS };

struct model_warp {
    model_time ready, data; /* can issue; its outstanding loads are there */
    uint32_t last_instr, stores;
    bool waiting, ended;
};
struct model_slot { /* a resident block */
    uint64_t block;
    bool used;
    uint32_t waiting, ended;
    model_time barrier, end;
};
struct model_sm {
    bool used; /* since the launch began */
    model_time port;
    struct model_l1 l1;
};
struct model_memory {
    struct model_params params;
    const struct arch_cc *cc;
    struct model_l2 l2;
    struct model_sm *sms;
    struct model_group *groups;
    struct model_slot *slots;               /* [sm][slot] */
    struct model_warp *warps;               /* [sm][slot][warp] */
    uint32_t sm_room, slot_room, warp_room; /* what is allocated */
    struct event_residency residency;
    uint32_t l1_ways, sample_shift;
    uint8_t *policies; /* [instr] */
    uint16_t *bytes;   /* [instr] of a lane's access */
    struct event_memory_sums (*sums)[EVENT_MEMORY_SPACES];
    struct event_memory result;
};

/* Requests of one line; return ticks until data is there (0: nothing waits for it). */
model_time model_l1_load(struct model_memory *m, struct model_sm *sm, uint64_t line, uint32_t mask,
                         bool cached, model_time now, struct event_memory_sums *sums);
void model_l1_store(struct model_memory *m, struct model_sm *sm, uint64_t line, uint32_t mask,
                    uint32_t partial, struct model_writer writer, model_time now,
                    struct event_memory_sums *sums);
model_time model_l1_atomic(struct model_memory *m, struct model_sm *sm, uint64_t line, uint32_t mask,
                           model_time now, struct event_memory_sums *sums);
#endif
