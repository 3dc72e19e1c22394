/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of values: see struct jit_shape. */
#ifndef JIT_CORE_SHAPE_PRIV_H
#define JIT_CORE_SHAPE_PRIV_H

#include "jit/core/jit_core.h"

static const struct jit_shape shape_vector = {.form = JIT_VECTOR, .max = UINT64_MAX};
static const struct jit_shape shape_scalar = {.form = JIT_SCALAR, .max = UINT64_MAX};

struct jit_shape jit_shape_const(uint64_t value, unsigned bits);
/* The result of an elementwise instruction, from the shapes of its sources: none is unset. */
struct jit_shape jit_shape_alu(const struct ptx_instr *instr, const struct jit_shape *src, unsigned count);
struct jit_shape jit_shape_cvta(const struct jit *jit, const struct ptx_instr *instr, struct jit_shape a);
#endif
