/* SPDX-License-Identifier: Apache-2.0 */
/* How devices are connected: PCI Express (the data's generation and width, no traffic: copies are the
 * host's), NVLink (to a switch, as an H200's, where the data file gives links), and where they are near.
 * Every device reaches every other's memory. */
#include "nvml_priv.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define GPU_FIELD(name, field)                                                                               \
    NVML_API name(nvmlDevice_t device, unsigned *out)                                                        \
    {                                                                                                        \
        NVML_TRY(nvml_check(device));                                                                        \
        return nvml_give_constant(device, (unsigned)device->device.gpu.field, out);                          \
    }
GPU_FIELD(nvmlDeviceGetCurrPcieLinkGeneration, pcie_generation)
GPU_FIELD(nvmlDeviceGetMaxPcieLinkGeneration, pcie_generation)
GPU_FIELD(nvmlDeviceGetGpuMaxPcieLinkGeneration, pcie_generation)
GPU_FIELD(nvmlDeviceGetCurrPcieLinkWidth, pcie_lanes)
GPU_FIELD(nvmlDeviceGetMaxPcieLinkWidth, pcie_lanes)

/* MT/s a lane: PCI Express base specification, generations 1 to 6. */
NVML_API nvmlDeviceGetPcieSpeed(nvmlDevice_t device, unsigned *out)
{
    static const unsigned SPEEDS[] = {0, 2500, 5000, 8000, 16000, 32000, 64000};
    NVML_TRY(nvml_check(device));
    uint64_t generation = device->device.gpu.pcie_generation;
    if (generation == 0 || generation >= SW_COUNT_OF(SPEEDS)) return NVML_ERROR_NOT_SUPPORTED;
    return nvml_give_constant(device, SPEEDS[generation], out);
}

NVML_API nvmlDeviceGetPcieLinkMaxSpeed(nvmlDevice_t device, unsigned *out)
{
    NVML_TRY(nvml_check(device));
    return nvml_give_constant(device, (unsigned)device->device.gpu.pcie_generation,
                              out); /* NVML numbers them so */
}

NVML_API nvmlDeviceGetPcieThroughput(nvmlDevice_t device, nvmlPcieUtilCounter_t counter, unsigned *out)
{
    NVML_TRY(nvml_check(device));
    if ((unsigned)counter >= NVML_PCIE_UTIL_COUNT) return NVML_ERROR_INVALID_ARGUMENT;
    return nvml_give_constant(device, 0, out);
}

NVML_API nvmlDeviceGetPcieReplayCounter(nvmlDevice_t device, unsigned *out)
{
    return nvml_give_constant(device, 0, out);
}

/* ---- NVLink */

static nvmlReturn_t check_link(nvmlDevice_t device, unsigned link, const void *out)
{
    unsigned links = 0;
    NVML_TRY(nvml_check(device));
    if (!out || link >= NVML_NVLINK_MAX_LINKS) return NVML_ERROR_INVALID_ARGUMENT;
    NVML_TRY(nvml_give_number(device, "nvlink_links", &links));
    return link < links ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_API nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned link, nvmlEnableState_t *active)
{
    NVML_TRY(check_link(device, link, active));
    return nvml_give_constant(device, NVML_FEATURE_ENABLED, active);
}

NVML_API nvmlDeviceGetNvLinkVersion(nvmlDevice_t device, unsigned link, unsigned *version)
{
    NVML_TRY(check_link(device, link, version));
    return nvml_give_number(device, "nvlink_version", version);
}

NVML_API nvmlDeviceGetNvLinkCapability(nvmlDevice_t device, unsigned link, nvmlNvLinkCapability_t capability,
                                       unsigned *out)
{
    NVML_TRY(check_link(device, link, out));
    if ((unsigned)capability >= NVML_NVLINK_CAP_COUNT) return NVML_ERROR_INVALID_ARGUMENT;
    return nvml_give_constant(device, 1, out);
}

NVML_API nvmlDeviceGetNvLinkErrorCounter(nvmlDevice_t device, unsigned link, nvmlNvLinkErrorCounter_t counter,
                                         unsigned long long *out)
{
    bool first = (unsigned)counter < NVML_NVLINK_ERROR_DL_CRC_DATA;
    if (first && link >= NVML_NVLINK_MAX_LINKS && nvml_check(device) == NVML_SUCCESS)
        return NVML_ERROR_NOT_SUPPORTED; /* as an H200 answers */
    NVML_TRY(check_link(device, link, out));
    if ((unsigned)counter >= NVML_NVLINK_ERROR_COUNT) return NVML_ERROR_INVALID_ARGUMENT;
    *out = 0;
    return NVML_SUCCESS;
}

