/* SPDX-License-Identifier: Apache-2.0 */
/* PTX on its way from clang into a container: checked as the driver will check it when the program runs, so
 * that a wrong asm statement is an error of the build, also in a kernel that no run launches; given a limit
 * of registers; described in the words of ptxas -v, which scripts read; and put into a cubin where one is
 * asked for. Method: what kernels need is toolchain_resources.c's to say. -maxrregcount becomes .maxnreg of
 * every kernel without a directive of its own about threads or registers, which is how ptxas treats launch
 * bounds. Limits: no machine code, so no spills, and what depends on it is not known. */
#include "toolchain_priv.h"

#include "fatbin/fatbin.h"
#include "ptx/ptx.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- limit of registers */

/* Past the list in parentheses that starts at `at`, if one does. */
static const char *skip_parameters(const char *at)
{
    at += strspn(at, " \t\r\n");
    if (*at != '(') return at;
    const char *close = strchr(at, ')');
    return close ? close + 1 : at + strlen(at);
}

/* Add `.maxnreg N` before the body of every entry whose header has no directive that it would contradict. */
static void limit_registers(struct str *text, uint32_t registers)
{
    struct str out = {0};
    const char *at = str_text(text), *entry;
    while ((entry = strstr(at, ".entry ")) != NULL) {
        const char *name = entry + strlen(".entry ");
        const char *header = skip_parameters(name + strcspn(name, "( \t\r\n"));
        size_t length = strcspn(header, "{;");
        bool bounded = memmem(header, length, ".maxntid", 8) || memmem(header, length, ".reqntid", 8) ||
                       memmem(header, length, ".maxnreg", 8);
        str_add_bytes(&out, at, (size_t)(header + length - at));
        if (!bounded && header[length] == '{') str_printf(&out, ".maxnreg %" PRIu32 "\n", registers);
        at = header + length;
    }
    str_add(&out, at);
    str_release(text);
    *text = out;
}

/* ---- report */

/* As ptxas orders them. The constant bank of parameters starts with what the driver keeps there. */
static void report_kernel(const struct fatbin_resources *kernel, uint32_t sm, char suffix, struct str *out)
{
    enum { DRIVERS_BYTES = 352, DRIVERS_BYTES_90 = 528 };
    uint32_t parameters = kernel->param_bytes + (sm >= 90 ? DRIVERS_BYTES_90 : DRIVERS_BYTES);
    str_printf(out, "ptxas info    : Compiling entry function '%s' for 'sm_%" PRIu32 "%.1s'\n",
               kernel->kernel, sm, &suffix);
    str_printf(out, "ptxas info    : Function properties for %s\n", kernel->kernel);
    str_printf(out, "    %" PRIu32 " bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n",
               kernel->local_bytes);
    str_printf(out, "ptxas info    : Used %" PRIu32 " registers, used %" PRIu32 " barriers",
               kernel->registers, kernel->barriers);
    if (kernel->stack_bytes)
        str_printf(out, ", %" PRIu32 " bytes cumulative stack size", kernel->stack_bytes);
    if (kernel->shared_bytes) str_printf(out, ", %" PRIu32 " bytes smem", kernel->shared_bytes);
    str_printf(out, ", %" PRIu32 " bytes cmem[0] (softwarp: estimated from PTX)\n", parameters);
}

static void ptx_report(const struct ptx_module *module, const struct fatbin_resources *kernels,
                       uint32_t count, const struct toolchain_ptx_use *use, struct str *out)
{
    uint64_t bytes[PTX_SPACE_COUNT] = {0};
    for (uint32_t i = 0; i < module->var_count; i++)
        bytes[module->vars[i]->space] += module->vars[i]->bytes;
    str_printf(out, "ptxas info    : %" PRIu64 " bytes gmem", bytes[PTX_SPACE_GLOBAL]);
    if (bytes[PTX_SPACE_CONST]) str_printf(out, ", %" PRIu64 " bytes cmem[3]", bytes[PTX_SPACE_CONST]);
    str_add_char(out, '\n');
    for (uint32_t i = 0; i < count; i++)
        report_kernel(&kernels[i], use->sm ? use->sm : module->sm, use->sm ? use->suffix : module->sm_suffix,
                      out);
}

/* ---- checks */

static bool is_ptx(const struct str *text)
{
    const char *at = str_text(text) + strspn(str_text(text), " \t\r\n");
    return sw_starts_with(at, "//") || strstr(at, ".version");
}

enum sw_status toolchain_ptx_take(struct str *text, const char *path, const struct toolchain_ptx_use *use,
                                  struct toolchain_ptx *out, struct sw_error *error)
{
    struct ptx_module *module;
    if (use->max_registers) limit_registers(text, use->max_registers);
    SW_TRY(ptx_parse(str_text(text), text->length, path, &module, error));
    arena_init(&out->arena);
    enum sw_status status = ptx_verify(module, error);
    if (status == SW_OK) status = ptx_check_known(module, error);
    if (status == SW_OK && use->describes)
        status = toolchain_resources(module, &out->arena, &out->kernels, &out->count, error);
    if (status == SW_OK && use->describes) ptx_report(module, out->kernels, out->count, use, &out->report);
    if (status == SW_OK && use->sm)
        fatbin_cubin_write(str_text(text), text->length, use->sm, out->kernels, out->count, &out->cubin);
    out->sm = module->sm;
    ptx_module_free(module);
    if (status != SW_OK) toolchain_ptx_release(out);
    return status;
}

void toolchain_ptx_release(struct toolchain_ptx *ptx)
{
    str_release(&ptx->report);
    str_release(&ptx->cubin);
    arena_release(&ptx->arena);
    *ptx = (struct toolchain_ptx){0};
}

enum sw_status toolchain_ptx_check(struct str *text, const char *path, const struct toolchain_ptx_use *use,
                                   struct sw_error *error)
{
    struct toolchain_ptx ptx = {0};
    if (!is_ptx(text)) return SW_OK; /* nothing that is PTX, which the writer of containers will say */
    SW_TRY(toolchain_ptx_take(text, path, use, &ptx, error));
    fputs(str_text(&ptx.report), stderr);
    toolchain_ptx_release(&ptx);
    return SW_OK;
}
