/* SPDX-License-Identifier: Apache-2.0 */
/* What each option of `softwarp cc` does to the command of clang's: the functions of the actions of
 * toolchain_options_priv.h. Limits: those that toolchain_table.c states for each option. */
#include "toolchain_options_priv.h"

#include "base/base_library.h"

#include <stdlib.h>
#include <string.h>

static void use_pass(struct toolchain_options *out, const char *word)
{
    *vec_push(&out->clang) = word;
}

static void pass_words(struct toolchain_options *out, const char *text)
{
    toolchain_words_split(out->arena, text, &out->clang);
}

static void pass_list(struct toolchain_options *out, const char *option, const char *value)
{
    toolchain_args parts = {0};
    toolchain_list_split(out->arena, value, &parts);
    for (size_t i = 0; i < parts.count; i++) {
        use_pass(out, option);
        use_pass(out, parts.at[i]);
    }
    vec_release(&parts);
}

void toolchain_note(struct toolchain_options *out, const char *word, const char *why)
{
    for (size_t i = 0; i < out->noted.count; i++)
        if (strcmp(out->noted.at[i], word) == 0) return;
    *vec_push(&out->noted) = word;
    if (!out->quiet) sw_log("cc: '%s' has no effect: %s", word, why);
}

/* Libraries of the CUDA toolkit that Softwarp has under its own names; the runtime is always linked, and NVTX
 * is a header. */
static enum sw_status use_library(const struct toolchain_use *u)
{
    static const char *const dropped[] = {"cudart", "cudart_static", "cudadevrt", "nvToolsExt"};
    struct toolchain_options *out = u->out;
    for (size_t i = 0; i < SW_COUNT_OF(dropped); i++)
        if (strcmp(u->value, dropped[i]) == 0) return SW_OK;
    const struct sw_library *library = sw_library_find(u->value);
    if (strcmp(u->value, "cuda") == 0)
        use_pass(out, "-l:libcuda.so.1");
    else if (strcmp(u->value, "nvidia-ml") == 0)
        use_pass(out, "-l:libnvidia-ml.so.1");
    else if (library && library->ours[0])
        use_pass(out, arena_printf(out->arena, "-l:%s", library->ours[0]));
    else if (library)
        *vec_push(&out->libraries) = arena_printf(out->arena, "-l%s", u->value);
    else
        use_pass(out, arena_printf(out->arena, "-l%s", u->value));
    return SW_OK;
}

void toolchain_libraries_note(struct toolchain_options *out)
{
    for (size_t i = 0; i < out->libraries.count && out->links; i++) {
        const struct sw_library *library = sw_library_find(out->libraries.at[i] + strlen("-l"));
        toolchain_note(
            out, out->libraries.at[i],
            arena_printf(out->arena,
                         "NVIDIA's %s is machine code for NVIDIA's driver, which Softwarp does not run; "
                         "what works instead: %s",
                         library->name, library->instead));
    }
}

static enum sw_status read_flag(struct toolchain_options *out, const struct toolchain_option *option,
                                const char *name, const char *value, struct sw_error *error)
{
    bool yes = strcmp(value, "true") == 0, no = strcmp(value, "false") == 0;
    if (!yes && !no) return sw_fail(error, SW_USAGE, "'%s' needs true or false, not '%s'", name, value);
    pass_words(out, yes ? option->text : option->other);
    return SW_OK;
}

static enum sw_status set_registers(struct toolchain_options *out, const char *value, struct sw_error *error)
{
    char *end;
    unsigned long count = strtoul(value, &end, 10);
    if (end == value || *end || count > 255)
        return sw_fail(error, SW_USAGE, "'-maxrregcount' needs a number up to 255, not '%s'", value);
    str_printf(&out->entry_options, " -maxrregcount=%lu", count);
    out->max_registers = (uint32_t)count;
    return SW_OK;
}

/* What nvcc gives to ptxas. */
static enum sw_status read_ptxas(struct toolchain_options *out, const char *value, struct sw_error *error)
{
    toolchain_args words = {0};
    enum sw_status status = SW_OK;
    toolchain_either_split(out->arena, value, &words);
    for (size_t i = 0; i < words.count && status == SW_OK; i++) {
        const char *word = words.at[i], *number = strchr(word, '=');
        if (strcmp(word, "-v") == 0 || strcmp(word, "--verbose") == 0)
            out->reports = true;
        else if (strstr(word, "maxrregcount") && number)
            status = set_registers(out, number + 1, error);
        else if (!sw_starts_with(word, "-O") && !sw_starts_with(word, "--opt-level"))
            toolchain_note(out, arena_printf(out->arena, "-Xptxas %s", word),
                           "it concerns machine code, which Softwarp does not generate");
    }
    vec_release(&words);
    return status;
}

