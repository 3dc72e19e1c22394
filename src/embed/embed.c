/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the public C API (include/softwarp/softwarp.h) over ptx/, vmem/ and engine/.
 * Method: thin. Module variables get device memory and their initial values here; counters are sums over the
 * table of instructions that the engine gives for a launch. Limits: no streams, no copies: memory is shared
 * with the host and launches are synchronous. */
#include "softwarp/softwarp.h"

#include "arch/arch.h"
#include "engine/engine.h"
#include "model/access/model_access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PUBLIC __attribute__((visibility("default")))

struct softwarp {
    struct vmem *vmem;
    struct engine *engine;
    struct event_tool tool;
};

struct softwarp_module {
    struct softwarp *gpu;
    struct ptx_module *ptx;
    struct engine_module *engine;
    uint64_t *symbols; /* by variable; 0: no memory */
};

static int embed_give(struct softwarp_error *out, const struct sw_error *error)
{
    char text[900];
    if (!out) return sw_status_cuda(error->status);
    out->status = sw_status_cuda(error->status);
    snprintf(out->message, sizeof out->message, "%.*s", (int)sizeof out->message - 1,
             sw_error_format(error, text, sizeof text));
    return out->status;
}

/* ---- GPU
 * -------------------------------------------------------------------------------------------------------- */

static enum sw_status choose_rules(const char *name, struct event_tool *tool, struct sw_error *error)
{
    struct arch_gpu gpu;
    SW_TRY(arch_gpu_load(name ? name : "h200", &gpu, error));
    const struct arch_cc *cc = arch_cc_find(gpu.cc_major, gpu.cc_minor);
    if (!cc)
        return sw_fail(error, SW_INVALID_DEVICE, "compute capability %u.%u is not known", gpu.cc_major,
                       gpu.cc_minor);
    *tool = (struct event_tool){
        .probes = EVENT_PROBE_COUNT,
        .rules = model_rules(cc),
        .count = {model_count_global, model_count_local, model_count_shared, model_count_constant}};
    return SW_OK;
}

static enum sw_status open_engine(struct softwarp *gpu, const struct softwarp_options *options,
                                  struct sw_error *error)
{
    struct engine_config config = {.threads = options->threads,
                                   .isa = -1,
                                   .vmem = gpu->vmem,
                                   .tool = &gpu->tool,
                                   .print = options->print,
                                   .print_user = options->user,
                                   .heap_bytes = options->heap_bytes};
    return engine_new(&config, &gpu->engine, error);
}

PUBLIC int softwarp_open(const struct softwarp_options *options, struct softwarp **out,
                         struct softwarp_error *error)
{
    static const struct softwarp_options defaults;
    struct sw_error why = {0};
    struct softwarp *gpu = sw_xcalloc(1, sizeof *gpu);
    if (!options) options = &defaults;
    enum sw_status status = choose_rules(options->gpu, &gpu->tool, &why);
    if (status == SW_OK) status = vmem_new(&gpu->vmem, &why);
    if (status == SW_OK) status = open_engine(gpu, options, &why);
    if (status != SW_OK) {
        vmem_free_all(gpu->vmem);
        free(gpu);
        return embed_give(error, &why);
    }
    *out = gpu;
    return 0;
}

PUBLIC void softwarp_close(struct softwarp *gpu)
{
    if (!gpu) return;
    engine_free(gpu->engine);
    vmem_free_all(gpu->vmem);
    free(gpu);
}

PUBLIC void *softwarp_alloc(struct softwarp *gpu, size_t bytes)
{
    dev_addr at = 0;
    if (vmem_alloc(gpu->vmem, bytes, VMEM_DEVICE, 0, 0, 0, &at) != SW_OK) return NULL;
    return (void *)(uintptr_t)at;
}

PUBLIC void softwarp_free(struct softwarp *gpu, void *memory)
{
    if (memory) (void)vmem_release(gpu->vmem, (dev_addr)(uintptr_t)memory);
}

