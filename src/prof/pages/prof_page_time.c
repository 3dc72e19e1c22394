/* SPDX-License-Identifier: Apache-2.0 */
/* What the predicted time says, in words: what takes longest and what is next, how much faster the launch
 * could be at most without the first, what each unit would take alone, and bandwidths as the guides define
 * them.
 *
 * Without what limits it a launch still takes its start and whatever is second, so that time through those is
 * the most that removing the limit can bring; units that overlap less than fully make it less. Effective
 * bandwidth is what the threads asked for through time (Best Practices Guide, "Bandwidth"), theoretical
 * bandwidth two transfers a clock times the width of the bus. Limits: launches taken together are described
 * by the first one's shares. */
#include "prof_pages_priv.h"

#include "base/base_text.h"
#include "timing/timing_kernel.h"
#include "timing/timing_routine.h"

static const char *const LIMITS[EVENT_LIMIT_COUNT] = {
    [EVENT_LIMIT_LAUNCH] = N_("the launch overhead (dispatching blocks, starting warps)"),
    [EVENT_LIMIT_LATENCY] = N_("latency (warps wait for results of their own instructions)"),
    [EVENT_LIMIT_ISSUE] = N_("instruction issue"),
    [EVENT_LIMIT_FMA] = N_("the FMA pipe (multiply-add)"),
    [EVENT_LIMIT_ALU] = N_("the ALU pipe (integer and logic operations)"),
    [EVENT_LIMIT_FP64] = N_("the FP64 pipe"),
    [EVENT_LIMIT_XU] = N_("the XU pipe (special functions and conversions)"),
    [EVENT_LIMIT_TENSOR] = N_("the tensor cores"),
    [EVENT_LIMIT_LSU] = N_("the load and store units"),
    [EVENT_LIMIT_SHARED] = N_("shared memory"),
    [EVENT_LIMIT_L1] = N_("L1"),
    [EVENT_LIMIT_L2] = N_("L2"),
    [EVENT_LIMIT_ATOMIC] = N_("atomics"),
    [EVENT_LIMIT_DRAM] = N_("DRAM"),
    [EVENT_LIMIT_PEER] = N_("the link between devices"),
};

const char *prof_limit_name(enum event_limit limit)
{
    return LIMITS[limit] ? _(LIMITS[limit]) : timing_limit_name(limit);
}

/* In a list: the name without what explains it. */
static const char *short_name(enum event_limit limit)
{
    static const char *const NAMES[EVENT_LIMIT_COUNT] = {[EVENT_LIMIT_LAUNCH] = N_("launch overhead"),
                                                         [EVENT_LIMIT_LATENCY] = N_("latency"),
                                                         [EVENT_LIMIT_ISSUE] = N_("issue"),
                                                         [EVENT_LIMIT_FMA] = N_("FMA pipe"),
                                                         [EVENT_LIMIT_ALU] = N_("ALU pipe"),
                                                         [EVENT_LIMIT_FP64] = N_("FP64 pipe"),
                                                         [EVENT_LIMIT_XU] = N_("XU pipe"),
                                                         [EVENT_LIMIT_TENSOR] = N_("tensor cores"),
                                                         [EVENT_LIMIT_LSU] = N_("load and store units"),
                                                         [EVENT_LIMIT_SHARED] = N_("shared memory"),
                                                         [EVENT_LIMIT_ATOMIC] = N_("atomics")};
    return NAMES[limit] ? _(NAMES[limit]) : timing_limit_name(limit);
}

static uint32_t second_of(const struct event_time *t)
{
    uint32_t second = t->limit ? 0 : 1;
    for (uint32_t i = 0; i < EVENT_LIMIT_COUNT; i++)
        if (i != t->limit && t->busy[i] > t->busy[second]) second = i;
    return second;
}

double prof_speedup_at_most(const struct arch_gpu *gpu, const struct event_time *t)
{
    double ns = (double)t->duration_ns;
    double rest = prof_start_ns(gpu, t) + t->busy[second_of(t)] * ns;
    return rest > 0 && rest < ns ? ns / rest : 1;
}

