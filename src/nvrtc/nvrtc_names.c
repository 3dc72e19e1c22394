/* SPDX-License-Identifier: Apache-2.0 */
/* Name expressions: what kernels and variables are called in the PTX.
 * Method: after the program's source each expression initialises a constant of a name of ours, which
 * instantiates templates and makes the compiler write the name; the constants are then taken out of the PTX.
 * Lines count as in NVRTC's own messages, from 2. Clang marks names without linkage (_ZL3key, _ZL4fillPi,
 * _ZN4hereL4fillEPi), which NVRTC does not (key, _Z4fillPi, _ZN4here4fillEPi), and programs ask for them: the
 * marks go. Limits: the constants are found by their names; what is in a namespace without a name is called
 * otherwise than NVRTC calls it. */
#include "nvrtc_priv.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define CONSTANT "softwarp_nvrtc_name_"

void nvrtc_names_source(const struct _nvrtcProgram *program, struct str *out)
{
    if (!program->expressions.count) return;
    str_add(out, "#line 2 \"__nv_name_map\"\n");
    for (size_t i = 0; i < program->expressions.count; i++)
        str_printf(out, "extern \"C\" __attribute__((device)) void *const " CONSTANT "%zu = (void *)(%s);\n",
                   i, program->expressions.at[i].text);
}

/* "generic(_Z1k)" and "_Z1k". */
static char *symbol_of(const char *value, size_t length)
{
    static const char wrapper[] = "generic(";
    if (length > sizeof wrapper && strncmp(value, wrapper, sizeof wrapper - 1) == 0) {
        value += sizeof wrapper - 1;
        length -= sizeof wrapper;
    }
    char *name = sw_xmalloc(length + 1);
    memcpy(name, value, length);
    name[length] = '\0';
    return name;
}

/* One line of PTX; true: it was a constant of ours. */
static bool take_line(struct _nvrtcProgram *program, const char *line, size_t length)
{
    const char *name = memmem(line, length, CONSTANT, strlen(CONSTANT));
    const char *equals = name ? memmem(line, length, " = ", 3) : NULL;
    if (!name || !equals || equals < name || line[length - 1] != ';') return false;
    size_t number = strtoul(name + strlen(CONSTANT), NULL, 10);
    if (number >= program->expressions.count) return false;
    const char *value = equals + 3;
    free(program->expressions.at[number].lowered);
    program->expressions.at[number].lowered = symbol_of(value, (size_t)(line + length - 1 - value));
    return true;
}

bool nvrtc_names_take(struct _nvrtcProgram *program, struct str *ptx)
{
    struct str out = {0};
    bool all = true;
    if (!program->expressions.count) return true;
    for (const char *line = str_text(ptx); *line;) {
        size_t length = strcspn(line, "\n");
        if (!length || !take_line(program, line, length))
            str_add_bytes(&out, line, length + (line[length] != 0));
        line += length + (line[length] != 0);
    }
    str_release(ptx);
    *ptx = out;
    for (size_t i = 0; i < program->expressions.count; i++)
        all &= program->expressions.at[i].lowered != NULL;
    return all;
}

/* ---- names without linkage */

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Past one "3key" of a mangled name, or NULL. */
static const char *past_part(const char *at)
{
    char *end;
    if (!isdigit((unsigned char)*at)) return NULL;
    unsigned long length = strtoul(at, &end, 10);
    return length && strnlen(end, length) == length ? end + length : NULL;
}

/* Where the mark of a mangled name is, or NULL. */
static const char *mark_of(const char *name)
{
    const char *at = name + strlen("_Z"), *next;
    if (*at == 'N')
        for (at++; (next = past_part(at)); at = next) {
        }
    return *at == 'L' && past_part(at + 1) ? at : NULL;
}

/* One name, of which `length` characters are read. */
static void write_unmarked(const char *name, size_t length, struct str *out)
{
    const char *mark = mark_of(name), *end = mark ? past_part(mark + 1) : NULL;
    if (!mark || end > name + length) {
        str_add_bytes(out, name, length);
    } else if (mark == name + 2 &&
               end == name + length) { /* a variable of the global namespace: its own name */
        const char *own = mark + 1 + strspn(mark + 1, "0123456789");
        str_add_bytes(out, own, (size_t)(end - own));
    } else {
        str_add_bytes(out, name, (size_t)(mark - name));
        str_add_bytes(out, mark + 1, (size_t)(name + length - mark - 1));
    }
}

void nvrtc_names_unmark(struct str *ptx)
{
    struct str out = {0};
    const char *at = str_text(ptx), *done = at;
    while ((at = strstr(at, "_Z"))) {
        size_t length = 0;
        while (is_name(at[length]))
            length++;
        bool begins = at == ptx->text || !is_name(at[-1]);
        if (begins) {
            str_add_bytes(&out, done, (size_t)(at - done));
            write_unmarked(at, length, &out);
            done = at + length;
        }
        at += length;
    }
    str_add(&out, done);
    str_release(ptx);
    *ptx = out;
}

void nvrtc_names_forget(struct _nvrtcProgram *program)
{
    for (size_t i = 0; i < program->expressions.count; i++) {
        free(program->expressions.at[i].lowered);
        program->expressions.at[i].lowered = NULL;
    }
}
