/* SPDX-License-Identifier: Apache-2.0 */
/* Name expressions: what kernels and variables are called in the PTX.
 * Method: after the program's source each expression initialises a constant of a name of ours, which
 * instantiates templates and makes the compiler write the name; the constants are then taken out of the PTX.
 * Lines count as in NVRTC's own messages, from 2. Limits: the constants are found by their names. */
#include "nvrtc_priv.h"

#include <stdlib.h>
#include <string.h>

#define CONSTANT "softwarp_nvrtc_name_"

void nvrtc_names_source(const struct _nvrtcProgram *program, struct str *out)
{
    if (!program->expressions.count) return;
    str_add(out, "#line 2 \"__nv_name_map\"\n");
    for (size_t i = 0; i < program->expressions.count; i++)
        str_printf(out, "extern \"C\" __attribute__((device)) void *const " CONSTANT "%zu = (void *)(%s);\n", i,
                   program->expressions.at[i].text);
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
        if (!length || !take_line(program, line, length)) str_add_bytes(&out, line, length + (line[length] != 0));
        line += length + (line[length] != 0);
    }
    str_release(ptx);
    *ptx = out;
    for (size_t i = 0; i < program->expressions.count; i++)
        all &= program->expressions.at[i].lowered != NULL;
    return all;
}

void nvrtc_names_forget(struct _nvrtcProgram *program)
{
    for (size_t i = 0; i < program->expressions.count; i++) {
        free(program->expressions.at[i].lowered);
        program->expressions.at[i].lowered = NULL;
    }
}
