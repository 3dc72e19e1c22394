/* SPDX-License-Identifier: Apache-2.0 */
/* What warps of a simulated block do at mbarriers. */
#ifndef ENGINE_PHASE_H
#define ENGINE_PHASE_H

#include "jit/jit_abi.h"

struct engine_phase;
struct engine_phases { /* of the mbarriers of a block */
    struct engine_phase *list;
    uint32_t count, capacity;
};
struct engine_phase_note {
    uint64_t lines[2]; /* as in struct event_stream */
    uint32_t count;    /* of them; 0: it is nothing */
    uint8_t kind;      /* enum event_access_kind */
};
struct engine_phase_note engine_phase_take(struct engine_phases *phases, const struct jit_record *record);
#endif
