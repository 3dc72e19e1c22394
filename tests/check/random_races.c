/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: racecheck agrees with an exhaustive checker of happens-before on random kernels. Method: straight
 * kernels of accesses to a tile in shared or a buffer in global memory, barriers of the block, of some of its
 * warps, of a warp, arrivals, and asynchronous copies, under guards. The checker keeps every access of every
 * thread, and of each thread and its copies a vector clock of all others; what it finds does not depend on
 * the order in which threads run. A kernel has a finding if and only if it has a race; each finding is a pair
 * of lines that race at its address, and its later side a thread that takes part; a read may stand for
 * others. Limits: no order by atomics (tests/unit/race has that); what is found of each byte is its first
 * race, so that not every pair has a finding. usage: random_races KERNELS [SEED] [ISA] */
#include "engine/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    OPS_MOST = 18,
    THREADS_MOST = 96,
    AGENTS = 2 * THREADS_MOST, /* a thread's copies are another */
    BLOCKS_MOST = 2,
    BYTES = 512,
    BARRIERS = 16,
    PAIRS = OPS_MOST * OPS_MOST
};

static uint64_t rng_state;

static int below(int n)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return (int)(rng_state % (uint64_t)n);
}

/* ---- a kernel */

enum operation { READ, WRITE, COPY, WAIT, BLOCK_BARRIER, WARP_BARRIER, SOME_WARPS, ARRIVE_SYNC, OPERATIONS };
enum place { OWN, NEXT, REVERSED, SAME, OF_LANE, SPREAD, PLACES };
enum guard { ALWAYS, FEW, EVEN, ONE_WARP, GUARDS };

struct op {
    enum operation what;
    enum place place;
    enum guard guard;
    int number, few; /* of the place, of the guard; SOME_WARPS, ARRIVE_SYNC: of the barrier, so many warps */
    uint32_t line;
};

struct kernel {
    struct op op[OPS_MOST];
    int ops, threads, blocks, width; /* width: bytes of an access */
    bool global;
};

static struct op make_op(const struct kernel *k)
{
    static const enum operation kinds[] = {
        READ,          READ,         READ,       WRITE,       WRITE, WRITE, BLOCK_BARRIER,
        BLOCK_BARRIER, WARP_BARRIER, SOME_WARPS, ARRIVE_SYNC, COPY,  WAIT};
    int warps = k->threads / SW_WARP_LANES;
    struct op op = {.what = kinds[below(SW_COUNT_OF(kinds))],
                    .place = (enum place)below(PLACES),
                    .guard = (enum guard)below(GUARDS),
                    .number = below(k->threads),
                    .few = 1 + below(k->threads)};
    if (below(3)) op.guard = ALWAYS;
    if (op.what == COPY && (k->global || k->width != 4)) op.what = WRITE;
    if (op.what >= SOME_WARPS) op.few = 1 + below(warps);
    if (op.what == ARRIVE_SYNC && op.few == warps) op.what = BLOCK_BARRIER; /* nobody would wait */
    return op;
}

static void make_kernel(struct kernel *k)
{
    *k = (struct kernel){.threads = SW_WARP_LANES * (1 + below(THREADS_MOST / SW_WARP_LANES)),
                         .blocks = 1 + below(BLOCKS_MOST),
                         .width = below(4) ? 4 : 2,
                         .global = below(3) == 0,
                         .ops = 3 + below(OPS_MOST - 2)};
    bool careful = below(4) != 0; /* mostly a barrier between accesses */
    for (int i = 0, barrier = 1; i < k->ops; i++) {
        struct op *op = &k->op[i];
        *op = make_op(k);
        if (careful && i % 2 && below(8)) op->what = BLOCK_BARRIER;
        if (careful && op->what == WRITE && below(2)) op->place = OWN;
        if (op->what < SOME_WARPS) continue;
        op->number = barrier++; /* no two have one: warps that did not wait may come to the next */
        if (op->number >= BARRIERS) op->what = BLOCK_BARRIER;
    }
}

