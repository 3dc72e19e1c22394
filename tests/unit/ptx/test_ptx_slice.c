/* SPDX-License-Identifier: Apache-2.0 */
/* How addresses came about: formulas of accesses as compilers write them, with the values of one thread. */
#include "flat_ptx.h"

#include "ptx/ptx_slice.h"

#include <stdio.h>

#define HEAD                                                                                                 \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                                        \
    ".visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1, .param .u64 k_param_2,\n"               \
    "                  .param .align 8 .b8 k_param_3[16]) {\n"                                               \
    ".reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<30>; .reg .f32 %f<9>;\n"

/* The first line of BODY is this one. */
enum { FIRST = 7 };

#define LOAD_POINTER "ld.param.u64 %rd1, [k_param_0]; cvta.to.global.u64 %rd2, %rd1;\n"
#define THREAD       "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"

static const struct __attribute__((packed)) {
    uint64_t data;
    int32_t n;
    uint32_t padding;
    uint64_t table;
    uint64_t structure[2];
} PARAMS = {0x200000000000, 1000, 0, 0x300000000000, {0x11, 0x400000000000}};

static bool shared_at_64(void *user, const struct ptx_var *var, uint64_t *address)
{
    (void)user;
    *address = 64;
    return strcmp(var->name, "tile") == 0;
}

static const struct ptx_thread THREAD_232 = {.grid = {8, 1, 1},
                                             .block = {256, 1, 1},
                                             .block_index = {3, 0, 0},
                                             .thread_index = {232, 0, 0},
                                             .params = (const uint8_t *)&PARAMS,
                                             .address_of = shared_at_64};

static void add_values(struct str *out, const struct ptx_formula *f)
{
    if (f->index) {
        str_printf(out, "%s = %s", f->is_offset ? "offset" : "index", f->index);
        if (f->index_values) str_printf(out, " = %s", f->index_values);
        if (f->value_known) str_printf(out, " = %lld", (long long)f->value);
        str_add(out, "; ");
    }
    str_printf(out, "address = %s", f->address);
    if (f->address_values) str_printf(out, " = %s", f->address_values);
}

/* Each term as "; loaded = 5 loaded 9 from EXPRESSION", with lines of BODY counted from 1. */
static void add_terms(struct str *out, const struct ptx_formula *f)
{
    static const char *const KINDS[] = {"loaded", "set", "computed", "turns"};
    for (uint32_t i = 0; i < f->term_count; i++) {
        const struct ptx_term *t = &f->terms[i];
        str_printf(out, "; %s", t->name);
        if (t->known) str_printf(out, " = %lld", (long long)t->value);
        if (t->modulo) str_printf(out, " modulo 2^%u", t->modulo);
        str_printf(out, " %s", KINDS[t->kind]);
        for (int l = 0; l < 2; l++)
            if (t->line[l]) str_printf(out, " %u", t->line[l] - FIRST + 1);
        if (t->source) str_printf(out, " from %s", t->source);
    }
}

/* line: of BODY, from 1. wanted NULL: nothing is said. */
static void expect(const char *text, const struct ptx_thread *thread, uint32_t line, uint64_t address,
                   uint32_t bytes, const char *wanted)
{
    struct flat_ptx ptx;
    struct ptx_formula f;
    struct str out = {0};
    flat_ptx_open(&ptx, text);
    struct ptx_slices *slices = ptx_slices_new(ptx.flat);
    assert_non_null(slices);
    for (int again = 0; again < 2; again++) { /* what was found once is used again */
        bool found =
            ptx_slices_explain(slices, FIRST - 1 + line, false, bytes, address, thread, &ptx.arena, &f);
        assert_int_equal(found, wanted != NULL);
        if (!found) continue;
        str_clear(&out);
        add_values(&out, &f);
        add_terms(&out, &f);
        assert_string_equal(str_text(&out), wanted);
    }
    ptx_slices_free(slices);
    flat_ptx_close(&ptx);
    str_release(&out);
}

