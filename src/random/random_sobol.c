/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: Sobol sequences in Gray code order: element n is the sum over GF(2) of the direction numbers that
 * the bits of n ^ n >> 1 choose. Method: 16 elements from an aligned one are one offset away from those of
 * the first 16. Limits: after 2^32 elements of 32 bits the sequence starts again. */
#include "random_priv.h"

enum { RUN = 16 };

#define SOBOL(bits, type)                                                                                    \
    static type element##bits(const type *v, type scramble, uint64_t n)                                      \
    {                                                                                                        \
        type gray = (type)n ^ (type)n >> 1;                                                                  \
        type x = scramble;                                                                                   \
        for (unsigned i = 0; i < bits && gray >> i; i++)                                                     \
            if (gray >> i & 1) x ^= v[i];                                                                    \
        return x;                                                                                            \
    }                                                                                                        \
    RANDOM_WIDE void random_sobol##bits(const type v[bits], type scramble, uint64_t first, size_t count,     \
                                        type *out)                                                           \
    {                                                                                                        \
        type start[RUN];                                                                                     \
        size_t i = 0;                                                                                        \
        for (unsigned j = 0; j < RUN; j++)                                                                   \
            start[j] = element##bits(v, 0, j);                                                               \
        for (; i < count && (first + i) % RUN; i++)                                                          \
            out[i] = element##bits(v, scramble, first + i);                                                  \
        for (; i + RUN <= count; i += RUN) {                                                                 \
            type base = element##bits(v, scramble, first + i);                                               \
            for (unsigned j = 0; j < RUN; j++)                                                               \
                out[i + j] = base ^ start[j];                                                                \
        }                                                                                                    \
        for (; i < count; i++)                                                                               \
            out[i] = element##bits(v, scramble, first + i);                                                  \
    }
SOBOL(32, uint32_t)
SOBOL(64, uint64_t)
