/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp_jit_compile: analysis, emission, machine code. Any thread; each call has its own LLVM context.
 * Limits: kernels (entries) only. */
#include "jit_compile_priv.h"

#include "jit/analysis/jit_barrier.h"
#include "jit/analysis/jit_blocks.h"
#include "jit/analysis/jit_layout.h"
#include "jit/analysis/jit_origin.h"
#include "jit/analysis/jit_repr.h"
#include "jit/control/jit_control.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_values.h"

__attribute__((visibility("default"))) enum sw_status
softwarp_jit_compile(const struct jit_request *request, struct jit_object *out, struct sw_error *error);
__attribute__((visibility("default"))) uint64_t softwarp_jit_abi(void);

static void know_launch(struct jit *jit)
{
    static const unsigned lanes[JIT_ISA_COUNT] = {
        [JIT_ISA_SSE2] = 4, [JIT_ISA_AVX2] = 8, [JIT_ISA_AVX512] = 16, [JIT_ISA_NEON] = 4};
    jit->part.lanes = lanes[jit->request->isa];
    jit->part.parts = 32 / jit->part.lanes;
    const uint32_t *block = jit->request->block;
    uint32_t threads = block[0] * block[1] * block[2];
    for (unsigned i = 0; i < 3; i++)
        jit->ntid[i] = block[i];
    jit->threads = threads;
    jit->full_warps = threads != 0 && threads % 32 == 0;
    jit_rows_choose(jit);
}

static void open_llvm(struct jit *jit)
{
    unsigned lanes = jit->part.lanes, parts = jit->part.parts;
    jit->context = LLVMContextCreate();
    jit->module = LLVMModuleCreateWithNameInContext(jit->function->name, jit->context);
    jit->builder = LLVMCreateBuilderInContext(jit->context);
    jit->i1 = LLVMInt1TypeInContext(jit->context);
    jit->i8 = LLVMInt8TypeInContext(jit->context);
    jit->i16 = LLVMInt16TypeInContext(jit->context);
    jit->i32 = LLVMInt32TypeInContext(jit->context);
    jit->i64 = LLVMInt64TypeInContext(jit->context);
    jit->ptr = LLVMPointerTypeInContext(jit->context, 0);
    jit->empty = LLVMVoidTypeInContext(jit->context);
    jit->kind_prof = LLVMGetMDKindIDInContext(jit->context, "prof", 4);
    jit->kind_invariant = LLVMGetMDKindIDInContext(jit->context, "invariant.load", 14);
    LLVMMetadataRef weights[] = {LLVMMDStringInContext2(jit->context, "branch_weights", 14),
                                 LLVMValueAsMetadata(jit_const(jit, 32, 4000)),
                                 LLVMValueAsMetadata(jit_const(jit, 32, 1))};
    jit->likely = LLVMMetadataAsValue(jit->context, LLVMMDNodeInContext2(jit->context, weights, 3));
    jit->nothing = LLVMMetadataAsValue(jit->context, LLVMMDNodeInContext2(jit->context, NULL, 0));
    jit->part = (struct jit_part){.context = jit->context,
                                  .module = jit->module,
                                  .builder = jit->builder,
                                  .lanes = lanes,
                                  .parts = parts,
                                  .isa = jit->request->isa,
                                  .fast_approx = jit->request->fast_approx,
                                  .function = jit->function};
    jit->one = jit->part;
    jit->one.lanes = 1;
}

static void close_llvm(struct jit *jit)
{
    LLVMDisposeBuilder(jit->builder);
    LLVMDisposeModule(jit->module);
    LLVMContextDispose(jit->context);
}

/* Does the result depend on the order in which warps run? Float atomics round in execution order; a used
 * result shows it.
 */
static bool depends_on_order(const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instr_count; i++) {
        const struct ptx_instr *instr = &function->instrs[i];
        if (instr->op != ISA_OP_ATOM && instr->op != ISA_OP_RED) continue;
        if (instr->op == ISA_OP_ATOM && ptx_atom_returns(instr)) return true;
        if (isa_type_kind(ptx_instr_type(instr, 0)) == ISA_KIND_FLOAT) return true;
    }
    return false;
}

