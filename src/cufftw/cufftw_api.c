/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: FFTW's functions, of doubles and of floats. Method: every form becomes a struct cufftw_request.
 * Limits: what plans cost is not counted; wisdom is neither read nor written, as with NVIDIA's library; flags
 * change nothing. */
#include "cufftw_priv.h"

#include <stdlib.h>
#include <string.h>

/* Strides of arrays whose rows have these sizes; sizes[d]: NULL in a form without embed. */
static void strides(struct cufftw_request *r, const int *in, const int *out, long long in_step,
                    long long out_step)
{
    for (int d = r->rank - 1; d >= 0; d--) {
        r->dims[d].in = in_step;
        r->dims[d].out = out_step;
        in_step *= in[d];
        out_step *= out[d];
    }
}

/* Sizes that arrays have without embed: half of the last dimension's complex numbers, and room for these
 * where a transform is in place. */
static void default_sizes(const struct cufftw_request *r, const int *n, bool is_out, int *sizes)
{
    bool is_real = r->kind == (is_out ? CUFFTW_C2R : CUFFTW_R2C);
    for (int d = 0; d < r->rank; d++)
        sizes[d] = n[d];
    int *last = &sizes[r->rank - 1], half = *last / 2 + 1;
    if (r->kind == CUFFTW_C2C) return;
    if (!is_real) *last = half;
    if (is_real && r->in == r->out) *last = 2 * half;
}

/* many: batch, embeds, strides and distances; or NULL */
struct many {
    int batch;
    const int *in_embed, *out_embed;
    int in_stride, in_dist, out_stride, out_dist;
};
static void *plan_of(struct cufftw_request *r, int rank, const int *n, const struct many *many)
{
    int in[CUFFTW_RANK], out[CUFFTW_RANK];
    if (rank < 1 || rank > CUFFTW_RANK || !n) {
        if (n && rank > CUFFTW_RANK) routine_refuse(r->name, "more than three dimensions");
        return NULL;
    }
    r->rank = rank;
    for (int d = 0; d < rank; d++)
        r->dims[d].n = n[d];
    default_sizes(r, n, false, in);
    default_sizes(r, n, true, out);
    if (many && many->in_embed) memcpy(in, many->in_embed, (size_t)rank * sizeof *in);
    if (many && many->out_embed) memcpy(out, many->out_embed, (size_t)rank * sizeof *out);
    strides(r, in, out, many ? many->in_stride : 1, many ? many->out_stride : 1);
    if (many) {
        r->batch_rank = 1;
        r->batch[0] = (struct cufftw_dim){many->batch, many->in_dist, many->out_dist};
    }
    return cufftw_plan_new(r);
}

/* Of either width of numbers. */
static bool dims_of(int rank, const fftw_iodim *narrow, const fftw_iodim64 *wide, int most,
                    struct cufftw_dim *out)
{
    if (rank < 0 || rank > most || (rank && !narrow && !wide)) return false;
    for (int d = 0; d < rank; d++)
        out[d] = narrow ? (struct cufftw_dim){narrow[d].n, narrow[d].is, narrow[d].os}
                        : (struct cufftw_dim){wide[d].n, wide[d].is, wide[d].os};
    return true;
}

struct guru {
    int rank, batch_rank;
    const fftw_iodim *dims, *batch;
    const fftw_iodim64 *dims64, *batch64;
};
static void *plan_guru(struct cufftw_request *r, const struct guru *g)
{
    if (g->rank < 1) return NULL;
    if (!dims_of(g->rank, g->dims, g->dims64, CUFFTW_RANK, r->dims) ||
        !dims_of(g->batch_rank, g->batch, g->batch64, CUFFTW_BATCH_RANK, r->batch)) {
        routine_refuse(r->name, "more than three dimensions, or eight of a batch");
        return NULL;
    }
    r->rank = g->rank;
    r->batch_rank = g->batch_rank;
    return cufftw_plan_new(r);
}

