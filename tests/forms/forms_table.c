/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: read the table of instruction forms. Method: forms.txt has one template a line,
 *
 *   TEXT ;; WORD...
 *
 * which is expanded to all its combinations. In TEXT:
 *   <X=a,b>              stands for a and for b; a later <X> stands for the same one
 *   <X>, <X/1>, <X/2>    of a value p/q/r: p, q, r
 *   @name = a,b,c        (a line of its own) names a list, written <X=@name>
 * A WORD is one of:
 *   NAME:TYPE            a register $NAME; d... are stored, x... are spare, all others are inputs
 *   NAME[4]:TYPE         $NAME[] is {NAME0, NAME1, NAME2, NAME3}
 *   m=SPACE:BYTES[:TYPE] the thread's own memory at $m, filled with inputs and stored afterwards; hidden: not
 *                        stored
 *   name=WORD  sm=N  elsewhere=TEST  refused=WHY   (underscores are spaces)
 * Limits: lists are not nested. */
#include "forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct forms_type types[] = {
    {"b8", "b32", "b32", 4, FORMS_B32},          {"s8", "b32", "b32", 4, FORMS_B32},
    {"u8", "b32", "b32", 4, FORMS_B32},          {"b16", "b16", "b16", 2, FORMS_B16},
    {"s16", "b16", "b16", 2, FORMS_B16},         {"u16", "b16", "b16", 2, FORMS_B16},
    {"b32", "b32", "b32", 4, FORMS_B32},         {"s32", "b32", "b32", 4, FORMS_B32},
    {"u32", "b32", "b32", 4, FORMS_B32},         {"u16x2", "b32", "b32", 4, FORMS_B32},
    {"s16x2", "b32", "b32", 4, FORMS_B32},       {"b64", "b64", "b64", 8, FORMS_B64},
    {"s64", "b64", "b64", 8, FORMS_B64},         {"u64", "b64", "b64", 8, FORMS_B64},
    {"f16", "b16", "b16", 2, FORMS_F16},         {"bf16", "b16", "b16", 2, FORMS_BF16},
    {"f16x2", "b32", "b32", 4, FORMS_F16X2},     {"bf16x2", "b32", "b32", 4, FORMS_BF16X2},
    {"f32", "f32", "f32", 4, FORMS_F32},         {"tf32", "b32", "b32", 4, FORMS_F32},
    {"f32x2", "b64", "b64", 8, FORMS_F64},       {"f64", "f64", "f64", 8, FORMS_F64},
    {"e4m3x2", "b16", "b16", 2, FORMS_FP8X2},    {"e5m2x2", "b16", "b16", 2, FORMS_FP8X2},
    {"e4m3", "b16", "b16", 2, FORMS_FP8X2},      {"pred", "pred", "b32", 4, FORMS_B32},
    {"count", "b32", "b32", 4, FORMS_COUNT_32},  {"halves", "b32", "b32", 4, FORMS_HALVES},
    {"bhalves", "b32", "b32", 4, FORMS_BHALVES}, {"singles", "f32", "f32", 4, FORMS_SINGLES},
    {"doubles", "f64", "f64", 8, FORMS_DOUBLES},
};

struct list {
    char name[32], *values;
};

struct reader {
    struct forms_table *table;
    struct list lists[64];
    unsigned list_count, line;
    char *section;
    uint32_t capacity, row_capacity;
};

_Noreturn static void wrong(const struct reader *r, const char *what, const char *where)
{
    fprintf(stderr, "forms.txt:%u: %s: '%s'\n", r->line, what, where);
    exit(2);
}

static char *copy(const char *text, size_t length)
{
    char *out = malloc(length + 1);
    if (!out) abort();
    memcpy(out, text, length);
    out[length] = 0;
    return out;
}

uint64_t forms_hash(const void *bytes, size_t count, uint64_t seed)
{
    const uint8_t *at = bytes;
    uint64_t hash = seed ^ 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

static const struct forms_type *type_of(const struct reader *r, const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, name) == 0) return &types[i];
    wrong(r, "no such type", name);
}

/* ---- words ---- */

static void add_reg(const struct reader *r, struct form *form, const char *name, const char *type)
{
    if (form->reg_count == FORMS_REGS) wrong(r, "too many registers", name);
    struct forms_reg *reg = &form->regs[form->reg_count++];
    snprintf(reg->name, sizeof reg->name, "%s", name);
    reg->type = type_of(r, type);
    reg->role = *name == 'd' ? FORMS_OUT : *name == 'x' ? FORMS_SPARE : FORMS_IN;
}

