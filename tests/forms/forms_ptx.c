/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the kernel of one or several forms. Method: a form is a PTX block { } that loads each input from
 * its table by thread number, fills the thread's own memory, runs the text, and stores what was written,
 * every value in a slot of 64 bits. Limits: blocks of FORMS_BLOCK threads; labels inside the block are the
 * text's own business. */
#include "forms.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void forms_add(struct forms_text *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text;
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0) abort();
    if (out->length + (size_t)length + 1 > out->capacity) {
        out->capacity = (out->capacity + (size_t)length + 1) * 2;
        out->text = realloc(out->text, out->capacity);
        if (!out->text) abort();
    }
    memcpy(out->text + out->length, text, (size_t)length + 1);
    out->length += (size_t)length;
    free(text);
}

static unsigned cell_words(const struct form *form)
{
    return form->cell_bytes / 8;
}

unsigned forms_slots(const struct form *form)
{
    unsigned slots = form->hidden ? 0 : cell_words(form);
    for (unsigned i = 0; i < form->reg_count; i++)
        slots += form->regs[i].role == FORMS_OUT;
    return slots;
}

/* ---- inputs ---- */

static size_t input_offset(enum forms_kind kind, unsigned slot)
{
    return ((size_t)kind * FORMS_SLOTS + slot % FORMS_SLOTS) * FORMS_THREADS * 8;
}

static void emit_input(struct forms_text *out, const struct forms_reg *reg, unsigned slot)
{
    size_t offset = input_offset(reg->type->kind, slot);
    if (strcmp(reg->type->reg, "pred") == 0)
        forms_add(out,
                  "  ld.global.b32 %%bit, [%%in+%zu]; and.b32 %%bit, %%bit, 1; setp.ne.u32 %%%s, %%bit, 0;\n",
                  offset, reg->name);
    else
        forms_add(out, "  ld.global.%s %%%s, [%%in+%zu];\n", reg->type->memory, reg->name, offset);
}

static const char *cell_space(const struct form *form)
{
    if (strcmp(form->space, "gshared") == 0) return "shared";
    if (strcmp(form->space, "glocal") == 0) return "local";
    if (strcmp(form->space, "generic") == 0 || strcmp(form->space, "input") == 0) return "global";
    return form->space;
}

/* Memory that no kernel writes, for loads through caches that are not coherent: two words of an input table.
 */
static void emit_input_cell(struct forms_text *out, const struct form *form)
{
    forms_add(out,
              "  mul.wide.u32 %%word, %%id, 8; sub.u64 %%cell, %%in, %%word; and.b32 %%t, %%id, 4095;\n"
              "  mul.wide.u32 %%word, %%t, 16; add.u64 %%cell, %%cell, %%word; add.u64 %%m, %%cell, %zu;\n",
              input_offset(form->cell_type->kind, 4));
}

/* %m: the address the text uses; %cell: the same in the cell's own space */
static void emit_cell(struct forms_text *out, const struct form *form)
{
    const char *space = cell_space(form);
    forms_add(out, "  .reg .b64 %%m, %%cell, %%word;\n");
    if (strcmp(form->space, "input") == 0) {
        emit_input_cell(out, form);
        return;
    }
    if (strcmp(space, "global") == 0)
        forms_add(out, "  mov.b64 %%cell, %%cells;\n");
    else if (strcmp(space, "shared") == 0)
        forms_add(out, "  mov.u64 %%cell, shared_cells; add.u64 %%cell, %%cell, %%tidcell;\n");
    else if (strcmp(space, "const") == 0)
        forms_add(
            out,
            "  mov.u64 %%cell, const_cells; add.u64 %%cell, %%cell, %%constcell; mov.b64 %%m, %%cell;\n");
    else
        forms_add(out, "  .local .align 16 .b8 own[%d]; mov.u64 %%cell, own;\n", FORMS_CELL_BYTES);
    if (strcmp(space, "const") == 0) return;
    for (unsigned w = 0; w < cell_words(form); w++)
        forms_add(out, "  ld.global.b64 %%word, [%%in+%zu]; st.%s.b64 [%%cell+%u], %%word;\n",
                  input_offset(form->cell_type->kind, 4 + w), space, w * 8);
    if (form->space[0] == 'g' && strcmp(form->space, "global") != 0)
        forms_add(out, "  cvta.%s.u64 %%m, %%cell;\n", space);
    else
        forms_add(out, "  mov.b64 %%m, %%cell;\n");
}

/* ---- the text ---- */

static void emit_vector(struct forms_text *out, const struct form *form, const char *name, size_t length)
{
    const char *comma = "{";
    for (unsigned i = 0; i < form->reg_count; i++) {
        const char *reg = form->regs[i].name;
        if (strncmp(reg, name, length) != 0 || strspn(reg + length, "0123456789") != strlen(reg + length))
            continue;
        forms_add(out, "%s%%%s", comma, reg);
        comma = ", ";
    }
    forms_add(out, "}");
}

static void emit_text(struct forms_text *out, const struct form *form)
{
    forms_add(out, "  ");
    for (const char *at = form->text; *at;) {
        if (*at != '$') {
            size_t run = strcspn(at, "$");
            forms_add(out, "%.*s", (int)run, at);
            at += run;
            continue;
        }
        size_t length = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz");
        if (at[1 + length] == '[' && at[2 + length] == ']') {
            emit_vector(out, form, at + 1, length);
            at += 3 + length;
        } else {
            forms_add(out, "%%");
            at++;
        }
    }
    forms_add(out, form->text[0] == '{' ? "\n" : ";\n");
}

