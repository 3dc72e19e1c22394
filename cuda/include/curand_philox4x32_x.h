/* SPDX-License-Identifier: Apache-2.0 */
/* Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. The key is the seed; the
 * counter of 128 bits is the offset (in fours) and, in its upper half, the subsequence. */
#ifndef CURAND_PHILOX4X32_X__H_
#define CURAND_PHILOX4X32_X__H_
#include "cuda_runtime.h"
#include "curand_globals.h"

struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE; /* of output, those that were given */
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

SW_RAND_HD_ uint4 curand_Philox4x32_10(uint4 c, uint2 k)
{
    for (int round = 0; round < 10; round++) {
        unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
        c = uint4{(unsigned int)(b >> 32) ^ c.y ^ k.x, (unsigned int)b, (unsigned int)(a >> 32) ^ c.w ^ k.y, (unsigned int)a};
        k.x += 0x9e3779b9u;
        k.y += 0xbb67ae85u;
    }
    return c;
}

SW_RAND_HD_ void softwarp_philox_count(curandStatePhilox4_32_10_t *s, unsigned long long fours)
{
    unsigned long long low = (unsigned long long)s->ctr.y << 32 | s->ctr.x, sum = low + fours;
    unsigned long long high = ((unsigned long long)s->ctr.w << 32 | s->ctr.z) + (sum < low);
    s->ctr = uint4{(unsigned int)sum, (unsigned int)(sum >> 32), (unsigned int)high, (unsigned int)(high >> 32)};
}
SW_RAND_HD_ void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
    unsigned long long fours = n / 4;
    s->STATE += (unsigned int)(n % 4);
    if (s->STATE > 3) fours++, s->STATE -= 4;
    softwarp_philox_count(s, fours);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}
SW_RAND_HD_ void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
    unsigned long long high = ((unsigned long long)s->ctr.w << 32 | s->ctr.z) + n;
    s->ctr.z = (unsigned int)high, s->ctr.w = (unsigned int)(high >> 32);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}
SW_RAND_HD_ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                             curandStatePhilox4_32_10_t *s)
{
    s->ctr = uint4{0, 0, (unsigned int)subsequence, (unsigned int)(subsequence >> 32)};
    s->key = uint2{(unsigned int)seed, (unsigned int)(seed >> 32)};
    s->STATE = 0;
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0, s->boxmuller_extra_double = 0;
    skipahead(offset, s);
}

SW_RAND_HD_ unsigned int softwarp_philox_nth(uint4 v, unsigned int n) { return n == 0 ? v.x : n == 1 ? v.y : n == 2 ? v.z : v.w; }
SW_RAND_HD_ unsigned int curand(curandStatePhilox4_32_10_t *s)
{
    unsigned int v = softwarp_philox_nth(s->output, s->STATE++);
    if (s->STATE == 4) {
        s->STATE = 0;
        softwarp_philox_count(s, 1);
        s->output = curand_Philox4x32_10(s->ctr, s->key);
    }
    return v;
}
/* The next four, wherever in an output they start. */
SW_RAND_HD_ uint4 curand4(curandStatePhilox4_32_10_t *s)
{
    uint4 now = s->output;
    softwarp_philox_count(s, 1);
    uint4 next = s->output = curand_Philox4x32_10(s->ctr, s->key);
    switch (s->STATE) {
    case 1: return uint4{now.y, now.z, now.w, next.x};
    case 2: return uint4{now.z, now.w, next.x, next.y};
    case 3: return uint4{now.w, next.x, next.y, next.z};
    default: return now;
    }
}
#endif
