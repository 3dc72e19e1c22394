/* SPDX-License-Identifier: Apache-2.0 */
/* Shared, local and constant memory.
 *
 * The padding that removes bank conflicts is found by trying: the rule of model/ is asked for a warp whose
 * lanes lie the access's distance plus one, two, ... elements apart. Constant memory serves one address of a
 * warp at a time, and its counters say how many they were. Limits: which array of local memory a line means
 * is not told. Sources: Best Practices Guide 9.2.2.1, 9.2.3, 9.2.5. */
#include "prof_advice_priv.h"

#include "event/event_request.h"
#include "model/access/model_access.h"

#include <stdlib.h>

/* assumed: beyond the ideal, of all passes, from which on it is told; elements of padding that are tried */
enum { EXCESS_PERCENT = 10, SHARE_PERCENT = 2, MOST_PAD = 8 };

/* ---- banks */

static uint32_t wavefronts(const struct prof_advisor *a, uint64_t step, uint32_t bytes)
{
    struct event_rules rules = model_rules(a->launch->cc);
    uint64_t offsets[SW_WARP_LANES];
    for (uint32_t lane = 0; lane < SW_WARP_LANES; lane++)
        offsets[lane] = lane * step;
    return (uint32_t)model_count_shared(&rules, offsets, UINT32_MAX, bytes, EVENT_KIND_LOAD);
}

/* Elements to add to a row so that its column is free of conflicts; 0: none helps, or the distance is not
 * known.
 */
static uint32_t padding(const struct prof_advisor *a, uint32_t i)
{
    const struct prof_value *address = &a->flow.steps[i].address;
    uint32_t bytes = a->flow.kernel->instrs[i].bytes;
    if (address->kind != PROF_LINEAR || !address->step || !bytes) return 0;
    uint32_t least = wavefronts(a, bytes, bytes);
    for (uint32_t pad = 1; pad <= MOST_PAD; pad++)
        if (wavefronts(a, (uint64_t)llabs(address->step) + (uint64_t)pad * bytes, bytes) == least) return pad;
    return 0;
}

/* The first lane whose word is in lane 0's bank, of those that pass together; 0: none. */
static uint32_t lane_that_conflicts(const struct prof_advisor *a, uint32_t i)
{
    enum { WORD = 4 }; /* documented: bytes of a bank */
    const struct prof_value *address = &a->flow.steps[i].address;
    uint64_t step = (uint64_t)llabs(address->step), banks = a->launch->cc->shared_banks;
    uint32_t bytes = a->flow.kernel->instrs[i].bytes,
             together = bytes > WORD ? SW_WARP_LANES * WORD / bytes : SW_WARP_LANES;
    for (uint32_t lane = 1; address->kind == PROF_LINEAR && lane < together; lane++)
        if (lane * step >= WORD && lane * step / WORD % banks == 0) return lane;
    return 0;
}

static const char *bank_evidence(struct prof_advisor *a, const struct prof_spot *s)
{
    const struct prof_value *address = &a->flow.steps[s->first].address;
    const char *counted =
        prof_say(a, _("%s requests need %s wavefronts (%.1f per request); ideally they would need %s"),
                 prof_say_number(a, s->requests), prof_say_number(a, s->units),
                 (double)s->units / (double)s->requests, prof_say_number(a, s->ideal));
    if (address->depends & PROF_ON_DATA)
        return prof_say(a, _("%s. The addresses of the lanes depend on data."), counted);
    if (address->kind != PROF_LINEAR) return prof_say(a, _("%s."), counted);
    uint32_t lane = lane_that_conflicts(a, s->first);
    const char *apart = prof_say(
        a, _("%s. The stride between neighbouring lanes is %lld bytes, so that lanes access the same banks."),
        counted, (long long)llabs(address->step));
    if (!lane) return apart;
    return prof_say(a,
                    _("%s For example, lanes 0 and %u access different words of one bank, %lld bytes apart."),
                    apart, lane, (long long)llabs(address->step) * lane);
}

