/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what static constructors of nvcc's and clang's host code register, and the way from a host
 * function or shadow variable to the driver's. Method: registration only stores pointers. A fat binary
 * becomes a module of a context when one of its kernels or variables is first needed there, or when host code
 * asks for its managed variables. Limits: a module of a library that is unloaded stays loaded in the driver,
 * as running work may still use it. A managed variable has the address of its first device's module. */
#include "runtime_priv.h"

#include <pthread.h>
#include <stdlib.h>

struct rt_module { /* a fat binary in a context */
    CUcontext context;
    CUmodule module;
    struct rt_module *next;
};
struct rt_binding { /* a kernel in a context */
    CUcontext context;
    CUfunction function;
    struct rt_binding *next;
};
struct rt_variable {
    const void *host;
    void **managed; /* where the managed address is written; NULL: not managed */
    const char *name;
    size_t bytes;
    struct rt_fatbin *fatbin;
    struct rt_variable *next;
};
struct rt_kernel {
    const void *host;
    const char *name;
    struct rt_fatbin *fatbin;
    struct rt_binding *bindings;
    struct rt_kernel *next;
};
struct rt_fatbin {
    void *wrapper;
    struct rt_module *modules;
    struct rt_kernel *kernels;
    struct rt_variable *variables;
    bool managed_ready;
    struct rt_managed host_managed; /* of softwarp cc */
    struct rt_fatbin *next;
};

