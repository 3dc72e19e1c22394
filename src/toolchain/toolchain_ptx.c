/* SPDX-License-Identifier: Apache-2.0 */
/* PTX on its way from clang into a container: checked as the driver will check it when the program runs, so
 * that a wrong asm statement is an error of the build, also in a kernel that no run launches; given a limit
 * of registers; and described in the words of ptxas -v, which scripts read. Method: registers are the
 * estimate that cudaFuncGetAttributes gives (the most bytes of PTX registers live at once), memory is what
 * the kernel's instructions name, both once calls are inlined. -maxrregcount becomes .maxnreg of every kernel
 * without a directive of its own about threads or registers, which is how ptxas treats launch bounds. Limits:
 * no machine code, so no spills, and what depends on it is not known. */
#include "toolchain_priv.h"

#include "ptx/ptx.h"

#include <ctype.h>
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

struct needs {
    struct map seen; /* variables that were counted */
    uint64_t bytes[PTX_SPACE_COUNT];
    uint32_t barriers;
};

static void need_operand(struct needs *needs, const struct ptx_operand *operand)
{
    const struct ptx_var *var = operand->var;
    if (var && !map_get_u64(&needs->seen, (uint64_t)(uintptr_t)var)) {
        uint64_t *sum = &needs->bytes[var->space];
        map_set_u64(&needs->seen, (uint64_t)(uintptr_t)var, needs);
        *sum = sw_align_up(*sum, var->align ? var->align : 1) + var->bytes;
    }
    for (uint32_t i = 0; i < operand->count && operand->elements; i++)
        need_operand(needs, &operand->elements[i]);
}

static void count_needs(const struct ptx_function *f, struct needs *needs)
{
    enum { BARRIERS = 16 };
    for (uint32_t i = 0; i < f->instr_count; i++) {
        const struct ptx_instr *instr = &f->instrs[i];
        bool barrier = instr->op == ISA_OP_BAR || instr->op == ISA_OP_BARRIER;
        if (barrier && !ptx_has(instr, ISA_MOD_WARP) && instr->operand_count) {
            uint32_t number = (uint32_t)instr->operands[0].bits % BARRIERS;
            if (number >= needs->barriers) needs->barriers = number + 1;
        }
        for (uint32_t o = 0; o < instr->operand_count; o++)
            need_operand(needs, &instr->operands[o]);
    }
}

/* As ptxas orders them. The constant bank of parameters starts with what the driver keeps there. */
static void print_entry(const struct ptx_module *module, const struct ptx_function *f, uint32_t registers,
                        const struct needs *needs)
{
    enum { DRIVERS_BYTES = 352, DRIVERS_BYTES_90 = 528 };
    uint64_t stack = needs->bytes[PTX_SPACE_LOCAL], shared = needs->bytes[PTX_SPACE_SHARED];
    uint64_t parameters = f->param_bytes + (module->sm >= 90 ? DRIVERS_BYTES_90 : DRIVERS_BYTES);
    fprintf(stderr, "ptxas info    : Compiling entry function '%s' for 'sm_%u%.1s'\n", f->name, module->sm,
            &module->sm_suffix);
    fprintf(stderr, "ptxas info    : Function properties for %s\n", f->name);
    fprintf(stderr, "    %" PRIu64 " bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n", stack);
    fprintf(stderr, "ptxas info    : Used %" PRIu32 " registers, used %" PRIu32 " barriers", registers,
            needs->barriers);
    if (stack) fprintf(stderr, ", %" PRIu64 " bytes cumulative stack size", stack);
    if (shared) fprintf(stderr, ", %" PRIu64 " bytes smem", shared);
    fprintf(stderr, ", %" PRIu64 " bytes cmem[0] (softwarp: estimated from PTX)\n", parameters);
}

static enum sw_status report_entry(const struct ptx_module *module, const struct ptx_function *entry,
                                   struct sw_error *error)
{
    struct arena arena;
    struct ptx_function *flat = NULL;
    struct ptx_cfg cfg;
    struct needs needs = {0};
    arena_init(&arena);
    enum sw_status status = ptx_flatten(module, entry, &arena, &flat, error);
    if (status == SW_OK) status = ptx_cfg_build(flat, &arena, &cfg, error);
    if (status == SW_OK) {
        count_needs(flat, &needs);
        print_entry(module, entry, ptx_register_estimate(ptx_live_bytes(&cfg), entry->maxnreg), &needs);
    }
    map_release(&needs.seen);
    arena_release(&arena);
    return status;
}

static enum sw_status ptx_report(const struct ptx_module *module, struct sw_error *error)
{
    uint64_t bytes[PTX_SPACE_COUNT] = {0};
    for (uint32_t i = 0; i < module->var_count; i++)
        bytes[module->vars[i]->space] += module->vars[i]->bytes;
    fprintf(stderr, "ptxas info    : %" PRIu64 " bytes gmem", bytes[PTX_SPACE_GLOBAL]);
    if (bytes[PTX_SPACE_CONST]) fprintf(stderr, ", %" PRIu64 " bytes cmem[3]", bytes[PTX_SPACE_CONST]);
    fputc('\n', stderr);
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i]->is_entry && module->functions[i]->has_body)
            SW_TRY(report_entry(module, module->functions[i], error));
    return SW_OK;
}

enum sw_status toolchain_ptx_check(struct str *text, const char *path, const struct toolchain_ptx_use *use,
                                   struct sw_error *error)
{
    struct ptx_module *module;
    if (!sw_starts_with(str_text(text) + strspn(str_text(text), " \t\r\n"), "//") &&
        !strstr(str_text(text), ".version"))
        return SW_OK; /* nothing that is PTX, which the writer of containers will say */
    if (use->max_registers) limit_registers(text, use->max_registers);
    SW_TRY(ptx_parse(str_text(text), text->length, path, &module, error));
    enum sw_status status = ptx_verify(module, error);
    if (status == SW_OK) status = ptx_check_known(module, error);
    if (status == SW_OK && use->reports) status = ptx_report(module, error);
    ptx_module_free(module);
    return status;
}
