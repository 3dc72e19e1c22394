/* SPDX-License-Identifier: Apache-2.0 */
/* Which targets' PTX a device loads: that of its compute capability and older ones, and with a suffix that of
 * its own architecture alone (CUDA C++ Programming Guide, "Feature Set Compiler Targets"). */
#include "driver_checks.h"

#include <cuda.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* SOFTWARP_DEVICE of the test */
enum device { H200, RTX5090 };
#define REFUSED CUDA_ERROR_NO_BINARY_FOR_GPU

static const struct {
    const char *target;
    CUresult on[2];
} cases[] = {
    {"sm_89", {CUDA_SUCCESS, CUDA_SUCCESS}}, {"sm_90", {CUDA_SUCCESS, CUDA_SUCCESS}},
    {"sm_90a", {CUDA_SUCCESS, REFUSED}},     {"sm_100", {REFUSED, CUDA_SUCCESS}},
    {"sm_100a", {REFUSED, REFUSED}},         {"sm_100f", {REFUSED, REFUSED}},
    {"sm_120", {REFUSED, CUDA_SUCCESS}},     {"sm_120a", {REFUSED, CUDA_SUCCESS}},
    {"sm_120f", {REFUSED, CUDA_SUCCESS}},    {"sm_121", {REFUSED, REFUSED}},
};

static void loads(enum device device)
{
    CUcontext context;
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CUmodule module;
        char text[200];
        snprintf(text, sizeof text,
                 ".version 9.0\n.target %s\n.address_size 64\n.visible .entry k() { ret; }\n",
                 cases[i].target);
        CUresult result = cuModuleLoadData(&module, text);
        if (result != cases[i].on[device])
            fail_msg("%s on device %d: %d, expected %d", cases[i].target, device, result,
                     cases[i].on[device]);
        if (result == CUDA_SUCCESS) OK(cuModuleUnload(module));
    }
    OK(cuDevicePrimaryCtxRelease(device));
}

static void targets_of_an_h200(void **state)
{
    (void)state;
    loads(H200);
}

static void targets_of_an_rtx5090(void **state)
{
    (void)state;
    loads(RTX5090);
}

static int setup(void **state)
{
    (void)state;
    OK(cuInit(0));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(targets_of_an_h200),
                                       cmocka_unit_test(targets_of_an_rtx5090)};
    return cmocka_run_group_tests(tests, setup, NULL);
}
