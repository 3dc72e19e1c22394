/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver of a profiled program loads: opens this process's record file and appends a record for each
 * kernel when it is first launched, each profiled launch, each refusal and each note.
 *
 * A record is one write(2) of header and payload to a file of this process alone, so a crash at any point
 * leaves whole records and at most one that is cut off. Nothing in a record names the process or the machine:
 * files are numbered in the order in which processes come, so that reports of two runs can be compared. A
 * forked child inherits the open file but must not write to it: every callback checks whose it is. Limits:
 * callbacks come one at a time (struct event_tool says so); when a write fails, the rest is dropped, which
 * the missing SESSION_FINISH record shows. */
#include "session_nvtx.h"

#include "arch/arch.h"
#include "base/base_reserve.h"
#include "base/base_write.h"
#include "clock/clock.h"
#include "event/event_finding.h"
#include "event/event_tool.h"
#include "model/access/model_access.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PROCESSES = 100000 };

struct tool {
    struct event_tool api;
    struct arena arena;
    struct session_options options;
    struct session_choice choice;
    struct map known; /* event_kernel.id -> number of the record, of those that were written */
    uint32_t kernel_count;
    struct session_operations operations;
    int file, progress;    /* progress: -1: nobody wants to know */
    uint64_t begun, ended; /* launches that are simulated in detail */
    pid_t owner;
    const uint8_t *ours; /* 1; a page that is 0 in a forked child. NULL: the system has none such */
    bool broken;
    struct session_gpus gpus;
    struct session_caches caches;
    struct session_times times;
    struct session_plans plans;
    struct session_seen seen;
    struct session_ranges ranges; /* of NVTX */
    uint32_t number;              /* of its file */
};

/* Asked at each record: the system's answer, getpid, took half as long as to write one. */
static bool is_ours(const struct tool *tool)
{
    return tool->ours ? *(const volatile uint8_t *)tool->ours : tool->owner == getpid();
}

static void make_ours(struct tool *tool)
{
    const size_t bytes = 1;
    tool->owner = getpid();
    uint8_t *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return;
    if (madvise(page, bytes, MADV_WIPEONFORK) != 0) {
        munmap(page, bytes);
        return;
    }
    *page = 1;
    tool->ours = page;
}

/* What the program does from now on is not recorded. The file says so to whoever reads it, by its mode, which
 * needs no place on the disk. */
static void tool_write(struct tool *tool, const void *data, size_t bytes)
{
    if (sw_write_all(tool->file, data, bytes)) return;
    tool->broken = true;
    fchmod(tool->file, SESSION_MODE_CUT);
}

static void tool_append(struct tool *tool, enum session_record_kind kind, const struct str *payload)
{
    if (tool->broken || !is_ours(tool)) return;
    struct session_header header = {kind, (uint32_t)payload->length,
                                    sw_hash_bytes(str_text(payload), payload->length, kind)};
    struct str record = {0};
    str_add_bytes(&record, &header, sizeof header);
    str_add_bytes(&record, str_text(payload), payload->length);
    tool_write(tool, str_text(&record), record.length);
    str_release(&record);
}

/* Number of a kernel's record, written now if it is new. */
static uint32_t kernel_number(struct tool *tool, const struct event_kernel *kernel)
{
    uint32_t *known = map_get_u64(&tool->known, kernel->id);
    if (known) return *known;
    known = ARENA_NEW(&tool->arena, uint32_t);
    *known = tool->kernel_count++;
    map_set_u64(&tool->known, kernel->id, known);
    struct str payload = {0};
    session_encode_kernel(&payload, *known, kernel);
    tool_append(tool, SESSION_KERNEL, &payload);
    str_release(&payload);
    return *known;
}

static bool tool_wants_launch(void *user, const char *name, const struct event_nvtx *nvtx)
{
    struct tool *tool = user;
    return session_choice_wants(&tool->choice, name, &tool->ranges, nvtx);
}

static void show_progress(struct tool *tool, const struct event_launch *launch, bool ended)
{
    if (!is_ours(tool)) return;
    if (!ended) tool->begun++;
    session_progress_write(tool->progress, tool->begun, launch->kernel->name, ended);
}

