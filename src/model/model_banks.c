/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory banks: how many wavefronts (passes) a request takes.
 *
 * Models: 32 banks of 4 bytes (or 8, the mode of cc 3.x); lanes that touch one word are served together, two
 * words of one bank are not. Accesses of up to two bank widths are served for the whole warp, wider ones (16
 * bytes) half a warp after the other: an 8-byte broadcast takes one pass, a 16-byte broadcast two. Atomics
 * count as loads do. Ideal: distinct words / 32, rounded up, of each part. Does not model: arbitration
 * between loads and stores (up to 5 % on hardware), the loops that ptxas makes of atomics that the banks
 * cannot do, cc 1.x's 16 banks, words 32 apart that cc 3.x serves together in 4-byte mode. Sources: CUDA C++
 * Programming Guide, "Shared Memory" of each compute capability; tests/hw: every recorded kernel that uses
 * shared memory on an H200 (strides of 4, 8 and 16 bytes, broadcasts, byte accesses, atomics).
 *
 * Method: accesses are aligned, so an access of 8 bytes is one element in a memory of 16 banks of 8 bytes,
 * and so on. A part whose elements lie in a window of 64 is counted by bits; one whose elements rise or fall
 * strictly by counting lanes of a bank, since no two are equal; only the rest compares elements of one bank
 * along a chain. */
#include "model_priv.h"

enum { BANKS = 32 };

/* A part of a request: elements of 1 << shift bytes, in `banks` banks. */
struct layout {
    uint32_t shift, banks, words; /* words: banks' words of an element */
};

/* Passes, and ideal ones, from the distinct elements. */
static uint64_t pack_part(const struct layout *layout, uint32_t worst, uint32_t distinct)
{
    return model_pack(worst, (distinct * layout->words + BANKS - 1) / BANKS);
}

/* Elements as bits of a window that begins at bank 0: rows of `banks` bits. */
static uint32_t passes_of_bits(uint64_t bits, uint32_t banks)
{
    uint64_t row = banks == 64 ? ~0ull : (1ull << banks) - 1;
    uint32_t passes = 0;
    for (; bits; passes++) { /* each pass serves the lowest element of every bank */
        uint64_t served = 0;
        for (uint32_t at = 0; at < 64; at += banks) {
            uint64_t take = (bits >> at & row) & ~served;
            served |= take;
            bits &= ~(take << at);
        }
    }
    return passes;
}

static uint64_t count_each_lane(const struct layout *layout, const uint64_t offset[32], lane_mask mask)
{
    uint8_t lanes[BANKS] = {0}, worst = 0;
    uint32_t count = (uint32_t)__builtin_popcount(mask);
    for (; mask; mask &= mask - 1)
        lanes[(offset[__builtin_ctz(mask)] >> layout->shift) % layout->banks]++;
    for (uint32_t b = 0; b < BANKS; b++)
        worst = lanes[b] > worst ? lanes[b] : worst;
    return pack_part(layout, worst, count);
}

static uint64_t count_distinct(const struct layout *layout, const uint64_t offset[32], lane_mask mask)
{
    uint8_t elements[BANKS] = {0}, head[BANKS] = {0}, next[SW_WARP_LANES], worst = 0;
    uint64_t element[SW_WARP_LANES];
    uint32_t count = 0;
    for (; mask; mask &= mask - 1) {
        uint64_t e = offset[__builtin_ctz(mask)] >> layout->shift;
        uint32_t bank = e % layout->banks, left = elements[bank], at = head[bank];
        for (; left && element[at] != e; left--)
            at = next[at];
        if (left) continue;
        element[count] = e;
        next[count] = head[bank];
        head[bank] = (uint8_t)count++;
        elements[bank]++;
        worst = elements[bank] > worst ? elements[bank] : worst;
    }
    return pack_part(layout, worst, count);
}

static uint64_t count_part(const struct layout *layout, const uint64_t offset[32], lane_mask mask)
{
    uint64_t first = (offset[__builtin_ctz(mask)] >> layout->shift) & ~(uint64_t)(layout->banks - 1);
    struct model_window window = model_window(offset, mask, layout->shift, first);
    if (!window.outside)
        return pack_part(layout, passes_of_bits(window.inside, layout->banks),
                         (uint32_t)__builtin_popcountll(window.inside));
    if (model_strictly_monotone(offset, mask, layout->shift)) return count_each_lane(layout, offset, mask);
    return count_distinct(layout, offset, mask);
}

uint64_t model_count_shared(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                            uint32_t bytes, uint32_t kind)
{
    (void)kind;
    if (!mask || !bytes) return 0;
    uint32_t size = bytes > rules->bank_bytes ? bytes : rules->bank_bytes, at_once = 2u * rules->bank_bytes;
    SW_ASSERT(!(size & (size - 1)) && size <= BANKS * rules->bank_bytes);
    struct layout layout = {(uint32_t)__builtin_ctz(size), BANKS * rules->bank_bytes / size,
                            size / rules->bank_bytes};
    if (size <= at_once) return count_part(&layout, offset, mask);
    uint32_t lanes = SW_WARP_LANES * at_once / size;
    uint64_t sum = 0;
    for (uint32_t from = 0; from < SW_WARP_LANES; from += lanes) {
        lane_mask part = mask & (((1u << lanes) - 1) << from);
        if (part) sum += count_part(&layout, offset, part);
    }
    return sum;
}
