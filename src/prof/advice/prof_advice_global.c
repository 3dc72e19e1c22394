/* SPDX-License-Identifier: Apache-2.0 */
/* Global memory: misaligned, strided, structures, scattered, small elements, atomics on one address.
 *
 * Why an access moves more sectors than it needs is told by three things: how far apart neighbouring threads'
 * addresses are (prof_flow.c), how many sectors a request moves beyond the ideal, and whether other
 * instructions take neighbouring offsets from the same address. A misaligned request touches one sector more
 * than an aligned one; a structure's fields are read from one address at several offsets by different
 * expressions of the source; an unrolled walk along a row is the same expression at several offsets.
 *
 * Limits: saved sectors are requests to the L1; what of them its hits would have served is not told apart.
 * Sources: Best Practices Guide 9.2.1 and 9.2.2; an H200's L1 returns 94 % of a misaligned load's extra
 * sectors as hits. */
#include "prof_advice_priv.h"

#include <stdlib.h>

enum {
    EXCESS_PERCENT = 10, /* assumed: beyond the ideal, from which on it is told */
    SHARE_PERCENT = 2,   /* assumed: of all sectors, the same */
    FIELD_BYTES = 128,   /* assumed: of a structure whose fields are looked for, a line */
};
/* assumed: sectors a request above which it is more than misaligned, one and some room; measured: what an
 * H200's L1 does not return as hits of them */
static const double MISALIGNED_EXTRA = 1.05, MISALIGNED_LOAD_COST = 0.06;

static bool have_locations(const struct event_instr *a, const struct event_instr *b)
{
    return a->loc && b->loc;
}

static bool same_location(const struct event_instr *a, const struct event_instr *b)
{
    return have_locations(a, b) && a->loc->line == b->loc->line && a->loc->column == b->loc->column;
}

static void add_field(struct prof_fields *f, int64_t offset, uint32_t bytes)
{
    for (uint32_t k = 0; k < f->count; k++)
        if (f->offsets[k] == offset) return;
    if (f->count < PROF_MOST_FIELDS) f->offsets[f->count++] = offset;
    if (offset < f->least) f->least = offset;
    if (offset + bytes > f->end) f->end = offset + bytes;
}

/* Instructions of i's kind beside it, i among them. */
struct prof_fields prof_fields_of(const struct prof_advisor *a, uint32_t i)
{
    const struct event_kernel *kernel = a->flow.kernel;
    const struct prof_step *step = &a->flow.steps[i];
    struct prof_fields f = {.count = 1,
                            .offsets = {step->offset},
                            .least = step->offset,
                            .end = step->offset + kernel->instrs[i].bytes,
                            .one_expression = true,
                            .located = true};
    for (uint32_t j = 0; j < kernel->instr_count && step->base >= 0; j++) {
        const struct event_instr *other = &kernel->instrs[j];
        const struct prof_step *there = &a->flow.steps[j];
        if (j == i || there->base != step->base || other->cls != kernel->instrs[i].cls) continue;
        if (llabs(there->offset - step->offset) >= FIELD_BYTES || !a->counts[j].access[0].requests) continue;
        if (there->offset != step->offset) f.one_expression &= same_location(other, &kernel->instrs[i]);
        f.located &= have_locations(other, &kernel->instrs[i]);
        add_field(&f, there->offset, other->bytes);
    }
    return f;
}

/* Without line numbers nothing tells a small structure from a small array: one vector does for either. */
static bool is_vector(const struct prof_fields *f, const struct prof_value *address, uint32_t bytes)
{
    int64_t all = f->end - f->least;
    bool elements = f->one_expression || (!f->located && f->count * (int64_t)bytes == all);
    return (all == 8 || all == 16) && address->kind == PROF_LINEAR && llabs(address->step) == all && elements;
}

