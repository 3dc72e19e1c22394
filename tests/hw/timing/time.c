/* SPDX-License-Identifier: Apache-2.0 */
/* Predicts again the launches that a session folder holds, with the parameters of a GPU file as they are now:
 * a fit tries many in seconds. usage:
 *   hw_time options FOLDER [SAMPLE]    writes what the tools of a program are to do; SAMPLE: as of profile
 *   hw_time predict FOLDER GPU         one line a launch: kernel, ns, limit, cycles, instructions, cycles of
 *                                      each bound and of the replay, stall reasons
 *   hw_time metrics FOLDER GPU NAMES   one line a launch: the metrics of these names (commas between) */
#include "arch/arch.h"
#include "prof/prof.h"
#include "session/session.h"
#include "timing/timing_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum sw_status print(void *user, const struct session_process *process,
                            const struct event_launch *launch, struct sw_error *error)
{
    struct event_time t;
    (void)process, (void)error;
    if (!timing_kernel(user, NULL, launch, &t, NULL)) {
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

struct metrics {
    const struct arch_gpu *gpu;
    int index[32];
    int count;
    struct report_value *values; /* of all metrics */
};

static bool find_metrics(struct metrics *metrics, char *names)
{
    for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
        int index = prof_metric_find(name);
        if (index < 0 || metrics->count == 32) return false;
        metrics->index[metrics->count++] = index;
    }
    return metrics->count > 0;
}

static enum sw_status print_metrics(void *user, const struct session_process *process,
                                    const struct event_launch *launch, struct sw_error *error)
{
    struct metrics *metrics = user;
    struct prof_launch prof;
    (void)error;
    if (!launch->counters) return SW_OK;
    prof_launch_init(&prof, launch, process->name, launch->kernel->name, metrics->gpu,
                     arch_cc_find(metrics->gpu->cc_major, metrics->gpu->cc_minor));
    prof_metric_values(&prof, metrics->values);
    printf("%s", launch->kernel->name);
    for (int i = 0; i < metrics->count; i++) {
        const struct report_value *v = &metrics->values[metrics->index[i]];
        if (v->kind == REPORT_REAL)
            printf(",%.6g", v->real);
        else
            printf(",%llu", (unsigned long long)v->integer);
    }
    printf("\n");
    return SW_OK;
}

static enum sw_status visit(const char *folder, const char *file, session_visit each, struct arch_gpu *gpu,
                            void *user, struct sw_error *error)
{
    struct session_reader *reader;
    enum sw_status status = arch_gpu_load(file, gpu, error);
    if (status == SW_OK) status = session_open(folder, &reader, error);
    if (status != SW_OK) return status;
    status = session_each_launch(reader, each, user, error);
    session_close(reader);
    return status;
}

int main(int argc, char **argv)
{
    struct sw_error error = {0};
    struct session_options options = {.detail = true, .memory = true};
    struct arch_gpu gpu;
    struct metrics metrics = {.gpu = &gpu};
    enum sw_status status = SW_OK;
    if (argc >= 3 && argc <= 4 && strcmp(argv[1], "options") == 0) {
        unsigned every = argc == 4 ? (unsigned)atoi(argv[3]) : 0;
        while (every >> options.sample)
            options.sample++;
        status = session_options_write(argv[2], &options, &error);
    } else if (argc == 4 && strcmp(argv[1], "predict") == 0) {
        status = visit(argv[2], argv[3], print, &gpu, &gpu, &error);
    } else if (argc == 5 && strcmp(argv[1], "metrics") == 0 && find_metrics(&metrics, argv[4])) {
        metrics.values = sw_xcalloc(prof_metric_count(), sizeof *metrics.values);
        status = visit(argv[2], argv[3], print_metrics, &gpu, &metrics, &error);
        free(metrics.values);
    } else {
        return fprintf(stderr, "usage: hw_time options FOLDER [SAMPLE] | predict FOLDER GPU | metrics FOLDER "
                               "GPU NAMES\n"),
               2;
    }
    if (status != SW_OK) fprintf(stderr, "%s\n", error.message);
    return status != SW_OK;
}
