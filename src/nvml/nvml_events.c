/* SPDX-License-Identifier: Apache-2.0 */
/* Fields asked for by number, and events, of which none ever happens: a wait lasts as long as it is told to.
 */
#include "nvml_priv.h"

#include <stdlib.h>
#include <time.h>

/* ---- fields: 0 for counters, the rest from the data file */

static const struct {
    unsigned id;
    nvmlValueType_t type;
    const char *key; /* NULL: the value is 0 */
} FIELDS[] = {
    {NVML_FI_DEV_ECC_SBE_VOL_TOTAL, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG, NULL},
    {NVML_FI_DEV_ECC_DBE_VOL_TOTAL, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG, NULL},
    {NVML_FI_DEV_ECC_SBE_AGG_TOTAL, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG, NULL},
    {NVML_FI_DEV_ECC_DBE_AGG_TOTAL, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG, NULL},
    {NVML_FI_DEV_MEMORY_TEMP, NVML_VALUE_TYPE_UNSIGNED_INT, "memory_temperature_idle_c"},
    {NVML_FI_DEV_NVLINK_LINK_COUNT, NVML_VALUE_TYPE_UNSIGNED_INT, "nvlink_links"},
    {NVML_FI_DEV_PCIE_REPLAY_COUNTER, NVML_VALUE_TYPE_UNSIGNED_INT, NULL},
    {NVML_FI_DEV_REMAPPED_COR, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG, NULL},
    {NVML_FI_DEV_REMAPPED_UNC, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG, NULL},
    {NVML_FI_DEV_REMAPPED_PENDING, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG, NULL},
    {NVML_FI_DEV_REMAPPED_FAILURE, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG, NULL},
    {NVML_FI_DEV_NVLINK_GET_SPEED, NVML_VALUE_TYPE_UNSIGNED_INT, "nvlink_mb_per_s"},
    {NVML_FI_DEV_NVLINK_GET_VERSION, NVML_VALUE_TYPE_UNSIGNED_INT, "nvlink_version"},
    {NVML_FI_DEV_IS_RESETLESS_MIG_SUPPORTED, NVML_VALUE_TYPE_UNSIGNED_INT, "mig"},
    {NVML_FI_DEV_POWER_AVERAGE, NVML_VALUE_TYPE_UNSIGNED_INT, "power_idle_mw"},
    {NVML_FI_DEV_POWER_INSTANT, NVML_VALUE_TYPE_UNSIGNED_INT, "power_idle_mw"},
    {NVML_FI_DEV_POWER_MIN_LIMIT, NVML_VALUE_TYPE_UNSIGNED_INT, "power_limit_min_mw"},
    {NVML_FI_DEV_POWER_MAX_LIMIT, NVML_VALUE_TYPE_UNSIGNED_INT, "power_limit_max_mw"},
    {NVML_FI_DEV_POWER_DEFAULT_LIMIT, NVML_VALUE_TYPE_UNSIGNED_INT, "power_limit_mw"},
    {NVML_FI_DEV_POWER_CURRENT_LIMIT, NVML_VALUE_TYPE_UNSIGNED_INT, "power_limit_mw"},
    {NVML_FI_DEV_POWER_REQUESTED_LIMIT, NVML_VALUE_TYPE_UNSIGNED_INT, "power_limit_mw"},
    {NVML_FI_DEV_TEMPERATURE_SHUTDOWN_TLIMIT, NVML_VALUE_TYPE_SIGNED_INT, "tlimit_shutdown_c"},
    {NVML_FI_DEV_TEMPERATURE_SLOWDOWN_TLIMIT, NVML_VALUE_TYPE_SIGNED_INT, "tlimit_slowdown_c"},
    {NVML_FI_DEV_TEMPERATURE_MEM_MAX_TLIMIT, NVML_VALUE_TYPE_SIGNED_INT, NULL},
    {NVML_FI_DEV_TEMPERATURE_GPU_MAX_TLIMIT, NVML_VALUE_TYPE_SIGNED_INT, NULL},
};

static nvmlReturn_t table_value(nvmlDevice_t device, nvmlFieldValue_t *out)
{
    for (size_t i = 0; i < SW_COUNT_OF(FIELDS); i++) {
        long long value = 0;
        if (FIELDS[i].id != out->fieldId) continue;
        if (FIELDS[i].key && !nvml_number(device, FIELDS[i].key, &value)) return NVML_ERROR_NOT_SUPPORTED;
        out->valueType = FIELDS[i].type;
        if (FIELDS[i].type == NVML_VALUE_TYPE_UNSIGNED_LONG_LONG)
            out->value.ullVal = (unsigned long long)value;
        else
            out->value.uiVal = (unsigned)value;
        return NVML_SUCCESS;
    }
    return NVML_ERROR_NOT_SUPPORTED;
}

