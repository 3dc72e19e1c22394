/* SPDX-License-Identifier: Apache-2.0 */
/* The library itself: start and end, versions, error texts, and what a system without units and excluded
 * devices has.
 *
 * The machine is what SOFTWARP_DEVICE says when nvmlInit is first called; CUDA_VISIBLE_DEVICES means nothing
 * here, as in NVIDIA's library. Handles stay valid for the life of the process. */
#include "nvml_priv.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct nvml_machine nvml_machine;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned starts;
static bool loaded;

int nvml_refuse(const char *name, int *said)
{
    sw_log_once(said, "%s is not supported", name);
    return NVML_ERROR_NOT_SUPPORTED;
}

/* ---- start and end */

static void system_describe(struct nvmlDevice_st *device)
{
    const struct arch_device *machine = &device->device;
    arch_machine_uuid(machine, device->uuid);
    snprintf(device->serial, sizeof device->serial, "%013llu",
             (unsigned long long)(machine->key % 10000000000000u));
    snprintf(device->bus_id, sizeof device->bus_id, "00000000:%02X:00.0", machine->number + 1);
    arch_gpu_management(machine->gpu.origin, &nvml_machine.arena, &device->management);
}

static nvmlReturn_t load_locked(void)
{
    struct arch_device devices[ARCH_DEVICES];
    struct sw_error error = {0};
    if (loaded) return NVML_SUCCESS;
    if (arch_machine_load(getenv("SOFTWARP_DEVICE"), devices, &nvml_machine.count, &error) != SW_OK) {
        char line[1024];
        sw_log("%s", sw_error_format(&error, line, sizeof line));
        return NVML_ERROR_DRIVER_NOT_LOADED;
    }
    arena_init(&nvml_machine.arena);
    for (uint32_t i = 0; i < nvml_machine.count; i++) {
        nvml_machine.devices[i].device = devices[i];
        system_describe(&nvml_machine.devices[i]);
    }
    loaded = true;
    return NVML_SUCCESS;
}

static nvmlReturn_t system_start(void)
{
    pthread_mutex_lock(&lock);
    nvmlReturn_t result = load_locked();
    if (result == NVML_SUCCESS) starts++;
    pthread_mutex_unlock(&lock);
    return result;
}

NVML_API nvmlInit(void)
{
    return system_start();
}

NVML_API nvmlInit_v2(void)
{
    return system_start();
}

NVML_API nvmlInitWithFlags(unsigned flags)
{
    if (flags & ~(unsigned)(NVML_INIT_FLAG_NO_GPUS | NVML_INIT_FLAG_NO_ATTACH))
        return NVML_ERROR_INVALID_ARGUMENT;
    return system_start();
}

NVML_API nvmlShutdown(void)
{
    pthread_mutex_lock(&lock);
    nvmlReturn_t result = starts ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
    if (starts) starts--;
    pthread_mutex_unlock(&lock);
    return result;
}

nvmlReturn_t nvml_ready(void)
{
    pthread_mutex_lock(&lock);
    bool ready = starts > 0;
    pthread_mutex_unlock(&lock);
    return ready ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

nvmlReturn_t nvml_check(nvmlDevice_t device)
{
    NVML_TRY(nvml_ready());
    for (uint32_t i = 0; i < nvml_machine.count; i++)
        if (device == &nvml_machine.devices[i]) return NVML_SUCCESS;
    return NVML_ERROR_INVALID_ARGUMENT;
}

/* ---- answers */

nvmlReturn_t nvml_give(const char *text, char *out, unsigned capacity)
{
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    if (!text) return NVML_ERROR_NOT_SUPPORTED;
    if (strlen(text) + 1 > capacity) return NVML_ERROR_INSUFFICIENT_SIZE;
    strcpy(out, text);
    return NVML_SUCCESS;
}

const char *nvml_text(nvmlDevice_t device, const char *key)
{
    return map_get(&device->management, key);
}

bool nvml_number(nvmlDevice_t device, const char *key, long long *out)
{
    const char *text = nvml_text(device, key);
    if (text) *out = strtoll(text, NULL, 0);
    return text != NULL;
}

nvmlReturn_t nvml_give_number(nvmlDevice_t device, const char *key, unsigned *out)
{
    long long value;
    NVML_TRY(nvml_check(device));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    if (!nvml_number(device, key, &value)) return NVML_ERROR_NOT_SUPPORTED;
    *out = (unsigned)value;
    return NVML_SUCCESS;
}

nvmlReturn_t nvml_give_constant(nvmlDevice_t device, unsigned value, void *out)
{
    NVML_TRY(nvml_check(device));
    if (!out) return NVML_ERROR_INVALID_ARGUMENT;
    memcpy(out, &value, sizeof value);
    return NVML_SUCCESS;
}

/* ---- the system */

NVML_API nvmlSystemGetDriverVersion(char *version, unsigned capacity)
{
    NVML_TRY(nvml_ready());
    return nvml_give(NVML_DRIVER_VERSION, version, capacity);
}

NVML_API nvmlSystemGetNVMLVersion(char *version, unsigned capacity)
{
    return nvml_give(NVML_VERSION, version, capacity); /* before nvmlInit too */
}

NVML_API nvmlSystemGetCudaDriverVersion(int *version)
{
    if (!version) return NVML_ERROR_INVALID_ARGUMENT;
    *version = 13000;
    return NVML_SUCCESS;
}

NVML_API nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    return nvmlSystemGetCudaDriverVersion(version);
}

