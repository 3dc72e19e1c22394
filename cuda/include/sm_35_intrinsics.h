/* SPDX-License-Identifier: Apache-2.0 */
/* What CUDA keeps under this name, every .cu file has already: see softwarp/prelude.h. */
#include "cuda_runtime.h"
