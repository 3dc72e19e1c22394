/* SPDX-License-Identifier: Apache-2.0 */
/* driver: copies and fills (driver_copy.c, driver_fill.c), and words written and waited for (driver_value.c).
 */
#ifndef DRIVER_COPY_H
#define DRIVER_COPY_H

#include "driver/stream/driver_work.h"

/* ANY: a unified address; PEER: of a given context. */
enum driver_side { SIDE_HOST, SIDE_DEVICE, SIDE_ANY, SIDE_PEER };
CUresult driver_side_check(enum driver_side side, uint64_t address, uint64_t bytes, bool written);
/* async: as the asynchronous functions do it. */
CUresult driver_copy_linear(CUstream handle, uint64_t to, enum driver_side to_side, uint64_t from,
                            enum driver_side from_side, uint64_t bytes, bool async);
/* Keep the source's bytes as they are now. */
CUresult driver_copy_stage(struct driver_copy *copy);
bool driver_plane_is_device(const struct driver_plane *plane);
/* Check and translate cuMemcpy3D's description. */
CUresult driver_copy_describe(const CUDA_MEMCPY3D *params, struct driver_copy *out);
/* Check and copy the operations of a program. */
CUresult driver_batch_make(const CUstreamBatchMemOpParams *ops, unsigned count, unsigned flags,
                           struct driver_batch *out);
extern const struct driver_work_ops driver_batch_work; /* BATCH */
#endif
