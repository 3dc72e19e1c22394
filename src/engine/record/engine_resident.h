/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that are simulated in detail (EVENT_PROBE_ACCESS), where they are resident. */
#ifndef ENGINE_RESIDENT_H
#define ENGINE_RESIDENT_H

#include "engine_phase.h"
#include "engine_tape.h"

/* 4-byte words of a lane that local variables of functions which stay functions have, before those of deeper
 * calls take the first ones again: CUDA's limit of the stack if a program sets none (1 KiB). */
enum { ENGINE_CALL_ROWS = 256 };

/* A CTA slot, where a block is resident. */
struct engine_resident {
    uint64_t block;
    uint32_t sm, slot;
    bool live, fresh, used;
    uint32_t nan_payloads;         /* of struct jit_ctx */
    struct engine_stream *streams; /* one a warp */
    uint64_t first_row;            /* of its local memory in the window, as a line number */
    uint64_t rows_per_warp;
    uint64_t first_call_row;     /* of the stacks of its warps' calls */
    struct engine_phases phases; /* of its mbarriers */
    bool counts_sectors; /* by the tool's rule, packed accesses of whole warps are as many units as sectors */
};
#endif
