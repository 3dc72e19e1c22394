/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers note what they access, where emitted code gives them its buffer. */
#ifndef ENGINE_NOTE_H
#define ENGINE_NOTE_H

#include "jit/jit_abi.h"

void engine_note_access(struct jit_ctx *ctx, const uint64_t addr[32], lane_mask mask, uint32_t bytes,
                        bool more);                                         /* 32 lanes */
void engine_note_span(struct jit_ctx *ctx, uint64_t first, uint32_t bytes); /* one run of bytes */
void engine_help_phase(struct jit_ctx *ctx, const struct jit_record_site *site, uint64_t address,
                       uint32_t how);
#endif
