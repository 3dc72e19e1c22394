/* SPDX-License-Identifier: Apache-2.0 */
/* What a timeline says besides its works: which call asked for which launch, and how much of DRAM, of the
 * multiprocessors and of PCIe is used from moment to moment.
 *
 * A launch's number identifies its call: each call that launches a kernel has the next number, and a graph's
 * kernels have those from its launch on. What a work moves it moves evenly over its time. Limits: kernels
 * that kernels launched have no call; host threads that launch at the same time may get each other's calls.
 */
#include "session/session_trace.h"

#include <stdlib.h>
#include <string.h>

/* ---- calls */

static int by_first(const void *a, const void *b)
{
    const struct session_trace_call *x = a, *y = b;
    if (x->process != y->process) return x->process < y->process ? -1 : 1;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

void session_trace_calls_init(struct session_trace_calls *calls)
{
    *calls = (struct session_trace_calls){.calls = spill_new(sizeof(struct session_trace_call), by_first)};
}

void session_trace_calls_add(struct session_trace_calls *calls, const struct session_trace_item *item)
{
    bool graph = strstr(item->name, "GraphLaunch") != NULL;
    if (!strstr(item->name, "Launch") || strstr(item->name, "HostFunc") || (!graph && !item->launches))
        return;
    struct session_trace_call call = {.process = item->process,
                                      .thread = item->thread,
                                      .first = item->launches - !graph,
                                      .start_ns = item->start_ns,
                                      .graph = graph,
                                      .known = true};
    spill_add(calls->calls, &call);
}

void session_trace_calls_begin(struct session_trace_calls *calls)
{
    spill_begin(calls->calls);
}

/* The last of those that begin at that launch of the process or before. */
void session_trace_calls_find(struct session_trace_calls *calls, struct session_trace_item *launch)
{
    const struct session_trace_call *next, *last = &calls->last;
    while ((next = spill_peek(calls->calls)) &&
           (next->process < launch->process ||
            (next->process == launch->process && next->first <= launch->id))) {
        calls->last = *next;
        spill_next(calls->calls);
    }
    bool its = last->known && last->process == launch->process && (last->graph || last->first == launch->id);
    if (!its || last->start_ns > launch->start_ns) return;
    launch->called = true;
    launch->call_ns = last->start_ns;
    launch->thread = last->thread;
}

enum sw_status session_trace_calls_release(struct session_trace_calls *calls, struct sw_error *error)
{
    enum sw_status status = spill_status(calls->calls, error);
    spill_free(calls->calls);
    return status;
}

/* ---- works */

static int by_location(const void *a, const void *b)
{
    const struct session_trace_edge *x = a, *y = b;
    if (x->process != y->process) return x->process < y->process ? -1 : 1;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    if (x->at_ns != y->at_ns) return x->at_ns < y->at_ns ? -1 : 1;
    if (x->begins != y->begins) return x->begins ? 1 : -1; /* one that ends frees its row first */
    return 0;                                              /* as the items came */
}

static int by_end(const void *a, const void *b)
{
    const struct session_trace_end *x = a, *y = b;
    if (x->process != y->process) return x->process < y->process ? -1 : 1;
    if (x->end_ns != y->end_ns) return x->end_ns > y->end_ns ? -1 : 1;
    return (x->nth < y->nth) - (x->nth > y->nth);
}

static void add_edges(struct session_trace *trace, const struct session_trace_item *item)
{
    double ns = (double)(item->end_ns - item->start_ns), moved = (double)item->bytes / ns;
    struct session_trace_edge edge = {.process = item->process,
                                      .device = item->device,
                                      .at_ns = item->start_ns,
                                      .kind = (uint8_t)item->kind,
                                      .begins = true,
                                      .dram =
                                          item->dram / ns + (item->kind == SESSION_TRACE_INSIDE ? moved : 0),
                                      .in = item->in / ns + (item->kind == SESSION_TRACE_IN ? moved : 0),
                                      .out = item->out / ns + (item->kind == SESSION_TRACE_OUT ? moved : 0),
                                      .warps = item->warps};
    spill_add(trace->edges, &edge);
    edge.at_ns = item->end_ns;
    edge.begins = false;
    spill_add(trace->edges, &edge);
}

static void add_sums(struct session_trace *trace, const struct session_trace_item *item)
{
    uint64_t key = (uint64_t)item->process << 32 | (item->device + 1u);
    struct session_trace_sums *sums = map_get_u64(&trace->sums, key);
    if (!sums) map_set_u64(&trace->sums, key, sums = ARENA_NEW(&trace->arena, struct session_trace_sums));
    sums->count[item->kind]++;
    sums->bytes[item->kind] += item->bytes;
    sums->sum_ns[item->kind] += item->end_ns - item->start_ns;
    uint64_t *first_ns = &trace->first_ns.at[item->process];
    if (item->start_ns < *first_ns) *first_ns = item->start_ns;
}

const struct session_trace_sums *session_trace_sums_of(const struct session_trace *trace, uint32_t process,
                                                       uint32_t device)
{
    return map_get_u64(&trace->sums, (uint64_t)process << 32 | (device + 1u));
}

void session_trace_works(struct session_trace *trace)
{
    const struct session_trace_item *item;
    uint64_t nth = 0;
    trace->edges = spill_new(sizeof(struct session_trace_edge), by_location);
    trace->ends = spill_new(sizeof(struct session_trace_end), by_end);
    for (spill_begin(trace->items); (item = spill_next(trace->items));) {
        if (item->kind >= SESSION_TRACE_CALL) continue;
        add_edges(trace, item);
        add_sums(trace, item);
        struct session_trace_end end = {item->process, item->device,   item->stream, item->start_ns,
                                        item->end_ns,  item->cause_ns, nth++,        item->name};
        spill_add(trace->ends, &end);
    }
}

/* ---- levels */

static void trace_tracks_change(struct session_trace_level *level, const struct session_trace_edge *edge)
{
    double sign = edge->begins ? 1 : -1;
    level->dram += sign * edge->dram;
    level->in += sign * edge->in;
    level->out += sign * edge->out;
    level->warps += sign * edge->warps;
}

static void rest_at_none(struct session_trace_level *level)
{
    level->dram = level->in = level->out = level->warps = 0; /* what rounding left */
}

void session_trace_levels(const struct session_trace *trace,
                          void (*each)(void *user, const struct session_trace_level *level), void *user)
{
    const struct session_trace_edge *edge;
    struct session_trace_level level = {0};
    uint64_t under_way = 0;
    for (spill_begin(trace->edges); (edge = spill_next(trace->edges));) {
        trace_tracks_change(&level, edge);
        under_way += edge->begins ? 1 : (uint64_t)-1;
        if (!under_way) rest_at_none(&level);
        level.process = edge->process;
        level.device = edge->device;
        level.at_ns = edge->at_ns;
        const struct session_trace_edge *next = spill_peek(trace->edges);
        bool same = next && next->at_ns == level.at_ns && next->device == level.device &&
                    next->process == level.process;
        if (!same) each(user, &level);
    }
}
