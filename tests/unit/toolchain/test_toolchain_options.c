/* SPDX-License-Identifier: Apache-2.0 */
/* How the command line of `softwarp cc` becomes clang's. */
#include "toolchain_options_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Words after reading `line` (split at blanks): clang's, then "|", the targets, and in parentheses what has
 * no effect; or the error's message. */
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
    struct toolchain_options options = {.arena = &arena, .quiet = true};
    struct str got = {0};
    if (toolchain_options_read(count, words, &options, &error) == SW_OK) {
        for (size_t i = 0; i < options.clang.count; i++)
            str_printf(&got, "%s ", options.clang.at[i]);
        str_add(&got, "|");
        for (size_t i = 0; i < options.targets.count; i++)
            str_printf(&got, " %s", options.targets.at[i]);
        for (size_t i = 0; i < options.noted.count; i++)
            str_printf(&got, " (%s)", options.noted.at[i]);
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
        {"-lineinfo -rdc=true --expt-relaxed-constexpr -Xptxas -v -cudart shared k.cu", "k.cu |"},
        {"-Xcompiler -Wall,-fopenmp -std c++14 k.cu", "-Wall -fopenmp -std=c++14 k.cu |"},
        {"-Xcompiler=-Wl,-rpath,/x -Xcompiler -DA=\"x\\,y\" k.cu", "-Wl,-rpath,/x -DA=x,y k.cu |"},
        {"-Xlinker -rpath,/x k.o", "-Wl,-rpath,/x k.o |"},
        {"-Ifoo -I bar -DX=1 -UY k.cu", "-I foo -I bar -D X=1 -U Y k.cu |"},
        {"-I a,b --include-path=c -isystem=d -isystem e k.cu", "-I a -I b -I c -isystem d -isystem e k.cu |"},
        {"-include a.h,b.h k.cu", "-include a.h -include b.h k.cu |"},
        {"k.cu -lcudart -lcuda -lm -L/x", "k.cu -l:libcuda.so.1 -lm -L /x |"},
        {"-O2 -g k.cu", "-O2 -g k.cu |"},
        {"--optimize 2 --debug k.cu", "-O2 -g k.cu |"},
        {"-G k.cu", "-g -D__CUDACC_DEBUG__ k.cu |"},
        {"-x cu k.c", "-x cuda k.c |"},
        {"-x=cu k.c", "-x cuda k.c |"},
        {"-use_fast_math k.cu", "-fgpu-flush-denormals-to-zero"},
        {"-ftz=true -fmad=false k.cu", "-fgpu-flush-denormals-to-zero -ffp-contract=off k.cu |"},
        {"-ftz true --fmad false k.cu", "-fgpu-flush-denormals-to-zero -ffp-contract=off k.cu |"},
        {"-ftz=false -prec-div=true -prec-sqrt true -fmad=true k.cu", "k.cu |"},
        {"-prec-div=false k.cu", "-mllvm -nvptx-prec-divf32=1 k.cu |"},
        {"-default-stream per-thread k.cu", "-fgpu-default-stream=per-thread k.cu |"},
        {"--default-stream=null k.cu", "-fgpu-default-stream=legacy k.cu |"},
        {"-MD -MF k.d -MT k.o -c k.cu", "-MD -MF k.d -MT k.o -c k.cu |"},
        {"-M k.cu", "--cuda-host-only -M k.cu |"},
        {"-E k.cu", "--cuda-host-only -E k.cu |"},
        {"-dc k.cu", "-c k.cu |"},
        {"-rdc=false k.cu", "k.cu |"},
        {"-Werror all-warnings k.cu", "-Werror k.cu |"},
        {"-Werror k.cu", "-Werror k.cu |"},
        {"-Werror=reorder --Werror deprecated-declarations k.cu",
         "-Werror=reorder -Werror=deprecated-declarations k.cu |"},
        {"-Wno-deprecated-gpu-targets -m64 --threads 4 -t0 k.cu", "-t0 k.cu |"},
        {"--keep -noeh k.cu", "-save-temps -fno-exceptions k.cu |"},
    };
    for (size_t i = 0; i < SW_COUNT_OF(cases); i++)
        check(cases[i][0], cases[i][1]);
}

static void targets_are_read_in_every_spelling(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"-arch=sm_80 k.cu", "k.cu | sm_80"},
        {"-arch sm_90a k.cu", "k.cu | sm_90a"},
        {"-arch=compute_80 k.cu", "k.cu | sm_80"},
        {"--gpu-architecture=compute_70 --gpu-code=sm_70,compute_70 k.cu", "k.cu | sm_70"},
        {"-code=sm_86 k.cu", "k.cu | sm_86"},
        {"-gencode arch=compute_80,code=[sm_80,compute_80] -gencode=arch=compute_90,code=sm_90 k.cu",
         "k.cu | sm_80 sm_90"},
        {"--generate-code=arch=compute_70,code=sm_75 k.cu", "k.cu | sm_70"},
        {"-gencode code=sm_75,arch=compute_75 k.cu", "k.cu | sm_75"},
        {"-arch=all-major k.cu", "k.cu | sm_75 sm_80 sm_90"},
        {"-arch=all k.cu", "k.cu | sm_75 sm_80 sm_86 sm_87 sm_89 sm_90"},
        {"-arch=native k.cu", "k.cu | sm_90"},
        {"--offload-arch=sm_75 --cuda-gpu-arch=sm_80 k.cu", "k.cu | sm_75 sm_80"},
        {"-gencode arch=compute_75,code=sm_75 -gencode arch=compute_120,code=sm_120 k.cu", "k.cu | sm_75"},
    };
    unsetenv("SOFTWARP_DEVICE");
    for (size_t i = 0; i < SW_COUNT_OF(cases); i++)
        check(cases[i][0], cases[i][1]);
}

