/* SPDX-License-Identifier: Apache-2.0 */
/* Predicts again the launches that a session folder holds, with the parameters of a GPU file as they are now:
 * a fit tries many in seconds. usage: hw_time options FOLDER   (writes what the tools of a program are to do)
 *         hw_time predict FOLDER GPU   (one line a launch: kernel, ns, limit, cycles, instructions, cycles of
 * each bound and of the replay, stall reasons) */
#include "arch/arch.h"
#include "session/session.h"
#include "timing/timing_kernel.h"

#include <stdio.h>
#include <string.h>

static enum sw_status print(void *user, const struct session_process *process,
                            const struct event_launch *launch, struct sw_error *error)
{
    struct event_time t;
    (void)process, (void)error;
    if (!timing_kernel(user, launch, &t)) {
        printf("%s 0\n", launch->kernel->name);
        return SW_OK;
    }
    printf("%s %llu %u %.1f %.0f", launch->kernel->name, (unsigned long long)t.duration_ns, t.limit, t.cycles,
           t.instructions);
    for (int i = 0; i < EVENT_LIMIT_COUNT; i++)
        printf(" %.1f", t.busy[i] * t.cycles);
    printf(" %.0f", launch->memory ? (double)launch->memory->cycles : 0.0);
    for (int i = 0; i < EVENT_STALL_COUNT; i++)
        printf(" %s=%.3f", timing_stall_name(i), t.stalls[i]);
    printf("\n");
    return SW_OK;
}

int main(int argc, char **argv)
{
    struct sw_error error = {0};
    struct session_options options = {.watch = true, .memory = true};
    struct session_reader *reader;
    struct arch_gpu gpu;
    enum sw_status status;
    if (argc == 3 && strcmp(argv[1], "options") == 0) {
        status = session_options_write(argv[2], &options, &error);
    } else if (argc == 4 && strcmp(argv[1], "predict") == 0) {
        status = arch_gpu_load(argv[3], &gpu, &error);
        if (status == SW_OK) status = session_open(argv[2], &reader, &error);
        if (status == SW_OK) {
            status = session_each_launch(reader, print, &gpu, &error);
            session_close(reader);
        }
    } else {
        return fprintf(stderr, "usage: hw_time options FOLDER | predict FOLDER GPU\n"), 2;
    }
    if (status != SW_OK) fprintf(stderr, "%s\n", error.message);
    return status != SW_OK;
}
