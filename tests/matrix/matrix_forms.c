/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the forms of matrix multiplication, kernels and inputs for them.
 * Method: loops over shapes and types as the PTX ISA lists them (9.7.14); inputs are a hash of what they
 * belong to, so that any block can be made by itself on any machine. Limits: lists forms that ptxas takes for
 * sm_90, and .satfinite of wmma on f16, which PTX had before version 6.5. */
#include "matrix_forms.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned bits;
} types[] = {{"f16", 16}, {"bf16", 16}, {"tf32", 32}, {"f64", 64}, {"e4m3", 8}, {"e5m2", 8}, {"s8", 8},
             {"u8", 8},   {"s4", 4},    {"u4", 4},    {"b1", 1},   {"f32", 32}, {"s32", 32}};

unsigned matrix_type_bits(enum matrix_type type)
{
    return types[type].bits;
}

const char *matrix_type_name(enum matrix_type type)
{
    return types[type].name;
}

/* ---- the list */

struct list {
    struct matrix_form *out;
    unsigned count, capacity;
};

static unsigned registers(unsigned elements, enum matrix_type type)
{
    unsigned bits = types[type].bits, width = type == MT_F64 ? 64 : 32;
    return elements * bits / width / 32;
}

static void add(struct list *list, const struct matrix_form *form, const char *format)
{
    struct matrix_form f = *form;
    char shape[32];
    snprintf(shape, sizeof shape, "m%un%uk%u", f.m, f.n, f.k);
    const char *d = types[f.d].name, *a = types[f.a].name, *b = types[f.b].name, *c = types[f.c].name;
    char *to = f.text, *end = f.text + sizeof f.text;
    for (; *format && to < end - 1; format++) {
        const char *piece = *format == '#'   ? shape
                            : *format == 'D' ? d
                            : *format == 'A' ? a
                            : *format == 'B' ? b
                            : *format == 'C' ? c
                                             : NULL;
        if (piece)
            to += snprintf(to, (size_t)(end - to), "%s", piece);
        else
            *to++ = *format;
    }
    *to = 0;
    snprintf(f.name, sizeof f.name, "%s", f.text);
    for (char *p = f.name; *p; p++)
        if (*p == '.' || *p == ':') *p = '_';
    if (f.sparse) snprintf(f.name + strlen(f.name), sizeof f.name - strlen(f.name), "_%u", f.selector);
    f.regs[0] = registers(f.m * f.n, f.d);
    f.regs[1] = registers(f.m * f.k / (f.sparse ? 2 : 1), f.a);
    f.regs[2] = registers(f.k * f.n, f.b);
    f.regs[3] = registers(f.m * f.n, f.c);
    if (f.wmma && f.a == MT_F16) f.regs[1] = f.regs[2] = 8;
    if (!f.wmma && f.a == MT_F16 && f.m == 8) { /* four products side by side */
        f.regs[1] = f.regs[2] = 2;
        f.regs[0] = f.d == MT_F32 ? 8 : 4;
        f.regs[3] = f.c == MT_F32 ? 8 : 4;
    }
    if (list->count < list->capacity) list->out[list->count] = f;
    list->count++;
}

