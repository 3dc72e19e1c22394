/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of a session: launches and operations that took time become items, sorted.
 *
 * Calls that follow each other at once under one name, in one thread, are one (what a call costs, and then
 * its wait). Items are sorted in bounded memory; texts are kept once. Limits: operations beyond the records'
 * bound are only counted. */
#include "session/session_trace.h"

#include "arch/arch.h"
#include "base/base_text.h"
#include "event/event_activity.h"
#include "event/event_kernel.h"
#include "event/event_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const MEMORIES[] = {
    [EVENT_MEMORY_NONE] = N_("host"),       [EVENT_MEMORY_PAGEABLE] = N_("pageable"),
    [EVENT_MEMORY_PINNED] = N_("pinned"),   [EVENT_MEMORY_REGISTERED] = N_("registered"),
    [EVENT_MEMORY_MANAGED] = N_("managed"), [EVENT_MEMORY_DEVICE] = N_("device")};

static bool trace_is_host(uint8_t memory)
{
    return memory != EVENT_MEMORY_DEVICE && memory != EVENT_MEMORY_MANAGED;
}

static enum session_trace_kind trace_kind_of(const struct event_operation *o)
{
    if (o->kind == EVENT_OPERATION_CALL) return SESSION_TRACE_CALL;
    if (o->kind == EVENT_OPERATION_RANGE) return SESSION_TRACE_RANGE;
    if (o->kind == EVENT_OPERATION_FILL) return SESSION_TRACE_INSIDE;
    if (o->kind == EVENT_OPERATION_MIGRATE)
        return o->from == EVENT_MEMORY_NONE ? SESSION_TRACE_INSIDE : SESSION_TRACE_IN;
    if (o->kind == EVENT_OPERATION_COPY && o->peer != o->device) return SESSION_TRACE_PEER;
    if (trace_is_host(o->to)) return SESSION_TRACE_OUT;
    return trace_is_host(o->from) ? SESSION_TRACE_IN : SESSION_TRACE_INSIDE;
}

struct collecting {
    struct session_trace *trace;
    const struct session_data *data;
    const struct session_reader *reader;
    struct session_trace_calls calls;
    struct arch_gpu gpu; /* of the last launch */
    struct map names;    /* by kernel */
    struct map texts;    /* "(1,1,1)x(32,1,1)", "copy pinned to device" */
    struct map last;     /* by process and thread: struct session_trace_item, a call */
};

static const char *intern(struct collecting *c, const char *text)
{
    const char *known = map_get(&c->texts, text);
    if (known) return known;
    known = arena_strdup(&c->trace->arena, text);
    map_set(&c->texts, known, (void *)(uintptr_t)known);
    return known;
}

static const char *trace_name_of(struct collecting *c, const struct event_operation *o)
{
    char text[64];
    switch ((enum event_operation_kind)o->kind) {
    case EVENT_OPERATION_COPY:
        snprintf(text, sizeof text, "copy %s to %s", MEMORIES[o->from], MEMORIES[o->to]);
        return intern(c, text);
    case EVENT_OPERATION_FILL: return N_("fill");
    case EVENT_OPERATION_MIGRATE: return N_("page faults");
    case EVENT_OPERATION_PREFETCH:
        return trace_is_host(o->to) ? N_("prefetch to host") : N_("prefetch to device");
    case EVENT_OPERATION_CALL: return *o->api ? o->api : "(call)";
    case EVENT_OPERATION_RANGE: return *o->api ? o->api : "(range)";
    case EVENT_OPERATION_ALLOC:
    case EVENT_OPERATION_FREE:
    case EVENT_OPERATION_SYNC:
    case EVENT_OPERATION_USE:
    case EVENT_OPERATION_KINDS: break;
    }
    return NULL;
}

static void add_item(struct collecting *c, const struct session_trace_item *item)
{
    spill_add(c->trace->items, item);
    c->trace->item_count++;
}

static bool continues(const struct session_trace_item *before, const struct session_trace_item *item)
{
    return before->end_ns == item->start_ns && strcmp(before->name, item->name) == 0 &&
           strcmp(before->detail, item->detail) == 0 && strstr(item->name, "Query") == NULL &&
           strstr(item->name, "Launch") == NULL;
}

