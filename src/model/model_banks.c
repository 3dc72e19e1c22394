/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory banks: how many wavefronts (passes) a request takes.
 *
 * Models: 32 banks of 4 bytes (or 8, the mode of cc 3.x); lanes that touch one word are served together, two
 * words of one bank are not. Accesses of up to two bank widths are served for the whole warp, wider ones (16
 * bytes) half a warp after the other: an 8-byte broadcast takes one pass, a 16-byte broadcast two. Atomics
 * count as loads do. Ideal: distinct words / 32, rounded up, of each part.
 *
 * Does not model: arbitration between loads and stores (up to 5 % on hardware), the loops that ptxas makes of
 * atomics that the banks cannot do, cc 1.x's 16 banks, words 32 apart that cc 3.x serves together in 4-byte
 * mode.
 *
 * Sources: CUDA C++
 * Programming Guide, "Shared Memory" of each compute capability; tests/hw: every recorded kernel that uses
 * shared memory on an H200 (strides of 4, 8 and 16 bytes, broadcasts, byte accesses, atomics).
 *
 * Method: accesses are aligned, so an access of 8 bytes is one element in a memory of 16 banks of 8 bytes,
 * and so on. A part whose elements lie in a window of 64 is counted by bits. Otherwise lanes that repeat an
 * earlier lane's element are taken out (31 compares of all lanes with those before them), and lanes are added
 * up by bank in bytes of words, both without a branch. Counting lane by lane costs two to five times as much.
 */
#include "model_priv.h"

#include <string.h>

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

typedef uint16_t narrow_lanes __attribute__((vector_size(64), aligned(2)));

typedef uint16_t narrow_step __attribute__((vector_size(16), aligned(2)));

#define FOUR(from)    (uint16_t)(from), (uint16_t)((from) - 1), (uint16_t)((from) - 2), (uint16_t)((from) - 3)
#define SIXTEEN(from) FOUR(from), FOUR((from) - 4), FOUR((from) - 8), FOUR((from) - 12)
/* What no element is: one number for each place before lane 0, then for each lane that is off. */
static const uint16_t NO_ELEMENT[2 * SW_WARP_LANES] = {SIXTEEN(0xffff), SIXTEEN(0xffef), SIXTEEN(0xffdf),
                                                       SIXTEEN(0xffcf)};
static const narrow_lanes NARROW_BIT = {1,    2,    4,    8,     16,    32,   64,   128,  256,   512,  1024,
                                        2048, 4096, 8192, 16384, 32768, 1,    2,    4,    8,     16,   32,
                                        64,   128,  256,  512,   1024,  2048, 4096, 8192, 16384, 32768};

/* The 16 lanes of four words, one bit a lane. */
static inline uint32_t fold(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    uint64_t x = a | b | c | d;
    x |= x >> 32;
    return (uint32_t)(x | x >> 16) & 0xffff;
}

/* Lanes of mask whose element an earlier lane of mask has, too. Elements fit 16 bits, as shared memory does
 * (an offset outside it, whose access will fail, gives some number). */
MODEL_CLONES static lane_mask repeated_lanes(const uint64_t offset[32], lane_mask mask, uint32_t shift)
{
    uint16_t lanes[2 * SW_WARP_LANES];
    memcpy(lanes, NO_ELEMENT, sizeof lanes / 2);
    for (int k = 0; k < MODEL_STEPS; k++) {
        model_lanes element = *(const model_lanes *)(offset + k * MODEL_LANES) >> shift,
                    on = MODEL_ON(mask, k);
        narrow_step none = *(const narrow_step *)(NO_ELEMENT + SW_WARP_LANES + k * MODEL_LANES);
        narrow_step keep = __builtin_convertvector(on, narrow_step);
        *(narrow_step *)(lanes + SW_WARP_LANES + k * MODEL_LANES) =
            (__builtin_convertvector(element, narrow_step) & keep) | (none & ~keep);
    }
    narrow_lanes all = *(const narrow_lanes *)(lanes + SW_WARP_LANES), hit = {0};
    for (uint32_t back = 1; back < SW_WARP_LANES; back++)
        hit |= (narrow_lanes)(all == *(const narrow_lanes *)(lanes + SW_WARP_LANES - back));
    model_lanes bits = (model_lanes)(hit & NARROW_BIT);
    return (fold(bits[0], bits[1], bits[2], bits[3]) | fold(bits[4], bits[5], bits[6], bits[7]) << 16) & mask;
}

/* The larger of each pair of bytes; all are below 128. */
static inline uint64_t most_bytes(uint64_t a, uint64_t b)
{
    const uint64_t high = 0x8080808080808080u;
    uint64_t take_a = (((a | high) - b) & high) >> 7;
    take_a *= 0xff;
    return (a & take_a) | (b & ~take_a);
}

#define MODEL_ADD(v) ((v)[0] + (v)[1] + (v)[2] + (v)[3] + (v)[4] + (v)[5] + (v)[6] + (v)[7])

/* Most lanes of mask in one bank: a byte a bank, eight banks a word, added up over the lanes. */
MODEL_CLONES static uint32_t most_in_a_bank(const struct layout *layout, const uint64_t offset[32],
                                            lane_mask mask)
{
    model_lanes sum[4] = {{0}}, one = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int k = 0; k < MODEL_STEPS; k++) {
        model_lanes bank =
            (*(const model_lanes *)(offset + k * MODEL_LANES) >> layout->shift) & (layout->banks - 1u);
        model_lanes byte = (one << ((bank & 7) * 8)) & MODEL_ON(mask, k), word = bank >> 3;
        for (uint32_t w = 0; w < 4; w++)
            sum[w] += byte & (model_lanes)(word == w);
    }
    uint64_t worst = most_bytes(most_bytes(MODEL_ADD(sum[0]), MODEL_ADD(sum[1])),
                                most_bytes(MODEL_ADD(sum[2]), MODEL_ADD(sum[3])));
    worst = most_bytes(worst, worst >> 32);
    worst = most_bytes(worst, worst >> 16);
    return (uint32_t)(most_bytes(worst, worst >> 8) & 0xff);
}

static uint64_t count_part(const struct layout *layout, const uint64_t offset[32], lane_mask mask)
{
    uint64_t first = (offset[__builtin_ctz(mask)] >> layout->shift) & ~(uint64_t)(layout->banks - 1);
    struct model_window window = model_window(offset, mask, layout->shift, first);
    if (!window.outside)
        return pack_part(layout, passes_of_bits(window.inside, layout->banks),
                         (uint32_t)__builtin_popcountll(window.inside));
    mask &= ~repeated_lanes(offset, mask, layout->shift);
    return pack_part(layout, most_in_a_bank(layout, offset, mask), (uint32_t)__builtin_popcount(mask));
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
