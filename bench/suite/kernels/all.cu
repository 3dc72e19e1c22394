// SPDX-License-Identifier: Apache-2.0
// All kernels of the suite: one module for Softwarp, one program for PoCL.
#include "dialect.h"

#include "dense.cu"
#include "grid.cu"
#include "irregular.cu"
#include "compute.cu"
