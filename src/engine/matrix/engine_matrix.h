/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix multiplication, and fragments of matrices in memory (struct jit_helpers). */
#ifndef ENGINE_MATRIX_H
#define ENGINE_MATRIX_H

#include "jit/jit_abi.h"

void engine_help_matrix(struct jit_ctx *ctx, uint64_t code, const void *from, void *to);
void engine_help_fragment(struct jit_ctx *ctx, uint64_t code, lane_mask mask, const uint64_t *address,
                          const uint32_t *stride, void *registers);
void engine_help_count_fragment(struct jit_ctx *ctx, uint64_t code, lane_mask mask, const uint64_t *address,
                                const uint32_t *stride, uint32_t space, uint64_t *counted);
#endif
