/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: a transform when its turn comes: what memory it accesses, and its computation. Method: fft/;
 * halves are floats meanwhile, with the program's layout, so that gaps of the output stay as they are.
 * Limits: halves are rounded once, at the end, where a GPU rounds after each step. */
#include "cufft_priv.h"

#include "blas/blas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- memory */

enum { LOOPS = FFT_RANK + 1 };
struct loop {
    int64_t count, stride; /* in bytes */
};

static int64_t elements_of(const struct fft_problem *p, unsigned d, bool is_complex)
{
    return is_complex && p->kind != FFT_C2C && d == p->rank - 1 ? p->n[d] / 2 + 1 : p->n[d];
}

/* The loops over an array, the nearest elements first, with those joined that lie side by side. width: of
 * what is contiguous. */
static unsigned loops_of(const struct cufft_transform *t, bool is_out, struct loop out[LOOPS], int64_t *width)
{
    const struct fft_problem *p = &t->problem;
    const struct fft_layout *layout = is_out ? &p->out : &p->in;
    const bool is_complex = p->kind != (is_out ? FFT_C2R : FFT_R2C);
    int64_t bytes = (is_complex ? 2 : 1) * cufft_element_bytes(t->element);
    struct loop all[LOOPS];
    unsigned count = 0, left = 0;
    for (unsigned d = 0; d <= p->rank; d++) {
        struct loop loop = {.count = d < p->rank ? elements_of(p, d, is_complex) : p->batch,
                            .stride = bytes * (d < p->rank ? layout->stride[d] : layout->dist)};
        unsigned at = count++;
        for (; at > 0 && all[at - 1].stride > loop.stride; at--)
            all[at] = all[at - 1];
        all[at] = loop;
    }
    *width = bytes;
    for (unsigned i = 0; i < count; i++) {
        if (all[i].count == 1) continue;
        if (left == 0 && all[i].stride == *width)
            *width *= all[i].count;
        else if (left && all[i].stride == out[left - 1].stride * out[left - 1].count)
            out[left - 1].count *= all[i].count;
        else
            out[left++] = all[i];
    }
    return left;
}

/* Range i of an array: the first loop is its rows; the others are counted. Returns how many there are. */
static uint64_t array_range(const struct cufft_call *call, bool is_out, uint64_t i,
                            struct event_routine_range *out)
{
    struct loop loops[LOOPS];
    int64_t width;
    unsigned count = loops_of(call->transform, is_out, loops, &width);
    uint64_t all = 1, rest = i;
    *out = (struct event_routine_range){.address = (uint64_t)(uintptr_t)(is_out ? call->out : call->in),
                                        .width = (uint64_t)width,
                                        .pitch = (uint64_t)(count ? loops[0].stride : width),
                                        .height = (uint64_t)(count ? loops[0].count : 1),
                                        .writes = is_out};
    for (unsigned l = 1; l < count; l++) {
        uint64_t n = (uint64_t)loops[l].count;
        out->address += rest % n * (uint64_t)loops[l].stride;
        rest /= n;
        all *= n;
    }
    return all;
}

bool cufft_range(const void *args, uint32_t i, struct event_routine_range *out)
{
    const struct cufft_call *call = args;
    uint64_t inputs = array_range(call, false, i, out);
    if (i < inputs) return true;
    return i - inputs < array_range(call, true, i - inputs, out);
}

static uint64_t bytes_of(const struct cufft_call *call, bool is_out)
{
    struct event_routine_range range;
    uint64_t ranges = array_range(call, is_out, 0, &range);
    return ranges * range.width * range.height;
}

/* From the first byte to behind the last. */
static uint64_t extent_of(const struct cufft_call *call, bool is_out, bool *has_gaps)
{
    struct loop loops[LOOPS];
    int64_t width, last = 0;
    unsigned count = loops_of(call->transform, is_out, loops, &width);
    for (unsigned l = 0; l < count; l++)
        last += (loops[l].count - 1) * loops[l].stride;
    *has_gaps = count > 0;
    return (uint64_t)(last + width);
}

/* ---- computation */

static int halves_run(const struct cufft_call *call)
{
    const enum blas_element element = call->transform->element == CUFFT_F16 ? BLAS_F16 : BLAS_BF16;
    const uint32_t bytes = cufft_element_bytes(call->transform->element);
    bool in_gaps, out_gaps;
    uint64_t in_count = extent_of(call, false, &in_gaps) / bytes;
    uint64_t out_count = extent_of(call, true, &out_gaps) / bytes;
    float *in = malloc((size_t)in_count * sizeof *in), *out = malloc((size_t)out_count * sizeof *out);
    if (in && out) {
        blas_to_floats(element, call->in, in, in_count);
        if (out_gaps) blas_to_floats(element, call->out, out, out_count);
        fft_run(call->plan, in, out, call->inverse);
        blas_from_floats(element, out, call->out, out_count);
    }
    int result = in && out ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    free(in);
    free(out);
    return result;
}

int cufft_run(const void *args)
{
    const struct cufft_call *call = args;
    if (call->transform->element < CUFFT_F32) return halves_run(call);
    fft_run(call->plan, call->in, call->out, call->inverse);
    return CUDA_SUCCESS;
}

/* ---- for tools */

static int append(char *text, size_t bytes, int at, const char *format, long long value)
{
    int more = (size_t)at < bytes ? snprintf(text + at, bytes - (size_t)at, format, value) : 0;
    return at + (more > 0 ? more : 0);
}

void cufft_describe(const struct cufft_call *call, const char *name, struct event_routine *out, char *shape,
                    size_t bytes)
{
    static const char *const KINDS[] = {[FFT_C2C] = "C2C", [FFT_R2C] = "R2C", [FFT_C2R] = "C2R"};
    static const char *const ELEMENTS[] = {"f16", "bf16", "f32", "f64"};
    const struct fft_problem *p = &call->transform->problem;
    double n = 1;
    int at = 0;
    for (unsigned d = 0; d < p->rank; d++) {
        n *= (double)p->n[d];
        at = append(shape, bytes, at, d ? " x %lld" : "%lld", p->n[d]);
    }
    if (p->batch > 1) at = append(shape, bytes, at, ", batch %lld", p->batch);
    snprintf(shape + at, bytes - (size_t)at, ", %s, %s%s", KINDS[p->kind], ELEMENTS[call->transform->element],
             p->kind != FFT_C2C ? ""
             : call->inverse    ? ", inverse"
                                : ", forward");
    /* the usual count: 5 N log2 N, and half of it for real numbers */
    double flops = 5 * n * log2(n) * (double)p->batch / (p->kind == FFT_C2C ? 1 : 2);
    *out = (struct event_routine){.name = name,
                                  .shape = shape,
                                  .kind = EVENT_ROUTINE_FFT,
                                  .math = p->type == FFT_F64                     ? EVENT_MATH_F64
                                          : call->transform->element < CUFFT_F32 ? EVENT_MATH_F16
                                                                                 : EVENT_MATH_F32,
                                  .m = (uint64_t)p->n[p->rank - 1],
                                  .n = p->rank > 1 ? (uint64_t)p->n[p->rank - 2] : 1,
                                  .k = p->rank > 2 ? (uint64_t)p->n[0] : 1,
                                  .batch = (uint64_t)p->batch,
                                  .flops = (uint64_t)(flops + 0.5),
                                  .read_bytes = bytes_of(call, false),
                                  .wrote_bytes = bytes_of(call, true)};
}
