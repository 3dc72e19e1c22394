/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: ranges and marks with their times, for the tool, and which ranges are open, for launches. Method:
 * begin and end are the calling thread's time (event_activity.h); a range is told when it ends. The driver
 * asks for the open ones at each launch. Limits: without a virtual clock nothing is told; a timeline does not
 * show ranges that are open when the program ends; what begins before the driver is initialised begins at
 * time 0, and what ends before that is not shown. */
#include "nvtx_priv.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The driver's, without cuda.h. */
unsigned cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, void *status);

static const struct event_nvtx *open_ranges(void);
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct event_activity_driver *driver; /* NULL: not Softwarp's */

static void find_driver(void)
{
    enum { ANY_VERSION = 12000 };
    int status = 0;
    void *found = NULL;
    if (cuGetProcAddress_v2(EVENT_ACTIVITY_SYMBOL, &found, ANY_VERSION, 0, &status) == 0) driver = found;
    if (driver) driver->open_ranges(open_ranges);
}

static uint64_t now(void)
{
    pthread_once(&once, find_driver);
    return driver && driver->is_virtual() ? driver->now_ns() : 0;
}

static void tell(const struct nvtx_domain *domain, const char *text, enum event_activity_range kind,
                 uint64_t begin_ns, uint64_t end_ns)
{
    if (driver) driver->range(kind, text, domain ? domain->name : "", begin_ns, end_ns);
}

/* ---- ranges of threads */

struct pushed {
    struct pushed *below;
    struct nvtx_domain *domain;
    uint64_t begin_ns;
    char *text;
};
static _Thread_local struct pushed *top;
static _Thread_local struct { /* what open_ranges said last */
    const struct event_nvtx *set;
    unsigned long long changes;
    bool stale; /* the thread has pushed or popped since */
} known;
enum { NOTHING_PUSHED = -2 }; /* NVTX_NO_PUSH_POP_TRACKING */

static int level_of(const struct nvtx_domain *domain)
{
    int level = 0;
    for (const struct pushed *at = top; at; at = at->below)
        level += at->domain == domain;
    return level;
}

int nvtx_push(struct nvtx_domain *domain, const char *text)
{
    struct pushed *range = sw_xmalloc(sizeof *range);
    *range = (struct pushed){.below = top, .domain = domain, .begin_ns = now(), .text = sw_xstrdup(text)};
    int level = level_of(domain);
    top = range;
    known.stale = true;
    return level;
}

int nvtx_pop(struct nvtx_domain *domain)
{
    struct pushed **at = &top;
    while (*at && (*at)->domain != domain)
        at = &(*at)->below;
    struct pushed *range = *at;
    if (!range) return NOTHING_PUSHED;
    *at = range->below;
    known.stale = true;
    tell(domain, range->text, EVENT_ACTIVITY_PUSHED, range->begin_ns, now());
    free(range->text);
    free(range);
    return level_of(domain);
}

/* ---- ranges of the process */

struct started {
    struct nvtx_domain *domain;
    uint64_t id, begin_ns;
    char *text;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static VEC(struct started) all_started; /* in the order of their ids */
static atomic_ullong changes;           /* of that list */
static uint64_t given;

uint64_t nvtx_start(struct nvtx_domain *domain, const char *text)
{
    struct started range = {.domain = domain, .begin_ns = now(), .text = sw_xstrdup(text)};
    pthread_mutex_lock(&lock);
    range.id = ++given;
    *vec_push(&all_started) = range;
    atomic_fetch_add(&changes, 1);
    pthread_mutex_unlock(&lock);
    return range.id;
}

static bool take_started(uint64_t id, struct started *out)
{
    size_t i = all_started.count;
    while (i && all_started.at[i - 1].id != id)
        i--;
    if (!i) return false;
    *out = all_started.at[i - 1];
    memmove(&all_started.at[i - 1], &all_started.at[i], (all_started.count - i) * sizeof *all_started.at);
    all_started.count--;
    atomic_fetch_add(&changes, 1);
    return true;
}

void nvtx_end(uint64_t id)
{
    struct started range;
    pthread_mutex_lock(&lock);
    bool found = take_started(id, &range);
    pthread_mutex_unlock(&lock);
    if (!found) return;
    tell(range.domain, range.text, EVENT_ACTIVITY_STARTED, range.begin_ns, now());
    free(range.text);
}

/* ---- what is open, for launches: made anew only after a change */

static struct event_nvtx_range range_of(const struct nvtx_domain *domain, const char *text, bool started)
{
    return (struct event_nvtx_range){.domain = domain ? domain->name : "", .text = text, .started = started};
}

static const struct event_nvtx *open_set_locked(void)
{
    VEC(struct event_nvtx_range) ranges = {0};
    size_t pushed = 0;
    for (const struct pushed *at = top; at; at = at->below)
        pushed++;
    if (!pushed && !all_started.count) return NULL;
    vec_reserve(&ranges, pushed + all_started.count);
    ranges.count = pushed;
    for (const struct pushed *at = top; at; at = at->below)
        ranges.at[--pushed] = range_of(at->domain, at->text, false);
    for (size_t i = 0; i < all_started.count; i++)
        *vec_push(&ranges) = range_of(all_started.at[i].domain, all_started.at[i].text, true);
    const struct event_nvtx *set = nvtx_set(driver->thread(), ranges.at, (uint32_t)ranges.count);
    vec_release(&ranges);
    return set;
}

static const struct event_nvtx *open_ranges(void)
{
    if (!known.stale && known.changes == atomic_load(&changes)) return known.set;
    pthread_mutex_lock(&lock);
    known.changes = atomic_load(&changes);
    known.stale = false;
    known.set = open_set_locked();
    pthread_mutex_unlock(&lock);
    return known.set;
}

void nvtx_mark(struct nvtx_domain *domain, const char *text)
{
    uint64_t at = now();
    tell(domain, text, EVENT_ACTIVITY_MARK, at, at);
}

/* ---- texts */

/* By hand: wcstombs would depend on the program's locale. */
char *nvtx_narrow(const wchar_t *text)
{
    struct str out = {0};
    for (; text && *text; text++) {
        uint32_t c = (uint32_t)*text;
        if (c < 0x80) {
            str_add_char(&out, (char)c);
            continue;
        }
        int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        str_add_char(&out, (char)((0xff00u >> (more + 1) & 0xff) | c >> (6 * more)));
        while (more--)
            str_add_char(&out, (char)(0x80 | (c >> (6 * more) & 0x3f)));
    }
    char *copy = sw_xstrdup(str_text(&out));
    str_release(&out);
    return copy;
}

/* Fields that an older caller's structure does not have are not read: its own size says which. */
char *nvtx_text(const struct nvtx_attributes *a)
{
    if (!a || a->size < sizeof *a) return sw_xstrdup("");
    switch (a->message_type) {
    case NVTX_MESSAGE_ASCII: return sw_xstrdup(a->message.ascii ? a->message.ascii : "");
    case NVTX_MESSAGE_UNICODE: return nvtx_narrow(a->message.unicode);
    case NVTX_MESSAGE_REGISTERED: return sw_xstrdup(a->message.registered ? a->message.registered->text : "");
    default: return sw_xstrdup("");
    }
}
