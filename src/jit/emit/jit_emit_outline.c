/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses lane by lane, as small functions of the object that are made once and called from many places:
 * cold paths, widths without hardware gather, and ordered (volatile, relaxed, acquire, release) accesses,
 * each lane of which is an LLVM atomic.
 *
 *   void softwarp_lanes(ptr addresses /[32] i64/, i64 offset, i32 mask, ptr values /[32] iN/)
 *   for each lane of mask, lowest first: load or store values[lane] at addresses[lane] + offset
 *
 * An ordered access of a vector or of 128 bits is one access where it can be (jit_access_is_whole): values
 * are then <elements> arrays of 32, one after the other.
 *
 * Limits: 8 to 128 bits a lane. */
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"

#include <stdio.h>

static LLVMValueRef element_ptr(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef base,
                                LLVMValueRef index)
{
    return LLVMBuildGEP2(builder, type, base, &index, 1, "");
}

/* Hardware never tears an aligned vector of up to 16 bytes, and CUB's look-back relies on it: a status and a
 * sum travel together. */
bool jit_access_is_whole(const struct jit_access *access)
{
    return access->order != LLVMAtomicOrderingNotAtomic && (access->count > 1 || access->bytes == 16) &&
           access->bytes * access->count <= 16;
}

/* 16 bytes as one volatile vector, which is a single move, untorn on every x86-64 processor with AVX and
 * every AArch64 one with LSE2: LLVM's own 128-bit atomics are calls or cmpxchg16b, which writes. */
static LLVMTypeRef whole_type(struct jit *jit, const struct jit_access *access)
{
    unsigned bits = access->bits * access->count;
    return bits == 128 ? LLVMVectorType(jit->i64, 2) : jit_int(jit, bits);
}

static void order_whole(const struct jit *jit, LLVMBuilderRef builder, const struct jit_access *access,
                        LLVMValueRef op)
{
    unsigned bytes = access->bytes * access->count;
    LLVMSetAlignment(op, bytes);
    if (bytes < 16) {
        LLVMSetOrdering(op, access->order);
        return;
    }
    LLVMSetVolatile(op, 1);
    if (access->order == LLVMAtomicOrderingMonotonic) return;
    if (access->is_store) LLVMPositionBuilderBefore(builder, op);
    bool holds_compiler = jit->request->isa != JIT_ISA_NEON; /* x86 orders it */
    LLVMBuildFence(builder, access->order, holds_compiler, "");
    LLVMPositionBuilderAtEnd(builder, LLVMGetInstructionParent(op));
}

void jit_whole_load(struct jit *jit, LLVMBuilderRef builder, const struct jit_access *access,
                    LLVMValueRef pointer, LLVMValueRef *elements)
{
    LLVMValueRef all = LLVMBuildLoad2(builder, whole_type(jit, access), pointer, "");
    order_whole(jit, builder, access, all);
    all = LLVMBuildBitCast(builder, all, LLVMVectorType(jit_int(jit, access->bits), access->count), "");
    for (unsigned i = 0; i < access->count; i++)
        elements[i] = LLVMBuildExtractElement(builder, all, jit_const(jit, 32, i), "");
}

void jit_whole_store(struct jit *jit, LLVMBuilderRef builder, const struct jit_access *access,
                     LLVMValueRef pointer, LLVMValueRef *elements)
{
    LLVMValueRef all = LLVMGetPoison(LLVMVectorType(jit_int(jit, access->bits), access->count));
    for (unsigned i = 0; i < access->count; i++)
        all = LLVMBuildInsertElement(builder, all, elements[i], jit_const(jit, 32, i), "");
    all = LLVMBuildBitCast(builder, all, whole_type(jit, access), "");
    order_whole(jit, builder, access, LLVMBuildStore(builder, all, pointer));
}

static void move_whole(struct jit *jit, LLVMBuilderRef builder, const struct jit_access *access,
                       LLVMValueRef pointer, LLVMValueRef values, LLVMValueRef lane)
{
    LLVMTypeRef type = jit_int(jit, access->bits);
    LLVMValueRef elements[16], at[16];
    for (unsigned i = 0; i < access->count; i++) {
        LLVMValueRef index = LLVMBuildAdd(builder, lane, jit_const(jit, 64, 32ull * i), "");
        at[i] = element_ptr(builder, type, values, index);
        if (access->is_store) elements[i] = LLVMBuildLoad2(builder, type, at[i], "");
    }
    if (access->is_store) {
        jit_whole_store(jit, builder, access, pointer, elements);
        return;
    }
    jit_whole_load(jit, builder, access, pointer, elements);
    for (unsigned i = 0; i < access->count; i++)
        LLVMBuildStore(builder, elements[i], at[i]);
}

