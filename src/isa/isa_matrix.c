/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of matrix instructions: the one place that decodes them (".m16n8k16"). Which forms there are is
 * ptx_matrix.c's business. Limits: tcgen05 has its shape in a descriptor. */
#include "isa/isa_matrix.h"

#include <stdio.h>

bool isa_shape_of(const struct isa_instr *instr, struct isa_shape *out)
{
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (sscanf(isa_mod_text((enum isa_mod)instr->mods[i]), "m%un%uk%u", &out->m, &out->n, &out->k) == 3)
            return true;
    return false;
}

static bool multiplies(const struct isa_instr *instr)
{
    return instr->op == ISA_OP_MMA || (instr->op == ISA_OP_WMMA && isa_has(instr, ISA_MOD_MMA)) ||
           (instr->op == ISA_OP_WGMMA && isa_has(instr, ISA_MOD_MMA_ASYNC));
}

/* Types are those of d, a, b, c; wmma of f16 names d and c only. */
static enum isa_factor factor_of(const struct isa_instr *instr)
{
    enum { BYTE = 8 };
    bool of_sums = instr->op == ISA_OP_WMMA && instr->type_count == 2;
    enum isa_type type = of_sums ? ISA_F16 : isa_type_at(instr, 1);
    if (type == ISA_F64) return ISA_FACTOR_F64;
    if (type == ISA_TF32) return ISA_FACTOR_TF32;
    if (type == ISA_B1) return ISA_FACTOR_BIT;
    return isa_type_bits(type) <= BYTE ? ISA_FACTOR_BYTE : ISA_FACTOR_HALF;
}

bool isa_product_of(const struct isa_instr *instr, struct isa_product *out)
{
    enum { GROUP = 4 };
    *out = (struct isa_product){.warps = 1};
    if (!multiplies(instr) || !isa_shape_of(instr, &out->shape)) return false;
    out->sparse = isa_has(instr, ISA_MOD_SP) || isa_has(instr, ISA_MOD_SP__ORDERED_METADATA);
    out->warps = instr->op == ISA_OP_WGMMA ? GROUP : 1;
    out->factor = factor_of(instr);
    const struct isa_shape *s = &out->shape;
    out->multiply_adds = (uint64_t)s->m * s->n * s->k / out->warps / (out->sparse ? 2 : 1);
    return true;
}
