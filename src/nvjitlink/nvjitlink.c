/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of nvJitLink. Each is exported under its own name and under those that headers of CUDA 12.0
 * to 12.9 and 13.0 call, which carry the version; cmake/Products.cmake says which library shows which. */
#include "nvjitlink_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sw_handles links = SW_HANDLES_INIT;

/* What is no handle is answered as NULL is: which of its errors nvJitLink returns is not documented. */
static bool lives(const struct nvJitLink *link)
{
    return sw_handles_has(&links, link);
}

NVJITLINK_API nvJitLinkVersion(unsigned *major, unsigned *minor)
{
    if (!major || !minor) return NVJITLINK_ERROR_NULL_INPUT;
    *major = nvjitlink_abi.major;
    *minor = nvjitlink_abi.minor;
    return NVJITLINK_SUCCESS;
}

/* The handle is there, too, when an option is wrong: its error log says which. */
NVJITLINK_API nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t count, const char **options)
{
    if (!handle || !count || !options) return NVJITLINK_ERROR_NULL_INPUT;
    struct nvJitLink *link = sw_xcalloc(1, sizeof *link);
    link->only_lto = true;
    sw_handles_add(&links, link);
    *handle = link;
    return nvjitlink_options_read(link, count, options);
}

NVJITLINK_API nvJitLinkDestroy(nvJitLinkHandle *handle)
{
    if (!handle || !sw_handles_remove(&links, *handle)) return NVJITLINK_ERROR_NULL_INPUT;
    struct nvJitLink *link = *handle;
    *handle = NULL;
    for (size_t i = 0; i < link->inputs.count; i++) {
        free(link->inputs.at[i].name);
        str_release(&link->inputs.at[i].text);
    }
    vec_release(&link->inputs);
    struct str *texts[] = {&link->errors, &link->info, &link->ptx, &link->cubin};
    for (size_t i = 0; i < SW_COUNT_OF(texts); i++)
        str_release(texts[i]);
    free(link);
    return NVJITLINK_SUCCESS;
}

NVJITLINK_API nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType type, const void *data,
                               size_t bytes, const char *name)
{
    if (!lives(handle)) return NVJITLINK_ERROR_NULL_INPUT;
    if (!data || !bytes) return NVJITLINK_ERROR_INVALID_INPUT;
    return nvjitlink_add(handle, type, data, bytes, name ? name : "");
}

NVJITLINK_API nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType type, const char *path)
{
    struct str bytes = {0};
    char block[65536];
    if (!lives(handle) || !path) return NVJITLINK_ERROR_NULL_INPUT;
    FILE *file = fopen(path, "rbe");
    if (!file) {
        nvjitlink_say(handle, "no such file: %s", path);
        return NVJITLINK_ERROR_INVALID_INPUT;
    }
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        str_add_bytes(&bytes, block, got);
    fclose(file);
    nvJitLinkResult result = nvJitLinkAddData(handle, type, bytes.text, bytes.length, path);
    str_release(&bytes);
    return result;
}

NVJITLINK_API nvJitLinkComplete(nvJitLinkHandle handle)
{
    if (!lives(handle)) return NVJITLINK_ERROR_NULL_INPUT;
    if (handle->complete) return NVJITLINK_SUCCESS;
    nvJitLinkResult result = nvjitlink_link(handle);
    handle->complete = result == NVJITLINK_SUCCESS;
    return result;
}

/* ---- results */

static nvJitLinkResult result_of(const struct nvJitLink *link, bool ptx, const void *out)
{
    if (!lives(link) || !out) return NVJITLINK_ERROR_NULL_INPUT;
    if (!link->complete) return NVJITLINK_ERROR_INTERNAL;
    return link->makes_ptx == ptx ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INVALID_INPUT;
}

NVJITLINK_API nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *bytes)
{
    NVJITLINK_TRY(result_of(handle, false, bytes));
    *bytes = handle->cubin.length;
    return NVJITLINK_SUCCESS;
}

