/* SPDX-License-Identifier: Apache-2.0 */
/* Filters of launches by ranges of NVTX (session_nvtx.c), and records of these ranges. */
#ifndef SESSION_NVTX_H
#define SESSION_NVTX_H

#include "session_priv.h"

#include "event/event_nvtx.h"

struct session_nvtx_filter;
/* text must live as long as the filter, which is from arena; release it before. */
enum sw_status session_nvtx_parse(const char *text, struct arena *arena, struct session_nvtx_filter **out,
                                  struct sw_error *error);
void session_nvtx_release(struct session_nvtx_filter *filter);
bool session_nvtx_matches(const struct session_nvtx_filter *filter,
                          const struct event_nvtx *set); /* NULL: nothing is open, which matches none */

/* ---- session_ranges.c: in the tool */
struct session_ranges {
    struct session_nvtx_filter **include, **exclude;
    uint32_t include_count, exclude_count;
    struct map chosen, written; /* by the id of a set */
    struct session_some seen;   /* texts of ranges */
    struct arena *arena;
    bool asked, any; /* a launch was judged; one was chosen */
};
enum sw_status session_ranges_open(struct session_ranges *ranges, const struct session_options *options,
                                   struct arena *arena, struct sw_error *error);
/* Of a launch in these ranges; NULL: in none. */
bool session_ranges_choose(struct session_ranges *ranges, const struct event_nvtx *set);
bool session_ranges_are_new(struct session_ranges *ranges, const struct event_nvtx *set); /* true once */
/* That expressions chose no launch; NULL: there are none, they did, or were not asked. */
const char *session_ranges_none_chosen(struct session_ranges *ranges);
#endif
