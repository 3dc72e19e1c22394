/* SPDX-License-Identifier: Apache-2.0 */
/* Suppressions: findings that a report leaves out, and the file that names them.
 *
 *   file:    { "[name]" newline { key " = " pattern newline } }, "#" and ";" begin comments
 *
 * A finding is left out if all lines of one section match it. Patterns are those of fnmatch(3), where "/" is
 * a character like others; one of a place without "/" is matched against "file.cu:4" without the folder. A
 * section without lines would leave out everything and is refused. Limits: a line ends a pattern, so there
 * are none of several lines. */
#include "check_priv.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum key { KEY_KIND, KEY_KERNEL, KEY_PLACE, KEY_OTHER, KEY_CALL, KEY_COUNT };
static const char *const KEYS[] = {"kind", "kernel", "place", "other", "call"};

struct suppression {
    const char *patterns[KEY_COUNT]; /* NULL: anything */
    uint32_t line, count;
};
struct check_suppressions {
    struct arena arena;
    VEC(struct suppression) all;
};

/* ---- reading */

static char *trim(char *text)
{
    text += strspn(text, " \t");
    for (char *end = text + strlen(text); end > text && strchr(" \t\r\n", end[-1]);)
        *--end = 0;
    return text;
}

static bool is_rule(const char *pattern)
{
    for (uint32_t i = 0; i < check_rule_count(); i++)
        if (fnmatch(pattern, check_rule_at(i)->id, 0) == 0) return true;
    return false;
}

static enum sw_status read_pair(struct check_suppressions *s, char *line, const char *at,
                                struct sw_error *error)
{
    char *value = strchr(line, '=');
    if (!value) return sw_fail(error, SW_USAGE, "%s: '%s' is no line 'key = pattern'", at, line);
    *value++ = 0;
    const char *name = trim(line);
    value = trim(value);
    int key = 0;
    while (key < KEY_COUNT && strcmp(KEYS[key], name) != 0)
        key++;
    if (key == KEY_COUNT)
        return sw_fail(error, SW_USAGE, "%s: there is no key '%s': use kind, kernel, place, other or call",
                       at, name);
    if (!s->all.count)
        return sw_fail(error, SW_USAGE, "%s: '%s' stands before the first [section]", at, name);
    if (key == KEY_KIND && !is_rule(value))
        return sw_fail(error, SW_USAGE, "%s: no kind of finding matches '%s': docs/check.md lists them", at,
                       value);
    struct suppression *last = &s->all.at[s->all.count - 1];
    last->patterns[key] = arena_strdup(&s->arena, value);
    last->count++;
    return SW_OK;
}

static enum sw_status check_last(const struct check_suppressions *s, const char *path, struct sw_error *error)
{
    const struct suppression *last = s->all.count ? &s->all.at[s->all.count - 1] : NULL;
    if (!last || last->count) return SW_OK;
    return sw_fail(error, SW_USAGE, "%s:%u: the section has no lines, and would leave out everything", path,
                   last->line);
}

static enum sw_status read_line(struct check_suppressions *s, const char *path, uint32_t number, char *line,
                                struct sw_error *error)
{
    line = trim(line);
    if (!*line || *line == '#' || *line == ';') return SW_OK;
    if (*line == '[' && line[strlen(line) - 1] == ']') {
        SW_TRY(check_last(s, path, error));
        *vec_push(&s->all) = (struct suppression){.line = number};
        return SW_OK;
    }
    return read_pair(s, line, arena_printf(&s->arena, "%s:%u", path, number), error);
}

enum sw_status check_suppressions_read(const char *path, struct check_suppressions **out,
                                       struct sw_error *error)
{
    FILE *file = fopen(path, "r");
    if (!file) return sw_fail(error, SW_USAGE, "cannot read '%s': %s", path, strerror(errno));
    struct check_suppressions *s = sw_xcalloc(1, sizeof *s);
    arena_init(&s->arena);
    char *line = NULL;
    size_t capacity = 0;
    enum sw_status status = SW_OK;
    for (uint32_t number = 1; status == SW_OK && getline(&line, &capacity, file) > 0; number++)
        status = read_line(s, path, number, line, error);
    if (status == SW_OK) status = check_last(s, path, error);
    free(line);
    fclose(file);
    if (status == SW_OK)
        *out = s;
    else
        check_suppressions_free(s);
    return status;
}

