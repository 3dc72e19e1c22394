/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: NVTX's functions without a domain. Method: their numbers in the module CORE. Limits: names of
 * categories and threads are not kept. */
#include "nvtx_priv.h"

#include <stdlib.h>

static void mark_ex(const struct nvtx_attributes *attributes)
{
    char *text = nvtx_text(attributes);
    nvtx_mark(NULL, text);
    free(text);
}

static void mark_a(const char *text)
{
    nvtx_mark(NULL, text ? text : "");
}

static void mark_w(const wchar_t *wide)
{
    char *text = nvtx_narrow(wide);
    nvtx_mark(NULL, text);
    free(text);
}

static uint64_t start_ex(const struct nvtx_attributes *attributes)
{
    char *text = nvtx_text(attributes);
    uint64_t id = nvtx_start(NULL, text);
    free(text);
    return id;
}

static uint64_t start_a(const char *text)
{
    return nvtx_start(NULL, text ? text : "");
}

static uint64_t start_w(const wchar_t *wide)
{
    char *text = nvtx_narrow(wide);
    uint64_t id = nvtx_start(NULL, text);
    free(text);
    return id;
}

static int push_ex(const struct nvtx_attributes *attributes)
{
    char *text = nvtx_text(attributes);
    int level = nvtx_push(NULL, text);
    free(text);
    return level;
}

static int push_a(const char *text)
{
    return nvtx_push(NULL, text ? text : "");
}

static int push_w(const wchar_t *wide)
{
    char *text = nvtx_narrow(wide);
    int level = nvtx_push(NULL, text);
    free(text);
    return level;
}

static int pop(void)
{
    return nvtx_pop(NULL);
}

/* Numbers: NvtxCallbackIdCore, nvtx3/nvtxDetail/nvtxTypes.h. */
void nvtx_core_fill(const struct nvtx_callbacks *core)
{
    void (*const functions[])(void) = {NULL,
                                       (void (*)(void))mark_ex,
                                       (void (*)(void))mark_a,
                                       (void (*)(void))mark_w,
                                       (void (*)(void))start_ex,
                                       (void (*)(void))start_a,
                                       (void (*)(void))start_w,
                                       (void (*)(void))nvtx_end,
                                       (void (*)(void))push_ex,
                                       (void (*)(void))push_a,
                                       (void (*)(void))push_w,
                                       (void (*)(void))pop};
    for (unsigned i = 1; i < SW_COUNT_OF(functions) && i < core->count; i++)
        if (core->places[i]) *core->places[i] = functions[i];
}