static bool is_among(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/* nvcc's kinds of warnings as the next word; without one of them it is clang's -Werror. */
static enum sw_status read_werror(const struct toolchain_use *use)
{
    struct toolchain_options *out = use->out;
    const char *value = use->value;
    static const char *const kinds[] = {
        "all-warnings",           "cross-execution-space-call", "reorder",
        "default-stream-launch",  "missing-launch-bounds",      "ext-lambda-captures-this",
        "deprecated-declarations"};
    toolchain_args parts = {0};
    const char *next = *value ? value : use->next ? use->next : "";
    toolchain_list_split(out->arena, next, &parts);
    bool ours = parts.count && is_among(kinds, SW_COUNT_OF(kinds), parts.at[0]);
    if (!ours || is_among(parts.at, parts.count, "all-warnings")) use_pass(out, "-Werror");
    for (size_t i = 0; i < parts.count && ours; i++) {
        const char *kind = parts.at[i];
        if (strcmp(kind, "reorder") == 0 || strcmp(kind, "deprecated-declarations") == 0)
            use_pass(out, arena_printf(out->arena, "-Werror=%s", kind));
        else if (strcmp(kind, "all-warnings") != 0 && strcmp(kind, "cross-execution-space-call") != 0)
            toolchain_note(out, arena_printf(out->arena, "-Werror %s", kind), "clang has no such warning");
    }
    *use->takes_next = ours && !*value;
    vec_release(&parts);
    return SW_OK;
}

static enum sw_status read_stream(struct toolchain_options *out, const char *value, struct sw_error *error)
{
    bool legacy = strcmp(value, "legacy") == 0 || strcmp(value, "null") == 0;
    if (!legacy && strcmp(value, "per-thread") != 0)
        return sw_fail(error, SW_USAGE, "'-default-stream' needs legacy, null or per-thread, not '%s'",
                       value);
    use_pass(out, legacy ? "-fgpu-default-stream=legacy" : "-fgpu-default-stream=per-thread");
    return SW_OK;
}

static enum sw_status read_runtime(struct toolchain_options *out, const char *value, struct sw_error *error)
{
    out->no_runtime = strcmp(value, "none") == 0;
    if (strcmp(value, "static") == 0)
        toolchain_note(out, "-cudart static", "the runtime is Softwarp's libcudart.so.13, which is shared");
    else if (!out->no_runtime && strcmp(value, "shared") != 0)
        return sw_fail(error, SW_USAGE, "'-cudart' needs none, shared or static, not '%s'", value);
    return SW_OK;
}

static void read_language(struct toolchain_options *out, const char *value)
{
    out->language = strcmp(value, "none") == 0 ? NULL : strcmp(value, "cu") == 0 ? "cuda" : value;
    use_pass(out, "-x");
    use_pass(out, out->language ? out->language : "none");
}

static void read_relocatable(struct toolchain_options *out, const struct toolchain_option *option,
                             const char *value)
{
    if (option->form == ALONE || strcmp(value, "true") == 0) out->relocatable = true;
    if (option->form == VALUE && strcmp(value, "false") == 0) out->relocatable = false;
    if (option->form == VALUE || !*option->text) return;
    out->links = false;
    use_pass(out, option->text);
}

static enum sw_status use_meant(const struct toolchain_use *u)
{
    (void)u;
    return SW_OK;
}

static enum sw_status use_note(const struct toolchain_use *u)
{
    toolchain_note(u->out, u->name, u->option->text);
    return SW_OK;
}

static enum sw_status use_refuse(const struct toolchain_use *u)
{
    return sw_fail(u->error, SW_UNSUPPORTED, "'%s' is not supported by softwarp cc: %s", u->name,
                   u->option->text);
}

static enum sw_status use_words(const struct toolchain_use *u)
{
    pass_words(u->out, u->option->text);
    return SW_OK;
}

static enum sw_status use_flag(const struct toolchain_use *u)
{
    return read_flag(u->out, u->option, u->name, u->value, u->error);
}

static enum sw_status use_split(const struct toolchain_use *u)
{
    toolchain_either_split(u->out->arena, u->value, &u->out->clang);
    return SW_OK;
}

static enum sw_status use_prefix(const struct toolchain_use *u)
{
    use_pass(u->out, arena_printf(u->out->arena, "%s%s", u->option->text, u->value));
    return SW_OK;
}

static enum sw_status use_list(const struct toolchain_use *u)
{
    pass_list(u->out, u->option->text, u->value);
    return SW_OK;
}

static enum sw_status use_clang_value(const struct toolchain_use *u)
{
    use_pass(u->out, u->option->text);
    use_pass(u->out, u->value);
    return SW_OK;
}

static enum sw_status use_output(const struct toolchain_use *u)
{
    u->out->output = u->value;
    return SW_OK;
}

static enum sw_status use_kind_ptx(const struct toolchain_use *u)
{
    u->out->kind = TOOLCHAIN_PTX;
    return SW_OK;
}

static enum sw_status use_kind_fatbin(const struct toolchain_use *u)
{
    u->out->kind = TOOLCHAIN_FATBIN;
    return SW_OK;
}

static enum sw_status use_compile(const struct toolchain_use *u)
{
    u->out->links = false;
    return use_words(u);
}

static enum sw_status use_host_only(const struct toolchain_use *u)
{
    use_pass(u->out, "--cuda-host-only"); /* of the two halves one is enough, and both do not fit one file */
    return use_compile(u);
}

static enum sw_status use_relocatable(const struct toolchain_use *u)
{
    read_relocatable(u->out, u->option, u->value);
    return SW_OK;
}

static enum sw_status use_device_link(const struct toolchain_use *u)
{
    u->out->links_device = true;
    return SW_OK;
}

static enum sw_status use_show(const struct toolchain_use *u)
{
    u->out->shows_commands = true;
    return use_words(u);
}

static enum sw_status use_version(const struct toolchain_use *u)
{
    u->out->answer = TOOLCHAIN_VERSION;
    return SW_OK;
}

static enum sw_status use_help(const struct toolchain_use *u)
{
    u->out->answer = TOOLCHAIN_HELP;
    return SW_OK;
}

static enum sw_status use_list_targets(const struct toolchain_use *u)
{
    u->out->answer = TOOLCHAIN_TARGETS;
    u->out->target_prefix = u->option->text;
    return SW_OK;
}

static enum sw_status use_run(const struct toolchain_use *u)
{
    u->out->runs = true;
    return SW_OK;
}

static enum sw_status use_run_arguments(const struct toolchain_use *u)
{
    toolchain_list_split(u->out->arena, u->value, &u->out->run_arguments);
    return SW_OK;
}

static enum sw_status use_response(const struct toolchain_use *u)
{
    return toolchain_options_read_files(u);
}

static enum sw_status use_target(const struct toolchain_use *u)
{
    return toolchain_targets_add(u->out, u->value, u->error);
}

static enum sw_status use_code(const struct toolchain_use *u)
{
    *vec_push(&u->out->codes) = u->value;
    return SW_OK;
}

static enum sw_status use_machine(const struct toolchain_use *u)
{
    if (strcmp(u->value, "64") == 0) return SW_OK;
    return sw_fail(u->error, SW_UNSUPPORTED, "'%s %s': only 64-bit programs are supported", u->name,
                   u->value);
}

/* Of the host's half; see toolchain_cc.c for the device's. */
static enum sw_status use_optimise(const struct toolchain_use *u)
{
    u->out->optimises = true;
    use_pass(u->out, arena_printf(u->out->arena, "-O%s", u->value));
    return SW_OK;
}

static enum sw_status use_device_optimise(const struct toolchain_use *u)
{
    if (strcmp(u->value, "on") == 0) return SW_OK; /* always, unless -G */
    return sw_fail(u->error, SW_USAGE, "'%s' needs on, not '%s'", u->name, u->value);
}

static enum sw_status use_debug(const struct toolchain_use *u)
{
    u->out->debugs = true;
    return use_prefix(u);
}

static enum sw_status use_device_debug(const struct toolchain_use *u)
{
    u->out->debugs = u->out->debugs_device = true;
    pass_words(u->out, "-g -D__CUDACC_DEBUG__");
    return SW_OK;
}

static enum sw_status use_max_registers(const struct toolchain_use *u)
{
    return set_registers(u->out, u->value, u->error);
}

static enum sw_status use_report(const struct toolchain_use *u)
{
    u->out->reports = true;
    return SW_OK;
}

static enum sw_status use_ptxas(const struct toolchain_use *u)
{
    return read_ptxas(u->out, u->value, u->error);
}

static enum sw_status use_default_stream(const struct toolchain_use *u)
{
    return read_stream(u->out, u->value, u->error);
}

static enum sw_status use_language(const struct toolchain_use *u)
{
    read_language(u->out, u->value);
    return SW_OK;
}

static enum sw_status use_runtime(const struct toolchain_use *u)
{
    return read_runtime(u->out, u->value, u->error);
}

static enum sw_status use_warnings_are_errors(const struct toolchain_use *u)
{
    return read_werror(u);
}

static enum sw_status (*const uses[])(const struct toolchain_use *) = {
#define ACTION(name, function) [name] = function,
    TOOLCHAIN_ACTIONS(ACTION)
#undef ACTION
};

enum sw_status toolchain_option_use(const struct toolchain_use *use)
{
    return uses[use->option->action](use);
}
