/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: one case, by the oracle with a watch and then as compiled code, and how they compare.
 * Method: both run on the same memory at the same addresses (tests/exec). The stage is told before it begins,
 * so that whoever watches this process knows what it has died of. A kernel whose error is defined must fail,
 * but for loads, which may be left out where nobody uses their value: then nothing is compared.
 * Limits: which error comes first among several threads is not compared. */
#include "kernels.h"

#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    STEPS_MOST = 20000,           /* of the oracle */
    PARAM_BYTES = 32764,          /* PTX 5.2.2 */
    SHARED_BYTES = 227 << 10,     /* of a block, cc 9.0 (CUDA C++ Programming Guide, 5.1) */
    LOCAL_BYTES_MOST = 512 << 10, /* of a thread, the same */
};

struct kernels_lab {
    struct vmem *vmem;
    struct engine *engine;
    struct kernels_state *state;
};

uint64_t kernels_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void print_nothing(void *user, const char *text, size_t length)
{
    (void)user, (void)text, (void)length;
}

struct kernels_lab *kernels_lab_new(unsigned way, struct kernels_state *state)
{
    static const char *const tiers[] = {"first", "first", "first", "first", "first", "first", "full", "both"};
    struct kernels_lab *lab = sw_xcalloc(1, sizeof *lab);
    struct sw_error error;
    setenv("SOFTWARP_TIERS", tiers[way % SW_COUNT_OF(tiers)], 1);
    if (vmem_new(&lab->vmem, &error) != SW_OK) exit(2);
    struct engine_config config = {.threads = way / 8 % 4 == 3 ? 3 : 1,
                                   .isa = (int)(way / 32 % JIT_ISA_COUNT),
                                   .vmem = lab->vmem,
                                   .library_dir = SW_BUILD_DIR "/lib",
                                   .print = print_nothing,
                                   .print_error = print_nothing,
                                   .generic_only = way / 256 % 4 == 3,
                                   .plain_barriers = way / 1024 % 4 == 3};
    enum sw_status status = engine_new(&config, &lab->engine, &error);
    if (status == SW_NOT_SUPPORTED) { /* this CPU cannot run it */
        config.isa = -1;
        status = engine_new(&config, &lab->engine, &error);
    }
    if (status != SW_OK) {
        fprintf(stderr, "engine: %s\n", error.message);
        exit(2);
    }
    lab->state = state;
    return lab;
}

void kernels_lab_free(struct kernels_lab *lab)
{
    engine_free(lab->engine);
    vmem_free_all(lab->vmem);
    free(lab);
}

static void stage(struct kernels_lab *lab, enum kernels_stage next)
{
    lab->state->since_ms = kernels_now_ms();
    __atomic_store_n(&lab->state->stage, next, __ATOMIC_RELEASE);
}

static void verdict(struct kernels_lab *lab, enum kernels_verdict found, const char *what)
{
    lab->state->verdict = found;
    snprintf(lab->state->what, sizeof lab->state->what, "%s", what);
}

/* ---- the oracle */

static bool is_memory(void *user, uint64_t address, uint64_t bytes)
{
    struct vmem_block block;
    if (!vmem_find(user, address, &block)) return false;
    return address - block.base <= block.bytes && bytes <= block.bytes - (address - block.base);
}

struct run {
    struct exec_case *test;
    const struct ptx_module *module;
    const struct ptx_function *function;
    uint64_t *symbols;
    uint8_t params[PARAM_BYTES + 8];
    enum sw_status status; /* of the oracle */
    bool addresses;
    struct sw_error error;
};

static bool fits(const struct ptx_module *module)
{
    uint64_t shared = 0;
    for (uint32_t i = 0; i < module->var_count; i++)
        if (module->vars[i]->space == PTX_SPACE_SHARED) shared += module->vars[i]->bytes;
    for (uint32_t f = 0; f < module->function_count; f++)
        for (uint32_t i = 0; i < module->functions[f]->var_count; i++)
            if (module->functions[f]->vars[i]->space == PTX_SPACE_SHARED)
                shared += module->functions[f]->vars[i]->bytes;
    return shared <= SHARED_BYTES;
}

