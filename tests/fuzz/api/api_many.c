/* SPDX-License-Identifier: Apache-2.0 */
/* Many sequences: workers, each a process, take one seed after the other. One seed in FRESH goes to a worker
 * that has no libraries loaded, since what they do when they are loaded is also to be tried. */
#include "api_process.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRESH = 64 };

static struct common {                 /* of all workers */
    _Atomic uint64_t next, next_fresh; /* how many seeds were looked at */
    atomic_uint running;               /* workers that are not fresh */
    atomic_ulong ended, failed, calls;
    unsigned char called[MOST_FUNCTIONS], succeeded[MOST_FUNCTIONS];
} *common;

/* The worker that is fresh waits for the others, so that its part of the sequences stays one in FRESH. */
static void wait_for_others(const struct campaign *campaign, uint64_t index)
{
    while (index > common->next && common->next < campaign->count && common->running)
        poll(NULL, 0, 2);
}

static bool seed_next(const struct campaign *campaign, const struct timespec *start, bool fresh,
                      uint64_t *seed)
{
    uint64_t index;
    do {
        index = atomic_fetch_add(fresh ? &common->next_fresh : &common->next, 1);
        *seed = campaign->seed + index;
    } while ((*seed % FRESH == 0) != fresh && index < campaign->count);
    if (fresh) wait_for_others(campaign, index);
    if (campaign->seconds && api_process_seconds(start) >= campaign->seconds) return false;
    return index < campaign->count;
}

static void worker_run(const struct campaign *campaign, const struct timespec *start, bool fresh)
{
    struct worker worker = {.limits = campaign->limits};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    api_process_worker(&worker);
    if (!fresh) api_process_load(&worker, campaign->choice.stand_ins);
    while (seed_next(campaign, start, fresh, &worker.seed)) {
        api_sequence_make(worker.sequence, worker.seed, &campaign->choice);
        struct outcome outcome = api_process_run(&worker);
        common->ended++;
        if (outcome.failure == FINE) continue;
        common->failed++;
        api_process_report(&worker, &outcome);
        api_process_log(&worker, 30);
    }
    if (!fresh) common->running--;
    common->calls += worker.progress->calls;
    for (unsigned f = 0; f < api_function_count; f++) {
        common->called[f] |= worker.progress->called[f];
        common->succeeded[f] |= worker.progress->succeeded[f];
    }
    exit(0);
}

static void functions_print(bool stand_ins)
{
    unsigned reached = 0, fine = 0, first = stand_ins ? api_base_functions : 0,
             end = first ? api_function_count : api_base_functions;
    for (unsigned i = first; i < end; i++) {
        reached += common->called[i];
        fine += common->succeeded[i];
        if (!common->called[i]) printf("not reached: %s\n", api_functions[i].name);
    }
    for (unsigned i = first; i < end; i++)
        if (common->called[i] && !common->succeeded[i])
            printf("never succeeded: %s\n", api_functions[i].name);
    printf("%u functions, %u reached, %u succeeded\n", end - first, reached, fine);
}

bool api_many(const struct campaign *campaign)
{
    struct timespec start;
    int status;
    bool fine = true;
    clock_gettime(CLOCK_MONOTONIC, &start);
    common = api_process_shared(sizeof *common);
    common->running = campaign->jobs;
    for (unsigned i = 0; i <= campaign->jobs; i++) /* the first is fresh */
        if (fork() == 0) worker_run(campaign, &start, i == 0);
    while (wait(&status) > 0)
        fine &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!fine) printf("a worker ended before its time\n");
    if (campaign->functions) functions_print(campaign->choice.stand_ins);
    printf("%lu sequences, %lu calls, %lu failed, %.0f s\n", common->ended, common->calls, common->failed,
           api_process_seconds(&start));
    return fine && !common->failed;
}