/* The other end is a switch, which an H200 shows without an address. */
NVML_API nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t device, unsigned link, nvmlPciInfo_t *out)
{
    NVML_TRY(check_link(device, link, out));
    *out = (nvmlPciInfo_t){.domain = ~0u, .bus = 0xff, .device = 0xff};
    snprintf(out->busId, sizeof out->busId, "FFFFFFFF:FF:FF.0");
    snprintf(out->busIdLegacy, sizeof out->busIdLegacy, "FFFF:FF:FF.0");
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetNvLinkRemotePciInfo(nvmlDevice_t device, unsigned link, nvmlPciInfo_t *out)
{
    nvmlPciInfo_t whole;
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    NVML_TRY(nvmlDeviceGetNvLinkRemotePciInfo_v2(device, link, &whole));
    memcpy(out, &whole, offsetof(nvmlPciInfo_t, pciSubSystemId)); /* the older record ends there */
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t device, unsigned link,
                                             nvmlIntNvLinkDeviceType_t *type)
{
    NVML_TRY(check_link(device, link, type));
    return nvml_give_constant(device, NVML_NVLINK_DEVICE_TYPE_SWITCH, type);
}

/* ---- between devices */

NVML_API nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t a, nvmlDevice_t b, nvmlGpuTopologyLevel_t *level)
{
    NVML_TRY(nvml_check(a));
    if (nvml_check(b) != NVML_SUCCESS || !level) return NVML_ERROR_INVALID_ARGUMENT;
    if (a == b) return NVML_ERROR_NOT_SUPPORTED; /* as an H200 answers */
    *level = NVML_TOPOLOGY_HOSTBRIDGE;
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetTopologyNearestGpus(nvmlDevice_t device, nvmlGpuTopologyLevel_t level, unsigned *count,
                                          nvmlDevice_t *out)
{
    unsigned found = 0;
    NVML_TRY(nvml_check(device));
    if (!count) return NVML_ERROR_INVALID_ARGUMENT;
    for (uint32_t i = 0; level >= NVML_TOPOLOGY_HOSTBRIDGE && i < nvml_machine.count; i++) {
        if (&nvml_machine.devices[i] == device) continue;
        if (out && found < *count) out[found] = &nvml_machine.devices[i];
        found++;
    }
    *count = found;
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetP2PStatus(nvmlDevice_t a, nvmlDevice_t b, nvmlGpuP2PCapsIndex_t index,
                                nvmlGpuP2PStatus_t *status)
{
    NVML_TRY(nvml_check(a));
    if (nvml_check(b) != NVML_SUCCESS || !status) return NVML_ERROR_INVALID_ARGUMENT;
    *status = index == NVML_P2P_CAPS_INDEX_PCI ? NVML_P2P_STATUS_NOT_SUPPORTED : NVML_P2P_STATUS_OK;
    return NVML_SUCCESS;
}

/* ---- and the host: every processor and the first memory node are near */

static nvmlReturn_t near_set(nvmlDevice_t device, unsigned words, unsigned long *set, unsigned count)
{
    enum { BITS = 8 * sizeof(unsigned long) };
    NVML_TRY(nvml_check(device));
    if (!set || words == 0) return NVML_ERROR_INVALID_ARGUMENT;
    memset(set, 0, words * sizeof *set);
    for (unsigned i = 0; i < count && i / BITS < words; i++)
        set[i / BITS] |= 1ul << i % BITS;
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned words, unsigned long *set)
{
    return near_set(device, words, set, (unsigned)sysconf(_SC_NPROCESSORS_ONLN));
}

NVML_API nvmlDeviceGetCpuAffinityWithinScope(nvmlDevice_t device, unsigned words, unsigned long *set,
                                             nvmlAffinityScope_t scope)
{
    (void)scope;
    return nvmlDeviceGetCpuAffinity(device, words, set);
}

NVML_API nvmlDeviceGetMemoryAffinity(nvmlDevice_t device, unsigned words, unsigned long *set,
                                     nvmlAffinityScope_t scope)
{
    (void)scope;
    return near_set(device, words, set, 1);
}

NVML_API nvmlDeviceGetNumaNodeId(nvmlDevice_t device, unsigned *node)
{
    NVML_TRY(nvml_check(device));
    return node ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT; /* device memory is no node */
}
