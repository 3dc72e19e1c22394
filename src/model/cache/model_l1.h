/* SPDX-License-Identifier: Apache-2.0 */
/* model/cache: L1 of a multiprocessor (model_l1.c) with its stores on their way out (model_stores.c). */
#ifndef MODEL_L1_H
#define MODEL_L1_H

#include "model/access/model_hint.h"
#include "model/cache/model_merge.h"
#include "model/cache/model_slices.h"

enum { MODEL_STORES = 128, MODEL_STORE_BUCKETS = 256 }; /* implementation: how many the tables hold */
enum { MODEL_FOLD_BITS = 10 };                          /* implementation */
struct model_fold { /* what bits of a line's number above those of its set add to it: the lower 10, the next
                       10 */
    uint16_t of[2][1 << MODEL_FOLD_BITS];
};
struct model_store { /* a line that was stored to */
    uint64_t line;
    model_time when, leaves; /* the last store; others can join until then */
    uint32_t number;         /* of the last store, from 1; 0: it is none */
    uint8_t mask;            /* sectors of its request of L2 */
    uint8_t newer, older;    /* in the order of last stores, a ring */
    uint8_t next;            /* in its bucket, from 1; 0: none */
};
struct model_stores {
    struct model_store list[MODEL_STORES];
    uint8_t buckets[MODEL_STORE_BUCKETS]; /* the first of each, from 1; 0: none */
    uint8_t newest, last_joined;          /* places: those between them may be joined */
    uint32_t count;                       /* stores so far */
    model_time taken, others; /* when L1 has taken all of them; all but those that one warp made last */
    uint32_t joined_lines;    /* that may be joined */
};
enum { MODEL_WRITER_INSTRS = (1 << 22) - 1, MODEL_WRITER_LINES = (1 << 8) - 1 }; /* implementation */
struct model_writer {     /* a warp's last instruction that stored */
    uint32_t end;         /* number of the last of its stores */
    uint32_t instr : 22;  /* which it was */
    uint32_t lines : 8;   /* how many; 0: none */
    uint32_t waits : 1;   /* stores of other warps were before the first of its basic block */
    uint32_t follows : 1; /* what the warp stores next can join these */
};
struct model_l1_geometry {
    uint32_t sets, ways;
};
struct model_l1 {
    struct model_tags tags;
    struct model_divisor sets;
    const struct model_fold *fold; /* NULL: lines lie in runs of as many as there are sets */
    uint32_t lines, most, hand;    /* with it: lines that there are, that there may be; how often sets gave up
                                      their oldest, so far */
    model_time *comes;             /* [line of tags] when the data that was last asked for is there */
    uint32_t number, group, partition;
    model_time line_wait; /* of the request that is being played among those that wait for a line */
    const struct arch_cache *gpu;
    struct model_flights *flights; /* of its group; NULL: there are no groups */
    struct model_slices *slices;   /* and L2, behind it */
    struct model_port port;
    struct model_stores stores;
};

/* What shared memory leaves of it changes the number of sets, or of ways where that of sets is given. */
struct model_l1_geometry model_l1_geometry(const struct arch_cache *gpu, uint32_t bytes);
void model_l1_fold(struct model_fold *fold);
/* number: of the multiprocessor. fold: kept. Its port is not connected. */
void model_l1_init(struct model_l1 *l1, struct model_slices *slices, const struct model_fold *fold,
                   struct model_l1_geometry geometry, uint32_t number);
void model_l1_release(struct model_l1 *l1);
size_t model_l1_bytes(const struct model_l1 *l1); /* without itself */
void model_l1_clear(struct model_l1 *l1);         /* nothing is there */
/* A launch begins: no more lines than that can be there. */
void model_l1_begin(struct model_l1 *l1, uint32_t lines);
uint32_t model_l1_set(const struct model_l1 *l1, uint64_t line); /* in which the line would be */
/* The line is about to be asked for: what the host will want of L1, and of L2 and its units if it goes
 * beyond. asked: as struct event_stream has it; kind: enum event_access_kind */
void model_l1_prefetch(const struct model_l1 *l1, uint64_t asked, uint32_t set, uint32_t kind, bool beyond);
/* Of what an instruction asked of L1 so far, nearly all was there. */
bool model_l1_mostly_finds(const struct event_memory_sums *sums);
/* When what comes to L1 at `at` can go in: not before there is room for what was stored before. */
static inline model_time model_l1_held(const struct model_l1 *l1, model_time at)
{
    return model_later(l1->port.held, at);
}
struct model_line { /* a line that is asked for */
    uint64_t line;
    uint32_t set, mask; /* of L1; sectors */
};
/* Requests of one line; return ticks until data is there (0: nothing waits for it). */
model_time model_l1_load(struct model_l1 *l1, const struct model_line *asked, enum model_policy policy,
                         model_time now, struct event_memory_sums *sums);
void model_l1_store(struct model_l1 *l1, const struct model_line *asked, struct model_part part,
                    const struct model_writer *writer, model_time now, struct event_memory_sums *sums);
model_time model_l1_atomic(struct model_l1 *l1, const struct model_line *asked, model_time now,
                           struct event_memory_sums *sums);

/* ---- stores on their way out (model_stores.c) ---- */
/* A launch begins; lines: that later stores can join, at most */
void model_stores_begin(struct model_stores *stores, uint64_t lines);
void model_stores_prefetch(const struct model_stores *stores, uint64_t line);
/* An instruction of a warp is about to store to `lines` lines, which take so many places; same: in the basic
 * block of the warp's last one. */
void model_stores_ask(struct model_stores *stores, struct model_writer *writer, bool same, uint32_t lines,
                      uint32_t places, model_time now);
/* A store leaves L1, or joins one of its line that is on its way. */
void model_stores_make(struct model_l1 *l1, const struct model_line *asked, struct model_part part,
                       const struct model_writer *writer, model_time now, struct event_memory_sums *sums);
#endif
