/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: random control flow, as PTX. Method: a thread carries a few registers that each block mixes,
 * and branches on their bits. Kinds of graphs:
 *   STRUCTURED   nested if, else, while with break and continue, switch by brx.idx, early exits: reducible
 *   ARBITRARY    blocks with edges to anywhere: most are irreducible. Each block decrements a counter, and
 *                a thread exits when it is 0, so that each graph ends
 *   BARRIERS     structured, with shared memory exchanged across bar.sync where control flow is uniform
 *   SHUFFLES     structured, with shuffles and votes: of all lanes where control flow is uniform, under a
 *                mask where it is not
 * A thread's state goes to out[thread]. Atomic sums into a table on the way show lost or repeated lanes.
 * Limits: a generator of its own makes everything from one 64-bit seed, so that a graph is the same on
 * every machine. */
#include "exec.h"

enum { REGS = 6, MOST_DEPTH = 4 };

struct graph {
    struct str *out;
    uint64_t state;
    enum exec_shape shape;
    unsigned labels, budget, depth;
    bool uniform;                                    /* all threads of the block are here */
    unsigned loop_break[8], loop_continue[8], loops; /* labels of enclosing loops that may be left */
};

static uint32_t pick(struct graph *g, uint32_t below)
{
    g->state = g->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(g->state >> 33) % below;
}

#define EMIT(...) str_printf(g->out, __VA_ARGS__)

static unsigned label(struct graph *g)
{
    return g->labels++;
}

/* ---- straight code
 * ---------------------------------------------------------------------------------------------- */

static void emit_mix(struct graph *g)
{
    static const char *const ops[] = {"add.u32", "sub.u32", "mul.lo.u32", "xor.b32", "and.b32",
                                      "or.b32",  "min.s32", "max.u32",    "shl.b32", "shr.u32"};
    unsigned d = pick(g, REGS), a = pick(g, REGS), b = pick(g, REGS);
    unsigned op = pick(g, SW_COUNT_OF(ops));
    const char *guard = pick(g, 5) == 0 ? pick(g, 2) ? "@%p0 " : "@!%p0 " : "";
    if (op >= 8)
        EMIT("  %s%s %%s%u, %%s%u, %u;\n", guard, ops[op], d, a, 1 + pick(g, 15));
    else if (pick(g, 3) == 0)
        EMIT("  %s%s %%s%u, %%s%u, %u;\n", guard, ops[op], d, a, pick(g, 1000) + 1);
    else
        EMIT("  %s%s %%s%u, %%s%u, %%s%u;\n", guard, ops[op], d, a, b);
}

static void emit_other(struct graph *g)
{
    unsigned d = pick(g, REGS), a = pick(g, REGS), b = pick(g, REGS);
    switch (pick(g, 10)) {
    case 0: EMIT("  setp.lt.s32 %%p0, %%s%u, %%s%u;\n", a, b); break;
    case 1: EMIT("  selp.b32 %%s%u, %%s%u, %%s%u, %%p0;\n", d, a, b); break;
    case 2: EMIT("  mad.lo.u32 %%s%u, %%s%u, 1664525, %%s%u;\n", d, a, b); break;
    case 3: EMIT("  mul.wide.u32 %%w0, %%s%u, %%s%u; add.u64 %%w1, %%w1, %%w0;\n", a, b); break;
    case 4:
        EMIT("  and.b32 %%t0, %%s%u, 255; cvt.rn.f32.u32 %%f0, %%t0; fma.rn.f32 %%f1, %%f1, 0f3F000000, "
             "%%f0;\n",
             a);
        break;
    case 5: /* a gather */
        EMIT("  and.b32 %%t0, %%s%u, 127; mul.wide.u32 %%w2, %%t0, 4; add.u64 %%w2, %%w2, %%base; "
             "ld.global.u32 %%s%u, [%%w2];\n",
             a, d);
        break;
    case 6: /* an array of the thread's own */
        EMIT("  and.b32 %%t0, %%s%u, 28; add.u32 %%t0, %%t0, %%own; st.local.u32 [%%t0], %%s%u; and.b32 "
             "%%t1, %%s%u, 28; "
             "add.u32 %%t1, %%t1, %%own; ld.local.u32 %%s%u, [%%t1];\n",
             a, b, b, d);
        break;
    case 7:
        EMIT("  cvt.rn.f64.s32 %%d0, %%s%u; fma.rn.f64 %%d1, %%d1, 0d3FE0000000000000, %%d0; setp.gt.f64 "
             "%%p0, %%d1, %%d0;\n",
             a);
        break;
    case 8:
        EMIT("  cvt.u16.u32 %%h0, %%s%u; mul.wide.u16 %%t0, %%h0, 77; @%%p0 add.u32 %%s%u, %%s%u, %%t0;\n", a,
             d, d);
        break;
    default:
        EMIT("  and.b32 %%t0, %%s%u, 63; mul.wide.u32 %%w2, %%t0, 4; add.u64 %%w2, %%w2, %%sums;\n"
             "  red.global.add.u32 [%%w2], %u;\n",
             a, 1 + pick(g, 9));
        break;
    }
}

