/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual timeline: when queue entries begin and end, by the virtual clock.
 *
 *   asked (host's time) -> known (it has run) -> scheduled (all asked before are; start and end are the
 * device's)
 *
 * Entries are scheduled one by one in the order in which the program asked for them. A kernel that may
 * begin before the one before it has ended (programmatic dependent launch) begins beside it when that one
 * lets it and it does not wait itself; when it waits, right after it, without the gap that launches have.
 *
 * Limits: those of driver_clock.c; when the kernel before triggers is taken to be when it begins; a kernel's
 * children begin when its own blocks have ended. */
#include "driver_timeline.h"

#include <stdlib.h>

#define PATIENCE_NS UINT64_C(2000000000)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* inside the scheduler's, outside the tool's */
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct driver_timeline_entry *first, **end = &first;

void driver_timeline_lock(void)
{
    pthread_mutex_lock(&lock);
}

void driver_timeline_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void driver_timeline_entry_unref_locked(struct driver_timeline_entry *entry)
{
    if (!entry || --entry->refs) return;
    vec_release(&entry->needs);
    vec_release(&entry->parts);
    free(entry);
}

struct driver_timeline_entry *driver_timeline_entry_get(struct driver_timeline_entry *entry)
{
    pthread_mutex_lock(&lock);
    entry->refs++;
    pthread_mutex_unlock(&lock);
    return entry;
}

void driver_timeline_entry_put(struct driver_timeline_entry *entry)
{
    if (!entry) return;
    pthread_mutex_lock(&lock);
    driver_timeline_entry_unref_locked(entry);
    pthread_mutex_unlock(&lock);
}

void driver_timeline_append_locked(struct driver_timeline_entry *entry)
{
    entry->refs++;
    *end = entry;
    end = &entry->next;
}

/* ---- scheduling */

static uint64_t timeline_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* What held it: the end of the work that it began after, as far as the clock says which. */
static uint64_t timeline_cause_of(const struct driver_timeline_entry *entry,
                                  const struct event_schedule *schedule, uint64_t after_ns)
{
    switch ((enum event_cause)schedule->cause) {
    case EVENT_CAUSE_ASKED: return entry->waited_ns;
    case EVENT_CAUSE_BEFORE: return after_ns;
    case EVENT_CAUSE_ENGINE: break;
    }
    return schedule->start_ns;
}

static void schedule_part_locked(struct driver_timeline_entry *entry, struct driver_part *part,
                                 uint64_t after_ns)
{
    const struct event_tool *tool = driver.tool;
    struct event_schedule schedule;
    pthread_mutex_lock(&driver.tool_lock);
    tool->clock->schedule(tool->clock->user, &part->work, entry->asked_ns, after_ns, &schedule);
    uint64_t cause_ns = timeline_cause_of(entry, &schedule, after_ns);
    if (part->operation) {
        part->operation->start_ns = schedule.start_ns;
        part->operation->end_ns = schedule.end_ns;
        part->operation->cause_ns = cause_ns;
        if (tool->operation) tool->operation(tool->user, part->operation);
        driver_activity_operation(part->operation);
    } else if (part->work.kind == EVENT_WORK_LAUNCH && tool->launch_scheduled) {
        tool->launch_scheduled(tool->user, part->launch, schedule.start_ns, schedule.end_ns, cause_ns);
    }
    pthread_mutex_unlock(&driver.tool_lock);
    if (part->activity) {
        part->activity->start_ns = schedule.start_ns;
        part->activity->end_ns = schedule.end_ns;
        driver_activity_launch(part->activity);
    }
    free(part->activity);
    free(part->operation);
    part->activity = NULL;
    part->operation = NULL;
    part->end_ns = schedule.end_ns;
    entry->end_ns = timeline_later(entry->end_ns, schedule.end_ns);
    entry->last_start_ns = schedule.start_ns;
    entry->triggers = part->triggers;
    if (schedule.end_ns == entry->end_ns) {
        entry->kernel = part->work.kind == EVENT_WORK_LAUNCH;
        entry->other = !entry->kernel;
        entry->of_graph = part->of_graph;
    }
}

/* A child's: its parent, and what it comes after. */
static uint64_t child_after(const struct driver_timeline_entry *entry, size_t index, uint64_t after_ns)
{
    const struct driver_part *parts = entry->parts.at, *part = &parts[index];
    uint64_t ns = part->parent ? parts[part->parent - 1].end_ns : after_ns;
    for (uint32_t i = 0; i < part->after.count; i++)
        ns = timeline_later(ns, parts[part->after.at[i] - 1].all_end_ns);
    for (size_t i = 0; part->after.all && i < index; i++)
        ns = timeline_later(ns, parts[i].all_end_ns);
    return ns;
}

/* What a launch starts after. */
static void set_predecessor(const struct driver_timeline_entry *entry, struct driver_part *part,
                            bool first_child)
{
    if (part->work.kind != EVENT_WORK_LAUNCH || part->work.predecessor == EVENT_PREDECESSOR_EARLY) return;
    if (part->parent)
        part->work.predecessor = first_child ? EVENT_PREDECESSOR_PARENT : EVENT_PREDECESSOR_SIBLING;
    else if (entry->kernel && entry->of_graph && part->of_graph && !part->delay_ns)
        part->work.predecessor = EVENT_PREDECESSOR_NODE;
    else if (!entry->other)
        part->work.predecessor = EVENT_PREDECESSOR_KERNEL;
}

static void schedule_parts_locked(struct driver_timeline_entry *entry, uint64_t after_ns)
{
    uint64_t before_ns = after_ns;
    for (size_t i = 0; i < entry->parts.count; i++) {
        struct driver_part *part = &entry->parts.at[i];
        uint64_t parent_ns = part->parent ? entry->parts.at[part->parent - 1].end_ns : 0;
        uint64_t from_ns = part->is_child ? child_after(entry, i, after_ns) : before_ns;
        if (part->parent) part->work.nth = entry->parts.at[part->parent - 1].children++;
        set_predecessor(entry, part, from_ns == parent_ns);
        schedule_part_locked(entry, part, from_ns + part->delay_ns);
        before_ns = part->end_ns;
        for (uint32_t up = (uint32_t)i + 1; up; up = entry->parts.at[up - 1].parent)
            entry->parts.at[up - 1].all_end_ns =
                timeline_later(entry->parts.at[up - 1].all_end_ns, part->end_ns);
    }
    entry->parts.count = 0;
}

/* A launch that need not wait for the one before: from when on it may run. */
static uint64_t early_ns(struct driver_timeline_entry *entry, uint64_t others_ns, uint64_t after_ns)
{
    struct driver_part *part = entry->parts.count ? &entry->parts.at[0] : NULL;
    const struct driver_timeline_entry *before = entry->before;
    if (!part || !part->early || !before || !before->kernel || before->end_ns != after_ns) return after_ns;
    part->work.predecessor = EVENT_PREDECESSOR_EARLY;
    return before->triggers && !part->waits ? timeline_later(others_ns, before->last_start_ns) : after_ns;
}

/* Of what the entry waits for: the latest end, whose it is, and the latest besides the entry before. */
static uint64_t needs_end(struct driver_timeline_entry *entry, uint64_t *others_ns)
{
    uint64_t after_ns = 0;
    *others_ns = 0;
    for (size_t i = 0; i < entry->needs.count; i++) {
        const struct driver_timeline_entry *need = entry->needs.at[i];
        uint64_t need_ns = need->end_ns;
        if (!entry->together && need->device != entry->device && need_ns > entry->submitted_ns)
            need_ns += driver_clock_cost(entry->context, EVENT_CALL_PEER_WAIT, 0);
        if (need_ns > after_ns) {
            after_ns = need_ns;
            entry->kernel = need->kernel;
            entry->other = need->other;
            entry->of_graph = need->of_graph;
        }
        if (need != entry->before) *others_ns = timeline_later(*others_ns, need_ns);
    }
    return after_ns;
}

/* A host function: sooner when the host's thread need not be woken. */
static void schedule_host_locked(struct driver_timeline_entry *entry, uint64_t after_ns)
{
    entry->end_ns += driver_clock_cost(entry->context, EVENT_CALL_HOST_FUNCTION, 0);
    if (after_ns > entry->submitted_ns)
        entry->end_ns += driver_clock_cost(entry->context, EVENT_CALL_HOST_WAKE, 0);
    entry->other = true;
    entry->kernel = false;
}

static void schedule_locked(struct driver_timeline_entry *entry)
{
    uint64_t others_ns, after_ns = needs_end(entry, &others_ns);
    entry->end_ns = timeline_later(after_ns, entry->submitted_ns);
    if (after_ns < entry->submitted_ns) entry->kernel = entry->other = false;
    if (entry->host) schedule_host_locked(entry, after_ns);
    schedule_parts_locked(entry, early_ns(entry, others_ns, after_ns));
    for (size_t i = 0; i < entry->needs.count; i++)
        driver_timeline_entry_unref_locked(entry->needs.at[i]);
    entry->needs.count = 0;
    entry->before = NULL;
    entry->scheduled = true;
}

static bool needs_are_scheduled(const struct driver_timeline_entry *entry)
{
    for (size_t i = 0; i < entry->needs.count; i++)
        if (!entry->needs.at[i]->scheduled) return false;
    return true;
}

/* One that waits for what was passed over is passed over, too. */
void driver_timeline_advance_locked(void)
{
    bool any = false;
    for (struct driver_timeline_entry **at = &first, *entry; (entry = *at);) {
        bool free_to = needs_are_scheduled(entry);
        if (entry->known && free_to) {
            schedule_locked(entry);
            any = true;
            *at = entry->next;
            if (!*at) end = at;
            driver_timeline_entry_unref_locked(entry);
        } else if (entry->passed_over || entry->aside || !free_to) {
            at = &entry->next;
        } else {
            break;
        }
    }
    if (any) pthread_cond_broadcast(&changed);
}

/* ---- waiting until an entry is scheduled */

/* Pass over what is first and unknown, if it may wait for us, or for what was passed over before. */
static void pass_over_locked(void)
{
    bool after_another = false;
    for (struct driver_timeline_entry *m = first; m; m = m->next) {
        after_another |= m->passed_over;
        if (m->known || m->passed_over) continue;
        m->passed_over = m->may_wait || after_another;
        break;
    }
    driver_timeline_advance_locked();
}

bool driver_timeline_entry_settle_locked(struct driver_timeline_entry *entry)
{
    uint64_t until = driver_now_ns() + PATIENCE_NS;
    while (!entry->scheduled && !entry->passed_over) {
        struct timespec at = {.tv_sec = (time_t)(until / 1000000000u),
                              .tv_nsec = (long)(until % 1000000000u)};
        pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &at);
        if (driver_now_ns() >= until) pass_over_locked();
    }
    return entry->scheduled;
}
