/* SPDX-License-Identifier: Apache-2.0 */
/* timing: calls of random number generators (timing_random.c), for timing_routine.c. */
#ifndef TIMING_RANDOM_PRIV_H
#define TIMING_RANDOM_PRIV_H

#include "event/event_routine.h"

struct timing_random {
    double start_ns, work_ns; /* launches, and the rest */
};
/* routine: of kind EVENT_ROUTINE_RANDOM. dram: bytes in a ns; sms, ghz: of the GPU. */
struct timing_random timing_random(const struct event_routine *routine, double dram, double sms, double ghz);
#endif
