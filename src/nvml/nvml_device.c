/* SPDX-License-Identifier: Apache-2.0 */
/* Which devices there are, and what each is. */
#include "nvml_priv.h"

#include <stdio.h>
#include <string.h>

/* ---- enumeration */

NVML_API nvmlDeviceGetCount_v2(unsigned *count)
{
    NVML_TRY(nvml_ready());
    if (!count) return NVML_ERROR_INVALID_ARGUMENT;
    *count = nvml_machine.count;
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetCount(unsigned *count)
{
    return nvmlDeviceGetCount_v2(count);
}

NVML_API nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *out)
{
    NVML_TRY(nvml_ready());
    if (!out || index >= nvml_machine.count) return NVML_ERROR_INVALID_ARGUMENT;
    *out = &nvml_machine.devices[index];
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice_t *out)
{
    return nvmlDeviceGetHandleByIndex_v2(index, out);
}

NVML_API nvmlDeviceGetHandleBySerial(const char *serial, nvmlDevice_t *out)
{
    NVML_TRY(nvml_ready());
    if (!serial || !out) return NVML_ERROR_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < nvml_machine.count; i++)
        if (strcmp(nvml_machine.devices[i].serial, serial) == 0) return nvmlDeviceGetHandleByIndex_v2(i, out);
    return NVML_ERROR_NOT_FOUND;
}

NVML_API nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *out)
{
    NVML_TRY(nvml_ready());
    if (!uuid || !out) return NVML_ERROR_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < nvml_machine.count; i++)
        if (strcmp(nvml_machine.devices[i].uuid, uuid) == 0) return nvmlDeviceGetHandleByIndex_v2(i, out);
    return NVML_ERROR_NOT_FOUND;
}

NVML_API nvmlDeviceGetHandleByUUIDV(const nvmlUUID_t *uuid, nvmlDevice_t *out)
{
    enum { ASCII = 1, BINARY = 2 }; /* NVML_UUID_TYPE_* */
    NVML_TRY(nvml_ready());
    if (!uuid || !out) return NVML_ERROR_INVALID_ARGUMENT;
    if (uuid->version != nvmlUUID_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    if (uuid->type == ASCII) {
        char text[NVML_DEVICE_UUID_ASCII_LEN + 1] = "";
        memcpy(text, uuid->value.str, NVML_DEVICE_UUID_ASCII_LEN);
        return nvmlDeviceGetHandleByUUID(text, out);
    }
    if (uuid->type != BINARY) return NVML_ERROR_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < nvml_machine.count; i++)
        if (memcmp(nvml_machine.devices[i].device.uuid, uuid->value.bytes, NVML_DEVICE_UUID_BINARY_LEN) == 0)
            return nvmlDeviceGetHandleByIndex_v2(i, out);
    return NVML_ERROR_NOT_FOUND;
}

/* [domain:]bus:device[.function] */
NVML_API nvmlDeviceGetHandleByPciBusId_v2(const char *text, nvmlDevice_t *out)
{
    unsigned domain = 0, bus = 0, slot = 0, function = 0;
    NVML_TRY(nvml_ready());
    if (!text || !out) return NVML_ERROR_INVALID_ARGUMENT;
    bool full = sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) >= 3;
    if (!full && sscanf(text, "%x:%x.%x", &bus, &slot, &function) < 2) return NVML_ERROR_INVALID_ARGUMENT;
    if ((full && domain) || slot || function || bus < 1 || bus > nvml_machine.count)
        return NVML_ERROR_NOT_FOUND;
    return nvmlDeviceGetHandleByIndex_v2(bus - 1, out);
}

NVML_API nvmlDeviceGetHandleByPciBusId(const char *text, nvmlDevice_t *out)
{
    return nvmlDeviceGetHandleByPciBusId_v2(text, out);
}

/* ---- names and numbers */

#define GIVE(name, text)                                                                                     \
    NVML_API name(nvmlDevice_t device, char *out, unsigned capacity)                                         \
    {                                                                                                        \
        NVML_TRY(nvml_check(device));                                                                        \
        return nvml_give(text, out, capacity);                                                               \
    }
