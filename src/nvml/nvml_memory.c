/* SPDX-License-Identifier: Apache-2.0 */
/* Memory in use, who uses it, and how busy the device is: what processes share with each other
 * (arch_record.c). Memory is what their allocations hold; a context itself takes none here. Utilisation is
 * the share of the last second in which a kernel ran; that of memory, encoders and decoders is always 0. */
#include "nvml_priv.h"

#include <string.h>
#include <time.h>

struct use {
    struct arch_usage processes[ARCH_PROCESSES];
    uint32_t count, busy;
    uint64_t bytes;
};

static void read_use(nvmlDevice_t device, struct use *out)
{
    out->bytes = 0;
    out->count = arch_record_processes(device->device.key, out->processes, &out->busy);
    for (uint32_t i = 0; i < out->count; i++)
        out->bytes += out->processes[i].bytes;
}

bool nvml_is_busy(nvmlDevice_t device)
{
    struct use use;
    read_use(device, &use);
    return use.busy > 0;
}

/* ---- memory: what CUDA offers, and what the system keeps, where the data file gives the whole */

static nvmlMemory_v2_t memory_memory_of(nvmlDevice_t device)
{
    struct use use;
    long long whole;
    nvmlMemory_v2_t m = {.version = nvmlMemory_v2, .total = device->device.gpu.memory_bytes};
    read_use(device, &use);
    m.used = use.bytes < m.total ? use.bytes : m.total;
    m.free = m.total - m.used;
    if (nvml_number(device, "memory_bytes", &whole)) {
        m.reserved = (unsigned long long)whole - m.total;
        m.total = (unsigned long long)whole;
    }
    return m;
}

NVML_API nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *out)
{
    NVML_TRY(nvml_check(device));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    nvmlMemory_v2_t m = memory_memory_of(device);
    *out = (nvmlMemory_t){m.total, m.free, m.used + m.reserved};
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *out)
{
    NVML_TRY(nvml_check(device));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    if (out->version != nvmlMemory_v2) return NVML_ERROR_FUNCTION_NOT_FOUND; /* as an H200 answers */
    *out = memory_memory_of(device);
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t *out)
{
    long long bytes, used = 0;
    NVML_TRY(nvml_check(device));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    if (!nvml_number(device, "bar1_bytes", &bytes)) return NVML_ERROR_NOT_SUPPORTED;
    (void)nvml_number(device, "bar1_used_bytes", &used);
    *out = (nvmlBAR1Memory_t){(unsigned long long)bytes, (unsigned long long)(bytes - used),
                              (unsigned long long)used};
    return NVML_SUCCESS;
}

/* ---- processes: the record has three forms, alike in their beginning */

static nvmlReturn_t list_processes(nvmlDevice_t device, unsigned *count, void *out, size_t record,
                                   bool compute)
{
    struct use use = {.count = 0};
    NVML_TRY(nvml_check(device));
    if (!count) return NVML_ERROR_INVALID_ARGUMENT;
    if (compute) read_use(device, &use);
    unsigned capacity = *count;
    *count = use.count;
    if (capacity < use.count) return NVML_ERROR_INSUFFICIENT_SIZE;
    if (use.count && !out) return NVML_ERROR_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < use.count; i++) {
        nvmlProcessInfo_t info = {(unsigned)use.processes[i].pid, use.processes[i].bytes, ~0u, ~0u};
        memcpy((char *)out + i * record, &info, record);
    }
    return NVML_SUCCESS;
}

#define PROCESSES(name, type, compute)                                                                       \
    NVML_API name(nvmlDevice_t device, unsigned *count, type *out)                                           \
    {                                                                                                        \
        return list_processes(device, count, out, sizeof *out, compute);                                     \
    }
PROCESSES(nvmlDeviceGetComputeRunningProcesses, nvmlProcessInfo_v1_t, true)
PROCESSES(nvmlDeviceGetComputeRunningProcesses_v2, nvmlProcessInfo_v2_t, true)
PROCESSES(nvmlDeviceGetComputeRunningProcesses_v3, nvmlProcessInfo_t, true)
PROCESSES(nvmlDeviceGetGraphicsRunningProcesses, nvmlProcessInfo_v1_t, false)
PROCESSES(nvmlDeviceGetGraphicsRunningProcesses_v2, nvmlProcessInfo_v2_t, false)
PROCESSES(nvmlDeviceGetGraphicsRunningProcesses_v3, nvmlProcessInfo_t, false)
PROCESSES(nvmlDeviceGetMPSComputeRunningProcesses, nvmlProcessInfo_v1_t, false)
PROCESSES(nvmlDeviceGetMPSComputeRunningProcesses_v2, nvmlProcessInfo_v2_t, false)
PROCESSES(nvmlDeviceGetMPSComputeRunningProcesses_v3, nvmlProcessInfo_t, false)