static void emit_exchange(struct graph *g)
{
    unsigned d = pick(g, REGS), a = pick(g, REGS);
    EMIT("  st.shared.u32 [%%mine], %%s%u;\n  bar.sync 0;\n", a);
    EMIT("  add.u32 %%t0, %%ti, %u; rem.u32 %%t0, %%t0, %%nt; shl.b32 %%t0, %%t0, 2; add.u32 %%t0, %%t0, "
         "%%buf;\n",
         1 + pick(g, 40));
    EMIT("  ld.shared.u32 %%s%u, [%%t0];\n", d);
    EMIT(pick(g, 3) ? "  bar.sync 0;\n" : "  barrier.sync 0;\n");
}

static void emit_warp(struct graph *g)
{
    static const char *const shuffles[] = {"bfly.b32", "down.b32", "up.b32", "idx.b32"};
    unsigned d = pick(g, REGS), a = pick(g, REGS), n = 1 + pick(g, 31), how = pick(g, 7);
    EMIT("  ");
    if (how < 4)
        EMIT("shfl.sync.%s %%s%u, %%s%u, %u, %u, -1;", shuffles[how], d, a, n, how == 2 ? 0 : 31);
    else if (how == 4)
        EMIT("setp.gt.s32 %%p1, %%s%u, 0; vote.sync.ballot.b32 %%t0, %%p1, -1; xor.b32 %%s%u, %%s%u, %%t0;",
             a, d, d);
    else if (how == 5)
        EMIT("redux.sync.add.u32 %%t0, %%s%u, -1; add.u32 %%s%u, %%s%u, %%t0;", a, d, d);
    else
        EMIT("and.b32 %%t1, %%s%u, 3; match.any.sync.b32 %%t0, %%t1, -1; add.u32 %%s%u, %%s%u, %%t0;", a, d,
             d);
    EMIT("\n");
}

/* Lanes that take a branch exchange among themselves, under the mask of those that do. */
static void emit_masked_warp(struct graph *g)
{
    unsigned a = pick(g, REGS), d = pick(g, REGS), skip = label(g);
    EMIT("  and.b32 %%t0, %%s%u, %u; setp.ne.u32 %%p1, %%t0, 0; vote.sync.ballot.b32 %%t1, %%p1, -1;\n", a,
         1 + pick(g, 7));
    EMIT("  @!%%p1 bra L%u;\n", skip);
    EMIT("  shfl.sync.bfly.b32 %%s%u|%%p2, %%s%u, 0, 31, %%t1; vote.sync.any.pred %%p2, %%p0, %%t1;\n", d, a);
    EMIT("  redux.sync.xor.b32 %%t2, %%s%u, %%t1; add.u32 %%s%u, %%s%u, %%t2;\n", a, d, d);
    EMIT("  @%%p2 add.u32 %%s%u, %%s%u, 77;\nL%u:\n", d, d, skip);
}

static void emit_straight(struct graph *g)
{
    for (unsigned n = 1 + pick(g, 4); n; n--) {
        if (pick(g, 3))
            emit_mix(g);
        else
            emit_other(g);
    }
    if ((g->shape == EXEC_BARRIERS || g->shape == EXEC_UNIFORM) && g->uniform && pick(g, 2)) emit_exchange(g);
    if (g->shape == EXEC_SHUFFLES && g->uniform && pick(g, 2)) emit_warp(g);
    if (g->shape == EXEC_SHUFFLES && g->uniform && pick(g, 4) == 0) emit_masked_warp(g);
}

/* A predicate to branch on, %p3: varying, or the same for the block. */
static bool emit_condition(struct graph *g)
{
    if (pick(g, 4) == 0 || g->shape == EXEC_UNIFORM) {
        EMIT("  add.u32 %%t0, %%%s, %u; and.b32 %%t0, %%t0, %u; setp.ne.u32 %%p3, %%t0, 0;\n",
             g->shape == EXEC_UNIFORM ? "fuel" : "ci", pick(g, 8), 1 + pick(g, 3));
        return true;
    }
    unsigned a = pick(g, REGS);
    EMIT("  shr.u32 %%t0, %%s%u, %u; xor.b32 %%t0, %%t0, %%ti; and.b32 %%t0, %%t0, %u; setp.eq.u32 %%p3, "
         "%%t0, %u;\n",
         a, pick(g, 28), 1 + pick(g, 3), pick(g, 2));
    return false;
}

