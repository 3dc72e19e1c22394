/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: random programs over the whole table of forms, bounded. Method: a thread carries registers of
 * every type; a statement is a form of the table between them (perhaps guarded), a constant, a fresh input,
 * an if, a loop with a counter (and perhaps a way out), an exchange through shared memory behind barriers, a
 * sum in global memory, or a call of one of the program's own functions. Forms that look at other lanes, and
 * barriers, stand only where all threads of the block come. At the end all registers and the thread's own
 * memories are stored. Statements are numbered, and each has a generator of its own, so that leaving one out
 * does not change the others. Limits: forms that leave the kernel, wait, or read clocks are left out. */
#include "forms_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 6, REGS_MOST = 12, DEPTH_MOST = 3, FUNCTIONS = 2 };

static const struct class
{
    const char *type, *prefix;
    unsigned count;
} classes[CLASSES] = {{"pred", "p", 6}, {"b16", "h", 10}, {"b32", "r", 12},
                      {"b64", "w", 10}, {"f32", "f", 10}, {"f64", "g", 8}};

static const char *const spaces[] = {"global",  "shared",  "local",  "const",
                                     "generic", "gshared", "glocal", "input"};

struct writer {
    struct forms_program *program;
    const struct forms_pool *pool;
    struct forms_text *out;
    uint64_t state;
    unsigned depth, labels, budget;
    bool uniform, function;
    unsigned way_out; /* label of the enclosing loop's end; 0: none that may be left */
};

#define EMIT(...) forms_add(w->out, __VA_ARGS__)

static uint32_t pick(struct writer *w, uint32_t below)
{
    w->state = w->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((w->state >> 33) % below);
}

static const struct class *class_of(const struct forms_type *type)
{
    for (unsigned i = 0; i < CLASSES; i++)
        if (strcmp(classes[i].type, type->reg) == 0) return &classes[i];
    abort();
}

/* ---- forms ---- */

static bool has_word(const struct form *form, const char *word)
{
    return strstr(form->text, word) != NULL;
}

