/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what NVIDIA's library exports and this one does not do. Method and limits: routine_refused.def. */
#define ROUTINE_API           "cublaslt/cublaslt_api.def"
#define ROUTINE_NOT_SUPPORTED 15 /* CUBLAS_STATUS_NOT_SUPPORTED */
#include "routine/routine_refused.def"
