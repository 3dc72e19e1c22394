/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of many launches: it is read, written and summarised in memory that does not grow with
 * their number. */
#include "frozen_machine.h"

#include "session/session.h"
#include "session/session_trace.h"

#include "event/event_counter.h"
#include "event/event_kernel.h"
#include "event/event_tool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

#define NO_SLOTS {EVENT_NO_SLOT, EVENT_NO_SLOT, EVENT_NO_SLOT, EVENT_NO_SLOT}
static const struct event_instr INSTR = {
    .op = "add.s32",
    .text = "add.s32 %r1, %r2, %r3;",
    .slots = {0, 0, 0, 0, EVENT_NO_SLOT, EVENT_NO_SLOT, {NO_SLOTS, NO_SLOTS, NO_SLOTS}}};
static const struct event_kernel KERNEL = {.name = "_Z1kv",
                                           .instr_count = 1,
                                           .instrs = &INSTR,
                                           .slot_count = 1,
                                           .ptx_sm = 90,
                                           .ptx_name = "a.ptx",
                                           .id = 1};
enum { LAUNCH_NS = 2000, CALL_NS = 1500, COPY_NS = 700, EVERY = 10 };

/* Launch `id`, a call for it, and a copy after every tenth: each waits for the launch before. */
static void record(const struct event_tool *tool, uint64_t id)
{
    const uint64_t counters[1] = {id}, start = 10000 + id * 2 * LAUNCH_NS;
    struct event_launch launch = {.kernel = &KERNEL,
                                  .id = id,
                                  .grid = {1, 1, 1},
                                  .block = {32, 1, 1},
                                  .gpu = TEST90,
                                  .counters = counters,
                                  .stream = 1};
    struct event_operation call = {.kind = EVENT_OPERATION_CALL,
                                   .count = 1,
                                   .launches = id + 1,
                                   .order = 2 * id,
                                   .thread = 1,
                                   .start_ns = start - 9000,
                                   .end_ns = start - 9000 + CALL_NS,
                                   .api = "cudaLaunchKernel",
                                   .caller = "/a/program+0x12"};
    tool->operation(tool->user, &call);
    tool->launch_end(tool->user, &launch);
    tool->launch_scheduled(tool->user, id, start, start + LAUNCH_NS, id ? start - LAUNCH_NS : 0);
    if (id % EVERY) return;
    struct event_operation copy = {.kind = EVENT_OPERATION_COPY,
                                   .from = EVENT_MEMORY_PINNED,
                                   .to = EVENT_MEMORY_DEVICE,
                                   .count = 1,
                                   .bytes = 4096,
                                   .order = 2 * id + 1,
                                   .stream = 2,
                                   .start_ns = start,
                                   .end_ns = start + COPY_NS,
                                   .api = "cudaMemcpyAsync",
                                   .caller = "/a/program+0x34"};
    tool->operation(tool->user, &copy);
}

static void record_all(uint64_t launches)
{
    const struct session_options options = {.detail = true, .calls = true};
    if (session_options_write(folder, &options, NULL) != SW_OK) _exit(1);
    const struct event_tool *tool = softwarp_tool_open(folder, frozen_machine(), FROZEN_MACHINE);
    if (!tool) _exit(2);
    for (uint64_t i = 0; i < launches; i++)
        record(tool, launches - 1 - i);
    tool->finish(tool->user);
    _exit(0);
}

struct counted {
    struct str text;
    uint64_t bytes;
};

static void forget(void *user)
{
    struct counted *counted = user;
    counted->bytes += counted->text.length;
    str_clear(&counted->text);
}

/* Exits with 0 when the timeline equals the recorded one. */
static void read_all(uint64_t launches)
{
    struct session_reader *reader;
    struct session_trace trace;
    struct counted counted = {0};
    struct str summary = {0};
    char wanted[128];
    if (session_open_timeline(folder, &reader, NULL) != SW_OK) _exit(1);
    if (session_trace_read(reader, &trace, NULL) != SW_OK) _exit(2);
    if (trace.item_count != 2 * launches + launches / EVERY) _exit(3);
    struct session_trace_out out = {.text = &counted.text, .flush = forget, .user = &counted};
    session_trace_json(&trace, &out);
    session_trace_summary(&trace, &summary);
    if (counted.bytes < 600 * launches || session_trace_status(&trace, NULL) != SW_OK) _exit(4);
    snprintf(wanted, sizeof wanted, "kernels                       50.0 %%");
    if (!strstr(str_text(&summary), wanted)) _exit(5);
    snprintf(wanted, sizeof wanted, "k()                           50.0 %%"); /* all on the critical path */
    const char *path = strstr(str_text(&summary), wanted), *end = path ? strchr(path, '\n') : NULL;
    snprintf(wanted, sizeof wanted, ", %llu", (unsigned long long)launches);
    if (!end || strncmp(end - strlen(wanted), wanted, strlen(wanted)) != 0) _exit(6);
    session_trace_release(&trace);
    session_close(reader);
    _exit(0);
}

static long in_child(void (*work)(uint64_t), uint64_t launches)
{
    struct rusage usage;
    int status;
    pid_t child = fork();
    if (child == 0) work(launches);
    assert_true(wait4(child, &status, 0, &usage) == child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    return usage.ru_maxrss; /* KiB */
}

struct peaks {
    long writer, reader;
};

static struct peaks peaks_of(uint64_t launches)
{
    struct peaks peaks;
    char command[128];
    strcpy(folder, "/tmp/trace-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    peaks.writer = in_child(record_all, launches);
    peaks.reader = in_child(read_all, launches);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    printf("%llu launches: %ld KiB to write, %ld KiB to read\n", (unsigned long long)launches, peaks.writer,
           peaks.reader);
    return peaks;
}

/* docs/clock.md states the bound. */
static void memory_does_not_follow_launches(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    (void)peaks_of(1000);
    skip(); /* a sanitizer keeps what was freed: peaks say nothing */
#endif
    struct peaks few = peaks_of(1000), many = peaks_of(100000), more = peaks_of(200000);
    assert_true(many.writer - few.writer < 2048);
    assert_true(many.reader - few.reader < 20 << 10);
    assert_true(more.reader - many.reader < 2048);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_does_not_follow_launches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
