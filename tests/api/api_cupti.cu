// SPDX-License-Identifier: Apache-2.0
// CUPTI as profilers use it: records of kernels, copies, fills, calls, waits and memory, external correlation ids as frameworks
// push them around their operators, and callbacks. usage: api_cupti [print]      print: the records, for comparisons
#include "api_check.h"

#include <cuda.h>
#include <cuda_runtime.h>
#include <cupti.h>

#include <cstring>
#include <ctime>
#include <map>
#include <set>
#include <string>
#include <vector>

#define CUPTI(call)                                                                                          \
    do {                                                                                                     \
        CUptiResult result_ = (call);                                                                        \
        const char *text_ = nullptr;                                                                         \
        cuptiGetResultString(result_, &text_);                                                               \
        if (result_ != CUPTI_SUCCESS) std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, text_), std::exit(1); \
    } while (0)

__global__ void scale(float *data, int n)
{
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x % 64] = 2;
    __syncthreads();
    if (i < n) data[i] *= tile[threadIdx.x % 64];
}

// ---- buffers

static std::vector<std::vector<uint8_t>> records; // of the program, one each
static size_t asked, given_back, buffer_bytes = 8 << 20;

static void CUPTIAPI requested(uint8_t **buffer, size_t *size, size_t *most)
{
    *buffer = (uint8_t *)aligned_alloc(8, buffer_bytes);
    *size = buffer_bytes;
    *most = 0;
    asked++;
}

static size_t record_bytes(CUpti_Activity *record)
{
    switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_MEMCPY: return sizeof(CUpti_ActivityMemcpy6);
    case CUPTI_ACTIVITY_KIND_MEMSET: return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: return sizeof(CUpti_ActivitySynchronization2);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: return sizeof(CUpti_ActivityExternalCorrelation);
    case CUPTI_ACTIVITY_KIND_MEMORY2: return sizeof(CUpti_ActivityMemory4);
    default: return sizeof(CUpti_ActivityAPI);
    }
}

static void CUPTIAPI completed(CUcontext, uint32_t, uint8_t *buffer, size_t size, size_t valid)
{
    CHECK(size == buffer_bytes && valid <= size);
    CUpti_Activity *record = nullptr;
    CUptiResult result;
    while ((result = cuptiActivityGetNextRecord(buffer, valid, &record)) == CUPTI_SUCCESS)
        records.emplace_back((uint8_t *)record, (uint8_t *)record + record_bytes(record));
    CHECK(result == CUPTI_ERROR_MAX_LIMIT_REACHED);
    free(buffer);
    given_back++;
}

template <typename T> static std::vector<const T *> of_kind(CUpti_ActivityKind kind)
{
    std::vector<const T *> found;
    for (auto &record : records)
        if (((const CUpti_Activity *)record.data())->kind == kind) found.push_back((const T *)record.data());
    return found;
}

// ---- the program that is profiled

enum { N = 1 << 16 };
static float host[N];

static void work(cudaStream_t stream)
{
    float *data;
    OK(cudaMalloc(&data, sizeof host));
    CUPTI(cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 71));
    OK(cudaMemsetAsync(data, 0, sizeof host, stream));
    CUPTI(cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1, 5));
    CUPTI(cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 72));
    OK(cudaMemcpyAsync(data, host, sizeof host, cudaMemcpyHostToDevice, stream));
    scale<<<N / 256, 256, 128, stream>>>(data, N);
    uint64_t last = 0;
    CUPTI(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last));
    CHECK(last == 72);
    CUPTI(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1, nullptr));
    CUPTI(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last));
    CHECK(last == 71);
    CHECK(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last) == CUPTI_ERROR_QUEUE_EMPTY);
    OK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
    OK(cudaStreamSynchronize(stream));
    OK(cudaFree(data));
}

