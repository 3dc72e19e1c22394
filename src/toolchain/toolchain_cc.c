/* SPDX-License-Identifier: Apache-2.0 */
/* `softwarp cc`: one clang command that compiles, embeds and links.
 * Method: clang is given a small CUDA folder of ours (--cuda-path) whose ptxas copies PTX and whose fatbinary
 * writes our container, and our headers ahead of all others (-nocudainc), so that no NVIDIA file is read even
 * where a toolkit is installed. Programs find libcudart.so.13 through RUNPATH. Defaults: -O3,
 * -gline-tables-only (source lines for profiles), the target that nvcc 13 defaults to. With -rdc=true each
 * source is compiled to an object by a command of its own (toolchain_rdc.c), and the objects are linked as
 * any others. What clang does not take as it is written is changed on its way (toolchain_rewrite.c). Limits:
 * those of toolchain_options.c. */
#include "toolchain/toolchain.h"

#include "fatbin/fatbin.h"
#include "toolchain_priv.h"
#include "toolchain_rewrite.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* nvcc 13.0's default. */
static const char default_target[] = "sm_75";

static void cc_add(toolchain_args *words, const char *word)
{
    *vec_push(words) = word;
}

/* Options as nvcc notes them beside the PTX. */
static const char *entry_options(struct toolchain_options *options)
{
    return arena_printf(options->arena, "--generate-line-info%s", str_text(&options->entry_options));
}

/* After the words of the command line: as with nvcc, -O is the host's level; device code is optimised unless
 * it is to be followed by a debugger. */
static void add_levels(toolchain_args *words, const struct toolchain_options *options)
{
    if (!options->optimises) cc_add(words, "-O3");
    cc_add(words, "-Xarch_device");
    cc_add(words, options->debugs_device ? "-O0" : "-O3");
    if (!options->debugs) cc_add(words, "-gline-tables-only");
}

static void add_ptxas(toolchain_args *words, const char *word)
{
    cc_add(words, "-Xcuda-ptxas");
    cc_add(words, word);
}

/* As with nvcc, such code may call the device runtime. */
static void add_relocatable(toolchain_args *words, const struct toolchain_paths *paths, struct arena *arena)
{
    cc_add(words, "-fgpu-rdc");
    cc_add(words, "-D__CUDACC_RDC__");
    cc_add(words, "-include"); /* after the prelude, whose words it uses */
    cc_add(words, arena_printf(arena, "%s/softwarp/device_runtime.h", paths->include));
}

/* How CUDA is compiled, whatever is made from it. */
static void add_cuda(toolchain_args *words, struct toolchain_options *options,
                     const struct toolchain_paths *paths)
{
    struct arena *arena = options->arena;
    cc_add(words, "--no-cuda-version-check");
    toolchain_add_device(words, arena, paths);
    cc_add(words, "-Xarch_host"); /* as nvcc leaves it: host code that overflows an int goes on */
    cc_add(words, "-fwrapv");
    if (options->overlay && options->overlay->listing) {
        cc_add(words, "-ivfsoverlay");
        cc_add(words, options->overlay->listing);
    }
    if (options->relocatable) add_relocatable(words, paths, arena);
    if (!options->targets.count) *vec_push(&options->targets) = default_target;
    /* Where objects alone are linked a target would make clang offload OpenMP, with a program of its tools.
     */
    bool links_alone = options->links && !options->sources.count;
    for (size_t i = 0; i < options->targets.count && !links_alone; i++)
        cc_add(words, arena_printf(arena, "--cuda-gpu-arch=%s", options->targets.at[i]));
    cc_add(words, "-Xcuda-fatbinary");
    cc_add(words, arena_printf(arena, "--options=%s", entry_options(options)));
    cc_add(words, "--no-cuda-include-ptx=all"); /* PTX comes through our ptxas, once */
    if (options->reports) add_ptxas(words, "-v");
    if (options->max_registers)
        add_ptxas(words, arena_printf(arena, "--maxrregcount=%u", options->max_registers));
}

static bool has_word(const toolchain_args *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->at[i], word) == 0) return true;
    return false;
}

