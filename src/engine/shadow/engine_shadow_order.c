/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: tasks and their order (engine_order_begin and so on), and what the host's operations access.
 * Method: orders are listed, so that who queues work need not wait for the launch that runs; they reach race/
 * before the next access, and so does what the host itself accesses, which must not wait either: a kernel may
 * wait for it. A copy or fill is a block of one warp, whose lanes take turns at words; its site is the number
 * of the call. Tasks that all others come after are forgotten with what they did (engine_order_forget).
 * Limits: launches without a task of the driver's, as
 * kernels make them, come after each other and after the launch that began before them, and launches that
 * begin later come after them; of more than 65,534
 * calls at different places the last have no names. */
#include "engine_shadow_priv.h"

#include <stdlib.h>

static bool wants_races(const struct engine *engine)
{
    return engine->shadow && engine->shadow->checks & EVENT_CHECK_RACE_GLOBAL;
}

static void order_add(struct engine *engine, const struct engine_shadow_order *order)
{
    if (!wants_races(engine)) return;
    pthread_mutex_lock(&engine->shadow->order_lock);
    *vec_push(&engine->shadow->orders) = *order;
    pthread_mutex_unlock(&engine->shadow->order_lock);
}

void engine_order_begin(struct engine *engine, uint64_t task)
{
    order_add(engine, &(struct engine_shadow_order){.task = task});
}

void engine_order_after(struct engine *engine, uint64_t task, uint64_t before)
{
    order_add(engine, &(struct engine_shadow_order){.task = task, .before = before});
}

void engine_order_forget(struct engine *engine)
{
    order_add(engine, &(struct engine_shadow_order){0});
}

void engine_memory_touched(struct engine *engine, const struct engine_access *access)
{
    order_add(engine, &(struct engine_shadow_order){.access = *access});
}

void engine_memory_forget(struct engine *engine, uint64_t address, uint64_t bytes)
{
    struct engine_access access = {.address = address, .bytes = bytes};
    order_add(engine, &(struct engine_shadow_order){.access = access});
}

/* ---- accesses */

