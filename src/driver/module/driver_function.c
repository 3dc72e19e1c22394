/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: attributes, the engine's kernel of one, and occupancy. */
#include "driver_module.h"

#include "driver/core/driver_error.h"

#include <string.h>

static const struct fatbin_resources *resources_of(const struct driver_function *function)
{
    const struct driver_program *program = function->module->program;
    for (uint32_t i = 0; i < program->resource_count; i++)
        if (strcmp(program->resources[i].kernel, function->entry->name) == 0) return &program->resources[i];
    return NULL;
}

CUresult driver_function_kernel(struct driver_function *function, struct engine_kernel **out)
{
    struct driver_module *module = function->module;
    struct sw_error error = {0};
    enum sw_status status = SW_OK;
    pthread_mutex_lock(&module->lock);
    if (module->closed) {
        pthread_mutex_unlock(&module->lock);
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    }
    if (!function->kernel) {
        status = engine_kernel_get(module->engine, function->entry->name, &function->kernel, &error);
        const struct fatbin_resources *resources = resources_of(function);
        if (status == SW_OK && resources)
            engine_kernel_set_resources(function->kernel, resources->registers, resources->local_bytes);
    }
    pthread_mutex_unlock(&module->lock);
    if (status != SW_OK) return driver_refuse(&error);
    *out = function->kernel;
    return CUDA_SUCCESS;
}

static const struct arch_cc *cc_of(const struct driver_function *function)
{
    return function->module->context->device->cc;
}

/* ---- attributes */

static int const_bytes(const struct ptx_module *ptx)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ptx->var_count; i++)
        if (ptx->vars[i]->space == PTX_SPACE_CONST) sum += ptx->vars[i]->bytes;
    return (int)sum;
}

/* Threads that one block of it may have: the declared bound, and what its registers allow. */
static uint32_t max_threads(const struct driver_function *function, const struct event_kernel *info)
{
    const struct arch_cc *cc = cc_of(function);
    const struct ptx_function *entry = function->entry;
    uint32_t limit = cc->threads_per_block;
    const uint32_t *declared = entry->reqntid[0] ? entry->reqntid : entry->maxntid;
    uint64_t product = 1;
    for (int i = 0; i < 3; i++)
        product *= declared[i] ? declared[i] : 1;
    if (declared[0] && product < limit) limit = (uint32_t)product;
    if (info->registers_exact && info->registers) {
        uint32_t per_warp = (uint32_t)sw_align_up(info->registers * SW_WARP_LANES, cc->register_unit);
        uint32_t by_registers = cc->registers_per_block / per_warp * SW_WARP_LANES;
        if (by_registers < limit) limit = by_registers;
    }
    return limit;
}

static int default_dynamic(const struct driver_function *function, const struct event_kernel *info)
{
    uint32_t per_block = cc_of(function)->shared_per_block;
    return per_block > info->static_shared_bytes ? (int)(per_block - info->static_shared_bytes) : 0;
}

CUresult driver_function_attribute(struct driver_function *function, CUfunction_attribute attribute,
                                   int *value)
{
    const struct driver_program *program = function->module->program;
    const struct arch_cc *cc = cc_of(function);
    struct engine_kernel *kernel;
    DRIVER_TRY(driver_function_kernel(function, &kernel));
    const struct event_kernel *info = engine_kernel_info(kernel);
    switch ((int)attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = (int)max_threads(function, info); break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)info->static_shared_bytes; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = const_bytes(program->ptx); break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: {
        const struct fatbin_resources *resources = resources_of(function);
        *value = (int)(resources ? resources->local_bytes : info->local_bytes_per_thread);
        break;
    }
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = (int)info->registers; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = (int)program->ptx->sm; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = (int)(cc->major * 10 + cc->minor); break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = 0; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = function->max_dynamic_set ? function->max_dynamic_shared : default_dynamic(function, info);
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = function->carveout; break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: *value = 0; break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult driver_function_set(struct driver_function *function, CUfunction_attribute attribute, int value)
{
    const struct arch_cc *cc = cc_of(function);
    struct engine_kernel *kernel;
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
        if (value < -1 || value > 100) return CUDA_ERROR_INVALID_VALUE;
        function->carveout = value;
        return CUDA_SUCCESS;
    }
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_function_kernel(function, &kernel));
    uint32_t fixed = engine_kernel_info(kernel)->static_shared_bytes;
    if (value < 0 || (uint64_t)value + fixed > cc->shared_per_block_optin) return CUDA_ERROR_INVALID_VALUE;
    function->max_dynamic_shared = value;
    function->max_dynamic_set = true;
    return CUDA_SUCCESS;
}

