/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of f64, whose NaN results carry the payload of an operand: which one, x86 and LLVM do not say
 * (jit_op_float.c).
 * Method: as long as every NaN is the one that arithmetic makes, all of them are equal and nothing has to be
 * chosen. Registers that hold something else too (loaded values, say) and go into such arithmetic are tested
 * where they are written (jit_nan_note); the first NaN sets ctx->nan_payloads, for good. Instructions that
 * follow each other are emitted twice, as a run:
 *
 *     nan_payloads? -> payloads: each instruction chooses | plain: none does  -> joined (phis)
 *
 * Not chosen: choosing always (5 instructions for one), a test of each result (a compare and a branch a
 * vector, and operands that must be kept).
 * Limits: runs end at the first instruction of another kind. */
#include "jit_emit_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/emit/jit_emit.h"
#include "jit/op/jit_op_value.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_rows.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

enum { RUN_MOST = 64 };

static bool chooses(const struct ptx_instr *instr)
{
    unsigned registers = 0;
    for (unsigned i = 1; i < instr->operand_count; i++)
        registers += instr->operands[i].kind == ISA_OPD_REG;
    return registers > 1;
}

/* How many instructions from `first` on are such a run: it begins and ends with one that has to choose. */
unsigned jit_double_run(const struct jit *jit, uint32_t first, uint32_t end)
{
    unsigned run = 0;
    for (uint32_t i = first; i < end && i - first < RUN_MOST; i++) {
        const struct ptx_instr *instr = &jit->function->instrs[i];
        if (!jit_is_double_arithmetic(instr) || instr->operands[0].kind != ISA_OPD_REG) break;
        if (chooses(instr)) run = i - first + 1;
        if (run == 0) break;
    }
    return run;
}

/* What one way leaves, and what the other must find as it was. */
struct way {
    struct jit_reg reg[RUN_MOST];
    LLVMBasicBlockRef end;
};

static uint32_t dest(const struct ptx_instr *instr)
{
    return instr->operands[0].reg;
}

static void double_read_all(struct jit *jit, const struct ptx_instr *run, unsigned count)
{
    uint32_t uses[16];
    for (unsigned i = 0; i < count; i++) {
        unsigned used = ptx_instr_uses(&run[i], uses, SW_COUNT_OF(uses));
        for (unsigned u = 0; u < used; u++)
            jit_reg_read(jit, uses[u]);
        jit_reg_read(jit, dest(&run[i]));
    }
    jit_mask_active_parts(jit);
}

static enum sw_status emit_way(struct jit *jit, const struct ptx_instr *run, unsigned count, bool plain,
                               struct way *way)
{
    enum sw_status status = SW_OK;
    jit->part.plain_nans = jit->one.plain_nans = plain;
    for (unsigned i = 0; i < count && status == SW_OK; i++) {
        jit->instr = &run[i];
        status = jit_emit_elementwise(jit, &run[i]);
    }
    jit->part.plain_nans = jit->one.plain_nans = false;
    for (unsigned i = 0; i < count; i++)
        way->reg[i] = jit->regs[dest(&run[i])];
    way->end = LLVMGetInsertBlock(jit->builder);
    return status;
}

/* As doubles: LLVM sees no bits then, which would go through general registers. */
static LLVMValueRef as_double(struct jit *jit, const struct way *way, LLVMValueRef bits)
{
    LLVMPositionBuilderBefore(jit->builder, LLVMGetBasicBlockTerminator(way->end));
    return jv_float_exact(&jit->part, bits);
}

static LLVMValueRef double_join(struct jit *jit, const struct way *a, LLVMValueRef x, const struct way *b,
                                LLVMValueRef y, LLVMBasicBlockRef joined)
{
    if (x == y) return x;
    LLVMValueRef both[2] = {as_double(jit, a, x), as_double(jit, b, y)};
    LLVMBasicBlockRef ends[2] = {a->end, b->end};
    LLVMValueRef first = LLVMGetFirstInstruction(joined);
    if (first)
        LLVMPositionBuilderBefore(jit->builder, first);
    else
        jit_position(jit, joined);
    LLVMValueRef phi = LLVMBuildPhi(jit->builder, LLVMTypeOf(both[0]), "");
    LLVMAddIncoming(phi, both, ends, 2);
    jit_position(jit, joined);
    return jv_bits(&jit->part, phi);
}

static void join_register(struct jit *jit, struct jit_reg *reg, const struct way *a, const struct way *b,
                          unsigned i, LLVMBasicBlockRef joined)
{
    struct jit_value *value = &reg->value;
    const struct jit_value *x = &a->reg[i].value, *y = &b->reg[i].value;
    for (unsigned p = 0; p < jit_reg_pieces(jit, reg); p++)
        jit_value_set_piece(value, p,
                            double_join(jit, a, jit_value_piece(x, p), b, jit_value_piece(y, p), joined));
}

static bool written_later(const struct ptx_instr *run, unsigned i, unsigned count)
{
    for (unsigned k = i + 1; k < count; k++)
        if (dest(&run[k]) == dest(&run[i])) return true;
    return false;
}

static enum sw_status emit_ways(struct jit *jit, const struct ptx_instr *run, unsigned count,
                                struct way ways[2])
{
    struct way before;
    LLVMBasicBlockRef plain = jit_new_block(jit, ""), payloads = jit_new_block(jit, ""),
                      joined = jit_new_block(jit, "");
    size_t dirty = jit->dirty.count;
    for (unsigned i = 0; i < count; i++)
        before.reg[i] = jit->regs[dest(&run[i])];
    LLVMValueRef seen = jit_ctx_load(jit, offsetof(struct jit_ctx, nan_payloads), jit->i32);
    LLVMValueRef none = LLVMBuildICmp(jit->builder, LLVMIntEQ, seen, jit_const(jit, 32, 0), "");
    jit_branch(jit, none, plain, payloads, true);
    jit_position(jit, payloads);
    SW_TRY(emit_way(jit, run, count, false, &ways[1]));
    LLVMBuildBr(jit->builder, joined);
    for (unsigned i = 0; i < count; i++)
        jit->regs[dest(&run[i])] = before.reg[i];
    jit->dirty.count = dirty;
    jit_position(jit, plain);
    SW_TRY(emit_way(jit, run, count, true, &ways[0]));
    LLVMBuildBr(jit->builder, joined);
    jit_position(jit, joined);
    for (unsigned i = 0; i < count; i++)
        if (!written_later(run, i, count))
            join_register(jit, &jit->regs[dest(&run[i])], &ways[0], &ways[1], i, joined);
    return SW_OK;
}

/* ---- the two ways */

enum sw_status jit_emit_double_run(struct jit *jit, const struct ptx_instr *run, unsigned count)
{
    struct way ways[2];
    for (unsigned i = 0; i < count; i++) {
        jit->instr = &run[i];
        jit_count_guard(jit, &run[i]);
    }
    double_read_all(jit, run, count);
    jit_nans_look(jit);
    return emit_ways(jit, run, count, ways);
}
