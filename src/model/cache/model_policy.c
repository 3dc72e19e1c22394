/* SPDX-License-Identifier: Apache-2.0 */
/* Which lines of L2 go first, where the program says so: access-policy windows, the set-aside of lines that
 * persist, and instructions' priorities.
 *
 * Models: a window gives a share of its lines (hitRatio) one property and the others another; what lies
 * outside has the normal one. Lines that stream go before all others. Lines that persist stay until the
 * program resets them or gives them another property, but no more of them than the set-aside holds: then they
 * push out each other, and without a set-aside they are normal ones. Instructions that evict_first and
 * evict_last (model_hint.c) are as streaming and persisting accesses, in windows, too. Of a line that the
 * other part of L2 has at home, the copy persists alone.
 *
 * Does not model: which of the lines of a window the hardware takes for its share; that lines which nothing
 * asks for return to normal by themselves, after a time that NVIDIA's guide calls undetermined, and advises
 * not to rely on: here only cudaCtxResetPersistingL2Cache ends them (and a flush, as ncu makes before each
 * launch); applypriority and discard.
 *
 * Sources: CUDA C++ Programming Guide, "L2 Cache Set-Aside for Persisting Accesses" to "Reset L2 Access to
 * Normal"; Best Practices Guide, "L2 Cache Window"; PTX ISA, "Cache Eviction Priority Hints"; reread of 40
 * and 64 MiB with windows on an H200 (tests/hw/memory: of the second pass all persisting lines are found). */
#include "model/cache/model_l2.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *kinds_of(const struct model_l2 *l2, uint32_t partition, uint32_t set)
{
    return l2->policy.kinds + ((size_t)partition * l2->part[0].sets + set) * l2->part[0].ways;
}

static size_t kinds_bytes(const struct model_l2 *l2)
{
    return (size_t)l2->partitions * l2->part[0].sets * l2->part[0].ways;
}

void model_policy_begin(struct model_l2 *l2, const struct event_launch *launch)
{
    struct model_policies *p = &l2->policy;
    bool reset = p->resets != launch->policy.resets;
    free(p->hints);
    p->hints = model_hints_read(launch->kernel);
    p->now = launch->policy;
    p->resets = launch->policy.resets;
    p->hint = (struct model_hint){0};
    bool wanted = p->now.bytes || p->hints;
    if (!p->kinds && !wanted) return;
    if (!p->kinds) p->kinds = sw_xcalloc(kinds_bytes(l2), 1);
    if (reset) model_policy_clear(l2);
    p->active = p->active || wanted;
}

void model_policy_clear(struct model_l2 *l2)
{
    struct model_policies *p = &l2->policy;
    if (p->kinds && p->active) memset(p->kinds, EVENT_POLICY_NORMAL, kinds_bytes(l2));
    p->persisting = 0;
    p->active = p->kinds && (p->now.bytes || p->hints);
}

void model_policy_release(struct model_l2 *l2)
{
    free(l2->policy.kinds);
    free(l2->policy.hints);
}

size_t model_policy_bytes(const struct model_l2 *l2)
{
    return l2->policy.kinds ? kinds_bytes(l2) : 0;
}

/* ---- properties */

static uint8_t property_of(const struct model_l2 *l2, uint64_t line)
{
    const struct event_policy *now = &l2->policy.now;
    uint64_t address = line << EVENT_LINE_SHIFT;
    const struct model_hint *hint = &l2->policy.hint;
    double fraction = (double)(model_mix(line) >> 11) * 0x1p-53;
    if (hint->given) return fraction < (double)hint->share ? hint->first : hint->second;
    if (!now->bytes || address - (now->base & ~127ull) >= now->bytes + (now->base & 127))
        return EVENT_POLICY_NORMAL;
    return fraction < (double)now->hit_ratio ? now->hit : now->miss;
}

/* Lines; of a sampled launch, less of L2 is used. */
static uint64_t most_persisting(const struct model_l2 *l2)
{
    uint64_t lines = l2->policy.now.set_aside_bytes >> EVENT_LINE_SHIFT;
    return lines * l2->sets.divisor / l2->part[0].sets;
}

void model_policy_access(struct model_l2 *l2, uint32_t partition, uint32_t set, struct model_tag_ref at,
                         uint64_t line, bool fresh)
{
    struct model_policies *p = &l2->policy;
    uint8_t property = property_of(l2, line), *kind = kinds_of(l2, partition, set) + at.way;
    bool persisted = *kind == EVENT_POLICY_PERSISTING;
    if (property == MODEL_UNCHANGED) property = fresh ? EVENT_POLICY_NORMAL : *kind;
    if (property == EVENT_POLICY_PERSISTING && p->passing) property = EVENT_POLICY_STREAMING;
    if (property == EVENT_POLICY_PERSISTING && !persisted && p->persisting >= most_persisting(l2))
        property = EVENT_POLICY_NORMAL;
    p->persisting += (property == EVENT_POLICY_PERSISTING) - persisted;
    *kind = property;
}

/* ---- which line goes */

static bool is_better(uint8_t kind, uint8_t than) /* to throw out */
{
    /* documented: Programming Guide, what goes first */
    static const uint8_t order[] = {
        [EVENT_POLICY_NORMAL] = 1, [EVENT_POLICY_STREAMING] = 0, [EVENT_POLICY_PERSISTING] = 2};
    return order[kind] < order[than];
}

struct model_tag_ref model_policy_victim(const struct model_l2 *l2, uint32_t partition, uint32_t number,
                                         uint64_t line)
{
    const struct model_tags *tags = &l2->part[partition];
    struct model_set *set = model_tags_set(tags, number);
    const uint8_t *kinds = kinds_of(l2, partition, number);
    uint8_t order[UINT8_MAX];
    model_tags_order(tags, set, order);
    uint32_t best = order[0], oldest_persisting = UINT32_MAX;
    for (uint32_t i = 0; i < tags->ways; i++) {
        uint32_t way = order[i];
        if (is_better(kinds[way], kinds[best])) best = way;
        if (kinds[way] == EVENT_POLICY_PERSISTING && oldest_persisting == UINT32_MAX) oldest_persisting = way;
    }
    bool full = oldest_persisting != UINT32_MAX && l2->policy.persisting >= most_persisting(l2);
    if (full && !l2->policy.passing && property_of(l2, line) == EVENT_POLICY_PERSISTING)
        best = oldest_persisting;
    else if (!set->keys[order[0]])
        best = order[0];
    return (struct model_tag_ref){set, best};
}
