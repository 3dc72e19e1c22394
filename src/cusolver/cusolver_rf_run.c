/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: refactorization's work of the device: values into M, factors, solves. Method: Gaussian elimination
 * of M's rows, each by the rows above that it has elements of (Saad, Iterative Methods for Sparse Linear
 * Systems, 10.3); what is not in M's pattern is not made. Limits: one thread; what algorithms are set changes
 * nothing. */
#include "cusolver_rf_priv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *values_of(const struct cusolverRfCommon *rf, int item)
{
    return (double *)(uintptr_t)rf->values + (size_t)item * (size_t)rf->m.count;
}

static void reset(const struct rf_call *x, int item)
{
    double *m = values_of(x->rf, item);
    const double *from = x->sources ? x->sources[item] : x->source;
    memset(m, 0, (size_t)x->rf->m.count * sizeof *m);
    for (int e = 0; e < x->rf->entries; e++)
        m[x->rf->places[e]] += from[e];
}

/* Row i has `factor` times what is right of the diagonal in row k taken from it. */
static void eliminate(const struct rf_pattern *p, double *m, int i, int k, double factor)
{
    int to = p->starts[i], end = p->starts[i + 1];
    for (int e = p->diagonal[k] + 1; e < p->starts[k + 1]; e++) {
        while (to < end && p->columns[to] < p->columns[e])
            to++;
        if (to < end && p->columns[to] == p->columns[e]) m[to] -= factor * m[e];
    }
}

static double pivot_of(struct cusolverRfCommon *rf, double pivot, int item, int row)
{
    if (fabs(pivot) <= rf->zero) { /* recorded: so is 0 where nothing is set */
        rf->boosted = true;
        pivot = rf->boost;
    }
    if (pivot == 0 && rf->zeros[item] < 0) rf->zeros[item] = row;
    return pivot;
}

static void factor(struct cusolverRfCommon *rf, int item)
{
    const struct rf_pattern *p = &rf->m;
    double *m = values_of(rf, item);
    rf->zeros[item] = -1;
    for (int i = 0; i < p->n; i++) {
        for (int e = p->starts[i]; e < p->diagonal[i]; e++) {
            int k = p->columns[e];
            m[e] /= m[p->diagonal[k]];
            eliminate(p, m, i, k, m[e]);
        }
        m[p->diagonal[i]] = pivot_of(rf, m[p->diagonal[i]], item, i);
    }
}

/* x := (L U)^-1 x */
static void solve_rows(const struct rf_pattern *p, const double *m, double *x)
{
    for (int i = 0; i < p->n; i++)
        for (int e = p->starts[i]; e < p->diagonal[i]; e++)
            x[i] -= m[e] * x[p->columns[e]];
    for (int i = p->n - 1; i >= 0; i--) {
        for (int e = p->diagonal[i] + 1; e < p->starts[i + 1]; e++)
            x[i] -= m[e] * x[p->columns[e]];
        x[i] /= m[p->diagonal[i]];
    }
}

static void solve(const struct rf_call *call, int item)
{
    const struct cusolverRfCommon *rf = call->rf;
    double *x = call->xs ? call->xs[item] : call->x, *y = sw_xcalloc((size_t)rf->m.n + 1, sizeof *y);
    for (int i = 0; i < rf->m.n; i++)
        y[i] = x[rf->p[i]];
    solve_rows(&rf->m, values_of(rf, item), y);
    for (int i = 0; i < rf->m.n; i++)
        x[rf->q[i]] = y[i];
    free(y);
}

static int run(const void *args)
{
    const struct rf_call *x = args;
    for (int item = 0; item < x->batch; item++) {
        if (x->resets) reset(x, item);
        if (x->factors) factor(x->rf, item);
        if (x->solves) solve(x, item);
    }
    return 0;
}

/* M, the array of pointers, then what each of them points to. */
static bool range(const void *args, uint32_t i, struct event_routine_range *out)
{
    const struct rf_call *x = args;
    bool array = x->sources || x->xs;
    uint64_t n = (uint64_t)x->rf->m.n, entries = (uint64_t)x->rf->entries, batch = (uint64_t)x->batch;
    uint64_t bytes = (x->solves ? n : entries) * sizeof(double), at = 0;
    bool writes = x->solves;
    if (i == 0) {
        at = x->rf->values, bytes = (uint64_t)x->rf->m.count * batch * sizeof(double), writes = !x->solves;
    } else if (array && i == 1) {
        at = x->solves ? (uintptr_t)x->xs : (uintptr_t)x->sources, bytes = batch * sizeof(double *),
        writes = false;
    } else if (array && i < batch + 2) {
        at = x->solves ? (uintptr_t)x->xs[i - 2] : (uintptr_t)x->sources[i - 2];
    } else if (!array && i == 1 && !x->factors) {
        at = x->solves ? (uintptr_t)x->x : (uintptr_t)x->source;
    } else {
        return false;
    }
    *out = (struct event_routine_range){
        .address = at, .pitch = bytes, .width = bytes, .height = 1, .writes = writes};
    return true;
}

cusolverStatus_t cusolver_rf_queue(const char *name, const struct rf_call *x)
{
    char shape[80];
    uint64_t n = (uint64_t)x->rf->m.n, count = (uint64_t)x->rf->m.count, batch = (uint64_t)x->batch;
    snprintf(shape, sizeof shape, "n %d, nnz %d, batch %d", x->rf->m.n, x->rf->m.count, x->batch);
    struct event_routine_work work = {.what = {.name = name,
                                               .shape = shape,
                                               .kind = x->resets ? EVENT_ROUTINE_STREAM : EVENT_ROUTINE_SOLVE,
                                               .math = EVENT_MATH_F64,
                                               .m = x->resets ? count : n,
                                               .n = 1,
                                               .batch = batch,
                                               .flops = x->resets ? 0 : 2 * count * batch, /* at least */
                                               .read_bytes = count * 12 * batch,
                                               .wrote_bytes = (x->solves ? n : count) * 8 * batch},
                                      .run = run,
                                      .range = range,
                                      .args = x,
                                      .arg_bytes = sizeof *x};
    return cusolver_status(routine_submit("libcusolver", NULL, &work));
}
