/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: Poisson numbers, by the ways that cuRAND takes for each generator and mean (found by comparing its
 * numbers with its words of the same seed).
 *   A square histogram: Marsaglia, Tsang, Wang, "Fast generation of discrete random variables", Journal of
 *     Statistical Software 11(3), 2004, over all values whose probability is a double above 0.
 *   The inverse of the distribution, by search in its sums: keeps the order that Sobol sequences have.
 *   A normal number, rounded: for large means.
 * Limits: sums and probabilities are rounded as here, which may move a number that is 1e-13 from its limit.
 */
#include "random_priv.h"

#include <math.h>
#include <stdlib.h>

enum { NORMAL_FROM = 2000, SEARCHED_NORMAL_FROM = 8000 }; /* observed */

enum random_poisson_way random_poisson_way(enum random_kind kind, double mean)
{
    switch ((int)kind) {
    case RANDOM_MTGP32:
    case RANDOM_SOBOL32:
    case RANDOM_SCRAMBLED32: /* observed: from 32 and 10 on */
        if (mean > SEARCHED_NORMAL_FROM) return RANDOM_WAY_NORMAL;
        return mean < (kind == RANDOM_MTGP32 ? 32 : 10) ? RANDOM_WAY_SQUARE : RANDOM_WAY_SEARCH;
    case RANDOM_SOBOL64:
    case RANDOM_SCRAMBLED64: return mean < NORMAL_FROM ? RANDOM_WAY_SEARCH : RANDOM_WAY_NORMAL;
    default: return mean < NORMAL_FROM ? RANDOM_WAY_SQUARE : RANDOM_WAY_NORMAL;
    }
}

/* ---- tables */

static double probability(double mean, uint32_t k)
{
    return exp(k * log(mean) - mean - lgamma(k + 1.0));
}

/* Probabilities of `length` values from `shift`: all that are above 0. */
static double *probabilities(double mean, uint32_t *shift, uint32_t *length)
{
    uint32_t low = (uint32_t)mean, high = low;
    while (low > 0 && probability(mean, low - 1) > 0)
        low--;
    while (probability(mean, high + 1) > 0)
        high++;
    double *p = sw_xcalloc(high - low + 1, sizeof *p);
    for (uint32_t k = low; k <= high; k++)
        p[k - low] = probability(mean, k);
    *shift = low;
    *length = high - low + 1;
    return p;
}

/* Each value has a cell of the same width. A value that is less probable than that gives the rest of its cell
 * to the last one that is more probable, until that has too little left itself. Values take turns from the
 * first one on, again and again, until all cells are full. */
static void square(struct random_table *t, double *p)
{
    double cell = 1.0 / t->length;
    bool *full = sw_xcalloc(t->length, sizeof *full), found = true;
    uint32_t giver = t->length; /* all that are more probable are below it */
    for (uint32_t i = 0; i < t->length; i++) {
        t->k[i] = i;
        t->v[i] = (i + 1) * cell;
    }
    while (found) {
        found = false;
        for (uint32_t i = 0; i < t->length; i++) {
            while (giver > 0 && (full[giver - 1] || p[giver - 1] < cell))
                giver--;
            if (giver == 0) break;
            if (full[i] || p[i] >= cell) continue;
            t->v[i] = i * cell + p[i];
            t->k[i] = giver - 1;
            p[giver - 1] -= cell - p[i];
            full[i] = found = true;
        }
    }
    free(full);
}

void random_table_init(struct random_table *t, double mean)
{
    double *p = probabilities(mean, &t->shift, &t->length);
    t->v = sw_xcalloc(t->length, sizeof *t->v);
    t->k = sw_xcalloc(t->length, sizeof *t->k);
    square(t, p);
    free(p);
}

static void sums_init(struct random_table *t, double mean)
{
    double sum = 0;
    t->v = probabilities(mean, &t->shift, &t->length);
    t->k = NULL;
    for (uint32_t i = 0; i < t->length; i++)
        t->v[i] = sum += t->v[i];
}

void random_table_release(struct random_table *t)
{
    free(t->v);
    free(t->k);
    *t = (struct random_table){0};
}

void random_poisson_prepare(struct random_poisson *p, enum random_kind kind, double mean)
{
    if (p->mean == mean) return;
    random_table_release(&p->table);
    p->mean = mean;
    p->way = random_poisson_way(kind, mean);
    if (p->way == RANDOM_WAY_SQUARE) random_table_init(&p->table, mean);
    if (p->way == RANDOM_WAY_SEARCH) sums_init(&p->table, mean);
}

void random_poisson_release(struct random_poisson *p)
{
    random_table_release(&p->table);
}

/* ---- numbers */

static uint32_t from_square(const struct random_table *t, double u)
{
    uint32_t i = (uint32_t)(t->length * u);
    if (i >= t->length) i = t->length - 1; /* u is 1 */
    return t->shift + (u < t->v[i] ? i : t->k[i]);
}

static uint32_t from_sums(const struct random_table *t, double u)
{
    uint32_t low = 0, high = t->length - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (u <= t->v[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return t->shift + low;
}

uint32_t random_poisson_rounded(double mean, float normal, bool device)
{
    if (device) return (uint32_t)(fma(sqrt(mean), (double)normal, mean) + 0.5);
    return (uint32_t)(sqrt(mean) * normal + mean + 0.5);
}

void random_poisson_make(const struct random_poisson *p, enum random_kind kind, const void *words,
                         size_t count, uint32_t *out)
{
    enum { PIECE = 256 };
    bool wide = random_is_wide(kind);
    for (size_t done = 0, some; done < count; done += some) {
        const char *at = (const char *)words + done * (wide ? 8 : 4);
        double u[PIECE];
        float normal[PIECE];
        some = count - done < PIECE ? count - done : PIECE;
        if (p->way == RANDOM_WAY_NORMAL) {
            const struct random_transform how = {
                .kind = kind, .device = p->device, .distribution = RANDOM_NORMAL, .deviation = 1};
            random_transform(&how, at, some, normal);
            for (size_t i = 0; i < some; i++)
                out[done + i] = random_poisson_rounded(p->mean, normal[i], p->device);
            continue;
        }
        random_single(kind, at, some, u);
        for (size_t i = 0; i < some; i++)
            out[done + i] =
                p->way == RANDOM_WAY_SQUARE ? from_square(&p->table, u[i]) : from_sums(&p->table, u[i]);
    }
}
