/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: kernels that show the fragment layout of wmma.load and wmma.store, which PTX does not
 * specify. Method: memory holds the elements' numbers, some bits of them in each block, and the kernels
 * store the registers. Limits: one padded stride and, for global memory, the dense default. */
#include "matrix_forms.h"

#include <string.h>

struct list {
    struct matrix_fragment *out;
    unsigned count, capacity;
};

static void add_in(struct list *list, char letter, const unsigned shape[3], enum matrix_type type,
                   bool by_column, bool dense, bool shared)
{
    unsigned bits = matrix_type_bits(type);
    struct matrix_fragment f = {
        .letter = letter, .by_column = by_column, .dense = dense, .shared = shared, .type = type};
    f.rows = letter == 'b' ? shape[2] : shape[0];
    f.columns = letter == 'a' ? shape[2] : shape[1];
    f.regs = f.rows * f.columns * bits / 32 / (bits == 64 ? 64 : 32);
    if (type == MT_F16 && (letter == 'a' || letter == 'b')) f.regs = 8;
    f.stride = (by_column ? f.rows : f.columns) + (dense ? 0 : 128 / bits);
    f.passes = bits >= 16 || letter == 'd' ? 1 : bits == 8 ? 2 : bits == 4 ? 3 : 10;
    snprintf(f.text, sizeof f.text, "wmma.%s.%c.sync.aligned.%s.m%un%uk%u.%s.%s",
             letter == 'd' ? "store" : "load", letter, by_column ? "col" : "row", shape[0], shape[1],
             shape[2], shared ? "shared" : "global", matrix_type_name(type));
    snprintf(f.name, sizeof f.name, "%s%s", f.text, dense ? "_dense" : "");
    for (char *p = f.name; *p; p++)
        if (*p == '.') *p = '_';
    if (list->count < list->capacity) list->out[list->count] = f;
    list->count++;
}

static void add(struct list *list, char letter, const unsigned shape[3], enum matrix_type type,
                bool by_column, bool dense)
{
    add_in(list, letter, shape, type, by_column, dense, false);
    if (!dense) add_in(list, letter, shape, type, by_column, dense, true);
}

static void each_layout(struct list *list, const char *letters, const unsigned shape[3],
                        enum matrix_type type)
{
    for (; *letters; letters++)
        for (unsigned v = 0; v < 4; v++)
            add(list, *letters, shape, type, v & 1, v & 2);
}

unsigned matrix_fragments(struct matrix_fragment *out, unsigned capacity)
{
    static const unsigned shapes[3][3] = {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}};
    static const unsigned single[3] = {16, 16, 8}, wide[3] = {8, 8, 4}, nibble[3] = {8, 8, 32},
                          bit[3] = {8, 8, 128};
    static const enum matrix_type factors[] = {MT_F16, MT_BF16, MT_S8, MT_U8},
                                  sums[] = {MT_F16, MT_F32, MT_S32};
    struct list list = {out, 0, capacity};
    for (unsigned s = 0; s < 3; s++) {
        for (unsigned t = 0; t < 4; t++)
            each_layout(&list, "ab", shapes[s], factors[t]);
        for (unsigned t = 0; t < 3; t++)
            each_layout(&list, "cd", shapes[s], sums[t]);
    }
    each_layout(&list, "ab", single, MT_TF32);
    each_layout(&list, "cd", single, MT_F32);
    each_layout(&list, "abcd", wide, MT_F64);
    for (unsigned t = 0; t < 3; t++)
        for (unsigned dense = 0; dense < 2; dense++) {
            const unsigned *shape = t == 2 ? bit : nibble;
            enum matrix_type type = t == 2 ? MT_B1 : t ? MT_U4 : MT_S4;
            add(&list, 'a', shape, type, false, dense);
            add(&list, 'b', shape, type, true, dense);
        }
    each_layout(&list, "cd", nibble, MT_S32);
    each_layout(&list, "cd", bit, MT_S32);
    return list.count;
}

size_t matrix_fragment_bytes(const struct matrix_fragment *f)
{
    return (size_t)f->stride * (f->by_column ? f->columns : f->rows) * matrix_type_bits(f->type) / 8;
}

