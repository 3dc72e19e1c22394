/* SPDX-License-Identifier: Apache-2.0 */
/* What reading a session folder (session_reader.c) and going over it (session_visit.c) share. */
#ifndef SESSION_READER_PRIV_H
#define SESSION_READER_PRIV_H

#include "session_priv.h"

#include "base/base_spill.h"

/* Where a launch's record stands. */
struct session_position {
    uint64_t id, offset; /* of its payload */
    uint32_t bytes;
};
/* Its times on the virtual clock. */
struct session_schedule {
    uint64_t id, start_ns, end_ns, cause_ns;
};

struct session_file {
    int file; /* -1: none, or closed */
    const char *path;
    struct spill *launches, *schedule; /* struct session_position, struct session_schedule, by id */
    uint32_t launch_count;
    VEC(struct sw_error) refusals;
    VEC(const char *) notes;
    VEC(struct event_finding) findings;
    VEC(struct session_contents) contents;
    const uint8_t *looked;
    uint64_t looked_bytes;
    VEC(const struct event_kernel *) kernels;
    struct map nvtx; /* struct event_nvtx, by id */
    VEC(struct event_operation) operations;
    const char *name, *gpu;
    bool finished, cut;
    uint64_t chosen;
};

static inline struct session_known session_known_of(const struct session_file *p)
{
    return (struct session_known){p->kernels.at, (uint32_t)p->kernels.count, &p->nvtx};
}

struct session_reader {
    struct arena arena;   /* kernels, refusals, notes, names */
    struct arena scratch; /* of one record */
    struct map texts;     /* of operations: many have the same */
    bool leave_operations;
    uint64_t cause_ns; /* of the launch that is visited */
    struct session_file *processes;
    struct session_data data;
};

struct session_window { /* what was read of a file at once */
    uint8_t *bytes;
    uint64_t offset;
    size_t count;
};
struct session_payload {
    uint8_t *bytes;
    size_t capacity;
    struct session_window window;
};
void session_payload_release(struct session_payload *payload);
struct session_stream {
    const struct session_file *process;
    uint64_t at; /* of its header */
    struct session_header header;
    struct session_payload payload;
};
/* The next record of a file; *whole false: there is none that is. */
enum sw_status session_next_record(struct session_stream *s, bool *whole, struct sw_error *error);
/* The payload at an offset; *whole false: the file ends before. */
bool session_read_payload(int file, uint64_t offset, uint32_t bytes, struct session_payload *out,
                          bool *whole);
enum sw_status session_io_error(const struct session_file *p, struct sw_error *error);
const char *session_intern(struct session_reader *r, const char *text);
#endif