/* Other lanes matter: all of them must be there. */
static bool is_collective(const struct form *form)
{
    static const char *const words[] = {"sync", "bar", "shfl", "aligned", "vote", "match", "%laneid"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (has_word(form, words[i])) return true;
    return false;
}

static bool may_stand(const struct writer *w, const struct form *form)
{
    if (!w->pool->usable[form->index] || w->pool->table->rows[form->row].sm > 90) return false;
    if (has_word(form, "alloca") && (w->depth || w->function)) return false;
    if (w->function &&
        (form->space[0] || has_word(form, "blob") || has_word(form, "call") || has_word(form, "%")))
        return false;
    return !is_collective(form) || (w->uniform && !w->function);
}

static const struct form *pick_form(struct writer *w)
{
    const struct forms_table *table = w->pool->table;
    for (;;) {
        const struct forms_row *row = &table->rows[pick(w, table->row_count)];
        if (!row->count) continue;
        const struct form *form = &table->forms[row->first + pick(w, row->count)];
        if (may_stand(w, form)) return form;
    }
}

struct binding {
    char names[FORMS_REGS][16];
};

/* Registers that are written together are different ones; those that are read are any. */
static void bind(struct writer *w, const struct form *form, struct binding *binding)
{
    unsigned next[CLASSES];
    for (unsigned c = 0; c < CLASSES; c++)
        next[c] = pick(w, classes[c].count);
    for (unsigned i = 0; i < form->reg_count; i++) {
        const struct forms_reg *reg = &form->regs[i];
        const struct class *class = class_of(reg->type);
        unsigned c = (unsigned)(class - classes), n = pick(w, class->count);
        if (reg->role != FORMS_IN) n = next[c]++ % class->count;
        if (reg->role == FORMS_IN && reg->type->kind == FORMS_COUNT_32 && pick(w, 2)) {
            EMIT("  and.b32 %%c%u, %%r%u, 63;\n", i % 4, n);
            snprintf(binding->names[i], sizeof binding->names[i], "c%u", i % 4);
        } else {
            snprintf(binding->names[i], sizeof binding->names[i], "%s%u", class->prefix, n);
        }
    }
}

static void emit_vector(struct writer *w, const struct form *form, const struct binding *binding,
                        const char *name, size_t length)
{
    const char *comma = "{";
    for (unsigned i = 0; i < form->reg_count; i++) {
        const char *reg = form->regs[i].name;
        if (strncmp(reg, name, length) != 0 || strspn(reg + length, "0123456789") != strlen(reg + length))
            continue;
        EMIT("%s%%%s", comma, binding->names[i]);
        comma = ", ";
    }
    EMIT("}");
}

static const char *bound(const struct form *form, const struct binding *binding, const char *name,
                         size_t length)
{
    for (unsigned i = 0; i < form->reg_count; i++)
        if (strlen(form->regs[i].name) == length && strncmp(form->regs[i].name, name, length) == 0)
            return binding->names[i];
    return NULL;
}

static void emit_dollar(struct writer *w, const struct form *form, const struct binding *binding,
                        const char **at)
{
    size_t length = strspn(*at + 1, "abcdefghijklmnopqrstuvwxyz"), whole = length;
    if ((*at)[1 + length] == '[' && (*at)[2 + length] == ']') {
        emit_vector(w, form, binding, *at + 1, length);
        *at += 3 + length;
        return;
    }
    whole += strspn(*at + 1 + length, "0123456789");
    const char *name = bound(form, binding, *at + 1, whole);
    if (name)
        EMIT("%%%s", name);
    else
        EMIT("%%m%s", form->space); /* $m */
    *at += 1 + whole;
}

static void emit_form(struct writer *w)
{
    const struct form *form = pick_form(w);
    struct binding binding;
    bool plain = form->text[0] != '{' && !strchr(form->text, ';') && !is_collective(form);
    bind(w, form, &binding);
    EMIT("  ");
    if (plain && pick(w, 4) == 0) EMIT("@%s%%p%u ", pick(w, 2) ? "!" : "", pick(w, classes[0].count));
    for (const char *at = form->text; *at;) {
        size_t run = strcspn(at, "$");
        EMIT("%.*s", (int)run, at);
        at += run;
        if (*at) emit_dollar(w, form, &binding, &at);
    }
    EMIT(form->text[0] == '{' ? "\n" : ";\n");
}

/* ---- other statements ---- */

static void emit_input(struct writer *w)
{
    unsigned c = 1 + pick(w, CLASSES - 1), reg = pick(w, classes[c].count), kind = pick(w, FORMS_HALVES);
    EMIT("  and.b32 %%c0, %%r%u, 8191; mul.wide.u32 %%at, %%c0, 8; add.u64 %%at, %%at, %%in;\n", pick(w, 12));
    EMIT("  ld.global.%s %%%s%u, [%%at+%zu];\n", classes[c].type, classes[c].prefix, reg,
         (size_t)kind * FORMS_SLOTS * FORMS_THREADS * 8);
}

static void emit_constant(struct writer *w)
{
    uint32_t value = pick(w, 3) ? pick(w, 70) : pick(w, 0x7fffffff);
    switch (pick(w, 4)) {
    case 0: EMIT("  mov.b32 %%r%u, %u;\n", pick(w, 12), value); break;
    case 1: EMIT("  mov.b64 %%w%u, %u;\n", pick(w, 10), value); break;
    case 2: EMIT("  mov.b16 %%h%u, %u;\n", pick(w, 10), value & 0x7fff); break;
    default: EMIT("  add.s32 %%r%u, %%tid.x, %u;\n", pick(w, 12), value); break;
    }
}

static void emit_sum(struct writer *w)
{
    static const char *const sums[] = {"add.u32", "xor.b32", "max.u32", "and.b32"};
    unsigned n = pick(w, 4);
    EMIT("  red.global.%s [%%sums+%u], %%r%u;\n", sums[n], n * 4, pick(w, 12));
}

static void emit_exchange(struct writer *w)
{
    EMIT("  bar.sync 0; st.shared.b32 [%%mine], %%r%u; bar.sync %u;\n", pick(w, 12), pick(w, 16));
    EMIT("  add.u32 %%c0, %%tid.x, %u; rem.u32 %%c0, %%c0, %u; shl.b32 %%c0, %%c0, 2; add.u32 %%c0, %%c0, "
         "%%board;\n",
         1 + pick(w, 60), w->program->threads);
    EMIT("  ld.shared.b32 %%r%u, [%%c0]; barrier.sync 1;\n", pick(w, 12));
}

static void emit_call(struct writer *w)
{
    EMIT("  call (%%r%u), own_%u, (%%r%u, %%f%u);\n", pick(w, 12), pick(w, FUNCTIONS), pick(w, 12),
         pick(w, 10));
}

/* ---- structure ---- */

static void emit_statement(struct writer *w);

static void emit_body(struct writer *w, unsigned count)
{
    w->depth++;
    while (count--)
        emit_statement(w);
    w->depth--;
}

/* %q: the same for the block, or not */
static bool emit_condition(struct writer *w)
{
    if (pick(w, 3) == 0 && !w->function) {
        EMIT("  and.b32 %%c1, %%ctaid.x, 1; setp.eq.u32 %%q, %%c1, %u;\n", pick(w, 2));
        return true;
    }
    EMIT("  and.b32 %%c1, %%r%u, %u; setp.ne.u32 %%q, %%c1, 0;\n", pick(w, 12), 1 + pick(w, 7));
    return false;
}

static void emit_if(struct writer *w)
{
    unsigned other = w->labels++, join = w->labels++;
    bool was = w->uniform, same = emit_condition(w);
    w->uniform = was && same;
    EMIT("  @!%%q bra L%u;\n", other);
    emit_body(w, 1 + pick(w, 3));
    if (pick(w, 2)) {
        EMIT("  bra L%u;\nL%u:\n", join, other);
        emit_body(w, 1 + pick(w, 2));
        EMIT("L%u:\n", join);
    } else {
        EMIT("L%u:\n", other);
    }
    w->uniform = was;
}

static void emit_loop(struct writer *w)
{
    unsigned top = w->labels++, end = w->labels++, counter = w->depth, outer = w->way_out;
    bool was = w->uniform, same = pick(w, 2), leaves = pick(w, 3) == 0;
    if (same)
        EMIT("  mov.u32 %%k%u, %u;\n", counter, 1 + pick(w, 4));
    else
        EMIT("  and.b32 %%k%u, %%r%u, 3;\n", counter, pick(w, 12));
    w->uniform = was && same && !leaves;
    w->way_out = leaves ? end : 0;
    EMIT("L%u:\n", top);
    emit_body(w, 1 + pick(w, 3));
    if (leaves) {
        emit_condition(w);
        EMIT("  @%%q bra L%u;\n", end);
    }
    EMIT("  setp.ne.u32 %%q, %%k%u, 0; sub.u32 %%k%u, %%k%u, 1; @%%q bra L%u;\nL%u:\n", counter, counter,
         counter, top, end);
    w->uniform = was;
    w->way_out = outer;
}

static void emit_leave(struct writer *w)
{
    if (!w->way_out) return;
    emit_condition(w);
    EMIT("  @%%q bra L%u;\n", w->way_out);
}

static void emit_kind(struct writer *w)
{
    unsigned kind = pick(w, 32);
    bool deep = w->depth >= DEPTH_MOST;
    if (kind < 3 && !deep)
        emit_if(w);
    else if (kind < 5 && !deep)
        emit_loop(w);
    else if (kind == 5)
        emit_leave(w);
    else if (kind == 6 && w->uniform && !w->function)
        emit_exchange(w);
    else if (kind == 7 && !w->function)
        emit_sum(w);
    else if (kind == 8 && !w->function)
        emit_call(w);
    else if (kind < 11)
        emit_constant(w);
    else if (kind < 15 && !w->function)
        emit_input(w);
    else
        emit_form(w);
}

/* One that is left out is made all the same, so that those inside keep their numbers. */
static void emit_statement(struct writer *w)
{
    struct forms_program *program = w->program;
    unsigned number = program->statements;
    uint64_t state = w->state;
    size_t length = w->out->length;
    if (number == PROGRAM_STATEMENTS) return;
    program->statements++;
    w->state = (program->seed * 1000003 + number) * 0x9e3779b97f4a7c15u;
    (void)pick(w, 2);
    emit_kind(w);
    w->state = state;
    if (!program->without[number]) return;
    w->out->length = length;
    w->out->text[length] = 0;
}

/* ---- a program ---- */

static void emit_registers(struct writer *w)
{
    for (unsigned c = 0; c < CLASSES; c++)
        EMIT("  .reg .%s %%%s<%u>;\n", classes[c].type, classes[c].prefix, classes[c].count);
    EMIT("  .reg .b32 %%c<4>, %%k<%d>; .reg .b64 %%at; .reg .pred %%q;\n", DEPTH_MOST + 1);
}

/* Does the text name this register? */
static bool names(const struct forms_text *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text->text; at && (at = strstr(at, name)); at += length)
        if (!strchr("0123456789abcdefghijklmnopqrstuvwxyz_", at[length])) return true;
    return false;
}