/* NAME:TYPE or NAME[N]:TYPE */
static void read_reg(const struct reader *r, struct form *form, char *word)
{
    char *colon = strchr(word, ':'), *bracket = strchr(word, '['), name[32];
    *colon = 0;
    if (!bracket) {
        add_reg(r, form, word, colon + 1);
        return;
    }
    *bracket = 0;
    for (int i = 0, n = atoi(bracket + 1); i < n; i++) {
        snprintf(name, sizeof name, "%.8s%d", word, i);
        add_reg(r, form, name, colon + 1);
    }
}

/* SPACE:BYTES[:TYPE] */
static void read_cell(const struct reader *r, struct form *form, char *word)
{
    char *save = NULL, *space = strtok_r(word, ":", &save), *bytes = strtok_r(NULL, ":", &save),
         *type = strtok_r(NULL, ":", &save);
    if (!space || !bytes) wrong(r, "m=SPACE:BYTES", word);
    snprintf(form->space, sizeof form->space, "%s", space);
    form->cell_bytes = (unsigned)atoi(bytes);
    form->cell_type = type_of(r, type ? type : "b64");
}

static char *spaced(const char *text)
{
    char *out = copy(text, strlen(text));
    for (char *c = out; *c; c++)
        if (*c == '_') *c = ' ';
    return out;
}

static void read_word(const struct reader *r, struct forms_row *row, struct form *form, char *word)
{
    if (strncmp(word, "m=", 2) == 0)
        read_cell(r, form, word + 2);
    else if (strncmp(word, "name=", 5) == 0)
        form->mnemonic = copy(word + 5, strlen(word + 5));
    else if (strncmp(word, "sm=", 3) == 0)
        row->sm = (unsigned)atoi(word + 3);
    else if (strncmp(word, "elsewhere=", 10) == 0)
        row->elsewhere = row->elsewhere ? row->elsewhere : spaced(word + 10);
    else if (strncmp(word, "refused=", 8) == 0)
        row->refused = row->refused ? row->refused : spaced(word + 8);
    else if (strcmp(word, "hidden") == 0)
        form->hidden = true;
    else if (strchr(word, ':'))
        read_reg(r, form, word);
    else
        wrong(r, "not a word of the table", word);
}

/* ---- expansion ---- */

static char *first_word(const char *text)
{
    return copy(text, strcspn(text, " ;"));
}

/* Forms whose texts are the same differ in their registers or memory. */
static char *key_of(const struct forms_table *t, const char *text)
{
    struct forms_text key = {0};
    unsigned same = 1;
    for (uint32_t i = 0; i < t->count; i++)
        same += strcmp(t->forms[i].text, text) == 0;
    forms_add(&key, same > 1 ? "%s #%u" : "%s", text, same);
    return key.text;
}

static void add_form(struct reader *r, char *line)
{
    struct forms_table *t = r->table;
    struct forms_row *row = &t->rows[t->row_count - 1];
    char *words = strstr(line, " ;; "), *save = NULL;
    if (t->count == r->capacity) {
        r->capacity = r->capacity ? r->capacity * 2 : 1024;
        t->forms = realloc(t->forms, r->capacity * sizeof *t->forms);
        if (!t->forms) abort();
    }
    struct form *form = &t->forms[t->count];
    *form = (struct form){.row = t->row_count - 1, .index = t->count};
    if (words) *words = 0;
    form->text = copy(line, strlen(line));
    for (char *word = words ? strtok_r(words + 4, " ", &save) : NULL; word; word = strtok_r(NULL, " ", &save))
        read_word(r, row, form, word);
    if (!form->mnemonic) form->mnemonic = first_word(form->text);
    form->key = key_of(t, form->text);
    t->count++;
    row->count++;
}

/* Part n of p/q/r. */
static const char *part(const char *value, size_t length, unsigned n, size_t *part_length)
{
    const char *end = value + length;
    while (n--) {
        const char *slash = memchr(value, '/', (size_t)(end - value));
        if (slash) value = slash + 1;
    }
    const char *slash = memchr(value, '/', (size_t)(end - value));
    *part_length = (size_t)((slash ? slash : end) - value);
    return value;
}

