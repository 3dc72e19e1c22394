/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what NVIDIA's library exports and this one does not do. Method and limits: routine_refused.def. */
#define ROUTINE_API           "nccl/nccl_api.def"
#define ROUTINE_NOT_SUPPORTED 5 /* ncclInvalidUsage */
#include "routine/routine_refused.def"
