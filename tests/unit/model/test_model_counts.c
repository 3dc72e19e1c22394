/* SPDX-License-Identifier: Apache-2.0 */
/* Coalescing and bank rules: hand-worked patterns of the guides, and random ones against a naive reference.
 */
#include "model_lanes_priv.h"

#include "event/event_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct event_rules
    SECTORS = {.load_shift = 5, .store_shift = 5, .bank_bytes = 4},
    LINES = {.load_shift = 7, .store_shift = 5, .bank_bytes = 4, .global_rule = EVENT_GLOBAL_128},
    WIDE_BANKS = {.load_shift = 5, .store_shift = 5, .bank_bytes = 8, .shared_rule = EVENT_SHARED_CC3};

static const struct event_rules PLAIN_LINES = {.load_shift = 7, .store_shift = 5, .bank_bytes = 4};

static uint64_t stride(uint64_t base, int64_t step, uint32_t bytes, lane_mask mask,
                       const struct event_rules *rules)
{
    uint64_t addr[32];
    for (int lane = 0; lane < 32; lane++)
        addr[lane] = base + (uint64_t)(step * lane);
    return model_count_global(rules, addr, mask, bytes, EVENT_KIND_LOAD);
}

static void global_patterns(void **state)
{
    (void)state;
    const uint64_t base = 0x7f0000000000;
    assert_int_equal(stride(base, 4, 4, ~0u, &SECTORS), model_pack(4, 4));
    assert_int_equal(stride(base + 44, 4, 4, ~0u, &SECTORS), model_pack(5, 4)); /* offset 11 floats */
    assert_int_equal(stride(base, 8, 4, ~0u, &SECTORS), model_pack(8, 4));      /* AoS of two floats */
    assert_int_equal(stride(base, 128, 4, ~0u, &SECTORS), model_pack(32, 4));
    assert_int_equal(stride(base, 1 << 20, 4, ~0u, &SECTORS), model_pack(32, 4));
    assert_int_equal(stride(base, 0, 4, ~0u, &SECTORS), model_pack(1, 1));
    assert_int_equal(stride(base, 8, 8, ~0u, &SECTORS), model_pack(8, 8));
    assert_int_equal(stride(base, 16, 16, ~0u, &SECTORS), model_pack(16, 16));
    assert_int_equal(stride(base + 124, -4, 4, ~0u, &SECTORS), model_pack(4, 4));
    assert_int_equal(stride(base, 4, 4, 0xffff, &SECTORS), model_pack(2, 2));
    assert_int_equal(stride(base, 4, 4, 0x80000001, &SECTORS), model_pack(2, 1));
    assert_int_equal(stride(base, 4, 4, 0, &SECTORS), 0);
    assert_int_equal(stride(base, 64, 64, ~0u, &SECTORS), model_pack(64, 64)); /* wider than a unit */
    assert_int_equal(stride(base + 30, 4, 4, 1, &SECTORS), model_pack(2, 1));  /* misaligned */
}

static void lines_and_segments_of_cc_2(void **state)
{
    (void)state;
    const uint64_t base = 1 << 20;
    assert_int_equal(stride(base, 4, 4, ~0u, &LINES), model_pack(1, 1));
    assert_int_equal(stride(base + 124, -4, 4, ~0u, &LINES), model_pack(1, 1)); /* permuted */
    assert_int_equal(stride(base + 4, 4, 4, ~0u, &LINES), model_pack(2, 1));    /* misaligned */
    assert_int_equal(stride(base, 0, 4, ~0u, &LINES), model_pack(1, 1));
    assert_int_equal(stride(base, 4096, 4, ~0u, &LINES), model_pack(32, 1)); /* scattered */
    uint64_t addr[32];
    for (uint64_t lane = 0; lane < 32; lane++)
        addr[lane] = base + 4 * lane;
    assert_int_equal(model_count_global(&LINES, addr, ~0u, 4, true),
                     model_pack(4, 4)); /* a store: segments */
    assert_int_equal(model_count_global(&LINES, addr, 0xff, 4, EVENT_KIND_STORE), model_pack(1, 1));
    assert_int_equal(model_count_global(&LINES, addr, 0xffff, 4, EVENT_KIND_STORE), model_pack(2, 2));
}

static uint64_t banks(uint64_t step, uint32_t bytes, lane_mask mask, const struct event_rules *rules)
{
    uint64_t offset[32];
    for (uint64_t lane = 0; lane < 32; lane++)
        offset[lane] = step * lane;
    return model_count_shared(rules, offset, mask, bytes, EVENT_KIND_LOAD);
}

