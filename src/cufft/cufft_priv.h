/* SPDX-License-Identifier: Apache-2.0 */
/* cufft: what its files share. A plan is a number; making it checks what is asked for, and has fft/ prepare
 * the transform; executing it queues a routine in the plan's stream. */
#ifndef CUFFT_PRIV_H
#define CUFFT_PRIV_H

#include "base/base.h"
#include "event/event_routine.h"
#include "fft/fft.h"
#include "routine/routine.h"

#include <cufft.h>

#include <stdbool.h>
#include <stdint.h>

#define CUFFT __attribute__((visibility("default"))) cufftResult

/* Return a failing status at once. */
#define CUFFT_TRY(expr)                                                                                      \
    do {                                                                                                     \
        cufftResult cufft_try_ = (expr);                                                                     \
        if (cufft_try_ != CUFFT_SUCCESS) return cufft_try_;                                                  \
    } while (0)

enum cufft_element { CUFFT_F16, CUFFT_BF16, CUFFT_F32, CUFFT_F64 };
static inline uint32_t cufft_element_bytes(enum cufft_element element)
{
    static const uint8_t BYTES[] = {2, 2, 4, 8};
    return BYTES[element];
}

/* A transform as it was asked for, once it is known to be one. */
struct cufft_transform {
    enum cufft_element element;
    struct fft_problem problem; /* halves: of floats */
    bool natural;               /* real lines lie as they do without embed: padded where a call is in place */
    bool empty;                 /* a dimension is 0 */
    size_t work_bytes;          /* that programs are told */
};
/* The transform with the means to compute it; it never changes. */
struct cufft_made {
    struct cufft_transform transform, in_place;
    struct fft_plan *plan, *in_place_plan; /* of real numbers, where the output is the input; or NULL */
};

enum { CUFFT_GPUS = 16 }; /* documented */
struct cufft_plan {
    CUcontext context; /* that was current when it was made */
    CUstream stream;
    struct cufft_made *made; /* NULL: created alone */
    bool automatic;          /* the work area is the library's affair */
    bool captured;           /* a graph may have calls of it */
    void *work;
    long long patient;
    int gpu_count; /* 0: that of the context alone */
    int gpus[CUFFT_GPUS];
    CUcontext contexts[CUFFT_GPUS]; /* their primary ones, which the plan retains */
};

/* ---- cufft_handle.c */
cufftResult cufft_status(CUresult result);
/* Of every function with a plan, first: it lives, and the thread has a current context.
 */
cufftResult cufft_enter(cufftHandle handle, struct cufft_plan **out);
/* The plan is for the GPU of its context again. */
void cufft_gpus_release(struct cufft_plan *plan);

/* ---- cufft_transform.c */
/* As the program gave it; embed NULL: the default layout. */
struct cufft_request {
    int rank;
    const long long *n, *in_embed, *out_embed;
    long long in_stride, in_dist, out_stride, out_dist, batch;
};
cufftResult cufft_transform_get(const struct cufft_request *request, enum fft_kind kind,
                                enum cufft_element element, struct cufft_transform *out);
bool cufft_type_get(cufftType type, enum fft_kind *kind, enum cufft_element *element);
struct cufft_made *cufft_made_new(const struct cufft_transform *transform);
void cufft_made_free(struct cufft_made *made);

/* ---- cufft_gpus.c: plans for several GPUs */
cufftResult cufft_gpus_check(const struct cufft_transform *transform); /* such a plan can be made of it */

/* ---- cufft_run.c */
struct cufft_call {
    const struct cufft_transform *transform;
    const struct fft_plan *plan;
    const void *in;
    void *out;
    bool inverse;
};
int cufft_run(const void *call);
bool cufft_range(const void *call, uint32_t i, struct event_routine_range *out);
void cufft_describe(const struct cufft_call *call, const char *name, struct event_routine *out, char *shape,
                    size_t bytes);
#endif
