/* SPDX-License-Identifier: Apache-2.0 */
/* Representations of registers: scalar, affine, vector (jit_core_repr.c); alignment of addresses
 * (jit_core_align.c). */
#ifndef JIT_REPR_H
#define JIT_REPR_H

#include "jit/core/jit_core.h"

void jit_rows_choose(struct jit *jit); /* jit_core_row_lanes.c */
void jit_repr_build(struct jit *jit);
struct jit_abstract jit_sreg_abstract(const struct jit *jit, enum isa_sreg sreg);

void jit_fetched_build(struct jit *jit); /* after the representations (jit_core_computed.c) */

void jit_aligns_build(struct jit *jit);
bool jit_is_aligned(struct jit *jit, const struct ptx_operand *address, unsigned bytes);
#endif
