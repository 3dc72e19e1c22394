/* SPDX-License-Identifier: Apache-2.0 */
/* model/cache: the arithmetic that all parts of the memory model share. Times are cycles of a multiprocessor,
 * in sixteenths. */
#ifndef MODEL_NUMBER_H
#define MODEL_NUMBER_H

#include "base/base.h"

/* definition: of a cycle; four sectors, as bits. documented: bytes of a host's cache line, of x86-64 */
enum { MODEL_TICK = 16, MODEL_ALL_SECTORS = 15, MODEL_HOST_LINE = 64 };
typedef uint64_t model_time;

static inline model_time model_later(model_time a, model_time b)
{
    return a > b ? a : b;
}

static inline uint64_t model_mix(uint64_t x) /* the finaliser of splitmix64 */
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}
static inline uint32_t model_sectors(uint32_t mask)
{
    return 0x4332322132212110u >> (mask & 15) * 4 & 7; /* bits in a number of four, in a nibble each */
}

/* ---- division by a number that is known when a cache is made. Source: Lemire, Kaser, Kurz, "Faster
 * remainder by direct computation", 2019: exact for all 32-bit numbers. ---- */
struct model_divisor {
    uint64_t inverse;
    uint32_t divisor;
};
static inline struct model_divisor model_divisor(uint32_t divisor)
{
    return (struct model_divisor){UINT64_MAX / divisor + 1, divisor};
}
static inline uint32_t model_quotient(uint32_t number, struct model_divisor d)
{
    __extension__ typedef unsigned __int128 wide;
    return (uint32_t)((wide)d.inverse * number >> 64);
}
static inline uint32_t model_remainder(uint32_t number, struct model_divisor d)
{
    __extension__ typedef unsigned __int128 wide;
    return (uint32_t)((wide)(d.inverse * number) * d.divisor >> 64);
}

/* The same of numbers of 64 bits, of which the quotient so found is the true one or one less. */
static inline struct model_divisor model_divisor_wide(uint32_t divisor)
{
    return (struct model_divisor){UINT64_MAX / divisor, divisor};
}
static inline uint32_t model_remainder_wide(uint64_t number, struct model_divisor d)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t rest = number - (uint64_t)((wide)d.inverse * number >> 64) * d.divisor;
    return (uint32_t)(rest >= d.divisor ? rest - d.divisor : rest);
}
#endif
