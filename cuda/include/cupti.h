/* SPDX-License-Identifier: Apache-2.0 */
/* CUPTI: what a profiler in the program's process hears of calls and of the device's work: the activity and the callback interface.
 * docs/libraries/cupti.md says what of them is there. */
#ifndef CUPTI_H
#define CUPTI_H

#include "cuda.h"
#include "cupti_activity.h"
#include "cupti_callbacks.h"
#include "cupti_driver_cbid.h"
#include "cupti_result.h"
#include "cupti_runtime_cbid.h"
#include "cupti_version.h"
#include "generated_cuda_meta.h"
#include "generated_cuda_runtime_api_meta.h"

#endif
