/* SPDX-License-Identifier: Apache-2.0 */
/* The values side by side, those first that matter most: of failed gates, then by how many times a value is
 * more or less than it was (0 to something: most of all), then those that are as they were. */
#include "compare_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ncu's CSV, and ours, round to two decimals. */
static bool differ(double x, double y)
{
    static const double ROUNDED = 0.0051;
    bool whole = x == floor(x) && y == floor(y);
    return isnan(x) || fabs(x - y) > (whole ? 0 : ROUNDED);
}

/* Of base and new, how many times the one the larger is of the other, as a logarithm. */
static double change_of(const struct compare_row *row)
{
    double ratio = row->now / row->base;
    return isfinite(ratio) && ratio > 0 ? fabs(log(ratio)) : INFINITY;
}

struct keyed {
    struct compare_row row;
    double change;
    size_t index;
};

static int by_weight(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->row.standing != y->row.standing) return x->row.standing < y->row.standing ? -1 : 1;
    if (x->row.standing != COMPARE_SAME && x->change != y->change) return x->change > y->change ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void sort_rows(struct compare_rows *rows)
{
    struct keyed *keyed = sw_xcalloc(rows->list.count + 1, sizeof *keyed);
    for (size_t i = 0; i < rows->list.count; i++)
        keyed[i] = (struct keyed){rows->list.at[i], change_of(&rows->list.at[i]), i};
    qsort(keyed, rows->list.count, sizeof *keyed, by_weight);
    for (size_t i = 0; i < rows->list.count; i++)
        rows->list.at[i] = keyed[i].row;
    free(keyed);
}

static void rows_add(struct compare_rows *rows, const struct compare_pair *pair, const char *metric,
                     double base, double now, bool failed)
{
    bool changed = differ(base, now);
    *vec_push(&rows->list) = (struct compare_row){pair, metric, base, now,
                                                  failed    ? COMPARE_FAILED
                                                  : changed ? COMPARE_CHANGED
                                                            : COMPARE_SAME};
    rows->differing += changed;
}

/* Is it of a failed gate, whose row is there already? */
static bool is_failed(const struct compare_judgement *j, const struct compare_pair *pair, const char *metric)
{
    for (size_t i = 0; i < j->checks.count; i++) {
        const struct compare_check *check = &j->checks.at[i];
        if (check->failed && check->pair == pair && strcmp(check->metric, metric) == 0) return true;
    }
    return false;
}

static void add_pair(const struct compare_judgement *j, const struct compare_pair *pair,
                     bool (*wanted)(void *user, const char *metric), void *user, struct arena *arena,
                     struct compare_rows *out)
{
    rows_add(out, pair, "launches", pair->base->launches, pair->now->launches, false);
    for (size_t i = 0; i < pair->base->metrics.count; i++) {
        const struct compare_metric *base = pair->base->metrics.at[i],
                                    *now = j->question->find(pair->now, base->name, arena);
        if (!now || is_failed(j, pair, base->name) || !wanted(user, base->name)) continue;
        rows_add(out, pair, base->name, compare_value(base), compare_value(now), false);
    }
}

void compare_rows_make(const struct compare_judgement *j, bool (*wanted)(void *user, const char *metric),
                       void *user, struct compare_rows *out)
{
    struct arena arena;
    memset(out, 0, sizeof *out);
    arena_init(&arena);
    for (size_t i = 0; i < j->checks.count; i++) {
        const struct compare_check *c = &j->checks.at[i];
        bool twice = false;
        for (size_t k = 0; k < i; k++)
            twice |= j->checks.at[k].failed && j->checks.at[k].pair == c->pair &&
                     strcmp(j->checks.at[k].metric, c->metric) == 0;
        if (c->failed && !twice) rows_add(out, c->pair, c->metric, c->base, c->now, true);
    }
    for (size_t i = 0; i < j->pairs.count; i++)
        add_pair(j, j->pairs.at[i], wanted, user, &arena, out);
    arena_release(&arena);
    sort_rows(out);
}
