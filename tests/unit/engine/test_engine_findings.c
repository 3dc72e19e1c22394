/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: findings of a launch that goes on: the first of each, how many, and the same in any order. Method:
 * lists made by hand, and one told through a job. */
#include "engine/core/engine_job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static struct str told;

static void tell(const struct event_finding *f)
{
    str_printf(&told, "%u:%u %s x%llu;", f->place.line, f->place.thread[0], f->message ? f->message : "-",
               (unsigned long long)f->count);
}

static void add(struct engine_kept *kept, uint32_t line, uint32_t rule, uint64_t block, uint32_t thread)
{
    char message[32];
    snprintf(message, sizeof message, "r%u b%u", rule, (unsigned)block);
    struct event_finding f = {
        .kind = EVENT_FINDING_BARRIER, .place = {.line = line, .thread = {thread}}, .message = message};
    engine_kept_add(kept, &f, rule, block, thread);
}

static const char *tell_job(struct engine_kept *kept, uint64_t failed_block)
{
    struct engine engine = {.config.finding = tell};
    struct engine_job job = {.engine = &engine, .kept = *kept, .failed_block = failed_block};
    struct engine_kernel kernel = {.info.name = "k"};
    struct engine_launch launch = {.kernel = &kernel};
    job.launch = &launch;
    if (failed_block != UINT64_MAX) sw_fail(&job.error, SW_LAUNCH_TIMEOUT, "stuck");
    str_clear(&told);
    engine_findings_tell(&job);
    assert_null(job.kept.list.at);
    *kept = (struct engine_kept){0};
    return str_text(&told);
}

static void the_first_of_each_with_its_count(void **state)
{
    struct engine_kept kept = {0};
    (void)state;
    add(&kept, 7, 1, 3, 40);
    add(&kept, 7, 1, 3, 32);
    add(&kept, 7, 1, 5, 0);
    add(&kept, 7, 2, 5, 1);
    add(&kept, 9, 1, 0, 8);
    assert_string_equal(tell_job(&kept, UINT64_MAX), "9:8 r1 b0 x1;7:32 r1 b3 x3;7:1 r2 b5 x1;");
    assert_string_equal(tell_job(&kept, UINT64_MAX), "");
}

static void host_threads_do_not_matter(void **state)
{
    (void)state;
    for (unsigned hands = 1; hands <= 4; hands++) {
        struct engine_kept kept = {0}, of[4];
        memset(of, 0, sizeof of);
        for (uint32_t block = 0; block < 64; block++) {
            struct engine_kept *mine = &of[block * 7 / 3 % hands];
            for (uint32_t thread = 0; thread < 3; thread++)
                add(mine, 7, block % 2, block, 31 - thread);
        }
        for (unsigned h = hands; h-- > 0;)
            engine_kept_join(&kept, &of[h]);
        assert_string_equal(tell_job(&kept, UINT64_MAX), "7:29 r0 b0 x96;7:29 r1 b1 x96;");
    }
}

static void a_failed_launch_tells_what_each_run_has(void **state)
{
    (void)state;
    for (uint32_t blocks = 4; blocks < 12; blocks++) { /* how far others came */
        struct engine_kept kept = {0};
        for (uint32_t block = 0; block < blocks; block++) {
            add(&kept, 7, 1, block, 0);
            add(&kept, 7, 1, block, 1);
            if (block > 3) add(&kept, 8, 1, block, 0);
        }
        assert_string_equal(tell_job(&kept, 3), "7:0 r1 b0 x2;0:0 stuck x0;");
    }
}

static void too_many_are_left_out(void **state)
{
    struct engine_kept kept = {0};
    (void)state;
    for (uint32_t line = 0; line < ENGINE_KEPT_MOST + 3; line++)
        add(&kept, line, 0, 0, 0);
    assert_int_equal(kept.list.count, ENGINE_KEPT_MOST);
    assert_int_equal(kept.lost, 3);
    add(&kept, 0, 0, 1, 0);
    assert_int_equal(kept.lost, 3);
    tell_job(&kept, UINT64_MAX);
}

/* ---- blocks that end while others go on */

static void end_block(struct engine_job *job, struct engine_worker *worker, uint32_t block, uint32_t findings)
{
    worker->findings.count = findings;
    for (uint32_t i = 0; i < findings; i++)
        worker->findings.at[i] =
            (struct event_finding){.kind = EVENT_FINDING_BOUNDS, .place = {.line = block, .thread = {i}}};
    sw_fail(&worker->error, SW_ILLEGAL_ADDRESS, "block %u", block);
    assert_true(engine_job_goes_on(job, worker, block));
    assert_int_equal(worker->findings.count, 0);
}

/* Blocks 0, 7, 14 ... are told after `order` says; failed: a block that failed by anything else. */
static const char *tell_ended(uint32_t order, uint32_t findings, uint64_t failed)
{
    static struct engine_worker worker;
    struct engine engine = {.config.finding = tell};
    struct engine_kernel kernel = {.info.name = "k"};
    struct engine_launch launch = {.kernel = &kernel};
    struct engine_variant variant = {0};
    struct engine_job job = {
        .engine = &engine, .launch = &launch, .variant = &variant, .failed_block = failed};
    pthread_mutex_init(&job.lock, NULL);
    if (failed != UINT64_MAX) sw_fail(&job.error, SW_LAUNCH_TIMEOUT, "stuck");
    for (uint32_t i = 0; i < 11; i++)
        end_block(&job, &worker, i * order % 11 * 7, findings);
    str_clear(&told);
    engine_findings_tell(&job);
    str_printf(&told, " %s", job.error.message);
    pthread_mutex_destroy(&job.lock);
    return str_text(&told);
}

static void blocks_are_told_in_their_order(void **state)
{
    (void)state;
    for (uint32_t order = 1; order < 11; order++)
        assert_string_equal(tell_ended(order, 1, UINT64_MAX),
                            "0:0 - x0;7:0 - x0;14:0 - x0;21:0 - x0;28:0 - x0;35:0 - x0;42:0 - x0;49:0 - x0;"
                            "56:0 - x0;63:0 - x0;70:0 - x0; block 0");
}

static void enough_findings_are_enough(void **state)
{
    uint32_t lines = 0;
    (void)state;
    for (uint32_t order = 1; order < 11; order++) { /* four blocks have 100 and more */
        const char *all = tell_ended(order, 30, UINT64_MAX);
        lines = 0;
        for (const char *c = all; *c; c++)
            lines += *c == ';';
        assert_int_equal(lines, 120);
        assert_non_null(strstr(all, "21:29 - x0; block 0"));
    }
}

static void what_failed_otherwise_is_told_in_its_place(void **state)
{
    (void)state;
    for (uint32_t order = 1; order < 11; order++) {
        assert_string_equal(tell_ended(order, 1, 10), "0:0 - x0;7:0 - x0;0:0 stuck x0; block 0");
        assert_null(strstr(tell_ended(order, 32, 60), "stuck")); /* it may not have run */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_each_with_its_count),
        cmocka_unit_test(host_threads_do_not_matter),
        cmocka_unit_test(a_failed_launch_tells_what_each_run_has),
        cmocka_unit_test(too_many_are_left_out),
        cmocka_unit_test(blocks_are_told_in_their_order),
        cmocka_unit_test(enough_findings_are_enough),
        cmocka_unit_test(what_failed_otherwise_is_told_in_its_place),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    str_release(&told);
    return failed;
}
