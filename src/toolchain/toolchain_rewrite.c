/* SPDX-License-Identifier: Apache-2.0 */
/* What nvcc takes and clang does not, written as clang takes it.
 *
 * 1. `__shared__ alignas(16) float a[4]`: `alignas` after a CUDA specifier becomes `_Alignas`, which clang
 * takes there.
 * 2. `kernel<<<grid, block, shared, stream>>>(arguments)` in device code, with separate compilation as nvcc
 * wants it, becomes `::softwarp::device_launch<(kernel)>(grid, block, shared, stream)(arguments)`
 * (device_runtime.h).
 *
 * 3. `kernel << <grid, block >> >(arguments)`, as some editors write it, loses its blanks.
 *
 * Method: the text is split into tokens, braces show which of them are in device code (after __global__ or
 * __device__ without __host__, and what is inside of it); #else goes back to the braces of its #if. Nothing
 * is moved to another line.
 *
 * Limits: macros are not expanded, so a launch inside a #define stays as it is; nor does a kernel that is a
 * variable or whose template arguments clang should find become one (clang then says so). */
#include "toolchain_rewrite.h"

#include <ctype.h>
#include <string.h>

enum kind { WORD, SIGN, OTHER }; /* OTHER: numbers and literals */

struct token {
    enum kind kind;
    const char *at;
    size_t length;
};

struct edit {
    const char *at, *insert;
    size_t removes;
};

struct level {
    bool device;         /* in device code */
    bool marks, unmarks; /* __global__ or __device__, __host__ since the last declaration ended */
};

typedef VEC(struct level) level_stack;

struct rewriter {
    const char *end;
    VEC(struct token) tokens;
    VEC(struct edit) edits;
    level_stack levels;
    VEC(level_stack) branches; /* the levels at each #if that is open */
    bool launches;             /* are rewritten */
    toolchain_args *includes;  /* names in quotes, appended, in arena; or NULL */
    struct arena *arena;
};

static bool rewrite_is(const struct token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->at, text, token->length) == 0;
}

/* ---- tokens */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind a quoted literal; a line's end closes one that is not closed (a word like don't in text that #if
 * leaves out). */
static const char *skip_quoted(const char *at, const char *end)
{
    char quote = *at++;
    while (at < end && *at != quote && *at != '\n')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : end;
}

/* R"mark( ... )mark" from its quote on. */
static const char *skip_raw(const char *at, const char *end)
{
    const char *open = memchr(at, '(', (size_t)(end - at));
    if (!open) return end;
    size_t mark = (size_t)(open - at) - 1;
    for (const char *p = open; p + mark + 2 <= end; p++)
        if (*p == ')' && memcmp(p + 1, at + 1, mark) == 0 && p[mark + 1] == '"') return p + mark + 2;
    return end;
}

static const char *skip_line(const char *at, const char *end)
{
    while (at < end && *at != '\n')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at;
}

static const char *skip_comment(const char *at, const char *end)
{
    for (at += 2; at + 1 < end; at++)
        if (at[0] == '*' && at[1] == '/') return at + 2;
    return end;
}

static bool starts(const char *at, const char *end, const char *text)
{
    return (size_t)(end - at) >= strlen(text) && memcmp(at, text, strlen(text)) == 0;
}

static const char *skip_word(struct rewriter *r, const char *at)
{
    const char *from = at;
    while (at < r->end && is_word(*at))
        at++;
    struct token token = {isdigit((unsigned char)*from) ? OTHER : WORD, from, (size_t)(at - from)};
    if (token.kind == OTHER) /* 1'000, 1.5, 0x1p-3 */
        while (at < r->end && (is_word(*at) || *at == '.' || (*at == '\'' && is_word(at[1]))))
            token.length = (size_t)(++at - from);
    bool raw = at < r->end && *at == '"' &&
               (rewrite_is(&token, "R") || rewrite_is(&token, "LR") || rewrite_is(&token, "u8R"));
    if (raw) return skip_raw(at, r->end);
    *vec_push(&r->tokens) = token;
    return at;
}

/* ---- the pre-processor's lines */

static level_stack copy_levels(const level_stack *levels)
{
    level_stack copy = {0};
    for (size_t i = 0; i < levels->count; i++)
        *vec_push(&copy) = levels->at[i];
    return copy;
}

static void drop_branch(struct rewriter *r)
{
    r->branches.count--;
    vec_release(&r->branches.at[r->branches.count]);
}

