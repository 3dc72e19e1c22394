/* SPDX-License-Identifier: Apache-2.0 */
/* Random sequences of calls of libcuda and libcudart, or of the libraries that stand in for NVIDIA's, each in
 * a process of its own (api_process.c). A failure is death by a signal, an exit with a sanitizer's status, or
 * a hang.
 *
 * Limits: a hang is no failure where the sequence has a call that may wait for ever by right (a value that
 * nobody writes, a conditional loop). With several threads a sequence repeats only as its threads happen to
 * run. */
#include "api_process.h"

#include <errno.h>
#include <ftw.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char USAGE[] =
    "usage: fuzz_api [--seed N] [--count N] [--jobs N] [--threads N] [--only FUNCTION] [--seconds N]\n"
    "       fuzz_api --minimise SEED | --print SEED | --functions [--seed N --count N]\n"
    "\n"
    "  --seed N       the first sequence (1); each has the next number\n"
    "  --count N      how many sequences (100)\n"
    "  --seconds N    no new sequence after so long\n"
    "  --jobs N       how many at a time (2)\n"
    "  --stand-ins    calls of the libraries that stand in for NVIDIA's\n"
    "  --threads N    of each sequence (by its seed: 1 to 8)\n"
    "  --only NAME    mostly calls of this function, and of those that make what it takes\n"
    "  --hang N       a sequence hangs after so many seconds (10)\n"
    "  --memory N     MiB of writable memory of each (4096; 0: no limit, as under a sanitizer)\n"
    "  --print SEED   run a sequence and print its calls\n"
    "  --minimise SEED   remove calls for as long as the sequence fails, then print what is left\n"
    "  --functions    which functions were reached, and which of them succeeded\n"
    "  --fresh        with --minimise: the sequence loads the libraries itself\n"
    "  --libraries DIR   where libcuda.so.1 and libcudart.so.13 are\n";

#ifdef SANITIZED
enum { MEMORY_MIB = 0 }; /* the sanitizer takes terabytes of address space */
#else
enum { MEMORY_MIB = 4096 };
#endif

static struct campaign options = {
    .seed = 1, .count = 100, .jobs = 2, .limits = {.hang = 10, .memory = MEMORY_MIB}, .choice = {.only = -1}};
static char folder[4096];

/* ---- one sequence */

static bool same(const struct outcome *a, const struct outcome *b)
{
    return a->failure == b->failure && a->detail == b->detail && a->function == b->function;
}

/* Whether it fails as before; of several threads, whether it does so once in five times. */
static bool still_fails(struct worker *worker, const struct outcome *before)
{
    for (unsigned i = 0; i < (worker->sequence->threads > 1 ? 5 : 1); i++) {
        struct outcome outcome = api_process_run(worker);
        if (same(&outcome, before)) return true;
    }
    return false;
}

static unsigned remove_some(struct sequence *sequence, unsigned from, unsigned most, bool removed)
{
    unsigned count = 0;
    for (unsigned i = from; i < sequence->count && count < most; i++) {
        if (sequence->calls[i].removed == removed) continue;
        sequence->calls[i].removed = removed;
        count++;
    }
    return count;
}

static unsigned left(const struct sequence *sequence)
{
    unsigned count = 0;
    for (unsigned i = 0; i < sequence->count; i++)
        count += !sequence->calls[i].removed;
    return count;
}

static void minimise(struct worker *worker, const struct outcome *before)
{
    struct sequence *sequence = worker->sequence, kept;
    for (unsigned size = sequence->count / 2; size; size /= 2) {
        for (unsigned from = 0; from < sequence->count; from += size) {
            kept = *sequence;
            if (!remove_some(sequence, from, size, true) || still_fails(worker, before)) continue;
            *sequence = kept;
        }
        fprintf(worker->report, "%u calls left\n", left(sequence));
        fflush(worker->report);
    }
}

static void minimise_world(struct worker *worker, const struct outcome *before)
{
    for (unsigned i = 0; i < WORLD_GROUPS; i++) {
        unsigned kept = worker->sequence->world;
        worker->sequence->world &= ~(1u << i);
        if (worker->sequence->world != kept && !still_fails(worker, before)) worker->sequence->world = kept;
    }
}

static int entry_remove(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status, (void)type, (void)where;
    return remove(path);
}

