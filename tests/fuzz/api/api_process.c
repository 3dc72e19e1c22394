/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence in a process of its own, with limits of memory and time, and how it ended. The process is forked
 * from a worker, which has the libraries loaded but never calls them, so that they need not be loaded and
 * relocated for each sequence (half of its time). A worker that is fresh has none loaded: there the sequence
 * loads them itself, as a program does.
 *
 * What a sequence prints goes to a file in memory, which its worker empties before the next one. */
#include "api_process.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOG = 1, WAITS_SECONDS = 1 };

void api_process_options(void)
{
    setenv("ASAN_OPTIONS",
           "exitcode=99:detect_leaks=0:allow_user_segv_handler=1:handle_segv=1:allocator_may_return_null=1",
           0);
    setenv("UBSAN_OPTIONS", "exitcode=99:halt_on_error=1:print_stacktrace=1", 0);
}

void *api_process_shared(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at != MAP_FAILED) return at;
    perror("fuzz_api: mmap");
    exit(2);
}

double api_process_seconds(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) * 1e-9;
}

/* ---- libraries */

static void *library_open(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "", name);
    void *library = dlopen(folder ? path : name, RTLD_NOW | RTLD_GLOBAL);
    if (library) return library;
    fprintf(stderr, "fuzz_api: %s\n", dlerror());
    _exit(2);
}

static void libraries_open(struct worker *worker, bool stand_ins)
{
    for (unsigned i = 0; i < (stand_ins ? API_LIBRARIES : 2u); i++)
        if (!worker->libraries[i])
            worker->libraries[i] = library_open(worker->limits.libraries, api_libraries[i]);
}

void api_process_load(struct worker *worker, bool stand_ins)
{
    libraries_open(worker, stand_ins);
    api_sequence_prepare(worker->libraries);
}

/* ---- the worker */

static void limit(int what, rlim_t most)
{
    struct rlimit both = {most, most};
    setrlimit(what, &both);
}

/* From here on what this process and those of sequences print goes to the log; worker->report is where the
 * output of fuzz_api goes. */
static void output_divert(struct worker *worker)
{
    int nothing = open("/dev/null", O_RDWR), log = memfd_create("log", MFD_CLOEXEC);
    int report = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 100);
    fflush(NULL);
    worker->report = fdopen(report, "w");
    if (nothing < 0 || log < 0 || !worker->report) {
        perror("fuzz_api: the log");
        exit(2);
    }
    dup2(nothing, STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    close(nothing);
    close(log);
}

void api_process_worker(struct worker *worker)
{
    worker->progress = api_process_shared(sizeof *worker->progress);
    if (!worker->sequence) worker->sequence = api_process_shared(sizeof *worker->sequence);
    limit(RLIMIT_CORE, 0);
    output_divert(worker);
}

static void child(const struct worker *worker)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    api_process_sequence((struct worker *)(uintptr_t)worker, NULL);
    exit(0);
}

void api_process_sequence(struct worker *worker, FILE *print)
{
    if (worker->limits.memory) limit(RLIMIT_DATA, ((rlim_t)worker->limits.memory << 20) + api_values_bytes());
    api_values_open();
    libraries_open(worker, worker->sequence->stand_ins);
    api_sequence_run(worker->sequence, worker->libraries, worker->progress, print);
    worker->progress->done = true;
}

static pid_t begin(struct worker *worker)
{
    struct progress *progress = worker->progress;
    memset(progress->at, 0xff, sizeof progress->at);
    progress->waits = progress->done = false;
    lseek(LOG, 0, SEEK_SET);
    if (ftruncate(LOG, 0) != 0) perror("fuzz_api: the log");
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) child(worker);
    if (pid > 0) return pid;
    fprintf(worker->report, "fuzz_api: fork: %s\n", strerror(errno));
    exit(2);
}

/* ---- outcomes */

static int function_at(const struct worker *worker)
{
    int at = worker->sequence->threads == 1 ? worker->progress->at[0] : -1;
    return at >= 0 && !worker->progress->done ? (int)worker->sequence->calls[at].function : -1;
}

static FILE *log_open(void)
{
    return fopen("/proc/self/fd/1", "r");
}

/* After a kernel's fault the address sanitizer takes the stack of a thread for what it was before, and says
 * so. */
static bool report_is_doubtful(void)
{
    char line[512];
    bool doubtful = false;
    FILE *file = log_open();
    while (file && !doubtful && fgets(line, sizeof line, file))
        doubtful = strstr(line, "False positive error reports may follow") != NULL;
    if (file) fclose(file);
    return doubtful;
}

/* Waits for the end of a process, with a limit that is short where a call may wait for ever by right. */
static bool ends_in_time(const struct worker *worker, pid_t pid)
{
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
    bool ended = false;
    if (end.fd < 0) return false;
    for (unsigned s = 0; s < worker->limits.hang && !ended; s++)
        if (s < WAITS_SECONDS || !worker->progress->waits) ended = poll(&end, 1, 1000) == 1;
    close(end.fd);
    return ended;
}

struct outcome api_process_run(struct worker *worker)
{
    pid_t pid = begin(worker);
    int status;
    bool hangs = !ends_in_time(worker, pid);
    struct outcome outcome = {FINE, 0, function_at(worker)};
    if (hangs) kill(-pid, SIGKILL);
    if (hangs) kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    if (hangs)
        outcome.failure = worker->progress->waits ? FINE : HANG;
    else if (WIFSIGNALED(status))
        outcome.failure = SIGNAL, outcome.detail = WTERMSIG(status);
    else if (WEXITSTATUS(status) && !report_is_doubtful())
        outcome.failure = STATUS, outcome.detail = WEXITSTATUS(status);
    return outcome;
}

void api_process_report(const struct worker *worker, const struct outcome *outcome)
{
    FILE *out = worker->report;
    fprintf(out, "seed %llu: ", (unsigned long long)worker->seed);
    if (outcome->failure == SIGNAL) fprintf(out, "%s", strsignal(outcome->detail));
    if (outcome->failure == STATUS) fprintf(out, "status %d", outcome->detail);
    if (outcome->failure == HANG) fprintf(out, "hangs");
    fprintf(out, " in %s, %u threads%s\n",
            outcome->function >= 0 ? api_functions[outcome->function].name : "?", worker->sequence->threads,
            worker->libraries[0] ? "" : ", fresh");
    fflush(out);
}

void api_process_log(const struct worker *worker, unsigned most)
{
    char line[512];
    FILE *file = log_open();
    while (file && most-- && fgets(line, sizeof line, file))
        fprintf(worker->report, "    %s", line);
    if (file) fclose(file);
    fflush(worker->report);
}
