/* SPDX-License-Identifier: Apache-2.0 */
/* Error correction and modes. Nothing here can be changed and nothing fails: counters are 0. ECC is on where
 * the GPU's data say so. */
#include "nvml_priv.h"

#define CONSTANT(name, type, value)                                                                          \
    NVML_API name(nvmlDevice_t device, type *out)                                                            \
    {                                                                                                        \
        NVML_TRY(nvml_check(device));                                                                        \
        return nvml_give_constant(device, (unsigned)(value), out);                                           \
    }
#define NOT_SUPPORTED(name, type)                                                                            \
    NVML_API name(nvmlDevice_t device, type *out)                                                            \
    {                                                                                                        \
        NVML_TRY(nvml_check(device));                                                                        \
        return out ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;                                 \
    }

/* ---- error correction: old GPUs do not have it at all */

static nvmlReturn_t check_ecc(nvmlDevice_t device)
{
    NVML_TRY(nvml_check(device));
    return device->device.gpu.ecc ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

NVML_API nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t *now, nvmlEnableState_t *next)
{
    NVML_TRY(check_ecc(device));
    NVML_TRY(nvml_give_constant(device, NVML_FEATURE_ENABLED, now));
    return nvml_give_constant(device, NVML_FEATURE_ENABLED, next);
}

NVML_API nvmlDeviceGetDefaultEccMode(nvmlDevice_t device, nvmlEnableState_t *mode)
{
    NVML_TRY(check_ecc(device));
    return nvml_give_constant(device, NVML_FEATURE_ENABLED, mode);
}

static nvmlReturn_t check_counter(nvmlDevice_t device, nvmlMemoryErrorType_t type,
                                  nvmlEccCounterType_t counter, const void *out)
{
    NVML_TRY(nvml_check(device));
    if (!out || (unsigned)type >= NVML_MEMORY_ERROR_TYPE_COUNT ||
        (unsigned)counter >= NVML_ECC_COUNTER_TYPE_COUNT)
        return NVML_ERROR_INVALID_ARGUMENT;
    return check_ecc(device);
}

