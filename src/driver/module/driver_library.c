/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries: images that belong to no context. Each context that uses one gets a module of it, made at first
 * use; a CUkernel is a name in a library and becomes the function of whichever context is current. */
#include "driver_module.h"

#include "driver/stream/driver_stream.h"

#include <stdlib.h>
#include <string.h>

struct driver_library {
    struct driver_object object;
    pthread_mutex_t lock;
    struct map programs; /* by compute capability: struct driver_program; not changed after loading */
    struct map modules;  /* by context id: struct driver_module, references */
    struct map kernels;  /* by name: struct driver_kernel */
};
struct driver_kernel {
    struct driver_object object;
    struct driver_library *library; /* owns this */
    char *name;
};

static void kernel_end(struct driver_object *object)
{
    free(((struct driver_kernel *)object)->name);
    free(object);
}

static void library_end(struct driver_object *object)
{
    struct driver_library *library = (struct driver_library *)object;
    void *value;
    for (size_t i = 0; map_next(&library->kernels, &i, &value);) {
        driver_handle_take(value, DRIVER_KERNEL);
        driver_object_unref(value);
    }
    for (size_t i = 0; map_next(&library->modules, &i, &value);) {
        driver_module_unload(value);
        driver_object_unref(value);
    }
    for (size_t i = 0; map_next(&library->programs, &i, &value);)
        driver_object_unref(value);
    map_release(&library->kernels);
    map_release(&library->modules);
    map_release(&library->programs);
    pthread_mutex_destroy(&library->lock);
    free(library);
}

static uint64_t library_key_of(const struct driver_device *device)
{
    return device->cc->major * 10 + device->cc->minor;
}

/* What was parsed for devices like this one. The program may have given its image back since, so all is
 * parsed when the library is loaded. */
static CUresult program_of(struct driver_library *library, const struct driver_device *device,
                           struct driver_program **out)
{
    *out = map_get_u64(&library->programs, library_key_of(device));
    return *out ? CUDA_SUCCESS : CUDA_ERROR_NO_BINARY_FOR_GPU;
}

static CUresult module_locked(struct driver_library *library, struct driver_context *context,
                              struct driver_module **out)
{
    *out = map_get_u64(&library->modules, context->id);
    if (*out) return CUDA_SUCCESS;
    struct driver_program *program;
    DRIVER_TRY(program_of(library, context->device, &program));
    DRIVER_TRY(driver_module_new(context, program, NULL, out));
    (*out)->of_library = true;
    driver_object_ref(&(*out)->object);
    map_set_u64(&library->modules, context->id, *out);
    return CUDA_SUCCESS;
}

/* The library's module in the current context; not a reference. */
static CUresult module_current(struct driver_library *library, struct driver_module **out)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    pthread_mutex_lock(&library->lock);
    CUresult result = module_locked(library, context, out);
    pthread_mutex_unlock(&library->lock);
    return result;
}

static const struct driver_device *device_now(void)
{
    struct driver_context *context;
    return driver_context_any(&context) == CUDA_SUCCESS ? context->device : &driver.devices[0];
}

/* Kernels can be named before there is a context: by the program of the first device. */
static CUresult program_any(struct driver_library *library, struct driver_program **out)
{
    return program_of(library, device_now(), out);
}

/* For the device in use it must work; for others of another kind it may not. */
static CUresult parse_all(struct driver_library *library, const void *image, uint64_t size)
{
    struct driver_program *program;
    DRIVER_TRY(driver_program_new(image, size, device_now(), &program));
    map_set_u64(&library->programs, library_key_of(device_now()), program);
    for (int i = 0; i < driver.device_count; i++) {
        const struct driver_device *device = &driver.devices[i];
        if (map_get_u64(&library->programs, library_key_of(device))) continue;
        if (driver_program_new(image, size, device, &program) == CUDA_SUCCESS)
            map_set_u64(&library->programs, library_key_of(device), program);
    }
    return CUDA_SUCCESS;
}

static CUresult library_new(CUlibrary *out, const void *image, uint64_t size)
{
    struct driver_library *library = sw_xcalloc(1, sizeof *library);
    driver_object_init(&library->object, DRIVER_LIBRARY, library_end);
    pthread_mutex_init(&library->lock, NULL);
    CUresult result = parse_all(library, image, size); /* a bad image is reported now */
    if (result != CUDA_SUCCESS) {
        driver_object_unref(&library->object);
        return result;
    }
    driver_handle_add(&library->object);
    *out = (CUlibrary)library;
    return CUDA_SUCCESS;
}

DRIVER_API cuLibraryLoadData(CUlibrary *out, const void *image, CUjit_option *jit, void **jit_values,
                             unsigned jit_count, CUlibraryOption *options, void **values, unsigned count)
{
    (void)options, (void)values, (void)count;
    DRIVER_TRY(driver_ready());
    if (!out || !image || (jit_count && (!jit || !jit_values))) return CUDA_ERROR_INVALID_VALUE;
    struct driver_jit asked;
    driver_jit_begin(&asked, jit_count, jit, jit_values);
    return driver_jit_end(&asked, library_new(out, image, UINT64_MAX));
}

