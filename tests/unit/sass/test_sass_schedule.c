/* SPDX-License-Identifier: Apache-2.0 */
/* How much longer than its longest chain a block takes, worked out by hand. fma.rn.f32 has a latency of 4
 * cycles on 9.0; 32-bit multiplications by the integer pipe of 64 lanes take it for 2 cycles each. */
#include "event_code.h"
#include "frozen_gpu.h"
#include "sass/sass.h"

#include <stdlib.h>

enum { SHARED_CYCLES = 29 }; /* of a load */

/* The delay of block `b` of such a body. */
static double delay_on(const char *gpu_file, const char *body, uint32_t b)
{
    struct event_code code;
    struct arch_gpu gpu;
    struct sw_error error;
    double delays[8] = {0};
    assert_int_equal(arch_gpu_load(gpu_file, &gpu, &error), SW_OK);
    event_code_open(&code, body);
    assert_true(b < code.kernel.block_count && code.kernel.block_count <= SW_COUNT_OF(delays));
    struct sass m = {.gpu = &gpu,
                     .p = &gpu.kernels,
                     .pipes = arch_pipes_find(gpu.cc_major, gpu.cc_minor),
                     .kernel = &code.kernel,
                     .lower = calloc(code.kernel.instr_count, sizeof *m.lower),
                     .latency = calloc(code.kernel.instr_count, sizeof *m.latency)};
    assert_non_null(m.lower);
    assert_non_null(m.latency);
    sass_lower_kernel(&gpu, &code.kernel, m.lower);
    m.lower[0].other = 0; /* the kernel's entry is no part of this */
    for (uint32_t i = 0; i < code.kernel.instr_count; i++)
        m.latency[i] = m.lower[i].kind == SASS_MEMORY ? SHARED_CYCLES : m.lower[i].latency;
    sass_schedule_delays(&m, delays);
    free(m.lower);
    free(m.latency);
    event_code_close(&code);
    return delays[b];
}

static void check_delay(const char *body, double cycles)
{
    double delay = delay_on(TEST90, body, 0);
    if (delay < cycles - 1e-9 || delay > cycles + 1e-9) fail_msg("%s: %g, not %g", body, delay, cycles);
}

#define FMA(to, from) "fma.rn.f32 %f" #to ", %f" #from ", %f90, %f91;"

static void chains_alone_have_no_delay(void **state)
{
    (void)state;
    check_delay(FMA(1, 2), 0);
    check_delay(FMA(1, 1) FMA(1, 1) FMA(1, 1), 0);
    check_delay(FMA(1, 11) FMA(2, 12) FMA(3, 13) FMA(4, 14) FMA(5, 15), 0);
}

/* Three chains of two begin at 0, 1 and 2; their second instructions at 4, 5 and 6 end at 7: a chain alone
 * ends at 5, six instructions at 6. */
static void chains_wait_for_a_slot(void **state)
{
    (void)state;
    check_delay(FMA(1, 11) FMA(2, 12) FMA(3, 13) FMA(1, 1) FMA(2, 2) FMA(3, 3), 1);
    /* Five chains fill the cycles between: 10 instructions in 10 cycles. */
    check_delay(FMA(1, 11) FMA(2, 12) FMA(3, 13) FMA(4, 14) FMA(5, 15) FMA(1, 1) FMA(2, 2) FMA(3, 3) FMA(4, 4)
                    FMA(5, 5),
                0);
}

/* The long chain goes first, though it stands last: 1 to 3 fill the cycles that it waits. In the order of the
 * text it would begin at 3 and end at 12, not at 9. */
static void the_longest_chain_goes_first(void **state)
{
    (void)state;
    check_delay(FMA(1, 11) FMA(2, 12) FMA(3, 13) FMA(4, 14) FMA(4, 4) FMA(4, 4), 0);
}

/* Logic takes the integer pipe for 2 cycles: what follows from the two first ones begins at 5 and 7, when the
 * pipe is free again, and the second ends at 8; the chain alone ends at 6, the pipe's work at 8. */
static void instructions_wait_for_their_pipe(void **state)
{
    (void)state;
    check_delay("prmt.b32 %r1, %r11, %r12, %r13; prmt.b32 %r2, %r21, %r22, %r23;"
                "prmt.b32 %r1, %r1, %r12, %r13; prmt.b32 %r2, %r2, %r22, %r23;",
                0);
    /* 0, 2, 4 | 5 is taken until 6: 6, 8, 10, ends at 11; the pipe's work is 12. */
    check_delay("prmt.b32 %r1, %r11, %r12, %r13; prmt.b32 %r2, %r21, %r22, %r23;"
                "prmt.b32 %r3, %r31, %r32, %r33; prmt.b32 %r1, %r1, %r12, %r13;"
                "prmt.b32 %r2, %r2, %r22, %r23; prmt.b32 %r3, %r3, %r32, %r33;",
                0);
}

/* Nothing moves over a division, which has a branch inside: it issues at 3, when three others have, and what
 * stands behind it begins at 57, when it is done (54 cycles), so the block ends at 60. Were there slots for
 * all, the division would issue at 0 and the block end at 55. */
static void nothing_moves_over_a_slow_path(void **state)
{
    (void)state;
    check_delay(FMA(1, 11) FMA(2, 12) FMA(3, 13) "div.rn.f32 %f50, %f51, %f52;" FMA(1, 1) FMA(2, 2) FMA(3, 3),
                5);
}

/* 48 loads of shared memory, each added to one of 8 sums. With as many registers as it likes a warp has them
 * all under way at once; doubles take two registers, and of 32 the sums and the address leave 15: at most 7
 * values in 29 cycles. Floats take one each, so that 23 are under way and a slot is what is short. Before
 * compute capability 7.0 nothing is known about the code. */
static void few_registers_delay_a_block(void **state)
{
    (void)state;
    enum { VALUES = 48, SUMS = 8 };
    struct str wide = {0}, narrow = {0};
    for (int i = 0; i < VALUES; i++) {
        int sum = 100 + i % SUMS;
        str_printf(&wide, "ld.shared.f64 %%fd%d, [%%r1+%d]; add.f64 %%fd%d, %%fd%d, %%fd%d;", i + 1, i * 64,
                   sum, sum, i + 1);
        str_printf(&narrow, "ld.shared.f32 %%f%d, [%%r1+%d]; add.f32 %%f%d, %%f%d, %%f%d;", i + 1, i * 64,
                   sum, sum, i + 1);
    }
    double loads = VALUES / 7 * SHARED_CYCLES, delay = delay_on(TEST90, str_text(&wide), 0);
    if (delay < (loads - 2 * VALUES - 40) / 2 || delay > loads / 2) fail_msg("%g cycles", delay);
    assert_true(delay_on(TEST90, str_text(&narrow), 0) < delay / 4);
    double old = delay_on(TEST35, str_text(&wide), 0);
    if (old >= delay / 2) fail_msg("%g cycles on 3.5, %g on 9.0", old, delay);
    str_release(&wide);
    str_release(&narrow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_alone_have_no_delay),     cmocka_unit_test(chains_wait_for_a_slot),
        cmocka_unit_test(the_longest_chain_goes_first),   cmocka_unit_test(instructions_wait_for_their_pipe),
        cmocka_unit_test(nothing_moves_over_a_slow_path), cmocka_unit_test(few_registers_delay_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