static void what_has_no_effect_is_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"-ccbin g++ k.cu", "k.cu | (-ccbin)"},
        {"--compiler-bindir=/usr/bin/g++ -ccbin g++ k.cu", "k.cu | (--compiler-bindir) (-ccbin)"},
        {"-Xptxas -dlcm=cg,-O3 k.cu", "k.cu | (-Xptxas -dlcm=cg)"},
        {"-Xcudafe --diag_suppress=177 -Xcudafe --display_error_number k.cu", "k.cu | (-Xcudafe)"},
        {"--diag-suppress 177,550 k.cu", "k.cu | (--diag-suppress)"},
        {"-cudart static k.cu", "k.cu | (-cudart static)"},
        {"-restrict --keep-dir tmp k.cu", "k.cu | (-restrict) (--keep-dir)"},
        {"--Werror default-stream-launch k.cu", "k.cu | (-Werror default-stream-launch)"},
        {"-Xnvlink -v k.cu", "k.cu | (-Xnvlink)"},
        {"k.cu -lcublas -lcublasLt -lcudnn_ops -lnvrtc",
         "k.cu -l:libcublas.so.13 -l:libcublasLt.so.13 -l:libnvrtc.so.13 | (-lcudnn_ops)"},
        {"-c k.cu -lcutensor", "-c k.cu |"},
        {"k.cu -lcurandom -lnvToolsExt", "k.cu -lcurandom |"},
    };
    for (size_t i = 0; i < SW_COUNT_OF(cases); i++)
        check(cases[i][0], cases[i][1]);
}

/* Every row of the table does something that can be seen, or says why not. */
static void the_table_is_sound(void **state)
{
    (void)state;
    const char *value, *name;
    for (size_t i = 0; toolchain_option_at(i); i++) {
        const struct toolchain_option *o = toolchain_option_at(i);
        const char *names[] = {o->longer, o->shorter};
        if (o->action == NOTE || o->action == REFUSE) assert_non_null(o->text);
        if (o->action == FLAG) assert_true(o->text && o->other);
        for (size_t n = 0; n < 2; n++)
            if (names[n]) assert_ptr_equal(toolchain_option_find(names[n], &value, &name), o);
    }
}

static void files_of_options_are_read(void **state)
{
    (void)state;
    char path[] = "/tmp/softwarp-options-XXXXXX", line[512];
    int file = mkstemp(path);
    static const char text[] = "-I 'a b'\n-DX=\\\"s\\\" -arch=sm_80\n";
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    close(file);
    snprintf(line, sizeof line, "@%s k.cu", path);
    check(line, "-I a b -D X=\"s\" k.cu | sm_80");
    snprintf(line, sizeof line, "--options-file %s k.cu", path);
    check(line, "-I a b -D X=\"s\" k.cu | sm_80");
    unlink(path);
    check(line, "a file of options");
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
        {"-arch=sm_77 k.cu", "target 'sm_77' is not one that clang 19 knows"},
        {"-arch= k.cu", "a target is empty"},
        {"-cubin k.cu", "'-cubin' is not supported by softwarp cc: Softwarp runs PTX"},
        {"--cubin k.cu", "'--cubin' is not supported"},
        {"-lib a.o", "'-lib' is not supported by softwarp cc: object files are ordinary"},
        {"-odir x k.cu", "'-odir' is not supported by softwarp cc: give -o FILE"},
        {"-ftz=1 k.cu", "'-ftz' needs true or false, not '1'"},
        {"-maxrregcount=many k.cu", "'-maxrregcount' needs a number"},
        {"-default-stream mine k.cu", "needs legacy, null or per-thread"},
        {"-cudart fast k.cu", "needs none, shared or static"},
        {"-m 32 k.cu", "only 64-bit programs"},
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
    char *reports[] = {(char *)"cc",  (char *)"-res-usage", (char *)"-run", (char *)"-run-args",
                       (char *)"a,b", (char *)"-x",         (char *)"cu",   (char *)"k.cpp"};
    options = (struct toolchain_options){.arena = &arena};
    assert_int_equal(toolchain_options_read(8, reports, &options, NULL), SW_OK);
    assert_true(options.reports && options.runs && options.run_arguments.count == 2);
    assert_int_equal(options.sources.count, 1); /* a .cpp file is CUDA after -x cu */
    toolchain_options_release(&options);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nvcc_words_become_clangs),    cmocka_unit_test(targets_are_read_in_every_spelling),
        cmocka_unit_test(what_has_no_effect_is_named), cmocka_unit_test(the_table_is_sound),
        cmocka_unit_test(files_of_options_are_read),   cmocka_unit_test(mistakes_are_explained),
        cmocka_unit_test(outcomes_are_told_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
