/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `softwarp cc`: clang's arguments pass through; nvcc's are put into clang's words, so
 * that makefiles written for nvcc work. Method: one table of options with the action for each; what is not in
 * it goes to clang as it is. Limits: no cubins, since nothing here makes SASS: refused. */
#include "toolchain_priv.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum action {
    DROP,   /* means nothing to Softwarp */
    WORDS,  /* becomes `text`, split at blanks */
    SPLIT,  /* the value, split at commas, passed on */
    PREFIX, /* `text` and the value, one word */
    TARGET, /* names compute capabilities */
    KEEP,   /* kept in the fat binary as `text`value */
    OUTPUT, /* -o */
    KIND_PTX,
    KIND_FATBIN,
    COMPILE, /* no link step */
    SHOW,
    OPTIMISE,
    DEBUG,
    CLANG_VALUE, /* clang's own option that takes the next word */
    LIBRARY,
    LANGUAGE,
    RELOCATABLE, /* `text` alone, or true or false as value */
    DEVICE_LINK,
    REFUSE, /* cannot be done; `text` says what to do */
};

enum form {
    ALONE,  /* -name */
    VALUE,  /* -name VALUE or -name=VALUE */
    JOINED, /* -nameVALUE, any VALUE */
};

/* clang's headers take the fast forms of sine, cosine and two logarithms; nvcc those of these functions too.
 */
#define FAST_MATH                                                                                            \
    "-fgpu-approx-transcendentals -fgpu-flush-denormals-to-zero -mllvm -nvptx-prec-divf32=0 -mllvm "         \
    "-nvptx-prec-sqrtf32=0 -D__nv_sqrtf=__nv_sqrtf_approx_ftz -D__nv_expf=__nv_fast_expf "                   \
    "-D__nv_exp10f=__nv_fast_exp10f -D__nv_powf=__nv_fast_powf -D__nv_tanf=__nv_fast_tanf "                  \
    "-D__nv_log10f=__nv_fast_log10f"

