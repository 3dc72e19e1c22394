/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a session folder back: every process-NNNNN file, in that order, record by record.
 *
 * A file that ends inside a record is what a crash leaves: the whole records before it count. A record whose
 * checksum or contents are wrong is an error, since numbers from it could not be trusted. Limits: files are
 * read whole into memory. */
#include "session_priv.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct arena *arena;
    VEC(struct event_launch) launches;
    VEC(struct sw_error) refusals;
    VEC(const char *) notes;
    VEC(const struct event_kernel *) kernels;
    const char *name;
    bool finished;
};

static void read_kernel(struct reader *r, struct session_cursor *cursor)
{
    uint32_t number;
    const struct event_kernel *kernel = session_decode_kernel(cursor, &number);
    if (number != r->kernels.count)
        cursor->bad = true;
    else
        *vec_push(&r->kernels) = kernel;
}

static void read_refusal(struct reader *r, struct session_cursor *cursor)
{
    struct sw_error *e = vec_push(&r->refusals);
    memset(e, 0, sizeof *e);
    uint32_t status = session_get_u32(cursor);
    e->status = status < SW_STATUS_COUNT ? (enum sw_status)status : SW_UNKNOWN;
    e->line = session_get_u32(cursor);
    e->column = session_get_u32(cursor);
    snprintf(e->file, sizeof e->file, "%s", session_get_text(cursor));
    snprintf(e->message, sizeof e->message, "%s", session_get_text(cursor));
}

static void read_record(struct reader *r, uint32_t kind, struct session_cursor *cursor)
{
    switch (kind) {
    case SESSION_PROCESS: r->name = session_get_text(cursor); break;
    case SESSION_KERNEL: read_kernel(r, cursor); break;
    case SESSION_LAUNCH:
        session_decode_launch(cursor, r->kernels.at, (uint32_t)r->kernels.count, vec_push(&r->launches));
        break;
    case SESSION_REFUSAL: read_refusal(r, cursor); break;
    case SESSION_NOTE: *vec_push(&r->notes) = session_get_text(cursor); break;
    case SESSION_FINISH: r->finished = true; break;
    default: cursor->bad = true;
    }
}

static enum sw_status read_records(struct reader *r, const char *path, const uint8_t *at, size_t bytes,
                                   struct sw_error *error)
{
    const uint8_t *end = at + bytes;
    if (bytes < SESSION_MAGIC_BYTES) return SW_OK; /* it ended before its first record */
    if (memcmp(at, SESSION_MAGIC, SESSION_MAGIC_BYTES) != 0)
        return sw_fail(error, SW_CORRUPT, "'%s' is not a record file of this version of Softwarp", path);
    at += SESSION_MAGIC_BYTES;
    struct session_header header;
    while ((size_t)(end - at) >= sizeof header) {
        memcpy(&header, at, sizeof header);
        at += sizeof header;
        if ((size_t)(end - at) < header.bytes) break;
        struct session_cursor cursor = {at, at + header.bytes, r->arena, false};
        at += header.bytes;
        if (sw_hash_bytes(cursor.at, header.bytes, header.kind) != header.checksum) cursor.bad = true;
        if (!cursor.bad) read_record(r, header.kind, &cursor);
        if (cursor.bad) return sw_fail(error, SW_CORRUPT, "'%s' holds a damaged record", path);
    }
    return SW_OK;
}

static bool read_file(const char *path, struct str *out)
{
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    char block[65536];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        str_add_bytes(out, block, n);
    bool ok = !ferror(file);
    fclose(file);
    return ok;
}

static int by_id(const void *a, const void *b)
{
    const struct event_launch *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static void keep(struct reader *r, struct session_process *out)
{
    struct event_launch *launches = r->launches.at;
    uint32_t count = (uint32_t)r->launches.count;
    if (count) qsort(launches, count, sizeof *launches, by_id);
    out->name = r->name ? r->name : "";
    out->finished = r->finished;
    out->launch_count = count;
    out->refusal_count = (uint32_t)r->refusals.count;
    out->note_count = (uint32_t)r->notes.count;
    out->launches = arena_copy(r->arena, launches, sizeof *launches * count);
    out->refusals = arena_copy(r->arena, r->refusals.at, sizeof *r->refusals.at * r->refusals.count);
    out->notes = arena_copy(r->arena, r->notes.at, sizeof *r->notes.at * r->notes.count);
}

static enum sw_status load_process(const char *path, struct arena *arena, struct session_process *out,
                                   struct sw_error *error)
{
    struct str bytes = {0};
    struct reader r = {.arena = arena};
    enum sw_status status =
        read_file(path, &bytes)
            ? read_records(&r, path, (const uint8_t *)str_text(&bytes), bytes.length, error)
            : sw_fail(error, SW_IO, "cannot read '%s': %s", path, strerror(errno));
    if (status == SW_OK) keep(&r, out);
    vec_release(&r.launches);
    vec_release(&r.refusals);
    vec_release(&r.notes);
    vec_release(&r.kernels);
    str_release(&bytes);
    return status;
}

static int is_record_file(const struct dirent *entry)
{
    return sw_starts_with(entry->d_name, SESSION_FILE_PREFIX);
}

enum sw_status session_load(const char *folder, struct arena *arena, struct session_data *out,
                            struct sw_error *error)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_record_file, alphasort);
    if (count < 0) return sw_fail(error, SW_IO, "cannot read '%s': %s", folder, strerror(errno));
    struct session_process *processes = ARENA_ARRAY(arena, struct session_process, (size_t)count + 1);
    enum sw_status status = SW_OK;
    for (int i = 0; i < count; i++) {
        const char *path = arena_printf(arena, "%s/%s", folder, entries[i]->d_name);
        if (status == SW_OK) status = load_process(path, arena, &processes[i], error);
        free(entries[i]);
    }
    free(entries);
    if (status == SW_OK) *out = (struct session_data){processes, (uint32_t)count};
    return status;
}
