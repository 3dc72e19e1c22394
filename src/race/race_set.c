/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs, their members, and sets of members for cells whose history an epoch cannot hold. Method: cells
 * side by side that have been accessed alike share a set, in which a member says of each cell which lane it
 * was (AFFINE); a set of one cell grows. Limits: of more than RACE_SET_MOST members a set keeps the newest
 * half, and only the newest one once all sets need more memory than they may. What is forgotten can only hide
 * a race. */
#include "race_priv.h"

#include <string.h>

/* Sets may need as much memory as the pages, and this. */
static const size_t FREE_BYTES = (size_t)64 << 20;

static bool has_room(const struct race *race)
{
    return race->set_bytes < race->page_bytes + FREE_BYTES;
}

static void set_fill(struct race *race, struct race_set *set, const struct race_member *members,
                     uint32_t count)
{
    *set = (struct race_set){.refs = 1, .count = count, .capacity = 2};
    while (set->capacity < count)
        set->capacity *= 2;
    set->at = sw_xmalloc(set->capacity * sizeof *set->at);
    memcpy(set->at, members, count * sizeof *set->at);
    for (uint32_t i = 0; i < count; i++)
        set->types |= 1u << members[i].type;
    race->set_bytes += set->capacity * sizeof *set->at;
}

uint32_t race_set_new(struct race *race, const struct race_member *members, uint32_t count)
{
    uint32_t kept = has_room(race) ? count <= RACE_SET_MOST ? count : RACE_SET_MOST / 2 : 1;
    bool fresh = !race->free_sets.count;
    race->forgot |= kept == 1 && count > 1;
    if (fresh && race->sets.count == RACE_SETS_MOST) {
        race->forgot = true;
        return 0;
    }
    uint32_t index = fresh ? (uint32_t)race->sets.count : race->free_sets.at[--race->free_sets.count];
    struct race_set *set = fresh ? vec_push(&race->sets) : &race->sets.at[index];
    set_fill(race, set, members + count - kept, kept);
    return RACE_EPOCH_SET + (index << RACE_SLICE_SHIFT);
}

bool race_set_append(struct race *race, uint32_t epoch, const struct race_member *member)
{
    struct race_set *set = &race->sets.at[(epoch - RACE_EPOCH_SET) >> RACE_SLICE_SHIFT];
    struct race_member *last = &set->at[set->count - 1];
    if (set->refs > 1) return false;
    if (last->slice == member->slice && last->type == member->type && last->site == member->site &&
        last->kind == RACE_KIND_LANES) {
        last->mask |= member->mask;
        return true;
    }
    if (set->count == RACE_SET_MOST || !has_room(race)) return false;
    if (set->count == set->capacity) {
        race->set_bytes += set->capacity * sizeof *set->at;
        set->capacity *= 2;
        set->at = sw_xrealloc(set->at, set->capacity * sizeof *set->at);
    }
    set->types |= 1u << member->type;
    set->at[set->count++] = *member;
    return true;
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
    race->set_bytes -= set->capacity * sizeof *set->at;
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

/* Adds the access to the members: to the one of its slice, site and type, or as a new one. */
uint32_t race_members_append(struct race_member *members, uint32_t count, const struct race_member *now)
{
    for (uint32_t i = 0; i < count; i++) {
        struct race_member *m = &members[i];
        if (m->slice != now->slice || m->type != now->type || m->site != now->site) continue;
        if (m->kind != RACE_KIND_LANES || now->kind != RACE_KIND_LANES) continue;
        m->mask |= now->mask;
        return count;
    }
    members[count] = *now;
    return count + 1;
}
