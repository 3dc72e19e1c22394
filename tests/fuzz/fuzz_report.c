/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a report: JSON, our CSV and ncu's. What can be read is compared with itself. */
#include "fuzz_input.h"

#include "compare/compare.h"

static bool wants_all(void *user, const char *metric)
{
    (void)user;
    return metric[0] != 0;
}

static void compare_with_itself(const struct compare_report *report)
{
    static const char GATES[] = "dram__bytes_read.sum>1.05x,gld_transactions>5%,launch__grid_size>=1000";
    struct compare_gate *gates;
    struct compare_judgement judgement;
    struct compare_rows rows;
    struct str verdict = {0};
    struct arena arena;
    uint32_t count;
    arena_init(&arena);
    if (compare_gates_parse(GATES, &arena, &gates, &count, NULL) != SW_OK) BUG("gates that are right");
    const struct compare_question question = {.reports = {report, report},
                                              .paths = {"old", "new"},
                                              .gates = gates,
                                              .gate_count = count,
                                              .find = compare_find_exact};
    compare_judge(&question, &judgement);
    compare_rows_make(&judgement, wants_all, NULL, &rows);
    compare_verdict(&judgement, rows.differing, &verdict);
    vec_release(&rows.list);
    compare_judgement_release(&judgement);
    str_release(&verdict);
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct compare_report report;
    struct sw_error error;
    if (compare_read(fuzz_file(data, bytes), &report, &error) == SW_OK) compare_with_itself(&report);
    compare_report_release(&report);
    return 0;
}
