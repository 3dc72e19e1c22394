/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which launches the ranges of NVTX choose, by an expression of ncu's --nvtx-include. Method: an
 * expression is a domain and names. Names that '/' joins, or that '[' or ']' holds to an end of the stack,
 * are pushed ranges, the outer one first, which must stand in the thread's stack of that domain one after the
 * other; '+' is any one range between them, '*' any number. Names that ',' joins are ranges of the process
 * that must all be open. A backslash takes such a sign as a letter; after "regex:" domain and names are
 * extended regular expressions that match any part. Limits: ranges without a name cannot be chosen.
 * Source: "NVTX Filtering" in NVIDIA's Nsight Compute CLI documentation (2025). */
#include "session_nvtx.h"

#include <regex.h>
#include <string.h>

enum item_kind { ITEM_NAME, ITEM_ONE, ITEM_ANY };
struct item {
    enum item_kind kind;
    const char *name;
    regex_t regex; /* of a name, where the filter is one of regular expressions */
};
struct session_nvtx_filter {
    const char *text; /* as it was given */
    bool regex, pushed, bottom, top;
    struct item domain;
    struct item *items;
    uint32_t count;
};

static const char QUANTIFIERS[] = "@,/[]*+";
#define REGEX_PREFIX "regex:"

/* ---- reading: a text, and where in it signs stand that no backslash precedes */

/* The first of these signs from `at` on, or the end. */
static const char *next_sign(const char *at, const char *end, const char *signs)
{
    for (; at < end; at++) {
        if (*at == '\\' && at + 1 < end)
            at++;
        else if (strchr(signs, *at))
            return at;
    }
    return end;
}

static bool ends_in(const char *begin, const char *end, char sign)
{
    size_t slashes = 0;
    if (end == begin || end[-1] != sign) return false;
    while (end - 1 - slashes > begin && end[-2 - (ptrdiff_t)slashes] == '\\')
        slashes++;
    return slashes % 2 == 0;
}

/* Without the backslashes; of a regular expression those before '@', ',' and '/' alone, which it does not
 * know. */
static const char *plain_text(const char *at, const char *end, bool regex, struct arena *arena)
{
    char *out = arena_strndup(arena, at, (size_t)(end - at)), *to = out;
    for (; at < end; at++) {
        bool escapes = *at == '\\' && at + 1 < end;
        if (escapes && (!regex || strchr("@,/", at[1]))) at++;
        if (escapes && regex && *at == '\\') *to++ = *at++;
        *to++ = *at;
    }
    *to = 0;
    return out;
}

static enum sw_status read_name(const struct session_nvtx_filter *f, const char *at, const char *end,
                                struct arena *arena, struct item *out, struct sw_error *error)
{
    const char *sign = f->regex ? end : next_sign(at, end, QUANTIFIERS);
    if (at == end)
        return sw_fail(error, SW_USAGE, "'%s' has an empty name: ranges without a name cannot be chosen",
                       f->text);
    if (sign != end)
        return sw_fail(
            error, SW_USAGE,
            "'%s': write '\\%c' where a name has this sign; for patterns, begin with '" REGEX_PREFIX "'",
            f->text, *sign);
    const char *name = plain_text(at, end, f->regex, arena);
    if (f->regex && regcomp(&out->regex, name, REG_EXTENDED | REG_NOSUB) != 0)
        return sw_fail(error, SW_USAGE,
                       "'%s': '%s' is not a regular expression; a '[' or ']' of one at the begin or end of "
                       "the ranges is written '/[' or '/]'",
                       f->text, name);
    out->kind = ITEM_NAME;
    out->name = name;
    return SW_OK;
}

static enum sw_status read_item(const struct session_nvtx_filter *f, const char *at, const char *end,
                                struct arena *arena, struct item *out, struct sw_error *error)
{
    bool alone = f->pushed && end - at == 1;
    if (alone && (*at == '+' || *at == '*'))
        out->kind = *at == '+' ? ITEM_ONE : ITEM_ANY;
    else
        return read_name(f, at, end, arena, out, error);
    return SW_OK;
}

static enum sw_status read_items(struct session_nvtx_filter *f, const char *at, const char *end,
                                 struct arena *arena, struct sw_error *error)
{
    const char *delimiter = f->pushed ? "/" : ",";
    f->items = ARENA_ARRAY(arena, struct item, (size_t)(end - at) + 1);
    if (f->pushed && next_sign(at, end, ",") != end)
        return sw_fail(error, SW_USAGE,
                       "'%s' names pushed ranges, which ',' cannot join: give one option for each, or write "
                       "'\\,' where a name has it",
                       f->text);
    for (bool more = true; more;) {
        const char *stop = next_sign(at, end, delimiter);
        SW_TRY(read_item(f, at, stop, arena, &f->items[f->count++], error));
        more = stop != end;
        at = stop + 1;
    }
    if (f->items[0].kind != ITEM_NAME || f->items[f->count - 1].kind != ITEM_NAME)
        return sw_fail(error, SW_USAGE, "'%s': '+' and '*' stand between two ranges", f->text);
    return SW_OK;
}

/* Anchors and the '/' at the end, which say that ranges are pushed ones. Of regular expressions '/[' and '/]'
 * are no anchors. */