DRIVER_API cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction handle)
{
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    struct driver_function *function;
    DRIVER_TRY(driver_function_get(handle, &function));
    CUresult result = driver_function_attribute(function, attribute, value);
    driver_function_put(function);
    return result;
}

DRIVER_API cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value)
{
    struct driver_function *function;
    DRIVER_TRY(driver_function_get(handle, &function));
    CUresult result = driver_function_set(function, attribute, value);
    driver_function_put(function);
    return result;
}

DRIVER_API cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache config)
{
    if (config > CU_FUNC_CACHE_PREFER_EQUAL) return CUDA_ERROR_INVALID_VALUE;
    struct driver_function *function;
    DRIVER_TRY(driver_function_get(handle, &function));
    function->cache_config = config;
    driver_function_put(function);
    return CUDA_SUCCESS;
}

DRIVER_API cuFuncSetSharedMemConfig(CUfunction handle, CUsharedconfig config)
{
    if (config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE) return CUDA_ERROR_INVALID_VALUE;
    struct driver_function *function;
    DRIVER_TRY(driver_function_get(handle, &function));
    function->shared_config = config;
    driver_function_put(function);
    return CUDA_SUCCESS;
}

DRIVER_API cuFuncGetModule(CUmodule *out, CUfunction handle)
{
    DRIVER_TRY(driver_ready());
    if (!out || !handle) return CUDA_ERROR_INVALID_VALUE;
    struct driver_function *function;
    DRIVER_TRY(driver_function_get(handle, &function));
    *out = (CUmodule)function->module;
    driver_function_put(function);
    return CUDA_SUCCESS;
}

DRIVER_API cuFuncGetName(const char **name, CUfunction handle)
{
    if (!name || !handle) return CUDA_ERROR_INVALID_VALUE;
    struct driver_function *function;
    DRIVER_TRY(driver_function_get(handle, &function));
    *name = function->entry->name;
    driver_function_put(function);
    return CUDA_SUCCESS;
}

DRIVER_API cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction handle)
{
    if (!state) return CUDA_ERROR_INVALID_VALUE;
    struct driver_function *function;
    DRIVER_TRY(driver_function_get(handle, &function));
    *state = function->kernel ? CU_FUNCTION_LOADING_STATE_LOADED : CU_FUNCTION_LOADING_STATE_UNLOADED;
    driver_function_put(function);
    return CUDA_SUCCESS;
}

DRIVER_API cuFuncLoad(CUfunction handle)
{
    struct driver_function *function;
    DRIVER_TRY(driver_function_get(handle, &function));
    struct engine_kernel *kernel;
    CUresult result = driver_function_kernel(function, &kernel);
    driver_function_put(function);
    return result;
}

/* ---- occupancy */

CUresult driver_function_occupancy(struct driver_function *function, uint32_t threads,
                                   uint64_t dynamic_shared, int *blocks)
{
    struct engine_kernel *kernel;
    const struct arch_cc *cc = cc_of(function);
    DRIVER_TRY(driver_function_kernel(function, &kernel));
    const struct event_kernel *info = engine_kernel_info(kernel);
    uint64_t shared = info->static_shared_bytes + dynamic_shared;
    int most;
    *blocks = 0;
    DRIVER_TRY(driver_function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &most));
    if (dynamic_shared > (uint64_t)most) return CUDA_SUCCESS; /* it would have to opt in first */
    if (shared > cc->shared_per_block_optin || threads > cc->threads_per_block) return CUDA_SUCCESS;
    uint32_t carveout = 0; /* the largest */
    if (function->carveout >= 0)
        carveout = arch_shared_choice(cc, cc->shared_per_sm / 100 * (uint32_t)function->carveout,
                                      (uint32_t)shared + cc->shared_reserved);
    struct arch_occupancy_request request = {threads, info->registers, (uint32_t)shared, carveout};
    struct arch_occupancy occupancy;
    struct sw_error error = {0};
    enum sw_status status = arch_occupancy_compute(cc, &request, &occupancy, &error);
    if (status != SW_OK) return driver_result(status);
    *blocks = (int)occupancy.blocks_per_sm;
    return CUDA_SUCCESS;
}

