/* SPDX-License-Identifier: Apache-2.0 */
/* Times of collectives: against those recorded on two H200, and what more ranks and other GPUs change. */
#include "timing_collective.h"

#include "base/base.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double us(const char *gpu_name, enum event_routine_pattern pattern, uint64_t ranks, uint64_t bytes)
{
    struct arch_gpu gpu;
    struct sw_error error;
    struct event_routine r = {
        .kind = EVENT_ROUTINE_COLLECTIVE, .m = ranks, .n = bytes, .k = pattern, .batch = 1};
    assert_int_equal(arch_gpu_load(gpu_name, &gpu, &error), SW_OK);
    double ns = timing_collective_ns(&gpu, &r);
    assert_true(timing_collective_start_ns(&gpu, &r) <= ns);
    return ns / 1e3;
}

/* Lines of odd place, to which nothing was fitted (tests/hw/libraries/h200/nccl-times.tsv): each of 20 calls.
 */
static void as_recorded(void **state)
{
    enum { ERROR_PERCENT = 12 };
    static const struct {
        enum event_routine_pattern pattern;
        uint64_t bytes;
        double us;
    } LINES[] = {{EVENT_PATTERN_ALL_REDUCE, 256, 13.14},
                 {EVENT_PATTERN_BROADCAST, 65536, 14.11},
                 {EVENT_PATTERN_ALL_REDUCE, 262144, 15.11},
                 {EVENT_PATTERN_ALL_REDUCE, 4194304, 33.33},
                 {EVENT_PATTERN_REDUCE_SCATTER, 4194304, 23.70},
                 {EVENT_PATTERN_EXCHANGE, 8388608, 51.60}, /* AlltoAll: half goes to the other rank */
                 {EVENT_PATTERN_ALL_REDUCE, 67108864, 250.05},
                 {EVENT_PATTERN_REDUCE, 67108864, 199.15},
                 {EVENT_PATTERN_BROADCAST, 268435456, 756.98},
                 {EVENT_PATTERN_ALL_GATHER, 268435456, 552.32}};
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(LINES); i++) {
        double error = us("h200", LINES[i].pattern, 2, LINES[i].bytes) / LINES[i].us - 1;
        if (fabs(error) * 100 > ERROR_PERCENT) fail_msg("line %zu: %.1f %%", i, error * 100);
    }
}

/* What event_routine.h takes for the bytes of a line. */
static enum event_routine_pattern read_line(const char *line, uint64_t *bytes, double *us_each)
{
    static const char *const NAMES[] = {[EVENT_PATTERN_ALL_REDUCE] = "AllReduce",
                                        [EVENT_PATTERN_BROADCAST] = "Broadcast",
                                        [EVENT_PATTERN_REDUCE] = "Reduce",
                                        [EVENT_PATTERN_ALL_GATHER] = "AllGather",
                                        [EVENT_PATTERN_REDUCE_SCATTER] = "ReduceScatter"};
    char name[32];
    assert_int_equal(sscanf(line, "%31s %*s %" SCNu64 " %*u %*f %lf", name, bytes, us_each), 3);
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        if (!strcmp(name, NAMES[i])) return (enum event_routine_pattern)i;
    if (!strcmp(name, "AlltoAll")) *bytes /= 2;
    return EVENT_PATTERN_EXCHANGE;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Of all lines, even and odd: what docs/libraries/nccl.md says. */
static void errors_are_as_stated(void **state)
{
    enum { MOST = 100, MEAN_PERCENT = 8, MEDIAN_PERCENT = 5 };
    double errors[2][MOST], sums[2] = {0};
    size_t counts[2] = {0};
    char line[200];
    FILE *file = fopen(SW_SOURCE_DIR "/tests/hw/libraries/h200/nccl-times.tsv", "r");
    (void)state;
    assert_non_null(file);
    for (int i = 0; fgets(line, sizeof line, file); i++) {
        uint64_t bytes;
        double each;
        assert_true(i / 2 < MOST);
        enum event_routine_pattern pattern = read_line(line, &bytes, &each);
        double error = fabs(us("h200", pattern, 2, bytes) / each - 1) * 100;
        errors[i % 2][counts[i % 2]++] = error;
        sums[i % 2] += error;
    }
    fclose(file);
    for (int odd = 0; odd < 2; odd++) {
        qsort(errors[odd], counts[odd], sizeof *errors[odd], ascending);
        double mean = sums[odd] / (double)counts[odd], median = errors[odd][counts[odd] / 2];
        print_message("%s lines: %zu, mean %.1f %%, median %.1f %%\n", odd ? "odd" : "even", counts[odd],
                      mean, median);
        assert_int_equal(counts[odd], 46);
        assert_true(mean < MEAN_PERCENT && median < MEDIAN_PERCENT);
    }
}

static void more_ranks_take_longer(void **state)
{
    (void)state;
    for (uint64_t bytes = 1024; bytes <= UINT64_C(1) << 30; bytes *= 32)
        for (uint64_t ranks = 2; ranks < 8; ranks++)
            assert_true(us("h200", EVENT_PATTERN_ALL_REDUCE, ranks + 1, bytes) >=
                        us("h200", EVENT_PATTERN_ALL_REDUCE, ranks, bytes));
    assert_true(us("h200", EVENT_PATTERN_ALL_REDUCE, 8, 1 << 28) >
                1.5 * us("h200", EVENT_PATTERN_ALL_REDUCE, 2, 1 << 28));
}

static void slower_links_take_longer(void **state)
{
    (void)state;
    assert_true(us("l40s", EVENT_PATTERN_ALL_REDUCE, 2, 1 << 28) >
                8 * us("h200", EVENT_PATTERN_ALL_REDUCE, 2, 1 << 28));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_recorded), cmocka_unit_test(errors_are_as_stated),
                                       cmocka_unit_test(more_ranks_take_longer),
                                       cmocka_unit_test(slower_links_take_longer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
