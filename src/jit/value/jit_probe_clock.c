/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks of warps, in counted kernels that read %clock, %clock64 or %globaltimer: each block of instructions
 * that a warp runs is told to the engine, which knows what it takes (struct engine_timer), and a read says
 * where in its block it stands.
 *
 *   void clock_pass(ctx, first, end)           the warp runs the rows [first, end)
 *   uint64_t clock_read(ctx, row, end)         of them it has come to `row`
 *
 * Other kernels are not touched. Limits: of kernels whose functions were merged into them (jit_merge.c),
 * blocks that hold no row of the table take no time. */
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_probes.h"
#include "jit/value/jit_lanes.h"

#include <stddef.h>

static bool probe_clock_reads_clock(const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instr_count; i++) {
        const struct ptx_instr *instr = &function->instrs[i];
        for (uint32_t o = 0; o < instr->operand_count; o++) {
            enum isa_sreg sreg =
                instr->operands[o].kind == ISA_OPD_SREG ? instr->operands[o].sreg : ISA_SREG_NONE;
            if (sreg == ISA_SREG_CLOCK || sreg == ISA_SREG_CLOCK_HI || sreg == ISA_SREG_CLOCK64 ||
                sreg == ISA_SREG_GLOBALTIMER || sreg == ISA_SREG_GLOBALTIMER_LO ||
                sreg == ISA_SREG_GLOBALTIMER_HI)
                return true;
        }
    }
    return false;
}

void jit_clock_begin(struct jit *jit)
{
    jit->clocks = probe_clock_reads_clock(jit->function);
    for (uint32_t i = 0; jit->callees && i < jit->callees->count && !jit->clocks; i++)
        jit->clocks = probe_clock_reads_clock(jit->callees->at[i].flat);
}

/* Rows of a block, [first, end); false: none. */
static bool probe_clock_rows_of(const struct jit *jit, const struct jit_block *block, uint32_t *first,
                                uint32_t *end)
{
    if (!block || block->first == block->last) return false;
    *first = jit_instr_row(jit, &jit->function->instrs[block->first]);
    uint32_t last = jit_instr_row(jit, &jit->function->instrs[block->last - 1]);
    *end = last + 1;
    return *first != JIT_NO_INSTR && last != JIT_NO_INSTR && *first <= last;
}

static LLVMTypeRef helper_type(struct jit *jit, LLVMTypeRef result)
{
    LLVMTypeRef params[] = {jit->ptr, jit->i32, jit->i32};
    return LLVMFunctionType(result, params, SW_COUNT_OF(params), 0);
}

void jit_clock_block(struct jit *jit, const struct jit_block *block)
{
    uint32_t first, end;
    if (!jit->clocks || !probe_clock_rows_of(jit, block, &first, &end)) return;
    LLVMValueRef args[] = {jit->ctx, jit_const(jit, 32, first), jit_const(jit, 32, end)};
    jit_helper_call(jit, offsetof(struct jit_helpers, clock_pass), helper_type(jit, jit->empty), args,
                    SW_COUNT_OF(args));
}

LLVMValueRef jit_clock_read(struct jit *jit, size_t helper)
{
    uint32_t first = 0, end = 0, row = 0;
    if (jit->clocks && probe_clock_rows_of(jit, jit->block, &first, &end))
        row = jit_instr_row(jit, jit->instr);
    if (row < first || row >= end) row = end;
    LLVMValueRef args[] = {jit->ctx, jit_const(jit, 32, row), jit_const(jit, 32, end)};
    return jit_helper_call(jit, helper, helper_type(jit, jit->i64), args, SW_COUNT_OF(args));
}
