/* SPDX-License-Identifier: Apache-2.0 */
/* Is every instruction of a module known? For tools that judge a text as a whole: a compiler, a checker. The
 * driver does not ask, because a program may hold kernels that it never launches; there each kernel is
 * refused when it is launched. */
#include "ptx_priv.h"

const char *ptx_source_line(const struct ptx_module *module, const struct ptx_instr *instr,
                            struct arena *arena)
{
    const struct ptx_loc *loc = instr->loc;
    const char *file = loc && loc->file < module->file_count ? module->files[loc->file] : NULL;
    return file ? arena_printf(arena, " (%s:%u)", file, loc->line) : "";
}

static enum sw_status unknown(const struct ptx_module *module, const struct ptx_function *function,
                              const struct ptx_instr *instr, struct sw_error *error)
{
    struct arena arena;
    arena_init(&arena);
    enum sw_status status = sw_fail_at(
        error, SW_UNSUPPORTED, module->name, instr->line, instr->column,
        "unknown instruction '%s' in %s '%s'%s: correct it, or compile for an older PTX version or "
        "target",
        instr->text, function->is_entry ? "kernel" : "function", function->name,
        ptx_source_line(module, instr, &arena));
    arena_release(&arena);
    return status;
}

enum sw_status ptx_check_known(const struct ptx_module *module, struct sw_error *error)
{
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = module->functions[f];
        for (uint32_t i = 0; i < function->instr_count; i++)
            if (function->instrs[i].op == ISA_OP_UNKNOWN)
                return unknown(module, function, &function->instrs[i], error);
    }
    return SW_OK;
}
