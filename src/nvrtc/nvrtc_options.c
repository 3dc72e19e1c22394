/* SPDX-License-Identifier: Apache-2.0 */
/* Options of nvrtcCompileProgram to clang's words.
 * Method: the table nvrtc_options.def; messages are NVRTC's. Limits: options about machine code, diagnostics
 * by number, precompiled headers and times are accepted without effect; C++03 is compiled as C++11, which the
 * headers need; -default-device holds for functions, not for variables. */
#include "nvrtc_priv.h"

#include <stdlib.h>
#include <string.h>

enum option_form { FLAG, SWITCH, NUMBER, VALUE, JOINED, SPELLED };
enum option_action {
    IGNORED,
    TARGET,
    RELOCATABLE,
    DEBUG,
    OPTIMISE,
    CLANG_WORDS,
    PTXAS,
    REGISTERS,
    NVCC_SWITCH,
    LTO,
    REFUSED,
    PREFIXED,
    PRE_INCLUDE,
    STANDARD,
    WARNINGS_ARE_ERRORS,
    DEFAULT_DEVICE,
    BRIEF,
    SYNTAX_ONLY,
};

static const struct option {
    const char *longer, *shorter;
    enum option_form form;
    enum option_action action;
    const char *text;
} options[] = {
#define OPTION(longer, shorter, form, action, text) {longer, shorter, form, action, text},
#include "nvrtc/nvrtc_options.def"
#undef OPTION
};

struct option_reader {
    const char *const *given;
    int count, at;
    struct nvrtc_options *out;
    struct str *log;
};

static nvrtcResult bad_option(struct option_reader *r, const char *format, const char *a, const char *b)
{
    str_add(r->log, "nvrtc: error: ");
    for (; *format; format++) {
        if (*format != '%')
            str_add_char(r->log, *format);
        else
            str_add(r->log, *++format == 'a' ? a : b);
    }
    str_add_char(r->log, '\n');
    return NVRTC_ERROR_INVALID_OPTION;
}

static void add_word(struct nvrtc_options *out, const char *word)
{
    *vec_push(&out->words) = word;
}

static void add_words(struct nvrtc_options *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, " ");
        if (length) add_word(out, arena_strndup(out->arena, text, length));
        text += length + (text[length] == ' ');
    }
}

/* Whether word is `name`, alone or with a value after '=' or a blank; *value: that, or NULL. */
static bool option_is(const char *name, const char *word, const char **value)
{
    size_t length = strlen(name);
    if (!length || strncmp(word, name, length) != 0 || (word[length] && !strchr("= ", word[length])))
        return false;
    *value = word[length] ? word + length + 1 + strspn(word + length + 1, " ") : NULL;
    return true;
}

static const struct option *find_option(const char *word, const char **value)
{
    for (size_t i = 0; i < SW_COUNT_OF(options); i++)
        if (option_is(options[i].longer, word, value) || option_is(options[i].shorter, word, value))
            return &options[i];
    for (size_t i = 0; i < SW_COUNT_OF(options); i++) { /* -Ifolder, -DNAME=3 */
        const char *name = options[i].shorter;
        if (options[i].form != JOINED || strncmp(word, name, strlen(name)) != 0) continue;
        *value = word + strlen(name);
        return &options[i];
    }
    return NULL;
}

/* ---- actions */

static nvrtcResult set_target(struct option_reader *r, const char *value)
{
    struct nvrtc_options *out = r->out;
    if (!toolchain_target_read(value, &out->sm, &out->suffix, &out->real) ||
        !toolchain_target_is_among(out->sm, nvrtc_abi.capabilities, nvrtc_abi.capability_count))
        return bad_option(r, "invalid value for --gpu-architecture (-arch)", "", "");
    return NVRTC_SUCCESS;
}

static nvrtcResult set_standard(struct option_reader *r, const char *value)
{
    static const char *const known[][2] = {{"c++03", "-std=c++11"},
                                           {"c++11", "-std=c++11"},
                                           {"c++14", "-std=c++14"},
                                           {"c++17", "-std=c++17"},
                                           {"c++20", "-std=c++20"}};
    for (size_t i = 0; i < SW_COUNT_OF(known); i++) {
        if (strcmp(value, known[i][0]) != 0) continue;
        add_word(r->out, known[i][1]);
        return NVRTC_SUCCESS;
    }
    return bad_option(r, "invalid value for --std(-std)", "", "");
}

static void use_ptxas(struct nvrtc_options *out, const char *value)
{
    if (strstr(value, "-v")) out->reports = true;
    const char *limit = strstr(value, "maxrregcount=");
    if (limit) out->max_registers = (uint32_t)strtoul(limit + strlen("maxrregcount="), NULL, 10);
}

