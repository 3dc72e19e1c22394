/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the driver API in tests: OK(call) must succeed, FAILS(INVALID_VALUE, call) must fail with this
 * error. */
#ifndef DRIVER_CHECKS_H
#define DRIVER_CHECKS_H

#include <cuda.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define OK(call)           assert_int_equal((call), CUDA_SUCCESS)
#define FAILS(error, call) assert_int_equal((call), CUDA_ERROR_##error)

#endif
