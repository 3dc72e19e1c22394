/* SPDX-License-Identifier: Apache-2.0 */
/* usage: exhaust_process fork | signals | stop     What an operating system does to a process that uses CUDA:
 * a fork after set-up, whose child gets errors and ends; signals whose handler is installed without
 * SA_RESTART, many a second, while kernels, copies and graphs run; SIGSTOP and SIGCONT. Results stay right.
 */
#include "exhaust_steps.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void note(int number)
{
    (void)number;
    caught++;
}

static void steps(void)
{
    for (unsigned i = 0; i < steps_count; i++) {
        CUresult result = steps_all[i].run(steps_state());
        if (!result) continue;
        fprintf(stderr, "%s gives %d\n", steps_all[i].name, (int)result);
        _exit(1);
    }
    steps_reset();
}

/* The child's exit status: 0, every call gave an error, or the number of one that did not, from 1 on. */
static int child_of_fork(unsigned from)
{
    for (unsigned i = from; i < steps_count; i++)
        if (steps_all[i].run(steps_state()) == CUDA_SUCCESS) return (int)i + 1;
    return 0;
}

static int wait_for(pid_t process)
{
    int status = 0;
    for (int i = 0; i < 20000; i++) { /* 20 s */
        pid_t ended = waitpid(process, &status, WNOHANG);
        if (ended == process) return status;
        if (ended < 0 && errno != EINTR) break;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
    fprintf(stderr, "a child hangs\n");
    return status;
}

/* Forks after each step, so also while kernels run and streams are captured. */
static int test_fork(void)
{
    int failed = 0;
    for (unsigned i = 0; i < steps_count; i++) {
        CUresult result = steps_all[i].run(steps_state());
        if (result) {
            fprintf(stderr, "%s gives %d in the parent\n", steps_all[i].name, (int)result);
            return 1;
        }
        fflush(NULL);
        pid_t process = fork();
        if (process == 0) _exit(child_of_fork(0));
        int status = wait_for(process);
        if (status == 0) continue;
        fprintf(stderr, "the child of a fork after %s: status %x (%s succeeds)\n", steps_all[i].name, status,
                WIFEXITED(status) ? steps_all[WEXITSTATUS(status) - 1].name : "?");
        failed = 1;
    }
    /* A child that ends by exit, whose handlers are those of our libraries, too. */
    pid_t process = fork();
    if (process == 0) exit(0);
    if (wait_for(process) != 0) failed = 1;
    return failed;
}

static int test_signals(void)
{
    enum { ROUNDS = 20, PERIOD_US = 200 };
    static const int SIGNALS[] = {SIGALRM, SIGINT, SIGTERM, SIGUSR1};
    struct sigaction action = {.sa_handler = note}; /* no SA_RESTART */
    for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++)
        sigaction(SIGNALS[i], &action, NULL);
    struct itimerval timer = {{0, PERIOD_US}, {0, PERIOD_US}};
    setitimer(ITIMER_REAL, &timer, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        kill(getpid(), SIGNALS[1 + i % 3]);
        steps();
    }
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    printf("%d signals\n", (int)caught);
    return caught < ROUNDS;
}

/* Another process stops and continues this one. */
static int test_stop(void)
{
    enum { TIMES = 40 };
    pid_t parent = getpid(), process = fork(); /* before set-up */
    if (process == 0) {
        for (int i = 0; i < TIMES; i++) {
            kill(parent, SIGSTOP);
            nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
            kill(parent, SIGCONT);
            nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        }
        _exit(0);
    }
    for (int i = 0; i < 3; i++)
        steps();
    while (waitpid(process, NULL, WNOHANG) == 0)
        steps();
    return 0;
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    if (strcmp(what, "fork") == 0) return test_fork();
    if (strcmp(what, "signals") == 0) return test_signals();
    if (strcmp(what, "stop") == 0) return test_stop();
    return 2;
}
