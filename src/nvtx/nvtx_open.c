/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: sets of open ranges that live as long as the process, since launches name them. Method: kept by
 * their contents, so that a loop that opens the same ranges again and again has one set. Limits: memory
 * follows the number of different sets, as of names that hold the number of an iteration. */
#include "nvtx_priv.h"

#include <stdlib.h>
#include <string.h>

static void add_key(struct str *key, const char *text)
{
    str_printf(key, "%zu:%s", strlen(text), text);
}

static struct event_nvtx *set_new(uint32_t thread, const struct event_nvtx_range *ranges, uint32_t count)
{
    static uint32_t sets;
    struct event_nvtx *set = sw_xmalloc(sizeof *set);
    struct event_nvtx_range *copies = sw_xcalloc(count, sizeof *copies);
    for (uint32_t i = 0; i < count; i++)
        copies[i] = (struct event_nvtx_range){.domain = sw_xstrdup(ranges[i].domain),
                                              .text = sw_xstrdup(ranges[i].text),
                                              .started = ranges[i].started};
    *set = (struct event_nvtx){.id = ++sets, .thread = thread, .count = count, .ranges = copies};
    return set;
}

const struct event_nvtx *nvtx_set(uint32_t thread, const struct event_nvtx_range *ranges, uint32_t count)
{
    static struct map sets; /* by contents */
    struct str key = {0};
    str_printf(&key, "%u ", thread);
    for (uint32_t i = 0; i < count; i++) {
        str_add_char(&key, ranges[i].started ? 's' : 'p');
        add_key(&key, ranges[i].domain);
        add_key(&key, ranges[i].text);
    }
    struct event_nvtx *set = map_get(&sets, str_text(&key));
    if (!set) {
        set = set_new(thread, ranges, count);
        map_set(&sets, sw_xstrdup(str_text(&key)), set);
    }
    str_release(&key);
    return set;
}
