/* SPDX-License-Identifier: Apache-2.0 */
/* Bank, constant and sector rules against requests with chosen addresses, recorded one by one on an H200
 * (tests/hw/h200/patterns.*.txt, made by tests/hw/patterns.py and record.sh). */
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

enum { NUMBERS = 8 };
struct pattern {
    char name[32];
    uint32_t counted[NUMBERS];
    uint64_t offset[32];
    lane_mask mask;
};
static const struct event_rules RULES = {.load_shift = 5, .store_shift = 5, .bank_bytes = 4};

static bool parse(char *line, struct pattern *out)
{
    char *save, *word = strtok_r(line, " \n", &save);
    unsigned number = 0, lane = 0;
    *out = (struct pattern){.mask = 0};
    if (!word || *word == '#') return false;
    snprintf(out->name, sizeof out->name, "%s", word);
    while ((word = strtok_r(NULL, " \n", &save)) && strcmp(word, "|") != 0)
        if (number < NUMBERS) out->counted[number++] = (uint32_t)strtoul(word, NULL, 10);
    for (; lane < 32 && (word = strtok_r(NULL, " \n", &save)); lane++) {
        if (*word == '-') continue;
        out->offset[lane] = strtoull(word, NULL, 10);
        out->mask |= 1u << lane;
    }
    return true;
}

typedef void (*check_fn)(const struct pattern *pattern, uint32_t *requests, uint32_t *equal);

static void each_pattern(const char *file, check_fn check, uint32_t requests_wanted, uint32_t equal_wanted)
{
    char path[512], line[1024];
    uint32_t requests = 0, equal = 0;
    snprintf(path, sizeof path, SW_SOURCE_DIR "/tests/hw/h200/patterns.%s.txt", file);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        struct pattern pattern;
        if (parse(line, &pattern)) check(&pattern, &requests, &equal);
    }
    fclose(f);
    assert_int_equal(requests, requests_wanted);
    assert_int_equal(equal, equal_wanted);
}

static uint32_t bytes_of(const struct pattern *p) /* lds16b */
{
    return (uint32_t)strtoul(p->name + 3, NULL, 10);
}

static void check_shared(const struct pattern *p, uint32_t *requests, uint32_t *equal)
{
    bool load = p->name[0] == 'l';
    uint32_t kind = load ? EVENT_KIND_LOAD : EVENT_KIND_STORE;
    ++*requests;
    *equal += (uint32_t)model_count_shared(&RULES, p->offset, p->mask, bytes_of(p), kind) ==
              p->counted[load ? 0 : 1];
}

static void loads_and_stores(void **state)
{
    (void)state;
    each_pattern("lds", check_shared, 1112, 1112);
}

/* Of a loop over 64 bits the loads and the swaps; of all others the passes. */
static const struct {
    const char *name;
    uint32_t bytes, kind;
} SHARED_ATOMICS[] = {{"add_u32_s", 4, EVENT_KIND_ATOM},  {"red_add_u32_s", 4, EVENT_KIND_RED},
                      {"max_s32_s", 4, EVENT_KIND_ATOM},  {"and_b32_s", 4, EVENT_KIND_RED},
                      {"exch_b32_s", 4, EVENT_KIND_ATOM}, {"inc_u32_s", 4, EVENT_KIND_RED},
                      {"exch_b64_s", 8, EVENT_KIND_ATOM}, {"cas_b32_s", 4, EVENT_KIND_CAS},
                      {"cas_b64_s", 8, EVENT_KIND_CAS},   {"cas_b128_s", 16, EVENT_KIND_CAS},
                      {"add_f32_s", 4, EVENT_KIND_SPIN},  {"atom_add_f32_s", 4, EVENT_KIND_SPIN},
                      {"add_f16x2_s", 4, EVENT_KIND_SPIN}};

static void check_atomic(const struct pattern *p, uint32_t *requests, uint32_t *equal)
{
    for (size_t i = 0; i < SW_COUNT_OF(SHARED_ATOMICS); i++) {
        if (strcmp(SHARED_ATOMICS[i].name, p->name) != 0) continue;
        uint64_t got =
            model_count_shared(&RULES, p->offset, p->mask, SHARED_ATOMICS[i].bytes, SHARED_ATOMICS[i].kind);
        ++*requests;
        *equal += (uint32_t)got == p->counted[2] && got >> 48 == p->counted[0];
    }
}

static void atomics_of_shared_memory(void **state)
{
    (void)state;
    each_pattern("atoms", check_atomic, 195, 195);
}

/* Two requests load the kernel's parameters; a load whose lanes all have one address is the third. */
static void check_constant(const struct pattern *p, uint32_t *requests, uint32_t *equal)
{
    uint32_t bytes = bytes_of(p);
    if (bytes > 8) return; /* four loads of 4 bytes there: the registers did not allow more */
    ++*requests;
    *equal += (uint32_t)model_count_constant(&RULES, p->offset, p->mask, bytes) + 2 == p->counted[0];
}

static void constants(void **state)
{
    (void)state;
    each_pattern("ldc", check_constant, 80, 80);
}

static void check_sectors(const struct pattern *p, uint32_t *requests, uint32_t *equal)
{
    if (strstr(p->name, "f16_g") || strstr(p->name, "b16_g"))
        return; /* loops: hardware has none of 16 bits */
    bool wide = strstr(p->name, "64") || strstr(p->name, "v2"),
         wider = strstr(p->name, "128") || strstr(p->name, "v4");
    uint32_t bytes = wider ? 16 : wide ? 8 : 4, counted = p->counted[0] + p->counted[1];
    uint64_t got = model_count_global(&RULES, p->offset, p->mask, bytes, EVENT_KIND_RED);
    assert_in_range(counted, (uint32_t)got, (uint32_t)got + 4);
    ++*requests;
    *equal += (uint32_t)got == counted;
}

static void atomics_of_global_memory(void **state)
{
    (void)state;
    each_pattern("atomg", check_sectors, 1064, 1020);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_stores), cmocka_unit_test(atomics_of_shared_memory),
        cmocka_unit_test(constants), cmocka_unit_test(atomics_of_global_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