static void use_debug(struct nvrtc_options *out)
{
    add_word(out, "-g");
    add_word(out, "-O0");
    add_word(out, "-D__CUDACC_DEBUG__=1");
    out->optimises = true;
}

static void use_optimise(struct nvrtc_options *out, const char *value)
{
    bool on = strcmp(value, "off") != 0;
    add_word(out, on ? "-O3" : "-O0");
    out->optimises = true;
}

static void use_relocatable(struct nvrtc_options *out)
{
    add_word(out, "-fgpu-rdc");
    add_word(out, "-D__CUDACC_RDC__=1");
}

static void use_nvcc(struct nvrtc_options *out, const struct option *option, bool on)
{
    add_words(out, toolchain_words_of(option->text, on));
    if (option->form == FLAG) add_words(out, "-D__USE_FAST_MATH__=1 -D__CUDA_FTZ=1");
}

static nvrtcResult use_option(struct option_reader *r, const struct option *option, const char *value)
{
    struct nvrtc_options *out = r->out;
    bool on = option->form != SWITCH || strcmp(value, "true") == 0;
    switch (option->action) {
    case IGNORED: break;
    case TARGET: return set_target(r, value);
    case RELOCATABLE:
        if (on) use_relocatable(out);
        break;
    case DEBUG: use_debug(out); break;
    case OPTIMISE: use_optimise(out, value); break;
    case CLANG_WORDS: add_words(out, option->text); break;
    case PTXAS: use_ptxas(out, value); break;
    case REGISTERS: out->max_registers = (uint32_t)strtoul(value, NULL, 10); break;
    case NVCC_SWITCH: use_nvcc(out, option, on); break;
    case LTO:
        out->lto = true;
        use_relocatable(out);
        break;
    case REFUSED: return bad_option(r, "%a is not supported: %b", option->longer, option->text);
    case PREFIXED: add_word(out, arena_printf(out->arena, "%s%s", option->text, value)); break;
    case PRE_INCLUDE:
        add_word(out, "-include");
        add_word(out, value);
        break;
    case STANDARD: return set_standard(r, value);
    case WARNINGS_ARE_ERRORS: add_word(out, "-Werror"); break;
    case DEFAULT_DEVICE: out->default_device = true; break;
    case BRIEF:
        if (on) add_word(out, "-fno-caret-diagnostics");
        break;
    case SYNTAX_ONLY:
        add_word(out, "-fsyntax-only");
        out->syntax_only = true;
        break;
    }
    return NVRTC_SUCCESS;
}

/* What the form of an option asks of its value; *value: in, what is joined to it; out, never NULL. */
static nvrtcResult check_value(struct option_reader *r, const struct option *option, const char **value)
{
    char *end = NULL;
    if (option->form == FLAG && *value)
        return bad_option(r, "%a (%b) does not accept any argument", option->longer, option->shorter);
    if (option->form == SWITCH && (!*value || (strcmp(*value, "true") != 0 && strcmp(*value, "false") != 0)))
        return bad_option(r, "%a (%b) expects true or false", option->longer, option->shorter);
    if (option->form == SPELLED && !*value)
        return bad_option(r, "unrecognized option %a found", r->given[r->at], "");
    bool next = option->form == NUMBER || option->form == VALUE || option->form == JOINED;
    if (next && (!*value || !**value)) {
        if (r->at + 1 >= r->count) return bad_option(r, "%a expects a value", r->given[r->at], "");
        *value = r->given[++r->at];
    }
    if (!*value) *value = ""; /* a null pointer among the options, too */
    if (option->form == NUMBER && (strtol(*value, &end, 10), end == *value || *end))
        return bad_option(r, "%a (%b) expects an integer value", option->longer, option->shorter);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtc_options_read(const char *const *given, int count, struct nvrtc_options *out,
                               struct str *log)
{
    struct option_reader r = {.given = given, .count = count, .out = out, .log = log};
    nvrtcResult result = NVRTC_SUCCESS;
    for (; r.at < count; r.at++) { /* all that are wrong are said */
        const char *word = given[r.at] ? given[r.at] : "", *value = NULL;
        const struct option *option = find_option(word, &value);
        nvrtcResult one = option ? check_value(&r, option, &value)
                                 : bad_option(&r, "unrecognized option %a found", word, "");
        if (one == NVRTC_SUCCESS) one = use_option(&r, option, value);
        if (one != NVRTC_SUCCESS) result = one;
    }
    return result;
}
