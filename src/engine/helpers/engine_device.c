/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: kernels' calls of CUDA's device runtime, handed to whoever made the engine (config.device_call).
 * Method: everything that touches the program's memory happens here, with the fault handler armed; the call
 * itself runs disarmed, so that a bug of ours is not taken for the kernel's. Limits: knows no CUDA API. */
#include "engine_helpers_priv.h"

#include "engine/shadow/engine_shadow.h"

#include <string.h>

#define DEVICE_NAME(name, bits, arguments) {#name, bits, arguments},
static const struct {
    const char *name;
    unsigned result_bits, arguments;
} functions[] = {JIT_DEVICE_CALLS(DEVICE_NAME)};
#undef DEVICE_NAME

_Noreturn static void device_call_refuse(struct engine_worker *worker, const char *name)
{
    worker->armed = 0;
    sw_fail(&worker->error, SW_UNSUPPORTED,
            "the kernel calls cuda%s, which needs the CUDA driver library; launch it through libcuda", name);
    engine_fault_unwind(worker);
}

void engine_help_device_call(struct jit_ctx *ctx, uint32_t code, const uint64_t *arguments)
{
    struct engine_worker *worker = ctx->host;
    uint32_t function = code & ~(uint32_t)JIT_DEVICE_PER_THREAD;
    void (*device_call)(struct engine_device_call *) = worker->engine->config.device_call;
    if (worker->job->diagnosis) engine_fault_unwind(worker);
    if (!device_call) device_call_refuse(worker, functions[function].name);
    struct engine_device_call call = {.owner = worker->job->launch->owner,
                                      .function = (enum jit_device_function)function,
                                      .per_thread = (code & JIT_DEVICE_PER_THREAD) != 0,
                                      .block = engine_block_number(ctx),
                                      .thread = ctx->warp * SW_WARP_LANES + ctx->lane,
                                      .arguments = arguments,
                                      .worker = worker};
    if (function == JIT_DEVICE_Memcpy3DAsync)
        memcpy(call.in, *(void *const *)(uintptr_t)arguments[0], sizeof call.in);
    worker->armed = 0;
    device_call(&call);
    worker->armed = 1;
    if (call.out_bytes) {
        memcpy((void *)(uintptr_t)call.out_at, call.out, call.out_bytes);
        engine_shadow_range(ctx, ctx->lane, call.out_at, call.out_bytes, JIT_SHADOW_WRITE, ctx->line);
    }
    memcpy((void *)(uintptr_t)arguments[functions[function].arguments], &call.result,
           functions[function].result_bits / 8);
}

void engine_device_read(const struct engine_device_call *call, void *to, uint64_t from, uint64_t bytes)
{
    call->worker->armed = 1;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    call->worker->armed = 0;
}
