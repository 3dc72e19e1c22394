/* SPDX-License-Identifier: Apache-2.0 */
/* usage: nvml_answers [LIBRARY]      The answer of the management library to each call, one line each:
 * the call, its return code, its values. A value after ~ varies in time or between boards. Recorded on a
 * real GPU (nvml_answers.h200.txt) and compared with Softwarp's answers (tests/support/compare_answers.py).
 * */
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include <nvml.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;

static void *entry(const char *name)
{
    void *found = dlsym(library, name);
    if (!found) printf("%s: no such function\n", name);
    return found;
}

/* Call fn where it exists; `r` has what it returned. */
#define CALL(fn, ...)                                                                                        \
    do {                                                                                                     \
        __typeof__(&fn) f_ = (__typeof__(&fn))entry(#fn);                                                    \
        r = f_ ? f_(__VA_ARGS__) : NVML_ERROR_UNKNOWN;                                                       \
    } while (0)
/* Call and say: code alone, or with values when it succeeded. */
#define SAY(label, format, ...)                                                                              \
    do {                                                                                                     \
        printf("%s = %d", label, (int)r);                                                                    \
        if (r == NVML_SUCCESS) printf(" " format, __VA_ARGS__);                                              \
        puts("");                                                                                            \
    } while (0)
#define NUMBER(fn, mark)                                                                                     \
    do {                                                                                                     \
        unsigned v_ = 0;                                                                                     \
        CALL(fn, d, &v_);                                                                                    \
        SAY(#fn, mark "%u", v_);                                                                             \
    } while (0)
#define WIDE(fn, mark)                                                                                       \
    do {                                                                                                     \
        unsigned long long v_ = 0;                                                                           \
        CALL(fn, d, &v_);                                                                                    \
        SAY(#fn, mark "%llu", v_);                                                                           \
    } while (0)
#define ENUM(fn, type, mark)                                                                                 \
    do {                                                                                                     \
        type v_ = (type)0;                                                                                   \
        CALL(fn, d, &v_);                                                                                    \
        SAY(#fn, mark "%d", (int)v_);                                                                        \
    } while (0)
#define TEXT(fn, capacity, mark)                                                                             \
    do {                                                                                                     \
        char v_[capacity] = "";                                                                              \
        CALL(fn, d, v_, capacity);                                                                           \
        SAY(#fn, mark "%s", v_);                                                                             \
    } while (0)

static nvmlReturn_t r;
static nvmlDevice_t d;

static void system_calls(void)
{
    char text[256];
    int version = 0;
    unsigned count = 0;
    CALL(nvmlSystemGetDriverVersion, text, sizeof text);
    SAY("nvmlSystemGetDriverVersion", "~%s", text);
    CALL(nvmlSystemGetDriverVersion, text, 2);
    SAY("nvmlSystemGetDriverVersion short", "%s", text);
    CALL(nvmlSystemGetDriverVersion, NULL, 80);
    SAY("nvmlSystemGetDriverVersion null", "%d", 0);
    CALL(nvmlSystemGetNVMLVersion, text, sizeof text);
    SAY("nvmlSystemGetNVMLVersion", "~%s", text);
    CALL(nvmlSystemGetCudaDriverVersion, &version);
    SAY("nvmlSystemGetCudaDriverVersion", "%d", version);
    CALL(nvmlSystemGetCudaDriverVersion_v2, &version);
    SAY("nvmlSystemGetCudaDriverVersion_v2", "%d", version);
    CALL(nvmlSystemGetCudaDriverVersion, NULL);
    SAY("nvmlSystemGetCudaDriverVersion null", "%d", 0);
    nvmlSystemDriverBranchInfo_t branch = {.version = nvmlSystemDriverBranchInfo_v1};
    CALL(nvmlSystemGetDriverBranch, &branch, 80);
    SAY("nvmlSystemGetDriverBranch", "~%s", branch.branch);
    CALL(nvmlSystemGetHicVersion, &count, NULL);
    SAY("nvmlSystemGetHicVersion", "%u", count);
    CALL(nvmlUnitGetCount, &count);
    SAY("nvmlUnitGetCount", "%u", count);
    CALL(nvmlGetExcludedDeviceCount, &count);
    SAY("nvmlGetExcludedDeviceCount", "%u", count);
    CALL(nvmlSystemGetProcessName, 4000000, text, sizeof text);
    SAY("nvmlSystemGetProcessName nobody", "%s", text);
    CALL(nvmlSystemGetProcessName, 0, text, sizeof text);
    SAY("nvmlSystemGetProcessName 0", "%s", text);
}

static void errors(void)
{
    const char *(*text_of)(nvmlReturn_t) = (const char *(*)(nvmlReturn_t))entry("nvmlErrorString");
    for (int i = 0; text_of && i <= 30; i++)
        printf("nvmlErrorString %d = %s\n", i, text_of((nvmlReturn_t)i));
    if (text_of) printf("nvmlErrorString 999 = %s\n", text_of((nvmlReturn_t)999));
    if (text_of) printf("nvmlErrorString 500 = %s\n", text_of((nvmlReturn_t)500));
}

static void enumeration(void)
{
    nvmlDevice_t found;
    char text[96] = "", bus[64];
    nvmlPciInfo_t pci = {0};
    CALL(nvmlDeviceGetHandleByIndex_v2, 99, &found);
    SAY("nvmlDeviceGetHandleByIndex 99", "%d", 0);
    CALL(nvmlDeviceGetHandleByIndex_v2, 0, NULL);
    SAY("nvmlDeviceGetHandleByIndex null", "%d", 0);
    CALL(nvmlDeviceGetHandleByUUID, "GPU-00000000-0000-0000-0000-000000000000", &found);
    SAY("nvmlDeviceGetHandleByUUID nobody", "%d", 0);
    CALL(nvmlDeviceGetHandleByUUID, "nonsense", &found);
    SAY("nvmlDeviceGetHandleByUUID nonsense", "%d", 0);
    CALL(nvmlDeviceGetHandleBySerial, "0", &found);
    SAY("nvmlDeviceGetHandleBySerial nobody", "%d", 0);
    CALL(nvmlDeviceGetHandleByPciBusId_v2, "0000:fe:1f.0", &found);
    SAY("nvmlDeviceGetHandleByPciBusId nobody", "%d", 0);
    CALL(nvmlDeviceGetHandleByPciBusId_v2, "nonsense", &found);
    SAY("nvmlDeviceGetHandleByPciBusId nonsense", "%d", 0);
    CALL(nvmlDeviceGetUUID, d, text, sizeof text);
    CALL(nvmlDeviceGetHandleByUUID, text, &found);
    SAY("nvmlDeviceGetHandleByUUID own", "%d", found == d);
    CALL(nvmlDeviceGetPciInfo_v3, d, &pci);
    SAY("nvmlDeviceGetPciInfo_v3", "domain %u bus ~%u device ~%u legacy ~%s id ~%s", pci.domain, pci.bus,
        pci.device, pci.busIdLegacy, pci.busId);
    SAY("nvmlDeviceGetPciInfo_v3 ids", "%08x %08x", pci.pciDeviceId, pci.pciSubSystemId);
    CALL(nvmlDeviceGetHandleByPciBusId_v2, pci.busId, &found);
    SAY("nvmlDeviceGetHandleByPciBusId own", "%d", found == d);
    CALL(nvmlDeviceGetHandleByPciBusId_v2, pci.busIdLegacy, &found);
    SAY("nvmlDeviceGetHandleByPciBusId legacy", "%d", found == d);
    snprintf(bus, sizeof bus, "%x:%x.0", pci.bus, pci.device);
    CALL(nvmlDeviceGetHandleByPciBusId_v2, bus, &found);
    SAY("nvmlDeviceGetHandleByPciBusId short", "%d", found == d);
    nvmlPciInfoExt_t more = {.version = nvmlPciInfoExt_v1};
    CALL(nvmlDeviceGetPciInfoExt, d, &more);
    SAY("nvmlDeviceGetPciInfoExt", "base %x sub %x", more.baseClass, more.subClass);
    more.version = 7;
    CALL(nvmlDeviceGetPciInfoExt, d, &more);
    SAY("nvmlDeviceGetPciInfoExt version 7", "%d", 0);
    CALL(nvmlDeviceGetSerial, d, text, sizeof text);
    SAY("nvmlDeviceGetSerial", "~%s", text);
    CALL(nvmlDeviceGetHandleBySerial, text, &found);
    SAY("nvmlDeviceGetHandleBySerial own", "%d", found == d);
    CALL(nvmlDeviceGetName, d, text, 4);
    SAY("nvmlDeviceGetName short", "%s", text);
    CALL(nvmlDeviceGetName, NULL, text, 64);
    SAY("nvmlDeviceGetName no device", "%s", text);
}

static void identity(void)
{
    int major = 0, minor = 0, same = 0;
    TEXT(nvmlDeviceGetName, 96, "");
    TEXT(nvmlDeviceGetUUID, 96, "~");
    TEXT(nvmlDeviceGetBoardPartNumber, 80, "");
    TEXT(nvmlDeviceGetVbiosVersion, 32, "~");
    TEXT(nvmlDeviceGetInforomImageVersion, 32, "~");
    NUMBER(nvmlDeviceGetInforomConfigurationChecksum, "~");
    CALL(nvmlDeviceValidateInforom, d);
    SAY("nvmlDeviceValidateInforom", "%d", 0);
    for (int i = 0; i < 4; i++) {
        char text[32] = "", label[64];
        snprintf(label, sizeof label, "nvmlDeviceGetInforomVersion %d", i);
        CALL(nvmlDeviceGetInforomVersion, d, (nvmlInforomObject_t)i, text, sizeof text);
        SAY(label, "%s", text);
    }
    ENUM(nvmlDeviceGetBrand, nvmlBrandType_t, "");
    NUMBER(nvmlDeviceGetIndex, "");
    NUMBER(nvmlDeviceGetMinorNumber, "~");
    NUMBER(nvmlDeviceGetModuleId, "~");
    NUMBER(nvmlDeviceGetBoardId, "~");
    NUMBER(nvmlDeviceGetMultiGpuBoard, "");
    NUMBER(nvmlDeviceGetIrqNum, "~");
    NUMBER(nvmlDeviceGetBusType, "");
    NUMBER(nvmlDeviceGetArchitecture, "");
    NUMBER(nvmlDeviceGetNumGpuCores, "");
    NUMBER(nvmlDeviceGetMemoryBusWidth, "");
    CALL(nvmlDeviceGetCudaComputeCapability, d, &major, &minor);
    SAY("nvmlDeviceGetCudaComputeCapability", "%d.%d", major, minor);
    CALL(nvmlDeviceOnSameBoard, d, d, &same);
    SAY("nvmlDeviceOnSameBoard self", "%d", same);
}

static void memory(void)
{
    nvmlMemory_t one = {0};
    nvmlMemory_v2_t two = {.version = nvmlMemory_v2};
    nvmlBAR1Memory_t bar = {0};
    CALL(nvmlDeviceGetMemoryInfo, d, &one);
    SAY("nvmlDeviceGetMemoryInfo", "total %llu free ~%llu used ~%llu sum %d", one.total, one.free, one.used,
        one.free + one.used == one.total);
    CALL(nvmlDeviceGetMemoryInfo_v2, d, &two);
    SAY("nvmlDeviceGetMemoryInfo_v2", "total %llu free ~%llu used ~%llu reserved %llu sum %d", two.total,
        two.free, two.used, two.reserved, two.free + two.used + two.reserved == two.total);
    two.version = 3;
    CALL(nvmlDeviceGetMemoryInfo_v2, d, &two);
    SAY("nvmlDeviceGetMemoryInfo_v2 version 3", "%d", 0);
    CALL(nvmlDeviceGetBAR1MemoryInfo, d, &bar);
    SAY("nvmlDeviceGetBAR1MemoryInfo", "total %llu free ~%llu used ~%llu", bar.bar1Total, bar.bar1Free,
        bar.bar1Used);
}

static void clocks(void)
{
    char label[96];
    unsigned v = 0, count = 0, list[512];
    for (int type = 0; type < 5; type++) {
        snprintf(label, sizeof label, "nvmlDeviceGetClockInfo %d", type);
        CALL(nvmlDeviceGetClockInfo, d, (nvmlClockType_t)type, &v);
        SAY(label, "~%u", v);
        snprintf(label, sizeof label, "nvmlDeviceGetMaxClockInfo %d", type);
        CALL(nvmlDeviceGetMaxClockInfo, d, (nvmlClockType_t)type, &v);
        SAY(label, "%u", v);
        snprintf(label, sizeof label, "nvmlDeviceGetApplicationsClock %d", type);
        CALL(nvmlDeviceGetApplicationsClock, d, (nvmlClockType_t)type, &v);
        SAY(label, "%u", v);
        snprintf(label, sizeof label, "nvmlDeviceGetDefaultApplicationsClock %d", type);
        CALL(nvmlDeviceGetDefaultApplicationsClock, d, (nvmlClockType_t)type, &v);
        SAY(label, "%u", v);
        snprintf(label, sizeof label, "nvmlDeviceGetMaxCustomerBoostClock %d", type);
        CALL(nvmlDeviceGetMaxCustomerBoostClock, d, (nvmlClockType_t)type, &v);
        SAY(label, "%u", v);
        for (int id = 0; id < 5; id++) {
            snprintf(label, sizeof label, "nvmlDeviceGetClock %d %d", type, id);
            CALL(nvmlDeviceGetClock, d, (nvmlClockType_t)type, (nvmlClockId_t)id, &v);
            SAY(label, "~%u", v);
        }
    }
    CALL(nvmlDeviceGetSupportedMemoryClocks, d, &count, NULL);
    SAY("nvmlDeviceGetSupportedMemoryClocks none", "%u", count);
    count = 512;
    CALL(nvmlDeviceGetSupportedMemoryClocks, d, &count, list);
    SAY("nvmlDeviceGetSupportedMemoryClocks", "%u", count);
    unsigned top = r == NVML_SUCCESS && count ? list[0] : 0;
    for (unsigned i = 0; r == NVML_SUCCESS && i < count; i++)
        printf("memory clock %u\n", list[i]);
    count = 512;
    CALL(nvmlDeviceGetSupportedGraphicsClocks, d, top, &count, list);
    SAY("nvmlDeviceGetSupportedGraphicsClocks", "%u first %u last %u step %u", count, list[0],
        list[count ? count - 1 : 0], count > 1 ? list[0] - list[1] : 0);
    CALL(nvmlDeviceGetSupportedGraphicsClocks, d, 7, &count, list);
    SAY("nvmlDeviceGetSupportedGraphicsClocks 7 MHz", "%u", count);
    WIDE(nvmlDeviceGetCurrentClocksEventReasons, "~");
    WIDE(nvmlDeviceGetCurrentClocksThrottleReasons, "~");
    WIDE(nvmlDeviceGetSupportedClocksEventReasons, "");
    WIDE(nvmlDeviceGetSupportedClocksThrottleReasons, "");
    nvmlEnableState_t a = 0, b = 0;
    CALL(nvmlDeviceGetAutoBoostedClocksEnabled, d, &a, &b);
    SAY("nvmlDeviceGetAutoBoostedClocksEnabled", "%d %d", (int)a, (int)b);
    NUMBER(nvmlDeviceGetAdaptiveClockInfoStatus, "");
}

static void use(void)
{
    nvmlUtilization_t both = {0};
    unsigned a = 0, b = 0, c = 0;
    nvmlFBCStats_t fbc = {0};
    CALL(nvmlDeviceGetUtilizationRates, d, &both);
    SAY("nvmlDeviceGetUtilizationRates", "~%u ~%u", both.gpu, both.memory);
    CALL(nvmlDeviceGetEncoderUtilization, d, &a, &b);
    SAY("nvmlDeviceGetEncoderUtilization", "%u ~%u", a, b);
    CALL(nvmlDeviceGetDecoderUtilization, d, &a, &b);
    SAY("nvmlDeviceGetDecoderUtilization", "%u ~%u", a, b);
    CALL(nvmlDeviceGetJpgUtilization, d, &a, &b);
    SAY("nvmlDeviceGetJpgUtilization", "%u ~%u", a, b);
    CALL(nvmlDeviceGetOfaUtilization, d, &a, &b);
    SAY("nvmlDeviceGetOfaUtilization", "%u ~%u", a, b);
    CALL(nvmlDeviceGetEncoderStats, d, &a, &b, &c);
    SAY("nvmlDeviceGetEncoderStats", "%u %u %u", a, b, c);
    a = 0;
    CALL(nvmlDeviceGetEncoderSessions, d, &a, NULL);
    SAY("nvmlDeviceGetEncoderSessions", "%u", a);
    for (int i = 0; i < 3; i++) {
        char label[64];
        snprintf(label, sizeof label, "nvmlDeviceGetEncoderCapacity %d", i);
        CALL(nvmlDeviceGetEncoderCapacity, d, (nvmlEncoderType_t)i, &a);
        SAY(label, "%u", a);
    }
    CALL(nvmlDeviceGetFBCStats, d, &fbc);
    SAY("nvmlDeviceGetFBCStats", "%u %u %u", fbc.sessionsCount, fbc.averageFPS, fbc.averageLatency);
    a = 0;
    CALL(nvmlDeviceGetFBCSessions, d, &a, NULL);
    SAY("nvmlDeviceGetFBCSessions", "%u", a);
    a = 0;
    CALL(nvmlDeviceGetProcessUtilization, d, NULL, &a, 0);
    SAY("nvmlDeviceGetProcessUtilization none", "~%u", a);
#define PROCESSES(fn, type)                                                                                  \
    do {                                                                                                     \
        type list_[64];                                                                                      \
        a = 64;                                                                                              \
        CALL(fn, d, &a, list_);                                                                              \
        SAY(#fn, "%u", a);                                                                                   \
    } while (0)
    PROCESSES(nvmlDeviceGetComputeRunningProcesses, nvmlProcessInfo_v1_t);
    PROCESSES(nvmlDeviceGetComputeRunningProcesses_v2, nvmlProcessInfo_v2_t);
    PROCESSES(nvmlDeviceGetComputeRunningProcesses_v3, nvmlProcessInfo_t);
    PROCESSES(nvmlDeviceGetGraphicsRunningProcesses, nvmlProcessInfo_v1_t);
    PROCESSES(nvmlDeviceGetGraphicsRunningProcesses_v3, nvmlProcessInfo_t);
    PROCESSES(nvmlDeviceGetMPSComputeRunningProcesses, nvmlProcessInfo_v1_t);
    PROCESSES(nvmlDeviceGetMPSComputeRunningProcesses_v3, nvmlProcessInfo_t);
    nvmlProcessDetail_v1_t details[64];
    for (unsigned mode = 0; mode < 4; mode++) {
        char label[64];
        nvmlProcessDetailList_t list = {nvmlProcessDetailList_v1, mode, 64, details};
        snprintf(label, sizeof label, "nvmlDeviceGetRunningProcessDetailList %u", mode);
        CALL(nvmlDeviceGetRunningProcessDetailList, d, &list);
        SAY(label, "%u", list.numProcArrayEntries);
    }
}

static void faults(void)
{
    nvmlEnableState_t now = 0, next = 0;
    char label[96];
    CALL(nvmlDeviceGetEccMode, d, &now, &next);
    SAY("nvmlDeviceGetEccMode", "%d %d", (int)now, (int)next);
    ENUM(nvmlDeviceGetDefaultEccMode, nvmlEnableState_t, "");
    for (int error = 0; error < 3; error++)
        for (int counter = 0; counter < 3; counter++) {
            unsigned long long n = 0;
            snprintf(label, sizeof label, "nvmlDeviceGetTotalEccErrors %d %d", error, counter);
            CALL(nvmlDeviceGetTotalEccErrors, d, (nvmlMemoryErrorType_t)error, (nvmlEccCounterType_t)counter,
                 &n);
            SAY(label, "%llu", n);
        }
    for (int place = 0; place < 9; place++) {
        unsigned long long n = 0;
        snprintf(label, sizeof label, "nvmlDeviceGetMemoryErrorCounter 0 0 %d", place);
        CALL(nvmlDeviceGetMemoryErrorCounter, d, (nvmlMemoryErrorType_t)0, (nvmlEccCounterType_t)0,
             (nvmlMemoryLocation_t)place, &n);
        SAY(label, "%llu", n);
    }
    nvmlEccErrorCounts_t detail = {0};
    CALL(nvmlDeviceGetDetailedEccErrors, d, (nvmlMemoryErrorType_t)0, (nvmlEccCounterType_t)0, &detail);
    SAY("nvmlDeviceGetDetailedEccErrors", "%llu %llu %llu %llu", detail.l1Cache, detail.l2Cache,
        detail.deviceMemory, detail.registerFile);
    unsigned count = 0;
    CALL(nvmlDeviceGetRetiredPages, d, (nvmlPageRetirementCause_t)0, &count, NULL);
    SAY("nvmlDeviceGetRetiredPages", "%u", count);
    CALL(nvmlDeviceGetRetiredPages_v2, d, (nvmlPageRetirementCause_t)0, &count, NULL, NULL);
    SAY("nvmlDeviceGetRetiredPages_v2", "%u", count);
    ENUM(nvmlDeviceGetRetiredPagesPendingStatus, nvmlEnableState_t, "");
    unsigned rows[4] = {0};
    CALL(nvmlDeviceGetRemappedRows, d, &rows[0], &rows[1], &rows[2], &rows[3]);
    SAY("nvmlDeviceGetRemappedRows", "~%u ~%u %u %u", rows[0], rows[1], rows[2], rows[3]);
    nvmlRowRemapperHistogramValues_t h = {0};
    CALL(nvmlDeviceGetRowRemapperHistogram, d, &h);
    SAY("nvmlDeviceGetRowRemapperHistogram", "max ~%u high ~%u partial ~%u low ~%u none ~%u", h.max, h.high,
        h.partial, h.low, h.none);
    nvmlEccSramErrorStatus_t sram = {.version = nvmlEccSramErrorStatus_v1};
    CALL(nvmlDeviceGetSramEccErrorStatus, d, &sram);
    SAY("nvmlDeviceGetSramEccErrorStatus", "%llu %llu", sram.aggregateUncParity, sram.volatileCor);
}

static void power(void)
{
    unsigned a = 0, b = 0;
    char label[96];
    NUMBER(nvmlDeviceGetPowerUsage, "~");
    ENUM(nvmlDeviceGetPowerManagementMode, nvmlEnableState_t, "");
    NUMBER(nvmlDeviceGetPowerManagementLimit, "");
    CALL(nvmlDeviceGetPowerManagementLimitConstraints, d, &a, &b);
    SAY("nvmlDeviceGetPowerManagementLimitConstraints", "%u %u", a, b);
    NUMBER(nvmlDeviceGetPowerManagementDefaultLimit, "");
    NUMBER(nvmlDeviceGetEnforcedPowerLimit, "");
    WIDE(nvmlDeviceGetTotalEnergyConsumption, "~");
    ENUM(nvmlDeviceGetPowerState, nvmlPstates_t, "~");
    ENUM(nvmlDeviceGetPerformanceState, nvmlPstates_t, "~");
    nvmlPstates_t states[16];
    CALL(nvmlDeviceGetSupportedPerformanceStates, d, states, sizeof states);
    SAY("nvmlDeviceGetSupportedPerformanceStates", "%d %d %d", (int)states[0], (int)states[1],
        (int)states[2]);
    NUMBER(nvmlDeviceGetPowerSource, "");
    for (int i = 0; i < 8; i++) {
        nvmlViolationTime_t time = {0};
        snprintf(label, sizeof label, "nvmlDeviceGetViolationStatus %d", i);
        CALL(nvmlDeviceGetViolationStatus, d, (nvmlPerfPolicyType_t)i, &time);
        SAY(label, "~%llu ~%llu", time.referenceTime, time.violationTime);
    }
    CALL(nvmlDeviceGetTemperature, d, NVML_TEMPERATURE_GPU, &a);
    SAY("nvmlDeviceGetTemperature", "~%u", a);
    CALL(nvmlDeviceGetTemperature, d, (nvmlTemperatureSensors_t)1, &a);
    SAY("nvmlDeviceGetTemperature 1", "~%u", a);
    nvmlTemperature_t t = {.version = nvmlTemperature_v1};
    CALL(nvmlDeviceGetTemperatureV, d, &t);
    SAY("nvmlDeviceGetTemperatureV", "~%d", t.temperature);
    for (int i = 0; i < 9; i++) {
        snprintf(label, sizeof label, "nvmlDeviceGetTemperatureThreshold %d", i);
        CALL(nvmlDeviceGetTemperatureThreshold, d, (nvmlTemperatureThresholds_t)i, &a);
        SAY(label, "%u", a);
    }
    nvmlGpuThermalSettings_t settings = {0};
    CALL(nvmlDeviceGetThermalSettings, d, 15, &settings);
    SAY("nvmlDeviceGetThermalSettings", "%u", settings.count);
    NUMBER(nvmlDeviceGetFanSpeed, "~");
    NUMBER(nvmlDeviceGetNumFans, "");
    CALL(nvmlDeviceGetFanSpeed_v2, d, 0, &a);
    SAY("nvmlDeviceGetFanSpeed_v2 0", "~%u", a);
    CALL(nvmlDeviceGetMinMaxFanSpeed, d, &a, &b);
    SAY("nvmlDeviceGetMinMaxFanSpeed", "%u %u", a, b);
}

static void bus(void)
{
    unsigned a = 0;
    NUMBER(nvmlDeviceGetCurrPcieLinkGeneration, "~");
    NUMBER(nvmlDeviceGetMaxPcieLinkGeneration, "");
    NUMBER(nvmlDeviceGetGpuMaxPcieLinkGeneration, "");
    NUMBER(nvmlDeviceGetCurrPcieLinkWidth, "");
    NUMBER(nvmlDeviceGetMaxPcieLinkWidth, "");
    NUMBER(nvmlDeviceGetPcieSpeed, "~");
    NUMBER(nvmlDeviceGetPcieLinkMaxSpeed, "");
    NUMBER(nvmlDeviceGetPcieReplayCounter, "~");
    for (int i = 0; i < 3; i++) {
        char label[64];
        snprintf(label, sizeof label, "nvmlDeviceGetPcieThroughput %d", i);
        CALL(nvmlDeviceGetPcieThroughput, d, (nvmlPcieUtilCounter_t)i, &a);
        SAY(label, "~%u", a);
    }
}

static void modes(void)
{
    unsigned a = 0, b = 0;
    nvmlDevice_t mig;
    ENUM(nvmlDeviceGetPersistenceMode, nvmlEnableState_t, "~");
    ENUM(nvmlDeviceGetComputeMode, nvmlComputeMode_t, "");
    CALL(nvmlDeviceGetMigMode, d, &a, &b);
    SAY("nvmlDeviceGetMigMode", "%u %u", a, b);
    NUMBER(nvmlDeviceGetMaxMigDeviceCount, "");
    NUMBER(nvmlDeviceIsMigDeviceHandle, "");
    CALL(nvmlDeviceGetMigDeviceHandleByIndex, d, 0, &mig);
    SAY("nvmlDeviceGetMigDeviceHandleByIndex", "%d", 0);
    nvmlGpuOperationMode_t now = 0, next = 0;
    CALL(nvmlDeviceGetGpuOperationMode, d, &now, &next);
    SAY("nvmlDeviceGetGpuOperationMode", "%d %d", (int)now, (int)next);
    ENUM(nvmlDeviceGetDisplayMode, nvmlEnableState_t, "");
    ENUM(nvmlDeviceGetDisplayActive, nvmlEnableState_t, "");
    ENUM(nvmlDeviceGetVirtualizationMode, nvmlGpuVirtualizationMode_t, "~");
    ENUM(nvmlDeviceGetHostVgpuMode, nvmlHostVgpuMode_t, "");
    ENUM(nvmlDeviceGetAccountingMode, nvmlEnableState_t, "");
    NUMBER(nvmlDeviceGetAccountingBufferSize, "");
    a = 0;
    CALL(nvmlDeviceGetAccountingPids, d, &a, NULL);
    SAY("nvmlDeviceGetAccountingPids", "%u", a);
    for (int i = 0; i < 2; i++) {
        nvmlEnableState_t on = 0;
        char label[64];
        snprintf(label, sizeof label, "nvmlDeviceGetAPIRestriction %d", i);
        CALL(nvmlDeviceGetAPIRestriction, d, (nvmlRestrictedAPI_t)i, &on);
        SAY(label, "%d", (int)on);
    }
    CALL(nvmlDeviceGetGspFirmwareMode, d, &a, &b);
    SAY("nvmlDeviceGetGspFirmwareMode", "%u %u", a, b);
    char text[80] = "";
    CALL(nvmlDeviceGetGspFirmwareVersion, d, text);
    SAY("nvmlDeviceGetGspFirmwareVersion", "~%s", text);
    nvmlDriverModel_t one = 0, two = 0;
    CALL(nvmlDeviceGetDriverModel_v2, d, &one, &two);
    SAY("nvmlDeviceGetDriverModel_v2", "%d %d", (int)one, (int)two);
    nvmlDeviceAddressingMode_t mode = {.version = nvmlDeviceAddressingMode_v1};
    CALL(nvmlDeviceGetAddressingMode, d, &mode);
    SAY("nvmlDeviceGetAddressingMode", "~%u", mode.value);
    nvmlC2cModeInfo_v1_t c2c = {0};
    CALL(nvmlDeviceGetC2cModeInfoV, d, &c2c);
    SAY("nvmlDeviceGetC2cModeInfoV", "%u", c2c.isC2cEnabled);
    nvmlGpmSupport_t gpm = {.version = 1};
    CALL(nvmlGpmQueryDeviceSupport, d, &gpm);
    SAY("nvmlGpmQueryDeviceSupport", "%u", gpm.isSupportedDevice);
}

static void places(void)
{
    unsigned long set[16] = {0};
    unsigned count = 0;
    char label[96];
    CALL(nvmlDeviceGetCpuAffinity, d, 16, set);
    SAY("nvmlDeviceGetCpuAffinity", "~%lx", set[0]);
    CALL(nvmlDeviceGetCpuAffinityWithinScope, d, 16, set, NVML_AFFINITY_SCOPE_SOCKET);
    SAY("nvmlDeviceGetCpuAffinityWithinScope", "~%lx", set[0]);
    CALL(nvmlDeviceGetMemoryAffinity, d, 16, set, NVML_AFFINITY_SCOPE_NODE);
    SAY("nvmlDeviceGetMemoryAffinity", "~%lx", set[0]);
    NUMBER(nvmlDeviceGetNumaNodeId, "~");
    nvmlGpuTopologyLevel_t level = 0;
    CALL(nvmlDeviceGetTopologyCommonAncestor, d, d, &level);
    SAY("nvmlDeviceGetTopologyCommonAncestor self", "%d", (int)level);
    CALL(nvmlDeviceGetTopologyNearestGpus, d, NVML_TOPOLOGY_SYSTEM, &count, NULL);
    SAY("nvmlDeviceGetTopologyNearestGpus", "~%u", count);
    nvmlGpuP2PStatus_t status = 0;
    CALL(nvmlDeviceGetP2PStatus, d, d, (nvmlGpuP2PCapsIndex_t)0, &status);
    SAY("nvmlDeviceGetP2PStatus self", "%d", (int)status);
    for (unsigned link = 0; link < 20; link += link < 1 ? 1 : link < 17 ? 16 : 1) {
        nvmlEnableState_t on = 0;
        unsigned v = 0;
        snprintf(label, sizeof label, "nvmlDeviceGetNvLinkState %u", link);
        CALL(nvmlDeviceGetNvLinkState, d, link, &on);
        SAY(label, "~%d", (int)on);
        snprintf(label, sizeof label, "nvmlDeviceGetNvLinkVersion %u", link);
        CALL(nvmlDeviceGetNvLinkVersion, d, link, &v);
        SAY(label, "%u", v);
        for (int cap = 0; cap < 7; cap++) {
            snprintf(label, sizeof label, "nvmlDeviceGetNvLinkCapability %u %d", link, cap);
            CALL(nvmlDeviceGetNvLinkCapability, d, link, (nvmlNvLinkCapability_t)cap, &v);
            SAY(label, "%u", v);
        }
        for (int counter = 0; counter < 5; counter++) {
            unsigned long long n = 0;
            snprintf(label, sizeof label, "nvmlDeviceGetNvLinkErrorCounter %u %d", link, counter);
            CALL(nvmlDeviceGetNvLinkErrorCounter, d, link, (nvmlNvLinkErrorCounter_t)counter, &n);
            SAY(label, "~%llu", n);
        }
        nvmlPciInfo_t pci = {0};
        snprintf(label, sizeof label, "nvmlDeviceGetNvLinkRemotePciInfo_v2 %u", link);
        CALL(nvmlDeviceGetNvLinkRemotePciInfo_v2, d, link, &pci);
        SAY(label, "~%s", pci.busId);
        nvmlIntNvLinkDeviceType_t type = 0;
        snprintf(label, sizeof label, "nvmlDeviceGetNvLinkRemoteDeviceType %u", link);
        CALL(nvmlDeviceGetNvLinkRemoteDeviceType, d, link, &type);
        SAY(label, "~%d", (int)type);
    }
}

static void fields_and_events(void)
{
    unsigned long long types = 0;
    for (unsigned id = 1; id < 275; id++) {
        nvmlFieldValue_t v = {.fieldId = id};
        CALL(nvmlDeviceGetFieldValues, d, 1, &v);
        printf("field %u = %d %d", id, (int)r, (int)v.nvmlReturn);
        if (r == NVML_SUCCESS && v.nvmlReturn == NVML_SUCCESS)
            printf(" type %d ~%llu", (int)v.valueType, v.value.ullVal);
        puts("");
    }
    WIDE(nvmlDeviceGetSupportedEventTypes, "");
    nvmlEventSet_t set = NULL;
    nvmlEventData_t data = {0};
    CALL(nvmlEventSetCreate, &set);
    SAY("nvmlEventSetCreate", "%d", set != NULL);
    CALL(nvmlDeviceRegisterEvents, d, nvmlEventTypeXidCriticalError, set);
    SAY("nvmlDeviceRegisterEvents xid", "%d", 0);
    CALL(nvmlDeviceRegisterEvents, d, 1ull << 40, set);
    SAY("nvmlDeviceRegisterEvents unknown", "%d", 0);
    CALL(nvmlEventSetWait_v2, set, &data, 10);
    SAY("nvmlEventSetWait_v2", "%llu", data.eventType);
    CALL(nvmlEventSetFree, set);
    SAY("nvmlEventSetFree", "%d", 0);
    (void)types;
}

/* What lies between two devices; nothing where there is one. */
static void pairs(unsigned count)
{
    nvmlDevice_t a = d, b = NULL;
    if (count < 2) return;
    CALL(nvmlDeviceGetHandleByIndex_v2, 1, &b);
    int same = 0;
    CALL(nvmlDeviceOnSameBoard, a, b, &same);
    SAY("pair nvmlDeviceOnSameBoard", "%d", same);
    nvmlGpuTopologyLevel_t level = 0;
    CALL(nvmlDeviceGetTopologyCommonAncestor, a, b, &level);
    SAY("pair nvmlDeviceGetTopologyCommonAncestor", "~%d", (int)level);
    for (int i = 0; i < 7; i++) {
        char label[64];
        nvmlGpuP2PStatus_t status = 0;
        snprintf(label, sizeof label, "pair nvmlDeviceGetP2PStatus %d", i);
        CALL(nvmlDeviceGetP2PStatus, a, b, (nvmlGpuP2PCapsIndex_t)i, &status);
        SAY(label, "%d", (int)status);
    }
}

int main(int argc, char **argv)
{
    unsigned count = 0;
    library = dlopen(argc > 1 ? argv[1] : "libnvidia-ml.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 77;
    }
    CALL(nvmlDeviceGetCount_v2, &count);
    SAY("nvmlDeviceGetCount before init", "%u", count);
    CALL(nvmlShutdown);
    SAY("nvmlShutdown before init", "%d", 0);
    CALL(nvmlInit_v2);
    SAY("nvmlInit_v2", "%d", 0);
    CALL(nvmlInit_v2);
    SAY("nvmlInit_v2 again", "%d", 0);
    CALL(nvmlDeviceGetCount_v2, &count);
    SAY("nvmlDeviceGetCount_v2", "~%u", count);
    CALL(nvmlDeviceGetCount_v2, NULL);
    SAY("nvmlDeviceGetCount_v2 null", "%d", 0);
    CALL(nvmlDeviceGetHandleByIndex_v2, 0, &d);
    SAY("nvmlDeviceGetHandleByIndex_v2 0", "%d", d != NULL);
    errors();
    system_calls();
    enumeration();
    identity();
    memory();
    clocks();
    use();
    faults();
    power();
    bus();
    modes();
    places();
    fields_and_events();
    pairs(count);
    CALL(nvmlShutdown);
    SAY("nvmlShutdown", "%d", 0);
    CALL(nvmlDeviceGetCount_v2, &count);
    SAY("nvmlDeviceGetCount_v2 still", "~%u", count);
    CALL(nvmlShutdown);
    SAY("nvmlShutdown last", "%d", 0);
    CALL(nvmlDeviceGetCount_v2, &count);
    SAY("nvmlDeviceGetCount_v2 after", "%u", count);
    return 0;
}
