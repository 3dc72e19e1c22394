/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of lanes (JIT_ROWS): how many a warp has.
 * Method: rows are those of the block where it is narrower than two warps and not 32 wide. Elsewhere code
 * often divides a warp itself, `threadIdx.x % 16` and `threadIdx.x / 16`: then rows are what most such
 * operations divide it into. PTX has them as `and` with 2^n - 1 and as `shr` by n of the thread's or the
 * lane's number. Limits: the number itself, or its low bits from a `and`, are followed, not what was added to
 * it; rows of 8 and 16 lanes. */
#include "jit/analysis/jit_repr.h"

/* Rows of which a warp has lanes, if a warp begins at each multiple of 32 threads */
static unsigned rows_of(unsigned width)
{
    unsigned divisor = width & -width;
    unsigned phase = width - (divisor < 32 ? divisor : 32); /* the most that are left out of the first */
    return (phase + SW_WARP_LANES - 1) / width + 1;
}

/* Rows of few lanes cost more than they save: gathers do as well. Wider ones than a warp have lanes of two
 * rows in it, unless their width is a multiple of 32; from twice a warp on, most warps have one. */
static unsigned row_lanes_of_block(const uint32_t *block)
{
    uint32_t threads = block[0] * block[1] * block[2];
    for (unsigned i = 0; i < 3; i++) {
        if (block[i] == 1) continue;
        bool fits = block[i] > 1 && block[i] != 32 && block[i] < 64 && rows_of(block[i]) <= JIT_MAX_ROWS;
        return fits && block[i] != threads ? block[i] : 32;
    }
    return 32;
}

enum { LEAST_LOG2 = 3, LANES_LOG2 = 5 }; /* implementation: of rows of code */

/* The operand is a register that holds a thread's number in its warp, perhaps with bits above it. */
static bool is_place(const struct ptx_operand *operand, const bool *places)
{
    return operand->kind == ISA_OPD_REG && !operand->half && places[operand->reg];
}

static bool is_low_mask(const struct ptx_operand *operand, unsigned log2)
{
    return operand->kind == ISA_OPD_INT && (operand->bits & 0xffffffff) == (1u << log2) - 1;
}

/* Whether the instruction makes such a number. */
static bool makes_place(const struct ptx_instr *instr, const bool *places)
{
    const struct ptx_operand *from = &instr->operands[1];
    if (instr->op == ISA_OP_MOV)
        return is_place(from, places) || (from->kind == ISA_OPD_SREG &&
                                          (from->sreg == ISA_SREG_TID_X || from->sreg == ISA_SREG_LANEID));
    return instr->op == ISA_OP_AND && is_place(from, places) && is_low_mask(&instr->operands[2], LANES_LOG2);
}

/* The logarithm of the lanes of a row that the instruction divides a warp into, or 0. */
static unsigned divides(const struct ptx_instr *instr, const bool *places)
{
    bool fits = (instr->op == ISA_OP_AND || instr->op == ISA_OP_SHR) && instr->operand_count == 3 &&
                is_place(&instr->operands[1], places);
    for (unsigned log2 = LEAST_LOG2; log2 < LANES_LOG2 && fits; log2++) {
        const struct ptx_operand *by = &instr->operands[2];
        if (instr->op == ISA_OP_AND && is_low_mask(by, log2)) return log2;
        if (instr->op == ISA_OP_SHR && by->kind == ISA_OPD_INT && by->bits == log2) return log2;
    }
    return 0;
}

/* Of as many of several kinds, the longest rows. */
static unsigned row_lanes_of_code(struct jit *jit)
{
    const struct ptx_function *function = jit->function;
    bool *places = arena_alloc(&jit->arena, function->reg_count * sizeof *places);
    unsigned votes[LANES_LOG2] = {0}, best = LANES_LOG2, most = 0;
    for (uint32_t i = 0; i < function->instr_count; i++) {
        const struct ptx_instr *instr = &function->instrs[i];
        if (instr->operand_count < 2 || instr->operands[0].kind != ISA_OPD_REG) continue;
        votes[divides(instr, places)]++;
        if (makes_place(instr, places)) places[instr->operands[0].reg] = true;
    }
    for (unsigned log2 = LEAST_LOG2; log2 < LANES_LOG2; log2++)
        if (votes[log2] && votes[log2] >= most) best = log2, most = votes[log2];
    return 1u << best;
}

void jit_rows_choose(struct jit *jit)
{
    jit->row_lanes = row_lanes_of_block(jit->ntid);
    jit->block_has_rows = jit->row_lanes != SW_WARP_LANES;
    if (!jit->block_has_rows && jit->ntid[0] % SW_WARP_LANES == 0) jit->row_lanes = row_lanes_of_code(jit);
    jit->rows = rows_of(jit->row_lanes);
    jit->even_rows = SW_WARP_LANES % jit->row_lanes == 0;
}