static const struct option {
    const char *name;
    enum form form;
    enum action action;
    const char *text;
} options[] = {
    /* What to make. */
    {"-o", JOINED, OUTPUT, NULL},
    {"--output-file", VALUE, OUTPUT, NULL},
    {"-ptx", ALONE, KIND_PTX, NULL},
    {"--ptx", ALONE, KIND_PTX, NULL},
    {"-fatbin", ALONE, KIND_FATBIN, NULL},
    {"--fatbin", ALONE, KIND_FATBIN, NULL},
    {"-c", ALONE, COMPILE, "-c"},
    {"--compile", ALONE, COMPILE, "-c"},
    {"-E", ALONE, COMPILE, "-E"},
    {"-S", ALONE, COMPILE, "-S"},
    {"-M", ALONE, COMPILE, "-M"},
    {"-MM", ALONE, COMPILE, "-MM"},
    {"-fsyntax-only", ALONE, COMPILE, "-fsyntax-only"},
    {"-###", ALONE, SHOW, "-###"},
    {"-dryrun", ALONE, SHOW, "-###"},
    {"--dryrun", ALONE, SHOW, "-###"},
    {"-cubin", ALONE, REFUSE, "use -ptx: Softwarp runs PTX and makes no machine code"},
    {"--cubin", ALONE, REFUSE, "use -ptx: Softwarp runs PTX and makes no machine code"},
    {"-dc", ALONE, RELOCATABLE, "-c"},
    {"--device-c", ALONE, RELOCATABLE, "-c"},
    {"-dlink", ALONE, DEVICE_LINK, NULL},
    {"--device-link", ALONE, DEVICE_LINK, NULL},
    {"-rdc", VALUE, RELOCATABLE, NULL},
    {"--relocatable-device-code", VALUE, RELOCATABLE, NULL},
    {"-fgpu-rdc", ALONE, RELOCATABLE, ""},
    /* For which GPU. */
    {"-arch", VALUE, TARGET, NULL},
    {"--gpu-architecture", VALUE, TARGET, NULL},
    {"-code", VALUE, TARGET, NULL},
    {"--gpu-code", VALUE, TARGET, NULL},
    {"-gencode", VALUE, TARGET, NULL},
    {"--generate-code", VALUE, TARGET, NULL},
    {"--cuda-gpu-arch", VALUE, TARGET, NULL},
    {"--offload-arch", VALUE, TARGET, NULL},
    /* How. */
    {"-O", JOINED, OPTIMISE, "-O"},
    {"--optimize", VALUE, OPTIMISE, "-O"},
    {"-g", JOINED, DEBUG, "-g"},
    {"--debug", ALONE, DEBUG, "-g"},
    {"-G", ALONE, DEBUG, "-g"},
    {"--device-debug", ALONE, DEBUG, "-g"},
    {"-lineinfo", ALONE, DROP, NULL}, /* always on */
    {"--generate-line-info", ALONE, DROP, NULL},
    {"-std", VALUE, PREFIX, "-std="},
    {"--std", VALUE, PREFIX, "-std="},
    {"-use_fast_math", ALONE, WORDS, FAST_MATH},
    {"--use_fast_math", ALONE, WORDS, FAST_MATH},
    {"-ftz=true", ALONE, WORDS, "-fgpu-flush-denormals-to-zero"},
    {"--ftz=true", ALONE, WORDS, "-fgpu-flush-denormals-to-zero"},
    {"-ftz=false", ALONE, DROP, NULL},
    {"--ftz=false", ALONE, DROP, NULL},
    {"-prec-div=false", ALONE, WORDS, "-mllvm -nvptx-prec-divf32=1"},
    {"--prec-div=false", ALONE, WORDS, "-mllvm -nvptx-prec-divf32=1"},
    {"-prec-div=true", ALONE, DROP, NULL},
    {"--prec-div=true", ALONE, DROP, NULL},
    {"-prec-sqrt=false", ALONE, WORDS, "-mllvm -nvptx-prec-sqrtf32=0 -D__nv_sqrtf=__nv_sqrtf_approx"},
    {"--prec-sqrt=false", ALONE, WORDS, "-mllvm -nvptx-prec-sqrtf32=0 -D__nv_sqrtf=__nv_sqrtf_approx"},
    {"-prec-sqrt=true", ALONE, DROP, NULL},
    {"--prec-sqrt=true", ALONE, DROP, NULL},
    {"-fmad=false", ALONE, WORDS, "-ffp-contract=off"},
    {"--fmad=false", ALONE, WORDS, "-ffp-contract=off"},
    {"-fmad=true", ALONE, DROP, NULL},
    {"--fmad=true", ALONE, DROP, NULL},
    {"-maxrregcount", VALUE, KEEP, "-maxrregcount="},
    {"--maxrregcount", VALUE, KEEP, "-maxrregcount="},
    {"-default-stream", VALUE, PREFIX, "-fgpu-default-stream="},
    {"--default-stream", VALUE, PREFIX, "-fgpu-default-stream="},
    {"-x", JOINED, LANGUAGE, NULL},
    /* Other tools' words. */
    {"-Xcompiler", VALUE, SPLIT, NULL},
    {"--compiler-options", VALUE, SPLIT, NULL},
    {"-Xlinker", VALUE, PREFIX, "-Wl,"},
    {"--linker-options", VALUE, PREFIX, "-Wl,"},
    {"-Xptxas", VALUE, DROP, NULL},
    {"--ptxas-options", VALUE, DROP, NULL},
    {"-Xnvlink", VALUE, DROP, NULL},
    {"-Xfatbin", VALUE, DROP, NULL},
    {"-Xcudafe", VALUE, DROP, NULL},
    {"-diag-suppress", VALUE, DROP, NULL},
    {"--diag-suppress", VALUE, DROP, NULL},
    {"-ccbin", VALUE, DROP, NULL},
    {"--compiler-bindir", VALUE, DROP, NULL},
    {"-t", VALUE, DROP, NULL},
    {"--threads", VALUE, DROP, NULL},
    {"-cudart", VALUE, DROP, NULL},
    {"--cudart", VALUE, DROP, NULL},
    {"-cudadevrt", VALUE, DROP, NULL},
    {"-expt-relaxed-constexpr", ALONE, DROP, NULL},
    {"--expt-relaxed-constexpr", ALONE, DROP, NULL},
    {"-expt-extended-lambda", ALONE, DROP, NULL},
    {"--expt-extended-lambda", ALONE, DROP, NULL},
    {"-extended-lambda", ALONE, DROP, NULL},
    {"--extended-lambda", ALONE, DROP, NULL},
    {"-restrict", ALONE, DROP, NULL},
    {"--restrict", ALONE, DROP, NULL},
    {"-res-usage", ALONE, DROP, NULL},
    {"--resource-usage", ALONE, DROP, NULL},
    {"-keep", ALONE, WORDS, "-save-temps"},
    {"--keep", ALONE, WORDS, "-save-temps"},
    {"-l", JOINED, LIBRARY, NULL},
    {"-I", JOINED, CLANG_VALUE, NULL},
    {"-D", JOINED, CLANG_VALUE, NULL},
    {"-U", JOINED, CLANG_VALUE, NULL},
    {"-L", JOINED, CLANG_VALUE, NULL},
    {"-isystem", JOINED, CLANG_VALUE, NULL},
    {"-include", VALUE, CLANG_VALUE, NULL},
    {"-MF", JOINED, CLANG_VALUE, NULL},
    {"-MT", JOINED, CLANG_VALUE, NULL},
    {"-MQ", JOINED, CLANG_VALUE, NULL},
    {"-Xclang", VALUE, CLANG_VALUE, NULL},
    {"-mllvm", VALUE, CLANG_VALUE, NULL},
};

