/* SPDX-License-Identifier: Apache-2.0 */
/* A timeline in Chrome's trace-event format ("Trace Event Format", docs.google.com/document/d/1CvAClvFfyA5R-
 * PhYUmn5OOQtYMH4h6I0nSsKchNAySU): complete events ("X") in microseconds, names of rows ("M"), arrows from
 * calls to the kernels that they launched ("s", "f"), and counters ("C").
 *
 *   process of the trace      rows
 *   PROGRAM                   one a host thread: calls; one a host thread with ranges of NVTX, and as many
 *                             for those that start and end as overlap; marks are instants ("i")
 *   PROGRAM: device N (GPU)   one a stream, one a copy engine, as many for kernels as run at once
 *
 * Every copy and kernel stands in its stream's row and in its engine's. Limits: rows of kernels hold what
 * does not overlap, first come first served. */
#include "session/session_trace.h"

#include "event/event_activity.h"

#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Numbers of rows, which viewers sort by. */
enum {
    ROW_RANGES = 1000000, /* pushed and popped, by thread; then those started and ended */
    ROW_STARTED = 2000000,
    STARTED_ROWS = 64,
    ROW_STREAMS = 1,
    STREAM_ROWS = 8,
    ROW_ENGINES = 100000000,
    ROW_KERNELS = 100000010,
    KERNEL_ROWS = 128
};
enum { DEVICES_MOST = 64 }; /* of a process: numbers of the trace's processes */

static const char *const ENGINES[] = {[SESSION_TRACE_IN] = "copy engine: to the device",
                                      [SESSION_TRACE_OUT] = "copy engine: from the device",
                                      [SESSION_TRACE_INSIDE] = "copies and fills within the device",
                                      [SESSION_TRACE_PEER] = "copies between devices"};

struct writer {
    const struct session_trace *trace;
    struct str *out;
    struct map named; /* rows that have a name, by process and row */
    struct map
        lanes; /* by process of the trace and first row: uint64_t[], ends of the last item of each row */
    struct arena arena;
    const struct session_trace_out *to;
    uint64_t arrows;
    struct session_trace_level last; /* that was written */
    bool any;
};

static void begin_event(struct writer *w, const char *phase, uint32_t process, uint32_t row)
{
    if (w->to->flush) w->to->flush(w->to->user);
    str_printf(w->out, "%s\n{\"ph\": \"%s\", \"pid\": %u, \"tid\": %u", w->any ? "," : "", phase, process,
               row);
    w->any = true;
}

static void add_text(struct writer *w, const char *key, const char *text)
{
    str_printf(w->out, ", \"%s\": ", key);
    report_json_value(report_text(text), w->out);
}

static void name(struct writer *w, const char *what, uint32_t process, uint32_t row, const char *text)
{
    begin_event(w, "M", process, row);
    str_printf(w->out, ", \"name\": \"%s\", \"args\": {\"name\": ", what);
    report_json_value(report_text(text), w->out);
    str_add(w->out, "}}");
    if (strcmp(what, "thread_name") != 0) return;
    begin_event(w, "M", process, row);
    str_printf(w->out, ", \"name\": \"thread_sort_index\", \"args\": {\"sort_index\": %u}}", row);
}

/* The first time that a process of the trace is met, and a row of it. */
static bool is_new(struct writer *w, uint32_t process, uint32_t row)
{
    uint64_t key = (uint64_t)process << 32 | row;
    if (map_get_u64(&w->named, key)) return false;
    map_set_u64(&w->named, key, w);
    return true;
}

static uint32_t process_number(uint32_t process, bool calls, uint32_t device)
{
    return 1 + process * DEVICES_MOST + (calls ? 0 : 1 + device);
}

static uint32_t process_of(struct writer *w, const struct session_trace_item *item)
{
    bool calls = item->kind >= SESSION_TRACE_CALL;
    const struct session_trace *trace = w->trace;
    uint32_t process = process_number(item->process, calls, item->device);
    if (!is_new(w, process, UINT32_MAX)) return process;
    const char *gpu = !calls && item->device < trace->gpus.count ? trace->gpus.at[item->device] : NULL;
    const char *program = trace->processes.at[item->process];
    name(w, "process_name", process, 0,
         calls
             ? program
             : arena_printf(&w->arena, "%s: device %u (%s)", program, item->device, gpu ? gpu : "not known"));
    return process;
}

