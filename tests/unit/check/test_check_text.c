/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of each kind as text, line by line; groups, limits and levels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "check_findings.h"

#include <string.h>

enum { MEMCHECK = 1 << CHECK_MEMCHECK, RACECHECK = 1 << CHECK_RACECHECK };

static int exit_status; /* of the program */

/* The text of findings, the name of the source file replaced by "scale.cu". */
static char *text_of(struct check_options options, const struct event_finding *findings, size_t count)
{
    struct str text = {0}, out = {0};
    struct check_run run = {.exit_status = exit_status, .complete = true};
    struct check_report *report = check_report_new(&options);
    for (size_t i = 0; i < count; i++)
        check_report_add(report, "program", &findings[i]);
    check_write_text(report, &run, &text);
    const char *base = strrchr(source_path, '/') + 1, *at = str_text(&text);
    for (const char *next; (next = strstr(at, base)); at = next + strlen(base)) {
        str_add_bytes(&out, at, (size_t)(next - at));
        str_add(&out, "scale.cu");
    }
    str_add(&out, at);
    check_report_free(report);
    str_release(&text);
    return str_steal(&out);
}

static void expect(struct check_options options, const struct event_finding *findings, size_t count,
                   const char *wanted)
{
    char *text = text_of(options, findings, count);
    assert_string_equal(text, wanted);
    free(text);
}

/* What stands between the heading and the summary of one finding. */
static void expect_one(const struct event_finding *finding, const char *wanted)
{
    char *text = text_of((struct check_options){.tools = MEMCHECK}, finding, 1);
    char *begin = strchr(text, '\n') + 1, *end = strstr(text, "========= \n");
    assert_non_null(end);
    *end = 0;
    assert_string_equal(begin, wanted);
    free(text);
}

static void errors_at_one_line_are_one_group(void **state)
{
    (void)state;
    struct event_finding findings[24];
    for (uint32_t i = 0; i < 24; i++)
        findings[i] = out_of_bounds(i + 8);
    expect(
        (struct check_options){.tools = MEMCHECK}, findings, 24,
        "========= SOFTWARP CHECK (memcheck)\n"
        "========= Invalid __global__ write of size 4 bytes\n"
        "=========     at scale+PTX line 10 in scale.cu:2\n"
        "=========     by thread (8,0,0) in block (3,0,0)\n"
        "=========     Access to 0x20000fa0 is out of bounds\n"
        "=========     and is 1 bytes after the nearest allocation at 0x20000000 of size 4,000 bytes\n"
        "=========     Allocated by cudaMalloc in main.cu:31\n"
        "=========     scale.cu:2: a[i] = x;\n"
        "=========     Threads of block (3,0,0): (8..31,0,0)\n"
        "=========     Errors of this kind at this place: 24; this is the first\n"
        "=========     To do: Compare the index with the number of elements before the access, or allocate "
        "as much as is accessed.\n"
        "========= \n"
        "========= ERROR SUMMARY: 24 errors\n");
}

static void a_thread_is_named_once(void **state)
{
    (void)state;
    struct event_finding findings[4] = {out_of_bounds(8), out_of_bounds(9), out_of_bounds(8),
                                        out_of_bounds(9)};
    char *text = text_of((struct check_options){.tools = MEMCHECK}, findings, 4);
    assert_non_null(strstr(text, "Threads of block (3,0,0): (8..9,0,0)\n"));
    free(text);
}

static void limits_count_groups(void **state)
{
    (void)state;
    struct event_finding findings[3] = {out_of_bounds(8), out_of_bounds(9), out_of_bounds(9)};
    findings[2].place.kernel = &SUM;
    findings[2].count = 5;
    char *text = text_of((struct check_options){.tools = MEMCHECK, .most = 1}, findings, 3);
    assert_non_null(strstr(text, "at scale+"));
    assert_null(strstr(text, "at sum+"));
    assert_non_null(strstr(text,
                           "ERROR SUMMARY: 7 errors\n========= ERROR SUMMARY: 5 errors were not printed. Use "
                           "--print-limit option to adjust the number of printed errors\n"));
    free(text);
    text = text_of((struct check_options){.tools = MEMCHECK, .each = true}, findings, 3);
    assert_non_null(strstr(text, "by thread (9,0,0)"));
    assert_null(strstr(text, "Threads of block"));
    free(text);
}

