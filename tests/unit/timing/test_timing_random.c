/* SPDX-License-Identifier: Apache-2.0 */
/* Times of random numbers against those recorded on an H200 (tests/hw/libraries): calls of odd place, which
 * chose no parameter; and what makes them longer. */
#include "timing_random_priv.h"

#include "base/base.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double DRAM = 4060, SMS = 132,
                    GHZ = 1.5; /* an H200's, in bytes a ns and as ncu locks its clock */

static double ns(unsigned generator, unsigned numbers, uint64_t n, uint64_t dimensions, double sms,
                 double ghz)
{
    bool wide = numbers == EVENT_RANDOM_UNIFORM_DOUBLE || numbers == EVENT_RANDOM_NORMAL_DOUBLE ||
                (numbers == EVENT_RANDOM_BITS && generator == EVENT_RANDOM_SOBOL64);
    const struct event_routine r = {.kind = EVENT_ROUTINE_RANDOM,
                                    .m = generator,
                                    .k = numbers,
                                    .n = n,
                                    .batch = dimensions,
                                    .wrote_bytes = n * (wide ? 8 : 4)};
    struct timing_random t = timing_random(&r, DRAM, sms, ghz);
    return t.start_ns + t.work_ns;
}

static const char *const GENERATORS[] = {"xorwow", "mrg32k3a", "mtgp32", "mt19937",
                                         "philox", "sobol32",  "sobol64"};
static const char *const NUMBERS[] = {"bits ",   "uniform ",       "uniform-double ",
                                      "normal ", "normal-double ", "log-normal ",
                                      "?",       "poisson 10 ",    "poisson 1000 "};

/* The error of a recorded call; false: the model does not cover it. */
static bool error_of(const char *name, const char *shape, double recorded, double *error)
{
    unsigned generator = 0, numbers = 0;
    const char *at;
    if (strcmp(name, "scrambled32") == 0) name = "sobol32";
    if (strcmp(name, "scrambled64") == 0) name = "sobol64";
    while (strcmp(GENERATORS[generator], name) != 0)
        if (++generator == SW_COUNT_OF(GENERATORS)) fail_msg("%s is no generator", name);
    if (strncmp(shape, "dynamic", 7) == 0 || strcmp(shape, "seeds") == 0 || recorded <= 0) return false;
    while (strncmp(NUMBERS[numbers], shape, strlen(NUMBERS[numbers])) != 0)
        if (++numbers == SW_COUNT_OF(NUMBERS)) fail_msg("%s is no function", shape);
    at = shape + strlen(NUMBERS[numbers]);
    uint64_t n = strtoull(at, NULL, 10), dimensions = strstr(at, "of 64") ? 64 : 1;
    *error = ns(generator, numbers, n, dimensions, SMS, GHZ) / recorded - 1;
    return true;
}

static void as_long_as_recorded(void **state)
{
    FILE *file = fopen(SW_SOURCE_DIR "/tests/hw/libraries/h200/curand-times.tsv", "r");
    char line[4096];
    double sum[2] = {0}, error;
    unsigned count[2] = {0};
    (void)state;
    assert_non_null(file);
    for (unsigned i = 0; fgets(line, sizeof line, file); i++) {
        char *save = NULL, *name = strtok_r(line, "\t", &save), *shape = strtok_r(NULL, "\t", &save);
        assert_non_null(strtok_r(NULL, "\t", &save)); /* status */
        if (strstr(save, " generate_seed_pseudo") || !error_of(name, shape, strtod(save, NULL), &error))
            continue;
        sum[i % 2] += fabs(error);
        count[i % 2]++;
    }
    fclose(file);
    print_message("mean error: %.1f %% of %u calls that were fitted, %.1f %% of %u others\n",
                  100 * sum[0] / count[0], count[0], 100 * sum[1] / count[1], count[1]);
    assert_true(count[0] > 150 && count[1] > 150);
    assert_true(sum[0] / count[0] < 0.085);
    assert_true(sum[1] / count[1] < 0.12);
}

static double usual(unsigned generator, unsigned numbers, uint64_t n)
{
    return ns(generator, numbers, n, 1, SMS, GHZ);
}

static void what_takes_longer(void **state)
{
    enum { MANY = 1 << 26 };
    (void)state;
    for (unsigned g = 0; g < EVENT_RANDOM_GENERATORS; g++) {
        assert_true(usual(g, EVENT_RANDOM_NORMAL_DOUBLE, MANY) > usual(g, EVENT_RANDOM_NORMAL, MANY));
        assert_true(usual(g, EVENT_RANDOM_BITS, MANY) > 1.5 * usual(g, EVENT_RANDOM_BITS, MANY / 4));
        assert_true(ns(g, EVENT_RANDOM_NORMAL, MANY, 1, SMS, GHZ / 2) >
                    1.5 * usual(g, EVENT_RANDOM_NORMAL, MANY));
    }
    /* XORWOW's lanes fill 64 multiprocessors; others have enough of them */
    assert_true(ns(EVENT_RANDOM_XORWOW, EVENT_RANDOM_NORMAL, MANY, 1, 66, GHZ) <
                1.01 * usual(EVENT_RANDOM_XORWOW, EVENT_RANDOM_NORMAL, MANY));
    assert_true(ns(EVENT_RANDOM_PHILOX, EVENT_RANDOM_NORMAL, MANY, 1, 66, GHZ) >
                1.8 * usual(EVENT_RANDOM_PHILOX, EVENT_RANDOM_NORMAL, MANY));
    assert_true(usual(EVENT_RANDOM_MT19937, EVENT_RANDOM_SEEDS, 0) >
                100 * usual(EVENT_RANDOM_PHILOX, EVENT_RANDOM_SEEDS, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_long_as_recorded),
                                       cmocka_unit_test(what_takes_longer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