static bool uses(const struct forms_text *body, unsigned c, unsigned reg)
{
    char name[16];
    snprintf(name, sizeof name, "%%%s%u", classes[c].prefix, reg);
    return names(body, name);
}

static void emit_zero(struct writer *w, unsigned c, unsigned reg)
{
    static const char *const zeros[CLASSES] = {"", "0", "0", "0", "0f3F800000", "0d3FF0000000000000"};
    if (c == 0)
        EMIT("  setp.ne.u32 %%p%u, %u, 0;\n", reg, reg & 1);
    else
        EMIT("  mov.%s %%%s%u, %s;\n", classes[c].type, classes[c].prefix, reg, zeros[c]);
}

static void emit_function(struct writer *w, unsigned number)
{
    EMIT(".func (.reg .b32 result) own_%u(.reg .b32 x, .reg .f32 y)\n{\n", number);
    emit_registers(w);
    for (unsigned c = 0; c < CLASSES; c++)
        for (unsigned i = 0; i < classes[c].count; i++)
            emit_zero(w, c, i);
    EMIT("  mov.b32 %%r0, x; mov.f32 %%f0, y; mov.b32 %%r1, y; mov.b64 %%w0, {x, %%r1}; cvt.f64.f32 %%g0, "
         "y;\n");
    w->function = true;
    w->uniform = false;
    for (unsigned n = 1 + pick(w, 3); n; n--)
        emit_statement(w);
    w->function = false;
    EMIT("  mov.b32 result, %%r0;\n");
    for (unsigned i = 1; i < 12; i++)
        EMIT("  mad.lo.u32 result, result, 31, %%r%u;\n", i);
    EMIT("  ret;\n}\n");
}