static struct {
    pthread_mutex_t lock;
    struct rt_fatbin *fatbins;
    struct map by_host; /* address of a stub or shadow variable -> its rt_kernel or rt_variable */
    struct map handles; /* the rt_kernel that are alive, by their own address */
    struct map adopted; /* the driver's kernels of libraries that the program loaded */
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t registry_key_of(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

void **__cudaRegisterFatBinary(void *wrapper)
{
    struct rt_fatbin *fatbin = sw_xcalloc(1, sizeof(*fatbin));
    fatbin->wrapper = wrapper;
    pthread_mutex_lock(&registry.lock);
    fatbin->next = registry.fatbins;
    registry.fatbins = fatbin;
    pthread_mutex_unlock(&registry.lock);
    return (void **)fatbin;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaRegisterFunction(void **handle, const char *host_function, char *device_function, const char *name,
                            int thread_limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid, int *warp_size)
{
    (void)device_function, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp_size;
    struct rt_fatbin *fatbin = (struct rt_fatbin *)handle;
    struct rt_kernel *kernel = sw_xcalloc(1, sizeof(*kernel));
    *kernel = (struct rt_kernel){.host = host_function, .name = name, .fatbin = fatbin};
    pthread_mutex_lock(&registry.lock);
    kernel->next = fatbin->kernels;
    fatbin->kernels = kernel;
    map_set_u64(&registry.by_host, registry_key_of(host_function), kernel);
    map_set_u64(&registry.handles, registry_key_of(kernel), kernel);
    pthread_mutex_unlock(&registry.lock);
}

static void register_variable(void **handle, const void *host, void **managed, const char *name, size_t bytes)
{
    struct rt_fatbin *fatbin = (struct rt_fatbin *)handle;
    struct rt_variable *variable = sw_xcalloc(1, sizeof(*variable));
    *variable = (struct rt_variable){host, managed, name, bytes, fatbin, NULL};
    pthread_mutex_lock(&registry.lock);
    variable->next = fatbin->variables;
    fatbin->variables = variable;
    map_set_u64(&registry.by_host, registry_key_of(host), variable);
    pthread_mutex_unlock(&registry.lock);
}

void __cudaRegisterVar(void **handle, char *host_var, char *device_address, const char *name, int ext,
                       size_t bytes, int constant, int global)
{
    (void)device_address, (void)ext, (void)constant, (void)global;
    register_variable(handle, host_var, NULL, name, bytes);
}

void __cudaRegisterManagedVar(void **handle, void **host_var, char *device_address, const char *name, int ext,
                              size_t bytes, int constant, int global)
{
    (void)device_address, (void)ext, (void)constant, (void)global;
    register_variable(handle, host_var, host_var, name, bytes);
}

void __cudaRegisterHostVar(void **handle, const char *name, char *host_var, size_t bytes)
{
    (void)handle, (void)name, (void)host_var, (void)bytes; /* host memory that kernels reach as it is */
}

static void free_bindings(struct rt_kernel *kernel)
{
    for (struct rt_binding *binding = kernel->bindings, *next; binding != NULL; binding = next) {
        next = binding->next;
        free(binding);
    }
}

static void free_contents(struct rt_fatbin *fatbin)
{
    for (struct rt_kernel *kernel = fatbin->kernels, *next; kernel != NULL; kernel = next) {
        next = kernel->next;
        map_remove_u64(&registry.by_host, registry_key_of(kernel->host));
        map_remove_u64(&registry.handles, registry_key_of(kernel));
        free_bindings(kernel);
        free(kernel);
    }
    for (struct rt_variable *variable = fatbin->variables, *next; variable != NULL; variable = next) {
        next = variable->next;
        map_remove_u64(&registry.by_host, registry_key_of(variable->host));
        free(variable);
    }
    for (struct rt_module *module = fatbin->modules, *next; module != NULL; module = next) {
        next = module->next;
        free(module);
    }
    rt_managed_release(&fatbin->host_managed);
}

void __cudaUnregisterFatBinary(void **handle)
{
    struct rt_fatbin *fatbin = (struct rt_fatbin *)handle;
    pthread_mutex_lock(&registry.lock);
    struct rt_fatbin **link = &registry.fatbins;
    while (*link != NULL && *link != fatbin)
        link = &(*link)->next;
    if (*link != NULL) {
        *link = fatbin->next;
        free_contents(fatbin);
        free(fatbin);
    }
    pthread_mutex_unlock(&registry.lock);
}

/* Needs the lock and a current context. */
static CUresult module_locked(struct rt_fatbin *fatbin, CUcontext context, CUmodule *out)
{
    for (const struct rt_module *module = fatbin->modules; module != NULL; module = module->next) {
        if (module->context == context) {
            *out = module->module;
            return CUDA_SUCCESS;
        }
    }
    CUmodule loaded = NULL;
    CUresult result = rt_managed_load(fatbin->wrapper, &fatbin->host_managed, &loaded);
    if (result != CUDA_SUCCESS) return result;
    struct rt_module *module = sw_xmalloc(sizeof(*module));
    *module = (struct rt_module){context, loaded, fatbin->modules};
    fatbin->modules = module;
    *out = loaded;
    return CUDA_SUCCESS;
}

static CUresult function_locked(struct rt_kernel *kernel, CUfunction *out)
{
    CUcontext context = rt_context();
    for (const struct rt_binding *binding = kernel->bindings; binding != NULL; binding = binding->next) {
        if (binding->context == context) {
            *out = binding->function;
            return CUDA_SUCCESS;
        }
    }
    CUmodule module = NULL;
    CUfunction function = NULL;
    CUresult result = module_locked(kernel->fatbin, context, &module);
    if (result == CUDA_SUCCESS) result = cuModuleGetFunction(&function, module, kernel->name);
    if (result != CUDA_SUCCESS) return result;
    struct rt_binding *binding = sw_xmalloc(sizeof(*binding));
    *binding = (struct rt_binding){context, function, kernel->bindings};
    kernel->bindings = binding;
    *out = function;
    return CUDA_SUCCESS;
}

/* A stub's address, or a handle that rt_kernel_find gave out. */
static struct rt_kernel *kernel_locked(const void *host_function)
{
    struct rt_kernel *kernel = map_get_u64(&registry.handles, registry_key_of(host_function));
    if (kernel != NULL) return kernel;
    kernel = map_get_u64(&registry.by_host, registry_key_of(host_function));
    if (kernel == NULL || map_get_u64(&registry.handles, registry_key_of(kernel)) == NULL) return NULL;
    return kernel;
}

cudaError_t rt_kernel_find(const void *host_function, struct rt_kernel **out)
{
    pthread_mutex_lock(&registry.lock);
    struct rt_kernel *kernel = kernel_locked(host_function);
    pthread_mutex_unlock(&registry.lock);
    if (kernel == NULL) return cudaErrorInvalidDeviceFunction;
    *out = kernel;
    return cudaSuccess;
}

const void *rt_kernel_host(const void *kernel)
{
    struct rt_kernel *found = NULL;
    return rt_kernel_find(kernel, &found) == cudaSuccess ? found->host : kernel;
}

cudaError_t rt_function(const void *host_function, CUfunction *out)
{
    if (host_function == NULL) return cudaErrorInvalidDeviceFunction;
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&registry.lock);
    struct rt_kernel *kernel = kernel_locked(host_function);
    CUkernel adopted = map_get_u64(&registry.adopted, registry_key_of(host_function));
    if (kernel != NULL) result = function_locked(kernel, out);
    pthread_mutex_unlock(&registry.lock);
    if (kernel == NULL && adopted != NULL) return (cudaError_t)(int)cuKernelGetFunction(out, adopted);
    if (kernel == NULL) return rt_unknown_function;
    return result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidDeviceFunction : (cudaError_t)(int)result;
}

const void *rt_host_function(CUfunction function)
{
    const void *host = function;
    pthread_mutex_lock(&registry.lock);
    for (const struct rt_fatbin *fatbin = registry.fatbins; fatbin != NULL; fatbin = fatbin->next)
        for (const struct rt_kernel *kernel = fatbin->kernels; kernel != NULL; kernel = kernel->next)
            for (const struct rt_binding *b = kernel->bindings; b != NULL; b = b->next)
                if (b->function == function) host = kernel->host;
    pthread_mutex_unlock(&registry.lock);
    return host;
}

void rt_kernel_adopt(CUkernel kernel)
{
    pthread_mutex_lock(&registry.lock);
    map_set_u64(&registry.adopted, registry_key_of(kernel), kernel);
    pthread_mutex_unlock(&registry.lock);
}

static CUresult address_locked(struct rt_variable *variable, CUdeviceptr *address, size_t *bytes)
{
    CUmodule module = NULL;
    CUresult result = module_locked(variable->fatbin, rt_context(), &module);
    return result == CUDA_SUCCESS ? cuModuleGetGlobal(address, bytes, module, variable->name) : result;
}

/* The name of a managed variable is, in nvcc's host code, its managed memory. */
static struct rt_variable *managed_locked(const void *address)
{
    for (const struct rt_fatbin *fatbin = registry.fatbins; fatbin != NULL; fatbin = fatbin->next)
        for (struct rt_variable *v = fatbin->managed_ready ? fatbin->variables : NULL; v != NULL; v = v->next)
            if (v->managed != NULL && *v->managed == address) return v;
    return NULL;
}

static struct rt_variable *variable_locked(const void *host_var)
{
    struct rt_variable *found = map_get_u64(&registry.by_host, registry_key_of(host_var));
    if (found == NULL) return managed_locked(host_var);
    return map_get_u64(&registry.handles, registry_key_of(found)) != NULL ? NULL : found;
}

/* A managed variable of softwarp cc is its own address. */
static CUresult host_managed_locked(const void *host_var, CUdeviceptr *address, size_t *bytes)
{
    for (struct rt_fatbin *fatbin = registry.fatbins; fatbin != NULL; fatbin = fatbin->next) {
        struct rt_managed *list = &fatbin->host_managed;
        rt_managed_read(fatbin->wrapper, list);
        for (size_t i = 0; i < list->count; i++) {
            if (list->addresses[i] != host_var) continue;
            *address = (CUdeviceptr)(uintptr_t)host_var;
            *bytes = list->bytes[i];
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_NOT_FOUND;
}

cudaError_t rt_variable(const void *host_var, CUdeviceptr *address, size_t *bytes)
{
    CUresult result;
    pthread_mutex_lock(&registry.lock);
    struct rt_variable *variable = variable_locked(host_var);
    result = variable != NULL ? address_locked(variable, address, bytes)
                              : host_managed_locked(host_var, address, bytes);
    pthread_mutex_unlock(&registry.lock);
    return result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol : (cudaError_t)(int)result;
}

/* Before host code touches managed variables: give them their addresses. */
char __cudaInitModule(void **handle)
{
    struct rt_fatbin *fatbin = (struct rt_fatbin *)handle;
    if (!rt_enter()) {
        rt_return(rt_failure());
        return 0;
    }
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&registry.lock);
    for (struct rt_variable *v = fatbin->managed_ready ? NULL : fatbin->variables; v != NULL; v = v->next) {
        CUdeviceptr address = 0;
        size_t bytes = 0;
        if (v->managed == NULL) continue;
        result = address_locked(v, &address, &bytes);
        if (result != CUDA_SUCCESS) break;
        *v->managed = (void *)(uintptr_t)address;
    }
    fatbin->managed_ready = result == CUDA_SUCCESS;
    pthread_mutex_unlock(&registry.lock);
    return rt_return(result) == cudaSuccess;
}

static void forget_modules(struct rt_fatbin *fatbin, CUcontext context)
{
    for (struct rt_module **link = &fatbin->modules; *link != NULL;) {
        struct rt_module *module = *link;
        if (module->context != context) {
            link = &module->next;
            continue;
        }
        *link = module->next;
        free(module);
        fatbin->managed_ready = false;
    }
}

static void forget_bindings(struct rt_kernel *kernel, CUcontext context)
{
    for (struct rt_binding **link = &kernel->bindings; *link != NULL;) {
        struct rt_binding *binding = *link;
        if (binding->context != context) {
            link = &binding->next;
            continue;
        }
        *link = binding->next;
        free(binding);
    }
}

void rt_registry_forget(CUcontext context)
{
    pthread_mutex_lock(&registry.lock);
    for (struct rt_fatbin *fatbin = registry.fatbins; fatbin != NULL; fatbin = fatbin->next) {
        forget_modules(fatbin, context);
        for (struct rt_kernel *kernel = fatbin->kernels; kernel != NULL; kernel = kernel->next)
            forget_bindings(kernel, context);
    }
    pthread_mutex_unlock(&registry.lock);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    if (address == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUdeviceptr found = 0;
    size_t bytes = 0;
    cudaError_t error = rt_variable(symbol, &found, &bytes);
    if (error == cudaSuccess) *address = (void *)(uintptr_t)found;
    return rt_record(error);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    if (size == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUdeviceptr found = 0;
    size_t bytes = 0;
    cudaError_t error = rt_variable(symbol, &found, &bytes);
    if (error == cudaSuccess) *size = bytes;
    return rt_record(error);
}