static void mma_float(struct list *l)
{
    static const struct {
        enum matrix_type type;
        unsigned k[3];
    } rows[] = {{MT_F16, {8, 16}}, {MT_BF16, {8, 16}}, {MT_TF32, {4, 8}}};
    for (unsigned r = 0; r < 3; r++)
        for (unsigned i = 0; i < 2; i++)
            for (unsigned half = 0; half < (rows[r].type == MT_F16 ? 2u : 1u); half++) {
                enum matrix_type sum = half ? MT_F16 : MT_F32;
                struct matrix_form f = {.m = 16,
                                        .n = 8,
                                        .k = rows[r].k[i],
                                        .a = rows[r].type,
                                        .b = rows[r].type,
                                        .c = sum,
                                        .d = sum,
                                        .main = true};
                add(l, &f, "mma.sync.aligned.#.row.col.D.A.B.C");
            }
    for (unsigned layout = 0; layout < 4; layout++)
        for (unsigned sum = 0; sum < 3; sum++) {
            struct matrix_form f = {.m = 8,
                                    .n = 8,
                                    .k = 4,
                                    .a = MT_F16,
                                    .b = MT_F16,
                                    .d = sum ? MT_F32 : MT_F16,
                                    .c = sum == 2 ? MT_F32 : MT_F16,
                                    .main = layout == 1};
            static const char *const formats[] = {
                "mma.sync.aligned.#.row.row.D.A.B.C", "mma.sync.aligned.#.row.col.D.A.B.C",
                "mma.sync.aligned.#.col.row.D.A.B.C", "mma.sync.aligned.#.col.col.D.A.B.C"};
            add(l, &f, formats[layout]);
        }
    static const unsigned doubles[4][2] = {{8, 4}, {16, 4}, {16, 8}, {16, 16}};
    for (unsigned i = 0; i < 4; i++) {
        struct matrix_form f = {.m = doubles[i][0],
                                .n = 8,
                                .k = doubles[i][1],
                                .a = MT_F64,
                                .b = MT_F64,
                                .c = MT_F64,
                                .d = MT_F64,
                                .main = true};
        add(l, &f, "mma.sync.aligned.#.row.col.D.A.B.C");
    }
}

static void mma_eight(struct list *l)
{
    for (unsigned k = 16; k <= 32; k *= 2)
        for (unsigned ab = 0; ab < 4; ab++)
            for (unsigned half = 0; half < 2; half++) {
                enum matrix_type sum = half ? MT_F16 : MT_F32;
                struct matrix_form f = {.m = 16,
                                        .n = 8,
                                        .k = k,
                                        .a = ab & 1 ? MT_E5M2 : MT_E4M3,
                                        .b = ab & 2 ? MT_E5M2 : MT_E4M3,
                                        .c = sum,
                                        .d = sum,
                                        .main = ab == 0 || ab == 3};
                add(l, &f, "mma.sync.aligned.#.row.col.D.A.B.C");
            }
}

static void mma_integer(struct list *l)
{
    static const struct {
        unsigned m, k, bits;
    } rows[] = {{8, 16, 8}, {16, 16, 8}, {16, 32, 8}, {8, 32, 4}, {16, 32, 4}, {16, 64, 4}};
    for (unsigned r = 0; r < 6; r++)
        for (unsigned ab = 0; ab < 4; ab++)
            for (unsigned sat = 0; sat < 2; sat++) {
                enum matrix_type s = rows[r].bits == 8 ? MT_S8 : MT_S4;
                struct matrix_form f = {.m = rows[r].m,
                                        .n = 8,
                                        .k = rows[r].k,
                                        .a = s + (ab & 1),
                                        .b = s + (ab >> 1),
                                        .c = MT_S32,
                                        .d = MT_S32,
                                        .satfinite = sat};
                add(l, &f,
                    sat ? "mma.sync.aligned.#.row.col.satfinite.D.A.B.C"
                        : "mma.sync.aligned.#.row.col.D.A.B.C");
            }
    for (unsigned k = 128; k <= 256; k *= 2)
        for (unsigned m = 8; m <= 16; m += 8)
            for (unsigned both = 0; both < 2 && !(m == 8 && k == 256); both++) {
                struct matrix_form f = {.m = m,
                                        .n = 8,
                                        .k = k,
                                        .a = MT_B1,
                                        .b = MT_B1,
                                        .c = MT_S32,
                                        .d = MT_S32,
                                        .bit_and = both};
                add(l, &f,
                    both ? "mma.sync.aligned.#.row.col.D.A.B.C.and.popc"
                         : "mma.sync.aligned.#.row.col.D.A.B.C.xor.popc");
            }
}