static void report_banks(struct prof_advisor *a, const struct prof_spot *s)
{
    uint64_t all = prof_shared_total(&a->launch->sums).units, saved = s->units - s->ideal;
    if (saved * 100 < all * SHARE_PERCENT) return;
    struct prof_finding *f =
        prof_found(a, PROF_RULE_BANKS, s, (double)saved * a->cost.wavefront, bank_evidence(a, s));
    prof_saves(a, f, &(struct prof_saving){.wavefronts = (double)saved});
    uint32_t pad = padding(a, s->first), bytes = a->flow.kernel->instrs[s->first].bytes;
    if (pad)
        f->change = prof_say(a,
                             _("Pad each row by %u (%u bytes): the stride of %lld bytes between lanes "
                               "becomes %lld bytes, and the conflict disappears."),
                             pad, pad * bytes, (long long)llabs(a->flow.steps[s->first].address.step),
                             (long long)llabs(a->flow.steps[s->first].address.step) + (long long)pad * bytes);
    f->saved = saved;
    f->of = all;
    f->unit = "wavefronts";
}

void prof_advise_shared(struct prof_advisor *a)
{
    prof_spots spots = {0};
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++) {
        const struct prof_access *c = &a->counts[i].access[EVENT_ACCESS_SHARED];
        const struct event_instr *instr = &a->flow.kernel->instrs[i];
        if (!c->requests || instr->cls == ISA_CLASS_ATOMIC ||
            c->units * 100 <= c->ideal * (100 + EXCESS_PERCENT))
            continue;
        struct prof_spot *spot = prof_spot_add(&spots, a, i);
        spot->requests += c->requests;
        spot->units += c->units;
        spot->ideal += c->ideal;
    }
    for (size_t s = 0; s < spots.count; s++)
        report_banks(a, &spots.at[s]);
    vec_release(&spots);
}

/* ---- local memory */

static void advise_local(struct prof_advisor *a)
{
    prof_spots spots = {0};
    uint64_t all = prof_global_total(&a->launch->sums).units;
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++) {
        const struct prof_access *c = &a->counts[i].access[EVENT_ACCESS_LOCAL];
        if (!c->requests) continue;
        struct prof_spot *spot = prof_spot_add(&spots, a, i);
        spot->requests += c->requests;
        spot->units += c->units;
        all += c->units;
    }
    for (size_t s = 0; s < spots.count; s++) {
        const struct prof_spot *spot = &spots.at[s];
        if (spot->units * 100 < all * SHARE_PERCENT) continue;
        struct prof_finding *f =
            prof_found(a, PROF_RULE_LOCAL, spot, (double)spot->units * a->cost.sector,
                       prof_say(a,
                                _("%s requests move %s sectors of local memory. The local arrays of the "
                                  "kernel take %u bytes per thread."),
                                prof_say_number(a, spot->requests), prof_say_number(a, spot->units),
                                a->launch->launch->kernel->local_bytes_per_thread));
        prof_saves_sectors(a, f, spot, spot->units, false);
        f->saved = spot->units;
        f->of = all;
        f->unit = "sectors";
    }
    vec_release(&spots);
}

/* ---- constant memory */

static void advise_constant(struct prof_advisor *a)
{
    prof_spots spots = {0};
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++) {
        const struct event_instr *instr = &a->flow.kernel->instrs[i];
        const struct prof_access *c = &a->counts[i].access[EVENT_ACCESS_CONST];
        if (instr->cls != ISA_CLASS_LOAD || instr->space != ISA_SPACE_CONST || c->units <= c->ideal) continue;
        struct prof_spot *spot = prof_spot_add(&spots, a, i);
        spot->requests += c->requests;
        spot->units += c->units;
    }
    for (size_t s = 0; s < spots.count; s++) {
        const struct prof_spot *spot = &spots.at[s];
        uint64_t saved = spot->units - spot->requests;
        if (spot->units <= spot->requests || saved * 100 < a->launch->sums.warps * SHARE_PERCENT) continue;
        struct prof_finding *f = prof_found(
            a, PROF_RULE_CONSTANT, spot, (double)saved * a->cost.wavefront,
            prof_say(a,
                     _("%s warps read constant memory at addresses that differ between lanes. Accesses to "
                       "different addresses are serialised: up to %.0f per warp."),
                     prof_say_number(a, spot->requests), (double)spot->units / (double)spot->requests));
        prof_saves(a, f, &(struct prof_saving){.instructions = (double)saved});
        f->saved = saved;
        f->of = spot->units;
        f->unit = "passes";
    }
    vec_release(&spots);
}

void prof_advise_spaces(struct prof_advisor *a)
{
    advise_local(a);
    advise_constant(a);
}
