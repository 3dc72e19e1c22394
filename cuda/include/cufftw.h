/* SPDX-License-Identifier: Apache-2.0 */
/* FFTW's interface on cuFFT, by libcufftw.so.12: names and values of NVIDIA's documentation (cuFFT 13, "FFTW interface to cuFFT"), which
 * has no transforms of real numbers to real ones, no split arrays and no use for wisdom. Data may be memory of the host. */
#ifndef _CUFFTW_H_
#define _CUFFTW_H_

#include "cufft.h"

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FFTW_FORWARD        -1
#define FFTW_INVERSE        1
#define FFTW_BACKWARD       1
#define FFTW_ESTIMATE       0x01
#define FFTW_MEASURE        0x02
#define FFTW_PATIENT        0x03
#define FFTW_EXHAUSTIVE     0x04
#define FFTW_WISDOM_ONLY    0x05
#define FFTW_DESTROY_INPUT  0x08
#define FFTW_PRESERVE_INPUT 0x0C
#define FFTW_UNALIGNED      0x10

/* A size, and strides of input and output. */
typedef struct {
    int n, is, os;
} fftw_iodim;
typedef struct {
    ptrdiff_t n, is, os;
} fftw_iodim64;
typedef fftw_iodim fftwf_iodim;
typedef fftw_iodim64 fftwf_iodim64;

/* C's own complex numbers where <complex.h> came first, as with FFTW. */
#if !defined(FFTW_NO_Complex) && defined(_Complex_I) && defined(complex)
#define SW_FFTW_COMPLEX_(R, X) typedef R _Complex X##_complex;
#else
#define SW_FFTW_COMPLEX_(R, X) typedef R X##_complex[2];
#endif

#define SW_FFTW_LIST_(X, R, kind, in_type, out_type, sign)                                                                          \
    X##_plan X##_plan_##kind##_1d(int n, in_type *in, out_type *out sign, unsigned flags);                                          \
    X##_plan X##_plan_##kind##_2d(int n0, int n1, in_type *in, out_type *out sign, unsigned flags);                                 \
    X##_plan X##_plan_##kind##_3d(int n0, int n1, int n2, in_type *in, out_type *out sign, unsigned flags);                         \
    X##_plan X##_plan_##kind(int rank, const int *n, in_type *in, out_type *out sign, unsigned flags);                              \
    X##_plan X##_plan_many_##kind(int rank, const int *n, int batch, in_type *in, const int *inembed, int istride, int idist,       \
                                  out_type *out, const int *onembed, int ostride, int odist sign, unsigned flags);                  \
    X##_plan X##_plan_guru_##kind(int rank, const X##_iodim *dims, int batch_rank, const X##_iodim *batch_dims, in_type *in,        \
                                  out_type *out sign, unsigned flags);                                                              \
    X##_plan X##_plan_guru64_##kind(int rank, const X##_iodim64 *dims, int batch_rank, const X##_iodim64 *batch_dims, in_type *in,  \
                                    out_type *out sign, unsigned flags);                                                            \
    void X##_execute_##kind(const X##_plan plan, in_type *in, out_type *out);
#define SW_FFTW_SIGN_ , int sign
#define SW_FFTW_NONE_
#define SW_FFTW_(X, R)                                                                                                              \
    SW_FFTW_COMPLEX_(R, X)                                                                                                          \
    typedef void *X##_plan;                                                                                                         \
    SW_FFTW_LIST_(X, R, dft, X##_complex, X##_complex, SW_FFTW_SIGN_)                                                               \
    SW_FFTW_LIST_(X, R, dft_r2c, R, X##_complex, SW_FFTW_NONE_)                                                                     \
    SW_FFTW_LIST_(X, R, dft_c2r, X##_complex, R, SW_FFTW_NONE_)                                                                     \
    void X##_execute(const X##_plan plan);                                                                                          \
    void X##_destroy_plan(X##_plan plan);                                                                                           \
    void X##_cleanup(void);                                                                                                         \
    void *X##_malloc(size_t bytes);                                                                                                 \
    void X##_free(void *memory);                                                                                                    \
    void X##_print_plan(const X##_plan plan);                                                                                       \
    void X##_set_timelimit(double seconds);                                                                                         \
    double X##_cost(const X##_plan plan);                                                                                           \
    void X##_flops(const X##_plan plan, double *add, double *mul, double *fma);                                                     \
    void X##_export_wisdom_to_file(FILE *file);                                                                                     \
    int X##_import_wisdom_from_file(FILE *file);
SW_FFTW_(fftw, double)
SW_FFTW_(fftwf, float)
#undef SW_FFTW_
#undef SW_FFTW_NONE_
#undef SW_FFTW_SIGN_
#undef SW_FFTW_LIST_
#undef SW_FFTW_COMPLEX_

#ifdef __cplusplus
}
#endif
#endif
