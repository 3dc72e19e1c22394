/* SPDX-License-Identifier: Apache-2.0 */
/* The write-combining queue of strided stores: what is made once an object and called from many places.
 *
 *   void softwarp_combined_stores(ptr queue, ptr ctx)   for each lane, for each record: its store; then empty
 *   void softwarp_combined_lines(ptr addresses)         for each lane: ask for its line
 *
 * Rows are far apart: no prefetcher of the processor follows them, and stores wait for their lines one after
 * the other (naive transposition 33 ms without asking, 26 ms with it, Zen 5).
 * Limits: one width of elements a kernel. */
#include "jit_combine_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"

#include <stddef.h>

void jit_combine_reset(struct jit *jit, LLVMBuilderRef builder, LLVMValueRef queue)
{
    const uint64_t empty[] = {0, 0, INT64_MAX, (uint64_t)INT64_MIN, 0}; /* in their order */
    for (unsigned i = 0; i < SW_COUNT_OF(empty); i++) {
        LLVMValueRef offset = jit_const(jit, 64, 8ull * i);
        LLVMBuildStore(builder, jit_const(jit, 64, empty[i]),
                       LLVMBuildGEP2(builder, jit->i8, queue, &offset, 1, ""));
    }
}

struct flush { /* its function while it is built */
    struct jit *jit;
    LLVMBuilderRef builder;
    LLVMValueRef fn, queue, ctx;
};

static LLVMValueRef queue_step(struct flush *flush, LLVMValueRef base, LLVMValueRef index, uint64_t bytes)
{
    LLVMValueRef offset = LLVMBuildMul(flush->builder, index, jit_const(flush->jit, 64, bytes), "");
    return LLVMBuildGEP2(flush->builder, flush->jit->i8, base, &offset, 1, "");
}

static LLVMValueRef at_offset(struct flush *flush, LLVMValueRef base, uint64_t bytes)
{
    return queue_step(flush, base, jit_const(flush->jit, 64, 1), bytes);
}

/* for (index = 0; index < count; index++): leaves the builder in the body. */
struct loop {
    LLVMBasicBlockRef head, end;
    LLVMValueRef index, count;
};

static struct loop loop_begin(struct flush *flush, LLVMValueRef count)
{
    struct jit *jit = flush->jit;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(flush->builder);
    struct loop loop = {.head = LLVMAppendBasicBlockInContext(jit->context, flush->fn, ""),
                        .end = LLVMAppendBasicBlockInContext(jit->context, flush->fn, ""),
                        .count = count};
    LLVMBuildBr(flush->builder, loop.head);
    LLVMPositionBuilderAtEnd(flush->builder, loop.head);
    loop.index = LLVMBuildPhi(flush->builder, jit->i64, "");
    LLVMValueRef zero = jit_const(jit, 64, 0);
    LLVMAddIncoming(loop.index, &zero, &before, 1);
    return loop;
}