/* "DRAM 79 %, L2 38 %": from the most to one per cent. */
static const char *units_of(const struct event_time *t, struct arena *arena)
{
    struct str text = {0};
    bool said[EVENT_LIMIT_COUNT] = {false};
    for (;;) {
        uint32_t most = EVENT_LIMIT_COUNT;
        for (uint32_t i = 0; i < EVENT_LIMIT_COUNT; i++)
            if (!said[i] && t->busy[i] >= 0.01 && (most == EVENT_LIMIT_COUNT || t->busy[i] > t->busy[most]))
                most = i;
        if (most == EVENT_LIMIT_COUNT) break;
        said[most] = true;
        str_printf(&text, _("%s%s %.0f %%"), text.length ? _(", ") : "", short_name((enum event_limit)most),
                   100 * t->busy[most]);
    }
    const char *result = arena_strdup(arena, str_text(&text));
    str_release(&text);
    return result;
}

const char *prof_limit_text(const struct prof_group *g, struct arena *arena)
{
    const struct event_time *t = g->total.launch->time;
    if (!t) return "";
    uint32_t second = second_of(t);
    const char *first = arena_printf(arena, _("Limited by %s, which alone would take %.0f %% of the time."),
                                     prof_limit_name((enum event_limit)t->limit), 100 * t->busy[t->limit]);
    if (t->busy[second] < 0.01) return first;
    return arena_printf(arena,
                        _("%s The second limit is %s (%.0f %%). Without the first limit the launch would be "
                          "at most %.1f times as fast. Time that each unit alone would take: %s."),
                        first, prof_limit_name((enum event_limit)second), 100 * t->busy[second],
                        prof_speedup_at_most(g->total.gpu, t), units_of(t, arena));
}

const char *prof_stall_text(const struct prof_group *g, struct arena *arena)
{
    const struct event_time *t = g->total.launch->time;
    uint32_t most = EVENT_STALL_WAIT;
    double cycles = t ? prof_warp_cycles(t) : 0;
    for (uint32_t i = EVENT_STALL_WAIT; t && i < EVENT_STALL_COUNT; i++)
        if (t->stalls[i] > t->stalls[most]) most = i;
    if (cycles <= 0 || t->stalls[most] <= 0) return "";
    const char *reason = arena_printf(
        arena,
        _("A warp issues an instruction every %.1f cycles on average. For %.0f %% of these cycles it is %s."),
        cycles, 100 * t->stalls[most] / cycles, prof_stall_reason((enum event_stall)most));
    const char *where = prof_longest_wait_text(&g->total, arena);
    return *where ? arena_printf(arena, _("%s %s"), reason, where) : reason;
}

const char *prof_bandwidth_text(const struct prof_group *g, struct arena *arena)
{
    const struct prof_sums *s = &g->total.sums;
    const struct event_memory *m = g->total.launch->memory;
    double seconds = prof_group_seconds(g), peak = prof_dram_bytes_per_second(g->total.gpu);
    double asked = (double)(s->access[PROF_GLOBAL_LOAD].bytes + s->access[PROF_GLOBAL_STORE].bytes);
    if (seconds <= 0 || peak <= 0 || asked <= 0 || !m || s->bytes_unclear) return "";
    double moved = 32.0 * (double)(m->total.dram_reads + m->total.dram_writes);
    return arena_printf(arena,
                        _("Effective bandwidth %s (bytes that threads request), %.0f %% of the theoretical "
                          "bandwidth of %s. DRAM throughput %s, %.0f %%."),
                        prof_human_si(asked / seconds, "B/s", arena), 100 * asked / seconds / peak,
                        prof_human_si(peak, "B/s", arena), prof_human_si(moved / seconds, "B/s", arena),
                        100 * moved / seconds / peak);
}

static const double PARTS = 100; /* struct event_confidence: of a per cent or of a point */

