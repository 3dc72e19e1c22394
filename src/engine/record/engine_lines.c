/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the lines of 128 bytes, with their sectors of 32, that a warp's access touches.
 * Method: an arithmetic progression is a span, or goes from lane to lane, where only the line before can be
 * the same one. Of other addresses, lanes whose sectors lie within 2 KiB set bits of one word (in clones for
 * each level of x86-64); the rest goes through a table of hashes. Accesses that cross sectors (wider than
 * one, or misaligned) go lane by lane. The order of the lines depends on the addresses alone. Sectors
 * that a store fills are found by its bytes, where the number of lanes does not tell. Limits: stores of lanes
 * to different rows of local memory are taken as partial. */
#include "engine_lines.h"

#include "event/event_request.h"

#include <string.h>

enum {
    SECTOR_SHIFT = 5,
    SECTOR_BYTES = 1 << SECTOR_SHIFT,
    WORD_BYTES = 4,
    SECTOR_WORDS = SECTOR_BYTES / WORD_BYTES,
    LINE_BYTES = 1 << EVENT_LINE_SHIFT,
    LINE_SECTORS_SHIFT = EVENT_LINE_SHIFT - SECTOR_SHIFT,
    WINDOW_SECTORS = 64
};
typedef uint64_t wide_lanes __attribute__((vector_size(64), aligned(8)));

static uint64_t lines_line_of(uint64_t number, uint64_t sectors)
{
    return number << EVENT_LINE_SECTORS | sectors;
}

static uint64_t line_at(uint64_t address)
{
    return lines_line_of(address >> EVENT_LINE_SHIFT, 1u << (address >> SECTOR_SHIFT & 3));
}

/* How many of four bits are set: without a popcount instruction, a call for each would be made. */
static uint32_t bits_of(uint64_t sectors)
{
    return (uint32_t)(0x4332322132212110u >> (4 * (sectors & 15))) & 15;
}

struct engine_line_set engine_span_lines(uint64_t first, uint64_t last, uint64_t *out)
{
    uint64_t from = first >> SECTOR_SHIFT, to = last >> SECTOR_SHIFT, count = 0;
    for (uint64_t line = from >> 2; line <= to >> 2; line++) {
        uint64_t sectors = 15;
        if (line == from >> 2) sectors &= 15u << (from & 3);
        if (line == to >> 2) sectors &= 15u >> (3 - (to & 3));
        out[count++] = lines_line_of(line, sectors);
    }
    return (struct engine_line_set){(uint32_t)count, (uint32_t)(to - from + 1)};
}

/* Adds sectors of a line to those that are there. */
static void add_line(struct engine_line_set *line_set, uint64_t *out, uint64_t number, uint64_t sectors)
{
    uint32_t i = line_set->lines;
    while (i > 0 && out[i - 1] >> EVENT_LINE_SECTORS != number)
        i--;
    if (i == 0) {
        out[i = line_set->lines++] = lines_line_of(number, 0);
        i++;
    }
    line_set->sectors += bits_of(sectors & ~out[i - 1]);
    out[i - 1] |= sectors;
}

static struct engine_line_set crossing_lines(const uint64_t addr[32], lane_mask mask, uint32_t bytes,
                                             uint64_t *out)
{
    struct engine_line_set line_set = {0};
    for (; mask; mask &= mask - 1) {
        uint64_t part[ENGINE_LANE_LINES], first = addr[__builtin_ctz(mask)];
        uint32_t parts = engine_span_lines(first, first + bytes - 1, part).lines;
        for (uint32_t i = 0; i < parts; i++)
            add_line(&line_set, out, part[i] >> EVENT_LINE_SECTORS, part[i] & 15);
    }
    return line_set;
}

/* ---- lanes within 2 KiB */

static inline uint64_t or_of(wide_lanes v)
{
    return v[0] | v[1] | v[2] | v[3] | v[4] | v[5] | v[6] | v[7];
}

static const wide_lanes LANE_BIT = {1, 2, 4, 8, 16, 32, 64, 128};

/* What all lanes have in common. */
struct view {
    uint64_t any;             /* of their addresses */
    uint64_t inside, outside; /* sectors of the window; what lies outside it */
};

