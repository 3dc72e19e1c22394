/* SPDX-License-Identifier: Apache-2.0 */
/* Progress, on a terminal and only when something takes longer than a second: the clock is asked every STEPS
 * steps. */
#include "cli_priv.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 64 };
static const double QUIET_S = 1.0;

bool cli_is_terminal(int file)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    return isatty(file) && term && strcmp(term, "dumb") != 0 && !(no_color && *no_color);
}

uint32_t cli_terminal_columns(int file)
{
    struct winsize size;
    return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

uint32_t cli_columns(int file)
{
    const char *text = getenv("COLUMNS");
    char *end = NULL;
    unsigned long columns = text && *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
    if (columns && !*end && columns <= UINT16_MAX) return (uint32_t)columns;
    return cli_terminal_columns(file);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cli_progress_begin(struct cli_progress *p, const char *what, uint64_t all)
{
    *p = (struct cli_progress){.what = what, .all = all, .began_s = now_s(), .quiet = !isatty(STDERR_FILENO)};
}

void cli_progress_step(struct cli_progress *p)
{
    if (p->quiet || ++p->done < p->next) return;
    p->next = p->done + STEPS;
    if (now_s() - p->began_s < QUIET_S) return;
    fprintf(stderr, "\r==SOFTWARP== %s: %3.0f %%", p->what, 100.0 * (double)p->done / (double)p->all);
    p->shown = true;
}

void cli_progress_end(struct cli_progress *p)
{
    if (p->shown) fprintf(stderr, "\r\033[K");
}
