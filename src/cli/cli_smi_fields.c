/* SPDX-License-Identifier: Apache-2.0 */
/* What `softwarp smi` can be asked of a GPU or of a process, by name. cli_smi_fields.def is the table; a
 * getter writes the value without its unit, or nothing when it is not available. Values come from the
 * management library (src/nvml), linked in. */
#include "cli_smi_priv.h"

#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

typedef void smi_getter(const struct smi_gpu *gpu, int a, int b, struct str *out);

static void get_nothing(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    (void)gpu, (void)a, (void)b, (void)out;
}

enum { SAY_ZERO, SAY_YES, SAY_NONE, SAY_DISABLED, SAY_DEPRECATED, SAY_NOT_AVAILABLE };

static void get_constant(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    static const char *const TEXTS[] = {
        "0", "Yes", "None", "Disabled", "[Requested functionality has been deprecated]", "N/A"};
    (void)gpu, (void)b;
    str_add(out, TEXTS[a]);
}

static void get_timestamp(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    struct timeval now;
    struct tm tm;
    char text[64];
    (void)gpu, (void)a, (void)b;
    gettimeofday(&now, NULL);
    localtime_r(&now.tv_sec, &tm);
    strftime(text, sizeof text, "%Y/%m/%d %H:%M:%S", &tm);
    str_printf(out, "%s.%03d", text, (int)(now.tv_usec / 1000));
}

static void get_count(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    unsigned n = 0;
    (void)gpu, (void)a, (void)b;
    if (nvmlDeviceGetCount(&n) == NVML_SUCCESS) str_printf(out, "%u", n);
}

/* name(gpu, ...): what a call that gives a text, a number, or a state answers. */
#define TEXT(name, call)                                                                                     \
    static void get_##name(const struct smi_gpu *gpu, int a, int b, struct str *out)                         \
    {                                                                                                        \
        char text[128] = "";                                                                                 \
        (void)gpu, (void)a, (void)b;                                                                         \
        if (call == NVML_SUCCESS) str_add(out, text);                                                        \
    }
TEXT(driver_version, nvmlSystemGetDriverVersion(text, sizeof text))
TEXT(name, nvmlDeviceGetName(gpu->device, text, sizeof text))
TEXT(serial, nvmlDeviceGetSerial(gpu->device, text, sizeof text))
TEXT(uuid, nvmlDeviceGetUUID(gpu->device, text, sizeof text))
TEXT(vbios, nvmlDeviceGetVbiosVersion(gpu->device, text, sizeof text))
TEXT(inforom_image, nvmlDeviceGetInforomImageVersion(gpu->device, text, sizeof text))
TEXT(inforom, nvmlDeviceGetInforomVersion(gpu->device, (nvmlInforomObject_t)a, text, sizeof text))
TEXT(board_part, nvmlDeviceGetBoardPartNumber(gpu->device, text, sizeof text))
TEXT(gsp_version, nvmlDeviceGetGspFirmwareVersion(gpu->device, text))

#define NUMBER(name, format, call)                                                                           \
    static void get_##name(const struct smi_gpu *gpu, int a, int b, struct str *out)                         \
    {                                                                                                        \
        unsigned n = 0;                                                                                      \
        (void)a, (void)b;                                                                                    \
        if (call == NVML_SUCCESS) str_printf(out, format, n);                                                \
    }
