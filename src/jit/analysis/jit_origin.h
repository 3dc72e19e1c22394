/* SPDX-License-Identifier: Apache-2.0 */
/* From which variable an address comes (jit_core_origin.c). */
#ifndef JIT_ORIGIN_H
#define JIT_ORIGIN_H

#include "jit/core/jit_core.h"

enum jit_origin_kind { JIT_ORIGIN_NONE, JIT_ORIGIN_NUMBER, JIT_ORIGIN_VAR, JIT_ORIGIN_ANY };
struct jit_origin {
    enum jit_origin_kind kind;
    const struct ptx_var *var; /* VAR: it is an address that was one in this variable, and an offset */
    uint64_t max; /* NUMBER: it is between 0 and this; VAR: the offset is; JIT_NO_MAX: not known */
};
#define JIT_NO_MAX UINT64_MAX
/* Of all registers; with EVENT_PROBE_BOUNDS, else nothing. */
void jit_origins_build(struct jit *jit);
/* The variable that an address must lie in; NULL: not known. */
const struct ptx_var *jit_origin_of(const struct jit *jit, const struct ptx_operand *operand);
/* Is an access of so many bytes inside of that variable, whatever the launch's parameters are? */
bool jit_origin_holds(const struct jit *jit, const struct ptx_operand *operand, unsigned bytes);
#endif
