/* SPDX-License-Identifier: Apache-2.0 */
/* The time of calls of random number generators, by kernels like cuRAND's.
 *
 * Models: of pseudo-random generators the cost of a number on all multiprocessors, or on those that XORWOW's
 * 4096 lanes fill; states that lanes read and write; the several kernels of MTGP32 and MT19937. Of Sobol's,
 * threads that go through a part of a dimension each: as long as there are threads to take them on, more
 * numbers take no longer. All write their numbers to DRAM. Seeds: one kernel, as long as there are lanes to
 * be started. Does not model: numbers that MT19937 kept from the call before; tables of large Poisson means
 * that are not in the caches; dynamic orders, which have other numbers of lanes. Sources: which kernels run,
 * and all numbers: fitted to the calls of even place that were recorded on an H200 with cuRAND 10.4
 * (tests/hw/libraries), whose clock and multiprocessors others are scaled from. */
#include "timing_random_priv.h"

#include "base/base.h"

#include <stdbool.h>

/* ns of a kernel's start; ps a number on all multiprocessors, or, of Sobol's, ns that a thread takes for its
 * part; fitted */
static const struct {
    double start, cost[EVENT_RANDOM_SEEDS];
} GENERATORS[EVENT_RANDOM_GENERATORS] = {
    [EVENT_RANDOM_XORWOW] = {2663, {3.695, 4.889, 14.99, 19.93, 47.83, 22.52, 47.83, 34.6, 44.78}},
    [EVENT_RANDOM_MRG32K3A] = {3263, {3.642, 3.629, 3.548, 4.523, 8.433, 5.069, 8.433, 5.502, 6.071}},
    [EVENT_RANDOM_MTGP32] = {2422, {7.758, 7.889, 8.335, 10.8, 19.24, 11.21, 19.24, 10.91, 27.16}},
    [EVENT_RANDOM_MT19937] = {4755, {1.022, 1.72, 2.862, 4.25, 12.32, 4.452, 12.32, 4.72, 5.749}},
    [EVENT_RANDOM_PHILOX] = {3526, {1.387, 1.411, 3.156, 2.546, 7.55, 2.97, 7.55, 2.432, 3.501}},
    [EVENT_RANDOM_SOBOL32] = {2997, {36110, 39064, 40511, 123550, 311170, 124250, 311170, 214930, 478980}},
    [EVENT_RANDOM_SOBOL64] = {3538, {46632, 53848, 48455, 134860, 320010, 133480, 320010, 268630, 493110}},
};
/* measured: the H200 that they are of, as ncu locks its clock */
enum { MULTIPROCESSORS = 132, CLOCK_KHZ = 1500000, XORWOW_MULTIPROCESSORS = 64 };
/* fitted: a Poisson number's table, ns; the first ns of double normal ones */
enum { POISSON_NS = 1911, NORMAL_DOUBLE_NS = 51 };
/* fitted: kernels besides the one that writes, ns; numbers from which they run: 256 of each of 192 sequences,
 * and a pass of 624 words of each of 8192 lanes */
enum { MTGP_NS = 11642, MTGP_FROM = 49152, MT_NS = 11241, MT_FROM = 5111808 };
enum { MT_INVERTED_NS = 4814, MT_INVERTED_FROM = 8192 }; /* fitted: MT19937's normal and Poisson numbers */
/* fitted: numbers of a dimension that give each thread all of its part; numbers that all threads of a GPU
 * give */
enum { SOBOL_PART = 155730, SOBOL_ALL = 29496000 };
/* fitted: ps of a lane's state; its numbers each turn, and lanes of the default order */
static const struct {
    double state;
    uint32_t numbers, lanes;
} LANES[EVENT_RANDOM_GENERATORS] = {
    [EVENT_RANDOM_MRG32K3A] = {27.1, 1, 81920}, [EVENT_RANDOM_PHILOX] = {45, 4, 65536}};
/* measured; others are seeded on the host, or need no seeds */
static const double SEEDS_NS[EVENT_RANDOM_GENERATORS] = {[EVENT_RANDOM_XORWOW] = 213920,
                                                         [EVENT_RANDOM_MRG32K3A] = 942880,
                                                         [EVENT_RANDOM_MT19937] = 16525184,
                                                         [EVENT_RANDOM_PHILOX] = 5984};

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* Of dimensions one after the other; parallel: how many H200s the GPU is, slower: a thread's time by an
 * H200's. */
static double sobol_ns(const struct event_routine *r, double parallel, double slower)
{
    double each = (double)r->n / (double)r->batch, cost = GENERATORS[r->m].cost[r->k];
    double latency = cost * least(1, each / SOBOL_PART) * slower;
    return most(latency, cost * (double)r->n / SOBOL_ALL / parallel);
}

static double more_kernels_ns(const struct event_routine *r)
{
    bool is_plain = r->k <= EVENT_RANDOM_UNIFORM_DOUBLE;
    if (r->m == EVENT_RANDOM_MTGP32) return r->n > MTGP_FROM ? MTGP_NS : 0;
    if (r->m != EVENT_RANDOM_MT19937) return 0;
    return (r->n > MT_FROM ? MT_NS : 0) + (r->n > MT_INVERTED_FROM && !is_plain ? MT_INVERTED_NS : 0);
}

struct timing_random timing_random(const struct event_routine *r, double dram, double sms, double ghz)
{
    double slower = CLOCK_KHZ / 1e6 / ghz, parallel = sms / MULTIPROCESSORS / slower;
    struct timing_random out = {.start_ns = GENERATORS[r->m].start};
    if (r->k == EVENT_RANDOM_SEEDS) {
        out.start_ns = 0;
        out.work_ns = SEEDS_NS[r->m] / (r->m == EVENT_RANDOM_XORWOW ? 1 / slower : parallel);
        return out;
    }
    if (r->k == EVENT_RANDOM_NORMAL_DOUBLE || r->k == EVENT_RANDOM_LOG_NORMAL_DOUBLE)
        out.start_ns += NORMAL_DOUBLE_NS;
    if (r->k >= EVENT_RANDOM_POISSON) out.start_ns += POISSON_NS;
    out.start_ns += more_kernels_ns(r);
    if (r->m >= EVENT_RANDOM_SOBOL32) {
        out.work_ns = sobol_ns(r, parallel, slower);
    } else {
        if (r->m == EVENT_RANDOM_XORWOW)
            parallel = least(sms, XORWOW_MULTIPROCESSORS) / XORWOW_MULTIPROCESSORS / slower;
        out.work_ns = GENERATORS[r->m].cost[r->k] / 1000 * (double)r->n / parallel;
        if (LANES[r->m].lanes)
            out.work_ns += LANES[r->m].state / 1000 *
                           least((double)r->n / LANES[r->m].numbers, LANES[r->m].lanes) / parallel;
    }
    out.work_ns = most(out.work_ns, (double)r->wrote_bytes / dram);
    return out;
}
