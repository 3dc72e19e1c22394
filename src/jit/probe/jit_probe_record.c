/* SPDX-License-Identifier: Apache-2.0 */
/* ACCESS probes: emitted code notes what each warp asks of memory, in the order of its program.
 *
 *   note    struct jit_record, followed by 32 addresses where they follow no rule, at the end of
 *           ctx->records; a full buffer is handed to ctx->helpers->drain, and what is left when the function
 *           returns. What is the same each time stands in a constant of the object (struct jit_record_site).
 *   helper  helpers that access memory themselves (fragments of matrices, bulk copies) note it between
 *           jit_record_helper_begin and jit_record_helper_end
 *   phases  arrivals at mbarriers and waits for them, noted by a helper one lane at a time
 *   rounds  a warp counts its requests; at the back edge of a loop that makes any, it stops when there were
 *           EVENT_ROUND_REQUESTS of them since softwarp_step was called (jit_emit_suspend.c)
 *
 * The engine counts units of what it is told, so that code with these probes has no closed forms.
 * An arithmetic progression of addresses is noted as such, so that the usual access costs four scalar stores.
 *
 *   work    what the warp did since its last record goes with each (jit_probe_work.c)
 *   calls   a function that stays one goes on where the record of its caller ends, and counts on
 *           (ctx->record_end, ctx->call_requests); its local variables are noted as offsets in a stack of
 *           calls, ctx->call_bytes above its beginning, since they lie on the host's stack
 *
 * Limits: requests for no lane are noted, and dropped later; a loop within such a function does not stop. */
#include "jit_probe_priv.h"

#include "event/event_request.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"
#include "jit/core/jit_probes.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"

#include <stddef.h>
#include <stdio.h>

/* ---- the buffer */

static void probe_record_put(struct jit *jit, LLVMValueRef record, size_t offset, LLVMValueRef value)
{
    LLVMSetAlignment(LLVMBuildStore(jit->builder, value, jit_offset(jit, record, offset)), 4);
}

/* A function that stays one takes some of the stack of calls. */
static void open_callee(struct jit *jit)
{
    jit->call_bytes = jit_ctx_load(jit, offsetof(struct jit_ctx, call_bytes), jit->i32);
    LLVMValueRef top = LLVMBuildAdd(jit->builder, jit->call_bytes, num(jit, jit->info.local_bytes), "");
    probe_record_put(jit, jit->ctx, offsetof(struct jit_ctx, call_bytes), top);
    LLVMValueRef end = jit_ctx_load(jit, offsetof(struct jit_ctx, record_end), jit->ptr);
    LLVMValueRef requests = jit_ctx_load(jit, offsetof(struct jit_ctx, call_requests), jit->i32);
    LLVMBuildStore(jit->builder, end, jit->record_end);
    LLVMBuildStore(jit->builder, requests, jit->request_count);
}

void jit_record_open(struct jit *jit)
{
    if (!jit_notes(jit)) return;
    jit->records = jit_ctx_load(jit, offsetof(struct jit_ctx, records), jit->ptr);
    jit->record_end = jit_slot(jit, jit->ptr, "record_end");
    LLVMBuildStore(jit->builder, jit->records, jit->record_end);
    jit->request_count = jit_slot(jit, jit->i32, "requests");
    LLVMBuildStore(jit->builder, num(jit, 0), jit->request_count);
    jit_work_open(jit);
    if (jit->is_callee)
        open_callee(jit);
    else
        jit_address_set_open(jit);
}

/* What the next function goes on with: one that is called, or the caller. */
static void pass_on(struct jit *jit)
{
    LLVMValueRef end = LLVMBuildLoad2(jit->builder, jit->ptr, jit->record_end, "");
    LLVMValueRef requests = LLVMBuildLoad2(jit->builder, jit->i32, jit->request_count, "");
    probe_record_put(jit, jit->ctx, offsetof(struct jit_ctx, record_end), end);
    probe_record_put(jit, jit->ctx, offsetof(struct jit_ctx, call_requests), requests);
    jit_work_pass(jit, false);
}

void jit_record_call(struct jit *jit)
{
    if (jit_notes(jit)) pass_on(jit);
}

void jit_record_return(struct jit *jit)
{
    if (!jit_notes(jit)) return;
    LLVMValueRef end = jit_ctx_load(jit, offsetof(struct jit_ctx, record_end), jit->ptr);
    LLVMValueRef requests = jit_ctx_load(jit, offsetof(struct jit_ctx, call_requests), jit->i32);
    LLVMBuildStore(jit->builder, end, jit->record_end);
    LLVMBuildStore(jit->builder, requests, jit->request_count);
    jit_work_pass(jit, true);
}

