/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: constant vectors of the first tier stand in memory.
 * Method: LLVM's instruction selection makes a node of sixteen operands of a constant vector, and visits each
 * of them in every step; a load is one node. Taken: operands of arithmetic, comparisons, selections and
 * stores: 15 to 25 % of the time for code generation. Not taken: what changes the instructions much when the
 * constant is not seen (divisors, shuffles, shifts without AVX2) and what must be constant (calls, phis).
 * Limits: values alone, so nothing that a kernel computes depends on it. */
#include "jit_compile_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"

static bool takes_load(const struct jit *jit, LLVMValueRef instr)
{
    switch ((int)LLVMGetInstructionOpcode(instr)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMStore: return true;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return jit->request->isa != JIT_ISA_SSE2;
    default: return false;
    }
}

/* Of elements that have bytes: <n x i1> is a mask, and no vector in memory. */
static bool is_constant_vector(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (!LLVMIsConstant(value) || LLVMGetTypeKind(type) != LLVMVectorTypeKind) return false;
    LLVMTypeRef element = LLVMGetElementType(type);
    if (LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) < 8) return false;
    return LLVMIsAConstantDataVector(value) || LLVMIsAConstantAggregateZero(value);
}

/* The constant in memory; the key is LLVM's own, which has one object for equal constants. */
static LLVMValueRef place_of(struct jit *jit, struct map *places, LLVMValueRef constant)
{
    enum { ALIGN = 64 }; /* of the widest vector's load */
    const uint64_t key = (uint64_t)(uintptr_t)constant;
    LLVMValueRef place = map_get_u64(places, key);
    if (place) return place;
    place = jit_object_constant(jit, constant, "constant", ALIGN);
    map_set_u64(places, key, place);
    return place;
}

static void load_operands(struct jit *jit, struct map *places, LLVMValueRef instr)
{
    unsigned count = (unsigned)LLVMGetNumOperands(instr);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = LLVMGetOperand(instr, i);
        if (!is_constant_vector(value)) continue;
        LLVMPositionBuilderBefore(jit->builder, instr);
        LLVMValueRef place = place_of(jit, places, value);
        LLVMSetOperand(instr, i, LLVMBuildLoad2(jit->builder, LLVMTypeOf(value), place, ""));
    }
}

void jit_constants_load(struct jit *jit)
{
    struct map places = {0};
    for (LLVMValueRef fn = LLVMGetFirstFunction(jit->module); fn; fn = LLVMGetNextFunction(fn))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (takes_load(jit, i)) load_operands(jit, &places, i);
    map_release(&places);
}
