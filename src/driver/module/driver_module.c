/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: a program placed in a context. Global and constant variables get memory, initial values and, where
 * an initialiser is an address, that address; kernels are looked up by name. */
#include "driver_module.h"

#include "driver/core/driver_error.h"
#include "driver/memory/driver_memory.h"
#include "driver/stream/driver_stream.h"
#include "driver/texture/driver_texture.h"

#include <stdlib.h>
#include <string.h>

/* ---- variables */

static bool is_reference(const struct ptx_var *var)
{
    return var->space == PTX_SPACE_GLOBAL && (var->type == ISA_TEXREF || var->type == ISA_SURFREF) &&
           var->count <= 1;
}

static bool has_memory(const struct ptx_var *var)
{
    bool placed = var->space == PTX_SPACE_GLOBAL || var->space == PTX_SPACE_CONST;
    return placed && var->linkage != PTX_LINK_EXTERN && var->bytes;
}

static void release_variables(struct driver_module *module)
{
    for (uint32_t i = 0; i < module->program->ptx->var_count; i++) {
        const void *place = (const void *)(uintptr_t)module->symbols[i];
        if (module->external[i]) vmem_external_remove(driver.vmem, place);
        if (!place || module->external[i]) continue;
        if (is_reference(module->program->ptx->vars[i]))
            driver_reference_free(module->symbols[i]);
        else
            driver_memory_release(module->symbols[i], VMEM_DEVICE, VMEM_MANAGED);
    }
}

/* Variables whose addresses the caller gives, with what is there. */
static void take_external_symbols(struct driver_module *module,
                                  const struct driver_symbol_addresses *addresses_given)
{
    for (size_t i = 0; addresses_given && i < addresses_given->count; i++) {
        const struct ptx_var *var = ptx_find_var(module->program->ptx, addresses_given->names[i]);
        if (!var || var->space != PTX_SPACE_GLOBAL) continue;
        module->symbols[var->index] = (uintptr_t)addresses_given->addresses[i];
        if (!module->external[var->index])
            vmem_external_add(driver.vmem, addresses_given->addresses[i], var->bytes);
        module->external[var->index] = true;
    }
}

static CUresult place_variables(struct driver_module *module)
{
    const struct ptx_module *ptx = module->program->ptx;
    for (uint32_t i = 0; i < ptx->var_count; i++) {
        const struct ptx_var *var = ptx->vars[i];
        if (is_reference(var) && var->linkage != PTX_LINK_EXTERN)
            module->symbols[i] = driver_reference_address(driver_reference_new(var->type == ISA_SURFREF));
        if (!has_memory(var) || is_reference(var) || module->external[i]) continue;
        enum vmem_kind kind = var->managed ? VMEM_MANAGED : VMEM_DEVICE;
        dev_addr address;
        DRIVER_TRY(
            driver_memory_alloc(module->context, var->bytes, kind, CU_MEM_ATTACH_GLOBAL, NULL, &address));
        module->symbols[i] = address;
        driver_memory_set_variable(address, var->name);
        engine_memory_written(driver.engine, address, var->bytes); /* with zeros at least */
        if (var->init) memcpy((void *)(uintptr_t)address, var->init, var->bytes);
    }
    return CUDA_SUCCESS;
}

static uint64_t function_token(const struct ptx_module *ptx, const struct ptx_function *function)
{
    for (uint32_t i = 0; i < ptx->function_count; i++)
        if (ptx->functions[i] == function) return JIT_FUNCTION_TOKEN(i);
    return 0;
}

static void relocate(const struct driver_module *module, const struct ptx_var *var)
{
    for (uint32_t i = 0; i < var->reloc_count; i++) {
        const struct ptx_init_reloc *reloc = &var->relocs[i];
        uint64_t value = reloc->function ? function_token(module->program->ptx, reloc->function)
                                         : module->symbols[reloc->var->index];
        value = (value + (uint64_t)reloc->addend) >> reloc->shift;
        memcpy((void *)(uintptr_t)(module->symbols[var->index] + reloc->offset), &value, reloc->bytes);
    }
}

