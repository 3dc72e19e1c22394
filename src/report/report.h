/* SPDX-License-Identifier: Apache-2.0 */
/* report: plain data for people and scripts, and its writers. Values, tables of values, pages of tables;
 * text, CSV, JSON and HTML; lines of source files. Knows nothing of GPUs. Texts that a table points to belong
 * to the caller and must outlive it. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/base.h"

#include <stdbool.h>

enum report_kind { REPORT_NONE, REPORT_INTEGER, REPORT_REAL, REPORT_TEXT };
struct report_value {
    enum report_kind kind; /* NONE: not known; never written as zero */
    union {
        uint64_t integer;
        double real;
        const char *text;
    };
};
static inline struct report_value report_none(void)
{
    return (struct report_value){.kind = REPORT_NONE, .integer = 0};
}
static inline struct report_value report_integer(uint64_t value)
{
    return (struct report_value){.kind = REPORT_INTEGER, .integer = value};
}
static inline struct report_value report_real(double value)
{
    return (struct report_value){.kind = REPORT_REAL, .real = value};
}
static inline struct report_value report_text(const char *value)
{
    return (struct report_value){.kind = REPORT_TEXT, .text = value};
}

struct report_column {
    const char *name, *unit; /* unit "": none */
};
/* Rows of cells, added one cell after the other. {0} with a title is an empty one. */
struct report_table {
    const char *title;
    VEC(struct report_column) columns;
    VEC(struct report_value) cells;
};
void report_column(struct report_table *table, const char *name, const char *unit);
void report_cell(struct report_table *table, struct report_value value);
size_t report_rows(const struct report_table *table);
void report_table_release(struct report_table *table);

/* Aligned columns under a heading; units in brackets; columns with no known value are left out. */
void report_table_text(const struct report_table *table, struct str *out);
/* As `ncu --csv --print-units base`: names, units, then rows; all quoted; thousands separated; unknown:
 * empty. */
void report_table_csv(const struct report_table *table, bool units, struct str *out);
void report_table_csv_rows(const struct report_table *table, struct str *out); /* without names and units */
/* An array of objects, one a row; unknown values are absent. */
void report_table_json(const struct report_table *table, struct str *out);

/* Columns of a terminal that a text in UTF-8 takes. */
size_t report_width(const char *text);
/* A text in lines of at most so many columns where it can be broken, the second and later ones indented (the
 * first line's indent is already written), and a line end. Texts of wide characters need no spaces to be
 * broken. */
void report_wrap(const char *text, uint32_t indent, uint32_t most, struct str *out);

/* Numbers as ncu writes them: 1,234,567 and 96.41; two decimals at most, no trailing zeros. */
void report_number(struct report_value value, struct str *out);
/* At most so many decimals, no trailing zeros; grouped: thousands separated. */
void report_decimal(double value, bool grouped, int decimals, struct str *out);
/* Numbers and texts of JSON. */
void report_json_value(struct report_value value, struct str *out);
void report_csv_text(const char *text, struct str *out); /* quoted */

/* A page of HTML without scripts, fonts or pictures from elsewhere: up to its heading. */
void report_html_begin(const char *title, struct str *out);
void report_html_text(const char *text, struct str *out); /* with &, < and quotes as HTML needs them */
void report_html_cell(struct report_value value, struct str *out);
void report_html_table(const struct report_table *table, struct str *out); /* as report_table_text */

/* Lines of source files, each file read once. {arena} has read none. */
struct report_sources {
    struct arena *arena;
    struct map files;
};
/* Without its indent; NULL: not readable. */
const char *report_source_line(struct report_sources *sources, const char *file, uint32_t line);
const char *report_source_text(struct report_sources *sources, const char *file, uint32_t line); /* whole */
void report_sources_release(struct report_sources *sources);
#endif
