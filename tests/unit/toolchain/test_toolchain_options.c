/* SPDX-License-Identifier: Apache-2.0 */
/* How the command line of `softwarp cc` becomes clang's. */
#include "toolchain_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Words after reading `line` (split at blanks): clang's, then "|", then the targets; or the error's message.
 */
static void check(const char *line, const char *expected)
{
    struct arena arena;
    struct sw_error error = {0};
    char *words[32] = {(char *)"cc"}, copy[512];
    int count = 1;
    arena_init(&arena);
    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    struct toolchain_options options = {.arena = &arena};
    struct str got = {0};
    if (toolchain_options_read(count, words, &options, &error) == SW_OK) {
        for (size_t i = 0; i < options.clang.count; i++)
            str_printf(&got, "%s ", options.clang.at[i]);
        str_add(&got, "|");
        for (size_t i = 0; i < options.targets.count; i++)
            str_printf(&got, " %s", options.targets.at[i]);
    } else {
        str_add(&got, error.message);
    }
    if (!strstr(str_text(&got), expected))
        fail_msg("'%s': got '%s', expected '%s'", line, str_text(&got), expected);
    str_release(&got);
    toolchain_options_release(&options);
    arena_release(&arena);
}

static void nvcc_words_become_clangs(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"k.cu", "k.cu |"},
        {"-arch=sm_80 k.cu", "k.cu | sm_80"},
        {"-arch sm_90a k.cu", "k.cu | sm_90a"},
        {"-gencode arch=compute_80,code=[sm_80,compute_80] -gencode=arch=compute_90,code=sm_90 k.cu",
         "k.cu | sm_80 sm_90"},
        {"-arch=native k.cu", "k.cu |"},
        {"-lineinfo -rdc=true --expt-relaxed-constexpr -Xptxas -v -cudart shared k.cu", "k.cu |"},
        {"-Xcompiler -Wall,-fopenmp -std c++14 k.cu", "-Wall -fopenmp -std=c++14 k.cu |"},
        {"-Ifoo -I bar -DX=1 k.cu", "-I foo -I bar -D X=1 k.cu |"},
        {"k.cu -lcudart -lcuda -lm -L/x", "k.cu -l:libcuda.so.1 -lm -L /x |"},
        {"-O2 -g k.cu", "-O2 -g k.cu |"},
        {"-x cu k.c", "-x cuda k.c |"},
        {"-use_fast_math k.cu", "-fgpu-flush-denormals-to-zero"},
        {"-MD -MF k.d -c k.cu", "-MD -MF k.d -c k.cu |"},
        {"-dc k.cu", "-c k.cu |"},
        {"-rdc=false k.cu", "k.cu |"},
    };
    for (size_t i = 0; i < SW_COUNT_OF(cases); i++)
        check(cases[i][0], cases[i][1]);
}

static void mistakes_are_explained(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "no input file"},
        {"-o", "option '-o' needs a value"},
        {"-arch=sm_100 k.cu", "target 'sm_100': clang 19 makes PTX up to sm_90a"},
        {"-arch=sm_20 k.cu", "target 'sm_20': the lowest is sm_30"},
        {"-arch=fast k.cu", "target 'fast' not understood"},
        {"-cubin k.cu", "'-cubin' is not supported by softwarp cc: use -ptx"},
        {"-ptx -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 k.cu",
         "need one target, not 2"},
    };
    for (size_t i = 0; i < SW_COUNT_OF(cases); i++)
        check(cases[i][0], cases[i][1]);
}

static void outcomes_are_told_apart(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    char *words[] = {(char *)"cc", (char *)"-c",  (char *)"-maxrregcount=32",
                     (char *)"-o", (char *)"k.o", (char *)"k.cu"};
    struct toolchain_options options = {.arena = &arena};
    assert_int_equal(toolchain_options_read(6, words, &options, NULL), SW_OK);
    assert_false(options.links);
    assert_string_equal(options.output, "k.o");
    assert_string_equal(options.input, "k.cu");
    assert_string_equal(str_text(&options.entry_options), " -maxrregcount=32");
    assert_false(options.relocatable);
    toolchain_options_release(&options);
    char *parts[] = {(char *)"cc", (char *)"-rdc=true", (char *)"a.cu", (char *)"b.cu", (char *)"c.o"};
    options = (struct toolchain_options){.arena = &arena};
    assert_int_equal(toolchain_options_read(5, parts, &options, NULL), SW_OK);
    assert_true(options.relocatable && options.links);
    assert_int_equal(options.sources.count, 2);
    assert_int_equal(options.files.count, 1);
    toolchain_options_release(&options);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nvcc_words_become_clangs),
                                       cmocka_unit_test(mistakes_are_explained),
                                       cmocka_unit_test(outcomes_are_told_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