static void add_link(toolchain_args *words, struct arena *arena, const struct toolchain_paths *paths,
                     bool no_runtime)
{
    cc_add(words, arena_printf(arena, "-L%s", paths->libraries));
    if (!no_runtime) cc_add(words, arena_printf(arena, "%s/libcudart.so.13", paths->libraries));
    cc_add(words, arena_printf(arena, "-Wl,--enable-new-dtags,-rpath,%s", paths->libraries));
    cc_add(words, "-Wl,--allow-shlib-undefined"); /* libcuda.so.1 is found beside it when the program runs */
    /* clang takes the program for one that offloads OpenMP and adds libomptarget, which only it can find */
    if (has_word(words, "-fopenmp")) cc_add(words, "-Wl,--as-needed");
}

/* k.cu -> k.ptx, in the current folder. */
static const char *default_output(struct arena *arena, const char *input, const char *suffix)
{
    const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input, *dot = strrchr(name, '.');
    return arena_printf(arena, "%.*s%s", dot ? (int)(dot - name) : (int)strlen(name), name, suffix);
}

static bool is_among(const toolchain_args *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (words->at[i] == word) return true;
    return false;
}

/* The words of the command line without its files. */
static void add_options(toolchain_args *words, const struct toolchain_options *options)
{
    for (size_t i = 0; i < options->clang.count; i++) {
        const char *word = options->clang.at[i];
        if (!is_among(&options->sources, word) && !is_among(&options->files, word)) cc_add(words, word);
    }
    add_levels(words, options);
}

static void cc_start(toolchain_args *words, struct toolchain_options *options,
                     const struct toolchain_paths *paths)
{
    cc_add(words, paths->clang);
    cc_add(words, "-Qunused-arguments"); /* host files of the same command use no CUDA option */
    add_cuda(words, options, paths);
}

/* clang++ takes every file for C++; nvcc gives C to the C compiler. clang wants no -std of C++ with it. */
static bool is_c(const struct toolchain_options *options, const char *word)
{
    if (options->language || !sw_ends_with(word, ".c") || !is_among(&options->files, word)) return false;
    for (size_t i = 0; i < options->clang.count; i++)
        if (sw_starts_with(options->clang.at[i], "-std=") && strstr(options->clang.at[i], "++")) return false;
    return true;
}

static void compose(toolchain_args *words, struct toolchain_options *options,
                    const struct toolchain_paths *paths)
{
    cc_start(words, options, paths);
    bool c = false; /* of the file before */
    for (size_t i = 0; i < options->clang.count; i++) {
        const char *word = options->clang.at[i];
        bool file = is_among(&options->files, word) || is_among(&options->sources, word);
        if (file && is_c(options, word) != c) {
            c = !c;
            cc_add(words, "-x");
            cc_add(words, c ? "c" : "none");
        }
        cc_add(words, word);
    }
    add_levels(words, options);
    if (options->links) {
        cc_add(words, "-x");
        cc_add(words, "none"); /* an -x of the user's must not claim the library as a source file */
        add_link(words, options->arena, paths, options->no_runtime);
    }
    if (options->output) {
        cc_add(words, "-o");
        cc_add(words, options->output);
    }
    cc_add(words, NULL);
}

/* ---- device code alone */

/* It is always made as PTX; a fat binary is wrapped around it afterwards. */
static enum sw_status compile_device(struct toolchain_options *options, const struct toolchain_paths *paths,
                                     const char *input, int *exit_code, struct sw_error *error)
{
    bool wraps = options->kind == TOOLCHAIN_FATBIN;
    const char *output = options->output;
    toolchain_args words = {0};
    if (!output) output = default_output(options->arena, input, wraps ? ".fatbin" : ".ptx");
    cc_start(&words, options, paths);
    add_options(&words, options);
    const char *const rest[] = {"--cuda-device-only", "-S", "-o", output, input, NULL};
    for (size_t i = 0; i < SW_COUNT_OF(rest); i++)
        cc_add(&words, rest[i]);
    enum sw_status status = toolchain_run((char *const *)(uintptr_t)words.at, NULL, exit_code, error);
    if (*exit_code == 1) toolchain_hint(&words);
    vec_release(&words);
    struct toolchain_ptx_use use = {.describes = options->reports, .max_registers = options->max_registers};
    if (status == SW_OK && wraps && !options->shows_commands && *exit_code == 0)
        status = toolchain_wrap_ptx(options->arena, output, entry_options(options), &use, error);
    return status;
}

