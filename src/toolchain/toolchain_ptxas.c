/* SPDX-License-Identifier: Apache-2.0 */
/* `softwarp ptxas`: what compilers that run a ptxas need of it (Triton by TRITON_PTXAS_PATH, JAX).
 * Method: a table of ptxas' options; the PTX is checked by our front end, and becomes a cubin that holds it.
 * Messages have ptxas' form, because those compilers read them. Options about machine code are accepted
 * without effect. Limits: several inputs are linked as PTX; the first error is the only one. */
#include "toolchain/toolchain.h"

#include "fatbin/fatbin.h"
#include "ptx/ptx.h"
#include "toolchain_options_priv.h"
#include "toolchain_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PTXAS_OK = 0, PTXAS_FAILED = 255 }; /* ptxas' own exit status */

enum ptxas_action {
    PTXAS_IGNORED, /* concerns machine code, or warnings that are never given */
    PTXAS_VERBOSE,
    PTXAS_TARGET,
    PTXAS_OUTPUT,
    PTXAS_REGISTERS,
    PTXAS_TEXT,
    PTXAS_FILE,
    PTXAS_VERSION,
    PTXAS_VERSIONS,
    PTXAS_HELP,
};

/* Source: `ptxas --help` of CUDA 13.0. */
static const struct ptxas_option {
    const char *longer, *shorter;
    bool takes_value;
    enum ptxas_action action;
} options[] = {
    {"gpu-name", "arch", true, PTXAS_TARGET},
    {"output-file", "o", true, PTXAS_OUTPUT},
    {"verbose", "v", false, PTXAS_VERBOSE},
    {"maxrregcount", "maxrregcount", true, PTXAS_REGISTERS},
    {"input-as-string", "ias", true, PTXAS_TEXT},
    {"options-file", "optf", true, PTXAS_FILE},
    {"version", "V", false, PTXAS_VERSION},
    {"list-version", "version-ls", false, PTXAS_VERSIONS},
    {"help", "h", false, PTXAS_HELP},
    {"Ofast-compile", "Ofc", true, PTXAS_IGNORED},
    {"allow-expensive-optimizations", "allow-expensive-optimizations", true, PTXAS_IGNORED},
    {"compile-as-tools-patch", "astoolspatch", false, PTXAS_IGNORED},
    {"compile-only", "c", false, PTXAS_IGNORED},
    {"compiler-annotations", "annotate", false, PTXAS_IGNORED},
    {"def-load-cache", "dlcm", true, PTXAS_IGNORED},
    {"def-store-cache", "dscm", true, PTXAS_IGNORED},
    {"device-debug", "g", false, PTXAS_IGNORED},
    {"device-function-maxrregcount", "func-maxrregcount", true, PTXAS_IGNORED},
    {"device-stack-protector", "device-stack-protector", true, PTXAS_IGNORED},
    {"disable-optimizer-constants", "disable-optimizer-consts", false, PTXAS_IGNORED},
    {"disable-warnings", "w", false, PTXAS_IGNORED},
    {"dont-merge-basicblocks", "no-bb-merge", false, PTXAS_IGNORED},
    {"entry", "e", true, PTXAS_IGNORED},
    {"extensible-whole-program", "ewp", false, PTXAS_IGNORED},
    {"fmad", "fmad", true, PTXAS_IGNORED},
    {"force-load-cache", "flcm", true, PTXAS_IGNORED},
    {"force-store-cache", "fscm", true, PTXAS_IGNORED},
    {"g-tensor-memory-access-check", "g-tmem-access-check", false, PTXAS_IGNORED},
    {"generate-line-info", "lineinfo", false, PTXAS_IGNORED},
    {"gno-tensor-memory-access-check", "gno-tmem-access-check", false, PTXAS_IGNORED},
    {"legacy-bar-warp-wide-behavior", "legacy-bar-warp-wide-behavior", false, PTXAS_IGNORED},
    {"machine", "m", true, PTXAS_IGNORED},
    {"make-errors-visible-at-exit", "make-errors-visible-at-exit", false, PTXAS_IGNORED},
    {"maxntid", "maxntid", true, PTXAS_IGNORED},
    {"minnctapersm", "minnctapersm", true, PTXAS_IGNORED},
    {"opt-level", "O", true, PTXAS_IGNORED},
    {"optimize-float-atomics", "opt-fp-atomics", false, PTXAS_IGNORED},
    {"override-directive-values", "override-directive-values", false, PTXAS_IGNORED},
    {"position-independent-code", "pic", true, PTXAS_IGNORED},
    {"preserve-relocs", "preserve-relocs", false, PTXAS_IGNORED},
    {"register-usage-level", "regUsageLevel", true, PTXAS_IGNORED},
    {"return-at-end", "ret-end", false, PTXAS_IGNORED},
    {"sanitize", "sanitize", true, PTXAS_IGNORED},
    {"sp-bounds-check", "sp-bounds-check", false, PTXAS_IGNORED},
    {"split-compile", "split-compile", true, PTXAS_IGNORED},
    {"suppress-async-bulk-multicast-advisory-warning", "suppress-async-bulk-multicast-advisory-warning",
     false, PTXAS_IGNORED},
    {"suppress-debug-info", "suppress-debug-info", false, PTXAS_IGNORED},
    {"suppress-double-demote-warning", "suppress-double-demote-warning", false, PTXAS_IGNORED},
    {"suppress-sparse-mma-advisory-info", "suppress-sparse-mma-advisory-info", false, PTXAS_IGNORED},
    {"suppress-stack-size-warning", "suppress-stack-size-warning", false, PTXAS_IGNORED},
    {"warn-on-double-precision-use", "warn-double-usage", false, PTXAS_IGNORED},
    {"warn-on-local-memory-usage", "warn-lmem-usage", false, PTXAS_IGNORED},
    {"warn-on-spills", "warn-spills", false, PTXAS_IGNORED},
    {"warning-as-error", "Werror", false, PTXAS_IGNORED},
};