static const CUpti_ActivityKind kinds[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,          CUPTI_ACTIVITY_KIND_MEMSET,
    CUPTI_ACTIVITY_KIND_RUNTIME,           CUPTI_ACTIVITY_KIND_DRIVER,          CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
    CUPTI_ACTIVITY_KIND_MEMORY2,           CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION};

// ---- what records say

static const CUpti_ActivityAPI *call(const char *name)
{
    for (auto record : of_kind<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME)) {
        const char *text;
        CUPTI(cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, record->cbid, &text));
        if (std::strcmp(text, name) == 0) return record;
    }
    std::printf("no record of %s\n", name);
    std::exit(1);
}

static void check_kernel(uint32_t stream_id, uint32_t context_id)
{
    auto kernels = of_kind<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    CHECK(kernels.size() == 1);
    const auto *k = kernels[0];
    CHECK(std::strcmp(k->name, "_Z5scalePfi") == 0);
    CHECK(k->gridX == N / 256 && k->gridY == 1 && k->gridZ == 1 && k->blockX == 256 && k->blockY == 1 && k->blockZ == 1);
    CHECK(k->staticSharedMemory == 256 && k->dynamicSharedMemory == 128 && k->registersPerThread > 0);
    CHECK(k->deviceId == 0 && k->streamId == stream_id && k->contextId == context_id);
    CHECK(k->start > 0 && k->end > k->start && k->completed == k->end);
    CHECK(k->correlationId != 0 && k->correlationId == call("cudaLaunchKernel_v7000")->correlationId);
}

static void check_copies(uint32_t stream_id)
{
    auto copies = of_kind<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
    CHECK(copies.size() == 2);
    CHECK(copies[0]->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD && copies[1]->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH);
    CHECK(copies[0]->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC && !(copies[1]->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC));
    CHECK(copies[0]->srcKind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE && copies[0]->dstKind == CUPTI_ACTIVITY_MEMORY_KIND_DEVICE);
    CHECK(copies[0]->streamId == stream_id && copies[1]->streamId != stream_id);
    CHECK(copies[0]->correlationId == call("cudaMemcpyAsync_v3020")->correlationId);
    CHECK(copies[1]->correlationId == call("cudaMemcpy_v3020")->correlationId);
    for (auto copy : copies)
        CHECK(copy->bytes == sizeof host && copy->end >= copy->start);
    auto fills = of_kind<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
    CHECK(fills.size() == 1 && fills[0]->bytes == sizeof host && fills[0]->value == 0);
    CHECK(fills[0]->correlationId == call("cudaMemsetAsync_v3020")->correlationId);
    CHECK(fills[0]->memoryKind == CUPTI_ACTIVITY_MEMORY_KIND_DEVICE);
}

// Of the calls between push and pop; of each kind what is on top.
static void check_external()
{
    std::map<uint32_t, std::set<uint64_t>> of;
    for (auto e : of_kind<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION)) {
        CHECK(e->externalKind == (e->externalId == 5 ? CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1
                                                     : CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0));
        of[e->correlationId].insert(e->externalId);
    }
    CHECK((of[call("cudaMemsetAsync_v3020")->correlationId] == std::set<uint64_t>{71}));
    CHECK((of[call("cudaMemcpyAsync_v3020")->correlationId] == std::set<uint64_t>{5, 72}));
    CHECK((of[call("cudaLaunchKernel_v7000")->correlationId] == std::set<uint64_t>{5, 72}));
    CHECK(of.count(call("cudaMemcpy_v3020")->correlationId) == 0);
}