enum { LOWEST_TARGET = 30 }; /* clang 19 with a device library */

struct cursor {
    int argc, at;
    char **argv;
};

static void pass(struct toolchain_options *out, const char *word)
{
    *vec_push(&out->clang) = word;
}

static void pass_split(struct toolchain_options *out, const char *text, const char *separators)
{
    for (; *text; text += strspn(text, separators)) {
        size_t length = strcspn(text, separators);
        if (length) pass(out, arena_strndup(out->arena, text, length));
        text += length;
    }
}

static enum sw_status add_target(struct toolchain_options *out, const char *number, struct sw_error *error)
{
    char *end;
    unsigned long sm = strtoul(number, &end, 10);
    size_t length = (size_t)(end - number) + (*end == 'a');
    if (sm > 90)
        return sw_fail(error, SW_UNSUPPORTED,
                       "target 'sm_%lu': clang 19 makes PTX up to sm_90a; use -arch=sm_90, or compile with "
                       "nvcc -cudart shared",
                       sm);
    if (sm < LOWEST_TARGET)
        return sw_fail(
            error, SW_UNSUPPORTED,
            "target 'sm_%lu': the lowest is sm_%d; the GPU that a program is profiled on is chosen when "
            "it runs, by --device",
            sm, LOWEST_TARGET);
    const char *target = arena_printf(out->arena, "sm_%.*s", (int)length, number);
    for (size_t i = 0; i < out->targets.count; i++)
        if (strcmp(out->targets.at[i], target) == 0) return SW_OK;
    *vec_push(&out->targets) = target;
    return SW_OK;
}

/* Every compute_NN and sm_NN of `arch=compute_80,code=[sm_80,compute_80]`, `sm_90a`, `native` ... */
static enum sw_status add_targets(struct toolchain_options *out, const char *value, struct sw_error *error)
{
    bool any = false;
    for (const char *at = value; *at; at++) {
        size_t skip = sw_starts_with(at, "sm_") ? 3 : sw_starts_with(at, "compute_") ? 8 : 0;
        if (!skip || !isdigit((unsigned char)at[skip])) continue;
        SW_TRY(add_target(out, at + skip, error));
        any = true;
    }
    bool any_gpu = strcmp(value, "native") == 0 || sw_starts_with(value, "all");
    if (any || any_gpu) return SW_OK; /* the default target runs on all of them */
    return sw_fail(error, SW_USAGE, "target '%s' not understood: expected sm_NN or compute_NN", value);
}

/* Libraries of the CUDA toolkit that Softwarp has under its own names; the runtime is always linked. */
static void pass_library(struct toolchain_options *out, const char *name)
{
    static const char *const dropped[] = {"cudart", "cudart_static", "cudadevrt"};
    for (size_t i = 0; i < SW_COUNT_OF(dropped); i++)
        if (strcmp(name, dropped[i]) == 0) return;
    if (strcmp(name, "cuda") == 0)
        pass(out, "-l:libcuda.so.1");
    else if (strcmp(name, "nvidia-ml") == 0)
        pass(out, "-l:libnvidia-ml.so.1");
    else
        pass(out, arena_printf(out->arena, "-l%s", name));
}

/* -O3, -g, -g3: to clang as they are; nvcc's -G asks for code that a debugger can follow. */
static void pass_level(struct toolchain_options *out, const struct option *option, const char *value)
{
    if (option->action == OPTIMISE) out->optimises = true;
    if (option->action == DEBUG) out->debugs = true;
    pass(out, arena_printf(out->arena, "%s%s", option->text, value));
}

