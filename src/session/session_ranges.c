/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the tool's side of NVTX: which launches the options' expressions choose, and which sets of ranges
 * were written. Method: a set is judged at its first launch (session_nvtx.c), and kept by its id. */
#include "session_nvtx.h"

/* What is known of a set. */
enum { SET_CHOSEN = 1, SET_LEFT_OUT, SET_WRITTEN };

static enum sw_status compile(const struct session_texts *texts, struct arena *arena,
                              struct session_nvtx_filter ***out, struct sw_error *error)
{
    *out = ARENA_ARRAY(arena, struct session_nvtx_filter *, (size_t)texts->count + 1);
    for (uint32_t i = 0; i < texts->count; i++)
        SW_TRY(session_nvtx_parse(texts->at[i], arena, &(*out)[i], error));
    return SW_OK;
}

enum sw_status session_ranges_open(struct session_ranges *r, const struct session_options *options,
                                   struct arena *arena, struct sw_error *error)
{
    r->arena = arena;
    r->include_count = options->nvtx_include.count;
    r->exclude_count = options->nvtx_exclude.count;
    SW_TRY(compile(&options->nvtx_include, arena, &r->include, error));
    return compile(&options->nvtx_exclude, arena, &r->exclude, error);
}

static bool one_matches(struct session_nvtx_filter *const *filters, uint32_t count,
                        const struct event_nvtx *set)
{
    for (uint32_t i = 0; i < count; i++)
        if (session_nvtx_matches(filters[i], set)) return true;
    return false;
}

/* The first ranges that launches were in, as expressions that choose them. */
static void keep_seen(struct session_ranges *r, const struct event_nvtx *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const struct event_nvtx_range *range = &set->ranges[i];
        const char *text = arena_printf(r->arena, "%s%s%s%s", range->domain, *range->domain ? "@" : "",
                                        range->text, range->started ? "" : "/");
        session_some_add(&r->seen, text, r->arena);
    }
}

bool session_ranges_choose(struct session_ranges *r, const struct event_nvtx *set)
{
    if (!r->include_count && !r->exclude_count) return true;
    r->asked = true;
    uintptr_t known = set ? (uintptr_t)map_get_u64(&r->chosen, set->id) : 0;
    if (!known) {
        bool chosen = (!r->include_count || one_matches(r->include, r->include_count, set)) &&
                      !one_matches(r->exclude, r->exclude_count, set);
        known = chosen ? SET_CHOSEN : SET_LEFT_OUT;
        if (set) keep_seen(r, set);
        if (set) map_set_u64(&r->chosen, set->id, (void *)known);
    }
    r->any |= known == SET_CHOSEN;
    return known == SET_CHOSEN;
}

bool session_ranges_are_new(struct session_ranges *r, const struct event_nvtx *set)
{
    if (!set || map_get_u64(&r->written, set->id)) return false;
    map_set_u64(&r->written, set->id, (void *)(uintptr_t)SET_WRITTEN);
    return true;
}

const char *session_ranges_none_chosen(struct session_ranges *r)
{
    if (!r->asked || r->any) return NULL;
    return r->seen.texts.count
               ? arena_printf(r->arena,
                              "--nvtx-include and --nvtx-exclude choose no launch; ranges of NVTX in "
                              "which kernels were launched: %s",
                              str_text(&r->seen.list))
               : "--nvtx-include and --nvtx-exclude choose no launch: no range of NVTX was open at "
                 "any";
}
