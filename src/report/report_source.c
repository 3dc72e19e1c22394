/* SPDX-License-Identifier: Apache-2.0 */
/* The text of source lines. Limits: files are found by the path that the compiler wrote, relative ones from
 * the current folder. */
#include "report/report.h"

#include <stdio.h>
#include <string.h>

struct source_file {
    VEC(const char *) lines;
};

static struct source_file *read_source(struct report_sources *sources, const char *path)
{
    struct source_file *file = sw_xcalloc(1, sizeof *file);
    FILE *stream = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    while (stream && getline(&line, &capacity, stream) > 0) {
        line[strcspn(line, "\r\n")] = 0;
        *vec_push(&file->lines) = arena_strdup(sources->arena, line);
    }
    free(line);
    if (stream) fclose(stream);
    map_set(&sources->files, arena_strdup(sources->arena, path), file);
    return file;
}

const char *report_source_line(struct report_sources *sources, const char *path, uint32_t line)
{
    const char *text = report_source_text(sources, path, line);
    return text ? text + strspn(text, " \t") : NULL;
}

const char *report_source_text(struct report_sources *sources, const char *path, uint32_t line)
{
    if (!*path || !line) return NULL;
    struct source_file *file = map_get(&sources->files, path);
    if (!file) file = read_source(sources, path);
    return line <= file->lines.count ? file->lines.at[line - 1] : NULL;
}

void report_sources_release(struct report_sources *sources)
{
    void *value;
    for (size_t cursor = 0; map_next(&sources->files, &cursor, &value);) {
        struct source_file *file = value;
        vec_release(&file->lines);
        free(file);
    }
    map_release(&sources->files);
}
