/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of a kernel that are like earlier ones: counted, but not simulated in detail. */
#ifndef SESSION_ESTIMATE_PRIV_H
#define SESSION_ESTIMATE_PRIV_H

#include "session_repeat_priv.h"

/* What is compared, and what results are scaled by: counts of an instruction that are exact. */
enum estimate_count {
    ESTIMATE_WARPS,
    ESTIMATE_LANES,
    ESTIMATE_GLOBAL, /* units, those of textures and bulk copies too */
    ESTIMATE_LOCAL,
    ESTIMATE_SHARED,
    ESTIMATE_COUNTS
};
typedef uint64_t estimate_counts[ESTIMATE_COUNTS];

enum {
    ESTIMATE_BYTES_MOST = 64 << 20, /* implementation: of all references */
    ESTIMATE_KINDS_MOST = 64,       /* implementation */
    ESTIMATE_REFERENCES_MOST = 6,   /* implementation: of a kind of launches */
    /* assumed: so many launches are simulated before any is estimated; so many are estimated at most between
     * two that are simulated (and half as many more, by chance), and half as many as were simulated before */
    ESTIMATE_FIRST = 8,
    ESTIMATE_PAUSE_MOST = 64,
    ESTIMATE_ERRORS =
        16, /* assumed: so many errors are remembered: the largest is that of 16 in 17 launches */
    /* assumed, in hundredths of a per cent: errors that make launches be simulated less often, more often;
     * counts of launches that differ more are not alike, that differ less are the same */
    ESTIMATE_GOOD = 500,
    ESTIMATE_BAD = 1000,
    ESTIMATE_UNLIKE = 1000,
    ESTIMATE_SAME = 50
};
struct estimate_reference {  /* a launch that was simulated */
    estimate_counts *counts; /* [instr] */
    uint64_t *counters;      /* all of them */
    struct event_time time;  /* of the launch; timed: it is known, with the stalls of each instruction */
    struct event_stalls *stalls;
    bool timed;
    struct event_memory memory;
    struct event_memory_sums (*instrs)[EVENT_MEMORY_SPACES];
    struct event_stalls (*intervals)[EVENT_INTERVALS];
    uint64_t made, used; /* when; when last */
};
struct estimate_kind {
    struct repeat_key key;
    uint64_t reach_bytes; /* event_launch.reach_bytes */
    uint32_t instr_count, slot_count, count;
    struct estimate_reference references[ESTIMATE_REFERENCES_MOST];
    size_t bytes;
    uint64_t used; /* when last */
    uint64_t launches, simulated, work;
    uint64_t next;  /* of launches, the one that is simulated next */
    uint64_t pause; /* launches until then */
    struct event_confidence errors[ESTIMATE_ERRORS];
    uint64_t checks; /* errors that there have been */
};
struct session_estimate { /* {0}: nothing yet */
    struct estimate_kind kinds[ESTIMATE_KINDS_MOST];
    uint32_t count;
    size_t bytes;
    uint64_t clock;
    struct estimate_kind *current;      /* of the launch that has begun; NULL: it can be no reference */
    bool estimating;                    /* it is not simulated */
    struct estimate_reference *learned; /* from the launch that ended last; NULL: nothing */
    const struct event_kernel *kernel;  /* as the code counts that simulated launches run */
    uint64_t *counters;                 /* of the last estimated launch, by that kernel's slots */
    /* the last estimate, and room for it */
    struct event_memory memory;
    struct event_memory_sums (*instrs)[EVENT_MEMORY_SPACES];
    struct event_stalls (*intervals)[EVENT_INTERVALS];
    uint64_t estimated; /* launches */
};
/* A launch begins. true: it is to be estimated from its counters, and not simulated. */
bool session_estimate_begin(struct session_estimate *estimate, const struct repeat_key *key,
                            const struct event_launch *launch);
/* The launch that began has been simulated, with that result. */
void session_estimate_learn(struct session_estimate *estimate, const struct event_launch *launch,
                            const struct event_memory *result);
/* The launch that was simulated last has this time. */
void session_estimate_learn_time(struct session_estimate *estimate, const struct event_launch *launch);
/* The launch that is to be estimated has ended, with its counters. Sets its memory, and its time where all
 * counters are those of a launch that was simulated; its kernel and counters become those that simulated
 * launches have, so that it can be added to them. Valid until the next launch. */
void session_estimate_make(struct session_estimate *estimate, struct event_launch *launch);
void session_estimate_clear(struct session_estimate *estimate);
#endif
