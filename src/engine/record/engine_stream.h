/* SPDX-License-Identifier: Apache-2.0 */
/* From records that emitted code made to requests of memory. */
#ifndef ENGINE_STREAM_H
#define ENGINE_STREAM_H

#include "event/event_request.h"
#include "jit/jit_abi.h"

enum { ENGINE_RECORD_CAPACITY = JIT_RECORD_BYTES + sizeof(struct jit_record) + JIT_RECORD_ADDRESSES };
struct engine_set_accesses { /* by one block */
    struct event_set_access *accesses;
    size_t count, capacity;
};
void engine_help_drain(struct jit_ctx *ctx, const uint8_t *end); /* from emitted code, and engine_note.c */
#endif
