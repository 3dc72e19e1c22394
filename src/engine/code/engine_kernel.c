/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: modules and kernels, as objects.
 * Method: a kernel is flattened and described when first asked for, and compiled when first launched, or
 * ahead for the block that it is likely to have (engine_ahead.c). Limits: none of its own. */
#include "engine/core/engine_object.h"

#include "engine/core/engine_permissions.h"
#include "engine_ahead.h"
#include "engine_cache.h"
#include "engine_code.h"
#include "engine_describe.h"

#include <stdlib.h>
#include <string.h>

/* ---- modules
 * ---------------------------------------------------------------------------------------------------- */

enum sw_status engine_module_new(struct engine *engine, const struct ptx_module *ptx, const uint64_t *symbols,
                                 struct engine_module **out, struct sw_error *error)
{
    (void)error;
    struct engine_module *module = sw_xcalloc(1, sizeof *module);
    module->engine = engine;
    module->ptx = ptx;
    module->symbols = sw_xcalloc((size_t)ptx->var_count + ptx->function_count + 1, sizeof *module->symbols);
    for (uint32_t i = 0; i < ptx->var_count; i++)
        module->symbols[i] = symbols ? symbols[i] : 0;
    for (uint32_t i = 0; i < ptx->function_count; i++)
        module->symbols[ptx->var_count + i] = JIT_FUNCTION_TOKEN(i);
    pthread_mutex_init(&module->lock, NULL);
    *out = module;
    return SW_OK;
}

static void kernel_free(struct engine_kernel *kernel)
{
    struct engine *engine = kernel->module->engine;
    if (engine->kernel_gone) engine->kernel_gone(engine, &kernel->info);
    engine_variants_release(kernel);
    pthread_mutex_destroy(&kernel->lock);
    pthread_cond_destroy(&kernel->compiled);
    arena_release(&kernel->arena);
    free(kernel);
}

void engine_module_free(struct engine_module *module)
{
    if (!module) return;
    engine_ahead_forget(module);
    while (module->kernels) {
        struct engine_kernel *kernel = module->kernels;
        module->kernels = kernel->next;
        kernel_free(kernel);
    }
    pthread_mutex_destroy(&module->lock);
    free(module->symbols);
    free(module);
}

/* ---- kernels
 * ---------------------------------------------------------------------------------------------------- */

static enum sw_status kernel_new(struct engine_module *module, const struct ptx_function *entry,
                                 struct engine_kernel **out, struct sw_error *error)
{
    struct engine_kernel *kernel = sw_xcalloc(1, sizeof *kernel);
    struct ptx_function *flat = NULL;
    kernel->module = module;
    arena_init(&kernel->arena);
    pthread_mutex_init(&kernel->lock, NULL);
    pthread_cond_init(&kernel->compiled, NULL);
    enum sw_status status = ptx_flatten(module->ptx, entry, &kernel->arena, &flat, error);
    kernel->function = flat;
    if (status == SW_OK) status = engine_kernel_describe(kernel, error);
    if (status != SW_OK) {
        kernel_free(kernel);
        return status;
    }
    engine_kernel_hash(flat, kernel->hash);
    *out = kernel;
    return SW_OK;
}

static enum sw_status kernel_get_locked(struct engine_module *module, const char *name,
                                        struct engine_kernel **out, struct sw_error *error)
{
    for (struct engine_kernel *kernel = module->kernels; kernel; kernel = kernel->next)
        if (strcmp(kernel->info.name, name) == 0) {
            *out = kernel;
            return SW_OK;
        }
    const struct ptx_function *entry = ptx_find_function(module->ptx, name);
    if (!entry || !entry->is_entry || !entry->has_body)
        return sw_fail(error, SW_NOT_FOUND, "no kernel '%s' in module '%s'", name,
                       module->ptx->name ? module->ptx->name : "");
    SW_TRY(kernel_new(module, entry, out, error));
    (*out)->next = module->kernels;
    module->kernels = *out;
    return SW_OK;
}

enum sw_status engine_kernel_get(struct engine_module *module, const char *name, struct engine_kernel **out,
                                 struct sw_error *error)
{
    pthread_mutex_lock(&module->lock);
    enum sw_status status = kernel_get_locked(module, name, out, error);
    pthread_mutex_unlock(&module->lock);
    return status;
}

const struct event_kernel *engine_kernel_info(const struct engine_kernel *kernel)
{
    return &kernel->info;
}

