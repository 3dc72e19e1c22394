/* SPDX-License-Identifier: Apache-2.0 */
/* ADDRESS_SET probes: accesses to global memory of which a lane is in the address set (event_in_address_set).
 *
 *   when    a warp's requests are counted, so that what is noted can be put in order with what other blocks
 *           note: all warps that go on from a barrier begin with the highest count that one of them came with
 *   test    lanes in a progression that fits in a granule: its two ends; others: each lane
 *   note    struct jit_record as with ACCESS probes, in one case of 64 (of whole warps that stand together)
 * to one of 1.6 (of lanes far from each other), with the lanes that are there
 *
 * Units are counted as with COUNT probes alone. Limits: those of jit_probe_record.c; local memory and
 * constants are not noted. */
#include "jit_probe_priv.h"

#include "event/event_request.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"
#include "jit/core/jit_probes.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_mask.h"

/* ---- when */

void jit_address_set_open(struct jit *jit)
{
    if (!jit_samples_address_set(jit)) return;
    jit->request_base = jit_slot(jit, jit->i32, "request_base");
    jit->request_top = jit_slot(jit, jit->i32, "request_top");
    LLVMBuildStore(jit->builder, num(jit, 0), jit->request_top);
}

void jit_address_set_sweep(struct jit *jit)
{
    if (jit_samples_address_set(jit))
        LLVMBuildStore(jit->builder, get(jit, jit->request_top), jit->request_base);
}

void jit_address_set_warp(struct jit *jit)
{
    if (jit_samples_address_set(jit))
        LLVMBuildStore(jit->builder, get(jit, jit->request_base), jit->request_count);
}

void jit_address_set_warp_latch(struct jit *jit)
{
    if (!jit_samples_address_set(jit)) return;
    LLVMValueRef args[] = {get(jit, jit->request_top), get(jit, jit->request_count)};
    LLVMBuildStore(jit->builder, jit_intrinsic(jit, "llvm.umax", &jit->i32, 1, args, 2), jit->request_top);
}

/* ---- test */

/* event_in_address_set, of an address or of lanes'. */
static LLVMValueRef in_address_set(struct jit *jit, LLVMValueRef address, bool vector)
{
    LLVMBuilderRef b = jit->builder;
    LLVMTypeRef narrow = vector ? jit_vec(jit, 32) : jit->i32;
    LLVMValueRef shift = jit_const(jit, 64, EVENT_GRANULE_SHIFT), numbers[4];
    const uint32_t values[] = {EVENT_RUN_SHIFT, EVENT_RUN_GRANULES - 1, EVENT_RUN_MIX, 32 - EVENT_RUN_SHIFT};
    for (unsigned i = 0; i < 4; i++)
        numbers[i] = vector ? jit_splat(jit, num(jit, values[i]), 32) : num(jit, values[i]);
    LLVMValueRef granule = LLVMBuildLShr(b, address, vector ? jit_splat(jit, shift, 64) : shift, "");
    granule = LLVMBuildTrunc(b, granule, narrow, "");
    LLVMValueRef run = LLVMBuildLShr(b, granule, numbers[0], "");
    LLVMValueRef chosen = LLVMBuildLShr(b, LLVMBuildMul(b, run, numbers[2], ""), numbers[3], "");
    return LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, granule, numbers[1], ""), chosen, "");
}

static bool fits_in_granule(const struct jit_record_site *site)
{
    uint64_t reach = (uint64_t)(site->stride < 0 ? -site->stride : site->stride);
    return reach * (SW_WARP_LANES - 1) + site->bytes <= 1u << EVENT_GRANULE_SHIFT;
}

/* Of a progression with one break (limit), none is sure. */
static LLVMValueRef ends_in_address_set(struct jit *jit, const struct jit_record_site *site,
                                        const struct jit_address *address)
{
    LLVMBuilderRef b = jit->builder;
    int64_t low = site->stride < 0 ? site->stride * (SW_WARP_LANES - 1) : 0;
    int64_t high = (site->stride < 0 ? 0 : site->stride * (SW_WARP_LANES - 1)) + site->bytes - 1;
    LLVMValueRef first = LLVMBuildPtrToInt(b, jit_address_scalar(jit, address, 0), jit->i64, "");
    LLVMValueRef from = LLVMBuildAdd(b, first, jit_const(jit, 64, (uint64_t)low), "");
    LLVMValueRef to = LLVMBuildAdd(b, first, jit_const(jit, 64, (uint64_t)high), "");
    LLVMValueRef any = LLVMBuildOr(b, in_address_set(jit, from, false), in_address_set(jit, to, false), "");
    LLVMValueRef limit = address->value.repr == JIT_AFFINE ? address->value.limit : NULL;
    if (!limit) return any;
    return LLVMBuildOr(b, any, LLVMBuildICmp(b, LLVMIntNE, limit, num(jit, JIT_NO_WRAP), ""), "");
}

/* ---- note */

static LLVMBasicBlockRef begin_if(struct jit *jit, LLVMValueRef condition)
{
    LLVMBasicBlockRef yes = jit_new_block(jit, "in_address_set"), end = jit_new_block(jit, "");
    jit_branch(jit, condition, yes, end, false);
    jit_position(jit, yes);
    return end;
}

static void end_if(struct jit *jit, LLVMBasicBlockRef end)
{
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
}

static void lanes_in_address_set(struct jit *jit, const struct jit_record_site *site,
                                 const struct jit_address *address, LLVMValueRef mask)
{
    LLVMValueRef parts[JIT_MAX_PARTS], chosen[JIT_MAX_PARTS];
    jit_address_lanes(jit, address, parts);
    for (unsigned p = 0; p < jit->part.parts; p++)
        chosen[p] = in_address_set(jit, parts[p], true);
    mask = LLVMBuildAnd(jit->builder, mask, jit_mask_join(jit, chosen), "");
    LLVMBasicBlockRef end = begin_if(jit, jit_count_is_some(jit, mask));
    jit_record_vector(jit, site, parts, mask);
    end_if(jit, end);
}

void jit_address_set_access(struct jit *jit, const struct jit_record_site *site,
                            const struct jit_address *address, LLVMValueRef mask)
{
    if (jit_is_by_lane(&address->value) || !fits_in_granule(site)) {
        lanes_in_address_set(jit, site, address, mask);
        return;
    }
    LLVMBasicBlockRef end = begin_if(jit, ends_in_address_set(jit, site, address));
    jit_record_progression(jit, site, address, mask);
    end_if(jit, end);
}
