/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the engine, its modules and kernels, as objects.
 * Method: a kernel is flattened and described when first asked for, and compiled when first launched.
 * Limits: none of its own. */
#include "engine_priv.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* ---- configuration
 * ---------------------------------------------------------------------------------------------- */

static uint32_t choose_threads(uint32_t wanted)
{
    const char *text = getenv("SOFTWARP_THREADS");
    cpu_set_t set;
    enum { MOST = 1024 };
    if (wanted == 0 && text) wanted = (uint32_t)strtoul(text, NULL, 10);
    if (wanted == 0 && sched_getaffinity(0, sizeof set, &set) == 0) wanted = (uint32_t)CPU_COUNT(&set);
    return wanted == 0 ? 1 : wanted > MOST ? MOST : wanted;
}

static const char *const isa_names[JIT_ISA_COUNT] = {
    [JIT_ISA_SSE2] = "sse2", [JIT_ISA_AVX2] = "avx2", [JIT_ISA_AVX512] = "avx512"};

static enum jit_isa best_isa(void)
{
    __builtin_cpu_init();
    bool avx2 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
    return avx2 && avx512 ? JIT_ISA_AVX512 : avx2 ? JIT_ISA_AVX2 : JIT_ISA_SSE2;
}

static enum sw_status choose_isa(int wanted, enum jit_isa *out, struct sw_error *error)
{
    enum jit_isa best = best_isa();
    const char *text = getenv("SOFTWARP_ISA");
    for (int i = 0; wanted < 0 && text && i < JIT_ISA_COUNT; i++)
        if (strcmp(text, isa_names[i]) == 0) wanted = i;
    if (text && wanted < 0)
        return sw_fail(error, SW_INVALID_VALUE, "SOFTWARP_ISA is '%s'; use sse2, avx2 or avx512", text);
    if (wanted > (int)best)
        return sw_fail(error, SW_NOT_SUPPORTED, "this CPU cannot run '%s' code; the best it has is '%s'",
                       wanted < JIT_ISA_COUNT ? isa_names[wanted] : "?", isa_names[best]);
    *out = wanted < 0 ? best : (enum jit_isa)wanted;
    return SW_OK;
}

static enum sw_status choose_approx(bool *fast, struct sw_error *error)
{
    const char *text = getenv("SOFTWARP_APPROX");
    *fast = text && strcmp(text, "fast") == 0;
    if (*fast || !text || strcmp(text, "exact") == 0) return SW_OK;
    return sw_fail(error, SW_INVALID_VALUE, "SOFTWARP_APPROX is '%s'; use exact or fast", text);
}

/* Beside the file that holds this code: libcuda.so.1, or a program that links the engine. */
static char *library_path(const char *folder)
{
    struct str path = {0};
    Dl_info info;
    if (folder) {
        str_printf(&path, "%s/libsoftwarp-jit.so", folder);
    } else if (dladdr((void *)(uintptr_t)&engine_new, &info) && info.dli_fname &&
               strrchr(info.dli_fname, '/')) {
        str_add_bytes(&path, info.dli_fname, (size_t)(strrchr(info.dli_fname, '/') - info.dli_fname) + 1);
        str_add(&path, "libsoftwarp-jit.so");
    } else {
        str_add(&path, "libsoftwarp-jit.so");
    }
    return str_steal(&path);
}

/* ---- engine
 * ----------------------------------------------------------------------------------------------------- */

static void release_heaps(struct engine *engine)
{
    for (uint32_t i = 0; i < ARCH_DEVICES; i++)
        engine_heap_release(&engine->heaps[i]);
}

enum sw_status engine_new(const struct engine_config *config, struct engine **out, struct sw_error *error)
{
    enum jit_isa isa = JIT_ISA_SSE2;
    bool fast_approx = false;
    SW_TRY(choose_isa(config->isa, &isa, error));
    SW_TRY(choose_approx(&fast_approx, error));
    struct engine *engine = sw_xcalloc(1, sizeof *engine);
    engine->config = *config;
    engine->config.library_dir = NULL; /* the caller's text need not live on */
    engine->isa = isa;
    engine->fast_approx = fast_approx;
    engine->threads = choose_threads(config->threads);
    engine->library = library_path(config->library_dir);
    pthread_mutex_init(&engine->jit_lock, NULL);
    engine_fault_install();
    for (uint32_t i = 0; i < ARCH_DEVICES; i++)
        engine_heap_init(&engine->heaps[i], config->vmem, i, config->heap_bytes);
    enum sw_status status = engine_pool_init(&engine->pool, engine->threads - 1, error);
    if (status != SW_OK) {
        release_heaps(engine);
        free(engine->library);
        free(engine);
        return status;
    }
    *out = engine;
    return SW_OK;
}

void engine_free(struct engine *engine)
{
    if (!engine) return;
    engine_pool_release(&engine->pool);
    release_heaps(engine);
    pthread_mutex_destroy(&engine->jit_lock);
    free(engine->library);
    free(engine); /* libsoftwarp-jit.so stays: LLVM does not like to be unloaded */
}

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

static void set_resources(struct event_kernel *info, uint32_t registers, uint32_t frame_bytes)
{
    uint32_t arrays = info->local_bytes_per_thread;
    info->registers = registers;
    info->registers_exact = true;
    info->spill_bytes = frame_bytes > arrays ? frame_bytes - arrays : 0;
}

void engine_kernel_set_resources(struct engine_kernel *kernel, uint32_t registers, uint32_t frame_bytes)
{
    pthread_mutex_lock(&kernel->lock);
    set_resources(&kernel->info, registers, frame_bytes);
    for (struct engine_variant *variant = kernel->variants; variant; variant = variant->next)
        set_resources(&variant->described, registers, frame_bytes);
    pthread_mutex_unlock(&kernel->lock);
}

enum sw_status engine_kernel_prepare(struct engine_kernel *kernel, const uint32_t block[3], uint32_t device,
                                     struct sw_error *error)
{
    struct engine_variant *variant;
    struct engine_form form = {.permissions = engine_permissions_matter(kernel->module->engine, device)};
    return engine_variant_get(kernel, block, form, &variant, error);
}

uint32_t engine_thread_count(const struct engine *engine)
{
    return engine->threads;
}
