/* SPDX-License-Identifier: Apache-2.0 */
/* What a timeline comes to, as text: of each device how long it was busy with what and what overlapped, and
 * the critical path.
 *
 * Busy times are those of unions: two kernels at once count once. The critical path goes from the last
 * work back, each time to the work that this one waited for by the virtual clock: in its stream, by an event,
 * for its engine or CTA slots, or because the host waited for that work before it asked for this one. What
 * lies between is the host's, and the starts of works. Limits: of two works that ended in the same nanosecond
 * it takes the one of the same stream, or either. */
#include "session/session_trace.h"

#include "base/base_text.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 28, KINDS = SESSION_TRACE_CALL, PATH_MOST = 8 };
#define BIT(kind) (1u << (kind))
#define COPIES    (BIT(SESSION_TRACE_IN) | BIT(SESSION_TRACE_OUT) | BIT(SESSION_TRACE_PEER))

/* ---- how long which kinds were busy together */

struct device_times {
    uint64_t first_ns, last_ns;
    uint64_t masks[1 << KINDS]; /* time during which exactly these kinds were busy */
};

/* The edges of a device, which come next if it has any. */
static void sweep(const struct session_trace *trace, uint32_t process, uint32_t device,
                  struct device_times *times)
{
    const struct session_trace_edge *edge;
    uint32_t running[KINDS] = {0};
    unsigned mask = 0;
    *times = (struct device_times){0};
    while ((edge = spill_peek(trace->edges)) &&
           (edge->process < process || (edge->process == process && edge->device < device)))
        spill_next(trace->edges);
    for (bool any = false;
         (edge = spill_peek(trace->edges)) && edge->process == process && edge->device == device;
         any = true, spill_next(trace->edges)) {
        if (any)
            times->masks[mask] += edge->at_ns - times->last_ns;
        else
            times->first_ns = edge->at_ns;
        times->last_ns = edge->at_ns;
        running[edge->kind] += edge->begins ? 1u : -1u;
        mask = running[edge->kind] ? mask | BIT(edge->kind) : mask & ~BIT(edge->kind);
    }
}

/* Time during which something of each set was busy; b 0: of a alone. */
static uint64_t together(const struct device_times *times, unsigned a, unsigned b)
{
    uint64_t ns = 0;
    for (unsigned mask = 1; mask < 1 << KINDS; mask++)
        if (mask & a && (!b || mask & b)) ns += times->masks[mask];
    return ns;
}

/* ---- text */

static void add_time(struct str *out, uint64_t ns)
{
    double value = (double)ns;
    if (ns < 10000)
        str_printf(out, "%.2f us", value * 1e-3);
    else if (ns < 10000000)
        str_printf(out, "%.1f us", value * 1e-3);
    else
        str_printf(out, "%.2f ms", value * 1e-6);
}

static void add_share(struct str *out, const char *what, uint64_t ns, uint64_t of_ns)
{
    size_t width = report_width(what);
    str_printf(out, "    %s%*s %5.1f %%  ", what, width < NAME_WIDTH ? (int)(NAME_WIDTH - width) : 0, "",
               of_ns ? 100.0 * (double)ns / (double)of_ns : 0);
    add_time(out, ns);
}

/* The timeline's name of a work, as the reader says it. */
static const char *work_name(const char *name, char out[128])
{
    char from[32], to[32];
    if (sscanf(name, "copy %31s to %31s", from, to) != 2) return _(name);
    snprintf(out, 128, _("copy %s to %s"), _(from), _(to));
    return out;
}

static void add_kind(struct str *out, const struct session_trace_sums *sums, const struct device_times *times,
                     enum session_trace_kind kind)
{
    static const char *const NAMES[] = {N_("kernels"), N_("copies to the device"), N_("copies to the host"),
                                        N_("copies and fills within the device"),
                                        N_("copies between devices")};
    if (!sums->count[kind]) return;
    add_share(out, _(NAMES[kind]), together(times, BIT(kind), 0), times->last_ns - times->first_ns);
    str_printf(out, ", %llu", (unsigned long long)sums->count[kind]);
    if (sums->bytes[kind])
        str_printf(out, _(", %.4g MB in total, %.3g GB/s"), (double)sums->bytes[kind] * 1e-6,
                   (double)sums->bytes[kind] / (double)sums->sum_ns[kind]);
    str_add(out, "\n");
}

static void add_device(const struct session_trace *trace, uint32_t process, uint32_t device, struct str *out)
{
    const struct session_trace_sums *sums = session_trace_sums_of(trace, process, device);
    struct device_times times;
    if (!sums) return;
    sweep(trace, process, device, &times);
    uint64_t whole = times.last_ns - times.first_ns, busy = together(&times, ~0u, 0);
    if (!whole) return;
    str_printf(out, _("  device %u: "), device);
    add_time(out, whole);
    str_add(out, _(" from the start of its first operation to the end of its last\n"));
    add_share(out, _("busy"), busy, whole);
    str_add(out, "\n");
    add_share(out, _("idle"), whole - busy, whole);
    str_add(out, "\n");
    for (int kind = 0; kind < KINDS; kind++)
        add_kind(out, sums, &times, (enum session_trace_kind)kind);
    add_share(out, _("copies that overlap with kernels"), together(&times, COPIES, BIT(SESSION_TRACE_KERNEL)),
              whole);
    str_add(out, "\n");
    add_share(out, _("copies in both directions at the same time"),
              together(&times, BIT(SESSION_TRACE_IN), BIT(SESSION_TRACE_OUT)), whole);
    str_add(out, "\n");
}

