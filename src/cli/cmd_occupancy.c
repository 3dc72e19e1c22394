/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp occupancy: what limits the blocks on a multiprocessor, how occupancy moves with each resource, and
 * which block size keeps most threads resident. */
#include "cli_priv.h"

#include "arch/arch.h"
#include "base/base_text.h"
#include "report/report.h"

#include <string.h>

struct request {
    const char *device, *language;
    uint64_t block, registers, shared, latency, intensity;
    bool csv, json;
    struct arch_occupancy_request asked;
};

static const struct axis {
    enum arch_occupancy_axis axis;
    const char *name, *title;
} AXES[] = {{ARCH_AXIS_BLOCK, "block", N_("threads per block")},
            {ARCH_AXIS_REGISTERS, "registers", N_("registers per thread")},
            {ARCH_AXIS_SHARED, "shared", N_("bytes of shared memory per block")}};

static void occupancy_add_row(struct report_table *table, const char *varied, uint64_t value,
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
    report_cell(table, report_text(arch_occupancy_limiter(o)));
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
    report_column(table, "limiter", "");
}

static void add_curves(struct report_table *table, const struct arch_cc *cc,
                       const struct arch_occupancy_request *request, struct arena *arena)
{
    for (size_t a = 0; a < SW_COUNT_OF(AXES); a++) {
        struct arch_point *points;
        uint32_t count = arch_occupancy_curve(cc, request, AXES[a].axis, arena, &points);
        for (uint32_t i = 0; i < count; i++)
            occupancy_add_row(table, AXES[a].name, points[i].value, &points[i].occupancy);
    }
}

/* ---- text: a picture of each curve, a column for each value or, where there are too many, for each few */

enum { PICTURE_COLUMNS = 64, PICTURE_ROWS = 8 };

static uint32_t asked_value(const struct request *q, enum arch_occupancy_axis axis)
{
    return axis == ARCH_AXIS_BLOCK       ? q->asked.threads
           : axis == ARCH_AXIS_REGISTERS ? q->asked.registers
                                         : q->asked.shared_bytes;
}

struct picture {
    const struct arch_point *points;
    uint32_t count, each, columns; /* points; points a column; columns */
    uint32_t asked;                /* the column of the value that was asked for; columns: none */
};

static struct picture picture_of(const struct arch_point *points, uint32_t count, uint32_t value)
{
    struct picture p = {points, count, (count + PICTURE_COLUMNS - 1) / PICTURE_COLUMNS, 0, 0};
    p.columns = (count + p.each - 1) / p.each;
    p.asked = p.columns;
    for (uint32_t i = count; i-- > 0 && points[i].value >= value;)
        p.asked = i / p.each;
    return p;
}

static void draw_rows(const struct picture *p, struct str *out)
{
    for (uint32_t row = PICTURE_ROWS; row > 0; row--) {
        if (row % 2 == 0)
            str_printf(out, "  %3u %% |", 100 * row / PICTURE_ROWS);
        else
            str_add(out, "        |");
        for (uint32_t c = 0; c < p->columns; c++) {
            double fraction = p->points[c * p->each].occupancy.fraction;
            bool filled = fraction * PICTURE_ROWS > row - 1 + 1e-9;
            str_add_char(out, !filled ? ' ' : c == p->asked ? '@' : '#');
        }
        str_add_char(out, '\n');
    }
}