/* ---- life */

static void function_end(struct driver_object *object)
{
    struct driver_function *function = (struct driver_function *)object;
    free(function->params);
    free(function);
}

/* Its context ends, or the last reference goes. Another thread may be about to launch a function of it, and
 * graphs refer to them: functions and code stay until the end. */
void driver_module_close(struct driver_module *module)
{
    void *value;
    pthread_mutex_lock(&module->lock);
    bool before = module->closed;
    module->closed = true;
    for (size_t i = 0; !before && map_next(&module->functions, &i, &value);)
        driver_handle_take(value, DRIVER_FUNCTION);
    pthread_mutex_unlock(&module->lock);
    if (!before) release_variables(module);
}

static void module_end(struct driver_object *object)
{
    struct driver_module *module = (struct driver_module *)object;
    driver_module_close(module);
    void *value;
    for (size_t i = 0; map_next(&module->functions, &i, &value);)
        driver_object_unref(&((struct driver_function *)value)->object);
    map_release(&module->functions);
    if (module->engine) engine_module_free(module->engine);
    driver_object_unref(&module->context->object);
    free(module->symbols);
    free(module->external);
    driver_object_unref(&module->program->object);
    pthread_mutex_destroy(&module->lock);
    free(module);
}

static CUresult fill_module(struct driver_module *module)
{
    const struct ptx_module *ptx = module->program->ptx;
    DRIVER_TRY(place_variables(module));
    for (uint32_t i = 0; i < ptx->var_count; i++)
        if (module->symbols[i] && !module->external[i] && !is_reference(ptx->vars[i]))
            relocate(module, ptx->vars[i]);
    struct sw_error error = {0};
    enum sw_status status = engine_module_new(driver.engine, ptx, module->symbols, &module->engine, &error);
    return status == SW_OK ? CUDA_SUCCESS : driver_refuse(&error);
}

CUresult driver_module_new(struct driver_context *context, struct driver_program *program,
                           const struct driver_symbol_addresses *addresses_given, struct driver_module **out)
{
    struct driver_module *module = sw_xcalloc(1, sizeof *module);
    driver_object_init(&module->object, DRIVER_MODULE, module_end);
    driver_object_ref(&program->object);
    driver_object_ref(&context->object);
    module->context = context;
    module->program = program;
    module->symbols = sw_xcalloc(program->ptx->var_count + 1, sizeof *module->symbols);
    module->external = sw_xcalloc(program->ptx->var_count + 1, sizeof *module->external);
    pthread_mutex_init(&module->lock, NULL);
    take_external_symbols(module, addresses_given);
    CUresult result = fill_module(module);
    if (result != CUDA_SUCCESS) {
        driver_object_unref(&module->object);
        return result;
    }
    driver_handle_add(&module->object);
    pthread_mutex_lock(&context->lock);
    *vec_push(&context->modules) = module;
    pthread_mutex_unlock(&context->lock);
    if (driver.eager) engine_module_ahead(module->engine, (uint32_t)context->device->ordinal);
    *out = module;
    return CUDA_SUCCESS;
}

static CUresult module_load(CUmodule *out, const void *image, uint64_t size,
                            const struct driver_symbol_addresses *addresses_given)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out || !image) return CUDA_ERROR_INVALID_VALUE;
    struct driver_program *program;
    DRIVER_TRY(driver_program_new(image, size, context->device, &program));
    struct driver_module *module;
    CUresult result = driver_module_new(context, program, addresses_given, &module);
    driver_object_unref(&program->object);
    if (result == CUDA_SUCCESS) *out = (CUmodule)module;
    driver_print_flush();
    return result;
}

DRIVER_API cuModuleLoadData(CUmodule *out, const void *image)
{
    return module_load(out, image, UINT64_MAX, NULL);
}

