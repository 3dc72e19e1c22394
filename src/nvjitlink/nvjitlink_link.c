/* SPDX-License-Identifier: Apache-2.0 */
/* Linking: one text of all inputs, what it lacks, and the cubin that holds it. Limits: kernels and variables
 * that nothing uses stay. */
#include "nvjitlink_priv.h"

#include "ptx/ptx.h"

#include <string.h>

/* Functions that the driver brings along: what device code calls of the system and of the device runtime. */
static bool is_system(const char *name)
{
    static const char *const names[] = {"vprintf", "__assertfail", "malloc", "free"};
    for (size_t i = 0; i < SW_COUNT_OF(names); i++)
        if (strcmp(name, names[i]) == 0) return true;
    return sw_starts_with(name, "cuda") || sw_starts_with(name, "__cuda");
}

static unsigned say_undefined(struct nvJitLink *link, const struct ptx_module *module)
{
    unsigned count = 0;
    const char *input = link->inputs.at[0].name;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *f = module->functions[i];
        if (f->has_body || f->alias_of || is_system(f->name)) continue;
        nvjitlink_say(link, "error   : Undefined reference to '%s' in '%s'", f->name, input);
        count++;
    }
    for (uint32_t i = 0; i < module->var_count; i++) {
        const struct ptx_var *var = module->vars[i];
        bool placed = var->space == PTX_SPACE_GLOBAL || var->space == PTX_SPACE_CONST;
        if (!placed || var->linkage != PTX_LINK_EXTERN) continue;
        nvjitlink_say(link, "error   : Undefined reference to '%s' in '%s'", var->name, input);
        count++;
    }
    return count;
}

static nvJitLinkResult say_failed(struct nvJitLink *link, const struct sw_error *error)
{
    char line[1024];
    nvjitlink_say(link, "error   : %s\nERROR 1: finish", sw_error_format(error, line, sizeof line));
    return NVJITLINK_ERROR_INTERNAL; /* as nvJitLink 13.0 */
}

static nvJitLinkResult join(struct nvJitLink *link, struct str *out)
{
    uint32_t count = (uint32_t)link->inputs.count;
    struct ptx_text *texts = sw_xcalloc(count, sizeof *texts);
    struct ptx_module *module;
    struct sw_error error = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct nvjitlink_input *input = &link->inputs.at[i];
        texts[i] = (struct ptx_text){str_text(&input->text), input->text.length, input->name};
    }
    enum sw_status status = ptx_parse_linked(texts, count, &module, &error);
    free(texts);
    if (status != SW_OK) return say_failed(link, &error);
    unsigned undefined = say_undefined(link, module);
    if (undefined) nvjitlink_say(link, "ERROR 1: finish");
    if (!undefined && count > 1) ptx_print_module(module, out);
    if (!undefined && count == 1) str_add(out, str_text(&link->inputs.at[0].text));
    ptx_module_free(module);
    return undefined ? NVJITLINK_ERROR_INTERNAL : NVJITLINK_SUCCESS;
}

static nvJitLinkResult make_cubin(struct nvJitLink *link, struct str *text)
{
    struct toolchain_ptx_use use = {.describes = true, .sm = link->sm, .suffix = link->suffix};
    struct toolchain_ptx made = {0};
    struct sw_error error = {0};
    if (toolchain_ptx_take(text, "linked", &use, &made, &error) != SW_OK) return say_failed(link, &error);
    str_add_bytes(&link->cubin, made.cubin.text, made.cubin.length);
    toolchain_ptx_release(&made);
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvjitlink_link(struct nvJitLink *link)
{
    struct str text = {0};
    if (link->makes_ptx && !link->only_lto) {
        nvjitlink_say(link, "ERROR: -ptx requires that all inputs have LTOIR");
        return NVJITLINK_ERROR_INCORRECT_INPUT_TYPE;
    }
    if (!link->inputs.count)
        str_printf(&text, ".version 8.0\n.target sm_%u%.1s\n.address_size 64\n", link->sm, &link->suffix);
    nvJitLinkResult result = link->inputs.count ? join(link, &text) : NVJITLINK_SUCCESS;
    if (result == NVJITLINK_SUCCESS && link->makes_ptx)
        str_add(&link->ptx, str_text(&text));
    else if (result == NVJITLINK_SUCCESS)
        result = make_cubin(link, &text);
    str_release(&text);
    return result;
}
