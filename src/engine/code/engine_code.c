/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: compiled variants of a kernel.
 * Method: a kernel keeps a list of variants; who finds none adds it in state COMPILING and compiles without
 * the lock, others wait. The disk cache is asked first; libsoftwarp-jit.so, and with it LLVM, is opened only
 * on a miss. Large kernels begin with code that is made fast (engine_tier.c). Limits: after SPECIALISED block
 * shapes a kernel gets one generic variant for all others. */
#include "engine_code.h"

#include "engine_cache.h"
#include "engine_describe.h"
#include "engine_load.h"
#include "engine_tier.h"

#include "cache/cache.h"
#include "engine/core/engine_cpu.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { SPECIALISED = 8 };

/* ---- the compiler
 * ----------------------------------------------------------------------------------------------- */

/* The loader says only in words why it opened nothing. */
static enum sw_status code_why_not_open(const char *text)
{
    static const int lacks[] = {ENOMEM, EMFILE, ENFILE};
    for (size_t i = 0; i < SW_COUNT_OF(lacks); i++)
        if (strstr(text, strerror(lacks[i]))) return SW_OUT_OF_MEMORY;
    return strstr(text, "cannot map") ? SW_OUT_OF_MEMORY : SW_FILE_NOT_FOUND;
}

static enum sw_status code_open_jit_locked(struct engine *engine, struct sw_error *error)
{
    if (engine->compile) return SW_OK;
    engine->jit_handle = dlopen(engine->library, RTLD_NOW | RTLD_LOCAL);
    if (!engine->jit_handle) {
        const char *why = dlerror();
        return sw_fail(error, code_why_not_open(why), "cannot open the compiler: %s", why);
    }
    jit_abi_fn abi = (jit_abi_fn)(uintptr_t)dlsym(engine->jit_handle, JIT_ABI_SYMBOL);
    jit_compile_fn compile = (jit_compile_fn)(uintptr_t)dlsym(engine->jit_handle, JIT_COMPILE_SYMBOL);
    if (!compile)
        return sw_fail(error, SW_FILE_NOT_FOUND, "'%s' has no %s; reinstall it", engine->library,
                       JIT_COMPILE_SYMBOL);
    if (!abi || abi() != SW_JIT_ABI)
        return sw_fail(
            error, SW_NOT_SUPPORTED,
            "'%s' belongs to another build of Softwarp than the library that opens it; reinstall both",
            engine->library);
    engine_tier_watch();
    engine->compile = compile;
    return SW_OK;
}

static enum sw_status code_open_jit(struct engine *engine, struct sw_error *error)
{
    pthread_mutex_lock(&engine->jit_lock);
    enum sw_status status = code_open_jit_locked(engine, error);
    pthread_mutex_unlock(&engine->jit_lock);
    return status;
}

/* ---- keys
 * ------------------------------------------------------------------------------------------------------- */

/* The compiler's identity without opening it: size and time of its file. */
static uint64_t library_hash(const struct engine *engine)
{
    struct stat info;
    if (stat(engine->library, &info) != 0) return 0;
    uint64_t words[4] = {(uint64_t)info.st_size, (uint64_t)info.st_mtim.tv_sec,
                         (uint64_t)info.st_mtim.tv_nsec, (uint64_t)info.st_ino};
    return sw_hash_bytes(words, sizeof words, 2);
}

static void code_request_key(const struct engine_kernel *kernel, const struct jit_request *request,
                             struct cache_key *out)
{
    const uint64_t rest[] = {engine_cpu_hash(),
                             library_hash(kernel->module->engine),
                             SW_JIT_ABI,
                             request->block[0],
                             request->block[1],
                             request->block[2],
                             (uint64_t)request->isa,
                             request->probes,
                             request->probes & EVENT_PROBE_BOUNDS ? engine_kernel_names_hash(request->entry)
                                                                  : 0,
                             request->rules.load_shift,
                             request->rules.store_shift,
                             request->rules.bank_bytes,
                             request->rules.global_rule,
                             request->rules.shared_rule,
                             request->rules.one_lane,
                             request->resumable,
                             request->strict,
                             request->permissions,
                             request->plain_barriers,
                             request->fast_approx};
    out->words[0] = kernel->hash[0];
    out->words[1] = kernel->hash[1];
    out->words[2] = sw_hash_bytes(rest, sizeof rest, 3);
    out->words[3] = sw_hash_bytes(rest, sizeof rest, 4);
}