NUMBER(index, "%u", nvmlDeviceGetIndex(gpu->device, &n))
NUMBER(minor_number, "%u", nvmlDeviceGetMinorNumber(gpu->device, &n))
NUMBER(module_id, "%u", nvmlDeviceGetModuleId(gpu->device, &n))
NUMBER(board_id, "0x%x", nvmlDeviceGetBoardId(gpu->device, &n))
NUMBER(pcie_generation, "%u", nvmlDeviceGetMaxPcieLinkGeneration(gpu->device, &n))
NUMBER(pcie_width, "%u", nvmlDeviceGetMaxPcieLinkWidth(gpu->device, &n))
NUMBER(accounting_size, "%u", nvmlDeviceGetAccountingBufferSize(gpu->device, &n))
NUMBER(fan, "%u", nvmlDeviceGetFanSpeed(gpu->device, &n))
NUMBER(clock, "%u", nvmlDeviceGetClock(gpu->device, (nvmlClockType_t)a, (nvmlClockId_t)b, &n))
NUMBER(clock_max, "%u", nvmlDeviceGetMaxClockInfo(gpu->device, (nvmlClockType_t)a, &n))
NUMBER(pcie_traffic, "%u", nvmlDeviceGetPcieThroughput(gpu->device, (nvmlPcieUtilCounter_t)a, &n))

#define STATE(name, type, on, off, call)                                                                     \
    static void get_##name(const struct smi_gpu *gpu, int a, int b, struct str *out)                         \
    {                                                                                                        \
        type n = (type)0, other = (type)0;                                                                   \
        (void)a, (void)b, (void)other;                                                                       \
        if (call == NVML_SUCCESS) str_add(out, n ? on : off);                                                \
    }
STATE(display_active, nvmlEnableState_t, "Enabled", "Disabled", nvmlDeviceGetDisplayActive(gpu->device, &n))
STATE(persistence, nvmlEnableState_t, "Enabled", "Disabled", nvmlDeviceGetPersistenceMode(gpu->device, &n))
STATE(accounting, nvmlEnableState_t, "Enabled", "Disabled", nvmlDeviceGetAccountingMode(gpu->device, &n))
STATE(power_mode, nvmlEnableState_t, "Enabled", "Disabled", nvmlDeviceGetPowerManagementMode(gpu->device, &n))
STATE(ecc_mode, nvmlEnableState_t, "Enabled", "Disabled", nvmlDeviceGetEccMode(gpu->device, &n, &other))
STATE(mig, unsigned, "Enabled", "Disabled", nvmlDeviceGetMigMode(gpu->device, &n, &other))
STATE(gsp, unsigned, "Enabled", "Disabled", nvmlDeviceGetGspFirmwareMode(gpu->device, &n, &other))
STATE(multi_board, unsigned, "Yes", "No", nvmlDeviceGetMultiGpuBoard(gpu->device, &n))

static void get_inforom_valid(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    (void)a, (void)b;
    if (nvmlDeviceValidateInforom(gpu->device) == NVML_SUCCESS) str_add(out, "valid");
}

static void get_pstate(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    nvmlPstates_t state = NVML_PSTATE_UNKNOWN;
    (void)a, (void)b;
    if (nvmlDeviceGetPerformanceState(gpu->device, &state) == NVML_SUCCESS)
        str_printf(out, "P%d", (int)state);
}

enum { PCI_BUS_ID, PCI_DOMAIN, PCI_BUS, PCI_DEVICE, PCI_BASE, PCI_SUB, PCI_ID, PCI_SUBSYSTEM };

static void get_pci(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    nvmlPciInfo_t info;
    (void)b;
    if (nvmlDeviceGetPciInfo(gpu->device, &info) != NVML_SUCCESS) return;
    switch (a) {
    case PCI_BUS_ID: str_add(out, info.busId); break;
    case PCI_DOMAIN: str_printf(out, "0x%04X", info.domain); break;
    case PCI_BUS: str_printf(out, "0x%02X", info.bus); break;
    case PCI_DEVICE: str_printf(out, "0x%02X", info.device); break;
    case PCI_BASE: str_add(out, "0x3"); break;
    case PCI_SUB: str_add(out, "0x2"); break;
    case PCI_ID:
        if (info.pciDeviceId) str_printf(out, "0x%08X", info.pciDeviceId);
        break;
    default:
        if (info.pciSubSystemId) str_printf(out, "0x%08X", info.pciSubSystemId);
        break;
    }
}

/* In MiB: what is there is rounded up, what is used down, as nvidia-smi does. */
static unsigned long long up(unsigned long long bytes)
{
    return (bytes + 0xfffff) >> 20;
}

