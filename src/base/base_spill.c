/* SPDX-License-Identifier: Apache-2.0 */
/* External merge sort: runs of SPILL_RUN_BYTES are sorted in memory and written one after the other; reading
 * merges them with a heap of their first records, each run through a buffer of its own.
 *
 * So memory grows by SPILL_READ_BYTES a SPILL_RUN_BYTES of records, 1 byte in 128. Sorting goes over pointers
 * whose order breaks ties, and the heap prefers earlier runs: equal records keep their order. Limits: the
 * file lies in TMPDIR, or /tmp; what fails there is said by spill_status once, not by every call. */
#include "base/base_spill.h"

#include "base/base_arena.h"
#include "base/base_vec.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

struct run {
    uint64_t next, end; /* bytes of the file that are not in the buffer yet */
    char *buffer;
    size_t at, filled;
    size_t number;
};

struct spill {
    size_t bytes;
    spill_order order;
    VEC(char) records; /* of the run that is being filled */
    VEC(const char *) sorted;
    int file; /* -1: none yet */
    uint64_t written;
    VEC(struct run) runs;
    VEC(struct run *) heap; /* by their first records */
    size_t next;            /* of sorted, when there is no file */
    struct run *given;      /* its first record was handed out */
    int failed;             /* errno */
};

struct spill *spill_new(size_t record_bytes, spill_order order)
{
    struct spill *spill = sw_xcalloc(1, sizeof *spill);
    spill->bytes = record_bytes;
    spill->order = order;
    spill->file = -1;
    return spill;
}

static void free_buffers(struct spill *spill)
{
    for (size_t i = 0; i < spill->runs.count; i++) {
        free(spill->runs.at[i].buffer);
        spill->runs.at[i].buffer = NULL;
    }
}

void spill_free(struct spill *spill)
{
    if (!spill) return;
    free_buffers(spill);
    if (spill->file >= 0) close(spill->file);
    vec_release(&spill->records);
    vec_release(&spill->sorted);
    vec_release(&spill->runs);
    vec_release(&spill->heap);
    free(spill);
}

static int spill_by_order(const void *a, const void *b, void *user)
{
    const char *const *x = a, *const *y = b;
    const struct spill *spill = user;
    int order = spill->order(*x, *y);
    return order ? order : (*x > *y) - (*x < *y);
}

static void sort_records(struct spill *spill)
{
    vec_clear(&spill->sorted);
    for (size_t at = 0; at < spill->records.count; at += spill->bytes)
        *vec_push(&spill->sorted) = spill->records.at + at;
    if (spill->sorted.count)
        qsort_r(spill->sorted.at, spill->sorted.count, sizeof *spill->sorted.at, spill_by_order, spill);
}

static int spill_open_file(void)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/softwarp-sort-XXXXXX", folder && *folder ? folder : "/tmp");
    if (length >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int file = mkstemp(path);
    if (file >= 0) unlink(path);
    return file;
}

static bool spill_write_all(struct spill *spill, const char *bytes, size_t count)
{
    while (count) {
        ssize_t done = pwrite(spill->file, bytes, count, (off_t)spill->written);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        spill->written += (uint64_t)done;
        bytes += done;
        count -= (size_t)done;
    }
    return true;
}

/* What is in memory becomes a run of the file. */
static void write_run(struct spill *spill)
{
    VEC(char) out = {0};
    struct run run = {.next = spill->written, .number = spill->runs.count};
    sort_records(spill);
    if (spill->file < 0) spill->file = spill_open_file();
    bool done = spill->file >= 0;
    for (size_t i = 0; i < spill->sorted.count && done; i++) {
        size_t before = out.count;
        vec_reserve(&out, before + spill->bytes);
        memcpy(out.at + before, spill->sorted.at[i], spill->bytes);
        out.count += spill->bytes;
        if (out.count < SPILL_READ_BYTES && i + 1 < spill->sorted.count) continue;
        done = spill_write_all(spill, out.at, out.count);
        vec_clear(&out);
    }
    if (!done && !spill->failed) spill->failed = errno ? errno : EIO;
    run.end = spill->written;
    *vec_push(&spill->runs) = run;
    vec_release(&out);
    vec_clear(&spill->records);
}

