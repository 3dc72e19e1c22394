/* SPDX-License-Identifier: Apache-2.0 */
/* session: chooses tools, attaches them to the driver, keeps what they see, and gives it back.
 *
 * Two processes share a session folder. The profiled program's driver loads libsoftwarp-tools.so, whose
 * softwarp_tool_open (session_tool.c) appends records to a file of its process; the command line writes the
 * options before and loads the records after. */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "base/base.h"
#include "event/event_finding.h"
#include "event/event_launch.h"
#include "event/event_operation.h"
#include "event/event_schedule.h"

/* Bytes of an allocation, after a launch of a process, that are to be recorded. */
struct session_look {
    uint64_t launch; /* event_launch.id */
    uint64_t base, offset, bytes;
    uint32_t process; /* number of its record file */
};
struct session_texts {
    const char *const *at;
    uint32_t count;
};
/* What the command line asks the tools to do: the file "options" of the folder. */
struct session_options {
    bool detail;        /* count; false: only keep refusals and notes */
    bool any_target;    /* run PTX made for a newer GPU */
    bool memory;        /* model caches and DRAM of what is simulated in detail; */
    bool keep_caches;   /* each launch finds in them what the one before left; else nothing */
    uint32_t checks;    /* bits of enum event_check: what is looked for */
    bool calls;         /* record the host's calls, and more operations, for a timeline */
    uint32_t sample;    /* 0: large launches are sampled; n + 1: all, with sample shift n (event_tool.h) */
    const char *kernel; /* extended regular expression on the demangled name, with checks also on the mangled
                           one; NULL: all */
    const char *without_kernel; /* the same of those that are left out of it; NULL: none */
    bool kernel_id;             /* kernel and invocation were not given as such, but as ncu's identifier */
    const char
        *invocation; /* extended regular expression on which launch of its kernel it is, from 1; NULL: all */
    struct session_texts nvtx_include, nvtx_exclude; /* expressions of ranges of NVTX (session_nvtx.c): only
                                                        launches that one of the former, where there are any,
                                                        and none of the latter chooses */
    uint64_t skip, count; /* of the launches that match: leave out the first, then simulate so many; 0: all */
    bool kill;            /* end the process when so many have been */
    struct event_order schedule; /* on: memory after each launch is recorded */
    struct session_look look;    /* bytes 0: nothing */
};
enum sw_status session_options_write(const char *folder, const struct session_options *options,
                                     struct sw_error *error);
/* Strings come from arena. */
enum sw_status session_options_read(const char *folder, struct arena *arena, struct session_options *out,
                                    struct sw_error *error);

/* What a profiled program is at, for a person who waits; no record. */
struct session_progress {
    uint64_t launches; /* simulated ones, with the one at hand */
    uint32_t ended;    /* the last of them is over */
    char kernel[500];  /* mangled, cut off where it is longer */
};
int session_progress_make(const char *folder); /* before the program starts; a descriptor, or -1 */
bool session_progress_read(int file, struct session_progress *out); /* false: no launch yet */
bool session_is_file(const char *name); /* do the command line or the tools make it in the folder? */

/* What memory held after a launch: of each allocation that is not as it was after the launch before. */
enum { SESSION_PARTS = 16 };
struct session_piece {
    struct event_piece memory;
    uint64_t part_bytes, parts[SESSION_PARTS]; /* hashes of parts; 0: all zeros, or behind the end */
};
struct session_contents {
    uint64_t launch; /* event_launch.id */
    const struct event_kernel *kernel;
    const struct session_piece *pieces;
    uint32_t count;
    uint32_t left_out; /* launches before this one of which there is nothing */
};

/* What one process left. */
struct session_process {
    const char *name; /* the program's file name */
    const char *gpu;  /* catalogue name of its first device; "": none */
    uint32_t launch_count;
    const struct sw_error *refusals;
    uint32_t refusal_count;
    const char **notes;
    uint32_t note_count;
    const struct event_finding *findings; /* in the order in which they were made */
    uint32_t finding_count;
    const struct session_contents *contents; /* of launches, in their order; with a schedule only */
    uint32_t contents_count;
    const uint8_t *looked; /* what session_look asked for; NULL: it did not come up */
    uint64_t looked_bytes;
    const struct event_operation *operations; /* in the order of their calls; summaries last; of a session for
                                                 a timeline: NULL */
    uint32_t operation_count;
    bool finished;   /* the process said goodbye; otherwise the records may end early */
    bool cut;        /* the disk of the session's folder was full: later records are missing */
    uint64_t chosen; /* launches that the options chose, once it is finished */
};
struct session_data {
    const struct session_process *processes; /* in the order in which they came */
    uint32_t process_count;
};
/* All records of the folder, which may be removed afterwards. A record that was cut off by a crash ends its
 * process's list; one that is damaged is SW_CORRUPT. The data live as long as the reader. */
struct session_reader;
enum sw_status session_open(const char *folder, struct session_reader **out, struct sw_error *error);
/* The same for a timeline: the host's calls are operations, too many to keep, and only visited. */
enum sw_status session_open_timeline(const char *folder, struct session_reader **out, struct sw_error *error);
const struct session_data *session_reader_data(const struct session_reader *reader);
void session_close(struct session_reader *reader); /* NULL: nothing */
/* Every launch, process by process in the order of its ids; may be walked again. The launch (counters NULL:
 * not simulated in detail) lives until visit returns, its kernel as long as the reader. A status other than
 * SW_OK ends the walk and is returned. */
typedef enum sw_status (*session_visit)(void *user, const struct session_process *process,
                                        const struct event_launch *launch, struct sw_error *error);
enum sw_status session_each_launch(struct session_reader *reader, session_visit visit, void *user,
                                   struct sw_error *error);

/* As event_operation.cause_ns, of the launch that is visited. */
uint64_t session_launch_cause(const struct session_reader *reader);

/* Every operation, process (by number) by process in the order in which they were recorded: those of a host
 * thread in the order of their starts. Texts live as long as the reader. */
typedef void (*session_visit_operation)(void *user, uint32_t process,
                                        const struct event_operation *operation);
enum sw_status session_each_operation(struct session_reader *reader, session_visit_operation visit,
                                      void *user, struct sw_error *error);

/* Is it an expression as ncu's --nvtx-include has them? */
enum sw_status session_nvtx_check(const char *expression, struct sw_error *error);

/* Demangled name of a kernel as ncu prints it ("gemm(int, float *)"), from arena. */
const char *session_demangle(struct arena *arena, const char *name);

struct arch_gpu;
struct event_tool;
/* The symbol that the driver looks up (EVENT_TOOL_SYMBOL); also says what it takes. */
__attribute__((visibility("default"))) const struct event_tool *
softwarp_tool_open(const char *session_dir, const struct arch_gpu *const *gpus, uint32_t count);
#endif
