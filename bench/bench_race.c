/* SPDX-License-Identifier: Apache-2.0 */
/* The race detector alone (src/race), without the engine whose accesses it looks at: nanoseconds of an access
 * of a full warp. The accesses are those of whole launches, block by block, made up here. Times are the
 * thread's own, least of the rounds. usage: bench_race [-r ROUNDS] [PATTERN...] */
#include "race/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARPS = 8, BLOCK_BYTES = WARPS * 128, BLOCKS = 500, LAUNCHES = 8 };
static const uint64_t IN = UINT64_C(1) << 32, OUT = UINT64_C(2) << 32, SHARED = UINT64_C(3) << 32;

struct work {
    struct race *race;
    struct race_block *block;
    uint64_t number, accesses, races;
};

static void count_race(void *user, const struct race_found *found)
{
    (void)found;
    ((struct work *)user)->races++;
}

static void access(struct work *w, uint32_t warp, bool writes, uint64_t first, int64_t stride, uint32_t bytes)
{
    struct race_access what = {.site = writes, .bytes = bytes, .reads = !writes, .writes = writes};
    race_access_affine(w->block, warp, &what, first, stride, ~0u);
    w->accesses++;
}

/* out[i] = in[i] */
static void copy(struct work *w)
{
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        uint64_t at = w->number * BLOCK_BYTES + warp * 128;
        access(w, warp, false, IN + at, 4, 4);
        access(w, warp, true, OUT + at, 4, 4);
    }
}

/* Rows that warps write and read in turn, with barriers between: nothing misses a cache. */
static void rows(struct work *w)
{
    for (uint32_t k = 0; k < 16; k++) {
        for (uint32_t warp = 0; warp < WARPS; warp++)
            access(w, warp, true, SHARED + warp * 128, 4, 4);
        race_block_sync(w->block);
        for (uint32_t warp = 0; warp < WARPS; warp++)
            access(w, warp, false, SHARED + (warp * 3 + k) % WARPS * 128, 4, 4);
        race_block_sync(w->block);
    }
}

static void copy16(struct work *w)
{
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        uint64_t at = w->number * BLOCK_BYTES * 4 + warp * 512;
        access(w, warp, false, IN + at, 16, 16);
        access(w, warp, true, OUT + at, 16, 16);
    }
}

/* A copy between host and device: one thread, 1 MiB. Nanoseconds of it all. */
static void big(struct work *w)
{
    bool writes = w->number % 2;
    struct race_access what = {.bytes = 1 << 20, .writes = writes, .reads = !writes};
    if (w->number >= 8) return;
    race_access_affine(w->block, 0, &what, (what.writes ? OUT : IN) + w->number / 2 * what.bytes, 0, 1);
    w->accesses++;
}

/* A tile is written, read by columns, and written again: 8 warps, 32 x 33 words. */
static void tile(struct work *w)
{
    for (uint32_t k = 0; k < 8; k++) {
        for (uint32_t warp = 0; warp < WARPS; warp++)
            for (uint32_t y = 0; y < 4; y++)
                access(w, warp, true, SHARED + (warp * 4 + y) * 33 * 4, 4, 4);
        race_block_sync(w->block);
        for (uint32_t warp = 0; warp < WARPS; warp++)
            for (uint32_t y = 0; y < 4; y++)
                access(w, warp, false, SHARED + (warp * 4 + y) * 4, 33 * 4, 4);
        race_block_sync(w->block);
    }
}

/* Matrix multiplication: a row's element for all lanes, a column for each, of matrices that all blocks read.
 */
static void product(struct work *w)
{
    for (uint32_t warp = 0; warp < WARPS; warp++)
        for (uint32_t k = 0; k < 32; k++) {
            access(w, warp, false, IN + (w->number / 16 % 16 * WARPS + warp) * 4096 + k * 4, 0, 4);
            access(w, warp, false, OUT + k * 4096 + w->number % 16 * 128, 4, 4);
        }
}

/* Bins that all blocks add to. */
static void histogram(struct work *w)
{
    struct race_access what = {
        .bytes = 4, .reads = true, .writes = true, .strong = true, .scope = RACE_SCOPE_GPU};
    for (uint32_t warp = 0; warp < WARPS; warp++)
        for (uint32_t k = 0; k < 8; k++) {
            uint64_t addresses[32];
            for (uint32_t l = 0; l < 32; l++)
                addresses[l] = IN + (w->number * 97 + warp * 131 + k * 37 + l * 61) * 2654435761u % 4096 * 4;
            race_access(w->block, warp, &what, addresses, ~0u);
            w->accesses++;
        }
}

/* All warps poll one flag. */
static void poll(struct work *w)
{
    struct race_access what = {.bytes = 4, .reads = true, .strong = true, .scope = RACE_SCOPE_GPU};
    for (uint32_t k = 0; k < 20; k++)
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            race_access_affine(w->block, warp, &what, IN, 0, 1);
            w->accesses++;
        }
}

static const struct pattern {
    const char *name;
    void (*block)(struct work *work);
    bool complex;
} PATTERNS[] = {{"copy", copy, false},
                {"copy16", copy16, false},
                {"rows", rows, false},
                {"big", big, false},
                {"tile", tile, false},
                {"product", product, false},
                {"histogram", histogram, false},
                {"poll", poll, false},
                {"complex-copy", copy, true},
                {"complex-tile", tile, true},
                {"complex-product", product, true},
                {"complex-poll", poll, true},
                {"complex-histogram", histogram, true}};

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds of an access in launches one after the other. */
static double run(const struct pattern *pattern, uint64_t *races)
{
    struct work w = {0};
    struct race_config config = {.found = count_race, .user = &w};
    w.race = race_new(&config);
    double begin = now_ns();
    for (uint64_t task = 0; task < LAUNCHES; task++) {
        race_task_begin(w.race, task);
        if (task) race_task_after(w.race, task, task - 1);
        for (w.number = 0; w.number < BLOCKS; w.number++) {
            w.block = race_block_begin(w.race, task, w.number, WARPS * 32, pattern->complex);
            pattern->block(&w);
            race_block_end(w.block);
            race_forget(w.race, SHARED, 32 * 33 * 4);
        }
        race_task_end(w.race, task);
    }
    double ns = (now_ns() - begin) / (double)w.accesses;
    *races = w.races;
    race_free(w.race);
    return ns;
}

int main(int argc, char **argv)
{
    int rounds = 3, first = 1;
    if (argc > 2 && !strcmp(argv[1], "-r")) rounds = atoi(argv[2]), first = 3;
    for (size_t i = 0; i < SW_COUNT_OF(PATTERNS); i++) {
        bool wanted = first >= argc;
        for (int a = first; a < argc; a++)
            wanted |= !strcmp(argv[a], PATTERNS[i].name);
        if (!wanted) continue;
        double best = 1e30;
        uint64_t races = 0;
        for (int r = 0; r < rounds; r++) {
            double ns = run(&PATTERNS[i], &races);
            if (ns < best) best = ns;
        }
        printf("%-16s %8.1f ns an access, %llu races\n", PATTERNS[i].name, best, (unsigned long long)races);
    }
    return 0;
}
