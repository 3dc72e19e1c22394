/* SPDX-License-Identifier: Apache-2.0 */
/* CSV as ncu writes it, and as we do: the raw page (a column a metric, units in the second row) and the
 * details page (a row a metric). Method: lines before the names of columns (what the program or the profiler
 * said) are skipped; a number may have thousands separated. Limits: the page of metrics that ncu averages
 * over launches (--print-summary) is read by its mean. */
#include "compare_priv.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(const char *) row;

/* The fields of the line at *at; moves past it. Quoted fields may hold commas and line ends. */
static void read_row(const char **at, struct arena *arena, row *out)
{
    const char *p = *at;
    struct str field = {0};
    bool quoted = false;
    vec_clear(out);
    for (;; p++) {
        bool end = !*p || (!quoted && (*p == ',' || *p == '\n'));
        if (!end && *p == '"' && quoted && p[1] == '"')
            str_add_char(&field, *p++);
        else if (!end && *p == '"')
            quoted = !quoted;
        else if (!end && *p != '\r')
            str_add_char(&field, *p);
        if (!end) continue;
        *vec_push(out) = arena_strdup(arena, str_text(&field));
        str_clear(&field);
        if (!*p || *p == '\n') break;
    }
    *at = *p ? p + 1 : p;
    str_release(&field);
}

static int column_of(const row *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->at[i], name) == 0) return (int)i;
    return -1;
}

static bool number_of(const char *text, double *out)
{
    char digits[64];
    size_t n = 0;
    for (; *text && n + 1 < sizeof digits; text++)
        if (*text != ',') digits[n++] = *text;
    digits[n] = 0;
    char *end;
    *out = strtod(digits, &end);
    return n && !*end;
}

struct columns {
    row names, units;
    int id, kernel, metric, unit, value; /* metric, unit, value: of the details page; -1: none */
    const char *last_id;                 /* of the row before */
    const struct compare_kernel *last_kernel;
};

static void add_wide(struct compare_report *out, struct compare_kernel *kernel, const struct columns *c,
                     const row *cells)
{
    for (size_t i = (size_t)c->kernel + 1; i < cells->count; i++) {
        double value;
        const char *name = c->names.at[i], *unit = i < c->units.count ? c->units.at[i] : "";
        if (strstr(name, "__") == NULL && !strchr(name, '_')) continue; /* Context, Stream, Device ... */
        if (sw_starts_with(name, "device__attribute_")) continue;
        if (number_of(cells->at[i], &value)) compare_add(out, kernel, name, unit, value);
    }
}

static void add_cells(struct compare_report *out, struct columns *c, const row *cells)
{
    double value;
    if (c->id >= 0 && !cells->at[c->id][0]) { /* the row of units */
        vec_clear(&c->units);
        for (size_t i = 0; i < cells->count; i++)
            *vec_push(&c->units) = cells->at[i];
        return;
    }
    struct compare_kernel *kernel = compare_kernel_of(out, cells->at[c->kernel]);
    bool same =
        c->id >= 0 && c->last_id && strcmp(c->last_id, cells->at[c->id]) == 0 && c->last_kernel == kernel;
    if (c->metric < 0 || !same) kernel->launches++;
    c->last_id = c->id >= 0 ? cells->at[c->id] : NULL;
    c->last_kernel = kernel;
    if (c->metric < 0)
        add_wide(out, kernel, c, cells);
    else if (number_of(cells->at[c->value], &value))
        compare_add(out, kernel, cells->at[c->metric], c->unit >= 0 ? cells->at[c->unit] : "", value);
}

/* The names of columns: the first line that has the kernel's. */
static bool find_names(const char **at, struct compare_report *out, struct columns *c)
{
    while (**at) {
        read_row(at, &out->arena, &c->names);
        c->kernel = column_of(&c->names, "Kernel Name");
        if (c->kernel < 0) continue;
        c->id = column_of(&c->names, "ID");
        c->metric = column_of(&c->names, "Metric Name");
        c->unit = column_of(&c->names, "Metric Unit");
        c->value = column_of(&c->names, "Metric Value");
        if (c->value < 0) c->value = column_of(&c->names, "Average");
        return c->metric < 0 || c->value >= 0;
    }
    return false;
}

enum sw_status compare_read_csv(const char *path, const char *text, struct compare_report *out,
                                struct sw_error *error)
{
    struct columns c = {0};
    row cells = {0};
    const char *at = text;
    enum sw_status status = SW_OK;
    if (!find_names(&at, out, &c))
        status = sw_fail(
            error, SW_INVALID_VALUE,
            "'%s' is neither a report of softwarp profile --json nor a CSV with a column 'Kernel Name'",
            path);
    while (status == SW_OK && *at) {
        read_row(&at, &out->arena, &cells);
        if (cells.count == c.names.count) add_cells(out, &c, &cells);
    }
    vec_release(&cells);
    vec_release(&c.names);
    vec_release(&c.units);
    return status;
}
