/* SPDX-License-Identifier: Apache-2.0 */
/* Moments: when queue entries are, by the virtual clock.
 *
 *   asked (host's time) -> known (it has run) -> placed (all asked before are; start and end are the
 * device's)
 *
 * Moments get their places one by one in the order in which the program asked for them. A kernel that may
 * begin before the one before it has ended (programmatic dependent launch) begins beside it when that one
 * lets it and it does not wait itself; when it waits, right behind it, without the gap that launches have.
 *
 * Limits: those of driver_clock.c; when the kernel before triggers is taken to be when it begins; a kernel's
 * children begin when its own blocks have ended. */
#include "driver_moment.h"

#include <stdlib.h>

#define PATIENCE_NS UINT64_C(2000000000)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* inside the scheduler's, outside the tool's */
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct driver_moment *first, **end = &first;

void driver_moments_lock(void)
{
    pthread_mutex_lock(&lock);
}

void driver_moments_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void driver_moment_unref_locked(struct driver_moment *moment)
{
    if (!moment || --moment->refs) return;
    vec_release(&moment->needs);
    vec_release(&moment->parts);
    free(moment);
}

struct driver_moment *driver_moment_get(struct driver_moment *moment)
{
    pthread_mutex_lock(&lock);
    moment->refs++;
    pthread_mutex_unlock(&lock);
    return moment;
}

void driver_moment_put(struct driver_moment *moment)
{
    if (!moment) return;
    pthread_mutex_lock(&lock);
    driver_moment_unref_locked(moment);
    pthread_mutex_unlock(&lock);
}

void driver_moment_list_locked(struct driver_moment *moment)
{
    moment->refs++;
    *end = moment;
    end = &moment->next;
}

/* ---- places */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* What held it: the end of the work that it began after, as far as the clock says which. */
static uint64_t cause_of(const struct driver_moment *moment, const struct event_place *place,
                         uint64_t after_ns)
{
    switch ((enum event_cause)place->cause) {
    case EVENT_CAUSE_ASKED: return moment->waited_ns;
    case EVENT_CAUSE_BEFORE: return after_ns;
    case EVENT_CAUSE_ENGINE: break;
    }
    return place->start_ns;
}

static void place_part_locked(struct driver_moment *moment, struct driver_part *part, uint64_t after_ns)
{
    const struct event_tool *tool = driver.tool;
    struct event_place place;
    pthread_mutex_lock(&driver.tool_lock);
    tool->clock->place(tool->clock->user, &part->work, moment->asked_ns, after_ns, &place);
    uint64_t cause_ns = cause_of(moment, &place, after_ns);
    if (part->operation) {
        part->operation->start_ns = place.start_ns;
        part->operation->end_ns = place.end_ns;
        part->operation->cause_ns = cause_ns;
        if (tool->operation) tool->operation(tool->user, part->operation);
    } else if (part->work.kind == EVENT_WORK_LAUNCH && tool->launch_placed) {
        tool->launch_placed(tool->user, part->launch, place.start_ns, place.end_ns, cause_ns);
    }
    pthread_mutex_unlock(&driver.tool_lock);
    free(part->operation);
    part->operation = NULL;
    part->end_ns = place.end_ns;
    moment->end_ns = later(moment->end_ns, place.end_ns);
    moment->last_start_ns = place.start_ns;
    moment->triggers = part->triggers;
    if (place.end_ns == moment->end_ns) {
        moment->kernel = part->work.kind == EVENT_WORK_LAUNCH;
        moment->other = !moment->kernel;
        moment->of_graph = part->of_graph;
    }
}

/* A nested part's: its parent, and what it comes after. */
static uint64_t nested_after(const struct driver_moment *moment, size_t index, uint64_t after_ns)
{
    const struct driver_part *parts = moment->parts.at, *part = &parts[index];
    uint64_t ns = part->parent ? parts[part->parent - 1].end_ns : after_ns;
    for (uint32_t i = 0; i < part->after.count; i++)
        ns = later(ns, parts[part->after.at[i] - 1].all_end_ns);
    for (size_t i = 0; part->after.all && i < index; i++)
        ns = later(ns, parts[i].all_end_ns);
    return ns;
}

/* What a launch comes behind. */
static void set_behind(const struct driver_moment *moment, struct driver_part *part, bool first_nested)
{
    if (part->work.kind != EVENT_WORK_LAUNCH || part->work.behind == EVENT_BEHIND_EARLY) return;
    if (part->parent)
        part->work.behind = first_nested ? EVENT_BEHIND_PARENT : EVENT_BEHIND_NESTED;
    else if (moment->kernel && moment->of_graph && part->of_graph && !part->delay_ns)
        part->work.behind = EVENT_BEHIND_NODE;
    else if (!moment->other)
        part->work.behind = EVENT_BEHIND_KERNEL;
}

