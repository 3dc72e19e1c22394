/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of an artificial launch whose counters are worked out by hand; metrics by name, by source
 * line, and on pages. */
#include "event_code.h"
#include "frozen_gpu.h"

#include "prof/prof.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NONE     EVENT_NO_SLOT
#define NO_SLOTS {NONE, NONE, NONE, NONE}
static const struct event_loc LINE_7 = {"no/such/file.cu", 7, 1, NULL, NULL};
static const struct event_loc LINE_9 = {"no/such/file.cu", 9, 1, NULL, NULL};
/* Slots: 0 warps, 1 lanes of the block; 2-4 the load, 5-7 the store, 8-10 shared load; 11 divergent; 12-14
 * red. */
static const struct event_instr INSTRS[] = {
    {.cls = ISA_CLASS_LOAD,
     .unit = ISA_UNIT_MEMORY,
     .space = ISA_SPACE_GLOBAL,
     .bytes = 4,
     .is_read = true,
     .ptx_line = 10,
     .loc = &LINE_9,
     .text = "ld",
     .slots = {0, 1, 0, 1, NONE, NONE, {{2, 3, 4, NONE}, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS}}},
    {.cls = ISA_CLASS_STORE,
     .unit = ISA_UNIT_MEMORY,
     .space = ISA_SPACE_GENERIC,
     .bytes = 4,
     .is_write = true,
     .ptx_line = 11,
     .loc = &LINE_7,
     .text = "st",
     .slots = {0, 1, 0, 1, NONE, NONE, {{5, 6, 7, NONE}, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS}}},
    {.cls = ISA_CLASS_LOAD,
     .unit = ISA_UNIT_MEMORY,
     .space = ISA_SPACE_SHARED,
     .bytes = 4,
     .is_read = true,
     .ptx_line = 12,
     .loc = &LINE_9,
     .text = "ld.shared",
     .slots = {0, 1, 0, 1, NONE, NONE, {NO_SLOTS, NO_SLOTS, {8, 9, 10, NONE}, NO_SLOTS, NO_SLOTS, NO_SLOTS}}},
    {.cls = ISA_CLASS_ALU,
     .unit = ISA_UNIT_FP32,
     .flop = ISA_FLOP_FMA,
     .ptx_line = 13,
     .text = "fma",
     .slots = {0, 1, 0, 1, NONE, NONE, {NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS}}},
    {.cls = ISA_CLASS_BRANCH,
     .unit = ISA_UNIT_CONTROL,
     .guarded = true,
     .ptx_line = 14,
     .text = "bra",
     .slots = {0, 1, 0, 1, 11, NONE, {NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS}}},
    {.cls = ISA_CLASS_ATOMIC,
     .unit = ISA_UNIT_MEMORY,
     .space = ISA_SPACE_GLOBAL,
     .bytes = 4,
     .is_read = true,
     .is_write = true,
     .ptx_line = 15,
     .text = "red",
     .slots = {0, 1, 0, 1, NONE, NONE, {{12, 13, 14, 13}, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS}}},
};
static const uint64_t COUNTERS[] = {16, 512, 16, 80, 64, 16, 512, 64, 16, 32, 16, 4, 16, 64, 64};
static const struct event_kernel KERNEL = {.name = "k",
                                           .instr_count = SW_COUNT_OF(INSTRS),
                                           .instrs = INSTRS,
                                           .slot_count = SW_COUNT_OF(COUNTERS),
                                           .registers = 22,
                                           .registers_exact = true,
                                           .static_shared_bytes = 1024,
                                           .max_threads_per_block = 1024,
                                           .ptx_sm = 90,
                                           .ptx_name = "k.ptx",
                                           .registers_wanted = 22,
                                           .id = 1};
static const struct event_launch LAUNCH = {
    .kernel = &KERNEL, .grid = {264, 1, 1}, .block = {256, 1, 1}, .gpu = TEST90, .counters = COUNTERS};

static struct arch_gpu gpu;
static struct prof_launch launch;
enum { MOST_METRICS = 512 };

static int set_up(void **state)
{
    (void)state;
    if (arch_gpu_load(TEST90, &gpu, NULL) != SW_OK) return -1;
    prof_launch_init(&launch, &LAUNCH, "program", "k(float *)", &gpu, arch_cc_find(9, 0));
    return 0;
}