enum { MEMORY_TOTAL, MEMORY_RESERVED, MEMORY_USED, MEMORY_FREE, BAR1_TOTAL, BAR1_USED, BAR1_FREE };

static void get_memory(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    nvmlMemory_v2_t m = {.version = nvmlMemory_v2};
    nvmlBAR1Memory_t bar;
    (void)b;
    if (a >= BAR1_TOTAL) {
        if (nvmlDeviceGetBAR1MemoryInfo(gpu->device, &bar) != NVML_SUCCESS) return;
        str_printf(out, "%llu",
                   a == BAR1_USED ? bar.bar1Used >> 20 : up(a == BAR1_TOTAL ? bar.bar1Total : bar.bar1Free));
        return;
    }
    if (nvmlDeviceGetMemoryInfo_v2(gpu->device, &m) != NVML_SUCCESS) return;
    str_printf(out, "%llu",
               a == MEMORY_USED ? m.used >> 20
                                : up(a == MEMORY_TOTAL      ? m.total
                                     : a == MEMORY_RESERVED ? m.reserved
                                                            : m.free));
}

static void get_compute_mode(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    static const char *const MODES[] = {"Default", "Exclusive_Thread", "Prohibited", "Exclusive_Process"};
    nvmlComputeMode_t mode;
    (void)a, (void)b;
    if (nvmlDeviceGetComputeMode(gpu->device, &mode) == NVML_SUCCESS && (unsigned)mode < SW_COUNT_OF(MODES))
        str_add(out, MODES[mode]);
}

static void get_compute_cap(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    int major, minor;
    (void)a, (void)b;
    if (nvmlDeviceGetCudaComputeCapability(gpu->device, &major, &minor) == NVML_SUCCESS)
        str_printf(out, "%d.%d", major, minor);
}

static void get_brand(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    nvmlBrandType_t brand_of = NVML_BRAND_UNKNOWN;
    (void)a, (void)b;
    (void)nvmlDeviceGetBrand(gpu->device, &brand_of);
    str_add(out, brand_of == NVML_BRAND_NVIDIA    ? "NVIDIA"
                 : brand_of == NVML_BRAND_TESLA   ? "Tesla"
                 : brand_of == NVML_BRAND_GEFORCE ? "GeForce"
                 : brand_of == NVML_BRAND_QUADRO  ? "Quadro"
                                                  : "Unknown");
}

static void get_architecture(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    static const char *const NAMES[] = {"Unknown", "Unknown", "Kepler", "Maxwell", "Pascal",   "Volta",
                                        "Turing",  "Ampere",  "Ada",    "Hopper",  "Blackwell"};
    nvmlDeviceArchitecture_t n = 0;
    (void)a, (void)b;
    (void)nvmlDeviceGetArchitecture(gpu->device, &n);
    str_add(out, n < SW_COUNT_OF(NAMES) ? NAMES[n] : "Unknown");
}

static void get_utilization(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    nvmlUtilization_t busy;
    (void)b;
    if (nvmlDeviceGetUtilizationRates(gpu->device, &busy) == NVML_SUCCESS)
        str_printf(out, "%u", a == 0 ? busy.gpu : a == 1 ? busy.memory : 0);
}

enum { ECC_ZERO, ECC_NO, ECC_NONE };

static void get_ecc_errors(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    unsigned long long errors;
    (void)b;
    if (a == ECC_NONE || nvmlDeviceGetTotalEccErrors(gpu->device, NVML_MEMORY_ERROR_TYPE_UNCORRECTED,
                                                     NVML_VOLATILE_ECC, &errors) != NVML_SUCCESS)
        return;
    if (a == ECC_NO)
        str_add(out, errors ? "Yes" : "No");
    else
        str_printf(out, "%llu", errors);
}

enum { REMAP_ZERO, REMAP_PENDING, REMAP_BANKS };

