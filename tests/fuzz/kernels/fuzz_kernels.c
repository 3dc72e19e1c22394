/* SPDX-License-Identifier: Apache-2.0 */
/* usage: fuzz_kernels [--seed N] [--first N] [--count N] [--seconds N] [--verified N] [--keep FOLDER]
 * FILE.ptx... fuzz_kernels --seed N --print K FILE.ptx...       the kernel fuzz_kernels --seed N --minimise K
 * FILE.ptx...    the kernel without what its failure does not need Kernels of the files (tests/exec/kernels)
 * and random ones are changed; those that verify run, in a process of their own for each BATCH of them, and
 * their results are compared with the oracle's. Ends with 1 where one killed its process, did not end, or
 * differed. Limits: a kernel that does not end for the oracle, or has no defined result, is given ENDLESS_MS,
 * any other HANG_MS. */
#include "kernels.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 400, ENDLESS_MS = 500, HANG_MS = 60000 };

static struct options {
    uint64_t seed, first, count, seconds, verified;
    const char *keep;
} options = {.seed = 1, .count = 1000, .seconds = UINT64_MAX / 2000, .verified = UINT64_MAX};

enum ending { DIED = KERNELS_VERDICTS, HUNG, ENDLESS, ORACLE_DIED, ENDINGS };
static const char *const names[ENDINGS] = {"",          "rejected",  "refused",    "equal",
                                           "undefined", "addresses", "different",  "died",
                                           "hung",      "endless",   "oracle died"};
static struct kernels_state *state;
static uint64_t *numbers;           /* of each ending; shared, too */
static uint64_t until = UINT64_MAX; /* ms */

static uint64_t random_of(uint64_t index)
{
    return (options.seed << 40) ^ (index * 0x2545f4914f6cdd1du);
}

static void make(uint64_t index, struct exec_case *out)
{
    uint64_t random = random_of(index);
    kernels_seed(&random, out);
    kernels_mutate(&random, out);
}

/* As many ways to compile as there are batches. */
static unsigned way_of(uint64_t index)
{
    uint64_t random = index / BATCH + options.seed * 1000003;
    return (unsigned)(kernels_random(&random) >> 40);
}

/* ---- a process that runs kernels */

static pid_t begin(void (*body)(const void *argument), const void *argument)
{
    fflush(stdout);
    pid_t child = fork();
    if (child) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (!freopen("/dev/null", "w", stderr)) _exit(2);
    body(argument);
    _exit(0);
}

/* Until it ends, or the kernel that it runs has had its time; the ending of the kernel that it died of,
 * KERNELS_VERDICTS: it has ended by itself */
static enum ending await(pid_t child)
{
    for (;;) {
        int status;
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
        if (ended == child) {
            snprintf(state->what, sizeof state->what, "%s %d while it %s",
                     WIFSIGNALED(status) ? "signal" : "exit code",
                     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
                     state->stage == KERNELS_COMPILE ? "is compiled" : "runs");
            return state->stage == KERNELS_ORACLE ? ORACLE_DIED : DIED;
        }
        enum kernels_stage stage = __atomic_load_n(&state->stage, __ATOMIC_ACQUIRE);
        uint64_t limit = state->endless && stage == KERNELS_LAUNCH ? ENDLESS_MS : HANG_MS;
        if (stage != KERNELS_IDLE && kernels_now_ms() > state->since_ms + limit) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            snprintf(state->what, sizeof state->what, "no end after %llu ms", (unsigned long long)limit);
            return limit == ENDLESS_MS ? ENDLESS : stage == KERNELS_ORACLE ? ORACLE_DIED : HUNG;
        }
        usleep(2000);
    }
}

static void report(uint64_t index, enum ending ending)
{
    static const char *const stages[] = {"", "oracle", "compile", "launch"};
    printf("%s: seed %llu kernel %llu (%s): %s\n", names[ending], (unsigned long long)options.seed,
           (unsigned long long)index, stages[state->stage], state->what);
    if (!options.keep) return;
    struct exec_case test;
    char path[4096];
    make(index, &test);
    snprintf(path, sizeof path, "%s/%s-%llu-%llu.ptx", options.keep, names[ending],
             (unsigned long long)options.seed, (unsigned long long)index);
    FILE *file = fopen(path, "w");
    if (file) fprintf(file, "// %s\n%s", state->what, test.text), fclose(file);
    exec_case_release(&test);
}

/* ---- all of them */

static void batch(const void *end)
{
    struct kernels_lab *lab = kernels_lab_new(way_of(state->index), state);
    while (state->index < *(const uint64_t *)end && kernels_now_ms() < until) {
        struct exec_case test;
        make(state->index, &test);
        kernels_run(lab, &test);
        exec_case_release(&test);
        numbers[state->verdict]++;
        if (state->verdict == KERNELS_DIFFERENT || getenv("SW_KERNELS_SHOW"))
            report(state->index, (enum ending)state->verdict);
        fflush(stdout);
        state->skip_oracle = false;
        state->index++;
    }
}

static uint64_t launched(void)
{
    return numbers[KERNELS_EQUAL] + numbers[KERNELS_UNDEFINED] + numbers[KERNELS_ADDRESSES] +
           numbers[KERNELS_DIFFERENT] + numbers[ENDLESS];
}

static volatile sig_atomic_t stopped; /* by SIGTERM or SIGINT, after the batch */

static void stop(int number)
{
    (void)number;
    stopped = 1;
}

