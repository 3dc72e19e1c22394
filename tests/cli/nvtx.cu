// SPDX-License-Identifier: Apache-2.0
// Ranges and marks of NVTX: pushed, started, of a domain with a registered string, in wide characters.
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

__global__ void nothing() {}

int main()
{
    int outer = nvtxRangePushA("outer"), inner = -1, level = -1;
    nvtxDomainHandle_t domain = nvtxDomainCreateA("solver");
    nvtxEventAttributes_t step = {};
    step.version = NVTX_VERSION, step.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    step.messageType = NVTX_MESSAGE_TYPE_REGISTERED, step.message.registered = nvtxDomainRegisterStringA(domain, "step");
    nvtxEventAttributes_t mark = step;
    mark.messageType = NVTX_MESSAGE_TYPE_ASCII, mark.message.ascii = "here";
    for (int i = 0; i < 3; i++) {
        nvtxDomainRangePushEx(domain, &step);
        inner = nvtxDomainRangePushEx(domain, nullptr);
        nvtxDomainRangePop(domain);
        nothing<<<1, 32>>>();
        level = nvtxDomainRangePop(domain);
    }
    nvtxRangeId_t id = nvtxRangeStartW(L"gr\u00f6\u00dfe \u4e2d");
    cudaDeviceSynchronize();
    nvtxMarkEx(&mark);
    nvtxRangeEnd(id);
    nvtxRangePop();
    std::printf("%d %d %d %d\n", outer, inner, level, nvtxRangePop());
    return 0;
}
