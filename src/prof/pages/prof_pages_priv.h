/* SPDX-License-Identifier: Apache-2.0 */
/* Inside prof/pages: what pages of one format write. */
#ifndef PROF_PAGES_PRIV_H
#define PROF_PAGES_PRIV_H

#include "prof/advice/prof_advice.h"
#include "prof/metrics/prof_metrics.h"

/* "kernel(float *) (1024, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 9.0" */
const char *prof_launch_title(const struct prof_launch *launch, struct arena *arena);
const char *prof_triple(const uint32_t xyz[3], struct arena *arena); /* "(256, 1, 1)" */

/* What pages of one format write. The struct is theirs together: each uses what it needs. */
struct prof_pages {
    struct prof_pages_options options;
    struct arena arena; /* of the whole report */
    struct prof_groups *groups;
    struct prof_ranges *ranges;
    struct report_sources sources;
    bool *known; /* metrics that some launch has */
    struct report_table table;
    struct prof_column { /* of the raw page, by name */
        const char *name, *unit;
        int metric, attribute; /* -1: the other one; both: the launch's status */
    } *columns;
    uint32_t column_count, seen, written;
    bool failed;            /* some launch did */
    uint64_t source_stalls; /* of the launch whose lines are being written */
    VEC(struct prof_process) processes;
};
static inline uint32_t prof_width(const struct prof_pages *pages)
{
    return pages->options.width ? pages->options.width : PROF_WIDTH;
}
void prof_advice_end(struct prof_pages *pages, struct str *out);
/* What the host of each process did; all: also of those without findings. */
void prof_host_text(struct prof_pages *pages, bool all, struct str *out);
void prof_host_json(struct prof_pages *pages, struct str *out);
/* What stands where there are none; launch NULL: of the host. */
const char *prof_no_findings(const struct prof_launch *launch);
void prof_findings_json(const struct prof_finding *findings, uint32_t count, struct str *out);
void prof_raw_begin(struct prof_pages *pages, struct str *out);
void prof_raw_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
void prof_summary_begin(struct prof_pages *pages, struct str *out);
void prof_summary_end(struct prof_pages *pages, struct str *out);
void prof_values_begin(struct prof_pages *pages, struct str *out);
void prof_values_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
void prof_source_begin(struct prof_pages *pages, struct str *out);
void prof_source_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
void prof_source_end(struct prof_pages *pages, struct str *out);
void prof_details_begin(struct prof_pages *pages, struct str *out);
void prof_details_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
void prof_details_end(struct prof_pages *pages, struct str *out);
void prof_json_begin(struct prof_pages *pages, struct str *out);
void prof_json_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
void prof_json_end(struct prof_pages *pages, struct str *out);

void prof_html_begin(struct prof_pages *pages, struct str *out);
void prof_html_end(struct prof_pages *pages, struct str *out);
void prof_html_source(struct prof_pages *pages, const struct prof_group *group, struct str *out);
void prof_list_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
/* Parts of the details page. */
typedef void (*prof_table_writer)(const struct report_table *table, struct str *out);
enum { PROF_VERDICT_FINDINGS = 3 }; /* of a kernel on the first screen */
void prof_verdict(struct prof_pages *pages, struct prof_group *const *groups, uint32_t count,
                  struct str *out);
/* Ranges of NVTX (prof_page_nvtx.c). Returns how many rows are left out; writes nothing where there are no
 * ranges. */
uint32_t prof_range_table(const struct prof_pages *pages, const char *indent, prof_table_writer write,
                          struct str *out);
void prof_range_text(const struct prof_pages *pages, struct str *out);
const char *prof_group_ranges(const struct prof_group *group, struct arena *arena); /* "": none */
void prof_range_columns(struct report_table *table);
void prof_range_csv_cells(struct report_table *table, const struct prof_launch *launch, struct arena *arena);
void prof_launch_ranges_json(const struct prof_launch *launch, struct str *out); /* ends in a comma */
void prof_ranges_json(const struct prof_pages *pages, struct str *out);          /* begins with one */
void prof_memory_tables(const struct prof_group *group, prof_table_writer write, struct str *out);
void prof_instruction_mix(const struct prof_group *group, prof_table_writer write, struct str *out);
/* The time in sentences; "": nothing to say. */
const char *prof_limit_text(const struct prof_group *group, struct arena *arena);
const char *prof_bandwidth_text(const struct prof_group *group, struct arena *arena);
/* Of a sampled launch, how far detailed simulation of all would change its numbers. */
const char *prof_sample_text(const struct prof_group *group, struct arena *arena);
const char *prof_estimate_text(const struct prof_group *group, struct arena *arena);
/* What a warp waits for most. */
const char *prof_stall_text(const struct prof_group *group, struct arena *arena);
/* How far predicted times may be trusted, of all groups. */
const char *prof_trust_text(struct prof_group *const *groups, uint32_t count, struct arena *arena);
/* What a routine of a library is, in words; "": it is a kernel. */
const char *prof_routine_text(const struct prof_group *g, struct arena *arena);
const char *prof_validated_text(const struct prof_group *group, struct arena *arena);
const char *prof_limit_name(enum event_limit limit); /* in the reader's language, with what it means */
void prof_roofline_table(const struct prof_group *group, prof_table_writer write, struct str *out);
const char *prof_roofline_verdict(const struct prof_roofline *roofline, struct arena *arena);
void prof_roofline_chart(const struct prof_roofline *roofline, struct str *out);
void prof_roofline_svg(const struct prof_roofline *roofline, struct str *out);
void prof_roofline_json(const struct prof_roofline *roofline, struct str *out);
/* Shown in a section: known, of it, and not said elsewhere on the page. */
bool prof_metric_shown(const struct prof_pages *pages, const struct prof_group *group, uint32_t metric,
                       enum prof_section section);
extern const enum prof_section PROF_SECTION_ORDER[PROF_SECTION_COUNT]; /* ncu's */
extern const char PROF_NOT_MODELLED[];
uint64_t prof_heat(const struct prof_sums *sums); /* what source lines are sorted by; >> 20: units moved */
enum prof_style { PROF_PLAIN, PROF_BOLD, PROF_FAINT, PROF_RED, PROF_YELLOW };
void prof_colour(const struct prof_pages *pages, enum prof_style style, struct str *out);

/* "ok", or how it failed. */
const char *prof_launch_status(const struct prof_launch *launch);
/* The columns by which ncu says which launch a row is of. */
void prof_identity_columns(const struct prof_pages *pages, struct report_table *table);
void prof_identity_cells(const struct prof_pages *pages, struct report_table *table, uint32_t id,
                         const struct prof_launch *launch, struct arena *arena);
/* A number as text, because ncu does not group the digits of these. */
struct report_value prof_plain(uint64_t number, struct arena *arena);
#endif