static bool tool_detail_begin(void *user, const struct event_launch *launch,
                              const struct event_residency *residency, uint32_t *sample_shift)
{
    struct tool *tool = user;
    show_progress(tool, launch, false);
    return session_caches_begin(&tool->caches, launch, residency, sample_shift);
}

static const uint32_t *tool_detail_work(void *user, const struct event_launch *launch)
{
    struct tool *tool = user;
    (void)launch;
    return session_caches_work(&tool->caches);
}

static const struct event_progress *tool_detail_progress(void *user, const struct event_launch *launch)
{
    struct tool *tool = user;
    (void)launch;
    return session_caches_progress(&tool->caches);
}

static uint32_t tool_detail_round(void *user, const struct event_launch *launch,
                                  const struct event_round *round)
{
    struct tool *tool = user;
    return session_caches_round(&tool->caches, launch, round);
}

static void tool_detail_address_set(void *user, const struct event_launch *launch,
                                    const struct event_set_access *accesses, size_t count)
{
    struct tool *tool = user;
    (void)launch;
    session_caches_set_accesses(&tool->caches, accesses, count);
}

static void tool_launch_scheduled(void *user, uint64_t id, uint64_t start_ns, uint64_t end_ns,
                                  uint64_t cause_ns)
{
    struct str payload = {0};
    session_put_u64(&payload, id);
    session_put_u64(&payload, start_ns);
    session_put_u64(&payload, end_ns);
    session_put_u64(&payload, cause_ns);
    tool_append(user, SESSION_SCHEDULED, &payload);
    str_release(&payload);
}

static bool tool_launch_time(void *user, const struct event_launch *launch, struct event_time *out)
{
    const struct tool *tool = user;
    return session_times_of(&tool->times, launch, out);
}

static uint64_t tool_clock_path(void *user, const struct event_launch *launch, uint64_t bytes, uint64_t *path)
{
    struct tool *tool = user;
    return session_times_path(&tool->times, launch, bytes, path);
}

static void tool_refused(void *user, const struct sw_error *error)
{
    struct str payload = {0};
    session_put_u32(&payload, error->status);
    session_put_u32(&payload, error->line);
    session_put_u32(&payload, error->column);
    session_put_text(&payload, error->file);
    session_put_text(&payload, error->message);
    tool_append(user, SESSION_REFUSAL, &payload);
    str_release(&payload);
}

static void tool_finding(void *user, const struct event_finding *finding)
{
    struct tool *tool = user;
    struct str payload = {0};
    const struct event_kernel *kernel = finding->place.kernel, *other = finding->other.kernel;
    session_encode_finding(&payload, kernel ? kernel_number(tool, kernel) : SESSION_NO_KERNEL,
                           other ? kernel_number(tool, other) : SESSION_NO_KERNEL, finding);
    tool_append(tool, SESSION_FINDING, &payload);
    str_release(&payload);
}

static void tool_contents(void *user, const struct event_contents *contents)
{
    struct tool *tool = user;
    struct str payload = {0}, looked = {0};
    if (!session_contents_due(&tool->seen)) return;
    session_encode_contents(&tool->seen, kernel_number(tool, contents->kernel), contents, &payload);
    tool_append(tool, SESSION_CONTENTS, &payload);
    if (tool->options.look.process == tool->number &&
        session_encode_look(&tool->options.look, contents, &looked))
        tool_append(tool, SESSION_LOOKED, &looked);
    str_release(&payload);
    str_release(&looked);
}

static void tool_note(void *user, const char *line)
{
    struct str payload = {0};
    session_put_text(&payload, line);
    tool_append(user, SESSION_NOTE, &payload);
    str_release(&payload);
}

static void write_operation(struct tool *tool, const struct event_operation *operation)
{
    struct str payload = {0};
    session_encode_operation(&payload, operation);
    tool_append(tool, SESSION_OPERATION, &payload);
    str_release(&payload);
}