enum prof_cause prof_cause_of(const struct prof_advisor *a, uint32_t i)
{
    const struct event_instr *instr = &a->flow.kernel->instrs[i];
    const struct prof_access *c = &a->counts[i].access[EVENT_ACCESS_GLOBAL];
    const struct prof_value *address = &a->flow.steps[i].address;
    double extra = (double)(c->units - c->ideal) / (double)c->requests;
    if (c->units * 100 <= c->ideal * (100 + EXCESS_PERCENT)) return PROF_CAUSE_PACKED;
    if (address->depends & PROF_ON_DATA) return PROF_CAUSE_SCATTERED;
    bool unit_step = address->kind == PROF_LINEAR && llabs(address->step) == instr->bytes;
    if (extra <= MISALIGNED_EXTRA &&
        (unit_step || (address->kind != PROF_LINEAR && c->ideal >= 2 * c->requests)))
        return PROF_CAUSE_MISALIGNED;
    struct prof_fields fields = prof_fields_of(a, i);
    if (fields.count > 1 && is_vector(&fields, address, instr->bytes)) return PROF_CAUSE_VECTOR;
    bool within = address->kind != PROF_LINEAR || llabs(address->step) >= fields.end - fields.least;
    return fields.count > 1 && !fields.one_expression && within ? PROF_CAUSE_STRUCTURE : PROF_CAUSE_STRIDED;
}

/* Lanes that work have others between them that do not. */
static bool has_gaps(const struct prof_advisor *a, uint32_t i)
{
    const struct prof_value *address = &a->flow.steps[i].address;
    return address->kind == PROF_LINEAR && llabs(address->step) == a->flow.kernel->instrs[i].bytes &&
           a->launch->launch->block[0] >= SW_WARP_LANES;
}

/* Counts tell the distance of neighbours only where several share a sector; rows of a block that is narrower
 * than a warp may lie side by side. */
static const char *distance_counted(struct prof_advisor *a, const struct prof_spot *spot)
{
    enum { SECTOR = 32 }; /* definition: bytes */
    uint32_t width = a->launch->launch->block[0];
    double rows = width < SW_WARP_LANES ? (double)SW_WARP_LANES / width : 1;
    double bytes = SECTOR * rows * (double)spot->units / (double)(spot->lanes ? spot->lanes : 1);
    if (bytes < SECTOR - 1)
        return prof_say(
            a, _("the stride between neighbouring threads is known only at run time and is about %.0f bytes"),
            bytes);
    return prof_say(a,
                    _("neighbouring threads access different sectors, with a stride of 32 bytes or more that "
                      "is known only at run time"));
}

static const char *advice_global_distance(struct prof_advisor *a, uint32_t i, const struct prof_spot *spot)
{
    const struct prof_value *address = &a->flow.steps[i].address;
    uint32_t bytes = a->flow.kernel->instrs[i].bytes;
    if (address->kind != PROF_LINEAR) return distance_counted(a, spot);
    if (has_gaps(a, i))
        return prof_say(a,
                        _("the active threads are not neighbours; there are inactive threads between them"));
    if (llabs(address->step) == bytes)
        return prof_say(a, _("a row of the block is shorter than a warp, so that each request touches "
                             "several rows of the array"));
    return prof_say(a, _("the stride between neighbouring threads is %lld bytes"),
                    (long long)llabs(address->step));
}

static const char *numbers(struct prof_advisor *a, const struct prof_spot *s)
{
    return prof_say(a, _("%s requests move %s sectors (%.1f per request); ideally they would move %s"),
                    prof_say_number(a, s->requests), prof_say_number(a, s->units),
                    (double)s->units / (double)s->requests, prof_say_number(a, s->ideal));
}

static const char *field_list(struct prof_advisor *a, uint32_t i)
{
    struct prof_fields f = prof_fields_of(a, i);
    struct str text = {0};
    for (uint32_t k = 0; k < f.count; k++)
        str_printf(&text, "%s%lld", k ? ", " : "", (long long)(f.offsets[k] - f.least));
    const char *result = arena_strdup(a->arena, str_text(&text));
    str_release(&text);
    return result;
}

static const char *evidence(struct prof_advisor *a, enum prof_cause cause, const struct prof_spot *s)
{
    const char *counted = numbers(a, s);
    switch (cause) {
    case PROF_CAUSE_MISALIGNED:
        return prof_say(a,
                        _("%s. Neighbouring threads access neighbouring elements, but the addresses of the "
                          "warps do not begin at a multiple of 32 bytes."),
                        counted);
    case PROF_CAUSE_STRUCTURE:
        return prof_say(
            a, _("%s: %s, and the fields of a structure (at bytes %s) are accessed one after the other."),
            counted, advice_global_distance(a, s->first, s), field_list(a, s->first));
    case PROF_CAUSE_VECTOR:
        return prof_say(a, _("%s. Each thread accesses adjacent elements (at bytes %s) one by one."), counted,
                        field_list(a, s->first));
    case PROF_CAUSE_SCATTERED:
        return prof_say(a, _("%s. The address depends on data that each thread has read."), counted);
    case PROF_CAUSE_STRIDED:
        return prof_say(a, _("%s: %s."), counted, advice_global_distance(a, s->first, s));
    case PROF_CAUSE_PACKED:
    case PROF_CAUSES: break;
    }
    BUG("no cause");
}

