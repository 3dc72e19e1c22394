/* SPDX-License-Identifier: Apache-2.0 */
/* Two warps at once. A chain of dependent operations keeps the processor's pipelines waiting, and what it
 * looks ahead over is less than one warp's part between two barriers. So where two neighbouring warps wait at
 * the same barrier, and what follows runs straight to the next one, their instructions are emitted in turn:
 *
 *   go_on:  the next warp waits at the same wait point?  no: this warp alone (jit_emit_barrier.c)
 *   pair:   registers of both from their frames | instruction 1 of both | instruction 2 of both ...
 *           what was written to the frames | both wait at the next wait point; the loop goes on two warps
 * later
 *
 * Matrix product of 32 x 32 tiles, 1024: 25.1 ms, so 22.9 (Zen 5).
 * Limits: region form; all lanes on; arithmetic and shared memory only, so that a fault elsewhere names its
 * warp; few registers, so that both fit; not where something is counted. Threads of two warps that race for a
 * shared variable between two barriers may see another order than that of warps. */
#include "jit_region_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"
#include "jit/core/jit_probes.h"
#include "jit/emit/jit_emit.h"
#include "jit/emit/jit_shadow.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_rows.h"
#include "jit/value/jit_values.h"

enum { INSTRS_LEAST = 16, INSTRS_MOST = 512, VECTORS_MOST = 6 };

struct half { /* one of the two warps */
    LLVMValueRef warp, frame;
    struct jit_reg *regs;
};

/* ---- where */

static bool pair_is_plain(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->operand_count; i++)
        if (instr->operands[i].kind == ISA_OPD_SREG) return false;
    if (instr->op == ISA_OP_LD || instr->op == ISA_OP_ST) return ptx_instr_space(instr) == PTX_SPACE_SHARED;
    return instr->op == ISA_OP_MOV || jit_op_elementwise_supported(instr);
}

static bool few_registers(const struct jit *jit, const struct jit_block *block)
{
    unsigned vectors = 0;
    for (uint32_t r = 0; r < jit->reg_count; r++)
        vectors += jit_lives(jit, block->live_in, r) && jit->regs[r].abstract.repr == JIT_VECTOR;
    return vectors <= VECTORS_MOST;
}

/* Can two warps run `block` together, that go on there? */
bool jit_pair_fits(struct jit *jit, struct jit_block *block)
{
    uint32_t count = block->last - block->first;
    if (jit->suspends || jit->is_callee || !jit->even_rows || jit_counts(jit) || jit_shadows(jit) ||
        jit_orders(jit) || block->end != JIT_END_BARRIER)
        return false;
    if (count < INSTRS_LEAST || count > INSTRS_MOST || !few_registers(jit, block)) return false;
    struct jit_block *here = jit->block;
    jit->block = block;
    bool fits = jit_mask_is_full(jit);
    jit->block = here;
    for (uint32_t i = block->first; i + 1 < block->last && fits; i++)
        fits = pair_is_plain(&jit->function->instrs[i]);
    return fits;
}

/* ---- registers and frames */

static unsigned alignment(const struct jit_reg *reg)
{
    return reg->frame_step > 64 ? 64 : reg->frame_step;
}

static LLVMValueRef piece_at(struct jit *jit, const struct half *half, const struct jit_reg *reg, unsigned p,
                             unsigned more)
{
    return jit_offset(jit, half->frame, reg->frame_offset + (uint64_t)p * reg->frame_step + more);
}

static void load_register(struct jit *jit, const struct half *half, struct jit_reg *reg)
{
    struct jit_value value = jit_reg_value(reg);
    for (unsigned p = 0; p < jit_reg_pieces(jit, reg); p++) {
        LLVMValueRef at = piece_at(jit, half, reg, p, 0);
        LLVMValueRef piece = LLVMBuildLoad2(jit->builder, jit_reg_type(jit, reg), at, "");
        LLVMSetAlignment(piece, alignment(reg));
        jit_value_set_piece(&value, p, jit_nan_load(jit, reg, piece));
    }
    for (unsigned p = 0; p < jit_reg_limits(jit, reg); p++) {
        LLVMValueRef at = piece_at(jit, half, reg, p, FRAME_LIMIT);
        jit_value_set_limit(&value, p, LLVMBuildLoad2(jit->builder, jit->i32, at, ""));
    }
    reg->value = value;
    reg->memory = NULL;
    reg->epoch = jit->epoch;
    reg->dirty = false;
}

