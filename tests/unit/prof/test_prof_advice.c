/* SPDX-License-Identifier: Apache-2.0 */
/* Advice: what values depend on, as read off instructions; the order of findings; the table in
 * docs/advice.md; what the host's operations say. Whole programs are in tests/advice. */
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
    prof_flow_init(&flow, &code.kernel, BLOCK, &code.arena);
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

/* a[2 * threadIdx.x] and the next of it: 8 bytes of a thread, 4 at a time */
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
        prof_flow_init(&advisor.flow, &code.kernel, BLOCK, &code.arena);
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

/* What is wrong in a header is the program's to change, at its own line. */
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
    if (!strstr(str_text(&docs), str_text(&table)))
        fail_msg("docs/advice.md should hold:\n%s", str_text(&table));
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

/* The time of copies is that of the GPU's file, which the virtual clock has them from, too. */
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
    /* up to 64 KiB the host has a shorter way for pageable memory: page-locked memory would save nothing */
    for (uint32_t i = 0; i < COUNT; i++)
        operations[i].bytes = 1 << 20, operations[i].count = 1024;
    assert_int_equal(rules_of(operations, COUNT, &arena, &findings), 1);
    assert_string_equal(findings[0].rule->id, "small-transfers");
    arena_release(&arena);
}

/* Copies between devices and pages that go to and fro are part of what copies take: a saving is not cut off
 * by a total without them. */
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

/* The same bytes again are redundant only where the program had put them. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_follow_threads),
                                       cmocka_unit_test(neighbouring_elements_need_lines_to_be_a_structure),
                                       cmocka_unit_test(places_in_inlined_functions_say_who_calls),
                                       cmocka_unit_test(the_table_is_in_the_docs),
                                       cmocka_unit_test(small_copies_are_found_from_sixteen_on),
                                       cmocka_unit_test(copies_take_what_the_virtual_clock_says),
                                       cmocka_unit_test(totals_have_all_copies),
                                       cmocka_unit_test(copies_onto_fresh_memory_are_not_redundant)};
    return cmocka_run_group_tests(tests, load_gpu, NULL);
}
