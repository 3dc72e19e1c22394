/* SPDX-License-Identifier: Apache-2.0 */
/* One basic block of a kernel that a warp goes through.
 *
 * Models: the block as timing_issue.c issues it, but with loads from memory whose data is there at once: so
 * it follows how long a request comes after the one before, and what it has to wait for besides: data of
 * loads of earlier blocks, or of loads of its own that stand before in a chain. What units the instructions
 * between take.
 *
 * Does not model: what timing_kernel_path.c does not; sums in shared memory that conflict with those of other
 * warps.
 *
 * Sources: those of timing_kernel_path.c; that L2 takes longer for sums of floats: red_f32 of
 * tests/hw/memory, global_red_double of tests/hw/timing, beside the same of integers, and where all go to one
 * line red_apart_float of tests/hw/memory/contention.def. */
#include "timing_intervals_priv.h"

/* inferred: of additions that would be better off elsewhere, logic_4, select_4, shift_4 */
#define MOVED_SHARE 0.92
/* inferred (red_apart, as above): of those that a slice of L2 does at once; wider ones take twice as long */
enum { ATOMIC_BYTES = 4 };

struct load {
    struct sass_units units;
    double tensor, shared; /* cycles of a multiprocessor's units */
    double either;         /* of the first two pipes: what goes where there is room */
};

struct visit { /* of one block */
    struct timing_issue issue;
    struct timing_ready last; /* request */
    struct load all, since;   /* since the last request */
    uint32_t deepest;
    uint32_t requests;
};

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* ---- one block */

static uint64_t intervals_block_requests_of(const struct timing_intervals *p, const struct event_instr *i)
{
    uint64_t global = sass_count(&p->m.sass, i->slots.access[EVENT_ACCESS_GLOBAL].requests),
             local = sass_count(&p->m.sass, i->slots.access[EVENT_ACCESS_LOCAL].requests),
             texture = sass_count(&p->m.sass, i->slots.access[EVENT_ACCESS_TEXTURE].requests);
    uint64_t most = global > local ? global : local;
    if (i->space == ISA_SPACE_CONST && i->is_read) most = sass_count(&p->m.sass, i->slots.on_warps);
    return most > texture ? most : texture;
}

double timing_intervals_more(const struct timing_intervals *p, uint32_t number)
{
    enum { RARE = 8 }; /* assumed */
    const struct event_instr *i = &p->m.sass.kernel->instrs[number];
    if (timing_phase_of(i) != TIMING_PHASE_NONE) return sass_count(&p->m.sass, i->slots.warps) > 0;
    uint64_t warps = sass_count(&p->m.sass, i->slots.warps), requests = intervals_block_requests_of(p, i);
    if (event_is_wide_barrier(i)) return 1;
    if (!warps || requests * RARE < warps) return 0;
    return requests < warps ? (double)warps / (double)requests : 1;
}

bool timing_intervals_may_request(const struct timing_intervals *p, uint32_t number)
{
    const struct event_instr *i = &p->m.sass.kernel->instrs[number];
    const struct event_access_slots *a = i->slots.access;
    if (timing_phase_of(i) != TIMING_PHASE_NONE) return true;
    if (event_is_wide_barrier(i)) return true;
    if (i->space == ISA_SPACE_CONST && i->is_read) return true;
    return a[EVENT_ACCESS_GLOBAL].requests != EVENT_NO_SLOT ||
           a[EVENT_ACCESS_LOCAL].requests != EVENT_NO_SLOT ||
           a[EVENT_ACCESS_TEXTURE].requests != EVENT_NO_SLOT;
}

