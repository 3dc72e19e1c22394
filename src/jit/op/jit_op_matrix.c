/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: how mma, mma.sp, wmma and their loads and stores are told to the engine, which does the work
 * (struct jit_matrix_op, struct jit_fragment_op). Method: ptx_matrix.c knows the forms. Limits: as there. */
#include "jit/op/jit_op_matrix.h"

static uint8_t code_of(enum isa_type type)
{
    switch ((unsigned)type) {
    case ISA_F16: return JIT_MATRIX_F16;
    case ISA_BF16: return JIT_MATRIX_BF16;
    case ISA_TF32: return JIT_MATRIX_TF32;
    case ISA_F64: return JIT_MATRIX_F64;
    case ISA_E4M3: return JIT_MATRIX_E4M3;
    case ISA_E5M2: return JIT_MATRIX_E5M2;
    case ISA_S8: return JIT_MATRIX_S8;
    case ISA_U8: return JIT_MATRIX_U8;
    case ISA_S4: return JIT_MATRIX_S4;
    case ISA_U4: return JIT_MATRIX_U4;
    case ISA_B1: return JIT_MATRIX_B1;
    case ISA_F32: return JIT_MATRIX_F32;
    default: return JIT_MATRIX_S32;
    }
}

static uint8_t rounding(const struct ptx_instr *instr)
{
    return ptx_has(instr, ISA_MOD_RM)   ? 1
           : ptx_has(instr, ISA_MOD_RP) ? 2
           : ptx_has(instr, ISA_MOD_RZ) ? 3
                                        : 0;
}

static uint8_t flags_of(const struct ptx_instr *instr, const struct ptx_matrix *form)
{
    enum isa_mod layout[2] = {ISA_MOD_NONE, ISA_MOD_NONE};
    unsigned flags =
                 (instr->op == ISA_OP_WMMA ? JIT_MATRIX_WMMA : 0) | (form->sparse ? JIT_MATRIX_SPARSE : 0),
             found = 0;
    for (unsigned i = 0; i < instr->mod_count && found < 2; i++)
        if (instr->mods[i] == ISA_MOD_ROW || instr->mods[i] == ISA_MOD_COL)
            layout[found++] = (enum isa_mod)instr->mods[i];
    if (layout[0] == ISA_MOD_COL) flags |= JIT_MATRIX_A_COLUMNS;
    if (layout[1] == ISA_MOD_COL) flags |= JIT_MATRIX_B_COLUMNS;
    if (ptx_has(instr, ISA_MOD_SATFINITE)) flags |= JIT_MATRIX_SATFINITE;
    if (ptx_has(instr, ISA_MOD_AND)) flags |= JIT_MATRIX_AND;
    return (uint8_t)flags;
}

struct jit_matrix_op jit_matrix_op_of(const struct ptx_instr *instr, const struct ptx_matrix *form)
{
    struct jit_matrix_op op = {.m = (uint8_t)form->m, .n = (uint8_t)form->n, .k4 = (uint8_t)(form->k / 4)};
    op.a_b = (uint8_t)(code_of(form->type[1]) | code_of(form->type[2]) << 4);
    op.d_c = (uint8_t)(code_of(form->type[0]) | code_of(form->type[3]) << 4);
    op.flags = flags_of(instr, form);
    op.selector = form->sparse ? (uint8_t)instr->operands[5].bits : rounding(instr);
    return op;
}

struct jit_fragment_op jit_fragment_op_of(const struct ptx_instr *instr, const struct ptx_matrix *form)
{
    struct jit_fragment_op op = {.m = (uint8_t)form->m, .n = (uint8_t)form->n, .k4 = (uint8_t)(form->k / 4)};
    bool rows = form->letter == 'm', turned = ptx_has(instr, rows ? ISA_MOD_TRANS : ISA_MOD_COL);
    op.type = code_of(form->type[0]);
    op.letter = (uint8_t)form->letter;
    op.registers = (uint8_t)form->own[0];
    op.flags = (uint8_t)((form->store ? JIT_FRAGMENT_STORE : 0) | (turned ? JIT_FRAGMENT_COLUMNS : 0) |
                         (!rows && instr->operand_count < 3 ? JIT_FRAGMENT_DENSE : 0) |
                         (ptx_instr_space(instr) == PTX_SPACE_SHARED ? JIT_FRAGMENT_SHARED : 0));
    return op;
}
