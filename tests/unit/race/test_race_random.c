/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs: what the detector reports against a checker that keeps every access and, for every thread,
 * a vector clock of all threads. Each report must be a pair that nothing orders; each byte's first race must
 * be reported. */
#include "race/race.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    TASKS = 5,
    BLOCKS = 10,
    BYTES = 576,
    TO_LINE = 64, /* from BASE to the first line */
    FLAG_BYTES = 16,
    FEW_BYTES = 192, /* where most accesses are */
    KEYS = 2,
    SITES = 12,
    MOST_THREADS = 40,
    AGENTS = BLOCKS * MOST_THREADS * 2,
    FOREVER = 0x7fffffff
};
static const uint64_t BASE = 0x7000 - TO_LINE;

struct access {
    uint32_t agent, time, site;
    bool writes, strong;
    int level;
    bool reads, observed; /* observed: by a later read-modify-write */
};
struct sync {
    bool used;
    uint32_t block;
    int level;
    uint32_t *all, *own[BLOCKS];
};
struct byte {
    VEC(struct access) past;
    struct sync sync;
    bool raced;
};
struct agent {
    uint32_t time;
    uint32_t *clock, *fence[2], *pending[2];
};
struct block {
    int state; /* 0: not begun, 1: alive, 2: ended */
    uint32_t task, threads;
    struct race_block *block;
};
struct program {
    struct race *race;
    bool complex, bytes_small, reads_acquire, lines;
    bool grids;  /* of launches whose blocks meet at barriers of the grid */
    bool sticky; /* blocks and warps run for a while */
    uint32_t last_block, last_warp;
    uint32_t task_count, block_count;
    int task_state[TASKS];
    bool after[TASKS][TASKS];
    uint32_t *task_clock[TASKS];
    struct block blocks[BLOCKS];
    struct agent agents[AGENTS];
    uint32_t agent_count;
    struct byte bytes[BYTES];
    uint32_t *key_pending[KEYS], *key_done[KEYS];
    VEC(struct race_found) found;
};
static struct program p;
static uint32_t forgetful; /* programs of which something was forgotten */
static uint64_t seed;