struct ptxas {
    struct arena arena;
    toolchain_args words, inputs, strings;
    const char *output;
    uint32_t sm, max_registers;
    char suffix;
    bool makes_cubin, verbose;
    enum ptxas_action answer; /* PTXAS_IGNORED: none */
};

__attribute__((format(printf, 1, 2))) static bool ptxas_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("ptxas fatal   : ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return false;
}

/* The option that word (without its dashes) names; *value: what is joined to it, NULL when nothing is. */
static const struct ptxas_option *find_option(const char *word, const char **value)
{
    size_t length = strcspn(word, "=");
    *value = word[length] ? word + length + 1 : NULL;
    for (size_t i = 0; i < SW_COUNT_OF(options); i++)
        if ((strlen(options[i].longer) == length && strncmp(word, options[i].longer, length) == 0) ||
            (strlen(options[i].shorter) == length && strncmp(word, options[i].shorter, length) == 0))
            return &options[i];
    for (size_t i = 0; i < SW_COUNT_OF(options); i++) { /* -O3, -m64 */
        const char *name = options[i].shorter;
        if (name[1] || !options[i].takes_value || *word != *name || !word[1]) continue;
        *value = word + 1;
        return &options[i];
    }
    return NULL;
}

static bool set_target(struct ptxas *p, const char *value)
{
    if (!toolchain_target_read(value, &p->sm, &p->suffix, &p->makes_cubin) ||
        !toolchain_target_is_among(p->sm, toolchain_capabilities_13, TOOLCHAIN_CAPABILITIES_13))
        return ptxas_fail("Value '%s' is not defined for option '%s'", value, "gpu-name");
    return true;
}

static bool set_limit(struct ptxas *p, const char *value)
{
    enum { ARCHITECTURES_MOST = 255, ARCHITECTURES_LEAST = 24 };
    char *end;
    unsigned long count = strtoul(value, &end, 10);
    if (strcmp(value, "archmax") == 0)
        count = ARCHITECTURES_MOST;
    else if (strcmp(value, "archmin") == 0)
        count = ARCHITECTURES_LEAST;
    else if (end == value || *end)
        return ptxas_fail("Invalid value '%s' for option '%s'", value, "maxrregcount");
    p->max_registers = count > ARCHITECTURES_MOST ? ARCHITECTURES_MOST : (uint32_t)count;
    return true;
}