static void move_one(struct jit *jit, LLVMBuilderRef builder, const struct jit_access *access,
                     LLVMValueRef at, LLVMValueRef values, LLVMValueRef lane)
{
    LLVMTypeRef type = jit_int(jit, access->bits);
    LLVMValueRef pointer = LLVMBuildIntToPtr(builder, at, jit->ptr, ""), op;
    if (jit_access_is_whole(access)) {
        move_whole(jit, builder, access, pointer, values, lane);
        return;
    }
    LLVMValueRef value = element_ptr(builder, type, values, lane);
    if (access->is_store) {
        op = LLVMBuildStore(builder, LLVMBuildLoad2(builder, type, value, ""), pointer);
    } else {
        op = LLVMBuildLoad2(builder, type, pointer, "");
        LLVMBuildStore(builder, op, value);
    }
    if (access->order != LLVMAtomicOrderingNotAtomic) LLVMSetOrdering(op, access->order);
    LLVMSetAlignment(op, access->bits / 8);
}

static void build_body(struct jit *jit, const struct jit_access *access, LLVMValueRef fn)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(jit->context);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(jit->context, fn, "");
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(jit->context, fn, "");
    LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(jit->context, fn, "");
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(jit->context, fn, "");
    LLVMPositionBuilderAtEnd(builder, entry);
    LLVMBuildBr(builder, loop);
    LLVMPositionBuilderAtEnd(builder, loop);
    LLVMValueRef mask = LLVMBuildPhi(builder, jit->i32, "");
    LLVMValueRef none = LLVMBuildICmp(builder, LLVMIntEQ, mask, jit_const(jit, 32, 0), "");
    LLVMBuildCondBr(builder, none, end, body);
    LLVMPositionBuilderAtEnd(builder, body);
    unsigned id = LLVMLookupIntrinsicID("llvm.cttz", 9);
    LLVMValueRef args[] = {mask, jit_const(jit, 1, 1)};
    LLVMValueRef lane =
        LLVMBuildCall2(builder, LLVMIntrinsicGetType(jit->context, id, &jit->i32, 1),
                       LLVMGetIntrinsicDeclaration(jit->module, id, &jit->i32, 1), args, 2, "");
    lane = LLVMBuildZExt(builder, lane, jit->i64, "");
    LLVMValueRef at =
        LLVMBuildLoad2(builder, jit->i64, element_ptr(builder, jit->i64, LLVMGetParam(fn, 0), lane), "");
    at = LLVMBuildAdd(builder, at, LLVMGetParam(fn, 1), "");
    move_one(jit, builder, access, at, LLVMGetParam(fn, 3), lane);
    LLVMValueRef less = LLVMBuildSub(builder, mask, jit_const(jit, 32, 1), "");
    LLVMValueRef rest = LLVMBuildAnd(builder, mask, less, "");
    LLVMBuildBr(builder, loop);
    LLVMValueRef incoming[] = {LLVMGetParam(fn, 2), rest};
    LLVMBasicBlockRef from[] = {entry, body};
    LLVMAddIncoming(mask, incoming, from, 2);
    LLVMPositionBuilderAtEnd(builder, end);
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
}

bool jit_has_gather(const struct jit *jit, const struct jit_access *access)
{
    if (access->bits < 32 || access->bits > 64) return false;
    if (jit->request->isa == JIT_ISA_AVX512) return true;
    return jit->request->isa == JIT_ISA_AVX2 && !access->is_store;
}

/* Of the machine's gathers and scatters, a part of the lanes each. */
static void build_vector_body(struct jit *jit, const struct jit_access *access, LLVMValueRef fn)
{
    LLVMBuilderRef own = LLVMCreateBuilderInContext(jit->context), builder = jit->builder;
    LLVMPositionBuilderAtEnd(own, LLVMAppendBasicBlockInContext(jit->context, fn, ""));
    jit->builder = own;
    unsigned lanes = jit->part.lanes, bytes = access->bits / 8 * lanes;
    LLVMTypeRef bits = jit_int(jit, lanes), type = jit_vec(jit, access->bits);
    LLVMTypeRef pointers = LLVMVectorType(jit->ptr, lanes), types[] = {type, pointers};
    LLVMValueRef offset = jit_splat(jit, LLVMGetParam(fn, 1), 64), align = jit_const(jit, 32, access->bytes);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef at = jit_offset(jit, LLVMGetParam(fn, 0), 8ull * lanes * p);
        at = LLVMBuildAdd(own, LLVMBuildLoad2(own, jit_vec(jit, 64), at, ""), offset, "");
        at = LLVMBuildIntToPtr(own, at, pointers, "");
        LLVMValueRef on =
            LLVMBuildLShr(own, LLVMGetParam(fn, 2), jit_const(jit, 32, (uint64_t)p * lanes), "");
        on = LLVMBuildBitCast(own, LLVMBuildTrunc(own, on, bits, ""), LLVMVectorType(jit->i1, lanes), "");
        LLVMValueRef place = jit_offset(jit, LLVMGetParam(fn, 3), (uint64_t)p * bytes);
        if (access->is_store) {
            LLVMValueRef args[] = {LLVMBuildLoad2(own, type, place, ""), at, align, on};
            jit_intrinsic(jit, "llvm.masked.scatter", types, 2, args, 4);
        } else {
            LLVMValueRef args[] = {at, align, on, LLVMConstNull(type)};
            LLVMBuildStore(own, jit_intrinsic(jit, "llvm.masked.gather", types, 2, args, 4), place);
        }
    }
    LLVMBuildRetVoid(own);
    jit->builder = builder;
    LLVMDisposeBuilder(own);
}