static uint32_t pick(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static void note(void *user, const struct race_found *found)
{
    (void)user;
    for (uint32_t l = 0; l < found->lanes; l++)
        *vec_push(&p.found) = race_found_lane(found, l);
}

/* ---- vector clocks */

static uint32_t *clock_get(uint32_t **clock)
{
    if (!*clock) *clock = calloc(p.agent_count, sizeof **clock);
    return *clock;
}

static void join(uint32_t **into, const uint32_t *from)
{
    if (!from) return;
    uint32_t *to = clock_get(into);
    for (uint32_t i = 0; i < p.agent_count; i++)
        if (from[i] > to[i]) to[i] = from[i];
}

static void clock_free(uint32_t **clock)
{
    free(*clock);
    *clock = NULL;
}

static uint32_t agent_of(uint32_t block, uint32_t warp, uint32_t lane)
{
    uint32_t first = 0;
    for (uint32_t b = 0; b < block; b++)
        first += 2 * p.blocks[b].threads;
    uint32_t async = warp >= RACE_ASYNC ? p.blocks[block].threads : 0;
    return first + async + (warp & 31) * 32 + lane;
}

static uint32_t block_of(uint32_t agent)
{
    uint32_t b = 0;
    for (uint32_t first = 2 * p.blocks[0].threads; agent >= first; first += 2 * p.blocks[b].threads)
        b++;
    return b;
}

/* All that the agent knows and did until now, added to a clock. */
static void add_agent(uint32_t **into, uint32_t block, uint32_t warp, uint32_t lane)
{
    struct agent *a = &p.agents[agent_of(block, warp, lane)];
    uint32_t task = p.blocks[block].task;
    clock_get(&a->clock)[a - p.agents] = a->time;
    join(into, a->clock);
    join(into, p.task_clock[task]);
    for (uint32_t b = 0; b < p.block_count; b++)
        for (uint32_t i = 0; p.after[task][p.blocks[b].task] && i < 2 * p.blocks[b].threads; i++)
            clock_get(into)[agent_of(b, 0, 0) + i] = FOREVER;
    if (warp >= RACE_ASYNC) add_agent(into, block, warp - RACE_ASYNC, lane);
}

static bool knows(uint32_t agent, const struct access *other)
{
    uint32_t task = p.blocks[block_of(agent)].task;
    const uint32_t *clock = p.agents[agent].clock, *task_clock = p.task_clock[task];
    return agent == other->agent || p.after[task][p.blocks[block_of(other->agent)].task] ||
           (clock && clock[other->agent] >= other->time) ||
           (task_clock && task_clock[other->agent] >= other->time);
}

static bool includes(uint32_t a, int level_a, uint32_t b, int level_b)
{
    return block_of(a) == block_of(b) || (level_a && level_b);
}

static bool races(const struct access *now, const struct access *old)
{
    if ((!now->writes && !old->writes) || old->observed) return false;
    if (now->strong && old->strong && includes(now->agent, now->level, old->agent, old->level)) return false;
    return !knows(now->agent, old);
}

/* ---- reports against what races */

static struct race_side side(uint32_t agent, uint32_t site)
{
    uint32_t b = block_of(agent), first = agent_of(b, 0, 0), index = agent - first;
    bool async = index >= p.blocks[b].threads;
    return (struct race_side){.task = p.blocks[b].task,
                              .block = b,
                              .thread = async ? index - p.blocks[b].threads : index,
                              .async = async,
                              .site = site};
}

static bool matches(const struct race_side *reported, const struct access *real)
{
    struct race_side s = side(real->agent, real->site);
    if (reported->task != s.task) return false;
    if (reported->among == RACE_AMONG_TASK) return true;
    if (reported->block != s.block) return false;
    if (reported->among == RACE_AMONG_BLOCK) return true;
    if (reported->thread / 32 != s.thread / 32 || reported->async != s.async) return false;
    if (reported->among == RACE_AMONG_WARP) return true;
    return reported->thread == s.thread && reported->site == s.site && reported->writes == real->writes &&
           reported->strong == real->strong;
}

static bool is_now(const struct race_side *reported, const struct access *now)
{
    struct race_side s = side(now->agent, now->site);
    return reported->task == s.task && reported->block == s.block && reported->thread == s.thread &&
           reported->async == s.async && reported->site == s.site;
}

static bool *confirmed; /* of each report */

/* One byte of a lane's access, against accesses of the past below `count`. */
static bool judge(const struct access *now, uint32_t at, size_t begin, size_t count)
{
    bool race = false;
    struct byte *byte = &p.bytes[at];
    for (size_t i = begin; i < count; i++) {
        const struct access *old = &byte->past.at[i];
        if (old->agent == now->agent || !races(now, old)) continue;
        race = true;
        for (size_t f = 0; f < p.found.count; f++)
            if (p.found.at[f].address == BASE + at && is_now(&p.found.at[f].now, now) &&
                matches(&p.found.at[f].before, old))
                confirmed[f] = true;
    }
    return race;
}

static void history(const struct access *now, uint32_t at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct access *o = &p.bytes[at].past.at[i];
        struct race_side s = side(o->agent, o->site);
        printf("   block %u task %u thread %u%s site %u time %u: %s%s level %d%s\n", (uint32_t)s.block,
               (uint32_t)s.task, s.thread, s.async ? " copy" : "", o->site, o->time,
               o->strong ? "strong " : "", o->writes ? "write" : "read", o->level,
               races(now, o) ? " races" : "");
    }
}

static const char *text;
static void miss(const struct access *now, uint32_t at, size_t count)
{
    printf("%s: byte %u: race not reported: agent %u block %u site %u writes %d strong %d\n", text, at,
           now->agent, block_of(now->agent), now->site, now->writes, now->strong);
    history(now, at, count);
    fail();
}

/* race.h: a strong write after a strong read may stand for it, and was observed. */
static bool may_stand_for(uint32_t at, size_t i, size_t count)
{
    const struct access *read = &p.bytes[at].past.at[i];
    for (i++; i < count; i++) {
        const struct access *write = &p.bytes[at].past.at[i];
        if (write->observed && (read->strong || write->agent == read->agent)) return true;
    }
    return false;
}

/* race.h: outside of complex launches, a strong read may race with a forgotten weak write, and with nothing
 * else. */
