/* SPDX-License-Identifier: Apache-2.0 */
/* Names of what fails a comparison unless it is allowed, and the nearest name to one that does not exist: the
 * one with the smallest edit distance (Levenshtein), if that is at most a third of the name's length. */
#include "compare_priv.h"

#include <string.h>

static const char *const NAMES[COMPARE_PROBLEM_COUNT] = {
    [COMPARE_EMPTY_REPORTS] = "empty-reports",     [COMPARE_FAILED_PROGRAMS] = "failed-programs",
    [COMPARE_FAILED_LAUNCHES] = "failed-launches", [COMPARE_MISSING_KERNELS] = "missing-kernels",
    [COMPARE_RENAMED_KERNELS] = "renamed-kernels", [COMPARE_FEWER_LAUNCHES] = "fewer-launches",
    [COMPARE_UNKNOWN_METRICS] = "unknown-metrics", [COMPARE_MISSING_METRICS] = "missing-metrics",
};

const char *compare_problem_name(enum compare_problem_kind kind)
{
    return NAMES[kind];
}

static size_t allow_least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Letters to insert, remove or replace to make one text the other: one row of the table at a time. */
static size_t allow_distance(const char *a, const char *b)
{
    size_t columns = strlen(b), result;
    size_t *row = sw_xcalloc(columns + 1, sizeof *row);
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < columns; j++) {
            size_t above = row[j + 1];
            row[j + 1] = allow_least(above + 1, row[j] + 1, diagonal + (a[i] != b[j]));
            diagonal = above;
        }
    }
    result = row[columns];
    free(row);
    return result;
}

void compare_nearest_offer(struct compare_nearest *nearest, const char *name)
{
    size_t d = allow_distance(nearest->name, name);
    if (d > strlen(nearest->name) / 3 || (nearest->best && d >= nearest->distance)) return;
    nearest->best = name;
    nearest->distance = d;
}

static enum sw_status refuse(const char *name, struct sw_error *error)
{
    struct compare_nearest nearest = {.name = name};
    struct str all = {0};
    for (int k = 0; k < COMPARE_PROBLEM_COUNT; k++) {
        compare_nearest_offer(&nearest, NAMES[k]);
        str_printf(&all, "%s%s", k ? ", " : "", NAMES[k]);
    }
    enum sw_status status =
        nearest.best
            ? sw_fail(error, SW_USAGE, "--allow does not know '%s': did you mean '%s'?", name, nearest.best)
            : sw_fail(error, SW_USAGE, "--allow does not know '%s': choose from %s", name, str_text(&all));
    str_release(&all);
    return status;
}

static enum sw_status allow_one(const char *name, uint32_t *allowed, struct sw_error *error)
{
    for (int k = 0; k < COMPARE_PROBLEM_COUNT; k++)
        if (strcmp(name, NAMES[k]) == 0) {
            *allowed |= 1u << k;
            return SW_OK;
        }
    return refuse(name, error);
}

enum sw_status compare_allow_parse(const char *list, uint32_t *allowed, struct sw_error *error)
{
    struct arena arena;
    enum sw_status status = SW_OK;
    uint32_t bits = 0;
    arena_init(&arena);
    for (bool last = false; !last && status == SW_OK;) {
        size_t length = strcspn(list, ",");
        status = allow_one(arena_strndup(&arena, list, length), &bits, error);
        last = !list[length];
        list += length + 1;
    }
    arena_release(&arena);
    if (status == SW_OK) *allowed = bits;
    return status;
}