/* ---- results ---- */

static void emit_output(struct forms_text *out, const struct forms_reg *reg, size_t at)
{
    const char *name = reg->name, *type = reg->type->reg;
    if (strcmp(type, "pred") == 0)
        forms_add(out, "  selp.b64 %%wide, 1, 0, %%%s;\n", name);
    else if (strcmp(type, "b16") == 0)
        forms_add(out, "  cvt.u64.u16 %%wide, %%%s;\n", name);
    else if (strcmp(type, "f32") == 0)
        forms_add(out, "  mov.b32 %%bit, %%%s; cvt.u64.u32 %%wide, %%bit;\n", name);
    else if (strcmp(type, "b32") == 0)
        forms_add(out, "  cvt.u64.u32 %%wide, %%%s;\n", name);
    else
        forms_add(out, "  mov.b64 %%wide, %%%s;\n", name);
    forms_add(out, "  st.global.b64 [%%out+%zu], %%wide;\n", at);
}

static void emit_outputs(struct forms_text *out, const struct form *form, unsigned slot)
{
    for (unsigned i = 0; i < form->reg_count; i++)
        if (form->regs[i].role == FORMS_OUT)
            emit_output(out, &form->regs[i], (size_t)slot++ * FORMS_THREADS * 8);
    if (form->hidden) return;
    for (unsigned w = 0; w < cell_words(form); w++)
        forms_add(out, "  ld.%s.b64 %%word, [%%cell+%u]; st.global.b64 [%%out+%zu], %%word;\n",
                  cell_space(form), w * 8, (size_t)slot++ * FORMS_THREADS * 8);
}

static void emit_form(struct forms_text *out, const struct form *form, unsigned slot)
{
    unsigned input = 0;
    forms_add(out, "  { // form %u\n", form->index);
    for (unsigned i = 0; i < form->reg_count; i++)
        forms_add(out, "  .reg .%s %%%s;\n", form->regs[i].type->reg, form->regs[i].name);
    for (unsigned i = 0; i < form->reg_count; i++)
        if (form->regs[i].role == FORMS_IN) emit_input(out, &form->regs[i], input++);
    if (form->space[0]) emit_cell(out, form);
    emit_text(out, form);
    emit_outputs(out, form, slot);
    forms_add(out, "  }\n");
}

/* ---- modules ---- */

static const char functions[] =
    ".func (.reg .b32 r) twice(.reg .b32 x) { add.u32 r, x, x; ret; }\n"
    ".func (.reg .b32 r) minus(.reg .b32 x) { neg.s32 r, x; ret; }\n"
    ".func (.param .b64 r) both(.param .b32 x, .param .b32 y)\n"
    "{ .reg .b32 %a, %b; .reg .b64 %w; ld.param.b32 %a, [x]; ld.param.b32 %b, [y]; mov.b64 %w, {%b, %a};\n"
    "  st.param.b64 [r], %w; ret; }\n"
#define SAME(T)                                                                                              \
    ".func (.param ." #T " r) same_" #T "(.param ." #T " x)\n"                                               \
    "{ .reg ." #T " %a; ld.param." #T " %a, [x]; st.param." #T " [r], %a; ret; }\n"
    SAME(b32) SAME(b64) SAME(f32) SAME(f64);

void forms_emit_head(struct forms_text *out, unsigned sm)
{
    forms_add(out, ".version 9.0\n.target sm_%ua\n.address_size 64\n", sm);
    forms_add(out, ".shared .align 16 .b8 shared_cells[%d];\n", FORMS_BLOCK * FORMS_CELL_BYTES);
    forms_add(out, ".const .align 16 .b32 const_cells[128] = {");
    for (unsigned i = 0; i < 128; i++)
        forms_add(out, "%s%u", i ? ", " : "", (unsigned)(forms_input(FORMS_B64, 0, 6800 + i) >> 32));
    forms_add(out, "};\n%s", functions);
}

void forms_emit_kernel(struct forms_text *out, const char *name, const struct form *const *forms,
                       unsigned count)
{
    unsigned slot = 0;
    forms_add(
        out,
        ".visible .entry %s(.param .u64 in, .param .u64 out, .param .u64 cells, .param .align 16 .b8 "
        "blob[%d])\n{\n"
        "  .reg .b64 %%in, %%out, %%cells, %%wide, %%tidcell, %%constcell; .reg .b32 %%id, %%bit, %%t;\n"
        "  ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out]; ld.param.u64 %%cells, [cells];\n"
        "  mov.u32 %%id, %%ctaid.x; mov.u32 %%t, %%tid.x; mad.lo.u32 %%id, %%id, %d, %%t;\n"
        "  mul.wide.u32 %%tidcell, %%t, %d; and.b32 %%t, %%id, 15; mul.wide.u32 %%constcell, %%t, 16;\n"
        "  mul.wide.u32 %%wide, %%id, 8; add.u64 %%in, %%in, %%wide; add.u64 %%out, %%out, %%wide;\n"
        "  mul.wide.u32 %%wide, %%id, %d; add.u64 %%cells, %%cells, %%wide;\n",
        name, FORMS_BLOB_BYTES, FORMS_BLOCK, FORMS_CELL_BYTES, FORMS_CELL_BYTES);
    for (unsigned i = 0; i < count; i++) {
        emit_form(out, forms[i], slot);
        slot += forms_slots(forms[i]);
    }
    forms_add(out, "  ret;\n}\n");
}
