/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: random kernels over the indices of threads, as PTX, for blocks of any shape. Method: registers
 * begin as indices of threads and blocks, pitches and numbers near where 32 bits wrap, and instructions mix
 * them: integers of 32 and 64 bits, comparisons, guards, branches that depend on threads, loops, loads and
 * stores of rows and columns of global memory and of a tile in shared memory, of all widths. All registers go
 * to memory that is each thread's own. Limits: a generator of its own makes everything from one seed; no two
 * threads store to one place, but those of a row the same. */
#include "exec.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 14, FIRST_FREE = 8 };

struct shape_kernel {
    struct str *out;
    uint64_t state;
    unsigned labels;
    bool uniform; /* all threads of the block are here */
    bool tile;    /* it has shared memory; otherwise blocks may run side by side */
    unsigned row; /* threads of a row that the code makes of a flat block, as a logarithm; 0: rows are the
                     block's */
};

#define EMIT(...) str_printf(k->out, __VA_ARGS__)

static uint32_t shapes_pick(struct shape_kernel *k, uint32_t below)
{
    k->state = k->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(k->state >> 33) % below;
}

static unsigned any(struct shape_kernel *k)
{
    return shapes_pick(k, WORDS);
}

static unsigned dest(struct shape_kernel *k)
{
    return FIRST_FREE + shapes_pick(k, WORDS - FIRST_FREE);
}

/* ---- registers */

static void emit_integer(struct shape_kernel *k)
{
    static const char *const ops[] = {"add.s32", "sub.s32", "mul.lo.s32", "and.b32", "or.b32",
                                      "xor.b32", "min.s32", "max.u32",    "add.u32", "sub.u32"};
    static const unsigned numbers[] = {1, 4, 15, 16, 7, 8, 31, 32, 64, 1000};
    static const char *const guards[] = {"", "", "", "@%p0 ", "@!%p1 "};
    const char *op = ops[shapes_pick(k, SW_COUNT_OF(ops))],
               *guard = guards[shapes_pick(k, SW_COUNT_OF(guards))];
    unsigned d = dest(k), a = any(k);
    if (shapes_pick(k, 2))
        EMIT("  %s%s %%s%u, %%s%u, %u;\n", guard, op, d, a, numbers[shapes_pick(k, SW_COUNT_OF(numbers))]);
    else
        EMIT("  %s%s %%s%u, %%s%u, %%s%u;\n", guard, op, d, a, any(k));
}

static void emit_wide(struct shape_kernel *k)
{
    const char *sign = shapes_pick(k, 2) ? "s" : "u";
    unsigned w = shapes_pick(k, 3);
    switch (shapes_pick(k, 6)) {
    case 0: EMIT("  mul.wide.%s32 %%w%u, %%s%u, %u;\n", sign, w, any(k), 1u << shapes_pick(k, 4)); break;
    case 1: EMIT("  cvt.%s64.%s32 %%w%u, %%s%u;\n", sign, sign, w, any(k)); break;
    case 2: EMIT("  mad.wide.%s32 %%w%u, %%s%u, 4, %%w%u;\n", sign, w, any(k), shapes_pick(k, 3)); break;
    case 3: EMIT("  add.s64 %%w%u, %%w%u, %%w%u;\n", w, w, shapes_pick(k, 3)); break;
    case 4: EMIT("  mul.lo.s64 %%w%u, %%w%u, %%w%u;\n", w, shapes_pick(k, 3), shapes_pick(k, 3)); break;
    default: EMIT("  shl.b64 %%w%u, %%w%u, %u;\n", w, w, 1 + shapes_pick(k, 3)); break;
    }
    EMIT("  shr.u64 %%w3, %%w%u, 32; cvt.u32.u64 %%t0, %%w3; cvt.u32.u64 %%t1, %%w%u;\n", w, w);
    EMIT("  mad.lo.u32 %%s%u, %%t0, 77, %%t1;\n", dest(k));
}

