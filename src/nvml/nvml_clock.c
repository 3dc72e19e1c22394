/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks. The highest are those of the GPU's data; the current ones are the highest while kernels run and
 * what the data file gives for an idle device otherwise. Application clocks cannot be set. */
#include "nvml_priv.h"

#include <stdlib.h>
#include <string.h>

/* Highest clock in MHz; 0: not given. */
static unsigned highest(nvmlDevice_t device, nvmlClockType_t type)
{
    long long video;
    if (type == NVML_CLOCK_GRAPHICS || type == NVML_CLOCK_SM)
        return (unsigned)(device->device.gpu.clock_khz / 1000);
    if (type == NVML_CLOCK_MEM) return (unsigned)(device->device.gpu.memory_clock_khz / 1000);
    return type == NVML_CLOCK_VIDEO && nvml_number(device, "video_clock_mhz", &video) ? (unsigned)video : 0;
}

static unsigned current(nvmlDevice_t device, nvmlClockType_t type)
{
    long long idle;
    const char *key = type == NVML_CLOCK_VIDEO ? "video_clock_idle_mhz" : "clock_idle_mhz";
    bool sinks = type != NVML_CLOCK_MEM && nvml_number(device, key, &idle);
    return sinks && !nvml_is_busy(device) ? (unsigned)idle : highest(device, type);
}

static nvmlReturn_t clock_give(unsigned mhz, unsigned *out)
{
    if (!mhz) return NVML_ERROR_NOT_SUPPORTED;
    *out = mhz;
    return NVML_SUCCESS;
}

static nvmlReturn_t clock_check(nvmlDevice_t device, nvmlClockType_t type, const unsigned *out)
{
    NVML_TRY(nvml_check(device));
    return out && (unsigned)type < NVML_CLOCK_COUNT ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_API nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *mhz)
{
    NVML_TRY(nvml_check(device));
    if ((unsigned)type >= NVML_CLOCK_COUNT) return NVML_ERROR_NOT_SUPPORTED; /* as an H200 answers */
    return mhz ? clock_give(current(device, type), mhz) : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_API nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *mhz)
{
    NVML_TRY(clock_check(device, type, mhz));
    return clock_give(highest(device, type), mhz);
}

static nvmlReturn_t application(nvmlDevice_t device, nvmlClockType_t type, unsigned *mhz)
{
    NVML_TRY(clock_check(device, type, mhz));
    if (type == NVML_CLOCK_VIDEO || !nvml_text(device, "application_clocks")) return NVML_ERROR_NOT_SUPPORTED;
    return clock_give(highest(device, type), mhz);
}

NVML_API nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t type, unsigned *mhz)
{
    return application(device, type, mhz);
}

NVML_API nvmlDeviceGetDefaultApplicationsClock(nvmlDevice_t device, nvmlClockType_t type, unsigned *mhz)
{
    return application(device, type, mhz);
}

NVML_API nvmlDeviceGetMaxCustomerBoostClock(nvmlDevice_t device, nvmlClockType_t type, unsigned *mhz)
{
    NVML_TRY(clock_check(device, type, mhz));
    if (type == NVML_CLOCK_MEM || type == NVML_CLOCK_VIDEO) return NVML_ERROR_NOT_SUPPORTED;
    return application(device, type, mhz);
}

NVML_API nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t type, nvmlClockId_t id, unsigned *mhz)
{
    switch ((int)id) {
    case NVML_CLOCK_ID_CURRENT: return nvmlDeviceGetClockInfo(device, type, mhz);
    case NVML_CLOCK_ID_APP_CLOCK_TARGET:
    case NVML_CLOCK_ID_APP_CLOCK_DEFAULT: return application(device, type, mhz);
    case NVML_CLOCK_ID_CUSTOMER_BOOST_MAX: return nvmlDeviceGetMaxCustomerBoostClock(device, type, mhz);
    default: NVML_TRY(nvml_check(device)); return NVML_ERROR_INVALID_ARGUMENT;
    }
}

/* ---- lists of clocks */

/* Number i of "3201,2201"; 0: there is none. */
static unsigned memory_clock(nvmlDevice_t device, unsigned i)
{
    const char *list = nvml_text(device, "memory_clocks_mhz");
    for (; list && i > 0; i--) {
        list = strchr(list, ',');
        if (list) list++;
    }
    return list ? (unsigned)strtoul(list, NULL, 10) : 0;
}

NVML_API nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned *count, unsigned *mhz)
{
    unsigned have = 0;
    NVML_TRY(nvml_check(device));
    if (!count) return NVML_ERROR_INVALID_ARGUMENT;
    while (memory_clock(device, have))
        have++;
    if (!have) return NVML_ERROR_NOT_SUPPORTED;
    unsigned capacity = *count;
    *count = have;
    if (capacity < have) return NVML_ERROR_INSUFFICIENT_SIZE;
    for (unsigned i = 0; mhz && i < have; i++)
        mhz[i] = memory_clock(device, i);
    return mhz ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_API nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device, unsigned memory, unsigned *count,
                                              unsigned *mhz)
{
    long long lowest, step;
    unsigned i = 0;
    NVML_TRY(nvml_check(device));
    if (!count) return NVML_ERROR_INVALID_ARGUMENT;
    if (!nvml_number(device, "clock_idle_mhz", &lowest) || !nvml_number(device, "clock_step_mhz", &step) ||
        step <= 0)
        return NVML_ERROR_NOT_SUPPORTED;
    while (memory_clock(device, i) && memory_clock(device, i) != memory)
        i++;
    if (!memory_clock(device, i)) return NVML_ERROR_NOT_FOUND;
    unsigned top = highest(device, NVML_CLOCK_GRAPHICS), capacity = *count;
    *count = (top - (unsigned)lowest) / (unsigned)step + 1;
    if (capacity < *count) return NVML_ERROR_INSUFFICIENT_SIZE;
    for (unsigned k = 0; mhz && k < *count; k++)
        mhz[k] = top - k * (unsigned)step;
    return mhz ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

/* ---- why clocks are low: nothing but idleness lowers them */

static nvmlReturn_t reasons(nvmlDevice_t device, unsigned long long *out, bool supported)
{
    static const unsigned long long ALL = 0x1ff;
    long long idle;
    NVML_TRY(nvml_check(device));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    bool sinks = nvml_number(device, "clock_idle_mhz", &idle);
    *out = supported ? ALL : sinks && !nvml_is_busy(device) ? nvmlClocksEventReasonGpuIdle : 0;
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long *out)
{
    return reasons(device, out, false);
}

NVML_API nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long *out)
{
    return reasons(device, out, false);
}

NVML_API nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t device, unsigned long long *out)
{
    return reasons(device, out, true);
}

NVML_API nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t device, unsigned long long *out)
{
    return reasons(device, out, true);
}

NVML_API nvmlDeviceGetAutoBoostedClocksEnabled(nvmlDevice_t device, nvmlEnableState_t *now,
                                               nvmlEnableState_t *normal)
{
    NVML_TRY(nvml_check(device));
    return now && normal ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_API nvmlDeviceGetAdaptiveClockInfoStatus(nvmlDevice_t device, unsigned *out)
{
    return nvml_give_constant(device, NVML_ADAPTIVE_CLOCKING_INFO_STATUS_ENABLED, out);
}
