/* SPDX-License-Identifier: Apache-2.0 */
/* What tools count an instruction as.
 *
 * Models: the classes of Nsight Compute's thread-level op_* metrics as far as PTX shows them: logic and
 * shifts are integer work, population counts and bit fields are bit work, every cvt is a conversion. Does not
 * model: what ptxas makes of it (a cvt that costs nothing, an fma made of mul and add). */
#include "ptx_priv.h"

static enum ptx_work_unit unit_of_type(enum ptx_type type)
{
    switch (ptx_type_class(type)) {
    case PTX_CLASS_FLOAT:
        if (type == PTX_F64) return PTX_UNIT_FP64;
        return type == PTX_F32 || type == PTX_F32X2 || type == PTX_TF32 ? PTX_UNIT_FP32 : PTX_UNIT_FP16;
    case PTX_CLASS_BITS:
    case PTX_CLASS_UINT:
    case PTX_CLASS_SINT: return PTX_UNIT_INTEGER;
    case PTX_CLASS_NONE:
    case PTX_CLASS_PRED:
    case PTX_CLASS_OPAQUE: break;
    }
    return PTX_UNIT_OTHER;
}

static enum ptx_work_unit alu_unit(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case PTX_OP_POPC:
    case PTX_OP_CLZ:
    case PTX_OP_BFIND:
    case PTX_OP_FNS:
    case PTX_OP_BREV:
    case PTX_OP_BFE:
    case PTX_OP_BFI:
    case PTX_OP_BMSK:
    case PTX_OP_PRMT: return PTX_UNIT_BIT;
    case PTX_OP_CVT: return PTX_UNIT_CONVERT;
    case PTX_OP_MOV:
    case PTX_OP_SELP:
    case PTX_OP_CVTA:
    case PTX_OP_ISSPACEP:
    case PTX_OP_CREATEPOLICY:
    case PTX_OP_STACKSAVE:
    case PTX_OP_ALLOCA: return PTX_UNIT_OTHER;
    default:
        return instr->type_count ? unit_of_type(ptx_instr_type(instr, instr->type_count - 1u))
                                 : PTX_UNIT_OTHER;
    }
}

static enum ptx_work_unit unit_of(const struct ptx_instr *instr, enum ptx_work_class cls)
{
    static const enum ptx_work_unit units[PTX_WORK_COUNT] = {
        [PTX_WORK_WARP] = PTX_UNIT_INTER_THREAD, [PTX_WORK_LOAD] = PTX_UNIT_MEMORY,
        [PTX_WORK_STORE] = PTX_UNIT_MEMORY,      [PTX_WORK_ATOMIC] = PTX_UNIT_MEMORY,
        [PTX_WORK_COPY] = PTX_UNIT_MEMORY,       [PTX_WORK_TEXTURE] = PTX_UNIT_MEMORY,
        [PTX_WORK_MBARRIER] = PTX_UNIT_MEMORY,   [PTX_WORK_BRANCH] = PTX_UNIT_CONTROL,
        [PTX_WORK_CALL] = PTX_UNIT_CONTROL,      [PTX_WORK_EXIT] = PTX_UNIT_CONTROL,
    };
    return cls == PTX_WORK_ALU ? alu_unit(instr) : units[cls];
}

static enum ptx_work_flop flop_of(const struct ptx_instr *instr)
{
    if (ptx_type_class(ptx_instr_type(instr, 0)) != PTX_CLASS_FLOAT) return PTX_FLOP_NONE;
    switch ((unsigned)instr->op) {
    case PTX_OP_ADD:
    case PTX_OP_SUB: return PTX_FLOP_ADD;
    case PTX_OP_MUL: return PTX_FLOP_MUL;
    case PTX_OP_MAD:
    case PTX_OP_FMA: return PTX_FLOP_FMA;
    default: return PTX_FLOP_NONE;
    }
}

