/* SPDX-License-Identifier: Apache-2.0 */
/* curand: what its files share. A generator has settings and a state (random/), which is made anew at the
 * first call after a setting that starts it again. */
#ifndef CURAND_PRIV_H
#define CURAND_PRIV_H

#include "base/base.h"
#include "event/event_routine.h"
#include "random/random.h"
#include "routine/routine.h"

#include <cuda.h>
#include <curand.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define CURAND __attribute__((visibility("default"))) curandStatus_t CURANDAPI

/* Return a failing status at once. */
#define CURAND_TRY(expr)                                                                                     \
    do {                                                                                                     \
        curandStatus_t curand_try_ = (expr);                                                                 \
        if (curand_try_ != CURAND_STATUS_SUCCESS) return curand_try_;                                        \
    } while (0)

/* Numbers that a generator is at. Work that is queued keeps the pointer; states go with their generator. */
struct curand_state {
    pthread_mutex_t lock; /* work of two streams may come to it at once */
    struct random_generator *generator;
    struct curand_state *older;
};

struct curandGenerator_st {
    bool on_host;
    CUcontext context; /* that was current when it was made; NULL: on_host */
    CUstream stream;
    curandOrdering_t ordering;
    struct random_setup setup;
    struct curand_state *state; /* the newest */
    bool restarts;              /* the next call begins with a new state */
    uint64_t
        at; /* numbers that were given, of each dimension: a new state goes on from there, as NVIDIA's do */
};
/* Good until it is destroyed; its context is current where the thread has none. */
curandStatus_t curand_enter(curandGenerator_t generator);
bool curand_has_offset(const struct curandGenerator_st *generator); /* can go to one */
curandStatus_t curand_status(CUresult result);
/* The state of the next call. */
struct curand_state *curand_state_get(curandGenerator_t generator);
#endif
