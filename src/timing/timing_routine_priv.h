/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TIMING_ROUTINE_PRIV_H
#define TIMING_ROUTINE_PRIV_H

#include "timing/timing_routine.h"

/* timing_gemm.c: ns of products of matrices: the start, and the rest, of it the units; share: of the
 * multiprocessors. rate: multiply-adds of one in a cycle; dram: bytes in a ns. */
struct timing_gemm {
    double start_ns, work_ns, unit_ns, share;
};
struct timing_gemm timing_gemm(const struct event_routine *routine, double rate, double sms, double ghz,
                               double dram);
/* timing_vector.c: of vectors, and of triangular solves. */
struct timing_stream {
    double start_ns, work_ns;
};
struct timing_stream timing_stream(const struct event_routine *routine, double dram);
struct timing_stream timing_solve(const struct event_routine *routine, double rate, double *unit_ns);
/* timing_sparse.c */
struct timing_stream timing_sparse(const struct event_routine *routine, double dram);
/* timing_routine_lapack.c: ns of a routine of LAPACK's. rate: multiply-adds of the whole GPU in a ns;
 * unit_ns: what of it the units need. */
double timing_lapack_ns(const struct event_routine *routine, double rate, double *unit_ns);
static inline bool timing_is_lapack(const struct event_routine *routine)
{
    return routine->kind >= EVENT_ROUTINE_CHOLESKY && routine->kind <= EVENT_ROUTINE_JACOBI_SVD;
}
#endif