static void emit_compare(struct shape_kernel *k)
{
    static const char *const how[] = {"lt.s32", "ge.s32", "lt.u32", "eq.s32", "ne.s32", "gt.s32", "le.u32"};
    const char *op = how[shapes_pick(k, SW_COUNT_OF(how))];
    unsigned p = shapes_pick(k, 2);
    switch (shapes_pick(k, 4)) {
    case 0: EMIT("  setp.%s %%p%u, %%s%u, %u;\n", op, p, any(k), 1u << shapes_pick(k, 6)); break;
    case 1: EMIT("  setp.%s %%p%u, %%s%u, %%s%u;\n", op, p, any(k), any(k)); break;
    case 2:
        EMIT("  setp.%s %%p2|%%p3, %%s%u, %%s%u; and.pred %%p%u, %%p%u, %%p3;\n", op, any(k), any(k), p, p);
        break;
    default:
        EMIT("  setp.%.2s.and%s %%p%u, %%s%u, %%s%u, !%%p%u;\n", op, op + 2, p, any(k), any(k), 1 - p);
        break;
    }
}

static void emit_other(struct shape_kernel *k)
{
    unsigned d = dest(k), a = any(k);
    switch (shapes_pick(k, 7)) {
    case 0: EMIT("  mad.lo.s32 %%s%u, %%s%u, %%s%u, %%s%u;\n", d, a, any(k), any(k)); break;
    case 1: EMIT("  mad.lo.s32 %%s%u, %%s%u, %u, %%s%u;\n", d, a, 1u << shapes_pick(k, 6), any(k)); break;
    case 2: EMIT("  selp.b32 %%s%u, %%s%u, %%s%u, %%p%u;\n", d, a, any(k), shapes_pick(k, 2)); break;
    case 3: EMIT("  shr.u32 %%s%u, %%s%u, %u;\n", d, a, 1 + shapes_pick(k, 5)); break;
    case 4: EMIT("  shl.b32 %%s%u, %%s%u, %u;\n", d, a, 1 + shapes_pick(k, 5)); break;
    case 5: EMIT("  cvt.rn.f32.s32 %%f0, %%s%u; fma.rn.f32 %%f1, %%f1, 0f3F000000, %%f0;\n", a); break;
    default: EMIT("  cvt.u16.u32 %%h0, %%s%u; cvt.u32.u16 %%s%u, %%h0;\n", a, d); break;
    }
}

/* ---- memory: %s0 is tid.x, %s1 tid.y + ntid.y * tid.z, both below 64 or so; %s6 the pitch */

/* The index, in elements, of something in row and column into %t0: below 16 Ki. */
static void emit_index(struct shape_kernel *k, unsigned tile)
{
    char pitch[16] = "%s6";
    if (tile) snprintf(pitch, sizeof pitch, "%u", tile);
    switch (shapes_pick(k, tile ? 5 : 6)) {
    case 0: EMIT("  mad.lo.s32 %%t0, %%row, %s, %%s0;\n", pitch); break;
    case 1: EMIT("  mad.lo.s32 %%t0, %%row, %s, %u;\n", pitch, shapes_pick(k, 16)); break;
    case 2: EMIT("  mov.u32 %%t0, %%s0;\n"); break;
    case 3: EMIT("  mad.lo.s32 %%t0, %%s0, %s, %%row;\n", pitch); break;
    case 4:
        EMIT("  mad.lo.s32 %%t0, %%row, %s, %%s0; add.s32 %%t0, %%t0, %u;\n", pitch, 1 + shapes_pick(k, 16));
        break;
    default: EMIT("  and.b32 %%t0, %%s%u, 4095;\n", any(k)); break;
    }
    if (shapes_pick(k, 8) == 0) EMIT("  shl.b32 %%t0, %%t0, 1;\n");
}