static nvmlReturn_t field_value(nvmlDevice_t device, nvmlFieldValue_t *out)
{
    nvmlEnableState_t now, next, link;
    out->value.ullVal = 0;
    switch (out->fieldId) {
    case NVML_FI_DEV_ECC_CURRENT:
    case NVML_FI_DEV_ECC_PENDING:
        out->valueType = NVML_VALUE_TYPE_UNSIGNED_LONG_LONG;
        NVML_TRY(nvmlDeviceGetEccMode(device, &now, &next));
        out->value.ullVal = (unsigned long long)now;
        return NVML_SUCCESS;
    case NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION:
        out->valueType = NVML_VALUE_TYPE_UNSIGNED_LONG_LONG;
        return nvmlDeviceGetTotalEnergyConsumption(device, &out->value.ullVal);
    case NVML_FI_DEV_NVLINK_GET_STATE:
        out->valueType = NVML_VALUE_TYPE_UNSIGNED_INT;
        NVML_TRY(nvmlDeviceGetNvLinkState(device, out->scopeId, &link));
        out->value.uiVal = (unsigned)link;
        return NVML_SUCCESS;
    default:
        return out->fieldId && out->fieldId < 274 ? table_value(device, out) : NVML_ERROR_INVALID_ARGUMENT;
    }
}

NVML_API nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values)
{
    struct timespec now;
    NVML_TRY(nvml_check(device));
    if (!values || count <= 0) return NVML_ERROR_INVALID_ARGUMENT;
    clock_gettime(CLOCK_REALTIME, &now);
    for (int i = 0; i < count; i++) {
        values[i].timestamp = (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000;
        values[i].nvmlReturn = field_value(device, &values[i]);
    }
    return NVML_SUCCESS;
}

/* ---- events */

static const unsigned long long KNOWN_EVENTS = 65439; /* what an H200 offers */

struct nvmlEventSet_st {
    unsigned long long wanted;
};

NVML_API nvmlDeviceGetSupportedEventTypes(nvmlDevice_t device, unsigned long long *types)
{
    NVML_TRY(nvml_check(device));
    if (!types) return NVML_ERROR_INVALID_ARGUMENT;
    *types = KNOWN_EVENTS;
    return NVML_SUCCESS;
}

NVML_API nvmlEventSetCreate(nvmlEventSet_t *out)
{
    NVML_TRY(nvml_ready());
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    *out = sw_xcalloc(1, sizeof **out);
    return NVML_SUCCESS;
}

NVML_API nvmlDeviceRegisterEvents(nvmlDevice_t device, unsigned long long types, nvmlEventSet_t set)
{
    NVML_TRY(nvml_check(device));
    if (!set) return NVML_ERROR_INVALID_ARGUMENT;
    if (types & ~KNOWN_EVENTS) return NVML_ERROR_NOT_SUPPORTED;
    set->wanted |= types;
    return NVML_SUCCESS;
}

NVML_API nvmlEventSetWait_v2(nvmlEventSet_t set, nvmlEventData_t *data, unsigned timeout_ms)
{
    NVML_TRY(nvml_ready());
    if (!set || !data) return NVML_ERROR_INVALID_ARGUMENT;
    struct timespec time = {timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000};
    while (nanosleep(&time, &time) != 0)
        ;
    return NVML_ERROR_TIMEOUT;
}

NVML_API nvmlEventSetWait(nvmlEventSet_t set, nvmlEventData_t *data, unsigned timeout_ms)
{
    return nvmlEventSetWait_v2(set, data, timeout_ms);
}

NVML_API nvmlEventSetFree(nvmlEventSet_t set)
{
    NVML_TRY(nvml_ready());
    if (!set) return NVML_ERROR_INVALID_ARGUMENT;
    free(set);
    return NVML_SUCCESS;
}

NVML_API nvmlGpmQueryDeviceSupport(nvmlDevice_t device, nvmlGpmSupport_t *out)
{
    NVML_TRY(nvml_check(device));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    out->isSupportedDevice = 0; /* its functions are refused */
    return NVML_SUCCESS;
}
