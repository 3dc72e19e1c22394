/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: tasks and their order (engine_order_begin and so on), and what the host's operations access.
 * Method: orders are listed, so that who queues work need not wait for the launch that runs; they reach race/
 * before the next access. A copy or fill is a block of one warp, whose lanes take turns at words. Limits:
 * launches without a task of the driver's come after each other. */
#include "engine_shadow_priv.h"

static bool wants_races(const struct engine *engine)
{
    return engine->shadow && engine->shadow->race;
}

static void order_add(struct engine *engine, uint64_t task, uint64_t before)
{
    if (!wants_races(engine)) return;
    pthread_mutex_lock(&engine->shadow->order_lock);
    *vec_push(&engine->shadow->orders) = (struct engine_shadow_order){task, before};
    pthread_mutex_unlock(&engine->shadow->order_lock);
}

void engine_order_begin(struct engine *engine, uint64_t task)
{
    order_add(engine, task, 0);
}

void engine_order_after(struct engine *engine, uint64_t task, uint64_t before)
{
    order_add(engine, task, before);
}

void engine_shadow_orders_take(struct engine_shadow *shadow)
{
    pthread_mutex_lock(&shadow->order_lock);
    for (size_t i = 0; i < shadow->orders.count; i++) {
        const struct engine_shadow_order *order = &shadow->orders.at[i];
        if (order->before)
            race_task_after(shadow->race, order->task, order->before);
        else
            race_task_begin(shadow->race, order->task);
    }
    shadow->orders.count = 0;
    pthread_mutex_unlock(&shadow->order_lock);
}

uint64_t engine_shadow_task_begin(struct engine_shadow *shadow, uint64_t given)
{
    enum { OWN_BIT = 62 };
    if (shadow->race) engine_shadow_orders_take(shadow);
    if (given) return given;
    uint64_t before = shadow->own_task;
    shadow->own_task = UINT64_C(1) << OWN_BIT | ++shadow->task_count;
    if (!shadow->race) return shadow->own_task;
    race_task_begin(shadow->race, shadow->own_task);
    if (before) race_task_after(shadow->race, shadow->own_task, before);
    return shadow->own_task;
}

static void access_words(struct race_block *block, const struct race_access *what, uint64_t address,
                         uint64_t bytes)
{
    uint64_t turn = (uint64_t)SW_WARP_LANES * what->bytes;
    for (uint64_t done = 0; done < bytes; done += turn) {
        uint64_t lanes = (bytes - done) / what->bytes;
        lane_mask mask = lanes >= SW_WARP_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
        race_access_affine(block, 0, what, address + done, what->bytes, mask);
    }
}

void engine_memory_access(struct engine *engine, uint64_t task, uint64_t address, uint64_t bytes, bool writes)
{
    enum { WORD = 4 };
    struct engine_shadow *shadow = engine->shadow;
    if (!wants_races(engine) || !vmem_in_reservation(engine->config.vmem, address)) return;
    uint64_t head = (WORD - address % WORD) % WORD, tail;
    head = head < bytes ? head : bytes;
    tail = (bytes - head) % WORD;
    struct race_access word = {.bytes = WORD, .reads = !writes, .writes = writes}, byte = word;
    byte.bytes = 1;
    pthread_mutex_lock(&shadow->lock);
    engine_shadow_orders_take(shadow);
    shadow->ctx = NULL;
    struct race_block *block = race_block_begin(shadow->race, task, 0, SW_WARP_LANES, false);
    access_words(block, &byte, address, head);
    access_words(block, &word, address + head, bytes - head - tail);
    access_words(block, &byte, address + bytes - tail, tail);
    race_block_end(block);
    engine_shadow_races_tell(shadow);
    pthread_mutex_unlock(&shadow->lock);
}
