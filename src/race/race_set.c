/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs, their members, and sets of members for cells whose history an epoch cannot hold. Method: a set does
 * not change; cells side by side that have been accessed alike share one, in which a member says of each cell
 * which lane it was (AFFINE). Limits: a set keeps its newest members, as many as RACE_SET_MOST, or only the
 * newest one once all sets need more memory than they may. What is forgotten can only hide a race. */
#include "race_priv.h"

#include <string.h>

/* Sets may need as much memory as the pages, and this. */
static const size_t FREE_BYTES = (size_t)64 << 20;

uint32_t race_set_new(struct race *race, const struct race_member *members, uint32_t count)
{
    size_t room = race->page_bytes + FREE_BYTES;
    uint32_t most = race->set_bytes < room ? RACE_SET_MOST : 1;
    if (count > most) {
        race->forgot |= most == 1;
        members += count - most;
        count = most;
    }
    bool fresh = !race->free_sets.count;
    if (fresh && race->sets.count == RACE_SETS_MOST) {
        race->forgot = true;
        return 0;
    }
    uint32_t index = fresh ? (uint32_t)race->sets.count : race->free_sets.at[--race->free_sets.count];
    struct race_set *set = fresh ? vec_push(&race->sets) : &race->sets.at[index];
    set->count = count;
    set->refs = 1;
    set->at = sw_xmalloc(count * sizeof *set->at);
    memcpy(set->at, members, count * sizeof *set->at);
    race->set_bytes += count * sizeof *set->at;
    return RACE_EPOCH_SET + (index << RACE_SLICE_SHIFT);
}

void race_set_share(struct race *race, uint32_t epoch, uint32_t references)
{
    race->sets.at[(epoch - RACE_EPOCH_SET) >> RACE_SLICE_SHIFT].refs += references;
}

void race_set_free(struct race *race, uint32_t epoch)
{
    if (epoch < RACE_EPOCH_SET) return;
    uint32_t index = (epoch - RACE_EPOCH_SET) >> RACE_SLICE_SHIFT;
    struct race_set *set = &race->sets.at[index];
    if (--set->refs) return;
    race->set_bytes -= set->count * sizeof *set->at;
    free(set->at);
    set->at = NULL;
    *vec_push(&race->free_sets) = index;
}

lane_mask race_live_of(const struct race *race, uint32_t owner)
{
    return race_lanes_of(race->blocks.at[owner >> RACE_OWNER_WARP_BITS].threads, owner & (RACE_WARPS - 1));
}

static struct race_member member_of(const struct race *race, uint32_t epoch, uint16_t site)
{
    uint32_t code = epoch & 0xff, who = code % RACE_WHO_COUNT;
    struct race_member member = {
        .slice = epoch >> RACE_SLICE_SHIFT, .site = site, .type = (uint8_t)(code / RACE_WHO_COUNT)};
    if (who < RACE_LANES)
        member.mask = 1u << who;
    else if (who == RACE_WHO_ALL)
        member.mask = race_live_of(race, race->slices.at[member.slice]);
    else
        member.kind = (uint8_t)(who - RACE_WHO_ALL);
    return member;
}

uint32_t race_members_of(const struct race *race, uint32_t epoch, uint16_t site, uint32_t cell,
                         struct race_member *out)
{
    if (!epoch) return 0;
    if (epoch < RACE_EPOCH_SET) {
        *out = member_of(race, epoch, site);
        return 1;
    }
    const struct race_set *set = race_set_of(race, epoch);
    for (uint32_t i = 0; i < set->count; i++) {
        out[i] = set->at[i];
        if (out[i].kind != RACE_KIND_AFFINE) continue;
        out[i].kind = RACE_KIND_LANES;
        out[i].mask = 1u << race_affine_lane(set->at[i].mask, cell);
    }
    return set->count;
}

uint32_t race_epoch_of(struct race *race, const struct race_member *members, uint32_t count)
{
    if (!count) return 0;
    const struct race_member *m = members;
    uint32_t who = RACE_WHO_ALL + m->kind;
    if (m->kind == RACE_KIND_LANES && !(m->mask & (m->mask - 1))) who = (uint32_t)__builtin_ctz(m->mask);
    bool fits = who != RACE_WHO_ALL || m->mask == race_live_of(race, race->slices.at[m->slice]);
    if (count > 1 || !fits) return race_set_new(race, members, count);
    return m->slice << RACE_SLICE_SHIFT | (m->type * RACE_WHO_COUNT + who);
}
