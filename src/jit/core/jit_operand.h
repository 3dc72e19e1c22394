/* SPDX-License-Identifier: Apache-2.0 */
/* Widths of operands, immediates, the carry flag (jit_operand.c). */
#ifndef JIT_OPERAND_H
#define JIT_OPERAND_H

#include "ptx/ptx.h"
#include <stdbool.h>
#include <stdint.h>

unsigned jit_source_bits(const struct ptx_instr *instr, unsigned i); /* i: source number, from 0 */
unsigned jit_dest_bits(const struct ptx_instr *instr);
unsigned jit_warp_source_bits(const struct ptx_instr *instr, unsigned i);
unsigned jit_warp_dest_bits(const struct ptx_instr *instr);
bool jit_dest_signed(const struct ptx_instr *instr);  /* how a narrower result fills its register */
bool jit_is_value(const struct ptx_operand *operand); /* jit_operand takes it */
uint64_t jit_immediate(const struct ptx_operand *operand, unsigned bits);
bool jit_writes_carry(const struct ptx_instr *instr);
bool jit_reads_carry(const struct ptx_instr *instr);
#endif
