/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a kernel.
 *
 * Models: what each unit (issue, pipes, shared memory, L1, L2, atomics, DRAM) would take if it alone limited
 * the launch, on the multiprocessor that has most blocks; what the warps' own latencies take, wave after
 * wave; handing out of blocks; the way to the first instruction. They are combined into one time as a mean of
 * a high power: near the largest where one stands out, above it where several are close. Where the requests
 * of the launch were replayed in time (model_clock.c), its time is that of the replay instead. Does not
 * model: warps and blocks that do more than the average of their launch, phases of a kernel that are bound by
 * different things, clocks that change with load. Sources: numbers by unit: arch_pipes.def, gpus/NAME.ini,
 * sass_lower.def. How far it is right: docs/accuracy.md. */
#include "timing_kernel_priv.h"

#include "isa/isa_matrix.h"

#include <math.h>
#include <stdlib.h>

const char *timing_limit_name(enum event_limit limit)
{
    static const char *const NAMES[EVENT_LIMIT_COUNT] = {
        "launch", "latency",       "issue", "FMA pipe", "ALU pipe", "FP64 pipe", "XU pipe", "tensor pipe",
        "LSU",    "shared memory", "L1",    "L2",       "atomics",  "DRAM",      "PCIe",    "peer link"};
    return NAMES[limit];
}

