/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: orders of blocks and warps. Method: each block and warp has one position, at sizes around powers
 * of two; the orders are those that the numbers ask for, and the same again. */
#include "engine/core/engine_job.h"
#include "engine/run/engine_schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { MOST = 5000 };

struct fixture {
    struct event_tool tool;
    struct engine engine;
    struct engine_launch launch;
    struct engine_job job;
};

static struct engine_job *job_of(struct fixture *f, uint32_t number, uint64_t seed, uint64_t blocks,
                                 uint32_t threads)
{
    f->tool.schedule = (struct event_order){true, number, seed};
    f->engine.config.tool = &f->tool;
    f->launch.block[0] = threads, f->launch.block[1] = f->launch.block[2] = 1;
    f->job.engine = &f->engine;
    f->job.launch = &f->launch;
    f->job.blocks = blocks;
    return &f->job;
}

static void each_block_has_one_position(void **state)
{
    static const uint64_t COUNTS[] = {1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 1000, 1025, MOST};
    static bool seen[MOST];
    struct fixture f = {0};
    (void)state;
    for (size_t c = 0; c < SW_COUNT_OF(COUNTS); c++)
        for (uint32_t number = 0; number < 6; number++) {
            struct engine_job *job = job_of(&f, number, 7, COUNTS[c], 32);
            memset(seen, 0, sizeof seen);
            for (uint64_t i = 0; i < COUNTS[c]; i++) {
                uint64_t block = engine_schedule_block(job, i);
                assert_true(block < COUNTS[c] && !seen[block]);
                seen[block] = true;
                if (number == 0) assert_int_equal(block, i);
                if (number == 1) assert_int_equal(block, COUNTS[c] - 1 - i);
            }
        }
}

static void each_warp_has_one_turn(void **state)
{
    struct fixture f = {0};
    (void)state;
    for (uint32_t warps = 1; warps <= SW_WARP_LANES; warps++)
        for (uint32_t number = 0; number < 6; number++) {
            uint8_t order[SW_WARP_LANES];
            uint32_t seen = 0;
            engine_schedule_warps(job_of(&f, number, 7, 1, warps * SW_WARP_LANES), order);
            for (uint32_t i = 0; i < warps; i++)
                seen |= UINT32_C(1) << order[i];
            assert_int_equal(seen, warps == SW_WARP_LANES ? UINT32_MAX : (UINT32_C(1) << warps) - 1);
            assert_int_equal(order[0], number == 1 ? warps - 1 : number == 0 ? 0 : order[0]);
        }
}

/* Positions of 1000 blocks that two orders have in common. */
static uint32_t common(struct fixture *a, struct fixture *b)
{
    uint32_t same = 0;
    for (uint64_t i = 0; i < a->job.blocks; i++)
        same += engine_schedule_block(&a->job, i) == engine_schedule_block(&b->job, i);
    return same;
}

static void orders_follow_from_seed_number_and_launch(void **state)
{
    enum { BLOCKS = 1000, FEW = 20 };
    struct fixture a = {0}, b = {0};
    (void)state;
    job_of(&a, 2, 7, BLOCKS, 32), job_of(&b, 2, 7, BLOCKS, 32);
    assert_int_equal(common(&a, &b), BLOCKS);
    job_of(&b, 2, 8, BLOCKS, 32);
    assert_true(common(&a, &b) < FEW);
    job_of(&b, 3, 7, BLOCKS, 32);
    assert_true(common(&a, &b) < FEW);
    job_of(&b, 2, 7, BLOCKS, 32), b.launch.grid_id = 1;
    assert_true(common(&a, &b) < FEW);
    job_of(&b, 0, 7, BLOCKS, 32);
    assert_true(common(&a, &b) < FEW);
}

static void launches_that_are_not_checked_keep_the_order(void **state)
{
    struct fixture f = {0};
    (void)state;
    f.launch.unchecked = true;
    assert_int_equal(engine_schedule_block(job_of(&f, 1, 0, 10, 64), 3), 3);
    uint8_t order[SW_WARP_LANES];
    engine_schedule_warps(&f.job, order);
    assert_int_equal(order[1], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_block_has_one_position),
        cmocka_unit_test(each_warp_has_one_turn),
        cmocka_unit_test(orders_follow_from_seed_number_and_launch),
        cmocka_unit_test(launches_that_are_not_checked_keep_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
