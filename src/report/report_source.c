/* SPDX-License-Identifier: Apache-2.0 */
/* The text of source lines. Limits: files are found by the path that the compiler wrote, relative ones from
 * the current folder; of at most BYTES_MOST, up to their first zero byte. */
#include "report/report.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BYTES_MOST = 64 << 20 }; /* implementation: stays in memory */

struct source_file {
    VEC(const char *) lines;
};

/* A file's text; "": there is none, or it is no plain file, as a device or a pipe, which may have no end. */
static char *read_text(struct arena *arena, const char *path)
{
    struct stat info;
    char *text = (char *)(uintptr_t)"";
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool plain = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= BYTES_MOST;
    if (plain && info.st_size > 0) {
        text = arena_alloc(arena, (size_t)info.st_size + 1);
        ssize_t got = pread(file, text, (size_t)info.st_size, 0);
        text[got > 0 ? got : 0] = 0;
    }
    if (file >= 0) close(file);
    return text;
}

static struct source_file *read_source(struct report_sources *sources, const char *path)
{
    struct source_file *file = sw_xcalloc(1, sizeof *file);
    char *rest = read_text(sources->arena, path);
    while (*rest) {
        char *line = rest;
        rest += strcspn(rest, "\n");
        if (*rest) *rest++ = 0;
        line[strcspn(line, "\r")] = 0;
        *vec_push(&file->lines) = line;
    }
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