static void shared_patterns(void **state)
{
    (void)state;
    static const struct {
        uint64_t step;
        uint32_t bytes, wavefronts, ideal;
    } CASES[] = {{4, 4, 1, 1},   {8, 4, 2, 1},    {12, 4, 1, 1},   {16, 4, 4, 1},   {32, 4, 8, 1},
                 {64, 4, 16, 1}, {68, 4, 1, 1},   {128, 4, 32, 1}, {132, 4, 1, 1},  {0, 4, 1, 1},
                 {8, 8, 2, 2},   {16, 16, 4, 4},  {16, 8, 4, 2},   {256, 8, 32, 2}, {1, 1, 1, 1},
                 {2, 2, 1, 1},   {128, 16, 32, 4}};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++)
        assert_int_equal(banks(CASES[i].step, CASES[i].bytes, ~0u, &SECTORS),
                         model_pack(CASES[i].wavefronts, CASES[i].ideal));
    assert_int_equal(banks(8, 8, 0xffff, &SECTORS), model_pack(1, 1));
    assert_int_equal(banks(8, 8, ~0u, &WIDE_BANKS), model_pack(1, 1));
    assert_int_equal(banks(8, 4, ~0u, &WIDE_BANKS), model_pack(1, 1));
    assert_int_equal(banks(4, 4, 0, &SECTORS), 0);
    uint64_t same[32] = {0};
    assert_int_equal(model_count_shared(&SECTORS, same, ~0u, 4, EVENT_KIND_ATOM), model_pack(32, 1));
    assert_int_equal(model_count_shared(&SECTORS, same, ~0u, 4, EVENT_KIND_TALLY), model_pack(1, 1));
    assert_int_equal(model_count_shared(&SECTORS, same, ~0u, 4, EVENT_KIND_CAS), model_pack(64, 2));
    assert_int_equal(model_count_shared(&SECTORS, same, ~0u, 4, EVENT_KIND_SPIN),
                     model_pack_more(64, 64, 32));
    assert_int_equal(model_count_shared(&SECTORS, same, ~0u, 8, EVENT_KIND_LOAD), model_pack(1, 1));
    assert_int_equal(model_count_shared(&SECTORS, same, ~0u, 8, EVENT_KIND_STORE), model_pack(2, 2));
    assert_int_equal(model_count_shared(&SECTORS, same, ~0u, 16, EVENT_KIND_LOAD), model_pack(2, 2));
}

/* tests/hw: red_add of one address a warp, of 8 words shared by 4 lanes, of distinct words. */
static void atomics_that_share_addresses(void **state)
{
    (void)state;
    uint64_t same[32] = {0}, eight[32], apart[32];
    for (uint64_t lane = 0; lane < 32; lane++) {
        eight[lane] = 4 * (lane & 7);
        apart[lane] = 4 * lane;
    }
    assert_int_equal(model_count_global(&SECTORS, same, ~0u, 4, EVENT_KIND_RED), model_pack_more(32, 1, 1));
    assert_int_equal(model_count_global(&SECTORS, eight, ~0u, 4, EVENT_KIND_RED), model_pack_more(4, 1, 1));
    assert_int_equal(model_count_global(&SECTORS, apart, ~0u, 4, EVENT_KIND_RED), model_pack_more(4, 4, 4));
    assert_int_equal(model_count_global(&SECTORS, same, ~0u, 4, EVENT_KIND_ATOM), model_pack_more(32, 1, 1));
}

static void local_patterns(void **state)
{
    (void)state;
    uint64_t offset[32];
    for (int lane = 0; lane < 32; lane++)
        offset[lane] = 40;
    assert_int_equal(model_count_local(&SECTORS, offset, ~0u, 4), model_pack(4, 4));
    assert_int_equal(model_count_local(&SECTORS, offset, ~0u, 8), model_pack(8, 8));
    assert_int_equal(model_count_local(&SECTORS, offset, ~0u, 1), model_pack(4, 4));
    assert_int_equal(model_count_local(&SECTORS, offset, 1, 4), model_pack(1, 1));
    for (uint64_t lane = 0; lane < 32; lane++)
        offset[lane] = 4 * lane; /* every lane its own index */
    assert_int_equal(model_count_local(&SECTORS, offset, ~0u, 4), model_pack(32, 4));
}

static uint64_t random_state = 88172645463325252u;
static uint64_t random_next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Distinct units by marking each byte's unit in a list. */
static uint32_t naive_units(const uint64_t addr[32], lane_mask mask, uint32_t bytes, uint32_t shift)
{
    uint64_t seen[2048];
    uint32_t count = 0;
    for (int lane = 0; lane < 32; lane++)
        for (uint32_t b = 0; b < bytes && mask >> lane & 1; b++) {
            uint32_t i = 0;
            while (i < count && seen[i] != (addr[lane] + b) >> shift)
                i++;
            if (i == count) seen[count++] = (addr[lane] + b) >> shift;
        }
    return count;
}