static bool takes_part(const struct op *op, int thread)
{
    switch (op->guard) {
    case FEW: return thread < op->few;
    case EVEN: return thread % 2 == 0;
    case ONE_WARP: return thread / SW_WARP_LANES == op->number / SW_WARP_LANES;
    case ALWAYS:
    case GUARDS:
    default: return true;
    }
}

/* In elements */
static int place_of(const struct kernel *k, const struct op *op, int thread)
{
    switch (op->place) {
    case OWN: return thread;
    case NEXT: return (thread + op->number) % k->threads;
    case REVERSED: return k->threads - 1 - thread;
    case SAME: return op->number;
    case OF_LANE: return thread % SW_WARP_LANES;
    case SPREAD:
    case PLACES:
    default: return thread * 5 % 64;
    }
}

/* ---- its text: %t thread, %e element, %a address, %v what it stores, which no other thread does */

static void add_place(struct str *t, const struct kernel *k, const struct op *op)
{
    switch (op->place) {
    case OWN: str_add(t, "mov.u32 %e, %t; "); break;
    case NEXT: str_printf(t, "add.u32 %%e, %%t, %d; rem.u32 %%e, %%e, %d; ", op->number, k->threads); break;
    case REVERSED: str_printf(t, "sub.u32 %%e, %d, %%t; ", k->threads - 1); break;
    case SAME: str_printf(t, "mov.u32 %%e, %d; ", op->number); break;
    case OF_LANE: str_add(t, "and.b32 %e, %t, 31; "); break;
    case SPREAD:
    case PLACES:
    default: str_add(t, "mul.lo.u32 %e, %t, 5; and.b32 %e, %e, 63; ");
    }
    str_printf(t, "mul.wide.u32 %%a, %%e, %d; add.u64 %%a, %%a, %%base; ", k->width);
}

static void add_guard(struct str *t, const struct op *op)
{
    switch (op->guard) {
    case FEW: str_printf(t, "setp.lt.u32 %%p, %%t, %d;\n@%%p ", op->few); break;
    case EVEN: str_add(t, "and.b32 %e, %t, 1; setp.eq.u32 %p, %e, 0;\n@%p "); break;
    case ONE_WARP:
        str_printf(t, "shr.u32 %%e, %%t, 5; setp.eq.u32 %%p, %%e, %d;\n@%%p ", op->number / SW_WARP_LANES);
        break;
    case ALWAYS:
    case GUARDS:
    default: str_add(t, "\n");
    }
}

static void add_access(struct str *t, const struct kernel *k, const struct op *op, int number)
{
    const char *space = k->global ? "global" : "shared", *reg = k->width == 4 ? "%v" : "%h";
    add_place(t, k, op);
    str_printf(t, "mad.lo.u32 %%v, %%block, %d, %%t; add.u32 %%v, %%v, %d; cvt.u16.u32 %%h, %%v; ",
               THREADS_MOST, 1 + number * THREADS_MOST * BLOCKS_MOST);
    add_guard(t, op);
    if (op->what == READ)
        str_printf(t, "ld.%s.u%d %s, [%%a];\n", space, 8 * k->width, reg);
    else if (op->what == WRITE)
        str_printf(t, "st.%s.u%d [%%a], %s;\n", space, 8 * k->width, reg);
    else
        str_add(t, "cp.async.ca.shared.global [%a], [%source], 4;\n");
}

static void add_op(struct str *t, const struct kernel *k, const struct op *op, int number)
{
    switch (op->what) {
    case WAIT: str_add(t, "cp.async.wait_all;\n"); break;
    case BLOCK_BARRIER: str_add(t, "bar.sync 0;\n"); break;
    case WARP_BARRIER: str_add(t, "bar.warp.sync 0xffffffff;\n"); break;
    case SOME_WARPS:
        str_printf(t, "setp.lt.u32 %%p, %%t, %d; @%%p bar.sync %d, %d;\n", op->few * SW_WARP_LANES,
                   op->number, op->few * SW_WARP_LANES);
        break;
    case ARRIVE_SYNC:
        str_printf(t, "setp.lt.u32 %%p, %%t, %d; @%%p bar.arrive %d, %d; @!%%p bar.sync %d, %d;\n",
                   op->few * SW_WARP_LANES, op->number, k->threads, op->number, k->threads);
        break;
    case READ:
    case WRITE:
    case COPY:
    case OPERATIONS:
    default: add_access(t, k, op, number);
    }
}

