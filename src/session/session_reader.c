/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a session folder back: every process-NNNNN file, in that order.
 *
 * Opening reads each record once, checks it, keeps kernels, refusals and notes, and of a launch only where it
 * stands; launches are decoded again one at a time, in the order of their ids. So memory follows the kernels,
 * not the launches, and a page may walk over the launches twice. Files stay open until the reader is closed:
 * the folder may be removed before. A file that ends inside a record is what a crash leaves: the whole
 * records before it count. A record whose checksum or contents are wrong is an error, since numbers from it
 * could not be trusted. Limits: one open file a process that recorded something. */
#include "session_priv.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where a launch's record stands. */
struct place {
    uint64_t id, offset; /* of its payload */
    uint32_t bytes;
    uint64_t start_ns, end_ns, cause_ns; /* by the virtual clock; 0: not placed */
};

struct process {
    int file; /* -1: none, or closed */
    const char *path;
    VEC(struct place) launches, placed; /* placed: only ids and times */
    VEC(struct sw_error) refusals;
    VEC(const char *) notes;
    VEC(const struct event_kernel *) kernels;
    VEC(struct event_operation) operations;
    const char *name, *gpu;
    bool finished;
};

struct session_reader {
    struct arena arena; /* kernels, refusals, notes, names */
    struct process *processes;
    struct session_data data;
};

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

struct payload {
    uint8_t *bytes;
    size_t room;
};

/* The payload at an offset; *whole false: the file ends before. */
static bool read_payload(int file, uint64_t offset, uint32_t bytes, struct payload *out, bool *whole)
{
    size_t got;
    struct stat info;
    if (fstat(file, &info) != 0) return false;
    *whole = offset + bytes <= (uint64_t)info.st_size;
    if (!*whole) return true;
    if (bytes > out->room) {
        free(out->bytes);
        out->bytes = sw_xmalloc(out->room = bytes);
    }
    if (!read_at(file, offset, out->bytes, bytes, &got)) return false;
    *whole = got == bytes;
    return true;
}

static void read_kernel(struct process *p, struct session_cursor *cursor)
{
    uint32_t number;
    const struct event_kernel *kernel = session_decode_kernel(cursor, &number);
    if (number != p->kernels.count)
        cursor->bad = true;
    else
        *vec_push(&p->kernels) = kernel;
}

static void read_refusal(struct process *p, struct session_cursor *cursor)
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

/* A launch: whole and sound, but only its place is kept. */
static void note_launch(struct process *p, struct session_cursor cursor, uint64_t offset, bool *bad)
{
    struct event_launch launch;
    struct arena scratch;
    uint32_t bytes = (uint32_t)(cursor.end - cursor.at);
    arena_init(&scratch);
    cursor.arena = &scratch;
    session_decode_launch(&cursor, p->kernels.at, (uint32_t)p->kernels.count, &launch);
    *vec_push(&p->launches) = (struct place){.id = launch.id, .offset = offset, .bytes = bytes};
    *bad |= cursor.bad;
    arena_release(&scratch);
}

static void read_placed(struct process *p, struct session_cursor *cursor)
{
    struct place *placed = vec_push(&p->placed);
    *placed = (struct place){.id = session_get_u64(cursor)};
    placed->start_ns = session_get_u64(cursor);
    placed->end_ns = session_get_u64(cursor);
    placed->cause_ns = session_get_u64(cursor);
}

static void read_record(struct process *p, uint32_t kind, uint64_t offset, struct session_cursor *cursor)
{
    switch (kind) {
    case SESSION_PROCESS:
        p->name = session_get_text(cursor);
        p->gpu = session_get_text(cursor);
        break;
    case SESSION_KERNEL: read_kernel(p, cursor); break;
    case SESSION_LAUNCH: note_launch(p, *cursor, offset, &cursor->bad); break;
    case SESSION_REFUSAL: read_refusal(p, cursor); break;
    case SESSION_NOTE: *vec_push(&p->notes) = session_get_text(cursor); break;
    case SESSION_FINISH: p->finished = true; break;
    case SESSION_OPERATION: session_decode_operation(cursor, vec_push(&p->operations)); break;
    case SESSION_PLACED: read_placed(p, cursor); break;
    default: cursor->bad = true;
    }
}