static void an_index_is_written_with_its_values(void **state)
{
    (void)state;
    static const char TEXT[] = HEAD LOAD_POINTER THREAD "mad.lo.s32 %r4, %r1, %r2, %r3;\n"
                                                        "mul.wide.s32 %rd3, %r4, 4;\n"
                                                        "add.s64 %rd4, %rd2, %rd3;\n"
                                                        "ld.global.f32 %f1, [%rd4];\n"
                                                        "ld.global.f32 %f1, [%rd4+8];\n"
                                                        "ld.global.f32 %f1, [%rd4+3];\n"
                                                        "ret;\n}\n";
    expect(TEXT, &THREAD_232, 6, 0x200000000fa0, 4,
           "index = blockIdx.x * blockDim.x + threadIdx.x = 3 * 256 + 232 = 1000; "
           "address = parameter 1 + 4 * index = 0x200000000000 + 4 * 1000");
    expect(TEXT, &THREAD_232, 7, 0x200000000fa8, 4,
           "index = blockIdx.x * blockDim.x + threadIdx.x + 2 = 3 * 256 + 232 + 2 = 1002; "
           "address = parameter 1 + 4 * index = 0x200000000000 + 4 * 1002");
    expect(TEXT, &THREAD_232, 8, 0x200000000fa3, 4,
           "index = blockIdx.x * blockDim.x + threadIdx.x = 3 * 256 + 232 = 1000; "
           "address = parameter 1 + 4 * index + 3 = 0x200000000000 + 4 * 1000 + 3");
}

static void what_does_not_agree_is_not_said(void **state)
{
    (void)state;
    static const char TEXT[] = HEAD LOAD_POINTER THREAD "mul.wide.s32 %rd3, %r3, 4;\n"
                                                        "add.s64 %rd4, %rd2, %rd3;\n"
                                                        "ld.global.f32 %f1, [%rd4];\n"
                                                        "st.global.f32 [%rd4], %f1; bar.sync 0;\n"
                                                        "ret;\n}\n";
    expect(TEXT, &THREAD_232, 5, 0x2000000003a0, 4,
           "index = threadIdx.x = 232; address = parameter 1 + 4 * index = 0x200000000000 + 4 * 232");
    expect(TEXT, &THREAD_232, 5, 0x2000000003a4, 4, NULL);
    expect(TEXT, &THREAD_232, 7, 0x2000000003a0, 4, NULL);
}

static void blocks_of_two_dimensions(void **state)
{
    (void)state;
    static const char TEXT[] = HEAD LOAD_POINTER
        "mov.u32 %r1, %ctaid.y; mov.u32 %r2, %tid.y; shl.b32 %r3, %r1, 4; add.s32 %r4, %r3, %r2;\n"
        "mov.u32 %r5, %ctaid.x; mov.u32 %r6, %tid.x; shl.b32 %r7, %r5, 4; or.b32 %r8, %r7, %r6;\n"
        "ld.param.u32 %r9, [k_param_1]; mad.lo.s32 %r10, %r4, %r9, %r8;\n"
        "cvt.s64.s32 %rd3, %r10; shl.b64 %rd4, %rd3, 3; add.s64 %rd5, %rd4, %rd2;\n"
        "ld.global.f64 %rd6, [%rd5+-8];\n"
        "ret;\n}\n";
    struct ptx_thread thread = THREAD_232;
    thread.block[0] = thread.block[1] = 16;
    thread.block_index[0] = 2, thread.block_index[1] = 1;
    thread.thread_index[0] = 5, thread.thread_index[1] = 15;
    /* of threads beyond 16 in a row, the `or` would be no sum */
    expect(TEXT, &thread, 6, 0x200000000000 + 8 * (31 * 1000 + 37 - 1), 8,
           "index = (16 * blockIdx.y + threadIdx.y) * parameter 2 + ((16 * blockIdx.x) | threadIdx.x) - 1 = "
           "(16 * 1 + 15) * 1000 + ((16 * 2) | 5) - 1 = 31036; "
           "address = parameter 1 + 8 * index = 0x200000000000 + 8 * 31036");
}

