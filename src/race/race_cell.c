/* SPDX-License-Identifier: Apache-2.0 */
/* What a cell of shadow memory remembers of accesses, and which of them race with a new one.
 *
 * Method. A cell has two epochs: `last`, the last write that all later accesses come after (or raced with),
 * and `since`: reads, and strong writes, which nothing need order among each other. An access that happens
 * before a new one is forgotten if the new one races with all that it could race with. What remains, and the
 * new one, is summarised: in launches that are not complex, accesses of one type between two barriers are
 * known together or not at all, so that "lanes of this warp", "warps of this block", "blocks of this task"
 * are exact. Other mixtures, and those of complex launches, are sets (race_set.c).
 *
 * Limits. Not in complex launches: a weak write is forgotten once a weak read comes after strong writes that
 * come after it, though a later strong read may race with it. */
#include "race_priv.h"

#include <string.h>

enum { MEMBERS = RACE_SET_MOST + 1 };

static bool is_write(uint32_t type)
{
    return type >= RACE_STRONG_WRITE;
}

static bool is_strong(uint32_t type)
{
    return type != RACE_READ && type != RACE_WRITE;
}

static enum race_level level_of_type(uint32_t type)
{
    return type == RACE_STRONG_READ_ALL || type == RACE_STRONG_WRITE_ALL ? RACE_LEVEL_ALL : RACE_LEVEL_BLOCK;
}

static uint32_t owner_of(const struct race *race, const struct race_member *member)
{
    return race->slices.at[member->slice];
}

static uint32_t block_of(const struct race *race, const struct race_member *member)
{
    return owner_of(race, member) >> RACE_OWNER_WARP_BITS;
}

static void slot_set(struct race *race, struct race_page *page, uint32_t *slot, uint16_t *site,
                     const struct race_member *members, uint32_t count)
{
    uint32_t old = *slot;
    *slot = race_epoch_of(race, members, count);
    page->has_sets |= *slot >= RACE_EPOCH_SET;
    if (count) *site = members[count - 1].site;
    race_set_free(race, old);
}

/* ---- is an access before another one known to it */

static lane_mask unknown_lanes(const struct race_act *act, const struct race_member *member)
{
    return race_agent_unknown(&act->agent, member->slice, member->mask);
}

/* "Lanes of this warp": which ones is not known. */
static bool is_summary(const struct race *race, const struct race_member *member)
{
    if (member->kind != RACE_KIND_LANES) return true;
    return (member->mask & (member->mask - 1)) && !race->blocks.at[block_of(race, member)].complex;
}

static bool knows(const struct race_act *act, const struct race_member *member)
{
    switch (member->kind) {
    case RACE_KIND_LANES: return !unknown_lanes(act, member);
    case RACE_KIND_WARPS: return race_agent_knows_warps(&act->agent, member->slice);
    default: return race_agent_knows_blocks(&act->agent, member->slice);
    }
}

/* Both are strong, and their scopes include each other's thread. */
static bool morally_strong(const struct race_act *act, const struct race_member *member)
{
    if (!is_strong(act->type) || !is_strong(member->type)) return false;
    bool same_block = member->kind != RACE_KIND_BLOCKS &&
                      block_of(act->agent.block->race, member) == act->agent.block->index;
    return same_block ||
           (level_of_type(act->type) == RACE_LEVEL_ALL && level_of_type(member->type) == RACE_LEVEL_ALL);
}

struct race_side race_side_of(const struct race *race, uint32_t owner, uint32_t lane)
{
    const struct race_block_info *block = &race->blocks.at[owner >> RACE_OWNER_WARP_BITS];
    uint32_t warp = owner & (RACE_WARPS - 1);
    return (struct race_side){.task = race->tasks.at[block->task]->number,
                              .block = block->number,
                              .thread = (warp & (RACE_ASYNC - 1)) * RACE_LANES + lane,
                              .async = warp >= RACE_ASYNC};
}

static void report(struct race_act *act, const struct race_member *member, uint64_t address)
{
    struct race *race = act->agent.block->race;
    lane_mask who = member->kind == RACE_KIND_LANES ? unknown_lanes(act, member) : 1;
    uint32_t lane = (uint32_t)__builtin_ctz(who | 1u << 31);
    uint64_t reported = (uint64_t)member->slice << 32 | member->site << 8 | lane;
    if (act->reported == reported) return;
    act->reported = reported;
    struct race_found found = {.address = address,
                               .before = race_side_of(race, owner_of(race, member), lane),
                               .now = race_side_of(race, act->agent.owner, act->agent.lane),
                               .lanes = 1};
    found.before.site = member->site;
    found.before.writes = is_write(member->type);
    found.before.strong = is_strong(member->type);
    static const enum race_among AMONG[] = {RACE_AMONG_WARP, RACE_AMONG_BLOCK, RACE_AMONG_TASK};
    found.before.among = is_summary(race, member) ? AMONG[member->kind] : RACE_AMONG_THREAD;
    found.now.site = act->what->site < UINT16_MAX ? act->what->site : UINT16_MAX;
    found.now.writes = is_write(act->type);
    found.now.strong = is_strong(act->type);
    race->config.found(race->config.user, &found);
}

