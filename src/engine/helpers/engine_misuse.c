/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: find misuse of barriers of a block, of operations of a warp, and of mbarriers, for the tool
 * (EVENT_PROBE_SYNC); the launch goes on, as a GPU does.
 * Method: when all threads that a barrier waits for are there, the frames of the warps tell who they are and
 * who is elsewhere (struct jit_sync). A thread that has ended is not missed: CUDA C++ Programming Guide,
 * "Synchronization Functions", and "Volta" in its table of compute capabilities: all threads that have not
 * exited. Different instructions of one barrier for whole warps are a finding where the later one comes after
 * the earlier one in the program: a warp that is there left the first out. In the arms of a branch they are
 * not, since PTX knows barriers by number, unless one is a reduction (PTX ISA, barrier: not to be
 * intermixed). Messages begin with compute-sanitizer's words. Limits: of barriers in loops, warps that leave
 * one out and end are not seen. */
#include "engine_helpers_priv.h"
#include "engine_shuffle.h"

#include <string.h>

enum rule {
    RULE_WARP,     /* lanes of one warp are not at one barrier */
    RULE_LEFT_OUT, /* a warp has gone on without it */
    RULE_BLOCK,    /* warps of a block are at different ones */
    RULE_COUNT,    /* a count that cannot be */
    RULE_MORE,     /* more threads than the count */
    RULE_MASKS,    /* masks differ of lanes that name each other */
    RULE_MEMBERS,  /* a lane is not in its own mask */
    RULE_CLUSTER,  /* a cluster's barrier is not used in turn */
    RULE_SOURCE,   /* a shuffle reads from a lane that does not take part */
    RULE_NO_SHOW   /* members that never come */
};
_Static_assert((int)RULE_NO_SHOW < (int)ENGINE_RULE_MBARRIER,
               "rules of one kind of finding have numbers of their own");
#define NO_POINT UINT32_MAX

struct look { /* at the barrier `id` of a block */
    struct jit_ctx *ctx;
    const struct jit_sync *sync;
    uint32_t id;
};
struct warp { /* who waits there, of one warp */
    uint32_t number, point;
    lane_mask here;
    uint8_t *frame;
};

/* ---- the frames of stopped warps */

static const uint32_t *point_words(const struct jit_sync *sync, uint32_t point)
{
    return sync->words + (size_t)point * (3 + sync->reach_words);
}

static uint32_t line_of(const struct jit_sync *sync, uint32_t point)
{
    return point_words(sync, point)[0];
}

static uint32_t flags_of(const struct jit_sync *sync, uint32_t point)
{
    return point_words(sync, point)[1];
}

static bool comes_after(const struct jit_sync *sync, uint32_t point, uint32_t later)
{
    return point_words(sync, point)[3 + later / 32] >> (later % 32) & 1;
}

static const struct jit_wait_point *points_of(const struct jit_sync *sync, const uint8_t *frame)
{
    return (const struct jit_wait_point *)(const void *)(frame + sync->wait_points_at);
}

static lane_mask waiting_at(const struct look *look, const struct warp *warp, uint32_t point)
{
    const struct jit_wait_point *at = &points_of(look->sync, warp->frame)[point];
    return at->id == look->id ? at->waiting : 0;
}

static struct warp warp_of(const struct look *look, uint32_t number)
{
    struct warp warp = {.number = number,
                        .point = NO_POINT,
                        .frame = look->ctx->frames + (size_t)number * look->sync->frame_bytes};
    for (uint32_t p = 0; p < look->sync->wait_point_count; p++) {
        lane_mask lanes = waiting_at(look, &warp, p);
        if (lanes && warp.point == NO_POINT) warp.point = p;
        warp.here |= lanes;
    }
    return warp;
}

struct elsewhere {
    lane_mask lanes;
    uint32_t line; /* 0: not known */
};

