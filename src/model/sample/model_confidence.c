/* SPDX-License-Identifier: Apache-2.0 */
/* Confidence intervals of sampled launches: in 19 of 20 launches the results of all multiprocessors lie
 * within.
 *
 * Models: simulated multiprocessors are a sample of all of them, in clusters. The hit rate of L1 and what L2
 * is asked for are ratios to what L1 is asked for, which is counted in all blocks; how far clusters lie from
 * the common ratio says how far the common one may be off. Where there are fewer than FEW clusters, their
 * multiprocessors stand for them. Granules of the address set that stands for DRAM are as many random
 * parts. Time follows L2's and DRAM's sectors, and the multiprocessor that ends last is the last of more
 * than were seen. To each is added what samples may be off by even where all that was seen is alike.
 *
 * Does not model: what no simulated multiprocessor does.
 *
 * Sources: ratio estimators with their correction for finite populations: Cochran, "Sampling Techniques",
 * 1977, chapters 2, 6 and 9; quantiles of Student's t: the same, appendix. What is added was assumed, and
 * tried on 60 launches of tests/hw/memory, all multiprocessors beside samples of one in 8: L1's hit rate lay
 * within for 60, L2's sectors for 57, DRAM's for 59, the time for 57. */
#include "model/sample/model_sampling.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { FEW = 4 }; /* assumed */
/* definition: of event_confidence's units */
enum { PERCENT = 100, MOST = 100 * PERCENT };
/* assumed: what samples may be off by even where all that was seen is alike; tried as above */
enum { LEAST_L1 = 50, LEAST_L2 = 100, LEAST_DRAM = 100, LEAST_CYCLES = 500 };

/* 97.5 % quantile of Student's t: documented, Cochran's appendix. */
static double student(uint32_t freedom)
{
    /* documented: by degrees of freedom */
    static const double T[] = {12.71, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23};
    static const double MANY = 2.2; /* documented: of more, at most */
    return freedom < SW_COUNT_OF(T) ? T[freedom] : MANY;
}

/* ---- clusters of multiprocessors */

struct clusters {
    uint32_t count, all; /* simulated; of the device */
    struct model_seen *of;
};

static void add_seen(struct model_seen *to, const struct model_seen *from)
{
    to->loads += from->loads;
    to->hits += from->hits;
    to->asked += from->asked;
    to->l2 += from->l2;
}

static struct clusters clusters_of(const struct model_sampling *s, uint32_t size)
{
    uint32_t sms = s->residency.sm_count, last = UINT32_MAX;
    struct clusters c = {.all = (sms + size - 1) / size};
    c.of = sw_xcalloc(sms + 1, sizeof *c.of);
    for (uint32_t sm = 0; sm < sms; sm++) {
        if (!model_sampling_is_detailed(s, sm)) continue;
        if (sm / size != last) c.count++, last = sm / size;
        add_seen(&c.of[c.count - 1], &s->seen[sm]);
    }
    return c;
}

/* Half of the interval in which sum(part) / sum(whole) of all lies, as a share of that ratio times `of`. */
static double ratio_confidence(const struct clusters *c, size_t part, size_t whole, bool of_whole)
{
    double parts = 0, wholes = 0, squares = 0, n = c->count;
    for (uint32_t i = 0; i < c->count; i++) {
        parts += (double)*(const uint64_t *)(const void *)((const char *)&c->of[i] + part);
        wholes += (double)*(const uint64_t *)(const void *)((const char *)&c->of[i] + whole);
    }
    double divisor = of_whole ? wholes : parts;
    if (c->count < 2 || divisor <= 0) return 0;
    for (uint32_t i = 0; i < c->count; i++) {
        double y = (double)*(const uint64_t *)(const void *)((const char *)&c->of[i] + part);
        double x = (double)*(const uint64_t *)(const void *)((const char *)&c->of[i] + whole);
        squares += (y - parts / wholes * x) * (y - parts / wholes * x);
    }
    double unseen = 1 - n / c->all;
    return student(c->count - 1) * sqrt(unseen * n / (n - 1) * squares) / divisor;
}

/* ---- the address set */

static double address_set_confidence(const struct model_address_set *t)
{
    double sum = 0, squares = 0, n = MODEL_ADDRESS_SET_PARTS;
    for (uint32_t i = 0; i < MODEL_ADDRESS_SET_PARTS; i++)
        sum += (double)t->parts[i];
    if (sum <= 0) return 0;
    for (uint32_t i = 0; i < MODEL_ADDRESS_SET_PARTS; i++)
        squares += ((double)t->parts[i] - sum / n) * ((double)t->parts[i] - sum / n);
    return student(MODEL_ADDRESS_SET_PARTS - 1) * sqrt(n / (n - 1) * squares) / sum;
}

/* ---- time */

/* Of multiprocessors' ends, two standard deviations: about what the last of many is later. */
static double ends_confidence(const struct model_sampling *s)
{
    double sum = 0, squares = 0, last = 0, count = 0;
    for (uint32_t sm = 0; sm < s->residency.sm_count; sm++) {
        double end = (double)s->seen[sm].end;
        if (!model_sampling_is_detailed(s, sm) || end <= 0) continue;
        sum += end, squares += end * end, count++;
        if (end > last) last = end;
    }
    if (count < 2) return 0;
    double variance = (squares - sum * sum / count) / (count - 1);
    return variance > 0 ? 2 * sqrt(variance) / last : 0;
}

static uint32_t in_units(double share, uint32_t least)
{
    double units = share * 100 * PERCENT;
    return units < MOST - least ? (uint32_t)(units + 0.5) + least : MOST;
}

struct event_confidence model_sampling_confidence(const struct model_sampling *s)
{
    struct clusters c = clusters_of(s, EVENT_CLUSTER_SMS);
    if (c.count < FEW) {
        free(c.of);
        c = clusters_of(s, 1);
    }
    double rate =
        ratio_confidence(&c, offsetof(struct model_seen, hits), offsetof(struct model_seen, loads), true);
    double l2 =
        ratio_confidence(&c, offsetof(struct model_seen, l2), offsetof(struct model_seen, asked), false);
    double dram = address_set_confidence(&s->address_set), ends = ends_confidence(s);
    free(c.of);
    return (struct event_confidence){.l1_rate = in_units(rate, LEAST_L1),
                                     .l2_sectors = in_units(l2, LEAST_L2),
                                     .dram_sectors = in_units(dram, LEAST_DRAM),
                                     .cycles =
                                         in_units(sqrt(l2 * l2 + dram * dram + ends * ends), LEAST_CYCLES)};
}