static struct report_value value_of(const char *name)
{
    struct report_value values[MOST_METRICS];
    int index = prof_metric_find(name);
    assert_true(index >= 0 && prof_metric_count() <= SW_COUNT_OF(values));
    prof_metric_values(&launch, values);
    return values[index];
}

static void values_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
    } CASES[] = {
        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 16},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 80},
        {"smsp__sass_inst_executed_op_global_ld.sum", 16},
        {"inst_executed_global_loads", 16},
        {"smsp__sass_inst_executed_op_global_st.sum", 16},
        {"gld_transactions", 80},
        {"gld_transactions_per_request", 5},
        {"gld_efficiency", 80},
        {"gst_efficiency", 12.5},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", 512},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", 64},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", 0},
        {"shared_load_transactions", 32},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 16},
        {"shared_efficiency", 50},
        {"inst_executed", 96},
        {"smsp__thread_inst_executed.sum", 3072},
        {"warp_execution_efficiency", 100},
        {"flop_count_sp", 1024},
        {"branch_efficiency", 75},
        {"divergent_branch", 4},
        {"launch__waves_per_multiprocessor", 0.25},
        {"launch__occupancy_limit_registers", 10},
        {"launch__occupancy_limit_shared_mem", 16},
        {"launch__registers_per_thread_allocated", 24},
        {"launch__shared_mem_per_block", 2048},
        {"sm__maximum_warps_per_active_cycle_pct", 100},
        {"memory_l2_theoretical_sectors_global", 656}, /* of the reduction each sector once */
        {"memory_l2_theoretical_sectors_global_ideal", 192},
    };
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct report_value v = value_of(CASES[i].name);
        double number = v.kind == REPORT_INTEGER ? (double)v.integer : v.real;
        if (v.kind == REPORT_NONE || fabs(number - CASES[i].value) > 1e-9)
            fail_msg("%s is %g, not %g", CASES[i].name, number, CASES[i].value);
    }
    assert_int_equal(value_of("local_load_transactions_per_request").kind, REPORT_NONE);
}

static void names_are_unique(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < prof_metric_count(); i++) {
        const struct prof_metric *m = prof_metric_at(i);
        assert_true(m->ncu[0] || m->nvprof[0]);
        if (m->ncu[0]) assert_int_equal(prof_metric_find(m->ncu), i);
    }
    assert_int_equal(prof_metric_find("no_such_metric"), -1);
    assert_int_equal(prof_metric_find(""), -1);
}

static void an_uncounted_launch_has_no_counters(void **state)
{
    (void)state;
    struct event_launch failed = LAUNCH;
    failed.counters = NULL;
    struct prof_launch p;
    struct report_value values[MOST_METRICS];
    prof_launch_init(&p, &failed, "program", "k", &gpu, arch_cc_find(9, 0));
    prof_metric_values(&p, values);
    assert_int_equal(values[prof_metric_find("inst_executed")].kind, REPORT_NONE);
    assert_int_equal(values[prof_metric_find("inst_executed_global_loads")].kind, REPORT_NONE);
    assert_int_equal(values[prof_metric_find("launch__block_size")].kind, REPORT_INTEGER);
}

static void lines_are_summed_and_sorted(void **state)
{
    (void)state;
    struct arena arena;
    struct prof_line *lines;
    arena_init(&arena);
    assert_int_equal(prof_lines(&launch, &arena, &lines), 5);
    assert_string_equal(lines[0].file, ""); /* without .loc: by PTX line, first */
    assert_int_equal(lines[0].line, 13);
    assert_int_equal(lines[3].line, 7);
    assert_int_equal(lines[4].line, 9);
    assert_int_equal(lines[4].sums.warps, 32);
    assert_int_equal(lines[4].sums.access[PROF_GLOBAL_LOAD].units, 80);
    assert_int_equal(lines[4].sums.access[PROF_SHARED_LOAD].units, 32);
    arena_release(&arena);
}

