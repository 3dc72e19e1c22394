/* SPDX-License-Identifier: Apache-2.0 */
/* Text that is large or mean: hundreds of kilobytes, each of a kind that a careless algorithm takes minutes
 * or the whole stack for. Each must go through everything in a second or so of CPU time; the limit leaves
 * room for slow machines. */
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <cmocka.h>

enum { MANY = 5000, MOST_SECONDS = 20 };

#define HEAD  ".version 8.0\n.target sm_80\n.address_size 64\n"
#define ENTRY ".entry k() {\n.reg .pred p, q;\n.reg .b32 r, %x<20000>;\n"

static void through_everything(struct str *text)
{
    struct sw_error error = {0};
    struct ptx_module *m;
    struct ptx_function *flat;
    struct ptx_cfg cfg;
    struct ptx_liveness live;
    struct str out = {0};
    struct arena arena;
    clock_t start = clock();
    arena_init(&arena);
    if (ptx_parse(text->text, text->length, "t", &m, &error) != SW_OK || ptx_verify(m, &error) != SW_OK ||
        ptx_flatten(m, ptx_find_function(m, "k"), &arena, &flat, &error) != SW_OK ||
        ptx_cfg_build(flat, &arena, &cfg, &error) != SW_OK)
        fail_msg("%u:%u %s", error.line, error.column, error.message);
    ptx_liveness_build(&cfg, &arena, &live);
    ptx_print_module(m, &out);
    assert_true(clock() - start < (clock_t)MOST_SECONDS * CLOCKS_PER_SEC);
    str_release(&out);
    str_release(text);
    arena_release(&arena);
    ptx_module_free(m);
}

static void branches_to_one_label(void **state)
{
    (void)state;
    struct str s = {0};
    str_add(&s, HEAD ENTRY "setp.lt.u32 p, r, %tid.x;\n");
    for (int i = 0; i < MANY; i++)
        str_printf(&s, "@p bra E;\nadd.u32 %%x%d, %%x%d, r;\n", i, i + 1);
    str_add(&s, "E: ret;\n}\n");
    through_everything(&s);
}

static void loops_inside_loops(void **state)
{
    (void)state;
    struct str s = {0};
    str_add(&s, HEAD ENTRY);
    for (int i = 0; i < MANY; i++)
        str_printf(&s, "L%d: add.u32 r, r, %d;\n", i, i);
    for (int i = MANY; i-- > 0;)
        str_printf(&s, "@p bra L%d;\n", i);
    str_add(&s, "ret;\n}\n");
    through_everything(&s);
}

static void a_tangle(void **state)
{
    (void)state;
    struct str s = {0};
    str_add(&s, HEAD ENTRY);
    for (unsigned i = 0; i < MANY; i++)
        str_printf(&s, "L%u: @p bra L%u;\n", i, i * 7919 % MANY);
    str_add(&s, "ret;\n}\n");
    through_everything(&s);
}

static void functions_that_call_the_next_twice(void **state)
{
    (void)state;
    struct str s = {0};
    str_add(&s, HEAD);
    for (int i = 0; i <= MANY; i++)
        str_printf(&s, ".func f%d();\n", i);
    for (int i = 0; i < MANY; i++)
        str_printf(&s, ".func f%d() { call f%d; call f%d; ret; }\n", i, i + 1, i + 1);
    str_printf(&s, ".func f%d() { ret; }\n.entry k() { call f0; ret; }\n", MANY);
    through_everything(&s);
}

static void scopes_with_the_same_names(void **state)
{
    (void)state;
    struct str s = {0};
    str_add(&s, HEAD ENTRY);
    for (int i = 0; i < MANY; i++)
        str_add(&s, "{ .reg .b32 t; .param .b32 a; L: mov.u32 t, 1; @q bra L; @p bra E; }\n");
    str_add(&s, "E: ret;\n}\n");
    through_everything(&s);
}

static void positions_inlined_into_one_another(void **state)
{
    (void)state;
    struct str s = {0};
    str_add(&s, HEAD ENTRY);
    for (int i = 0; i < MANY; i++)
        str_printf(&s, ".loc 1 %d 1, function_name $n, inlined_at 1 %d 1\nmov.u32 r, 1;\n", i + 1, i);
    str_add(&s, "ret;\n}\n.section .debug_str { $n: .b8 65, 0 }\n");
    through_everything(&s);
}

static long peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024;
}

