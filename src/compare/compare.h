/* SPDX-License-Identifier: Apache-2.0 */
/* compare: reads reports (our JSON and CSV, ncu's CSV), matches their kernels, and holds metrics against
 * gates. Knows no GPU and no metric: names are texts. */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "base/base.h"

/* A metric of a kernel over all launches of a report. */
struct compare_metric {
    const char *name;  /* as the report has it */
    double sum;        /* in the base unit: bytes, nanoseconds, or as it is */
    uint32_t launches; /* that know it */
};
struct compare_kernel {
    const char *name; /* without parameters and return type */
    uint32_t launches;
    VEC(struct compare_metric *) metrics; /* in the order of the report */
    struct map by_name;
};
struct compare_report {
    struct arena arena;
    VEC(struct compare_kernel *) kernels; /* in the order of their first launch */
    struct map by_name;
};
/* A report file; which kind it is, its content says. SW_IO, or SW_INVALID_VALUE when it is none of those.
 * Release it in both cases. */
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
};
/* Gates of a list separated by commas; strings from arena. SW_INVALID_VALUE says what is wrong. */
enum sw_status compare_gates_parse(const char *list, struct arena *arena, struct compare_gate **out,
                                   uint32_t *count, struct sw_error *error);
/* Does the condition hold? base: the old value. */
bool compare_gate_holds(const struct compare_gate *gate, double base, double now);
#endif
