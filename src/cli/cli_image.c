/* SPDX-License-Identifier: Apache-2.0 */
/* What device images hold, in the form of `cuobjdump` and `cuobjdump -res-usage`. Of PTX the resources are
 * estimates, as the driver's; of machine code they are what ptxas wrote. */
#include "cli_priv.h"

#include "fatbin/fatbin.h"
#include "toolchain/toolchain.h"

#include <inttypes.h>
#include <string.h>

/* cuobjdump's "code version" of cubins of CUDA 13.0. */
enum { ELF_MAJOR = 1, ELF_MINOR = 8 };

static void list_entry(const struct fatbin_entry *entry, struct str *out)
{
    bool machine = entry->kind == FATBIN_ELF || entry->of_cubin;
    str_printf(out, "\nFatbin %s code:\n================\narch = sm_%u%.1s\n", machine ? "elf" : "ptx",
               entry->sm, &entry->suffix);
    str_printf(out, "code version = [%d,%d]\nhost = linux\ncompile_size = 64bit\n",
               machine ? ELF_MAJOR : entry->major, machine ? ELF_MINOR : entry->minor);
    if (*entry->name) str_printf(out, "identifier = %s\n", entry->name);
    if (*entry->options) str_printf(out, "ptxasOptions = %s\n", entry->options);
    if (entry->of_cubin) str_printf(out, "content = PTX [%d,%d] (softwarp)\n", entry->major, entry->minor);
}

static void list_kernels(const struct fatbin_resources *kernels, uint32_t count, bool estimated,
                         struct str *out)
{
    str_printf(out, "\nResource usage%s:\n", estimated ? " (softwarp: estimated from PTX)" : "");
    for (uint32_t i = 0; i < count; i++) {
        const struct fatbin_resources *k = &kernels[i];
        str_printf(out,
                   " Function %s:\n  REG:%" PRIu32 " STACK:%" PRIu32 " SHARED:%" PRIu32 " LOCAL:%" PRIu32
                   " BARRIERS:%" PRIu32 " PARAMETERS:%" PRIu32 "\n",
                   k->kernel, k->registers, k->stack_bytes, k->shared_bytes, k->local_bytes, k->barriers,
                   k->param_bytes);
    }
}

static enum sw_status list_ptx_kernels(const struct fatbin_entry *entry, const char *path, struct str *out,
                                       struct sw_error *error)
{
    struct toolchain_ptx_use use = {.describes = true};
    struct toolchain_ptx ptx = {0};
    struct str text = {0};
    str_add_bytes(&text, entry->data, entry->bytes);
    enum sw_status status = toolchain_ptx_take(&text, path, &use, &ptx, error);
    str_release(&text);
    if (status != SW_OK) return status;
    list_kernels(ptx.kernels, ptx.count, true, out);
    toolchain_ptx_release(&ptx);
    return SW_OK;
}

static enum sw_status list_elf_kernels(const struct fatbin_entry *entry, struct str *out,
                                       struct sw_error *error)
{
    struct arena arena;
    struct fatbin_resources *kernels;
    uint32_t count, sm;
    arena_init(&arena);
    enum sw_status status =
        fatbin_cubin_resources(entry->data, entry->bytes, &arena, &kernels, &count, &sm, error);
    if (status == SW_OK) list_kernels(kernels, count, false, out);
    arena_release(&arena);
    return status;
}

int cli_image_list(const char *path, const struct fatbin *image, struct str *out)
{
    struct sw_error error = {0};
    for (uint32_t i = 0; i < image->count; i++) {
        const struct fatbin_entry *entry = &image->entries[i];
        list_entry(entry, out);
        enum sw_status status = entry->kind == FATBIN_PTX ? list_ptx_kernels(entry, path, out, &error)
                                                          : list_elf_kernels(entry, out, &error);
        if (status != SW_OK) return cli_fail_error(&error);
    }
    return CLI_OK;
}
