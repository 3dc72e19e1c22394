/* SPDX-License-Identifier: Apache-2.0 */
/* At which instructions warps wait.
 *
 * Models: a launch's stall reasons (struct event_time), each shared among the kernel's instructions. What the
 * replay summed up between two requests stands at the instructions between them: waits for data at the first
 * one that reads what a load brought (where ncu has them, too), for arithmetic units, queues and the
 * scheduler at all of them by their work, for barriers, stores and queues of memory at the request itself.
 * What lengthens a warp's own path stands where timing_kernel_path.c has it; issued instructions where they
 * are.
 *
 * Does not model: which of several loads' data comes last, when one wait is for all of them; that waits for
 * the last stores stand at the exit on a GPU (here at the store); instruction fetch and branches.
 *
 * Sources: those of timing_kernel_path.c. */
#include "timing_kernel_priv.h"

#include <stdlib.h>
#include <string.h>

bool timing_is_replayed(uint32_t stall)
{
    return stall == EVENT_STALL_LONG_SCOREBOARD || stall == EVENT_STALL_BARRIER ||
           stall == EVENT_STALL_NOT_SELECTED || stall == EVENT_STALL_MATH_PIPE_THROTTLE ||
           stall == EVENT_STALL_MIO_THROTTLE || stall == EVENT_STALL_LG_THROTTLE ||
           stall == EVENT_STALL_DRAIN;
}

struct spread {
    const struct timing_model *m;
    struct timing_wait *waits; /* [instr] */
    bool *asks;                /* instruction: makes requests that the replay saw */
    bool *far;                 /* register: holds what a load brought */
    uint32_t *needs;           /* register: the first request of the block that follows from it, or NONE */
    uint32_t *user; /* request: the first that reads what a load brought and that it follows from */
};
struct range { /* of instructions, those of one interval; user: who waits for data there, NONE: the first of
                * them
                */
    uint32_t first, end, request, user;
};
#define NONE UINT32_MAX

/* ---- who makes requests, and who reads what they bring */

static bool is_replayed_barrier(const struct timing_model *m, uint32_t number)
{
    return event_is_wide_barrier(&m->sass.kernel->instrs[number]);
}

static bool makes_requests(const struct timing_model *m, uint32_t number)
{
    const struct event_instr *i = &m->sass.kernel->instrs[number];
    const struct event_access_slots *a = i->slots.access;
    bool constant = i->space == ISA_SPACE_CONST && i->is_read;
    if (is_replayed_barrier(m, number)) return true;
    return sass_count(&m->sass, a[EVENT_ACCESS_GLOBAL].requests) ||
           sass_count(&m->sass, a[EVENT_ACCESS_LOCAL].requests) ||
           sass_count(&m->sass, a[EVENT_ACCESS_TEXTURE].requests) ||
           (constant && sass_count(&m->sass, i->slots.on_warps));
}

/* Marks what instruction i writes, if it is loaded, or moved from what is; true: something is new. */
static bool mark_far(struct spread *s, uint32_t number)
{
    const struct event_instr *i = &s->m->sass.kernel->instrs[number];
    bool far = s->asks[number] && !is_replayed_barrier(s->m, number), news = false;
    bool moves = sass_slots(&s->m->sass.lower[number]) <= 0;
    for (uint32_t u = 0; moves && u < i->use_count; u++)
        far |= s->far[i->regs[i->def_count + u]];
    for (uint32_t d = 0; far && d < i->def_count; d++) {
        news |= !s->far[i->regs[d]];
        s->far[i->regs[d]] = true;
    }
    return news;
}

static void find_loads(struct spread *s)
{
    uint32_t count = s->m->sass.kernel->instr_count;
    for (uint32_t i = 0; i < count; i++)
        s->asks[i] = makes_requests(s->m, i);
    for (bool news = true; news;) {
        news = false;
        for (uint32_t i = 0; i < count; i++)
            news |= mark_far(s, i);
    }
}

static bool reads_far(const struct spread *s, uint32_t number)
{
    const struct event_instr *i = &s->m->sass.kernel->instrs[number];
    if (sass_slots(&s->m->sass.lower[number]) <= 0) return false;
    if (timing_async_of(i).kind == TIMING_ASYNC_WAIT) return true;
    for (uint32_t u = 0; u < i->use_count; u++)
        if (s->far[i->regs[i->def_count + u]]) return true;
    return false;
}

