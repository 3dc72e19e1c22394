/* SPDX-License-Identifier: Apache-2.0 */
/* Refuse before emission what cannot be compiled, naming opcode, PTX line, kernel, and what to do.
 * Limits: instruction by instruction; jit_blocks_build and the barrier's emitter refuse what the graph shows.
 */
#include "jit_compile_priv.h"

#include "jit/core/jit_core.h"
#include "jit/core/jit_refuse.h"
#include "jit/emit/jit_emit.h"
#include "jit/op/jit_ops.h"

static const char *check_memory(const struct ptx_instr *instr)
{
    enum isa_type type = ptx_instr_type(instr, 0);
    unsigned bits = isa_type_bits(type);
    if (bits < 8 || bits > 128) return "only elements of 8 to 128 bits are supported";
    enum ptx_space space = ptx_instr_space(instr);
    if (space == PTX_SPACE_TEX)
        return "the .tex state space is not supported; read through global memory instead";
    return NULL;
}

static const char *not_supported =
    "this form is not supported; compile for an older target or avoid the intrinsic";

static const char *no_tensor_maps =
    "tensor maps are not supported; use cp.async.bulk without .tensor, or cp.async";

static bool is_video(enum isa_op op)
{
    return op >= ISA_OP_VADD && op <= ISA_OP_VSET4;
}

/* Components of vector registers are not supported; halves and bytes are for video instructions. */
static const char *check_parts(const struct jit *jit, const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->operand_count; i++) {
        const struct ptx_operand *operand = &instr->operands[i];
        bool is_vector = operand->kind == ISA_OPD_REG && jit->function->regs[operand->reg].vector > 1;
        if (is_vector || (operand->half && !is_video(instr->op)))
            return "vector registers are not supported; use a register for each element";
    }
    return NULL;
}

static const char *check_instr(const struct jit *jit, const struct ptx_instr *instr)
{
    const char *why = check_parts(jit, instr);
    if (why) return why;
    switch ((unsigned)instr->op) {
    case ISA_OP_UNKNOWN: return "it is not known; compile for an older PTX version or target";
    case ISA_OP_BRA:
    case ISA_OP_BRX:
    case ISA_OP_RET:
    case ISA_OP_EXIT:
    case ISA_OP_TRAP:
    case ISA_OP_BAR:
    case ISA_OP_BARRIER:
    case ISA_OP_BRKPT:
    case ISA_OP_PMEVENT:
    case ISA_OP_PREFETCHU:
    case ISA_OP_APPLYPRIORITY:
    case ISA_OP_DISCARD:
    case ISA_OP_GRIDDEPCONTROL:
    case ISA_OP_SETMAXNREG:
    case ISA_OP_CREATEPOLICY:
    case ISA_OP_CVTA:
    case ISA_OP_ISSPACEP:
    case ISA_OP_MOV:
    case ISA_OP_MAPA:
    case ISA_OP_GETCTARANK:
    case ISA_OP_ALLOCA:
    case ISA_OP_STACKSAVE:
    case ISA_OP_STACKRESTORE:
    case ISA_OP_NANOSLEEP:
    case ISA_OP_MEMBAR:
    case ISA_OP_FENCE: return NULL;
    case ISA_OP_LD:
    case ISA_OP_LDU:
    case ISA_OP_ST: return check_memory(instr);
    case ISA_OP_MBARRIER: return jit_mbarrier_refusal(instr);
    case ISA_OP_CP: return jit_copy_refusal(instr);
    case ISA_OP_CALL: return jit_call_refusal(jit, instr);
    case ISA_OP_TEX:
    case ISA_OP_TLD4:
    case ISA_OP_TXQ:
    case ISA_OP_SUQ:
    case ISA_OP_ISTYPEP:
    case ISA_OP_SULD:
    case ISA_OP_SURED:
    case ISA_OP_SUST: return jit_texture_refusal(instr);
    case ISA_OP_ST_ASYNC: return NULL;
    case ISA_OP_PREFETCH: return ptx_has(instr, ISA_MOD_TENSORMAP) ? no_tensor_maps : NULL;
    case ISA_OP_TENSORMAP: return no_tensor_maps;
    case ISA_OP_WGMMA:
        return "matrix products of a warpgroup are not supported; use mma.sync, as code for sm_80 does";
    case ISA_OP_MULTIMEM: return "multicast memory needs several GPUs; use atom or red on each";
    case ISA_OP_ATOM:
    case ISA_OP_RED:
        if (ptx_has(instr, ISA_MOD_ASYNC)) return NULL;
        return jit_op_atomic_supported(instr) ? NULL : not_supported;
    case ISA_OP_SHFL:
    case ISA_OP_VOTE:
    case ISA_OP_MATCH:
    case ISA_OP_ACTIVEMASK:
    case ISA_OP_REDUX:
    case ISA_OP_ELECT: return jit_op_warp_supported(instr) ? NULL : not_supported;
    case ISA_OP_MMA:
    case ISA_OP_WMMA:
    case ISA_OP_LDMATRIX:
    case ISA_OP_STMATRIX:
    case ISA_OP_MOVMATRIX: return jit_matrix_refusal(instr);
    default: return jit_op_elementwise_supported(instr) ? NULL : not_supported;
    }
}

/* mov d, s of a .samplerref s: the address of nothing. That of a .texref is a texture object. */
static bool names_sampler(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->operand_count; i++)
        if (instr->operands[i].var && instr->operands[i].var->type == ISA_SAMPLERREF) return true;
    return false;
}

enum sw_status jit_check(struct jit *jit)
{
    for (uint32_t i = 0; i < jit->function->instr_count; i++) {
        const struct ptx_instr *instr = &jit->function->instrs[i];
        const char *why = names_sampler(instr) ? "samplers of independent texture mode are not supported "
                                                 "(nor by the driver of an H200); use texture objects"
                                               : check_instr(jit, instr);
        if (why) return jit_refuse(jit, instr, why);
    }
    return SW_OK;
}
