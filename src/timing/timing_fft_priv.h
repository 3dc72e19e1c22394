/* SPDX-License-Identifier: Apache-2.0 */
/* The time of Fourier transforms, for timing_routine.c. */
#ifndef TIMING_FFT_PRIV_H
#define TIMING_FFT_PRIV_H

#include "event/event_routine.h"

struct timing_fft {
    double start_ns, latency_ns, work_ns; /* which add up */
    double memory_ns, unit_ns;            /* what of the work is memory's, and the units' */
};
/* dram: bytes a nanosecond; sm_ghz: multiprocessors times their clock. */
struct timing_fft timing_fft(const struct event_routine *routine, double dram, double sm_ghz);
#endif