static void get_remapped(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    nvmlRowRemapperHistogramValues_t h;
    (void)b;
    if (nvmlDeviceGetRowRemapperHistogram(gpu->device, &h) != NVML_SUCCESS) return;
    if (a == REMAP_PENDING)
        str_add(out, "No");
    else
        str_printf(out, "%u", a == REMAP_BANKS ? h.max : 0);
}

static bool field_number(const struct smi_gpu *gpu, unsigned id, long long *out)
{
    nvmlFieldValue_t v = {.fieldId = id};
    if (nvmlDeviceGetFieldValues(gpu->device, 1, &v) != NVML_SUCCESS || v.nvmlReturn != NVML_SUCCESS)
        return false;
    *out = v.valueType == NVML_VALUE_TYPE_SIGNED_INT ? v.value.siVal : (long long)v.value.uiVal;
    return true;
}

/* 0: of the GPU; 1: how far it is from its limit; 2: of the memory; else the number of a field. */
static void get_temperature(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    unsigned now = 0, limit = 0;
    long long value;
    (void)b;
    if (a <= 1) {
        if (nvmlDeviceGetTemperature(gpu->device, NVML_TEMPERATURE_GPU, &now) != NVML_SUCCESS) return;
        if (a == 1 && nvmlDeviceGetTemperatureThreshold(gpu->device, NVML_TEMPERATURE_THRESHOLD_GPU_MAX,
                                                        &limit) != NVML_SUCCESS)
            return;
        str_printf(out, "%d", a ? (int)limit - (int)now : (int)now);
    } else if (field_number(gpu, a == 2 ? NVML_FI_DEV_MEMORY_TEMP : (unsigned)a, &value)) {
        str_printf(out, "%lld", value);
    }
}

enum { POWER_DRAW, POWER_LIMIT, POWER_MIN, POWER_MAX };

static void get_power(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    unsigned mw = 0, low = 0, high = 0;
    (void)b;
    nvmlReturn_t r = a == POWER_DRAW ? nvmlDeviceGetPowerUsage(gpu->device, &mw)
                     : a == POWER_LIMIT
                         ? nvmlDeviceGetPowerManagementLimit(gpu->device, &mw)
                         : nvmlDeviceGetPowerManagementLimitConstraints(gpu->device, &low, &high);
    if (r != NVML_SUCCESS) return;
    if (a == POWER_MIN) mw = low;
    if (a == POWER_MAX) mw = high;
    str_printf(out, "%.2f", mw / 1000.0);
}

static void get_reasons(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    unsigned long long bits = 0;
    (void)b;
    nvmlReturn_t r = a ? nvmlDeviceGetSupportedClocksEventReasons(gpu->device, &bits)
                       : nvmlDeviceGetCurrentClocksEventReasons(gpu->device, &bits);
    if (r == NVML_SUCCESS) str_printf(out, "0x%016llX", bits);
}

static void get_reason(const struct smi_gpu *gpu, int a, int b, struct str *out)
{
    unsigned long long bits = 0;
    (void)b;
    if (nvmlDeviceGetCurrentClocksEventReasons(gpu->device, &bits) == NVML_SUCCESS)
        str_add(out, bits >> a & 1 ? "Active" : "Not Active");
}

/* ---- the tables */

