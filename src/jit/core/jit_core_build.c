/* SPDX-License-Identifier: Apache-2.0 */
/* Small LLVM building blocks: types, constants, slots, branches, intrinsics, fields of struct jit_ctx.
 * Fields are read at offsetof() of the C struct itself, so there is no twin layout that could go astray.
 * Limits: little-endian 64-bit hosts. */
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"

#include <string.h>

LLVMTypeRef jit_int(const struct jit *jit, unsigned bits)
{
    return LLVMIntTypeInContext(jit->context, bits);
}

LLVMTypeRef jit_vec(const struct jit *jit, unsigned bits)
{
    return LLVMVectorType(jit_int(jit, bits), jit->part.lanes);
}

LLVMValueRef jit_const(const struct jit *jit, unsigned bits, uint64_t value)
{
    return LLVMConstInt(jit_int(jit, bits), value, 0);
}

LLVMValueRef jit_slot(struct jit *jit, LLVMTypeRef type, const char *name)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    LLVMValueRef first = LLVMGetFirstInstruction(jit->allocas);
    if (first)
        LLVMPositionBuilderBefore(jit->builder, first);
    else
        LLVMPositionBuilderAtEnd(jit->builder, jit->allocas);
    LLVMValueRef slot = LLVMBuildAlloca(jit->builder, type, name);
    LLVMPositionBuilderAtEnd(jit->builder, here);
    return slot;
}

enum { MERGES_MOST = 1000 }; /* of slots at the ends of branches, before the slots stay in memory: assumed */

/* Where lanes of a warp wait for each other, a block can be entered with nearly any register changed: a merge
 * of them all at each, thousands of moves over a megabyte of stack (a tree reduction by shuffles: 100 times
 * slower). There registers stay in memory: their slots' addresses are known to an empty piece of assembly, so
 * that LLVM does not turn them into merges. */
static bool keeps_slots(const struct jit *jit)
{
    return jit->has_collectives && (uint64_t)jit->block_count * jit->reg_count > MERGES_MOST;
}

/* A slot of a register. */
/* Tells LLVM that somebody else knows the slot: it stays memory. */
static LLVMValueRef build_keep(struct jit *jit, LLVMValueRef slot)
{
    if (jit->request->quick) return slot; /* the first tier goes without SROA */
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    LLVMTypeRef known = LLVMFunctionType(jit->empty, &jit->ptr, 1, 0);
    LLVMValueRef nothing = LLVMGetInlineAsm(known, "", 0, "r", 1, 1, 0, LLVMInlineAsmDialectATT, 0);
    LLVMPositionBuilderAtEnd(jit->builder, jit->allocas); /* after all slots: jv_scratch searches them */
    LLVMBuildCall2(jit->builder, known, nothing, &slot, 1, "");
    LLVMPositionBuilderAtEnd(jit->builder, here);
    return slot;
}

LLVMValueRef jit_launch_slot(struct jit *jit, const char *name, uint64_t value)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    LLVMValueRef slot = jit_slot(jit, jit->i64, name);
    jit_position(jit, jit->launch_prologue);
    LLVMBuildStore(jit->builder, jit_const(jit, 64, value), slot);
    jit_position(jit, here);
    return slot;
}

LLVMValueRef jit_site_slot(struct jit *jit, const char *name, uint64_t value)
{
    LLVMValueRef slot = jit_launch_slot(jit, name, value);
    return (uint64_t)jit->block_count * jit->access_count > MERGES_MOST ? build_keep(jit, slot) : slot;
}

LLVMValueRef jit_reg_alloca(struct jit *jit, LLVMTypeRef type)
{
    LLVMValueRef slot = jit_slot(jit, type, "");
    return keeps_slots(jit) ? build_keep(jit, slot) : slot;
}

/* Of the lanes that wait at a block. Any of them may change wherever the warp goes elsewhere: as values, 60
 * of them became 5,600 merges, most of the 4 s that LLVM took for 20 locks (memory: 1 s). */
LLVMValueRef jit_mask_alloca(struct jit *jit)
{
    enum { TESTS_MOST = 100 };
    LLVMValueRef slot = jit_slot(jit, jit->i32, "wait");
    return jit->frontier_tests > TESTS_MOST ? build_keep(jit, slot) : slot;
}

