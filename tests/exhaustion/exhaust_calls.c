/* SPDX-License-Identifier: Apache-2.0 */
/* usage: exhaust_calls [--step N] [--kinds NAME] [--on|--once] [--point N]     Runs the steps of
 * exhaust_steps.c in processes of their own, in each of which another call of the C library fails, or all
 * from it on: every Nth one (of them the share that SW_SHARE asks for, share.h). Kinds: all but the
 * compiler's, which are many, or the one that is named. A step may give an error of CUDA's; when the machine
 * then has memory again, the same step must succeed and all that follow be right. A process may also end with
 * exit status 5 and a line that says why. It must not die of a signal, nor take 10 seconds. */
#include "exhaust_inject.h"
#include "exhaust_steps.h"
#include "share.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS = 10, SAID = 4096, EXIT_RESOURCES = 5 /* SW_OUT_OF_MEMORY's in base_status.def */ };

static const struct kind {
    const char *name;
    unsigned kinds;
} kinds[] = {{"heap", INJECT_HEAP},     {"maps", INJECT_MAPS},   {"threads", INJECT_THREADS},
             {"writes", INJECT_WRITES}, {"files", INJECT_FILES}, {"compiler", INJECT_HEAP | INJECT_COMPILER}};

static struct shared { /* with the process that runs the steps */
    unsigned step;     /* which it is at */
    unsigned error;    /* the first error, and of which step */
    unsigned error_step;
    unsigned again; /* what that step gave when it was repeated */
    unsigned lost;  /* its context had to be reset */
    unsigned long seen;
} *shared;

/* Errors that say that the machine gave out. */
static int is_resource(unsigned error)
{
    return error == CUDA_ERROR_OUT_OF_MEMORY || error == CUDA_ERROR_OPERATING_SYSTEM;
}

/* A kernel that found no memory when it ran has failed, and its context with it: all from the beginning. */
static unsigned lost_context(void)
{
    shared->lost = 1;
    if (steps_reset()) _exit(1);
    return UINT_MAX; /* the step before the first */
}

static void child(unsigned which, unsigned long at, int on)
{
    *shared = (struct shared){0};
    inject_arm(which, at, on);
    for (unsigned i = 0; i < steps_count; i++) {
        CUresult result = steps_all[shared->step = i].run(steps_state());
        if (result && !shared->error) {
            inject_disarm();
            shared->error = result;
            shared->error_step = i;
            result = steps_all[i].run(steps_state());
            if (result == shared->error) i = lost_context(), result = CUDA_SUCCESS;
        }
        shared->again = result;
        if (result) _exit(1);
    }
    shared->seen = inject_seen();
    exit(0);
}

/* The status of wait, and what the process said. */
static int run(unsigned which, unsigned long at, int on, char *said)
{
    FILE *text = tmpfile();
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        dup2(fileno(text), STDERR_FILENO);
        child(which, at, on);
    }
    int status;
    time_t end = time(NULL) + SECONDS + 1;
    while (waitpid(process, &status, WNOHANG) == 0) {
        if (time(NULL) >= end) {
            kill(process, SIGKILL);
            waitpid(process, &status, 0);
            break;
        }
        usleep(500);
    }
    size_t length = 0;
    rewind(text);
    length = fread(said, 1, SAID - 1, text);
    said[length] = 0;
    fclose(text);
    return status;
}

static unsigned ended, told, absorbed, lost;

/* What is wrong with it; NULL: nothing. */
static const char *judge(int status, const char *said)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return "hangs";
    if (WIFSIGNALED(status)) return strsignal(WTERMSIG(status));
    int code = WEXITSTATUS(status);
    if (code == 0 && !shared->error) return absorbed++, NULL;
    if (code == 0 && !is_resource(shared->error)) return "an error of another kind";
    if (code == 0) return told++, lost += shared->lost, NULL;
    if (code == 1 && shared->error) return "not right when repeated";
    if (code == EXIT_RESOURCES)
        return strstr(said, "==SOFTWARP== ") ? (ended++, NULL) : "ends without a word";
    return "wrong";
}

static unsigned point(const struct kind *kind, unsigned long at, int on, int loud)
{
    char said[SAID];
    int status = run(kind->kinds, at, on, said);
    const char *wrong = judge(status, said);
    if (!wrong && !loud) return 0;
    printf("%s %s %lu: %s; status %x, at step %s, error %u of %s, then %u\n", kind->name, on ? "on" : "once",
           at, wrong ? wrong : "ok", status, steps_all[shared->step].name, shared->error,
           steps_all[shared->error_step].name, shared->again);
    if (*said) printf("    %s\n", said);
    return wrong != NULL;
}

static unsigned all(const struct kind *kind, int on, unsigned long step)
{
    char said[SAID];
    unsigned failures = 0;
    unsigned long points = 0;
    ended = told = absorbed = lost = 0;
    if (run(kind->kinds, 0, 0, said) != 0) {
        printf("%s: the steps fail without any failure: step %s, %u\n%s\n", kind->name,
               steps_all[shared->step].name, shared->error, said);
        return 1;
    }
    unsigned long calls = shared->seen;
    struct share share = share_read();
    for (unsigned long at = 1 + share.first * step; at <= calls; at += share.every * step, points++)
        failures += point(kind, at, on, 0);
    printf("%-8s %-4s: %lu calls, %lu of them failed: %u without effect, %u errors (%u of a context), "
           "%u ends with a message, %u wrong\n",
           kind->name, on ? "on" : "once", calls, points, absorbed, told, lost, ended, failures);
    return failures;
}

int main(int count, char **arguments)
{
    const char *name = NULL;
    unsigned long step = 1, at = 0;
    int modes = 3; /* 1: once, 2: on */
    for (int i = 1; i < count; i++) {
        const char *option = arguments[i];
        if (strcmp(option, "--on") == 0)
            modes = 2;
        else if (strcmp(option, "--once") == 0)
            modes = 1;
        else if (i + 1 == count)
            return 2;
        else if (strcmp(option, "--step") == 0)
            step = strtoul(arguments[++i], NULL, 0);
        else if (strcmp(option, "--kinds") == 0)
            name = arguments[++i];
        else if (strcmp(option, "--point") == 0)
            at = strtoul(arguments[++i], NULL, 0);
        else
            return 2;
    }
    if (!step) return 2;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned failures = 0;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int on = 0; on < 2; on++) {
            bool chosen = name ? strcmp(name, kinds[i].name) == 0 : !(kinds[i].kinds & INJECT_COMPILER);
            if (!chosen || !(modes & (1 << on))) continue;
            failures += at ? point(&kinds[i], at, on, 1) : all(&kinds[i], on, step);
        }
    return failures != 0;
}