SW_CLONES static struct view look(const uint64_t addr[32], lane_mask mask, uint64_t first_sector)
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

static struct engine_line_set window_lines(uint64_t sectors, uint64_t first_line, uint64_t *out)
{
    struct engine_line_set line_set = {0};
    while (sectors) {
        uint32_t line = (uint32_t)__builtin_ctzll(sectors) >> LINE_SECTORS_SHIFT;
        uint64_t here = sectors >> (4 * line) & 15;
        out[line_set.lines++] = lines_line_of(first_line + line, here);
        line_set.sectors += bits_of(here);
        sectors &= ~(15ull << (4 * line));
    }
    return line_set;
}

/* ---- lanes anywhere: where a line of this hash stands in out, from 1 */

static struct engine_line_set scattered_lines(const uint64_t addr[32], lane_mask mask, uint64_t *out)
{
    enum { HASH_BITS = 8 };
    uint8_t index_of[1 << HASH_BITS] = {0};
    struct engine_line_set line_set = {0};
    for (; mask; mask &= mask - 1) {
        uint64_t line = line_at(addr[__builtin_ctz(mask)]), number = line >> EVENT_LINE_SECTORS;
        uint32_t hash = (uint32_t)(number * 0x9e3779b97f4a7c15u >> (64 - HASH_BITS)), at = index_of[hash];
        if (!at) {
            out[line_set.lines++] = line;
            line_set.sectors++;
            index_of[hash] = (uint8_t)line_set.lines;
        } else if (out[at - 1] >> EVENT_LINE_SECTORS == number) {
            line_set.sectors += bits_of(line & 15 & ~out[at - 1]);
            out[at - 1] |= line;
        } else {
            add_line(&line_set, out, number, line & 15);
        }
    }
    return line_set;
}

static bool lines_crosses(uint64_t any, uint32_t bytes)
{
    return bytes > SECTOR_BYTES || bytes & (bytes - 1) || any & (bytes - 1);
}

struct engine_line_set engine_lines(const uint64_t addr[32], lane_mask mask, uint32_t bytes, uint64_t *out)
{
    if (!mask || !bytes) return (struct engine_line_set){0};
    uint64_t first = (addr[__builtin_ctz(mask)] >> SECTOR_SHIFT) & ~31ull;
    struct view view = look(addr, mask, first);
    if (lines_crosses(view.any, bytes)) return crossing_lines(addr, mask, bytes, out);
    if (!view.outside) return window_lines(view.inside, first >> LINE_SECTORS_SHIFT, out);
    return scattered_lines(addr, mask, out);
}

/* ---- lane l at base + l * stride */

/* Are the lanes of mask an unbroken run? */
static bool is_gapless(lane_mask mask)
{
    return !(mask & (mask + (mask & -mask)));
}

static struct engine_line_set stepped_lines(uint64_t base, int64_t stride, lane_mask mask, uint64_t *out)
{
    struct engine_line_set line_set = {0};
    for (; mask; mask &= mask - 1) {
        uint64_t line = line_at(base + (uint64_t)stride * (uint32_t)__builtin_ctz(mask));
        uint64_t before = line_set.lines ? out[line_set.lines - 1] : ~line;
        if (line >> EVENT_LINE_SECTORS == before >> EVENT_LINE_SECTORS) {
            line_set.sectors += bits_of(line & 15 & ~before);
            out[line_set.lines - 1] |= line;
        } else {
            out[line_set.lines++] = line;
            line_set.sectors++;
        }
    }
    return line_set;
}

struct engine_line_set engine_progression_lines(uint64_t base, int64_t stride, lane_mask mask, uint32_t bytes,
                                                uint64_t *out)
{
    if (!mask || !bytes) return (struct engine_line_set){0};
    uint64_t reach = (uint64_t)(stride < 0 ? -stride : stride);
    if (reach <= SECTOR_BYTES && is_gapless(mask)) { /* every sector from the first byte to the last */
        uint64_t first = base + (uint64_t)stride * (uint32_t)__builtin_ctz(mask);
        uint64_t last = base + (uint64_t)stride * (31 - (uint32_t)__builtin_clz(mask));
        return engine_span_lines(first < last ? first : last, (first < last ? last : first) + bytes - 1, out);
    }
    uint64_t addr[SW_WARP_LANES];
    if (lines_crosses(base | reach, bytes)) {
        for (uint32_t lane = 0; lane < SW_WARP_LANES; lane++)
            addr[lane] = base + (uint64_t)stride * lane;
        return crossing_lines(addr, mask, bytes, out);
    }
    if (mask != UINT32_MAX || reach < LINE_BYTES) return stepped_lines(base, stride, mask, out);
    for (uint32_t lane = 0; lane < SW_WARP_LANES; lane++)
        out[lane] = line_at(base + (uint64_t)stride * lane);
    return (struct engine_line_set){SW_WARP_LANES, SW_WARP_LANES};
}

