// SPDX-License-Identifier: Apache-2.0
// Headers for profilers: NVTX without a listener, and the marks of both APIs.
#include <cudaProfiler.h>
#include <cuda_profiler_api.h>
#include <nvToolsExt.h>
#include <nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

__global__ void nothing() {}

int main()
{
    nvtxEventAttributes_t attributes = {};
    attributes.version = NVTX_VERSION, attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII, attributes.message.ascii = "all";
    int failures = 0;
    cudaStream_t stream;
    failures += cudaStreamCreate(&stream) != cudaSuccess;
    nvtxNameCudaStream(stream, "mine");
    nvtxDomainHandle_t domain = nvtxDomainCreate("domain");
    failures += nvtxRangePush("outer") != NVTX_NO_PUSH_POP_TRACKING;
    failures += nvtxDomainRangePushEx(domain, &attributes) != NVTX_NO_PUSH_POP_TRACKING;
    failures += cudaProfilerStart() != cudaSuccess;
    nothing<<<1, 1, 0, stream>>>();
    failures += cudaDeviceSynchronize() != cudaSuccess;
    failures += cudaProfilerStop() != cudaSuccess;
    nvtxDomainRangePop(domain);
    nvtxRangePop();
    nvtxRangeEnd(nvtxRangeStart("range"));
    nvtxDomainDestroy(domain);
    std::puts(failures ? "FAILED" : "ok");
    return failures;
}
