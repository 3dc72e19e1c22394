/* SPDX-License-Identifier: Apache-2.0 */
/* Device printf. */
#ifndef ENGINE_PRINTF_H
#define ENGINE_PRINTF_H

#include "base/base.h"
#include "jit/jit_abi.h"

/* Append what CUDA's printf would print. Reads device memory: may fault. Returns the number of arguments, or
 * -1. ctx NULL: nobody asks for permissions. */
int engine_printf_format(struct jit_ctx *ctx, const char *format, const uint8_t *args, struct str *out);
#endif
