/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_fp16.h"