static void note_include(struct rewriter *r, const char *at, const char *end)
{
    const char *open = memchr(at, '"', (size_t)(end - at));
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    if (close && r->includes)
        *vec_push(r->includes) = arena_strndup(r->arena, open + 1, (size_t)(close - open - 1));
}

static const char *directive(struct rewriter *r, const char *at)
{
    const char *end = skip_line(at, r->end);
    for (at++; at < end && (*at == ' ' || *at == '\t');)
        at++;
    if (starts(at, end, "if")) {
        *vec_push(&r->branches) = copy_levels(&r->levels);
    } else if (starts(at, end, "el") && r->branches.count) {
        vec_release(&r->levels);
        r->levels = copy_levels(&r->branches.at[r->branches.count - 1]);
    } else if (starts(at, end, "endif") && r->branches.count) {
        drop_branch(r);
    } else if (starts(at, end, "include")) {
        note_include(r, at, end);
    }
    return end;
}

/* ---- rules */

static void edit(struct rewriter *r, const char *at, size_t removes, const char *insert)
{
    *vec_push(&r->edits) = (struct edit){at, insert, removes};
}

static bool is_any(const struct token *token, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rewrite_is(token, words[i])) return true;
    return false;
}

/* The last token is `alignas`: is a word of CUDA's among the specifiers before it? */
static void rewrite_alignas(struct rewriter *r)
{
    static const char *const cuda[] = {"__shared__", "__device__", "__constant__", "__managed__"};
    static const char *const others[] = {"static", "extern", "const", "volatile", "constexpr"};
    const struct token *alignas_word = &r->tokens.at[r->tokens.count - 1];
    for (const struct token *t = alignas_word; t > r->tokens.at; t--) {
        if (is_any(t - 1, cuda, SW_COUNT_OF(cuda))) {
            edit(r, alignas_word->at, alignas_word->length, "_Alignas");
            return;
        }
        if (!is_any(t - 1, others, SW_COUNT_OF(others))) return;
    }
}

/* The token that opens what the token at `close` closes; SIZE_MAX: none. */
static size_t find_open(const struct rewriter *r, size_t close)
{
    const char *pair = rewrite_is(&r->tokens.at[close], ">") ? "<>" : "()";
    size_t depth = 0;
    for (size_t i = close + 1; i-- > 0;) {
        const struct token *token = &r->tokens.at[i];
        if (token->kind != SIGN) continue;
        if (*token->at == ';' || *token->at == '{' || *token->at == '}') return SIZE_MAX;
        if (*token->at == pair[1]) depth++;
        if (*token->at == pair[0] && --depth == 0) return i;
    }
    return SIZE_MAX;
}

/* The first token of the name that ends at `last`: a::b<c>::d<e>. SIZE_MAX: it is no name. */
static size_t find_name(const struct rewriter *r, size_t last)
{
    for (size_t i = last;;) {
        if (rewrite_is(&r->tokens.at[i], ">")) {
            i = find_open(r, i);
            if (i == SIZE_MAX || i == 0) return SIZE_MAX;
            i--;
        }
        if (r->tokens.at[i].kind != WORD) return SIZE_MAX;
        if (i < 2 || !rewrite_is(&r->tokens.at[i - 1], ":") || !rewrite_is(&r->tokens.at[i - 2], ":"))
            return i;
        const struct token *before = i > 2 ? &r->tokens.at[i - 3] : NULL;
        bool qualified =
            before && (before->kind == WORD || rewrite_is(before, ">")) && !rewrite_is(before, "return");
        if (!qualified) return i - 2;
        i -= 3;
    }
}

/* Three signs with nothing but blanks between them end at the last token; no operator looks like them. */
static bool are_three(const struct rewriter *r, char sign)
{
    if (r->tokens.count < 4) return false;
    const struct token *last = &r->tokens.at[r->tokens.count - 1];
    for (int i = -2; i <= 0; i++) {
        if (last[i].at[0] != sign || last[i].kind != SIGN) return false;
        for (const char *p = last[i].at + 1; i < 0 && p < last[i + 1].at; p++)
            if (*p != ' ') return false;
    }
    return *last[-3].at != sign;
}

/* The length of >>> with blanks in it; 0: that is not what is here. */
static size_t close_length(const char *at, const char *end)
{
    size_t signs = 0;
    for (const char *p = at; p < end && (*p == '>' || (*p == ' ' && signs)); p++)
        if (*p == '>' && ++signs == 3) return (size_t)(p - at) + 1;
    return 0;
}