/* A page of the launch, as often as it is said to have run. */
static void write_page(struct prof_pages_options options, int times, struct str *out)
{
    uint32_t all[MOST_METRICS];
    assert_true(prof_metric_count() <= SW_COUNT_OF(all));
    for (uint32_t i = 0; i < prof_metric_count(); i++)
        all[i] = i;
    if (!options.selection.count)
        options.selection = (struct prof_selection){all, prof_metric_count(), false};
    options.version = "0";
    struct prof_pages *pages = prof_pages_new(&options);
    for (int i = 0; i < times; i++)
        prof_pages_see(pages, &launch);
    prof_pages_begin(pages, out);
    for (int i = 0; i < times; i++)
        prof_pages_launch(pages, &launch, out);
    prof_pages_end(pages, out);
    prof_pages_free(pages);
}

static void contains(const struct str *out, const char *text)
{
    if (!strstr(str_text(out), text)) fail_msg("'%s' is missing in\n%s", text, str_text(out));
}

static void the_details_page_says_it(void **state)
{
    (void)state;
    static const char *const NEEDED[] = {
        "k(float *) (264, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 9.0, Invocations 3",
        "1 kernel, 3 launches",
        "Section: Launch Statistics",
        "Registers Per Thread",
        "no/such/file.cu:7",
        "High: Let neighbouring threads access neighbouring elements (no/such/file.cu:7",
        "Avoid shared memory bank conflicts",
        "  Global Load             16       80     64            5        80  =\n"};
    struct str out = {0};
    write_page((struct prof_pages_options){.page = PROF_PAGE_DETAILS, .summary = true}, 3, &out);
    for (size_t i = 0; i < SW_COUNT_OF(NEEDED); i++)
        contains(&out, NEEDED[i]);
    assert_null(strchr(str_text(&out), '\033'));
    str_clear(&out);
    write_page((struct prof_pages_options){.page = PROF_PAGE_DETAILS, .colours = true}, 3, &out);
    contains(&out, "\033[1m");
    assert_null(strstr(str_text(&out), "Invocations"));
    str_release(&out);
}

static void the_raw_page_is_ncus(void **state)
{
    (void)state;
    struct str out = {0};
    write_page((struct prof_pages_options){.page = PROF_PAGE_RAW, .format = PROF_CSV}, 2, &out);
    assert_true(sw_starts_with(
        str_text(&out),
        "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\","
        "\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\""));
    contains(&out, "\",\"device__attribute_architecture\",\"device__attribute_async_engine_count\"");
    contains(&out, "\n\"0\",\"1\",\"program\",\"127.0.0.1\",\"k(float *)\",\"1\",\"7\",\"(256, 1, "
                   "1)\",\"(264, 1, 1)\",\"0\",\"9.0\",");
    contains(&out, "\n\"1\",\"1\",\"program\"");
    contains(&out, "\"Test GPU 9.0\"");
    str_release(&out);
}

/* A second launch of the kernel that reads more, and one with another grid. */
static void launches_are_taken_together(void **state)
{
    (void)state;
    uint64_t more[SW_COUNT_OF(COUNTERS)];
    memcpy(more, COUNTERS, sizeof more);
    more[3] = 100; /* sectors of the load, 80 before */
    struct event_launch second = LAUNCH, third = LAUNCH;
    second.counters = more;
    third.grid[0] = 8;
    struct prof_launch p[2];
    prof_launch_init(&p[0], &second, "program", "k(float *)", &gpu, arch_cc_find(9, 0));
    prof_launch_init(&p[1], &third, "program", "k(float *)", &gpu, arch_cc_find(9, 0));
    struct prof_groups *groups = prof_groups_new();
    prof_groups_add(groups, 0, &launch);
    prof_groups_add(groups, 1, &p[0]);
    prof_groups_add(groups, 2, &p[1]);
    struct prof_group *const *sorted;
    assert_int_equal(prof_groups_sorted(groups, &sorted), 2);
    const struct prof_group *g = sorted[0];
    int metric = prof_metric_find("gld_transactions");
    assert_int_equal(g->launches, 2);
    assert_int_equal(g->first_id, 0);
    assert_int_equal(g->total.sums.access[PROF_GLOBAL_LOAD].units, 180);
    assert_true(g->stats[metric].least == 80 && g->stats[metric].most == 100);
    assert_true(prof_group_value(g, metric).real == 90);
    assert_int_equal(prof_group_value(g, prof_metric_find("inst_executed")).integer, 96);
    assert_int_equal(prof_group_value(g, -1).kind, REPORT_NONE);
    assert_int_equal(sorted[1]->first_id, 2);
    prof_groups_free(groups);
}

