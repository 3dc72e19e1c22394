/* SPDX-License-Identifier: Apache-2.0 */
/* A look at accesses whose window of valid bytes is known when code is emitted, where the tool asks for it
 * (EVENT_PROBE_BOUNDS):
 *
 *   address                                       window
 *   of a variable, and an offset                  that variable (jit_core_origin.c)
 *   any other in shared memory                    the block's static and dynamic shared memory
 *   any other in local memory                     the lane's variables, and what alloca gave it
 *
 * A scalar or affine address is compared by its first and last lane, any other by each lane. Lanes that are
 * outside, or take no part, are looked at by the helper `window`. A constant offset in a variable costs
 * nothing. The system's part of a block's shared memory is valid in kernels that ask where it is. Limits:
 * local memory of the callers of a function that stays one. */
#include "jit_memory_priv.h"

#include "jit/analysis/jit_layout.h"
#include "jit/analysis/jit_origin.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_values.h"

#include <stddef.h>
#include <string.h>

struct window {
    const struct ptx_var *var; /* NULL: a whole space */
    enum ptx_space space;
    uint64_t at;              /* in the block's, or the lane's memory */
    uint64_t step;            /* from a lane's to the next one's */
    LLVMValueRef base, bytes; /* i64: host address of lane 0's */
    bool known;               /* bytes are a constant */
    uint32_t stack;
};

static LLVMValueRef address_number(struct jit *jit, LLVMValueRef pointer, uint64_t at)
{
    LLVMValueRef base = LLVMBuildPtrToInt(jit->builder, pointer, jit->i64, "");
    return LLVMBuildAdd(jit->builder, base, jit_const(jit, 64, at), "");
}

static LLVMValueRef launch_word(struct jit *jit, size_t offset)
{
    return LLVMBuildZExt(jit->builder, jit_ctx_load(jit, offset, jit->i32), jit->i64, "");
}

/* ---- windows */

static bool shared_window(struct jit *jit, struct window *w)
{
    uint64_t end = jit_shared_end(jit), dynamic_at = sw_align_up(end, 16);
    LLVMValueRef dynamic = launch_word(jit, offsetof(struct jit_ctx, dynamic_shared_bytes));
    w->base = address_number(jit, jit->shared, w->at);
    if (w->var && !jit_is_dynamic(w->var)) {
        w->bytes = jit_const(jit, 64, w->var->bytes);
        w->known = true;
    } else if (w->var) {
        w->bytes = dynamic;
    } else if (jit->info.reads_reserved) {
        w->bytes = launch_word(jit, offsetof(struct jit_ctx, shared_bytes));
    } else {
        LLVMValueRef none = LLVMBuildICmp(jit->builder, LLVMIntEQ, dynamic, jit_const(jit, 64, 0), "");
        LLVMValueRef both = LLVMBuildAdd(jit->builder, dynamic, jit_const(jit, 64, dynamic_at), "");
        w->bytes = LLVMBuildSelect(jit->builder, none, jit_const(jit, 64, end), both, "");
    }
    return true;
}

static bool local_window(struct jit *jit, struct window *w)
{
    if (!w->var && jit->is_callee) return false;
    w->base = address_number(jit, jit->warp_local, w->at);
    w->bytes = jit_const(jit, 64, w->var ? w->var->bytes : jit_local_end(jit));
    w->known = true;
    w->step = jit->info.local_bytes;
    if (!w->var && jit->has_stack) w->stack = jit->stack_at + 1;
    return true;
}

static bool module_window(struct jit *jit, struct window *w)
{
    bool opaque = w->var->type == ISA_TEXREF || w->var->type == ISA_SURFREF || w->var->type == ISA_SAMPLERREF;
    if (w->var->owner || !w->var->bytes || opaque) return false;
    w->base = jit_symbol(jit, w->var->index);
    w->bytes = jit_const(jit, 64, w->var->bytes);
    w->known = true;
    return true;
}

static bool param_window(struct jit *jit, struct window *w)
{
    if (jit_is_call_var(jit, w->var) || jit_is_dynamic(w->var)) return false;
    w->at = w->var->offset;
    w->base = address_number(jit, jit->params, w->at);
    w->bytes = jit_const(jit, 64, w->var->bytes);
    w->known = true;
    return true;
}