GIVE(nvmlDeviceGetName, device->device.gpu.full_name)
GIVE(nvmlDeviceGetUUID, device->uuid)
GIVE(nvmlDeviceGetSerial, device->serial)
GIVE(nvmlDeviceGetBoardPartNumber, nvml_text(device, "board_part_number"))
GIVE(nvmlDeviceGetVbiosVersion, nvml_text(device, "vbios_version"))
GIVE(nvmlDeviceGetInforomImageVersion, nvml_text(device, "inforom_image"))

NVML_API nvmlDeviceGetInforomVersion(nvmlDevice_t device, nvmlInforomObject_t object, char *out,
                                     unsigned capacity)
{
    NVML_TRY(nvml_check(device));
    const char *key = object == NVML_INFOROM_OEM   ? "inforom_oem"
                      : object == NVML_INFOROM_ECC ? "inforom_ecc"
                                                   : "";
    return nvml_give(nvml_text(device, key), out, capacity);
}

NVML_API nvmlDeviceGetInforomConfigurationChecksum(nvmlDevice_t device, unsigned *checksum)
{
    NVML_TRY(nvml_check(device));
    if (!checksum) return NVML_ERROR_INVALID_ARGUMENT;
    if (!nvml_text(device, "inforom_image")) return NVML_ERROR_NOT_SUPPORTED;
    *checksum = 0;
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceValidateInforom(nvmlDevice_t device)
{
    NVML_TRY(nvml_check(device));
    return nvml_text(device, "inforom_image") ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

#define CONSTANT(name, type, value)                                                                          \
    NVML_API name(nvmlDevice_t device, type *out)                                                            \
    {                                                                                                        \
        NVML_TRY(nvml_check(device));                                                                        \
        return nvml_give_constant(device, (unsigned)(value), out);                                           \
    }
CONSTANT(nvmlDeviceGetIndex, unsigned, device->device.number)
CONSTANT(nvmlDeviceGetMinorNumber, unsigned, device->device.number)
CONSTANT(nvmlDeviceGetModuleId, unsigned, device->device.number)
CONSTANT(nvmlDeviceGetBoardId, unsigned, (device->device.number + 1) << 8)
CONSTANT(nvmlDeviceGetMultiGpuBoard, unsigned, 0)
CONSTANT(nvmlDeviceGetBusType, nvmlBusType_t, NVML_BUS_TYPE_PCIE)
CONSTANT(nvmlDeviceGetMemoryBusWidth, unsigned, device->device.gpu.memory_bus_bits)

NVML_API nvmlDeviceGetIrqNum(nvmlDevice_t device, unsigned *irq)
{
    NVML_TRY(nvml_check(device));
    return irq ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT; /* no interrupts */
}

/* The brand of the data file; else by the name. */
NVML_API nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t *brand)
{
    static const struct {
        const char *start;
        nvmlBrandType_t brand;
    } BY_NAME[] = {{"Tesla", NVML_BRAND_TESLA},
                   {"Quadro", NVML_BRAND_QUADRO},
                   {"GeForce", NVML_BRAND_GEFORCE},
                   {"NVIDIA GeForce", NVML_BRAND_GEFORCE},
                   {"NVIDIA", NVML_BRAND_NVIDIA}};
    NVML_TRY(nvml_check(device));
    if (!brand) return NVML_ERROR_INVALID_ARGUMENT;
    long long known;
    *brand = NVML_BRAND_UNKNOWN;
    for (size_t i = SW_COUNT_OF(BY_NAME); i-- > 0;)
        if (sw_starts_with(device->device.gpu.full_name, BY_NAME[i].start)) *brand = BY_NAME[i].brand;
    if (nvml_number(device, "brand", &known)) *brand = (nvmlBrandType_t)known;
    return NVML_SUCCESS;
}

static unsigned sm_version(nvmlDevice_t device)
{
    return device->device.gpu.cc_major * 10 + device->device.gpu.cc_minor;
}

NVML_API nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t *out)
{
    NVML_TRY(nvml_check(device));
    unsigned sm = sm_version(device);
    unsigned architecture = sm >= 100  ? NVML_DEVICE_ARCH_BLACKWELL
                            : sm >= 90 ? NVML_DEVICE_ARCH_HOPPER
                            : sm >= 89 ? NVML_DEVICE_ARCH_ADA
                            : sm >= 80 ? NVML_DEVICE_ARCH_AMPERE
                            : sm >= 75 ? NVML_DEVICE_ARCH_TURING
                            : sm >= 70 ? NVML_DEVICE_ARCH_VOLTA
                            : sm >= 60 ? NVML_DEVICE_ARCH_PASCAL
                            : sm >= 50 ? NVML_DEVICE_ARCH_MAXWELL
                            : sm >= 30 ? NVML_DEVICE_ARCH_KEPLER
                                       : NVML_DEVICE_ARCH_UNKNOWN;
    return nvml_give_constant(device, architecture, out);
}

