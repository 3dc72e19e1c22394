/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about instructions and types that all builders ask for. */
#include "jit/op/jit_op_facts.h"

bool jit_has(const struct ptx_instr *instr, enum isa_mod mod)
{
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (instr->mods[i] == mod) return true;
    return false;
}

bool jit_is_signed(enum isa_type type)
{
    return isa_type_kind(type) == ISA_KIND_SINT;
}

bool jit_is_float(enum isa_type type)
{
    return isa_type_kind(type) == ISA_KIND_FLOAT;
}

enum isa_type jit_half_of(enum isa_type type)
{
    switch ((int)type) {
    case ISA_F16X2: return ISA_F16;
    case ISA_BF16X2: return ISA_BF16;
    case ISA_U16X2: return ISA_U16;
    case ISA_S16X2: return ISA_S16;
    case ISA_F32X2: return ISA_F32;
    default: return ISA_TYPE_NONE;
    }
}

enum jit_round jit_rounding(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->mod_count; i++) {
        switch (instr->mods[i]) {
        case ISA_MOD_RM:
        case ISA_MOD_RMI: return JIT_RM;
        case ISA_MOD_RP:
        case ISA_MOD_RPI: return JIT_RP;
        case ISA_MOD_RZ:
        case ISA_MOD_RZI: return JIT_RZ;
        default: break;
        }
    }
    return JIT_RN;
}
