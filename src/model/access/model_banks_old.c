/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory banks before compute capability 5.0.
 *
 * Models:
 *   1.x  16 banks of 4 bytes, half warps. In each pass one word (that of the lowest lane left) is broadcast
 * to all lanes that want it, and every other bank serves one lane. Accesses of 8 and 16 bytes are requests of
 * 4 bytes each. 2.x  32 banks of 4 bytes, multicast. 8 bytes: half warps; 16 bytes: quarter warps, each one
 * pass more. 3.x  32 banks of 8 bytes, 256 bytes at a time: what lanes want of one bank comes together when
 * it lies in one aligned segment of 64 words. In 4-byte mode words 32 apart share a bank, in 8-byte mode
 * neighbours do. Ideal: bytes of distinct words, as few passes as can move them.
 *
 * Does not model: atomics (locks in shared memory there), which count as loads.
 *
 * Sources: CUDA C Programming Guide, "Shared Memory" of compute capability 1.x (version 4.0, G.3.3), 2.x
 * (G.4.3) and 3.x (version 8.0, H.3.3). Nothing recorded: no such GPU was at hand. */
#include "model_lanes_priv.h"

enum { WORD = 4 /* documented: bytes of a bank's word */, MOST_WORDS = SW_WARP_LANES * 4 };

struct words { /* the words of some lanes, and the bank and row that serve each */
    uint64_t word[MOST_WORDS];
    uint32_t count;
};

static void collect(struct words *words, const uint64_t offset[32], lane_mask mask, uint32_t bytes)
{
    words->count = 0;
    for (; mask; mask &= mask - 1) {
        uint64_t at = offset[__builtin_ctz(mask)];
        for (uint64_t w = at / WORD; w <= (at + bytes - 1) / WORD && words->count < MOST_WORDS; w++) {
            uint32_t i = 0;
            while (i < words->count && words->word[i] != w)
                i++;
            if (i == words->count) words->word[words->count++] = w;
        }
    }
}

/* Most rows that one bank has to open. */
static uint32_t most_rows(const struct words *words, uint32_t mode_bytes, uint32_t row_words)
{
    uint64_t rows[SW_WARP_LANES][MOST_WORDS];
    uint32_t count[SW_WARP_LANES] = {0}, most = 0;
    for (uint32_t i = 0; i < words->count; i++) {
        uint32_t bank = (uint32_t)(words->word[i] * WORD / mode_bytes) % SW_WARP_LANES, r = 0;
        uint64_t row = words->word[i] / row_words;
        while (r < count[bank] && rows[bank][r] != row)
            r++;
        if (r == count[bank]) rows[bank][count[bank]++] = row;
        if (count[bank] > most) most = count[bank];
    }
    return most;
}

struct banks { /* how a generation serves an access */
    uint32_t lanes, mode_bytes, row_words, words_a_pass, more;
};

static uint64_t count_groups(const struct banks *banks, const uint64_t offset[32], lane_mask mask,
                             uint32_t bytes)
{
    uint64_t sum = 0;
    struct words words;
    for (uint32_t from = 0; from < SW_WARP_LANES; from += banks->lanes) {
        lane_mask part = mask & (lane_mask)(((UINT64_C(1) << banks->lanes) - 1) << from);
        if (!part) continue;
        collect(&words, offset, part, bytes);
        sum += model_pack(most_rows(&words, banks->mode_bytes, banks->row_words) + banks->more,
                          (words.count + banks->words_a_pass - 1) / banks->words_a_pass);
    }
    return sum;
}

static uint64_t count_cc2(const uint64_t offset[32], lane_mask mask, uint32_t bytes)
{
    uint32_t size = bytes > WORD ? bytes : WORD;
    struct banks banks = {SW_WARP_LANES * WORD / size, WORD, SW_WARP_LANES, SW_WARP_LANES, bytes == 4 * WORD};
    return count_groups(&banks, offset, mask, bytes);
}

static uint64_t count_cc3(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                          uint32_t bytes)
{
    uint32_t lanes = bytes > 2 * WORD ? SW_WARP_LANES * 2 * WORD / bytes : SW_WARP_LANES;
    struct banks banks = {lanes, rules->bank_bytes, 2 * SW_WARP_LANES, 2 * SW_WARP_LANES, 0};
    return count_groups(&banks, offset, mask, bytes);
}

enum { CC1_BANKS = 16, CC1_LANES = 16 }; /* documented: Programming Guide 4.0, G.3.3 */

static uint32_t cc1_passes(const uint64_t offset[32], lane_mask mask, uint32_t add)
{
    uint32_t passes = 0;
    for (; mask; passes++) {
        uint64_t broadcast = (offset[__builtin_ctz(mask)] + add) / WORD;
        uint32_t taken = 1u << broadcast % CC1_BANKS;
        for (lane_mask left = mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            uint64_t word = (offset[lane] + add) / WORD;
            uint32_t bank = 1u << word % CC1_BANKS;
            if (word == broadcast || !(taken & bank)) mask &= ~(1u << lane);
            taken |= bank;
        }
    }
    return passes;
}

static uint64_t count_cc1(const uint64_t offset[32], lane_mask mask, uint32_t bytes)
{
    uint64_t sum = 0;
    for (uint32_t from = 0; from < SW_WARP_LANES; from += CC1_LANES) {
        lane_mask part = mask & 0xffffu << from;
        for (uint32_t add = 0; part && add < bytes; add += WORD)
            sum += model_pack(cc1_passes(offset, part, add), 1);
    }
    return sum;
}

uint64_t model_shared_old(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                          uint32_t bytes)
{
    switch (rules->shared_rule) {
    case EVENT_SHARED_CC1: return count_cc1(offset, mask, bytes);
    case EVENT_SHARED_CC2: return count_cc2(offset, mask, bytes);
    default: return count_cc3(rules, offset, mask, bytes);
    }
}