static void emit_load(struct shape_kernel *k)
{
    const char *guard = shapes_pick(k, 4) ? "" : "@%p0 ";
    emit_index(k, 0);
    switch (shapes_pick(k, 8)) {
    case 0:
        EMIT("  cvt.s64.s32 %%w3, %%t0; add.s64 %%w3, %%w3, %%in; %sld.global.u8 %%s%u, [%%w3+3];\n", guard,
             dest(k));
        return;
    case 1:
        EMIT("  mad.wide.s32 %%w3, %%t0, 2, %%in; %sld.global.s16 %%s%u, [%%w3];\n", guard, dest(k));
        return;
    case 2:
        EMIT("  mad.wide.s32 %%w3, %%t0, 8, %%in; %sld.global.v2.u32 {%%s%u, %%t1}, [%%w3];\n", guard,
             dest(k));
        return;
    case 3:
        EMIT("  mad.wide.s32 %%w3, %%t0, 16, %%in; %sld.global.v4.u32 {%%t1, %%s8, %%s9, %%t1}, [%%w3];\n",
             guard);
        return;
    case 4:
        EMIT("  mad.wide.s32 %%w3, %%t0, 8, %%in; %sld.global.u64 %%w%u, [%%w3];\n", guard,
             shapes_pick(k, 3));
        return;
    case 5: EMIT("  mad.wide.s32 %%w3, %%t0, 4, %%in; %sld.global.f32 %%f1, [%%w3];\n", guard); return;
    case 6:
        EMIT("  mul.wide.u32 %%w3, %%t0, 4; add.s64 %%w3, %%in, %%w3; %sld.global.nc.u32 %%s%u, [%%w3+64];\n",
             guard, dest(k));
        return;
    default:
        EMIT("  mad.wide.s32 %%w3, %%t0, 4, %%in; %sld.global.u32 %%s%u, [%%w3];\n", guard, dest(k));
        return;
    }
}

/* To the block's own rows, or one word for a row, whose threads all store the same. */
static void emit_store(struct shape_kernel *k)
{
    const char *guard = shapes_pick(k, 3) ? "" : "@%p1 ";
    switch (shapes_pick(k, 4)) {
    case 0:
        EMIT("  mad.wide.s32 %%w3, %%row, 4, %%rows; add.s32 %%t0, %%row, %%s6; st.global.u32 [%%w3], "
             "%%t0;\n");
        return;
    case 1:
        EMIT("  mad.lo.s32 %%t0, %%row, %%s6, %%s0; mad.wide.s32 %%w3, %%t0, 8, %%own; %sst.global.v2.u32 "
             "[%%w3], {%%s%u, %%s%u};\n",
             guard, any(k), any(k));
        return;
    case 2:
        EMIT("  mad.lo.s32 %%t0, %%row, %%s6, %%s0; mad.wide.s32 %%w3, %%t0, 8, %%own; %sst.global.u16 "
             "[%%w3+2], %%s%u;\n",
             guard, any(k));
        return;
    default:
        EMIT("  mad.lo.s32 %%t0, %%row, %%s6, %%s0; mad.wide.s32 %%w3, %%t0, 8, %%own; %sst.global.u32 "
             "[%%w3], %%s%u;\n",
             guard, any(k));
        return;
    }
}

/* A tile in shared memory, written by rows and read in any way. */
static void emit_tile(struct shape_kernel *k)
{
    static const unsigned pitches[] = {64, 65, 68, 72};
    unsigned pitch = pitches[shapes_pick(k, SW_COUNT_OF(pitches))], size = shapes_pick(k, 3) ? 4 : 2;
    EMIT("  bar.sync 0;\n  mad.lo.s32 %%t0, %%row, %u, %%s0; shl.b32 %%t0, %%t0, %u; add.s32 %%t0, %%t0, "
         "%%tile;\n",
         pitch, size / 2);
    EMIT("  st.shared.u%u [%%t0], %%s%u;\n  bar.sync 0;\n", 8 * size, any(k));
    for (unsigned i = 1 + shapes_pick(k, 3); i; i--) {
        emit_index(k, pitch);
        EMIT("  and.b32 %%t0, %%t0, 8191; shl.b32 %%t0, %%t0, %u; add.s32 %%t0, %%t0, %%tile;\n", size / 2);
        EMIT("  ld.shared.u%u %%s%u, [%%t0];\n", 8 * size, dest(k));
    }
}