static void a_run_in_another_order_adds_what_is_new(void **state)
{
    (void)state;
    struct event_finding f[] = {out_of_bounds(8), out_of_bounds(9), out_of_bounds(9)};
    f[1].place.kernel = &SUM;
    for (int each = 0; each < 2; each++) {
        struct check_options options = {.tools = MEMCHECK, .each = each};
        struct check_run run = {.complete = true};
        struct check_report *report = check_report_new(&options);
        struct str text = {0};
        check_report_add(report, "program", &f[0]);
        check_report_order(report, "schedule 1 of 3, seed 0");
        check_report_add(report, "program", &f[2]); /* at the place of the first */
        check_report_add(report, "program", &f[1]);
        check_report_add(report, "program", &f[1]);
        check_report_order(report, "schedule 2 of 3, seed 0");
        check_report_add(report, "program", &f[1]);
        check_write_text(report, &run, &text);
        const char *first = strstr(str_text(&text), "at scale+"),
                   *second = strstr(str_text(&text), "at sum+");
        const char *order =
            strstr(str_text(&text),
                   "    Found only under another order of blocks and warps: schedule 1 of 3, seed 0\n");
        assert_true(first && second && order && first < second && second < order);
        assert_null(strstr(str_text(&text), "schedule 2 of 3"));
        assert_int_equal(check_report_errors(report), 3);
        check_report_free(report);
        str_release(&text);
    }
}

static void a_race_the_other_way_round_is_known(void **state)
{
    (void)state;
    struct check_options options = {.tools = 1u << CHECK_RACECHECK};
    struct check_report *report = check_report_new(&options);
    struct event_finding race = {.kind = EVENT_FINDING_RACE,
                                 .has_other = true,
                                 .place = {.kernel = &SUM, .line = 30, .bytes = 4, .writes = true},
                                 .other = {.kernel = &SUM, .line = 10}};
    struct event_finding reversed = race;
    reversed.place = race.other, reversed.other = race.place;
    check_report_add(report, "program", &race);
    check_report_order(report, "schedule 1 of 2, seed 0");
    check_report_add(report, "program", &reversed);
    assert_int_equal(check_report_errors(report), 1);
    struct event_finding other = reversed;
    other.place.line = 20;
    check_report_add(report, "program", &other);
    assert_int_equal(check_report_errors(report), 2);
    check_report_free(report);
}

static void several_programs_are_named(void **state)
{
    (void)state;
    struct event_finding f[] = {out_of_bounds(8), out_of_bounds(8)};
    struct check_options options = {.tools = MEMCHECK};
    struct check_run run = {.complete = true};
    struct check_report *report = check_report_new(&options);
    struct str text = {0};
    check_report_add(report, "first", &f[0]);
    check_write_text(report, &run, &text);
    assert_null(strstr(str_text(&text), "In the program"));
    str_clear(&text);
    check_report_add(report, "second", &f[1]);
    check_write_text(report, &run, &text);
    assert_non_null(strstr(str_text(&text), "=========     In the program first\n"));
    assert_non_null(strstr(str_text(&text), "=========     In the program second\n"));
    str_release(&text);
    check_report_free(report);
}

static void a_program_that_fails_is_said_to(void **state)
{
    (void)state;
    exit_status = 7;
    expect((struct check_options){.tools = MEMCHECK}, NULL, 0,
           "========= SOFTWARP CHECK (memcheck)\n"
           "========= Target application returned an error\n"
           "========= ERROR SUMMARY: 0 errors\n");
    exit_status = 0;
}