static void mma_sparse(struct list *l)
{
    static const struct {
        enum matrix_type a;
        unsigned k, selectors;
    } rows[] = {{MT_F16, 16, 4}, {MT_F16, 32, 2},  {MT_BF16, 16, 4}, {MT_BF16, 32, 2},
                {MT_TF32, 8, 4}, {MT_TF32, 16, 2}, {MT_E4M3, 64, 1}, {MT_E5M2, 64, 1},
                {MT_S8, 32, 2},  {MT_U8, 32, 2},   {MT_S8, 64, 1},   {MT_U8, 64, 1},
                {MT_S4, 64, 2},  {MT_U4, 64, 2},   {MT_S4, 128, 1},  {MT_U4, 128, 1}};
    for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (unsigned variant = 0; variant < 8; variant++) {
            enum matrix_type a = rows[r].a;
            bool integer = a >= MT_S8, mixed = integer || a == MT_E4M3 || a == MT_E5M2;
            bool half = variant & 1 && a == MT_F16, sat = variant & 1 && integer;
            if (variant & 1 && !half && !sat) continue;
            if (variant & 2 && !mixed) continue;
            enum matrix_type other = a == MT_E4M3               ? MT_E5M2
                                     : a == MT_E5M2             ? MT_E4M3
                                     : a == MT_S8 || a == MT_S4 ? a + 1
                                                                : a - 1;
            enum matrix_type sum = integer ? MT_S32 : half ? MT_F16 : MT_F32;
            for (unsigned s = 0; s < rows[r].selectors; s++) {
                struct matrix_form f = {.m = 16,
                                        .n = 8,
                                        .k = rows[r].k,
                                        .a = a,
                                        .b = variant & 2 ? other : a,
                                        .c = sum,
                                        .d = sum,
                                        .satfinite = sat,
                                        .sparse = true,
                                        .selector = s,
                                        .unordered = variant & 4,
                                        .main = s == 0 && !integer && !(variant & 4) && !(variant & 2)};
                if (variant & 4)
                    add(l, &f,
                        sat ? "mma.sp.sync.aligned.#.row.col.satfinite.D.A.B.C"
                            : "mma.sp.sync.aligned.#.row.col.D.A.B.C");
                else
                    add(l, &f,
                        sat ? "mma.sp::ordered_metadata.sync.aligned.#.row.col.satfinite.D.A.B.C"
                            : "mma.sp::ordered_metadata.sync.aligned.#.row.col.D.A.B.C");
            }
        }
}

static const unsigned wmma_shapes[3][2] = {{16, 16}, {8, 32}, {32, 8}};

static void wmma_each_layout(struct list *l, struct matrix_form *f, const char *tail)
{
    static const char *const heads[] = {
        "wmma.mma.sync.aligned.row.col.#.", "wmma.mma.sync.aligned.row.row.#.",
        "wmma.mma.sync.aligned.col.row.#.", "wmma.mma.sync.aligned.col.col.#."};
    bool main = f->main;
    for (unsigned layout = 0; layout < 4; layout++) {
        char format[96];
        snprintf(format, sizeof format, "%s%s", heads[layout], tail);
        f->main = main && layout == 0;
        add(l, f, format);
    }
    f->main = main;
}

