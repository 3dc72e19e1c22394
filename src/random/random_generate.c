/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: generators as a whole: which word goes into which number, as cuRAND has it.
 * Method: words come in pieces that fit in the first cache, and are made into numbers there.
 *   XORWOW, MRG32k3a: lanes take turns; at its turn a lane gives the words of one number, or of two normal
 * ones. Philox: lanes give four numbers each at their turn, from one counter, or from two for doubles. A lane
 * goes on in its counters when the last of its four numbers was given. MTGP32, MT19937: words in their order,
 * one a number. Sobol: dimensions one after the other, each from the same element on. */
#include "random_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 512, SLOTS = 4 };

struct random_generator {
    struct random_setup setup;
    struct random_xorwow xorwow;
    struct random_mrg mrg;
    struct random_mtgp *mtgp;
    struct random_mt *mt;
    uint64_t *counters; /* of Philox' lanes */
    uint64_t at; /* the lane whose turn it is; Philox: the number's place in a turn; Sobol: the element */
    struct random_poisson poisson;
    float *kept; /* of each lane: the second of two normal numbers, for the next Poisson number; NAN: none */
};

struct random_generator *random_new(const struct random_setup *setup)
{
    struct random_generator *g = sw_xcalloc(1, sizeof *g);
    g->poisson.device = setup->device;
    uint64_t turn = setup->lanes * (uint64_t)SLOTS; /* of Philox */
    g->setup = *setup;
    switch ((int)setup->kind) {
    case RANDOM_XORWOW:
        random_xorwow_init(&g->xorwow, setup->lanes, setup->seed, setup->offset, setup->seeded_lanes);
        g->at = setup->offset % setup->lanes;
        break;
    case RANDOM_MRG32K3A:
        random_mrg_init(&g->mrg, setup->lanes, setup->seed, setup->offset);
        g->at = setup->offset % setup->lanes;
        break;
    case RANDOM_MTGP32: g->mtgp = random_mtgp_new(setup->lanes, setup->seed, setup->offset); break;
    case RANDOM_MT19937: g->mt = random_mt_new(setup->seed, setup->offset); break;
    case RANDOM_PHILOX:
        g->counters = sw_xmalloc(setup->lanes * sizeof *g->counters);
        for (uint32_t lane = 0; lane < setup->lanes; lane++)
            g->counters[lane] = setup->offset / turn;
        for (uint64_t lane = 0; lane < setup->offset % turn / SLOTS; lane++)
            g->counters[lane]++;
        g->at = setup->offset % turn;
        break;
    default: g->at = setup->offset; break;
    }
    return g;
}

void random_free(struct random_generator *g)
{
    if (!g) return;
    if (g->setup.kind == RANDOM_XORWOW) random_xorwow_release(&g->xorwow);
    if (g->setup.kind == RANDOM_MRG32K3A) random_mrg_release(&g->mrg);
    random_mtgp_free(g->mtgp);
    random_mt_free(g->mt);
    random_poisson_release(&g->poisson);
    free(g->counters);
    free(g->kept);
    free(g);
}

/* ---- what a number is made of */

static bool is_normal(enum random_distribution distribution)
{
    return distribution >= RANDOM_NORMAL && distribution <= RANDOM_LOG_NORMAL_DOUBLE;
}

struct job {
    struct random_generator *g;
    struct random_transform how;
    unsigned words; /* of a number */
    size_t bytes;   /* of a number */
    char *out;      /* of the next number */
    size_t left;    /* numbers */
};

static void finish(struct job *job, const void *words, size_t count)
{
    if (job->how.distribution == RANDOM_POISSON)
        random_poisson_make(&job->g->poisson, job->how.kind, words, count, (uint32_t *)(void *)job->out);
    else
        random_transform(&job->how, words, count, job->out);
    job->out += count * job->bytes;
    job->left -= count;
}

/* ---- lanes that give one number, or two, at their turn */

static void lane_words(struct random_generator *g, uint32_t lane, uint32_t count, uint32_t *out)
{
    if (g->setup.kind == RANDOM_XORWOW)
        random_xorwow_draw(&g->xorwow, lane, count, out);
    else
        random_mrg_draw(&g->mrg, lane, count, out);
}

static void lanes_generate(struct job *job)
{
    enum { MOST = 4 };
    struct random_generator *g = job->g;
    uint32_t raw[PIECE], words[MOST * PIECE], lanes = g->setup.lanes;
    unsigned numbers = is_normal(job->how.distribution) ? 2 : 1, draws = numbers * job->words;
    while (job->left) {
        uint32_t count = lanes - (uint32_t)g->at;
        if (count > PIECE) count = PIECE;
        if (count > job->left / numbers) count = (uint32_t)(job->left / numbers);
        if (!count) return;
        for (unsigned draw = 0; draw < draws; draw++) {
            lane_words(g, (uint32_t)g->at, count, draws == 1 ? words : raw);
            for (uint32_t i = 0; i < count && draws > 1; i++)
                words[i * draws + draw] = raw[i];
        }
        finish(job, words, (size_t)count * numbers);
        g->at = (g->at + count) % lanes;
    }
}

/* Poisson numbers of large means: a lane gives one at its turn, and keeps the second of its two normal ones.
 */
