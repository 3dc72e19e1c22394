/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that a rule must count (jit_probe_count.c) are noted, and counted some dozens at a time: a call in
 * the middle of a kernel saves and restores its vectors, and its instructions fill the window in which the
 * processor looks ahead for the next misses (a gather from DRAM while counting: 85 ms, so 45; Zen 5).
 *
 *   trace   count | records
 *   record  32 addresses | mask | bytes, kind, helper, slots of units, ideal units and more
 *   void softwarp_trace(ptr trace, ptr ctx)   for each record: ask the rule, add to the counters; then empty
 *
 * Limits: kernels that run their blocks to the end in one call; elsewhere the rule is called at once. What is
 * noted when a kernel faults is not counted. */
#include "jit_probe_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"

#include <stddef.h>

enum { RECORDS = 32, HEAD = 64, MASK = 256, SITE = 272, RECORD_BYTES = 320 };
enum site { SITE_BYTES, SITE_KIND, SITE_HELPER, SITE_UNITS, SITE_IDEAL, SITE_MORE, SITE_FIELDS };

void jit_trace_begin(struct jit *jit)
{
    jit->trace = jit_slot(jit, LLVMArrayType2(jit->i8, HEAD + RECORDS * RECORD_BYTES), "trace");
    LLVMSetAlignment(jit->trace, 64);
    LLVMBuildStore(jit->builder, jit_const(jit, 64, 0), jit->trace);
}

/* ---- counting what was noted */

struct drain { /* its function while it is built */
    struct jit *jit;
    LLVMBuilderRef builder;
    LLVMValueRef fn, trace, ctx, record;
};

static LLVMValueRef probe_trace_offset_of(struct drain *drain, LLVMValueRef base, LLVMValueRef offset)
{
    return LLVMBuildGEP2(drain->builder, drain->jit->i8, base, &offset, 1, "");
}

static LLVMValueRef load_field(struct drain *drain, LLVMTypeRef type, LLVMValueRef base, uint64_t offset)
{
    return LLVMBuildLoad2(drain->builder, type,
                          probe_trace_offset_of(drain, base, jit_const(drain->jit, 64, offset)), "");
}

static LLVMValueRef load_site(struct drain *drain, enum site field)
{
    return load_field(drain, drain->jit->i32, drain->record, SITE + 4u * field);
}

static LLVMValueRef trace_wide(struct drain *drain, LLVMValueRef value)
{
    return LLVMBuildZExt(drain->builder, value, drain->jit->i64, "");
}

LLVMTypeRef jit_rule_type(struct jit *jit)
{
    LLVMTypeRef params[] = {jit->ptr, jit->ptr, jit->i32, jit->i32, jit->i32};
    return LLVMFunctionType(jit->i64, params, SW_COUNT_OF(params), 0);
}

static LLVMValueRef ask_rule(struct drain *drain)
{
    struct jit *jit = drain->jit;
    LLVMValueRef helpers = load_field(drain, jit->ptr, drain->ctx, offsetof(struct jit_ctx, helpers));
    LLVMValueRef at = probe_trace_offset_of(drain, helpers, trace_wide(drain, load_site(drain, SITE_HELPER)));
    LLVMValueRef helper = LLVMBuildLoad2(drain->builder, jit->ptr, at, "");
    LLVMValueRef args[] = {drain->ctx, drain->record, load_field(drain, jit->i32, drain->record, MASK),
                           load_site(drain, SITE_BYTES), load_site(drain, SITE_KIND)};
    return LLVMBuildCall2(drain->builder, jit_rule_type(jit), helper, args, SW_COUNT_OF(args), "");
}

static void add_to(struct drain *drain, enum site slot, LLVMValueRef amount)
{
    struct jit *jit = drain->jit;
    LLVMValueRef counters = load_field(drain, jit->ptr, drain->ctx, offsetof(struct jit_ctx, counters));
    LLVMValueRef number = trace_wide(drain, load_site(drain, slot));
    LLVMValueRef at = LLVMBuildGEP2(drain->builder, jit->i64, counters, &number, 1, "");
    LLVMValueRef sum =
        LLVMBuildAdd(drain->builder, LLVMBuildLoad2(drain->builder, jit->i64, at, ""), amount, "");
    LLVMBuildStore(drain->builder, sum, at);
}

