/* SPDX-License-Identifier: Apache-2.0 */
/* The time of collectives of NCCL between devices of one machine, whose kernels nobody runs here.
 *
 * Models: rings, and for sums of all ranks trees, each with the three protocols that NCCL has: words with
 * flags (LL), lines with flags (LL128), and blocks (Simple). A collective takes the least of their times: a
 * start, a latency for each step, and bytes at what the algorithm leaves of a device's links. Sends take the
 * start and one step.
 * Does not model: sums in the switch (NVLS), which NCCL prefers for large ones from four Hopper devices on;
 * collectives that share links; how many blocks a small one has.
 * Sources: latencies and rates of protocols are those by which NCCL itself chooses (NVIDIA/nccl,
 * src/graph/tuning.cc, ncclTunerConstantsDefaults and ncclTopoTuneModel, 2.30); rates of links are those of
 * copies between devices, of gpus/. Not compared with collectives on a GPU. */
#include "timing_collective.h"

#include <math.h>

enum protocol { LL, LL128, SIMPLE, PROTOCOLS };
enum algorithm { TREE, RING, ALGORITHMS };

/* published, tuning.cc: baseLatencies, and hwLatencies of NVLINK and PCI, in ns */
static const double START_NS[ALGORITHMS][PROTOCOLS] = {
    [TREE] = {6800, 14000, 8400}, [RING] = {6600, 14000, 8400}};
/* published, as those */
static const double STEP_NS[2][ALGORITHMS][PROTOCOLS] = {
    {[TREE] = {1000, 1900, 4000}, [RING] = {1000, 2500, 5700}},
    {[TREE] = {600, 1250, 4000}, [RING] = {600, 1900, 3400}}};
/* by generation */
enum { VOLTA, AMPERE, HOPPER, BLACKWELL, GENERATIONS };
/* published, tuning.cc: llMaxBws of one node, bytes in a ns */
static const double LL_MOST[GENERATIONS] = {39, 87.7, 141, 282};
/* published, tuning.cc, of a channel: perChMaxRingLL128Bws */
static const double RING_LL128_MOST[GENERATIONS] = {20, 20, 36.7, 40};
/* published: perChMaxTreeLL128Bws */
static const double TREE_LL128_MOST[GENERATIONS] = {20, 20, 36.7, 55.6};
/* published: perChMaxTreeBws */
static const double TREE_MOST[GENERATIONS] = {26.5, 24, 38.7, 70};
/* assumed: a channel, which is a block, carries what a link of NVLink does (topo.h: 20 to 20.6). */
static const double CHANNEL_RATE = 20;
enum { CHANNELS_MOST = 32 }; /* assumed: NCCL's default on Hopper */

static int generation(const struct arch_gpu *gpu)
{
    return gpu->cc_major >= 10  ? BLACKWELL
           : gpu->cc_major == 9 ? HOPPER
           : gpu->cc_major == 8 ? AMPERE
                                : VOLTA;
}

/* Bytes in a ns that a device's links carry one way. Of GPUs with NVLink gpus/ has a curve; others take PCI
 * Express, at 0.985 GB/s a lane of generation 3 (PCI Express Base Specification: 8 GT/s, 128b/130b). */
static double link_rate(const struct arch_gpu *gpu)
{
    const struct arch_curve *peer = &gpu->time.peer;
    if (peer->count > 1) {
        double bytes = (double)peer->at[peer->count - 1].bytes, ns = (double)peer->at[peer->count - 1].ns;
        return bytes / (ns - (double)peer->at[0].ns);
    }
    double lane = 0.985 * pow(2, (double)gpu->pcie_generation - 3);
    return lane * (double)gpu->pcie_lanes * (double)gpu->time.pcie_permille / 1000;
}

static double channels(const struct arch_gpu *gpu)
{
    double count = ceil(link_rate(gpu) / CHANNEL_RATE);
    return count < CHANNELS_MOST ? count : CHANNELS_MOST;
}

double timing_collective_share(const struct arch_gpu *gpu)
{
    double share = channels(gpu) / (double)gpu->sm_count;
    return share < 1 ? share : 1;
}

/* What an algorithm moves over each link, as a rate: tuning.cc's refinements. */
static double bus_rate(const struct arch_gpu *gpu, enum algorithm algorithm, enum protocol protocol)
{
    int at = generation(gpu);
    double links = link_rate(gpu), count = channels(gpu), ll = LL_MOST[at];
    if (algorithm == RING) {
        if (protocol == LL) return fmin(ll, links * 0.5);
        return protocol == LL128 ? fmin(links * 0.92, count * RING_LL128_MOST[at]) : links;
    }
    double tree = fmin(links * 0.92, count * TREE_MOST[at]);
    if (protocol == LL) return fmin(tree / 3.8, ll);
    return protocol == LL128 ? fmin(tree * 7 / 9, count * TREE_LL128_MOST[at]) : tree;
}

static double steps(const struct event_routine *r, enum algorithm algorithm)
{
    double others = (double)r->m - 1;
    switch (r->k) {
    case EVENT_PATTERN_ALL_REDUCE: return 2 * others;
    case EVENT_PATTERN_ALL_GATHER:
    case EVENT_PATTERN_REDUCE_SCATTER: return others;
    default: return algorithm == RING ? 1 : 0;
    }
}

/* The part of the bytes that crosses each link: that of a ring's steps. */
static double crossing(const struct event_routine *r, enum algorithm algorithm)
{
    double ranks = (double)r->m;
    if (algorithm == TREE) return 2;
    switch (r->k) {
    case EVENT_PATTERN_ALL_REDUCE: return 2 * (ranks - 1) / ranks;
    case EVENT_PATTERN_ALL_GATHER:
    case EVENT_PATTERN_REDUCE_SCATTER: return (ranks - 1) / ranks;
    default: return 1;
    }
}

static double least_ns(const struct arch_gpu *gpu, const struct event_routine *r, double *start_ns)
{
    bool nvlink = gpu->time.peer.count > 0;
    double least = INFINITY;
    for (int a = r->k == EVENT_PATTERN_ALL_REDUCE ? TREE : RING; a < ALGORITHMS; a++)
        for (int p = 0; p < PROTOCOLS; p++) {
            double start = START_NS[a][p] + steps(r, (enum algorithm)a) * STEP_NS[nvlink][a][p];
            double bytes = (double)r->n * crossing(r, (enum algorithm)a);
            double ns = start + bytes / bus_rate(gpu, (enum algorithm)a, (enum protocol)p);
            if (ns >= least) continue;
            least = ns;
            *start_ns = start;
        }
    return least;
}

double timing_collective_ns(const struct arch_gpu *gpu, const struct event_routine *routine)
{
    double start_ns = START_NS[RING][LL];
    return routine->m > 1 ? least_ns(gpu, routine, &start_ns) : start_ns; /* one rank: DRAM alone */
}

double timing_collective_start_ns(const struct arch_gpu *gpu, const struct event_routine *routine)
{
    double start_ns = START_NS[RING][LL];
    if (routine->m > 1) (void)least_ns(gpu, routine, &start_ns);
    return start_ns;
}
