/* SPDX-License-Identifier: Apache-2.0 */
/* Abstract values: see struct jit_abstract. */
#ifndef JIT_CORE_ABSTRACT_PRIV_H
#define JIT_CORE_ABSTRACT_PRIV_H

#include "jit/core/jit_core.h"

static const struct jit_abstract abstract_vector = {.repr = JIT_VECTOR, .max = UINT64_MAX};
static const struct jit_abstract abstract_scalar = {.repr = JIT_SCALAR, .max = UINT64_MAX};

struct jit_abstract jit_abstract_const(uint64_t value, unsigned bits);
/* The result of an elementwise instruction, from the abstract values of its sources: none is unset. */
struct jit_abstract jit_abstract_alu(const struct jit *jit, const struct ptx_instr *instr,
                                     const struct jit_abstract *src, unsigned count);
struct jit_abstract jit_abstract_cvta(const struct jit *jit, const struct ptx_instr *instr,
                                      struct jit_abstract a);
/* ROWS of which only the stride is known */
struct jit_abstract jit_abstract_rows(int64_t stride, int64_t wrap);
/* The same in the lanes of a row? */
static inline bool jit_is_row_wise(struct jit_abstract a)
{
    return a.repr == JIT_SCALAR || (a.repr == JIT_ROWS && a.stride == 0);
}
unsigned jit_abstract_align(struct jit_abstract a);
int64_t jit_abstract_step(const struct jit *jit, struct jit_abstract a); /* of a regular one */
static inline bool jit_is_regular(struct jit_abstract a)
{
    return a.repr == JIT_SCALAR || (a.repr == JIT_AFFINE && !a.wrap) || (a.repr == JIT_ROWS && a.regular);
}
#endif
