/* SPDX-License-Identifier: Apache-2.0 */
/* The table that `softwarp smi` prints without options, the list of -L, and how devices are connected. Column
 * for column as scripts parse nvidia-smi's. */
#include "cli_smi_priv.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

void smi_list(const struct smi *smi, struct str *out)
{
    for (unsigned i = 0; i < smi->count; i++) {
        char name[96] = "", uuid[96] = "";
        (void)nvmlDeviceGetName(smi->gpus[i].device, name, sizeof name);
        (void)nvmlDeviceGetUUID(smi->gpus[i].device, uuid, sizeof uuid);
        str_printf(out, "GPU %u: %s (UUID: %s)\n", smi->gpus[i].index, name, uuid);
    }
}

/* A field's text with what follows it, or N/A. */
static const char *value(const struct smi_gpu *gpu, const char *name, const char *after, char *text,
                         size_t capacity)
{
    struct str out = {0};
    if (smi_field_value(smi_report_field(name), gpu, NULL, &out))
        snprintf(text, capacity, "%s%s", str_text(&out), after);
    else
        snprintf(text, capacity, "N/A");
    str_release(&out);
    return text;
}

static const char *watts(const struct smi_gpu *gpu, const char *name, char *text, size_t capacity)
{
    value(gpu, name, "", text, capacity);
    char *point = strchr(text, '.');
    if (point) snprintf(point, capacity - (size_t)(point - text), "W");
    return text;
}

enum { CELL = 64 };

static void add_gpu(const struct smi_gpu *gpu, struct str *out)
{
    char name[CELL], bus[CELL], a[CELL], b[CELL], c[CELL], d[CELL], e[CELL];
    value(gpu, "persistence_mode", "", a, CELL);
    value(gpu, "display_active", "", b, CELL);
    str_printf(out, "| %3u  %-25.25s%8s  |   %-16s %3s | %20s |\n", gpu->index,
               value(gpu, "name", "", name, CELL), strcmp(a, "Enabled") == 0 ? "On" : "Off",
               value(gpu, "pci.bus_id", "", bus, CELL), strcmp(b, "Enabled") == 0 ? "On" : "Off",
               value(gpu, "ecc.errors.uncorrected.volatile.total", "", c, CELL));
    str_printf(out, "| %3s  %4s    %-2s          %6s / %5s |", value(gpu, "fan.speed", "%", a, CELL),
               value(gpu, "temperature.gpu", "C", b, CELL), value(gpu, "pstate", "", c, CELL),
               watts(gpu, "power.draw", d, CELL), watts(gpu, "power.limit", e, CELL));
    str_printf(out, " %10s / %9s | %7s %12s |\n", value(gpu, "memory.used", "MiB", a, CELL),
               value(gpu, "memory.total", "MiB", b, CELL), value(gpu, "utilization.gpu", "%", c, CELL),
               value(gpu, "compute_mode", "", d, CELL));
    str_printf(out, "| %39s | %22s | %20s |\n", "", "", value(gpu, "mig.mode.current", "", a, CELL));
    str_add(out,
            "+-----------------------------------------+------------------------+----------------------+\n");
}

static void add_process(const struct smi_gpu *gpu, const nvmlProcessInfo_t *process, struct str *out)
{
    enum { ROOM = 38 };
    char path[4096] = "[Not Found]", shown[ROOM + 1], used[32];
    (void)nvmlSystemGetProcessName(process->pid, path, sizeof path);
    size_t length = strlen(path);
    if (length > ROOM)
        snprintf(shown, sizeof shown, "...%s", path + length - (ROOM - 3));
    else
        snprintf(shown, sizeof shown, "%.*s", ROOM, path);
    snprintf(used, sizeof used, "%lluMiB", process->usedGpuMemory >> 20);
    str_printf(out, "| %4u   N/A  N/A %15u      C   %-38s%8s |\n", gpu->index, process->pid, shown, used);
}

void smi_table(const struct smi *smi, struct str *out)
{
    static const char LINE[] =
        "+-----------------------------------------------------------------------------------------+\n";
    char text[64], driver[80] = "";
    time_t now = time(NULL);
    struct tm tm;
    unsigned any = 0;
    localtime_r(&now, &tm);
    strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &tm);
    (void)nvmlSystemGetDriverVersion(driver, sizeof driver);
    str_printf(out, "%s       \n%s", text, LINE);
    str_printf(out, "| SOFTWARP-SMI %-20s Driver Version: %-14s CUDA Version: %-8s |\n", cli_version(),
               driver, "13.0");
    str_add(out,
            "+-----------------------------------------+------------------------+----------------------+\n"
            "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n"
            "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |\n"
            "|                                         |                        |               MIG M. |\n"
            "|=========================================+========================+======================|\n");
    for (unsigned i = 0; i < smi->count; i++)
        add_gpu(&smi->gpus[i], out);
    str_printf(out, "\n%s", LINE);
    str_add(out,
            "| Processes:                                                                              |\n"
            "|  GPU   GI   CI              PID   Type   Process name                        GPU Memory |\n"
            "|        ID   ID                                                               Usage      |\n"
            "|=========================================================================================|\n");
    for (unsigned i = 0; i < smi->count; i++) {
        nvmlProcessInfo_t list[256];
        unsigned count = smi_processes(&smi->gpus[i], list);
        any += count;
        for (unsigned p = 0; p < count; p++)
            add_process(&smi->gpus[i], &list[p], out);
    }
    if (!any) str_printf(out, "|  %-86s |\n", "No running processes found");
    str_add(out, LINE);
}

/* How each reaches the others: NVLink with so many links where both have it, else the host bridge. */
void smi_topology(const struct smi *smi, struct str *out)
{
    for (unsigned i = 0; i < smi->count; i++)
        str_printf(out, "\tGPU%u", smi->gpus[i].index);
    str_add_char(out, '\n');
    for (unsigned i = 0; i < smi->count; i++) {
        str_printf(out, "GPU%u", smi->gpus[i].index);
        for (unsigned k = 0; k < smi->count; k++) {
            nvmlFieldValue_t a = {.fieldId = NVML_FI_DEV_NVLINK_LINK_COUNT}, b = a;
            (void)nvmlDeviceGetFieldValues(smi->gpus[i].device, 1, &a);
            (void)nvmlDeviceGetFieldValues(smi->gpus[k].device, 1, &b);
            bool linked = a.nvmlReturn == NVML_SUCCESS && b.nvmlReturn == NVML_SUCCESS;
            unsigned links = a.value.uiVal < b.value.uiVal ? a.value.uiVal : b.value.uiVal;
            if (i == k)
                str_add(out, "\t X ");
            else if (linked)
                str_printf(out, "\tNV%u", links);
            else
                str_add(out, "\tPHB");
        }
        str_add_char(out, '\n');
    }
    str_add(out, "\n  X    the device itself\n  NV#  so many NVLinks\n  PHB  through the host bridge\n");
}