NVML_API nvmlSystemGetDriverBranch(nvmlSystemDriverBranchInfo_t *info, unsigned capacity)
{
    NVML_TRY(nvml_ready());
    if (!info) return NVML_ERROR_INVALID_ARGUMENT;
    if (info->version != nvmlSystemDriverBranchInfo_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    return nvml_give("r580", info->branch, capacity < sizeof info->branch ? capacity : sizeof info->branch);
}

NVML_API nvmlSystemGetProcessName(unsigned pid, char *name, unsigned capacity)
{
    char path[40], target[4096];
    NVML_TRY(nvml_ready());
    if (!name || capacity == 0) return NVML_ERROR_INVALID_ARGUMENT;
    snprintf(path, sizeof path, "/proc/%u/exe", pid);
    ssize_t length = pid ? readlink(path, target, sizeof target - 1) : -1;
    if (length <= 0) return NVML_ERROR_NOT_FOUND;
    target[length] = 0;
    snprintf(name, capacity, "%s", target);
    return NVML_SUCCESS;
}

static nvmlReturn_t none(unsigned *count)
{
    NVML_TRY(nvml_ready());
    if (!count) return NVML_ERROR_INVALID_ARGUMENT;
    *count = 0;
    return NVML_SUCCESS;
}

NVML_API nvmlSystemGetHicVersion(unsigned *count, nvmlHwbcEntry_t *entries)
{
    (void)entries;
    return none(count);
}

NVML_API nvmlUnitGetCount(unsigned *count)
{
    return none(count);
}

NVML_API nvmlGetExcludedDeviceCount(unsigned *count)
{
    return none(count);
}

/* Every processor is near every device. */
NVML_API nvmlSystemGetTopologyGpuSet(unsigned cpu, unsigned *count, nvmlDevice_t *set)
{
    NVML_TRY(nvml_ready());
    if (!count || cpu >= (unsigned)sysconf(_SC_NPROCESSORS_CONF)) return NVML_ERROR_INVALID_ARGUMENT;
    for (uint32_t i = 0; set && i < *count && i < nvml_machine.count; i++)
        set[i] = &nvml_machine.devices[i];
    *count = nvml_machine.count;
    return NVML_SUCCESS;
}

/* ---- errors */

static const char *const TEXTS[] = {"Success",
                                    "Uninitialized",
                                    "Invalid Argument",
                                    "Not Supported",
                                    "Insufficient Permissions",
                                    "Already Initialized",
                                    "Not Found",
                                    "Insufficient Size",
                                    "Insufficient External Power",
                                    "Driver Not Loaded",
                                    "Timeout",
                                    "Interrupt Request Issue",
                                    "NVML Shared Library Not Found",
                                    "Function Not Found",
                                    "Corrupted infoROM",
                                    "GPU is lost",
                                    "GPU requires reset",
                                    "GPU access blocked by the operating system",
                                    "Driver/library version mismatch",
                                    "In use by another client",
                                    "Insufficient Memory",
                                    "No data",
                                    "vGPU ECC not supported",
                                    "Insufficient Resources",
                                    "Invalid Frequency",
                                    "Argument version mismatch",
                                    "Requested functionality has been deprecated",
                                    "System is not in ready state",
                                    "No supported GPUs were found",
                                    "Resource not in correct state to perform requested operation",
                                    "Reset type is not supported for given device"};

__attribute__((visibility("default"))) const char *nvmlErrorString(nvmlReturn_t result)
{
    return (unsigned)result < SW_COUNT_OF(TEXTS) ? TEXTS[result] : "Unknown Error";
}