/* ---- compiling
 * -------------------------------------------------------------------------------------------------- */

static struct jit_request code_make_request(const struct engine_variant *variant)
{
    const struct engine *engine = variant->kernel->module->engine;
    struct jit_request request = {.entry = variant->kernel->function,
                                  .block = {variant->block[0], variant->block[1], variant->block[2]},
                                  .isa = engine->isa,
                                  .ice_lake = engine_cpu_has_ice_lake(),
                                  .fast_approx = engine->fast_approx,
                                  .resumable = variant->options.resumable,
                                  .strict = variant->options.strict,
                                  .permissions = variant->options.permissions,
                                  .plain_barriers = engine->config.plain_barriers};
    if (variant->options.probes) {
        request.probes = variant->options.probes;
        if (engine->config.tool) request.rules = engine->config.tool->rules;
    }
    return request;
}

/* Give the variant its own table of instructions, with slots. */
static void code_describe_variant(struct engine_variant *variant, const struct event_slots *slots)
{
    struct engine_kernel *kernel = variant->kernel;
    variant->described = kernel->info;
    variant->described.id = engine_kernel_id();
    variant->described.slot_count = variant->options.probes ? variant->info.slot_count : 0;
    if (!variant->options.probes || !slots || !kernel->info.instrs) return;
    uint32_t count = kernel->info.instr_count;
    struct event_instr *instrs = sw_xcalloc(count + 1, sizeof *instrs);
    memcpy(instrs, kernel->info.instrs, count * sizeof *instrs);
    for (uint32_t i = 0; i < count; i++)
        instrs[i].slots = slots[i];
    variant->described.instrs = instrs;
}

static enum sw_status code_take_object(struct engine_variant *variant, const struct jit_object *object,
                                       struct sw_error *error)
{
    SW_TRY(engine_image_load(object->code, object->bytes, &variant->image, error));
    if (variant->options.resumable && !variant->image.step)
        return sw_fail(error, SW_UNSUPPORTED, "blocks of '%s' cannot be suspended (no %s)",
                       variant->kernel->info.name, JIT_STEP_SYMBOL);
    variant->info = object->info;
    code_describe_variant(variant, object->slots);
    return SW_OK;
}

static void object_release(struct jit_object *object)
{
    free(object->code);
    free(object->slots);
    *object = (struct jit_object){0};
}

/* Rows of the table of slots: callees are counted, too. */
static uint32_t code_rows_of(const struct engine_variant *variant)
{
    return variant->options.probes & EVENT_PROBE_COUNT ? variant->kernel->info.instr_count
                                                       : variant->kernel->function->instr_count;
}

static enum sw_status code_compile_now(struct engine_variant *variant, struct jit_request *request,
                                       const struct cache_key *key, struct sw_error *error)
{
    struct engine *engine = variant->kernel->module->engine;
    struct jit_object object = {0};
    SW_TRY(code_open_jit(engine, error));
    request->quick = engine_tier_begins_quick(variant->kernel);
    enum sw_status status = engine_tier_compile(engine, request, &object, error);
    if (status == SW_OK) status = code_take_object(variant, &object, error);
    if (status == SW_OK && request->quick)
        engine_tier_improve(variant, request, key, code_rows_of(variant));
    else if (status == SW_OK)
        engine_cache_write(key, code_rows_of(variant), &object);
    object_release(&object);
    return status;
}

