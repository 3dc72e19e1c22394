/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences in processes of their own (api_process.c), and many of them (api_many.c). */
#ifndef FUZZ_API_PROCESS_H
#define FUZZ_API_PROCESS_H

#include "api.h"

#include <time.h>

enum failure { FINE, SIGNAL, STATUS, HANG };
struct outcome {
    enum failure failure;
    int detail, function; /* signal or status; what was being called, -1 */
};
struct limits {
    unsigned hang, memory; /* seconds; MiB of writable memory, 0: no limit */
    const char *libraries; /* the folder where they are, or NULL */
};
struct worker {
    struct limits limits;
    uint64_t seed;
    struct progress *progress; /* both shared with the processes of sequences */
    struct sequence *sequence;
    void *libraries[API_LIBRARIES]; /* none in one that is fresh */
    FILE *report;
};

/* What sanitizers in the libraries are told, if nothing else is in the environment. */
void api_process_options(void);
void *api_process_shared(size_t bytes);
double api_process_seconds(const struct timespec *start);
/* Makes this process a worker: its output goes to a log from here on. */
void api_process_worker(struct worker *worker);
void api_process_load(struct worker *worker, bool stand_ins);
/* Runs the worker's sequence in a process of its own. */
struct outcome api_process_run(struct worker *worker);
/* The same in this process. */
void api_process_sequence(struct worker *worker, FILE *print);
void api_process_report(const struct worker *worker, const struct outcome *outcome);
/* The first lines of what the last sequence printed. */
void api_process_log(const struct worker *worker, unsigned most);

struct campaign {
    uint64_t seed;
    unsigned count, jobs, seconds;
    bool functions; /* print which functions were reached */
    struct choice choice;
    struct limits limits;
};
enum { MOST_JOBS = 64 };
/* Whether none failed. */
bool api_many(const struct campaign *campaign);

#endif
