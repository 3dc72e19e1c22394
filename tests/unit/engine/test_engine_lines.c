/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the lines of an access, and the sectors that a store writes partially. Method: random
 * progressions and addresses, compared with a reference that marks each byte of a small address space. */
#include "engine/record/engine_lines.h"

#include "event/event_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { SPACE = 1 << 14, BASE = 1 << 20, LINES = SPACE >> EVENT_LINE_SHIFT };

static uint64_t next_random(uint64_t *state) /* Marsaglia's xorshift64 */
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static void expect_lines(const uint64_t addr[32], lane_mask mask, uint32_t bytes, const uint64_t *lines,
                         struct engine_line_set set_accesses)
{
    uint8_t written[SPACE] = {0};
    uint64_t want[LINES] = {0}, got[LINES] = {0};
    for (uint32_t lane = 0; lane < 32; lane++)
        if (mask >> lane & 1) memset(written + addr[lane] - BASE, 1, bytes);
    for (uint32_t sector = 0; sector < SPACE / 32; sector++) {
        uint32_t sum = 0;
        for (uint32_t b = 0; b < 32; b++)
            sum += written[32 * sector + b];
        if (sum) want[sector / 4] |= 1ull << sector % 4;
        if (sum && sum < 32) want[sector / 4] |= 1ull << (EVENT_LINE_PARTIAL + sector % 4);
    }
    for (uint32_t i = 0; i < set_accesses.lines; i++) {
        uint64_t line = event_line_number(lines[i]) - (BASE >> EVENT_LINE_SHIFT);
        assert_in_range(line, 0, LINES - 1);
        assert_int_equal(got[line], 0);
        got[line] = lines[i] & (15ull << EVENT_LINE_PARTIAL | 15);
    }
    assert_memory_equal(got, want, sizeof want);
}

static lane_mask some_mask(uint64_t *state)
{
    uint64_t r = next_random(state);
    switch (r & 3) {
    case 0: return UINT32_MAX;
    case 1: return UINT32_MAX >> (r >> 8 & 31) << (r >> 16 & 31);
    default: return (lane_mask)(r >> 32);
    }
}

static void progressions(void **unused)
{
    (void)unused;
    uint64_t state = 1, addr[32], lines[ENGINE_ACCESS_LINES];
    for (uint32_t i = 0; i < 200000; i++) {
        uint32_t bytes = 1u << next_random(&state) % 6;
        int64_t stride = (int64_t)(next_random(&state) % 9) * bytes - 4 * (int64_t)bytes;
        uint64_t base = BASE + SPACE / 2 + next_random(&state) % 64 * bytes;
        lane_mask mask = some_mask(&state);
        for (uint32_t lane = 0; lane < 32; lane++)
            addr[lane] = base + (uint64_t)stride * lane;
        struct engine_line_set set_accesses = engine_progression_lines(base, stride, mask, bytes, lines);
        engine_progression_partial(base, stride, mask, bytes, lines, set_accesses);
        expect_lines(addr, mask, bytes, lines, set_accesses);
    }
}

static void any_addresses(void **unused)
{
    (void)unused;
    uint64_t state = 2, addr[32], lines[ENGINE_ACCESS_LINES];
    for (uint32_t i = 0; i < 200000; i++) {
        uint32_t bytes = 1u << next_random(&state) % 6;
        uint64_t span = 32ull << next_random(&state) % 8;
        lane_mask mask = some_mask(&state);
        for (uint32_t lane = 0; lane < 32; lane++)
            addr[lane] = BASE + next_random(&state) % span / bytes * bytes;
        struct engine_line_set set_accesses = engine_lines(addr, mask, bytes, lines);
        if (mask) engine_partial(addr, mask, bytes, lines, set_accesses);
        expect_lines(addr, mask, bytes, lines, set_accesses);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(progressions), cmocka_unit_test(any_addresses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
