/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: what can be asked of them before there is a context. arch_attributes.def is the one table. */
#include "driver_process.h"

#include <stdio.h>
#include <string.h>

DRIVER_API cuDeviceGetCount(int *count)
{
    DRIVER_TRY(driver_ready());
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    *count = driver.device_count;
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceGet(CUdevice *out, int ordinal)
{
    struct driver_device *device;
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    *out = ordinal;
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceGetName(char *name, int capacity, CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!name || capacity == 0) return CUDA_ERROR_INVALID_VALUE;
    snprintf(name, (unsigned)capacity, "%s", device->gpu.full_name);
    return CUDA_SUCCESS;
}

/* Made from the catalogue name and the place in SOFTWARP_DEVICE, so that it is the same in every run. */
DRIVER_API cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!uuid) return CUDA_ERROR_INVALID_VALUE;
    memcpy(uuid->bytes, device->machine.uuid, sizeof device->machine.uuid);
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceGetLuid(char *luid, unsigned *mask, CUdevice ordinal)
{
    struct driver_device *device;
    (void)luid, (void)mask;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    return luid && mask ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE; /* a Windows notion */
}

DRIVER_API cuDeviceTotalMem_v2(size_t *bytes, CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!bytes) return CUDA_ERROR_INVALID_VALUE;
    *bytes = device->gpu.memory_bytes;
    return CUDA_SUCCESS;
}

/* ---- memory, shared with other processes */

void driver_device_note(int ordinal)
{
    arch_record_bytes(driver.devices[ordinal].machine.key, vmem_live_bytes(driver.vmem, (uint32_t)ordinal));
}

uint64_t driver_device_limit(const struct driver_device *device, bool exact)
{
    uint64_t others = arch_record_others(device->machine.key, exact), total = device->gpu.memory_bytes;
    return others < total ? total - others : 1;
}

/* ---- attributes */

static int64_t attribute_value(const struct driver_device *device, CUdevice_attribute attribute)
{
    const struct arch_gpu *gpu = &device->gpu;
    const struct arch_cc *cc = device->cc;
    uint32_t sm = cc->major * 10 + cc->minor, number = device->machine.number;
    switch ((int)attribute) {
#define ATTRIBUTE(name, value)                                                                               \
    case CU_DEVICE_ATTRIBUTE_##name: return (int64_t)(value);
#include "arch/arch_attributes.def"
#undef ATTRIBUTE
    default: return 0;
    }
}

DRIVER_API cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!value || attribute < 1 || attribute >= CU_DEVICE_ATTRIBUTE_MAX) return CUDA_ERROR_INVALID_VALUE;
    int64_t wide = attribute_value(device, attribute);
    *value = wide > INT32_MAX ? INT32_MAX : (int)wide;
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceComputeCapability(int *major, int *minor, CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!major || !minor) return CUDA_ERROR_INVALID_VALUE;
    *major = (int)device->cc->major;
    *minor = (int)device->cc->minor;
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceGetProperties(CUdevprop *out, CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!out) return CUDA_ERROR_INVALID_VALUE;
#define VALUE(name) (int)attribute_value(device, CU_DEVICE_ATTRIBUTE_##name)
    *out = (CUdevprop){
        .maxThreadsPerBlock = VALUE(MAX_THREADS_PER_BLOCK),
        .maxThreadsDim = {VALUE(MAX_BLOCK_DIM_X), VALUE(MAX_BLOCK_DIM_Y), VALUE(MAX_BLOCK_DIM_Z)},
        .maxGridSize = {VALUE(MAX_GRID_DIM_X), VALUE(MAX_GRID_DIM_Y), VALUE(MAX_GRID_DIM_Z)},
        .sharedMemPerBlock = VALUE(MAX_SHARED_MEMORY_PER_BLOCK),
        .totalConstantMemory = VALUE(TOTAL_CONSTANT_MEMORY),
        .SIMDWidth = VALUE(WARP_SIZE),
        .memPitch = VALUE(MAX_PITCH),
        .regsPerBlock = VALUE(MAX_REGISTERS_PER_BLOCK),
        .clockRate = VALUE(CLOCK_RATE),
        .textureAlign = VALUE(TEXTURE_ALIGNMENT),
    };
#undef VALUE
    return CUDA_SUCCESS;
}

/* domain:bus:device.function; the bus is the place in SOFTWARP_DEVICE plus one */
DRIVER_API cuDeviceGetPCIBusId(char *text, int capacity, CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!text || capacity < 13) return CUDA_ERROR_INVALID_VALUE;
    snprintf(text, (size_t)capacity, "0000:%02X:00.0", device->machine.number + 1);
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceGetByPCIBusId(CUdevice *out, const char *text)
{
    DRIVER_TRY(driver_ready());
    unsigned domain = 0, bus = 0, slot = 0, function = 0;
    if (!out || !text) return CUDA_ERROR_INVALID_VALUE;
    bool full = sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) >= 3;
    if (!full && sscanf(text, "%x:%x.%x", &bus, &slot, &function) < 2) return CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < driver.device_count && !domain && !slot && !function; i++)
        if (driver.devices[i].machine.number + 1 == bus) {
            *out = i;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_DEVICE;
}

DRIVER_API cuDeviceGetExecAffinitySupport(int *supported, CUexecAffinityType type, CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    (void)type; /* none is */
    if (!supported) return CUDA_ERROR_INVALID_VALUE;
    *supported = 0;
    return CUDA_SUCCESS;
}

static bool is_plain_format(CUarray_format format)
{
    int f = (int)format;
    return (f >= CU_AD_FORMAT_UNSIGNED_INT8 && f <= CU_AD_FORMAT_UNSIGNED_INT32) ||
           (f >= CU_AD_FORMAT_SIGNED_INT8 && f <= CU_AD_FORMAT_SIGNED_INT32) || f == CU_AD_FORMAT_HALF ||
           f == CU_AD_FORMAT_FLOAT;
}

DRIVER_API cuDeviceGetTexture1DLinearMaxWidth(size_t *width, CUarray_format format, unsigned channels,
                                              CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!width || !is_plain_format(format) || (channels != 1 && channels != 2 && channels != 4))
        return CUDA_ERROR_INVALID_VALUE;
    size_t most = (size_t)attribute_value(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
    *width = channels == 1 ? 4 * most : most; /* an H200 answers so for one channel of any format */
    return CUDA_SUCCESS;
}
