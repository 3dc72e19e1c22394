/* SPDX-License-Identifier: Apache-2.0 */
/* Pages: which functions write what was asked for, and what all of them share. */
#include "prof_pages_priv.h"

#include <stdlib.h>
#include <string.h>

struct writer {
    void (*begin)(struct prof_pages *pages, struct str *out);
    void (*launch)(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
    void (*end)(struct prof_pages *pages, struct str *out);
};

static struct writer writer_of(const struct prof_pages_options *o)
{
    if (o->format == PROF_HTML) return (struct writer){prof_html_begin, NULL, prof_html_end};
    if (o->format == PROF_JSON) return (struct writer){prof_json_begin, prof_json_launch, prof_json_end};
    if (o->page == PROF_PAGE_ADVICE) return (struct writer){NULL, NULL, prof_advice_end};
    if (o->page == PROF_PAGE_SOURCE)
        return (struct writer){prof_source_begin, prof_source_launch, prof_source_end};
    if (o->page == PROF_PAGE_RAW && o->format == PROF_CSV)
        return (struct writer){prof_raw_begin, prof_raw_launch, NULL};
    if (o->format == PROF_CSV && o->summary)
        return (struct writer){prof_summary_begin, NULL, prof_summary_end};
    if (o->format == PROF_CSV) return (struct writer){prof_values_begin, prof_values_launch, NULL};
    if (o->page == PROF_PAGE_RAW) return (struct writer){NULL, prof_list_launch, NULL};
    return (struct writer){prof_details_begin, prof_details_launch, prof_details_end};
}

struct prof_pages *prof_pages_new(const struct prof_pages_options *options)
{
    struct prof_pages *pages = sw_xcalloc(1, sizeof *pages);
    pages->options = *options;
    arena_init(&pages->arena);
    pages->groups = prof_groups_new();
    pages->ranges = prof_ranges_new();
    pages->sources.arena = &pages->arena;
    pages->known = sw_xcalloc(prof_metric_count(), sizeof *pages->known);
    return pages;
}

void prof_pages_free(struct prof_pages *pages)
{
    if (!pages) return;
    prof_groups_free(pages->groups);
    prof_ranges_free(pages->ranges);
    report_sources_release(&pages->sources);
    report_table_release(&pages->table);
    arena_release(&pages->arena);
    vec_release(&pages->processes);
    free(pages->known);
    free(pages);
}

void prof_pages_see(struct prof_pages *pages, const struct prof_launch *launch)
{
    const struct prof_group *group = prof_groups_add(pages->groups, pages->seen++, launch);
    prof_ranges_add(pages->ranges, launch);
    pages->failed |= launch->launch->status != SW_OK;
    for (uint32_t m = 0; m < prof_metric_count(); m++)
        pages->known[m] |= group->stats[m].known > 0;
}

void prof_pages_begin(struct prof_pages *pages, struct str *out)
{
    struct writer writer = writer_of(&pages->options);
    if (writer.begin) writer.begin(pages, out);
}

void prof_pages_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out)
{
    struct writer writer = writer_of(&pages->options);
    if (writer.launch) writer.launch(pages, launch, out);
    pages->written++;
}

void prof_pages_end(struct prof_pages *pages, struct str *out)
{
    struct writer writer = writer_of(&pages->options);
    if (writer.end) writer.end(pages, out);
}
