/* SPDX-License-Identifier: Apache-2.0 */
/* COUNT probes: what warps do besides where a lane's operands are none for the fast path of a division,
 * square root or reciprocal. The machine code tests them and calls a routine for such lanes. Counted are
 * passes of some 32 instructions: one for lanes that the routine is done with at once, two for those whose
 * numbers it divides; roots and reciprocals take one.
 *
 * Square roots and reciprocals: the tests are those of the machine code (two integer instructions each).
 * Division: what FCHK tests is not documented; here, when the quotient or a remainder of the fast path would
 * not be a normal number: a dividend that is zero, below 2^-102, infinite or no number, a divisor that is not
 * within 2^-126 and 2^126, exponents that lie more than 125 apart. Limits: 32-bit floats alone. Sources: what
 * ptxas 13.0 makes of div.rn, sqrt.rn and rcp.rn for 9.0; softmax_rows and softmax_row of tests/hw, whose
 * exponentials become zero. */
#include "jit_probe_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_probes.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

enum { EXPONENT_BITS = 0xff, MANTISSA = 23 };

static jv exponent(struct jit_part *p, jv bits)
{
    return jv_and_k(p, jv_lshr_k(p, bits, MANTISSA), EXPONENT_BITS);
}

static jv is_special(struct jit_part *p, jv bits)
{
    enum { INFINITE = 0x7f800000 };
    jv magnitude = jv_and_k(p, bits, 0x7fffffff);
    return jv_cmp_k(p, LLVMIntUGE, jv_add_k(p, magnitude, -(uint64_t)1), INFINITE - 1);
}

/* Lanes that the routine is done with at once (zero, infinite, no number), and those that it divides. */
static void slow_division(struct jit_part *p, jv dividend, jv divisor, jv *special, jv *number)
{
    enum { LEAST = 25, MOST = 254, DIVISOR_MOST = 252, APART = 125 };
    jv a = exponent(p, dividend), b = exponent(p, divisor);
    jv outside = jv_cmp_k(p, LLVMIntUGT, jv_add_k(p, a, -(uint64_t)LEAST), MOST - LEAST);
    jv extreme = jv_cmp_k(p, LLVMIntUGT, jv_add_k(p, b, -(uint64_t)1), DIVISOR_MOST - 1);
    jv far = jv_cmp_k(p, LLVMIntUGT, jv_add_k(p, jv_sub(p, a, b), APART), 2 * APART);
    jv slow = jv_or(p, jv_or(p, outside, extreme), far);
    *special = jv_or(p, is_special(p, dividend), is_special(p, divisor));
    *number = jv_and(p, slow, jv_not(p, *special));
}

static jv slow_root(struct jit_part *p, jv x)
{
    return jv_cmp_k(p, LLVMIntUGT, jv_add_k(p, x, -(uint64_t)0x0d000000), 0x727fffff);
}

static jv slow_reciprocal(struct jit_part *p, jv x)
{
    return jv_cmp_k(p, LLVMIntULE, jv_and_k(p, jv_add_k(p, x, 0x01800000), 0x7f800000), 0x01ffffff);
}

static bool has_slow_path(const struct ptx_instr *instr)
{
    bool quick = ptx_has(instr, ISA_MOD_APPROX) || ptx_has(instr, ISA_MOD_FULL);
    bool one = instr->op == ISA_OP_DIV || instr->op == ISA_OP_SQRT || instr->op == ISA_OP_RCP;
    return one && !quick && ptx_instr_type(instr, 0) == ISA_F32;
}

/* So many, if there is such a lane. */
static void add_passes(struct jit *jit, uint32_t slot, LLVMValueRef *lanes, LLVMValueRef mask,
                       uint64_t passes)
{
    LLVMValueRef some = LLVMBuildAnd(jit->builder, jit_mask_join(jit, lanes), mask, "");
    LLVMValueRef one = jit_count_wide(jit, jit_count_is_some(jit, some));
    jit_count_add(jit, slot, LLVMBuildMul(jit->builder, one, jit_const(jit, 64, passes), ""));
}

bool jit_counts_slow(const struct jit *jit, const struct ptx_instr *instr)
{
    return jit_counts(jit) && has_slow_path(instr);
}

void jit_count_slow(struct jit *jit, const struct ptx_instr *instr, const struct jit_value *src)
{
    if (!jit_counts_slow(jit, instr)) return;
    LLVMValueRef parts[2][JIT_MAX_PARTS], special[JIT_MAX_PARTS], number[JIT_MAX_PARTS];
    struct jit_part *p = &jit->part;
    bool divides = instr->op == ISA_OP_DIV;
    for (int i = 0; i < 1 + divides; i++)
        jit_value_parts(jit, &src[i], parts[i]);
    for (unsigned k = 0; k < p->parts; k++) {
        jv x = jv_bits(p, jv_float(p, parts[0][k]));
        if (divides)
            slow_division(p, x, jv_bits(p, jv_float(p, parts[1][k])), &special[k], &number[k]);
        else
            special[k] = instr->op == ISA_OP_SQRT ? slow_root(p, x) : slow_reciprocal(p, x);
    }
    LLVMValueRef mask = jit_lanes_of(jit, instr).mask;
    struct event_slots *slots = jit_count_slots(jit, instr);
    slots->slow = jit_count_new_slot(jit);
    add_passes(jit, slots->slow, special, mask, 1);
    if (divides) add_passes(jit, slots->slow, number, mask, 2);
}
