/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as CUDA source that is rewritten for clang, and as words of options. What was rewritten is
 * rewritten again. */
#include "fuzz_input.h"

#include "toolchain_options_priv.h"
#include "toolchain_rewrite.h"

#include <stdlib.h>
#include <string.h>

static void rewrite(const char *text, size_t bytes, bool again)
{
    struct toolchain_rewritten out = {0};
    struct arena arena;
    arena_init(&arena);
    if (toolchain_rewrite_text(&arena, text, bytes, true, &out) && again)
        rewrite(str_text(&out.text), out.text.length, false);
    str_release(&out.text);
    vec_release(&out.includes);
    arena_release(&arena);
}

static void split(const char *text)
{
    struct arena arena;
    toolchain_args words = {0};
    arena_init(&arena);
    toolchain_words_split(&arena, text, &words);
    toolchain_list_split(&arena, text, &words);
    toolchain_either_split(&arena, text, &words);
    vec_release(&words);
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    rewrite(text, bytes, true);
    split(text);
    free(text);
    return 0;
}
