/* SPDX-License-Identifier: Apache-2.0 */
/* prof: what the files of the advice share. Each rule is a function that looks at one launch (or at what the
 * host did) and adds findings. */
#ifndef PROF_ADVICE_PRIV_H
#define PROF_ADVICE_PRIV_H

#include "event/event_counter.h"
#include "prof_advice.h"
#include "prof_flow_priv.h"

#include "base/base_text.h"

enum prof_rule_id {
#define RULE(name, id, priority, section, title, change) PROF_RULE_##name,
#include "prof_advice.def"
#undef RULE
    PROF_RULE_COUNT
};

/* What an instruction of a launch counted. */
struct prof_count {
    uint64_t warps, lanes, on_warps, on_lanes, divergent;
    struct prof_access access[EVENT_ACCESS_CONST + 1]; /* by enum event_access; requests, units, ideal */
};

/* Instructions of one source line that a rule found. */
struct prof_spot {
    const char *file;     /* "" : line is that of the PTX */
    uint32_t line, first; /* first: instruction */
    struct prof_call call;
    uint64_t instrs, warps, lanes, requests, units, ideal, saved;
    uint64_t merged; /* of loads through shared memory: requests that become part of a wider one */
    uint64_t l2, dram,
        l1_hits; /* sectors that they asked of L2 and DRAM, and found in L1, by the cache model */
};
typedef VEC(struct prof_spot) prof_spots;

/* Seconds' worth of work of a launch, so that savings of different things compare. */
struct prof_cost {
    double sector, wavefront, instruction; /* seconds each, over the whole GPU */
    double total;                          /* of the launch */
};

struct prof_advisor {
    const struct prof_launch *launch;   /* NULL: rules of the host */
    const struct prof_process *process; /* NULL: rules of a launch */
    const struct arch_time *time;       /* of the process's GPU, with all curves; NULL: rules of a launch */
    struct arena *arena;
    struct prof_flow flow;
    struct prof_count *counts; /* by instruction */
    struct prof_cost cost;
    uint64_t warps;  /* of the launch */
    bool neighbours; /* coalesced loads take each other's sectors, as found */
    VEC(struct prof_finding) list;
};

const char *prof_say(struct prof_advisor *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *prof_say_number(struct prof_advisor *a, uint64_t number); /* "1,234" */
const char *prof_human(struct prof_advisor *a, uint64_t bytes);       /* "1.5 MB" */
double prof_share(double part, double whole);

/* The spot of an instruction's source line, added if it is new; counts it. */
struct prof_spot *prof_spot_add(prof_spots *spots, const struct prof_advisor *a, uint32_t instr);
/* A finding of a rule, at the end of the list; its gain is saved_seconds of the launch's. spot NULL: none. */
struct prof_finding *prof_found(struct prof_advisor *a, enum prof_rule_id rule, const struct prof_spot *spot,
                                double saved_seconds, const char *evidence);

/* What a change takes away, of the whole launch; what it adds is negative. */
struct prof_saving {
    double l1, l2, dram;                            /* sectors */
    double wavefronts, instructions, fp64, atomics; /* of warps, but for atomics' units */
    double requests;                                /* of the load and store units */
    double multiprocessors;                         /* share of what each multiprocessor does, 0 to 1 */
    double waiting; /* share of the time of warps that wait, wave after wave, 0 to 1 */
};
/* The predicted time that a finding's change saves; nothing where no time was predicted. */
void prof_saves(struct prof_advisor *a, struct prof_finding *finding, const struct prof_saving *saving);
/* The other way round: what was left out of the predicted time, and goes with the change. */
void prof_saves_unpredicted(struct prof_advisor *a, struct prof_finding *finding,
                            const struct prof_saving *adds);
/* The same as prof_saves where a line moves so many sectors less, and loads from shared memory come instead
 * (instead 1). */
void prof_saves_sectors(struct prof_advisor *a, struct prof_finding *finding, const struct prof_spot *spot,
                        uint64_t saved, bool instead);

/* Why an access moves more sectors than it needs (prof_advice_global.c). */
enum prof_cause {
    PROF_CAUSE_PACKED, /* it does not */
    PROF_CAUSE_MISALIGNED,
    PROF_CAUSE_STRIDED,
    PROF_CAUSE_STRUCTURE,
    PROF_CAUSE_VECTOR,
    PROF_CAUSE_SCATTERED,
    PROF_CAUSES
};
enum prof_cause prof_cause_of(const struct prof_advisor *a, uint32_t instr);
enum { PROF_MOST_FIELDS = 32 }; /* implementation */
struct prof_fields {            /* instructions that use one address at several offsets */
    uint32_t count;
    int64_t offsets[PROF_MOST_FIELDS], least, end;
    bool one_expression; /* of the source: an unrolled loop */
    bool located;        /* each has its location in the source */
};
/* Instructions of instr's kind beside it, itself among them. */
struct prof_fields prof_fields_of(const struct prof_advisor *a, uint32_t instr);
void prof_spot_access(struct prof_spot *spot,
                      const struct prof_count *count); /* adds those of global memory */

/* The rules, by file. */
void prof_advise_global(struct prof_advisor *a);
void prof_advise_reuse(struct prof_advisor *a);
void prof_advise_shared(struct prof_advisor *a);
void prof_advise_spaces(struct prof_advisor *a);
void prof_advise_control(struct prof_advisor *a);
void prof_advise_math(struct prof_advisor *a);
void prof_advise_configuration(struct prof_advisor *a);
void prof_advise_fit(struct prof_advisor *a);
void prof_advise_channels(struct prof_advisor *a);
void prof_advise_transfers(struct prof_advisor *a);
#endif