static void a_race_has_two_sides(void **state)
{
    (void)state;
    struct event_finding f = race();
    expect((struct check_options){.tools = MEMCHECK | RACECHECK}, &f, 1,
           "========= SOFTWARP CHECK (memcheck, racecheck)\n"
           "========= Error: Race reported between Read access at sum+PTX line 20 in scale.cu:3\n"
           "=========     and Write access at inner+PTX line 30 in scale.cu:4 [4 hazards]\n"
           "=========         Device Frame: sum in scale.cu:5\n"
           "=========     The memory: variable 'tile', 256 bytes\n"
           "=========     scale.cu:3: sum += tile[i];\n"
           "=========     scale.cu:4: tile[i] = 1;\n"
           "=========     Both access __shared__ 0x40\n"
           "=========     The earlier access: thread (40,0,0) of block (3,0,0), value 7\n"
           "=========     The later access: thread (0,0,0) of block (3,0,0), value -1\n"
           "=========     To do: Put a __syncthreads() that all threads of the block reach between the two "
           "accesses, or use atomics.\n"
           "========= \n"
           "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n"
           "========= ERROR SUMMARY: 4 errors\n");
}

static void hazards_have_values(void **state)
{
    (void)state;
    struct event_finding f = race();
    char *text = text_of((struct check_options){.tools = RACECHECK, .races = CHECK_RACES_ALL}, &f, 1);
    assert_non_null(
        strstr(text, "========= Error: Potential WAR hazard detected at __shared__ 0x40 in block (3,0,0) :\n"
                     "=========     Read Thread (40,0,0) at sum+PTX line 20 in scale.cu:3\n"
                     "=========     Write Thread (0,0,0) at inner+PTX line 30 in scale.cu:4\n"
                     "=========     Current Value : 7, Incoming Value : -1\n"
                     "========= Error: Race reported between Read access"));
    free(text);
    f.other = f.place;
    f.other.thread[0] = 1;
    text = text_of((struct check_options){.tools = RACECHECK, .races = CHECK_RACES_HAZARD}, &f, 1);
    assert_non_null(strstr(text, "Error: Potential WAW hazard"));
    assert_non_null(strstr(text, "__syncwarp()"));
    assert_non_null(strstr(text, "1 hazard displayed (4 errors, 0 warnings)"));
    assert_null(strstr(text, "Race reported"));
    free(text);
    f = (struct event_finding){.kind = EVENT_FINDING_SCHEDULE, .count = 1}; /* a warning */
    expect((struct check_options){.tools = RACECHECK, .level = CHECK_ERROR}, &f, 1,
           "========= SOFTWARP CHECK (racecheck)\n"
           "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n"
           "========= ERROR SUMMARY: 0 errors\n");
}

static void a_race_with_the_host_names_its_call(void **state)
{
    (void)state;
    struct event_finding f = race();
    f.space = ISA_SPACE_GLOBAL;
    f.variable = NULL;
    f.size = 0;
    f.other =
        (struct event_place){.call = "cudaMemcpyAsync", .where = "main.cu:9", .writes = true, .bytes = 64};
    expect_one(&f,
               "========= Error: Race reported between Write access at cudaMemcpyAsync in main.cu:9\n"
               "=========     and Write access at inner+PTX line 30 in scale.cu:4 [4 hazards]\n"
               "=========         Device Frame: sum in scale.cu:5\n"
               "=========     scale.cu:4: tile[i] = 1;\n"
               "=========     Both access __global__ 0x40\n"
               "=========     The earlier access: cudaMemcpyAsync in main.cu:9\n"
               "=========     The later access: thread (0,0,0) of block (3,0,0), value -1\n"
               "=========     To do: Put both operations into one stream, or let the second wait: an event, "
               "cudaStreamSynchronize, or an edge of the graph.\n");
}

