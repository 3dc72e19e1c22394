/* SPDX-License-Identifier: Apache-2.0 */
/* cuLink*: the "cubin" that comes out is one PTX text, which cuModuleLoadData takes as well. Only PTX goes
 * in: alone, in fat binaries, in host objects and libraries of them, or in cubins of Softwarp's. */
#include "driver_module.h"

#include "driver/core/driver_error.h"

#include <stdlib.h>
#include <string.h>

struct driver_link {
    struct driver_object object;
    pthread_mutex_t lock;
    VEC(struct driver_ptx_unit) units; /* texts and modules are owned */
    struct str linked;
    bool complete;
    struct driver_jit jit; /* asked for when it was made; its values are the program's as long as this is */
};

static void link_end(struct driver_object *object)
{
    struct driver_link *link = (struct driver_link *)object;
    for (size_t i = 0; i < link->units.count; i++) {
        free((char *)link->units.at[i].text);
        ptx_module_free((struct ptx_module *)link->units.at[i].ptx);
    }
    vec_release(&link->units);
    str_release(&link->linked);
    pthread_mutex_destroy(&link->lock);
    free(link);
}

DRIVER_API cuLinkCreate_v2(unsigned count, CUjit_option *options, void **values, CUlinkState *out)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out || (count && (!options || !values))) return CUDA_ERROR_INVALID_VALUE;
    struct driver_link *link = sw_xcalloc(1, sizeof *link);
    driver_jit_begin(&link->jit, count, options, values);
    driver_jit_end(&link->jit, CUDA_SUCCESS);
    driver_object_init(&link->object, DRIVER_LINK, link_end);
    pthread_mutex_init(&link->lock, NULL);
    driver_handle_add(&link->object);
    *out = (CUlinkState)link;
    return CUDA_SUCCESS;
}

static CUresult parse_failed(const struct sw_error *error)
{
    char line[1024];
    sw_log("%s", sw_error_format(error, line, sizeof line));
    return driver_result(error->status);
}

/* Errors in the PTX are this call's, as with NVIDIA's linker. */
static CUresult add_ptx(struct driver_link *link, const void *data, size_t bytes, const char *name)
{
    struct ptx_module *parsed;
    struct sw_error error = {0};
    size_t length = strnlen(data, bytes); /* the size may or may not count the NUL */
    if (!memmem(data, length, ".version", 8)) return CUDA_ERROR_INVALID_IMAGE;
    if (driver_ptx_read(data, length, name ? name : "ptx", &parsed, &error) != SW_OK)
        return parse_failed(&error);
    char *text = sw_xmalloc(length + 1);
    memcpy(text, data, length);
    text[length] = 0;
    pthread_mutex_lock(&link->lock);
    *vec_push(&link->units) = (struct driver_ptx_unit){text, parsed};
    pthread_mutex_unlock(&link->lock);
    return CUDA_SUCCESS;
}

static CUresult add_fatbin(struct driver_link *link, const void *data, size_t bytes, const char *name)
{
    struct fatbin fatbin;
    struct sw_error error = {0};
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    const struct arch_cc *cc = context->device->cc;
    if (fatbin_read(data, bytes ? bytes : UINT64_MAX, &fatbin, &error) != SW_OK) return parse_failed(&error);
    const struct fatbin_entry *entry =
        fatbin_best_ptx(&fatbin, cc->major * 10 + cc->minor, driver.any_target);
    CUresult result = fatbin_is_device_runtime(&fatbin, 0) ? CUDA_SUCCESS /* its functions are ours */
                      : entry                              ? add_ptx(link, entry->data, entry->bytes, name)
                                                           : CUDA_ERROR_NO_BINARY_FOR_GPU;
    fatbin_release(&fatbin);
    return result;
}

/* All device code of a host object or a library; members that nothing needs do no harm. A library without any
 * is none to complain of: libcudadevrt.a of ours, which Numba adds for cooperative groups. */
static CUresult add_containers(struct driver_link *link, const uint8_t *data, size_t bytes, const char *name)
{
    static const char MAGIC[] = "!<arch>\n";
    bool library = bytes >= sizeof MAGIC - 1 && memcmp(data, MAGIC, sizeof MAGIC - 1) == 0;
    CUresult result = library ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
    uint64_t offset = 0, span = 0;
    for (; fatbin_find(data, bytes, &offset, &span); offset += span) {
        result = add_fatbin(link, data + offset, span, name);
        if (result != CUDA_SUCCESS) break;
    }
    return result;
}

