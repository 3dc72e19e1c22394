/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of instructions, and the rules by which accesses are counted. */
#ifndef EVENT_COUNTER_H
#define EVENT_COUNTER_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

/* What is compiled into a kernel: counters of instructions; requests of memory in order; those to the address
 * set; a look at the bounds of memory before each access; a look at how barriers and operations of a warp are
 * used; shadow memory, which says what was written, and which accesses of shared and of global memory nothing
 * orders; another order of a block's warps. */
enum {
    EVENT_PROBE_COUNT = 1,
    EVENT_PROBE_ACCESS = 2,
    EVENT_PROBE_ADDRESS_SET = 4,
    EVENT_PROBE_BOUNDS = 8,
    EVENT_PROBE_SYNC = 16,
    EVENT_PROBE_INIT = 32,
    EVENT_PROBE_RACE_SHARED = 64,
    EVENT_PROBE_RACE_GLOBAL = 128,
    EVENT_PROBE_ORDER = 256
};

#define EVENT_NO_SLOT UINT32_MAX
/* What is counted of accesses. */
enum event_access {
    EVENT_ACCESS_GLOBAL,  /* units: sectors (or lines). more: of atomics, the distinct sectors, since units
                             count those  whose address lanes share again; of rules with segments of several
                             sizes, 32-byte pieces */
    EVENT_ACCESS_LOCAL,   /* sectors */
    EVENT_ACCESS_SHARED,  /* wavefronts. more: of atomics that are loops, the loads' wavefronts */
    EVENT_ACCESS_CONST,   /* constant memory and parameters: distinct addresses, of which one is served at a
                             time */
    EVENT_ACCESS_TEXTURE, /* requests are the warps'; units: sectors. more: requests of quads or of eight
                             lanes */
    EVENT_ACCESS_BULK,    /* bulk copies: sectors of global memory */
    EVENT_ACCESS_COUNT
};
/* Where an instruction's counters stand in the launch's counter array. Several instructions of one basic
 * block share slots. A generic access counts as what its address turned out to be; accesses with a written
 * space have slots of that space only. */
struct event_slots {
    uint32_t warps; /* warps that executed it with at least one active lane (predicated off or not) */
    uint32_t lanes; /* active lanes, summed */
    uint32_t
        on_warps; /* the same, with lanes whose guard predicate is false left out: for memory, the requests */
    uint32_t on_lanes;
    uint32_t divergent; /* BRANCH: warps that it split */
    uint32_t
        slow; /* division, square root, reciprocal of 32-bit floats: warps that have to take the slow path */
    struct event_access_slots {
        uint32_t requests, units, ideal, more;
    } access[EVENT_ACCESS_COUNT];
};

/* Coalescing and bank rules that compiled code needs: part of the key of compiled kernels. */
struct event_rules {
    uint8_t load_shift,
        store_shift; /* log2 of the unit of a global load / store or atomic: 5 = 32-byte sector, 7 = line */
    uint8_t bank_bytes;               /* 4, or 8 */
    uint8_t global_rule, shared_rule; /* enum event_global_rule, event_shared_rule */
    uint8_t one_lane; /* atomics of an address that all lanes have in common may be one lane's */
};
enum event_global_rule {
    EVENT_GLOBAL_UNITS,    /* each unit that a warp touches once */
    EVENT_GLOBAL_STRICT,   /* cc 1.0, 1.1: half warps; one segment if lane k takes word k, else one a lane */
    EVENT_GLOBAL_SEGMENTS, /* cc 1.2, 1.3: half warps; segments of 32 to 128 bytes, as small as will do */
    EVENT_GLOBAL_128       /* cc 2.x: loads ask for 128 bytes at a time: half warps of 8-byte accesses */
};
enum event_shared_rule {
    EVENT_SHARED_PAIRS, /* cc 5.0 and later: 128 bytes at a time, loads twice that where pairs of lanes agree
                         */
    EVENT_SHARED_CC1,   /* 16 banks, half warps, one broadcast word a pass */
    EVENT_SHARED_CC2,   /* 128 bytes at a time; 16-byte accesses one pass more */
    EVENT_SHARED_CC3    /* 8-byte banks, in 4-byte mode words 32 apart of 64 together */
};
/* The rules as functions (model/ supplies them). addr: byte address of each lane, those in mask are valid;
 * bytes: of one lane's access. Result: units in the low 32, ideal units in the next 16,
 * event_access_slots.more in the high 16 bits. Called from any thread. */
struct event_counters_fns {
    uint64_t (*global)(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,
                       uint32_t bytes, uint32_t kind);
    uint64_t (*local)(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                      uint32_t bytes);
    uint64_t (*shared)(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                       uint32_t bytes, uint32_t kind);
    uint64_t (*constant)(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,
                         uint32_t bytes);
};
#endif
