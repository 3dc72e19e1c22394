/* SPDX-License-Identifier: Apache-2.0 */
/* What a change would save, as time: which bounds of the predicted time it lowers, and what is left of the
 * time.
 *
 * A change takes away sectors, wavefronts, instructions, atomics. Each bound of the time (event_limit) falls
 * by the share of its work that goes: L1 by sectors, L2 and DRAM by those that the cache model says the line
 * caused beyond what is left, shared memory by passes (those of L1's sectors too), issue and arithmetic by
 * instructions, a warp's own latency by the cycles that its passes and lines took, or by the waves that go
 * when more blocks fit. What is left of the time
 * is its start, and the rest by the fourth-power mean of the bounds before and after, as timing_kernel.c
 * makes one time of them; so a change to a unit that does not limit the launch saves nearly nothing. Limits:
 * what the change adds is seen for redundant loads alone; savings of several findings do not add up. How good
 * it is: docs/advice.md. */
#include "prof_advice_priv.h"

#include <math.h>

static double part(double of, double all)
{
    double share = all > 0 ? of / all : 0;
    return share > 1 ? 1 : share;
}

/* Cycles of a warp from its first to its last instruction, from the bound of latency. */
static double path_cycles(const struct prof_advisor *a, const struct event_time *t)
{
    const struct prof_launch *p = a->launch;
    const uint32_t *grid = p->launch->grid;
    double blocks = (double)grid[0] * grid[1] * grid[2], sms = (double)p->gpu->sm_count;
    double waves = p->has_occupancy && p->occupancy.blocks_per_sm
                       ? ceil(ceil(blocks / sms) / (double)p->occupancy.blocks_per_sm)
                       : 1;
    return t->busy[EVENT_LIMIT_LATENCY] * t->cycles / waves;
}

static uint64_t advice_time_requests_of(const struct prof_sums *sums)
{
    uint64_t requests = 0;
    for (int s = PROF_GLOBAL_LOAD; s <= PROF_SHARED_COPY; s++)
        requests += sums->access[s].requests;
    return requests;
}

/* Of each bound, the share that goes. */
static void lowered(const struct prof_advisor *a, const struct event_time *t, const struct prof_saving *s,
                    double gone[EVENT_LIMIT_COUNT])
{
    enum { LINE_SECTORS = 4 }; /* definition */
    const struct prof_sums *sums = &a->launch->sums;
    const struct event_memory_sums *m = &a->launch->launch->memory->total;
    const struct arch_kernels *k = &a->launch->gpu->kernels;
    double sectors = (double)prof_traffic_bytes(sums) / 32;
    double instructions = part(s->instructions, (double)sums->warps);
    double atomics = (double)(sums->access[PROF_GLOBAL_ATOM].units + sums->access[PROF_GLOBAL_RED].units);
    double lines = s->l1 * (double)(k->l1_scatter_percent * k->l1_line_centicycles) / 1e4;
    for (uint32_t b = EVENT_LIMIT_LATENCY; b <= EVENT_LIMIT_LSU; b++)
        gone[b] = instructions;
    gone[EVENT_LIMIT_LSU] = part(s->requests, (double)advice_time_requests_of(sums));
    gone[EVENT_LIMIT_TENSOR] = 0;
    gone[EVENT_LIMIT_FP64] = part(s->fp64, (double)sums->unit_lanes[ISA_UNIT_FP64] / SW_WARP_LANES);
    gone[EVENT_LIMIT_L1] = part(s->l1, sectors);
    gone[EVENT_LIMIT_SHARED] = part(s->wavefronts + s->l1 / LINE_SECTORS,
                                    (double)prof_shared_total(sums).units + sectors / LINE_SECTORS);
    gone[EVENT_LIMIT_L2] = part(s->l2, (double)(m->l2_reads + m->l2_writes + m->l2_atomics));
    gone[EVENT_LIMIT_DRAM] = part(s->dram, (double)(m->dram_reads + m->dram_writes));
    gone[EVENT_LIMIT_ATOMIC] = part(s->atomics, atomics);
    double cycles = a->warps ? (s->wavefronts + lines) / (double)a->warps : 0;
    if (cycles > 0) gone[EVENT_LIMIT_LATENCY] += part(cycles, path_cycles(a, t));
    gone[EVENT_LIMIT_LATENCY] += s->waiting;
    for (uint32_t b = EVENT_LIMIT_LAUNCH; b <= EVENT_LIMIT_L1; b++)
        gone[b] = 1 - (1 - (gone[b] < 1 ? gone[b] : 1)) * (1 - s->multiprocessors);
}

static double fourth(double x)
{
    return x * x * x * x;
}

/* How much shorter the launch is with the change, in parts of its time; below 0: longer. false: no time. */
static bool shorter(const struct prof_advisor *a, const struct prof_saving *s, double *out)
{
    const struct event_time *t = a->launch->launch->time;
    double gone[EVENT_LIMIT_COUNT] = {0}, before = 0, after = 0;
    if (!t || !a->launch->launch->memory || !t->duration_ns) return false;
    lowered(a, t, s, gone);
    for (uint32_t b = 0; b < EVENT_LIMIT_COUNT; b++) {
        before += fourth(t->busy[b]);
        after += fourth(t->busy[b] * (1 - gone[b]));
    }
    double ns = (double)t->duration_ns, start = prof_start_ns(a->launch->gpu, t);
    double body = ns > start ? ns - start : 0;
    double left = before > 0 ? sqrt(sqrt(after / before)) : 1;
    *out = body * (1 - left) / ns;
    return true;
}

void prof_saves(struct prof_advisor *a, struct prof_finding *f, const struct prof_saving *s)
{
    double part;
    if (!shorter(a, s, &part)) return;
    f->of_ns = a->launch->predicted_ns;
    f->saved_ns = part > 0 ? part * f->of_ns : 0;
    f->timed = true;
}

void prof_saves_unpredicted(struct prof_advisor *a, struct prof_finding *f, const struct prof_saving *adds)
{
    double part;
    if (!shorter(a, adds, &part)) return;
    f->saved_ns = part < 0 ? -part * a->launch->predicted_ns : 0;
    f->of_ns = a->launch->predicted_ns + f->saved_ns;
    f->timed = true;
}

/* Sectors that the instructions of a line caused in a cache beyond those that are left. */
static double beyond(uint64_t caused, double left)
{
    return (double)caused > left ? (double)caused - left : 0;
}

/* Loads from shared memory that come instead pass the banks once each; of those that become part of a wider
 * one every second pass goes, too (recorded: two passes for 16 bytes). */
void prof_saves_sectors(struct prof_advisor *a, struct prof_finding *f, const struct prof_spot *spot,
                        uint64_t saved, bool instead)
{
    double left = spot->units > saved ? (double)(spot->units - saved) : 0;
    double merged = instead ? (double)spot->merged : 0;
    prof_saves(a, f,
               &(struct prof_saving){.l1 = (double)saved,
                                     .l2 = beyond(spot->l2, left),
                                     .dram = beyond(spot->dram, left),
                                     .requests = merged,
                                     .instructions = merged,
                                     .wavefronts = instead ? merged * 2 / 3 - (double)spot->requests : 0});
}
