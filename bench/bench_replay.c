/* SPDX-License-Identifier: Apache-2.0 */
/* The replay of requests alone (src/model), without the engine that makes them: how many lines and requests a
 * second one host thread plays, and how many bytes the model holds. Requests are those of whole launches with
 * every multiprocessor in detail: what each warp asks for is made up here, a round at a time. Times are the
 * thread's own, least of the rounds; the sums in the last columns must not change when only the speed should.
 * usage: bench_replay [-r ROUNDS] [-g GPU] [PATTERN...] */
#include "model/sm/model_memory.h"
#include "timing/timing_intervals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIRST, SECOND, THIRD, INSTRS, WARPS = 8, BLOCKS_OF_SM = 8, REQUESTS = 24, LINES = 32 };
static const struct event_instr instrs[INSTRS] = {
    [FIRST] = {.cls = ISA_CLASS_LOAD, .op = "ld.global.f32"},
    [SECOND] = {.cls = ISA_CLASS_LOAD, .op = "ld.global.f32"},
    [THIRD] = {.cls = ISA_CLASS_STORE, .op = "st.global.f32"},
};
static const struct event_kernel kernel = {.name = "k", .instr_count = INSTRS, .instrs = instrs};

struct warp { /* what it asked for, behind what those before it did */
    struct event_request *requests;
    uint64_t *lines;
    uint32_t count, line_count;
};

static void ask(struct warp *w, uint32_t instr, enum event_access_kind kind)
{
    w->requests[w->count++] =
        (struct event_request){.instr = instr, .kind = (uint8_t)kind, .space = ISA_SPACE_GLOBAL};
}

static void add(struct warp *w, uint64_t number, uint64_t sectors, uint64_t partial)
{
    uint64_t part = partial ? sectors << EVENT_LINE_PARTIAL | (partial - 1) << EVENT_LINE_WORDS : 0;
    w->lines[w->line_count++] = part | number << EVENT_LINE_SECTORS | sectors;
    w->requests[w->count - 1].lines++;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

enum { SIDE = 4096, COLUMN_LINES = SIDE / 32, FAR = 1 << 20, OUT = 2 << 20, NEAR = 2048 };

/* out[x][y] = in[y][x], as bench.c's: a block of 8 warps has a tile of 32 x 32. */
static void transpose(struct warp *w, uint64_t block, uint32_t warp)
{
    uint64_t x = block % COLUMN_LINES, y = block / COLUMN_LINES % COLUMN_LINES * 32 + warp;
    for (uint32_t k = 0; k < 4; k++, y += 8) {
        ask(w, FIRST, EVENT_KIND_LOAD);
        add(w, y * COLUMN_LINES + x, 15, 0);
        ask(w, THIRD, EVENT_KIND_STORE);
        for (uint64_t lane = 0; lane < 32; lane++)
            add(w, OUT + (x * 32 + lane) * COLUMN_LINES + y / 32, 1u << y % 32 / 8, 1);
    }
}

static void gather(struct warp *w, uint64_t block, uint32_t warp, bool far)
{
    uint64_t n = block * WARPS + warp;
    ask(w, FIRST, EVENT_KIND_LOAD);
    add(w, OUT + n, 15, 0);
    ask(w, SECOND, EVENT_KIND_LOAD);
    for (uint64_t lane = 0; lane < 32; lane++) {
        uint64_t at = mix(n * 32 + lane);
        add(w, far ? at % FAR : at % NEAR, 1u << (at >> 60 & 3), 0);
    }
    ask(w, THIRD, EVENT_KIND_STORE);
    add(w, OUT + FAR + n, 15, 0);
}

static void gather_far(struct warp *w, uint64_t block, uint32_t warp)
{
    gather(w, block, warp, true);
}

static void gather_near(struct warp *w, uint64_t block, uint32_t warp)
{
    gather(w, block, warp, false);
}

static void copy(struct warp *w, uint64_t block, uint32_t warp)
{
    for (uint64_t k = 0; k < 8; k++) {
        uint64_t n = (block * 8 + k) * WARPS + warp;
        ask(w, FIRST, EVENT_KIND_LOAD);
        add(w, n % FAR, 15, 0);
        ask(w, THIRD, EVENT_KIND_STORE);
        add(w, OUT + n % FAR, 15, 0);
    }
}

/* Shared data, found in L1 or by multiprocessors together, and no stores. */
static void reuse(struct warp *w, uint64_t block, uint32_t warp)
{
    for (uint64_t k = 0; k < 20; k++) {
        ask(w, k & 1 ? SECOND : FIRST, EVENT_KIND_LOAD);
        add(w, k & 1 ? block % 64 * 20 + k : (warp + k * 8) % 4096, 15, 0);
    }
}

static void scatter(struct warp *w, uint64_t block, uint32_t warp)
{
    ask(w, THIRD, EVENT_KIND_RED);
    for (uint64_t lane = 0; lane < 32; lane++) {
        uint64_t at = mix((block * WARPS + warp) * 32 + lane);
        add(w, at % FAR, 1u << (at >> 60 & 3), 0);
    }
}

static const struct pattern {
    const char *name;
    void (*make)(struct warp *w, uint64_t block, uint32_t warp);
    uint32_t blocks;
} patterns[] = {
    {"transpose", transpose, COLUMN_LINES *COLUMN_LINES / 8},
    {"gather_far", gather_far, 4096},
    {"gather_near", gather_near, 4096},
    {"scatter", scatter, 4096},
    {"copy", copy, 4096},
    {"reuse", reuse, 4096},
};

struct scene {
    struct arch_gpu gpu;
    struct model_memory *memory;
    struct event_launch launch;
    struct event_residency residency;
    struct model_step steps[INSTRS];
    struct model_costs costs;
    struct event_request *requests;
    uint64_t *all_lines;
    struct event_stream *streams;
    double seconds;
    uint64_t line_count, request_count;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Blocks from `first` on, one in each CTA slot, as the engine deals them: neighbours on different
 * multiprocessors. */
static void play_round(struct scene *s, const struct pattern *p, uint32_t first)
{
    uint32_t sms = s->residency.sm_count, count = 0;
    struct warp w = {.requests = s->requests, .lines = s->all_lines};
    for (uint32_t sm = 0; sm < sms; sm++)
        for (uint32_t slot = 0; slot < BLOCKS_OF_SM; slot++)
            for (uint32_t warp = 0; warp < WARPS; warp++) {
                uint32_t block = first + slot * sms + sm;
                if (block >= p->blocks) continue;
                w = (struct warp){.requests = w.requests + w.count, .lines = w.lines + w.line_count};
                p->make(&w, block, warp);
                s->line_count += w.line_count;
                s->request_count += w.count;
                s->streams[count++] = (struct event_stream){.block = block,
                                                            .warp = warp,
                                                            .sm = sm,
                                                            .slot = slot,
                                                            .request_count = w.count,
                                                            .requests = w.requests,
                                                            .lines = w.lines,
                                                            .ended = true};
            }
    double begin = now();
    model_memory_round(s->memory, &(struct event_round){.count = count, .streams = s->streams}, &s->costs);
    s->seconds += now() - begin;
}

static void play(struct scene *s, const struct pattern *p, uint32_t rounds)
{
    double least = 0;
    uint64_t sum = 0, cycles = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        s->seconds = 0;
        s->line_count = s->request_count = 0;
        s->launch.grid[0] = p->blocks;
        model_memory_launch_begin(s->memory, &s->launch, &s->residency, 0, true);
        for (uint32_t block = 0; block < p->blocks; block += s->residency.sm_count * BLOCKS_OF_SM)
            play_round(s, p, block);
        const struct event_memory *r = model_memory_launch_end(s->memory, &s->launch);
        if (!round || s->seconds < least) least = s->seconds;
        cycles = r->cycles;
        const uint64_t *words = (const uint64_t *)(const void *)&r->total;
        for (size_t i = 0; i < sizeof r->total / sizeof *words; i++)
            sum = mix(sum ^ words[i]);
        sum = mix(sum ^ r->l2_writebacks ^ cycles);
        for (size_t i = 0; i < EVENT_STALL_COUNT; i++)
            sum = mix(sum ^ r->waits.cycles[i]);
    }
    printf("%-12s %8.2f %10.2f %8.1f %10.1f %10llu %016llx\n", p->name, (double)s->line_count / least / 1e6,
           (double)s->request_count / least / 1e6, least / (double)s->line_count * 1e9,
           (double)model_memory_bytes(s->memory) / (1 << 20), (unsigned long long)cycles,
           (unsigned long long)sum);
}

static bool is_asked(const char *name, char **names, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name)) return true;
    return !count;
}

