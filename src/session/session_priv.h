/* SPDX-License-Identifier: Apache-2.0 */
/* The record file of a process: "SWREC023", then records. */
#ifndef SESSION_PRIV_H
#define SESSION_PRIV_H

#include "event/event_kernel.h"
#include "event/event_memory.h"
#include "event/event_request.h"
#include "event/event_time.h"
#include "session/session.h"

#include <inttypes.h>
#include <regex.h>

#define SESSION_MAGIC         "SWREC023" /* the digits are the version */
#define SESSION_MAGIC_BYTES   8u
#define SESSION_FILE_PREFIX   "process-"
#define SESSION_MODE          0600 /* of such a file */
#define SESSION_MODE_CUT      0400 /* ... when later records found no place */
#define SESSION_OPTIONS_FILE  "options"
#define SESSION_PROGRESS_FILE "progress"

/* ---- session_progress.c: what the tools write. -1: nobody wants to know. */
int session_progress_open(const char *folder);
void session_progress_write(int file, uint64_t launches, const char *kernel, bool ended);

/* ---- session_name.c */
/* The first few different texts, as a list for people. {0}: none yet. */
struct session_some {
    struct map texts;
    struct str list;
};
void session_some_add(struct session_some *some, const char *text, struct arena *arena);

/* ---- session_choice.c */
struct session_choice {
    const struct session_options *options;
    struct arena *arena;
    regex_t kernel, without_kernel, invocation;
    uint64_t matches;           /* launches whose kernel's name matched, */
    uint64_t invoked;           /* those of them that the invocation matched, */
    uint64_t chosen;            /* and those that were neither skipped nor too many */
    struct map invocations;     /* function: uint64_t, launches of it so far */
    struct session_some others; /* names of kernels that did not match */
};
/* false: an expression of the options is not valid. Options and arena must outlive it. */
bool session_choice_begin(struct session_choice *choice, const struct session_options *options,
                          struct arena *arena);
/* Once for each launch, in their order; name: mangled. ranges: what those of NVTX choose, asked of launches
 * whose name matches (session_nvtx.h). */
struct session_ranges;
bool session_choice_wants(struct session_choice *choice, const char *name, struct session_ranges *ranges,
                          const struct event_nvtx *nvtx);
/* Appends which kernels there were if none matched; false: one did, or none was launched. */
bool session_choice_note(const struct session_choice *choice, struct str *out);

enum session_record_kind {
    SESSION_PROCESS = 1, /* name, GPU */
    SESSION_KERNEL,      /* number, string table, locations, kernel, instructions */
    SESSION_LAUNCH,      /* number of its kernel, launch, counters, what caches did */
    SESSION_REFUSAL,     /* error */
    SESSION_NOTE,        /* line */
    SESSION_FINISH,      /* how many launches were chosen */
    SESSION_OPERATION,   /* operation */
    SESSION_SCHEDULED,   /* id of a launch, start, end, cause: by the virtual clock */
    SESSION_FINDING,     /* finding, with numbers of its kernels */
    SESSION_CONTENTS,    /* number of the kernel, what memory holds after a launch of it */
    SESSION_LOOKED,      /* bytes that the options ask for */
    SESSION_NVTX /* ranges that are open together: id, thread, ranges; before the first launch in them */
};
/* Before each payload. Little-endian, as all CPUs that Softwarp runs on. */
struct session_header {
    uint32_t kind, bytes;
    uint64_t checksum; /* of the payload, seeded with kind */
};

/* ---- session_finding.c; kernel, other: of the two places; kernels: those that were recorded */
#define SESSION_NO_KERNEL UINT32_MAX
struct session_cursor;
void session_encode_finding(struct str *out, uint32_t kernel, uint32_t other,
                            const struct event_finding *finding);
void session_decode_finding(struct session_cursor *cursor, const struct event_kernel *const *kernels,
                            uint32_t count, struct event_finding *out);

