/* SPDX-License-Identifier: Apache-2.0 */
/* The session folder's "options" file: one "key=value" a line, written by the command line, read by the
 * tools. Limits: values hold no newline (the command line refuses such a regular expression). */
#include "session_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *options_path(struct arena *arena, const char *folder)
{
    return arena_printf(arena, "%s/" SESSION_OPTIONS_FILE, folder);
}

static void write_texts(FILE *file, const char *key, const struct session_texts *texts)
{
    for (uint32_t i = 0; i < texts->count; i++)
        fprintf(file, "%s=%s\n", key, texts->at[i]);
}

enum sw_status session_options_write(const char *folder, const struct session_options *o,
                                     struct sw_error *error)
{
    if ((o->kernel && strchr(o->kernel, '\n')) || (o->without_kernel && strchr(o->without_kernel, '\n')) ||
        (o->invocation && strchr(o->invocation, '\n')))
        return sw_fail(error, SW_USAGE, "a regular expression for kernels must be one line");
    struct arena arena;
    arena_init(&arena);
    const char *path = options_path(&arena, folder);
    FILE *file = fopen(path, "w");
    if (file) {
        fprintf(file, "memory=%d\nkeep_caches=%d\nsample=%u\n", o->memory, o->keep_caches, o->sample);
        fprintf(file, "calls=%d\nchecks=%u\n", o->calls, o->checks);
        fprintf(file, "detail=%d\nany_target=%d\nskip=%" PRIu64 "\ncount=%" PRIu64 "\n", o->detail,
                o->any_target, o->skip, o->count);
        fprintf(file, "schedule=%d %u %" PRIu64 "\n", o->schedule.on, o->schedule.number, o->schedule.seed);
        fprintf(file, "look=%u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", o->look.process,
                o->look.launch, o->look.base, o->look.offset, o->look.bytes);
        if (o->kernel) fprintf(file, "kernel=%s\n", o->kernel);
        fprintf(file, "kill=%d\nkernel_id=%d\n", o->kill, o->kernel_id);
        if (o->invocation) fprintf(file, "invocation=%s\n", o->invocation);
        if (o->without_kernel) fprintf(file, "without_kernel=%s\n", o->without_kernel);
        write_texts(file, "nvtx_include", &o->nvtx_include);
        write_texts(file, "nvtx_exclude", &o->nvtx_exclude);
    }
    bool failed = !file || ferror(file);
    if (file && fclose(file)) failed = true;
    enum sw_status status =
        failed ? sw_fail(error, SW_IO, "cannot write '%s': %s", path, strerror(errno)) : SW_OK;
    arena_release(&arena);
    return status;
}

static void read_schedule(const char *value, struct event_order *out)
{
    int on = 0;
    if (sscanf(value, "%d %u %" SCNu64, &on, &out->number, &out->seed) == 3) out->on = on;
}

static void read_look(const char *value, struct session_look *out)
{
    struct session_look look;
    if (sscanf(value, "%u %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &look.process, &look.launch,
               &look.base, &look.offset, &look.bytes) == 5)
        *out = look;
}

static void add_text(struct arena *arena, struct session_texts *texts, const char *text)
{
    const char **all = ARENA_ARRAY(arena, const char *, texts->count + 1);
    for (uint32_t i = 0; i < texts->count; i++)
        all[i] = texts->at[i];
    all[texts->count] = arena_strdup(arena, text);
    *texts = (struct session_texts){all, texts->count + 1};
}

static void read_option(struct arena *arena, struct session_options *o, char *line)
{
    line[strcspn(line, "\n")] = 0;
    char *value = strchr(line, '=');
    if (!value) return;
    *value++ = 0;
    if (strcmp(line, "detail") == 0) o->detail = atoi(value);
    if (strcmp(line, "checks") == 0) o->checks = (uint32_t)strtoul(value, NULL, 10);
    if (strcmp(line, "calls") == 0) o->calls = atoi(value);
    if (strcmp(line, "any_target") == 0) o->any_target = atoi(value);
    if (strcmp(line, "memory") == 0) o->memory = atoi(value);
    if (strcmp(line, "keep_caches") == 0) o->keep_caches = atoi(value);
    if (strcmp(line, "sample") == 0) o->sample = (uint32_t)strtoul(value, NULL, 10);
    if (strcmp(line, "skip") == 0) o->skip = strtoull(value, NULL, 10);
    if (strcmp(line, "count") == 0) o->count = strtoull(value, NULL, 10);
    if (strcmp(line, "kill") == 0) o->kill = atoi(value);
    if (strcmp(line, "kernel_id") == 0) o->kernel_id = atoi(value);
    if (strcmp(line, "invocation") == 0) o->invocation = arena_strdup(arena, value);
    if (strcmp(line, "schedule") == 0) read_schedule(value, &o->schedule);
    if (strcmp(line, "look") == 0) read_look(value, &o->look);
    if (strcmp(line, "kernel") == 0) o->kernel = arena_strdup(arena, value);
    if (strcmp(line, "without_kernel") == 0) o->without_kernel = arena_strdup(arena, value);
    if (strcmp(line, "nvtx_include") == 0) add_text(arena, &o->nvtx_include, value);
    if (strcmp(line, "nvtx_exclude") == 0) add_text(arena, &o->nvtx_exclude, value);
}

enum sw_status session_options_read(const char *folder, struct arena *arena, struct session_options *out,
                                    struct sw_error *error)
{
    const char *path = options_path(arena, folder);
    FILE *file = fopen(path, "r");
    if (!file) return sw_fail(error, SW_IO, "cannot read '%s': %s", path, strerror(errno));
    char *line = NULL;
    size_t capacity = 0;
    struct session_options o = {0};
    while (getline(&line, &capacity, file) > 0)
        read_option(arena, &o, line);
    free(line);
    fclose(file);
    *out = o;
    return SW_OK;
}