const char *prof_sample_text(const struct prof_group *g, struct arena *arena)
{
    const struct event_memory *memory = g->total.launch->memory;
    if (!memory || !memory->sample_shift) return "";
    const struct event_confidence *confidence = &memory->confidence;
    return arena_printf(
        arena,
        _("The launch is large: the caches were simulated for one multiprocessor in %u, and their figures "
          "(~) are scaled to the counts of all blocks. Simulating all multiprocessors (--sample 1) would "
          "change the L1 hit rate by at most %.1f points, the L2 sectors by %.1f %%, the DRAM sectors by "
          "%.1f %% and the time by %.0f %% (95 %% confidence interval). See docs/accuracy.md."),
        1u << memory->sample_shift, confidence->l1_rate / PARTS, confidence->l2_sectors / PARTS,
        confidence->dram_sectors / PARTS, confidence->cycles / PARTS);
}

const char *prof_estimate_text(const struct prof_group *g, struct arena *arena)
{
    const struct event_memory *memory = g->total.launch->memory;
    if (!memory || !g->estimated) return "";
    const struct event_confidence *c = &memory->confidence;
    return arena_printf(
        arena,
        _("Launches of which caches and stalls were simulated: %u of %u. The others were counted, and have "
          "the figures (~) of the simulated launch that is most like them, scaled to their counts. "
          "Simulated launches that were estimated, too, show the error of this: at most %.1f points of "
          "the L1 hit rate, %.1f %% of the L2 sectors, %.1f %% of the DRAM sectors, %.1f %% of a launch's "
          "time. Simulating all launches: --sample 1."),
        g->launches - g->estimated, g->launches, c->l1_rate / PARTS, c->l2_sectors / PARTS,
        c->dram_sectors / PARTS, c->cycles / PARTS);
}

const char *prof_trust_text(struct prof_group *const *groups, uint32_t count, struct arena *arena)
{
    uint32_t least = UINT32_MAX, most = 0, timed = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct event_time *t = groups[i]->total.launch->time;
        if (!t) continue;
        timed++;
        if (!t->validated)
            return _(
                "~ is modelled. Times and savings are predictions that have not been validated on this GPU.");
        if (t->error_percent < least) least = t->error_percent;
        if (t->error_percent > most) most = t->error_percent;
    }
    if (!timed) return "";
    return arena_printf(
        arena,
        _("~ is modelled. Times and savings are predictions; the mean error of times on this GPU was %s %%."),
        least == most ? arena_printf(arena, "%u", most) : arena_printf(arena, _("%u to %u"), least, most));
}

const char *prof_routine_text(const struct prof_group *g, struct arena *arena)
{
    const struct event_routine *r = g->total.launch->routine;
    const struct event_time *t = g->total.launch->time;
    if (!r) return "";
    double seconds = t ? (double)t->duration_ns / 1e9 : 0;
    const char *rate = seconds > 0 && r->flops
                           ? arena_printf(arena, _(" That is %s."),
                                          prof_human_si((double)r->flops / seconds, "FLOP/s", arena))
                           : "";
    return arena_printf(
        arena,
        _("A routine of a library, which a library of the host computed. NVIDIA's kernels are "
          "not run: nothing is counted, and the time is modelled from what the routine has to "
          "do: %s of %s, %s to read, %s to write.%s"),
        prof_human_si((double)r->flops, "FLOP", arena), timing_math_name((enum event_routine_math)r->math),
        prof_human_bytes(r->read_bytes, arena), prof_human_bytes(r->wrote_bytes, arena), rate);
}

const char *prof_validated_text(const struct prof_group *g, struct arena *arena)
{
    const struct event_time *t = g->total.launch->time;
    if (!t) return "";
    if (!t->validated) return _("The time is a prediction that has not been validated on this GPU.");
    return arena_printf(
        arena, _("The time is a prediction: for such launches the mean error on this GPU was %u %%."),
        t->error_percent);
}