/* A register begins as an input of its own, or as a constant. Whole words are loaded: those of a warp are
 * contiguous. */
static void emit_initial(struct writer *w, unsigned c, unsigned reg)
{
    static const char *const from_word[CLASSES] = {"setp.lt.s64 %%p%u, %%at, 4096",
                                                   "cvt.u16.u64 %%h%u, %%at",
                                                   "cvt.u32.u64 %%r%u, %%at",
                                                   "mov.b64 %%w%u, %%at",
                                                   "cvt.u32.u64 %%c0, %%at; mov.b32 %%f%u, %%c0",
                                                   "mov.b64 %%g%u, %%at"};
    uint64_t random = (w->program->seed * 100 + c * 16 + reg) * 0x9e3779b97f4a7c15u;
    unsigned kind = (unsigned)(random >> 40) % FORMS_HALVES, slot = (unsigned)(random >> 33) % FORMS_SLOTS;
    size_t at = ((size_t)kind * FORMS_SLOTS + slot) * FORMS_THREADS * 8;
    if (random >> 61 == 0) {
        emit_zero(w, c, reg);
        return;
    }
    EMIT("  ld.global.b64 %%at, [%%mine_in+%zu]; ", at);
    EMIT(from_word[c], reg);
    EMIT(";\n");
}