static bool is_excused(const struct access *now, uint32_t at, size_t count)
{
    bool excused = !p.complex && now->strong && !now->writes, stood_for = p.complex;
    for (size_t i = 0; i < count; i++) {
        const struct access *old = &p.bytes[at].past.at[i];
        excused &= !races(now, old) || (!old->strong && old->writes);
        stood_for &= !races(now, old) || (!old->writes && may_stand_for(at, i, count));
    }
    return excused || stood_for || count > 64 || race_forgot(p.race); /* 64: members of a set */
}

static void require(const struct access *now, uint32_t at, size_t count)
{
    struct byte *byte = &p.bytes[at];
    bool told = false;
    for (size_t f = 0; f < p.found.count; f++)
        told |= is_now(&p.found.at[f].now, now) && p.found.at[f].address <= BASE + at;
    if (!told && !byte->raced && !is_excused(now, at, count)) miss(now, at, count);
    byte->raced = true;
}

/* ---- operations */

struct op {
    uint32_t block, warp;
    lane_mask mask;
    struct race_access what;
    uint64_t addresses[32];
};

static int level_of(enum race_scope scope)
{
    return scope >= RACE_SCOPE_GPU;
}

static struct access access_of(const struct op *op, uint32_t lane)
{
    uint32_t agent = agent_of(op->block, op->warp, lane);
    return (struct access){agent,           p.agents[agent].time,     op->what.site,  op->what.writes,
                           op->what.strong, level_of(op->what.scope), op->what.reads, false};
}

/* What a read-modify-write observes comes before all that comes after it. */
static void observe(struct byte *byte, const struct access *now)
{
    for (size_t i = 0; p.complex && now->strong && now->reads && now->writes && i < byte->past.count; i++) {
        struct access *old = &byte->past.at[i];
        old->observed |=
            old->strong && old->writes && includes(now->agent, now->level, old->agent, old->level);
    }
}

static void remember(const struct op *op, uint32_t lane)
{
    struct access now = access_of(op, lane);
    for (uint32_t i = 0; i < op->what.bytes; i++) {
        struct byte *byte = &p.bytes[op->addresses[lane] - BASE + i];
        observe(byte, &now);
        *vec_push(&byte->past) = now;
    }
}

static void sync_clear(struct sync *sync)
{
    clock_free(&sync->all);
    for (uint32_t b = 0; b < BLOCKS; b++)
        clock_free(&sync->own[b]);
    sync->used = false;
}

static void acquire(const struct op *op, uint32_t lane)
{
    uint32_t agent = agent_of(op->block, op->warp, lane);
    struct agent *a = &p.agents[agent];
    for (uint32_t i = 0; i < op->what.bytes; i++) {
        struct sync *sync = &p.bytes[op->addresses[lane] - BASE + i].sync;
        if (!sync->used) continue;
        if (sync->block != op->block && !(sync->level && level_of(op->what.scope))) continue;
        bool now = op->what.acquires || p.reads_acquire;
        bool all = p.reads_acquire || (op->what.acquires && level_of(op->what.scope));
        join(now ? &a->clock : &a->pending[0], sync->own[op->block]);
        join(all ? &a->clock : &a->pending[1], sync->all);
    }
}

static void release(const struct op *op, uint32_t lane)
{
    uint32_t agent = agent_of(op->block, op->warp, lane);
    struct agent *a = &p.agents[agent];
    int level = level_of(op->what.scope);
    uint32_t *own = NULL, *all = NULL;
    join(&own, a->fence[0]);
    join(&all, a->fence[1]);
    if (op->what.releases) add_agent(&own, op->block, op->warp, lane);
    if (op->what.releases && level) add_agent(&all, op->block, op->warp, lane);
    for (uint32_t i = 0; i < op->what.bytes; i++) {
        struct sync *sync = &p.bytes[op->addresses[lane] - BASE + i].sync;
        bool adds = sync->used && op->what.reads && (sync->block == op->block || (sync->level && level));
        if (!adds) sync_clear(sync);
        sync->used = true;
        sync->block = op->block;
        sync->level = level;
        join(&sync->own[op->block], own);
        join(&sync->all, all);
    }
    clock_free(&own);
    clock_free(&all);
}

