/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: make PTX of the table of forms.
 *   forms_make list TABLE             one form a line: number, row, "run" or why not, text
 *   forms_make ptx TABLE DIR [SKIP]   DIR/NNNN.ptx, MODULE forms each; form I is kernel form_I; SKIP: a
 *                                     file whose lines begin with the numbers of forms to leave out
 *   forms_make show TABLE I           the module of form I alone
 *   forms_make covers TABLE FILE      fails unless each word of FILE is an instruction in the table
 * Limits: forms that other tests run, or that nothing runs, are listed and not made. */
#include "forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODULE = 64 };

static const char *why_not(const struct forms_row *row)
{
    if (row->refused) return "refused";
    if (row->elsewhere) return "elsewhere";
    return row->sm > 90 ? "later" : "run";
}

static int list(const struct forms_table *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const struct forms_row *row = &table->rows[table->forms[i].row];
        printf("%u\t%u\t%s\t%s\n", i, row->line, why_not(row), table->forms[i].key);
    }
    return 0;
}

static void kernel(struct forms_text *out, const struct form *form)
{
    char name[32];
    snprintf(name, sizeof name, "form_%u", form->index);
    forms_emit_kernel(out, name, &form, 1);
}

static bool *read_skips(const struct forms_table *table, const char *path)
{
    bool *skip = calloc(table->count + 1, sizeof *skip);
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[4096];
    if (!skip) abort();
    while (file && fgets(line, sizeof line, file)) {
        unsigned long i = strtoul(line, NULL, 10);
        if (i < table->count) skip[i] = true;
    }
    if (file) fclose(file);
    return skip;
}

static void write_module(const char *dir, unsigned number, struct forms_text *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%04u.ptx", dir, number);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text->text, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    text->length = 0;
}

static int make(const struct forms_table *table, const char *dir, const char *skips)
{
    struct forms_text text = {0};
    bool *skip = read_skips(table, skips);
    unsigned made = 0, kernels = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        if (strcmp(why_not(&table->rows[table->forms[i].row]), "run") != 0) continue;
        if (made % MODULE == 0) {
            if (made) write_module(dir, made / MODULE - 1, &text);
            forms_emit_head(&text, 90);
        }
        made++;
        if (skip[i]) continue;
        kernel(&text, &table->forms[i]);
        kernels++;
    }
    if (made) write_module(dir, (made - 1) / MODULE, &text);
    printf("%u kernels in %u modules\n", kernels, (made + MODULE - 1) / MODULE);
    free(skip);
    free(text.text);
    return 0;
}

static int show(const struct forms_table *table, unsigned long i)
{
    struct forms_text text = {0};
    if (i >= table->count) return 2;
    forms_emit_head(&text, table->rows[table->forms[i].row].sm);
    kernel(&text, &table->forms[i]);
    fputs(text.text, stdout);
    free(text.text);
    return 0;
}

/* Does an instruction of the form's text, or its name, read `word`? */
static bool mentions(const struct form *form, const char *word)
{
    size_t length = strlen(word);
    if (strcmp(form->mnemonic, word) == 0) return true;
    for (const char *at = form->text; (at = strstr(at, word)); at++) {
        bool starts = at == form->text || at[-1] == ' ';
        if (starts && (at[length] == ' ' || at[length] == ';' || at[length] == 0)) return true;
    }
    return false;
}

static int covers(const struct forms_table *table, const char *path)
{
    char word[256];
    unsigned missing = 0, words = 0;
    FILE *file = fopen(path, "r");
    if (!file) return 2;
    for (; fscanf(file, "%255s", word) == 1; words++) {
        uint32_t i = 0;
        while (i < table->count && !mentions(&table->forms[i], word))
            i++;
        if (i == table->count) {
            printf("FAIL: no form '%s'\n", word);
            missing++;
        }
    }
    fclose(file);
    printf("%u instructions, %u not in the table\n", words, missing);
    return missing != 0 || words == 0;
}

int main(int argc, char **argv)
{
    static struct forms_table table; /* kept to the end */
    if (argc < 3) {
        fprintf(stderr, "usage: forms_make list|ptx|show|docs|covers TABLE ...\n");
        return 2;
    }
    forms_read(argv[2], &table);
    if (strcmp(argv[1], "list") == 0) return list(&table);
    if (argc > 3 && strcmp(argv[1], "ptx") == 0) return make(&table, argv[3], argc > 4 ? argv[4] : NULL);
    if (argc > 3 && strcmp(argv[1], "show") == 0) return show(&table, strtoul(argv[3], NULL, 10));
    if (argc > 3 && strcmp(argv[1], "covers") == 0) return covers(&table, argv[3]);
    if (argc > 3 && strcmp(argv[1], "docs") == 0) return forms_docs(&table, argv[3]);
    return 2;
}