static void wmma_float(struct list *l)
{
    for (unsigned s = 0; s < 3; s++) {
        struct matrix_form f = {
            .wmma = true, .m = wmma_shapes[s][0], .n = wmma_shapes[s][1], .k = 16, .a = MT_F16, .b = MT_F16};
        for (unsigned dc = 0; dc < 8; dc++) {
            f.d = dc & 1 ? MT_F32 : MT_F16;
            f.c = dc & 2 ? MT_F32 : MT_F16;
            f.satfinite = f.old = dc & 4;
            f.main = s == 0 && !f.satfinite;
            wmma_each_layout(l, &f, dc & 4 ? "D.C.satfinite" : "D.C");
        }
        f = (struct matrix_form){
            .wmma = true, .m = f.m, .n = f.n, .k = 16, .a = MT_BF16, .b = MT_BF16, .c = MT_F32, .d = MT_F32};
        f.main = s == 0;
        wmma_each_layout(l, &f, "D.A.B.C");
    }
    struct matrix_form t = {.wmma = true,
                            .m = 16,
                            .n = 16,
                            .k = 8,
                            .a = MT_TF32,
                            .b = MT_TF32,
                            .c = MT_F32,
                            .d = MT_F32,
                            .main = true};
    wmma_each_layout(l, &t, "D.A.B.C");
    struct matrix_form d = {.wmma = true,
                            .m = 8,
                            .n = 8,
                            .k = 4,
                            .a = MT_F64,
                            .b = MT_F64,
                            .c = MT_F64,
                            .d = MT_F64,
                            .main = true};
    static const char *const rounds[] = {"D.A.B.C", "D.A.B.C.rn", "D.A.B.C.rz", "D.A.B.C.rm", "D.A.B.C.rp"};
    for (unsigned r = 0; r < 5; r++)
        wmma_each_layout(l, &d, rounds[r]);
}

static void wmma_integer(struct list *l)
{
    for (unsigned s = 0; s < 3; s++)
        for (unsigned v = 0; v < 4; v++) {
            enum matrix_type type = v & 1 ? MT_U8 : MT_S8;
            struct matrix_form f = {.wmma = true,
                                    .m = wmma_shapes[s][0],
                                    .n = wmma_shapes[s][1],
                                    .k = 16,
                                    .a = type,
                                    .b = type,
                                    .c = MT_S32,
                                    .d = MT_S32,
                                    .satfinite = v & 2};
            wmma_each_layout(l, &f, v & 2 ? "D.A.B.C.satfinite" : "D.A.B.C");
        }
    for (unsigned v = 0; v < 4; v++) {
        enum matrix_type type = v & 1 ? MT_U4 : MT_S4;
        struct matrix_form f = {.wmma = true,
                                .m = 8,
                                .n = 8,
                                .k = 32,
                                .a = type,
                                .b = type,
                                .c = MT_S32,
                                .d = MT_S32,
                                .satfinite = v & 2};
        add(l, &f,
            v & 2 ? "wmma.mma.sync.aligned.row.col.#.D.A.B.C.satfinite"
                  : "wmma.mma.sync.aligned.row.col.#.D.A.B.C");
    }
    for (unsigned both = 0; both < 2; both++) {
        struct matrix_form f = {.wmma = true,
                                .m = 8,
                                .n = 8,
                                .k = 128,
                                .a = MT_B1,
                                .b = MT_B1,
                                .c = MT_S32,
                                .d = MT_S32,
                                .bit_and = both};
        add(l, &f,
            both ? "wmma.mma.and.popc.sync.aligned.row.col.#.D.A.B.C"
                 : "wmma.mma.xor.popc.sync.aligned.row.col.#.D.A.B.C");
    }
}

unsigned matrix_forms(struct matrix_form *out, unsigned capacity)
{
    struct list list = {out, 0, capacity};
    mma_float(&list);
    mma_eight(&list);
    mma_integer(&list);
    mma_sparse(&list);
    wmma_float(&list);
    wmma_integer(&list);
    return list.count;
}

/* ---- kernels: (a, b, c, e, d, warps); a block holds register r of lane l at r * 32 + l */

static const char *register_type(enum matrix_type type)
{
    return type == MT_F64 ? "f64" : type == MT_F32 ? "f32" : "b32";
}

void matrix_emit_header(FILE *to, bool old)
{
    fputs(old ? ".version 6.4\n.target sm_70\n.address_size 64\n"
              : ".version 8.7\n.target sm_90\n.address_size 64\n",
          to);
}

static void emit_list(FILE *to, char letter, unsigned count)
{
    fputs("{", to);
    for (unsigned i = 0; i < count; i++)
        fprintf(to, "%s%%%c%u", i ? "," : "", letter, i);
    fputs("}", to);
}