NVML_API nvmlDeviceGetRunningProcessDetailList(nvmlDevice_t device, nvmlProcessDetailList_t *list)
{
    enum { COMPUTE, GRAPHICS, MPS, MODES };
    struct use use = {.count = 0};
    NVML_TRY(nvml_check(device));
    if (!list) return NVML_ERROR_INVALID_ARGUMENT;
    if (list->version != nvmlProcessDetailList_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    if (list->mode >= MODES) return NVML_ERROR_INVALID_ARGUMENT;
    if (list->mode == COMPUTE) read_use(device, &use);
    unsigned capacity = list->numProcArrayEntries;
    list->numProcArrayEntries = use.count;
    if (capacity < use.count) return NVML_ERROR_INSUFFICIENT_SIZE;
    if (use.count && !list->procArray) return NVML_ERROR_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < use.count; i++)
        list->procArray[i] =
            (nvmlProcessDetail_v1_t){(unsigned)use.processes[i].pid, use.processes[i].bytes, ~0u, ~0u, 0};
    return NVML_SUCCESS;
}

/* ---- utilisation */

NVML_API nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *out)
{
    struct use use;
    NVML_TRY(nvml_check(device));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    read_use(device, &use);
    *out = (nvmlUtilization_t){.gpu = use.busy};
    return NVML_SUCCESS;
}

/* One sample a process: of the last second. */
NVML_API nvmlDeviceGetProcessUtilization(nvmlDevice_t device, nvmlProcessUtilizationSample_t *out,
                                         unsigned *count, unsigned long long since)
{
    struct use use;
    struct timespec now;
    NVML_TRY(nvml_check(device));
    if (!count) return NVML_ERROR_INVALID_ARGUMENT;
    (void)since;
    read_use(device, &use);
    clock_gettime(CLOCK_REALTIME, &now);
    unsigned capacity = *count;
    *count = use.count ? use.count : 1;
    if (!out || capacity < use.count) return NVML_ERROR_INSUFFICIENT_SIZE;
    *count = use.count;
    if (!use.count) return NVML_ERROR_NOT_FOUND;
    for (uint32_t i = 0; i < use.count; i++)
        out[i] = (nvmlProcessUtilizationSample_t){.pid = (unsigned)use.processes[i].pid,
                                                  .timeStamp = (unsigned long long)now.tv_sec * 1000000u +
                                                               (unsigned long long)now.tv_nsec / 1000u,
                                                  .smUtil = use.processes[i].busy_percent};
    return NVML_SUCCESS;
}

static nvmlReturn_t idle_engine(nvmlDevice_t device, unsigned *percent, unsigned *period)
{
    NVML_TRY(nvml_give_constant(device, 0, percent));
    return nvml_give_constant(device, 1000000, period); /* microseconds */
}

#define ENGINE(name)                                                                                         \
    NVML_API name(nvmlDevice_t device, unsigned *percent, unsigned *period)                                  \
    {                                                                                                        \
        return idle_engine(device, percent, period);                                                         \
    }
ENGINE(nvmlDeviceGetEncoderUtilization)
ENGINE(nvmlDeviceGetDecoderUtilization)
ENGINE(nvmlDeviceGetJpgUtilization)
ENGINE(nvmlDeviceGetOfaUtilization)

NVML_API nvmlDeviceGetEncoderStats(nvmlDevice_t device, unsigned *sessions, unsigned *fps, unsigned *latency)
{
    NVML_TRY(nvml_give_constant(device, 0, sessions));
    NVML_TRY(nvml_give_constant(device, 0, fps));
    return nvml_give_constant(device, 0, latency);
}

NVML_API nvmlDeviceGetEncoderSessions(nvmlDevice_t device, unsigned *count, nvmlEncoderSessionInfo_t *out)
{
    (void)out;
    return nvml_give_constant(device, 0, count);
}

NVML_API nvmlDeviceGetFBCStats(nvmlDevice_t device, nvmlFBCStats_t *out)
{
    NVML_TRY(nvml_check(device));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    *out = (nvmlFBCStats_t){0};
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetFBCSessions(nvmlDevice_t device, unsigned *count, nvmlFBCSessionInfo_t *out)
{
    (void)out;
    return nvml_give_constant(device, 0, count);
}

/* Percent by kind of encoder: H.264, HEVC; others have none. */
NVML_API nvmlDeviceGetEncoderCapacity(nvmlDevice_t device, nvmlEncoderType_t type, unsigned *capacity)
{
    NVML_TRY(nvml_check(device));
    if (!capacity) return NVML_ERROR_INVALID_ARGUMENT;
    const char *list = nvml_text(device, "encoder_capacity");
    for (int i = 0; list && i < (int)type; i++) {
        list = strchr(list, ',');
        if (list) list++;
    }
    if (!list) return NVML_ERROR_NOT_SUPPORTED;
    return nvml_give_constant(device, (unsigned)strtoul(list, NULL, 10), capacity);
}
