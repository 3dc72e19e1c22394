/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that a launch may not access: another device's (engine_permissions.c), or the host's that no API
 * call gave to the device (engine_host.c). */
#ifndef ENGINE_PERMISSIONS_H
#define ENGINE_PERMISSIONS_H

#include "engine_job.h"

bool engine_permissions_matter(const struct engine *engine, uint32_t device);
void engine_permissions_fill(const struct engine_job *job, struct jit_ctx *ctx);
void engine_help_reach(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask, uint32_t need,
                       uint32_t line);
void engine_permissions_span(struct jit_ctx *ctx, uint64_t first, uint64_t bytes, uint32_t need);
/* Is it in device memory, or the launch's own, or the host's that an API call gave to the device? */
bool engine_host_may_reach(struct engine_worker *worker, uint64_t address);
/* The same of memory that is not the device's, and bytes around it that are, too; false: it is not. */
bool engine_host_bounds(struct engine_worker *worker, uint64_t address, uint64_t *first, uint64_t *bytes);
/* Ends the launch if it may not access this address outside of the reservation; lane -1: not known. */
void engine_host_check(struct jit_ctx *ctx, uint64_t address, uint32_t need, uint32_t line, int lane);
#endif
