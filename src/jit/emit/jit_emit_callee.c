/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of functions that stay functions (jit_callee.c): their types, arguments, areas. */
#include "jit_emit_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/emit/jit_emit.h"
#include "jit/probe/jit_probe.h"

enum { FIXED_PARAMS = 6 };

static unsigned area_count(const struct ptx_function *function)
{
    return function->param_count + function->return_count;
}

static LLVMTypeRef callee_type(struct jit *jit, const struct ptx_function *function)
{
    unsigned count = FIXED_PARAMS + area_count(function);
    LLVMTypeRef *types = ARENA_ARRAY(&jit->arena, LLVMTypeRef, count);
    for (unsigned i = 0; i < count; i++)
        types[i] = i == 0 || i >= FIXED_PARAMS ? jit->ptr : jit->i32;
    return LLVMFunctionType(jit->empty, types, count, 0);
}

LLVMValueRef jit_callee_declare(struct jit *jit, struct jit_callee *callee)
{
    if (callee->fn) return callee->fn;
    char *name = arena_printf(&jit->arena, "softwarp_call_%s", callee->source->name);
    callee->fn = LLVMAddFunction(jit->module, name, callee_type(jit, callee->source));
    LLVMSetLinkage(callee->fn, LLVMInternalLinkage);
    jit_target_attributes(jit, callee->fn);
    return callee->fn;
}

/* Call `function` for the lanes of mask; areas: parameters, then results. */
void jit_callee_call(struct jit *jit, const struct ptx_function *function, LLVMValueRef mask,
                     const LLVMValueRef *areas)
{
    struct jit_callee *callee = NULL;
    for (size_t i = 0; i < jit->callees->count && !callee; i++)
        if (jit->callees->at[i].source == function) callee = &jit->callees->at[i];
    SW_ASSERT(callee);
    unsigned count = FIXED_PARAMS + area_count(function);
    LLVMValueRef *args = ARENA_ARRAY(&jit->arena, LLVMValueRef, count);
    LLVMValueRef fixed[FIXED_PARAMS] = {jit->ctx,      mask,          jit->warp,
                                        jit->ctaid[0], jit->ctaid[1], jit->ctaid[2]};
    for (unsigned i = 0; i < count; i++)
        args[i] = i < FIXED_PARAMS ? fixed[i] : areas[i - FIXED_PARAMS];
    jit_record_call(jit);
    LLVMBuildCall2(jit->builder, callee_type(jit, function), jit_callee_declare(jit, callee), args, count,
                   "");
    jit_record_return(jit);
}

void jit_callee_take_areas(struct jit *jit, LLVMValueRef fn)
{
    const struct ptx_function *flat = jit->function;
    for (uint32_t i = 0; i < area_count(flat); i++) {
        const struct ptx_var *var =
            i < flat->param_count ? flat->params[i] : flat->returns[i - flat->param_count];
        map_set_u64(&jit->cached, (uint64_t)(uintptr_t)var, LLVMGetParam(fn, FIXED_PARAMS + i));
    }
}