static void random_addresses_agree_with_the_reference(void **state)
{
    (void)state;
    for (int round = 0; round < 20000; round++) {
        uint64_t addr[32], span = 1ull << (6 + random_next() % 20), base = random_next() >> 20;
        uint32_t bytes = 1u << random_next() % 7;
        uint64_t align = random_next() % 8 ? bytes : 1;
        lane_mask mask = random_next() % 3 ? (lane_mask)random_next() : ~0u;
        for (int lane = 0; lane < 32; lane++)
            addr[lane] = (base + random_next() % span) / align * align;
        if (round % 16 == 0)
            addr[round / 16 % 32] += 1ull << (36 + round / 512 % 8); /* far from the others */
        uint32_t units = naive_units(addr, mask, bytes, 5);
        for (int level = 0; mask && level <= (int)model_level(); level++)
            assert_int_equal(model_units((enum model_level)level, addr, mask, 5, bytes), units);
        assert_int_equal((uint32_t)model_count_global(&SECTORS, addr, mask, bytes, EVENT_KIND_LOAD), units);
        units = naive_units(addr, mask, bytes, 7);
        assert_int_equal((uint32_t)model_count_global(&PLAIN_LINES, addr, mask, bytes, EVENT_KIND_LOAD),
                         units);
    }
}

/* Every level of x86-64 counts each order of lanes: rising, falling, equal, mixed; with units that repeat,
 * near and so far apart that hashes of them meet. */
static void every_level_counts_every_order(void **state)
{
    (void)state;
    for (int round = 0; round < 20000; round++) {
        uint64_t addr[32], span = 1ull << (random_next() % 36), base = random_next() >> 24 << 5, at = base;
        lane_mask mask = round % 2 ? ~0u : (lane_mask)random_next() | 1u << random_next() % 32;
        uint32_t order = round / 2 % 5;
        for (int lane = 0; lane < 32; lane++) {
            uint64_t step = random_next() % span / 16 * 4;
            switch (order) {
            case 0: at = base + random_next() % span; break;
            case 1: at += step; break;
            case 2: at -= step; break;
            case 3: at = lane % 3 ? at : base + random_next() % span; break;
            default: at = lane == round / 10 % 32 ? base : at + step; break; /* in order but for one */
            }
            addr[lane] = at & ~3ull & UINT64_MAX >> 16;
        }
        uint32_t units = naive_units(addr, mask, 4, 5);
        for (int level = 0; level <= (int)model_level(); level++)
            assert_int_equal(model_units((enum model_level)level, addr, mask, 5, 4), units);
    }
}

/* Sectors of an atomic of 4 bytes: each as often as the most lanes that share an address in it. */
static uint32_t naive_atomic(const uint64_t addr[32], lane_mask mask)
{
    uint32_t sum = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t most = 0;
        bool first = mask >> lane & 1;
        for (uint32_t other = 0; other < 32; other++) {
            uint32_t same = 0;
            if (!(mask >> other & 1) || addr[other] / 32 != addr[lane] / 32) continue;
            first &= other >= lane;
            for (uint32_t third = 0; third < 32; third++)
                same += (mask >> third & 1) && addr[third] == addr[other];
            most = same > most ? same : most;
        }
        sum += first ? most : 0;
    }
    return sum;
}

static void random_atomics_agree_with_the_reference(void **state)
{
    (void)state;
    for (int round = 0; round < 5000; round++) {
        uint64_t addr[32], span = 1ull << random_next() % 28, base = random_next() >> 20 << 2;
        lane_mask mask = round % 2 ? ~0u : (lane_mask)random_next() | 1u << random_next() % 32;
        for (int lane = 0; lane < 32; lane++)
            addr[lane] = base + random_next() % span * 4;
        uint32_t passes = naive_atomic(addr, mask);
        assert_int_equal((uint32_t)model_count_global(&SECTORS, addr, mask, 4, EVENT_KIND_RED), passes);
        assert_int_equal((uint32_t)model_count_global(&SECTORS, addr, mask, 4, EVENT_KIND_ATOM), passes);
    }
}

static bool naive_pairs(const uint64_t offset[32], lane_mask mask, uint32_t step)
{
    for (uint32_t lane = 0; lane < 32; lane++)
        if ((mask >> lane & 1) && (mask >> (lane ^ step) & 1) && offset[lane] != offset[lane ^ step])
            return false;
    return true;
}