/* A timeline does not show them. */
static bool takes_no_time(const struct event_operation *o)
{
    return o->kind == EVENT_OPERATION_ALLOC || o->kind == EVENT_OPERATION_FREE ||
           o->kind == EVENT_OPERATION_SYNC || o->kind == EVENT_OPERATION_USE;
}

static void tool_operation(void *user, const struct event_operation *operation)
{
    struct tool *tool = user;
    if (tool->options.calls && takes_no_time(operation)) return;
    if (session_operations_add(&tool->operations, operation)) write_operation(tool, operation);
}

/* Kernels were launched, and the options chose none of them: which there are. */
static void note_none_matched(struct tool *tool)
{
    struct str line = {0};
    const char *ranges = session_ranges_none_chosen(&tool->ranges);
    if (ranges)
        tool_note(tool, ranges);
    else if (session_choice_note(&tool->choice, &line))
        tool_note(tool, str_text(&line));
    str_release(&line);
}

static void tool_finish(void *user)
{
    struct tool *tool = user;
    struct str payload = {0};
    const struct event_operation *summary;
    for (size_t i = 0; (summary = session_operations_next(&tool->operations, &i));)
        write_operation(tool, summary);
    note_none_matched(tool);
    session_put_u64(&payload, tool->choice.chosen);
    tool_append(user, SESSION_FINISH, &payload);
    str_release(&payload);
    session_plans_clear(&tool->plans);
}

/* The launches that were asked for are over: nothing of the program runs any more, as after ncu's --kill. */
static void end_process(struct tool *tool)
{
    if (!is_ours(tool)) return;
    tool_finish(tool);
    _exit(EXIT_SUCCESS);
}

static void write_ranges(struct tool *tool, const struct event_nvtx *nvtx)
{
    struct str payload = {0};
    if (!session_ranges_are_new(&tool->ranges, nvtx)) return;
    session_encode_nvtx(&payload, nvtx);
    tool_append(tool, SESSION_NVTX, &payload);
    str_release(&payload);
}

static void tool_launch_end(void *user, const struct event_launch *launch)
{
    struct tool *tool = user;
    struct event_launch with = *launch;
    if (!launch->routine) session_caches_end(&tool->caches, &with);
    if (!launch->counters && !launch->routine && launch->status == SW_OK) return;
    struct str payload = {0};
    session_times_end(&tool->times, &with);
    if (!launch->routine) session_caches_timed(&tool->caches, &with);
    write_ranges(tool, with.nvtx);
    session_encode_launch(&payload, kernel_number(tool, with.kernel), &with);
    tool_append(tool, SESSION_LAUNCH, &payload);
    str_release(&payload);
    if (tool->options.memory) show_progress(tool, launch, true);
    if (launch->counters && ++tool->ended == tool->options.count && tool->options.kill) end_process(tool);
}

/* A file of our own, numbered after those of the processes before us. */
static int create_file(const char *folder, uint32_t *number)
{
    char path[PATH_MAX];
    for (int n = 0; n < MAX_PROCESSES; n++) {
        snprintf(path, sizeof path, "%s/%s%05d", folder, SESSION_FILE_PREFIX, n);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, SESSION_MODE);
        *number = (uint32_t)n;
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}