static double shared_passes(const struct timing_intervals *p, uint32_t number)
{
    const struct event_instr *i = &p->m.sass.kernel->instrs[number];
    const struct event_access_slots *s = &i->slots.access[EVENT_ACCESS_SHARED];
    double requests = (double)sass_count(&p->m.sass, s->requests),
           units = (double)sass_count(&p->m.sass, s->units);
    uint8_t merged = p->m.sass.lower[number].merged;
    if (merged) return merged == SASS_MERGED ? 0 : merged > 8 ? 2 : 1;
    double passes = requests > 0 ? units / requests * timing_pass_cycles(&p->m) : 0;
    /* Where lanes of a warp share an address, other warps' lanes do: one sum after the other. */
    double iterations = timing_spin_iterations(&p->m, i);
    if (iterations > 1) passes += iterations * TIMING_SPIN_CYCLES * (iterations < 2 ? iterations - 1 : 1);
    return larger(passes, (double)SW_WARP_LANES / p->m.sass.pipes->load);
}

static void add_load(const struct timing_intervals *p, uint32_t number, struct load *to)
{
    const struct sass_lower *l = &p->m.sass.lower[number];
    sass_units_add(&p->m.sass, number, &to->units);
    to->either += sass_either(l) * SW_WARP_LANES * p->m.sass.pipes->schedulers / p->m.sass.pipes->integer;
    if (l->kind == SASS_TENSOR && p->m.sass.pipes->tensor)
        to->tensor += timing_matrix_work(&p->m.sass.kernel->instrs[number].isa) /
                      (p->m.sass.pipes->tensor * (double)p->m.sass.p->sm_tensor_percent / 100);
    bool requests = p->more[number] > 0; /* its lines are the replay's */
    if ((l->kind == SASS_MEMORY && !requests) || l->kind == SASS_SHUFFLE)
        to->shared += shared_passes(p, number);
}

uint32_t timing_intervals_rounded(double value)
{
    return value <= 0 ? 0 : value >= (double)(UINT32_MAX / 4) ? UINT32_MAX / 4 : (uint32_t)(value + 0.5);
}

static uint32_t ticks(double cycles)
{
    enum { TICK = 16 }; /* definition: struct model_interval */
    return timing_intervals_rounded(cycles * TICK);
}

static uint32_t chain_ticks(double cycles)
{
    return cycles < 0 ? MODEL_NO_CHAIN : ticks(cycles);
}

/* Units' part of an interval that is executed so many times for each request. */
static void set_work(const struct timing_intervals *p, const struct load *l, double times,
                     struct model_interval *interval)
{
    double schedulers = p->m.sass.pipes->schedulers, math = l->tensor;
    const double *pipes = l->units.pipes;
    double multiply = pipes[SASS_MULTIPLIER] - l->either / 2, integers = pipes[1] - l->either / 2;
    double moved = (l->either + integers - multiply) / 2, most = MOVED_SHARE * l->either;
    moved = moved < 0 ? 0 : moved > most ? most : moved; /* additions go where there is room */
    double floats = sass_fma_cycles(&p->m.sass, pipes[0], multiply + moved);
    math = larger(math, larger(floats, integers + l->either - moved) / schedulers);
    for (uint32_t i = 2; i < SASS_MULTIPLIER; i++)
        math = larger(math, pipes[i] / schedulers);
    double reads = larger(math, (l->units.slots + l->units.held) / schedulers);
    interval->banks = timing_intervals_rounded(times * (reads - math) * 1000);
    interval->issue = timing_intervals_rounded(times * l->units.slots / schedulers * 100 /
                                               (double)p->m.sass.p->replay_issue_percent * 1000);
    interval->math = timing_intervals_rounded(times * reads * 1000);
    interval->shared = timing_intervals_rounded(times * l->shared * 1000);
}

/* Iterations of an unrolled loop whose loads wait at the same time: as many as have room for what they bring.
 */
static uint8_t waiting_iterations(const struct timing_intervals *p, uint32_t number)
{
    enum { WORDS = 16, WORD = 4 }; /* inferred: 8 and 32 are further off over launches of even number */
    const struct event_kernel *kernel = p->m.sass.kernel;
    const struct event_block *block = &kernel->blocks[kernel->instrs[number].block];
    uint32_t words = 0;
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        if (kernel->instrs[i].is_read && p->more[i] > 0)
            words += kernel->instrs[i].bytes > WORD ? kernel->instrs[i].bytes / WORD : 1;
    uint8_t iterations = p->m.sass.lower[number].unroll;
    while (iterations > 1 && iterations * words > WORDS)
        iterations /= 2;
    return iterations;
}

