/* SPDX-License-Identifier: Apache-2.0 */
/* compare: reads reports (our JSON and CSV, ncu's CSV), matches their kernels, holds metrics against gates,
 * and judges: what is missing or broken fails unless it is allowed. Knows no GPU and no metric: names are
 * texts. */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "base/base.h"

/* A metric of a kernel over all launches of a report. */
struct compare_metric {
    const char *name;  /* as the report has it */
    double sum;        /* in the base unit: bytes, nanoseconds, or as it is */
    uint32_t launches; /* that have a value */
};
struct compare_kernel {
    const char *name;                     /* without parameters and return type */
    uint32_t launches, failed;            /* failed: of the launches, those that ended in an error */
    const char *failure;                  /* the first of these errors; NULL: none, or not said */
    VEC(struct compare_metric *) metrics; /* in the order of the report */
    struct map by_name;
};
struct compare_report {
    struct arena arena;
    VEC(struct compare_kernel *) kernels; /* in the order of their first launch */
    struct map by_name;
    VEC(const char *) failures; /* a text for each program or process that did not end well */
};
/* A report file; which kind it is, its content says. It may have no kernel. SW_IO, or SW_INVALID_VALUE when
 * it is none of those or was cut off. Release it in both cases. */
enum sw_status compare_read(const char *path, struct compare_report *out, struct sw_error *error);
void compare_report_release(struct compare_report *report);
/* Counters (names that end in .sum, or have no rollup) as the total of all launches, ratios as the mean. */
double compare_value(const struct compare_metric *metric);

/* One condition that must not hold: "gld_transactions>1.05x" (the new value is more than 1.05 times the old
 * one),
 * "...>5%" (it grew by more than that), "...>1000" (the new value alone). Also <, >=, <=. */
enum compare_operator { COMPARE_MORE, COMPARE_LESS, COMPARE_AT_LEAST, COMPARE_AT_MOST };
enum compare_scale { COMPARE_ABSOLUTE, COMPARE_RATIO, COMPARE_PERCENT };
struct compare_gate {
    const char *text, *metric;
    enum compare_operator operator;
    enum compare_scale scale;
    double bound;
    bool unknown; /* set by the caller: no such metric exists; the gate is not checked */
};
/* Gates of a list separated by commas; strings from arena. SW_INVALID_VALUE says what is wrong. */
enum sw_status compare_gates_parse(const char *list, struct arena *arena, struct compare_gate **out,
                                   uint32_t *count, struct sw_error *error);
/* Does the condition hold? base: the old value. Against a base of 0, 0 is a ratio of 1 and a change of 0 %;
 * any other new value is infinitely more (below 0: less). */
bool compare_gate_holds(const struct compare_gate *gate, double base, double now);

/* What fails a comparison that has gates although no gate's condition holds, because a gate must not pass on
 * nothing. Each can be allowed by its name. COMPARE_RENAMED_KERNELS is only allowed, never found: the one
 * kernel that each report alone has is then compared with the other's; otherwise it is a missing one. */
enum compare_problem_kind {
    COMPARE_EMPTY_REPORTS,
    COMPARE_FAILED_PROGRAMS,
    COMPARE_FAILED_LAUNCHES,
    COMPARE_MISSING_KERNELS,
    COMPARE_RENAMED_KERNELS,
    COMPARE_FEWER_LAUNCHES,
    COMPARE_UNKNOWN_METRICS,
    COMPARE_MISSING_METRICS,
    COMPARE_PROBLEM_COUNT
};
const char *compare_problem_name(enum compare_problem_kind kind); /* "missing-kernels" */
/* Names separated by commas, to bits (1 << kind). SW_USAGE names the nearest one. */
enum sw_status compare_allow_parse(const char *list, uint32_t *allowed, struct sw_error *error);

/* Which of the names that are offered is nearest to one that does not exist. */
struct compare_nearest {
    const char *name, *best; /* best NULL: none is near */
    size_t distance;
};
void compare_nearest_offer(struct compare_nearest *nearest, const char *name);

/* A kernel's metric, by any name that the caller knows for it; NULL: the kernel has none such. */
typedef const struct compare_metric *(*compare_find)(const struct compare_kernel *kernel, const char *name,
                                                     struct arena *arena);
const struct compare_metric *compare_find_exact(const struct compare_kernel *kernel, const char *name,
                                                struct arena *arena);

struct compare_question {
    const struct compare_report *reports[2]; /* base, new */
    const char *paths[2];
    const struct compare_gate *gates;
    uint32_t gate_count; /* 0: nothing can fail */
    uint32_t allowed;    /* bits of compare_allow_parse */
    compare_find find;
};
struct compare_pair { /* a kernel that both reports have */
    const struct compare_kernel *base, *now;
    const char *name; /* "old -> new" where it was renamed */
};
struct compare_check { /* a gate held against a kernel */
    const struct compare_gate *gate;
    const struct compare_pair *pair;
    const char *metric; /* as the report calls it */
    double base, now;   /* base NAN: it has none, and the gate needs none */
    bool failed;
};
struct compare_problem {
    enum compare_problem_kind kind;
    const char *kernel, *metric; /* NULL: it is not about one */
    const char *text;            /* in the reader's language */
    bool allowed;
};
struct compare_judgement {
    struct arena arena;
    const struct compare_question *question;
    VEC(struct compare_pair *) pairs;
    VEC(const struct compare_kernel *) added; /* that the new report alone has */
    VEC(struct compare_check) checks;
    VEC(struct compare_problem) problems;
    uint32_t failed_gates;
    bool failed;
};
/* What both point to must outlive the judgement. Release it. */
void compare_judge(const struct compare_question *question, struct compare_judgement *out);
void compare_judgement_release(struct compare_judgement *judgement);
/* The judgement in a line, without its end: "FAIL: gates failed: 1 of 2; missing kernels: 1". */
void compare_verdict(const struct compare_judgement *judgement, uint32_t differing, struct str *out);

enum compare_standing { COMPARE_FAILED, COMPARE_CHANGED, COMPARE_SAME };
struct compare_row {
    const struct compare_pair *pair;
    const char *metric;
    double base, now; /* base NAN: not known */
    enum compare_standing standing;
};
struct compare_rows {
    VEC(struct compare_row) list;
    uint32_t differing;
};
/* Metrics that both kernels of a pair have: those of failed gates, then the others by how much they changed,
 * then those that did not. wanted: of which metrics (not asked about failed gates). Release list. */
void compare_rows_make(const struct compare_judgement *judgement,
                       bool (*wanted)(void *user, const char *metric), void *user, struct compare_rows *out);
#endif