static void run_oracle(struct kernels_lab *lab, struct run *run)
{
    const struct exec_launch *from = &run->test->launches[0];
    struct oracle_watch watch = {.is_memory = is_memory, .user = lab->vmem, .steps_most = STEPS_MOST};
    struct oracle_launch launch = {.module = run->module,
                                   .kernel = from->kernel,
                                   .dynamic_shared_bytes = from->shared,
                                   .params = run->params,
                                   .symbols = run->symbols,
                                   .together = from->together || from->resident,
                                   .print = print_nothing,
                                   .watch = &watch};
    memcpy(launch.grid, from->grid, sizeof launch.grid);
    memcpy(launch.block, from->block, sizeof launch.block);
    exec_symbols_fill(run->module, run->symbols, true);
    stage(lab, KERNELS_ORACLE);
    run->status = oracle_run(&launch, &run->error);
    run->addresses = watch.addresses;
    for (unsigned b = 0; b < run->test->buffer_count; b++)
        memcpy(run->test->buffers[b].wanted, (void *)(uintptr_t)run->test->buffers[b].at,
               run->test->buffers[b].bytes);
    lab->state->endless = run->status == SW_LAUNCH_TIMEOUT || run->status == SW_UNSUPPORTED;
}

/* ---- compiled code */

static bool is_error_of_kernel(enum sw_status status)
{
    return status == SW_ILLEGAL_ADDRESS || status == SW_MISALIGNED_ADDRESS || status == SW_LAUNCH_FAILED ||
           status == SW_ASSERT || status == SW_LAUNCH_TIMEOUT || status == SW_INVALID_PC ||
           status == SW_HARDWARE_STACK_ERROR || status == SW_ILLEGAL_INSTRUCTION;
}

static bool equal_memory(const struct run *run, char *what, size_t bytes)
{
    for (unsigned b = 0; b < run->test->buffer_count; b++) {
        const struct exec_buffer *buffer = &run->test->buffers[b];
        const uint8_t *got = (const uint8_t *)(uintptr_t)buffer->at;
        if (memcmp(got, buffer->wanted, buffer->bytes) == 0) continue;
        uint64_t at = 0;
        while (got[at] == buffer->wanted[at])
            at++;
        at -= at % 4;
        uint32_t words[2] = {0, 0};
        size_t rest = buffer->bytes - at < 4 ? buffer->bytes - at : 4;
        memcpy(&words[0], got + at, rest);
        memcpy(&words[1], buffer->wanted + at, rest);
        snprintf(what, bytes, "%s+%llu is %#x, the oracle has %#x", buffer->name, (unsigned long long)at,
                 words[0], words[1]);
        return false;
    }
    return true;
}

/* Both have run. */
static void compare(struct kernels_lab *lab, const struct run *run, enum sw_status status,
                    const struct sw_error *error)
{
    char what[500] = "";
    enum kernels_verdict differs = run->addresses ? KERNELS_ADDRESSES : KERNELS_DIFFERENT;
    if (run->status == SW_UNSUPPORTED || run->status == SW_LAUNCH_TIMEOUT) {
        verdict(lab, KERNELS_UNDEFINED, run->error.message);
    } else if (run->status == SW_OK && status == SW_OK) {
        bool equal = equal_memory(run, what, sizeof what);
        verdict(lab, equal ? KERNELS_EQUAL : differs, what);
    } else if (run->status != SW_OK && status != SW_OK) {
        verdict(lab, is_error_of_kernel(status) ? KERNELS_EQUAL : differs, error->message);
    } else if (run->status != SW_OK) { /* a load that nobody needs */
        bool load = strstr(run->error.message, "load at") || run->status == SW_MISALIGNED_ADDRESS;
        snprintf(what, sizeof what, "succeeds; the oracle: %.400s", run->error.message);
        verdict(lab, load ? KERNELS_UNDEFINED : differs, what);
    } else {
        snprintf(what, sizeof what, "fails: %s: %.300s; not the oracle", sw_status_name(status),
                 error->message);
        verdict(lab, differs, what);
    }
}

