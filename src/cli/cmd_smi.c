/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp smi: what nvidia-smi would say of the virtual devices, in the layout that scripts parse: the
 * table, -L, -q (with -d), rows by --query-gpu and --query-compute-apps, topo -m. Options and exit codes are
 * nvidia-smi's (2 wrong use, 6 no such device), but for an unknown option, which is wrong use as with the
 * other subcommands (nvidia-smi: 255). Nothing can be changed, and there is no XML. */
#include "cli_smi_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { SMI_NOT_FOUND = 6 };

struct options {
    const char *ids, *display, *file, *gpu_fields, *process_fields, *format, *loop, *loop_ms;
    bool list, query, help, version, help_gpu, help_processes, topology;
};

static const struct {
    const char *name, *other;
    size_t flag;  /* offset of a bool, or 0 */
    size_t value; /* offset of a text */
} OPTIONS[] = {
#define FLAG(name, other, member)  {name, other, offsetof(struct options, member), 0}
#define VALUE(name, other, member) {name, other, 0, offsetof(struct options, member) + 1}
    FLAG("-L", "--list-gpus", list),
    FLAG("-q", "--query", query),
    FLAG("-h", "--help", help),
    FLAG("--version", NULL, version),
    FLAG("--help-query-gpu", NULL, help_gpu),
    FLAG("--help-query-compute-apps", NULL, help_processes),
    FLAG("topo", NULL, topology),
    FLAG("-m", "--matrix", topology),
    VALUE("-i", "--id", ids),
    VALUE("-d", "--display", display),
    VALUE("-f", "--filename", file),
    VALUE("--query-gpu", NULL, gpu_fields),
    VALUE("--query-compute-apps", NULL, process_fields),
    VALUE("--format", NULL, format),
    VALUE("-l", "--loop", loop),
    VALUE("-lms", "--loop-ms", loop_ms),
#undef FLAG
#undef VALUE
};

static bool smi_matches(const char *option, size_t length, const char *name)
{
    return name && strlen(name) == length && strncmp(option, name, length) == 0;
}

/* option := NAME | NAME "=" VALUE | NAME VALUE */
static int smi_parse(int argc, char **argv, struct options *out)
{
    for (int i = 1; i < argc; i++) {
        size_t length = strcspn(argv[i], "="), k = 0;
        while (k < SW_COUNT_OF(OPTIONS) && !smi_matches(argv[i], length, OPTIONS[k].name) &&
               !smi_matches(argv[i], length, OPTIONS[k].other))
            k++;
        bool known = k < SW_COUNT_OF(OPTIONS) && (OPTIONS[k].value || !argv[i][length]);
        if (!known)
            return cli_fail(CLI_USAGE, "unknown option '%s': softwarp smi --help lists them", argv[i]);
        if (!OPTIONS[k].value) {
            *(bool *)((char *)out + OPTIONS[k].flag) = true;
            continue;
        }
        const char *value = argv[i][length] ? argv[i] + length + 1 : i + 1 < argc ? argv[++i] : NULL;
        if (!value) return cli_fail(CLI_USAGE, "option '%s' needs a value", argv[i]);
        memcpy((char *)out + OPTIONS[k].value - 1, &value, sizeof value);
    }
    return -1;
}

/* ---- which devices */

static bool is_device(nvmlDevice_t device, unsigned index, const char *id)
{
    char text[96], number[16];
    nvmlDevice_t by_bus;
    snprintf(number, sizeof number, "%u", index);
    if (strcmp(id, number) == 0) return true;
    if (nvmlDeviceGetUUID(device, text, sizeof text) == NVML_SUCCESS && strcasecmp(text, id) == 0)
        return true;
    if (nvmlDeviceGetSerial(device, text, sizeof text) == NVML_SUCCESS && strcmp(text, id) == 0) return true;
    return nvmlDeviceGetHandleByPciBusId(id, &by_bus) == NVML_SUCCESS && by_bus == device;
}

static bool is_wanted(nvmlDevice_t device, unsigned index, const char *ids)
{
    char *text = sw_xstrdup(ids), *rest = text, *item;
    bool found = false;
    while ((item = strsep(&rest, ",")))
        found |= is_device(device, index, item);
    free(text);
    return found;
}

static bool smi_choose(const char *ids, struct smi *smi)
{
    nvmlDevice_t device;
    (void)nvmlDeviceGetCount(&smi->attached);
    for (unsigned i = 0; i < smi->attached && i < SW_COUNT_OF(smi->gpus); i++)
        if (nvmlDeviceGetHandleByIndex(i, &device) == NVML_SUCCESS && (!ids || is_wanted(device, i, ids)))
            smi->gpus[smi->count++] = (struct smi_gpu){device, i};
    return smi->count > 0;
}

/* ---- what is asked for */

