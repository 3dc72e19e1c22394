/* SPDX-License-Identifier: Apache-2.0 */
/* What a timeline comes to, as text: of each device how long it was busy with what and what overlapped, and
 * the critical path.
 *
 * Busy times are those of unions: two kernels at once count once. The critical path goes from the last
 * work back, each time to the work that this one waited for by the virtual clock: in its stream, by an event,
 * for its engine or places, or because the host waited for that work before it asked for this one. What lies
 * between is the host's, and the starts of works. Limits: of two works that ended in the same nanosecond it
 * takes the one of the same stream, or either. */
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

struct edge {
    uint64_t at_ns;
    int kind, change;
};

struct device_sums {
    uint64_t first_ns, last_ns;
    uint64_t masks[1 << KINDS]; /* time during which exactly these kinds were busy */
    uint64_t count[KINDS], bytes[KINDS], sum_ns[KINDS];
};

static int by_time(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

static void sweep(struct edge *edges, size_t count, struct device_sums *sums)
{
    uint32_t running[KINDS] = {0};
    unsigned mask = 0;
    qsort(edges, count, sizeof *edges, by_time);
    for (size_t i = 0; i < count; i++) {
        if (i) sums->masks[mask] += edges[i].at_ns - edges[i - 1].at_ns;
        running[edges[i].kind] += (uint32_t)edges[i].change;
        mask = running[edges[i].kind] ? mask | BIT(edges[i].kind) : mask & ~BIT(edges[i].kind);
    }
    sums->first_ns = count ? edges[0].at_ns : 0;
    sums->last_ns = count ? edges[count - 1].at_ns : 0;
}

static bool is_of(const struct session_trace_item *item, uint32_t process, uint32_t device)
{
    return item->kind != SESSION_TRACE_CALL && item->process == process && item->device == device;
}

static void sum_device(const struct session_trace *trace, uint32_t process, uint32_t device,
                       struct device_sums *sums)
{
    VEC(struct edge) edges = {0};
    *sums = (struct device_sums){0};
    for (size_t i = 0; i < trace->items.count; i++) {
        const struct session_trace_item *item = &trace->items.at[i];
        if (!is_of(item, process, device)) continue;
        *vec_push(&edges) = (struct edge){item->start_ns, (int)item->kind, 1};
        *vec_push(&edges) = (struct edge){item->end_ns, (int)item->kind, -1};
        sums->count[item->kind]++;
        sums->bytes[item->kind] += item->bytes;
        sums->sum_ns[item->kind] += item->end_ns - item->start_ns;
    }
    if (edges.count) sweep(edges.at, edges.count, sums);
    vec_release(&edges);
}

/* Time during which something of each set was busy; b 0: of a alone. */
static uint64_t together(const struct device_sums *sums, unsigned a, unsigned b)
{
    uint64_t ns = 0;
    for (unsigned mask = 1; mask < 1 << KINDS; mask++)
        if (mask & a && (!b || mask & b)) ns += sums->masks[mask];
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

static void add_kind(struct str *out, const struct device_sums *sums, enum session_trace_kind kind,
                     uint64_t whole)
{
    static const char *const NAMES[] = {N_("kernels"), N_("copies to the device"), N_("copies to the host"),
                                        N_("copies and fills inside"), N_("copies between devices")};
    if (!sums->count[kind]) return;
    add_share(out, _(NAMES[kind]), together(sums, BIT(kind), 0), whole);
    str_printf(out, ", %llu", (unsigned long long)sums->count[kind]);
    if (sums->bytes[kind])
        str_printf(out, _(" of %.4g MB in all, %.3g GB/s"), (double)sums->bytes[kind] * 1e-6,
                   (double)sums->bytes[kind] / (double)sums->sum_ns[kind]);
    str_add(out, "\n");
}

static void add_device(const struct session_trace *trace, uint32_t process, uint32_t device, struct str *out)
{
    struct device_sums *sums = sw_xmalloc(sizeof *sums);
    sum_device(trace, process, device, sums);
    uint64_t whole = sums->last_ns - sums->first_ns, busy = together(sums, ~0u, 0);
    if (whole) {
        str_printf(out, _("  device %u: "), device);
        add_time(out, whole);
        str_add(out, _(" from its first work to its last\n"));
        add_share(out, _("busy"), busy, whole);
        str_add(out, "\n");
        add_share(out, _("idle"), whole - busy, whole);
        str_add(out, "\n");
        for (int kind = 0; kind < KINDS; kind++)
            add_kind(out, sums, (enum session_trace_kind)kind, whole);
        add_share(out, _("copies beside kernels"), together(sums, COPIES, BIT(SESSION_TRACE_KERNEL)), whole);
        str_add(out, "\n");
        add_share(out, _("copies both ways at once"),
                  together(sums, BIT(SESSION_TRACE_IN), BIT(SESSION_TRACE_OUT)), whole);
        str_add(out, "\n");
    }
    free(sums);
}

/* ---- the critical path */

struct stage {
    const char *name;
    uint64_t ns, count;
};
struct path {
    VEC(struct stage) stages;
    uint64_t whole_ns, between_ns;
};

static void path_add(struct path *path, const struct session_trace_item *item)
{
    size_t i = 0;
    while (i < path->stages.count && strcmp(path->stages.at[i].name, item->name) != 0)
        i++;
    if (i == path->stages.count) *vec_push(&path->stages) = (struct stage){.name = item->name};
    path->stages.at[i].ns += item->end_ns - item->start_ns;
    path->stages.at[i].count++;
}

static int by_end(const void *a, const void *b)
{
    const struct session_trace_item *const *x = a, *const *y = b;
    if ((*x)->end_ns != (*y)->end_ns) return (*x)->end_ns < (*y)->end_ns ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

/* What ended when it says, of those that began before it; else what ended last before then. */
static const struct session_trace_item *cause_of(const struct session_trace_item **ended, size_t count,
                                                 const struct session_trace_item *item)
{
    size_t low = 0, high = count;
    while (low < high) { /* behind all that had ended at cause_ns */
        size_t middle = low + (high - low) / 2;
        if (ended[middle]->end_ns <= item->cause_ns)
            low = middle + 1;
        else
            high = middle;
    }
    const struct session_trace_item *found = NULL;
    for (size_t i = low; i > 0 && (!found || ended[i - 1]->end_ns == found->end_ns); i--) {
        const struct session_trace_item *at = ended[i - 1];
        bool nearer = !found || (at->device == item->device && at->stream == item->stream);
        if (at != item && at->start_ns < item->start_ns && nearer) found = at;
    }
    return found;
}

static void walk_back(const struct session_trace_item **ended, size_t count, uint64_t first_ns,
                      struct path *path)
{
    const struct session_trace_item *at = ended[count - 1], *before;
    for (;; at = before) {
        path_add(path, at);
        before = at->cause_ns ? cause_of(ended, count, at) : NULL;
        if (!before) break;
        path->between_ns += at->start_ns > before->end_ns ? at->start_ns - before->end_ns : 0;
    }
    path->between_ns += at->start_ns - first_ns;
    path->whole_ns = ended[count - 1]->end_ns - first_ns;
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
    VEC(const struct session_trace_item *) ended = {0};
    for (size_t i = 0; i < trace->items.count; i++)
        if (trace->items.at[i].process == process && trace->items.at[i].kind != SESSION_TRACE_CALL)
            *vec_push(&ended) = &trace->items.at[i];
    if (ended.count) {
        uint64_t first_ns = ended.at[0]->start_ns; /* items stand in the order of their starts */
        qsort(ended.at, ended.count, sizeof *ended.at, by_end);
        walk_back(ended.at, ended.count, first_ns, &path);
        qsort(path.stages.at, path.stages.count, sizeof *path.stages.at, by_weight);
        str_add(
            out,
            _("  critical path: the last work, what that waited for, and so on; and what lies between\n"));
        for (size_t i = 0; i < path.stages.count && i < PATH_MOST; i++) {
            char name[128];
            add_share(out, work_name(path.stages.at[i].name, name), path.stages.at[i].ns, path.whole_ns);
            str_printf(out, ", %llu\n", (unsigned long long)path.stages.at[i].count);
        }
        add_share(out, _("host, and gaps between works"), path.between_ns, path.whole_ns);
        str_add(out, "\n");
    }
    vec_release(&ended);
    vec_release(&path.stages);
}

void session_trace_summary(const struct session_trace *trace, struct str *out)
{
    for (uint32_t p = 0; p < trace->processes.count; p++) {
        size_t before = out->length;
        for (uint32_t d = 0; d < trace->gpus.count; d++)
            add_device(trace, p, d, out);
        if (out->length == before) continue;
        add_path(trace, p, out);
    }
}
