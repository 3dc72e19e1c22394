/* SPDX-License-Identifier: Apache-2.0 */
/* Refusing an instruction, with a message (jit_core_refuse.c). */
#ifndef JIT_REFUSE_H
#define JIT_REFUSE_H

#include "jit/core/jit_core.h"

enum sw_status jit_refuse(struct jit *jit, const struct ptx_instr *instr, const char *why);
#endif
