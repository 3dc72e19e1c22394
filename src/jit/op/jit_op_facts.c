/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about instructions and types that all builders ask for. */
#include "jit/op/jit_op_facts.h"

bool jit_has(const struct ptx_instr *instr, enum ptx_mod mod)
{
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (instr->mods[i] == mod) return true;
    return false;
}

bool jit_is_signed(enum ptx_type type)
{
    return ptx_type_class(type) == PTX_CLASS_SINT;
}

bool jit_is_float(enum ptx_type type)
{
    return ptx_type_class(type) == PTX_CLASS_FLOAT;
}

enum ptx_type jit_half_of(enum ptx_type type)
{
    switch ((int)type) {
    case PTX_F16X2: return PTX_F16;
    case PTX_BF16X2: return PTX_BF16;
    case PTX_U16X2: return PTX_U16;
    case PTX_S16X2: return PTX_S16;
    case PTX_F32X2: return PTX_F32;
    default: return PTX_TYPE_NONE;
    }
}

enum jit_round jit_rounding(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->mod_count; i++) {
        switch (instr->mods[i]) {
        case PTX_MOD_RM:
        case PTX_MOD_RMI: return JIT_RM;
        case PTX_MOD_RP:
        case PTX_MOD_RPI: return JIT_RP;
        case PTX_MOD_RZ:
        case PTX_MOD_RZI: return JIT_RZ;
        default: break;
        }
    }
    return JIT_RN;
}
