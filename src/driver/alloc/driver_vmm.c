/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual memory management: reserved addresses, memory handles, and mapping one into the other.
 *
 * A handle's memory is pages of a file that no folder knows: one file for all handles that stay in this
 * process, one each for those that others may open (driver_pages.c). So a handle can be mapped in several
 * places, and what is reserved or mapped without access faults. What calls answer follows an H200
 * (tests/driver/sharing_answers.h200.txt). Pages are protected by what any device may do; what each may is
 * vmem_permissions.c's. Limits: a handle is mapped whole, as CUDA has it; device memory only. */
#include "driver/core/driver_error.h"
#include "driver/memory/driver_memory.h"
#include "driver/memory/driver_share.h"
#include "driver/stream/driver_stream.h"

#include <stdlib.h>
#include <string.h>

enum { GRANULARITY = 2 << 20 }; /* what CUDA reports for device memory */

struct driver_chunk { /* a CUmemGenericAllocationHandle */
    struct driver_object object;
    CUmemAllocationProp prop;
    uint64_t bytes;
    struct driver_pages pages;
    unsigned handles; /* that the program holds; guarded by `lock` */
    bool foreign;     /* memory of another process: not counted here */
};
struct mapping {
    struct driver_chunk *chunk; /* reference */
    dev_addr at;
    uint8_t access[ARCH_DEVICES + 1]; /* CUmemAccess_flags; the last: the host */
};