static const enum prof_rule_id RULE_OF[PROF_CAUSES] = {[PROF_CAUSE_MISALIGNED] = PROF_RULE_MISALIGNED,
                                                       [PROF_CAUSE_STRIDED] = PROF_RULE_STRIDED,
                                                       [PROF_CAUSE_STRUCTURE] = PROF_RULE_STRUCTURES,
                                                       [PROF_CAUSE_VECTOR] = PROF_RULE_SMALL_ELEMENTS,
                                                       [PROF_CAUSE_SCATTERED] = PROF_RULE_SCATTERED};

void prof_spot_access(struct prof_spot *spot, const struct prof_count *c)
{
    spot->requests += c->access[0].requests;
    spot->units += c->access[0].units;
    spot->ideal += c->access[0].ideal;
}

static void report_cause(struct prof_advisor *a, enum prof_cause cause, const struct prof_spot *s)
{
    uint64_t all = prof_global_total(&a->launch->sums).units;
    uint64_t saved = s->units - s->ideal;
    if (saved * 100 < all * SHARE_PERCENT) return;
    bool loads = a->flow.kernel->instrs[s->first].cls == ISA_CLASS_LOAD;
    double weight =
        cause == PROF_CAUSE_MISALIGNED && loads && a->launch->cc->major >= 7 ? MISALIGNED_LOAD_COST : 1;
    struct prof_finding *f =
        prof_found(a, RULE_OF[cause], s, weight * (double)saved * a->cost.sector, evidence(a, cause, s));
    prof_saves_sectors(a, f, s, saved, false);
    if (cause == PROF_CAUSE_STRIDED && has_gaps(a, s->first))
        f->change = _("Let the first threads of the block do the work, so that neighbouring threads access "
                      "neighbouring elements, instead of every second or fourth thread.");
    f->saved = saved;
    f->of = all;
    f->unit = "sectors";
}

static bool is_global(const struct prof_advisor *a, uint32_t i)
{
    const struct event_instr *instr = &a->flow.kernel->instrs[i];
    return a->counts[i].access[EVENT_ACCESS_GLOBAL].requests &&
           (instr->cls == ISA_CLASS_LOAD || instr->cls == ISA_CLASS_STORE || instr->cls == ISA_CLASS_COPY);
}

/* Loads of neighbours' elements cannot all be aligned: that they take each other's sectors says it all. */
static bool is_told(const struct prof_advisor *a, uint32_t i, enum prof_cause cause)
{
    return cause == PROF_CAUSE_MISALIGNED && a->neighbours && a->flow.kernel->instrs[i].cls == ISA_CLASS_LOAD;
}

static void advise_patterns(struct prof_advisor *a)
{
    prof_spots spots[PROF_CAUSES] = {0};
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++) {
        enum prof_cause cause = is_global(a, i) ? prof_cause_of(a, i) : PROF_CAUSE_PACKED;
        if (cause != PROF_CAUSE_PACKED && !is_told(a, i, cause))
            prof_spot_access(prof_spot_add(&spots[cause], a, i), &a->counts[i]);
    }
    for (int cause = PROF_CAUSE_MISALIGNED; cause < PROF_CAUSES; cause++) {
        for (size_t s = 0; s < spots[cause].count; s++)
            report_cause(a, (enum prof_cause)cause, &spots[cause].at[s]);
        vec_release(&spots[cause]);
    }
}

/* ---- elements of one or two bytes, side by side */

