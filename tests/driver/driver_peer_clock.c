/* SPDX-License-Identifier: Apache-2.0 */
/* Two devices on the virtual clock: copies between them, and work that waits for the other device. The
 * expected times are means of two recordings on H100s (tests/hw/h100/peer-1.csv, -2.csv), of sizes to which
 * no parameter was fitted. */
#include "driver_context.h"
#include "driver_session.h"

#include <stdio.h>
#include <stdlib.h>

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry busy(.param .u64 ns)\n{\n.reg .b64 %d<5>;\n.reg .pred %p;\nld.param.u64 %d1, [ns];\n"
    "mov.u64 %d2, %globaltimer;\nAGAIN:\nmov.u64 %d3, %globaltimer;\nsub.u64 %d4, %d3, %d2;\n"
    "setp.lt.u64 %p, %d4, %d1;\n@%p bra AGAIN;\nret;\n}\n";
enum { KIB = 1 << 10, MIB = 1 << 20 };

static CUcontext contexts[2];
static CUfunction busy[2];
static CUdeviceptr memory[2];
static CUstream streams[2];
static CUevent middle, joined; /* joined: of the second device */

static int setup(void **state)
{
    (void)state;
    driver_session_open();
    OK(cuInit(0));
    for (int d = 1; d >= 0; d--) {
        OK(cuDevicePrimaryCtxRetain(&contexts[d], d));
        OK(cuCtxSetCurrent(contexts[d]));
        busy[d] = driver_kernel(driver_module(ptx), "busy");
        OK(cuMemAlloc(&memory[d], 16 * MIB));
        OK(cuStreamCreate(&streams[d], CU_STREAM_NON_BLOCKING));
        if (d) OK(cuEventCreate(&joined, 0));
    }
    OK(cuEventCreate(&middle, 0));
    driver_session_events();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int d = 0; d < 2; d++)
        OK(cuDevicePrimaryCtxRelease(d));
    return driver_session_close();
}

static double elapsed_now_us(void)
{
    OK(cuEventRecord(end, streams[0]));
    return elapsed_us();
}

static void copy(int from, uint64_t bytes, double recorded)
{
    OK(cuEventRecord(begin, streams[0]));
    OK(cuMemcpyPeerAsync(memory[1 - from], contexts[1 - from], memory[from], contexts[from], bytes,
                         streams[0]));
    assert_recorded(elapsed_now_us(), recorded);
}

static void copies_go_through_the_host_until_access_is_enabled(void **state)
{
    (void)state;
    copy(0, 96 * KIB, 29.6);
    copy(0, 1536 * KIB, 70.0);
    copy(1, 1536 * KIB, 68.9);
    copy(0, 12 * MIB, 357.4);
    copy(1, 12 * MIB, 354.8);
    OK(cuCtxEnablePeerAccess(contexts[1], 0)); /* one way is enough */
    copy(0, 1536 * KIB, 9.5);
    copy(0, 12 * MIB, 37.9);
}

/* The other device makes the copy, and this device's stream waits for it. */
static void copies_from_the_other_device_end_later(void **state)
{
    (void)state;
    copy(1, 24 * KIB, 12.7);
    copy(1, 1536 * KIB, 17.4);
    copy(1, 12 * MIB, 45.4);
}

static void launch(int device, uint64_t ns)
{
    void *params[] = {&ns};
    OK(cuCtxSetCurrent(contexts[device]));
    OK(cuLaunchKernel(busy[device], 1, 1, 1, 32, 1, 1, 0, streams[device], params, NULL));
}

static void waiting_for_another_device_takes_longer(void **state)
{
    (void)state;
    OK(cuEventRecord(begin, streams[0]));
    OK(cuStreamWaitEvent(streams[1], begin, 0)); /* was there before it is asked for: nothing to wait for */
    launch(0, 100000);
    launch(1, 100000);
    OK(cuEventRecord(joined, streams[1]));
    OK(cuCtxSetCurrent(contexts[0]));
    OK(cuStreamWaitEvent(streams[0], joined, 0));
    assert_recorded(elapsed_now_us(), 120.9);
    OK(cuEventRecord(begin, streams[0])); /* one after the other: told once there, and once back */
    launch(0, 100000);
    OK(cuEventRecord(middle, streams[0]));
    OK(cuStreamWaitEvent(streams[1], middle, 0));
    launch(1, 100000);
    OK(cuEventRecord(joined, streams[1]));
    OK(cuCtxSetCurrent(contexts[0]));
    OK(cuStreamWaitEvent(streams[0], joined, 0));
    double both = elapsed_now_us();
    if (both < 214 || both > 230) fail_msg("%g us", both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_go_through_the_host_until_access_is_enabled),
        cmocka_unit_test(copies_from_the_other_device_end_later),
        cmocka_unit_test(waiting_for_another_device_takes_longer),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