/* Lanes of a warp that is at the barrier which are not there, and where the first found ones are. */
static struct elsewhere elsewhere_of(const struct look *look, const struct warp *warp)
{
    const struct jit_sync *sync = look->sync;
    const uint32_t *places = point_words(sync, sync->wait_point_count), *missed;
    struct elsewhere out = {0};
    for (uint32_t p = 0; p < sync->wait_point_count; p++) {
        lane_mask lanes = points_of(sync, warp->frame)[p].waiting & ~warp->here;
        if (lanes && !out.line) out.line = line_of(sync, p);
        out.lanes |= lanes;
    }
    for (uint32_t i = 0; i < sync->place_count; i++) {
        lane_mask lanes;
        memcpy(&lanes, warp->frame + places[2 * i], sizeof lanes);
        lanes &= ~warp->here;
        if (lanes && !out.line) out.line = places[2 * i + 1];
        out.lanes |= lanes;
    }
    missed = (const uint32_t *)(const void *)(warp->frame + sync->missed_at);
    if (missed[0] & ~warp->here && !out.line) out.line = missed[1];
    out.lanes |= missed[0] & ~warp->here;
    return out;
}

/* ---- findings */

static void set_place(struct jit_ctx *ctx, uint32_t warp, lane_mask lanes, uint32_t line,
                      struct event_place *place)
{
    uint32_t running = ctx->warp;
    ctx->warp = warp;
    engine_place_set(ctx, (uint32_t)__builtin_ctz(lanes), line, place);
    ctx->warp = running;
}

static struct event_finding finding_at(struct jit_ctx *ctx, uint32_t warp, lane_mask lanes, uint32_t line)
{
    struct event_finding finding = {.kind = EVENT_FINDING_BARRIER};
    set_place(ctx, warp, lanes, line, &finding.place);
    return finding;
}

static void set_other(struct jit_ctx *ctx, struct event_finding *finding, uint32_t warp, lane_mask lanes,
                      uint32_t line)
{
    if (!line) return;
    finding->has_other = true;
    set_place(ctx, warp, lanes, line, &finding->other);
}

static void keep(struct jit_ctx *ctx, struct event_finding *finding, enum rule rule, struct str *message)
{
    finding->message = str_text(message);
    engine_finding_keep(ctx, finding, rule);
    str_release(message);
}

static void keep_divergent(const struct look *look, const struct warp *warp, lane_mask lanes,
                           lane_mask others, uint32_t other_line)
{
    struct event_finding finding =
        finding_at(look->ctx, warp->number, lanes, line_of(look->sync, warp->point));
    struct str message = {0};
    str_printf(
        &message,
        "Divergent thread(s) in warp: lanes 0x%08x of warp %u are at this barrier, lanes 0x%08x are not",
        lanes, warp->number, others);
    set_other(look->ctx, &finding, warp->number, others, other_line);
    keep(look->ctx, &finding, RULE_WARP, &message);
}

/* ---- a barrier of a block is complete */

/* false: its lanes are not at one barrier. */
static bool look_at_warp(const struct look *look, const struct warp *warp)
{
    const struct jit_sync *sync = look->sync;
    struct elsewhere away = elsewhere_of(look, warp);
    lane_mask first = waiting_at(look, warp, warp->point);
    memset(warp->frame + sync->missed_at, 0, sizeof(uint32_t));
    bool fine = !away.lanes;
    if (!(flags_of(sync, warp->point) & JIT_SYNC_ALIGNED)) return true;
    if (away.lanes) keep_divergent(look, warp, warp->here, away.lanes, away.line);
    for (uint32_t p = warp->point + 1; p < sync->wait_point_count; p++) {
        lane_mask lanes = waiting_at(look, warp, p);
        if (!lanes) continue;
        if (!(flags_of(sync, p) & JIT_SYNC_ALIGNED) || line_of(sync, p) == line_of(sync, warp->point))
            continue;
        keep_divergent(look, warp, first, lanes, line_of(sync, p));
        fine = false;
    }
    return fine;
}

/* One is at a barrier that comes before the other's, or only one is at a reduction, and both want all threads
 * of the block. */
static void look_at_pair(const struct look *look, const struct warp *a, const struct warp *b)
{
    const struct jit_sync *sync = look->sync;
    if (a->point == b->point || !(flags_of(sync, a->point) & flags_of(sync, b->point) & JIT_SYNC_ALL)) return;
    bool mixed = (flags_of(sync, a->point) ^ flags_of(sync, b->point)) & JIT_SYNC_REDUCES;
    const struct warp *before = comes_after(sync, a->point, b->point)   ? a
                                : comes_after(sync, b->point, a->point) ? b
                                : mixed                                 ? a
                                                                        : NULL;
    if (!before) return;
    const struct warp *after = before == a ? b : a;
    struct event_finding finding =
        finding_at(look->ctx, before->number, before->here, line_of(sync, before->point));
    struct str message = {0};
    str_printf(&message,
               "Divergent thread(s) in block: warp %u is at this barrier, warp %u is at another one",
               before->number, after->number);
    set_other(look->ctx, &finding, after->number, after->here, line_of(sync, after->point));
    keep(look->ctx, &finding, RULE_BLOCK, &message);
}