static void emit_base(FILE *to, char letter, const char *block, unsigned regs, unsigned bytes)
{
    fprintf(to,
            "ld.param.u64 %%at, [p%c]; mul.wide.u32 %%wide, %s, %u; add.u64 %%at, %%at, %%wide; add.u64 "
            "%%at, %%at, %%lane%u;\n",
            letter, block, regs * 32 * bytes, bytes);
}

static void emit_loads(FILE *to, char letter, unsigned regs, enum matrix_type type, const char *block)
{
    unsigned bytes = type == MT_F64 ? 8 : 4;
    emit_base(to, letter, block, regs, bytes);
    for (unsigned i = 0; i < regs; i++)
        fprintf(to, "ld.global.%s %%%c%u, [%%at+%u];\n", register_type(type), letter, i, i * 32 * bytes);
}

void matrix_emit_kernel(FILE *to, const struct matrix_form *f)
{
    const enum matrix_type kinds[4] = {f->d, f->a, f->b, f->c};
    fprintf(to,
            ".visible .entry %s(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pe, .param .u64 "
            "pd, .param .u32 n)\n{\n"
            ".reg .b64 %%at, %%wide, %%lane4, %%lane8; .reg .b32 %%w, %%x, %%y, %%l, %%block, %%e0; .reg "
            ".pred %%out;\n",
            f->name);
    for (unsigned i = 0; i < 4; i++)
        fprintf(to, ".reg .%s %%%c<%u>;\n", register_type(kinds[i]), "dabc"[i], f -> regs[i]);
    fputs("mov.u32 %l, %tid.x; and.b32 %l, %l, 31; mul.wide.u32 %lane4, %l, 4; mul.wide.u32 %lane8, %l, 8;\n"
          "mov.u32 %w, %ctaid.x; mov.u32 %x, %ntid.x; mov.u32 %y, %tid.x; mad.lo.u32 %w, %w, %x, %y; shr.u32 "
          "%w, %w, 5;\n"
          "ld.param.u32 %x, [n]; setp.ge.u32 %out, %w, %x; @%out ret;\n"
          "and.b32 %block, %w, 63;\n",
          to);
    emit_loads(to, 'a', f->regs[1], f->a, "%block");
    fputs("shr.u32 %x, %w, 6; mul.lo.u32 %y, %w, 5; add.u32 %block, %x, %y; and.b32 %block, %block, 63;\n",
          to);
    emit_loads(to, 'b', f->regs[2], f->b, "%block");
    fputs("shr.u32 %x, %w, 9; mul.lo.u32 %y, %w, 11; add.u32 %block, %x, %y; and.b32 %block, %block, 63;\n",
          to);
    emit_loads(to, 'c', f->regs[3], f->c, "%block");
    if (f->sparse) {
        fputs("mul.lo.u32 %y, %w, 7; and.b32 %block, %y, 63;\n", to);
        emit_base(to, 'e', "%block", 1, 4);
        fputs("ld.global.b32 %e0, [%at];\n", to);
    }
    fprintf(to, "%s ", f->text);
    for (unsigned i = 0; i < 4; i++) {
        emit_list(to, "dabc"[i], f -> regs[i]);
        if (i < 3) fputs(", ", to);
    }
    if (f->sparse) fprintf(to, ", %%e0, %u", f->selector);
    fputs(";\n", to);
    unsigned bytes = f->d == MT_F64 ? 8 : 4;
    emit_base(to, 'd', "%w", f->regs[0], bytes);
    for (unsigned i = 0; i < f->regs[0]; i++)
        fprintf(to, "st.global.%s [%%at+%u], %%d%u;\n", register_type(f->d), i * 32 * bytes, i);
    fputs("ret;\n}\n", to);
}

unsigned matrix_block_of(char operand, unsigned w)
{
    switch (operand) {
    case 'a': return w & (MATRIX_POOL - 1);
    case 'b': return ((w >> 6) + w * 5) & (MATRIX_POOL - 1);
    case 'c': return ((w >> 9) + w * 11) & (MATRIX_POOL - 1);
    default: return w * 7 & (MATRIX_POOL - 1);
    }
}

