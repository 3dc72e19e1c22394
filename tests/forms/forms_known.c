/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the lists of forms that ptxas refuses (h200/refused.txt) and of forms that differ from the
 * GPU or are not supported, with the reason (differs.txt). Limits: read once, never freed. */
#include "forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_file(const char *dir, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return fopen(path, "r");
}

/* Lines "NUMBER<TAB>FORM<TAB>MESSAGE". */
bool *forms_refused_read(const struct forms_table *table, const char *dir)
{
    bool *refused = calloc(table->count + 1, sizeof *refused);
    FILE *file = open_file(dir, "h200/refused.txt");
    char *line = NULL;
    size_t capacity = 0;
    if (!refused) abort();
    while (file && getline(&line, &capacity, file) > 0) {
        char *key = strchr(line, '\t');
        if (!key) continue;
        key[1 + strcspn(key + 1, "\t\n")] = 0;
        for (uint32_t i = 0; i < table->count; i++)
            if (strcmp(table->forms[i].key, key + 1) == 0) refused[i] = true;
    }
    free(line);
    if (file) fclose(file);
    return refused;
}

/* Lines "REASON<TAB>FORM". */
struct forms_known *forms_known_read(const char *dir)
{
    struct forms_known *all = NULL;
    FILE *file = open_file(dir, "differs.txt");
    char *line = NULL;
    size_t capacity = 0;
    while (file && getline(&line, &capacity, file) > 0) {
        char *key = strchr(line, '\t');
        if (!key || *line == '#') continue;
        *key++ = 0;
        key[strcspn(key, "\n")] = 0;
        struct forms_known *known = calloc(1, sizeof *known);
        if (!known) abort();
        *known = (struct forms_known){strdup(line), strdup(key), false, all};
        all = known;
    }
    free(line);
    if (file) fclose(file);
    return all;
}

struct forms_known *forms_known_find(struct forms_known *known, const char *key)
{
    for (; known; known = known->next) {
        size_t length = strlen(known->key);
        if (strcmp(known->key, key) == 0) break;
        if (length && known->key[length - 1] == '*' && strncmp(known->key, key, length - 1) == 0) break;
    }
    return known;
}