/* Does a warp wait, and so is told of with those it waits with? */
static bool is_waiting(const struct look *look, uint32_t number)
{
    if (look->sync->wait_points_at) return warp_of(look, number).point != NO_POINT;
    uint32_t state;
    memcpy(&state, look->ctx->frames + (size_t)number * look->sync->frame_bytes, sizeof state);
    return state - 1 < look->sync->wait_point_count;
}

/* Has a warp gone on without the barrier that another one is at? */
static void look_at_left_out(const struct look *look, const struct warp *warp)
{
    const struct jit_sync *sync = look->sync;
    uint32_t bit = point_words(sync, warp->point)[2];
    for (uint32_t w = 0; bit && w < engine_block_warps(look->ctx); w++) {
        uint32_t *gone =
            (uint32_t *)(void *)(look->ctx->frames + (size_t)w * sync->frame_bytes + sync->left_out_at);
        if (!(gone[0] & bit) || is_waiting(look, w)) continue;
        struct event_finding finding =
            finding_at(look->ctx, warp->number, warp->here, line_of(sync, warp->point));
        struct str message = {0};
        str_printf(&message,
                   "Divergent thread(s) in block: warp %u is at this barrier, warp %u has gone on without it",
                   warp->number, w);
        set_other(look->ctx, &finding, w, 1, gone[1]);
        keep(look->ctx, &finding, RULE_LEFT_OUT, &message);
        gone[0] &= ~bit;
    }
}

static uint32_t count_of(const struct look *look, const struct warp *warp)
{
    return points_of(look->sync, warp->frame)[warp->point].count;
}

static void look_at_count(const struct look *look, const struct warp *first, const struct warp *warp)
{
    uint32_t count = count_of(look, warp), other = count_of(look, first);
    struct str message = {0};
    if (count % SW_WARP_LANES == 0 && count == other) return;
    struct event_finding finding =
        finding_at(look->ctx, warp->number, warp->here, line_of(look->sync, warp->point));
    if (count % SW_WARP_LANES) {
        str_printf(&message, "Invalid arguments: barrier %u for %u threads, which is not a multiple of %u",
                   look->id, count, SW_WARP_LANES);
    } else {
        str_printf(&message, "Invalid arguments: barrier %u for %u threads, and warp %u says %u", look->id,
                   count, first->number, other);
        set_other(look->ctx, &finding, first->number, first->here, line_of(look->sync, first->point));
    }
    keep(look->ctx, &finding, RULE_COUNT, &message);
}

static void look_at_sum(const struct look *look, const struct warp *last, uint32_t threads)
{
    uint32_t count = count_of(look, last);
    struct str message = {0};
    if (!count || threads <= sw_align_up(count, SW_WARP_LANES)) return;
    struct event_finding finding =
        finding_at(look->ctx, last->number, last->here, line_of(look->sync, last->point));
    str_printf(&message, "Invalid arguments: %u threads wait at barrier %u, which is for %u", threads,
               look->id, count);
    keep(look->ctx, &finding, RULE_MORE, &message);
}

void engine_help_barrier_look(struct jit_ctx *ctx, const struct jit_sync *sync, uint32_t id)
{
    struct look look = {ctx, sync, id};
    struct warp first = {.point = NO_POINT}, last = first;
    uint32_t threads = 0;
    bool whole = true;
    for (uint32_t w = 0; w < engine_block_warps(ctx); w++) {
        struct warp warp = warp_of(&look, w);
        if (!warp.here) continue;
        whole &= look_at_warp(&look, &warp);
        if (first.point == NO_POINT)
            first = warp;
        else
            look_at_pair(&look, &last, &warp);
        look_at_count(&look, &first, &warp);
        last = warp;
        threads += SW_WARP_LANES;
    }
    if (last.point == NO_POINT) return;
    if (whole) look_at_left_out(&look, &first); /* else it is the same mistake */
    look_at_sum(&look, &last, threads);
}