/* X: fftw or fftwf; is_wide: doubles; SIGN: a parameter, VALUE: what it is. */
#define REQUEST(function, K, is_wide, VALUE)                                                                 \
    struct cufftw_request r = {                                                                              \
        .name = function, .kind = CUFFTW_##K, .wide = is_wide, .in = in, .out = out, .sign = VALUE};         \
    (void)flags
#define FORMS(X, form, K, is_wide, IN, OUT, SIGN, VALUE)                                                     \
    CUFFTW X##_plan X##_plan_##form##_1d(int n, IN *in, OUT *out SIGN, unsigned flags)                       \
    {                                                                                                        \
        REQUEST(#X "_plan_" #form "_1d", K, is_wide, VALUE);                                                 \
        return plan_of(&r, 1, &n, NULL);                                                                     \
    }                                                                                                        \
    CUFFTW X##_plan X##_plan_##form##_2d(int n0, int n1, IN *in, OUT *out SIGN, unsigned flags)              \
    {                                                                                                        \
        const int n[] = {n0, n1};                                                                            \
        REQUEST(#X "_plan_" #form "_2d", K, is_wide, VALUE);                                                 \
        return plan_of(&r, 2, n, NULL);                                                                      \
    }                                                                                                        \
    CUFFTW X##_plan X##_plan_##form##_3d(int n0, int n1, int n2, IN *in, OUT *out SIGN, unsigned flags)      \
    {                                                                                                        \
        const int n[] = {n0, n1, n2};                                                                        \
        REQUEST(#X "_plan_" #form "_3d", K, is_wide, VALUE);                                                 \
        return plan_of(&r, 3, n, NULL);                                                                      \
    }                                                                                                        \
    CUFFTW X##_plan X##_plan_##form(int rank, const int *n, IN *in, OUT *out SIGN, unsigned flags)           \
    {                                                                                                        \
        REQUEST(#X "_plan_" #form, K, is_wide, VALUE);                                                       \
        return plan_of(&r, rank, n, NULL);                                                                   \
    }                                                                                                        \
    CUFFTW X##_plan X##_plan_many_##form(int rank, const int *n, int batch, IN *in, const int *inembed,      \
                                         int istride, int idist, OUT *out, const int *onembed, int ostride,  \
                                         int odist SIGN, unsigned flags)                                     \
    {                                                                                                        \
        const struct many many = {batch, inembed, onembed, istride, idist, ostride, odist};                  \
        REQUEST(#X "_plan_many_" #form, K, is_wide, VALUE);                                                  \
        return plan_of(&r, rank, n, &many);                                                                  \
    }                                                                                                        \
    CUFFTW X##_plan X##_plan_guru_##form(int rank, const X##_iodim *dims, int batch_rank,                    \
                                         const X##_iodim *batch_dims, IN *in, OUT *out SIGN, unsigned flags) \
    {                                                                                                        \
        const struct guru g = {.rank = rank, .batch_rank = batch_rank, .dims = dims, .batch = batch_dims};   \
        REQUEST(#X "_plan_guru_" #form, K, is_wide, VALUE);                                                  \
        return plan_guru(&r, &g);                                                                            \
    }                                                                                                        \
    CUFFTW X##_plan X##_plan_guru64_##form(int rank, const X##_iodim64 *dims, int batch_rank,                \
                                           const X##_iodim64 *batch_dims, IN *in, OUT *out SIGN,             \
                                           unsigned flags)                                                   \
    {                                                                                                        \
        const struct guru g = {                                                                              \
            .rank = rank, .batch_rank = batch_rank, .dims64 = dims, .batch64 = batch_dims};                  \
        REQUEST(#X "_plan_guru64_" #form, K, is_wide, VALUE);                                                \
        return plan_guru(&r, &g);                                                                            \
    }                                                                                                        \
    CUFFTW void X##_execute_##form(const X##_plan plan, IN *in, OUT *out)                                    \
    {                                                                                                        \
        cufftw_execute(plan, in, out);                                                                       \
    }
#define WITH_SIGN , int sign
#define NO_SIGN
#define LIBRARY(X, R, is_wide)                                                                               \
    FORMS(X, dft, C2C, is_wide, X##_complex, X##_complex, WITH_SIGN, sign)                                   \
    FORMS(X, dft_r2c, R2C, is_wide, R, X##_complex, NO_SIGN, FFTW_FORWARD)                                   \
    FORMS(X, dft_c2r, C2R, is_wide, X##_complex, R, NO_SIGN, FFTW_BACKWARD)                                  \
    CUFFTW void X##_execute(const X##_plan plan)                                                             \
    {                                                                                                        \
        cufftw_execute_planned(plan);                                                                        \
    }                                                                                                        \
    CUFFTW void X##_destroy_plan(X##_plan plan)                                                              \
    {                                                                                                        \
        cufftw_plan_free(plan);                                                                              \
    }                                                                                                        \
    CUFFTW void X##_cleanup(void) {}                                                                         \
    CUFFTW void *X##_malloc(size_t bytes)                                                                    \
    {                                                                                                        \
        return malloc(bytes);                                                                                \
    }                                                                                                        \
    CUFFTW void X##_free(void *memory)                                                                       \
    {                                                                                                        \
        free(memory);                                                                                        \
    }                                                                                                        \
    CUFFTW void X##_print_plan(const X##_plan plan)                                                          \
    {                                                                                                        \
        (void)plan;                                                                                          \
        routine_refuse(#X "_print_plan", "");                                                                \
    }                                                                                                        \
    CUFFTW void X##_set_timelimit(double seconds)                                                            \
    {                                                                                                        \
        (void)seconds; /* no plan is searched for */                                                         \
    }                                                                                                        \
    CUFFTW double X##_cost(const X##_plan plan)                                                              \
    {                                                                                                        \
        (void)plan;                                                                                          \
        routine_refuse(#X "_cost", "");                                                                      \
        return 0;                                                                                            \
    }                                                                                                        \
    CUFFTW void X##_flops(const X##_plan plan, double *add, double *mul, double *fma)                        \
    {                                                                                                        \
        (void)plan;                                                                                          \
        routine_refuse(#X "_flops", "");                                                                     \
        if (add) *add = 0;                                                                                   \
        if (mul) *mul = 0;                                                                                   \
        if (fma) *fma = 0;                                                                                   \
    }                                                                                                        \
    CUFFTW void X##_export_wisdom_to_file(FILE *file)                                                        \
    {                                                                                                        \
        (void)file; /* there is none */                                                                      \
    }                                                                                                        \
    CUFFTW int X##_import_wisdom_from_file(FILE *file)                                                       \
    {                                                                                                        \
        (void)file;                                                                                          \
        return 0; /* documented by FFTW: nothing was read */                                                 \
    }
LIBRARY(fftw, double, true)
LIBRARY(fftwf, float, false)