static enum sw_status read_ranges(struct session_nvtx_filter *f, const char *at, const char *end,
                                  struct arena *arena, struct sw_error *error)
{
    if (f->regex && end - at > 1 && at[0] == '/' && at[1] == '[') {
        at++;
    } else if (at < end && *at == '[') {
        f->bottom = true;
        at++;
    }
    char *rest = arena_strndup(arena, at, (size_t)(end - at));
    size_t length = strlen(rest);
    if (f->regex && length > 1 && rest[length - 1] == ']' && ends_in(rest, rest + length - 1, '/')) {
        rest[length - 2] = ']';
        length--;
    } else if (ends_in(rest, rest + length, ']')) {
        f->top = true;
        length--;
    }
    f->pushed = f->bottom || f->top || next_sign(rest, rest + length, "/") != rest + length;
    if (!f->top && ends_in(rest, rest + length, '/')) length--;
    rest[length] = 0;
    return read_items(f, rest, rest + length, arena, error);
}

static enum sw_status read_filter(struct session_nvtx_filter *f, struct arena *arena, struct sw_error *error)
{
    const char *text = f->text, *at = f->regex ? text + strlen(REGEX_PREFIX) : text;
    const char *end = text + strlen(text), *domain = next_sign(at, end, "@");
    if (strchr(text, '\n')) return sw_fail(error, SW_USAGE, "an expression of NVTX ranges must be one line");
    if (domain == end) return read_ranges(f, at, end, arena, error);
    if (next_sign(domain + 1, end, "@") != end)
        return sw_fail(error, SW_USAGE,
                       "'%s' names more than one domain: the ranges of an expression are of one", text);
    SW_TRY(read_name(f, at, domain, arena, &f->domain, error));
    return read_ranges(f, domain + 1, end, arena, error);
}

static void release_item(struct item *item, bool regex)
{
    if (regex && item->name) regfree(&item->regex);
}

void session_nvtx_release(struct session_nvtx_filter *f)
{
    release_item(&f->domain, f->regex);
    for (uint32_t i = 0; i < f->count; i++)
        release_item(&f->items[i], f->regex);
}

enum sw_status session_nvtx_parse(const char *text, struct arena *arena, struct session_nvtx_filter **out,
                                  struct sw_error *error)
{
    struct session_nvtx_filter *f = ARENA_NEW(arena, struct session_nvtx_filter);
    f->text = text;
    f->regex = sw_starts_with(text, REGEX_PREFIX);
    enum sw_status status = read_filter(f, arena, error);
    if (status == SW_OK)
        *out = f;
    else
        session_nvtx_release(f);
    return status;
}

enum sw_status session_nvtx_check(const char *expression, struct sw_error *error)
{
    struct session_nvtx_filter *filter;
    struct arena arena;
    arena_init(&arena);
    enum sw_status status = session_nvtx_parse(expression, &arena, &filter, error);
    if (status == SW_OK) session_nvtx_release(filter);
    arena_release(&arena);
    return status;
}

/* ---- matching */

static bool name_matches(const struct session_nvtx_filter *f, const struct item *item, const char *name)
{
    return f->regex ? regexec(&item->regex, name, 0, NULL, 0) == 0 : strcmp(item->name, name) == 0;
}

static bool domain_matches(const struct session_nvtx_filter *f, const char *domain)
{
    return f->domain.name ? name_matches(f, &f->domain, domain) : !*domain;
}

/* Do the items from i on match the stack from s on? */
static bool stack_matches(const struct session_nvtx_filter *f, uint32_t i, const char *const *stack,
                          uint32_t s, uint32_t depth)
{
    if (i == f->count) return !f->top || s == depth;
    const struct item *item = &f->items[i];
    if (item->kind == ITEM_ANY) {
        for (uint32_t next = s; next <= depth; next++)
            if (stack_matches(f, i + 1, stack, next, depth)) return true;
        return false;
    }
    if (s == depth || (item->kind == ITEM_NAME && !name_matches(f, item, stack[s]))) return false;
    return stack_matches(f, i + 1, stack, s + 1, depth);
}

static bool pushed_match(const struct session_nvtx_filter *f, const char *const *stack, uint32_t depth)
{
    uint32_t starts = f->bottom ? 1 : depth;
    for (uint32_t s = 0; s < starts && s < depth; s++)
        if (stack_matches(f, 0, stack, s, depth)) return true;
    return false;
}

static bool started_match(const struct session_nvtx_filter *f, const char *const *names, uint32_t count)
{
    for (uint32_t i = 0; i < f->count; i++) {
        bool open = false;
        for (uint32_t n = 0; n < count && !open; n++)
            open = name_matches(f, &f->items[i], names[n]);
        if (!open) return false;
    }
    return true;
}

/* The ranges of the domain that `first` is the first of. */
static bool nvtx_domain_match(const struct session_nvtx_filter *f, const struct event_nvtx *set,
                              uint32_t first, const char **names)
{
    uint32_t count = 0;
    const char *domain = set->ranges[first].domain;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct event_nvtx_range *range = &set->ranges[i];
        if (range->started == f->pushed || strcmp(range->domain, domain) != 0) continue;
        if (i < first) return false; /* its turn was then */
        names[count++] = range->text;
    }
    return f->pushed ? pushed_match(f, names, count) : started_match(f, names, count);
}

bool session_nvtx_matches(const struct session_nvtx_filter *f, const struct event_nvtx *set)
{
    struct arena arena;
    bool matches = false;
    if (!set) return false;
    arena_init(&arena);
    const char **names = ARENA_ARRAY(&arena, const char *, set->count + 1);
    for (uint32_t i = 0; i < set->count && !matches; i++)
        matches = set->ranges[i].started != f->pushed && domain_matches(f, set->ranges[i].domain) &&
                  nvtx_domain_match(f, set, i, names);
    arena_release(&arena);
    return matches;
}