/* Passes of a load or store: the most distinct words that one bank must give, part by part. */
static uint32_t naive_passes(const uint64_t offset[32], lane_mask mask, uint32_t bytes, bool load)
{
    uint32_t lanes = bytes <= 4 ? 32 : 128 / bytes, total = 0;
    if (load && bytes > 4 && (naive_pairs(offset, mask, 1) || naive_pairs(offset, mask, 2))) lanes *= 2;
    for (uint32_t first = 0; first < 32; first += lanes) {
        uint32_t worst = 0;
        for (uint32_t bank = 0; bank < 32; bank++) {
            uint32_t distinct = 0;
            for (uint64_t word = bank; word < 1024; word += 32)
                for (uint32_t lane = first, hit = 0; lane < first + lanes && !hit; lane++) {
                    hit = (mask >> lane & 1) && offset[lane] / 4 <= word &&
                          word <= (offset[lane] + bytes - 1) / 4;
                    distinct += hit;
                }
            worst = distinct > worst ? distinct : worst;
        }
        total += worst;
    }
    return total;
}

static void random_banks_agree_with_the_reference(void **state)
{
    (void)state;
    for (int round = 0; round < 1000; round++) {
        uint64_t offset[32];
        uint32_t bytes = 1u << random_next() % 5;
        lane_mask mask = random_next() % 3 ? (lane_mask)random_next() : ~0u;
        uint64_t span = 1ull << (5 + random_next() % 8);
        for (int lane = 0; lane < 32; lane++)
            offset[lane] = random_next() % span / bytes * bytes;
        if (round % 4 == 0)
            for (int lane = 0; lane < 32; lane++)
                offset[lane] = offset[lane & ~(1 + round / 4 % 2)];
        assert_int_equal((uint32_t)model_count_shared(&SECTORS, offset, mask, bytes, EVENT_KIND_LOAD),
                         naive_passes(offset, mask, bytes, true));
        assert_int_equal((uint32_t)model_count_shared(&SECTORS, offset, mask, bytes, EVENT_KIND_STORE),
                         naive_passes(offset, mask, bytes, false));
    }
}

/* Figure G-1 of the CUDA C Programming Guide 4.0 and its neighbours: half warps of 4-byte loads. */
static void segments_of_cc_1(void **state)
{
    (void)state;
    struct event_rules strict = model_rules(arch_cc_find(1, 1)), segments = model_rules(arch_cc_find(1, 3));
    const uint64_t base = 1 << 20;
    assert_int_equal(stride(base, 4, 4, 0xffff, &strict), model_pack_more(1, 1, 2)); /* one of 64 bytes */
    assert_int_equal(stride(base, 4, 4, 0x7ffe, &strict), model_pack_more(1, 1, 2)); /* some take no part */
    assert_int_equal(stride(base + 4, 4, 4, 0xffff, &strict), model_pack_more(16, 1, 16));   /* misaligned */
    assert_int_equal(stride(base + 60, -4, 4, 0xffff, &strict), model_pack_more(16, 1, 16)); /* permuted */
    assert_int_equal(stride(base, 8, 8, 0xffff, &strict), model_pack_more(1, 1, 4));
    assert_int_equal(stride(base, 16, 16, 0xffff, &strict), model_pack_more(2, 2, 8));
    assert_int_equal(stride(base, 4, 4, ~0u, &strict), model_pack_more(2, 2, 4));
    assert_int_equal(stride(base, 4, 4, 0xffff, &segments), model_pack_more(1, 1, 2));
    assert_int_equal(stride(base + 60, -4, 4, 0xffff, &segments), model_pack_more(1, 1, 2));
    assert_int_equal(stride(base + 4, 4, 4, 0xffff, &segments),
                     model_pack_more(1, 1, 4)); /* one of 128 bytes */
    assert_int_equal(stride(base + 96, 4, 4, 0xffff, &segments), model_pack_more(2, 1, 2)); /* two of 32 */
    assert_int_equal(stride(base, 128, 4, 0xffff, &segments), model_pack_more(16, 1, 16));
    assert_int_equal(stride(base, 2, 2, 0xffff, &segments), model_pack_more(1, 1, 1));
    assert_int_equal(stride(base, 1, 1, 0xffff, &segments), model_pack_more(1, 1, 1));
}

