/* SPDX-License-Identifier: Apache-2.0 */
/* session: the timeline of a session, as the virtual clock has it, and what is written from it. */
#ifndef SESSION_SESSION_TRACE_H
#define SESSION_SESSION_TRACE_H

#include "session/session.h"

enum session_trace_kind {
    SESSION_TRACE_KERNEL,
    SESSION_TRACE_IN,     /* from the host to a device */
    SESSION_TRACE_OUT,    /* from a device to the host */
    SESSION_TRACE_INSIDE, /* copies and fills in a device's memory */
    SESSION_TRACE_PEER,   /* from a device to another */
    SESSION_TRACE_CALL    /* of the host */
};
struct session_trace_item {
    enum session_trace_kind kind;
    uint32_t process, device, stream, thread; /* thread: of calls; device, stream: of others */
    uint64_t start_ns, end_ns, id;            /* id: of a launch */
    const char *name, *detail;                /* detail: more for people, "" when there is none */
    uint64_t bytes;
    uint64_t cause_ns; /* as event_operation's */
    uint64_t launches; /* of a call: as event_operation's */
    bool called;       /* of a launch: it is known when the call began that asked for it, in thread: */
    uint64_t call_ns;
    double dram, in, out; /* of a launch: bytes of DRAM, and read and written over PCIe */
    double warps;         /* of a launch: of those that the device holds, 0 to 1 */
};
struct session_trace {
    struct arena arena;
    VEC(struct session_trace_item) items; /* by process and start */
    VEC(const char *) processes;          /* their names */
    VEC(const char *) gpus;               /* by device, of the first process that used it; NULL: none did */
    uint64_t left_out;                    /* operations that were only summed up */
};
enum sw_status session_trace_read(struct session_reader *reader, struct session_trace *out,
                                  struct sw_error *error);
void session_trace_release(struct session_trace *trace);

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
/* Launches get the calls that asked for them. */
void session_trace_calls(struct session_trace *trace);
/* For people: how busy each device was, what overlapped, and what the end waited for. */
void session_trace_summary(const struct session_trace *trace, struct str *out);
#endif
