/* SPDX-License-Identifier: Apache-2.0 */
/* Advice: which rules look at a launch or at what the host did, and the order of what they find.
 *
 * Findings are sorted by the predicted time that the change would save (prof_advice_time.c); where no time
 * was predicted by the share of the launch's work, then by priority. Work is the sum of three plain bounds:
 * sectors at the memory's bandwidth, wavefronts at one a clock and multiprocessor, warp instructions at four
 * a clock and multiprocessor (two before cc 5.0). It is there to compare findings, not to predict time: what
 * overlaps is added up. Findings whose saving cannot be told (occupancy, pageable memory without sizes) have
 * a gain of 0 and come last. Sources: CUDA C Best Practices Guide 8.0; throughput: CUDA C Programming Guide,
 * "Arithmetic Instructions".
 */
#include "prof_advice_priv.h"

#include <stdlib.h>
#include <string.h>

/* ---- a launch */

static uint64_t advice_slot(const uint64_t *counters, uint32_t number)
{
    return number == EVENT_NO_SLOT ? 0 : counters[number];
}

static void read_count(const struct event_instr *i, const uint64_t *counters, struct prof_count *out)
{
    out->warps = advice_slot(counters, i->slots.warps);
    out->lanes = advice_slot(counters, i->slots.lanes);
    out->on_warps = advice_slot(counters, i->slots.on_warps);
    out->on_lanes = advice_slot(counters, i->slots.on_lanes);
    out->divergent = advice_slot(counters, i->slots.divergent);
    for (size_t k = 0; k < SW_COUNT_OF(out->access); k++)
        out->access[k] = (struct prof_access){.requests = advice_slot(counters, i->slots.access[k].requests),
                                              .units = advice_slot(counters, i->slots.access[k].units),
                                              .ideal = advice_slot(counters, i->slots.access[k].ideal)};
}

static void estimate_cost(struct prof_advisor *a)
{
    const struct arch_gpu *gpu = a->launch->gpu;
    const struct prof_sums *sums = &a->launch->sums;
    double bandwidth = arch_dram_bytes_per_second(gpu);
    double clocks = 1000.0 * (double)gpu->clock_khz * (double)gpu->sm_count;
    double issue = a->launch->cc->major < 5 ? 2 : 4;
    uint64_t local = sums->access[PROF_LOCAL_LOAD].units + sums->access[PROF_LOCAL_STORE].units;
    a->cost.sector = bandwidth > 0 ? 32 / bandwidth : 0;
    a->cost.wavefront = clocks > 0 ? 1 / clocks : 0;
    a->cost.instruction = clocks > 0 ? 1 / (clocks * issue) : 0;
    a->cost.total = a->cost.sector * (double)(prof_global_total(sums).units + local) +
                    a->cost.wavefront * (double)prof_shared_total(sums).units +
                    a->cost.instruction * (double)sums->warps;
}

static void read_launch(struct prof_advisor *a)
{
    const struct event_launch *l = a->launch->launch;
    if (!a->launch->counted) return;
    a->counts = ARENA_ARRAY(a->arena, struct prof_count, l->kernel->instr_count + 1);
    for (uint32_t i = 0; i < l->kernel->instr_count; i++)
        read_count(&l->kernel->instrs[i], l->counters, &a->counts[i]);
    a->warps = l->kernel->instr_count ? a->counts[0].warps : 0; /* each begins once */
    prof_flow_init(&a->flow, l->kernel, l->block, a->arena);
    estimate_cost(a);
}

static int order(const struct prof_finding *a, const struct prof_finding *b)
{
    if (a->saved_ns != b->saved_ns) return a->saved_ns < b->saved_ns ? 1 : -1;
    if (a->gain != b->gain) return a->gain < b->gain ? 1 : -1;
    if (a->rule->priority != b->rule->priority) return a->rule->priority < b->rule->priority ? 1 : -1;
    if (a->rule != b->rule) return a->rule < b->rule ? -1 : 1;
    int files = strcmp(a->file, b->file);
    return files ? files : (a->line > b->line) - (a->line < b->line);
}

static int by_gain(const void *x, const void *y)
{
    return order(x, y);
}

static uint32_t advice_finish(struct prof_advisor *a, struct prof_finding **out)
{
    uint32_t count = (uint32_t)a->list.count;
    if (count) qsort(a->list.at, count, sizeof *a->list.at, by_gain);
    *out = arena_copy(a->arena, a->list.at, sizeof *a->list.at * count);
    vec_release(&a->list);
    return count;
}

uint32_t prof_findings(const struct prof_launch *launch, struct arena *arena, struct prof_finding **out)
{
    struct prof_advisor a = {.launch = launch, .arena = arena};
    if (launch->launch->status != SW_OK) return advice_finish(&a, out); /* it is to be mended first */
    if (launch->launch->routine) return advice_finish(&a, out); /* whose kernels are not the program's */
    read_launch(&a);
    if (launch->counted) {
        prof_advise_reuse(&a);
        prof_advise_global(&a);
        prof_advise_shared(&a);
        prof_advise_spaces(&a);
        prof_advise_control(&a);
        prof_advise_math(&a);
    }
    prof_advise_configuration(&a);
    prof_advise_fit(&a);
    prof_advise_channels(&a);
    return advice_finish(&a, out);
}

uint32_t prof_process_findings(const struct prof_process *process, struct arena *arena,
                               struct prof_finding **out)
{
    struct prof_advisor a = {.process = process, .arena = arena};
    prof_advise_transfers(&a);
    return advice_finish(&a, out);
}

uint32_t prof_advice(const struct prof_launch *launch, struct arena *arena, const char ***out)
{
    struct prof_finding *findings;
    uint32_t count = prof_findings(launch, arena, &findings);
    *out = ARENA_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const char *location = prof_finding_location(&findings[i], arena);
        (*out)[i] = arena_printf(arena, "%s%s%s: %s %s", findings[i].title, *location ? ", " : "", location,
                                 findings[i].evidence, findings[i].change);
    }
    return count;
}
