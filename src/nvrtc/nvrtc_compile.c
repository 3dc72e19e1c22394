/* SPDX-License-Identifier: Apache-2.0 */
/* nvrtcCompileProgram: options, one run of clang, lowered names, and what is made of the PTX.
 * Limits: source that NVRTC refuses, because it holds host code that is not used, is compiled. */
#include "nvrtc_priv.h"

#include <string.h>

/* A program may write `static __constant__` variables by their names (cuModuleGetGlobal), which clang does
 * not know: the annotation is a use that keeps it from taking them for zero and leaving them out. */
static const char kept_begin[] =
    "#pragma clang attribute push(__attribute__((annotate(\"softwarp_nvrtc\"))), "
    "apply_to = any(variable(is_global)))\n";
static const char kept_end[] = "#pragma clang attribute pop\n";
/* Functions without an execution space belong to both, where the program asks for it. */
static const char space_begin[] = "#pragma clang force_cuda_host_device begin\n";
static const char space_end[] = "#pragma clang force_cuda_host_device end\n";

static void forget(struct _nvrtcProgram *program)
{
    struct str *texts[] = {&program->log, &program->ptx, &program->cubin, &program->lto};
    for (size_t i = 0; i < SW_COUNT_OF(texts); i++)
        str_release(texts[i]);
    nvrtc_names_forget(program);
    program->compiled = false;
}

static nvrtcResult run_clang(struct _nvrtcProgram *program, const struct nvrtc_options *options,
                             struct toolchain_device_result *out)
{
    struct sw_error error = {0};
    struct str before = {0}, after = {0};
    str_add(&before, kept_begin);
    if (options->default_device) str_add(&before, space_begin);
    if (options->default_device) str_add(&after, space_end);
    str_add(&after, kept_end);
    nvrtc_names_source(program, &after);
    struct toolchain_device device = {.source = program->source,
                                      .headers = program->headers,
                                      .header_count = program->header_count,
                                      .before = str_text(&before),
                                      .after = str_text(&after),
                                      .words = options->words.at,
                                      .word_count = (uint32_t)options->words.count,
                                      .sm = options->sm,
                                      .suffix = options->suffix};
    enum sw_status status = toolchain_device_compile(&device, out, &error);
    str_release(&before);
    str_release(&after);
    if (status == SW_OK) return NVRTC_SUCCESS;
    str_printf(&program->log, "nvrtc: error: %s\n", error.message);
    sw_log("nvrtc: %s", error.message); /* programs often do not print the log of this status */
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
}

/* As ptxas, whose errors are NVRTC's. */
static nvrtcResult make_cubin(struct _nvrtcProgram *program, const struct nvrtc_options *options)
{
    static const char name[] = "application ptx input"; /* NVRTC's */
    struct toolchain_ptx_use use = {.describes = true,
                                    .max_registers = options->max_registers,
                                    .sm = options->sm,
                                    .suffix = options->suffix};
    struct toolchain_ptx made = {0};
    struct sw_error error = {0};
    struct str text = {0};
    str_add_bytes(&text, str_text(&program->ptx), program->ptx.length);
    enum sw_status status = toolchain_ptx_take(&text, name, &use, &made, &error);
    str_release(&text);
    if (status != SW_OK) {
        toolchain_ptx_error(&error, name, &program->log);
        str_add(&program->log, "ptxas fatal   : Ptx assembly aborted due to errors\n");
        return NVRTC_ERROR_COMPILATION;
    }
    if (options->reports) str_add(&program->log, str_text(&made.report));
    str_add_bytes(&program->cubin, made.cubin.text, made.cubin.length);
    toolchain_ptx_release(&made);
    return NVRTC_SUCCESS;
}

static nvrtcResult take_ptx(struct _nvrtcProgram *program, const struct nvrtc_options *options,
                            struct str *ptx)
{
    nvrtc_names_unmark(ptx);
    bool named = nvrtc_names_take(program, ptx);
    program->ptx = *ptx;
    *ptx = (struct str){0};
    if (!named) {
        str_add(&program->log, "nvrtc: error: a name expression has no name in the PTX\n");
        return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    }
    if (options->real && !options->lto) NVRTC_TRY(make_cubin(program, options));
    if (!options->lto) return NVRTC_SUCCESS;
    program->lto = program->ptx; /* with its NUL, so that whoever is given it sees where it ends */
    program->lto.length++;
    program->ptx = (struct str){0};
    return NVRTC_SUCCESS;
}

static bool is_cancelled(const struct _nvrtcProgram *program)
{
    return program->callback && program->callback(program->payload, NULL);
}

static nvrtcResult compile(struct _nvrtcProgram *program, const struct nvrtc_options *options)
{
    struct toolchain_device_result made = {0};
    if (is_cancelled(program)) return NVRTC_ERROR_CANCELLED;
    NVRTC_TRY(run_clang(program, options, &made));
    nvrtcResult result = made.compiled ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
    nvrtc_log_convert(&made.log, program->source.name, !made.compiled, &program->log);
    if (result == NVRTC_SUCCESS && is_cancelled(program)) result = NVRTC_ERROR_CANCELLED;
    if (result == NVRTC_SUCCESS && !options->syntax_only) result = take_ptx(program, options, &made.ptx);
    str_release(&made.log);
    str_release(&made.ptx);
    return result;
}

NVRTC_API nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *given)
{
    if (!nvrtc_program_lives(program)) return NVRTC_ERROR_INVALID_PROGRAM;
    if (count < 0) return NVRTC_ERROR_INVALID_INPUT;
    if (count && !given) return NVRTC_ERROR_INVALID_OPTION;
    struct arena arena;
    arena_init(&arena);
    struct nvrtc_options options = {.arena = &arena, .sm = nvrtc_abi.default_sm};
    forget(program);
    program->tried = true;
    nvrtcResult result = nvrtc_options_read(given, count, &options, &program->log);
    if (!options.optimises) *vec_push(&options.words) = "-O3";
    if (result == NVRTC_SUCCESS) result = compile(program, &options);
    program->compiled = result == NVRTC_SUCCESS;
    if (!program->compiled) str_clear(&program->ptx);
    vec_release(&options.words);
    arena_release(&arena);
    return result;
}