/* What a lane of the op races with, of the past before the op (weak) or until now (strong). */
static void judge_lane(const struct op *op, uint32_t lane, const size_t *begin, const size_t *count)
{
    struct access now = access_of(op, lane);
    for (uint32_t i = 0; i < op->what.bytes; i++) {
        uint32_t at = (uint32_t)(op->addresses[lane] - BASE) + i;
        size_t first = begin ? begin[at] : 0, end = count ? count[at] : p.bytes[at].past.count;
        if (judge(&now, at, first, end)) require(&now, at, end);
    }
}

static void check_weak(const struct op *op)
{
    size_t count[BYTES];
    for (uint32_t i = 0; i < BYTES; i++)
        count[i] = p.bytes[i].past.count;
    for (lane_mask rest = op->mask; rest; rest &= rest - 1)
        judge_lane(op, (uint32_t)__builtin_ctz(rest), NULL, count);
    for (lane_mask rest = op->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (op->what.writes && !op->what.same_value) judge_lane(op, lane, count, NULL);
        remember(op, lane);
        for (uint32_t i = 0; op->what.writes && i < op->what.bytes; i++)
            sync_clear(&p.bytes[op->addresses[lane] - BASE + i].sync);
    }
}

static void check_strong(const struct op *op)
{
    for (lane_mask rest = op->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (op->what.reads) acquire(op, lane);
        judge_lane(op, lane, NULL, NULL);
        remember(op, lane);
        if (op->what.writes) release(op, lane);
    }
}

static void do_access(struct op *op, bool affine, int64_t stride, uint64_t first)
{
    for (uint32_t l = 0; affine && l < 32; l++)
        op->addresses[l] = first + l * (uint64_t)stride;
    struct race_block *block = p.blocks[op->block].block;
    vec_clear(&p.found);
    if (affine)
        race_access_affine(block, op->warp, &op->what, first, stride, op->mask);
    else
        race_access(block, op->warp, &op->what, op->addresses, op->mask);
    for (lane_mask rest = op->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), agent = agent_of(op->block, op->warp, lane);
        p.agents[agent].time++;
        if (op->warp >= RACE_ASYNC) add_agent(&p.agents[agent].clock, op->block, op->warp, lane);
    }
    confirmed = calloc(p.found.count + 1, 1);
    if (op->what.strong)
        check_strong(op);
    else
        check_weak(op);
    for (size_t f = 0; f < p.found.count; f++)
        if (!confirmed[f]) {
            const struct race_found *r = &p.found.at[f];
            uint32_t at = (uint32_t)(r->address - BASE);
            printf("%s: no such race: byte %u, block %u thread %u%s site %u among %d, then block %u thread "
                   "%u%s site %u\n",
                   text, at, (uint32_t)r->before.block, r->before.thread, r->before.async ? " copy" : "",
                   r->before.site, r->before.among, (uint32_t)r->now.block, r->now.thread,
                   r->now.async ? " copy" : "", r->now.site);
            struct access now = access_of(op, r->now.thread % 32);
            history(&now, at, p.bytes[at].past.count);
            fail();
        }
    free(confirmed);
}

static lane_mask live_of(uint32_t block, uint32_t warp)
{
    uint32_t first = (warp & 31) * 32, threads = p.blocks[block].threads;
    return threads >= first + 32 ? ~0u : (1u << (threads - first)) - 1;
}

static lane_mask some_lanes(uint32_t block, uint32_t warp)
{
    lane_mask live = live_of(block, warp), mask = live;
    if (pick(2)) mask &= pick(1u << 30) << 2 | pick(4);
    if (!pick(3)) mask &= 1u << pick(p.blocks[block].threads < 32 ? p.blocks[block].threads : 32);
    return mask ? mask : live;
}