const char *timing_stall_name(enum event_stall stall)
{
    static const char *const NAMES[EVENT_STALL_COUNT] = {"selected",
                                                         "wait",
                                                         "long_scoreboard",
                                                         "short_scoreboard",
                                                         "barrier",
                                                         "not_selected",
                                                         "math_pipe_throttle",
                                                         "mio_throttle",
                                                         "lg_throttle",
                                                         "drain",
                                                         "membar"};
    return NAMES[stall];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void kernel_add_instr(const struct timing_model *m, uint32_t number, struct timing_work *w)
{
    const struct event_instr *i = &m->sass.kernel->instrs[number];
    const struct sass_lower *l = &m->sass.lower[number];
    double warps = (double)sass_count(&m->sass, i->slots.warps), lanes = SW_WARP_LANES * warps;
    struct sass_lower slow = sass_slow_path(&m->sass, i);
    double instructions = timing_instructions(m, number);
    w->instructions += instructions;
    w->busy[EVENT_LIMIT_ISSUE] +=
        instructions / m->sass.pipes->schedulers * 100 / (double)m->sass.p->issue_percent;
    w->busy[EVENT_LIMIT_FMA] += lanes * l->half / sass_half_rate(&m->sass);
    if (sass_multiplies(l))
        w->multiply += lanes * l->fma * sass_multiplies(l) / m->sass.pipes->multiply;
    else
        w->busy[EVENT_LIMIT_FMA] += lanes * l->fma / m->sass.pipes->f32;
    w->either += lanes * sass_either(l) / m->sass.pipes->integer;
    w->busy[EVENT_LIMIT_ALU] += lanes * (l->alu - sass_either(l)) / m->sass.pipes->integer;
    w->busy[EVENT_LIMIT_FMA] += lanes * slow.fma / m->sass.pipes->f32;
    w->busy[EVENT_LIMIT_ALU] += lanes * slow.alu / m->sass.pipes->integer;
    w->busy[EVENT_LIMIT_XU] += lanes * (l->xu + slow.xu) / m->sass.pipes->special;
    w->busy[EVENT_LIMIT_FP64] += lanes * l->fp64 / m->sass.pipes->f64;
    if (l->kind == SASS_TENSOR && m->sass.pipes->tensor)
        w->busy[EVENT_LIMIT_TENSOR] += warps * timing_matrix_work(&i->isa) /
                                       (m->sass.pipes->tensor * (double)m->sass.p->sm_tensor_percent / 100);
}

/* Integer additions and moves go where there is room: as many to the multipliers as make both take as long.
 */
static void balance(const struct timing_model *m, struct timing_work *w)
{
    double *floats = &w->busy[EVENT_LIMIT_FMA], *alu = &w->busy[EVENT_LIMIT_ALU];
    double part = (double)m->sass.pipes->multiply / m->sass.pipes->f32;
    if (part > 1) part = 1;
    double one = (*alu + w->either - w->multiply) / 2;
    double two = (*alu + w->either - part * w->multiply - *floats) / (1 + part);
    double moved = one < two ? one : two;
    if (moved < 0) moved = 0;
    if (moved > w->either) moved = w->either;
    *alu += w->either - moved;
    *floats = sass_fma_cycles(&m->sass, *floats, w->multiply + moved);
}

static bool is_of_device(uint32_t limit)
{
    return limit == EVENT_LIMIT_L2 || limit == EVENT_LIMIT_ATOMIC || limit == EVENT_LIMIT_DRAM ||
           limit == EVENT_LIMIT_PCIE || limit == EVENT_LIMIT_PEER;
}

static bool open_model(struct timing_model *m)
{
    const struct event_launch *l = m->launch;
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    uint32_t shared = m->sass.kernel->static_shared_bytes + l->dynamic_shared_bytes;
    const struct arch_cc *cc = arch_cc_find(m->sass.gpu->cc_major, m->sass.gpu->cc_minor);
    m->sass.p = &m->sass.gpu->kernels;
    m->sass.pipes = arch_pipes_find(m->sass.gpu->cc_major, m->sass.gpu->cc_minor);
    if (!cc || !m->sass.pipes || !threads || !l->counters || !l->memory) return false;
    struct arch_occupancy_request request = {threads, m->sass.kernel->registers, shared, 0};
    if (arch_occupancy_compute(cc, &request, &m->occupancy, NULL) != SW_OK || !m->occupancy.blocks_per_sm)
        return false;
    m->blocks = (double)l->grid[0] * l->grid[1] * l->grid[2];
    m->threads = threads;
    m->block_warps = (threads + SW_WARP_LANES - 1) / SW_WARP_LANES;
    m->warps = m->blocks * m->block_warps;
    arena_init(&m->arena);
    m->sass.lower = ARENA_ARRAY(&m->arena, struct sass_lower, m->sass.kernel->instr_count + 1);
    m->sass.latency = ARENA_ARRAY(&m->arena, double, m->sass.kernel->instr_count + 1);
    return true;
}

struct shape { /* how the blocks lie on the GPU */
    double busiest, waves, resident_warps;
};
static struct shape shape_of(const struct timing_model *m)
{
    double sms = (double)m->sass.gpu->sm_count, per_sm = m->occupancy.blocks_per_sm;
    struct shape s = {.busiest = ceil(m->blocks / sms)};
    s.waves = ceil(s.busiest / per_sm);
    s.resident_warps = (s.busiest < per_sm ? s.busiest : per_sm) * m->block_warps;
    return s;
}

/* Cycles of each bound, on the busiest multiprocessor or of the device. */
static void bounds(const struct timing_model *m, const struct shape *s, double path, struct timing_work *w)
{
    for (uint32_t b = 0; b < EVENT_LIMIT_COUNT; b++)
        if (!is_of_device(b)) w->busy[b] *= s->busiest / m->blocks;
    w->busy[EVENT_LIMIT_LATENCY] = s->waves * (path + (double)m->sass.p->sm_block_cycles);
    double blocks = m->blocks * (double)m->sass.p->sm_blocks_centicycles / 100;
    double warps = s->busiest * m->block_warps * (double)m->sass.p->sm_warp_cycles;
    w->busy[EVENT_LIMIT_LAUNCH] = blocks > warps ? blocks : warps;
}

static bool is_of_issue(uint32_t limit) /* that issue slots and pipes are busy together costs nothing */
{
    return limit >= EVENT_LIMIT_ISSUE && limit <= EVENT_LIMIT_TENSOR;
}

/* (sum of x^4)^(1/4), or of squares: roots that are exact everywhere, so that results are the same. Of issue
 * and pipes only the busiest counts. */
static double blend(const struct timing_model *m, const struct timing_work *w, uint32_t *largest)
{
    double most = 0, sum = 0, pipes = 0;
    for (uint32_t b = 0; b < EVENT_LIMIT_COUNT; b++) {
        if (w->busy[b] > most) most = w->busy[ *largest = b];
        if (is_of_issue(b) && w->busy[b] > pipes) pipes = w->busy[b];
    }
    for (uint32_t b = 0; b < EVENT_LIMIT_COUNT && most > 0; b++) {
        if (is_of_issue(b) && b != EVENT_LIMIT_ISSUE) continue;
        double x = (b == EVENT_LIMIT_ISSUE ? pipes : w->busy[b]) / most, square = x * x;
        sum += m->sass.p->sm_blend >= 4 ? square * square : square;
    }
    return most * (m->sass.p->sm_blend >= 4 ? sqrt(sqrt(sum)) : sqrt(sum));
}

/* Where nothing was replayed: what a warp is resident longer than its own path takes, since others, or a
 * unit, are in its way. */
static void guess_waits(const struct shape *s, const struct timing_work *w, double body, double issued,
                        struct event_time *t)
{
    double path = issued;
    for (uint32_t r = 1; r < EVENT_STALL_COUNT; r++)
        path += t->stalls[r] * issued;
    double rest = body / s->waves - path, issue = w->busy[EVENT_LIMIT_ISSUE];
    if (rest <= 0 || t->limit == EVENT_LIMIT_LAUNCH) return;
    uint32_t to = is_of_device(t->limit)       ? EVENT_STALL_LONG_SCOREBOARD
                  : t->limit == EVENT_LIMIT_L1 ? EVENT_STALL_LG_THROTTLE
                  : t->limit == EVENT_LIMIT_LSU || t->limit == EVENT_LIMIT_SHARED ? EVENT_STALL_MIO_THROTTLE
                  : t->limit == EVENT_LIMIT_LATENCY || t->limit == EVENT_LIMIT_ISSUE || issue <= 0
                      ? EVENT_STALL_NOT_SELECTED
                      : EVENT_STALL_MATH_PIPE_THROTTLE;
    t->stalls[to] += rest / issued;
}

/* How often an average warp comes to the instruction that writes to memory most often. */
static double rounds_of_stores(const struct timing_model *m)
{
    double most = 1;
    for (uint32_t n = 0; n < m->sass.kernel->instr_count; n++) {
        const struct event_instr *i = &m->sass.kernel->instrs[n];
        bool far = i->space != ISA_SPACE_SHARED && m->sass.lower[n].kind == SASS_MEMORY;
        if (!far || !(i->is_write || i->cls == ISA_CLASS_ATOMIC)) continue;
        most = larger(most, (double)sass_count(&m->sass, i->slots.warps) / m->warps);
    }
    return most;
}

/* A loop's stores wait for those of earlier rounds, whose registers they need, so that only the last ones are
 * left when a warp ends (inferred: fill, global_red). */
static double drain_left(const struct timing_model *m)
{
    enum { LAST = 2 }; /* inferred: the same */
    double rounds = rounds_of_stores(m);
    return rounds > LAST ? LAST / rounds : 1;
}

static void move_drain(const struct timing_model *m, struct event_time *t)
{
    double left = drain_left(m);
    t->stalls[EVENT_STALL_LONG_SCOREBOARD] += t->stalls[EVENT_STALL_DRAIN] * (1 - left);
    t->stalls[EVENT_STALL_DRAIN] *= left;
}

static bool is_busiest(const struct event_time *t, uint32_t pipe)
{
    for (uint32_t b = EVENT_LIMIT_FMA; b <= EVENT_LIMIT_TENSOR; b++)
        if (t->busy[b] > t->busy[pipe]) return false;
    return true;
}

/* As the replay saw it; what is left of the time that warps were there is shared among the reasons within
 * their own paths as the formula has them. A block begins before the stores of the one whose CTA slot it
 * takes are in L2, for which that one is said to be there: there are no more warps than the slots hold. */
static void use_waits(const struct timing_model *m, double cta_slots, double issued, struct event_time *t)
{
    const struct event_waits *seen = &m->launch->memory->waits;
    double warps = (double)seen->warps, rest = (double)seen->resident / warps / issued - 1, own = 0;
    for (uint32_t r = 1; r < EVENT_STALL_COUNT; r++) {
        if (timing_is_replayed(r))
            rest -= t->stalls[r] = (double)seen->cycles[r] / warps / issued;
        else
            own += t->stalls[r];
    }
    for (uint32_t r = 1; r < EVENT_STALL_COUNT && own > 0; r++)
        if (!timing_is_replayed(r)) t->stalls[r] *= rest > 0 ? rest / own : 0;
    double there = (double)seen->resident / (double)seen->active;
    t->warps_active = there < cta_slots ? there : cta_slots;
    move_drain(m, t);
    if (!is_busiest(t, EVENT_LIMIT_XU)) return; /* which instructions reach over a queue */
    t->stalls[EVENT_STALL_MIO_THROTTLE] += t->stalls[EVENT_STALL_MATH_PIPE_THROTTLE];
    t->stalls[EVENT_STALL_MATH_PIPE_THROTTLE] = 0;
}

static void kernel_describe(const struct timing_model *m, const struct shape *s, const struct timing_work *w,
                            const struct timing_wait *wait, double body, struct event_time *t)
{
    const struct event_waits *seen = &m->launch->memory->waits;
    double issued = w->instructions / m->warps;
    t->instructions = w->instructions;
    for (uint32_t b = 0; b < EVENT_LIMIT_COUNT; b++)
        t->busy[b] = t->cycles > 0 && w->busy[b] < t->cycles ? w->busy[b] / t->cycles : t->cycles > 0;
    double active = m->blocks / (s->busiest * (double)m->sass.gpu->sm_count);
    t->warps_active = s->resident_warps * (active < 1 ? active : 1);
    t->stalls[EVENT_STALL_SELECTED] = 1;
    if (issued <= 0) return;
    for (uint32_t r = 1; r < EVENT_STALL_COUNT; r++)
        t->stalls[r] = wait->stalls[r] / issued;
    if (m->launch->memory->cycles && seen->warps && seen->active)
        use_waits(m, s->resident_warps, issued, t);
    else
        guess_waits(s, w, body, issued, t);
}

/* A launch has ended when what it wrote is in L2. */
static double drain_cycles(const struct timing_model *m)
{
    const struct event_memory_sums *t = &m->launch->memory->total;
    return t->l2_writes || t->l2_atomics ? (double)m->sass.p->sm_drain_cycles : 0;
}

/* No cache has the parameters and the instructions that the first warps execute. Of long code the rest is
 * fetched ahead of them. */
static double cold_cycles(const struct timing_model *m)
{
    enum { ALONE = 128 }; /* instructions: 2 KiB, inferred from launches of even number */
    double code = 0, parameters = 0;
    for (uint32_t i = 0; i < m->sass.kernel->instr_count; i++) {
        if (!sass_count(&m->sass, m->sass.kernel->instrs[i].slots.warps)) continue;
        code += sass_slots(&m->sass.lower[i]);
        if (m->sass.lower[i].kind == SASS_PARAMETER) parameters = (double)m->sass.p->sm_parameter_cycles;
    }
    if (code > ALONE) code = ALONE;
    return (double)m->sass.p->sm_cold_cycles + parameters +
           code * (double)m->sass.p->sm_fetch_centicycles / 100;
}

static double clock_ghz(const struct timing_model *m)
{
    return (double)timing_clock_khz(m) / 1e6;
}

static void predict(struct timing_model *m, const struct timing_plan *plan, struct event_time *t,
                    struct event_stalls *stalls)
{
    struct timing_work w = {0};
    struct timing_wait wait,
        *own = stalls ? sw_xcalloc(m->sass.kernel->instr_count + 1ull, sizeof *own) : NULL;
    timing_lower_by(plan, m);
    sass_unroll_loops(&m->sass);
    timing_memory_latencies(m);
    double path = timing_path(m, &wait, own);
    for (uint32_t i = 0; i < m->sass.kernel->instr_count; i++)
        kernel_add_instr(m, i, &w);
    balance(m, &w);
    timing_memory_work(m, &w);
    w.busy[EVENT_LIMIT_PCIE] = timing_host_ns(m->sass.gpu, &m->launch->memory->total) * clock_ghz(m);
    w.busy[EVENT_LIMIT_PEER] = timing_peer_ns(m->sass.gpu, &m->launch->memory->total) * clock_ghz(m);
    struct shape s = shape_of(m);
    bounds(m, &s, path, &w);
    *t = (struct event_time){.clock_khz = timing_clock_khz(m)};
    double body = blend(m, &w, &t->limit), replay = (double)m->launch->memory->cycles;
    if (replay > 0)
        body = larger(larger(replay, w.busy[EVENT_LIMIT_LAUNCH]),
                      larger(w.busy[EVENT_LIMIT_PCIE], w.busy[EVENT_LIMIT_PEER]));
    double ghz = (double)t->clock_khz / 1e6;
    double ns = (double)m->sass.p->sm_start_ns + (cold_cycles(m) + drain_cycles(m) + body) / ghz;
    t->duration_ns = (uint64_t)(ns + 0.5);
    t->cycles = ns * ghz;
    double cta_slots = (double)m->sass.gpu->sm_count * m->occupancy.blocks_per_sm;
    t->sm_share = m->blocks < cta_slots ? m->blocks / cta_slots : 1;
    t->validated = m->sass.p->sm_validated;
    t->error_percent = (uint32_t)(t->duration_ns >= 10000 ? m->sass.p->sm_error_long_percent
                                                          : m->sass.p->sm_error_short_percent);
    kernel_describe(m, &s, &w, &wait, body, t);
    if (stalls) timing_stalls(m, t, drain_left(m), own, stalls);
    free(own);
}

bool timing_kernel(const struct arch_gpu *gpu, const struct timing_plan *plan,
                   const struct event_launch *launch, struct event_time *out, struct event_stalls *stalls)
{
    struct timing_model m = {
        .sass = {.gpu = gpu, .kernel = plan ? &plan->kernel : launch->kernel, .counters = launch->counters},
        .launch = launch};
    if (!open_model(&m)) return false;
    predict(&m, plan, out, stalls);
    arena_release(&m.arena);
    return true;
}
