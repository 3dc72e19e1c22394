/* SPDX-License-Identifier: Apache-2.0 */
/* A line on a terminal's standard error that says which kernel a profiled program is at, while it runs: from
 * SHOWN_S on, and only while a kernel is profiled, since the program may write to the same terminal.
 * A timer's signal interrupts the wait for the program. Limits: a name that is not whole in the session's
 * file stays mangled. */
#include "cli_priv.h"

#include "prof/prof.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const double SHOWN_S = 2.0;
enum { TICK_US = 250000, NAME_MOST = 60, NAME_LEAST = 12, REST = 54 /* of the line, beside the name */ };

static void running_wake(int signal_number)
{
    (void)signal_number; /* waitpid returns EINTR, that is all */
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void set_timer(long us)
{
    struct itimerval timer = {{0, us}, {0, us}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

void cli_running_prepare(struct cli_running *r, const char *folder)
{
    *r = (struct cli_running){.file = isatty(STDERR_FILENO) ? session_progress_make(folder) : -1};
}

void cli_running_begin(struct cli_running *r)
{
    if (r->file < 0) return;
    struct sigaction action = {.sa_handler = running_wake}; /* no SA_RESTART */
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigaction(SIGALRM, &action, NULL);
    sigprocmask(SIG_UNBLOCK, &alarm, NULL);
    r->began_s = r->kernel_s = now_s();
    set_timer(TICK_US);
}

static void erase(struct cli_running *r)
{
    if (r->shown) fprintf(stderr, "\r\033[K");
    r->shown = false;
}

static void running_show(struct cli_running *r, const struct session_progress *progress, double now)
{
    struct arena arena;
    arena_init(&arena);
    uint32_t columns = cli_terminal_columns(STDERR_FILENO), capacity = NAME_MOST;
    if (columns && columns < REST + NAME_MOST)
        capacity = columns > REST + NAME_LEAST ? columns - REST : NAME_LEAST;
    fprintf(stderr, "\r\033[K==SOFTWARP== kernel %llu, %s: %.0f s; %.0f s in all",
            (unsigned long long)progress->launches,
            prof_short_name(session_demangle(&arena, progress->kernel), capacity, &arena), now - r->kernel_s,
            now - r->began_s);
    r->shown = true;
    arena_release(&arena);
}

void cli_running_tick(struct cli_running *r)
{
    struct session_progress progress;
    if (r->file < 0 || !session_progress_read(r->file, &progress)) return;
    double now = now_s();
    bool other = progress.launches != r->launches;
    r->launches = progress.launches;
    if (other) r->kernel_s = now;
    if (progress.ended && !other)
        erase(r);
    else if (now - r->began_s >= SHOWN_S)
        running_show(r, &progress, now);
}

void cli_running_end(struct cli_running *r)
{
    if (r->file < 0) return;
    set_timer(0);
    erase(r);
    close(r->file);
    r->file = -1;
}