NVJITLINK_API nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *cubin)
{
    NVJITLINK_TRY(result_of(handle, false, cubin));
    memcpy(cubin, str_text(&handle->cubin), handle->cubin.length);
    return NVJITLINK_SUCCESS;
}

NVJITLINK_API nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *bytes)
{
    NVJITLINK_TRY(result_of(handle, true, bytes));
    *bytes = handle->ptx.length + 1;
    return NVJITLINK_SUCCESS;
}

NVJITLINK_API nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *ptx)
{
    NVJITLINK_TRY(result_of(handle, true, ptx));
    memcpy(ptx, str_text(&handle->ptx), handle->ptx.length + 1);
    return NVJITLINK_SUCCESS;
}

/* An empty log has size 0, as nvJitLink's has. */
static nvJitLinkResult log_size(const struct nvJitLink *link, const struct str *log, size_t *bytes)
{
    if (!lives(link) || !bytes) return NVJITLINK_ERROR_NULL_INPUT;
    *bytes = log->length ? log->length + 1 : 0;
    return NVJITLINK_SUCCESS;
}

static nvJitLinkResult log_copy(const struct nvJitLink *link, const struct str *log, char *out)
{
    if (!lives(link) || !out) return NVJITLINK_ERROR_NULL_INPUT;
    if (log->length) memcpy(out, log->text, log->length + 1);
    return NVJITLINK_SUCCESS;
}

NVJITLINK_API nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *bytes)
{
    return log_size(handle, handle ? &handle->errors : NULL, bytes);
}

NVJITLINK_API nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log)
{
    return log_copy(handle, handle ? &handle->errors : NULL, log);
}

NVJITLINK_API nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *bytes)
{
    return log_size(handle, handle ? &handle->info : NULL, bytes);
}

NVJITLINK_API nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log)
{
    return log_copy(handle, handle ? &handle->info : NULL, log);
}

/* ---- names with versions */

#define ALIAS(name, version)                                                                                 \
    extern __typeof__(nvJitLink##name) __nvJitLink##name##_##version                                         \
        __attribute__((alias("nvJitLink" #name), visibility("default")));
#define ALIASES(name)                                                                                        \
    ALIAS(name, 12_0)                                                                                        \
    ALIAS(name, 12_1)                                                                                        \
    ALIAS(name, 12_2)                                                                                        \
    ALIAS(name, 12_3)                                                                                        \
    ALIAS(name, 12_4)                                                                                        \
    ALIAS(name, 12_5)                                                                                        \
    ALIAS(name, 12_6)                                                                                        \
    ALIAS(name, 12_7)                                                                                        \
    ALIAS(name, 12_8)                                                                                        \
    ALIAS(name, 12_9)                                                                                        \
    ALIAS(name, 13_0)
ALIASES(Create)
ALIASES(Destroy)
ALIASES(AddData)
ALIASES(AddFile)
ALIASES(Complete)
ALIASES(GetLinkedCubinSize)
ALIASES(GetLinkedCubin)
ALIASES(GetLinkedPtxSize)
ALIASES(GetLinkedPtx)
ALIASES(GetErrorLogSize)
ALIASES(GetErrorLog)
ALIASES(GetInfoLogSize)
ALIASES(GetInfoLog)

/* Exported by NVIDIA's library and not documented. */
#define DONE(name)
#define REFUSED(name)                                                                                        \
    NVJITLINK_API name(void);                                                                                \
    NVJITLINK_API name(void)                                                                                 \
    {                                                                                                        \
        static int said;                                                                                     \
        sw_log_once(&said, "%s is not supported: it is not documented; see docs/libraries/nvrtc.md", #name); \
        return NVJITLINK_ERROR_INTERNAL;                                                                     \
    }
#include "nvjitlink/nvjitlink_api.def"
#undef REFUSED
#undef DONE