void matrix_fragment_fill(const struct matrix_fragment *f, unsigned pass, uint8_t *memory)
{
    unsigned bits = matrix_type_bits(f->type);
    memset(memory, 0, matrix_fragment_bytes(f));
    for (unsigned row = 0; row < f->rows; row++)
        for (unsigned column = 0; column < f->columns; column++) {
            unsigned number = row * f->columns + column;
            size_t at = f->by_column ? (size_t)column * f->stride + row : (size_t)row * f->stride + column;
            if (bits >= 16)
                memcpy(memory + at * bits / 8, &number, bits == 16 ? 2 : 4);
            else
                memory[at * bits / 8] |=
                    (uint8_t)((number >> pass * bits & ((1u << bits) - 1)) << at * bits % 8);
        }
}

uint32_t matrix_fragment_word(unsigned reg, unsigned lane, unsigned half)
{
    return ((reg * 32 + lane) * 2 + half) * 2654435761u;
}

static void emit_shared(FILE *to, const char *what, const char *body, size_t bytes)
{
    fprintf(to,
            "mov.u32 %%i, %%tid.x;\n%s: shl.b32 %%o, %%i, 2; cvt.u64.u32 %%x, %%o; add.u64 %%x, %%m, %%x; "
            "add.u32 %%o, %%o, %%t;\n"
            "%s\nadd.u32 %%i, %%i, 32; setp.lt.u32 %%p, %%i, %zu; @%%p bra %s; bar.warp.sync -1;\n",
            what, body, bytes / 4, what);
}

void matrix_emit_fragment(FILE *to, const struct matrix_fragment *f)
{
    const char *type = f->type == MT_F64 ? "f64" : f->type == MT_F32 ? "f32" : "b32";
    unsigned bytes = f->type == MT_F64 ? 8 : 4;
    size_t memory = matrix_fragment_bytes(f);
    fprintf(to,
            ".visible .entry %s(.param .u64 memory, .param .u64 registers, .param .u32 stride)\n{\n.reg .%s "
            "%%r<%u>;\n"
            ".reg .b64 %%m, %%g, %%x; .reg .b32 %%s, %%l, %%c, %%t, %%i, %%o, %%v; .reg .pred %%p;\n",
            f->name, type, f->regs);
    if (f->shared) fprintf(to, ".shared .align 128 .b8 tile[%zu];\nmov.u32 %%t, tile;\n", memory);
    fprintf(
        to,
        "ld.param.u64 %%m, [memory]; ld.param.u64 %%g, [registers]; ld.param.u32 %%s, [stride];\n"
        "mov.u32 %%l, %%tid.x; mov.u32 %%c, %%ctaid.x; mul.wide.u32 %%x, %%c, %zu; add.u64 %%m, %%m, %%x;\n"
        "mad.lo.u32 %%l, %%c, %u, %%l; mul.wide.u32 %%x, %%l, %u; add.u64 %%g, %%g, %%x;\n",
        memory, f->regs * 32, bytes);
    if (f->shared) emit_shared(to, "IN", "ld.global.u32 %v, [%x]; st.shared.u32 [%o], %v;", memory);
    for (unsigned r = 0; f->letter == 'd' && r < f->regs; r++)
        fprintf(to, "ld.global.%s %%r%u, [%%g+%u];\n", type, r, r * 32 * bytes);
    char list[128] = "{", *p = list + 1;
    for (unsigned r = 0; r < f->regs; r++)
        p += snprintf(p, 8, "%s%%r%u", r ? "," : "", r);
    const char *stride = f->dense ? "" : ", %s", *at = f->shared ? "%t" : "%m";
    if (f->letter == 'd')
        fprintf(to, "%s [%s], %s}%s;\n", f->text, at, list, stride);
    else
        fprintf(to, "%s %s}, [%s]%s;\n", f->text, list, at, stride);
    for (unsigned r = 0; f->letter != 'd' && r < f->regs; r++)
        fprintf(to, "st.global.%s [%%g+%u], %%r%u;\n", type, r * 32 * bytes, r);
    if (f->shared && f->letter == 'd') {
        fputs("bar.warp.sync -1;\n", to);
        emit_shared(to, "OUT", "ld.shared.u32 %v, [%o]; st.global.u32 [%x], %v;", memory);
    }
    fputs("ret;\n}\n", to);
}

