/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point operations of instructions, by the unit that does them (prof_roofline.c). */
#include "prof_metrics.h"

#include "isa/isa_matrix.h"

static enum prof_roof_id roof_of_factor(enum isa_factor factor)
{
    static const enum prof_roof_id ROOFS[] = {[ISA_FACTOR_F64] = PROF_ROOF_TENSOR_FP64,
                                              [ISA_FACTOR_TF32] = PROF_ROOF_TENSOR_TF32,
                                              [ISA_FACTOR_HALF] = PROF_ROOF_TENSOR_FP16,
                                              [ISA_FACTOR_BYTE] = PROF_ROOF_TENSOR_8,
                                              [ISA_FACTOR_BIT] = PROF_ROOF_COUNT};
    return ROOFS[factor];
}

static enum prof_roof_id roof_of_unit(uint8_t unit)
{
    if (unit == ISA_UNIT_FP64) return PROF_ROOF_FP64;
    if (unit == ISA_UNIT_FP32) return PROF_ROOF_FP32;
    return unit == ISA_UNIT_FP16 ? PROF_ROOF_FP16 : PROF_ROOF_COUNT;
}

void prof_flop_add(struct prof_sums *sums, const struct event_instr *i, uint64_t warps, uint64_t lanes)
{
    enum prof_roof_id roof = roof_of_unit(i->unit);
    struct isa_product product;
    if (isa_product_of(&i->isa, &product)) {
        roof = roof_of_factor(product.factor);
        if (roof < PROF_ROOF_COUNT) sums->flop[roof] += 2 * warps * product.multiply_adds;
    } else if (roof < PROF_ROOF_COUNT && i->flop != ISA_FLOP_NONE) {
        uint64_t each = i->flop == ISA_FLOP_FMA ? 2 : 1;
        sums->flop[roof] += lanes * each * isa_type_lanes(isa_type_at(&i->isa, 0));
    }
}
