/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: one instruction at a time against the oracle, on awkward values: those of exec_ops.def and
 * exec_forms.c. Method: each becomes a kernel that loads its operands from arrays, runs it, and stores the
 * result; lanes differ, one of the launches is wider than a warp and not a multiple of it. Limits: operands
 * in registers only; immediates stand in the text. Memory: $to holds the address of the thread's element of
 * d. */
#include "exec.h"

#include <stdio.h>
#include <string.h>

static const struct exec_op table[] = {
#define OPS(text, d, a, b, c) {text, {#d, #a, #b, #c}, false},
#include "exec_ops.def"
};
enum { ELEMENTS = 333 };
static struct exec_ops ops;

unsigned exec_op_count(void)
{
    for (unsigned i = 0; ops.rows.count < SW_COUNT_OF(table); i++)
        *vec_push(&ops.rows) = table[i];
    if (ops.rows.count == SW_COUNT_OF(table)) exec_forms(&ops);
    return (unsigned)ops.rows.count;
}

const char *exec_op_text(unsigned i)
{
    return ops.rows.at[i].text;
}

static enum isa_type ptx_type_of(const char *type)
{
    if (strcmp(type, "p") == 0) return ISA_U32;
    for (int t = 1; t < ISA_TYPE_COUNT; t++)
        if (strcmp(isa_type_name((enum isa_type)t), type) == 0) return (enum isa_type)t;
    return ISA_TYPE_NONE;
}

/* How a type is held in memory: floats that are no PTX type, and packed values, as bits. */
static const char *memory_type(const char *name)
{
    enum isa_type type = ptx_type_of(name);
    bool is_float = isa_type_kind(type) == ISA_KIND_FLOAT;
    if (strcmp(name, "p") == 0) return "u32";
    if (type == ISA_F32 || type == ISA_F64 || (!is_float && !strchr(name, 'x'))) return name;
    switch (isa_type_bits(type)) {
    case 8: return "b8";
    case 16: return "b16";
    case 32: return "b32";
    default: return "b64";
    }
}

static const char *register_type(const char *name)
{
    if (strcmp(name, "p") == 0) return "pred";
    if (strcmp(name, "s8") == 0 || strcmp(name, "u8") == 0) return "b32";
    const char *type = memory_type(name);
    return strcmp(type, "b8") == 0 && strcmp(name, "b8") != 0 ? "b16" : type;
}

static void emit_text(struct str *out, const char *text)
{
    bool block = *text == '{';
    for (; *text; text++)
        str_add_char(out, *text == '$' ? '%' : *text);
    str_add(out, block ? "\n" : ";\n");
}

static void emit_operand(struct str *out, const struct exec_op *row, unsigned i)
{
    static const char names[] = "dabc";
    const char *type = row->types[i];
    unsigned bytes = isa_type_bits(ptx_type_of(type)) / 8;
    str_printf(out,
               "  ld.param.u64 %%at, [p%c]; mul.wide.u32 %%wide, %%id, %u; add.u64 %%at, %%at, %%wide;\n",
               names[i], bytes);
    bool predicate = strcmp(type, "p") == 0;
    if (predicate && i == 0)
        str_add(out, "  selp.b32 %bit, 1, 0, %d; st.global.u32 [%at], %bit;\n");
    else if (predicate)
        str_printf(out,
                   "  ld.global.u32 %%bit, [%%at]; and.b32 %%bit, %%bit, 1; setp.ne.u32 %%%c, %%bit, 0;\n",
                   names[i]);
    else
        str_printf(out, "  %s.global.%s %s%%%c%s;\n", i ? "ld" : "st", memory_type(type), i ? "" : "[%at], ",
                   names[i], i ? ", [%at]" : "");
}

static void emit_kernel(struct str *out, const struct exec_op *row)
{
    static const char names[] = "dabc";
    str_add(out, ".version 9.9\n.target sm_100a\n.address_size 64\n.visible .entry op(.param .u64 pd");
    for (unsigned i = 1; i < 4; i++)
        str_printf(out, ", .param .u64 p%c", names[i]);
    str_add(out, ", .param .u32 n)\n{\n  .reg .b64 %at, %wide, %to; .reg .b32 %id, %t0, %t1, %bit; .reg "
                 ".pred %out;\n");
    for (unsigned i = 0; i < 4; i++)
        if (strcmp(row->types[i], "x") != 0)
            str_printf(out, "  .reg .%s %%%c;\n", register_type(row->types[i]), names[i]);
    str_add(
        out,
        "  mov.u32 %id, %ctaid.x; mov.u32 %t0, %ntid.x; mov.u32 %t1, %tid.x;\n"
        "  mad.lo.u32 %id, %id, %t0, %t1; ld.param.u32 %t0, [n]; setp.ge.u32 %out, %id, %t0; @%out ret;\n");
    str_printf(out, "  ld.param.u64 %%to, [pd]; mul.wide.u32 %%wide, %%id, %u; add.u64 %%to, %%to, %%wide;\n",
               isa_type_bits(ptx_type_of(row->types[0])) / 8);
    for (unsigned i = 1; i < 4; i++)
        if (strcmp(row->types[i], "x") != 0) emit_operand(out, row, i);
    str_add(out, "  ");
    emit_text(out, row->text);
    emit_operand(out, row, 0);
    str_add(out, "  ret;\n}\n");
}

static void make_buffer(struct exec_buffer *buffer, const struct exec_op *row, unsigned i)
{
    const char *type = strcmp(row->types[i], "x") == 0 ? "u32" : row->types[i];
    snprintf(buffer->name, sizeof buffer->name, "%c", "dabc"[i]);
    snprintf(buffer->init, sizeof buffer->init, "%s", i ? "special" : "zero");
    buffer->type = ptx_type_of(type);
    buffer->count = ELEMENTS;
    if (buffer->type == ISA_B128) { /* compared by halves */
        buffer->type = ISA_B64;
        buffer->count *= 2;
    }
    buffer->bytes = buffer->count * isa_type_bits(buffer->type) / 8;
}

void exec_op_case(unsigned op, struct exec_case *out)
{
    const struct exec_op *row = &ops.rows.at[op];
    struct str text = {0};
    *out = (struct exec_case){.name = row->text, .buffer_count = 4, .launch_count = 1};
    if (row->refused) {
        out->wanted_status = SW_UNSUPPORTED;
        strcpy(out->wanted_text, "this form is not supported");
    }
    for (unsigned i = 0; i < 4; i++)
        make_buffer(&out->buffers[i], row, i);
    struct exec_launch *launch = &out->launches[0];
    *launch = (struct exec_launch){.kernel = "op", .grid = {2, 1, 1}, .block = {192, 1, 1}, .param_count = 5};
    for (unsigned i = 0; i < 4; i++)
        launch->params[i] = (struct exec_param){.buffer = &out->buffers[i], .bytes = 8};
    launch->params[4] = (struct exec_param){.bits = ELEMENTS, .bytes = 4};
    emit_kernel(&text, row);
    out->length = text.length;
    out->text = str_steal(&text);
}