static uint32_t earlier(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Within the block, backwards: which request follows from what instruction i writes; its operands do, too. */
static uint32_t feeds(struct spread *s, uint32_t number)
{
    const struct event_instr *i = &s->m->sass.kernel->instrs[number];
    uint32_t request = s->asks[number] ? number : NONE;
    for (uint32_t d = 0; d < i->def_count; d++) {
        request = earlier(request, s->needs[i->regs[d]]);
        s->needs[i->regs[d]] = NONE;
    }
    for (uint32_t u = 0; u < i->use_count; u++) {
        uint32_t *needs = &s->needs[i->regs[i->def_count + u]];
        *needs = earlier(*needs, request);
    }
    return request;
}

/* ptxas moves loads ahead of those who use what they bring: these wait before the request that follows from
 * them, or after the last one. Returns the first of the latter. */
static uint32_t find_users(struct spread *s, uint32_t first, uint32_t end)
{
    const struct event_instr *instrs = s->m->sass.kernel->instrs;
    uint32_t behind = NONE;
    for (uint32_t i = first; i < end; i++) {
        s->user[i] = NONE;
        for (uint32_t r = 0; r < (uint32_t)instrs[i].def_count + instrs[i].use_count; r++)
            s->needs[instrs[i].regs[r]] = NONE;
    }
    for (uint32_t i = end; i-- > first;) {
        uint32_t request = feeds(s, i);
        if (reads_far(s, i)) *(request == NONE ? &behind : &s->user[request]) = i;
    }
    return behind;
}

/* ---- shares */

static double times_of(const struct spread *s, uint32_t number)
{
    return (double)sass_count(&s->m->sass, s->m->sass.kernel->instrs[number].slots.warps);
}

/* Passes of the banks, for each warp. */
static double passes_of(const struct spread *s, uint32_t number)
{
    const struct event_access_slots *a = &s->m->sass.kernel->instrs[number].slots.access[EVENT_ACCESS_SHARED];
    double requests = (double)sass_count(&s->m->sass, a->requests),
           units = (double)sass_count(&s->m->sass, a->units);
    return requests > 0 && units > requests ? units / requests : 1;
}

/* How much of a wait for this reason an instruction takes beside others of its interval. */
static double weight_of(const struct spread *s, uint32_t number, enum event_stall why)
{
    const struct sass_lower *l = &s->m->sass.lower[number];
    if (why == EVENT_STALL_LONG_SCOREBOARD) return reads_far(s, number);
    if (why == EVENT_STALL_MATH_PIPE_THROTTLE)
        return l->fma + l->alu + l->xu + l->fp64 + l->half + (l->kind == SASS_TENSOR);
    if (why == EVENT_STALL_MIO_THROTTLE)
        return (l->kind == SASS_MEMORY && !s->asks[number]) || l->kind == SASS_SHUFFLE ? passes_of(s, number)
                                                                                       : 0;
    return why == EVENT_STALL_NOT_SELECTED ? sass_slots(l) : 0;
}

/* A wait is for the first that it holds: the others go on with it. */
static void give_first(struct spread *s, const struct range *r, double cycles)
{
    uint32_t at = r->user;
    for (uint32_t i = r->first; at == NONE && i < r->end; i++)
        if (reads_far(s, i)) at = i;
    if (at == NONE) at = r->request;
    s->waits[at].stalls[EVENT_STALL_LONG_SCOREBOARD] += cycles;
}

static void stalls_give(struct spread *s, const struct range *r, enum event_stall why, double cycles)
{
    double sum = 0;
    if (why == EVENT_STALL_LONG_SCOREBOARD) {
        give_first(s, r, cycles);
        return;
    }
    for (uint32_t i = r->first; i < r->end; i++)
        sum += weight_of(s, i, why);
    if (sum <= 0) s->waits[r->request].stalls[why] += cycles;
    for (uint32_t i = r->first; sum > 0 && i < r->end; i++)
        s->waits[i].stalls[why] += cycles * weight_of(s, i, why) / sum;
}

static void stall_interval(struct spread *s, const struct event_stalls *interval, const struct range *r)
{
    for (uint32_t why = EVENT_STALL_WAIT; why < EVENT_STALL_COUNT; why++)
        if (interval->cycles[why]) stalls_give(s, r, why, (double)interval->cycles[why]);
}

/* What stands at no request: in blocks that make none. */
static void give_rest(struct spread *s, const struct event_stalls *rest, const bool *block_asks)
{
    const struct event_kernel *k = s->m->sass.kernel;
    for (uint32_t why = EVENT_STALL_WAIT; why < EVENT_STALL_COUNT; why++) {
        double sum = 0;
        for (int pass = 0; pass < 2 && rest->cycles[why]; pass++)
            for (uint32_t i = 0; i < k->instr_count; i++) {
                if (k->instrs[i].block == EVENT_NO_BLOCK || block_asks[k->instrs[i].block]) continue;
                double weight = weight_of(s, i, why) * times_of(s, i);
                if (pass && sum > 0) s->waits[i].stalls[why] += (double)rest->cycles[why] * weight / sum;
                if (!pass) sum += weight;
            }
    }
}

/* The replay's own reasons, from its intervals. */
static void stall_intervals(struct spread *s)
{
    const struct event_kernel *k = s->m->sass.kernel;
    const struct event_stalls(*intervals)[EVENT_INTERVALS] = s->m->launch->memory->intervals;
    bool *block_asks = sw_xcalloc(k->block_count + 1ull, sizeof *block_asks);
    for (uint32_t b = 0; b < k->block_count; b++) {
        uint32_t first = k->blocks[b].first, end = first + k->blocks[b].count;
        uint32_t behind = find_users(s, first, end);
        for (uint32_t i = k->blocks[b].first; i < end; i++) {
            if (!s->asks[i]) continue;
            block_asks[b] = true;
            stall_interval(s, &intervals[i][EVENT_INTERVAL_BEFORE],
                           &(struct range){first, i + 1, i, s->user[i]});
            stall_interval(s, &intervals[i][EVENT_INTERVAL_AFTER], &(struct range){i + 1, end, i, behind});
            first = i + 1;
        }
    }
    give_rest(s, &intervals[k->instr_count][EVENT_INTERVAL_BEFORE], block_asks);
    free(block_asks);
}

/* ---- the launch's reasons, instruction by instruction */

/* The launch's sums were moved between reasons (timing_kernel.c): waits for earlier stores of a loop, and for
 * the pipe of special functions. */
static void stalls_move(struct spread *s, const struct event_time *t, double drain_left)
{
    bool queue = t->stalls[EVENT_STALL_MATH_PIPE_THROTTLE] <= 0;
    for (uint32_t i = 0; i < s->m->sass.kernel->instr_count; i++) {
        double *at = s->waits[i].stalls;
        at[EVENT_STALL_LONG_SCOREBOARD] += at[EVENT_STALL_DRAIN] * (1 - drain_left);
        at[EVENT_STALL_DRAIN] *= drain_left;
        if (!queue) continue;
        at[EVENT_STALL_MIO_THROTTLE] += at[EVENT_STALL_MATH_PIPE_THROTTLE];
        at[EVENT_STALL_MATH_PIPE_THROTTLE] = 0;
    }
}

static double sum_of(const struct spread *s, uint32_t why)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->m->sass.kernel->instr_count; i++)
        sum += s->waits[i].stalls[why];
    return sum;
}

