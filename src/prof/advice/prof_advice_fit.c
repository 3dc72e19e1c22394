/* SPDX-License-Identifier: Apache-2.0 */
/* What fits on a multiprocessor: occupancy, registers, spills.
 *
 * What a change of occupancy saves is the waves that go: blocks that fit beside the others wait while those
 * wait. How many would fit is what the other resources allow, up to half of the warps: more than that seldom
 * helps (10.1). A grid that fits at once has nothing to gain. PTX has no spills: a cubin's frame tells them,
 * and without a cubin a kernel that needs more registers than a thread can have must spill. A register that
 * is spilled is stored and loaded at least once by each thread, in L1 when it comes back (stores go on to
 * L2); the predicted time knows nothing of it. Limits: that more warps may find less in L1, and fewer
 * registers may spill, is not seen. Sources: Best Practices Guide 9.2.6, 10. */
#include "prof_advice_priv.h"

#include <math.h>

/* documented: Best Practices Guide 10.1, more seldom helps; definition: of a register of each lane of a warp
 */
enum { LOW_OCCUPANCY_PERCENT = 50, WORD_SECTORS = 4 };

/* ---- occupancy */

static uint32_t advice_fit_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Blocks that would fit if only the other resources bound them, but no more than are enough. */
static double would_fit(const struct arch_occupancy *o)
{
    uint32_t registers = o->limit_registers, shared = o->limit_shared;
    uint32_t most = advice_fit_least(o->limit_blocks, o->limit_warps);
    double each = (double)o->warps_per_sm / o->blocks_per_sm;
    double enough = ceil(o->max_warps_per_sm * LOW_OCCUPANCY_PERCENT / 100.0 / each);
    if (o->blocks_per_sm == registers) return fmin(enough, advice_fit_least(most, shared));
    if (o->blocks_per_sm == shared) return fmin(enough, advice_fit_least(most, registers));
    return fmin(enough, advice_fit_least(registers, shared)); /* of a better size */
}

/* The share of the launch's waves that goes. */
static double waves_saved(const struct prof_advisor *a, uint64_t blocks)
{
    const struct arch_occupancy *o = &a->launch->occupancy;
    double each = ceil((double)blocks / (double)a->launch->gpu->sm_count);
    double now = ceil(each / o->blocks_per_sm), then = ceil(each / would_fit(o));
    return then < now ? 1 - then / now : 0;
}

/* The most of one resource with which as many blocks fit as the others allow. */
static uint32_t most_that_fits(const struct prof_advisor *a, uint32_t *resource,
                               struct arch_occupancy_request *request)
{
    struct arch_occupancy o;
    double want = would_fit(&a->launch->occupancy);
    if (want <= a->launch->occupancy.blocks_per_sm) return 0;
    for (uint32_t value = *resource, step = value > 256 ? 256 : 8; value > step; value -= step) {
        *resource = (value - step) / step * step;
        if (arch_occupancy_compute(a->launch->cc, request, &o, NULL) == SW_OK && o.blocks_per_sm >= want)
            return *resource;
    }
    return 0;
}

static const char *change_registers(struct prof_advisor *a, struct arch_occupancy_request request)
{
    uint32_t most = most_that_fits(a, &request.registers, &request);
    if (!most) return NULL;
    return prof_say(
        a,
        _("Limit the registers with __launch_bounds__ or -maxrregcount: with at most %u registers per "
          "thread, %.0f blocks fit on a multiprocessor instead of %u. Check that this causes no spills."),
        most, would_fit(&a->launch->occupancy), a->launch->occupancy.blocks_per_sm);
}

static const char *change_shared(struct prof_advisor *a, struct arch_occupancy_request request)
{
    request.shared_carveout_bytes = 0;
    uint32_t most = most_that_fits(a, &request.shared_bytes, &request);
    if (!most) return NULL;
    return prof_say(a,
                    _("Use less shared memory: with at most %s per block, %.0f blocks fit on a "
                      "multiprocessor instead of %u. softwarp occupancy shows the curves."),
                    prof_human(a, most), would_fit(&a->launch->occupancy),
                    a->launch->occupancy.blocks_per_sm);
}