static uint32_t line_count(const struct str *t)
{
    uint32_t lines = 1;
    for (const char *c = str_text(t); *c; c++)
        lines += *c == '\n';
    return lines;
}

static void write_kernel(struct kernel *k, struct str *t)
{
    str_add(t, ".version 8.0\n.target sm_80\n.address_size 64\n.shared .align 16 .b8 tile[512];\n"
               ".visible .entry k(.param .u64 buffer, .param .u64 in)\n{\n"
               ".reg .pred %p; .reg .b16 %h; .reg .b32 %t, %e, %v, %block; .reg .b64 %a, %base, %source;\n"
               "mov.u32 %t, %tid.x; mov.u32 %block, %ctaid.x; ld.param.u64 %source, [in];\n");
    str_add(t, k->global ? "ld.param.u64 %base, [buffer];\n" : "mov.u64 %base, tile;\n");
    for (int i = 0; i < k->ops; i++) {
        add_op(t, k, &k->op[i], i);
        k->op[i].line = line_count(t) - 1; /* an access is the last line of its text */
    }
    str_add(t, "ret;\n}\n");
}

/* ---- the checker */

struct past { /* an access of a byte */
    int agent, time, op;
    bool writes;
};
static struct {
    int clock[AGENTS][AGENTS]; /* of an agent: up to which time of another all is known; its own time */
    struct past past[BYTES][OPS_MOST * AGENTS];
    int count[BYTES];
    uint8_t races[BYTES][PAIRS]; /* of an earlier and a later operation: 1: in a block, 2: of two blocks */
} model;

static void join(int *into, const int *from)
{
    for (int i = 0; i < AGENTS; i++)
        if (from[i] > into[i]) into[i] = from[i];
}

static bool knows(int agent, const struct past *before)
{
    return model.clock[agent][before->agent] >= before->time;
}

static void note_byte(int byte, struct past now)
{
    for (int i = 0; i < model.count[byte]; i++) {
        const struct past *old = &model.past[byte][i];
        if (old->agent == now.agent || !(old->writes || now.writes) || knows(now.agent, old)) continue;
        model.races[byte][old->op * OPS_MOST + now.op] |= 1;
    }
    model.past[byte][model.count[byte]++] = now;
}

static void model_access(const struct kernel *k, int number, int thread)
{
    const struct op *op = &k->op[number];
    int agent = op->what == COPY ? THREADS_MOST + thread : thread;
    if (!takes_part(op, thread)) return;
    if (agent != thread) join(model.clock[agent], model.clock[thread]);
    int time = ++model.clock[agent][agent], first = place_of(k, op, thread) * k->width;
    for (int byte = first; byte < first + k->width; byte++)
        note_byte(byte, (struct past){agent, time, number, op->what != READ});
}

/* Threads [first, end) and those of `also`, as many as there are: all know what each did. */
static void model_meet(int first, int end)
{
    static int all[AGENTS];
    memset(all, 0, sizeof all);
    for (int t = first; t < end; t++)
        join(all, model.clock[t]);
    for (int t = first; t < end; t++)
        join(model.clock[t], all);
}

static void model_arrive(int arrivers, int threads)
{
    static int before[AGENTS];
    memset(before, 0, sizeof before);
    for (int t = 0; t < arrivers; t++)
        join(before, model.clock[t]);
    for (int t = arrivers; t < threads; t++)
        join(model.clock[t], before);
    model_meet(arrivers, threads);
}

