/* SPDX-License-Identifier: Apache-2.0 */
/* Times of libraries' calls against those recorded on an H200: of the calls to which nothing was fitted, the
 * mean error. Lines of LIBRARY-routines.tsv (tests/hw/libraries/routines.c): half, ns, and struct
 * event_routine's numbers. */
#include "timing_routine.h"

#include "base/base.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* False: the library queues nothing for that call. */
static bool routine_of(const char *line, int *half, double *ns, struct event_routine *r)
{
    unsigned kind, math, method, aligned;
    *r = (struct event_routine){.name = "", .shape = ""};
    int found = sscanf(line,
                       "%d %lf %u %u %u %u %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
                       " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
                       half, ns, &kind, &math, &method, &aligned, &r->m, &r->n, &r->k, &r->batch, &r->kernels,
                       &r->gathered, &r->steps, &r->flops, &r->read_bytes, &r->wrote_bytes);
    r->kind = (uint8_t)kind;
    r->math = (uint8_t)math;
    r->method = (uint8_t)method;
    r->aligned_bytes = (uint8_t)aligned;
    return found == 16 && *ns > 0;
}

/* Mean error of the half that was not fitted, in percent. */
static double error_percent(const char *library, int least)
{
    struct arch_gpu gpu;
    struct sw_error error;
    struct event_routine r;
    struct event_time time;
    char path[256], line[512];
    double sum = 0, ns;
    int count = 0, half;
    assert_int_equal(arch_gpu_load("h200", &gpu, &error), SW_OK);
    snprintf(path, sizeof path, SW_SOURCE_DIR "/tests/hw/libraries/h200/%s-routines.tsv", library);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (!routine_of(line, &half, &ns, &r) || half == 0) continue;
        assert_true(timing_routine(&gpu, &r, &time));
        sum += fabs((double)time.duration_ns / ns - 1);
        count++;
    }
    fclose(file);
    assert_true(count >= least);
    return 100 * sum / count;
}

static void cublas(void **state)
{
    (void)state;
    assert_true(error_percent("cublas", 170) < 12);
}

static void cublaslt(void **state)
{
    (void)state;
    assert_true(error_percent("cublaslt", 100) < 12);
}

static void cusolver(void **state)
{
    (void)state;
    assert_true(error_percent("cusolver", 400) < 12);
}

static void cusparse(void **state)
{
    (void)state;
    assert_true(error_percent("cusparse", 110) < 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cublas), cmocka_unit_test(cublaslt),
                                       cmocka_unit_test(cusolver), cmocka_unit_test(cusparse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