static void check_calls(uint32_t stream_id)
{
    for (auto c : of_kind<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME))
        CHECK(c->end >= c->start && c->processId && c->threadId && c->correlationId && c->returnValue == 0);
    std::set<std::string> driver;
    for (auto c : of_kind<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_DRIVER)) {
        const char *text;
        CUPTI(cuptiGetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, c->cbid, &text));
        driver.insert(text);
    }
    CHECK(driver.count("cuMemAlloc_v2") && driver.count("cuMemFree_v2"));
    auto memory = of_kind<CUpti_ActivityMemory4>(CUPTI_ACTIVITY_KIND_MEMORY2);
    CHECK(memory.size() == 2 && memory[0]->address == memory[1]->address && memory[0]->bytes == sizeof host);
    CHECK(memory[0]->memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION);
    CHECK(memory[1]->memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE);
    CHECK(memory[0]->correlationId == call("cudaMalloc_v3020")->correlationId);
    bool waited = false;
    for (auto s : of_kind<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION))
        waited |= s->type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE && s->streamId == stream_id &&
                  s->correlationId == call("cudaStreamSynchronize_v3020")->correlationId;
    CHECK(waited);
}

// Small buffers: more of them, no record lost; and none at all: records are dropped, and counted.
static void check_buffers(cudaStream_t stream)
{
    records.clear();
    buffer_bytes = 1024;
    size_t before = asked;
    for (int i = 0; i < 8; i++)
        work(stream);
    CUPTI(cuptiActivityFlushAll(0));
    CHECK(of_kind<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL).size() == 8);
    CHECK(asked - before > 8 && asked == given_back);
    size_t dropped = 1;
    CUPTI(cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped));
    CHECK(dropped == 0);
    buffer_bytes = 8;
    work(stream);
    CUPTI(cuptiActivityFlushAll(1));
    CUPTI(cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped));
    CHECK(dropped > 10);
    buffer_bytes = 8 << 20;
}

// ---- callbacks

static std::vector<std::string> heard;

static void CUPTIAPI callback(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *given)
{
    CHECK(user == &heard);
    const char *name = nullptr;
    if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
        if (id == CUPTI_CBID_RESOURCE_STREAM_CREATED) heard.push_back("stream");
        return;
    }
    auto data = (const CUpti_CallbackData *)given;
    CUPTI(cuptiGetCallbackName(domain, id, &name));
    CHECK(data->correlationId && data->context && data->contextUid);
    heard.push_back(std::string(data->callbackSite == CUPTI_API_ENTER ? "> " : "< ") + name);
    if (data->callbackSite == CUPTI_API_ENTER) { // its own for each call, also for those inside of others
        CHECK(*data->correlationData == 0);
        *data->correlationData = id;
    } else {
        CHECK(*data->correlationData == id);
        CHECK(*(const cudaError_t *)data->functionReturnValue == cudaSuccess);
    }
    if (id == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000 && domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
        auto params = (const cudaLaunchKernel_v7000_params *)data->functionParams;
        CHECK(params->gridDim.x == 3 && params->gridDim.y == 2 && params->blockDim.x == 64 && params->blockDim.z == 1);
        CHECK(params->sharedMem == 32 && params->stream == nullptr && params->args);
    }
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API) CHECK(std::strcmp(data->symbolName, "_Z5scalePfi") == 0);
}

static void check_callbacks()
{
    CUpti_SubscriberHandle handle, other;
    CUPTI(cuptiSubscribe(&handle, callback, &heard));
    CHECK(cuptiSubscribe(&other, callback, nullptr) == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    CUPTI(cuptiEnableCallback(1, handle, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000));
    CUPTI(cuptiEnableCallback(1, handle, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel));
    CUPTI(cuptiEnableDomain(1, handle, CUPTI_CB_DOMAIN_RESOURCE));
    float *data;
    cudaStream_t stream;
    OK(cudaMalloc(&data, 4096));
    OK(cudaStreamCreate(&stream));
    scale<<<dim3(3, 2), 64, 32>>>(data, 1);
    OK(cudaDeviceSynchronize());
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(data));
    std::vector<std::string> expected = {"stream", "> cudaLaunchKernel_v7000", "> cuLaunchKernel", "< cuLaunchKernel",
                                         "< cudaLaunchKernel_v7000"};
    if (heard.size() == 3) expected.erase(expected.begin() + 2, expected.begin() + 4); // the runtime asked cuLaunchKernelEx
    CHECK(heard == expected);
    uint32_t on = 0;
    CUPTI(cuptiGetCallbackState(&on, handle, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000));
    CHECK(on == 1);
    CUPTI(cuptiUnsubscribe(handle));
    CHECK(cuptiUnsubscribe(handle) == CUPTI_ERROR_INVALID_PARAMETER);
}