static void the_source_page_has_lines_and_instructions(void **state)
{
    (void)state;
    struct str out = {0};
    write_page((struct prof_pages_options){.page = PROF_PAGE_SOURCE, .format = PROF_CSV, .file_order = true},
               1, &out);
    contains(&out, "\"L2 Theoretical Sectors Global Excessive\"");
    contains(&out, "\"no/such/file.cu\",\"9\",\"\",\"\",\"32\",\"1,024\",\"1,024\",\"32\",\"32\",\"\",\"\","
                   "\"\",\"\",\"\",\"16\",\"80\",\"64\",\"16\",\"\",\"16\",\"32\",\"16\",\"16\",\"2\"");
    assert_null(strstr(str_text(&out), "ld.shared"));
    str_clear(&out);
    write_page((struct prof_pages_options){.page = PROF_PAGE_SOURCE, .instructions = true, .summary = true},
               2, &out);
    contains(&out, "  ld.shared");
    const char *hot = strstr(str_text(&out), "file.cu:7"), *cold = strstr(str_text(&out), "file.cu:9");
    assert_true(hot && cold && hot < cold);
    str_release(&out);
}

/* Two launches, modelled; the second line's load and the shared one stand on line 9. */
static void modelled_caches_are_summed_by_line(void **state)
{
    (void)state;
    struct event_memory_sums instrs[SW_COUNT_OF(INSTRS)][EVENT_MEMORY_SPACES] = {0};
    instrs[0][0] = (struct event_memory_sums){
        .l1_sectors = 80, .l1_hits = 60, .l2_reads = 20, .l2_read_hits = 5, .dram_reads = 15};
    const struct event_memory memory = {.total = {.l2_fabric_reads = 7, .l2_fabric_writes = 3},
                                        .instr_count = SW_COUNT_OF(INSTRS),
                                        .instrs =
                                            (const struct event_memory_sums(*)[EVENT_MEMORY_SPACES])instrs};
    struct event_launch modelled = LAUNCH;
    modelled.memory = &memory;
    struct prof_launch p;
    struct arena arena;
    struct prof_line *lines;
    arena_init(&arena);
    prof_launch_init(&p, &modelled, "program", "k(float *)", &gpu, arch_cc_find(9, 0));
    struct prof_groups *groups = prof_groups_new();
    prof_groups_add(groups, 0, &p);
    struct prof_group *group = prof_groups_add(groups, 1, &p);
    assert_int_equal(prof_lines(&group->total, &arena, &lines), 5);
    assert_int_equal(lines[4].memory.l1_hits, 120);
    assert_int_equal(lines[4].memory.dram_reads, 30);
    assert_int_equal(lines[3].memory.l1_sectors, 0);
    assert_int_equal(group->total.launch->memory->total.l2_fabric_reads, 14);
    assert_int_equal(group->total.launch->memory->total.l2_fabric_writes, 6);
    assert_int_equal(instrs[0][0].l1_hits, 60); /* the launch itself is not changed */
    group = prof_groups_add(groups, 2, &launch);
    assert_null(group->total.launch->memory); /* one of them was not modelled */
    prof_groups_free(groups);
    arena_release(&arena);
}

static void names_are_cut_for_people(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    assert_string_equal(prof_short_name("void (anonymous namespace)::f<int, 3>(int)", 40, &arena),
                        "(anonymous namespace)::f<int, 3>");
    assert_string_equal(prof_short_name("k<(unsigned)4>(float *)", 40, &arena), "k<(unsigned)4>");
    assert_string_equal(prof_short_name("a_very_long_name(int)", 8, &arena), "a_very..");
    assert_string_equal(prof_human_bytes(999, &arena), "999 B");
    assert_string_equal(prof_human_bytes(16777216, &arena), "16.8 MB");
    assert_string_equal(prof_percent(1, 1000, &arena), "<1 %");
    assert_string_equal(prof_percent(999, 1000, &arena), ">99 %");
    arena_release(&arena);
}

