/* SPDX-License-Identifier: Apache-2.0 */
/* PTX texts that must be right: their module, and the flat PTX of their kernel "k". */
#ifndef FLAT_PTX_H
#define FLAT_PTX_H

#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct flat_ptx {
    struct ptx_module *module;
    struct ptx_function *flat;
    struct arena arena;
};

static inline struct ptx_module *flat_ptx_parse(const char *text)
{
    struct ptx_module *module;
    struct sw_error error = {0};
    if (ptx_parse(text, strlen(text), "test", &module, &error) != SW_OK)
        fail_msg("%u:%u: %s in:\n%.2000s", error.line, error.column, error.message, text);
    return module;
}

static inline void flat_ptx_open(struct flat_ptx *ptx, const char *text)
{
    struct sw_error error = {0};
    ptx->module = flat_ptx_parse(text);
    arena_init(&ptx->arena);
    if (ptx_flatten(ptx->module, ptx_find_function(ptx->module, "k"), &ptx->arena, &ptx->flat, &error) !=
        SW_OK)
        fail_msg("%u:%u: %s in:\n%.2000s", error.line, error.column, error.message, text);
}

static inline void flat_ptx_close(struct flat_ptx *ptx)
{
    arena_release(&ptx->arena);
    ptx_module_free(ptx->module);
}

#endif