static bool use_option(struct ptxas *p, const struct ptxas_option *option, const char *value)
{
    struct sw_error error = {0};
    switch (option->action) {
    case PTXAS_TARGET: return set_target(p, value);
    case PTXAS_REGISTERS: return set_limit(p, value);
    case PTXAS_OUTPUT: p->output = value; return true;
    case PTXAS_TEXT: *vec_push(&p->strings) = value; return true;
    case PTXAS_FILE:
        return toolchain_words_read(&p->arena, value, &p->words, &error) == SW_OK ||
               ptxas_fail("%s", error.message);
    case PTXAS_VERBOSE: p->verbose = true; return true;
    case PTXAS_VERSION:
    case PTXAS_VERSIONS:
    case PTXAS_HELP: p->answer = option->action; return true;
    case PTXAS_IGNORED: break;
    }
    return true;
}

static bool read_words(struct ptxas *p)
{
    for (size_t i = 0; i < p->words.count; i++) {
        const char *word = p->words.at[i], *value = NULL;
        if (word[0] != '-' || !word[1]) {
            *vec_push(&p->inputs) = word;
            continue;
        }
        const char *name = word + 1 + (word[1] == '-');
        const struct ptxas_option *option = find_option(name, &value);
        if (!option) return ptxas_fail("Unknown option '%s'", word + (word[1] == '-'));
        if (option->takes_value && !value) {
            if (++i >= p->words.count) return ptxas_fail("argument expected after '%s'", word);
            value = p->words.at[i];
        }
        if (!use_option(p, option, value)) return false;
    }
    return true;
}

/* ---- answers */

static void print_version(void)
{
    puts("ptxas: Softwarp's, in the place of NVIDIA's optimizing assembler: PTX is checked and kept\n"
         "Cuda compilation tools, release 13.0, V13.0.88");
}

static void print_help(void)
{
    puts("usage: softwarp ptxas [options] <ptx file>,...\n\n"
         "Checks PTX and writes a cubin that holds it, which Softwarp's driver loads. Options of ptxas that\n"
         "concern machine code have no effect.\n\noptions");
    for (size_t i = 0; i < SW_COUNT_OF(options); i++)
        printf("  --%s%s (-%s)%s\n", options[i].longer, options[i].takes_value ? " VALUE" : "",
               options[i].shorter, options[i].action == PTXAS_IGNORED ? ": no effect" : "");
}

/* Versions of the PTX ISA: those of CUDA 1.0 to 13.0 (the ISA's table of releases). */
static void print_versions(void)
{
    static const int last_minor[] = {-1, 5, 3, 2, 3, 0, 5, 8, 8, 0}; /* by major number */
    for (int major = 1; major < (int)SW_COUNT_OF(last_minor); major++)
        for (int minor = 0; minor <= last_minor[major]; minor++)
            printf("%d.%d\n", major, minor);
}

void toolchain_ptx_error(const struct sw_error *error, const char *name, struct str *out)
{
    str_printf(out, "ptxas %s, line %u; error   : %s\n", name, error->line, error->message);
}

static bool ptxas_abort(const struct sw_error *error, const char *name)
{
    struct str text = {0};
    toolchain_ptx_error(error, name, &text);
    fputs(str_text(&text), stderr);
    str_release(&text);
    return ptxas_fail("Ptx assembly aborted due to errors");
}

/* ---- work */

/* ptxas' rules of .target (its --help, "gpu-name"). */
static bool fits(const struct ptxas *p, const struct fatbin_entry *text)
{
    char target[16], own[16];
    snprintf(target, sizeof target, "sm_%u%.1s", text->sm, &text->suffix);
    snprintf(own, sizeof own, "sm_%u%.1s", p->sm, &p->suffix);
    if (text->sm > p->sm) {
        ptxas_fail("SM version specified by .target is higher than default SM version assumed");
        return false;
    }
    bool runs = text->suffix == 'a'   ? text->sm == p->sm && p->suffix == 'a'
                : text->suffix == 'f' ? text->sm / 10 == p->sm / 10 && p->suffix
                                      : true;
    return runs || ptxas_fail("PTX with .target '%s' cannot be compiled for architecture '%s'", target, own);
}

