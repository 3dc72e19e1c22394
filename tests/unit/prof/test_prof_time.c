/* SPDX-License-Identifier: Apache-2.0 */
/* What a report says about a predicted time: what limits it, what would limit it next and by how much,
 * and the bandwidths. The expected values are worked out by hand. */
#include "frozen_gpu.h"

#include "prof/prof.h"

#include "event/event_counter.h"
#include "event/event_kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define NONE     EVENT_NO_SLOT
#define NO_SLOTS {NONE, NONE, NONE, NONE}
/* Slots: 0 warps, 1 lanes; 2-4 the load's requests, sectors, ideal sectors. */
static const struct event_instr LOAD = {
    .cls = ISA_CLASS_LOAD,
    .unit = ISA_UNIT_MEMORY,
    .space = ISA_SPACE_GLOBAL,
    .bytes = 4,
    .is_read = true,
    .ptx_line = 30,
    .op = "ld.global.f32",
    .text = "ld",
    .slots = {0, 1, 0, 1, NONE, NONE, {{2, 3, 4, NONE}, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS}}};
static const uint64_t COUNTERS[] = {100, 3200, 100, 800, 400};
static const struct event_memory_sums NOTHING[1][EVENT_MEMORY_SPACES];
static const struct event_kernel KERNEL = {
    .name = "k", .instr_count = 1, .instrs = &LOAD, .slot_count = SW_COUNT_OF(COUNTERS), .registers = 16};
static struct event_memory memory = {.instr_count = 1, .instrs = NOTHING};
static struct event_time predicted = {.duration_ns = 10000,
                                      .clock_khz = 1500000,
                                      .cycles = 15000,
                                      .limit = EVENT_LIMIT_DRAM,
                                      .warps_active = 16};
static const struct event_launch LAUNCH = {.kernel = &KERNEL,
                                           .grid = {132, 1, 1},
                                           .block = {256, 1, 1},
                                           .gpu = TEST90,
                                           .counters = COUNTERS,
                                           .memory = &memory,
                                           .time = &predicted};
static struct arch_gpu gpu;
static struct prof_launch launch;

static int set_up(void **state)
{
    (void)state;
    if (arch_gpu_load(TEST90, &gpu, NULL) != SW_OK) return -1;
    gpu.kernels.sm_start_ns = 2000;
    gpu.kernels.sm_cold_cycles = 1500; /* 1000 ns */
    predicted.busy[EVENT_LIMIT_DRAM] = 0.6;
    predicted.busy[EVENT_LIMIT_L2] = 0.2;
    memory.total.dram_reads = 1000;
    memory.total.dram_writes = 250;
    memory.total.l2_reads = 280;
    memory.total.l2_fabric_reads = 20;
    memory.total.l2_atomics = 50;
    predicted.stalls[EVENT_STALL_SELECTED] = 1;
    predicted.stalls[EVENT_STALL_LONG_SCOREBOARD] = 10;
    predicted.stalls[EVENT_STALL_SHORT_SCOREBOARD] = 2;
    predicted.stalls[EVENT_STALL_WAIT] = 5;
    predicted.stalls[EVENT_STALL_NOT_SELECTED] = 2;
    prof_launch_init(&launch, &LAUNCH, "program", "k(float *)", &gpu, arch_cc_find(9, 0));
    return 0;
}

static void the_most_that_a_limit_costs(void **state)
{
    (void)state;
    struct event_time t = predicted;
    assert_true(fabs(prof_speedup_at_most(&gpu, &t) - 10000.0 / (3000 + 2000)) < 1e-9);
    t.busy[EVENT_LIMIT_L2] = 0.9; /* no room: start and the second are longer than the launch */
    assert_true(prof_speedup_at_most(&gpu, &t) == 1);
    t = predicted;
    t.limit = EVENT_LIMIT_LAUNCH; /* the second is then DRAM, the largest of the others */
    assert_true(fabs(prof_speedup_at_most(&gpu, &t) - 10000.0 / (3000 + 6000)) < 1e-9);
}

