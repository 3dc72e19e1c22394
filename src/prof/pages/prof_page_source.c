/* SPDX-License-Identifier: Apache-2.0 */
/* The source page: what each line of the source, and on request each PTX instruction of it, executed and
 * moved.
 *
 * As CSV: one flat table of all launches in the order of the file, with ncu's column names where its source
 * page has such a column. As text: a table a kernel (or launch), the hottest lines first. Hot is what moves
 * most (sectors of global and local memory, wavefronts of shared memory), then what executes most, since time
 * is not known. Limits: sources are read where the compiler found them; a line that cannot be read shows
 * nothing. */
#include "prof_pages_priv.h"

#include "base/base_text.h"
#include "timing/timing_kernel.h"

#include <stdlib.h>
#include <string.h>

enum { SOURCE_WIDTH = 56 };

/* One row: a line or an instruction. */
struct row {
    const char *file, *text;
    uint32_t line, ptx_line; /* ptx_line 0: a whole line */
    const struct event_instr *instr;
    struct prof_sums sums;
    struct event_memory_sums memory;
    struct event_stalls stalls;
    uint64_t heat;
};

uint64_t prof_heat(const struct prof_sums *sums)
{
    uint64_t moved = prof_global_total(sums).units + prof_shared_total(sums).units +
                     sums->access[PROF_LOCAL_LOAD].units + sums->access[PROF_LOCAL_STORE].units;
    return moved << 20 | (sums->warps < 1 << 20 ? sums->warps : (1 << 20) - 1);
}

static int by_heat(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->heat != y->heat) return x->heat < y->heat ? 1 : -1;
    int files = strcmp(x->file, y->file);
    return files ? files : (x->line > y->line) - (x->line < y->line);
}

/* Rows of the lines of a launch, from arena. */
static uint32_t line_rows(struct prof_pages *pages, const struct prof_launch *p, struct arena *arena,
                          struct row **out)
{
    struct prof_line *lines;
    uint32_t count = prof_lines(p, arena, &lines);
    struct row *rows = ARENA_ARRAY(arena, struct row, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const char *text = report_source_line(&pages->sources, lines[i].file, lines[i].line);
        rows[i] = (struct row){.file = lines[i].file[0] ? lines[i].file : "(PTX)",
                               .text = text               ? text
                                       : lines[i].file[0] ? ""
                                                          : lines[i].op,
                               .line = lines[i].line,
                               .sums = lines[i].sums,
                               .memory = lines[i].memory,
                               .stalls = lines[i].stalls,
                               .heat = prof_heat(&lines[i].sums)};
    }
    if (!pages->options.file_order) qsort(rows, count, sizeof *rows, by_heat);
    *out = rows;
    return count;
}

/* Calls add for each instruction that counts for a row's line. */
static void each_instruction(struct prof_pages *pages, const struct prof_launch *p, const struct row *line,
                             struct arena *arena,
                             void (*add)(struct prof_pages *, const struct prof_launch *, const struct row *,
                                         struct arena *))
{
    const struct event_kernel *kernel = p->launch->kernel;
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        const char *file;
        uint32_t number;
        prof_location_of(&kernel->instrs[i], &file, &number);
        if (number != line->line || strcmp(file[0] ? file : "(PTX)", line->file) != 0) continue;
        struct row row = {.file = line->file,
                          .text = kernel->instrs[i].text,
                          .line = number,
                          .ptx_line = kernel->instrs[i].ptx_line,
                          .instr = &kernel->instrs[i]};
        prof_sums_add(&row.sums, &kernel->instrs[i], p->launch->counters, p->cc);
        prof_memory_of_instr(p->launch, i, &row.memory);
        prof_stalls_of_instr(p->launch, i, &row.stalls);
        add(pages, p, &row, arena);
    }
}

static const char *space_name(const struct event_instr *i)
{
    static const char *const NAMES[ISA_SPACE_COUNT] = {"",      "Generic",  "Global", "Shared",
                                                       "Local", "Constant", "Param"};
    return i ? NAMES[i->space] : "";
}

