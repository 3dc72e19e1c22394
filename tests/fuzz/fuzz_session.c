/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the record file of a process, read back as the tools do: every page of a profile, findings,
 * and the timeline. Checksums of whole records are set right before, since they keep out no program that
 * writes its own records; mutants have one payload changed. */
#include "fuzz_input.h"

#include "check/check.h"
#include "prof/prof.h"
#include "session/session_trace.h"
#include "session_priv.h"

#include <stdlib.h>
#include <string.h>

/* The record at an offset, where a whole one is. */
static bool record_at(const uint8_t *data, size_t bytes, size_t at, struct session_header *header)
{
    if (at > bytes || bytes - at < sizeof *header) return false;
    memcpy(header, data + at, sizeof *header);
    return header->bytes <= bytes - at - sizeof *header;
}

static void set_checksums(uint8_t *data, size_t bytes)
{
    struct session_header header;
    for (size_t at = SESSION_MAGIC_BYTES; record_at(data, bytes, at, &header);
         at += sizeof header + header.bytes) {
        header.checksum = sw_hash_bytes(data + at + sizeof header, header.bytes, header.kind);
        memcpy(data + at, &header, sizeof header);
    }
}

/* ---- pages of a profile */

struct walk {
    struct prof_pages *pages;
    struct arch_gpu gpu;
    struct arena arena;
    struct str out;
    bool writes;
};

static enum sw_status visit(void *user, const struct session_process *process, const struct event_launch *l,
                            struct sw_error *error)
{
    struct walk *walk = user;
    struct prof_launch launch;
    (void)error;
    prof_launch_init(&launch, l, process->name, session_demangle(&walk->arena, l->kernel->name), &walk->gpu,
                     arch_cc_find(walk->gpu.cc_major, walk->gpu.cc_minor));
    if (walk->writes)
        prof_pages_launch(walk->pages, &launch, &walk->out);
    else
        prof_pages_see(walk->pages, &launch);
    return SW_OK;
}

static const struct arch_gpu *any_gpu(void)
{
    static struct arch_gpu gpu;
    struct sw_error error;
    if (!gpu.cc_major && arch_gpu_load(SW_SOURCE_DIR "/gpus/h200.ini", &gpu, &error) != SW_OK)
        BUG("%s", error.message);
    return &gpu;
}

static void write_pages(struct session_reader *reader, const struct prof_pages_options *options)
{
    struct walk walk = {.pages = prof_pages_new(options), .gpu = *any_gpu()};
    const struct session_data *data = session_reader_data(reader);
    struct sw_error error;
    arena_init(&walk.arena);
    if (session_each_launch(reader, visit, &walk, &error) == SW_OK) {
        for (uint32_t i = 0; i < data->process_count; i++) {
            const struct session_process *p = &data->processes[i];
            const struct prof_process process = {p->name, &walk.gpu, p->operations, p->operation_count};
            prof_pages_process(walk.pages, &process);
        }
        walk.writes = true;
        prof_pages_begin(walk.pages, &walk.out);
        (void)session_each_launch(reader, visit, &walk, &error);
        prof_pages_end(walk.pages, &walk.out);
    }
    prof_pages_free(walk.pages);
    str_release(&walk.out);
    arena_release(&walk.arena);
}

/* which: 0 to 5. */
static void write_profile(struct session_reader *reader, unsigned which)
{
    static const struct {
        enum prof_page page;
        enum prof_format format;
    } PAGES[] = {{PROF_PAGE_DETAILS, PROF_TEXT}, {PROF_PAGE_RAW, PROF_CSV},
                 {PROF_PAGE_SOURCE, PROF_TEXT},  {PROF_PAGE_ADVICE, PROF_TEXT},
                 {PROF_PAGE_DETAILS, PROF_JSON}, {PROF_PAGE_DETAILS, PROF_HTML}};
    uint32_t *metrics = sw_xcalloc(prof_metric_count(), sizeof *metrics);
    for (uint32_t i = 0; i < prof_metric_count(); i++)
        metrics[i] = i;
    const struct prof_pages_options options = {.page = PAGES[which].page,
                                               .format = PAGES[which].format,
                                               .selection = {metrics, prof_metric_count(), false},
                                               .summary = PAGES[which].format == PROF_TEXT,
                                               .instructions = true,
                                               .version = "0"};
    write_pages(reader, &options);
    free(metrics);
}

/* ---- findings and the timeline */

static const char *demangle(struct arena *arena, const char *name)
{
    return session_demangle(arena, name);
}

static void write_findings(const struct session_data *data)
{
    const struct check_options options = {.tools = 15, .version = "0", .demangle = demangle};
    const struct check_run run = {.complete = true};
    struct check_report *report = check_report_new(&options);
    struct str out = {0};
    for (uint32_t p = 0; p < data->process_count; p++)
        for (uint32_t i = 0; i < data->processes[p].finding_count; i++)
            check_report_add(report, data->processes[p].name, &data->processes[p].findings[i]);
    check_write_text(report, &run, &out);
    check_write_json(report, &run, &out);
    check_write_sarif(report, &run, &out);
    check_report_free(report);
    str_release(&out);
}

static void flush(void *user)
{
    str_clear(user);
}

static void write_timeline(const char *folder)
{
    struct session_reader *reader;
    struct session_trace trace = {0};
    struct sw_error error;
    struct str text = {0};
    if (session_open_timeline(folder, &reader, &error) != SW_OK) return;
    if (session_trace_read(reader, &trace, &error) == SW_OK) {
        struct session_trace_out out = {.text = &text, .flush = flush, .user = &text};
        session_trace_json(&trace, &out);
        session_trace_summary(&trace, &text);
    }
    session_trace_release(&trace);
    session_close(reader);
    str_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct session_reader *reader;
    struct sw_error error;
    uint8_t *copy = (uint8_t *)fuzz_text(data, bytes);
    unsigned which = (unsigned)(sw_hash_bytes(data, bytes, 1) % 8);
    set_checksums(copy, bytes);
    const char *folder = fuzz_folder(SESSION_FILE_PREFIX "00000", copy, bytes);
    free(copy);
    if (session_open(folder, &reader, &error) != SW_OK) return 0;
    fuzz_accepted++;
    if (which < 6) write_profile(reader, which);
    if (which == 6) write_findings(session_reader_data(reader));
    session_close(reader);
    if (which == 7) write_timeline(folder);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t most, unsigned seed)
{
    struct session_header header;
    size_t at = SESSION_MAGIC_BYTES, room = most > bytes ? most - bytes : 0;
    unsigned count = 0, chosen;
    for (; record_at(data, bytes, at, &header); at += sizeof header + header.bytes)
        count++;
    if (!count || seed % 8 == 0) return LLVMFuzzerMutate(data, bytes, most);
    at = SESSION_MAGIC_BYTES;
    for (chosen = seed / 8 % count; record_at(data, bytes, at, &header) && chosen; chosen--)
        at += sizeof header + header.bytes;
    if (!header.bytes && !room)
        return LLVMFuzzerMutate(data, bytes, most); /* it writes a byte, however little room */
    size_t from = at + sizeof header, behind = from + header.bytes, rest = bytes - behind;
    uint8_t *tail = (uint8_t *)fuzz_text(data + behind, rest);
    header.bytes = (uint32_t)LLVMFuzzerMutate(data + from, header.bytes, header.bytes + room);
    memcpy(data + at, &header, sizeof header);
    memcpy(data + from + header.bytes, tail, rest);
    free(tail);
    return from + header.bytes + rest;
}
