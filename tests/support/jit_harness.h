/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles a kernel from PTX text with softwarp_jit_compile and runs it in this process: the object is loaded
 * by LLVM's own JIT linker, so that these tests need no engine. */
#ifndef JIT_HARNESS_H
#define JIT_HARNESS_H

#include "cpu_runs.h"

#include "jit/jit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>

enum sw_status softwarp_jit_compile(const struct jit_request *request, struct jit_object *out,
                                    struct sw_error *error);

struct jit_kernel {
    struct ptx_module *module;
    struct arena arena;
    struct ptx_function *flat;
    struct jit_object object;
    LLVMOrcLLJITRef linker;
    jit_run_fn run;
};

static void jit_link(struct jit_kernel *kernel)
{
    LLVMInitializeNativeTarget();
    LLVMErrorRef error = LLVMOrcCreateLLJIT(&kernel->linker, NULL);
    if (error) fail_msg("%s", LLVMGetErrorMessage(error));
    LLVMOrcDefinitionGeneratorRef process;
    error = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
        &process, LLVMOrcLLJITGetGlobalPrefix(kernel->linker), NULL, NULL);
    if (error) fail_msg("%s", LLVMGetErrorMessage(error));
    LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(kernel->linker), process);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)kernel->object.code,
                                                                           kernel->object.bytes, "object");
    error = LLVMOrcLLJITAddObjectFile(kernel->linker, LLVMOrcLLJITGetMainJITDylib(kernel->linker), buffer);
    if (error) fail_msg("%s", LLVMGetErrorMessage(error));
    LLVMOrcExecutorAddress address = 0;
    error = LLVMOrcLLJITLookup(kernel->linker, &address, JIT_RUN_SYMBOL);
    if (error) fail_msg("%s", LLVMGetErrorMessage(error));
    kernel->run = (jit_run_fn)(uintptr_t)address;
}

/* Compile `name`; the status instead of failing the test when `error` is given. */
static enum sw_status jit_kernel_try(struct jit_kernel *kernel, const char *text, const char *name,
                                     const struct jit_request *base, struct sw_error *error)
{
    memset(kernel, 0, sizeof *kernel);
    arena_init(&kernel->arena);
    SW_TRY(ptx_parse(text, strlen(text), "test", &kernel->module, error));
    struct ptx_function *entry = ptx_find_function(kernel->module, name);
    assert_non_null(entry);
    SW_TRY(ptx_flatten(kernel->module, entry, &kernel->arena, &kernel->flat, error));
    struct jit_request request = *base;
    request.entry = kernel->flat;
    SW_TRY(softwarp_jit_compile(&request, &kernel->object, error));
    jit_link(kernel);
    return SW_OK;
}

static void jit_kernel_make(struct jit_kernel *kernel, const char *text, const char *name,
                            const struct jit_request *base)
{
    struct sw_error error = {0};
    char line[1024];
    if (jit_kernel_try(kernel, text, name, base, &error) != SW_OK)
        fail_msg("%s", sw_error_format(&error, line, sizeof line));
}

static void jit_kernel_free(struct jit_kernel *kernel)
{
    if (kernel->linker) LLVMOrcDisposeLLJIT(kernel->linker);
    free(kernel->object.code);
    free(kernel->object.slots);
    if (kernel->module) ptx_module_free(kernel->module);
    arena_release(&kernel->arena);
}

/* Run the whole grid on this thread. */
static void jit_kernel_run(struct jit_kernel *kernel, struct jit_ctx *ctx, const uint32_t grid[3],
                           const uint32_t block[3], const void *params)
{
    uint32_t threads = block[0] * block[1] * block[2], warps = (threads + 31) / 32;
    const struct jit_info *info = &kernel->object.info;
    size_t shared = info->static_shared_bytes + ctx->dynamic_shared_bytes;
    ctx->params = params;
    ctx->shared = aligned_alloc(1024, sw_align_up(shared + 1, 1024));
    ctx->local = aligned_alloc(64, sw_align_up((size_t)warps * 32 * info->local_bytes + 1, 64));
    ctx->frames = aligned_alloc(64, sw_align_up((size_t)warps * info->frame_bytes + 1, 64));
    memset(ctx->frames, 0xa5, (size_t)warps * info->frame_bytes);
    ctx->shared_bytes = (uint32_t)shared;
    memcpy(ctx->grid, grid, sizeof ctx->grid);
    memcpy(ctx->block, block, sizeof ctx->block);
    kernel->run(ctx, 0, (uint64_t)grid[0] * grid[1] * grid[2]);
    free(ctx->shared);
    free(ctx->local);
    free(ctx->frames);
}
#endif
