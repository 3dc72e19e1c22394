/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the lines of 128 bytes, with their sectors of 32, that a warp's access touches.
 * Method: lanes whose sectors lie within 2 KiB set bits of one word; otherwise the lanes of the first line
 * are found by one comparison of all lanes with it, then those of the first that is left, and so on; in
 * clones for each level of x86-64. Accesses that cross sectors (wider than one, or misaligned) go lane by
 * lane. The order of the lines depends on the addresses alone. Limits: none known. */
#include "engine_watch_priv.h"

#include <string.h>

#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))

enum { SECTOR_SHIFT = 5, LINE_SECTORS_SHIFT = EVENT_LINE_SHIFT - SECTOR_SHIFT, WINDOW_SECTORS = 64 };
typedef uint64_t wide_lanes __attribute__((vector_size(64), aligned(8)));
typedef uint32_t half_warp __attribute__((vector_size(64), aligned(4)));

static uint64_t line_of(uint64_t number, uint64_t sectors)
{
    return number << EVENT_LINE_SECTORS | sectors;
}

uint32_t engine_span_lines(uint64_t first, uint64_t last, uint64_t *out)
{
    uint32_t count = 0;
    uint64_t from = first >> SECTOR_SHIFT, to = last >> SECTOR_SHIFT;
    for (uint64_t line = from >> 2; line <= to >> 2; line++) {
        uint64_t sectors = 15;
        if (line == from >> 2) sectors &= 15u << (from & 3);
        if (line == to >> 2) sectors &= 15u >> (3 - (to & 3));
        out[count++] = line_of(line, sectors);
    }
    return count;
}

/* Adds sectors of a line to those that are there. */
static uint32_t add_line(uint64_t *out, uint32_t count, uint64_t number, uint64_t sectors)
{
    for (uint32_t i = count; i-- > 0;)
        if (out[i] >> EVENT_LINE_SECTORS == number) {
            out[i] |= sectors;
            return count;
        }
    out[count] = line_of(number, sectors);
    return count + 1;
}

static uint32_t crossing_lines(const uint64_t addr[32], lane_mask mask, uint32_t bytes, uint64_t *out)
{
    uint32_t count = 0;
    for (; mask; mask &= mask - 1) {
        uint64_t part[ENGINE_LANE_LINES], first = addr[__builtin_ctz(mask)];
        uint32_t parts = engine_span_lines(first, first + bytes - 1, part);
        for (uint32_t i = 0; i < parts; i++)
            count = add_line(out, count, part[i] >> EVENT_LINE_SECTORS, part[i] & 15);
    }
    return count;
}

static inline uint64_t or_of(wide_lanes v)
{
    return v[0] | v[1] | v[2] | v[3] | v[4] | v[5] | v[6] | v[7];
}

static inline uint32_t or_of_half(half_warp v)
{
    uint32_t any = 0;
    for (int i = 0; i < 16; i++)
        any |= v[i];
    return any;
}

static const wide_lanes LANE_BIT = {1, 2, 4, 8, 16, 32, 64, 128};
static const half_warp LOW_BIT = {1u,       1u << 1,  1u << 2,  1u << 3, 1u << 4,  1u << 5,
                                  1u << 6,  1u << 7,  1u << 8,  1u << 9, 1u << 10, 1u << 11,
                                  1u << 12, 1u << 13, 1u << 14, 1u << 15};

/* What all lanes have in common. */
struct view {
    uint64_t any;             /* of their addresses */
    uint64_t inside, outside; /* sectors of the window; what lies outside it */
};

static inline struct view look(const uint64_t addr[32], lane_mask mask, uint64_t first_sector)
{
    wide_lanes any = {0}, inside = {0}, outside = {0}, one = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int k = 0; k < 4; k++) {
        wide_lanes v = *(const wide_lanes *)(const void *)(addr + k * 8);
        wide_lanes on = (wide_lanes)((((uint64_t)mask >> (k * 8)) & LANE_BIT) != 0);
        wide_lanes sector = (v >> SECTOR_SHIFT) - first_sector;
        any |= v & on;
        outside |= sector & on;
        inside |= (one << (sector & (WINDOW_SECTORS - 1))) & on;
    }
    return (struct view){or_of(any), or_of(inside), or_of(outside) & ~(uint64_t)(WINDOW_SECTORS - 1)};
}

static inline uint32_t window_lines(uint64_t sectors, uint64_t first_line, uint64_t *out)
{
    uint32_t count = 0;
    while (sectors) {
        uint32_t line = (uint32_t)__builtin_ctzll(sectors) >> LINE_SECTORS_SHIFT;
        out[count++] = line_of(first_line + line, sectors >> (4 * line) & 15);
        sectors &= ~(15ull << (4 * line));
    }
    return count;
}

