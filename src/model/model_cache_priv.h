/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the memory model: tags, L1 with its store queue, L2 and DRAM, and the replay that drives them.
 * Times are cycles of a multiprocessor, in sixteenths. */
#ifndef MODEL_CACHE_PRIV_H
#define MODEL_CACHE_PRIV_H

#include "model/model_cache.h"

enum { MODEL_TICK = 16, MODEL_ALL_SECTORS = 15, MODEL_HOST_LINE = 64 /* bytes, of x86-64 */ };
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

/* ---- division by a number that is known when a cache is made. Source: Lemire, Kaser, Kurz, "Faster
 * remainder by direct computation", 2019: exact for all 32-bit numbers. ---- */
struct model_divisor {
    uint64_t inverse;
    uint32_t divisor;
};
static inline struct model_divisor model_divisor(uint32_t divisor)
{
    return (struct model_divisor){UINT64_MAX / divisor + 1, divisor};
}
static inline uint32_t model_quotient(uint32_t number, struct model_divisor d)
{
    __extension__ typedef unsigned __int128 wide;
    return (uint32_t)((wide)d.inverse * number >> 64);
}
static inline uint32_t model_remainder(uint32_t number, struct model_divisor d)
{
    __extension__ typedef unsigned __int128 wide;
    return (uint32_t)((wide)(d.inverse * number) * d.divisor >> 64);
}

/* ---- tags: a set-associative cache of lines of four sectors, of the least recently used one goes first.
 * All of a set lies together: a host's cache misses are what a look-up costs. A set begins with its keys (0:
 * empty), behind which come fields of a byte a way: its rank in the order of last use, 0 the oldest; sectors
 * valid; and of tags that hold stores, sectors dirty. What only sectors written in part need begins in a
 * line of the host's cache of its own: how many words of them were written, in nibbles of two bytes a way,
 * and which these sectors are. ---- */
enum { MODEL_KEYS_AT_ONCE = 4, MODEL_RANKS_AT_ONCE = 16 };
struct model_set {
    uint32_t keys[UINT8_MAX + 1]; /* as many as are wanted: the fields follow */
};
struct model_tags {
    uint32_t sets, ways;
    struct model_divisor victims; /* how many of the oldest lines it may be that goes */
    uint64_t count;               /* of lines thrown out */
    uint8_t *memory, *base;       /* as allocated; the first set, at a host's cache line */
    size_t set_bytes;
    uint32_t key_words; /* keys of a set, with those that are never used */
    struct {            /* where fields of a set begin */
        uint32_t epoch; /* a number; when it is not the tags' epoch, the set is empty, whatever it holds */
        uint32_t ranks, valid, dirty, partial, words;
    } at;
    uint32_t epoch;
    bool holds_stores;
};
struct model_place { /* of a line; set NULL: there is none */
    struct model_set *set;
    uint32_t way;
};
void model_tags_init(struct model_tags *tags, uint32_t sets, uint32_t ways, uint32_t victims,
                     bool holds_stores);
void model_tags_release(struct model_tags *tags);
void model_tags_clear(struct model_tags *tags); /* at no cost: sets are emptied when they are used */
size_t model_tags_bytes(const struct model_tags *tags);
uint64_t model_tags_dirty_sectors(const struct model_tags *tags);
uint32_t model_tags_dirty_lines(const struct model_tags *tags, struct model_set *set); /* of a set in use */
/* Where the line is in its set; a found line is the last one used. set: below sets. */
struct model_place model_tags_find(struct model_tags *tags, uint64_t line, uint32_t set);
/* Place that a line that was just not found would take; what is there goes when it does. */
struct model_place model_tags_victim(struct model_tags *tags, uint32_t set);
/* The line takes it: nothing of it is valid. What was there must hold nothing dirty any more. */
void model_tags_take(struct model_tags *tags, struct model_place place, uint64_t line);
void model_tags_make_oldest(struct model_tags *tags,
                            struct model_place place); /* it goes next, once none is empty */