static void what_was_loaded_follows_from_the_address(void **state)
{
    (void)state;
    static const char TEXT[] = HEAD LOAD_POINTER
        "ld.param.u64 %rd3, [k_param_2]; cvta.to.global.u64 %rd4, %rd3; mov.u32 %r1, %tid.x;\n"
        "mul.wide.u32 %rd5, %r1, 4; add.s64 %rd6, %rd4, %rd5;\n"
        "ld.global.nc.u32 %r2, [%rd6+4];\n"
        "mul.wide.s32 %rd7, %r2, 4; add.s64 %rd8, %rd2, %rd7;\n"
        "st.global.u32 [%rd8], %r1;\n"
        "ld.param.u64 %rd9, [k_param_3+8]; ld.u64 %rd10, [%rd9]; shl.b64 %rd11, %rd10, 2; add.s64 %rd12, "
        "%rd11, %rd2;\n"
        "ld.global.u32 %r3, [%rd12];\n"
        "ret;\n}\n";
    expect(TEXT, &THREAD_232, 6, 0x200000000000 - 4, 4,
           "index = loaded = -1; address = parameter 1 + 4 * index = 0x200000000000 + 4 * (-1); "
           "loaded = -1 loaded 4 from parameter 3 + 4 * threadIdx.x + 4");
    expect(TEXT, &THREAD_232, 6, 0x200000000002, 4, /* no multiple of 4: no number was loaded */
           "index = loaded; address = parameter 1 + 4 * index; "
           "loaded loaded 4 from parameter 3 + 4 * threadIdx.x + 4");
    expect(TEXT, &THREAD_232, 8, 0x200000000fa0, 4,
           "index = loaded = 1000; address = parameter 1 + 4 * index = 0x200000000000 + 4 * 1000; "
           "loaded = 1000 modulo 2^62 loaded 7 from parameter 4 (byte 8)");
}

static void two_unknown_parts_stay_unknown(void **state)
{
    (void)state;
    static const char TEXT[] = HEAD LOAD_POINTER "ld.global.u32 %r1, [%rd2];\n"
                                                 "ld.global.u32 %r2, [%rd2+4];\n"
                                                 "mad.lo.s32 %r3, %r1, 10, %r2; mul.wide.s32 %rd3, %r3, 4;\n"
                                                 "add.s64 %rd4, %rd2, %rd3;\n"
                                                 "ld.global.f32 %f1, [%rd4];\n"
                                                 "ret;\n}\n";
    expect(TEXT, &THREAD_232, 6, 0x200000000fa0, 4,
           "index = 10 * loaded + loaded2; address = parameter 1 + 4 * index; "
           "loaded loaded 2 from parameter 1; loaded2 loaded 3 from parameter 1 + 4");
}

static void loops_count_their_turns(void **state)
{
    (void)state;
    static const char INDEX[] = HEAD LOAD_POINTER THREAD
        "mad.lo.s32 %r4, %r1, %r2, %r3; mov.u32 %r5, %nctaid.x; mul.lo.s32 %r6, %r5, %r2;\n"
        "LOOP:\n"
        "mul.wide.s32 %rd3, %r4, 4; add.s64 %rd4, %rd2, %rd3;\n"
        "ld.global.f32 %f1, [%rd4];\n"
        "add.s32 %r4, %r4, %r6; setp.lt.s32 %p1, %r4, 90000; @%p1 bra LOOP;\n"
        "ret;\n}\n";
    expect(INDEX, &THREAD_232, 6, 0x200000000000 + 4 * (1000 + 3 * 2048), 4,
           "index = blockIdx.x * blockDim.x + threadIdx.x + gridDim.x * blockDim.x * turns = "
           "3 * 256 + 232 + 8 * 256 * 3 = 7144; "
           "address = parameter 1 + 4 * index = 0x200000000000 + 4 * 7144; turns = 3 turns 7");
    static const char POINTER[] = HEAD LOAD_POINTER "mov.u32 %r1, 0; add.s64 %rd3, %rd2, 16;\n"
                                                    "LOOP:\n"
                                                    "ld.global.f32 %f1, [%rd3+-16];\n"
                                                    "ld.global.f32 %f1, [%rd3+-4];\n"
                                                    "add.s32 %r1, %r1, 4; add.s64 %rd3, %rd3, 16;\n"
                                                    "setp.ne.s32 %p1, %r1, 400; @%p1 bra LOOP;\n"
                                                    "ret;\n}\n";
    expect(POINTER, &THREAD_232, 5, 0x200000000000 + 16 * 62 + 12, 4,
           "index = turns = 62; address = parameter 1 + 16 * index + 12 = 0x200000000000 + 16 * 62 + 12; "
           "turns = 62 turns 6");
}

