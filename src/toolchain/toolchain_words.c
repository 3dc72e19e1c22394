/* SPDX-License-Identifier: Apache-2.0 */
/* Splitting of words: response files and options that carry several words for another tool.
 * Method: one pass with a state for the kind of quote. Limits: no variables, no patterns. */
#include "toolchain_options_priv.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct splitter {
    struct arena *arena;
    toolchain_args *out;
    struct str word;
    bool started;
};

static void end_word(struct splitter *s)
{
    if (s->started) *vec_push(s->out) = arena_strdup(s->arena, str_text(&s->word));
    str_clear(&s->word);
    s->started = false;
}

static void split(struct splitter *s, const char *text, bool (*separates)(const char *, char))
{
    char quote = 0;
    for (; *text; text++) {
        bool plain = !quote;
        if (*text == '\\' && text[1] && quote != '\'') {
            str_add_char(&s->word, *++text);
            s->started = true;
        } else if ((plain && (*text == '"' || *text == '\'')) || (quote && *text == quote)) {
            quote = plain ? *text : 0;
            s->started = true;
        } else if (plain && separates(str_text(&s->word), *text)) {
            end_word(s);
        } else {
            str_add_char(&s->word, *text);
            s->started = true;
        }
    }
    end_word(s);
    str_release(&s->word);
}

static bool is_blank(const char *word, char c)
{
    (void)word;
    return isspace((unsigned char)c) != 0;
}

static bool is_comma(const char *word, char c)
{
    (void)word;
    return c == ',';
}

/* The commas of -Wl, -Wa and -Wp are the host compiler's own. */
static bool is_either(const char *word, char c)
{
    bool whole = word[0] == '-' && word[1] == 'W' && word[2] && strchr("lap", word[2]) &&
                 (word[3] == ',' || word[3] == '\0');
    return is_blank(word, c) || (c == ',' && !whole);
}

void toolchain_words_split(struct arena *arena, const char *text, toolchain_args *out)
{
    struct splitter s = {.arena = arena, .out = out};
    split(&s, text, is_blank);
}

void toolchain_list_split(struct arena *arena, const char *text, toolchain_args *out)
{
    struct splitter s = {.arena = arena, .out = out};
    split(&s, text, is_comma);
}

void toolchain_either_split(struct arena *arena, const char *text, toolchain_args *out)
{
    struct splitter s = {.arena = arena, .out = out};
    split(&s, text, is_either);
}

enum sw_status toolchain_words_read(struct arena *arena, const char *path, toolchain_args *out,
                                    struct sw_error *error)
{
    char buffer[4096];
    struct str text = {0};
    FILE *file = fopen(path, "r");
    if (!file) return sw_fail(error, SW_FILE_NOT_FOUND, "cannot open '%s', a file of options", path);
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        str_add_bytes(&text, buffer, got);
    fclose(file);
    toolchain_words_split(arena, str_text(&text), out);
    str_release(&text);
    return SW_OK;
}
