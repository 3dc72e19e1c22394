/* SPDX-License-Identifier: Apache-2.0 */
/* Occupancy against the guides' figures and against what ncu reports on an H200. */
#include "arch/arch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct figure {
    uint32_t major, minor, threads, registers, shared;
    uint32_t blocks, warps, percent; /* expected; percent rounded down */
};

static const struct figure GUIDE[] = {
    {1, 1, 128, 12, 0, 5, 20, 83},   {1, 1, 256, 12, 0, 2, 16, 66},  {1, 1, 256, 10, 0, 3, 24, 100},
    {1, 1, 256, 11, 0, 2, 16, 66},   {1, 1, 512, 10, 0, 1, 16, 66},  {6, 1, 512, 64, 0, 2, 32, 50},
    {6, 0, 512, 64, 0, 2, 32, 50},   {6, 1, 512, 65, 0, 1, 16, 25},  {9, 0, 256, 22, 0, 8, 64, 100},
    {9, 0, 1024, 32, 0, 2, 64, 100}, {9, 0, 1024, 33, 0, 1, 32, 50}, {7, 5, 256, 32, 0, 4, 32, 100},
    {2, 0, 256, 21, 0, 5, 40, 83},   {2, 0, 256, 20, 0, 6, 48, 100}, {8, 6, 96, 32, 0, 16, 48, 100},
    {6, 0, 288, 169, 0, 0, 0, 0}, /* a 6.1 could not hold it */
};

static void figures_of_the_guides(void **state)
{
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(GUIDE); i++) {
        const struct figure *f = &GUIDE[i];
        struct arch_occupancy_request request = {f->threads, f->registers, f->shared, 0};
        struct arch_occupancy o;
        assert_int_equal(arch_occupancy_compute(arch_cc_find(f->major, f->minor), &request, &o, NULL), SW_OK);
        assert_int_equal(o.blocks_per_sm, f->blocks);
        assert_int_equal(o.warps_per_sm, f->warps);
        assert_int_equal((uint32_t)floor(100 * o.fraction + 1e-9), f->percent);
    }
}

static void
limits_as_ncu_reports_them(void **state) /* gemm of tests' recorded launch: 256 threads, 22 registers */
{
    (void)state;
    struct arch_occupancy o;
    struct arch_occupancy_request request = {256, 22, 0, 32768};
    assert_int_equal(arch_occupancy_compute(arch_cc_find(9, 0), &request, &o, NULL), SW_OK);
    assert_int_equal(o.limit_blocks, 32);
    assert_int_equal(o.limit_registers, 10);
    assert_int_equal(o.limit_shared, 32);
    assert_int_equal(o.limit_warps, 8);
    assert_int_equal(o.shared_per_block, 1024);
    assert_int_equal(o.registers_per_block, 24 * 256);
}

/* Threads, registers, shared memory of a block and of the multiprocessor. tests/hw/h200/counters.csv, then
 * tests/hw/memory and tests/hw/timing: few registers, blocks that only registers keep away, twice that would
 * be more than half of what there is, small blocks. */
static void carveout_as_recorded_on_an_h200(void **state)
{
    (void)state;
    static const uint32_t RECORDED[][4] = {
        {256, 16, 1024, 32768},    {100, 16, 1024, 32768},   {256, 16, 2048, 32768},
        {256, 16, 2176, 65536},    {256, 16, 3072, 65536},   {256, 16, 5120, 102400},
        {256, 16, 5248, 102400},   {256, 16, 17408, 167936}, {1024, 16, 9216, 32768},
        {1024, 16, 41984, 102400}, {256, 56, 9216, 102400},  {256, 128, 9216, 65536},
        {128, 96, 11264, 135168},  {512, 16, 17408, 135168}, {256, 16, 9216, 135168},
        {512, 16, 21632, 135168},  {32, 16, 5120, 167936},   {128, 16, 50176, 200704},
        {1024, 16, 5120, 16384},   {512, 16, 2048, 16384}};
    for (size_t i = 0; i < SW_COUNT_OF(RECORDED); i++)
        assert_int_equal(
            arch_shared_carveout(arch_cc_find(9, 0), RECORDED[i][0], RECORDED[i][1], RECORDED[i][2]),
            RECORDED[i][3]);
    assert_int_equal(arch_shared_carveout(arch_cc_find(3, 5), 256, 16, 1024), 49152);
}

static void shared_memory_limits(void **state)
{
    (void)state;
    struct arch_occupancy o;
    struct arch_occupancy_request most = {64, 16, 232448, 0}, more = {64, 16, 232449, 0};
    assert_int_equal(arch_occupancy_compute(arch_cc_find(9, 0), &most, &o, NULL), SW_OK);
    assert_int_equal(o.limit_shared, 1);
    assert_int_equal(arch_occupancy_compute(arch_cc_find(9, 0), &more, &o, NULL), SW_OK);
    assert_int_equal(o.blocks_per_sm, 0);
    struct arch_occupancy_request third = {64, 16, 16384, 0};
    assert_int_equal(arch_occupancy_compute(arch_cc_find(3, 5), &third, &o, NULL), SW_OK);
    assert_int_equal(o.limit_shared, 3);
}

static void impossible_blocks_are_refused(void **state)
{
    (void)state;
    struct arch_occupancy o;
    struct sw_error error;
    struct arch_occupancy_request none = {0, 16, 0, 0}, large = {1025, 16, 0, 0}, greedy = {1024, 65, 0, 0};
    assert_int_equal(arch_occupancy_compute(arch_cc_find(9, 0), &none, &o, &error), SW_INVALID_VALUE);
    assert_int_equal(arch_occupancy_compute(arch_cc_find(9, 0), &large, &o, &error), SW_INVALID_VALUE);
    assert_int_equal(arch_occupancy_compute(arch_cc_find(9, 0), &greedy, &o, &error), SW_OK);
    assert_int_equal(o.blocks_per_sm, 0);
    assert_null(arch_cc_find(4, 0));
}

static void warps_that_hide_a_latency(void **state) /* the figures of the programming guide for 3.x */
{
    (void)state;
    assert_int_equal(arch_warps_to_hide(arch_cc_find(3, 5), 11, 1), 44);
    assert_int_equal(arch_warps_to_hide(arch_cc_find(3, 5), 300, 30), 40);
    assert_int_equal(arch_warps_to_hide(arch_cc_find(6, 0), 301, 30), 21); /* two schedulers; rounded up */
    assert_int_equal(arch_warps_to_hide(arch_cc_find(9, 0), 4, 1), 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_the_guides),         cmocka_unit_test(limits_as_ncu_reports_them),
        cmocka_unit_test(shared_memory_limits),          cmocka_unit_test(carveout_as_recorded_on_an_h200),
        cmocka_unit_test(impossible_blocks_are_refused), cmocka_unit_test(warps_that_hide_a_latency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