static void a_step_that_is_not_fixed_is_no_loop_of_turns(void **state)
{
    (void)state;
    static const char TEXT[] = HEAD LOAD_POINTER "mov.u32 %r1, 1;\n"
                                                 "LOOP:\n"
                                                 "mul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3;\n"
                                                 "ld.global.f32 %f1, [%rd4];\n"
                                                 "shl.b32 %r1, %r1, 1;\n"
                                                 "setp.lt.s32 %p1, %r1, 400; @%p1 bra LOOP;\n"
                                                 "ret;\n}\n";
    expect(
        TEXT, &THREAD_232, 5, 0x200000000000 + 4 * 64, 4,
        "index = value = 64; address = parameter 1 + 4 * index = 0x200000000000 + 4 * 64; value = 64 set 6");
}

static void predicates_that_are_known_choose(void **state)
{
    (void)state;
    static const char TEXT[] = HEAD LOAD_POINTER "mov.u32 %r1, %tid.x; ld.param.u32 %r2, [k_param_1];\n"
                                                 "setp.lt.s32 %p1, %r1, 100; mov.u32 %r3, 7;\n"
                                                 "@!%p1 mov.u32 %r3, %r2;\n"
                                                 "selp.b32 %r4, 1, %r3, %p1;\n"
                                                 "mul.wide.s32 %rd3, %r4, 4; add.s64 %rd4, %rd2, %rd3;\n"
                                                 "ld.global.f32 %f1, [%rd4];\n"
                                                 "ld.global.u32 %r5, [%rd2]; setp.eq.s32 %p2, %r5, 0;\n"
                                                 "selp.b32 %r6, 3, %r1, %p2; mul.wide.s32 %rd5, %r6, 4;\n"
                                                 "add.s64 %rd6, %rd2, %rd5;\n"
                                                 "ld.global.f32 %f1, [%rd6];\n"
                                                 "ret;\n}\n";
    struct ptx_thread thread = THREAD_232;
    expect(TEXT, &thread, 7, 0x200000000fa0, 4,
           "index = parameter 2 = 1000; address = parameter 1 + 4 * index = 0x200000000000 + 4 * 1000");
    thread.thread_index[0] = 99;
    expect(TEXT, &thread, 7, 0x200000000004, 4, "address = parameter 1 + 4 = 0x200000000000 + 4");
    expect(TEXT, &thread, 11, 0x20000000000c, 4,
           "index = computed = 3; address = parameter 1 + 4 * index = 0x200000000000 + 4 * 3; computed = 3 "
           "computed 9");
}

static void unsigned_indices_wrap(void **state)
{
    (void)state;
    static const char TEXT[] = HEAD LOAD_POINTER "mov.u32 %r1, %tid.x; add.s32 %r2, %r1, -1;\n"
                                                 "mul.wide.u32 %rd3, %r2, 4; add.s64 %rd4, %rd2, %rd3;\n"
                                                 "ld.global.f32 %f1, [%rd4];\n"
                                                 "ret;\n}\n";
    struct ptx_thread thread = THREAD_232;
    thread.thread_index[0] = 0;
    expect(TEXT, &thread, 4, 0x200000000000 + 4ull * UINT32_MAX, 4,
           "index = threadIdx.x - 1 = 0 - 1 = 4294967295; "
           "address = parameter 1 + 4 * index = 0x200000000000 + 4 * 4294967295");
}