/* Which addresses: of data, or of flags (the first words). */
static void op_access(uint32_t block, uint32_t warp)
{
    struct op op = {.block = block, .warp = warp, .mask = some_lanes(block, warp)};
    bool strong = warp < RACE_ASYNC && pick(5) < 2, flag = strong && pick(4);
    op.what.site = pick(SITES);
    op.what.bytes = p.bytes_small ? 1u << pick(4) : pick(6) ? 4 : 8u << pick(5);
    uint32_t kind = pick(5);
    op.what.writes = kind >= 3;
    op.what.reads = kind < 3 || (strong && kind == 4);
    op.what.strong = strong;
    op.what.scope = (enum race_scope)(pick(3) ? RACE_SCOPE_GPU : pick(4));
    op.what.same_value = op.what.writes && !strong && !pick(3);
    op.what.acquires = p.complex && strong && op.what.reads && !pick(3);
    op.what.releases = p.complex && strong && op.what.writes && !pick(3);
    if (flag && op.what.bytes > FLAG_BYTES) op.what.bytes = FLAG_BYTES;
    uint32_t step = op.what.bytes, span = pick(8) ? FEW_BYTES : BYTES;
    if (flag) span = FLAG_BYTES;
    uint32_t room = span / step;
    uint64_t first = BASE + pick(room) * step;
    uint32_t shape = p.lines && pick(3) ? 1 : pick(4);
    for (uint32_t l = 0; l < 32; l++)
        op.addresses[l] = BASE + pick(room) * step;
    uint32_t row = 32 * step, rows = (row < FEW_BYTES ? FEW_BYTES : BYTES) - row;
    if (shape == 0)
        do_access(&op, true, 0, first);
    else if (shape == 1 && p.lines && step >= 4 && row <= BYTES - TO_LINE) { /* whole lines of 128 bytes */
        op.mask = live_of(block, warp);
        do_access(&op, true, step, BASE + TO_LINE + pick((BYTES - TO_LINE - row) / 128 + 1) * 128);
    } else if (shape < 3 && !flag && row <= BYTES)
        do_access(&op, true, step, BASE + pick(rows / step + 1) * step);
    else
        do_access(&op, false, 0, 0);
}

static void do_fence(uint32_t block, uint32_t warp, lane_mask mask, enum race_scope scope)
{
    race_fence(p.blocks[block].block, warp, mask, scope);
    for (lane_mask rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        struct agent *a = &p.agents[agent_of(block, warp, lane)];
        for (int l = 0; l <= level_of(scope); l++) {
            join(&a->clock, a->pending[l]);
            clock_free(&a->pending[l]);
        }
        for (int l = 0; l <= level_of(scope); l++)
            add_agent(&a->fence[l], block, warp, lane);
    }
}

static void op_fence(uint32_t block, uint32_t warp)
{
    enum race_scope scope = (enum race_scope)(pick(3) ? RACE_SCOPE_GPU : pick(4));
    do_fence(block, warp, some_lanes(block, warp), scope);
}

static void meet(uint32_t block, uint32_t first_warp, uint32_t end_warp, lane_mask mask)
{
    uint32_t *all = NULL;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t w = first_warp; w < end_warp; w++)
            for (lane_mask rest = mask & live_of(block, w); rest; rest &= rest - 1) {
                uint32_t lane = (uint32_t)__builtin_ctz(rest);
                if (pass)
                    join(&p.agents[agent_of(block, w, lane)].clock, all);
                else
                    add_agent(&all, block, w, lane);
            }
    clock_free(&all);
}

static void op_key(uint32_t block, uint32_t warp)
{
    uint32_t key = pick(KEYS), kind = pick(5);
    lane_mask mask = some_lanes(block, warp);
    if (kind == 0) {
        race_complete(p.race, key);
        join(&p.key_done[key], p.key_pending[key]);
        clock_free(&p.key_pending[key]);
        return;
    }
    if (kind < 3)
        race_release(p.blocks[block].block, warp, mask, key);
    else
        race_acquire(p.blocks[block].block, warp, mask, key);
    for (lane_mask rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (kind < 3)
            add_agent(&p.key_pending[key], block, warp, lane);
        else
            join(&p.agents[agent_of(block, warp, lane)].clock, p.key_done[key]);
    }
}

static void op_forget(void)
{
    uint32_t step = p.bytes_small ? 1 : 4, first = pick(BYTES / step) * step;
    uint32_t bytes = step * (1 + pick(8));
    if (first + bytes > BYTES) bytes = BYTES - first;
    race_forget(p.race, BASE + first, bytes);
    for (uint32_t i = first; i < first + bytes; i++) {
        vec_clear(&p.bytes[i].past);
        sync_clear(&p.bytes[i].sync);
    }
}

/* ---- tasks and blocks begin and end */

