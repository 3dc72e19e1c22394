/* SPDX-License-Identifier: Apache-2.0 */
/* What is libnvJitLink.so.12's alone: CUDA 12.9. */
#include "nvjitlink_priv.h"

const struct nvjitlink_abi nvjitlink_abi = {.major = 12,
                                            .minor = 9,
                                            .capabilities = toolchain_capabilities_12,
                                            .capability_count = TOOLCHAIN_CAPABILITIES_12};