static void model_op(const struct kernel *k, int number)
{
    const struct op *op = &k->op[number];
    for (int t = 0; t < k->threads && op->what <= COPY; t++)
        model_access(k, number, t);
    for (int t = 0; t < k->threads && op->what == WAIT; t++)
        join(model.clock[t], model.clock[THREADS_MOST + t]);
    for (int w = 0; w < k->threads && op->what == WARP_BARRIER; w += SW_WARP_LANES)
        model_meet(w, w + SW_WARP_LANES);
    if (op->what == BLOCK_BARRIER) model_meet(0, k->threads);
    if (op->what == SOME_WARPS) model_meet(0, op->few * SW_WARP_LANES);
    if (op->what == ARRIVE_SYNC) model_arrive(op->few * SW_WARP_LANES, k->threads);
}

/* Blocks know nothing of each other, and do the same. */
static void model_blocks(const struct kernel *k)
{
    for (int byte = 0; byte < BYTES && k->global && k->blocks > 1; byte++)
        for (int i = 0; i < model.count[byte]; i++)
            for (int j = 0; j < model.count[byte]; j++) {
                const struct past *a = &model.past[byte][i], *b = &model.past[byte][j];
                if (a->writes || b->writes) model.races[byte][a->op * OPS_MOST + b->op] |= 2;
            }
}

/* The number of pairs of operations that race at a byte, over all bytes. */
static int model_run(const struct kernel *k)
{
    int races = 0;
    memset(model.clock, 0, sizeof model.clock);
    memset(model.count, 0, sizeof model.count);
    memset(model.races, 0, sizeof model.races);
    for (int i = 0; i < k->ops; i++)
        model_op(k, i);
    model_blocks(k);
    for (int byte = 0; byte < BYTES; byte++)
        for (int pair = 0; pair < PAIRS; pair++)
            races += model.races[byte][pair] != 0;
    return races;
}

/* ---- what is found */

enum { FINDINGS_MOST = 512 };
static struct event_finding found[FINDINGS_MOST];
static int found_count;

static void take_finding(const struct event_finding *finding)
{
    if (found_count < FINDINGS_MOST) found[found_count] = *finding;
    found_count++;
}

static uint64_t count_units(const struct event_rules *rules, const uint64_t address[32], lane_mask mask,
                            uint32_t bytes, uint32_t kind)
{
    (void)rules, (void)address, (void)mask, (void)bytes, (void)kind;
    return 0;
}
static uint64_t count_lanes(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                            uint32_t bytes)
{
    return count_units(rules, offset, mask, bytes, 0);
}
static const struct event_tool tool = {
    .checks = EVENT_CHECK_RACE,
    .probes = EVENT_PROBE_RACE_SHARED | EVENT_PROBE_RACE_GLOBAL,
    .rules = {.load_shift = 5, .store_shift = 5, .bank_bytes = 4},
    .count = {.global = count_units, .local = count_lanes, .shared = count_units, .constant = count_lanes}};

static int op_at(const struct kernel *k, uint32_t line)
{
    for (int i = 0; i < k->ops; i++)
        if (k->op[i].what <= COPY && k->op[i].line == line) return i;
    return -1;
}

/* Whether a finding is a race: NULL, or why not. A read may stand for other reads before it (race.h). */
static const char *judge(const struct kernel *k, const struct event_finding *f, dev_addr buffer)
{
    int before = op_at(k, f->other.line), now = op_at(k, f->place.line);
    uint64_t byte = k->global ? f->address - buffer : f->address;
    bool apart = f->place.block[0] != f->other.block[0];
    if (f->kind != EVENT_FINDING_RACE) return "is no race";
    if (before < 0 || now < 0) return "has a line that is no access";
    if (byte >= BYTES) return "has an address that nothing accesses";
    if (!takes_part(&k->op[now], (int)f->place.thread[0])) return "has a thread that takes no part";
    for (int other = 0; other < k->ops; other++) {
        int races = model.races[byte][other * OPS_MOST + now] | model.races[byte][now * OPS_MOST + other];
        bool stands = other != before && k->op[other].what == READ && k->op[before].what == READ;
        if ((other == before && races & (apart ? 2 : 1)) || (stands && races)) return NULL;
    }
    return "is ordered";
}