static void drain(struct jit *jit, LLVMValueRef end)
{
    LLVMTypeRef params[] = {jit->ptr, jit->ptr};
    LLVMValueRef args[] = {jit->ctx, end};
    jit_helper_call(jit, offsetof(struct jit_helpers, drain), LLVMFunctionType(jit->empty, params, 2, 0),
                    args, 2);
    LLVMBuildStore(jit->builder, jit->records, jit->record_end);
}

void jit_record_close(struct jit *jit)
{
    if (!jit_notes(jit)) return;
    if (!jit->is_callee) {
        drain(jit, LLVMBuildLoad2(jit->builder, jit->ptr, jit->record_end, ""));
        return;
    }
    pass_on(jit);
    probe_record_put(jit, jit->ctx, offsetof(struct jit_ctx, call_bytes), jit->call_bytes);
}

/* ---- rounds */

void jit_record_round_begin(struct jit *jit, LLVMValueRef frame)
{
    LLVMBuildStore(jit->builder, jit_const(jit, 32, 0), jit_offset(jit, frame, FRAME_REQUESTS));
}

void jit_record_warp(struct jit *jit, bool save)
{
    if (!jit_records(jit)) return;
    LLVMValueRef at = jit_offset(jit, jit->frame, FRAME_REQUESTS);
    LLVMValueRef count = LLVMBuildLoad2(jit->builder, jit->i32, save ? jit->request_count : at, "");
    LLVMBuildStore(jit->builder, count, save ? at : jit->request_count);
    jit_work_warp(jit, save);
}

/* i1: the warp has made its requests of this round. */
LLVMValueRef jit_record_round_over(struct jit *jit)
{
    LLVMValueRef count = LLVMBuildLoad2(jit->builder, jit->i32, jit->request_count, "");
    return LLVMBuildICmp(jit->builder, LLVMIntUGE, count, jit_const(jit, 32, EVENT_ROUND_REQUESTS), "");
}

/* ---- noting */

static LLVMValueRef site_constant(struct jit *jit, const struct jit_record_site *site)
{
    LLVMValueRef fields[] = {jit_const(jit, 32, site->instr),
                             jit_const(jit, 16, site->bytes),
                             jit_const(jit, 8, site->kind),
                             jit_const(jit, 8, site->space),
                             jit_const(jit, 32, site->slots),
                             jit_const(jit, 32, site->shared_kind),
                             jit_const(jit, 64, (uint64_t)site->stride),
                             jit_const(jit, 64, (uint64_t)site->wrap)};
    _Static_assert(sizeof(struct jit_record_site) == 32 && offsetof(struct jit_record_site, stride) == 16 &&
                       offsetof(struct jit_record_site, space) == 7,
                   "as the fields above lie");
    LLVMValueRef value = LLVMConstStructInContext(jit->context, fields, SW_COUNT_OF(fields), 0);
    return jit_object_constant(jit, value, "softwarp_site", 8);
}

/* warp | limit << 16 | is_vector << 24, as struct jit_record has them */
static LLVMValueRef packed_warp(struct jit *jit, LLVMValueRef limit, bool is_vector)
{
    _Static_assert(offsetof(struct jit_record, limit) == offsetof(struct jit_record, warp) + 2 &&
                       offsetof(struct jit_record, is_vector) == offsetof(struct jit_record, warp) + 3,
                   "one word");
    LLVMValueRef word = jit_const(jit, 32, (uint64_t)is_vector << 24);
    if (limit) {
        limit = LLVMBuildShl(jit->builder, limit, jit_const(jit, 32, 16), "");
        word = LLVMBuildOr(jit->builder, word, limit, "");
    } else {
        word = jit_const(jit, 32, (uint64_t)is_vector << 24 | 32u << 16);
    }
    return LLVMBuildOr(jit->builder, word, jit->warp, "");
}

/* Room is kept for one more record, so that it is looked for afterwards. */
static void probe_record_finish(struct jit *jit, LLVMValueRef record, size_t bytes)
{
    LLVMValueRef end = jit_offset(jit, record, bytes);
    LLVMBuildStore(jit->builder, end, jit->record_end);
    LLVMBasicBlockRef full = jit_new_block(jit, ""), next = jit_new_block(jit, "");
    LLVMValueRef most = jit_offset(jit, jit->records, JIT_RECORD_BYTES);
    jit_branch(jit, LLVMBuildICmp(jit->builder, LLVMIntULT, end, most, ""), next, full, true);
    jit_position(jit, full);
    drain(jit, end);
    LLVMBuildBr(jit->builder, next);
    jit_position(jit, next);
}

