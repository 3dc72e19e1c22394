/* SPDX-License-Identifier: Apache-2.0 */
/* A module at a glance: one line for each function that has a body, kernels as they are once flattened.
 * Limits: shared and local bytes are the sums of what the function declares, without padding between
 * variables. */
#include "ptx_priv.h"

#include <inttypes.h>

struct figures {
    uint64_t shared_bytes, local_bytes;
    uint32_t loops, calls;
};

static struct figures summary_count(const struct ptx_function *f, const struct ptx_cfg *cfg)
{
    struct figures figures = {0};
    for (uint32_t i = 0; i < f->var_count; i++) {
        figures.shared_bytes += f->vars[i]->space == PTX_SPACE_SHARED ? f->vars[i]->bytes : 0;
        figures.local_bytes += f->vars[i]->space == PTX_SPACE_LOCAL ? f->vars[i]->bytes : 0;
    }
    for (uint32_t i = 0; i < f->instr_count; i++)
        figures.calls += f->instrs[i].op == ISA_OP_CALL;
    for (uint32_t b = 0; b < cfg->block_count; b++)
        figures.loops += cfg->blocks[b].loop_header == b;
    return figures;
}

static void print_figures(const struct ptx_function *f, const struct ptx_cfg *cfg, uint32_t live_bytes,
                          struct str *out)
{
    struct figures n = summary_count(f, cfg);
    str_printf(out,
               "%s %s: %" PRIu32 " instructions, %" PRIu32 " registers (%" PRIu32
               " bytes live at most), %" PRIu32 " blocks, %" PRIu32 " loops",
               f->is_entry ? "entry" : "func", f->name, f->instr_count, f->reg_count, live_bytes,
               cfg->block_count - 1, n.loops);
    if (cfg->irreducible) str_add(out, ", irreducible");
    if (n.calls) str_printf(out, ", %" PRIu32 " calls", n.calls);
    if (n.shared_bytes) str_printf(out, ", %" PRIu64 " bytes shared", n.shared_bytes);
    if (n.local_bytes) str_printf(out, ", %" PRIu64 " bytes local", n.local_bytes);
    if (f->is_entry) str_printf(out, ", %" PRIu64 " bytes of parameters", f->param_bytes);
    str_add_char(out, '\n');
}

static enum sw_status summarise_function(const struct ptx_module *module, const struct ptx_function *f,
                                         struct arena *arena, struct str *out, struct sw_error *error)
{
    struct ptx_function *flat;
    struct ptx_cfg cfg;
    SW_TRY(ptx_flatten(module, f, arena, &flat, error));
    SW_TRY(ptx_cfg_build(flat, arena, &cfg, error));
    print_figures(flat, &cfg, ptx_live_bytes(&cfg), out);
    return SW_OK;
}

enum sw_status ptx_print_summary(const struct ptx_module *module, struct str *out, struct sw_error *error)
{
    enum sw_status status = SW_OK;
    str_printf(out, "%s: PTX %u.%u for sm_%u%.1s, %" PRIu32 " functions, %" PRIu32 " variables\n",
               module->name, module->version_major, module->version_minor, module->sm, &module->sm_suffix,
               module->function_count, module->var_count);
    for (uint32_t i = 0; i < module->function_count && status == SW_OK; i++) {
        struct arena arena;
        if (!module->functions[i]->has_body) continue;
        arena_init(&arena);
        status = summarise_function(module, module->functions[i], &arena, out, error);
        arena_release(&arena);
    }
    return status;
}
