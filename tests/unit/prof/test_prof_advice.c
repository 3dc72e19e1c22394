/* SPDX-License-Identifier: Apache-2.0 */
/* Advice: the data-flow analysis of addresses, the order of findings, the table in docs/advice.md, and
 * rules about the host's operations. tests/advice has whole programs. */
#include "event_code.h"
#include "frozen_gpu.h"
#include "prof_advice_priv.h"
#include "prof_flow_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* a[blockIdx.x * blockDim.x + threadIdx.x + 1], 12 bytes apart, a loop over it, and b[a[i]] */
static const char BODY[] = "ld.param.u64 %rd1, [k_param_0];\n"
                           "mov.u32 %r1, %tid.x;\n"
                           "mov.u32 %r2, %ctaid.x;\n"
                           "mov.u32 %r3, %ntid.x;\n"
                           "mad.lo.s32 %r4, %r2, %r3, %r1;\n"
                           "mul.wide.s32 %rd2, %r4, 12;\n"
                           "add.s64 %rd3, %rd1, %rd2;\n"
                           "ld.global.v2.u32 {%r5, %r6}, [%rd3+4];\n"
                           "add.s64 %rd3, %rd3, 4096;\n"
                           "mul.wide.s32 %rd4, %r6, 4;\n"
                           "@!%p1 st.global.u32 [%rd4], %r5;\n"
                           "shr.u32 %r7, %r1, 5;\n"
                           "and.b32 %r8, %r1, 31;\n"
                           "shl.b32 %r9, %r8, 3;\n"
                           "st.shared.u32 [%r9+-8], %r5;\n"
                           "mov.u32 %r10, %tid.y;\n"
                           "mul.lo.s32 %r11, %r10, %r1;\n";

static void values_follow_threads(void **state)
{
    (void)state;
    static const uint32_t BLOCK[3] = {64, 4, 1};
    struct event_code code;
    struct prof_flow flow;
    event_code_open(&code, BODY);
    prof_flow_init(&flow, &code.kernel, BLOCK, &code.ptx.arena);
    const struct prof_step *load = &flow.steps[7], *store = &flow.steps[10], *shared = &flow.steps[14];
    assert_int_equal(load->address.kind, PROF_LINEAR);
    assert_int_equal(load->address.step, 12); /* also around the loop */
    assert_int_equal(load->address.depends, PROF_ON_X);
    assert_int_equal(load->offset, 4);
    assert_true(load->written[0] >= 0 && load->written[1] >= 0 && load->written[2] < 0);
    assert_true(store->address.depends & PROF_ON_DATA);
    assert_true(store->guard >= 0);
    assert_int_equal(shared->address.step, 8);
    assert_int_equal(shared->offset, -8);
    struct prof_value warp = flow.values[flow.steps[11].written[0]];
    assert_int_equal(warp.kind, PROF_LINEAR);
    assert_int_equal(warp.step, 0);
    struct prof_value both = flow.values[flow.steps[16].written[0]];
    assert_int_equal(both.kind, PROF_ANY);
    assert_int_equal(both.depends, PROF_ON_X | PROF_ON_Y);
    assert_null(prof_flow_writer(&flow, &code.instrs[8].operands[0])); /* two places write it */
    event_code_close(&code);
}

/* a[2 * threadIdx.x] and a[2 * threadIdx.x + 1]: each thread reads 8 bytes, 4 at a time */
static void neighbouring_elements_need_lines_to_be_a_structure(void **state)
{
    (void)state;
    static const uint32_t BLOCK[3] = {64, 1, 1};
    static const struct event_loc LEFT = {.file = "a.cu", .line = 3, .column = 5},
                                  RIGHT = {.file = "a.cu", .line = 3, .column = 12};
    static const struct {
        const struct event_loc *left, *right;
        enum prof_cause cause;
    } CASES[] = {{&LEFT, &RIGHT, PROF_CAUSE_STRUCTURE},
                 {&LEFT, &LEFT, PROF_CAUSE_VECTOR},
                 {NULL, NULL, PROF_CAUSE_VECTOR}};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct event_code code;
        event_code_open(&code,
                        "ld.param.u64 %rd1, [k_param_0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 8;"
                        "add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r2, [%rd3];"
                        "ld.global.u32 %r3, [%rd3+4];");
        code.instrs[4].loc = CASES[i].left;
        code.instrs[5].loc = CASES[i].right;
        struct prof_count counts[6] = {0};
        counts[4].access[EVENT_ACCESS_GLOBAL] = counts[5].access[EVENT_ACCESS_GLOBAL] =
            (struct prof_access){.requests = 2, .units = 16, .ideal = 8};
        struct prof_advisor advisor = {.counts = counts};
        prof_flow_init(&advisor.flow, &code.kernel, BLOCK, &code.ptx.arena);
        assert_int_equal(prof_cause_of(&advisor, 4), CASES[i].cause);
        assert_int_equal(prof_cause_of(&advisor, 5), CASES[i].cause);
        event_code_close(&code);
    }
}

