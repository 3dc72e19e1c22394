/* SPDX-License-Identifier: Apache-2.0 */
/* How processes end, and what a new one can do: each case is a process of its own that must end in time
 * with the expected status. A kernel that never ends must not keep the process or its resources. Without
 * arguments: run all cases. */
#include "load.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>

enum { STATUS = 7, LIMIT_SECONDS = 20 };
static CUmodule module;
static CUstream stream;

/* A kernel that waits for a word that nobody writes. */
static void start_endless(void)
{
    CUdeviceptr flag;
    load_context(0);
    OK(cuModuleLoadData(&module, load_ptx));
    OK(cuMemAlloc(&flag, 4));
    OK(cuMemsetD32(flag, 0, 1));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuCtxSynchronize());
    void *params[] = {&flag};
    OK(cuLaunchKernel(load_function(module, "wait"), 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
    usleep(20000);
    IS(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
}

/* Whether a launch in this process gives the right result. */
static void use_device(void)
{
    CUdeviceptr counter;
    unsigned value;
    load_context(0);
    OK(cuModuleLoadData(&module, load_ptx));
    OK(cuMemAlloc(&counter, 4));
    OK(cuMemsetD32(counter, 41, 1));
    void *params[] = {&counter};
    OK(cuLaunchKernel(load_function(module, "add"), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(&value, counter, 4));
    CHECK(value == 42, "%u", value);
}

static int returns(void)
{
    start_endless();
    return STATUS;
}

static int exits(void)
{
    start_endless();
    exit(STATUS);
}

static void *exit_soon(void *unused)
{
    usleep(50000);
    exit(STATUS);
    return unused;
}

/* Another thread ends the process while this one waits for the kernel. */
static int exits_while_waiting(void)
{
    pthread_t thread;
    start_endless();
    pthread_create(&thread, NULL, exit_soon, NULL);
    OK(cuStreamSynchronize(stream));
    return 1;
}

static void CUDA_CB exit_callback(void *unused)
{
    (void)unused;
    exit(STATUS);
}

static int exits_in_callback(void)
{
    CUstream other;
    start_endless();
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    OK(cuLaunchHostFunc(other, exit_callback, NULL));
    OK(cuStreamSynchronize(other));
    return 1;
}

static void raise_when_waiting(int number)
{
    pid_t parent = getpid();
    if (fork() == 0) {
        usleep(100000);
        kill(parent, number);
        _exit(0);
    }
    OK(cuStreamSynchronize(stream));
}

/* ^C while a kernel runs: the process ends at once, by the signal. */
static int interrupted(void)
{
    start_endless();
    raise_when_waiting(SIGINT);
    return 1;
}

static void on_term(int number)
{
    (void)number;
    _exit(STATUS);
}

/* A handler of the program runs in a thread of the program. */
static int handles_signal(void)
{
    start_endless();
    signal(SIGTERM, on_term);
    raise_when_waiting(SIGTERM);
    return 1;
}

/* Resetting the device waits for what is queued, and all handles are gone afterwards. */
static int resets_with_work(void)
{
    CUdeviceptr counter;
    use_device();
    CUfunction function = load_function(module, "add");
    OK(cuMemAlloc(&counter, 4));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    void *params[] = {&counter};
    for (int i = 0; i < 3000; i++)
        OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, i % 2 ? stream : NULL, params, NULL));
    OK(cuDevicePrimaryCtxReset(0));
    CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL) != CUDA_SUCCESS,
          "a stale function");
    use_device();
    return STATUS;
}

/* A forked child has no device; a child that executes a program has one. */
static int forks(void)
{
    int status;
    CUcontext context;
    CUdeviceptr p;
    use_device();
    pid_t child = fork();
    if (child == 0) {
        IS(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&p, 16));
        IS(CUDA_ERROR_NOT_INITIALIZED, cuInit(0));
        IS(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&context));
        IS(CUDA_ERROR_NOT_INITIALIZED, cuCtxSynchronize());
        execl("/proc/self/exe", "load_end", "uses", (char *)NULL);
        _exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == STATUS,
          "the child ended with %x", (unsigned)status);
    use_device();
    return STATUS;
}

static int uses(void)
{
    use_device();
    return STATUS;
}

/* A child that was forked before cuInit can use the device at the same time as its parent. */
static int forks_first(void)
{
    int status;
    pid_t child = fork();
    for (int i = 0; i < 20; i++)
        use_device();
    if (child == 0) _exit(STATUS);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == STATUS,
          "the child ended with %x", (unsigned)status);
    return STATUS;
}

static const struct {
    const char *name;
    int (*run)(void);
    int signal; /* it ends by; 0: with STATUS */
} CASES[] = {
    {"returns", returns, 0},
    {"exits", exits, 0},
    {"exits_while_waiting", exits_while_waiting, 0},
    {"exits_in_callback", exits_in_callback, 0},
    {"interrupted", interrupted, SIGINT},
    {"handles_signal", handles_signal, 0},
    {"resets_with_work", resets_with_work, 0},
    {"forks", forks, 0},
    {"forks_first", forks_first, 0},
    {"uses", uses, 0},
};
enum { COUNT = sizeof CASES / sizeof *CASES };

static int run_case(int i)
{
    int status = 0;
    double start = load_seconds();
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "load_end", CASES[i].name, (char *)NULL);
        _exit(1);
    }
    pid_t ended = 0;
    while (!ended && load_seconds() - start < LIMIT_SECONDS) {
        usleep(2000);
        ended = waitpid(child, &status, WNOHANG);
    }
    if (!ended) kill(child, SIGKILL);
    bool right = ended && (CASES[i].signal ? WIFSIGNALED(status) && WTERMSIG(status) == CASES[i].signal
                                           : WIFEXITED(status) && WEXITSTATUS(status) == STATUS);
    printf("%-20s %6.2f s  %s\n", CASES[i].name, load_seconds() - start, right ? "ok" : "WRONG");
    if (!right) printf("    %s %x\n", ended ? "it ended with" : "it did not end;", (unsigned)status);
    fflush(stdout);
    return !right;
}

int main(int argc, char **argv)
{
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        if (argc > 1 && strcmp(argv[1], CASES[i].name) == 0) return CASES[i].run();
    for (int i = 0; i < COUNT && argc == 1; i++)
        wrong += run_case(i);
    return wrong != 0;
}
