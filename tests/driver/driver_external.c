/* SPDX-License-Identifier: Apache-2.0 */
/* External memory by file descriptor: handles of cuMemExportToShareableHandle, imported by this process,
 * by another one and through the runtime library; mapped buffers at any offset; lifetimes. */
#include "driver_checks.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t BYTES = 2 << 20;
static CUcontext context;

static int setup(void **state)
{
    (void)state;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    return 0;
}

/* Memory that can be exported, mapped at *at. */
static CUmemGenericAllocationHandle memory_new(CUdeviceptr *at, int *fd)
{
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemAccessDesc access = {.location = prop.location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    OK(cuMemCreate(&handle, BYTES, &prop, 0));
    OK(cuMemAddressReserve(at, BYTES, 0, 0, 0));
    OK(cuMemMap(*at, BYTES, 0, handle, 0));
    OK(cuMemSetAccess(*at, BYTES, &access, 1));
    OK(cuMemExportToShareableHandle(fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    return handle;
}

static void memory_free(CUmemGenericAllocationHandle handle, CUdeviceptr at)
{
    OK(cuMemUnmap(at, BYTES));
    OK(cuMemAddressFree(at, BYTES));
    OK(cuMemRelease(handle));
}

static CUexternalMemory import(int fd, size_t bytes)
{
    CUexternalMemory memory;
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc = {
        .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = fd, .size = bytes};
    OK(cuImportExternalMemory(&memory, &desc));
    return memory;
}

static CUdeviceptr buffer_of(CUexternalMemory memory, size_t offset, size_t bytes)
{
    CUdeviceptr at = 0;
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC desc = {.offset = offset, .size = bytes};
    OK(cuExternalMemoryGetMappedBuffer(&at, memory, &desc));
    return at;
}

static unsigned word(CUdeviceptr at)
{
    unsigned value;
    OK(cuMemcpyDtoH(&value, at, sizeof value));
    return value;
}

static void same_memory(void **state)
{
    (void)state;
    CUdeviceptr at;
    int fd;
    CUmemGenericAllocationHandle handle = memory_new(&at, &fd);
    CUexternalMemory memory = import(fd, BYTES);
    assert_int_equal(fcntl(fd, F_GETFD), -1); /* the descriptor is the library's now */
    assert_int_equal(errno, EBADF);
    CUdeviceptr whole = buffer_of(memory, 0, BYTES), part = buffer_of(memory, 4096 + 256, 1024);
    assert_int_not_equal(whole, at);
    OK(cuMemsetD32(at, 7, BYTES / 4));
    assert_int_equal(word(whole + BYTES - 4), 7);
    assert_int_equal(word(part), 7);
    OK(cuMemsetD32(part, 9, 256));
    assert_int_equal(word(at + 4096 + 252), 7);
    assert_int_equal(word(at + 4096 + 256), 9);
    assert_int_equal(word(at + 4096 + 256 + 1020), 9);
    assert_int_equal(word(at + 4096 + 256 + 1024), 7);
    OK(cuDestroyExternalMemory(memory)); /* buffers stay */
    memory_free(handle, at);
    assert_int_equal(word(whole + 4096 + 256), 9);
    OK(cuMemFree(part));
    OK(cuMemFree(whole));
    FAILS(INVALID_VALUE, cuMemFree(part));
    FAILS(INVALID_VALUE, cuMemFree(whole));
}

/* In the other process: add one to the first word of a mapped buffer. */
static int child(int fd)
{
    CUdeviceptr at;
    CUexternalMemory memory;
    unsigned value;
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc = {
        .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = fd, .size = BYTES};
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC buffer = {.offset = 512, .size = 4096};
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) return 2;
    if (cuImportExternalMemory(&memory, &desc) || cuExternalMemoryGetMappedBuffer(&at, memory, &buffer))
        return 3;
    if (cuMemcpyDtoH(&value, at, sizeof value)) return 4;
    value++;
    if (cuMemcpyHtoD(at, &value, sizeof value) || cuMemFree(at) || cuDestroyExternalMemory(memory)) return 5;
    return 0;
}

static void other_process(void **state)
{
    (void)state;
    CUdeviceptr at;
    int fd, status;
    CUmemGenericAllocationHandle handle = memory_new(&at, &fd);
    OK(cuMemsetD32(at, 41, BYTES / 4));
    OK(cuCtxSynchronize()); /* fills do not wait */
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", dup(fd)); /* without close-on-exec */
        execl("/proc/self/exe", "driver_external", "child", number, (char *)NULL);
        _exit(9);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(word(at + 508), 41);
    assert_int_equal(word(at + 512), 42);
    close(fd);
    memory_free(handle, at);
}

/* The runtime's functions, which convert descriptions. */
static void through_the_runtime(void **state)
{
    (void)state;
    CUdeviceptr at;
    int fd;
    CUmemGenericAllocationHandle handle = memory_new(&at, &fd);
    cudaExternalMemory_t memory;
    void *buffer;
    struct cudaExternalMemoryHandleDesc desc = {
        .type = cudaExternalMemoryHandleTypeOpaqueFd, .handle = {.fd = fd}, .size = BYTES};
    struct cudaExternalMemoryBufferDesc part = {.offset = 8192, .size = 4096};
    OK(cudaImportExternalMemory(&memory, &desc));
    OK(cudaExternalMemoryGetMappedBuffer(&buffer, memory, &part));
    OK(cudaMemset(buffer, 3, 4096));
    assert_int_equal(word(at + 8192 + 4092), 0x03030303);
    OK(cudaFree(buffer));
    OK(cudaDestroyExternalMemory(memory));
    assert_int_equal(cudaImportExternalMemory(&memory, NULL), cudaErrorInvalidValue);
    memory_free(handle, at);
}

/* As an H200 answered (tests/conform) where it was asked; memory of nobody cannot be imported. */
static void mistakes(void **state)
{
    (void)state;
    CUdeviceptr at, out;
    int fd, plain = memfd_create("plain", 0);
    CUmemGenericAllocationHandle handle = memory_new(&at, &fd);
    CUexternalMemory memory;
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc = {
        .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = plain, .size = BYTES};
    assert_int_equal(ftruncate(plain, (off_t)BYTES), 0);
    FAILS(UNKNOWN, cuImportExternalMemory(&memory, &desc));
    assert_int_not_equal(fcntl(plain, F_GETFD), -1); /* still the caller's */
    close(plain);
    memory = import(fd, 4 * BYTES); /* more than there is */
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC buffer = {.offset = BYTES - 4096, .size = 8192};
    FAILS(INVALID_VALUE, cuExternalMemoryGetMappedBuffer(&out, memory, &buffer));
    buffer.offset = UINT64_MAX - 4095;
    FAILS(INVALID_VALUE, cuExternalMemoryGetMappedBuffer(&out, memory, &buffer));
    OK(cuDestroyExternalMemory(memory));
    FAILS(INVALID_VALUE, cuDestroyExternalMemory(memory));
    memory_free(handle, at);
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "child") == 0) return child(atoi(argv[2]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_memory),
        cmocka_unit_test(other_process),
        cmocka_unit_test(through_the_runtime),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
