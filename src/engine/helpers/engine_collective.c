/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what a whole warp does together (PTX ISA 9.7.9.6 and on: shfl.sync, vote.sync, match.sync,
 * redux.sync, elect.sync, bar.warp.sync) when its lanes come one after the other, or at different
 * instructions. Method: lanes of one operation and one member mask belong together. When every member that
 * has not ended is there, all of them get their results, lane by lane; emitted code fetches them when their
 * turn comes. Limits: slow; emitted code does the usual case, all members here, itself. */
#include "engine_helpers_priv.h"
#include "engine_shuffle.h"

#include "engine/shadow/engine_shadow.h"

#include <math.h>
#include <string.h>

static bool collective_has(lane_mask set, uint32_t lane)
{
    return lane < SW_WARP_LANES && set >> lane & 1;
}

static void collective_shuffle(struct jit_collective_state *m, const struct jit_collective_op *op,
                               lane_mask set)
{
    uint64_t from[SW_WARP_LANES];
    memcpy(from, m->value, sizeof from);
    for (uint32_t l = 0; l < SW_WARP_LANES; l++) {
        if (!collective_has(set, l)) continue;
        uint32_t source;
        bool inside = engine_shuffle_source(op->kind, l, m->b[l], m->c[l], &source);
        m->value[l] = inside && collective_has(set, source) ? from[source] : from[l];
        m->second[l] = inside;
    }
}

static void collective_vote(struct jit_collective_state *m, const struct jit_collective_op *op, lane_mask set)
{
    lane_mask yes = 0;
    for (uint32_t l = 0; l < SW_WARP_LANES; l++)
        if (collective_has(set, l) && m->value[l] & 1) yes |= UINT32_C(1) << l;
    uint64_t result = op->kind == JIT_COLLECTIVE_ALL   ? yes == set
                      : op->kind == JIT_COLLECTIVE_ANY ? yes != 0
                      : op->kind == JIT_COLLECTIVE_UNI ? yes == 0 || yes == set
                                                       : yes;
    for (uint32_t l = 0; l < SW_WARP_LANES; l++)
        if (collective_has(set, l)) m->value[l] = result;
}

static void collective_match(struct jit_collective_state *m, const struct jit_collective_op *op,
                             lane_mask set)
{
    uint64_t mask = op->bits >= 64 ? UINT64_MAX : (UINT64_C(1) << op->bits) - 1;
    lane_mask same[SW_WARP_LANES] = {0};
    for (uint32_t l = 0; l < SW_WARP_LANES; l++)
        for (uint32_t k = 0; k < SW_WARP_LANES && collective_has(set, l); k++)
            if (collective_has(set, k) && (m->value[l] & mask) == (m->value[k] & mask))
                same[l] |= UINT32_C(1) << k;
    for (uint32_t l = 0; l < SW_WARP_LANES; l++) {
        if (!collective_has(set, l)) continue;
        m->second[l] = same[l] == set;
        m->value[l] = op->kind == JIT_COLLECTIVE_ANY || same[l] == set ? same[l] : 0;
    }
}

static uint32_t pick_float(const struct jit_collective_op *op, uint32_t a, uint32_t b)
{
    enum { CANONICAL = 0x7fffffff };
    float x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    if (isnan(x) || isnan(y)) {
        if (op->keeps_nan || (isnan(x) && isnan(y))) return CANONICAL;
        return isnan(x) ? b : a;
    }
    bool less = x < y || (x == y && signbit(x) && !signbit(y));
    return less == (op->kind == JIT_COLLECTIVE_MIN) ? a : b;
}

static uint32_t collective_combine(const struct jit_collective_op *op, uint32_t a, uint32_t b)
{
    bool less = op->is_signed ? (int32_t)a < (int32_t)b : a < b;
    switch ((unsigned)op->kind) {
    case JIT_COLLECTIVE_ADD: return a + b;
    case JIT_COLLECTIVE_AND: return a & b;
    case JIT_COLLECTIVE_OR: return a | b;
    case JIT_COLLECTIVE_XOR: return a ^ b;
    default:
        if (op->is_float) return pick_float(op, a, b);
        return less == (op->kind == JIT_COLLECTIVE_MIN) ? a : b;
    }
}