/* Those of a thread come in the order of their starts; the last one is held back. */
static void add_call(struct collecting *c, const struct session_trace_item *item)
{
    uint64_t key = (uint64_t)item->process << 32 | (item->thread + 1u);
    struct session_trace_item *last = map_get_u64(&c->last, key);
    session_trace_calls_add(&c->calls, item);
    if (last && continues(last, item)) {
        last->end_ns = item->end_ns;
        return;
    }
    if (last)
        add_item(c, last);
    else
        map_set_u64(&c->last, key, last = ARENA_NEW(&c->trace->arena, struct session_trace_item));
    *last = *item;
}

static void add_last_calls(struct collecting *c)
{
    void *value;
    for (size_t i = 0; map_next(&c->last, &i, &value);)
        add_item(c, value);
    map_release(&c->last);
}

/* Sums by text and domain; memory follows the number of these. */
static void add_range(struct collecting *c, const struct event_operation *o)
{
    struct session_trace *trace = c->trace;
    if (o->rows == EVENT_ACTIVITY_MARK) return;
    const char *key = arena_printf(&trace->arena, "%s\n%s", o->api, o->caller);
    struct session_trace_range *range = map_get(&trace->ranges, key);
    if (!range) {
        range = ARENA_NEW(&trace->arena, struct session_trace_range);
        *range = (struct session_trace_range){.text = arena_strdup(&trace->arena, trace_name_of(c, o)),
                                              .domain = arena_strdup(&trace->arena, o->caller)};
        map_set(&trace->ranges, key, range);
        *vec_push(&trace->range_list) = range;
    }
    range->count++;
    range->sum_ns += o->end_ns - o->start_ns;
}

static void add_operation(void *user, uint32_t process, const struct event_operation *o)
{
    struct collecting *c = user;
    const char *name = trace_name_of(c, o);
    if (!name) return;
    if (o->count > 1) c->trace->left_out += o->count;
    bool is_range = o->kind == EVENT_OPERATION_RANGE;
    if (o->count > 1 || (o->end_ns <= o->start_ns && !is_range)) return;
    if (is_range) add_range(c, o);
    bool of_host = is_range || o->kind == EVENT_OPERATION_CALL;
    struct session_trace_item item = {.kind = trace_kind_of(o),
                                      .process = process,
                                      .device = o->device,
                                      .stream = o->stream,
                                      .thread = o->thread,
                                      .start_ns = o->start_ns,
                                      .end_ns = o->end_ns,
                                      .name = name,
                                      .detail = of_host ? o->caller : o->api,
                                      .bytes = o->bytes,
                                      .cause_ns = o->cause_ns,
                                      .launches = o->launches,
                                      .range = is_range ? (uint8_t)o->rows : 0};
    if (item.kind == SESSION_TRACE_CALL)
        add_call(c, &item);
    else
        add_item(c, &item);
}

static void note_gpu(struct session_trace *trace, uint32_t device, const char *gpu)
{
    while (trace->gpus.count <= device)
        *vec_push(&trace->gpus) = NULL;
    if (trace->gpus.at[device]) return;
    char name[32];
    arch_gpu_short_name(gpu, name);
    trace->gpus.at[device] = arena_strdup(&trace->arena, name);
}

static const char *trace_size_of(struct collecting *c, const struct event_launch *l)
{
    char text[96];
    snprintf(text, sizeof text, "(%u,%u,%u)x(%u,%u,%u)", l->grid[0], l->grid[1], l->grid[2], l->block[0],
             l->block[1], l->block[2]);
    return intern(c, text);
}

/* Warps of all that the device can hold, on average. */
static double warps_of(struct collecting *c, const struct event_launch *l)
{
    if (strcmp(c->gpu.name, l->gpu) != 0 && arch_gpu_load(l->gpu, &c->gpu, NULL) != SW_OK) return 0;
    const struct arch_cc *cc = arch_cc_find(c->gpu.cc_major, c->gpu.cc_minor);
    double blocks = (double)l->grid[0] * l->grid[1] * l->grid[2], sms = (double)c->gpu.sm_count;
    if (!cc || sms < 1) return 0;
    return l->time->warps_active / cc->warps_per_sm * (blocks < sms ? blocks / sms : 1);
}