/* ---- inputs */

static uint64_t mix(uint64_t x) /* the finaliser of splitmix64 */
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

struct source {
    uint64_t state;
};

static uint32_t next(struct source *s, uint32_t below)
{
    s->state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((mix(s->state) >> 32) * below >> 32);
}

static const struct format {
    int mantissa, bias, largest; /* largest: exponent field of finite values */
} formats[] = {[MT_F16] = {10, 15, 30},     [MT_BF16] = {7, 127, 254}, [MT_TF32] = {23, 127, 254},
               [MT_F64] = {52, 1023, 2046}, [MT_E4M3] = {3, 7, 15},    [MT_E5M2] = {2, 15, 30},
               [MT_F32] = {23, 127, 254}};

static uint64_t random_mantissa(struct source *s, const struct format *f)
{
    return (((uint64_t)next(s, UINT32_MAX) << 32) | next(s, UINT32_MAX)) & ((UINT64_C(1) << f->mantissa) - 1);
}

static unsigned width_of(enum matrix_type type)
{
    return type == MT_TF32 ? 32 : types[type].bits;
}

/* sign, exponent, mantissa; exponents out of range become subnormals or the largest binade */
static uint64_t compose(enum matrix_type type, unsigned sign, int exponent, uint64_t mantissa)
{
    const struct format *f = &formats[type];
    int field = exponent + f->bias;
    if (field > f->largest) field = f->largest;
    if (field < 1) { /* subnormal */
        int shift = 1 - field;
        mantissa = shift > f->mantissa ? 0 : ((UINT64_C(1) << f->mantissa) | mantissa) >> shift;
        field = 0;
    }
    if (type == MT_E4M3 && field == 15 && mantissa == 7) mantissa = 6; /* not the NaN */
    return (uint64_t)sign << (width_of(type) - 1) | (uint64_t)field << f->mantissa | mantissa;
}

static int spread(struct source *s, int low, int high)
{
    return low + (int)next(s, (uint32_t)(high - low + 1));
}

static uint64_t few_mantissas(struct source *s, const struct format *f)
{
    uint64_t all = (UINT64_C(1) << f->mantissa) - 1;
    switch (next(s, 6)) {
    case 0: return 1;
    case 1: return all;
    case 2: return UINT64_C(1) << (f->mantissa - 1);
    default: return 0;
    }
}

static uint64_t special(struct source *s, enum matrix_type type)
{
    const struct format *f = &formats[type];
    uint64_t sign = (uint64_t)next(s, 2) << (width_of(type) - 1), all = (UINT64_C(1) << f->mantissa) - 1;
    uint64_t top = (uint64_t)(f->largest + 1) << f->mantissa;
    if (type == MT_E4M3) top = 0x7f; /* no infinity: NaN */
    switch (next(s, 8)) {
    case 0:
    case 1: return sign | top;
    case 2: return sign | (type == MT_E4M3 ? top : top | (random_mantissa(s, f) | 1));
    case 3: return sign;
    case 4: return sign | (random_mantissa(s, f) & all);
    case 5: return sign | compose(type, 0, f->largest - f->bias, all);
    default: return sign | (uint64_t)next(s, 3) << f->mantissa;
    }
}