/* Blocks, loops that wait, registers, frontiers. */
static enum sw_status analyze_control(struct jit *jit)
{
    jit->has_collectives = false;
    SW_TRY(jit_blocks_build(jit));
    jit_spins_build(jit);
    jit_rounds_build(jit);
    jit_repr_build(jit);
    if (!jit->suspends && !jit_needs_suspension(jit)) return SW_OK;
    jit->suspends = true; /* then more lanes may wait at more points */
    jit_repr_build(jit);
    return SW_OK;
}

/* Where lanes of a warp wait for each other, more of them come apart: until there are no more such points. */
static enum sw_status analyze_collectives(struct jit *jit)
{
    enum { ROUNDS_MOST = 4 };
    for (unsigned round = 0; round < ROUNDS_MOST && jit_collectives_find(jit); round++) {
        SW_TRY(analyze_control(jit));
        jit_fences_build(jit);
        jit->has_collectives = true;
        jit_repr_build(jit);
        if (jit->suspends || !jit_needs_suspension(jit)) continue;
        jit->suspends = true;
        jit_repr_build(jit);
    }
    return SW_OK;
}

static enum sw_status compile_analyze(struct jit *jit)
{
    SW_TRY(jit_callees_find(jit));
    SW_TRY(jit_merge(jit));
    SW_TRY(jit_check(jit));
    jit_layout(jit);
    SW_TRY(analyze_control(jit));
    SW_TRY(analyze_collectives(jit));
    jit_frontiers_count(jit);
    jit_lossy_build(jit);
    jit_nans_build(jit);
    jit_flush_build(jit);
    jit_aligns_build(jit);
    jit_origins_build(jit);
    jit->info.orders_apart = jit->suspends || jit->has_collectives || jit->callees->count;
    jit->info.order_dependent = jit->info.spins || depends_on_order(jit->function);
    return SW_OK;
}

static enum sw_status compile(struct jit *jit, struct jit_object *out)
{
    SW_TRY(compile_analyze(jit));
    jit_count_begin(jit);
    open_llvm(jit);
    enum sw_status status = jit_emit_kernel(jit);
    if (status == SW_OK) status = jit_callees_emit(jit);
    if (jit->request->emitted) jit->request->emitted(jit->request->user);
    if (status == SW_OK) status = jit_target_emit(jit, out);
    close_llvm(jit);
    return status;
}

/* Slots by the instructions of the entry and its callees, where they became one function. */
static struct event_slots *own_slots(struct jit *jit)
{
    if (!jit->slots || !jit->merged_from) return jit->slots;
    struct event_slots *own = sw_xmalloc((jit->row_count + 1) * sizeof *own);
    for (uint32_t i = 0; i < jit->row_count; i++)
        own[i] = jit->slots[jit->merged_from[i]];
    free(jit->slots);
    return jit->slots = own;
}

enum sw_status softwarp_jit_compile(const struct jit_request *request, struct jit_object *out,
                                    struct sw_error *error)
{
    jit_callee_list callees = {0};
    struct jit jit = {.request = request, .function = request->entry, .error = error, .callees = &callees};
    struct jit_object object = {0};
    jit_llvm_begin();
    arena_init(&jit.arena);
    know_launch(&jit);
    enum sw_status status = compile(&jit, &object);
    object.info = jit.info;
    object.slots = own_slots(&jit);
    if (status == SW_OK)
        *out = object;
    else
        free(jit.slots);
    vec_release(&jit.shared_sites);
    vec_release(&jit.local_sites);
    vec_release(&jit.dirty);
    vec_release(&jit.noted);
    vec_release(&callees);
    map_release(&jit.cached);
    map_release(&jit.ahead);
    arena_release(&jit.arena);
    jit_llvm_end();
    return status;
}

uint64_t softwarp_jit_abi(void)
{
    jit_llvm_opened();
    return SW_JIT_ABI;
}