static LLVMTypeRef lanes_type(struct jit *jit)
{
    LLVMTypeRef params[] = {jit->ptr, jit->i64, jit->i32, jit->ptr};
    return LLVMFunctionType(jit->empty, params, 4, 0);
}

static LLVMValueRef lanes_function(struct jit *jit, const struct jit_access *access)
{
    char name[64];
    snprintf(name, sizeof name, "softwarp_%s%u_%d_%u", access->is_store ? "store" : "load", access->bits,
             (int)access->order, jit_access_is_whole(access) ? access->count : 1);
    LLVMValueRef fn = LLVMGetNamedFunction(jit->module, name);
    if (fn) return fn;
    fn = LLVMAddFunction(jit->module, name, lanes_type(jit));
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    jit_target_attributes(jit, fn);
    jit_attribute(jit, fn, "noinline");
    bool vectors =
        jit->request->quick && jit_has_gather(jit, access) && access->order == LLVMAtomicOrderingNotAtomic;
    if (vectors)
        build_vector_body(jit, access, fn);
    else
        build_body(jit, access, fn);
    return fn;
}

/* parts: in for a store, out for a load (lanes outside the mask are zero). */
void jit_access_lanes(struct jit *jit, const struct jit_access *access, LLVMValueRef addresses,
                      int64_t offset, LLVMValueRef mask, LLVMValueRef *parts)
{
    LLVMValueRef values = jit_scratch_values(jit), zero[JIT_MAX_PARTS];
    for (unsigned p = 0; p < jit->part.parts; p++)
        zero[p] = LLVMConstNull(jit_vec(jit, access->bits));
    jit_spill_parts(jit, values, access->is_store ? parts : zero, access->bits);
    LLVMValueRef args[] = {addresses, jit_const(jit, 64, (uint64_t)offset), mask, values};
    LLVMBuildCall2(jit->builder, lanes_type(jit), lanes_function(jit, access), args, 4, "");
    if (access->is_store) return;
    unsigned bytes = access->bits / 8 * jit->part.lanes;
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef from = jit_offset(jit, values, (uint64_t)p * bytes);
        parts[p] = LLVMBuildLoad2(jit->builder, jit_vec(jit, access->bits), from, "");
        LLVMSetAlignment(parts[p], bytes > 64 ? 64 : bytes);
    }
}

/* The same for a whole vector: parts[i] is element i. */
void jit_access_whole(struct jit *jit, const struct jit_access *access, LLVMValueRef addresses,
                      LLVMValueRef mask, LLVMValueRef (*parts)[JIT_MAX_PARTS])
{
    LLVMValueRef values = jit_scratch_values(jit);
    uint64_t row = 32ull * access->bytes;
    for (unsigned i = 0; i < access->count; i++) {
        LLVMValueRef zero[JIT_MAX_PARTS];
        for (unsigned p = 0; p < jit->part.parts; p++)
            zero[p] = LLVMConstNull(jit_vec(jit, access->bits));
        jit_spill_parts(jit, jit_offset(jit, values, i * row), access->is_store ? parts[i] : zero,
                        access->bits);
    }
    LLVMValueRef args[] = {addresses, jit_const(jit, 64, 0), mask, values};
    LLVMBuildCall2(jit->builder, lanes_type(jit), lanes_function(jit, access), args, 4, "");
    unsigned bytes = access->bytes * jit->part.lanes;
    for (unsigned i = 0; i < access->count && !access->is_store; i++)
        for (unsigned p = 0; p < jit->part.parts; p++) {
            LLVMValueRef from = jit_offset(jit, values, i * row + (uint64_t)p * bytes);
            parts[i][p] = LLVMBuildLoad2(jit->builder, jit_vec(jit, access->bits), from, "");
            LLVMSetAlignment(parts[i][p], bytes > 64 ? 64 : bytes);
        }
}