static enum sw_status apply(struct toolchain_options *out, const struct option *option, const char *value,
                            struct sw_error *error)
{
    switch (option->action) {
    case DROP: return SW_OK;
    case WORDS: pass_split(out, option->text, " "); return SW_OK;
    case SPLIT: pass_split(out, value, ","); return SW_OK;
    case PREFIX: pass(out, arena_printf(out->arena, "%s%s", option->text, value)); return SW_OK;
    case TARGET: return add_targets(out, value, error);
    case KEEP: str_printf(&out->entry_options, " %s%s", option->text, value); return SW_OK;
    case OUTPUT: out->output = value; return SW_OK;
    case KIND_PTX: out->kind = TOOLCHAIN_PTX; return SW_OK;
    case KIND_FATBIN: out->kind = TOOLCHAIN_FATBIN; return SW_OK;
    case COMPILE:
        out->links = false;
        pass(out, option->text);
        return SW_OK;
    case SHOW:
        out->shows_commands = true;
        pass(out, option->text);
        return SW_OK;
    case OPTIMISE:
    case DEBUG: pass_level(out, option, value); return SW_OK;
    case CLANG_VALUE:
        pass(out, option->name);
        pass(out, value);
        return SW_OK;
    case LIBRARY: pass_library(out, value); return SW_OK;
    case LANGUAGE:
        pass(out, "-x");
        pass(out, strcmp(value, "cu") == 0 ? "cuda" : value);
        return SW_OK;
    case RELOCATABLE:
        if (option->form == ALONE || strcmp(value, "true") == 0) out->relocatable = true;
        if (option->form == VALUE && strcmp(value, "false") == 0) out->relocatable = false;
        if (option->form == VALUE || !*option->text) return SW_OK;
        out->links = false;
        pass(out, option->text);
        return SW_OK;
    case DEVICE_LINK: out->links_device = true; return SW_OK;
    case REFUSE:
        return sw_fail(error, SW_UNSUPPORTED, "'%s' is not supported by softwarp cc: %s", option->name,
                       option->text);
    }
    BUG("option action %d", (int)option->action);
}

/* Whether word is this option; *value is what is joined to it, or NULL when it must come as the next word. */
static bool matches(const struct option *option, const char *word, const char **value)
{
    size_t length = strlen(option->name);
    if (strncmp(word, option->name, length) != 0) return false;
    const char *rest = word + length;
    *value = "";
    if (option->form == ALONE) return *rest == '\0';
    if (option->form == VALUE && *rest == '=') {
        *value = rest + 1;
        return true;
    }
    if (*rest == '\0') {
        bool level = option->action == OPTIMISE || option->action == DEBUG; /* -O, -g alone are complete */
        *value = level && option->form == JOINED ? "" : NULL;
        return true;
    }
    *value = rest;
    return option->form == JOINED;
}

/* The longest name that matches, so that -gencode is not -g and -lineinfo is not -l. */
static const struct option *find_option(const char *word, const char **value)
{
    const struct option *best = NULL;
    for (size_t i = 0; i < SW_COUNT_OF(options); i++) {
        const char *candidate;
        if (!matches(&options[i], word, &candidate)) continue;
        if (best && strlen(best->name) >= strlen(options[i].name)) continue;
        best = &options[i];
        *value = candidate;
    }
    return best;
}

static enum sw_status read_word(struct cursor *cursor, struct toolchain_options *out, struct sw_error *error)
{
    const char *word = cursor->argv[cursor->at++], *value = NULL;
    const struct option *option = word[0] == '-' ? find_option(word, &value) : NULL;
    if (!option) {
        if (word[0] != '-') out->input = word;
        if (word[0] != '-') *vec_push(sw_ends_with(word, ".cu") ? &out->sources : &out->files) = word;
        pass(out, word);
        return SW_OK;
    }
    if (!value) {
        if (cursor->at == cursor->argc) return sw_fail(error, SW_USAGE, "option '%s' needs a value", word);
        value = cursor->argv[cursor->at++];
    }
    return apply(out, option, value, error);
}

enum sw_status toolchain_options_read(int argc, char **argv, struct toolchain_options *out,
                                      struct sw_error *error)
{
    struct cursor cursor = {.argc = argc, .at = 1, .argv = argv};
    out->links = true;
    while (cursor.at < argc)
        SW_TRY(read_word(&cursor, out, error));
    if (!out->input && !out->shows_commands)
        for (int i = 1; i < argc; i++)
            if (strcmp(argv[i], "--version") == 0) return SW_OK;
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
    str_release(&out->entry_options);
}