static void occupancy_draw(const struct request *q, const struct axis *axis, const struct arch_point *points,
                           uint32_t count, struct str *out)
{
    uint32_t value = asked_value(q, axis->axis);
    struct picture p = picture_of(points, count, value);
    str_printf(out, _("  Occupancy by %s (@ marks %u)\n"), _(axis->title), value);
    draw_rows(&p, out);
    str_add(out, "        +");
    for (uint32_t c = 0; c < p.columns; c++)
        str_add_char(out, '-');
    str_printf(out, "\n         %-*u%*u\n", (int)p.columns / 2, points[0].value,
               (int)(p.columns - p.columns / 2), points[count - 1].value);
    /* where it falls or rises: the values people choose from */
    str_add(out, "         ");
    uint32_t steps = 0;
    for (uint32_t i = 1; i <= count; i++) {
        if (i < count && points[i].occupancy.warps_per_sm == points[i - 1].occupancy.warps_per_sm) continue;
        if (axis->axis == ARCH_AXIS_BLOCK) break;
        if (steps++ >= PICTURE_ROWS) break;
        if (steps == 1) str_add(out, _("Occupancy: "));
        str_printf(out, _("%s%.0f %% up to %u"), steps > 1 ? "; " : "",
                   100 * points[i - 1].occupancy.fraction, points[i - 1].value);
    }
    str_add(out, steps ? "\n\n" : "\n");
}

/* Are the warps enough for a latency? */
static void add_latency(const struct request *q, const struct arch_cc *cc, const struct arch_occupancy *o,
                        struct str *out)
{
    uint64_t warps = arch_warps_to_hide(cc, q->latency, q->intensity);
    str_printf(out,
               _("To hide a latency of %llu cycles with %llu other instructions per long-latency "
                 "instruction, a multiprocessor needs %llu warps; %u are resident\n\n"),
               (unsigned long long)q->latency, (unsigned long long)q->intensity, (unsigned long long)warps,
               o->warps_per_sm);
}

static void show_text(const struct request *q, const struct arch_gpu *gpu, const struct arch_cc *cc,
                      const struct arch_occupancy *o, struct arena *arena, struct str *out)
{
    uint32_t blocks, best = arch_occupancy_suggest(cc, &q->asked, &blocks);
    str_printf(
        out,
        _("%s: %llu threads per block, %llu registers per thread, %llu bytes of shared memory per block\n"),
        gpu->full_name, (unsigned long long)q->block, (unsigned long long)q->registers,
        (unsigned long long)q->shared);
    str_printf(out,
               _("%u resident blocks and %u of %u warps per multiprocessor: theoretical occupancy %.1f %%, "
                 "limited by %s\n"),
               o->blocks_per_sm, o->warps_per_sm, o->max_warps_per_sm, 100 * o->fraction,
               _(arch_occupancy_limiter(o)));
    str_printf(out, _("  Block limits: blocks %u, warps %u, registers %u, shared memory %u\n"),
               o->limit_blocks, o->limit_warps, o->limit_registers, o->limit_shared);
    str_printf(out,
               _("Block size with the most resident threads: %u (%u blocks per multiprocessor; a grid of at "
                 "least %llu blocks)\n\n"),
               best, blocks, (unsigned long long)blocks * gpu->sm_count);
    if (q->latency) add_latency(q, cc, o, out);
    for (size_t a = 0; a < SW_COUNT_OF(AXES); a++) {
        struct arch_point *points;
        uint32_t count = arch_occupancy_curve(cc, &q->asked, AXES[a].axis, arena, &points);
        if (count) occupancy_draw(q, &AXES[a], points, count, out);
    }
}

/* ---- JSON: schema softwarp-occupancy/1 */

static void json_occupancy(const struct arch_occupancy *o, struct str *out)
{
    str_printf(
        out,
        "{\"blocks\": %u, \"warps\": %u, \"max_warps\": %u, \"occupancy\": %.6g, \"limiter\": \"%s\", "
        "\"limit_blocks\": %u, \"limit_warps\": %u, \"limit_registers\": %u, \"limit_shared_mem\": %u}",
        o->blocks_per_sm, o->warps_per_sm, o->max_warps_per_sm, o->fraction, arch_occupancy_limiter(o),
        o->limit_blocks, o->limit_warps, o->limit_registers, o->limit_shared);
}