/* ---- sectors that a store writes in part */

struct written { /* bytes of a line, by bit, in its four sectors */
    uint32_t bytes[1 << LINE_SECTORS_SHIFT];
};

/* Which of the lines an address is in; most often it is the one of the lane before. */
static uint32_t line_index(const uint64_t *lines, uint32_t count, uint64_t number, uint32_t before)
{
    while (event_line_number(lines[before]) != number)
        before = before + 1 < count ? before + 1 : 0;
    return before;
}

/* Sectors of a line are written in part: so many bytes of them all. */
static uint64_t in_part(uint64_t line, uint64_t sectors, uint32_t bytes)
{
    uint32_t each = bytes / (bits_of(sectors) * WORD_BYTES);
    uint64_t words = each > SECTOR_WORDS ? SECTOR_WORDS : each ? each : 1;
    return line | sectors << EVENT_LINE_PARTIAL | (words - 1) << EVENT_LINE_WORDS;
}

static uint64_t line_in_part(uint64_t line, const struct written *written)
{
    uint64_t sectors = 0;
    uint32_t bytes = 0;
    for (uint32_t s = 0; s < SW_COUNT_OF(written->bytes); s++) {
        uint32_t here = written->bytes[s];
        if (!here || here == UINT32_MAX) continue;
        sectors |= 1ull << s;
        bytes += (uint32_t)__builtin_popcount(here);
    }
    return sectors ? in_part(line, sectors, bytes) : line;
}