static const char *why_low(struct prof_advisor *a, uint32_t shared)
{
    const struct prof_launch *p = a->launch;
    const struct arch_occupancy *o = &p->occupancy;
    if (o->blocks_per_sm == o->limit_registers)
        return prof_say(a, _("limited by %u registers per thread%s"), p->registers,
                        p->launch->kernel->registers_exact ? "" : _(" (estimated)"));
    if (o->blocks_per_sm == o->limit_shared)
        return prof_say(a, _("limited by %s of shared memory per block"), prof_human(a, shared));
    if (o->blocks_per_sm == o->limit_warps)
        return prof_say(a,
                        _("limited by the block size of %u threads, which does not evenly divide the thread "
                          "capacity of a multiprocessor"),
                        p->threads);
    return prof_say(a,
                    _("limited by the resident blocks of a multiprocessor: at most %u, of %u threads each"),
                    o->blocks_per_sm, p->threads);
}

static void advise_occupancy(struct prof_advisor *a, uint64_t blocks)
{
    const struct arch_occupancy *o = &a->launch->occupancy;
    const struct prof_launch *p = a->launch;
    if (!o->blocks_per_sm) return; /* such a launch does not run */
    if (100 * o->fraction >= LOW_OCCUPANCY_PERCENT || blocks <= p->gpu->sm_count * o->blocks_per_sm) return;
    bool registers = o->blocks_per_sm == o->limit_registers;
    uint32_t shared = p->launch->kernel->static_shared_bytes + p->launch->dynamic_shared_bytes;
    const char *fits = prof_say(a, _("The theoretical occupancy is %.0f %% (%u of %u warps)"),
                                100 * o->fraction, o->warps_per_sm, o->max_warps_per_sm);
    struct arch_occupancy_request request = {p->threads, p->registers, shared, p->shared_config};
    struct prof_finding *f = prof_found(a, registers ? PROF_RULE_REGISTERS : PROF_RULE_OCCUPANCY, NULL,
                                        a->cost.total * waves_saved(a, blocks),
                                        prof_say(a, _("%s, %s."), fits, why_low(a, shared)));
    const char *change = registers                             ? change_registers(a, request)
                         : o->blocks_per_sm == o->limit_shared ? change_shared(a, request)
                                                               : NULL;
    if (change) f->change = change;
    const char *where = prof_longest_wait_text(p, a->arena);
    if (*where) f->evidence = prof_say(a, _("%s %s"), f->evidence, where);
    prof_saves(a, f, &(struct prof_saving){.waiting = waves_saved(a, blocks)});
    f->saved = (uint64_t)(would_fit(o) * o->warps_per_sm / o->blocks_per_sm) - o->warps_per_sm;
    f->of = o->max_warps_per_sm;
    f->unit = "warps";
}

/* ---- spills */

static void found_spills(struct prof_advisor *a, uint32_t spilled, uint32_t of, const char *evidence)
{
    double words = (double)spilled * (double)a->warps, sectors = words * WORD_SECTORS;
    struct prof_finding *f = prof_found(
        a, PROF_RULE_SPILLS, NULL, 2 * words * a->cost.instruction + 2 * sectors * a->cost.sector, evidence);
    prof_saves_unpredicted(
        a, f,
        &(struct prof_saving){
            .instructions = -2 * words, .requests = -2 * words, .l1 = -2 * sectors, .l2 = -sectors});
    f->saved = spilled;
    f->of = of;
    f->unit = "registers";
}

static void advise_spills(struct prof_advisor *a)
{
    const struct event_kernel *kernel = a->launch->launch->kernel;
    uint32_t most = kernel->registers; /* as many as a thread can have, or as the kernel bounds them to */
    uint32_t wanted = kernel->registers_wanted, words = kernel->spill_bytes / 4;
    if (kernel->registers_exact && words)
        found_spills(a, words, kernel->registers + words,
                     prof_say(a,
                              _("The machine code uses %u registers per thread and spills %u bytes per "
                                "thread to local memory. The predicted time does not include the spills."),
                              kernel->registers, kernel->spill_bytes));
    if (!kernel->registers_exact && wanted > most)
        found_spills(
            a, wanted - most, wanted,
            prof_say(
                a,
                _("About %u registers are live at the same time, but a thread can have only %u. About %u "
                  "bytes per thread spill to local memory. The predicted time does not include the spills."),
                wanted, most, 4 * (wanted - most)));
}

void prof_advise_fit(struct prof_advisor *a)
{
    const uint32_t *grid = a->launch->launch->grid;
    if (a->launch->counted) advise_spills(a);
    if (a->launch->has_occupancy) advise_occupancy(a, (uint64_t)grid[0] * grid[1] * grid[2]);
}
