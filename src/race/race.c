/* SPDX-License-Identifier: Apache-2.0 */
/* A race detector as a whole: begun and freed. Method: happens-before, by vector clocks that barriers keep
 * short (race_block.c), and shadow memory (race_cell.c). Limits are those of race.h. */
#include "race_priv.h"

enum { SHORT_ENTRIES = 16 }; /* implementation: of so few, each costs less than what finds out about them */

struct race *race_new(const struct race_config *config)
{
    struct race *race = sw_xcalloc(1, sizeof *race);
    race->config = *config;
    race->owner = UINT32_MAX;
    bool few = config->slices && config->slices < RACE_SLICES_MOST;
    race->slices_most = few ? config->slices : RACE_SLICES_MOST;
    race->short_entries = config->short_entries ? config->short_entries : SHORT_ENTRIES;
    *vec_push(&race->slices) = 0;
    return race;
}

bool race_forgot(const struct race *race)
{
    return race->forgot;
}

size_t race_clock_bytes(const struct race *race)
{
    size_t bytes = 0;
    for (const struct race_clock *clock = race->clocks; clock; clock = clock->next)
        bytes += sizeof *clock + clock->capacity * sizeof clock->at[0];
    return bytes;
}

static void tasks_free(struct race *race)
{
    for (size_t i = 0; i < race->tasks.count; i++) {
        struct race_task *task = race->tasks.at[i];
        race_clock_unref(race, task->clock);
        vec_release(&task->known);
        vec_release(&task->followers);
        free(task);
    }
    for (size_t i = 0; i < race->chains.count; i++)
        vec_release(&race->chains.at[i].tasks);
    vec_release(&race->tasks);
    vec_release(&race->chains);
    map_release(&race->task_by_number);
}

void race_free(struct race *race)
{
    if (!race) return;
    void *value;
    while (race->alive)
        race_block_end(race->alive);
    race_forget_all(race);
    race_clock_forget_joins(race);
    for (size_t i = 0; map_next(&race->regions, &i, &value);)
        free(value);
    for (size_t i = 0; map_next(&race->keys, &i, &value);) {
        struct race_key *key = value;
        race_clock_unref(race, key->pending);
        race_clock_unref(race, key->done);
        race_clock_unref(race, key->base);
        free(key);
    }
    map_release(&race->regions);
    map_release(&race->keys);
    tasks_free(race);
    for (size_t i = 0; i < race->sets.count; i++)
        free(race->sets.at[i].at);
    vec_release(&race->sets);
    vec_release(&race->free_sets);
    vec_release(&race->slices);
    vec_release(&race->blocks);
    vec_release(&race->gather);
    vec_release(&race->orders);
    free(race);
}
