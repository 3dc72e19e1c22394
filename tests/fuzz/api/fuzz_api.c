/* SPDX-License-Identifier: Apache-2.0 */
/* Random sequences of calls of libcuda and libcudart, each in a process of its own that loads the libraries
 * itself, with limits of memory and time. A failure is death by a signal, an exit with a sanitizer's status,
 * or a hang.
 *
 * Limits: a hang is no failure where the sequence has a call that may wait for ever by right (a value that
 * nobody writes, a conditional loop). With several threads a sequence repeats only as its threads happen to
 * run. */
#include "api.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char USAGE[] =
    "usage: fuzz_api [--seed N] [--count N] [--jobs N] [--threads N] [--only FUNCTION] [--seconds N]\n"
    "       fuzz_api --minimise SEED | --print SEED | --functions [--seed N --count N]\n"
    "\n"
    "  --seed N       the first sequence (1); each has the next number\n"
    "  --count N      how many sequences (100)\n"
    "  --seconds N    no new sequence after so long\n"
    "  --jobs N       how many at a time (2)\n"
    "  --stand-ins    calls of cuBLAS, cuFFT, cuRAND, cuSPARSE and cuSOLVER\n"
    "  --threads N    of each sequence (by its seed: 1 to 8)\n"
    "  --only NAME    mostly calls of this function, and of those that make what it takes\n"
    "  --hang N       a sequence hangs after so many seconds (10)\n"
    "  --memory N     MiB of writable memory of each (4096; 0: no limit)\n"
    "  --print SEED   run a sequence in this process and print its calls\n"
    "  --minimise SEED   remove calls for as long as the sequence fails, then print what is left\n"
    "  --functions    which functions were reached, and which of them succeeded\n"
    "  --libraries DIR   where libcuda.so.1 and libcudart.so.13 are\n";

enum { MOST_JOBS = 64 };
enum failure { FINE, SIGNAL, STATUS, HANG };
struct outcome {
    enum failure failure;
    int detail, function; /* signal or status; what was being called, -1 */
};
struct job {
    pid_t pid;
    uint64_t seed;
    struct timespec start;
    struct progress *progress;
    struct sequence *sequence;
};
static struct {
    uint64_t seed;
    unsigned count, jobs, hang, memory, seconds;
    struct choice choice;
    bool functions;
    const char *libraries, *folder;
} options = {.seed = 1, .count = 100, .jobs = 2, .hang = 10, .memory = 4096, .choice = {.only = -1}};

static void *map_shared(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at != MAP_FAILED) return at;
    perror("fuzz_api: mmap");
    exit(2);
}

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) * 1e-9;
}

/* ---- in the process of a sequence */

static void *library_open(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", options.libraries ? options.libraries : "", name);
    void *library = dlopen(options.libraries ? path : name, RTLD_NOW | RTLD_GLOBAL);
    if (library) return library;
    fprintf(stderr, "fuzz_api: %s\n", dlerror());
    _exit(2);
}

static void sequence_process(struct sequence *sequence, struct progress *progress, FILE *print)
{
    struct rlimit none = {0, 0};
    rlim_t bytes = (rlim_t)options.memory << 20;
    struct rlimit memory = {bytes, bytes};
    setrlimit(RLIMIT_CORE, &none);
    if (options.memory) setrlimit(RLIMIT_DATA, &memory);
    api_values_open();
    void *libraries[API_LIBRARIES] = {NULL};
    for (unsigned i = 0; i < (sequence->stand_ins ? API_LIBRARIES : 2u); i++)
        libraries[i] = library_open(api_libraries[i]);
    api_sequence_run(sequence, libraries, progress, print);
    progress->done = true;
}

static void child(struct sequence *sequence, struct progress *progress, const char *log)
{
    int nothing = open("/dev/null", O_RDWR), output = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(nothing, 0);
    dup2(output, 1);
    dup2(output, 2);
    setpgid(0, 0);
    sequence_process(sequence, progress, NULL);
    exit(0);
}

/* ---- outcomes */

static int function_at(const struct job *job)
{
    int at = job->sequence->threads == 1 ? job->progress->at[0] : -1;
    return at >= 0 && !job->progress->done ? (int)job->sequence->calls[at].function : -1;
}

static void log_name(char *name, size_t bytes, uint64_t seed)
{
    snprintf(name, bytes, "%s/%llu.log", options.folder, (unsigned long long)seed);
}

/* After a kernel's fault the address sanitizer takes the stack of a thread for what it was before, and says
 * so. */
static bool report_is_doubtful(uint64_t seed)
{
    char name[4096], line[512];
    bool doubtful = false;
    log_name(name, sizeof name, seed);
    FILE *file = fopen(name, "r");
    while (file && !doubtful && fgets(line, sizeof line, file))
        doubtful = strstr(line, "False positive error reports may follow") != NULL;
    if (file) fclose(file);
    return doubtful;
}