static LLVMValueRef probe_record_begin(struct jit *jit, const struct jit_record_site *site, LLVMValueRef mask)
{
    LLVMValueRef record = LLVMBuildLoad2(jit->builder, jit->ptr, jit->record_end, "");
    probe_record_put(jit, record, offsetof(struct jit_record, site), site_constant(jit, site));
    probe_record_put(jit, record, offsetof(struct jit_record, mask), mask);
    LLVMValueRef word = jit_records(jit) ? jit_work_take(jit) : get(jit, jit->request_count);
    probe_record_put(jit, record, offsetof(struct jit_record, when), word);
    return record;
}

static void count_request(struct jit *jit)
{
    if (jit->suspends || jit->is_callee || jit_samples_address_set(jit))
        add_to(jit, jit->request_count, num(jit, 1));
}

static void note_event(struct jit *jit, uint32_t instr, uint32_t kind, LLVMValueRef mask)
{
    struct jit_record_site site = {.instr = instr, .kind = (uint8_t)kind};
    LLVMValueRef record = probe_record_begin(jit, &site, mask);
    probe_record_put(jit, record, offsetof(struct jit_record, base), jit_work_take_all(jit));
    probe_record_put(jit, record, offsetof(struct jit_record, warp), packed_warp(jit, NULL, false));
    probe_record_finish(jit, record, sizeof(struct jit_record));
}

/* What the warp did that no record took yet. */
static void note_work(struct jit *jit)
{
    LLVMBasicBlockRef some = jit_new_block(jit, ""), next = jit_new_block(jit, "");
    jit_branch(jit, jit_work_is_some(jit), some, next, false);
    jit_position(jit, some);
    note_event(jit, 0, JIT_KIND_WORK, num(jit, 0));
    LLVMBuildBr(jit->builder, next);
    jit_position(jit, next);
}

/* What is added to an address: of local variables of a function that stays one. */
static LLVMValueRef call_offset(struct jit *jit, const struct jit_record_site *site)
{
    if (site->space != ISA_SPACE_LOCAL || !site->lane_bytes) return NULL;
    LLVMValueRef base = LLVMBuildPtrToInt(jit->builder, jit->warp_local, jit->i64, "");
    LLVMValueRef before = LLVMBuildZExt(jit->builder, jit->call_bytes, jit->i64, "");
    return LLVMBuildSub(jit->builder, before, base, "");
}

void jit_record_vector(struct jit *jit, const struct jit_record_site *site, LLVMValueRef *parts,
                       LLVMValueRef mask)
{
    LLVMValueRef record = probe_record_begin(jit, site, mask), more = call_offset(jit, site);
    probe_record_put(jit, record, offsetof(struct jit_record, warp), packed_warp(jit, NULL, true));
    unsigned bytes = 8 * jit->part.lanes;
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef to = jit_offset(jit, record, sizeof(struct jit_record) + (uint64_t)p * bytes);
        if (more) parts[p] = LLVMBuildAdd(jit->builder, parts[p], jit_splat(jit, more, 64), "");
        LLVMSetAlignment(LLVMBuildStore(jit->builder, parts[p], to), 8);
    }
    probe_record_finish(jit, record, sizeof(struct jit_record) + JIT_RECORD_ADDRESSES);
}

void jit_record_progression(struct jit *jit, const struct jit_record_site *site,
                            const struct jit_address *address, LLVMValueRef mask)
{
    LLVMValueRef record = probe_record_begin(jit, site, mask), more = call_offset(jit, site);
    LLVMValueRef first = LLVMBuildPtrToInt(jit->builder, jit_address_scalar(jit, address, 0), jit->i64, "");
    if (more) first = LLVMBuildAdd(jit->builder, first, more, "");
    probe_record_put(jit, record, offsetof(struct jit_record, base), first);
    probe_record_put(jit, record, offsetof(struct jit_record, warp),
                     packed_warp(jit, address->value.limit, false));
    probe_record_finish(jit, record, sizeof(struct jit_record));
}

static uint32_t space_of(enum ptx_space space)
{
    switch ((unsigned)space) {
    case PTX_SPACE_GENERIC: return ISA_SPACE_GENERIC;
    case PTX_SPACE_GLOBAL: return ISA_SPACE_GLOBAL;
    case PTX_SPACE_LOCAL: return ISA_SPACE_LOCAL;
    case PTX_SPACE_CONST: return ISA_SPACE_CONST;
    default: return ISA_SPACE_NONE;
    }
}

