/* SPDX-License-Identifier: Apache-2.0 */
/* The long report of `softwarp smi -q`, as scripts parse it: cli_smi_log.def has its lines in order, and
 * which section (-d) each belongs to. Sections that show samples say that there are none. */
#include "cli_smi_priv.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum section_bit {
    SMI_REST = 0, /* in the whole report only */
    SMI_MEMORY = 1 << 0,
    SMI_UTILIZATION = 1 << 1,
    SMI_ECC = 1 << 2,
    SMI_TEMPERATURE = 1 << 3,
    SMI_POWER = 1 << 4,
    SMI_CLOCK = 1 << 5,
    SMI_COMPUTE = 1 << 6,
    SMI_PIDS = 1 << 7,
    SMI_PERFORMANCE = 1 << 8,
    SMI_SUPPORTED_CLOCKS = 1 << 9,
    SMI_PAGE_RETIREMENT = 1 << 10,
    SMI_ACCOUNTING = 1 << 11,
    SMI_ENCODER_STATS = 1 << 12,
    SMI_FBC_STATS = 1 << 13,
    SMI_ROW_REMAPPER = 1 << 14
};

static const struct {
    const char *name;
    unsigned bit;
} SECTIONS[] = {{"MEMORY", SMI_MEMORY},
                {"UTILIZATION", SMI_UTILIZATION},
                {"ECC", SMI_ECC},
                {"TEMPERATURE", SMI_TEMPERATURE},
                {"POWER", SMI_POWER},
                {"CLOCK", SMI_CLOCK},
                {"COMPUTE", SMI_COMPUTE},
                {"PIDS", SMI_PIDS},
                {"PERFORMANCE", SMI_PERFORMANCE},
                {"SUPPORTED_CLOCKS", SMI_SUPPORTED_CLOCKS},
                {"PAGE_RETIREMENT", SMI_PAGE_RETIREMENT},
                {"ACCOUNTING", SMI_ACCOUNTING},
                {"ENCODER_STATS", SMI_ENCODER_STATS},
                {"FBC_STATS", SMI_FBC_STATS},
                {"ROW_REMAPPER", SMI_ROW_REMAPPER}};

struct line {
    int depth;
    unsigned section;
    const char *label, *field, *after, *constant;
    bool processes;
};
static const struct line LINES[] = {
#define LINE(depth, section, label, field, after) {depth, section, label, field, after, NULL, false},
#define CONSTANT(depth, section, label, text)     {depth, section, label, "", NULL, text, false},
#define PROCESSES(depth)                          {depth, SMI_PIDS, "Processes", NULL, NULL, NULL, true},
#include "cli_smi_log.def"
#undef LINE
#undef CONSTANT
#undef PROCESSES
};

bool smi_sections_parse(const char *names, unsigned *sections)
{
    *sections = 0;
    while (*names) {
        size_t length = strcspn(names, ","), i = 0;
        while (i < SW_COUNT_OF(SECTIONS) &&
               (strlen(SECTIONS[i].name) != length || strncmp(SECTIONS[i].name, names, length) != 0))
            i++;
        if (i == SW_COUNT_OF(SECTIONS)) return false;
        *sections |= SECTIONS[i].bit;
        names += length + (names[length] == ',');
    }
    return *sections != 0;
}

/* ---- lines: the colon stands in one column */

static void add_line(struct str *out, int depth, const char *label, const char *value)
{
    enum { COLON = 55 };
    str_printf(out, "%*s%-*s: %s\n", 4 * depth, "", COLON - 4 * depth, label, value);
}

static void add_field(const struct line *line, const struct smi_gpu *gpu, struct str *out)
{
    struct str value = {0};
    if (line->constant) {
        str_add(&value, line->constant);
    } else if (line->field[0]) {
        const struct smi_field *field = smi_report_field(line->field);
        const char *unit = smi_field_unit(field);
        if (smi_field_value(field, gpu, NULL, &value)) {
            if (line->after)
                str_add(&value, line->after);
            else if (unit[0])
                str_printf(&value, " %s", unit);
        }
    }
    const char *text = str_text(&value);
    if (text[0] == '[') { /* brackets are for rows */
        str_printf(out, "%*s%-*s: %.*s\n", 4 * line->depth, "", 55 - 4 * line->depth, line->label,
                   (int)strlen(text) - 2, text + 1);
    } else {
        add_line(out, line->depth, line->label, text[0] ? text : "N/A");
    }
    str_release(&value);
}