// A clock of the program's: half nanoseconds, from somewhere.
static uint64_t CUPTIAPI half_ns()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 2 * (uint64_t(now.tv_sec) * 1000000000 + uint64_t(now.tv_nsec)) + 7;
}

// Records have its times: those of work lie between what it said before and after, to 100 us.
static void check_timestamps(cudaStream_t stream)
{
    const uint64_t slack = 2 * 100000;
    uint64_t now = 0;
    CHECK(cuptiActivityRegisterTimestampCallback(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CUPTI(cuptiActivityRegisterTimestampCallback(half_ns));
    CUPTI(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    for (int round = 0; round < 3; round++) {
        records.clear();
        uint64_t before = half_ns();
        work(stream);
        uint64_t after = half_ns();
        CUPTI(cuptiGetTimestamp(&now));
        CHECK(now + slack >= after && now <= half_ns() + slack);
        CUPTI(cuptiActivityFlushAll(0));
        CHECK(!records.empty());
        for (auto &bytes : records) {
            auto *kernel = (const CUpti_ActivityKernel10 *)bytes.data();
            CHECK(kernel->start + slack >= before && kernel->end >= kernel->start && kernel->end <= after + slack);
        }
        timespec pause = {0, 60000000}; // so that the line is drawn anew
        nanosleep(&pause, nullptr);
    }
    CUPTI(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    records.clear();
}

static void print()
{
    for (auto k : of_kind<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL))
        std::printf("kernel %llu %llu\n", (unsigned long long)k->start, (unsigned long long)k->end);
    for (auto c : of_kind<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY))
        std::printf("copy %llu %llu\n", (unsigned long long)c->start, (unsigned long long)c->end);
    for (auto c : of_kind<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET))
        std::printf("fill %llu %llu\n", (unsigned long long)c->start, (unsigned long long)c->end);
}

int main(int argc, char **)
{
    uint64_t before = 0, after = 0;
    uint32_t version = 0, stream_id = 0, context_id = 0;
    CUPTI(cuptiGetVersion(&version));
    CHECK(version >= 120000);
    CHECK(cuptiActivityRegisterCallbacks(nullptr, completed) == CUPTI_ERROR_INVALID_PARAMETER);
    CUPTI(cuptiActivityRegisterCallbacks(requested, completed));
    CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_INVALID) == CUPTI_ERROR_INVALID_KIND);
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    CUcontext context;
    cuCtxGetCurrent(&context);
    CUPTI(cuptiGetStreamId(context, stream, &stream_id));
    CUPTI(cuptiGetContextId(context, &context_id));
    for (auto kind : kinds)
        CUPTI(cuptiActivityEnable(kind));
    CUPTI(cuptiGetTimestamp(&before));
    work(stream);
    CUPTI(cuptiGetTimestamp(&after));
    CHECK(after >= before);
    CUPTI(cuptiActivityFlushAll(0));
    CHECK(asked == 1 && given_back == 1);
    check_calls(stream_id);
    check_kernel(stream_id, context_id);
    check_copies(stream_id);
    check_external();
    if (argc > 1) print();
    if (argc == 1) check_buffers(stream);
    for (auto kind : kinds)
        CUPTI(cuptiActivityDisable(kind));
    records.clear();
    if (argc == 1) check_callbacks();
    if (argc == 1) check_timestamps(stream);
    CUPTI(cuptiActivityFlushAll(0));
    CHECK(records.empty());
    std::puts("ok");
    return 0;
}
