/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as suppressions of a check, held against two findings. */
#include "fuzz_input.h"

#include "check/check.h"

static const char *plain_name(struct arena *arena, const char *name)
{
    (void)arena;
    return name;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct check_suppressions *suppressions = NULL;
    struct sw_error error;
    if (check_suppressions_read(fuzz_file(data, bytes), &suppressions, &error) != SW_OK) return 0;
    const struct check_options options = {
        .tools = 1u << CHECK_MEMCHECK, .version = "0", .demangle = plain_name, .suppressions = suppressions};
    const struct event_finding findings[] = {
        {.kind = EVENT_FINDING_SCHEDULE, .message = "values differ", .place = {.call = "cudaMemcpy"}},
        {.base = 4096, .size = 64, .address = 5000, .place = {.where = "/a/b/program.cu:17"}}};
    const struct check_run run = {.complete = true};
    struct check_report *report = check_report_new(&options);
    struct str out = {0};
    for (size_t i = 0; i < SW_COUNT_OF(findings); i++)
        check_report_add(report, "program", &findings[i]);
    check_write_text(report, &run, &out);
    check_write_suppressions(report, &out);
    check_report_free(report);
    check_suppressions_free(suppressions);
    str_release(&out);
    return 0;
}