/* The number of a call, as a site of race. */
static uint32_t site_of(struct engine_shadow *shadow, const struct engine_access *access)
{
    enum { SITES = 0xffff };
    uint64_t key = (uintptr_t)access->where * 31 + (uintptr_t)access->call;
    uint32_t number = (uint32_t)(uintptr_t)map_get_u64(&shadow->call_numbers, key);
    if (number || shadow->calls.count == SITES - 1) return number ? number : SITES;
    *vec_push(&shadow->calls) = (struct engine_shadow_call){access->call, access->where};
    number = (uint32_t)shadow->calls.count;
    map_set_u64(&shadow->call_numbers, key, (void *)(uintptr_t)number);
    return number;
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

static void access_bytes(struct race_block *block, const struct engine_access *access, uint32_t site,
                         uint64_t address, uint64_t bytes)
{
    enum { WORD = 4 };
    uint64_t head = (WORD - address % WORD) % WORD, tail;
    head = head < bytes ? head : bytes;
    tail = (bytes - head) % WORD;
    struct race_access word = {
        .site = site, .bytes = WORD, .reads = !access->writes, .writes = access->writes};
    struct race_access byte = word;
    byte.bytes = 1;
    access_words(block, &byte, address, head);
    access_words(block, &word, address + head, bytes - head - tail);
    access_words(block, &byte, address + bytes - tail, tail);
}

/* known: only where something was accessed before. */
static void access_told(struct engine_shadow *shadow, const struct engine_access *access, bool known)
{
    enum { PAGE = 4096 };
    uint32_t site = site_of(shadow, access);
    if (!race_task_is(shadow->races.race, access->task)) return; /* of the host, which waited meanwhile */
    shadow->races.ctx = NULL;
    if (map_get_u64(&shadow->tasks, access->task))
        race_task_again(shadow->races.race, access->task); /* a launch's */
    if (shadow->own_task) race_task_after(shadow->races.race, access->task, shadow->own_task);
    struct race_block *block = race_block_begin(shadow->races.race, access->task, 0, SW_WARP_LANES, false);
    if (!known) access_bytes(block, access, site, access->address, access->bytes);
    for (uint64_t at = access->address, end = at + access->bytes, next; known && at < end; at = next) {
        next = (at / PAGE + 1) * PAGE < end ? (at / PAGE + 1) * PAGE : end;
        if (race_known_at(shadow->races.race, at)) access_bytes(block, access, site, at, next - at);
    }
    race_block_end(block);
    engine_shadow_races_tell(&shadow->races);
}

void engine_shadow_tasks_release(struct engine_shadow *shadow)
{
    void *value;
    for (size_t i = 0; map_next(&shadow->tasks, &i, &value);)
        free(value);
    map_release(&shadow->tasks);
    shadow->tasks = (struct map){0};
}

static void tasks_forget(struct engine_shadow *shadow)
{
    race_free(shadow->races.race);
    engine_shadow_races_init(&shadow->races, shadow);
    shadow->given_task = shadow->own_task = 0;
    pthread_mutex_lock(&shadow->order_lock);
    engine_shadow_tasks_release(shadow);
    pthread_mutex_unlock(&shadow->order_lock);
}

/* Tasks that were forgotten come before all others. */
static void order_take(struct engine_shadow *shadow, const struct engine_shadow_order *order)
{
    if (!order->task && !order->access.bytes)
        tasks_forget(shadow);
    else if (order->access.bytes && !order->access.task)
        race_forget(shadow->races.race, order->access.address, order->access.bytes);
    else if (order->access.bytes)
        access_told(shadow, &order->access, false);
    else if (order->before) {
        if (race_task_is(shadow->races.race, order->before) && race_task_is(shadow->races.race, order->task))
            race_task_after(shadow->races.race, order->task, order->before);
    } else
        race_task_begin(shadow->races.race, order->task);
}

/* What is found is told without the lock of the list: the tool may call what adds to it. */
void engine_shadow_orders_take(struct engine_shadow *shadow)
{
    pthread_mutex_lock(&shadow->order_lock);
    struct engine_shadow_order *orders = shadow->orders.at;
    size_t count = shadow->orders.count;
    shadow->orders.at = NULL, shadow->orders.count = shadow->orders.capacity = 0;
    pthread_mutex_unlock(&shadow->order_lock);
    for (size_t i = 0; i < count; i++)
        order_take(shadow, &orders[i]);
    free(orders);
}

void engine_shadow_orders_release(struct engine_shadow *shadow)
{
    vec_release(&shadow->orders);
    vec_release(&shadow->calls);
    map_release(&shadow->call_numbers);
}

uint64_t engine_shadow_task_begin(struct engine_shadow *shadow, uint64_t given, bool apart)
{
    enum { OWN_BIT = 62 };
    if (apart) return UINT64_C(1) << OWN_BIT | ++shadow->task_count;
    if (shadow->races.race) engine_shadow_orders_take(shadow);
    if (given) { /* what kernels launched before it, it waits for */
        if (shadow->races.race && shadow->own_task)
            race_task_after(shadow->races.race, given, shadow->own_task);
        return shadow->given_task = given;
    }
    uint64_t before = shadow->own_task;
    shadow->own_task = UINT64_C(1) << OWN_BIT | ++shadow->task_count;
    if (!shadow->races.race) return shadow->own_task;
    race_task_begin(shadow->races.race, shadow->own_task);
    if (before) race_task_after(shadow->races.race, shadow->own_task, before);
    if (shadow->given_task) race_task_after(shadow->races.race, shadow->own_task, shadow->given_task);
    return shadow->own_task;
}

/* Under the lock from here on. false: nothing is to be judged. */
static bool access_begin(struct engine *engine, uint64_t address)
{
    if (!wants_races(engine) || !vmem_in_reservation(engine->config.vmem, address)) return false;
    pthread_mutex_lock(&engine->shadow->lock);
    engine_shadow_orders_take(engine->shadow);
    return true;
}

void engine_memory_access(struct engine *engine, const struct engine_access *access)
{
    if (!access_begin(engine, access->address)) return;
    access_told(engine->shadow, access, false);
    pthread_mutex_unlock(&engine->shadow->lock);
}

void engine_memory_freed(struct engine *engine, const struct engine_access *access)
{
    if (!access_begin(engine, access->address)) return;
    access_told(engine->shadow, access, true);
    pthread_mutex_unlock(&engine->shadow->lock);
}

void engine_memory_judge(struct engine *engine)
{
    if (!wants_races(engine) || pthread_mutex_trylock(&engine->shadow->lock) != 0) return;
    engine_shadow_orders_take(engine->shadow);
    pthread_mutex_unlock(&engine->shadow->lock);
}

enum engine_known engine_memory_known(struct engine *engine, uint64_t address)
{
    if (!wants_races(engine)) return ENGINE_KNOWN_NOTHING;
    pthread_mutex_lock(&engine->shadow->lock);
    enum race_known known = race_known_at(engine->shadow->races.race, address);
    pthread_mutex_unlock(&engine->shadow->lock);
    return known == RACE_KNOWN_WRITTEN ? ENGINE_KNOWN_WRITTEN
           : known == RACE_KNOWN_READ  ? ENGINE_KNOWN_READ
                                       : ENGINE_KNOWN_NOTHING;
}
