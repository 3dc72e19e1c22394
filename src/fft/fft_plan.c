/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: plans: which axes in which order, and how the lines of each are transformed. Method: real lines
 * first (R2C) or last (C2R), the other axes in place on complex numbers; of C2R in memory of our own. Lines
 * go in lanes unless they are few or long, by a count of operations of registers. */
#include "fft_plan_priv.h"

#include <stdlib.h>
#include <string.h>

/* ---- axes */

/* Numbers of the layout in real numbers; reals: it has real elements, not complex ones. */
static int64_t reals_of(int64_t elements, bool reals)
{
    return reals ? elements : 2 * elements;
}

/* Returns its place, negative: there is none. */
static int loop_add(struct fft_axis *axis, int *loops, int64_t count, int64_t in_dist, int64_t out_dist)
{
    if (count == 1) return -1;
    int at = (*loops)++;
    for (; at > 0 && axis->in_dist[at - 1] > in_dist; at--) { /* the nearest lines first */
        axis->count[at] = axis->count[at - 1];
        axis->in_dist[at] = axis->in_dist[at - 1], axis->out_dist[at] = axis->out_dist[at - 1];
    }
    axis->count[at] = count, axis->in_dist[at] = in_dist, axis->out_dist[at] = out_dist;
    return at;
}

/* Operations of registers for all lines in lanes. Measured (Zen 5): a line that fills more than 512 KB of
 * registers leaves the L2 cache, and takes up to three times as long. */
static double lanes_cost(enum fft_type type, const struct fft_axis *axis, int64_t n)
{
    enum { CACHE_BYTES = 512 << 10, LARGE = 3 };
    int64_t lanes = fft_ops_get(type)->lanes, groups = (axis->lines + lanes - 1) / lanes;
    int64_t rows = fft_is_smooth(n) ? n : fft_convolution_length(n);
    bool leaves = rows * 4 * lanes * fft_real_bytes(type) >= CACHE_BYTES;
    return fft_line_cost(n) * (double)groups * (leaves ? LARGE : 1);
}

/* The same one by one; negative: that cannot be. Lines that do not lie side by side are gathered. */
static double squares_cost(enum fft_type type, const struct fft_axis *axis, int64_t n)
{
    const double once_more = 1.2; /* measured: the middle buffer */
    enum { SMALL = 64, GATHER = 8 };
    double cost = n < SMALL ? -1 : fft_square_cost(type, n) * once_more;
    if (cost >= 0 && axis->in_step > 2) cost += (double)(GATHER * n);
    return cost * (double)axis->lines;
}

static void axis_choose(enum fft_type type, struct fft_axis *axis)
{
    double root[2];
    axis->is_half = axis->kind != FFT_C2C && axis->n % 2 == 0;
    int64_t n = axis->is_half ? axis->n / 2 : axis->n;
    axis->lines = fft_axis_lines(axis);
    double square = squares_cost(type, axis, n);
    axis->cost = lanes_cost(type, axis, n);
    if (square >= 0 && square < axis->cost) axis->square = fft_square_new(type, n);
    if (axis->square) axis->cost = square;
    if (!axis->square) axis->line = fft_line_new(type, n);
    if (!axis->is_half) return;
    axis->split = fft_table_new(type, (uint64_t)(n / 2 + 1));
    for (int64_t k = 0; k <= n / 2; k++) {
        fft_root((uint64_t)k, (uint64_t)axis->n, root);
        fft_table_set(type, axis->split, (uint64_t)k, root);
    }
}

/* Elements of dimension d in the half that is complex. */
static int64_t complex_n(const struct fft_problem *p, unsigned d)
{
    return p->kind != FFT_C2C && d == p->rank - 1 ? p->n[d] / 2 + 1 : p->n[d];
}

