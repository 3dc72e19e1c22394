/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow and the launch's shape: divergence, barriers, blocks, waves.
 *
 * What divergence costs is the lanes that are switched off while instructions run, beyond those that the
 * block's last warp lacks; it is shared out over the branches by how many warps they split. A barrier stands
 * in divergent code when fewer lanes come to it than the warps that come there have.
 * Sources: Best Practices Guide 10 and 12. */
#include "prof_advice_priv.h"

/* assumed: of a branch's warps that split, of lanes that idle, of the last wave's room that idles, from which
 * on it is told */
enum { SPLIT_PERCENT = 10, IDLE_PERCENT = 20, TAIL_PERCENT = 20 };

/* ---- divergence */

static double lanes_of_full_warps(const struct prof_advisor *a)
{
    uint32_t warps = (a->launch->threads + SW_WARP_LANES - 1) / SW_WARP_LANES;
    return warps ? (double)a->launch->threads / (double)warps : 0; /* a record may say no threads */
}

/* A part of counters, of which a record may hold any. */
static uint64_t whole(double number)
{
    return number < 0x1p63 ? (uint64_t)number : UINT64_MAX;
}

static uint32_t guard_depends(const struct prof_advisor *a, uint32_t i)
{
    int guard = a->flow.steps[i].guard;
    return guard >= 0 ? a->flow.values[guard].depends : 0;
}

static const char *why_split(const struct prof_advisor *a, uint32_t i)
{
    uint32_t depends = guard_depends(a, i);
    if (depends & PROF_ON_DATA) return _("the condition depends on data that each thread reads");
    if (depends & (PROF_ON_X | PROF_ON_Y | PROF_ON_Z))
        return _("the condition depends on the thread's index");
    return _("the condition differs between lanes");
}

static void advise_divergence(struct prof_advisor *a)
{
    prof_spots spots = {0};
    const struct prof_sums *sums = &a->launch->sums;
    double full = lanes_of_full_warps(a) * (double)sums->warps;
    double idle = full > (double)sums->lanes ? 1 - (double)sums->lanes / full : 0;
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++) {
        const struct prof_count *c = &a->counts[i];
        if (a->flow.kernel->instrs[i].cls != ISA_CLASS_BRANCH ||
            c->divergent * 100 < c->warps * SPLIT_PERCENT)
            continue;
        if (!c->divergent) continue;
        struct prof_spot *spot = prof_spot_add(&spots, a, i);
        spot->units += c->divergent;
    }
    for (size_t s = 0; s < spots.count && idle * 100 >= IDLE_PERCENT; s++) {
        const struct prof_spot *spot = &spots.at[s];
        double share = (double)spot->units / (double)sums->divergent;
        if (share * 100 < SPLIT_PERCENT) continue;
        struct prof_finding *f = prof_found(
            a, PROF_RULE_DIVERGENCE, spot, share * idle * (double)sums->warps * a->cost.instruction,
            prof_say(a,
                     _("The branch diverges in %s of the %s warps that reach it (%.0f %%): %s. On average "
                       "over the kernel, %.1f of the %.0f lanes of a warp are active."),
                     prof_say_number(a, spot->units), prof_say_number(a, spot->warps),
                     prof_share((double)spot->units, (double)spot->warps), why_split(a, spot->first),
                     (double)sums->lanes / (double)sums->warps, lanes_of_full_warps(a)));
        prof_saves(a, f, &(struct prof_saving){.instructions = share * idle * (double)sums->warps});
        f->saved = whole(share * idle * (double)sums->warps);
        f->of = sums->warps;
        f->unit = "warp instructions";
    }
    vec_release(&spots);
}

