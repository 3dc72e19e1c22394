/* SPDX-License-Identifier: Apache-2.0 */
/* sparse: what its files share. */
#ifndef SPARSE_PRIV_H
#define SPARSE_PRIV_H

#include "sparse/sparse.h"

#include <complex.h>

/* ---- sparse_csr.c: 32-bit lists that count from `base` on */
bool sparse_offsets_ascend(const int32_t *offsets, int base, int64_t rows, int64_t nnz); /* from 0 to nnz */
bool sparse_all_below(const int32_t *list, int64_t count, int32_t base, uint32_t limit);
/* ---- sparse_product.c */
/* to[i] := from[position[i]] */
void sparse_gather(enum sparse_type type, const void *from, const int64_t *position, int64_t count, void *to);
void sparse_conjugate(enum sparse_type type, void *values, int64_t count);

/* What a scalar is, of each type. */
static inline float sparse_value_s(union sparse_scalar x)
{
    return x.s[0];
}
static inline double sparse_value_d(union sparse_scalar x)
{
    return x.d[0];
}
static inline float complex sparse_value_c(union sparse_scalar x)
{
    return CMPLXF(x.s[0], x.s[1]);
}
static inline double complex sparse_value_z(union sparse_scalar x)
{
    return CMPLX(x.d[0], x.d[1]);
}
/* Products as GPUs compute them, without C's care for infinities. */
static inline float sparse_mul_s(float a, float b)
{
    return a * b;
}
static inline double sparse_mul_d(double a, double b)
{
    return a * b;
}
static inline float complex sparse_mul_c(float complex a, float complex b)
{
    return CMPLXF(crealf(a) * crealf(b) - cimagf(a) * cimagf(b),
                  crealf(a) * cimagf(b) + cimagf(a) * crealf(b));
}
static inline double complex sparse_mul_z(double complex a, double complex b)
{
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}
#define SPARSE_CONJ_s(x) (x)
#define SPARSE_CONJ_d(x) (x)
#define SPARSE_CONJ_c(x) conjf(x)
#define SPARSE_CONJ_z(x) conj(x)
#define SPARSE_REAL_s(x) (x)
#define SPARSE_REAL_d(x) (x)
#define SPARSE_REAL_c(x) crealf(x)
#define SPARSE_REAL_z(x) creal(x)
#define SPARSE_ABS_s(x)  fabsf(x)
#define SPARSE_ABS_d(x)  fabs(x)
#define SPARSE_ABS_c(x)  cabsf(x)
#define SPARSE_ABS_z(x)  cabs(x)

/* MAKE(letter, type) for all four; a function of the type's own for a call. */
#define SPARSE_EACH(MAKE) MAKE(s, float) MAKE(d, double) MAKE(c, float complex) MAKE(z, double complex)
#define SPARSE_CALL(type, name, ...)                                                                         \
    do {                                                                                                     \
        switch (type) {                                                                                      \
        case SPARSE_S: name##_s(__VA_ARGS__); break;                                                         \
        case SPARSE_D: name##_d(__VA_ARGS__); break;                                                         \
        case SPARSE_C: name##_c(__VA_ARGS__); break;                                                         \
        case SPARSE_Z: name##_z(__VA_ARGS__); break;                                                         \
        }                                                                                                    \
    } while (0)
#endif
