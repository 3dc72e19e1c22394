/* SPDX-License-Identifier: Apache-2.0 */
/* Inside check: groups of findings and what is said of them. */
#ifndef CHECK_PRIV_H
#define CHECK_PRIV_H

#include "check/check.h"

#include "event/event_kernel.h"
#include "report/report.h"

/* A function, and where in it: the innermost one is where the instruction was written, the others where the
 * one before was inlined. */
struct check_frame {
    const char *function, *file;
    uint32_t line, column;
};
/* Where something happened, as far as it is known. */
struct check_place {
    const struct event_place *at;
    const struct event_instr *instr; /* NULL: host, or unknown */
    const char *kernel;              /* demangled; NULL: host */
    const char *launcher;            /* function of the host that launched it, demangled; NULL: not known */
    const char *file; /* of the innermost frame that is not in a header of CUDA; "": not known */
    uint32_t line, column;
    const struct check_frame *frames; /* innermost first */
    uint32_t frame_count;             /* 0: host, or no line information */
};

/* event_formula and event_term, for people. NULL: not known. */
struct check_term {
    enum event_term_kind kind;
    const char *name, *value, *source;
    const char *at[2]; /* "file.cu:4" */
    uint8_t modulo;
};
struct check_formula {
    const char *index, *index_values, *value, *address, *address_values;
    bool is_offset;
    uint32_t term_count;
    struct check_term terms[4];
};

enum { CHECK_PARAMS_MOST = 64 };
struct check_params { /* names of a kernel's parameters; count 0: not known */
    uint32_t count;
    const char *names[CHECK_PARAMS_MOST];
};

struct check_thread {
    uint32_t block[3], thread[3];
};

/* Findings that are alike. */
struct check_group {
    const struct check_rule *rule;
    enum check_level level;
    const struct event_finding *first;
    const char *process;
    struct check_place place, other; /* other.at NULL: there is none */
    uint64_t count;                  /* findings */
    uint64_t bytes;                  /* LEAK: of all of them */
    const char *order;    /* of blocks and warps, under which alone it was found; NULL: the usual one */
    const char *variable; /* event_finding.variable, for people; NULL: none */
    const struct check_formula *formula; /* NULL: none */
    VEC(struct check_thread) threads;    /* that did it, the first CHECK_THREADS_MOST */
    struct map thread_known;             /* by a hash of a thread of `threads` */
};
enum { CHECK_THREADS_MOST = 4096 };

struct check_report {
    struct check_options options;
    struct arena arena;               /* names, keys, texts */
    VEC(struct check_group *) groups; /* by first occurrence */
    struct map by_key, names;
    struct map orders; /* by key without number: the run that had it first */
    const char *order; /* of the run whose findings are added; NULL: the usual one */
    uint64_t run;
    struct report_sources sources;
    struct check_place last; /* the kernel's place that was looked up last: findings of a warp are at one */
    uint64_t errors, suppressed;
    const char *process; /* of the first finding; */
    bool several;        /* others are of another program */
};

/* ---- check_place.c */
void check_place_init(struct check_report *report, const struct event_place *at, struct check_place *out);
/* "kernel(int *)+PTX line 12 in file.cu:4", or "cudaMemcpy in main.cu:3". */
void check_place_add(const struct check_place *place, struct str *out);
/* "file.cu:4", the file without its folder; "PTX line 12" where no line is known; the caller of a call. */
const char *check_place_short(const struct check_place *place, struct arena *arena);
const char *check_base_name(const char *path);
/* Its source text without indent; NULL: not known. */
const char *check_place_source(struct check_report *report, const struct check_place *place);
const char *check_access_name(const struct check_place *place); /* "read", "write", "atomic" */
const char *check_value_text(const struct check_place *place, struct arena *arena); /* NULL: not known */
/* A variable's name for people: of CUDA C++, not of PTX; "parameter 2"; what a thread has on its stack. */
#define CHECK_LOCAL_VARIABLES "local variables"
const char *check_variable_name(struct check_report *report, const char *name);
/* "main.cu:12" apart; false: it is a function's name, or NULL. */
bool check_where_split(const char *where, struct arena *arena, const char **file, uint32_t *line);
/* Bytes from the allocation to the access, if it is outside of it; *after: on which side. */
uint64_t check_distance(const struct event_finding *finding, bool *after);

/* ---- check_rules.c */
enum check_level check_level_of(const struct check_rule *rule, const struct event_finding *finding);
const char *check_level_name(enum check_level level); /* "error" */
const char *check_space_name(enum isa_space space);   /* "__global__" */

/* ---- check_lines.c: compute-sanitizer's lines of a group, each with a line end and no prefix. */
void check_lines_add(const struct check_report *report, const struct check_group *group, struct str *out);

/* ---- check_explain.c: what compute-sanitizer does not say, in lines of the reader's language: whose memory
 * it is, and everything else. */
typedef VEC(const char *) check_sentences;
void check_explain_memory(const struct check_group *group, struct arena *arena, check_sentences *out);
void check_explain(const struct check_group *group, struct arena *arena, check_sentences *out);
/* "(0..15,0,0), (17,0,0)": threads of the first one's block; NULL: just the one that the lines name. */
const char *check_threads_text(const struct check_group *group, struct arena *arena);

/* ---- check_formula.c: how the address came about. */
void check_formula_init(struct check_report *report, struct check_group *group);
void check_explain_formula(const struct check_group *group, struct arena *arena, check_sentences *out);

/* ---- check_params.c */
void check_params_find(struct check_report *report, const struct check_place *place,
                       struct check_params *out);

/* ---- check_suppress.c */
bool check_is_suppressed(const struct check_suppressions *suppressions, const struct check_group *group);
/* The same for the same mistake after other lines have moved: of kind, kernel and source text. */
uint64_t check_fingerprint(struct check_report *report, const struct check_group *group);
#endif