static void accesses_of_each_space(void **state)
{
    (void)state;
    struct event_finding f = out_of_bounds(8);
    f.space = ISA_SPACE_SHARED;
    f.place = place_in(&SCALE, LINE_READ, 1);
    f.address = 0x100, f.base = 0, f.size = 256;
    f.made = f.where = NULL;
    f.variable = "tile";
    expect_one(&f, "========= Invalid __shared__ read of size 4 bytes\n"
                   "=========     at scale+PTX line 20 in scale.cu:3\n"
                   "=========     by thread (1,0,0) in block (3,0,0)\n"
                   "=========     Access to 0x100 is out of bounds\n"
                   "=========     and is 1 bytes after the nearest allocation at 0x0 of size 256 bytes\n"
                   "=========     The nearest allocation: variable 'tile', 256 bytes\n"
                   "=========     scale.cu:3: sum += tile[i];\n"
                   "=========     To do: Compare the index with the number of elements before the access, or "
                   "allocate as much as is accessed.\n");
    f.space = ISA_SPACE_LOCAL;
    f.kind = EVENT_FINDING_MISALIGNED;
    f.address = 6;
    f.place = place_in(&SCALE, LINE_PLAIN, 1);
    f.place.atomic = true;
    f.place.has_value = true, f.place.value = 0xff;
    expect_one(&f, "========= Invalid __local__ atomic of size 4 bytes\n"
                   "=========     at scale+PTX line 40\n"
                   "=========     by thread (1,0,0) in block (3,0,0)\n"
                   "=========     Access to 0x6 is misaligned\n"
                   "=========     and is inside the nearest allocation at 0x0 of size 256 bytes\n"
                   "=========     The memory: variable 'tile', 256 bytes\n"
                   "=========     Value of the first of these accesses: 0xff\n"
                   "=========     To do: Let the address be a multiple of the size of the access: align the "
                   "structure or the offset, or use a smaller type.\n");
}

static void padding_names_its_row(void **state)
{
    (void)state;
    struct event_finding f = out_of_bounds(8);
    f.kind = EVENT_FINDING_PADDING;
    f.place = place_in(&SCALE, LINE_READ, 1);
    f.place.writes = true;
    f.address = 0x200000c8, f.base = 0x20000000, f.size = 5120;
    f.made = f.where = NULL;
    f.message = "1 bytes after row 0, which has 200 bytes of a pitch of 512";
    expect_one(&f, "========= Invalid __global__ write of size 4 bytes\n"
                   "=========     at scale+PTX line 20 in scale.cu:3\n"
                   "=========     by thread (1,0,0) in block (3,0,0)\n"
                   "=========     Access to 0x200000c8 is out of bounds of its row\n"
                   "=========     and is inside the nearest allocation at 0x20000000 of size 5,120 bytes\n"
                   "=========     scale.cu:3: sum += tile[i];\n"
                   "=========     1 bytes after row 0, which has 200 bytes of a pitch of 512\n"
                   "=========     To do: Compare the column with the width of a row before the access: bytes "
                   "from there to the pitch belong to no element.\n");
    assert_int_equal(check_rule_of(&f)->level, CHECK_WARN);
}

/* clang names no caller of the header's function: the line before it is the program's own. */
static void code_of_headers_is_at_its_caller(void **state)
{
    (void)state;
    struct event_finding f = out_of_bounds(8);
    f.place.line = LINE_HEADER;
    f.place.writes = false;
    f.made = NULL;
    expect_one(&f,
               "========= Invalid __global__ read of size 4 bytes\n"
               "=========     at scale+PTX line 50 in mma.h:61\n"
               "=========     by thread (8,0,0) in block (3,0,0)\n"
               "=========     Access to 0x20000fa0 is out of bounds\n"
               "=========     and is 1 bytes after the nearest allocation at 0x20000000 of size 4,000 bytes\n"
               "=========         Device Frame: scale in scale.cu:4\n"
               "=========     scale.cu:4: tile[i] = 1;\n"
               "=========     To do: Compare the index with the number of elements before the access, or "
               "allocate as much as is accessed.\n");
}

