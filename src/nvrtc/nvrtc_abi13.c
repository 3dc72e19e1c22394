/* SPDX-License-Identifier: Apache-2.0 */
/* What is libnvrtc.so.13's alone: CUDA 13.0. */
#include "nvrtc_priv.h"

const struct nvrtc_abi nvrtc_abi = {.major = 13,
                                    .minor = 0,
                                    .default_sm = 75,
                                    .capabilities = toolchain_capabilities_13,
                                    .capability_count = TOOLCHAIN_CAPABILITIES_13};
