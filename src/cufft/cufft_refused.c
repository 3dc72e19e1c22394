/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what NVIDIA's library exports and this one does not do. Method and limits: routine_refused.def. */
#define ROUTINE_API           "cufft/cufft_api.def"
#define ROUTINE_NOT_SUPPORTED 14 /* CUFFT_NOT_IMPLEMENTED */
#include "routine/routine_refused.def"