/* ---- modules
 * ---------------------------------------------------------------------------------------------------- */

static bool has_memory(const struct ptx_var *var)
{
    return (var->space == PTX_SPACE_GLOBAL || var->space == PTX_SPACE_CONST) && var->bytes > 0;
}

static enum sw_status place_variables(struct softwarp_module *module, struct sw_error *error)
{
    const struct ptx_module *ptx = module->ptx;
    module->symbols = sw_xcalloc(ptx->var_count + 1, sizeof *module->symbols);
    for (uint32_t i = 0; i < ptx->var_count; i++) {
        const struct ptx_var *var = ptx->vars[i];
        if (!has_memory(var)) continue;
        if (vmem_alloc(module->gpu->vmem, var->bytes, VMEM_DEVICE, 0, 0, 0, &module->symbols[i]) != SW_OK)
            return sw_fail(error, SW_OUT_OF_MEMORY, "no memory for '%s'", var->name);
    }
    return SW_OK;
}

static uint64_t reloc_value(const struct softwarp_module *module, const struct ptx_init_reloc *reloc)
{
    if (reloc->var) return module->symbols[reloc->var->index] + (uint64_t)reloc->addend;
    for (uint32_t i = 0; i < module->ptx->function_count; i++)
        if (module->ptx->functions[i] == reloc->function) return JIT_FUNCTION_TOKEN(i);
    return 0;
}

static void fill_variables(struct softwarp_module *module)
{
    for (uint32_t i = 0; i < module->ptx->var_count; i++) {
        const struct ptx_var *var = module->ptx->vars[i];
        uint8_t *at = (uint8_t *)(uintptr_t)module->symbols[i];
        if (!at) continue;
        if (var->init) memcpy(at, var->init, var->bytes);
        for (uint32_t r = 0; r < var->reloc_count; r++) {
            uint64_t value = reloc_value(module, &var->relocs[r]) >> var->relocs[r].shift;
            memcpy(at + var->relocs[r].offset, &value, var->relocs[r].bytes);
        }
    }
}

PUBLIC void softwarp_unload(struct softwarp_module *module)
{
    if (!module) return;
    engine_module_free(module->engine);
    for (uint32_t i = 0; module->symbols && i < module->ptx->var_count; i++)
        if (module->symbols[i]) (void)vmem_release(module->gpu->vmem, module->symbols[i]);
    free(module->symbols);
    if (module->ptx) ptx_module_free(module->ptx);
    free(module);
}

PUBLIC int softwarp_load(struct softwarp *gpu, const char *text, size_t length, struct softwarp_module **out,
                         struct softwarp_error *error)
{
    struct sw_error why = {0};
    struct softwarp_module *module = sw_xcalloc(1, sizeof *module);
    module->gpu = gpu;
    enum sw_status status = ptx_parse(text, length, "ptx", &module->ptx, &why);
    if (status == SW_OK) status = place_variables(module, &why);
    if (status == SW_OK) {
        fill_variables(module);
        status = engine_module_new(gpu->engine, module->ptx, module->symbols, &module->engine, &why);
    }
    if (status != SW_OK) {
        softwarp_unload(module);
        return embed_give(error, &why);
    }
    *out = module;
    return 0;
}

PUBLIC void *softwarp_symbol(struct softwarp_module *module, const char *name, size_t *bytes)
{
    const struct ptx_var *var = ptx_find_var(module->ptx, name);
    if (!var || !has_memory(var)) return NULL;
    if (bytes) *bytes = var->bytes;
    return (void *)(uintptr_t)module->symbols[var->index];
}

/* ---- counters
 * --------------------------------------------------------------------------------------------------- */

static uint64_t embed_slot(const uint64_t *values, uint32_t index)
{
    return index == EVENT_NO_SLOT ? 0 : values[index];
}