static void add_use(struct collecting *c, struct session_trace_item *item, const struct event_launch *l)
{
    enum { SECTOR = 32 };
    if (l->memory) {
        const struct event_memory_sums *sums = &l->memory->total;
        item->dram = (double)((sums->dram_reads + sums->dram_writes) * SECTOR);
        item->in = (double)(sums->host_reads * SECTOR);
        item->out = (double)(sums->host_writes * SECTOR);
    }
    if (l->time) item->warps = warps_of(c, l);
}

static enum sw_status add_launch(void *user, const struct session_process *process,
                                 const struct event_launch *l, struct sw_error *error)
{
    struct collecting *c = user;
    struct session_trace *trace = c->trace;
    (void)error;
    const char *name = map_get_u64(&c->names, (uintptr_t)l->kernel);
    if (!name)
        map_set_u64(&c->names, (uintptr_t)l->kernel,
                    (void *)(name = session_demangle(&trace->arena, l->kernel->name)));
    note_gpu(trace, l->device, l->gpu);
    if (l->end_ns <= l->start_ns) return SW_OK;
    struct session_trace_item item = {.kind = SESSION_TRACE_KERNEL,
                                      .process = (uint32_t)(process - c->data->processes),
                                      .device = l->device,
                                      .stream = l->stream,
                                      .start_ns = l->start_ns,
                                      .end_ns = l->end_ns,
                                      .id = l->id,
                                      .name = name,
                                      .detail = trace_size_of(c, l),
                                      .cause_ns = session_launch_cause(c->reader)};
    add_use(c, &item, l);
    session_trace_calls_find(&c->calls, &item);
    add_item(c, &item);
    return SW_OK;
}

static int by_start(const void *a, const void *b)
{
    const struct session_trace_item *x = a, *y = b;
    if (x->process != y->process) return x->process < y->process ? -1 : 1;
    if (x->start_ns != y->start_ns) return x->start_ns < y->start_ns ? -1 : 1;
    bool ranges = x->kind == SESSION_TRACE_RANGE && y->kind == SESSION_TRACE_RANGE;
    if (ranges && x->end_ns != y->end_ns) return x->end_ns > y->end_ns ? -1 : 1; /* outer ones first */
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->stream != y->stream) return x->stream < y->stream ? -1 : 1;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

enum sw_status session_trace_read(struct session_reader *reader, struct session_trace *out,
                                  struct sw_error *error)
{
    const struct session_data *data = session_reader_data(reader);
    *out = (struct session_trace){.items = spill_new(sizeof(struct session_trace_item), by_start)};
    arena_init(&out->arena);
    for (uint32_t i = 0; i < data->process_count; i++) {
        *vec_push(&out->processes) = data->processes[i].name;
        *vec_push(&out->first_ns) = UINT64_MAX;
    }
    struct collecting collecting = {.trace = out, .data = data, .reader = reader};
    session_trace_calls_init(&collecting.calls);
    enum sw_status status = session_each_operation(reader, add_operation, &collecting, error);
    add_last_calls(&collecting);
    session_trace_calls_begin(&collecting.calls);
    if (status == SW_OK) status = session_each_launch(reader, add_launch, &collecting, error);
    for (uint32_t i = 0; i < data->process_count; i++)
        if (*data->processes[i].gpu) note_gpu(out, 0, data->processes[i].gpu);
    enum sw_status called = session_trace_calls_release(&collecting.calls, status == SW_OK ? error : NULL);
    map_release(&collecting.names);
    map_release(&collecting.texts);
    session_trace_works(out);
    return status == SW_OK ? called : status;
}

enum sw_status session_trace_status(const struct session_trace *trace, struct sw_error *error)
{
    enum sw_status status = spill_status(trace->items, error);
    if (status == SW_OK) status = spill_status(trace->edges, error);
    return status == SW_OK ? spill_status(trace->ends, error) : status;
}

void session_trace_release(struct session_trace *trace)
{
    spill_free(trace->items);
    spill_free(trace->edges);
    spill_free(trace->ends);
    map_release(&trace->sums);
    map_release(&trace->ranges);
    vec_release(&trace->range_list);
    vec_release(&trace->processes);
    vec_release(&trace->first_ns);
    vec_release(&trace->gpus);
    arena_release(&trace->arena);
}
