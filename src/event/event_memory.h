/* SPDX-License-Identifier: Apache-2.0 */
/* What a model of caches and DRAM makes of the requests of a launch. */
#ifndef EVENT_MEMORY_H
#define EVENT_MEMORY_H

#include "event_time.h"

/* What a model of caches and DRAM makes of requests, in sectors of 32 bytes. Of a launch, or of one
 * instruction: then DRAM's are those that its own requests caused. */
struct event_memory_sums {
    uint64_t l1_sectors, l1_hits;      /* looked up in L1; found */
    uint64_t l2_reads, l2_read_hits;   /* asked of L2 by loads */
    uint64_t l2_writes, l2_write_hits; /* by stores */
    uint64_t l2_atomics, l2_atomic_hits;
    uint64_t l2_fabric_reads, l2_fabric_writes; /* of these, from one part of L2 to the other */
    uint64_t dram_reads, dram_writes;
    uint64_t host_reads, host_writes;                 /* of l2_*: over PCIe, in no cache but L1 */
    uint64_t host_read_requests, host_write_requests; /* in so many requests of up to 128 bytes */
    uint64_t peer_reads, peer_writes;                 /* the same of other devices' memory */
    uint64_t peer_read_requests, peer_write_requests;
};
static inline void event_memory_add(struct event_memory_sums *to, const struct event_memory_sums *from)
{
    to->l1_sectors += from->l1_sectors;
    to->l1_hits += from->l1_hits;
    to->l2_reads += from->l2_reads;
    to->l2_read_hits += from->l2_read_hits;
    to->l2_writes += from->l2_writes;
    to->l2_write_hits += from->l2_write_hits;
    to->l2_atomics += from->l2_atomics;
    to->l2_atomic_hits += from->l2_atomic_hits;
    to->l2_fabric_reads += from->l2_fabric_reads;
    to->l2_fabric_writes += from->l2_fabric_writes;
    to->dram_reads += from->dram_reads;
    to->dram_writes += from->dram_writes;
    to->host_reads += from->host_reads;
    to->host_writes += from->host_writes;
    to->host_read_requests += from->host_read_requests;
    to->host_write_requests += from->host_write_requests;
    to->peer_reads += from->peer_reads;
    to->peer_writes += from->peer_writes;
    to->peer_read_requests += from->peer_read_requests;
    to->peer_write_requests += from->peer_write_requests;
}
/* of an instruction by enum event_access: in global memory (textures too), in local memory */
enum { EVENT_MEMORY_SPACES = 2 };
/* What warps did while the requests of a launch were replayed in time: sums over those that were. */
struct event_waits {
    uint64_t warps;
    uint64_t resident; /* cycles that they were there */
    uint64_t active;   /* cycles that multiprocessors had any */
    uint64_t
        cycles[EVENT_STALL_COUNT]; /* that they waited, by what for; 0: none, or the replay does not know */
};
/* Cycles of warps, added up over all of them, by what they did or waited for. */
struct event_stalls {
    uint64_t cycles[EVENT_STALL_COUNT];
};
/* Waits, by the request before or behind which a warp waited. */
enum { EVENT_INTERVAL_BEFORE, EVENT_INTERVAL_AFTER, EVENT_INTERVALS };
/* Of a launch that was sampled or estimated: in 19 of 20 cases (of estimates: in 16 of 17), how far what all
 * multiprocessors would have done lies from the numbers at most, in hundredths of a per cent of them; of L1's
 * hit rate of loads, of a percentage point. */
struct event_confidence {
    uint32_t l1_rate, l2_sectors, dram_sectors, cycles;
};
struct event_memory {
    struct event_memory_sums total; /* with what no instruction caused */
    uint64_t l2_writebacks;         /* sectors, those at the launch's end included */
    /* Constant memory: pieces of 64 bytes that loads ask of a multiprocessor's constant cache, and find; of
     * those that they do not, the pieces found in the cache of a group of multiprocessors; and the sectors
     * that L2 reads for the rest, those between its parts included. */
    uint64_t constant_requests, constant_hits, constant_group_hits, constant_l2_reads;
    uint32_t sample_shift; /* numbers are scaled up from a sample when not 0 */
    bool estimated;        /* from another launch of the kernel, by what was counted in both */
    struct event_confidence confidence;
    uint32_t l1_bytes; /* of an SM */
    uint64_t l2_bytes; /* that were modelled */
    bool cold;         /* caches were empty at first */
    uint64_t cycles;   /* until the last block had ended, as the order of all requests says; 0: not known */
    struct event_waits waits; /* of these cycles */
    uint32_t instr_count;     /* of the kernel */
    const struct event_memory_sums (*instrs)[EVENT_MEMORY_SPACES];
    /* Parts of waits, by instruction; a last element: what stands at no request. Not in records: NULL. */
    const struct event_stalls (*intervals)[EVENT_INTERVALS];
    /* Where addresses name the partition of DRAM: sectors, and how many there would have been if every
     * partition had had as many as the busiest, from moment to moment; 0: they do not. */
    uint64_t dram_even, dram_uneven;
};
#endif