int main(int argc, char **argv)
{
    struct scene s = {
        .residency = {.blocks_per_sm = BLOCKS_OF_SM, .warps_per_block = WARPS, .l1_bytes = 224 << 10}};
    const char *gpu = "h200";
    uint32_t rounds = 3;
    int at = 1;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2)
        if (argv[at][1] == 'g')
            gpu = argv[at + 1];
        else
            rounds = (uint32_t)atoi(argv[at + 1]);
    if (arch_gpu_load(gpu, &s.gpu, NULL) != SW_OK) return fprintf(stderr, "no GPU '%s'\n", gpu), 2;
    s.residency.sm_count = (uint32_t)s.gpu.sm_count;
    s.memory = model_memory_new(&s.gpu, arch_cc_find(s.gpu.cc_major, s.gpu.cc_minor));
    s.launch = (struct event_launch){.kernel = &kernel, .grid = {1, 1, 1}};
    for (int i = 0; i < INSTRS; i++)
        s.steps[i] = (struct model_step){
            .level = i == SECOND,
            .atomic = (uint32_t)s.gpu.cache.l2_cycles,
            .before = {.path = 160,
                       .chain = i == FIRST ? MODEL_NO_CHAIN : 64,
                       .fresh = MODEL_NO_CHAIN,
                       .issue = 2000,
                       .math = 500},
            .after = {.path = 160, .chain = MODEL_NO_CHAIN, .fresh = MODEL_NO_CHAIN, .issue = 1000}};
    s.costs = (struct model_costs){.steps = s.steps, .rates = timing_rates(&s.gpu)};
    size_t places = (size_t)s.residency.sm_count * BLOCKS_OF_SM * WARPS;
    s.requests = calloc(places * REQUESTS, sizeof *s.requests);
    s.all_lines = calloc(places * REQUESTS * LINES, sizeof *s.all_lines);
    s.streams = calloc(places, sizeof *s.streams);
    if (!s.requests || !s.all_lines || !s.streams) return 1;
    printf("%-12s %8s %10s %8s %10s %10s\n", "", "Mlines/s", "Mrequest/s", "ns/line", "MiB", "cycles");
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (is_asked(patterns[i].name, argv + at, argc - at)) play(&s, &patterns[i], rounds);
    model_memory_delete(s.memory);
    free(s.requests);
    free(s.all_lines);
    free(s.streams);
    return 0;
}
