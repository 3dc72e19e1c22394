/* SPDX-License-Identifier: Apache-2.0 */
/* Short names for LLVM instructions on values (jv_*). A jv_ function takes its types from its operands, so
 * that the same builder serves scalars, the lanes of a part, and the halves of packed types. */
#ifndef JIT_OP_VALUE_H
#define JIT_OP_VALUE_H

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_ops.h"

/* ---- values */
typedef LLVMValueRef jv;
unsigned jv_lanes(jv a);                                               /* 1: scalar */
unsigned jv_width(jv a);                                               /* bits of one element */
LLVMTypeRef jv_like(jv a, LLVMTypeRef element);                        /* element, as many as a has */
jv jv_k(jv like, uint64_t value);                                      /* integer constant of like's type */
jv jv_fk(jv like, double value);                                       /* float constant of like's type */
jv jv_int(struct jit_part *p, jv like, unsigned bits, uint64_t value); /* integer of `bits`, like's lanes */
jv jv_flt(struct jit_part *p, jv like, unsigned bits, double value);

jv jv_add(struct jit_part *p, jv a, jv b);
jv jv_sub(struct jit_part *p, jv a, jv b);
jv jv_mul(struct jit_part *p, jv a, jv b);
jv jv_and(struct jit_part *p, jv a, jv b);
jv jv_or(struct jit_part *p, jv a, jv b);
jv jv_xor(struct jit_part *p, jv a, jv b);
jv jv_not(struct jit_part *p, jv a);
jv jv_neg(struct jit_part *p, jv a);
jv jv_shl(struct jit_part *p, jv a, jv b); /* poison when b >= width */
jv jv_lshr(struct jit_part *p, jv a, jv b);
jv jv_ashr(struct jit_part *p, jv a, jv b);
jv jv_and_k(struct jit_part *p, jv a, uint64_t k);
jv jv_or_k(struct jit_part *p, jv a, uint64_t k);
jv jv_add_k(struct jit_part *p, jv a, uint64_t k);
jv jv_shl_k(struct jit_part *p, jv a, unsigned k);
jv jv_lshr_k(struct jit_part *p, jv a, unsigned k);
jv jv_ashr_k(struct jit_part *p, jv a, unsigned k);
jv jv_cmp(struct jit_part *p, LLVMIntPredicate predicate, jv a, jv b);
jv jv_cmp_k(struct jit_part *p, LLVMIntPredicate predicate, jv a, uint64_t k);
jv jv_select(struct jit_part *p, jv condition, jv yes, jv no);
jv jv_zext(struct jit_part *p, jv a, unsigned bits); /* each of these: a itself when it has that width */
jv jv_sext(struct jit_part *p, jv a, unsigned bits);
jv jv_trunc(struct jit_part *p, jv a, unsigned bits);
jv jv_fit(struct jit_part *p, jv a, unsigned bits, bool is_signed); /* extend or truncate */
jv jv_min(struct jit_part *p, jv a, jv b, bool is_signed);
jv jv_max(struct jit_part *p, jv a, jv b, bool is_signed);
/* llvm.<name> overloaded on the type of its first operand */
jv jv_call(struct jit_part *p, const char *name, jv *args, unsigned count);
jv jv_call1(struct jit_part *p, const char *name, jv a);
jv jv_call2(struct jit_part *p, const char *name, jv a, jv b);
jv jv_call_to(struct jit_part *p, const char *name, LLVMTypeRef result, jv a); /* overloaded on both types */

/* ---- floats. A NaN result of f32 is 0x7fffffff and of f64 0xfff8000000000000, whatever came in: results are
 * wrapped by jv_result. jv_float removes that wrapping again, so that chains of arithmetic pay for it once at
 * their end; a builder that lets NaN bits through must use jv_float_exact. */
jv jv_float(struct jit_part *p, jv a); /* i32 -> float, i64 -> double */
jv jv_float_exact(struct jit_part *p, jv a);
jv jv_bits(struct jit_part *p, jv a);                    /* float -> integer of its width */
jv jv_result(struct jit_part *p, jv a);                  /* jv_bits, NaN made canonical */
jv jv_canonical(struct jit_part *p, jv a, uint64_t nan); /* jv_result with another NaN */
jv jv_flush(struct jit_part *p, jv a);                   /* float: denormals to zero of the same sign */
jv jv_flush_where(struct jit_part *p, jv tiny, jv a);    /* all that are tiny, and no others */
jv jv_saturate(struct jit_part *p, jv a);                /* float: to [0, 1], NaN to 0 */
jv jv_fadd(struct jit_part *p, jv a, jv b);
jv jv_fsub(struct jit_part *p, jv a, jv b);
jv jv_fmul(struct jit_part *p, jv a, jv b);
jv jv_fdiv(struct jit_part *p, jv a, jv b);
jv jv_fneg(struct jit_part *p, jv a);
jv jv_fabs(struct jit_part *p, jv a);
jv jv_fma(struct jit_part *p, jv a, jv b, jv c); /* one rounding, with FMA hardware or without */
jv jv_soft_fma(struct jit_part *p, enum jit_round round, jv a, jv b, jv c); /* f32: JIT_RN only */
jv jv_sum_to_odd(struct jit_part *p, jv a, jv b); /* rounding it again to fewer bits (2 at least) is exact */
/* a * b + c rounded to odd; a * b must be exact where the machine has no rounding in the instruction */
jv jv_fma_to_odd(struct jit_part *p, jv a, jv b, jv c);
jv jv_fcmp(struct jit_part *p, LLVMRealPredicate predicate, jv a, jv b);
jv jv_fext(struct jit_part *p, jv a);   /* float -> double */
jv jv_ftrunc(struct jit_part *p, jv a); /* double -> float, to nearest even */