static void write_process(struct tool *tool, const char *gpu)
{
    char path[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    const char *slash = strrchr(path, '/');
    struct str payload = {0};
    session_put_text(&payload, slash ? slash + 1 : path);
    session_put_text(&payload, gpu);
    tool_write(tool, SESSION_MAGIC, SESSION_MAGIC_BYTES);
    tool_append(tool, SESSION_PROCESS, &payload);
    str_release(&payload);
}

static const struct event_tool *give_up(struct tool *tool, const char *why)
{
    sw_log("this process will not be profiled: %s", why);
    arena_release(&tool->arena);
    free(tool);
    return NULL;
}

static void set_callbacks(struct tool *tool, const struct arch_cc *cc)
{
    struct event_tool *api = &tool->api;
    api->user = tool;
    api->probes = tool->options.detail ? EVENT_PROBE_COUNT : 0;
    if (tool->options.detail && tool->options.memory) {
        api->probes |= EVENT_PROBE_ACCESS | EVENT_PROBE_ADDRESS_SET;
        api->detail_begin = tool_detail_begin;
        api->detail_work = tool_detail_work;
        api->detail_progress = tool_detail_progress;
        api->detail_round = tool_detail_round;
        api->detail_address_set = tool_detail_address_set;
    }
    api->checks = tool->options.checks;
    if (api->checks & EVENT_CHECK_MEMORY) api->probes |= EVENT_PROBE_BOUNDS;
    if (api->checks & EVENT_CHECK_SYNC) api->probes |= EVENT_PROBE_SYNC;
    if (api->checks) api->finding = tool_finding;
    api->schedule = tool->options.schedule;
    if (api->schedule.on) api->contents = tool_contents;
    api->rules = model_rules(cc);
    api->count = (struct event_counters_fns){model_count_global, model_count_local, model_count_shared,
                                             model_count_constant};
    api->any_target = tool->options.any_target;
    api->wants_launch = tool->options.detail || api->checks ? tool_wants_launch : NULL;
    api->launch_end = tool->options.detail ? tool_launch_end : NULL;
    api->launch_time = tool->options.detail ? tool_launch_time : NULL;
    api->clock_path = tool->options.detail ? tool_clock_path : NULL;
    api->operation = tool->options.detail ? tool_operation : NULL;
    api->clock = tool->options.detail ? clock_new(tool->gpus.at, tool->gpus.count) : NULL;
    api->calls = tool->options.calls;
    api->launch_scheduled = tool_launch_scheduled;
    api->refused = tool_refused;
    api->note = tool_note;
    api->finish = tool_finish;
}

/* What a launch frees serves the next one: the C library would give it back to the system, and new pages cost
 * more than what is done with them. Programs that are not profiled have the library's own limits. */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    enum {
        MAPPED_ALONE = 8 << 20,
        GIVEN_BACK = 256 << 20
    }; /* bytes; measured: any of 1 to 32 MiB is alike */
    (void)mallopt(M_MMAP_THRESHOLD, MAPPED_ALONE);
    (void)mallopt(M_TRIM_THRESHOLD, GIVEN_BACK);
#endif
}

const struct event_tool *softwarp_tool_open(const char *session_dir, const struct arch_gpu *const *gpus,
                                            uint32_t count)
{
    sw_reserve_begin(NULL);
    struct tool *tool = sw_xcalloc(1, sizeof *tool);
    struct sw_error error = {0};
    arena_init(&tool->arena);
    tool->gpus = (struct session_gpus){gpus, count};
    if (count == 0) return give_up(tool, "there is no device");
    if (session_options_read(session_dir, &tool->arena, &tool->options, &error) != SW_OK)
        return give_up(tool, error.message);
    const struct arch_cc *cc = arch_cc_find(gpus[0]->cc_major, gpus[0]->cc_minor);
    if (!cc) return give_up(tool, "the compute capability of its GPU is not known");
    if (!session_choice_begin(&tool->choice, &tool->options, &tool->arena))
        return give_up(tool, "the regular expression for kernels is not valid");
    if (session_ranges_open(&tool->ranges, &tool->options, &tool->arena, &error) != SW_OK)
        return give_up(tool, error.message);
    tool->file = create_file(session_dir, &tool->number);
    if (tool->file < 0) return give_up(tool, strerror(errno));
    tool->progress = session_progress_open(session_dir);
    make_ours(tool);
    tool->caches.plans = tool->times.plans = &tool->plans;
    tool->caches.gpus = tool->times.gpus = &tool->gpus;
    tool->caches.cold = !tool->options.keep_caches;
    tool->caches.sample = tool->options.sample;
    write_process(tool, gpus[0]->origin);
    session_operations_init(&tool->operations,
                            tool->options.calls ? SESSION_CALLS_MOST : SESSION_OPERATIONS_MOST);
    set_callbacks(tool, cc);
    if (tool->options.detail) keep_freed_memory();
    return &tool->api;
}
