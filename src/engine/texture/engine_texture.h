/* SPDX-License-Identifier: Apache-2.0 */
/* Textures and surfaces (struct jit_helpers). */
#ifndef ENGINE_TEXTURE_H
#define ENGINE_TEXTURE_H

#include "jit/jit_abi.h"

uint64_t engine_help_texture(struct jit_ctx *ctx, uint64_t code, lane_mask mask, const uint64_t *object,
                             const uint32_t *rows, uint32_t *values);
#endif