static const char *const own_spaces[] = {"shared", "local", "global"};

/* Which of the thread's own memories the text names, by any of their addresses. */
static bool uses_space(const struct forms_text *body, unsigned space)
{
    static const char *const others[] = {"%mgshared", "%mglocal", "%mgeneric"};
    char name[16];
    snprintf(name, sizeof name, "%%m%s", own_spaces[space]);
    return names(body, name) || names(body, others[space]) || (space == 0 && names(body, "shared_cells"));
}

/* Most forms reach no further than 16 bytes. */
static unsigned cell_words(const struct forms_text *body)
{
    return strstr(body->text, "wmma.") ? FORMS_CELL_BYTES / 8 : 2;
}

static void emit_cells(struct writer *w, const struct forms_text *body)
{
    EMIT("  .local .align 16 .b8 own[%d];\n", FORMS_CELL_BYTES);
    EMIT("  mov.u64 %%mshared, shared_cells; mul.wide.u32 %%at, %%tid.x, %d; add.u64 %%mshared, %%mshared, "
         "%%at;\n"
         "  mov.u64 %%mlocal, own; mov.b64 %%mglobal, %%cells; mov.b64 %%mgeneric, %%cells;\n"
         "  cvta.shared.u64 %%mgshared, %%mshared; cvta.local.u64 %%mglocal, %%mlocal;\n"
         "  and.b32 %%c0, %%id, 15; mul.wide.u32 %%mconst, %%c0, 16; mov.u64 %%at, const_cells; add.u64 "
         "%%mconst, "
         "%%mconst, %%at;\n",
         FORMS_CELL_BYTES);
    EMIT("  and.b32 %%c0, %%id, 4095; mul.wide.u32 %%minput, %%c0, 16; add.u64 %%minput, %%minput, %%in;\n");
    for (unsigned space = 0; space < 3; space++)
        for (unsigned word = 0; uses_space(body, space) && word < cell_words(body); word++)
            EMIT("  ld.global.b64 %%at, [%%mine_in+%zu]; st.%s.b64 [%%m%s+%u], %%at;\n",
                 (size_t)(FORMS_B64 * FORMS_SLOTS + word) * FORMS_THREADS * 8, own_spaces[space],
                 own_spaces[space], word * 8);
}