/* Axis d from one layout to another, `real`: the axis is the real one. */
static void axis_init(const struct fft_problem *p, unsigned d, bool real, const struct fft_layout *in,
                      const struct fft_layout *out, struct fft_axis *axis)
{
    bool in_reals = real && p->kind == FFT_R2C, out_reals = real && p->kind == FFT_C2R;
    int loops = 0;
    *axis = (struct fft_axis){.kind = real ? p->kind : FFT_C2C, .n = p->n[d], .count = {1, 1, 1}};
    axis->in_step = reals_of(in->stride[d], in_reals);
    axis->out_step = reals_of(out->stride[d], out_reals);
    for (unsigned i = 0; i < p->rank; i++)
        if (i != d)
            loop_add(axis, &loops, complex_n(p, i), reals_of(in->stride[i], in_reals),
                     reals_of(out->stride[i], out_reals));
    axis->batch_loop =
        loop_add(axis, &loops, p->batch, reals_of(in->dist, in_reals), reals_of(out->dist, out_reals));
    axis_choose(p->type, axis);
}

/* ---- plans */

bool fft_is_line_by_line(const struct fft_problem *p)
{
    const int64_t in = p->kind == FFT_R2C ? 1 : 2, out = p->kind == FFT_C2R ? 1 : 2; /* reals of an element */
    const unsigned last = p->rank - 1;
    bool same = p->in.dist * in == p->out.dist * out || p->batch == 1;
    for (unsigned d = 0; d < last; d++)
        same &= p->in.stride[d] * in == p->out.stride[d] * out || p->n[d] == 1;
    if (p->kind == FFT_C2C) return same && p->in.stride[last] == p->out.stride[last];
    return same && p->in.stride[last] == 1 && p->out.stride[last] == 1;
}

static struct fft_layout work_layout(const struct fft_problem *p)
{
    struct fft_layout work = {.dist = 1};
    for (unsigned d = p->rank; d-- > 0;) {
        work.stride[d] = work.dist;
        work.dist *= complex_n(p, d);
    }
    return work;
}

/* Items of a batch that are transformed together, so that they stay in caches between axes. */
static int64_t items_together(const struct fft_problem *p)
{
    enum { BYTES = 1 << 20, LEAST = 4 }; /* of a second-level cache; and some, for lanes */
    if (p->rank == 1) return p->batch;
    int64_t bytes = work_layout(p).dist * 2 * fft_real_bytes(p->type), items = BYTES / bytes;
    if (items < LEAST && bytes < BYTES) items = LEAST;
    return items < 1 ? 1 : items < p->batch ? items : p->batch;
}

static void axes_init(struct fft_plan *plan, const struct fft_problem *part)
{
    const struct fft_layout *in = &part->in, *out = &part->out;
    const unsigned last = part->rank - 1;
    unsigned count = 0;
    if (part->kind != FFT_C2R) {
        axis_init(part, last, part->kind != FFT_C2C, in, out, &plan->axis[count++]);
        for (unsigned d = last; d-- > 0;)
            axis_init(part, d, false, out, out, &plan->axis[count++]);
    } else if (last == 0) {
        axis_init(part, 0, true, in, out, &plan->axis[count++]);
    } else {
        const bool between = !part->in_place || !fft_is_line_by_line(part) || part->n[last] == 1;
        const struct fft_layout work = between ? work_layout(part) : *in;
        for (unsigned d = 0; d < last; d++)
            axis_init(part, d, false, d == 0 ? in : &work, &work, &plan->axis[count++]);
        axis_init(part, last, true, &work, out, &plan->axis[count++]);
        if (between) plan->work_bytes = (uint64_t)(work.dist * part->batch) * 2 * fft_real_bytes(part->type);
    }
    plan->axes = count;
}

static void axis_release(struct fft_axis *axis)
{
    fft_line_free(axis->line);
    fft_square_free(axis->square);
    free(axis->split);
}

struct fft_plan *fft_plan_new(const struct fft_problem *problem)
{
    struct fft_plan *plan = sw_xcalloc(1, sizeof *plan);
    struct fft_problem part = *problem;
    plan->problem = *problem;
    plan->items = part.batch = items_together(problem);
    axes_init(plan, &part);
    return plan;
}

void fft_plan_free(struct fft_plan *plan)
{
    if (!plan) return;
    for (unsigned i = 0; i < plan->axes; i++)
        axis_release(&plan->axis[i]);
    free(plan);
}