static const char *operation_name(const struct event_instr *i)
{
    if (!i) return "";
    switch (i->cls) {
    case ISA_CLASS_LOAD: return "Load";
    case ISA_CLASS_STORE: return "Store";
    case ISA_CLASS_ATOMIC: return i->returns ? "Atomic" : "Reduction";
    case ISA_CLASS_COPY: return "Copy";
    default: return "";
    }
}

static struct report_value known(uint64_t value, bool is_known)
{
    return is_known ? report_integer(value) : report_none();
}

static struct report_value page_source_ratio(uint64_t part, uint64_t whole)
{
    return whole ? report_real((double)part / (double)whole) : report_none();
}

static void csv_access(struct report_table *table, const struct row *row)
{
    bool is_memory = row->instr && operation_name(row->instr)[0];
    report_cell(table, report_text(space_name(is_memory ? row->instr : NULL)));
    report_cell(table, report_text(operation_name(row->instr)));
    report_cell(table, known(is_memory ? 8ull * row->instr->bytes : 0, is_memory));
}

static void csv_constants(struct report_table *table, const struct prof_sums *s)
{
    const struct prof_access *constant = &s->access[PROF_CONSTANT_LOAD];
    const struct prof_access *parameter = &s->access[PROF_PARAMETER_LOAD];
    report_cell(table, known(constant->requests, constant->requests));
    report_cell(table, known(constant->units, constant->requests));
    report_cell(table, known(parameter->requests, parameter->requests));
    report_cell(table, known(parameter->units, parameter->requests));
}

static void csv_hits(struct report_table *table, const struct row *row)
{
    struct prof_hits hits = prof_hits_of(&row->memory);
    report_cell(table, known(hits.l1_sectors, hits.l1_sectors));
    report_cell(table, known(hits.l1_hits, hits.l1_sectors));
    report_cell(table, known(hits.l2_sectors, hits.l2_sectors));
    report_cell(table, known(hits.l2_hits, hits.l2_sectors));
    report_cell(table, known(hits.dram_sectors, hits.l2_sectors));
}

static void csv_stalls(struct report_table *table, const struct row *row, bool is_known)
{
    report_cell(table, known(prof_stalls_all(&row->stalls), is_known));
    for (uint32_t r = 0; r < EVENT_STALL_COUNT; r++)
        report_cell(table, known(row->stalls.cycles[r], is_known));
}

static struct report_value page_rate(uint64_t hits, uint64_t sectors, struct arena *arena)
{
    return sectors ? report_text(prof_percent(hits, sectors, arena)) : report_none();
}

static void text_hits(struct report_table *table, const struct row *row, struct arena *arena)
{
    struct prof_hits hits = prof_hits_of(&row->memory);
    report_cell(table, page_rate(hits.l1_hits, hits.l1_sectors, arena));
    report_cell(table, page_rate(hits.l2_hits, hits.l2_sectors, arena));
    report_cell(table, known(hits.dram_sectors, hits.l2_sectors));
}

/* Of all that warps do, the part that they wait here; for what most. */
static void text_waits(struct report_table *table, const struct row *row, uint64_t all, struct arena *arena)
{
    uint64_t waits = prof_stalls_waits(&row->stalls);
    report_cell(table, page_rate(waits, waits ? all : 0, arena));
    report_cell(table,
                waits ? report_text(timing_stall_name(prof_stalls_most(&row->stalls))) : report_none());
}