static void emit_prologue(struct writer *w, const struct forms_text *body)
{
    EMIT(".visible .entry forms(.param .u64 in, .param .u64 out, .param .u64 cells, .param .align 16 .b8 "
         "blob[%d])\n{\n",
         FORMS_BLOB_BYTES);
    emit_registers(w);
    EMIT(
        "  .reg .b64 %%in, %%out, %%cells, %%mine_in, %%sums, %%tidcell; .reg .b32 %%id, %%mine, %%board;\n");
    for (unsigned i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        EMIT("  .reg .b64 %%m%s;\n", spaces[i]);
    EMIT("  .shared .align 4 .b8 exchange[1024];\n"
         "  ld.param.u64 %%in, [in]; ld.param.u64 %%sums, [out]; ld.param.u64 %%cells, [cells];\n"
         "  mad.lo.u32 %%id, %%ctaid.x, %u, %%tid.x; mul.wide.u32 %%at, %%id, 8; add.u64 %%mine_in, %%in, "
         "%%at;\n"
         "  add.u64 %%mine_in, %%mine_in, %u; add.u64 %%out, %%sums, %%at; add.u64 %%out, %%out, 64;\n"
         "  mul.wide.u32 %%at, %%id, %d; add.u64 %%cells, %%cells, %%at; mul.wide.u32 %%tidcell, %%tid.x, "
         "%d;\n"
         "  mov.u32 %%board, exchange; shl.b32 %%mine, %%tid.x, 2; add.u32 %%mine, %%mine, %%board;\n",
         w->program->threads, (unsigned)(w->program->seed * 2654435761u % 7000) * 8, FORMS_CELL_BYTES,
         FORMS_CELL_BYTES);
    for (unsigned c = 0; c < CLASSES; c++)
        for (unsigned i = 0; i < classes[c].count; i++)
            if (uses(body, c, i)) emit_initial(w, c, i);
    emit_cells(w, body);
}

static void emit_store(struct writer *w, const char *value)
{
    EMIT("  st.global.b64 [%%out+%zu], %s;\n",
         (size_t)w->program->slots++ * w->program->blocks * w->program->threads * 8, value);
}

static void emit_epilogue(struct writer *w, const struct forms_text *body)
{
    static const char *const to_word[CLASSES] = {"selp.b64 %%at, 1, 0, %%%s%u",
                                                 "cvt.u64.u16 %%at, %%%s%u",
                                                 "cvt.u64.u32 %%at, %%%s%u",
                                                 "mov.b64 %%at, %%%s%u",
                                                 "mov.b32 %%c0, %%%s%u; cvt.u64.u32 %%at, %%c0",
                                                 "mov.b64 %%at, %%%s%u"};
    for (unsigned c = 0; c < CLASSES; c++)
        for (unsigned i = 0; i < classes[c].count; i++) {
            if (!uses(body, c, i)) continue;
            EMIT("  ");
            EMIT(to_word[c], classes[c].prefix, i);
            EMIT(";");
            emit_store(w, "%at");
        }
    for (unsigned space = 0; space < 3; space++)
        for (unsigned word = 0; uses_space(body, space) && word < cell_words(body); word++) {
            EMIT("  ld.%s.b64 %%at, [%%m%s+%u];", own_spaces[space], own_spaces[space], word * 8);
            emit_store(w, "%at");
        }
    EMIT("  ret;\n}\n");
}

static void emit_functions(struct writer *w, struct forms_text *functions)
{
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        w->out = &functions[i];
        emit_function(w, i);
    }
}

/* The body comes first: what it uses decides what is loaded before and stored behind it. */
void forms_program_emit(struct forms_program *program, const struct forms_pool *pool)
{
    struct writer writer = {.program = program, .pool = pool, .out = &program->text, .labels = 1};
    struct writer *w = &writer;
    static const uint32_t sizes[] = {64, 96, 32, 100, 128, 45};
    program->text.length = 0;
    program->statements = 0;
    program->slots = 0;
    w->state = program->seed * 0x9e3779b97f4a7c15u + 77;
    program->blocks = 2;
    program->threads = sizes[pick(w, sizeof sizes / sizeof sizes[0])];
    struct forms_text functions[FUNCTIONS] = {0}, body = {0};
    emit_functions(w, functions);
    w->out = &body;
    w->uniform = program->threads % 32 == 0;
    forms_add(&body, "  // body\n");
    for (unsigned n = 2 + pick(w, 4); n; n--)
        emit_statement(w);
    w->out = &program->text;
    forms_emit_head(&program->text, 90);
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        char name[16];
        snprintf(name, sizeof name, "own_%u", i);
        if (names(&body, name)) EMIT("%s", functions[i].text);
        free(functions[i].text);
    }
    emit_prologue(w, &body);
    EMIT("%s", body.text);
    emit_epilogue(w, &body);
    free(body.text);
}
