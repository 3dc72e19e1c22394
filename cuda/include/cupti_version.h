/* SPDX-License-Identifier: Apache-2.0 */
/* The version of the interface. */
#ifndef CUPTI_VERSION_H
#define CUPTI_VERSION_H

#include "cupti_result.h"

#include <stdint.h>

#define CUPTI_API_VERSION 130001 /* CUDA 13.0's */

#ifdef __cplusplus
extern "C" {
#endif
CUptiResult CUPTIAPI cuptiGetVersion(uint32_t *version);
#ifdef __cplusplus
}
#endif
#endif
