/* SPDX-License-Identifier: Apache-2.0 */
/* random: generators of random numbers and distributions, in the orders in which cuRAND gives their results.
 * A generator has lanes: sequences of its own side by side, that a GPU's threads would go through. */
#ifndef RANDOM_RANDOM_H
#define RANDOM_RANDOM_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum random_kind {
    RANDOM_XORWOW,
    RANDOM_MRG32K3A,
    RANDOM_MTGP32,
    RANDOM_MT19937,
    RANDOM_PHILOX,
    RANDOM_SOBOL32,
    RANDOM_SCRAMBLED32,
    RANDOM_SOBOL64,
    RANDOM_SCRAMBLED64,
    RANDOM_KINDS
};
static inline bool random_is_quasi(enum random_kind kind)
{
    return kind >= RANDOM_SOBOL32;
}
static inline bool random_is_wide(enum random_kind kind) /* gives words of 64 bits */
{
    return kind >= RANDOM_SOBOL64;
}

/* What is generated. Real ones are in (0, 1]; normal ones have a mean and a standard deviation. */
enum random_distribution {
    RANDOM_BITS, /* words of 32 or 64 bits, as the generator has them */
    RANDOM_UNIFORM,
    RANDOM_UNIFORM_DOUBLE,
    RANDOM_NORMAL,
    RANDOM_NORMAL_DOUBLE,
    RANDOM_LOG_NORMAL,
    RANDOM_LOG_NORMAL_DOUBLE,
    RANDOM_POISSON,
    RANDOM_DISTRIBUTIONS
};
size_t random_bytes(enum random_kind kind, enum random_distribution distribution); /* of an element */

struct random_setup {
    enum random_kind kind;
    bool device;       /* normal numbers are a GPU's, to the last bits */
    uint32_t lanes;    /* of pseudo-random ones; MTGP32: sequences; MT19937 has 8192 */
    bool seeded_lanes; /* XORWOW: each lane has a seed of its own, instead of a part of one sequence */
    uint64_t seed, offset;
    uint32_t dimensions; /* of quasi-random ones */
};
struct random_call {
    enum random_distribution distribution;
    void *out;
    size_t count;
    double mean, deviation; /* Poisson: the mean alone */
};

struct random_generator;
struct random_generator *random_new(const struct random_setup *setup);
void random_free(struct random_generator *generator);
/* The next numbers. One thread at a time. count: a multiple of the dimensions, and even for normal numbers of
 * XORWOW and MRG32k3a. */
void random_generate(struct random_generator *generator, const struct random_call *call);

/* Direction numbers of Sobol sequences: those of Joe and Kuo, as they are or scrambled; made at first use. */
enum { RANDOM_DIMENSIONS = 20000 };
const uint32_t (*random_directions32(bool scrambled))[32];
const uint64_t (*random_directions64(bool scrambled))[64];
const uint32_t *random_scramble32(void);
const uint64_t *random_scramble64(void);

/* A table from which a Poisson number is made of one uniform number, of `length` values from `shift`. */
struct random_table {
    double *v;
    uint32_t *k;
    uint32_t shift, length;
};
void random_table_init(struct random_table *table, double mean);
void random_table_release(struct random_table *table);
#endif