NVML_API nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t type,
                                     nvmlEccCounterType_t counter, unsigned long long *out)
{
    NVML_TRY(check_counter(device, type, counter, out));
    *out = 0;
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetMemoryErrorCounter(nvmlDevice_t device, nvmlMemoryErrorType_t type,
                                         nvmlEccCounterType_t counter, nvmlMemoryLocation_t location,
                                         unsigned long long *out)
{
    NVML_TRY(check_counter(device, type, counter, out));
    if ((unsigned)location >= NVML_MEMORY_LOCATION_COUNT) return NVML_ERROR_INVALID_ARGUMENT;
    if (location != NVML_MEMORY_LOCATION_DEVICE_MEMORY && location != NVML_MEMORY_LOCATION_SRAM)
        return NVML_ERROR_NOT_SUPPORTED;
    *out = 0;
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetDetailedEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t type,
                                        nvmlEccCounterType_t counter, nvmlEccErrorCounts_t *out)
{
    NVML_TRY(check_counter(device, type, counter, out));
    *out = (nvmlEccErrorCounts_t){0};
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetSramEccErrorStatus(nvmlDevice_t device, nvmlEccSramErrorStatus_t *out)
{
    unsigned banks;
    NVML_TRY(nvml_check(device));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    if (out->version != nvmlEccSramErrorStatus_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    NVML_TRY(nvml_give_number(device, "remap_banks", &banks));
    *out = (nvmlEccSramErrorStatus_t){.version = nvmlEccSramErrorStatus_v1};
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetRetiredPages(nvmlDevice_t device, nvmlPageRetirementCause_t cause, unsigned *count,
                                   unsigned long long *addresses)
{
    (void)cause, (void)addresses;
    NVML_TRY(nvml_check(device));
    return count ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_API nvmlDeviceGetRetiredPages_v2(nvmlDevice_t device, nvmlPageRetirementCause_t cause, unsigned *count,
                                      unsigned long long *addresses, unsigned long long *times)
{
    (void)times;
    return nvmlDeviceGetRetiredPages(device, cause, count, addresses);
}
NOT_SUPPORTED(nvmlDeviceGetRetiredPagesPendingStatus, nvmlEnableState_t)

NVML_API nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned *correctable, unsigned *uncorrectable,
                                   unsigned *pending, unsigned *failed)
{
    unsigned banks;
    NVML_TRY(nvml_give_number(device, "remap_banks", &banks));
    NVML_TRY(nvml_give_constant(device, 0, correctable));
    NVML_TRY(nvml_give_constant(device, 0, uncorrectable));
    NVML_TRY(nvml_give_constant(device, 0, pending));
    return nvml_give_constant(device, 0, failed);
}

NVML_API nvmlDeviceGetRowRemapperHistogram(nvmlDevice_t device, nvmlRowRemapperHistogramValues_t *out)
{
    unsigned banks;
    NVML_TRY(nvml_give_number(device, "remap_banks", &banks));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    *out = (nvmlRowRemapperHistogramValues_t){.max = banks};
    return NVML_SUCCESS;
}

/* ---- modes */

CONSTANT(nvmlDeviceGetPersistenceMode, nvmlEnableState_t, NVML_FEATURE_ENABLED)
CONSTANT(nvmlDeviceGetComputeMode, nvmlComputeMode_t, NVML_COMPUTEMODE_DEFAULT)
CONSTANT(nvmlDeviceGetMaxMigDeviceCount, unsigned, 0)
CONSTANT(nvmlDeviceIsMigDeviceHandle, unsigned, 0)
CONSTANT(nvmlDeviceGetDisplayMode, nvmlEnableState_t,
         NVML_FEATURE_ENABLED) /* so an H200, which has no display */
CONSTANT(nvmlDeviceGetDisplayActive, nvmlEnableState_t, NVML_FEATURE_DISABLED)
CONSTANT(nvmlDeviceGetVirtualizationMode, nvmlGpuVirtualizationMode_t, NVML_GPU_VIRTUALIZATION_MODE_NONE)
CONSTANT(nvmlDeviceGetAccountingMode, nvmlEnableState_t, NVML_FEATURE_DISABLED)
NOT_SUPPORTED(nvmlDeviceGetHostVgpuMode, nvmlHostVgpuMode_t)

NVML_API nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned *now, unsigned *next)
{
    unsigned capable;
    NVML_TRY(nvml_give_number(device, "mig", &capable));
    NVML_TRY(nvml_give_constant(device, NVML_DEVICE_MIG_DISABLE, now));
    return nvml_give_constant(device, NVML_DEVICE_MIG_DISABLE, next);
}

NVML_API nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned index, nvmlDevice_t *out)
{
    (void)index;
    NVML_TRY(nvml_check(device));
    return out ? NVML_ERROR_NOT_FOUND : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_API nvmlDeviceGetGpuOperationMode(nvmlDevice_t device, nvmlGpuOperationMode_t *now,
                                       nvmlGpuOperationMode_t *next)
{
    NVML_TRY(nvml_check(device));
    return now && next ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_API nvmlDeviceGetAccountingBufferSize(nvmlDevice_t device, unsigned *size)
{
    return nvml_give_number(device, "accounting_buffer", size);
}

NVML_API nvmlDeviceGetAccountingPids(nvmlDevice_t device, unsigned *count, unsigned *pids)
{
    NVML_TRY(nvml_check(device));
    if (!count) return NVML_ERROR_INVALID_ARGUMENT;
    unsigned capacity = *count;
    *count = 0;
    return pids && capacity ? NVML_SUCCESS : NVML_ERROR_INSUFFICIENT_SIZE; /* as an H200 answers */
}

NVML_API nvmlDeviceGetAPIRestriction(nvmlDevice_t device, nvmlRestrictedAPI_t api, nvmlEnableState_t *out)
{
    NVML_TRY(nvml_check(device));
    if (!out || (unsigned)api >= NVML_RESTRICTED_API_COUNT) return NVML_ERROR_INVALID_ARGUMENT;
    if (api == NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS) return NVML_ERROR_NOT_SUPPORTED;
    *out = NVML_FEATURE_DISABLED;
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetGspFirmwareMode(nvmlDevice_t device, unsigned *on, unsigned *normal)
{
    NVML_TRY(nvml_give_number(device, "gsp", on));
    return nvml_give_number(device, "gsp", normal);
}

NVML_API nvmlDeviceGetGspFirmwareVersion(nvmlDevice_t device, char *version)
{
    unsigned on;
    NVML_TRY(nvml_give_number(device, "gsp", &on));
    return nvml_give(NVML_DRIVER_VERSION, version, 80); /* NVML_GSP_FIRMWARE_VERSION_BUF_SIZE is no smaller */
}

NVML_API nvmlDeviceGetDriverModel_v2(nvmlDevice_t device, nvmlDriverModel_t *now, nvmlDriverModel_t *next)
{
    NVML_TRY(nvml_check(device));
    (void)now, (void)next;
    return NVML_ERROR_NOT_SUPPORTED; /* a Windows notion */
}

NVML_API nvmlDeviceGetDriverModel(nvmlDevice_t device, nvmlDriverModel_t *now, nvmlDriverModel_t *next)
{
    return nvmlDeviceGetDriverModel_v2(device, now, next);
}

NVML_API nvmlDeviceGetAddressingMode(nvmlDevice_t device, nvmlDeviceAddressingMode_t *mode)
{
    NVML_TRY(nvml_check(device));
    if (!mode) return NVML_ERROR_INVALID_ARGUMENT;
    if (mode->version != nvmlDeviceAddressingMode_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    mode->value = NVML_DEVICE_ADDRESSING_MODE_NONE;
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetC2cModeInfoV(nvmlDevice_t device, nvmlC2cModeInfo_v1_t *out)
{
    return nvml_give_constant(device, 0, out);
}