/* `line` with the definition at [open, close] and every later <name> replaced by `value`. */
static char *substitute(const char *line, const char *open, const char *close, const char *name,
                        size_t name_length, const char *value, size_t length)
{
    struct forms_text out = {0};
    size_t part_length;
    const char *piece = part(value, length, 0, &part_length);
    forms_add(&out, "%.*s%.*s", (int)(open - line), line, (int)part_length, piece);
    for (const char *at = close + 1; *at;) {
        if (*at == '<' && strncmp(at + 1, name, name_length) == 0 &&
            (at[1 + name_length] == '>' || at[1 + name_length] == '/')) {
            const char *end = strchr(at, '>');
            piece = part(value, length, at[1 + name_length] == '/' ? (unsigned)atoi(at + 2 + name_length) : 0,
                         &part_length);
            forms_add(&out, "%.*s", (int)part_length, piece);
            at = end + 1;
        } else {
            size_t run = strcspn(at + 1, "<") + 1;
            forms_add(&out, "%.*s", (int)run, at);
            at += run;
        }
    }
    return out.text;
}

static const char *find_definition(const char *line, const char **equals)
{
    for (const char *open = line; (open = strchr(open, '<')); open++) {
        size_t name = strspn(open + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (name && open[1 + name] == '=') {
            *equals = open + 1 + name;
            return open;
        }
    }
    return NULL;
}

static const char *list_values(const struct reader *r, const char *name, size_t length)
{
    for (unsigned i = 0; i < r->list_count; i++)
        if (strlen(r->lists[i].name) == length && memcmp(r->lists[i].name, name, length) == 0)
            return r->lists[i].values;
    wrong(r, "no such list", name);
}

static void expand(struct reader *r, const char *line)
{
    const char *equals, *open = find_definition(line, &equals);
    if (!open) {
        char *plain = copy(line, strlen(line));
        add_form(r, plain);
        free(plain);
        return;
    }
    const char *close = strchr(equals, '>'), *values = equals + 1;
    if (!close) wrong(r, "no '>'", open);
    size_t length = (size_t)(close - values);
    if (*values == '@') {
        values = list_values(r, values + 1, length - 1);
        length = strlen(values);
    }
    for (const char *at = values, *end = values + length;; at++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        size_t value = (size_t)((comma ? comma : end) - at);
        char *next = substitute(line, open, close, open + 1, (size_t)(equals - open - 1), at, value);
        expand(r, next);
        free(next);
        if (!comma) break;
        at = comma;
    }
}

/* ---- lines ---- */

static void read_list(struct reader *r, char *line)
{
    struct list *list = &r->lists[r->list_count++];
    char *equals = strchr(line, '=');
    if (!equals || r->list_count == 64) wrong(r, "@name = values", line);
    snprintf(list->name, sizeof list->name, "%.*s", (int)strcspn(line + 1, " ="), line + 1);
    equals += 1 + strspn(equals + 1, " ");
    list->values = copy(equals, strlen(equals));
}

/* The line with every =@name> replaced by what the list has. */
static char *without_lists(const struct reader *r, const char *line)
{
    struct forms_text out = {0};
    for (const char *at = line; *at;) {
        size_t run = strcspn(at, "@");
        bool list = at[run] == '@' && run && at[run - 1] == '=';
        forms_add(&out, "%.*s", (int)(at[run] && !list ? run + 1 : run), at);
        at += at[run] && !list ? run + 1 : run;
        if (!list) continue;
        size_t name = strcspn(at + 1, ">");
        forms_add(&out, "%s", list_values(r, at + 1, name));
        at += 1 + name;
    }
    return out.text;
}

static void read_row(struct reader *r, const char *line)
{
    struct forms_table *t = r->table;
    if (t->row_count == r->row_capacity) {
        r->row_capacity = r->row_capacity ? r->row_capacity * 2 : 256;
        t->rows = realloc(t->rows, r->row_capacity * sizeof *t->rows);
        if (!t->rows) abort();
    }
    t->rows[t->row_count++] = (struct forms_row){
        .text = without_lists(r, line), .section = r->section, .line = r->line, .sm = 90, .first = t->count};
    expand(r, line);
    t->rows[t->row_count - 1].mnemonic =
        copy(t->forms[t->count - 1].mnemonic, strlen(t->forms[t->count - 1].mnemonic));
}

static void read_line(struct reader *r, char *line)
{
    size_t length = strcspn(line, "\n");
    while (length && line[length - 1] == ' ')
        length--;
    line[length] = 0;
    if (!length || *line == '#') return;
    if (*line == '@')
        read_list(r, line);
    else if (*line == '=')
        r->section = copy(line + 2, strlen(line + 2));
    else
        read_row(r, line);
}

void forms_read(const char *path, struct forms_table *out)
{
    struct reader r = {.table = out, .section = NULL};
    char *line = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    *out = (struct forms_table){0};
    if (!file) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    while (getline(&line, &capacity, file) > 0) {
        r.line++;
        read_line(&r, line);
    }
    fclose(file);
    free(line);
    for (unsigned i = 0; i < r.list_count; i++)
        free(r.lists[i].values);
}