static void add_slice(struct writer *w, const struct session_trace_item *item, uint32_t process, uint32_t row)
{
    static const char *const CATEGORIES[] = {"kernel", "copy", "copy", "copy", "copy", "call", "nvtx"};
    begin_event(w, "X", process, row);
    str_printf(w->out, ", \"cat\": \"%s\", \"ts\": %" PRIu64 ".%03u, \"dur\": %" PRIu64 ".%03u",
               CATEGORIES[item->kind], item->start_ns / 1000, (unsigned)(item->start_ns % 1000),
               (item->end_ns - item->start_ns) / 1000, (unsigned)((item->end_ns - item->start_ns) % 1000));
    add_text(w, "name", item->name);
    str_add(w->out, ", \"args\": {");
    if (item->kind == SESSION_TRACE_KERNEL) {
        str_printf(w->out, "\"id\": %" PRIu64 ", \"grid x block\": ", item->id);
    } else if (item->kind == SESSION_TRACE_CALL) {
        str_add(w->out, "\"from\": ");
    } else if (item->kind == SESSION_TRACE_RANGE) {
        str_add(w->out, "\"domain\": ");
    } else {
        double rate = (double)item->bytes / (double)(item->end_ns - item->start_ns);
        str_printf(w->out, "\"bytes\": %" PRIu64 ", \"GB/s\": %.2f, \"call\": ", item->bytes, rate);
    }
    report_json_value(report_text(item->detail), w->out);
    str_add(w->out, "}}");
}

/* The first of `most` rows that is free when the item begins. key: of their ends, in the map. */
static uint32_t free_row(struct writer *w, const struct session_trace_item *item, uint64_t key, uint32_t most)
{
    uint64_t *ends = map_get_u64(&w->lanes, key);
    if (!ends) map_set_u64(&w->lanes, key, ends = ARENA_ARRAY(&w->arena, uint64_t, most));
    uint32_t row = 0;
    while (row + 1 < most && ends[row] > item->start_ns)
        row++;
    ends[row] = item->end_ns;
    return row;
}

static uint32_t kernel_row(struct writer *w, const struct session_trace_item *item, uint32_t process)
{
    return ROW_KERNELS + free_row(w, item, (uint64_t)process << 32 | ROW_KERNELS, KERNEL_ROWS);
}

/* Branches of a graph, and kernels that kernels launched, overlap in their stream. */
static uint32_t stream_row(struct writer *w, const struct session_trace_item *item, uint32_t process)
{
    uint32_t first = ROW_STREAMS + item->stream * STREAM_ROWS;
    return first + free_row(w, item, (uint64_t)process << 32 | first, STREAM_ROWS);
}

static void trace_json_add_row(struct writer *w, const struct session_trace_item *item, uint32_t process,
                               uint32_t row, const char *title)
{
    if (is_new(w, process, row)) name(w, "thread_name", process, row, title);
    add_slice(w, item, process, row);
}

static void add_instant(struct writer *w, uint64_t ns)
{
    str_printf(w->out, ", \"ts\": %" PRIu64 ".%03u", ns / 1000, (unsigned)(ns % 1000));
}

/* From the call that asked for a launch to the launch in its stream's row. */
static void add_arrow(struct writer *w, const struct session_trace_item *item, uint32_t process, uint32_t row)
{
    if (!item->called) return;
    uint64_t number = ++w->arrows;
    begin_event(w, "s", process_number(item->process, true, 0), item->thread);
    str_printf(w->out, ", \"cat\": \"launch\", \"name\": \"launch\", \"id\": %" PRIu64, number);
    add_instant(w, item->call_ns);
    str_add(w->out, "}");
    begin_event(w, "f", process, row);
    str_printf(w->out, ", \"cat\": \"launch\", \"name\": \"launch\", \"bp\": \"e\", \"id\": %" PRIu64,
               number);
    add_instant(w, item->start_ns);
    str_add(w->out, "}");
}