static void units_that_people_read(void **state)
{
    (void)state;
    static const struct {
        const char *unit, *shown;
        double value, factor;
    } CASES[] = {{"ns", "ns", 999, 1},
                 {"ns", "us", 1000, 1e-3},
                 {"ns", "s", 5e13, 1e-9},
                 {"byte/second", "Tbyte/second", 3.2e12, 1e-12},
                 {"byte/second", "Tbyte/second", 3.2e16, 1e-12},
                 {"sector", "sector", 1e9, 1}};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        double factor;
        assert_string_equal(prof_human_unit(CASES[i].unit, CASES[i].value, &factor), CASES[i].shown);
        assert_true(factor > 0.999 * CASES[i].factor && factor < 1.001 * CASES[i].factor);
    }
}

/* Hardware counts bytes that lanes share once, as PTX-level counters do not: 12.5 and 400 % of a broadcast.
 */
static void efficiencies_are_not_called_exact(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"gld_efficiency", "gst_efficiency", "shared_efficiency"};
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        assert_int_equal(prof_metric_at((uint32_t)prof_metric_find(NAMES[i]))->label, PROF_PTX);
    assert_int_equal(prof_metric_at((uint32_t)prof_metric_find("gld_transactions"))->label, PROF_EXACT);
}

/* Names from the tables of nvprof and Nsight Compute. */
static void names_of_the_tools_are_known(void **state)
{
    (void)state;
    static const char *const OPS[] = {"ld", "st"},
                             *const PATTERNS[] = {
                                 "l1tex__t_sectors_pipe_lsu_mem_global_op_%s.sum",
                                 "l1tex__t_requests_pipe_lsu_mem_global_op_%s.sum",
                                 "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_%s.ratio",
                                 "smsp__sass_average_data_bytes_per_sector_mem_global_op_%s.pct",
                                 "l1tex__t_bytes_pipe_lsu_mem_global_op_%s.sum.per_second",
                                 "l1tex__t_sectors_pipe_lsu_mem_local_op_%s.sum",
                                 "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_%s.sum",
                                 "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_%s.sum",
                                 "g%s_transactions",
                                 "global_%s_requests",
                                 "g%s_transactions_per_request",
                                 "g%s_efficiency",
                                 "g%s_throughput",
                                 "g%s_requested_throughput",
                                 "local_%s_transactions",
                                 "shared_%s_transactions"};
    static const char *const NAMES[] = {
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
        "global_hit_rate",
        "tex_cache_hit_rate",
        "l1tex__t_sector_hit_rate.pct",
        "shared_efficiency",
        "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct",
        "memory_l2_theoretical_sectors_global",
        "memory_l2_theoretical_sectors_global_ideal",
        "derived__memory_l1_wavefronts_shared_excessive",
        "derived__memory_l1_conflicts_shared_nway",
        "l2_tex_read_transactions",
        "l2_tex_write_transactions",
        "lts__t_sectors_srcunit_tex_op_read.sum",
        "lts__t_sectors_srcunit_tex_op_write.sum",
        "l2_tex_hit_rate",
        "lts__t_sector_hit_rate.pct",
        "dram_read_bytes",
        "dram_write_bytes",
        "dram__bytes_read.sum",
        "dram__bytes_write.sum",
        "dram_utilization",
        "dram__throughput.avg.pct_of_peak_sustained_elapsed",
        "branch_efficiency",
        "smsp__sass_average_branch_targets_threads_uniform.pct",
        "warp_execution_efficiency",
        "smsp__thread_inst_executed_per_inst_executed.ratio",
        "warp_nonpred_execution_efficiency",
        "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
        "achieved_occupancy",
        "sm__warps_active.avg.pct_of_peak_sustained_active",
        "sm__maximum_warps_per_active_cycle_pct",
        "launch__occupancy_limit_blocks",
        "launch__occupancy_limit_registers",
        "launch__occupancy_limit_shared_mem",
        "launch__occupancy_limit_warps",
        "launch__occupancy_limit_barriers",
        "ipc",
        "sm__inst_executed.avg.per_cycle_active",
        "issue_slot_utilization",
        "smsp__issue_active.avg.pct_of_peak_sustained_active",
        "inst_executed",
        "smsp__inst_executed.sum",
        "smsp__thread_inst_executed.sum",
        "smsp__thread_inst_executed_pred_on.sum",
        "inst_fp_32",
        "inst_integer",
        "smsp__sass_thread_inst_executed_op_fp16_pred_on.sum",
        "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum",
        "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum",
        "smsp__sass_thread_inst_executed_op_integer_pred_on.sum",
        "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum",
        "smsp__sass_thread_inst_executed_op_control_pred_on.sum",
        "smsp__sass_thread_inst_executed_op_memory_pred_on.sum",
        "smsp__sass_thread_inst_executed_op_misc_pred_on.sum",
        "flop_count_sp",
        "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
        "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
        "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
        "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_drain_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_membar_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio",
        "stall_memory_dependency",
        "stall_exec_dependency",
        "stall_sync",
        "stall_memory_throttle",
        "stall_pipe_busy",
        "stall_not_selected",
        "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct",
        "eligible_warps_per_cycle",
        "inst_per_warp",
        "inst_issued",
        "l2_read_throughput",
        "l2_write_throughput",
        "l2_atomic_throughput",
        "l2_atomic_transactions",
        "gpu__time_duration.sum",
        "sm__cycles_elapsed.max",
        "launch__registers_per_thread",
        "launch__shared_mem_per_block_static",
        "launch__waves_per_multiprocessor"};
    static const char *const NVPROF[][2] = {{"ld", "load"}, {"st", "store"}};
    char name[120];
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        if (prof_metric_find(NAMES[i]) < 0) fail_msg("%s is not known", NAMES[i]);
    for (size_t p = 0; p < SW_COUNT_OF(PATTERNS); p++)
        for (size_t o = 0; o < SW_COUNT_OF(OPS); o++) {
            bool whole = strstr(PATTERNS[p], "_%s_") && !strstr(PATTERNS[p], "__");
            snprintf(name, sizeof name, PATTERNS[p], whole ? NVPROF[o][1] : OPS[o]);
            if (prof_metric_find(name) < 0) fail_msg("%s is not known", name);
        }
}

