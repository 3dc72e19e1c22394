/* SPDX-License-Identifier: Apache-2.0 */
/* Target machine, passes, object. One fixed CPU model and feature list an instruction set, so that an object
 * depends on the request alone and not on the machine that compiles.
 * Pipeline: sroa, early-cse, instcombine, simplifycfg, licm at codegen level 2; O2 and O3 were measured to
 * buy nothing. The first tier (jit_request.quick): early-cse and codegen level 0, without sroa, whose merges
 * take longer than the loads and stores that they replace. No pass of either may contract or reorder
 * floating-point operations, so both compute the same bits. Position-independent, small code model: what an
 * object refers to lies in itself or in the loader's list of outside names. Limits: x86-64 and AArch64 Linux.
 */
#include "jit_compile_priv.h"

#include "jit/core/jit_core.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <string.h>

#define X86     "x86_64-unknown-linux-gnu"
#define AARCH64 "aarch64-unknown-linux-gnu"

struct target_model {
    const char *triple, *cpu, *features;
};
/* SSE2: with cmpxchg16b, which every such CPU but the first has; LLVM would call a library for 128-bit
 * atomics. AVX2: gathers are worth it (LLVM asks for the tuning flag). AVX-512: 512-bit vectors, always:
 * parts are made to that size. NEON: what every AArch64 processor has. */
static const struct target_model models[JIT_ISA_COUNT] = {
    [JIT_ISA_SSE2] = {X86, "x86-64", "+cx16"},
    [JIT_ISA_AVX2] = {X86, "haswell", "+fast-gather,-rtm,-rdrnd,-fsgsbase,-invpcid"},
    [JIT_ISA_AVX512] =
        {X86, "skylake-avx512",
         "-prefer-256-bit,-rtm,-rdrnd,-rdseed,-adx,-fsgsbase,-invpcid,-pku,-clwb,-xsavec,-xsaves"},
    [JIT_ISA_NEON] = {AARCH64, "generic", "+neon"},
};
/* With jit_request.ice_lake: LLVM counts bits in one instruction, and permutes bytes. */
static const char *const ICE_LAKE = "+avx512vpopcntdq,+avx512bitalg,+avx512vbmi,+avx512vbmi2,+gfni";

static const char *const FULL_PASSES =
    "sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm)";
static const char *const QUICK_PASSES = "early-cse";

/* Kernels of more instructions than this are, in the full tier too, compiled without LLVM's register
 * allocator for speed, whose time grows much faster than its input: CUB's scan takes 25 s with it and 2 s
 * without, and its radix sort minutes and 6 s. */
#define QUICK_INSTRUCTIONS 20000

static void target_initialize(void)
{
    LLVMInitializeNativeTarget(); /* other CPUs' code is never asked for: it could not run */
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser(); /* the ops use inline assembly */
}

static const char *target_features(struct jit *jit)
{
    const char *features = models[jit->request->isa].features;
    bool more = jit->request->ice_lake && jit->request->isa == JIT_ISA_AVX512;
    return more ? arena_printf(&jit->arena, "%s,%s", features, ICE_LAKE) : features;
}

static LLVMTargetMachineRef new_machine(struct jit *jit, LLVMCodeGenOptLevel level)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, target_initialize);
    const struct target_model *model = &models[jit->request->isa];
    const char *triple = model->triple;
    LLVMTargetRef target;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message)) BUG("LLVM has no target %s: %s", triple, message);
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(target, triple, model->cpu, target_features(jit),
                                                           level, LLVMRelocPIC, LLVMCodeModelSmall);
    if (jit->request->isa == JIT_ISA_NEON) /* the default there, at level 0, which takes few of our vectors */
        LLVMSetTargetMachineGlobalISel(machine, false);
    LLVMSetTarget(jit->module, triple);
    LLVMTargetDataRef data = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(jit->module, data);
    LLVMDisposeTargetData(data);
    return machine;
}

static enum sw_status optimize(struct jit *jit, LLVMTargetMachineRef machine)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    const char *passes = jit->request->quick ? QUICK_PASSES : FULL_PASSES;
    LLVMErrorRef failed = LLVMRunPasses(jit->module, passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!failed) return SW_OK;
    char *message = LLVMGetErrorMessage(failed);
    enum sw_status status = sw_fail(jit->error, SW_UNKNOWN, "LLVM passes failed: %s", message);
    LLVMDisposeErrorMessage(message);
    return status;
}

static enum sw_status emit_object(struct jit *jit, LLVMTargetMachineRef machine, struct jit_object *out)
{
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, jit->module, LLVMObjectFile, &message, &buffer)) {
        enum sw_status status = sw_fail(jit->error, SW_UNKNOWN, "LLVM code generation failed: %s", message);
        LLVMDisposeMessage(message);
        return status;
    }
    out->bytes = LLVMGetBufferSize(buffer);
    out->code = sw_xmalloc(out->bytes);
    memcpy(out->code, LLVMGetBufferStart(buffer), out->bytes);
    LLVMDisposeMemoryBuffer(buffer);
    return SW_OK;
}

static void target_dump(struct jit *jit, const char *stage)
{
    const char *folder = getenv("SOFTWARP_JIT_DUMP");
    if (!folder) return;
    size_t length;
    const char *kernel = LLVMGetModuleIdentifier(jit->module, &length);
    char *path = arena_printf(&jit->arena, "%s/%.200s.%s.ll", folder, kernel, stage), *message = NULL;
    if (LLVMPrintModuleToFile(jit->module, path, &message)) LLVMDisposeMessage(message);
}

static size_t instruction_count(const struct jit *jit)
{
    size_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(jit->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                count++;
    return count;
}

enum sw_status jit_target_emit(struct jit *jit, struct jit_object *out)
{
    bool quick = jit->request->quick;
    LLVMTargetMachineRef machine = new_machine(jit, quick ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault);
    target_dump(jit, "in");
    char *message = NULL;
    if (LLVMVerifyModule(jit->module, LLVMReturnStatusAction, &message)) {
        size_t length;
        BUG("LLVM rejects the module that was generated for kernel '%s': %s",
            LLVMGetModuleIdentifier(jit->module, &length), message);
    }
    LLVMDisposeMessage(message);
    if (quick) jit_expressions_share(jit);
    enum sw_status status = optimize(jit, machine);
    if (quick) jit_constants_load(jit);
    target_dump(jit, quick ? "quick" : "out");
    if (!quick && instruction_count(jit) > QUICK_INSTRUCTIONS) {
        LLVMDisposeTargetMachine(machine);
        machine = new_machine(jit, LLVMCodeGenLevelNone);
    }
    if (status == SW_OK) status = emit_object(jit, machine, out);
    LLVMDisposeTargetMachine(machine);
    return status;
}
