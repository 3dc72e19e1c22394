/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction on matrices asks of the engine (jit_op_matrix.c). */
#ifndef JIT_OP_MATRIX_H
#define JIT_OP_MATRIX_H

#include "jit/jit_abi.h"
#include "ptx/ptx.h"

struct jit_matrix_op jit_matrix_op_of(const struct ptx_instr *instr, const struct ptx_matrix *repr);
struct jit_fragment_op jit_fragment_op_of(const struct ptx_instr *instr, const struct ptx_matrix *repr);
#endif
