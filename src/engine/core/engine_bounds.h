/* SPDX-License-Identifier: Apache-2.0 */
/* What a launch does wrong, told to the tool (event_finding.h). */
#ifndef ENGINE_BOUNDS_H
#define ENGINE_BOUNDS_H

#include "engine_job.h"

#include "event/event_finding.h"

/* jit_helpers.bounds */
void engine_help_bounds(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t what,
                        uint32_t line);
/* A lane's access, kept for the tool if it asked; finding: kind, space, place.bytes and .writes. */
void engine_finding_add(struct jit_ctx *ctx, const struct event_finding *finding, uint64_t address,
                        uint32_t lane, uint32_t line);
/* What the job's first wrong block did, to the tool, once the launch is over; where it is anything else that
 * ended the launch, that. */
void engine_findings_tell(const struct engine_job *job);
#endif