static enum sw_status code_compile_variant(struct engine_variant *variant, struct sw_error *error)
{
    struct jit_request request = code_make_request(variant);
    struct cache_key key;
    struct jit_object object = {0};
    code_request_key(variant->kernel, &request, &key);
    if (engine_cache_read(&key, code_rows_of(variant), &object)) {
        struct sw_error ignored;
        enum sw_status status = code_take_object(variant, &object, &ignored);
        object_release(&object);
        variant->cached = status == SW_OK;
        if (status == SW_OK) return SW_OK;
    }
    return code_compile_now(variant, &request, &key, error);
}

/* ---- the list
 * --------------------------------------------------------------------------------------------------- */

static bool code_is_same(const struct engine_variant_options *a, const struct engine_variant_options *b)
{
    return a->probes == b->probes && a->resumable == b->resumable && a->strict == b->strict &&
           a->permissions == b->permissions;
}

/* What the host lacked then it may have now: such a variant is made anew. */
static bool code_lacked_memory(const struct engine_variant *variant)
{
    return variant->state == ENGINE_FAILED && variant->error.status == SW_OUT_OF_MEMORY;
}

static struct engine_variant *code_find_locked(struct engine_kernel *kernel, const uint32_t block[3],
                                               const struct engine_variant_options *options)
{
    for (struct engine_variant *variant = kernel->variants; variant; variant = variant->next)
        if (memcmp(variant->block, block, sizeof variant->block) == 0 &&
            code_is_same(&variant->options, options) && !code_lacked_memory(variant))
            return variant;
    return NULL;
}

static void code_compile_unlocked(struct engine_kernel *kernel, struct engine_variant *variant)
{
    pthread_mutex_unlock(&kernel->lock);
    enum sw_status status = code_compile_variant(variant, &variant->error);
    pthread_mutex_lock(&kernel->lock);
    variant->state = status == SW_OK ? ENGINE_READY : ENGINE_FAILED;
    variant->error.status = status;
    if (code_lacked_memory(variant) && variant->block[0]) kernel->specialised--;
    pthread_cond_broadcast(&kernel->compiled);
}

static struct engine_variant *code_add_locked(struct engine_kernel *kernel, const uint32_t block[3],
                                              const struct engine_variant_options *options)
{
    struct engine_variant *variant = sw_xcalloc(1, sizeof *variant);
    variant->kernel = kernel;
    memcpy(variant->block, block, sizeof variant->block);
    variant->options = *options;
    variant->next = kernel->variants;
    kernel->variants = variant;
    if (block[0]) kernel->specialised++;
    code_compile_unlocked(kernel, variant);
    return variant;
}

enum sw_status engine_variant_get(struct engine_kernel *kernel, const uint32_t block[3],
                                  struct engine_variant_options options, struct engine_variant **out,
                                  struct sw_error *error)
{
    static const uint32_t generic[3] = {0, 0, 0};
    pthread_mutex_lock(&kernel->lock);
    if (kernel->module->engine->config.generic_only) block = generic;
    struct engine_variant *variant = code_find_locked(kernel, block, &options);
    if (!variant && kernel->specialised >= SPECIALISED) {
        block = generic;
        variant = code_find_locked(kernel, block, &options);
    }
    if (!variant) variant = code_add_locked(kernel, block, &options);
    while (variant->state == ENGINE_COMPILING)
        pthread_cond_wait(&kernel->compiled, &kernel->lock);
    enum sw_status status = variant->error.status;
    pthread_mutex_unlock(&kernel->lock);
    if (status == SW_OK)
        *out = variant;
    else if (error)
        *error = variant->error;
    return status;
}

void engine_variants_release(struct engine_kernel *kernel)
{
    engine_tier_forget(kernel);
    while (kernel->variants) {
        struct engine_variant *variant = kernel->variants;
        kernel->variants = variant->next;
        engine_image_release(&variant->image);
        engine_image_release(&variant->first);
        if (variant->described.instrs != kernel->info.instrs)
            free((void *)(uintptr_t)variant->described.instrs);
        free(variant);
    }
}