/* The >>> that ends what begins at `at`; NULL: none before a statement's end. */
static const char *find_close(const char *at, const char *end)
{
    size_t depth = 0;
    for (; at < end; at++) {
        if (*at == '(' || *at == '[' || *at == '{') depth++;
        if (*at == ')' || *at == ']' || *at == '}') {
            if (depth-- == 0) return NULL;
        }
        if (*at == '"' || *at == ';') return NULL;
        if (depth == 0 && close_length(at, end)) return at;
    }
    return NULL;
}

/* The last three tokens are <<<. */
static void rewrite_launch(struct rewriter *r, bool device)
{
    size_t first = find_name(r, r->tokens.count - 4);
    const char *open = r->tokens.at[r->tokens.count - 3].at;
    const char *inside = r->tokens.at[r->tokens.count - 1].at + 1, *close = find_close(inside, r->end);
    if (first == SIZE_MAX || !close) return;
    size_t opens = (size_t)(inside - open), closes = close_length(close, r->end);
    if (device) edit(r, r->tokens.at[first].at, 0, "::softwarp::device_launch<(");
    if (device || opens > 3) edit(r, open, opens, device ? ")>(" : "<<<");
    if (device || closes > 3) edit(r, close, closes, device ? ")" : ">>>");
}

/* ---- the whole */

static void take_word(struct rewriter *r)
{
    const struct token *word = &r->tokens.at[r->tokens.count - 1];
    struct level *level = &r->levels.at[r->levels.count - 1];
    if (rewrite_is(word, "alignas")) rewrite_alignas(r);
    if (rewrite_is(word, "__global__") || rewrite_is(word, "__device__")) level->marks = true;
    if (rewrite_is(word, "__host__")) level->unmarks = true;
}

static void take_sign(struct rewriter *r, const char *at)
{
    *vec_push(&r->tokens) = (struct token){SIGN, at, 1};
    struct level *level = &r->levels.at[r->levels.count - 1];
    struct level inner = {.device = level->device || (level->marks && !level->unmarks)};
    if (*at == '<' && are_three(r, '<')) rewrite_launch(r, level->device && r->launches);
    if (*at == ';') level->marks = level->unmarks = false;
    if (*at == '{') {
        level->marks = level->unmarks = false;
        *vec_push(&r->levels) = inner;
    }
    if (*at == '}' && r->levels.count > 1) {
        r->levels.count--;
        r->levels.at[r->levels.count - 1].marks = r->levels.at[r->levels.count - 1].unmarks = false;
    }
}

static void rewrite_scan(struct rewriter *r, const char *at)
{
    bool line_begins = true;
    while (at < r->end) {
        bool begins = line_begins;
        if (*at == '\n')
            line_begins = true;
        else if (!isspace((unsigned char)*at))
            line_begins = false;
        if (isspace((unsigned char)*at))
            at++;
        else if (starts(at, r->end, "//"))
            at = skip_line(at, r->end);
        else if (starts(at, r->end, "/*"))
            at = skip_comment(at, r->end);
        else if (*at == '#' && begins)
            at = directive(r, at);
        else if (*at == '"' || *at == '\'')
            at = skip_quoted(at, r->end);
        else if (is_word(*at)) {
            size_t known = r->tokens.count;
            at = skip_word(r, at);
            if (r->tokens.count > known) take_word(r);
        } else
            take_sign(r, at++);
    }
}

/* In the order of the text; of launches within a launch's own <<<>>>, which are none, the outer one's. */
static void write_edits(const struct rewriter *r, const char *text, struct str *out)
{
    for (size_t i = 0; i < r->edits.count; i++) {
        const struct edit *edit = &r->edits.at[i];
        if (edit->at < text) continue;
        str_add_bytes(out, text, (size_t)(edit->at - text));
        str_add(out, edit->insert);
        text = edit->at + edit->removes;
    }
    str_add_bytes(out, text, (size_t)(r->end - text));
}

bool toolchain_rewrite_text(struct arena *arena, const char *text, size_t bytes, bool launches,
                            struct toolchain_rewritten *out)
{
    struct rewriter r = {
        .end = text + bytes, .launches = launches, .includes = &out->includes, .arena = arena};
    *vec_push(&r.levels) = (struct level){0};
    rewrite_scan(&r, text);
    if (r.edits.count) write_edits(&r, text, &out->text);
    bool changed = r.edits.count > 0;
    while (r.branches.count)
        drop_branch(&r);
    vec_release(&r.branches);
    vec_release(&r.levels);
    vec_release(&r.edits);
    vec_release(&r.tokens);
    return changed;
}
