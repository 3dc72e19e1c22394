/* SPDX-License-Identifier: Apache-2.0 */
/* session: chooses tools, attaches them to the driver, keeps what they see, and gives it back.
 *
 * Two processes share a session folder. The profiled program's driver loads libsoftwarp-tools.so, whose
 * softwarp_tool_open (session_tool.c) appends records to a file of its process; the command line writes the
 * options before and loads the records after. */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "base/base.h"
#include "event/event.h"

/* What the command line asks the tools to do: the file "options" of the folder. */
struct session_options {
    bool watch;           /* count; false: only keep refusals and notes */
    bool any_target;      /* run PTX made for a newer GPU */
    const char *kernel;   /* extended regular expression on the demangled name; NULL: all */
    uint64_t skip, count; /* of the launches that match: leave out the first, then watch so many; 0: all */
};
enum sw_status session_options_write(const char *folder, const struct session_options *options,
                                     struct sw_error *error);
/* Strings come from arena. */
enum sw_status session_options_read(const char *folder, struct arena *arena, struct session_options *out,
                                    struct sw_error *error);

/* What one process left. Launches stand in the order of their ids. */
struct session_process {
    const char *name;                    /* the program's file name */
    const struct event_launch *launches; /* counters NULL: not watched */
    uint32_t launch_count;
    const struct sw_error *refusals;
    uint32_t refusal_count;
    const char **notes;
    uint32_t note_count;
    bool finished; /* the process said goodbye; otherwise the records may end early */
};
struct session_data {
    const struct session_process *processes;
    uint32_t process_count;
};
/* All records of the folder, processes in the order in which they came. A record that was cut off by a crash
 * ends its process's list; one that is damaged is SW_CORRUPT. Everything comes from arena. */
enum sw_status session_load(const char *folder, struct arena *arena, struct session_data *out,
                            struct sw_error *error);

/* Demangled name of a kernel as ncu prints it ("gemm(int, float *)"), from arena. */
const char *session_demangle(struct arena *arena, const char *name);
#endif
