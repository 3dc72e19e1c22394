/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp occupancy: what limits the blocks on a multiprocessor, and how occupancy moves with each resource.
 */
#include "cli_priv.h"

#include "arch/arch.h"
#include "report/report.h"

struct request {
    const char *device;
    uint64_t block, registers, shared;
    bool csv, json;
};

static void add_row(struct report_table *table, const char *varied, uint64_t value,
                    const struct arch_occupancy *o)
{
    report_cell(table, report_text(varied));
    report_cell(table, report_integer(value));
    report_cell(table, report_integer(o->blocks_per_sm));
    report_cell(table, report_integer(o->warps_per_sm));
    report_cell(table, report_real(100 * o->fraction));
    report_cell(table, report_integer(o->limit_blocks));
    report_cell(table, report_integer(o->limit_registers));
    report_cell(table, report_integer(o->limit_shared));
    report_cell(table, report_integer(o->limit_warps));
}

static void add_case(struct report_table *table, const struct arch_cc *cc, const char *varied, uint64_t value,
                     struct arch_occupancy_request request)
{
    struct arch_occupancy o;
    if (arch_occupancy_compute(cc, &request, &o, NULL) == SW_OK) add_row(table, varied, value, &o);
}

static void add_curves(struct report_table *table, const struct arch_cc *cc,
                       struct arch_occupancy_request base)
{
    for (uint32_t threads = 32; threads <= cc->threads_per_block; threads += threads < 256 ? 32 : 128) {
        struct arch_occupancy_request r = base;
        r.threads = threads;
        add_case(table, cc, "block", threads, r);
    }
    for (uint32_t registers = 16; registers <= cc->registers_per_thread + 1; registers += 16) {
        struct arch_occupancy_request r = base;
        r.registers = registers <= cc->registers_per_thread ? registers : cc->registers_per_thread;
        add_case(table, cc, "registers", r.registers, r);
    }
    for (uint32_t shared = 0; shared <= cc->shared_per_block_optin;
         shared += cc->shared_per_block_optin / 16) {
        struct arch_occupancy_request r = base;
        r.shared_bytes = shared;
        add_case(table, cc, "shared", shared, r);
    }
}

static void add_columns(struct report_table *table)
{
    report_column(table, "varied", "");
    report_column(table, "value", "");
    report_column(table, "blocks per multiprocessor", "block");
    report_column(table, "warps per multiprocessor", "warp");
    report_column(table, "occupancy", "%");
    report_column(table, "limit blocks", "block");
    report_column(table, "limit registers", "block");
    report_column(table, "limit shared memory", "block");
    report_column(table, "limit warps", "block");
}

static const char *limiter(const struct arch_occupancy *o)
{
    if (o->blocks_per_sm == o->limit_warps) return "warps";
    if (o->blocks_per_sm == o->limit_registers) return "registers";
    if (o->blocks_per_sm == o->limit_shared) return "shared memory";
    return "blocks";
}

static int show(const struct request *q, const struct arch_gpu *gpu, const struct arch_cc *cc,
                struct str *out)
{
    struct arch_occupancy_request request = {(uint32_t)q->block, (uint32_t)q->registers, (uint32_t)q->shared,
                                             0};
    struct arch_occupancy o;
    struct sw_error error = {0};
    if (arch_occupancy_compute(cc, &request, &o, &error) != SW_OK) {
        error.status = SW_USAGE;
        return cli_fail_error(&error);
    }
    struct report_table table = {0};
    add_columns(&table);
    add_row(&table, "as asked", q->block, &o);
    add_curves(&table, cc, request);
    if (q->csv)
        report_table_csv(&table, true, out);
    else if (q->json)
        report_table_json(&table, out);
    else {
        str_printf(out, "%s: blocks of %llu threads, %llu registers a thread, %llu bytes of shared memory\n",
                   gpu->full_name, (unsigned long long)q->block, (unsigned long long)q->registers,
                   (unsigned long long)q->shared);
        str_printf(out, "%u blocks, %u of %u warps a multiprocessor: %.1f %% occupancy, limited by %s\n\n",
                   o.blocks_per_sm, o.warps_per_sm, o.max_warps_per_sm, 100 * o.fraction, limiter(&o));
        report_table_text(&table, out);
    }
    report_table_release(&table);
    return CLI_OK;
}

int cmd_occupancy(const struct cli_command *self, int argc, char **argv)
{
    struct request q = {.device = "h200"};
    const struct cli_option table[] = {
        {"--device", 0, CLI_TEXT, &q.device, "GPU", "default h200"},
        {"--block", 0, CLI_NUMBER, &q.block, "N", "threads of a block"},
        {"--regs", 0, CLI_NUMBER, &q.registers, "N", "registers a thread; 0: leave them out"},
        {"--smem", 0, CLI_NUMBER, &q.shared, "BYTES", "shared memory of a block"},
        {"--csv", 0, CLI_FLAG, &q.csv, NULL, "as CSV"},
        {"--json", 0, CLI_FLAG, &q.json, NULL, "as JSON"},
    };
    int rest, code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
    if (code >= 0) return code;
    if (rest < argc) return cli_fail(CLI_USAGE, "unexpected '%s': softwarp occupancy --help", argv[rest]);
    if (!q.block) return cli_fail(CLI_USAGE, "--block N is needed: the threads of a block");
    if (q.block > UINT32_MAX || q.registers > UINT32_MAX || q.shared > UINT32_MAX)
        return cli_fail(CLI_USAGE, "no GPU has that much: use smaller numbers");
    struct arch_gpu gpu;
    struct sw_error error = {0};
    if (arch_gpu_load(q.device, &gpu, &error) != SW_OK) return cli_fail_error(&error);
    const struct arch_cc *cc = arch_cc_find(gpu.cc_major, gpu.cc_minor);
    if (!cc)
        return cli_fail(CLI_UNSUPPORTED, "compute capability %u.%u is not known", gpu.cc_major, gpu.cc_minor);
    if (q.registers > cc->registers_per_thread)
        return cli_fail(CLI_USAGE, "--regs %llu is more than the %u a thread may have",
                        (unsigned long long)q.registers, cc->registers_per_thread);
    struct cli_output output = {0};
    code = show(&q, &gpu, cc, &output.text);
    int written = cli_output_finish(&output);
    return code ? code : written;
}