/* ---- structured
 * ------------------------------------------------------------------------------------------------- */

static void emit_region(struct graph *g);

static void emit_if(struct graph *g)
{
    unsigned other = label(g), join = label(g);
    bool was = g->uniform, same = emit_condition(g);
    g->uniform = was && same;
    EMIT("  @!%%p3 bra L%u;\n", other);
    emit_region(g);
    if (pick(g, 2)) {
        EMIT("  bra L%u;\nL%u:\n", join, other);
        emit_region(g);
    } else {
        EMIT("L%u:\n", other);
    }
    EMIT("L%u:\n", join);
    g->uniform = was;
}

static void emit_while(struct graph *g)
{
    unsigned top = label(g), next = label(g), end = label(g), counter = g->loops;
    bool was = g->uniform, fixed = pick(g, 2);
    if (g->loops == 6) return;
    if (fixed)
        EMIT("  mov.u32 %%c%u, %u;\n", counter, 1 + pick(g, 5));
    else
        EMIT("  and.b32 %%c%u, %%s%u, 7; add.u32 %%c%u, %%c%u, 1;\n", counter, pick(g, REGS), counter,
             counter);
    bool leaves = !(fixed && was) || (g->shape != EXEC_BARRIERS && g->shape != EXEC_SHUFFLES);
    g->uniform = was && fixed;
    g->loop_break[g->loops] = leaves ? end : UINT32_MAX;
    g->loop_continue[g->loops++] = leaves ? next : UINT32_MAX;
    EMIT("L%u:\n", top);
    if (leaves) g->uniform = false; /* a thread may have left earlier */
    emit_region(g);
    EMIT("L%u:\n  sub.u32 %%c%u, %%c%u, 1; setp.ne.u32 %%p4, %%c%u, 0; @%%p4 bra L%u;\nL%u:\n", next, counter,
         counter, counter, top, end);
    g->loops--;
    g->uniform = was;
}

static void emit_switch(struct graph *g)
{
    unsigned first = g->labels, count = 2 + pick(g, 3), end;
    bool was = g->uniform;
    g->labels += count;
    end = label(g);
    g->uniform = false;
    unsigned a = pick(g, REGS), table = label(g);
    EMIT("  rem.u32 %%t0, %%s%u, %u;\nT%u: .branchtargets ", a, count, table);
    for (unsigned i = 0; i < count; i++)
        EMIT("%sL%u", i ? ", " : "", first + i);
    EMIT(";\n  brx.idx %%t0, T%u;\n", table);
    for (unsigned i = 0; i < count; i++) {
        EMIT("L%u:\n", first + i);
        emit_straight(g);
        if (pick(g, 4)) EMIT("  bra L%u;\n", end); /* else: fall through to the next case */
    }
    EMIT("L%u:\n", end);
    g->uniform = was;
}

static void emit_jump(struct graph *g)
{
    if (g->loops == 0 || g->loop_break[g->loops - 1] == UINT32_MAX) return;
    unsigned level = pick(g, g->loops);
    for (unsigned l = level; l < g->loops; l++)
        if (g->loop_break[l] == UINT32_MAX) return; /* would leave a loop that barriers need whole */
    emit_condition(g);
    EMIT("  @%%p3 bra L%u;\n", pick(g, 2) ? g->loop_break[level] : g->loop_continue[level]);
}

static void emit_region(struct graph *g)
{
    emit_straight(g);
    if (g->depth >= MOST_DEPTH) return;
    g->depth++;
    for (unsigned n = 1 + pick(g, 2); n && g->budget; n--, g->budget--) {
        switch (pick(g, 8)) {
        case 0:
        case 1:
        case 2: emit_if(g); break;
        case 3:
        case 4: emit_while(g); break;
        case 5: emit_switch(g); break;
        case 6: emit_jump(g); break;
        default:
            if (g->shape == EXEC_STRUCTURED && pick(g, 3) == 0) {
                emit_condition(g);
                EMIT("  @%%p3 bra DONE;\n");
            }
            break;
        }
        emit_straight(g);
    }
    g->depth--;
}

/* ---- arbitrary
 * -------------------------------------------------------------------------------------------------- */

