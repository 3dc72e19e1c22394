/* SPDX-License-Identifier: Apache-2.0 */
/* How processes end while a large kernel is compiled, which goes on in a thread of the library: each run is a
 * process of its own that must end in time with the expected status, and say nothing. The kernel is launched
 * by a second thread. usage: load_exit [RUNS]: so many of each way and delay; 1 */
#include "load.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>

enum { STATUS = 7, LIMIT_SECONDS = 30, STEPS = 60 };

/* Integers, floats, branches, a loop, local and shared memory, atomics: what reaches many parts of a
 * compiler. */
static char *make_ptx(void)
{
    char *text = malloc(1 << 20), *at = text;
    at += sprintf(
        at, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry large(.param .u64 at)\n{\n"
            "    .reg .b64 %%d<4>; .reg .b32 %%r<9>; .reg .f32 %%f<4>; .reg .f64 %%e<3>; .reg .pred %%p;\n"
            "    .local .b32 mine[16]; .shared .b32 ours[64];\n"
            "    ld.param.u64 %%d1, [at]; mov.u32 %%r1, %%tid.x; mov.u32 %%r2, 1; mov.u32 %%r6, 3;\n"
            "    cvt.rn.f32.u32 %%f1, %%r1; cvt.f64.f32 %%e1, %%f1;\nAGAIN:\n");
    for (unsigned i = 0; i < STEPS; i++)
        at += sprintf(
            at,
            "    xor.b32 %%r3, %%r1, %u; mad.lo.u32 %%r2, %%r2, %u, %%r3; setp.gt.u32 %%p, %%r2, %u;\n"
            "    @%%p bra L%u; fma.rn.f32 %%f1, %%f1, 0f3F000000, 0f3F800000; div.rn.f64 %%e1, %%e1, %%e1;\n"
            "    st.local.u32 [mine+%u], %%r2; atom.shared.add.u32 %%r4, [ours+%u], %%r2;\nL%u:\n",
            i, 2 * i + 1, i * 4000, i, i % 16 * 4, i % 64 * 4, i);
    sprintf(at, "    sub.u32 %%r6, %%r6, 1; setp.ne.u32 %%p, %%r6, 0; @%%p bra AGAIN;\n"
                "    red.global.add.u32 [%%d1], %%r2; bar.sync 0; ret;\n}\n");
    return text;
}

static CUfunction function;
static CUdeviceptr word;

static void *launch(void *unused)
{
    CUmodule module;
    load_context(0);
    OK(cuModuleLoadData(&module, make_ptx()));
    OK(cuMemAlloc(&word, 4));
    function = load_function(module, "large");
    void *params[] = {&word};
    OK(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    return unused;
}

static unsigned delay_us;

static void *launch_and_exit(void *unused)
{
    launch(unused);
    usleep(delay_us);
    exit(STATUS);
}

/* The kernel has run, so its first tier was compiled. */
static void *finish_and_exit(void *unused)
{
    launch(unused);
    OK(cuCtxSynchronize());
    usleep(delay_us);
    exit(STATUS);
}

static int in_thread(void *(*body)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, body, NULL);
    pthread_join(thread, NULL);
    usleep(delay_us);
    return STATUS;
}

static int launcher_exits(void)
{
    return in_thread(launch_and_exit);
}

static int finisher_exits(void)
{
    return in_thread(finish_and_exit);
}

static int other_exits(void)
{
    in_thread(launch);
    exit(STATUS);
}

/* This thread exits while the other is about to launch, or compiles. */
static int exits_meanwhile(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, launch, NULL);
    usleep(delay_us);
    exit(STATUS);
}

static int exits_quickly(void)
{
    in_thread(launch);
    quick_exit(STATUS);
}

static int exits_at_once(void)
{
    in_thread(launch);
    _exit(STATUS);
}

static int aborts(void)
{
    in_thread(launch);
    abort();
}

/* A child has no device, and ends as any process does. */
static int forks(void)
{
    int status;
    in_thread(launch);
    pid_t child = fork();
    if (child == 0) {
        void *params[] = {&word};
        IS(CUDA_ERROR_NOT_INITIALIZED, cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
        exit(STATUS);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == STATUS,
          "the child ended with %x", (unsigned)status);
    return STATUS;
}

static const struct {
    const char *name;
    int (*run)(void);
    int signal; /* it ends by; 0: with STATUS */
} CASES[] = {
    {"launcher_exits", launcher_exits, 0}, {"finisher_exits", finisher_exits, 0},
    {"other_exits", other_exits, 0},       {"exits_meanwhile", exits_meanwhile, 0},
    {"exits_quickly", exits_quickly, 0},   {"exits_at_once", exits_at_once, 0},
    {"aborts", aborts, SIGABRT},           {"forks", forks, 0},
};
enum { COUNT = sizeof CASES / sizeof *CASES };
static const char *const DELAYS[] = {"0", "5", "20", "35", "50", "200"}; /* ms */

static bool run_once(int i, const char *delay)
{
    int status = 0;
    double start = load_seconds();
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "load_exit", CASES[i].name, delay, (char *)NULL);
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
    if (!right)
        printf("%s after %s ms: %s %x\n", CASES[i].name, delay, ended ? "it ended with" : "it did not end;",
               (unsigned)status);
    fflush(stdout);
    return right;
}

int main(int argc, char **argv)
{
    int wrong = 0, runs = argc == 2 ? atoi(argv[1]) : 1;
    (void)load_ptx;
    delay_us = argc == 3 ? (unsigned)atoi(argv[2]) * 1000 : 0;
    for (int i = 0; i < COUNT; i++)
        if (argc == 3 && strcmp(argv[1], CASES[i].name) == 0) return CASES[i].run();
    for (int i = 0; i < COUNT; i++) {
        double start = load_seconds();
        int of_case = 0;
        for (int run = 0; run < runs; run++)
            for (unsigned d = 0; d < sizeof DELAYS / sizeof *DELAYS; d++)
                of_case += !run_once(i, DELAYS[d]);
        printf("%-16s %6.2f s  %d wrong\n", CASES[i].name, load_seconds() - start, of_case);
        wrong += of_case;
    }
    return wrong != 0;
}
