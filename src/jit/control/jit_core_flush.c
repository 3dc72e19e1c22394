/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that flush denormals everywhere (nvcc -ftz=true, -use_fast_math) run with MXCSR's DAZ and FTZ set:
 * both mean what .ftz means, to the bit (a result is flushed when it is below the least normal number after
 * rounding as if exponents went on). Loops of fma.ftz take a third of the time that flushing in instructions
 * takes.
 *
 * Method: asked of every instruction of a kernel before it is emitted: arithmetic of f32 with .ftz, and what
 * MXCSR does not change (integers, moves, memory), is let through, anything else is not. The engine restores
 * MXCSR when a kernel ends before its time (engine_fault_guard). Not chosen: MXCSR around runs of such
 * instructions in other kernels (LLVM moves arithmetic past it); FPCR's FZ of AArch64, which looks at results
 * before they are rounded. Limits: not where warps may stop anywhere,
 * nor in kernels with functions that stay functions. */
#include "jit_suspend_priv.h"

#include "jit/control/jit_control.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_ops.h"

#include <string.h>

static bool is_float_atomic(const struct ptx_instr *instr)
{
    return (instr->op == ISA_OP_ATOM || instr->op == ISA_OP_RED) && jit_is_float(ptx_instr_type(instr, 0));
}

/* Its types are integers or predicates, or it moves bits whatever they are */
static bool moves_bits(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_LD:
    case ISA_OP_LDU:
    case ISA_OP_ST:
    case ISA_OP_MOV:
    case ISA_OP_SELP: return true;
    default: break;
    }
    for (unsigned i = 0; i < 3; i++) {
        enum isa_type type = ptx_instr_type(instr, i);
        if (type != ISA_TYPE_NONE && (jit_is_float(type) || jit_is_float(jit_half_of(type)))) return false;
    }
    return true;
}

static bool calls_out(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_CALL:
    case ISA_OP_TEX:
    case ISA_OP_TLD4:
    case ISA_OP_SULD:
    case ISA_OP_SUST:
    case ISA_OP_MMA:
    case ISA_OP_WMMA:
    case ISA_OP_CP: return true;
    default: return is_float_atomic(instr);
    }
}

/* f32 with .ftz; halves and f64 nowhere. Those without it that differ in nothing: neg, abs, integers to f32.
 */
static bool flushes_itself(const struct ptx_instr *instr)
{
    bool ftz = jit_has(instr, ISA_MOD_FTZ);
    enum isa_type to = ptx_instr_type(instr, 0), from = ptx_instr_type(instr, 1);
    switch ((unsigned)instr->op) {
    case ISA_OP_ADD:
    case ISA_OP_SUB:
    case ISA_OP_MUL:
    case ISA_OP_FMA:
    case ISA_OP_MAD:
    case ISA_OP_DIV:
    case ISA_OP_RCP:
    case ISA_OP_SQRT:
    case ISA_OP_RSQRT:
    case ISA_OP_SIN:
    case ISA_OP_COS:
    case ISA_OP_LG2:
    case ISA_OP_EX2:
    case ISA_OP_MIN:
    case ISA_OP_MAX: return ftz && to == ISA_F32 && (from == ISA_TYPE_NONE || from == ISA_F32);
    case ISA_OP_NEG:
    case ISA_OP_ABS: return to == ISA_F32;
    case ISA_OP_SETP: return ftz && to == ISA_F32;
    case ISA_OP_SET:
        return ftz && from == ISA_F32 && !jit_is_float(jit_half_of(to)) && to != ISA_F16 && to != ISA_BF16;
    case ISA_OP_CVT:
        if (to == ISA_F32) return from == ISA_F32 ? ftz : !jit_is_float(from);
        return from == ISA_F32 && ftz && !jit_is_float(to) && isa_type_kind(to) != ISA_KIND_BITS;
    default: return false;
    }
}

/* fma without FMA hardware rounds to a float by steps on its bits. */
static bool rounds_by_steps(const struct jit *jit, const struct ptx_instr *instr)
{
    bool fused = instr->op == ISA_OP_FMA || instr->op == ISA_OP_MAD;
    return jit->request->isa < JIT_ISA_AVX2 && fused && jit_rounding(instr) != JIT_RN;
}

void jit_flush_build(struct jit *jit)
{
    bool some = false,
         all = jit->request->isa != JIT_ISA_NEON && !jit->suspends && !jit->is_callee && !jit->callees->count;
    for (uint32_t i = 0; i < jit->function->instr_count && all; i++) {
        const struct ptx_instr *instr = &jit->function->instrs[i];
        some |= jit_has(instr, ISA_MOD_FTZ);
        all =
            !calls_out(instr) && !rounds_by_steps(jit, instr) && (moves_bits(instr) || flushes_itself(instr));
    }
    jit->flushes = some && all;
}

static void load_mxcsr(struct jit *jit, uint32_t value)
{
    LLVMValueRef word = jit_slot(jit, jit->i32, "mxcsr");
    LLVMSetVolatile(LLVMBuildStore(jit->builder, jit_const(jit, 32, value), word), true);
    const char *text = "ldmxcsr $0", *constraints = "*m,~{memory}";
    LLVMTypeRef type = LLVMFunctionType(jit->empty, &jit->ptr, 1, false);
    LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true,
                                         false, LLVMInlineAsmDialectATT, false);
    LLVMValueRef call = LLVMBuildCall2(jit->builder, type, code, &word, 1, "");
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    LLVMAddCallSiteAttribute(call, 1, LLVMCreateTypeAttribute(jit->context, kind, jit->i32));
}

/* At the start and at the end of softwarp_run. Values that arithmetic takes are loaded after the first. */
void jit_flush_begin(struct jit *jit)
{
    jit->part.mxcsr_flushes = jit->one.mxcsr_flushes = jit->flushes;
    if (!jit->flushes) return;
    const char *name = "denormal-fp-math",
               *value = "preserve-sign,preserve-sign"; /* for LLVM's own arithmetic */
    LLVMAddAttributeAtIndex(jit->fn, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(jit->context, name, (unsigned)strlen(name), value,
                                                      (unsigned)strlen(value)));
    load_mxcsr(jit, JIT_MXCSR_FLUSH);
}

void jit_flush_end(struct jit *jit)
{
    if (jit->flushes) load_mxcsr(jit, JIT_MXCSR_DEFAULT);
}
