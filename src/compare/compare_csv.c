/* SPDX-License-Identifier: Apache-2.0 */
/* CSV as ncu writes it, and as we do: the raw page (a column a metric, units in the second row) and the
 * details page (a row a metric, of a launch or, with --print-summary, of launches taken together). Method:
 * lines that are no rows (what the program or the profiler said) are skipped, but for ncu's errors; a number
 * may have thousands separated. Limits: a CSV does not say how the program ended unless ncu's errors are in
 * it; launches taken together count by their mean. */
#include "compare_priv.h"

#include "base/base_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef VEC(const char *) row;

/* The fields of the line at *at; moves past it. Quoted fields may hold commas and line ends. false: the text
 * ends within a quoted field. */
static bool read_row(const char **at, struct arena *arena, row *out)
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
    return !quoted;
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
    return n && !*end && isfinite(*out); /* "nan": no value */
}

/* A number of launches; one that cannot be is as many as there are at most, or none. */
static uint32_t count_of(double number)
{
    return number >= UINT32_MAX ? UINT32_MAX : number > 0 ? (uint32_t)number : 0;
}

struct columns {
    row names, units;
    int id, kernel, metric, unit, value; /* metric, unit, value: of the details page; -1: none */
    int invocations;                     /* of launches taken together; -1: none */
    bool quoted;                         /* rows begin with a quote */
    const char *last;                    /* identity of the row before; NULL: none */
};

static void add_wide(struct compare_report *out, struct compare_kernel *kernel, const struct columns *c,
                     const row *cells)
{
    for (size_t i = (size_t)c->kernel + 1; i < cells->count; i++) {
        double value;
        const char *name = c->names.at[i], *unit = i < c->units.count ? c->units.at[i] : "";
        if (strcmp(name, "launch__status") == 0 && cells->at[i][0] && strcmp(cells->at[i], "ok") != 0)
            compare_add_failed(out, kernel, 1, cells->at[i]);
        if (strstr(name, "__") == NULL && !strchr(name, '_')) continue; /* Context, Stream, Device ... */
        if (sw_starts_with(name, "device__attribute_")) continue;
        if (number_of(cells->at[i], &value)) compare_add(out, kernel, name, unit, value);
    }
}

/* launches: that the row is about */
static void add_long(struct compare_report *out, struct compare_kernel *kernel, const struct columns *c,
                     const row *cells, uint32_t launches)
{
    double value;
    const char *name = cells->at[c->metric], *text = cells->at[c->value];
    if (strcmp(name, "Launch Status") == 0)
        compare_add_failed(out, kernel, 1, text);
    else if (number_of(text, &value) && strcmp(name, "Failed Launches") == 0)
        compare_add_failed(out, kernel, count_of(value), NULL);
    else if (number_of(text, &value))
        compare_add_mean(out, kernel, name, c->unit >= 0 ? cells->at[c->unit] : "", value, launches);
}

/* Which launch, or group of launches, a row is about: the rows of one follow each other. */
static const char *identity_of(const struct columns *c, const row *cells, struct arena *arena)
{
    struct str text = {0};
    if (c->id >= 0)
        str_printf(&text, "%s\n%s", cells->at[c->id], cells->at[c->kernel]);
    else
        for (int i = 0; i < c->metric; i++)
            if (strcmp(c->names.at[i], "Section Name") != 0) str_printf(&text, "%s\n", cells->at[i]);
    const char *identity = arena_strdup(arena, str_text(&text));
    str_release(&text);
    return identity;
}

static void add_cells(struct compare_report *out, struct columns *c, const row *cells)
{
    double launches = 1;
    if (c->id >= 0 && !cells->at[c->id][0]) { /* the row of units */
        vec_clear(&c->units);
        for (size_t i = 0; i < cells->count; i++)
            *vec_push(&c->units) = cells->at[i];
        return;
    }
    struct compare_kernel *kernel = compare_kernel_of(out, cells->at[c->kernel]);
    const char *identity = identity_of(c, cells, &out->arena);
    if (c->invocations >= 0 && !number_of(cells->at[c->invocations], &launches)) launches = 1;
    if (c->metric < 0 || !c->last || strcmp(c->last, identity) != 0) kernel->launches += count_of(launches);
    c->last = identity;
    if (c->metric < 0)
        add_wide(out, kernel, c, cells);
    else
        add_long(out, kernel, c, cells, count_of(launches));
}

/* What ncu says among the rows, or in place of them: ==ERROR== and the program's exit status. */
static void add_said(struct compare_report *out, const char *line)
{
    size_t length = strcspn(line, "\r\n");
    bool error = sw_starts_with(line, "==ERROR== ");
    if (error || sw_starts_with(line, "==WARNING== The application returned an error code"))
        compare_add_failure(out, _("message of ncu: %.*s"), (int)length, line);
}

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return *at ? at + 1 : at;
}

/* The names of columns: the first line that has the kernel's. */
static bool find_names(const char **at, struct compare_report *out, struct columns *c)
{
    while (**at) {
        add_said(out, *at);
        c->quoted = **at == '"';
        read_row(at, &out->arena, &c->names);
        c->kernel = column_of(&c->names, "Kernel Name");
        if (c->kernel < 0) continue;
        c->id = column_of(&c->names, "ID");
        c->metric = column_of(&c->names, "Metric Name");
        c->unit = column_of(&c->names, "Metric Unit");
        c->value = column_of(&c->names, "Metric Value");
        c->invocations = column_of(&c->names, "Invocations");
        if (c->value < 0) c->value = column_of(&c->names, "Average");
        return c->metric < 0 || c->value >= 0;
    }
    return false;
}

/* Where no kernel was profiled there are no names of columns: our file is empty, ncu's has its warning. */
static bool is_of_no_kernel(const char *text)
{
    return !text[strspn(text, " \t\r\n")] || strstr(text, "==WARNING== No kernels were profiled");
}

static bool is_no_row(const char *line, const struct columns *c)
{
    bool blank = line[strspn(line, " \t\r")] == '\n' || !line[strspn(line, " \t\r")];
    return blank || sw_starts_with(line, "==") || (c->quoted && *line != '"');
}

static enum sw_status add_rows(const char *path, const char *at, struct compare_report *out,
                               struct columns *c, struct sw_error *error)
{
    row cells = {0};
    enum sw_status status = SW_OK;
    while (status == SW_OK && *at) {
        if (is_no_row(at, c)) {
            add_said(out, at);
            at = next_line(at);
            continue;
        }
        bool whole = read_row(&at, &out->arena, &cells);
        if (whole && cells.count == c->names.count)
            add_cells(out, c, &cells);
        else
            status = sw_fail(error, SW_INVALID_VALUE,
                             "'%s' was cut off: its row of kernel '%s' is not whole; write it again", path,
                             cells.count > (size_t)c->kernel ? cells.at[c->kernel] : "");
    }
    vec_release(&cells);
    return status;
}

enum sw_status compare_read_csv(const char *path, const char *text, struct compare_report *out,
                                struct sw_error *error)
{
    struct columns c = {0};
    const char *at = text;
    enum sw_status status = SW_OK;
    if (find_names(&at, out, &c))
        status = add_rows(path, at, out, &c, error);
    else if (!is_of_no_kernel(text))
        status = sw_fail(
            error, SW_INVALID_VALUE,
            "'%s' is neither a report of softwarp profile --json nor a CSV with a column 'Kernel Name'",
            path);
    vec_release(&c.names);
    vec_release(&c.units);
    return status;
}
