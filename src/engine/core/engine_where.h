/* SPDX-License-Identifier: Apache-2.0 */
/* Where a kernel is, in words (engine_where.c). */
#ifndef ENGINE_WHERE_H
#define ENGINE_WHERE_H

#include "engine_job.h"

enum { ENGINE_WHERE_BYTES = 160 };
/* ", thread (5,0,0): scale.cu:12 (PTX line 50)" of a lane of the running warp, as far as it is known; lane <
 * 0: of none in particular. */
void engine_where(const struct jit_ctx *ctx, int lane, uint32_t line, char text[ENGINE_WHERE_BYTES]);
/* The same of a place in the kernel. */
void engine_where_place(const struct engine_kernel *kernel, const struct event_place *place,
                        char text[ENGINE_WHERE_BYTES]);
#endif
