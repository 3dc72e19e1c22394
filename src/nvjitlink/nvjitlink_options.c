/* SPDX-License-Identifier: Apache-2.0 */
/* Options of nvJitLinkCreate. Source: its documentation 13.0. Limits: those about machine code, and about
 * what may be removed, are accepted without effect. */
#include "nvjitlink_priv.h"

#include <stdlib.h>
#include <string.h>

enum link_action { IGNORED, TARGET, REGISTERS, VERBOSE, LTO, PTX, PTXAS };

static const struct link_option {
    const char *name; /* with '=' at its end: a value follows */
    enum link_action action;
} options[] = {
    {"-arch=", TARGET},
    {"-maxrregcount=", REGISTERS},
    {"-verbose", VERBOSE},
    {"-lto", LTO},
    {"-ptx", PTX},
    {"-Xptxas=", PTXAS},
    {"-time", IGNORED},
    {"-O0", IGNORED},
    {"-O1", IGNORED},
    {"-O2", IGNORED},
    {"-O3", IGNORED},
    {"-g", IGNORED},
    {"-lineinfo", IGNORED},
    {"-ftz=", IGNORED},
    {"-prec-div=", IGNORED},
    {"-prec-sqrt=", IGNORED},
    {"-fma=", IGNORED},
    {"-kernels-used=", IGNORED},
    {"-variables-used=", IGNORED},
    {"-optimize-unused-variables", IGNORED},
    {"-Xnvvm=", IGNORED},
    {"-split-compile=", IGNORED},
    {"-split-compile-extended=", IGNORED},
    {"-jump-table-density=", IGNORED},
    {"-no-cache", IGNORED},
    {"-device-stack-protector", IGNORED},
    {"-r", IGNORED},
};

static nvJitLinkResult set_target(struct nvJitLink *link, const char *value)
{
    static const uint32_t old[] = {20, 21, 30, 32, 35, 37, 50, 52,
                                   53, 60, 61, 62, 70, 72, 75}; /* once were */
    link->has_target = true;
    bool read = toolchain_target_read(value, &link->sm, &link->suffix, &link->real);
    if (read &&
        toolchain_target_is_among(link->sm, nvjitlink_abi.capabilities, nvjitlink_abi.capability_count))
        return NVJITLINK_SUCCESS;
    const char *number = strchr(value, '_');
    bool was = read && toolchain_target_is_among(link->sm, old, SW_COUNT_OF(old));
    nvjitlink_say(link, "ERROR NVJITLINK_ERROR_%s_ARCH: %s architecture (compute_%s)",
                  was ? "UNSUPPORTED" : "UNRECOGNIZED", was ? "unsupported" : "unrecognized",
                  number ? number + 1 : value);
    return was ? NVJITLINK_ERROR_UNSUPPORTED_ARCH : NVJITLINK_ERROR_UNRECOGNIZED_ARCH;
}

static nvJitLinkResult use(struct nvJitLink *link, enum link_action action, const char *value)
{
    switch (action) {
    case TARGET: return set_target(link, value);
    case REGISTERS: link->max_registers = (uint32_t)strtoul(value, NULL, 10); break;
    case VERBOSE: link->verbose = true; break;
    case LTO: link->lto = true; break;
    case PTX: link->makes_ptx = true; break;
    case PTXAS: link->verbose |= strcmp(value, "-v") == 0; break;
    case IGNORED: break;
    }
    return NVJITLINK_SUCCESS;
}

static nvJitLinkResult read_option(struct nvJitLink *link, const char *word)
{
    for (size_t i = 0; i < SW_COUNT_OF(options); i++) {
        size_t length = strlen(options[i].name);
        bool takes_value = options[i].name[length - 1] == '=';
        bool is = takes_value ? strncmp(word, options[i].name, length) == 0 && word[length]
                              : strcmp(word, options[i].name) == 0;
        if (is) return use(link, options[i].action, word + length);
    }
    nvjitlink_say(link, "unrecognized option: %s", word);
    return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
}

nvJitLinkResult nvjitlink_options_read(struct nvJitLink *link, uint32_t count, const char **given)
{
    for (uint32_t i = 0; i < count; i++)
        NVJITLINK_TRY(read_option(link, given[i] ? given[i] : ""));
    if (!link->has_target) {
        nvjitlink_say(link, "ERROR: -arch=sm_NN not specified");
        return NVJITLINK_ERROR_MISSING_ARCH;
    }
    if (link->makes_ptx && !link->lto) {
        nvjitlink_say(link, "ERROR: -ptx requires -lto");
        return NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS;
    }
    if (!link->real && !link->makes_ptx) {
        nvjitlink_say(link, "ERROR: virtual arch requires -ptx");
        return NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS;
    }
    return NVJITLINK_SUCCESS;
}