static void lanes_rounded(struct job *job)
{
    const struct random_transform how = {
        .kind = job->how.kind, .distribution = RANDOM_NORMAL, .deviation = 1};
    struct random_generator *g = job->g;
    uint32_t *out = (uint32_t *)(void *)job->out, lanes = g->setup.lanes;
    if (!g->kept) {
        g->kept = sw_xmalloc(lanes * sizeof *g->kept);
        for (uint32_t i = 0; i < lanes; i++)
            g->kept[i] = NAN;
    }
    for (; job->left; job->left--, g->at = (g->at + 1) % lanes) {
        uint32_t words[2];
        float *kept = &g->kept[g->at], normal[2] = {*kept, NAN};
        if (isnan(*kept)) {
            lane_words(g, (uint32_t)g->at, 1, &words[0]);
            lane_words(g, (uint32_t)g->at, 1, &words[1]);
            random_transform(&how, words, 2, normal);
        }
        *kept = normal[1];
        *out++ = random_poisson_rounded(job->how.mean, normal[0], job->how.device);
    }
}

/* ---- Philox */

static void philox_words(struct random_generator *g, uint32_t lane, uint32_t count, unsigned words,
                         uint32_t *out)
{
    uint32_t second[SLOTS * PIECE];
    random_philox_draw(g->setup.seed, g->counters, 0, lane, count, out);
    if (words == 1) return;
    random_philox_draw(g->setup.seed, g->counters, 1, lane, count, second);
    for (uint32_t i = count; i-- > 0;) {
        memmove(out + (size_t)2 * SLOTS * i, out + (size_t)SLOTS * i, SLOTS * sizeof *out);
        memcpy(out + (size_t)2 * SLOTS * i + SLOTS, second + (size_t)SLOTS * i, SLOTS * sizeof *out);
    }
}

static void philox_generate(struct job *job)
{
    struct random_generator *g = job->g;
    uint32_t words[2 * SLOTS * PIECE];
    double numbers[SLOTS * PIECE];
    while (job->left) {
        uint32_t lane = (uint32_t)(g->at / SLOTS), slot = (uint32_t)(g->at % SLOTS);
        uint32_t count = g->setup.lanes - lane;
        if (count > PIECE) count = PIECE;
        if (count > (job->left + slot + SLOTS - 1) / SLOTS)
            count = (uint32_t)((job->left + slot + SLOTS - 1) / SLOTS);
        size_t some = (size_t)count * SLOTS - slot;
        if (some > job->left) some = job->left;
        philox_words(g, lane, count, job->words, words);
        if (some == (size_t)count * SLOTS) {
            finish(job, words, some);
        } else { /* a part of the first lane's four, or of the last one's */
            struct job whole = *job;
            whole.out = (char *)numbers;
            finish(&whole, words, (size_t)count * SLOTS);
            memcpy(job->out, (char *)numbers + slot * job->bytes, some * job->bytes);
            job->out += some * job->bytes;
            job->left -= some;
        }
        for (uint32_t i = 0; i < (slot + some) / SLOTS; i++)
            g->counters[lane + i] += job->words;
        g->at = (g->at + some) % ((uint64_t)g->setup.lanes * SLOTS);
    }
}

/* ---- words in their order */

static void words_generate(struct job *job)
{
    struct random_generator *g = job->g;
    uint32_t words[PIECE];
    while (job->left) {
        bool whole = job->how.distribution == RANDOM_BITS;
        size_t count = job->left < PIECE || whole ? job->left : PIECE;
        uint32_t *to = whole ? (uint32_t *)(void *)job->out : words;
        if (g->mtgp)
            random_mtgp_words(g->mtgp, count, to);
        else
            random_mt_words(g->mt, count, to);
        if (whole) return;
        finish(job, words, count);
    }
}

static void sobol_generate(struct job *job)
{
    struct random_generator *g = job->g;
    uint64_t words[PIECE];
    bool wide = random_is_wide(g->setup.kind);
    bool scrambled = g->setup.kind == RANDOM_SCRAMBLED32 || g->setup.kind == RANDOM_SCRAMBLED64;
    size_t each = job->left / g->setup.dimensions;
    for (uint32_t d = 0; d < g->setup.dimensions; d++)
        for (size_t i = 0, count; i < each; i += count) {
            count = each - i < PIECE ? each - i : PIECE;
            if (wide)
                random_sobol64(random_directions64(scrambled)[d], scrambled ? random_scramble64()[d] : 0,
                               g->at + i, count, words);
            else
                random_sobol32(random_directions32(scrambled)[d], scrambled ? random_scramble32()[d] : 0,
                               g->at + i, count, (uint32_t *)words);
            finish(job, words, count);
        }
    g->at += each;
}

/* ---- the whole */

void random_generate(struct random_generator *g, const struct random_call *call)
{
    struct job job = {.g = g,
                      .how = {.kind = g->setup.kind,
                              .device = g->setup.device,
                              .distribution = call->distribution,
                              .mean = call->mean,
                              .deviation = call->deviation},
                      .words = random_words(g->setup.kind, call->distribution),
                      .bytes = random_bytes(g->setup.kind, call->distribution),
                      .out = call->out,
                      .left = call->count};
    if (call->distribution == RANDOM_POISSON) {
        random_poisson_prepare(&g->poisson, g->setup.kind, call->mean);
    }
    switch ((int)g->setup.kind) {
    case RANDOM_XORWOW:
    case RANDOM_MRG32K3A:
        if (call->distribution == RANDOM_POISSON && g->poisson.way == RANDOM_WAY_NORMAL)
            lanes_rounded(&job);
        else
            lanes_generate(&job);
        return;
    case RANDOM_PHILOX: philox_generate(&job); return;
    case RANDOM_MTGP32:
    case RANDOM_MT19937: words_generate(&job); return;
    default: sobol_generate(&job); return;
    }
}