NVML_API nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    NVML_TRY(nvml_check(device));
    if (!major || !minor) return NVML_ERROR_INVALID_ARGUMENT;
    *major = (int)device->device.gpu.cc_major;
    *minor = (int)device->device.gpu.cc_minor;
    return NVML_SUCCESS;
}

/* Single-precision cores a multiprocessor: CUDA C++ Programming Guide, "Compute Capabilities", the sections
 * on each. */
NVML_API nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned *cores)
{
    NVML_TRY(nvml_check(device));
    unsigned sm = sm_version(device);
    unsigned each = sm < 20                             ? 8
                    : sm == 20                          ? 32
                    : sm < 30                           ? 48
                    : sm < 50                           ? 192
                    : sm == 60 || (sm >= 70 && sm < 86) ? 64
                                                        : 128;
    return nvml_give_constant(device, each * (unsigned)device->device.gpu.sm_count, cores);
}

NVML_API nvmlDeviceOnSameBoard(nvmlDevice_t a, nvmlDevice_t b, int *same)
{
    NVML_TRY(nvml_check(a));
    return nvml_check(b) == NVML_SUCCESS ? nvml_give_constant(a, a == b, same) : NVML_ERROR_INVALID_ARGUMENT;
}

/* ---- the bus */

NVML_API nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *out)
{
    long long id = 0, board = 0;
    NVML_TRY(nvml_check(device));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    (void)nvml_number(device, "pci_device_id", &id);
    (void)nvml_number(device, "pci_subsystem_id", &board);
    *out = (nvmlPciInfo_t){
        .bus = device->device.number + 1, .pciDeviceId = (unsigned)id, .pciSubSystemId = (unsigned)board};
    snprintf(out->busId, sizeof out->busId, "%s", device->bus_id);
    snprintf(out->busIdLegacy, sizeof out->busIdLegacy, "%s", device->bus_id + 4);
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t *out)
{
    nvmlPciInfo_t whole;
    NVML_TRY(nvmlDeviceGetPciInfo_v3(device, &whole));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    memcpy(out, &whole, offsetof(nvmlPciInfo_t, busId)); /* the older record ends there */
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *out)
{
    nvmlPciInfo_t whole;
    NVML_TRY(nvmlDeviceGetPciInfo_v3(device, &whole));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    memcpy(out, &whole, offsetof(nvmlPciInfo_t, pciSubSystemId)); /* the oldest record ends there */
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetPciInfoExt(nvmlDevice_t device, nvmlPciInfoExt_t *out)
{
    nvmlPciInfo_t plain;
    NVML_TRY(nvmlDeviceGetPciInfo_v3(device, &plain));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    if (out->version != nvmlPciInfoExt_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    *out = (nvmlPciInfoExt_t){.version = nvmlPciInfoExt_v1,
                              .bus = plain.bus,
                              .pciDeviceId = plain.pciDeviceId,
                              .pciSubSystemId = plain.pciSubSystemId,
                              .baseClass = 3, /* display controller */
                              .subClass = 2}; /* 3D */
    memcpy(out->busId, plain.busId, sizeof out->busId);
    return NVML_SUCCESS;
}
