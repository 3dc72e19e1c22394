/* SPDX-License-Identifier: Apache-2.0 */
/* What is libnvrtc.so.12's alone: CUDA 12.9, the last of the 12s. NVVM IR is not made, as NVRTC 12 says of
 * programs that were not compiled for it. */
#include "nvrtc_priv.h"

const struct nvrtc_abi nvrtc_abi = {.major = 12,
                                    .minor = 9,
                                    .default_sm = 52,
                                    .capabilities = toolchain_capabilities_12,
                                    .capability_count = TOOLCHAIN_CAPABILITIES_12};

NVRTC_API nvrtcGetNVVMSize(nvrtcProgram program, size_t *bytes);
NVRTC_API nvrtcGetNVVMSize(nvrtcProgram program, size_t *bytes)
{
    return nvrtcGetOptiXIRSize(program, bytes);
}

NVRTC_API nvrtcGetNVVM(nvrtcProgram program, char *ir);
NVRTC_API nvrtcGetNVVM(nvrtcProgram program, char *ir)
{
    return nvrtcGetOptiXIR(program, ir);
}
