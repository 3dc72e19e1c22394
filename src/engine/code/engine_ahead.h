/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels compiled before their first launch, by a thread of their own. */
#ifndef ENGINE_AHEAD_H
#define ENGINE_AHEAD_H

#include "engine/core/engine_object.h"

/* Compile a kernel of the module for a device; what cannot be compiled is the error of its launch. */
typedef void engine_ahead_fn(struct engine_module *module, const char *name, uint32_t device);
/* All kernels of the module, soon. */
void engine_ahead_add(struct engine_module *module, uint32_t device, engine_ahead_fn *compile);
/* The module is about to go: its kernels are not compiled ahead any more. Waits while one of them is. */
void engine_ahead_forget(const struct engine_module *module);
#endif
