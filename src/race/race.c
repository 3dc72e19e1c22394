/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: placeholder of a local build. */
#include "race/race.h"

#include <stdlib.h>

struct race {
    int unused;
};
struct race_block {
    int unused;
};
struct race *race_new(const struct race_config *config)
{
    (void)config;
    return sw_xcalloc(1, sizeof(struct race));
}
void race_free(struct race *race)
{
    free(race);
}
void race_task_begin(struct race *race, uint64_t task)
{
    (void)race;
    (void)task;
}
void race_task_after(struct race *race, uint64_t task, uint64_t before)
{
    (void)race;
    (void)task;
    (void)before;
}
void race_task_end(struct race *race, uint64_t task)
{
    (void)race;
    (void)task;
}
struct race_block *race_block_begin(struct race *race, uint64_t task, uint64_t block, uint32_t threads,
                                    bool complex)
{
    (void)race;
    (void)task;
    (void)block;
    (void)threads;
    (void)complex;
    return sw_xcalloc(1, 4);
}
void race_block_end(struct race_block *block)
{
    free(block);
}
void race_forget(struct race *race, uint64_t address, uint64_t bytes)
{
    (void)race;
    (void)address;
    (void)bytes;
}
void race_access(struct race_block *block, uint32_t warp, const struct race_access *what,
                 const uint64_t *addresses, lane_mask mask)
{
    (void)block;
    (void)warp;
    (void)what;
    (void)addresses;
    (void)mask;
}
void race_fence(struct race_block *block, uint32_t warp, lane_mask mask, enum race_scope scope)
{
    (void)block;
    (void)warp;
    (void)mask;
    (void)scope;
}
void race_warp_sync(struct race_block *block, uint32_t warp, lane_mask mask)
{
    (void)block;
    (void)warp;
    (void)mask;
}
void race_block_sync(struct race_block *block)
{
    (void)block;
}
void race_release(struct race_block *block, uint32_t warp, lane_mask mask, uint64_t key)
{
    (void)block;
    (void)warp;
    (void)mask;
    (void)key;
}
void race_complete(struct race *race, uint64_t key)
{
    (void)race;
    (void)key;
}
void race_acquire(struct race_block *block, uint32_t warp, lane_mask mask, uint64_t key)
{
    (void)block;
    (void)warp;
    (void)mask;
    (void)key;
}
void race_key_end(struct race *race, uint64_t key)
{
    (void)race;
    (void)key;
}
void race_access_affine(struct race_block *b, uint32_t w, const struct race_access *what, uint64_t f,
                        int64_t s, lane_mask m)
{
    (void)b;
    (void)w;
    (void)what;
    (void)f;
    (void)s;
    (void)m;
}
