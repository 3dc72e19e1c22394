/* SPDX-License-Identifier: Apache-2.0 */
/* timing: how long a collective takes between devices of one machine (timing_collective.c). */
#ifndef TIMING_COLLECTIVE_H
#define TIMING_COLLECTIVE_H

#include "arch/arch.h"
#include "event/event_routine.h"

/* From when the last device begins; start: the part of it that does not depend on bytes. */
double timing_collective_ns(const struct arch_gpu *gpu, const struct event_routine *routine);
double timing_collective_start_ns(const struct arch_gpu *gpu, const struct event_routine *routine);
double timing_collective_share(const struct arch_gpu *gpu); /* of the multiprocessors, that its blocks take */
#endif
