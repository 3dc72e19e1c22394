// SPDX-License-Identifier: Apache-2.0
// Several devices: properties, peers, copies between them, memory counted apart, threads that share and switch devices, valid
// devices, and memory and events of another process. Started with one device it starts itself again with four.
#include "api_check.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

__device__ int marker = 5;
__managed__ int shared_word = 1;

__global__ void fill(int *data, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = value + i;
}

__global__ void add(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += in[i] + marker;
}

static void properties()
{
    cudaDeviceProp a, b;
    OK(cudaGetDeviceProperties(&a, 0));
    OK(cudaGetDeviceProperties(&b, 1));
    CHECK(std::strcmp(a.name, "NVIDIA H200") == 0 && std::strcmp(b.name, a.name) == 0);
    CHECK(a.pciBusID != b.pciBusID && std::memcmp(&a.uuid, &b.uuid, sizeof a.uuid) != 0);
    OK(cudaGetDeviceProperties(&b, 3));
    CHECK(b.major == 7 && b.minor == 5 && b.multiProcessorCount == 40);
    char bus[32];
    int device = -1;
    OK(cudaDeviceGetPCIBusId(bus, sizeof bus, 2));
    OK(cudaDeviceGetByPCIBusId(&device, bus));
    CHECK(device == 2);
    std::memset(&a, 0, sizeof a);
    a.major = 7;
    OK(cudaChooseDevice(&device, &a));
    CHECK(device >= 0 && device < 4);
    int none[] = {9};
    CHECK(cudaSetValidDevices(none, 1) == cudaErrorInvalidDevice);
    std::thread([] {
        int list[] = {2, 1}, now = -1;
        OK(cudaSetValidDevices(list, 2));
        std::thread([&] {
            OK(cudaGetDevice(&now));
            CHECK(now == 2);
            OK(cudaFree(nullptr));
            OK(cudaGetDevice(&now));
            CHECK(now == 2);
        }).join();
        OK(cudaSetValidDevices(nullptr, 0));
    }).join();
}

