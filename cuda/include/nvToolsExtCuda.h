/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges and marks; names of CUDA objects are not kept. */
#include "nvtx3/nvToolsExt.h"