static void build_body(struct drain *drain)
{
    struct jit *jit = drain->jit;
    LLVMBuilderRef builder = drain->builder;
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(jit->context, drain->fn, "");
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(jit->context, drain->fn, "");
    LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(jit->context, drain->fn, "");
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(jit->context, drain->fn, "");
    LLVMPositionBuilderAtEnd(builder, entry);
    LLVMValueRef count = LLVMBuildLoad2(builder, jit->i64, drain->trace, ""), zero = jit_const(jit, 64, 0);
    LLVMBuildBr(builder, loop);
    LLVMPositionBuilderAtEnd(builder, loop);
    LLVMValueRef index = LLVMBuildPhi(builder, jit->i64, "");
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, index, count, ""), body, end);
    LLVMPositionBuilderAtEnd(builder, body);
    LLVMValueRef offset = LLVMBuildMul(builder, index, jit_const(jit, 64, RECORD_BYTES), "");
    offset = LLVMBuildAdd(builder, offset, jit_const(jit, 64, HEAD), "");
    drain->record = probe_trace_offset_of(drain, drain->trace, offset);
    LLVMValueRef packed = ask_rule(drain), ideal = LLVMBuildLShr(builder, packed, jit_const(jit, 64, 32), "");
    add_to(drain, SITE_UNITS, LLVMBuildAnd(builder, packed, jit_const(jit, 64, UINT32_MAX), ""));
    add_to(drain, SITE_IDEAL, LLVMBuildAnd(builder, ideal, jit_const(jit, 64, UINT16_MAX), ""));
    add_to(drain, SITE_MORE, LLVMBuildLShr(builder, packed, jit_const(jit, 64, 48), ""));
    LLVMValueRef next = LLVMBuildAdd(builder, index, jit_const(jit, 64, 1), "");
    LLVMBuildBr(builder, loop);
    LLVMAddIncoming(index, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){entry, body}, 2);
    LLVMPositionBuilderAtEnd(builder, end);
    LLVMBuildStore(builder, zero, drain->trace);
    LLVMBuildRetVoid(builder);
}

static LLVMTypeRef drain_type(struct jit *jit)
{
    LLVMTypeRef params[] = {jit->ptr, jit->ptr};
    return LLVMFunctionType(jit->empty, params, 2, 0);
}

static LLVMValueRef drain_function(struct jit *jit)
{
    const char *name = "softwarp_trace";
    LLVMValueRef fn = LLVMGetNamedFunction(jit->module, name);
    if (fn) return fn;
    fn = LLVMAddFunction(jit->module, name, drain_type(jit));
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    jit_target_attributes(jit, fn);
    jit_attribute(jit, fn, "noinline");
    struct drain drain = {.jit = jit,
                          .builder = LLVMCreateBuilderInContext(jit->context),
                          .fn = fn,
                          .trace = LLVMGetParam(fn, 0),
                          .ctx = LLVMGetParam(fn, 1)};
    build_body(&drain);
    LLVMDisposeBuilder(drain.builder);
    return fn;
}

void jit_trace_end(struct jit *jit)
{
    LLVMValueRef args[] = {jit->trace, jit->ctx};
    if (LLVMGetNamedFunction(jit->module, "softwarp_trace"))
        LLVMBuildCall2(jit->builder, drain_type(jit), drain_function(jit), args, 2, "");
}

/* ---- noting */

static void note_site(struct jit *jit, LLVMValueRef record, const struct jit_rule *rule)
{
    const uint32_t fields[SITE_FIELDS] = {[SITE_BYTES] = rule->bytes,
                                          [SITE_KIND] = rule->kind,
                                          [SITE_HELPER] = (uint32_t)rule->helper,
                                          [SITE_UNITS] = rule->units,
                                          [SITE_IDEAL] = rule->ideal,
                                          [SITE_MORE] = rule->more == EVENT_NO_SLOT ? jit_count_spare(jit)
                                                                                    : rule->more};
    LLVMValueRef values[8];
    for (unsigned i = 0; i < 8; i++)
        values[i] = jit_const(jit, 32, i < SITE_FIELDS ? fields[i] : 0);
    LLVMValueRef store =
        LLVMBuildStore(jit->builder, LLVMConstVector(values, 8), jit_offset(jit, record, SITE));
    LLVMSetAlignment(store, 16);
}

/* addresses: 32 in parts, as the rule wants them. */
void jit_trace_note(struct jit *jit, const struct jit_rule *rule, LLVMValueRef *addresses, LLVMValueRef mask)
{
    LLVMValueRef count = LLVMBuildLoad2(jit->builder, jit->i64, jit->trace, "");
    LLVMValueRef offset = LLVMBuildMul(jit->builder, count, jit_const(jit, 64, RECORD_BYTES), "");
    LLVMValueRef record =
        LLVMBuildGEP2(jit->builder, jit->i8, jit_offset(jit, jit->trace, HEAD), &offset, 1, "");
    unsigned bytes = 8 * jit->part.lanes;
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef to = jit_offset(jit, record, (uint64_t)p * bytes);
        LLVMSetAlignment(LLVMBuildStore(jit->builder, addresses[p], to), bytes > 64 ? 64 : bytes);
    }
    LLVMBuildStore(jit->builder, mask, jit_offset(jit, record, MASK));
    note_site(jit, record, rule);
    count = LLVMBuildAdd(jit->builder, count, jit_const(jit, 64, 1), "");
    LLVMBuildStore(jit->builder, count, jit->trace);
    LLVMBasicBlockRef full = jit_new_block(jit, ""), end = jit_new_block(jit, "");
    LLVMValueRef fits = LLVMBuildICmp(jit->builder, LLVMIntULT, count, jit_const(jit, 64, RECORDS), "");
    jit_branch(jit, fits, end, full, true);
    jit_position(jit, full);
    LLVMValueRef args[] = {jit->trace, jit->ctx};
    LLVMBuildCall2(jit->builder, drain_type(jit), drain_function(jit), args, 2, "");
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
}