static double metric(const char *name)
{
    struct report_value values[512];
    int index = prof_metric_find(name);
    assert_true(index >= 0 && prof_metric_count() <= SW_COUNT_OF(values));
    prof_metric_values(&launch, values);
    assert_int_not_equal(values[index].kind, REPORT_NONE);
    return values[index].kind == REPORT_REAL ? values[index].real : (double)values[index].integer;
}

static void throughputs_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
    } CASES[] = {{"gld_throughput", 800 * 32 / 1e-5},
                 {"gld_requested_throughput", 3200 * 4 / 1e-5},
                 {"gld_efficiency", 50},
                 {"dram__bytes.sum.per_second", 1250 * 32 / 1e-5},
                 {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 20},
                 {"achieved_occupancy", 25},
                 {"sm__warps_active.avg.per_cycle_active", 16},
                 {"stall_memory_dependency", 50},
                 {"stall_exec_dependency", 35},
                 {"stall_not_selected", 10},
                 {"smsp__warp_issue_stalled_wait_per_warp_active.pct", 25},
                 {"l2_atomic_throughput", 50 * 32 / 1e-5},
                 {"l2_read_throughput", 300 / 1e-5},
                 {"inst_per_warp", 100.0 / (132 * 8)},
                 {"dram_utilization", 100 * 1250 * 32 / 1e-5 / (2 * 3.201e9 * 6016 / 8)}};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++)
        if (fabs(metric(CASES[i].name) - CASES[i].value) > 1e-9 * CASES[i].value)
            fail_msg("%s is %g, not %g", CASES[i].name, metric(CASES[i].name), CASES[i].value);
}

/* A page about one launch, with all metrics. */
static struct str page_in(const struct prof_launch *p, enum prof_page page, enum prof_format format,
                          uint32_t width)
{
    uint32_t all[512];
    struct prof_pages_options options = {.page = page,
                                         .format = format,
                                         .summary = true,
                                         .version = "1",
                                         .width = width,
                                         .selection = {all, prof_metric_count(), false}};
    for (uint32_t i = 0; i < prof_metric_count(); i++)
        all[i] = i;
    struct prof_pages *pages = prof_pages_new(&options);
    struct str out = {0};
    prof_pages_see(pages, p);
    prof_pages_begin(pages, &out);
    prof_pages_launch(pages, p, &out);
    prof_pages_end(pages, &out);
    prof_pages_free(pages);
    return out;
}

static struct str page_of(const struct prof_launch *p, enum prof_page page, enum prof_format format)
{
    return page_in(p, page, format, 0);
}

/* Whether the text contains it, with each run of white space as one blank. */
static bool says(struct str *out, const char *what)
{
    struct str flat = {0};
    for (const char *at = str_text(out); *at; at++)
        if (*at != '\n' && !(*at == ' ' && flat.length && flat.text[flat.length - 1] == ' '))
            str_add_char(&flat, *at);
        else if (*at == '\n' && flat.length && flat.text[flat.length - 1] != ' ')
            str_add_char(&flat, ' ');
    bool found = strstr(str_text(&flat), what) != NULL;
    str_release(&flat);
    return found;
}

/* Every page with numbers of a sampled launch states their confidence interval. */
static void a_sample_says_how_far_it_may_be_off(void **state)
{
    (void)state;
    memory.sample_shift = 2;
    memory.confidence = (struct event_confidence){.l1_rate = 150, .l2_sectors = 420, .cycles = 900};
    for (int format = PROF_TEXT; format <= PROF_HTML; format += PROF_HTML - PROF_TEXT) {
        struct str out = page_of(&launch, PROF_PAGE_DETAILS, (enum prof_format)format);
        assert_true(says(&out, "one multiprocessor in 4"));
        assert_true(says(&out, "the L1 hit rate by at most 1.5 points, the L2 sectors by 4.2 %, the DRAM "
                               "sectors by 0.0 % and the time by 9 % (95 %"));
        str_release(&out);
    }
    memory.sample_shift = 0;
    struct str whole = page_of(&launch, PROF_PAGE_DETAILS, PROF_HTML);
    assert_false(says(&whole, "one multiprocessor in"));
    str_release(&whole);
}