void check_suppressions_free(struct check_suppressions *s)
{
    if (!s) return;
    vec_release(&s->all);
    arena_release(&s->arena);
    free(s);
}

/* ---- matching */

static bool matches_place(const char *pattern, const struct check_place *p, struct arena *arena)
{
    if (!p->at) return false;
    if (*p->file && strchr(pattern, '/'))
        return fnmatch(pattern, arena_printf(arena, "%s:%u", p->file, p->line), 0) == 0;
    return fnmatch(pattern, check_place_short(p, arena), 0) == 0;
}

static bool matches_text(const char *pattern, const char *text)
{
    return fnmatch(pattern, text ? text : "", 0) == 0;
}

static bool matches(const struct suppression *s, enum key key, const struct check_group *g,
                    struct arena *arena)
{
    const char *pattern = s->patterns[key];
    if (!pattern) return true;
    switch (key) {
    case KEY_KIND: return matches_text(pattern, g->rule->id);
    case KEY_KERNEL: return g->place.kernel && matches_text(pattern, g->place.kernel);
    case KEY_PLACE: return matches_place(pattern, &g->place, arena);
    case KEY_OTHER: return matches_place(pattern, &g->other, arena);
    case KEY_CALL: return matches_text(pattern, g->place.at->call);
    case KEY_COUNT: break;
    }
    BUG("key %d of a suppression", (int)key);
}

bool check_is_suppressed(const struct check_suppressions *all, const struct check_group *g)
{
    struct arena arena;
    bool suppressed = false;
    arena_init(&arena);
    for (size_t i = 0; i < all->all.count && !suppressed; i++) {
        suppressed = true;
        for (int key = 0; key < KEY_COUNT; key++)
            suppressed &= matches(&all->all.at[i], (enum key)key, g, &arena);
    }
    arena_release(&arena);
    return suppressed;
}

/* ---- writing */

static void add_pattern(enum key key, const char *text, struct str *out)
{
    if (!text || !*text) return;
    str_printf(out, "%s = ", KEYS[key]);
    for (; *text; text++) {
        if (strchr("*?[]\\", *text)) str_add_char(out, '\\');
        str_add_char(out, *text);
    }
    str_add_char(out, '\n');
}

void check_write_suppressions(struct check_report *r, struct str *out)
{
    str_add(out,
            "# softwarp check --suppressions FILE leaves out findings that match all lines of a section.\n");
    for (size_t i = 0; i < r->groups.count; i++) {
        const struct check_group *g = r->groups.at[i];
        str_printf(out, "\n[%zu]\n", i + 1);
        add_pattern(KEY_KIND, g->rule->id, out);
        add_pattern(KEY_KERNEL, g->place.kernel, out);
        add_pattern(KEY_PLACE, check_place_short(&g->place, &r->arena), out);
        if (g->other.at) add_pattern(KEY_OTHER, check_place_short(&g->other, &r->arena), out);
        add_pattern(KEY_CALL, g->place.at->call, out);
    }
}

/* ---- the same finding in another report */

static uint64_t hash_text(const char *text, uint64_t seed)
{
    return sw_hash_bytes(text, strlen(text), seed);
}

static uint64_t hash_place(struct check_report *r, const struct check_place *p, uint64_t seed)
{
    if (!p->at) return seed;
    const char *source = check_place_source(r, p);
    seed = hash_text(check_base_name(p->file), seed);
    seed = hash_text(p->kernel ? p->kernel : p->at->call ? p->at->call : "", seed);
    return hash_text(source ? source : check_place_short(p, &r->arena), seed);
}

uint64_t check_fingerprint(struct check_report *r, const struct check_group *g)
{
    uint64_t hash = hash_place(r, &g->place, hash_text(g->rule->id, 1));
    return hash_place(r, &g->other, hash);
}
