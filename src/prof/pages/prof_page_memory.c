/* SPDX-License-Identifier: Apache-2.0 */
/* ncu's memory tables: shared memory, L1/TEX cache, L2 cache, device memory. A cell is a metric by its name;
 * one that this version does not compute, or the launch does not know, is empty, and a column of empty cells
 * is left out. So a table grows with the metrics. */
#include "prof_pages_priv.h"

#include "base/base_text.h"

#include <string.h>

enum { CELLS = 8 };

/* A metric's name in a cell; "" : none. */
struct memory_row {
    const char *title;
    const char *cells[CELLS];
    bool seldom; /* left out where its first cell is 0 */
};

static const char *const SHARED_HEAD[] = {N_("Requests"), N_("Wavefronts"), N_("Ideal"), N_("Bank Conflicts"),
                                          N_("Per Request")};
static const char *const L1_HEAD[] = {N_("Requests"), N_("Sectors"),   N_("Ideal"), N_("Sectors/Req"),
                                      N_("Used"),     N_("Hit Rate~"), N_("To L2~")};
static const char *const L2_HEAD[] = {N_("Sectors"), N_("Hit Rate")};
static const char *const DRAM_HEAD[] = {N_("Sectors"), N_("Bytes")};

static const struct memory_row L2_ROWS[] = {
    {N_("L1/TEX Load"),
     {"lts__t_sectors_srcunit_tex_op_read.sum", "lts__t_sectors_srcunit_tex_op_read_hit_rate.pct"},
     false},
    {N_("L1/TEX Store"),
     {"lts__t_sectors_srcunit_tex_op_write.sum", "lts__t_sectors_srcunit_tex_op_write_hit_rate.pct"},
     false},
    {N_("L1/TEX Atomic"),
     {"lts__t_sectors_srcunit_tex_op_atom.sum", "lts__t_sector_op_atom_hit_rate.pct"},
     true},
    {N_("L1/TEX Reduction"),
     {"lts__t_sectors_srcunit_tex_op_red.sum", "lts__t_sector_op_red_hit_rate.pct"},
     true},
    {N_("L1/TEX Total"), {"lts__t_sectors_srcunit_tex.sum", "lts__t_sector_hit_rate.pct"}, false},
};
static const struct memory_row DRAM_ROWS[] = {
    {N_("Load"), {"dram__sectors_read.sum", "dram__bytes_read.sum"}, false},
    {N_("Store"), {"dram__sectors_write.sum", "dram__bytes_write.sum"}, false},
};

static bool add_named_row(struct report_table *table, const struct prof_group *g,
                          const struct memory_row *row, size_t cells)
{
    struct report_value values[CELLS];
    bool any = false;
    for (size_t c = 0; c < cells; c++) {
        values[c] = prof_group_value(g, row->cells[c] ? prof_metric_find(row->cells[c]) : -1);
        any |= values[c].kind != REPORT_NONE;
    }
    bool none = values[0].kind == REPORT_REAL ? values[0].real <= 0
                                              : values[0].kind == REPORT_INTEGER && !values[0].integer;
    if (!any || (row->seldom && none)) return false;
    report_cell(table, report_text(_(row->title)));
    for (size_t c = 0; c < cells; c++)
        report_cell(table, values[c]);
    return true;
}

static void head(struct report_table *table, const char *name, const char *const *columns, size_t count)
{
    report_column(table, name, "");
    for (size_t i = 0; i < count; i++)
        report_column(table, _(columns[i]),
                      strcmp(columns[i], "Used") == 0 || sw_starts_with(columns[i], "Hit Rate") ? "%" : "");
}

static void page_memory_finish(struct report_table *table, prof_table_writer write, struct str *out)
{
    if (table->cells.count) write(table, out);
    report_table_release(table);
}

static void named_table(const struct prof_group *g, const char *name, const char *const *columns,
                        size_t cells, const struct memory_row *rows, size_t count, prof_table_writer write,
                        struct str *out)
{
    struct report_table table = {0};
    head(&table, name, columns, cells);
    report_column(&table, "", "");
    for (size_t i = 0; i < count; i++)
        if (add_named_row(&table, g, &rows[i], cells)) report_cell(&table, report_text("~"));
    page_memory_finish(&table, write, out);
}