/* "csv,noheader,nounits" */
static bool parse_format(const char *format, struct smi_query *query)
{
    while (format && *format) {
        size_t length = strcspn(format, ",");
        if (strncmp(format, "noheader", length) == 0 && length == 8)
            query->header = false;
        else if (strncmp(format, "nounits", length) == 0 && length == 7)
            query->units = false;
        else if (strncmp(format, "csv", length) != 0 || length != 3)
            return false;
        format += length + (format[length] == ',');
    }
    return true;
}

static int query(const struct options *options, const struct smi *smi, bool header, struct str *out)
{
    struct smi_query q = {options->gpu_fields ? options->gpu_fields : options->process_fields,
                          options->gpu_fields == NULL, true, true};
    if (!smi_query_check(&q, out)) return CLI_USAGE;
    if (!parse_format(options->format, &q)) {
        str_add(out, "Format modifier is not recognized.\n");
        return CLI_USAGE;
    }
    q.header = q.header && header;
    return smi_query(smi, &q, out);
}

static void help(const struct cli_command *self, struct str *out)
{
    str_printf(out, "usage: softwarp smi %s\n\n%s\n\n", self->arguments, self->summary);
    str_add(out,
            "  (no option)                  the table of devices and processes\n"
            "  -L, --list-gpus              one line per device\n"
            "  -q [-d SECTION,...]          all values, or only these sections\n"
            "  --query-gpu=FIELD,...        these fields as CSV; --help-query-gpu lists them\n"
            "  --query-compute-apps=FIELD,...\n"
            "  --format=csv[,noheader][,nounits]\n"
            "  topo -m                      the connections between devices\n"
            "  -i ID,...                    only these devices (number, UUID, bus number or serial number)\n"
            "  -f FILE                      write the output to FILE\n"
            "  -l SECONDS, -lms MS          repeat at this interval\n\n"
            "Which values are real, modelled or constant: docs/nvml.md.\n");
}

static int smi_answer(const struct options *options, const struct smi *smi, bool first, struct str *out)
{
    unsigned sections = SMI_ALL_SECTIONS;
    if (options->gpu_fields || options->process_fields) return query(options, smi, first, out);
    if (options->query && options->display && !smi_sections_parse(options->display, &sections)) {
        str_add(out, "Failed to parse --display/-d flags\n");
        return CLI_USAGE;
    }
    if (options->list)
        smi_list(smi, out);
    else if (options->query)
        smi_log(smi, sections, out);
    else if (options->topology)
        smi_topology(smi, out);
    else
        smi_table(smi, out);
    return CLI_OK;
}

static void versions(struct str *out)
{
    char text[80] = "";
    (void)nvmlSystemGetNVMLVersion(text, sizeof text);
    str_printf(out, "SOFTWARP-SMI version  : %s\nNVML version        : %s\n", cli_version(), text);
    (void)nvmlSystemGetDriverVersion(text, sizeof text);
    str_printf(out, "DRIVER version      : %s\nCUDA Version        : 13.0\n", text);
}

static int once(const struct cli_command *self, const struct options *options, bool first)
{
    struct cli_output output = {.path = options->file};
    struct smi smi = {.count = 0};
    int code = CLI_OK;
    if (options->help)
        help(self, &output.text);
    else if (options->version)
        versions(&output.text);
    else if (options->help_gpu || options->help_processes)
        smi_fields_list(options->help_processes, &output.text);
    else if (!smi_choose(options->ids, &smi)) {
        str_add(&output.text, "No devices were found\n");
        code = SMI_NOT_FOUND;
    } else {
        code = smi_answer(options, &smi, first, &output.text);
    }
    int written = cli_output_finish(&output);
    return code ? code : written;
}

static bool smi_parse_number(const char *text, unsigned long *out)
{
    char *end;
    *out = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *out <= UINT32_MAX;
}

/* -1: go on. */
static int pause_of(const struct options *options, struct timespec *out)
{
    const char *text = options->loop_ms ? options->loop_ms : options->loop;
    unsigned long ms = 0;
    if (text && !smi_parse_number(text, &ms))
        return cli_fail(CLI_USAGE, "value '%s' of option '%s' is not a number: see softwarp smi --help", text,
                        options->loop_ms ? "-lms" : "-l");
    if (!options->loop_ms) ms *= 1000;
    *out = (struct timespec){(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    return -1;
}

int cmd_smi(const struct cli_command *self, int argc, char **argv)
{
    struct options options = {0};
    struct timespec pause;
    int code = smi_parse(argc, argv, &options);
    if (code < 0) code = pause_of(&options, &pause);
    if (code >= 0) return code;
    if (options.list && options.ids) return cli_fail(CLI_USAGE, "-L lists all devices: leave out -i");
    if (nvmlInit() != NVML_SUCCESS)
        return cli_fail(CLI_USAGE, "SOFTWARP_DEVICE names no known device: softwarp devices lists them");
    for (bool first = true;; first = false) {
        code = once(self, &options, first);
        if (code || (!pause.tv_sec && !pause.tv_nsec)) break;
        nanosleep(&pause, NULL);
    }
    (void)nvmlShutdown();
    return code;
}