static struct outcome outcome_of(const struct job *job, int status, bool hangs)
{
    struct outcome outcome = {FINE, 0, function_at(job)};
    if (hangs)
        outcome.failure = job->progress->waits ? FINE : HANG;
    else if (WIFSIGNALED(status))
        outcome.failure = SIGNAL, outcome.detail = WTERMSIG(status);
    else if (WEXITSTATUS(status) && !report_is_doubtful(job->seed))
        outcome.failure = STATUS, outcome.detail = WEXITSTATUS(status);
    return outcome;
}

static void job_begin(struct job *job)
{
    char log[4096];
    log_name(log, sizeof log, job->seed);
    memset(job->progress, 0, sizeof *job->progress);
    memset(job->progress->at, 0xff, sizeof job->progress->at);
    clock_gettime(CLOCK_MONOTONIC, &job->start);
    fflush(NULL);
    job->pid = fork();
    if (job->pid == 0) child(job->sequence, job->progress, log);
    if (job->pid < 0) {
        perror("fuzz_api: fork");
        exit(2);
    }
}

/* Whether a job is over; then outcome says how. */
static bool job_ended(struct job *job, struct outcome *outcome)
{
    int status;
    bool hangs = false;
    pid_t pid = waitpid(job->pid, &status, WNOHANG);
    if (pid == 0 && seconds_since(&job->start) < options.hang) return false;
    if (pid == 0) {
        hangs = true;
        kill(-job->pid, SIGKILL);
        kill(job->pid, SIGKILL);
        waitpid(job->pid, &status, 0);
    }
    *outcome = outcome_of(job, status, hangs);
    job->pid = 0;
    return true;
}

static void log_remove(uint64_t seed)
{
    char name[4096];
    log_name(name, sizeof name, seed);
    unlink(name);
}

static void outcome_print(const struct job *job, const struct outcome *outcome)
{
    printf("seed %llu: ", (unsigned long long)job->seed);
    if (outcome->failure == SIGNAL) printf("%s", strsignal(outcome->detail));
    if (outcome->failure == STATUS) printf("status %d", outcome->detail);
    if (outcome->failure == HANG) printf("hangs");
    printf(" in %s, %u threads\n", outcome->function >= 0 ? api_functions[outcome->function].name : "?",
           job->sequence->threads);
    fflush(stdout);
}

static void log_print(uint64_t seed, unsigned most)
{
    char name[4096], line[512];
    log_name(name, sizeof name, seed);
    FILE *file = fopen(name, "r");
    if (!file) return;
    while (most-- && fgets(line, sizeof line, file))
        printf("    %s", line);
    fclose(file);
}

static struct job job_new(void)
{
    return (struct job){.progress = map_shared(sizeof(struct progress)),
                        .sequence = map_shared(sizeof(struct sequence))};
}

/* ---- many sequences */

static void functions_print(const unsigned char *called, const unsigned char *succeeded)
{
    unsigned reached = 0, fine = 0, first = options.choice.stand_ins ? api_base_functions : 0,
             end = first ? api_function_count : api_base_functions;
    for (unsigned i = first; i < end; i++) {
        reached += called[i];
        fine += succeeded[i];
        if (!called[i]) printf("not reached: %s\n", api_functions[i].name);
    }
    for (unsigned i = first; i < end; i++)
        if (called[i] && !succeeded[i]) printf("never succeeded: %s\n", api_functions[i].name);
    printf("%u functions, %u reached, %u succeeded\n", end - first, reached, fine);
}

static bool next_seed(uint64_t *next, const struct timespec *start)
{
    if (*next >= options.seed + options.count) return false;
    return !options.seconds || seconds_since(start) < options.seconds;
}

static int run_many(void)
{
    struct job jobs[MOST_JOBS];
    static unsigned char called[MOST_FUNCTIONS], succeeded[MOST_FUNCTIONS];
    uint64_t next = options.seed;
    unsigned failures = 0, running = 0, ended = 0;
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (unsigned i = 0; i < options.jobs; i++)
        jobs[i] = job_new();
    while (running || next_seed(&next, &start)) {
        for (unsigned i = 0; i < options.jobs; i++) {
            struct job *job = &jobs[i];
            struct outcome outcome;
            if (!job->pid && next_seed(&next, &start)) {
                job->seed = next++;
                api_sequence_make(job->sequence, job->seed, &options.choice);
                job_begin(job);
                running++;
            } else if (job->pid && job_ended(job, &outcome)) {
                running--, ended++;
                for (unsigned f = 0; f < api_function_count; f++) {
                    called[f] |= job->progress->called[f];
                    succeeded[f] |= job->progress->succeeded[f];
                }
                if (outcome.failure != FINE) {
                    failures++;
                    outcome_print(job, &outcome);
                    log_print(job->seed, 30);
                }
                log_remove(job->seed);
            }
        }
        poll(NULL, 0, 2);
    }
    if (options.functions) functions_print(called, succeeded);
    printf("%u sequences, %u failed, %.0f s\n", ended, failures, seconds_since(&start));
    return failures != 0;
}

