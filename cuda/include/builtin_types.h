/* SPDX-License-Identifier: Apache-2.0 */
/* All types that the compiler of a CUDA program knows before its first line. */
#ifndef BUILTIN_TYPES_H
#define BUILTIN_TYPES_H

#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"
#endif