/* ---- the critical path */

struct stage {
    const char *name;
    uint64_t ns, count;
};
struct path {
    VEC(struct stage) stages;
    struct map by_name; /* index + 1 */
    uint64_t whole_ns, between_ns;
};

static void path_add(struct path *path, const struct session_trace_end *work)
{
    size_t index = (uintptr_t)map_get(&path->by_name, work->name);
    if (!index) {
        *vec_push(&path->stages) = (struct stage){.name = work->name};
        map_set(&path->by_name, work->name, (void *)(uintptr_t)(index = path->stages.count));
    }
    path->stages.at[index - 1].ns += work->end_ns - work->start_ns;
    path->stages.at[index - 1].count++;
}

/* The next of that process, from its last end on. */
static const struct session_trace_end *next_end(const struct session_trace *trace, uint32_t process)
{
    const struct session_trace_end *next;
    while ((next = spill_peek(trace->ends)) && next->process < process)
        spill_next(trace->ends);
    return next && next->process == process ? next : NULL;
}

/* What ended when it says, of those that began before it; else what ended last before then. A cause ends
 * before what it caused begins: the walk never turns. */
static bool trace_summary_cause_of(const struct session_trace *trace, const struct session_trace_end *work,
                                   struct session_trace_end *out)
{
    const struct session_trace_end *next;
    bool found = false;
    for (; (next = next_end(trace, work->process)); spill_next(trace->ends)) {
        if (next->end_ns > work->cause_ns) continue;
        if (found && next->end_ns != out->end_ns) break;
        bool nearer = !found || (next->device == work->device && next->stream == work->stream);
        if (next->nth == work->nth || next->start_ns >= work->start_ns || !nearer) continue;
        *out = *next;
        found = true;
    }
    return found;
}

static void walk_back(const struct session_trace *trace, const struct session_trace_end *last,
                      struct path *path)
{
    struct session_trace_end at = *last, before;
    uint64_t first_ns = trace->first_ns.at[last->process], last_ns = last->end_ns;
    for (;; at = before) {
        path_add(path, &at);
        if (!at.cause_ns || !trace_summary_cause_of(trace, &at, &before)) break;
        path->between_ns += at.start_ns > before.end_ns ? at.start_ns - before.end_ns : 0;
    }
    path->between_ns += at.start_ns - first_ns;
    path->whole_ns = last_ns - first_ns;
}

static int by_weight(const void *a, const void *b)
{
    const struct stage *x = a, *y = b;
    if (x->ns != y->ns) return x->ns < y->ns ? 1 : -1;
    return strcmp(x->name, y->name);
}

static void add_path(const struct session_trace *trace, uint32_t process, struct str *out)
{
    struct path path = {0};
    const struct session_trace_end *last = next_end(trace, process);
    if (!last) return;
    walk_back(trace, last, &path);
    qsort(path.stages.at, path.stages.count, sizeof *path.stages.at, by_weight);
    str_add(out, _("  critical path: the operations that determine the total time, from the last one back, "
                   "and the gaps between them\n"));
    for (size_t i = 0; i < path.stages.count && i < PATH_MOST; i++) {
        char name[128];
        add_share(out, work_name(path.stages.at[i].name, name), path.stages.at[i].ns, path.whole_ns);
        str_printf(out, ", %llu\n", (unsigned long long)path.stages.at[i].count);
    }
    add_share(out, _("host code and gaps between operations"), path.between_ns, path.whole_ns);
    str_add(out, "\n");
    vec_release(&path.stages);
    map_release(&path.by_name);
}

static int by_sum(const void *a, const void *b)
{
    const struct session_trace_range *x = *(struct session_trace_range *const *)a,
                                     *y = *(struct session_trace_range *const *)b;
    return (x->sum_ns < y->sum_ns) - (x->sum_ns > y->sum_ns);
}

/* The longest ranges of NVTX. */
static void add_ranges(const struct session_trace *trace, struct str *out)
{
    enum { RANGES_MOST = 16 };
    size_t count = trace->range_list.count;
    if (count == 0) return;
    struct session_trace_range **sorted =
        sw_xmemdup(trace->range_list.at, count * sizeof(struct session_trace_range *));
    qsort(sorted, count, sizeof(struct session_trace_range *), by_sum);
    str_add(out, _("  ranges of NVTX, by the host's time in them:\n"));
    for (size_t i = 0; i < count && i < RANGES_MOST; i++) {
        const char *domain = sorted[i]->domain;
        str_printf(out, "    %12.3f us  %6llu x  %s%s%s\n", (double)sorted[i]->sum_ns / 1e3,
                   (unsigned long long)sorted[i]->count, domain, *domain ? ": " : "", sorted[i]->text);
    }
    if (count > RANGES_MOST) str_printf(out, _("    and %zu other ranges\n"), count - RANGES_MOST);
    free(sorted);
}

void session_trace_summary(const struct session_trace *trace, struct str *out)
{
    spill_begin(trace->edges);
    spill_begin(trace->ends);
    for (uint32_t p = 0; p < trace->processes.count; p++) {
        size_t before = out->length;
        for (uint32_t d = 0; d < trace->gpus.count; d++)
            add_device(trace, p, d, out);
        if (out->length == before) continue;
        add_path(trace, p, out);
    }
    add_ranges(trace, out);
}