static void loop_end(struct flush *flush, struct loop *loop)
{
    LLVMValueRef next = LLVMBuildAdd(flush->builder, loop->index, jit_const(flush->jit, 64, 1), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(flush->builder);
    LLVMAddIncoming(loop->index, &next, &here, 1);
    LLVMValueRef more = LLVMBuildICmp(flush->builder, LLVMIntULT, next, loop->count, "");
    LLVMBuildCondBr(flush->builder, more, loop->head, loop->end);
    LLVMPositionBuilderAtEnd(flush->builder, loop->end);
}

/* A fault names the warp whose store it was. */
static void store_element(struct flush *flush, LLVMValueRef record, LLVMValueRef lane)
{
    struct jit *jit = flush->jit;
    LLVMTypeRef type = jit_int(jit, jit->combine_bits);
    LLVMValueRef warp =
        LLVMBuildLoad2(flush->builder, jit->i32, at_offset(flush, record, jit_combine_warp_offset(jit)), "");
    LLVMBuildStore(flush->builder, warp, at_offset(flush, flush->ctx, offsetof(struct jit_ctx, warp)));
    LLVMValueRef at = LLVMBuildLoad2(flush->builder, jit->ptr, queue_step(flush, record, lane, 8), "");
    LLVMValueRef from =
        queue_step(flush, at_offset(flush, record, COMBINE_VALUES), lane, jit->combine_bits / 8);
    LLVMValueRef store = LLVMBuildStore(flush->builder, LLVMBuildLoad2(flush->builder, type, from, ""), at);
    LLVMSetAlignment(store, jit->combine_bits / 8);
}

static void build_flush(struct flush *flush)
{
    struct jit *jit = flush->jit;
    LLVMPositionBuilderAtEnd(flush->builder, LLVMAppendBasicBlockInContext(jit->context, flush->fn, ""));
    LLVMValueRef warp_field = at_offset(flush, flush->ctx, offsetof(struct jit_ctx, warp));
    LLVMValueRef warp = LLVMBuildLoad2(flush->builder, jit->i32, warp_field, "");
    LLVMValueRef count =
        LLVMBuildLoad2(flush->builder, jit->i64, at_offset(flush, flush->queue, COMBINE_COUNT), "");
    struct loop lanes = loop_begin(flush, jit_const(jit, 64, 32));
    struct loop records = loop_begin(flush, count);
    LLVMValueRef record = queue_step(flush, at_offset(flush, flush->queue, COMBINE_HEAD), records.index,
                                     jit_combine_record_bytes(jit));
    store_element(flush, record, lanes.index);
    loop_end(flush, &records);
    loop_end(flush, &lanes);
    LLVMBuildStore(flush->builder, warp, warp_field);
    jit_combine_reset(jit, flush->builder, flush->queue);
    LLVMBuildRetVoid(flush->builder);
}

static void build_prefetch(struct flush *flush)
{
    struct jit *jit = flush->jit;
    LLVMPositionBuilderAtEnd(flush->builder, LLVMAppendBasicBlockInContext(jit->context, flush->fn, ""));
    struct loop lanes = loop_begin(flush, jit_const(jit, 64, 32));
    LLVMValueRef at =
        LLVMBuildLoad2(flush->builder, jit->ptr, queue_step(flush, flush->queue, lanes.index, 8), "");
    LLVMValueRef args[] = {at, jit_const(jit, 32, 0), jit_const(jit, 32, 2), jit_const(jit, 32, 1)};
    unsigned id = LLVMLookupIntrinsicID("llvm.prefetch", 13);
    LLVMBuildCall2(flush->builder, LLVMIntrinsicGetType(jit->context, id, &jit->ptr, 1),
                   LLVMGetIntrinsicDeclaration(jit->module, id, &jit->ptr, 1), args, 4, "");
    loop_end(flush, &lanes);
    LLVMBuildRetVoid(flush->builder);
}

static LLVMTypeRef flush_type(struct jit *jit)
{
    LLVMTypeRef params[] = {jit->ptr, jit->ptr};
    return LLVMFunctionType(jit->empty, params, 2, 0);
}

static LLVMTypeRef prefetch_type(struct jit *jit)
{
    return LLVMFunctionType(jit->empty, &jit->ptr, 1, 0);
}

/* A function of the object, made when it is first asked for. */
static LLVMValueRef outlined(struct jit *jit, const char *name, LLVMTypeRef type,
                             void (*build)(struct flush *flush))
{
    LLVMValueRef fn = LLVMGetNamedFunction(jit->module, name);
    if (fn) return fn;
    fn = LLVMAddFunction(jit->module, name, type);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    jit_target_attributes(jit, fn);
    jit_attribute(jit, fn, "noinline");
    struct flush flush = {.jit = jit,
                          .builder = LLVMCreateBuilderInContext(jit->context),
                          .fn = fn,
                          .queue = LLVMGetParam(fn, 0),
                          .ctx = LLVMCountParams(fn) > 1 ? LLVMGetParam(fn, 1) : NULL};
    build(&flush);
    LLVMDisposeBuilder(flush.builder);
    return fn;
}

void jit_combine_call_flush(struct jit *jit)
{
    LLVMTypeRef type = flush_type(jit);
    LLVMValueRef args[] = {jit->combining, jit->ctx},
                 fn = outlined(jit, "softwarp_combine_flush", type, build_flush);
    LLVMBuildCall2(jit->builder, type, fn, args, 2, "");
}

void jit_combine_call_prefetch(struct jit *jit, LLVMValueRef record)
{
    LLVMTypeRef type = prefetch_type(jit);
    LLVMValueRef fn = outlined(jit, "softwarp_combine_prefetch", type, build_prefetch);
    LLVMBuildCall2(jit->builder, type, fn, &record, 1, "");
}
