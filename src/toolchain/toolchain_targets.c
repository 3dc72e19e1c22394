/* SPDX-License-Identifier: Apache-2.0 */
/* Which GPUs to compile for: every spelling of -arch, -code and -gencode.
 * Method: of `arch=compute_80,code=[sm_86,compute_80]` only the architecture counts, as for __CUDA_ARCH__ in
 * nvcc, because PTX is all that is made. Targets that clang cannot make are left out with a message where
 * others remain. Limits: clang 19 makes PTX from sm_30 (with our device library) to sm_90a. */
#include "toolchain_options_priv.h"

#include "arch/arch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOWEST_TARGET = 30, HIGHEST_TARGET = 90 };

/* Those that clang 19 knows; ALL of nvcc 13 starts at 75. */
static const struct {
    const char *number;
    bool in_all, major;
} known[] = {
    {"30", false, false}, {"32", false, false}, {"35", false, false},  {"37", false, false},
    {"50", false, false}, {"52", false, false}, {"53", false, false},  {"60", false, false},
    {"61", false, false}, {"62", false, false}, {"70", false, false},  {"72", false, false},
    {"75", true, true},   {"80", true, true},   {"86", true, false},   {"87", true, false},
    {"89", true, false},  {"90", true, true},   {"90a", false, false},
};

static void add_target(struct toolchain_options *out, const char *number)
{
    const char *target = arena_printf(out->arena, "sm_%s", number);
    for (size_t i = 0; i < out->targets.count; i++)
        if (strcmp(out->targets.at[i], target) == 0) return;
    *vec_push(&out->targets) = target;
}

static void add_all(struct toolchain_options *out, bool majors_only)
{
    for (size_t i = 0; i < SW_COUNT_OF(known); i++)
        if (known[i].in_all && (known[i].major || !majors_only)) add_target(out, known[i].number);
}

/* The GPU that the program would run on here: what SOFTWARP_DEVICE says, or the default one. */
static enum sw_status add_native(struct toolchain_options *out, struct sw_error *error)
{
    const char *device = getenv("SOFTWARP_DEVICE");
    struct arch_gpu gpu;
    if (!device || !*device) device = "h200";
    SW_TRY(arch_gpu_load(arena_strndup(out->arena, device, strcspn(device, ":,")), &gpu, error));
    uint32_t sm = gpu.cc_major * 10 + gpu.cc_minor;
    add_target(out, arena_printf(out->arena, "%u", sm > HIGHEST_TARGET ? HIGHEST_TARGET : sm));
    return SW_OK;
}

/* sm_80, compute_80, lto_80, each with a suffix perhaps: what follows the underscore, or NULL. */
static const char *number_in(struct arena *arena, const char *text)
{
    static const char *const prefixes[] = {"sm_", "compute_", "lto_"};
    for (size_t i = 0; i < SW_COUNT_OF(prefixes); i++) {
        if (!sw_starts_with(text, prefixes[i])) continue;
        const char *number = text + strlen(prefixes[i]);
        size_t length = strspn(number, "0123456789");
        if (!length) return NULL;
        return arena_strndup(arena, number, length + (isalpha((unsigned char)number[length]) ? 1 : 0));
    }
    return NULL;
}

enum sw_status toolchain_targets_add(struct toolchain_options *out, const char *value, struct sw_error *error)
{
    const char *arch = strstr(value, "arch=");
    bool specification = arch != NULL; /* of -gencode */
    if (strcmp(value, "native") == 0) return add_native(out, error);
    if (strcmp(value, "all") == 0 || strcmp(value, "all-major") == 0) {
        add_all(out, value[3] == '-');
        return SW_OK;
    }
    toolchain_args parts = {0};
    toolchain_list_split(out->arena, specification ? arch + strlen("arch=") : value, &parts);
    size_t count = specification && parts.count ? 1 : parts.count;
    enum sw_status status = SW_OK;
    for (size_t i = 0; i < count && status == SW_OK; i++) {
        const char *number = number_in(out->arena, parts.at[i] + (parts.at[i][0] == '['));
        if (number)
            add_target(out, number);
        else
            status = sw_fail(
                error, SW_USAGE,
                "target '%s' not understood: expected sm_NN, compute_NN, native, all or all-major", value);
    }
    if (!parts.count) status = sw_fail(error, SW_USAGE, "a target is empty: expected sm_NN or compute_NN");
    vec_release(&parts);
    return status;
}

