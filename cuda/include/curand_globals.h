/* SPDX-License-Identifier: Apache-2.0 */
/* Constants of cuRAND's device functions, as NVIDIA documents them: floats that are not exact powers of two are so on purpose, as
 * numbers are to be equal in every bit. */
#ifndef CURAND_GLOBALS_H
#define CURAND_GLOBALS_H

#define SW_RAND_HD_ static __host__ __device__ __inline__ __attribute__((always_inline, nodebug))
#define SW_RAND_D_  static __device__ __inline__ __attribute__((always_inline, nodebug))
#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif

#define CURAND_2POW32_INV        (2.3283064e-10f)
#define CURAND_2POW32_INV_DOUBLE (2.3283064365386963e-10)
#define CURAND_2POW53_INV_DOUBLE (1.1102230246251565e-16)
#define CURAND_2POW32_INV_2PI    (2.3283064e-10f * 6.2831855f)
#define CURAND_2PI               (6.2831855f)
#define CURAND_SQRT2             (-1.4142135f)
#define CURAND_SQRT2_DOUBLE      (-1.4142135623730951)

/* What boxmuller_extra of a state holds. */
#define EXTRA_FLAG_NORMAL     0x00000001
#define EXTRA_FLAG_LOG_NORMAL 0x00000002
#endif