static void expect_variable(enum isa_space space, const char *name, const char *wanted)
{
    struct event_finding f = out_of_bounds(8);
    f.variable = name;
    f.space = space;
    char *text = text_of((struct check_options){.tools = MEMCHECK}, &f, 1), line[200];
    snprintf(line, sizeof line, "The nearest allocation: %s, 4,000 bytes\n", wanted);
    assert_non_null(strstr(text, line));
    free(text);
}

static void variables_have_the_names_of_the_program(void **state)
{
    (void)state;
    expect_variable(ISA_SPACE_GLOBAL, "table", "variable 'table'");
    expect_variable(ISA_SPACE_SHARED, "kernel(int *)::tile", "variable 'tile'");
    expect_variable(ISA_SPACE_LOCAL, "__local_depot8", "local variables");
    expect_variable(ISA_SPACE_PARAM, "_Z4sum_Pi_param_2", "parameter 3");
    expect_variable(ISA_SPACE_GLOBAL, "a_param_x", "variable 'a_param_x'");
}

static void a_surface_has_no_address(void **state)
{
    (void)state;
    struct event_finding f = {.kind = EVENT_FINDING_BOUNDS,
                              .place = place_in(&SCALE, LINE_PLAIN, 1),
                              .message = "byte 0 of row 8; the surface has 8 rows"};
    f.place.writes = true;
    expect_one(&f, "========= Invalid surface write of size 4 bytes\n"
                   "=========     at scale+PTX line 40\n"
                   "=========     by thread (1,0,0) in block (3,0,0)\n"
                   "=========     Access is out of bounds\n"
                   "=========     byte 0 of row 8; the surface has 8 rows\n"
                   "=========     To do: Compare the index with the number of elements before the access, or "
                   "allocate as much as is accessed.\n");
}

static void frees_and_leaks(void **state)
{
    (void)state;
    struct event_finding f = {.kind = EVENT_FINDING_FREE,
                              .freed = true,
                              .has_other = true,
                              .address = 0x1000,
                              .place = {.call = "cudaFree", .where = "main.cu:9"},
                              .other = {.call = "cudaFree", .where = "main.cu:8"}};
    expect_one(&f, "========= Malloc/Free Error encountered : Double free\n"
                   "=========     at cudaFree in main.cu:9\n"
                   "=========     Address 0x1000\n"
                   "=========     Freed by cudaFree in main.cu:8\n"
                   "=========     To do: Free each allocation once, and set the pointer to null after it.\n");
    f = (struct event_finding){
        .kind = EVENT_FINDING_FREE, .address = 0x1004, .place = place_in(&SUM, LINE_PLAIN, 2)};
    expect_one(
        &f, "========= Malloc/Free Error encountered : Invalid pointer to device-side free\n"
            "=========     at sum+PTX line 40\n"
            "=========     by thread (2,0,0) in block (3,0,0)\n"
            "=========     Address 0x1004\n"
            "=========     To do: Free only the pointer that the allocation returned, with the function that "
            "belongs to it.\n");
    struct event_finding leaks[] = {
        {.kind = EVENT_FINDING_LEAK,
         .base = 0x2000,
         .size = 1024,
         .made = "cudaMalloc",
         .where = "main.cu:3"},
        {.kind = EVENT_FINDING_LEAK, .base = 0x3000, .size = 512, .made = "cudaMalloc", .where = "main.cu:3"},
        {.kind = EVENT_FINDING_LEAK, .base = 0x4000, .size = 16, .made = "malloc"},
        {.kind = EVENT_FINDING_LEAK, .base = 0x5000, .size = 8, .made = "cudaMallocArray"}};
    expect((struct check_options){.tools = MEMCHECK, .leaks = true}, leaks, 4,
           "========= SOFTWARP CHECK (memcheck)\n"
           "========= Leaked 1,536 bytes at 0x2000\n"
           "=========     in 2 allocations\n"
           "=========     Allocated by cudaMalloc in main.cu:3\n"
           "=========     To do: Free the memory before the context or the program ends.\n"
           "========= \n"
           "========= Leaked 16 bytes at 0x4000 on the device heap\n"
           "=========     Allocated by malloc\n"
           "=========     To do: Free the memory before the context or the program ends.\n"
           "========= \n"
           "========= Leaked 8 bytes from CUDA array 0x5000\n"
           "=========     Allocated by cudaMallocArray\n"
           "=========     To do: Free the memory before the context or the program ends.\n"
           "========= \n"
           "========= LEAK SUMMARY: 1560 bytes leaked in 4 allocations\n"
           "========= ERROR SUMMARY: 4 errors\n");
}

