/* SPDX-License-Identifier: Apache-2.0 */
/* The log: clang's words in the form that NVRTC gives its own, because programs read it: jitify finds the
 * header that is missing there. Method: line by line. A line "FILE(3): error: ..." begins a message; lines of
 * source are indented; what clang says of the prelude and its own count of errors go; a missing file is said
 * as NVRTC says it; the errors are counted at the end. Limits: the words of all other messages are clang's.
 */
#include "nvrtc_priv.h"

#include <stdio.h>
#include <string.h>

struct log_writer {
    const char *name;
    struct str *out;
    unsigned errors;
    bool fatal;
};

/* The end of "FILE(3): ", where the kind of message stands, or NULL. */
static const char *kind_of(const char *line, size_t length)
{
    static const char *const kinds[] = {"fatal error: ", "error: ", "warning: ", "note: ", "remark: "};
    const char *close = memmem(line, length, "): ", 3);
    if (!close) return NULL;
    for (size_t i = 0; i < SW_COUNT_OF(kinds); i++)
        if (strncmp(close + 3, kinds[i], strlen(kinds[i])) == 0) return close + 3;
    return NULL;
}

static bool is_clangs_own(const char *line, size_t length)
{
    return memmem(line, length, " generated when compiling for ", 30) ||
           sw_starts_with(line, "In file included from <built-in>:") ||
           sw_starts_with(line, "In file included from __nv_name_map");
}

/* "'x.h' file not found" as NVRTC says it; false: another message. */
static bool write_missing(struct log_writer *w, const char *text, size_t length)
{
    static const char tail[] = "' file not found";
    const char *end = memmem(text, length, tail, sizeof tail - 1);
    if (*text != '\'' || !end || end == text) return false;
    str_printf(w->out, "catastrophic error: cannot open source file \"%.*s\"\n", (int)(end - text - 1),
               text + 1);
    return true;
}

static void write_message(struct log_writer *w, const char *line, size_t length, const char *kind)
{
    static const char fatal[] = "fatal error: ";
    bool is_fatal = sw_starts_with(kind, fatal);
    if (w->out->length && !sw_starts_with(kind, "note: ")) str_add_char(w->out, '\n');
    str_add_bytes(w->out, line, (size_t)(kind - line));
    w->errors += is_fatal || sw_starts_with(kind, "error: ");
    w->fatal |= is_fatal;
    const char *rest = is_fatal ? kind + sizeof fatal - 1 : kind;
    size_t left = (size_t)(line + length - rest);
    if (is_fatal && write_missing(w, rest, left)) return;
    if (is_fatal) str_add(w->out, "catastrophic error: ");
    str_add_bytes(w->out, rest, left);
    str_add_char(w->out, '\n');
}

static void write_line(struct log_writer *w, const char *line, size_t length)
{
    const char *kind = kind_of(line, length);
    if (!length || is_clangs_own(line, length)) return;
    if (kind) {
        write_message(w, line, length, kind);
        return;
    }
    str_add(w->out, "  ");
    str_add_bytes(w->out, line, length);
    str_add_char(w->out, '\n');
}

void nvrtc_log_convert(const struct str *from, const char *name, bool failed, struct str *to)
{
    struct log_writer w = {.name = name, .out = to};
    for (const char *line = str_text(from); *line;) {
        size_t length = strcspn(line, "\n");
        write_line(&w, line, length);
        line += length + (line[length] != 0);
    }
    if (!failed) return;
    str_printf(to, "\n%u %serror%s detected in the compilation of \"%s\".\n", w.errors,
               w.fatal ? "catastrophic " : "", w.errors == 1 ? "" : "s", name);
    if (w.fatal) str_add(to, "Compilation terminated.\n");
}