DRIVER_API cuLibraryLoadFromFile(CUlibrary *out, const char *path, CUjit_option *jit, void **jit_values,
                                 unsigned jit_count, CUlibraryOption *options, void **values, unsigned count)
{
    (void)options, (void)values, (void)count;
    DRIVER_TRY(driver_ready());
    if (!out || !path || (jit_count && (!jit || !jit_values))) return CUDA_ERROR_INVALID_VALUE;
    struct driver_jit asked;
    driver_jit_begin(&asked, jit_count, jit, jit_values);
    uint8_t *bytes;
    uint64_t size;
    DRIVER_TRY(driver_file_read(path, &bytes, &size));
    CUresult result = library_new(out, bytes, size);
    free(bytes);
    return driver_jit_end(&asked, result);
}

DRIVER_API cuLibraryUnload(CUlibrary handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_library *library = driver_handle_take(handle, DRIVER_LIBRARY);
    if (!library) return CUDA_ERROR_INVALID_HANDLE;
    driver_scheduler_wait_all();
    driver_object_unref(&library->object);
    return CUDA_SUCCESS;
}

static CUresult library_get(CUlibrary handle, struct driver_library **out)
{
    DRIVER_TRY(driver_ready());
    *out = driver_handle_get(handle, DRIVER_LIBRARY);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult kernel_of(struct driver_library *library, const char *name, CUkernel *out)
{
    struct driver_program *program;
    DRIVER_TRY(program_any(library, &program));
    const struct ptx_function *entry = ptx_find_function(program->ptx, name);
    if (!entry || !entry->is_entry || !entry->has_body) return CUDA_ERROR_NOT_FOUND;
    pthread_mutex_lock(&library->lock);
    struct driver_kernel *kernel = map_get(&library->kernels, name);
    if (!kernel) {
        kernel = sw_xcalloc(1, sizeof *kernel);
        driver_object_init(&kernel->object, DRIVER_KERNEL, kernel_end);
        kernel->library = library;
        kernel->name = sw_xstrdup(name);
        map_set(&library->kernels, kernel->name, kernel);
        driver_handle_add(&kernel->object);
    }
    pthread_mutex_unlock(&library->lock);
    *out = (CUkernel)kernel;
    return CUDA_SUCCESS;
}

DRIVER_API cuLibraryGetKernel(CUkernel *out, CUlibrary handle, const char *name)
{
    if (!out || !name) return CUDA_ERROR_INVALID_VALUE;
    struct driver_library *library;
    DRIVER_TRY(library_get(handle, &library));
    CUresult result = kernel_of(library, name, out);
    driver_object_unref(&library->object);
    return result;
}

DRIVER_API cuLibraryGetKernelCount(unsigned *count, CUlibrary handle)
{
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    struct driver_library *library;
    DRIVER_TRY(library_get(handle, &library));
    struct driver_program *program;
    CUresult result = program_any(library, &program);
    if (result == CUDA_SUCCESS) *count = driver_module_count_entries(program->ptx);
    driver_object_unref(&library->object);
    return result;
}

DRIVER_API cuLibraryEnumerateKernels(CUkernel *out, unsigned capacity, CUlibrary handle)
{
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    struct driver_library *library;
    DRIVER_TRY(library_get(handle, &library));
    struct driver_program *program;
    CUresult result = program_any(library, &program);
    unsigned count = 0;
    for (uint32_t i = 0; result == CUDA_SUCCESS && i < program->ptx->function_count && count < capacity; i++)
        count += kernel_of(library, program->ptx->functions[i]->name, &out[count]) == CUDA_SUCCESS;
    driver_object_unref(&library->object);
    return result;
}

DRIVER_API cuLibraryGetModule(CUmodule *out, CUlibrary handle)
{
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    struct driver_library *library;
    DRIVER_TRY(library_get(handle, &library));
    struct driver_module *module;
    CUresult result = module_current(library, &module);
    if (result == CUDA_SUCCESS) *out = (CUmodule)module;
    driver_object_unref(&library->object);
    return result;
}

static CUresult library_global(CUdeviceptr *address, size_t *bytes, CUlibrary handle, const char *name,
                               bool managed)
{
    if (!name || !*name || (!address && !bytes)) return CUDA_ERROR_INVALID_VALUE;
    struct driver_library *library;
    DRIVER_TRY(library_get(handle, &library));
    struct driver_module *module;
    dev_addr at;
    uint64_t size;
    CUresult result = module_current(library, &module);
    if (result == CUDA_SUCCESS) result = driver_module_global(module, name, &at, &size, managed);
    if (result == CUDA_SUCCESS && address) *address = at;
    if (result == CUDA_SUCCESS && bytes) *bytes = size;
    driver_object_unref(&library->object);
    return result;
}

DRIVER_API cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    return library_global(address, bytes, library, name, false);
}

