/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that a block makes again and again, which shared memory would save.
 *
 * By the text: loads whose address does not depend on an index in which the block's threads differ; all of
 * these read the same. By the caches: coalesced loads that found most of their sectors in L1; a warp that
 * reads its own sectors once finds none, so other requests of the multiprocessor had brought them, as where
 * each thread reads its neighbours' elements too. Strided and scattered loads are left out: a thread that
 * comes along a sector finds it in L1 as well. Limits: hits are the cache model's; that the other requests
 * were of the same block is taken for granted. Sources: Best Practices Guide 9.2.2.2. */
#include "prof_advice_priv.h"

/* assumed: of all sectors, of loads of the same place, of hits, from which on it is told; documented: bytes
 * of an access */
enum { EXCESS_PERCENT = 10, REUSED = 4, WIDEST = 16, HIT_PERCENT = 50 };

/* ---- by the text */

struct reuse {
    uint32_t warps; /* of a block, that load the same */
    bool walks;     /* a warp comes back to the same sector */
};

static struct reuse reuse_of(const struct prof_advisor *a, uint32_t i)
{
    static const uint32_t AXES[3] = {PROF_ON_X, PROF_ON_Y, PROF_ON_Z};
    const uint32_t *block = a->launch->launch->block;
    const struct prof_value *address = &a->flow.steps[i].address;
    struct reuse reuse = {1, false};
    uint64_t sharing = 1;
    for (int d = 0; d < 3; d++)
        if (!(address->depends & AXES[d])) sharing *= block[d];
    uint64_t lanes = !(address->depends & PROF_ON_X) ? block[0] : 1;
    if (lanes > SW_WARP_LANES) lanes = SW_WARP_LANES;
    reuse.warps = (uint32_t)(sharing / lanes);
    struct prof_fields fields = prof_fields_of(a, i);
    reuse.walks = lanes > 1 && fields.count > 1 &&
                  fields.end - fields.least == (int64_t)fields.count * a->flow.kernel->instrs[i].bytes;
    return reuse;
}

/* How often each sector that i loads is asked for by its block; 1: once. walks: lanes come along the sector.
 */
static uint64_t times_of(const struct prof_advisor *a, uint32_t i, bool *walks)
{
    const struct event_instr *instr = &a->flow.kernel->instrs[i];
    const struct prof_value *address = &a->flow.steps[i].address;
    if (instr->cls != ISA_CLASS_LOAD || !a->counts[i].access[0].requests || a->flow.steps[i].base < 0)
        return 1;
    if (address->depends & PROF_ON_DATA || address->kind == PROF_UNSEEN) return 1;
    struct reuse reuse = reuse_of(a, i);
    *walks = reuse.walks;
    uint32_t sector = instr->bytes < 32 && reuse.walks ? 32u / instr->bytes : 1;
    return (uint64_t)(reuse.warps ? reuse.warps : 1) * sector;
}

static void advise_shared_addresses(struct prof_advisor *a)
{
    prof_spots spots = {0};
    uint64_t most = 1, all = prof_global_total(&a->launch->sums).units;
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++) {
        bool walks = false;
        uint64_t times = times_of(a, i, &walks);
        if (times < REUSED) continue;
        struct prof_spot *spot = prof_spot_add(&spots, a, i);
        prof_spot_access(spot, &a->counts[i]);
        spot->saved += a->counts[i].access[0].units - a->counts[i].access[0].units / times;
        if (walks)
            spot->merged +=
                a->counts[i].access[0].requests * (WIDEST - a->flow.kernel->instrs[i].bytes) / WIDEST;
        if (times > most) most = times;
    }
    for (size_t s = 0; s < spots.count; s++) {
        const struct prof_spot *spot = &spots.at[s];
        if (spot->requests < 2 * a->warps || spot->saved * 100 < all * EXCESS_PERCENT) continue;
        struct prof_finding *f =
            prof_found(a, PROF_RULE_REDUNDANT_LOADS, spot, (double)spot->saved * a->cost.sector,
                       prof_say(a,
                                _("%s of the %s sectors loaded here had been loaded before by the same "
                                  "block. The address does not depend on all thread indices: up to %s "
                                  "requests of a block load the same sector."),
                                prof_say_number(a, spot->saved), prof_say_number(a, spot->units),
                                prof_say_number(a, most)));
        prof_saves_sectors(a, f, spot, spot->saved, true);
        f->saved = spot->saved;
        f->of = all;
        f->unit = "sectors";
    }
    vec_release(&spots);
}

/* ---- by the caches */

static bool is_neighbours(const struct prof_advisor *a, uint32_t i)
{
    bool walks = false;
    if (a->flow.kernel->instrs[i].cls != ISA_CLASS_LOAD || !a->counts[i].access[0].requests) return false;
    enum prof_cause cause = prof_cause_of(a, i);
    return (cause == PROF_CAUSE_PACKED || cause == PROF_CAUSE_MISALIGNED) &&
           !(a->flow.steps[i].address.depends & PROF_ON_DATA) && times_of(a, i, &walks) < REUSED;
}

static void report_hits(struct prof_advisor *a, const struct prof_spot *most, const struct prof_spot *all)
{
    uint64_t sectors = prof_global_total(&a->launch->sums).units;
    uint64_t saved = all->l1_hits < all->units ? all->l1_hits : all->units;
    if (saved * 100 < all->units * HIT_PERCENT || saved * 100 < sectors * EXCESS_PERCENT) return;
    a->neighbours = true;
    struct prof_finding *f = prof_found(
        a, PROF_RULE_REDUNDANT_LOADS, most, (double)saved * a->cost.sector,
        prof_say(a,
                 _("%s of the %s sectors that the coalesced loads of the kernel request were already in L1, "
                   "because the same warp or another one had loaded them. Most of these are requested here."),
                 prof_say_number(a, saved), prof_say_number(a, all->units)));
    prof_saves_sectors(a, f, all, saved, true);
    f->saved = saved;
    f->of = sectors;
    f->unit = "sectors";
}

/* One finding for all lines: they bring each other's sectors. */
static void advise_hits(struct prof_advisor *a)
{
    prof_spots spots = {0};
    struct prof_spot all = {0}, most = {0};
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++)
        if (is_neighbours(a, i)) prof_spot_access(prof_spot_add(&spots, a, i), &a->counts[i]);
    for (size_t s = 0; s < spots.count; s++) {
        const struct prof_spot *spot = &spots.at[s];
        all.requests += spot->requests;
        all.units += spot->units;
        all.l1_hits += spot->l1_hits;
        all.l2 += spot->l2;
        all.dram += spot->dram;
        if (!s || spot->l1_hits > most.l1_hits) most = *spot;
    }
    if (spots.count) report_hits(a, &most, &all);
    vec_release(&spots);
}

void prof_advise_reuse(struct prof_advisor *a)
{
    advise_shared_addresses(a);
    advise_hits(a);
}
