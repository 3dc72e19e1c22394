/* SPDX-License-Identifier: Apache-2.0 */
/* model/sample: which launches are sampled (model_sampling.c). */
#ifndef MODEL_SAMPLE_SHIFT_H
#define MODEL_SAMPLE_SHIFT_H

#include "event/event_request.h"

/* The sample shift that a launch begins with: 0 up to MODEL_ALL_THREADS threads, then such that about
 * MODEL_DETAILED_THREADS are seen. Assumed; the error that sampling adds was measured: docs/accuracy.md.
 * wanted: 0: that; n + 1: of each launch that can be sampled, the shift n. */
enum { MODEL_ALL_THREADS = 1 << 19, MODEL_DETAILED_THREADS = 1 << 18, MODEL_MOST_SHIFT = 4 };
uint32_t model_sampling_shift(uint32_t wanted, uint64_t blocks, uint64_t threads,
                              const struct event_residency *residency);
/* A launch whose requests and their lines are so many at most is simulated as a whole. */
enum { MODEL_ALL_REQUESTS = 1 << 20 }; /* assumed */
#endif
