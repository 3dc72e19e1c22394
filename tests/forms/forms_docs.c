/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: print docs/ptx.md, the table of supported forms. Method: one line for each row of forms.txt,
 * with the number of its forms that ptxas accepts and the differences that differs.txt lists. Limits: the
 * page is as true as the tests, which fail when a form does not do what it says. */
#include "forms.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REASONS = 6 };

struct tally {
    unsigned forms, refused, unsupported, unequal;
    const char *reasons[REASONS]; /* different ones */
    unsigned reason_count;
};

/* ---- names ---- */

/* Where the row defines <X=...>: the alternatives, and their length. */
static const char *definition(const char *row, const char *name, size_t length, size_t *values)
{
    for (const char *at = row; (at = strchr(at, '<')); at++)
        if (strncmp(at + 1, name, length) == 0 && at[1 + length] == '=') {
            *values = strcspn(at + 2 + length, ">");
            return at + 2 + length;
        }
    return NULL;
}

/* a/x,b/y as {a,b}, the n-th parts */
static void print_alternatives(const char *values, size_t length, unsigned n)
{
    char separator = '{';
    for (const char *end = values + length; values <= end;) {
        size_t value = strcspn(values, ",>"), part = 0, skip = 0;
        for (unsigned i = 0; i < n && skip < value; i++)
            skip += strcspn(values + skip, "/,>") + 1;
        if (skip >= value) skip = 0;
        part = strcspn(values + skip, "/,>");
        printf("%c%.*s", separator, (int)part, values + skip);
        separator = ',';
        values += value + 1;
    }
    putchar('}');
}

static void print_name(const char *row, const char *name, size_t length)
{
    for (const char *end = name + length; name < end;) {
        if (*name != '<') {
            putchar(*name++);
            continue;
        }
        size_t variable = 0, values, close = strcspn(name, ">");
        while (isupper((unsigned char)name[1 + variable]))
            variable++;
        const char *at = definition(row, name + 1, variable, &values);
        const char *slash = memchr(name, '/', close);
        if (at)
            print_alternatives(at, values,
                               slash && !memchr(name, '=', close) ? (unsigned)atoi(slash + 1) : 0);
        name += close + 1;
    }
}

static void print_row_name(const char *row)
{
    const char *name = strstr(row, " name="), *end = strstr(row, " ;; ");
    size_t length = 0;
    if (name) {
        name += 6;
        length = strcspn(name, " ");
    } else {
        name = row;
        while (name + length != end && name[length] && name[length] != ' ')
            length++;
    }
    putchar('`');
    print_name(row, name, length);
    putchar('`');
}

/* ---- counting ---- */

static void add_reason(struct tally *tally, const char *reason)
{
    for (unsigned i = 0; i < tally->reason_count; i++)
        if (strcmp(tally->reasons[i], reason) == 0) return;
    if (tally->reason_count < REASONS) tally->reasons[tally->reason_count++] = reason;
}

static struct tally count_row(const struct forms_table *table, const struct forms_row *row,
                              const bool *refused, struct forms_known *all)
{
    struct tally tally = {0};
    for (uint32_t i = row->first; i < row->first + row->count; i++) {
        const struct forms_known *known = forms_known_find(all, table->forms[i].key);
        if (refused[i]) {
            tally.refused++;
            continue;
        }
        tally.forms++;
        if (!known) continue;
        if (strcmp(known->reason, "not supported") == 0)
            tally.unsupported++;
        else
            tally.unequal++;
        add_reason(&tally, known->reason);
    }
    return tally;
}

static void print_part(unsigned part, unsigned whole, const char *all)
{
    if (part == whole)
        printf("%s", all);
    else
        printf("%u of %u %s", part, whole, all);
}

static void print_reasons(const struct tally *tally)
{
    for (unsigned i = 0; i < tally->reason_count; i++)
        if (strcmp(tally->reasons[i], "not supported") != 0) printf("; %s", tally->reasons[i]);
}

static void print_row(const struct forms_row *row, const struct tally *tally)
{
    unsigned done = tally->forms - tally->unsupported;
    printf("| ");
    print_row_name(row->text);
    printf(" | %u | ", tally->forms);
    if (row->refused) {
        printf("refused: %s | | |\n", row->refused);
        return;
    }
    if (row->elsewhere) {
        printf("done | not compared | %s |\n", row->elsewhere);
        return;
    }
    print_part(done, tally->forms, "done");
    if (row->sm > 90)
        printf(" | needs sm_%u", row->sm);
    else if (done) {
        printf(" | ");
        print_part(done - tally->unequal, done, "equal");
    } else
        printf(" | ");
    print_reasons(tally);
    printf(" | forms_run |\n");
}

/* ---- the document ---- */

static const char introduction[] =
    "# PTX: what is done\n\n"
    "The target `docs-ptx` makes this page from `tests/forms/forms.txt`, `differs.txt` and `h200/`. The\n"
    "test `forms_docs` fails when it is out of date.\n\n"
    "A form is an opcode with its modifiers and types, as in the PTX ISA 9.0 up to compute capability\n"
    "9.0; `{a,b}` stands for either. Each form is a kernel that runs on 8,192 inputs (edge cases,\n"
    "neighbours, random bits). Digests of an H200's results are in `tests/forms/h200` (GPU, driver,\n"
    "toolkit and date: `machine.txt`), recorded by `tests/forms/record.sh`. *Equal* means every bit of\n"
    "all results, on SSE2, AVX2 and AVX-512.\n\n"
    "- `forms_run` compares a sixteenth of the forms with the oracle and the H200, and all of them with\n"
    "  `SW_FORMS_ALL=1` (43 s on 16 cores, with one of `SW_FORMS_SHARD=0/16` to `15/16` on each: 8,803\n"
    "  forms at the three widths, none failed, 2026-11-22).\n"
    "- `forms_refused` checks that forms which ptxas refuses are refused here.\n"
    "- `forms_unsupported` checks that tensor maps, multicast and warpgroup matrices are refused by\n"
    "  name, with the line, the kernel and what to do, and that wrong variants of them and of\n"
    "  asynchronous instructions break nothing.\n\n";

int forms_docs(const struct forms_table *table, const char *dir)
{
    bool *refused = forms_refused_read(table, dir);
    struct forms_known *known = forms_known_read(dir);
    const char *section = "";
    struct tally sum = {0};
    unsigned recorded = 0;
    fputs(introduction, stdout);
    for (uint32_t r = 0; r < table->row_count; r++) {
        const struct forms_row *row = &table->rows[r];
        struct tally tally = count_row(table, row, refused, known);
        sum.refused += tally.refused;
        if (!row->refused && !row->elsewhere && row->sm == 90) {
            recorded += tally.forms;
            sum.unsupported += tally.unsupported;
            sum.unequal += tally.unequal;
        }
        if (!tally.forms) continue; /* all of it is what ptxas refuses */
        if (strcmp(section, row->section) != 0)
            printf("%s## %s\n\n| form | forms | state | against the H200 | test |\n|---|---|---|---|---|\n",
                   *section ? "\n" : "", row->section);
        section = row->section;
        print_row(row, &tally);
    }
    printf(
        "\n## In all\n\n%u forms recorded on the H200: %u equal, %u differ, %u not supported. %u that ptxas "
        "refuses.\n",
        recorded, recorded - sum.unsupported - sum.unequal, sum.unequal, sum.unsupported, sum.refused);
    free(refused);
    return 0;
}
