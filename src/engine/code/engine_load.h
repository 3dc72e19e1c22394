/* SPDX-License-Identifier: Apache-2.0 */
/* Objects mapped into this process. */
#ifndef ENGINE_LOAD_H
#define ENGINE_LOAD_H

#include "engine/core/engine_object.h"

/* object: ELF64 relocatable. Undefined names are resolved from the list in engine_load.c only. */
enum sw_status engine_image_load(const uint8_t *object, uint64_t bytes, struct engine_image *out,
                                 struct sw_error *error);
void engine_image_release(struct engine_image *image);
#endif