static bool check_input(struct ptxas *p, const char *name, const struct str *text)
{
    struct fatbin image;
    struct sw_error error = {0};
    if (!strstr(str_text(text), ".version") ||
        fatbin_read(str_text(text), text->length, &image, &error) != SW_OK) {
        error = (struct sw_error){.line = 1};
        snprintf(error.message, sizeof error.message, "Missing .version directive at start of file '%.200s'",
                 name);
        return ptxas_abort(&error, name);
    }
    bool ok = image.count && fits(p, &image.entries[0]);
    fatbin_release(&image);
    return ok;
}

/* One text of all inputs. */
static bool join(const struct ptx_text *texts, uint32_t count, struct str *out)
{
    struct ptx_module *linked;
    struct sw_error error = {0};
    if (count == 1) {
        str_add_bytes(out, texts[0].text, texts[0].length);
        return true;
    }
    if (ptx_parse_linked(texts, count, &linked, &error) != SW_OK) return ptxas_abort(&error, texts[0].name);
    ptx_print_module(linked, out);
    ptx_module_free(linked);
    return true;
}

static bool assemble(struct ptxas *p, const char *name, struct str *text)
{
    struct toolchain_ptx_use use = {.describes = p->verbose || p->makes_cubin,
                                    .max_registers = p->max_registers,
                                    .sm = p->makes_cubin ? p->sm : 0,
                                    .suffix = p->suffix};
    struct toolchain_ptx made = {0};
    struct sw_error error = {0};
    if (toolchain_ptx_take(text, name, &use, &made, &error) != SW_OK) return ptxas_abort(&error, name);
    if (p->verbose) fputs(str_text(&made.report), stderr);
    bool ok = !p->makes_cubin || toolchain_file_write(p->output, &made.cubin, &error) == SW_OK ||
              ptxas_fail("Could not open output file '%s'", p->output);
    toolchain_ptx_release(&made);
    return ok;
}

static bool read_inputs(struct ptxas *p, struct str *texts, struct ptx_text *views)
{
    size_t files = p->inputs.count;
    for (size_t i = 0; i < files + p->strings.count; i++) {
        const char *name = i < files ? p->inputs.at[i] : "<string>";
        if (i >= files)
            str_add(&texts[i], p->strings.at[i - files]);
        else if (toolchain_file_read(strcmp(name, "-") == 0 ? "/dev/stdin" : name, &texts[i], NULL) != SW_OK)
            return ptxas_fail("Input file '%s' could not be opened", name);
        if (!check_input(p, name, &texts[i])) return false;
        views[i] = (struct ptx_text){str_text(&texts[i]), texts[i].length, name};
    }
    return true;
}

static bool compile_inputs(struct ptxas *p)
{
    size_t count = p->inputs.count + p->strings.count;
    if (!count) return ptxas_fail("No input files specified; use option --help for more information");
    struct str *texts = ARENA_ARRAY(&p->arena, struct str, count), joined = {0};
    struct ptx_text *views = ARENA_ARRAY(&p->arena, struct ptx_text, count);
    bool ok = read_inputs(p, texts, views) && join(views, (uint32_t)count, &joined) &&
              assemble(p, views[0].name, &joined);
    for (size_t i = 0; i < count; i++)
        str_release(&texts[i]);
    str_release(&joined);
    return ok;
}

static bool act(struct ptxas *p)
{
    if (!read_words(p)) return false;
    if (p->answer == PTXAS_IGNORED) return compile_inputs(p);
    if (p->answer == PTXAS_VERSION)
        print_version();
    else if (p->answer == PTXAS_VERSIONS)
        print_versions();
    else
        print_help();
    return true;
}

int toolchain_ptxas_main(int argc, char **argv)
{
    struct ptxas p = {.output = "elf.o", .sm = 75, .makes_cubin = true}; /* ptxas' defaults */
    arena_init(&p.arena);
    for (int i = 1; i < argc; i++)
        *vec_push(&p.words) = argv[i];
    bool ok = act(&p);
    vec_release(&p.words);
    vec_release(&p.inputs);
    vec_release(&p.strings);
    arena_release(&p.arena);
    return ok ? PTXAS_OK : PTXAS_FAILED;
}
