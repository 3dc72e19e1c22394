/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what reports of races know of kernels that are gone. Method: a launch writes memory, its module is
 * freed or not, and then a copy that nothing orders accesses the same bytes. */
#include "engine_fixture.h"

static const char TEXT[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry writes(.param .u64 p) {\n"
                           ".reg .u64 %rd<2>;\n"
                           "ld.param.u64 %rd1, [p];\n"
                           "st.global.u32 [%rd1], 1;\n"
                           "ret;\n}\n";
enum { LAUNCH = 1, COPY, LINE_OF_STORE = 7 };

static const struct event_tool races = {.checks = EVENT_CHECK_RACE};
static struct event_finding told;
static unsigned told_count;
static bool named; /* by the finding, while its kernel was there to be asked */

static void tell(const struct event_finding *finding)
{
    told = *finding;
    told_count++;
    named = finding->other.kernel && strcmp(finding->other.kernel->name, "writes") == 0;
}

static void race_with_copy(bool module_goes)
{
    struct engine_fixture world = {0};
    struct engine_kernel *kernel;
    struct sw_error error = {0};
    told_count = 0;
    assert_true(engine_fixture_open(
        &world, (struct engine_config){.isa = -1, .threads = 1, .tool = &races, .finding = tell}, TEXT, 64));
    engine_order_begin(world.engine, LAUNCH);
    engine_order_begin(world.engine, COPY);
    assert_int_equal(engine_kernel_get(world.module, "writes", &kernel, &error), SW_OK);
    struct engine_launch launch = {
        .kernel = kernel, .grid = {1, 1, 1}, .block = {1, 1, 1}, .params = &world.memory, .task = LAUNCH};
    assert_int_equal(engine_launch(world.engine, &launch, &error), SW_OK);
    if (module_goes) engine_module_free(world.module);
    engine_memory_access(
        world.engine,
        &(struct engine_access){
            .task = COPY, .address = world.memory, .bytes = 4, .writes = true, .call = "cudaMemcpyAsync"});
    if (module_goes)
        assert_int_equal(engine_module_new(world.engine, world.ptx, NULL, &world.module, &error), SW_OK);
    engine_fixture_close(&world);
}

static void a_kernel_is_named(void **state)
{
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    race_with_copy(false);
    assert_int_equal(told_count, 1);
    assert_int_equal(told.kind, EVENT_FINDING_RACE);
    assert_string_equal(told.place.call, "cudaMemcpyAsync");
    assert_true(named);
    assert_int_equal(told.other.line, LINE_OF_STORE);
}

static void one_that_is_gone_is_not(void **state)
{
    (void)state;
    if (!engine_fixture_can_compile()) skip();
    race_with_copy(true);
    assert_int_equal(told_count, 1);
    assert_string_equal(told.place.call, "cudaMemcpyAsync");
    assert_null(told.other.kernel);
    assert_true(told.other.writes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_kernel_is_named),
                                       cmocka_unit_test(one_that_is_gone_is_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
