/* SPDX-License-Identifier: Apache-2.0 */
/* What sampled launches keep besides: which pieces of lines are touched, and a small L2 for all blocks. */
#ifndef MODEL_SAMPLE_PRIV_H
#define MODEL_SAMPLE_PRIV_H

#include "model_l2_priv.h"

struct model_memory;

/* ---- a sample of what multiprocessors touch, in pieces of lines that DRAM delivers together
 * (model_sample.c) ---- */
/* implementation: bits */
enum model_touched { MODEL_WATCHED = 1, MODEL_FIRST_WATCHED = 2, MODEL_FIRST_OTHERS = 4 };
enum { MODEL_SAMPLED_GROUPS = 64, MODEL_VISITS = 32 }; /* implementation: instructions share them; at most */
struct model_sampled_pieces {                          /* a hash table; arrays by place */
    uint64_t *keys;                                    /* 0: none; number of the piece + 1 */
    uint64_t *instrs; /* that touched it, modulo MODEL_SAMPLED_GROUPS, as bits */
    uint8_t *by;      /* enum model_touched: watched multiprocessors; of the first blocks, theirs, others' */
    uint8_t *own, *others; /* in the first turn, the earliest visit (struct model_warp) of a watched warp's
                              loads and of other warps' requests; MODEL_VISITS: none */
};
enum { MODEL_NOTES = 32 }; /* implementation */
struct model_note {        /* is looked up when the host has its place at hand */
    uint64_t key, hash, instrs;
    uint8_t by, own, others;
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
    uint16_t brought[MODEL_VISITS]; /* of pieces that watched loads touch first in that visit, how many in
                                       2^16 others touched before */
    uint16_t shared;                /* of all that watched blocks touch, how much others touched first */
};
/* ---- L2 in small, for what all blocks of a sampled launch touch in some places (model_touch.c) ---- */
/* implementation: turns that touches wait for at most. PARTS: assumed, a sample of so many for its margin */
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
/* After the first turn: sets `brought` and `shared`. */
void model_sample_order(struct model_sample *sample, double share);
/* Of what an instruction (modulo MODEL_SAMPLED_GROUPS) touches, how much more the whole launch does than the
 * watched share, by what is known so far. */
double model_sample_growth(const struct model_sample *sample, uint32_t group, double share);

/* From what the watched blocks did to what all did. */
void model_sample_scale(struct model_memory *m, const struct event_launch *launch);
/* Of the result, sectors that were written to DRAM and wait to be; returns how many lines came to L2. After
 * model_sample_scale. */
uint64_t model_sample_writes(struct model_memory *m);
#endif
