/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory banks: how many wavefronts (passes) a request takes, compute capability 5.0 and later.
 *
 * Models: 32 banks of 4 bytes; lanes that touch one word are served together, two words of one bank are not.
 * 128 bytes at a time: accesses of 8 bytes half a warp after the other, of 16 bytes a quarter; loads twice as
 * many lanes at once where all lanes agree in pairs, that is lane i and i ^ 1 (or i and i ^ 2, throughout the
 * warp) have one address or one of them is off. Atomics: each lane a pass of its own in its bank, also where
 * addresses are the same; compare and swap two; an addition of 1 whose result is not used is served as a
 * load. Atomics that hardware lacks are a loop: all lanes that are left load, then of each bank one compares
 * and swaps, in two passes. Ideal: the lanes' bytes / 128, rounded up, but never more than the passes.
 *
 * Does not model: arbitration between loads and stores (up to 5 % on hardware); iterations of an atomic's
 * loop that another warp makes fail. Older rules: model_banks_old.c.
 *
 * Sources: CUDA C++ Programming Guide, "Shared Memory" of each compute capability; one request at a time with
 * chosen addresses on an H200: tests/hw/h200/patterns.lds.txt and patterns.atoms.txt (all equal but loops of
 * 64 bits), and every recorded kernel that uses shared memory (tests/hw).
 *
 * Method: accesses are aligned, so an access of 8 bytes is one element in a memory of 16 banks of 8 bytes,
 * and so on. A part whose elements lie in a window of 64 is counted by bits. Otherwise lanes that repeat an
 * earlier lane's element are taken out (31 compares of all lanes with those before them), and lanes are added
 * up by bank in bytes of words, both without a branch. Counting lane by lane costs two to five times as much.
 */
#include "model_lanes_priv.h"

#include "event/event_request.h"

#include <string.h>

/* documented: CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x and later; measured: 128
 * bytes at a time where lanes agree in pairs, patterns.lds.txt */
enum { BANKS = 32, BANK_BYTES = 4, COPY_LANES = 8 };

/* A part of a request: elements of 1 << shift bytes, in `banks` banks. */
struct layout {
    uint32_t shift, banks, words; /* banks: elements of 128 bytes; words: of 4 bytes in an element */
};

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

typedef uint16_t narrow_lanes __attribute__((vector_size(32), aligned(2)));

typedef uint16_t narrow_step __attribute__((vector_size(8), aligned(2)));

#define FOUR(from)    (uint16_t)(from), (uint16_t)((from) - 1), (uint16_t)((from) - 2), (uint16_t)((from) - 3)
#define SIXTEEN(from) FOUR(from), FOUR((from) - 4), FOUR((from) - 8), FOUR((from) - 12)
/* implementation: what no element is, one number for each place before lane 0, then for each lane that is
 * off. */
static const uint16_t NO_ELEMENT[2 * SW_WARP_LANES] = {SIXTEEN(0xffff), SIXTEEN(0xffef), SIXTEEN(0xffdf),
                                                       SIXTEEN(0xffcf)};
/* definition: a bit a lane */
static const narrow_lanes NARROW_BIT = {1,   2,   4,    8,    16,   32,   64,    128,
                                        256, 512, 1024, 2048, 4096, 8192, 16384, 32768};

/* The 16 lanes of four words, one bit a lane. */
static inline uint32_t fold(model_lanes v)
{
    uint64_t x = MODEL_OR(v);
    x |= x >> 32;
    return (uint32_t)(x | x >> 16) & 0xffff;
}

/* Lanes of mask whose element an earlier lane of mask has, too. Elements fit 16 bits, as shared memory does
 * (an offset outside it, whose access will fail, gives some number). */
SW_CLONES static lane_mask repeated_lanes(const uint64_t offset[32], lane_mask mask, uint32_t shift)
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
    narrow_lanes low = *(const narrow_lanes *)(lanes + SW_WARP_LANES), low_hit = {0};
    narrow_lanes high = *(const narrow_lanes *)(lanes + SW_WARP_LANES + 16), high_hit = {0};
    for (uint32_t back = 1; back < SW_WARP_LANES; back++) {
        low_hit |= (narrow_lanes)(low == *(const narrow_lanes *)(lanes + SW_WARP_LANES - back));
        high_hit |= (narrow_lanes)(high == *(const narrow_lanes *)(lanes + SW_WARP_LANES + 16 - back));
    }
    return (fold((model_lanes)(low_hit & NARROW_BIT)) | fold((model_lanes)(high_hit & NARROW_BIT)) << 16) &
           mask;
}

/* The larger of each pair of bytes; all are below 128. */
static inline uint64_t most_bytes(uint64_t a, uint64_t b)
{
    const uint64_t high = 0x8080808080808080u;
    uint64_t take_a = (((a | high) - b) & high) >> 7;
    take_a *= 0xff;
    return (a & take_a) | (b & ~take_a);
}

#define MODEL_ADD(v) ((v)[0] + (v)[1] + (v)[2] + (v)[3])

