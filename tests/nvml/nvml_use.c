/* SPDX-License-Identifier: Apache-2.0 */
/* A process's use of a device, as another process sees it through the management library: memory,
 * utilisation, clocks, and nothing after the process was killed. */
#include <cuda.h>
#include <nvml.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define OK(call) assert_int_equal((call), NVML_SUCCESS)

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry spin(.param .u64 p)\n{\n.reg .b64 %d1; .reg .b32 %r1; .reg .pred %q; ld.param.u64 %d1, "
    "[p];\n"
    "again:\nld.volatile.global.u32 %r1, [%d1]; setp.eq.u32 %q, %r1, 0; @%q bra again; ret;\n}\n";

/* Allocates 64 MiB on device 1, spins there until it is told to stop, then keeps the memory and idles.
 * */
static void child_uses(void)
{
    CUcontext context;
    CUmodule module;
    CUfunction spin;
    CUdeviceptr at;
    CUstream stream;
    char byte;
    unsigned one = 1;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 1) || cuCtxSetCurrent(context) ||
        cuModuleLoadData(&module, ptx) || cuModuleGetFunction(&spin, module, "spin") ||
        cuMemAlloc(&at, 64 << 20) || cuMemsetD32(at, 0, 4) ||
        cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) || cuCtxSynchronize())
        _exit(9);
    void *params[] = {&at};
    if (cuLaunchKernel(spin, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL)) _exit(9);
    if (write(31, "x", 1) != 1 || read(30, &byte, 1) != 1) _exit(9);
    if (cuMemcpyHtoD(at, &one, 4) || cuStreamSynchronize(stream)) _exit(9);
    if (write(31, "x", 1) != 1) _exit(9);
    pause();
}

static nvmlDevice_t device(unsigned index)
{
    nvmlDevice_t out;
    OK(nvmlDeviceGetHandleByIndex(index, &out));
    return out;
}

static unsigned used_by(unsigned index, pid_t pid, unsigned long long *bytes)
{
    nvmlProcessInfo_t list[64];
    unsigned count = 64, found = 0;
    OK(nvmlDeviceGetComputeRunningProcesses(device(index), &count, list));
    for (unsigned i = 0; i < count; i++)
        if (list[i].pid == (unsigned)pid) {
            found++;
            *bytes = list[i].usedGpuMemory;
        }
    return found;
}

static void seen_by_another(void **state)
{
    (void)state;
    int there[2], back[2];
    char byte, name[256];
    unsigned long long bytes = 0;
    unsigned mhz = 0, percent = 0;
    nvmlUtilization_t busy;
    nvmlMemory_t memory;
    assert_int_equal(pipe(there), 0);
    assert_int_equal(pipe(back), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(there[0], 30);
        dup2(back[1], 31);
        execl("/proc/self/exe", "nvml_use", "child", (char *)NULL);
        _exit(9);
    }
    assert_int_equal(read(back[0], &byte, 1), 1);
    OK(nvmlInit());
    sleep(1);
    assert_int_equal(used_by(0, pid, &bytes), 0);
    assert_int_equal(used_by(1, pid, &bytes), 1);
    assert_int_equal(bytes, 64 << 20);
    OK(nvmlDeviceGetMemoryInfo(device(1), &memory));
    assert_true(memory.used >= 64 << 20 && memory.free + memory.used == memory.total);
    OK(nvmlDeviceGetUtilizationRates(device(1), &busy));
    assert_true(busy.gpu >= 90);
    OK(nvmlDeviceGetUtilizationRates(device(0), &busy));
    assert_int_equal(busy.gpu, 0);
    OK(nvmlDeviceGetClockInfo(device(1), NVML_CLOCK_SM, &mhz));
    assert_int_equal(mhz, 1980);
    OK(nvmlDeviceGetClockInfo(device(0), NVML_CLOCK_SM, &mhz));
    assert_int_equal(mhz, 345);
    OK(nvmlSystemGetProcessName((unsigned)pid, name, sizeof name));
    assert_non_null(strstr(name, "nvml_use"));
    assert_int_equal(write(there[1], "x", 1), 1);
    assert_int_equal(read(back[0], &byte, 1), 1);
    usleep(1300000);
    OK(nvmlDeviceGetUtilizationRates(device(1), &busy));
    assert_int_equal(busy.gpu, 0);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_int_equal(used_by(1, pid, &bytes), 0);
    (void)percent;
    OK(nvmlShutdown());
}

/* The library's numbers and the driver's are of the same devices, whatever CUDA_VISIBLE_DEVICES hides. */
static void same_devices(void **state)
{
    (void)state;
    unsigned count;
    char uuid[96], bus[32];
    CUuuid theirs;
    nvmlPciInfo_t pci;
    OK(nvmlInit());
    OK(nvmlDeviceGetCount(&count));
    assert_int_equal(count, 3);
    setenv("CUDA_VISIBLE_DEVICES", "2,1", 1);
    assert_int_equal(cuInit(0), CUDA_SUCCESS);
    assert_int_equal(cuDeviceGetUuid(&theirs, 0), CUDA_SUCCESS);
    OK(nvmlDeviceGetUUID(device(2), uuid, sizeof uuid));
    unsigned first;
    assert_int_equal(sscanf(uuid, "GPU-%2x", &first), 1);
    assert_int_equal(first, (unsigned char)theirs.bytes[0]);
    assert_int_equal(cuDeviceGetPCIBusId(bus, sizeof bus, 0), CUDA_SUCCESS);
    nvmlDevice_t found;
    OK(nvmlDeviceGetHandleByPciBusId(bus, &found));
    assert_ptr_equal(found, device(2));
    OK(nvmlDeviceGetPciInfo(found, &pci));
    assert_string_equal(pci.busId, "00000000:03:00.0");
    OK(nvmlShutdown());
}

static void other_gpus(void **state)
{
    (void)state;
    unsigned value;
    char text[64];
    nvmlEnableState_t now, next;
    OK(nvmlInit());
    OK(nvmlDeviceGetName(device(2), text, sizeof text));
    assert_string_equal(text, "Tesla T4");
    OK(nvmlDeviceGetPowerManagementLimit(device(2), &value));
    assert_int_equal(value, 70000);
    assert_int_equal(nvmlDeviceGetPowerUsage(device(2), &value), NVML_ERROR_NOT_SUPPORTED);
    assert_int_equal(nvmlDeviceGetVbiosVersion(device(2), text, sizeof text), NVML_ERROR_NOT_SUPPORTED);
    assert_int_equal(nvmlDeviceGetNvLinkState(device(2), 0, &now), NVML_ERROR_NOT_SUPPORTED);
    OK(nvmlDeviceGetEccMode(device(2), &now, &next));
    OK(nvmlDeviceGetNumGpuCores(device(2), &value));
    assert_int_equal(value, 2560);
    OK(nvmlShutdown());
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "child") == 0) child_uses();
    const struct CMUnitTest tests[] = {cmocka_unit_test(seen_by_another), cmocka_unit_test(other_gpus),
                                       cmocka_unit_test(same_devices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