/* Ways of a set, the one that was not used for longest first: room for ways. */
void model_tags_order(const struct model_tags *tags, struct model_set *set, uint8_t *ways);

/* Never 0; unique among lines of 512 GiB, but that one has the key of the line 256 GiB on. Neighbours that
 * are as many as a power of two have neighbouring keys. */
static inline uint32_t model_tags_key(uint64_t line)
{
    uint32_t key = (uint32_t)line ^ (uint32_t)(line >> 32) * 0x9e3779b9u;
    return key ? key : 1u << 31;
}
static inline struct model_set *model_tags_set(const struct model_tags *tags, uint32_t set)
{
    return (struct model_set *)(void *)(tags->base + set * tags->set_bytes);
}
static inline uint8_t *model_valid(const struct model_tags *tags, struct model_place p)
{
    return (uint8_t *)p.set + tags->at.valid + p.way;
}
static inline uint8_t *model_dirty(const struct model_tags *tags, struct model_place p)
{
    return (uint8_t *)p.set + tags->at.dirty + p.way;
}
static inline uint16_t *model_words(const struct model_tags *tags, struct model_place p)
{
    return (uint16_t *)(void *)((uint8_t *)p.set + tags->at.words) + p.way;
}
static inline uint8_t *model_partial(const struct model_tags *tags, struct model_place p)
{
    return (uint8_t *)p.set + tags->at.partial + p.way;
}
/* The set will be looked at soon. */
static inline void model_tags_prefetch(const struct model_tags *tags, uint32_t set)
{
    const uint8_t *at = tags->base + set * tags->set_bytes;
    for (size_t i = 0; i < tags->set_bytes; i += MODEL_HOST_LINE)
        __builtin_prefetch(at + i, 1);
}

