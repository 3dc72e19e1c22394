/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the time of launches by the ranges of NVTX in which they were made. Method: a tree; a pushed range
 * stands in those that enclose it, in the order in which the thread pushed them, whatever their domains; one
 * that was started stands at the top. A launch counts once for each range that is open. Ranges of the same
 * name in the same place are one, of all threads and processes. Limits: memory follows the number of
 * different ranges, and of kernels in each. */
#include "prof_metrics.h"

#include <stdlib.h>
#include <string.h>

struct part { /* of a kernel */
    const char *kernel;
    double ns;
    uint32_t launches;
};
struct node {
    struct prof_range_row row;
    uint32_t number;  /* in the order of their first launches */
    uint32_t last;    /* of the launches that count, from 1 */
    struct map parts; /* by kernel */
    VEC(struct node *) inner;
};
struct prof_ranges {
    struct arena arena;
    struct map by_key; /* text -> struct node */
    struct node root;
    VEC(struct node *) all;
    VEC(struct prof_range_row) rows;
    uint32_t launches;
    double ns;
};

struct prof_ranges *prof_ranges_new(void)
{
    struct prof_ranges *ranges = sw_xcalloc(1, sizeof *ranges);
    arena_init(&ranges->arena);
    return ranges;
}

static void node_release(struct node *node)
{
    map_release(&node->parts);
    vec_release(&node->inner);
}

void prof_ranges_free(struct prof_ranges *ranges)
{
    if (!ranges) return;
    for (size_t i = 0; i < ranges->all.count; i++)
        node_release(ranges->all.at[i]);
    node_release(&ranges->root);
    map_release(&ranges->by_key);
    vec_release(&ranges->all);
    vec_release(&ranges->rows);
    arena_release(&ranges->arena);
    free(ranges);
}

const char *prof_range_name(const struct event_nvtx_range *range, struct arena *arena)
{
    const char *text = *range->text ? range->text : "(range)";
    return arena_printf(arena, "%s%s%s", range->domain, *range->domain ? "@" : "", text);
}

/* ---- adding up */

static struct node *node_of(struct prof_ranges *ranges, struct node *outer, const char *key,
                            const struct event_nvtx_range *range)
{
    struct node *node = map_get(&ranges->by_key, key);
    if (node) return node;
    node = ARENA_NEW(&ranges->arena, struct node);
    node->number = (uint32_t)ranges->all.count;
    node->row.name = prof_range_name(range, &ranges->arena);
    node->row.range = (struct event_nvtx_range){.domain = arena_strdup(&ranges->arena, range->domain),
                                                .text = arena_strdup(&ranges->arena, range->text),
                                                .started = range->started};
    node->row.depth = outer == &ranges->root ? 0 : outer->row.depth + 1;
    *vec_push(&outer->inner) = node;
    *vec_push(&ranges->all) = node;
    map_set(&ranges->by_key, arena_strdup(&ranges->arena, key), node);
    return node;
}

static void count(struct prof_ranges *ranges, struct node *node, const struct prof_launch *launch)
{
    if (node->last == ranges->launches) return;
    node->last = ranges->launches;
    node->row.launches++;
    node->row.predicted_ns += launch->predicted_ns;
    struct part *part = map_get(&node->parts, launch->kernel);
    if (!part) {
        part = ARENA_NEW(&ranges->arena, struct part);
        part->kernel = arena_strdup(&ranges->arena, launch->kernel);
        map_set(&node->parts, part->kernel, part);
    }
    part->ns += launch->predicted_ns;
    part->launches++;
}

void prof_ranges_add(struct prof_ranges *ranges, const struct prof_launch *launch)
{
    const struct event_nvtx *nvtx = launch->launch->nvtx;
    struct node *outer = &ranges->root;
    struct str path = {0};
    ranges->launches++;
    ranges->ns += launch->predicted_ns;
    for (uint32_t i = 0; nvtx && i < nvtx->count; i++) {
        const struct event_nvtx_range *range = &nvtx->ranges[i];
        if (range->started) str_clear(&path);
        str_printf(&path, "%c%zu:%s%zu:%s", range->started ? 's' : 'p', strlen(range->domain), range->domain,
                   strlen(range->text), range->text);
        struct node *node = node_of(ranges, range->started ? &ranges->root : outer, str_text(&path), range);
        count(ranges, node, launch);
        if (!range->started) outer = node;
    }
    str_release(&path);
}

/* ---- the rows */

static int by_cost(const void *a, const void *b)
{
    const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
    if (x->row.predicted_ns != y->row.predicted_ns) return x->row.predicted_ns < y->row.predicted_ns ? 1 : -1;
    if (x->row.launches != y->row.launches) return x->row.launches < y->row.launches ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Does a kernel cost more than another? Of equals the one whose name comes first, since a map has no order.
 */
static bool is_hotter(const struct part *part, const struct part *than)
{
    if (!than || part->ns != than->ns) return !than || part->ns > than->ns;
    if (part->launches != than->launches) return part->launches > than->launches;
    return strcmp(part->kernel, than->kernel) < 0;
}

static void find_hottest(struct node *node)
{
    const struct part *hottest = NULL;
    void *part;
    for (size_t i = 0; map_next(&node->parts, &i, &part);)
        if (is_hotter(part, hottest)) hottest = part;
    node->row.hottest = hottest->kernel;
    node->row.hottest_ns = hottest->ns;
}

static void add_rows(struct prof_ranges *ranges, struct node *outer)
{
    if (outer->inner.count) qsort(outer->inner.at, outer->inner.count, sizeof *outer->inner.at, by_cost);
    for (size_t i = 0; i < outer->inner.count; i++) {
        find_hottest(outer->inner.at[i]);
        *vec_push(&ranges->rows) = outer->inner.at[i]->row;
        add_rows(ranges, outer->inner.at[i]);
    }
}

uint32_t prof_ranges_rows(struct prof_ranges *ranges, const struct prof_range_row **out, double *all_ns)
{
    vec_clear(&ranges->rows);
    add_rows(ranges, &ranges->root);
    *out = ranges->rows.at;
    *all_ns = ranges->ns;
    return (uint32_t)ranges->rows.count;
}

/* ---- of one launch */

const char *prof_launch_ranges(const struct prof_launch *launch, struct arena *arena)
{
    const struct event_nvtx *nvtx = launch->launch->nvtx;
    struct str text = {0};
    for (uint32_t i = 0; nvtx && i < nvtx->count; i++) {
        const struct event_nvtx_range *range = &nvtx->ranges[i];
        str_add(&text, !i ? "" : range->started ? ", " : " > ");
        str_add(&text, prof_range_name(range, arena));
    }
    const char *ranges = arena_strdup(arena, str_text(&text));
    str_release(&text);
    return ranges;
}

const char *prof_launch_innermost(const struct event_launch *launch)
{
    const char *innermost = NULL;
    for (uint32_t i = 0; launch->nvtx && i < launch->nvtx->count; i++)
        if (!launch->nvtx->ranges[i].started) innermost = launch->nvtx->ranges[i].text;
    return innermost;
}
