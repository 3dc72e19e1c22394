/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what NVIDIA's library exports and this one does not do. Method and limits: routine_refused.def. */
#define ROUTINE_API           "cupti/cupti_api.def"
#define ROUTINE_NOT_SUPPORTED 27 /* CUPTI_ERROR_NOT_SUPPORTED */
#include "routine/routine_refused.def"