static void add_counter(struct writer *w, const struct session_trace_level *level, const char *title,
                        const char *unit, double value)
{
    begin_event(w, "C", process_number(level->process, false, level->device), 0);
    str_printf(w->out, ", \"name\": \"%s\"", title);
    add_instant(w, level->at_ns);
    str_printf(w->out, ", \"args\": {\"%s\": %.3f}}", unit, value < 0 ? 0 : value);
}

static bool differs(double a, double b)
{
    return a - b > 1e-6 || b - a > 1e-6;
}

static void trace_json_add_level(void *user, const struct session_trace_level *level)
{
    struct writer *w = user;
    bool other = w->last.process != level->process || w->last.device != level->device;
    if (other) w->last = (struct session_trace_level){.process = level->process, .device = level->device};
    if (differs(w->last.dram, level->dram)) add_counter(w, level, "DRAM", "GB/s", level->dram);
    if (differs(w->last.warps, level->warps))
        add_counter(w, level, "active warps, of maximum", "%", 100 * level->warps);
    if (differs(w->last.in, level->in)) add_counter(w, level, "PCIe to the device", "GB/s", level->in);
    if (differs(w->last.out, level->out)) add_counter(w, level, "PCIe from the device", "GB/s", level->out);
    w->last = *level;
}

static void add_mark(struct writer *w, const struct session_trace_item *item, uint32_t process, uint32_t row)
{
    begin_event(w, "i", process, row);
    add_text(w, "name", item->name);
    add_instant(w, item->start_ns);
    str_add(w->out, ", \"cat\": \"nvtx\", \"s\": \"t\", \"args\": {\"domain\": ");
    report_json_value(report_text(item->detail), w->out);
    str_add(w->out, "}}");
}

static void add_range(struct writer *w, const struct session_trace_item *item, uint32_t process)
{
    char title[48];
    uint32_t row = ROW_RANGES + item->thread;
    if (item->range == EVENT_ACTIVITY_STARTED) {
        row = ROW_STARTED + free_row(w, item, (uint64_t)process << 32 | ROW_STARTED, STARTED_ROWS);
        trace_json_add_row(w, item, process, row, "ranges of NVTX");
        return;
    }
    snprintf(title, sizeof title, "ranges of host thread %u", item->thread);
    if (item->range == EVENT_ACTIVITY_PUSHED) {
        trace_json_add_row(w, item, process, row, title);
        return;
    }
    if (is_new(w, process, row)) name(w, "thread_name", process, row, title);
    add_mark(w, item, process, row);
}

static void add_item(struct writer *w, const struct session_trace_item *item)
{
    uint32_t process = process_of(w, item);
    char title[32];
    if (item->kind == SESSION_TRACE_RANGE) {
        add_range(w, item, process);
        return;
    }
    if (item->kind == SESSION_TRACE_CALL) {
        snprintf(title, sizeof title, "host thread %u", item->thread);
        trace_json_add_row(w, item, process, item->thread, title);
        return;
    }
    uint32_t stream = stream_row(w, item, process);
    snprintf(title, sizeof title, "stream %u", item->stream);
    trace_json_add_row(w, item, process, stream, title);
    if (item->kind == SESSION_TRACE_KERNEL) {
        add_arrow(w, item, process, stream);
        trace_json_add_row(w, item, process, kernel_row(w, item, process), "kernels");
    } else
        trace_json_add_row(w, item, process, ROW_ENGINES + (uint32_t)item->kind, ENGINES[item->kind]);
}

void session_trace_json(const struct session_trace *trace, struct session_trace_out *to)
{
    struct str *out = to->text;
    struct writer writer = {.trace = trace, .out = out, .to = to};
    arena_init(&writer.arena);
    str_add(out, "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"generator\": \"softwarp trace\"}, "
                 "\"traceEvents\": [");
    const struct session_trace_item *item;
    for (spill_begin(trace->items); (item = spill_next(trace->items));)
        add_item(&writer, item);
    session_trace_levels(trace, trace_json_add_level, &writer);
    str_add(out, "\n]}\n");
    map_release(&writer.named);
    map_release(&writer.lanes);
    arena_release(&writer.arena);
}