/* Accesses of these types do not race with this one, whoever makes them. */
static bool are_exempt(const struct race_act *act, uint32_t types)
{
    uint32_t exempt =
        is_write(act->type) ? 0 : 1u << RACE_READ | 1u << RACE_STRONG_READ | 1u << RACE_STRONG_READ_ALL;
    if (is_strong(act->type) && level_of_type(act->type) == RACE_LEVEL_ALL)
        exempt |= 1u << RACE_STRONG_READ_ALL | 1u << RACE_STRONG_WRITE_ALL;
    return !(types & ~exempt);
}

static void check_epoch(struct race_act *act, uint32_t epoch, uint16_t site, uint32_t cell, uint64_t address)
{
    const struct race *race = act->agent.block->race;
    if (epoch >= RACE_EPOCH_SET && are_exempt(act, race_set_of(race, epoch)->types)) return;
    struct race_member members[RACE_SET_MOST];
    uint32_t count = race_members_of(race, epoch, site, cell, members);
    for (uint32_t i = 0; i < count; i++) {
        bool conflict = is_write(act->type) || is_write(members[i].type);
        if (conflict && !morally_strong(act, &members[i]) && !knows(act, &members[i]))
            report(act, &members[i], address);
    }
}

static uint64_t address_of(const struct race_page *page, uint32_t cell)
{
    return (page->number << RACE_PAGE_BITS) + ((uint64_t)cell << page->shift);
}

void race_cell_check(struct race_act *act, const struct race_page *page, uint32_t cell)
{
    check_epoch(act, page->last[cell], page->last_site[cell], cell, address_of(page, cell));
    if (page->since[cell])
        check_epoch(act, page->since[cell], page->since_site[cell], cell, address_of(page, cell));
}

/* ---- the access is noted */

/* Whatever is exempt from a race with the new access, being strong, is so with the old one, too. */
static bool covers(const struct race_act *act, const struct race_member *old)
{
    struct race *race = act->agent.block->race;
    enum race_level level = level_of_type(act->type), old_level = level_of_type(old->type);
    if (old->kind != RACE_KIND_BLOCKS && block_of(race, old) == act->agent.block->index)
        return level <= old_level;
    return race_task_knows(act->agent.block->task, race_owner_task(race, owner_of(race, old))) &&
           (level == RACE_LEVEL_BLOCK || old_level == RACE_LEVEL_ALL);
}

/* Whatever races with the old access, which happens before the new one, races with the new one. */
static bool replaces(const struct race_act *act, const struct race_member *old)
{
    switch (act->type) {
    case RACE_READ: return !is_write(old->type);
    case RACE_STRONG_READ:
    case RACE_STRONG_READ_ALL: return is_strong(old->type) && !is_write(old->type) && covers(act, old);
    case RACE_STRONG_WRITE:
    case RACE_STRONG_WRITE_ALL: return is_strong(old->type) && covers(act, old);
    case RACE_WRITE:
    case RACE_TYPES:
    default: return true;
    }
}

/* A read-modify-write observes the strong writes before it, so that all that comes after it comes after them,
 * too (PTX ISA 8, causality order: an observation, then what happens before); what does not, races with it
 * instead. */
static bool observes(const struct race_act *act, const struct race_member *old)
{
    return act->agent.block->complex && is_strong(act->type) && act->what->reads && act->what->writes &&
           is_write(old->type) && morally_strong(act, old);
}

/* The members that must be kept beside the new access. */
static uint32_t filter(const struct race_act *act, struct race_member *members, uint32_t count)
{
    uint32_t kept = 0;
    const struct race *race = act->agent.block->race;
    for (uint32_t i = 0; i < count; i++) {
        struct race_member m = members[i];
        if (observes(act, &m)) continue;
        if (replaces(act, &m)) {
            bool lanes = m.kind == RACE_KIND_LANES && !is_summary(race, &m);
            if (lanes && owner_of(race, &m) == act->agent.owner) m.mask &= ~act->mask; /* each lane its own */
            if ((lanes && !m.mask) || knows(act, &m)) continue;
            if (lanes) m.mask = unknown_lanes(act, &m);
        }
        members[kept++] = m;
    }
    return kept;
}

/* Whether members are accesses of one type in one task that is not complex, so that they are known together.
 */