static void rows_and_columns_are_an_offset(void **state)
{
    (void)state;
    static const char TEXT[] =
        HEAD LOAD_POINTER "ld.param.u64 %rd3, [k_param_3]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;\n"
                          "cvt.u64.u32 %rd4, %r1; mul.lo.s64 %rd5, %rd4, %rd3; mul.wide.u32 %rd6, %r2, 4;\n"
                          "add.s64 %rd7, %rd2, %rd5; add.s64 %rd8, %rd7, %rd6;\n"
                          "ld.global.f32 %f1, [%rd8];\n"
                          "ret;\n}\n";
    expect(TEXT, &THREAD_232, 5, 0x200000000000 + 3 * 0x11 + 4 * 232, 4,
           "offset = blockIdx.x * parameter 4 (byte 0) + 4 * threadIdx.x = 3 * 17 + 4 * 232 = 979; "
           "address = parameter 1 + offset = 0x200000000000 + 979");
}

static void variables_in_shared_memory(void **state)
{
    (void)state;
    static const char TEXT[] =
        HEAD ".shared .align 4 .b8 tile[1024]; .shared .align 4 .b8 other[64];\n"
             "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, tile; add.s32 %r4, %r3, %r2;\n"
             "ld.shared.f32 %f1, [%r4+1024];\n"
             "ld.shared.f32 %f1, [tile+2048];\n"
             "mov.u32 %r5, other; add.s32 %r6, %r5, %r2;\n"
             "ld.shared.f32 %f1, [%r6];\n"
             "ret;\n}\n";
    expect(TEXT, &THREAD_232, 3, 64 + 232 * 4 + 1024, 4,
           "index = threadIdx.x + 256 = 232 + 256 = 488; address = tile + 4 * index = 64 + 4 * 488");
    expect(TEXT, &THREAD_232, 4, 64 + 2048, 4, "address = tile + 2048 = 64 + 2048");
    expect(TEXT, &THREAD_232, 6, 5000, 4, "index = threadIdx.x = 232; address = other + 4 * index");
}

static void values_that_meet_from_two_paths(void **state)
{
    (void)state;
    static const char TEXT[] = HEAD LOAD_POINTER "ld.global.u32 %r1, [%rd2]; setp.eq.s32 %p1, %r1, 0;\n"
                                                 "@%p1 bra ELSE;\n"
                                                 "add.s32 %r2, %r1, 1; bra DONE;\n"
                                                 "ELSE:\n"
                                                 "mul.lo.s32 %r2, %r1, 3;\n"
                                                 "DONE:\n"
                                                 "mul.wide.s32 %rd3, %r2, 4; add.s64 %rd4, %rd2, %rd3;\n"
                                                 "ld.global.f32 %f1, [%rd4];\n"
                                                 "ret;\n}\n";
    expect(
        TEXT, &THREAD_232, 9, 0x200000000014, 4,
        "index = value = 5; address = parameter 1 + 4 * index = 0x200000000000 + 4 * 5; value = 5 set 4 6");
}

static void long_chains_and_wide_graphs_end(void **state)
{
    (void)state;
    struct str text = {0};
    str_add(&text, HEAD LOAD_POINTER "mov.u32 %r1, %tid.x;\n");
    for (int i = 0; i < 3000; i++)
        str_add(&text, "add.s32 %r1, %r1, %r1; ");
    str_add(&text, "\nmul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3;\nld.global.f32 %f1, [%rd4];\n"
                   "ret;\n}\n");
    expect(str_text(&text), &THREAD_232, 5, 0x200000000000, 4,
           "index = computed; address = parameter 1 + 4 * index; computed computed 3");
    str_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_index_is_written_with_its_values),
                                       cmocka_unit_test(what_does_not_agree_is_not_said),
                                       cmocka_unit_test(blocks_of_two_dimensions),
                                       cmocka_unit_test(what_was_loaded_follows_from_the_address),
                                       cmocka_unit_test(two_unknown_parts_stay_unknown),
                                       cmocka_unit_test(loops_count_their_turns),
                                       cmocka_unit_test(a_step_that_is_not_fixed_is_no_loop_of_turns),
                                       cmocka_unit_test(predicates_that_are_known_choose),
                                       cmocka_unit_test(unsigned_indices_wrap),
                                       cmocka_unit_test(rows_and_columns_are_an_offset),
                                       cmocka_unit_test(variables_in_shared_memory),
                                       cmocka_unit_test(values_that_meet_from_two_paths),
                                       cmocka_unit_test(long_chains_and_wide_graphs_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