static const char *place_of(const struct event_loc *const *locs, uint32_t count, struct arena *arena)
{
    struct event_instr instr = {0};
    struct prof_call call;
    for (uint32_t i = 0; i < count; i++) {
        instr.loc = locs[i];
        prof_call_note(&call, &instr, i == 0);
    }
    const char *file;
    uint32_t line;
    prof_location_of(&instr, &file, &line);
    return prof_location_text(file, line, &call, arena);
}

/* A finding in an included header is reported at the header's own line. */
static void places_in_inlined_functions_say_who_calls(void **state)
{
    (void)state;
    static const struct event_loc KERNEL_4 = {.file = "a.cu", .line = 4},
                                  KERNEL_9 = {.file = "a.cu", .line = 9},
                                  HELPER = {.file = "a.cu", .line = 1, .caller = &KERNEL_4},
                                  INNER = {.file = "atomics.h", .line = 306, .caller = &HELPER},
                                  OTHER = {.file = "atomics.h", .line = 306, .caller = &KERNEL_9},
                                  WITHIN = {.file = "a.cu", .line = 4, .caller = &KERNEL_4};
    static const struct {
        const struct event_loc *locs[2];
        uint32_t count;
        const char *place;
    } CASES[] = {
        {{&KERNEL_4}, 1, "a.cu:4"},
        {{&INNER}, 1, "atomics.h:306, called from a.cu:4"},
        {{&INNER, &INNER}, 2, "atomics.h:306, called from a.cu:4"},
        {{&INNER, &OTHER}, 2, "atomics.h:306, called from a.cu:4 and elsewhere"},
        {{&HELPER}, 1, "a.cu:1, called from a.cu:4"},
        {{&WITHIN}, 1, "a.cu:4"}, /* a lambda */
        {{&KERNEL_4, &WITHIN}, 2, "a.cu:4"},
        {{NULL}, 1, "PTX line 0"},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++)
        assert_string_equal(place_of(CASES[i].locs, CASES[i].count, &arena), CASES[i].place);
    arena_release(&arena);
}

static void print_rows_that_lack(const char *table, const char *docs)
{
    for (const char *row = table, *end; (end = strchr(row, '\n')); row = end + 1) {
        struct str line = {0};
        str_add_bytes(&line, row, (size_t)(end - row) + 1);
        if (!strstr(docs, str_text(&line))) print_error("docs/advice.md lacks the row\n%s", str_text(&line));
        str_release(&line);
    }
}

static void the_table_is_in_the_docs(void **state)
{
    (void)state;
    struct str table = {0}, docs = {0};
    prof_rules_markdown(&table);
    FILE *file = fopen(SW_SOURCE_DIR "/docs/advice.md", "r");
    assert_non_null(file);
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        str_add_bytes(&docs, block, n);
    fclose(file);
    if (!strstr(str_text(&docs), str_text(&table))) {
        print_rows_that_lack(str_text(&table), str_text(&docs));
        fail_msg("docs/advice.md should hold the table of rules, in the order of prof_advice.def");
    }
    str_release(&table);
    str_release(&docs);
}

static struct arch_gpu h200;

static int load_gpu(void **state)
{
    (void)state;
    return arch_gpu_load(TEST90, &h200, NULL) != SW_OK;
}

static struct event_operation copy_of(uint64_t order, uint64_t launches, uint64_t bytes)
{
    return (struct event_operation){.kind = EVENT_OPERATION_COPY,
                                    .from = EVENT_MEMORY_PINNED,
                                    .to = EVENT_MEMORY_DEVICE,
                                    .order = order,
                                    .launches = launches,
                                    .count = 1,
                                    .rows = 1,
                                    .bytes = bytes,
                                    .to_address = 0x1000,
                                    .api = "cudaMemcpy",
                                    .caller = "program+0x10"};
}

static uint32_t rules_of(const struct event_operation *operations, uint32_t count, struct arena *arena,
                         struct prof_finding **out)
{
    struct prof_process process = {"program", &h200, operations, count};
    return prof_process_findings(&process, arena, out);
}