struct chunks {
    VEC(struct driver_chunk *) list;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map mappings; /* by address */

/* ---- handles */

static void chunk_end(struct driver_object *object)
{
    struct driver_chunk *chunk = (struct driver_chunk *)object;
    driver_pages_release(&chunk->pages);
    if (!chunk->foreign) {
        vmem_give(driver.vmem, (uint32_t)chunk->prop.location.id, chunk->bytes);
        driver_device_note(chunk->prop.location.id);
    }
    free(chunk);
}

static bool flags_are_valid(const CUmemAllocationProp *prop)
{
    for (size_t i = 0; i < SW_COUNT_OF(prop->allocFlags.reserved); i++)
        if (prop->allocFlags.reserved[i]) return false;
    return prop->allocFlags.compressionType <= 1 && !prop->win32HandleMetaData;
}

static CUresult check_prop(const CUmemAllocationProp *prop)
{
    if (!prop || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
    if (prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
    if (prop->location.id < 0 || prop->location.id >= driver.device_count) return CUDA_ERROR_INVALID_DEVICE;
    unsigned shared = prop->requestedHandleTypes & ~(unsigned)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    if (shared) /* as an H200 without fabric answers, and one on Linux */
        return shared == CU_MEM_HANDLE_TYPE_FABRIC ? CUDA_ERROR_NOT_PERMITTED : CUDA_ERROR_INVALID_VALUE;
    return flags_are_valid(prop) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop,
                                         CUmemAllocationGranularity_flags option)
{
    DRIVER_TRY(driver_ready());
    if (!bytes || !prop || (unsigned)option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        return CUDA_ERROR_INVALID_VALUE; /* an H200 does not look at what prop says */
    *bytes = GRANULARITY;
    return CUDA_SUCCESS;
}

static void chunk_new(const CUmemAllocationProp *prop, uint64_t bytes, const struct driver_pages *pages,
                      bool foreign, CUmemGenericAllocationHandle *out)
{
    struct driver_chunk *chunk = sw_xcalloc(1, sizeof *chunk);
    driver_object_init(&chunk->object, DRIVER_CHUNK, chunk_end);
    chunk->prop = *prop;
    chunk->bytes = bytes;
    chunk->pages = *pages;
    chunk->foreign = foreign;
    chunk->handles = 1;
    driver_handle_add(&chunk->object);
    *out = (uintptr_t)chunk;
}

DRIVER_API cuMemCreate(CUmemGenericAllocationHandle *out, size_t bytes, const CUmemAllocationProp *prop,
                       unsigned long long flags)
{
    DRIVER_TRY(driver_ready());
    if (!out || bytes == 0 || bytes % GRANULARITY || flags) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(check_prop(prop));
    struct driver_device *device = &driver.devices[prop->location.id];
    uint32_t number = (uint32_t)device->ordinal;
    struct driver_pages pages;
    DRIVER_TRY(driver_result(vmem_take(driver.vmem, number, bytes, driver_device_limit(device, true))));
    bool shared = prop->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE;
    CUresult result = shared ? driver_pages_new_shared(bytes, DRIVER_PAGES_CHUNK, device, &pages)
                             : driver_pages_new(bytes, &pages);
    if (result != CUDA_SUCCESS) {
        vmem_give(driver.vmem, number, bytes);
        return result;
    }
    driver_device_note(device->ordinal);
    chunk_new(prop, bytes, &pages, false, out);
    return CUDA_SUCCESS;
}

DRIVER_API cuMemRelease(CUmemGenericAllocationHandle handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_chunk *chunk = driver_handle_get((void *)(uintptr_t)handle, DRIVER_CHUNK);
    if (!chunk) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    bool last =
        chunk->handles > 0 && --chunk->handles == 0 && driver_handle_take(chunk, DRIVER_CHUNK) != NULL;
    pthread_mutex_unlock(&lock);
    if (last) driver_object_unref(&chunk->object);
    driver_object_unref(&chunk->object);
    return CUDA_SUCCESS;
}

DRIVER_API cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                                  CUmemGenericAllocationHandle handle)
{
    DRIVER_TRY(driver_ready());
    if (!prop) return CUDA_ERROR_INVALID_VALUE;
    struct driver_chunk *chunk = driver_handle_get((void *)(uintptr_t)handle, DRIVER_CHUNK);
    if (!chunk) return CUDA_ERROR_INVALID_VALUE;
    *prop = chunk->prop;
    driver_object_unref(&chunk->object);
    return CUDA_SUCCESS;
}

/* ---- addresses */

DRIVER_API cuMemAddressReserve(CUdeviceptr *out, size_t bytes, size_t alignment, CUdeviceptr hint,
                               unsigned long long flags)
{
    (void)hint;
    DRIVER_TRY(driver_ready());
    if (!out || bytes == 0 || bytes % GRANULARITY || flags) return CUDA_ERROR_INVALID_VALUE;
    if (alignment & (alignment - 1)) return CUDA_ERROR_INVALID_VALUE;
    dev_addr address;
    DRIVER_TRY(driver_result(vmem_reserve(driver.vmem, bytes, alignment, &address)));
    *out = address;
    return CUDA_SUCCESS;
}

DRIVER_API cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
    DRIVER_TRY(driver_ready());
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    return driver_result(vmem_unreserve(driver.vmem, address, bytes));
}

/* ---- mapping */

static CUresult map_locked(struct driver_chunk *chunk, dev_addr address)
{
    struct vmem_block block = {.base = address,
                               .bytes = chunk->bytes,
                               .kind = VMEM_DEVICE,
                               .device = (uint32_t)chunk->prop.location.id};
    enum sw_status status = vmem_map(driver.vmem, &block, chunk->pages.file, chunk->pages.offset);
    if (status != SW_OK) return driver_result(status);
    struct mapping *mapping = sw_xcalloc(1, sizeof *mapping);
    mapping->chunk = chunk;
    mapping->at = address;
    driver_object_ref(&chunk->object);
    map_set_u64(&mappings, address, mapping);
    return CUDA_SUCCESS;
}

DRIVER_API cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                    unsigned long long flags)
{
    DRIVER_TRY(driver_ready());
    if (flags || bytes == 0 || address % GRANULARITY) return CUDA_ERROR_INVALID_VALUE;
    struct driver_chunk *chunk = driver_handle_get((void *)(uintptr_t)handle, DRIVER_CHUNK);
    if (!chunk) return CUDA_ERROR_INVALID_VALUE;
    CUresult result = CUDA_ERROR_NOT_SUPPORTED; /* a part of a handle */
    pthread_mutex_lock(&lock);
    if (offset == 0 && bytes == chunk->bytes) result = map_locked(chunk, address);
    pthread_mutex_unlock(&lock);
    driver_object_unref(&chunk->object);
    return result;
}

/* The mapping that an address lies in, by what vmem knows of the address. */
static struct mapping *vmm_find_locked(dev_addr address)
{
    struct vmem_block block;
    return vmem_find(driver.vmem, address, &block) ? map_get_u64(&mappings, block.base) : NULL;
}

/* The next mapping at or after *at that begins before end, moving *at past it; NULL: none. *gap: something
 * unmapped came before; gap NULL: the search ends there. */
static struct mapping *next_locked(dev_addr *at, dev_addr end, bool *gap)
{
    for (; *at < end; *at += GRANULARITY) {
        struct mapping *found = map_get_u64(&mappings, *at);
        if (found) {
            *at += found->chunk->bytes;
            return found;
        }
        if (!gap) return NULL;
        *gap = true;
    }
    return NULL;
}

/* Whole mappings only in [address, address + bytes); covered: and nothing else. */
static bool whole_locked(dev_addr address, uint64_t bytes, bool covered)
{
    bool gap;
    dev_addr at = address;
    const struct mapping *first = vmm_find_locked(address);
    if (first && first->at != address) return false;
    while (next_locked(&at, address + bytes, covered ? NULL : &gap))
        ;
    return at == address + bytes;
}

/* Unmapping what is not mapped succeeds, cutting a mapping does not. */
static CUresult unmap_locked(dev_addr address, uint64_t bytes, struct chunks *gone)
{
    struct vmem_block range;
    bool gap;
    if (!vmem_reserved(driver.vmem, address, &range)) return CUDA_ERROR_INVALID_VALUE;
    if (bytes > range.bytes - (address - range.base)) return CUDA_ERROR_INVALID_VALUE;
    if (!whole_locked(address, bytes, false)) return CUDA_ERROR_INVALID_VALUE;
    struct mapping *mapping;
    for (dev_addr at = address; (mapping = next_locked(&at, address + bytes, &gap));) {
        vmem_unmap(driver.vmem, mapping->at);
        map_remove_u64(&mappings, mapping->at);
        *vec_push(&gone->list) = mapping->chunk;
        free(mapping);
    }
    return CUDA_SUCCESS;
}

DRIVER_API cuMemUnmap(CUdeviceptr address, size_t bytes)
{
    struct driver_context *context;
    DRIVER_TRY(driver_ready());
    if (address % GRANULARITY || bytes == 0 || bytes % GRANULARITY) return CUDA_ERROR_INVALID_VALUE;
    if (driver_context_any(&context) == CUDA_SUCCESS) driver_context_wait(context);
    struct chunks gone = {0};
    driver_memory_hold_alone();
    pthread_mutex_lock(&lock);
    CUresult result = unmap_locked(address, bytes, &gone);
    pthread_mutex_unlock(&lock);
    driver_memory_let_go();
    for (size_t i = 0; i < gone.list.count; i++)
        driver_object_unref(&gone.list.at[i]->object);
    vec_release(&gone.list);
    return result;
}

/* ---- access */

static bool vmm_is_host(const CUmemLocation *location)
{
    return location->type == CU_MEM_LOCATION_TYPE_HOST || location->type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
}

/* Place of a location in mapping->access; -1: not one that we know. */
static int location_index_of(const CUmemLocation *location)
{
    if (vmm_is_host(location)) return ARCH_DEVICES;
    if (location->type != CU_MEM_LOCATION_TYPE_DEVICE) return -1;
    return location->id >= 0 && location->id < driver.device_count ? location->id : -1;
}

static CUresult check_access(const CUmemAccessDesc *access, size_t count)
{
    if (!access || count == 0) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        unsigned flags = access[i].flags;
        if (vmm_is_host(&access[i].location)) return CUDA_ERROR_NOT_SUPPORTED; /* of devices' memory */
        if (location_index_of(&access[i].location) < 0) return CUDA_ERROR_INVALID_VALUE;
        if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
            flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

static enum sw_status protect_locked(struct mapping *mapping, const CUmemAccessDesc *access, size_t count)
{
    unsigned all = 0;
    for (size_t i = 0; i < count; i++)
        mapping->access[location_index_of(&access[i].location)] = (uint8_t)access[i].flags;
    for (size_t i = 0; i < SW_COUNT_OF(mapping->access); i++)
        all |= mapping->access[i];
    for (int i = 0; i < driver.device_count; i++)
        vmem_permissions_set(driver.vmem, mapping->at, (uint32_t)i, (enum vmem_access)mapping->access[i],
                             VMEM_BY_MAPPING);
    return vmem_protect(driver.vmem, mapping->at, (enum vmem_access)all);
}
_Static_assert((int)CU_MEM_ACCESS_FLAGS_PROT_READ == (int)VMEM_READ &&
                   (int)CU_MEM_ACCESS_FLAGS_PROT_READWRITE == (int)VMEM_WRITE,
               "the same bits");

DRIVER_API cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access, size_t count)
{
    DRIVER_TRY(driver_ready());
    DRIVER_TRY(check_access(access, count));
    if (address % GRANULARITY || bytes == 0 || bytes % GRANULARITY) return CUDA_ERROR_INVALID_VALUE;
    enum sw_status status = SW_INVALID_VALUE;
    bool gap;
    pthread_mutex_lock(&lock);
    if (whole_locked(address, bytes, true)) {
        status = SW_OK;
        struct mapping *mapping;
        for (dev_addr at = address; status == SW_OK && (mapping = next_locked(&at, address + bytes, &gap));)
            status = protect_locked(mapping, access, count);
    }
    pthread_mutex_unlock(&lock);
    return driver_result(status);
}

DRIVER_API cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address)
{
    DRIVER_TRY(driver_ready());
    if (!flags || !location) return CUDA_ERROR_INVALID_VALUE;
    int location_index = location_index_of(location);
    if (location_index < 0) return CUDA_ERROR_INVALID_DEVICE;
    pthread_mutex_lock(&lock);
    const struct mapping *mapping = vmm_find_locked(address);
    if (mapping) *flags = mapping->access[location_index];
    pthread_mutex_unlock(&lock);
    return mapping ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *out, void *address)
{
    DRIVER_TRY(driver_ready());
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    const struct mapping *mapping = vmm_find_locked((uintptr_t)address);
    struct driver_chunk *chunk = mapping ? mapping->chunk : NULL;
    if (chunk && chunk->handles++ == 0) { /* the program had released it: a handle again */
        driver_object_ref(&chunk->object);
        driver_handle_add(&chunk->object);
    }
    pthread_mutex_unlock(&lock);
    if (chunk) *out = (uintptr_t)chunk;
    return chunk ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- sharing */

DRIVER_API cuMemExportToShareableHandle(void *out, CUmemGenericAllocationHandle handle,
                                        CUmemAllocationHandleType type, unsigned long long flags)
{
    DRIVER_TRY(driver_ready());
    if (!out || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_INVALID_VALUE;
    struct driver_chunk *chunk = driver_handle_get((void *)(uintptr_t)handle, DRIVER_CHUNK);
    if (!chunk) return CUDA_ERROR_INVALID_VALUE;
    CUresult result = CUDA_ERROR_INVALID_VALUE; /* not made to be shared */
    if (chunk->prop.requestedHandleTypes & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        result = driver_pages_export(&chunk->pages, out);
    driver_object_unref(&chunk->object);
    return result;
}

DRIVER_API cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *out, void *handle,
                                          CUmemAllocationHandleType type)
{
    DRIVER_TRY(driver_ready());
    if (!out || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_INVALID_VALUE;
    struct driver_label label;
    struct driver_pages pages;
    DRIVER_TRY(driver_pages_import((int)(intptr_t)handle, DRIVER_PAGES_CHUNK, &label, &pages));
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED};
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.location.id = label.ordinal;
    chunk_new(&prop, label.bytes, &pages, true, out);
    return CUDA_SUCCESS;
}