static enum sw_status io_error(const struct process *p, struct sw_error *error)
{
    return sw_fail(error, SW_IO, "cannot read '%s': %s", p->path, strerror(errno));
}

static enum sw_status read_records(struct process *p, struct arena *arena, struct payload *payload,
                                   struct sw_error *error)
{
    char magic[SESSION_MAGIC_BYTES];
    struct session_header header;
    size_t got;
    if (!read_at(p->file, 0, magic, sizeof magic, &got)) return io_error(p, error);
    if (got < sizeof magic) return SW_OK; /* it ended before its first record */
    if (memcmp(magic, SESSION_MAGIC, sizeof magic) != 0)
        return sw_fail(error, SW_CORRUPT, "'%s' is not a record file of this version of Softwarp", p->path);
    for (uint64_t at = sizeof magic;; at += header.bytes) {
        bool whole;
        if (!read_at(p->file, at, &header, sizeof header, &got)) return io_error(p, error);
        if (got < sizeof header) return SW_OK;
        at += sizeof header;
        if (!read_payload(p->file, at, header.bytes, payload, &whole)) return io_error(p, error);
        if (!whole) return SW_OK;
        struct session_cursor cursor = {payload->bytes, payload->bytes + header.bytes, arena, false};
        if (sw_hash_bytes(cursor.at, header.bytes, header.kind) != header.checksum) cursor.bad = true;
        if (!cursor.bad) read_record(p, header.kind, at, &cursor);
        if (cursor.bad) return sw_fail(error, SW_CORRUPT, "'%s' holds a damaged record", p->path);
    }
}