static void json_curve(const struct arch_cc *cc, const struct request *q, const struct axis *axis,
                       struct arena *arena, struct str *out)
{
    struct arch_point *points;
    uint32_t count = arch_occupancy_curve(cc, &q->asked, axis->axis, arena, &points);
    str_printf(out, "\"%s\": [", axis->name);
    for (uint32_t i = 0; i < count; i++)
        str_printf(out, "%s[%u, %u, %.6g]", i ? ", " : "", points[i].value, points[i].occupancy.blocks_per_sm,
                   points[i].occupancy.fraction);
    str_add(out, "]");
}

static void show_json(const struct request *q, const struct arch_gpu *gpu, const struct arch_cc *cc,
                      const struct arch_occupancy *o, struct arena *arena, struct str *out)
{
    uint32_t blocks, best = arch_occupancy_suggest(cc, &q->asked, &blocks);
    str_printf(out,
               "{\"schema\": \"softwarp-occupancy/1\", \"gpu\": \"%s\", \"compute_capability\": \"%u.%u\",\n",
               gpu->name, cc->major, cc->minor);
    str_printf(out, " \"asked\": {\"block\": %u, \"registers\": %u, \"shared\": %u},\n \"result\": ",
               q->asked.threads, q->asked.registers, q->asked.shared_bytes);
    json_occupancy(o, out);
    if (q->latency)
        str_printf(out, ",\n \"latency\": {\"cycles\": %llu, \"intensity\": %llu, \"warps\": %llu}",
                   (unsigned long long)q->latency, (unsigned long long)q->intensity,
                   (unsigned long long)arch_warps_to_hide(cc, q->latency, q->intensity));
    str_printf(out, ",\n \"suggested\": {\"block\": %u, \"blocks\": %u, \"grid\": %llu},\n \"curves\": {",
               best, blocks, (unsigned long long)blocks * gpu->sm_count);
    for (size_t a = 0; a < SW_COUNT_OF(AXES); a++) {
        str_add(out, a ? ",\n  " : "\n  ");
        json_curve(cc, q, &AXES[a], arena, out);
    }
    str_add(out, "}}\n");
}

/* ---- no block fits: which limit is exceeded, and what would fit */

static bool registers_fit(const struct arch_cc *cc, uint32_t threads, uint32_t registers)
{
    struct arch_occupancy o;
    struct arch_occupancy_request request = {.threads = threads, .registers = registers};
    return arch_occupancy_compute(cc, &request, &o, NULL) == SW_OK && o.limit_registers > 0;
}

static int fail_for_registers(const struct request *q, const struct arch_gpu *gpu, const struct arch_cc *cc)
{
    uint32_t registers = q->asked.registers, threads = q->asked.threads;
    while (registers > 1 && !registers_fit(cc, q->asked.threads, registers))
        registers--;
    while (threads > 1 && !registers_fit(cc, threads, q->asked.registers))
        threads--;
    return cli_fail(CLI_USAGE,
                    "no block fits on a multiprocessor of %s: it has too few registers for %u threads with "
                    "%u registers each; use at most --regs %u, or --block %u",
                    gpu->full_name, q->asked.threads, q->asked.registers, registers, threads);
}

static int fail_to_fit(const struct request *q, const struct arch_gpu *gpu, const struct arch_cc *cc,
                       const struct arch_occupancy *o)
{
    if (!o->limit_shared)
        cli_fail(CLI_USAGE,
                 "no block fits on a multiprocessor of %s: %u bytes of shared memory are more than a block "
                 "may have; use at most --smem %u",
                 gpu->full_name, q->asked.shared_bytes, cc->shared_per_block_optin);
    return o->limit_registers ? CLI_USAGE : fail_for_registers(q, gpu, cc);
}

