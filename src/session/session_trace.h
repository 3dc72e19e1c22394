/* SPDX-License-Identifier: Apache-2.0 */
/* session: the timeline of a session, as the virtual clock has it, and what is written from it. */
#ifndef SESSION_SESSION_TRACE_H
#define SESSION_SESSION_TRACE_H

#include "session/session.h"

#include "base/base_spill.h"

enum session_trace_kind {
    SESSION_TRACE_KERNEL,
    SESSION_TRACE_IN,     /* from the host to a device */
    SESSION_TRACE_OUT,    /* from a device to the host */
    SESSION_TRACE_INSIDE, /* copies and fills in a device's memory */
    SESSION_TRACE_PEER,   /* from a device to another */
    SESSION_TRACE_CALL,   /* of the host */
    SESSION_TRACE_RANGE   /* of NVTX; detail: its domain */
};
struct session_trace_item {
    enum session_trace_kind kind;
    uint32_t process, device, stream, thread; /* thread: of calls; device, stream: of others */
    uint64_t start_ns, end_ns, id;            /* id: of a launch */
    const char *name, *detail;                /* detail: more for people, "" when there is none */
    uint64_t bytes;
    uint64_t cause_ns; /* as event_operation's */
    uint64_t launches; /* of a call: as event_operation's */
    uint8_t range;     /* of a range: enum event_activity_range */
    bool called;       /* of a launch: it is known when the call began that asked for it, in thread: */
    uint64_t call_ns;
    double dram, in, out; /* of a launch: bytes of DRAM, and read and written over PCIe */
    double warps;         /* of a launch: of those that the device holds, 0 to 1 */
};
/* Where a work begins or ends, and what it uses in between. */
struct session_trace_edge {
    uint32_t process, device;
    uint64_t at_ns;
    uint8_t kind; /* enum session_trace_kind */
    bool begins;
    double dram, in, out; /* bytes a nanosecond */
    double warps;
};
/* Works from the last end back. */
struct session_trace_end {
    uint32_t process, device, stream;
    uint64_t start_ns, end_ns, cause_ns, nth; /* nth: by start */
    const char *name;
};
/* A work of a kind on a device, all together. */
struct session_trace_sums {
    uint64_t count[SESSION_TRACE_CALL], bytes[SESSION_TRACE_CALL], sum_ns[SESSION_TRACE_CALL];
};
struct session_trace_range;
struct session_trace {
    struct arena arena;
    struct spill *items; /* struct session_trace_item by process and start */
    struct spill *edges; /* by process, device and time */
    struct spill *ends;  /* by process, from the last end on */
    struct map sums;     /* struct session_trace_sums by process and device */
    uint64_t item_count;
    VEC(const char *) processes; /* their names */
    VEC(uint64_t) first_ns;      /* of each process: when its first work began */
    VEC(const char *) gpus;      /* by device, of the first process that used it; NULL: none did */
    uint64_t left_out;           /* operations that were only summed up */
    struct map ranges;           /* by text and domain: struct session_trace_range */
    VEC(struct session_trace_range *) range_list; /* the same, in the order of their first ends */
};
/* Ranges of one text and domain, all together. */
struct session_trace_range {
    const char *text, *domain;
    uint64_t count, sum_ns;
};
/* Memory follows kernels and places of calls, not launches: the rest is sorted on disk (base_spill.h). */
enum sw_status session_trace_read(struct session_reader *reader, struct session_trace *out,
                                  struct sw_error *error);
void session_trace_release(struct session_trace *trace);
/* After all was written: SW_IO when something was lost on the way. */
enum sw_status session_trace_status(const struct session_trace *trace, struct sw_error *error);
/* NULL: that process had no such work there. */
const struct session_trace_sums *session_trace_sums_of(const struct session_trace *trace, uint32_t process,
                                                       uint32_t device);

struct session_trace_out {
    struct str *text;
    void (*flush)(void *user); /* may write text and clear it; NULL: it is kept whole */
    void *user;
};
/* Chrome's trace-event format, for Perfetto and chrome://tracing. */
void session_trace_json(const struct session_trace *trace, struct session_trace_out *out);
/* session_trace_tracks.c: how much of DRAM, multiprocessors and PCIe is used, from moment to moment. */
struct session_trace_level {
    uint32_t process, device;
    uint64_t at_ns;
    double dram, in, out; /* GB/s */
    double warps;         /* of those that the device holds, 0 to 1 */
};
void session_trace_levels(const struct session_trace *trace,
                          void (*each)(void *user, const struct session_trace_level *level), void *user);
/* session_trace_tracks.c: what is sorted anew from the items. */
void session_trace_works(struct session_trace *trace);
/* Which call asked for which launch: calls that launch come first, then launches in the order of processes
 * and ids. */
struct session_trace_calls {
    struct spill *calls;
    struct session_trace_call {
        uint32_t process, thread;
        uint64_t first; /* launch */
        uint64_t start_ns;
        bool graph, known;
    } last; /* that began at the launch or before */
};
void session_trace_calls_init(struct session_trace_calls *calls);
void session_trace_calls_add(struct session_trace_calls *calls, const struct session_trace_item *call);
void session_trace_calls_begin(struct session_trace_calls *calls);
void session_trace_calls_find(struct session_trace_calls *calls, struct session_trace_item *launch);
/* The status is of its temporary file. */
enum sw_status session_trace_calls_release(struct session_trace_calls *calls, struct sw_error *error);
/* For people: how busy each device was, what overlapped, and what the end waited for. */
void session_trace_summary(const struct session_trace *trace, struct str *out);
#endif