/* Note an access before it is made. kind: enum event_access_kind; slots: see struct jit_record_site */
void jit_record_access(struct jit *jit, const struct ptx_instr *instr, const struct jit_address *address,
                       const struct jit_lanes *lanes, uint32_t bytes, uint32_t kind, uint32_t shared_kind,
                       uint32_t slots)
{
    struct jit_record_site site = {.instr = jit_instr_row(jit, instr),
                                   .bytes = (uint16_t)bytes,
                                   .kind = (uint8_t)kind,
                                   .space = (uint8_t)space_of(address->space),
                                   .slots = slots,
                                   .shared_kind = shared_kind};
    if (site.space == ISA_SPACE_NONE || site.instr == JIT_NO_INSTR) return;
    if (site.space == ISA_SPACE_LOCAL) site.lane_bytes = jit->is_callee ? jit->info.local_bytes : 0;
    bool affine = address->value.repr == JIT_AFFINE;
    site.stride = affine ? address->value.stride : 0;
    site.wrap = affine ? address->value.wrap : 0;
    if (jit_samples_address_set(jit)) {
        jit_address_set_access(jit, &site, address, lanes->mask);
    } else if (jit_is_by_lane(&address->value)) {
        LLVMValueRef parts[JIT_MAX_PARTS];
        jit_address_lanes(jit, address, parts);
        jit_record_vector(jit, &site, parts, lanes->mask);
    } else {
        jit_record_progression(jit, &site, address, lanes->mask);
    }
    count_request(jit);
}

void jit_record_helper_begin(struct jit *jit, const struct ptx_instr *instr, uint32_t kind)
{
    if (!jit_notes(jit)) return;
    struct jit_record_site site = {.instr = jit_instr_row(jit, instr),
                                   .kind = (uint8_t)kind,
                                   .space = ISA_SPACE_GLOBAL,
                                   .slots = EVENT_NO_SLOT};
    if (site.instr == JIT_NO_INSTR) return;
    count_request(jit);
    if (jit_records(jit)) note_work(jit);
    LLVMValueRef end = LLVMBuildLoad2(jit->builder, jit->ptr, jit->record_end, "");
    if (jit_samples_address_set(jit))
        probe_record_put(jit, jit->ctx, offsetof(struct jit_ctx, record_when), get(jit, jit->request_count));
    probe_record_put(jit, jit->ctx, offsetof(struct jit_ctx, record_end), end);
    probe_record_put(jit, jit->ctx, offsetof(struct jit_ctx, record_site), site_constant(jit, &site));
}

void jit_record_helper_end(struct jit *jit)
{
    if (!jit_notes(jit)) return;
    LLVMValueRef end = jit_ctx_load(jit, offsetof(struct jit_ctx, record_end), jit->ptr);
    LLVMBuildStore(jit->builder, end, jit->record_end);
    probe_record_put(jit, jit->ctx, offsetof(struct jit_ctx, record_site), LLVMConstNull(jit->ptr));
}

void jit_phase_helper_begin(struct jit *jit)
{
    if (!jit_records(jit)) return;
    note_work(jit);
    LLVMValueRef end = LLVMBuildLoad2(jit->builder, jit->ptr, jit->record_end, "");
    probe_record_put(jit, jit->ctx, offsetof(struct jit_ctx, record_end), end);
}

void jit_phase_helper_end(struct jit *jit)
{
    if (!jit_records(jit)) return;
    LLVMValueRef end = jit_ctx_load(jit, offsetof(struct jit_ctx, record_end), jit->ptr);
    LLVMBuildStore(jit->builder, end, jit->record_end);
}

void jit_phase_note(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef address, LLVMValueRef how)
{
    struct jit_record_site site = {
        .instr = jit_instr_row(jit, instr), .kind = EVENT_KIND_AWAIT, .space = ISA_SPACE_NONE};
    if (!jit_records(jit) || site.instr == JIT_NO_INSTR) return;
    LLVMTypeRef types[] = {jit->ptr, jit->ptr, jit->i64, jit->i32};
    LLVMValueRef args[] = {jit->ctx, site_constant(jit, &site), address, how};
    jit_helper_call(jit, offsetof(struct jit_helpers, phase), LLVMFunctionType(jit->empty, types, 4, 0), args,
                    4);
}

/* The warp's lanes in mask wait at a barrier. */
void jit_record_barrier(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef mask)
{
    if (!jit_records(jit)) return;
    uint32_t index = jit_instr_row(jit, instr);
    if (index != JIT_NO_INSTR) note_event(jit, index, EVENT_KIND_BARRIER, mask);
}

/* Where no block may stop, its end is that of its warps, and only their work is noted. */
void jit_record_end(struct jit *jit)
{
    if (!jit_records(jit) || jit->is_callee) return;
    if (jit->suspends)
        note_event(jit, 0, JIT_KIND_END, num(jit, UINT32_MAX));
    else
        note_work(jit);
}
