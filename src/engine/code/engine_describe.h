/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel is to tools. */
#ifndef ENGINE_DESCRIBE_H
#define ENGINE_DESCRIBE_H

#include "engine/core/engine_object.h"

/* Fill kernel->info from kernel->function. */
enum sw_status engine_kernel_describe(struct engine_kernel *kernel, struct sw_error *error);
uint64_t engine_kernel_id(void); /* the next event_kernel.id */
#endif