static bool are_alike(const struct race *race, const struct race_member *members, uint32_t count)
{
    uint32_t task = race->blocks.at[block_of(race, members)].task;
    for (uint32_t i = 0; i < count; i++) {
        const struct race_block_info *block = &race->blocks.at[block_of(race, &members[i])];
        bool async = (owner_of(race, &members[i]) & (RACE_WARPS - 1)) >= RACE_ASYNC;
        if (block->complex || async || block->task != task || members[i].type != members->type) return false;
    }
    return true;
}

static uint32_t summarise(const struct race *race, struct race_member *members, uint32_t count)
{
    struct race_member all = members[count - 1];
    bool several = count > 1 || (all.kind == RACE_KIND_LANES && (all.mask & (all.mask - 1)));
    if (!several || !are_alike(race, members, count)) return count;
    for (uint32_t i = 0; i < count; i++) {
        if (members[i].kind > all.kind) all.kind = members[i].kind;
        if (block_of(race, &members[i]) != block_of(race, &all))
            all.kind = RACE_KIND_BLOCKS;
        else if (owner_of(race, &members[i]) != owner_of(race, &all) && all.kind == RACE_KIND_LANES)
            all.kind = RACE_KIND_WARPS;
    }
    all.mask = all.kind == RACE_KIND_LANES ? race_live_of(race, owner_of(race, &all)) : 0;
    *members = all;
    return 1;
}

static struct race_member member_now(const struct race_act *act, uint32_t slice)
{
    uint32_t site = act->what->site < UINT16_MAX ? act->what->site : UINT16_MAX;
    return (struct race_member){slice, act->mask, (uint16_t)site, (uint8_t)act->type, RACE_KIND_LANES};
}

/* A weak write comes after all before it. Lanes that write in one slice are kept together: nothing orders
 * them. */
static void note_write(struct race_act *act, struct race_page *page, uint32_t cell, struct race_member now)
{
    struct race *race = act->agent.block->race;
    struct race_member members[MEMBERS];
    uint32_t count = race_members_of(race, page->last[cell], page->last_site[cell], cell, members);
    if (count == 1 && members->slice == now.slice && members->type == RACE_WRITE &&
        members->mask != now.mask) {
        if (!act->what->same_value && unknown_lanes(act, members))
            report(act, members, address_of(page, cell));
        if (members->site == now.site) now.mask |= members->mask;
    }
    count = summarise(race, &now, 1);
    slot_set(race, page, &page->last[cell], &page->last_site[cell], &now, count);
    slot_set(race, page, &page->since[cell], &page->since_site[cell], NULL, 0);
    race_sync_drop(race, page, cell);
}

/* Whether a cell has a strong write of the scope of a block among what later accesses come after. */
static bool has_narrow_write(const struct race *race, uint32_t epoch)
{
    if (epoch >= RACE_EPOCH_SET) return race_set_of(race, epoch)->types >> RACE_STRONG_WRITE & 1;
    return epoch && (epoch & RACE_CODE) / RACE_WHO_COUNT == RACE_STRONG_WRITE;
}

/* Strong writes that a weak read comes after stand for the write before them, outside of complex launches:
 * for one of the scope of a block only if they are of this scope themselves. */
static uint32_t settle(const struct race_act *act, struct race_page *page, uint32_t cell,
                       const struct race_member *members, uint32_t count)
{
    struct race *race = act->agent.block->race;
    bool strong_write = count == 1 && is_write(members->type);
    if (!strong_write || act->type != RACE_READ || act->agent.block->complex || !knows(act, members) ||
        !are_alike(race, members, 1))
        return count;
    if (members->type == RACE_STRONG_WRITE_ALL && has_narrow_write(race, page->last[cell])) return count;
    slot_set(race, page, &page->last[cell], &page->last_site[cell], members, 1);
    return 0;
}

void race_cell_update(struct race_act *act, struct race_page *page, uint32_t cell, uint32_t slice)
{
    struct race *race = act->agent.block->race;
    struct race_member members[MEMBERS], now = member_now(act, slice);
    if (act->type == RACE_WRITE) {
        note_write(act, page, cell, now);
        return;
    }
    uint32_t since = page->since[cell];
    bool observes_all = is_write(act->type) && act->what->reads;
    if (act->agent.block->complex && !observes_all && since >= RACE_EPOCH_SET &&
        race_set_append(race, since, &now))
        return;
    uint32_t count = race_members_of(race, since, page->since_site[cell], cell, members);
    count = filter(act, members, count);
    count = settle(act, page, cell, members, count);
    count = race_members_append(members, count, &now);
    count = summarise(race, members, count);
    slot_set(race, page, &page->since[cell], &page->since_site[cell], members, count);
}

void race_cell_clear(struct race *race, struct race_page *page, uint32_t cell)
{
    slot_set(race, page, &page->last[cell], &page->last_site[cell], NULL, 0);
    slot_set(race, page, &page->since[cell], &page->since_site[cell], NULL, 0);
    race_sync_drop(race, page, cell);
}