static void csv_row(struct prof_pages *pages, const struct prof_launch *p, const struct row *row,
                    struct arena *arena)
{
    struct report_table *table = &pages->table;
    const struct prof_sums *s = &row->sums;
    struct prof_access global = prof_global_total(s), shared = prof_shared_total(s);
    uint64_t local = s->access[PROF_LOCAL_LOAD].units + s->access[PROF_LOCAL_STORE].units;
    bool g = global.requests, w = shared.requests;
    report_cell(table, prof_plain(pages->written, arena));
    report_cell(table, report_text(p->kernel));
    report_cell(table, report_text(row->file));
    report_cell(table, prof_plain(row->line, arena));
    report_cell(table, row->ptx_line ? prof_plain(row->ptx_line, arena) : report_none());
    report_cell(table, report_text(row->text));
    report_cell(table, report_integer(s->warps));
    report_cell(table, report_integer(s->lanes));
    report_cell(table, report_integer(s->on_lanes));
    report_cell(table, page_source_ratio(s->lanes, s->warps));
    report_cell(table, page_source_ratio(s->on_lanes, s->warps));
    report_cell(table, known(s->branches, s->branches));
    report_cell(table, known(s->divergent, s->branches));
    csv_access(table, row);
    report_cell(table, known(global.requests, g));
    report_cell(table, known(global.units, g));
    report_cell(table, known(global.ideal, g));
    report_cell(table, known(global.units - global.ideal, g));
    report_cell(table, known(local, local));
    report_cell(table, known(shared.requests, w));
    report_cell(table, known(shared.units, w));
    report_cell(table, known(shared.ideal, w));
    report_cell(table, known(shared.units - shared.ideal, w));
    report_cell(table, page_source_ratio(shared.units, shared.ideal));
    csv_constants(table, s);
    csv_hits(table, row);
    csv_stalls(table, row, p->launch->stalls != NULL);
}

static const char *const CSV_NAMES[] = {"ID",
                                        "Kernel Name",
                                        "File",
                                        "Line No",
                                        "PTX Line No",
                                        "Source",
                                        "Instructions Executed",
                                        "Thread Instructions Executed",
                                        "Predicated-On Thread Instructions Executed",
                                        "Avg. Threads Executed",
                                        "Avg. Predicated-On Threads Executed",
                                        "Branches",
                                        "Divergent Branches",
                                        "Address Space",
                                        "Access Operation",
                                        "Access Size",
                                        "Global Requests",
                                        "L2 Theoretical Sectors Global",
                                        "L2 Theoretical Sectors Global Ideal",
                                        "L2 Theoretical Sectors Global Excessive",
                                        "L2 Theoretical Sectors Local",
                                        "Shared Requests",
                                        "L1 Wavefronts Shared",
                                        "L1 Wavefronts Shared Ideal",
                                        "L1 Wavefronts Shared Excessive",
                                        "L1 Conflicts Shared N-Way",
                                        "Constant Requests",
                                        "Constant Addresses",
                                        "Parameter Requests",
                                        "Parameter Addresses",
                                        "L1 Sectors (modelled)",
                                        "L1 Hits (modelled)",
                                        "L2 Sectors (modelled)",
                                        "L2 Hits (modelled)",
                                        "DRAM Sectors (modelled)",
                                        "Warp Stall Sampling (All Samples)"};
static const char *const TEXT_NAMES[] = {
    N_("Of all"),     N_("Line"),        N_("Source"),      N_("Warps"),         N_("Lanes"),
    N_("Sectors"),    N_("Excess"),      N_("L1 hit~"),     N_("L2 hit~"),       N_("DRAM~"),
    N_("Wavefronts"), N_("Excess"),      N_("N-way"),       N_("Local sectors"), N_("Constant addresses"),
    N_("Divergent"),  N_("Stall time~"), N_("Stall reason")};

static void columns(struct report_table *table, const char *const *names, size_t count, bool translated)
{
    for (size_t i = 0; i < count; i++)
        report_column(table, translated ? _(names[i]) : names[i], "");
}

