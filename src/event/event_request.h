/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of memory by simulated warps. */
#ifndef EVENT_REQUEST_H
#define EVENT_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

/* Atomics that return a value and those that do not (red) are counted by hardware in different counters. */
enum event_access_kind {
    EVENT_KIND_LOAD,
    EVENT_KIND_STORE,
    EVENT_KIND_ATOM,
    EVENT_KIND_RED,
    EVENT_KIND_LOAD_L2, /* bypasses L1: ld.cg, ld.cv; counted in the units of stores */
    EVENT_KIND_BARRIER, /* EVENT_PROBE_ACCESS only: the warp waits for its block here */
    EVENT_KIND_WORK,    /* the same: what the warp did besides since its last request, see detail_work */
    EVENT_KIND_ARRIVE,  /* the same, at an mbarrier: the warp arrives; */
    EVENT_KIND_BRING,   /* what it has under way arrives when its data has come (cp.async, bulk copies); */
    EVENT_KIND_AWAIT,   /* it waits for a phase. See event_phase */
    /* for the rule of shared memory only */
    EVENT_KIND_CAS,   /* two passes where other atomics have one */
    EVENT_KIND_SPIN,  /* no such atomic in hardware: load, then compare and swap, until all lanes are done */
    EVENT_KIND_TALLY, /* adds 1, result unused: lanes of one word go together */
    EVENT_KIND_COPY   /* asynchronous copy to shared memory */
};

/* ---- EVENT_PROBE_ACCESS: what warps ask of memory, in their order.
 *
 * Blocks are placed on multiprocessors as the device would place them and run in rounds: in each, every
 * resident warp goes on until it has ended, waits, or has made about EVENT_ROUND_REQUESTS requests (it stops
 * at the next back edge of a loop). After each round the tool sees what all of them did; it models who came
 * first. What is seen does not depend on the number of host threads. */
enum {
    EVENT_ROUND_REQUESTS = 128,
    EVENT_LINE_SHIFT = 7,
    EVENT_LINE_SECTORS = 4,
    EVENT_LINE_WORDS = 57,
    EVENT_LINE_PARTIAL = 60
};
static inline uint64_t event_line_number(uint64_t line)
{
    return (line & ((1ull << EVENT_LINE_WORDS) - 1)) >> EVENT_LINE_SECTORS;
}
struct event_request {
    uint32_t instr;    /* index in kernel->instrs; EVENT_KIND_WORK: how much */
    uint16_t lines;    /* how many of event_stream.lines are this request's; 0: EVENT_KIND_BARRIER, _WORK */
    uint8_t kind;      /* enum event_access_kind */
    uint8_t space : 7; /* enum isa_space: GLOBAL, LOCAL, CONST; textures: GLOBAL, of an ISA_CLASS_TEXTURE */
    uint8_t more : 1;  /* of the same execution of the instruction as the one before; nothing waits between */
};
/* The lines of EVENT_KIND_ARRIVE, _BRING and _AWAIT (space NONE) name a phase of an mbarrier of the block:
 * the first is which, and a second, of _AWAIT, how many requests make the phase over. Both <<
 * EVENT_LINE_SECTORS, so that no sectors are asked for. */