static void small_copies_are_found_from_sixteen_on(void **state)
{
    (void)state;
    struct event_operation operations[16];
    struct prof_finding *findings;
    struct arena arena;
    arena_init(&arena);
    for (uint32_t i = 0; i < 16; i++) {
        operations[i] = copy_of(i, 0, 64);
        operations[i].to_address += 64 * i;
    }
    assert_int_equal(rules_of(operations, 15, &arena, &findings), 0);
    assert_int_equal(rules_of(operations, 16, &arena, &findings), 1);
    assert_string_equal(findings[0].rule->id, "small-transfers");
    assert_int_equal(findings[0].saved, 15);
    assert_true(findings[0].gain > 0.8 && findings[0].gain <= 1);
    arena_release(&arena);
}

static uint64_t at_point(const struct arch_curve *curve, uint64_t bytes)
{
    for (uint64_t i = 0; i < curve->count; i++)
        if (curve->at[i].bytes == bytes) return curve->at[i].ns;
    fail_msg("no point of %llu bytes", (unsigned long long)bytes);
    return 0;
}

/* Copies take the time of the GPU's file, as on the virtual clock. */
static void copies_take_what_the_virtual_clock_says(void **state)
{
    enum { BYTES = 128 << 10, COUNT = 10 };
    (void)state;
    struct event_operation operations[COUNT];
    struct prof_finding *findings;
    struct arena arena;
    arena_init(&arena);
    for (uint32_t i = 0; i < COUNT; i++) {
        operations[i] = copy_of(i, 0, BYTES);
        operations[i].from = EVENT_MEMORY_PAGEABLE;
    }
    assert_int_equal(rules_of(operations, COUNT, &arena, &findings), 1);
    assert_string_equal(findings[0].rule->id, "pageable-transfers");
    uint64_t pageable = at_point(&h200.time.h2d_pageable, BYTES);
    uint64_t pinned = at_point(&h200.time.h2d_pinned, BYTES);
    uint64_t call = h200.time.call_copy_ns + h200.time.submit_ns + h200.time.notice_ns;
    assert_int_equal((uint64_t)(findings[0].saved_ns + 0.5), COUNT * (pageable - pinned));
    assert_int_equal((uint64_t)(findings[0].of_ns + 0.5), COUNT * (pageable + call));
    /* up to 64 KiB, copies of pageable memory need no staging: page-locked memory would save nothing */
    for (uint32_t i = 0; i < COUNT; i++)
        operations[i].bytes = 1 << 20, operations[i].count = 1024;
    assert_int_equal(rules_of(operations, COUNT, &arena, &findings), 1);
    assert_string_equal(findings[0].rule->id, "small-transfers");
    arena_release(&arena);
}

/* The total time of copies includes copies between devices and page migrations, so that a saving is not
 * limited to less. */
static void totals_have_all_copies(void **state)
{
    enum { BYTES = 4 << 20 };
    (void)state;
    struct event_operation operation = copy_of(0, 0, BYTES);
    struct prof_finding *findings;
    struct arena arena;
    arena_init(&arena);
    operation.from = EVENT_MEMORY_DEVICE;
    operation.peer = 1;
    operation.staged = true;
    assert_int_equal(rules_of(&operation, 1, &arena, &findings), 1);
    assert_string_equal(findings[0].rule->id, "staged-peer-copies");
    double pcie = 1e9 * BYTES / (63e9 * (double)h200.time.pcie_permille / 1000);
    assert_true(findings[0].of_ns > pcie); /* through the host at less than the speed of PCIe */
    assert_true(findings[0].saved_ns > 0.5 * findings[0].of_ns && findings[0].saved_ns < findings[0].of_ns);
    operation = (struct event_operation){.kind = EVENT_OPERATION_MIGRATE,
                                         .from = EVENT_MEMORY_PAGEABLE,
                                         .to = EVENT_MEMORY_MANAGED,
                                         .count = 16,
                                         .rows = 1,
                                         .bytes = 16 << 16,
                                         .api = "",
                                         .caller = ""};
    assert_int_equal(rules_of(&operation, 1, &arena, &findings), 1);
    assert_string_equal(findings[0].rule->id, "managed-thrash");
    uint64_t each = at_point(&h200.time.host_fault, 1 << 16) + at_point(&h200.time.fault, 1 << 16);
    assert_int_equal((uint64_t)(findings[0].saved_ns + 0.5), 16 * each);
    arena_release(&arena);
}

