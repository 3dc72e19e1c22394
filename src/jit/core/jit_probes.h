/* SPDX-License-Identifier: Apache-2.0 */
/* What is counted or noted (jit_core_probes.c). */
#ifndef JIT_PROBES_H
#define JIT_PROBES_H

#include "jit/core/jit_core.h"

#define JIT_NO_INSTR UINT32_MAX
/* Row of an instruction in the table of those that are counted; JIT_NO_INSTR: it belongs to a call. */
uint32_t jit_instr_row(const struct jit *jit, const struct ptx_instr *instr);

bool jit_counts(const struct jit *jit);
bool jit_records(const struct jit *jit);
bool jit_notes(const struct jit *jit);  /* records or touches */
bool jit_orders(const struct jit *jit); /* the engine says in which order warps run */
bool jit_samples_address_set(const struct jit *jit);
#endif
