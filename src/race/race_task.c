/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks and their order. Method: tasks that follow each other, as those of a stream do, are a chain; a task
 * knows of each chain up to which place it comes after its tasks (a vector clock over chains). A task that is
 * said to be after one that later learns more learns it, too. Limit: what a running task's threads learn from
 * memory reaches its followers when blocks of it end. */
#include "race_priv.h"

static const uint32_t NO_CHAIN = UINT32_MAX;

static struct race_task *task_of(struct race *race, uint64_t number)
{
    struct race_task *task = map_get_u64(&race->task_by_number, number);
    if (!task) BUG("no task %llu", (unsigned long long)number);
    return task;
}

void race_task_begin(struct race *race, uint64_t number)
{
    struct race_task *task = sw_xcalloc(1, sizeof *task);
    task->number = number;
    task->index = (uint32_t)race->tasks.count;
    task->chain = NO_CHAIN;
    task->base_stale = true;
    *vec_push(&race->tasks) = task;
    map_set_u64(&race->task_by_number, number, task);
}

bool race_task_is(const struct race *race, uint64_t number)
{
    return map_get_u64(&race->task_by_number, number) != NULL;
}

static void chain_append(struct race *race, struct race_task *task, uint32_t chain)
{
    task->chain = chain;
    *vec_push(&race->chains.at[chain].tasks) = task->index;
    task->place = (uint32_t)race->chains.at[chain].tasks.count;
}

/* Slices before the first of a task that this one does not know whole. */
static uint32_t base_of(struct race *race, const struct race_task *task)
{
    uint32_t base = race_slice_last(race);
    for (uint32_t c = 0; c < race->chains.count; c++) {
        const struct race_chain *chain = &race->chains.at[c];
        for (size_t i = c < task->known.count ? task->known.at[c] : 0; i < chain->tasks.count; i++) {
            const struct race_task *other = race->tasks.at[chain->tasks.at[i]];
            if (!other->first) continue;
            if (other->first - 1 < base) base = other->first - 1;
            if (!race->disordered) break; /* its followers are younger */
        }
    }
    return base;
}

void race_task_settle(struct race *race, struct race_task *task)
{
    if (task->begun) return;
    task->begun = true;
    if (task->chain == NO_CHAIN) {
        *vec_push(&race->chains) = (struct race_chain){0};
        chain_append(race, task, (uint32_t)race->chains.count - 1);
    }
}

void race_task_starts_block(struct race *race, struct race_task *task)
{
    race_task_settle(race, task);
    if (task->base_stale) task->base = base_of(race, task);
    task->base_stale = false;
}

bool race_task_is_known_to(struct race *race, const struct race_task *other, const struct race_clock *clock)
{
    if (!clock) return false;
    for (uint32_t i = clock->count; i-- > 0 && clock->at[i].id >> 63;)
        if (race_task_knows(race->tasks.at[(uint32_t)clock->at[i].id], other)) return true;
    return false;
}

static bool known_raise(struct race_task *task, uint32_t chain, uint32_t place)
{
    if (chain >= task->known.count) {
        vec_reserve(&task->known, chain + 1);
        while (task->known.count <= chain)
            task->known.at[task->known.count++] = 0;
    }
    if (task->known.at[chain] >= place) return false;
    task->known.at[chain] = place;
    return true;
}

static bool order_learn(struct race *race, struct race_task *task, const struct race_task *before)
{
    bool more = known_raise(task, before->chain, before->place);
    for (uint32_t c = 0; c < before->known.count; c++)
        more |= known_raise(task, c, before->known.at[c]);
    struct race_clock *clock = task->clock, *news = race_clock_foreign(race, before->clock, task);
    race_clock_add(race, &task->clock, news);
    race_clock_unref(race, news);
    task->base_stale |= more;
    return more || task->clock != clock;
}

/* What a task has learnt reaches all that come after it. */
static void followers_tell(struct race *race, const struct race_task *task)
{
    VEC(uint32_t) rest = {0};
    *vec_push(&rest) = task->index;
    while (rest.count) {
        const struct race_task *before = race->tasks.at[rest.at[--rest.count]];
        for (size_t i = 0; i < before->followers.count; i++)
            if (order_learn(race, race->tasks.at[before->followers.at[i]], before))
                *vec_push(&rest) = before->followers.at[i];
    }
    vec_release(&rest);
}

void race_task_after(struct race *race, uint64_t number, uint64_t before_number)
{
    struct race_task *task = task_of(race, number), *before = task_of(race, before_number);
    race_task_settle(race, before);
    struct race_chain *chain = &race->chains.at[before->chain];
    if (task->chain == NO_CHAIN && before->place == chain->tasks.count)
        chain_append(race, task, before->chain);
    *vec_push(&before->followers) = task->index;
    race->disordered |= !before->ended;
    if (order_learn(race, task, before) && task->followers.count) followers_tell(race, task);
}

void race_task_again(struct race *race, uint64_t number)
{
    struct race_task *before = task_of(race, number);
    size_t count = before->followers.count;
    race_task_settle(race, before);
    race_task_begin(race, number);
    struct race_task *again = task_of(race, number);
    (void)order_learn(race, again, before);
    race_task_settle(race, again);
    for (size_t i = 0; i < count; i++)
        *vec_push(&again->followers) = before->followers.at[i];
    *vec_push(&before->followers) = again->index;
    race->disordered = true;
    followers_tell(race, again);
}

void race_task_learn(struct race *race, struct race_task *task, struct race_clock *clock)
{
    struct race_clock *foreign = race_clock_foreign(race, clock, task);
    race_clock_add(race, &task->clock, foreign);
    race_clock_unref(race, foreign);
    followers_tell(race, task);
}

void race_task_end(struct race *race, uint64_t number)
{
    struct race_task *task = task_of(race, number);
    task->ended = true;
    followers_tell(race, task);
}