DRIVER_API cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned count, CUjit_option *options,
                              void **values)
{
    if (count && (!options || !values)) return CUDA_ERROR_INVALID_VALUE;
    struct driver_symbol_addresses addresses_given;
    DRIVER_TRY(driver_jit_symbol_addresses(count, options, values, &addresses_given));
    struct driver_jit jit;
    driver_jit_begin(&jit, count, options, values);
    return driver_jit_end(&jit, module_load(out, image, UINT64_MAX, &addresses_given));
}

DRIVER_API cuModuleLoadFatBinary(CUmodule *out, const void *image)
{
    return module_load(out, image, UINT64_MAX, NULL);
}

DRIVER_API cuModuleLoad(CUmodule *out, const char *path)
{
    DRIVER_TRY(driver_ready());
    if (!path) return CUDA_ERROR_INVALID_VALUE;
    uint8_t *bytes;
    uint64_t size;
    DRIVER_TRY(driver_file_read(path, &bytes, &size));
    CUresult result = module_load(out, bytes, size, NULL);
    free(bytes);
    return result;
}

/* Its handle was taken: its context forgets it, and it ends when nothing uses it any more. */
static void unload(struct driver_module *module)
{
    struct driver_context *owner = module->context;
    pthread_mutex_lock(&owner->lock);
    for (size_t i = 0; i < owner->modules.count; i++)
        if (owner->modules.at[i] == module)
            owner->modules.at[i--] = owner->modules.at[--owner->modules.count];
    pthread_mutex_unlock(&owner->lock);
    driver_object_unref(&module->object);
}

void driver_module_unload(struct driver_module *module)
{
    if (driver_handle_take(module, DRIVER_MODULE)) unload(module); /* else its context has ended */
}

DRIVER_API cuModuleUnload(CUmodule handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_module *module = driver_handle_get(handle, DRIVER_MODULE);
    if (!module) return CUDA_ERROR_INVALID_HANDLE;
    bool of_library = module->of_library;
    bool ours = !of_library && driver_handle_take(handle, DRIVER_MODULE);
    struct driver_context *owner = module->context;
    driver_object_unref(&module->object);
    if (!ours) return of_library ? CUDA_ERROR_NOT_PERMITTED : CUDA_ERROR_INVALID_HANDLE;
    CUresult fault = driver_context_wait(owner);
    unload(module);
    return fault;
}

DRIVER_API cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    DRIVER_TRY(driver_ready());
    if (!mode) return CUDA_ERROR_INVALID_VALUE;
    *mode = driver.eager ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
}

/* ---- what is in it */

static struct driver_function *function_new(struct driver_module *module, const struct ptx_function *entry)
{
    struct driver_function *function = sw_xcalloc(1, sizeof *function);
    driver_object_init(&function->object, DRIVER_FUNCTION, function_end);
    function->module = module;
    function->entry = entry;
    function->carveout = -1;
    map_set(&module->functions, entry->name, function);
    driver_handle_add(&function->object);
    return function;
}

CUresult driver_module_function(struct driver_module *module, const char *name, struct driver_function **out)
{
    const struct ptx_function *entry = ptx_find_function(module->program->ptx, name);
    if (!entry || !entry->is_entry || !entry->has_body) return CUDA_ERROR_NOT_FOUND;
    pthread_mutex_lock(&module->lock);
    bool closed = module->closed;
    struct driver_function *function = map_get(&module->functions, name);
    if (!function && !closed) function = function_new(module, entry);
    pthread_mutex_unlock(&module->lock);
    if (closed) return CUDA_ERROR_INVALID_HANDLE;
    *out = function;
    return CUDA_SUCCESS;
}

CUresult driver_module_global(struct driver_module *module, const char *name, dev_addr *address,
                              uint64_t *bytes, bool managed_only)
{
    const struct ptx_var *var = ptx_find_var(module->program->ptx, name);
    if (!var || !module->symbols[var->index] || (managed_only && !var->managed) || is_reference(var))
        return CUDA_ERROR_NOT_FOUND;
    *address = module->symbols[var->index];
    *bytes = var->bytes;
    return CUDA_SUCCESS;
}