static void place_parts_locked(struct driver_moment *moment, uint64_t after_ns)
{
    uint64_t before_ns = after_ns;
    for (size_t i = 0; i < moment->parts.count; i++) {
        struct driver_part *part = &moment->parts.at[i];
        uint64_t parent_ns = part->parent ? moment->parts.at[part->parent - 1].end_ns : 0;
        uint64_t from_ns = part->nested ? nested_after(moment, i, after_ns) : before_ns;
        if (part->parent) part->work.nth = moment->parts.at[part->parent - 1].children++;
        set_behind(moment, part, from_ns == parent_ns);
        place_part_locked(moment, part, from_ns + part->delay_ns);
        before_ns = part->end_ns;
        for (uint32_t up = (uint32_t)i + 1; up; up = moment->parts.at[up - 1].parent)
            moment->parts.at[up - 1].all_end_ns = later(moment->parts.at[up - 1].all_end_ns, part->end_ns);
    }
    moment->parts.count = 0;
}

/* A launch that need not wait for the one before: from when on it may run. */
static uint64_t early_ns(struct driver_moment *moment, uint64_t others_ns, uint64_t after_ns)
{
    struct driver_part *part = moment->parts.count ? &moment->parts.at[0] : NULL;
    const struct driver_moment *before = moment->before;
    if (!part || !part->early || !before || !before->kernel || before->end_ns != after_ns) return after_ns;
    part->work.behind = EVENT_BEHIND_EARLY;
    return before->triggers && !part->waits ? later(others_ns, before->last_start_ns) : after_ns;
}

/* Of what the entry waits for: the latest end, whose it is, and the latest besides the entry before. */
static uint64_t needs_end(struct driver_moment *moment, uint64_t *others_ns)
{
    uint64_t after_ns = 0;
    *others_ns = 0;
    for (size_t i = 0; i < moment->needs.count; i++) {
        const struct driver_moment *need = moment->needs.at[i];
        uint64_t need_ns = need->end_ns;
        if (need->device != moment->device && need_ns > moment->submitted_ns)
            need_ns += driver_clock_cost(moment->context, EVENT_CALL_PEER_WAIT, 0);
        if (need_ns > after_ns) {
            after_ns = need_ns;
            moment->kernel = need->kernel;
            moment->other = need->other;
            moment->of_graph = need->of_graph;
        }
        if (need != moment->before) *others_ns = later(*others_ns, need_ns);
    }
    return after_ns;
}

/* A host function: sooner when the host's thread need not be woken. */
static void place_host_locked(struct driver_moment *moment, uint64_t after_ns)
{
    moment->end_ns += driver_clock_cost(moment->context, EVENT_CALL_HOST_FUNCTION, 0);
    if (after_ns > moment->submitted_ns)
        moment->end_ns += driver_clock_cost(moment->context, EVENT_CALL_HOST_WAKE, 0);
    moment->other = true;
    moment->kernel = false;
}

static void place_locked(struct driver_moment *moment)
{
    uint64_t others_ns, after_ns = needs_end(moment, &others_ns);
    moment->end_ns = later(after_ns, moment->submitted_ns);
    if (after_ns < moment->submitted_ns) moment->kernel = moment->other = false;
    if (moment->host) place_host_locked(moment, after_ns);
    place_parts_locked(moment, early_ns(moment, others_ns, after_ns));
    for (size_t i = 0; i < moment->needs.count; i++)
        driver_moment_unref_locked(moment->needs.at[i]);
    moment->needs.count = 0;
    moment->before = NULL;
    moment->placed = true;
}

static bool needs_are_placed(const struct driver_moment *moment)
{
    for (size_t i = 0; i < moment->needs.count; i++)
        if (!moment->needs.at[i]->placed) return false;
    return true;
}

/* One that waits for what was passed over is passed over, too. */
void driver_moments_advance_locked(void)
{
    bool any = false;
    for (struct driver_moment **at = &first, *moment; (moment = *at);) {
        bool free_to = needs_are_placed(moment);
        if (moment->known && free_to) {
            place_locked(moment);
            any = true;
            *at = moment->next;
            if (!*at) end = at;
            driver_moment_unref_locked(moment);
        } else if (moment->passed_over || !free_to) {
            at = &moment->next;
        } else {
            break;
        }
    }
    if (any) pthread_cond_broadcast(&changed);
}

/* ---- waiting for places */

/* Pass over what is first and unknown, if it may wait for us, or for what was passed over before. */
static void pass_over_locked(void)
{
    bool after_another = false;
    for (struct driver_moment *m = first; m; m = m->next) {
        after_another |= m->passed_over;
        if (m->known || m->passed_over) continue;
        m->passed_over = m->may_wait || after_another;
        break;
    }
    driver_moments_advance_locked();
}

bool driver_moment_settle_locked(struct driver_moment *moment)
{
    uint64_t until = driver_now_ns() + PATIENCE_NS;
    while (!moment->placed && !moment->passed_over) {
        struct timespec at = {.tv_sec = (time_t)(until / 1000000000u),
                              .tv_nsec = (long)(until % 1000000000u)};
        pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &at);
        if (driver_now_ns() >= until) pass_over_locked();
    }
    return moment->placed;
}