static void partial_by_bytes(const uint64_t addr[32], lane_mask mask, uint32_t bytes, uint64_t *lines,
                             uint32_t count)
{
    struct written all[ENGINE_ACCESS_LINES];
    uint32_t line = 0;
    memset(all, 0, count * sizeof *all);
    for (; mask; mask &= mask - 1) {
        uint64_t at = addr[__builtin_ctz(mask)], end = at + bytes, next;
        for (; at < end; at = next) { /* the part in one sector */
            next = (at | (SECTOR_BYTES - 1)) + 1 < end ? (at | (SECTOR_BYTES - 1)) + 1 : end;
            line = line_index(lines, count, at >> EVENT_LINE_SHIFT, line);
            uint32_t part = UINT32_MAX >> (SECTOR_BYTES - (next - at)) << at % SECTOR_BYTES;
            all[line].bytes[at >> SECTOR_SHIFT & 3] |= part;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        lines[i] = line_in_part(lines[i], &all[i]);
}

/* The first and the last sector of a span. */
static void span_ends(uint64_t first, uint64_t end, uint64_t *low, uint64_t *high)
{
    uint64_t at_low = first % SECTOR_BYTES, at_high = end % SECTOR_BYTES;
    uint64_t one = line_at(first) & 15, other = line_at(end) & 15;
    if (first / SECTOR_BYTES == (end - 1) / SECTOR_BYTES) {
        if (at_low || at_high) *low = in_part(*low, one, (uint32_t)(end - first));
    } else if (at_low && at_high && low == high) {
        *low = in_part(*low, one | other, (uint32_t)(SECTOR_BYTES - at_low + at_high));
    } else {
        if (at_low) *low = in_part(*low, one, (uint32_t)(SECTOR_BYTES - at_low));
        if (at_high) *high = in_part(*high, other, (uint32_t)at_high);
    }
}

/* Where even as many lanes as can be in one sector do not fill it, all are written in part. */
void engine_partial(const uint64_t addr[32], lane_mask mask, uint32_t bytes, uint64_t *lines,
                    struct engine_line_set line_set)
{
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);
    if (line_set.sectors > lanes || (lanes + 1 - line_set.sectors) * bytes >= SECTOR_BYTES) {
        partial_by_bytes(addr, mask, bytes, lines, line_set.lines);
        return;
    }
    uint32_t each = lanes * bytes / line_set.sectors;
    for (uint32_t i = 0; i < line_set.lines; i++)
        lines[i] = in_part(lines[i], lines[i] & 15, each * bits_of(lines[i]));
}

void engine_progression_partial(uint64_t base, int64_t stride, lane_mask mask, uint32_t bytes,
                                uint64_t *lines, struct engine_line_set line_set)
{
    uint64_t reach = (uint64_t)(stride < 0 ? -stride : stride), addr[SW_WARP_LANES];
    if (!line_set.lines) return;
    if (reach <= bytes && reach <= SECTOR_BYTES && is_gapless(mask)) { /* only the ends */
        uint64_t a = base + (uint64_t)stride * (uint32_t)__builtin_ctz(mask);
        uint64_t b = base + (uint64_t)stride * (31 - (uint32_t)__builtin_clz(mask));
        span_ends(a < b ? a : b, (a < b ? b : a) + bytes, lines, lines + line_set.lines - 1);
        return;
    }
    for (uint32_t lane = 0; lane < SW_WARP_LANES; lane++)
        addr[lane] = base + (uint64_t)stride * lane;
    engine_partial(addr, mask, bytes, lines, line_set);
}

/* ---- atomics: lanes that share an address come one after the other */

SW_CLONES static lane_mask first_of_each(const uint64_t addr[32], lane_mask mask)
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

struct engine_line_set engine_atomic_lines(const uint64_t addr[32], lane_mask mask, uint32_t bytes,
                                           uint64_t *out, uint32_t *distinct)
{
    struct engine_line_set all = {0};
    while (mask) {
        lane_mask pass = first_of_each(addr, mask);
        struct engine_line_set line_set = engine_lines(addr, pass, bytes, out + all.lines);
        if (!all.lines) *distinct = line_set.sectors; /* no address is missing from the first */
        all.lines += line_set.lines;
        all.sectors += line_set.sectors;
        mask &= ~pass;
    }
    return all;
}

/* ---- local memory: rows of one 4-byte word of each lane */

struct engine_line_set engine_row_lines(uint64_t first_row, uint32_t words, lane_mask mask, uint64_t *out)
{
    uint64_t sectors = engine_lane_groups(mask);
    if (!sectors) return (struct engine_line_set){0};
    for (uint32_t w = 0; w < words; w++)
        out[w] = lines_line_of(first_row + w, sectors);
    return (struct engine_line_set){words, words * bits_of(sectors)};
}

uint32_t engine_lane_groups(lane_mask mask)
{
    uint32_t groups = 0;
    for (uint32_t g = 0; g < 4; g++)
        groups |= (uint32_t)((mask >> (8 * g) & 0xff) != 0) << g;
    return groups;
}

struct engine_line_set engine_local_lines(const uint64_t offset[32], lane_mask mask, uint32_t bytes,
                                          uint64_t first_row, uint64_t *out)
{
    struct engine_line_set line_set = {0};
    for (; mask; mask &= mask - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(mask);
        for (uint64_t word = offset[lane] / 4; word <= (offset[lane] + bytes - 1) / 4; word++)
            add_line(&line_set, out, first_row + word, 1u << lane / 8);
    }
    return line_set;
}

/* A lane is a word of a sector. Where lanes write different rows, all are taken as written in part: several
 * lanes seldom meet in one. */
void engine_local_partial(lane_mask mask, uint32_t bytes, uint64_t *lines, uint32_t count)
{
    uint32_t partial = 0, lanes = (uint32_t)__builtin_popcount(mask) / bits_of(engine_lane_groups(mask));
    for (uint32_t g = 0; g < 4; g++)
        partial |= (uint32_t)((mask >> (8 * g) & 0xff) != 0xff || bytes % WORD_BYTES) << g;
    if (count > (bytes + WORD_BYTES - 1) / WORD_BYTES) partial = 15;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t sectors = lines[i] & partial;
        if (sectors) lines[i] = in_part(lines[i], sectors, lanes * WORD_BYTES * bits_of(sectors));
    }
}