/* Of its own context, whichever is current. */
static CUresult module_get(CUmodule handle, struct driver_module **out)
{
    DRIVER_TRY(driver_ready());
    struct driver_module *module = driver_handle_get(handle, DRIVER_MODULE);
    if (!module) return CUDA_ERROR_INVALID_HANDLE;
    CUresult fault = (CUresult)atomic_load(&module->context->fault);
    if (fault != CUDA_SUCCESS) {
        driver_object_unref(&module->object);
        return fault;
    }
    *out = module;
    return CUDA_SUCCESS;
}

DRIVER_API cuModuleGetFunction(CUfunction *out, CUmodule handle, const char *name)
{
    if (!out || !name || !*name) return CUDA_ERROR_INVALID_VALUE;
    struct driver_module *module;
    DRIVER_TRY(module_get(handle, &module));
    struct driver_function *function;
    CUresult result = driver_module_function(module, name, &function);
    if (result == CUDA_SUCCESS) *out = (CUfunction)function;
    driver_object_unref(&module->object);
    return result;
}

DRIVER_API cuModuleGetFunctionCount(unsigned *count, CUmodule handle)
{
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    struct driver_module *module;
    DRIVER_TRY(module_get(handle, &module));
    *count = driver_module_count_entries(module->program->ptx);
    driver_object_unref(&module->object);
    return CUDA_SUCCESS;
}

DRIVER_API cuModuleEnumerateFunctions(CUfunction *out, unsigned capacity, CUmodule handle)
{
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    struct driver_module *module;
    DRIVER_TRY(module_get(handle, &module));
    const struct ptx_module *ptx = module->program->ptx;
    unsigned count = 0;
    for (uint32_t i = 0; i < ptx->function_count && count < capacity; i++) {
        struct driver_function *function;
        if (driver_module_function(module, ptx->functions[i]->name, &function) == CUDA_SUCCESS)
            out[count++] = (CUfunction)function;
    }
    driver_object_unref(&module->object);
    return CUDA_SUCCESS;
}

DRIVER_API cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule handle, const char *name)
{
    if (!name || !*name || (!address && !bytes)) return CUDA_ERROR_INVALID_VALUE;
    struct driver_module *module;
    DRIVER_TRY(module_get(handle, &module));
    dev_addr at;
    uint64_t size;
    CUresult result = driver_module_global(module, name, &at, &size, false);
    if (result == CUDA_SUCCESS && address) *address = at;
    if (result == CUDA_SUCCESS && bytes) *bytes = size;
    driver_object_unref(&module->object);
    return result;
}

/* ---- texture and surface references */

static CUresult variable_of(CUmodule handle, const char *name, enum isa_type type,
                            struct driver_reference **out)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    struct driver_module *module = driver_handle_get(handle, DRIVER_MODULE);
    if (!module) return CUDA_ERROR_INVALID_HANDLE;
    const struct ptx_var *var = ptx_find_var(module->program->ptx, name);
    bool found = var && var->type == type && module->symbols[var->index];
    if (found) *out = driver_reference_at(module->symbols[var->index]);
    driver_object_unref(&module->object);
    return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

DRIVER_API cuModuleGetTexRef(CUtexref *out, CUmodule module, const char *name)
{
    struct driver_reference *r = NULL;
    if (!out || !name) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(variable_of(module, name, ISA_TEXREF, &r));
    *out = (CUtexref)r;
    return CUDA_SUCCESS;
}

DRIVER_API cuModuleGetSurfRef(CUsurfref *out, CUmodule module, const char *name)
{
    struct driver_reference *r = NULL;
    if (!out || !name) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(variable_of(module, name, ISA_SURFREF, &r));
    *out = (CUsurfref)r;
    return CUDA_SUCCESS;
}
