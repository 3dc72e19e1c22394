/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as programmers write them, under Softwarp, as native C and under PoCL, side by side in one process:
 * each repetition runs the three one after the other, so that a slow moment of the machine hits all. The
 * outputs of a first run are compared with the native ones. Times are CPU time of the process, whose
 * contenders work with one thread each; a run that warms the caches and what fills Z are not timed. Prints
 * medians in milliseconds, ratios (under 1 Softwarp is slower) and their geometric means. Exit status 1: an
 * output is wrong. usage: suite KERNELS.ptx FOLDER [-r REPETITIONS] [-k TEXT] [-p] [-s]   -k: rows whose name
 * has TEXT; -p: without PoCL; -s: Softwarp alone, nothing compared, to measure it by other means */
#include "suite.h"
#include "suite_native.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NATIVE, POCL, SOFTWARP, CONTENDERS };
enum { MIN_REPS = 3, MAX_REPS = 99, MOST_MS = 3000 /* of one row; then no more repetitions */ };

#define P(buffer) {.kind = BUFFER_ARG, .value = (buffer)}
#define I(v)      {.kind = WORD_ARG, .value = (uint32_t)(v)}
#define F(v)      {.kind = WORD_ARG, .number = (v)}
#define STEP      {.kind = STEP_ARG}
#define L(kernel, gx, gy, bx, by, ...)                                                                       \
    {                                                                                                        \
        #kernel, {gx, gy}, {bx, by},                                                                         \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

static const struct suite_row suite_rows[] = {
#define BUFFER(...)
#define ROW(id, name, kind, element, outputs, tolerance, reset, steps, native, ...)                          \
    {name, kind, element, outputs, tolerance, reset, steps, {__VA_ARGS__}},
#include "suite.def"
#undef BUFFER
#undef ROW
};
enum suite_id {
#define BUFFER(...)
#define ROW(id, ...) ROW_##id,
#include "suite.def"
#undef BUFFER
#undef ROW
    ROWS
};

static struct suite_contender contenders[CONTENDERS];

/* ---- the native contender */

static void native_reset(int from, size_t bytes)
{
    if (from >= 0)
        memcpy(suite_host[Z], suite_host[from], bytes);
    else
        memset(suite_host[Z], 0, bytes);
}

static void native_read(void *to, size_t bytes)
{
    memcpy(to, suite_host[Z], bytes);
}

static void native_run(const struct suite_row *row)
{
    void *const *h = suite_host;
    switch ((enum suite_id)(row - suite_rows)) {
#define BUFFER(...)
#define ROW(id, name, kind, element, outputs, tolerance, reset, steps, native, ...)                          \
    case ROW_##id: native; break;
#include "suite.def"
#undef BUFFER
#undef ROW
    case ROWS: break;
    }
}

/* ---- comparison */

static size_t bytes_of(const struct suite_row *row)
{
    return row->outputs * (row->element == BYTES ? 1 : 4);
}

static double value_at(enum suite_element element, const void *at, size_t i)
{
    if (element == BYTES) return ((const uint8_t *)at)[i];
    return element == WORDS ? (double)((const uint32_t *)at)[i] : (double)((const float *)at)[i];
}

/* Against the size of the values in general as well: sums cancel, so that a small one may carry the rounding
 * of large ones. */
static double difference(const struct suite_row *row, const void *got, const void *want)
{
    double worst = 0, mean = 0;
    for (size_t i = 0; i < row->outputs; i++)
        mean += fabs(value_at(row->element, want, i)) / (double)row->outputs;
    for (size_t i = 0; i < row->outputs; i++) {
        double g = value_at(row->element, got, i), w = value_at(row->element, want, i);
        double d = fabs(g - w) / (row->element == FLOATS ? fabs(w) + 0.1 * mean + 1e-9 : 1);
        if (!(d <= worst)) worst = d; /* NaN counts */
    }
    return worst;
}

static bool has_output(const struct suite_row *row, const void *want)
{
    for (size_t i = 0; i < row->outputs; i++)
        if (value_at(row->element, want, i) != 0) return true;
    fprintf(stderr, "%s: the native output is all zero\n", row->name);
    return false;
}

static bool check_outputs(const struct suite_row *row)
{
    bool good = true;
    size_t bytes = bytes_of(row);
    void *want = malloc(bytes), *got = malloc(bytes);
    if (!want || !got) exit(1);
    for (int c = 0; c < CONTENDERS; c++) {
        if (!contenders[c].name) continue;
        contenders[c].reset(row->reset >= 0 ? row->reset : ZERO, bytes);
        contenders[c].run(row);
        contenders[c].read(c == NATIVE ? want : got, bytes);
        if (c == NATIVE) {
            good = has_output(row, want) && good;
            continue;
        }
        double d = difference(row, got, want);
        if (d <= row->tolerance) continue;
        fprintf(stderr, "%s: WRONG OUTPUT from %s, difference %g\n", row->name, contenders[c].name, d);
        good = false;
    }
    free(want);
    free(got);
    return good;
}

/* ---- measurement */

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

/* Runs Softwarp's code once and waits until no thread of the process works: large kernels are first compiled
 * without optimisation, then again in the background. */
static void settle(const struct suite_row *row)
{
    const struct timespec nap = {.tv_nsec = 20000000};
    double before;
    contenders[SOFTWARP].run(row);
    do {
        before = now_ms();
        nanosleep(&nap, NULL);
    } while (now_ms() - before > 1);
}

/* A run before it, so that each contender finds its own data in the caches, not another's. */
static double time_ms(const struct suite_contender *contender, const struct suite_row *row)
{
    contender->run(row);
    if (row->reset != KEEP) contender->reset(row->reset, bytes_of(row));
    double start = now_ms();
    contender->run(row);
    return now_ms() - start;
}

static void measure(const struct suite_row *row, int reps, double median_ms[CONTENDERS])
{
    static double ms[CONTENDERS][MAX_REPS];
    int r = 0;
    settle(row);
    for (double start = now_ms(); r < reps && (r < MIN_REPS || now_ms() - start < MOST_MS); r++)
        for (int c = 0; c < CONTENDERS; c++)
            if (contenders[c].name) ms[c][r] = time_ms(&contenders[c], row);
    for (int c = 0; c < CONTENDERS; c++)
        median_ms[c] = contenders[c].name ? median(ms[c], r) : 0;
}

/* ---- report */

struct means {
    double native, pocl; /* sums of logarithms of ratios */
    int count;
};

static void print_ratio(double ratio)
{
    if (ratio > 0)
        printf(" %9.2f", ratio);
    else
        printf(" %9s", "-");
}

static void print_row(const struct suite_row *row, const double m[CONTENDERS])
{
    printf("%-30s %c", row->name, row->kind == COOPERATIVE ? '*' : ' ');
    print_ratio(m[NATIVE]);
    print_ratio(m[POCL]);
    print_ratio(m[SOFTWARP]);
    print_ratio(m[NATIVE] / m[SOFTWARP]);
    print_ratio(m[POCL] / m[SOFTWARP]);
    printf("\n");
    fflush(stdout);
}

static void add(struct means *means, const double m[CONTENDERS])
{
    means->native += log(m[NATIVE] / m[SOFTWARP]);
    if (contenders[POCL].name) means->pocl += log(m[POCL] / m[SOFTWARP]);
    means->count++;
}

static void print_means(const char *of, const struct means *means)
{
    if (!means->count) return;
    printf("geometric mean of %2d%-11s %31s", means->count, of, "");
    print_ratio(exp(means->native / means->count));
    print_ratio(contenders[POCL].name ? exp(means->pocl / means->count) : 0);
    printf("\n");
}

static int run_rows(int reps, const char *text)
{
    struct means all = {0}, cooperative = {0};
    double m[CONTENDERS];
    bool good = true;
    printf("%-32s %9s %9s %9s %9s %9s\n", "ms; *: barriers, divergence", "native", "PoCL", "Softwarp",
           "native/S", "PoCL/S");
    for (int i = 0; i < ROWS; i++) {
        const struct suite_row *row = &suite_rows[i];
        if (!strstr(row->name, text)) continue;
        if (contenders[NATIVE].name) good = check_outputs(row) && good;
        measure(row, reps, m);
        print_row(row, m);
        add(&all, m);
        if (row->kind == COOPERATIVE) add(&cooperative, m);
    }
    print_means("", &all);
    print_means(" with *", &cooperative);
    if (all.count) return good ? 0 : 1;
    fprintf(stderr, "no row has '%s' in its name\n", text);
    return 2;
}

int main(int argc, char **argv)
{
    int reps = 9, option;
    bool pocl = true, alone = false;
    const char *text = "";
    while ((option = getopt(argc, argv, "r:k:ps")) != -1) {
        if (option == 'r') reps = atoi(optarg);
        if (option == 'k') text = optarg;
        if (option == 'p') pocl = false;
        if (option == 's') alone = true;
        if (option == '?') return 2;
    }
    if (argc - optind != 2 || reps < MIN_REPS || reps > MAX_REPS) {
        fprintf(stderr, "usage: suite KERNELS.ptx FOLDER [-r %d..%d] [-k TEXT] [-p] [-s]\n", MIN_REPS,
                MAX_REPS);
        return 2;
    }
    suite_inputs_make();
    if (!alone)
        contenders[NATIVE] = (struct suite_contender){"native", native_reset, native_run, native_read};
    suite_softwarp_open(&contenders[SOFTWARP], argv[optind]);
    if (pocl && !alone) suite_pocl_open(&contenders[POCL], argv[optind + 1]);
    return run_rows(reps, text);
}
