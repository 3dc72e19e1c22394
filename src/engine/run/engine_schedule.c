/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: orders of blocks and warps other than the usual one. Method: a permutation of blocks is computed
 * block by block, so that large grids need no memory: a Feistel network on the next even number of bits,
 * applied again while its result is no block (at most three times on average). Warps of a block are shuffled
 * (Fisher and Yates), all blocks of a launch alike. Keys follow from the seed, the schedule's number and the
 * launch's, and from nothing else, so that a schedule can be repeated. Limits: not all orders can occur. */
#include "engine_schedule.h"

struct event_order engine_schedule_of(const struct engine *engine)
{
    return engine->config.tool ? engine->config.tool->schedule : (struct event_order){0};
}

uint32_t engine_schedule_number(const struct engine_job *job)
{
    return job->launch->unchecked ? 0 : engine_schedule_of(job->engine).number;
}

/* The finalizer of splitmix64 (published: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * OOPSLA 2014). */
static uint64_t schedule_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t schedule_key(const struct engine_job *job)
{
    struct event_order schedule = engine_schedule_of(job->engine);
    uint64_t key = schedule_mix(schedule.seed + 1);
    key = schedule_mix(key + schedule.number);
    return schedule_mix(key + job->launch->grid_id);
}

/* A permutation of the numbers of 2 * half bits. */
static uint64_t schedule_feistel(uint64_t x, unsigned half, uint64_t key)
{
    enum { ROUNDS = 4 }; /* published: Luby and Rackoff: four rounds of random functions are enough */
    uint64_t mask = (UINT64_C(1) << half) - 1, left = x >> half, right = x & mask;
    for (uint64_t r = 0; r < ROUNDS; r++) {
        uint64_t next = left ^ (schedule_mix(key + r + (right << 8)) & mask);
        left = right;
        right = next;
    }
    return left << half | right;
}

uint64_t engine_schedule_block(const struct engine_job *job, uint64_t position)
{
    uint32_t number = engine_schedule_number(job);
    if (number == 0 || job->blocks < 2) return position;
    if (number == 1) return job->blocks - 1 - position;
    unsigned half = 1;
    while (half < 31 && UINT64_C(1) << 2 * half < job->blocks)
        half++;
    uint64_t key = schedule_key(job), block = position;
    do
        block = schedule_feistel(block, half, key);
    while (block >= job->blocks);
    return block;
}

void engine_schedule_warps(const struct engine_job *job, uint8_t order[SW_WARP_LANES])
{
    uint32_t number = engine_schedule_number(job), warps = engine_job_warps(job);
    uint64_t key = schedule_key(job);
    for (uint32_t w = 0; w < warps; w++)
        order[w] = (uint8_t)(number == 1 ? warps - 1 - w : w);
    for (uint32_t w = warps; w > 1 && number > 1; w--) {
        uint32_t other = (uint32_t)(schedule_mix(key ^ w) % w);
        uint8_t moved = order[w - 1];
        order[w - 1] = order[other];
        order[other] = moved;
    }
}
