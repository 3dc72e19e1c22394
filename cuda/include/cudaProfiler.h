/* SPDX-License-Identifier: Apache-2.0 */
/* The driver API's marks around the part of a program that a profiler should look at: declared in cuda.h. */
#include "cuda.h"
