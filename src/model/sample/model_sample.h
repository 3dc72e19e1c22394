/* SPDX-License-Identifier: Apache-2.0 */
/* model/sample: parts of struct model_sampling: which pieces of lines are accessed, and a small L2 for all
 * blocks. */
#ifndef MODEL_SAMPLE_H
#define MODEL_SAMPLE_H

#include "model/cache/model_slices.h"
#include "model/model_time.h"

/* ---- a sample of what multiprocessors access, in pieces of lines that DRAM delivers together
 * (model_sample.c) ---- */
/* implementation: bits */
enum model_accessor { MODEL_DETAILED = 1, MODEL_FIRST_DETAILED = 2, MODEL_FIRST_OTHERS = 4 };
enum { MODEL_VISITS = 32 }; /* implementation: at most */
struct model_sampled_piece {
    uint64_t instrs; /* that accessed it, modulo MODEL_SAMPLED_GROUPS, as bits */
    uint8_t by; /* enum model_accessor: simulated multiprocessors; of the first blocks, theirs, others' */
    uint8_t own, others; /* in the first round, the earliest visit (struct model_warp) of a simulated warp's
                            loads and of other warps' requests; MODEL_VISITS: none */
};
struct model_sampled_pieces { /* a hash table; arrays by slot */
    uint64_t *keys;           /* 0: none; number of the piece + 1 */
    struct model_sampled_piece *list;
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
    const struct model_l2 *whole; /* of which this is a part */
    struct model_params params;
    struct model_l2 l2;
    struct event_memory_sums *sums; /* [instr] */
    struct model_address_set_round
        rounds[MODEL_ADDRESS_SET_ROUNDS];    /* from `round` on, in a ring; the last one: and later */
    struct model_address_set_round sorted;   /* room to sort in */
    uint64_t parts[MODEL_ADDRESS_SET_PARTS]; /* sectors of DRAM, by granule modulo their number */
    uint32_t round;
};
/* A launch begins; whole: kept. */
void model_address_set_begin(struct model_address_set *set, const struct model_l2 *whole,
                             const struct event_launch *launch, bool cold);
void model_address_set_release(struct model_address_set *set);
size_t model_address_set_bytes(const struct model_address_set *set);
void model_address_set_wait(struct model_address_set *set, const struct event_set_access *access);
void model_address_set_round(struct model_address_set *set, const struct event_round *round);
void model_address_set_end(struct model_address_set *set);

void model_sample_begin(struct model_sample *sample, uint32_t piece_sectors);
void model_sample_release(struct model_sample *sample);
size_t model_sample_bytes(const struct model_sample *sample);
/* by: enum model_accessor; steps: of the kernel, NULL: no time is kept, or this is not the first round */
void model_sample_stream(struct model_sample *sample, const struct event_stream *stream, uint32_t by,
                         const struct model_step *steps);
void model_sample_enter(struct model_sample *sample); /* a round's streams are all told */
void model_sample_estimate(struct model_sample *sample,
                           double share); /* share: of the blocks, simulated in detail */
/* After the first round: sets `brought` and `shared`. */
void model_sample_order(struct model_sample *sample, double share);
/* Of what an instruction (modulo MODEL_SAMPLED_GROUPS) accesses, how much more the whole launch does than the
 * simulated share, by what is known so far. */
double model_sample_growth(const struct model_sample *sample, uint32_t group, double share);
#endif