/* Fails when ptx_live_bytes of the kernel in `text` takes long, or much memory. */
static uint32_t live_bytes_soon(const struct str *text, long most_bytes)
{
    struct sw_error error = {0};
    struct ptx_module *m;
    struct ptx_function *flat;
    struct ptx_cfg cfg;
    struct arena arena;
    arena_init(&arena);
    if (ptx_parse(text->text, text->length, "t", &m, &error) != SW_OK ||
        ptx_flatten(m, ptx_find_function(m, "k"), &arena, &flat, &error) != SW_OK ||
        ptx_cfg_build(flat, &arena, &cfg, &error) != SW_OK)
        fail_msg("%u:%u %s", error.line, error.column, error.message);
    long before = peak_bytes();
    clock_t start = clock();
    uint32_t bytes = ptx_live_bytes(&cfg);
    assert_true(clock() - start < (clock_t)MOST_SECONDS * CLOCKS_PER_SEC);
    if (peak_bytes() - before > most_bytes) fail_msg("%ld MiB", (peak_bytes() - before) >> 20);
    arena_release(&arena);
    ptx_module_free(m);
    return bytes;
}

/* Two megabytes whose every block has every register live: the sets would take 1.2 GB if they were all kept.
 */
static void registers_times_blocks(void **state)
{
    enum { BLOCKS = 50000, MOST_BYTES = 200 << 20 };
    (void)state;
    struct str s = {0};
    str_printf(&s, HEAD ".entry k() {\n.reg .pred p;\n.reg .b32 r, %%x<%d>;\n", BLOCKS + 1);
    str_add(&s, "mov.u32 r, %tid.x;\nsetp.lt.u32 p, r, 9;\n");
    for (int i = 0; i < BLOCKS; i++)
        str_printf(&s, "@p bra E;\nadd.u32 %%x%d, %%x%d, r;\n", i, i + 1);
    str_add(&s, "E: ret;\n}\n");
    assert_int_equal(live_bytes_soon(&s, MOST_BYTES), 4 * BLOCKS + 4 + 1); /* %x1 and above, r, and p */
    str_release(&s);
}

/* Branches that go anywhere, forward and back: what is live at one block reaches all others by many ways. */
static void branches_anywhere(void **state)
{
    enum { BLOCKS = 25000, MOST_BYTES = 200 << 20 };
    (void)state;
    struct str s = {0};
    uint32_t random = 1;
    str_printf(&s, HEAD ".entry k() {\n.reg .pred p;\n.reg .b32 %%x<%d>;\n", BLOCKS);
    for (int i = 0; i < BLOCKS; i++) {
        random = random * 1664525 + 1013904223; /* Knuth and Lewis */
        str_printf(&s, "L%d: setp.ne.u32 p, %%x%d, 0;\n@p bra L%u;\n", i, i, (random >> 8) % BLOCKS);
    }
    str_add(&s, "ret;\n}\n");
    /* every block of the cycle that the branches make reaches all others: every register is live in all */
    assert_in_range(live_bytes_soon(&s, MOST_BYTES), 4 * BLOCKS / 2, 4 * BLOCKS + 1);
    str_release(&s);
}

static void cut_anywhere(void **state)
{
    (void)state;
    static const char text[] =
        HEAD ".global .align 4 .u32 g[2] = {1, 0x2};\n.func (.param .b32 o) f(.reg .u64 a) { ret; }\n"
             "/* c */ .visible .entry k(.param .u64 p) .maxntid 1, 1, 1 {\n.reg .b32 %r<3>; .reg .pred %p;\n"
             ".loc 1 2 3\nL: @!%p ld.global.v2.u32 {%r0, %r1}, [g+4]; // end\n@%p bra L;\nexit; }\n";
    for (size_t n = 0; n < sizeof text; n++) {
        struct ptx_module *m = NULL;
        struct sw_error error = {0};
        char *copy =
            malloc(n + 1); /* exactly as long as the text, so that a reader of one too many is seen */
        memcpy(copy, text, n);
        if (ptx_parse(copy, n, "t", &m, &error) != SW_OK) assert_true(error.message[0] && error.line > 0);
        ptx_module_free(m);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_to_one_label),
        cmocka_unit_test(loops_inside_loops),
        cmocka_unit_test(a_tangle),
        cmocka_unit_test(functions_that_call_the_next_twice),
        cmocka_unit_test(scopes_with_the_same_names),
        cmocka_unit_test(positions_inlined_into_one_another),
        cmocka_unit_test(registers_times_blocks),
        cmocka_unit_test(branches_anywhere),
        cmocka_unit_test(cut_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