static inline uint64_t event_phase(uint32_t mbarrier, uint32_t phase)
{
    return ((uint64_t)(mbarrier & 0xffff) << 32 | phase) << EVENT_LINE_SECTORS;
}
struct event_stream { /* one warp in one round */
    uint64_t block;
    uint32_t warp, sm, slot; /* in the block; multiprocessor; which of its resident blocks */
    uint32_t request_count;
    const struct event_request *requests;
    /* mask of sectors that the request writes in part << EVENT_LINE_PARTIAL | how many words of 4 bytes of
     * each of these it writes, on average, less 1 << EVENT_LINE_WORDS | line number << EVENT_LINE_SECTORS |
     * mask of its 32-byte sectors, whatever the unit of struct event_rules; the order within a request says
     * nothing. Only stores have sectors in part; of loads of constants the first line has distinct addresses,
     * less 1, << EVENT_LINE_WORDS. Atomics: lanes that share an address come one after the
     * other, so that a line may come again, once for each rank of a lane among those of its address. Local
     * memory: in a window of its own (EVENT_LOCAL_WINDOW), with the 4-byte words of a warp's lanes
     * interleaved; each resident warp's part of the window is used again by its successor. */
    const uint64_t *lines;
    bool ended;
};
struct event_round {
    uint32_t count;
    const struct event_stream *streams; /* of all resident warps that did something: by sm, slot, warp */
};
struct event_progress {        /* of a launch that is simulated in detail, in a unit of the tool's choice */
    const uint64_t *cta_slots; /* by sm, then slot: as far as its block is, or when it ended */
    uint64_t ahead; /* free CTA slots that are not further than this ahead of any other take blocks now */
};
struct event_residency {
    uint32_t sm_count, blocks_per_sm, warps_per_block;
    uint32_t l1_bytes; /* of an SM, what shared memory leaves of it */
    bool divisible; /* blocks do not wait for each other: some may be simulated in detail and the others only
                       counted */
    /* How the device dispatches blocks (engine_order.c). 0 groups: there are none. */
    uint32_t groups, first; /* of multiprocessors, in order; of the first group, so many stand apart */
};
/* The first multiprocessor of a group (groups: all of them together): as even as pairs of them allow, the
 * larger groups last. */
static inline uint32_t event_group_begin(uint32_t sm_count, uint32_t groups, uint32_t group)
{
    uint32_t pairs = (sm_count + 1) / 2, small = pairs / groups, before = groups - pairs % groups;
    uint32_t begin = 2 * (group * small + (group > before ? group - before : 0));
    return begin < sm_count ? begin : sm_count;
}
/* Where local memory begins, as an address: above all others. */
#define EVENT_LOCAL_WINDOW (1ull << 59)
/* Is this multiprocessor simulated in detail under sample shift n? Of clusters of neighbours, whose reads can
 * merge on their way to L2, one in 2^n is, but at least two: one in each of as many parts of the device, at a
 * place that is not the same in all, since what blocks share may repeat. */
enum { EVENT_CLUSTER_SMS = 4 };
static inline bool event_is_detailed(uint32_t sm, uint32_t sm_count, uint32_t shift)
{
    uint32_t clusters = (sm_count + EVENT_CLUSTER_SMS - 1) / EVENT_CLUSTER_SMS, parts = clusters >> shift;
    if (parts < 2) parts = 2;
    if (!shift || clusters <= parts) return true;
    uint32_t cluster = sm / EVENT_CLUSTER_SMS, part = cluster * parts / clusters;
    uint32_t first = (part * clusters + parts - 1) / parts;
    uint32_t end = ((part + 1) * clusters + parts - 1) / parts;
    return cluster == first + (part * 0x9e3779b1u >> 16) % (end - first); /* golden ratio */
}

/* ---- EVENT_PROBE_ADDRESS_SET: of a sampled launch, accesses of any block to one address set of 64, in
 * granules of EVENT_GRANULE_LINES lines; of each run of as many granules as there are sets, one is chosen, by
 * the golden ratio, so that the chosen ones are spread evenly but fall in step with no stride. ---- */
enum {
    EVENT_GRANULE_SHIFT = 9, /* bytes */
    EVENT_GRANULE_LINES = 1 << (EVENT_GRANULE_SHIFT - EVENT_LINE_SHIFT),
    EVENT_RUN_SHIFT = 6, /* granules */
    EVENT_RUN_GRANULES = 1 << EVENT_RUN_SHIFT
};
static const uint32_t EVENT_RUN_MIX = 0x9e3779b1u; /* 2^32 / golden ratio */
static inline bool event_in_address_set(uint64_t address)
{
    uint32_t schedule = (uint32_t)(address >> EVENT_GRANULE_SHIFT), run = schedule >> EVENT_RUN_SHIFT;
    return (schedule & (EVENT_RUN_GRANULES - 1)) == run * EVENT_RUN_MIX >> (32 - EVENT_RUN_SHIFT);
}
struct event_set_access { /* of a warp's request, a line in the address set */
    uint64_t line;        /* as in struct event_stream */
    uint32_t when;        /* about how many requests the warp made before */
    uint32_t instr;
    uint16_t sm;
    uint8_t kind; /* enum event_access_kind */
};
#endif
