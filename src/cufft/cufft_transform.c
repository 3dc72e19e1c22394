/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what a plan is asked to transform: checks, layouts, sizes. Method: statuses, and their order, are
 * those of NVIDIA's library (recorded, tests/hw/libraries): the first dimension alone is checked to be above
 * 0. Limits: work areas are estimates from recorded sizes; nothing is stored in them. */
#include "cufft_priv.h"

#include <stdlib.h>

bool cufft_type_get(cufftType type, enum fft_kind *kind, enum cufft_element *element)
{
    *element = type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D ? CUFFT_F64 : CUFFT_F32;
    switch ((int)type) {
    case CUFFT_C2C:
    case CUFFT_Z2Z: *kind = FFT_C2C; return true;
    case CUFFT_R2C:
    case CUFFT_D2Z: *kind = FFT_R2C; return true;
    case CUFFT_C2R:
    case CUFFT_Z2D: *kind = FFT_C2R; return true;
    default: return false;
    }
}

/* ---- layouts */

/* Of rows that lie densely: `last` elements in the last dimension. */
static struct fft_layout dense(const struct fft_problem *p, int64_t last)
{
    struct fft_layout out = {.dist = 1};
    for (unsigned d = p->rank; d-- > 0;) {
        out.stride[d] = out.dist;
        out.dist *= d == p->rank - 1 ? last : p->n[d];
    }
    return out;
}

static struct fft_layout embedded(const struct fft_problem *p, const long long *embed, long long stride,
                                  long long dist)
{
    struct fft_layout out = {.dist = dist};
    for (unsigned d = p->rank; d-- > 0;) {
        out.stride[d] = stride;
        stride *= d ? embed[d] : 1;
    }
    return out;
}

static void layouts_natural(struct fft_problem *p, bool padded)
{
    const int64_t n = p->n[p->rank - 1], half = n / 2 + 1;
    struct fft_layout complex = dense(p, p->kind == FFT_C2C ? n : half);
    struct fft_layout real = dense(p, padded ? 2 * half : n);
    p->in = p->kind == FFT_R2C ? real : complex;
    p->out = p->kind == FFT_C2R ? real : complex;
}

/* ---- checks */

static bool is_power_of_two(int64_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static cufftResult layout_check(const struct cufft_request *r)
{
    if (!r->in_embed && !r->out_embed) return CUFFT_SUCCESS;
    bool good = r->in_embed && r->out_embed && r->in_stride > 0 && r->out_stride > 0;
    if (r->batch > 1) good &= r->in_dist > 0 && r->out_dist > 0;
    return good ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

static cufftResult request_check(const struct cufft_request *r, enum cufft_element element)
{
    if (r->rank < 1 || r->rank > FFT_RANK || !r->n) return CUFFT_INVALID_VALUE;
    if (r->n[0] <= 0 || r->batch <= 0) return CUFFT_INVALID_SIZE;
    for (int d = 1; d < r->rank; d++)
        if (r->n[d] < 0) return CUFFT_INTERNAL_ERROR;
    CUFFT_TRY(layout_check(r));
    for (int d = 0; d < r->rank && element < CUFFT_F32; d++)
        if (!is_power_of_two(r->n[d])) return CUFFT_NOT_SUPPORTED;
    return CUFFT_SUCCESS;
}

/* ---- sizes */

static int64_t largest_prime(int64_t n)
{
    int64_t largest = 1;
    for (int64_t p = 2; p * p <= n; p++)
        for (; n % p == 0; n /= p)
            largest = p;
    return n > 1 ? n : largest;
}

/* Recorded: lines of more than 16,384 elements go through memory once more, and those with a prime above 127
 * where they are longer than a kernel's own memory; then the area has the complex numbers of the batch. */
static size_t work_bytes(const struct cufft_transform *t)
{
    enum { LINE = 16384, PRIME = 127, PRIME_LINE = 4096 };
    const struct fft_problem *p = &t->problem;
    uint64_t elements = (uint64_t)p->batch;
    bool needs = false;
    for (unsigned d = 0; d < p->rank; d++) {
        bool halves = p->kind != FFT_C2C && d == p->rank - 1 && p->n[d] % 2 == 0;
        int64_t line = halves ? p->n[d] / 2 : p->n[d];
        needs |= line >= LINE + (p->rank == 1) || (line > PRIME_LINE && largest_prime(line) > PRIME);
        elements *= (uint64_t)line;
    }
    return needs ? (size_t)(elements * 2 * cufft_element_bytes(t->element)) : 0;
}

cufftResult cufft_transform_get(const struct cufft_request *request, enum fft_kind kind,
                                enum cufft_element element, struct cufft_transform *out)
{
    CUFFT_TRY(request_check(request, element));
    struct fft_problem *p = &out->problem;
    *out = (struct cufft_transform){.element = element, .natural = !request->in_embed};
    p->type = element == CUFFT_F64 ? FFT_F64 : FFT_F32;
    p->kind = kind;
    p->rank = (unsigned)request->rank;
    p->batch = request->batch;
    for (int d = 0; d < request->rank; d++) {
        p->n[d] = request->n[d];
        out->empty |= p->n[d] == 0;
    }
    if (out->natural) {
        layouts_natural(p, false);
    } else {
        p->in = embedded(p, request->in_embed, request->in_stride, request->in_dist);
        p->out = embedded(p, request->out_embed, request->out_stride, request->out_dist);
    }
    out->work_bytes = out->empty ? 0 : work_bytes(out);
    return CUFFT_SUCCESS;
}

struct cufft_made *cufft_made_new(const struct cufft_transform *transform)
{
    struct cufft_made *made = sw_xcalloc(1, sizeof *made);
    made->transform = made->in_place = *transform;
    if (transform->empty) return made;
    made->plan = fft_plan_new(&transform->problem);
    if (transform->problem.kind == FFT_C2C) return made;
    if (transform->natural) layouts_natural(&made->in_place.problem, true);
    made->in_place.problem.in_place = true;
    made->in_place_plan = fft_plan_new(&made->in_place.problem);
    return made;
}

void cufft_made_free(struct cufft_made *made)
{
    if (!made) return;
    fft_plan_free(made->plan);
    fft_plan_free(made->in_place_plan);
    free(made);
}