/* Most lanes of mask in one bank: a byte a bank, eight banks a word, added up over the lanes. */
SW_CLONES static uint32_t most_in_a_bank(const struct layout *layout, const uint64_t offset[32],
                                         lane_mask mask)
{
    model_lanes sum[4] = {{0}}, one = {1, 1, 1, 1};
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

static uint32_t count_part(const struct layout *layout, const uint64_t offset[32], lane_mask mask)
{
    uint64_t first = (offset[__builtin_ctz(mask)] >> layout->shift) & ~(uint64_t)(layout->banks - 1);
    struct model_window window = model_window(offset, mask, layout->shift, first);
    if (!window.outside) return passes_of_bits(window.inside, layout->banks);
    mask &= ~repeated_lanes(offset, mask, layout->shift);
    return most_in_a_bank(layout, offset, mask);
}

/* Have lane i and lane i ^ step one address, wherever both are on? */
SW_CLONES static bool pairs_agree(const uint64_t offset[32], lane_mask mask, uint32_t step)
{
    lane_mask low = step == 1 ? 0x55555555u : 0x33333333u, both = mask & (mask >> step & low);
    both |= both << step;
    model_lanes differ = {0};
    for (int k = 0; k < MODEL_STEPS; k++) {
        model_lanes v = *(const model_lanes *)(offset + k * MODEL_LANES);
        model_lanes other =
            step == 1 ? __builtin_shufflevector(v, v, 1, 0, 3, 2) : __builtin_shufflevector(v, v, 2, 3, 0, 1);
        differ |= (v ^ other) & MODEL_ON(both, k);
    }
    return !MODEL_OR(differ);
}

static lane_mask lanes_from(uint32_t from, uint32_t count)
{
    return (lane_mask)(((UINT64_C(1) << count) - 1) << from);
}

/* `at_once` lanes after the other. */
static uint32_t count_parts(const struct layout *layout, const uint64_t offset[32], lane_mask mask,
                            uint32_t at_once)
{
    uint32_t sum = 0;
    for (uint32_t from = 0; from < SW_WARP_LANES; from += at_once) {
        lane_mask part = mask & lanes_from(from, at_once);
        if (part) sum += count_part(layout, offset, part);
    }
    return sum;
}

static uint32_t count_load(const struct layout *layout, const uint64_t offset[32], lane_mask mask)
{
    bool twice = layout->words > 1 && (pairs_agree(offset, mask, 1) || pairs_agree(offset, mask, 2));
    return count_parts(layout, offset, mask, layout->banks << twice);
}

/* Every lane for itself. */
static uint32_t count_atomic(const struct layout *layout, const uint64_t offset[32], lane_mask mask)
{
    uint32_t passes = 0;
    for (uint32_t from = 0; from < SW_WARP_LANES; from += layout->banks) {
        lane_mask part = mask & lanes_from(from, layout->banks);
        if (part) passes += most_in_a_bank(layout, offset, part);
    }
    return passes;
}

/* Lanes of which each has a bank (of its part) for itself: the lowest ones. */
static lane_mask first_in_banks(const struct layout *layout, const uint64_t offset[32], lane_mask mask)
{
    lane_mask winners = 0;
    for (uint32_t from = 0; from < SW_WARP_LANES; from += layout->banks) {
        uint32_t taken = 0;
        for (lane_mask left = mask & lanes_from(from, layout->banks); left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            uint32_t bank = (uint32_t)(offset[lane] >> layout->shift) & (layout->banks - 1);
            if (!(taken >> bank & 1)) winners |= 1u << lane;
            taken |= 1u << bank;
        }
    }
    return winners;
}

static uint64_t count_spin(const struct layout *layout, const uint64_t offset[32], lane_mask mask)
{
    uint32_t passes = 2 * count_atomic(layout, offset, mask), loads = 0;
    while (mask) {
        loads += count_load(layout, offset, mask);
        mask &= ~first_in_banks(layout, offset, mask);
    }
    return model_pack_more(passes, passes, loads);
}

uint64_t model_count_shared(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                            uint32_t bytes, uint32_t kind)
{
    if (!mask || !bytes) return 0;
    if (rules->shared_rule != EVENT_SHARED_PAIRS) return model_shared_old(rules, offset, mask, bytes);
    uint32_t size = bytes > BANK_BYTES ? bytes : BANK_BYTES;
    SW_ASSERT(!(size & (size - 1)) && size <= BANKS * BANK_BYTES);
    struct layout layout = {(uint32_t)__builtin_ctz(size), BANKS * BANK_BYTES / size, size / BANK_BYTES};
    uint32_t ideal =
        ((uint32_t)__builtin_popcount(mask) * bytes + BANKS * BANK_BYTES - 1) / (BANKS * BANK_BYTES);
    uint32_t times = kind == EVENT_KIND_CAS ? 2 : 1, passes;
    switch (kind) {
    case EVENT_KIND_SPIN: return count_spin(&layout, offset, mask);
    case EVENT_KIND_STORE: passes = count_parts(&layout, offset, mask, layout.banks); break;
    case EVENT_KIND_COPY:
        passes = count_parts(&layout, offset, mask, layout.words > 1 ? COPY_LANES : BANKS);
        break;
    case EVENT_KIND_ATOM:
    case EVENT_KIND_RED:
    case EVENT_KIND_CAS: passes = count_atomic(&layout, offset, mask); break;
    default: passes = count_load(&layout, offset, mask); break;
    }
    return model_pack(times * passes, times * (ideal < passes ? ideal : passes));
}
