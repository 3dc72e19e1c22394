/* SPDX-License-Identifier: Apache-2.0 */
/* The time of collectives of NCCL between devices of one machine, whose kernels nobody runs here.
 *
 * Models: rings, and for sums of all ranks trees, each with the three protocols that NCCL has: words with
 * flags (LL), lines with flags (LL128), and blocks (Simple). A collective takes the least of their times: a
 * start, a latency for each step, and bytes at what the algorithm leaves of a device's links; and as long as
 * NCCL takes to queue it, at least. Sends take the start and one step.
 * Does not model: sums in the switch (NVLS), which NCCL prefers for large ones from four Hopper devices on;
 * collectives that share links; how many blocks a small one has; hosts.
 * Sources: latencies and rates of protocols are those by which NCCL itself chooses (NVIDIA/nccl,
 * src/graph/tuning.cc, ncclTunerConstantsDefaults and ncclTopoTuneModel, 2.30); rates of links are those of
 * copies between devices, of gpus/. What is fitted: to the calls of even place, each of 20 in a row, that
 * were recorded on two H200 with NVLS off (tests/hw/libraries/h200/nccl-times.tsv), and compared with the
 * others. More than two ranks were not compared. */
#include "timing_collective.h"

#include <math.h>

enum protocol { LL, LL128, SIMPLE, PROTOCOLS };
enum algorithm { TREE, RING, ALGORITHMS };

enum { SIMPLE_NS = 25300 }; /* fitted, of rings; published: 8400 */
/* published but for Simple, tuning.cc: baseLatencies, in ns */
static const double START_NS[ALGORITHMS][PROTOCOLS] = {
    [TREE] = {6800, 14000, SIMPLE_NS}, [RING] = {6600, 14000, SIMPLE_NS}};
/* Fitted: of a call of few bytes, all ranks of which one thread queues: the recording does not tell the
 * host's part from the device's. */
enum { CALL_NS = 13500 };
/* published, tuning.cc: hwLatencies of PCI and NVLINK, in ns */
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
/* measured: of each channel, which is a block: two H200 had 24 (NCCL's log), for what gpus/ says of links */
static const double CHANNEL_RATE = 16;
enum { CHANNELS_MOST = 32 }; /* assumed: NCCL's default on Hopper */
/* Fitted: what collectives over NVLink reach of a copy's rate. Sums of all ranks and exchanges use both
 * directions at once, gathers and scatters also copy each rank's own part. */
static const double SHARE[EVENT_PATTERN_COUNT] = {
    [EVENT_PATTERN_ALL_REDUCE] = 0.78,     [EVENT_PATTERN_BROADCAST] = 0.99,
    [EVENT_PATTERN_REDUCE] = 0.99,         [EVENT_PATTERN_ALL_GATHER] = 0.67,
    [EVENT_PATTERN_REDUCE_SCATTER] = 0.67, [EVENT_PATTERN_EXCHANGE] = 0.77};

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
static double bus_rate(const struct arch_gpu *gpu, double share, enum algorithm algorithm,
                       enum protocol protocol)
{
    int at = generation(gpu);
    double links = link_rate(gpu) * share, count = channels(gpu), ll = LL_MOST[at];
    if (algorithm == RING) {
        if (protocol == LL) return fmin(ll, link_rate(gpu) * 0.5);
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
    double least = INFINITY, share = nvlink ? SHARE[r->k] : 1;
    for (int a = r->k == EVENT_PATTERN_ALL_REDUCE ? TREE : RING; a < ALGORITHMS; a++)
        for (int p = 0; p < PROTOCOLS; p++) {
            double start = START_NS[a][p] + steps(r, (enum algorithm)a) * STEP_NS[nvlink][a][p];
            double bytes = (double)r->n * crossing(r, (enum algorithm)a);
            double ns = start + bytes / bus_rate(gpu, share, (enum algorithm)a, (enum protocol)p);
            if (ns >= least) continue;
            least = ns;
            *start_ns = start;
        }
    if (least >= CALL_NS) return least;
    *start_ns = CALL_NS;
    return CALL_NS;
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
