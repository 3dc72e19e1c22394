/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory banks: how many wavefronts (passes) a request takes.
 *
 * Models: 32 banks of 4 bytes (or 8, the mode of cc 3.x); lanes that read one word are served together, two
 * words of one bank are not. A request moves at most 32 banks a pass, so 8-byte accesses go half a warp at a
 * time and 16-byte ones a quarter; parts without an active lane cost nothing. Lanes that update one word
 * atomically go one after another. Does not model: arbitration between loads and stores (up to 5 % on
 * hardware), cc 1.x's 16 banks, words 32 apart that cc 3.x serves together in 4-byte mode. Sources: CUDA C++
 * Programming Guide, "Shared Memory" of each compute capability; counters of an H200.
 *
 * Method: when the words of a part's lanes rise or fall strictly, no two are equal and counting a bank's
 * lanes is enough; otherwise words of one bank are compared along a chain. */
#include "model/model.h"

enum { BANKS = 32, MAX_WORDS = 128 };

struct part {
    uint64_t word[MAX_WORDS];
    uint32_t count;
};

static uint32_t most(const uint8_t lanes[BANKS])
{
    uint8_t n = 0;
    for (uint32_t b = 0; b < BANKS; b++)
        n = lanes[b] > n ? lanes[b] : n;
    return n;
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

/* Passes when every lane counts, because all words differ or because equal ones are served one by one. */
static uint32_t passes_counting_all(const struct part *part)
{
    uint8_t lanes[BANKS] = {0};
    for (uint32_t i = 0; i < part->count; i++)
        lanes[part->word[i] % BANKS]++;
    return most(lanes);
}

static uint32_t passes_counting_distinct(const struct part *part)
{
    uint8_t lanes[BANKS] = {0}, head[BANKS], next[MAX_WORDS];
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t bank = part->word[i] % BANKS, left = lanes[bank], at = head[bank];
        for (; left && part->word[at] != part->word[i]; left--)
            at = next[at];
        if (left) continue;
        next[i] = head[bank];
        head[bank] = (uint8_t)i;
        lanes[bank]++;
    }
    return most(lanes);
}

static uint32_t part_passes(const uint64_t offset[32], lane_mask mask, uint32_t bytes, uint32_t bank_bytes,
                            bool is_atomic)
{
    struct part part;
    part.count = 0;
    for (; mask; mask &= mask - 1) {
        uint64_t at = offset[__builtin_ctz(mask)];
        for (uint64_t word = at / bank_bytes; word <= (at + bytes - 1) / bank_bytes && part.count < MAX_WORDS;
             word++)
            part.word[part.count++] = word;
    }
    return is_atomic || is_monotone(&part) ? passes_counting_all(&part) : passes_counting_distinct(&part);
}

uint64_t model_count_shared(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                            uint32_t bytes, bool is_atomic)
{
    if (!bytes) return 0;
    uint32_t lanes = bytes <= rules->bank_bytes ? BANKS : BANKS * rules->bank_bytes / bytes;
    SW_ASSERT(lanes >= 1);
    lane_mask part = lanes == 32 ? ~0u : (1u << lanes) - 1;
    uint32_t units = 0, ideal = 0;
    for (uint32_t first = 0; first < SW_WARP_LANES; first += lanes, part = lanes == 32 ? 0 : part << lanes) {
        if (!(mask & part)) continue;
        units += part_passes(offset, mask & part, bytes, rules->bank_bytes, is_atomic);
        ideal++;
    }
    return model_pack(units, ideal);
}
