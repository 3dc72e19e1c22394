/* SPDX-License-Identifier: Apache-2.0 */
/* check: reports of what programs do wrong. Findings (event_finding.h) come in, those that are alike become
 * one group, and groups are written as text, JSON, HTML, SARIF or suppressions.
 *
 * A report owns what it makes; findings, kernels and options are the caller's and must outlive it. One thread
 * at a time. The same findings in the same order give the same bytes. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "base/base.h"
#include "event/event_finding.h"

#include <stdbool.h>

enum check_tool { CHECK_MEMCHECK, CHECK_INITCHECK, CHECK_RACECHECK, CHECK_SYNCCHECK, CHECK_TOOL_COUNT };
enum check_level { CHECK_INFO, CHECK_WARN, CHECK_ERROR };
/* How races are written: the two places, each hazard, or both (as --racecheck-report). */
enum check_races { CHECK_RACES_ANALYSIS, CHECK_RACES_HAZARD, CHECK_RACES_ALL };

/* What kind of finding it is, from check_rules.def. title, change: English; translated where they are
 * printed. */
struct check_rule {
    const char *id;
    enum check_tool tool;
    enum check_level level;
    const char *title, *change;
};
uint32_t check_rule_count(void);
const struct check_rule *check_rule_at(uint32_t index);
const struct check_rule *check_rule_of(const struct event_finding *finding);
const char *check_tool_name(enum check_tool tool);

/* Which findings a report leaves out: check_suppressions_read. */
struct check_suppressions;

struct check_options {
    uint32_t tools;         /* bits 1 << enum check_tool: those that ran, for headings and summaries */
    enum check_level level; /* findings below it are left out */
    enum check_races races;
    const char *race_memory; /* in which races were looked for: shared, global or all; NULL: in none */
    bool each;               /* every finding by itself; false: those at the same lines are one group */
    bool leaks;              /* they were looked for */
    uint64_t most;           /* groups in text; 0: all */
    const char *version;     /* of Softwarp */
    const char *root;        /* folder that paths in SARIF are relative to; NULL: none are */
    const char *(*demangle)(struct arena *arena, const char *name); /* with its parameters' types */
    const struct check_suppressions *suppressions;                  /* NULL: none */
};

struct check_report;
struct check_report *check_report_new(const struct check_options *options);
void check_report_free(struct check_report *report); /* NULL: nothing */
/* process: file name of the program. */
void check_report_add(struct check_report *report, const char *process, const struct event_finding *finding);
/* Findings added from now on are those of one more run of the program, in another order of blocks and warps:
 * only what no run before had. which: "schedule 2 of 4, seed 7", for people; must outlive the report. */
void check_report_order(struct check_report *report, const char *which);
/* Findings that were added and not left out. */
uint64_t check_report_errors(const struct check_report *report);

/* How the program ended. */
struct check_run {
    int exit_status; /* the program's */
    bool complete;   /* all its processes ended by themselves, and nothing was refused */
};
/* All append. Text: in compute-sanitizer's lines, explanations in the language of base_text.h. */
void check_write_text(struct check_report *report, const struct check_run *run, struct str *out);
void check_write_json(struct check_report *report, const struct check_run *run, struct str *out);
void check_write_html(struct check_report *report, struct str *out);
void check_write_sarif(struct check_report *report, const struct check_run *run, struct str *out);
/* Sections that check_suppressions_read reads, one a group. */
void check_write_suppressions(struct check_report *report, struct str *out);

/* Sections "[name]" of lines "key = pattern": kind, kernel, place, other, call. A finding is left out if each
 * line of some section matches it; patterns are those of a shell. SW_USAGE: a line that is none of these,
 * with path and line. *out: release with check_suppressions_free. */
enum sw_status check_suppressions_read(const char *path, struct check_suppressions **out,
                                       struct sw_error *error);
void check_suppressions_free(struct check_suppressions *suppressions); /* NULL: nothing */
#endif