static enum sw_status compile_devices(struct toolchain_options *options, const struct toolchain_paths *paths,
                                      int *exit_code, struct sw_error *error)
{
    const toolchain_args *inputs = options->sources.count ? &options->sources : &options->files;
    if (options->output && inputs->count > 1)
        return sw_fail(error, SW_USAGE, "-o with -ptx or -fatbin needs one source file");
    for (size_t i = 0; i < inputs->count && *exit_code == 0; i++)
        SW_TRY(compile_device(options, paths, inputs->at[i], exit_code, error));
    return SW_OK;
}

/* ---- separate compilation */

/* One source to one object; `symbols`: a file for what our fatbinary writes in it. */
static enum sw_status compile_part(struct toolchain_options *options, const struct toolchain_paths *paths,
                                   const char *input, const char *object, const char *symbols, int *exit_code,
                                   struct sw_error *error)
{
    toolchain_args words = {0};
    struct arena *arena = options->arena;
    cc_start(&words, options, paths);
    add_options(&words, options);
    const char *const rest[] = {"-Xcuda-fatbinary",
                                arena_printf(arena, "--device-symbols=%s", symbols),
                                arena_printf(arena, "-DSOFTWARP_DEVICE_SYMBOLS=\"%s\"", symbols),
                                "-c",
                                input,
                                "-o",
                                object,
                                NULL};
    for (size_t i = 0; i < SW_COUNT_OF(rest); i++)
        cc_add(&words, rest[i]);
    enum sw_status status = toolchain_run((char *const *)words.at, NULL, exit_code, error);
    if (*exit_code == 1) toolchain_hint(&words);
    vec_release(&words);
    if (status == SW_OK && *exit_code == 0) status = toolchain_rdc_object(object, error);
    return status;
}

static enum sw_status compile_object(struct toolchain_options *options, const struct toolchain_paths *paths,
                                     const char *input, const char *object, int *exit_code,
                                     struct sw_error *error)
{
    struct toolchain_folder folder = {0};
    SW_TRY(toolchain_folder_make(&folder, error));
    const char *symbols = arena_printf(options->arena, "%s/symbols", folder.path);
    enum sw_status status = compile_part(options, paths, input, object, symbols, exit_code, error);
    toolchain_folder_remove(&folder);
    return status;
}

/* Objects of a program that is compiled and linked by one command lie in a folder that goes afterwards. */
static enum sw_status compile_and_link(struct toolchain_options *options, const struct toolchain_paths *paths,
                                       int *exit_code, struct sw_error *error)
{
    struct toolchain_folder folder = {0};
    struct arena *arena = options->arena;
    enum sw_status status = SW_OK;
    SW_TRY(toolchain_folder_make(&folder, error));
    toolchain_args objects = {0};
    for (size_t i = 0; i < options->clang.count && status == SW_OK && *exit_code == 0; i++) {
        if (!is_among(&options->sources, options->clang.at[i])) continue;
        const char *input = options->clang.at[i];
        const char *object = arena_printf(arena, "%s/%zu.o", folder.path, i);
        *vec_push(&objects) = object;
        status = compile_object(options, paths, input, object, exit_code, error);
    }
    for (size_t i = 0, k = 0; i < options->clang.count && k < objects.count; i++)
        if (is_among(&options->sources, options->clang.at[i])) options->clang.at[i] = objects.at[k++];
    toolchain_args words = {0};
    if (status == SW_OK && *exit_code == 0) {
        compose(&words, options, paths);
        status = toolchain_run((char *const *)words.at, NULL, exit_code, error);
    }
    toolchain_folder_remove(&folder);
    vec_release(&objects);
    vec_release(&words);
    return status;
}

static enum sw_status compile_objects(struct toolchain_options *options, const struct toolchain_paths *paths,
                                      int *exit_code, struct sw_error *error)
{
    if (options->output && options->sources.count > 1)
        return sw_fail(error, SW_USAGE, "-o with -c needs one source file");
    for (size_t i = 0; i < options->sources.count && *exit_code == 0; i++) {
        const char *input = options->sources.at[i];
        const char *object = options->output ? options->output : default_output(options->arena, input, ".o");
        SW_TRY(compile_object(options, paths, input, object, exit_code, error));
    }
    return SW_OK;
}

