/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a session folder back: every process-NNNNN file, in that order.
 *
 * Opening reads each record once, checks it, keeps kernels, refusals and notes, and of a launch only where it
 * stands, sorted in bounded memory (base_spill.h); launches are decoded again one at a time, in the order of
 * their ids. So memory follows the kernels, not the launches, and a page may walk over the launches twice.
 * Operations are kept when they are bounded themselves, else read again where they stand. Files stay open
 * until the reader is closed: the folder may be removed before. A file that ends inside a record is what a
 * crash leaves: the whole records before it count. A record whose checksum or contents are wrong is an error,
 * since numbers from it could not be trusted. Limits: one open file a process that recorded something. */
#include "session_reader_priv.h"

#include "event/event_nvtx.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes at an offset of a file; *got: fewer at its end. */
static bool read_at(int file, uint64_t offset, void *out, size_t bytes, size_t *got)
{
    for (*got = 0; *got < bytes;) {
        ssize_t n = pread(file, (char *)out + *got, bytes - *got, (off_t)(offset + *got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        if (n == 0) break;
        *got += (size_t)n;
    }
    return true;
}

/* ---- a window of a file: records are small, and most are read one after the other */

enum { WINDOW_BYTES = 64 << 10 };

static bool window_has(const struct session_window *w, uint64_t offset, size_t bytes)
{
    return offset >= w->offset && offset + bytes <= w->offset + w->count;
}

/* As read_at does it. */
static bool window_read(struct session_window *w, int file, uint64_t offset, void *out, size_t bytes,
                        size_t *got)
{
    if (!window_has(w, offset, bytes)) {
        if (bytes > WINDOW_BYTES) return read_at(file, offset, out, bytes, got);
        if (!w->bytes) w->bytes = sw_xmalloc(WINDOW_BYTES);
        w->offset = offset;
        w->count = 0;
        if (!read_at(file, offset, w->bytes, WINDOW_BYTES, &w->count)) return false;
    }
    size_t rest = w->count - (size_t)(offset - w->offset);
    *got = bytes < rest ? bytes : rest;
    if (*got) memcpy(out, w->bytes + (offset - w->offset), *got);
    return true;
}

void session_payload_release(struct session_payload *payload)
{
    free(payload->bytes);
    free(payload->window.bytes);
    *payload = (struct session_payload){0};
}

bool session_read_payload(int file, uint64_t offset, uint32_t bytes, struct session_payload *out, bool *whole)
{
    size_t got;
    struct stat info;
    *whole = window_has(&out->window, offset, bytes);
    if (!*whole && fstat(file, &info) != 0) return false;
    if (!*whole && offset + bytes > (uint64_t)info.st_size) return true; /* before so much is allocated */
    if (bytes > out->capacity) {
        free(out->bytes);
        out->bytes = sw_xmalloc(out->capacity = bytes);
    }
    if (!window_read(&out->window, file, offset, out->bytes, bytes, &got)) return false;
    *whole = got == bytes;
    return true;
}

static void read_kernel(struct session_file *p, struct session_cursor *cursor)
{
    uint32_t number;
    const struct event_kernel *kernel = session_decode_kernel(cursor, &number);
    if (number != p->kernels.count)
        cursor->bad = true;
    else
        *vec_push(&p->kernels) = kernel;
}

static void read_nvtx(struct session_file *p, struct session_cursor *cursor)
{
    const struct event_nvtx *nvtx = session_decode_nvtx(cursor);
    if (!cursor->bad) map_set_u64(&p->nvtx, nvtx->id, (void *)(uintptr_t)nvtx);
}

static void read_refusal(struct session_file *p, struct session_cursor *cursor)
{
    struct sw_error *e = vec_push(&p->refusals);
    memset(e, 0, sizeof *e);
    uint32_t status = session_get_u32(cursor);
    e->status = status < SW_STATUS_COUNT ? (enum sw_status)status : SW_UNKNOWN;
    e->line = session_get_u32(cursor);
    e->column = session_get_u32(cursor);
    snprintf(e->file, sizeof e->file, "%s", session_get_text(cursor));
    snprintf(e->message, sizeof e->message, "%s", session_get_text(cursor));
}

/* A launch: whole and sound, but only its position is kept. */
static void note_launch(struct session_reader *r, struct session_file *p, struct session_cursor cursor,
                        uint64_t offset, bool *bad)
{
    struct event_launch launch;
    uint32_t bytes = (uint32_t)(cursor.end - cursor.at);
    arena_clear(&r->scratch);
    cursor.arena = &r->scratch;
    struct session_known known = session_known_of(p);
    session_decode_launch(&cursor, &known, &launch);
    struct session_position position = {.id = launch.id, .offset = offset, .bytes = bytes};
    spill_add(p->launches, &position);
    p->launch_count++;
    *bad |= cursor.bad;
}

static void read_schedule(struct session_file *p, struct session_cursor *cursor)
{
    struct session_schedule schedule = {.id = session_get_u64(cursor)};
    schedule.start_ns = session_get_u64(cursor);
    schedule.end_ns = session_get_u64(cursor);
    schedule.cause_ns = session_get_u64(cursor);
    spill_add(p->schedule, &schedule);
}

const char *session_intern(struct session_reader *r, const char *text)
{
    const char *known = map_get(&r->texts, text);
    if (known) return known;
    known = arena_strdup(&r->arena, text);
    map_set(&r->texts, known, (void *)(uintptr_t)known);
    return known;
}

static void read_operation(struct session_reader *r, struct session_file *p, struct session_cursor cursor,
                           bool *bad)
{
    struct arena scratch;
    struct event_operation operation;
    arena_init(&scratch);
    cursor.arena = &scratch;
    session_decode_operation(&cursor, &operation);
    if (!cursor.bad && !r->leave_operations) {
        operation.api = session_intern(r, operation.api);
        operation.caller = session_intern(r, operation.caller);
        *vec_push(&p->operations) = operation;
    }
    *bad |= cursor.bad;
    arena_release(&scratch);
}

static void read_record(struct session_reader *r, struct session_file *p, uint32_t kind, uint64_t offset,
                        struct session_cursor *cursor)
{
    switch (kind) {
    case SESSION_PROCESS:
        p->name = session_get_text(cursor);
        p->gpu = session_get_text(cursor);
        break;
    case SESSION_KERNEL: read_kernel(p, cursor); break;
    case SESSION_LAUNCH: note_launch(r, p, *cursor, offset, &cursor->bad); break;
    case SESSION_REFUSAL: read_refusal(p, cursor); break;
    case SESSION_NOTE: *vec_push(&p->notes) = session_get_text(cursor); break;
    case SESSION_FINISH:
        p->finished = true;
        p->chosen = session_get_u64(cursor);
        break;
    case SESSION_OPERATION: read_operation(r, p, *cursor, &cursor->bad); break;
    case SESSION_SCHEDULED: read_schedule(p, cursor); break;
    case SESSION_FINDING:
        session_decode_finding(cursor, p->kernels.at, (uint32_t)p->kernels.count, vec_push(&p->findings));
        break;
    case SESSION_CONTENTS:
        session_decode_contents(cursor, p->kernels.at, (uint32_t)p->kernels.count, vec_push(&p->contents));
        break;
    case SESSION_LOOKED:
        p->looked_bytes = (uint64_t)(cursor->end - cursor->at);
        p->looked = arena_copy(&r->arena, cursor->at, p->looked_bytes);
        break;
    case SESSION_NVTX: read_nvtx(p, cursor); break;
    default: cursor->bad = true;
    }
}

enum sw_status session_io_error(const struct session_file *p, struct sw_error *error)
{
    return sw_fail(error, SW_IO, "cannot read '%s': %s", p->path, strerror(errno));
}

enum sw_status session_next_record(struct session_stream *s, bool *whole, struct sw_error *error)
{
    size_t got;
    int file = s->process->file;
    uint64_t at = s->at + sizeof s->header;
    *whole = false;
    if (!window_read(&s->payload.window, file, s->at, &s->header, sizeof s->header, &got))
        return session_io_error(s->process, error);
    if (got < sizeof s->header) return SW_OK;
    if (!session_read_payload(file, at, s->header.bytes, &s->payload, whole))
        return session_io_error(s->process, error);
    s->at = at + s->header.bytes;
    return SW_OK;
}

static enum sw_status read_records(struct session_reader *r, struct session_file *p, struct sw_error *error)
{
    char magic[SESSION_MAGIC_BYTES];
    size_t got;
    if (!read_at(p->file, 0, magic, sizeof magic, &got)) return session_io_error(p, error);
    if (got < sizeof magic) return SW_OK; /* it ended before its first record */
    if (memcmp(magic, SESSION_MAGIC, sizeof magic) != 0)
        return sw_fail(error, SW_CORRUPT, "'%s' is not a record file of this version of Softwarp", p->path);
    struct session_stream s = {.process = p, .at = sizeof magic};
    bool whole;
    enum sw_status status;
    while ((status = session_next_record(&s, &whole, error)) == SW_OK && whole) {
        uint32_t bytes = s.header.bytes;
        const uint8_t *payload = s.payload.bytes ? s.payload.bytes : (const uint8_t *)magic; /* it is empty */
        struct session_cursor cursor = {payload, payload + bytes, &r->arena, false};
        if (sw_hash_bytes(cursor.at, bytes, s.header.kind) != s.header.checksum) cursor.bad = true;
        if (!cursor.bad) read_record(r, p, s.header.kind, s.at - bytes, &cursor);
        if (cursor.bad) status = sw_fail(error, SW_CORRUPT, "'%s' holds a damaged record", p->path);
        if (cursor.bad) break;
    }
    session_payload_release(&s.payload);
    return status;
}

static int by_id(const void *a, const void *b)
{
    const struct session_position *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static int by_schedule_id(const void *a, const void *b)
{
    const struct session_schedule *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* Summaries have no place among the others. */
static int reader_by_order(const void *a, const void *b)
{
    const struct event_operation *x = a, *y = b;
    if ((x->count > 1) != (y->count > 1)) return x->count > 1 ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

static struct session_process summary_of(struct session_file *p)
{
    if (p->operations.count)
        qsort(p->operations.at, p->operations.count, sizeof *p->operations.at, reader_by_order);
    return (struct session_process){
        .name = p->name ? p->name : "",
        .gpu = p->gpu ? p->gpu : "",
        .operations = p->operations.at,
        .operation_count = (uint32_t)p->operations.count,
        .launch_count = p->launch_count,
        .refusals = p->refusals.at,
        .refusal_count = (uint32_t)p->refusals.count,
        .findings = p->findings.at,
        .finding_count = (uint32_t)p->findings.count,
        .contents = p->contents.at,
        .contents_count = (uint32_t)p->contents.count,
        .looked = p->looked,
        .looked_bytes = p->looked_bytes,
        .notes = p->notes.at,
        .note_count = (uint32_t)p->notes.count,
        .finished = p->finished,
        .cut = p->cut,
        .chosen = p->chosen,
    };
}

bool session_is_file(const char *name)
{
    return strcmp(name, SESSION_OPTIONS_FILE) == 0 || strcmp(name, SESSION_PROGRESS_FILE) == 0 ||
           sw_starts_with(name, SESSION_FILE_PREFIX);
}

static int is_record_file(const struct dirent *entry)
{
    return sw_starts_with(entry->d_name, SESSION_FILE_PREFIX);
}

static enum sw_status open_processes(struct session_reader *r, const char *folder, struct dirent **entries,
                                     uint32_t count, struct sw_error *error)
{
    struct session_process *summaries = ARENA_ARRAY(&r->arena, struct session_process, (size_t)count + 1);
    enum sw_status status = SW_OK;
    r->processes = ARENA_ARRAY(&r->arena, struct session_file, (size_t)count + 1);
    r->data.processes = summaries;
    for (uint32_t i = 0; i < count && status == SW_OK; i++) {
        struct session_file *p = &r->processes[r->data.process_count++];
        p->path = arena_printf(&r->arena, "%s/%s", folder, entries[i]->d_name);
        p->launches = spill_new(sizeof(struct session_position), by_id);
        p->schedule = spill_new(sizeof(struct session_schedule), by_schedule_id);
        p->file = open(p->path, O_RDONLY | O_CLOEXEC);
        struct stat info;
        p->cut = p->file >= 0 && fstat(p->file, &info) == 0 && (info.st_mode & 0777) == SESSION_MODE_CUT;
        status = p->file < 0 ? session_io_error(p, error) : read_records(r, p, error);
        summaries[i] = summary_of(p);
    }
    return status;
}

static enum sw_status open_session(const char *folder, bool leave_operations, struct session_reader **out,
                                   struct sw_error *error)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_record_file, alphasort);
    if (count < 0) return sw_fail(error, SW_IO, "cannot read '%s': %s", folder, strerror(errno));
    struct session_reader *r = sw_xcalloc(1, sizeof *r);
    arena_init(&r->arena);
    r->leave_operations = leave_operations;
    enum sw_status status = open_processes(r, folder, entries, (uint32_t)count, error);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    if (status == SW_OK)
        *out = r;
    else
        session_close(r);
    return status;
}

enum sw_status session_open(const char *folder, struct session_reader **out, struct sw_error *error)
{
    return open_session(folder, false, out, error);
}

enum sw_status session_open_timeline(const char *folder, struct session_reader **out, struct sw_error *error)
{
    return open_session(folder, true, out, error);
}

const struct session_data *session_reader_data(const struct session_reader *reader)
{
    return &reader->data;
}

void session_close(struct session_reader *r)
{
    if (!r) return;
    for (uint32_t i = 0; i < r->data.process_count; i++) {
        struct session_file *p = &r->processes[i];
        if (p->file >= 0) close(p->file);
        spill_free(p->launches);
        spill_free(p->schedule);
        vec_release(&p->findings);
        vec_release(&p->contents);
        vec_release(&p->refusals);
        vec_release(&p->notes);
        vec_release(&p->kernels);
        map_release(&p->nvtx);
        vec_release(&p->operations);
    }
    map_release(&r->texts);
    arena_release(&r->scratch);
    arena_release(&r->arena);
    free(r);
}