/* What a slice of L2 takes for the instruction's atomics. Those of one line: integers of 8 bytes as those of
 * 4 (tests/hw/uniform_atomics.cu). */
static void set_atomic(const struct timing_intervals *p, const struct event_instr *i, struct model_step *step)
{
    bool floats =
        event_has(i, ISA_MOD_ADD) && (isa_has_type(&i->isa, ISA_F32) || isa_has_type(&i->isa, ISA_F64));
    uint64_t each = p->m.sass.p->l2_same_millicycles, work = each * (i->bytes > ATOMIC_BYTES ? 2 : 1);
    step->atomic = (uint32_t)(floats ? work * p->m.sass.p->replay_float_percent / 100 : work);
    step->atomic_alone = (uint32_t)(floats ? each * p->m.sass.p->replay_alone_percent / 100 : each);
}

/* Only what nobody writes while the kernel runs is loaded before others have come to a barrier. */
static bool is_fence(const struct timing_intervals *p, uint32_t number)
{
    const struct event_kernel *kernel = p->m.sass.kernel;
    const struct event_block *block = &kernel->blocks[kernel->instrs[number].block];
    bool changing = false;
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        changing |= p->m.sass.lower[i].kind == SASS_MEMORY && kernel->instrs[i].is_read && p->more[i] > 0 &&
                    !event_has(&kernel->instrs[i], ISA_MOD_NC);
    return changing && p->m.sass.lower[number].kind == SASS_BARRIER;
}

static void make_request(struct timing_intervals *p, struct visit *v, uint32_t number,
                         const struct timing_ready *start, bool record)
{
    if (record) {
        struct model_step *step = &p->steps[number];
        step->block = p->m.sass.kernel->instrs[number].block;
        step->level = start->level;
        step->iterations = waiting_iterations(p, number);
        step->fences = is_fence(p, number);
        set_atomic(p, &p->m.sass.kernel->instrs[number], step);
        step->before = (struct model_interval){.path = ticks(start->time - v->last.time),
                                               .chain = chain_ticks(larger(start->old, start->fresh)),
                                               .fresh = MODEL_NO_CHAIN};
        set_work(p, &v->since, p->more[number], &step->before);
        v->since = (struct load){0};
    }
    v->requests++;
    if (start->time > v->last.time) v->last = *start;
    if (start->level > v->deepest) v->deepest = start->level;
}

/* When a load's data is there, by itself. */
static struct timing_ready data_of(struct visit *v, const struct timing_ready *start, double time)
{
    uint32_t level = start->level + 1;
    bool chained = start->fresh >= 0 && level < TIMING_LEVELS;
    double *waited = &v->issue.waited[level];
    if (chained && (*waited <= 0 || start->fresh < *waited)) *waited = start->fresh;
    return (struct timing_ready){.time = time, .old = TIMING_NO_CHAIN, .level = level};
}

static void issue_instr(struct timing_intervals *p, struct visit *v, uint32_t number, bool record)
{
    const struct event_instr *i = &p->m.sass.kernel->instrs[number];
    const struct sass_lower *l = &p->m.sass.lower[number];
    struct timing_ready start = timing_issue_start(&v->issue, number);
    bool requests = p->more[number] > 0;
    add_load(p, number, &v->all);
    add_load(p, number, &v->since);
    if (requests) make_request(p, v, number, &start, record);
    enum timing_phase phase = timing_phase_of(i);
    bool is_load = requests && l->kind != SASS_BARRIER && phase == TIMING_PHASE_NONE,
         memory = is_load && l->kind == SASS_MEMORY;
    bool replayed =
        requests && (l->kind == SASS_BARRIER || phase == TIMING_PHASE_WAIT); /* the replay knows */
    struct timing_ready done = timing_ready_later(
        start, memory || replayed ? 0 : p->m.sass.latency[number]); /* a constant may be at hand */
    if (is_load) done = data_of(v, &start, done.time);
    timing_issue_end(&v->issue, number, &start, &done);
}

