/* SPDX-License-Identifier: Apache-2.0 */
/* What sampled launches keep besides: which pieces of lines are accessed, and a small L2 for all blocks. */
#ifndef MODEL_SAMPLE_PRIV_H
#define MODEL_SAMPLE_PRIV_H

#include "model_l2_priv.h"

struct model_memory;

/* ---- a sample of what multiprocessors access, in pieces of lines that DRAM delivers together
 * (model_sample.c) ---- */
/* implementation: bits */
enum model_accessor { MODEL_DETAILED = 1, MODEL_FIRST_DETAILED = 2, MODEL_FIRST_OTHERS = 4 };
enum { MODEL_SAMPLED_GROUPS = 64, MODEL_VISITS = 32 }; /* implementation: instructions share them; at most */
struct model_sampled_pieces {                          /* a hash table; arrays by slot */
    uint64_t *keys;                                    /* 0: none; number of the piece + 1 */
    uint64_t *instrs; /* that accessed it, modulo MODEL_SAMPLED_GROUPS, as bits */
    uint8_t *by; /* enum model_accessor: simulated multiprocessors; of the first blocks, theirs, others' */
    uint8_t *own, *others; /* in the first round, the earliest visit (struct model_warp) of a simulated warp's
                              loads and of other warps' requests; MODEL_VISITS: none */
};
enum { MODEL_NOTES = 32 }; /* implementation */
struct model_note {        /* is looked up when the host has its slot in cache */
    uint64_t key, hash, instrs;
    uint8_t by, own, others;
};
struct model_sampled_group {        /* pieces that an instruction accessed first */
    uint64_t first, first_detailed; /* accessed by any of the first blocks; by simulated ones of them */
    uint64_t marked, caught;        /* by others of the first; of these, also by any simulated block */
    double growth;                  /* of the whole launch, for each that simulated blocks accessed */
};
struct model_sample {
    struct model_sampled_pieces pieces;
    struct model_note notes[MODEL_NOTES];
    uint64_t limit; /* pieces of which the hash is not above it are kept */
    uint32_t count, piece_sectors, note_count;
    struct model_sampled_group groups[MODEL_SAMPLED_GROUPS], all;
    uint16_t brought[MODEL_VISITS]; /* of pieces that simulated loads access first in that visit, how many in
                                       2^16 others accessed before */
    uint16_t shared;                /* of all that simulated blocks access, how much others accessed first */
};
/* ---- L2 in small, for the accesses of all blocks of a sampled launch to the address set
 * (model_address_set.c) ---- */
/* implementation: rounds that accesses wait for at most. PARTS: assumed, a sample of so many for its margin
 */
enum { MODEL_ADDRESS_SET_ROUNDS = 64, MODEL_ADDRESS_SET_PARTS = 16 };
struct model_address_set_round { /* as they came */
    struct event_set_access *accesses;
    size_t count, capacity;
};
struct model_address_set {
    bool made;
    struct model_params params;
    struct model_l2 l2;
    struct event_memory_sums *sums; /* [instr] */
    struct model_address_set_round
        rounds[MODEL_ADDRESS_SET_ROUNDS];    /* from `round` on, in a ring; the last one: and later */
    struct model_address_set_round sorted;   /* room to sort in */
    uint64_t parts[MODEL_ADDRESS_SET_PARTS]; /* sectors of DRAM, by granule modulo their number */
    uint32_t round;
};
void model_address_set_begin(struct model_memory *m, const struct event_launch *launch, bool cold);
void model_address_set_release(struct model_address_set *access);
size_t model_address_set_bytes(const struct model_address_set *access);
void model_address_set_round(struct model_memory *m, const struct event_round *round);
void model_address_set_end(struct model_memory *m);
/* How far the results of a sampled launch may be off (model_confidence.c). */
struct event_confidence model_confidence(const struct model_memory *m);
void model_sample_begin(struct model_sample *sample, uint32_t piece_sectors);
void model_sample_release(struct model_sample *sample);
size_t model_sample_bytes(const struct model_sample *sample);
void model_sample_round(struct model_memory *m, const struct event_round *round);
void model_sample_estimate(struct model_sample *sample,
                           double share); /* share: of the blocks, simulated in detail */
/* After the first round: sets `brought` and `shared`. */
void model_sample_order(struct model_sample *sample, double share);
/* Of what an instruction (modulo MODEL_SAMPLED_GROUPS) accesses, how much more the whole launch does than the
 * simulated share, by what is known so far. */
double model_sample_growth(const struct model_sample *sample, uint32_t group, double share);

/* From what the simulated blocks did to what all did. */
void model_sample_scale(struct model_memory *m, const struct event_launch *launch);
/* Of the result, sectors that were written to DRAM and wait to be; returns how many lines came to L2. After
 * model_sample_scale. */
uint64_t model_sample_writes(struct model_memory *m);
#endif