/* ---- one sequence */

static struct outcome run_one(struct job *job)
{
    struct outcome outcome;
    job_begin(job);
    while (!job_ended(job, &outcome))
        poll(NULL, 0, 1);
    return outcome;
}

static bool same(const struct outcome *a, const struct outcome *b)
{
    return a->failure == b->failure && a->detail == b->detail && a->function == b->function;
}

/* Whether it fails as before; of several threads, whether it does so once in five times. */
static bool still_fails(struct job *job, const struct outcome *before)
{
    for (unsigned i = 0; i < (job->sequence->threads > 1 ? 5 : 1); i++) {
        struct outcome outcome = run_one(job);
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

static void minimise(struct job *job, const struct outcome *before)
{
    struct sequence *sequence = job->sequence, kept;
    for (unsigned size = sequence->count / 2; size; size /= 2) {
        for (unsigned from = 0; from < sequence->count; from += size) {
            kept = *sequence;
            if (!remove_some(sequence, from, size, true) || still_fails(job, before)) continue;
            *sequence = kept;
        }
        fprintf(stderr, "%u calls left\n", left(sequence));
    }
}

static void minimise_world(struct job *job, const struct outcome *before)
{
    for (unsigned i = 0; i < WORLD_GROUPS; i++) {
        unsigned kept = job->sequence->world;
        job->sequence->world &= ~(1u << i);
        if (job->sequence->world != kept && !still_fails(job, before)) job->sequence->world = kept;
    }
}

static int entry_remove(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status, (void)type, (void)where;
    return remove(path);
}

static void folder_remove(void)
{
    if (chdir("/") == 0) nftw(options.folder, entry_remove, 16, FTW_DEPTH | FTW_PHYS);
}

static void print_here(const struct sequence *sequence)
{
    static struct progress progress;
    static struct sequence copy;
    copy = *sequence;
    api_values_declare(stdout);
    sequence_process(&copy, &progress, stdout);
    fflush(stdout);
    folder_remove();
    exit(0);
}

static int run_minimise(uint64_t seed, bool only_print)
{
    struct job job = job_new();
    job.seed = seed;
    api_sequence_make(job.sequence, seed, &options.choice);
    if (only_print) print_here(job.sequence);
    struct outcome before = run_one(&job);
    if (before.failure == FINE) {
        printf("seed %llu does not fail\n", (unsigned long long)seed);
        return 1;
    }
    outcome_print(&job, &before);
    minimise_world(&job, &before);
    minimise(&job, &before);
    minimise_world(&job, &before);
    log_print(seed, 30);
    fflush(stdout);
    if (fork() == 0) print_here(job.sequence);
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (waitpid(-1, NULL, WNOHANG) == 0 && seconds_since(&start) < options.hang)
        poll(NULL, 0, 1);
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
    static char folder[4096];
    const char *place = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/fuzz_api.XXXXXX", place ? place : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        fprintf(stderr, "fuzz_api: %s: %s\n", folder, strerror(errno));
        exit(2);
    }
    options.folder = folder;
    setenv("CUDA_CACHE_PATH", folder, 1);
    setenv("SOFTWARP_RUNTIME_DIR", folder, 1);
    setenv("ASAN_OPTIONS",
           "exitcode=99:detect_leaks=0:allow_user_segv_handler=1:handle_segv=1:allocator_may_return_null=1",
           0);
    setenv("UBSAN_OPTIONS", "exitcode=99:halt_on_error=1:print_stacktrace=1", 0);
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
        STAND_INS
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
                                         {NULL, 0, NULL, 0}};
    uint64_t one = 0;
    bool print = false, shorten = false;
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
        case HANG_AFTER: options.hang = (unsigned)strtoul(optarg, NULL, 0); break;
        case MEMORY: options.memory = (unsigned)strtoul(optarg, NULL, 0); break;
        case SECONDS: options.seconds = (unsigned)strtoul(optarg, NULL, 0); break;
        case PRINT: print = true, one = strtoull(optarg, NULL, 0); break;
        case MINIMISE: shorten = true, one = strtoull(optarg, NULL, 0); break;
        case FUNCTIONS_: options.functions = true; break;
        case LIBRARIES: options.libraries = realpath(optarg, NULL); break;
        default: fputs(USAGE, stderr); return 2;
        }
    folder_enter();
    int status = print || shorten ? run_minimise(one, print) : run_many();
    folder_remove();
    return status;
}