static int run_all(void)
{
    uint64_t end = options.first + options.count, begun = kernels_now_ms();
    until = begun + options.seconds * 1000;
    signal(SIGTERM, stop);
    signal(SIGINT, stop);
    state->index = options.first;
    while (!stopped && state->index < end && kernels_now_ms() < until && launched() < options.verified) {
        uint64_t next = (state->index / BATCH + 1) * BATCH;
        if (next > end) next = end;
        state->stage = KERNELS_IDLE;
        enum ending ending = await(begin(batch, &next));
        if (!ending) continue;
        numbers[ending]++;
        if (ending == DIED || ending == HUNG) report(state->index, ending);
        state->skip_oracle = ending == ORACLE_DIED;
        if (ending != ORACLE_DIED) state->index++;
    }
    printf("seed %llu, kernels %llu to %llu in %.0f s: %llu launched\n", (unsigned long long)options.seed,
           (unsigned long long)options.first, (unsigned long long)state->index,
           (double)(kernels_now_ms() - begun) / 1000, (unsigned long long)launched());
    for (int i = 1; i < ENDINGS; i++)
        if (numbers[i]) printf("%12llu %s\n", (unsigned long long)numbers[i], names[i]);
    return numbers[KERNELS_DIFFERENT] || numbers[DIED] || numbers[HUNG];
}

/* ---- one of them */

static void one(const void *test)
{
    struct exec_case copy = *(const struct exec_case *)test;
    for (unsigned p = 0; p < copy.launches[0].param_count; p++) {
        struct exec_param *param = &copy.launches[0].params[p];
        if (param->buffer)
            param->buffer = &copy.buffers[param->buffer - ((const struct exec_case *)test)->buffers];
    }
    kernels_run(kernels_lab_new(way_of(state->index), state), &copy);
}

static enum ending judge(const struct exec_case *test)
{
    state->stage = KERNELS_IDLE;
    state->skip_oracle = false;
    enum ending ending = await(begin(one, test));
    if (ending == ORACLE_DIED) {
        state->skip_oracle = true;
        state->stage = KERNELS_IDLE;
        ending = await(begin(one, test));
    }
    return ending ? ending : (enum ending)state->verdict;
}

/* Without statement after statement, as long as it ends the same. */
static int minimise(uint64_t index)
{
    struct exec_case test;
    kernels_list list = {0};
    state->index = index;
    make(index, &test);
    enum ending wanted = judge(&test);
    printf("// %s: %s\n", names[wanted], state->what);
    kernels_split(test.text, &list);
    for (bool again = true; again;) {
        again = false;
        for (size_t i = list.count; i-- > 0;) {
            struct str text = {0};
            char *taken = list.at[i];
            list.at[i] = (char[]){""};
            kernels_join(&list, &text);
            struct exec_case shorter = test;
            shorter.text = str_steal(&text);
            shorter.length = strlen(shorter.text);
            bool same = *taken && judge(&shorter) == wanted;
            free(shorter.text);
            list.at[i] = taken;
            if (!same) continue;
            *taken = 0;
            again = true;
        }
    }
    const struct exec_launch *launch = &test.launches[0];
    printf("// launch: %s grid=%u,%u,%u block=%u,%u,%u\n", launch->kernel, launch->grid[0], launch->grid[1],
           launch->grid[2], launch->block[0], launch->block[1], launch->block[2]);
    for (size_t i = 0; i < list.count; i++)
        fputs(list.at[i], stdout);
    return 0;
}

static int print(uint64_t index)
{
    struct exec_case test;
    state->index = index;
    make(index, &test);
    fputs(test.text, stdout);
    const struct exec_launch *launch = &test.launches[0];
    enum ending ending = judge(&test);
    printf("// %s; %s grid=%u,%u,%u block=%u,%u,%u: %s: %s\n", test.name, launch->kernel, launch->grid[0],
           launch->grid[1], launch->grid[2], launch->block[0], launch->block[1], launch->block[2],
           names[ending], state->what);
    return 0;
}

static uint64_t *option_of(const char *name)
{
    if (strcmp(name, "--seed") == 0) return &options.seed;
    if (strcmp(name, "--first") == 0) return &options.first;
    if (strcmp(name, "--count") == 0) return &options.count;
    if (strcmp(name, "--seconds") == 0) return &options.seconds;
    if (strcmp(name, "--verified") == 0) return &options.verified;
    return NULL;
}

int main(int argc, char **argv)
{
    uint64_t index = 0;
    int (*single)(uint64_t) = NULL;
    int i = 1;
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        uint64_t *number = option_of(argv[i]);
        if (number)
            *number = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--keep") == 0)
            options.keep = argv[i + 1];
        else if (strcmp(argv[i], "--print") == 0 || strcmp(argv[i], "--minimise") == 0) {
            single = argv[i][2] == 'p' ? print : minimise;
            index = strtoull(argv[i + 1], NULL, 10);
        } else
            break;
    }
    if (i < argc && argv[i][0] == '-') {
        fprintf(stderr, "usage: fuzz_kernels [--seed N] [--first N] [--count N] [--seconds N] [--verified N] "
                        "[--keep FOLDER] [--print K | --minimise K] FILE.ptx...\n");
        return 2;
    }
    kernels_seeds(argv + i, (unsigned)(argc - i));
    state = mmap(NULL, sizeof *state + ENDINGS * sizeof *numbers, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (state == MAP_FAILED) return 2;
    numbers = (uint64_t *)(state + 1);
    return single ? single(index) : run_all();
}