static void peers()
{
    const int n = 1 << 16;
    int can = 0, *a = nullptr, *b = nullptr;
    std::vector<int> host(n);
    OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    CHECK(can == 1);
    OK(cudaSetDevice(1));
    OK(cudaMalloc(&b, n * sizeof(int)));
    fill<<<n / 256, 256>>>(b, n, 7);
    OK(cudaSetDevice(0));
    OK(cudaMalloc(&a, n * sizeof(int)));
    OK(cudaMemcpyPeer(a, 0, b, 1, n * sizeof(int))); // waits for the kernel of device 1
    OK(cudaMemcpy(host.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(host[0] == 7 && host[n - 1] == n + 6);
    OK(cudaDeviceEnablePeerAccess(1, 0));
    CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
    cudaGetLastError();
    add<<<n / 256, 256>>>(a, b, n); // reads the peer's memory
    OK(cudaMemcpy(host.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(host[10] == 2 * 17 + 5);
    cudaMemcpy3DPeerParms p;
    std::memset(&p, 0, sizeof p);
    p.srcDevice = 0;
    p.dstDevice = 1;
    p.srcPtr = make_cudaPitchedPtr(a, 256 * sizeof(int), 256, 16);
    p.dstPtr = make_cudaPitchedPtr(b, 256 * sizeof(int), 256, 16);
    p.extent = make_cudaExtent(100 * sizeof(int), 16, 4);
    OK(cudaMemcpy3DPeer(&p));
    OK(cudaMemcpy(host.data(), b, n * sizeof(int), cudaMemcpyDefault));
    CHECK(host[99] == 2 * (7 + 99) + 5 && host[100] == 107);
    OK(cudaDeviceDisablePeerAccess(1));
    CHECK(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
    cudaGetLastError();
    cudaPointerAttributes attributes;
    OK(cudaPointerGetAttributes(&attributes, b));
    CHECK(attributes.device == 1 && attributes.type == cudaMemoryTypeDevice);
    OK(cudaFree(a));
    OK(cudaFree(b));
}

// Each device has its own variables and its own memory.
static void apart()
{
    size_t before[2], now = 0, total = 0;
    void *memory = nullptr;
    for (int d = 0; d < 2; d++) {
        int value = 100 + d;
        OK(cudaSetDevice(d));
        OK(cudaMemcpyToSymbol(marker, &value, sizeof value));
        OK(cudaMemGetInfo(&before[d], &total));
    }
    OK(cudaMalloc(&memory, 256 << 20)); // on device 1
    OK(cudaMemGetInfo(&now, &total));
    CHECK(before[1] - now == 256 << 20);
    for (int d = 0; d < 2; d++) {
        int value = 0;
        OK(cudaSetDevice(d));
        OK(cudaMemcpyFromSymbol(&value, marker, sizeof value));
        CHECK(value == 100 + d);
    }
    OK(cudaSetDevice(0));
    OK(cudaMemGetInfo(&now, &total));
    CHECK(now == before[0]);
    OK(cudaFree(memory));
}

static void worker(int number)
{
    const int n = 1000;
    std::vector<int> host(n);
    for (int round = 0; round < 8; round++) {
        int *data = nullptr, device = (number + round) % 4;
        cudaStream_t stream;
        OK(cudaSetDevice(device));
        OK(cudaStreamCreate(&stream));
        OK(cudaMalloc(&data, n * sizeof(int)));
        fill<<<4, 256, 0, stream>>>(data, n, number * 1000 + round);
        OK(cudaMemcpyAsync(host.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
        OK(cudaStreamSynchronize(stream));
        for (int i = 0; i < n; i++)
            CHECK(host[i] == number * 1000 + round + i);
        OK(cudaFree(data));
        OK(cudaStreamDestroy(stream));
        int now = -1;
        OK(cudaGetDevice(&now));
        CHECK(now == device);
    }
}

static void threads()
{
    std::vector<std::thread> all;
    for (int i = 0; i < 6; i++)
        all.emplace_back(worker, i);
    for (auto &thread : all)
        thread.join();
}

// ---- two processes

struct Message {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t event;
};

static int child(int from, int to)
{
    Message m;
    int *data = nullptr, word = 0;
    cudaEvent_t event;
    cudaStream_t stream;
    CHECK(read(from, &m, sizeof m) == (ssize_t)sizeof m);
    OK(cudaIpcOpenMemHandle((void **)&data, m.memory, cudaIpcMemLazyEnablePeerAccess));
    OK(cudaIpcOpenEventHandle(&event, m.event));
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamWaitEvent(stream, event, 0)); // the parent's kernel
    add<<<4, 256, 0, stream>>>(data + 1000, data, 1000);
    OK(cudaEventRecord(event, stream)); // ours, which the parent waits for
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpy(&word, data + 5, sizeof word, cudaMemcpyDeviceToHost));
    CHECK(word == 35);
    CHECK(write(to, "x", 1) == 1);
    OK(cudaIpcCloseMemHandle(data));
    OK(cudaEventDestroy(event));
    return 0;
}

static void processes()
{
    int there[2], back[2], *data = nullptr, word = 0;
    Message m;
    char byte, from[16], to[16];
    cudaEvent_t event;
    OK(cudaSetDevice(0));
    OK(cudaMalloc(&data, 2000 * sizeof(int)));
    OK(cudaMemset(data, 0, 2000 * sizeof(int)));
    OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess));
    OK(cudaIpcGetMemHandle(&m.memory, data));
    OK(cudaIpcGetEventHandle(&m.event, event));
    CHECK(pipe(there) == 0 && pipe(back) == 0);
    std::snprintf(from, sizeof from, "%d", there[0]);
    std::snprintf(to, sizeof to, "%d", back[1]);
    pid_t pid = fork();
    if (pid == 0) {
        execl("/proc/self/exe", "api_devices", "child", from, to, (char *)nullptr);
        _exit(9);
    }
    fill<<<4, 256>>>(data, 1000, 30);
    OK(cudaEventRecord(event));
    CHECK(write(there[1], &m, sizeof m) == (ssize_t)sizeof m);
    CHECK(read(back[0], &byte, 1) == 1);
    OK(cudaEventSynchronize(event));
    OK(cudaMemcpy(&word, data + 1007, sizeof word, cudaMemcpyDeviceToHost));
    CHECK(word == 37 + 5); // marker is 5 in the child
    int status = -1;
    waitpid(pid, &status, 0);
    CHECK(status == 0);
    OK(cudaFree(data));
    OK(cudaEventDestroy(event));
}

int main(int argc, char **argv)
{
    if (argc == 4 && std::strcmp(argv[1], "child") == 0) return child(std::atoi(argv[2]), std::atoi(argv[3]));
    int count = 0;
    OK(cudaGetDeviceCount(&count));
    if (count != 4) {
        std::string folder = "/tmp/softwarp-api-" + std::to_string(getpid()); // shares its devices with nobody
        if (argc > 1) return 1;
        setenv("SOFTWARP_RUNTIME_DIR", folder.c_str(), 1);
        setenv("SOFTWARP_HOST_MEMORY", "4T", 1); // each device is limited by itself alone
        setenv("SOFTWARP_DEVICE", "h200:3,t4", 1);
        pid_t pid = fork();
        if (pid == 0) {
            execl("/proc/self/exe", "api_devices", "again", (char *)nullptr);
            _exit(9);
        }
        int status = 1;
        waitpid(pid, &status, 0);
        std::string command = "rm -rf " + folder;
        return std::system(command.c_str()) != 0 || status != 0;
    }
    properties();
    peers();
    apart();
    threads();
    processes();
    std::puts("ok");
    return 0;
}
