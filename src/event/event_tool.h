/* SPDX-License-Identifier: Apache-2.0 */
/* The tool interface: what running code tells a tool, and what the tool asks for.
 *
 * The engine knows probes, not tools: a tool asks for probes, the jit compiles them in, the engine hands back
 * the counters of each launch beside a table that says what every instruction is. So prof/ and timing/ need
 * no ptx/. */
#ifndef EVENT_TOOL_H
#define EVENT_TOOL_H

#include "event_counter.h"
#include "event_schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arch_gpu;
struct event_clock;
struct event_finding;
struct event_launch;
struct event_nvtx;
struct event_operation;
struct event_progress;
struct event_residency;
struct event_round;
struct event_set_access;
struct event_time;
struct sw_error;

/* What a loaded tool library offers. All callbacks may be NULL; they may come from any thread, launches of
 * one stream in order, one callback at a time (the driver serialises). */
struct event_tool {
    void *user;
    uint32_t probes; /* EVENT_PROBE_* */
    struct event_rules rules;
    struct event_counters_fns count;
    bool any_target; /* run PTX made for a newer GPU, and note it */
    /* false: run it without probes and checks. nvtx: as in struct event_launch. */
    bool (*wants_launch)(void *user, const char *kernel_name, const struct event_nvtx *nvtx);
    /* EVENT_PROBE_ACCESS, before launch_end: begin says what residency the launch has and may, when it is
     * divisible, give a sample shift n: only blocks of multiprocessors that event_is_detailed are reported,
     * block b being of multiprocessor b modulo their number, and besides them those that the device holds at
     * first; the others are only counted, and report their accesses to the address set. false: no detailed
     * simulation of this launch. Rounds come one at a time. */
    bool (*detail_begin)(void *user, const struct event_launch *launch,
                         const struct event_residency *residency, uint32_t *sample_shift);
    /* After detail_begin: how much work a warp does when it goes through a basic block, by the row of the
     * block's first instruction, in a unit of the tool's choice. What comes together before a request, or
     * before the warp's end, stands before it in the stream as EVENT_KIND_WORK, if it is not 0. The table
     * must live until launch_end. NULL, or no function: no work is reported. */
    const uint32_t *(*detail_work)(void *user, const struct event_launch *launch);
    /* After detail_begin: how far CTA slots are, brought up to date by detail_round, until launch_end. Blocks
     * begin in those that are free first. NULL, or no function: no time is kept, and any free CTA slot will
     * do. */
    const struct event_progress *(*detail_progress)(void *user, const struct event_launch *launch);
    /* Returns the sample shift with which the launch goes on: that of detail_begin, or after the first round,
     * when the tool saw what blocks ask for, a smaller one. */
    uint32_t (*detail_round)(void *user, const struct event_launch *launch, const struct event_round *round);
    /* EVENT_PROBE_ADDRESS_SET, of a sampled launch: accesses of the blocks that are not reported, in order of
     * the blocks, before the round in which simulated ones of about their numbers begin. Of global memory
     * only. */
    void (*detail_address_set)(void *user, const struct event_launch *launch,
                               const struct event_set_access *accesses, size_t count);
    void (*launch_end)(void *user, const struct event_launch *launch);
    /* After launch_end of the same launch: what time it took by the model. false: not predicted (the launch
     * was not simulated in detail, or failed). */
    bool (*launch_time)(void *user, const struct event_launch *launch, struct event_time *out);
    /* Before a counted launch whose kernel reads clocks: when a warp comes to each instruction, in sixteenths
     * of a cycle (path: instr_count + 1 entries); bytes: of device memory that it was given pointers to.
     * Returns the clock's kHz; 0: not known. */
    uint64_t (*clock_path)(void *user, const struct event_launch *launch, uint64_t bytes, uint64_t *path);
    /* NULL: times are those of the real clock. Otherwise all are the virtual clock's. Calls of it come one at
     * a time, too; launch_scheduled follows when the launch of that id is scheduled. cause_ns: as in
     * struct event_operation. */
    const struct event_clock *clock;
    void (*launch_scheduled)(void *user, uint64_t id, uint64_t start_ns, uint64_t end_ns, uint64_t cause_ns);
    void (*operation)(
        void *user, const struct event_operation *operation); /* in the order of their ends, or with a clock
                                                                 copies and the like in that of their calls */
    bool calls;                                               /* operations of kind CALL, too */
    uint32_t checks;                                          /* bits of enum event_check (event_finding.h) */
    /* checks: something is wrong; of a launch, while it runs. */
    void (*finding)(void *user, const struct event_finding *finding);
    struct event_order schedule;
    /* schedule.on: after each launch, before anything else runs. */
    void (*contents)(void *user, const struct event_contents *contents);
    void (*refused)(void *user, const struct sw_error *error); /* something was not supported */
    void (*note)(void *user, const char *line);                /* a log line */
    void (*finish)(void *user);                                /* process ends; must be safe at exit */
};
/* The symbol that libsoftwarp-tools.so exports. gpus: of the devices that the program sees, by ordinal; they
 * live as long as the process, so that no file is read again when descriptors or memory have run out. Others
 * name them by their origin. NULL: no session wanted. */
#define EVENT_TOOL_SYMBOL "softwarp_tool_open"
typedef const struct event_tool *(*event_tool_open_fn)(const char *session_dir,
                                                       const struct arch_gpu *const *gpus, uint32_t count);
#endif