DRIVER_API cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    return library_global(address, bytes, library, name, true);
}

/* ---- kernels */

static CUresult kernel_function(struct driver_kernel *kernel, struct driver_function **out)
{
    struct driver_module *module;
    DRIVER_TRY(module_current(kernel->library, &module));
    return driver_module_function(module, kernel->name, out);
}

static struct driver_object *function_owner(struct driver_object *function)
{
    return &((struct driver_function *)function)->module->object;
}

CUresult driver_function_get(CUfunction handle, struct driver_function **out)
{
    DRIVER_TRY(driver_ready());
    struct driver_function *function = driver_handle_get_part(handle, DRIVER_FUNCTION, function_owner);
    if (!function) {
        struct driver_kernel *kernel = driver_handle_get(handle, DRIVER_KERNEL);
        if (!kernel) return CUDA_ERROR_INVALID_HANDLE;
        CUresult result = kernel_function(kernel, &function);
        if (result == CUDA_SUCCESS) driver_object_ref(&function->module->object);
        driver_object_unref(&kernel->object);
        DRIVER_TRY(result);
    }
    CUresult fault = (CUresult)atomic_load(&function->module->context->fault);
    if (fault != CUDA_SUCCESS) {
        driver_function_put(function);
        return fault;
    }
    *out = function;
    return CUDA_SUCCESS;
}

void driver_function_put(struct driver_function *function)
{
    driver_object_unref(&function->module->object);
}

static CUresult kernel_get(CUkernel handle, struct driver_kernel **out)
{
    DRIVER_TRY(driver_ready());
    *out = driver_handle_get(handle, DRIVER_KERNEL);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

DRIVER_API cuKernelGetFunction(CUfunction *out, CUkernel handle)
{
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    struct driver_kernel *kernel;
    DRIVER_TRY(kernel_get(handle, &kernel));
    struct driver_function *function;
    CUresult result = kernel_function(kernel, &function);
    if (result == CUDA_SUCCESS) *out = (CUfunction)function;
    driver_object_unref(&kernel->object);
    return result;
}

DRIVER_API cuKernelGetLibrary(CUlibrary *out, CUkernel handle)
{
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    struct driver_kernel *kernel;
    DRIVER_TRY(kernel_get(handle, &kernel));
    *out = (CUlibrary)kernel->library;
    driver_object_unref(&kernel->object);
    return CUDA_SUCCESS;
}

DRIVER_API cuKernelGetName(const char **name, CUkernel handle)
{
    if (!name || !handle) return CUDA_ERROR_INVALID_VALUE;
    struct driver_kernel *kernel;
    DRIVER_TRY(kernel_get(handle, &kernel));
    *name = kernel->name;
    driver_object_unref(&kernel->object);
    return CUDA_SUCCESS;
}

static CUresult param_info(const struct ptx_function *entry, size_t index, size_t *offset, size_t *bytes)
{
    if (index >= entry->param_count) return CUDA_ERROR_INVALID_VALUE;
    *offset = entry->params[index]->offset;
    if (bytes) *bytes = entry->params[index]->bytes;
    return CUDA_SUCCESS;
}

DRIVER_API cuKernelGetParamInfo(CUkernel handle, size_t index, size_t *offset, size_t *bytes)
{
    if (!offset || !handle) return CUDA_ERROR_INVALID_VALUE;
    struct driver_kernel *kernel;
    DRIVER_TRY(kernel_get(handle, &kernel));
    struct driver_program *program;
    CUresult result = program_any(kernel->library, &program);
    if (result == CUDA_SUCCESS)
        result = param_info(ptx_find_function(program->ptx, kernel->name), index, offset, bytes);
    driver_object_unref(&kernel->object);
    return result;
}

DRIVER_API cuFuncGetParamInfo(CUfunction handle, size_t index, size_t *offset, size_t *bytes)
{
    if (!offset || !handle) return CUDA_ERROR_INVALID_VALUE;
    struct driver_function *function;
    DRIVER_TRY(driver_function_get(handle, &function));
    CUresult result = param_info(function->entry, index, offset, bytes);
    driver_function_put(function);
    return result;
}

DRIVER_API cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device)
{
    struct driver_device *checked;
    DRIVER_TRY(driver_device_get(device, &checked));
    return cuFuncGetAttribute(value, attribute, (CUfunction)kernel);
}

DRIVER_API cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device)
{
    struct driver_device *checked;
    DRIVER_TRY(driver_device_get(device, &checked));
    return cuFuncSetAttribute((CUfunction)kernel, attribute, value);
}

DRIVER_API cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device)
{
    struct driver_device *checked;
    DRIVER_TRY(driver_device_get(device, &checked));
    return cuFuncSetCacheConfig((CUfunction)kernel, config);
}
