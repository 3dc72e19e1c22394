/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory that other processes open (cuIpcGetMemHandle): the allocation's pages become those of a
 * memory file in place (vmem_share), and the handle says which process has which descriptor of it. The other
 * opens /proc/PID/fd/N, which the kernel allows to the same user, checks that it is the file that was meant,
 * and maps it.
 *
 * So nothing is left behind whatever dies when: the exporter's death makes the handle void, and what was
 * opened before stays. Limits: both must see each other in /proc (the same PID namespace) and be of one user;
 * memory of cuMemAlloc only, as in CUDA. */
#include "driver_memory.h"
#include "driver_share.h"

#include "driver/core/driver_error.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t MEMORY = UINT64_C(0x59524f4d454d5301);

struct opened {
    uint64_t inode, device;
    dev_addr at;
    unsigned times;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static VEC(struct opened) opened;

/* ---- handles */

CUresult driver_ipc_describe(int file, uint64_t magic, struct driver_ipc_handle *out)
{
    struct stat s;
    if (fstat(file, &s) != 0) return CUDA_ERROR_OPERATING_SYSTEM;
    *out = (struct driver_ipc_handle){.magic = magic,
                                      .inode = s.st_ino,
                                      .device = s.st_dev,
                                      .bytes = (uint64_t)s.st_size,
                                      .pid = (int32_t)getpid(),
                                      .file = file};
    return CUDA_SUCCESS;
}

/* It must be a memory file of ours: a handle may hold anything. */
static bool ipc_is_ours(const char *path)
{
    char target[64];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0) return false;
    target[length] = 0;
    return sw_starts_with(target, "/memfd:softwarp-");
}

CUresult driver_ipc_open(const struct driver_ipc_handle *handle, uint64_t magic, int *out)
{
    char path[64];
    struct stat s;
    if (handle->magic != magic || handle->pid <= 0 || handle->file < 0) return CUDA_ERROR_INVALID_VALUE;
    if (handle->pid == (int32_t)getpid()) return CUDA_ERROR_INVALID_CONTEXT;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", handle->pid, handle->file);
    int file = ipc_is_ours(path) ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return CUDA_ERROR_INVALID_VALUE; /* its process is gone, or another user's */
    if (fstat(file, &s) != 0 || s.st_ino != handle->inode || s.st_dev != handle->device ||
        (uint64_t)s.st_size != handle->bytes) {
        close(file);
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = file;
    return CUDA_SUCCESS;
}

DRIVER_API cuIpcGetMemHandle(CUipcMemHandle *out, CUdeviceptr address)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    struct driver_allocation allocation;
    struct driver_ipc_handle handle;
    int file;
    if (!out || !driver_memory_find(address, &allocation) || !driver_memory_is_legacy(&allocation))
        return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_result(vmem_share(driver.vmem, allocation.base, &file)));
    DRIVER_TRY(driver_ipc_describe(file, MEMORY, &handle));
    engine_memory_written(driver.engine, allocation.base, allocation.bytes); /* by others, maybe */
    handle.bytes = allocation.bytes;                                         /* the file has whole pages */
    handle.device_key = driver.devices[allocation.device].machine.key;
    memcpy(out, &handle, sizeof handle);
    return CUDA_SUCCESS;
}

/* ---- memory of others */

static struct opened *ipc_find_locked(uint64_t inode, uint64_t device, dev_addr at)
{
    for (size_t i = 0; i < opened.count; i++)
        if (at ? opened.at[i].at == at : opened.at[i].inode == inode && opened.at[i].device == device)
            return &opened.at[i];
    return NULL;
}

static int ipc_device_of(uint64_t key)
{
    for (int i = 0; i < driver.device_count; i++)
        if (driver.devices[i].machine.key == key) return i;
    return -1;
}

static CUresult open_locked(struct driver_context *context, const struct driver_ipc_handle *handle,
                            dev_addr *out)
{
    struct driver_ipc_handle whole = *handle;
    int file, ordinal = ipc_device_of(handle->device_key);
    whole.bytes = sw_align_up(handle->bytes, 4096);
    DRIVER_TRY(driver_ipc_open(&whole, MEMORY, &file));
    struct vmem_block block = {
        .bytes = handle->bytes, .kind = VMEM_DEVICE, .device = ordinal < 0 ? 0 : (uint32_t)ordinal};
    enum sw_status status = ordinal < 0 ? SW_INVALID_DEVICE : vmem_open(driver.vmem, &block, file, 0, out);
    close(file);
    if (status != SW_OK) return driver_result(status);
    struct driver_allocation allocation = {.base = *out, .bytes = handle->bytes, .context = context};
    allocation.kind = VMEM_DEVICE;
    allocation.device = ordinal;
    allocation.imported = true;
    allocation.also = 1u << context->device->ordinal; /* the only flags there are */
    driver_memory_remember(&allocation);
    *vec_push(&opened) = (struct opened){handle->inode, handle->device, *out, 1};
    return CUDA_SUCCESS;
}

DRIVER_API cuIpcOpenMemHandle_v2(CUdeviceptr *out, CUipcMemHandle given, unsigned flags)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    struct driver_ipc_handle handle;
    memcpy(&handle, &given, sizeof handle);
    bool fits = handle.bytes && handle.bytes <= INT64_MAX; /* and a file has as many pages */
    if (!out || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS || handle.magic != MEMORY || !fits)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = CUDA_SUCCESS;
    dev_addr at = 0;
    pthread_mutex_lock(&lock);
    struct opened *known = ipc_find_locked(handle.inode, handle.device, 0);
    if (known) {
        known->times++;
        at = known->at;
    } else {
        result = open_locked(context, &handle, &at);
    }
    pthread_mutex_unlock(&lock);
    if (result == CUDA_SUCCESS) *out = at;
    return result;
}

void driver_ipc_forget(dev_addr at)
{
    pthread_mutex_lock(&lock);
    struct opened *known = ipc_find_locked(0, 0, at);
    if (known) *known = opened.at[--opened.count];
    pthread_mutex_unlock(&lock);
}

CUresult driver_ipc_close(dev_addr address)
{
    bool last = false;
    pthread_mutex_lock(&lock);
    struct opened *known = address ? ipc_find_locked(0, 0, address) : NULL;
    if (known && --known->times == 0) {
        *known = opened.at[--opened.count];
        last = true;
    }
    pthread_mutex_unlock(&lock);
    if (last) return driver_memory_release(address, VMEM_DEVICE, VMEM_DEVICE);
    return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

#undef cuIpcOpenMemHandle
CUresult CUDAAPI cuIpcOpenMemHandle(CUdeviceptr *, CUipcMemHandle, unsigned);

DRIVER_API cuIpcOpenMemHandle(CUdeviceptr *out, CUipcMemHandle handle, unsigned flags)
{
    return cuIpcOpenMemHandle_v2(out, handle, flags);
}