static void other_kinds(void **state)
{
    (void)state;
    struct event_finding f = {.kind = EVENT_FINDING_CALL,
                              .place = {.call = "cudaMemcpy", .where = "main.cu:9"},
                              .message = "cudaErrorInvalidValue (error 1) due to \"invalid argument\""};
    expect_one(
        &f,
        "========= Program hit cudaErrorInvalidValue (error 1) due to \"invalid argument\" on CUDA API call "
        "to cudaMemcpy.\n"
        "=========     at cudaMemcpy in main.cu:9\n"
        "=========     To do: Check the status of each CUDA call, and correct the arguments of this "
        "one.\n");
    f = (struct event_finding){.kind = EVENT_FINDING_UNINITIALIZED,
                               .space = ISA_SPACE_SHARED,
                               .address = 0x10,
                               .place = place_in(&SUM, LINE_READ, 2)};
    expect_one(&f,
               "========= Uninitialized __shared__ memory read of size 4 bytes\n"
               "=========     at sum+PTX line 20 in scale.cu:3\n"
               "=========     by thread (2,0,0) in block (3,0,0)\n"
               "=========     Address 0x10\n"
               "=========     scale.cu:3: sum += tile[i];\n"
               "=========     To do: Write the memory before it is read: copy all its bytes, clear it with "
               "cudaMemset, or leave out the elements that have no value.\n");
    f.place = (struct event_place){.call = "cudaMemcpy", .where = "main.cu:9", .bytes = 1024};
    f.space = ISA_SPACE_GLOBAL;
    expect_one(&f,
               "========= Host API memory access error at host access to 0x10 of size 1,024 bytes\n"
               "=========     Uninitialized access to 0x10 on access by cudaMemcpy source\n"
               "=========     at cudaMemcpy in main.cu:9\n"
               "=========     To do: Write the memory before it is read: copy all its bytes, clear it with "
               "cudaMemset, or leave out the elements that have no value.\n");
    f = (struct event_finding){
        .kind = EVENT_FINDING_UNUSED, .base = 0x5000, .size = 100, .made = "cudaMalloc"};
    expect_one(&f, "=========  Unused memory in allocation 0x5000 of size 100 bytes\n"
                   "=========     Not written any memory.\n"
                   "=========     100% of allocation were unused.\n"
                   "=========     Allocated by cudaMalloc\n"
                   "=========     To do: Remove the allocation, or make it smaller.\n");
    f = (struct event_finding){.kind = EVENT_FINDING_UNUSED,
                               .base = 0x5000,
                               .size = 100,
                               .made = "cudaMalloc",
                               .message = "Not written 40 bytes.\n    40% of allocation were unused."};
    expect_one(&f, "=========  Unused memory in allocation 0x5000 of size 100 bytes\n"
                   "=========     Not written 40 bytes.\n"
                   "=========     40% of allocation were unused.\n"
                   "=========     Allocated by cudaMalloc\n"
                   "=========     To do: Remove the allocation, or make it smaller.\n");
    f = (struct event_finding){.kind = EVENT_FINDING_BARRIER,
                               .place = place_in(&SUM, LINE_PLAIN, 2),
                               .message = "Divergent thread(s) in block"};
    expect_one(
        &f,
        "========= Barrier error detected. Divergent thread(s) in block.\n"
        "=========     at sum+PTX line 40\n"
        "=========     by thread (2,0,0) in block (3,0,0)\n"
        "=========     To do: Let all threads that the barrier or the mask names reach the same call: put "
        "the condition around the work, not around the barrier.\n");
    f = (struct event_finding){
        .kind = EVENT_FINDING_FAULT, .place.kernel = &SUM, .message = "stack overflow"};
    expect_one(
        &f, "========= Launch failed: stack overflow\n"
            "=========     at sum\n"
            "=========     To do: Read the reason: the kernel did not end, and its results are not valid.\n");
    f = (struct event_finding){.kind = EVENT_FINDING_SCHEDULE, .place.kernel = &SUM, .message = "seed 3"};
    expect_one(
        &f, "========= Warning: Result depends on the order of blocks and warps: seed 3\n"
            "=========     at sum\n"
            "=========     To do: Look for a missing barrier, for floating-point atomics, or for blocks that "
            "rely on each other's order.\n");
}

