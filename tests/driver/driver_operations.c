/* SPDX-License-Identifier: Apache-2.0 */
/* The operations that the driver reports to a profiled program's tool: copies, fills, allocations and
 * waits. */
#include "driver_context.h"
#include "driver_session.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char touch[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                            ".visible .entry touch(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<3>;\n"
                            "ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\nadd.u32 %r2, %r1, 1;\n"
                            "st.global.u32 [%rd1], %r2;\nret;\n}\n";
enum { BYTES = 256 << 10 };

static CUfunction kernel;

static int setup(void **state)
{
    (void)state;
    driver_session_open();
    driver_context_open(state);
    kernel = driver_kernel(driver_module(touch), "touch");
    return 0;
}

static int teardown(void **state)
{
    driver_context_close(state);
    return driver_session_close();
}

/* The operations of this test: those from a sequence number on. */
static uint32_t operations_from(uint64_t order, const struct event_operation **out)
{
    uint32_t first = 0;
    const struct session_process *p = driver_session_read();
    while (first < p->operation_count && p->operations[first].order < order)
        first++;
    *out = p->operations + first;
    return p->operation_count - first;
}

static uint64_t next_order(void)
{
    const struct event_operation *all;
    uint32_t count = operations_from(0, &all);
    return count ? all[count - 1].order + 1 : 0;
}

static void copies_and_fills(void **state)
{
    (void)state;
    uint64_t from = next_order();
    CUdeviceptr device;
    CUstream stream;
    void *pinned, *pageable = calloc(1, BYTES);
    memset(pageable, 1, BYTES);
    OK(cuMemAlloc(&device, BYTES));
    OK(cuMemAllocHost(&pinned, BYTES));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    for (volatile int i = 0; i < 2; i++) /* one call site */
        OK(cuMemcpyHtoD(device, pageable, BYTES));
    OK(cuMemcpyDtoHAsync(pinned, device, BYTES / 2, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemsetD32(device, 5, 16));
    OK(cuMemFreeHost(pinned));
    OK(cuMemFree(device));
    const struct event_operation *o;
    assert_int_equal(operations_from(from, &o), 9);
    assert_int_equal(o[0].kind, EVENT_OPERATION_ALLOC);
    assert_string_equal(o[0].api, "cuMemAlloc");
    assert_true(o[0].caller[0] == '/' && strstr(o[0].caller, "/driver_operations+0x"));
    assert_int_equal(o[0].bytes, BYTES);
    assert_int_equal(o[1].to, EVENT_MEMORY_PINNED);
    for (int i = 2; i < 4; i++) {
        assert_int_equal(o[i].kind, EVENT_OPERATION_COPY);
        assert_int_equal(o[i].from, EVENT_MEMORY_PAGEABLE);
        assert_int_equal(o[i].to, EVENT_MEMORY_DEVICE);
        assert_string_equal(o[i].api, "cuMemcpyHtoD");
        assert_false(o[i].async);
        assert_int_equal(o[i].unchanged, i == 3);
        assert_true(o[i].end_ns >= o[i].start_ns && o[i].start_ns);
    }
    assert_string_equal(o[2].caller, o[3].caller);
    assert_int_equal(o[4].to, EVENT_MEMORY_PINNED);
    assert_int_equal(o[4].bytes, BYTES / 2);
    assert_true(o[4].async && o[4].stream != o[3].stream);
    assert_int_equal(o[5].kind, EVENT_OPERATION_SYNC);
    assert_string_equal(o[5].api, "cuStreamSynchronize");
    assert_int_equal(o[6].kind, EVENT_OPERATION_FILL);
    assert_int_equal(o[6].bytes, 64);
    assert_int_equal(o[7].kind, EVENT_OPERATION_FREE);
    assert_int_equal(o[7].to, EVENT_MEMORY_PINNED);
    assert_int_equal(o[8].to_address, o[0].to_address);
    OK(cuStreamDestroy(stream));
    free(pageable);
}

static void launches_and_managed_memory(void **state)
{
    (void)state;
    uint64_t from = next_order();
    CUdeviceptr managed;
    OK(cuMemAllocManaged(&managed, BYTES, CU_MEM_ATTACH_GLOBAL));
    volatile uint32_t *host = (volatile uint32_t *)(uintptr_t)managed;
    void *params[] = {&managed};
    for (int i = 0; i < 3; i++) {
        if (i == 2) host[100] = 1;
        OK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
        OK(cuCtxSynchronize());
    }
    assert_int_equal(*host, 3);
    OK(cuMemFree(managed));
    const struct event_operation *o;
    uint32_t count = operations_from(from, &o), uses = 0, migrations = 0, waits = 0, first = 0;
    for (uint32_t i = 0; i < count; i++) {
        uses += o[i].kind == EVENT_OPERATION_USE && o[i].to_address == managed;
        waits += o[i].kind == EVENT_OPERATION_SYNC;
        if (o[i].kind != EVENT_OPERATION_MIGRATE) continue;
        migrations += !o[i].unchanged;
        first += o[i].unchanged;
        assert_int_equal(o[i].bytes, 64 << 10);
    }
    assert_int_equal(uses, 3);
    assert_int_equal(waits, 3);
    assert_int_equal(migrations, 1);
    assert_int_equal(first, 1); /* what the kernel touches goes to the device */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_and_fills),
                                       cmocka_unit_test(launches_and_managed_memory)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
