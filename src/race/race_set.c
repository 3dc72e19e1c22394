/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of accesses, for cells whose history an epoch cannot hold. Method: each belongs to one cell; a change
 * makes a new one. Limits: a set keeps its newest members, as many as RACE_SET_MOST, or only the newest one
 * once all sets need more memory than they may. What is forgotten can only hide a race. */
#include "race_priv.h"

#include <string.h>

/* Sets may need as much memory as the pages, and this. */
static const size_t FREE_BYTES = (size_t)64 << 20;

uint32_t race_set_new(struct race *race, const struct race_member *members, uint32_t count)
{
    size_t room = race->page_bytes + FREE_BYTES;
    uint32_t most = race->set_bytes < room ? RACE_SET_MOST : 1;
    if (count > most) {
        members += count - most;
        count = most;
        race->forgot = true;
    }
    bool fresh = !race->free_sets.count;
    if (fresh && race->sets.count == RACE_SETS_MOST) {
        race->forgot = true;
        return 0;
    }
    uint32_t index = fresh ? (uint32_t)race->sets.count : race->free_sets.at[--race->free_sets.count];
    struct race_set *set = fresh ? vec_push(&race->sets) : &race->sets.at[index];
    set->count = count;
    set->at = sw_xmalloc(count * sizeof *set->at);
    memcpy(set->at, members, count * sizeof *set->at);
    race->set_bytes += count * sizeof *set->at;
    return RACE_EPOCH_SET + (index << RACE_SLICE_SHIFT);
}

void race_set_free(struct race *race, uint32_t epoch)
{
    if (epoch < RACE_EPOCH_SET) return;
    uint32_t index = (epoch - RACE_EPOCH_SET) >> RACE_SLICE_SHIFT;
    struct race_set *set = &race->sets.at[index];
    race->set_bytes -= set->count * sizeof *set->at;
    free(set->at);
    set->at = NULL;
    *vec_push(&race->free_sets) = index;
}
