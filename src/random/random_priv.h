/* SPDX-License-Identifier: Apache-2.0 */
/* random: what its files share. */
#ifndef RANDOM_PRIV_H
#define RANDOM_PRIV_H

#include "random/random.h"

/* Loops over lanes are compiled for the vectors of several CPUs; the right one is chosen at start. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) &&                            \
    !defined(__SANITIZE_THREAD__)
#define RANDOM_WIDE __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define RANDOM_WIDE
#endif

/* ---- random_xorwow.c: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003 */
struct random_xorwow {
    uint32_t lanes;
    uint32_t *v[5], *d; /* of each lane */
};
void random_xorwow_init(struct random_xorwow *x, uint32_t lanes, uint64_t seed, uint64_t offset,
                        bool seeded_lanes);
void random_xorwow_release(struct random_xorwow *x);
/* The next word of each of `count` lanes from the first; out: the words, `stride` apart. */
void random_xorwow_draw(struct random_xorwow *x, uint32_t first, uint32_t count, uint32_t *out);

/* ---- random_mrg.c: L'Ecuyer, "Good parameters and implementations for combined multiple recursive random
 * number generators", Operations Research 47(1), 1999; numbers from 1 to 2^32 - 209 */
struct random_mrg {
    uint32_t lanes;
    uint32_t *s[6];
};
void random_mrg_init(struct random_mrg *x, uint32_t lanes, uint64_t seed, uint64_t offset);
void random_mrg_release(struct random_mrg *x);
void random_mrg_draw(struct random_mrg *x, uint32_t first, uint32_t count, uint32_t *out);

/* ---- random_philox.c: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011 */
/* Four words of each of `count` lanes from the first: out[4 * i]. counters: of each lane; add: to each. */
void random_philox_draw(uint64_t seed, const uint64_t *counters, uint64_t add, uint32_t first, uint32_t count,
                        uint32_t *out);

/* ---- random_mtgp.c: Saito and Matsumoto, "Variants of Mersenne Twister suitable for graphic processors",
 * ACM Transactions on Mathematical Software 39(2), 2013; exponent 11213 */
struct random_mtgp;
struct random_mtgp *random_mtgp_new(uint32_t sequences, uint64_t seed, uint64_t offset);
void random_mtgp_free(struct random_mtgp *x);
void random_mtgp_words(struct random_mtgp *x, size_t count, uint32_t *out);

/* ---- random_mt.c: Matsumoto and Nishimura, "Mersenne Twister", ACM Transactions on Modeling and Computer
 * Simulation 8(1), 1998 */
struct random_mt;
struct random_mt *random_mt_new(uint64_t seed, uint64_t offset);
void random_mt_free(struct random_mt *x);
void random_mt_words(struct random_mt *x, size_t count, uint32_t *out);

/* ---- random_sobol.c: elements `first`... of one dimension's sequence */
void random_sobol32(const uint32_t v[32], uint32_t scramble, uint64_t first, size_t count, uint32_t *out);
void random_sobol64(const uint64_t v[64], uint64_t scramble, uint64_t first, size_t count, uint64_t *out);

/* ---- random_transform.c: words to numbers; words and out may not overlap */
struct random_transform {
    enum random_kind kind;
    bool device; /* functions are a GPU's */
    enum random_distribution distribution;
    double mean, deviation;
};
/* Words that one number takes, of pseudo-random generators and of Sobol ones of 32 bits: 1 or 2. */
unsigned random_words(enum random_kind kind, enum random_distribution distribution);
void random_transform(const struct random_transform *how, const void *words, size_t count, void *out);
/* A double in (0, 1] of one word each, whatever the generator. */
void random_single(enum random_kind kind, const void *words, size_t count, double *out);

#define RANDOM_MRG_NORM 2.3283065498378288e-10         /* documented in curand_globals.h */
static inline double random_mrg_uniform(uint32_t word) /* MRG32k3a's double in (0, 1] */
{
    return word * RANDOM_MRG_NORM;
}

/* ---- random_device.c: normal numbers as a GPU computes them */
void random_device_polar(bool is_mrg, const uint32_t *words, size_t count, float *out);
/* u, v: of each pair, in (0, 1] and (0, 2] */
void random_device_polar_double(const double *u, const double *v, size_t pairs, double *out);
float random_device_inverted(double quantile);
void random_device_scale(float mean, float deviation, bool exponential, size_t count, float *out);
void random_device_scale_double(double mean, double deviation, bool exponential, size_t count, double *out);

/* ---- random_poisson.c */
enum random_poisson_way { RANDOM_WAY_SQUARE, RANDOM_WAY_SEARCH, RANDOM_WAY_NORMAL };
struct random_poisson {
    double mean; /* that it is prepared for */
    bool device; /* functions are a GPU's */
    enum random_poisson_way way;
    struct random_table table;
};
enum random_poisson_way random_poisson_way(enum random_kind kind, double mean);
void random_poisson_prepare(struct random_poisson *p, enum random_kind kind, double mean);
void random_poisson_release(struct random_poisson *p);
/* One number a word; of pairs of words where the generator's normal numbers are. */
void random_poisson_make(const struct random_poisson *p, enum random_kind kind, const void *words,
                         size_t count, uint32_t *out);
uint32_t random_poisson_rounded(double mean, float normal, bool device);
#endif