struct smi_field {
    const char *name, *other, *unit;
    smi_getter *get;
    int a, b;
};
static const struct smi_field GPU_FIELDS[] = {
#define FIELD(name, other, unit, getter, a, b) {name, other, unit, get_##getter, a, b},
#include "cli_smi_fields.def"
#undef FIELD
};
/* Only for the long report. */
static const struct smi_field REPORT_FIELDS[] = {
    {"brand", NULL, "", get_brand, 0, 0},
    {"architecture", NULL, "", get_architecture, 0, 0},
    {"minor_number", NULL, "", get_minor_number, 0, 0},
    {"module_id", NULL, "", get_module_id, 0, 0},
    {"board_id", NULL, "", get_board_id, 0, 0},
    {"board_part", NULL, "", get_board_part, 0, 0},
    {"multi_board", NULL, "", get_multi_board, 0, 0},
    {"gsp_version", NULL, "", get_gsp_version, 0, 0},
    {"bar1.total", NULL, "MiB", get_memory, BAR1_TOTAL, 0},
    {"bar1.used", NULL, "MiB", get_memory, BAR1_USED, 0},
    {"bar1.free", NULL, "MiB", get_memory, BAR1_FREE, 0},
    {"pcie.tx", NULL, "KB/s", get_pcie_traffic, NVML_PCIE_UTIL_TX_BYTES, 0},
    {"pcie.rx", NULL, "KB/s", get_pcie_traffic, NVML_PCIE_UTIL_RX_BYTES, 0},
    {"zero", NULL, "", get_constant, SAY_ZERO, 0},
    {"reason.display", NULL, "", get_reason, 8, 0},
    {"temperature.shutdown", NULL, "C", get_temperature, NVML_FI_DEV_TEMPERATURE_SHUTDOWN_TLIMIT, 0},
    {"temperature.slowdown", NULL, "C", get_temperature, NVML_FI_DEV_TEMPERATURE_SLOWDOWN_TLIMIT, 0},
    {"temperature.memory_max", NULL, "C", get_temperature, NVML_FI_DEV_TEMPERATURE_MEM_MAX_TLIMIT, 0},
    {"temperature.gpu_max", NULL, "C", get_temperature, NVML_FI_DEV_TEMPERATURE_GPU_MAX_TLIMIT, 0},
    {"clocks.max.video", NULL, "MHz", get_clock_max, NVML_CLOCK_VIDEO, 0},
    {"clocks.boost", NULL, "MHz", get_clock, NVML_CLOCK_GRAPHICS, NVML_CLOCK_ID_CUSTOMER_BOOST_MAX},
    {"no", NULL, "", get_ecc_errors, ECC_NO, 0},
};
/* Of a process: those without a getter are its own. */
static const struct smi_field PROCESS_FIELDS[] = {
    {"timestamp", NULL, "", get_timestamp, 0, 0},     {"gpu_name", NULL, "", get_name, 0, 0},
    {"gpu_bus_id", NULL, "", get_pci, PCI_BUS_ID, 0}, {"gpu_serial", NULL, "", get_serial, 0, 0},
    {"gpu_uuid", NULL, "", get_uuid, 0, 0},           {"pid", NULL, "", NULL, 0, 0},
    {"process_name", "name", "", NULL, 0, 0},         {"used_gpu_memory", "used_memory", "MiB", NULL, 0, 0},
};

static const struct smi_field *find_in(const struct smi_field *fields, size_t n, const char *wanted)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(fields[i].name, wanted) == 0 || (fields[i].other && strcmp(fields[i].other, wanted) == 0))
            return &fields[i];
    return NULL;
}

const struct smi_field *smi_field_find(const char *wanted, bool of_process)
{
    return of_process ? find_in(PROCESS_FIELDS, SW_COUNT_OF(PROCESS_FIELDS), wanted)
                      : find_in(GPU_FIELDS, SW_COUNT_OF(GPU_FIELDS), wanted);
}

const struct smi_field *smi_report_field(const char *wanted)
{
    const struct smi_field *found = smi_field_find(wanted, false);
    if (!found) found = find_in(REPORT_FIELDS, SW_COUNT_OF(REPORT_FIELDS), wanted);
    SW_ASSERT(found);
    return found;
}

const char *smi_field_title(const struct smi_field *field)
{
    return field->name;
}

const char *smi_field_unit(const struct smi_field *field)
{
    return field->unit;
}

static void process_value(const struct smi_field *field, const nvmlProcessInfo_t *process, struct str *out)
{
    char path[4096];
    if (strcmp(field->name, "pid") == 0)
        str_printf(out, "%u", process->pid);
    else if (strcmp(field->name, "used_gpu_memory") == 0)
        str_printf(out, "%llu", process->usedGpuMemory >> 20);
    else if (nvmlSystemGetProcessName(process->pid, path, sizeof path) == NVML_SUCCESS)
        str_add(out, path);
}