/* A cubin that NVRTC, ptxas or nvJitLink of ours made. */
static bool is_our_cubin(const void *data, size_t bytes)
{
    struct fatbin image;
    if (fatbin_read(data, bytes, &image, NULL) != SW_OK) return false;
    bool is_ours = image.count && image.entries[0].of_cubin;
    fatbin_release(&image);
    return is_ours;
}

static CUresult link_add(struct driver_link *link, CUjitInputType type, const void *data, size_t bytes,
                         const char *name)
{
    static int refused;
    if ((unsigned)type > CU_JIT_INPUT_NVVM) return CUDA_ERROR_INVALID_VALUE;
    if (type == CU_JIT_INPUT_PTX) return add_ptx(link, data, SIZE_MAX, name); /* a text ends with its NUL */
    if (type == CU_JIT_INPUT_FATBINARY) return add_fatbin(link, data, bytes, name);
    if (type == CU_JIT_INPUT_CUBIN && is_our_cubin(data, bytes)) return add_fatbin(link, data, bytes, name);
    if (type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY)
        return add_containers(link, data, bytes, name);
    return driver_refuse_call(&refused, "cuLinkAddData", "only PTX can be linked, not machine code");
}

DRIVER_API cuLinkAddData_v2(CUlinkState handle, CUjitInputType type, void *data, size_t bytes,
                            const char *name, unsigned count, CUjit_option *options, void **values)
{
    DRIVER_TRY(driver_ready());
    if (!data || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    struct driver_link *link = driver_handle_get(handle, DRIVER_LINK);
    if (!link) return CUDA_ERROR_INVALID_HANDLE;
    struct driver_jit asked;
    driver_jit_begin(&asked, options && values ? count : 0, options, values);
    CUresult result = link->complete ? CUDA_ERROR_INVALID_VALUE : link_add(link, type, data, bytes, name);
    driver_jit_end(&asked, result);
    driver_jit_end(&link->jit, result);
    driver_object_unref(&link->object);
    return result;
}

DRIVER_API cuLinkAddFile_v2(CUlinkState handle, CUjitInputType type, const char *path, unsigned count,
                            CUjit_option *options, void **values)
{
    DRIVER_TRY(driver_ready());
    if (!path) return CUDA_ERROR_INVALID_VALUE;
    uint8_t *bytes;
    uint64_t size;
    DRIVER_TRY(driver_file_read(path, &bytes, &size));
    CUresult result = cuLinkAddData_v2(handle, type, bytes, size + 1, path, count, options, values);
    free(bytes);
    return result;
}

static bool needs_library(const struct driver_link *link)
{
    struct arena arena;
    arena_init(&arena);
    bool needs = driver_device_library(link->units.at, (unsigned)link->units.count, &arena) != NULL;
    arena_release(&arena);
    return needs;
}

static CUresult complete_locked(struct driver_link *link)
{
    struct sw_error error = {0};
    if (link->units.count == 0) return CUDA_ERROR_INVALID_IMAGE;
    str_clear(&link->linked);
    if (link->units.count == 1 && !needs_library(link))
        str_add(&link->linked, link->units.at[0].text);
    else if (driver_ptx_link(link->units.at, (unsigned)link->units.count, &link->linked, &error) != SW_OK)
        return parse_failed(&error);
    return CUDA_SUCCESS;
}

/* The image lives until cuLinkDestroy. */
DRIVER_API cuLinkComplete(CUlinkState handle, void **image, size_t *bytes)
{
    DRIVER_TRY(driver_ready());
    if (!image) return CUDA_ERROR_INVALID_VALUE;
    struct driver_link *link = driver_handle_get(handle, DRIVER_LINK);
    if (!link) return CUDA_ERROR_INVALID_HANDLE;
    pthread_mutex_lock(&link->lock);
    driver_logs_mark();
    CUresult result = driver_jit_end(&link->jit, complete_locked(link));
    link->complete = result == CUDA_SUCCESS;
    if (result == CUDA_SUCCESS) *image = link->linked.text;
    if (result == CUDA_SUCCESS && bytes) *bytes = link->linked.length + 1;
    pthread_mutex_unlock(&link->lock);
    driver_object_unref(&link->object);
    return result;
}

DRIVER_API cuLinkDestroy(CUlinkState handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_link *link = driver_handle_take(handle, DRIVER_LINK);
    if (!link) return CUDA_ERROR_INVALID_HANDLE;
    driver_object_unref(&link->object);
    return CUDA_SUCCESS;
}