static int by_id(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Summaries have no place among the others. */
static int by_order(const void *a, const void *b)
{
    const struct event_operation *x = a, *y = b;
    if ((x->count > 1) != (y->count > 1)) return x->count > 1 ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Launches know their places; both sorted by id. */
static void join_places(struct process *p)
{
    if (p->launches.count) qsort(p->launches.at, p->launches.count, sizeof *p->launches.at, by_id);
    if (p->placed.count) qsort(p->placed.at, p->placed.count, sizeof *p->placed.at, by_id);
    for (size_t i = 0, k = 0; i < p->launches.count && k < p->placed.count;) {
        struct place *launch = &p->launches.at[i];
        const struct place *placed = &p->placed.at[k];
        if (launch->id == placed->id) {
            launch->start_ns = placed->start_ns;
            launch->end_ns = placed->end_ns;
            launch->cause_ns = placed->cause_ns;
        }
        i += launch->id <= placed->id;
        k += placed->id <= launch->id;
    }
    vec_release(&p->placed);
}

static struct session_process summary_of(struct process *p)
{
    if (p->operations.count) qsort(p->operations.at, p->operations.count, sizeof *p->operations.at, by_order);
    join_places(p);
    return (struct session_process){
        .name = p->name ? p->name : "",
        .gpu = p->gpu ? p->gpu : "",
        .operations = p->operations.at,
        .operation_count = (uint32_t)p->operations.count,
        .launch_count = (uint32_t)p->launches.count,
        .refusals = p->refusals.at,
        .refusal_count = (uint32_t)p->refusals.count,
        .notes = p->notes.at,
        .note_count = (uint32_t)p->notes.count,
        .finished = p->finished,
    };
}

static int is_record_file(const struct dirent *entry)
{
    return sw_starts_with(entry->d_name, SESSION_FILE_PREFIX);
}

static enum sw_status open_processes(struct session_reader *r, const char *folder, struct dirent **entries,
                                     uint32_t count, struct sw_error *error)
{
    struct session_process *summaries = ARENA_ARRAY(&r->arena, struct session_process, (size_t)count + 1);
    struct payload payload = {0};
    enum sw_status status = SW_OK;
    r->processes = ARENA_ARRAY(&r->arena, struct process, (size_t)count + 1);
    r->data.processes = summaries;
    for (uint32_t i = 0; i < count && status == SW_OK; i++) {
        struct process *p = &r->processes[r->data.process_count++];
        p->path = arena_printf(&r->arena, "%s/%s", folder, entries[i]->d_name);
        p->file = open(p->path, O_RDONLY | O_CLOEXEC);
        status = p->file < 0 ? io_error(p, error) : read_records(p, &r->arena, &payload, error);
        summaries[i] = summary_of(p);
    }
    free(payload.bytes);
    return status;
}

enum sw_status session_open(const char *folder, struct session_reader **out, struct sw_error *error)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_record_file, alphasort);
    if (count < 0) return sw_fail(error, SW_IO, "cannot read '%s': %s", folder, strerror(errno));
    struct session_reader *r = sw_xcalloc(1, sizeof *r);
    arena_init(&r->arena);
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

const struct session_data *session_reader_data(const struct session_reader *reader)
{
    return &reader->data;
}

void session_close(struct session_reader *r)
{
    if (!r) return;
    for (uint32_t i = 0; i < r->data.process_count; i++) {
        struct process *p = &r->processes[i];
        if (p->file >= 0) close(p->file);
        vec_release(&p->launches);
        vec_release(&p->refusals);
        vec_release(&p->notes);
        vec_release(&p->kernels);
        vec_release(&p->operations);
    }
    arena_release(&r->arena);
    free(r);
}

uint64_t session_launch_cause(const struct session_reader *r, const struct session_process *process,
                              uint64_t id)
{
    const struct process *p = &r->processes[process - r->data.processes];
    size_t low = 0, high = p->launches.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->launches.at[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->launches.count && p->launches.at[low].id == id ? p->launches.at[low].cause_ns : 0;
}

static enum sw_status decode(const struct process *p, const struct place *place, struct payload *payload,
                             struct arena *arena, struct event_launch *out, struct sw_error *error)
{
    bool whole;
    if (!read_payload(p->file, place->offset, place->bytes, payload, &whole)) return io_error(p, error);
    struct session_cursor cursor = {payload->bytes, payload->bytes + place->bytes, arena, !whole};
    if (whole) session_decode_launch(&cursor, p->kernels.at, (uint32_t)p->kernels.count, out);
    if (cursor.bad) return sw_fail(error, SW_CORRUPT, "'%s' changed while it was read", p->path);
    if (place->end_ns) {
        out->start_ns = place->start_ns;
        out->end_ns = place->end_ns;
    }
    return SW_OK;
}

static enum sw_status visit_one(struct session_reader *r, uint32_t process, const struct place *place,
                                struct payload *payload, session_visit visit, void *user,
                                struct sw_error *error)
{
    struct arena scratch;
    struct event_launch launch;
    arena_init(&scratch);
    enum sw_status status = decode(&r->processes[process], place, payload, &scratch, &launch, error);
    if (status == SW_OK) status = visit(user, &r->data.processes[process], &launch, error);
    arena_release(&scratch);
    return status;
}

enum sw_status session_each_launch(struct session_reader *r, session_visit visit, void *user,
                                   struct sw_error *error)
{
    struct payload payload = {0};
    enum sw_status status = SW_OK;
    for (uint32_t i = 0; i < r->data.process_count; i++)
        for (size_t n = 0; n < r->processes[i].launches.count && status == SW_OK; n++)
            status = visit_one(r, i, &r->processes[i].launches.at[n], &payload, visit, user, error);
    free(payload.bytes);
    return status;
}