void spill_add(struct spill *spill, const void *record)
{
    if (spill->records.count + spill->bytes > SPILL_RUN_BYTES) write_run(spill);
    size_t before = spill->records.count;
    vec_reserve(&spill->records, before + spill->bytes);
    memcpy(spill->records.at + before, record, spill->bytes);
    spill->records.count += spill->bytes;
}

/* ---- merging */

static bool spill_read_all(struct spill *spill, char *out, size_t count, uint64_t from)
{
    while (count) {
        ssize_t done = pread(spill->file, out, count, (off_t)from);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        out += done;
        from += (uint64_t)done;
        count -= (size_t)done;
    }
    return true;
}

/* false: the run is at its end. */
static bool spill_fill(struct spill *spill, struct run *run)
{
    if (run->at < run->filled) return true;
    size_t capacity = SPILL_READ_BYTES - SPILL_READ_BYTES % spill->bytes;
    if (capacity < spill->bytes) capacity = spill->bytes;
    uint64_t left = run->end - run->next;
    run->at = 0;
    run->filled = left < capacity ? (size_t)left : capacity;
    if (!run->filled) return false;
    if (!run->buffer) run->buffer = sw_xmalloc(capacity);
    if (!spill_read_all(spill, run->buffer, run->filled, run->next)) {
        if (!spill->failed) spill->failed = errno ? errno : EIO;
        return false;
    }
    run->next += run->filled;
    return true;
}

static bool is_before(const struct spill *spill, const struct run *a, const struct run *b)
{
    int order = spill->order(a->buffer + a->at, b->buffer + b->at);
    return order ? order < 0 : a->number < b->number;
}

static void sink(struct spill *spill, size_t i)
{
    struct run **heap = spill->heap.at;
    for (size_t child; (child = 2 * i + 1) < spill->heap.count; i = child) {
        if (child + 1 < spill->heap.count && is_before(spill, heap[child + 1], heap[child])) child++;
        if (!is_before(spill, heap[child], heap[i])) return;
        struct run *up = heap[child];
        heap[child] = heap[i];
        heap[i] = up;
    }
}

static void begin_merge(struct spill *spill)
{
    uint64_t at = 0;
    vec_clear(&spill->heap);
    for (size_t i = 0; i < spill->runs.count; i++) {
        struct run *run = &spill->runs.at[i];
        run->next = at;
        at = run->end;
        run->at = run->filled = 0;
        if (spill_fill(spill, run)) *vec_push(&spill->heap) = run;
    }
    for (size_t i = spill->heap.count / 2; i-- > 0;)
        sink(spill, i);
}

void spill_begin(struct spill *spill)
{
    spill->next = 0;
    spill->given = NULL;
    if (!spill->runs.count) {
        sort_records(spill);
        return;
    }
    if (spill->records.count) {
        write_run(spill);
        vec_release(&spill->records);
        vec_release(&spill->sorted);
    }
    begin_merge(spill);
}

/* Past the record that was handed out: its buffer is kept until then. */
static void pass_given(struct spill *spill)
{
    struct run *run = spill->given;
    if (!run) return;
    spill->given = NULL;
    run->at += spill->bytes;
    if (!spill_fill(spill, run)) spill->heap.at[0] = spill->heap.at[--spill->heap.count];
    if (spill->heap.count) sink(spill, 0);
}

const void *spill_peek(struct spill *spill)
{
    if (spill->failed) return NULL;
    if (!spill->runs.count) return spill->next < spill->sorted.count ? spill->sorted.at[spill->next] : NULL;
    pass_given(spill);
    if (spill->failed || !spill->heap.count) return NULL;
    const struct run *run = spill->heap.at[0];
    return run->buffer + run->at;
}

const void *spill_next(struct spill *spill)
{
    const void *record = spill_peek(spill);
    if (!record) return NULL;
    if (spill->runs.count)
        spill->given = spill->heap.at[0];
    else
        spill->next++;
    return record;
}

enum sw_status spill_status(const struct spill *spill, struct sw_error *error)
{
    if (!spill->failed) return SW_OK;
    return sw_fail(error, SW_IO, "cannot keep records in a temporary file: %s", strerror(spill->failed));
}