static void task_begin(uint32_t task)
{
    race_task_begin(p.race, task);
    p.task_state[task] = 1;
    for (uint32_t before = 0; before < task; before++) {
        /* a task after one that runs, and a flag back, would be a circle */
        if (p.task_state[before] < (p.complex ? 2 : 1) || !pick(3)) continue;
        race_task_after(p.race, task, before);
        p.after[task][before] = true;
        for (uint32_t t = 0; t < TASKS; t++)
            p.after[task][t] |= p.after[before][t];
        join(&p.task_clock[task], p.task_clock[before]);
    }
}

static void block_begin(uint32_t b)
{
    struct block *block = &p.blocks[b];
    if (!p.task_state[block->task]) task_begin(block->task);
    if (p.task_state[block->task] == 2) return;
    block->block = race_block_begin(p.race, block->task, b, block->threads, p.complex);
    block->state = 1;
}

static void block_end(uint32_t b)
{
    struct block *block = &p.blocks[b];
    for (uint32_t i = 0; i < block->threads; i++) {
        add_agent(&p.task_clock[block->task], b, i / 32, i % 32);
        add_agent(&p.task_clock[block->task], b, RACE_ASYNC + i / 32, i % 32);
    }
    /* threads of the task itself do not know what only the task as a whole comes after */
    for (uint32_t other = 0; other < p.block_count; other++)
        for (uint32_t i = 0; p.blocks[other].task == block->task && i < 2 * p.blocks[other].threads; i++)
            p.task_clock[block->task][agent_of(other, 0, 0) + i] = 0;
    for (uint32_t t = 0; t < TASKS; t++)
        if (p.after[t][block->task]) join(&p.task_clock[t], p.task_clock[block->task]);
    race_block_end(block->block);
    block->state = 2;
}

static void op_life(uint32_t b)
{
    if (p.blocks[b].state == 0)
        block_begin(b);
    else if (p.blocks[b].state == 1 && !pick(12)) {
        block_end(b);
        uint32_t task = p.blocks[b].task;
        bool all = true;
        for (uint32_t i = 0; i < p.block_count; i++)
            all &= p.blocks[i].task != task || p.blocks[i].state == 2;
        if (all) race_task_end(p.race, task), p.task_state[task] = 2;
    }
}

/* What each fence covered before a barrier, all threads release by a strong write. */
static void meet_fences(uint32_t b)
{
    for (int level = 0; level < 2; level++) {
        uint32_t *all = NULL, first = agent_of(b, 0, 0);
        for (uint32_t t = 0; t < p.blocks[b].threads; t++)
            join(&all, p.agents[first + t].fence[level]);
        for (uint32_t t = 0; t < p.blocks[b].threads; t++)
            join(&p.agents[first + t].fence[level], all);
        clock_free(&all);
    }
}

static void op_block_sync(uint32_t b)
{
    race_block_sync(p.blocks[b].block);
    meet(b, 0, (p.blocks[b].threads + 31) / 32, ~0u);
    meet_fences(b);
}

/* A block's first thread arrives at the barrier of the grid, or waits there. */
static void grid_access(uint32_t b, bool arrives)
{
    struct op op = {.block = b, .mask = 1};
    bool fence = pick(2);
    op.what = (struct race_access){.bytes = 4, .reads = true, .writes = arrives, .strong = true};
    op.what.scope = RACE_SCOPE_GPU;
    op.what.releases = arrives && !fence;
    op.what.acquires = !arrives && !fence;
    op.addresses[0] = BASE + BYTES - op.what.bytes;
    if (fence && arrives) do_fence(b, 0, 1, RACE_SCOPE_GPU);
    do_access(&op, false, 0, 0);
    if (fence && !arrives) do_fence(b, 0, 1, RACE_SCOPE_GPU);
}

/* As cooperative_groups does it: all blocks of a launch that run, now and then but for one, meet. */
static void op_grid_sync(uint32_t task)
{
    uint32_t leaves_out = pick(4) ? UINT32_MAX : pick(p.block_count);
    for (int waits = 0; waits < 2; waits++)
        for (uint32_t b = 0; b < p.block_count; b++) {
            if (p.blocks[b].task != task || p.blocks[b].state != 1 || b == leaves_out) continue;
            if (!waits) op_block_sync(b);
            grid_access(b, !waits);
            if (waits) op_block_sync(b);
        }
}

