/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TIMING_ROUTINE_PRIV_H
#define TIMING_ROUTINE_PRIV_H

#include "timing/timing_routine.h"

/* timing_routine_lapack.c: ns of a routine of LAPACK's. rate: multiply-adds of the whole GPU in a ns;
 * unit_ns: what of it the units need. */
double timing_lapack_ns(const struct event_routine *routine, double sms, double rate, double *unit_ns);
static inline bool timing_is_lapack(const struct event_routine *routine)
{
    return routine->kind >= EVENT_ROUTINE_CHOLESKY && routine->kind <= EVENT_ROUTINE_JACOBI_SVD;
}
#endif
