/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the engine as an object: what it is configured to be, and how it begins and ends. Method: the
 * environment has its say on what the caller leaves open. Limits: none of its own. */
#include "engine/core/engine_cpu.h"
#include "engine/core/engine_object.h"

#include "engine/core/engine_fault.h"
#include "engine/record/engine_tape.h"
#include "engine/shadow/engine_shadow.h"
#include "engine_alone.h"
#include "engine_cta_slots.h"
#include "engine_pool.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* ---- configuration
 * ---------------------------------------------------------------------------------------------- */

static uint32_t engine_count_cpus(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
}

static uint32_t engine_choose_threads(uint32_t wanted, uint32_t cpus)
{
    const char *text = getenv("SOFTWARP_THREADS");
    enum { MOST = 1024 };
    if (wanted == 0 && text) wanted = (uint32_t)strtoul(text, NULL, 10);
    if (wanted == 0) wanted = cpus;
    return wanted == 0 ? 1 : wanted > MOST ? MOST : wanted;
}

static const char *const isa_names[JIT_ISA_COUNT] = {
    [JIT_ISA_SSE2] = "sse2", [JIT_ISA_AVX2] = "avx2", [JIT_ISA_AVX512] = "avx512", [JIT_ISA_NEON] = "neon"};

static enum sw_status engine_choose_isa(int wanted, enum jit_isa *out, struct sw_error *error)
{
    enum jit_isa best = engine_cpu_best();
    const char *text = getenv("SOFTWARP_ISA");
    for (int i = 0; wanted < 0 && text && i < JIT_ISA_COUNT; i++)
        if (strcmp(text, isa_names[i]) == 0) wanted = i;
    if (text && wanted < 0)
        return sw_fail(error, SW_INVALID_VALUE, "SOFTWARP_ISA is '%s'; use sse2, avx2, avx512 or neon", text);
    if (wanted >= JIT_ISA_COUNT || (wanted >= 0 && !engine_cpu_runs((enum jit_isa)wanted)))
        return sw_fail(error, SW_NOT_SUPPORTED, "this CPU cannot run '%s' code; the best it has is '%s'",
                       wanted < JIT_ISA_COUNT ? isa_names[wanted] : "?", isa_names[best]);
    *out = wanted < 0 ? best : (enum jit_isa)wanted;
    return SW_OK;
}

static enum sw_status engine_choose_approx(bool *fast, struct sw_error *error)
{
    const char *text = getenv("SOFTWARP_APPROX");
    *fast = text && strcmp(text, "fast") == 0;
    if (*fast || !text || strcmp(text, "exact") == 0) return SW_OK;
    return sw_fail(error, SW_INVALID_VALUE, "SOFTWARP_APPROX is '%s'; use exact or fast", text);
}

static enum sw_status engine_choose_tiers(enum engine_tiers *out, struct sw_error *error)
{
    static const char *const names[] = {
        [ENGINE_TIERS_BOTH] = "both", [ENGINE_TIERS_FIRST] = "first", [ENGINE_TIERS_FULL] = "full"};
    const char *text = getenv("SOFTWARP_TIERS");
    *out = ENGINE_TIERS_BY_SIZE;
    if (!text) return SW_OK;
    for (unsigned i = ENGINE_TIERS_BOTH; i < SW_COUNT_OF(names); i++)
        if (strcmp(text, names[i]) == 0) *out = (enum engine_tiers)i;
    if (*out != ENGINE_TIERS_BY_SIZE) return SW_OK;
    return sw_fail(error, SW_INVALID_VALUE, "SOFTWARP_TIERS is '%s'; use both, first or full", text);
}

/* Beside the file that holds this code: libcuda.so.1, or a program that links the engine. */
static char *engine_library_path(const char *folder)
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

static void engine_release_heaps(struct engine *engine)
{
    for (uint32_t i = 0; i < ARCH_DEVICES; i++)
        engine_heap_release(&engine->heaps[i]);
}

enum sw_status engine_new(const struct engine_config *config, struct engine **out, struct sw_error *error)
{
    enum jit_isa isa = JIT_ISA_SSE2;
    bool fast_approx = false;
    SW_TRY(engine_choose_isa(config->isa, &isa, error));
    enum engine_tiers tiers;
    SW_TRY(engine_choose_approx(&fast_approx, error));
    SW_TRY(engine_choose_tiers(&tiers, error));
    struct engine *engine = sw_xcalloc(1, sizeof *engine);
    engine->config = *config;
    engine->config.library_dir = NULL; /* the caller's text need not live on */
    engine->isa = isa;
    engine->fast_approx = fast_approx;
    engine->tiers = config->full_tier ? ENGINE_TIERS_FULL : tiers;
    engine->cpus = engine_count_cpus();
    engine->threads = engine_choose_threads(config->threads, engine->cpus);
    engine->library = engine_library_path(config->library_dir);
    pthread_mutex_init(&engine->jit_lock, NULL);
    engine_alone_init(engine);
    engine_fault_install();
    for (uint32_t i = 0; i < ARCH_DEVICES; i++)
        engine_heap_init(&engine->heaps[i], config->vmem, i, config->heap_bytes,
                         config->tool && config->tool->probes & EVENT_PROBE_BOUNDS);
    enum sw_status status = engine_pool_new(engine->threads - 1, &engine->pool, error);
    if (status != SW_OK) {
        engine_release_heaps(engine);
        engine_alone_release(engine);
        free(engine->library);
        free(engine);
        return status;
    }
    engine->shadow = engine_shadow_new(engine);
    *out = engine;
    return SW_OK;
}

void engine_free(struct engine *engine)
{
    if (!engine) return;
    engine_pool_free(engine->pool);
    engine_cta_slots_forget(engine);
    engine_tapes_free(atomic_exchange(&engine->spare_tapes, NULL));
    engine_release_heaps(engine);
    engine_shadow_free(engine->shadow);
    pthread_mutex_destroy(&engine->jit_lock);
    engine_alone_release(engine);
    free(engine->library);
    free(engine); /* libsoftwarp-jit.so stays: LLVM does not like to be unloaded */
}

uint32_t engine_thread_count(const struct engine *engine)
{
    return engine->threads;
}