static void save_register(struct jit *jit, const struct half *half, struct jit_reg *reg)
{
    if (reg->epoch != jit->epoch || !reg->dirty) return; /* the frame has it */
    for (unsigned p = 0; p < jit_reg_pieces(jit, reg); p++) {
        LLVMValueRef value = jit_nan_store(jit, reg, jit_value_piece(&reg->value, p));
        LLVMValueRef store = LLVMBuildStore(jit->builder, value, piece_at(jit, half, reg, p, 0));
        LLVMSetAlignment(store, alignment(reg));
    }
    for (unsigned p = 0; p < jit_reg_limits(jit, reg); p++)
        LLVMBuildStore(jit->builder, jit_value_limit(&reg->value, p),
                       piece_at(jit, half, reg, p, FRAME_LIMIT));
}

static struct half open_half(struct jit *jit, const struct jit_block *block, LLVMValueRef warp)
{
    struct half half = {.warp = warp, .frame = jit_frame_of(jit, warp)};
    half.regs = ARENA_ARRAY(&jit->arena, struct jit_reg, jit->reg_count);
    for (uint32_t r = 0; r < jit->reg_count; r++) {
        half.regs[r] = jit->regs[r];
        if (jit_lives(jit, block->live_in, r)) load_register(jit, &half, &half.regs[r]);
    }
    return half;
}

/* ---- code */

static enum sw_status emit_for(struct jit *jit, const struct half *half, const struct ptx_instr *instr)
{
    jit->warp = half->warp;
    jit->frame = half->frame;
    jit->regs = half->regs;
    return jit_emit_instr(jit, instr);
}

static enum sw_status emit_both(struct jit *jit, struct jit_block *block, struct half halves[2])
{
    for (uint32_t i = block->first; i + 1 < block->last; i++)
        for (unsigned h = 0; h < 2; h++)
            SW_TRY(emit_for(jit, &halves[h], &jit->function->instrs[i]));
    jit_nans_look(jit);
    for (unsigned h = 0; h < 2; h++) {
        for (uint32_t r = 0; r < jit->reg_count; r++)
            if (jit_lives(jit, jit->blocks[block->succ[0]].live_in, r))
                save_register(jit, &halves[h], &halves[h].regs[r]);
        jit->frame = halves[h].frame;
        jit_region_wait(jit, block);
    }
    return SW_OK;
}

/* The builder stands where `warp` and the one after it go on at `block`; leaves it in the block that ends the
 * two. */
static enum sw_status emit_pair(struct jit *jit, struct jit_block *block, LLVMValueRef next)
{
    struct jit saved = *jit;
    jit->block = block;
    jit->values_only = true;
    jit->epoch++;
    jit->mask_now = NULL;
    jit->mask_parts[0] = NULL;
    struct half halves[2] = {open_half(jit, block, jit->warp), open_half(jit, block, next)};
    enum sw_status status = emit_both(jit, block, halves);
    vec_clear(&jit->dirty);
    jit->regs = saved.regs;
    jit->warp = saved.warp;
    jit->frame = saved.frame;
    jit->block = saved.block;
    jit->values_only = false;
    jit->epoch++;
    return status;
}

/* Before `alone`, the way of a single warp that goes on after `wait_point`. The builder stands in a block of
 * its own; goes on in `alone`. */
enum sw_status jit_pair_emit(struct jit *jit, uint32_t wait_point, struct jit_block *block,
                             LLVMBasicBlockRef alone)
{
    LLVMBasicBlockRef other = jit_new_block(jit, "other"), both = jit_new_block(jit, "pair");
    LLVMValueRef next = LLVMBuildAdd(jit->builder, jit->warp, jit_const(jit, 32, 1), "");
    jit_branch(jit, LLVMBuildICmp(jit->builder, LLVMIntULT, next, jit->warp_count, ""), other, alone, true);
    jit_position(jit, other);
    LLVMValueRef state = LLVMBuildLoad2(jit->builder, jit->i32, jit_frame_of(jit, next), "");
    LLVMValueRef same = LLVMBuildICmp(jit->builder, LLVMIntEQ, state, jit_const(jit, 32, wait_point), "");
    jit_branch(jit, same, both, alone, true);
    jit_position(jit, both);
    SW_TRY(emit_pair(jit, block, next));
    if (!jit->pair_latch) jit->pair_latch = jit_new_block(jit, "pair_latch");
    LLVMBuildBr(jit->builder, jit->pair_latch);
    jit_position(jit, alone);
    return SW_OK;
}
