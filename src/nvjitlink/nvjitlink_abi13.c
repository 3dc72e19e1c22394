/* SPDX-License-Identifier: Apache-2.0 */
/* What is libnvJitLink.so.13's alone: CUDA 13.0. */
#include "nvjitlink_priv.h"

const struct nvjitlink_abi nvjitlink_abi = {.major = 13,
                                            .minor = 0,
                                            .capabilities = toolchain_capabilities_13,
                                            .capability_count = TOOLCHAIN_CAPABILITIES_13};