bool engine_kernel_was_cached(struct engine_kernel *kernel, const uint32_t block[3])
{
    bool cached = false;
    pthread_mutex_lock(&kernel->lock);
    for (const struct engine_variant *v = kernel->variants; v; v = v->next)
        if (memcmp(v->block, block, sizeof v->block) == 0) cached |= v->cached;
    pthread_mutex_unlock(&kernel->lock);
    return cached;
}

bool engine_kernel_waits(struct engine_kernel *kernel)
{
    bool waits = false;
    pthread_mutex_lock(&kernel->lock);
    for (const struct engine_variant *v = kernel->variants; v && !waits; v = v->next)
        waits = v->state == ENGINE_READY && v->info.spins != 0;
    pthread_mutex_unlock(&kernel->lock);
    return waits;
}

const struct ptx_function *engine_kernel_function(const struct engine_kernel *kernel)
{
    return kernel->function;
}

static void kernel_set_resources(struct event_kernel *info, uint32_t registers, uint32_t frame_bytes)
{
    uint32_t arrays = info->local_bytes_per_thread;
    info->registers = registers;
    info->registers_exact = true;
    info->spill_bytes = frame_bytes > arrays ? frame_bytes - arrays : 0;
}

void engine_kernel_set_resources(struct engine_kernel *kernel, uint32_t registers, uint32_t frame_bytes)
{
    pthread_mutex_lock(&kernel->lock);
    kernel_set_resources(&kernel->info, registers, frame_bytes);
    for (struct engine_variant *variant = kernel->variants; variant; variant = variant->next)
        kernel_set_resources(&variant->described, registers, frame_bytes);
    pthread_mutex_unlock(&kernel->lock);
}

enum sw_status engine_kernel_prepare(struct engine_kernel *kernel, const uint32_t block[3], uint32_t device,
                                     struct sw_error *error)
{
    struct engine_variant *variant;
    struct engine_variant_options options = {.permissions =
                                                 engine_permissions_matter(kernel->module->engine, device)};
    return engine_variant_get(kernel, block, options, &variant, error);
}

/* ---- before the first launch: for which block */

static bool operand_reads(const struct ptx_operand *operand, enum isa_sreg a, enum isa_sreg b)
{
    if (operand->kind == ISA_OPD_SREG && (operand->sreg == a || operand->sreg == b)) return true;
    for (uint32_t i = 0; i < operand->count && operand->elements; i++)
        if (operand_reads(&operand->elements[i], a, b)) return true;
    return false;
}

static bool function_reads(const struct ptx_function *function, enum isa_sreg a, enum isa_sreg b)
{
    for (uint32_t i = 0; i < function->instr_count; i++)
        for (uint32_t k = 0; k < function->instrs[i].operand_count; k++)
            if (operand_reads(&function->instrs[i].operands[k], a, b)) return true;
    return false;
}

void engine_kernel_usual_block(const struct engine_kernel *kernel, uint32_t block[3])
{
    enum { USUAL = 256, SIDE = 16, PLANE = 8, DEPTH = 4 }; /* assumed: as in CUDA's guides and samples */
    const struct ptx_function *function = kernel->function;
    const uint32_t *given = function->reqntid[0] ? function->reqntid : function->maxntid;
    uint32_t most = kernel->info.max_threads_per_block;
    block[0] = given[0] ? given[0] : USUAL;
    block[1] = given[0] && given[1] ? given[1] : 1;
    block[2] = given[0] && given[2] ? given[2] : 1;
    if (function->reqntid[0] || block[1] > 1 || block[2] > 1 || most < USUAL) return;
    if (function_reads(function, ISA_SREG_TID_Z, ISA_SREG_NTID_Z)) {
        block[0] = block[1] = PLANE;
        block[2] = DEPTH;
    } else if (function_reads(function, ISA_SREG_TID_Y, ISA_SREG_NTID_Y)) {
        block[0] = block[1] = SIDE;
    }
}

static void compile_ahead(struct engine_module *module, const char *name, uint32_t device)
{
    struct engine_kernel *kernel;
    struct sw_error ignored;
    uint32_t block[3];
    if (engine_kernel_get(module, name, &kernel, &ignored) != SW_OK) return;
    engine_kernel_usual_block(kernel, block);
    (void)engine_kernel_prepare(kernel, block, device, &ignored);
}

void engine_module_ahead(struct engine_module *module, uint32_t device)
{
    engine_ahead_add(module, device, compile_ahead);
}