static void step(void)
{
    uint32_t b = p.sticky && pick(4) ? p.last_block : pick(p.block_count);
    p.last_block = b;
    if (p.blocks[b].state != 1 || !pick(6)) {
        op_life(b);
        return;
    }
    uint32_t warps = (p.blocks[b].threads + 31) / 32, what = pick(100);
    uint32_t warp = p.sticky && p.last_warp < warps && pick(3) ? p.last_warp : pick(warps);
    p.last_warp = warp;
    if (what < 60)
        op_access(b, p.complex && !pick(5) ? RACE_ASYNC + warp : warp);
    else if (p.grids && what < 66)
        op_grid_sync(p.blocks[b].task);
    else if (what < 70)
        op_block_sync(b);
    else if (what < 79) {
        lane_mask mask = p.complex ? some_lanes(b, warp) : live_of(b, warp);
        race_warp_sync(p.blocks[b].block, warp, mask);
        meet(b, warp, warp + 1, mask);
    } else if (what < 80)
        op_forget();
    else if (p.complex && what < 90)
        op_fence(b, warp);
    else if (p.complex)
        op_key(b, pick(3) ? warp : RACE_ASYNC + warp);
}

static void program_free(void)
{
    race_free(p.race);
    for (uint32_t i = 0; i < p.agent_count; i++)
        for (int l = 0; l < 2; l++) {
            clock_free(&p.agents[i].clock);
            clock_free(&p.agents[i].fence[l]);
            clock_free(&p.agents[i].pending[l]);
        }
    for (uint32_t i = 0; i < BYTES; i++) {
        vec_release(&p.bytes[i].past);
        sync_clear(&p.bytes[i].sync);
    }
    for (uint32_t k = 0; k < KEYS; k++)
        clock_free(&p.key_pending[k]), clock_free(&p.key_done[k]);
    for (uint32_t t = 0; t < TASKS; t++)
        clock_free(&p.task_clock[t]);
    vec_release(&p.found);
}

static void run(uint32_t number, bool complex, bool lines, bool grids)
{
    static char name[64];
    snprintf(name, sizeof name, "%s program %u%s", complex ? "complex" : "simple", number,
             lines   ? " of lines"
             : grids ? " of grids"
                     : "");
    text = name;
    memset(&p, 0, sizeof p);
    seed = number * 2 + complex;
    pick(2);
    p.complex = complex;
    p.lines = lines;
    p.grids = grids;
    p.bytes_small = !pick(lines ? 20 : 5);
    p.sticky = pick(2);
    p.reads_acquire = complex && !pick(4);
    p.task_count = 1 + pick(complex ? 3 : TASKS);
    p.block_count = complex && !grids ? 1 + pick(4) : 1 + pick(BLOCKS);
    bool big = lines || !pick(4);
    for (uint32_t b = 0; b < p.block_count; b++) {
        p.blocks[b].task = b * p.task_count / p.block_count;
        p.blocks[b].threads = big ? 30 + pick(MOST_THREADS - 30) : 1 + pick(5);
        p.agent_count += 2 * p.blocks[b].threads;
    }
    bool few = !pick(3); /* numbers */
    struct race_config config = {.found = note,
                                 .reads_acquire = p.reads_acquire,
                                 .slices = few ? 20 + pick(80) : 0,
                                 .short_entries = pick(2) ? 1 + pick(6) : 0};
    p.race = race_new(&config);
    for (uint32_t b = 0; grids && b < p.block_count; b++)
        block_begin(b);
    for (uint32_t steps = (few ? 100 : 40) + pick(120); steps > 0; steps--)
        step();
    forgetful += race_forgot(p.race);
    program_free();
}

/* RACE_PROGRAMS: more of them, by hand. */
static uint32_t programs(void)
{
    const char *count = getenv("RACE_PROGRAMS");
    return count ? (uint32_t)atoi(count) : 2000;
}

static void complex_programs(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < programs(); i++)
        run(i, true, false, false);
    assert_in_range(forgetful, 1, programs() / 5);
}

static void simple_programs(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < programs(); i++)
        run(i, false, false, false);
}

/* Whole warps access whole lines, most of the time. */
static void line_programs(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < programs(); i++)
        run(i, i % 4 == 0, true, false);
}

/* Cooperative launches. */
static void grid_programs(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < programs() / 4; i++)
        run(i, true, false, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(complex_programs), cmocka_unit_test(simple_programs),
                                       cmocka_unit_test(line_programs), cmocka_unit_test(grid_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