static enum sw_status prepare(struct engine_module *module, const struct run *run,
                              struct engine_kernel **kernel, struct sw_error *error)
{
    const struct exec_launch *from = &run->test->launches[0];
    enum sw_status status = engine_kernel_get(module, from->kernel, kernel, error);
    if (status != SW_OK) return status;
    const struct event_kernel *info = engine_kernel_info(*kernel);
    if (info->local_bytes_per_thread > LOCAL_BYTES_MOST ||
        info->static_shared_bytes + from->shared > SHARED_BYTES)
        return sw_fail(error, SW_LAUNCH_OUT_OF_RESOURCES,
                       "it needs too much memory"); /* as the driver says */
    return engine_kernel_prepare(*kernel, from->block, 0, error);
}

static void run_compiled(struct kernels_lab *lab, struct run *run)
{
    struct engine_module *module;
    struct engine_kernel *kernel;
    struct sw_error error = {0};
    const struct exec_launch *from = &run->test->launches[0];
    exec_buffers_fill(run->test);
    exec_symbols_fill(run->module, run->symbols, false);
    stage(lab, KERNELS_COMPILE);
    enum sw_status status = engine_module_new(lab->engine, run->module, run->symbols, &module, &error);
    if (status != SW_OK) {
        verdict(lab, KERNELS_REFUSED, error.message);
        return;
    }
    status = prepare(module, run, &kernel, &error);
    if (status != SW_OK) {
        verdict(lab, KERNELS_REFUSED, error.message);
        engine_module_free(module);
        return;
    }
    struct engine_launch launch = {.kernel = kernel,
                                   .dynamic_shared_bytes = from->shared,
                                   .params = run->params,
                                   .cooperative = from->together,
                                   .sm_count = 132,
                                   .max_warps_per_sm = 64,
                                   .compute = 90};
    memcpy(launch.grid, from->grid, sizeof launch.grid);
    memcpy(launch.block, from->block, sizeof launch.block);
    stage(lab, KERNELS_LAUNCH);
    status = engine_launch(lab->engine, &launch, &error);
    compare(lab, run, status, &error);
    engine_module_free(module);
}

static void run_verified(struct kernels_lab *lab, struct run *run)
{
    struct exec_case *test = run->test;
    run->symbols = exec_symbols_make(lab->vmem, run->module);
    if (!run->symbols) {
        verdict(lab, KERNELS_REFUSED, "no memory for its variables");
        return;
    }
    exec_buffers_make(lab->vmem, test);
    exec_buffers_fill(test);
    exec_pack_params(&test->launches[0], run->function, run->params);
    run->status = SW_UNSUPPORTED;
    snprintf(run->error.message, sizeof run->error.message, "the oracle dies of it");
    if (!lab->state->skip_oracle) run_oracle(lab, run);
    run_compiled(lab, run);
    exec_buffers_free(lab->vmem, test);
    exec_symbols_free(lab->vmem, run->module, run->symbols);
}

void kernels_run(struct kernels_lab *lab, struct exec_case *test)
{
    struct ptx_module *module;
    struct run run = {.test = test};
    lab->state->endless = lab->state->skip_oracle;
    verdict(lab, KERNELS_UNSEEN, "");
    stage(lab, KERNELS_COMPILE);
    if (ptx_parse(test->text, test->length, "mutant", &module, &run.error) != SW_OK) {
        verdict(lab, KERNELS_REJECTED, run.error.message);
        stage(lab, KERNELS_IDLE);
        return;
    }
    run.module = module;
    run.function = ptx_find_function(module, test->launches[0].kernel);
    bool whole = ptx_verify(module, &run.error) == SW_OK && run.function && run.function->is_entry &&
                 run.function->has_body && run.function->param_bytes <= PARAM_BYTES;
    if (!whole)
        verdict(lab, KERNELS_REJECTED, run.error.message);
    else if (!fits(module))
        verdict(lab, KERNELS_REFUSED, "too much shared memory");
    else
        run_verified(lab, &run);
    stage(lab, KERNELS_IDLE);
    ptx_module_free(module);
}