static void add_processes(const struct smi_gpu *gpu, struct str *out)
{
    nvmlProcessInfo_t list[256];
    unsigned count = smi_processes(gpu, list);
    if (count == 0) {
        add_line(out, 1, "Processes", "None");
        return;
    }
    str_add(out, "    Processes\n");
    for (unsigned i = 0; i < count; i++) {
        char path[4096] = "[Not Found]";
        (void)nvmlSystemGetProcessName(list[i].pid, path, sizeof path);
        str_printf(out, "        %-34s: N/A\n        %-34s: N/A\n", "GPU instance ID", "Compute instance ID");
        str_printf(out, "        %-34s: %u\n            %-30s: C\n            %-30s: %s\n", "Process ID",
                   list[i].pid, "Type", "Name", path);
        str_printf(out, "            %-30s: %llu MiB\n", "Used GPU Memory", list[i].usedGpuMemory >> 20);
    }
}

/* ---- what only a section of its own shows */

static void add_samples(const char *title, struct str *out)
{
    static const char *const LABELS[] = {"Duration", "Number of Samples", "Max", "Min", "Avg"};
    str_printf(out, "    %s\n", title);
    for (size_t i = 0; i < SW_COUNT_OF(LABELS); i++)
        add_line(out, 2, LABELS[i], "Not Found");
}

static void add_clocks(const struct smi_gpu *gpu, struct str *out)
{
    unsigned memory[32], graphics[512], count = SW_COUNT_OF(memory);
    if (nvmlDeviceGetSupportedMemoryClocks(gpu->device, &count, memory) != NVML_SUCCESS) {
        add_line(out, 1, "Supported Clocks", "N/A");
        return;
    }
    str_add(out, "    Supported Clocks\n");
    for (unsigned i = 0; i < count; i++) {
        unsigned n = SW_COUNT_OF(graphics);
        str_printf(out, "        %-47s: %u MHz\n", "Memory", memory[i]);
        if (nvmlDeviceGetSupportedGraphicsClocks(gpu->device, memory[i], &n, graphics) != NVML_SUCCESS)
            continue;
        for (unsigned k = 0; k < n; k++)
            str_printf(out, "            %-43s: %u MHz\n", "Graphics", graphics[k]);
    }
}

static void after_line(const struct line *line, unsigned sections, struct str *out)
{
    bool last = line + 1 == LINES + SW_COUNT_OF(LINES) || line[1].depth == 1;
    if (!last) return;
    const char *of = line->label;
    if (sections & SMI_UTILIZATION && line->section == SMI_UTILIZATION) {
        static const char *const TITLES[] = {"GPU Utilization Samples", "Memory Utilization Samples",
                                             "ENC Utilization Samples", "DEC Utilization Samples",
                                             "JPG Utilization Samples", "OFA Utilization Samples"};
        for (size_t i = 0; i < SW_COUNT_OF(TITLES); i++)
            add_samples(TITLES[i], out);
    }
    if (sections & SMI_POWER && strcmp(of, "Max Power Limit") == 0 && line[1].depth == 1 &&
        strncmp(line[1].label, "GPU Memory", 10) == 0)
        add_samples("Power Samples", out);
    if (sections & SMI_CLOCK && line->section == SMI_CLOCK && strcmp(line[1].label, "Clock Policy") == 0) {
        add_samples("SM Clock Samples", out);
        add_samples("Memory Clock Samples", out);
    }
    if (sections & SMI_ACCOUNTING && strcmp(of, "Accounting Mode Buffer Size") == 0)
        add_line(out, 1, "Accounted Processes", "None");
}

static void add_gpu(const struct smi_gpu *gpu, unsigned sections, struct str *out)
{
    for (size_t i = 0; i < SW_COUNT_OF(LINES); i++) {
        const struct line *line = &LINES[i];
        if (sections != SMI_ALL_SECTIONS && !(sections & line->section)) continue;
        if (line->processes)
            add_processes(gpu, out);
        else if (line->field)
            add_field(line, gpu, out);
        else
            str_printf(out, "%*s%s\n", 4 * line->depth, "", line->label);
        after_line(line, sections, out);
    }
    if (sections & SMI_SUPPORTED_CLOCKS) add_clocks(gpu, out);
}

void smi_log(const struct smi *smi, unsigned sections, struct str *out)
{
    char text[128], number[16];
    time_t now = time(NULL);
    struct tm tm;
    localtime_r(&now, &tm);
    strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &tm);
    str_add(out, "\n==============NVSMI LOG==============\n\n");
    add_line(out, 0, "Timestamp", text);
    (void)nvmlSystemGetDriverVersion(text, sizeof text);
    add_line(out, 0, "Driver Version", text);
    add_line(out, 0, "CUDA Version", "13.0");
    snprintf(number, sizeof number, "%u", smi->attached);
    str_add_char(out, '\n');
    add_line(out, 0, "Attached GPUs", number);
    for (unsigned i = 0; i < smi->count; i++) {
        nvmlPciInfo_t pci;
        if (nvmlDeviceGetPciInfo(smi->gpus[i].device, &pci) != NVML_SUCCESS) continue;
        str_printf(out, "GPU %s\n", pci.busId);
        add_gpu(&smi->gpus[i], sections, out);
        str_add_char(out, '\n');
    }
}