/* ---- control */

static void shapes_steps(struct shape_kernel *k, unsigned count, unsigned depth);

static void emit_if(struct shape_kernel *k, unsigned depth)
{
    unsigned end = k->labels++;
    bool uniform = k->uniform;
    emit_compare(k);
    EMIT("  @%s%%p%u bra L%u;\n", shapes_pick(k, 2) ? "" : "!", shapes_pick(k, 2), end);
    k->uniform = false;
    shapes_steps(k, 1 + shapes_pick(k, 5), depth + 1);
    k->uniform = uniform;
    EMIT("L%u:\n", end);
}

/* As often in all threads, or as the index of a row or column says. */
static void emit_loop(struct shape_kernel *k, unsigned depth)
{
    unsigned again = k->labels++, how = shapes_pick(k, 3);
    bool uniform = k->uniform;
    if (how == 0)
        EMIT("  mov.u32 %%n%u, %u;\n", depth, 1 + shapes_pick(k, 3));
    else
        EMIT("  and.b32 %%n%u, %%%s, 3;\n", depth, how == 1 ? "row" : "s0");
    EMIT("L%u:\n", again);
    k->uniform = uniform && how == 0;
    shapes_steps(k, 1 + shapes_pick(k, 4), depth + 1);
    k->uniform = uniform;
    EMIT("  sub.s32 %%n%u, %%n%u, 1; setp.ge.s32 %%p2, %%n%u, 0; @%%p2 bra L%u;\n", depth, depth, depth,
         again);
}

static void shapes_steps(struct shape_kernel *k, unsigned count, unsigned depth)
{
    for (; count; count--) {
        switch (shapes_pick(k, 12)) {
        case 0:
        case 1:
        case 2: emit_integer(k); break;
        case 3: emit_wide(k); break;
        case 4: emit_compare(k); break;
        case 5: emit_other(k); break;
        case 6:
        case 7: emit_load(k); break;
        case 8: emit_store(k); break;
        case 9:
            if (k->uniform && k->tile) emit_tile(k);
            break;
        case 10:
            if (depth < 3) emit_if(k, depth);
            break;
        default:
            if (depth < 3) emit_loop(k, depth);
            break;
        }
    }
}

/* %t1: rows of the block, %t3: its threads in a row */
static void emit_zeros(struct shape_kernel *k)
{
    EMIT("  .shared .align 16 .b8 tile[40000];\n  mov.u32 %%tile, tile;\n");
    EMIT("  mad.lo.s32 %%t0, %%row, %%t3, %%s0; mul.lo.s32 %%t1, %%t1, %%t3; shl.b32 %%t1, %%t1, 2;\n"
         "  shl.b32 %%t0, %%t0, 2; add.s32 %%t0, %%t0, %%tile; add.s32 %%t2, %%tile, 39996;\n"
         "ZERO:\n  st.shared.u32 [%%t0], 0; add.s32 %%t0, %%t0, %%t1;\n"
         "  setp.le.u32 %%p2, %%t0, %%t2; @%%p2 bra ZERO;\n");
}