/* -dlink: the objects need no code from it, but makefiles want a file. */
static enum sw_status link_device(const struct toolchain_options *options,
                                  const struct toolchain_paths *paths, int *exit_code, struct sw_error *error)
{
    const char *const words[] = {
        paths->clang, "-x", "c", "-c", "/dev/null", "-o", options->output ? options->output : "a_dlink.o",
        NULL};
    return toolchain_run((char *const *)(uintptr_t)words, NULL, exit_code, error);
}

static bool compiles_objects(const struct toolchain_options *options)
{
    bool to_object = false;
    for (size_t i = 0; i < options->clang.count; i++)
        to_object |= strcmp(options->clang.at[i], "-c") == 0;
    return to_object;
}

static enum sw_status compile_with(struct toolchain_options *options, const struct toolchain_paths *paths,
                                   int *exit_code, struct sw_error *error)
{
    toolchain_args words = {0};
    bool objects = options->relocatable && options->sources.count && !options->shows_commands;
    if (options->links_device) return link_device(options, paths, exit_code, error);
    if (options->kind != TOOLCHAIN_PROGRAM) return compile_devices(options, paths, exit_code, error);
    if (objects && options->links) return compile_and_link(options, paths, exit_code, error);
    if (objects && compiles_objects(options)) return compile_objects(options, paths, exit_code, error);
    compose(&words, options, paths);
    enum sw_status status = toolchain_run((char *const *)words.at, NULL, exit_code, error);
    if (*exit_code == 1 && options->sources.count) toolchain_hint(&words);
    vec_release(&words);
    return status;
}

static enum sw_status cc_compile(struct toolchain_options *options, int *exit_code, struct sw_error *error)
{
    struct toolchain_paths paths;
    struct toolchain_overlay overlay = {0};
    enum sw_status status = SW_OK;
    SW_TRY(toolchain_find(options->arena, &paths, error));
    if (!options->shows_commands)
        status =
            toolchain_overlay_make(options->arena, &options->sources, options->relocatable, &overlay, error);
    options->overlay = &overlay;
    if (status == SW_OK) status = compile_with(options, &paths, exit_code, error);
    options->overlay = NULL;
    toolchain_overlay_remove(&overlay);
    return status;
}

/* -run: the program that was linked. */
static enum sw_status run_program(struct toolchain_options *options, int *exit_code, struct sw_error *error)
{
    const char *path = options->output ? options->output : "a.out";
    toolchain_args words = {0};
    if (!options->links) return sw_fail(error, SW_USAGE, "-run needs a program: leave out -c and the like");
    cc_add(&words, strchr(path, '/') ? path : arena_printf(options->arena, "./%s", path));
    for (size_t i = 0; i < options->run_arguments.count; i++)
        cc_add(&words, options->run_arguments.at[i]);
    cc_add(&words, NULL);
    enum sw_status status = toolchain_run((char *const *)(uintptr_t)words.at, NULL, exit_code, error);
    vec_release(&words);
    return status;
}

static enum sw_status act(struct toolchain_options *options, int *exit_code, struct sw_error *error)
{
    if (options->answer) return toolchain_answer(options, error);
    SW_TRY(cc_compile(options, exit_code, error));
    if (options->runs && *exit_code == 0 && !options->shows_commands)
        return run_program(options, exit_code, error);
    return SW_OK;
}

int toolchain_cc_main(int argc, char **argv)
{
    struct sw_error error = {0};
    struct arena arena;
    arena_init(&arena);
    struct toolchain_options options = {.arena = &arena};
    int exit_code = 0;
    enum sw_status status = toolchain_options_read(argc, argv, &options, &error);
    if (status == SW_OK) status = act(&options, &exit_code, &error);
    if (status != SW_OK) {
        char text[1024];
        sw_log("cc: %s", sw_error_format(&error, text, sizeof text));
        exit_code = sw_status_exit_code(status);
    }
    toolchain_options_release(&options);
    arena_release(&arena);
    return exit_code;
}