/* In a rounding mode. jv_narrow: double -> float. */
enum jit_arith { JIT_ADD, JIT_SUB, JIT_MUL, JIT_DIV, JIT_SQRT, JIT_FMA };
jv jv_rounded(struct jit_part *p, enum jit_arith what, enum jit_round round, jv *args, unsigned count);
jv jv_narrow(struct jit_part *p, enum jit_round round, jv a);
jv jv_narrow_odd(struct jit_part *p, jv a); /* double -> float, to odd */
/* near (bits) is x to nearest and back its value in x's type: one step to where `round` would have gone */
jv jv_step_back(struct jit_part *p, enum jit_round round, jv near, jv back, jv x);
jv jv_integral(struct jit_part *p, enum jit_round round, jv a); /* to an integral float */

/* ex2.approx.ftz.f32 and tanh.approx.f32, bits to bits */
jv jv_ex2(struct jit_part *p, jv bits);
jv jv_tanh(struct jit_part *p, jv bits);

/* ---- the multi-function unit's interpolator (jit_op_mufu.c); index: a row, x: 17 bits, all i32 */
enum jit_mufu { JIT_MUFU_RCP, JIT_MUFU_RSQRT, JIT_MUFU_SQRT, JIT_MUFU_EX2, JIT_MUFU_LG2, JIT_MUFU_SINE };
jv jv_mufu_fraction(struct jit_part *p, enum jit_mufu which, jv index, jv x);
jv jv_mufu_near(struct jit_part *p, enum jit_mufu which, jv near, jv index, jv x);
jv jv_mufu_long(struct jit_part *p, enum jit_mufu which, jv index, jv x, jv *rest);
jv jv_mufu_tanh(struct jit_part *p, jv index, jv x);
jv jv_mufu_small_table(struct jit_part *p, const char *name, const uint32_t words[16], jv index);

/* f16 or bf16 (brain) as i16, to and from float. A NaN becomes 0x7fff; the way back leaves its payload open.
 */
jv jv_to_half(struct jit_part *p, enum jit_round round, bool brain, jv x);
jv jv_from_half(struct jit_part *p, bool brain, jv a);
/* |x| as a smaller float's code (i32) to nearest, not clamped: `mantissa` bits, least normal exponent */
jv jv_small_code(struct jit_part *p, jv x, unsigned mantissa, int least);

/* min or max of two floats of any type, as integers of its width; nan: a NaN gives NaN (.NaN) */
jv jv_float_extreme(struct jit_part *p, enum isa_type type, bool is_min, bool nan, jv a, jv b);

/* ---- warps: `parts` vectors */
jv jv_splat(struct jit_part *p, jv a);                    /* a scalar in every lane of a part */
jv jv_ballot(struct jit_part *p, LLVMValueRef *bits);     /* <lanes x i1> parts to i32 */
enum jit_scratch { JIT_SCRATCH_WARP };                    /* 1.75 KiB */
jv jv_scratch(struct jit_part *p, enum jit_scratch kind); /* of the function's stack, shared by all uses */
jv jv_offset(struct jit_part *p, jv base, jv index, unsigned bytes);
/* Integer reductions, what: ISA_MOD_ADD, AND, OR, XOR, MIN, MAX. */
jv jv_reduce(struct jit_part *p, enum isa_mod what, bool is_signed, jv a, jv b);
uint64_t jit_identity(enum isa_mod what, bool is_signed, unsigned bits);
jv jv_reduce_warp(struct jit_part *p, enum isa_mod what, bool is_signed, LLVMValueRef *parts,
                  LLVMValueRef *active);

/* Pieces of at most `lanes` elements, for what exists only at one width: cut and join. */
jv jv_piece(struct jit_part *p, jv a, unsigned first, unsigned lanes); /* padded with undefined elements */
jv jv_join(struct jit_part *p, jv *pieces, unsigned count, unsigned lanes); /* the first `lanes` of all */
#endif