bool smi_field_value(const struct smi_field *field, const struct smi_gpu *gpu,
                     const nvmlProcessInfo_t *process, struct str *out)
{
    size_t before = out->length;
    if (field->get)
        field->get(gpu, field->a, field->b, out);
    else
        process_value(field, process, out);
    return out->length > before;
}

void smi_fields_list(bool of_process, struct str *out)
{
    const struct smi_field *fields = of_process ? PROCESS_FIELDS : GPU_FIELDS;
    size_t n = of_process ? SW_COUNT_OF(PROCESS_FIELDS) : SW_COUNT_OF(GPU_FIELDS);
    for (size_t i = 0; i < n; i++) {
        str_printf(out, "\"%s\"", fields[i].name);
        if (fields[i].other) str_printf(out, " or \"%s\"", fields[i].other);
        if (fields[i].unit[0]) str_printf(out, " [%s]", fields[i].unit);
        if (fields[i].get == get_nothing) str_add(out, ": never available");
        str_add_char(out, '\n');
    }
}

/* ---- comma-separated rows */

struct columns {
    const struct smi_field *at[256];
    unsigned count;
};

static bool parse_columns(const struct smi_query *query, struct columns *columns, struct str *out)
{
    char *text = sw_xstrdup(query->fields), *rest = text, *item;
    bool good = true;
    while (good && (item = strsep(&rest, ",")) && columns->count < SW_COUNT_OF(columns->at)) {
        if (!*item) continue;
        const struct smi_field *field = smi_field_find(item, query->of_process);
        good = field != NULL;
        if (good)
            columns->at[columns->count++] = field;
        else
            str_printf(out, "Field \"%s\" is not a valid field to query.\n\n", item);
    }
    free(text);
    return good;
}

static void smi_fields_add_row(const struct columns *columns, const struct smi_query *query,
                               const struct smi_gpu *gpu, const nvmlProcessInfo_t *process, struct str *out)
{
    for (unsigned i = 0; i < columns->count; i++) {
        const char *unit = smi_field_unit(columns->at[i]);
        if (i) str_add(out, ", ");
        bool known = smi_field_value(columns->at[i], gpu, process, out);
        if (!known)
            str_add(out, "[N/A]");
        else if (query->units && unit[0])
            str_printf(out, " %s", unit);
    }
    str_add_char(out, '\n');
}

static void add_header(const struct columns *columns, struct str *out)
{
    for (unsigned i = 0; i < columns->count; i++) {
        const char *unit = smi_field_unit(columns->at[i]);
        str_printf(out, "%s%s", i ? ", " : "", smi_field_title(columns->at[i]));
        if (unit[0]) str_printf(out, " [%s]", unit);
    }
    str_add_char(out, '\n');
}

bool smi_query_check(const struct smi_query *query, struct str *out)
{
    struct columns columns = {.count = 0};
    return parse_columns(query, &columns, out);
}

unsigned smi_processes(const struct smi_gpu *gpu, nvmlProcessInfo_t list[256])
{
    unsigned count = 256;
    return nvmlDeviceGetComputeRunningProcesses(gpu->device, &count, list) == NVML_SUCCESS ? count : 0;
}

int smi_query(const struct smi *smi, const struct smi_query *query, struct str *out)
{
    struct columns columns = {.count = 0};
    nvmlProcessInfo_t list[256];
    if (!parse_columns(query, &columns, out)) return CLI_USAGE;
    if (query->header) add_header(&columns, out);
    for (unsigned i = 0; i < smi->count; i++) {
        unsigned n = query->of_process ? smi_processes(&smi->gpus[i], list) : 0;
        for (unsigned p = 0; p < n; p++)
            smi_fields_add_row(&columns, query, &smi->gpus[i], &list[p], out);
        if (!query->of_process) smi_fields_add_row(&columns, query, &smi->gpus[i], NULL, out);
    }
    return CLI_OK;
}