/* The source line with the most stall cycles is on the first screen, in HTML and on the source page. */
static void pages_say_where_warps_wait(void **state)
{
    (void)state;
    static const struct event_stalls STALLS[] = {
        {{[EVENT_STALL_SELECTED] = 100, [EVENT_STALL_WAIT] = 50, [EVENT_STALL_LONG_SCOREBOARD] = 850}}};
    struct event_launch own = LAUNCH;
    struct prof_launch with;
    own.stalls = STALLS;
    prof_launch_init(&with, &own, "program", "k(float *)", &gpu, arch_cc_find(9, 0));
    static const struct {
        enum prof_page page;
        enum prof_format format;
        const char *says;
    } CASES[] = {
        {PROF_PAGE_DETAILS, PROF_TEXT,
         "Most stall time is at PTX line 30: 90 % of the time of the warps, mostly waiting for data of "
         "global or local memory (long scoreboard). "},
        {PROF_PAGE_DETAILS, PROF_HTML, "<td class=n>90 %</td><td title=\"waiting for data of global"},
        {PROF_PAGE_SOURCE, PROF_TEXT, "90 % long_scoreboard"},
        {PROF_PAGE_SOURCE, PROF_CSV, "\"1,000\",\"100\",\"50\",\"850\",\"0\""},
        {PROF_PAGE_SOURCE, PROF_JSON,
         "\"stalls\": {\"cycles\": 1000, \"selected\": 100, \"wait\": 50, \"long_scoreboard\": 850}"}};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct str out = page_of(&with, CASES[i].page, CASES[i].format);
        if (!says(&out, CASES[i].says)) fail_msg("no '%s' in: %s", CASES[i].says, str_text(&out));
        str_release(&out);
    }
}

/* Sentences wrap at the terminal's width, on the first screen, in sections and in findings. */
static void sentences_keep_to_the_width(void **state)
{
    (void)state;
    enum { NARROW = 60 };
    static const enum prof_page PAGES[] = {PROF_PAGE_DETAILS, PROF_PAGE_ADVICE};
    for (size_t i = 0; i < SW_COUNT_OF(PAGES); i++) {
        struct str out = page_in(&launch, PAGES[i], PROF_TEXT, NARROW);
        uint32_t sentences = 0;
        for (char *line = strtok(out.text, "\n"); line; line = strtok(NULL, "\n")) {
            bool words = strstr(line, " the ") || strstr(line, " blocks ") || strstr(line, " are ");
            if (!words || line[0] != ' ') continue;
            sentences++;
            if (report_width(line) > NARROW) fail_msg("%zu columns: %s", report_width(line), line);
        }
        assert_true(sentences > 1);
        str_release(&out);
    }
    struct arena arena;
    arena_init(&arena);
    assert_string_equal(prof_clipped("a[i] = b[i];", 12, &arena), "a[i] = b[i];");
    assert_string_equal(prof_clipped("a[i] = b[i] + c;", 12, &arena), "a[i] = b[i..");
    assert_string_equal(prof_clipped("\xe5\x92\x8c\xe5\x92\x8c\xe5\x92\x8c", 5, &arena), "\xe5\x92\x8c..");
    arena_release(&arena);
}

static void the_details_page_says_it(void **state)
{
    (void)state;
    struct str out = page_of(&launch, PROF_PAGE_DETAILS, PROF_TEXT);
    assert_true(says(
        &out,
        "Limited by DRAM, which alone would take 60 % of the time. The second limit is L2 (20 %). Without"));
    assert_true(
        says(&out, "at most 2.0 times as fast. Time that each unit alone would take: DRAM 60 %, L2 20 %."));
    assert_true(says(&out, "Effective bandwidth 1.28 GB/s (bytes that threads request), 0 % "
                           "of the theoretical bandwidth of 4.81 TB/s"));
    assert_true(says(&out, "No floating-point operations."));
    str_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_that_a_limit_costs),
        cmocka_unit_test(throughputs_by_hand),
        cmocka_unit_test(the_details_page_says_it),
        cmocka_unit_test(sentences_keep_to_the_width),
        cmocka_unit_test(a_sample_says_how_far_it_may_be_off),
        cmocka_unit_test(pages_say_where_warps_wait),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
