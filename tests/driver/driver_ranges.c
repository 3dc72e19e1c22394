/* SPDX-License-Identifier: Apache-2.0 */
/* cuMemAdvise and cuMemPrefetchAsync on managed memory, and the answers of cuMemRangeGetAttribute: as
 * documented, it names a location only when all pages of the range agree. */
#include "driver_context.h"

enum { PAGE = 4096, PAGES = 16 };
static CUdeviceptr memory;

static const CUmemLocation host = {.type = CU_MEM_LOCATION_TYPE_HOST},
                           node = {.type = CU_MEM_LOCATION_TYPE_HOST_NUMA},
                           zero = {.type = CU_MEM_LOCATION_TYPE_DEVICE},
                           one = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 1};

static int setup(void **state)
{
    driver_context_open(state);
    OK(cuMemAllocManaged(&memory, PAGES * PAGE, CU_MEM_ATTACH_GLOBAL));
    return 0;
}

static int teardown(void **state)
{
    OK(cuMemFree(memory));
    return driver_context_close(state);
}

static int ask(CUmem_range_attribute attribute, int page, int pages)
{
    int value = 77;
    OK(cuMemRangeGetAttribute(&value, sizeof value, attribute, memory + (size_t)page * PAGE,
                              (size_t)pages * PAGE));
    return value;
}

static void advise(CUmem_advise advice, CUmemLocation location, int page, int pages)
{
    OK(cuMemAdvise(memory + (size_t)page * PAGE, (size_t)pages * PAGE, advice, location));
}

static void nothing_said(void **state)
{
    (void)state;
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 0, PAGES), 0);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 0, PAGES), CU_DEVICE_INVALID);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 0, PAGES), CU_DEVICE_INVALID);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, 0, PAGES),
                     CU_MEM_LOCATION_TYPE_INVALID);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, 0, PAGES), CU_DEVICE_INVALID);
}

static void read_mostly_of_a_part(void **state)
{
    (void)state;
    advise(CU_MEM_ADVISE_SET_READ_MOSTLY, zero, 2, 4);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 2, 4), 1);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 3, 1), 1);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 1, 2), 0);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 5, 2), 0);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 0, PAGES), 0);
    advise(CU_MEM_ADVISE_UNSET_READ_MOSTLY, zero, 3, 1);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 2, 4), 0);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 4, 2), 1);
    advise(CU_MEM_ADVISE_SET_READ_MOSTLY, zero, 0, PAGES);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 0, PAGES), 1);
    advise(CU_MEM_ADVISE_UNSET_READ_MOSTLY, zero, 0, PAGES);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 2, 4), 0);
}

/* Advice reaches whole pages: a byte of one is the page. */
static void whole_pages(void **state)
{
    (void)state;
    OK(cuMemAdvise(memory + 7 * PAGE + 100, PAGE, CU_MEM_ADVISE_SET_READ_MOSTLY, zero));
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 7, 2), 1);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 7, 3), 0);
    advise(CU_MEM_ADVISE_UNSET_READ_MOSTLY, zero, 7, 2);
}

static void preferred_places(void **state)
{
    (void)state;
    advise(CU_MEM_ADVISE_SET_PREFERRED_LOCATION, one, 0, 8);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 0, 8), 1);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, 0, 8), CU_MEM_LOCATION_TYPE_DEVICE);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID, 0, 8), 1);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 0, 9), CU_DEVICE_INVALID);
    advise(CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host, 8, 8);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 8, 8), CU_DEVICE_CPU);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 7, 2), CU_DEVICE_INVALID);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, 8, 8), CU_MEM_LOCATION_TYPE_HOST);
    advise(CU_MEM_ADVISE_SET_PREFERRED_LOCATION, node, 8, 8);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, 8, 8),
                     CU_MEM_LOCATION_TYPE_HOST_NUMA);
    advise(CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, zero, 0, PAGES);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 0, 1), CU_DEVICE_INVALID);
}