/* ---- runs */

struct world {
    struct vmem *vmem;
    struct engine *engine;
    dev_addr buffer, in;
    int racy, clean;
};

static int die(const char *what, const struct sw_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
    return 2;
}

static enum sw_status launch(struct world *w, const struct kernel *k, const char *text,
                             struct sw_error *error)
{
    struct ptx_module *ptx;
    struct engine_module *module = NULL;
    struct engine_kernel *kernel;
    dev_addr symbols[1] = {0}, params[2] = {w->buffer, w->in};
    found_count = 0;
    SW_TRY(ptx_parse(text, strlen(text), "random", &ptx, error));
    enum sw_status status = engine_module_new(w->engine, ptx, symbols, &module, error);
    if (status == SW_OK) status = engine_kernel_get(module, "k", &kernel, error);
    if (status == SW_OK) {
        struct engine_launch one = {.kernel = kernel,
                                    .grid = {(uint32_t)k->blocks, 1, 1},
                                    .block = {(uint32_t)k->threads, 1, 1},
                                    .params = params};
        status = engine_launch(w->engine, &one, error);
    }
    engine_module_free(module);
    ptx_module_free(ptx);
    return status;
}

static int try_kernel(struct world *w)
{
    struct kernel k;
    struct str text = {0};
    struct sw_error error = {0};
    const char *why = NULL;
    make_kernel(&k);
    write_kernel(&k, &text);
    int races = model_run(&k);
    if (launch(w, &k, str_text(&text), &error) != SW_OK) why = error.message;
    if (!why && !races != !found_count) why = races ? "a race is not found" : "something is found";
    for (int i = 0; i < found_count && i < FINDINGS_MOST && !why; i++) {
        why = judge(&k, &found[i], w->buffer);
        if (why)
            fprintf(stderr,
                    "finding at 0x%" PRIx64 ", lines %u and %u, threads %u and %u of blocks %u and %u\n",
                    found[i].address, found[i].other.line, found[i].place.line, found[i].other.thread[0],
                    found[i].place.thread[0], found[i].other.block[0], found[i].place.block[0]);
    }
    if (why) fprintf(stderr, "%d blocks of %d threads: %s\n%s\n", k.blocks, k.threads, why, str_text(&text));
    str_release(&text);
    *(races ? &w->racy : &w->clean) += 1;
    return why != NULL;
}

int main(int argc, char **argv)
{
    uint64_t kernels = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct world w = {0};
    struct sw_error error = {0};
    if (vmem_new(&w.vmem, &error) != SW_OK) return die("memory", &error);
    struct engine_config config = {.threads = 2,
                                   .isa = argc > 3 ? atoi(argv[3]) : -1,
                                   .vmem = w.vmem,
                                   .tool = &tool,
                                   .library_dir = SW_BUILD_DIR "/lib",
                                   .finding = take_finding};
    if (engine_new(&config, &w.engine, &error) != SW_OK) return die("engine", &error);
    if (vmem_alloc(w.vmem, BYTES, VMEM_DEVICE, 0, 0, 0, &w.buffer) != SW_OK ||
        vmem_alloc(w.vmem, BYTES, VMEM_DEVICE, 0, 0, 0, &w.in) != SW_OK)
        return 2;
    for (uint64_t i = 0; i < kernels; i++) {
        rng_state = (seed + i) * UINT64_C(0x9e3779b97f4a7c15) + 1;
        if (try_kernel(&w) == 0) continue;
        fprintf(stderr, "seed %" PRIu64 "\n", seed + i);
        return 1;
    }
    printf("%d kernels race, %d do not\n", w.racy, w.clean);
    engine_free(w.engine);
    vmem_free_all(w.vmem);
    return w.racy * 5 > w.clean && w.clean * 5 > w.racy ? 0 : 1; /* or little was looked at */
}
