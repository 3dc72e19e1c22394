/* SPDX-License-Identifier: Apache-2.0 */
/* How the address of an access came about, in names of the program: its parameters and variables for those of
 * PTX, and source lines for PTX lines. Limits: names of parameters are known where the kernel's source can be
 * read (check_params.c); "parameter 2" stands for others. */
#include "check_priv.h"

#include "base/base_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PARAMETER "parameter "

/* ---- names */

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* "parameter 2" at `text`, which is some characters long; NULL: its name is not known. */
static const char *parameter_name(const struct check_params *params, const char *text, size_t *length)
{
    char *end;
    unsigned long number = strtoul(text + strlen(PARAMETER), &end, 10);
    *length = (size_t)(end - text);
    return number && number <= params->count ? params->names[number - 1] : NULL;
}

/* A parameter that is named as a term is would be taken for it. */
static void hide_terms(const struct event_formula *f, struct check_params *params)
{
    for (uint32_t p = 0; p < params->count; p++)
        for (uint32_t i = 0; i < f->term_count; i++)
            if (params->names[p] && strcmp(params->names[p], f->terms[i].name) == 0) params->names[p] = NULL;
}

static bool is_mangled(const char *text)
{
    return sw_starts_with(text, "_Z") || sw_starts_with(text, "__local_depot");
}

static void add_named(struct check_report *r, const struct check_params *params, const char **at,
                      struct str *out)
{
    size_t length = 1;
    const char *name = NULL;
    if (sw_starts_with(*at, PARAMETER)) {
        name = parameter_name(params, *at, &length);
    } else if (is_name(**at)) {
        while (is_name((*at)[length]))
            length++;
        if (is_mangled(*at)) name = check_variable_name(r, arena_strndup(&r->arena, *at, length));
    }
    if (name)
        str_add(out, name);
    else
        str_add_bytes(out, *at, length);
    *at += length;
}

static const char *named(struct check_report *r, const struct check_params *params, const char *text)
{
    struct str out = {0};
    if (!text) return NULL;
    while (*text)
        add_named(r, params, &text, &out);
    const char *kept = arena_strdup(&r->arena, str_text(&out));
    str_release(&out);
    return kept;
}

/* ---- lines */

static const char *line_text(struct check_report *r, const struct event_kernel *kernel, uint32_t line)
{
    struct check_place place;
    struct event_place *at = ARENA_NEW(&r->arena, struct event_place);
    if (!line) return NULL;
    *at = (struct event_place){.kernel = kernel, .line = line};
    check_place_init(r, at, &place);
    return check_place_short(&place, &r->arena);
}

static void term_init(struct check_report *r, const struct check_params *params, const struct check_group *g,
                      const struct event_term *from, struct check_term *to)
{
    to->name = from->name;
    to->source = named(r, params, from->source);
    for (int i = 0; i < 2; i++)
        to->at[i] = line_text(r, g->place.at->kernel, from->line[i]);
    if (to->at[0] && to->at[1] && strcmp(to->at[0], to->at[1]) == 0) to->at[1] = NULL;
    if (from->known) to->value = arena_printf(&r->arena, "%" PRId64, from->value);
    to->modulo = from->modulo;
    to->kind = (enum event_term_kind)from->kind;
}

void check_formula_init(struct check_report *r, struct check_group *g)
{
    const struct event_formula *from = &g->first->formula;
    if (!from->address || !g->place.kernel) return;
    struct check_formula *f = ARENA_NEW(&r->arena, struct check_formula);
    struct check_params params;
    check_params_find(r, &g->place, &params);
    hide_terms(from, &params);
    f->index = named(r, &params, from->index);
    f->index_values = from->index_values;
    if (from->value_known) f->value = arena_printf(&r->arena, "%" PRId64, from->value);
    f->is_offset = from->is_offset;
    f->address = named(r, &params, from->address);
    f->address_values = from->address_values;
    f->term_count = from->term_count;
    for (uint32_t i = 0; i < f->term_count; i++)
        term_init(r, &params, g, &from->terms[i], &f->terms[i]);
    g->formula = f;
}

/* ---- sentences */

static void say(check_sentences *out, const char *sentence)
{
    *vec_push(out) = sentence;
}

/* "parameter 2" in the reader's language. */
static const char *in_language(const char *text, struct arena *arena)
{
    struct str out = {0};
    for (const char *found; (found = strstr(text, PARAMETER));) {
        size_t digits = strspn(found + strlen(PARAMETER), "0123456789");
        const char *number = arena_strndup(arena, found + strlen(PARAMETER), digits);
        str_add_bytes(&out, text, (size_t)(found - text));
        str_printf(&out, _("parameter %s"), number);
        text = found + strlen(PARAMETER) + digits;
    }
    str_add(&out, text);
    const char *kept = arena_strdup(arena, str_text(&out));
    str_release(&out);
    return kept;
}

static const char *equation(const char *text, const char *values, const char *result, struct arena *arena)
{
    text = in_language(text, arena);
    if (values) text = arena_printf(arena, "%s = %s", text, values);
    return result ? arena_printf(arena, "%s = %s", text, result) : text;
}

/* "x = 5", "x = 5 (modulo 2^62)", "x (not known)" */
static const char *term_value(const struct check_term *t, struct arena *arena)
{
    if (!t->value) return arena_printf(arena, _("%s (not known)"), t->name);
    if (!t->modulo) return arena_printf(arena, "%s = %s", t->name, t->value);
    return arena_printf(arena, _("%s = %s (modulo 2^%s)"), t->name, t->value,
                        arena_printf(arena, "%u", t->modulo));
}

static const char *term_text(const struct check_term *t, struct arena *arena)
{
    const char *value = term_value(t, arena), *at = t->at[0] && *t->at[0] ? t->at[0] : NULL;
    if (!at) return value;
    switch (t->kind) {
    case EVENT_TERM_LOADED:
        if (!t->source) return arena_printf(arena, _("%s: loaded at %s"), value, at);
        return arena_printf(arena, _("%s: loaded at %s from the address %s"), value, at,
                            in_language(t->source, arena));
    case EVENT_TERM_SET:
        if (!t->at[1]) return arena_printf(arena, _("%s: set at %s"), value, at);
        return arena_printf(arena, _("%s: set at %s or %s"), value, at, t->at[1]);
    case EVENT_TERM_TURNS:
        return arena_printf(arena, _("%s: turns of the loop at %s before this one"), value, at);
    case EVENT_TERM_COMPUTED:
    case EVENT_TERM_KINDS: break;
    }
    return arena_printf(arena, _("%s: computed at %s"), value, at);
}

void check_explain_formula(const struct check_group *g, struct arena *arena, check_sentences *out)
{
    const struct check_formula *f = g->formula;
    if (!f) return;
    if (f->index)
        say(out, arena_printf(arena, f->is_offset ? _("Offset in bytes: %s") : _("Index: %s"),
                              equation(f->index, f->index_values, f->value, arena)));
    const char *address = arena_printf(arena, "0x%" PRIx64, g->first->address);
    bool first_byte = g->first->kind != EVENT_FINDING_UNINITIALIZED;
    say(out, arena_printf(arena, _("Address: %s"),
                          equation(f->address, f->address_values,
                                   f->address_values && first_byte ? address : NULL, arena)));
    for (uint32_t i = 0; i < f->term_count; i++)
        say(out, term_text(&f->terms[i], arena));
}