static const char *clipped(const struct row *row, struct arena *arena)
{
    const char *indent = row->ptx_line ? "  " : "";
    return arena_printf(arena, "%s%s", indent,
                        prof_clipped(row->text, SOURCE_WIDTH - (uint32_t)strlen(indent), arena));
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void text_row(struct prof_pages *pages, const struct prof_launch *p, const struct row *row,
                     struct arena *arena)
{
    struct report_table *table = &pages->table;
    const struct prof_sums *s = &row->sums;
    struct prof_access global = prof_global_total(s), shared = prof_shared_total(s);
    uint64_t local = s->access[PROF_LOCAL_LOAD].units + s->access[PROF_LOCAL_STORE].units;
    bool g = global.requests, w = shared.requests, whole = !row->ptx_line;
    uint64_t all = prof_heat(&p->sums) >> 20;
    report_cell(table, whole && all ? report_text(prof_percent(row->heat >> 20, all, arena)) : report_none());
    report_cell(table, whole ? report_text(arena_printf(arena, "%s:%u", base_name(row->file), row->line))
                             : report_none());
    report_cell(table, report_text(clipped(row, arena)));
    report_cell(table, report_integer(s->warps));
    report_cell(table, page_source_ratio(s->on_lanes, s->warps));
    report_cell(table, known(global.units, g));
    report_cell(table, known(global.units - global.ideal, g));
    text_hits(table, row, arena);
    report_cell(table, known(shared.units, w));
    report_cell(table, known(shared.units - shared.ideal, w));
    report_cell(table, page_source_ratio(shared.units, shared.ideal));
    report_cell(table, known(local, local));
    report_cell(table, known(s->access[PROF_CONSTANT_LOAD].units, s->access[PROF_CONSTANT_LOAD].requests));
    report_cell(table, known(s->divergent, s->branches));
    text_waits(table, row, pages->source_stalls, arena);
}

static void page_source_rows_of(struct prof_pages *pages, const struct prof_launch *p, struct arena *arena,
                                void (*add)(struct prof_pages *, const struct prof_launch *,
                                            const struct row *, struct arena *))
{
    struct row *rows;
    uint32_t count = line_rows(pages, p, arena, &rows);
    for (uint32_t i = 0; i < count; i++) {
        if (!pages->options.only_instructions) add(pages, p, &rows[i], arena);
        if (pages->options.instructions) each_instruction(pages, p, &rows[i], arena, add);
    }
}

static void text_table(struct prof_pages *pages, const struct prof_group *g, struct str *out)
{
    struct arena arena;
    arena_init(&arena);
    pages->source_stalls = prof_stalls_of_launch(&g->total);
    columns(&pages->table, TEXT_NAMES, SW_COUNT_OF(TEXT_NAMES), true);
    page_source_rows_of(pages, &g->total, &arena, text_row);
    prof_colour(pages, PROF_BOLD, out);
    str_add(out, prof_launch_title(&g->total, &arena));
    prof_colour(pages, PROF_PLAIN, out);
    if (g->launches > 1) str_printf(out, _(", Invocations %u (sums of all)"), g->launches);
    str_add(out, "\n\n");
    if (pages->table.cells.count) report_table_text(&pages->table, out);
    str_add(out, "\n");
    report_table_release(&pages->table);
    arena_release(&arena);
}

void prof_source_begin(struct prof_pages *pages, struct str *out)
{
    if (pages->options.format != PROF_CSV) return;
    columns(&pages->table, CSV_NAMES, SW_COUNT_OF(CSV_NAMES), false);
    for (uint32_t r = 0; r < EVENT_STALL_COUNT; r++)
        report_column(&pages->table, prof_stall_column(r), "");
    report_table_csv(&pages->table, false, out);
}

void prof_source_launch(struct prof_pages *pages, const struct prof_launch *p, struct str *out)
{
    struct arena arena;
    arena_init(&arena);
    if (pages->options.format == PROF_CSV) {
        page_source_rows_of(pages, p, &arena, csv_row);
        report_table_csv_rows(&pages->table, out);
        vec_clear(&pages->table.cells);
    } else if (!pages->options.summary) {
        text_table(pages, prof_group_of(pages->written, p, &arena), out);
    }
    arena_release(&arena);
}

void prof_source_end(struct prof_pages *pages, struct str *out)
{
    struct prof_group *const *groups;
    uint32_t count = prof_groups_sorted(pages->groups, &groups);
    if (pages->options.format == PROF_CSV) return;
    for (uint32_t i = 0; pages->options.summary && i < count; i++)
        text_table(pages, groups[i], out);
    if (count)
        str_add(
            out,
            _("Of all: share of all sectors and wavefronts. Warps, Lanes (active lanes of 32, on average): "
              "PTX-level. Sectors, Excess: exact.\nWavefronts (of shared memory), N-way: rule of the "
              "hardware. ~: modelled. Stall time: share of the time of all warps that they stall here.\n"));
}