/* Is the space of an address that it is in, or could be? */
static bool fits(const struct jit *jit, const struct ptx_var *var, const struct jit_address *address)
{
    if (address->base == jit->shared) return var->space == PTX_SPACE_SHARED;
    if (address->base == jit->warp_local) return var->space == PTX_SPACE_LOCAL;
    return !address->base || address->base == jit->params;
}

static bool window_of(struct jit *jit, const struct ptx_operand *operand, const struct jit_address *address,
                      struct window *w)
{
    const struct ptx_var *var = jit_origin_of(jit, operand);
    *w = (struct window){.var = var && fits(jit, var, address) ? var : NULL};
    if (w->var) {
        w->space = w->var->space;
        if (w->space == PTX_SPACE_SHARED) w->at = jit_shared_offset(jit, w->var);
        if (w->space == PTX_SPACE_LOCAL) w->at = jit_local_offset(jit, w->var);
    } else if (address->base == jit->shared) {
        w->space = PTX_SPACE_SHARED;
    } else if (address->base == jit->warp_local) {
        w->space = PTX_SPACE_LOCAL;
    }
    if (!w->var && !address->base) return false;
    switch ((unsigned)w->space) {
    case PTX_SPACE_SHARED: return shared_window(jit, w);
    case PTX_SPACE_LOCAL: return local_window(jit, w);
    case PTX_SPACE_PARAM: return param_window(jit, w);
    case PTX_SPACE_CONST:
    case PTX_SPACE_GLOBAL: return module_window(jit, w);
    default: return false;
    }
}

/* ---- is an access inside? */

struct test {
    unsigned bits;
    LLVMValueRef first, starts; /* of the address, less its offset; at how many bytes it may begin */
    int64_t step;
};

static struct test test_of(struct jit *jit, const struct window *w, const struct jit_address *address,
                           unsigned bytes)
{
    struct test test = {.bits = address->value.bits, .step = (int64_t)w->step};
    LLVMValueRef enough = LLVMBuildICmp(jit->builder, LLVMIntUGE, w->bytes, jit_const(jit, 64, bytes), "");
    LLVMValueRef starts = LLVMBuildSub(jit->builder, w->bytes, jit_const(jit, 64, bytes - 1), "");
    starts = LLVMBuildSelect(jit->builder, enough, starts, jit_const(jit, 64, 0), "");
    test.starts = jit_resize(jit, starts, 64, test.bits, false);
    uint64_t offset = (uint64_t)address->offset;
    test.first = address->base ? jit_const(jit, test.bits, w->at - offset)
                               : LLVMBuildSub(jit->builder, w->base, jit_const(jit, 64, offset), "");
    return test;
}

static LLVMValueRef starts_inside(struct jit *jit, const struct test *test, LLVMValueRef value)
{
    LLVMValueRef at = LLVMBuildSub(jit->builder, value, test->first, "");
    return LLVMBuildICmp(jit->builder, LLVMIntULT, at, test->starts, "");
}

static LLVMValueRef all_inside(struct jit *jit, const struct test *test, const struct jit_address *address,
                               const struct jit_lanes *lanes)
{
    LLVMValueRef at[JIT_MAX_PARTS], starts = jit_splat(jit, test->starts, test->bits),
                                    first = jit_splat(jit, test->first, test->bits);
    jit_value_parts(jit, &address->value, at);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef from = LLVMBuildSub(jit->builder, at[p], first, "");
        if (test->step)
            from = LLVMBuildSub(jit->builder, from, jit_lane_consts(jit, test->bits, p, 0, test->step), "");
        at[p] = LLVMBuildICmp(jit->builder, LLVMIntUGE, from, starts, "");
    }
    return jit_no_lane(jit, at, lanes);
}

static LLVMValueRef is_inside(struct jit *jit, const struct test *test, const struct jit_address *address,
                              const struct jit_lanes *lanes)
{
    const struct jit_value *value = &address->value;
    int64_t stride = (value->repr == JIT_AFFINE ? value->stride : 0) - test->step;
    if (jit_is_by_lane(value) || value->limit) return all_inside(jit, test, address, lanes);
    LLVMValueRef inside = starts_inside(jit, test, value->scalar);
    if (!stride) return inside;
    LLVMValueRef span = jit_const(jit, test->bits, (uint64_t)(stride * (SW_WARP_LANES - 1)));
    LLVMValueRef last = LLVMBuildAdd(jit->builder, value->scalar, span, "");
    return LLVMBuildAnd(jit->builder, inside, starts_inside(jit, test, last), "");
}

