/* SPDX-License-Identifier: Apache-2.0 */
/* What each kernel of a module needs. Method: registers are the estimate that cudaFuncGetAttributes gives
 * (the most bytes of PTX registers live at once), memory is what the kernel's instructions name, both once
 * calls are inlined. Limits: no machine code, so no spills; frames of functions that stay calls do not count.
 */
#include "toolchain_priv.h"

#include "fatbin/fatbin.h"
#include "ptx/ptx.h"

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

static uint32_t most_threads(const struct ptx_function *f)
{
    const uint32_t *declared = f->reqntid[0] ? f->reqntid : f->maxntid;
    uint64_t product = declared[0];
    for (int i = 1; i < 3; i++)
        product *= declared[i] ? declared[i] : 1;
    return product > UINT32_MAX ? UINT32_MAX : (uint32_t)product;
}

static enum sw_status describe(const struct ptx_module *module, const struct ptx_function *entry,
                               struct fatbin_resources *out, struct sw_error *error)
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
        out->registers = ptx_register_estimate(ptx_live_bytes(&cfg), entry->maxnreg);
        out->shared_bytes = (uint32_t)needs.bytes[PTX_SPACE_SHARED];
        out->local_bytes = out->stack_bytes = (uint32_t)needs.bytes[PTX_SPACE_LOCAL];
        out->param_bytes = (uint32_t)entry->param_bytes;
        out->max_threads = most_threads(entry);
        out->barriers = needs.barriers;
    }
    map_release(&needs.seen);
    arena_release(&arena);
    return status;
}

enum sw_status toolchain_resources(const struct ptx_module *module, struct arena *arena,
                                   struct fatbin_resources **out, uint32_t *count, struct sw_error *error)
{
    struct fatbin_resources *all = ARENA_ARRAY(arena, struct fatbin_resources, module->function_count);
    uint32_t kernels = 0;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *f = module->functions[i];
        if (!f->is_entry || !f->has_body) continue;
        all[kernels].kernel = arena_strdup(arena, f->name);
        SW_TRY(describe(module, f, &all[kernels++], error));
    }
    *out = all;
    *count = kernels;
    return SW_OK;
}