/* What is still on its way when a block ends, as the next one sees it. */
static void pass_on(struct timing_intervals *p, const struct visit *visit, double end)
{
    const struct timing_ready *latest = &visit->issue.latest;
    double waited = larger(latest->old, latest->fresh);
    for (uint32_t r = 0; r < timing_values(p->m.sass.kernel); r++) {
        struct timing_ready *v = &p->ready[r];
        timing_ready_deepen(&visit->issue, v, latest->level);
        double since = larger(v->old, v->fresh);
        *v = timing_ready_at(larger(v->time - end, 0));
        if (since >= 0 && waited < 0) v->old = since;
        if (since >= 0 && waited >= 0) v->time = larger(v->time, since - waited);
    }
}

static double path_end(const struct timing_intervals *p, const struct visit *v, uint32_t b)
{
    double end = v->issue.latest.time + (v->all.units.slots > 0);
    end = larger(end, sass_units_cycles(&p->m.sass, &v->all.units));
    end += timing_branch_cycles(&p->m, b);
    return end + timing_split_share(&p->m, b) * (double)p->m.sass.p->sm_diverge_cycles;
}

/* Block b behind what p->ready has; *after: from its last request to its end. */
static uint32_t run_block(struct timing_intervals *p, uint32_t b, bool record, struct model_interval *after)
{
    const struct event_block *block = &p->m.sass.kernel->blocks[b];
    struct visit v = {.last = timing_ready_at(0)};
    struct timing_ready *latest = &v.issue.latest;
    timing_issue_begin(&v.issue, &p->m, p->ready, 0);
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        issue_instr(p, &v, i, record);
    double delay = p->delays[b], end = path_end(p, &v, b) + delay;
    if (latest->old >= 0) latest->old += delay;
    if (latest->fresh >= 0) latest->fresh += delay;
    bool own = latest->fresh >= 0 && latest->level > v.deepest;
    *after =
        (struct model_interval){.path = ticks(end - v.last.time),
                                .chain = chain_ticks(own ? latest->old : larger(latest->old, latest->fresh)),
                                .fresh = own ? chain_ticks(latest->fresh) : MODEL_NO_CHAIN};
    if (own && after->chain < after->fresh) after->chain = after->fresh;
    set_work(p, &v.since, 1, after);
    pass_on(p, &v, end);
    return v.requests;
}

/* Runs block `one`, if any, after the one before it, with nothing on its way. */
static void run_before(struct timing_intervals *p, uint32_t one)
{
    uint32_t two = one == EVENT_NO_BLOCK ? one : timing_block_before(&p->m, one);
    for (uint32_t r = 0; r < timing_values(p->m.sass.kernel); r++)
        p->ready[r] = timing_ready_at(0);
    struct model_interval ignored;
    if (two != EVENT_NO_BLOCK) run_block(p, two, false, &ignored);
    if (one != EVENT_NO_BLOCK) run_block(p, one, false, &ignored);
}

uint32_t timing_intervals_block(struct timing_intervals *p, uint32_t b, struct model_interval *after)
{
    run_before(p, timing_block_before(&p->m, b));
    return run_block(p, b, true, after);
}

bool timing_intervals_waits(struct timing_intervals *p, uint32_t b)
{
    const uint32_t *before = p->m.sass.kernel->blocks[b].before;
    uint32_t from = EVENT_NO_BLOCK;
    for (uint32_t i = 0; i < EVENT_BLOCK_BEFORE; i++) {
        if (before[i] == EVENT_NO_BLOCK || before[i] == b) continue;
        bool more = from == EVENT_NO_BLOCK ||
                    sass_block_count(&p->m.sass, before[i]) > sass_block_count(&p->m.sass, from);
        if (more) from = before[i];
    }
    if (from == EVENT_NO_BLOCK) return false;
    struct model_interval after;
    run_before(p, from);
    run_block(p, b, false, &after);
    return after.chain != MODEL_NO_CHAIN || after.fresh != MODEL_NO_CHAIN;
}
