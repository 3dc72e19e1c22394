/* SPDX-License-Identifier: Apache-2.0 */
/* Device code in libraries: what makes the host's linker take the members of a static library that define
 * the device functions and variables that other objects use, and complain of those that nobody defines.
 * Method: an object of -rdc=true gets a symbol "softwarp.device.NAME" for each device name that it defines,
 * and a reference to the same for each that it lacks, but for the driver's own functions. They are written as
 * assembly, which the host's half includes (cuda/include/softwarp/linked.h); clang compiles that half after
 * it called our fatbinary. Limits: as with nvcc, device names do not reach across shared libraries. */
#include "toolchain_priv.h"

#include "fatbin/fatbin.h"
#include "ptx/ptx.h"

#include <stdio.h>
#include <string.h>

/* Functions that PTX may call and no object has. */
static bool is_drivers(const char *name)
{
    static const char *const known[] = {"vprintf", "malloc", "free", "__assertfail"};
    for (size_t i = 0; i < SW_COUNT_OF(known); i++)
        if (strcmp(name, known[i]) == 0) return true;
    return sw_starts_with(name, "cuda") || sw_starts_with(name, "__cuda");
}

static void add_symbol(struct str *out, struct map *seen, const char *name, enum ptx_linkage linkage)
{
    if (map_get(seen, name)) return;
    map_set(seen, name, out);
    str_printf(out, ".hidden \"softwarp.device.%s\"\n", name);
    if (linkage == PTX_LINK_EXTERN) {
        str_printf(out, ".quad \"softwarp.device.%s\"\n", name);
        return;
    }
    str_printf(out, "%s \"softwarp.device.%s\"\n\"softwarp.device.%s\": .byte 0\n",
               linkage == PTX_LINK_WEAK ? ".weak" : ".globl", name, name);
}

static bool is_shared(enum ptx_linkage linkage)
{
    return linkage == PTX_LINK_VISIBLE || linkage == PTX_LINK_WEAK || linkage == PTX_LINK_EXTERN;
}

static void add_module(struct str *out, struct map *seen, const struct ptx_module *module)
{
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *f = module->functions[i];
        bool defined = f->has_body && f->linkage != PTX_LINK_EXTERN;
        bool lacking = !f->has_body && f->linkage == PTX_LINK_EXTERN && !is_drivers(f->name);
        if (is_shared(f->linkage) && (defined || lacking)) add_symbol(out, seen, f->name, f->linkage);
    }
    for (uint32_t i = 0; i < module->var_count; i++) {
        const struct ptx_var *var = module->vars[i];
        bool is_defined = var->space == PTX_SPACE_GLOBAL || var->space == PTX_SPACE_CONST;
        if (is_defined && is_shared(var->linkage)) add_symbol(out, seen, var->name, var->linkage);
    }
}

enum sw_status toolchain_symbols_write(const struct fatbin_entry *entries, uint32_t count, const char *path,
                                       struct sw_error *error)
{
    struct str out = {0};
    struct map seen = {0};
    enum sw_status status = SW_OK;
    VEC(struct ptx_module *) modules = {0}; /* own the names in `seen` */
    str_add(&out, ".pushsection .softwarp.device,\"\",@progbits\n");
    for (uint32_t i = 0; i < count && status == SW_OK; i++) {
        struct ptx_module *module;
        if (entries[i].kind != FATBIN_PTX) continue;
        status = ptx_parse((const char *)entries[i].data, entries[i].bytes, path, &module, error);
        if (status != SW_OK) break;
        *vec_push(&modules) = module;
        add_module(&out, &seen, module);
    }
    str_add(&out, ".popsection\n");
    FILE *file = status == SW_OK ? fopen(path, "w") : NULL;
    bool written = file && fputs(str_text(&out), file) >= 0;
    if (file) written = fclose(file) == 0 && written;
    if (status == SW_OK && !written) status = sw_fail(error, SW_IO, "cannot write '%s'", path);
    for (size_t i = 0; i < modules.count; i++)
        ptx_module_free(modules.at[i]);
    vec_release(&modules);
    map_release(&seen);
    str_release(&out);
    return status;
}
