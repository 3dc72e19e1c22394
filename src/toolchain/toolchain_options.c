/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `softwarp cc`: clang's arguments pass through; nvcc's are put into clang's words, so
 * that makefiles written for nvcc work. Method: toolchain_table.c says for each word what is to be done; a
 * file of words (@FILE, --options-file) is read in its place. Limits: what cannot be honoured is refused
 * where the result would not be what was asked for, and named in a message where it does no harm. */
#include "toolchain_options_priv.h"

#include <stdlib.h>
#include <string.h>

enum { NESTED_FILES = 8 };

struct toolchain_cursor {
    int argc, at, depth;
    char *const *argv;
};

static enum sw_status read_words(struct toolchain_cursor *cursor, struct toolchain_options *out,
                                 struct sw_error *error);

static enum sw_status options_read_file(struct toolchain_cursor *cursor, struct toolchain_options *out,
                                        const char *path, struct sw_error *error)
{
    toolchain_args words = {0};
    if (cursor->depth == NESTED_FILES)
        return sw_fail(error, SW_USAGE, "'%s': option files include each other in a cycle", path);
    enum sw_status status = toolchain_words_read(out->arena, path, &words, error);
    struct toolchain_cursor inner = {
        .argc = (int)words.count, .argv = (char *const *)(uintptr_t)words.at, .depth = cursor->depth + 1};
    if (status == SW_OK) status = read_words(&inner, out, error);
    vec_release(&words);
    return status;
}

enum sw_status toolchain_options_read_files(const struct toolchain_use *use)
{
    toolchain_args files = {0};
    enum sw_status status = SW_OK;
    toolchain_list_split(use->out->arena, use->value, &files);
    for (size_t i = 0; i < files.count && status == SW_OK; i++)
        status = options_read_file(use->cursor, use->out, files.at[i], use->error);
    vec_release(&files);
    return status;
}

static void read_input(struct toolchain_options *out, const char *word)
{
    bool cuda = out->language ? strcmp(out->language, "cuda") == 0 : sw_ends_with(word, ".cu");
    out->input = word;
    *vec_push(cuda ? &out->sources : &out->files) = word;
    *vec_push(&out->clang) = word;
}

static enum sw_status read_word(struct toolchain_cursor *cursor, struct toolchain_options *out,
                                struct sw_error *error)
{
    const char *word = cursor->argv[cursor->at++], *value = NULL, *name = NULL;
    if (word[0] == '@') return options_read_file(cursor, out, word + 1, error);
    if (word[0] != '-') {
        read_input(out, word);
        return SW_OK;
    }
    const struct toolchain_option *option = toolchain_option_find(word, &value, &name);
    if (!option) {
        *vec_push(&out->clang) = word;
        return SW_OK;
    }
    if (!value) {
        if (cursor->at == cursor->argc) return sw_fail(error, SW_USAGE, "option '%s' needs a value", word);
        value = cursor->argv[cursor->at++];
    }
    bool takes_next = false;
    const char *next = cursor->at < cursor->argc ? cursor->argv[cursor->at] : NULL;
    const struct toolchain_use use = {cursor, out, option, name, value, next, &takes_next, error};
    SW_TRY(toolchain_option_use(&use));
    cursor->at += takes_next;
    return SW_OK;
}

static enum sw_status read_words(struct toolchain_cursor *cursor, struct toolchain_options *out,
                                 struct sw_error *error)
{
    while (cursor->at < cursor->argc)
        SW_TRY(read_word(cursor, out, error));
    return SW_OK;
}

/* The device library has a square root for each; which, two options say together. */
static void choose_square_root(struct toolchain_options *out)
{
    static const char rough[] = "-D__nv_sqrtf=__nv_sqrtf_approx";
    bool flushes = false;
    for (size_t i = 0; i < out->clang.count; i++)
        flushes |= strcmp(out->clang.at[i], "-fgpu-flush-denormals-to-zero") == 0;
    for (size_t i = 0; i < out->clang.count && flushes; i++)
        if (strcmp(out->clang.at[i], rough) == 0)
            out->clang.at[i] = arena_printf(out->arena, "%s_ftz", rough);
}

enum sw_status toolchain_options_read(int argc, char **argv, struct toolchain_options *out,
                                      struct sw_error *error)
{
    struct toolchain_cursor cursor = {.argc = argc, .at = 1, .argv = argv};
    out->links = true;
    SW_TRY(read_words(&cursor, out, error));
    SW_TRY(toolchain_targets_finish(out, error));
    choose_square_root(out);
    toolchain_libraries_note(out);
    if (out->answer || (!out->input && out->shows_commands)) return SW_OK;
    if (!out->input)
        return sw_fail(error, SW_USAGE, "no input file: softwarp cc [clang or nvcc options] FILE.cu");
    if (out->kind != TOOLCHAIN_PROGRAM && out->targets.count > 1)
        return sw_fail(error, SW_USAGE, "-ptx and -fatbin need one target, not %zu: give one -arch=sm_NN",
                       out->targets.count);
    return SW_OK;
}

void toolchain_options_release(struct toolchain_options *out)
{
    vec_release(&out->clang);
    vec_release(&out->sources);
    vec_release(&out->files);
    vec_release(&out->targets);
    vec_release(&out->codes);
    vec_release(&out->noted);
    vec_release(&out->libraries);
    vec_release(&out->run_arguments);
    str_release(&out->entry_options);
}
