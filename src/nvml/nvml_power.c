/* SPDX-License-Identifier: Apache-2.0 */
/* Power, temperature and fans: constants of the data file. What an idle device draws and how warm it is does
 * not change with work: neither is modelled. */
#include "nvml_priv.h"

#include <time.h>

#define FROM_FILE(name, key)                                                                                 \
    NVML_API name(nvmlDevice_t device, unsigned *out)                                                        \
    {                                                                                                        \
        return nvml_give_number(device, key, out);                                                           \
    }
FROM_FILE(nvmlDeviceGetPowerUsage, "power_idle_mw")
FROM_FILE(nvmlDeviceGetPowerManagementLimit, "power_limit_mw")
FROM_FILE(nvmlDeviceGetPowerManagementDefaultLimit, "power_limit_mw")
FROM_FILE(nvmlDeviceGetEnforcedPowerLimit, "power_limit_mw")
FROM_FILE(nvmlDeviceGetNumFans, "fans")
FROM_FILE(nvmlDeviceGetPowerSource, "power_source")

NVML_API nvmlDeviceGetPowerManagementMode(nvmlDevice_t device, nvmlEnableState_t *mode)
{
    unsigned limit;
    NVML_TRY(nvml_give_number(device, "power_limit_mw", &limit));
    return nvml_give_constant(device, NVML_FEATURE_ENABLED, mode);
}

NVML_API nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned *lowest,
                                                      unsigned *highest)
{
    NVML_TRY(nvml_give_number(device, "power_limit_min_mw", lowest));
    return nvml_give_number(device, "power_limit_max_mw", highest);
}

/* The idle draw since the library was first asked, in millijoules. */
NVML_API nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long *out)
{
    unsigned draw;
    struct timespec now;
    NVML_TRY(nvml_give_number(device, "power_idle_mw", &draw));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    clock_gettime(CLOCK_BOOTTIME, &now);
    *out = (unsigned long long)((double)draw * ((double)now.tv_sec + (double)now.tv_nsec * 1e-9));
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetPowerState(nvmlDevice_t device, nvmlPstates_t *state)
{
    return nvml_give_constant(device, NVML_PSTATE_0, state);
}

NVML_API nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t *state)
{
    return nvml_give_constant(device, NVML_PSTATE_0, state);
}

/* P0 and, with more than one memory clock, P2; the rest of the list is NVML_PSTATE_UNKNOWN. */
NVML_API nvmlDeviceGetSupportedPerformanceStates(nvmlDevice_t device, nvmlPstates_t *states, unsigned bytes)
{
    NVML_TRY(nvml_check(device));
    unsigned count = bytes / sizeof *states, at = 0;
    if (!states) return NVML_ERROR_INVALID_ARGUMENT;
    if (count < 2) return NVML_ERROR_INSUFFICIENT_SIZE;
    if (nvml_text(device, "memory_clocks_mhz")) states[at++] = NVML_PSTATE_2;
    states[at++] = NVML_PSTATE_0;
    while (at < count)
        states[at++] = NVML_PSTATE_UNKNOWN;
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetViolationStatus(nvmlDevice_t device, nvmlPerfPolicyType_t policy,
                                      nvmlViolationTime_t *out)
{
    struct timespec now;
    NVML_TRY(nvml_check(device));
    bool known = (unsigned)policy <= NVML_PERF_POLICY_RELIABILITY ||
                 policy == NVML_PERF_POLICY_TOTAL_APP_CLOCKS || policy == NVML_PERF_POLICY_TOTAL_BASE_CLOCKS;
    if (!out || !known) return NVML_ERROR_INVALID_ARGUMENT;
    clock_gettime(CLOCK_REALTIME, &now);
    *out = (nvmlViolationTime_t){(unsigned long long)now.tv_sec * 1000000u, 0};
    return NVML_SUCCESS;
}

/* ---- temperature */

NVML_API nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor, unsigned *out)
{
    NVML_TRY(nvml_check(device));
    if (sensor != NVML_TEMPERATURE_GPU) return NVML_ERROR_INVALID_ARGUMENT;
    return nvml_give_number(device, "temperature_idle_c", out);
}

NVML_API nvmlDeviceGetTemperatureV(nvmlDevice_t device, nvmlTemperature_t *out)
{
    unsigned celsius;
    NVML_TRY(nvml_check(device));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    if (out->version != nvmlTemperature_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    NVML_TRY(nvmlDeviceGetTemperature(device, out->sensorType, &celsius));
    out->temperature = (int)celsius;
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, nvmlTemperatureThresholds_t threshold,
                                           unsigned *out)
{
    static const char *const KEYS[NVML_TEMPERATURE_THRESHOLD_COUNT] = {
        "temperature_shutdown_c", "temperature_slowdown_c", "temperature_memory_max_c",
        "temperature_gpu_max_c"};
    NVML_TRY(nvml_check(device));
    if (!out || (unsigned)threshold >= NVML_TEMPERATURE_THRESHOLD_COUNT) return NVML_ERROR_INVALID_ARGUMENT;
    return KEYS[threshold] ? nvml_give_number(device, KEYS[threshold], out) : NVML_ERROR_NOT_SUPPORTED;
}

NVML_API nvmlDeviceGetThermalSettings(nvmlDevice_t device, unsigned sensor, nvmlGpuThermalSettings_t *out)
{
    enum { ALL_SENSORS = 15 };
    unsigned celsius;
    NVML_TRY(nvml_check(device));
    if (!out || (sensor >= NVML_MAX_THERMAL_SENSORS_PER_GPU && sensor != ALL_SENSORS))
        return NVML_ERROR_INVALID_ARGUMENT;
    NVML_TRY(nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &celsius));
    *out = (nvmlGpuThermalSettings_t){.count = 1};
    out->sensor[0].controller = NVML_THERMAL_CONTROLLER_GPU_INTERNAL;
    out->sensor[0].currentTemp = (int)celsius;
    out->sensor[0].target = NVML_THERMAL_TARGET_GPU;
    return NVML_SUCCESS;
}

/* ---- fans: none of the GPUs that say how many they have has one */

NVML_API nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned *percent)
{
    NVML_TRY(nvml_check(device));
    return percent ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
}

NVML_API nvmlDeviceGetFanSpeed_v2(nvmlDevice_t device, unsigned fan, unsigned *percent)
{
    unsigned fans;
    (void)fan, (void)percent;
    NVML_TRY(nvml_give_number(device, "fans", &fans));
    return NVML_ERROR_INVALID_ARGUMENT; /* none has that number */
}

NVML_API nvmlDeviceGetMinMaxFanSpeed(nvmlDevice_t device, unsigned *lowest, unsigned *highest)
{
    unsigned fans;
    (void)lowest, (void)highest;
    NVML_TRY(nvml_give_number(device, "fans", &fans));
    return NVML_ERROR_INVALID_ARGUMENT;
}
