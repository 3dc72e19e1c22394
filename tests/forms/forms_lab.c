/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: run a kernel with the forms' parameters, on any of the engines or in the oracle, from the same
 * memory at the same addresses. Method: everything that a kernel may write is cleared first. Limits:
 * constants are the only module variables with memory of their own. */
#include "forms_lab.h"

#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dev_addr device_memory(struct forms_lab *lab, size_t bytes)
{
    dev_addr at;
    if (vmem_alloc(lab->vmem, bytes, VMEM_DEVICE, 0, 0, 0, &at) != SW_OK) exit(2);
    return at;
}

static void open_engine(struct forms_lab *lab, unsigned engine)
{
    struct sw_error error;
    struct engine_config config = {.threads = engine < JIT_ISA_COUNT ? 1 : 4,
                                   .isa = (int)(engine % JIT_ISA_COUNT),
                                   .vmem = lab->vmem,
                                   .library_dir = SW_BUILD_DIR "/lib"};
    enum sw_status status = engine_new(&config, &lab->engines[engine], &error);
    if (status == SW_OK) return;
    lab->engines[engine] = NULL;
    if (status != SW_NOT_SUPPORTED) {
        fprintf(stderr, "engine: %s\n", error.message);
        exit(2);
    }
}

void forms_lab_open(struct forms_lab *lab, size_t out_bytes, bool more_threads)
{
    struct sw_error error;
    *lab = (struct forms_lab){.out_bytes = out_bytes};
    if (vmem_new(&lab->vmem, &error) != SW_OK) exit(2);
    for (unsigned engine = 0; engine < (more_threads ? LAB_ENGINES : JIT_ISA_COUNT); engine++)
        open_engine(lab, engine);
    lab->in = device_memory(lab, forms_input_bytes());
    lab->out = device_memory(lab, out_bytes);
    lab->cells = device_memory(lab, (size_t)FORMS_THREADS * FORMS_CELL_BYTES);
    forms_input_fill((uint64_t *)(uintptr_t)lab->in);
}

const char *forms_lab_name(unsigned engine)
{
    static const char *const names[LAB_ENGINES] = {
        "sse2", "avx2", "avx512", "sse2, 4 threads", "avx2, 4 threads", "avx512, 4 threads"};
    return names[engine];
}

/* ---- jobs ---- */

static uint64_t *make_symbols(struct forms_lab *lab, const struct ptx_module *module)
{
    uint64_t *symbols = sw_xcalloc(module->var_count + 1, sizeof *symbols);
    for (uint32_t i = 0; i < module->var_count; i++) {
        const struct ptx_var *var = module->vars[i];
        if (var->space != PTX_SPACE_CONST) continue;
        symbols[i] = device_memory(lab, var->bytes);
        if (var->init) memcpy((void *)(uintptr_t)symbols[i], var->init, var->bytes);
    }
    return symbols;
}

enum sw_status forms_job_open(struct forms_lab *lab, const char *text, size_t length, struct forms_job *job,
                              struct sw_error *error)
{
    struct ptx_module *module;
    enum sw_status status = ptx_parse(text, length, "forms", &module, error);
    if (status != SW_OK) return status;
    status = ptx_verify(module, error);
    if (status != SW_OK) {
        ptx_module_free(module);
        return status;
    }
    job->module = module;
    job->symbols = make_symbols(lab, module);
    return SW_OK;
}

void forms_job_close(struct forms_lab *lab, struct forms_job *job)
{
    for (uint32_t i = 0; i < job->module->var_count; i++)
        if (job->symbols[i]) (void)vmem_release(lab->vmem, job->symbols[i]);
    free(job->symbols);
    ptx_module_free((struct ptx_module *)(uintptr_t)job->module);
}

static void pack_params(const struct forms_lab *lab, const struct ptx_function *function, uint8_t *params)
{
    const uint64_t pointers[] = {lab->in, lab->out, lab->cells};
    for (unsigned i = 0; i < SW_COUNT_OF(pointers); i++)
        memcpy(params + function->params[i]->offset, &pointers[i], 8);
    forms_blob_fill(params + function->params[SW_COUNT_OF(pointers)]->offset);
}

static void clear(const struct forms_lab *lab, const struct forms_job *job)
{
    memset((void *)(uintptr_t)lab->out, 0, job->out_bytes);
    memset((void *)(uintptr_t)lab->cells, 0, (size_t)job->blocks * job->threads * FORMS_CELL_BYTES);
}

enum sw_status forms_job_compiled(struct forms_lab *lab, const struct forms_job *job, unsigned engine,
                                  struct sw_error *error)
{
    struct engine_module *compiled;
    uint8_t params[512] = {0};
    struct engine_launch launch = {.grid = {job->blocks, 1, 1},
                                   .block = {job->threads, 1, 1},
                                   .params = params,
                                   .sm_count = 132,
                                   .max_warps_per_sm = 64};
    clear(lab, job);
    enum sw_status status =
        engine_module_new(lab->engines[engine], job->module, job->symbols, &compiled, error);
    if (status != SW_OK) return status;
    status = engine_kernel_get(compiled, job->kernel, &launch.kernel, error);
    if (status == SW_OK) {
        pack_params(lab, engine_kernel_function(launch.kernel), params);
        status = engine_launch(lab->engines[engine], &launch, error);
    }
    engine_module_free(compiled);
    return status;
}

enum sw_status forms_job_oracle(struct forms_lab *lab, const struct forms_job *job, struct sw_error *error)
{
    uint8_t params[512] = {0};
    struct oracle_launch launch = {.module = job->module,
                                   .kernel = job->kernel,
                                   .params = params,
                                   .symbols = job->symbols,
                                   .grid = {job->blocks, 1, 1},
                                   .block = {job->threads, 1, 1}};
    clear(lab, job);
    pack_params(lab, ptx_find_function(job->module, job->kernel), params);
    return oracle_run(&launch, error);
}