static int occupancy_show(const struct request *q, const struct arch_gpu *gpu, const struct arch_cc *cc,
                          struct arena *arena, struct str *out)
{
    struct arch_occupancy o;
    struct sw_error error = {0};
    if (arch_occupancy_compute(cc, &q->asked, &o, &error) != SW_OK) {
        error.status = SW_USAGE;
        return cli_fail_error(&error);
    }
    if (!o.blocks_per_sm) return fail_to_fit(q, gpu, cc, &o);
    struct report_table table = {0};
    if (q->csv) {
        add_columns(&table);
        occupancy_add_row(&table, "as asked", q->block, &o);
        add_curves(&table, cc, &q->asked, arena);
        report_table_csv(&table, true, out);
    } else if (q->json) {
        show_json(q, gpu, cc, &o, arena, out);
    } else {
        show_text(q, gpu, cc, &o, arena, out);
    }
    report_table_release(&table);
    return CLI_OK;
}

static int occupancy_check(struct request *q, struct arch_gpu *gpu, const struct arch_cc **cc)
{
    struct sw_error error = {0};
    if (!q->block) return cli_fail(CLI_USAGE, "--block N is required: the number of threads per block");
    if (q->csv && q->json) return cli_fail(CLI_USAGE, "--csv and --json exclude each other");
    if (q->block > UINT32_MAX || q->registers > UINT32_MAX || q->shared > UINT32_MAX)
        return cli_fail(CLI_USAGE, "no GPU has that much: use smaller numbers");
    if (!q->intensity || q->latency > UINT32_MAX)
        return cli_fail(CLI_USAGE, "--intensity must be at least 1, and --latency less than 2^32 cycles");
    if (arch_gpu_load(q->device, gpu, &error) != SW_OK) return cli_fail_error(&error);
    *cc = arch_cc_find(gpu->cc_major, gpu->cc_minor);
    if (!*cc)
        return cli_fail(CLI_UNSUPPORTED, "compute capability %u.%u is not known", gpu->cc_major,
                        gpu->cc_minor);
    if (q->registers > (*cc)->registers_per_thread)
        return cli_fail(CLI_USAGE, "--regs %llu is more than the %u a thread may have",
                        (unsigned long long)q->registers, (*cc)->registers_per_thread);
    q->asked =
        (struct arch_occupancy_request){(uint32_t)q->block, (uint32_t)q->registers, (uint32_t)q->shared, 0};
    return -1;
}

int cmd_occupancy(const struct cli_command *self, int argc, char **argv)
{
    struct request q = {.device = "h200", .intensity = 1};
    const struct cli_option table[] = {
        {"--device", 0, CLI_TEXT, &q.device, "GPU", "default h200"},
        {"--block", 0, CLI_NUMBER, &q.block, "N", "threads per block"},
        {"--regs", 0, CLI_NUMBER, &q.registers, "N", "registers per thread; 0: not a limit"},
        {"--smem", 0, CLI_NUMBER, &q.shared, "BYTES", "bytes of shared memory per block"},
        {"--latency", 0, CLI_NUMBER, &q.latency, "CYCLES", "print how many warps hide a latency of CYCLES"},
        {"--intensity", 0, CLI_NUMBER, &q.intensity, "N",
         "other instructions of a warp per instruction with that latency; default 1"},
        {"--csv", 0, CLI_FLAG, &q.csv, NULL, "as CSV: all points of the curves"},
        {"--json", 0, CLI_FLAG, &q.json, NULL, "as JSON"},
        {"--lang", 0, CLI_TEXT, &q.language, "LANG", "en or zh; default by LC_ALL, LC_MESSAGES, LANG"},
    };
    int rest, code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
    if (code >= 0) return code;
    if (rest < argc)
        return cli_fail(CLI_USAGE, "unexpected argument '%s': see softwarp occupancy --help", argv[rest]);
    struct arch_gpu gpu;
    const struct arch_cc *cc = NULL;
    code = occupancy_check(&q, &gpu, &cc);
    if (code < 0) code = cli_language(q.language);
    if (code >= 0) return code;
    struct cli_output output = {0};
    struct arena arena;
    arena_init(&arena);
    code = occupancy_show(&q, &gpu, cc, &arena, &output.text);
    arena_release(&arena);
    int written = cli_output_finish(&output);
    return code ? code : written;
}
