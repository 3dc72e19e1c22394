/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the operations: how one instruction's family is chosen and built. */
#ifndef JIT_OP_PRIV_H
#define JIT_OP_PRIV_H

#include "jit/op/jit_op_value.h"

/* One instruction being built. src and dst are canonical integers; for packed types (f16x2) they are already
 * cut into twice as many halves, and type is that of a half. */
struct jit_op {
    struct jit_part *part;
    const struct ptx_instr *instr;
    enum isa_type type; /* types[0], or a half of it */
    LLVMValueRef *src;
    unsigned count;
    LLVMValueRef *dst;
};
typedef void (*jit_build_fn)(struct jit_op *op);
/* The builder of this form, NULL when the form is not supported. Emits nothing. */
typedef jit_build_fn (*jit_select_fn)(const struct ptx_instr *instr);

/* An elementwise instruction. widths: one letter an operand, destinations before the colon: t, u, v the width
 * of the first, second, third type; x that of t, doubled under .wide; w 32, h 16, b 8, p a predicate. */
struct jit_op_row {
    enum isa_op op;
    const char *widths;
    const char *modifiers;                 /* words that may stand on it, blanks around each */
    jit_select_fn integer, floating, half; /* by the class of the first type; NULL: not of this class */
};
struct jit_op_family {
    const struct jit_op_row *rows;
    unsigned count;
};
/* The instructions of each file. */
extern const struct jit_op_family jit_family_bits, jit_family_compare, jit_family_convert, jit_family_divide,
    jit_family_float, jit_family_integer, jit_family_logic, jit_family_minmax, jit_family_video;

/* Families, by the class of the instruction's first type (see struct jit_op_row). */
jit_build_fn jit_select_add(const struct ptx_instr *instr);
jit_build_fn jit_select_sub(const struct ptx_instr *instr);
jit_build_fn jit_select_mul(const struct ptx_instr *instr);
jit_build_fn jit_select_mad(const struct ptx_instr *instr);
jit_build_fn jit_select_integer(const struct ptx_instr *instr); /* abs neg min max sad */
jit_build_fn jit_select_divide(const struct ptx_instr *instr);  /* integer div rem */
jit_build_fn jit_select_bits(const struct ptx_instr *instr);
jit_build_fn jit_select_logic(const struct ptx_instr *instr);
jit_build_fn jit_select_shift(const struct ptx_instr *instr);
jit_build_fn jit_select_compare(const struct ptx_instr *instr); /* set setp */
jit_build_fn jit_select_choose(const struct ptx_instr *instr);  /* selp slct mov */
jit_build_fn jit_select_float(const struct ptx_instr *instr);   /* f32 and f64 arithmetic */
jit_build_fn jit_select_approx(const struct ptx_instr *instr);  /* f32, and f64's seeds */
jit_build_fn jit_select_half(const struct ptx_instr *instr);    /* f16 and bf16 arithmetic */
jit_build_fn jit_select_minmax(const struct ptx_instr *instr);  /* of floats; copysign testp */
jit_build_fn jit_select_video(const struct ptx_instr *instr);
jit_build_fn jit_select_convert(const struct ptx_instr *instr);
#endif
