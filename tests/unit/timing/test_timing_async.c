/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for cp.async: a barrier waits for the copies of groups that were committed and waited for, and
 * not for others. */
#include "timed_kernel.h"

enum { MOST = 12, WARPS = 4 };

/* The interval before the request of the last instruction. */
static struct model_interval last_interval(const char *const *texts)
{
    struct event_code code;
    struct str body = {0};
    for (uint32_t i = 0; texts[i]; i++)
        str_printf(&body, "%s\n", texts[i]);
    event_code_open(&code, str_text(&body));
    uint32_t count = code.kernel.instr_count;
    for (uint32_t i = 0; i < count; i++) {
        struct event_instr *instr = &code.instrs[i];
        instr->slots = EVENT_CODE_SLOTS;
        if (instr->cls == ISA_CLASS_COPY && instr->bytes)
            instr->slots.access[EVENT_ACCESS_GLOBAL].requests = 0;
    }
    code.kernel.slot_count = 2;
    uint64_t counters[2] = {WARPS, WARPS};
    struct model_interval interval = timed_kernel_step(&code.kernel, WARPS, counters, count - 1).before;
    event_code_close(&code);
    str_release(&body);
    return interval;
}

/* Whether a barrier after these instructions waits for the data of one of them. */
static bool waits(const char *const *texts)
{
    const char *all[MOST];
    uint32_t count = 0;
    for (; texts[count]; count++)
        all[count] = texts[count];
    all[count++] = "bar.sync 0;";
    all[count] = NULL;
    return last_interval(all).chain != MODEL_NO_CHAIN;
}

#define COPY   "cp.async.ca.shared.global [%r1], [%rd1], 16;"
#define COMMIT "cp.async.commit_group;"

static void groups_are_waited_for(void **state)
{
    (void)state;
    assert_true(waits((const char *const[]){COPY, COMMIT, "cp.async.wait_group 0;", NULL}));
    assert_true(waits((const char *const[]){COPY, "cp.async.wait_all;", NULL}));
    assert_true(waits((const char *const[]){COPY, COMMIT, COPY, COMMIT, "cp.async.wait_group 1;", NULL}));
    assert_true(waits((const char *const[]){COPY, COMMIT, COMMIT, COMMIT, "cp.async.wait_group 2;", NULL}));
}

static void later_groups_are_not(void **state)
{
    (void)state;
    assert_false(waits((const char *const[]){COPY, COMMIT, NULL}));
    assert_false(waits((const char *const[]){COPY, COMMIT, "cp.async.wait_group 1;", NULL}));
    assert_false(waits((const char *const[]){COPY, "cp.async.wait_group 0;", NULL})); /* never closed */
    assert_false(waits((const char *const[]){COPY, COMMIT, COMMIT, "cp.async.wait_group 2;", NULL}));
    assert_false(waits((const char *const[]){COPY, COMMIT, "cp.async.bulk.wait_group 0;", NULL}));
}

/* An instruction after a wait also stays after a fence that stands before the wait. */
static void fences_hold_behind_waits(void **state)
{
    enum { TICK = 16, FENCE_CYCLES = 600 }; /* sass_lower.def */
    (void)state;
    assert_true(last_interval((const char *const[]){COPY, "membar.gl;", COPY, NULL}).path >=
                FENCE_CYCLES * TICK);
    assert_true(
        last_interval((const char *const[]){COPY, "membar.gl;", "cp.async.wait_all;", COPY, NULL}).path >=
        FENCE_CYCLES * TICK);
}

/* The time before a wait for a phase does not count again after it; the replay adds the wait itself. */
static void phases_part_what_is_before_them(void **state)
{
    enum { TICK = 16, FENCE_CYCLES = 600 }; /* sass_lower.def */
    static const char *const WAITS[] = {"mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r2;",
                                        "mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;",
                                        "mbarrier.arrive.shared.b64 %rd1, [%r1];"};
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(WAITS); i++) {
        assert_true(last_interval((const char *const[]){"membar.gl;", WAITS[i], NULL}).path >=
                    FENCE_CYCLES * TICK);
        assert_true(last_interval((const char *const[]){"membar.gl;", WAITS[i], "bar.sync 0;", NULL}).path <
                    FENCE_CYCLES / 2 * TICK);
        assert_true(last_interval((const char *const[]){WAITS[i], "bar.sync 0;", NULL}).chain ==
                    MODEL_NO_CHAIN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_waited_for),
        cmocka_unit_test(later_groups_are_not),
        cmocka_unit_test(fences_hold_behind_waits),
        cmocka_unit_test(phases_part_what_is_before_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