static void rules_follow_from_facts(void **state)
{
    (void)state;
    struct event_finding f = out_of_bounds(8);
    assert_string_equal(check_rule_of(&f)->id, "out-of-bounds");
    f.freed = true;
    assert_string_equal(check_rule_of(&f)->id, "use-after-free");
    f.freed = false;
    f.address = 16;
    assert_string_equal(check_rule_of(&f)->id, "null-pointer");
    f.address = UINT64_C(0x7f0000000000);
    assert_string_equal(check_rule_of(&f)->id, "no-device-memory");
    f = race();
    assert_string_equal(check_rule_of(&f)->id, "race-in-block");
    f.with_copy = true;
    assert_string_equal(check_rule_of(&f)->id, "race-with-copy");
    f.between_proxies = true;
    assert_string_equal(check_rule_of(&f)->id, "race-between-proxies");
    f.between_proxies = f.with_copy = false;
    f.between_tasks = true;
    assert_string_equal(check_rule_of(&f)->id, "race-between-operations");
    f.between_tasks = false;
    f.other.thread[0] = 31;
    assert_string_equal(check_rule_of(&f)->id, "race-in-warp");
    f.other.block[1] = 1;
    assert_string_equal(check_rule_of(&f)->id, "race-between-blocks");
    f.other.kernel = &SCALE;
    assert_string_equal(check_rule_of(&f)->id, "race-between-operations");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_at_one_line_are_one_group),
        cmocka_unit_test(a_thread_is_named_once),
        cmocka_unit_test(limits_count_groups),
        cmocka_unit_test(a_run_in_another_order_adds_what_is_new),
        cmocka_unit_test(a_race_the_other_way_round_is_known),
        cmocka_unit_test(several_programs_are_named),
        cmocka_unit_test(a_program_that_fails_is_said_to),
        cmocka_unit_test(a_race_has_two_sides),
        cmocka_unit_test(hazards_have_values),
        cmocka_unit_test(a_race_with_the_host_names_its_call),
        cmocka_unit_test(accesses_of_each_space),
        cmocka_unit_test(padding_names_its_row),
        cmocka_unit_test(code_of_headers_is_at_its_caller),
        cmocka_unit_test(variables_have_the_names_of_the_program),
        cmocka_unit_test(a_surface_has_no_address),
        cmocka_unit_test(frees_and_leaks),
        cmocka_unit_test(other_kinds),
        cmocka_unit_test(rules_follow_from_facts),
    };
    return cmocka_run_group_tests(tests, source_write, source_remove);
}