/* ---- which lines of L2 became something first: the oldest leave when there are too many ---- */
struct model_queue_entry {
    uint32_t key;
    uint32_t set : 23, partition : 1, way : 8;
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

/* ---- what instructions say of how long lines of L2 stay (model_hint.c) ---- */
enum { MODEL_UNCHANGED = EVENT_POLICY_PERSISTING + 1 }; /* a line keeps the property it has */
struct model_hint {
    bool given;
    uint8_t first, second; /* enum event_policy_property or MODEL_UNCHANGED */
    float share;           /* of the lines, those that have the first */
};
/* For each instruction of the kernel, from malloc; NULL: none says anything. */
struct model_hint *model_hints_read(const struct event_kernel *kernel);

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
enum { MODEL_PARTITIONS = 2, MODEL_CHANNELS = 128, MODEL_WHERES = 32 };
/* ---- memory of the host (model_host.c) ---- */
enum { MODEL_HOST_RANGES = 64 };
struct model_host_range { /* lines */
    uint64_t first, more;
};
struct model_host {
    uint32_t count;
    struct model_host_range ranges[MODEL_HOST_RANGES];
};
void model_host_begin(struct model_host *host, const struct event_launch *launch);
static inline bool model_host_has(const struct model_host *host, uint64_t line)
{
    for (uint32_t i = 0; i < host->count; i++)
        if (line - host->ranges[i].first <= host->ranges[i].more) return true;
    return false;
}
void model_host_read(uint32_t mask, struct event_memory_sums *sums);
void model_host_write(uint32_t mask, struct event_memory_sums *sums);

enum { MODEL_MOVED = 8 };
struct model_moved { /* sectors of a line, by its key, from DRAM and to it */
    uint32_t key;
    uint8_t read, written;
};
struct model_l2 {
    const struct model_params *params;
    struct model_host host;
    struct model_tags part[MODEL_PARTITIONS];
    struct model_divisor channels, sets, thousand; /* sets: that are used, less when a launch is sampled; */
    uint32_t partitions, fetch_sectors, partial_most; /* and lines with sectors in part */
    uint64_t sector_ticks;                            /* of DRAM: more then */
    bool timed;                                       /* who keeps time has DRAM's queues */
    struct model_queue partial;
    model_time channel_free[MODEL_CHANNELS];
    uint64_t dram_writes, inserted, passed; /* sectors; lines; those of stores from the other part of L2 */
    uint64_t left;                          /* the line that was written back last, modulo 2^32 */
    uint64_t chosen;                        /* choices made */
    struct model_policies policy;
    struct model_where { /* of lines that were asked for not long ago */
        uint64_t line;
        uint32_t home, set;
    } where[MODEL_WHERES];
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
void model_policy_touch(struct model_l2 *l2, uint32_t partition, uint32_t set, struct model_place at,
                        uint64_t line, bool fresh);
struct model_place model_policy_victim(const struct model_l2 *l2, uint32_t partition, uint32_t number,
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
    enum { WORDS = 7 };
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

/* ---- L1 of a multiprocessor, its stores on their way, and the groups whose reads meet on the way to L2 ----
 */
enum {
    MODEL_STORES = 128,
    MODEL_STORE_BUCKETS = 256,
    MODEL_IN_FLIGHT = 1024,
    MODEL_PAIR_IN_FLIGHT = 256,
    MODEL_FLIGHT_WAYS = 4
};
struct model_store {
    uint64_t line;
    uint8_t mask, before; /* the store to its bucket before it has a number that is so much less; 0: none */
    uint32_t request;     /* of L2: the number of the one that it is, or is part of */
    model_time when, leaves;
};
struct model_writer { /* the stores that the warp's last instruction made, by number: end is not one of them
                       */
    uint32_t first, end;
};
struct model_l1 {
    struct model_tags tags;
    struct model_divisor sets;
    model_time *comes; /* [line of tags] when the data that was last asked for is there */
    uint32_t number, group, pair, partition;
    uint32_t store_next, store_requests; /* so far */
    model_time store_leaves;             /* the last of them */
    struct model_store stores[MODEL_STORES];
    uint32_t store_buckets[MODEL_STORE_BUCKETS]; /* the last store to a line of each, by its number from 1 */
    uint32_t store_behind[MODEL_STORES];         /* the last store of each request, by its number from 1 */
    uint32_t
        store_late; /* stores of lower numbers were made before one of a request that is no longer joined */
};
struct model_flight { /* a request of a group: when it was made, until when others can join, by how many */
    uint64_t line;
    uint8_t mask, count;
    uint32_t sms; /* who wait for it, modulo 32: fewer are of a group */
    model_time asked, comes;
};
struct model_group {
    struct model_flight flights[MODEL_IN_FLIGHT];
    struct model_tags constants; /* lines of four pieces of 64 bytes */
    uint32_t number;
};
struct model_pair { /* the same, of one sector */
    struct model_flight flights[MODEL_PAIR_IN_FLIGHT];
};
/* ---- constants (model_constant.c) ---- */
struct model_constants { /* of a multiprocessor */
    struct model_tags tags;
    model_time *comes; /* [line of tags] when its piece is there */
    model_time free;   /* when all who wait have what they wait for */
};
struct model_sm;
struct model_memory;
void model_constants_init(struct model_constants *constants, const struct model_params *params);
void model_constants_release(struct model_constants *constants);
void model_constants_clear(struct model_constants *constants);
size_t model_constants_bytes(const struct model_constants *constants);
/* The lines of a request of constant memory; returns ticks until all of it is there. waits: until when the
 * warp does already */
model_time model_constant_load(struct model_memory *m, struct model_sm *sm, const uint64_t *lines,
                               uint32_t count, model_time waits, model_time now,
                               struct event_memory_sums *sums);
/* ---- who stands together before L2 (model_meet.c) ---- */
/* A launch begins: each multiprocessor's group, pair and part of L2. */
void model_meet_begin(struct model_memory *m);
/* Where a request that this one could join would be. */
struct model_flight *model_meet_find(struct model_memory *m, const struct model_l1 *l1, uint64_t line,
                                     uint32_t mask);
void model_meet_prefetch(const struct model_memory *m, const struct model_l1 *l1, uint64_t line);
/* It is that request, still under way, and others join it: at most `most` are one for L2. */
bool model_meet_joins(struct model_flight *flight, uint32_t sm, uint64_t line, uint32_t mask, uint64_t most,
                      model_time now);
struct model_flight model_meet_begins(uint32_t sm, uint64_t line, uint32_t mask, model_time now,
                                      model_time comes);
/* From what the watched multiprocessors asked to what all did; blocks: all, for each that is watched. */
void model_constants_scale(struct model_memory *m, double blocks);
/* Groups of multiprocessors, at least one. */
void model_groups_new(struct model_memory *m);
void model_groups_delete(struct model_memory *m);
void model_groups_clear(struct model_memory *m);
size_t model_groups_bytes(const struct model_memory *m);
/* How instructions use L1, by what their cache operator says. */
/* How a load uses L1; of lines in it, those of MODEL_CACHED_FIRST go first, those of MODEL_CACHED_LAST last.
 */
enum model_policy { MODEL_CACHED, MODEL_CACHED_FIRST, MODEL_CACHED_LAST, MODEL_BYPASS };

struct model_warp {
    model_time ready, data; /* can issue; its outstanding loads are there */
    model_time fresh;       /* the same, of loads of its basic block on which none of it waits yet */
    uint32_t last_instr;    /* MODEL_NO_INSTR: none, where time is kept */
    struct model_writer stored;
    uint16_t early;    /* cycles before ready at which requests of a lower level went */
    uint8_t level : 6; /* of the block's requests so far, as in struct model_step */
    bool waiting : 1, ended : 1;
    uint8_t turn; /* of those of its block of which only the last waits */
};
#define MODEL_NO_INSTR UINT32_MAX
struct model_slot { /* a resident block */
    uint64_t block;
    bool used;
    uint32_t waiting, ended;
    uint32_t first, streams; /* of its warps in this turn, among those of the multiprocessor */
    model_time begin, barrier, end;
};
struct model_seen { /* sectors of loads in L1, found there; all asked of L1, of L2; when its last warp ended
                     */
    uint64_t loads, hits, asked, l2;
    model_time end;
};
struct model_sm {
    bool used; /* since the launch began */
    struct model_seen seen;
    model_time port;
    struct model_l1 l1;
    struct model_constants constants;
};
/* ---- a sample of what multiprocessors touch, in pieces of lines that DRAM delivers together
 * (model_sample.c) ---- */
enum model_touched { MODEL_WATCHED = 1, MODEL_FIRST_WATCHED = 2, MODEL_FIRST_OTHERS = 4 };
enum { MODEL_SAMPLED_GROUPS = 64 };
struct model_sampled_pieces { /* a hash table; arrays by place */
    uint64_t *keys;           /* 0: none; number of the piece + 1 */
    uint64_t *instrs;         /* that touched it, modulo MODEL_SAMPLED_GROUPS, as bits */
    uint8_t *by; /* enum model_touched: watched multiprocessors; of the first blocks, theirs, others' */
};
enum { MODEL_NOTES = 32 };
struct model_note { /* is looked up when the host has its place at hand */
    uint64_t key, hash, instrs;
    uint8_t by;
};
struct model_sampled_group {       /* pieces that an instruction touched first */
    uint64_t first, first_watched; /* touched by any of the first blocks; by watched ones of them */
    uint64_t marked, caught;       /* by others of the first; of these, also by any watched block */
    double growth;                 /* of the whole launch, for each that watched blocks touched */
};
struct model_sample {
    struct model_sampled_pieces pieces;
    struct model_note notes[MODEL_NOTES];
    uint64_t limit; /* pieces of which the hash is not above it are kept */
    uint32_t count, piece_sectors, note_count;
    struct model_sampled_group groups[MODEL_SAMPLED_GROUPS], all;
};
/* ---- L2 in small, for what all blocks of a sampled launch touch in some places (model_touch.c) ---- */
enum { MODEL_TOUCH_TURNS = 64, MODEL_TOUCH_PARTS = 16 };
struct model_touch_turn { /* as they came */
    struct event_touch *touches;
    size_t count, room;
};
struct model_touch {
    bool made;
    struct model_params params;
    struct model_l2 l2;
    struct event_memory_sums *sums;                   /* [instr] */
    struct model_touch_turn turns[MODEL_TOUCH_TURNS]; /* from `turn` on, in a ring; the last one: and later */
    struct model_touch_turn sorted;                   /* room to sort in */
    uint64_t parts[MODEL_TOUCH_PARTS];                /* sectors of DRAM, by place modulo their number */
    uint32_t turn;
};
struct model_memory;
void model_touch_begin(struct model_memory *m, const struct event_launch *launch, bool cold);
void model_touch_release(struct model_touch *touch);
size_t model_touch_bytes(const struct model_touch *touch);
void model_touch_turn(struct model_memory *m, const struct event_turn *turn);
void model_touch_end(struct model_memory *m);
/* How far the results of a sampled launch may be off (model_margin.c). */
struct event_margin model_margin(const struct model_memory *m);
void model_sample_begin(struct model_sample *sample, uint32_t piece_sectors);
void model_sample_release(struct model_sample *sample);
size_t model_sample_bytes(const struct model_sample *sample);
void model_sample_turn(struct model_memory *m, const struct event_turn *turn);
void model_sample_estimate(struct model_sample *sample, double share); /* share: of the blocks, watched */
/* Of what an instruction (modulo MODEL_SAMPLED_GROUPS) touches, how much more the whole launch does than the
 * watched share, by what is known so far. */
double model_sample_growth(const struct model_sample *sample, uint32_t group, double share);

/* ---- time (model_clock.c) ---- */
enum {
    MODEL_PIECE = 64, /* cycles */
    MODEL_PIECES = 1024,
    MODEL_SLICES = 256,            /* at most */
    MODEL_SLICE_BYTES = 512 << 10, /* of L2, inferred: NVIDIA's A100 has 80 slices of 512 KiB */
    MODEL_COMING_LINES = 16384,
    MODEL_ROW_SHIFT = 3,  /* lines: rows of 1 KiB, of HBM's pseudo channels (JEDEC JESD238) */
    MODEL_ROWS = 4096,    /* open at once, as a power of two: a bank has one */
    MODEL_TURN_SHIFT = 6, /* lines: what is written of 8 KiB goes together, */
    MODEL_TURNS = 512     /* of so many such places at a time, as a power of two */
};
enum { MODEL_DRAM_PARTITIONS = 16 }; /* of DRAM that addresses name, at most */
enum model_unit { MODEL_ISSUE, MODEL_MATH, MODEL_LSU, MODEL_FILL, MODEL_OUT, MODEL_BARRIERS, MODEL_UNITS };
/* What is taken of a server's time; from full to room there is none. Pieces are numbered from `first` on in
 * each launch, above all numbers of the launches before: what these left counts as forgotten. */
struct model_calendar {
    uint64_t full, room;
    uint32_t first, last;        /* that is in use; last 0: none of this launch */
    struct model_calendar *next; /* that was used in this launch */
    struct model_piece {
        uint32_t number, used; /* thousandths of a cycle */
    } pieces[MODEL_PIECES];
};
struct model_channels { /* model_channels.c */
    uint32_t count;     /* 0: addresses are spread by a hash */
    uint64_t window;    /* sectors in this window, all and by partition */
    uint64_t sectors[MODEL_DRAM_PARTITIONS];
    struct model_calendar partitions[MODEL_DRAM_PARTITIONS];
};
struct model_dram_work {
    uint64_t sectors, work; /* work: thousandths of a cycle of all of DRAM */
};
struct model_clock {
    struct model_clock_sm {
        struct model_calendar units[MODEL_UNITS];
        model_time begin, end; /* of the blocks that were there */
        model_time seen;       /* when instructions issued last */
        uint32_t warps;        /* that have not ended */
        double issued;         /* cycles of it until then, those of long ago less and less */
    } *sms;
    uint32_t sm_room;
    struct model_clock_part { /* of a sampled launch, by its instructions */
        uint32_t slices;      /* that it asks */
        double l2, dram;      /* for each that was seen */
    } parts[MODEL_SAMPLED_GROUPS];
    const struct model_clock_part *part; /* of the request that is being played */
    struct model_calendar slices[MODEL_SLICES], dram;
    struct model_calendar *used;  /* in this launch */
    bool lines_came, rows_opened; /* in this launch: coming, and rows or turns, are not empty */
    struct model_channels channels;
    uint32_t slice_count;
    uint32_t atomic; /* of the request that is being played, as in struct model_step */
    struct model_coming {
        uint64_t line;
        model_time when;
    } coming[MODEL_COMING_LINES]; /* from DRAM */
    uint32_t rows[MODEL_ROWS];    /* of DRAM that are open, each at a place of its own; 0: none */
    uint32_t turns[MODEL_TURNS];  /* the same, places that were last written */
    model_time end;
    model_time port, stored;  /* of the request that is being played: when it goes into L1; when L2 has taken
                                 what it writes */
    bool shared;              /* load and store units serve shared memory, too */
    struct event_waits waits; /* in ticks; `active` follows from sms */
    struct event_stalls (*gaps)[EVENT_GAPS]; /* the same by place: [instr], and one more for none */
    uint32_t gap_count;
    struct event_stalls *at; /* where the warp is that is played */
};

struct model_places { /* model_places.c */
    struct event_progress progress;
    uint64_t *times, shortest, sum, ended; /* by sm, slot; of blocks' times; blocks */
};

struct model_memory {
    struct model_params params;
    struct model_pace pace;
    struct model_clock clock;
    const struct arch_cc *cc;
    struct model_l2 l2;
    struct model_sm *sms;
    struct model_group *groups;
    struct model_pair *pairs;               /* as many as half of the multiprocessors */
    struct model_slot *slots;               /* [sm][slot] */
    struct model_warp *warps;               /* [sm][slot][warp] */
    uint32_t sm_room, slot_room, warp_room; /* what is allocated */
    struct event_residency residency;
    uint32_t l1_sets, l1_ways, sample_shift;
    uint64_t blocks;     /* of the launch; */
    double sample_share; /* of them, what is watched */
    struct model_sample sample;
    struct model_touch touch;
    struct model_places places;
    bool begun;        /* a turn was played */
    uint8_t *policies; /* [instr] */
    struct event_memory_sums (*sums)[EVENT_MEMORY_SPACES];
    struct event_memory result;
};

static inline bool model_is_timed(const struct model_memory *m)
{
    return m->pace.steps != NULL;
}
void model_places_begin(struct model_memory *m);
void model_places_release(struct model_memory *m);
void model_places_reach(struct model_memory *m, size_t place, model_time time);
void model_places_end(struct model_memory *m, const struct model_slot *slot); /* its block ended */
void model_clock_begin(struct model_memory *m, uint32_t instr_count);
/* What comes to a server at `at` is done at the time returned. */
model_time model_clock_claim(struct model_clock *clock, struct model_calendar *server, model_time at,
                             uint64_t work);
void model_channels_begin(struct model_memory *m);
void model_channels_end(struct model_memory *m);
/* What a line's request makes DRAM read and write; returns when what waits for it goes on, latency aside. */
model_time model_channels_take(struct model_memory *m, uint64_t line, const struct model_dram_work *in,
                               const struct model_dram_work *out, model_time now);
/* Of a sampled launch, of which a share of the multiprocessors is watched. */
void model_clock_sample(struct model_clock *clock, const struct model_sample *sample, double share);
void model_clock_release(struct model_clock *clock);
/* A warp that could have gone on at `from` waits until `until`, if that is later; returns when it goes on. */
static inline model_time model_clock_waits(struct model_clock *c, enum event_stall why, model_time from,
                                           model_time until)
{
    if (until <= from) return from;
    c->at->cycles[why] += until - from;
    return until;
}
/* The warp is before or behind a request of that instruction. */
static inline void model_clock_at(struct model_clock *c, uint32_t instr, uint32_t gap)
{
    c->at = &c->gaps[instr < c->gap_count ? instr : c->gap_count][gap];
}
/* A warp has ended that began at `begin`. */
void model_clock_ends(struct model_memory *m, uint32_t sm, const struct model_warp *warp, model_time begin);
/* Ends the sums: once a launch. */
struct event_waits model_clock_waited(struct model_clock *clock);
model_time model_clock_begins(const struct model_memory *m, uint64_t order, uint64_t of_sm);
/* The warp goes on to request r: sets when it can issue. */
void model_clock_next(struct model_memory *m, uint32_t sm, struct model_warp *warp,
                      const struct event_request *r);
/* A warp comes to a barrier at which the others were by `met`; returns when all of them are there. */
model_time model_clock_meets(struct model_memory *m, uint32_t sm, model_time met, model_time at);
void model_clock_leave(struct model_memory *m, uint32_t sm, struct model_warp *warp);
/* Behind its last request the warp does work, in units of EVENT_KIND_WORK. */
void model_clock_work(struct model_memory *m, uint32_t sm, struct model_warp *warp, uint32_t units);
void model_clock_arrives(struct model_memory *m, struct model_warp *warp, const struct event_request *r,
                         model_time data);
/* When a warp's request goes, if not when the warp is ready: a compiler moves it before one that waits. */
model_time model_clock_goes(const struct model_memory *m, const struct model_warp *warp,
                            const struct event_request *r);
model_time model_clock_port(struct model_memory *m, uint32_t sm, const struct event_request *r,
                            const uint64_t *lines, model_time at);
/* The lines of one request; returns when its data is there. */
model_time model_request_play(struct model_memory *m, struct model_sm *sm, const struct event_request *r,
                              const uint64_t *lines, struct model_warp *warp);
/* What a request asks for beyond L1; how: of a store's sectors, by these bits. Returns how long it waits more
 * than L2's latency. */
enum {
    MODEL_PARTIAL = 1,
    MODEL_JOINS = 2
}; /* some are written in part; an earlier request takes them along */
model_time model_clock_beyond(struct model_memory *m, uint32_t sm, uint64_t line,
                              const struct event_memory_sums *before, const struct event_memory_sums *after,
                              uint32_t how, model_time now);
model_time model_clock_line(struct model_memory *m, uint64_t line, bool from_dram, model_time comes);
void model_clock_prefetch(const struct model_clock *clock, uint64_t line, bool load);

/* The line is about to be asked for: what the host will want of L1, and of L2 and its units if it goes
 * beyond. kind: enum event_access_kind */
void model_l1_prefetch(struct model_memory *m, const struct model_sm *sm, uint64_t line, uint32_t kind,
                       bool beyond);
/* Of what an instruction asked of L1 so far, nearly all was there. */
bool model_l1_mostly_finds(const struct event_memory_sums *sums);
/* From what the watched blocks did to what all did. */
void model_sample_scale(struct model_memory *m, const struct event_launch *launch);
/* Of the result, sectors that were written to DRAM and wait to be; returns how many lines came to L2. After
 * model_sample_scale. */
uint64_t model_sample_writes(struct model_memory *m);
/* Requests of one line; return ticks until data is there (0: nothing waits for it). */
model_time model_l1_load(struct model_memory *m, struct model_sm *sm, uint64_t line, uint32_t mask,
                         enum model_policy policy, model_time now, struct event_memory_sums *sums);
void model_l1_store(struct model_memory *m, struct model_sm *sm, uint64_t line, uint32_t mask,
                    struct model_part part, const struct model_writer *writer, model_time now,
                    struct event_memory_sums *sums);
void model_l1_forget_stores(struct model_l1 *l1); /* a launch begins */
model_time model_l1_atomic(struct model_memory *m, struct model_sm *sm, uint64_t line, uint32_t mask,
                           model_time now, struct event_memory_sums *sums);
#endif
