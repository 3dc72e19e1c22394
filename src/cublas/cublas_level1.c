/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: functions of vectors. Method: each is described as a struct cublas_call; results go to the host,
 * which then waits, or stay on the device, as the handle's pointer mode says. The rotations' parameters
 * (rotg, rotmg) are numbers that are computed at once, after what is queued before them. Limits: none
 * known. */
#include "cublas_priv.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#define CALL(L, operation, function)                                                                         \
    struct cublas_call x = {.name = "cublas" function, .op = CUBLAS_##operation, .type = BLAS_##L, .n = n}
#define ALPHA(type) CUBLAS_TRY(cublas_scalar_get(handle, alpha, sizeof(type), &x.alpha))

#define AXPY(L, T, I, S)                                                                                     \
    CUBLAS cublas##L##axpy##S(cublasHandle_t handle, I n, const T *alpha, const T *a, I inca, T *c, I incc)  \
    {                                                                                                        \
        CALL(L, AXPY, #L "axpy");                                                                            \
        x.a = a, x.lda = inca, x.c = c, x.ldc = incc;                                                        \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        ALPHA(T);                                                                                            \
        return cublas_call_queue(handle, &x);                                                                \
    }
CUBLAS_EACH(AXPY, _v2)

#define COPY(L, T, I, S)                                                                                     \
    CUBLAS cublas##L##copy##S(cublasHandle_t handle, I n, const T *a, I inca, T *c, I incc)                  \
    {                                                                                                        \
        CALL(L, COPY, #L "copy");                                                                            \
        x.a = a, x.lda = inca, x.c = c, x.ldc = incc;                                                        \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        return cublas_call_queue(handle, &x);                                                                \
    }
CUBLAS_EACH(COPY, _v2)

#define SWAP(L, T, I, S)                                                                                     \
    CUBLAS cublas##L##swap##S(cublasHandle_t handle, I n, T *c, I incc, T *d, I incd)                        \
    {                                                                                                        \
        CALL(L, SWAP, #L "swap");                                                                            \
        x.c = c, x.ldc = incc, x.d = d, x.ldb = incd;                                                        \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        return cublas_call_queue(handle, &x);                                                                \
    }
CUBLAS_EACH(SWAP, _v2)

#define SCAL(L, T, I, S)                                                                                     \
    CUBLAS cublas##L##scal##S(cublasHandle_t handle, I n, const T *alpha, T *c, I incc)                      \
    {                                                                                                        \
        CALL(L, SCAL, #L "scal");                                                                            \
        x.c = c, x.ldc = incc;                                                                               \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        ALPHA(T);                                                                                            \
        return cublas_call_queue(handle, &x);                                                                \
    }
CUBLAS_EACH(SCAL, _v2)

#define SCAL_REAL(L, name, real, I, S)                                                                       \
    CUBLAS cublas##name##S(cublasHandle_t handle, I n, const real *alpha, CUBLAS_TYPE_##L *c, I incc)        \
    {                                                                                                        \
        CALL(L, SCAL_REAL, #name);                                                                           \
        x.c = c, x.ldc = incc;                                                                               \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        ALPHA(real);                                                                                         \
        return cublas_call_queue(handle, &x);                                                                \
    }
SCAL_REAL(C, Csscal, float, int, _v2)
SCAL_REAL(C, Csscal, float, int64_t, _v2_64)
SCAL_REAL(Z, Zdscal, double, int, _v2)
SCAL_REAL(Z, Zdscal, double, int64_t, _v2_64)

/* ---- results */

#define DOT(L, T, I, S, name, operation)                                                                     \
    CUBLAS cublas##L##name##S(cublasHandle_t handle, I n, const T *a, I inca, const T *b, I incb, T *result) \
    {                                                                                                        \
        CALL(L, operation, #L#name);                                                                         \
        x.a = a, x.lda = inca, x.b = b, x.ldb = incb;                                                        \
        return cublas_call_result(handle, &x, result, sizeof *result);                                       \
    }
#define DOT_REAL(L, T, I, S) DOT(L, T, I, S, dot, DOT)
#define DOT_U(L, T, I, S)    DOT(L, T, I, S, dotu, DOT)
#define DOT_C(L, T, I, S)    DOT(L, T, I, S, dotc, DOTC)
CUBLAS_REALS(DOT_REAL, _v2)
CUBLAS_COMPLEXES(DOT_U, _v2)
CUBLAS_COMPLEXES(DOT_C, _v2)

#define NORM(L, name, operation, I, S)                                                                       \
    CUBLAS cublas##name##S(cublasHandle_t handle, I n, const CUBLAS_TYPE_##L *a, I inca,                     \
                           CUBLAS_REAL_##L *result)                                                          \
    {                                                                                                        \
        CALL(L, operation, #name);                                                                           \
        x.a = a, x.lda = inca;                                                                               \
        return cublas_call_result(handle, &x, result, sizeof *result);                                       \
    }
#define NORMS(L, nrm2, asum)                                                                                 \
    NORM(L, nrm2, NRM2, int, _v2)                                                                            \
    NORM(L, nrm2, NRM2, int64_t, _v2_64) NORM(L, asum, ASUM, int, _v2) NORM(L, asum, ASUM, int64_t, _v2_64)
NORMS(S, Snrm2, Sasum)
NORMS(D, Dnrm2, Dasum)
NORMS(C, Scnrm2, Scasum)
NORMS(Z, Dznrm2, Dzasum)

/* Indices are ints where they are computed. */
#define INDEX(L, name, operation)                                                                            \
    CUBLAS cublas##name##_v2(cublasHandle_t handle, int n, const CUBLAS_TYPE_##L *a, int inca, int *result)  \
    {                                                                                                        \
        CALL(L, operation, #name);                                                                           \
        x.a = a, x.lda = inca;                                                                               \
        return cublas_call_result(handle, &x, result, sizeof *result);                                       \
    }                                                                                                        \
    CUBLAS cublas##name##_v2_64(cublasHandle_t handle, int64_t n, const CUBLAS_TYPE_##L *a, int64_t inca,    \
                                int64_t *result)                                                             \
    {                                                                                                        \
        CALL(L, operation, #name);                                                                           \
        x.a = a, x.lda = inca;                                                                               \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        if (!result) return CUBLAS_STATUS_INVALID_VALUE;                                                     \
        if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)                                              \
            CUBLAS_TRY(cublas_status(                                                                        \
                cuMemsetD8Async((CUdeviceptr)(uintptr_t)result, 0, sizeof *result, handle->stream)));        \
        else                                                                                                 \
            *result = 0;                                                                                     \
        return cublas_call_result(handle, &x, result, sizeof(int)); /* the lower half */                     \
    }
#define INDICES(L, l) INDEX(L, I##l##amax, AMAX) INDEX(L, I##l##amin, AMIN)
INDICES(S, s)
INDICES(D, d)
INDICES(C, c)
INDICES(Z, z)

/* ---- rotations */

#define ROT(L, name, sine, I, S)                                                                             \
    CUBLAS cublas##name##S(cublasHandle_t handle, I n, CUBLAS_TYPE_##L *p, I incp, CUBLAS_TYPE_##L *q,       \
                           I incq, const CUBLAS_REAL_##L *c, const sine *s)                                  \
    {                                                                                                        \
        CALL(L, ROT, #name);                                                                                 \
        x.c = p, x.ldc = incp, x.d = q, x.ldb = incq;                                                        \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        CUBLAS_TRY(cublas_scalar_get(handle, c, sizeof *c, &x.alpha));                                       \
        CUBLAS_TRY(cublas_scalar_get(handle, s, sizeof *s, &x.beta));                                        \
        return cublas_call_queue(handle, &x);                                                                \
    }
#define ROTS(L, name, sine) ROT(L, name, sine, int, _v2) ROT(L, name, sine, int64_t, _v2_64)
ROTS(S, Srot, float)
ROTS(D, Drot, double)
ROTS(C, Crot, cuComplex)
ROTS(Z, Zrot, cuDoubleComplex)
ROTS(C, Csrot, float)
ROTS(Z, Zdrot, double)

#define ROTM(L, T, I, S)                                                                                     \
    CUBLAS cublas##L##rotm##S(cublasHandle_t handle, I n, T *p, I incp, T *q, I incq, const T *param)        \
    {                                                                                                        \
        CALL(L, ROTM, #L "rotm");                                                                            \
        x.c = p, x.ldc = incp, x.d = q, x.ldb = incq;                                                        \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        if (!param) return CUBLAS_STATUS_INVALID_VALUE;                                                      \
        if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {                                            \
            x.b = param;                                                                                     \
        } else {                                                                                             \
            for (int i = 0; i < 5; i++)                                                                      \
                x.param[i] = param[i];                                                                       \
            x.has_param = true;                                                                              \
        }                                                                                                    \
        return cublas_call_queue(handle, &x);                                                                \
    }
CUBLAS_REALS(ROTM, _v2)

/* What rotg and rotmg compute of a few numbers: on copies in the host's memory, when all before is done. */
static cublasStatus_t numbers_get(cublasHandle_t handle, void *to, const void *from, size_t bytes)
{
    if (!from) return CUBLAS_STATUS_INVALID_VALUE;
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
        memcpy(to, from, bytes);
        return CUBLAS_STATUS_SUCCESS;
    }
    CUresult result = cuMemcpyDtoHAsync(to, (CUdeviceptr)(uintptr_t)from, bytes, handle->stream);
    return cublas_status(result == CUDA_SUCCESS ? cuStreamSynchronize(handle->stream) : result);
}

static cublasStatus_t numbers_put(cublasHandle_t handle, void *to, const void *from, size_t bytes)
{
    if (!to) return CUBLAS_STATUS_INVALID_VALUE;
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
        memcpy(to, from, bytes);
        return CUBLAS_STATUS_SUCCESS;
    }
    CUresult result = cuMemcpyHtoDAsync((CUdeviceptr)(uintptr_t)to, from, bytes, handle->stream);
    return cublas_status(result == CUDA_SUCCESS ? cuStreamSynchronize(handle->stream) : result);
}

/* Givens rotation of reals (Netlib's rotg): (r, z, c, s) of (a, b). */
#define ROTG_REAL(L, real, fabs, sqrt, copysign)                                                             \
    CUBLAS cublas##L##rotg_v2(cublasHandle_t handle, real *pa, real *pb, real *pc, real *ps)                 \
    {                                                                                                        \
        real a, b, c = 1, s = 0, r = 0, z = 0;                                                               \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        CUBLAS_TRY(numbers_get(handle, &a, pa, sizeof a));                                                   \
        CUBLAS_TRY(numbers_get(handle, &b, pb, sizeof b));                                                   \
        real scale = fabs(a) + fabs(b);                                                                      \
        if (scale != 0) {                                                                                    \
            real sign = copysign(1, fabs(a) > fabs(b) ? a : b);                                              \
            r = sign * scale * sqrt(a / scale * (a / scale) + b / scale * (b / scale));                      \
            c = a / r;                                                                                       \
            s = b / r;                                                                                       \
            z = fabs(a) > fabs(b) ? s : c != 0 ? 1 / c : 1;                                                  \
        }                                                                                                    \
        CUBLAS_TRY(numbers_put(handle, pa, &r, sizeof r));                                                   \
        CUBLAS_TRY(numbers_put(handle, pb, &z, sizeof z));                                                   \
        CUBLAS_TRY(numbers_put(handle, pc, &c, sizeof c));                                                   \
        return numbers_put(handle, ps, &s, sizeof s);                                                        \
    }
ROTG_REAL(S, float, fabsf, sqrtf, copysignf)
ROTG_REAL(D, double, fabs, sqrt, copysign)

#define ROTG_COMPLEX(L, real, type, cabs, hypot, conj)                                                       \
    CUBLAS cublas##L##rotg_v2(cublasHandle_t handle, CUBLAS_TYPE_##L *pa, CUBLAS_TYPE_##L *pb, real *pc,     \
                              CUBLAS_TYPE_##L *ps)                                                           \
    {                                                                                                        \
        type a, b, s = 1, r;                                                                                 \
        real c = 0;                                                                                          \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        CUBLAS_TRY(numbers_get(handle, &a, pa, sizeof a));                                                   \
        CUBLAS_TRY(numbers_get(handle, &b, pb, sizeof b));                                                   \
        r = b;                                                                                               \
        if (cabs(a) != 0) {                                                                                  \
            real norm = hypot(cabs(a), cabs(b));                                                             \
            type alpha = a / cabs(a);                                                                        \
            c = cabs(a) / norm;                                                                              \
            s = alpha * conj(b) / norm;                                                                      \
            r = alpha * norm;                                                                                \
        }                                                                                                    \
        CUBLAS_TRY(numbers_put(handle, pa, &r, sizeof r));                                                   \
        CUBLAS_TRY(numbers_put(handle, pc, &c, sizeof c));                                                   \
        return numbers_put(handle, ps, &s, sizeof s);                                                        \
    }
ROTG_COMPLEX(C, float, float complex, cabsf, hypotf, conjf)
ROTG_COMPLEX(Z, double, double complex, cabs, hypot, conj)

/* Modified Givens rotation (Lawson, Hanson, Kincaid and Krogh 1979, as in the BLAS): d1, d2, x1 and y1 give
 * the flag and the matrix H, and new d1, d2, x1. */
struct rotmg {
    double d1, d2, x1, y1, flag, h11, h12, h21, h22;
};

static void rotmg_none(struct rotmg *g)
{
    g->flag = -1;
    g->h11 = g->h12 = g->h21 = g->h22 = 0;
    g->d1 = g->d2 = g->x1 = 0;
}

static void rotmg_whole(struct rotmg *g) /* H with all four numbers, before one is scaled */
{
    if (g->flag == 0) g->h11 = g->h22 = 1;
    if (g->flag == 1) g->h21 = -1, g->h12 = 1;
    g->flag = -1;
}

static void rotmg_scale(struct rotmg *g)
{
    enum { GAMMA = 4096 }; /* definition: of the BLAS */
    double low = 1.0 / GAMMA / GAMMA, high = (double)GAMMA * GAMMA;
    while (isfinite(g->d1) && g->d1 != 0 && (g->d1 <= low || g->d1 >= high)) {
        double by = g->d1 <= low ? GAMMA : 1.0 / GAMMA;
        rotmg_whole(g);
        g->d1 *= by * by;
        g->x1 /= by;
        g->h11 /= by;
        g->h12 /= by;
    }
    while (isfinite(g->d2) && g->d2 != 0 && (fabs(g->d2) <= low || fabs(g->d2) >= high)) {
        double by = fabs(g->d2) <= low ? GAMMA : 1.0 / GAMMA;
        rotmg_whole(g);
        g->d2 *= by * by;
        g->h21 /= by;
        g->h22 /= by;
    }
}

static void rotmg_make(struct rotmg *g)
{
    if (g->d1 < 0) {
        rotmg_none(g);
        return;
    }
    double p2 = g->d2 * g->y1, p1 = g->d1 * g->x1, q2 = p2 * g->y1, q1 = p1 * g->x1;
    if (p2 == 0) {
        g->flag = -2;
        return;
    }
    if (fabs(q1) > fabs(q2)) {
        g->h21 = -g->y1 / g->x1;
        g->h12 = p2 / p1;
        double u = 1 - g->h12 * g->h21;
        if (u <= 0) {
            rotmg_none(g);
            return;
        }
        g->flag = 0;
        g->d1 /= u;
        g->d2 /= u;
        g->x1 *= u;
    } else if (q2 < 0) {
        rotmg_none(g);
        return;
    } else {
        g->flag = 1;
        g->h11 = p1 / p2;
        g->h22 = g->x1 / g->y1;
        double u = 1 + g->h11 * g->h22, d1 = g->d1;
        g->d1 = g->d2 / u;
        g->d2 = d1 / u;
        g->x1 = g->y1 * u;
    }
    rotmg_scale(g);
}

#define ROTMG(L, real)                                                                                       \
    CUBLAS cublas##L##rotmg_v2(cublasHandle_t handle, real *d1, real *d2, real *x1, const real *y1,          \
                               real *param)                                                                  \
    {                                                                                                        \
        real in[4], out[5] = {0};                                                                            \
        CUBLAS_TRY(cublas_enter(handle));                                                                    \
        CUBLAS_TRY(numbers_get(handle, &in[0], d1, sizeof *d1));                                             \
        CUBLAS_TRY(numbers_get(handle, &in[1], d2, sizeof *d2));                                             \
        CUBLAS_TRY(numbers_get(handle, &in[2], x1, sizeof *x1));                                             \
        CUBLAS_TRY(numbers_get(handle, &in[3], y1, sizeof *y1));                                             \
        CUBLAS_TRY(numbers_get(handle, out, param, sizeof out));                                             \
        struct rotmg g = {.d1 = in[0], .d2 = in[1], .x1 = in[2], .y1 = in[3]};                               \
        rotmg_make(&g);                                                                                      \
        in[0] = (real)g.d1, in[1] = (real)g.d2, in[2] = (real)g.x1;                                          \
        out[0] = (real)g.flag;                                                                               \
        if (g.flag == -1 || g.flag == 1) out[1] = (real)g.h11, out[4] = (real)g.h22;                         \
        if (g.flag == -1 || g.flag == 0) out[2] = (real)g.h21, out[3] = (real)g.h12;                         \
        CUBLAS_TRY(numbers_put(handle, d1, &in[0], sizeof *d1));                                             \
        CUBLAS_TRY(numbers_put(handle, d2, &in[1], sizeof *d2));                                             \
        CUBLAS_TRY(numbers_put(handle, x1, &in[2], sizeof *x1));                                             \
        return numbers_put(handle, param, out, sizeof out);                                                  \
    }
ROTMG(S, float)
ROTMG(D, double)