static inline lane_mask lanes_with(const uint32_t key[32], uint32_t value)
{
    half_warp low = *(const half_warp *)(const void *)key,
              high = *(const half_warp *)(const void *)(key + 16);
    half_warp at = ((half_warp)(low == value) & LOW_BIT) | ((half_warp)(high == value) & (LOW_BIT << 16));
    return or_of_half(at);
}

/* Lines by 32-bit keys that tell them apart. */
static inline uint32_t scattered_lines(const uint64_t addr[32], lane_mask mask, uint64_t *out)
{
    uint32_t key[32], sector[32], count = 0;
    uint64_t far = 0, first = addr[__builtin_ctz(mask)] >> EVENT_LINE_SHIFT;
    for (int lane = 0; lane < 32; lane++) {
        uint64_t line = addr[lane] >> EVENT_LINE_SHIFT;
        far |= mask >> lane & 1 ? line ^ first : 0;
        key[lane] = (uint32_t)line;
        sector[lane] = (uint32_t)(addr[lane] >> SECTOR_SHIFT) & 3;
    }
    if (far >> 32) return UINT32_MAX;
    lane_mask of[4];
    for (uint32_t s = 0; s < 4; s++)
        of[s] = lanes_with(sector, s);
    for (lane_mask left = mask; left;) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        lane_mask same = lanes_with(key, key[lane]) & left;
        uint64_t sectors = 0;
        for (uint32_t s = 0; s < 4; s++)
            sectors |= (uint64_t)((same & of[s]) != 0) << s;
        out[count++] = line_of(addr[lane] >> EVENT_LINE_SHIFT, sectors);
        left &= ~same;
    }
    return count;
}

CLONES static uint32_t aligned_lines(const uint64_t addr[32], lane_mask mask, uint32_t bytes, uint64_t *out)
{
    uint64_t first = (addr[__builtin_ctz(mask)] >> SECTOR_SHIFT) & ~31ull;
    struct view view = look(addr, mask, first);
    bool crosses = bytes > 1u << SECTOR_SHIFT || bytes & (bytes - 1) || view.any & (bytes - 1);
    if (crosses) return UINT32_MAX;
    if (!view.outside) return window_lines(view.inside, first >> LINE_SECTORS_SHIFT, out);
    return scattered_lines(addr, mask, out);
}

uint32_t engine_lines(const uint64_t addr[32], lane_mask mask, uint32_t bytes, uint64_t *out)
{
    if (!mask || !bytes) return 0;
    uint32_t count = aligned_lines(addr, mask, bytes, out);
    return count != UINT32_MAX ? count : crossing_lines(addr, mask, bytes, out);
}

/* ---- atomics: lanes that share an address come one after the other */

CLONES static lane_mask first_of_each(const uint64_t addr[32], lane_mask mask)
{
    lane_mask firsts = 0;
    while (mask) {
        uint32_t lane = (uint32_t)__builtin_ctz(mask);
        uint64_t same = 0;
        for (int k = 0; k < 4; k++) {
            wide_lanes v = *(const wide_lanes *)(const void *)(addr + k * 8);
            same |= or_of((wide_lanes)(v == addr[lane]) & LANE_BIT) << (k * 8);
        }
        firsts |= 1u << lane;
        mask &= ~(lane_mask)same;
    }
    return firsts;
}

uint32_t engine_atomic_lines(const uint64_t addr[32], lane_mask mask, uint32_t bytes, uint64_t *out)
{
    uint32_t count = 0;
    while (mask) {
        lane_mask pass = first_of_each(addr, mask);
        count += engine_lines(addr, pass, bytes, out + count);
        mask &= ~pass;
    }
    return count;
}

/* ---- local memory: rows of one 4-byte word of each lane */

uint32_t engine_row_lines(uint64_t first_row, uint32_t words, lane_mask mask, uint64_t *out)
{
    uint64_t sectors = 0;
    for (uint32_t s = 0; s < 4; s++)
        sectors |= (uint64_t)((mask >> (8 * s) & 0xff) != 0) << s;
    for (uint32_t w = 0; w < words && sectors; w++)
        out[w] = line_of(first_row + w, sectors);
    return sectors ? words : 0;
}

uint32_t engine_local_lines(const uint64_t offset[32], lane_mask mask, uint32_t bytes, uint64_t first_row,
                            uint64_t *out)
{
    uint32_t count = 0;
    for (; mask; mask &= mask - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(mask);
        for (uint64_t word = offset[lane] / 4; word <= (offset[lane] + bytes - 1) / 4; word++)
            count = add_line(out, count, first_row + word, 1u << lane / 8);
    }
    return count;
}