struct stream_row {
    enum prof_stream stream;
    const char *name, *hit_rate; /* a metric; NULL: none */
    enum prof_label label;
};
static const struct stream_row SECTOR_ROWS[] = {
    {PROF_GLOBAL_LOAD, N_("Global Load"), "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct",
     PROF_EXACT},
    {PROF_GLOBAL_STORE, N_("Global Store"), "l1tex__t_sector_pipe_lsu_mem_global_op_st_hit_rate.pct",
     PROF_EXACT},
    {PROF_GLOBAL_ATOM, N_("Global Atomic"), NULL, PROF_RULE},
    {PROF_GLOBAL_RED, N_("Global Reduction"), NULL, PROF_RULE},
    {PROF_GLOBAL_COPY, N_("Global To Shared Copy"), NULL, PROF_EXACT},
    {PROF_LOCAL_LOAD, N_("Local Load"), "l1tex__t_sector_pipe_lsu_mem_local_op_ld_hit_rate.pct", PROF_PTX},
    {PROF_LOCAL_STORE, N_("Local Store"), "l1tex__t_sector_pipe_lsu_mem_local_op_st_hit_rate.pct", PROF_PTX},
    {PROF_TEXTURE_LOAD, N_("Texture Load"), "l1tex__t_sector_pipe_tex_mem_texture_hit_rate.pct", PROF_RULE},
    {PROF_SURFACE_LOAD, N_("Surface Load"), NULL, PROF_RULE},
    {PROF_SURFACE_STORE, N_("Surface Store"), NULL, PROF_RULE},
};
static const struct stream_row WAVEFRONT_ROWS[] = {
    {PROF_SHARED_LOAD, N_("Shared Load"), NULL, PROF_RULE},
    {PROF_SHARED_STORE, N_("Shared Store"), NULL, PROF_RULE},
    {PROF_SHARED_ATOM, N_("Shared Atomic"), NULL, PROF_RULE},
};

/* A sum over the group's launches, as it is for one of them. */
static struct report_value each(uint64_t sum, const struct prof_group *g)
{
    return sum % g->launches ? report_real((double)sum / g->launches) : report_integer(sum / g->launches);
}

static void add_mark(struct report_table *table, enum prof_label label)
{
    static char marks[PROF_LABEL_COUNT][2];
    marks[label][0] = prof_label_mark(label);
    report_cell(table, report_text(marks[label]));
}

static void sector_cells(struct report_table *table, const struct prof_group *g, const struct stream_row *row)
{
    const struct prof_access *a = &g->total.sums.access[row->stream];
    bool bytes = a->moved && a->bytes && !g->total.sums.bytes_unclear;
    report_cell(table, report_text(_(row->name)));
    report_cell(table, each(a->requests, g));
    report_cell(table, each(a->units, g));
    report_cell(table, a->ideal ? each(a->ideal, g) : report_none());
    report_cell(table, report_real((double)a->units / (double)a->requests));
    report_cell(table, bytes ? report_real(100.0 * (double)a->bytes / (double)a->moved) : report_none());
    report_cell(table, prof_group_value(g, row->hit_rate ? prof_metric_find(row->hit_rate) : -1));
    const struct event_memory_sums *m = &g->total.sums.caches[row->stream];
    report_cell(table, g->total.launch->memory ? each(m->l2_reads + m->l2_writes + m->l2_atomics, g)
                                               : report_none());
    add_mark(table, row->label);
}

static void wavefront_cells(struct report_table *table, const struct prof_group *g,
                            const struct stream_row *row)
{
    const struct prof_access *a = &g->total.sums.access[row->stream];
    report_cell(table, report_text(_(row->name)));
    report_cell(table, each(a->requests, g));
    report_cell(table, each(a->units, g));
    report_cell(table, each(a->ideal, g));
    report_cell(table, each(a->units - a->ideal, g));
    report_cell(table, report_real((double)a->units / (double)a->requests));
    add_mark(table, row->label);
}

static void stream_table(const struct prof_group *g, const struct stream_row *rows, size_t count,
                         struct report_table *table,
                         void (*cells)(struct report_table *, const struct prof_group *,
                                       const struct stream_row *),
                         prof_table_writer write, struct str *out)
{
    report_column(table, "", "");
    for (size_t i = 0; i < count; i++)
        if (g->total.sums.access[rows[i].stream].requests) cells(table, g, &rows[i]);
    page_memory_finish(table, write, out);
}

void prof_memory_tables(const struct prof_group *g, prof_table_writer write, struct str *out)
{
    struct report_table shared = {0}, l1 = {0};
    head(&shared, _("Shared Memory"), SHARED_HEAD, SW_COUNT_OF(SHARED_HEAD));
    stream_table(g, WAVEFRONT_ROWS, SW_COUNT_OF(WAVEFRONT_ROWS), &shared, wavefront_cells, write, out);
    head(&l1, _("L1/TEX Cache"), L1_HEAD, SW_COUNT_OF(L1_HEAD));
    stream_table(g, SECTOR_ROWS, SW_COUNT_OF(SECTOR_ROWS), &l1, sector_cells, write, out);
    named_table(g, _("L2 Cache"), L2_HEAD, SW_COUNT_OF(L2_HEAD), L2_ROWS, SW_COUNT_OF(L2_ROWS), write, out);
    named_table(g, _("Device Memory"), DRAM_HEAD, SW_COUNT_OF(DRAM_HEAD), DRAM_ROWS, SW_COUNT_OF(DRAM_ROWS),
                write, out);
}