DRIVER_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction handle, int threads,
                                                       size_t dynamic)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, handle, threads, dynamic, 0);
}

DRIVER_API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction handle, int threads,
                                                                size_t dynamic, unsigned flags)
{
    if (!blocks || threads <= 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    struct driver_function *function;
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    DRIVER_TRY(driver_function_get(handle, &function));
    CUresult result = driver_function_occupancy(function, (uint32_t)threads, dynamic, blocks);
    driver_function_put(function);
    return result;
}

struct best_block {
    struct driver_function *function;
    CUoccupancyB2DSize dynamic_of; /* NULL: dynamic for every size */
    size_t dynamic;
    CUresult result;
};

static int blocks_of(void *user, uint32_t threads)
{
    struct best_block *best = user;
    int blocks = 0;
    size_t shared = best->dynamic_of ? best->dynamic_of((int)threads) : best->dynamic;
    best->result = driver_function_occupancy(best->function, threads, shared, &blocks);
    return best->result == CUDA_SUCCESS ? blocks : -1;
}

DRIVER_API cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction handle,
                                            CUoccupancyB2DSize dynamic_of, size_t dynamic, int limit)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, handle, dynamic_of, dynamic, limit, 0);
}

DRIVER_API cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction handle,
                                                     CUoccupancyB2DSize dynamic_of, size_t dynamic, int limit,
                                                     unsigned flags)
{
    if (!grid || !block || limit < 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    struct driver_function *function;
    struct driver_context *context;
    DRIVER_TRY(driver_context_view(&context));
    DRIVER_TRY(driver_function_get(handle, &function));
    int most = 0;
    struct best_block best = {function, dynamic_of, dynamic, CUDA_SUCCESS};
    best.result = driver_function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &most);
    if (limit > 0 && limit < most) most = limit;
    uint32_t blocks = 0, threads = 0;
    if (best.result == CUDA_SUCCESS)
        threads = arch_occupancy_best_block((uint32_t)most, blocks_of, &best, &blocks);
    if (best.result == CUDA_SUCCESS) {
        *block = (int)threads;
        const struct driver_context *its = function->module->context;
        *grid = (int)(blocks * (context->root == its ? context : its)->sm_count);
    }
    driver_function_put(function);
    return best.result;
}

/* An even share of the multiprocessor's shared memory, without what the system keeps of it for each block: so
 * an H200 answered. */
DRIVER_API cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic, CUfunction handle, int blocks,
                                                   int threads)
{
    if (!dynamic || blocks <= 0 || threads <= 0) return CUDA_ERROR_INVALID_VALUE;
    struct driver_function *function;
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    DRIVER_TRY(driver_function_get(handle, &function));
    int fit = 0, most = 0, fixed = 0;
    CUresult result = driver_function_occupancy(function, (uint32_t)threads, 0, &fit);
    if (result == CUDA_SUCCESS && fit < blocks) result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = driver_function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &most);
    if (result == CUDA_SUCCESS)
        result = driver_function_attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &fixed);
    const struct arch_cc *cc = cc_of(function);
    int share = (int)(cc->shared_per_sm / (uint32_t)blocks / cc->shared_unit * cc->shared_unit) - fixed;
    if (result == CUDA_SUCCESS) *dynamic = (size_t)(share < most ? share : most);
    driver_function_put(function);
    return result;
}