/* ---- the call of the helper */

static LLVMValueRef window_site(struct jit *jit, const struct window *w, unsigned bytes, bool writes)
{
    static const enum isa_space spaces[PTX_SPACE_COUNT] = {[PTX_SPACE_SHARED] = ISA_SPACE_SHARED,
                                                           [PTX_SPACE_LOCAL] = ISA_SPACE_LOCAL,
                                                           [PTX_SPACE_CONST] = ISA_SPACE_CONST,
                                                           [PTX_SPACE_GLOBAL] = ISA_SPACE_GLOBAL,
                                                           [PTX_SPACE_PARAM] = ISA_SPACE_PARAM};
    const char *name = w->var ? w->var->name : "";
    LLVMValueRef fields[] = {jit_const(jit, 32, jit->instr->line),
                             jit_const(jit, 32, bytes),
                             jit_const(jit, 32, w->stack),
                             jit_const(jit, 8, spaces[w->space]),
                             jit_const(jit, 8, writes),
                             jit_const(jit, 16, 0),
                             jit_const(jit, 64, w->step),
                             jit_const(jit, 64, w->at),
                             LLVMConstStringInContext(jit->context, name, (unsigned)strlen(name), false)};
    _Static_assert(offsetof(struct jit_window_site, space) == 12 &&
                       offsetof(struct jit_window_site, step) == 16 &&
                       offsetof(struct jit_window_site, name) == 32,
                   "as the fields above lie");
    LLVMValueRef value = LLVMConstStructInContext(jit->context, fields, SW_COUNT_OF(fields), 0);
    return jit_object_constant(jit, value, "softwarp_window", 8);
}

static void call_window(struct jit *jit, const struct window *w, const struct jit_address *address,
                        const struct jit_lanes *lanes, unsigned bytes, bool writes)
{
    LLVMValueRef at[JIT_MAX_PARTS];
    jit_address_lanes(jit, address, at);
    LLVMTypeRef types[] = {jit->ptr, jit->ptr, jit->i32, jit->ptr, jit->i64, jit->i64};
    LLVMValueRef args[] = {jit->ctx,    jit_spill_addresses(jit, at),
                           lanes->mask, window_site(jit, w, bytes, writes),
                           w->base,     w->bytes};
    jit_helper_call(jit, offsetof(struct jit_helpers, window), LLVMFunctionType(jit->empty, types, 6, 0),
                    args, 6);
}

static bool is_past(const struct ptx_operand *operand, unsigned bytes)
{
    return operand->offset < 0 || (uint64_t)operand->offset + bytes > operand->var->bytes;
}

bool jit_window_is_past(const struct jit *jit, const struct ptx_operand *operand, unsigned bytes)
{
    return jit->request->probes & EVENT_PROBE_BOUNDS && operand->var && !jit_is_dynamic(operand->var) &&
           is_past(operand, bytes);
}

bool jit_window_check(struct jit *jit, const struct ptx_operand *operand, const struct jit_address *address,
                      const struct jit_lanes *lanes, unsigned bytes, bool writes)
{
    struct window w;
    if (!window_of(jit, operand, address, &w)) return false;
    bool constant = operand->var && w.known;
    if (constant ? !is_past(operand, bytes) : w.var && jit_origin_holds(jit, operand, bytes)) return true;
    LLVMBasicBlockRef look = jit_new_block(jit, "window"), fine = jit_new_block(jit, "");
    LLVMValueRef inside = LLVMConstNull(jit->i1);
    if (!constant) {
        struct test test = test_of(jit, &w, address, bytes);
        inside = is_inside(jit, &test, address, lanes);
    }
    jit_branch(jit, inside, fine, look, true);
    jit_position(jit, look);
    jit_bounds_value(jit);
    call_window(jit, &w, address, lanes, bytes, writes);
    LLVMBuildBr(jit->builder, fine);
    jit_position(jit, fine);
    return true;
}
