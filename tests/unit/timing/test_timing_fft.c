/* SPDX-License-Identifier: Apache-2.0 */
/* Times of Fourier transforms: what makes them longer, and by how much. (Against recorded ones:
 * tests/hw/libraries.) */
#include "timing_fft_priv.h"

#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double DRAM = 4900, SM_GHZ = 200; /* an H200's, about */

static struct event_routine transform(uint64_t x, uint64_t y, uint64_t z, uint64_t batch)
{
    uint64_t bytes = x * y * z * batch * 8;
    return (struct event_routine){.kind = EVENT_ROUTINE_FFT,
                                  .math = EVENT_MATH_F32,
                                  .m = x,
                                  .n = y,
                                  .k = z,
                                  .batch = batch,
                                  .read_bytes = bytes,
                                  .wrote_bytes = bytes};
}

static double ns_of(const struct event_routine *r, double dram)
{
    struct timing_fft t = timing_fft(r, dram, SM_GHZ);
    return t.start_ns + t.latency_ns + t.work_ns;
}

static double ns(uint64_t x, uint64_t y, uint64_t z, uint64_t batch)
{
    struct event_routine r = transform(x, y, z, batch);
    return ns_of(&r, DRAM);
}

static unsigned kernels(uint64_t x, uint64_t y, uint64_t z)
{
    struct event_routine r = transform(x, y, z, 1), one = transform(8, 1, 1, 1);
    return (unsigned)(timing_fft(&r, DRAM, SM_GHZ).start_ns / timing_fft(&one, DRAM, SM_GHZ).start_ns + 0.5);
}

/* As ncu saw them on an H200 (tests/hw/libraries/h200/cufft-times.tsv). */
static void as_many_kernels_as_recorded(void **state)
{
    (void)state;
    assert_int_equal(kernels(16384, 1, 1), 1);
    assert_int_equal(kernels(32768, 1, 1), 2);
    assert_int_equal(kernels(1 << 24, 1, 1), 2);
    assert_int_equal(kernels(10000, 1, 1), 1);
    assert_int_equal(kernels(100000, 1, 1), 3);
    assert_int_equal(kernels(59049, 1, 1), 2);
    assert_int_equal(kernels(1009, 1, 1), 1);
    assert_int_equal(kernels(10007, 1, 1), 6);
    assert_int_equal(kernels(1000003, 1, 1), 8);
    assert_int_equal(kernels(256, 256, 1), 2);
    assert_int_equal(kernels(64, 64, 64), 3);
}

static void large_batches_go_at_memorys_rate(void **state)
{
    struct event_routine r = transform(1024, 1, 1, 1 << 16);
    (void)state;
    double twice = ns(1024, 1, 1, 1 << 17) / ns(1024, 1, 1, 1 << 16);
    assert_true(twice > 1.95 && twice < 2.05);
    double slower = ns_of(&r, DRAM / 2) / ns_of(&r, DRAM);
    assert_true(slower > 1.9 && slower < 2.05);
}

static void halves_of_the_memory_take_less(void **state)
{
    struct event_routine real = transform(1024, 1024, 1, 8), both = real;
    (void)state;
    real.read_bytes /= 2;
    real.wrote_bytes = real.read_bytes + 8192;
    assert_true(ns_of(&real, DRAM) < 0.75 * ns_of(&both, DRAM));
    both.math = EVENT_MATH_F64;
    assert_true(ns_of(&both, DRAM) > 1.5 * ns(1024, 1024, 1, 8));
}

static void primes_take_longer(void **state)
{
    (void)state;
    assert_true(ns(127, 1, 1, 40000) > 2 * ns(128, 1, 1, 40000));
    assert_true(ns(1009, 1, 1, 4096) > 2 * ns(1024, 1, 1, 4096));
    assert_true(ns(10007, 1, 1, 1) > 3 * ns(8192, 1, 1, 1));
}

static void columns_take_longer_than_rows(void **state)
{
    (void)state;
    assert_true(ns(2048, 2048, 1, 1) > 2.2 * ns(2048, 1, 1, 2048));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_kernels_as_recorded), cmocka_unit_test(large_batches_go_at_memorys_rate),
        cmocka_unit_test(halves_of_the_memory_take_less), cmocka_unit_test(primes_take_longer),
        cmocka_unit_test(columns_take_longer_than_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