static void emit_arbitrary(struct graph *g)
{
    unsigned blocks = 4 + pick(g, 14);
    EMIT("  mov.u32 %%fuel, %u;\n", 20 + pick(g, 40));
    emit_condition(g);
    EMIT("  @%%p3 bra L%u;\n", pick(g, blocks)); /* a second way in */
    for (unsigned b = 0; b < blocks; b++) {
        EMIT("L%u:\n", b);
        if (pick(g, 2))
            EMIT("  sub.u32 %%fuel, %%fuel, 1; setp.eq.u32 %%p4, %%fuel, 0; @%%p4 bra DONE;\n");
        else
            EMIT("  sub.u32 %%fuel, %%fuel, 1; setp.le.s32 %%p4, %%fuel, 0; @%%p4 bra DONE;\n");
        emit_straight(g);
        unsigned kind = pick(g, 6);
        if (kind < 4) {
            emit_condition(g);
            EMIT("  @%%p3 bra L%u;\n", pick(g, blocks));
            if (pick(g, 2)) EMIT("  bra L%u;\n", pick(g, blocks));
        } else if (kind == 4) {
            EMIT("  bra L%u;\n", pick(g, blocks));
        } else {
            EMIT("  rem.u32 %%t0, %%%s, 3;\nT%u: .branchtargets L%u, L%u, L%u;\n  brx.idx %%t0, T%u;\n",
                 g->shape == EXEC_UNIFORM ? "fuel" : "s0", b, pick(g, blocks), pick(g, blocks),
                 pick(g, blocks), b);
        }
    }
}

/* ---- a kernel
 * --------------------------------------------------------------------------------------------------- */

void exec_graph_emit(struct str *out, uint64_t seed, enum exec_shape shape, const char *name)
{
    struct graph graph = {
        .out = out, .state = seed * 0x9e3779b97f4a7c15u + 12345, .shape = shape, .budget = 10};
    struct graph *g = &graph;
    g->uniform = true;
    EMIT(".visible .entry %s(.param .u64 out, .param .u64 sums, .param .u64 in)\n{\n", name);
    EMIT("  .reg .pred %%p<5>; .reg .b32 %%s<%d>; .reg .b32 %%t<4>; .reg .b32 %%c<7>; .reg .f32 %%f<2>;\n",
         REGS);
    EMIT("  .reg .b64 %%w<4>; .reg .b64 %%out, %%sums, %%in; .reg .b32 %%ti, %%nt, %%ci, %%id, %%buf, "
         "%%mine, "
         "%%fuel;\n  .reg .f64 %%d<2>; .reg .b16 %%h0; .reg .b64 %%base; .reg .b32 %%own; .local .align 4 "
         ".b8 array[32];\n");
    bool exchanges = shape == EXEC_BARRIERS || shape == EXEC_UNIFORM;
    if (exchanges) EMIT("  .shared .align 4 .b8 buffer[4096];\n");
    EMIT("  ld.param.u64 %%out, [out]; ld.param.u64 %%sums, [sums]; ld.param.u64 %%in, [in];\n"
         "  mov.u32 %%ti, %%tid.x; mov.u32 %%nt, %%ntid.x; mov.u32 %%ci, %%ctaid.x;\n"
         "  mad.lo.u32 %%id, %%ci, %%nt, %%ti; mul.wide.u32 %%w0, %%id, 4; add.u64 %%out, %%out, %%w0;\n"
         "  mov.u64 %%base, %%in; mov.u32 %%own, array; mov.f64 %%d1, 0d0000000000000000;\n"
         "  mov.u32 %%t0, 0; st.local.u32 [%%own], %%t0; st.local.u32 [%%own+4], %%t0; st.local.u32 "
         "[%%own+8], %%t0;\n"
         "  st.local.u32 [%%own+12], %%t0; st.local.u32 [%%own+16], %%t0; st.local.u32 [%%own+20], %%t0;\n"
         "  st.local.u32 [%%own+24], %%t0; st.local.u32 [%%own+28], %%t0;\n"
         "  add.u64 %%in, %%in, %%w0; ld.global.u32 %%s0, [%%in];\n"
         "  mov.u64 %%w1, 0; mov.f32 %%f1, 0f00000000; setp.lt.s32 %%p0, %%s0, 0;\n");
    if (exchanges) EMIT("  mov.u32 %%buf, buffer; shl.b32 %%mine, %%ti, 2; add.u32 %%mine, %%mine, %%buf;\n");
    for (int r = 1; r < REGS; r++)
        EMIT("  mad.lo.u32 %%s%d, %%s%d, %u, %u;\n", r, r - 1, 2 * pick(g, 100000) + 1, pick(g, 100000));
    if (shape == EXEC_ARBITRARY || shape == EXEC_UNIFORM)
        emit_arbitrary(g);
    else
        emit_region(g);
    EMIT("DONE:\n");
    for (int r = 1; r < REGS; r++)
        EMIT("  mad.lo.u32 %%s0, %%s0, 31, %%s%d;\n", r);
    EMIT("  cvt.u32.u64 %%t0, %%w1; xor.b32 %%s0, %%s0, %%t0; mov.b32 %%t0, %%f1; add.u32 %%s0, %%s0, %%t0;\n"
         "  st.global.u32 [%%out], %%s0;\n  ret;\n}\n");
}