static bool targets_is_known(const char *target)
{
    for (size_t i = 0; i < SW_COUNT_OF(known); i++)
        if (strcmp(target + strlen("sm_"), known[i].number) == 0) return true;
    return false;
}

static enum sw_status cannot_make(const char *target, struct sw_error *error)
{
    unsigned long sm = strtoul(target + strlen("sm_"), NULL, 10);
    if (sm > HIGHEST_TARGET)
        return sw_fail(error, SW_UNSUPPORTED,
                       "target '%s': clang 19 makes PTX up to sm_90a; use -arch=sm_90, or compile with nvcc "
                       "-cudart shared",
                       target);
    if (sm < LOWEST_TARGET)
        return sw_fail(error, SW_UNSUPPORTED,
                       "target '%s': the lowest is sm_%d; the GPU that a program is profiled on is chosen "
                       "when it runs, by --device",
                       target, LOWEST_TARGET);
    return sw_fail(error, SW_UNSUPPORTED,
                   "target '%s' is not one that clang 19 knows: use the next lower one", target);
}

enum sw_status toolchain_targets_finish(struct toolchain_options *out, struct sw_error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < out->codes.count && !out->targets.count; i++) /* -code without -arch */
        SW_TRY(toolchain_targets_add(out, out->codes.at[i], error));
    for (size_t i = 0; i < out->targets.count; i++)
        kept += targets_is_known(out->targets.at[i]);
    if (out->targets.count && !kept) return cannot_make(out->targets.at[0], error);
    kept = 0;
    for (size_t i = 0; i < out->targets.count; i++) {
        struct sw_error reason = {0};
        if (targets_is_known(out->targets.at[i])) {
            out->targets.at[kept++] = out->targets.at[i];
        } else {
            cannot_make(out->targets.at[i], &reason);
            sw_log("cc: left out: %s", reason.message);
        }
    }
    out->targets.count = kept;
    return SW_OK;
}

/* ---- those of CUDA's compilers */

const uint32_t toolchain_capabilities_13[TOOLCHAIN_CAPABILITIES_13] = {75, 80,  86,  87,  88,  89,
                                                                       90, 100, 103, 110, 120, 121};
const uint32_t toolchain_capabilities_12[TOOLCHAIN_CAPABILITIES_12] = {
    50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 120, 121};

bool toolchain_target_is_among(uint32_t sm, const uint32_t *capabilities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (capabilities[i] == sm) return true;
    return false;
}

bool toolchain_target_read(const char *text, uint32_t *sm, char *suffix, bool *real)
{
    char *end;
    *real = sw_starts_with(text, "sm_");
    if (!*real && !sw_starts_with(text, "compute_")) return false;
    const char *number = strchr(text, '_') + 1;
    if (!isdigit((unsigned char)*number)) return false;
    *sm = (uint32_t)strtoul(number, &end, 10);
    *suffix = *end;
    bool specific = *sm >= 100 || (*sm == 90 && *suffix == 'a'); /* sm_90f does not exist */
    return !*suffix || (!end[1] && strchr("af", *suffix) && specific);
}

const char *toolchain_target_of_clang(struct arena *arena, uint32_t sm, char suffix)
{
    const char *best = known[0].number;
    if (sm == HIGHEST_TARGET && suffix == 'a') return "sm_90a";
    for (size_t i = 0; i < SW_COUNT_OF(known); i++)
        if (!isalpha((unsigned char)known[i].number[2]) && strtoul(known[i].number, NULL, 10) <= sm)
            best = known[i].number;
    return arena_printf(arena, "sm_%s", best);
}

void toolchain_targets_print(const char *prefix)
{
    for (size_t i = 0; i < SW_COUNT_OF(known); i++)
        printf("%s%s\n", prefix, known[i].number);
}