/* A copy of unchanged bytes is redundant only if the program itself had copied them there. */
static void copies_onto_fresh_memory_are_not_redundant(void **state)
{
    (void)state;
    struct event_operation operations[2] = {copy_of(0, 0, 4 << 20), copy_of(1, 1, 4 << 20)};
    struct prof_finding *findings;
    struct arena arena;
    arena_init(&arena);
    operations[0].unchanged = true;
    assert_int_equal(rules_of(operations, 2, &arena, &findings), 0);
    operations[1].unchanged = true;
    assert_int_equal(rules_of(operations, 2, &arena, &findings), 1);
    assert_string_equal(findings[0].rule->id, "redundant-transfers");
    assert_int_equal(findings[0].saved, 4 << 20);
    arena_release(&arena);
}

/* ---- waits between launches */

enum { WAITS = 24, PERIOD_NS = 10000 };

/* Every PERIOD_NS a launch of a kernel and a wait for it: of the host's time the wait takes all but the call.
 */
static void wait_after_each_launch(struct event_operation operations[WAITS])
{
    for (uint32_t i = 0; i < WAITS; i++)
        operations[i] = (struct event_operation){.kind = EVENT_OPERATION_SYNC,
                                                 .order = i,
                                                 .launches = i + 1,
                                                 .count = 1,
                                                 .rows = 1,
                                                 .thread = 1,
                                                 .start_ns = i * PERIOD_NS + 4000,
                                                 .end_ns = (i + 1) * PERIOD_NS,
                                                 .api = "cudaDeviceSynchronize",
                                                 .caller = "program+0x20"};
}

static void avoidable_waits_are_found_from_sixteen_on(void **state)
{
    (void)state;
    struct event_operation operations[WAITS];
    struct prof_finding *findings;
    struct arena arena;
    arena_init(&arena);
    wait_after_each_launch(operations);
    assert_int_equal(rules_of(operations, 17, &arena, &findings), 0); /* all but the first and the last */
    assert_int_equal(rules_of(operations, 18, &arena, &findings), 1);
    assert_string_equal(findings[0].rule->id, "waits-between-launches");
    assert_int_equal(findings[0].saved, 16);
    assert_int_equal(findings[0].of, 18);
    operations[9].kind = EVENT_OPERATION_FREE; /* two runs, neither long enough */
    assert_int_equal(rules_of(operations, WAITS, &arena, &findings), 0);
    arena_release(&arena);
}

/* A kernel shorter than its launch: the device waits for the host anyway, and the whole wait goes. A longer
 * one: what the device is idle between two kernels goes. */
static void waits_save_what_the_device_is_idle(void **state)
{
    (void)state;
    const struct arch_time *time = &h200.time;
    uint64_t idle = time->call_sync_ns + time->notice_ns + time->call_launch_ns + time->submit_ns;
    static const struct {
        uint64_t waited_ns;
        bool all, found;
    } CASES[] = {{6000, true, true}, {50000, false, true}, {5000000, false, false}};
    for (size_t k = 0; k < SW_COUNT_OF(CASES); k++) {
        struct event_operation operations[WAITS];
        struct prof_finding *findings;
        struct arena arena;
        uint64_t waited = CASES[k].waited_ns, period = waited + 4000;
        arena_init(&arena);
        wait_after_each_launch(operations);
        for (uint32_t i = 0; i < WAITS; i++) {
            operations[i].end_ns = (i + 1) * period;
            operations[i].start_ns = operations[i].end_ns - waited;
        }
        assert_int_equal(rules_of(operations, WAITS, &arena, &findings), CASES[k].found);
        if (CASES[k].found) {
            assert_int_equal((uint64_t)(findings[0].saved_ns + 0.5),
                             (WAITS - 2) * (CASES[k].all ? waited : idle));
            assert_int_equal((uint64_t)(findings[0].of_ns + 0.5), (WAITS - 2) * period);
        }
        arena_release(&arena);
    }
}

static uint64_t avoidable_of(const struct event_operation *operations, uint32_t count)
{
    struct prof_finding *findings;
    struct arena arena;
    uint64_t avoidable = 0;
    arena_init(&arena);
    uint32_t found = rules_of(operations, count, &arena, &findings);
    for (uint32_t i = 0; i < found; i++)
        if (strcmp(findings[i].rule->id, "waits-between-launches") == 0) avoidable += findings[i].saved;
    arena_release(&arena);
    return avoidable;
}