static void collective_reduce(struct jit_collective_state *m, const struct jit_collective_op *op,
                              lane_mask set)
{
    enum { MAGNITUDE = 0x7fffffff };
    bool first = true;
    uint32_t all = 0;
    for (uint32_t l = 0; l < SW_WARP_LANES; l++) {
        if (!collective_has(set, l)) continue;
        uint32_t value = (uint32_t)m->value[l];
        if (op->absolute) value &= MAGNITUDE;
        all = first ? value : collective_combine(op, all, value);
        first = false;
    }
    for (uint32_t l = 0; l < SW_WARP_LANES; l++)
        if (collective_has(set, l)) m->value[l] = all;
}

static void collective_elect(struct jit_collective_state *m, lane_mask set)
{
    uint32_t leader = (uint32_t)__builtin_ctz(set);
    for (uint32_t l = 0; l < SW_WARP_LANES; l++) {
        if (!collective_has(set, l)) continue;
        m->value[l] = leader;
        m->second[l] = l == leader;
    }
}

static void collective_perform(struct jit_ctx *ctx, struct jit_collective_state *m, uint64_t code,
                               lane_mask set)
{
    struct jit_collective_op op;
    memcpy(&op, &code, sizeof op);
    switch ((unsigned)op.op) {
    case JIT_COLLECTIVE_SHUFFLE:
        engine_help_shuffle_look(ctx, m->b, m->c, set, op.kind, m->line[__builtin_ctz(set)]);
        collective_shuffle(m, &op, set);
        break;
    case JIT_COLLECTIVE_VOTE: collective_vote(m, &op, set); break;
    case JIT_COLLECTIVE_MATCH: collective_match(m, &op, set); break;
    case JIT_COLLECTIVE_REDUCE: collective_reduce(m, &op, set); break;
    case JIT_COLLECTIVE_ELECT: collective_elect(m, set); break;
    default: engine_shadow_warp_sync(ctx, set); break; /* bar.warp: that they came is all */
    }
    m->waiting &= ~set;
    m->done |= set;
}

/* Those who wait where `lane` does. */
static lane_mask collective_companions(const struct jit_collective_state *m, uint32_t lane)
{
    lane_mask set = 0;
    for (uint32_t k = 0; k < SW_WARP_LANES; k++)
        if (collective_has(m->waiting, k) && m->code[k] == m->code[lane] && m->members[k] == m->members[lane])
            set |= UINT32_C(1) << k;
    return set;
}

uint32_t engine_help_collective(struct jit_ctx *ctx, struct jit_collective_state *m, uint64_t code,
                                uint32_t line, lane_mask here, lane_mask alive)
{
    lane_mask fresh = here & ~m->done;
    for (uint32_t l = 0; l < SW_WARP_LANES; l++) {
        if (!collective_has(fresh, l)) continue;
        m->code[l] = code;
        m->line[l] = line;
        if (!collective_has(m->members[l], l)) engine_misuse_unnamed(ctx, l, m->members[l], line);
    }
    m->waiting |= fresh;
    for (lane_mask left = m->waiting; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        lane_mask set = collective_has(m->waiting, lane) ? collective_companions(m, lane) : 0;
        lane_mask missing = m->members[lane] & alive & ~set;
        if (!set || (missing && !m->force)) continue;
        if (missing) engine_misuse_no_show(ctx, m, set, missing);
        collective_perform(ctx, m, m->code[lane], set);
    }
    m->force = 0;
    return here & m->done;
}

_Noreturn void engine_help_collective_stuck(struct jit_ctx *ctx, const struct jit_collective_state *m)
{
    struct engine_worker *worker = ctx->host;
    lane_mask left = m->waiting;
    worker->armed = 0;
    uint32_t lane = left ? (uint32_t)__builtin_ctz(left) : 0;
    sw_fail(&worker->error, SW_LAUNCH_TIMEOUT,
            "deadlock: lanes of a warp wait for each other for ever in block (%u,%u,%u), warp %u: lane %u at "
            "PTX line %u waits for members 0x%08x, of which only 0x%08x arrived; correct the member mask",
            ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], ctx->warp, lane, m->line[lane], m->members[lane],
            collective_companions(m, lane));
    engine_misuse_lanes_stuck(ctx, m, collective_companions(m, lane));
    engine_fault_unwind(worker);
}
