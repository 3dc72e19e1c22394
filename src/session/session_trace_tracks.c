/* SPDX-License-Identifier: Apache-2.0 */
/* What a timeline says besides its works: which call asked for which launch, and how much of DRAM, of the
 * multiprocessors and of PCIe is used from moment to moment.
 *
 * A launch's number tells its call: each call that launches a kernel has the next number, and a graph's
 * kernels have those from its launch on. What a work moves it moves evenly over its time. Limits: kernels
 * that kernels launched have no call; host threads that launch at the same time may get each other's calls.
 */
#include "session/session_trace.h"

#include <stdlib.h>
#include <string.h>

/* ---- calls */

struct launching {
    uint64_t first; /* launch */
    const struct session_trace_item *call;
    bool graph;
};

static int by_first(const void *a, const void *b)
{
    const struct launching *x = a, *y = b;
    if (x->call->process != y->call->process) return x->call->process < y->call->process ? -1 : 1;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->call > y->call) - (x->call < y->call);
}

/* The last of those that begin at that launch of the process or before. */
static const struct launching *find(const struct launching *calls, size_t count, uint32_t process,
                                    uint64_t id)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct launching *at = &calls[middle];
        if (at->call->process < process || (at->call->process == process && at->first <= id))
            low = middle + 1;
        else
            high = middle;
    }
    const struct launching *found = low ? &calls[low - 1] : NULL;
    bool its = found && found->call->process == process && (found->graph || found->first == id);
    return its ? found : NULL;
}

void session_trace_calls(struct session_trace *trace)
{
    VEC(struct launching) calls = {0};
    for (size_t i = 0; i < trace->items.count; i++) {
        const struct session_trace_item *item = &trace->items.at[i];
        bool graph = strstr(item->name, "GraphLaunch") != NULL;
        if (item->kind != SESSION_TRACE_CALL || !strstr(item->name, "Launch") ||
            strstr(item->name, "HostFunc") || (!graph && !item->launches))
            continue;
        *vec_push(&calls) = (struct launching){item->launches - !graph, item, graph};
    }
    if (calls.count) qsort(calls.at, calls.count, sizeof *calls.at, by_first);
    for (size_t i = 0; i < trace->items.count; i++) {
        struct session_trace_item *item = &trace->items.at[i];
        const struct launching *from =
            item->kind == SESSION_TRACE_KERNEL ? find(calls.at, calls.count, item->process, item->id) : NULL;
        if (!from || from->call->start_ns > item->start_ns) continue;
        item->called = true;
        item->call_ns = from->call->start_ns;
        item->thread = from->call->thread;
    }
    vec_release(&calls);
}

/* ---- levels */

struct edge {
    uint64_t at_ns;
    const struct session_trace_item *item;
    bool begins;
};

static int by_place(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->item->process != y->item->process) return x->item->process < y->item->process ? -1 : 1;
    if (x->item->device != y->item->device) return x->item->device < y->item->device ? -1 : 1;
    if (x->at_ns != y->at_ns) return x->at_ns < y->at_ns ? -1 : 1;
    if (x->begins != y->begins) return x->begins ? 1 : -1; /* one that ends makes room first */
    return (x->item > y->item) - (x->item < y->item);
}

static void change(struct session_trace_level *level, const struct edge *edge)
{
    const struct session_trace_item *item = edge->item;
    double sign = edge->begins ? 1 : -1, ns = (double)(item->end_ns - item->start_ns);
    double moved = sign * (double)item->bytes / ns;
    level->dram += sign * item->dram / ns + (item->kind == SESSION_TRACE_INSIDE ? moved : 0);
    level->in += sign * item->in / ns + (item->kind == SESSION_TRACE_IN ? moved : 0);
    level->out += sign * item->out / ns + (item->kind == SESSION_TRACE_OUT ? moved : 0);
    level->warps += sign * item->warps;
}

static void rest_at_none(struct session_trace_level *level)
{
    level->dram = level->in = level->out = level->warps = 0; /* what rounding left */
}

void session_trace_levels(const struct session_trace *trace,
                          void (*each)(void *user, const struct session_trace_level *level), void *user)
{
    VEC(struct edge) edges = {0};
    for (size_t i = 0; i < trace->items.count; i++) {
        const struct session_trace_item *item = &trace->items.at[i];
        if (item->kind == SESSION_TRACE_CALL || item->end_ns <= item->start_ns) continue;
        *vec_push(&edges) = (struct edge){item->start_ns, item, true};
        *vec_push(&edges) = (struct edge){item->end_ns, item, false};
    }
    if (edges.count) qsort(edges.at, edges.count, sizeof *edges.at, by_place);
    struct session_trace_level level = {0};
    size_t under_way = 0;
    for (size_t i = 0; i < edges.count; i++) {
        const struct edge *edge = &edges.at[i], *next = i + 1 < edges.count ? edge + 1 : NULL;
        change(&level, edge);
        under_way += edge->begins ? 1 : (size_t)-1;
        if (!under_way) rest_at_none(&level);
        level.process = edge->item->process;
        level.device = edge->item->device;
        level.at_ns = edge->at_ns;
        bool same = next && next->at_ns == edge->at_ns && next->item->device == level.device &&
                    next->item->process == level.process;
        if (!same) each(user, &level);
    }
    vec_release(&edges);
}