static void folder_remove(void)
{
    if (chdir("/") == 0) nftw(folder, entry_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* In a process of its own, since the sequence may hang or die, but with this one's output. */
static void print(const struct sequence *sequence)
{
    struct worker worker = {.limits = options.limits};
    worker.sequence = api_process_shared(sizeof *sequence);
    worker.progress = api_process_shared(sizeof *worker.progress);
    *worker.sequence = *sequence;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        api_values_declare(stdout);
        api_process_sequence(&worker, stdout);
        exit(0);
    }
    unsigned waits = options.limits.hang * 100;
    while (waits-- && waitpid(pid, NULL, WNOHANG) == 0)
        poll(NULL, 0, 10);
    kill(pid, SIGKILL);
}

static int run_print(uint64_t seed)
{
    static struct sequence sequence;
    api_sequence_make(&sequence, seed, &options.choice);
    print(&sequence);
    return 0;
}

/* In a worker, whose report is the output. */
static void minimise_here(struct worker *worker, bool fresh)
{
    api_process_worker(worker);
    api_sequence_make(worker->sequence, worker->seed, &options.choice);
    if (!fresh) api_process_load(worker, worker->sequence->stand_ins);
    struct outcome before = api_process_run(worker);
    if (before.failure == FINE) {
        fprintf(worker->report, "seed %llu does not fail\n", (unsigned long long)worker->seed);
        exit(1);
    }
    api_process_report(worker, &before);
    minimise_world(worker, &before);
    minimise(worker, &before);
    minimise_world(worker, &before);
    api_process_log(worker, 30);
    exit(0);
}

static int run_minimise(uint64_t seed, bool fresh)
{
    int status;
    struct worker worker = {.limits = options.limits, .seed = seed};
    worker.sequence = api_process_shared(sizeof *worker.sequence);
    pid_t pid = fork();
    if (pid == 0) minimise_here(&worker, fresh);
    waitpid(pid, &status, 0);
    if (status) return 1;
    print(worker.sequence);
    return 0;
}

/* ---- options */

static int function_named(const char *name)
{
    for (unsigned i = 0; i < api_function_count; i++)
        if (strcmp(api_functions[i].name, name) == 0) return (int)i;
    fprintf(stderr, "fuzz_api: no function '%s'\n", name);
    exit(2);
}

static void folder_enter(void)
{
    const char *place = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/fuzz_api.XXXXXX", place ? place : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        fprintf(stderr, "fuzz_api: %s: %s\n", folder, strerror(errno));
        exit(2);
    }
    setenv("CUDA_CACHE_PATH", folder, 1);
    setenv("SOFTWARP_RUNTIME_DIR", folder, 1);
    api_process_options();
}

int main(int argc, char **argv)
{
    enum {
        SEED = 1,
        COUNT,
        JOBS,
        THREADS,
        ONLY,
        HANG_AFTER,
        MEMORY,
        PRINT,
        MINIMISE,
        FUNCTIONS_,
        LIBRARIES,
        SECONDS,
        STAND_INS,
        FRESH
    };
    static const struct option LIST[] = {{"seed", 1, NULL, SEED},
                                         {"count", 1, NULL, COUNT},
                                         {"jobs", 1, NULL, JOBS},
                                         {"threads", 1, NULL, THREADS},
                                         {"only", 1, NULL, ONLY},
                                         {"stand-ins", 0, NULL, STAND_INS},
                                         {"hang", 1, NULL, HANG_AFTER},
                                         {"memory", 1, NULL, MEMORY},
                                         {"print", 1, NULL, PRINT},
                                         {"minimise", 1, NULL, MINIMISE},
                                         {"functions", 0, NULL, FUNCTIONS_},
                                         {"libraries", 1, NULL, LIBRARIES},
                                         {"seconds", 1, NULL, SECONDS},
                                         {"fresh", 0, NULL, FRESH},
                                         {NULL, 0, NULL, 0}};
    uint64_t one = 0;
    bool only_print = false, shorten = false, fresh = false;
    int option;
    if (!(personality(0xffffffff) & ADDR_NO_RANDOMIZE) && personality(ADDR_NO_RANDOMIZE) >= 0)
        execv("/proc/self/exe", argv); /* the same addresses in each run */
    while ((option = getopt_long(argc, argv, "", LIST, NULL)) != -1)
        switch (option) {
        case SEED: options.seed = strtoull(optarg, NULL, 0); break;
        case COUNT: options.count = (unsigned)strtoul(optarg, NULL, 0); break;
        case JOBS: options.jobs = (unsigned)strtoul(optarg, NULL, 0) % MOST_JOBS; break;
        case STAND_INS: options.choice.stand_ins = true; break;
        case THREADS: options.choice.threads = (unsigned)strtoul(optarg, NULL, 0) % (MOST_THREADS + 1); break;
        case ONLY: options.choice.only = function_named(optarg); break;
        case HANG_AFTER: options.limits.hang = (unsigned)strtoul(optarg, NULL, 0); break;
        case MEMORY: options.limits.memory = (unsigned)strtoul(optarg, NULL, 0); break;
        case SECONDS: options.seconds = (unsigned)strtoul(optarg, NULL, 0); break;
        case PRINT: only_print = true, one = strtoull(optarg, NULL, 0); break;
        case MINIMISE: shorten = true, one = strtoull(optarg, NULL, 0); break;
        case FRESH: fresh = true; break;
        case FUNCTIONS_: options.functions = true; break;
        case LIBRARIES: options.limits.libraries = realpath(optarg, NULL); break;
        default: fputs(USAGE, stderr); return 2;
        }
    folder_enter();
    int status = only_print ? run_print(one) : shorten ? run_minimise(one, fresh) : !api_many(&options);
    folder_remove();
    return status;
}