static void embed_add_access(struct softwarp_accesses *sum, const struct event_access_slots *slots,
                             const uint64_t *values)
{
    sum->requests += embed_slot(values, slots->requests);
    sum->units += embed_slot(values, slots->units);
    sum->ideal_units += embed_slot(values, slots->ideal);
}

static void embed_add_instr(struct softwarp_counters *out, const struct event_instr *instr,
                            const uint64_t *values)
{
    const struct event_access_slots *access = instr->slots.access;
    bool atomic = instr->cls == ISA_CLASS_ATOMIC, store = instr->cls == ISA_CLASS_STORE;
    out->warp_instructions += embed_slot(values, instr->slots.warps);
    out->thread_instructions += embed_slot(values, instr->slots.lanes);
    if (instr->cls == ISA_CLASS_BRANCH) out->branches += embed_slot(values, instr->slots.warps);
    out->divergent_branches += embed_slot(values, instr->slots.divergent);
    embed_add_access(atomic  ? &out->global_atomic
                     : store ? &out->global_store
                             : &out->global_load,
                     &access[EVENT_ACCESS_GLOBAL], values);
    embed_add_access(store ? &out->local_store : &out->local_load, &access[EVENT_ACCESS_LOCAL], values);
    embed_add_access(atomic  ? &out->shared_atomic
                     : store ? &out->shared_store
                             : &out->shared_load,
                     &access[EVENT_ACCESS_SHARED], values);
}

static void sum_counters(const struct event_kernel *kernel, const uint64_t *values,
                         struct softwarp_counters *out)
{
    *out = (struct softwarp_counters){0};
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        embed_add_instr(out, &kernel->instrs[i], values);
}

/* ---- launches
 * --------------------------------------------------------------------------------------------------- */

static void pack_arguments(const struct ptx_function *function, const void *const *arguments, uint8_t *out)
{
    for (uint32_t i = 0; i < function->param_count; i++)
        memcpy(out + function->params[i]->offset, arguments[i], function->params[i]->bytes);
}

static enum sw_status run_counted(struct softwarp_module *module, struct engine_launch *launch,
                                  struct softwarp_counters *counters, struct sw_error *error)
{
    const struct event_kernel *described;
    uint32_t slots;
    launch->count = true;
    SW_TRY(engine_launch_slots(module->gpu->engine, launch, &slots, &described, error));
    uint64_t *values = sw_xcalloc(slots + 1u, sizeof *values);
    launch->counters = values;
    enum sw_status status = engine_launch(module->gpu->engine, launch, error);
    if (status == SW_OK) sum_counters(described, values, counters);
    free(values);
    return status;
}

static enum sw_status embed_run(struct softwarp_module *module, const struct softwarp_launch *from,
                                struct softwarp_counters *counters, struct sw_error *error)
{
    struct engine_launch launch = {.dynamic_shared_bytes = from->dynamic_shared_bytes,
                                   .cooperative = from->cooperative != 0};
    SW_TRY(engine_kernel_get(module->engine, from->kernel, &launch.kernel, error));
    const struct ptx_function *function = engine_kernel_function(launch.kernel);
    if (function->param_count && !from->arguments)
        return sw_fail(error, SW_INVALID_VALUE, "'%s' has %u parameters, but there are no arguments",
                       from->kernel, function->param_count);
    memcpy(launch.grid, from->grid, sizeof launch.grid);
    memcpy(launch.block, from->block, sizeof launch.block);
    uint8_t *params = sw_xcalloc(1, function->param_bytes + 1);
    pack_arguments(function, from->arguments, params);
    launch.params = params;
    enum sw_status status = counters ? run_counted(module, &launch, counters, error)
                                     : engine_launch(module->gpu->engine, &launch, error);
    free(params);
    return status;
}

PUBLIC int softwarp_run(struct softwarp_module *module, const struct softwarp_launch *launch,
                        struct softwarp_counters *counters, struct softwarp_error *error)
{
    struct sw_error why = {0};
    return embed_run(module, launch, counters, &why) == SW_OK ? 0 : embed_give(error, &why);
}