static enum ptx_work_space space_of(const struct ptx_instr *instr)
{
    static const enum ptx_work_space spaces[PTX_SPACE_COUNT] = {
        [PTX_SPACE_GENERIC] = PTX_AT_GENERIC, [PTX_SPACE_GLOBAL] = PTX_AT_GLOBAL,
        [PTX_SPACE_SHARED] = PTX_AT_SHARED,   [PTX_SPACE_LOCAL] = PTX_AT_LOCAL,
        [PTX_SPACE_CONST] = PTX_AT_CONST,     [PTX_SPACE_PARAM] = PTX_AT_PARAM,
    };
    if (!ptx_instr_is_memory(instr)) return PTX_AT_NONE;
    if (instr->op == PTX_OP_CP &&
        (ptx_instr_space(instr) == PTX_SPACE_GLOBAL || ptx_instr_space2(instr) == PTX_SPACE_GLOBAL))
        return PTX_AT_GLOBAL;
    return spaces[ptx_instr_space(instr)];
}

/* .x1 .x2 .x4 of ldmatrix and stmatrix: 4 bytes of a lane each */
static unsigned matrix_bytes(const struct ptx_instr *instr)
{
    return ptx_has(instr, PTX_MOD_X4) ? 16 : ptx_has(instr, PTX_MOD_X2) ? 8 : 4;
}

/* cp.async takes the size as its third operand; bulk copies and the waits move no bytes of a lane's own */
static unsigned copy_bytes(const struct ptx_instr *instr)
{
    if (ptx_has(instr, PTX_MOD_BULK) || instr->operand_count < 3 || instr->operands[2].kind != PTX_OPD_INT)
        return 0;
    return instr->operands[2].bits <= 16 ? (unsigned)instr->operands[2].bits : 0;
}

static unsigned bytes_of(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
    case PTX_OP_ST:
    case PTX_OP_ATOM:
    case PTX_OP_RED:
    case PTX_OP_MULTIMEM: return ptx_vector_count(instr) * ptx_type_bits(ptx_instr_type(instr, 0)) / 8;
    case PTX_OP_LDMATRIX:
    case PTX_OP_STMATRIX: return matrix_bytes(instr);
    case PTX_OP_CP: return copy_bytes(instr);
    case PTX_OP_MBARRIER: return 8;
    default: return 0;
    }
}

bool ptx_atom_returns(const struct ptx_instr *instr)
{
    if (instr->op != PTX_OP_ATOM || instr->operand_count == 0) return false;
    return instr->operands[0].kind != PTX_OPD_SINK || ptx_has(instr, PTX_MOD_CAS) ||
           ptx_has(instr, PTX_MOD_EXCH);
}

void ptx_classify(const struct ptx_instr *instr, struct ptx_work *out)
{
    enum ptx_work_class cls = ptx_op_class(instr->op);
    bool atomic = cls == PTX_WORK_ATOMIC, matrix = cls == PTX_WORK_MATRIX;
    *out = (struct ptx_work){.cls = cls,
                             .unit = unit_of(instr, cls),
                             .space = space_of(instr),
                             .flop = flop_of(instr),
                             .bytes = (uint16_t)bytes_of(instr),
                             .guarded = instr->guard != PTX_NO_REG};
    out->returns = ptx_atom_returns(instr);
    out->is_read = cls == PTX_WORK_LOAD || atomic || cls == PTX_WORK_COPY ||
                   (matrix && (instr->op == PTX_OP_LDMATRIX ||
                               (instr->op == PTX_OP_WMMA && ptx_has(instr, PTX_MOD_LOAD))));
    out->is_write = cls == PTX_WORK_STORE || atomic || cls == PTX_WORK_COPY ||
                    (matrix && (instr->op == PTX_OP_STMATRIX ||
                                (instr->op == PTX_OP_WMMA && ptx_has(instr, PTX_MOD_STORE))));
}
