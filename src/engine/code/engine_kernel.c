/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: modules and kernels, as objects.
 * Method: a kernel is flattened and described when first asked for, and compiled when first launched.
 * Limits: none of its own. */
#include "engine/core/engine_object.h"

#include "engine/core/engine_permissions.h"
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