void timing_stalls(const struct timing_model *m, const struct event_time *t, double drain_left,
                   struct timing_wait *own, struct event_stalls *out)
{
    uint32_t count = m->sass.kernel->instr_count;
    struct spread s = {.m = m,
                       .waits = own,
                       .asks = sw_xcalloc(count + 1ull, sizeof *s.asks),
                       .far = sw_xcalloc(m->sass.kernel->reg_count + 1ull, sizeof *s.far),
                       .needs = sw_xcalloc(m->sass.kernel->reg_count + 1ull, sizeof *s.needs),
                       .user = sw_xcalloc(count + 1ull, sizeof *s.user)};
    find_loads(&s);
    if (m->launch->memory->intervals && m->launch->memory->waits.warps) {
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t why = 0; why < EVENT_STALL_COUNT; why++)
                if (timing_is_replayed(why)) own[i].stalls[why] = 0;
        stall_intervals(&s);
        stalls_move(&s, t, drain_left);
    }
    for (uint32_t i = 0; i < count; i++)
        own[i].stalls[EVENT_STALL_SELECTED] = timing_instructions(m, i);
    for (uint32_t why = 0; why < EVENT_STALL_COUNT; why++) {
        double sum = sum_of(&s, why), all = t->stalls[why] * t->instructions;
        uint32_t by = sum > 0 ? why : EVENT_STALL_SELECTED;
        double of = sum > 0 ? sum : sum_of(&s, by);
        for (uint32_t i = 0; i < count; i++)
            out[i].cycles[why] = of > 0 ? (uint64_t)(all * own[i].stalls[by] / of + 0.5) : 0;
    }
    free(s.asks);
    free(s.far);
    free(s.needs);
    free(s.user);
}
