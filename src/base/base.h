/* SPDX-License-Identifier: Apache-2.0 */
/* base: what every module uses. Status and error, assertions, arena, growing array, string buffer, hash
 * map, log. */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include "base/base_arena.h"
#include "base/base_error.h"
#include "base/base_log.h"
#include "base/base_map.h"
#include "base/base_str.h"
#include "base/base_vec.h"

#include <stdint.h>

/* Types of the field, kept apart from plain integers by name. */
typedef uint64_t
    dev_addr; /* an address in the device's space; equal to the host address of its backing memory */
typedef uint32_t lane_mask; /* bit l = lane l of a warp of 32 */

#define SW_WARP_LANES      32u
#define SW_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A function compiled for each level of x86-64, the best chosen when the program is loaded. Not by clang (19
 * crashes), nor for the thread sanitizer, whose calls in the choosing function come before it has begun. */
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define SW_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define SW_CLONES
#endif

/* Sums and products of numbers that a program gives (sizes, pitches, offsets, counts): UINT64_MAX if they do
 * not fit, which no range of memory is large enough for. */
static inline uint64_t sw_sum(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static inline uint64_t sw_product(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static inline uint64_t sw_align_up(uint64_t value, uint64_t align) /* align: a power of two */
{
    return (value + align - 1) & ~(align - 1);
}
#endif
