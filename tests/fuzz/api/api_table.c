/* SPDX-License-Identifier: Apache-2.0 */
/* The tables that table.py makes of our headers and .def files. */
#include "api.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include "api_table.inc"

const struct type *const api_types = TYPES;
const struct function *const api_functions = FUNCTIONS;
const char *const *const api_handle_names = HANDLE_NAMES;
const unsigned api_function_count = sizeof FUNCTIONS / sizeof *FUNCTIONS, api_handle_count = HANDLES;
