/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: say where a kernel is: thread, source line, PTX line. Method: the PTX's line information. Limits:
 * of inlined functions the innermost line. */
#include "engine_where.h"

#include <stdio.h>
#include <string.h>

/* "scale.cu:12 (PTX line 50)", or the latter alone. */
static void where_line(const struct engine_kernel *kernel, uint32_t line, char *text, size_t bytes)
{
    const struct ptx_module *ptx = kernel->module->ptx;
    const struct ptx_loc *loc = NULL;
    for (uint32_t i = 0; i < kernel->function->instr_count && !loc; i++)
        if (kernel->function->instrs[i].line == line) loc = kernel->function->instrs[i].loc;
    const char *file = loc && loc->file < ptx->file_count ? ptx->files[loc->file] : NULL;
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (file)
        snprintf(text, bytes, "%.60s:%u (PTX line %u)", slash ? slash + 1 : file, loc->line, line);
    else
        snprintf(text, bytes, "PTX line %u", line);
}

void engine_where_place(const struct engine_kernel *kernel, const struct event_place *place,
                        char text[ENGINE_WHERE_BYTES])
{
    char line[112];
    where_line(kernel, place->line, line, sizeof line);
    snprintf(text, ENGINE_WHERE_BYTES, ", thread (%u,%u,%u): %s", place->thread[0], place->thread[1],
             place->thread[2], line);
}

void engine_where(const struct jit_ctx *ctx, int lane, uint32_t line, char text[ENGINE_WHERE_BYTES])
{
    const struct engine_worker *worker = ctx->host;
    const struct engine_kernel *kernel = worker->job->launch->kernel;
    uint32_t thread = ctx->warp * SW_WARP_LANES + (uint32_t)(lane < 0 ? 0 : lane);
    struct event_place place = {.line = line,
                                .thread = {thread % ctx->block[0], thread / ctx->block[0] % ctx->block[1],
                                           thread / ctx->block[0] / ctx->block[1]}};
    if (lane >= 0) {
        engine_where_place(kernel, &place, text);
        return;
    }
    memcpy(text, ": ", 3);
    where_line(kernel, line, text + 2, ENGINE_WHERE_BYTES - 2);
}