static uint64_t float_element(struct source *s, enum matrix_type type, enum matrix_class class, bool addend)
{
    const struct format *f = &formats[type];
    unsigned sign = next(s, 2);
    int wide = f->bias < 12 ? f->bias : 12;
    switch ((int)class) {
    case MC_NEAR:
        return compose(type, sign, addend ? spread(s, -2, 4) : spread(s, -3, 0), random_mantissa(s, f));
    case MC_SPREAD:
        return compose(type, sign, addend ? spread(s, -2 * wide, 2 * wide) : spread(s, -wide, wide),
                       random_mantissa(s, f));
    case MC_ANY:
        if (addend && next(s, 2)) return compose(type, sign, spread(s, -60, 30), random_mantissa(s, f));
        return compose(type, sign, spread(s, -f->bias - f->mantissa, f->largest - f->bias),
                       random_mantissa(s, f));
    case MC_CANCEL:
        return compose(type, sign, 6 * spread(s, addend ? -3 : -2, addend ? 3 : 2), few_mantissas(s, f));
    case MC_FEW:
        if (next(s, addend ? 2 : 3)) return addend ? 0 : (uint64_t)sign << (width_of(type) - 1);
        return compose(type, sign, addend ? spread(s, -24, 24) : spread(s, -10, 10),
                       next(s, 2) ? few_mantissas(s, f) : random_mantissa(s, f));
    case MC_SPECIAL:
        if (next(s, addend ? 4 : 40) == 0) return special(s, type);
        return compose(type, sign, spread(s, -wide, wide), random_mantissa(s, f));
    default: { /* MC_LARGE */
        int top = f->largest - f->bias;
        if (addend && type == MT_F32 && next(s, 2)) top = 16;
        return compose(type, sign, (addend ? top : top / 2) - spread(s, -1, addend ? 4 : 2),
                       random_mantissa(s, f));
    }
    }
}

static uint64_t element(struct source *s, enum matrix_type type, enum matrix_class class, bool addend)
{
    if (type == MT_S32) { /* sums near the ends saturate */
        if (class == MC_LARGE)
            return next(s, 2) ? 0x7fffffffu - next(s, 60000) : 0x80000000u + next(s, 60000);
        return class == MC_ANY ? next(s, UINT32_MAX) : (uint32_t)spread(s, -100000, 100000);
    }
    if (type >= MT_S8 && type <= MT_B1) return next(s, 1u << 16) & ((1u << types[type].bits) - 1);
    return float_element(s, type, class, addend);
}

static uint32_t metadata(struct source *s, enum matrix_type type)
{
    static const uint32_t of_four[] = {4, 8, 12, 9, 13, 14}, of_two[] = {4, 14};
    uint32_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= (type == MT_TF32 ? of_two[next(s, 2)] : of_four[next(s, 6)]) << 4 * i;
    return word;
}

static enum matrix_type type_of(const struct matrix_form *f, char operand)
{
    return operand == 'a' ? f->a : operand == 'b' ? f->b : f->c;
}

size_t matrix_block_words(const struct matrix_form *f, char operand)
{
    if (operand == 'e') return 32;
    unsigned regs = f->regs[operand == 'a' ? 1 : operand == 'b' ? 2 : operand == 'c' ? 3 : 0];
    return (size_t)regs * 32 * ((operand == 'd' ? f->d : type_of(f, operand)) == MT_F64 ? 2 : 1);
}

/* The same for all forms with the same type of this operand. */
void matrix_fill(const struct matrix_form *f, enum matrix_class class, char operand, unsigned block,
                 uint32_t *words)
{
    enum matrix_type type = type_of(f, operand);
    struct source s = {mix((uint64_t)operand << 48 | (uint64_t)class << 40 | (uint64_t)type << 32 | block)};
    size_t count = matrix_block_words(f, operand);
    unsigned bits = types[type].bits;
    for (size_t i = 0; i < count; i++) {
        words[i] = 0;
        if (operand == 'e')
            words[i] = metadata(&s, f->a);
        else if (bits == 64) {
            uint64_t both = element(&s, type, class, operand == 'c');
            words[i++] = (uint32_t)both;
            words[i] = (uint32_t)(both >> 32);
        } else if (type == MT_B1)
            words[i] = next(&s, UINT32_MAX);
        else
            for (unsigned at = 0; at < 32; at += bits)
                words[i] |= (uint32_t)element(&s, type, class, operand == 'c') << at;
    }
}

uint64_t matrix_digest(uint64_t h, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) /* FNV-1a over words */
        h = (h ^ words[i]) * UINT64_C(0x100000001b3);
    return h;
}