/* One operation among 21 waits after launches, and how many of the waits are then said to be avoidable. */
static void waits_for_results_are_not_avoidable(void **state)
{
    (void)state;
    static const struct {
        struct event_operation other;
        uint64_t avoidable;
    } CASES[] = {
        /* memory of the device alone */
        {{.kind = EVENT_OPERATION_USE, .to = EVENT_MEMORY_DEVICE, .thread = 1}, 19},
        {{.kind = EVENT_OPERATION_FILL, .to = EVENT_MEMORY_DEVICE, .thread = 1}, 19},
        {{.kind = EVENT_OPERATION_COPY, .from = EVENT_MEMORY_DEVICE, .to = EVENT_MEMORY_DEVICE, .thread = 1},
         19},
        /* a copy to the host: the waits before and after it count as needed */
        {{.kind = EVENT_OPERATION_COPY, .from = EVENT_MEMORY_DEVICE, .to = EVENT_MEMORY_PINNED, .thread = 1},
         17},
        {{.kind = EVENT_OPERATION_FREE, .to = EVENT_MEMORY_DEVICE, .thread = 1}, 17},
        {{.kind = EVENT_OPERATION_USE, .to = EVENT_MEMORY_DEVICE, .thread = 2}, 17},
        /* memory that the host reads without a copy: none from here on */
        {{.kind = EVENT_OPERATION_USE, .to = EVENT_MEMORY_PINNED, .thread = 1}, 0},
        {{.kind = EVENT_OPERATION_USE, .to = EVENT_MEMORY_REGISTERED, .thread = 1}, 0},
        {{.kind = EVENT_OPERATION_USE, .to = EVENT_MEMORY_MANAGED, .thread = 1}, 0},
        {{.kind = EVENT_OPERATION_ALLOC, .to = EVENT_MEMORY_MANAGED, .thread = 1}, 0},
    };
    for (size_t k = 0; k < SW_COUNT_OF(CASES); k++) {
        enum { AT = 2 };
        struct event_operation operations[WAITS];
        wait_after_each_launch(operations);
        operations[AT] = CASES[k].other;
        operations[AT].count = operations[AT].rows = operations[AT].bytes = 1;
        operations[AT].launches = AT + 1;
        operations[AT].api = operations[AT].caller = "";
        assert_int_equal(avoidable_of(operations, 22), CASES[k].avoidable);
    }
}

/* Waits that the rule says nothing of. */
static void other_waits_are_not_avoidable(void **state)
{
    (void)state;
    struct event_operation operations[WAITS];
    wait_after_each_launch(operations);
    for (uint32_t i = 0; i < WAITS; i++)
        operations[i].launches = 1; /* nothing was launched between them */
    assert_int_equal(avoidable_of(operations, WAITS), 0);
    wait_after_each_launch(operations);
    for (uint32_t i = 0; i < WAITS; i++)
        operations[i].thread = i % 2;
    assert_int_equal(avoidable_of(operations, WAITS), 0);
    wait_after_each_launch(operations);
    for (uint32_t i = 0; i < WAITS; i++)
        operations[i].api = "cudaEventSynchronize";
    assert_int_equal(avoidable_of(operations, WAITS), 0);
    /* a copy to the host in another stream may be what one of them waits for */
    for (uint32_t i = 0; i < WAITS; i++)
        operations[i].api = "cudaStreamSynchronize";
    assert_int_equal(avoidable_of(operations, WAITS), WAITS - 2);
    operations[0] = copy_of(0, 0, 64);
    operations[0].from = EVENT_MEMORY_DEVICE;
    operations[0].to = EVENT_MEMORY_PINNED;
    operations[0].async = true;
    assert_int_equal(avoidable_of(operations, WAITS), 0);
    operations[3].api = "cudaDeviceSynchronize"; /* waits for the copy, too */
    assert_int_equal(avoidable_of(operations, WAITS), WAITS - 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_follow_threads),
                                       cmocka_unit_test(neighbouring_elements_need_lines_to_be_a_structure),
                                       cmocka_unit_test(places_in_inlined_functions_say_who_calls),
                                       cmocka_unit_test(the_table_is_in_the_docs),
                                       cmocka_unit_test(small_copies_are_found_from_sixteen_on),
                                       cmocka_unit_test(copies_take_what_the_virtual_clock_says),
                                       cmocka_unit_test(totals_have_all_copies),
                                       cmocka_unit_test(copies_onto_fresh_memory_are_not_redundant),
                                       cmocka_unit_test(avoidable_waits_are_found_from_sixteen_on),
                                       cmocka_unit_test(waits_save_what_the_device_is_idle),
                                       cmocka_unit_test(waits_for_results_are_not_avoidable),
                                       cmocka_unit_test(other_waits_are_not_avoidable)};
    return cmocka_run_group_tests(tests, load_gpu, NULL);
}