/* As an H200 counts them (launch__barrier_count). */
static void barriers_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int64_t count; /* -1: not known */
    } CASES[] = {{"add.s32 %r1, %r2, %r3;", 0},
                 {"bar.sync 0; bar.sync 0;", 1},
                 {"bar.sync 0; @%p1 bar.sync 5, 64; bar.warp.sync 7;", 2},
                 {"barrier.red.popc.u32 %r1, 3, %p1; barrier.red.popc.u32 %r1, 4, 64, %p1;", 2},
                 {"bar.sync %r1;", -1}};
    for (size_t c = 0; c < SW_COUNT_OF(CASES); c++) {
        struct event_code code;
        struct event_kernel kernel = KERNEL;
        event_code_open(&code, CASES[c].body);
        for (uint32_t i = 0; i < code.kernel.instr_count; i++)
            code.instrs[i].slots = INSTRS[3].slots;
        kernel.instrs = code.instrs;
        kernel.instr_count = code.kernel.instr_count;
        struct event_launch own = LAUNCH;
        own.kernel = &kernel;
        struct prof_launch named;
        struct report_value values[MOST_METRICS];
        prof_launch_init(&named, &own, "p", "k", &gpu, arch_cc_find(9, 0));
        prof_metric_values(&named, values);
        struct report_value got = values[prof_metric_find("launch__barrier_count")],
                            limit = values[prof_metric_find("launch__occupancy_limit_barriers")];
        assert_int_equal(got.kind == REPORT_NONE, CASES[c].count < 0);
        if (CASES[c].count >= 0) assert_int_equal(got.integer, (uint64_t)CASES[c].count);
        assert_int_equal(limit.kind == REPORT_NONE, CASES[c].count < 0 || CASES[c].count > 1);
        event_code_close(&code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_hand),
        cmocka_unit_test(units_that_people_read),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(names_of_the_tools_are_known),
        cmocka_unit_test(efficiencies_are_not_called_exact),
        cmocka_unit_test(barriers_are_counted),
        cmocka_unit_test(an_uncounted_launch_has_no_counters),
        cmocka_unit_test(lines_are_summed_and_sorted),
        cmocka_unit_test(the_details_page_says_it),
        cmocka_unit_test(the_raw_page_is_ncus),
        cmocka_unit_test(launches_are_taken_together),
        cmocka_unit_test(the_source_page_has_lines_and_instructions),
        cmocka_unit_test(modelled_caches_are_summed_by_line),
        cmocka_unit_test(names_are_cut_for_people),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