void engine_help_warps_look(struct jit_ctx *ctx, const struct jit_sync *sync)
{
    struct look look = {.ctx = ctx, .sync = sync};
    struct warp last = {.point = NO_POINT};
    for (uint32_t w = 0; w < engine_block_warps(ctx); w++) {
        struct warp warp = {.number = w, .here = 1, .frame = ctx->frames + (size_t)w * sync->frame_bytes};
        uint32_t state;
        memcpy(&state, warp.frame, sizeof state);
        if (state - 1 >= sync->wait_point_count) continue;
        warp.point = state - 1;
        if (last.point != warp.point) look_at_left_out(&look, &warp);
        if (last.point != NO_POINT) look_at_pair(&look, &last, &warp);
        last = warp;
    }
}

void engine_help_cluster_wrong(struct jit_ctx *ctx, lane_mask lanes, uint32_t waits, uint32_t line)
{
    struct event_finding finding = finding_at(ctx, ctx->warp, lanes, line);
    struct str message = {0};
    str_printf(&message, "Invalid barrier: lanes 0x%08x of warp %u %s", lanes, ctx->warp,
               waits ? "wait at the barrier of the cluster and have not arrived"
                     : "arrive at the barrier of the cluster again and have not waited");
    keep(ctx, &finding, RULE_CLUSTER, &message);
}

/* ---- operations of a warp */

static bool asked(const struct jit_ctx *ctx)
{
    const struct engine_worker *worker = ctx->host;
    const struct event_tool *tool = worker->engine->config.tool;
    return tool && tool->probes & EVENT_PROBE_SYNC;
}

void engine_misuse_unnamed(struct jit_ctx *ctx, uint32_t lane, uint32_t members, uint32_t line)
{
    if (!asked(ctx)) return;
    struct event_finding finding = finding_at(ctx, ctx->warp, UINT32_C(1) << lane, line);
    struct str message = {0};
    str_printf(&message, "Invalid arguments: lane %u is not in its own member mask 0x%08x", lane, members);
    keep(ctx, &finding, RULE_MEMBERS, &message);
}

static void keep_masks(struct jit_ctx *ctx, const uint32_t *members, lane_mask one, lane_mask other,
                       uint32_t line)
{
    uint32_t a = (uint32_t)__builtin_ctz(one), b = (uint32_t)__builtin_ctz(other);
    struct event_finding finding = finding_at(ctx, ctx->warp, one, line);
    struct str message = {0};
    str_printf(&message,
               "Invalid arguments: member mask 0x%08x of lane %u names lane %u, whose own is 0x%08x",
               members[a], a, b, members[b]);
    set_other(ctx, &finding, ctx->warp, other, line);
    keep(ctx, &finding, RULE_MASKS, &message);
}

void engine_help_members_look(struct jit_ctx *ctx, const uint32_t *members, lane_mask lanes, uint32_t line)
{
    for (lane_mask left = lanes; left;) { /* those with the mask of the first one */
        uint32_t first = (uint32_t)__builtin_ctz(left), mask = members[first];
        lane_mask same = 0;
        for (uint32_t l = 0; l < SW_WARP_LANES; l++)
            same |= (lane_mask)(members[l] == mask) << l;
        same &= left;
        left &= ~same;
        lane_mask unnamed = same & ~mask, others = mask & lanes & ~same;
        if (unnamed) engine_misuse_unnamed(ctx, (uint32_t)__builtin_ctz(unnamed), mask, line);
        if (others && same & mask) keep_masks(ctx, members, same & mask, others, line);
    }
}

/* Does each lane want what it reads? Trees of shfl.down leave values in the upper lanes that nobody uses, and
 * what is read from the neighbour is often dropped where there is none: only exchanges (bfly), and a value of
 * one lane for all, are sure. */
static bool wants_all(const uint32_t *b, lane_mask lanes, uint32_t kind)
{
    uint32_t first = b[__builtin_ctz(lanes)];
    if (kind != JIT_COLLECTIVE_IDX) return kind == JIT_COLLECTIVE_BFLY;
    for (lane_mask left = lanes; left; left &= left - 1)
        if (b[__builtin_ctz(left)] != first) return false;
    return true;
}