/* cc 2.x: one line a request of 128 bytes; broadcasts of 8 bytes ask twice. */
static void requests_of_cc_2(void **state)
{
    (void)state;
    struct event_rules fermi = model_rules(arch_cc_find(2, 0));
    assert_int_equal(stride(1 << 20, 8, 8, ~0u, &fermi), model_pack(2, 2));
    assert_int_equal(stride(1 << 20, 0, 8, ~0u, &fermi), model_pack(2, 2));
    assert_int_equal(stride((1 << 20) + 16, 16, 16, ~0u, &fermi), model_pack(8, 4));
}

static void older_banks(void **state)
{
    (void)state;
    struct event_rules one = model_rules(arch_cc_find(1, 3)), two = model_rules(arch_cc_find(2, 0)),
                       three = model_rules(arch_cc_find(3, 5)), wide = three;
    wide.bank_bytes = 8;
    /* cc 1.x: figures G-2 and G-3 */
    assert_int_equal(banks(4, 4, 0xffff, &one), model_pack(1, 1));
    assert_int_equal(banks(8, 4, 0xffff, &one), model_pack(2, 1));
    assert_int_equal(banks(12, 4, 0xffff, &one), model_pack(1, 1));
    assert_int_equal(banks(32, 4, 0xffff, &one), model_pack(8, 1));
    assert_int_equal(banks(0, 4, 0xffff, &one), model_pack(1, 1));
    assert_int_equal(banks(1, 1, 0xffff, &one),
                     model_pack(4, 1)); /* four lanes a bank, one word is broadcast a pass */
    assert_int_equal(banks(8, 8, 0xffff, &one), model_pack(4, 2)); /* doubles: two ways, for both words */
    assert_int_equal(banks(4, 4, ~0u, &one), model_pack(2, 2));
    /* cc 2.x */
    assert_int_equal(banks(8, 4, ~0u, &two), model_pack(2, 1));
    assert_int_equal(banks(8, 8, ~0u, &two), model_pack(2, 2));
    assert_int_equal(banks(16, 16, ~0u, &two), model_pack(8, 4));
    assert_int_equal(banks(1, 1, ~0u, &two), model_pack(1, 1));
    /* cc 3.x: words 32 apart of one aligned 64 come together; in 8-byte mode neighbours do */
    assert_int_equal(banks(8, 4, ~0u, &three), model_pack(1, 1));
    assert_int_equal(banks(16, 4, ~0u, &three), model_pack(2, 1));
    assert_int_equal(banks(128, 4, 3, &three), model_pack(1, 1));
    assert_int_equal(banks(256, 4, 3, &three), model_pack(2, 1));
    assert_int_equal(banks(8, 8, ~0u, &wide), model_pack(1, 1));
    assert_int_equal(banks(4, 4, ~0u, &wide), model_pack(1, 1));
    assert_int_equal(banks(16, 8, ~0u, &wide), model_pack(2, 1));
    assert_int_equal(banks(128, 4, 3, &wide), model_pack(1, 1));
}

static void constant_addresses(void **state)
{
    (void)state;
    uint64_t addr[32];
    for (uint64_t lane = 0; lane < 32; lane++)
        addr[lane] = 4096 + lane / 4 * 4;
    assert_int_equal(model_count_constant(&SECTORS, addr, ~0u, 4), model_pack(8, 1));
    assert_int_equal(model_count_constant(&SECTORS, addr, 0xf, 4), model_pack(1, 1));
    assert_int_equal(model_count_constant(&SECTORS, addr, ~0u, 16), model_pack(16, 2));
    assert_int_equal(model_count_constant(&SECTORS, addr, 0, 4), 0);
}

static void rules_of_compute_capabilities(void **state)
{
    (void)state;
    struct event_rules fermi = model_rules(arch_cc_find(2, 0)), hopper = model_rules(arch_cc_find(9, 0));
    assert_int_equal(fermi.load_shift, 7);
    assert_int_equal(fermi.store_shift, 5);
    assert_int_equal(hopper.load_shift, 5);
    assert_int_equal(hopper.bank_bytes, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(global_patterns),
        cmocka_unit_test(lines_and_segments_of_cc_2),
        cmocka_unit_test(shared_patterns),
        cmocka_unit_test(atomics_that_share_addresses),
        cmocka_unit_test(segments_of_cc_1),
        cmocka_unit_test(requests_of_cc_2),
        cmocka_unit_test(older_banks),
        cmocka_unit_test(constant_addresses),
        cmocka_unit_test(local_patterns),
        cmocka_unit_test(random_addresses_agree_with_the_reference),
        cmocka_unit_test(every_level_counts_every_order),
        cmocka_unit_test(random_atomics_agree_with_the_reference),
        cmocka_unit_test(random_banks_agree_with_the_reference),
        cmocka_unit_test(rules_of_compute_capabilities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
