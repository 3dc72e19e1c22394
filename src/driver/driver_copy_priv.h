/* SPDX-License-Identifier: Apache-2.0 */
/* What copies and fills ask of an address. */
#ifndef DRIVER_COPY_PRIV_H
#define DRIVER_COPY_PRIV_H

#include "driver_priv.h"

/* ANY: a unified address; PEER: of a given context. */
enum driver_side { SIDE_HOST, SIDE_DEVICE, SIDE_ANY, SIDE_PEER };
CUresult driver_side_check(enum driver_side side, uint64_t address, uint64_t bytes, bool written);
/* async: as the asynchronous functions do it. */
CUresult driver_copy_linear(CUstream handle, uint64_t to, enum driver_side to_side, uint64_t from,
                            enum driver_side from_side, uint64_t bytes, bool async);
bool driver_plane_is_device(const struct driver_plane *plane);
#endif
