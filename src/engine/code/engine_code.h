/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled variants of a kernel. */
#ifndef ENGINE_CODE_H
#define ENGINE_CODE_H

#include "engine/core/engine_object.h"

/* The variant for these block dimensions, compiled when needed; waits when another thread compiles the same.
 */
enum sw_status engine_variant_get(struct engine_kernel *kernel, const uint32_t block[3],
                                  struct engine_variant_options options, struct engine_variant **out,
                                  struct sw_error *error);
void engine_variants_release(struct engine_kernel *kernel);
#endif