/* ---- session_contents.c: memory after each launch. {0}: nothing was seen yet. */
struct session_seen {
    struct map by_base; /* base: struct session_piece, as it was last */
    struct arena arena;
    bool begun;
    uint64_t hashed_bytes, budget_bytes; /* budget 0: SESSION_BUDGET */
    uint32_t left_out;                   /* launches since the last one that was looked at */
};
/* definition: some 15 s of reading memory */
#define SESSION_BUDGET (UINT64_C(64) << 30)
/* Is memory looked at after this launch? After all of them, until as many bytes have been hashed as the
 * budget says; then every second one, until as many have been again; then every fourth. So time is bounded by
 * the logarithm of the launches, and the same launches are chosen in each run. */
bool session_contents_due(struct session_seen *seen);
/* Appends the pieces that have changed. */
void session_encode_contents(struct session_seen *seen, uint32_t kernel,
                             const struct event_contents *contents, struct str *out);
void session_decode_contents(struct session_cursor *cursor, const struct event_kernel *const *kernels,
                             uint32_t count, struct session_contents *out);
/* The bytes that are looked for, appended; false: this launch is not the one, or has no such memory. */
bool session_encode_look(const struct session_look *look, const struct event_contents *contents,
                         struct str *out);

/* ---- session_plans.c: what is known of kernels before their launches. {0}: nothing yet. */
struct arch_gpu;
struct timing_plan;
enum { SESSION_PLANS_MOST = 256, SESSION_PLAN_INSTRS_MOST = 1 << 16 }; /* some 10 MB */
struct session_plan {
    uint64_t kernel; /* event_kernel.id */
    uint32_t device, registers, instrs;
    uint64_t used; /* in which round last */
    struct timing_plan *plan;
};
struct session_plans {
    struct session_plan at[SESSION_PLANS_MOST];
    uint32_t count;
    uint64_t instrs, round, made;
};
/* Of the launch's kernel on its device, valid until the next call; NULL: nothing is known of the GPU. */
const struct timing_plan *session_plans_get(struct session_plans *plans, const struct arch_gpu *gpu,
                                            const struct event_launch *launch);
void session_plans_clear(struct session_plans *plans);

/* The GPUs that the program sees, as the driver read them: they live as long as the process. */
struct session_gpus {
    const struct arch_gpu *const *at;
    uint32_t count;
};

/* ---- session_caches.c: what a launch's requests do in the caches of its device. One launch at a time. */
struct model_memory;
struct session_repeat;
struct session_estimate;
struct timing_intervals;
struct session_caches {
    const struct session_gpus *gpus;    /* not its own */
    struct map by_device;               /* ordinal + 1: struct session_device */
    struct session_plans *plans;        /* not its own */
    struct timing_intervals *intervals; /* of the launch that is simulated in detail */
    struct model_memory *current;       /* of the launch that is simulated in detail; NULL: none is */
    struct session_repeat *repeat;      /* NULL: no launch has begun (session_repeat.c) */
    struct session_estimate *estimate;  /* the same (session_estimate.c) */
    bool cold;                          /* each launch finds them empty */
    uint32_t sample;                    /* as in struct session_options */
};
/* false: the launch's GPU is not known, or it is estimated from others when it has ended. */
bool session_caches_begin(struct session_caches *caches, const struct event_launch *launch,
                          const struct event_residency *residency, uint32_t *sample_shift);
const uint32_t *session_caches_work(const struct session_caches *caches); /* event_tool.detail_work */
const struct event_progress *
session_caches_progress(const struct session_caches *caches); /* detail_progress */
uint32_t session_caches_round(struct session_caches *caches, const struct event_launch *launch,
                              const struct event_round *round); /* event_tool.detail_round */
void session_caches_set_accesses(struct session_caches *caches, const struct event_set_access *accesses,
                                 size_t count);
/* launch: with its counters. Sets its memory, unless it was neither simulated in detail nor estimated, or
 * failed. */
void session_caches_end(struct session_caches *caches, struct event_launch *launch);
void session_caches_timed(struct session_caches *caches, const struct event_launch *launch); /* after it */

