/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp devices: the GPU catalogue; with a name, every field of that GPU and where it comes from. */
#include "cli_priv.h"

#include "arch/arch.h"
#include "report/report.h"

#include <inttypes.h>

static const struct {
    const char *key, *unit, *text;
} FIELDS[] = {
#define FIELD(id, key, unit, text) {key, unit, text},
#include "arch/arch_fields.def"
#undef FIELD
};

static double bandwidth_gb(const struct arch_gpu *gpu)
{
    return arch_dram_bytes_per_second(gpu) / 1e9;
}

static int list_devices(bool json, struct arena *arena, struct str *out)
{
    const char **names;
    uint32_t count = arch_gpu_list(arena, &names);
    if (!count)
        return cli_fail(CLI_INTERNAL, "no GPU files found: reinstall Softwarp, or correct SOFTWARP_GPUS");
    struct report_table table = {.title = "GPUs"};
    report_column(&table, "name", "");
    report_column(&table, "full name", "");
    report_column(&table, "cc", "");
    report_column(&table, "multiprocessors", "");
    report_column(&table, "memory", "byte");
    report_column(&table, "bandwidth", "GB/s");
    for (uint32_t i = 0; i < count; i++) {
        struct arch_gpu gpu;
        struct sw_error error = {0};
        if (arch_gpu_load(names[i], &gpu, &error) != SW_OK) return cli_fail_error(&error);
        report_cell(&table, report_text(names[i]));
        report_cell(&table, report_text(arena_strdup(arena, gpu.full_name)));
        report_cell(&table, report_text(arena_printf(arena, "%u.%u", gpu.cc_major, gpu.cc_minor)));
        report_cell(&table, report_integer(gpu.sm_count));
        report_cell(&table, report_integer(gpu.memory_bytes));
        report_cell(&table, report_real(bandwidth_gb(&gpu)));
    }
    if (json)
        report_table_json(&table, out);
    else
        report_table_text(&table, out);
    report_table_release(&table);
    return CLI_OK;
}

static int show_device(const char *name, bool json, struct arena *arena, struct str *out)
{
    struct arch_gpu gpu;
    struct sw_error error = {0};
    if (arch_gpu_load(name, &gpu, &error) != SW_OK) return cli_fail_error(&error);
    struct report_table table = {.title = arena_printf(arena, "%s (%s), compute capability %u.%u", gpu.name,
                                                       gpu.full_name, gpu.cc_major, gpu.cc_minor)};
    report_column(&table, "field", "");
    report_column(&table, "value", "");
    report_column(&table, "unit", "");
    report_column(&table, "meaning", "");
    report_column(&table, "source", "");
    for (size_t i = 0; i < SW_COUNT_OF(FIELDS); i++) {
        bool found;
        const char *source = arch_gpu_source(name, FIELDS[i].key, arena);
        report_cell(&table, report_text(FIELDS[i].key));
        report_cell(&table, report_integer(arch_gpu_field(&gpu, FIELDS[i].key, &found)));
        report_cell(&table, report_text(FIELDS[i].unit));
        report_cell(&table, report_text(FIELDS[i].text));
        report_cell(&table, source ? report_text(source) : report_none());
    }
    if (json)
        report_table_json(&table, out);
    else
        report_table_text(&table, out);
    report_table_release(&table);
    return CLI_OK;
}

int cmd_devices(const struct cli_command *self, int argc, char **argv)
{
    bool json = false;
    const struct cli_option table[] = {
        {"--json", 0, CLI_FLAG, &json, NULL, "as JSON"},
    };
    int rest, code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
    if (code >= 0) return code;
    const char *name = rest < argc ? argv[rest++] : NULL;
    if (rest < argc && (argv[rest][0] != '-' || !argv[rest][1]))
        return cli_fail(CLI_USAGE, "unexpected argument '%s': give one GPU at a time", argv[rest]);
    if (rest < argc) { /* options may follow the name */
        argv[rest - 1] = argv[0];
        int after;
        code = cli_parse(self, table, SW_COUNT_OF(table), argc - rest + 1, argv + rest - 1, &after);
        if (code >= 0) return code;
    }
    struct arena arena;
    struct cli_output output = {0};
    arena_init(&arena);
    code = name ? show_device(name, json, &arena, &output.text) : list_devices(json, &arena, &output.text);
    int written = cli_output_finish(&output);
    arena_release(&arena);
    return code ? code : written;
}
