/* SPDX-License-Identifier: Apache-2.0 */
/* A timeline in Chrome's trace-event format ("Trace Event Format", docs.google.com/document/d/1CvAClvFfyA5R-
 * PhYUmn5OOQtYMH4h6I0nSsKchNAySU): complete events ("X") in microseconds, and names of rows ("M").
 *
 *   process of the trace      rows
 *   PROGRAM                   one a host thread: calls
 *   PROGRAM: device N (GPU)   one a stream, one a copy engine, as many for kernels as run at once
 *
 * Every copy and kernel stands in its stream's row and in its engine's. Limits: rows of kernels hold what
 * does not overlap, first come first served. */
#include "session/session_trace.h"

#include "report/report.h"

#include <inttypes.h>
#include <string.h>

/* Numbers of rows, which viewers sort by. */
enum { ROW_STREAMS = 1, ROW_ENGINES = 100000, ROW_KERNELS = 100010, KERNEL_ROWS = 128 };
enum { DEVICES_MOST = 64 }; /* of a process: numbers of the trace's processes */

static const char *const ENGINES[] = {[SESSION_TRACE_IN] = "copy engine: to the device",
                                      [SESSION_TRACE_OUT] = "copy engine: from the device",
                                      [SESSION_TRACE_INSIDE] = "copies and fills inside the device",
                                      [SESSION_TRACE_PEER] = "copies between devices"};

struct writer {
    const struct session_trace *trace;
    struct str *out;
    struct map named; /* rows that have a name, by process and row */
    struct map
        lanes; /* by process of the trace: uint64_t[KERNEL_ROWS], ends of the last kernel of each row */
    struct arena arena;
    bool any;
};

static void begin_event(struct writer *w, const char *phase, uint32_t process, uint32_t row)
{
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

static uint32_t process_of(struct writer *w, const struct session_trace_item *item)
{
    bool calls = item->kind == SESSION_TRACE_CALL;
    const struct session_trace *trace = w->trace;
    uint32_t process = 1 + item->process * DEVICES_MOST + (calls ? 0 : 1 + item->device);
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
    static const char *const CATEGORIES[] = {"kernel", "copy", "copy", "copy", "copy", "call"};
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
    } else {
        double rate = (double)item->bytes / (double)(item->end_ns - item->start_ns);
        str_printf(w->out, "\"bytes\": %" PRIu64 ", \"GB/s\": %.2f, \"call\": ", item->bytes, rate);
    }
    report_json_value(report_text(item->detail), w->out);
    str_add(w->out, "}}");
}

/* The first row of kernels that is free when this one begins. */
static uint32_t kernel_row(struct writer *w, const struct session_trace_item *item, uint32_t process)
{
    uint64_t *ends = map_get_u64(&w->lanes, process + 1ull);
    if (!ends) map_set_u64(&w->lanes, process + 1ull, ends = ARENA_ARRAY(&w->arena, uint64_t, KERNEL_ROWS));
    uint32_t row = 0;
    while (row + 1 < KERNEL_ROWS && ends[row] > item->start_ns)
        row++;
    ends[row] = item->end_ns;
    return ROW_KERNELS + row;
}

static void add_row(struct writer *w, const struct session_trace_item *item, uint32_t process, uint32_t row,
                    const char *title)
{
    if (is_new(w, process, row)) name(w, "thread_name", process, row, title);
    add_slice(w, item, process, row);
}

static void add_item(struct writer *w, const struct session_trace_item *item)
{
    uint32_t process = process_of(w, item);
    if (item->kind == SESSION_TRACE_CALL) {
        add_row(w, item, process, item->thread, arena_printf(&w->arena, "host thread %u", item->thread));
        return;
    }
    add_row(w, item, process, ROW_STREAMS + item->stream, arena_printf(&w->arena, "stream %u", item->stream));
    if (item->kind == SESSION_TRACE_KERNEL)
        add_row(w, item, process, kernel_row(w, item, process), "kernels");
    else
        add_row(w, item, process, ROW_ENGINES + (uint32_t)item->kind, ENGINES[item->kind]);
}

void session_trace_json(const struct session_trace *trace, struct str *out)
{
    struct writer writer = {.trace = trace, .out = out};
    arena_init(&writer.arena);
    str_add(out, "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"generator\": \"softwarp trace\"}, "
                 "\"traceEvents\": [");
    for (size_t i = 0; i < trace->items.count; i++)
        add_item(&writer, &trace->items.at[i]);
    str_add(out, "\n]}\n");
    map_release(&writer.named);
    map_release(&writer.lanes);
    arena_release(&writer.arena);
}