static void accessed_by(void **state)
{
    (void)state;
    int list[4];
    advise(CU_MEM_ADVISE_SET_ACCESSED_BY, host, 0, PAGES);
    advise(CU_MEM_ADVISE_SET_ACCESSED_BY, one, 0, PAGES);
    advise(CU_MEM_ADVISE_SET_ACCESSED_BY, zero, 0, 4); /* not the whole range */
    OK(cuMemRangeGetAttribute(list, sizeof list, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, PAGES * PAGE));
    assert_int_equal(list[0], 1);
    assert_int_equal(list[1], CU_DEVICE_CPU);
    assert_int_equal(list[2], CU_DEVICE_INVALID);
    assert_int_equal(list[3], CU_DEVICE_INVALID);
    OK(cuMemRangeGetAttribute(list, sizeof list, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, 4 * PAGE));
    assert_int_equal(list[0], 0);
    assert_int_equal(list[1], 1);
    advise(CU_MEM_ADVISE_UNSET_ACCESSED_BY, one, 0, PAGES);
    OK(cuMemRangeGetAttribute(list, sizeof list, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, 4 * PAGE));
    assert_int_equal(list[0], 0);
    assert_int_equal(list[1], CU_DEVICE_CPU);
}

static void prefetches(void **state)
{
    (void)state;
    OK(cuMemPrefetchAsync(memory, 8 * PAGE, one, 0, NULL));
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 0, 8), 1);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 0, 9), CU_DEVICE_INVALID);
    OK(cuMemPrefetchAsync(memory + 4 * PAGE, 8 * PAGE, host, 0, NULL));
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 4, 8), CU_DEVICE_CPU);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 0, 4), 1);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 3, 2), CU_DEVICE_INVALID);
}

static void batches_of_prefetches(void **state)
{
    (void)state;
    CUstream stream;
    OK(cuStreamCreate(&stream, 0));
    CUdeviceptr at[] = {memory, memory + 4 * PAGE, memory + 8 * PAGE};
    size_t bytes[] = {PAGE, PAGE, PAGE}, first[] = {0, 2};
    CUmemLocation locations[] = {zero, one};
    OK(cuMemPrefetchBatchAsync(at, bytes, 3, locations, first, 2, 0, stream));
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 0, 1), 0);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 4, 1), 0);
    assert_int_equal(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 8, 1), 1);
    OK(cuStreamDestroy(stream));
}

static void several_at_once(void **state)
{
    (void)state;
    int mostly, location, list[2];
    void *data[] = {&mostly, &location, list};
    size_t sizes[] = {sizeof mostly, sizeof location, sizeof list};
    CUmem_range_attribute attributes[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                          CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION,
                                          CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY};
    advise(CU_MEM_ADVISE_SET_READ_MOSTLY, zero, 0, PAGES);
    advise(CU_MEM_ADVISE_SET_PREFERRED_LOCATION, one, 0, PAGES);
    OK(cuMemRangeGetAttributes(data, sizes, attributes, 3, memory, PAGES * PAGE));
    assert_int_equal(mostly, 1);
    assert_int_equal(location, 1);
    assert_int_equal(list[0], CU_DEVICE_CPU); /* of accessed_by */
}

static void freed_is_forgotten(void **state)
{
    (void)state;
    CUdeviceptr before, after;
    OK(cuMemAllocManaged(&before, PAGES * PAGE, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemAdvise(before, PAGES * PAGE, CU_MEM_ADVISE_SET_READ_MOSTLY, zero));
    OK(cuMemFree(before));
    OK(cuMemAllocManaged(&after, PAGES * PAGE, CU_MEM_ATTACH_GLOBAL));
    assert_int_equal(before, after); /* the same addresses, else the test says nothing */
    int value = 77;
    OK(cuMemRangeGetAttribute(&value, sizeof value, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, after, PAGE));
    assert_int_equal(value, 0);
    OK(cuMemFree(after));
}

static void refused(void **state)
{
    (void)state;
    CUdeviceptr plain;
    int value;
    OK(cuMemAlloc(&plain, PAGE));
    FAILS(INVALID_VALUE, cuMemAdvise(plain, PAGE, CU_MEM_ADVISE_SET_READ_MOSTLY, zero));
    FAILS(INVALID_VALUE, cuMemAdvise(memory, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, zero));
    FAILS(INVALID_DEVICE, cuMemAdvise(memory, PAGE, CU_MEM_ADVISE_SET_ACCESSED_BY,
                                      (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, 7}));
    FAILS(INVALID_VALUE, cuMemRangeGetAttribute(&value, sizeof value, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                                memory, (PAGES + 1) * PAGE));
    OK(cuMemFree(plain));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_said),          cmocka_unit_test(read_mostly_of_a_part),
        cmocka_unit_test(whole_pages),           cmocka_unit_test(preferred_places),
        cmocka_unit_test(accessed_by),           cmocka_unit_test(prefetches),
        cmocka_unit_test(batches_of_prefetches), cmocka_unit_test(several_at_once),
        cmocka_unit_test(freed_is_forgotten),    cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