/* ---- session_time.c: what time launches take. */
struct session_times {
    const struct session_gpus *gpus; /* not its own */
    struct session_plans *plans;     /* not its own */
    struct event_time last;
    struct event_stalls *stalls; /* the same launch's, by instruction */
    uint64_t id;                 /* of the launch that last is of */
    bool known;
};
/* Sets the launch's time and stalls, valid until the next call, unless they are; NULL: not predicted. */
void session_times_end(struct session_times *times, struct event_launch *launch);
uint64_t session_times_path(struct session_times *times, const struct event_launch *launch, uint64_t bytes,
                            uint64_t *path); /* event_tool.clock_path */
bool session_times_of(const struct session_times *times, const struct event_launch *launch,
                      struct event_time *out); /* of the launch that ended last */

/* Encoding: appends to a payload. */
void session_put_u32(struct str *out, uint32_t value);
void session_put_u64(struct str *out, uint64_t value);
void session_put_varint(struct str *out, uint64_t value);
void session_put_text(struct str *out, const char *text);
void session_encode_kernel(struct str *out, uint32_t number, const struct event_kernel *kernel);
void session_encode_flow(struct str *out, const struct event_kernel *kernel);
void session_encode_memory(struct str *out, const struct event_memory *memory); /* NULL: none */
void session_encode_time(struct str *out, const struct event_time *time);       /* NULL: none */
void session_encode_stalls(struct str *out, const struct event_stalls *stalls,
                           uint32_t instr_count); /* the same */
void session_encode_launch(struct str *out, uint32_t kernel_number, const struct event_launch *launch);
void session_encode_nvtx(struct str *out, const struct event_nvtx *nvtx);
void session_encode_operation(struct str *out, const struct event_operation *operation);

/* Decoding: a cursor that turns bad instead of reading past the end; reads of a bad one give 0 and "". */
struct session_cursor {
    const uint8_t *at, *end;
    struct arena *arena;
    bool bad;
};
void session_get_bytes(struct session_cursor *cursor, void *out, size_t bytes);
uint32_t session_get_u32(struct session_cursor *cursor);
uint64_t session_get_u64(struct session_cursor *cursor);
uint64_t session_get_varint(struct session_cursor *cursor);
const char *session_get_text(struct session_cursor *cursor);
/* A count of things that take at least bytes each: bad when the rest is too short for it. */
uint32_t session_get_count(struct session_cursor *cursor, uint32_t bytes);
const struct event_kernel *session_decode_kernel(struct session_cursor *cursor, uint32_t *number);
const struct event_nvtx *session_decode_nvtx(struct session_cursor *cursor);
/* What launches refer to, by number. */
struct session_known {
    const struct event_kernel *const *kernels;
    uint32_t kernel_count;
    const struct map *nvtx; /* by id */
};
void session_decode_launch(struct session_cursor *cursor, const struct session_known *known,
                           struct event_launch *out);
/* instrs: the kernel's, which has its counts. */
void session_decode_flow(struct session_cursor *cursor, struct event_kernel *kernel,
                         struct event_instr *instrs);
/* session_memory.c; NULL: there was none */
const struct event_memory *session_decode_memory(struct session_cursor *cursor, uint32_t instr_count);
const struct event_time *session_decode_time(struct session_cursor *cursor); /* NULL: there was none */
const struct event_stalls *session_decode_stalls(struct session_cursor *cursor, uint32_t instr_count);
void session_decode_operation(struct session_cursor *cursor, struct event_operation *out);

/* Operations of a process, kept bounded: after the first `most`, those that are alike (kind, sides, function,
 * caller, stream) become one record when the process ends. */
struct session_operations {
    struct map summaries; /* text key -> struct event_operation */
    struct arena arena;
    uint64_t written, most;
};
enum { SESSION_OPERATIONS_MOST = 100000, SESSION_CALLS_MOST = 2000000 };
void session_operations_init(struct session_operations *all, uint64_t most);
/* true: write it; false: it went into a summary. */
bool session_operations_add(struct session_operations *all, const struct event_operation *operation);
/* The next summary; NULL: no more. In unspecified order. */
const struct event_operation *session_operations_next(const struct session_operations *all, size_t *cursor);
#endif