void engine_help_shuffle_look(struct jit_ctx *ctx, const uint32_t *b, const uint32_t *c, lane_mask lanes,
                              uint32_t kind, uint32_t line)
{
    if (!asked(ctx) || !wants_all(b, lanes, kind)) return;
    for (lane_mask left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), source;
        if (!engine_shuffle_source(kind, lane, b[lane], c[lane], &source) || lanes >> source & 1) continue;
        struct event_finding finding = finding_at(ctx, ctx->warp, UINT32_C(1) << lane, line);
        struct str message = {0};
        str_printf(&message, "Invalid arguments: lane %u reads from lane %u, which does not take part", lane,
                   source);
        keep(ctx, &finding, RULE_SOURCE, &message);
        return;
    }
}

void engine_misuse_no_show(struct jit_ctx *ctx, const struct jit_collective_state *m, lane_mask set,
                           lane_mask missing)
{
    uint32_t lane = (uint32_t)__builtin_ctz(set), away = (uint32_t)__builtin_ctz(missing);
    if (!asked(ctx) || m->force == JIT_FORCE_ENDED) return;
    struct event_finding finding = finding_at(ctx, ctx->warp, set, m->line[lane]);
    struct str message = {0};
    str_printf(&message,
               "Divergent thread(s) in warp: lanes 0x%08x of member mask 0x%08x never come to this operation",
               missing, m->members[lane]);
    set_other(ctx, &finding, ctx->warp, missing, m->waiting >> away & 1 ? m->line[away] : m->force);
    keep(ctx, &finding, RULE_NO_SHOW, &message);
}

/* ---- findings that end the launch */

void engine_misuse_number(struct jit_ctx *ctx, lane_mask lanes, uint32_t line)
{
    if (!asked(ctx)) return;
    struct event_finding finding = finding_at(ctx, ctx->warp, lanes, line);
    engine_finding_end(ctx, &finding);
}

/* Adds lanes to a finding: as its place at first, then as the other one if they are at another line. */
static void add_side(struct jit_ctx *ctx, struct event_finding *finding, uint32_t warp, lane_mask lanes,
                     uint32_t line)
{
    if (!lanes || finding->has_other || line == finding->place.line) return;
    if (finding->place.kernel)
        set_other(ctx, finding, warp, lanes, line);
    else
        set_place(ctx, warp, lanes, line, &finding->place);
}

static void add_sides_of_warp(struct jit_ctx *ctx, const struct jit_stuck *stuck, uint32_t warp,
                              struct event_finding *finding)
{
    const uint8_t *frame = ctx->frames + (size_t)warp * stuck->frame_bytes;
    const struct jit_wait_point *points =
        (const struct jit_wait_point *)(const void *)(frame + stuck->wait_points_at);
    for (uint32_t p = 0; p < stuck->wait_point_count; p++)
        add_side(ctx, finding, warp, points[p].waiting, stuck->lines[p]);
    if (!stuck->collective_at) return;
    const struct jit_collective_state *m =
        (const struct jit_collective_state *)(const void *)(frame + stuck->collective_at);
    for (lane_mask left = m->waiting; left; left &= left - 1)
        add_side(ctx, finding, warp, left & -left, m->line[__builtin_ctz(left)]);
}

void engine_misuse_stuck(struct jit_ctx *ctx, const struct jit_stuck *stuck)
{
    struct event_finding finding = {.kind = EVENT_FINDING_BARRIER};
    uint32_t warps = engine_block_warps(ctx);
    if (!asked(ctx)) return;
    for (uint32_t w = 0; w < warps; w++)
        add_sides_of_warp(ctx, stuck, w, &finding);
    for (uint32_t w = 0; w < warps; w++) {
        const uint32_t *missed =
            (const uint32_t *)(const void *)(ctx->frames + (size_t)w * stuck->frame_bytes + stuck->missed_at);
        add_side(ctx, &finding, w, missed[0], missed[1]);
    }
    engine_finding_end(ctx, &finding);
}

void engine_misuse_lanes_stuck(struct jit_ctx *ctx, const struct jit_collective_state *m, lane_mask set)
{
    if (!asked(ctx) || !m->waiting) return;
    lane_mask lanes = set ? set : m->waiting & -m->waiting;
    uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    lane_mask away = m->members[lane] & m->waiting & ~lanes;
    struct event_finding finding = finding_at(ctx, ctx->warp, lanes, m->line[lane]);
    if (away) set_other(ctx, &finding, ctx->warp, away, m->line[__builtin_ctz(away)]);
    engine_finding_end(ctx, &finding);
}
