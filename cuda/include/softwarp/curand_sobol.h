/* SPDX-License-Identifier: Apache-2.0 */
/* Sobol sequences of 32 and 64 bits, scrambled or not, in Gray code order: element i is the sum over GF(2) of the direction numbers
 * that the bits of i ^ i >> 1 choose, and the scramble constant. curandGetDirectionVectors32 and its kin have the numbers. */
#ifndef SOFTWARP_CURAND_SOBOL_H
#define SOFTWARP_CURAND_SOBOL_H
#include "../cuda_runtime.h"
#include "../curand.h"
#include "../curand_globals.h"

#define SW_SOBOL_(State, word, bits)                                                                                                \
    struct State {                                                                                                                  \
        word i, x, c;                                                                                                               \
        word direction_vectors[bits];                                                                                               \
    };                                                                                                                              \
    typedef struct State State##_t;                                                                                                 \
    SW_RAND_HD_ void softwarp_sobol_ahead(word n, struct State *s)                                                                  \
    {                                                                                                                               \
        s->i += n;                                                                                                                  \
        s->x = s->c;                                                                                                                \
        for (int k = 0; k < bits; k++)                                                                                              \
            if ((s->i ^ s->i >> 1) >> k & 1) s->x ^= s->direction_vectors[k];                                                       \
    }                                                                                                                               \
    SW_RAND_HD_ void softwarp_sobol_init(const word *vectors, word scramble, word offset, struct State *s)                          \
    {                                                                                                                               \
        for (int k = 0; k < bits; k++) s->direction_vectors[k] = vectors[k];                                                        \
        s->i = 0, s->c = scramble;                                                                                                  \
        softwarp_sobol_ahead(offset, s);                                                                                            \
    }                                                                                                                               \
    /* one bit of the Gray code changes: that of the first zero of i, or the last one */                                            \
    SW_RAND_HD_ word curand(struct State *s)                                                                                        \
    {                                                                                                                               \
        word x = s->x, zeros = ~s->i;                                                                                               \
        s->x ^= s->direction_vectors[zeros ? __builtin_ctzll(zeros) : bits - 1];                                                    \
        s->i++;                                                                                                                     \
        return x;                                                                                                                   \
    }
SW_SOBOL_(curandStateSobol32, unsigned int, 32)
SW_SOBOL_(curandStateScrambledSobol32, unsigned int, 32)
SW_SOBOL_(curandStateSobol64, unsigned long long, 64)
SW_SOBOL_(curandStateScrambledSobol64, unsigned long long, 64)
#undef SW_SOBOL_

/* Programs name the pointer's type: skipahead<curandStateSobol32_t *>(n, state). */
template <class State> struct softwarp_sobol;
template <> struct softwarp_sobol<curandStateSobol32 *> { typedef unsigned int word; };
template <> struct softwarp_sobol<curandStateScrambledSobol32 *> { typedef unsigned int word; };
template <> struct softwarp_sobol<curandStateSobol64 *> { typedef unsigned long long word; };
template <> struct softwarp_sobol<curandStateScrambledSobol64 *> { typedef unsigned long long word; };
template <class State> SW_RAND_HD_ void skipahead(typename softwarp_sobol<State>::word n, State s) { softwarp_sobol_ahead(n, s); }

SW_RAND_HD_ void curand_init(curandDirectionVectors32_t vectors, unsigned int offset, curandStateSobol32_t *s)
{
    softwarp_sobol_init(vectors, 0, offset, s);
}
SW_RAND_HD_ void curand_init(curandDirectionVectors32_t vectors, unsigned int scramble, unsigned int offset,
                             curandStateScrambledSobol32_t *s)
{
    softwarp_sobol_init(vectors, scramble, offset, s);
}
SW_RAND_HD_ void curand_init(curandDirectionVectors64_t vectors, unsigned long long offset, curandStateSobol64_t *s)
{
    softwarp_sobol_init(vectors, 0, offset, s);
}
SW_RAND_HD_ void curand_init(curandDirectionVectors64_t vectors, unsigned long long scramble, unsigned long long offset,
                             curandStateScrambledSobol64_t *s)
{
    softwarp_sobol_init(vectors, scramble, offset, s);
}
#endif