static void advise_small(struct prof_advisor *a)
{
    prof_spots spots = {0};
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++) {
        const struct event_instr *instr = &a->flow.kernel->instrs[i];
        const struct prof_value *address = &a->flow.steps[i].address;
        if (!is_global(a, i) || instr->bytes >= 4 || prof_cause_of(a, i) != PROF_CAUSE_PACKED) continue;
        if (address->kind == PROF_LINEAR && address->step == instr->bytes)
            prof_spot_access(prof_spot_add(&spots, a, i), &a->counts[i]);
    }
    uint64_t requests = 0;
    for (int s = PROF_GLOBAL_LOAD; s <= PROF_GLOBAL_COPY; s++)
        requests += a->launch->sums.access[s].requests;
    for (size_t s = 0; s < spots.count; s++) {
        const struct prof_spot *spot = &spots.at[s];
        uint32_t bytes = a->flow.kernel->instrs[spot->first].bytes;
        uint64_t saved = spot->requests - spot->requests * bytes / 4;
        if (saved * 100 < requests * EXCESS_PERCENT) continue;
        struct prof_finding *f = prof_found(
            a, PROF_RULE_SMALL_ELEMENTS, spot, (double)saved * a->cost.instruction,
            prof_say(
                a,
                _("%s requests access elements of %u bytes: each request uses %u bytes of a 128-byte line."),
                prof_say_number(a, spot->requests), bytes, bytes * SW_WARP_LANES));
        prof_saves(a, f, &(struct prof_saving){.instructions = (double)saved});
        f->saved = saved;
        f->of = requests;
        f->unit = "requests";
    }
    vec_release(&spots);
}

/* ---- atomics */

/* Added up in the warp, each request is one atomic; of shared memory: one pass. */
static void save_atomics(struct prof_advisor *a, struct prof_finding *f, const struct prof_spot *spot)
{
    bool shared = a->counts[spot->first].access[EVENT_ACCESS_SHARED].requests != 0;
    double saved = spot->units > spot->requests ? (double)(spot->units - spot->requests) : 0;
    double l2 = saved < (double)spot->l2 ? saved : (double)spot->l2;
    if (shared)
        prof_saves(a, f, &(struct prof_saving){.wavefronts = saved});
    else
        prof_saves(a, f, &(struct prof_saving){.atomics = saved, .l2 = l2});
}

static void advise_atomics(struct prof_advisor *a)
{
    prof_spots spots = {0};
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++) {
        const struct event_instr *instr = &a->flow.kernel->instrs[i];
        const struct prof_count *c = &a->counts[i];
        if (instr->cls != ISA_CLASS_ATOMIC || c->on_lanes < 2 * c->on_warps) continue;
        bool shared = c->access[EVENT_ACCESS_SHARED].requests != 0;
        const struct prof_access *access = &c->access[shared ? EVENT_ACCESS_SHARED : EVENT_ACCESS_GLOBAL];
        bool one_address = !(a->flow.steps[i].address.depends & PROF_ON_THREAD);
        if (!access->requests || (!one_address && access->units < 2 * access->ideal)) continue;
        if (access->units <= access->requests)
            continue; /* a pass a warp: ptxas adds up its lanes, or hardware */
        if (!one_address && !shared && access->ideal * instr->bytes * 8 >= 2 * c->on_lanes * instr->bytes)
            continue;
        struct prof_spot *spot = prof_spot_add(&spots, a, i);
        spot->requests += access->requests;
        spot->units += access->units;
        spot->ideal += access->ideal;
        spot->saved += c->on_lanes - access->requests;
    }
    for (size_t s = 0; s < spots.count; s++) {
        const struct prof_spot *spot = &spots.at[s];
        double seconds =
            (double)(spot->units - (spot->ideal < spot->units ? spot->ideal : 0)) * a->cost.sector;
        struct prof_finding *f = prof_found(
            a, PROF_RULE_ATOMICS, spot, seconds,
            prof_say(a,
                     _("%s warps execute %s atomic operations on addresses that several lanes of a warp "
                       "share. Operations on one address are serialised: %.1f passes per warp."),
                     prof_say_number(a, spot->requests), prof_say_number(a, spot->saved + spot->requests),
                     (double)spot->units / (double)spot->requests));
        save_atomics(a, f, spot);
        f->saved = spot->saved;
        f->of = spot->saved + spot->requests;
        f->unit = "atomics";
    }
    vec_release(&spots);
}

void prof_advise_global(struct prof_advisor *a)
{
    advise_patterns(a);
    advise_small(a);
    advise_atomics(a);
}