LLVMValueRef jit_offset(struct jit *jit, LLVMValueRef base, uint64_t bytes)
{
    if (bytes == 0) return base;
    LLVMValueRef index = jit_const(jit, 64, bytes);
    return LLVMBuildGEP2(jit->builder, jit->i8, base, &index, 1, "");
}

LLVMValueRef jit_ctx_load(struct jit *jit, size_t offset, LLVMTypeRef type)
{
    return LLVMBuildLoad2(jit->builder, type, jit_offset(jit, jit->ctx, offset), "");
}

LLVMValueRef jit_splat(struct jit *jit, LLVMValueRef scalar, unsigned bits)
{
    LLVMTypeRef type = jit_vec(jit, bits);
    LLVMValueRef one =
        LLVMBuildInsertElement(jit->builder, LLVMGetPoison(type), scalar, jit_const(jit, 32, 0), "");
    return LLVMBuildShuffleVector(jit->builder, one, LLVMGetPoison(type),
                                  LLVMConstNull(LLVMVectorType(jit->i32, jit->part.lanes)), "");
}

/* base + stride * lane, for the lanes of one part. */
LLVMValueRef jit_lane_consts(struct jit *jit, unsigned bits, unsigned part, uint64_t base, int64_t stride)
{
    LLVMValueRef element[32];
    unsigned lanes = jit->part.lanes;
    for (unsigned i = 0; i < lanes; i++)
        element[i] = jit_const(jit, bits, base + (uint64_t)stride * (part * lanes + i));
    return LLVMConstVector(element, lanes);
}

LLVMValueRef jit_intrinsic(struct jit *jit, const char *name, LLVMTypeRef *types, unsigned type_count,
                           LLVMValueRef *args, unsigned arg_count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    if (!id) BUG("LLVM has no intrinsic %s", name);
    LLVMValueRef callee = LLVMGetIntrinsicDeclaration(jit->module, id, types, type_count);
    LLVMTypeRef type = LLVMIntrinsicGetType(jit->context, id, types, type_count);
    return LLVMBuildCall2(jit->builder, type, callee, args, arg_count, "");
}

LLVMBasicBlockRef jit_new_block(struct jit *jit, const char *name)
{
    return LLVMAppendBasicBlockInContext(jit->context, jit->fn, name);
}

void jit_position(struct jit *jit, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderAtEnd(jit->builder, block);
}

/* likely: `yes` is taken 4000 times for each `no`. Without the weights SimplifyCFG makes a cmov on a
 * loop-carried chain of the mask and loses a factor of two. */
LLVMValueRef jit_branch(struct jit *jit, LLVMValueRef condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no,
                        bool likely)
{
    LLVMValueRef branch = LLVMBuildCondBr(jit->builder, condition, yes, no);
    if (likely) LLVMSetMetadata(branch, jit->kind_prof, jit->likely);
    return branch;
}

LLVMValueRef jit_resize(struct jit *jit, LLVMValueRef value, unsigned from, unsigned to, bool is_signed)
{
    if (from == to) return value;
    LLVMTypeRef type = jit_int(jit, to);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind)
        type = LLVMVectorType(type, LLVMGetVectorSize(LLVMTypeOf(value)));
    if (to < from) return LLVMBuildTrunc(jit->builder, value, type, "");
    return is_signed ? LLVMBuildSExt(jit->builder, value, type, "")
                     : LLVMBuildZExt(jit->builder, value, type, "");
}

LLVMValueRef jit_helper_call(struct jit *jit, size_t offset, LLVMTypeRef type, LLVMValueRef *args,
                             unsigned count)
{
    LLVMValueRef fn = LLVMBuildLoad2(jit->builder, jit->ptr, jit_offset(jit, jit->helpers, offset), "");
    return LLVMBuildCall2(jit->builder, type, fn, args, count, "");
}

void jit_attribute(struct jit *jit, LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(jit->context, kind, 0));
}

void jit_target_attributes(struct jit *jit, LLVMValueRef function)
{
    jit_attribute(jit, function, "nounwind");
}

LLVMValueRef jit_object_constant(struct jit *jit, LLVMValueRef value, const char *name, unsigned align)
{
    LLVMValueRef global = LLVMAddGlobal(jit->module, LLVMTypeOf(value), name);
    LLVMSetInitializer(global, value);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetGlobalConstant(global, true);
    LLVMSetAlignment(global, align);
    return global;
}