static void advise_barriers(struct prof_advisor *a)
{
    prof_spots spots = {0};
    for (uint32_t i = 0; i < a->flow.kernel->instr_count; i++) {
        const struct event_instr *instr = &a->flow.kernel->instrs[i];
        const struct prof_count *c = &a->counts[i];
        bool of_block = event_is_wide_barrier(instr) && !event_has(instr, ISA_MOD_CLUSTER);
        if (!of_block || !c->warps || (double)c->lanes + 0.5 >= lanes_of_full_warps(a) * (double)c->warps)
            continue;
        prof_spot_add(&spots, a, i);
    }
    for (size_t s = 0; s < spots.count; s++) {
        const struct prof_spot *spot = &spots.at[s];
        uint64_t all = whole(lanes_of_full_warps(a) * (double)spot->warps + 0.5);
        prof_found(a, PROF_RULE_BARRIER, spot, 0,
                   prof_say(a,
                            _("%s of the %s threads in the warps that reach this barrier do not reach it "
                              "themselves: they have exited or take another path."),
                            prof_say_number(a, all - spot->lanes), prof_say_number(a, all)));
    }
    vec_release(&spots);
}

void prof_advise_control(struct prof_advisor *a)
{
    advise_divergence(a);
    advise_barriers(a);
}

/* ---- blocks and waves */

static void advise_blocks(struct prof_advisor *a, uint64_t blocks)
{
    const struct prof_launch *p = a->launch;
    uint32_t rest = p->threads % SW_WARP_LANES, idle = rest ? SW_WARP_LANES - rest : 0;
    double all = a->cost.total > 0 ? a->cost.total : 0;
    if (rest) {
        struct prof_finding *f = prof_found(
            a, PROF_RULE_BLOCK_SIZE, NULL, all * idle / (p->threads + idle),
            prof_say(a,
                     _("A block has %u threads. Its warps have %u lanes, of which %u are always inactive."),
                     p->threads, p->threads + idle, idle));
        prof_saves(a, f, &(struct prof_saving){.multiprocessors = (double)idle / (p->threads + idle)});
        f->saved = blocks * idle;
        f->of = blocks * (p->threads + idle);
        f->unit = "lanes";
    }
    if (blocks >= p->gpu->sm_count) return;
    struct prof_finding *f = prof_found(
        a, PROF_RULE_FEW_BLOCKS, NULL, all * (1 - (double)blocks / (double)p->gpu->sm_count),
        prof_say(a, _("The grid has %s blocks for %s multiprocessors: %s multiprocessors have no work."),
                 prof_say_number(a, blocks), prof_say_number(a, p->gpu->sm_count),
                 prof_say_number(a, p->gpu->sm_count - blocks)));
    prof_saves(a, f, &(struct prof_saving){.multiprocessors = 1 - (double)blocks / (double)p->gpu->sm_count});
    f->saved = p->gpu->sm_count - blocks;
    f->of = p->gpu->sm_count;
    f->unit = "multiprocessors";
}

static void advise_tail(struct prof_advisor *a, uint64_t blocks)
{
    uint64_t at_once = a->launch->gpu->sm_count * a->launch->occupancy.blocks_per_sm;
    if (!at_once || blocks <= at_once) return;
    uint64_t waves = (blocks + at_once - 1) / at_once, last = blocks - (waves - 1) * at_once;
    double idle = 1 - (double)blocks / ((double)waves * (double)at_once);
    if (idle * 100 < TAIL_PERCENT) return;
    struct prof_finding *f =
        prof_found(a, PROF_RULE_TAIL, NULL, a->cost.total * idle,
                   prof_say(a,
                            _("With %s resident blocks the grid takes %s waves. The last wave has only %s "
                              "blocks and leaves %.0f %% of the CTA slots empty."),
                            prof_say_number(a, at_once), prof_say_number(a, waves), prof_say_number(a, last),
                            100 * idle));
    prof_saves(a, f, &(struct prof_saving){.multiprocessors = idle});
    f->saved = waves * at_once - blocks;
    f->of = waves * at_once;
    f->unit = "blocks";
}

void prof_advise_configuration(struct prof_advisor *a)
{
    const uint32_t *grid = a->launch->launch->grid;
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    advise_blocks(a, blocks);
    if (!a->launch->has_occupancy) return;
    advise_tail(a, blocks);
}