/* %s0 to %s2: the indices; %t2: rows that differ in the second alone; %t3: threads in a row */
static void emit_indices(struct shape_kernel *k)
{
    if (k->row == 0)
        EMIT("  mov.u32 %%s0, %%tid.x; mov.u32 %%s1, %%tid.y; mov.u32 %%s2, %%tid.z; mov.u32 %%t2, %%ntid.y; "
             "mad.lo.s32 %%row, %%s2, %%t2, %%s1; mov.u32 %%t3, %%ntid.x;\n");
    else
        EMIT("  mov.u32 %%x, %%tid.x; and.b32 %%s0, %%x, %u; shr.u32 %%row, %%x, %u; mov.u32 %%s1, %%row; "
             "mov.u32 %%s2, 0; mov.u32 %%t2, 1; mov.u32 %%t3, %u;\n",
             (1u << k->row) - 1, k->row, 1u << k->row);
}

static void emit_begin(struct shape_kernel *k)
{
    emit_indices(k);
    EMIT("  ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out]; ld.param.u64 %%rows, [rows]; ld.param.u64 "
         "%%own, [own];\n"
         "  mov.u32 %%t0, %%ctaid.x; mad.lo.s32 %%s3, %%t0, %%t3, %%s0;\n"
         "  mov.u32 %%t1, %%ctaid.y; mad.lo.s32 %%s4, %%t1, %%t2, %%s1; ld.param.u32 %%s5, [near]; "
         "ld.param.u32 %%s6, [pitch]; mov.u32 %%s7, %%laneid;\n"
         "  mov.u32 %%t2, %%nctaid.x; mad.lo.s32 %%t0, %%t1, %%t2, %%t0;\n" /* the block */
         "  mul.wide.u32 %%w3, %%t0, 4096; add.s64 %%rows, %%rows, %%w3; mul.wide.u32 %%w3, %%t0, 131072; "
         "add.s64 %%own, %%own, %%w3;\n"
         "  mov.f32 %%f1, 0f3F800000; mov.u64 %%w0, 1; mov.u64 %%w1, 5; mov.u64 %%w2, "
         "-3;\n"
         "  mov.u32 %%t1, %%ntid.y; mov.u32 %%t2, %%ntid.z; mul.lo.s32 %%t1, %%t1, %%t2; mov.u32 %%t2, "
         "%%ntid.x; mul.lo.s32 %%t1, %%t1, %%t2; div.u32 %%t1, %%t1, %%t3; mad.lo.s32 %%linear, %%t0, %%t1, "
         "%%row; mad.lo.s32 %%linear, %%linear, %%t3, %%s0;\n"
         "  setp.lt.s32 %%p0, %%s1, %%s0; setp.lt.s32 %%p1, %%s1, 3; setp.lt.s32 %%p3, %%s0, 5;\n");
    if (k->tile) emit_zeros(k);
    for (unsigned i = FIRST_FREE; i < WORDS; i++)
        EMIT("  mad.lo.s32 %%s%u, %%s%u, %%s%u, %%s%u;\n", i, shapes_pick(k, i), 4 + shapes_pick(k, 3),
             shapes_pick(k, i));
}

void exec_shapes_emit(struct str *out, uint64_t seed, const char *name)
{
    struct shape_kernel kernel = {.out = out,
                                  .state = seed * 2654435761u + 12345,
                                  .uniform = true,
                                  .tile = seed % 2,
                                  .row = seed % 5 == 3 ? 3 + seed / 5 % 2 : 0},
                        *k = &kernel;
    EMIT(".visible .entry %s(.param .u64 in, .param .u64 out, .param .u64 rows, .param .u64 own, .param .u32 "
         "near, .param .u32 pitch)\n{\n"
         "  .reg .b32 %%s<%u>, %%t<4>, %%n<4>, %%x, %%row, %%tile, %%linear; .reg .b64 %%w<4>, %%in, %%out, "
         "%%rows, %%own; .reg .b16 %%h<2>;\n"
         "  .reg .f32 %%f<2>; .reg .pred %%p<4>;\n",
         name, WORDS);
    emit_begin(k);
    shapes_steps(k, 12 + shapes_pick(k, 12), 0);
    EMIT("  mad.wide.s32 %%w3, %%linear, %u, %%out;\n", 4 * (WORDS + 1));
    for (unsigned i = 0; i < WORDS; i++)
        EMIT("  st.global.u32 [%%w3+%u], %%s%u;\n", 4 * i, i);
    EMIT("  st.global.f32 [%%w3+%u], %%f1;\n  ret;\n}\n", 4 * WORDS);
}