/* ---- ldmatrix, stmatrix, movmatrix */

static const char *const moves[MATRIX_MOVES] = {
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16",       "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16",       "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16",
    "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
    "stmatrix.sync.aligned.m8n8.x1.shared.b16",       "stmatrix.sync.aligned.m8n8.x2.shared.b16",
    "stmatrix.sync.aligned.m8n8.x4.shared.b16",       "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16",
    "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16", "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
    "movmatrix.sync.aligned.m8n8.trans.b16"};

const char *matrix_move_name(unsigned i)
{
    static char name[64];
    snprintf(name, sizeof name, "%s", moves[i]);
    for (char *p = name; *p; p++)
        if (*p == '.') *p = '_';
    return name;
}

uint32_t matrix_pattern(unsigned pattern, unsigned lane)
{
    uint32_t random = (lane + 1) * 2654435761u >> 16;
    switch (pattern) {
    case 0: return lane * 16;
    case 1: return lane * 32;
    case 2: return lane * 128;
    case 3: return lane * 144;
    case 4: return 64;
    case 5: return random % 512 * 16;
    case 6: return lane / 2 * 144;
    default: return random % 24 * 16;
    }
}

/* Each half word of shared memory holds its own number; the kernel reads shared memory back after
 * stmatrix. */
void matrix_emit_move(FILE *to, unsigned i)
{
    static const char *const lists[] = {"{%r0}", "{%r0,%r1}", "{%r0,%r1,%r2,%r3}"};
    bool store = i / 6 == 1;
    fprintf(to,
            ".visible .entry %s(.param .u64 offsets, .param .u64 registers)\n{\n.shared .align 128 .b8 "
            "tile[%u];\n"
            ".reg .b32 %%r<4>, %%t, %%l, %%i, %%o, %%v; .reg .b64 %%m, %%x; .reg .pred %%p;\n"
            "mov.u32 %%t, tile; mov.u32 %%l, %%tid.x; ld.param.u64 %%m, [offsets]; mul.wide.u32 %%x, %%l, 4; "
            "add.u64 %%m, %%m, %%x;\n"
            "mov.u32 %%i, %%l;\nIN: shl.b32 %%o, %%i, 2; add.u32 %%o, %%o, %%t; shl.b32 %%v, %%i, 1; "
            "mad.lo.u32 %%v, %%v, 65537, 65536;\n"
            "st.shared.u32 [%%o], %%v; add.u32 %%i, %%i, 32; setp.lt.u32 %%p, %%i, %u; @%%p bra IN; "
            "bar.warp.sync -1;\n"
            "ld.global.u32 %%o, [%%m]; add.u32 %%o, %%o, %%t;\n",
            matrix_move_name(i), MATRIX_SHARED, MATRIX_SHARED / 4);
    for (unsigned r = 0; r < 4; r++)
        fprintf(to, "mad.lo.u32 %%r%u, %%l, 65537, %u;\n", r, 0x40008000u + r * 0x01000100u);
    if (i == 12)
        fprintf(to, "%s %%r1, %%r0;\n", moves[i]);
    else if (store)
        fprintf(to, "%s [%%o], %s;\n", moves[i], lists[i % 3]);
    else
        fprintf(to, "%s %s, [%%o];\n", moves[i], lists[i % 3]);
    fputs("ld.param.u64 %m, [registers]; add.u64 %m, %m, %x;\n", to);
    for (unsigned r = 0; r < 4 && !store; r++)
        fprintf(to, "st.global.u32 [%%m+%u], %%r%u;\n", r * 128, r);
    if (store)
        fprintf(to,
                "bar.warp.sync -1; mov.u32 %%i, %%l;\nOUT: shl.b32 %%o, %%i, 2; add.u32 %%o, %%o, %%t; "
                "ld.shared.u32 %%v, [%%o];\n"
                "st.global.u32 [%%m], %%v; add.u64 %%m, %%m, 128; add.u32 %%i, %%i, 32; setp.lt.u32 %%p, "
                "%%i, %u; @%%p bra OUT;\n",
                MATRIX_SHARED / 4);
    fputs("ret;\n}\n", to);
}
