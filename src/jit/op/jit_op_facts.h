/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about instructions and types (jit_op_facts.c). */
#ifndef JIT_OP_FACTS_H
#define JIT_OP_FACTS_H

#include "ptx/ptx.h"
#include <stdbool.h>

bool jit_has(const struct ptx_instr *instr, enum isa_mod mod);
bool jit_is_signed(enum isa_type type);
bool jit_is_float(enum isa_type type);
enum isa_type jit_half_of(enum isa_type type);     /* F16X2 -> F16; ISA_TYPE_NONE when not packed */
enum jit_round { JIT_RN, JIT_RM, JIT_RP, JIT_RZ }; /* numbered as MXCSR.RC and AVX-512 embedded rounding */
enum jit_round jit_rounding(const struct ptx_instr *instr); /* rn, rna and rni: JIT_RN */
#endif
