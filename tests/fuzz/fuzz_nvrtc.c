/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as options of nvrtcCompileProgram, a line each; an empty line is a null pointer. What follows a
 * line "---" is the compiler's PTX, from which name expressions are taken, and its log. */
#include "fuzz_input.h"

#include "nvrtc_priv.h"

#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MOST = 64, EXPRESSIONS = 3 };

static void read_options(char *text)
{
    const char *options[OPTIONS_MOST], *word;
    int count = 0;
    struct nvrtc_options out;
    struct str log = {0};
    struct arena arena;
    arena_init(&arena);
    while (count < OPTIONS_MOST && (word = strsep(&text, "\n")))
        options[count++] = *word ? word : NULL;
    memset(&out, 0, sizeof out);
    out.arena = &arena;
    (void)nvrtc_options_read(options, count, &out, &log);
    vec_release(&out.words);
    str_release(&log);
    arena_release(&arena);
}

static void read_names(const char *text)
{
    struct _nvrtcProgram program = {0};
    struct str ptx = {0}, source = {0};
    for (int i = 0; i < EXPRESSIONS; i++)
        *vec_push(&program.expressions) = (struct nvrtc_expression){.text = sw_xstrdup("key<int>")};
    str_add(&ptx, text);
    nvrtc_names_source(&program, &source);
    (void)nvrtc_names_take(&program, &ptx);
    nvrtc_names_unmark(&ptx);
    nvrtc_names_forget(&program);
    for (int i = 0; i < EXPRESSIONS; i++)
        free(program.expressions.at[i].text);
    vec_release(&program.expressions);
    str_release(&ptx);
    str_release(&source);
}

static void read_log(const char *text)
{
    struct str from = {0}, to = {0};
    str_add(&from, text);
    nvrtc_log_convert(&from, "input", true, &to);
    str_release(&from);
    str_release(&to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const char BETWEEN[] = "\n---\n";
    char *text = fuzz_text(data, bytes), *rest = strstr(text, BETWEEN);
    if (rest) {
        *rest = 0;
        read_names(rest + strlen(BETWEEN));
        read_log(rest + strlen(BETWEEN));
    }
    read_options(text);
    free(text);
    return 0;
}
