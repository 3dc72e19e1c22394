/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that stay functions after flattening: recursive ones, and those that function pointers may reach.
 *
 *   void softwarp_call_F(ctx, mask, warp, ctaid x, y, z, parameter areas..., result areas...)
 *
 * Each becomes one function of the object that runs the lanes of `mask` together, with the same control as a
 * kernel (struct jit of its own, the kernel's module). A parameter area holds 32 values, one a lane, at a
 * stride (jit_call_var). Local variables live on the host's stack, so that recursion has as many as it needs.
 * Functions that may stop in the middle are jit_merge.c's. Limits: isspacep does not see local variables of
 * such functions. */
#include "jit_compile_priv.h"

#include "jit/analysis/jit_blocks.h"
#include "jit/analysis/jit_layout.h"
#include "jit/analysis/jit_origin.h"
#include "jit/analysis/jit_repr.h"
#include "jit/control/jit_control.h"
#include "jit/core/jit_core.h"
#include "jit/emit/jit_emit.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_values.h"

/* All functions that the kernel may call, and they in turn. Their instructions are counted after the
 * kernel's. */
enum sw_status jit_callees_find(struct jit *jit)
{
    const struct ptx_callee *found;
    uint32_t count, row = jit->function->instr_count;
    SW_TRY(ptx_callees(jit->function, &jit->arena, &found, &count, jit->error));
    for (uint32_t i = 0; i < count; i++) {
        *vec_push(jit->callees) =
            (struct jit_callee){.source = found[i].source, .flat = found[i].flat, .first_row = row};
        row += found[i].flat->instr_count;
    }
    jit->row_count = row;
    return SW_OK;
}

/* What the kernel and the function share. */
static void inherit(struct jit *jit, const struct jit *kernel, const struct ptx_function *flat)
{
    *jit = (struct jit){.request = kernel->request,
                        .function = flat,
                        .error = kernel->error,
                        .callees = kernel->callees,
                        .context = kernel->context,
                        .module = kernel->module,
                        .builder = kernel->builder,
                        .i1 = kernel->i1,
                        .i8 = kernel->i8,
                        .i16 = kernel->i16,
                        .i32 = kernel->i32,
                        .i64 = kernel->i64,
                        .ptr = kernel->ptr,
                        .empty = kernel->empty,
                        .kind_prof = kernel->kind_prof,
                        .kind_invariant = kernel->kind_invariant,
                        .likely = kernel->likely,
                        .nothing = kernel->nothing,
                        .part = kernel->part,
                        .one = kernel->one,
                        .threads = kernel->threads,
                        .row_lanes = kernel->row_lanes,
                        .rows = kernel->rows,
                        .even_rows = kernel->even_rows,
                        .block_has_rows = kernel->block_has_rows,
                        .is_callee = true};
    for (unsigned i = 0; i < 3; i++)
        jit->ntid[i] = kernel->ntid[i];
    jit->part.function = jit->one.function = flat;
    arena_init(&jit->arena);
}

static enum sw_status callee_analyze(struct jit *jit, const struct jit *kernel)
{
    SW_TRY(jit_check(jit));
    jit_layout_callee(jit, kernel);
    SW_TRY(jit_blocks_build(jit));
    jit_repr_build(jit);
    jit_lossy_build(jit);
    jit_nans_build(jit);
    jit_aligns_build(jit);
    jit_origins_build(jit);
    return SW_OK;
}

static enum sw_status emit_one(struct jit *kernel, struct jit_callee callee)
{
    struct jit jit;
    LLVMValueRef fn = jit_callee_declare(kernel, &callee);
    inherit(&jit, kernel, callee.flat);
    jit_count_callee_begin(kernel, &jit, callee.first_row);
    enum sw_status status = callee_analyze(&jit, kernel);
    jit_callee_take_areas(&jit, fn);
    if (status == SW_OK) status = jit_emit_callee_body(&jit, fn);
    jit_count_callee_end(kernel, &jit);
    vec_release(&jit.shared_sites);
    vec_release(&jit.local_sites);
    vec_release(&jit.dirty);
    vec_release(&jit.noted);
    map_release(&jit.cached);
    map_release(&jit.ahead);
    arena_release(&jit.arena);
    return status;
}

enum sw_status jit_callees_emit(struct jit *kernel)
{
    for (size_t i = 0; i < kernel->callees->count; i++) {
        jit_callee_declare(kernel, &kernel->callees->at[i]);
        SW_TRY(emit_one(kernel, kernel->callees->at[i]));
    }
    return SW_OK;
}
