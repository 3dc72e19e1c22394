/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of other libraries by file descriptor: imported, and mapped as buffers.
 *
 * What is imported is memory that cuMemExportToShareableHandle made a descriptor for, here or in another
 * process: no other library makes descriptors that Softwarp could read, and a GPU's driver refuses those too
 * that are not its own. A buffer is a mapping of its own, so it outlives the handle; it begins anywhere in
 * the memory, which pages do not, so its allocation remembers the address that the program got. What calls
 * answer follows an H200 (tests/conform, external). Limits: buffers, not mipmapped arrays, whose layout only
 * the library that made them would know; semaphores of other libraries are refused (driver_api.def): CUDA
 * makes none itself. */
#include "driver/core/driver_error.h"
#include "driver/memory/driver_memory.h"
#include "driver/memory/driver_share.h"

#include <stdlib.h>
#include <unistd.h>

enum { PAGE = 4096 };

struct driver_external {
    struct driver_object object;
    struct driver_context *context; /* not a reference; where it was imported */
    struct driver_pages pages;
    uint64_t bytes; /* as the program said; the pages may be fewer */
    int device;
};

static void external_end(struct driver_object *object)
{
    struct driver_external *external = (struct driver_external *)object;
    driver_pages_release(&external->pages);
    free(external);
}

static bool zeros(const unsigned *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (words[i]) return false;
    return true;
}

static CUresult check_handle(const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *desc)
{
    if (desc->type < CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD ||
        desc->type > CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD)
        return CUDA_ERROR_INVALID_VALUE;
    if (desc->size == 0 || desc->flags & ~(unsigned)CUDA_EXTERNAL_MEMORY_DEDICATED ||
        !zeros(desc->reserved, SW_COUNT_OF(desc->reserved)))
        return CUDA_ERROR_INVALID_VALUE;
    if (desc->type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD) return CUDA_ERROR_NOT_SUPPORTED;
    return CUDA_SUCCESS;
}

DRIVER_API cuImportExternalMemory(CUexternalMemory *out, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *desc)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out || !desc) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(check_handle(desc));
    struct driver_label label;
    struct driver_pages pages;
    CUresult result = driver_pages_import(desc->handle.fd, DRIVER_PAGES_CHUNK, &label, &pages);
    if (result == CUDA_ERROR_INVALID_VALUE) return CUDA_ERROR_UNKNOWN; /* not a descriptor of ours */
    DRIVER_TRY(result);
    close(desc->handle.fd); /* it is the library's once imported */
    struct driver_external *external = sw_xcalloc(1, sizeof *external);
    driver_object_init(&external->object, DRIVER_EXTERNAL, external_end);
    external->context = context;
    external->pages = pages;
    external->bytes = desc->size;
    external->device = label.ordinal;
    driver_handle_add(&external->object);
    *out = (CUexternalMemory)external;
    return CUDA_SUCCESS;
}

static CUresult map_buffer(const struct driver_external *external, uint64_t offset, uint64_t bytes,
                           dev_addr *out)
{
    uint64_t inside = offset % PAGE;
    struct vmem_block block = {
        .bytes = bytes + inside, .kind = VMEM_DEVICE, .device = (uint32_t)external->device};
    enum sw_status status = vmem_open(driver.vmem, &block, external->pages.file,
                                      external->pages.offset + offset - inside, &block.base);
    if (status != SW_OK) return driver_result(status);
    struct driver_allocation allocation = {.base = block.base,
                                           .bytes = block.bytes,
                                           .context = external->context,
                                           .kind = VMEM_DEVICE,
                                           .device = external->device,
                                           .imported = true,
                                           .external = block.base + inside};
    driver_memory_remember(&allocation);
    *out = allocation.external;
    return CUDA_SUCCESS;
}

DRIVER_API cuExternalMemoryGetMappedBuffer(CUdeviceptr *out, CUexternalMemory handle,
                                           const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *desc)
{
    DRIVER_TRY(driver_ready());
    if (!out || !desc || desc->size == 0 || desc->flags ||
        !zeros(desc->reserved, SW_COUNT_OF(desc->reserved)))
        return CUDA_ERROR_INVALID_VALUE;
    struct driver_external *external = driver_handle_get(handle, DRIVER_EXTERNAL);
    if (!external) return CUDA_ERROR_INVALID_VALUE;
    uint64_t bytes = external->bytes < external->pages.bytes ? external->bytes : external->pages.bytes;
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    dev_addr address = 0;
    if (desc->offset <= bytes && desc->size <= bytes - desc->offset)
        result = map_buffer(external, desc->offset, desc->size, &address);
    driver_object_unref(&external->object);
    if (result == CUDA_SUCCESS) *out = address;
    return result;
}

DRIVER_API cuDestroyExternalMemory(CUexternalMemory handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_external *external = driver_handle_take(handle, DRIVER_EXTERNAL);
    if (!external) return CUDA_ERROR_INVALID_VALUE;
    driver_object_unref(&external->object);
    return CUDA_SUCCESS;
}
