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
 * Method: when the words of a part's lanes rise or fall strictly, no two are equal and counting a bank's
 * words is enough; otherwise words of one bank are compared along a chain. */
#include "model/model.h"

enum { BANKS = 32, MAX_WORDS = 128 };

struct part {
    uint64_t word[MAX_WORDS];
    uint32_t count;
};

/* Passes and ideal passes, from the distinct words of each bank. */
static uint64_t pack_banks(const uint8_t words[BANKS])
{
    uint32_t worst = 0, all = 0;
    for (uint32_t b = 0; b < BANKS; b++) {
        worst = words[b] > worst ? words[b] : worst;
        all += words[b];
    }
    return model_pack(worst, (all + BANKS - 1) / BANKS);
}

static bool is_monotone(const struct part *part)
{
    bool up = true, down = true;
    for (uint32_t i = 1; i < part->count; i++) {
        up &= part->word[i] > part->word[i - 1];
        down &= part->word[i] < part->word[i - 1];
    }
    return up || down;
}

static uint64_t count_all_words(const struct part *part)
{
    uint8_t words[BANKS] = {0};
    for (uint32_t i = 0; i < part->count; i++)
        words[part->word[i] % BANKS]++;
    return pack_banks(words);
}

static uint64_t count_distinct_words(const struct part *part)
{
    uint8_t words[BANKS] = {0}, head[BANKS] = {0}, next[MAX_WORDS];
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t bank = part->word[i] % BANKS, left = words[bank], at = head[bank];
        for (; left && part->word[at] != part->word[i]; left--)
            at = next[at];
        if (left) continue;
        next[i] = head[bank];
        head[bank] = (uint8_t)i;
        words[bank]++;
    }
    return pack_banks(words);
}

static uint64_t count_part(const uint64_t offset[32], lane_mask mask, uint32_t bytes, uint32_t bank_bytes)
{
    struct part part;
    part.count = 0;
    for (; mask; mask &= mask - 1) {
        uint64_t at = offset[__builtin_ctz(mask)], last = (at + bytes - 1) / bank_bytes;
        for (uint64_t word = at / bank_bytes; word <= last && part.count < MAX_WORDS; word++)
            part.word[part.count++] = word;
    }
    return is_monotone(&part) ? count_all_words(&part) : count_distinct_words(&part);
}

uint64_t model_count_shared(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                            uint32_t bytes, uint32_t kind)
{
    (void)kind;
    if (!mask || !bytes) return 0;
    uint32_t at_once = 2u * rules->bank_bytes, lanes = bytes <= at_once ? 32 : 32 * at_once / bytes;
    SW_ASSERT(lanes >= 1);
    if (lanes == 32) return count_part(offset, mask, bytes, rules->bank_bytes);
    uint64_t sum = 0;
    for (uint32_t first = 0; first < SW_WARP_LANES; first += lanes) {
        lane_mask part = mask & (((1u << lanes) - 1) << first);
        if (part) sum += count_part(offset, part, bytes, rules->bank_bytes);
    }
    return sum;
}