/* Widths that are rows of warps, and others; depths of rows that divide a warp's, and others. */
static const uint32_t SHAPES[][3] = {
    {16, 16, 1}, {8, 8, 1},   {4, 8, 4},   {16, 3, 1}, {8, 4, 3},  {16, 2, 2}, {8, 2, 5},  {4, 16, 1},
    {1, 16, 4},  {1, 1, 48},  {16, 15, 1}, {8, 5, 3},  {4, 3, 7},  {32, 3, 1}, {7, 5, 1},  {24, 8, 1},
    {33, 2, 1},  {10, 10, 2}, {2, 16, 2},  {1, 8, 8},  {16, 1, 3}, {8, 1, 16}, {64, 2, 1}, {48, 1, 1},
    {12, 4, 2},  {4, 4, 1},   {1, 40, 2},  {16, 4, 4}, {3, 3, 3},  {31, 2, 1}, {33, 7, 1}, {48, 4, 1},
    {40, 3, 2},  {63, 2, 1},  {1, 45, 2},  {47, 5, 1}, {34, 1, 3}};

/* Of kernels that make rows themselves */
static const uint32_t FLAT[][3] = {{64, 1, 1}, {128, 1, 1}, {96, 1, 1}, {80, 1, 1}, {256, 1, 1}, {32, 1, 1}};

void exec_shapes_case(struct exec_case *out, uint64_t seed)
{
    static const struct {
        const char *name, *init;
        uint64_t count;
    } buffers[] = {{"in", "random", 1 << 17},
                   {"out", "zero", 6 * 1024 * (WORDS + 1)},
                   {"rows", "zero", 6 * 1024},
                   {"own", "zero", 6 * 32768}};
    static const uint32_t nears[] = {0x7fffffe0, 0xfffffff0, 5, 0x80000000}, pitches[] = {80, 64, 65, 100};
    struct str text = {0};
    *out = (struct exec_case){.name = "shapes", .buffer_count = 4, .launch_count = 2};
    for (unsigned b = 0; b < 4; b++) {
        struct exec_buffer *buffer = &out->buffers[b];
        snprintf(buffer->name, sizeof buffer->name, "%s", buffers[b].name);
        snprintf(buffer->init, sizeof buffer->init, "%s", buffers[b].init);
        buffer->type = ISA_U32;
        buffer->count = buffers[b].count;
        buffer->bytes = buffer->count * 4;
    }
    str_add(&text, ".version 8.0\n.target sm_90\n.address_size 64\n");
    exec_shapes_emit(&text, seed, "shapes");
    for (unsigned l = 0; l < out->launch_count; l++) {
        struct exec_launch *launch = &out->launches[l];
        *launch = (struct exec_launch){.kernel = "shapes", .grid = {3, 2, 1}, .param_count = 6};
        bool flat = seed % 5 == 3;
        memcpy(launch->block,
               flat ? FLAT[(seed / 10 + l) % SW_COUNT_OF(FLAT)]
                    : SHAPES[(seed + l * 11) % SW_COUNT_OF(SHAPES)],
               sizeof launch->block);
        for (unsigned p = 0; p < 4; p++)
            launch->params[p] = (struct exec_param){.buffer = &out->buffers[p], .bytes = 8};
        launch->params[4] = (struct exec_param){.bits = nears[seed / 3 % 4], .bytes = 4};
        launch->params[5] = (struct exec_param){.bits = pitches[(seed / 7 + l) % 4], .bytes = 4};
    }
    out->length = text.length;
    out->text = str_steal(&text);
}
