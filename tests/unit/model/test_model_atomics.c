/* SPDX-License-Identifier: Apache-2.0 */
/* The rule for sectors of atomics against 960 requests recorded on an H200 (tests/hw/h200/atomics.txt):
 * nearly all equal, the rest one or two sectors short, never more than counted. */
#include "model/access/model_access.h"

#include "event/event_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KERNELS = 6 };
static const uint32_t bytes_of[KERNELS] = {4, 4, 4, 8, 4, 4};
static const uint32_t kind_of[KERNELS] = {EVENT_KIND_RED, EVENT_KIND_ATOM, EVENT_KIND_RED,
                                          EVENT_KIND_RED, EVENT_KIND_RED,  EVENT_KIND_ATOM};

static uint64_t next_number(char **text)
{
    while (**text == ' ' || **text == '|')
        ++*text;
    return strtoull(*text, text, 10);
}

static void recorded_atomics(void **state)
{
    (void)state;
    const struct event_rules rules = {.load_shift = 5, .store_shift = 5, .bank_bytes = 4};
    char line[1024];
    uint32_t requests = 0, equal = 0;
    FILE *f = fopen(SW_SOURCE_DIR "/tests/hw/h200/atomics.txt", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        uint64_t counted[KERNELS], word[32], addr[32];
        char *text = line;
        if (line[0] == '#') continue;
        for (int k = 0; k < KERNELS; k++)
            counted[k] = next_number(&text);
        for (int lane = 0; lane < 32; lane++)
            word[lane] = next_number(&text);
        for (int k = 0; k < KERNELS; k++) {
            for (int lane = 0; lane < 32; lane++)
                addr[lane] = 0x10000 + word[lane] * bytes_of[k];
            uint32_t units = (uint32_t)model_count_global(&rules, addr, ~0u, bytes_of[k], kind_of[k]);
            assert_in_range(counted[k], units, units + 2);
            equal += units == counted[k];
            requests++;
        }
    }
    fclose(f);
    assert_int_equal(requests, 960);
    assert_int_equal(equal, 861);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(recorded_atomics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
