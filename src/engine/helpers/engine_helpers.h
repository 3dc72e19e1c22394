/* SPDX-License-Identifier: Apache-2.0 */
/* What emitted code calls. */
#ifndef ENGINE_HELPERS_H
#define ENGINE_HELPERS_H

#include "jit/jit_abi.h"

extern const struct jit_helpers engine_helpers;
#endif
